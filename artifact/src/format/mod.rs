//! The artifact: one file that holds a whole site, written by the builder, mapped and read in place by the runtime.
//!
//! **What it is for.** A function that starts cold has milliseconds. So nothing is decoded when an artifact is opened: every
//! section is a flat array of numbers, a table of strings or an fst, and the only thing that is ever unpacked is the page that was
//! asked for. Everything is little-endian and the same bytes come from the same site on any machine.
//!
//! **What it refuses.** Bytes of another version, of another tokenizer, of another length, and bytes that do not agree with their
//! checksums: each with an [`Error`] that names the section. No bytes make a reader panic.
//!
//! # Layout
//!
//! ```text
//!  0        8         12          16         20         24          32           40
//! ┌────────┬─────────┬───────────┬──────────┬──────────┬───────────┬────────────┐
//! │SHLFMARK│ version │ tokenizer │ sections │ 0        │ file      │ checksum of│
//! │ 8 bytes│ u32     │ u32       │ u32      │ u32      │ length u64│ this & table│
//! ├────────┴─────────┴───────────┴──────────┴──────────┴───────────┴────────────┤
//! │ table: one entry a section                                                   │
//! │ ┌────────┬─────┬────────────┬────────────┬────────────┐                      │
//! │ │ number │ 0   │ offset u64 │ length u64 │ xxh3 u64   │  32 bytes an entry   │
//! │ │ u32    │ u32 │ from 0     │ exact      │ of section │                      │
//! │ └────────┴─────┴────────────┴────────────┴────────────┘                      │
//! ├──────────────────────────────────────────────────────────────────────────────┤
//! │ sections, in the order of `Section::ALL`, each on a multiple of 8 bytes,     │
//! │ with zeros between                                                           │
//! │   site             title, address, limits                    → site          │
//! │   terms            fst: term → offset of its record          ┐ postings,     │
//! │   postings         documents, impacts, fields                ┘ terms         │
//! │   headings         title and heading words as hashes         → headings      │
//! │   versions         documents nearly the same as another      → versions      │
//! │   pages            kind, collection, order of dates          ┐               │
//! │   routes           hashes, front-coded routes                ├ pages         │
//! │   slugs            hashes                                    ┘               │
//! │   titles           plain string table                        → strings       │
//! │   collections      runs of documents                         → groups        │
//! │   tags             pages of a tag, tags of a page            → tags          │
//! │   links            cites, cited by                           → groups        │
//! │   prepared answers lists, tool definitions, the manual       → prepared      │
//! │   dictionary       zstd dictionary                           ┐               │
//! │   frame table      an offset a page                          ├ frames        │
//! │   page frames      row, outline, spans, markdown             ┘               │
//! │   full view        an artifact of its own; often there is none               │
//! └──────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! The module named behind each arrow draws the inside of its sections, writer beside reader. Offsets are 32-bit within a
//! section, so a section holds 4 GiB at most; there are at most 65,535 collections. The order puts what a search touches first and
//! the frames last, so that a cold search reads few and neighbouring pages of the file.
//!
//! **Two views.** A site with private pages is built twice, once as if they were hidden and once as if nothing were private. The sections are the first
//! build and hold nothing private; the last section, `full view`, is the second build's artifact from its magic to its end, which the same reader opens in place. An
//! artifact within an artifact holds no third.
//!
//! # A worked example
//!
//! A site of two documents, `/notes/fst` and `/notes/mmap`, and the archive `/notes`. Pages are numbered documents first, so they
//! are 0, 1 and 2. The postings start with what one occurrence is worth in each document, say `BD BD`, which is 2^(189/32): 60 of 255. The word `file` stands once in the text
//! of both documents: the fst maps it to 0, where its record starts: `82 07`, from the lowest bit on `0` (several documents), `1`
//! (two more than none), `0` (none holds it outside its text), `0000` (a bitmap), `1 1` (their levels: one occurrence each) and `1 1` (the
//! bitmap: no gap before either). The word `finite` stands in the first alone: the fst maps it to 2, where its record is `05`: `1` (one document), `0`
//! (its number, in one bit), `1` (one occurrence), `0` (in its text). A search for `file` sums `idf x 60` for each of the two documents,
//! ranks them, unpacks frame 0 and frame 1, and copies their rows into the answer.
//!
//! # Opening
//!
//! [`Artifact::open`] compares the header's checksum, the file's length, every section's bounds and the layout of the small tables: what it
//! reads does not grow with the site. Page frames carry their own checksums, compared when a page is read.
//! [`Artifact::verify`] compares everything.
//!
//! # History
//!
//! * **1** — the first.
//! * **2** — the languages of the site's documents, and the language of each page; the site's synonyms; the versions of pages; postings as
//!   streams of bits and impacts as levels; the term table is gone (its number, 3, stays unused); headings shared by pages are kept
//!   once; prepared lists are compressed and end where no answer shows more.
//! * **3** — offsets of titles, tags, links and frames are as narrow as the largest of each table; the manual, the collections with tools of their
//!   own and their documents' declared fields, among the prepared lists;
//!   the full view of a site with private pages, and who may ask, among the facts of the site.
//! * **4** — a tag's title is read from its page, and the route of that page from the tag's slug; numbers and hashes of pages are as narrow as a
//!   site allows; tags and links of pages end where no further page has any; only documents
//!   have a language of their own.

