//! `list_pages`: the pages that no collection holds, index pages included, by route.

use artifact::catalogue::Limit;
use artifact::format::Prepared;

use super::list_collections::list;
use super::shelf::Shelf;
use crate::mcp::Called;

/// Answers a call.
pub fn answer(shelf: &Shelf, limit: Limit) -> Called {
    list(shelf, Prepared::Pages, "pages", limit)
}
