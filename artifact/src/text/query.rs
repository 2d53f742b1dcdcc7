//! From what was asked to the words that are looked for.

use super::analyzer::fold;
use super::{Analyzer, Shape, Token, tokens};

/// One word of a query, with the terms that stand for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as it was written.
    pub written: String,
    /// The term of the word as a whole; absent for a run of an unspaced script.
    pub whole: Option<String>,
    /// The terms of its parts: of an identifier, of a dotted name, of a run. Empty for a plain word.
    pub parts: Vec<String>,
    /// Whether all parts must stand in a document before any of them alone is tried: a run of an unspaced script.
    pub run: bool,
    /// The word folded but not stemmed: what near spellings and longer words are compared with.
    pub folded: String,
}

/// A query, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The words that are looked for, in order, each once.
    pub words: Vec<Word>,
    /// Function words that were left out because others remain.
    pub left_out: Vec<String>,
    /// The words between quotation marks, as places in `words`: they prefer to stand together.
    pub phrases: Vec<Vec<usize>>,
    /// The terms of the whole text in order, function words included and parts of identifiers not: what the title of that
    /// text would start with.
    pub line: Vec<String>,
}

/// More words than this are not looked for: a page pasted as a query is not a question.
const MOST_WORDS: usize = 32;

impl Query {
    /// Reads what was asked. No character has a meaning beyond being text, but for paired double quotation marks.
    pub fn read(analyzer: &Analyzer, text: &str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut positions: Vec<(usize, usize)> = Vec::new();
        // Tokens of a compound's parts come behind it; they belong to it and are no words of their own.
        let mut inside = 0;
        let mut line = Vec::new();
        tokens(text, |token| {
            match token.shape {
                Shape::Compound => {}
                Shape::Run => analyzer.parts(&token, |term| line.push(term.to_owned())),
                Shape::Word | Shape::Symbol => {
                    analyzer.whole(&token, |term| line.push(term.to_owned()))
                }
            }
            if token.shape == Shape::Compound {
                inside = token.start + token.text.len();
                let word = compound(analyzer, &token);
                positions.push((token.start, place(&mut words, word)));
            } else if token.start >= inside {
                let word = plain(analyzer, &token);
                if word.whole.is_some() || !word.parts.is_empty() {
                    positions.push((token.start, place(&mut words, word)));
                }
            }
        });
        let mut query = Query {
            words,
            line,
            ..Query::default()
        };
        query.find_phrases(text, &positions);
        query.leave_out_function_words();
        query.words.truncate(MOST_WORDS);
        let count = query.words.len();
        query
            .phrases
            .retain(|phrase| phrase.len() > 1 && phrase.iter().all(|word| *word < count));
        query
    }

    fn find_phrases(&mut self, text: &str, positions: &[(usize, usize)]) {
        let mut marks = text
            .char_indices()
            .filter(|(_, c)| matches!(c, '"' | '\u{201c}' | '\u{201d}'))
            .map(|(at, _)| at);
        while let (Some(open), Some(close)) = (marks.next(), marks.next()) {
            let within = positions
                .iter()
                .filter(|(at, _)| (open..close).contains(at))
                .map(|(_, word)| *word);
            self.phrases.push(within.collect());
        }
    }

    fn leave_out_function_words(&mut self) {
        let quoted = |index: usize| {
            self.phrases
                .iter()
                .any(|phrase| phrase.len() > 1 && phrase.contains(&index))
        };
        let kept: Vec<bool> = self
            .words
            .iter()
            .enumerate()
            .map(|(index, word)| quoted(index) || !is_function_word(&word.folded))
            .collect();
        if !kept.contains(&true) || !kept.contains(&false) {
            return;
        }
        let mut places = Vec::with_capacity(kept.len());
        let mut next = 0;
        for keep in &kept {
            places.push(next);
            next += usize::from(*keep);
        }
        self.phrases
            .iter_mut()
            .flatten()
            .for_each(|word| *word = places[*word]);
        let mut index = 0;
        let left_out = &mut self.left_out;
        self.words.retain(|word| {
            let keep = kept[index];
            index += 1;
            if !keep {
                left_out.push(word.written.clone());
            }
            keep
        });
    }
}

