//! Titles, aliases and headings of each document as sequences of term hashes, for ranking by them.
//!
//! ```text
//! documents + 1 offsets (`offsets`) | a record a document | shared lines
//! record:  varint headings << 2 | has aliases << 1 | has a title | has aliases: varint aliases
//!          | the title, the aliases, the headings in the order of the page, each a line or a reference
//! reference:  varint shared << 1 | 1: 0 for the title again, else 1 + the offset of a shared line
//! line:    varint terms << 2 | parts << 1 | 0 | parts = 1: varint terms that are whole words
//!          | u8 sum of idf | terms x 16-bit hash
//! ```
//!
//! Aliases and headings that stand several times, such as "See also", are among the shared lines, the most frequent first.
//!
//! Whole words come first, in order, then the parts of identifiers among them: a line is the same as a question when their whole words are,
//! however `getUser` was spelled.
//!
//! A hash is the low 16 bits of the term's xxh3. Two terms may share one, once in 65,536 pairs; it moves a rank a little
//! and never decides what is found. Hashes serve terms of one document as well as all others.
//!
//! A sum of idf is kept as four bits of it behind its highest, and where that stands: within one part in thirty-two.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{Cursor, offset, put_varint};
use super::error::Error;
use super::hashes::{Hashes, PlainLine};
use super::offsets::{self, Offsets};

/// Terms of one line that are kept; a longer heading is a sentence.
const MOST_TERMS: usize = 32;
/// Lines of one document that are kept: a page with more headings than this is found by its first ones and its text.
const MOST_LINES: usize = 255;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineKind {
    /// The page's title.
    Title = 0,
    /// Another name of the page.
    Alias = 1,
    /// A heading within the page.
    Heading = 2,
}

/// A line to be written.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is.
    pub kind: LineKind,
    /// The hashes of its whole words, in order, and then of the parts of identifiers.
    pub hashes: Vec<u16>,
    /// How many of them are whole words.
    pub whole: usize,
    /// The sum of its terms' weights, by [`super::postings::idf`].
    pub weight: u32,
}

/// The hash of a term.
#[inline]
pub fn hash_of(term: &str) -> u16 {
    xxh3_64(term.as_bytes()) as u16
}

/// A weight in a byte: below 16 as it is, else its highest bit's place and the four bits behind it.
fn byte_of(weight: u32) -> u8 {
    if weight < 16 {
        return weight as u8;
    }
    // Half of what the four bits leave out is added, so that the nearest is taken.
    let shift = weight.ilog2() - 4;
    let rounded = u64::from(weight) + (1 << shift >> 1);
    let shift = rounded.ilog2() - 4;
    let byte = (u64::from(shift) + 1) << 4 | (rounded >> shift & 15);
    byte.min(255) as u8
}

/// The weight that a byte stands for.
#[inline]
fn weight_of(byte: u8) -> u32 {
    let low = u32::from(byte & 15);
    match byte >> 4 {
        0 => low,
        shift => (16 + low) << (shift - 1),
    }
}

/// Writes the section: the lines of each document, its title first, then its aliases, then its headings.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB, [`Error::Contradiction`] for lines in another order.
pub fn write(documents: &[Vec<Line>]) -> Result<Vec<u8>, Error> {
    let coded: Vec<Coded> = documents
        .iter()
        .map(|lines| Coded::new(lines))
        .collect::<Result<_, _>>()?;
    let (places, shared) = share(&coded)?;
    let mut offsets = vec![0u32];
    let mut blob = Vec::new();
    for Coded {
        title,
        aliases,
        others,
    } in &coded
    {
        let headings = (others.len() - aliases) as u32;
        put_varint(
            &mut blob,
            headings << 2 | u32::from(*aliases > 0) << 1 | u32::from(title.is_some()),
        );
        if *aliases > 0 {
            put_varint(&mut blob, *aliases as u32);
        }
        blob.extend(title.iter().flatten());
        for line in others {
            if title.as_ref() == Some(line) {
                put_varint(&mut blob, 1);
            } else if let Some(place) = places.get(line.as_slice()) {
                put_varint(&mut blob, (place + 1) << 1 | 1);
            } else {
                blob.extend_from_slice(line);
            }
        }
        offsets.push(offset(&blob, "bytes of headings")?);
    }
    blob.extend_from_slice(&shared);
    Ok(offsets::write(&offsets, &blob))
}

