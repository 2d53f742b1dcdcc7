//! Reads published markdown: its outline, its plain text, and where it may be cut.
//!
//! Everything said about a place is a byte offset in the markdown that was given, on a character boundary.

use std::ops::Range;

use artifact::clean::one_line;
use artifact::route::{Anchors, Slugger};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::cuts::Cuts;
use super::html::{self, Html};
use super::slugs::Strategy;
use crate::site::{Heading, Reading, Span};

/// Reads a page. Places for cuts are only looked for when it has more than `limit` characters.
pub fn read(markdown: &str, limit: usize) -> Reading {
    read_with(markdown, limit, Anchors::GitHub)
}

/// The same, with headings named as a generator does.
pub(crate) fn read_with(markdown: &str, limit: usize, anchors: Anchors) -> Reading {
    // Longer than any offset can tell: nobody writes that, and nothing good could be said about it.
    if u32::try_from(markdown.len()).is_err() {
        return Reading::default();
    }
    let is_long = markdown.len() > limit && markdown.chars().count() > limit;
    let mut reader = Reader {
        markdown,
        reading: Reading::default(),
        gap: Gap::Line,
        verbatim: false,
        heading: None,
        name: String::new(),
        anchors,
        slugger: Slugger::of(anchors),
        html: Html::default(),
        code: 0,
    };
    let mut cuts = is_long.then(|| Cuts::new(markdown));
    for (event, range) in Parser::new_ext(markdown, super::options()).into_offset_iter() {
        if let Some(cuts) = &mut cuts {
            cuts.see(&event, &range);
        }
        reader.see(event, range);
    }
    reader.reading.cuts = cuts.map_or_else(Vec::new, Cuts::finish);
    reader.reading
}

/// What stands between the last piece of text and the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
}

struct Reader<'a> {
    markdown: &'a str,
    reading: Reading,
    gap: Gap,
    /// Whether the last span's text is the markdown itself.
    verbatim: bool,
    heading: Option<Heading>,
    /// The open heading's text as its anchor is made of it.
    name: String,
    anchors: Anchors,
    slugger: Slugger,
    html: Html,
    /// How many code blocks we are in: none or one.
    code: usize,
}

