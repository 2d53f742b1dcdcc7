//! Where rendered text goes: into edits of the page, so that lines keep their numbers, or into a text of its own.

use std::ops::Range;

use crate::page::Text;
use crate::page::code::{code_ranges, is_inside};

/// What a piece of a template leaves behind.
#[derive(Debug)]
pub(super) enum Sink {
    /// Changes to the page; what is not changed stays.
    Edits(Vec<(Range<usize>, String)>),
    /// All that is to be shown.
    Text(String),
}

impl Sink {
    /// Shows a range of the template as it stands.
    pub(super) fn keep(&mut self, source: &str, range: Range<usize>) {
        if let Sink::Text(text) = self {
            text.push_str(source.get(range).unwrap_or_default());
        }
    }

    /// Shows something in the place of a range.
    pub(super) fn put(&mut self, range: Range<usize>, new: String) {
        match self {
            Sink::Edits(edits) => edits.push((range, new)),
            Sink::Text(text) => text.push_str(&new),
        }
    }

    /// Shows nothing in the place of a range. A line that held nothing else goes, unless it sets two blocks apart.
    pub(super) fn leave_out(&mut self, source: &str, range: Range<usize>) {
        if let Sink::Edits(edits) = self {
            edits.push((without_its_line(source, range), String::new()));
        }
    }

    /// Shows nothing in the place of a range, to the byte.
    pub(super) fn cut(&mut self, range: Range<usize>) {
        if let Sink::Edits(edits) = self
            && !range.is_empty()
        {
            edits.push((range, String::new()));
        }
    }
}

/// The range, wider when its lines hold nothing else.
fn without_its_line(source: &str, range: Range<usize>) -> Range<usize> {
    let start = line_start(source, range.start);
    let end = line_end(source, range.end);
    if !source[start..range.start].trim().is_empty() || !source[range.end..end].trim().is_empty() {
        return range;
    }
    let before = source[..start]
        .trim_end_matches('\n')
        .rsplit('\n')
        .next()
        .unwrap_or_default();
    let is_first = source[..start].trim().is_empty() || source[..start].ends_with("\n\n");
    let after = source[end..]
        .get(1..)
        .unwrap_or_default()
        .split('\n')
        .next()
        .unwrap_or_default();
    let sets_apart = !is_first && !after.trim().is_empty() && !is_html(before) && !is_html(after);
    match sets_apart || end == source.len() {
        true => start..end,
        false => start..end + 1,
    }
}

fn is_html(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('<') && line.len() > 1 || line.ends_with('>') && line.contains('<')
}

pub(super) fn line_start(source: &str, at: usize) -> usize {
    source[..at].rfind('\n').map_or(0, |at| at + 1)
}

pub(super) fn line_end(source: &str, at: usize) -> usize {
    source[at..].find('\n').map_or(source.len(), |end| at + end)
}

/// Brings HTML that was rendered into a form that markdown takes for HTML: no blank lines between tags, no deep indents before them.
pub(super) fn as_html(text: String) -> String {
    if !text.contains('<') || text.contains("<pre") || text.contains("```") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut blank = String::new();
    let mut last_is_html = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            blank.push_str(line);
            continue;
        }
        let starts = trimmed.starts_with('<');
        if !(last_is_html && starts) {
            out.push_str(&blank);
        }
        blank.clear();
        let deep = line.len() - line.trim_start().len() >= 4;
        out.push_str(if deep && starts {
            line.trim_start()
        } else {
            line
        });
        last_is_html = is_html(trimmed);
    }
    out + &blank
}

/// Of several blank lines in a row one is left, outside code.
pub(crate) fn tidy(text: &mut Text) {
    if !text.text.contains("\n\n\n")
        && !text.text.contains("\n \n")
        && !text.text.contains("\n\t\n")
    {
        return;
    }
    let code = code_ranges(&text.text, false);
    let mut edits = Vec::new();
    let source = &text.text;
    let mut at = 0;
    let mut blanks = 0;
    for line in source.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim().is_empty() && !is_inside(&code, at) {
            blanks += 1;
            if blanks > 1 {
                edits.push((at..end, String::new()));
            }
        } else {
            blanks = 0;
        }
        at = end;
    }
    text.replace(edits);
}
