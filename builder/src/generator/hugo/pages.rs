//! What each content file is to Hugo: a page, a resource of a page, or nothing that is published.
//!
//! A file is named by its logical path: `content/posts/My Tea/index.md` is `/posts/my-tea`. `index.md` makes its folder a leaf bundle, all
//! other markdown in which belongs to that page; `_index.md` is a section. (Hugo's documentation: "Page bundles", "Build options",
//! "Configure front matter".)

use std::collections::{HashMap, HashSet};

use jiff::civil;

use super::cascade::{Cascades, PageKind, Where};
use super::config::Config;
use super::routes::{self, Rules, normalised};
use crate::front_matter::date::{self, Date};
use crate::front_matter::meta::{Hidden, Written};
use crate::front_matter::value::find_path;
use crate::front_matter::{Entry, Meta};
use crate::generator::{Seen, settings};
use crate::place::{below, folder_of};
use crate::source::markdown_ending;

/// A content file that was looked at.
#[derive(Debug)]
pub(super) struct Page {
    pub source: String,
    /// `/posts/my-tea`; `/` for the home page.
    pub path: String,
    /// Its parts as they are written, the page's own last, without date when the file's name tells it.
    pub parts: Vec<String>,
    pub kind: PageKind,
    pub language: String,
    pub title: Option<String>,
    pub link_title: Option<String>,
    pub description: Option<String>,
    pub map: Vec<Entry>,
    pub date: Option<Date>,
    pub weight: i64,
    pub slug: Option<String>,
    pub route: String,
    pub fate: Fate,
    pub order: Option<u32>,
}

/// What becomes of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    Published,
    /// Kept back by its own front matter, or by its date: nothing of it is shown anywhere.
    Hidden(String),
    /// A section keeps it back: why. Other pages may be made of it.
    Withheld(String),
    /// Not rendered, or a resource of another page: other pages may be made of it.
    Material,
}

/// The rules of a site by which files become pages.
#[derive(Debug)]
pub(super) struct Finder {
    pub config: Config,
    pub rules: Rules,
    pub cascades: Cascades,
    now: civil::Date,
    ignored: Vec<regex_lite::Regex>,
    dates: Vec<String>,
    publish: Vec<String>,
    expiry: Vec<String>,
    build_drafts: bool,
    build_future: bool,
    build_expired: bool,
}

impl Finder {
    pub(super) fn new(config: Config, now: civil::Date) -> Finder {
        let rules = Rules::new(&config);
        let mut cascades = Cascades::default();
        if let Some(node) = config.node("cascade") {
            cascades.add_site(node);
        }
        let keys = |name: &str, default: &[&str]| -> Vec<String> {
            let default = || default.iter().map(|key| (*key).to_owned());
            match config.node(&format!("frontmatter.{name}")) {
                Some(node) => {
                    let written = settings::texts(node);
                    written
                        .into_iter()
                        .flat_map(|key| match key.to_lowercase().as_str() {
                            ":default" => default().collect(),
                            _ => vec![key],
                        })
                        .collect()
                }
                None => default().collect(),
            }
        };
        let ignored = config
            .node("ignoreFiles")
            .map(settings::texts)
            .unwrap_or_default();
        let yes = |key: &str| config.boolean(key) == Some(true);
        Finder {
            now,
            ignored: ignored
                .iter()
                .filter_map(|pattern| regex_lite::Regex::new(pattern).ok())
                .collect(),
            dates: keys(
                "date",
                &[
                    "date",
                    "publishdate",
                    "pubdate",
                    "published",
                    "lastmod",
                    "modified",
                ],
            ),
            publish: keys(
                "publishDate",
                &["publishdate", "pubdate", "published", "date"],
            ),
            expiry: keys("expiryDate", &["expirydate", "unpublishdate"]),
            build_drafts: yes("buildDrafts"),
            build_future: yes("buildFuture"),
            build_expired: yes("buildExpired"),
            rules,
            cascades,
            config,
        }
    }