mod bits;
mod bytes;
mod error;
mod frames;
mod groups;
mod hashes;
mod header;
mod headings;
mod offsets;
mod packing;
mod pages;
mod postings;
mod prepared;
mod site;
mod strings;
mod tags;
mod terms;
mod versions;

pub use error::Error;
pub use frames::{
    Cut, CutRank, Frame, Frames, Heading, LARGEST_PAGE, Packer, Page as PackedPage, Span,
    encode as encode_page, train as train_dictionary,
};
pub use groups::{Collection, Links};
pub use hashes::Hashes;
pub use header::{MAGIC, Section, VERSION};
pub use headings::{Headings, Line, LineKind, LineView, Lines, hash_of};
pub use pages::{PageEntry, PageId, PageKind, Pages};
pub use postings::{
    Encoder as PostingsEncoder, Fields, Index, List, Posting, Term, Writer as PostingsWriter,
    Written as WrittenPostings, base_of, idf,
};
pub use prepared::{Items as PreparedItems, Prepared, PreparedList};
pub use site::Site;
pub use strings::Plain as Titles;
pub use tags::{Tag, TagEntry, Tags};
pub use terms::{Node, Terms, Way};
pub use versions::Versions;

use header::Header;

/// What an artifact is written from. Pages are numbered by their place: documents first, collection by collection.
#[derive(Debug)]
pub struct Contents<'s> {
    /// What the site says of itself.
    pub site: Site<'s>,
    /// Every page.
    pub pages: Vec<PageEntry<'s>>,
    /// How many of them, from the first, are documents.
    pub documents: u32,
    /// The documents, newest first, then by route.
    pub newest_first: Vec<u32>,
    /// The title of each page.
    pub titles: Vec<&'s str>,
    /// The collections, in the order of the configuration.
    pub collections: Vec<Collection<'s>>,
    /// The tags, by slug.
    pub tags: Vec<TagEntry<'s>>,
    /// The tags of each page, as numbers into `tags`.
    pub tags_of_pages: Vec<Vec<u32>>,
    /// The pages that each page cites.
    pub cites: Vec<Vec<PageId>>,
    /// The inverted index.
    pub postings: WrittenPostings,
    /// The lines of each document.
    pub lines: Vec<Vec<Line>>,
    /// Documents that are nearly the same as one before them, each with that one, ascending.
    pub versions: Vec<(u32, u32)>,
    /// The prepared items, in the order of [`Prepared::ALL`].
    pub prepared: [PreparedItems; Prepared::ALL.len()],
    /// The dictionary of the frames.
    pub dictionary: Vec<u8>,
    /// The compressed frame of each page.
    pub frames: Vec<Vec<u8>>,
    /// The artifact of the full view; empty when nothing is private.
    pub full: Vec<u8>,
}

