//! Kind, collection, date and place in time of each page, and how a page is found by route and by slug.
//!
//! **Pages.** Documents come first, collection by collection and by route within each; then the pages that no collection
//! holds, by route.
//!
//! ```text
//! u32 pages | u32 documents | pages x (u8 kind, u8 language, u16 collection) | documents x u32: documents newest first
//! ```
//!
//! A language is 0 for the site's own, else a place, from 1, in the site's list of others.
//!
//! **Routes.** The routes as a front-coded table in page order, behind `pages` pairs of (hash, page), little-endian 32-bit each,
//! sorted: a look-up folds the case, hashes, finds the run of equal hashes by binary search and compares.
//!
//! **Slugs.** `documents` pairs of (hash, document) in the same way, over the last segment of each route.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{put_u32s, u16_from, u32_at};
use super::error::Error;
use super::strings::{self, FrontCoded};
use crate::route::{fold_case, slug_of};

/// What a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageKind {
    /// A page that a collection holds.
    Document = 0,
    /// A written page that no collection holds.
    Page = 1,
    /// A list of links that the builder made: the root, an archive, the tags.
    Index = 2,
}

impl PageKind {
    /// The kind's name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Page => "page",
            Self::Index => "index",
        }
    }
}

/// A page's number: documents first.
pub type PageId = u32;

/// What is written of a page in these sections.
#[derive(Clone, Debug)]
pub struct PageEntry<'s> {
    /// What it is.
    pub kind: PageKind,
    /// The number of its collection, for a document.
    pub collection: Option<u16>,
    /// Its language: 0 for the site's own, else the place, from 1, in the site's list of others.
    pub language: u8,
    /// Its route.
    pub route: &'s str,
}

/// The key by which routes and slugs are found: case folded.
fn folded_hash(text: &str) -> u32 {
    if text
        .bytes()
        .any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    {
        xxh3_64(fold_case(text).as_bytes()) as u32
    } else {
        xxh3_64(text.as_bytes()) as u32
    }
}

/// Writes [`super::Section::Pages`].
pub fn write(pages: &[PageEntry], documents: u32, newest_first: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 + pages.len() * 4 + newest_first.len() * 4);
    put_u32s(&mut out, [pages.len() as u32, documents]);
    for page in pages {
        out.extend_from_slice(&[page.kind as u8, page.language]);
        out.extend_from_slice(&page.collection.unwrap_or(u16::MAX).to_le_bytes());
    }
    put_u32s(&mut out, newest_first.iter().copied());
    out
}

/// Writes [`super::Section::Routes`].
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB.
pub fn write_routes(pages: &[PageEntry]) -> Result<Vec<u8>, Error> {
    let mut out = pairs(pages.iter().map(|page| page.route));
    out.extend(strings::write_front_coded(
        pages.iter().map(|page| page.route),
    )?);
    Ok(out)
}

/// Writes [`super::Section::Slugs`].
pub fn write_slugs(pages: &[PageEntry], documents: u32) -> Vec<u8> {
    pairs(
        pages[..documents as usize]
            .iter()
            .map(|page| slug_of(page.route)),
    )
}

fn pairs<'s>(texts: impl Iterator<Item = &'s str>) -> Vec<u8> {
    let mut pairs: Vec<(u32, u32)> = texts
        .enumerate()
        .map(|(page, text)| (folded_hash(text), page as u32))
        .collect();
    pairs.sort_unstable();
    let mut out = Vec::with_capacity(pairs.len() * 8);
    put_u32s(
        &mut out,
        pairs.into_iter().flat_map(|(hash, page)| [hash, page]),
    );
    out
}

/// The pages whose hash is `hash`, in a table of `count` pairs.
fn run(pairs: &[u8], count: usize, hash: u32) -> impl Iterator<Item = u32> + '_ {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        if u32_at(pairs, middle * 2).is_some_and(|found| found < hash) {
            low = middle + 1
        } else {
            high = middle
        }
    }
    (low..count).map_while(move |at| {
        (u32_at(pairs, at * 2)? == hash)
            .then(|| u32_at(pairs, at * 2 + 1))
            .flatten()
    })
}

/// The three sections, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Pages<'a> {
    count: u32,
    documents: u32,
    records: &'a [u8],
    newest_first: &'a [u8],
    route_pairs: &'a [u8],
    routes: FrontCoded<'a>,
    slug_pairs: &'a [u8],
}

impl<'a> Pages<'a> {
    /// Opens the sections; `None` where their lengths do not agree.
    pub fn open(pages: &'a [u8], routes: &'a [u8], slugs: &'a [u8]) -> Option<Self> {
        let (count, documents) = (u32_at(pages, 0)?, u32_at(pages, 1)?);
        let (records, newest_first) = pages.get(8..)?.split_at_checked(count as usize * 4)?;
        let (route_pairs, routes) = routes.split_at_checked(count as usize * 8)?;
        let routes = FrontCoded::open(routes, count as usize)?;
        let whole = documents <= count
            && newest_first.len() == documents as usize * 4
            && slugs.len() == documents as usize * 8;
        whole.then_some(Self {
            count,
            documents,
            records,
            newest_first,
            route_pairs,
            routes,
            slug_pairs: slugs,
        })
    }

    /// How many pages there are, documents and index pages included.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// How many of them are documents: the pages numbered below this.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// What a page is.
    pub fn kind(&self, page: PageId) -> Option<PageKind> {
        Some(match self.records.get(page as usize * 4)? {
            0 => PageKind::Document,
            1 => PageKind::Page,
            2 => PageKind::Index,
            _ => return None,
        })
    }

