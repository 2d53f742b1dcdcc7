//! `list_collections`: the collections, in the site's order.

use std::sync::Arc;

use artifact::catalogue::Limit;
use artifact::format::{Error, Prepared};

use super::answer::{damaged, found};
use super::bounded::BoundedList;
use super::shelf::Shelf;
use crate::mcp::{Called, Structured};

/// Answers a call.
pub fn answer(shelf: &Shelf, limit: Limit) -> Called {
    list(shelf, Prepared::Collections, "collections", limit)
}

/// A prepared list under its name, cut to the limit and to the bytes of an answer.
///
/// Without a limit it is always the same: made when it is first asked for, and copied from then on.
pub(super) fn list(shelf: &Shelf, which: Prepared, name: &str, limit: Limit) -> Called {
    let make = || make(shelf, which, name, limit);
    let made = match (limit, shelf.lists.get(which as usize)) {
        (None, Some(known)) => known
            .get_or_init(|| make().map(Arc::new))
            .clone()
            .map(Called::Found),
        _ => make().map(found),
    };
    made.unwrap_or_else(|error| damaged(&error))
}

fn make(shelf: &Shelf, which: Prepared, name: &str, limit: Limit) -> Result<Structured, Error> {
    let prepared = shelf.artifact.prepared(which)?;
    let total = prepared.count as usize;
    let wanted = limit.unwrap_or(total).min(total);
    let mut answer = Structured::default();
    answer.sign("{").name(name);
    let mut list = BoundedList::new(&mut answer, shelf.answer_bytes());
    for item in prepared.items().take(wanted) {
        list.item(|out| {
            out.raw(item);
        });
        if list.is_full() {
            break;
        }
    }
    let note = list.end(wanted, total);
    answer.notes(note.as_slice()).sign("}");
    Ok(answer)
}
