//! Quoted words: which documents hold them as a phrase, and where.
//!
//! The index knows which documents hold all words of a phrase in the fields asked for, not where in the text. So those documents are read,
//! best first by their words, until [`ENOUGH`] hold the phrase or [`MOST_READ`] have been read; a document that holds it is a candidate
//! however low its words alone would rank it, and goes before those that do not.
//!
//! Two words stand together when nothing but spaces and signs is between them and no block ends there. They may be inflected as any word that is
//! looked for; the words as they are written go before that. A single word in quotation marks is held as it is written only, but for
//! its case.

use artifact::format::{Artifact, Error, Fields, Frame, PageId};
use artifact::text::{Analyzer, Analyzers, Query, is_unspaced, lower};
use serde::Deserialize;

use super::accumulate;
use super::rank::Asked;
use super::wanted::{Known, Wanted};
use crate::page::Pages;
use crate::page::text::{Starts, Text};

/// Documents that hold the phrase after which no more are read: as many as are ranked by all signals.
const ENOUGH: usize = 48;
/// Documents that are read for a phrase at most, some 10 µs each.
const MOST_READ: usize = 256;

/// How a phrase is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Held {
    /// Its words do not stand together.
    #[default]
    Not,
    /// By words of the same stems.
    Inflected,
    /// As it is written.
    AsWritten,
}

/// The quoted phrases of a query, ready to be looked for in many pages.
#[derive(Debug)]
pub(super) struct Phrases<'q> {
    phrases: Vec<Phrase<'q>>,
    within: Fields,
}

/// One phrase. Its steps are its words in order; a run of an unspaced script is all its pairs.
#[derive(Debug)]
struct Phrase<'q> {
    /// The number of the term at each step; a term that stands twice has one number.
    steps: Vec<usize>,
    /// What is written at each step, in lower case; `None` where every spelling is the same.
    written: Vec<Option<String>>,
    wanted: Wanted<'q>,
    /// The places of its words in the query.
    words: &'q [usize],
    text: &'q str,
}

/// Where phrases are looked for.
struct Shelf<'s> {
    artifact: &'s Artifact<'s>,
    analyzers: &'s Analyzers,
    pages: &'s Pages,
    within: Fields,
}

/// What came of looking for a phrase.
#[derive(Debug)]
pub(super) struct Looked {
    /// What is between the marks.
    text: String,
    /// Whether it is one word.
    alone: bool,
    /// Documents that hold the phrase.
    found: usize,
    /// Documents that were read.
    read: usize,
    /// Documents that hold all its words.
    of: usize,
}

/// A document that holds at least one phrase: its number and how each is held, added up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holder {
    pub(super) document: u32,
    pub(super) score: f32,
    pub(super) held: u8,
}

impl<'q> Phrases<'q> {
    /// The phrases of a query; `None` where there is none.
    pub(super) fn new(query: &'q Query, within: Fields) -> Option<Self> {
        let phrases: Vec<Phrase> = query
            .phrases
            .iter()
            .map(|phrase| Phrase::new(query, phrase))
            .collect();
        (!phrases.is_empty()).then_some(Self { phrases, within })
    }

