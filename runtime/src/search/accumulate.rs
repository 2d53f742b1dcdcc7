//! Adding up the lists of a query, document by document.
//!
//! One 32-bit sum a document: the low 24 bits hold the score, the high 8 the number of words that the document holds. A word adds at most
//! 64 ln(2n) x 255, which is 300,000 for the largest site, so that 32 words stay below 2²⁴.

use artifact::format::Fields;

use super::Filter;
use super::words::Group;

const WORD: u32 = 1 << 24;
const SCORE: u32 = WORD - 1;

/// What fields weigh when the body is not asked for: an occurrence counts the same in a short field.
const SHORT_FIELD_IMPACT: u8 = 128;

/// The sums of all documents.
#[derive(Debug)]
pub(super) struct Sums {
    sums: Vec<u32>,
    /// How many documents hold at least one word.
    pub(super) matched: u32,
    /// How many hold every word.
    pub(super) matched_all: u32,
}

impl Sums {
    /// The documents found, each with its score and how many of the words it holds.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.sums
            .iter()
            .enumerate()
            .filter(|(_, sum)| **sum != 0)
            .map(|(document, sum)| (document as u32, sum & SCORE, sum / WORD))
    }
}

/// Adds up the lists, for the fields and documents asked for.
pub(super) fn accumulate(
    documents: u32,
    groups: &[Group],
    within: Fields,
    filter: &Filter,
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
                        *score += entry.weight * u32::from(impact);
                        *lists = lists.saturating_add(1);
                    });
                }
                let wanted = if group.all {
                    entries.len().min(255) as u8
                } else {
                    1
                };
                for (document, (score, lists)) in several.iter().enumerate() {
                    if *lists >= wanted && filter.passes(document as u32) {
                        // The lists share the weight of one word.
                        let score = if group.all {
                            score / u32::from(*lists).max(1)
                        } else {
                            score / 2
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
    Sums {
        sums,
        matched,
        matched_all,
    }
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
