//! Collections, tags and links: which pages belong together.
//!
//! **Collections.** A collection holds a run of documents, so that belonging to it is a comparison of numbers.
//!
//! ```text
//! varint collections | for each: name | title | description (empty: none) | varint archive page | varint first document
//!                                | varint documents | u8 posts
//! ```
//!
//! **Tags**, by slug.
//!
//! ```text
//! u32 tags | u32 pages | tags + pages + 1 offsets (`offsets`) | tag records | page records
//! tag record:   slug | title | varint page of the tag | varint pages | gaps of their numbers as varints
//! page record:  tag numbers as varints, in the order in which the page names them
//! ```
//!
//! **Links.** For each page what it cites, in the order of its text, and what cites it, ascending.
//!
//! ```text
//! u32 pages | 2 x pages + 1 offsets (`offsets`) | lists of page numbers as varints: cites of 0, cited by of 0, cites of 1 …
//! ```

use super::bytes::{Cursor, offset, put_text, put_u32s, put_varint, u32_at};
use super::error::Error;
use super::header::Section;
use super::offsets::{self, Pieces};
use super::pages::PageId;

/// A collection, as written and as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection<'a> {
    /// Its name in arguments and answers.
    pub name: &'a str,
    /// Its title for readers.
    pub title: &'a str,
    /// What it holds, in a sentence.
    pub description: Option<&'a str>,
    /// The page that lists it.
    pub archive: PageId,
    /// Its first document.
    pub first: u32,
    /// How many documents it holds.
    pub documents: u32,
    /// Whether `get_post` looks in it.
    pub posts: bool,
}

impl Collection<'_> {
    /// The numbers of its documents.
    pub fn range(&self) -> std::ops::Range<u32> {
        self.first..self.first.saturating_add(self.documents)
    }
}

/// Writes [`Section::Collections`].
pub fn write_collections(collections: &[Collection]) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, collections.len() as u32);
    for collection in collections {
        put_text(&mut out, collection.name);
        put_text(&mut out, collection.title);
        put_text(&mut out, collection.description.unwrap_or_default());
        for number in [collection.archive, collection.first, collection.documents] {
            put_varint(&mut out, number);
        }
        out.push(u8::from(collection.posts));
    }
    out
}

/// Reads [`Section::Collections`].
///
/// # Errors
/// [`Error::Damaged`].
pub fn read_collections(bytes: &[u8], documents: u32) -> Result<Vec<Collection<'_>>, Error> {
    let mut cursor = Cursor::new(bytes);
    let count = cursor.varint();
    let collections: Vec<Collection> = (0..count.unwrap_or(0))
        .map_while(|_| read_collection(&mut cursor))
        .collect();
    let whole = count == Some(collections.len() as u32)
        && cursor.rest().is_empty()
        && collections
            .iter()
            .all(|collection| collection.range().end <= documents);
    if whole {
        Ok(collections)
    } else {
        Err(Error::Damaged(Section::Collections))
    }
}

fn read_collection<'a>(cursor: &mut Cursor<'a>) -> Option<Collection<'a>> {
    let (name, title, description) = (cursor.text()?, cursor.text()?, cursor.text()?);
    Some(Collection {
        name,
        title,
        description: (!description.is_empty()).then_some(description),
        archive: cursor.varint()?,
        first: cursor.varint()?,
        documents: cursor.varint()?,
        posts: cursor.byte()? != 0,
    })
}

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

/// Writes [`Section::Tags`]: the tags by slug, and the tags of each page.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB.
pub fn write_tags(tags: &[TagEntry], tags_of_pages: &[Vec<u32>]) -> Result<Vec<u8>, Error> {
    let mut offsets = Vec::with_capacity(tags.len() + tags_of_pages.len() + 1);
    let mut blob = Vec::new();
    for tag in tags {
        offsets.push(offset(&blob, "bytes of tags or links")?);
        put_text(&mut blob, tag.slug);
        put_text(&mut blob, tag.title);
        put_varint(&mut blob, tag.page);
        put_varint(&mut blob, tag.pages.len() as u32);
        let mut previous = 0;
        for page in &tag.pages {
            put_varint(&mut blob, page - previous);
            previous = *page;
        }
    }
    for tags in tags_of_pages {
        offsets.push(offset(&blob, "bytes of tags or links")?);
        tags.iter().for_each(|tag| put_varint(&mut blob, *tag));
    }
    offsets.push(offset(&blob, "bytes of tags or links")?);
    let mut out = Vec::new();
    put_u32s(&mut out, [tags.len() as u32, tags_of_pages.len() as u32]);
    out.append(&mut offsets::write(&offsets, &blob));
    Ok(out)
}

fn numbers(bytes: &[u8], below: u32) -> impl Iterator<Item = u32> + '_ {
    let mut cursor = Cursor::new(bytes);
    std::iter::from_fn(move || cursor.varint()).filter(move |number| *number < below)
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
    pages: u32,
    lists: Pieces<'a>,
}

