//! Cutting text into tokens.
//!
//! Letters, digits, underscores and combining marks stick together; a change between a script that writes spaces and one that does not
//! cuts. A few shapes that people search for keep their signs: `C++`, `C#`, `.NET`, `--flag`, `@scope`, `#12`, `node.js`, `3.5.1`. An operator of
//! two or three signs is a token where it stands alone: `||>`, `=>`, `?.`, `::`. Encoded data is no token at all.

use unicode_normalization::char::is_combining_mark;

use super::LONGEST_TERM;

/// What a token looks like, which decides what terms it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A word, a number or an identifier.
    Word,
    /// A run of a script that writes no spaces between words.
    Run,
    /// A token whose signs are part of its name and that has no parts: `C++`, `C#`.
    Symbol,
    /// An operator that stands alone: `=>`.
    Operator,
    /// A token whose signs are part of its name, while its parts are indexed beside it: `.NET`, `--flag`, `@scope`, `#12`, `a.b`.
    Compound,
}

/// A piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The text as it stands.
    pub text: &'t str,
    /// Its byte offset.
    pub start: usize,
    /// What it looks like.
    pub shape: Shape,
}

/// Whether a character belongs to a script that writes no spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff      // Thai, Lao, Burmese, Khmer
        | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x31f0..=0x31ff    // kana and iteration marks
        | 0x3400..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff    // Han, Hangul
        | 0xff66..=0xff9f | 0x20000..=0x3ffff)
}

/// Whether a character is a mark on the one before it.
pub(super) fn is_mark(c: char) -> bool {
    is_combining_mark(c)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Spaced,
    Unspaced,
    Other,
}

#[inline]
fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() || c == '_' {
            Class::Spaced
        } else {
            Class::Other
        };
    }
    if is_unspaced(c) && (c.is_alphanumeric() || is_combining_mark(c)) {
        Class::Unspaced
    } else if c.is_alphanumeric() || is_combining_mark(c) {
        Class::Spaced
    } else {
        Class::Other
    }
}

/// What a byte of a text may be the start of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A letter, a digit or a low line.
    Letter,
    /// A sign that belongs to no token.
    Between,
    /// A sign that may belong to a token, or a byte of a longer character.
    Other,
}

/// The kind of each byte.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        let sign = byte as u8;
        if sign.is_ascii_alphanumeric() || sign == b'_' {
            kinds[byte] = Kind::Letter;
        } else if !is_operator_sign(sign) && sign != b'\'' {
            kinds[byte] = Kind::Between;
        }
        byte += 1;
    }
    kinds
};

/// Bytes of the shortest word that may be a piece of encoded data.
const SHORTEST_ENCODED: usize = 12;

