//! What was made of a page, kept for the next call as far as memory goes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex};

/// Parts that are locked on their own, so that threads seldom wait for each other.
const SHARDS: usize = 8;

/// How many bytes of memory a value takes. It may grow while it is kept.
pub(crate) trait Weigh {
    /// Its bytes now.
    fn bytes(&self) -> usize;
}

/// Values by page number, at most so many bytes of them.
///
/// When there is no room, values make it that were not asked for since the hand of the clock last passed them. A value that is larger than a
/// shard's share is not kept.
#[derive(Debug)]
pub(crate) struct Kept<V> {
    shards: [Mutex<Shard<V>>; SHARDS],
    /// Bytes that one shard may hold.
    most: usize,
}

#[derive(Debug)]
struct Shard<V> {
    places: HashMap<u32, usize, BuildHasherDefault<QuickHasher>>,
    entries: Vec<Entry<V>>,
    hand: usize,
    bytes: usize,
}

#[derive(Debug)]
struct Entry<V> {
    page: u32,
    value: Arc<V>,
    bytes: usize,
    asked_for: bool,
}

impl<V: Weigh> Kept<V> {
    /// Keeps at most `bytes`.
    pub(crate) fn new(bytes: usize) -> Self {
        let shard = |_| {
            Mutex::new(Shard {
                places: HashMap::default(),
                entries: Vec::new(),
                hand: 0,
                bytes: 0,
            })
        };
        Self {
            shards: std::array::from_fn(shard),
            most: bytes / SHARDS,
        }
    }

    fn shard(&self, page: u32) -> &Mutex<Shard<V>> {
        &self.shards[page as usize % SHARDS]
    }

    /// What is kept of a page.
    pub(crate) fn get(&self, page: u32) -> Option<Arc<V>> {
        let mut shard = self.shard(page).lock().ok()?;
        let place = *shard.places.get(&page)?;
        let entry = shard.entries.get_mut(place)?;
        entry.asked_for = true;
        Some(Arc::clone(&entry.value))
    }

    /// Keeps what was made of a page. When another thread was faster, its value is the one.
    pub(crate) fn keep(&self, page: u32, value: V) -> Arc<V> {
        let value = Arc::new(value);
        let bytes = value.bytes();
        if bytes > self.most {
            return value;
        }
        let Ok(mut shard) = self.shard(page).lock() else {
            return value;
        };
        if let Some(place) = shard.places.get(&page) {
            return Arc::clone(&shard.entries[*place].value);
        }
        shard.make_room(self.most - bytes, None);
        let place = shard.entries.len();
        shard.places.insert(page, place);
        shard.bytes += bytes;
        shard.entries.push(Entry {
            page,
            value: Arc::clone(&value),
            bytes,
            asked_for: false,
        });
        value
    }

    /// Weighs a page again after its value has grown.
    pub(crate) fn weigh(&self, page: u32) {
        let Ok(mut shard) = self.shard(page).lock() else {
            return;
        };
        let Some(place) = shard.places.get(&page).copied() else {
            return;
        };
        let entry = &mut shard.entries[place];
        let before = std::mem::replace(&mut entry.bytes, entry.value.bytes());
        let grown = entry.bytes;
        shard.bytes = shard.bytes - before + grown;
        if grown > self.most {
            shard.remove(place);
        } else {
            shard.make_room(self.most, Some(page));
        }
    }
}

impl<V> Shard<V> {
    /// Lets go of values until no more than `most` bytes are left, but not of one page's.
    fn make_room(&mut self, most: usize, but: Option<u32>) {
        while self.bytes > most {
            if self.hand >= self.entries.len() {
                self.hand = 0;
            }
            let Some(entry) = self.entries.get_mut(self.hand) else {
                return;
            };
            if entry.asked_for || Some(entry.page) == but {
                entry.asked_for = false;
                self.hand += 1;
            } else {
                self.remove(self.hand);
            }
        }
    }

    fn remove(&mut self, place: usize) {
        let entry = self.entries.swap_remove(place);
        self.bytes -= entry.bytes;
        self.places.remove(&entry.page);
        if let Some(moved) = self.entries.get(place) {
            self.places.insert(moved.page, place);
        }
    }
}

/// Hashes page numbers and words of a site: nothing that a caller could choose in order to collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        // Knuth's multiplier for 64-bit linear congruential generators.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(6_364_136_223_846_793_005);
    }
}

impl Hasher for QuickHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        eights
            .iter()
            .for_each(|eight| self.add(u64::from_le_bytes(*eight)));
        let last = rest
            .iter()
            .fold(rest.len() as u64, |word, byte| word << 8 | u64::from(*byte));
        self.add(last);
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    #[inline]
    fn finish(&self) -> u64 {
        // A multiplication mixes into the upper bits; a table looks at the lower ones.
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    struct Heavy(AtomicUsize);

    impl Weigh for Heavy {
        fn bytes(&self) -> usize {
            self.0.load(Relaxed)
        }
    }

    fn heavy(bytes: usize) -> Heavy {
        Heavy(AtomicUsize::new(bytes))
    }

    fn bytes(kept: &Kept<Heavy>) -> usize {
        let bytes = |shard: &Mutex<Shard<Heavy>>| shard.lock().unwrap().bytes;
        kept.shards.iter().map(bytes).sum()
    }

    #[test]
    fn no_more_is_kept_than_was_said() {
        let kept = Kept::new(SHARDS * 100);
        for page in 0..1_000 {
            kept.keep(page, heavy(1 + page as usize % 120));
            assert!(bytes(&kept) <= SHARDS * 100);
        }
        let held: usize = (0..1_000)
            .filter_map(|page| kept.get(page))
            .map(|value| value.bytes())
            .sum();
        assert_eq!(held, bytes(&kept));
    }

    #[test]
    fn what_is_asked_for_stays() {
        let kept = Kept::new(SHARDS * 100);
        let page = |number: u32| number * SHARDS as u32;
        kept.keep(page(0), heavy(40));
        for number in 1..50 {
            assert!(kept.get(page(0)).is_some(), "{number}");
            kept.keep(page(number), heavy(40));
        }
        assert!(kept.get(page(48)).is_none());
    }

    #[test]
    fn a_value_that_grows_is_weighed_again() {
        let kept = Kept::new(SHARDS * 100);
        let page = |number: u32| number * SHARDS as u32;
        let first = kept.keep(page(0), heavy(40));
        kept.keep(page(1), heavy(40));
        first.0.store(90, Relaxed);
        kept.weigh(page(0));
        assert!(kept.get(page(0)).is_some() && kept.get(page(1)).is_none());
        assert_eq!(bytes(&kept), 90);
        first.0.store(101, Relaxed);
        kept.weigh(page(0));
        assert!(kept.get(page(0)).is_none());
        assert_eq!(bytes(&kept), 0);
    }

    #[test]
    fn a_value_too_large_to_keep_is_given_all_the_same() {
        let kept = Kept::new(SHARDS * 100);
        assert_eq!(kept.keep(1, heavy(101)).bytes(), 101);
        assert!(kept.get(1).is_none());
    }
}
