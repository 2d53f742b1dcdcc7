//! Markdown that is being put together, with the source line of each of its lines.
//!
//! A block is set apart by blank lines, and its lines stand behind what leads them in the list or quotation they are in.

use std::ops::Range;

use super::super::rewrite::Text;

/// A page's text, with the source line of each of its lines at hand.
pub(crate) struct Source<'a> {
    pub text: &'a str,
    page: &'a Text,
    /// Where each line but the first begins.
    starts: Vec<usize>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(page: &'a Text) -> Source<'a> {
        let text = page.text.as_str();
        Source {
            text,
            page,
            starts: text.match_indices('\n').map(|(at, _)| at + 1).collect(),
        }
    }

    /// The source line of an offset.
    pub(crate) fn line_of(&self, at: usize) -> u32 {
        self.page
            .line(self.starts.partition_point(|start| *start <= at))
    }
}

/// Lines of markdown.
#[derive(Debug, Clone, Default)]
pub(crate) struct Out {
    pub text: String,
    /// The source line of each line: one more than there are line feeds.
    lines: Vec<u32>,
    /// A block has ended; what comes next stands apart, behind this.
    due: Option<String>,
    /// Whether a line was added as it is.
    begun: bool,
    /// Whether the first line has its lead.
    whole: bool,
}

impl Out {
    pub(crate) fn new(line: u32) -> Out {
        Out {
            text: String::new(),
            lines: vec![line],
            due: None,
            begun: false,
            whole: false,
        }
    }

    /// The text and the source line of each of its lines.
    pub(crate) fn into_parts(self) -> (String, Vec<u32>) {
        (self.text, self.lines)
    }

    /// The lines, each with its source line.
    fn numbered(&self) -> impl Iterator<Item = (&str, u32)> {
        let last = self.lines.last().copied().unwrap_or(1);
        self.text
            .split('\n')
            .enumerate()
            .map(move |(at, line)| (line, self.lines.get(at).copied().unwrap_or(last)))
    }

    fn of(lines: impl Iterator<Item = (String, u32)>) -> Out {
        let mut out = Out::default();
        for (at, (line, number)) in lines.enumerate() {
            if at > 0 {
                out.text.push('\n');
            }
            out.text.push_str(&line);
            out.lines.push(number);
        }
        if out.lines.is_empty() {
            out.lines.push(1);
        }
        out
    }

