//! VitePress 1: `.vitepress/config.*`.
//!
//! Every `.md` file below `srcDir` is a page, unless `srcExclude` names it: at the path that `rewrites` give it, with `.html` unless `cleanUrls`
//! is set, and an `index.md` for its folder. Files with `[parameters]` in their names make pages by code that is not run, and are told.
//! Nothing is a draft in VitePress, and a date in the future hides nothing; the keys that hide everywhere do so here.
//! (VitePress 1.6: "Routing", "Markdown extensions", "Site config".)

mod rewrites;

use std::collections::HashMap;

use globset::GlobSet;

use super::settings::{self, Config, entries, items};
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::config::guess;
use crate::front_matter::value::{find, find_path};
use crate::front_matter::{Entry, Node, Value};
use crate::page::{Anchors, Log, Text, syntax};
use crate::place::{self, below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;
use crate::source;
use rewrites::Rewrites;

/// What a configuration may be called, in the order in which VitePress looks.
const CONFIGS: [&str; 8] = [
    ".vitepress/config/index.js",
    ".vitepress/config.js",
    ".vitepress/config/index.ts",
    ".vitepress/config.ts",
    ".vitepress/config/index.mjs",
    ".vitepress/config.mjs",
    ".vitepress/config/index.mts",
    ".vitepress/config.mts",
];

#[derive(Debug)]
pub(super) struct VitePress {
    facts: Facts,
    /// The folder of the pages, below the site's folder.
    src: String,
    clean_urls: bool,
    exclude: GlobSet,
    rewrites: Rewrites,
    /// The folders of languages with the languages, the longest first; the root's is empty.
    languages: Vec<(String, String)>,
    /// The base path, without a slash at its end.
    base: String,
    /// Where a page stands, by its own and by its rewritten path below `src`, without the ending.
    routes: HashMap<String, String>,
    /// The links of the sidebars and the navigation, in order.
    navigation: Vec<String>,
    orders: HashMap<String, u32>,
}

impl VitePress {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files.find(&CONFIGS)?;
        let mut facts = Facts {
            config: path.clone(),
            ..Facts::default()
        };
        let config = settings::read(files, &path, &mut facts.problems);
        let root = path.split(".vitepress").next().unwrap_or_default();
        let src = config.text("srcDir").unwrap_or_else(|| ".".into());
        let src = joined(root, &src).unwrap_or_else(|| root.trim_end_matches('/').to_owned());
        let base = config.text("base").unwrap_or_default();
        let base = base.trim_matches('/');
        let clean_urls = config.boolean("cleanUrls").unwrap_or(false);
        facts.title = config
            .text("title")
            .or_else(|| config.text("locales.root.title"));
        facts.description = config
            .text("description")
            .or_else(|| config.text("locales.root.description"));
        facts.language = config
            .text("lang")
            .or_else(|| config.text("locales.root.lang"))
            .or_else(|| Some("en-US".into()));
        facts.url = address(&config, base);
        facts.trailing_slash = Some(!clean_urls);
        facts.content = match src.as_str() {
            "" => ".".into(),
            src => src.to_owned(),
        };
        let rewrites = read_rewrites(&config, &mut facts.problems);
        config.tell_unread(
            &[
                "title",
                "base",
                "cleanUrls",
                "srcDir",
                "srcExclude",
                "rewrites",
                "sitemap.hostname",
            ],
            &mut facts.problems,
        );
        let exclude = config
            .node("srcExclude")
            .map(settings::texts)
            .unwrap_or_default();
        let mut vitepress = VitePress {
            exclude: glob_set(&exclude),
            languages: languages(&config),
            base: match base {
                "" => String::new(),
                base => format!("/{base}"),
            },
            navigation: navigation(&config),
            facts,
            src,
            clean_urls,
            rewrites,
            routes: HashMap::new(),
            orders: HashMap::new(),
        };
        let pages: Vec<&str> = files
            .paths()
            .filter(|path| vitepress.is_content(path))
            .collect();
        // Collections are the folders of the addresses, which need not be those of the files.
        let placed: Vec<String> = pages
            .iter()
            .filter(|source| !is_dynamic(source))
            .filter_map(|source| Some(vitepress.page(source)?.1))
            .collect();
        vitepress.facts.collections = guess::collections(placed.iter().map(String::as_str));
        let mut order = HashMap::new();
        for source in pages {
            let Some((own, page)) = vitepress.page(source) else {
                continue;
            };
            let (route, _) = vitepress.route(&page);
            order.insert(route.clone(), source.to_owned());
            let stem = |path: &str| path.strip_suffix(".md").unwrap_or(path).to_owned();
            vitepress.routes.entry(stem(&own)).or_insert(route.clone());
            vitepress.routes.insert(stem(&page), route);
        }
        for link in &vitepress.navigation {
            let next = u32::try_from(vitepress.orders.len()).unwrap_or(u32::MAX);
            if let Some(source) = vitepress
                .meant("", link)
                .and_then(|route| order.get(route.as_str()))
            {
                vitepress.orders.entry(source.clone()).or_insert(next);
            }
        }
        Some(Box::new(vitepress))
    }

    /// The path of a page below `src`, as it is and as it is rewritten.
    fn page(&self, source: &str) -> Option<(String, String)> {
        let own = below(source, &self.src)?;
        let page = self.rewrites.of(own).unwrap_or_else(|| own.to_owned());
        Some((own.to_owned(), page))
    }

    /// The route of a page at a path, and whether it stands for its folder.
    fn route(&self, page: &str) -> (String, bool) {
        let stem = page.strip_suffix(".md").unwrap_or(page);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let is_index = name == "index";
        let route = match (is_index, self.clean_urls) {
            (true, _) => folder.to_owned(),
            (false, true) => stem.to_owned(),
            (false, false) => format!("{stem}.html"),
        };
        (artifact::route::canonical(&route), is_index)
    }

    /// The route that a link in a page leads to. `page` is the path where the page stands.
    fn meant(&self, page: &str, path: &str) -> Option<String> {
        let mut path = path;
        if !self.base.is_empty() {
            // Written with the base path, which VitePress would put in a second time; what was meant is clear.
            path = path
                .strip_prefix(self.base.as_str())
                .filter(|rest| rest.starts_with('/'))
                .unwrap_or(path);
        }
        let path = artifact::route::decoded(path);
        let is_folder = path.is_empty() || path.ends_with('/');
        let folder = folder_of(page);
        let full = match path.strip_prefix('/') {
            Some(path) => joined("", path),
            None => joined(folder, &path),
        }?;
        let stem = ["md", "html"]
            .iter()
            .find_map(|ending| full.strip_suffix(ending)?.strip_suffix('.'))
            .unwrap_or(&full);
        let index = match stem {
            "" => "index".to_owned(),
            stem => format!("{stem}/index"),
        };
        let found = match is_folder || stem.is_empty() {
            true => self.routes.get(&index),
            false => self.routes.get(stem).or_else(|| self.routes.get(&index)),
        };
        found.cloned()
    }

    fn language(&self, page: &str) -> Option<&str> {
        let own = self
            .languages
            .iter()
            .find(|(folder, _)| below(page, folder).is_some());
        own.map(|(_, language)| language.as_str())
    }
}