    /// The documents that hold a phrase, and what came of each.
    ///
    /// # Errors
    /// [`Error::Damaged`] when a page cannot be read.
    pub(super) fn look(
        &self,
        artifact: &Artifact,
        asked: &Asked,
        analyzers: &Analyzers,
        pages: &Pages,
    ) -> Result<(Vec<Holder>, Vec<Looked>), Error> {
        let shelf = Shelf {
            artifact,
            analyzers,
            pages,
            within: self.within,
        };
        let Asked {
            resolved,
            sums,
            filter,
            weights,
            ..
        } = asked;
        let mut holders: Vec<Holder> = Vec::new();
        let mut told = Vec::new();
        let documents = artifact.pages().documents();
        let coverage = sums.coverage(weights);
        for phrase in &self.phrases {
            let mut known = Known::default();
            let mut looked = Looked {
                text: phrase.text.to_owned(),
                alone: phrase.words.len() == 1,
                found: 0,
                read: 0,
                of: 0,
            };
            let repaired = phrase.words.iter().any(|word| resolved.is_repaired(*word));
            if repaired && looked.alone {
                // That it occurs nowhere is told already.
                continue;
            }
            // What stands in for a word that occurs nowhere is not the word.
            if !repaired {
                let groups = phrase.words.iter().map(|word| &resolved.groups[*word]);
                let holding = accumulate::holding_all(documents, groups, self.within, filter);
                let mut likely: Vec<(f32, u32)> = Vec::new();
                sums.for_each(|document, score, parts| {
                    if holding[document as usize / 64] >> (document % 64) & 1 == 1 {
                        likely.push((coverage.of(score, parts), document));
                    }
                });
                likely.sort_unstable_by(|left, right| {
                    right
                        .0
                        .total_cmp(&left.0)
                        .then_with(|| left.1.cmp(&right.1))
                });
                looked.of = likely.len();
                for (score, document) in likely.into_iter().take(MOST_READ) {
                    if looked.found == ENOUGH {
                        break;
                    }
                    looked.read += 1;
                    let held = phrase.held_by(&shelf, document, &mut known)?;
                    if held == Held::Not {
                        continue;
                    }
                    looked.found += 1;
                    let held = held as u8;
                    match holders.iter_mut().find(|other| other.document == document) {
                        Some(holder) => holder.held += held,
                        None => holders.push(Holder {
                            document,
                            score,
                            held,
                        }),
                    }
                }
            }
            told.push(looked);
        }
        Ok((holders, told))
    }

    /// Where in a page's text a phrase stands, as it is written if it does so anywhere.
    pub(super) fn place(&self, text: &Text, analyzer: &Analyzer) -> Option<(usize, usize)> {
        let text = (text.plain(), text.starts());
        let find = |phrase: &Phrase| phrase.find(text, analyzer, &mut Known::default());
        let places = self.phrases.iter().map(find);
        let held = places.filter(|(held, _)| *held != Held::Not);
        held.max_by_key(|(held, _)| *held).map(|(_, place)| place)
    }
}

impl Looked {
    /// What an agent is told.
    pub(super) fn note(&self) -> String {
        let Self {
            text,
            found,
            read,
            of,
            ..
        } = self;
        let text = artifact::clean::one_line(text);
        let (stands, apart) = if self.alone {
            ("stands as it is written", "its other forms were looked for")
        } else {
            (
                "stands word by word",
                "its words were looked for one by one",
            )
        };
        let documents = if *found == 1 { "document" } else { "documents" };
        let come = if *found == 1 { "comes" } else { "come" };
        match (*found, read < of) {
            (0, false) => format!("`{text}` {stands} in no document searched: {apart}."),
            (0, true) => format!(
                "`{text}` {stands} in none of the {read} best of {of} documents that were read for it: {apart}."
            ),
            (_, false) => {
                format!("`{text}` {stands} in {found} {documents}, which {come} first.")
            }
            (ENOUGH.., true) => {
                format!("`{text}` {stands} in {found} documents and more, which come first.")
            }
            (_, true) => format!(
                "`{text}` {stands} in {found} of the {read} best of {of} documents that were read for it; they come first."
            ),
        }
    }
}

impl<'q> Phrase<'q> {
    fn new(query: &'q Query, phrase: &'q artifact::text::Phrase) -> Self {
        let mut known: Vec<&[String]> = Vec::new();
        let mut steps = Vec::new();
        let mut written = Vec::new();
        for (word, text) in phrase.words.iter().zip(&phrase.written) {
            let word = &query.words[*word];
            let terms: Vec<&[String]> = if word.is_run() {
                word.parts.iter().map(Vec::as_slice).collect()
            } else {
                vec![&word.wholes]
            };
            for term in terms {
                let number = known.iter().position(|other| *other == term);
                steps.push(number.unwrap_or(known.len()));
                if number.is_none() {
                    known.push(term);
                }
                written.push((!word.is_run()).then(|| lower(text)));
            }
        }
        let terms = known.iter().enumerate();
        let terms = terms.flat_map(|(number, step)| step.iter().map(move |term| (&**term, number)));
        Self {
            wanted: Wanted::of(terms.collect(), vec![1; known.len()]),
            steps,
            written,
            words: &phrase.words,
            text: &phrase.text,
        }
    }

