//! Pages of the manual that the site's author writes, as markdown files in a folder of their own.
//!
//! Each is a topic with the name of its file. What it says stays the author's text; only the line in the list of topics is made of its title and
//! description. Where there is no feedback, what names `submit_feedback` is left out of it.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use artifact::catalogue::{Operation, SiteSurface, Tool};
use artifact::clean::one_line;
use artifact::route::{as_asked, slug_of};
use jiff::civil;

use super::reference::NAMES;
use super::{REFERENCE_CATEGORY, Topic};
use crate::config::{Settings, names};
use crate::front_matter::{self, meta};
use crate::leaks::HiddenDocument;
use crate::page::{self, Outcome, Reference};
use crate::place::below;
use crate::problem::Problem;
use crate::source;

/// A page of the manual that the site's author wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPage {
    /// Its topic.
    pub name: String,
    /// The file, below the site's folder.
    pub source: String,
    /// What the list of topics says about it, on one line.
    pub summary: String,
    /// Its text.
    pub markdown: String,
    /// The line on which the text begins in the file, counted from 1.
    pub line: u32,
}

/// Whether a file is a page of the manual: it stands in the folder itself.
pub(crate) fn is_own(path: &str, folder: &str) -> bool {
    !folder.is_empty()
        && below(path, folder).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}

/// What was read of the folder.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// The pages that are published.
    pub pages: Vec<OwnPage>,
    /// The files that are not.
    pub hidden: Vec<HiddenDocument>,
}

/// Reads the pages. `routes` are the site's published routes: a link to one is made absolute, one to anything else of the site is undone.
pub(crate) fn read(
    root: &Path,
    paths: &[String],
    settings: &Settings,
    routes: &HashSet<&str>,
    now: civil::Date,
    problems: &mut Vec<Problem>,
) -> Own {
    let mut own = Own::default();
    let taken = tool_names(settings);
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for path in paths {
        let stem = slug_of(path).split('.').next().unwrap_or_default();
        let name = stem.to_lowercase();
        let reserved = NAMES.contains(&&*name);
        if !names::is_name(&name) {
            problems.push(
                Problem::error(path, format!("`{stem}` cannot name a page of the manual"))
                    .help("call the file by letters, digits, `-` and `_`"),
            );
            continue;
        }
        if reserved || taken.contains(&name) {
            let of = match reserved {
                true => "the manual's own page",
                false => "the tool",
            };
            problems.push(
                Problem::error(path, format!("{of} `{name}` has this name already"))
                    .help("rename the file"),
            );
            continue;
        }
        if let Some(other) = seen.insert(name.clone(), path) {
            let what = format!("`{other}` and this file are both the page `{name}` of the manual");
            problems.push(Problem::error(path, what).help("rename one of them"));
            continue;
        }
        match read_file(root, path, settings, routes, now, problems) {
            Some(Ok(page)) => own.pages.push(OwnPage { name, ..page }),
            Some(Err(hidden)) => own.hidden.push(hidden),
            None => {}
        }
    }
    own
}

