//! The text that stands between the tags of raw HTML.
//!
//! No HTML parser: it knows tags, quotes in tags, comments, and that what stands in `script` and `style` is not text. What it is
//! given comes in pieces, line by line, and it remembers where it was.

use std::ops::Range;

/// Where we are in a stretch of HTML.
#[derive(Debug, Default)]
pub(super) struct Html {
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Tag {
        name: String,
        quote: Option<u8>,
    },
    Comment,
    /// Within an element whose content is not text.
    Skipped(&'static str),
}

const SKIPPED: &[&str] = &["script", "style"];
/// Tags that stand within a word.
const WITHIN: &[&str] = &[
    "a", "abbr", "b", "code", "em", "font", "i", "kbd", "mark", "s", "small", "span", "strong",
    "sub", "sup", "u", "wbr",
];

/// A piece of text, and whether it goes on from the piece before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) joined: bool,
}

impl Html {
    /// Whether what comes next is not text.
    pub(super) fn is_skipping(&self) -> bool {
        matches!(self.state, State::Skipped(_))
    }

    /// Whether a tag that has just been read keeps a word together.
    pub(super) fn is_within_word(tag: &str) -> bool {
        let name = name_of(tag.trim_start_matches(['<', '/']));
        WITHIN.contains(&name.as_str())
    }

    /// Reads one more piece. Gives the pieces of text in it, as ranges of `html`.
    pub(super) fn read(&mut self, html: &str) -> Vec<Piece> {
        let bytes = html.as_bytes();
        let mut pieces = Vec::new();
        let mut joined = false;
        let mut start = 0;
        let mut at = 0;
        while at < bytes.len() {
            match &mut self.state {
                State::Text => {
                    let Some(open) = html[at..].find('<').map(|open| at + open) else {
                        break;
                    };
                    let next = bytes.get(open + 1).copied().unwrap_or(b' ');
                    if html[open..].starts_with("<!--") {
                        push(html, start..open, &mut joined, &mut pieces);
                        self.state = State::Comment;
                        at = open + 4;
                    } else if next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?') {
                        push(html, start..open, &mut joined, &mut pieces);
                        let closing = usize::from(next == b'/');
                        let name = name_of(&html[open + 1 + closing..]);
                        joined = WITHIN.contains(&name.as_str())
                            && pieces.last().is_some_and(|p| p.range.end == open);
                        let name = if closing == 1 { String::new() } else { name };
                        self.state = State::Tag { name, quote: None };
                        at = open + 1;
                    } else {
                        at = open + 1;
                    }
                }
                State::Comment => match html[at..].find("-->") {
                    Some(end) => {
                        at += end + 3;
                        start = at;
                        self.state = State::Text;
                    }
                    None => return pieces,
                },
                State::Tag { name, quote } => {
                    let b = bytes[at];
                    at += 1;
                    match quote {
                        Some(sign) if b == *sign => *quote = None,
                        Some(_) => {}
                        None if matches!(b, b'"' | b'\'') => *quote = Some(b),
                        None if b == b'>' => {
                            let empty = html[..at - 1].ends_with('/');
                            let skipped = SKIPPED.iter().find(|s| **s == name.as_str() && !empty);
                            self.state = skipped.map_or(State::Text, |name| State::Skipped(name));
                            start = at;
                        }
                        None => {}
                    }
                }
                State::Skipped(name) => {
                    let close = html[at..].match_indices("</").find(|(found, _)| {
                        let rest = &html[at + found + 2..];
                        rest.get(..name.len())
                            .is_some_and(|word| word.eq_ignore_ascii_case(name))
                    });
                    match close {
                        Some((found, _)) => {
                            at += found + 2;
                            self.state = State::Tag {
                                name: String::new(),
                                quote: None,
                            };
                        }
                        None => return pieces,
                    }
                }
            }
        }
        if self.state == State::Text {
            push(html, start..html.len(), &mut joined, &mut pieces);
        }
        pieces
    }
}

fn name_of(rest: &str) -> String {
    rest.chars()
        .take_while(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Adds the lines of a piece that hold anything.
fn push(html: &str, range: Range<usize>, joined: &mut bool, pieces: &mut Vec<Piece>) {
    let mut at = range.start;
    for line in html[range].split_inclusive('\n') {
        let text = line.trim();
        if !text.is_empty() {
            let lead = line.len() - line.trim_start().len();
            let goes_on = *joined && lead == 0;
            pieces.push(Piece {
                range: at + lead..at + lead + text.len(),
                joined: goes_on,
            });
        }
        *joined = false;
        at += line.len();
    }
}

/// Text with the entities decoded that people write by hand.
pub(crate) fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let found = rest
            .find(';')
            .filter(|end| *end <= 10)
            .and_then(|end| Some((end, entity(&rest[1..end])?)));
        match found {
            Some((end, c)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{A0}',
        "copy" => '©',
        "mdash" => '—',
        "ndash" => '–',
        "hellip" => '…',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| !c.is_control())?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&str], text: &[&str]) {
        let mut html = Html::default();
        let mut found = Vec::new();
        for piece in pieces {
            for p in html.read(piece) {
                let mark = if p.joined { "+" } else { "" };
                found.push(format!("{mark}{}", &piece[p.range]));
            }
        }
        assert_eq!(found, text, "{pieces:?}");
    }

    #[test]
    fn text_between_tags() {
        check(&["<p>a <b>b</b>c</p> d"], &["a", "b", "+c", "d"]);
        check(
            &["<div class=\"a > b\">\n", "  text\n", "</div>"],
            &["text"],
        );
        check(&["<a\n", "href='x'>y</a>"], &["y"]);
        check(&["a < b <3"], &["a < b <3"]);
        check(&["<!-- a\n", "b --> c"], &["c"]);
    }

    #[test]
    fn scripts_and_styles_are_not_text() {
        check(
            &[
                "<script>\n",
                "if (a < b) x = '</p>';\n",
                "</script> after\n",
            ],
            &["after"],
        );
        check(&["<STYLE>a{}</STYLE>b"], &["b"]);
        check(&["<script src=x />y"], &["y"]);
    }

    #[test]
    fn entities() {
        assert_eq!(
            decoded("a &lt;b&gt; &amp;amp; &#233; &#x1F600; &nope; & &;"),
            "a <b> &amp; é 😀 &nope; & &;"
        );
    }
}
