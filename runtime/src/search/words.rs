//! From the words of a query to lists of documents.

use artifact::format::{Index, List, hash_of, idf};
use artifact::text::synonyms::Synonyms;
use artifact::text::{Analyzers, FIRST_BYTE_OF_FORMS, Query, Shape, Word, form, lower};

use super::Weights;
use super::near::{self, Near};
use super::related;

/// How much a list counts, in 256ths, when it stands for the word itself.
pub(super) const EXACT: u32 = 256;
/// An identifier in fewer documents than this is looked for by its parts as well: `tool_call` finds `check_tool_call`.
const FEW: u32 = 8;

/// A weight in 256ths.
pub(super) fn share_of(weight: f32) -> u32 {
    (weight.clamp(0.0, 4.0) * EXACT as f32) as u32
}

/// One list of a word.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) term: String,
    pub(super) hash: u16,
    pub(super) list: List<'a>,
    /// What its documents' impacts are multiplied by: idf, less for what only stands for the word.
    pub(super) weight: u32,
    /// For a part of a run or an identifier, which part it is.
    pub(super) part: usize,
}

/// One word of the query with the lists that stand for it. Without a list, nothing does.
#[derive(Debug, Default)]
pub(super) struct Group<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) join: Join,
    /// Lists of other words that serve for it. They rank documents that are found, and find none.
    pub(super) related: Vec<Entry<'a>>,
}

/// What the lists of one word are to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Join {
    /// The same word, as different languages read it: a document has the word as often as its best list says.
    Same,
    /// Near spellings, longer words or parts, of which a document may hold any.
    #[default]
    Any,
    /// The pairs of a run: a document must be in every list.
    All,
    /// The first so many lists are an identifier, the others its parts: a document must be in one of the first, or have every part.
    Identifier(usize),
}

impl<'a> Group<'a> {
    /// The lists of the word itself, without those of an identifier's parts.
    pub(super) fn wholes(&self) -> &[Entry<'a>] {
        match self.join {
            Join::Identifier(wholes) => &self.entries[..wholes.min(self.entries.len())],
            _ => &self.entries,
        }
    }

    /// What the word weighs in comparisons of coverage: its heaviest list.
    pub(super) fn weight(&self) -> u32 {
        self.wholes()
            .iter()
            .map(|entry| entry.weight)
            .max()
            .unwrap_or_default()
    }
}

/// What was done with a word that occurs nowhere.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Repair {
    Corrected(Vec<String>),
    Completed(Vec<String>),
    /// Other words that serve for it.
    Replaced(Vec<String>),
    TakenApart,
    /// An identifier in few documents, whose parts were looked for as well.
    Widened,
    Nothing,
}

/// The words of a query with their lists.
#[derive(Debug)]
pub(super) struct Resolved<'a> {
    pub(super) groups: Vec<Group<'a>>,
    /// Places of repaired words, and what was done.
    repairs: Vec<(usize, Repair)>,
}

/// Finds the lists of each word.
pub(super) fn resolve<'a>(
    index: &Index<'a>,
    query: &Query,
    analyzers: &Analyzers,
    synonyms: &Synonyms,
    weights: &Weights,
) -> Resolved<'a> {
    let mut resolved = Resolved {
        groups: Vec::with_capacity(query.words.len()),
        repairs: Vec::new(),
    };
    let mut joined = related::Joined::default();
    for (place, word) in query.words.iter().enumerate() {
        let (mut group, mut repair) = group(index, word, analyzers, weights);
        related::add(
            index,
            query,
            place,
            (analyzers.of(0), synonyms, weights),
            &mut joined,
            &mut group,
            &mut repair,
        );
        resolved.groups.push(group);
        if let Some(repair) = repair {
            resolved.repairs.push((place, repair));
        }
    }
    resolved
}

