//! Indented lines within HTML, for generators that do not take them for code.
//!
//! A blank line ends most HTML blocks of CommonMark, and what is indented by four columns behind it is code. To kramdown, an element goes on up to
//! its end tag; Eleventy's markdown-it has no indented code ("Markdown", "Indented Code Blocks"). So lines lose the indentation
//! that would make them code when the element around them is still open.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag as MdTag, TagEnd};

use super::html::{Kind, kind};
use super::out::columns;
use super::tags::{Form, tag_at};
use super::tree::ends;
use crate::page::Text;

/// How often a page is looked at: lines that are no code may open elements of their own.
const PASSES: usize = 8;

/// Takes the indentation of lines within open elements away.
pub(crate) fn outdent(text: &mut Text) {
    for _ in 0..PASSES {
        if !text.text.contains("</") {
            return;
        }
        let edits = edits(&text.text);
        if edits.is_empty() {
            return;
        }
        text.replace(edits);
    }
}

fn edits(text: &str) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut block = String::new();
    // The lines of an indented block of code in an open element, behind its four columns.
    let mut lines: Option<Vec<Range<usize>>> = None;
    for (event, range) in Parser::new_ext(text, crate::page::options()).into_offset_iter() {
        match event {
            Event::Start(MdTag::HtmlBlock) => block.clear(),
            Event::Html(_) => block.push_str(&text[range]),
            Event::End(TagEnd::HtmlBlock) => follow(&block, &mut open, true),
            Event::InlineHtml(_) => follow(&text[range], &mut open, false),
            Event::Start(MdTag::CodeBlock(CodeBlockKind::Indented)) => {
                lines = is_held(text, range.start, &open).then(Vec::new);
            }
            Event::Text(_) => {
                if let Some(lines) = &mut lines {
                    lines.push(range);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let lines = lines.take().unwrap_or_default();
                for part in parts(text, lines) {
                    // An element may end in the middle.
                    if !part
                        .first()
                        .is_some_and(|first| is_held(text, first.start, &open))
                    {
                        break;
                    }
                    let depth = |line: &Range<usize>| columns(&text[line.clone()]);
                    let shared = part.iter().map(depth).min().unwrap_or(0);
                    edits.extend(part.iter().map(|line| outdented(text, line, shared)));
                    let html: String = part.iter().map(|line| &text[line.clone()]).collect();
                    follow(&html, &mut open, true);
                }
            }
            _ => {}
        }
    }
    edits
}

/// The lines of stretches of code, those between blank lines together.
fn parts(text: &str, stretches: Vec<Range<usize>>) -> Vec<Vec<Range<usize>>> {
    let mut parts: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for stretch in stretches {
        let mut at = stretch.start;
        for line in text[stretch].split_inclusive('\n') {
            let range = at..at + line.len();
            at = range.end;
            let last = parts.last_mut().and_then(|part| part.last_mut());
            let between = last.map(|last| (text.get(last.end..range.start), last));
            match between {
                // The rest of a line.
                Some((Some(""), last)) if !text[..range.start].ends_with('\n') => {
                    last.end = range.end;
                    continue;
                }
                Some((Some(gap), _)) if gap.contains('\n') => parts.push(Vec::new()),
                _ => {}
            }
            if line.trim().is_empty() {
                parts.push(Vec::new());
            } else if let Some(part) = parts.last_mut() {
                part.push(range);
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What a line of indented code begins with, and what it begins with when four and `shared` columns are gone.
fn outdented(text: &str, line: &Range<usize>, shared: usize) -> (Range<usize>, String) {
    let before = &text[..line.start];
    let code = match before.strip_suffix('\t') {
        Some(rest) => rest.len(),
        None => {
            let spaces = before.len() - before.trim_end_matches(' ').len();
            before.len() - spaces.min(4)
        }
    };
    let own = &text[line.clone()];
    let indentation = own.len() - own.trim_start_matches([' ', '\t']).len();
    let kept = columns(own).saturating_sub(shared);
    (code..line.start + indentation, " ".repeat(kept))
}

/// Follows which elements are open. Only those of HTML blocks hold blocks.
fn follow(html: &str, open: &mut Vec<String>, in_block: bool) {
    let mut at = 0;
    while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + found;
        at = start + 1;
        if html[start..].starts_with("<!--") {
            at = html[start..]
                .find("-->")
                .map_or(html.len(), |end| start + end);
            continue;
        }
        let Some(tag) = tag_at(html, start) else {
            continue;
        };
        at = tag.range.end;
        let name = tag.name.to_ascii_lowercase();
        match tag.form {
            Form::Close => {
                if let Some(held) = open.iter().rposition(|own| *own == name) {
                    open.truncate(held);
                }
            }
            Form::Open if in_block && holds_blocks(&name) => {
                while open.last().is_some_and(|last| ends(last, &name)) {
                    open.pop();
                }
                open.push(name);
            }
            Form::Open if matches!(name.as_str(), "script" | "style") => {
                let rest = &html[at..];
                at += rest.find(&format!("</{name}")).unwrap_or(rest.len());
            }
            _ => {}
        }
    }
}

/// Whether blocks stand in an element. Code stands in `pre`.
fn holds_blocks(name: &str) -> bool {
    match kind(name) {
        Kind::Pre | Kind::Rule => false,
        Kind::Unknown => name.contains('-'),
        kind => kind.is_block() || name == "template",
    }
}

/// Whether the end tag of an open element stands behind an offset.
fn is_held(text: &str, at: usize, open: &[String]) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    open.iter().any(|name| closes(rest, name))
}

/// Whether the end tag of an element stands in a text.
fn closes(text: &str, name: &str) -> bool {
    text.match_indices("</").any(|(at, _)| {
        let rest = text.get(at + 2..).unwrap_or_default();
        rest.get(..name.len())
            .is_some_and(|own| own.eq_ignore_ascii_case(name))
            && !rest[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let mut text = Text::new(source.into(), 1);
        outdent(&mut text);
        assert_eq!(text.text, expected, "{source:?}");
    }

    #[test]
    fn indented_html_behind_a_blank_line_was_code() {
        check(
            "<div>\n    <h3>a</h3>\n\n    <h3>b</h3>\n      <ul>\n\n    <p>c</p>\n</div>\n",
            "<div>\n    <h3>a</h3>\n\n<h3>b</h3>\n  <ul>\n\n<p>c</p>\n</div>\n",
        );
        check(
            "<td><p>\n\n        a `b`\n        c\n\n      </p></td>\n    </tr>\n\n\td\n",
            "<td><p>\n\na `b`\nc\n\n  </p></td>\n</tr>\n\n\td\n",
        );
        check(
            "<is-land>\n\t<template>\n\n```\na\n```\n\t\t</x-y>\n\t</template>\n</is-land>\n",
            "<is-land>\n\t<template>\n\n```\na\n```\n</x-y>\n</template>\n</is-land>\n",
        );
        check(
            "- <div>\n\n      a\n\n  </div>\n",
            "- <div>\n\n  a\n\n  </div>\n",
        );
    }

    #[test]
    fn code_outside_elements_stays() {
        for text in [
            "a\n\n    <b>\n\n</div>\n",
            "<div>\n</div>\n\n    <b>\n\n</div>\n",
            "<div>\n\n    a\n\n<p>b</p>\n",
            "<p>a\n\n    b\n",
            "<hr>\n\n    b </hr>\n",
            "a <div>\n\n    b\n\n</div>\n",
            "<!-- <div> -->\n\n    b\n\n</div>\n",
        ] {
            check(text, text);
        }
    }
}
