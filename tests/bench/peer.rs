//! The search engine alone, to be measured beside others: the indexer of the builder and the ranking of `search_content`, with the command
//! line that search benchmarks share.
//!
//! ```text
//! peer build IN.jsonl IDX                   a line a document: {id, title, description, tags, collection, body, headings: [[level, text]]}
//! peer query IDX Q.jsonl OUT.jsonl MODE N   a line a question: {qid, class, text}; N timed rounds; OUT: {qid, class, ids, matched}
//! peer first IDX TEXT                       opens the index and asks one question
//! peer weights                              the weights of ranking, as `SHELFMARK_WEIGHTS` takes them
//! ```
//!
//! Like the engines it is compared with, the index holds no text: what it stores of a document is its id and its title. With `pages` for a
//! third argument, `build` writes the artifact that a server would get, with every page. Texts go in as they are in `IN.jsonl`; only parsing markdown
//! is left out. MODE is `or` (what was asked, as it was asked) or `quoted` (questions of the class `phrase` in quotation marks; needs `pages`).

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use artifact::format::{Artifact, Fields};
use artifact::route::{Address, tag_slug};
use builder::config::{
    CollectionSettings, ExportSettings, FeedbackSettings, Limits, PageSettings, SearchSettings,
    ServerSettings, Settings, SiteSettings, TagSettings,
};
use builder::generator::Kind;
use builder::problem::Problems;
use builder::site::{Heading, Page, Reading, Site, Span, Tag};
use runtime::search::{Question, Searcher};
use serde::{Deserialize, Serialize};
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Hits of one question.
const LIMIT: usize = 10;

#[derive(Deserialize)]
struct Document {
    id: String,
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    aliases: Vec<String>,
    body: String,
    #[serde(default)]
    headings: Vec<(u8, String)>,
}

#[derive(Deserialize)]
struct Asked {
    qid: String,
    class: String,
    text: String,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["build", documents, folder] => build(documents, folder, false),
        ["build", documents, folder, "pages"] => build(documents, folder, true),
        ["query", folder, questions, out, mode @ ("or" | "quoted"), rounds] => {
            query(folder, questions, out, mode, rounds.parse()?)
        }
        ["first", folder, text] => first(folder, text),
        ["weights"] => {
            println!("{}", serde_json::to_string(&weights()?)?);
            Ok(())
        }
        _ => Err("usage: peer build IN.jsonl IDX [pages] | query IDX Q.jsonl OUT.jsonl or|quoted ROUNDS | first IDX TEXT | weights".into()),
    }
}

/// The weights of the environment's `SHELFMARK_WEIGHTS`, a JSON object; those of the product where it does not speak.
#[derive(Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct Weights {
    fields: builder::index::Weights,
    ranking: runtime::search::Weights,
}

fn weights() -> Outcome<Weights> {
    match std::env::var("SHELFMARK_WEIGHTS") {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(_) => Ok(Weights::default()),
    }
}

/// Reads one JSON value a line.
fn lines<T: for<'d> Deserialize<'d>>(path: &str) -> Outcome<Vec<T>> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    BufReader::new(file)
        .lines()
        .enumerate()
        .map(|(number, line)| {
            serde_json::from_str(&line?)
                .map_err(|error| format!("{path}, line {}: {error}", number + 1).into())
        })
        .collect()
}

fn build(documents: &str, folder: &str, with_pages: bool) -> Outcome<()> {
    let start = Instant::now();
    let site = site(lines(documents)?, with_pages)?;
    let assembly = builder::assemble::assemble(&site);
    let packed = if with_pages {
        builder::pack::pack(&assembly, &|_| ())?
    } else {
        builder::pack::pack_index(&assembly, &weights()?.fields, &|_| ())?
    };
    fs::create_dir_all(folder)?;
    fs::write(Path::new(folder).join("site.shelf"), &packed.bytes)?;
    let took = start.elapsed().as_secs_f64();
    let artifact = Artifact::open(&packed.bytes)?;
    let sections: BTreeMap<String, usize> = artifact
        .sections()
        .map(|(section, bytes)| (section.to_string(), bytes))
        .collect();
    println!(
        "{}",
        json!({"build_s": took, "terms": packed.terms, "bytes": packed.bytes.len(), "sections": sections})
    );
    Ok(())
}

