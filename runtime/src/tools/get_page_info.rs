//! `get_page_info`: the facts, sections and links of one page.
//!
//! The facts were prepared at build time; sections, links and relations are added here. Each list shows at most fifty entries,
//! with its true count beside it. Related pages share at least one tag: most shared tags first, then by page number, which is
//! the order of collections and routes.

use artifact::format::{Frame, PageId};
use artifact::route::anchored;

use super::answer::{damaged, failed, found};
use super::bounded::cost;
use super::lookup;
use super::related;
use super::shelf::Shelf;
use crate::mcp::{Called, Mark, Structured};

/// Entries of one list.
const MOST: usize = 50;
/// Bytes kept for the envelope, the keys and the counts.
const ENVELOPE: usize = 1_024;

/// Answers a call.
pub fn answer(shelf: &Shelf, route: &str) -> Called {
    let page = match lookup::page(shelf, route) {
        Ok(page) => page,
        Err(text) => return failed(text),
    };
    match shelf.page(page.page) {
        Ok(unpacked) => found(info(shelf, page.page, &page.route, unpacked.frame())),
        Err(error) => damaged(&error),
    }
}

/// One of the lists, with how many entries there are in all.
struct List {
    name: &'static str,
    count: &'static str,
    /// The entries shown, joined by commas.
    entries: Structured,
    /// Of each of them, where it begins with its comma, and what it costs.
    each: Vec<(Mark, usize)>,
    total: usize,
}

impl List {
    fn new(name: &'static str, count: &'static str) -> Self {
        Self {
            name,
            count,
            entries: Structured::default(),
            each: Vec::new(),
            total: 0,
        }
    }

    /// Counts an entry, and adds it when it is among the first.
    fn add(&mut self, write: impl FnOnce(&mut Structured)) {
        self.total += 1;
        if self.total > MOST {
            return;
        }
        let before = self.entries.mark();
        if !self.each.is_empty() {
            self.entries.sign(",");
        }
        let start = self.entries.mark();
        self.entries.sign("{");
        write(&mut self.entries);
        self.entries.sign("}");
        self.each.push((before, cost(self.entries.since(start))));
    }

    /// Takes the last entry off, and tells what it cost.
    fn pop(&mut self) -> Option<usize> {
        let (before, cost) = self.each.pop()?;
        self.entries.back_to(before);
        Some(cost)
    }
}

fn info(shelf: &Shelf, page: PageId, route: &str, frame: &Frame) -> Structured {
    let links = shelf.artifact.links();
    let mut linked = Linked::new(shelf);
    let mut list = |name, count, pages: &mut dyn Iterator<Item = PageId>| {
        let mut list = List::new(name, count);
        pages.for_each(|page| list.add(|entry| linked.write(page, entry)));
        list
    };
    let mut lists = [
        sections(route, frame),
        list("cites", "cites_count", &mut links.cites(page)),
        list("cited_by", "cited_by_count", &mut links.cited_by(page)),
        related(shelf, page, &mut linked),
    ];
    let mut answer = Structured::of(frame.info());
    let budget = shelf
        .answer_bytes()
        .saturating_sub(ENVELOPE + cost(answer.bytes()));
    let notes = shorten(&mut lists, budget);
    for list in &lists {
        answer
            .name(list.name)
            .sign("[")
            .add(&list.entries)
            .sign("]");
        answer.name(list.count).number(list.total);
    }
    answer.notes(&notes).sign("}");
    answer
}

/// Takes entries off the ends of the longest lists until the answer fits. Two hundred entries seldom need it.
fn shorten(lists: &mut [List], budget: usize) -> Vec<String> {
    let each = lists.iter().flat_map(|list| &list.each);
    let mut spent: usize = each.map(|(_, cost)| cost).sum();
    let mut cut = false;
    while spent > budget {
        let longest = lists.iter_mut().max_by_key(|list| list.each.len());
        let Some(cost) = longest.and_then(List::pop) else {
            break;
        };
        spent -= cost;
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
    let mut list = List::new("sections", "sections_count");
    // A route that ends in `#`, for each anchor to go behind.
    let route = anchored(route, "");
    for heading in frame.headings() {
        list.add(|entry| {
            entry.name("heading").text(heading.text);
            entry.name("level").number(usize::from(heading.level));
            entry.name("route").texts(&[&route, heading.anchor]);
        });
    }
    list
}

/// Writes pages as they stand in lists of links.
struct Linked<'s> {
    shelf: &'s Shelf,
    route: Vec<u8>,
}

impl<'s> Linked<'s> {
    fn new(shelf: &'s Shelf) -> Self {
        Self {
            shelf,
            route: Vec::with_capacity(128),
        }
    }

    fn write(&mut self, page: PageId, entry: &mut Structured) {
        let artifact = &self.shelf.artifact;
        let route = artifact.pages().read_route(page, &mut self.route);
        entry.name("route").text(route.unwrap_or_default());
        entry.name("title").text(artifact.title(page));
    }
}

fn related(shelf: &Shelf, page: PageId, linked: &mut Linked) -> List {
    let tags = shelf.artifact.tags();
    let related = related::of(tags, page, MOST, &shelf.counters);
    let mut list = List::new("related", "related_count");
    for (page, shared) in &related.best {
        list.add(|entry| {
            linked.write(*page, entry);
            entry.name("tags").sign("[");
            let slugs = shared.iter().filter_map(|tag| tags.get(*tag));
            for (place, tag) in slugs.enumerate() {
                if place > 0 {
                    entry.sign(",");
                }
                entry.text(tag.slug);
            }
            entry.sign("]");
        });
    }
    list.total = related.total;
    list
}
