//! Documents that are nearly the same as another: the versions of one page.
//!
//! A little-endian 32-bit count, then as many 32-bit documents, ascending, then for each the first document of its group.
//! Only the further members of a group are listed; its first member, and a document without a group, is its own first.

use super::bytes::{put_u32s, u32_at};

/// Writes the section: pairs of a document and the first of its group, ascending by document.
pub fn write(pairs: &[(u32, u32)]) -> Vec<u8> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::with_capacity(4 + pairs.len() * 8);
    put_u32s(&mut out, [pairs.len() as u32]);
    put_u32s(&mut out, pairs.iter().map(|(document, _)| *document));
    put_u32s(&mut out, pairs.iter().map(|(_, first)| *first));
    out
}

/// The section, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    bytes: &'a [u8],
    count: usize,
}

impl<'a> Versions<'a> {
    /// Opens the section.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Self { bytes, count: 0 });
        }
        let count = u32_at(bytes, 0)? as usize;
        (bytes.len() == count.checked_mul(8)?.checked_add(4)?).then_some(Self { bytes, count })
    }

    /// How many documents are nearly the same as one before them.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no document is nearly the same as another.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Each of those documents, ascending, with the first of its group.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let Self { bytes, count } = *self;
        (1..=count)
            .map_while(move |place| Some((u32_at(bytes, place)?, u32_at(bytes, count + place)?)))
    }

    /// The first document of the group that a document is in; the document itself when it is in none.
    pub fn first(&self, document: u32) -> u32 {
        let at = |place: usize| u32_at(self.bytes, 1 + place).unwrap_or(u32::MAX);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match at(middle).cmp(&document) {
                std::cmp::Ordering::Equal => {
                    return u32_at(self.bytes, 1 + self.count + middle).unwrap_or(document);
                }
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_back() {
        let bytes = write(&[(3, 1), (4, 2), (9, 1)]);
        let versions = Versions::open(&bytes).unwrap();
        let firsts: Vec<u32> = (0..11).map(|document| versions.first(document)).collect();
        assert_eq!(firsts, [0, 1, 2, 1, 2, 5, 6, 7, 8, 1, 10]);
        let pairs: Vec<(u32, u32)> = versions.pairs().collect();
        assert_eq!(pairs, [(3, 1), (4, 2), (9, 1)]);
        assert!(Versions::open(&bytes[1..]).is_none());
        let none = Versions::open(&[]).unwrap();
        assert_eq!((none.len(), none.first(7)), (0, 7));
    }
}
