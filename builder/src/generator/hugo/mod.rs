//! Hugo: `content/`, sections and bundles, addresses from paths, slugs and patterns, cascades, and shortcodes.
//!
//! What of it is read: the configuration ([`config`]), front matter with what sections give to the pages below them ([`cascade`],
//! [`pages`]), and addresses ([`routes`]). A page whose own text is empty and whose `source` names another content file has that
//! file's text. A page that is not rendered (`build.render: never`, headless bundles) is no page, but others may be made of it.

mod cascade;
mod config;
mod data;
mod functions;
mod layouts;
mod order;
mod pages;
mod render;
mod routes;
mod scope;
mod template;
mod values;

use std::collections::HashMap;

use self::cascade::PageKind;
use self::config::Config;
use self::data::Data;
use self::layouts::Layouts;
use self::pages::{Fate, Finder, Page};
use self::render::Renderer;
use super::files::joined;
use super::{
    Context, Facts, Generator, Included, Kind, Placed, Placing, Seen, SiteFiles, settings,
};
use crate::config::guess;
use crate::front_matter::{self, Entry};
use crate::page::{Anchors, Log, Text, syntax};
use crate::problem::Problem;

#[derive(Debug)]
pub(super) struct Hugo {
    facts: Facts,
    finder: Finder,
    pages: Vec<Page>,
    /// Into `pages`, by source.
    by_source: HashMap<String, usize>,
    /// Names of collections, by the folder directly below the content root.
    collections: HashMap<String, String>,
    /// Into `pages`, by language and logical path.
    by_path: HashMap<(String, String), usize>,
    /// Into `pages`, by language and last part of the path; none where several have it.
    by_name: HashMap<(String, String), Option<usize>>,
    /// Into `pages`: what a section lists, by language and logical path of the section.
    children: HashMap<(String, String), Vec<usize>>,
    layouts: Layouts,
    data: Data,
    anchors: Anchors,
}

