//! Adding up the lists of a query, document by document, into [`Sums`].
//!
//! First the lists of the words themselves: after them every document that is found has a sum, and no other. Then the lists of related words, which
//! raise the sums of documents that have one. Those need to know what a document already has of the word, which is kept beside for words with
//! related ones only.

use artifact::format::Fields;

use super::sums::{Form, PARTS, SCORE, Scratch, Sums, WORD};
use super::words::{Entry, Group, Join};
use super::{Filter, Weights};

/// What an identifier's own list counts among its lists: more than all its parts.
const WHOLE: u32 = 1 << 16;

/// What fields weigh when the body is not asked for: an occurrence counts the same in a short field.
const SHORT_FIELD_IMPACT: u8 = 128;

/// Lists are short when all together have fewer documents than one in so many of the site.
const SHORT: u32 = 16;
/// The documents of the shortest list with at least so many are remembered: among them are most of the best.
const SAMPLE: u32 = 96;
/// Of them so many are remembered.
const MOST_SAMPLED: usize = 512;

/// Adds up the lists, for the fields and documents asked for.
pub(super) fn accumulate<'s>(
    scratch: &'s mut Scratch,
    documents: u32,
    groups: &[Group],
    within: Fields,
    filter: &Filter,
    weights: &Weights,
) -> Sums<'s> {
    let open = filter.is_open(documents);
    let passes = |document| open || filter.passes(document);
    let form = match groups {
        [group] if group.entries.len() == 1 && group.related.is_empty() => {
            let list = &group.entries[0];
            let mut outside = Vec::new();
            scratch.listed.clear();
            if open {
                scratch.listed.reserve(list.list.len() as usize);
            }
            visit(&list.list, within, &mut outside, |document, impact| {
                if passes(document) {
                    scratch.list(document, impact);
                }
            });
            Form::Listed(list.weight)
        }
        _ => {
            let lists = groups.iter().flat_map(|group| &group.entries);
            let postings: u64 = lists.map(|entry| u64::from(entry.list.len())).sum();
            scratch.prepare(documents, groups);
            let adding = Adding { groups, within };
            // Each of the four is a loop of its own, without the questions that it need not ask.
            let short = postings < u64::from(documents / SHORT);
            match (short, open) {
                (true, true) => adding.words::<true>(scratch, |_| true),
                (true, false) => adding.words::<true>(scratch, passes),
                (false, true) => adding.words::<false>(scratch, |_| true),
                (false, false) => adding.words::<false>(scratch, passes),
            }
            adding.related(scratch, u32::from(weights.related_quarters), short);
            if short { Form::Short } else { Form::Dense }
        }
    };
    Sums::new(scratch, form, groups.len() as u32)
}

/// What is added up.
struct Adding<'g> {
    groups: &'g [Group<'g>],
    within: Fields,
}

impl Adding<'_> {
    /// Adds the words themselves. `SHORT` says whether the documents found are remembered.
    fn words<const SHORT: bool>(&self, scratch: &mut Scratch, passes: impl Fn(u32) -> bool) {
        let Scratch {
            sums,
            found,
            sample,
            word,
            held,
            own,
            ..
        } = scratch;
        let mut add = |document: u32, score: u32| {
            let sum = &mut sums[document as usize];
            if SHORT && *sum == 0 {
                found.push(document);
            }
            *sum = sum.wrapping_add(WORD + score);
        };
        let mut own = own.iter_mut();
        let mut outside = Vec::new();
        let sampled = if SHORT { None } else { self.sampled() };
        for (place, group) in self.groups.iter().enumerate() {
            // A word without related words need not be kept beside.
            let mut own = if group.related.is_empty() {
                None
            } else {
                own.next()
            };
            if let [only] = group.entries.as_slice() {
                let is_sampled = sampled == Some(place);
                let plain = own.is_none() && !is_sampled;
                let score = |impact| only.weight * u32::from(impact);
                if plain {
                    visit(&only.list, self.within, &mut outside, |document, impact| {
                        if passes(document) {
                            add(document, score(impact));
                        }
                    });
                    continue;
                }
                visit(&only.list, self.within, &mut outside, |document, impact| {
                    if passes(document) {
                        add(document, score(impact));
                        if let Some(own) = &mut own {
                            own[document as usize] = score(impact);
                        }
                        if is_sampled && sample.len() < MOST_SAMPLED {
                            sample.push(document);
                        }
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
                visit(
                    &entry.list,
                    self.within,
                    &mut outside,
                    |document, impact| {
                        let score = entry.weight * u32::from(impact);
                        let word = &mut word[document as usize];
                        if before.is_some_and(|before| word.lists != before) {
                            return;
                        }
                        if word.lists == 0 {
                            held.push(document);
                        }
                        word.sum = word.sum.saturating_add(score);
                        word.best = word.best.max(score);
                        word.lists += lists;
                    },
                );
            }
            // A word counts once however many of its lists a document is in.
            let wanted = match group.join {
                Join::All => group.entries.len().max(1) as u32,
                Join::Any | Join::Same => 1,
                Join::Identifier(_) => group.entries.last().map_or(0, |last| last.part) as u32 + 1,
            };
            for document in held.drain(..) {
                let word = std::mem::take(&mut word[document as usize]);
                if word.lists < wanted || !passes(document) {
                    continue;
                }
                // The lists share the weight of one word.
                let score = match group.join {
                    Join::Same => word.best,
                    Join::Any if group.entries.len() == 1 => word.sum,
                    Join::Any => word.sum / 2,
                    Join::Identifier(_) if word.lists >= WHOLE => word.best,
                    Join::All | Join::Identifier(_) => word.sum / word.lists,
                };
                add(document, score.clamp(1, SCORE));
                if let Some(own) = &mut own {
                    own[document as usize] = word.sum;
                }
            }
        }
    }

    /// The word whose documents are remembered: of those with one list the shortest that has enough.
    fn sampled(&self) -> Option<usize> {
        let lists = self.groups.iter().enumerate();
        let lengths = lists.filter_map(|(place, group)| match group.entries.as_slice() {
            [only] => Some((only.list.len(), place)),
            _ => None,
        });
        let enough = lengths.filter(|(length, _)| *length >= SAMPLE);
        enough.min().map(|(_, place)| place)
    }

    /// Adds what related words have beyond the words themselves, to documents that are found. A document that holds a related word alone has so
    /// many `parts` of the word.
    fn related(&self, scratch: &mut Scratch, parts: u32, short: bool) {
        let part = parts.min(PARTS - 1) * (WORD / PARTS);
        let Scratch {
            sums, own, found, ..
        } = scratch;
        let groups = self.groups.iter().filter(|group| !group.related.is_empty());
        let mut outside = Vec::new();
        for (group, own) in groups.zip(own) {
            for entry in &group.related {
                visit(
                    &entry.list,
                    self.within,
                    &mut outside,
                    |document, impact| {
                        let sum = &mut sums[document as usize];
                        if *sum == 0 {
                            return;
                        }
                        let own = &mut own[document as usize];
                        let score = entry.weight * u32::from(impact);
                        let beyond = score.saturating_sub(*own) + if *own == 0 { part } else { 0 };
                        *own = score.max(*own);
                        *sum = sum.wrapping_add(beyond);
                    },
                );
            }
            // As it was: zero.
            if short {
                found
                    .iter()
                    .for_each(|document| own[*document as usize] = 0);
            } else {
                own.fill(0);
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
