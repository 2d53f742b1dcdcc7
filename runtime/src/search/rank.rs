//! Ranking the candidates: the one place where all signals meet.
//!
//! The first signal is the sum of BM25F impacts, times the root of the share of words that a document holds. The best [`CANDIDATES`] by that are
//! looked at again with signals that are too dear for all: how well the title, an alias or a heading covers the words, whether the title
//! *is* the question, whether quoted words stand together (`phrase` looks for those among all documents that hold the words). Every weight has a name in [`Weights`]; a further signal is a further factor in
//! [`Signals::score`].

use std::cmp::Ordering;

use artifact::format::{
    Artifact, Error, Fields, Hashes, LineKind, Lines as HeadingLines, PageId, hash_of,
};
use artifact::text::{Analyzers, Query};

use super::phrase::{Holder, Looked, Phrases};
use super::sums::{Counts, PARTS, Scored, Sums, power};
use super::versions;
use super::words::{Group, Join, Resolved};
use super::{Filter, Weights};
use crate::page::Pages;

/// Documents that are looked at twice.
const CANDIDATES: usize = 48;

/// A document on its way into the answer.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    document: u32,
    signals: Signals,
    /// How many [`PARTS`] of words it holds.
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
    (analyzers, pages): (&Analyzers, &Pages),
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
    // Where the lines of each stand is looked up for all of them first, so that the memory is waited for once and not for each in turn.
    let headings = artifact.headings();
    let of_each: Vec<_> = candidates
        .iter()
        .map(|candidate| headings.lines(candidate.document))
        .collect();
    let firsts: Vec<PageId> = candidates
        .iter()
        .map(|candidate| versions.first(candidate.document))
        .collect();
    let is_version = |(first, candidate): (&PageId, &Candidate)| *first != candidate.document;
    let any = firsts.iter().zip(&candidates).any(is_version);
    let mut shortlist = Shortlist::new(limit, any);
    let mut best: Vec<Placed> = Vec::new();
    for ((mut candidate, mut of_it), first) in candidates.into_iter().zip(of_each).zip(&firsts) {
        lines.look_at_names(&mut of_it, &mut candidate, weights);
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
            lines.look_at_headings(of_it, &mut candidate, weights);
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

/// A term that stands for a word of the question.
struct AskedTerm {
    hash: u16,
    word: u8,
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
    /// For each word, the line that covered it last, and how much of it.
    covered: Vec<(u32, u32)>,
    /// The number of the line that is looked at.
    line: u32,
    /// The hashes of all terms: most lines are passed over by them alone.
    wanted: Hashes,
    /// The weight of all words.
    total: u32,
    /// For each number of [`PARTS`] that a document holds, the weight of the words that one of its lines can hold.
    most: Vec<u32>,
    /// The whole text as a title would have it, in each language.
    lines: Vec<Vec<u16>>,
    powers: Powers,
}

impl Lines {
    fn new(asked: &Asked) -> Self {
        let groups = &asked.resolved.groups;
        // Words of a question: at most 32.
        let terms = (0u8..).zip(groups).flat_map(|(word, group)| {
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
        let wanted = Hashes::new(terms.iter().map(|term| term.hash));
        Self {
            terms,
            covered: vec![(0, 0); groups.len()],
            line: 0,
            wanted,
            total: groups.iter().map(Group::weight).sum::<u32>().max(1),
            most: most_of_line(asked),
            lines: (asked.query.lines)
                .iter()
                .filter(|line| !line.is_empty())
                .map(|line| line.iter().map(|term| hash_of(term)).collect())
                .collect(),
            powers: Powers::default(),
        }
    }

    /// How well the best line can cover the words of a document that holds so many [`PARTS`] of them.
    fn most_covered(&mut self, parts: u32, weights: &Weights) -> f32 {
        match self.most.get(parts as usize) {
            Some(covered) => self.share(*covered, weights),
            None => 1.0,
        }
    }

    /// What covering so much weight counts: 0 to 1.
    fn share(&mut self, covered: u32, weights: &Weights) -> f32 {
        let share = covered as f32 / self.total as f32;
        self.powers.of(covered, || power(share, weights.line_power))
    }

    /// How well a line covers the words, and how little else it holds: 0 to 1.
    fn cover_of(
        &mut self,
        hashes: impl Iterator<Item = u16>,
        weight: u32,
        weights: &Weights,
    ) -> f32 {
        self.line += 1;
        let (mut covered, mut of_line) = (0, 0);
        for hash in hashes {
            if !self.wanted.may_have(hash) {
                continue;
            }
            if let Some(term) = self.terms.iter().find(|term| term.hash == hash) {
                let word = &mut self.covered[usize::from(term.word)];
                let before = if word.0 == self.line { word.1 } else { 0 };
                covered += term.covers.saturating_sub(before);
                *word = (self.line, term.covers.max(before));
                of_line += term.weight;
            }
        }
        if of_line == 0 {
            return 0.0;
        }
        let coverage = self.share(covered, weights);
        let purity = (of_line as f32 / weight.max(1) as f32).min(1.0);
        let alone = weights.line_coverage;
        coverage * (alone + (1.0 - alone) * purity)
    }

    /// Looks at a document's title and its aliases, which come before its headings.
    fn look_at_names(
        &mut self,
        lines: &mut HeadingLines,
        candidate: &mut Candidate,
        weights: &Weights,
    ) {
        while let Some(line) = lines.next_name() {
            let (kind, exact) = match line.kind {
                LineKind::Title => (1.0, 2),
                _ => (weights.alias, 1),
            };
            let cover = self.cover_of(line.hashes(), line.weight, weights) * kind;
            candidate.signals.line = candidate.signals.line.max(cover);
            let is_asked = |asked: &Vec<u16>| line.whole().eq(asked.iter().copied());
            if exact > candidate.signals.exact && self.lines.iter().any(is_asked) {
                candidate.signals.exact = exact;
            }
        }
    }

    /// Looks at its headings.
    fn look_at_headings(
        &mut self,
        lines: HeadingLines,
        candidate: &mut Candidate,
        weights: &Weights,
    ) {
        let wanted = self.wanted.clone();
        lines.for_each_with(&wanted, |line| {
            let cover = self.cover_of(line.hashes(), line.weight, weights) * weights.heading;
            candidate.signals.line = candidate.signals.line.max(cover);
        });
    }
}

/// For each number of [`PARTS`] that a document may hold, the weight of the words that one of its lines can hold at most.
///
/// Nothing is known of the words of a line when only some fields are asked for, and of a run of an unspaced script, parts of which may stand in a
/// line.
fn most_of_line(asked: &Asked) -> Vec<u32> {
    let groups = &asked.resolved.groups;
    let quarters = u32::from(asked.weights.related_quarters);
    let related = groups.iter().flat_map(|group| &group.related);
    let related = related.map(|entry| entry.weight).max();
    if asked.within != Fields::ALL
        || groups.iter().any(|group| group.join == Join::All)
        || related.is_some() && quarters == 0
    {
        return Vec::new();
    }
    let mut of_words: Vec<u32> = groups.iter().map(Group::weight).collect();
    of_words.sort_unstable_by(|left, right| right.cmp(left));
    let words = of_words.len() as u32;
    let most = |parts: u32| {
        // So many words held themselves, and others by a related word.
        let held = (0..=parts / PARTS).map(|whole| {
            let others = match related {
                Some(weight) => {
                    let others = (parts - whole * PARTS) / quarters.clamp(1, PARTS);
                    others.min(words - whole) * weight
                }
                None => 0,
            };
            of_words[..whole as usize].iter().sum::<u32>() + others
        });
        held.max().unwrap_or_default()
    };
    (0..=words * PARTS).map(most).collect()
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
