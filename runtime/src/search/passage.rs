//! The passage that answers: a few words around the words, and the heading they stand under.

use std::collections::HashMap;

use artifact::clean::one_line;
use artifact::format::{Frame, Heading};
use artifact::text::{Analyzer, LONGEST_TERM, Query, is_unspaced, tokens};

use super::words::Group;

/// Characters of a snippet, the signs of omission included.
const MOST_CHARACTERS: usize = 240;
/// Bytes of text between the first and the last word of a window.
const WINDOW: usize = 160;
/// The share of the words' weight that a heading must hold to be the section whatever stands in the text.
const HEADING_IS_ENOUGH: f32 = 0.5;

/// Places that are looked at: a page that holds the words more often has shown its best passage by then, or has many as good.
const MOST_PLACES: usize = 512;

/// What is shown of a hit.
#[derive(Debug, Default)]
pub(super) struct Passage {
    pub(super) section: Option<(String, String)>,
    pub(super) snippet: Option<String>,
}

/// A page's plain text, and where in the markdown it came from.
struct Plain {
    text: String,
    /// Places where a span starts: in the text, in the markdown.
    starts: Vec<(usize, u32)>,
}

impl Plain {
    /// The page's text without the heading that repeats its title.
    fn of(frame: &Frame, headings: &[Heading], title: &str) -> Self {
        let markdown = frame.markdown();
        let repeated = headings
            .first()
            .filter(|heading| is_title(heading, title))
            .map(|heading| {
                let start = heading.start as usize;
                let line = markdown.get(start..).and_then(|rest| rest.find('\n'));
                heading.start..line.map_or(markdown.len(), |length| start + length) as u32
            });
        let mut text = String::with_capacity(markdown.len());
        let mut starts = Vec::new();
        for span in frame.spans() {
            if repeated
                .as_ref()
                .is_some_and(|repeated| repeated.contains(&span.start))
            {
                continue;
            }
            if !span.joined && !text.is_empty() {
                text.push(' ');
            }
            starts.push((text.len(), span.start));
            text.push_str(
                markdown
                    .get(span.start as usize..span.end as usize)
                    .unwrap_or_default(),
            );
        }
        Self { text, starts }
    }

    /// The place in the markdown of a place in the text.
    fn in_markdown(&self, at: usize) -> u32 {
        let span = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts
            .get(span.wrapping_sub(1))
            .map_or(0, |(start, offset)| offset + (at - start) as u32)
    }
}

/// A word of the question where it stands in the text.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    end: usize,
    word: usize,
}

/// Finds the passage of a page.
pub(super) fn find(frame: &Frame, title: &str, analyzer: &Analyzer, wanted: &Wanted) -> Passage {
    let headings = frame.headings();
    let plain = Plain::of(frame, &headings, title);
    let places = wanted.places(analyzer, &plain.text);
    let window = best_window(&places, &wanted.weights);
    let by_heading = wanted.best_heading(analyzer, &headings, title);
    let by_place = || {
        let at = plain.in_markdown(places.get(window?.0)?.start);
        headings
            .iter()
            .rev()
            .find(|heading| heading.start <= at)
            .filter(|heading| !is_title(heading, title))
    };
    let section = by_heading.or_else(by_place);
    let snippet = match window {
        Some((first, last)) => cut(&plain.text, places[first].start, places[last].end),
        // The words stand in the title, the tags or the aliases alone: the page's beginning says most about it.
        None => cut(&plain.text, 0, 0),
    };
    Passage {
        section: section.map(|heading| (heading.text.to_owned(), heading.anchor.to_owned())),
        snippet: (!snippet.is_empty()).then_some(snippet),
    }
}

/// Two bytes as one number, ASCII letters in lower case.
#[inline]
fn pair(first: u8, second: u8) -> usize {
    usize::from(first.to_ascii_lowercase()) << 8 | usize::from(second.to_ascii_lowercase())
}

