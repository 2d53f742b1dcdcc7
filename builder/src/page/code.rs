//! Where code stands in a text, so that nothing else touches it.
//!
//! Markdown is asked of the parser. MDX has no indented code, and fences may be indented as deep as the components around
//! them; the parser would take `    {/* note */}` for code and the note would be published. So MDX is read line by line here.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

/// The byte ranges of code blocks and code spans, ascending and apart from each other.
pub(crate) fn code_ranges(text: &str, mdx: bool) -> Vec<Range<usize>> {
    if mdx {
        mdx_ranges(text)
    } else {
        markdown_ranges(text)
    }
}

/// Whether an offset stands in one of the ranges.
pub(crate) fn is_inside(ranges: &[Range<usize>], offset: usize) -> bool {
    range_at(ranges, offset).is_some()
}

/// The range that holds an offset.
pub(crate) fn range_at(ranges: &[Range<usize>], offset: usize) -> Option<&Range<usize>> {
    let at = ranges.partition_point(|range| range.end <= offset);
    ranges.get(at).filter(|range| range.start <= offset)
}

fn markdown_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(text, super::options()).into_offset_iter() {
        if matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))) {
            ranges.push(range);
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// A fence's sign and length, when a line opens one.
fn fence(line: &str) -> Option<(u8, usize)> {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    // A fence may stand behind a list's marker.
    let rest = rest
        .strip_prefix(['-', '*', '+'])
        .filter(|r| r.starts_with(' '))
        .unwrap_or(rest)
        .trim_start();
    let sign = *rest
        .as_bytes()
        .first()
        .filter(|b| matches!(b, b'`' | b'~'))?;
    let length = rest.bytes().take_while(|b| *b == sign).count();
    let info = &rest[length..];
    (length >= 3 && (sign == b'~' || !info.contains('`'))).then_some((sign, length))
}

fn mdx_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, u8, usize)> = None;
    // The paragraph that is being gathered: code spans do not cross blank lines.
    let mut paragraph = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if let Some((start, sign, length)) = open {
            let rest = line.trim_start_matches([' ', '\t', '>']).trim_end();
            if rest.len() >= length && rest.bytes().all(|b| b == sign) {
                ranges.push(start..end);
                open = None;
                paragraph = end;
            }
        } else if let Some((sign, length)) = fence(line) {
            spans(text, paragraph..at, &mut ranges);
            open = Some((at, sign, length));
        } else if line.trim().is_empty() {
            spans(text, paragraph..at, &mut ranges);
            paragraph = end;
        }
        at = end;
    }
    match open {
        Some((start, ..)) => ranges.push(start..text.len()),
        None => spans(text, paragraph..text.len(), &mut ranges),
    }
    ranges
}

/// Code spans: a run of backticks up to the next run of the same length.
fn spans(text: &str, paragraph: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let run_at = |from: usize| {
        let start = from + bytes[from..paragraph.end].iter().position(|b| *b == b'`')?;
        let length = bytes[start..paragraph.end]
            .iter()
            .take_while(|b| **b == b'`')
            .count();
        Some((start, length))
    };
    let mut runs = Vec::new();
    let mut from = paragraph.start;
    while let Some((start, length)) = run_at(from) {
        runs.push((start, length));
        from = start + length;
    }
    let mut next = 0;
    while let Some((start, length)) = runs.get(next).copied() {
        next += 1;
        if start > 0 && bytes[start - 1] == b'\\' {
            continue;
        }
        if let Some(close) = runs[next..].iter().position(|(_, other)| *other == length) {
            let (end, length) = runs[next + close];
            ranges.push(start..end + length);
            next += close + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, mdx: bool, code: &[&str]) {
        let found: Vec<&str> = code_ranges(text, mdx)
            .into_iter()
            .map(|r| text[r].trim_end())
            .collect();
        assert_eq!(found, code, "{text:?}");
    }

    #[test]
    fn spans_and_blocks() {
        for mdx in [false, true] {
            check("a `b` c ``d ` e`` f", mdx, &["`b`", "``d ` e``"]);
            check(
                "a\n\n~~~x\n`b`\n~~~\n\n`c`\n",
                mdx,
                &["~~~x\n`b`\n~~~", "`c`"],
            );
            check("````\n```\n````\n", mdx, &["````\n```\n````"]);
            check("```\nno end\n", mdx, &["```\nno end"]);
            check("a ` b\n\nc ` d", mdx, &[]);
        }
    }

    #[test]
    fn mdx_has_no_indented_code() {
        check("a\n\n    {/* b */}\n", true, &[]);
        check(
            "<A>\n        ```js\n    x\n        ```\n</A>\n",
            true,
            &["        ```js\n    x\n        ```"],
        );
        check("a\n\n    b\n", false, &["b"]);
    }
}
