//! The inverted index: from a term to the documents that hold it.
//!
//! **Terms.** An fst maps each term to the byte, counted from the first record, at which its record starts. Records stand in the order of the
//! terms, so that the values rise and share their starts in the fst.
//!
//! **Postings.** `n` bytes, for each document what one occurrence in its text is worth (its *base*, on a logarithmic scale: 32 log₂ of the
//! impact); then a record a term, which is a stream of bits (`bits`: plain, unary and gamma codes) filled up to a byte:
//!
//! ```text
//! one document:   1 | document (as many bits as n - 1 has) | level, unary | 1: outside | outside: fields, unary
//! df documents:   0 | df - 2, gamma | 1: some outside | outside: their number - 1, gamma; j (3 bits) | df mod 128 > 0: form (4 bits)
//!                 | blocks | rest | outside: places | fields
//! blocks:         df / 128 of them, the first on a whole byte: u8 k | u8 bytes of exceptions | the lowest k bits of 128 gaps, bit-packed: 16 k bytes
//!                 | exceptions: u8 place, varint gap >> k | 128 levels of 4 bits, the lower half of a byte first
//! rest:           the other documents: their levels, unary | their gaps
//!                 form 0:      gaps, unary, which makes a bitmap
//!                 form 1 + k:  a class each, unary | for each k + class bits; the gap is (2^class - 1) 2^k + these bits
//! places:         of those that hold the term outside the text, among the df: the gap to the place before; the lowest j
//!                 bits together for all, then the rest of each in unary
//! fields:         the place of the set of fields in `SETS`, unary
//! ```
//!
//! A gap is counted from the document behind the one before, so that a neighbour is 0. The blocks are made for speed: 128 gaps are unpacked
//! at once and the few that have more than k bits are put right (after Zukowski et al., "Super-scalar RAM-CPU cache compression", ICDE 2006). The
//! rest is made to be small: the code of its gaps is an exponential Golomb code whose unary half stands apart. Each k is the one that
//! makes its part shortest.
//!
//! **Impacts.** The impact is the saturated BM25F weight of the term in the document, `255 x / (k1 + x)`, where `x` sums the term's
//! occurrences over the fields, each divided by its length norm (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
//! multiple weighted fields", CIKM 2004). It needs no float at query time: a document's score is the sum of
//! `idf x impact` over the query's words. [`idf`] is computed in integers, so that it is the same on every machine.
//!
//! Of an impact only its *level* is stored: how many occurrences in the document's text would be worth as much. With `f` for the
//! document's base, `t` occurrences in the text are worth `255 t f / (255 - f + t f)`, whatever the weights and `k1`, for those cancel out. Most
//! terms stand in a text once, and the levels rise by half each (`OCCURRENCES`), so that a level takes three bits and is exact
//! where it matters most.

use fst::MapBuilder;

use super::bits::{BitCursor, BitWriter, Ones, Unary, gamma_bits, window};
use super::bytes::{Cursor, offset, put_varint};
use super::error::Error;
use super::header::Section;
use super::packing::{self, BLOCK, BYTES_PER_BIT};
use super::terms::Terms;

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
    let (over, under) = (2 * u64::from(n) + 2, 2 * u64::from(df.min(n)) + 1);
    // With 64 fractional bits, by long division: a remainder has 33 bits at most, so that 31 more bits fit each time.
    let mut ratio = u128::from(over / under);
    let mut rest = over % under;
    for bits in [31, 31, 2] {
        ratio = ratio << bits | u128::from((rest << bits) / under);
        rest = (rest << bits) % under;
    }
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

/// Occurrences in the text that each level stands for, in quarters; the most frequent first, as a level's number is written in unary.
const OCCURRENCES: [u32; 16] = [
    4, 8, 12, 17, 24, 34, 48, 2, 68, 96, 140, 200, 300, 500, 900, 1,
];

