//! Takes a template apart into text, outputs, tags and blocks.
//!
//! A tag that is followed by its `end…` is a block, whether the tag is known or not. What is not closed is text.

use std::ops::Range;

use super::Dialect;

/// A piece of a template. Ranges are bytes of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(Range<usize>),
    /// `{{ markup }}`.
    Output {
        range: Range<usize>,
        markup: Range<usize>,
    },
    /// `{% name markup %}`.
    Tag(Tag),
    /// From a tag to its end; the branches are set apart by `else` and its like.
    Block {
        open: Tag,
        branches: Vec<(Option<Tag>, Vec<Piece>)>,
        close: Range<usize>,
    },
    /// What shows as it stands: its two tags and what is between them.
    Raw {
        range: Range<usize>,
        inner: Range<usize>,
    },
    /// A comment, and space that a tag's hyphen takes away.
    Nothing(Range<usize>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) range: Range<usize>,
    pub(super) name: String,
    pub(super) markup: Range<usize>,
}

/// Tags that stand between the branches of a block.
const BETWEEN: &[&str] = &["else", "elsif", "elseif", "elif", "when", "case", "default"];
/// Blocks that have branches.
const BRANCHED: &[&str] = &[
    "if",
    "unless",
    "case",
    "for",
    "switch",
    "tablerow",
    "ifAsync",
    "asyncEach",
    "asyncAll",
];
/// Tags that never are a block.
const SINGLE: &[&str] = &[
    "include",
    "assign",
    "import",
    "from",
    "extends",
    "break",
    "continue",
    "link",
    "post_url",
    "include_relative",
    "render",
    "layout",
    "cycle",
    "increment",
    "decrement",
];
/// Tags whose hyphens count: those that put nothing in the wrong place when they are left out.
const TRIMMING: &[&str] = &[
    "if",
    "elsif",
    "else",
    "elseif",
    "elif",
    "endif",
    "unless",
    "endunless",
    "for",
    "endfor",
    "assign",
    "capture",
    "endcapture",
    "set",
    "endset",
    "raw",
    "endraw",
    "case",
    "when",
    "endcase",
    "comment",
    "endcomment",
    "include",
];

enum Token {
    Text(Range<usize>),
    Output {
        range: Range<usize>,
        markup: Range<usize>,
    },
    Tag(Tag),
    Raw {
        range: Range<usize>,
        inner: Range<usize>,
    },
    Nothing(Range<usize>),
}

pub(super) fn parse(text: &str, dialect: Dialect) -> Vec<Piece> {
    let tokens = tokens(text, dialect);
    let ends = ends(text, &tokens);
    let mut at = 0;
    pieces(&tokens, &ends, &mut at, tokens.len())
}

fn tokens(text: &str, dialect: Dialect) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut from = 0;
    while let Some(open) = text[at..].find('{').map(|open| at + open) {
        let Some((token, end)) = token(text, open, dialect) else {
            at = open + 1;
            continue;
        };
        let trims = match &token {
            Token::Tag(tag) => TRIMMING.contains(&tag.name.as_str()),
            Token::Output { .. } | Token::Raw { .. } => true,
            _ => false,
        };
        let mut start = open;
        if trims && text[open + 2..].starts_with('-') {
            start = from + text[from..open].trim_end().len();
        }
        push_text(&mut found, from..start);
        if start < open {
            found.push(Token::Nothing(start..open));
        }
        let closes_with_hyphen = text[..end].ends_with("-%}") || text[..end].ends_with("-}}");
        found.push(token);
        at = end;
        from = end;
        if trims && closes_with_hyphen {
            let rest = &text[end..];
            from = end + rest.len() - rest.trim_start().len();
            if from > end {
                found.push(Token::Nothing(end..from));
            }
            at = from;
        }
    }
    push_text(&mut found, from..text.len());
    found
}

fn push_text(found: &mut Vec<Token>, range: Range<usize>) {
    if !range.is_empty() {
        found.push(Token::Text(range));
    }
}

/// The token that opens at a brace, and its end.
fn token(text: &str, open: usize, dialect: Dialect) -> Option<(Token, usize)> {
    let rest = &text[open + 1..];
    match rest.as_bytes().first()? {
        b'#' if dialect == Dialect::Nunjucks => {
            let end = open + 4 + rest.get(1..)?.find("#}")?;
            Some((Token::Nothing(open..end), end))
        }
        b'{' => {
            let (markup, end) = inside(text, open, "}}", dialect)?;
            let range = open..end;
            Some((Token::Output { range, markup }, end))
        }
        b'%' => {
            let (markup, end) = inside(text, open, "%}", dialect)?;
            let body = &text[markup.clone()];
            if body.starts_with('#') {
                return Some((Token::Nothing(open..end), end));
            }
            let length = body
                .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
                .unwrap_or(body.len());
            let name = body[..length].to_owned();
            if name.is_empty() {
                return Some((Token::Nothing(open..end), end));
            }
            let ended = |name: &str| closing(text, end, &format!("end{name}"));
            if name == "raw" || name == "verbatim" {
                let (close, after) = ended(&name).unwrap_or((text.len(), text.len()));
                let range = open..after;
                let inner = trimmed(text, end, close);
                return Some((Token::Raw { range, inner }, after));
            }
            if name == "comment" {
                let (_, after) = ended("comment").unwrap_or((text.len(), text.len()));
                return Some((Token::Nothing(open..after), after));
            }
            let markup = markup.start + length..markup.end;
            let markup = shrunk(text, markup);
            let range = open..end;
            Some((
                Token::Tag(Tag {
                    range,
                    name,
                    markup,
                }),
                end,
            ))
        }
        _ => None,
    }
}

