//! What the lists of a query come to for each document, and the documents that have most.
//!
//! A sum is 32 bits: the low 24 hold the score, the high 8 how many [`PARTS`] of words the document holds. A word adds at most
//! 64 ln(2n) x 255, which is 300,000 for the largest site, so that 32 words stay below 2²⁴.
//!
//! The sums stand in memory that is kept from search to search ([`Scratch`]). There are three forms of them ([`Form`]): of one list alone nothing has
//! to be added up, of short lists the documents they hold are remembered and nothing else is looked at again, else every sum is. There the
//! score that is enough to be among the best is first taken from a sample of documents that are likely to be, so that most
//! sums are only compared with it, many at a time.

use super::Weights;
use super::words::Group;

/// Parts of a word in which related words are counted: quarters.
pub(super) const PARTS: u32 = 4;
/// What a word adds to a sum beside its score.
pub(super) const WORD: u32 = PARTS << 24;
/// The bits of a sum that are its score.
pub(super) const SCORE: u32 = PART - 1;
/// What a part of a word adds to a sum.
const PART: u32 = 1 << 24;

/// Sums that are looked at together.
const BLOCK: usize = 32;

/// Memory for one search at a time. Between searches every sum in it is zero.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// A sum for each document, and zeros up to a whole block.
    pub(super) sums: Vec<u32>,
    /// The documents that have a sum, each once, when the lists are short.
    pub(super) found: Vec<u32>,
    /// Some of the documents that have a sum, each once.
    pub(super) sample: Vec<u32>,
    /// The documents of the only list: the impact in the high half of each, in the low half the number turned round.
    pub(super) listed: Vec<u64>,
    /// For each word with related words, what each document has of it; zero again once those are added.
    pub(super) own: Vec<Vec<u32>>,
    /// What each document has of one word.
    pub(super) word: Vec<OneWord>,
    /// The documents that have something of it, each once.
    pub(super) held: Vec<u32>,
}

/// What a document has of one word with several lists.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OneWord {
    /// The sum of its lists, the best of them, and how many they are.
    pub(super) sum: u32,
    pub(super) best: u32,
    pub(super) lists: u32,
}

impl Scratch {
    /// Makes room for so many documents.
    pub(super) fn prepare(&mut self, documents: u32, groups: &[Group]) {
        let length = (documents as usize).next_multiple_of(BLOCK);
        self.sums.resize(length, 0);
        let several = |group: &Group| group.entries.len() > 1;
        if groups.iter().any(several) {
            self.word.resize(length, OneWord::default());
        }
        let with_related = |group: &&Group| !group.related.is_empty();
        let own = groups.iter().filter(with_related).count();
        if self.own.len() < own {
            self.own.resize_with(own, Vec::new);
        }
        for own in &mut self.own[..own] {
            own.resize(length, 0);
        }
    }

    /// Remembers a document of the only list.
    #[inline]
    pub(super) fn list(&mut self, document: u32, impact: u8) {
        self.listed
            .push(u64::from(impact) << 32 | u64::from(!document));
    }
}

/// Where the sums are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Those of [`Scratch::listed`], whose impacts are multiplied by this.
    Listed(u32),
    /// Those of [`Scratch::found`].
    Short,
    /// All.
    Dense,
}

/// The sums of all documents. When they are dropped, the memory is as it was.
#[derive(Debug)]
pub(super) struct Sums<'s> {
    scratch: &'s mut Scratch,
    form: Form,
    words: u32,
}

/// How many documents were found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// How many documents hold at least one word.
    pub(super) matched: u32,
    /// How many hold every word.
    pub(super) matched_all: u32,
}

/// A document that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) document: u32,
    /// Its score by the words, with coverage.
    pub(super) score: f32,
    /// How many [`PARTS`] of words it holds.
    pub(super) parts: u32,
}

impl<'s> Sums<'s> {
    pub(super) fn new(scratch: &'s mut Scratch, form: Form, words: u32) -> Self {
        Self {
            scratch,
            form,
            words,
        }
    }