impl Hugo {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let mut facts = Facts {
            trailing_slash: Some(true),
            ..Facts::default()
        };
        let config = Config::open(files, &mut facts.problems)?;
        facts.config = config.path.clone();
        let own = |key: &str| {
            let by_language = format!("languages.{}.{key}", config.default_language);
            config.text(&by_language).or_else(|| config.text(key))
        };
        facts.title = own("title");
        facts.url = own("baseURL").filter(|url| url.contains("://"));
        facts.description = own("params.description");
        facts.author = own("params.author.name").or_else(|| own("params.author"));
        facts.language = own("locale")
            .or_else(|| own("languageCode"))
            .or_else(|| config.text("defaultContentLanguage"));
        facts.content = config.content();
        facts.tag_keys = Some(config.taxonomies.clone());
        let tags = config.taxonomies.iter().find(|key| *key == "tags");
        let tags = tags.or(config
            .taxonomies
            .first()
            .filter(|_| config.taxonomies.len() == 1));
        facts.tag_route = tags.map(|key| format!("/{key}/{{tag}}"));
        let anchors = match own("markup.goldmark.parser.autoHeadingIDType")
            .or_else(|| own("markup.goldmark.parser.autoIDType"))
            .as_deref()
        {
            Some("github-ascii") => Anchors::HugoAscii,
            Some("blackfriday") => Anchors::Blackfriday,
            _ => Anchors::Hugo,
        };
        let folder = joined(&config.root, "data").unwrap_or_default();
        let data = Data::open(files, &folder, &mut facts.problems);
        let themes = config
            .node("theme")
            .map(settings::texts)
            .unwrap_or_default();
        let layouts = Layouts::open(files, &config.root, &themes);
        for path in files
            .paths()
            .filter(|path| path.ends_with("/_content.gotmpl"))
        {
            let what = "pages that a content adapter makes are not read";
            let problem = Problem::warning(path, what);
            facts
                .problems
                .push(problem.help("they are made by code, which is never run"));
        }
        let finder = Finder::new(config, files.now());
        let mut paths: Vec<String> = files
            .paths()
            .filter(|path| {
                crate::source::markdown_ending(path).is_some() && finder.is_content(path)
            })
            .filter_map(|path| Some(finder.inside(path)?.0))
            .collect();
        paths.sort();
        facts.collections = guess::collections(paths.iter().map(String::as_str));
        let mut hugo = Hugo {
            facts,
            finder,
            pages: Vec::new(),
            by_source: HashMap::new(),
            collections: HashMap::new(),
            by_path: HashMap::new(),
            by_name: HashMap::new(),
            children: HashMap::new(),
            layouts,
            data,
            anchors,
        };
        hugo.name_collections(files);
        Some(Box::new(hugo))
    }

    /// Sections are called what their own pages are called.
    fn name_collections(&mut self, files: &SiteFiles) {
        let prefix = self.finder.prefix(&self.finder.config.default_language);
        let mut collections = std::mem::take(&mut self.facts.collections);
        for collection in &mut collections {
            self.collections
                .insert(collection.path.clone(), collection.name.clone());
            if collection.path == "." {
                continue;
            }
            if let Some(map) = self.section_map(&collection.path, files) {
                collection.title = settings::text(&map, "title")
                    .unwrap_or_else(|| std::mem::take(&mut collection.title));
                collection.description = settings::text(&map, "description");
            }
            let parts = [routes::normalised(&collection.path)];
            let route = self.finder.rules.route(&routes::Facts {
                path: &format!("/{}", parts[0]),
                parts: &parts,
                kind: PageKind::Section,
                language: &self.finder.config.default_language,
                prefix: &prefix,
                slug: None,
                url: None,
                title: Some(&collection.title),
                date: None,
                is_section: &|_| false,
                section_slug: &|_| None,
                section_title: &|_| None,
            });
            if route != "/" {
                collection.route = format!("{}/{{path}}", route.replace(['{', '}'], "-"));
            }
        }
        self.facts.collections = collections;
    }

    /// The front matter of a section's own page, when it may be shown.
    fn section_map(&self, folder: &str, files: &SiteFiles) -> Option<Vec<Entry>> {
        let path = self.finder.config.mounts.iter().find_map(|mount| {
            let inside = crate::place::below(folder, &mount.target)?;
            let path = joined(&mount.source, &format!("{inside}/_index.md"))?;
            files.has(&path).then_some(path)
        })?;
        let text = files.read(&path).ok()?;
        let map = front_matter::split(&text, &path).ok()?.map;
        let (meta, _) = front_matter::meta::meta(&map, &path, &[], files.now());
        meta.hidden.is_none().then_some(map)
    }

    fn page(&self, source: &str) -> Option<&Page> {
        self.pages.get(*self.by_source.get(source)?)
    }

    /// The content file that a page's `source` names, when the page has no text of its own.
    fn body_of(&self, map: &[Entry]) -> Option<&Page> {
        let named = settings::text(map, "source")?;
        let named = named.trim_start_matches('/');
        self.finder.config.mounts.iter().find_map(|mount| {
            let path = joined(
                &mount.source,
                named.strip_prefix("content/").unwrap_or(named),
            )?;
            self.page(&path)
        })
    }

    /// Makes the ways by which pages are found.
    fn index(&mut self) {
        let mut order: Vec<usize> = (0..self.pages.len()).collect();
        order.sort_by_key(|at| {
            let page = &self.pages[*at];
            (
                page.order.unwrap_or(u32::MAX),
                page.link_title.clone().or(page.title.clone()),
                *at,
            )
        });
        for at in order {
            let page = &self.pages[at];
            let language = page.language.clone();
            self.by_path
                .insert((language.clone(), page.path.clone()), at);
            let (folder, name) = page.path.rsplit_once('/').unwrap_or(("", &page.path));
            self.by_name
                .entry((language.clone(), name.to_owned()))
                .and_modify(|held| *held = None)
                .or_insert(Some(at));
            if page.fate == Fate::Published && page.kind != PageKind::Home {
                let folder = if folder.is_empty() { "/" } else { folder };
                self.children
                    .entry((language, folder.to_owned()))
                    .or_default()
                    .push(at);
            }
        }
    }

    /// Turns files that others take their text from into material.
    fn find_bodies(&mut self, files: &[Seen<'_>]) {
        let mut named: Vec<usize> = Vec::new();
        for file in files.iter().filter(|file| is_blank(file.body)) {
            if let Some(page) = self.body_of(file.map) {
                named.extend(self.by_source.get(&page.source).copied());
            }
        }
        for at in named {
            if let Some(page) = self.pages.get_mut(at)
                && matches!(page.fate, Fate::Withheld(_))
            {
                page.fate = Fate::Material;
            }
        }
    }
}