/// Whether a word, or a part of an identifier, can start at the character at byte `at`.
#[inline]
fn can_start(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let (Some(before), here) = (at.checked_sub(1).map(|before| bytes[before]), bytes[at]) else {
        return true;
    };
    if before.is_ascii() && here.is_ascii() {
        return !before.is_ascii_alphanumeric()
            || !here.is_ascii_alphanumeric()
            || (here.is_ascii_uppercase() && !before.is_ascii_uppercase())
            || (here.is_ascii_uppercase()
                && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase));
    }
    let (Some(before), Some(here)) = (text[..at].chars().next_back(), text[at..].chars().next())
    else {
        return true;
    };
    !before.is_alphanumeric()
        || is_unspaced(here)
        || is_unspaced(before)
        || (here.is_uppercase() && !before.is_uppercase())
}

fn is_title(heading: &Heading, title: &str) -> bool {
    heading.level == 1 && heading.text.trim() == title
}

/// The terms that are looked for in a page's text.
///
/// Cutting a long page into words and stemming each costs a thousand times what the words in question need, so the text is first scanned for
/// the letters that a term starts with, at places where a word or a part of one can start; only what is found there is read as words are.
pub(super) struct Wanted<'g> {
    terms: Vec<(&'g str, usize)>,
    weights: Vec<u32>,
    /// One bit for each pair of bytes, in lower case, that a term can start with: most places are passed over by this alone.
    starts: Vec<u64>,
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
    fn of(mut terms: Vec<(&'g str, usize)>, weights: Vec<u32>) -> Self {
        terms.retain(|(term, _)| !term.is_empty());
        let mut starts = vec![0u64; 1 << 10];
        let mut set = |first: u8, second: u8| {
            let pair = pair(first, second);
            starts[pair / 64] |= 1 << (pair % 64);
        };
        for (term, _) in &terms {
            match term.as_bytes() {
                // The second letter of a short term may be the end of its word, or be changed by its stem.
                [first] | [first, _] => (0..=255).for_each(|second| set(*first, second)),
                [first, second, ..] => set(*first, *second),
                [] => {}
            }
            // A letter outside ASCII may fold to any letter: `é` is the second letter of `déjà`, whose term is `deja`.
            (0xc3..=0xf4).for_each(|second| set(term.as_bytes()[0], second));
        }
        // And `É` starts the term `ete`.
        (0xc3..=0xf4).for_each(|first| (0..=255).for_each(|second| set(first, second)));
        Self {
            terms,
            weights,
            starts,
        }
    }

    /// Where the words stand in a text, in order, up to the first window that holds them all: no later passage is better.
    fn places(&self, analyzer: &Analyzer, text: &str) -> Vec<Place> {
        let mut last: Vec<Option<usize>> = vec![None; self.weights.len()];
        self.places_until(analyzer, text, |place| {
            last[place.word] = Some(place.start);
            last.iter()
                .all(|start| start.is_some_and(|start| place.end - start <= WINDOW))
        })
    }

    /// Where the words stand in a text, in order, up to the first place that is `enough`.
    fn places_until(
        &self,
        analyzer: &Analyzer,
        text: &str,
        mut enough: impl FnMut(Place) -> bool,
    ) -> Vec<Place> {
        let bytes = text.as_bytes();
        let mut places: Vec<Place> = Vec::new();
        let mut known = HashMap::new();
        for at in 0..bytes.len() {
            let pair = pair(bytes[at], bytes.get(at + 1).copied().unwrap_or(b' '));
            let may_start = self.starts[pair / 64] >> (pair % 64) & 1 == 1;
            if !may_start || !text.is_char_boundary(at) || !can_start(text, at) {
                continue;
            }
            if places.len() == MOST_PLACES {
                break;
            }
            if let Some((length, word)) = self.term_at(analyzer, &text[at..], &mut known)
                && places
                    .last()
                    .is_none_or(|last| last.end <= at || last.word != word)
            {
                let place = Place {
                    start: at,
                    end: at + length,
                    word,
                };
                places.push(place);
                if enough(place) {
                    break;
                }
            }
        }
        places
    }

    /// The word that stands at the start of `text`, and how long it is there.
    ///
    /// A page says the same words again and again: what was read once is in `known`.
    fn term_at<'t>(
        &self,
        analyzer: &Analyzer,
        text: &'t str,
        known: &mut HashMap<&'t str, Option<(usize, usize)>>,
    ) -> Option<(usize, usize)> {
        let ascii = text.as_bytes()[0].is_ascii();
        // A stem may end in another letter than its word, but starts like it.
        let likely = |term: &str| {
            let shared = (term.len() - 1).clamp(1, 3);
            !ascii
                || text
                    .as_bytes()
                    .get(..shared)
                    .is_some_and(|start| start.eq_ignore_ascii_case(&term.as_bytes()[..shared]))
        };
        if !self.terms.iter().any(|(term, _)| likely(term)) {
            return None;
        }
        if let Some((term, word)) = self
            .terms
            .iter()
            .find(|(term, _)| !ascii && text.starts_with(term))
        {
            return Some((term.len(), *word));
        }
        let end = (text
            .char_indices()
            .find(|(at, c)| *at >= LONGEST_TERM * 2 || c.is_whitespace()))
        .map_or(text.len(), |(at, _)| at);
        if let Some(known) = known.get(&text[..end]) {
            return *known;
        }
        let mut found = None;
        tokens(&text[..end], |token| {
            if token.start == 0 && found.is_none() {
                analyzer.index_terms(&token, |term| {
                    if found.is_none() {
                        found = self
                            .terms
                            .iter()
                            .find(|(wanted, _)| *wanted == term)
                            .map(|(_, word)| (token.text.len(), *word));
                    }
                });
            }
        });
        known.insert(&text[..end], found);
        found
    }

    /// The weight of the words in a set.
    fn weigh(&self, held: u64) -> u32 {
        self.weights
            .iter()
            .enumerate()
            .filter(|(word, _)| held >> (word & 63) & 1 == 1)
            .map(|(_, weight)| weight)
            .sum()
    }

    /// The heading whose own words hold most of the question, when that is enough of it. The page's title is no section.
    fn best_heading<'h>(
        &self,
        analyzer: &Analyzer,
        headings: &'h [Heading<'h>],
        title: &str,
    ) -> Option<&'h Heading<'h>> {
        let total = self.weights.iter().sum::<u32>().max(1) as f32;
        let mut best: Option<(f32, &Heading)> = None;
        for heading in headings.iter().filter(|heading| !is_title(heading, title)) {
            let held = self
                .places(analyzer, heading.text)
                .iter()
                .fold(0u64, |held, place| held | 1 << (place.word & 63));
            let share = self.weigh(held) as f32 / total;
            // Of headings that hold the same words the shorter one is more about them.
            let share = share - heading.text.len().min(200) as f32 / 100_000.0;
            if share >= HEADING_IS_ENOUGH && best.is_none_or(|(other, _)| share > other) {
                best = Some((share, heading));
            }
        }
        best.map(|(_, heading)| heading)
    }
}