/// What each base stands for, in 65,536ths of an impact: 1 to 250, each 2^(1/32) of the one before.
const WORTHS: [u64; 256] = {
    // 2^(1/32) with 32 fractional bits.
    const STEP: u128 = 4_389_014_868;
    let mut worths = [0; 256];
    let mut worth = 1u128 << 32;
    let mut base = 0;
    while base < 256 {
        worths[base] = (worth >> 16) as u64;
        worth = (worth * STEP) >> 32;
        base += 1;
    }
    worths
};

/// The impact of each level in a document of each base.
static IMPACTS: [[u8; 16]; 256] = {
    let mut impacts = [[1; 16]; 256];
    let mut base = 0;
    while base < 256 {
        let mut level = 0;
        while level < 16 {
            let worth = OCCURRENCES[level] as u64 * WORTHS[base];
            let most = 4 * ((255 << 16) - WORTHS[base]) + worth;
            let impact = (255 * worth + most / 2) / most;
            if impact > 1 {
                impacts[base][level] = impact as u8;
            }
            level += 1;
        }
        base += 1;
    }
    impacts
};

/// The base of a document in which one occurrence in the text has an impact of `worth` 256ths.
pub fn base_of(worth: u32) -> u8 {
    let worth = u64::from(worth) << 8;
    let above = WORTHS.partition_point(|other| *other < worth).min(255);
    let below = above.saturating_sub(1);
    let nearest = if worth.abs_diff(WORTHS[below]) < worth.abs_diff(WORTHS[above]) {
        below
    } else {
        above
    };
    nearest as u8
}

/// The impact of a level in a document of a base; levels beyond the last, which only damage makes, count as the last.
#[inline]
fn impact_of(base: u8, level: usize) -> u8 {
    IMPACTS[usize::from(base)][level.min(15)]
}

/// The sets of fields other than the body alone, the usual ones first.
const SETS: [Fields; 31] = {
    const fn sets(bits: [u8; 31]) -> [Fields; 31] {
        let mut sets = [Fields(0); 31];
        let mut place = 0;
        while place < 31 {
            sets[place] = Fields(bits[place]);
            place += 1;
        }
        sets
    }
    sets([
        18, 19, 24, 2, 17, 27, 8, 20, 26, 21, 25, 23, 1, 3, 22, 4, 31, 5, 9, 10, 11, 28, 29, 30, 6,
        7, 12, 13, 14, 15, 16,
    ])
};

/// The two sections of the inverted index.
#[derive(Debug)]
pub struct Written {
    /// [`Section::Terms`].
    pub terms: Vec<u8>,
    /// [`Section::Postings`].
    pub postings: Vec<u8>,
}

/// Lays lists of postings down as records.
pub struct Encoder<'b> {
    bases: &'b [u8],
    /// For each base, the level nearest to each impact.
    levels: Vec<[u8; 256]>,
    /// For each set of fields, its place in [`SETS`].
    places: [u8; 32],
}

impl<'b> Encoder<'b> {
    /// An encoder for documents of these bases, which are made by [`base_of`].
    pub fn new(bases: &'b [u8]) -> Self {
        let mut used = [false; 256];
        bases
            .iter()
            .for_each(|base| used[usize::from(*base)] = true);
        let nearest = |base: usize, impact: usize| {
            let distance = |level: &u8| IMPACTS[base][usize::from(*level)].abs_diff(impact as u8);
            (0..16u8).min_by_key(distance).unwrap_or_default()
        };
        let levels = (0..256).map(|base| {
            if used[base] {
                std::array::from_fn(|impact| nearest(base, impact))
            } else {
                [0; 256]
            }
        });
        let mut places = [0; 32];
        for (place, set) in SETS.iter().enumerate() {
            places[usize::from(set.0 & Fields::ALL.0)] = place as u8;
        }
        Self {
            bases,
            levels: levels.collect(),
            places,
        }
    }

