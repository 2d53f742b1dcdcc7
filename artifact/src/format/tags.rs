//! Tags: which pages have one, and which a page has.
//!
//! Most tags have a page of their own, at an address made of the tag's slug, and with the tag's title. A site of ten thousand documents may have
//! thirty thousand of them, so what both say is kept once: a tag has the slug, and its page the title.
//!
//! ```text
//! u32 tags | u32 pages up to the last that has tags | varint first tag of the run | varint its page | varint tags of the run
//! | what stands before the slug in a route of the run | what stands behind it
//! | tags + pages + 1 offsets (`offsets`) | tag records, by slug | page records
//! tag record:   slug | varint 2 x pages + (a title follows: 1) | title | varint its page (outside of the run only) | gaps of the pages' numbers as varints
//! page record:  tag numbers as varints, in the order in which the page names them
//! ```
//!
//! **The run** are tags one after another whose pages are one after another as well, at routes that the slug completes in the same way. `/tags/c++` is the slug
//! `c++` behind `/tags/` and before nothing; its page's number follows from the tag's. These routes stand nowhere else ([`Tags::route_in_run`]). All of them are in
//! folded letter case, so that a route of any case is found by its folded slug. A tag's title is that of its page where no title follows.

use super::bytes::{Cursor, offset, put_text, put_u32s, put_varint, u32_at};
use super::error::Error;
use super::groups::numbers;
use super::offsets::{self, Pieces};
use super::pages::{PageEntry, PageId};
use super::strings::Plain;
use crate::route::fold_case;

/// A tag, as written.
#[derive(Clone, Debug)]
pub struct TagEntry<'s> {
    /// Its slug.
    pub slug: &'s str,
    /// What a reader reads.
    pub title: &'s str,
    /// The page that lists it.
    pub page: PageId,
    /// The pages that carry it, ascending.
    pub pages: Vec<PageId>,
}

/// Tags in a row with pages in a row, whose routes follow from their slugs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run<'a> {
    /// The first of the tags.
    pub tag: u32,
    /// The page of the first.
    pub page: PageId,
    /// How many tags.
    pub length: u32,
    /// What stands before the slug in a route.
    before: &'a str,
    /// What stands behind it.
    behind: &'a str,
}

impl<'s> Run<'s> {
    /// The longest there is among the tags of a site; the first of several.
    ///
    /// # Errors
    /// [`Error::Contradiction`] where a tag's page is none of the pages.
    pub fn longest(tags: &[TagEntry], pages: &[PageEntry<'s>]) -> Result<Self, Error> {
        let mut longest = Self::default();
        let mut current = Self::default();
        for (number, tag) in tags.iter().enumerate() {
            let route = pages.get(tag.page as usize).map(|page| page.route);
            let route = route.ok_or(Error::Contradiction("a tag whose page is none"))?;
            let goes_on = current.length > 0
                && tag.page == current.page + current.length
                && current.slug_in(route) == Some(tag.slug)
                && fold_case(route) == route;
            if goes_on {
                current.length += 1;
            } else {
                current = Self::of(number as u32, tag, route);
            }
            if current.length > longest.length {
                longest = current;
            }
        }
        Ok(longest)
    }

    /// One tag alone; nothing where its route is not made of its slug.
    fn of(number: u32, tag: &TagEntry, route: &'s str) -> Self {
        match route.rsplit_once(tag.slug) {
            Some((before, behind)) if fold_case(route) == route => Self {
                tag: number,
                page: tag.page,
                length: 1,
                before,
                behind,
            },
            _ => Self::default(),
        }
    }
}

impl Run<'_> {
    /// The slug that completes a route of the run; `None` where the route is not like those.
    fn slug_in<'r>(&self, route: &'r str) -> Option<&'r str> {
        route.strip_prefix(self.before)?.strip_suffix(self.behind)
    }

    /// The place of a page in the run.
    #[inline]
    pub fn place(&self, page: PageId) -> Option<u32> {
        page.checked_sub(self.page)
            .filter(|place| *place < self.length)
    }

    /// The number of a page among those outside of the run, which tables are made of that leave the run out.
    #[inline]
    pub fn outside(&self, page: PageId) -> PageId {
        if page < self.page {
            page
        } else {
            page.saturating_sub(self.length)
        }
    }
}