impl<'a> Tags<'a> {
    /// Opens the section.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        let (count, pages) = (u32_at(bytes, 0)?, u32_at(bytes, 1)?);
        let lists = Pieces::open(
            bytes.get(8..)?,
            (count as usize).checked_add(pages as usize)?,
        )?;
        Some(Self {
            count,
            pages,
            lists,
        })
    }

    /// How many tags there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Tag number `index`, in the order of the slugs.
    pub fn get(&self, index: u32) -> Option<Tag<'a>> {
        let mut cursor = Cursor::new(
            self.lists
                .get((index < self.count).then_some(index as usize)?)?,
        );
        let (slug, title) = (cursor.text()?, cursor.text()?);
        let (page, count) = (cursor.varint()?, cursor.varint()?);
        Some(Tag {
            slug,
            title,
            page,
            count,
            gaps: cursor.rest(),
            below: self.pages,
        })
    }

    /// All tags, by slug.
    pub fn iter(&self) -> impl Iterator<Item = Tag<'a>> + 'a {
        let tags = *self;
        (0..self.count).map_while(move |index| tags.get(index))
    }

    /// The tag of exactly this slug.
    pub fn find(&self, slug: &str) -> Option<(u32, Tag<'a>)> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let tag = self.get(middle)?;
            match tag.slug.cmp(slug) {
                std::cmp::Ordering::Equal => return Some((middle, tag)),
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
}

/// Writes [`Section::Links`] from what each page cites; who cites it follows from that.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB.
pub fn write_links(cites: &[Vec<PageId>]) -> Result<Vec<u8>, Error> {
    let mut cited_by: Vec<Vec<PageId>> = vec![Vec::new(); cites.len()];
    for (page, cited) in cites.iter().enumerate() {
        for target in cited {
            let list = cited_by
                .get_mut(*target as usize)
                .ok_or(Error::Contradiction("a link to no page"))?;
            list.push(page as PageId);
        }
    }
    let mut offsets = Vec::with_capacity(cites.len() * 2 + 1);
    let mut blob = Vec::new();
    for (cites, cited_by) in cites.iter().zip(&cited_by) {
        for list in [cites, cited_by] {
            offsets.push(offset(&blob, "bytes of tags or links")?);
            list.iter().for_each(|page| put_varint(&mut blob, *page));
        }
    }
    offsets.push(offset(&blob, "bytes of tags or links")?);
    let mut out = Vec::new();
    put_u32s(&mut out, [cites.len() as u32]);
    out.append(&mut offsets::write(&offsets, &blob));
    Ok(out)
}

/// The section of links, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    pages: u32,
    lists: Pieces<'a>,
}

impl<'a> Links<'a> {
    /// Opens the section.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        let pages = u32_at(bytes, 0)?;
        Some(Self {
            pages,
            lists: Pieces::open(bytes.get(4..)?, (pages as usize).checked_mul(2)?)?,
        })
    }

    /// The pages that a page links to, in the order of its text.
    pub fn cites(&self, page: PageId) -> impl Iterator<Item = PageId> + use<'a> {
        self.list(page, 0)
    }

    /// The pages that link to a page, ascending.
    pub fn cited_by(&self, page: PageId) -> impl Iterator<Item = PageId> + use<'a> {
        self.list(page, 1)
    }

    fn list(&self, page: PageId, side: usize) -> impl Iterator<Item = PageId> + use<'a> {
        let at = (page < self.pages).then_some(page as usize * 2 + side);
        numbers(
            at.and_then(|at| self.lists.get(at)).unwrap_or_default(),
            self.pages,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_come_back() {
        let collections = [
            Collection {
                name: "a",
                title: "A",
                description: None,
                archive: 9,
                first: 0,
                documents: 4,
                posts: true,
            },
            Collection {
                name: "b",
                title: "B",
                description: Some("d"),
                archive: 8,
                first: 4,
                documents: 0,
                posts: false,
            },
        ];
        let bytes = write_collections(&collections);
        assert_eq!(read_collections(&bytes, 4).unwrap(), collections);
        assert!(read_collections(&bytes, 3).is_err());
        assert!(read_collections(&bytes[..5], 4).is_err());
    }

    #[test]
    fn tags_come_back_from_both_sides() {
        let tag = |slug, pages: &[u32]| TagEntry {
            slug,
            title: slug,
            page: 4,
            pages: pages.to_vec(),
        };
        let bytes = write_tags(
            &[tag("c", &[0]), tag("cpp", &[0, 1, 3])],
            &[vec![1, 0], vec![1], vec![], vec![1], vec![]],
        )
        .unwrap();
        let tags = Tags::open(&bytes).unwrap();
        let (number, cpp) = tags.find("cpp").unwrap();
        assert_eq!((number, cpp.count, cpp.page), (1, 3, 4));
        assert_eq!(cpp.pages().collect::<Vec<_>>(), [0, 1, 3]);
        assert_eq!(tags.of_page(0).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(tags.of_page(99).count(), 0);
        assert!(tags.find("csharp").is_none());
    }

    #[test]
    fn links_come_back_from_both_ends() {
        let bytes = write_links(&[vec![2, 1], vec![], vec![1]]).unwrap();
        let links = Links::open(&bytes).unwrap();
        assert_eq!(links.cites(0).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(links.cited_by(1).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(links.cited_by(7).count(), 0);
        assert!(write_links(&[vec![1]]).is_err());
    }
}
