//! Keeping an answer within its bytes.
//!
//! An answer goes out twice, as structured content and as a text in which every quote and backslash is escaped, so an item of
//! *n* bytes with *q* of those costs 2*n* + *q*. A list is cut between two items, and says so in `notes`.

/// Bytes kept for the envelope, the keys and the notes.
const ENVELOPE: usize = 1_024;

/// A list that fits.
#[derive(Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The items, joined by commas, without brackets.
    pub json: String,
    /// How many they are.
    pub shown: usize,
    /// What to tell when the bytes cut the list.
    pub note: Option<String>,
}

/// What an item costs within an answer.
pub fn cost(json: &str) -> usize {
    json.len() * 2 + json.bytes().filter(|b| matches!(b, b'"' | b'\\')).count() + 2
}

/// Takes items up to a limit and as far as the bytes of the answer go. At least one item is taken, so that a caller gets on.
pub fn bounded<'a>(
    items: impl Iterator<Item = &'a str>,
    total: usize,
    limit: Option<usize>,
    answer_bytes: usize,
) -> Bounded {
    let wanted = limit.unwrap_or(total).min(total);
    let budget = answer_bytes.saturating_sub(ENVELOPE);
    let (mut json, mut shown, mut spent) = (String::new(), 0, 0);
    for item in items.take(wanted) {
        spent += cost(item);
        if shown > 0 && spent > budget {
            break;
        }
        if shown > 0 {
            json.push(',');
        }
        json.push_str(item);
        shown += 1;
    }
    let note = (shown < wanted)
        .then(|| format!("The list is cut to keep the answer small: it shows {shown} of {total}."));
    Bounded { json, shown, note }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_and_the_bytes_both_bound_a_list() {
        let items = [r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#];
        let all = bounded(items.into_iter(), 3, None, 10_000);
        assert_eq!(
            (all.json.as_str(), all.shown, all.note),
            (r#"{"a":1},{"a":2},{"a":3}"#, 3, None)
        );
        let two = bounded(items.into_iter(), 3, Some(2), 10_000);
        assert_eq!((two.shown, two.note), (2, None));
        let cut = bounded(items.into_iter(), 3, None, ENVELOPE + 2 * cost(items[0]));
        assert_eq!(cut.shown, 2);
        assert_eq!(
            cut.note.unwrap(),
            "The list is cut to keep the answer small: it shows 2 of 3."
        );
        assert_eq!(bounded(items.into_iter(), 3, None, 0).shown, 1);
    }
}
