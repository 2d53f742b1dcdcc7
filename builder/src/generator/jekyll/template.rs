//! What Jekyll gives to Liquid: `site`, `page`, its filters and tags.

use super::super::data as data_files;
use super::super::files::Included;
use super::super::{Context, SiteFiles};
use super::{Jekyll, Role, data, permalink, stem_of};
use crate::front_matter::{Entry, Meta};
use crate::page::syntax::liquid::{Args, Dialect, Host, Value};
use crate::place::{below, folder_of};
use crate::site_map::joined;

/// Names of `site` that only a run of Jekyll can fill.
const UNKNOWN: &[&str] = &[
    "pages",
    "html_pages",
    "static_files",
    "html_files",
    "tags",
    "categories",
    "related_posts",
    "time",
    "documents",
    "collections",
];

/// `site` as far as the configuration and the data files say it.
pub(super) fn site(jekyll: &Jekyll, files: &SiteFiles) -> Value {
    let Value::Map(config) = Value::of_map(&jekyll.config.literals.map) else {
        return Value::Unknown;
    };
    let mut map = config.to_vec();
    map.retain(|(key, _)| key != "collections" && key != "defaults");
    map.extend(
        UNKNOWN
            .iter()
            .map(|name| ((*name).to_owned(), Value::Unknown)),
    );
    for collection in &jekyll.collections {
        let known = jekyll.roles.values().any(|role| matches!(role, Role::Document(at) if jekyll.collections[*at].label == collection.label));
        // What has no page of its own is not looked at.
        let none = if known || collection.output {
            Value::list(Vec::new())
        } else {
            Value::Unknown
        };
        map.push((collection.label.clone(), none));
    }
    let dir = jekyll
        .config
        .text("data_dir")
        .unwrap_or_else(|| "_data".into());
    let folder = joined(&jekyll.root, &dir).unwrap_or(dir);
    map.push(("data".into(), data_files::folder(files, &folder)));
    Value::map(map)
}

/// `site` with the documents of its collections.
pub(super) fn with_lists(site: &Value, lists: Vec<(String, Value)>) -> Value {
    match site {
        Value::Map(map) => Value::map(map.iter().cloned().chain(lists).collect()),
        other => other.clone(),
    }
}

/// A document as lists of documents show it.
pub(super) fn document(
    jekyll: &Jekyll,
    source: &str,
    data: &[Entry],
    meta: &Meta,
    address: &str,
) -> Value {
    let Value::Map(own) = Value::of_map(data) else {
        return Value::Unknown;
    };
    let mut map = own.to_vec();
    let stem = stem_of(source);
    let named = permalink::dated(stem).map_or(stem, |(_, rest)| rest);
    if meta.title.is_none() {
        map.push(("title".into(), Value::text(data::titled(named))));
    }
    map.push(("url".into(), Value::text(address)));
    let is_document = matches!(jekyll.roles.get(source), Some(Role::Document(_)));
    if is_document {
        if !map.iter().any(|(key, _)| key == "slug") {
            map.push(("slug".into(), Value::text(named)));
        }
        if !map.iter().any(|(key, _)| key == "date") {
            let day = jekyll
                .day(source, meta)
                .map_or(Value::Unknown, |day| Value::text(day.to_string()));
            map.push(("date".into(), day));
        }
        let inside = below(source, &jekyll.root).unwrap_or(source);
        let folder = folder_of(inside);
        let categories = data::categories(data, folder, true);
        map.push((
            "categories".into(),
            Value::list(categories.iter().map(Value::text).collect()),
        ));
        if let Some(Role::Document(at)) = jekyll.roles.get(source) {
            map.push((
                "collection".into(),
                Value::text(&jekyll.collections[*at].label),
            ));
        }
    }
    map.push((
        "path".into(),
        Value::text(below(source, &jekyll.root).unwrap_or(source)),
    ));
    map.push((
        "name".into(),
        Value::text(source.rsplit('/').next().unwrap_or(source)),
    ));
    for name in ["content", "excerpt", "next", "previous", "id", "dir"] {
        map.push((name.into(), Value::Unknown));
    }
    Value::map(map)
}

/// What a page's template is worked out with.
pub(super) struct Page<'a> {
    jekyll: &'a Jekyll,
    files: &'a SiteFiles,
    source: &'a str,
    page: Value,
}

