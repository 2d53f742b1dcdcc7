//! Adding up the lists of a query, document by document.
//!
//! One 32-bit sum a document: the low 24 bits hold the score, the high 8 the number of words that the document holds. A word adds at most
//! 64 ln(2n) x 255, which is 300,000 for the largest site, so that 32 words stay below 2²⁴.
//!
//! The sums stand in memory that is kept from search to search ([`Scratch`]). When the lists are short, the documents they hold are remembered and
//! nothing else is looked at again; else every sum is.

use artifact::format::Fields;

use super::words::{Entry, Group, Join};
use super::{Filter, Weights};

const WORD: u32 = 1 << 24;
const SCORE: u32 = WORD - 1;

/// What an identifier's own list counts among its lists: more than all its parts.
const WHOLE: u32 = 1 << 16;

/// What fields weigh when the body is not asked for: an occurrence counts the same in a short field.
const SHORT_FIELD_IMPACT: u8 = 128;

/// Parts of a word in which related words are counted: quarters.
const PARTS: u32 = 4;

/// Lists are short when all together have fewer documents than one in so many of the site.
const SHORT: u32 = 16;
/// Sums that are looked at together.
const BLOCK: usize = 32;

/// Memory for one search at a time. Between searches every number in it is zero.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// A sum for each document.
    sums: Vec<u32>,
    /// The documents that have a sum, each once, when the lists are short.
    found: Vec<u32>,
    /// What related words add to the sum of each document: a score in the low 24 bits, and in the high 8 words held only by a related
    /// word, in [`PARTS`].
    related: Vec<u32>,
    /// The documents to which they add something, each once.
    raised: Vec<u32>,
    /// What each document has of one word.
    word: Vec<OneWord>,
    /// The documents that have something of it, each once.
    held: Vec<u32>,
}

/// What a document has of one word with several lists.
#[derive(Clone, Copy, Debug, Default)]
struct OneWord {
    /// The sum of its own lists, the best of them, and how many they are.
    sum: u32,
    best: u32,
    lists: u32,
    /// The best of the lists of related words.
    related: u32,
}

impl OneWord {
    #[inline]
    fn is_empty(&self) -> bool {
        self.lists == 0 && self.related == 0
    }
}

/// The sums of all documents. When they are dropped, the memory is as it was.
#[derive(Debug)]
pub(super) struct Sums<'s> {
    scratch: &'s mut Scratch,
    short: bool,
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

