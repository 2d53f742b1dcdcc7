//! Jekyll: `_config.yml`, posts in `_posts`, collections, pages with front matter, Liquid, kramdown.
//!
//! A markdown file is a page when it has front matter and no part of its path starts with `_`, `.`, `#` or `~`; a post when it lies in a `_posts`
//! folder and its name begins with a date; a document when it lies in the folder of a collection whose `output` is true. Values of
//! `defaults` are put below each file's own. Posts and documents dated in the future are hidden unless `future: true`, pages are not; what lies in
//! `_drafts` is hidden. (Jekyll's documentation, "Permalinks", "Front Matter Defaults", "Collections"; Jekyll 4.3.)

mod data;
mod files;
mod permalink;
mod template;

use std::collections::{BTreeMap, HashMap};

use jiff::civil;

use super::settings::{self, Config};
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::config::{CollectionSettings, names};
use crate::front_matter::meta::{Hidden, TagWritten, Written};
use crate::front_matter::value::find;
use crate::front_matter::{Entry, date, meta};
use crate::page::syntax::{indented, kramdown, liquid};
use crate::page::{Anchors, Log, Text};
use crate::place::{below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;
use liquid::Value;
use permalink::Parts;

/// The keys that hold tags.
const TAG_KEYS: &[&str] = &["tags", "tag", "categories", "category"];
#[derive(Debug)]
pub(super) struct Jekyll {
    facts: Facts,
    /// The folder of the site's source, below the site's folder; empty for the site's folder itself.
    root: String,
    now: civil::Date,
    /// The zone in which a moment becomes a day; where nothing says, that of the services that build sites.
    zone: jiff::tz::TimeZone,
    style: String,
    future: bool,
    unpublished: bool,
    collections: Vec<Collection>,
    defaults: Vec<data::Default>,
    roles: HashMap<String, Role>,
    /// The addresses of everything that is published, by source.
    routes: HashMap<String, String>,
    config: Config,
    /// `site`, but for what is asked for by other names.
    site: Value,
    anchors: Anchors,
}

/// What a markdown file is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Role {
    Page,
    /// In `_drafts`.
    Draft,
    /// A document of a collection: its place among them. Posts are the first.
    Document(usize),
    /// In `_posts`, and without a date in its name.
    Undated,
}

#[derive(Debug, Clone)]
struct Collection {
    label: String,
    /// Its folder below the source.
    folder: String,
    pattern: String,
    output: bool,
}

