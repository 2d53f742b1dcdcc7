//! Words near a word that occurs nowhere: one or two edits away, or longer with the same start.

use artifact::format::{Index, Node, Way};
use artifact::text::{Analyzer, LONGEST_TERM, unmarked};

use super::related::term_of;

/// Near spellings that are looked for at most.
const MOST: usize = 8;
/// Words that are walked for a completion before the walk ends.
const MOST_WALKED: usize = 4_096;
/// Bytes of a term, its mark included; only damaged bytes have longer ones.
const LONGEST: usize = LONGEST_TERM + 4;
/// Places that one walk looks at before it ends; only damaged bytes have more.
const MOST_PLACES: usize = 1 << 20;

/// A word of the index, its value in the dictionary, and in how many documents it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Near {
    pub(super) term: String,
    pub(super) value: u64,
    pub(super) documents: u32,
}

/// Words one edit away; where there is none and the word is long enough, two edits away behind the same first letter.
///
/// An edit is a letter added, left out, changed, or swapped with its neighbour (optimal string alignment distance). Bytes are compared, so an edit of a
/// letter outside ASCII counts as two. A term with the mark of a language is near to terms of that language only.
pub(super) fn corrections(index: &Index, term: &str) -> Vec<Near> {
    let word = unmarked(term);
    let letters = word.chars().count();
    // A short word is near to too many others, and a number is near to other numbers only by accident.
    if letters < 4 || word.len() > 40 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let mut found = Found::new(index);
    let mark = term.len() - word.len();
    found.look_near(term.as_bytes(), mark, 1);
    if found.best.is_empty() && letters >= 6 {
        found.look_near(term.as_bytes(), mark + 1, 2);
    }
    found.best
}

/// Longer words that start with the word, among those with the mark.
pub(super) fn completions(index: &Index, mark: Option<char>, word: &str) -> Vec<Near> {
    if word.chars().count() < 3 {
        return Vec::new();
    }
    let start: String = mark.into_iter().chain(word.chars()).collect();
    let mut found = Found::new(index);
    if let Some(place) = found.start(start.as_bytes()) {
        found.look_below(place, &mut { MOST_WALKED });
    }
    found.best
}

/// Words whose start the word is, though their stems are shorter than it: `delegat` of `delegation`, whose stem is `deleg`.
///
/// The usual endings of the language are put behind the word, and the stems of what comes out are looked up: dozens of stems, 2 µs.
pub(super) fn inflections(index: &Index, analyzer: &Analyzer, word: &str) -> Vec<Near> {
    if word.chars().count() < 3 || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let mut found = Found::new(index);
    analyzer.stems_of_start(word, |stem| found.look_up(stem));
    found.best
}

/// Words that differ by a slip in their ending, which their stems are without.
pub(super) fn slips(index: &Index, analyzer: &Analyzer, word: &str) -> Vec<Near> {
    let mut found = Found::new(index);
    analyzer.stems_of_slips(word, |stem| found.look_up(stem));
    found.best
}

/// Words with a slip before their ending, which the right word loses and the wrong one does not: `delgate` of `delegate`, whose stem is `deleg`.
///
/// Each of the last few letters is taken for an ending; a term one edit from what is before it is meant when it is the stem of itself with that ending.
pub(super) fn slips_before_endings(index: &Index, analyzer: &Analyzer, word: &str) -> Vec<Near> {
    const LONGEST_ENDING: usize = 5;
    const SHORTEST_START: usize = 4;
    let mut all = Vec::new();
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return all;
    }
    let mark: String = analyzer.mark().into_iter().collect();
    for length in 1..=LONGEST_ENDING {
        let Some(end) = word.len().checked_sub(length) else {
            break;
        };
        if end < SHORTEST_START {
            break;
        }
        let (start, ending) = word.split_at(end);
        let mut found = Found::new(index);
        found.look_near(format!("{mark}{start}").as_bytes(), mark.len(), 1);
        found.best.retain(|near| {
            let whole = format!("{}{ending}", unmarked(&near.term));
            term_of(analyzer, &whole).is_some_and(|term| term == near.term)
        });
        all.append(&mut found.best);
    }
    all
}

