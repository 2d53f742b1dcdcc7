//! Eleventy: `eleventy.config.js`, markdown below the input folder, the data cascade, Liquid and Nunjucks.
//!
//! Every `.md` below the input folder is a page, but for includes, data, the output and what is ignored. Its address is its path without a date
//! in the name, or its `permalink`, which may be a template over the page's data. Data files of folders and of files stand below the front matter.
//! `permalink: false` and `draft: true` hide; dates in the future do not. The configuration is read for literals and never run.
//! (Eleventy's documentation, "Permalinks", "Data Cascade", "Ignore Template Files"; Eleventy 3.)

mod data;
mod template;

use std::collections::{HashMap, HashSet};

use globset::GlobSet;

use super::settings::{self, Config};
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::front_matter::meta::{Hidden, Written};
use crate::front_matter::{Entry, Scalar, Value as FrontValue, date, meta};
use crate::page::syntax::indented;
use crate::page::syntax::liquid::{self, Dialect, Value};
use crate::page::{Anchors, Log, Text};
use crate::place::{below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;
use crate::source;
use data::Cascade;

/// The names of configuration files, in Eleventy's order.
const CONFIGS: &[&str] = &[
    ".eleventy.js",
    "eleventy.config.js",
    "eleventy.config.mjs",
    "eleventy.config.cjs",
    "eleventy.config.ts",
];
/// Tags that make lists for templates and say nothing to readers.
const STRUCTURAL: &[&str] = &["all", "nav", "post", "posts", "page", "pages"];

#[derive(Debug)]
pub(super) struct Eleventy {
    facts: Facts,
    /// The folder of the content, below the site's folder; empty for the site's folder itself.
    input: String,
    /// The folder of includes, below the site's folder.
    includes: String,
    /// What a page's template is written in; none when it is no template.
    engine: Option<Dialect>,
    pages: HashSet<String>,
    cascade: Cascade,
    /// Data for all pages.
    global: Value,
    /// Names of data that the configuration's code adds.
    by_code: Vec<String>,
    /// The places in the navigation, by source.
    orders: HashMap<String, u32>,
    anchors: Anchors,
}

impl Eleventy {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = CONFIGS
            .iter()
            .find(|name| files.has(name))
            .map(|name| (*name).to_owned())
            .or_else(|| files.find(CONFIGS))?;
        let mut facts = Facts {
            config: path.clone(),
            ..Facts::default()
        };
        let config = settings::read(files, &path, &mut facts.problems);
        config.tell_unread(
            &[
                "dir",
                "dir.input",
                "dir.includes",
                "dir.data",
                "markdownTemplateEngine",
                "pathPrefix",
                "templateFormats",
            ],
            &mut facts.problems,
        );
        let root = folder_of(&path);
        let dir = |key: &str, method: &str| {
            called(&config, method).or_else(|| config.text(&format!("dir.{key}")))
        };
        let input = dir("input", "setInputDirectory").unwrap_or_else(|| ".".into());
        let input = joined(root, &input).unwrap_or_default();
        let below_input = |name: String| joined(&input, &name).unwrap_or(name);
        let includes = below_input(
            dir("includes", "setIncludesDirectory").unwrap_or_else(|| "_includes".into()),
        );
        let data = below_input(dir("data", "setDataDirectory").unwrap_or_else(|| "_data".into()));
        let layouts = dir("layouts", "setLayoutsDirectory").map(below_input);
        let output = dir("output", "setOutputDirectory").unwrap_or_else(|| "_site".into());
        let output = joined(root, &output).unwrap_or(output);
        facts.content = if input.is_empty() {
            ".".into()
        } else {
            input.clone()
        };
        facts.trailing_slash = Some(true);
        let global = data::global(files, &data, root);
        about(&mut facts, &global, &config);
        let engine = match config
            .node("markdownTemplateEngine")
            .map(|node| &node.value)
        {
            Some(FrontValue::Scalar {
                kind: Scalar::Boolean(false),
                ..
            }) => None,
            Some(FrontValue::Scalar { text, .. }) if text == "njk" => Some(Dialect::Nunjucks),
            Some(FrontValue::Scalar { text, .. }) if text != "liquid" => None,
            _ => Some(Dialect::Liquid),
        };
        let mut folders = vec![includes.clone(), data, output];
        folders.extend(layouts);
        let ignored = ignored(files, root, &input, &config);
        let formats = config
            .node("templateFormats")
            .map(|node| settings::texts(node).join(","))
            .or_else(|| called(&config, "setTemplateFormats"));
        let reads_markdown =
            formats.is_none_or(|formats| formats.split(',').any(|format| format.trim() == "md"));
        let pages = files
            .below(&input)
            .filter(|path| path.to_lowercase().ends_with(".md") && reads_markdown)
            .filter(|path| {
                !folders.iter().any(|folder| below(path, folder).is_some())
                    && !ignored.is_match(path)
            })
            .map(str::to_owned)
            .collect();
        let by_code = config
            .literals
            .calls
            .iter()
            .filter(|(name, ..)| matches!(name.as_str(), "addGlobalData" | "addNunjucksGlobal"))
            .filter_map(|(_, arguments, _)| {
                arguments
                    .first()?
                    .text()?
                    .split('.')
                    .next()
                    .map(str::to_owned)
            })
            .collect();
        let anchors = anchors(files, &path);
        let cascade = Cascade::read(files, &input, &mut facts.problems);
        Some(Box::new(Eleventy {
            facts,
            input,
            includes,
            engine,
            pages,
            cascade,
            global,
            by_code,
            orders: HashMap::new(),
            anchors,
        }))
    }

    /// The page's front matter above the data of its folders.
    fn data(&self, source: &str, map: &[Entry]) -> Vec<Entry> {
        self.cascade.merged(source, map)
    }

    fn inside<'s>(&self, source: &'s str) -> &'s str {
        below(source, &self.input).unwrap_or(source)
    }

    /// The address of a page; why it has none otherwise.
    fn address(&self, source: &str, data: &[Entry]) -> Result<String, String> {
        let stem = stem(self.inside(source));
        let natural = match stem.strip_suffix("/index") {
            Some(folder) => format!("{folder}/"),
            None => format!("{stem}/"),
        };
        let Some(pattern) = permalink(data) else {
            return Ok(natural);
        };
        let host = template::Page::new(self, source, data, &natural, None);
        match liquid::line(&pattern, &host) {
            Some(address) if !address.trim().is_empty() => Ok(address.trim().to_owned()),
            _ => Err(pattern),
        }
    }
}