    /// How a document holds the phrase in the fields asked for.
    fn held_by(&self, shelf: &Shelf, document: PageId, known: &mut Known) -> Result<Held, Error> {
        let Shelf {
            artifact, within, ..
        } = *shelf;
        let language = artifact.pages().language(document);
        let analyzer = shelf.analyzers.of(language);
        let known = known.of(language);
        let mut best = Held::Not;
        let mut look = |text: &str, starts: &Starts| {
            if best != Held::AsWritten {
                best = best.max(self.find((text, starts), analyzer, known).0);
            }
        };
        if within.meets(Fields::TITLE) {
            let title = artifact.title(document);
            look(title, &Starts::of(title));
        }
        if within.meets(Fields::TAGS) {
            for tag in artifact.tags().of_page(document) {
                if let Some(tag) = artifact.tags().get(tag) {
                    look(tag.title, &Starts::of(tag.title));
                    look(tag.slug, &Starts::of(tag.slug));
                }
            }
        }
        let page = shelf.pages.get(artifact, document)?;
        if within.meets(Fields::DESCRIPTION) || within.meets(Fields::ALIASES) {
            let row = Row::of(page.frame());
            if within.meets(Fields::DESCRIPTION) {
                look(&row.description, &Starts::of(&row.description));
            }
            if within.meets(Fields::ALIASES) {
                let aliases = row.aliases.iter();
                aliases.for_each(|alias| look(alias, &Starts::of(alias)));
            }
        }
        if within.meets(Fields::BODY) {
            let text = shelf.pages.text(artifact, document, &page);
            look(text.title(), &Starts::of(text.title()));
            look(text.plain(), text.starts());
        }
        Ok(best)
    }

    /// How a text holds the phrase, and where.
    fn find(
        &self,
        (text, starts): (&str, &Starts),
        analyzer: &Analyzer,
        known: &mut Known,
    ) -> (Held, (usize, usize)) {
        // Phrases that have begun: the next step of each, where it began and ended, and whether it is as written so far.
        let mut begun: Vec<(usize, usize, usize, bool)> = Vec::new();
        let mut best = (Held::Not, (0, 0));
        let places = (text, starts);
        self.wanted.visit_places(analyzer, places, known, |place| {
            let here = &text[place.start..place.end];
            begun.retain(|(_, _, end, _)| {
                !text[(*end).min(place.start)..place.start]
                    .contains(|c: char| c == '\n' || c.is_alphanumeric())
            });
            let mut next: Vec<(usize, usize, usize, bool)> = Vec::new();
            let as_written = |step: usize| {
                let written = self.written[step].as_ref();
                written.is_none_or(|written| lower(here) == *written)
            };
            for (step, start, end, so_far) in &begun {
                // The pairs of a run overlap; words do not.
                if self.steps[*step] == place.word
                    && (place.start >= *end || here.starts_with(is_unspaced))
                {
                    next.push((step + 1, *start, place.end, *so_far && as_written(*step)));
                }
            }
            if self.steps[0] == place.word {
                next.push((1, place.start, place.end, as_written(0)));
            }
            for (_, start, end, as_written) in
                next.iter().filter(|(step, ..)| *step == self.steps.len())
            {
                // A single word is meant as it is, and not as a part of a name.
                let alone = self.steps.len() == 1 && self.written[0].is_some();
                let is_part = || {
                    let before = text[..*start].chars().next_back();
                    before.is_some_and(|c| c == '_' || c.is_alphanumeric())
                };
                let held = match as_written {
                    _ if alone && (!as_written || is_part()) => Held::Not,
                    true => Held::AsWritten,
                    false => Held::Inflected,
                };
                if held > best.0 {
                    best = (held, (*start, *end));
                }
            }
            next.retain(|(step, ..)| *step < self.steps.len());
            begun.append(&mut next);
            best.0 == Held::AsWritten
        });
        best
    }
}