/// The site's address: where its sitemap says it is, or what its `og:url` says.
fn address(config: &Config, base: &str) -> Option<String> {
    let with_base = |url: String| {
        let url = url.trim_end_matches('/');
        let host = url.find("://").map_or(0, |at| at + 3);
        match url[host..].contains('/') {
            true => url.to_owned(),
            false => format!("{url}/{base}"),
        }
    };
    if let Some(url) = config.text("sitemap.hostname") {
        return Some(with_base(url));
    }
    let head = config.node("head").map(items).unwrap_or_default();
    let named = head.iter().find_map(|tag| {
        let attributes = entries(items(tag).get(1)?);
        let is_url = settings::text(attributes, "property")? == "og:url";
        settings::text(attributes, "content").filter(|url| is_url && url.contains("://"))
    });
    named.map(with_base)
}

fn read_rewrites(config: &Config, problems: &mut Vec<Problem>) -> Rewrites {
    let mut rewrites = Rewrites::default();
    let Some(node) = config.node("rewrites") else {
        return rewrites;
    };
    let help = "say with `[[collections]]` and `route` in shelfmark.toml where these pages stand";
    if settings::call(node).is_some() || !matches!(node.value, Value::Map(_)) {
        problems.push(
            Problem::warning(
                &config.path,
                "`rewrites` is made by code and could not be read",
            )
            .at(node.line)
            .help(help),
        );
        return rewrites;
    }
    for entry in entries(node) {
        let known = entry
            .node
            .text()
            .is_some_and(|to| rewrites.add(&entry.key, to));
        if !known {
            problems.push(
                Problem::warning(
                    &config.path,
                    format!("the rewrite of `{}` could not be read", entry.key),
                )
                .at(entry.line)
                .help(help),
            );
        }
    }
    rewrites
}

