//! The navigation: `nav` of `mkdocs.yml`, lists of links that `literate-nav` reads, and `.pages` of `awesome-pages`.

use std::collections::HashMap;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::super::SiteFiles;
use super::super::settings::{self, Config};
use super::options;
use crate::front_matter::{self, Node, Value};
use crate::site_map::joined;

/// A page of the navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) title: Option<String>,
    pub(super) order: u32,
    line: u32,
}

#[derive(Debug, Default)]
pub(super) struct Nav {
    /// By the pages' paths below the docs.
    entries: HashMap<String, Entry>,
    /// Whether `nav` of the configuration says it all.
    is_whole: bool,
}

/// How deep folders are followed.
const DEEPEST: usize = 16;

struct Reader<'a> {
    files: &'a SiteFiles,
    docs: &'a str,
    /// The file of each folder that `literate-nav` reads.
    literate: Option<String>,
    awesome: bool,
    nav: Nav,
}

impl Nav {
    pub(super) fn read(config: &Config, files: &SiteFiles, docs: &str) -> Nav {
        let literate = options::plugin(config, "literate-nav").map(|own| {
            own.and_then(|own| settings::text(settings::entries(own), "nav_file"))
                .unwrap_or_else(|| "SUMMARY.md".into())
        });
        let awesome = ["awesome-pages", "awesome-nav"]
            .iter()
            .any(|name| options::plugin(config, name).is_some());
        let mut reader = Reader {
            files,
            docs,
            literate,
            awesome,
            nav: Nav {
                is_whole: !awesome,
                ..Nav::default()
            },
        };
        match config.node("nav") {
            Some(node) => reader.items(node, 0),
            None if reader.literate.is_some() || awesome => reader.folder("", 0),
            // Without `nav` pages stand in the order of their names, an index first.
            None => reader.folder("", 0),
        }
        reader.nav
    }

    pub(super) fn entry(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Paths that stand in the navigation and are no pages, with their lines.
    pub(super) fn missing<'s>(&'s self, has: &dyn Fn(&str) -> bool) -> Vec<(&'s str, u32)> {
        let mut found: Vec<(&str, u32)> = self
            .entries
            .iter()
            .filter(|(path, entry)| {
                self.is_whole && entry.line > 0 && path.ends_with(".md") && !has(path)
            })
            .map(|(path, entry)| (path.as_str(), entry.line))
            .collect();
        found.sort_unstable();
        found
    }
}

