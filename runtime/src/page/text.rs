//! A page's plain text, with what looking for words in it needs.

use artifact::format::{Frame, Heading};
use artifact::text::is_unspaced;

/// A page's plain text and headings.
#[derive(Debug)]
pub(crate) struct Text {
    /// The text without the heading that repeats the page's title, with a line feed where a block ends.
    plain: String,
    /// That heading's text.
    title: String,
    /// Places where a span starts: in the text, in the markdown.
    spans: Vec<(u32, u32)>,
    starts: Starts,
    /// The texts of the headings, a line each.
    lines: String,
    line_starts: Starts,
    anchors: String,
    sections: Vec<Section>,
}

/// A heading, as the section below it is found.
#[derive(Debug)]
struct Section {
    /// Byte offset in the markdown.
    start: u32,
    /// Where its text ends in `lines`, and its anchor in `anchors`.
    line_end: u32,
    anchor_end: u32,
    /// Whether it repeats the page's title, which is no section.
    is_title: bool,
}

impl Text {
    /// Reads a page.
    pub(crate) fn of(frame: &Frame, title: &str) -> Self {
        let headings = frame.headings();
        let markdown = frame.markdown();
        let repeated = headings
            .first()
            .filter(|heading| is_title(heading, title))
            .map(|heading| {
                let start = heading.start as usize;
                let line = markdown.get(start..).and_then(|rest| rest.find('\n'));
                heading.start..line.map_or(markdown.len(), |length| start + length) as u32
            })
            .unwrap_or_default();
        let mut plain = String::with_capacity(markdown.len());
        let mut title_line = String::new();
        let mut spans = Vec::new();
        let mut starts_of_headings = headings.iter().map(|heading| heading.start).peekable();
        // The end of the span before, and whether it was of a heading.
        let (mut behind, mut in_heading) = (0, false);
        for span in frame.spans() {
            let mut starts_heading = false;
            while starts_of_headings
                .next_if(|start| *start <= span.start)
                .is_some()
            {
                starts_heading = true;
            }
            let gap = markdown
                .get(behind as usize..span.start as usize)
                .unwrap_or_default();
            let ends_block = starts_heading || ends_block(gap, in_heading);
            in_heading = starts_heading || (in_heading && !ends_block);
            behind = span.end;
            let is_repeated = repeated.contains(&span.start);
            let out = if is_repeated {
                &mut title_line
            } else {
                &mut plain
            };
            if !span.joined && !out.is_empty() {
                out.push(if ends_block { '\n' } else { ' ' });
            }
            if !is_repeated {
                spans.push((out.len() as u32, span.start));
            }
            out.push_str(
                markdown
                    .get(span.start as usize..span.end as usize)
                    .unwrap_or_default(),
            );
        }
        plain.shrink_to_fit();
        let (mut lines, mut anchors) = (String::new(), String::new());
        let mut sections = Vec::with_capacity(headings.len());
        for heading in &headings {
            lines.push_str(heading.text);
            anchors.push_str(heading.anchor);
            sections.push(Section {
                start: heading.start,
                line_end: lines.len() as u32,
                anchor_end: anchors.len() as u32,
                is_title: is_title(heading, title),
            });
            lines.push('\n');
        }
        Self {
            starts: Starts::of(&plain),
            line_starts: Starts::of(&lines),
            plain,
            title: title_line,
            spans,
            lines,
            anchors,
            sections,
        }
    }

