//! Indexing one run of documents.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use artifact::format::LineKind;
use artifact::text::{Analyzer, Analyzers, Shape, Token, form, tokens};
use xxhash_rust::xxh3::xxh3_64;

use super::{FIELDS, TEXT};
use crate::assemble::NumberedPage;
use crate::site::Site;

/// How often a term stands in each field of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) document: u32,
    pub(super) fields: [u16; FIELDS],
}

/// A title, an alias or a heading: the run's numbers of its terms.
#[derive(Debug)]
pub(super) struct RunLine {
    pub(super) kind: LineKind,
    /// Whole words in order, then the parts of identifiers.
    pub(super) terms: Vec<u32>,
    /// How many of them are whole words.
    pub(super) whole: usize,
}

/// The index of a run. Terms are numbered in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) terms: Vec<Box<str>>,
    /// For each term, the documents of the run that hold it, ascending.
    pub(super) counts: Vec<Vec<Counts>>,
    /// For each document, how many terms each field has.
    pub(super) lengths: Vec<[u32; FIELDS]>,
    pub(super) lines: Vec<Vec<RunLine>>,
}

/// Indexes `documents`, of which the first has the number `first`. `folded` are the words whose forms are told apart.
pub(super) fn index(
    analyzers: &Analyzers,
    folded: &HashSet<String>,
    site: &Site,
    documents: &[&NumberedPage],
    first: u32,
) -> Run {
    let mut indexer = Indexer {
        analyzer: analyzers.of(0),
        folded,
        run: Run::default(),
        numbers: Numbers::default(),
        known: Numbers::default(),
        gives: Vec::new(),
    };
    let mut language = 0;
    for (place, page) in documents.iter().enumerate() {
        // What a token gives depends on the language; neighbours mostly share theirs.
        if page.language != language {
            language = page.language;
            indexer.analyzer = analyzers.of(language);
            indexer.known.clear();
            indexer.gives.clear();
        }
        indexer.document(site, page, first + place as u32);
    }
    indexer.run
}

struct Indexer<'a> {
    analyzer: &'a Analyzer,
    folded: &'a HashSet<String>,
    run: Run,
    numbers: Numbers,
    /// Tokens met before and where in `gives` their terms are: most of a text is words already seen. A token's text decides its shape.
    known: Numbers,
    gives: Vec<Known>,
}

/// A number for each of many texts.
type Numbers = HashMap<Box<str>, u32, BuildHasherDefault<TextHasher>>;

/// Hashes a text by xxh3: several times as fast as what the standard library has against texts that somebody chose to collide. Nobody but the
/// owner of a site chooses its words.
#[derive(Default)]
struct TextHasher(u64);

impl Hasher for TextHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= xxh3_64(bytes);
    }

    /// The byte behind a text, by which several in a row are told apart; here there is one.
    #[inline]
    fn write_u8(&mut self, _: u8) {}

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The numbers of a token's terms, and that of its form if that is told apart.
struct Known {
    terms: Box<[u32]>,
    form: Option<u32>,
}

impl Indexer<'_> {
    fn document(&mut self, site: &Site, page: &NumberedPage, document: u32) {
        self.run.lengths.push([0; FIELDS]);
        let mut lines = vec![self.line(LineKind::Title, &page.title, 0, document)];
        if let Some(description) = &page.description {
            self.field(description, 2, document);
        }
        if let Some(written) = page.written() {
            for alias in &written.aliases {
                lines.push(self.line(LineKind::Alias, alias, 3, document));
            }
            for tag in &written.tags {
                let tag = &site.tags[*tag];
                self.field(&tag.title, 4, document);
                if !tag.title.eq_ignore_ascii_case(&tag.slug) {
                    self.field(&tag.slug, 4, document);
                }
            }
        }
        let reading = page.reading();
        for heading in &reading.outline {
            lines.push(self.line(LineKind::Heading, &heading.text, 1, document));
        }
        self.field(&reading.text, TEXT, document);
        self.run.lines.push(lines);
    }

    fn line(&mut self, kind: LineKind, text: &str, field: usize, document: u32) -> RunLine {
        let (terms, whole) = self.field(text, field, document);
        RunLine { kind, terms, whole }
    }

    /// Counts the terms of one field's text and gives their numbers: whole words in order, then parts, and how many are whole.
    fn field(&mut self, text: &str, field: usize, document: u32) -> (Vec<u32>, usize) {
        let is_line = field != TEXT;
        let mut line = Vec::new();
        let mut parts = Vec::new();
        tokens(text, |token| {
            let place = match self.known.get(token.text) {
                Some(place) => *place,
                None => self.read(&token),
            };
            let Known {
                terms: numbers,
                form,
            } = &self.gives[place as usize];
            for number in numbers.iter().chain(form) {
                let counts = &mut self.run.counts[*number as usize];
                match counts.last_mut() {
                    Some(last) if last.document == document => {
                        last.fields[field] = last.fields[field].saturating_add(1);
                    }
                    _ => {
                        let mut fields = [0; FIELDS];
                        fields[field] = 1;
                        counts.push(Counts { document, fields });
                    }
                }
            }
            // Operators make no text longer: code would count as long.
            if token.shape != Shape::Operator
                && let Some(lengths) = self.run.lengths.last_mut()
            {
                lengths[field] += numbers.len() as u32;
            }
            if is_line {
                match token.shape {
                    // A compound's parts are tokens of their own.
                    Shape::Compound => {}
                    Shape::Run | Shape::Symbol | Shape::Operator => line.extend_from_slice(numbers),
                    Shape::Word => {
                        let (whole, rest) = numbers.split_at(numbers.len().min(1));
                        line.extend_from_slice(whole);
                        parts.extend_from_slice(rest);
                    }
                }
            }
        });
        let whole = line.len();
        line.append(&mut parts);
        (line, whole)
    }

    /// Remembers what a token gives that was not met before, and tells where.
    fn read(&mut self, token: &Token) -> u32 {
        let run = &mut self.run;
        let numbers = &mut self.numbers;
        let mut number = |term: &str| match numbers.get(term) {
            Some(number) => *number,
            None => {
                let number = run.terms.len() as u32;
                numbers.insert(Box::from(term), number);
                run.terms.push(Box::from(term));
                run.counts.push(Vec::new());
                number
            }
        };
        let mut terms = Vec::new();
        self.analyzer
            .index_terms(token, |term| terms.push(number(term)));
        let form = if token.shape == Shape::Word && !self.folded.is_empty() {
            form(token.text, |word| self.folded.contains(word)).map(|form| number(&form))
        } else {
            None
        };
        let place = self.gives.len() as u32;
        self.known.insert(Box::from(token.text), place);
        self.gives.push(Known {
            terms: terms.into_boxed_slice(),
            form,
        });
        place
    }
}
