//! What `docusaurus.config.*` says: the instances of the content plugins, their versions and locales.

use std::collections::{BTreeSet, HashMap};

use globset::GlobSet;

use super::Slot;
use super::sidebars::Sidebar;
use super::slots::{Locales, shared_folder, slots};
use crate::config::{CollectionSettings, names};
use crate::front_matter::value::{find, find_path};
use crate::front_matter::{Entry, Node, Scalar, Value};
use crate::generator::settings::{self, Config, entries, items};
use crate::generator::{Facts, SiteFiles};
use crate::place::{below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;
use crate::source;

/// What Docusaurus leaves out unless `exclude` says otherwise.
const EXCLUDE: [&str; 4] = [
    "**/_*.{js,jsx,ts,tsx,md,mdx}",
    "**/_*/**",
    "**/*.test.{js,jsx,ts,tsx}",
    "**/__tests__/**",
];
/// The admonitions of every site.
const ADMONITIONS: [&str; 9] = [
    "secondary",
    "info",
    "success",
    "danger",
    "note",
    "tip",
    "warning",
    "important",
    "caution",
];
/// Settings whose loss changes where pages stand.
const WANTED: [&str; 17] = [
    "url",
    "baseUrl",
    "trailingSlash",
    "title",
    "presets",
    "plugins",
    "path",
    "routeBasePath",
    "include",
    "exclude",
    "sidebarPath",
    "numberPrefixParser",
    "lastVersion",
    "onlyIncludeVersions",
    "versions",
    "includeCurrentVersion",
    "format",
];
/// Those of them that say nothing on a site without versions.
const OF_VERSIONS: [&str; 4] = [
    "lastVersion",
    "onlyIncludeVersions",
    "versions",
    "includeCurrentVersion",
];

/// What kind of content an instance holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Docs,
    Blog,
    Pages,
}

impl Role {
    /// The plugin's name without what all plugins' names begin with.
    pub(super) fn plugin(self) -> &'static str {
        match self {
            Role::Docs => "content-docs",
            Role::Blog => "content-blog",
            Role::Pages => "content-pages",
        }
    }

    /// Its key in a preset, and its default address.
    fn key(self) -> &'static str {
        match self {
            Role::Docs => "docs",
            Role::Blog => "blog",
            Role::Pages => "pages",
        }
    }
}

/// One instance of a content plugin.
#[derive(Debug)]
pub(super) struct Instance {
    pub role: Role,
    /// The plugin's id, `default` when it has none.
    pub id: String,
    /// The collection's name.
    pub name: String,
    /// Its address, below the site's.
    pub route_base: String,
    /// Whether numbers in front of names only sort.
    pub number_prefixes: bool,
    pub versions: Vec<Version>,
    pub include: GlobSet,
    pub exclude: GlobSet,
}

impl Instance {
    /// The folders of its versions.
    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.versions.iter().map(|version| version.folder.as_str())
    }
}

/// One version of an instance; blogs and pages have one.
#[derive(Debug)]
pub(super) struct Version {
    /// Its folder, below the site's folder.
    pub folder: String,
    /// The part of the address that names it.
    pub route: String,
    pub sidebar: Sidebar,
    /// What tags are called, by their keys in `tags.yml`.
    pub tags: HashMap<String, String>,
    /// Authors' names, by their keys in `authors.yml`.
    pub authors: HashMap<String, String>,
}

/// All of a configuration.
pub(super) struct Read {
    pub facts: Facts,
    pub root: String,
    pub instances: Vec<Instance>,
    pub slots: HashMap<String, Slot>,
    pub md_is_mdx: bool,
    /// Admonitions of the site's own.
    pub keywords: Vec<String>,
}

