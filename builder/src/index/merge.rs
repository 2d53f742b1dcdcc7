//! Putting the runs together.

use std::collections::HashMap;

use artifact::format::{Error, Fields, Line, Posting, PostingsWriter, base_of, hash_of, idf};
use artifact::text::word_of_form;
use rayon::prelude::*;

use super::run::{Counts, Run};
use super::{FIELDS, Indexed, PARTS, TEXT, Weights};

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
    let mut terms: Vec<(&str, u32, u32)> = runs
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
    let mut writer = PostingsWriter::new(&bases);
    let mut count = 0;
    // The weight of each run's terms, for its lines.
    let mut heavy: Vec<Vec<u32>> = runs.iter().map(|run| vec![0; run.terms.len()]).collect();
    let forms = forms(&terms);
    let mut postings = Vec::new();
    for same in terms.chunk_by(|left, right| left.0 == right.0) {
        // A word that the whole site writes in one way has no forms to choose from.
        if word_of_form(same[0].0).is_some_and(|word| forms.get(word) < Some(&2)) {
            continue;
        }
        postings.clear();
        for (_, run, term) in same {
            let counts = &runs[*run as usize].counts[*term as usize];
            postings.extend(
                counts
                    .iter()
                    .map(|counts| posting(counts, &norms, weights.saturation)),
            );
        }
        writer.add(same[0].0, &postings)?;
        count += 1;
        let weight = idf(documents, postings.len() as u32);
        for (_, run, term) in same {
            heavy[*run as usize][*term as usize] = weight;
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
        terms: count,
    })
}

/// For each word with forms, how many it has on the site. `terms` are sorted.
fn forms<'r>(terms: &[(&'r str, u32, u32)]) -> HashMap<&'r str, usize> {
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