impl Reader<'_> {
    fn see(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code > 0 => self.code_text(&text, range),
            Event::Text(text) => {
                let named = self.name.len();
                self.text(&text, range);
                if is_hugo(self.anchors) && self.name[named..].contains("--") {
                    let own = self.name.split_off(named);
                    self.name
                        .push_str(&own.replace("---", "").replace("--", ""));
                }
            }
            Event::Code(code) => {
                let range = self.inside_backticks(range);
                self.text(&code, range);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text, range),
            Event::Html(text) => self.html(&text, range, false),
            Event::InlineHtml(text) => self.html(&text, range, true),
            Event::SoftBreak | Event::HardBreak => {
                self.widen(Gap::Space);
                self.heading_text(" ");
            }
            Event::Rule => self.widen(Gap::Line),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => {}
            Tag::Link { .. } | Tag::Image { .. } => {}
            Tag::TableCell => self.widen(Gap::Space),
            Tag::Heading { level, id, .. } => {
                self.widen(Gap::Line);
                self.html = Html::default();
                self.name.clear();
                self.heading = Some(Heading {
                    level: level as u8,
                    text: String::new(),
                    anchor: id.map_or_else(String::new, |id| id.into_string()),
                    start: offset(range.start),
                });
            }
            tag => {
                self.widen(Gap::Line);
                self.code += usize::from(matches!(tag, Tag::CodeBlock(_)));
                // What an unclosed tag leaves behind ends with its block.
                self.html = Html::default();
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {}
            TagEnd::Link | TagEnd::Image => {}
            TagEnd::TableCell => self.widen(Gap::Space),
            TagEnd::Heading(_) => {
                self.widen(Gap::Line);
                self.end_heading();
            }
            tag => {
                self.widen(Gap::Line);
                if matches!(tag, TagEnd::CodeBlock) {
                    self.code = 0;
                }
            }
        }
    }

    fn end_heading(&mut self) {
        let Some(mut heading) = self.heading.take() else {
            return;
        };
        heading.text = one_line(&heading.text).into_owned();
        if heading.text.is_empty() {
            return;
        }
        let named = !heading.anchor.is_empty();
        if !named {
            let name = match self.anchors {
                Anchors::Zola => Strategy::On.anchor(&self.name),
                Anchors::ZolaSafe => Strategy::Safe.anchor(&self.name),
                Anchors::ZolaOff => Strategy::Off.anchor(&self.name),
                anchors if is_hugo(anchors) => std::mem::take(&mut self.name),
                _ => heading.text.clone(),
            };
            heading.anchor = self.slugger.slug(&name);
        }
        // An id given by hand may be taken, or take what a later heading would be called.
        let taken = |anchor: &str| self.reading.outline.iter().any(|h| h.anchor == anchor);
        if taken(&heading.anchor) {
            let free = (1..)
                .map(|n| format!("{}-{n}", heading.anchor))
                .find(|anchor| !taken(anchor));
            heading.anchor = free.unwrap_or_default();
        }
        self.reading.outline.push(heading);
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    fn heading_text(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.text.push_str(text);
            self.name.push_str(text);
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if !self.html.is_skipping() {
            self.heading_text(text);
            self.emit(text, range);
        }
    }

    /// Lines of a code block come one by one; those that stand together become one span.
    fn code_text(&mut self, text: &str, range: Range<usize>) {
        let kept = text.trim_end_matches('\n');
        let end = range.start + self.markdown[range.clone()].trim_end_matches('\n').len();
        if kept.trim().is_empty() {
            self.widen(Gap::Line);
            return;
        }
        let follows = self.reading.spans.last().is_some_and(|span| {
            self.verbatim
                && self.markdown.get(span.end as usize..range.start) == Some("\n")
                && self.gap == Gap::Line
        });
        let verbatim = self.markdown.get(range.start..end) == Some(kept);
        let in_block = self.code > 1;
        if follows && verbatim && in_block {
            if let Some(span) = self.reading.spans.last_mut() {
                span.end = offset(end);
            }
            self.reading.text.push('\n');
            self.reading.text.push_str(kept);
        } else {
            self.emit(kept, range.start..end);
        }
        // From the second line on, the span before it is of the same block.
        self.code = 2;
        if text.ends_with('\n') {
            self.widen(Gap::Line);
        }
    }

    fn html(&mut self, text: &str, range: Range<usize>, inline: bool) {
        if inline {
            let pieces = self.html.read(text);
            debug_assert!(pieces.is_empty() || !text.starts_with('<'));
            if !Html::is_within_word(text) {
                self.widen(Gap::Space);
            }
            return;
        }
        let source = &self.markdown[range.clone()];
        for piece in self.html.read(source) {
            if !piece.joined {
                self.widen(Gap::Space);
            }
            let decoded = html::decoded(&source[piece.range.clone()]);
            self.emit(
                &decoded,
                range.start + piece.range.start..range.start + piece.range.end,
            );
        }
        self.widen(Gap::Space);
    }

    fn emit(&mut self, text: &str, range: Range<usize>) {
        let Some(source) = self.markdown.get(range.clone()) else {
            return;
        };
        if text.is_empty() || source.is_empty() {
            return;
        }
        let first = self.reading.spans.is_empty();
        let joined = self.gap == Gap::None && !first;
        if !joined && text.trim().is_empty() {
            return;
        }
        let verbatim = source == text;
        // Code keeps its indentation; other text that begins anew begins with a word.
        let lead = if joined || !verbatim || self.code > 0 {
            0
        } else {
            text.len() - text.trim_start().len()
        };
        let (text, range) = (&text[lead..], range.start + lead..range.end);
        match self.reading.spans.last_mut() {
            Some(last)
                if joined && verbatim && self.verbatim && last.end as usize == range.start =>
            {
                last.end = offset(range.end);
            }
            _ => {
                if !joined && !first {
                    self.reading
                        .text
                        .push(if self.gap == Gap::Line { '\n' } else { ' ' });
                }
                self.reading.spans.push(Span {
                    start: offset(range.start),
                    end: offset(range.end),
                    joined,
                });
            }
        }
        self.reading.text.push_str(text);
        self.verbatim = verbatim;
        self.gap = Gap::None;
    }

    /// What stands between the backticks of a code span, without the space that sets them apart.
    fn inside_backticks(&self, range: Range<usize>) -> Range<usize> {
        let source = &self.markdown[range.clone()];
        let ticks = source.bytes().take_while(|b| *b == b'`').count();
        let Some(inside) = source.get(ticks..source.len().saturating_sub(ticks)) else {
            return range;
        };
        let padded = inside.len() > 2
            && inside.starts_with([' ', '\n'])
            && inside.ends_with([' ', '\n'])
            && !inside.trim_matches(' ').is_empty();
        let pad = usize::from(padded);
        range.start + ticks + pad..range.end - ticks - pad
    }
}

/// Hugo makes anchors of text in which `--` already is a dash.
fn is_hugo(anchors: Anchors) -> bool {
    matches!(
        anchors,
        Anchors::Hugo | Anchors::HugoAscii | Anchors::Blackfriday
    )
}

/// Offsets fit: `read` looks at the length first.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
