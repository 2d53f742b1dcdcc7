//! From what was asked to the words that are looked for.

use super::analyzer::fold;
use super::{Analyzers, Language, Shape, Token, tokens};

/// One word of a query, with the terms that stand for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as it was written.
    pub written: String,
    /// The terms of the word as a whole, one for each language that reads it in its own way, the site's first. Any of them is the word. Empty
    /// for a run of an unspaced script.
    pub wholes: Vec<String>,
    /// Its parts: of an identifier, of a dotted name, of a run; each with its terms as languages read it. Empty for a plain word.
    pub parts: Vec<Vec<String>>,
    /// What it looks like.
    pub shape: Shape,
    /// The word folded but not stemmed: what near spellings and longer words are compared with.
    pub folded: String,
    /// Whether it stands in quotation marks alone: nothing else is looked for in its place.
    pub quoted: bool,
}

impl Word {
    /// Whether it is a run of an unspaced script: all its parts must stand in a document before any of them alone is tried.
    pub fn is_run(&self) -> bool {
        self.shape == Shape::Run
    }

    /// Whether it is an identifier of several words: `tool_call`, `getUser`.
    pub fn is_identifier(&self) -> bool {
        self.shape == Shape::Word && self.parts.len() > 1
    }
}

/// Words between quotation marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    /// What stands between the marks.
    pub text: String,
    /// Its words, as places in [`Query::words`].
    pub words: Vec<usize>,
    /// Each of them as it is written here.
    pub written: Vec<String>,
}

/// A query, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The words that are looked for, in order, each once.
    pub words: Vec<Word>,
    /// Function words that were left out because others remain.
    pub left_out: Vec<String>,
    /// What stands between quotation marks: words that prefer to stand together, or, in a query of nothing else, one word that prefers to
    /// stand as it is written.
    pub phrases: Vec<Phrase>,
    /// The terms of the whole text in order, function words included and parts of identifiers not: what the title of that
    /// text would start with. One list for each language that reads the text in its own way, the site's first.
    pub lines: Vec<Vec<String>>,
}

/// More words than this are not looked for: a page pasted as a query is not a question.
const MOST_WORDS: usize = 32;

impl Query {
    /// Reads what was asked, in each language. No character has a meaning beyond being text, but for paired double quotation marks.
    pub fn read(analyzers: &Analyzers, text: &str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut positions: Vec<(Token, usize)> = Vec::new();
        // Tokens of a compound's parts come behind it; they belong to it and are no words of their own.
        let mut inside = 0;
        let mut lines = vec![Vec::new(); analyzers.all().len()];
        tokens(text, |token| {
            let mut wholes: Vec<String> = Vec::new();
            for (line, analyzer) in lines.iter_mut().zip(analyzers.all()) {
                match token.shape {
                    Shape::Compound => {}
                    Shape::Run => analyzer.parts(&token, |term| line.push(term.to_owned())),
                    Shape::Word | Shape::Symbol | Shape::Operator => {
                        analyzer.whole(&token, |term| {
                            push_new(&mut wholes, term);
                            line.push(term.to_owned());
                        });
                    }
                }
            }
            if token.shape == Shape::Compound {
                inside = token.start + token.text.len();
                let word = compound(analyzers, &token);
                positions.push((token, place(&mut words, word)));
            } else if token.start >= inside {
                let word = plain(analyzers, &token, wholes);
                if !word.wholes.is_empty() || !word.parts.is_empty() {
                    positions.push((token, place(&mut words, word)));
                }
            }
        });
        lines.dedup();
        let mut query = Query {
            words,
            lines,
            ..Query::default()
        };
        query.find_phrases(text, &positions);
        query.leave_out_function_words(analyzers);
        query.words.truncate(MOST_WORDS);
        let count = query.words.len();
        query.phrases.retain(|phrase| {
            !phrase.words.is_empty() && phrase.words.iter().all(|word| *word < count)
        });
        for phrase in &query.phrases {
            if let [word] = *phrase.words {
                query.words[word].quoted = true;
            }
        }
        // A word that an error message quotes is one word among others; alone it is what is asked for.
        let all_quoted = (0..count)
            .all(|word| (query.phrases.iter()).any(|phrase| phrase.words.contains(&word)));
        query
            .phrases
            .retain(|phrase| phrase.words.len() > 1 || all_quoted);
        query
    }

    fn find_phrases(&mut self, text: &str, positions: &[(Token, usize)]) {
        let mut at = 0;
        while let Some((open, mark)) = text[at..].char_indices().find(|(_, c)| is_mark(*c)) {
            let start = at + open + mark.len_utf8();
            at = start;
            let Some(length) = text[start..].find(closing(mark)) else {
                continue;
            };
            let end = start + length;
            at = end + text[end..].chars().next().map_or(0, char::len_utf8);
            let within = positions
                .iter()
                .filter(|(token, _)| (start..end).contains(&token.start));
            let (words, written) = within
                .map(|(token, word)| (*word, token.text.to_owned()))
                .unzip();
            self.phrases.push(Phrase {
                text: text[start..end].trim().to_owned(),
                words,
                written,
            });
        }
    }

