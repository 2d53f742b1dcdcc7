//! `man`: a page of the manual, as the builder made it.
//!
//! A topic is found in any letter case, with `-` for `_`, and with the brackets in which people write the name of a tool's page.

use artifact::catalogue::{nearest, shown};
use artifact::format::Error;

use super::absent::absent;
use super::answer::{damaged, failed, texts};
use super::shelf::Shelf;
use crate::mcp::Called;

/// Answers a call. Without a topic it lists the topics.
pub fn answer(shelf: &Shelf, topic: Option<&str>) -> Called {
    let pages = match pages(shelf) {
        Ok(pages) => pages,
        Err(error) => return damaged(&error),
    };
    let wanted = folded(topic.unwrap_or_default());
    let found = pages.iter().find(|(name, _)| folded(name) == wanted);
    if let Some((_, page)) = found {
        return texts([(*page).to_owned()]);
    }
    let names = pages.iter().map(|(name, _)| *name);
    let near = nearest(&wanted, names.filter(|name| !name.is_empty()), 3);
    let near: Vec<String> = near.into_iter().map(str::to_owned).collect();
    let what = format!(
        "The manual has no page `{}`",
        shown(topic.unwrap_or_default())
    );
    failed(absent(
        shelf,
        &what,
        &near,
        "man without a topic lists all pages.",
    ))
}

/// The topics that there are, each with its page. The list of topics has no name.
fn pages(shelf: &Shelf) -> Result<Vec<(&str, &str)>, Error> {
    let (topics, _) = shelf.manual()?.as_chunks();
    let pages = topics.iter().map(|[name, with, without]| {
        let page = if shelf.feedback { with } else { without };
        (&**name, &**page)
    });
    Ok(pages.filter(|(_, page)| !page.is_empty()).collect())
}

/// `Search-Content(1)` as `search_content`.
fn folded(topic: &str) -> String {
    let topic = topic.trim().trim_matches(['`', '"']);
    let name = topic.split_once('(').map_or(topic, |(name, _)| name);
    name.trim().to_lowercase().replace('-', "_")
}