/// The first and last place of the window that holds the most weight of different words; of equals the first.
fn best_window(places: &[Place], weights: &[u32]) -> Option<(usize, usize)> {
    let mut best: Option<(u32, usize, usize)> = None;
    let mut counts = vec![0u32; weights.len()];
    let mut weight = 0;
    let mut first = 0;
    for (last, place) in places.iter().enumerate() {
        counts[place.word] += 1;
        if counts[place.word] == 1 {
            weight += weights[place.word];
        }
        while place.end - places[first].start > WINDOW && first < last {
            let word = places[first].word;
            counts[word] -= 1;
            if counts[word] == 0 {
                weight -= weights[word];
            }
            first += 1;
        }
        if best.is_none_or(|(other, ..)| weight > other) {
            best = Some((weight, first, last));
        }
    }
    best.map(|(_, first, last)| (first, last))
}

/// Plain text around `start..end`, cut at words, on one line, at most [`MOST_CHARACTERS`] long.
fn cut(text: &str, start: usize, end: usize) -> String {
    // Twice the room on each side: white space and invisible characters go when the line is cleaned.
    let room = MOST_CHARACTERS.saturating_sub(text[start..end].chars().count());
    let before = back(text, start, room / 3);
    let after = forward(text, end, MOST_CHARACTERS * 2);
    let from = if before == 0 {
        0
    } else {
        word_start(text, before, start)
    };
    let mut line = decode(&one_line(&text[from..after]));
    if from > 0 {
        line.insert_str(0, "… ");
    }
    let is_whole = after == text.len();
    if is_whole && line.chars().count() <= MOST_CHARACTERS {
        return line;
    }
    let Some((limit, _)) = line.char_indices().nth(MOST_CHARACTERS - 2) else {
        line.push_str(" …");
        return line;
    };
    // Cut behind the last whole word, unless one word fills the line.
    let words = line[..limit]
        .rfind(char::is_whitespace)
        .filter(|at| *at > limit / 2)
        .unwrap_or(limit);
    line.truncate(words);
    line.truncate(line.trim_end().len());
    line.push_str(" …");
    line
}

