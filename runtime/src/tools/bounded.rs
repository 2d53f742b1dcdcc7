//! Keeping an answer within its bytes.
//!
//! An answer goes out twice, as structured content and as a text in which every quote and backslash is escaped, so an item costs what it takes in
//! both forms. A list is cut between two items, and says so in `notes`.

use crate::mcp::Structured;

/// Bytes kept for the envelope, the keys and the notes.
const ENVELOPE: usize = 1_024;
/// Bytes of the commas behind an item.
const COMMAS: usize = 2;

/// What an item costs within an answer, by the bytes of both its forms.
pub fn cost(bytes: usize) -> usize {
    bytes + COMMAS
}

/// A list in the making, within brackets, that takes items as far as the bytes of the answer go. At least one is taken, so that a caller gets on.
#[derive(Debug)]
pub struct BoundedList<'o> {
    out: &'o mut Structured,
    budget: usize,
    spent: usize,
    shown: usize,
    is_full: bool,
}

impl<'o> BoundedList<'o> {
    /// Begins a list at the end of an answer of at most `answer_bytes`.
    pub fn new(out: &'o mut Structured, answer_bytes: usize) -> Self {
        out.sign("[");
        Self {
            out,
            budget: answer_bytes.saturating_sub(ENVELOPE),
            spent: 0,
            shown: 0,
            is_full: false,
        }
    }

    /// Adds the item that `write` appends, unless the list is full.
    pub fn item(&mut self, write: impl FnOnce(&mut Structured)) {
        if self.is_full {
            return;
        }
        let before = self.out.mark();
        if self.shown > 0 {
            self.out.sign(",");
        }
        let start = self.out.mark();
        write(self.out);
        self.spent += cost(self.out.since(start));
        if self.shown > 0 && self.spent > self.budget {
            self.out.back_to(before);
            self.is_full = true;
        } else {
            self.shown += 1;
        }
    }

    /// Whether no further item is taken.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// How many items were taken.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// Ends the list. Of `total` items `wanted` should have been shown: tells what to say when the bytes cut it.
    pub fn end(self, wanted: usize, total: usize) -> Option<String> {
        self.out.sign("]");
        let shown = self.shown;
        (shown < wanted).then(|| {
            format!("The list is cut to keep the answer small: it shows {shown} of {total}.")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str], answer_bytes: usize) -> (String, Option<String>) {
        let mut out = Structured::default();
        let mut list = BoundedList::new(&mut out, answer_bytes);
        for item in items {
            list.item(|out| {
                out.raw(item);
            });
        }
        let note = list.end(items.len(), 3);
        (out.json().to_owned(), note)
    }

    #[test]
    fn the_bytes_of_both_forms_bound_a_list() {
        let items = [r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#];
        let all = r#"[{"a":1},{"a":2},{"a":3}]"#;
        assert_eq!(list(&items, 10_000), (all.to_owned(), None));
        // 7 bytes, 9 when escaped, and two commas.
        let (json, note) = list(&items, ENVELOPE + 2 * 18);
        assert_eq!(json, r#"[{"a":1},{"a":2}]"#);
        assert_eq!(
            note.unwrap(),
            "The list is cut to keep the answer small: it shows 2 of 3."
        );
        assert_eq!(list(&items, 0).0, r#"[{"a":1}]"#);
        assert_eq!(list(&[], 0).0, "[]");
    }
}
