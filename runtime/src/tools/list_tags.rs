//! `list_tags`: the tags by slug, with how many documents carry each.

use artifact::catalogue::Limit;
use artifact::format::Prepared;

use super::list_collections::list;
use super::shelf::Shelf;
use crate::mcp::Called;

/// Answers a call.
pub fn answer(shelf: &Shelf, limit: Limit) -> Called {
    list(shelf, Prepared::Tags, "tags", limit)
}
