//! `get_post`: one post by its slug.
//!
//! Posts are the documents of the collections that the site marks so. A route or URL of a post is read as its slug. A slug of another
//! kind of document is not a post: the answer says what it is and where.

use std::collections::BTreeSet;

use artifact::catalogue::{nearest, shown};
use artifact::format::{Collection, PageId};
use artifact::route::{as_asked, slug_of};

use super::absent::{absent, or};
use super::answer::{damaged, failed, found};
use super::shelf::Shelf;
use crate::mcp::{Called, Structured};

/// Answers a call.
pub fn answer(shelf: &Shelf, slug: &str) -> Called {
    let documents = documents_of(shelf, slug);
    let (posts, others): (Vec<PageId>, Vec<PageId>) = documents
        .into_iter()
        .partition(|page| is_post(shelf, *page));
    match (posts.as_slice(), others.as_slice()) {
        ([post], _) => match shelf.page(*post) {
            Ok(page) => {
                let row = page.open_row();
                let mut answer = Structured::with_capacity(row.json().len() + 16);
                answer.sign("{").name("post").add(row).sign("}}");
                found(answer)
            }
            Err(error) => damaged(&error),
        },
        ([], []) => failed(no_post(shelf, slug)),
        ([], [other, ..]) => failed(not_a_post(shelf, slug, *other)),
        (several, _) => {
            let routes: Vec<String> = several
                .iter()
                .filter_map(|page| shelf.artifact.pages().route(*page))
                .collect();
            failed(format!(
                "More than one post has the slug `{}`: {}. get_page_info and get_page_markdown take the route.",
                shown(slug),
                or(&routes)
            ))
        }
    }
}

/// The documents of a slug; of a route or URL when it is one.
pub(super) fn documents_of(shelf: &Shelf, slug: &str) -> Vec<PageId> {
    let pages = shelf.artifact.pages();
    let exact = pages.documents_with_slug(slug);
    if !exact.is_empty() {
        return exact;
    }
    let asked = as_asked(slug, &shelf.address);
    let page = asked
        .routes
        .iter()
        .find_map(|route| pages.find(route))
        .filter(|page| *page < pages.documents());
    if let Some(page) = page {
        return vec![page];
    }
    let slugs = asked
        .routes
        .iter()
        .filter(|route| route.matches('/').count() == 1)
        .map(|route| slug_of(route));
    slugs
        .map(|slug| pages.documents_with_slug(slug))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn collection(shelf: &Shelf, page: PageId) -> Option<&Collection<'static>> {
    let number = shelf.artifact.pages().collection(page)?;
    shelf.artifact.collections().get(usize::from(number))
}

fn is_post(shelf: &Shelf, page: PageId) -> bool {
    collection(shelf, page).is_some_and(|collection| collection.posts)
}

fn not_a_post(shelf: &Shelf, slug: &str, page: PageId) -> String {
    let route = shelf.artifact.pages().route(page).unwrap_or_default();
    let of = collection(shelf, page)
        .map(|collection| collection.name)
        .unwrap_or_default();
    format!(
        "`{}` is not a post, it is a document of {}: {}. get_page_info and get_page_markdown take that route.",
        shown(slug),
        shown(of),
        shown(&route)
    )
}

fn no_post(shelf: &Shelf, slug: &str) -> String {
    let posts: Vec<&Collection<'_>> = shelf
        .artifact
        .collections()
        .iter()
        .filter(|collection| collection.posts)
        .collect();
    if posts.is_empty() {
        return absent(
            shelf,
            "This site has no posts",
            &[],
            "list_pages lists its pages.",
        );
    }
    let routes = posts
        .iter()
        .flat_map(|collection| collection.range())
        .filter_map(|page| shelf.artifact.pages().route(page));
    let slugs: BTreeSet<String> = routes.map(|route| slug_of(&route).to_owned()).collect();
    let asked = slug
        .rsplit('/')
        .find(|segment| !segment.is_empty())
        .unwrap_or(slug);
    let near: Vec<String> = nearest(asked, slugs.iter().map(String::as_str), 3)
        .into_iter()
        .map(str::to_owned)
        .collect();
    let names: Vec<String> = posts
        .iter()
        .map(|collection| collection.name.to_owned())
        .collect();
    let next = format!(
        "search_content with collection {} and no match lists posts, newest first.",
        or(&names)
    );
    absent(
        shelf,
        &format!("No post has the slug `{}`", shown(slug)),
        &near,
        &next,
    )
}
