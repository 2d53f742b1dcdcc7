//! `search_content`: documents by words, collection or tag.
//!
//! Words are matched and ranked by [`crate::search`]; here the tag is looked up, rows are put together and the answer is bounded.

use artifact::catalogue::{MatchIn, SearchContent, nearest, shown};
use artifact::clean::one_line;
use artifact::format::{Collection, Fields, Tag};
use artifact::route::{anchored, tag_slug};

use super::absent::absent;
use super::answer::{damaged, failed, found_by};
use super::bounded::BoundedList;
use super::shelf::Shelf;
use crate::mcp::{Called, Structured};
use crate::search::{Found, Hit, Question};

/// Answers a call.
pub fn answer(shelf: &Shelf, call: &SearchContent) -> Called {
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
        Ok(what) => {
            let searched = question.text.map(|(text, _)| text);
            found_by(render(shelf, &what), searched, what.matched == 0)
        }
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

/// Bytes that a row usually has.
const USUAL_ROW: usize = 1_024;

fn render(shelf: &Shelf, what: &Found) -> Structured {
    let mut answer = Structured::with_capacity((what.hits.len() + 1) * USUAL_ROW);
    answer.sign("{").name("matched");
    answer.number(what.matched as usize);
    if let Some(all) = what.matched_all {
        answer.name("matched_all").number(all as usize);
    }
    answer.name("results");
    let mut list = BoundedList::new(&mut answer, shelf.answer_bytes());
    for hit in &what.hits {
        list.item(|out| row(shelf, hit, out));
    }
    let cut = list.end(what.hits.len(), what.hits.len());
    // Notes repeat words of the question.
    let notes = what.notes.iter().map(|note| one_line(note).into_owned());
    let notes: Vec<String> = notes.chain(cut).collect();
    answer.notes(&notes).sign("}");
    answer
}

fn row(shelf: &Shelf, hit: &Hit, out: &mut Structured) {
    out.add(hit.page.open_row());
    if let Some(snippet) = &hit.snippet {
        out.name("snippet").text(snippet);
    }
    if let Some((heading, anchor)) = &hit.section {
        let route = shelf.artifact.pages().route(hit.document);
        out.name("section").sign("{");
        out.name("heading").text(&one_line(heading));
        out.name("route")
            .text(&anchored(&route.unwrap_or_default(), anchor));
        out.sign("}");
    }
    out.name("fields").sign("[");
    let names = NAMES.iter().filter(|(field, _)| hit.fields.meets(*field));
    for (place, (_, name)) in names.enumerate() {
        if place > 0 {
            out.sign(",");
        }
        out.text(name);
    }
    out.sign("]}");
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
