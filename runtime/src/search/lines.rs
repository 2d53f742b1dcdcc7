//! The question, as titles, aliases and headings are compared with it.

use artifact::format::{Fields, Hashes, LineKind, Lines as HeadingLines, hash_of};

use super::Weights;
use super::layout::{Held, Table, bit_of, order_of};
use super::rank::Asked;
use super::sums::{PARTS, power};
use super::words::{Group, Join};

/// A term that stands for a word of the question.
struct AskedTerm {
    hash: u16,
    /// [`bit_of`] it.
    bit: u128,
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
pub(super) struct Lines {
    /// Each hash once.
    terms: Vec<AskedTerm>,
    /// For each word, the line that covered it last, and how much of it.
    covered: Vec<(u32, u32)>,
    /// The number of the line that is looked at.
    line: u32,
    /// The hashes of all terms: most lines are passed over by them alone.
    wanted: Hashes,
    /// The weight of all words.
    total: u32,
    /// For each number of [`PARTS`] that a document holds, what covering the words counts that one of its lines can hold.
    most: Vec<f32>,
    /// The whole text as a title would have it, in each language.
    lines: Vec<Vec<u16>>,
    /// [`order_of`] each of them.
    orders: Vec<u32>,
    /// The terms that the table of the document that is looked at holds, by their places.
    held: Vec<(usize, Held)>,
    powers: Powers,
}

impl Lines {
    pub(super) fn new(asked: &Asked) -> Self {
        let groups = &asked.resolved.groups;
        // Words of a question: at most 32.
        let terms = (0u8..).zip(groups).flat_map(|(word, group)| {
            let whole = group.weight();
            let own = group.wholes().iter().map(move |entry| (entry, whole));
            let related = group.related.iter().map(|entry| (entry, entry.weight));
            own.chain(related).map(move |(entry, covers)| AskedTerm {
                hash: entry.hash,
                bit: bit_of(entry.hash),
                word,
                weight: entry.weight,
                covers,
            })
        });
        let mut of_all: Vec<AskedTerm> = Vec::new();
        for term in terms {
            if of_all.iter().all(|other| other.hash != term.hash) {
                of_all.push(term);
            }
        }
        let terms = of_all;
        let lines = asked.query.lines.iter().filter(|line| !line.is_empty());
        let lines: Vec<Vec<u16>> = lines
            .map(|line| line.iter().map(|term| hash_of(term)).collect())
            .collect();
        let wanted = Hashes::new(terms.iter().map(|term| term.hash));
        let mut of_question = Self {
            terms,
            covered: vec![(0, 0); groups.len()],
            line: 0,
            wanted,
            total: groups.iter().map(Group::weight).sum::<u32>().max(1),
            most: Vec::new(),
            orders: (lines.iter())
                .map(|line| order_of(line.iter().copied()))
                .collect(),
            lines,
            held: Vec::new(),
            powers: Powers::default(),
        };
        let most = most_of_line(asked).into_iter();
        of_question.most = most
            .map(|covered| of_question.share(covered, asked.weights))
            .collect();
        of_question
    }

    /// How well the best line can cover the words of a document that holds so many [`PARTS`] of them.
    #[inline]
    pub(super) fn most_covered(&self, parts: u32) -> f32 {
        self.most.get(parts as usize).copied().unwrap_or(1.0)
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
        let mut of_line = 0;
        let mut covered = 0;
        for hash in hashes {
            if !self.wanted.may_have(hash) {
                continue;
            }
            if let Some(term) = self.terms.iter().position(|term| term.hash == hash) {
                covered += self.covers(term);
                of_line += self.terms[term].weight;
            }
        }
        self.cover(covered, of_line, weight, weights)
    }

    /// What a term of the line that is looked at covers beyond those before it.
    fn covers(&mut self, term: usize) -> u32 {
        let term = &self.terms[term];
        let word = &mut self.covered[usize::from(term.word)];
        let before = if word.0 == self.line { word.1 } else { 0 };
        *word = (self.line, term.covers.max(before));
        term.covers.saturating_sub(before)
    }

    /// The cover of a line of this `weight` with words that weigh `of_line` in it, and cover so much of the question.
    fn cover(&mut self, covered: u32, of_line: u32, weight: u32, weights: &Weights) -> f32 {
        if of_line == 0 {
            return 0.0;
        }
        let coverage = self.share(covered, weights);
        let purity = (of_line as f32 / weight.max(1) as f32).min(1.0);
        let alone = weights.line_coverage;
        coverage * (alone + (1.0 - alone) * purity)
    }