/// Keeps as many words as are looked for, the most frequent first.
pub(super) fn most_frequent(words: &mut Vec<Near>) {
    words.sort_by(|left, right| {
        right
            .documents
            .cmp(&left.documents)
            .then_with(|| left.term.cmp(&right.term))
    });
    words.dedup();
    words.truncate(MOST);
}

/// A place in the dictionary, with the sum of the numbers on the way to it.
#[derive(Clone, Copy)]
struct Place<'a> {
    node: Node<'a>,
    number: u64,
}

/// A walk through the dictionary, and the most frequent of the words that it found.
struct Found<'i, 'a> {
    index: &'i Index<'a>,
    /// The bytes on the way to where it is.
    path: Vec<u8>,
    /// Places that may still be looked at.
    left: usize,
    best: Vec<Near>,
}

impl<'i, 'a> Found<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        Self {
            index,
            path: Vec::with_capacity(LONGEST),
            left: MOST_PLACES,
            best: Vec::new(),
        }
    }

    /// The place where all words are that start so.
    fn start(&mut self, bytes: &[u8]) -> Option<Place<'a>> {
        let node = self.index.terms().root();
        let mut place = Place { node, number: 0 };
        for byte in bytes {
            place = self.after(&place, &place.node.find(*byte)?);
        }
        self.path.clear();
        self.path.extend_from_slice(bytes);
        Some(place)
    }

    #[inline]
    fn after(&self, place: &Place<'a>, way: &Way) -> Place<'a> {
        Place {
            node: self.index.terms().follow(way),
            number: place.number.wrapping_add(way.adds),
        }
    }

    /// Looks at a place: a word that ends there is found. Says whether to go on from there.
    #[inline]
    fn look_at(&mut self, place: &Place<'a>, is_wanted: bool) -> bool {
        if is_wanted && let Some(end) = place.node.end() {
            self.add(place.number.wrapping_add(end));
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0 && self.path.len() < LONGEST
    }

    /// Takes the word that the walk is at into the best, when it is one of them.
    fn add(&mut self, value: u64) {
        let Some(documents) = self.index.frequency(value) else {
            return;
        };
        let Ok(term) = std::str::from_utf8(&self.path) else {
            return;
        };
        let place = self.best.partition_point(|other| {
            (other.documents > documents)
                || (other.documents == documents && other.term.as_str() < term)
        });
        if place < MOST {
            self.best.truncate(MOST - 1);
            let term = term.to_owned();
            let near = Near {
                term,
                value,
                documents,
            };
            self.best.insert(place, near);
        }
    }

    /// Finds a word, when there is one.
    fn look_up(&mut self, term: &str) {
        if let Some(value) = self.index.terms().get(term)
            && self.best.iter().all(|near| near.term != term)
        {
            self.path.clear();
            self.path.extend_from_slice(term.as_bytes());
            self.add(value);
        }
    }

    /// Finds the words below a place, in their order, until there are no more or `most` have been found.
    fn look_below(&mut self, place: Place<'a>, most: &mut usize) {
        *most -= usize::from(place.node.end().is_some());
        if !self.look_at(&place, true) {
            return;
        }
        for way in place.node.ways() {
            if *most == 0 {
                return;
            }
            self.path.push(way.byte);
            self.look_below(self.after(&place, &way), most);
            self.path.pop();
        }
    }

    /// Finds the words that are at most so many edits away from `term`, none of them among its first bytes.
    fn look_near(&mut self, term: &[u8], first: usize, edits: usize) {
        if let Some(place) = self.start(&term[..first]) {
            let spelling = Spelling::new(&term[first..], edits);
            let read = spelling.start();
            self.look_along(place, &spelling, read);
        }
    }

    fn look_along(&mut self, place: Place<'a>, spelling: &Spelling, read: Read) {
        if !self.look_at(&place, spelling.is_whole(&read)) {
            return;
        }
        let follow = |found: &mut Self, way: Way| {
            let read = spelling.after(&read, way.byte);
            if read != Read::default() {
                found.path.push(way.byte);
                found.look_along(found.after(&place, &way), spelling, read);
                found.path.pop();
            }
        };
        match spelling.only(&read) {
            // No edit is left anywhere: only letters of the word lead on.
            Some(mut letters) => {
                while letters != 0 {
                    let byte = spelling.word[letters.trailing_zeros() as usize];
                    letters &= !spelling.places[usize::from(byte)];
                    if let Some(way) = place.node.find(byte) {
                        follow(self, way);
                    }
                }
            }
            // What lies behind a control character is of another language, or no word at all.
            None => {
                let ways = place.node.ways().filter(|way| way.byte >= b' ');
                ways.for_each(|way| follow(self, way));
            }
        }
    }
}

/// A word that is followed with edits, all ways of reading it at once.
///
/// How far a word has been read is a bit: bit *n* when *n* of its bytes are read. The readings of a path are a set of such bits for each number of
/// edits that they took (Wu and Manber, "Fast text searching allowing errors", CACM 1992).
struct Spelling<'w> {
    word: &'w [u8],
    edits: usize,
    /// For each byte, where it stands in the word.
    places: [u64; 256],
    /// Where a byte and the next one differ, so that they can be swapped.
    swappable: u64,
}

