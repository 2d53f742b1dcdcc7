//! The words of a question, where they stand in a text.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use artifact::text::{Analyzer, LONGEST_TERM, tokens, unmarked};

use super::words::Group;
use crate::page::kept::QuickHasher;
use crate::page::text::{Starts, Text};

/// Bytes of text between the first and the last word of a window.
pub(super) const WINDOW: usize = 160;
/// Places that are looked at: a page that holds the words more often has shown its best passage by then, or has many as good.
const MOST_PLACES: usize = 512;

/// A word of the question where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) word: usize,
}

/// The terms that are looked for in a page's text.
///
/// Cutting a long page into words and stemming each costs a thousand times what the words in question need, so only places are looked at where a
/// word or a part of one can start, and of these only those with the letters that a term starts with are read as words are.
#[derive(Debug)]
pub(super) struct Wanted<'g> {
    terms: Vec<Term<'g>>,
    weights: Vec<u32>,
    /// One bit for each pair of bytes, in lower case, that a term can start with: most places are passed over by this alone.
    starts: Vec<u64>,
}

/// A term that is looked for.
#[derive(Debug)]
struct Term<'g> {
    /// As it stands in the index.
    whole: &'g str,
    /// Without the mark of its language: what a text starts with that has it.
    plain: &'g str,
    /// The number of the word it stands for.
    word: usize,
    /// Its first one to three bytes and which of the three count. A stem may end in another letter than its word, but starts like it, as far as no
    /// letter is folded.
    start: u32,
    counts: u32,
}

/// What the words of pages were found to be, since pages say the same words again and again: how long each is, and which word of the question.
#[derive(Debug, Default)]
pub(super) struct Known {
    language: u8,
    words: HashMap<Box<str>, Option<(usize, usize)>, BuildHasherDefault<QuickHasher>>,
}

impl Known {
    /// The words of pages in one language.
    pub(super) fn of(&mut self, language: u8) -> &mut Self {
        if self.language != language {
            self.language = language;
            self.words.clear();
        }
        self
    }
}

