//! Reading and writing of little-endian integers, variable-length integers and length-prefixed strings.
//!
//! Every reader checks before it slices and answers `None` where bytes are missing, so that a view over damaged
//! bytes can name its section instead of panicking. Writers and readers come in pairs.
//!
//! A varint holds seven bits a byte, lowest first, with the top bit set on every byte but the last:
//! `300` is `0b10_0101100`, written as `AC 02`.

use super::error::Error;

/// Appends `value` as a varint: one byte below 128, five at most.
pub fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the length of `text` in bytes as a varint, then its bytes.
///
/// Texts are bounded far below 4 GiB by the frames and tables they stand in; a longer one would be cut by the cast,
/// which [`super::write`] refuses before it gets here.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// Appends `values` as little-endian 32-bit integers.
pub fn put_u32s(out: &mut Vec<u8>, values: impl IntoIterator<Item = u32>) {
    for value in values {
        out.extend_from_slice(&value.to_le_bytes());
    }
}

/// The offset of what is written next into `blob`, for a table of 32-bit offsets.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB; `what` names what there is too much of.
pub fn offset(blob: &[u8], what: &'static str) -> Result<u32, Error> {
    u32::try_from(blob.len()).map_err(|_| Error::TooLarge {
        what,
        got: blob.len(),
        most: u32::MAX as usize,
    })
}

/// The `index`-th little-endian 32-bit integer of `bytes`.
#[inline]
pub fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    let start = index.checked_mul(4)?;
    let four = bytes.get(start..start.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// The little-endian 64-bit integer that starts at byte `start`.
#[inline]
pub fn u64_from(bytes: &[u8], start: usize) -> Option<u64> {
    let eight = bytes.get(start..start.checked_add(8)?)?;
    Some(u64::from_le_bytes(eight.try_into().ok()?))
}

/// The little-endian 16-bit integer that starts at byte `start`.
#[inline]
pub fn u16_from(bytes: &[u8], start: usize) -> Option<u16> {
    let two = bytes.get(start..start.checked_add(2)?)?;
    Some(u16::from_le_bytes(two.try_into().ok()?))
}

/// A position in bytes that only moves forward.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// The next varint; `None` at the end, or where it has more than 32 bits.
    #[inline]
    pub fn varint(&mut self) -> Option<u32> {
        match self.bytes.get(self.at) {
            Some(byte) if *byte < 0x80 => {
                self.at += 1;
                Some(u32::from(*byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Option<u32> {
        let mut value = 0u32;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            let bits = u32::from(byte & 0x7f);
            if shift == 28 && bits > 0x0f {
                return None;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Some(value);
            }
            shift += 7;
            if shift > 28 {
                return None;
            }
        }
    }

    /// The next `length` bytes.
    #[inline]
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// The next length-prefixed text.
    pub fn text(&mut self) -> Option<&'a str> {
        let length = self.varint()? as usize;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back() {
        for value in [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX - 1, u32::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!(Cursor::new(&out).varint(), Some(value));
        }
    }

    #[test]
    fn a_varint_of_more_than_32_bits_is_refused() {
        assert_eq!(Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0x1f]).varint(), None);
        assert_eq!(
            Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).varint(),
            None
        );
        assert_eq!(Cursor::new(&[0x80]).varint(), None);
    }

    #[test]
    fn reading_past_the_end_is_none() {
        let mut cursor = Cursor::new(&[5, b'a']);
        assert_eq!(cursor.text(), None);
        assert_eq!(u32_at(&[0; 7], 1), None);
        assert_eq!(u32_at(&[0; 7], usize::MAX), None);
    }
}
