//! `get_page_info`: the facts, sections and links of one page.
//!
//! The facts were prepared at build time; sections, links and relations are added here. Each list shows at most fifty entries,
//! with its true count beside it. Related pages share at least one tag: most shared tags first, then by page number, which is
//! the order of collections and routes.

use artifact::format::{Frame, PageId};
use artifact::route::anchored;

use super::answer::{Object, damaged, failed, found, quoted};
use super::bounded::cost;
use super::lookup;
use super::shelf::Shelf;
use crate::mcp::ToolResult;

/// Entries of one list.
const MOST: usize = 50;
/// Bytes kept for the envelope, the keys and the counts.
const ENVELOPE: usize = 1_024;

/// Answers a call.
pub fn answer(shelf: &Shelf, route: &str) -> ToolResult {
    let page = match lookup::page(shelf, route) {
        Ok(page) => page,
        Err(text) => return failed(text),
    };
    match shelf.artifact.frames().get(page.page) {
        Ok(frame) => found(info(shelf, page.page, &page.route, &frame)),
        Err(error) => damaged(&error),
    }
}

/// One of the lists, with how many entries there are in all.
struct List {
    name: &'static str,
    count: &'static str,
    items: Vec<String>,
    total: usize,
}

fn info(shelf: &Shelf, page: PageId, route: &str, frame: &Frame) -> String {
    let links = shelf.artifact.links();
    let linked = |name, count, pages: Vec<PageId>| List {
        name,
        count,
        total: pages.len(),
        items: pages
            .into_iter()
            .take(MOST)
            .map(|page| link(shelf, page).close())
            .collect(),
    };
    let related = related(shelf, page);
    let mut lists = [
        sections(route, frame),
        linked("cites", "cites_count", links.cites(page).collect()),
        linked("cited_by", "cited_by_count", links.cited_by(page).collect()),
        List {
            name: "related",
            count: "related_count",
            total: related.len(),
            items: related
                .into_iter()
                .take(MOST)
                .map(|(page, tags)| related_item(shelf, page, &tags))
                .collect(),
        },
    ];
    let budget = shelf
        .answer_bytes()
        .saturating_sub(ENVELOPE + cost(frame.info()));
    let notes = shorten(&mut lists, budget);
    let mut answer = Object::from_open(frame.info());
    for list in &lists {
        answer
            .list(list.name, &list.items)
            .number(list.count, list.total);
    }
    answer.notes(&notes);
    answer.close()
}

/// Takes entries off the ends of the longest lists until the answer fits. Two hundred entries seldom need it.
fn shorten(lists: &mut [List], budget: usize) -> Vec<String> {
    let mut spent: usize = lists
        .iter()
        .flat_map(|list| &list.items)
        .map(|item| cost(item))
        .sum();
    let mut cut = false;
    while spent > budget {
        let Some(last) = lists
            .iter_mut()
            .max_by_key(|list| list.items.len())
            .and_then(|list| list.items.pop())
        else {
            break;
        };
        spent -= cost(&last);
        cut = true;
    }
    if cut {
        vec![
            "Lists are cut to keep the answer small; the counts are those of the whole lists."
                .to_owned(),
        ]
    } else {
        Vec::new()
    }
}

fn sections(route: &str, frame: &Frame) -> List {
    let headings = frame.headings();
    let item = |heading: &artifact::format::Heading<'_>| {
        let mut item = Object::new();
        item.text("heading", heading.text)
            .number("level", usize::from(heading.level))
            .text("route", &anchored(route, heading.anchor));
        item.close()
    };
    List {
        name: "sections",
        count: "sections_count",
        total: headings.len(),
        items: headings.iter().take(MOST).map(item).collect(),
    }
}

fn link(shelf: &Shelf, page: PageId) -> Object {
    let mut item = Object::new();
    item.text(
        "route",
        &shelf.artifact.pages().route(page).unwrap_or_default(),
    )
    .text("title", shelf.artifact.title(page));
    item
}

fn related_item(shelf: &Shelf, page: PageId, tags: &[u32]) -> String {
    let slugs: Vec<String> = tags
        .iter()
        .filter_map(|tag| shelf.artifact.tags().get(*tag))
        .map(|tag| quoted(tag.slug))
        .collect();
    let mut item = link(shelf, page);
    item.list("tags", &slugs);
    item.close()
}

/// The pages that share a tag with a page, most shared first, each with the tags it shares.
fn related(shelf: &Shelf, page: PageId) -> Vec<(PageId, Vec<u32>)> {
    let tags = shelf.artifact.tags();
    let mut shared: Vec<(PageId, u32)> = Vec::new();
    for number in tags.of_page(page) {
        if let Some(tag) = tags.get(number) {
            shared.extend(
                tag.pages()
                    .filter(|other| *other != page)
                    .map(|other| (other, number)),
            );
        }
    }
    shared.sort_unstable();
    let mut related: Vec<(PageId, Vec<u32>)> = Vec::new();
    for (other, tag) in shared {
        match related.last_mut() {
            Some((last, tags)) if *last == other => tags.push(tag),
            _ => related.push((other, vec![tag])),
        }
    }
    // The sort is stable: of equally related pages the lower number comes first.
    related.sort_by_key(|(_, tags)| std::cmp::Reverse(tags.len()));
    related
}