fn read_file(
    root: &Path,
    path: &str,
    settings: &Settings,
    routes: &HashSet<&str>,
    now: civil::Date,
    problems: &mut Vec<Problem>,
) -> Option<Result<OwnPage, HiddenDocument>> {
    let text = source::read(root, path)
        .map_err(|problem| problems.push(problem))
        .ok()?;
    let parts = front_matter::split(&text, path)
        .map_err(|problem| problems.push(*problem))
        .ok()?;
    problems.extend(parts.warnings);
    let (meta, told) = meta::meta(&parts.map, path, &settings.tags.keys, now);
    problems.extend(told);
    if let Some(hidden) = meta.hidden {
        return Some(Err(HiddenDocument {
            source: path.to_owned(),
            route: String::new(),
            title: meta.title,
            why: hidden.why,
        }));
    }
    let address = &settings.address;
    let mut dead: Vec<(u32, String)> = Vec::new();
    let mut resolve = |reference: &Reference<'_>| -> Outcome {
        let asked = as_asked(reference.target, address);
        if asked.routes.is_empty() || reference.target.starts_with('#') {
            return Outcome::Keep;
        }
        match asked
            .routes
            .iter()
            .find(|route| routes.contains(route.as_str()))
        {
            Some(route) => {
                let anchor = asked.anchor.as_ref().map(|anchor| format!("#{anchor}"));
                Outcome::Replace(address.url(route) + &anchor.unwrap_or_default())
            }
            None => {
                dead.push((reference.line, reference.target.to_owned()));
                Outcome::Unlink
            }
        }
    };
    let published = page::publish(parts.body.to_owned(), parts.body_line, false, &mut resolve);
    for (line, target) in dead {
        problems.push(
            Problem::warning(path, format!("`{target}` leads to no published page"))
                .at(line)
                .help("write the page's route from the root of the site; the link is left out and its text stays"),
        );
    }
    let reading = page::read(&published.markdown, usize::MAX);
    let heading = || reading.outline.first().map(|heading| heading.text.clone());
    let summary = meta.description.or(meta.title).or_else(heading);
    let summary = summary.map(|text| one_line(&text).into_owned());
    if summary.is_none() {
        problems.push(
            Problem::warning(path, "the page says nowhere what it is about")
                .help("add `description: One short sentence.` at its top"),
        );
    }
    Some(Ok(OwnPage {
        name: String::new(),
        source: path.to_owned(),
        summary: summary.unwrap_or_default(),
        markdown: published.markdown,
        line: parts.body_line,
    }))
}

/// The names of all tools that the site may serve.
fn tool_names(settings: &Settings) -> HashSet<String> {
    let of_site = Tool::ALL.into_iter().map(|tool| tool.name().to_owned());
    let with_tools = settings
        .collections
        .iter()
        .filter(|it| it.tools && !it.hidden);
    let of_collections = with_tools.flat_map(|collection| {
        Operation::READ.map(|operation| operation.tool_name(collection.tool_slug()).to_lowercase())
    });
    of_site.chain(of_collections).collect()
}

/// The page as a topic; none when nothing of it is left.
pub(super) fn topic(page: &OwnPage, surface: &SiteSurface) -> Option<Topic> {
    let tool = Tool::SubmitFeedback.name();
    let shown = |text: &str| match surface.feedback {
        true => text.to_owned(),
        false => without(text, tool),
    };
    let text = shown(&page.markdown);
    if text.trim().is_empty() {
        return None;
    }
    let summary = match page.summary.contains(tool) && !surface.feedback {
        true => page.name.clone(),
        false => page.summary.clone(),
    };
    Some(Topic {
        name: page.name.clone(),
        summary,
        category: REFERENCE_CATEGORY.to_owned(),
        text,
    })
}

/// A markdown text without what names a tool: of a list its line, else the whole paragraph.
fn without(text: &str, tool: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for block in text.split("\n\n") {
        let is_item = |line: &str| line.trim_start().starts_with(['-', '*', '+', '|']);
        match block {
            block if !block.contains(tool) => blocks.push(block.to_owned()),
            block if block.lines().all(is_item) => {
                let kept: Vec<&str> = block.lines().filter(|line| !line.contains(tool)).collect();
                if !kept.is_empty() {
                    blocks.push(kept.join("\n"));
                }
            }
            _ => {}
        }
    }
    blocks.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_the_tool_is_left_out_and_nothing_else() {
        let text = "# Help\n\nAsk.\n\nSend it with `submit_feedback`.\nSoon.\n\n- `man`\n- `submit_feedback`\n\nEnd.\n";
        let tool = Tool::SubmitFeedback.name();
        assert_eq!(without(text, tool), "# Help\n\nAsk.\n\n- `man`\n\nEnd.\n");
        assert_eq!(without("Only submit_feedback.\n", tool), "");
    }

    #[test]
    fn only_files_of_the_folder_itself_are_pages() {
        assert!(is_own("man/a.md", "man") && is_own("docs/man/a.md", "docs/man"));
        for path in ["man/b/a.md", "mana/a.md", "man", "a.md"] {
            assert!(!is_own(path, "man"), "{path}");
        }
        assert!(!is_own("a.md", ""));
    }
}