    /// Appends the record of a term with these postings, ascending by document.
    ///
    /// # Errors
    /// [`Error::Contradiction`] for a list without documents, out of order, or with a document that does not exist.
    pub fn record(&self, postings: &[Posting], out: &mut Vec<u8>) -> Result<(), Error> {
        let ascending = postings
            .windows(2)
            .all(|two| two[0].document < two[1].document);
        match postings.last() {
            None => return Err(Error::Contradiction("a term without a document")),
            Some(last) if !ascending || last.document as usize >= self.bases.len() => {
                return Err(Error::Contradiction("postings out of order"));
            }
            Some(_) => {}
        }
        let mut bits = BitWriter::new(out);
        if let [only] = postings {
            bits.plain(1, 1);
            bits.plain(only.document.into(), width_of(self.bases.len()));
            bits.unary(self.level(only));
            let outside = only.fields != Fields::BODY;
            bits.plain(outside.into(), 1);
            if outside {
                bits.unary(self.place(only));
            }
            bits.finish();
            return Ok(());
        }
        let (blocks, rest) = postings.as_chunks::<BLOCK>();
        let all_gaps = gaps(postings);
        let (block_gaps, gaps) = all_gaps.as_chunks::<BLOCK>();
        let places: Vec<usize> = (0..postings.len())
            .filter(|place| postings[*place].fields != Fields::BODY)
            .collect();
        let place_gaps: Vec<u32> = (0..places.len())
            .map(|at| {
                let before = at.checked_sub(1).map_or(0, |before| places[before] + 1);
                (places[at] - before) as u32
            })
            .collect();
        let j = rice(&place_gaps);
        let form = form(gaps);
        bits.plain(0, 1);
        bits.gamma(postings.len() as u32 - 2);
        bits.plain((!places.is_empty()).into(), 1);
        if !places.is_empty() {
            bits.gamma(places.len() as u32 - 1);
            bits.plain(j.into(), 3);
        }
        if !rest.is_empty() {
            bits.plain(form.map_or(0, |k| u64::from(k) + 1), 4);
        }
        if !blocks.is_empty() {
            bits.finish();
            for (postings, gaps) in blocks.iter().zip(block_gaps) {
                self.block(postings, gaps, out);
            }
            bits = BitWriter::new(out);
        }
        rest.iter()
            .for_each(|posting| bits.unary(self.level(posting)));
        match form {
            None => gaps.iter().for_each(|gap| bits.unary(*gap)),
            Some(k) => {
                gaps.iter().for_each(|gap| bits.unary(class_of(*gap, k)));
                for gap in gaps {
                    let class = class_of(*gap, k);
                    let low = u64::from(*gap) - (((1 << class) - 1) << k);
                    bits.plain(low, k + class);
                }
            }
        }
        place_gaps
            .iter()
            .for_each(|gap| bits.plain((*gap).into(), j));
        place_gaps.iter().for_each(|gap| bits.unary(gap >> j));
        places
            .iter()
            .for_each(|place| bits.unary(self.place(&postings[*place])));
        bits.finish();
        Ok(())
    }

    fn block(&self, postings: &[Posting; BLOCK], gaps: &[u32; BLOCK], out: &mut Vec<u8>) {
        // Bytes of the gaps that have more than k bits.
        let exceptions = |k: u32| -> usize {
            let bytes = |gap: &u32| match gap.checked_shr(k) {
                None | Some(0) => 0,
                Some(high) => 2 + high.ilog2() as usize / 7,
            };
            gaps.iter().map(bytes).sum()
        };
        let k = (0..=32)
            .filter(|k| exceptions(*k) <= usize::from(u8::MAX))
            .min_by_key(|k| exceptions(*k) + BYTES_PER_BIT * *k as usize)
            .unwrap_or(32);
        out.extend([k as u8, exceptions(k) as u8]);
        packing::pack(gaps, k, out);
        for (place, gap) in gaps.iter().enumerate() {
            if let Some(high) = gap.checked_shr(k).filter(|high| *high > 0) {
                out.push(place as u8);
                put_varint(out, high);
            }
        }
        for [first, second] in postings.as_chunks::<2>().0 {
            out.push((self.level(first) | self.level(second) << 4) as u8);
        }
    }

