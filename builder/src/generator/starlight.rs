//! Astro with Starlight: `astro.config.*`, pages in `src/content/docs`.
//!
//! A page's address is its path with every part slugged as GitHub slugs headings, `index` for its folder, or its `slug`. Languages are folders,
//! but for the one that is called `root`. Markdown in `src/pages` stands at its own path; other content collections stand below their name,
//! which is the usual place, and this is told. Files that start with `_` are parts of others. Copies in the default language, which Starlight
//! puts where a translation is missing, are not made; links to them lead to the page that they are copies of.
//! (Starlight 0.3x: "Pages", "Sidebar navigation", "Internationalization"; Astro 5: "Configuration Reference".)

use std::collections::{BTreeMap, HashMap};

use artifact::route::{Slugger, canonical};

use super::settings::{self, Config, entries, items};
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::config::{CollectionSettings, guess, names};
use crate::front_matter::value::find;
use crate::front_matter::{Entry, Node, Value};
use crate::page::code::{code_ranges, is_inside};
use crate::page::{Log, Text, syntax};
use crate::place::{below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;
use crate::source::markdown_ending;

const CONFIGS: [&str; 5] = [
    "astro.config.mjs",
    "astro.config.js",
    "astro.config.ts",
    "astro.config.mts",
    "astro.config.cjs",
];

#[derive(Debug)]
pub(super) struct Starlight {
    facts: Facts,
    /// The folder of the sources, `src` below the configuration's folder.
    src: String,
    /// Whether addresses are files: `build.format`.
    is_file: bool,
    /// The folders of languages with the languages.
    languages: BTreeMap<String, String>,
    /// The sidebar's entries, in order.
    sidebar: Vec<Item>,
    /// The places of pages in the sidebar, by their ids without the language.
    orders: HashMap<String, u32>,
    /// The folder of the default language; empty for the root.
    default: String,
    /// The pages of the default language: their ids without it, by their files.
    defaults: HashMap<String, String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Item {
    /// A page, by its id.
    Page(String),
    /// All pages of a folder, by `sidebar.order` and then by their ids.
    Folder(String),
}

/// What kind of content a file is, and its path within it.
enum Content<'s> {
    Docs(&'s str),
    Pages(&'s str),
    Other(&'s str, &'s str),
}

impl Starlight {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files.find(&CONFIGS)?;
        let root = folder_of(&path);
        let mut facts = Facts {
            config: path.clone(),
            ..Facts::default()
        };
        let config = settings::read(files, &path, &mut facts.problems);
        let src = config.text("srcDir").unwrap_or_else(|| "src".into());
        let src = joined(root, &src)?;
        let own = config.node("integrations").map(items).unwrap_or_default();
        let starlight: &[Entry] = own
            .iter()
            .filter_map(settings::call)
            .find(|(name, _)| *name == "starlight")
            .and_then(|(_, arguments)| arguments.first())
            .map(entries)
            .unwrap_or_default();
        facts.title = title(starlight);
        facts.description = settings::text(starlight, "description");
        facts.url = config.text("site").map(|site| {
            let base = config.text("base").unwrap_or_default();
            format!("{}/{}", site.trim_end_matches('/'), base.trim_matches('/'))
        });
        config.tell_unread(
            &["site", "base", "trailingSlash", "build.format"],
            &mut facts.problems,
        );
        let is_file = matches!(config.text("build.format").as_deref(), Some("file"));
        facts.trailing_slash = Some(match config.text("trailingSlash").as_deref() {
            Some("always") => true,
            Some("never") => false,
            _ => true,
        });
        facts.content.clone_from(&src);
        let languages = languages(starlight);
        let default = settings::text(starlight, "defaultLocale").filter(|it| it != "root");
        facts.language = default
            .as_deref()
            .map(|folder| {
                languages
                    .get(folder)
                    .cloned()
                    .unwrap_or_else(|| folder.to_owned())
            })
            .or_else(|| languages.get("").cloned());
        let mut sidebar = Vec::new();
        if let Some(entry) = find(starlight, "sidebar") {
            gather(&entry.node, &mut sidebar);
        }
        let mut starlight = Starlight {
            facts,
            src,
            is_file,
            languages,
            sidebar,
            orders: HashMap::new(),
            default: default.clone().unwrap_or_default(),
            defaults: HashMap::new(),
        };
        starlight.collections(files, default.as_deref(), &config);
        Some(Box::new(starlight))
    }

    /// The collections: the folders of the default language, each other language, and each other content collection.
    fn collections(&mut self, files: &SiteFiles, default: Option<&str>, config: &Config) {
        let mut docs: Vec<&str> = Vec::new();
        let mut others: BTreeMap<&str, usize> = BTreeMap::new();
        let mut pages = 0;
        for path in files.paths().filter(|path| self.is_content(path)) {
            match self.content(path) {
                Some(Content::Docs(inside)) => docs.push(inside),
                Some(Content::Other(name, _)) => *others.entry(name).or_default() += 1,
                Some(Content::Pages(_)) => pages += 1,
                None => {}
            }
        }
        let mut found: Vec<CollectionSettings> = Vec::new();
        for (folder, language) in &self.languages {
            if folder.is_empty() || Some(folder.as_str()) == default {
                continue;
            }
            if docs.iter().any(|path| below(path, folder).is_some()) {
                found.push(collection(
                    folder,
                    &format!("content/docs/{folder}"),
                    folder,
                    Some(language),
                ));
            }
        }
        for name in others.keys() {
            found.push(collection(name, &format!("content/{name}"), name, None));
            self.facts.notices.push(format!(
                "the pages of the content collection `{name}` are taken to stand at `/{name}/…`, where the site's own code decides; say `route` under `[[collections]]` to choose"
            ));
        }
        if pages > 0 {
            found.push(collection("site", "pages", "", None));
        }
        let own: Vec<&str> = docs
            .iter()
            .filter_map(|path| match default {
                Some(folder) => below(path, folder),
                None => Some(*path),
            })
            .filter(|path| {
                let first = path.split('/').next().unwrap_or_default();
                default.is_some() || !self.languages.contains_key(first)
            })
            .collect();
        let root = match default {
            Some(folder) => format!("content/docs/{folder}"),
            None => "content/docs".to_owned(),
        };
        let prefix = default.map_or_else(String::new, |folder| format!("/{folder}"));
        let mut guessed = guess::collections(own.iter().copied());
        for collection in &mut guessed {
            let (path, route) = match collection.path.as_str() {
                "." => (root.clone(), format!("{prefix}/{{path}}")),
                folder => (
                    format!("{root}/{folder}"),
                    format!("{prefix}/{}/{{path}}", slugged(folder)),
                ),
            };
            collection.path = path;
            collection.route = route;
        }
        found.retain(|it| !guessed.iter().any(|own| own.name == it.name));
        guessed.extend(found);
        if config.literals.map.is_empty() && guessed.is_empty() {
            return;
        }
        self.facts.collections = guessed;
    }

    fn content<'s>(&self, source: &'s str) -> Option<Content<'s>> {
        let inside = below(source, &self.src)?;
        if let Some(path) = inside.strip_prefix("content/docs/") {
            return Some(Content::Docs(path));
        }
        if let Some(path) = inside.strip_prefix("pages/") {
            return Some(Content::Pages(path));
        }
        let (name, path) = inside.strip_prefix("content/")?.split_once('/')?;
        Some(Content::Other(name, path))
    }

    /// The route of an id, such as `en/guides/start`; none of a file that is an error page.
    fn route(&self, id: &str) -> String {
        let id = id.trim_matches('/');
        match self.is_file && !id.is_empty() {
            true => canonical(&format!("{id}.html")),
            false => canonical(id),
        }
    }

    /// The folder of a language that a path or an id starts with.
    fn language_of(&self, path: &str) -> &str {
        let first = path.split('/').next().unwrap_or_default();
        self.languages
            .get_key_value(first)
            .map_or("", |(folder, _)| folder.as_str())
    }
}

