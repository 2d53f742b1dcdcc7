//! Signs within lines: attribute lists, icons, keys, marks, links to names.

use std::ops::Range;

use super::{Options, code_of};
use crate::page::Text;
use crate::page::code::range_at;

pub(super) fn render(text: &mut Text, options: &Options) {
    marks(text, options);
    attributes(text);
    lines(text);
    if options.magic {
        names(text);
    }
}

/// A pair of signs: the text between them stays, or goes.
struct Pair {
    open: &'static str,
    close: &'static str,
    stays: bool,
}

fn marks(text: &mut Text, options: &Options) {
    let mut pairs = Vec::new();
    let mut pair = |open, close, stays| pairs.push(Pair { open, close, stays });
    if options.critic {
        pair("{--", "--}", false);
        pair("{>>", "<<}", false);
        pair("{++", "++}", true);
        pair("{==", "==}", true);
        pair("{~~", "~~}", true);
    }
    if options.keys {
        pair("++", "++", true);
    }
    if options.marks {
        pair("==", "==", true);
    }
    if options.inserted {
        pair("^^", "^^", true);
        pair("^", "^", true);
    }
    if options.small {
        pair("~", "~", true);
    }
    let code = code_of(text);
    let source = &text.text;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        if let Some(range) = range_at(&code, at) {
            at = range.end.max(at + 1);
            continue;
        }
        if rest.starts_with(':')
            && options.emoji
            && let Some(length) = icon(rest)
        {
            let space = usize::from(rest[length..].starts_with(' '));
            edits.push((at..at + length + space, String::new()));
            at += length + space;
            continue;
        }
        let found = pairs.iter().find_map(|pair| {
            let inside = rest.strip_prefix(pair.open)?;
            let end = inside.find(pair.close)?;
            let body = &inside[..end];
            let critic = pair.open.starts_with('{');
            let fits = critic || is_marked(source, at, body, pair);
            (fits && !body.is_empty() && !body.contains("\n\n")).then_some((
                pair,
                body,
                pair.open.len() + end + pair.close.len(),
            ))
        });
        match found {
            Some((pair, body, length)) => {
                let new = match (pair.stays, pair.open) {
                    (false, _) => String::new(),
                    (true, "++") => keys(body),
                    // `{~~old~>new~~}`.
                    (true, "{~~") => body
                        .split_once("~>")
                        .map_or(body, |(_, new)| new)
                        .to_owned(),
                    (true, _) => body.to_owned(),
                };
                edits.push((at..at + length, new));
                at += length;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    text.replace(edits);
}

/// Whether what stands between two signs is marked by them, and no accident.
fn is_marked(source: &str, at: usize, body: &str, pair: &Pair) -> bool {
    let apart = body.starts_with(char::is_whitespace) || body.ends_with(char::is_whitespace);
    let sign = pair.open.chars().next().unwrap_or_default();
    let single = pair.open.len() == 1;
    let longer = source[..at].ends_with(sign)
        || body.starts_with(sign)
        || source[at + pair.open.len() + body.len() + pair.close.len()..].starts_with(sign);
    let words = match pair.open {
        "++" => {
            body.chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '_' | '"' | ' '))
                && !body.contains(' ')
        }
        _ if single => !body.contains(char::is_whitespace),
        _ => true,
    };
    !apart && !longer && words && !body.contains('\n')
}

/// `ctrl+alt+del` as people write it.
fn keys(body: &str) -> String {
    let name = |key: &str| {
        let key = key.trim_matches('"');
        key.split('-')
            .map(|part| {
                let mut chars = part.chars();
                let first: String = chars
                    .next()
                    .map(|c| c.to_uppercase().collect())
                    .unwrap_or_default();
                first + chars.as_str()
            })
            .collect::<Vec<String>>()
            .join(" ")
    };
    body.split('+')
        .filter(|key| !key.is_empty())
        .map(name)
        .collect::<Vec<String>>()
        .join("+")
}

/// The length of an icon's short name: `:material-account:`.
fn icon(text: &str) -> Option<usize> {
    let inside = text.strip_prefix(':')?;
    let sets = ["material-", "octicons-", "fontawesome-", "simple-"];
    if !sets.iter().any(|set| inside.starts_with(set)) {
        return None;
    }
    let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))?;
    inside[end..].starts_with(':').then_some(end + 2)
}