/// The readings of a path.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Read {
    /// How far the word is read, for each number of edits. What fewer edits reach is left out.
    to: [u64; 3],
    /// The same for readings amid a swap: the second of two bytes has been read, and the first is to follow.
    amid: [u64; 3],
}

impl<'w> Spelling<'w> {
    /// `edits` is 1 or 2; the word has at most 62 bytes.
    fn new(word: &'w [u8], edits: usize) -> Self {
        let mut places = [0; 256];
        for (place, byte) in word.iter().enumerate() {
            places[usize::from(*byte)] |= 1 << place;
        }
        let pairs = word.windows(2).enumerate();
        let swappable = pairs.filter(|(_, pair)| pair[0] != pair[1]);
        Self {
            word,
            edits,
            places,
            swappable: swappable.fold(0, |places, (place, _)| places | 1 << place),
        }
    }

    /// All bits that there are.
    fn all(&self) -> u64 {
        (2 << self.word.len()) - 1
    }

    /// Nothing of the path is read; as many bytes of the word may be left out as there are edits.
    fn start(&self) -> Read {
        let mut read = Read::default();
        for edits in 0..=self.edits {
            read.to[edits] = (1 << edits) & self.all();
        }
        read
    }

    /// The readings when the path goes on with `byte`.
    #[inline]
    fn after(&self, read: &Read, byte: u8) -> Read {
        let places = self.places[usize::from(byte)];
        let mut after = Read::default();
        let mut fewer = 0;
        for edits in 0..=self.edits {
            let mut to = (read.to[edits] & places) << 1 | (read.amid[edits] & places) << 2;
            if let Some(before) = edits.checked_sub(1) {
                // Added; changed; left out behind what was read.
                to |= read.to[before] | read.to[before] << 1 | after.to[before] << 1;
                after.amid[edits] = read.to[before] & self.swappable & places >> 1;
            }
            after.to[edits] = to & self.all() & !fewer;
            fewer |= after.to[edits];
        }
        after
    }

    /// Whether the word is read to its end.
    #[inline]
    fn is_whole(&self, read: &Read) -> bool {
        (read.to[0] | read.to[1] | read.to[2]) >> self.word.len() != 0
    }

    /// The places in the word of the bytes that lead on, when no reading has an edit left.
    #[inline]
    fn only(&self, read: &Read) -> Option<u64> {
        let all_spent = (0..self.edits).all(|edits| read.to[edits] | read.amid[edits] == 0);
        all_spent.then_some((read.to[self.edits] | read.amid[self.edits]) & (self.all() >> 1))
    }
}

#[cfg(test)]
mod tests {
    use artifact::format::{Fields, Posting, PostingsWriter};

    use super::*;

    fn with_words(words: &[(&str, u32)], check: impl Fn(&Index)) {
        let mut writer = PostingsWriter::new(&[189; 10]);
        for (word, documents) in words {
            let postings: Vec<Posting> = (0..*documents)
                .map(|document| Posting {
                    document,
                    impact: 9,
                    fields: Fields::BODY,
                })
                .collect();
            writer.add(word, &postings).unwrap();
        }
        let written = writer.finish().unwrap();
        check(&Index::open(10, &written.terms, &written.postings).unwrap());
    }

    fn terms(near: Vec<Near>) -> Vec<String> {
        near.into_iter().map(|near| near.term).collect()
    }

