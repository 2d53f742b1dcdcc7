//! The tools that a collection asked for: its documents by date, by slug, by words, and how many there are.
//!
//! A document is its row as lists show it, with what it says in the fields that its collection declares.

use artifact::catalogue::{CollectionCall, Operation, nearest, shown};
use artifact::clean::one_line;
use artifact::format::{Collection, Error, Fields, PageId};
use artifact::route::slug_of;

use super::absent::{absent, or};
use super::answer::{damaged, failed, found, found_by};
use super::bounded::BoundedList;
use super::get_post::documents_of;
use super::shelf::{Shelf, WithTools};
use crate::mcp::{Called, Structured};
use crate::search::Question;

/// Answers a call.
pub fn answer(shelf: &Shelf, of: &WithTools, call: &CollectionCall) -> Called {
    let Some(collection) = shelf.artifact.collections().get(of.place) else {
        return damaged(&Error::Damaged(artifact::format::Section::Prepared));
    };
    let answer = match call {
        CollectionCall::List { limit, offset } => list(shelf, of, collection, *limit, *offset),
        CollectionCall::Get { id } => return get(shelf, of, collection, id),
        CollectionCall::Count => {
            let mut answer = Structured::default();
            answer.sign("{").name("count");
            answer.number(collection.documents as usize).sign("}");
            Ok(answer)
        }
        CollectionCall::Search { query, limit } => {
            return match search(shelf, of, collection, query, *limit) {
                Ok((answer, is_empty)) => found_by(answer, Some(query), is_empty),
                Err(error) => damaged(&error),
            };
        }
    };
    answer.map_or_else(|error| damaged(&error), found)
}

fn list(
    shelf: &Shelf,
    of: &WithTools,
    collection: &Collection<'_>,
    limit: usize,
    offset: usize,
) -> Result<Structured, Error> {
    let range = collection.range();
    let newest = shelf.artifact.pages().newest_first();
    let documents: Vec<PageId> = newest
        .filter(|page| range.contains(page))
        .skip(offset)
        .take(limit)
        .collect();
    let total = collection.documents as usize;
    let mut answer = Structured::default();
    answer.sign("{").name("docs");
    let (shown, note) = write(shelf, of, &documents, &mut answer)?;
    let next = offset.saturating_add(shown);
    if shown > 0 && next < total {
        answer.name("nextOffset").number(next);
    }
    answer.notes(note.as_slice()).sign("}");
    Ok(answer)
}

/// The answer, and whether nothing was found.
fn search(
    shelf: &Shelf,
    of: &WithTools,
    collection: &Collection<'_>,
    query: &str,
    limit: usize,
) -> Result<(Structured, bool), Error> {
    let question = Question {
        text: Some((query, Fields::ALL)),
        collection: Some(collection.range()),
        tag: None,
        limit,
    };
    let what = shelf.searcher.search(&shelf.artifact, &question)?;
    let documents: Vec<PageId> = what.hits.iter().map(|hit| hit.document).collect();
    let mut answer = Structured::default();
    answer.sign("{").name("docs");
    let (shown, _) = write(shelf, of, &documents, &mut answer)?;
    let all = what.matched as usize;
    let rest =
        (all > shown).then(|| format!("{all} documents were found; these are the best {shown}."));
    let notes = what.notes.iter().map(|note| one_line(note).into_owned());
    let notes: Vec<String> = notes.chain(rest).collect();
    answer.notes(&notes).sign("}");
    Ok((answer, all == 0))
}

/// Writes a list of documents: how many the answer had room for, and what to say when that is not all.
fn write(
    shelf: &Shelf,
    of: &WithTools,
    documents: &[PageId],
    answer: &mut Structured,
) -> Result<(usize, Option<String>), Error> {
    let mut list = BoundedList::new(answer, shelf.answer_bytes());
    for page in documents {
        let page_of = shelf.page(*page)?;
        let own = of.front_matter(shelf, *page)?;
        list.item(|out| write_document(out, page_of.open_row(), own));
        if list.is_full() {
            break;
        }
    }
    let shown = list.shown();
    let wanted = documents.len();
    Ok((shown, list.end(wanted, wanted)))
}

fn write_document(out: &mut Structured, row: &Structured, own: &str) {
    out.add(row);
    if !own.is_empty() {
        out.name("front_matter").raw(own);
    }
    out.sign("}");
}

fn get(shelf: &Shelf, of: &WithTools, collection: &Collection<'_>, id: &str) -> Called {
    let range = collection.range();
    let documents = documents_of(shelf, id);
    let own: Vec<PageId> = documents
        .iter()
        .copied()
        .filter(|page| range.contains(page))
        .collect();
    let routes = |pages: &[PageId]| -> Vec<String> {
        let routes = shelf.artifact.pages();
        pages
            .iter()
            .filter_map(|page| routes.route(*page))
            .collect()
    };
    match (own.as_slice(), documents.as_slice()) {
        ([page], _) => {
            let read = shelf
                .page(*page)
                .and_then(|read| Ok((read, of.front_matter(shelf, *page)?)));
            let (read, own) = match read {
                Ok(read) => read,
                Err(error) => return damaged(&error),
            };
            let mut answer = Structured::default();
            answer.sign("{").name("doc");
            write_document(&mut answer, read.open_row(), own);
            answer.sign("}");
            found(answer)
        }
        ([], [other, ..]) => failed(format!(
            "`{}` is not in {}, it is at {}. get_page_info and get_page_markdown take that route.",
            shown(id),
            shown(collection.name),
            or(&routes(&[*other]))
        )),
        ([], []) => failed(absent_document(shelf, of, collection, id)),
        (several, _) => failed(format!(
            "More than one document of {} has the slug `{}`: {}. Send one of these routes as id.",
            shown(collection.name),
            shown(id),
            or(&routes(several))
        )),
    }
}

fn absent_document(shelf: &Shelf, of: &WithTools, collection: &Collection<'_>, id: &str) -> String {
    let pages = shelf.artifact.pages();
    let routes = collection.range().filter_map(|page| pages.route(page));
    let slugs: Vec<String> = routes.map(|route| slug_of(&route).to_owned()).collect();
    let mut near: Vec<String> = nearest(slug_of(id), slugs.iter().map(String::as_str), 3)
        .into_iter()
        .map(str::to_owned)
        .collect();
    near.dedup();
    let next = format!(
        "{} lists the real ones, and {} finds them by words.",
        Operation::List.tool_name(&of.slug),
        Operation::Search.tool_name(&of.slug)
    );
    let what = format!("{} has no document `{}`", shown(collection.name), shown(id));
    absent(shelf, &what, &near, &next)
}
