//! Docusaurus 2 and 3: `docusaurus.config.*`, with instances of the docs, blog and pages plugins.
//!
//! Each instance is a collection. Docs take their addresses from folder, `id` and `slug`, without number prefixes, below the path of their
//! version; posts from the date in their file names; pages from their files in `src/pages`. What starts with `_` is a partial. Translations in
//! `i18n/` stand below their locale, as far as there are any: the copies in the default language that Docusaurus fills up with are left out.
//! A `date` in the future hides nothing here, because Docusaurus publishes such posts.
//! (Docusaurus 3.10: `plugin-content-docs`, `plugin-content-blog`, `plugin-content-pages`.)

mod config;
mod place;
mod sidebars;
mod slots;

use std::collections::HashMap;

use super::settings;
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::front_matter::meta::{TagWritten, Written};
use crate::front_matter::value::{find, find_path};
use crate::front_matter::{Entry, date};
use crate::page::{Log, Text, syntax};
use crate::place::folder_of;
use crate::problem::Problem;
use config::{Instance, Role};

/// What a configuration may be called.
const CONFIGS: [&str; 5] = [
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "docusaurus.config.mjs",
    "docusaurus.config.cjs",
    "docusaurus.config.mts",
];

#[derive(Debug)]
pub(super) struct Docusaurus {
    facts: Facts,
    /// The folder of the configuration, below the site's folder.
    root: String,
    instances: Vec<Instance>,
    /// Where each content file lies.
    slots: HashMap<String, Slot>,
    /// Whether `.md` files are MDX as well, which is so unless `markdown.format` says otherwise.
    md_is_mdx: bool,
    /// Files whose front matter chooses their format: whether that is MDX.
    formats: HashMap<String, bool>,
    /// Admonitions of the site's own.
    keywords: Vec<String>,
    /// The place of each document in the sidebars.
    orders: HashMap<String, u32>,
}

/// Where a file lies among the instances.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Slot {
    /// Into the instances.
    instance: usize,
    /// Into the instance's versions.
    version: usize,
    /// The locale, unless it is the default one.
    locale: Option<String>,
    /// The path below the version's folder.
    path: String,
}

impl Docusaurus {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files.find(&CONFIGS)?;
        let read = config::read(files, &path);
        let formats = HashMap::new();
        Some(Box::new(Docusaurus {
            root: read.root,
            facts: read.facts,
            instances: read.instances,
            slots: read.slots,
            md_is_mdx: read.md_is_mdx,
            keywords: read.keywords,
            formats,
            orders: HashMap::new(),
        }))
    }

    fn doc(&self, slot: &Slot, file: &mut Seen<'_>) -> (String, bool) {
        let instance = &self.instances[slot.instance];
        let strips = instance.number_prefixes
            && settings::boolean(file.map, "parse_number_prefixes") != Some(false);
        let id = text(file.map, "id");
        let slug = text(file.map, "slug");
        let doc = place::doc(&slot.path, id.as_deref(), slug.as_deref(), strips);
        if file.meta.title.is_none() && !starts_with_title(file.body) {
            file.meta.title = Some(doc.base_id);
        }
        (doc.slug, doc.is_index)
    }

    fn post(&self, slot: &Slot, file: &mut Seen<'_>) -> String {
        let name = place::post(&slot.path);
        if let Some(day) = &name.date
            && file.meta.date.is_none()
            && let Some(date) = date::parse(day)
        {
            file.meta.date = Some(Written {
                text: date.text.clone(),
                date: Some(date),
                line: 1,
            });
        }
        if file.meta.title.is_none() && !starts_with_title(file.body) {
            file.meta.title = Some(name.text).filter(|text| !text.is_empty());
        }
        let authors = &self.instances[slot.instance].versions[slot.version].authors;
        if let Some(entry) = find(file.map, "authors") {
            let names = place::author_names(&entry.node, authors);
            if !names.is_empty() {
                file.meta.author = Some(names.join(", "));
            }
        }
        text(file.map, "slug").unwrap_or(name.slug)
    }
}

/// A text at a key of front matter; numbers are texts as well.
fn text(map: &[Entry], key: &str) -> Option<String> {
    settings::text(map, key)
}

/// The address of a link from the site's root that leaves the base path out, which Docusaurus puts in. None for a link to a file.
fn with_base(url: &str, target: &str) -> Option<String> {
    let host = url.find("://").map_or(0, |at| at + 3);
    let base = &url[host + url[host..].find('/')?..];
    let path = target.split(['?', '#']).next().unwrap_or(target);
    let lacks = target.starts_with('/')
        && !target.starts_with("//")
        && crate::place::below(path.trim_end_matches('/'), base).is_none()
        && crate::source::markdown_ending(path).is_none();
    lacks.then(|| format!("{base}{target}"))
}

/// Whether a page's first heading is of the first level, which is then its title.
fn starts_with_title(body: &str) -> bool {
    let mut fence: Option<&str> = None;
    for line in body.lines() {
        let start = line.trim_start();
        let sign = ["```", "~~~"]
            .into_iter()
            .find(|sign| start.starts_with(sign));
        match (fence, sign) {
            (None, Some(_)) => fence = sign,
            (Some(open), Some(sign)) if open == sign => fence = None,
            (None, None) if line.starts_with('#') => return line.starts_with("# "),
            (None, None) if line.len() > 2 && line.bytes().all(|b| b == b'=') => return true,
            _ => {}
        }
    }
    false
}

impl Generator for Docusaurus {
    fn kind(&self) -> Kind {
        Kind::Docusaurus
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        self.slots.contains_key(source)
    }

