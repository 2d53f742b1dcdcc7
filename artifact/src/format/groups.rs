//! Collections and links: which pages belong together.
//!
//! **Collections.** A collection holds a run of documents, so that belonging to it is a comparison of numbers.
//!
//! ```text
//! varint collections | for each: name | title | description (empty: none) | varint archive page | varint first document
//!                                | varint documents | u8 posts
//! ```
//!
//! **Links.** For each page what it cites, in the order of its text, and what cites it, ascending; up to the last page that has either.
//!
//! ```text
//! u32 pages up to that one | 2 x those + 1 offsets (`offsets`) | lists of page numbers as varints: cites of 0, cited by of 0, cites of 1 …
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

/// The varints of `bytes` that are below `below`.
pub fn numbers(bytes: &[u8], below: u32) -> impl Iterator<Item = u32> + '_ {
    let mut cursor = Cursor::new(bytes);
    std::iter::from_fn(move || cursor.varint()).filter(move |number| *number < below)
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
    let has_either = |page: &usize| !cites[*page].is_empty() || !cited_by[*page].is_empty();
    let pages = (0..cites.len())
        .rfind(has_either)
        .map_or(0, |last| last + 1);
    let mut offsets = Vec::with_capacity(pages * 2 + 1);
    let mut blob = Vec::new();
    for (cites, cited_by) in cites.iter().zip(&cited_by).take(pages) {
        for list in [cites, cited_by] {
            offsets.push(offset(&blob, "bytes of links")?);
            list.iter().for_each(|page| put_varint(&mut blob, *page));
        }
    }
    offsets.push(offset(&blob, "bytes of links")?);
    let mut out = Vec::new();
    put_u32s(&mut out, [pages as u32]);
    out.append(&mut offsets::write(&offsets, &blob));
    Ok(out)
}

/// The section of links, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    /// Pages with links are numbered below this.
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
    fn links_come_back_from_both_ends() {
        let bytes = write_links(&[vec![2, 1], vec![], vec![1]]).unwrap();
        let links = Links::open(&bytes).unwrap();
        assert_eq!(links.cites(0).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(links.cited_by(1).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(links.cited_by(7).count(), 0);
        let without = write_links(&[vec![2, 1], vec![], vec![1], vec![], vec![]]).unwrap();
        assert_eq!(
            without, bytes,
            "nothing is said of pages behind the last with links"
        );
        assert_eq!(write_links(&[vec![], vec![]]).unwrap(), [0, 0, 0, 0, 1, 0]);
        assert!(write_links(&[vec![1]]).is_err());
    }
}
