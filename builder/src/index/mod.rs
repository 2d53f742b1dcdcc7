//! From documents to the inverted index.
//!
//! The documents are cut into runs, each run is indexed on its own on whatever core is free, and the runs are put together term
//! by term in the order of the documents. So the result does not depend on how many cores there are. Memory is bounded by the postings, sixteen bytes
//! each, by the words of the runs, and, for each run that is being read, by forty bytes more for each of its postings.
//!
//! Weights: a term's impact in a document is `255 x / (saturation + x)`, with `x` the sum over the fields of `weight x occurrences /
//! (1 - b + b x length / average length)`, with the figures of [`Weights`]; see [`artifact::format::idf`] for the other half of BM25F.

mod merge;
mod numbers;
mod run;
mod versions;
mod weights;

use std::collections::HashSet;

use artifact::format::{Error, Fields, Line, WrittenPostings};
use artifact::text::Analyzers;
use rayon::prelude::*;

use crate::assemble::{Assembly, NumberedPage};

pub use weights::{Field, Weights};

/// How many fields a document has in the index.
const FIELDS: usize = 6;

/// The place of the text among them.
const TEXT: usize = 5;

/// The part in [`Fields`] of each field, in the order of the counts. Headings are part of the body for `in: body`, and weigh more than it.
const PARTS: [Fields; FIELDS] = [
    Fields::TITLE,
    Fields::BODY,
    Fields::DESCRIPTION,
    Fields::ALIASES,
    Fields::TAGS,
    Fields::BODY,
];

/// Documents to a run at least, and runs at most but for one: small enough that cores share a site evenly, large enough that words repeat within
/// a run, whose stems are looked up once in each.
const SMALLEST_RUN: usize = 128;
const MOST_RUNS: usize = 16;

/// The index of all documents.
#[derive(Debug)]
pub struct Indexed {
    /// The three sections of the index.
    pub postings: WrittenPostings,
    /// The title, aliases and headings of each document, as hashes.
    pub lines: Vec<Vec<Line>>,
    /// Documents that are nearly the same as one before them, each with that one.
    pub versions: Vec<(u32, u32)>,
    /// How many terms there are.
    pub terms: usize,
}

/// The analyzers of the site's languages, in the order of [`Assembly::languages`].
fn analyzers(assembly: &Assembly) -> Analyzers {
    let (site, others) = assembly.languages.split_at(1);
    Analyzers::new(site[0], others.iter().copied())
}

/// The words, folded, that some document writes with marks that folding takes away: those whose forms are told apart.
fn folded_words(documents: &[&NumberedPage]) -> HashSet<String> {
    let of_page = |page: &&NumberedPage| {
        let mut words = HashSet::new();
        let mut read = |text: &str| {
            artifact::text::folded_words(text, |word| {
                words.insert(word);
            });
        };
        read(&page.title);
        page.description.iter().for_each(|text| read(text));
        if let Some(written) = page.written() {
            written.aliases.iter().for_each(|text| read(text));
        }
        read(&page.reading().text);
        words
    };
    let both = |mut left: HashSet<String>, right: HashSet<String>| {
        left.extend(right);
        left
    };
    documents.par_iter().map(of_page).reduce(HashSet::new, both)
}

/// Indexes the documents of an assembly. `done` is told after each run how many documents it had.
///
/// # Errors
/// Those of [`artifact::format::PostingsWriter`].
pub fn index(
    assembly: &Assembly,
    weights: &Weights,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Indexed, Error> {
    let documents: Vec<_> = assembly.pages[..assembly.documents as usize]
        .iter()
        .collect();
    let folded = folded_words(&documents);
    let of_run = (documents.len() / MOST_RUNS).max(SMALLEST_RUN);
    let (runs, versions): (Vec<run::Run>, _) = rayon::join(
        || {
            documents
                .par_chunks(of_run)
                .enumerate()
                .map(|(number, chunk)| {
                    let run = run::index(
                        &analyzers(assembly),
                        &folded,
                        assembly.site,
                        chunk,
                        (number * of_run) as u32,
                    );
                    done(chunk.len());
                    run
                })
                .collect()
        },
        || versions::versions(assembly),
    );
    merge::merge(runs, versions, assembly.documents, weights)
}
