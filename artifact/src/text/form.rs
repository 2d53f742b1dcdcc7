//! Words as they are written, where folding makes one of several: `résumé` and `resume`.
//!
//! For finding, both are the same word. For ranking, the one that was asked for is better. So, beside the term, the index holds who writes which
//! form, of those words alone that a site writes in more than one way: on most sites some dozen. A form stands under
//!
//! ```text
//! U+0014 | the folded word | U+001F | the word in lower case, with its marks
//! ```
//!
//! and no token holds a control character, so that a form is never taken for a term.

use super::analyzer::{fold, is_stemmed, lower};

/// What stands before every form.
const BEFORE: char = '\u{14}';
/// What stands between the folded word and the form.
const BETWEEN: char = '\u{1f}';

/// The folded word of a form in the index; `None` for a term.
pub fn word_of_form(key: &str) -> Option<&str> {
    let (word, _) = key.strip_prefix(BEFORE)?.split_once(BETWEEN)?;
    Some(word)
}

/// The first byte of every form: an index whose terms never start with it holds none.
pub const FIRST_BYTE_OF_FORMS: u8 = BEFORE as u8;

/// The key of a word's form, where the folded word is one of `wanted`. Only plain words of four letters or more have forms.
pub fn form(text: &str, wanted: impl FnOnce(&str) -> bool) -> Option<String> {
    let folded = fold(text);
    if !is_stemmed(text, &folded) || !wanted(&folded) {
        return None;
    }
    Some(format!("{BEFORE}{folded}{BETWEEN}{}", lower(text)))
}

/// Calls `visit` with each word of a text that folding changes beyond its case, folded. Cost: a pass over the bytes, and more only where they are
/// not ASCII.
pub fn folded_words(text: &str, mut visit: impl FnMut(String)) {
    let bytes = text.as_bytes();
    let is_of_word = |c: &char| c.is_alphanumeric() || super::scan::is_mark(*c) || *c == '_';
    let mut at = 0;
    loop {
        // Many bytes at once, as most texts are ASCII nearly throughout.
        let chunks = bytes[at..].chunks_exact(32);
        at += 32 * chunks.take_while(|chunk| chunk.is_ascii()).count();
        let Some(ahead) = bytes[at..].iter().position(|byte| !byte.is_ascii()) else {
            return;
        };
        let here = at + ahead;
        let Some(c) = text[here..].chars().next() else {
            return;
        };
        if !is_of_word(&c) || super::is_unspaced(c) {
            at = here + c.len_utf8();
            continue;
        }
        let before: usize = text[at..here]
            .chars()
            .rev()
            .take_while(is_of_word)
            .map(char::len_utf8)
            .sum();
        let after: usize = text[here..]
            .chars()
            .take_while(is_of_word)
            .map(char::len_utf8)
            .sum();
        let word = &text[here - before..here + after];
        let folded = fold(word);
        if *folded != lower(word) && is_stemmed(word, &folded) {
            visit(folded.into_owned());
        }
        at = here + after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_the_word_and_how_it_is_written() {
        let any = |text: &str| form(text, |_| true);
        assert_eq!(any("Résumé").unwrap(), "\u{14}resume\u{1f}résumé");
        assert_eq!(any("re\u{301}sume\u{301}"), any("Résumé"));
        assert_eq!(any("resume").unwrap(), "\u{14}resume\u{1f}resume");
        assert_eq!(word_of_form(&any("ЁЛКА").unwrap()), Some("елка"));
        assert_eq!(word_of_form("resum"), None);
        for other in ["été", "reSumé", "résumé_1", "3.5"] {
            assert_eq!(any(other), None, "{other}");
        }
        assert_eq!(form("resume", |word| word == "other"), None);
    }

    #[test]
    fn words_that_folding_changes_are_found_in_a_text() {
        let found = |text: &str| {
            let mut words = Vec::new();
            folded_words(text, |word| words.push(word));
            words.join(" ")
        };
        assert_eq!(
            found("A naïve “résumé” — of 检索 Häuser’s café"),
            "naive resume hauser cafe"
        );
        assert_eq!(found("Привет, ёлка"), "елка");
        assert_eq!(found("plain “text” …"), "");
        assert_eq!(found("xé"), "");
        let far = format!("{} café {} naïve", "a ".repeat(50), "b ".repeat(77));
        assert_eq!(found(&far), "cafe naive");
    }
}
