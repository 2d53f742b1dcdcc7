//! The passage that answers: a few words around the words, and the heading they stand under.

use artifact::clean::one_line;
use artifact::text::Analyzer;

use super::phrase::Phrases;
use super::wanted::{Known, Place, WINDOW, Wanted, bit};
use crate::page::text::Text;

/// Characters of a snippet, the signs of omission included.
const MOST_CHARACTERS: usize = 240;
/// What the words of a heading count beside those of its text, and what being shown counts, as shares of what words weigh. Of those tried with
/// `tests/bench/sections.py` the ones that name most sections rightly.
const HEADING: f32 = 0.75;
const SHOWN: f32 = 0.1;

/// What is shown of a hit.
#[derive(Debug)]
pub(super) struct Passage {
    /// The number of the heading it stands under.
    pub(super) section: Option<usize>,
    /// Plain text on one line.
    pub(super) snippet: Option<String>,
}

/// Finds the passage of a page.
///
/// Quoted words that stand together are the passage wherever they stand.
pub(super) fn find(
    text: &Text,
    analyzer: &Analyzer,
    wanted: &Wanted,
    phrases: Option<&Phrases>,
    known: &mut Known,
) -> Passage {
    if let Some((start, end)) = phrases.and_then(|phrases| phrases.place(text, analyzer)) {
        return Passage {
            section: text.section_over(start),
            snippet: cut(text.plain(), start, end),
        };
    }
    let places = wanted.places(analyzer, text, known);
    let window = best_window(&places, wanted.weights());
    let headings = wanted.headings(analyzer, text, known);
    let (start, end) = match window {
        Some((first, last)) => (places[first].start, places[last].end),
        // The words stand in the title, the tags or the aliases alone: the page's beginning says most about it.
        None => (0, 0),
    };
    Passage {
        section: best_section(text, wanted, &places, window, headings),
        snippet: cut(text.plain(), start, end),
    }
}