/// Documents as the builder knows pages once it has read them. Only pages to be read need their markdown beside the text of the index.
fn site(documents: Vec<Document>, with_pages: bool) -> Outcome<Site> {
    let mut tags: Vec<Tag> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut pages: Vec<Page> = documents
        .into_iter()
        .map(|document| {
            let mut carried = Vec::new();
            for title in document.tags {
                let slug = tag_slug(&title);
                let place = *places.entry(slug.clone()).or_insert_with(|| {
                    tags.push(Tag { slug, title });
                    tags.len() - 1
                });
                if !carried.contains(&place) {
                    carried.push(place);
                }
            }
            Page {
                source: format!("{}.md", document.id),
                route: format!("/{}", document.id),
                collection: Some(0),
                title: document.title,
                description: Some(document.description).filter(|text| !text.is_empty()),
                author: None,
                date: None,
                updated: None,
                sort_date: None,
                order: None,
                tags: carried,
                aliases: document.aliases,
                language: "en".to_owned(),
                fields: Vec::new(),
                markdown: if with_pages {
                    document.body.clone()
                } else {
                    String::new()
                },
                reading: reading(document.body, document.headings),
                cites: Vec::new(),
            }
        })
        .collect();
    pages.sort_by(|left, right| left.route.cmp(&right.route));
    let mut order: Vec<usize> = (0..tags.len()).collect();
    order.sort_by(|left, right| tags[*left].slug.cmp(&tags[*right].slug));
    let mut places = vec![0; tags.len()];
    for (place, tag) in order.into_iter().enumerate() {
        places[tag] = place;
    }
    let carried = pages.iter_mut().flat_map(|page| &mut page.tags);
    carried.for_each(|tag| *tag = places[*tag]);
    tags.sort_by(|left, right| left.slug.cmp(&right.slug));
    Ok(Site {
        settings: Settings {
            site: SiteSettings::default(),
            server: ServerSettings::default(),
            collections: vec![CollectionSettings {
                name: "documents".to_owned(),
                title: "Documents".to_owned(),
                route: "/{slug}".to_owned(),
                ..CollectionSettings::default()
            }],
            guessed_collections: false,
            pages: PageSettings::default(),
            html: Vec::new(),
            tags: TagSettings::default(),
            search: SearchSettings::default(),
            limits: Limits::default(),
            feedback: FeedbackSettings::default(),
            exports: ExportSettings::default(),
            address: Address::parse("https://example.org", false)?,
        },
        pages,
        tags,
        problems: Problems::new(Vec::new()),
        notices: Vec::new(),
        generator: Kind::Plain,
        unrendered: Vec::new(),
        hidden: Vec::new(),
        kept_back: Vec::new(),
        used: Vec::new(),
        manual: Vec::new(),
    })
}

/// What a parser would have seen: every line of the text is a span, and a line that is the next heading is that heading.
fn reading(body: String, headings: Vec<(u8, String)>) -> Reading {
    let mut outline = Vec::with_capacity(headings.len());
    let mut spans = Vec::new();
    let mut expected = headings.into_iter().peekable();
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        let offset = start as u32;
        start += line.len();
        if text.is_empty() {
            continue;
        }
        spans.push(Span {
            start: offset,
            end: offset + text.len() as u32,
            joined: false,
        });
        if let Some((level, text)) = expected.next_if(|(_, heading)| heading.trim() == text.trim())
        {
            outline.push(Heading {
                level: level.clamp(1, 6),
                anchor: format!("h{}", outline.len()),
                text,
                start: offset,
            });
        }
    }
    // A heading that is not to be found as a line of its own still counts as one.
    for (level, text) in expected {
        outline.push(Heading {
            level: level.clamp(1, 6),
            anchor: format!("h{}", outline.len()),
            text,
            start: start as u32,
        });
    }
    Reading {
        outline,
        spans,
        text: body,
        cuts: Vec::new(),
    }
}

/// The index of a folder, mapped, for as long as the process runs.
fn map(folder: &str) -> Outcome<&'static [u8]> {
    let path = Path::new(folder).join("site.shelf");
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    // SAFETY: nothing writes to the file while a measurement runs.
    #[allow(unsafe_code)]
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Box::leak(Box::new(map)))
}

