//! Answers prepared at build time: the items of each list as JSON, the descriptions of the tools, and the manual.
//!
//! ```text
//! for each of Prepared::ALL: varint items in all | varint bytes of its frame | then the frames, one behind the other
//! frame: zstd with a content size and a checksum | decompressed, for each item that is kept: its JSON as a text
//! ```
//!
//! A list is unpacked when it is first asked for and stays so. Its items are kept apart so that a bound on their number, or on the bytes of the answer,
//! cuts between two of them. Items that no answer has room for are counted and not kept.

use std::sync::OnceLock;

use super::bytes::{Cursor, put_text, put_varint};
use super::error::Error;
use super::header::Section;

/// How hard zstd tries: what is unpacked as fast whatever it took.
const LEVEL: i32 = 19;
/// No list is larger than this when decompressed: a length beyond it is damage.
const LARGEST_LIST: usize = 1 << 28;

/// What is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// The items of `list_collections`.
    Collections = 0,
    /// The items of `list_pages`.
    Pages = 1,
    /// The items of `list_tags`.
    Tags = 2,
    /// The array of tool definitions as `tools/list` shows it: first with `submit_feedback`, then without. Whether there is a
    /// store is known only where the artifact is served. A third item, where the settings name the endpoint, is the server card.
    Tools = 3,
    /// The manual, three items a topic: its name, its page where there is feedback, and its page where there is none. An empty page is none at
    /// all. The topic with an empty name is the list of topics and stands first.
    Manual = 4,
    /// The collections with tools of their own, two items each: the place of the collection as a number, and its part of the tools' names.
    CollectionTools = 5,
    /// What each document of those collections says in its declared fields, as JSON, by collection and document; empty when it says nothing.
    FrontMatter = 6,
}

impl Prepared {
    /// Every list, in the order in which they are written.
    pub const ALL: [Prepared; 7] = [
        Self::Collections,
        Self::Pages,
        Self::Tags,
        Self::Tools,
        Self::Manual,
        Self::CollectionTools,
        Self::FrontMatter,
    ];
}

/// The items of a list, as written.
#[derive(Clone, Debug, Default)]
pub struct Items {
    count: usize,
    kept: Vec<String>,
}

impl Items {
    /// All of the items.
    pub fn all(items: Vec<String>) -> Self {
        Self {
            count: items.len(),
            kept: items,
        }
    }

    /// Of `count` items, those that an answer of `answer_bytes` could have room for, and no fewer.
    ///
    /// An answer goes out as structured content and as a text, with a comma each, so that an item takes at least twice its bytes and two more.
    pub fn shown(count: usize, items: impl Iterator<Item = String>, answer_bytes: usize) -> Self {
        let mut left = Some(answer_bytes);
        let items = items.map_while(|item| {
            left = left?.checked_sub(item.len() * 2 + 2);
            Some(item)
        });
        Self {
            count,
            kept: items.collect(),
        }
    }
}

/// Writes the section: the items of each of [`Prepared::ALL`].
///
/// # Errors
/// [`Error::Compression`].
pub fn write(lists: &[Items; Prepared::ALL.len()]) -> Result<Vec<u8>, Error> {
    let (mut out, mut frames) = (Vec::new(), Vec::new());
    let mut compressor = zstd::bulk::Compressor::new(LEVEL).map_err(|_| Error::Compression)?;
    compressor
        .include_checksum(true)
        .map_err(|_| Error::Compression)?;
    for list in lists {
        let mut texts = Vec::new();
        list.kept.iter().for_each(|item| put_text(&mut texts, item));
        let frame = compressor
            .compress(&texts)
            .map_err(|_| Error::Compression)?;
        put_varint(&mut out, list.count as u32);
        put_varint(&mut out, frame.len() as u32);
        frames.extend_from_slice(&frame);
    }
    out.extend_from_slice(&frames);
    Ok(out)
}