/// `{ .class #id key=value }` behind what it says something about.
fn attributes(text: &mut Text) {
    if !text.text.contains('{') {
        return;
    }
    let code = code_of(text);
    let source = &text.text;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut from = 0;
    while let Some(open) = source[from..].find('{').map(|open| from + open) {
        from = open + 1;
        if range_at(&code, open).is_some() {
            continue;
        }
        let Some(close) = source[open..].find(['}', '\n']).map(|close| open + close) else {
            break;
        };
        let inside = &source[open + 1..close];
        if !source[close..].starts_with('}') || !is_list(inside) {
            continue;
        }
        let line = source[..open].rfind('\n').map_or(0, |at| at + 1);
        let end = source[close..]
            .find('\n')
            .map_or(source.len(), |at| close + at);
        let before = &source[line..open];
        let ends_line = source[close + 1..end].trim().is_empty();
        let signs = before.len() - before.trim_start_matches('#').len();
        let is_heading = (1..=6).contains(&signs) && ends_line;
        if is_heading {
            let start = line + before.trim_end().len();
            let id = inside
                .split_whitespace()
                .find_map(|word| word.trim_start_matches(':').strip_prefix('#'));
            edits.push((
                start..end,
                id.map_or(String::new(), |id| format!(" {{#{id}}}")),
            ));
        } else if before.trim_matches([' ', '>', '\t']).is_empty() && ends_line {
            // On a line of its own it says how the paragraph looks.
            edits.push((line..(end + 1).min(source.len()), String::new()));
        } else if before.ends_with([')', ']', '*', '_', '`', '>'])
            || (ends_line && before.ends_with(' '))
            || is_item(before)
        {
            let start = if ends_line {
                line + before.trim_end().len()
            } else {
                open
            };
            edits.push((start..close + 1, String::new()));
        }
        from = close + 1;
    }
    text.replace(edits);
}

fn is_item(before: &str) -> bool {
    matches!(before.trim(), "-" | "*" | "+")
}

/// Whether braces hold attributes: classes, ids, keys with values.
fn is_list(inside: &str) -> bool {
    let mut rest = inside.strip_prefix(':').unwrap_or(inside).trim();
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let word = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
        let length = match rest.split_once('=') {
            Some((key, value)) if !key.contains(char::is_whitespace) && is_key(key) => {
                let quoted = value.chars().next().filter(|c| matches!(c, '"' | '\''));
                let value_length = match quoted {
                    Some(quote) => value[1..].find(quote).map_or(value.len(), |end| end + 2),
                    None => word(value),
                };
                key.len() + 1 + value_length
            }
            _ if rest.starts_with(['.', '#']) && rest.len() > 1 => {
                let length = word(rest);
                let named = rest[1..length]
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
                if !named || length == 1 {
                    return false;
                }
                length
            }
            _ => return false,
        };
        rest = rest[length..].trim_start();
    }
    true
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
}

pub(super) fn without_attributes(title: &str) -> &str {
    match title.rfind('{') {
        Some(open) if title.ends_with('}') && is_list(&title[open + 1..title.len() - 1]) => {
            title[..open].trim_end()
        }
        _ => title,
    }
}

/// HTML that says `markdown` holds markdown: a blank line sets it apart from its tag.
fn lines(text: &mut Text) {
    if !text.text.contains("markdown") {
        return;
    }
    let code = code_of(text);
    let source = &text.text;
    let mut edits = Vec::new();
    let mut at = 0;
    let mut depth: Vec<String> = Vec::new();
    for line in source.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if range_at(&code, start).is_some() {
            continue;
        }
        let trimmed = line.trim();
        let name: String = trimmed
            .trim_start_matches(['<', '/'])
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if trimmed.starts_with('<') && trimmed.ends_with('>') && trimmed.matches('<').count() == 1 {
            if trimmed.starts_with("</") && depth.last() == Some(&name) {
                depth.pop();
                edits.push((start..start, "\n".to_owned()));
            } else if trimmed.contains(" markdown") {
                depth.push(name);
                edits.push((at..at, "\n".to_owned()));
            }
        }
    }
    text.replace(edits);
}

/// `[text][module.name]` without a definition is a link to a name that mkdocstrings documents: its text stays.
fn names(text: &mut Text) {
    let code = code_of(text);
    let source = &text.text;
    let lower = source.to_lowercase();
    let mut edits = Vec::new();
    let mut from = 0;
    while let Some(middle) = source[from..].find("][").map(|at| from + at) {
        from = middle + 2;
        let line = source[..middle].rfind('\n').map_or(0, |at| at + 1);
        let Some(open) = source[line..middle].rfind('[').map(|at| line + at) else {
            continue;
        };
        let Some(close) = source[from..].find([']', '\n']).map(|at| from + at) else {
            break;
        };
        if !source[close..].starts_with(']')
            || range_at(&code, open).is_some_and(|range| range.end > middle)
        {
            continue;
        }
        let shown = &source[open + 1..middle];
        let name = match source[from..close].trim() {
            "" => shown.trim_matches('`'),
            name => name,
        };
        if !lower.contains(&format!("[{}]:", name.to_lowercase())) {
            edits.push((open..close + 1, shown.to_owned()));
        }
        from = close + 1;
    }
    text.replace(edits);
}
