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

use super::lines::Lines;
use super::phrase::{Holder, Looked, Phrases};
use super::sums::{Counts, Scored, Sums};
use super::tables::{self, Tables};
use super::versions;
use super::words::Resolved;
use super::{Filter, Weights};
use crate::page::Pages;

/// Documents that are looked at twice.
const CANDIDATES: usize = 48;

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

    fn rank(&self, weights: &Weights) -> Rank {
        let signals = &self.signals;
        Rank(signals.phrase, signals.exact, signals.score(weights))
    }

    /// The highest rank that it can still get, when only headings have not been looked at: the words that it holds may all stand in one of them.
    fn highest_rank(&self, asked: &mut Lines, weights: &Weights) -> Rank {
        let most = asked.most_covered(self.parts, weights) * weights.heading;
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
    mut tell: Option<&mut Vec<(PageId, Signals)>>,
) -> Result<Best, Error> {
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
    let versions = artifact.versions();
    let mut lines = Lines::new(asked);
    let headings = artifact.headings();
    let known = tables.read().ok();
    let mut unknown: Vec<PageId> = Vec::new();
    let firsts: Vec<PageId> = candidates
        .iter()
        .map(|candidate| versions.first(candidate.document))
        .collect();
    let is_version = |(first, candidate): (&PageId, &Candidate)| *first != candidate.document;
    let any = firsts.iter().zip(&candidates).any(is_version);
    let mut shortlist = Shortlist::new(limit, any);
    let mut best: Vec<Placed> = Vec::new();
    for (mut candidate, first) in candidates.into_iter().zip(&firsts) {
        let table = known
            .as_ref()
            .and_then(|known| known.get(candidate.document));
        let mut of_it = None;
        let mut exact = true;
        match &table {
            Some(table) => {
                (candidate.signals.line, exact) = lines.look_at_names_in(table, weights);
            }
            None => unknown.push(candidate.document),
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
        let versions = || firsts.iter().filter(|other| *other == first).count();
        let as_good = if any && versions() > 1 {
            versions::AS_GOOD
        } else {
            1.0
        };
        let highest = candidate.highest_rank(&mut lines, weights);
        if tell.is_none() && shortlist.is_beyond(&highest, as_good) {
            continue;
        }
        if candidate.signals.line < lines.most_covered(candidate.parts, weights) * weights.heading {
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
            first: *first,
        };
        shortlist.add(&placed);
        // Without versions the shortlist is all there is.
        if shortlist.versions {
            best.push(placed);
        }
    }
    drop(known);
    tables::learn(tables, artifact, &unknown);
    if !shortlist.versions {
        best = shortlist.best;
    }
    best.sort_unstable_by(Placed::cmp);
    let versions = if any {
        versions::settle(artifact, asked.query, &mut best, limit)
    } else {
        0
    };
    best.truncate(limit);
    Ok(Best {
        documents: best.into_iter().map(|placed| placed.document).collect(),
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
        let below = |least: &Placed| {
            let least = &least.rank;
            let tiers = (rank.0, rank.1).cmp(&(least.0, least.1));
            tiers == Ordering::Less || tiers == Ordering::Equal && rank.2 < as_good * least.2
        };
        self.best.len() >= self.limit && self.best.last().is_none_or(below)
    }

    fn add(&mut self, placed: &Placed) {
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
