//! Kind, collection, date and place in time of each page, and how a page is found by route and by slug.
//!
//! **Pages.** Documents come first, collection by collection and by route within each; then the pages that no collection
//! holds, by route.
//!
//! ```text
//! u32 pages | u32 documents | documents x (u8 language, u16 collection) | other pages x u8 kind
//! | documents x number: documents newest first
//! ```
//!
//! A language is 0 for the site's own, else a place, from 1, in the site's list of others; only documents have another. Here and below, a number of a page has as many bytes as the
//! largest of the site, and a hash has as many.
//!
//! **Routes.** Behind `pages` pairs of (hash, page), sorted, the routes as a front-coded table in page order: a look-up folds the case, hashes,
//! finds the run of equal hashes by binary search and compares the routes. Pages whose routes follow from their tags (`tags`) are neither in the pairs nor in the
//! table.
//!
//! **Slugs.** `documents` pairs of (hash, document) in the same way, over the last segment of each route.

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{put_u32s, u16_from, u32_at};
use super::error::Error;
use super::offsets::{number_at, width_of};
use super::strings::{self, FrontCoded};
use super::tags::{Run, Tags};
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
    /// Its language: 0 for the site's own, else, for a document, the place, from 1, in the site's list of others.
    pub language: u8,
    /// Its route.
    pub route: &'s str,
}

/// The text by which routes and slugs are found: case folded.
fn folded(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    {
        Cow::Owned(fold_case(text))
    } else {
        Cow::Borrowed(text)
    }
}

/// The lowest `width` bytes of the hash of a folded text.
fn hash(folded: &str, width: usize) -> u32 {
    xxh3_64(folded.as_bytes()) as u32 & (u32::MAX >> (32 - 8 * width))
}

/// Bytes of a number of one of so many pages.
fn width_for(pages: usize) -> usize {
    width_of(pages.saturating_sub(1) as u32)
}

/// Writes [`super::Section::Pages`].
pub fn write(pages: &[PageEntry], documents: u32, newest_first: &[u32]) -> Vec<u8> {
    let width = width_for(pages.len());
    let (first, others) = pages.split_at(documents as usize);
    let bytes = 8 + first.len() * (3 + width) + others.len();
    let mut out = Vec::with_capacity(bytes);
    put_u32s(&mut out, [pages.len() as u32, documents]);
    for page in first {
        out.push(page.language);
        out.extend_from_slice(&page.collection.unwrap_or(u16::MAX).to_le_bytes());
    }
    out.extend(others.iter().map(|page| page.kind as u8));
    for page in newest_first {
        out.extend_from_slice(&page.to_le_bytes()[..width]);
    }
    out
}

/// Writes [`super::Section::Routes`], without those of the run.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB.
pub fn write_routes(pages: &[PageEntry], run: &Run) -> Result<Vec<u8>, Error> {
    let outside = || {
        let pages = pages.iter().zip(0u32..);
        pages.filter_map(|(page, number)| {
            run.place(number).is_none().then_some((page.route, number))
        })
    };
    let mut out = pairs(outside(), width_for(pages.len()));
    out.extend(strings::write_front_coded(
        outside().map(|(route, _)| route),
    )?);
    Ok(out)
}

/// Writes [`super::Section::Slugs`].
pub fn write_slugs(pages: &[PageEntry], documents: u32) -> Vec<u8> {
    let documents_of = pages[..documents as usize].iter().zip(0u32..);
    pairs(
        documents_of.map(|(page, number)| (slug_of(page.route), number)),
        width_for(pages.len()),
    )
}

fn pairs<'s>(texts: impl Iterator<Item = (&'s str, u32)>, width: usize) -> Vec<u8> {
    let mut pairs: Vec<(u32, u32)> = texts
        .map(|(text, page)| (hash(&folded(text), width), page))
        .collect();
    pairs.sort_unstable();
    let mut out = Vec::with_capacity(pairs.len() * 2 * width);
    for number in pairs.into_iter().flat_map(|(hash, page)| [hash, page]) {
        out.extend_from_slice(&number.to_le_bytes()[..width]);
    }
    out
}

/// A table of pairs, read in place.
#[derive(Clone, Copy, Debug)]
struct Pairs<'a> {
    bytes: &'a [u8],
    count: usize,
    width: usize,
}

impl<'a> Pairs<'a> {
    /// Takes `count` pairs from `bytes`, and what follows them.
    fn open(bytes: &'a [u8], count: usize, width: usize) -> Option<(Self, &'a [u8])> {
        let (bytes, rest) = bytes.split_at_checked(count.checked_mul(2 * width)?)?;
        let pairs = Self {
            bytes,
            count,
            width,
        };
        Some((pairs, rest))
    }

    fn number(&self, at: usize) -> Option<u32> {
        number_at(self.bytes, at, self.width)
    }