    /// The sum of a document of which only the list knows.
    fn of_listed(entry: u64, weight: u32) -> (u32, u32) {
        (!(entry as u32), WORD + (entry >> 32) as u32 * weight)
    }

    /// Calls `visit` with each document found, its score by the words, and how many [`PARTS`] of words it holds.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, u32, u32)) {
        let mut visit = |document: u32, sum: u32| visit(document, sum & SCORE, sum / PART);
        let Scratch {
            sums,
            found,
            listed,
            ..
        } = &*self.scratch;
        match self.form {
            Form::Listed(weight) => listed.iter().for_each(|entry| {
                let (document, sum) = Self::of_listed(*entry, weight);
                visit(document, sum);
            }),
            Form::Short => found
                .iter()
                .for_each(|document| visit(*document, sums[*document as usize])),
            Form::Dense => (0..)
                .zip(sums)
                .filter(|(_, sum)| **sum != 0)
                .for_each(|(document, sum)| visit(document, *sum)),
        }
    }

    /// The best `most` documents, best first and equals by number, and how many there are in all.
    pub(super) fn best(&self, most: usize, weights: &Weights) -> (Vec<Scored>, Counts) {
        let coverage = self.coverage(weights);
        let mut best = Best::new(most);
        let counts = match self.form {
            Form::Listed(weight) => self.best_listed(weight, &coverage, &mut best),
            Form::Short => self.best_short(&coverage, &mut best),
            Form::Dense => {
                best.least = self.least_of_sample(most, &coverage);
                self.best_dense(&coverage, &mut best)
            }
        };
        let scored = best.finish().into_iter().map(|entry| {
            let document = !(entry as u32);
            Scored {
                document,
                score: score_of(entry),
                parts: match self.form {
                    Form::Listed(_) => PARTS,
                    _ => self.scratch.sums[document as usize] / PART,
                },
            }
        });
        (scored.collect(), counts)
    }

    /// Of one list the score follows the impact, so that impacts are counted first and only the best are looked at.
    fn best_listed(&self, weight: u32, coverage: &Coverage, best: &mut Best) -> Counts {
        let listed = &self.scratch.listed;
        let mut counts = [0u32; 256];
        for entry in listed {
            counts[(entry >> 32) as usize % 256] += 1;
        }
        let (mut enough, mut better) = (255, 0);
        while enough > 0 && better + counts[enough] < best.most as u32 {
            better += counts[enough];
            enough -= 1;
        }
        // As many of the least that are enough as there is room for: those with the lowest numbers.
        let mut room = (best.most as u32).saturating_sub(better);
        for entry in listed {
            let impact = (entry >> 32) as usize;
            if impact >= enough {
                if impact == enough {
                    if room == 0 {
                        continue;
                    }
                    room -= 1;
                }
                let (document, sum) = Self::of_listed(*entry, weight);
                best.add(entry_of(document, sum, coverage));
            }
        }
        let matched = listed.len() as u32;
        Counts {
            matched,
            matched_all: matched,
        }
    }

    fn best_short(&self, coverage: &Coverage, best: &mut Best) -> Counts {
        let mut counts = Counts::default();
        for document in &self.scratch.found {
            let sum = self.scratch.sums[*document as usize];
            counts.matched += 1;
            counts.matched_all += u32::from(sum / PART == self.words * PARTS);
            best.add(entry_of(*document, sum, coverage));
        }
        counts
    }

    /// What a document has to pass to be among the best: what `most` documents of the sample reach.
    fn least_of_sample(&self, most: usize, coverage: &Coverage) -> u64 {
        let sample = self.scratch.sample.iter();
        let mut entries: Vec<u64> = sample
            .map(|document| entry_of(*document, self.scratch.sums[*document as usize], coverage))
            .collect();
        match most.checked_sub(1) {
            Some(last) if last < entries.len() => {
                let (_, least, _) =
                    entries.select_nth_unstable_by(last, |left, right| right.cmp(left));
                least.saturating_sub(1)
            }
            _ => 0,
        }
    }

    fn best_dense(&self, coverage: &Coverage, best: &mut Best) -> Counts {
        let mut counts = Counts::default();
        let all = self.words * PARTS;
        let mut enough = best.enough();
        let (blocks, _) = self.scratch.sums.as_chunks::<BLOCK>();
        for (number, sums) in blocks.iter().enumerate() {
            let (mut matched, mut matched_all, mut passing) = (0, 0, 0u32);
            // Without a branch, so that one instruction looks at several sums. Scores are far below 2^31, and signed numbers are compared faster.
            for (place, sum) in sums.iter().enumerate() {
                matched += i32::from(*sum != 0);
                matched_all += i32::from(sum / PART == all);
                let passes = (sum & SCORE) as i32 > enough;
                passing |= if passes { 1 << place } else { 0 };
            }
            counts.matched += matched as u32;
            counts.matched_all += matched_all as u32;
            while passing != 0 {
                let place = passing.trailing_zeros() as usize;
                passing &= passing - 1;
                let document = (number * BLOCK + place) as u32;
                if best.add(entry_of(document, sums[place], coverage)) {
                    enough = best.enough();
                }
            }
        }
        counts
    }

    /// What scores are multiplied by.
    pub(super) fn coverage(&self, weights: &Weights) -> Coverage {
        let most = self.words.max(1) * PARTS;
        let share = |parts| parts as f32 / most as f32;
        let coverage = |parts| power(share(parts), weights.coverage_power);
        Coverage((0..=most).map(coverage).collect())
    }
}