/// The named character references that markdown keeps in its source and that read badly in plain text.
fn decode(line: &str) -> String {
    if !line.contains('&') {
        return line.to_owned();
    }
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(line.to_owned(), |line, (name, sign)| {
        line.replace(name, sign)
    })
}

fn back(text: &str, from: usize, characters: usize) -> usize {
    text[..from]
        .char_indices()
        .rev()
        .take(characters)
        .last()
        .map_or(from, |(at, _)| at)
}

fn forward(text: &str, from: usize, characters: usize) -> usize {
    text[from..]
        .char_indices()
        .nth(characters)
        .map_or(text.len(), |(at, _)| from + at)
}

/// The start of the first whole word at or behind `from`, but never behind `start`.
fn word_start(text: &str, from: usize, start: usize) -> usize {
    text[from..start]
        .find(char::is_whitespace)
        .map_or(from, |space| {
            let behind = from + space;
            behind + (text[behind..start].len() - text[behind..start].trim_start().len())
        })
}

/// The quoted phrases of a query, ready to be looked for in many pages.
pub(super) struct Phrases<'q>(Vec<Phrase<'q>>);

/// One phrase: the numbers of its terms in order, a term that stands twice with one number, and the terms to look for.
struct Phrase<'q> {
    numbers: Vec<usize>,
    wanted: Wanted<'q>,
}

impl<'q> Phrases<'q> {
    /// The phrases of more than one word; `None` where there is none.
    pub(super) fn new(query: &'q Query) -> Option<Self> {
        let phrases = query.phrases.iter().filter(|phrase| phrase.len() > 1);
        let phrases: Vec<Phrase> = phrases
            .map(|phrase| Phrase::new(&terms_of(query, phrase)))
            .collect();
        (!phrases.is_empty()).then_some(Self(phrases))
    }

    /// Whether every phrase stands in the page word by word.
    pub(super) fn stand_in(&self, frame: &Frame, analyzer: &Analyzer) -> bool {
        let plain = Plain::of(frame, &[], "");
        self.0
            .iter()
            .all(|phrase| phrase.stands_in(&plain.text, analyzer))
    }
}

/// The terms of a phrase in order; a run of an unspaced script is all its pairs.
fn terms_of<'q>(query: &'q Query, phrase: &[usize]) -> Vec<&'q str> {
    let words = phrase.iter().map(|word| &query.words[*word]);
    let terms = words.flat_map(|word| {
        word.whole
            .iter()
            .chain(if word.run { &word.parts[..] } else { &[] })
    });
    terms.map(String::as_str).collect()
}