    fn level(&self, posting: &Posting) -> u32 {
        let base = self.bases[posting.document as usize];
        self.levels[usize::from(base)][usize::from(posting.impact)].into()
    }

    fn place(&self, posting: &Posting) -> u32 {
        self.places[usize::from(posting.fields.0 & Fields::ALL.0)].into()
    }
}

/// How many bits the number of a document takes.
fn width_of(documents: usize) -> u32 {
    usize::BITS - documents.saturating_sub(1).leading_zeros()
}

/// Documents left out between one posting and the next.
fn gaps(postings: &[Posting]) -> Vec<u32> {
    let mut next = 0;
    postings
        .iter()
        .map(|posting| {
            let gap = posting.document - next;
            next = posting.document + 1;
            gap
        })
        .collect()
}

/// The class of a gap: how many bits its upper part plus one has behind the highest.
fn class_of(gap: u32, k: u32) -> u32 {
    ((gap >> k) + 1).ilog2()
}

/// The shortest form of a list: the `k` of its code, or none for a bitmap.
fn form(gaps: &[u32]) -> Option<u32> {
    let bitmap: u64 = gaps.iter().map(|gap| u64::from(*gap) + 1).sum();
    let coded = |k: &u32| -> u64 {
        let k = *k;
        gaps.iter()
            .map(|gap| gamma_bits(gap >> k) + u64::from(k))
            .sum()
    };
    let best = (0..15).map(|k| (coded(&k), k)).min()?;
    (best.0 < bitmap).then_some(best.1)
}

/// The number of low bits that makes unary numbers with so many bits apart shortest.
fn rice(gaps: &[u32]) -> u32 {
    let bits = |j: &u32| -> u64 {
        let j = *j;
        gaps.iter()
            .map(|gap| u64::from(gap >> j) + u64::from(j))
            .sum()
    };
    (0..8).min_by_key(bits).unwrap_or_default()
}

/// Writes the index one term at a time, in byte order of the terms.
pub struct Writer<'b> {
    encoder: Encoder<'b>,
    terms: MapBuilder<Vec<u8>>,
    postings: Vec<u8>,
}

impl<'b> Writer<'b> {
    /// Starts an index of documents of these bases, which are made by [`base_of`].
    pub fn new(bases: &'b [u8]) -> Self {
        Self {
            encoder: Encoder::new(bases),
            terms: MapBuilder::memory(),
            postings: bases.to_vec(),
        }
    }

    /// Adds a term with its postings, ascending by document.
    ///
    /// # Errors
    /// [`Error::Contradiction`] for a term out of order and for postings that [`Encoder::record`] refuses, [`Error::TooLarge`] past 4 GiB of postings.
    pub fn add(&mut self, term: &str, postings: &[Posting]) -> Result<(), Error> {
        let start = self.start()?;
        self.encoder.record(postings, &mut self.postings)?;
        self.insert(term, start)
    }

    /// Adds a term with its record.
    ///
    /// # Errors
    /// [`Error::Contradiction`] for a term out of order, [`Error::TooLarge`] past 4 GiB of postings.
    pub fn add_record(&mut self, term: &str, record: &[u8]) -> Result<(), Error> {
        let start = self.start()?;
        self.postings.extend_from_slice(record);
        self.insert(term, start)
    }

    fn start(&self) -> Result<u32, Error> {
        offset(
            &self.postings[self.encoder.bases.len()..],
            "bytes of postings",
        )
    }

    fn insert(&mut self, term: &str, start: u32) -> Result<(), Error> {
        self.terms
            .insert(term, start.into())
            .map_err(|_| Error::Contradiction("terms out of order"))
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
            postings: self.postings,
        })
    }
}

/// The inverted index, read in place.
#[derive(Debug)]
pub struct Index<'a> {
    terms: Terms<'a>,
    bases: &'a [u8],
    records: &'a [u8],
}

/// Where a term's documents are: the byte at which its record starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term(u32);

