//! Text that came from a stranger, made harmless for where it is shown.
//!
//! ```text
//! one line     a terminal's table, a heading      no line ends, controls, bidi, zero-width characters
//! lines        a message as it is read            the same, line by line; indents stay
//! cell         a spreadsheet                      lines, and no formula: = + - @ at the start get an apostrophe
//! json         a file for programs                everything stays; what does not show is written as \u….
//! fence        markdown                           a code block that the text cannot end
//! ```

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

pub(super) use artifact::clean::one_line;

/// A text of several lines, each of them clean.
pub(super) fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut clean = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            clean.push('\n');
        }
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        clean.push_str(&line[..indent]);
        clean.push_str(&one_line(line));
    }
    clean
}

/// A text for a cell of a spreadsheet, which takes what begins like a formula for one.
pub(super) fn cell(text: &str) -> String {
    let clean = lines(text);
    let formula = |first: char| {
        matches!(
            first,
            '=' | '+' | '-' | '@' | '\t' | '\n' | '＝' | '＋' | '－' | '＠'
        )
    };
    match clean
        .trim_start_matches(' ')
        .chars()
        .next()
        .is_some_and(formula)
    {
        true => format!("'{clean}"),
        false => clean,
    }
}

/// The beginning of a text of one line, `most` columns of a terminal wide at most. A Chinese, Japanese or Korean character takes two.
pub(super) fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    let mut width = 0;
    let end = text.char_indices().find(|(_, letter)| {
        width += letter.width().unwrap_or(0);
        width > most
    });
    match end {
        Some((end, _)) => Cow::Owned(format!("{}…", text[..end].trim_end())),
        None => Cow::Borrowed(text),
    }
}

/// JSON with everything that does not show, or turns what is around it, written as escapes: the same value, harmless on a terminal.
pub(super) fn json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        if hidden(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // A string takes whatever is written to it.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(letter);
        }
    }
    safe
}

/// Controls, direction marks, characters without width, line separators, tags.
fn hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A code block that holds the text, whatever backticks are in it.
pub(super) fn fence(text: &str) -> String {
    let clean = lines(text);
    let longest = clean
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{clean}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clears a terminal, sets its title, turns the line around, hides a character, spells a word in tags.
    const EVIL: &str = "a\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}b\u{200b}c\u{e0041}\u{feff}\u{2028}d\u{8}\0e";

    #[test]
    fn a_message_could_drive_the_terminal() {
        let clean = lines(&format!("  {EVIL}\r\n\tnext\rlast"));
        assert!(
            !clean
                .chars()
                .any(|letter| hidden(letter) && !matches!(letter, '\n' | '\t')),
            "{clean:?}"
        );
        assert_eq!(
            clean.lines().skip(1).collect::<Vec<_>>(),
            ["\tnext", "last"]
        );
        assert!(clean.starts_with("  a"), "{clean:?}");
    }

    #[test]
    fn json_keeps_the_text_and_shows_what_hides() {
        let value = serde_json::to_string(EVIL).expect("a string");
        let safe = json(&value);
        assert!(!safe.chars().any(hidden), "{safe:?}");
        assert_eq!(serde_json::from_str::<String>(&safe).expect("JSON"), EVIL);
    }

    #[test]
    fn a_spreadsheet_ran_a_message_as_a_formula() {
        for formula in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\n=1",
            "\u{200b}=1",
            "\u{feff}@x",
        ] {
            assert!(
                cell(formula).starts_with('\''),
                "{formula:?}: {:?}",
                cell(formula)
            );
        }
        assert_eq!(cell("plain = text"), "plain = text");
    }

    #[test]
    fn a_message_cannot_end_its_code_block() {
        assert_eq!(
            fence("a\n````\n# Not a heading"),
            "`````text\na\n````\n# Not a heading\n`````\n"
        );
        assert_eq!(fence("plain"), "```text\nplain\n```\n");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(beginning("äöü", 3), "äöü");
        assert_eq!(beginning("äöü ß", 4), "äöü…");
        assert_eq!(beginning("日本語です", 6), "日本語…");
        assert_eq!(beginning("日本語です", 5), "日本…");
    }
}