impl Reader<'_> {
    fn add(&mut self, path: &str, title: Option<String>, line: u32) {
        let order = u32::try_from(self.nav.entries.len()).unwrap_or(u32::MAX);
        self.nav
            .entries
            .entry(path.to_owned())
            .or_insert(Entry { title, order, line });
    }

    fn items(&mut self, node: &Node, depth: usize) {
        match &node.value {
            Value::List(items) => items.iter().for_each(|item| self.items(item, depth)),
            Value::Map(entries) => {
                for entry in entries {
                    match entry.node.text() {
                        Some(path) => self.path(path, Some(entry.key.clone()), entry.line, depth),
                        None => self.items(&entry.node, depth),
                    }
                }
            }
            Value::Scalar { .. } => {
                if let Some(path) = node.text() {
                    self.path(path, None, node.line, depth);
                }
            }
        }
    }

    fn path(&mut self, path: &str, title: Option<String>, line: u32, depth: usize) {
        if path.contains("://") || path.starts_with('/') {
            return;
        }
        match path.strip_suffix('/') {
            Some(folder) => self.folder(folder, depth + 1),
            None => {
                if let Some(path) = joined("", path) {
                    self.add(&path, title, line);
                }
            }
        }
    }

    /// All pages of a folder, in the order that its own file says, or of their names.
    fn folder(&mut self, folder: &str, depth: usize) {
        let Some(whole) = joined(self.docs, folder).filter(|_| depth < DEEPEST) else {
            return;
        };
        if let Some(name) = self.literate.clone()
            && let Some(path) = joined(&whole, &name)
            && let Ok(text) = self.files.read(&path)
            && self.links(&text, folder, depth)
        {
            return;
        }
        if self.awesome {
            self.pages_file(&whole, folder, depth);
        }
        let mut names: Vec<String> = Vec::new();
        let mut folders: Vec<String> = Vec::new();
        for path in self.files.below(&whole) {
            let inside = crate::place::below(path, &whole).unwrap_or(path);
            match inside.split_once('/') {
                Some((inner, _)) if !folders.iter().any(|known| known == inner) => {
                    folders.push(inner.to_owned())
                }
                None if inside.ends_with(".md") => names.push(inside.to_owned()),
                _ => {}
            }
        }
        names.sort_by_key(|name| {
            (
                !matches!(name.as_str(), "index.md" | "README.md"),
                name.clone(),
            )
        });
        for name in names {
            if let Some(path) = joined(folder, &name) {
                self.add(&path, None, 0);
            }
        }
        for inner in folders {
            if let Some(inner) = joined(folder, &inner) {
                self.folder(&inner, depth + 1);
            }
        }
    }

    /// The list of links of a `SUMMARY.md`; whether there is one.
    fn links(&mut self, text: &str, folder: &str, depth: usize) -> bool {
        // A page may hold the list between two marks.
        let text = match text.split_once("<!--nav-->") {
            Some((_, rest)) => rest
                .split_once("<!--/nav-->")
                .map_or(rest, |(list, _)| list),
            None => text,
        };
        let mut open: Option<(String, String)> = None;
        let mut found = false;
        let mut inside_list = 0;
        for event in Parser::new(text) {
            match event {
                Event::Start(Tag::List(_)) => inside_list += 1,
                Event::End(TagEnd::List(_)) => inside_list -= 1,
                Event::Start(Tag::Link { dest_url, .. }) if inside_list > 0 => {
                    open = Some((dest_url.into_string(), String::new()));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some((_, title)) = &mut open {
                        title.push_str(&text);
                    }
                }
                Event::End(TagEnd::Link) => {
                    if let Some((link, title)) = open.take()
                        && !link.contains("://")
                    {
                        found = true;
                        let slash = if link.ends_with('/') { "/" } else { "" };
                        if let Some(path) = joined(folder, &artifact::route::decoded(&link)) {
                            self.path(&format!("{path}{slash}"), Some(title), 0, depth);
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// What `.pages` says of a folder; what it does not name follows.
    fn pages_file(&mut self, whole: &str, folder: &str, depth: usize) {
        for name in [".pages", ".nav.yml"] {
            let Some(path) = joined(whole, name).filter(|path| self.files.has(path)) else {
                continue;
            };
            let Ok(text) = self.files.read(&path) else {
                continue;
            };
            let Ok(map) = front_matter::yaml_document(&text, &path) else {
                continue;
            };
            for key in ["nav", "arrange"] {
                let Some(entry) = front_matter::value::find_path(&map, key) else {
                    continue;
                };
                for item in settings::items(&entry.node) {
                    self.page_item(item, folder, depth);
                }
            }
        }
    }

    /// A page or folder that a folder's file names.
    fn named(&mut self, name: &str, title: Option<String>, folder: &str, depth: usize) {
        if name.starts_with("...") || name.contains("://") {
            return;
        }
        let Some(path) = joined(folder, name) else {
            return;
        };
        match path.ends_with(".md") {
            true => self.add(&path, title, 0),
            false => self.folder(&path, depth + 1),
        }
    }

    fn page_item(&mut self, item: &Node, folder: &str, depth: usize) {
        match &item.value {
            Value::Map(entries) => {
                for entry in entries {
                    match entry.node.text() {
                        Some(name) => self.named(name, Some(entry.key.clone()), folder, depth),
                        None => {
                            for inner in settings::items(&entry.node) {
                                self.page_item(inner, folder, depth + 1);
                            }
                        }
                    }
                }
            }
            _ => {
                if let Some(name) = item.text() {
                    self.named(name, None, folder, depth);
                }
            }
        }
    }
}