fn collection(name: &str, path: &str, route: &str, language: Option<&str>) -> CollectionSettings {
    CollectionSettings {
        name: names::name_of(name),
        title: names::prettified(name),
        path: path.to_owned(),
        route: match route {
            "" => "/{path}".to_owned(),
            route => format!("/{route}/{{path}}"),
        },
        language: language.map(str::to_owned),
        ..CollectionSettings::default()
    }
}

/// The title of the site: a text, or a table of texts by language.
fn title(starlight: &[Entry]) -> Option<String> {
    if let Some(title) = settings::text(starlight, "title") {
        return Some(title);
    }
    let titles = entries(&find(starlight, "title")?.node);
    let default = settings::text(starlight, "defaultLocale")?;
    let own = titles
        .iter()
        .find(|entry| entry.key == default)
        .or(titles.first())?;
    own.node.text().map(str::to_owned)
}

/// The folders of languages; the root's is empty.
fn languages(starlight: &[Entry]) -> BTreeMap<String, String> {
    let locales = find(starlight, "locales").map(|entry| entries(&entry.node));
    let mut found = BTreeMap::new();
    for entry in locales.unwrap_or_default() {
        let language = settings::text(entries(&entry.node), "lang");
        let folder = if entry.key == "root" { "" } else { &entry.key };
        found.insert(
            folder.to_owned(),
            language.unwrap_or_else(|| entry.key.clone()),
        );
    }
    found
}