    /// How many bytes of memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.plain.len()
            + self.title.len()
            + self.lines.len()
            + self.anchors.len()
            + self.spans.len() * size_of::<(u32, u32)>()
            + self.sections.len() * size_of::<Section>()
            + self.starts.bytes()
            + self.line_starts.bytes()
    }

    /// The text without the heading that repeats the page's title.
    pub(crate) fn plain(&self) -> &str {
        &self.plain
    }

    /// Where words can start in it.
    pub(crate) fn starts(&self) -> &Starts {
        &self.starts
    }

    /// The heading that repeats the page's title; empty where there is none.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The texts of the headings, a line each.
    pub(crate) fn lines(&self) -> &str {
        &self.lines
    }

    /// Where words can start in them.
    pub(crate) fn line_starts(&self) -> &Starts {
        &self.line_starts
    }

    /// How many headings there are.
    pub(crate) fn sections(&self) -> usize {
        self.sections.len()
    }

    /// Where a heading's text stands in [`Text::lines`].
    pub(crate) fn line(&self, section: usize) -> std::ops::Range<usize> {
        let before = section.checked_sub(1).map(|before| &self.sections[before]);
        let start = before.map_or(0, |before| before.line_end as usize + 1);
        start..self.sections[section].line_end as usize
    }

    /// A heading's text and its anchor.
    pub(crate) fn heading(&self, section: usize) -> (&str, &str) {
        let before = section.checked_sub(1).map(|before| &self.sections[before]);
        let start = before.map_or(0, |before| before.anchor_end as usize);
        let anchor = start..self.sections[section].anchor_end as usize;
        (&self.lines[self.line(section)], &self.anchors[anchor])
    }

    /// Whether a heading repeats the page's title.
    pub(crate) fn is_title(&self, section: usize) -> bool {
        self.sections[section].is_title
    }

    /// The heading that a place in the text stands under. The page's title is no section.
    pub(crate) fn section_over(&self, at: usize) -> Option<usize> {
        let at = self.in_markdown(at);
        let behind = self.sections.partition_point(|heading| heading.start <= at);
        let section = behind.checked_sub(1)?;
        (!self.sections[section].is_title).then_some(section)
    }

    /// The place in the markdown of a place in the text.
    fn in_markdown(&self, at: usize) -> u32 {
        let at = at as u32;
        let behind = self.spans.partition_point(|(start, _)| *start <= at);
        self.spans
            .get(behind.wrapping_sub(1))
            .map_or(0, |(start, offset)| offset + (at - start))
    }
}

fn is_title(heading: &Heading, title: &str) -> bool {
    heading.level == 1 && heading.text.trim() == title
}

/// Whether a block of the page, or a cell of a table, ends in a piece of markdown between two pieces of text.
///
/// A line break alone is a break within a paragraph, but behind a heading.
fn ends_block(gap: &str, in_heading: bool) -> bool {
    if gap.contains('|') {
        return true;
    }
    let Some((_, next)) = gap.split_once('\n') else {
        return false;
    };
    let next = next.trim_start_matches([' ', '\t', '>']);
    in_heading
        || next.starts_with(['\n', '\r', '#', '`', '~', ':'])
        || next.starts_with(|c: char| c.is_ascii_digit())
        || ["- ", "* ", "+ "].iter().any(|item| next.starts_with(item))
}

/// The places in a text where a token, or a part of an identifier, can start, ascending.
///
/// Beside each place stand the two bytes that are there, ASCII letters in lower case: that is enough to pass over nearly all of them.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    places: Vec<u32>,
    pairs: Vec<u16>,
}

/// What a byte of ASCII is.
const LETTER_OR_DIGIT: u8 = 1;
const CAPITAL: u8 = 2;
const SMALL: u8 = 4;
/// A sign that operators are made of, or that can stand before a name.
const SIGN: u8 = 8;
const UNDERSCORE: u8 = 16;
const NOT_ASCII: u8 = 32;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'A'..=b'Z' => LETTER_OR_DIGIT | CAPITAL,
            b'a'..=b'z' => LETTER_OR_DIGIT | SMALL,
            b'0'..=b'9' => LETTER_OR_DIGIT,
            b'_' => UNDERSCORE,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<'
            | b'=' | b'>' | b'?' | b'@' | b'^' | b'|' | b'~' => SIGN,
            0x80.. => NOT_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