    /// The path of a file below the content root, and the language of its mount.
    pub(super) fn inside<'s>(&'s self, source: &'s str) -> Option<(String, Option<&'s str>)> {
        let fits = |mount: &&super::config::Mount| below(source, &mount.source).is_some();
        let mount = self
            .config
            .mounts
            .iter()
            .filter(fits)
            .max_by_key(|mount| mount.source.len())?;
        let rest = below(source, &mount.source)?;
        let path = match (mount.target.as_str(), rest) {
            ("", rest) => rest.to_owned(),
            (target, "") => target.to_owned(),
            (target, rest) => format!("{target}/{rest}"),
        };
        Some((path, mount.language.as_deref()))
    }

    /// Whether a file is content.
    pub(super) fn is_content(&self, source: &str) -> bool {
        let Some((path, _)) = self.inside(source) else {
            return false;
        };
        let ending = markdown_ending(source).unwrap_or_default();
        !ending.eq_ignore_ascii_case(".mdx")
            && !self
                .ignored
                .iter()
                .any(|pattern| pattern.is_match(&format!("/{source}")))
            && !path.is_empty()
    }

    /// Looks at all files.
    pub(super) fn pages(&mut self, files: &mut [Seen<'_>]) -> Vec<Page> {
        let mut pages: Vec<Page> = files.iter().map(|file| self.page(file)).collect();
        let bundles: HashSet<String> = files
            .iter()
            .filter_map(|file| {
                let (path, _) = self.inside(file.source)?;
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
                (self.name(name).0 == "index").then(|| folder.to_owned())
            })
            .collect();
        for page in &pages {
            if page.kind != PageKind::Page {
                self.cascades.add(&page.language, &page.path, &page.map);
            }
        }
        let mut slugs: HashMap<(String, String), String> = HashMap::new();
        let mut titles: HashMap<(String, String), String> = HashMap::new();
        let sections: HashSet<(String, String)> = pages
            .iter()
            .filter(|page| page.kind == PageKind::Section)
            .map(|page| (page.language.clone(), page.path.clone()))
            .collect();
        for page in pages.iter().filter(|page| page.kind == PageKind::Section) {
            let key = (page.language.clone(), page.path.clone());
            if let Some(slug) = &page.slug {
                slugs.insert(key.clone(), slug.clone());
            }
            if let Some(title) = &page.title {
                titles.insert(key, title.clone());
            }
        }
        for (page, file) in pages.iter_mut().zip(files) {
            self.settle(page, file.meta);
            if self.is_resource(file.source, &bundles) {
                page.fate = match page.fate {
                    Fate::Hidden(_) => continue,
                    _ => Fate::Material,
                };
            }
            let get = |map: &HashMap<(String, String), String>, path: &str| {
                map.get(&(page.language.clone(), path.to_owned())).cloned()
            };
            let prefix = self.prefix(&page.language);
            let url = settings::text(&page.map, "url");
            let route = self.rules.route(&routes::Facts {
                path: &page.path,
                parts: &page.parts,
                kind: page.kind,
                language: &page.language,
                prefix: &prefix,
                slug: page.slug.as_deref(),
                url: url.as_deref(),
                title: page.title.as_deref(),
                date: page.date.as_ref(),
                is_section: &|path| sections.contains(&(page.language.clone(), path.to_owned())),
                section_slug: &|path| get(&slugs, path),
                section_title: &|path| get(&titles, path),
            });
            page.route = route;
        }
        super::order::put(&mut pages);
        pages
    }

    /// The folder of a language in addresses.
    pub(super) fn prefix(&self, language: &str) -> String {
        let is_default = language == self.config.default_language;
        match is_default && !self.config.default_in_folder || self.config.languages.is_empty() {
            true => String::new(),
            false => format!("/{language}"),
        }
    }

    /// A file's name without its ending and its language, and that language.
    fn name<'n>(&self, name: &'n str) -> (&'n str, Option<String>) {
        let stem = &name[..name.len() - markdown_ending(name).map_or(0, str::len)];
        if let Some((own, language)) = stem.rsplit_once('.') {
            let language = language.to_lowercase();
            let known = language == self.config.default_language
                || self.config.languages.iter().any(|it| it.name == language);
            if known && !own.is_empty() {
                return (own, Some(language));
            }
        }
        (stem, None)
    }

    fn is_resource(&self, source: &str, bundles: &HashSet<String>) -> bool {
        let Some((path, _)) = self.inside(source) else {
            return false;
        };
        let (mut folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if self.name(name).0 == "index" {
            folder = folder_of(folder);
        }
        // An `index.md` at the content root is a page and makes no bundle of the whole site.
        while !folder.is_empty() {
            if bundles.contains(folder) {
                return true;
            }
            folder = folder_of(folder);
        }
        false
    }

    fn page(&self, file: &Seen<'_>) -> Page {
        let (inside, mounted) = self.inside(file.source).unwrap_or_default();
        let (folder, file_name) = inside.rsplit_once('/').unwrap_or(("", &inside));
        let (name, own_language) = self.name(file_name);
        let mut parts: Vec<String> = folder
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let kind = match name {
            "_index" if parts.is_empty() => PageKind::Home,
            "index" if parts.is_empty() => PageKind::Home,
            "_index" => PageKind::Section,
            _ => PageKind::Page,
        };
        let mut slug = settings::text(file.map, "slug");
        let mut date = None;
        if kind == PageKind::Page && name != "index" {
            parts.push(name.to_owned());
        }
        if kind == PageKind::Page
            && self
                .dates
                .iter()
                .any(|key| key.eq_ignore_ascii_case(":filename"))
        {
            let own = parts.last().map(String::as_str).unwrap_or_default();
            if let Some((day, rest)) = dated(own) {
                date = Some(day);
                slug = slug.or_else(|| Some(rest.to_owned()).filter(|rest| !rest.is_empty()));
            }
        }
        let path: Vec<String> = parts.iter().map(|part| normalised(part)).collect();
        let language = mounted
            .map(str::to_owned)
            .or(own_language)
            .unwrap_or_else(|| self.config.default_language.clone());
        Page {
            source: file.source.to_owned(),
            path: format!("/{}", path.join("/")),
            parts,
            kind,
            language,
            title: file.meta.title.clone(),
            link_title: settings::text(file.map, "linkTitle"),
            description: file.meta.description.clone(),
            map: file.map.to_vec(),
            date,
            weight: 0,
            slug,
            route: String::new(),
            fate: Fate::Published,
            order: None,
        }
    }

    /// Dates, weight, and whether the page is published.
    fn settle(&self, page: &mut Page, meta: &mut Meta) {
        let here = Where {
            path: &page.path,
            kind: page.kind,
            language: &page.language,
        };
        let value =
            |key: &str| find_path(&page.map, key).or_else(|| self.cascades.find(&here, key));
        let text = |key: &str| Some(value(key)?.node.text()?.trim().to_owned());
        let by_name = page.date.take();
        let day = |keys: &[String]| {
            keys.iter()
                .find_map(|key| match key.to_lowercase().as_str() {
                    ":filename" => by_name.clone().map(|date| (date, 1)),
                    key if key.starts_with(':') => None,
                    key => {
                        let entry = value(key)?;
                        date::parse(entry.node.text()?).map(|date| (date, entry.line))
                    }
                })
        };
        let date = day(&self.dates);
        let publish = day(&self.publish);
        let expiry = day(&self.expiry);
        if let Some((date, line)) = &date {
            meta.date = Some(Written {
                text: date.text.clone(),
                date: Some(date.clone()),
                line: *line,
            });
        }
        page.weight = text("weight")
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);

        let is_early = publish
            .as_ref()
            .is_some_and(|(date, _)| date.is_after(self.now));
        let is_over = expiry
            .as_ref()
            .is_some_and(|(date, _)| !date.is_after(self.now));
        let own = meta.hidden.take();
        let draft = find_path(&page.map, "draft").is_some()
            || settings::boolean(&page.map, "published").is_some();
        let is_draft = |why: &str| why.starts_with("`draft") || why.starts_with("`published");
        let own = own
            .filter(|hidden| !hidden.is_early && !hidden.why.starts_with("`expiryDate"))
            .filter(|hidden| !(self.build_drafts && is_draft(&hidden.why)));
        let language = self
            .config
            .languages
            .iter()
            .find(|it| it.name == page.language);
        let render = |key: &str| {
            let own = |name: &str| find_path(&page.map, &format!("{name}.{key}"));
            let given = |name: &str| self.cascades.find(&here, &format!("{name}.{key}"));
            let entry = own("build")
                .or_else(|| own("_build"))
                .or_else(|| given("build"))
                .or_else(|| given("_build"))?;
            Some(entry.node.text()?.trim().to_lowercase())
        };
        // A page may be written as something else than a page: `outputs: [json]`.
        let is_other = value("outputs").is_some_and(|entry| {
            let formats = settings::texts(&entry.node);
            !formats.is_empty() && !formats.iter().any(|it| it.eq_ignore_ascii_case("html"))
        });
        let is_headless =
            find_path(&page.map, "headless").and_then(|entry| entry.node.text()) == Some("true");
        page.fate = if let Some(hidden) = own {
            Fate::Hidden(hidden.why)
        } else if language.is_some_and(|it| it.disabled) {
            Fate::Hidden(format!("the language `{}` is disabled", page.language))
        } else if !self.config.is_known(&page.language) {
            Fate::Hidden(format!("the site has no language `{}`", page.language))
        } else if is_early && !self.build_future {
            let day = publish.map(|(date, _)| date.text).unwrap_or_default();
            Fate::Hidden(format!("`publishDate: {day}` is in the future"))
        } else if is_over && !self.build_expired {
            let day = expiry.map(|(date, _)| date.text).unwrap_or_default();
            Fate::Hidden(format!("`expiryDate: {day}` has passed"))
        } else if !draft && !self.build_drafts && text("draft").as_deref() == Some("true") {
            Fate::Withheld("a section says `draft: true` for it".into())
        } else if matches!(
            render("render").as_deref(),
            Some("never" | "link" | "false")
        ) || is_headless
            || is_other
        {
            Fate::Material
        } else if matches!(render("list").as_deref(), Some("never" | "false")) {
            Fate::Hidden("`build.list: never`".into())
        } else {
            Fate::Published
        };
        meta.hidden = match &page.fate {
            Fate::Hidden(why) => Some(Hidden::of(why.clone())),
            _ => None,
        };
        page.date = date.map(|(date, _)| date);
        meta.language.get_or_insert_with(|| page.language.clone());
    }

    /// The value of a key for a page: its own, or what is given to it.
    pub(super) fn value<'a>(&'a self, page: &'a Page, key: &str) -> Option<&'a Entry> {
        let here = Where {
            path: &page.path,
            kind: page.kind,
            language: &page.language,
        };
        find_path(&page.map, key).or_else(|| self.cascades.find(&here, key))
    }
}

/// The day in front of a file's name, and the rest of the name.
fn dated(name: &str) -> Option<(Date, &str)> {
    let day = date::parse(name.get(..10)?)?;
    let rest = &name[10..];
    (rest.is_empty() || rest.starts_with(['-', '_', ' ']))
        .then(|| (day, rest.trim_start_matches(['-', '_', ' '])))
}
