//! The inverted index: from a term to the documents that hold it.
//!
//! **Terms.** An fst maps each term to a 64-bit value. A term of one document is held in the value itself and has no
//! postings at all, which is most terms of most sites:
//!
//! ```text
//! bit 0 = 1:  document (32 bits) | fields (5) | impact (8) | 1
//! bit 0 = 0:  ordinal (63 bits) | 0
//! ```
//!
//! **Term table.** One little-endian 32-bit offset into the postings for each ordinal.
//!
//! **Postings** of one ordinal, `n` documents in the artifact, `df` of them with the term:
//!
//! ```text
//! varint df | varint length of the fields list | fields list | documents | df impacts of one byte
//! documents, df < n/8:  blocks of 128: one byte of width, then 16 bytes for each bit of width (bit-packed gaps);
//!                       the rest as varints of the gap to the one before, less one
//! documents, else:      a bitmap of ceil(n/64) little-endian 64-bit words
//! fields list:          varints of gap << 5 | fields, for the documents that hold the term outside the body
//! ```
//!
//! The impact is the saturated BM25F weight of the term in the document, `255 x / (k1 + x)`, where `x` sums the term's
//! occurrences over the fields, each divided by its length norm (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
//! multiple weighted fields", CIKM 2004). It needs no float at query time: a document's score is the sum of
//! `idf x impact` over the query's words. [`idf`] is computed in integers, so that it is the same on every machine.

use bitpacking::{BitPacker, BitPacker4x};
use fst::{Map, MapBuilder};

use super::bytes::{Cursor, offset, put_u32s, put_varint, u32_at};
use super::error::Error;
use super::header::Section;

/// A set of fields in which a term stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fields(pub u8);

impl Fields {
    /// The title.
    pub const TITLE: Fields = Fields(1);
    /// The description.
    pub const DESCRIPTION: Fields = Fields(2);
    /// The aliases.
    pub const ALIASES: Fields = Fields(4);
    /// The tags, by slug and by title.
    pub const TAGS: Fields = Fields(8);
    /// The text, headings included.
    pub const BODY: Fields = Fields(16);
    /// Every field.
    pub const ALL: Fields = Fields(31);

    /// Whether the two sets share a field.
    pub fn meets(self, other: Fields) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    pub fn with(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }
}

/// One document of one term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The document's number.
    pub document: u32,
    /// Its BM25F impact, 1 to 255.
    pub impact: u8,
    /// The fields in which the term stands there; never empty.
    pub fields: Fields,
}

/// The weight of a term that `df` of `n` documents hold: `64 ln(1 + (n - df + ½) / (df + ½))`, at least 1.
///
/// Integer arithmetic only: `ln` of the platform's mathematics library may differ in its last bit from machine to machine.
pub fn idf(n: u32, df: u32) -> u32 {
    // 1 + (n - df + ½)/(df + ½) = (2n + 2) / (2df + 1).
    let ratio = u128::from(2 * u64::from(n) + 2) << 64;
    let ratio = ratio / u128::from(2 * u64::from(df.min(n)) + 1);
    // log2 of a fixed-point number with 64 fractional bits: the integer part by its highest bit, 16 more bits by squaring.
    let high = 127 - ratio.max(1).leading_zeros();
    let mut log = (i64::from(high) - 64) << 16;
    let mut mantissa = if high >= 63 {
        (ratio >> (high - 63)) as u64
    } else {
        (ratio << (63 - high)) as u64
    };
    for bit in (0..16).rev() {
        let square = u128::from(mantissa) * u128::from(mantissa);
        if square >> 127 != 0 {
            log |= 1 << bit;
            mantissa = (square >> 64) as u64;
        } else {
            mantissa = (square >> 63) as u64;
        }
    }
    // ln 2 = 45426 / 65536; 64 of it in fixed point.
    ((log.max(0) as u64 * 45_426 * 64) >> 32).max(1) as u32
}

/// The three sections of the inverted index.
#[derive(Debug)]
pub struct Written {
    /// [`Section::Terms`].
    pub terms: Vec<u8>,
    /// [`Section::TermTable`].
    pub table: Vec<u8>,
    /// [`Section::Postings`].
    pub postings: Vec<u8>,
}

/// Writes the index one term at a time, in byte order of the terms.
pub struct Writer {
    documents: u32,
    terms: MapBuilder<Vec<u8>>,
    table: Vec<u8>,
    postings: Vec<u8>,
    ordinal: u64,
}

