//! `list_collections`: the collections, in the site's order.

use artifact::catalogue::Limit;
use artifact::format::Prepared;

use super::answer::{Object, damaged, found};
use super::bounded::bounded;
use super::shelf::Shelf;
use crate::mcp::ToolResult;

/// Answers a call.
pub fn answer(shelf: &Shelf, limit: Limit) -> ToolResult {
    list(shelf, Prepared::Collections, "collections", limit)
}

/// A prepared list under its name, cut to the limit and to the bytes of an answer.
pub(super) fn list(shelf: &Shelf, which: Prepared, name: &str, limit: Limit) -> ToolResult {
    let prepared = match shelf.artifact.prepared(which) {
        Ok(prepared) => prepared,
        Err(error) => return damaged(&error),
    };
    let list = bounded(
        prepared.items(),
        prepared.count as usize,
        limit,
        shelf.answer_bytes(),
    );
    let mut answer = Object::new();
    answer
        .raw(name, &format!("[{}]", list.json))
        .notes(list.note.as_slice());
    found(answer.close())
}
