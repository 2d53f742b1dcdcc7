//! Indexing one run of documents.

use std::collections::HashSet;

use artifact::format::LineKind;
use artifact::text::{Analyzer, Analyzers, Shape, Token, form, tokens};

use super::numbers::Numbers;
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
    counts: Vec<Counts>,
    /// Where the counts of each term end.
    ends: Vec<u32>,
    /// For each document, how many terms each field has.
    pub(super) lengths: Vec<[u32; FIELDS]>,
    pub(super) lines: Vec<Vec<RunLine>>,
}

impl Run {
    /// The documents of the run that hold a term, ascending.
    pub(super) fn counts(&self, term: u32) -> &[Counts] {
        let term = term as usize;
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.counts[start as usize..self.ends[term] as usize]
    }
}

/// The counts of a run while it is read, in the order in which they were met: documents ascend, terms do not.
#[derive(Default)]
struct Met {
    counts: Vec<Counts>,
    /// The term of each.
    terms: Vec<u32>,
    /// For each term, the place of its last count; of a term not met in any document, any place.
    last: Vec<u32>,
}

impl Met {
    /// Counts one more occurrence of a term.
    #[inline]
    fn count(&mut self, term: u32, field: usize, document: u32) {
        let last = self.last[term as usize] as usize;
        if self.terms.get(last) == Some(&term) && self.counts[last].document == document {
            let count = &mut self.counts[last].fields[field];
            *count = count.saturating_add(1);
            return;
        }
        let mut fields = [0; FIELDS];
        fields[field] = 1;
        self.last[term as usize] = self.counts.len() as u32;
        self.counts.push(Counts { document, fields });
        self.terms.push(term);
    }

    /// The counts by term, and where those of each term end.
    fn by_term(self) -> (Vec<Counts>, Vec<u32>) {
        let mut ends = self.last;
        ends.fill(0);
        for term in &self.terms {
            ends[*term as usize] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        // What is now the start of each term has moved to its end once all are put.
        let nothing = Counts {
            document: 0,
            fields: [0; FIELDS],
        };
        let mut sorted = vec![nothing; self.counts.len()];
        for (counts, term) in self.counts.iter().zip(&self.terms) {
            let place = &mut ends[*term as usize];
            sorted[*place as usize] = *counts;
            *place += 1;
        }
        (sorted, ends)
    }
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
        met: Met::default(),
        numbers: Numbers::default(),
        known: Numbers::default(),
        gives: Vec::new(),
        given: Vec::new(),
    };
    let mut language = 0;
    for (place, page) in documents.iter().enumerate() {
        // What a token gives depends on the language; neighbours mostly share theirs.
        if page.language != language {
            language = page.language;
            indexer.analyzer = analyzers.of(language);
            indexer.known.clear();
            indexer.gives.clear();
            indexer.given.clear();
        }
        indexer.document(site, page, first + place as u32);
    }
    let mut run = indexer.run;
    (run.counts, run.ends) = indexer.met.by_term();
    run
}

struct Indexer<'a> {
    analyzer: &'a Analyzer,
    folded: &'a HashSet<String>,
    run: Run,
    met: Met,
    numbers: Numbers,
    /// Tokens met before and where in `gives` their terms are: most of a text is words already seen. A token's text decides its shape.
    known: Numbers,
    gives: Vec<Known>,
    /// The numbers that `gives` tells the places of.
    given: Vec<u32>,
}

/// Where the numbers of a token's terms are, and behind them that of its form if that is told apart.
#[derive(Clone, Copy)]
struct Known {
    start: u32,
    /// Where the terms end.
    terms: u32,
    /// Where all ends.
    end: u32,
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
                Some(place) => place,
                None => self.read(&token),
            };
            let Known { start, terms, end } = self.gives[place as usize];
            let numbers = &self.given[start as usize..terms as usize];
            for number in &self.given[start as usize..end as usize] {
                self.met.count(*number, field, document);
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
        let (run, met) = (&mut self.run, &mut self.met);
        let numbers = &mut self.numbers;
        let mut number = |term: &str| match numbers.get(term) {
            Some(number) => number,
            None => {
                let number = run.terms.len() as u32;
                numbers.insert(term, number);
                run.terms.push(Box::from(term));
                met.last.push(0);
                number
            }
        };
        let start = self.given.len() as u32;
        let given = &mut self.given;
        self.analyzer
            .index_terms(token, |term| given.push(number(term)));
        let terms = given.len() as u32;
        if token.shape == Shape::Word
            && !self.folded.is_empty()
            && let Some(form) = form(token.text, |word| self.folded.contains(word))
        {
            given.push(number(&form));
        }
        let end = given.len() as u32;
        let place = self.gives.len() as u32;
        self.known.insert(token.text, place);
        self.gives.push(Known { start, terms, end });
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_by_term_and_then_by_document() {
        let mut met = Met {
            last: vec![0; 4],
            ..Met::default()
        };
        for (term, field, document) in [(2, 5, 7), (0, 0, 7), (2, 5, 7), (2, 1, 8), (3, 5, 9)] {
            met.count(term, field, document);
        }
        let (counts, ends) = met.by_term();
        let run = Run {
            counts,
            ends,
            ..Run::default()
        };
        let read = |term: u32| {
            let counts = run.counts(term).iter();
            counts
                .map(|counts| (counts.document, counts.fields))
                .collect::<Vec<_>>()
        };
        assert_eq!(read(0), [(7, [1, 0, 0, 0, 0, 0])]);
        assert_eq!(read(1), []);
        assert_eq!(read(2), [(7, [0, 0, 0, 0, 0, 2]), (8, [0, 1, 0, 0, 0, 0])]);
        assert_eq!(read(3), [(9, [0, 0, 0, 0, 0, 1])]);
    }
}
