//! The header and the table of sections: where everything stands and whether it is whole.
//!
//! Writing lays the sections down in the order of [`Section::ALL`], each on a multiple of eight bytes, and states
//! exact lengths. Reading checks the header's own checksum, the file's length and every section's bounds before
//! anything else looks at the bytes. The sections' own checksums are compared by [`Header::check`], on demand.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::u64_from;
use super::error::Error;

/// The first eight bytes of every artifact.
pub const MAGIC: [u8; 8] = *b"SHLFMARK";
/// The version of the layout; see the history in [`super`].
pub const VERSION: u32 = 4;

/// Magic, version, tokenizer, number of sections, reserved, length of the file, checksum of the header.
const FIXED: usize = 8 + 4 + 4 + 4 + 4 + 8 + 8;
/// Where the header's checksum stands within the fixed part.
const CHECKSUM_AT: usize = 32;
/// Number, reserved, offset, length, checksum.
const ENTRY: usize = 4 + 4 + 8 + 8 + 8;

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// A part of the artifact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Section { $($(#[$doc])* $name = $number,)* }

        impl Section {
            /// Every section, in the order in which they are laid down.
            pub const ALL: &'static [Section] = &[$(Section::$name),*];

            /// The section's name, as `builder inspect` and error texts show it.
            pub fn name(self) -> &'static str {
                match self { $(Section::$name => $text,)* }
            }
        }
    };
}

sections! {
    /// What the site says of itself: title, address, limits, language.
    Site = 1, "site";
    /// The fst from term to the place of its record among the postings.
    Terms = 2, "terms";
    /// Documents, impacts and fields of each term.
    Postings = 4, "postings";
    /// Titles, aliases and headings of each document as sequences of term hashes.
    Headings = 5, "headings";
    /// Documents that are nearly the same as another.
    Versions = 17, "versions";
    /// Kind, collection and date of each page.
    Pages = 6, "pages";
    /// Routes, front-coded, and the hashes to find them by.
    Routes = 7, "routes";
    /// Titles of all pages.
    Titles = 8, "titles";
    /// Slugs of documents, by hash.
    Slugs = 9, "slugs";
    /// Collections and the run of documents each holds.
    Collections = 10, "collections";
    /// Tags, the pages that carry each, and the tags of each page.
    Tags = 11, "tags";
    /// Who cites whom, both ways.
    Links = 12, "links";
    /// Answers and descriptions prepared at build time.
    Prepared = 13, "prepared answers";
    /// The dictionary that the page frames share.
    Dictionary = 14, "dictionary";
    /// Where each page's frame starts.
    FrameTable = 15, "frame table";
    /// One compressed frame a page: its row, its outline, its text.
    Frames = 16, "page frames";
    /// A whole artifact of its own, with the private pages beside the public ones. Only where there are private pages.
    Full = 18, "full view";
}

impl std::fmt::Display for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Lays down a header and the sections' bytes.
pub fn write(tokenizer: u32, sections: &[(Section, Vec<u8>)]) -> Vec<u8> {
    let table = FIXED + ENTRY * sections.len();
    let mut out = Vec::with_capacity(
        table
            + sections
                .iter()
                .map(|(_, bytes)| bytes.len() + 8)
                .sum::<usize>(),
    );
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&tokenizer.to_le_bytes());
    out.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.resize(table, 0);
    for (index, (section, bytes)) in sections.iter().enumerate() {
        out.resize(out.len().next_multiple_of(8), 0);
        let entry = FIXED + ENTRY * index;
        let offset = out.len() as u64;
        out[entry..entry + 4].copy_from_slice(&(*section as u32).to_le_bytes());
        out[entry + 8..entry + 16].copy_from_slice(&offset.to_le_bytes());
        out[entry + 16..entry + 24].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        out[entry + 24..entry + 32].copy_from_slice(&xxh3_64(bytes).to_le_bytes());
        out.extend_from_slice(bytes);
    }
    let length = out.len() as u64;
    out[24..32].copy_from_slice(&length.to_le_bytes());
    let checksum = checksum_of(&out[..table]);
    out[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&checksum.to_le_bytes());
    out
}

/// The checksum of a header and its table, in which the checksum's own place counts as zero.
fn checksum_of(head: &[u8]) -> u64 {
    let mut copy = head.to_vec();
    copy[CHECKSUM_AT..CHECKSUM_AT + 8].fill(0);
    xxh3_64(&copy)
}

/// A header that was read and found whole.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    bytes: &'a [u8],
    entries: Vec<(Section, std::ops::Range<usize>, u64)>,
}