    /// The language that the text seems to be in: the site's, unless two words or more, and more of them, say another one.
    fn language(&self, analyzers: &Analyzers) -> Language {
        let said_in = |language: Language| {
            let words = self.words.iter();
            words
                .filter(|word| language.is_function_word(&word.folded))
                .count()
        };
        let site = analyzers.of(0).language();
        let others = analyzers.all()[1..]
            .iter()
            .map(|analyzer| analyzer.language());
        let mut language = (site, said_in(site).max(1));
        for other in others
            .chain([Language::ENGLISH])
            .filter(|other| *other != site)
        {
            let said = said_in(other);
            if said > language.1 {
                language = (other, said);
            }
        }
        language.0
    }

    fn leave_out_function_words(&mut self, analyzers: &Analyzers) {
        let language = self.language(analyzers);
        let quoted = |index: usize| {
            self.phrases
                .iter()
                .any(|phrase| phrase.words.contains(&index))
        };
        let kept: Vec<bool> = self
            .words
            .iter()
            .enumerate()
            .map(|(index, word)| {
                let is_dash = matches!(&*word.written, "--" | "..." | "..");
                quoted(index) || !(is_dash || language.is_function_word(&word.folded))
            })
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
            .flat_map(|phrase| &mut phrase.words)
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

/// Whether a character is a double quotation mark, of any of the usual kinds. A single one may be an apostrophe.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '«' | '»' | '「' | '『'
    )
}

/// What closes a quotation that a mark opens. The marks that look alike close each other, since languages disagree about them.
fn closing(mark: char) -> &'static [char] {
    match mark {
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        _ => &['"', '\u{201c}', '\u{201d}'],
    }
}

/// The place of `word` among `words`, where it is added when it is new. What some language reads as one word is one word.
fn place(words: &mut Vec<Word>, word: Word) -> usize {
    let same = |other: &Word| {
        let shared = || word.wholes.iter().any(|term| other.wholes.contains(term));
        other.parts == word.parts && (other.wholes == word.wholes || shared())
    };
    let Some(place) = words.iter().position(same) else {
        words.push(word);
        return words.len() - 1;
    };
    for term in &word.wholes {
        push_new(&mut words[place].wholes, term);
    }
    place
}

fn plain(analyzers: &Analyzers, token: &Token, wholes: Vec<String>) -> Word {
    let mut word = empty(token);
    word.wholes = wholes;
    for analyzer in analyzers.all() {
        let mut place = 0;
        analyzer.parts(token, |term| push_part(&mut word.parts, &mut place, term));
    }
    word.parts = each_once(word.parts);
    word
}

fn compound(analyzers: &Analyzers, token: &Token) -> Word {
    let mut word = empty(token);
    let inner = token.text.trim_start_matches(['.', '-', '@', '#']);
    for analyzer in analyzers.all() {
        analyzer.index_terms(token, |term| push_new(&mut word.wholes, term));
        let mut place = 0;
        tokens(inner, |part| {
            if part.shape != Shape::Compound {
                analyzer.index_terms(&part, |term| push_part(&mut word.parts, &mut place, term));
            }
        });
    }
    word.parts = each_once(word.parts);
    word
}

/// Adds a language's reading of the part at `place`. Every language cuts the same parts in the same order.
fn push_part(parts: &mut Vec<Vec<String>>, place: &mut usize, term: &str) {
    if parts.len() == *place {
        parts.push(Vec::new());
    }
    push_new(&mut parts[*place], term);
    *place += 1;
}

fn each_once(parts: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let mut each: Vec<Vec<String>> = Vec::with_capacity(parts.len());
    for part in parts {
        if !each.contains(&part) {
            each.push(part);
        }
    }
    each
}

fn empty(token: &Token) -> Word {
    Word {
        written: token.text.to_owned(),
        wholes: Vec::new(),
        parts: Vec::new(),
        shape: token.shape,
        folded: fold(token.text).into_owned(),
        quoted: false,
    }
}