impl<'a> Index<'a> {
    /// Opens the two sections.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn open(documents: u32, terms: &'a [u8], postings: &'a [u8]) -> Result<Self, Error> {
        let terms = Terms::open(terms).ok_or(Error::Damaged(Section::Terms))?;
        let (bases, records) = postings
            .split_at_checked(documents as usize)
            .ok_or(Error::Damaged(Section::Postings))?;
        Ok(Self {
            terms,
            bases,
            records,
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
        self.bases.len() as u32
    }

    /// The dictionary, for walks over neighbouring terms.
    pub fn terms(&self) -> &Terms<'a> {
        &self.terms
    }

    /// The term, when some document holds it.
    pub fn term(&self, term: &str) -> Option<Term> {
        self.terms.get(term).and_then(|value| self.term_of(value))
    }

    /// Reads a value of the fst.
    pub fn term_of(&self, value: u64) -> Option<Term> {
        u32::try_from(value).ok().map(Term)
    }

    /// In how many documents the term of a value of the fst stands.
    #[inline]
    pub fn frequency(&self, value: u64) -> Option<u32> {
        let start = usize::try_from(value).ok()?;
        let mut bits = BitCursor::new(self.records, (start < self.records.len()).then_some(start)?);
        match bits.plain(1) {
            1 => Some(1),
            _ => bits.gamma()?.checked_add(2),
        }
    }

    /// The list of a term, ready to be walked; `None` where the bytes are damaged. Cost: a few bits are read.
    pub fn list(&self, term: Term) -> Option<List<'a>> {
        let start = (term.0 as usize) < self.records.len();
        let mut bits = BitCursor::new(self.records, start.then_some(term.0 as usize)?);
        let list = |df| List {
            bases: self.bases,
            records: self.records,
            df,
            only: None,
            outside: 0,
            j: 0,
            k: None,
            at: 0,
        };
        if bits.plain(1) == 1 {
            let document = bits.plain(width_of(self.bases.len())) as u32;
            let base = *self.bases.get(document as usize)?;
            let impact = impact_of(base, bits.unary()? as usize);
            let fields = if bits.plain(1) == 1 {
                *SETS.get(bits.unary()? as usize)?
            } else {
                Fields::BODY
            };
            let only = Posting {
                document,
                impact,
                fields,
            };
            return Some(List {
                only: Some(only),
                ..list(1)
            });
        }
        let mut list = list(bits.gamma()?.checked_add(2)?);
        if bits.plain(1) == 1 {
            list.outside = bits.gamma()?.checked_add(1)?;
            list.j = bits.plain(3) as u32;
        }
        if !(list.df as usize).is_multiple_of(BLOCK) {
            list.k = (bits.plain(4) as u32).checked_sub(1);
        }
        list.at = bits.position();
        if list.df as usize >= BLOCK {
            list.at = list.at.next_multiple_of(8);
        }
        (list.df <= self.documents() && list.outside <= list.df).then_some(list)
    }
}

/// The documents of one term.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    bases: &'a [u8],
    records: &'a [u8],
    df: u32,
    /// The only one there is, where `df` is 1.
    only: Option<Posting>,
    /// How many of the documents hold the term outside the text, and how many low bits their places have.
    outside: u32,
    j: u32,
    /// The code of the gaps behind the blocks; none for a bitmap.
    k: Option<u32>,
    /// The bit at which the blocks start, or the rest where there is no block.
    at: usize,
}

impl<'a> List<'a> {
    /// How many documents hold the term.
    pub fn len(&self) -> u32 {
        self.df
    }

    /// Always false: a term without a document is not stored.
    pub fn is_empty(&self) -> bool {
        self.df == 0
    }