/// Calls `visit` with each token of `text`, in order. A compound comes before its parts.
pub fn tokens<'t>(text: &'t str, mut visit: impl FnMut(Token<'t>)) {
    let mut tell = |start, end, shape| {
        visit(Token {
            text: &text[start..end],
            start,
            shape,
        });
    };
    let mut at = 0;
    // The end of the last compound looked for, so that `a.b.c` is told once and not again from `b`.
    let mut compound_end = 0;
    let bytes = text.as_bytes();
    let kind_at = |at: usize| bytes.get(at).map(|byte| KINDS[usize::from(*byte)]);
    while let Some(kind) = kind_at(at) {
        // Most of a text: what is between words, and words behind which nothing stands that could belong to them.
        if kind == Kind::Between {
            at += 1;
            continue;
        }
        if kind == Kind::Letter {
            let letters = bytes[at..].iter();
            let length = letters
                .take_while(|byte| KINDS[usize::from(**byte)] == Kind::Letter)
                .count();
            let end = at + length;
            if length < SHORTEST_ENCODED && matches!(kind_at(end), None | Some(Kind::Between)) {
                tell(at, end, Shape::Word);
                at = end;
                continue;
            }
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        let kind = class(c);
        if kind == Class::Other {
            if let Some(end) = operator(text, at) {
                tell(at, end, Shape::Operator);
                at = end;
                continue;
            }
            if at >= compound_end
                && let Some(end) = prefixed(text, at)
            {
                tell(at, end, Shape::Compound);
                compound_end = end;
            }
            at += c.len_utf8();
            continue;
        }
        let end = run_end(text, at, kind);
        if kind == Class::Unspaced {
            tell(at, end, Shape::Run);
            at = end;
            continue;
        }
        if let Some(encoded_end) = encoded(text, at, end) {
            at = encoded_end;
            continue;
        }
        if let Some(symbol_end) = symbol(text, at, end) {
            tell(at, symbol_end, Shape::Symbol);
            at = symbol_end;
            continue;
        }
        if at >= compound_end
            && let Some(dotted_end) = dotted(text, end)
        {
            tell(at, dotted_end, Shape::Compound);
            compound_end = dotted_end;
        }
        let (word_end, next) = apostrophe(text, end);
        tell(at, word_end, Shape::Word);
        at = next;
    }
}

/// The end of the run of one class that starts at `start`.
fn run_end(text: &str, start: usize, kind: Class) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while end < bytes.len() {
        if bytes[end].is_ascii() {
            if kind != Class::Spaced || !(bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_')
            {
                break;
            }
            end += 1;
            continue;
        }
        let Some(c) = text[end..].chars().next() else {
            break;
        };
        // A combining mark goes with whatever it stands on.
        if class(c) != kind && !is_combining_mark(c) {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// The end of `C++`, `g++`, `C#`, `F#` when the word at `start..end` is one of these.
fn symbol(text: &str, start: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let word = &bytes[start..end];
    if !word[0].is_ascii_alphabetic() || !word.iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    let free_after = |at: usize| {
        text[at..]
            .chars()
            .next()
            .is_none_or(|c| class(c) == Class::Other && c != '+' && c != '#')
    };
    // `C++17` is C++ and a number.
    let number_after = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if bytes[end..].starts_with(b"++")
        && (free_after(end + 2) && word.len() <= 12 || number_after(end + 2) && word.len() == 1)
    {
        return Some(end + 2);
    }
    (bytes.get(end) == Some(&b'#') && word.len() <= 2 && free_after(end + 1)).then_some(end + 1)
}

/// Signs of an operator that is searched for. Brackets, commas and quotation marks are everywhere in code and say nothing alone.
#[inline]
const fn is_operator_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'#'
            | b'$'
            | b'%'
            | b'&'
            | b'*'
            | b'+'
            | b'-'
            | b'.'
            | b'/'
            | b':'
            | b'<'
            | b'='
            | b'>'
            | b'?'
            | b'@'
            | b'^'
            | b'|'
            | b'~'
    )
}

/// The end of an operator of two or three signs, such as `=>` or `||>`, that stands alone at `start`: between spaces, or in brackets or
/// quotation marks.
fn operator(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let opens =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'[' | b'"' | b'\'' | b'`');
    if !is_operator_sign(bytes[start]) || start > 0 && !opens(bytes[start - 1]) {
        return None;
    }
    let signs = &bytes[start..];
    let length = signs
        .iter()
        .take(5)
        .take_while(|byte| is_operator_sign(**byte))
        .count();
    // A full stop or a colon behind an operator belongs to the sentence: `=>.`, but not `?.`, `::` or `...`.
    let ends_sentence = length > 2
        && matches!(signs[length - 1], b'.' | b':')
        && (signs[length - 1] != signs[length - 2] || length == 4);
    let end = length - usize::from(ends_sentence);
    let closes = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b')' | b']' | b',' | b';' | b'"' | b'\'' | b'`')
    };
    let is_free = signs.get(length).is_none_or(closes);
    // A rule drawn with signs is no operator.
    let is_rule = end == 3 && signs[..3] == [signs[0]; 3] && !matches!(signs[0], b'.' | b'=');
    (is_free && (2..=3).contains(&end) && !is_rule).then_some(start + end)
}