    /// The language of a page: 0 for the site's own, else the place, from 1, in the site's list of others.
    #[inline]
    pub fn language(&self, page: PageId) -> u8 {
        let record = self.records.get(page as usize * 4 + 1);
        record.copied().unwrap_or_default()
    }

    /// The number of the collection that holds a document.
    pub fn collection(&self, page: PageId) -> Option<u16> {
        u16_from(self.records, page as usize * 4 + 2).filter(|collection| *collection != u16::MAX)
    }

    /// The documents, newest first, then by route.
    pub fn newest_first(&self) -> impl Iterator<Item = PageId> + 'a {
        let documents = self.documents;
        self.newest_first
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| u32::from_le_bytes(*four))
            .filter(move |page| *page < documents)
    }

    /// A page's route. Cost: decodes up to sixteen routes.
    pub fn route(&self, page: PageId) -> Option<String> {
        self.routes.get(page as usize)
    }

    /// The same into memory that was used before, for many routes in a row.
    pub fn read_route<'s>(&self, page: PageId, memory: &'s mut Vec<u8>) -> Option<&'s str> {
        self.routes.read(page as usize, memory)
    }

    /// All routes in page order.
    pub fn routes(&self) -> impl Iterator<Item = String> + 'a {
        self.routes.iter()
    }

    /// The page at a canonical route: the exact spelling, else another letter case when just one page has it.
    pub fn find(&self, route: &str) -> Option<PageId> {
        let candidates = run(self.route_pairs, self.count as usize, folded_hash(route));
        let candidates = candidates.filter_map(|page| Some((page, self.route(page)?)));
        choose(candidates.collect(), route)
    }

    /// The documents whose slug is `slug`: those of the exact spelling, else those of another letter case.
    pub fn documents_with_slug(&self, slug: &str) -> Vec<PageId> {
        let candidates = run(self.slug_pairs, self.documents as usize, folded_hash(slug));
        let candidates: Vec<(PageId, String)> = candidates
            .filter_map(|page| Some((page, slug_of(&self.route(page)?).to_owned())))
            .collect();
        let exact: Vec<PageId> = candidates
            .iter()
            .filter(|(_, found)| found == slug)
            .map(|(page, _)| *page)
            .collect();
        if !exact.is_empty() {
            return exact;
        }
        let folded = fold_case(slug);
        candidates
            .iter()
            .filter(|(_, found)| fold_case(found) == folded)
            .map(|(page, _)| *page)
            .collect()
    }
}

fn choose(candidates: Vec<(PageId, String)>, wanted: &str) -> Option<PageId> {
    if let Some((page, _)) = candidates.iter().find(|(_, route)| route == wanted) {
        return Some(*page);
    }
    let folded = fold_case(wanted);
    let mut same = candidates
        .iter()
        .filter(|(_, route)| fold_case(route) == folded);
    match (same.next(), same.next()) {
        (Some((page, _)), None) => Some(*page),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_pages(routes: &[&str], documents: u32, check: impl Fn(&Pages)) {
        let entries: Vec<PageEntry> = routes
            .iter()
            .enumerate()
            .map(|(n, route)| PageEntry {
                kind: if (n as u32) < documents {
                    PageKind::Document
                } else {
                    PageKind::Index
                },
                collection: ((n as u32) < documents).then_some(3),
                language: n as u8 % 2,
                route,
            })
            .collect();
        let newest: Vec<u32> = (0..documents).rev().collect();
        let pages = write(&entries, documents, &newest);
        let routes = write_routes(&entries).unwrap();
        let slugs = write_slugs(&entries, documents);
        check(&Pages::open(&pages, &routes, &slugs).unwrap());
    }

    #[test]
    fn pages_are_found_by_route_and_slug() {
        with_pages(
            &["/a/one", "/a/Two", "/b/one", "/", "/a", "/A"],
            3,
            |pages| {
                assert_eq!(pages.find("/a/one"), Some(0));
                assert_eq!(pages.find("/A/TWO"), Some(1));
                assert_eq!(pages.find("/a"), Some(4));
                assert_eq!(pages.find("/A"), Some(5));
                assert_eq!(pages.find("/"), Some(3));
                assert_eq!(pages.find("/c"), None);
                assert_eq!(pages.documents_with_slug("one"), [0, 2]);
                assert_eq!(pages.documents_with_slug("two"), [1]);
                assert_eq!(pages.documents_with_slug("a"), [0u32; 0]);
                assert_eq!(pages.newest_first().collect::<Vec<_>>(), [2, 1, 0]);
                assert_eq!(
                    (pages.kind(0), pages.kind(5)),
                    (Some(PageKind::Document), Some(PageKind::Index))
                );
                assert_eq!((pages.collection(0), pages.collection(5)), (Some(3), None));
                assert_eq!([0, 1, 9].map(|page| pages.language(page)), [0, 1, 0]);
                assert_eq!(pages.routes().count(), 6);
            },
        );
    }

    #[test]
    fn a_route_in_two_letter_cases_needs_the_exact_one() {
        with_pages(&["/Guide", "/guide"], 0, |pages| {
            assert_eq!(pages.find("/GUIDE"), None);
            assert_eq!(pages.find("/Guide"), Some(0));
        });
    }
}