    /// Whether nothing was written.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn set_line(&mut self, line: u32) {
        if let Some(last) = self.lines.last_mut() {
            *last = line;
        }
    }

    /// Adds a stretch of the source as it is.
    pub(crate) fn raw(&mut self, source: &Source<'_>, range: Range<usize>) {
        let Some(text) = source.text.get(range.clone()) else {
            return;
        };
        let mut text = self.after_block(text, source.line_of(range.start));
        if text.starts_with(' ') && self.text.ends_with(' ') && !self.current().trim().is_empty() {
            text = text.trim_start_matches(' ');
        }
        let mut at = range.end - text.len();
        if self.current().trim_matches([' ', '\t', '>']).is_empty() {
            self.set_line(source.line_of(at));
        }
        for (count, piece) in text.split('\n').enumerate() {
            if count > 0 {
                self.text.push('\n');
                self.lines.push(source.line_of(at));
            }
            self.text.push_str(piece);
            at += piece.len() + 1;
        }
    }

    /// Begins what stands behind a block. Gives the rest of the text, without the blank lines that the break takes the place of.
    fn after_block<'t>(&mut self, text: &'t str, line: u32) -> &'t str {
        let Some(lead) = self.due.take() else {
            return text;
        };
        let is_blank = |line: &str| line.trim_matches([' ', '\t', '>']).is_empty();
        let mut rest = text;
        let mut own_line = false;
        while let Some((first, more)) = rest.split_once('\n')
            && is_blank(first)
        {
            rest = more;
            own_line = true;
        }
        if is_blank(rest) {
            // Nothing but the lead of what comes next.
            self.due = Some(lead);
            return "";
        }
        self.apart(&lead, line);
        if own_line && !is_marker(self.current()) {
            let kept = self.text.len() - self.current().len();
            self.text.truncate(kept);
            rest
        } else {
            rest.trim_start_matches([' ', '\t'])
        }
    }

    /// The line that is being written.
    fn current(&self) -> &str {
        self.text.rsplit('\n').next().unwrap_or_default()
    }

    /// Ends the line, leaves one blank line, and begins the next with a lead.
    fn apart(&mut self, lead: &str, line: u32) {
        let is_lead = |text: &str| text.trim_matches([' ', '\t', '>']).is_empty();
        // The lead of a line that holds nothing yet is written anew.
        while is_lead(self.current()) && !self.text.is_empty() {
            let kept = self.text.len() - self.current().len();
            self.text.truncate(kept);
            if self.text.pop().is_none() {
                break;
            }
            self.lines.pop();
        }
        if self.text.is_empty() {
            self.whole = true;
            self.lines.truncate(1);
            if self.lines.is_empty() {
                self.lines.push(line);
            }
        } else if !is_marker(self.current()) {
            let kept = self.text.trim_end_matches([' ', '\t']).len();
            self.text.truncate(kept);
            self.text.push('\n');
            self.text.push_str(lead.trim_end());
            self.text.push('\n');
            self.lines.push(line);
            self.lines.push(line);
        } else {
            return;
        }
        self.text.push_str(lead);
        self.set_line(line);
    }

    /// Adds words to the line that is being written.
    pub(crate) fn words(&mut self, text: &str, line: u32) {
        if text.is_empty() {
            return;
        }
        if let Some(lead) = self.due.take() {
            if text.trim().is_empty() {
                self.due = Some(lead);
                return;
            }
            self.apart(&lead, line);
        }
        let at_start = self.current().trim_matches([' ', '\t', '>']).is_empty();
        let text = match at_start || self.text.ends_with([' ', '\n']) {
            true => text.trim_start(),
            false => text,
        };
        self.text.push_str(text);
    }

    /// Breaks the line within its paragraph.
    pub(crate) fn line_break(&mut self, lead: &str, line: u32) {
        if self.due.is_some() || self.current().trim_matches([' ', '\t', '>']).is_empty() {
            return;
        }
        let kept = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(kept);
        self.text.push_str("  \n");
        self.text.push_str(lead);
        self.lines.push(line);
    }

    /// Makes the end of the line that is being written a break.
    pub(crate) fn end_line(&mut self) {
        let kept = self.text.trim_end_matches([' ', '\t']).len();
        if self.due.is_none() && !self.current().trim_matches([' ', '\t', '>']).is_empty() {
            self.text.truncate(kept);
            self.text.push_str("  ");
        }
    }

    /// Adds one line as it is.
    pub(crate) fn line(&mut self, text: &str, number: u32) {
        if self.text.is_empty() && self.lines.len() == 1 && !self.begun {
            self.lines = vec![number];
        } else {
            self.text.push('\n');
            self.lines.push(number);
        }
        self.begun = true;
        self.text.push_str(text);
    }

    /// Adds lines right behind those that are there.
    pub(crate) fn lines(&mut self, block: &Out) {
        let is_first = self.text.is_empty();
        for (at, (line, number)) in block.numbered().enumerate() {
            if is_first && at == 0 {
                self.lines = vec![number];
            } else {
                self.text.push('\n');
                self.lines.push(number);
            }
            self.text.push_str(line);
        }
    }

    /// Adds a block of its own. Its lines have no lead yet.
    pub(crate) fn block(&mut self, block: &Out, lead: &str) {
        if block.is_blank() {
            // A dropped element still parts what stands around it.
            if !self.is_blank() {
                self.due.get_or_insert_with(|| lead.to_owned());
            }
            return;
        }
        let first = block.lines.first().copied().unwrap_or(1);
        self.due = None;
        self.apart(lead, first);
        for (at, (line, number)) in block.numbered().enumerate() {
            if at > 0 {
                self.text.push('\n');
                let lead = if line.is_empty() {
                    lead.trim_end()
                } else {
                    lead
                };
                self.text.push_str(lead);
                self.lines.push(number);
            } else {
                self.set_line(number);
            }
            self.text.push_str(line);
        }
        self.due = Some(lead.to_owned());
    }

    /// The lines without their common lead, and without blank lines around. With `deep`, indentation that all lines share goes as well.
    pub(crate) fn body(&self, lead: &str, deep: bool) -> Out {
        let mut lines: Vec<(&str, u32)> = self.numbered().collect();
        let is_blank = |line: &str| line.trim_matches([' ', '\t', '>']).is_empty();
        while lines.last().is_some_and(|(line, _)| is_blank(line)) {
            lines.pop();
        }
        let blank = lines.iter().take_while(|(line, _)| is_blank(line)).count();
        // A line that begins behind its tag has no lead.
        let partial = usize::from(blank == 0 && !self.whole);
        lines.drain(..blank.min(lines.len()));
        let mut lines: Vec<(String, u32)> = lines
            .into_iter()
            .enumerate()
            .map(|(at, (line, number))| match at < partial {
                true => (line.trim_start().to_owned(), number),
                false => (without_lead(line, lead), number),
            })
            .collect();
        if deep {
            let depth = fence_marks(&lines)
                .into_iter()
                .zip(&lines)
                .skip(partial)
                .filter(|(in_fence, (line, _))| !in_fence && !line.trim().is_empty())
                .map(|(_, (line, _))| columns(line))
                .min()
                .unwrap_or(0);
            for (line, _) in lines.iter_mut().skip(partial) {
                *line = dedented(line, depth);
            }
        }
        Out::of(lines.into_iter())
    }

    /// Each line behind something: the first, then the others; blank ones behind what is left of it without spaces.
    pub(crate) fn behind(&self, first: &str, rest: &str) -> Out {
        Out::of(self.numbered().enumerate().map(|(at, (line, number))| {
            let lead = if at == 0 { first } else { rest };
            let line = match line.is_empty() {
                true => lead.trim_end().to_owned(),
                false => format!("{lead}{line}"),
            };
            (line, number)
        }))
    }
}