impl Jekyll {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files.find(&["_config.yml", "_config.yaml", "_config.toml"])?;
        let mut facts = Facts {
            config: path.clone(),
            ..Facts::default()
        };
        let config = settings::read(files, &path, &mut facts.problems);
        let folder = folder_of(&path);
        let source = config.text("source").unwrap_or_default();
        let root = joined(folder, &source).unwrap_or_default();
        let style = config.text("permalink").unwrap_or_else(|| "date".into());
        let collections = collections(&config, &style);
        facts.title = config.text("title").or_else(|| config.text("name"));
        facts.description = config.text("description");
        facts.language = config.text("lang").or_else(|| config.text("locale"));
        facts.author = config.text("author.name").or_else(|| config.text("author"));
        let base = config.text("baseurl").unwrap_or_default();
        facts.url = config
            .text("url")
            .filter(|url| url.contains("://"))
            .map(|url| format!("{}/{}", url.trim_end_matches('/'), base.trim_matches('/')));
        facts.trailing_slash = Some(true);
        facts.content = if root.is_empty() {
            ".".into()
        } else {
            root.clone()
        };
        facts.tag_keys = Some(TAG_KEYS.iter().map(|key| (*key).to_owned()).collect());
        let mut jekyll = Jekyll {
            root,
            now: files.now(),
            zone: config
                .text("timezone")
                .and_then(|name| jiff::tz::TimeZone::get(&name).ok())
                .unwrap_or(jiff::tz::TimeZone::UTC),
            style,
            future: config.boolean("future").unwrap_or(false),
            unpublished: config.boolean("unpublished").unwrap_or(false),
            collections,
            defaults: data::defaults(&config),
            roles: HashMap::new(),
            routes: HashMap::new(),
            site: Value::Nil,
            anchors: anchors(&config),
            config,
            facts,
        };
        jekyll.roles(files);
        jekyll.facts.collections = jekyll.settings();
        jekyll.site = template::site(&jekyll, files);
        Some(Box::new(jekyll))
    }

    fn settings(&self) -> Vec<CollectionSettings> {
        let held = |at: usize| self.roles.values().any(|role| *role == Role::Document(at));
        let mut found: Vec<CollectionSettings> = Vec::new();
        let collections = self
            .collections
            .iter()
            .enumerate()
            .filter(|(at, _)| held(*at));
        for (at, collection) in collections {
            found.push(CollectionSettings {
                name: artifact::route::slugify(&collection.label),
                title: names::prettified(&collection.label),
                path: collection.folder.clone(),
                route: format!("/{}/{{slug}}", collection.label),
                posts: at == 0,
                ..CollectionSettings::default()
            });
        }
        if self.roles.values().any(|role| *role == Role::Page) {
            found.push(CollectionSettings {
                name: "pages".into(),
                title: "Pages".into(),
                path: ".".into(),
                route: "/{path}".into(),
                ..CollectionSettings::default()
            });
        }
        found
    }

    /// The file's front matter above the defaults that hold for it.
    fn data(&self, source: &str, map: &[Entry]) -> Vec<Entry> {
        let inside = below(source, &self.root).unwrap_or(source);
        let kind = match self.roles.get(source) {
            Some(Role::Document(at)) => self.collections[*at].label.as_str(),
            Some(Role::Draft) => "drafts",
            Some(Role::Undated) => "posts",
            _ => "pages",
        };
        data::merged(&self.defaults, inside, kind, &self.collections_dir(), map)
    }

    /// The day that stands in a file's name or its front matter.
    fn day(&self, source: &str, meta: &meta::Meta) -> Option<civil::Date> {
        let written = meta.date.as_ref().and_then(|written| written.date.as_ref());
        if let Some(date) = written {
            // A moment is a day of the configuration's zone, a day is itself.
            if date.text.len() > 10 {
                let moment = jiff::Timestamp::from_second(date.seconds).ok()?;
                return Some(self.zone.to_datetime(moment).date());
            }
            let (year, month, day) = date.parts();
            return civil::Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
                .ok();
        }
        Some(permalink::dated(stem_of(source))?.0)
    }

    /// The address of a page or document, as Jekyll makes it.
    fn address(&self, source: &str, data: &[Entry], meta: &meta::Meta) -> Option<String> {
        let inside = below(source, &self.root).unwrap_or(source);
        let (folder, _) = inside.rsplit_once('/').unwrap_or(("", inside));
        let stem = stem_of(source);
        let own = settings::text(data, "permalink");
        let slug = settings::text(data, "slug");
        let named = permalink::dated(stem)
            .map_or(stem, |(_, rest)| rest)
            .trim_end_matches('.');
        let Some(Role::Document(at)) = self.roles.get(source) else {
            let pattern = match (&own, stem) {
                (Some(own), _) => own.clone(),
                (None, "index") => "/:path/".into(),
                (None, _) => permalink::with_ending("/:path/:name", &self.style),
            };
            // The names of pages are not slugs.
            let filled = pattern
                .replace("/:path", &format!("/{folder}"))
                .replace(":basename", stem)
                .replace(":name", stem);
            let filled = filled.replace(":output_ext", ".html");
            return Some(permalink::squeezed(&filled));
        };
        let collection = &self.collections[*at];
        let path = below(inside, &collection.folder).unwrap_or(inside);
        let path = path
            .strip_suffix(crate::source::markdown_ending(path).unwrap_or_default())
            .unwrap_or(path);
        let categories = data::categories(data, folder, *at == 0);
        permalink::fill(
            own.as_deref().unwrap_or(&collection.pattern),
            &Parts {
                collection: &collection.label,
                path,
                name: stem,
                slug: slug.as_deref().unwrap_or(named),
                categories: &categories,
                date: self.day(source, meta).or(Some(self.now)),
            },
        )
    }

    /// Why a file is not published.
    fn hidden(&self, source: &str, data: &[Entry], meta: &meta::Meta) -> Option<Hidden> {
        let role = self.roles.get(source)?;
        match role {
            Role::Draft => return Some(Hidden::of("it lies in `_drafts`")),
            Role::Undated => {
                return Some(Hidden::of(
                    "it lies in `_posts` and its name begins with no date",
                ));
            }
            _ => {}
        }
        if let Some(hidden) = &meta.hidden
            && !hidden.is_early
        {
            let by_published = settings::boolean(data, "published") == Some(false);
            if !(by_published && self.unpublished) {
                return Some(hidden.clone());
            }
        }
        let early = matches!(role, Role::Document(_))
            && self.day(source, meta).is_some_and(|day| day > self.now);
        (early && !self.future).then(|| Hidden {
            why: "its date is in the future".into(),
            is_early: true,
        })
    }

    /// What the usual keys mean, the defaults below them.
    fn meta(&self, source: &str, data: &[Entry]) -> meta::Meta {
        let keys: Vec<String> = TAG_KEYS.iter().map(|key| (*key).to_owned()).collect();
        meta::meta(data, source, &keys, self.now).0
    }
}

