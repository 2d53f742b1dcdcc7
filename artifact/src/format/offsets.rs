//! Tables of offsets, as narrow as the largest of them.
//!
//! ```text
//! u8 bytes of an offset: 1 to 4 | offsets, little-endian
//! ```
//!
//! What stands between offsets `i` and `i + 1` of what follows the table is record `i`.

use std::ops::Range;

/// Bytes that hold every number up to `largest`: 1 to 4.
pub fn width_of(largest: u32) -> usize {
    (4 - largest.leading_zeros() as usize / 8).max(1)
}

/// Writes a table of offsets, in front of what they point into.
pub fn write(offsets: &[u32], blob: &[u8]) -> Vec<u8> {
    let width = width_of(offsets.iter().max().copied().unwrap_or_default());
    let mut out = Vec::with_capacity(1 + offsets.len() * width + blob.len());
    out.push(width as u8);
    for offset in offsets {
        out.extend_from_slice(&offset.to_le_bytes()[..width]);
    }
    out.extend_from_slice(blob);
    out
}

/// What stands between each offset and the next, found by number.
#[derive(Clone, Copy, Debug)]
pub struct Pieces<'a> {
    offsets: Offsets<'a>,
    blob: &'a [u8],
}

impl<'a> Pieces<'a> {
    /// Takes a table for `count` pieces and the pieces, which end where the table says; `None` when they do not.
    pub fn open(bytes: &'a [u8], count: usize) -> Option<Self> {
        let (offsets, blob) = Offsets::open(bytes, count.checked_add(1)?)?;
        (offsets.get(count)? == blob.len()).then_some(Self { offsets, blob })
    }

    /// Piece number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        self.blob.get(self.offsets.range(index)?)
    }
}

/// A table, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Offsets<'a> {
    width: usize,
    bytes: &'a [u8],
}

impl<'a> Offsets<'a> {
    /// Takes a table of `count` offsets from `bytes`, and what follows it; `None` when they are too short.
    pub fn open(bytes: &'a [u8], count: usize) -> Option<(Self, &'a [u8])> {
        let (width, bytes) = bytes.split_first()?;
        let width = usize::from(*width);
        let (bytes, rest) = bytes.split_at_checked(count.checked_mul(width)?)?;
        (1..=4)
            .contains(&width)
            .then_some((Self { width, bytes }, rest))
    }

    /// Offset number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<usize> {
        Some(number_at(self.bytes, index, self.width)? as usize)
    }

    /// The bytes of record number `index`.
    #[inline]
    pub fn range(&self, index: usize) -> Option<Range<usize>> {
        Some(self.get(index)?..self.get(index.checked_add(1)?)?)
    }
}

/// The number at `index` of a table of numbers of `width` bytes each, 1 to 4.
#[inline]
pub fn number_at(bytes: &[u8], index: usize, width: usize) -> Option<u32> {
    let start = index.checked_mul(width)?;
    // Four bytes are read at once wherever there are as many.
    if let Some(four) = bytes.get(start..).and_then(<[u8]>::first_chunk) {
        return Some(u32::from_le_bytes(*four) & (u32::MAX >> (32 - 8 * width)));
    }
    let bytes = bytes.get(start..start.checked_add(width)?)?;
    let mut number = [0; 4];
    number[..width].copy_from_slice(bytes);
    Some(u32::from_le_bytes(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_of_every_width_come_back() {
        for largest in [0, 255, 256, 65_535, 65_536, 1 << 24, u32::MAX] {
            let bytes = write(&[0, largest / 2, largest], b"rest");
            let (offsets, rest) = Offsets::open(&bytes, 3).unwrap();
            assert_eq!(rest, b"rest");
            assert_eq!(
                offsets.range(1),
                Some(largest as usize / 2..largest as usize)
            );
            assert_eq!((offsets.get(3), offsets.get(usize::MAX)), (None, None));
        }
        assert!(Offsets::open(&[], 0).is_none());
        assert!(Offsets::open(&[2, 0, 0, 0], 2).is_none());
        assert!(Offsets::open(&[5; 40], 2).is_none());
        assert!(Offsets::open(&[0; 40], 2).is_none());
    }
}