    /// Calls `visit` with each document and its impact, ascending. Damaged numbers past the last document end the walk.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(u32, u8)) {
        if let Some(only) = self.only {
            return visit(only.document, only.impact);
        }
        let bases = self.bases;
        let mut next = 0;
        let mut at = self.at;
        let mut gaps = [0; BLOCK];
        for _ in 0..self.df as usize / BLOCK {
            let Some(block) = Block::read(self.records, at) else {
                return;
            };
            block.gaps(&mut gaps);
            for (gaps, levels) in gaps.as_chunks::<2>().0.iter().zip(block.levels) {
                for (gap, level) in [(gaps[0], *levels & 15), (gaps[1], *levels >> 4)] {
                    let document = next + gap as usize;
                    let Some(base) = bases.get(document) else {
                        return;
                    };
                    visit(document as u32, impact_of(*base, usize::from(level)));
                    next = document + 1;
                }
            }
            at = block.behind;
        }
        let Some(rest) = self.rest(at) else {
            return;
        };
        let mut levels = Unary::new(self.records, at);
        rest.walk(next, |document| {
            let Some(base) = bases.get(document) else {
                return false;
            };
            visit(document as u32, impact_of(*base, levels.next()));
            true
        });
    }

    /// Calls `visit` with each document that holds the term outside the body, and the fields in which it does.
    ///
    /// A document that is not visited holds the term in the body alone.
    pub fn for_each_outside_body(&self, mut visit: impl FnMut(u32, Fields)) {
        match self.only {
            Some(only) if only.fields == Fields::BODY => {}
            Some(only) => visit(only.document, only.fields),
            None if self.outside == 0 => {}
            None => {
                self.walk_outside(visit);
            }
        }
    }

    /// `None` where the bytes end early.
    fn walk_outside(&self, mut visit: impl FnMut(u32, Fields)) -> Option<()> {
        let mut at = self.at;
        let blocks = self.df as usize / BLOCK;
        for _ in 0..blocks {
            at = Block::read(self.records, at)?.behind;
        }
        let rest = self.rest(at);
        let mut low = rest.as_ref().map_or(at, |rest| rest.behind);
        let start = low + self.outside as usize * self.j as usize;
        let fields_start = Ones::new(self.records, start).pass(self.outside)?;
        let mut fields = Unary::new(self.records, fields_start);
        let mut places = Unary::new(self.records, start);
        // Documents to be passed over before the next one that is visited.
        let mut gap = |places: &mut Unary| {
            let below = window(self.records, low) as usize & ((1 << self.j) - 1);
            low += self.j as usize;
            (places.next() << self.j) + below
        };
        let mut left = self.outside;
        let mut passing = gap(&mut places);
        let mut each = |document: usize| {
            if passing > 0 {
                passing -= 1;
                return true;
            }
            let Some(set) = SETS.get(fields.next()) else {
                return false;
            };
            visit(document as u32, *set);
            left -= 1;
            if left == 0 {
                return false;
            }
            passing = gap(&mut places);
            true
        };
        let (mut at, mut next) = (self.at, 0);
        let mut documents = [0; BLOCK];
        for _ in 0..blocks {
            let block = Block::read(self.records, at)?;
            next = block.documents(next, &mut documents);
            if next > self.bases.len() {
                return None;
            }
            if !documents.iter().all(|document| each(*document as usize)) {
                return None;
            }
            at = block.behind;
        }
        rest?.walk(next, |document| {
            document < self.bases.len() && each(document)
        });
        Some(())
    }

    /// The documents behind the blocks, whose levels start at bit `at`; `None` where there are none and where the bytes end early.
    fn rest(&self, at: usize) -> Option<Rest<'a>> {
        let count = self.df % BLOCK as u32;
        if count == 0 || self.only.is_some() {
            return None;
        }
        let start = Ones::new(self.records, at).pass(count)?;
        let behind = Ones::new(self.records, start).pass(count)?;
        // Each class has as many zeros as its gap has bits beyond k.
        let classes = behind - start - count as usize;
        Some(Rest {
            records: self.records,
            count,
            start,
            low: behind,
            k: self.k,
            behind: match self.k {
                None => behind,
                Some(k) => behind + classes + (count * k) as usize,
            },
        })
    }
}

