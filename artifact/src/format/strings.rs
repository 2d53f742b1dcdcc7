//! Tables of strings: plain ones, found by number, and front-coded ones, for sorted strings with long shared starts.
//!
//! A plain table is `count + 1` offsets (`offsets`) and then the bytes; string `i` is what stands between
//! offsets `i` and `i + 1`.
//!
//! A front-coded table cuts the strings into blocks of sixteen. Each block starts with its first string whole
//! (length-prefixed); every further one states how many bytes it shares with the one before it and then the rest:
//! `/glossary/bm25f`, `/glossary/bigram` are written as `15 "/glossary/bm25f"`, `11 5 "igram"`.

use super::bytes::{Cursor, offset, put_text, put_u32s, put_varint, u32_at};
use super::error::Error;
use super::offsets::{self, Pieces};

/// Strings to a block of a front-coded table: a look-up decodes eight on average.
const BLOCK: usize = 16;

/// Writes a plain table.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB of text.
pub fn write_plain<'s>(strings: impl IntoIterator<Item = &'s str>) -> Result<Vec<u8>, Error> {
    let mut offsets = vec![0u32];
    let mut blob = Vec::new();
    for string in strings {
        blob.extend_from_slice(string.as_bytes());
        offsets.push(offset(&blob, "bytes of text")?);
    }
    Ok(offsets::write(&offsets, &blob))
}

/// A plain table, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a>(Pieces<'a>);

impl<'a> Plain<'a> {
    /// Takes `count` strings from `bytes`; `None` when they are too short for the offsets.
    pub fn open(bytes: &'a [u8], count: usize) -> Option<Self> {
        Pieces::open(bytes, count).map(Self)
    }

    /// String number `index`.
    pub fn get(&self, index: usize) -> Option<&'a str> {
        std::str::from_utf8(self.0.get(index)?).ok()
    }
}

/// Writes a front-coded table. Any order is kept; sorted strings come out small.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB of text.
pub fn write_front_coded<'s>(strings: impl IntoIterator<Item = &'s str>) -> Result<Vec<u8>, Error> {
    let mut offsets = Vec::new();
    let mut blob = Vec::new();
    let mut previous = "";
    for (index, string) in strings.into_iter().enumerate() {
        if index % BLOCK == 0 {
            offsets.push(offset(&blob, "bytes of routes")?);
            put_text(&mut blob, string);
        } else {
            let mut shared = string
                .bytes()
                .zip(previous.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            while !string.is_char_boundary(shared) {
                shared -= 1;
            }
            put_varint(&mut blob, shared as u32);
            put_text(&mut blob, &string[shared..]);
        }
        previous = string;
    }
    let mut out = Vec::with_capacity(offsets.len() * 4 + blob.len());
    put_u32s(&mut out, offsets);
    out.extend_from_slice(&blob);
    Ok(out)
}

/// A front-coded table, read in place.
#[derive(Clone, Copy, Debug)]
pub struct FrontCoded<'a> {
    offsets: &'a [u8],
    blob: &'a [u8],
    count: usize,
}

impl<'a> FrontCoded<'a> {
    /// Takes `count` strings from `bytes`.
    pub fn open(bytes: &'a [u8], count: usize) -> Option<Self> {
        let (offsets, blob) = bytes.split_at_checked(count.div_ceil(BLOCK).checked_mul(4)?)?;
        Some(Self {
            offsets,
            blob,
            count,
        })
    }

    /// String number `index`. Cost: decodes up to sixteen strings.
    pub fn get(&self, index: usize) -> Option<String> {
        let mut string = Vec::with_capacity(64);
        self.decode(index, &mut string)?;
        String::from_utf8(string).ok()
    }

    /// The same into memory that was used before.
    pub fn read<'s>(&self, index: usize, string: &'s mut Vec<u8>) -> Option<&'s str> {
        self.decode(index, string)?;
        std::str::from_utf8(string).ok()
    }

    fn decode(&self, index: usize, string: &mut Vec<u8>) -> Option<()> {
        if index >= self.count {
            return None;
        }
        let start = u32_at(self.offsets, index / BLOCK)? as usize;
        let mut cursor = Cursor::new(self.blob.get(start..)?);
        let last = index % BLOCK;
        let mut pieces = [(0, &[][..]); BLOCK];
        let mut length = 0;
        for (place, piece) in pieces.iter_mut().take(last + 1).enumerate() {
            let shared = if place == 0 {
                0
            } else {
                cursor.varint()? as usize
            };
            let rest = cursor.varint()? as usize;
            *piece = (
                Some(shared).filter(|shared| *shared <= length)?,
                cursor.take(rest)?,
            );
            length = shared + rest;
        }
        // From the last back, so that each byte is copied once: of every string only what those behind it share.
        string.clear();
        string.resize(length, 0);
        let mut missing = length;
        for (shared, rest) in pieces[..=last].iter().rev() {
            if let Some(wanted) = missing.checked_sub(*shared) {
                string[*shared..missing].copy_from_slice(rest.get(..wanted)?);
                missing = *shared;
            }
        }
        Some(())
    }

    /// All strings in their order, decoding each once; stops at damage.
    pub fn iter(&self) -> impl Iterator<Item = String> + use<'a> {
        let table = *self;
        let mut cursor = Cursor::new(table.blob);
        let mut string = String::new();
        (0..table.count).map_while(move |index| {
            let shared = if index % BLOCK == 0 {
                0
            } else {
                cursor.varint()? as usize
            };
            if !string.is_char_boundary(shared) {
                return None;
            }
            string.truncate(shared);
            string.push_str(cursor.text()?);
            Some(string.clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routes() -> Vec<String> {
        (0..50)
            .map(|n| format!("/glossary/é{}/{n}", n / 7))
            .collect()
    }

    #[test]
    fn a_front_coded_table_gives_every_string_back() {
        let routes = routes();
        let bytes = write_front_coded(routes.iter().map(String::as_str)).unwrap();
        let table = FrontCoded::open(&bytes, routes.len()).unwrap();
        let mut memory = Vec::new();
        for (index, route) in routes.iter().enumerate() {
            assert_eq!(table.get(index).as_deref(), Some(route.as_str()));
            assert_eq!(table.read(index, &mut memory), Some(route.as_str()));
        }
        assert_eq!(table.get(routes.len()), None);
        assert_eq!(table.iter().collect::<Vec<_>>(), routes);
    }

    #[test]
    fn a_plain_table_gives_every_string_back() {
        let bytes = write_plain(["a", "", "déjà"]).unwrap();
        let table = Plain::open(&bytes, 3).unwrap();
        assert_eq!(
            [table.get(0), table.get(1), table.get(2), table.get(3)],
            [Some("a"), Some(""), Some("déjà"), None]
        );
        assert!(Plain::open(&bytes[..bytes.len() - 1], 3).is_none());
    }

    #[test]
    fn damage_is_none_and_never_a_panic() {
        let routes = routes();
        let bytes = write_front_coded(routes.iter().map(String::as_str)).unwrap();
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0xff;
            let table = FrontCoded::open(&broken, routes.len()).unwrap();
            (0..routes.len()).for_each(|index| drop(table.get(index)));
            assert!(table.iter().count() <= routes.len());
        }
    }
}
