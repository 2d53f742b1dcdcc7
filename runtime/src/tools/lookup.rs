//! Finding a page by a route in any spelling, and what is near when there is none.

use artifact::catalogue::{likeness, shown};
use artifact::format::PageId;
use artifact::route::{Asked, as_asked, fold_case, slug_of};

use super::absent::absent;
use super::shelf::Shelf;

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its number.
    pub page: PageId,
    /// Its canonical route.
    pub route: String,
    /// The anchor that was asked for.
    pub anchor: Option<String>,
}

/// The page at a route, or the text that tells there is none.
pub fn page(shelf: &Shelf, text: &str) -> Result<Found, String> {
    let asked = as_asked(text, &shelf.address);
    find(shelf, &asked).ok_or_else(|| not_found(shelf, text, &asked))
}

/// The page at a route, if there is one.
pub fn published(shelf: &Shelf, text: &str) -> Option<Found> {
    find(shelf, &as_asked(text, &shelf.address))
}

fn find(shelf: &Shelf, asked: &Asked) -> Option<Found> {
    let pages = shelf.artifact.pages();
    let page = asked.routes.iter().find_map(|route| pages.find(route))?;
    Some(Found {
        page,
        route: pages.route(page)?,
        anchor: asked.anchor.clone(),
    })
}

fn not_found(shelf: &Shelf, text: &str, asked: &Asked) -> String {
    let next = if shelf.artifact.collections().is_empty() {
        "list_pages lists the pages."
    } else {
        "search_content finds documents by words, and list_pages lists the pages outside collections."
    };
    if asked.routes.is_empty() {
        let what = format!(
            "`{}` is not an address of this site, which is at {}",
            shown(text),
            shelf.address.url("/")
        );
        return absent(shelf, &what, &[], next);
    }
    let near = near_routes(shelf, asked, 3);
    absent(
        shelf,
        &format!("No page answers to `{}`", shown(text)),
        &near,
        next,
    )
}

/// How alike two routes have to be to be named.
const ALIKE: f64 = 0.6;
/// How far behind the best a route may be and still be named.
const NOISE: f64 = 0.2;

/// The routes most like those asked for: one with a like last segment, or like as a whole. Cost: every route is compared.
fn near_routes(shelf: &Shelf, asked: &Asked, most: usize) -> Vec<String> {
    // An ending that a web server would add says nothing of likeness.
    let bare = |route: &str| fold_case(route.strip_suffix(".html").unwrap_or(route));
    let Some(wanted) = asked.routes.last().map(|route| bare(route)) else {
        return Vec::new();
    };
    let wanted_slug = slug_of(&wanted);
    let mut near: Vec<(f64, String)> = Vec::new();
    for route in shelf.artifact.pages().routes() {
        let folded = bare(&route);
        // The same page in another folder is nearer than a like name in the same one.
        let by_path = likeness(&wanted, &folded);
        let by_slug = likeness(wanted_slug, slug_of(&folded));
        let score = (by_slug * 0.98).max((by_slug + by_path) / 2.0);
        if score >= ALIKE && route != "/" {
            near.push((score, route));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.truncate(most);
    // Next to a route that must have been meant, merely similar ones are noise.
    let best = near.first().map_or(0.0, |(score, _)| *score);
    near.retain(|(score, _)| *score > best - NOISE);
    near.into_iter().map(|(_, route)| route).collect()
}