    #[test]
    fn one_edit_of_each_kind_is_found() {
        with_words(&[("cache", 1), ("caches", 2), ("receive", 3)], |index| {
            assert_eq!(terms(corrections(index, "recieve")), ["receive"]);
            assert_eq!(terms(corrections(index, "cahe")), ["cache"]);
            assert_eq!(terms(corrections(index, "caache")), ["cache"]);
            assert_eq!(terms(corrections(index, "cachs")), ["caches", "cache"]);
        });
    }

    /// The words at most so many edits away, by the recurrence of the distance.
    fn near_by_hand(words: &[String], word: &str, most: usize) -> Vec<String> {
        let distance = |left: &[u8], right: &[u8]| {
            let mut rows = vec![vec![0usize; right.len() + 1]; left.len() + 1];
            for at in 0..=left.len() {
                for other in 0..=right.len() {
                    rows[at][other] = if at == 0 || other == 0 {
                        at + other
                    } else {
                        let changed = usize::from(left[at - 1] != right[other - 1]);
                        let mut best = (rows[at - 1][other - 1] + changed)
                            .min(rows[at - 1][other] + 1)
                            .min(rows[at][other - 1] + 1);
                        if at > 1
                            && other > 1
                            && left[at - 1] == right[other - 2]
                            && left[at - 2] == right[other - 1]
                        {
                            best = best.min(rows[at - 2][other - 2] + 1);
                        }
                        best
                    };
                }
            }
            rows[left.len()][right.len()]
        };
        let near = words
            .iter()
            .filter(|other| distance(other.as_bytes(), word.as_bytes()) <= most);
        near.cloned().collect()
    }

    #[test]
    fn what_is_near_is_what_a_distance_says() {
        // Words of three letters, so that many are near each other.
        let mut words: Vec<String> = (0..4_000u32)
            .map(|n| {
                let length = n.wrapping_mul(2_654_435_761) >> 28;
                let letter = |place| match n.wrapping_mul(0x9e37_79b1) >> (place * 3 % 29) & 3 {
                    0 => 'a',
                    1 => 'b',
                    _ => 'c',
                };
                (0..3 + length % 8).map(letter).collect()
            })
            .collect();
        words.sort();
        words.dedup();
        let frequent: Vec<(&str, u32)> = words.iter().map(|word| (word.as_str(), 1)).collect();
        with_words(&frequent, |index| {
            for word in ["abca", "aabbcc", "cabbac", "cccccccc", "bacabaca"] {
                for edits in [1, 2] {
                    let mut found = Found::new(index);
                    found.look_near(word.as_bytes(), 0, edits);
                    let mut expected = near_by_hand(&words, word, edits);
                    expected.truncate(MOST);
                    assert_eq!(terms(found.best), expected, "{word} {edits}");
                }
            }
        });
    }

    #[test]
    fn a_word_of_another_language_is_near_to_words_of_that_language_only() {
        with_words(&[("\u{3}haus", 2), ("haup", 1)], |index| {
            assert_eq!(terms(corrections(index, "haus")), ["haup"]);
            assert_eq!(terms(corrections(index, "\u{3}hauz")), ["\u{3}haus"]);
            assert_eq!(terms(corrections(index, "\u{3}haup")), ["\u{3}haus"]);
            assert_eq!(
                terms(completions(index, Some('\u{3}'), "hau")),
                ["\u{3}haus"]
            );
            assert_eq!(terms(completions(index, None, "hau")), ["haup"]);
        });
    }

    #[test]
    fn two_edits_need_a_long_word_with_the_same_first_letter() {
        with_words(&[("cube", 1), ("kubernetes", 1)], |index| {
            assert_eq!(terms(corrections(index, "kuberntse")), ["kubernetes"]);
            assert_eq!(terms(corrections(index, "cuberntse")), Vec::<String>::new());
            assert_eq!(terms(corrections(index, "kuba")), Vec::<String>::new());
            assert_eq!(terms(corrections(index, "cub")), Vec::<String>::new());
        });
    }

    #[test]
    fn a_start_is_completed_with_the_most_frequent_words_first() {
        with_words(
            &[("delegate", 1), ("delegation", 4), ("delete", 9)],
            |index| {
                assert_eq!(
                    terms(completions(index, None, "deleg")),
                    ["delegation", "delegate"]
                );
                assert_eq!(terms(completions(index, None, "de")), Vec::<String>::new());
            },
        );
    }
}
