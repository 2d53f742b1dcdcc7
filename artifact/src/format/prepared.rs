//! Answers prepared at build time: the items of each list as JSON, and the descriptions of the tools.
//!
//! ```text
//! for each of Prepared::ALL: varint items | varint bytes of all items | for each item: its JSON as a text
//! ```
//!
//! A list's items are kept apart so that a bound on their number, or on the bytes of the answer, cuts between two of them.

use super::bytes::{Cursor, put_text, put_varint};
use super::error::Error;
use super::header::Section;

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
    /// store is known only where the artifact is served.
    Tools = 3,
}

impl Prepared {
    /// Every list, in the order in which they are written.
    pub const ALL: [Prepared; 4] = [Self::Collections, Self::Pages, Self::Tags, Self::Tools];
}

/// Writes the section: the items of each of [`Prepared::ALL`].
pub fn write(lists: &[Vec<String>; 4]) -> Vec<u8> {
    let mut out = Vec::new();
    for list in lists {
        put_varint(&mut out, list.len() as u32);
        put_varint(&mut out, list.iter().map(|item| item.len() as u32).sum());
        list.iter().for_each(|item| put_text(&mut out, item));
    }
    out
}

/// One prepared list, read in place.
#[derive(Clone, Debug)]
pub struct PreparedList<'a> {
    /// How many items it has.
    pub count: u32,
    /// Bytes of all items together.
    pub bytes: u32,
    cursor: Cursor<'a>,
}

impl<'a> PreparedList<'a> {
    /// The items, each the JSON of an object.
    pub fn items(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut cursor = self.cursor.clone();
        (0..self.count).map_while(move |_| cursor.text())
    }
}

/// Finds a list in the section.
///
/// # Errors
/// [`Error::Damaged`].
pub fn read(bytes: &[u8], wanted: Prepared) -> Result<PreparedList<'_>, Error> {
    let mut cursor = Cursor::new(bytes);
    find(&mut cursor, wanted).ok_or(Error::Damaged(Section::Prepared))
}

fn find<'a>(cursor: &mut Cursor<'a>, wanted: Prepared) -> Option<PreparedList<'a>> {
    for list in Prepared::ALL {
        let (count, bytes) = (cursor.varint()?, cursor.varint()?);
        if list == wanted {
            return Some(PreparedList {
                count,
                bytes,
                cursor: cursor.clone(),
            });
        }
        for _ in 0..count {
            let length = cursor.varint()? as usize;
            cursor.take(length)?;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_comes_back() {
        let lists = [
            vec!["{}".into()],
            vec![],
            vec!["{\"a\":1}".into(), "{\"b\":2}".into()],
            vec![],
        ];
        let bytes = write(&lists);
        let tags = read(&bytes, Prepared::Tags).unwrap();
        assert_eq!((tags.count, tags.bytes), (2, 14));
        assert_eq!(tags.items().collect::<Vec<_>>(), ["{\"a\":1}", "{\"b\":2}"]);
        assert_eq!(read(&bytes, Prepared::Tools).unwrap().count, 0);
        assert!(read(&bytes[..4], Prepared::Tools).is_err());
    }
}