/// Whether a text holds nothing but space and comments.
fn is_blank(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        match comment.find("-->") {
            Some(end) => rest = comment[end + 3..].trim_start(),
            None => return false,
        }
    }
    rest.is_empty()
}

impl Generator for Hugo {
    fn kind(&self) -> Kind {
        Kind::Hugo
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        self.finder.is_content(source)
    }

    fn survey(&mut self, files: &mut [Seen<'_>], _: &mut Vec<Problem>) {
        self.pages = self.finder.pages(files);
        self.by_source = self
            .pages
            .iter()
            .enumerate()
            .map(|(at, page)| (page.source.clone(), at))
            .collect();
        self.find_bodies(files);
        self.index();
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let Some(page) = self.page(file.source) else {
            return Placing::Material;
        };
        match &page.fate {
            Fate::Hidden(why) | Fate::Withheld(why) => return Placing::Hidden(why.clone()),
            Fate::Material => return Placing::Material,
            Fate::Published => {}
        }
        // What Hugo's templates do with shortcodes in titles is theirs to say; nobody wants to read them.
        let renderer = Renderer {
            hugo: self,
            page,
            context: None,
            depth: 0,
        };
        for text in [&mut file.meta.title, &mut file.meta.description]
            .into_iter()
            .flatten()
        {
            *text = renderer.inline(text, 1, &mut Log::default());
        }
        let section = match page.parts.len() {
            0 | 1 if page.kind == PageKind::Page => ".",
            _ => page.parts.first().map_or(".", String::as_str),
        };
        let collection = self
            .collections
            .get(section)
            .or_else(|| self.collections.get("."));
        Placing::Page(Placed {
            route: page.route.clone(),
            is_index: page.kind != PageKind::Page || file.source.ends_with("/index.md"),
            collection: collection.cloned(),
            order: page.order,
        })
    }

    fn hidden_route(&self, source: &str) -> Option<String> {
        Some(self.page(source)?.route.clone()).filter(|route| !route.is_empty())
    }

    fn redirects(&self, source: &str) -> Vec<String> {
        let Some(page) = self.page(source) else {
            return Vec::new();
        };
        let aliases = settings::node(&page.map, "aliases")
            .map(settings::texts)
            .unwrap_or_default();
        let from = |alias: &String| match alias.strip_prefix('/') {
            Some(_) => artifact::route::canonical(alias),
            None => artifact::route::join(
                page.route
                    .rsplit_once('/')
                    .map_or("/", |(folder, _)| folder),
                alias,
            ),
        };
        aliases
            .iter()
            .filter(|alias| !alias.contains("://"))
            .map(from)
            .collect()
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        if !is_blank(&text.text) {
            return;
        }
        let Some(body) = self.body_of(page.map) else {
            return;
        };
        match page.files.include(&body.source) {
            Included::Text(body) => *text = Text::new(body, 1),
            Included::Hidden => log.warn(
                1,
                format!("`source` names `{}`, which is not published", body.source),
                Some("the page has no text"),
            ),
            Included::Missing | Included::Unreadable(_) => {}
        }
    }

    fn render(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let Some(own) = self.page(page.source) else {
            return;
        };
        let renderer = Renderer {
            hugo: self,
            page: own,
            context: Some(page),
            depth: 0,
        };
        renderer.render(text, log);
        renderer.follow_version(text);
        // What stood in code before, because of how calls were indented, may be a comment now.
        crate::page::without_comments(text);
        syntax::goldmark::render(text);
        syntax::goldmark::tidy(text);
    }

    fn anchors(&self) -> Anchors {
        self.anchors
    }
}

#[cfg(test)]
mod tests;