impl Writer {
    /// Starts an index over `documents` documents.
    pub fn new(documents: u32) -> Self {
        Self {
            documents,
            terms: MapBuilder::memory(),
            table: Vec::new(),
            postings: Vec::new(),
            ordinal: 0,
        }
    }

    /// Adds a term with its postings, ascending by document.
    ///
    /// # Errors
    /// [`Error::Contradiction`] for a term out of order or without documents, [`Error::TooLarge`] past 4 GiB of postings.
    pub fn add(&mut self, term: &str, postings: &[Posting]) -> Result<(), Error> {
        let value = match postings {
            [] => return Err(Error::Contradiction("a term without a document")),
            [only] => {
                u64::from(only.document) << 14
                    | u64::from(only.fields.0) << 9
                    | u64::from(only.impact) << 1
                    | 1
            }
            many => {
                let start = offset(&self.postings, "bytes of postings")?;
                put_u32s(&mut self.table, [start]);
                self.put(many);
                self.ordinal += 1;
                (self.ordinal - 1) << 1
            }
        };
        self.terms
            .insert(term, value)
            .map_err(|_| Error::Contradiction("terms out of order"))
    }

    fn put(&mut self, postings: &[Posting]) {
        let mut fields = Vec::new();
        let mut previous = 0;
        for posting in postings
            .iter()
            .filter(|posting| posting.fields != Fields::BODY)
        {
            // 2^27 documents leave the five bits room; `write` refuses more.
            put_varint(
                &mut fields,
                (posting.document - previous) << 5 | u32::from(posting.fields.0),
            );
            previous = posting.document;
        }
        let out = &mut self.postings;
        put_varint(out, postings.len() as u32);
        put_varint(out, fields.len() as u32);
        out.extend_from_slice(&fields);
        if is_dense(postings.len(), self.documents) {
            let mut words = vec![0u64; (self.documents as usize).div_ceil(64)];
            for posting in postings {
                words[posting.document as usize / 64] |= 1 << (posting.document % 64);
            }
            words
                .iter()
                .for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        } else {
            let packer = BitPacker4x::new();
            let documents: Vec<u32> = postings.iter().map(|posting| posting.document).collect();
            let mut blocks = documents.chunks_exact(BitPacker4x::BLOCK_LEN);
            let mut previous = None;
            for block in &mut blocks {
                let width = packer.num_bits_strictly_sorted(previous, block);
                out.push(width);
                let start = out.len();
                out.resize(start + BLOCK_BYTES_PER_BIT * usize::from(width), 0);
                packer.compress_strictly_sorted(previous, block, &mut out[start..], width);
                previous = block.last().copied();
            }
            for document in blocks.remainder() {
                put_varint(out, document - previous.map_or(0, |previous| previous + 1));
                previous = Some(*document);
            }
        }
        out.extend(postings.iter().map(|posting| posting.impact));
    }

    /// Ends the index.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn finish(self) -> Result<Written, Error> {
        let terms = self
            .terms
            .into_inner()
            .map_err(|_| Error::Contradiction("the terms could not be ended"))?;
        Ok(Written {
            terms,
            table: self.table,
            postings: self.postings,
        })
    }
}

/// 128 values of one bit fill 16 bytes.
const BLOCK_BYTES_PER_BIT: usize = BitPacker4x::BLOCK_LEN / 8;

/// Whether a bitmap is the smaller way to hold `df` of `n` documents: an eighth of them is one byte each way.
fn is_dense(df: usize, n: u32) -> bool {
    df * 8 >= n as usize
}

/// The inverted index, read in place.
#[derive(Debug)]
pub struct Index<'a> {
    documents: u32,
    terms: Map<&'a [u8]>,
    table: &'a [u8],
    postings: &'a [u8],
}

/// Where a term's documents are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The one document that holds it.
    One(Posting),
    /// The term's place in the term table.
    Many(u32),
}