/// Writes an artifact.
///
/// # Errors
/// [`Error::TooLarge`] where the format has no room, [`Error::Contradiction`] where the contents do not fit together.
pub fn write(contents: Contents) -> Result<Vec<u8>, Error> {
    let (pages, documents) = (contents.pages.len(), contents.documents as usize);
    if contents.collections.len() >= usize::from(u16::MAX) {
        let got = contents.collections.len();
        return Err(Error::TooLarge {
            what: "collections",
            got,
            most: usize::from(u16::MAX) - 1,
        });
    }
    let lengths_agree = documents <= pages
        && contents.newest_first.len() == documents
        && contents.lines.len() == documents
        && [
            contents.titles.len(),
            contents.tags_of_pages.len(),
            contents.cites.len(),
            contents.frames.len(),
        ]
        .iter()
        .all(|length| *length == pages);
    if !lengths_agree {
        return Err(Error::Contradiction(
            "the parts speak of different numbers of pages",
        ));
    }
    if contents.pages[documents..]
        .iter()
        .any(|page| page.language > 0)
    {
        return Err(Error::Contradiction(
            "a page that is no document in a language of its own",
        ));
    }
    let (frame_table, frames) = frames::write(&contents.frames)?;
    let run = tags::Run::longest(&contents.tags, &contents.pages)?;
    let mut sections = vec![
        (Section::Site, site::write(&contents.site)),
        (Section::Terms, contents.postings.terms),
        (Section::Postings, contents.postings.postings),
        (Section::Headings, headings::write(&contents.lines)?),
        (Section::Versions, versions::write(&contents.versions)),
        (
            Section::Pages,
            pages::write(&contents.pages, contents.documents, &contents.newest_first),
        ),
        (Section::Routes, pages::write_routes(&contents.pages, &run)?),
        (
            Section::Slugs,
            pages::write_slugs(&contents.pages, contents.documents),
        ),
        (
            Section::Titles,
            strings::write_plain(contents.titles.iter().copied())?,
        ),
        (
            Section::Collections,
            groups::write_collections(&contents.collections),
        ),
        (
            Section::Tags,
            tags::write(
                &contents.tags,
                &contents.tags_of_pages,
                &contents.titles,
                &run,
            )?,
        ),
        (Section::Links, groups::write_links(&contents.cites)?),
        (Section::Prepared, prepared::write(&contents.prepared)?),
        (Section::Dictionary, contents.dictionary),
        (Section::FrameTable, frame_table),
        (Section::Frames, frames),
    ];
    if !contents.full.is_empty() {
        sections.push((Section::Full, contents.full));
    }
    Ok(header::write(crate::text::VERSION, &sections))
}

/// An artifact, read in place. Everything it gives borrows from the bytes.
#[derive(Debug)]
pub struct Artifact<'a> {
    header: Header<'a>,
    identity: u64,
    site: Site<'a>,
    index: Index<'a>,
    headings: Headings<'a>,
    versions: Versions<'a>,
    pages: Pages<'a>,
    titles: Titles<'a>,
    collections: Vec<Collection<'a>>,
    tags: Tags<'a>,
    links: Links<'a>,
    prepared: prepared::Lists<'a>,
    frames: Frames<'a>,
}

