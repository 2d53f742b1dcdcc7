//! Ranking the candidates: the one place where all signals meet.
//!
//! The first signal is the sum of BM25F impacts, times the root of the share of words that a document holds. The best [`CANDIDATES`] by that are
//! looked at again with signals that are too dear for all: how well the title, an alias or a heading covers the words, whether the title
//! *is* the question, whether quoted words stand together. Every weight has a name here; a further signal is a further factor in
//! [`Signals::score`].

use artifact::format::{Artifact, Error, LineKind, hash_of};
use artifact::text::{Analyzer, Query};

use super::accumulate::Sums;
use super::passage;
use super::words::Group;

/// Documents that are looked at twice.
const CANDIDATES: usize = 48;
/// What a title or heading adds that consists of just the words asked for, as a share of the score.
const LINE_WEIGHT: f32 = 1.2;
/// How much a heading counts, compared with the title.
const HEADING: f32 = 0.85;
/// How much an alias counts, compared with the title.
const ALIAS: f32 = 1.0;
/// The part of a line's share that it has for covering the words, whatever else stands in it.
const COVERAGE_ALONE: f32 = 0.4;
/// What quoted words standing together multiply the score by.
const PHRASE_FACTOR: f32 = 4.0;

/// A document on its way into the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) document: u32,
    signals: Signals,
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
struct Signals {
    /// BM25F with coverage.
    words: f32,
    /// The best line's cover of the words, 0 to 1.
    line: f32,
    /// 3 when the title is the question as it is written, 2 when it is by its terms, 1 when an alias is, else 0.
    exact: u8,
    /// Whether the quoted words stand together.
    phrase: bool,
}

impl Signals {
    /// One number for all signals but [`Signals::exact`], which goes before it.
    fn score(&self) -> f32 {
        let phrase = if self.phrase { PHRASE_FACTOR } else { 1.0 };
        self.words * (1.0 + LINE_WEIGHT * self.line) * phrase
    }
}

/// The best documents, best first; equals by number.
pub(super) fn rank(
    artifact: &Artifact,
    text: &str,
    query: &Query,
    groups: &[Group],
    sums: &Sums,
    analyzer: &Analyzer,
    limit: usize,
) -> Result<Vec<Candidate>, Error> {
    let mut candidates = best_by_words(sums, groups.len());
    let asked = Asked::new(query, groups);
    for candidate in &mut candidates {
        look_at_lines(artifact, candidate, &asked);
        // "Pagination" and "Paginate" are one term; whoever writes one of them out means that one.
        if candidate.signals.exact == 2 && same_words(artifact.title(candidate.document), text) {
            candidate.signals.exact = 3;
        }
    }
    if let Some(phrases) = passage::Phrases::new(query) {
        for candidate in &mut candidates {
            let frame = artifact.frames().get(candidate.document)?;
            candidate.signals.phrase = phrases.stand_in(&frame, analyzer);
        }
    }
    candidates.sort_by(|left, right| {
        (right.signals.exact.cmp(&left.signals.exact))
            .then_with(|| right.signals.score().total_cmp(&left.signals.score()))
            .then_with(|| left.document.cmp(&right.document))
    });
    candidates.truncate(limit);
    Ok(candidates)
}

/// The best candidates by the words alone.
fn best_by_words(sums: &Sums, words: usize) -> Vec<Candidate> {
    let coverage: Vec<f32> = (0..=words)
        .map(|held| (held as f32 / words.max(1) as f32).sqrt())
        .collect();
    let mut best: Vec<(f32, u32)> = Vec::with_capacity(CANDIDATES * 2);
    let mut least = 0.0;
    let by_score = |left: &(f32, u32), right: &(f32, u32)| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| left.1.cmp(&right.1))
    };
    for (document, score, held) in sums.iter() {
        let score = score as f32 * coverage[(held as usize).min(words)];
        // Documents come in rising order, so an equal score later never replaces an earlier one.
        if best.len() < CANDIDATES || score > least {
            best.push((score, document));
            if best.len() == CANDIDATES * 2 {
                best.select_nth_unstable_by(CANDIDATES - 1, by_score);
                best.truncate(CANDIDATES);
                least = best[CANDIDATES - 1].0;
            }
        }
    }
    best.sort_unstable_by(by_score);
    best.truncate(CANDIDATES);
    let signals = |words| Signals {
        words,
        line: 0.0,
        exact: 0,
        phrase: false,
    };
    best.into_iter()
        .map(|(score, document)| Candidate {
            document,
            signals: signals(score),
        })
        .collect()
}