/// The path of a page without its ending and the date in its name.
fn stem(inside: &str) -> String {
    let path = inside.rsplit_once('.').map_or(inside, |(path, _)| path);
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = undated(name);
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("/{folder}{slash}{name}")
}

/// A name without the date before it.
fn undated(name: &str) -> &str {
    let is_date = |text: &str| {
        text.len() == 10
            && text.bytes().enumerate().all(|(at, b)| {
                if matches!(at, 4 | 7) {
                    b == b'-'
                } else {
                    b.is_ascii_digit()
                }
            })
    };
    match (name.get(..10), name.get(10..11), name.get(11..)) {
        (Some(day), Some("-"), Some(rest)) if is_date(day) && !rest.is_empty() => rest,
        _ => name,
    }
}

/// The text of a `permalink`, computed ones first.
fn permalink(data: &[Entry]) -> Option<String> {
    settings::text(data, "eleventyComputed.permalink")
        .or_else(|| settings::text(data, "permalink"))
        .filter(|text| text != "false")
}

/// What a method of the configuration is called with.
fn called(config: &Config, method: &str) -> Option<String> {
    let call = config
        .literals
        .calls
        .iter()
        .rev()
        .find(|(name, ..)| name == method)?;
    call.1.first()?.text().map(str::to_owned)
}