/// A block of 128 postings.
struct Block<'a> {
    k: u8,
    lows: &'a [u8],
    exceptions: &'a [u8],
    levels: &'a [u8],
    /// The bit behind it.
    behind: usize,
}

impl<'a> Block<'a> {
    /// Reads the block that starts at bit `at`, the first of a byte.
    #[inline]
    fn read(records: &'a [u8], at: usize) -> Option<Self> {
        let [k, exceptions] = *records.get(at / 8..)?.first_chunk()?;
        let lows = at / 8 + 2;
        let exceptions_start = lows + BYTES_PER_BIT * usize::from(k);
        let levels = exceptions_start + usize::from(exceptions);
        let behind = levels + BLOCK / 2;
        (k <= 32 && behind <= records.len()).then(|| Self {
            k,
            lows: &records[lows..exceptions_start],
            exceptions: &records[exceptions_start..levels],
            levels: &records[levels..behind],
            behind: behind * 8,
        })
    }

    /// The documents left out before each document.
    #[inline]
    fn gaps(&self, out: &mut [u32; BLOCK]) {
        packing::unpack(self.lows, self.k, out);
        let mut exceptions = Cursor::new(self.exceptions);
        while let (Some(place), Some(high)) = (exceptions.byte(), exceptions.varint()) {
            let high = high.checked_shl(self.k.into()).unwrap_or_default();
            out[usize::from(place) % BLOCK] |= high;
        }
    }

    /// The documents, of which the first is `next` or greater, and the document behind the last. What is past the last document of the artifact,
    /// which only damage brings about, makes that one greater than their number.
    #[inline]
    fn documents(&self, next: usize, out: &mut [u32; BLOCK]) -> usize {
        self.gaps(out);
        // 128 gaps of 32 bits are far from 2^64.
        let mut next = next as u64;
        for document in out {
            next += u64::from(*document);
            *document = next as u32;
            next += 1;
        }
        usize::try_from(next).unwrap_or(usize::MAX)
    }
}

/// The documents behind the blocks.
#[derive(Debug)]
struct Rest<'a> {
    records: &'a [u8],
    count: u32,
    /// The bit at which the gaps of a bitmap start, or the classes.
    start: usize,
    /// The bit at which the low bits start.
    low: usize,
    k: Option<u32>,
    /// The bit behind all.
    behind: usize,
}