/// The entries of a sidebar, and of functions that make groups of it.
fn gather(node: &Node, sidebar: &mut Vec<Item>) {
    match &node.value {
        Value::List(list) => list.iter().for_each(|item| gather(item, sidebar)),
        Value::Scalar { .. } => {
            sidebar.extend(
                node.text()
                    .map(|id| Item::Page(id.trim_matches('/').to_owned())),
            );
        }
        Value::Map(map) => {
            if let Some((_, arguments)) = settings::call(node) {
                let tables = arguments
                    .iter()
                    .filter(|it| matches!(it.value, Value::Map(_)));
                return tables.for_each(|it| gather(it, sidebar));
            }
            let page = settings::text(map, "slug").or_else(|| settings::text(map, "link"));
            if let Some(page) = page.filter(|page| !page.contains("://")) {
                sidebar.push(Item::Page(page.trim_matches('/').to_owned()));
            }
            if let Some(folder) = settings::text(map, "autogenerate.directory") {
                sidebar.push(Item::Folder(folder.trim_matches('/').to_owned()));
            }
            if let Some(entry) = find(map, "items") {
                gather(&entry.node, sidebar);
            }
        }
    }
}

/// A path with every part slugged as GitHub does.
fn slugged(path: &str) -> String {
    let parts: Vec<String> = path
        .split('/')
        .map(|part| Slugger::new().slug(part))
        .collect();
    parts.join("/")
}

/// The id of a file: its path without the ending, slugged, and its folder's for an index.
fn id_of(path: &str) -> (String, bool) {
    let stem = &path[..path.len() - markdown_ending(path).map_or(0, str::len)];
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    match name {
        "index" if folder.is_empty() => (String::new(), true),
        "index" => (slugged(folder), true),
        _ => (slugged(stem), false),
    }
}

impl Generator for Starlight {
    fn kind(&self) -> Kind {
        Kind::Starlight
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        self.content(source).is_some()
    }