impl<'a> Index<'a> {
    /// Opens the three sections. The caller has compared the fst's checksum: a damaged fst can panic.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn open(
        documents: u32,
        terms: &'a [u8],
        table: &'a [u8],
        postings: &'a [u8],
    ) -> Result<Self, Error> {
        let terms = Map::new(terms).map_err(|_| Error::Damaged(Section::Terms))?;
        Ok(Self {
            documents,
            terms,
            table,
            postings,
        })
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term at all.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How many documents there are.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The fst, for walks over neighbouring terms.
    pub fn terms(&self) -> &Map<&'a [u8]> {
        &self.terms
    }

    /// The term, when some document holds it.
    pub fn term(&self, term: &str) -> Option<Term> {
        self.terms.get(term).and_then(|value| self.term_of(value))
    }

    /// Reads a value of the fst.
    pub fn term_of(&self, value: u64) -> Option<Term> {
        if value & 1 == 0 {
            return u32::try_from(value >> 1).ok().map(Term::Many);
        }
        let document = u32::try_from(value >> 14)
            .ok()
            .filter(|document| *document < self.documents)?;
        let (impact, fields) = (
            (value >> 1) as u8,
            Fields((value >> 9) as u8 & Fields::ALL.0),
        );
        Some(Term::One(Posting {
            document,
            impact,
            fields,
        }))
    }

    /// The list of a term, ready to be walked; `None` where the bytes are damaged.
    pub fn list(&self, term: Term) -> Option<List<'a>> {
        let ordinal = match term {
            Term::One(only) => {
                return Some(List {
                    documents: self.documents,
                    df: 1,
                    form: Form::One(only),
                });
            }
            Term::Many(ordinal) => ordinal,
        };
        let start = u32_at(self.table, ordinal as usize)? as usize;
        let mut cursor = Cursor::new(self.postings.get(start..)?);
        let df = cursor.varint()?;
        if df > self.documents {
            return None;
        }
        let fields_length = cursor.varint()? as usize;
        let fields = cursor.take(fields_length)?;
        let rest = cursor.rest();
        let form = if is_dense(df as usize, self.documents) {
            let (bitmap, rest) =
                rest.split_at_checked((self.documents as usize).div_ceil(64) * 8)?;
            Form::Dense {
                bitmap,
                impacts: rest.get(..df as usize)?,
                fields,
            }
        } else {
            let mut end = 0;
            for _ in 0..df as usize / BitPacker4x::BLOCK_LEN {
                let width = usize::from(*rest.get(end)?);
                if width > 32 {
                    return None;
                }
                end += 1 + BLOCK_BYTES_PER_BIT * width;
            }
            let blocks = rest.get(..end)?;
            let mut tail = Cursor::new(&rest[end..]);
            for _ in 0..df as usize % BitPacker4x::BLOCK_LEN {
                tail.varint()?;
            }
            let (gaps, rest) = rest[end..].split_at(tail.position());
            Form::Sparse {
                blocks,
                gaps,
                impacts: rest.get(..df as usize)?,
                fields,
            }
        };
        Some(List {
            documents: self.documents,
            df,
            form,
        })
    }
}

/// The documents of one term.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    documents: u32,
    df: u32,
    form: Form<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Form<'a> {
    One(Posting),
    Dense {
        bitmap: &'a [u8],
        impacts: &'a [u8],
        fields: &'a [u8],
    },
    Sparse {
        blocks: &'a [u8],
        gaps: &'a [u8],
        impacts: &'a [u8],
        fields: &'a [u8],
    },
}