fn push_new(terms: &mut Vec<String>, term: &str) {
    if !terms.iter().any(|other| other == term) {
        terms.push(term.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Query {
        Query::read(&Analyzers::new(Language::ENGLISH, []), text)
    }

    fn wholes(query: &Query) -> Vec<&str> {
        query
            .words
            .iter()
            .map(|word| word.wholes.first().map_or("-", |term| term))
            .collect()
    }

    #[test]
    fn function_words_go_only_when_others_remain() {
        let query = read("how do I manage a user");
        assert_eq!(wholes(&query), ["manag", "user"]);
        assert_eq!(query.left_out, ["how", "do", "I", "a"]);
        assert_eq!(wholes(&read("this")), ["this"]);
        assert_eq!(wholes(&read("the the")), ["the"]);
        // Signs that stand between words say nothing; alone they are asked for.
        assert_eq!(
            wholes(&read("spread ... operator -- how")),
            ["spread", "oper"]
        );
        assert_eq!(wholes(&read("...")), ["..."]);
        assert_eq!(wholes(&read("what is =>")), ["=>"]);
    }

    #[test]
    fn nothing_is_an_operator() {
        assert_eq!(
            wholes(&read("title:x OR -flag NOT (y)")),
            ["titl", "x", "flag", "not", "y"]
        );
        assert_eq!(wholes(&read("C++ c#")), ["c++", "c#"]);
        assert_eq!(read("\u{0} \" + # ()").words, []);
    }

    #[test]
    fn a_name_is_asked_whole_with_its_parts_in_reserve() {
        let query = read("node.js getElementById");
        assert_eq!(wholes(&query), ["node.js", "getelementbyid"]);
        assert_eq!(query.words[0].parts, [["node"], ["js"]]);
        assert_eq!(query.words[1].parts, [["get"], ["element"], ["by"], ["id"]]);
    }

    #[test]
    fn a_run_is_all_its_pairs() {
        let query = read("인증아키텍처 jwt");
        assert_eq!(
            query.words[0].parts,
            [["인증"], ["증아"], ["아키"], ["키텍"], ["텍처"]]
        );
        assert!(query.words[0].is_run() && query.words[0].wholes.is_empty());
    }

    #[test]
    fn quoted_words_are_remembered_as_a_phrase() {
        let query = read("find \"state of the art\" now");
        assert_eq!(wholes(&query), ["find", "state", "of", "the", "art", "now"]);
        assert_eq!(query.phrases.len(), 1);
        assert_eq!(query.phrases[0].words, [1, 2, 3, 4]);
        assert_eq!(query.phrases[0].text, "state of the art");
        assert_eq!(read("one \" open").phrases, []);
        assert_eq!(read("\"\" \"?\"").phrases, []);
    }

    #[test]
    fn quotation_marks_of_many_kinds_are_paired() {
        for text in [
            "“cold start” now",
            "„cold start“ now",
            "”cold start” now",
            "«cold start» now",
            "»cold start« now",
            "「cold start」 now",
            "『cold start』 now",
            "“cold start\" now",
        ] {
            let query = read(text);
            assert_eq!(query.phrases.len(), 1, "{text}");
            assert_eq!(query.phrases[0].written, ["cold", "start"], "{text}");
            assert_eq!(query.words.len(), 3, "{text}");
        }
        assert_eq!(read("«a b» \"c d\"").phrases.len(), 2);
        assert_eq!(read("'cold start'").phrases, []);
        assert_eq!(read("「cold start").phrases, []);
    }

    #[test]
    fn a_quoted_word_is_meant_as_it_is() {
        let query = read("\"Caching\" \"the\"");
        assert_eq!(wholes(&query), ["cach", "the"]);
        assert_eq!(query.phrases[0].written, ["Caching"]);
        assert!(query.words[0].quoted && query.words[1].quoted);
        let query = read("missing property \"the\"");
        assert_eq!(wholes(&query), ["miss", "properti", "the"]);
        assert!(query.phrases.is_empty() && query.words[2].quoted);
        assert!(!read("\"cold start\"").words[0].quoted);
    }

    #[test]
    fn a_word_is_read_in_every_language_of_the_site() {
        let analyzers = Analyzers::new(Language::ENGLISH, [Language::of("de")]);
        let query = Query::read(&analyzers, "Häuser css");
        assert_eq!(query.words[0].wholes, ["hauser", "\u{3}haus"]);
        assert_eq!(query.words[1].wholes, ["css"]);
        let query = Query::read(&analyzers, "getUser walk walking");
        assert_eq!(
            query.words[0].parts,
            [vec!["get"], vec!["user", "\u{3}user"]]
        );
        assert_eq!(query.words[1].wholes, ["walk", "\u{3}walk", "\u{3}walking"]);
        assert_eq!(query.words.len(), 2);
        let query = Query::read(&analyzers, "Häuser css");
        assert_eq!(query.lines.len(), 2);
        assert_eq!(Query::read(&analyzers, "css").lines, [["css"]]);
    }

    #[test]
    fn function_words_are_those_of_the_language_asked_in() {
        let analyzers = Analyzers::new(Language::ENGLISH, [Language::of("de")]);
        let left_out = |text: &str| Query::read(&analyzers, text).left_out.join(" ");
        assert_eq!(
            left_out("Wie kann ich die Datei ändern"),
            "Wie kann ich die"
        );
        assert_eq!(left_out("how do I die in a game"), "how do I in a");
        // One word may be either: `die` is a verb on an English site.
        assert_eq!(left_out("die hard"), "");
        // English is understood on a site of another language.
        let french = Analyzers::new(Language::of("fr"), []);
        let query = Query::read(&french, "how do I build it");
        assert_eq!(query.left_out, ["how", "do", "I", "it"]);
        let query = Query::read(&french, "comment construire le site");
        assert_eq!(query.left_out, ["comment", "le"]);
    }
}