fn languages(config: &Config) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for entry in config.node("locales").map(entries).unwrap_or_default() {
        let own = entries(&entry.node);
        let elsewhere = settings::text(own, "link").is_some_and(|link| link.contains("://"));
        if entry.key != "root" && !elsewhere {
            let language = settings::text(own, "lang").unwrap_or_else(|| entry.key.clone());
            found.push((entry.key.trim_matches('/').to_owned(), language));
        }
    }
    found.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
    found
}

/// All links of the sidebars, then all of the navigation.
fn navigation(config: &Config) -> Vec<String> {
    let mut links = Vec::new();
    let mut themes: Vec<&[Entry]> =
        vec![config.node("themeConfig").map(entries).unwrap_or_default()];
    for locale in config.node("locales").map(entries).unwrap_or_default() {
        let theme = find(entries(&locale.node), "themeConfig").map(|entry| entries(&entry.node));
        themes.extend(theme);
    }
    for key in ["sidebar", "nav"] {
        for theme in &themes {
            if let Some(entry) = find(theme, key) {
                gather(&entry.node, "", &mut links);
            }
        }
    }
    links
}

/// The links of a sidebar: a list of items, or tables of them by the paths they are shown on.
fn gather(node: &Node, base: &str, links: &mut Vec<String>) {
    match &node.value {
        Value::List(list) => list.iter().for_each(|item| gather(item, base, links)),
        Value::Map(map) => {
            let own = settings::text(map, "base");
            let base = own.as_deref().unwrap_or(base);
            if let Some(link) = settings::text(map, "link").filter(|link| !link.contains("://")) {
                // Links start at the root; `base` is put before one that does not.
                links.push(match base {
                    "" => format!("/{}", link.trim_start_matches('/')),
                    base => format!(
                        "{}/{}",
                        base.trim_end_matches('/'),
                        link.trim_start_matches('/')
                    ),
                });
            }
            match find(map, "items") {
                Some(entry) => gather(&entry.node, base, links),
                None if find(map, "text").is_none() => {
                    let tables = map.iter().filter(|entry| entry.key.starts_with('/'));
                    tables.for_each(|entry| gather(&entry.node, base, links));
                }
                None => {}
            }
        }
        Value::Scalar { .. } => {}
    }
}

fn glob_set(patterns: &[String]) -> GlobSet {
    let always = ["**/node_modules/**", "**/dist/**"];
    let own = patterns.iter().map(|it| it.trim_start_matches("./"));
    source::globs(own.chain(always))
}

/// Whether a file makes pages by its parameters: `[pkg].md`.
fn is_dynamic(path: &str) -> bool {
    path.match_indices('[').any(|(at, _)| {
        path[at + 1..].split_once(']').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    })
}

impl Generator for VitePress {
    fn kind(&self) -> Kind {
        Kind::VitePress
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        let path = below(source, &self.src);
        path.is_some_and(|path| path.ends_with(".md") && !self.exclude.is_match(path))
    }