/// One prepared list.
#[derive(Clone, Debug)]
pub struct PreparedList<'a> {
    /// How many items it has, kept or not.
    pub count: u32,
    texts: &'a [u8],
}

impl<'a> PreparedList<'a> {
    /// The items that are kept, from the first, each the JSON of an object.
    pub fn items(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut cursor = Cursor::new(self.texts);
        std::iter::from_fn(move || cursor.text())
    }
}

/// The section, of which each list is unpacked once.
#[derive(Debug)]
pub struct Lists<'a> {
    lists: Vec<List<'a>>,
}

#[derive(Debug)]
struct List<'a> {
    count: u32,
    frame: &'a [u8],
    texts: OnceLock<Option<Vec<u8>>>,
}

impl<'a> Lists<'a> {
    /// Opens the section; `None` where the frames do not fill it.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let mut lengths = [(0, 0); Prepared::ALL.len()];
        for (count, length) in &mut lengths {
            (*count, *length) = (cursor.varint()?, cursor.varint()? as usize);
        }
        let mut list = |(count, length)| {
            Some(List {
                count,
                frame: cursor.take(length)?,
                texts: OnceLock::new(),
            })
        };
        let lists: Option<Vec<List>> = lengths.into_iter().map(&mut list).collect();
        let lists = lists?;
        cursor.rest().is_empty().then_some(Self { lists })
    }

    /// One of the lists.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the frame does not agree with its checksum.
    pub fn get(&self, wanted: Prepared) -> Result<PreparedList<'_>, Error> {
        let list = &self.lists[wanted as usize];
        let texts = list.texts.get_or_init(|| unpack(list.frame)).as_deref();
        Ok(PreparedList {
            count: list.count,
            texts: texts.ok_or(Error::Damaged(Section::Prepared))?,
        })
    }
}

fn unpack(frame: &[u8]) -> Option<Vec<u8>> {
    let size = zstd::zstd_safe::get_frame_content_size(frame).ok()??;
    let size = usize::try_from(size)
        .ok()
        .filter(|size| *size <= LARGEST_LIST)?;
    zstd::bulk::decompress(frame, size).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists() -> [Items; Prepared::ALL.len()] {
        let mut lists: [Items; Prepared::ALL.len()] = Default::default();
        lists[0] = Items::all(vec!["{}".into()]);
        lists[2] = Items::all(vec!["{\"a\":1}".into(), "{\"b\":2}".into()]);
        lists
    }

    #[test]
    fn each_list_comes_back() {
        let bytes = write(&lists()).unwrap();
        let lists = Lists::open(&bytes).unwrap();
        for _ in 0..2 {
            let tags = lists.get(Prepared::Tags).unwrap();
            assert_eq!(tags.count, 2);
            assert_eq!(tags.items().collect::<Vec<_>>(), ["{\"a\":1}", "{\"b\":2}"]);
        }
        assert_eq!(lists.get(Prepared::Tools).unwrap().items().count(), 0);
        assert!(Lists::open(&bytes[..4]).is_none());
    }

    #[test]
    fn items_are_kept_as_far_as_an_answer_could_show_them() {
        let items = || (0..10).map(|number| format!("{{\"number\":{number}}}"));
        // 12 bytes each, so 26 at least; the item that passes the bound is kept as well.
        for (answer_bytes, kept) in [(0, 1), (25, 1), (26, 2), (51, 2), (52, 3), (10_000, 10)] {
            let shown = Items::shown(10, items(), answer_bytes);
            assert_eq!((shown.count, shown.kept.len()), (10, kept));
        }
    }

    #[test]
    fn every_flipped_byte_of_a_frame_is_noticed() {
        let bytes = write(&lists()).unwrap();
        for at in Prepared::ALL.len() * 2..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x55;
            let lists = Lists::open(&broken).unwrap();
            assert!(
                Prepared::ALL.iter().any(|list| lists.get(*list).is_err()),
                "byte {at}"
            );
        }
    }
}
