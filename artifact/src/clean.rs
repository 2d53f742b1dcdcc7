//! Cleaning of text before a model reads it.
//!
//! A title, a tag or an argument that is echoed stands on one line among the server's own words. A line break in it would
//! forge a line, a bidirectional control would show its letters in another order, and invisible characters can carry a
//! hidden message. [`one_line`] takes those out; [`markdown`] does the little that may be done to an author's own text.
//! Neither escapes anything: JSON and markdown have their own writers for that.
//!
//! ```
//! use artifact::clean::one_line;
//! assert_eq!(one_line("Hi\u{E0049}\u{E0067}\n  there\u{202E}"), "Hi there");
//! assert_eq!(one_line("👩\u{200D}💻"), "👩\u{200D}💻"); // one emoji, held together by its joiner
//! ```

use std::borrow::Cow;

/// Makes text safe for a one-line place.
///
/// Line breaks and every run of white space become one space, and the ends are trimmed. Bidirectional controls, zero-width
/// characters, the byte order mark and the Unicode tag block go. A joiner stays only between two characters that it joins:
/// emoji, or letters of a script that writes with it. A variation selector stays only once, behind a visible character.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut pending = None; // a joiner that waits to see what it joins
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            pending = None;
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        if is_joiner(c) {
            pending = pending.or(Some(c));
            continue;
        }
        let last = out.chars().next_back();
        if is_variation_selector(c) {
            if last.is_some_and(|last| takes_variation(last, c)) {
                out.push(c);
            }
            continue;
        }
        if is_hidden(c) {
            continue;
        }
        if let Some(joiner) = pending.take()
            && last.is_some_and(|last| joins(last, joiner, c))
        {
            out.push(joiner);
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// Cleans page markdown: the tag block goes everywhere, bidirectional controls go outside code.
///
/// `is_code` says whether the character at a byte offset of `text` stands in code, where a control may be the subject.
pub fn markdown(text: &str, is_code: impl Fn(usize) -> bool) -> Cow<'_, str> {
    let goes = |(at, c): (usize, char)| is_tag(c) || (is_bidi(c) && !is_code(at));
    match text.char_indices().find(|found| goes(*found)) {
        None => Cow::Borrowed(text),
        Some((first, _)) => {
            let mut out = String::with_capacity(text.len());
            out.push_str(&text[..first]);
            let rest = text[first..].char_indices().map(|(at, c)| (first + at, c));
            out.extend(rest.filter(|found| !goes(*found)).map(|(_, c)| c));
            Cow::Owned(out)
        }
    }
}

/// Nearly every text is clean already; this finds that out without allocating.
fn is_clean(text: &str) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        return !text.starts_with(' ')
            && !text.ends_with(' ')
            && !bytes.iter().any(|b| b.is_ascii_control())
            && !bytes.windows(2).any(|pair| pair == b"  ");
    }
    let mut last = ' ';
    for c in text.chars() {
        let odd = (c.is_whitespace() && (c != ' ' || last == ' '))
            || c.is_control()
            || is_joiner(c)
            || is_variation_selector(c)
            || is_hidden(c);
        if odd {
            return false;
        }
        last = c;
    }
    last != ' ' || text.is_empty()
}

/// U+200C and U+200D, zero-width non-joiner and joiner.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

fn is_bidi(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The tag block spells ASCII in characters that nothing shows.
fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// Characters without width or ink: soft hyphen, zero-width space, word joiner, invisible operators, annotation marks.
fn is_hidden(c: char) -> bool {
    is_bidi(c)
        || is_tag(c)
        || matches!(c, '\u{00AD}' | '\u{034F}' | '\u{180E}' | '\u{200B}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}')
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// A run of selectors behind one character is a way to smuggle bytes: one is enough, and the long block is for ideographs.
fn takes_variation(last: char, selector: char) -> bool {
    if last == ' ' || is_variation_selector(last) {
        return false;
    }
    selector <= '\u{FE0F}'
        || matches!(last, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn joins(last: char, joiner: char, next: char) -> bool {
    let emoji = joiner == '\u{200D}' && (is_emoji(last) || last == '\u{FE0F}') && is_emoji(next);
    emoji || (needs_joiners(last) && needs_joiners(next))
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}' | '\u{00A9}' | '\u{00AE}')
}

/// Scripts whose spelling uses the joiners: Arabic and its kin, Indic, Myanmar, Khmer, Mongolian and their neighbours.
fn needs_joiners(c: char) -> bool {
    matches!(c,
        '\u{0600}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{0F00}'..='\u{109F}' | '\u{1780}'..='\u{18AF}'
        | '\u{1A00}'..='\u{1C4F}' | '\u{A800}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10A00}'..='\u{11FFF}' | '\u{1E900}'..='\u{1E95F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        assert_eq!(one_line(input), expected, "{input:?}");
        assert_eq!(one_line(expected), expected, "cleaning {expected:?} again");
    }

    #[test]
    fn clean_text_is_borrowed() {
        for text in ["", "Hello world", "Größe — 検索"] {
            assert!(matches!(one_line(text), Cow::Borrowed(_)), "{text:?}");
        }
    }

    #[test]
    fn a_line_break_in_a_title_forged_a_line() {
        check("X\nReference: /evil", "X Reference: /evil");
        check("X\r\n\tY", "X Y");
        check("X\u{2028}Y\u{2029}Z\u{0085}W", "X Y Z W");
        check("X\0\u{1B}[31mY", "X [31mY");
    }

    #[test]
    fn tag_characters_hid_a_message() {
        check("Hi\u{E0049}\u{E0067}", "Hi");
        check("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴");
        check("\u{E0049}\u{E0067}", "");
    }

    #[test]
    fn zero_width_characters_passed_through() {
        check("a\u{200B}b\u{2060}c\u{FEFF}d\u{00AD}e", "abcde");
        check("a\u{202E}b\u{2066}c\u{200F}d", "abcd");
        check("a \u{200B} b", "a b");
    }

    #[test]
    fn joiners_stay_where_they_are_spelling() {
        check("👩\u{200D}💻 x", "👩\u{200D}💻 x");
        check("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥");
        check("می\u{200C}خواهم", "می\u{200C}خواهم");
        check("क\u{094D}\u{200D}ष", "क\u{094D}\u{200D}ष");
        check("a\u{200D}b\u{200C}c", "abc");
        check("👩\u{200D}\u{200D}\u{200D}💻", "👩\u{200D}💻");
        check("👩\u{200D}", "👩");
    }

    #[test]
    fn a_run_of_variation_selectors_carried_bytes() {
        check("😀\u{FE0F}\u{FE01}\u{E0101}\u{E0102}", "😀\u{FE0F}");
        check("a\u{E0101}b", "ab");
        check("葛\u{E0100}", "葛\u{E0100}");
    }

    #[test]
    fn spaces_become_one() {
        check("  a \u{00A0}\u{3000}  b  ", "a b");
    }

    #[test]
    fn markdown_keeps_lines_and_code() {
        let text = "a\u{202E}b\n\n`c\u{202E}d`\u{E0041}";
        let code = text.find('`').unwrap()..text.rfind('`').unwrap();
        assert_eq!(
            markdown(text, |at| code.contains(&at)),
            "ab\n\n`c\u{202E}d`"
        );
        assert!(matches!(
            markdown("a\u{200D}b\n", |_| false),
            Cow::Borrowed(_)
        ));
    }
}
