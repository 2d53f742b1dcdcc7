//! Takes in pages that exist only as built HTML: `[[html]]` in the configuration.

use std::collections::HashSet;
use std::path::Path;

use artifact::route::canonical;
use jiff::civil;
use rayon::prelude::*;

use super::{HtmlPage, Selector, markdown, read};
use crate::built::no_content;
use crate::config::HtmlSettings;
use crate::front_matter::meta::{Hidden, Written};
use crate::front_matter::{Meta, date};
use crate::place::below;
use crate::problem::Problem;
use crate::source;

/// A page of HTML on its way to being one of ours.
pub(crate) struct Taken {
    /// The file, below the site's folder.
    pub source: String,
    /// Its path below the folder of `[[html]]`.
    pub path: String,
    /// Its route.
    pub route: String,
    /// Whether it is its folder's `index.html`.
    pub is_index: bool,
    /// What it says about itself.
    pub meta: Meta,
    /// Its content as markdown.
    pub body: String,
}

/// The files that a table of `[[html]]` takes in: each with its path below the table's folder.
pub(crate) fn chosen<'p>(
    settings: &HtmlSettings,
    paths: impl Iterator<Item = &'p String>,
) -> Vec<(&'p str, &'p str)> {
    let include = source::globs(&settings.include);
    let exclude = source::globs(&settings.exclude);
    paths
        .filter_map(|path| Some((path.as_str(), below(path, &settings.path)?)))
        .filter(|(_, inside)| {
            inside.to_ascii_lowercase().ends_with(".html")
                && (settings.include.is_empty() || include.is_match(inside))
                && !exclude.is_match(inside)
                && no_content(&route_of(inside).0).is_none()
        })
        .collect()
}

fn route_of(inside: &str) -> (String, bool) {
    match inside.strip_suffix("index.html") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => (canonical(folder), true),
        _ => (canonical(inside), false),
    }
}

/// Reads the pages that `[[html]]` takes in. Routes that are taken by markdown stay its own; a page that only sends readers on is none.
pub(crate) fn take_in(
    root: &Path,
    settings: &[HtmlSettings],
    paths: &[String],
    taken: &HashSet<&str>,
    now: civil::Date,
    problems: &mut Vec<Problem>,
) -> Vec<Taken> {
    let mut found: Vec<Taken> = Vec::new();
    for settings in settings {
        let selector = settings.main.as_deref().and_then(Selector::read);
        let files = chosen(settings, paths.iter());
        if files.is_empty() {
            problems.push(
                Problem::warning(
                    &settings.path,
                    "`[[html]]` names this folder, and no HTML in it is chosen",
                )
                .help("build the site before, and name the folder that its pages are written to"),
            );
        }
        let read: Vec<Result<Option<Taken>, Problem>> = files
            .par_iter()
            .map(|(path, inside)| {
                let (route, is_index) = route_of(inside);
                let bare = route.strip_suffix(".html").unwrap_or(&route);
                if taken.contains(route.as_str()) || taken.contains(bare) {
                    return Ok(None);
                }
                let html = source::read(root, path)?;
                let page = read(&html, selector.as_ref());
                if page.redirect.is_some() {
                    return Ok(None);
                }
                let body = match page.noindex {
                    true => String::new(),
                    false => markdown(&html, selector.as_ref()),
                };
                Ok(Some(Taken {
                    source: (*path).to_owned(),
                    path: (*inside).to_owned(),
                    route,
                    is_index,
                    meta: meta_of(page, now),
                    body,
                }))
            })
            .collect();
        for page in read {
            match page {
                Ok(Some(page)) if !found.iter().any(|other| other.source == page.source) => {
                    found.push(page);
                }
                Ok(_) => {}
                Err(problem) => problems.push(problem),
            }
        }
    }
    found
}

fn meta_of(page: HtmlPage, now: civil::Date) -> Meta {
    let date = page.published.as_deref().and_then(date::parse);
    let early = date.as_ref().is_some_and(|date| date.is_after(now));
    let written = date.map(|date| Written {
        text: date.text.clone(),
        date: Some(date),
        line: 1,
    });
    let hidden = match (page.noindex, early) {
        (true, _) => Some(Hidden::of("`<meta name=robots>` says `noindex`")),
        (false, true) => Some(Hidden {
            why: "it is dated in the future".into(),
            is_early: true,
        }),
        (false, false) => None,
    };
    Meta {
        title: page
            .heading
            .or(Some(page.title))
            .filter(|title| !title.is_empty()),
        description: page.description,
        language: page.language,
        date: written,
        hidden,
        ..Meta::default()
    }
}
