//! Titles, aliases and headings of each document as sequences of term hashes, for ranking by them.
//!
//! `documents + 1` little-endian 32-bit offsets, then for each document its lines: the title, the aliases, the headings in
//! the order of the page.
//!
//! ```text
//! varint lines | for each: varint terms << 3 | parts << 2 | kind (0 title, 1 alias, 2 heading)
//!                          | parts = 1: varint terms that are whole words
//!                          | 16-bit sum of idf | terms x 16-bit hash
//! ```
//!
//! Whole words come first, in order, then the parts of identifiers among them: a line is the same as a question when their whole words are,
//! however `getUser` was spelled.
//!
//! A hash is the low 16 bits of the term's xxh3. Two terms may share one, once in 65,536 pairs; it moves a rank a little
//! and never decides what is found. Hashes serve terms of one document, which have no ordinal, as well as all others.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{Cursor, offset, put_u32s, put_varint, u32_at};
use super::error::Error;

/// Terms of one line that are kept; a longer heading is a sentence.
const MOST_TERMS: usize = 32;
/// Lines of one document that are kept: a page with more headings than this is found by its first ones and its text.
const MOST_LINES: usize = 255;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Writes the section: the lines of each document.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB.
pub fn write(documents: &[Vec<Line>]) -> Result<Vec<u8>, Error> {
    let mut offsets = vec![0u32];
    let mut blob = Vec::new();
    for lines in documents {
        let lines = &lines[..lines.len().min(MOST_LINES)];
        put_varint(&mut blob, lines.len() as u32);
        for line in lines {
            let hashes = &line.hashes[..line.hashes.len().min(MOST_TERMS)];
            let whole = line.whole.min(hashes.len());
            let parts = u32::from(whole < hashes.len());
            put_varint(
                &mut blob,
                (hashes.len() as u32) << 3 | parts << 2 | line.kind as u32,
            );
            if parts == 1 {
                put_varint(&mut blob, whole as u32);
            }
            blob.extend_from_slice(&(line.weight.min(u32::from(u16::MAX)) as u16).to_le_bytes());
            hashes
                .iter()
                .for_each(|hash| blob.extend_from_slice(&hash.to_le_bytes()));
        }
        offsets.push(offset(&blob, "bytes of headings")?);
    }
    let mut out = Vec::with_capacity(offsets.len() * 4 + blob.len());
    put_u32s(&mut out, offsets);
    out.extend_from_slice(&blob);
    Ok(out)
}

/// A line, read in place.
#[derive(Clone, Copy, Debug)]
pub struct LineView<'a> {
    /// What it is.
    pub kind: LineKind,
    /// The sum of its terms' weights.
    pub weight: u32,
    hashes: &'a [u8],
    whole: usize,
}

impl<'a> LineView<'a> {
    /// The hashes of its whole words, in order.
    #[inline]
    pub fn whole(&self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
        self.hashes().take(self.whole)
    }

    /// The hashes of its whole words, in order, and then of the parts of identifiers.
    #[inline]
    pub fn hashes(&self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
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
    bytes: &'a [u8],
    blob: usize,
}

impl<'a> Headings<'a> {
    /// Opens the section over `documents` documents.
    pub fn open(bytes: &'a [u8], documents: usize) -> Option<Self> {
        let blob = documents.checked_add(1)?.checked_mul(4)?;
        (blob <= bytes.len()).then_some(Self { bytes, blob })
    }

    /// The lines of a document, title first; empty where the bytes are damaged.
    #[inline]
    pub fn lines(&self, document: u32) -> Lines<'a> {
        let at = |place| {
            Some(
                self.blob
                    .saturating_add(u32_at(self.bytes, place)? as usize),
            )
        };
        let place = document as usize;
        let lines = at(place).zip(at(place.saturating_add(1)));
        let mut cursor = Cursor::new(
            lines
                .and_then(|(start, end)| self.bytes.get(start..end))
                .unwrap_or_default(),
        );
        Lines {
            left: cursor.varint().unwrap_or(0),
            cursor,
        }
    }
}

/// The lines of a document, read one after another.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    left: u32,
    cursor: Cursor<'a>,
}

impl<'a> Iterator for Lines<'a> {
    type Item = LineView<'a>;

    #[inline]
    fn next(&mut self) -> Option<LineView<'a>> {
        self.left = self.left.checked_sub(1)?;
        let head = self.cursor.varint()?;
        let kind = match head & 3 {
            0 => LineKind::Title,
            1 => LineKind::Alias,
            2 => LineKind::Heading,
            _ => return None,
        };
        let terms = head >> 3;
        let whole = if head & 4 != 0 {
            self.cursor.varint()?
        } else {
            terms
        };
        Some(LineView {
            kind,
            weight: u32::from(self.cursor.u16()?),
            hashes: self.cursor.take(terms as usize * 2)?,
            whole: whole.min(terms) as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_in_order() {
        let line = |kind, words: &[&str]| Line {
            kind,
            hashes: words.iter().map(|word| hash_of(word)).collect(),
            whole: words.len().min(2),
            weight: words.len() as u32 * 100,
        };
        let documents = vec![
            vec![
                line(LineKind::Title, &["map", "file"]),
                line(LineKind::Alias, &["mmap"]),
                line(LineKind::Heading, &["getuser", "now", "get", "user"]),
                line(LineKind::Heading, &[]),
            ],
            vec![],
        ];
        let bytes = write(&documents).unwrap();
        let headings = Headings::open(&bytes, 2).unwrap();
        let got: Vec<_> = headings
            .lines(0)
            .map(|line| (line.kind, line.weight, line.hashes().collect::<Vec<_>>()))
            .collect();
        assert_eq!(
            got[0],
            (LineKind::Title, 200, vec![hash_of("map"), hash_of("file")])
        );
        assert_eq!(got[1], (LineKind::Alias, 100, vec![hash_of("mmap")]));
        assert_eq!(got[2].2.len(), 4);
        assert_eq!(
            headings
                .lines(0)
                .nth(2)
                .unwrap()
                .whole()
                .collect::<Vec<_>>(),
            [hash_of("getuser"), hash_of("now")]
        );
        assert_eq!(got[3], (LineKind::Heading, 0, vec![]));
        assert_eq!(headings.lines(1).count(), 0);
        assert_eq!(headings.lines(7).count(), 0);
    }
}
