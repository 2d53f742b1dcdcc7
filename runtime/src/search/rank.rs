//! Ranking the candidates: the one place where all signals meet.
//!
//! The first signal is the sum of BM25F impacts, times the root of the share of words that a document holds. The best [`CANDIDATES`] by that are
//! looked at again with signals that are too dear for all: how well the title, an alias or a heading covers the words, whether the title
//! *is* the question, whether quoted words stand together (`phrase` looks for those among all documents that hold the words). Every weight has a name in [`Weights`]; a further signal is a further factor in
//! [`Signals::score`].

use std::cmp::Ordering;

use std::sync::RwLock;

use artifact::format::{Artifact, Error, Fields, PageId};
use artifact::text::{Analyzers, Query};

use super::layout::Start;
use super::lines::Lines;
use super::phrase::{Holder, Looked, Phrases};
use super::sums::{Counts, Scored, Sums};
use super::tables::{self, Tables, Unknown};
use super::versions;
use super::words::Resolved;
use super::{Filter, Weights};
use crate::page::Pages;

/// Documents that are looked at twice.
pub(super) const CANDIDATES: usize = 48;

/// A document on its way into the answer.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    document: u32,
    signals: Signals,
    /// How many [`PARTS`](super::sums::PARTS) of words it holds.
    parts: u32,
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
    fn new(scored: &Scored) -> Self {
        Self {
            document: scored.document,
            signals: Signals::of_words(scored.score),
            parts: scored.parts,
        }
    }

    #[inline]
    fn rank(&self, weights: &Weights) -> Rank {
        Rank::new(&self.signals, weights)
    }

    /// The highest rank that it can still get, when only headings have not been looked at: the words that it holds may all stand in one of them, which
    /// covers `most` of the question.
    #[inline]
    fn highest_rank(&self, most: f32, weights: &Weights) -> Rank {
        let signals = Signals {
            line: self.signals.line.max(most),
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
    (analyzers, pages, tables): (&Analyzers, &Pages, &RwLock<Tables>),
    limit: usize,
    tell: Option<&mut Vec<(PageId, Signals)>>,
) -> Result<Best, Error> {
    let (best, unknown) = {
        let known = tables.read().ok();
        rank_by(
            artifact,
            asked,
            (analyzers, pages, known.as_deref()),
            limit,
            tell,
        )?
    };
    tables::learn(tables, artifact, unknown);
    Ok(best)
}

/// Ranks by what is known, and gives what was not.
fn rank_by(
    artifact: &Artifact,
    asked: &Asked,
    (analyzers, pages, known): (&Analyzers, &Pages, Option<&Tables>),
    limit: usize,
    mut tell: Option<&mut Vec<(PageId, Signals)>>,
) -> Result<(Best, Unknown), Error> {
    let weights = asked.weights;
    let (scored, counts) = asked.sums.best(CANDIDATES, weights);
    let mut candidates: Vec<Candidate> = scored.iter().map(Candidate::new).collect();
    let mut looked = Vec::new();
    if artifact.has_pages()
        && let Some(phrases) = Phrases::new(asked.query, asked.within)
    {
        let (holders, told) = phrases.look(artifact, asked, analyzers, pages)?;
        add_holders(&mut candidates, &holders);
        looked = told;
    }
    let mut lines = Lines::new(asked);
    let headings = artifact.headings();
    let mut unknown = Unknown::default();
    // One after the other, so that the memory of all tables is waited for at once.
    let versions = artifact.versions();
    let looked_up: Vec<(PageId, Option<Start>)> = candidates
        .iter()
        .map(|Candidate { document, .. }| {
            let first = known.and_then(|known| known.first(*document));
            let first = first.unwrap_or_else(|| versions.first(*document));
            (first, known.and_then(|known| known.start(*document)))
        })
        .collect();
    let mut groups = Groups::default();
    looked_up.iter().for_each(|(first, _)| groups.add(*first));
    let is_version = |((first, _), candidate): (&(PageId, Option<Start>), &Candidate)| {
        *first != candidate.document
    };
    let any = looked_up.iter().zip(&candidates).any(is_version);
    let mut shortlist = Shortlist::new(limit, any);
    let mut best: Vec<Placed> = Vec::new();
    for (mut candidate, (first, start)) in candidates.into_iter().zip(looked_up) {
        let table = start.and_then(Start::table);
        let mut of_it = None;
        let mut exact = true;
        match &table {
            Some(table) => {
                (candidate.signals.line, exact) = lines.look_at_names_in(table, weights);
            }
            None => unknown.documents.push(candidate.document),
        }
        if exact {
            let of_it = of_it.insert(headings.lines(candidate.document));
            (candidate.signals.line, candidate.signals.exact) = lines.look_at_names(of_it, weights);
        }
        // "Pagination" and "Paginate" are one term; whoever writes one of them out means that one.
        if candidate.signals.exact == 2
            && same_words(artifact.title(candidate.document), asked.text)
        {
            candidate.signals.exact = 3;
        }
        let as_good = if any && groups.may_be_several(first) {
            versions::AS_GOOD
        } else {
            1.0
        };
        let most = lines.most_covered(candidate.parts) * weights.heading;
        let highest = candidate.highest_rank(most, weights);
        if tell.is_none() && shortlist.is_beyond(&highest, as_good) {
            continue;
        }
        if candidate.signals.line < most {
            let cover = match (&table, of_it) {
                (Some(table), _) => lines.look_at_headings_in(table, weights),
                (None, Some(of_it)) => lines.look_at_headings(of_it, weights),
                (None, None) => 0.0,
            };
            candidate.signals.line = candidate.signals.line.max(cover);
        }
        if let Some(tell) = &mut tell {
            tell.push((candidate.document, candidate.signals));
        }
        let placed = Placed {
            rank: candidate.rank(weights),
            document: candidate.document,
            first,
        };
        shortlist.add(&placed);
        // Without versions the shortlist is all there is.
        if shortlist.versions {
            best.push(placed);
        }
    }
    let mut made_room = 0;
    if any {
        best.sort_unstable_by(Placed::cmp);
        let known = (known, &mut unknown.versions);
        made_room = versions::settle(artifact, asked.query, known, &mut best, limit);
        best.truncate(limit);
    } else {
        best = shortlist.best;
    }
    Ok((
        Best {
            documents: best.into_iter().map(|placed| placed.document).collect(),
            counts,
            looked,
            versions: made_room,
        },
        unknown,
    ))
}

/// How many candidates there may be of each group of versions: counted by the low bits of their first.
struct Groups([u8; 256]);

impl Default for Groups {
    fn default() -> Self {
        Self([0; 256])
    }
}

impl Groups {
    #[inline]
    fn add(&mut self, first: PageId) {
        let count = &mut self.0[first as usize % 256];
        *count = count.saturating_add(1);
    }

    #[inline]
    fn may_be_several(&self, first: PageId) -> bool {
        self.0[first as usize % 256] > 1
    }
}

/// What documents are ordered by: how they hold quoted words, how exactly they are what was asked for, and all other signals. A number, so that it is
/// compared at once: 8 bits for each of the first two, and the bits of the score, which are in the order of the scores, since none is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u64);

impl Rank {
    #[inline]
    fn new(signals: &Signals, weights: &Weights) -> Self {
        let tiers = u64::from(signals.phrase) << 8 | u64::from(signals.exact);
        let score = signals.score(weights).max(0.0);
        Self(tiers << 32 | u64::from(score.to_bits()))
    }

    /// Whether it is no worse than another but for a share of the score.
    #[inline]
    pub(super) fn is_nearly(&self, other: &Self, share: f32) -> bool {
        self.0 >> 32 == other.0 >> 32 && self.score() >= share * other.score()
    }

    /// Whether it is worse than another even with that share of its score.
    #[inline]
    fn is_below(&self, other: &Self, share: f32) -> bool {
        let (tiers, others) = (self.0 >> 32, other.0 >> 32);
        tiers < others || tiers == others && self.score() < share * other.score()
    }

    #[inline]
    fn score(&self) -> f32 {
        f32::from_bits(self.0 as u32)
    }
}

/// A document in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) rank: Rank,
    pub(super) document: PageId,
    /// The first version of its page.
    pub(super) first: PageId,
}

