//! "Did you mean": which known names are close to an unknown one.

use strsim::normalized_damerau_levenshtein;

/// How alike two names have to be. One slip in a name of four letters is still alike, two are not.
const ALIKE: f64 = 0.6;

/// The known names closest to `asked`, best first, at most `most`, ties in the order given. Letter case does not count.
///
/// A name that holds the other (`cache` and `http-cache`) is close too. Cost: one edit distance for each name.
///
/// ```
/// use artifact::catalogue::nearest;
/// assert_eq!(nearest("list_page", ["list_pages", "list_tags", "get_post"], 3), ["list_pages", "list_tags"]);
/// assert!(nearest("zebra", ["list_pages"], 3).is_empty());
/// ```
pub fn nearest<'a>(
    asked: &str,
    known: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let asked = asked.to_lowercase();
    let mut found: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (likeness(&asked, &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    // The sort is stable, and a likeness is never NaN.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(most);
    found.into_iter().map(|(_, name)| name).collect()
}

/// From 0 (nothing in common) to 1 (equal). Both lower case.
pub fn likeness(a: &str, b: &str) -> f64 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let edits = normalized_damerau_levenshtein(a, b);
    if short.len() >= 3 && long.contains(short) {
        // Containment counts as near; the closer in length, the nearer.
        return edits.max(0.7 + 0.29 * short.len() as f64 / long.len() as f64);
    }
    edits
}