/// What of a page's row a phrase may stand in.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Row {
    description: String,
    aliases: Vec<String>,
}

impl Row {
    /// A row that cannot be read holds no phrase.
    fn of(frame: &Frame) -> Self {
        serde_json::from_str(frame.row()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use artifact::text::Language;

    use super::*;

    fn held(text: &str, phrase: &str) -> Held {
        let analyzers = Analyzers::new(Language::ENGLISH, []);
        let query = Query::read(&analyzers, phrase);
        let phrases = Phrases::new(&query, Fields::ALL).expect("a phrase");
        let text = (text, &Starts::of(text));
        let known = &mut Known::default();
        phrases.phrases[0].find(text, analyzers.of(0), known).0
    }

    #[test]
    fn a_phrase_stands_word_by_word() {
        for (text, phrase) in [
            ("The cold  start: it takes time", "\"cold start\""),
            ("cold cold start", "\"cold start\""),
            ("COLD-START", "\"cold start\""),
            ("state of the *art*", "\"state of the art\""),
            ("the dog saw the cat", "\"the dog saw the cat\""),
            ("说明 JWT 检索系统", "\"JWT 检索系统\""),
        ] {
            assert_eq!(held(text, phrase), Held::AsWritten, "{text}");
        }
        for (text, phrase) in [
            ("cold and start", "\"cold start\""),
            ("start cold", "\"cold start\""),
            ("a cold", "\"cold start\""),
            ("cold\nstart", "\"cold start\""),
            ("检索系统 JWT", "\"JWT 检索系统\""),
            ("检索 系统", "\"检索系统\""),
        ] {
            assert_eq!(held(text, phrase), Held::Not, "{text}");
        }
    }

    #[test]
    fn words_as_they_are_written_go_before_other_forms() {
        assert_eq!(held("cold starts", "\"cold start\""), Held::Inflected);
        assert_eq!(
            held("cold starts, a cold start", "\"cold start\""),
            Held::AsWritten
        );
        assert_eq!(held("résumé fields", "\"resume field\""), Held::Inflected);
        assert_eq!(
            held("re\u{301}sume\u{301} field", "\"résumé field\""),
            Held::AsWritten
        );
    }

    #[test]
    fn a_single_word_is_meant_as_it_is() {
        assert_eq!(held("all caches", "\"cache\""), Held::Not);
        assert_eq!(held("all caches. Cache!", "\"cache\""), Held::AsWritten);
        assert_eq!(held("a resume", "\"résumé\""), Held::Not);
        assert_eq!(held("tool_call toolCall", "\"call\""), Held::Not);
        assert_eq!(held("检索系统", "\"索系\""), Held::AsWritten);
    }

    #[test]
    fn an_agent_is_told_what_was_read() {
        let note = |alone, found, read, of| {
            let text = "cold start".to_owned();
            Looked {
                text,
                alone,
                found,
                read,
                of,
            }
            .note()
        };
        assert_eq!(
            note(false, 3, 9, 9),
            "`cold start` stands word by word in 3 documents, which come first."
        );
        assert_eq!(
            note(false, 0, 0, 0),
            "`cold start` stands word by word in no document searched: its words were looked for one by one."
        );
        assert_eq!(
            note(false, 2, 256, 900),
            "`cold start` stands word by word in 2 of the 256 best of 900 documents that were read for it; they come first."
        );
        assert_eq!(
            note(false, 48, 60, 900),
            "`cold start` stands word by word in 48 documents and more, which come first."
        );
        assert_eq!(
            note(true, 0, 5, 5),
            "`cold start` stands as it is written in no document searched: its other forms were looked for."
        );
    }
}