impl<'g> Wanted<'g> {
    /// The terms of a question's words.
    pub(super) fn new(groups: &'g [Group<'_>]) -> Self {
        let terms = groups.iter().enumerate().flat_map(|(word, group)| {
            group
                .entries
                .iter()
                .map(move |entry| (entry.term.as_str(), word))
        });
        Self::of(terms.collect(), groups.iter().map(Group::weight).collect())
    }

    /// Terms, each with the number of the word it stands for; `weights` has one entry a word.
    pub(super) fn of(terms: Vec<(&'g str, usize)>, weights: Vec<u32>) -> Self {
        let mut terms: Vec<Term> = terms
            .into_iter()
            .map(|(whole, word)| Term::new(whole, word))
            .collect();
        terms.retain(|term| !term.plain.is_empty());
        Self {
            starts: starts(&terms),
            terms,
            weights,
        }
    }

    /// What each word weighs.
    pub(super) fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Where the words stand in a page's text, in order, up to the first window of one section that holds them all: no later passage
    /// is better.
    pub(super) fn places(&self, analyzer: &Analyzer, text: &Text, known: &mut Known) -> Vec<Place> {
        let mut last: Vec<Option<usize>> = vec![None; self.weights.len()];
        let mut places = Vec::new();
        self.visit_places(analyzer, (text.plain(), text.starts()), known, |place| {
            places.push(place);
            last[place.word] = Some(place.start);
            let is_whole = last
                .iter()
                .all(|start| start.is_some_and(|start| place.end - start <= WINDOW));
            let first = || last.iter().flatten().min().copied().unwrap_or(place.start);
            let is_in_one = || text.section_over(first()) == text.section_over(place.start);
            places.len() == MOST_PLACES || is_whole && is_in_one()
        });
        places
    }

    /// Visits the places where the words stand in a text, in order, until one is enough.
    #[inline]
    pub(super) fn visit_places(
        &self,
        analyzer: &Analyzer,
        (text, starts): (&str, &Starts),
        known: &mut Known,
        mut is_enough: impl FnMut(Place) -> bool,
    ) {
        let mut before: Option<Place> = None;
        for (at, pair) in starts.iter() {
            if self.starts[usize::from(pair) / 64] >> (pair % 64) & 1 == 0 {
                continue;
            }
            if let Some((length, word)) = self.term_at(analyzer, &text[at..], known)
                && before.is_none_or(|before| before.end <= at || before.word != word)
            {
                let place = Place {
                    start: at,
                    end: at + length,
                    word,
                };
                before = Some(place);
                if is_enough(place) {
                    break;
                }
            }
        }
    }

    /// The word that stands at the start of `text`, and how long it is there.
    fn term_at(
        &self,
        analyzer: &Analyzer,
        text: &str,
        known: &mut Known,
    ) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let likely = match bytes {
            [first, second, third, ..]
                if first.is_ascii() & second.is_ascii() & third.is_ascii() =>
            {
                let here = three(*first, *second, *third);
                self.terms
                    .iter()
                    .any(|term| (here ^ term.start) & term.counts == 0)
            }
            _ => self.terms.iter().any(|term| term.may_start(bytes)),
        };
        if !likely {
            return None;
        }
        let is_ascii = bytes.first().is_some_and(u8::is_ascii);
        if let Some(term) = self
            .terms
            .iter()
            .find(|term| !is_ascii && text.starts_with(term.whole))
        {
            return Some((term.plain.len(), term.word));
        }
        let here = &text[..end_of_word(text)];
        if let Some(known) = known.words.get(here) {
            return *known;
        }
        let mut found = None;
        tokens(here, |token| {
            if token.start == 0 && found.is_none() {
                analyzer.index_terms(&token, |term| {
                    if found.is_none() {
                        found = self
                            .terms
                            .iter()
                            .find(|wanted| wanted.whole == term)
                            .map(|wanted| (token.text.len(), wanted.word));
                    }
                });
            }
        });
        known.words.insert(here.into(), found);
        found
    }

    /// The weight of the words in a set.
    pub(super) fn weigh(&self, held: u64) -> u32 {
        self.weights
            .iter()
            .enumerate()
            .filter(|(word, _)| held & bit(*word) != 0)
            .map(|(_, weight)| weight)
            .sum()
    }

    /// The headings that have any of the words, in order, each with a set of those. The page's title is no heading here.
    pub(super) fn headings(
        &self,
        analyzer: &Analyzer,
        text: &Text,
        known: &mut Known,
    ) -> Vec<(usize, u64)> {
        let mut headings = Vec::new();
        if text.sections() == 0 {
            return headings;
        }
        let mut add = |section: usize, held: u64| {
            if held != 0 && !text.is_title(section) {
                headings.push((section, held));
            }
        };
        // Most headings have none of the words, so those that have one are come upon by their places.
        let (mut section, mut line, mut held, mut count) = (0, text.line(0), 0u64, 0);
        self.visit_places(
            analyzer,
            (text.lines(), text.line_starts()),
            known,
            |place| {
                if place.start >= line.end {
                    add(section, held);
                    while place.start >= line.end && section + 1 < text.sections() {
                        section += 1;
                        line = text.line(section);
                    }
                    (held, count) = (0, 0);
                }
                count += 1;
                if count <= MOST_PLACES {
                    held |= bit(place.word);
                }
                false
            },
        );
        add(section, held);
        headings
    }
}

/// The set that has one word.
pub(super) fn bit(word: usize) -> u64 {
    1 << (word & 63)
}

impl<'g> Term<'g> {
    fn new(whole: &'g str, word: usize) -> Self {
        let plain = unmarked(whole);
        let shared = plain.len().saturating_sub(1).clamp(1, 3);
        let byte = |at: usize| plain.as_bytes().get(at).copied().unwrap_or_default();
        Self {
            whole,
            plain,
            word,
            start: three(byte(0), byte(1), byte(2)),
            counts: 0xff_ffff << (8 * (3 - shared)) & 0xff_ffff,
        }
    }

    /// Whether a text may start with it, as far as its letters are ASCII.
    fn may_start(&self, text: &[u8]) -> bool {
        let shared = (self.plain.len() - 1).clamp(1, 3).min(text.len());
        let plain = text[..shared].iter().take_while(|byte| byte.is_ascii());
        plain
            .zip(self.plain.as_bytes())
            .all(|(here, wanted)| here.eq_ignore_ascii_case(wanted))
    }
}

