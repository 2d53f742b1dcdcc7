//! Where a long page may be cut.
//!
//! Best between two blocks of the page; else before an item, a row or a paragraph within one; else between two lines of a code
//! block, of raw HTML or of a very long paragraph. A place within a code fence names the fence's opening marker, which closes it
//! again. A fence that shares its first line with a list's marker is not cut into: its marker could not be repeated.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use crate::site::{Cut, CutRank};

/// A paragraph of more bytes than this may be cut between its lines, and in its lines.
const LONG: usize = 2_000;
/// In a long line, a place is offered about this often.
const STEP: usize = 1_000;

/// Gathers the places.
pub(super) struct Cuts<'a> {
    markdown: &'a str,
    cuts: Vec<Cut>,
    /// How many blocks we are in.
    depth: usize,
    /// How many links and images we are in.
    links: usize,
    /// Whether the innermost block of text is a long one.
    long: bool,
    /// The last place offered within a line.
    last: usize,
}

impl<'a> Cuts<'a> {
    pub(super) fn new(markdown: &'a str) -> Cuts<'a> {
        Cuts {
            markdown,
            cuts: Vec::new(),
            depth: 0,
            links: 0,
            long: false,
            last: 0,
        }
    }

    pub(super) fn see(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(TagEnd::Link | TagEnd::Image) => self.links = self.links.saturating_sub(1),
            Event::End(tag) if is_block_end(*tag) => self.depth = self.depth.saturating_sub(1),
            Event::Rule => self.block(range.start),
            Event::SoftBreak | Event::HardBreak if self.long && self.links == 0 => {
                if let Some(end) = self.markdown[range.start..].find('\n') {
                    self.push(range.start + end + 1, CutRank::Line, None);
                }
            }
            Event::Text(_) if self.long && self.links == 0 => self.within(range.clone(), None),
            _ => {}
        }
    }

    pub(super) fn finish(mut self) -> Vec<Cut> {
        let end = self.markdown.len();
        self.cuts
            .retain(|cut| cut.offset > 0 && (cut.offset as usize) < end);
        self.cuts.sort_by_key(|cut| (cut.offset, cut.rank));
        self.cuts.dedup_by_key(|cut| cut.offset);
        self.cuts
    }

    fn start(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Link { .. } | Tag::Image { .. } => self.links += 1,
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => {}
            tag => {
                // The first row is cut off its head, and cells are no blocks.
                let part = !matches!(tag, Tag::TableHead | Tag::TableCell);
                if part {
                    self.block(range.start);
                }
                self.depth += 1;
                if !matches!(tag, Tag::TableCell) {
                    self.long =
                        range.len() > LONG && !matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
                    self.last = range.start;
                }
                match tag {
                    Tag::CodeBlock(kind) => self.code(kind, range.clone()),
                    Tag::HtmlBlock => self.lines(range.clone(), None),
                    _ => {}
                }
            }
        }
    }

    fn block(&mut self, at: usize) {
        let rank = if self.depth == 0 {
            CutRank::Block
        } else {
            CutRank::Part
        };
        self.push(self.line_start(at), rank, None);
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>, range: Range<usize>) {
        if matches!(kind, CodeBlockKind::Indented) {
            self.lines(range, None);
            return;
        }
        let line = self.line_start(range.start);
        let block = &self.markdown[range.clone()];
        let marker = range.start + (block.len() - block.trim_start_matches([' ', '\t']).len());
        let sign = self.markdown[marker..]
            .chars()
            .next()
            .filter(|c| matches!(c, '`' | '~'));
        let before = &self.markdown[line..marker];
        let (Some(sign), true) = (sign, before.chars().all(|c| matches!(c, ' ' | '\t' | '>')))
        else {
            return;
        };
        let rest = &self.markdown[marker..];
        let end = marker + (rest.len() - rest.trim_start_matches(sign).len());
        let fence = offset(line)..offset(end);
        // The opening line stays with its first line of code, and the closing line with its last.
        let Some(content) = self.markdown[range.clone()]
            .find('\n')
            .map(|at| range.start + at + 1)
        else {
            return;
        };
        let text_end = range.start + self.markdown[range.clone()].trim_end_matches('\n').len();
        let closing = self.line_start(text_end);
        let last = self.markdown[closing..range.end].trim_matches([' ', '\t', '>', '\n']);
        let closed =
            closing > line && last.len() >= end - marker && last.chars().all(|c| c == sign);
        let stop = if closed { closing } else { range.end };
        if content < stop {
            self.lines(content..stop, Some(fence));
        }
    }

    /// Every line start within a range but the first, and places within very long lines.
    fn lines(&mut self, range: Range<usize>, fence: Option<Range<u32>>) {
        let mut at = range.start;
        let markdown = self.markdown;
        for line in markdown[range.clone()].split_inclusive('\n') {
            if at > range.start {
                self.push(at, CutRank::Line, fence.clone());
            }
            if line.len() > LONG {
                self.last = at;
                self.within(at..at + line.trim_end_matches('\n').len(), fence.clone());
            }
            at += line.len();
        }
    }

    /// Places within a line: behind a space where there are spaces, else between any two characters.
    fn within(&mut self, range: Range<usize>, fence: Option<Range<u32>>) {
        let markdown = self.markdown;
        let Some(text) = markdown.get(range.clone()) else {
            return;
        };
        for (at, c) in text.char_indices() {
            let place = range.start + at;
            let far = place.saturating_sub(self.last);
            let behind_space = c == ' ' && far >= STEP;
            if behind_space || (far >= STEP * 3 / 2 && at > 0) {
                let place = place + usize::from(behind_space);
                self.push(place, CutRank::Line, fence.clone());
                self.last = place;
            }
        }
    }

    fn push(&mut self, at: usize, rank: CutRank, fence: Option<Range<u32>>) {
        self.cuts.push(Cut {
            offset: offset(at),
            rank,
            fence,
        });
    }

    fn line_start(&self, at: usize) -> usize {
        self.markdown[..at].rfind('\n').map_or(0, |found| found + 1)
    }
}

fn is_block_end(tag: TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
    )
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