    /// The best cover by a document's title and its aliases, which come before its headings, and how exactly one of them is the question.
    pub(super) fn look_at_names(
        &mut self,
        lines: &mut HeadingLines,
        weights: &Weights,
    ) -> (f32, u8) {
        let mut best = (0f32, 0);
        while let Some(line) = lines.next_name() {
            let cover = self.cover_of(line.hashes(), line.weight, weights);
            best.0 = best.0.max(cover * kind_weight(line.kind, weights));
            let exact = match line.kind {
                LineKind::Title => 2,
                _ => 1,
            };
            let is_asked = |asked: &Vec<u16>| line.whole().eq(asked.iter().copied());
            if exact > best.1 && self.lines.iter().any(is_asked) {
                best.1 = exact;
            }
        }
        best
    }

    /// The best cover by its headings.
    pub(super) fn look_at_headings(&mut self, lines: HeadingLines, weights: &Weights) -> f32 {
        let wanted = self.wanted.clone();
        let mut best = 0f32;
        lines.for_each_with(&wanted, |line| {
            let cover = self.cover_of(line.hashes(), line.weight, weights);
            best = best.max(cover * kind_weight(line.kind, weights));
        });
        best
    }

    /// The same as [`Lines::look_at_names`] in a document's table; that one of them is the question may be told of others as well. Nothing else is said of
    /// headings by [`Lines::look_at_headings_in`] until the next table is looked at.
    #[inline]
    pub(super) fn look_at_names_in(&mut self, table: &Table, weights: &Weights) -> (f32, bool) {
        let mut next = table.next();
        // Names in a further part are so many aliases that none is known.
        let mut others = (0f32, false);
        while let Some(part) = next {
            if part.names() != 0 {
                self.hold(&part);
                let (cover, exact) = self.names_in(&part, weights);
                others = (others.0.max(cover), others.1 || exact);
            }
            next = part.next();
        }
        self.hold(table);
        let (cover, exact) = self.names_in(table, weights);
        (cover.max(others.0), exact || others.1)
    }

    /// Finds the terms in a part of a table.
    #[inline]
    fn hold(&mut self, part: &Table) {
        self.held.clear();
        for (place, term) in self.terms.iter().enumerate() {
            if part.bits & term.bit != 0
                && let Some(held) = part.find(term.hash)
            {
                self.held.push((place, held));
            }
        }
    }

    #[inline]
    fn names_in(&mut self, part: &Table, weights: &Weights) -> (f32, bool) {
        let lines = self.held.iter().map(|(_, held)| held.lines);
        let names = lines.fold(0, |all, lines| all | lines) & part.names();
        let cover = self.best_of_lines(part, names, weights);
        let mut orders = self.orders.iter();
        (cover, orders.any(|order| part.may_be_named(*order)))
    }

    /// The best cover by the headings of the table that was looked at last.
    #[inline]
    pub(super) fn look_at_headings_in(&mut self, table: &Table, weights: &Weights) -> f32 {
        let mut best = self.headings_in(table, weights);
        let mut next = table.next();
        while let Some(part) = next {
            self.hold(&part);
            best = best.max(self.headings_in(&part, weights));
            next = part.next();
        }
        best
    }

    #[inline]
    fn headings_in(&mut self, part: &Table, weights: &Weights) -> f32 {
        let mut best = 0f32;
        let (mut once, mut several) = (0, 0);
        for place in 0..self.held.len() {
            let (term, held) = self.held[place];
            several |= once & held.lines | held.twice;
            once |= held.lines;
            if held.least < u32::MAX {
                let term = &self.terms[term];
                let (covers, weight) = (term.covers, term.weight);
                best = best.max(self.cover(covers, weight, held.least, weights));
            }
        }
        let best = best * kind_weight(LineKind::Heading, weights);
        best.max(self.best_of_lines(part, several & !part.names(), weights))
    }

    /// The best cover by some of a part's lines, each with a bit.
    fn best_of_lines(&mut self, part: &Table, mut lines: u128, weights: &Weights) -> f32 {
        let mut best = 0f32;
        while lines != 0 {
            let line = lines.trailing_zeros();
            lines &= lines - 1;
            self.line += 1;
            let (mut covered, mut of_line) = (0, 0);
            for place in 0..self.held.len() {
                let (term, held) = self.held[place];
                if held.lines >> line & 1 == 1 {
                    covered += self.covers(term);
                    let AskedTerm { hash, weight, .. } = self.terms[term];
                    of_line += weight * part.times(line, hash, &held);
                }
            }
            let cover = self.cover(covered, of_line, part.weight(line), weights);
            best = best.max(cover * kind_weight(part.kind(line), weights));
        }
        best
    }
}

/// What a line of this kind counts, compared with the title.
fn kind_weight(kind: LineKind, weights: &Weights) -> f32 {
    match kind {
        LineKind::Title => 1.0,
        LineKind::Alias => weights.alias,
        LineKind::Heading => weights.heading,
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