    fn survey(&mut self, files: &mut [Seen<'_>], problems: &mut Vec<Problem>) {
        for file in files.iter().filter(|file| is_dynamic(file.source)) {
            problems.push(
                Problem::warning(
                    file.source,
                    "the pages of this file are made by code, which is not run",
                )
                .help("their markdown is not in what is built"),
            );
        }
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let Some((own, page)) = self.page(file.source) else {
            return Placing::Material;
        };
        if is_dynamic(&own) {
            return Placing::Material;
        }
        // A date says when, not whether: VitePress publishes all that it finds.
        if find(file.map, "publishDate").is_none() {
            file.meta.show_early();
        }
        if let Some(language) = self.language(&page) {
            file.meta
                .language
                .get_or_insert_with(|| language.to_owned());
        }
        if file.meta.title.is_none() && is_home(file.map) {
            file.meta.title =
                settings::text(file.map, "hero.name").or_else(|| self.facts.title.clone());
        }
        let (route, is_index) = self.route(&page);
        Placing::Page(Placed {
            route,
            is_index,
            collection: place::collection_of(&page, &self.facts.collections)
                .map(|at| self.facts.collections[at].name.clone()),
            order: self.orders.get(file.source).copied(),
        })
    }

    fn is_mdx(&self, _: &str) -> bool {
        false
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        syntax::vitepress::expand(text, page.source, &self.src, page.files, log);
        if is_home(page.map) {
            let home = syntax::landing::home(page.map);
            let blank = text.text.len() - text.text.trim_start_matches('\n').len();
            text.replace(vec![(0..blank, home)]);
        }
    }

    fn finish(&self, _: &Context<'_>, text: &mut Text, log: &mut Log) {
        syntax::directives::render(text, log);
    }

    fn render(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        syntax::vue::render(text, page.map, log);
    }

    /// A link is relative to where the page stands, and may leave out the ending, the base path, or `index`.
    fn link(&self, page: &Context<'_>, target: &str) -> Option<String> {
        let (path, tail) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
        let is_ours =
            !path.is_empty() && !path.starts_with("//") && !path.split('/').next()?.contains(':');
        if !is_ours {
            return None;
        }
        let (_, own) = self.page(page.source)?;
        let Some(route) = self.meant(&own, path) else {
            // Markdown that is no page is not there for VitePress either.
            let stem = path.strip_suffix(".md")?;
            let folder = folder_of(&own);
            let folder = if stem.starts_with('/') { "" } else { folder };
            let ending = if self.clean_urls { "" } else { ".html" };
            return Some(format!(
                "{}/{}{ending}{tail}",
                self.base,
                joined(folder, stem)?
            ));
        };
        Some(format!("{}{route}{tail}", self.base))
    }

    fn anchors(&self) -> Anchors {
        Anchors::VitePress
    }
}

/// Whether a page is a landing page, whose text stands in its front matter.
fn is_home(map: &[Entry]) -> bool {
    settings::text(map, "layout").as_deref() == Some("home")
        && (find_path(map, "hero").is_some() || find_path(map, "features").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_in_a_name_are_seen() {
        assert!(is_dynamic("packages/[pkg].md"));
        assert!(is_dynamic("[a]-[b].md"));
        assert!(!is_dynamic("a[].md"));
        assert!(!is_dynamic("a[b-c].md"));
    }

    #[test]
    fn sidebars_of_both_shapes_are_read() {
        let map = crate::front_matter::json_map(
            r#"{"/guide/": {"base": "/guide/", "items": [{"text": "A", "link": "a"}, {"text": "B", "items": [{"text": "C", "link": "c.md"}]}]},
                "/api/": [{"text": "D", "link": "/api/d"}, {"text": "E", "link": "https://e.dev"}]}"#,
            "sidebar.json",
        )
        .unwrap();
        let mut links = Vec::new();
        let node = Node {
            line: 1,
            value: Value::Map(map),
        };
        gather(&node, "", &mut links);
        assert_eq!(links, ["/guide/a", "/guide/c.md", "/api/d"]);
    }
}
