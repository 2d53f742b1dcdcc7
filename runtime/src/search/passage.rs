//! The passage that answers: a few words around the words, and the heading they stand under.

use std::collections::HashMap;

use artifact::clean::one_line;
use artifact::format::{Frame, Heading};
use artifact::text::{Analyzer, LONGEST_TERM, is_unspaced, tokens, unmarked};

use super::phrase::Phrases;
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

/// A page's plain text, with a line feed where a block ends, and where in the markdown it came from.
pub(super) struct Plain {
    text: String,
    /// Places where a span starts: in the text, in the markdown.
    starts: Vec<(usize, u32)>,
}

impl Plain {
    /// The page's text without the heading that repeats its title.
    pub(super) fn of(frame: &Frame, headings: &[Heading], title: &str) -> Self {
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
        let mut headings = headings.iter().peekable();
        // The end of the span before, and whether it was of a heading.
        let (mut behind, mut in_heading) = (0, false);
        for span in frame.spans() {
            let heading = headings.next_if(|heading| heading.start <= span.start);
            while headings
                .next_if(|heading| heading.start <= span.start)
                .is_some()
            {}
            let gap = markdown
                .get(behind as usize..span.start as usize)
                .unwrap_or_default();
            let ends_block = heading.is_some() || ends_block(gap, in_heading);
            in_heading = heading.is_some() || (in_heading && !ends_block);
            behind = span.end;
            if repeated
                .as_ref()
                .is_some_and(|repeated| repeated.contains(&span.start))
            {
                continue;
            }
            if !span.joined && !text.is_empty() {
                text.push(if ends_block { '\n' } else { ' ' });
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

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The place in the markdown of a place in the text.
    fn in_markdown(&self, at: usize) -> u32 {
        let span = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts
            .get(span.wrapping_sub(1))
            .map_or(0, |(start, offset)| offset + (at - start) as u32)
    }

    /// The heading that a place in the text stands under. The page's title is no section.
    fn heading_over<'h>(
        &self,
        headings: &'h [Heading<'h>],
        at: usize,
        title: &str,
    ) -> Option<&'h Heading<'h>> {
        let at = self.in_markdown(at);
        let heading = headings.iter().rev().find(|heading| heading.start <= at);
        heading.filter(|heading| !is_title(heading, title))
    }
}

/// Whether a block of the page, or a cell of a table, ends in a piece of markdown between two pieces of text.
///
/// A line break alone is a break within a paragraph, but behind a heading.
fn ends_block(gap: &str, in_heading: bool) -> bool {
    if gap.contains('|') {
        return true;
    }
    let Some((_, next)) = gap.split_once('\n') else {
        return false;
    };
    let next = next.trim_start_matches([' ', '\t', '>']);
    in_heading
        || next.starts_with(['\n', '\r', '#', '`', '~', ':'])
        || next.starts_with(|c: char| c.is_ascii_digit())
        || ["- ", "* ", "+ "].iter().any(|item| next.starts_with(item))
}

/// A word of the question where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) word: usize,
}

/// Finds the passage of a page.
///
/// Quoted words that stand together are the passage wherever they stand.
pub(super) fn find(
    frame: &Frame,
    title: &str,
    analyzer: &Analyzer,
    wanted: &Wanted,
    phrases: Option<&Phrases>,
) -> Passage {
    let headings = frame.headings();
    let plain = Plain::of(frame, &headings, title);
    if let Some((start, end)) = phrases.and_then(|phrases| phrases.place(&plain.text, analyzer)) {
        let section = plain.heading_over(&headings, start, title);
        return Passage::new(section, cut(&plain.text, start, end));
    }
    let places = wanted.places(analyzer, &plain.text);
    let window = best_window(&places, &wanted.weights);
    let by_heading = wanted.best_heading(analyzer, &headings, title);
    let by_place = || plain.heading_over(&headings, places.get(window?.0)?.start, title);
    let section = by_heading.or_else(by_place);
    let snippet = match window {
        Some((first, last)) => cut(&plain.text, places[first].start, places[last].end),
        // The words stand in the title, the tags or the aliases alone: the page's beginning says most about it.
        None => cut(&plain.text, 0, 0),
    };
    Passage::new(section, snippet)
}

impl Passage {
    fn new(section: Option<&Heading>, snippet: String) -> Self {
        Self {
            section: section.map(|heading| (heading.text.to_owned(), heading.anchor.to_owned())),
            snippet: (!snippet.is_empty()).then_some(snippet),
        }
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
            .map(|(whole, word)| Term {
                whole,
                plain: unmarked(whole),
                word,
            })
            .collect();
        terms.retain(|term| !term.plain.is_empty());
        let mut starts = vec![0u64; 1 << 10];
        let mut set = |first: u8, second: u8| {
            let pair = pair(first, second);
            starts[pair / 64] |= 1 << (pair % 64);
        };
        for Term { plain, .. } in &terms {
            match plain.as_bytes() {
                // The second letter of a short term may be the end of its word, or be changed by its stem.
                [first] | [first, _] => (0..=255).for_each(|second| set(*first, second)),
                [first, second, ..] => set(*first, *second),
                [] => {}
            }
            // A letter outside ASCII may fold to any letter: `é` is the second letter of `déjà`, whose term is `deja`.
            (0xc3..=0xf4).for_each(|second| set(plain.as_bytes()[0], second));
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
        let mut places = Vec::new();
        self.visit_places(analyzer, text, |place| {
            places.push(place);
            last[place.word] = Some(place.start);
            places.len() == MOST_PLACES
                || last
                    .iter()
                    .all(|start| start.is_some_and(|start| place.end - start <= WINDOW))
        });
        places
    }

    /// Visits the places where the words stand in a text, in order, until one is enough.
    pub(super) fn visit_places(
        &self,
        analyzer: &Analyzer,
        text: &str,
        mut is_enough: impl FnMut(Place) -> bool,
    ) {
        let bytes = text.as_bytes();
        let mut before: Option<Place> = None;
        let mut known = HashMap::new();
        for at in 0..bytes.len() {
            let pair = pair(bytes[at], bytes.get(at + 1).copied().unwrap_or(b' '));
            let may_start = self.starts[pair / 64] >> (pair % 64) & 1 == 1;
            if !may_start || !text.is_char_boundary(at) || !can_start(text, at) {
                continue;
            }
            if let Some((length, word)) = self.term_at(analyzer, &text[at..], &mut known)
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
    ///
    /// A page says the same words again and again: what was read once is in `known`.
    fn term_at<'t>(
        &self,
        analyzer: &Analyzer,
        text: &'t str,
        known: &mut HashMap<&'t str, Option<(usize, usize)>>,
    ) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let ascii = bytes[0].is_ascii();
        // A stem may end in another letter than its word, but starts like it, as far as no letter is folded.
        let likely = |term: &str| {
            let shared = (term.len() - 1).clamp(1, 3).min(bytes.len());
            let plain = bytes[..shared].iter().take_while(|byte| byte.is_ascii());
            plain
                .zip(term.as_bytes())
                .all(|(here, wanted)| here.eq_ignore_ascii_case(wanted))
        };
        if !self.terms.iter().any(|term| likely(term.plain)) {
            return None;
        }
        if let Some(term) = self
            .terms
            .iter()
            .find(|term| !ascii && text.starts_with(term.whole))
        {
            return Some((term.plain.len(), term.word));
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
                            .find(|wanted| wanted.whole == term)
                            .map(|wanted| (token.text.len(), wanted.word));
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
}