impl Drop for Sums<'_> {
    fn drop(&mut self) {
        let Scratch {
            sums,
            found,
            sample,
            listed,
            ..
        } = &mut *self.scratch;
        match self.form {
            Form::Listed(_) => listed.clear(),
            Form::Short => {
                for document in found.drain(..) {
                    sums[document as usize] = 0;
                }
            }
            Form::Dense => sums.fill(0),
        }
        sample.clear();
    }
}

/// `base` to the power of `exponent`. The powers of the default weights are roots, which need no mathematics library: its `powf` is four pages
/// that a first search would wait for, and may differ in its last bit from machine to machine.
pub(super) fn power(base: f32, exponent: f32) -> f32 {
    if exponent == 0.5 {
        base.sqrt()
    } else if exponent == 1.5 {
        base * base.sqrt()
    } else {
        base.powf(exponent)
    }
}

/// What a score is multiplied by, for each number of [`PARTS`] of words that a document may hold.
#[derive(Debug)]
pub(super) struct Coverage(Vec<f32>);

impl Coverage {
    /// A score of a document that holds so many [`PARTS`] of words, less for what it does not hold; never more than it was.
    #[inline]
    pub(super) fn of(&self, score: u32, parts: u32) -> f32 {
        score as f32 * self.0.get(parts as usize).copied().unwrap_or(1.0)
    }
}

/// A document and its score in one number: the bits of the score, which are in the order of the scores, since none is negative; behind them the
/// number turned round, so that of equals the lower number is the larger entry.
#[inline]
fn entry_of(document: u32, sum: u32, coverage: &Coverage) -> u64 {
    let score = coverage.of(sum & SCORE, sum / PART);
    u64::from(score.to_bits()) << 32 | u64::from(!document)
}

fn score_of(entry: u64) -> f32 {
    f32::from_bits((entry >> 32) as u32)
}

/// The largest entries so far, and some that may be among them.
struct Best {
    most: usize,
    entries: Vec<u64>,
    /// What an entry has to pass.
    least: u64,
}

impl Best {
    fn new(most: usize) -> Self {
        Self {
            most,
            entries: Vec::with_capacity(most * 2),
            least: 0,
        }
    }

    /// Adds an entry; true when more has to be passed from now on.
    #[inline]
    fn add(&mut self, entry: u64) -> bool {
        if entry <= self.least {
            return false;
        }
        self.entries.push(entry);
        self.entries.len() >= self.most * 2 && self.shrink()
    }

    #[cold]
    fn shrink(&mut self) -> bool {
        let Some(last) = self.most.checked_sub(1) else {
            self.entries.clear();
            return false;
        };
        self.entries
            .select_nth_unstable_by(last, |left, right| right.cmp(left));
        self.entries.truncate(self.most);
        self.least = self.entries[last];
        true
    }

