//! Zola: `zola.toml` (`config.toml` in older sites), sections and pages in `content/`, addresses that are slugs.
//!
//! A page's own part of its address is its `slug`, else its file's name without the date in front; folders stay as they are, and `path`
//! takes the place of the whole. A draft section keeps back everything below it. Zola publishes what is dated in the future; it is kept
//! back here all the same, as everywhere. (Zola's documentation: "Page", "Section", "Configuration".)

mod shortcodes;

use std::collections::{HashMap, HashSet};

use artifact::route::canonical;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use self::shortcodes::Templates;
use super::files::joined;
use super::settings::{self, Config};
use super::{Context, Facts, Generator, Kind, Placed, Placing, Seen, SiteFiles};
use crate::config::guess;
use crate::front_matter::Entry;
use crate::front_matter::date;
use crate::front_matter::meta::Written;
use crate::front_matter::value::find_path;
use crate::page::{Anchors, Log, Text, slugs};
use crate::place::{below, folder_of};
use crate::problem::Problem;

#[derive(Debug)]
pub(super) struct Zola {
    facts: Facts,
    content: String,
    default_language: String,
    languages: Vec<String>,
    paths: slugs::Strategy,
    keep_dates: bool,
    ignored: GlobSet,
    anchors: Anchors,
    /// Names of collections by the folder below `content`.
    collections: HashMap<String, String>,
    templates: Templates,
    /// By source.
    pages: HashMap<String, Page>,
}

#[derive(Debug, Default)]
struct Page {
    route: String,
    is_section: bool,
    hidden: Option<String>,
    is_material: bool,
    order: Option<u32>,
    /// The folder directly below the content folder, `.` when it lies in that.
    top: String,
    language: String,
    redirects: Vec<String>,
}

impl Zola {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files
            .find(&["zola.toml"])
            .or_else(|| files.find(&["config.toml"]))?;
        let mut facts = Facts {
            config: path.clone(),
            trailing_slash: Some(true),
            ..Facts::default()
        };
        let config = settings::read(files, &path, &mut facts.problems);
        let root = folder_of(&path).to_owned();
        let content = joined(&root, "content")?;
        if config.text("base_url").is_none() || files.below(&content).next().is_none() {
            return None;
        }
        let default_language = config
            .text("default_language")
            .unwrap_or_else(|| "en".into());
        facts.url = config.text("base_url").filter(|url| url.contains("://"));
        facts.title = config.text("title");
        facts.description = config.text("description");
        facts.author = config
            .text("author")
            .or_else(|| config.text("extra.author"));
        facts.language = Some(default_language.clone());
        facts.content = content.clone();
        let taxonomies = taxonomies(&config);
        facts.tag_keys = Some(
            taxonomies
                .iter()
                .map(|name| format!("taxonomies.{name}"))
                .collect(),
        );
        let tags = taxonomies.iter().find(|name| *name == "tags");
        let tags = tags.or(taxonomies.first().filter(|_| taxonomies.len() == 1));
        let folder = config
            .text("taxonomy_root")
            .map_or(String::new(), |root| format!("/{root}"));
        facts.tag_route = tags.map(|name| format!("{folder}/{}/{{tag}}", slugs::slug(name)));
        let languages = config
            .node("languages")
            .map(settings::entries)
            .unwrap_or_default();
        let anchors = match slugs::Strategy::of(config.text("slugify.anchors").as_deref()) {
            slugs::Strategy::On => Anchors::Zola,
            slugs::Strategy::Safe => Anchors::ZolaSafe,
            slugs::Strategy::Off => Anchors::ZolaOff,
        };
        let mut zola = Zola {
            languages: languages.iter().map(|entry| entry.key.clone()).collect(),
            paths: slugs::Strategy::of(config.text("slugify.paths").as_deref()),
            keep_dates: config.boolean("slugify.paths_keep_dates") == Some(true),
            ignored: ignored(&config),
            templates: Templates::open(files, &root, config.text("theme").as_deref()),
            default_language,
            content,
            anchors,
            collections: HashMap::new(),
            pages: HashMap::new(),
            facts,
        };
        zola.name_collections(files);
        Some(Box::new(zola))
    }

    fn name_collections(&mut self, files: &SiteFiles) {
        let mut paths: Vec<&str> = files
            .paths()
            .filter(|path| crate::source::markdown_ending(path).is_some() && self.is_content(path))
            .filter_map(|path| below(path, &self.content))
            .collect();
        paths.sort_unstable();
        let mut collections = guess::collections(paths.into_iter());
        for collection in &mut collections {
            self.collections
                .insert(collection.path.clone(), collection.name.clone());
            let own = joined(&self.content, &format!("{}/_index.md", collection.path));
            let map = own.filter(|path| files.has(path)).and_then(|path| {
                let text = files.read(&path).ok()?;
                Some(crate::front_matter::split(&text, &path).ok()?.map)
            });
            if let Some(map) = map.filter(|map| settings::boolean(map, "draft") != Some(true)) {
                if let Some(title) = settings::text(&map, "title") {
                    collection.title = title;
                }
                collection.description = settings::text(&map, "description");
            }
        }
        self.facts.collections = collections;
    }

    /// A file's name without its ending and its language, and that language.
    fn name<'n>(&self, name: &'n str) -> (&'n str, String) {
        let stem = &name[..name.len() - crate::source::markdown_ending(name).map_or(0, str::len)];
        match stem.rsplit_once('.') {
            Some((own, language))
                if self.languages.iter().any(|it| it == language)
                    || language == self.default_language =>
            {
                (own, language.to_owned())
            }
            _ => (stem, self.default_language.clone()),
        }
    }

    fn page(&self, file: &mut Seen<'_>) -> Page {
        let inside = below(file.source, &self.content).unwrap_or(file.source);
        let (folder, file_name) = inside.rsplit_once('/').unwrap_or(("", inside));
        let (name, language) = self.name(file_name);
        let map = file.map;
        let prefix = match language == self.default_language {
            true => String::new(),
            false => format!("/{language}"),
        };
        let mut page = Page {
            is_section: name == "_index",
            top: match folder.split('/').next() {
                None | Some("") => ".".into(),
                Some(top) => top.to_owned(),
            },
            language,
            ..Page::default()
        };
        if page.is_section {
            page.route = canonical(&format!("{prefix}/{folder}"));
            page.is_material = settings::text(map, "redirect_to").is_some();
        } else {
            let (folder, own) = match (name, folder.rsplit_once('/')) {
                ("index", Some((above, own))) => (above, own),
                ("index", None) => ("", folder),
                (name, _) => (folder, name),
            };
            let mut slug = None;
            if let Some(day) = own.get(..10).and_then(date::parse) {
                let rest = own[10..].trim_start();
                let rest = rest
                    .strip_prefix(['-', '_'])
                    .filter(|rest| !rest.is_empty());
                slug = rest.filter(|_| !self.keep_dates).map(str::to_owned);
                if (rest.is_some() || own.len() == 10) && file.meta.date.is_none() {
                    file.meta.date = Some(Written {
                        text: day.text.clone(),
                        date: Some(day),
                        line: 1,
                    });
                }
            }
            let slug = settings::text(map, "slug")
                .or(slug)
                .unwrap_or_else(|| own.to_owned());
            page.route = match settings::text(map, "path") {
                Some(path) => canonical(&path),
                None => canonical(&format!("{prefix}/{folder}/{}", self.paths.path(&slug))),
            };
            if name == "index"
                && page.top == *own
                && !inside.contains(&format!("{own}/{own}"))
                && folder.is_empty()
            {
                page.top = ".".into();
            }
        }
        page.is_material |= settings::boolean(map, "render") == Some(false);
        let aliases = find_path(map, "aliases")
            .map(|entry| settings::texts(&entry.node))
            .unwrap_or_default();
        page.redirects = aliases.iter().map(|alias| canonical(alias)).collect();
        page
    }
}