/// Three bytes as one number, ASCII letters in lower case.
#[inline]
fn three(first: u8, second: u8, third: u8) -> u32 {
    let lower = |byte: u8| u32::from(byte.to_ascii_lowercase());
    lower(first) << 16 | lower(second) << 8 | lower(third)
}

/// A bit for each pair of bytes that a text can start with which has one of the terms.
fn starts(terms: &[Term]) -> Vec<u64> {
    /// Words of 64 bits for the pairs of one first byte.
    const ROW: usize = 4;
    let mut starts = vec![0u64; 256 * ROW];
    for term in terms {
        let bytes = term.plain.as_bytes();
        let [first, rest @ ..] = bytes else { continue };
        let row = usize::from(first.to_ascii_lowercase()) * ROW;
        let row = &mut starts[row..row + ROW];
        match rest {
            // The second letter of a short term may be the end of its word, or be changed by its stem.
            [] | [_] => row.fill(!0),
            [second, ..] => {
                let second = usize::from(second.to_ascii_lowercase());
                row[second / 64] |= 1 << (second % 64);
                // A letter outside ASCII may fold to any letter: `é` is the second letter of `déjà`, whose term is `deja`.
                row[3] |= OUTSIDE_ASCII;
            }
        }
    }
    // And `É` starts the term `ete`.
    starts[0xc3 * ROW..=0xf4 * ROW + (ROW - 1)].fill(!0);
    starts
}

/// The bytes that letters outside ASCII start with, 0xc3 to 0xf4, of those from 192 on.
const OUTSIDE_ASCII: u64 = (1 << (0xf4 - 192 + 1)) - (1 << (0xc3 - 192));

/// How long the first word of a text is, signs included: up to white space, and no longer than any term can come from.
fn end_of_word(text: &str) -> usize {
    const MOST: usize = LONGEST_TERM * 2;
    for (at, byte) in text.bytes().enumerate() {
        if !byte.is_ascii() {
            let mut rest = text[at..].char_indices();
            let end = rest.find(|(more, c)| at + more >= MOST || c.is_whitespace());
            return end.map_or(text.len(), |(more, _)| at + more);
        }
        if at >= MOST || char::from(byte).is_whitespace() {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, terms: &[&str]) -> Vec<(usize, usize)> {
        let numbered = terms.iter().enumerate().map(|(word, term)| (*term, word));
        let wanted = Wanted::of(numbered.collect(), vec![1; terms.len()]);
        let mut found = Vec::new();
        let analyzer = Analyzer::new("en");
        let starts = Starts::of(text);
        wanted.visit_places(&analyzer, (text, &starts), &mut Known::default(), |place| {
            found.push((place.start, place.word));
            false
        });
        found
    }

    #[test]
    fn words_are_found_by_their_terms() {
        assert_eq!(
            found("Caching caches a cache, CACHED.", &["cach"]),
            [(0, 0), (8, 0), (17, 0), (24, 0)]
        );
        assert_eq!(found("a déjà-vu, Été", &["deja", "ete"]), [(2, 0), (13, 1)]);
        assert_eq!(
            found("getElementById x_id", &["id", "element"]),
            [(3, 1), (12, 0), (17, 0)]
        );
        assert_eq!(found("C++ and c", &["c++"]), [(0, 0)]);
        assert_eq!(found("如检索系统", &["检索", "系统"]).len(), 2);
        assert_eq!(found("", &["a"]), []);
    }

    #[test]
    fn a_word_ends_at_white_space() {
        for (text, end) in [
            ("", 0),
            ("a b", 1),
            ("a\u{b}b", 1),
            ("é\u{a0}b", 2),
            ("aé", 3),
        ] {
            assert_eq!(end_of_word(text), end, "{text:?}");
        }
        assert_eq!(end_of_word(&"a".repeat(200)), 80);
        assert_eq!(end_of_word(&"é".repeat(200)), 80);
        assert_eq!(end_of_word(&format!("a{}", "é".repeat(200))), 81);
    }
}