impl Sums<'_> {
    /// Counts the documents found and calls `visit` with each, its score by the words, and how many [`PARTS`] of words it holds.
    ///
    /// `visit` answers with a score that is enough: of the documents that come later, those that do not pass it may be counted only. Documents
    /// come in rising order unless the lists are short; then none is left out.
    pub(super) fn scan(&self, mut visit: impl FnMut(u32, u32, u32) -> u32) -> Counts {
        let Scratch {
            sums,
            found,
            related,
            raised,
            ..
        } = &*self.scratch;
        let mut counts = Counts::default();
        let mut enough = 0;
        let mut visit = |document: u32, sum: u32, related: u32| {
            visit(
                document,
                (sum & SCORE) + (related & SCORE),
                sum / WORD * PARTS + related / WORD,
            )
        };
        if self.short {
            for document in found {
                let place = *document as usize;
                counts.matched += 1;
                counts.matched_all += u32::from(sums[place] / WORD == self.words);
                visit(*document, sums[place], related[place]);
            }
            return counts;
        }
        let none = [0; BLOCK];
        for (block, sums) in sums.chunks(BLOCK).enumerate() {
            let start = block * BLOCK;
            let related = if raised.is_empty() {
                &none
            } else {
                &related[start..]
            };
            let (mut matched, mut matched_all, mut passing) = (0, 0, 0);
            // Without a branch, so that one instruction looks at several sums.
            for (sum, related) in sums.iter().zip(related) {
                matched += u32::from(*sum != 0);
                matched_all += u32::from(sum / WORD == self.words);
                passing |= u32::from((sum & SCORE) + (related & SCORE) > enough);
            }
            if matched == 0 {
                continue;
            }
            counts.matched += matched;
            counts.matched_all += matched_all;
            if passing == 0 {
                continue;
            }
            let mut places = [0u8; BLOCK];
            let mut count = 0;
            for (place, (sum, related)) in sums.iter().zip(related).enumerate() {
                places[count % BLOCK] = place as u8;
                let passes = (sum & SCORE) + (related & SCORE) > enough;
                count += usize::from(passes && *sum != 0);
            }
            for place in places.iter().take(count).map(|place| usize::from(*place)) {
                let (sum, related) = (sums[place], related[place]);
                if (sum & SCORE) + (related & SCORE) > enough {
                    enough = visit((start + place) as u32, sum, related);
                }
            }
        }
        counts
    }

    /// What scores are multiplied by.
    pub(super) fn coverage(&self, weights: &Weights) -> Coverage {
        let most = self.words.max(1) * PARTS;
        let share = |parts| parts as f32 / most as f32;
        let coverage = |parts| share(parts).powf(weights.coverage_power);
        Coverage((0..=most).map(coverage).collect())
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

impl Drop for Sums<'_> {
    fn drop(&mut self) {
        let Scratch {
            sums,
            found,
            related,
            raised,
            ..
        } = &mut *self.scratch;
        let clear = |row: &mut [u32], places: &mut Vec<u32>| {
            places.drain(..).for_each(|place| row[place as usize] = 0);
        };
        if self.short {
            clear(sums, found);
        } else {
            sums.fill(0);
        }
        clear(related, raised);
    }
}

/// Adds up the lists, for the fields and documents asked for.
pub(super) fn accumulate<'s>(
    scratch: &'s mut Scratch,
    documents: u32,
    groups: &[Group],
    within: Fields,
    filter: &Filter,
    weights: &Weights,
) -> Sums<'s> {
    let length = documents as usize;
    scratch.sums.resize(length, 0);
    scratch.related.resize(length, 0);
    scratch.word.resize(length, OneWord::default());
    let lists = groups.iter().flat_map(|group| &group.entries);
    let postings: u64 = lists.map(|entry| u64::from(entry.list.len())).sum();
    let short = postings < u64::from(documents / SHORT);
    let part = u32::from(weights.related_quarters.min(3)) * WORD;
    // Each of the four is a loop of its own, without the questions that it need not ask.
    let passes = |document| filter.passes(document);
    match (short, filter.is_open(documents)) {
        (true, true) => add::<true>(scratch, groups, within, part, |_| true),
        (true, false) => add::<true>(scratch, groups, within, part, passes),
        (false, true) => add::<false>(scratch, groups, within, part, |_| true),
        (false, false) => add::<false>(scratch, groups, within, part, passes),
    }
    Sums {
        scratch,
        short,
        words: groups.len() as u32,
    }
}

