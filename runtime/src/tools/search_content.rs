//! `search_content`: documents by words, collection or tag.
//!
//! Words are matched and ranked by [`crate::search`]; here the tag is looked up, rows are put together and the answer is bounded.

use artifact::catalogue::{MatchIn, SearchContent, nearest, shown};
use artifact::clean::one_line;
use artifact::format::{Collection, Fields, Tag};
use artifact::route::{anchored, tag_slug};

use super::absent::absent;
use super::answer::{Object, damaged, failed, found, open, quoted};
use super::bounded::bounded;
use super::shelf::Shelf;
use crate::mcp::ToolResult;
use crate::search::{Found, Hit, Question};

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
    // The reader has refused every name that is not a collection's.
    let collection = call.collection.as_deref().and_then(|name| {
        shelf
            .artifact
            .collections()
            .iter()
            .find(|known| known.name == name)
    });
    let question = Question {
        text: call
            .matching
            .as_ref()
            .map(|matching| (&*matching.text, fields(matching.within))),
        collection: collection.map(Collection::range),
        tag,
        limit: call.limit,
    };
    match shelf.searcher.search(&shelf.artifact, &question) {
        Ok(what) => found(render(shelf, &what)),
        Err(error) => damaged(&error),
    }
}

fn fields(within: MatchIn) -> Fields {
    match within {
        MatchIn::Title => Fields::TITLE,
        MatchIn::Body => Fields::BODY,
        MatchIn::Description => Fields::DESCRIPTION,
        MatchIn::Aliases => Fields::ALIASES,
        MatchIn::Tags => Fields::TAGS,
        MatchIn::All => Fields::ALL,
    }
}

/// The names of fields, in the order in which a reader sees them.
const NAMES: [(Fields, &str); 5] = [
    (Fields::TITLE, "title"),
    (Fields::DESCRIPTION, "description"),
    (Fields::ALIASES, "aliases"),
    (Fields::TAGS, "tags"),
    (Fields::BODY, "body"),
];

fn render(shelf: &Shelf, what: &Found) -> String {
    let rows: Vec<String> = what.hits.iter().map(|hit| row(shelf, hit)).collect();
    let list = bounded(
        rows.iter().map(String::as_str),
        rows.len(),
        None,
        shelf.answer_bytes(),
    );
    let mut answer = Object::new();
    answer.number("matched", what.matched as usize);
    if let Some(all) = what.matched_all {
        answer.number("matched_all", all as usize);
    }
    // Notes repeat words of the question.
    let notes: Vec<String> = what
        .notes
        .iter()
        .map(|note| one_line(note).into_owned())
        .chain(list.note)
        .collect();
    answer
        .raw("results", &format!("[{}]", list.json))
        .notes(&notes);
    answer.close()
}

fn row(shelf: &Shelf, hit: &Hit) -> String {
    let mut row = Object::from_open(open(hit.frame.row()));
    if let Some(snippet) = &hit.snippet {
        row.text("snippet", &one_line(snippet));
    }
    if let Some((heading, anchor)) = &hit.section {
        let route = shelf
            .artifact
            .pages()
            .route(hit.document)
            .unwrap_or_default();
        let mut section = Object::new();
        section
            .text("heading", &one_line(heading))
            .text("route", &anchored(&route, anchor));
        row.raw("section", &section.close());
    }
    let fields: Vec<String> = NAMES
        .iter()
        .filter(|(field, _)| hit.fields.meets(*field))
        .map(|(_, name)| quoted(name))
        .collect();
    row.list("fields", &fields);
    row.close()
}

/// A tag: by its slug, else as a person would write it, so that `C++` finds `cpp`.
fn tag(shelf: &Shelf, asked: &str) -> Result<Tag<'static>, String> {
    let tags = shelf.artifact.tags();
    let found = tags
        .find(asked)
        .or_else(|| tags.find(&asked.to_lowercase()))
        .or_else(|| tags.find(&tag_slug(asked)));
    if let Some((_, tag)) = found {
        return Ok(tag);
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