    /// The pages whose folded text has the hash of `folded`.
    fn run(self, folded: &str) -> impl Iterator<Item = u32> + use<'a> {
        let hash = hash(folded, self.width);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
            if self.number(middle * 2).is_some_and(|found| found < hash) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        (low..self.count).map_while(move |at| {
            (self.number(at * 2)? == hash)
                .then(|| self.number(at * 2 + 1))
                .flatten()
        })
    }
}

/// How many pages a site has, and how many of them are documents, by [`super::Section::Pages`].
pub fn counts(pages: &[u8]) -> Option<(u32, u32)> {
    Some((u32_at(pages, 0)?, u32_at(pages, 1)?))
}

/// The three sections, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Pages<'a> {
    count: u32,
    documents: u32,
    /// Of documents.
    records: &'a [u8],
    /// Of other pages.
    others: &'a [u8],
    newest_first: &'a [u8],
    route_pairs: Pairs<'a>,
    routes: FrontCoded<'a>,
    slug_pairs: Pairs<'a>,
    tags: Tags<'a>,
}

impl<'a> Pages<'a> {
    /// Opens the sections, beside the one of tags; `None` where their lengths do not agree.
    pub fn open(
        pages: &'a [u8],
        routes: &'a [u8],
        slugs: &'a [u8],
        tags: Tags<'a>,
    ) -> Option<Self> {
        let (count, documents) = counts(pages)?;
        let width = width_for(count as usize);
        let others = count.checked_sub(documents)? as usize;
        let (records, rest) = pages
            .get(8..)?
            .split_at_checked((documents as usize).checked_mul(3)?)?;
        let (others, newest_first) = rest.split_at_checked(others)?;
        let outside = count.checked_sub(tags.run().length)? as usize;
        let (route_pairs, routes) = Pairs::open(routes, outside, width)?;
        let routes = FrontCoded::open(routes, outside)?;
        let (slug_pairs, rest) = Pairs::open(slugs, documents as usize, width)?;
        let whole = newest_first.len() == documents as usize * width && rest.is_empty();
        whole.then_some(Self {
            count,
            documents,
            records,
            others,
            newest_first,
            route_pairs,
            routes,
            slug_pairs,
            tags,
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
        let Some(other) = page.checked_sub(self.documents) else {
            return Some(PageKind::Document);
        };
        Some(match self.others.get(other as usize)? {
            1 => PageKind::Page,
            2 => PageKind::Index,
            _ => return None,
        })
    }

    /// The language of a page: 0 for the site's own, else the place, from 1, in the site's list of others.
    #[inline]
    pub fn language(&self, page: PageId) -> u8 {
        let record = self.records.get(page as usize * 3);
        record.copied().unwrap_or_default()
    }

    /// The number of the collection that holds a document.
    pub fn collection(&self, page: PageId) -> Option<u16> {
        u16_from(self.records, (page as usize).checked_mul(3)? + 1)
            .filter(|collection| *collection != u16::MAX)
    }

    /// The documents, newest first, then by route.
    pub fn newest_first(&self) -> impl Iterator<Item = PageId> + use<'a> {
        let (bytes, documents) = (self.newest_first, self.documents);
        let width = self.slug_pairs.width;
        (0..documents as usize)
            .map_while(move |place| number_at(bytes, place, width))
            .filter(move |page| *page < documents)
    }

    /// A page's route. Cost: decodes up to sixteen routes.
    pub fn route(&self, page: PageId) -> Option<String> {
        match self.tags.run().place(page) {
            Some(place) => Some(self.tags.route_in_run(place)?.concat()),
            None => self.routes.get(self.tags.run().outside(page) as usize),
        }
    }

    /// The same into memory that was used before, for many routes in a row.
    pub fn read_route<'s>(&self, page: PageId, memory: &'s mut Vec<u8>) -> Option<&'s str> {
        let Some(place) = self.tags.run().place(page) else {
            let outside = self.tags.run().outside(page);
            return self.routes.read(outside as usize, memory);
        };
        memory.clear();
        for part in self.tags.route_in_run(place)? {
            memory.extend_from_slice(part.as_bytes());
        }
        std::str::from_utf8(memory).ok()
    }

    /// All routes in page order; stops at damage.
    pub fn routes(&self) -> impl Iterator<Item = String> + use<'a> {
        let tags = self.tags;
        let mut outside = self.routes.iter();
        (0..self.count).map_while(move |page| match tags.run().place(page) {
            Some(place) => Some(tags.route_in_run(place)?.concat()),
            None => outside.next(),
        })
    }

    /// The page at a canonical route: the exact spelling, else another letter case when just one page has it.
    pub fn find(&self, route: &str) -> Option<PageId> {
        let folded = folded(route);
        let candidates = self.route_pairs.run(&folded);
        let candidates = candidates.chain(self.tags.find_in_run(&folded));
        let candidates = candidates.filter_map(|page| Some((page, self.route(page)?)));
        choose(candidates.collect(), route)
    }

    /// The documents whose slug is `slug`: those of the exact spelling, else those of another letter case.
    pub fn documents_with_slug(&self, slug: &str) -> Vec<PageId> {
        let candidates = self.slug_pairs.run(&folded(slug));
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
    use crate::format::strings::Plain;
    use crate::format::tags::{self, TagEntry};

    /// Documents, and index pages of which those below `/tags/` are of tags.
    fn with_pages(routes: &[&'static str], documents: u32, check: impl Fn(&Pages)) {
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
                language: u8::from((n as u32) < documents) * (n as u8 % 2),
                route,
            })
            .collect();
        let tag = |(number, route): (usize, &&'static str)| {
            route.strip_prefix("/tags/").map(|slug| TagEntry {
                slug,
                title: slug,
                page: number as u32,
                pages: Vec::new(),
            })
        };
        let tags: Vec<TagEntry> = routes.iter().enumerate().filter_map(tag).collect();
        let newest: Vec<u32> = (0..documents).rev().collect();
        let run = Run::longest(&tags, &entries).unwrap();
        let pages = write(&entries, documents, &newest);
        let written_routes = write_routes(&entries, &run).unwrap();
        let slugs = write_slugs(&entries, documents);
        let of_pages = vec![Vec::new(); routes.len()];
        let written_tags = tags::write(&tags, &of_pages, routes, &run).unwrap();
        let titles = strings::write_plain(routes.iter().copied()).unwrap();
        let titles = Plain::open(&titles, routes.len()).unwrap();
        let tags = Tags::open(&written_tags, titles, routes.len() as u32).unwrap();
        let pages = Pages::open(&pages, &written_routes, &slugs, tags).unwrap();
        let read: Vec<String> = pages.routes().collect();
        assert_eq!(read, routes);
        let mut memory = Vec::new();
        for (page, route) in (0..).zip(routes) {
            assert_eq!(pages.route(page).as_deref(), Some(*route));
            assert_eq!(pages.read_route(page, &mut memory), Some(*route));
            assert_eq!(pages.find(route), Some(page));
        }
        assert_eq!(pages.route(routes.len() as u32), None);
        check(&pages);
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
    fn routes_that_follow_from_tags_are_found_like_the_others() {
        let routes = ["/a", "/tags", "/tags/b", "/tags/c", "/tags/é", "/z"];
        with_pages(&routes, 1, |pages| {
            assert_eq!(pages.tags.run().length, 3);
            assert_eq!(pages.find("/TAGS/c"), Some(3));
            assert_eq!(pages.find("/tags/É"), Some(4));
            assert_eq!(pages.find("/tags/d"), None);
            assert_eq!(pages.find("/tags/"), None);
        });
        // A written page in another letter case beside a tag's.
        with_pages(&["/TAGS/b", "/tags/b", "/tags/c"], 1, |pages| {
            assert_eq!(pages.tags.run().length, 2);
            assert_eq!(pages.find("/Tags/b"), None);
            assert_eq!(pages.find("/Tags/c"), Some(2));
        });
    }

    #[test]
    fn numbers_of_every_width_find_their_pages() {
        for count in [3, 256, 257, 65_537] {
            let routes: Vec<String> = (0..count).map(|n| format!("/{n:06}")).collect();
            let page = |route| PageEntry {
                kind: PageKind::Document,
                collection: None,
                language: 0,
                route,
            };
            let entries: Vec<PageEntry> = routes.iter().map(|route| page(route.as_str())).collect();
            let newest: Vec<u32> = (0..count).rev().collect();
            let pages = write(&entries, count, &newest);
            let run = Run::default();
            let written = write_routes(&entries, &run).unwrap();
            let slugs = write_slugs(&entries, count);
            let titles = strings::write_plain(routes.iter().map(String::as_str)).unwrap();
            let titles = Plain::open(&titles, count as usize).unwrap();
            let tags = tags::write(&[], &[], &[], &run).unwrap();
            let tags = Tags::open(&tags, titles, count).unwrap();
            let pages = Pages::open(&pages, &written, &slugs, tags).unwrap();
            assert_eq!(pages.newest_first().next(), Some(count - 1));
            for number in [0, 1, count / 2, count - 1] {
                let route = &routes[number as usize];
                assert_eq!(pages.find(route), Some(number));
                assert_eq!(pages.documents_with_slug(&route[1..]), [number]);
            }
            assert_eq!(pages.find("/none"), None);
        }
    }

    #[test]
    fn a_route_in_two_letter_cases_needs_the_exact_one() {
        with_pages(&["/Guide", "/guide"], 0, |pages| {
            assert_eq!(pages.find("/GUIDE"), None);
            assert_eq!(pages.find("/Guide"), Some(0));
        });
    }
}
