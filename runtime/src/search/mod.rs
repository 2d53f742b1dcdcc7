//! Finding documents by words, collection and tag.
//!
//! A question goes through five steps, a file each: its words become lists of documents (`words`, with `near` for words that occur
//! nowhere); the lists are added up document by document (`accumulate`); the best candidates are ranked by all signals
//! (`rank`, with `phrase` for quoted words); and for those that are shown, the passage that answers is cut out (`passage`, with `wanted` for where
//! the words stand).
//!
//! A document is found when it holds at least one of the words in the fields asked for and passes the collection and the tag. How many are
//! found is exact, whatever the limit.

mod accumulate;
mod explain;
mod layout;
mod lines;
mod near;
mod passage;
mod phrase;
mod rank;
mod related;
mod sums;
mod tables;
mod versions;
mod wanted;
mod weights;
mod words;

use std::ops::Range;
use std::sync::{Arc, Mutex, RwLock};

use artifact::format::{Artifact, Error, Fields, PageId, Tag};
use artifact::text::synonyms::Synonyms;
use artifact::text::{Analyzers, Query, Token, tokens, unmarked};

use crate::page::{self, Page, Pages};

pub use explain::{ExplainedDocument, ExplainedTerm, ExplainedWord, Explanation};
pub use weights::Weights;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// The words, and the fields they may stand in.
    pub text: Option<(&'q str, Fields)>,
    /// The documents of the collection asked for.
    pub collection: Option<Range<u32>>,
    /// The tag asked for.
    pub tag: Option<Tag<'q>>,
    /// How many hits to give.
    pub limit: usize,
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// How many documents were found.
    pub matched: u32,
    /// How many of them hold every word; only told for a question of several words.
    pub matched_all: Option<u32>,
    /// The best of them, best first.
    pub hits: Vec<Hit>,
    /// What was done with words that occur nowhere.
    pub notes: Vec<String>,
}

/// The documents found, ranked, before anything of them is read.
#[derive(Debug)]
pub struct Ranked<'a> {
    /// How many documents were found.
    pub matched: u32,
    /// How many of them hold every word; only told for a question of several words.
    pub matched_all: Option<u32>,
    /// The best of them, best first.
    pub documents: Vec<PageId>,
    within: Fields,
    query: Query,
    resolved: words::Resolved<'a>,
    looked: Vec<phrase::Looked>,
    versions: usize,
}

/// One document that was found.
#[derive(Debug)]
pub struct Hit {
    /// The document.
    pub document: PageId,
    /// It, unpacked.
    pub page: Arc<Page>,
    /// The fields in which the words stand; empty for a question without words.
    pub fields: Fields,
    /// The heading under which the words stand best: its text and its anchor.
    pub section: Option<(String, String)>,
    /// The words in their context, plain text of at most 240 characters.
    pub snippet: Option<String>,
}

/// Answers questions about one artifact.
#[derive(Debug)]
pub struct Searcher {
    analyzers: Analyzers,
    weights: Weights,
    /// Memory of searches that have ended, for those to come: as many as there were at once.
    idle: Mutex<Vec<sums::Scratch>>,
    /// Lines of documents that have come up before.
    tables: RwLock<tables::Tables>,
    pages: Pages,
}

impl Searcher {
    /// Prepares for the artifact's languages.
    pub fn new(artifact: &Artifact) -> Self {
        Self::with_weights(artifact, Weights::default())
    }

    /// The same with other weights: for learning them.
    pub fn with_weights(artifact: &Artifact, weights: Weights) -> Self {
        Self {
            analyzers: artifact.site().analyzers(),
            weights,
            idle: Mutex::default(),
            tables: RwLock::default(),
            pages: Pages::new(page::MOST_KEPT),
        }
    }

