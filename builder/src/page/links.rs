//! Finds every link, image and reference definition, and writes down where it leads.
//!
//! Also attributes of raw HTML: `href` and `src` in quotes. Only the destination changes; text, title and everything around stay
//! byte for byte. A link that is to be undone leaves its text behind.
//!
//! With `b.md` leading to `https://x.dev/b`, `[see *b*](b.md "B")` becomes `[see *b*](https://x.dev/b "B")`.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use super::rewrite::Text;

/// A destination that stands in a text.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    /// The destination, as the parser understood it.
    pub target: &'a str,
    /// Its line in the source file.
    pub line: u32,
    /// What it belongs to.
    pub kind: Kind,
}

/// What a destination belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A link.
    Link,
    /// An image.
    Image,
    /// A reference definition. The links that use it are asked about as well.
    Definition,
    /// An attribute of raw HTML.
    Html,
}

/// What becomes of a destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It stays as it is.
    Keep,
    /// It is replaced.
    Replace(String),
    /// The link is undone and its text stays.
    Unlink,
}

type Edits = Vec<(Range<usize>, String)>;
type Resolve<'r> = dyn FnMut(&Reference<'_>) -> Outcome + 'r;

/// Rewrites every destination of a text.
pub(super) fn rewrite(text: &mut Text, resolve: &mut Resolve<'_>) {
    if !text.text.contains([']', '<']) {
        return;
    }
    let mut edits = Edits::new();
    let source = text.text.as_str();
    let parser = Parser::new_ext(source, super::options());
    let mut definitions: Vec<(Range<usize>, String)> = parser
        .reference_definitions()
        .iter()
        .map(|(_, definition)| (definition.span.clone(), definition.dest.to_string()))
        .collect();
    definitions.sort_by_key(|(span, _)| span.start);
    for (span, dest) in definitions {
        let line = text.line_of(span.start);
        definition(
            source,
            &span,
            resolve(&Reference {
                target: &dest,
                line,
                kind: Kind::Definition,
            }),
            &mut edits,
        );
    }
    let mut lines = Lines {
        text,
        at: 0,
        index: 0,
    };
    let mut open: Vec<Open> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        let is_own_end = matches!(event, Event::End(TagEnd::Link | TagEnd::Image));
        if let Some(outer) = open.last_mut().filter(|_| !is_own_end) {
            outer.inside = Some(outer.inside.map_or(range.end, |end| end.max(range.end)));
        }
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => {
                open.push(Open {
                    range,
                    kind: Kind::Link,
                    link_type,
                    dest: dest_url.into_string(),
                    inside: None,
                });
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                ..
            }) => {
                open.push(Open {
                    range,
                    kind: Kind::Image,
                    link_type,
                    dest: dest_url.into_string(),
                    inside: None,
                });
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(link) = open.pop() {
                    let line = lines.line_of(link.range.start);
                    let outcome = resolve(&Reference {
                        target: &link.dest,
                        line,
                        kind: link.kind,
                    });
                    link.edit(source, outcome, &mut edits);
                }
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                attributes(source, range, &mut lines, resolve, &mut edits);
            }
            _ => {}
        }
    }
    text.replace(edits);
}

/// Source lines of offsets that mostly ascend.
struct Lines<'a> {
    text: &'a Text,
    at: usize,
    /// The line at `at`, counted from 0.
    index: usize,
}

impl Lines<'_> {
    /// A long page has thousands of links; only what lies between two of them is counted.
    fn line_of(&mut self, offset: usize) -> u32 {
        if offset < self.at {
            (self.at, self.index) = (0, 0);
        }
        let passed = self.text.text.as_bytes().get(self.at..offset);
        let passed = passed.unwrap_or_default();
        self.index += passed.iter().filter(|b| **b == b'\n').count();
        self.at += passed.len();
        self.text.source_line(self.index)
    }
}

struct Open {
    range: Range<usize>,
    kind: Kind,
    link_type: LinkType,
    dest: String,
    /// The end of what stands in the link so far.
    inside: Option<usize>,
}

impl Open {
    fn edit(self, source: &str, outcome: Outcome, edits: &mut Edits) {
        if outcome == Outcome::Keep {
            return;
        }
        if matches!(self.link_type, LinkType::Autolink | LinkType::Email) {
            if outcome == Outcome::Unlink && self.range.len() > 2 {
                edits.push((self.range.start..self.range.start + 1, String::new()));
                edits.push((self.range.end - 1..self.range.end, String::new()));
            }
            return;
        }
        let start = self.range.start + if self.kind == Kind::Image { 2 } else { 1 };
        let from = self.inside.unwrap_or(start).max(start);
        let Some(close) = source
            .get(from..self.range.end)
            .and_then(|rest| rest.find(']'))
        else {
            return;
        };
        let text_end = from + close;
        match outcome {
            Outcome::Keep => {}
            Outcome::Unlink => {
                edits.push((self.range.start..start, String::new()));
                edits.push((text_end..self.range.end, String::new()));
            }
            Outcome::Replace(new) => {
                // Other types take their destination from a definition.
                if self.link_type == LinkType::Inline
                    && source[text_end..self.range.end].starts_with("](")
                {
                    let found = destination(source, text_end + 2, self.range.end, &self.dest);
                    edits.extend(found.map(|range| (range, in_markdown(&new))));
                }
            }
        }
    }
}

