//! Titles, aliases and headings of documents, laid out in memory so that a question's words are found in them at once.
//!
//! The artifact keeps lines one behind the other, which is small, and slow to look through. A document that has come up before has a
//! table beside (`layout`). With the tables stands what is known of versions of pages. All of it is gathered from the second search on, since the
//! first has no time to lose, and up to a bound.

use std::sync::RwLock;

use artifact::format::{Artifact, LineView, PageId};

use super::layout::{NewLine, Start, write};
use super::versions::Known;

/// What all tables may take: 16 MiB.
const MOST_BYTES: usize = 16 << 20;
/// Versions of pages that are remembered, some 200 bytes each.
const MOST_VERSIONS: usize = 1 << 14;
/// The place of a document that has not been looked at.
const UNKNOWN: u32 = 0;
/// The place of a document without a table.
const WITHOUT: u32 = 1;
/// Places of tables are counted from here.
const FIRST: u32 = 2;

/// What is kept of all documents that have come up.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Whether there has been a search.
    searched: bool,
    /// Where the table of each document starts.
    places: Vec<u32>,
    numbers: Vec<u16>,
    /// The first version of each document; empty where no document is a version of another.
    firsts: Vec<PageId>,
    /// What is known of versions that have stood beside others, with their documents, ascending.
    versions: Vec<(PageId, Known)>,
}

/// What a search found that tables do not know.
#[derive(Debug, Default)]
pub(super) struct Unknown {
    /// Documents without a table.
    pub(super) documents: Vec<PageId>,
    /// Versions of pages.
    pub(super) versions: Vec<(PageId, Known)>,
}

impl Tables {
    /// Where the table of a document starts, with its first number: many of them are waited for together.
    #[inline]
    pub(super) fn start(&self, document: u32) -> Option<Start<'_>> {
        let place = self.places.get(document as usize)?.checked_sub(FIRST)?;
        Start::of(self.numbers.get(place as usize..)?)
    }

    /// The first version of a document's page, where that is known.
    #[inline]
    pub(super) fn first(&self, document: PageId) -> Option<PageId> {
        self.firsts.get(document as usize).copied()
    }

    /// What is known of a version.
    pub(super) fn version(&self, document: PageId) -> Option<&Known> {
        let key = |(document, _): &(PageId, Known)| *document;
        let place = self.versions.binary_search_by_key(&document, key).ok()?;
        Some(&self.versions[place].1)
    }

    /// Lays out the lines of a document.
    fn add<'a>(&mut self, document: u32, lines: impl Iterator<Item = LineView<'a>>) {
        let Some(place) = self.places.get_mut(document as usize) else {
            return;
        };
        if *place != UNKNOWN {
            return;
        }
        let start = self.numbers.len();
        *place = if start * 2 < MOST_BYTES
            && write(lines.map(NewLine::of), &mut self.numbers).is_some()
        {
            start as u32 + FIRST
        } else {
            self.numbers.truncate(start);
            WITHOUT
        };
    }
}

/// Remembers what a search found that was unknown, but for the first search.
pub(super) fn learn(tables: &RwLock<Tables>, artifact: &Artifact, unknown: Unknown) {
    let is_new = |known: &Tables| {
        let is_unknown = |document: &PageId| known.places.get(*document as usize) == Some(&UNKNOWN);
        known.places.is_empty()
            || unknown.documents.iter().any(is_unknown)
            || !unknown.versions.is_empty() && known.versions.len() < MOST_VERSIONS
    };
    if unknown.documents.is_empty() && unknown.versions.is_empty()
        || !tables.read().is_ok_and(|known| is_new(&known))
    {
        return;
    }
    let Ok(mut tables) = tables.write() else {
        return;
    };
    if !tables.searched {
        tables.searched = true;
        return;
    }
    if tables.places.is_empty() {
        let documents = artifact.pages().documents();
        tables.places = vec![UNKNOWN; documents as usize];
        if !artifact.versions().is_empty() {
            tables.firsts = (0..documents).collect();
            for (document, first) in artifact.versions().pairs() {
                if let Some(place) = tables.firsts.get_mut(document as usize) {
                    *place = first;
                }
            }
        }
    }
    let headings = artifact.headings();
    for document in unknown.documents {
        tables.add(document, headings.lines(document));
    }
    for (document, version) in unknown.versions {
        let key = |(document, _): &(PageId, Known)| *document;
        if let Err(place) = tables.versions.binary_search_by_key(&document, key)
            && tables.versions.len() < MOST_VERSIONS
        {
            tables.versions.insert(place, (document, version));
        }
    }
}