    fn survey(&mut self, files: &mut [Seen<'_>], _: &mut Vec<Problem>) {
        // The pages of the default language, by their ids without it, with `sidebar.order`.
        let mut pages: BTreeMap<String, i64> = BTreeMap::new();
        let mut defaults: HashMap<String, String> = HashMap::new();
        for file in files.iter() {
            if let Some(Content::Docs(path)) = self.content(file.source) {
                let id = file.meta.slug.clone().unwrap_or_else(|| id_of(path).0);
                let language = self.language_of(&id);
                let is_default = language == self.default;
                let id = below(&id, language).unwrap_or(&id).to_owned();
                if is_default {
                    defaults.insert(file.source.to_owned(), id.clone());
                }
                let order = settings::integer(file.map, "sidebar.order").unwrap_or(i64::MAX);
                pages.entry(id).or_insert(order);
            }
        }
        let everything = [Item::Folder(String::new())];
        let sidebar = match self.sidebar.is_empty() {
            true => &everything[..],
            false => &self.sidebar[..],
        };
        let mut orders: HashMap<String, u32> = HashMap::new();
        let mut add = |id: &str| {
            let next = u32::try_from(orders.len()).unwrap_or(u32::MAX);
            orders.entry(id.to_owned()).or_insert(next);
        };
        for item in sidebar {
            match item {
                Item::Page(id) => add(below(id, self.language_of(id)).unwrap_or(id)),
                Item::Folder(folder) => {
                    let mut inside: Vec<(&i64, &String)> = pages
                        .iter()
                        .filter(|(id, _)| below(id, folder).is_some())
                        .map(|(id, order)| (order, id))
                        .collect();
                    inside.sort();
                    inside.into_iter().for_each(|(_, id)| add(id));
                }
            }
        }
        self.orders = orders;
        self.defaults = defaults;
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let name = file.source.rsplit('/').next().unwrap_or(file.source);
        if name.starts_with('_') {
            return Placing::Material;
        }
        let (id, is_index, order) = match self.content(file.source) {
            Some(Content::Docs(path)) => {
                let (id, is_index) = match file.meta.slug.take() {
                    Some(slug) => (slug.trim_matches('/').to_owned(), false),
                    None => id_of(path),
                };
                let language = self.language_of(path);
                let short = below(&id, language).unwrap_or(&id);
                if short == "404" {
                    return Placing::Material;
                }
                if let Some(language) = self.languages.get(language) {
                    file.meta.language.get_or_insert_with(|| language.clone());
                }
                let order = self.orders.get(short).copied();
                (id, is_index, order)
            }
            Some(Content::Pages(path)) => {
                let stem = &path[..path.len() - markdown_ending(path).map_or(0, str::len)];
                // Names in brackets are made into pages by code, and parts that start with `_` are none.
                if stem.contains('[')
                    || path.split('/').any(|part| part.starts_with('_'))
                    || stem == "404"
                {
                    return Placing::Material;
                }
                match stem
                    .strip_suffix("index")
                    .filter(|it| it.is_empty() || it.ends_with('/'))
                {
                    Some(folder) => (folder.to_owned(), true, None),
                    None => (stem.to_owned(), false, None),
                }
            }
            Some(Content::Other(name, path)) => {
                let (id, is_index) = match file.meta.slug.take() {
                    Some(slug) => (slug.trim_matches('/').to_owned(), false),
                    None => id_of(path),
                };
                (format!("{name}/{id}"), is_index, None)
            }
            None => return Placing::Material,
        };
        Placing::Page(Placed {
            route: self.route(&id),
            is_index,
            collection: None,
            order,
        })
    }

    /// Where a translation is missing, Starlight shows the page of the default language.
    fn redirects(&self, source: &str) -> Vec<String> {
        let Some(id) = self.defaults.get(source) else {
            return Vec::new();
        };
        let others = self
            .languages
            .keys()
            .filter(|folder| **folder != self.default);
        others
            .map(|folder| self.route(&format!("{folder}/{id}")))
            .collect()
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        // `~/` and `@/` are what Astro's templates call the sources.
        let alias = |path: &str| {
            let rest = path
                .strip_prefix("~/")
                .or_else(|| path.strip_prefix("@/"))?;
            joined(&self.src, rest)
        };
        syntax::partials::expand(text, page.source, &alias, page.files, log);
    }

    fn finish(&self, _: &Context<'_>, text: &mut Text, log: &mut Log) {
        syntax::directives::render(text, log);
        braces_are_text(text);
    }
}

/// Astro reads no `{#id}` behind a heading: it is part of its words, and of its id.
fn braces_are_text(text: &mut Text) {
    if !text.text.contains("{#") {
        return;
    }
    let code = code_ranges(&text.text, false);
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        let heading = line.starts_with('#') && line.trim_end().ends_with('}');
        if let Some(brace) = line
            .rfind("{#")
            .filter(|_| heading && !is_inside(&code, at))
        {
            edits.push((at + brace..at + brace + 1, "&#123;".to_owned()));
        }
        at += line.len();
    }
    text.replace(edits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_slugged_part_by_part() {
        assert_eq!(
            id_of("en/Getting Started/First Steps!.md"),
            ("en/getting-started/first-steps".into(), false)
        );
        assert_eq!(id_of("en/guides/index.mdx"), ("en/guides".into(), true));
        assert_eq!(id_of("index.md"), (String::new(), true));
    }

    #[test]
    fn a_sidebar_is_read_through_groups_and_functions() {
        let node = |text: &str| {
            let found = super::super::js::literals(text, "a.ts", &|_, _| None).unwrap();
            find(&found.map, "sidebar").unwrap().node.clone()
        };
        let mut sidebar = Vec::new();
        gather(
            &node(
                "export default { sidebar: ['a', group('x', { items: ['b/c', { label: 'L', link: 'https://x.dev' }] }), { label: 'D', autogenerate: { directory: 'd' } }, { slug: 'e' }] }",
            ),
            &mut sidebar,
        );
        let page = |id: &str| Item::Page(id.into());
        assert_eq!(
            sidebar,
            [page("a"), page("b/c"), Item::Folder("d".into()), page("e")]
        );
    }
}