fn definition(source: &str, span: &Range<usize>, outcome: Outcome, edits: &mut Edits) {
    let Some(text) = source.get(span.clone()) else {
        return;
    };
    let mut escaped = false;
    let label = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == ']' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    let Some((at, _)) = label.filter(|(at, _)| text[*at..].starts_with("]:")) else {
        return;
    };
    match outcome {
        Outcome::Keep => {}
        Outcome::Unlink => edits.push((span.clone(), String::new())),
        Outcome::Replace(new) => {
            let found = destination(source, span.start + at + 2, span.end, "");
            edits.extend(found.map(|range| (range, in_markdown(&new))));
        }
    }
}

/// Where a destination stands that begins at or after `from`. With `<>` around it when it has them.
fn destination(source: &str, from: usize, end: usize, dest: &str) -> Option<Range<usize>> {
    let rest = source.get(from..end)?;
    let mut start = from + (rest.len() - rest.trim_start().len());
    // A destination on the next line of a quotation stands behind the quotation's sign.
    if source[from..start].contains('\n') {
        let quoted = source[start..end].trim_start_matches(['>', ' ']);
        start = end - quoted.len();
    }
    let rest = &source[start..end];
    let mut escaped = false;
    let mut depth = 0_i32;
    let pointed = rest.starts_with('<');
    let stop = rest
        .char_indices()
        .skip(usize::from(pointed))
        .find(|(_, c)| {
            let free = !escaped;
            escaped = *c == '\\' && free;
            if pointed {
                return (*c == '>' && free) || *c == '\n';
            }
            match c {
                '(' if free => depth += 1,
                ')' if free => depth -= 1,
                _ => {}
            }
            c.is_ascii_whitespace() || depth < 0
        });
    let length = match stop {
        Some((at, '>')) if pointed => at + 1,
        _ if pointed => return None,
        Some((at, _)) => at,
        None => rest.len(),
    };
    let found = &rest[..length];
    let plain = found
        .strip_prefix('<')
        .and_then(|f| f.strip_suffix('>'))
        .unwrap_or(found);
    // The parser's word decides: what is not plainly its destination is left alone.
    let same = dest.is_empty() || plain == dest || plain.contains(['\\', '&']);
    (!found.is_empty() && same).then_some(start..start + length)
}

/// A URL as it may stand in any markdown: in a link, a table cell, a definition.
pub(super) fn in_markdown(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for (at, c) in url.char_indices() {
        match c {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '|' => out.push_str("%7C"),
            '\\' => out.push_str("%5C"),
            c if c.is_control() => {}
            '&' if looks_like_an_entity(&url[at + 1..]) => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

fn looks_like_an_entity(rest: &str) -> bool {
    let name = rest.split(';').next().unwrap_or_default();
    name.len() < rest.len()
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#')
}

/// `href="…"` and `src="…"` within a piece of raw HTML.
fn attributes(
    source: &str,
    range: Range<usize>,
    lines: &mut Lines<'_>,
    resolve: &mut Resolve<'_>,
    edits: &mut Edits,
) {
    let Some(html) = source.get(range.clone()) else {
        return;
    };
    for name in ["href=", "src="] {
        for (at, _) in html.match_indices(name) {
            let quote = html[at + name.len()..]
                .chars()
                .next()
                .filter(|c| matches!(c, '"' | '\''));
            let (Some(quote), true) = (
                quote,
                html[..at].ends_with(|c: char| c.is_ascii_whitespace()),
            ) else {
                continue;
            };
            let start = at + name.len() + 1;
            let Some(length) = html[start..].find(quote) else {
                continue;
            };
            let value = &html[start..start + length];
            if value.is_empty() || value.contains(['{', '<', '\n']) {
                continue;
            }
            let target = value.replace("&amp;", "&");
            let line = lines.line_of(range.start + at);
            let place = range.start + start..range.start + start + length;
            match resolve(&Reference {
                target: target.trim(),
                line,
                kind: Kind::Html,
            }) {
                Outcome::Keep => {}
                Outcome::Replace(new) => edits.push((place, in_html(&new))),
                Outcome::Unlink => {
                    let before = html[..at].trim_end().len();
                    edits.push((range.start + before..place.end + 1, String::new()));
                }
            }
        }
    }
}

fn in_html(url: &str) -> String {
    url.replace('&', "&amp;")
        .replace('"', "%22")
        .replace('\'', "%27")
        .replace('<', "%3C")
        .replace('>', "%3E")
}