impl List<'_> {
    /// How many documents hold the term.
    pub fn len(&self) -> u32 {
        self.df
    }

    /// Always false: a term without a document is not stored.
    pub fn is_empty(&self) -> bool {
        self.df == 0
    }

    /// Calls `visit` with each document and its impact, ascending. Damaged numbers past the last document are passed over.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(u32, u8)) {
        match self.form {
            Form::One(only) => visit(only.document, only.impact),
            Form::Dense {
                bitmap, impacts, ..
            } => {
                let mut impacts = impacts.iter();
                for (index, word) in bitmap.as_chunks::<8>().0.iter().enumerate() {
                    let mut word = u64::from_le_bytes(*word);
                    while word != 0 {
                        let document = index as u32 * 64 + word.trailing_zeros();
                        word &= word - 1;
                        match impacts.next() {
                            Some(impact) if document < self.documents => visit(document, *impact),
                            _ => return,
                        }
                    }
                }
            }
            Form::Sparse {
                blocks,
                gaps,
                impacts,
                ..
            } => {
                let packer = BitPacker4x::new();
                let mut buffer = [0u32; BitPacker4x::BLOCK_LEN];
                let mut previous = None;
                let mut at = 0;
                let mut blocks_of_impacts = impacts.chunks_exact(BitPacker4x::BLOCK_LEN);
                for impacts in &mut blocks_of_impacts {
                    // `list` walked these widths and found them within the bytes.
                    let width = blocks[at];
                    packer.decompress_strictly_sorted(
                        previous,
                        &blocks[at + 1..],
                        &mut buffer,
                        width,
                    );
                    at += 1 + BLOCK_BYTES_PER_BIT * usize::from(width);
                    previous = Some(buffer[BitPacker4x::BLOCK_LEN - 1]);
                    for (document, impact) in buffer.iter().zip(impacts) {
                        if *document < self.documents {
                            visit(*document, *impact);
                        }
                    }
                }
                let mut cursor = Cursor::new(gaps);
                for impact in blocks_of_impacts.remainder() {
                    let Some(gap) = cursor.varint() else { return };
                    let next = previous.map_or(Some(gap), |previous| {
                        previous.checked_add(1)?.checked_add(gap)
                    });
                    match next {
                        Some(document) if document < self.documents => visit(document, *impact),
                        _ => return,
                    }
                    previous = next;
                }
            }
        }
    }

    /// Calls `visit` with each document that holds the term outside the body, and the fields in which it does.
    ///
    /// A document that is not visited holds the term in the body alone.
    pub fn for_each_outside_body(&self, mut visit: impl FnMut(u32, Fields)) {
        let fields = match self.form {
            Form::One(only) if only.fields == Fields::BODY => return,
            Form::One(only) => return visit(only.document, only.fields),
            Form::Dense { fields, .. } | Form::Sparse { fields, .. } => fields,
        };
        let mut cursor = Cursor::new(fields);
        let mut document = 0u32;
        while let Some(entry) = cursor.varint() {
            document = document.saturating_add(entry >> 5);
            if document >= self.documents {
                return;
            }
            visit(document, Fields(entry as u8 & Fields::ALL.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idf_agrees_with_the_formula() {
        for (n, df) in [
            (1, 1),
            (10, 1),
            (420, 7),
            (17_348, 1),
            (17_348, 4_400),
            (17_348, 17_348),
            (1_000_000, 3),
        ] {
            let (n_, df_) = (f64::from(n), f64::from(df));
            let exact = 64.0 * (1.0 + (n_ - df_ + 0.5) / (df_ + 0.5)).ln();
            let ours = f64::from(idf(n, df));
            assert!(
                (ours - exact).abs() <= 1.0,
                "idf({n}, {df}) = {ours}, formula {exact}"
            );
        }
    }

    fn check(documents: u32, chosen: impl Fn(u32) -> bool) {
        let postings: Vec<Posting> = (0..documents)
            .filter(|document| chosen(*document))
            .map(|document| Posting {
                document,
                impact: (document % 255) as u8 + 1,
                fields: if document % 3 == 0 {
                    Fields::TITLE.with(Fields::BODY)
                } else {
                    Fields::BODY
                },
            })
            .collect();
        let mut writer = Writer::new(documents);
        writer.add("term", &postings).unwrap();
        let written = writer.finish().unwrap();
        let index =
            Index::open(documents, &written.terms, &written.table, &written.postings).unwrap();
        let list = index.list(index.term("term").unwrap()).unwrap();
        assert_eq!(list.len() as usize, postings.len());
        let mut got = Vec::new();
        list.for_each(|document, impact| got.push((document, impact)));
        assert_eq!(
            got,
            postings
                .iter()
                .map(|p| (p.document, p.impact))
                .collect::<Vec<_>>()
        );
        let mut outside = Vec::new();
        list.for_each_outside_body(|document, fields| outside.push((document, fields)));
        let expected = postings
            .iter()
            .filter(|p| p.fields != Fields::BODY)
            .map(|p| (p.document, p.fields));
        assert_eq!(outside, expected.collect::<Vec<_>>());
    }

    #[test]
    fn lists_of_every_shape_come_back() {
        check(1, |_| true);
        check(100, |document| document == 63);
        check(100, |_| true);
        check(5_000, |document| document % 9 == 0);
        check(5_000, |document| document % 8 == 0);
        check(5_000, |document| document % 39 == 5);
        check(5_000, |document| document == 0 || document == 4_999);
        check(40_000, |document| document % 100 < 9 && document % 7 != 0);
    }

    #[test]
    fn damaged_postings_never_panic() {
        let documents = 2_000;
        let postings: Vec<Posting> = (0..documents)
            .step_by(11)
            .map(|document| Posting {
                document,
                impact: 9,
                fields: Fields::TITLE,
            })
            .collect();
        let mut writer = Writer::new(documents);
        writer.add("term", &postings).unwrap();
        let written = writer.finish().unwrap();
        for at in 0..written.postings.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut broken = written.postings.clone();
                broken[at] ^= flip;
                let index =
                    Index::open(documents, &written.terms, &written.table, &broken).unwrap();
                if let Some(list) = index.list(Term::Many(0)) {
                    list.for_each(|document, _| assert!(document < documents));
                    list.for_each_outside_body(|document, _| assert!(document < documents));
                }
            }
        }
    }
}
