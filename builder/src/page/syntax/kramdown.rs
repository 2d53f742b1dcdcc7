//! What kramdown adds to markdown: attribute lists, tables of contents, comments and options between `{:` and `}`, abbreviations.
//!
//! `{: #id}` below a heading is its id and becomes `{#id}`; other attributes say how things look and go. `{::comment}` is a comment;
//! `{::nomarkdown}` leaves its text. (kramdown's syntax, "Attribute List Definitions", "Extensions", "Abbreviations".)

use std::ops::Range;

use super::abbreviations;
use super::liquid::tidy;
use crate::page::Text;
use crate::page::code::{code_ranges, range_at};

/// Takes kramdown's own signs out.
pub(crate) fn render(text: &mut Text) {
    extensions(text);
    attribute_lists(text);
    abbreviations::render(text);
    tidy(text);
}

/// `{::name}…{:/name}` and `{::name /}`.
fn extensions(text: &mut Text) {
    if !text.text.contains("{::") {
        return;
    }
    let code = code_ranges(&text.text, false);
    let source = &text.text;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut at = 0;
    while let Some(open) = source[at..].find("{::").map(|open| at + open) {
        if let Some(range) = range_at(&code, open) {
            at = range.end.max(open + 3);
            continue;
        }
        let Some(close) = source[open..].find('}').map(|close| open + close + 1) else {
            break;
        };
        let inside = source[open + 3..close - 1].trim();
        let name = inside.split([' ', '/']).next().unwrap_or_default();
        at = close;
        let end = match inside.ends_with('/') {
            true => None,
            false => [format!("{{:/{name}}}"), "{:/}".to_owned()]
                .iter()
                .filter_map(|sign| Some((close + source[close..].find(sign.as_str())?, sign.len())))
                .min(),
        };
        match (name, end) {
            // A comment that is never closed hides the rest: its author meant to hide it.
            ("comment", None) if !inside.ends_with('/') => {
                edits.push((open..source.len(), String::new()));
                break;
            }
            ("comment", Some((end, length))) => {
                edits.push((open..end + length, String::new()));
                at = end + length;
            }
            (_, Some((end, length))) => {
                edits.push((open..close, String::new()));
                edits.push((end..end + length, String::new()));
            }
            (_, None) => edits.push((open..close, String::new())),
        }
    }
    text.replace(edits);
}

/// `{: …}` on lines of their own and behind spans.
fn attribute_lists(text: &mut Text) {
    if !text.text.contains("{:") {
        return;
    }
    let code = code_ranges(&text.text, false);
    let source = &text.text;
    let lines: Vec<Range<usize>> = line_ranges(source);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (number, range) in lines.iter().enumerate() {
        let line = source[range.clone()].trim_end_matches('\n');
        if !line.contains("{:")
            || range_at(&code, range.start).is_some_and(|code| code.end > range.end)
        {
            continue;
        }
        let own = line.trim_start_matches([' ', '\t', '>']);
        if own.starts_with("{:") && own.trim_end().ends_with('}') && own.matches('}').count() == 1 {
            let before = number.checked_sub(1).and_then(|at| lines.get(at)).cloned();
            let after = lines.get(number + 1).cloned();
            let heading = |range: Option<Range<usize>>| {
                range.filter(|range| is_heading(&source[range.clone()]))
            };
            if let Some(id) = id(own)
                && let Some(range) = heading(before.clone()).or_else(|| heading(after))
            {
                let end = range.start + source[range.clone()].trim_end().len();
                edits.push((end..end, format!(" {{#{id}}}")));
            }
            // `* TOC` above `{:toc}` stands for a list that is made.
            if own.contains("toc")
                && own.trim_start_matches("{:").trim_start().starts_with("toc")
                && let Some(range) = before
                && is_item(&source[range.clone()])
            {
                edits.push((range, String::new()));
            }
            edits.push((range.start..range.end, String::new()));
            continue;
        }
        let mut at = range.start;
        while let Some(open) = source[at..range.end].find("{:").map(|open| at + open) {
            at = open + 2;
            if range_at(&code, open).is_some() {
                continue;
            }
            let Some(close) = source[open..range.end]
                .find('}')
                .map(|close| open + close + 1)
            else {
                break;
            };
            // Behind a span it says how the span looks; in front of the text of an item, how the item does.
            let before = source[range.start..open].trim_end();
            let behind = before.ends_with([')', '*', '_', '`', ']', '>', '}', '~', '"'])
                || before
                    .trim_start_matches([' ', '>'])
                    .chars()
                    .all(|c| matches!(c, '-' | '*' | '+' | '.') || c.is_ascii_digit())
                || is_heading(line);
            if behind {
                let start = if is_heading(line) {
                    range.start + before.len()
                } else {
                    open
                };
                let id = is_heading(line).then(|| id(&source[open..close])).flatten();
                edits.push((
                    start..close,
                    id.map_or(String::new(), |id| format!(" {{#{id}}}")),
                ));
                at = close;
            }
        }
    }
    text.replace(edits);
}

fn line_ranges(source: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    source
        .split_inclusive('\n')
        .map(|line| {
            at += line.len();
            at - line.len()..at
        })
        .collect()
}

fn is_heading(line: &str) -> bool {
    let signs = line.len() - line.trim_start_matches('#').len();
    (1..=6).contains(&signs)
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['*', '-', '+']) || (digits.len() < line.len() && digits.starts_with('.'))
}

/// The id in an attribute list: `{: #id .class}`, `{: id="x"}`.
fn id(list: &str) -> Option<&str> {
    let inside = list.trim().trim_start_matches("{:").trim_end_matches('}');
    inside.split_whitespace().find_map(|word| {
        let id = word
            .strip_prefix('#')
            .or_else(|| word.strip_prefix("id="))?;
        Some(id.trim_matches(['"', '\''])).filter(|id| !id.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let mut text = Text::new(source.into(), 1);
        render(&mut text);
        assert_eq!(text.text, expected, "{source:?}");
    }

    #[test]
    fn attribute_lists_go_and_ids_stay() {
        check("para\n{: .note}\n\nb\n", "para\n\nb\n");
        check("## Title\n{: #own .no_toc }\n", "## Title {#own}\n");
        check("{: #own}\n## Title\n", "## Title {#own}\n");
        check("## Title {: #own}\n", "## Title {#own}\n");
        check(
            "a [b](c){:target=\"_blank\"} *d*{: .e}.\n",
            "a [b](c) *d*.\n",
        );
        check("* TOC\n{:toc}\n\n# A\n", "\n# A\n");
        check("`{: .x}` and {:x}\n", "`{: .x}` and {:x}\n");
        check("```\n{: .x}\n```\n", "```\n{: .x}\n```\n");
    }

    #[test]
    fn kramdown_comments_were_published() {
        check("a {::comment}secret{:/comment} b\n", "a  b\n");
        check("a\n\n{::comment}\nsecret\n{:/}\n\nb\n", "a\n\nb\n");
        check("a {::comment}secret", "a ");
        check(
            "{::nomarkdown}<b>x</b>{:/nomarkdown}{::options parse_block_html=\"true\" /}\n",
            "<b>x</b>\n",
        );
    }
}