    fn survey(&mut self, files: &mut [Seen<'_>], problems: &mut Vec<Problem>) {
        for file in files.iter() {
            if let Some(format) = find_path(file.map, "mdx.format").and_then(|e| e.node.text()) {
                let is_mdx = match format {
                    "detect" => file.source.ends_with(".mdx"),
                    format => format != "md",
                };
                self.formats.insert(file.source.to_owned(), is_mdx);
            }
        }
        let mut next = 0;
        for (at, instance) in self.instances.iter().enumerate() {
            if instance.role != Role::Docs {
                continue;
            }
            for (version, held) in instance.versions.iter().enumerate() {
                let docs = files.iter().filter_map(|file| {
                    let slot = self.slots.get(file.source)?;
                    let own = slot.instance == at && slot.version == version;
                    if !own || file.meta.hidden.is_some() {
                        return None;
                    }
                    let strips = instance.number_prefixes
                        && settings::boolean(file.map, "parse_number_prefixes") != Some(false);
                    let id = text(file.map, "id");
                    let doc = place::doc(&slot.path, id.as_deref(), None, strips);
                    let own = find(file.map, "sidebar_position")
                        .and_then(|entry| entry.node.text()?.trim().parse().ok());
                    Some(sidebars::Doc {
                        source: file.source,
                        path: &slot.path,
                        id: doc.id,
                        position: own.or(doc.number),
                        is_index: place::is_index(&slot.path),
                        translated: slot.locale.is_some(),
                    })
                });
                let docs: Vec<sidebars::Doc<'_>> = docs.collect();
                let strips = instance.number_prefixes;
                held.sidebar.walk(&docs, strips, &mut |source| {
                    self.orders.entry(source.to_owned()).or_insert_with(|| {
                        next += 1;
                        next
                    });
                });
                if let Some(file) = &held.sidebar.file {
                    for id in held.sidebar.unknown(&docs) {
                        problems.push(Problem::warning(
                            file,
                            format!("the sidebar names the document `{id}`, which is not there"),
                        ));
                    }
                }
            }
        }
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let Some(slot) = self.slots.get(file.source) else {
            return Placing::Material;
        };
        let instance = &self.instances[slot.instance];
        let version = &instance.versions[slot.version];
        // A date says when, not whether: Docusaurus publishes what is dated in the future.
        if find(file.map, "publishDate").is_none() {
            file.meta.show_early();
        }
        let (slug, is_index) = match instance.role {
            Role::Docs => self.doc(slot, file),
            Role::Blog => (self.post(slot, file), false),
            Role::Pages => place::page(&slot.path, text(file.map, "slug").as_deref()),
        };
        if let Some(locale) = &slot.locale {
            file.meta.language.get_or_insert_with(|| locale.clone());
        }
        for TagWritten { text, .. } in &mut file.meta.tags {
            if let Some(label) = version.tags.get(text.as_str()) {
                text.clone_from(label);
            }
        }
        let locale = slot.locale.as_deref().unwrap_or_default();
        let base = &instance.route_base;
        let route = format!("/{locale}/{base}/{}/{slug}", version.route);
        Placing::Page(Placed {
            route: artifact::route::canonical(&route),
            is_index,
            collection: Some(instance.name.clone()),
            order: self.orders.get(file.source).copied(),
        })
    }

    fn is_mdx(&self, source: &str) -> bool {
        match self.formats.get(source) {
            Some(is_mdx) => *is_mdx,
            None => self.md_is_mdx || source.ends_with(".mdx"),
        }
    }

    /// `@site/` is the configuration's folder, `pathname://` an address that is none of Docusaurus's. A path to a file that does not start
    /// with `./` is looked for beside the page, in the folders of its plugin, and beside the configuration.
    fn link(&self, page: &Context<'_>, target: &str) -> Option<String> {
        let base = self
            .facts
            .url
            .as_deref()
            .unwrap_or_default()
            .trim_end_matches('/');
        if let Some(path) = target.strip_prefix("pathname://") {
            return Some(format!("{base}/{}", path.trim_start_matches('/')));
        }
        if let Some(url) = with_base(base, target) {
            return Some(url);
        }
        let (path, tail) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
        let folder = folder_of(page.source);
        let from_page = |path: &str| {
            Some(format!(
                "{}{tail}",
                syntax::partials::relative(folder, path)
            ))
        };
        if let Some(path) = path.strip_prefix("@site/") {
            let path = crate::site_map::joined(&self.root, path)?;
            let statics = crate::site_map::joined(&self.root, "static")?;
            return match crate::place::below(&path, &statics) {
                Some(asset) => Some(format!("/{asset}{tail}")),
                None => from_page(&path),
            };
        }
        if crate::source::markdown_ending(path).is_none()
            || path.starts_with("./")
            || path.starts_with("../")
        {
            return None;
        }
        let slot = self.slots.get(page.source)?;
        let path = artifact::route::decoded(path);
        let beside = (!path.starts_with('/')).then_some(folder);
        let folders = self.instances[slot.instance].folders();
        let folders = beside
            .into_iter()
            .chain(folders)
            .chain([self.root.as_str()]);
        let found = folders
            .filter_map(|folder| crate::site_map::joined(folder, path.trim_start_matches('/')))
            .find(|path| self.slots.contains_key(path))?;
        from_page(&found)
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let is_mdx = self.is_mdx(page.source);
        syntax::docusaurus::heading_ids(text, is_mdx);
        if is_mdx {
            let alias = |path: &str| {
                let path = path.strip_prefix("@site/")?;
                crate::site_map::joined(&self.root, path)
            };
            syntax::partials::expand(text, page.source, &alias, page.files, log);
        }
        syntax::docusaurus::admonitions(text, &self.keywords, is_mdx);
    }

    fn finish(&self, _: &Context<'_>, text: &mut Text, log: &mut Log) {
        syntax::directives::render(text, log);
    }
}