/// The section that holds the most weight of different words, in its heading or its text. The words of a heading count once more by the share [`HEADING`], and
/// the section in which the best window begins, which is what the snippet shows, is ahead by the share [`SHOWN`] of all words. Of equals the one with the
/// shorter heading, then the first. `None` is what stands before the first heading.
fn best_section(
    text: &Text,
    wanted: &Wanted,
    places: &[Place],
    window: Option<(usize, usize)>,
    headings: Vec<(usize, u64)>,
) -> Option<usize> {
    struct Section {
        number: Option<usize>,
        heading: u64,
        held: u64,
    }
    let mut sections: Vec<Section> = headings
        .into_iter()
        .map(|(number, heading)| Section {
            number: Some(number),
            heading,
            held: heading,
        })
        .collect();
    // Places come in order, so that most are of the section of the one before.
    let mut last: Option<usize> = None;
    for place in places {
        let number = text.section_over(place.start);
        let at = last
            .filter(|at| sections[*at].number == number)
            .or_else(|| sections.iter().position(|other| other.number == number));
        let at = at.unwrap_or_else(|| {
            sections.push(Section {
                number,
                heading: 0,
                held: 0,
            });
            sections.len() - 1
        });
        sections[at].held |= bit(place.word);
        last = Some(at);
    }
    let shown = window.map(|(first, _)| text.section_over(places[first].start));
    let all = wanted.weights().iter().sum::<u32>() as f32;
    let score = |section: &Section| {
        let weigh = |set| wanted.weigh(set) as f32;
        let is_shown = shown == Some(section.number);
        weigh(section.held)
            + HEADING * weigh(section.heading)
            + if is_shown { SHOWN * all } else { 0.0 }
    };
    let length = |section: &Section| section.number.map_or(0, |number| text.line(number).len());
    let best = sections.iter().max_by(|left, right| {
        (score(left).total_cmp(&score(right)))
            .then_with(|| length(right).cmp(&length(left)))
            .then_with(|| right.number.cmp(&left.number))
    });
    best?.number
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

/// Plain text around `start..end`, cut at words, on one line, at most [`MOST_CHARACTERS`] long; none where there is no text.
fn cut(text: &str, start: usize, end: usize) -> Option<String> {
    // Twice the room on each side: white space and invisible characters go when the line is cleaned.
    let room = MOST_CHARACTERS.saturating_sub(text[start..end].chars().count());
    let before = back(text, start, room / 3);
    let after = forward(text, end, MOST_CHARACTERS * 2);
    let from = if before == 0 {
        0
    } else {
        word_start(text, before, start)
    };
    let piece = &text[from..after];
    let is_whole = after == text.len();
    if piece.is_ascii() && !piece.contains('&') {
        let line = cut_ascii(piece, from > 0, is_whole);
        return (!line.is_empty()).then_some(line);
    }
    let line = cut_line(decode(&one_line(piece)), from > 0, is_whole);
    // What was a character reference may be white space.
    (!line.is_empty()).then(|| one_line(&line).into_owned())
}

/// What stands before a line that does not begin where the text does, and behind one that does not end where it does.
const OMITTED_BEFORE: &str = "… ";
const OMITTED_BEHIND: &str = " …";
/// Characters of each.
const OMITTED: usize = 2;

/// Bounds a line that is clean but for its length.
fn cut_line(mut line: String, is_later: bool, is_whole: bool) -> String {
    if is_later {
        line.insert_str(0, OMITTED_BEFORE);
    }
    if is_whole && line.chars().count() <= MOST_CHARACTERS {
        return line;
    }
    match line.char_indices().nth(MOST_CHARACTERS - OMITTED) {
        Some((limit, _)) => end_at_word(line, limit),
        None => line + OMITTED_BEHIND,
    }
}

/// Cleans and bounds a piece of ASCII without character references, as [`one_line`] and [`cut_line`] do, but reads no more of it than is shown.
fn cut_ascii(piece: &str, is_later: bool, is_whole: bool) -> String {
    let before = if is_later { OMITTED_BEFORE } else { "" };
    // Bytes more than characters.
    let more = before.len() - before.chars().count();
    let mut line =
        Vec::with_capacity(MOST_CHARACTERS + OMITTED_BEFORE.len() + OMITTED_BEHIND.len());
    line.extend_from_slice(before.as_bytes());
    let (mut after_space, mut is_read) = (false, true);
    for byte in piece.bytes() {
        if is_space(byte) {
            after_space = line.len() > before.len();
            continue;
        }
        if line.len() - more > MOST_CHARACTERS {
            is_read = false;
            break;
        }
        if after_space {
            line.push(b' ');
            after_space = false;
        }
        line.push(byte);
    }
    let line = String::from_utf8(line).unwrap_or_default();
    let characters = line.len() - more;
    if is_whole && is_read && characters <= MOST_CHARACTERS {
        return line;
    }
    if characters <= MOST_CHARACTERS - OMITTED {
        return line + OMITTED_BEHIND;
    }
    end_at_word(line, MOST_CHARACTERS - OMITTED + more)
}

/// What becomes a space in a line of ASCII: white space and controls.
fn is_space(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

/// Cuts a line behind the last whole word before a byte, unless one word fills the line.
fn end_at_word(mut line: String, limit: usize) -> String {
    let words = line[..limit]
        .rfind(char::is_whitespace)
        .filter(|at| *at > limit / 2)
        .unwrap_or(limit);
    line.truncate(words);
    line.truncate(line.trim_end().len());
    line.push_str(OMITTED_BEHIND);
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

/// The place so many characters before another, or the start.
fn back(text: &str, from: usize, characters: usize) -> usize {
    let near = from.saturating_sub(characters);
    if text.as_bytes()[near..from].is_ascii() {
        return near;
    }
    text[..from]
        .char_indices()
        .rev()
        .take(characters)
        .last()
        .map_or(from, |(at, _)| at)
}

/// The place so many characters behind another, or the end.
fn forward(text: &str, from: usize, characters: usize) -> usize {
    let near = (from + characters).min(text.len());
    if text.as_bytes()[from..near].is_ascii() {
        return near;
    }
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
        let snippet = cut(&text, word_start(&text, at, at), at).expect("a snippet");
        assert!(snippet.chars().count() <= MOST_CHARACTERS, "{snippet}");
        assert!(
            snippet.starts_with("… Wörter") && snippet.ends_with("Wörter …"),
            "{snippet}"
        );
    }

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(cut("a  b\nc &lt;d&gt;", 0, 1).as_deref(), Some("a b c <d>"));
        assert_eq!(cut("", 0, 0), None);
    }

    #[test]
    fn one_endless_word_is_cut_on_a_character() {
        let text = "é’".repeat(400);
        let snippet = cut(&text, 0, 5).expect("a snippet");
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
    fn ascii_is_cut_as_any_text_is() {
        let words = [
            "a",
            "of",
            "\n",
            "word",
            "  ",
            "\t",
            "Something",
            "\u{1}",
            "-",
            "x".repeat(90).as_str(),
        ]
        .map(str::to_owned);
        let mut state = 7usize;
        for length in 0..400 {
            let mut text = String::new();
            for _ in 0..length {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                text.push_str(&words[(state >> 33) % words.len()]);
                if state >> 60 > 6 {
                    text.push(' ');
                }
            }
            for (is_later, is_whole) in [(false, false), (false, true), (true, false), (true, true)]
            {
                let expected = cut_line(one_line(&text).into_owned(), is_later, is_whole);
                let expected = one_line(&expected).into_owned();
                if !one_line(&text).is_empty() {
                    assert_eq!(cut_ascii(&text, is_later, is_whole), expected, "{text:?}");
                }
            }
        }
    }
}