fn group<'a>(
    index: &Index<'a>,
    word: &Word,
    analyzers: &Analyzers,
    weights: &Weights,
) -> (Group<'a>, Option<Repair>) {
    let wholes = word.wholes.iter();
    let entries: Vec<Entry> = wholes
        .filter_map(|term| entry(index, term, EXACT))
        .collect();
    if !entries.is_empty() {
        return whole_group(index, word, entries, weights);
    }
    if word.quoted && !word.is_run() {
        return (Group::default(), Some(Repair::Nothing));
    }
    let share = if word.is_run() {
        EXACT
    } else {
        share_of(weights.part)
    };
    let parts = parts(index, word, share);
    if word.is_run() {
        if in_all(index.documents(), &parts, word.parts.len()) > 0 {
            let group = Group {
                entries: parts,
                join: Join::All,
                ..Group::default()
            };
            return (group, None);
        }
        if parts.is_empty() {
            return (Group::default(), Some(Repair::Nothing));
        }
    }
    // `3.5` is the start of `3.5.1` rather than a 3 and a 5.
    if word.shape == Shape::Compound && word.folded.ends_with(|c: char| c.is_ascii_digit()) {
        let longer = near::completions(index, None, &format!("{}.", word.folded));
        if !longer.is_empty() {
            return near_group(
                index,
                longer,
                share_of(weights.completed),
                Repair::Completed,
            );
        }
    }
    if !parts.is_empty() {
        let group = Group {
            entries: parts,
            ..Group::default()
        };
        return (group, Some(Repair::TakenApart));
    }
    let mut completed: Vec<Near> = Vec::new();
    for mark in marks(analyzers) {
        completed.append(&mut near::completions(index, mark, &word.folded));
    }
    for analyzer in analyzers.all() {
        completed.append(&mut near::inflections(index, analyzer, &word.folded));
    }
    if !completed.is_empty() {
        return near_group(
            index,
            completed,
            share_of(weights.completed),
            Repair::Completed,
        );
    }
    let mut corrected: Vec<Near> = Vec::new();
    for term in &word.wholes {
        corrected.append(&mut near::corrections(index, term));
    }
    for analyzer in analyzers.all() {
        corrected.append(&mut near::slips(index, analyzer, &word.folded));
    }
    if corrected.is_empty() {
        for mark in marks(analyzers) {
            let term = mark.into_iter().chain(word.folded.chars()).collect();
            if !word.wholes.contains(&term) {
                corrected.append(&mut near::corrections(index, &term));
            }
        }
    }
    if corrected.is_empty() {
        for analyzer in analyzers.all() {
            corrected.append(&mut near::slips_before_endings(
                index,
                analyzer,
                &word.folded,
            ));
        }
    }
    if !corrected.is_empty() {
        return near_group(
            index,
            corrected,
            share_of(weights.corrected),
            Repair::Corrected,
        );
    }
    (Group::default(), Some(Repair::Nothing))
}

/// The lists of a word's parts, in every reading that occurs.
fn parts<'a>(index: &Index<'a>, word: &Word, share: u32) -> Vec<Entry<'a>> {
    let parts = word.parts.iter().enumerate();
    let readings = parts.flat_map(|(part, terms)| terms.iter().map(move |term| (part, term)));
    readings
        .filter_map(|(part, term)| {
            let entry = entry(index, term, share)?;
            Some(Entry { part, ..entry })
        })
        .collect()
}

/// The group of a word that stands somewhere: of an identifier that stands in few documents, the parts as well.
fn whole_group<'a>(
    index: &Index<'a>,
    word: &Word,
    mut entries: Vec<Entry<'a>>,
    weights: &Weights,
) -> (Group<'a>, Option<Repair>) {
    let wholes = entries.len();
    let mut join = Join::Same;
    let mut repair = None;
    let documents: u32 = entries.iter().map(|entry| entry.list.len()).sum();
    if word.is_identifier() && !word.quoted && documents < FEW {
        // Less than they count where no document holds the identifier.
        let share = share_of(weights.part) / 2;
        let mut parts = parts(index, word, share);
        if in_all(index.documents(), &parts, word.parts.len()) > documents {
            entries.append(&mut parts);
            join = Join::Identifier(wholes);
            repair = Some(Repair::Widened);
        }
    }
    if join == Join::Same {
        entries.extend(as_written(index, word, &entries, weights));
    }
    let group = Group {
        entries,
        join,
        ..Group::default()
    };
    (group, repair)
}

/// The list of those who write a word just as it is asked for, where a site writes it in several ways: `résumé`, not `resume`.
///
/// It is part of the word's own list and weighs a little more, so that it only moves ranks.
fn as_written<'a>(
    index: &Index<'a>,
    word: &Word,
    entries: &[Entry],
    weights: &Weights,
) -> Option<Entry<'a>> {
    index.terms().root().find(FIRST_BYTE_OF_FORMS)?;
    let main = entries.iter().max_by_key(|entry| entry.weight)?;
    let form = entry(index, &form(&word.written, |_| true)?, EXACT)?;
    Some(Entry {
        // As it is shown to whoever asks why; headings hold the word by its term.
        term: lower(&word.written),
        hash: main.hash,
        weight: main.weight * share_of(weights.as_written) / EXACT,
        ..form
    })
}

