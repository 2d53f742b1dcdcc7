//! Ranking the candidates: the one place where all signals meet.
//!
//! The first signal is the sum of BM25F impacts, times the root of the share of words that a document holds. The best [`CANDIDATES`] by that are
//! looked at again with signals that are too dear for all: how well the title, an alias or a heading covers the words, whether the title
//! *is* the question, whether quoted words stand together (`phrase` looks for those among all documents that hold the words). Every weight has a name in [`Weights`]; a further signal is a further factor in
//! [`Signals::score`].

use artifact::format::{Artifact, Error, Fields, LineKind, hash_of};
use artifact::text::{Analyzers, Query};

use super::accumulate::Sums;
use super::phrase::{Holder, Looked, Phrases};
use super::words::{Group, Resolved};
use super::{Filter, Weights};

/// Documents that are looked at twice.
const CANDIDATES: usize = 48;
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
    /// How the quoted words stand together, added up over the phrases: 0 where they do not.
    phrase: u8,
}

impl Signals {
    fn of_words(words: f32) -> Self {
        Self {
            words,
            line: 0.0,
            exact: 0,
            phrase: 0,
        }
    }

    /// One number for all signals but [`Signals::phrase`] and [`Signals::exact`], which go before it in this order.
    fn score(&self, weights: &Weights) -> f32 {
        self.words * (1.0 + weights.line * self.line)
    }
}

/// What is ranked: a query with its lists, their sums, and what the documents have to pass.
pub(super) struct Asked<'a> {
    pub(super) text: &'a str,
    pub(super) query: &'a Query,
    pub(super) resolved: &'a Resolved<'a>,
    pub(super) sums: &'a Sums,
    pub(super) within: Fields,
    pub(super) filter: &'a Filter,
    pub(super) weights: &'a Weights,
}

/// The best documents, best first; equals by number. With them comes what came of each phrase.
///
/// # Errors
/// [`Error::Damaged`] when a page with quoted words cannot be read.
pub(super) fn rank(
    artifact: &Artifact,
    asked: &Asked,
    analyzers: &Analyzers,
    limit: usize,
) -> Result<(Vec<Candidate>, Vec<Looked>), Error> {
    let groups = &asked.resolved.groups;
    let mut candidates = best_by_words(asked.sums, groups.len(), asked.weights);
    let mut looked = Vec::new();
    if artifact.has_pages()
        && let Some(phrases) = Phrases::new(asked.query, asked.within)
    {
        let (holders, told) = phrases.look(
            artifact,
            asked.resolved,
            asked.sums,
            asked.filter,
            asked.weights,
            analyzers,
        )?;
        add_holders(&mut candidates, &holders);
        looked = told;
    }
    let lines = Lines::new(asked.query, groups);
    for candidate in &mut candidates {
        look_at_lines(artifact, candidate, &lines, asked.weights);
        // "Pagination" and "Paginate" are one term; whoever writes one of them out means that one.
        if candidate.signals.exact == 2
            && same_words(artifact.title(candidate.document), asked.text)
        {
            candidate.signals.exact = 3;
        }
    }
    candidates.sort_by(|left, right| {
        (right.signals.phrase.cmp(&left.signals.phrase))
            .then_with(|| right.signals.exact.cmp(&left.signals.exact))
            .then_with(|| {
                right
                    .signals
                    .score(asked.weights)
                    .total_cmp(&left.signals.score(asked.weights))
            })
            .then_with(|| left.document.cmp(&right.document))
    });
    candidates.truncate(limit);
    Ok((candidates, looked))
}

/// Adds the documents that hold a phrase, or marks them where they are candidates already.
fn add_holders(candidates: &mut Vec<Candidate>, holders: &[Holder]) {
    let mut new = Vec::new();
    for holder in holders {
        let known = candidates
            .iter_mut()
            .find(|candidate| candidate.document == holder.document);
        match known {
            Some(candidate) => candidate.signals.phrase = holder.held,
            None => new.push(Candidate {
                document: holder.document,
                signals: Signals {
                    phrase: holder.held,
                    ..Signals::of_words(holder.score)
                },
            }),
        }
    }
    candidates.append(&mut new);
}

/// The best candidates by the words alone.
fn best_by_words(sums: &Sums, words: usize, weights: &Weights) -> Vec<Candidate> {
    let mut best: Vec<(f32, u32)> = Vec::with_capacity(CANDIDATES * 2);
    let mut least = 0.0;
    let by_score = |left: &(f32, u32), right: &(f32, u32)| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| left.1.cmp(&right.1))
    };
    for (score, document) in sums.scores(words, weights) {
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
    best.into_iter()
        .map(|(score, document)| Candidate {
            document,
            signals: Signals::of_words(score),
        })
        .collect()
}

/// A term that stands for a word of the question.
struct AskedTerm {
    hash: u16,
    word: usize,
    /// What it takes of a line's weight.
    weight: u32,
    /// What it covers of the question: the whole of its word, or less when it is only related.
    covers: u32,
}

/// The question, as lines are compared with it.
struct Lines {
    terms: Vec<AskedTerm>,
    /// The weight of all words.
    total: u32,
    /// The whole text as a title would have it, in each language.
    lines: Vec<Vec<u16>>,
}

impl Lines {
    fn new(query: &Query, groups: &[Group]) -> Self {
        let terms = groups.iter().enumerate().flat_map(|(word, group)| {
            let whole = group.weight();
            let own = group.entries.iter().map(move |entry| (entry, whole));
            let related = group.related.iter().map(|entry| (entry, entry.weight));
            own.chain(related).map(move |(entry, covers)| AskedTerm {
                hash: entry.hash,
                word,
                weight: entry.weight,
                covers,
            })
        });
        Self {
            terms: terms.collect(),
            total: groups.iter().map(Group::weight).sum::<u32>().max(1),
            lines: query
                .lines
                .iter()
                .filter(|line| !line.is_empty())
                .map(|line| line.iter().map(|term| hash_of(term)).collect())
                .collect(),
        }
    }

    /// How well a line covers the words, and how little else it holds: 0 to 1.
    fn cover(&self, hashes: impl Iterator<Item = u16>, weight: u32, weights: &Weights) -> f32 {
        // Words of a question: at most 32.
        let mut covered = [0u32; 32];
        let mut of_line = 0;
        for hash in hashes {
            if let Some(term) = self.terms.iter().find(|term| term.hash == hash) {
                let word = &mut covered[term.word % 32];
                *word = term.covers.max(*word);
                of_line += term.weight;
            }
        }
        if of_line == 0 {
            return 0.0;
        }
        let coverage = covered.iter().sum::<u32>() as f32 / self.total as f32;
        let purity = (of_line as f32 / weight.max(1) as f32).min(1.0);
        let alone = weights.line_coverage;
        coverage.powf(weights.line_power) * (alone + (1.0 - alone) * purity)
    }
}

fn look_at_lines(artifact: &Artifact, candidate: &mut Candidate, asked: &Lines, weights: &Weights) {
    for line in artifact.headings().lines(candidate.document) {
        let kind = match line.kind {
            LineKind::Title => 1.0,
            LineKind::Alias => weights.alias,
            LineKind::Heading => weights.heading,
        };
        let cover = asked.cover(line.hashes(), line.weight, weights) * kind;
        candidate.signals.line = candidate.signals.line.max(cover);
        let is_asked = |asked: &Vec<u16>| line.whole().eq(asked.iter().copied());
        if asked.lines.iter().any(is_asked) {
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