    /// A page, unpacked: kept from the call before, or read now.
    ///
    /// # Errors
    /// [`Error::Damaged`] when it cannot be read.
    pub fn page(&self, artifact: &Artifact, page: PageId) -> Result<Arc<Page>, Error> {
        self.pages.get(artifact, page)
    }

    /// Answers a question: ranks, and cuts out what is shown of each hit.
    ///
    /// # Errors
    /// [`Error::Damaged`] when a page that was found cannot be read.
    pub fn search(&self, artifact: &Artifact, question: &Question) -> Result<Found, Error> {
        let Some((text, within)) = question.text else {
            return self.newest(artifact, question);
        };
        let ranked = self.rank(artifact, question, text, within)?;
        self.show(artifact, &ranked)
    }

    /// Finds and ranks the documents, without what is shown of them: what a search engine's own query does.
    ///
    /// # Errors
    /// [`Error::Damaged`] when a page with quoted words cannot be read.
    pub fn rank<'a>(
        &self,
        artifact: &Artifact<'a>,
        question: &Question,
        text: &str,
        within: Fields,
    ) -> Result<Ranked<'a>, Error> {
        self.rank_telling(artifact, question, text, within, None)
    }

    /// The same; `tell` gets every candidate with its signals.
    fn rank_telling<'a>(
        &self,
        artifact: &Artifact<'a>,
        question: &Question,
        text: &str,
        within: Fields,
        tell: Option<&mut Vec<(PageId, rank::Signals)>>,
    ) -> Result<Ranked<'a>, Error> {
        let documents = artifact.pages().documents();
        let filter = Filter::new(documents, question);
        let query = Query::read(&self.analyzers, text);
        let site = artifact.site();
        let synonyms = Synonyms::new(site.language, site.language_synonyms, site.synonyms);
        let resolved = words::resolve(
            artifact.index(),
            &query,
            &self.analyzers,
            &synonyms,
            &self.weights,
        );
        let waiting = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut scratch = waiting.unwrap_or_default();
        let sums = accumulate::accumulate(
            &mut scratch,
            documents,
            &resolved.groups,
            within,
            &filter,
            &self.weights,
        );
        let asked = rank::Asked {
            text,
            query: &query,
            resolved: &resolved,
            sums: &sums,
            within,
            filter: &filter,
            weights: &self.weights,
        };
        let best = rank::rank(
            artifact,
            &asked,
            (&self.analyzers, &self.pages, &self.tables),
            question.limit,
            tell,
        )?;
        drop(sums);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(scratch);
        }
        Ok(Ranked {
            matched: best.counts.matched,
            matched_all: (query.words.len() > 1).then_some(best.counts.matched_all),
            documents: best.documents,
            within,
            query,
            resolved,
            looked: best.looked,
            versions: best.versions,
        })
    }

    /// A word of the hits that has the term, else the term.
    fn as_written(&self, artifact: &Artifact, term: &str, hits: &[Hit]) -> String {
        let start = unmarked(term);
        for hit in hits.iter().take(3) {
            let analyzer = self.analyzers.of(artifact.pages().language(hit.document));
            let mut found = None;
            let mut look = |token: Token| {
                if found.is_none() && shares_start(token.text, start) {
                    analyzer.index_terms(&token, |other| {
                        if other == term && found.is_none() {
                            found = Some(token.text.to_lowercase());
                        }
                    });
                }
            };
            // No token reaches over white space.
            let pieces = hit.page.frame().markdown().split_ascii_whitespace();
            pieces
                .filter(|piece| may_share_start(piece, start))
                .for_each(|piece| tokens(piece, &mut look));
            if let Some(found) = found {
                return found;
            }
        }
        start.to_owned()
    }

    /// Cuts out what is shown of each hit.
    fn show(&self, artifact: &Artifact, ranked: &Ranked) -> Result<Found, Error> {
        let groups = &ranked.resolved.groups;
        let wanted = wanted::Wanted::new(groups);
        let phrases = phrase::Phrases::new(&ranked.query, ranked.within);
        let mut known = wanted::Known::default();
        let mut hits = Vec::with_capacity(ranked.documents.len());
        let fields = accumulate::fields_of(groups, &ranked.documents, ranked.within);
        for (document, fields) in ranked.documents.iter().copied().zip(fields) {
            let page = self.pages.get(artifact, document)?;
            let text = self.pages.text(artifact, document, &page);
            let language = artifact.pages().language(document);
            let passage = passage::find(
                text,
                self.analyzers.of(language),
                &wanted,
                phrases.as_ref(),
                known.of(language),
            );
            let section = passage.section.map(|section| text.heading(section));
            hits.push(Hit {
                document,
                fields,
                section: section.map(|(text, anchor)| (text.to_owned(), anchor.to_owned())),
                snippet: passage.snippet,
                page,
            });
        }
        Ok(Found {
            matched: ranked.matched,
            matched_all: ranked.matched_all,
            notes: ranked
                .resolved
                .notes(&ranked.query, |term| self.as_written(artifact, term, &hits))
                .into_iter()
                .chain(ranked.looked.iter().map(phrase::Looked::note))
                .chain(versions::note(ranked.versions))
                .collect(),
            hits,
        })
    }

    /// The documents that pass the collection and the tag, newest first.
    fn newest(&self, artifact: &Artifact, question: &Question) -> Result<Found, Error> {
        let filter = Filter::new(artifact.pages().documents(), question);
        let mut matched = 0;
        let mut hits = Vec::new();
        for document in artifact
            .pages()
            .newest_first()
            .filter(|document| filter.passes(*document))
        {
            matched += 1;
            if hits.len() < question.limit {
                let page = self.pages.get(artifact, document)?;
                hits.push(Hit {
                    document,
                    page,
                    fields: Fields::default(),
                    section: None,
                    snippet: None,
                });
            }
        }
        Ok(Found {
            matched,
            matched_all: None,
            hits,
            notes: Vec::new(),
        })
    }
}