/// The question, as lines are compared with it.
struct Asked {
    /// Hash, word and weight of every term that stands for a word.
    terms: Vec<(u16, usize, u32)>,
    /// The weight of each word.
    weights: Vec<u32>,
    total: u32,
    /// The whole text as a title would have it.
    line: Vec<u16>,
}

impl Asked {
    fn new(query: &Query, groups: &[Group]) -> Self {
        let terms = groups.iter().enumerate().flat_map(|(word, group)| {
            group
                .entries
                .iter()
                .map(move |entry| (entry.hash, word, entry.weight))
        });
        let weights: Vec<u32> = groups.iter().map(Group::weight).collect();
        Self {
            terms: terms.collect(),
            total: weights.iter().sum::<u32>().max(1),
            weights,
            line: query.line.iter().map(|term| hash_of(term)).collect(),
        }
    }

    /// How well a line covers the words, and how little else it holds: 0 to 1.
    fn cover(&self, hashes: impl Iterator<Item = u16>, weight: u32) -> f32 {
        let mut held = 0u64;
        let mut of_line = 0;
        for hash in hashes {
            if let Some((_, word, weight)) = self.terms.iter().find(|(other, ..)| *other == hash) {
                held |= 1 << (word & 63);
                of_line += weight;
            }
        }
        if held == 0 {
            return 0.0;
        }
        let covered: u32 = self
            .weights
            .iter()
            .enumerate()
            .filter(|(word, _)| held >> (word & 63) & 1 == 1)
            .map(|(_, weight)| weight)
            .sum();
        let coverage = covered as f32 / self.total as f32;
        let purity = (of_line as f32 / weight.max(1) as f32).min(1.0);
        coverage * coverage * (COVERAGE_ALONE + (1.0 - COVERAGE_ALONE) * purity)
    }
}

fn look_at_lines(artifact: &Artifact, candidate: &mut Candidate, asked: &Asked) {
    for line in artifact.headings().lines(candidate.document) {
        let kind = match line.kind {
            LineKind::Title => 1.0,
            LineKind::Alias => ALIAS,
            LineKind::Heading => HEADING,
        };
        let cover = asked.cover(line.hashes(), line.weight) * kind;
        candidate.signals.line = candidate.signals.line.max(cover);
        if !asked.line.is_empty() && line.whole().eq(asked.line.iter().copied()) {
            let exact = match line.kind {
                LineKind::Title => 2,
                LineKind::Alias => 1,
                LineKind::Heading => 0,
            };
            candidate.signals.exact = candidate.signals.exact.max(exact);
        }
    }
}

/// Whether two texts are the same words, whatever their case and the signs between them.
fn same_words(left: &str, right: &str) -> bool {
    fn words(text: &str) -> impl Iterator<Item = char> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .flat_map(|word| word.chars().flat_map(char::to_lowercase).chain([' ']))
    }
    words(left).eq(words(right))
}

#[cfg(test)]
mod tests {
    use super::same_words;

    #[test]
    fn a_title_was_beaten_by_one_of_the_same_stem() {
        assert!(same_words(
            "Invalid environment variables.",
            "invalid  Environment variables"
        ));
        assert!(!same_words("Paginate", "Pagination"));
        assert!(!same_words("Page methods", "Pages methods"));
    }
}