/// Reads a configuration.
pub(super) fn read(files: &SiteFiles, path: &str) -> Read {
    let mut problems = Vec::new();
    let config = settings::read(files, path, &mut problems);
    let root = folder_of(path).to_owned();
    let mut reader = Reader {
        files,
        root: &root,
        problems: &mut problems,
        found: Vec::new(),
        folders: Vec::new(),
        titles: Vec::new(),
        keywords: Vec::new(),
    };
    reader.instances(&config);
    let (instances, folders, titles) = (reader.found, reader.folders, reader.titles);
    let keywords = reader.keywords;
    let versioned = instances.iter().any(|it| it.versions.len() > 1);
    tell_unread(&config, versioned, &mut problems);
    let locales = Locales::of(&config);
    let mut facts = Facts {
        config: path.to_owned(),
        title: config.text("title"),
        description: config.text("tagline"),
        url: config.text("url").map(|url| {
            let base = config.text("baseUrl").unwrap_or_default();
            format!("{}/{}", url.trim_end_matches('/'), base.trim_matches('/'))
        }),
        language: Some(locales.default.clone()),
        trailing_slash: Some(config.boolean("trailingSlash").unwrap_or(false)),
        content: shared_folder(folders.iter().map(String::as_str).chain([root.as_str()])),
        ..Facts::default()
    };
    let slots = slots(
        files,
        &root,
        &folders,
        &instances,
        &locales,
        &mut facts.notices,
    );
    let used: BTreeSet<usize> = slots.values().map(|slot| slot.instance).collect();
    let blog = instances.iter().position(|it| it.role == Role::Blog);
    let posts = blog
        .filter(|at| used.contains(at))
        .or(used.first().copied());
    for at in &used {
        let instance = &instances[*at];
        let base = match instance.route_base.trim_matches('/') {
            "" => String::new(),
            base => format!("/{base}"),
        };
        facts.collections.push(CollectionSettings {
            name: instance.name.clone(),
            title: titles[*at].clone(),
            path: below(&folders[*at], &facts.content)
                .filter(|path| !path.is_empty())
                .unwrap_or(".")
                .to_owned(),
            route: format!("{base}/{{path}}"),
            posts: posts == Some(*at),
            ..CollectionSettings::default()
        });
    }
    let tagged = blog.or_else(|| instances.iter().position(|it| it.role == Role::Docs));
    facts.tag_route = tagged.map(|at| {
        let base = instances[at].route_base.trim_matches('/');
        artifact::route::canonical(&format!("/{base}/tags/{{tag}}"))
    });
    facts.problems = problems;
    Read {
        facts,
        md_is_mdx: config
            .text("markdown.format")
            .is_none_or(|format| format == "mdx"),
        root,
        instances,
        slots,
        keywords,
    }
}

/// Tells what of the settings that count is made by code.
fn tell_unread(config: &Config, versioned: bool, problems: &mut Vec<Problem>) {
    let wanted = |path: &str| {
        let last = path.rsplit('.').next().unwrap_or(path);
        let inside = path.starts_with("presets.") || path.starts_with("plugins.");
        WANTED.contains(&last)
            && (inside || !path.contains('.') || path == "markdown.format")
            && (versioned || !OF_VERSIONS.contains(&last))
    };
    let paths: Vec<&str> = config
        .literals
        .unread
        .iter()
        .map(|(path, _)| path.as_str())
        .filter(|path| wanted(path))
        .collect();
    config.tell_unread(&paths, problems);
}

struct Reader<'a> {
    files: &'a SiteFiles,
    root: &'a str,
    problems: &'a mut Vec<Problem>,
    found: Vec<Instance>,
    /// The folder of each instance's first version.
    folders: Vec<String>,
    titles: Vec<String>,
    keywords: Vec<String>,
}