/// Whether a piece of text can have a token that [`shares_start`]: a cheaper question still.
fn may_share_start(piece: &str, term: &str) -> bool {
    let first = term.bytes().next().unwrap_or_default();
    let mut after_sign = true;
    piece.bytes().any(|byte| {
        let may_start = after_sign && byte.eq_ignore_ascii_case(&first);
        after_sign = !byte.is_ascii_alphanumeric();
        may_start || !byte.is_ascii() || !first.is_ascii()
    })
}

/// Whether a token can give the term at all: a cheap question before a dear one.
fn shares_start(text: &str, term: &str) -> bool {
    let (Some(a), Some(b)) = (text.bytes().next(), term.bytes().next()) else {
        return false;
    };
    !a.is_ascii() || !b.is_ascii() || a.eq_ignore_ascii_case(&b)
}

/// The documents that a collection and a tag leave.
#[derive(Debug)]
struct Filter {
    range: Range<u32>,
    /// One bit a document, when a tag was asked for.
    tagged: Option<Vec<u64>>,
}

impl Filter {
    fn new(documents: u32, question: &Question) -> Self {
        let tagged = question.tag.map(|tag| {
            let mut bits = vec![0u64; (documents as usize).div_ceil(64)];
            for page in tag.pages().take_while(|page| *page < documents) {
                bits[page as usize / 64] |= 1 << (page % 64);
            }
            bits
        });
        Self {
            range: question.collection.clone().unwrap_or(0..documents),
            tagged,
        }
    }

    /// Whether every document passes.
    fn is_open(&self, documents: u32) -> bool {
        self.tagged.is_none() && self.range.start == 0 && self.range.end >= documents
    }

    #[inline]
    fn passes(&self, document: u32) -> bool {
        self.range.contains(&document)
            && self
                .tagged
                .as_ref()
                .is_none_or(|bits| bits[document as usize / 64] >> (document % 64) & 1 == 1)
    }
}
