//! `search_content`: documents by words, collection or tag.
//!
//! Words are matched and ranked by [`crate::search`]; here the tag is looked up, rows are put together and the answer is bounded.

use artifact::catalogue::{SearchContent, nearest, shown};
use artifact::format::{Error, PageId};
use artifact::route::{anchored, tag_slug};

use super::absent::absent;
use super::answer::{Object, damaged, failed, found, open, quoted};
use super::bounded::bounded;
use super::shelf::Shelf;
use crate::mcp::ToolResult;

/// Answers a call.
pub fn answer(shelf: &Shelf, call: &SearchContent) -> ToolResult {
    let tag = match call
        .tag
        .as_deref()
        .map(|asked| tag(shelf, asked))
        .transpose()
    {
        Ok(tag) => tag,
        Err(text) => return failed(text),
    };
    // The reader has refused every other name.
    let collection = call.collection.as_deref().and_then(|name| {
        shelf
            .artifact
            .collections()
            .iter()
            .position(|known| known.name == name)
    });
    let found = newest(shelf, collection, tag, call.limit);
    match render(shelf, &found) {
        Ok(answer) => answer,
        Err(error) => damaged(&error),
    }
}

/// What was found, best first.
struct Found {
    matched: usize,
    matched_all: Option<usize>,
    hits: Vec<Hit>,
    notes: Vec<String>,
}

/// A document that was found.
struct Hit {
    page: PageId,
    snippet: Option<String>,
    /// The heading that fits best, with its anchor.
    section: Option<(String, String)>,
    fields: Vec<&'static str>,
}

/// Without words: the newest documents of a collection or with a tag.
fn newest(shelf: &Shelf, collection: Option<usize>, tag: Option<u32>, limit: usize) -> Found {
    let pages = shelf.artifact.pages();
    let range = collection
        .and_then(|number| shelf.artifact.collections().get(number))
        .map(|collection| collection.range());
    let tagged: Option<Vec<PageId>> = tag
        .and_then(|number| shelf.artifact.tags().get(number))
        .map(|tag| tag.pages().collect());
    let passes = |page: &PageId| {
        range.as_ref().is_none_or(|range| range.contains(page))
            // The pages of a tag are ascending.
            && tagged.as_ref().is_none_or(|tagged| tagged.binary_search(page).is_ok())
    };
    let (mut hits, mut matched) = (Vec::new(), 0);
    for page in pages.newest_first().filter(passes) {
        matched += 1;
        if hits.len() < limit {
            hits.push(Hit {
                page,
                snippet: None,
                section: None,
                fields: Vec::new(),
            });
        }
    }
    Found {
        matched,
        matched_all: None,
        hits,
        notes: Vec::new(),
    }
}

fn render(shelf: &Shelf, what: &Found) -> Result<ToolResult, Error> {
    let rows: Vec<String> = what
        .hits
        .iter()
        .map(|hit| row(shelf, hit))
        .collect::<Result<_, _>>()?;
    let list = bounded(
        rows.iter().map(String::as_str),
        rows.len(),
        None,
        shelf.answer_bytes(),
    );
    let mut answer = Object::new();
    answer.number("matched", what.matched);
    if let Some(all) = what.matched_all {
        answer.number("matched_all", all);
    }
    let notes: Vec<String> = what.notes.iter().cloned().chain(list.note).collect();
    answer
        .raw("results", &format!("[{}]", list.json))
        .notes(&notes);
    Ok(found(answer.close()))
}

fn row(shelf: &Shelf, hit: &Hit) -> Result<String, Error> {
    let frame = shelf.artifact.frames().get(hit.page)?;
    let mut row = Object::from_open(open(frame.row()));
    if let Some(snippet) = &hit.snippet {
        row.text("snippet", snippet);
    }
    if let Some((heading, anchor)) = &hit.section {
        let route = shelf.artifact.pages().route(hit.page).unwrap_or_default();
        let mut section = Object::new();
        section
            .text("heading", heading)
            .text("route", &anchored(&route, anchor));
        row.raw("section", &section.close());
    }
    let fields: Vec<String> = hit.fields.iter().map(|field| quoted(field)).collect();
    row.list("fields", &fields);
    Ok(row.close())
}

/// The number of a tag: by its slug, else as a person would write it, so that `C++` finds `cpp`.
fn tag(shelf: &Shelf, asked: &str) -> Result<u32, String> {
    let tags = shelf.artifact.tags();
    let found = tags
        .find(asked)
        .or_else(|| tags.find(&asked.to_lowercase()))
        .or_else(|| tags.find(&tag_slug(asked)));
    if let Some((number, _)) = found {
        return Ok(number);
    }
    let slug = tag_slug(asked);
    let near = nearest(&slug, tags.iter().map(|tag| tag.slug), 3);
    let near: Vec<String> = near.into_iter().map(str::to_owned).collect();
    Err(absent(
        shelf,
        &format!("There is no tag `{}`", shown(asked)),
        &near,
        "list_tags has the real ones.",
    ))
}
