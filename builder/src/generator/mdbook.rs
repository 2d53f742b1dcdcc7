//! mdBook: `book.toml`, chapters in `src/SUMMARY.md`, addresses that end in `.html`.
//!
//! Only what the summary names is a chapter; a file it does not name is published by nobody, and files that chapters include are material.
//! `README.md` is its folder's `index.html`. mdBook writes the first chapter a second time, as the book's `index.html`; here the root is the
//! list of the chapters, unless a chapter is the root's own.
//! (mdBook's guide: "SUMMARY.md", "Configuration".)

use std::collections::HashMap;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::settings::{self, Config};
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::config::CollectionSettings;
use crate::page::{Anchors, Log, Text, syntax};
use crate::place::{below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;

/// The name of the one collection of a book.
const BOOK: &str = "book";

#[derive(Debug)]
pub(super) struct MdBook {
    facts: Facts,
    /// The folder of the chapters, below the site's folder.
    src: String,
    /// The chapters by their paths below `src`.
    chapters: HashMap<String, Chapter>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Chapter {
    title: String,
    order: u32,
}

impl MdBook {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files.find(&["book.toml"])?;
        let mut facts = Facts {
            config: path.clone(),
            trailing_slash: Some(true),
            ..Facts::default()
        };
        let config = settings::read(files, &path, &mut facts.problems);
        let root = folder_of(&path);
        let src = config.text("book.src").unwrap_or_else(|| "src".into());
        let src = joined(root, &src).unwrap_or_else(|| "src".into());
        facts.title = config.text("book.title");
        facts.description = config.text("book.description");
        facts.language = config.text("book.language");
        facts.author = config
            .node("book.authors")
            .map(|node| settings::texts(node).join(", "))
            .filter(|names| !names.is_empty());
        facts.url = address(&config);
        facts.content = if src.is_empty() {
            ".".into()
        } else {
            src.clone()
        };
        let title = facts.title.clone().unwrap_or_else(|| "Book".into());
        facts.collections = vec![CollectionSettings {
            name: BOOK.into(),
            title,
            description: facts.description.clone(),
            path: ".".into(),
            route: "/{path}".into(),
            posts: true,
            ..CollectionSettings::default()
        }];
        let summary = joined(&src, "SUMMARY.md")?;
        let chapters = match files.read(&summary) {
            Ok(text) => chapters(&text),
            Err(problem) => {
                facts
                    .problems
                    .push(problem.help("mdBook takes its chapters from this file"));
                HashMap::new()
            }
        };
        for path in chapters.keys() {
            let missing = joined(&src, path).is_none_or(|path| !files.has(&path));
            if missing {
                facts.problems.push(Problem::warning(
                    &summary,
                    format!("the chapter `{path}` is not there"),
                ));
            }
        }
        facts.problems.sort_by(|a, b| a.what.cmp(&b.what));
        Some(Box::new(MdBook {
            facts,
            src,
            chapters,
        }))
    }

    fn chapter<'s>(&self, source: &'s str) -> Option<(&'s str, &Chapter)> {
        let path = below(source, &self.src)?;
        Some((path, self.chapters.get(path)?))
    }
}

/// `site-url` is a path unless it is given whole; `cname` names the host.
fn address(config: &Config) -> Option<String> {
    let path = config.text("output.html.site-url");
    if let Some(url) = path.as_deref().filter(|url| url.contains("://")) {
        return Some(url.to_owned());
    }
    let host = config.text("output.html.cname")?;
    Some(format!("https://{host}{}", path.unwrap_or_default()))
}

/// The chapters that a summary links to, each once, in order. A link to nothing is a chapter that is yet to be written.
fn chapters(summary: &str) -> HashMap<String, Chapter> {
    let mut found: HashMap<String, Chapter> = HashMap::new();
    let mut open: Option<(String, String)> = None;
    for event in Parser::new(summary) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                open = Some((dest_url.into_string(), String::new()));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, title)) = &mut open {
                    title.push_str(&text);
                }
            }
            Event::End(TagEnd::Link) => {
                let Some((link, title)) = open.take() else {
                    continue;
                };
                let path = artifact::route::decoded(&link).replace('\\', "/");
                if let Some(path) = joined("", &path).filter(|path| !path.is_empty()) {
                    let order = u32::try_from(found.len()).unwrap_or(u32::MAX);
                    found.entry(path).or_insert(Chapter { title, order });
                }
            }
            _ => {}
        }
    }
    found
}

/// The route of a chapter's file: its own name with `.html`, the folder for a README.
fn route(path: &str) -> (String, bool) {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let is_index = name.eq_ignore_ascii_case("readme") || name == "index";
    let route = match is_index {
        true => folder.to_owned(),
        false => format!("{stem}.html"),
    };
    (artifact::route::canonical(&route), is_index)
}

impl Generator for MdBook {
    fn kind(&self) -> Kind {
        Kind::MdBook
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        self.chapter(source).is_some()
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let Some((path, chapter)) = self.chapter(file.source) else {
            return Placing::Material;
        };
        let (route, is_index) = route(path);
        if !file.body.lines().any(|line| line.starts_with("# ")) && file.meta.title.is_none() {
            file.meta.title = Some(chapter.title.clone());
        }
        Placing::Page(Placed {
            route,
            is_index,
            collection: Some(BOOK.into()),
            order: Some(chapter.order),
        })
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        syntax::mdbook::expand(text, page.source, page.files, log);
    }

    fn render(&self, _: &Context<'_>, text: &mut Text, _: &mut Log) {
        syntax::mdbook::shown_lines(text);
        syntax::mdbook::listings(text);
    }

    fn anchors(&self) -> Anchors {
        Anchors::MdBook
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_what_the_summary_links_to() {
        let found = chapters(
            "# Summary\n\n[Preface](preface.md)\n\n- [One](one/README.md)\n  - [`a` and b](./one/a%20b.md)\n- [Draft]()\n- [One again](one/README.md)\n",
        );
        let mut told: Vec<(u32, &str, &str)> = found
            .iter()
            .map(|(path, c)| (c.order, path.as_str(), c.title.as_str()))
            .collect();
        told.sort();
        assert_eq!(
            told,
            [
                (0, "preface.md", "Preface"),
                (1, "one/README.md", "One"),
                (2, "one/a b.md", "a and b")
            ]
        );
    }

    #[test]
    fn addresses_are_files() {
        assert_eq!(route("ch01.md"), ("/ch01.html".into(), false));
        assert_eq!(route("guide/README.md"), ("/guide".into(), true));
        assert_eq!(route("README.md"), ("/".into(), true));
    }
}