/// The end of encoded data, such as base64, that the word at `start..end` is a piece of.
///
/// A piece of it changes between capitals, small letters and digits at every other character; a name does so at the starts of its words.
fn encoded(text: &str, start: usize, end: usize) -> Option<usize> {
    if end - start < SHORTEST_ENCODED {
        return None;
    }
    let bytes = text.as_bytes();
    let kind = |byte: &u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let word = &bytes[start..end];
    let changes = word
        .windows(2)
        .filter(|two| kind(&two[0]) != kind(&two[1]))
        .count();
    if changes * 3 < word.len() || !word.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let is_code = |byte: &&u8| kind(byte) < 3 || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let before = bytes[..start].iter().rev().take_while(is_code).count();
    let after = bytes[end..].iter().take_while(is_code).count();
    (before + (end - start) + after > LONGEST_TERM).then_some(end + after)
}

/// The end of `.NET`, `--flag`, `#12` or `@scope` (also `@scope/name`) that starts at `start`, where the character before it is not of a word.
fn prefixed(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let before = text[..start].chars().next_back();
    if before.is_some_and(|c| class(c) != Class::Other || matches!(c, '.' | '-' | '@' | '/')) {
        return None;
    }
    let run = |from: usize, more: &[u8]| {
        let length = bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || more.contains(b))
            .count();
        let trimmed = bytes[from..from + length]
            .iter()
            .rev()
            .take_while(|b| more.contains(b))
            .count();
        from + length - trimmed
    };
    match bytes[start] {
        b'.' if bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic) => {
            let end = run(start + 1, b"");
            (end - start > 2).then_some(end)
        }
        b'-' if bytes.get(start + 1) == Some(&b'-')
            && bytes.get(start + 2).is_some_and(u8::is_ascii_alphanumeric) =>
        {
            Some(run(start + 2, b"-"))
        }
        b'#' if bytes.get(start + 1).is_some_and(u8::is_ascii_digit) => {
            let end = run(start + 1, b"");
            let is_number = bytes[start + 1..end].iter().all(u8::is_ascii_digit);
            (is_number && end - start <= 8).then_some(end)
        }
        b'@' if bytes.get(start + 1).is_some_and(u8::is_ascii_alphabetic) => {
            Some(run(start + 1, b"-/"))
        }
        _ => None,
    }
}

/// The end of a dotted name such as `Array.prototype.map`, `node.js` or `3.5.1` whose first part ends at `end`.
fn dotted(text: &str, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = end;
    while bytes.get(at) == Some(&b'.')
        && bytes
            .get(at + 1)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    {
        at = run_end(text, at + 1, Class::Spaced);
    }
    (at > end).then_some(at)
}

