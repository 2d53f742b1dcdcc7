//! Numbers of texts, most of them words.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

/// A number for each of many texts. One of up to 15 bytes, as nearly every word is, is a number itself, and is compared and kept as one.
#[derive(Default)]
pub(super) struct Numbers {
    short: HashMap<u128, u32, BuildHasherDefault<TextHasher>>,
    long: HashMap<Box<str>, u32, BuildHasherDefault<TextHasher>>,
}

impl Numbers {
    #[inline]
    pub(super) fn get(&self, text: &str) -> Option<u32> {
        let number = match short(text) {
            Some(key) => self.short.get(&key),
            None => self.long.get(text),
        };
        number.copied()
    }

    pub(super) fn insert(&mut self, text: &str, number: u32) {
        match short(text) {
            Some(key) => self.short.insert(key, number),
            None => self.long.insert(Box::from(text), number),
        };
    }

    pub(super) fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
    }
}

/// The bytes of a text of up to 15 as one number, with their count in the highest byte; `None` for a longer text.
#[inline]
fn short(text: &str) -> Option<u128> {
    let bytes = text.as_bytes();
    let length = bytes.len();
    // Two reads that overlap are each as long as any text: of the second, only what the first has not read is kept.
    let number = match (bytes.first_chunk(), bytes.last_chunk()) {
        _ if length > 15 => return None,
        (Some(first), Some(last)) => {
            let last = u128::from(u64::from_le_bytes(*last)) >> (8 * (16 - length));
            u128::from(u64::from_le_bytes(*first)) | last << 64
        }
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                let last = u64::from(u32::from_le_bytes(*last)) >> (8 * (8 - length));
                u128::from(u64::from(u32::from_le_bytes(*first)) | last << 32)
            }
            _ => bytes
                .iter()
                .rev()
                .fold(0, |number, byte| number << 8 | u128::from(*byte)),
        },
    };
    Some(number | (length as u128) << 120)
}

/// Hashes a long text by xxh3 and a short one by a multiplication: several times as fast as what the standard library has against texts that
/// somebody chose to collide. Nobody but the owner of a site chooses its words.
#[derive(Default)]
struct TextHasher(u64);

impl Hasher for TextHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= xxh3_64(bytes);
    }

    /// The byte behind a text, by which several in a row are told apart; here there is one.
    #[inline]
    fn write_u8(&mut self, _: u8) {}

    #[inline]
    fn write_u128(&mut self, text: u128) {
        let (low, high) = (text as u64, (text >> 64) as u64);
        let low = u128::from(low ^ 0x9e37_79b9_7f4a_7c15);
        let product = low * u128::from(high ^ 0xd6e8_feb8_6659_fd93);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_length_are_told_apart() {
        let mut numbers = Numbers::default();
        let mut texts: Vec<String> = vec!["ab".into(), "ba".into(), "a\0".into(), "\0a".into()];
        for length in 0..20 {
            texts.push("a".repeat(length));
            texts.push("é".repeat(length + 1));
            // One byte differs, wherever it is.
            for at in 0..length {
                let mut text = "x".repeat(length);
                text.replace_range(at..=at, "y");
                texts.push(text);
            }
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(numbers.get(text), None, "{text}");
            numbers.insert(text, number as u32);
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(numbers.get(text), Some(number as u32), "{text}");
        }
        numbers.clear();
        assert!(texts.iter().all(|text| numbers.get(text).is_none()));
    }
}