impl<'a> Page<'a> {
    pub(super) fn new(jekyll: &'a Jekyll, context: &Context<'a>, data: &[Entry]) -> Page<'a> {
        let meta = jekyll.meta(context.source, data);
        let address = jekyll.routes.get(context.source).map_or("", String::as_str);
        Page {
            page: document(jekyll, context.source, data, &meta, address),
            jekyll,
            files: context.files,
            source: context.source,
        }
    }

    /// The address of a file of the source, so that a link to it can be followed.
    fn link(&self, path: &str) -> Option<String> {
        let path = path.trim().trim_start_matches('/');
        let source = joined(&self.jekyll.root, path)?;
        if let Some(address) = self.jekyll.routes.get(&source) {
            return Some(address.clone());
        }
        // A hidden page or another file: links find either by its path.
        self.files
            .has(&source)
            .then(|| format!("/{}", path.replace(' ', "%20")))
    }

    fn post(&self, name: &str) -> Option<String> {
        let name = name
            .trim()
            .trim_matches(['"', '\''])
            .trim_start_matches('/');
        let wanted = |source: &&String| {
            let stem = source
                .rsplit_once('.')
                .map_or(source.as_str(), |(stem, _)| stem);
            let inside = stem.split("_posts/").last().unwrap_or(stem);
            inside == name || stem_of(source) == name
        };
        let mut posts: Vec<&String> = self.jekyll.roles.keys().filter(wanted).collect();
        posts.sort();
        let source = posts.first()?;
        match self.jekyll.routes.get(*source) {
            Some(address) => Some(address.clone()),
            None => Some(format!("/{}", below(source, &self.jekyll.root)?)),
        }
    }

    fn base(&self) -> String {
        let base = self.jekyll.config.text("baseurl").unwrap_or_default();
        match base.trim_matches('/') {
            "" => String::new(),
            base => format!("/{base}"),
        }
    }
}

impl Host for Page<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Liquid
    }

    fn variable(&self, name: &str) -> Value {
        match name {
            "page" => self.page.clone(),
            "site" => self.jekyll.site.clone(),
            // What is published is built for production.
            "jekyll" => Value::map(vec![
                ("environment".into(), Value::text("production")),
                ("version".into(), Value::Unknown),
            ]),
            "content" | "layout" | "paginator" | "theme" => Value::Unknown,
            _ => Value::Nil,
        }
    }

    fn filter(&self, name: &str, input: &Value, _: &Args) -> Option<Value> {
        let absolute = match name {
            "relative_url" => false,
            "absolute_url" => true,
            _ => return None,
        };
        let Some(path) = input.shown() else {
            return Some(Value::Unknown);
        };
        if path.contains("://") || (path.is_empty() && !absolute) {
            return Some(Value::text(path));
        }
        let path = format!("{}/{}", self.base(), path.trim_start_matches('/'));
        Some(match (absolute, self.jekyll.config.text("url")) {
            (true, Some(url)) => Value::text(format!("{}{path}", url.trim_end_matches('/'))),
            _ => Value::text(path),
        })
    }

    fn tag(&self, name: &str, markup: &str) -> Option<String> {
        match name {
            "link" => self.link(markup),
            "post_url" => self.post(markup),
            "gist" => {
                let gist = markup.split_whitespace().next()?.trim_matches(['"', '\'']);
                Some(format!("<https://gist.github.com/{gist}>"))
            }
            // These write into the head of the HTML page, or a table of contents.
            "seo" | "feed_meta" | "toc" => Some(String::new()),
            _ => None,
        }
    }

    fn include(&self, tag: &str, name: &str, from: &str) -> (String, Included) {
        let folder = match tag {
            "include_relative" => folder_of(from).to_owned(),
            _ => {
                let dir = self
                    .jekyll
                    .config
                    .text("includes_dir")
                    .unwrap_or_else(|| "_includes".into());
                joined(&self.jekyll.root, &dir).unwrap_or(dir)
            }
        };
        // An include of an include is relative to the page.
        let folder = match (tag, from == self.source) {
            ("include_relative", false) => self
                .source
                .rsplit_once('/')
                .map_or(String::new(), |(folder, _)| folder.to_owned()),
            _ => folder,
        };
        match joined(&folder, name.trim_matches(['"', '\''])) {
            Some(path) => {
                let included = self.files.include(&path);
                (path, included)
            }
            None => (name.to_owned(), Included::Missing),
        }
    }

    fn bare_includes(&self) -> bool {
        true
    }
}
