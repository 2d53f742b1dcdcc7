//! Text that knows which line of the source file each of its lines was.
//!
//! Each pass of publishing leaves lines out. Problems are still told with the line that the author sees, so the lines are
//! carried along.

use std::ops::Range;

/// A text on its way to being published.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// The source line of each line, counted from 1.
    lines: Vec<u32>,
}

impl Text {
    /// A text whose first line is a line of the source.
    pub(crate) fn new(text: String, first_line: u32) -> Text {
        let count = u32::try_from(text.bytes().filter(|b| *b == b'\n').count()).unwrap_or(u32::MAX);
        let lines = (first_line..=first_line.saturating_add(count)).collect();
        Text { text, lines }
    }

    /// A text with the source line of each of its lines.
    pub(crate) fn of_lines(text: String, lines: Vec<u32>) -> Text {
        Text { text, lines }
    }

    /// The source line that a byte comes from. Offsets are asked for in ascending order far more often than not, but need not be.
    pub(crate) fn line_of(&self, offset: usize) -> u32 {
        let before = self
            .text
            .as_bytes()
            .get(..offset)
            .unwrap_or(self.text.as_bytes());
        self.line(before.iter().filter(|b| **b == b'\n').count())
    }

    /// The source line of a line, counted from 0.
    pub(crate) fn line(&self, index: usize) -> u32 {
        self.lines
            .get(index)
            .or(self.lines.last())
            .copied()
            .unwrap_or(1)
    }

    /// A text all of which belongs to one line of the source.
    pub(crate) fn of_line(text: impl Into<String>, line: u32) -> Text {
        let text = text.into();
        let count = text.bytes().filter(|b| *b == b'\n').count() + 1;
        Text {
            text,
            lines: vec![line; count],
        }
    }

    /// A piece of the text. `first` is the number of line feeds before it.
    pub(crate) fn part(&self, range: Range<usize>, first: usize) -> Text {
        let text = self.text.get(range).unwrap_or_default();
        let count = text.bytes().filter(|b| *b == b'\n').count() + 1;
        Text {
            text: text.to_owned(),
            lines: (first..first + count).map(|at| self.line(at)).collect(),
        }
    }

    /// The source line of a line of the text, counted from 0.
    pub(crate) fn source_line(&self, index: usize) -> u32 {
        self.line(index)
    }

    /// Adds a text behind this one. The line in which they meet is that of the one with something in it, the first when both have.
    pub(crate) fn append(&mut self, other: &Text) {
        let mut lines = other.lines.iter().copied();
        if let Some(first) = lines.next()
            && (self.text.is_empty() || self.text.ends_with('\n'))
            && let Some(last) = self.lines.last_mut()
        {
            *last = first;
        }
        self.text.push_str(&other.text);
        self.lines.extend(lines);
    }

    /// Each line with its line of the source, without line feeds.
    pub(crate) fn each_line(&self) -> impl Iterator<Item = (&str, u32)> {
        self.text
            .split('\n')
            .enumerate()
            .map(|(at, text)| (text, self.line(at)))
    }

    /// Replaces ranges, which are put in order; one that overlaps the one before it is left out.
    pub(crate) fn replace(&mut self, mut edits: Vec<(Range<usize>, String)>) {
        if edits.is_empty() {
            return;
        }
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut rewriter = Rewriter::new(self);
        for (range, new) in &edits {
            if range.start >= rewriter.at {
                rewriter.copy_to(range.start);
                rewriter.skip_to(range.end);
                rewriter.push(new);
            }
        }
        *self = rewriter.finish();
    }
}

/// A range, with the line that it has to itself and one blank line behind it: what is taken out whole leaves no gap.
pub(crate) fn with_own_line(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[range.end..];
    let line = rest.split_inclusive('\n').next().unwrap_or_default();
    if !text[start..range.start].trim().is_empty() || !line.trim().is_empty() {
        return range;
    }
    let mut end = range.end + line.len();
    let before = text[..start].trim_end_matches([' ', '\t']);
    if (before.is_empty() || before.ends_with("\n\n")) && text[end..].starts_with('\n') {
        end += 1;
    }
    start..end
}

/// Builds a new text from an old one, from its start to its end.
pub(crate) struct Rewriter<'a> {
    old: &'a Text,
    /// How far the old text is done with.
    pub(crate) at: usize,
    /// The line of the old text at `at`, counted from 0.
    line: usize,
    pub(crate) out: String,
    lines: Vec<u32>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(old: &'a Text) -> Rewriter<'a> {
        Rewriter {
            old,
            at: 0,
            line: 0,
            out: String::with_capacity(old.text.len()),
            lines: vec![old.line(0)],
        }
    }

    /// Copies up to an offset of the old text.
    pub(crate) fn copy_to(&mut self, end: usize) {
        let old = self.old;
        let Some(piece) = old.text.get(self.at..end) else {
            return;
        };
        for _ in piece.bytes().filter(|b| *b == b'\n') {
            self.line += 1;
            self.lines.push(old.line(self.line));
        }
        self.out.push_str(piece);
        self.at = end;
    }

    /// Leaves out everything up to an offset of the old text.
    pub(crate) fn skip_to(&mut self, end: usize) {
        let Some(piece) = self.old.text.get(self.at..end) else {
            return;
        };
        let skipped = piece.bytes().filter(|b| *b == b'\n').count();
        self.line += skipped;
        self.at = end;
        // The rest of a line whose beginning was kept stays with its beginning.
        if skipped > 0 && (self.out.is_empty() || self.out.ends_with('\n')) {
            let line = self.old.line(self.line);
            if let Some(last) = self.lines.last_mut() {
                *last = line;
            }
        }
    }

    /// Adds new text, which belongs to the line it stands in.
    pub(crate) fn push(&mut self, new: &str) {
        for _ in new.bytes().filter(|b| *b == b'\n') {
            self.lines.push(self.old.line(self.line));
        }
        self.out.push_str(new);
    }

    /// Takes back spaces at the end of what was written.
    pub(crate) fn trim_spaces(&mut self) {
        let kept = self.out.trim_end_matches([' ', '\t']).len();
        self.out.truncate(kept);
    }

    pub(crate) fn finish(mut self) -> Text {
        self.copy_to(self.old.text.len());
        Text {
            text: self.out,
            lines: self.lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_its_own_goes_whole() {
        let text = "a\n\n<x>\n\nb <x>\n";
        assert_eq!(with_own_line(text, 3..6), 3..8);
        assert_eq!(with_own_line(text, 10..13), 10..13);
    }

    #[test]
    fn lines_are_carried_along() {
        let mut text = Text::new("a\nb\nc\nd\n".into(), 5);
        text.replace(vec![(2..4, String::new()), (6..7, "x\ny".into())]);
        assert_eq!(text.text, "a\nc\nx\ny\n");
        let lines: Vec<u32> = [0, 2, 4, 6].map(|at| text.line_of(at)).to_vec();
        assert_eq!(lines, [5, 7, 8, 8]);
    }
}