/// Writes [`super::Section::Tags`]: the tags by slug, and the tags of each page. `titles` are those of the pages, `run` is what [`Run::longest`] found.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB; [`Error::Contradiction`] where slugs are not in order.
pub fn write(
    tags: &[TagEntry],
    tags_of_pages: &[Vec<u32>],
    titles: &[&str],
    run: &Run,
) -> Result<Vec<u8>, Error> {
    if !tags.is_sorted_by(|left, right| left.slug < right.slug) {
        return Err(Error::Contradiction("tags out of order"));
    }
    let pages = tags_of_pages.iter().rposition(|tags| !tags.is_empty());
    let tags_of_pages = &tags_of_pages[..pages.map_or(0, |last| last + 1)];
    let mut offsets = Vec::with_capacity(tags.len() + tags_of_pages.len() + 1);
    let mut blob = Vec::new();
    for (number, tag) in tags.iter().enumerate() {
        offsets.push(offset(&blob, "bytes of tags")?);
        put_text(&mut blob, tag.slug);
        let own = titles.get(tag.page as usize) != Some(&tag.title);
        let pages = u32::try_from(tag.pages.len() * 2 + usize::from(own));
        put_varint(
            &mut blob,
            pages.map_err(|_| Error::TooLarge {
                what: "pages of a tag",
                got: tag.pages.len(),
                most: (u32::MAX / 2) as usize,
            })?,
        );
        if own {
            put_text(&mut blob, tag.title);
        }
        if !(run.tag..run.tag + run.length).contains(&(number as u32)) {
            put_varint(&mut blob, tag.page);
        }
        let mut previous = 0;
        for page in &tag.pages {
            put_varint(&mut blob, page - previous);
            previous = *page;
        }
    }
    for tags in tags_of_pages {
        offsets.push(offset(&blob, "bytes of tags")?);
        tags.iter().for_each(|tag| put_varint(&mut blob, *tag));
    }
    offsets.push(offset(&blob, "bytes of tags")?);
    let mut out = Vec::new();
    put_u32s(&mut out, [tags.len() as u32, tags_of_pages.len() as u32]);
    for number in [run.tag, run.page, run.length] {
        put_varint(&mut out, number);
    }
    put_text(&mut out, run.before);
    put_text(&mut out, run.behind);
    out.append(&mut offsets::write(&offsets, &blob));
    Ok(out)
}

/// A tag, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'a> {
    /// Its slug.
    pub slug: &'a str,
    /// What a reader reads.
    pub title: &'a str,
    /// The page that lists it.
    pub page: PageId,
    /// How many pages carry it, documents and others.
    pub count: u32,
    gaps: &'a [u8],
    below: u32,
}

impl<'a> Tag<'a> {
    /// The pages that carry the tag, ascending: documents first.
    pub fn pages(&self) -> impl Iterator<Item = PageId> + use<'a> {
        let (mut cursor, below) = (Cursor::new(self.gaps), self.below);
        let mut page = 0u32;
        std::iter::from_fn(move || {
            page = page.checked_add(cursor.varint()?)?;
            (page < below).then_some(page)
        })
    }
}

/// The section of tags, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    count: u32,
    /// Pages with tags are numbered below this.
    pages: u32,
    run: Run<'a>,
    titles: Plain<'a>,
    lists: Pieces<'a>,
}

impl<'a> Tags<'a> {
    /// Opens the section, beside the titles of `pages` pages.
    pub fn open(bytes: &'a [u8], titles: Plain<'a>, pages: u32) -> Option<Self> {
        let (count, with_tags) = (u32_at(bytes, 0)?, u32_at(bytes, 1)?);
        let mut cursor = Cursor::new(bytes.get(8..)?);
        let run = Run {
            tag: cursor.varint()?,
            page: cursor.varint()?,
            length: cursor.varint()?,
            before: cursor.text()?,
            behind: cursor.text()?,
        };
        let ends = (
            run.tag.checked_add(run.length)?,
            run.page.checked_add(run.length)?,
        );
        let lists = Pieces::open(
            cursor.rest(),
            (count as usize).checked_add(with_tags as usize)?,
        )?;
        let whole = ends.0 <= count && ends.1 <= pages && with_tags <= pages;
        whole.then_some(Self {
            count,
            pages: with_tags,
            run,
            titles,
            lists,
        })
    }