impl Placed {
    /// Better ones are less, and of equals those with the lower number.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let ranks = other.rank.cmp(&self.rank);
        ranks.then_with(|| self.document.cmp(&other.document))
    }
}

/// The best documents so far: of versions of one page only as many as stay where they rank.
struct Shortlist {
    limit: usize,
    /// Whether there are versions among the candidates.
    versions: bool,
    /// Best first.
    best: Vec<Placed>,
}

impl Shortlist {
    fn new(limit: usize, versions: bool) -> Self {
        Self {
            limit,
            versions,
            best: Vec::with_capacity(limit.min(CANDIDATES) + 1),
        }
    }

    /// Whether a document that may get this rank at most can be left out: it is not among the best, even where one with a share of `as_good` of the
    /// score is as good.
    fn is_beyond(&self, rank: &Rank, as_good: f32) -> bool {
        let below = |least: &Placed| rank.is_below(&least.rank, as_good);
        self.best.len() >= self.limit && self.best.last().is_none_or(below)
    }

    #[inline]
    fn add(&mut self, placed: &Placed) {
        let is_worse = |last: &Placed| last.cmp(placed) == Ordering::Less;
        if self.best.len() >= self.limit && self.best.last().is_none_or(is_worse) {
            return;
        }
        let place = self
            .best
            .partition_point(|other| other.cmp(placed) == Ordering::Less);
        if place >= self.limit {
            return;
        }
        if self.versions {
            let same = |other: &Placed| other.first == placed.first;
            let better = self.best[..place].iter().filter(|other| same(other));
            if better.count() >= versions::MOST_SHOWN {
                return;
            }
            // The worst of them makes room.
            let mut all = self.best.iter().enumerate().rev();
            if self.best.iter().filter(|other| same(other)).count() >= versions::MOST_SHOWN
                && let Some((worst, _)) = all.find(|(_, other)| same(other))
            {
                self.best.remove(worst);
            }
        }
        self.best.truncate(self.limit.saturating_sub(1));
        self.best.insert(place, *placed);
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
                parts: u32::MAX,
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