/// The names of the site's taxonomies.
fn taxonomies(config: &Config) -> Vec<String> {
    let items = config
        .node("taxonomies")
        .map(settings::items)
        .unwrap_or_default();
    items
        .iter()
        .filter_map(|item| {
            settings::text(settings::entries(item), "name")
                .or_else(|| item.text().map(str::to_owned))
        })
        .collect()
}

fn ignored(config: &Config) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in config
        .node("ignored_content")
        .map(settings::texts)
        .unwrap_or_default()
    {
        if let Ok(glob) = GlobBuilder::new(&pattern).build() {
            set.add(glob);
        }
    }
    set.build().unwrap_or_default()
}

/// Whether a section that sorts its pages so passes a page by.
fn is_passed_by(sort_by: &str, map: &[Entry], has_date: bool) -> bool {
    match sort_by {
        "date" => !has_date,
        "update_date" => !has_date && find_path(map, "updated").is_none(),
        "weight" => find_path(map, "weight").is_none(),
        "title" | "title_bytes" => find_path(map, "title").is_none(),
        _ => false,
    }
}

impl Generator for Zola {
    fn kind(&self) -> Kind {
        Kind::Zola
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        let Some(inside) = below(source, &self.content) else {
            return false;
        };
        let name = inside.rsplit('/').next().unwrap_or(inside);
        name.ends_with(".md") && !self.ignored.is_match(inside) && !self.ignored.is_match(name)
    }