    /// How many tags there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Tag number `index`, in the order of the slugs.
    pub fn get(&self, index: u32) -> Option<Tag<'a>> {
        let mut cursor = self.record(index)?;
        let (slug, head) = (cursor.text()?, cursor.varint()?);
        let own_title = if head & 1 == 1 {
            Some(cursor.text()?)
        } else {
            None
        };
        let place = index.checked_sub(self.run.tag);
        let page = match place.filter(|place| *place < self.run.length) {
            Some(place) => self.run.page + place,
            None => cursor.varint()?,
        };
        Some(Tag {
            slug,
            title: own_title.or_else(|| self.titles.get(page as usize))?,
            page,
            count: head >> 1,
            gaps: cursor.rest(),
            below: self.pages,
        })
    }

    /// The record of a tag, from its slug on.
    #[inline]
    fn record(&self, index: u32) -> Option<Cursor<'a>> {
        let index = (index < self.count).then_some(index as usize)?;
        self.lists.get(index).map(Cursor::new)
    }

    /// All tags, by slug.
    pub fn iter(&self) -> impl Iterator<Item = Tag<'a>> + 'a {
        let tags = *self;
        (0..self.count).map_while(move |index| tags.get(index))
    }

    /// The tag of exactly this slug.
    pub fn find(&self, slug: &str) -> Option<(u32, Tag<'a>)> {
        let index = self.find_in(0..self.count, slug)?;
        Some((index, self.get(index)?))
    }

    fn find_in(&self, range: std::ops::Range<u32>, slug: &str) -> Option<u32> {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.record(middle)?.text()?.cmp(slug) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The numbers of a page's tags, in the order in which it names them.
    pub fn of_page(&self, page: PageId) -> impl Iterator<Item = u32> + use<'a> {
        let at = (page < self.pages).then(|| self.count as usize + page as usize);
        numbers(
            at.and_then(|at| self.lists.get(at)).unwrap_or_default(),
            self.count,
        )
    }

    /// The tags whose pages' routes follow from their slugs.
    #[inline]
    pub fn run(&self) -> &Run<'a> {
        &self.run
    }

    /// The parts of the route of the page at a place of the run; `None` at damage.
    pub fn route_in_run(&self, place: u32) -> Option<[&'a str; 3]> {
        let slug = self.record(self.run.tag.checked_add(place)?)?.text()?;
        Some([self.run.before, slug, self.run.behind])
    }

    /// The page of the run at a route in folded letter case.
    pub fn find_in_run(&self, folded: &str) -> Option<PageId> {
        let run = &self.run;
        let slug = run.slug_in(folded)?;
        let tag = self.find_in(run.tag..run.tag + run.length, slug)?;
        Some(run.page + (tag - run.tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::PageKind;
    use crate::format::strings::write_plain;

    fn tag<'s>(slug: &'s str, title: &'s str, page: u32, pages: &[u32]) -> TagEntry<'s> {
        TagEntry {
            slug,
            title,
            page,
            pages: pages.to_vec(),
        }
    }

    fn entries<'s>(routes: &[&'s str]) -> Vec<PageEntry<'s>> {
        let entry = |route: &&'s str| PageEntry {
            kind: PageKind::Index,
            collection: None,
            language: 0,
            route,
        };
        routes.iter().map(entry).collect()
    }

    #[test]
    fn tags_come_back_from_both_sides() {
        let titles = ["A", "B", "C", "D", "C++", "Z"];
        let pages = entries(&["/a", "/b", "/tags/c", "/d", "/tags/cpp", "/z"]);
        let entries = [
            tag("c", "The language C", 2, &[0]),
            tag("cpp", "C++", 4, &[0, 1, 3]),
        ];
        let run = Run::longest(&entries, &pages).unwrap();
        assert_eq!((run.tag, run.page, run.length), (0, 2, 1), "not in a row");
        let of_pages = [vec![1, 0], vec![1], vec![], vec![1], vec![], vec![]];
        let bytes = write(&entries, &of_pages, &titles, &run).unwrap();
        let plain = write_plain(titles).unwrap();
        let titles = Plain::open(&plain, 6).unwrap();
        let tags = Tags::open(&bytes, titles, 6).unwrap();
        let (number, cpp) = tags.find("cpp").unwrap();
        assert_eq!((number, cpp.count, cpp.page, cpp.title), (1, 3, 4, "C++"));
        assert_eq!(cpp.pages().collect::<Vec<_>>(), [0, 1, 3]);
        let (_, c) = tags.find("c").unwrap();
        assert_eq!((c.title, c.page), ("The language C", 2));
        assert_eq!(tags.of_page(0).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(tags.of_page(99).count(), 0);
        assert!(tags.find("csharp").is_none());
        assert!(
            Tags::open(&bytes, titles, 3).is_none(),
            "pages that are not there"
        );
        let turned = [entries[1].clone(), entries[0].clone()];
        assert!(write(&turned, &[], &[], &Run::default()).is_err());
    }

    #[test]
    fn a_run_ends_where_a_route_is_no_slug() {
        let routes = [
            "/tags/a/",
            "/tags/B/",
            "/tags/c/",
            "/tags/d/",
            "/topics/e",
            "/tags/f/",
        ];
        let pages = entries(&routes);
        let slugs = ["A", "B", "c", "d", "e", "f"];
        let tags: Vec<TagEntry> = slugs
            .iter()
            .enumerate()
            .map(|(number, slug)| tag(slug, slug, number as u32, &[0]))
            .collect();
        let run = Run::longest(&tags, &pages).unwrap();
        assert_eq!((run.tag, run.page, run.length), (2, 2, 2));
        assert_eq!((run.before, run.behind), ("/tags/", "/"));
        assert_eq!(
            [1, 2, 3, 4].map(|page| run.place(page)),
            [None, Some(0), Some(1), None]
        );
        assert_eq!([1, 4, 5].map(|page| run.outside(page)), [1, 2, 3]);
        assert!(Run::longest(&[tag("a", "a", 9, &[])], &pages).is_err());
        assert_eq!(Run::longest(&[], &pages).unwrap(), Run::default());
    }
}