/// Where a word ends and where the next token starts: `Rust's` ends before its `'s`, `don't` is one word.
fn apostrophe(text: &str, end: usize) -> (usize, usize) {
    let rest = &text[end..];
    let Some(sign) = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '\'' | '\u{2019}'))
    else {
        return (end, end);
    };
    let after = end + sign.len_utf8();
    let tail_end = after
        + text[after..]
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count();
    let free = text[tail_end..]
        .chars()
        .next()
        .is_none_or(|c| class(c) == Class::Other);
    match &text[after..tail_end] {
        "s" | "S" if free => (end, tail_end),
        "t" | "T" | "re" | "ve" | "ll" | "d" | "m" if free => (tail_end, tail_end),
        _ => (end, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let mut out = Vec::new();
        tokens(text, |token| out.push(token.text));
        out
    }

    #[test]
    fn words_are_cut_at_signs_and_scripts() {
        assert_eq!(
            cut("front-matter, a_b (x)"),
            ["front", "matter", "a_b", "x"]
        );
        assert_eq!(cut("认证系统使用JWT令牌"), ["认证系统使用", "JWT", "令牌"]);
        assert_eq!(cut("Привет, мир!"), ["Привет", "мир"]);
        assert_eq!(cut("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(cut("e\u{301}te\u{301}"), ["e\u{301}te\u{301}"]);
    }

    #[test]
    fn names_with_signs_stay_whole() {
        assert_eq!(cut("C++, C# and F#."), ["C++", "C#", "and", "F#"]);
        assert_eq!(cut("C++17 x++1"), ["C++", "17", "x++", "1"]);
        assert_eq!(cut("see #12."), ["see", "#12", "12"]);
        assert_eq!(cut("#fff x#12 #123456789"), ["fff", "x", "12", "123456789"]);
        assert_eq!(
            cut("a.NET b .NET"),
            ["a.NET", "a", "NET", "b", ".NET", "NET"]
        );
        assert_eq!(
            cut("use --dry-run now"),
            ["use", "--dry-run", "dry", "run", "now"]
        );
        assert_eq!(
            cut("@types/node is"),
            ["@types/node", "types", "node", "is"]
        );
        assert_eq!(
            cut("node.js 3.5.1."),
            ["node.js", "node", "js", "3.5.1", "3", "5", "1"]
        );
        assert_eq!(
            cut("mail@example.org"),
            ["mail", "example.org", "example", "org"]
        );
    }

    #[test]
    fn operators_that_stand_alone_are_tokens() {
        assert_eq!(
            cut("a ||> b => c (?.) `::` [??] and \"->\"."),
            ["a", "||>", "b", "=>", "c", "?.", "::", "??", "and", "->"]
        );
        assert_eq!(
            cut("the arrow =>. Or ||>: so. One ..., two .."),
            [
                "the", "arrow", "=>", "Or", "||>", "so", "One", "...", "two", ".."
            ]
        );
        assert_eq!(cut("=>"), ["=>"]);
        assert_eq!(cut("=== !== <=> ++ --"), ["===", "!==", "<=>", "++", "--"]);
        // Signs within words, brackets, single signs and rules are none.
        assert_eq!(
            cut("a=>b x:: ::y f(); {}, }); | - + ? --- *** ==== ####"),
            ["a", "b", "x", "y", "f"]
        );
    }

    #[test]
    fn encoded_data_is_no_token() {
        let data = "iVBORw0KGgoAAAANSUhEUgAAAAUA/AAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
        assert_eq!(cut(&format!("a {data} b")), ["a", "b"]);
        assert_eq!(
            cut("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= b"),
            ["sha256", "b"]
        );
        for name in [
            "src/components/Button2Component/useButtonControllerWithManyWords",
            "getElementByIdOrNameOrClassNameInThisDocument",
            "550e8400-e29b-41d4-a716-446655440000",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
        ] {
            let first = name.split(['/', '-']).next().unwrap();
            assert_eq!(cut(name)[0], first, "{name}");
        }
    }

    #[test]
    fn what_only_looks_like_a_name_is_cut() {
        assert_eq!(cut("a--b"), ["a", "b"]);
        assert_eq!(cut("x ++y"), ["x", "y"]);
        assert_eq!(cut("1+1 C+++"), ["1", "1", "C"]);
        assert_eq!(cut("."), Vec::<&str>::new());
        assert_eq!(cut("end. Next"), ["end", "Next"]);
    }

    #[test]
    fn apostrophes_belong_to_words_and_possessives_do_not() {
        assert_eq!(
            cut("Rust's don't o'clock 'quoted'"),
            ["Rust", "don't", "o", "clock", "quoted"]
        );
        assert_eq!(cut("it\u{2019}s"), ["it"]);
    }

    #[test]
    fn offsets_are_true_for_any_text() {
        let text = "Я  \nnext 𛲟<td:^𛲟 ภาษาไทย --x @a .b C# 12'0";
        tokens(text, |token| {
            assert_eq!(
                &text[token.start..token.start + token.text.len()],
                token.text
            )
        });
        for (at, _) in text.char_indices() {
            tokens(&text[at..], |_| ());
            tokens(&text[..at], |_| ());
        }
    }
}