/// Adds the words up. `SHORT` says whether the documents found are remembered, `part` what a document has of a word of which it only holds a
/// related one.
fn add<const SHORT: bool>(
    scratch: &mut Scratch,
    groups: &[Group],
    within: Fields,
    part: u32,
    passes: impl Fn(u32) -> bool,
) {
    let Scratch {
        sums,
        found,
        related,
        raised,
        word,
        held,
    } = scratch;
    let mut add = |document: u32, score: u32| {
        let sum = &mut sums[document as usize];
        if SHORT && *sum == 0 {
            found.push(document);
        }
        *sum = (*sum & !SCORE) + WORD + ((*sum & SCORE) + score).min(SCORE);
    };
    let mut outside = Vec::new();
    for group in groups {
        if let ([only], []) = (group.entries.as_slice(), group.related.as_slice()) {
            visit(&only.list, within, &mut outside, |document, impact| {
                if passes(document) {
                    add(document, only.weight * u32::from(impact));
                }
            });
            continue;
        }
        let wholes = group.wholes().len();
        for (place, entry) in group.entries.iter().enumerate() {
            // A document that holds an identifier needs nothing of its parts; else it needs each in turn, and once.
            let (lists, before) = match group.join {
                Join::Identifier(_) if place < wholes => (WHOLE, None),
                Join::Identifier(_) => (1, Some(entry.part as u32)),
                Join::Same | Join::Any | Join::All => (1, None),
            };
            visit(&entry.list, within, &mut outside, |document, impact| {
                let score = entry.weight * u32::from(impact);
                let word = &mut word[document as usize];
                if before.is_some_and(|before| word.lists != before) {
                    return;
                }
                if word.is_empty() {
                    held.push(document);
                }
                word.sum = word.sum.saturating_add(score);
                word.best = word.best.max(score);
                word.lists += lists;
            });
        }
        for entry in &group.related {
            visit(&entry.list, within, &mut outside, |document, impact| {
                let word = &mut word[document as usize];
                if word.is_empty() {
                    held.push(document);
                }
                word.related = word.related.max(entry.weight * u32::from(impact));
            });
        }
        // A word counts once however many of its lists a document is in.
        let wanted = match group.join {
            Join::All => group.entries.len().max(1) as u32,
            Join::Any | Join::Same => 1,
            Join::Identifier(_) => group.entries.last().map_or(0, |last| last.part) as u32 + 1,
        };
        for document in held.drain(..) {
            let word = std::mem::take(&mut word[document as usize]);
            if word.lists >= wanted && passes(document) {
                // The lists share the weight of one word.
                let score = match group.join {
                    Join::Same => word.best,
                    Join::Any if group.entries.len() == 1 => word.sum,
                    Join::Any => word.sum / 2,
                    Join::Identifier(_) if word.lists >= WHOLE => word.best,
                    Join::All | Join::Identifier(_) => word.sum / word.lists,
                };
                add(document, score.clamp(1, SCORE));
            }
            // Related words add what they have beyond the word itself.
            if word.related > word.sum {
                let sum = &mut related[document as usize];
                if *sum == 0 {
                    raised.push(document);
                }
                let part = if word.sum == 0 { part } else { 0 };
                *sum = (*sum & !SCORE).saturating_add(part)
                    | ((*sum & SCORE) + (word.related - word.sum)).min(SCORE);
            }
        }
    }
}

/// One bit for each document that holds every word in the fields asked for and passes the filter.
pub(super) fn holding_all<'g>(
    documents: u32,
    groups: impl Iterator<Item = &'g Group<'g>>,
    within: Fields,
    filter: &Filter,
) -> Vec<u64> {
    let words = (documents as usize).div_ceil(64);
    let mut all = vec![u64::MAX; words];
    let mut fields = Vec::new();
    for group in groups {
        let every = group.join == Join::All;
        let mut of_word = vec![if every { u64::MAX } else { 0 }; words];
        for entry in group.wholes() {
            let mut of_list = vec![0u64; words];
            visit(&entry.list, within, &mut fields, |document, _| {
                of_list[document as usize / 64] |= 1 << (document % 64);
            });
            for (of_word, of_list) in of_word.iter_mut().zip(of_list) {
                *of_word = if every {
                    *of_word & of_list
                } else {
                    *of_word | of_list
                };
            }
        }
        let has_lists = !group.entries.is_empty();
        for (all, of_word) in all.iter_mut().zip(of_word) {
            *all &= if has_lists { of_word } else { 0 };
        }
    }
    for document in (0..documents).filter(|document| !filter.passes(*document)) {
        all[document as usize / 64] &= !(1 << (document % 64));
    }
    all
}