/// The marks before the terms of the site's languages, each once: none for its own language and for those without a stemmer.
fn marks(analyzers: &Analyzers) -> impl Iterator<Item = Option<char>> {
    let others = analyzers
        .all()
        .iter()
        .filter_map(|analyzer| analyzer.mark());
    [None].into_iter().chain(others.map(Some))
}

fn near_group<'a>(
    index: &Index<'a>,
    mut near: Vec<Near>,
    share: u32,
    repair: fn(Vec<String>) -> Repair,
) -> (Group<'a>, Option<Repair>) {
    near::most_frequent(&mut near);
    let terms = near.iter().map(|near| near.term.clone()).collect();
    let entries = near
        .iter()
        .filter_map(|near| entry_of(index, near.term.clone(), near.value, share))
        .collect();
    (
        Group {
            entries,
            join: Join::Any,
            ..Group::default()
        },
        Some(repair(terms)),
    )
}

pub(super) fn entry<'a>(index: &Index<'a>, term: &str, share: u32) -> Option<Entry<'a>> {
    let value = index.terms().get(term)?;
    entry_of(index, term.to_owned(), value, share)
}

fn entry_of<'a>(index: &Index<'a>, term: String, value: u64, share: u32) -> Option<Entry<'a>> {
    let list = index.list(index.term_of(value)?)?;
    let weight = (idf(index.documents(), list.len()) * share / EXACT).max(1);
    Some(Entry {
        hash: hash_of(&term),
        term,
        list,
        weight,
        part: 0,
    })
}

/// How many documents hold all of so many parts. The lists come part by part.
fn in_all(documents: u32, entries: &[Entry], parts: usize) -> u32 {
    // How many parts, counted from the first, each document holds.
    let mut seen = vec![0u32; documents as usize];
    for entry in entries {
        entry.list.for_each(|document, _| {
            let seen = &mut seen[document as usize];
            *seen += u32::from(*seen as usize == entry.part);
        });
    }
    let all = |seen: &&u32| **seen as usize == parts && parts > 0;
    seen.iter().filter(all).count() as u32
}

impl Resolved<'_> {
    /// Whether something else stands in for a word that occurs nowhere.
    pub(super) fn is_repaired(&self, word: usize) -> bool {
        let mut repairs = self.repairs.iter();
        repairs.any(|(place, repair)| *place == word && *repair != Repair::Widened)
    }

    /// Says what was done with words that occur nowhere, and that nothing was left to look for.
    ///
    /// Terms are stems; a note shows a word that people wrote instead, for which it asks `as_written`.
    pub(super) fn notes(&self, query: &Query, as_written: impl Fn(&str) -> String) -> Vec<String> {
        if query.words.is_empty() {
            return vec![
                "The text has no letter, digit or operator that a search could look for."
                    .to_owned(),
            ];
        }
        let quoted = |words: &[String]| {
            let shown: Vec<String> = words
                .iter()
                .take(3)
                .map(|word| format!("`{}`", as_written(word)))
                .collect();
            shown.join(", ")
        };
        let note = |(place, repair): &(usize, Repair)| {
            let written = artifact::clean::one_line(&query.words[*place].written).into_owned();
            match repair {
                Repair::Corrected(terms) => {
                    format!(
                        "No document holds `{written}`: looked for {} instead.",
                        quoted(terms)
                    )
                }
                Repair::Completed(terms) => {
                    format!(
                        "No document holds `{written}` as a word: looked for words that start with it, such as {}.",
                        quoted(terms)
                    )
                }
                Repair::Replaced(terms) => {
                    format!(
                        "No document holds `{written}`: looked for {}, which mean much the same.",
                        quoted(terms)
                    )
                }
                Repair::TakenApart => {
                    format!("No document holds `{written}` as one word: looked for its parts.")
                }
                Repair::Widened => format!(
                    "Few documents hold `{written}` as one word: those that hold all its parts were looked for as well."
                ),
                Repair::Nothing if query.words[*place].quoted => {
                    format!(
                        "No document holds `{written}`; a word in quotation marks is looked for as it is."
                    )
                }
                Repair::Nothing => format!("No document holds `{written}` or a word near it."),
            }
        };
        self.repairs.iter().map(note).collect()
    }
}