impl Reader<'_> {
    fn instances(&mut self, config: &Config) {
        const NOTHING: &[Entry] = &[];
        let presets = config.node("presets").map(items);
        let roles = [Role::Docs, Role::Blog, Role::Pages];
        match presets {
            Some(presets) => {
                for preset in presets {
                    let (name, options) = name_and_options(preset);
                    let is_classic = name.is_some_and(|name| name.ends_with("classic"));
                    for role in roles {
                        match find(options, role.key()).map(|entry| &entry.node) {
                            Some(node) if is_false(node) => {}
                            Some(node) => self.instance(role, entries(node)),
                            None if is_classic => self.instance(role, NOTHING),
                            None => {}
                        }
                    }
                }
            }
            // A list that could not be read holds the usual preset.
            None if config
                .literals
                .unread
                .iter()
                .any(|(path, _)| path == "presets") =>
            {
                roles.iter().for_each(|role| self.instance(*role, NOTHING));
            }
            None => {}
        }
        for plugin in config.node("plugins").map(items).unwrap_or_default() {
            let (name, options) = name_and_options(plugin);
            let role = roles.into_iter().find(|role| {
                name.as_deref()
                    .is_some_and(|name| name.ends_with(role.plugin()))
            });
            if let Some(role) = role {
                self.instance(role, options);
            }
        }
    }

    fn instance(&mut self, role: Role, options: &[Entry]) {
        let text = |key: &str| settings::text(options, key);
        let id = text("id").unwrap_or_else(|| "default".into());
        let default_path = match role {
            Role::Pages => "src/pages",
            role => role.key(),
        };
        let path = find(options, "path").and_then(|entry| path_of(&entry.node));
        let is_said = path.is_some();
        let path = path.unwrap_or_else(|| default_path.into());
        let Some(folder) = joined(self.root, &path) else {
            self.problems.push(
                Problem::warning(
                    "--site",
                    format!("the content in `{path}` lies outside the site's folder"),
                )
                .help("name the folder that holds both with `--site`"),
            );
            return;
        };
        let is_there = self.files.below(&folder).next().is_some();
        if !is_there && (is_said || role == Role::Docs) {
            self.problems.push(Problem::warning(
                &folder,
                format!(
                    "the configuration takes {} from this folder, which is not there",
                    role.key()
                ),
            ));
        }
        let route_base = text("routeBasePath").unwrap_or_else(|| match role {
            Role::Pages => "/".into(),
            role => role.key().into(),
        });
        let last = route_base
            .trim_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let called = match (role, id.as_str(), last) {
            (Role::Pages, "default", _) | (Role::Docs, "default", _) | (Role::Blog, _, "") => {
                role.key()
            }
            (Role::Blog, "default", last) => last,
            (_, id, _) => id,
        };
        let mut name = names::name_of(called);
        while self.found.iter().any(|it| it.name == name) {
            name = format!("{}-{name}", role.key());
        }
        let title = text("blogTitle").unwrap_or_else(|| names::prettified(called));
        let globs = |key: &str, default: &[&str]| {
            let own = find(options, key).map(|entry| settings::texts(&entry.node));
            source::globs(
                own.unwrap_or_else(|| default.iter().map(|it| (*it).to_owned()).collect()),
            )
        };
        let include = match role {
            Role::Pages => ["**/*.{js,jsx,ts,tsx,md,mdx}"],
            _ => ["**/*.{md,mdx}"],
        };
        if let Some(keywords) = find_path(options, "admonitions.keywords") {
            let own = settings::texts(&keywords.node);
            self.keywords.extend(
                own.into_iter()
                    .filter(|it| !ADMONITIONS.contains(&it.as_str())),
            );
        }
        let versions = match role {
            Role::Docs => self.versions(&id, &folder, options),
            _ => vec![self.version(folder.clone(), String::new(), Sidebar::none(), options)],
        };
        self.found.push(Instance {
            role,
            id,
            name,
            route_base,
            number_prefixes: settings::boolean(options, "numberPrefixParser") != Some(false),
            versions,
            include: globs("include", &include),
            exclude: globs("exclude", &EXCLUDE),
        });
        self.folders.push(folder);
        self.titles.push(title);
    }

    fn version(
        &self,
        folder: String,
        route: String,
        sidebar: Sidebar,
        options: &[Entry],
    ) -> Version {
        let path = |key: &str, default: &str| {
            let own = settings::text(options, key).unwrap_or_else(|| default.into());
            joined(&folder, &own)
        };
        Version {
            tags: self.labels(path("tags", "tags.yml"), "label"),
            authors: self.labels(path("authorsMapPath", "authors.yml"), "name"),
            folder,
            route,
            sidebar,
        }
    }

    /// A key of each table of a file, by the tables' names. Docusaurus itself tells what is wrong with such a file.
    fn labels(&self, path: Option<String>, key: &str) -> HashMap<String, String> {
        let Some(path) = path.filter(|path| self.files.has(path)) else {
            return HashMap::new();
        };
        let config = settings::read(self.files, &path, &mut Vec::new());
        let label = |entry: &Entry| settings::text(entries(&entry.node), key);
        let map = config.literals.map.iter();
        map.filter_map(|entry| Some((entry.key.clone(), label(entry)?)))
            .collect()
    }

    /// The versions of an instance of docs, in the order of its `versions.json`.
    fn versions(&mut self, id: &str, folder: &str, options: &[Entry]) -> Vec<Version> {
        let prefix = match id {
            "default" => String::new(),
            id => format!("{id}_"),
        };
        let below_root = |path: &str| joined(self.root, path);
        let list =
            below_root(&format!("{prefix}versions.json")).filter(|path| self.files.has(path));
        let mut names: Vec<String> = Vec::new();
        if let Some(path) =
            list.filter(|_| settings::boolean(options, "disableVersioning") != Some(true))
        {
            match self
                .files
                .read(&path)
                .map(|text| serde_json::from_str(&text))
            {
                Ok(Ok(list)) => names = list,
                Ok(Err(error)) => self.problems.push(Problem::warning(
                    &path,
                    format!("the versions cannot be read: {error}"),
                )),
                Err(problem) => self.problems.push(problem),
            }
        }
        let current = "current".to_owned();
        if settings::boolean(options, "includeCurrentVersion") != Some(false)
            && !names.contains(&current)
        {
            names.insert(0, current);
        }
        if let Some(only) = find(options, "onlyIncludeVersions") {
            let only = settings::texts(&only.node);
            names.retain(|name| only.contains(name));
        }
        let last = settings::text(options, "lastVersion")
            .or_else(|| names.iter().find(|name| *name != "current").cloned())
            .unwrap_or_else(|| "current".into());
        let mut versions = Vec::new();
        for name in names {
            let is_current = name == "current";
            let own = find_path(options, "versions")
                .and_then(|entry| find(entries(&entry.node), &name))
                .map(|entry| entries(&entry.node))
                .unwrap_or_default();
            let route = find(own, "path")
                .and_then(|entry| entry.node.text())
                .map_or_else(
                    || match name.as_str() {
                        name if name == last => String::new(),
                        "current" => "next".into(),
                        name => name.to_owned(),
                    },
                    str::to_owned,
                );
            let (folder, file) = match is_current {
                true => (folder.to_owned(), self.sidebar_file(options)),
                false => {
                    let Some(folder) =
                        joined(self.root, &format!("{prefix}versioned_docs/version-{name}"))
                    else {
                        continue;
                    };
                    let file = format!("{prefix}versioned_sidebars/version-{name}-sidebars.json");
                    (folder, Some(joined(self.root, &file)))
                }
            };
            let file = file.map(|file| file.filter(|file| self.files.has(file)));
            let sidebar = match (file, is_current) {
                (Some(None), true) | (None, false) => Sidebar::none(),
                (Some(file), _) => Sidebar::read(self.files, &folder, file, self.problems),
                (None, true) => Sidebar::read(self.files, &folder, None, self.problems),
            };
            versions.push(self.version(folder, route, sidebar, options));
        }
        versions
    }

    /// The file that `sidebarPath` names: none when it says nothing, and nothing when there are to be no sidebars.
    fn sidebar_file(&self, options: &[Entry]) -> Option<Option<String>> {
        let node = &find(options, "sidebarPath")?.node;
        if is_false(node) {
            return Some(None);
        }
        let path = joined(self.root, &path_of(node)?)?;
        let endings = ["", ".js", ".ts", ".json", ".mjs", ".cjs", ".mts"];
        let found = endings.iter().map(|ending| format!("{path}{ending}"));
        Some(found.into_iter().find(|path| self.files.has(path)))
    }
}

fn is_false(node: &Node) -> bool {
    matches!(
        node.value,
        Value::Scalar {
            kind: Scalar::Boolean(false),
            ..
        }
    )
}

/// A preset or plugin: its name alone, or in a list with its options.
fn name_and_options(node: &Node) -> (Option<String>, &[Entry]) {
    match &node.value {
        Value::List(list) => (
            list.first().and_then(path_of),
            list.get(1).map(entries).unwrap_or_default(),
        ),
        _ => (path_of(node), &[]),
    }
}

/// A path that is text, or what a call such as `require.resolve('./sidebars')` or `path.join(__dirname, 'docs')` is given.
fn path_of(node: &Node) -> Option<String> {
    if let Some(text) = node.text() {
        return Some(text.to_owned());
    }
    let (_, arguments) = settings::call(node)?;
    let parts: Vec<&str> = arguments
        .iter()
        .filter_map(Node::text)
        .filter(|part| !part.is_empty())
        .collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}