/// What stands between the signs of a tag, without hyphens and space, and the tag's end.
fn inside(text: &str, open: usize, sign: &str, dialect: Dialect) -> Option<(Range<usize>, usize)> {
    let start = open + 2;
    let rest = text.get(start..)?;
    let plain = rest.find(sign);
    let close = match dialect {
        Dialect::Nunjucks => outside_quotes(rest, sign).or(plain)?,
        Dialect::Liquid => plain?,
    };
    let end = start + close + 2;
    let mut range = start..start + close;
    if text[range.clone()].starts_with('-') {
        range.start += 1;
    }
    if text[range.clone()].ends_with('-') {
        range.end -= 1;
    }
    Some((shrunk(text, range), end))
}

fn outside_quotes(text: &str, sign: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if text[at..].starts_with(sign) => return Some(at),
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {}
        }
    }
    None
}

fn shrunk(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + piece.len() - piece.trim_start().len();
    start..start + piece.trim().len()
}

/// What is between a raw block's tags, where hyphens take space away.
fn trimmed(text: &str, end: usize, close: usize) -> Range<usize> {
    let mut range = end..close;
    if text[..end].ends_with("-%}") {
        let piece = &text[range.clone()];
        range.start += piece.len() - piece.trim_start().len();
    }
    if text[close..].starts_with("{%-") {
        range.end = range.start + text[range.clone()].trim_end().len();
    }
    range
}

/// The next tag of a name: where it starts and ends.
fn closing(text: &str, from: usize, name: &str) -> Option<(usize, usize)> {
    let mut at = from;
    while let Some(open) = text[at..].find("{%").map(|open| at + open) {
        let inside = text[open + 2..].trim_start_matches('-').trim_start();
        if let Some(rest) = inside.strip_prefix(name) {
            let rest = rest.trim_start().trim_start_matches('-');
            if rest.starts_with("%}") {
                return Some((open, text.len() - rest.len() + 2));
            }
        }
        at = open + 2;
    }
    None
}

/// For every tag that is a block, the place of its end.
fn ends(text: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let mut ends = vec![None; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Tag(tag) = token else { continue };
        let name = tag.name.as_str();
        if let Some(of) = name.strip_prefix("end")
            && let Some(found) = open.iter().rposition(|(_, name)| *name == of)
        {
            ends[open[found].0] = Some(at);
            open.truncate(found);
            continue;
        }
        let is_value = matches!(name, "set" | "setAsync") && has_value(&text[tag.markup.clone()]);
        let between = BETWEEN.contains(&name) && (name != "case" || in_switch(&open));
        if !between && !is_value && !SINGLE.contains(&name) {
            open.push((at, name));
        }
    }
    ends
}

fn in_switch(open: &[(usize, &str)]) -> bool {
    open.last().is_some_and(|(_, name)| *name == "switch")
}

/// Whether a `set` says its value itself.
fn has_value(markup: &str) -> bool {
    markup.contains('=')
}

fn pieces(tokens: &[Token], ends: &[Option<usize>], at: &mut usize, until: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    while *at < until {
        let here = *at;
        *at += 1;
        match &tokens[here] {
            Token::Text(range) => found.push(Piece::Text(range.clone())),
            Token::Nothing(range) => found.push(Piece::Nothing(range.clone())),
            Token::Output { range, markup } => found.push(Piece::Output {
                range: range.clone(),
                markup: markup.clone(),
            }),
            Token::Raw { range, inner } => found.push(Piece::Raw {
                range: range.clone(),
                inner: inner.clone(),
            }),
            Token::Tag(tag) => match ends[here] {
                Some(end) if end < until => found.push(block(tokens, ends, at, tag, end)),
                _ => found.push(Piece::Tag(tag.clone())),
            },
        }
    }
    found
}

fn block(
    tokens: &[Token],
    ends: &[Option<usize>],
    at: &mut usize,
    open: &Tag,
    end: usize,
) -> Piece {
    let mut branches = Vec::new();
    let mut head = None;
    let branched = BRANCHED.contains(&open.name.as_str());
    loop {
        // The next tag that sets a branch apart and belongs to this block.
        let mut next = *at;
        while next < end {
            match &tokens[next] {
                Token::Tag(tag)
                    if branched && BETWEEN.contains(&tag.name.as_str()) && ends[next].is_none() =>
                {
                    break;
                }
                _ => {
                    next = ends[next]
                        .filter(|inner| *inner < end)
                        .map_or(next + 1, |inner| inner + 1)
                }
            }
        }
        let inner = pieces(tokens, ends, at, next);
        branches.push((head.take(), inner));
        if next >= end {
            break;
        }
        if let Token::Tag(tag) = &tokens[next] {
            head = Some(tag.clone());
        }
        *at = next + 1;
    }
    *at = end + 1;
    let close = match &tokens[end] {
        Token::Tag(tag) => tag.range.clone(),
        _ => open.range.clone(),
    };
    Piece::Block {
        open: open.clone(),
        branches,
        close,
    }
}
