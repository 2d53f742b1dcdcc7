//! Other words that serve for a word: other spellings, neighbours written as one, synonyms.
//!
//! They never find a document on their own as long as some document holds the word itself: what is found stays exactly what was
//! asked for. Among what is found they rank higher what says the same in other words. Where no document holds the word, what serves for it
//! takes its place, and the answer says so.

use artifact::format::Index;
use artifact::text::synonyms::{LONGEST_KEY, Relation, Synonyms, spellings};
use artifact::text::{Analyzer, Query, Word, tokens};

use super::Weights;
use super::words::{EXACT, Entry, Group, Join, Repair, entry, share_of};

/// Words that serve for one word at most; those that weigh most are kept.
const MOST: usize = 4;

/// Finds what serves for the word at `place` of the query.
///
/// A question of one word is left alone when some document holds it: there is nothing to weigh against it.
pub(super) fn add<'a>(
    index: &Index<'a>,
    query: &Query,
    place: usize,
    (analyzer, synonyms, weights): (&Analyzer, &Synonyms, &Weights),
    joined: &mut Joined,
    group: &mut Group<'a>,
    repair: &mut Option<Repair>,
) {
    let missing = group.entries.is_empty();
    let mended = matches!(repair, Some(Repair::Corrected(_) | Repair::Completed(_)));
    if query.words.len() < 2 && !missing && !mended {
        return;
    }
    let word = &query.words[place];
    if word.quoted {
        return;
    }
    let mut found = Candidates {
        index,
        own: &group.entries,
        word,
        entries: Vec::new(),
    };
    spellings(&word.folded, |other| {
        found.word(analyzer, other, share_of(weights.spelling));
    });
    // A word spelled the other way was not mistyped.
    if mended && !found.entries.is_empty() {
        return replace(found.entries, group, repair);
    }
    for first in [place.checked_sub(1), Some(place)].into_iter().flatten() {
        if let Some(term) = joined.term(analyzer, query, first) {
            found.term(term, share_of(weights.joined));
        }
    }
    let share = |relation| match relation {
        Relation::Same => share_of(weights.same),
        Relation::Related => share_of(weights.related),
    };
    if let Some(term) = word.wholes.first() {
        if synonyms.may_have([term.as_str()]) {
            for (other, relation) in synonyms.of(term) {
                found.term(other, share(relation));
            }
        }
        for several in keys_with(query.lines.first().map_or(&[], Vec::as_slice), term) {
            if !synonyms.may_have(several.iter().map(String::as_str)) {
                continue;
            }
            for (other, relation) in synonyms.of(&several.join(" ")) {
                found.term(other, share(relation));
            }
        }
    }
    if missing && found.entries.is_empty() {
        found.halves(analyzer, &word.folded, share_of(weights.split));
    }
    let most = (group.weight() * share_of(weights.related_most) / EXACT).max(1);
    let mut entries = found.entries;
    if missing {
        if !entries.is_empty() {
            replace(entries, group, repair);
        }
        return;
    }
    // A rare synonym must not outweigh the word that was asked for.
    for (entry, share) in &mut entries {
        entry.weight = (entry.weight.min(most) * *share / EXACT).max(1);
    }
    entries.sort_by(|(left, _), (right, _)| {
        (right.weight.cmp(&left.weight)).then_with(|| left.term.cmp(&right.term))
    });
    entries.truncate(MOST);
    group.related = entries.into_iter().map(|(entry, _)| entry).collect();
}

/// Lets what was found stand for the word.
fn replace<'a>(entries: Vec<(Entry<'a>, u32)>, group: &mut Group<'a>, repair: &mut Option<Repair>) {
    let terms = entries.iter().map(|(entry, _)| entry.term.clone());
    *repair = Some(Repair::Replaced(terms.collect()));
    group.join = Join::Any;
    group.entries = entries
        .into_iter()
        .map(|(mut entry, share)| {
            entry.weight = (entry.weight * share / EXACT).max(1);
            entry
        })
        .collect();
}

/// Keys of several words of the question, in the order asked, that the word is one of.
fn keys_with<'q>(line: &'q [String], term: &'q str) -> impl Iterator<Item = &'q [String]> + 'q {
    (2..=LONGEST_KEY).flat_map(move |length| {
        line.windows(length)
            .filter(move |words| words.iter().any(|word| word == term))
    })
}

/// The terms of neighbouring words of a question written as one, each made once for both of them.
#[derive(Default)]
pub(super) struct Joined(Vec<Option<String>>);

impl Joined {
    /// The term of the word at `first` and the one behind it together.
    fn term(&mut self, analyzer: &Analyzer, query: &Query, first: usize) -> Option<&str> {
        while self.0.len() <= first {
            let pair = query.words.get(self.0.len()..)?.get(..2)?;
            let word = [pair[0].folded.as_str(), &pair[1].folded].concat();
            self.0.push(term_of(analyzer, &word));
        }
        self.0[first].as_deref()
    }
}

struct Candidates<'i, 'a> {
    index: &'i Index<'a>,
    /// What need not be looked for again: the word's own lists, and the word itself.
    own: &'i [Entry<'a>],
    word: &'i Word,
    entries: Vec<(Entry<'a>, u32)>,
}

impl Candidates<'_, '_> {
    /// Adds a word, in whatever form it is written.
    fn word(&mut self, analyzer: &Analyzer, word: &str, share: u32) {
        if let Some(term) = term_of(analyzer, word) {
            self.term(&term, share);
        }
    }

    /// Adds a term, when some document holds it.
    fn term(&mut self, term: &str, share: u32) {
        let found = self.entries.iter().map(|(entry, _)| entry);
        if self.own.iter().chain(found).any(|entry| entry.term == term)
            || self.word.wholes.iter().any(|whole| whole == term)
        {
            return;
        }
        if let Some(entry) = entry(self.index, term, EXACT) {
            self.entries.push((entry, share));
        }
    }

    /// Adds the two words that a word consists of: of all ways to cut it the one whose rarer half is most frequent.
    fn halves(&mut self, analyzer: &Analyzer, word: &str, share: u32) {
        const SHORTEST: usize = 3;
        if !word.is_ascii() || word.len() < 2 * SHORTEST {
            return;
        }
        let documents = |half: &str| {
            let term = term_of(analyzer, half)?;
            self.index.frequency(self.index.terms().get(&term)?)
        };
        let best = (SHORTEST..=word.len() - SHORTEST)
            .filter_map(|at| {
                let (first, second) = word.split_at(at);
                Some((documents(first)?.min(documents(second)?), at))
            })
            .filter(|(documents, _)| *documents > 1)
            .max();
        if let Some((_, at)) = best {
            let (first, second) = word.split_at(at);
            self.word(analyzer, first, share);
            self.word(analyzer, second, share);
        }
    }
}

/// The term of one word.
pub(super) fn term_of(analyzer: &Analyzer, word: &str) -> Option<String> {
    let mut found = None;
    tokens(word, |token| {
        if found.is_none() {
            analyzer.whole(&token, |term| found = Some(term.to_owned()));
        }
    });
    found
}
