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

/// What a byte is, in three bits.
const OTHER: u8 = 0;
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;
const DIGIT: u8 = 3;
const UNDERSCORE: u8 = 4;
/// A sign that operators are made of, or that can stand before a name.
const SIGN: u8 = 5;
const NOT_ASCII: u8 = 6;

const KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'A'..=b'Z' => CAPITAL,
            b'a'..=b'z' => SMALL,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<'
            | b'=' | b'>' | b'?' | b'@' | b'^' | b'|' | b'~' => SIGN,
            0x80.. => NOT_ASCII,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

/// Whether a token or a part of one can start at a byte, by the kinds of the byte before it, of it and of the next one, three bits each: 1 when it
/// can, 0 when not, [`ASK`] when that takes the characters.
const CAN_START: [u8; 512] = {
    let mut table = [0; 512];
    let mut kinds = 0;
    while kinds < 512 {
        let (before, here, next) = ((kinds >> 6) as u8, (kinds >> 3) as u8 & 7, kinds as u8 & 7);
        let in_name = matches!(before, SMALL | CAPITAL | DIGIT);
        table[kinds] = match here {
            _ if before == NOT_ASCII || here == NOT_ASCII => ASK,
            SMALL | DIGIT => !in_name as u8,
            CAPITAL => (before != CAPITAL || next == SMALL) as u8,
            UNDERSCORE => 1,
            // A sign alone is no token.
            SIGN => matches!(next, SIGN | SMALL | CAPITAL | DIGIT) as u8,
            _ => 0,
        };
        kinds += 1;
    }
    table
};
const ASK: u8 = 2;

impl Starts {
    /// Finds the places.
    pub(crate) fn of(text: &str) -> Self {
        /// Bytes that are looked at before their places are kept.
        const BLOCK: usize = 64;
        let bytes = text.as_bytes();
        let mut places: Vec<u32> = Vec::with_capacity(bytes.len() / 4);
        let kind = |byte: u8| usize::from(KINDS[usize::from(byte)]);
        // The kinds of three bytes in a row: nothing stands before the first.
        let mut kinds = bytes.first().map_or(0, |first| kind(*first));
        for (number, block) in bytes.chunks(BLOCK).enumerate() {
            let start = number * BLOCK;
            let behind = bytes.get(start + block.len()).copied().unwrap_or(b' ');
            let (mut found, mut count) = ([0u32; BLOCK], 0);
            let nexts = block[1..].iter().copied().chain([behind]);
            for (at, next) in (start..).zip(nexts) {
                kinds = (kinds << 3 | kind(next)) & 511;
                // Without a branch: a place that is none is written over by the next one.
                found[count % BLOCK] = at as u32;
                let can_start_here = CAN_START[kinds];
                if can_start_here == ASK {
                    count += usize::from(can_start(text, at));
                } else {
                    count += usize::from(can_start_here);
                }
            }
            places.extend_from_slice(&found[..count]);
        }
        places.shrink_to_fit();
        let pair = |at: &u32| {
            let at = *at as usize;
            pair(bytes[at], bytes.get(at + 1).copied().unwrap_or(b' '))
        };
        Self {
            pairs: places.iter().map(pair).collect(),
            places,
        }
    }

    fn bytes(&self) -> usize {
        self.places.len() * (size_of::<u32>() + size_of::<u16>())
    }

    /// The places, each with its pair of bytes.
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
    #[test]
    fn places_are_found_in_blocks_as_one_by_one() {
        // As a reader would have it who looks at each character and its neighbours.
        let by_hand = |text: &str, at: usize| {
            let mut before = text[..at].chars();
            let mut rest = text[at..].chars();
            let (before, here, next) = (before.next_back(), rest.next(), rest.next());
            let is_sign = |c: char| c.is_ascii_punctuation() && !"\"'(),;[\\]`{}_".contains(c);
            let here = here.expect("a character");
            match before {
                Some(before) if !before.is_ascii() || !here.is_ascii() => can_start(text, at),
                None if !here.is_ascii() => can_start(text, at),
                _ if here == '_' => true,
                _ if here.is_ascii_alphanumeric() => {
                    !before.is_some_and(|c| c.is_ascii_alphanumeric())
                        || here.is_ascii_uppercase()
                            && (!before.is_some_and(|c| c.is_ascii_uppercase())
                                || next.is_some_and(|c| c.is_ascii_lowercase()))
                }
                _ => {
                    let goes_on = |c: char| is_sign(c) || c.is_ascii_alphanumeric();
                    is_sign(here) && next.is_some_and(goes_on)
                }
            }
        };
        let signs = "aB3_-.é检 \"A#b’c\n+";
        let mut state = 1u64;
        for length in 0..300 {
            let mut text = String::new();
            for _ in 0..length {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let place = (state >> 33) as usize % signs.chars().count();
                text.extend(signs.chars().nth(place));
            }
            let expected: Vec<usize> = text
                .char_indices()
                .map(|(at, _)| at)
                .filter(|at| by_hand(&text, *at))
                .collect();
            let found: Vec<usize> = Starts::of(&text).iter().map(|(at, _)| at).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
