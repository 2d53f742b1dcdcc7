//! Words near a word that occurs nowhere: one or two edits away, or longer with the same start.

use artifact::format::Index;
use artifact::text::{Analyzer, unmarked};
use fst::raw::{Fst, Node};
use fst::{Automaton, IntoStreamer, Streamer};

/// Near spellings that are looked for at most.
const MOST: usize = 8;
/// Words that are walked for a completion before the walk ends.
const MOST_WALKED: usize = 4_096;

/// A word of the index, its value in the fst, and in how many documents it stands.
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
    let mark = &term.as_bytes()[..term.len() - word.len()];
    let letters = word.chars().count();
    // A short word is near to too many others, and a number is near to other numbers only by accident.
    if letters < 4 || word.len() > 40 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let fst = index.terms().as_fst();
    let (mut start, mut value) = (fst.root(), 0);
    for byte in mark {
        let Some(next) = start.find_input(*byte).map(|at| start.transition(at)) else {
            return Vec::new();
        };
        value += next.out.value();
        start = fst.node(next.addr);
    }
    let within = |left: u8, free_from: usize| {
        let (mut path, mut found) = (mark.to_vec(), Vec::new());
        let edits = Edits { left, free_from };
        walk(
            fst,
            start,
            value,
            word.as_bytes(),
            edits,
            &mut path,
            &mut found,
        );
        found
    };
    let mut found = within(1, 0);
    if found.is_empty() && letters >= 6 {
        found = within(2, 1);
    }
    best(index, found)
}

/// Longer words that start with the word, among those with the mark.
pub(super) fn completions(index: &Index, mark: Option<char>, word: &str) -> Vec<Near> {
    if word.chars().count() < 3 {
        return Vec::new();
    }
    let start: String = mark.into_iter().chain(word.chars()).collect();
    let mut stream = index
        .terms()
        .search(fst::automaton::Str::new(&start).starts_with())
        .into_stream();
    let mut found = Vec::new();
    while let Some((term, value)) = stream.next() {
        found.push((term.to_vec(), value));
        if found.len() == MOST_WALKED {
            break;
        }
    }
    best(index, found)
}

/// Words whose start the word is, though their stems are shorter than it: `delegat` of `delegation`, whose stem is `deleg`.
///
/// The usual endings of the language are put behind the word, and the stems of what comes out are looked up: some hundred stems, 10 µs.
pub(super) fn inflections(index: &Index, analyzer: &Analyzer, word: &str) -> Vec<Near> {
    if word.chars().count() < 3 || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let mut found = Vec::new();
    analyzer.stems_of_start(word, |stem| {
        if let Some(value) = index.terms().get(stem) {
            found.push((stem.as_bytes().to_vec(), value));
        }
    });
    best(index, found)
}

/// Words that differ by a slip in their ending, which their stems are without.
pub(super) fn slips(index: &Index, analyzer: &Analyzer, word: &str) -> Vec<Near> {
    let mut found = Vec::new();
    analyzer.stems_of_slips(word, |stem| {
        if let Some(value) = index.terms().get(stem) {
            found.push((stem.as_bytes().to_vec(), value));
        }
    });
    best(index, found)
}

/// The most frequent of the words found, each once.
fn best(index: &Index, mut found: Vec<(Vec<u8>, u64)>) -> Vec<Near> {
    found.sort();
    found.dedup();
    let mut words: Vec<Near> = found
        .into_iter()
        .filter_map(|(term, value)| {
            let documents = index.list(index.term_of(value)?)?.len();
            Some(Near {
                term: String::from_utf8(term).ok()?,
                value,
                documents,
            })
        })
        .collect();
    most_frequent(&mut words);
    words
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

#[derive(Clone, Copy)]
struct Edits {
    left: u8,
    /// Bytes of the word, counted from here, that must agree before the first edit.
    free_from: usize,
}

/// Follows the word through the fst, spending edits where they are left.
fn walk<'f>(
    fst: &'f Fst<&[u8]>,
    node: Node<'f>,
    value: u64,
    word: &[u8],
    edits: Edits,
    path: &mut Vec<u8>,
    found: &mut Vec<(Vec<u8>, u64)>,
) {
    if edits.left > 0 && edits.free_from == 0 {
        let spent = Edits {
            left: edits.left - 1,
            free_from: 0,
        };
        // What lies behind a mark is of another language.
        for transition in node.transitions().filter(|next| next.inp >= b' ') {
            let (next, value) = (fst.node(transition.addr), value + transition.out.value());
            path.push(transition.inp);
            // Added, and changed.
            walk(fst, next, value, word, spent, path, found);
            if let Some((first, rest)) = word.split_first()
                && *first != transition.inp
            {
                walk(
                    fst,
                    fst.node(transition.addr),
                    value,
                    rest,
                    spent,
                    path,
                    found,
                );
            }
            path.pop();
        }
        // Left out.
        if let Some((_, rest)) = word.split_first() {
            walk(fst, node, value, rest, spent, path, found);
        }
        // Swapped.
        if let [first, second, rest @ ..] = word
            && first != second
            && let Some(one) = node.find_input(*second).map(|at| node.transition(at))
        {
            let middle = fst.node(one.addr);
            if let Some(two) = middle.find_input(*first).map(|at| middle.transition(at)) {
                path.extend([*second, *first]);
                let value = value + one.out.value() + two.out.value();
                walk(fst, fst.node(two.addr), value, rest, spent, path, found);
                path.truncate(path.len() - 2);
            }
        }
    }
    match word.split_first() {
        None if node.is_final() => found.push((path.clone(), value + node.final_output().value())),
        None => {}
        Some((first, rest)) => {
            if let Some(transition) = node.find_input(*first).map(|at| node.transition(at)) {
                path.push(*first);
                let edits = Edits {
                    free_from: edits.free_from.saturating_sub(1),
                    ..edits
                };
                walk(
                    fst,
                    fst.node(transition.addr),
                    value + transition.out.value(),
                    rest,
                    edits,
                    path,
                    found,
                );
                path.pop();
            }
        }
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
