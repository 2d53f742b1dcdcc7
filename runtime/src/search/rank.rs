//! Ranking the candidates: the one place where all signals meet.
//!
//! The first signal is the sum of BM25F impacts, times the root of the share of words that a document holds. The best [`CANDIDATES`] by that are
//! looked at again with signals that are too dear for all: how well the title, an alias or a heading covers the words, whether the title
//! *is* the question, whether quoted words stand together (`phrase` looks for those among all documents that hold the words). Every weight has a name in [`Weights`]; a further signal is a further factor in
//! [`Signals::score`].

use std::cmp::Ordering;

use artifact::format::{Artifact, Error, Fields, LineKind, LineView, PageId, hash_of};
use artifact::text::{Analyzers, Query};

use super::accumulate::{Counts, Sums};
use super::phrase::{Holder, Looked, Phrases};
use super::versions;
use super::words::{Group, Resolved};
use super::{Filter, Weights};
use crate::page::Pages;

/// Documents that are looked at twice.
const CANDIDATES: usize = 48;

/// A document on its way into the answer.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    document: u32,
    signals: Signals,
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signals {
    /// BM25F with coverage.
    pub(super) words: f32,
    /// The best line's cover of the words, 0 to 1.
    pub(super) line: f32,
    /// 3 when the title is the question as it is written, 2 when it is by its terms, 1 when an alias is, else 0.
    pub(super) exact: u8,
    /// How the quoted words stand together, added up over the phrases: 0 where they do not.
    pub(super) phrase: u8,
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
    pub(super) fn score(&self, weights: &Weights) -> f32 {
        self.words * (1.0 + weights.line * self.line)
    }
}

impl Candidate {
    fn rank(&self, weights: &Weights) -> Rank {
        let signals = &self.signals;
        Rank(signals.phrase, signals.exact, signals.score(weights))
    }

    /// The highest rank that it can still get, when only headings have not been looked at.
    fn highest_rank(&self, weights: &Weights) -> Rank {
        let signals = Signals {
            line: self.signals.line.max(weights.heading),
            // Whether its title is as it is written has not been looked at either.
            exact: self.signals.exact + u8::from(self.signals.exact == 2),
            ..self.signals
        };
        let candidate = Candidate { signals, ..*self };
        candidate.rank(weights)
    }
}

/// What is ranked: a query with its lists, their sums, and what the documents have to pass.
pub(super) struct Asked<'a> {
    pub(super) text: &'a str,
    pub(super) query: &'a Query,
    pub(super) resolved: &'a Resolved<'a>,
    pub(super) sums: &'a Sums<'a>,
    pub(super) within: Fields,
    pub(super) filter: &'a Filter,
    pub(super) weights: &'a Weights,
}

/// What ranking gives.
pub(super) struct Best {
    /// The best documents, best first; equals by number.
    pub(super) documents: Vec<PageId>,
    /// How many documents were found.
    pub(super) counts: Counts,
    /// What came of each phrase.
    pub(super) looked: Vec<Looked>,
    /// How many documents made room because they are nearly the same as one that is shown.
    pub(super) versions: usize,
}

