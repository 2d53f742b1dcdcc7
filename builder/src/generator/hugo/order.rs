//! The order in which Hugo's lists show pages: a section before its pages, sections and pages by weight, date, title and path.
//!
//! A site that gives no weights has no order of its own but by date, which is not navigation.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::cascade::PageKind;
use super::pages::{Fate, Page};

/// Numbers the published pages of every top-level section in which somebody gave a weight.
pub(super) fn put(pages: &mut [Page]) {
    let top = |page: &Page| {
        let section = page.path[1..].split('/').next().unwrap_or_default();
        (page.language.clone(), section.to_owned())
    };
    let shown = |page: &Page| page.fate == Fate::Published;
    let weighed: HashSet<(String, String)> = pages
        .iter()
        .filter(|page| page.weight != 0 && shown(page))
        .map(top)
        .collect();
    if weighed.is_empty() {
        return;
    }
    // The key of each page among those of its folder; the path to a page is the keys of its folders.
    type Key = (bool, i64, Reverse<i64>, String, String);
    let key = |page: &Page| -> Key {
        let seconds = page.date.as_ref().map_or(i64::MIN, |date| date.seconds);
        let title = page
            .link_title
            .as_ref()
            .or(page.title.as_ref())
            .cloned()
            .unwrap_or_default();
        (
            page.weight == 0,
            page.weight,
            Reverse(seconds),
            title,
            page.path.clone(),
        )
    };
    let keys: HashMap<(String, String), Key> = pages
        .iter()
        .filter(|page| page.kind != PageKind::Page)
        .map(|page| ((page.language.clone(), page.path.clone()), key(page)))
        .collect();
    let folders = |page: &Page| -> Vec<Key> {
        let mut all = Vec::new();
        let own = page.path.len();
        let ends = page
            .path
            .match_indices('/')
            .map(|(at, _)| at)
            .skip(1)
            .chain([own]);
        for end in ends {
            let folder = &page.path[..end];
            let held = keys.get(&(page.language.clone(), folder.to_owned()));
            all.push(match held {
                Some(key) => key.clone(),
                None if end == own => key(page),
                None => (true, 0, Reverse(i64::MIN), String::new(), folder.to_owned()),
            });
        }
        all
    };
    let mut order: Vec<(String, Vec<Key>, usize)> = pages
        .iter()
        .enumerate()
        .filter(|(_, page)| shown(page) && weighed.contains(&top(page)))
        .map(|(at, page)| (page.language.clone(), folders(page), at))
        .collect();
    order.sort();
    for (number, (.., at)) in order.into_iter().enumerate() {
        pages[at].order = u32::try_from(number).ok();
    }
}
