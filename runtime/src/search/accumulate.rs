//! Adding up the lists of a query, document by document.
//!
//! One 32-bit sum a document: the low 24 bits hold the score, the high 8 the number of words that the document holds. A word adds at most
//! 64 ln(2n) x 255, which is 300,000 for the largest site, so that 32 words stay below 2²⁴.

use artifact::format::Fields;

use super::words::{Group, Join};
use super::{Filter, Weights};

const WORD: u32 = 1 << 24;
const SCORE: u32 = WORD - 1;

/// What fields weigh when the body is not asked for: an occurrence counts the same in a short field.
const SHORT_FIELD_IMPACT: u8 = 128;

/// Parts of a word in which related words are counted: quarters.
const PARTS: u32 = 4;

/// The sums of all documents.
#[derive(Debug)]
pub(super) struct Sums {
    sums: Vec<u32>,
    /// What related words add, for each document found: a score in the low 24 bits, and in the high 8 words held only by a related word,
    /// in [`PARTS`]. Empty when no word has related ones.
    related: Vec<u32>,
    /// How many documents hold at least one word.
    pub(super) matched: u32,
    /// How many hold every word.
    pub(super) matched_all: u32,
}

impl Sums {
    /// The documents found, each with its score, and how many of the words it holds, in [`PARTS`].
    ///
    /// A word that is only there as a related one counts as [`Weights::related_quarters`] says.
    fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.sums
            .iter()
            .enumerate()
            .filter(|(_, sum)| **sum != 0)
            .map(|(document, sum)| {
                let related = self.related.get(document).copied().unwrap_or_default();
                let held = sum / WORD * PARTS + related / WORD;
                (document as u32, (sum & SCORE) + (related & SCORE), held)
            })
    }

    /// The documents found, each with its score by the words and by how many of them it holds.
    pub(super) fn scores(
        &self,
        words: usize,
        weights: &Weights,
    ) -> impl Iterator<Item = (f32, u32)> + '_ {
        let most = words.max(1) * PARTS as usize;
        let coverage: Vec<f32> = (0..=most)
            .map(|held| (held as f32 / most as f32).powf(weights.coverage_power))
            .collect();
        self.iter().map(move |(document, score, held)| {
            (score as f32 * coverage[(held as usize).min(most)], document)
        })
    }
}

/// Adds up the lists, for the fields and documents asked for.
pub(super) fn accumulate(
    documents: u32,
    groups: &[Group],
    within: Fields,
    filter: &Filter,
    weights: &Weights,
) -> Sums {
    let mut sums = vec![0u32; documents as usize];
    // Only words with several lists need a second row of sums: a word counts once however many of its lists a document is in.
    let mut several: Vec<(u32, u8)> = Vec::new();
    for group in groups {
        let add = |sum: &mut u32, score: u32| {
            *sum = (*sum & !SCORE) + WORD + ((*sum & SCORE) + score).min(SCORE);
        };
        match group.entries.as_slice() {
            [] => {}
            [only] => visit(&only.list, within, &mut Vec::new(), |document, impact| {
                if filter.passes(document) {
                    add(
                        &mut sums[document as usize],
                        only.weight * u32::from(impact),
                    );
                }
            }),
            entries => {
                several.clear();
                several.resize(documents as usize, (0, 0));
                let mut fields = Vec::new();
                for entry in entries {
                    visit(&entry.list, within, &mut fields, |document, impact| {
                        let (score, lists) = &mut several[document as usize];
                        let here = entry.weight * u32::from(impact);
                        *score = match group.join {
                            Join::Same => here.max(*score),
                            Join::Any | Join::All => *score + here,
                        };
                        *lists = lists.saturating_add(1);
                    });
                }
                let wanted = match group.join {
                    Join::All => entries.len().min(255) as u8,
                    Join::Any | Join::Same => 1,
                };
                for (document, (score, lists)) in several.iter().enumerate() {
                    if *lists >= wanted && filter.passes(document as u32) {
                        // The lists share the weight of one word.
                        let score = match group.join {
                            Join::Same => *score,
                            Join::Any => score / 2,
                            Join::All => score / u32::from(*lists).max(1),
                        };
                        add(&mut sums[document], score.max(1));
                    }
                }
            }
        }
    }
    let words = groups.len() as u32;
    let matched = sums.iter().filter(|sum| **sum != 0).count() as u32;
    let matched_all = sums
        .iter()
        .filter(|sum| **sum / WORD == words && **sum != 0)
        .count() as u32;
    let related = add_related(documents, groups, within, weights);
    Sums {
        sums,
        related,
        matched,
        matched_all,
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
        for entry in &group.entries {
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

/// What related words add to each document: the best of them, less what the word itself has there.
fn add_related(documents: u32, groups: &[Group], within: Fields, weights: &Weights) -> Vec<u32> {
    if groups.iter().all(|group| group.related.is_empty()) {
        return Vec::new();
    }
    let mut sums = vec![0u32; documents as usize];
    let mut fields = Vec::new();
    // For the word at hand: the best score of a related word, and the word's own.
    let mut best = vec![(0u32, 0u32); documents as usize];
    for group in groups.iter().filter(|group| !group.related.is_empty()) {
        best.fill((0, 0));
        for entry in &group.entries {
            visit(&entry.list, within, &mut fields, |document, impact| {
                best[document as usize].1 += entry.weight * u32::from(impact);
            });
        }
        for entry in &group.related {
            visit(&entry.list, within, &mut fields, |document, impact| {
                let score = &mut best[document as usize].0;
                *score = (*score).max(entry.weight * u32::from(impact));
            });
        }
        for (sum, (related, own)) in sums.iter_mut().zip(&best) {
            if related > own {
                let part = if *own == 0 {
                    u32::from(weights.related_quarters.min(3)) * WORD
                } else {
                    0
                };
                *sum = (*sum & !SCORE).saturating_add(part)
                    | ((*sum & SCORE) + (related - own)).min(SCORE);
            }
        }
    }
    sums
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
    for entry in groups.iter().flat_map(|group| &group.entries) {
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
        for (all, here) in all.iter_mut().zip(here) {
            *all = all.with(here.unwrap_or_default());
        }
    }
    all.iter_mut().for_each(|fields| fields.0 &= within.0);
    all
}