/// Ranks the documents.
///
/// # Errors
/// [`Error::Damaged`] when a page with quoted words cannot be read.
pub(super) fn rank(
    artifact: &Artifact,
    asked: &Asked,
    (analyzers, pages): (&Analyzers, &Pages),
    limit: usize,
    mut tell: Option<&mut Vec<(PageId, Signals)>>,
) -> Result<Best, Error> {
    let groups = &asked.resolved.groups;
    let (mut candidates, counts) = best_by_words(asked.sums, asked.weights);
    let mut looked = Vec::new();
    if artifact.has_pages()
        && let Some(phrases) = Phrases::new(asked.query, asked.within)
    {
        let (holders, told) = phrases.look(artifact, asked, analyzers, pages)?;
        add_holders(&mut candidates, &holders);
        looked = told;
    }
    let lines = Lines::new(asked.query, groups);
    // Versions change places among all candidates.
    let versions = artifact.versions();
    let is_version =
        |candidate: &Candidate| versions.first(candidate.document) != candidate.document;
    let none = versions.is_empty() || !candidates.iter().any(is_version);
    let kept = if none && tell.is_none() {
        limit
    } else {
        usize::MAX
    };
    let mut best = Shortlist::new(kept);
    // Where the lines of each stand is looked up for all of them first, so that the memory is waited for once and not for each in turn.
    let headings = artifact.headings();
    let of_each: Vec<_> = candidates
        .iter()
        .map(|candidate| headings.lines(candidate.document))
        .collect();
    let mut powers = Powers::default();
    for (mut candidate, of_it) in candidates.into_iter().zip(of_each) {
        look_at_lines(
            of_it,
            &mut candidate,
            &lines,
            asked.weights,
            &best,
            &mut powers,
        );
        // "Pagination" and "Paginate" are one term; whoever writes one of them out means that one.
        if candidate.signals.exact == 2
            && same_words(artifact.title(candidate.document), asked.text)
        {
            candidate.signals.exact = 3;
        }
        if let Some(tell) = &mut tell {
            tell.push((candidate.document, candidate.signals));
        }
        best.add(candidate.rank(asked.weights), candidate.document);
    }
    let mut best = best.best;
    let versions = if none {
        0
    } else {
        versions::settle(artifact, asked.query, &mut best, limit)
    };
    best.truncate(limit);
    Ok(Best {
        documents: best.into_iter().map(|(_, document)| document).collect(),
        counts,
        looked,
        versions,
    })
}

/// What documents are ordered by: how they hold quoted words, how exactly they are what was asked for, and all other signals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank(u8, u8, f32);

impl Rank {
    /// Whether it is no worse than another but for a share of the score.
    pub(super) fn is_nearly(&self, other: &Self, share: f32) -> bool {
        (self.0, self.1) == (other.0, other.1) && self.2 >= share * other.2
    }

    fn cmp(&self, other: &Self) -> Ordering {
        (self.0, self.1)
            .cmp(&(other.0, other.1))
            .then_with(|| self.2.total_cmp(&other.2))
    }
}

/// The best documents so far, best first.
struct Shortlist {
    limit: usize,
    best: Vec<(Rank, PageId)>,
}

impl Shortlist {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            best: Vec::with_capacity(limit.min(CANDIDATES) + 1),
        }
    }

    /// Whether a document of this rank would not be among them.
    #[inline]
    fn is_beyond(&self, rank: &Rank) -> bool {
        self.best.len() >= self.limit
            && self
                .best
                .last()
                .is_none_or(|(last, _)| rank.cmp(last) == Ordering::Less)
    }

    /// Takes a document in if it is among the best. Of equals, the lower number is the better.
    fn add(&mut self, rank: Rank, document: PageId) {
        if self.is_beyond(&rank) {
            return;
        }
        let place = self.best.partition_point(|(other, number)| {
            other.cmp(&rank).then_with(|| document.cmp(number)) == Ordering::Greater
        });
        self.best.insert(place, (rank, document));
        self.best.truncate(self.limit);
    }
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