impl Rest<'_> {
    /// Calls `visit` with each document, of which the first is `next` or greater, until it answers false.
    #[inline]
    fn walk(&self, mut next: usize, mut visit: impl FnMut(usize) -> bool) {
        let ones = Ones::new(self.records, self.start);
        let mut expected = self.start;
        let mut left = self.count;
        let mut step = |gap: usize| {
            let document = next + gap;
            next = document + 1;
            left -= 1;
            visit(document) && left > 0
        };
        match self.k {
            None => ones.walk(|one| {
                let gap = one - expected;
                expected = one + 1;
                step(gap)
            }),
            Some(k) => {
                let mut low = self.low;
                ones.walk(|one| {
                    // A class beyond 31 is damage, and its gap passes the last document in any case.
                    let class = (one - expected).min(31) as u32;
                    expected = one + 1;
                    let width = k + class;
                    let bits = window(self.records, low) as usize & ((1 << width) - 1);
                    low += width as usize;
                    step((((1 << class) - 1) << k) + bits)
                });
            }
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

    /// One occurrence in the text is worth 60 in every document of these tests.
    const BASE: u8 = 189;

    fn postings(documents: u32, chosen: impl Fn(u32) -> bool) -> Vec<Posting> {
        (0..documents)
            .filter(|document| chosen(*document))
            .map(|document| Posting {
                document,
                impact: IMPACTS[usize::from(BASE)][document as usize % 16],
                fields: match document % 7 {
                    0 | 5 => SETS[document as usize % 31],
                    _ => Fields::BODY,
                },
            })
            .collect()
    }

    fn write(documents: u32, postings: &[Posting]) -> Written {
        let bases = vec![BASE; documents as usize];
        let mut writer = Writer::new(&bases);
        writer.add("term", postings).unwrap();
        writer.finish().unwrap()
    }

    fn check(documents: u32, chosen: impl Fn(u32) -> bool) {
        let postings = postings(documents, chosen);
        let written = write(documents, &postings);
        let index = Index::open(documents, &written.terms, &written.postings).unwrap();
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
        check(100, |document| document == 7 * 14);
        check(100, |_| true);
        check(128, |_| true);
        check(500, |document| document % 2 == 0 && document < 260);
        check(5_000, |document| document % 9 == 0);
        check(5_000, |document| document % 39 == 5);
        check(5_000, |document| document == 0 || document == 4_999);
        check(40_000, |document| document % 100 < 9 && document % 7 != 0);
        check(3_000_000, |document| document % 50_000 < 3);
        check(3_000_000, |document| document == 4 || document > 2_999_860);
    }

    /// The worked example of [`super::super`].
    #[test]
    fn a_word_that_stands_once_in_each_of_two_texts_takes_two_bytes() {
        let bases = [BASE; 2];
        let once = |document| Posting {
            document,
            impact: 60,
            fields: Fields::BODY,
        };
        let mut writer = Writer::new(&bases);
        writer.add("file", &[once(0), once(1)]).unwrap();
        writer.add("finite", &[once(0)]).unwrap();
        let postings = writer.finish().unwrap().postings;
        assert_eq!(postings, [0xbd, 0xbd, 0x82, 0x07, 0x05]);
    }

    #[test]
    fn a_base_is_within_one_part_in_ninety_of_what_it_stands_for() {
        for worth in 256..=250 * 256 {
            let got = WORTHS[usize::from(base_of(worth))] as f64 / 256.0;
            let off = (got / f64::from(worth) - 1.0).abs();
            assert!(off < 1.0 / 90.0, "{worth} became {got}");
        }
        assert_eq!([0, 1, u32::MAX].map(base_of), [0, 0, 255]);
        assert_eq!(base_of(60 * 256), BASE);
    }

    #[test]
    fn an_impact_comes_back_as_the_nearest_level() {
        let bases = [BASE];
        let impact = |impact| {
            let mut writer = Writer::new(&bases);
            let only = Posting {
                document: 0,
                impact,
                fields: Fields::BODY,
            };
            writer.add("term", &[only]).unwrap();
            let written = writer.finish().unwrap();
            let index = Index::open(1, &written.terms, &written.postings).unwrap();
            let mut got = 0;
            let list = index.list(index.term("term").unwrap()).unwrap();
            list.for_each(|_, impact| got = impact);
            got
        };
        // One, two and three occurrences: 255 t 60 / (195 + 60 t).
        assert_eq!([60, 97, 122].map(impact), [60, 97, 122]);
        assert_eq!([1, 62, 100, 255].map(impact), [18, 60, 97, 251]);
    }

    #[test]
    fn damaged_postings_never_panic() {
        type Chosen = fn(u32) -> bool;
        let shapes: [(u32, Chosen); 5] = [
            (100, |document| document == 14),
            (100, |document| document % 3 > 0),
            (2_000, |document| document % 40 == 0),
            (2_000, |document| document % 11 == 0),
            (40_000, |document| document % 4_000 < 30),
        ];
        for (documents, chosen) in shapes {
            let written = write(documents, &postings(documents, chosen));
            let mut broken = written.postings.clone();
            let read = |postings: &[u8]| {
                let index = Index::open(documents, &written.terms, postings).unwrap();
                if let Some(list) = index.list(Term(0)) {
                    list.for_each(|document, _| assert!(document < documents));
                    list.for_each_outside_body(|document, _| assert!(document < documents));
                }
            };
            for at in documents as usize..broken.len() {
                for flip in [0x01, 0x10, 0x80, 0xff] {
                    broken[at] ^= flip;
                    read(&broken);
                    broken[at] ^= flip;
                }
                read(&broken[..at]);
            }
        }
    }
}
