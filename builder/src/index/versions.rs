//! Documents that are nearly the same: the versions of one page.
//!
//! A documentation site with versions holds most pages several times over, and a search would show one page ten times. Two documents are versions of
//! one page when their titles are the same but for version numbers, and at least half of their text is: half of the runs of three
//! words that stand in either stand in both. That share is estimated from a sketch of 64 values a document (one permutation hashing: Li, Owen and
//! Zhang, "One permutation hashing for efficient search and learning", 2012), for documents with equal titles only.

use std::collections::HashMap;

use artifact::text::version_parts;
use xxhash_rust::xxh3::xxh3_64;

use crate::assemble::{Assembly, NumberedPage};

/// Values in a sketch.
const BINS: usize = 64;
/// The share of common text from which on two documents are versions of one page.
const LEAST: f32 = 0.5;
/// Words to a run.
const RUN: usize = 3;
/// Groups of one title that a document is compared with: a title that more pages have is `Overview`.
const MOST_GROUPS: usize = 64;

/// The further members of each group with the group's first member, ascending.
pub(super) fn versions(assembly: &Assembly) -> Vec<(u32, u32)> {
    let documents = &assembly.pages[..assembly.documents as usize];
    let mut by_title: HashMap<Vec<String>, Vec<u32>> = HashMap::new();
    for (number, page) in documents.iter().enumerate() {
        let title = without_versions(&page.title);
        by_title.entry(title).or_default().push(number as u32);
    }
    let mut pairs = Vec::new();
    for members in by_title.into_values().filter(|members| members.len() > 1) {
        let mut groups: Vec<(u32, Sketch)> = Vec::new();
        for document in members {
            let sketch = Sketch::of(&documents[document as usize]);
            let known = groups
                .iter()
                .find(|(_, first)| first.share(&sketch) >= LEAST);
            match known {
                Some((first, _)) => pairs.push((document, *first)),
                None if groups.len() < MOST_GROUPS => groups.push((document, sketch)),
                None => {}
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The words of a title in lower case, without those that only tell a version.
fn without_versions(title: &str) -> Vec<String> {
    let words = |keep: &dyn Fn(&str) -> bool| {
        title
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            .map(|word| word.trim_matches('.').to_lowercase())
            .filter(|word| !word.is_empty() && keep(word))
            .collect::<Vec<_>>()
    };
    let kept = words(&|word| version_parts(word).is_none());
    if kept.is_empty() {
        words(&|_| true)
    } else {
        kept
    }
}

/// For each bin the least hash of a run of words that falls into it.
struct Sketch([u64; BINS]);

impl Sketch {
    fn of(page: &NumberedPage) -> Self {
        let mut bins = [u64::MAX; BINS];
        let mut run = [0u64; RUN];
        let text = &page.reading().text;
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        for word in words {
            run.rotate_left(1);
            run[RUN - 1] = xxh3_64(word.as_bytes());
            let mut bytes = [0u8; 8 * RUN];
            for (bytes, hash) in bytes.chunks_exact_mut(8).zip(run) {
                bytes.copy_from_slice(&hash.to_le_bytes());
            }
            let hash = xxh3_64(&bytes);
            let bin = &mut bins[(hash >> 58) as usize];
            *bin = hash.min(*bin);
        }
        Self(bins)
    }

    /// The share of common text, 0 to 1.
    fn share(&self, other: &Self) -> f32 {
        let filled = |(left, right): &(&u64, &u64)| **left != u64::MAX || **right != u64::MAX;
        let pairs = || self.0.iter().zip(&other.0).filter(filled);
        let same = pairs().filter(|(left, right)| left == right).count();
        same as f32 / pairs().count().max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_compared_without_its_version() {
        assert_eq!(without_versions("Upgrade to v2.7"), ["upgrade", "to"]);
        assert_eq!(without_versions("InfluxDB 3 Core"), ["influxdb", "core"]);
        assert_eq!(without_versions("1.x"), ["1.x"]);
        assert_eq!(without_versions("v8 flags"), ["flags"]);
        assert_eq!(without_versions("ES2022"), ["es2022"]);
    }
}