/// The site's title and address, where its global data has them under the usual names.
fn about(facts: &mut Facts, global: &Value, config: &Config) {
    let text = |keys: &[&str]| {
        ["metadata", "site", "meta", "settings"]
            .iter()
            .find_map(|from| {
                let from = global.member(from);
                keys.iter().find_map(|key| match from.member(key) {
                    Value::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
                    _ => None,
                })
            })
    };
    facts.title = text(&["title", "name"]);
    facts.description = text(&["description"]);
    facts.language = text(&["language", "lang"]);
    let prefix = config.text("pathPrefix").unwrap_or_default();
    facts.url = text(&["url", "base"])
        .filter(|url| url.contains("://"))
        .map(|url| match prefix.trim_matches('/') {
            "" => url,
            prefix => format!("{}/{prefix}/", url.trim_end_matches('/')),
        });
}

/// What `.eleventyignore`, `.gitignore` and the configuration say is no content.
fn ignored(files: &SiteFiles, root: &str, input: &str, config: &Config) -> GlobSet {
    let mut patterns: Vec<String> = vec!["**/node_modules/**".into()];
    let mut add = |folder: &str, line: &str| {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '!']) {
            return;
        }
        let line = line.trim_start_matches("./").trim_start_matches('/');
        if let Some(path) = joined(folder, line.trim_end_matches('/')) {
            patterns.push(path.clone());
            patterns.push(format!("{path}/**"));
        }
    };
    for folder in [root, input] {
        for name in [".eleventyignore", ".gitignore"] {
            if name == ".gitignore"
                && config
                    .literals
                    .calls
                    .iter()
                    .any(|(call, ..)| call == "setUseGitIgnore")
            {
                continue;
            }
            let path = joined(folder, name).unwrap_or_default();
            if files.has(&path) {
                files
                    .read(&path)
                    .unwrap_or_default()
                    .lines()
                    .for_each(|line| add(folder, line));
            }
        }
    }
    for (name, arguments, _) in &config.literals.calls {
        if name == "ignores.add"
            && let Some(pattern) = arguments.first().and_then(|node| node.text())
        {
            add(root, pattern);
        }
    }
    source::globs(&patterns)
}

/// How headings get their ids: by the plugin that the configuration, or a file it imports, names.
fn anchors(files: &SiteFiles, path: &str) -> Anchors {
    let folder = folder_of(path);
    let text = files.read(path).unwrap_or_default();
    let mut texts = vec![text.clone()];
    for piece in text
        .split(['"', '\''])
        .filter(|piece| piece.starts_with("./") && piece.ends_with("js"))
    {
        texts.extend(joined(folder, piece).and_then(|path| files.read(&path).ok()));
    }
    let names = |word: &str| texts.iter().any(|text| text.contains(word));
    if names("IdAttributePlugin") {
        Anchors::Eleventy
    } else if names("markdown-it-anchor") {
        let own = texts
            .iter()
            .any(|text| text.contains("markdown-it-anchor") && text.contains("slugify"));
        if own {
            Anchors::Eleventy
        } else {
            Anchors::MarkdownItAnchor
        }
    } else {
        Anchors::GitHub
    }
}

impl Eleventy {
    /// Whether a path names a page from a folder.
    fn page_from(&self, folder: &str, path: &str) -> Option<String> {
        joined(folder, path).filter(|path| self.pages.contains(path))
    }
}

impl Generator for Eleventy {
    fn kind(&self) -> Kind {
        Kind::Eleventy
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        self.pages.contains(source)
    }

    /// A path to a file may begin in the folder of the input as well as beside the page. (Eleventy's documentation, "InputPath to URL".)
    fn link(&self, page: &Context<'_>, target: &str) -> Option<String> {
        let (path, tail) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
        if path.is_empty() || path.starts_with('/') {
            return None;
        }
        let folder = folder_of(page.source);
        if self.page_from(folder, path).is_some() {
            return None;
        }
        self.page_from(&self.input, path)?;
        Some(format!("/{path}{tail}"))
    }