/// Ranks ten documents and resolves their ids.
fn ask(artifact: &Artifact, searcher: &Searcher, text: &str) -> Outcome<(Vec<String>, u32)> {
    let question = Question {
        text: Some((text, Fields::ALL)),
        collection: None,
        tag: None,
        limit: LIMIT,
    };
    let ranked = searcher.rank(artifact, &question, text, Fields::ALL)?;
    let mut memory = Vec::new();
    let ids = ranked.documents.iter().map(|document| {
        let route = artifact.pages().read_route(*document, &mut memory);
        let route = route.unwrap_or_default();
        route.trim_start_matches('/').to_owned()
    });
    Ok((ids.collect(), ranked.matched))
}

fn first(folder: &str, text: &str) -> Outcome<()> {
    let start = Instant::now();
    let artifact = Artifact::open(map(folder)?)?;
    let searcher = Searcher::with_weights(&artifact, weights()?.ranking);
    let opened = start.elapsed();
    let (_, matched) = ask(&artifact, &searcher, text)?;
    println!(
        "{}",
        json!({"open_us": micros(opened), "total_us": micros(start.elapsed()), "matched": matched})
    );
    Ok(())
}

fn query(folder: &str, questions: &str, out: &str, mode: &str, rounds: usize) -> Outcome<()> {
    let start = Instant::now();
    let artifact = Artifact::open(map(folder)?)?;
    let searcher = Searcher::with_weights(&artifact, weights()?.ranking);
    let open_us = micros(start.elapsed());
    let mut questions: Vec<Asked> = lines(questions)?;
    for question in &mut questions {
        if mode == "quoted" && question.class == "phrase" {
            question.text = format!("\"{}\"", question.text);
        }
    }
    let start = Instant::now();
    if let Some(question) = questions.first() {
        ask(&artifact, &searcher, &question.text)?;
    }
    let first_query_us = micros(start.elapsed());
    let mut answers = File::create(out).map_err(|error| format!("{out}: {error}"))?;
    for Asked { qid, class, text } in &questions {
        let (ids, matched) = ask(&artifact, &searcher, text)?;
        writeln!(
            answers,
            "{}",
            json!({"qid": qid, "class": class, "ids": ids, "matched": matched})
        )?;
    }
    // Rounds go over all questions in turn; a question's figure is the median of its rounds, a class's figures are over its questions.
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(rounds); questions.len()];
    for _ in 0..rounds {
        for (question, times) in questions.iter().zip(&mut times) {
            let start = Instant::now();
            let answer = ask(&artifact, &searcher, &question.text)?;
            times.push(micros(start.elapsed()));
            std::hint::black_box(answer);
        }
    }
    let mut classes: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (question, times) in questions.iter().zip(&mut times) {
        let median = percentile(times, 0.5);
        for class in [&*question.class, "ALL"] {
            classes.entry(class).or_default().push(median);
        }
    }
    let latency: BTreeMap<&str, _> = classes
        .into_iter()
        .map(|(class, mut medians)| {
            let at = |medians: &mut Vec<f64>, share| {
                (percentile(medians, share) * 10.0).round() / 10.0
            };
            (
                class,
                json!({"p50": at(&mut medians, 0.5), "p99": at(&mut medians, 0.99), "max": at(&mut medians, 1.0)}),
            )
        })
        .collect();
    let (rss_kb, rss_anon_kb) = resident();
    println!(
        "{}",
        json!({"peer": "shelfmark", "open_us": open_us, "first_query_us": first_query_us, "rss_kb": rss_kb,
               "rss_anon_kb": rss_anon_kb, "lat_us": latency})
    );
    Ok(())
}

fn micros(duration: std::time::Duration) -> f64 {
    duration.as_nanos() as f64 / 1e3
}

/// The value that a share of the values does not exceed; 0 of none.
fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or_default()
}

/// Resident memory, and the part of it that no file stands behind, in KiB; zeros where the system does not tell.
fn resident() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|number| number.parse().ok())
            .unwrap_or(0)
    };
    (of("VmRSS:"), of("RssAnon:"))
}