    /// A sum's score has to be above this: coverage makes no score larger.
    fn enough(&self) -> i32 {
        (score_of(self.least).ceil() as i32 - 1).max(0)
    }

    fn finish(mut self) -> Vec<u64> {
        self.entries.sort_unstable_by(|left, right| right.cmp(left));
        self.entries.truncate(self.most);
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like no order.
    fn numbers(seed: u32) -> impl Iterator<Item = u32> {
        let next = |number: &u32| Some(number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        std::iter::successors(Some(seed), next).map(|number| number >> 8)
    }

    fn by_hand(sums: &[(u32, u32)], words: u32, most: usize) -> Vec<(u32, f32)> {
        let share = |sum: u32| (sum / PART) as f32 / (words * PARTS) as f32;
        let mut scored: Vec<(u32, f32)> = sums
            .iter()
            .filter(|(_, sum)| *sum != 0)
            .map(|(document, sum)| (*document, (sum & SCORE) as f32 * share(*sum).sqrt()))
            .collect();
        scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        scored.truncate(most);
        scored
    }

    fn best(sums: &Sums, most: usize) -> (Vec<(u32, f32)>, u32, u32) {
        let (scored, counts) = sums.best(most, &Weights::default());
        let scored = scored.iter().map(|scored| (scored.document, scored.score));
        (scored.collect(), counts.matched, counts.matched_all)
    }

    #[test]
    fn the_best_of_every_form_are_those_of_a_sort() {
        for (seed, words) in [(1, 2), (2, 1), (3, 5)] {
            let mut scratch = Scratch::default();
            scratch.prepare(1_000, &[]);
            let sum = |number: u32| match number % 5 {
                0 | 1 => 0,
                // Few scores, so that many are equal.
                held => (held % words + 1) * WORD + number / 7 % 300 + 1,
            };
            let all: Vec<(u32, u32)> = (0..1_000).zip(numbers(seed).map(sum)).collect();
            for (document, sum) in &all {
                scratch.sums[*document as usize] = *sum;
            }
            let found: Vec<u32> = all
                .iter()
                .filter(|(_, sum)| *sum != 0)
                .map(|(document, _)| *document)
                .collect();
            scratch.sample = found.iter().copied().step_by(3).collect();
            let matched = found.len() as u32;
            let of_all = |(_, sum): &&(u32, u32)| sum / WORD == words;
            let matched_all = all.iter().filter(of_all).count() as u32;
            let expected = (by_hand(&all, words, 48), matched, matched_all);
            let dense = Sums::new(&mut scratch, Form::Dense, words);
            assert_eq!(best(&dense, 48), expected);
            let mut visited = Vec::new();
            dense.for_each(|document, score, parts| visited.push((document, parts * PART + score)));
            assert_eq!(visited.len(), found.len());
            drop(dense);
            assert!(scratch.sums.iter().all(|sum| *sum == 0));
            for (document, sum) in &visited {
                scratch.sums[*document as usize] = *sum;
            }
            scratch.found = found.into_iter().rev().collect();
            let short = Sums::new(&mut scratch, Form::Short, words);
            assert_eq!(best(&short, 48), expected);
            drop(short);
            assert!(scratch.sums.iter().all(|sum| *sum == 0));
        }
    }

    #[test]
    fn the_best_of_one_list_are_those_of_a_sort() {
        for (count, most) in [(0, 48), (30, 48), (700, 48), (700, 0)] {
            let mut scratch = Scratch::default();
            let impacts: Vec<u32> = numbers(7)
                .take(count)
                .map(|number| number % 9 + 1)
                .collect();
            let mut all = Vec::new();
            for (document, impact) in (0..).zip(&impacts) {
                scratch.list(document, *impact as u8);
                all.push((document, WORD + impact * 44));
            }
            let listed = Sums::new(&mut scratch, Form::Listed(44), 1);
            let count = count as u32;
            assert_eq!(best(&listed, most), (by_hand(&all, 1, most), count, count));
        }
    }
}