    fn survey(&mut self, files: &mut [Seen<'_>], problems: &mut Vec<Problem>) {
        let mut entries = Vec::new();
        for file in files {
            let data = self.data(file.source, file.map);
            if let Err(pattern) = self.address(file.source, &data) {
                problems.push(
                    Problem::warning(file.source, format!("`permalink: {pattern}` is made of what only the site's code knows; the page is left out"))
                        .help("write the address out, or give it in a data file"),
                );
            }
            if settings::entries_at(&data, "pagination").is_some() {
                problems.push(
                    Problem::warning(file.source, "the page is made several times by `pagination`; only its first address is known")
                        .help("what the others hold is the site's data, not markdown"),
                );
            }
            entries.push(data::navigation(file.source, &data));
        }
        self.orders = data::orders(&entries);
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let data = self.data(file.source, file.map);
        let keys = vec!["tags".to_owned()];
        let (found, _) = meta::meta(&data, file.source, &keys, jiff::civil::Date::MAX);
        let own = std::mem::take(file.meta);
        *file.meta = meta::Meta {
            tags: own.tags,
            ..found
        };
        // What folders say of tags makes their collection.
        file.meta
            .tags
            .retain(|tag| !STRUCTURAL.contains(&tag.text.to_lowercase().as_str()));
        let is_false = |key: &str| settings::boolean(&data, key) == Some(false);
        if is_false("permalink") || is_false("permalink.build") {
            file.meta
                .hidden
                .get_or_insert(Hidden::of("`permalink: false`"));
        }
        if let Some(hidden) = &file.meta.hidden {
            return Placing::Hidden(hidden.why.clone());
        }
        let Ok(address) = self.address(file.source, &data) else {
            return Placing::Material;
        };
        if file.meta.title.is_none() && !file.body.lines().any(|line| line.starts_with("# ")) {
            let keys = [
                "pageTitle",
                "eleventyNavigation.title",
                "eleventyNavigation.key",
            ];
            file.meta.title = keys
                .iter()
                .find_map(|key| settings::text(&data, key))
                .map(|title| artifact::clean::one_line(&title).into_owned());
        }
        if file.meta.description.is_none() {
            file.meta.description = settings::text(&data, "eleventyNavigation.excerpt")
                .map(|text| artifact::clean::one_line(&text).into_owned());
        }
        if file.meta.date.is_none() {
            let name = file.source.rsplit('/').next().unwrap_or(file.source);
            if undated(name) != name
                && let Some(day) = date::parse(&name[..10])
            {
                file.meta.date = Some(Written {
                    text: day.text.clone(),
                    date: Some(day),
                    line: 1,
                });
            }
        }
        let inside = self.inside(file.source);
        Placing::Page(Placed {
            route: route(&address),
            is_index: stem(inside).ends_with("/index"),
            collection: None,
            order: self.orders.get(file.source).copied(),
        })
    }

    fn is_mdx(&self, _: &str) -> bool {
        false
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let data = self.data(page.source, page.map);
        let Some(engine) = self.engine_of(&data) else {
            return;
        };
        let natural = format!("{}/", page.route.trim_end_matches('/'));
        let mut host = template::Page::new(self, page.source, &data, &natural, Some(page.files));
        host.dialect = engine;
        liquid::render(text, page.source, false, &host, log);
    }

    fn render(&self, _: &Context<'_>, text: &mut Text, _: &mut Log) {
        indented::outdent(text);
    }

    fn anchors(&self) -> Anchors {
        self.anchors
    }
}

impl Eleventy {
    /// The language of a page's template: the site's, unless the page says another.
    fn engine_of(&self, data: &[Entry]) -> Option<Dialect> {
        if settings::boolean(data, "templateEngineOverride") == Some(false) {
            return None;
        }
        match settings::text(data, "templateEngineOverride") {
            None => self.engine,
            Some(engines) => engines.split(',').find_map(|engine| match engine.trim() {
                "njk" => Some(Dialect::Nunjucks),
                "liquid" => Some(Dialect::Liquid),
                _ => None,
            }),
        }
    }
}

/// The route of an address: `/a/index.html` is `/a`.
fn route(address: &str) -> String {
    let address = match address.strip_suffix("index.html") {
        Some("") => "/",
        Some(folder) if folder.ends_with('/') => folder,
        _ => address,
    };
    artifact::route::canonical(address)
}

#[cfg(test)]
mod tests;