impl<'a> Artifact<'a> {
    /// Opens an artifact. Cost: nothing is read but the small tables and the others' ends.
    ///
    /// # Errors
    /// Any [`Error`] but those of the writer.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let header = Header::read(bytes, crate::text::VERSION)?;
        let section = |wanted| header.section(wanted);
        let site = site::read(section(Section::Site)?)?;
        let pages = section(Section::Pages)?;
        let (count, documents) = pages::counts(pages).ok_or(Error::Damaged(Section::Pages))?;
        let titles = Titles::open(section(Section::Titles)?, count as usize)
            .ok_or(Error::Damaged(Section::Titles))?;
        let tags = Tags::open(section(Section::Tags)?, titles, count)
            .ok_or(Error::Damaged(Section::Tags))?;
        let pages = Pages::open(
            pages,
            section(Section::Routes)?,
            section(Section::Slugs)?,
            tags,
        )
        .ok_or(Error::Damaged(Section::Pages))?;
        let index = Index::open(
            documents,
            section(Section::Terms)?,
            section(Section::Postings)?,
        )?;
        let headings = Headings::open(section(Section::Headings)?, documents as usize);
        let frames = Frames::open(
            section(Section::Dictionary)?,
            section(Section::FrameTable)?,
            section(Section::Frames)?,
            count,
        );
        Ok(Self {
            identity: header.identity(),
            site,
            index,
            headings: headings.ok_or(Error::Damaged(Section::Headings))?,
            versions: Versions::open(section(Section::Versions)?)
                .ok_or(Error::Damaged(Section::Versions))?,
            pages,
            titles,
            collections: groups::read_collections(section(Section::Collections)?, documents)?,
            tags,
            links: Links::open(section(Section::Links)?).ok_or(Error::Damaged(Section::Links))?,
            prepared: prepared::Lists::open(section(Section::Prepared)?)
                .ok_or(Error::Damaged(Section::Prepared))?,
            frames: frames.ok_or(Error::Damaged(Section::FrameTable))?,
            header,
        })
    }

    /// Compares every byte with its checksum and reads every page once. Cost: the whole file.
    ///
    /// # Errors
    /// The first [`Error::Damaged`] found.
    pub fn verify(&self) -> Result<(), Error> {
        self.header.check_padding()?;
        let mut sections = self.header.lengths();
        sections.try_for_each(|(section, _)| self.header.check(section))?;
        if let Some(full) = self.full()? {
            full.verify().map_err(|_| Error::Damaged(Section::Full))?;
        }
        (0..self.pages.count()).try_for_each(|page| self.frames.get(page).map(drop))
    }

    /// Sixteen hexadecimal digits that name these contents: two artifacts that differ anywhere differ here.
    pub fn identity(&self) -> String {
        format!("{:016x}", self.identity)
    }

    /// Each section with its length in bytes.
    pub fn sections(&self) -> impl Iterator<Item = (Section, usize)> {
        self.header.lengths()
    }

    /// What the site says of itself.
    pub fn site(&self) -> &Site<'a> {
        &self.site
    }

    /// The inverted index.
    pub fn index(&self) -> &Index<'a> {
        &self.index
    }

    /// Titles and headings as hashes.
    pub fn headings(&self) -> &Headings<'a> {
        &self.headings
    }

    /// Which documents are nearly the same.
    pub fn versions(&self) -> &Versions<'a> {
        &self.versions
    }

    /// Kinds, routes, slugs, dates.
    pub fn pages(&self) -> &Pages<'a> {
        &self.pages
    }

    /// A page's title; empty where the bytes are damaged.
    pub fn title(&self, page: PageId) -> &'a str {
        self.titles.get(page as usize).unwrap_or_default()
    }

    /// The collections, in the order of the configuration.
    pub fn collections(&self) -> &[Collection<'a>] {
        &self.collections
    }

    /// The tags.
    pub fn tags(&self) -> &Tags<'a> {
        &self.tags
    }

    /// Who cites whom.
    pub fn links(&self) -> &Links<'a> {
        &self.links
    }

    /// A prepared list. The first time, it is unpacked.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn prepared(&self, wanted: Prepared) -> Result<PreparedList<'_>, Error> {
        self.prepared.get(wanted)
    }

    /// The view that holds the private pages beside the public ones; `None` when nothing is private.
    ///
    /// # Errors
    /// [`Error::Damaged`] when it cannot be opened.
    pub fn full(&self) -> Result<Option<Artifact<'a>>, Error> {
        let Ok(bytes) = self.header.section(Section::Full) else {
            return Ok(None);
        };
        match Artifact::open(bytes) {
            // One within it would be nobody's.
            Ok(full) if full.header.section(Section::Full).is_err() => Ok(Some(full)),
            _ => Err(Error::Damaged(Section::Full)),
        }
    }

    /// Whether the pages themselves are in it; an artifact for comparing search engines may be without them.
    pub fn has_pages(&self) -> bool {
        self.header
            .section(Section::Frames)
            .is_ok_and(|frames| !frames.is_empty())
    }

    /// The pages' frames.
    pub fn frames(&self) -> &Frames<'a> {
        &self.frames
    }
}

#[cfg(test)]
mod tests;