/// The best candidates by the words alone, best first, and how many documents there are in all.
fn best_by_words(sums: &Sums, weights: &Weights) -> (Vec<Candidate>, Counts) {
    let coverage = sums.coverage(weights);
    // The bits of a score, which are in the order of the scores, since none is negative; behind them the number turned round, so that of equals the
    // lower number is the larger entry.
    let mut best: Vec<u64> = Vec::with_capacity(CANDIDATES * 2);
    let score_of = |entry: u64| f32::from_bits((entry >> 32) as u32);
    let mut least = 0;
    let counts = sums.scan(|document, score, parts| {
        let score = coverage.of(score, parts);
        let entry = u64::from(score.to_bits()) << 32 | u64::from(!document);
        if entry > least {
            best.push(entry);
            if best.len() == CANDIDATES * 2 {
                best.select_nth_unstable_by(CANDIDATES - 1, |left, right| right.cmp(left));
                best.truncate(CANDIDATES);
                least = best[CANDIDATES - 1];
            }
        }
        // Coverage makes no score larger.
        score_of(least) as u32
    });
    best.sort_unstable_by(|left, right| right.cmp(left));
    best.truncate(CANDIDATES);
    let candidates = best.into_iter().map(|entry| Candidate {
        document: !(entry as u32),
        signals: Signals::of_words(score_of(entry)),
    });
    (candidates.collect(), counts)
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

/// Powers of the weights that lines covered, each computed once: a question has few words, and so few sums of their weights.
#[derive(Default)]
struct Powers(Vec<(u32, f32)>);

impl Powers {
    #[inline]
    fn of(&mut self, covered: u32, power: impl FnOnce() -> f32) -> f32 {
        let known = self.0.iter().find(|(other, _)| *other == covered);
        known.map(|(_, power)| *power).unwrap_or_else(|| {
            let power = power();
            self.0.push((covered, power));
            power
        })
    }
}

/// The question, as lines are compared with it.
struct Lines {
    terms: Vec<AskedTerm>,
    /// How many words there are.
    words: usize,
    /// A bit for the hash of each term, in one of 1,024 places: most hashes of a line are passed over by this alone.
    known: [u64; 16],
    /// The weight of all words.
    total: u32,
    /// The whole text as a title would have it, in each language.
    lines: Vec<Vec<u16>>,
}

impl Lines {
    fn new(query: &Query, groups: &[Group]) -> Self {
        let terms = groups.iter().enumerate().flat_map(|(word, group)| {
            let whole = group.weight();
            let own = group.wholes().iter().map(move |entry| (entry, whole));
            let related = group.related.iter().map(|entry| (entry, entry.weight));
            own.chain(related).map(move |(entry, covers)| AskedTerm {
                hash: entry.hash,
                word,
                weight: entry.weight,
                covers,
            })
        });
        let terms: Vec<AskedTerm> = terms.collect();
        let mut known = [0; 16];
        for term in &terms {
            known[usize::from(term.hash / 64 % 16)] |= 1 << (term.hash % 64);
        }
        Self {
            terms,
            words: groups.len(),
            known,
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
    #[inline]
    fn cover(&self, line: &LineView, weights: &Weights, powers: &mut Powers) -> f32 {
        let may_be_known =
            |hash: &u16| self.known[usize::from(hash / 64 % 16)] >> (hash % 64) & 1 == 1;
        let mut hashes = line.hashes().filter(may_be_known);
        match hashes.next() {
            None => 0.0,
            Some(first) => self.cover_of(first, hashes, line.weight, weights, powers),
        }
    }

    fn cover_of(
        &self,
        first: u16,
        others: impl Iterator<Item = u16>,
        weight: u32,
        weights: &Weights,
        powers: &mut Powers,
    ) -> f32 {
        // Words of a question: at most 32.
        let mut covered = [0u32; 32];
        let mut of_line = 0;
        for hash in [first].into_iter().chain(others) {
            if let Some(term) = self.terms.iter().find(|term| term.hash == hash) {
                let word = &mut covered[term.word % 32];
                *word = term.covers.max(*word);
                of_line += term.weight;
            }
        }
        if of_line == 0 {
            return 0.0;
        }
        let covered = &covered[..self.words.min(32)];
        let covered = covered.iter().sum::<u32>();
        let coverage = || covered as f32 / self.total as f32;
        let coverage = powers.of(covered, || coverage().powf(weights.line_power));
        let purity = (of_line as f32 / weight.max(1) as f32).min(1.0);
        let alone = weights.line_coverage;
        coverage * (alone + (1.0 - alone) * purity)
    }
}

/// Looks at a document's title, its aliases and its headings; at these only if they can still bring it among the best.
fn look_at_lines<'l>(
    lines: impl Iterator<Item = LineView<'l>>,
    candidate: &mut Candidate,
    asked: &Lines,
    weights: &Weights,
    best: &Shortlist,
    powers: &mut Powers,
) {
    let mut headings = false;
    for line in lines {
        let (kind, exact) = match line.kind {
            LineKind::Title => (1.0, 2),
            LineKind::Alias => (weights.alias, 1),
            LineKind::Heading => (weights.heading, 0),
        };
        // Headings come last.
        if line.kind == LineKind::Heading && !headings {
            if best.is_beyond(&candidate.highest_rank(weights)) {
                return;
            }
            headings = true;
        }
        let cover = asked.cover(&line, weights, powers) * kind;
        candidate.signals.line = candidate.signals.line.max(cover);
        let is_asked = |asked: &Vec<u16>| line.whole().eq(asked.iter().copied());
        if exact > candidate.signals.exact && asked.lines.iter().any(is_asked) {
            candidate.signals.exact = exact;
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