impl<'a> Header<'a> {
    /// Reads and checks the header of an artifact: everything but the sections' own checksums.
    ///
    /// # Errors
    /// One of [`Error::NotAnArtifact`], [`Error::Version`], [`Error::Tokenizer`], [`Error::Length`], [`Error::Header`].
    pub fn read(bytes: &'a [u8], tokenizer: u32) -> Result<Self, Error> {
        let known = bytes.len().min(MAGIC.len());
        if known == 0 || bytes[..known] != MAGIC[..known] {
            return Err(Error::NotAnArtifact);
        }
        let Some(fixed) = bytes.get(..FIXED) else {
            return Err(Error::Length {
                got: bytes.len() as u64,
                expected: FIXED as u64,
            });
        };
        let word = |at: usize| {
            u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]])
        };
        if word(8) != VERSION {
            return Err(Error::Version {
                got: word(8),
                expected: VERSION,
            });
        }
        let length = u64_from(fixed, 24).ok_or(Error::Header)?;
        if length != bytes.len() as u64 {
            return Err(Error::Length {
                got: bytes.len() as u64,
                expected: length,
            });
        }
        let count = word(16) as usize;
        let table = count
            .checked_mul(ENTRY)
            .and_then(|n| n.checked_add(FIXED))
            .ok_or(Error::Header)?;
        let head = bytes.get(..table).ok_or(Error::Header)?;
        if u64_from(fixed, CHECKSUM_AT) != Some(checksum_of(head)) {
            return Err(Error::Header);
        }
        if word(12) != tokenizer {
            return Err(Error::Tokenizer {
                got: word(12),
                expected: tokenizer,
            });
        }
        let mut entries = Vec::with_capacity(count);
        for entry in head[FIXED..].chunks_exact(ENTRY) {
            let number = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            let field = |at: usize| u64_from(entry, at).and_then(|n| usize::try_from(n).ok());
            let (Some(start), Some(length)) = (field(8), field(16)) else {
                return Err(Error::Header);
            };
            let end = start
                .checked_add(length)
                .filter(|end| *end <= bytes.len())
                .ok_or(Error::Header)?;
            // A later revision of the same version may add sections: unknown numbers are passed over.
            if let Some(section) = Section::ALL
                .iter()
                .find(|section| **section as u32 == number)
            {
                entries.push((
                    *section,
                    start..end,
                    u64_from(entry, 24).ok_or(Error::Header)?,
                ));
            }
        }
        Ok(Self { bytes, entries })
    }

    /// The header's own checksum, which covers every section's checksum and so every byte of every section.
    pub fn identity(&self) -> u64 {
        u64_from(self.bytes, CHECKSUM_AT).unwrap_or_default()
    }

    /// The bytes of a section.
    ///
    /// # Errors
    /// [`Error::Missing`].
    pub fn section(&self, wanted: Section) -> Result<&'a [u8], Error> {
        let found = self.entries.iter().find(|(section, ..)| *section == wanted);
        found
            .and_then(|(_, range, _)| self.bytes.get(range.clone()))
            .ok_or(Error::Missing(wanted))
    }

    /// Compares a section's bytes with its checksum. Cost: one pass over the section.
    ///
    /// # Errors
    /// [`Error::Missing`] or [`Error::Damaged`].
    pub fn check(&self, wanted: Section) -> Result<(), Error> {
        let stated = self
            .entries
            .iter()
            .find(|(section, ..)| *section == wanted)
            .map(|entry| entry.2);
        if stated == Some(xxh3_64(self.section(wanted)?)) {
            Ok(())
        } else {
            Err(Error::Damaged(wanted))
        }
    }

    /// Checks that the bytes between sections, which no checksum covers, are the zeros that the writer put there.
    ///
    /// # Errors
    /// [`Error::Header`].
    pub fn check_padding(&self) -> Result<(), Error> {
        let mut at = FIXED + ENTRY * self.entries.len();
        for (_, range, _) in &self.entries {
            match self.bytes.get(at..range.start) {
                Some(gap) if gap.len() < 8 && gap.iter().all(|byte| *byte == 0) => at = range.end,
                _ => return Err(Error::Header),
            }
        }
        if at == self.bytes.len() {
            Ok(())
        } else {
            Err(Error::Header)
        }
    }

    /// Each section with its length in bytes, in the order of the file.
    pub fn lengths(&self) -> impl Iterator<Item = (Section, usize)> {
        self.entries
            .iter()
            .map(|(section, range, _)| (*section, range.len()))
    }
}