/// The place of `word` among `words`, where it is added when it is new.
fn place(words: &mut Vec<Word>, word: Word) -> usize {
    let same = |other: &Word| other.whole == word.whole && other.parts == word.parts;
    words.iter().position(same).unwrap_or_else(|| {
        words.push(word);
        words.len() - 1
    })
}

fn plain(analyzer: &Analyzer, token: &Token) -> Word {
    let mut word = empty(token);
    analyzer.whole(token, |term| word.whole = Some(term.to_owned()));
    analyzer.parts(token, |term| push_new(&mut word.parts, term));
    word
}

fn compound(analyzer: &Analyzer, token: &Token) -> Word {
    let mut word = empty(token);
    analyzer.whole(token, |term| word.whole = Some(term.to_owned()));
    let inner = token.text.trim_start_matches(['.', '-', '@']);
    tokens(inner, |part| {
        if part.shape != Shape::Compound {
            analyzer.index_terms(&part, |term| push_new(&mut word.parts, term));
        }
    });
    word
}

fn empty(token: &Token) -> Word {
    Word {
        written: token.text.to_owned(),
        whole: None,
        parts: Vec::new(),
        run: token.shape == Shape::Run,
        folded: fold(token.text),
    }
}

fn push_new(parts: &mut Vec<String>, term: &str) {
    if !parts.iter().any(|part| part == term) {
        parts.push(term.to_owned());
    }
}

/// Whether an English word says how a question is put rather than what it is about.
///
/// The list is short on purpose: a word that can be a subject (`just`, `after`, `not`) is not in it.
pub fn is_function_word(folded: &str) -> bool {
    const WORDS: &[&str] = &[
        "a", "am", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could",
        "did", "do", "does", "for", "from", "get", "had", "has", "have", "how", "i", "if", "in",
        "into", "is", "it", "its", "me", "my", "of", "on", "one", "or", "our", "s", "should", "so",
        "some", "t", "that", "the", "their", "them", "then", "there", "these", "they", "this",
        "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will",
        "with", "would", "you", "your",
    ];
    WORDS.binary_search(&folded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Query {
        Query::read(&Analyzer::new("en"), text)
    }

    fn wholes(query: &Query) -> Vec<&str> {
        query
            .words
            .iter()
            .map(|word| word.whole.as_deref().unwrap_or("-"))
            .collect()
    }

    #[test]
    fn function_words_go_only_when_others_remain() {
        let query = read("how do I manage a user");
        assert_eq!(wholes(&query), ["manag", "user"]);
        assert_eq!(query.left_out, ["how", "do", "I", "a"]);
        assert_eq!(wholes(&read("this")), ["this"]);
        assert_eq!(wholes(&read("the the")), ["the"]);
    }

    #[test]
    fn nothing_is_an_operator() {
        assert_eq!(
            wholes(&read("title:x OR -flag NOT (y)")),
            ["titl", "x", "flag", "not", "y"]
        );
        assert_eq!(wholes(&read("C++ c#")), ["c++", "c#"]);
        assert_eq!(read("\u{0} \" ++ ## ()").words, []);
    }

    #[test]
    fn a_name_is_asked_whole_with_its_parts_in_reserve() {
        let query = read("node.js getElementById");
        assert_eq!(wholes(&query), ["node.js", "getelementbyid"]);
        assert_eq!(query.words[0].parts, ["node", "js"]);
        assert_eq!(query.words[1].parts, ["get", "element", "by", "id"]);
    }

    #[test]
    fn a_run_is_all_its_pairs() {
        let query = read("인증아키텍처 jwt");
        assert_eq!(
            query.words[0].parts,
            ["인증", "증아", "아키", "키텍", "텍처"]
        );
        assert!(query.words[0].run && query.words[0].whole.is_none());
    }

    #[test]
    fn quoted_words_are_remembered_as_a_phrase() {
        let query = read("find \"state of the art\" now");
        assert_eq!(wholes(&query), ["find", "state", "of", "the", "art", "now"]);
        assert_eq!(query.phrases, [[1, 2, 3, 4]]);
        assert_eq!(read("one \" open").phrases, Vec::<Vec<usize>>::new());
    }

    #[test]
    fn the_list_of_function_words_is_sorted() {
        assert!(is_function_word("your") && is_function_word("a") && !is_function_word("just"));
    }
}