impl<'q> Phrase<'q> {
    fn new(terms: &[&'q str]) -> Self {
        let number = |term: &&str| {
            terms
                .iter()
                .position(|other| other == term)
                .unwrap_or_default()
        };
        let numbered = terms.iter().map(|term| (*term, number(term))).collect();
        Self {
            numbers: terms.iter().map(number).collect(),
            wanted: Wanted::of(numbered, vec![1; terms.len()]),
        }
    }

    fn stands_in(&self, text: &str, analyzer: &Analyzer) -> bool {
        let Self { numbers, wanted } = self;
        // Phrases that have begun: the next word of each, and where the last one ended.
        let mut begun: Vec<(usize, usize)> = Vec::new();
        let mut found = false;
        wanted.places_until(analyzer, text, |place| {
            begun.retain(|(_, end)| {
                !text[(*end).min(place.start)..place.start].contains(char::is_alphanumeric)
            });
            let mut next: Vec<(usize, usize)> = Vec::new();
            for (at, end) in &begun {
                // The pairs of a run overlap; words do not.
                if numbers[*at] == place.word
                    && (place.start >= *end || text[place.start..].starts_with(is_unspaced))
                {
                    next.push((at + 1, place.end));
                }
            }
            if numbers[0] == place.word {
                next.push((1, place.end));
            }
            found |= next.iter().any(|(at, _)| *at == numbers.len());
            next.retain(|(at, _)| *at < numbers.len());
            begun.append(&mut next);
            found
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_cut_at_words_and_characters() {
        let text = "Wörter ".repeat(100);
        let at = text.len() / 2;
        let at = back(&text, at, 1);
        let snippet = cut(&text, word_start(&text, at, at), at);
        assert!(snippet.chars().count() <= MOST_CHARACTERS, "{snippet}");
        assert!(
            snippet.starts_with("… Wörter") && snippet.ends_with("Wörter …"),
            "{snippet}"
        );
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(cut("a  b\nc &lt;d&gt;", 0, 1), "a b c <d>");
        assert_eq!(cut("", 0, 0), "");
    }

    #[test]
    fn one_endless_word_is_cut_on_a_character() {
        let text = "é’".repeat(400);
        let snippet = cut(&text, 0, 5);
        assert!(snippet.chars().count() <= MOST_CHARACTERS && snippet.ends_with(" …"));
    }

    #[test]
    fn the_window_with_the_most_words_wins() {
        let place = |start, word| Place {
            start,
            end: start + 3,
            word,
        };
        let places = [place(0, 0), place(500, 0), place(520, 1), place(900, 1)];
        assert_eq!(best_window(&places, &[10, 10]), Some((1, 2)));
        assert_eq!(best_window(&places[..1], &[10, 10]), Some((0, 0)));
        assert_eq!(best_window(&[], &[10]), None);
    }

    #[test]
    fn a_phrase_stands_word_by_word() {
        let analyzer = Analyzer::new("en");
        let holds = |text: &str, phrase: &str| {
            let query = Query::read(&analyzer, phrase);
            Phrase::new(&terms_of(&query, &query.phrases[0])).stands_in(text, &analyzer)
        };
        assert!(holds("The cold  start: it takes time", "\"cold start\""));
        assert!(holds("cold cold start", "\"cold start\""));
        assert!(holds("state of the *art*", "\"state of the art\""));
        assert!(holds("the dog saw the cat", "\"the dog saw the cat\""));
        assert!(!holds("cold and start", "\"cold start\""));
        assert!(!holds("start cold", "\"cold start\""));
        assert!(!holds("a cold", "\"cold start\""));
        assert!(holds("说明 JWT 检索系统", "\"JWT 检索系统\""));
        assert!(!holds("检索系统 JWT", "\"JWT 检索系统\""));
    }
}
