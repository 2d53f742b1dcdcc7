//! Putting the runs together.

use std::collections::HashMap;

use artifact::format::{
    Error, Fields, Line, Posting, PostingsEncoder, PostingsWriter, base_of, hash_of, idf,
};
use artifact::text::word_of_form;
use rayon::prelude::*;

use super::run::{Counts, Run};
use super::{FIELDS, Indexed, PARTS, TEXT, Weights};

/// Terms whose records are encoded together.
const TERMS: usize = 1_024;

/// A term of a run: its text, the number of the run, and its number there.
type RunTerm<'r> = (&'r str, u32, u32);

/// The records of neighbouring terms.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    /// Where each record ends.
    ends: Vec<usize>,
    /// How many documents each term has.
    documents: Vec<u32>,
}

/// Puts runs together, in the order of their documents.
pub(super) fn merge(
    runs: Vec<Run>,
    versions: Vec<(u32, u32)>,
    documents: u32,
    weights: &Weights,
) -> Result<Indexed, Error> {
    let lengths: Vec<[u32; FIELDS]> = runs
        .iter()
        .flat_map(|run| run.lengths.iter().copied())
        .collect();
    let norms = norms(&lengths, weights);

    // Every term of every run, by term and then by run: neighbours with one term are its postings in order.
    let mut terms: Vec<RunTerm> = runs
        .iter()
        .enumerate()
        .flat_map(|(number, run)| {
            run.terms
                .iter()
                .enumerate()
                .map(move |(term, text)| (&**text, number as u32, term as u32))
        })
        .collect();
    terms.par_sort_unstable();

    let base = |norms: &[f32; FIELDS]| {
        let impact = 255.0 * norms[TEXT] / (weights.saturation + norms[TEXT]);
        base_of((256.0 * impact) as u32)
    };
    let bases: Vec<u8> = norms.iter().map(base).collect();
    let forms = forms(&terms);
    let all: Vec<&[RunTerm]> = terms
        .chunk_by(|left, right| left.0 == right.0)
        // A word that the whole site writes in one way has no forms to choose from.
        .filter(|same| word_of_form(same[0].0).is_none_or(|word| forms.get(word) >= Some(&2)))
        .collect();
    let encoder = PostingsEncoder::new(&bases);
    let records = |terms: &[&[RunTerm]]| {
        let mut records = Records::default();
        let mut postings = Vec::new();
        for same in terms {
            postings.clear();
            for (_, run, term) in *same {
                let counts = runs[*run as usize].counts(*term);
                let posting = |counts| posting(counts, &norms, weights.saturation);
                postings.extend(counts.iter().map(posting));
            }
            encoder.record(&postings, &mut records.bytes)?;
            records.ends.push(records.bytes.len());
            records.documents.push(postings.len() as u32);
        }
        Ok(records)
    };
    // Records are encoded on all cores, so many terms at a time, and put behind each other in the order of the terms.
    let encoded: Vec<Records> = all
        .par_chunks(TERMS)
        .map(records)
        .collect::<Result<_, Error>>()?;
    let mut writer = PostingsWriter::new(&bases);
    // The weight of each run's terms, for its lines.
    let mut heavy: Vec<Vec<u32>> = runs.iter().map(|run| vec![0; run.terms.len()]).collect();
    for (terms, records) in all.chunks(TERMS).zip(encoded) {
        let mut start = 0;
        for ((same, end), df) in terms.iter().zip(records.ends).zip(records.documents) {
            writer.add_record(same[0].0, &records.bytes[start..end])?;
            start = end;
            let weight = idf(documents, df);
            for (_, run, term) in *same {
                heavy[*run as usize][*term as usize] = weight;
            }
        }
    }

    let lines = runs.par_iter().zip(&heavy).flat_map_iter(|(run, weights)| {
        let hashes: Vec<u16> = run.terms.iter().map(|term| hash_of(term)).collect();
        run.lines
            .iter()
            .map(move |lines| {
                let line = |line: &super::run::RunLine| Line {
                    kind: line.kind,
                    whole: line.whole,
                    hashes: line
                        .terms
                        .iter()
                        .map(|term| hashes[*term as usize])
                        .collect(),
                    weight: line.terms.iter().map(|term| weights[*term as usize]).sum(),
                };
                lines.iter().map(line).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    });
    Ok(Indexed {
        lines: lines.collect(),
        postings: writer.finish()?,
        versions,
        terms: all.len(),
    })
}

/// For each word with forms, how many it has on the site. `terms` are sorted.
fn forms<'r>(terms: &[RunTerm<'r>]) -> HashMap<&'r str, usize> {
    let mut forms = HashMap::new();
    for same in terms.chunk_by(|left, right| left.0 == right.0) {
        if let Some(word) = word_of_form(same[0].0) {
            *forms.entry(word).or_default() += 1;
        }
    }
    forms
}

/// For each document and field, what an occurrence there is worth.
fn norms(lengths: &[[u32; FIELDS]], weights: &Weights) -> Vec<[f32; FIELDS]> {
    let fields = [
        weights.title,
        weights.headings,
        weights.description,
        weights.aliases,
        weights.tags,
        weights.body,
    ];
    let mut average = [0f64; FIELDS];
    for lengths in lengths {
        for (average, length) in average.iter_mut().zip(lengths) {
            *average += f64::from(*length);
        }
    }
    for average in &mut average {
        *average = (*average / lengths.len().max(1) as f64).max(0.01);
    }
    lengths
        .iter()
        .map(|lengths| {
            std::array::from_fn(|field| {
                let (weight, b) = (fields[field].weight, fields[field].length);
                weight / (1.0 - b + b * (f64::from(lengths[field]) / average[field]) as f32)
            })
        })
        .collect()
}

fn posting(counts: &Counts, norms: &[[f32; FIELDS]], saturation: f32) -> Posting {
    let norms = &norms[counts.document as usize];
    let mut x = 0.0;
    let mut fields = Fields::default();
    for (field, occurrences) in counts.fields.iter().enumerate() {
        if *occurrences > 0 {
            x += norms[field] * f32::from(*occurrences);
            fields = fields.with(PARTS[field]);
        }
    }
    let impact = (255.0 * x / (saturation + x)) as u8;
    Posting {
        document: counts.document,
        impact: impact.max(1),
        fields,
    }
}