/// Visits the documents of a list that hold it in one of the fields.
fn visit(
    list: &artifact::format::List,
    within: Fields,
    scratch: &mut Vec<(u32, Fields)>,
    mut add: impl FnMut(u32, u8),
) {
    if within == Fields::ALL {
        return list.for_each(add);
    }
    if !within.meets(Fields::BODY) {
        return list.for_each_outside_body(|document, fields| {
            if fields.meets(within) {
                add(document, SHORT_FIELD_IMPACT);
            }
        });
    }
    // Documents that hold the term outside the body say in which fields; all others hold it in the body alone.
    scratch.clear();
    list.for_each_outside_body(|document, fields| scratch.push((document, fields)));
    let mut next = 0;
    list.for_each(|document, impact| {
        while scratch
            .get(next)
            .is_some_and(|(other, _)| *other < document)
        {
            next += 1;
        }
        let fields = scratch
            .get(next)
            .filter(|(other, _)| *other == document)
            .map_or(Fields::BODY, |(_, fields)| *fields);
        if fields.meets(within) {
            add(document, impact);
        }
    });
}

/// For each of `documents`, the fields, among those asked for, in which it holds any of the words.
///
/// Each list is walked once, whatever the number of documents.
pub(super) fn fields_of(groups: &[Group], documents: &[u32], within: Fields) -> Vec<Fields> {
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_unstable_by_key(|place| documents[*place]);
    let mut all = vec![Fields::default(); documents.len()];
    let mut add = |here: Vec<Fields>| {
        for (all, here) in all.iter_mut().zip(here) {
            *all = all.with(here);
        }
    };
    for group in groups {
        let (wholes, parts) = group.entries.split_at(group.wholes().len());
        if group.join == Join::All {
            add(fields_of_all(wholes, documents, &order, within));
            continue;
        }
        let mut here = fields_of_any(wholes, documents, &order, within);
        // The parts of an identifier stand for it where it is not.
        if !parts.is_empty() {
            let parts = fields_of_all(parts, documents, &order, within);
            for (here, fields) in here.iter_mut().zip(parts) {
                if *here == Fields::default() {
                    *here = fields;
                }
            }
        }
        add(here);
    }
    all
}

/// The fields of each document that has every part: those in which every part stands, or else, where there is none, those in
/// which any does.
fn fields_of_all(
    entries: &[Entry],
    documents: &[u32],
    order: &[usize],
    within: Fields,
) -> Vec<Fields> {
    let mut every = vec![within; documents.len()];
    let mut any = vec![Some(Fields::default()); documents.len()];
    for readings in entries.chunk_by(|left, right| left.part == right.part) {
        let here = fields_of_any(readings, documents, order, within);
        for ((every, any), here) in every.iter_mut().zip(&mut any).zip(here) {
            every.0 &= here.0;
            *any = any
                .filter(|_| here != Fields::default())
                .map(|any| any.with(here));
        }
    }
    every
        .into_iter()
        .zip(any)
        .map(|(every, any)| match any {
            Some(any) if every == Fields::default() => any,
            Some(_) => every,
            None => Fields::default(),
        })
        .collect()
}

/// The fields in which each of the documents holds any of the terms.
fn fields_of_any(
    entries: &[Entry],
    documents: &[u32],
    order: &[usize],
    within: Fields,
) -> Vec<Fields> {
    let mut any = vec![Fields::default(); documents.len()];
    for entry in entries {
        let here = fields_in(entry, documents, order, within);
        for (any, here) in any.iter_mut().zip(here) {
            *any = any.with(here);
        }
    }
    any
}

/// The fields, among those asked for, in which each of the documents holds a term.
fn fields_in(entry: &Entry, documents: &[u32], order: &[usize], within: Fields) -> Vec<Fields> {
    let mut here: Vec<Option<Fields>> = vec![None; documents.len()];
    let mut mark = |next: &mut usize, document: u32, fields: Fields| {
        while let Some(place) = order.get(*next) {
            if documents[*place] > document {
                break;
            }
            if documents[*place] == document && here[*place].is_none() {
                here[*place] = Some(fields);
            }
            *next += 1;
        }
    };
    let mut next = 0;
    entry
        .list
        .for_each_outside_body(|document, fields| mark(&mut next, document, fields));
    let mut next = 0;
    entry
        .list
        .for_each(|document, _| mark(&mut next, document, Fields::BODY));
    let masked = |fields: Option<Fields>| Fields(fields.unwrap_or_default().0 & within.0);
    here.into_iter().map(masked).collect()
}
