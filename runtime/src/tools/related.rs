//! Pages that are related by their tags.

use std::sync::Mutex;

use artifact::format::{PageId, Tags};

/// The pages that share a tag with a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Related {
    /// How many there are.
    pub total: usize,
    /// Those that share most tags, of equals those of the lower number, each with the numbers of the tags it shares, ascending.
    pub best: Vec<(PageId, Vec<u32>)>,
}

/// Memory for counting, kept from call to call: as much as there were calls at once. Between calls every number in it is zero.
#[derive(Debug, Default)]
pub struct Counters(Mutex<Vec<Vec<u16>>>);

/// The pages related with one, at most `most` of them with their tags. Cost: some nanoseconds for each page of each of its tags.
pub fn of(tags: &Tags, page: PageId, most: usize, counters: &Counters) -> Related {
    let mut own: Vec<u32> = tags.of_page(page).collect();
    own.sort_unstable();
    own.dedup();
    let waiting = counters.0.lock().ok().and_then(|mut idle| idle.pop());
    let mut counts = waiting.unwrap_or_default();
    let mut found: Vec<PageId> = Vec::new();
    for tag in own.iter().filter_map(|tag| tags.get(*tag)) {
        for other in tag.pages().filter(|other| *other != page) {
            let place = other as usize;
            if place >= counts.len() {
                counts.resize(place + 1, 0);
            }
            if counts[place] == 0 {
                found.push(other);
            }
            counts[place] = counts[place].saturating_add(1);
        }
    }
    let total = found.len();
    // One number for the order: more shared tags first, then the lower page.
    let order = |other: &PageId| u64::from(!counts[*other as usize]) << 32 | u64::from(*other);
    if total > most {
        found.select_nth_unstable_by_key(most, order);
    }
    let mut best: Vec<u64> = found.iter().take(most).map(order).collect();
    best.sort_unstable();
    found.iter().for_each(|other| counts[*other as usize] = 0);
    if let Ok(mut idle) = counters.0.lock() {
        idle.push(counts);
    }
    let best = best.into_iter().map(|other| other as PageId);
    Related {
        total,
        best: with_tags(tags, &own, best.collect()),
    }
}

/// Pages with those of the tags that each carries.
fn with_tags(tags: &Tags, own: &[u32], pages: Vec<PageId>) -> Vec<(PageId, Vec<u32>)> {
    pages
        .into_iter()
        .map(|page| {
            let mut shared: Vec<u32> = tags.of_page(page).filter(|tag| own.contains(tag)).collect();
            shared.sort_unstable();
            shared.dedup();
            (page, shared)
        })
        .collect()
}
