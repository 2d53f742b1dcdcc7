//! Why documents stand in the order they stand in, for the owner of a site.

use artifact::format::{Artifact, Error, PageId};

use super::rank::Signals;
use super::words::{Entry, Group};
use super::{Question, Ranked, Searcher, Weights};

/// How a question was read, and what made its best documents the best.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The words that were looked for.
    pub words: Vec<ExplainedWord>,
    /// Words that only say how the question is put, and were left out.
    pub left_out: Vec<String>,
    /// How many documents were found.
    pub matched: u32,
    /// The best documents, best first.
    pub documents: Vec<ExplainedDocument>,
}

/// A word of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedWord {
    /// As it was written.
    pub written: String,
    /// What was looked for.
    pub terms: Vec<ExplainedTerm>,
    /// What else serves for the word.
    pub related: Vec<ExplainedTerm>,
}

/// A term that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedTerm {
    /// As it stands in the index.
    pub term: String,
    /// How many documents hold it.
    pub documents: u32,
    /// What an impact is multiplied by: 64 times the inverse document frequency, less for what only stands for the word.
    pub weight: u32,
}

/// A document and its signals. The order is by `phrase`, then by `exact`, then by `score`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplainedDocument {
    /// The document.
    pub document: PageId,
    /// The sum of weight x impact, lowered by the share of words that the document does not hold.
    pub words: f32,
    /// How well the best of title, aliases and headings covers the question: 0 to 1.
    pub line: f32,
    /// 3 when the title is the question as it is written, 2 when it is by its terms, 1 when an alias is, else 0.
    pub exact: u8,
    /// How the quoted words stand together: 0 where they do not.
    pub phrase: u8,
    /// `words x (1 + weight x line)`.
    pub score: f32,
}

impl Searcher {
    /// Tells how a question is read and what ranks its best documents.
    ///
    /// # Errors
    /// [`Error::Damaged`] when a page with quoted words cannot be read.
    pub fn explain(&self, artifact: &Artifact, question: &Question) -> Result<Explanation, Error> {
        let Some((text, within)) = question.text else {
            return Ok(Explanation {
                words: Vec::new(),
                left_out: Vec::new(),
                matched: 0,
                documents: Vec::new(),
            });
        };
        let mut all = Vec::new();
        let ranked = self.rank_telling(artifact, question, text, within, Some(&mut all))?;
        let documents = ranked.documents.iter().filter_map(|document| {
            let (_, signals) = all.iter().find(|(other, _)| other == document)?;
            Some(of_document(*document, signals, &self.weights))
        });
        Ok(Explanation {
            documents: documents.collect(),
            words: of_words(&ranked),
            left_out: ranked.query.left_out.clone(),
            matched: ranked.matched,
        })
    }
}

fn of_document(document: PageId, signals: &Signals, weights: &Weights) -> ExplainedDocument {
    ExplainedDocument {
        document,
        words: signals.words,
        line: signals.line,
        exact: signals.exact,
        phrase: signals.phrase,
        score: signals.score(weights),
    }
}

fn of_words(ranked: &Ranked) -> Vec<ExplainedWord> {
    let term = |entry: &Entry| ExplainedTerm {
        term: entry.term.to_string(),
        documents: entry.list.len(),
        weight: entry.weight,
    };
    let word = |(word, group): (&artifact::text::Word, &Group)| ExplainedWord {
        written: word.written.clone(),
        terms: group.entries.iter().map(term).collect(),
        related: group.related.iter().map(term).collect(),
    };
    let words = ranked.query.words.iter().zip(&ranked.resolved.groups);
    words.map(word).collect()
}