impl Starts {
    /// Finds the places.
    pub(crate) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = Self {
            places: Vec::with_capacity(bytes.len() / 4),
            pairs: Vec::new(),
        };
        let mut before = 0;
        let mut here = bytes.first().map_or(0, |byte| KINDS[usize::from(*byte)]);
        for at in 0..bytes.len() {
            let next = bytes
                .get(at + 1)
                .map_or(0, |byte| KINDS[usize::from(*byte)]);
            let can_start = if (before | here) & NOT_ASCII != 0 {
                can_start(text, at)
            } else if here & LETTER_OR_DIGIT != 0 {
                before & LETTER_OR_DIGIT == 0
                    || here & CAPITAL != 0 && (before & CAPITAL == 0 || next & SMALL != 0)
            } else {
                // A sign alone is no token.
                here & UNDERSCORE != 0 || here & SIGN != 0 && next & (SIGN | LETTER_OR_DIGIT) != 0
            };
            if can_start {
                starts.places.push(at as u32);
            }
            before = here;
            here = next;
        }
        starts.places.shrink_to_fit();
        let pair = |at: &u32| {
            let at = *at as usize;
            pair(bytes[at], bytes.get(at + 1).copied().unwrap_or(b' '))
        };
        starts.pairs = starts.places.iter().map(pair).collect();
        starts
    }

    fn bytes(&self) -> usize {
        self.places.len() * (size_of::<u32>() + size_of::<u16>())
    }

    /// The places from one of them on, each with its pair of bytes.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, u16)> + '_ {
        let places = self.places.iter().map(|place| *place as usize);
        places.zip(self.pairs.iter().copied())
    }
}

/// Two bytes as one number, ASCII letters in lower case.
#[inline]
pub(crate) fn pair(first: u8, second: u8) -> u16 {
    u16::from(first.to_ascii_lowercase()) << 8 | u16::from(second.to_ascii_lowercase())
}

/// Whether a word, or a part of an identifier, can start at byte `at`, when one of the characters before and behind it is not ASCII.
fn can_start(text: &str, at: usize) -> bool {
    if !text.is_char_boundary(at) {
        return false;
    }
    let Some(here) = text[at..].chars().next() else {
        return false;
    };
    // Dashes, quotation marks and the like start no word.
    if matches!(here, '\u{2010}'..='\u{205e}') {
        return false;
    }
    let Some(before) = text[..at].chars().next_back() else {
        return true;
    };
    !before.is_alphanumeric()
        || is_unspaced(here)
        || is_unspaced(before)
        || (here.is_uppercase() && !before.is_uppercase())
}

#[cfg(test)]
mod tests {
    use artifact::text::tokens;

    use super::*;

    #[test]
    fn every_token_and_every_part_of_a_name_has_a_place() {
        let text = "The getElementById of a HTTPServer, Msg_IDT_ZOOM; --dry-run, .NET and C++: a ||> b (=>) `::` #12 @types/node \
                    déjà-vu É’tat naïveThing 检索系统 JWT令牌 “quoted” 3.5.1 — x²";
        let starts = Starts::of(text);
        let places: Vec<usize> = starts.iter().map(|(place, _)| place).collect();
        assert!(places.is_sorted_by(|left, right| left < right));
        tokens(text, |token| {
            assert!(places.contains(&token.start), "{token:?}");
        });
        for part in ["Element", "By", "Id", "Server", "IDT", "ZOOM", "Thing"] {
            assert!(places.contains(&text.find(part).unwrap()), "{part}");
        }
    }

    #[test]
    fn a_place_has_the_bytes_that_stand_there() {
        let starts = Starts::of("Ab c");
        let found: Vec<(usize, u16)> = starts.iter().collect();
        assert_eq!(found, [(0, pair(b'a', b'b')), (3, pair(b'c', b' '))]);
        assert_eq!(Starts::of("").iter().count(), 0);
    }
}
