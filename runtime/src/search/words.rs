//! From the words of a query to lists of documents.

use artifact::format::{Index, List, hash_of, idf};
use artifact::text::{Analyzer, Query, Word, tokens};

use super::Hit;
use super::near::{self, Near};

/// How much a list counts, in 256ths, when it stands for the word itself.
const EXACT: u32 = 256;
/// How much a near spelling counts: less than any word that was asked for.
const CORRECTED: u32 = 200;
/// How much a longer word counts.
const COMPLETED: u32 = 200;
/// How much a part of a name counts.
const PART: u32 = 192;

/// One list of a word.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) term: String,
    pub(super) hash: u16,
    pub(super) list: List<'a>,
    /// What its documents' impacts are multiplied by: idf, less for what only stands for the word.
    pub(super) weight: u32,
}

/// One word of the query with the lists that stand for it. Without a list, nothing does.
#[derive(Debug, Default)]
pub(super) struct Group<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    /// Whether a document must be in every list.
    pub(super) all: bool,
}

impl Group<'_> {
    /// What the word weighs in comparisons of coverage: its heaviest list.
    pub(super) fn weight(&self) -> u32 {
        self.entries
            .iter()
            .map(|entry| entry.weight)
            .max()
            .unwrap_or_default()
    }
}

/// What was done with a word that occurs nowhere.
#[derive(Debug, PartialEq, Eq)]
enum Repair {
    Corrected(Vec<String>),
    Completed(Vec<String>),
    TakenApart,
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
pub(super) fn resolve<'a>(index: &Index<'a>, query: &Query) -> Resolved<'a> {
    let mut resolved = Resolved {
        groups: Vec::with_capacity(query.words.len()),
        repairs: Vec::new(),
    };
    for (place, word) in query.words.iter().enumerate() {
        let (group, repair) = group(index, word);
        resolved.groups.push(group);
        if let Some(repair) = repair {
            resolved.repairs.push((place, repair));
        }
    }
    resolved
}

fn group<'a>(index: &Index<'a>, word: &Word) -> (Group<'a>, Option<Repair>) {
    if let Some(entry) = word
        .whole
        .as_deref()
        .and_then(|term| entry(index, term, EXACT))
    {
        return (
            Group {
                entries: vec![entry],
                all: false,
            },
            None,
        );
    }
    let share = if word.run { EXACT } else { PART };
    let parts: Vec<Entry> = word
        .parts
        .iter()
        .filter_map(|part| entry(index, part, share))
        .collect();
    if word.run {
        let complete = parts.len() == word.parts.len();
        if complete && share_a_document(index.documents(), &parts) {
            return (
                Group {
                    entries: parts,
                    all: true,
                },
                None,
            );
        }
        let repair = if parts.is_empty() {
            Repair::Nothing
        } else {
            Repair::TakenApart
        };
        return (
            Group {
                entries: parts,
                all: false,
            },
            Some(repair),
        );
    }
    if !parts.is_empty() {
        return (
            Group {
                entries: parts,
                all: false,
            },
            Some(Repair::TakenApart),
        );
    }
    let stem = word.whole.as_deref().unwrap_or(&word.folded);
    let completed = near::completions(index, &word.folded);
    if !completed.is_empty() {
        return near_group(index, completed, COMPLETED, Repair::Completed);
    }
    let mut corrected = near::corrections(index, stem);
    if corrected.is_empty() && stem != word.folded {
        corrected = near::corrections(index, &word.folded);
    }
    if !corrected.is_empty() {
        return near_group(index, corrected, CORRECTED, Repair::Corrected);
    }
    (Group::default(), Some(Repair::Nothing))
}

fn near_group<'a>(
    index: &Index<'a>,
    near: Vec<Near>,
    share: u32,
    repair: fn(Vec<String>) -> Repair,
) -> (Group<'a>, Option<Repair>) {
    let terms = near.iter().map(|near| near.term.clone()).collect();
    let entries = near
        .iter()
        .filter_map(|near| entry_of(index, near.term.clone(), near.value, share))
        .collect();
    (
        Group {
            entries,
            all: false,
        },
        Some(repair(terms)),
    )
}

fn entry<'a>(index: &Index<'a>, term: &str, share: u32) -> Option<Entry<'a>> {
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
    })
}

/// Whether some document is in all lists.
fn share_a_document(documents: u32, entries: &[Entry]) -> bool {
    let mut seen = vec![0u8; documents as usize];
    let wanted = entries.len().min(usize::from(u8::MAX)) as u8;
    for (place, entry) in entries.iter().take(usize::from(wanted)).enumerate() {
        entry.list.for_each(|document, _| {
            let seen = &mut seen[document as usize];
            *seen += u8::from(usize::from(*seen) == place);
        });
    }
    wanted > 0 && seen.contains(&wanted)
}

impl Resolved<'_> {
    /// Says what was done with words that occur nowhere, and that nothing was left to look for.
    ///
    /// Terms are stems; a note shows a word that stands in one of the hits instead, where there is one.
    pub(super) fn notes(&self, query: &Query, hits: &[Hit], analyzer: &Analyzer) -> Vec<String> {
        if query.words.is_empty() {
            return vec![
                "The text has no letter or digit that a search could look for.".to_owned(),
            ];
        }
        let quoted = |words: &[String]| {
            let shown: Vec<String> = words
                .iter()
                .take(3)
                .map(|word| format!("`{}`", as_written(word, hits, analyzer)))
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
                Repair::TakenApart => {
                    format!("No document holds `{written}` as one word: looked for its parts.")
                }
                Repair::Nothing => format!("No document holds `{written}` or a word near it."),
            }
        };
        self.repairs.iter().map(note).collect()
    }
}

/// A word of the hits that has the term, else the term.
fn as_written(term: &str, hits: &[Hit], analyzer: &Analyzer) -> String {
    for hit in hits.iter().take(3) {
        let mut found = None;
        tokens(hit.frame.markdown(), |token| {
            if found.is_none() && shares_start(token.text, term) {
                analyzer.index_terms(&token, |other| {
                    if other == term && found.is_none() {
                        found = Some(token.text.to_lowercase());
                    }
                });
            }
        });
        if let Some(found) = found {
            return found;
        }
    }
    term.to_owned()
}

/// Whether a token can give the term at all: a cheap question before a dear one.
fn shares_start(text: &str, term: &str) -> bool {
    let (Some(a), Some(b)) = (text.bytes().next(), term.bytes().next()) else {
        return false;
    };
    !a.is_ascii() || !b.is_ascii() || a.eq_ignore_ascii_case(&b)
}