/// Whether a line holds nothing but the marks of a list's item.
fn is_marker(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+']),
        _ => line[digits..].strip_prefix(['.', ')']),
    };
    rest.is_some_and(|rest| rest.starts_with(' ') && (rest.trim().is_empty() || is_marker(rest)))
}

/// Which lines stand in a fence, the line that opens it left out.
pub(crate) fn fence_marks(lines: &[(String, u32)]) -> Vec<bool> {
    let mut open: Option<(u8, usize)> = None;
    lines
        .iter()
        .map(|(line, _)| {
            let rest = line.trim_start_matches([' ', '\t', '>']);
            let sign = rest.bytes().next().filter(|b| matches!(b, b'`' | b'~'));
            let length = sign.map_or(0, |sign| rest.bytes().take_while(|b| *b == sign).count());
            match open {
                Some((sign_open, count)) => {
                    if sign == Some(sign_open) && length >= count && rest.trim_end().len() == length
                    {
                        open = None;
                    }
                    true
                }
                None => {
                    if let Some(sign) = sign
                        && length >= 3
                        && (sign == b'~' || !rest[length..].contains('`'))
                    {
                        open = Some((sign, length));
                    }
                    false
                }
            }
        })
        .collect()
}

/// How far a line is indented; a tab reaches to the next fourth column.
pub(crate) fn columns(line: &str) -> usize {
    let mut width = 0;
    for b in line.bytes() {
        match b {
            b' ' => width += 1,
            b'\t' => width += 4 - width % 4,
            _ => break,
        }
    }
    width
}

/// A line with so many columns less of indentation, or all it has.
pub(crate) fn dedented(line: &str, depth: usize) -> String {
    let mut width = 0;
    for (at, b) in line.bytes().enumerate() {
        if width >= depth {
            return format!("{}{}", " ".repeat(width - depth), &line[at..]);
        }
        match b {
            b' ' => width += 1,
            b'\t' => width += 4 - width % 4,
            _ => return line[at..].to_owned(),
        }
    }
    String::new()
}

/// A line without the lead of the block it stands in.
fn without_lead(line: &str, lead: &str) -> String {
    let mut rest = line.to_owned();
    for part in lead.split_inclusive('>') {
        let spaces = part.trim_end_matches('>');
        if part.ends_with('>') {
            let trimmed = rest.trim_start_matches([' ', '\t']);
            match trimmed.strip_prefix('>') {
                Some(inside) => rest = inside.to_owned(),
                None => return rest,
            }
        } else {
            rest = dedented(&rest, columns(spaces));
        }
    }
    rest
}

/// What leads the lines of the block that begins at an offset: quotation marks, and spaces in the place of list marks.
pub(crate) fn lead_of(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let line = &text[start..at];
    let mut lead = String::new();
    let mut rest = line;
    loop {
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        lead.push_str(&rest[..spaces]);
        rest = &rest[spaces..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let mark = match digits {
            0 if rest.starts_with('>') => {
                lead.push('>');
                rest = &rest[1..];
                continue;
            }
            0 if rest.starts_with(['-', '*', '+']) => 1,
            1..=9 if rest[digits..].starts_with(['.', ')']) => digits + 1,
            _ => return lead,
        };
        if !rest[mark..].starts_with([' ', '\t']) {
            return lead;
        }
        lead.push_str(&" ".repeat(mark));
        rest = &rest[mark..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads() {
        let check = |line: &str, lead: &str| assert_eq!(lead_of(line, line.len()), lead, "{line}");
        check("x\n  ", "  ");
        check("> - ", ">   ");
        check("10. a ", "    ");
        check("-a", "");
        check("a - b", "");
        assert_eq!(without_lead(">   x", ">   "), "x");
        assert_eq!(without_lead("   > x", "> "), "x");
        assert_eq!(without_lead("x", "> "), "x");
        assert_eq!(dedented("\t  x", 2), "    x");
    }

    #[test]
    fn blocks_stand_apart_behind_their_lead() {
        let page = Text::new("- a\n  \n\n\n- d".into(), 1);
        let source = Source::new(&page);
        let mut out = Out::new(1);
        out.raw(&source, 0..6);
        let mut block = Out::new(2);
        block.words("b", 2);
        block.line("", 2);
        block.line("c", 3);
        out.block(&block, "  ");
        out.raw(&source, 6..page.text.len());
        assert_eq!(out.text, "- a\n\n  b\n\n  c\n\n- d");
        let (_, lines) = out.into_parts();
        assert_eq!(lines, [1, 2, 2, 2, 3, 2, 5]);
    }

    #[test]
    fn code_in_a_body_keeps_its_own_indentation() {
        let page = Text::new(
            "\n    a\n      ```\n  b\n          c\n      ```\n  ".into(),
            1,
        );
        let mut out = Out::new(1);
        out.raw(&Source::new(&page), 0..page.text.len());
        assert_eq!(out.body("  ", true).text, "a\n  ```\nb\n      c\n  ```");
    }
}