/// The lines of a document, each as its bytes.
struct Coded {
    title: Option<Vec<u8>>,
    /// How many of the others are aliases.
    aliases: usize,
    others: Vec<Vec<u8>>,
}

impl Coded {
    fn new(lines: &[Line]) -> Result<Self, Error> {
        let lines = &lines[..lines.len().min(MOST_LINES)];
        let count = |kind| lines.iter().filter(|line| line.kind == kind).count();
        let titles = count(LineKind::Title);
        if titles > 1 || !lines.is_sorted_by_key(|line| line.kind) {
            return Err(Error::Contradiction("lines out of order"));
        }
        let (title, others) = lines.split_at(titles);
        Ok(Self {
            title: title.first().map(encode),
            aliases: count(LineKind::Alias),
            others: others.iter().map(encode).collect(),
        })
    }
}

fn encode(line: &Line) -> Vec<u8> {
    let mut out = Vec::with_capacity(3 + line.hashes.len() * 2);
    let hashes = &line.hashes[..line.hashes.len().min(MOST_TERMS)];
    let whole = line.whole.min(hashes.len());
    let parts = u32::from(whole < hashes.len());
    put_varint(&mut out, (hashes.len() as u32) << 2 | parts << 1);
    if parts == 1 {
        put_varint(&mut out, whole as u32);
    }
    out.push(byte_of(line.weight));
    for hash in hashes {
        out.extend_from_slice(&hash.to_le_bytes());
    }
    out
}

/// Where each shared line stands.
type Places<'c> = HashMap<&'c [u8], u32>;

/// The lines that stand several times, and the place of each among the bytes of all of them.
fn share(documents: &[Coded]) -> Result<(Places<'_>, Vec<u8>), Error> {
    let mut counts: HashMap<&[u8], u32> = HashMap::new();
    for document in documents {
        for line in &document.others {
            if document.title.as_ref() != Some(line) {
                *counts.entry(line).or_default() += 1;
            }
        }
    }
    let mut several: Vec<(u32, &[u8])> = counts
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(line, count)| (count, line))
        .collect();
    several.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(right.1)));
    let mut places = HashMap::with_capacity(several.len());
    let mut shared = Vec::new();
    for (_, line) in several {
        places.insert(line, offset(&shared, "bytes of headings")?);
        shared.extend_from_slice(line);
    }
    Ok((places, shared))
}

/// A line, read in place.
#[derive(Clone, Copy, Debug)]
pub struct LineView<'a> {
    /// What it is.
    pub kind: LineKind,
    /// The sum of its terms' weights, to within one part in thirty-two.
    pub weight: u32,
    hashes: &'a [u8],
    whole: usize,
}

impl<'a> LineView<'a> {
    /// The hashes of its whole words, in order.
    #[inline]
    pub fn whole(&self) -> impl ExactSizeIterator<Item = u16> + Clone + use<'a> {
        self.hashes().take(self.whole)
    }

    /// The hashes of its whole words, in order, and then of the parts of identifiers.
    #[inline]
    pub fn hashes(&self) -> impl ExactSizeIterator<Item = u16> + Clone + use<'a> {
        self.hashes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|two| u16::from_le_bytes(*two))
    }
}

/// The section, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Headings<'a> {
    offsets: Offsets<'a>,
    records: &'a [u8],
    shared: &'a [u8],
}

impl<'a> Headings<'a> {
    /// Opens the section over `documents` documents.
    pub fn open(bytes: &'a [u8], documents: usize) -> Option<Self> {
        let (offsets, blob) = Offsets::open(bytes, documents.checked_add(1)?)?;
        let (records, shared) = blob.split_at_checked(offsets.get(documents)?)?;
        Some(Self {
            offsets,
            records,
            shared,
        })
    }

    /// The lines of a document, title first; empty where the bytes are damaged.
    #[inline]
    pub fn lines(&self, document: u32) -> Lines<'a> {
        let record = self
            .offsets
            .range(document as usize)
            .and_then(|range| self.records.get(range));
        let mut cursor = Cursor::new(record.unwrap_or_default());
        let head = cursor.varint().unwrap_or(0);
        let aliases = if head & 2 != 0 {
            cursor.varint().unwrap_or(0)
        } else {
            0
        };
        Lines {
            titles: head & 1,
            aliases,
            headings: head >> 2,
            title: cursor.clone(),
            cursor,
            shared: self.shared,
        }
    }
}