fn stem_of(source: &str) -> &str {
    let name = source.rsplit('/').next().unwrap_or(source);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Posts, and the collections of the configuration.
fn collections(config: &Config, style: &str) -> Vec<Collection> {
    let dir = config.text("collections_dir").unwrap_or_default();
    let folder =
        |label: &str| joined(&dir, &format!("_{label}")).unwrap_or_else(|| format!("_{label}"));
    let mut found = vec![Collection {
        label: "posts".into(),
        folder: folder("posts"),
        pattern: permalink::of_posts(style),
        output: true,
    }];
    let Some(node) = config.node("collections") else {
        return found;
    };
    for label in settings::texts(node) {
        found.push(Collection {
            folder: folder(&label),
            pattern: permalink::with_ending("/:collection/:path", style),
            output: false,
            label,
        });
    }
    for entry in settings::entries(node) {
        let own = settings::entries(&entry.node);
        let pattern = settings::text(own, "permalink");
        if entry.key == "posts" {
            if let Some(pattern) = pattern {
                found[0].pattern = permalink::of_posts(&pattern);
            }
            continue;
        }
        found.push(Collection {
            label: entry.key.clone(),
            folder: folder(&entry.key),
            pattern: pattern.unwrap_or_else(|| permalink::with_ending("/:collection/:path", style)),
            output: settings::boolean(own, "output").unwrap_or(false),
        });
    }
    found
}

fn anchors(config: &Config) -> Anchors {
    let markdown = config.text("markdown").unwrap_or_else(|| "kramdown".into());
    let input = config
        .text("kramdown.input")
        .unwrap_or_else(|| "GFM".into());
    match (markdown.to_lowercase().as_str(), input.as_str()) {
        ("kramdown", "GFM") => Anchors::KramdownGfm,
        ("kramdown", _) => Anchors::Kramdown,
        _ => Anchors::GitHub,
    }
}

/// The route of an address, and whether it is a folder's.
fn route(address: &str) -> String {
    let address = address
        .strip_suffix("index.html")
        .filter(|folder| folder.ends_with('/'))
        .unwrap_or(address);
    artifact::route::canonical(&artifact::route::decoded(address))
}

impl Generator for Jekyll {
    fn kind(&self) -> Kind {
        Kind::Jekyll
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        self.roles.contains_key(source)
    }

    fn survey(&mut self, files: &mut [Seen<'_>], problems: &mut Vec<Problem>) {
        let mut listed: BTreeMap<usize, Vec<(i64, Value)>> = BTreeMap::new();
        for file in files {
            let data = self.data(file.source, file.map);
            let meta = self.meta(file.source, &data);
            let Some(address) = self.address(file.source, &data, &meta) else {
                continue;
            };
            if self.roles.get(file.source) == Some(&Role::Undated) {
                problems.push(
                    Problem::warning(
                        file.source,
                        "the post's name begins with no date, so Jekyll passes it by",
                    )
                    .help("name it `2024-05-01-title.md`, or move it out of `_posts`"),
                );
            }
            if self.hidden(file.source, &data, &meta).is_some() {
                continue;
            }
            if let Some(Role::Document(at)) = self.roles.get(file.source) {
                let day = self.day(file.source, &meta);
                let order = day.map_or(0, |day| {
                    i64::from(day.year()) * 400 + i64::from(day.day_of_year())
                });
                listed.entry(*at).or_default().push((
                    order,
                    template::document(self, file.source, &data, &meta, &address),
                ));
            }
            self.routes.insert(file.source.to_owned(), address);
        }
        let mut lists = Vec::new();
        for (at, mut documents) in listed {
            documents.sort_by_key(|(order, _)| *order);
            if at == 0 {
                documents.reverse();
            }
            let documents = documents.into_iter().map(|(_, value)| value).collect();
            lists.push((self.collections[at].label.clone(), Value::list(documents)));
        }
        self.site = template::with_lists(&self.site, lists);
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let data = self.data(file.source, file.map);
        let meta = self.meta(file.source, &data);
        let own = std::mem::take(file.meta);
        *file.meta = meta::Meta {
            tags: own.tags,
            ..meta
        };
        data::spread_tags(file.map, &mut file.meta.tags);
        if file.meta.tags.is_empty() {
            file.meta.tags = self.meta(file.source, &data).tags;
        }
        if let Some(hidden) = self.hidden(file.source, &data, file.meta) {
            let why = hidden.why.clone();
            file.meta.hidden = Some(hidden);
            return Placing::Hidden(why);
        }
        file.meta.hidden = None;
        let Some(address) = self.address(file.source, &data, file.meta) else {
            return Placing::Hidden("its address asks for a date and it has none".into());
        };
        let is_document = matches!(self.roles.get(file.source), Some(Role::Document(_)));
        if let (true, None, Some((day, _))) = (
            is_document,
            &file.meta.date,
            permalink::dated(stem_of(file.source)),
        ) {
            let date = date::parse(&day.to_string());
            file.meta.date = Some(Written {
                text: day.to_string(),
                date,
                line: 1,
            });
        }
        let has_heading = file.body.lines().any(|line| line.starts_with("# "));
        if is_document && file.meta.title.is_none() && !has_heading {
            let named = permalink::dated(stem_of(file.source))
                .map_or(stem_of(file.source), |(_, rest)| rest);
            file.meta.title = Some(data::titled(named)).filter(|title| !title.is_empty());
        }
        let collection = match self.roles.get(file.source) {
            Some(Role::Document(at)) => self.collections[*at].label.clone(),
            _ => "pages".into(),
        };
        Placing::Page(Placed {
            route: route(&address),
            is_index: stem_of(file.source) == "index",
            collection: Some(artifact::route::slugify(&collection)),
            order: None,
        })
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let data = self.data(page.source, page.map);
        data::remove_excerpt_mark(&self.config, &data, text);
        if settings::boolean(&data, "render_with_liquid") == Some(false) {
            return;
        }
        let host = template::Page::new(self, page, &data);
        liquid::render(text, page.source, false, &host, log);
    }

    fn render(&self, _: &Context<'_>, text: &mut Text, _: &mut Log) {
        if self.anchors != Anchors::GitHub {
            kramdown::render(text);
            indented::outdent(text);
        }
    }

    fn anchors(&self) -> Anchors {
        self.anchors
    }
}

/// A tag that stands in the place of another.
fn tag(text: &str, line: u32) -> TagWritten {
    TagWritten {
        text: text.to_owned(),
        line,
    }
}

/// The entry of a key, if it says anything.
fn said<'a>(map: &'a [Entry], key: &str) -> Option<&'a Entry> {
    find(map, key).filter(|entry| !entry.node.is_blank())
}

#[cfg(test)]
mod tests;