    fn survey(&mut self, files: &mut [Seen<'_>], _: &mut Vec<Problem>) {
        let folder_of = |source: &str| {
            source
                .rsplit_once('/')
                .map_or(String::new(), |(folder, _)| folder.to_owned())
        };
        let mut drafts: HashSet<(String, String)> = HashSet::new();
        let mut bundles: HashSet<String> = HashSet::new();
        let mut sorts: HashMap<(String, String), String> = HashMap::new();
        let mut weights: HashMap<String, i64> = HashMap::new();
        let mut pages: Vec<(String, Page)> = Vec::new();
        for file in files.iter_mut() {
            let page = self.page(file);
            let folder = folder_of(file.source);
            let key = (page.language.clone(), folder.clone());
            if page.is_section {
                if file.meta.hidden.is_some() {
                    drafts.insert(key.clone());
                }
                sorts.insert(key, settings::text(file.map, "sort_by").unwrap_or_default());
            } else if self
                .name(file.source.rsplit('/').next().unwrap_or_default())
                .0
                == "index"
                && folder != self.content
            {
                bundles.insert(folder);
            }
            let weight = settings::integer(file.map, "weight").unwrap_or(0);
            weights.insert(file.source.to_owned(), weight);
            pages.push((file.source.to_owned(), page));
        }
        let mut redirects: Vec<(String, String)> = Vec::new();
        for ((source, page), file) in pages.iter_mut().zip(files.iter()) {
            let own = folder_of(source);
            let mut folder = own.as_str();
            loop {
                let key = (page.language.clone(), folder.to_owned());
                if drafts.contains(&key) {
                    page.hidden = Some(format!("the section `{folder}` is a draft"));
                }
                let is_own = folder == own
                    && self.name(source.rsplit('/').next().unwrap_or_default()).0 == "index";
                page.is_material |= bundles.contains(folder) && !is_own;
                match folder.rsplit_once('/') {
                    Some((above, _)) if folder != self.content => folder = above,
                    _ => break,
                }
            }
            let section = match bundles.contains(&own) {
                true => own.rsplit_once('/').map_or("", |(above, _)| above),
                false => &own,
            };
            let sort = sorts.get(&(page.language.clone(), section.to_owned()));
            if !page.is_section
                && sort.is_some_and(|sort| is_passed_by(sort, file.map, file.meta.date.is_some()))
            {
                let sort = sort.map_or("", String::as_str);
                page.hidden.get_or_insert(format!(
                    "its section sorts by {sort}, and it has none: Zola renders no such page"
                ));
            }
            if let Some(to) = settings::text(file.map, "redirect_to").filter(|_| page.is_section) {
                redirects.push((page.route.clone(), to));
            }
        }
        for (route, to) in redirects {
            let to = to.trim_matches('/');
            let wanted = canonical(to);
            let file = format!("{}/{}", self.content, to.trim_start_matches("@/"));
            if let Some((_, page)) = pages
                .iter_mut()
                .find(|(source, page)| page.route == wanted || *source == file)
            {
                page.redirects.push(route);
            }
        }
        // The order of sections that are sorted by weight: by the weights of all folders above, then by name.
        let by_weight: Vec<usize> = (0..pages.len())
            .filter(|at| {
                let (source, page) = &pages[*at];
                let folder = folder_of(source);
                let sorted = |folder: &str| {
                    let key = (page.language.clone(), folder.to_owned());
                    sorts.get(&key).is_some_and(|sort| sort == "weight")
                };
                sorted(&folder)
                    || folder
                        .rsplit_once('/')
                        .is_some_and(|(above, _)| sorted(above))
            })
            .collect();
        let key = |at: &usize| {
            let (source, page) = &pages[*at];
            let mut parts: Vec<(i64, String)> = Vec::new();
            let ends = source.match_indices('/').map(|(end, _)| end);
            for end in ends {
                let folder = &source[..end];
                let weight = ["_index.md", "index.md"]
                    .iter()
                    .find_map(|name| weights.get(&format!("{folder}/{name}")));
                parts.push((weight.copied().unwrap_or(0), folder.to_owned()));
            }
            if !page.is_section {
                parts.push((weights.get(source).copied().unwrap_or(0), source.clone()));
            }
            (page.language.clone(), parts)
        };
        let mut order = by_weight;
        order.sort_by_cached_key(key);
        for (number, at) in order.into_iter().enumerate() {
            pages[at].1.order = u32::try_from(number).ok();
        }
        self.pages = pages.into_iter().collect();
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let Some(page) = self.pages.get(file.source) else {
            return Placing::Material;
        };
        file.meta
            .language
            .get_or_insert_with(|| page.language.clone());
        if let Some(why) = &page.hidden {
            return Placing::Hidden(why.clone());
        }
        if page.is_material {
            return Placing::Material;
        }
        let collection = self
            .collections
            .get(&page.top)
            .or_else(|| self.collections.get("."));
        Placing::Page(Placed {
            route: page.route.clone(),
            is_index: page.is_section || file.source.ends_with("/index.md"),
            collection: collection.cloned(),
            order: page.order,
        })
    }

    fn hidden_route(&self, source: &str) -> Option<String> {
        Some(self.pages.get(source)?.route.clone())
    }

    fn redirects(&self, source: &str) -> Vec<String> {
        self.pages
            .get(source)
            .map(|page| page.redirects.clone())
            .unwrap_or_default()
    }

    fn render(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        self.templates.render(page, text, log);
        crate::page::syntax::goldmark::render(text);
        crate::page::syntax::goldmark::tidy(text);
    }

    fn anchors(&self) -> Anchors {
        self.anchors
    }
}