/// The lines of a document, read one after another.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    titles: u32,
    aliases: u32,
    headings: u32,
    cursor: Cursor<'a>,
    /// Where the title stands.
    title: Cursor<'a>,
    shared: &'a [u8],
}

impl<'a> Lines<'a> {
    /// The next line, if it is the title or an alias: those come before the headings.
    #[inline]
    pub fn next_name(&mut self) -> Option<LineView<'a>> {
        (self.titles > 0 || self.aliases > 0).then(|| self.next())?
    }

    /// Calls `visit` with each line that is left and may hold one of the `wanted` hashes; most lines are passed over.
    #[inline]
    pub fn for_each_with(mut self, wanted: &Hashes, mut visit: impl FnMut(LineView<'a>)) {
        let mut bytes = self.cursor.rest();
        while self.titles == 0 && self.aliases == 0 && self.headings > 0 {
            let is_reference = bytes.first().is_some_and(|head| head & 1 == 1);
            let (line, behind) = if is_reference {
                let mut cursor = Cursor::new(bytes);
                let place = cursor.varint().and_then(|head| (head >> 1).checked_sub(1));
                let line = match place {
                    None => PlainLine::read(self.title.rest()),
                    Some(place) => self.shared.get(place as usize..).and_then(PlainLine::read),
                };
                (line, cursor.rest())
            } else {
                let line = PlainLine::read(bytes);
                let behind = line.as_ref().map_or(bytes, PlainLine::behind);
                (line, behind)
            };
            match line {
                Some(line) => {
                    bytes = behind;
                    self.headings -= 1;
                    if wanted.may_have_any(&line) {
                        visit(LineView {
                            kind: LineKind::Heading,
                            weight: weight_of(line.weight),
                            hashes: line.hashes(),
                            whole: line.length / 2,
                        });
                    }
                }
                None => {
                    self.cursor = Cursor::new(bytes);
                    let Some(line) = self.next() else {
                        return;
                    };
                    bytes = self.cursor.rest();
                    if line.hashes().any(|hash| wanted.may_have(hash)) {
                        visit(line);
                    }
                }
            }
        }
        self.cursor = Cursor::new(bytes);
        for line in self {
            visit(line);
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = LineView<'a>;

    #[inline]
    fn next(&mut self) -> Option<LineView<'a>> {
        let (left, kind) = match (self.titles, self.aliases) {
            (0, 0) => (&mut self.headings, LineKind::Heading),
            (0, _) => (&mut self.aliases, LineKind::Alias),
            _ => (&mut self.titles, LineKind::Title),
        };
        *left = left.checked_sub(1)?;
        let head = self.cursor.varint()?;
        if head & 1 == 0 {
            return read(head, &mut self.cursor, kind);
        }
        let mut cursor = match (head >> 1).checked_sub(1) {
            None => self.title.clone(),
            Some(place) => Cursor::new(self.shared.get(place as usize..)?),
        };
        let head = cursor.varint()?;
        read(head, &mut cursor, kind)
    }
}

/// Reads a line behind its head.
#[inline]
fn read<'a>(head: u32, cursor: &mut Cursor<'a>, kind: LineKind) -> Option<LineView<'a>> {
    if head & 1 == 1 {
        return None;
    }
    let terms = head >> 2;
    let whole = if head & 2 != 0 {
        cursor.varint()?
    } else {
        terms
    };
    Some(LineView {
        kind,
        weight: weight_of(cursor.byte()?),
        hashes: cursor.take(terms as usize * 2)?,
        whole: whole.min(terms) as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: LineKind, words: &[&str]) -> Line {
        Line {
            kind,
            hashes: words.iter().map(|word| hash_of(word)).collect(),
            whole: words.len().min(2),
            weight: words.len() as u32 * 96,
        }
    }

    fn documents() -> Vec<Vec<Line>> {
        use LineKind::{Alias, Heading, Title};
        vec![
            vec![
                line(Title, &["map", "file"]),
                line(Alias, &["mmap"]),
                line(Heading, &["map", "file"]),
                line(Heading, &["getuser", "now", "get", "user"]),
                line(Heading, &[]),
                line(Heading, &["see", "also"]),
            ],
            vec![],
            vec![
                line(Heading, &["see", "also"]),
                line(Heading, &["see", "more"]),
            ],
        ]
    }

    fn all(headings: &Headings, document: u32) -> Vec<(LineKind, u32, Vec<u16>, usize)> {
        let lines = headings.lines(document);
        let line = |line: LineView| {
            let whole = line.whole().count();
            (line.kind, line.weight, line.hashes().collect(), whole)
        };
        lines.map(line).collect()
    }

    #[test]
    fn lines_come_back_in_order() {
        let documents = documents();
        let bytes = write(&documents).unwrap();
        let headings = Headings::open(&bytes, 3).unwrap();
        for (number, lines) in documents.iter().enumerate() {
            let expected: Vec<_> = lines
                .iter()
                .map(|line| {
                    let whole = line.whole.min(line.hashes.len());
                    (line.kind, line.weight, line.hashes.clone(), whole)
                })
                .collect();
            assert_eq!(all(&headings, number as u32), expected);
        }
        assert_eq!(headings.lines(7).count(), 0);
    }

    #[test]
    fn lines_with_a_hash_are_those_of_a_full_look() {
        let mut documents = documents();
        let words: Vec<String> = (0..40).map(|n| format!("w{n}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        documents[0].push(line(LineKind::Heading, &words));
        let bytes = write(&documents).unwrap();
        let headings = Headings::open(&bytes, 3).unwrap();
        let wanted: [&[&str]; 5] = [&[], &["file"], &["see", "user"], &["w9"], &["w39"]];
        for wanted in wanted {
            let wanted = Hashes::new(wanted.iter().map(|word| hash_of(word)));
            for document in 0..4 {
                let mut lines = headings.lines(document);
                while lines.next_name().is_some() {}
                let seen = |line: &LineView| {
                    let hashes: Vec<u16> = line.hashes().collect();
                    (line.weight, hashes, line.whole().count())
                };
                let is_wanted = |line: &LineView| {
                    let mut hashes = line.hashes();
                    hashes.any(|hash| wanted.may_have(hash))
                };
                let expected = lines.clone().filter(is_wanted);
                let expected: Vec<_> = expected.map(|line| seen(&line)).collect();
                let mut found = Vec::new();
                lines.for_each_with(&wanted, |line| found.push(seen(&line)));
                assert_eq!(found, expected, "{document}");
            }
        }
    }

    #[test]
    fn a_line_that_stands_elsewhere_takes_one_byte() {
        let mut documents = documents();
        let before = write(&documents).unwrap().len();
        documents[0].push(line(LineKind::Heading, &["see", "also"]));
        documents[0].push(line(LineKind::Heading, &["map", "file"]));
        assert_eq!(write(&documents).unwrap().len(), before + 2);
    }

    #[test]
    fn weights_come_back_within_one_part_in_thirty_two() {
        for weight in 0..200_000 {
            let got = weight_of(byte_of(weight));
            assert!(got.abs_diff(weight) * 32 <= weight, "{weight} became {got}");
        }
        assert_eq!(weight_of(byte_of(u32::MAX)), 31 << 14);
    }

    #[test]
    fn lines_out_of_order_are_refused() {
        let mut documents = documents();
        documents[0].swap(0, 1);
        assert!(write(&documents).is_err());
    }

    #[test]
    fn damage_ends_the_lines_and_is_no_panic() {
        let bytes = write(&documents()).unwrap();
        let everything = Hashes::new(0..1_024);
        for at in 0..bytes.len() {
            for flip in [0x01, 0x02, 0x80, 0xff] {
                let mut broken = bytes.clone();
                broken[at] ^= flip;
                if let Some(headings) = Headings::open(&broken, 3) {
                    (0..4).for_each(|document| drop(all(&headings, document)));
                    (0..4).for_each(|document| {
                        let mut lines = headings.lines(document);
                        while lines.next_name().is_some() {}
                        lines.for_each_with(&everything, |line| {
                            assert!(line.whole().count() < 1 << 30)
                        });
                    });
                }
            }
            if let Some(headings) = Headings::open(&bytes[..at], 3) {
                (0..4).for_each(|document| drop(all(&headings, document)));
            }
        }
    }
}
