//! Hugo's configuration: one file, or a folder `config` with a folder for each environment.
//!
//! `hugo.toml` (or `.yaml`, `.yml`, `.json`; `config.…` in older sites), then the files of `config/_default`, then those of
//! `config/production`, each over the one before it, key by key. A file there that is called neither `hugo` nor `config` holds the
//! table of its name: `menus.toml` is `[menus]`, `params.fr.toml` is `[languages.fr.params]`.

use crate::front_matter::value::{find, find_path};
use crate::front_matter::{Entry, Node, Value};
use crate::generator::SiteFiles;
use crate::generator::files::joined;
use crate::generator::settings;
use crate::place::folder_of;
use crate::problem::Problem;

const ENDINGS: [&str; 4] = ["toml", "yaml", "yml", "json"];

/// Where content files stand, and what they are below Hugo's content root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    /// The folder or file below the site's folder.
    pub source: String,
    /// Its place below the content root, without slashes around it.
    pub target: String,
    /// The language of everything in it.
    pub language: Option<String>,
}

/// A language of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Language {
    pub name: String,
    /// Whether the site is built without it.
    pub disabled: bool,
}

/// What was read of the configuration.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The first configuration file, below the site's folder.
    pub path: String,
    /// The folder that Hugo runs in.
    pub root: String,
    pub map: Vec<Entry>,
    pub mounts: Vec<Mount>,
    /// Empty when the site has one language and does not name it.
    pub languages: Vec<Language>,
    pub default_language: String,
    /// Whether the default language has a folder of its own.
    pub default_in_folder: bool,
    /// The keys of taxonomies, such as `tags`.
    pub taxonomies: Vec<String>,
}

impl Config {
    /// Reads the configuration of a site that looks like Hugo's.
    pub(super) fn open(files: &SiteFiles, problems: &mut Vec<Problem>) -> Option<Config> {
        let (path, telling) = found(files)?;
        let mut config = Config {
            root: root_of(&path),
            path,
            ..Config::default()
        };
        for (path, under) in config.paths(files) {
            let read = settings::read(files, &path, problems).literals.map;
            let read = under.iter().rev().fold(read, |map, key| {
                vec![Entry {
                    key: key.clone(),
                    line: 1,
                    node: Node {
                        line: 1,
                        value: Value::Map(map),
                    },
                }]
            });
            merge(&mut config.map, read);
        }
        if !telling && !config.looks_like_hugo(files) {
            return None;
        }
        config.read_languages();
        config.mounts = config.read_mounts();
        config.taxonomies = config.read_taxonomies();
        Some(config)
    }

    /// The files to read, in order, with the keys that each is the value of.
    fn paths(&self, files: &SiteFiles) -> Vec<(String, Vec<String>)> {
        let mut paths = Vec::new();
        for name in ["hugo", "config"] {
            let own = ENDINGS.iter().filter_map(|ending| {
                let path = joined(&self.root, &format!("{name}.{ending}"))?;
                files.has(&path).then_some(path)
            });
            if let Some(path) = own.into_iter().next() {
                paths.push((path, Vec::new()));
                break;
            }
        }
        for environment in ["_default", "production"] {
            let Some(folder) = joined(&self.root, &format!("config/{environment}")) else {
                continue;
            };
            let mut own: Vec<&str> = files.below(&folder).collect();
            // The main file first: the others are more exact.
            own.sort_by_key(|path| (!matches!(stem(path), "hugo" | "config"), *path));
            for path in own {
                let ending = path.rsplit('.').next().unwrap_or_default();
                if ENDINGS.contains(&ending) {
                    paths.push((path.to_owned(), keys_of(stem(path))));
                }
            }
        }
        paths
    }

    fn looks_like_hugo(&self, files: &SiteFiles) -> bool {
        let has = |key: &str| find(&self.map, key).is_some();
        let content = joined(&self.root, "content").unwrap_or_default();
        !self.map.iter().any(|entry| entry.key == "base_url")
            && ["baseURL", "languageCode", "contentDir", "permalinks"]
                .iter()
                .any(|key| has(key))
            && (has("contentDir") || has("module") || files.below(&content).next().is_some())
    }

    fn read_languages(&mut self) {
        self.default_language = self
            .text("defaultContentLanguage")
            .unwrap_or_else(|| "en".into());
        self.default_in_folder = self
            .boolean("defaultContentLanguageInSubdir")
            .unwrap_or(false);
        let disabled = self
            .node("disableLanguages")
            .map(settings::texts)
            .unwrap_or_default();
        let Some(node) = self.node("languages") else {
            return;
        };
        self.languages = settings::entries(node)
            .iter()
            .map(|entry| Language {
                name: entry.key.to_lowercase(),
                disabled: disabled.contains(&entry.key)
                    || settings::boolean(settings::entries(&entry.node), "disabled") == Some(true),
            })
            .collect();
    }

    fn read_mounts(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        for mount in self
            .node("module.mounts")
            .map(settings::items)
            .unwrap_or_default()
        {
            let map = settings::entries(mount);
            let (Some(source), Some(target)) =
                (settings::text(map, "source"), settings::text(map, "target"))
            else {
                continue;
            };
            let target = target.trim_matches('/');
            let Some(target) = crate::place::below(target, "content") else {
                continue;
            };
            // What lies outside the site's folder, in a module, cannot be read.
            let Some(source) = joined(&self.root, &source) else {
                continue;
            };
            let one = |path: &str| {
                let node = &find_path(map, path)?.node;
                let all = settings::texts(node);
                (all.len() == 1).then(|| all[0].to_lowercase())
            };
            mounts.push(Mount {
                source,
                target: target.to_owned(),
                language: one("lang").or_else(|| one("sites.matrix.languages")),
            });
        }
        for language in &self.languages {
            let key = format!("languages.{}.contentDir", language.name);
            if let Some(folder) = self
                .text(&key)
                .and_then(|folder| joined(&self.root, &folder))
            {
                mounts.push(Mount {
                    source: folder,
                    target: String::new(),
                    language: Some(language.name.clone()),
                });
            }
        }
        if mounts.is_empty() {
            let folder = self.text("contentDir").unwrap_or_else(|| "content".into());
            mounts.push(Mount {
                source: joined(&self.root, &folder).unwrap_or(folder),
                target: String::new(),
                language: None,
            });
        }
        mounts
    }

    /// `tag = "tags"` is the key `tags`. Hugo has tags and categories when nothing is said.
    fn read_taxonomies(&self) -> Vec<String> {
        match self.node("taxonomies") {
            Some(node) => settings::entries(node)
                .iter()
                .filter_map(|entry| entry.node.text().map(str::to_owned))
                .collect(),
            None => vec!["tags".into(), "categories".into()],
        }
    }

    /// A text at a dotted path that is not blank.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        settings::text(&self.map, path)
    }

    /// Yes or no at a dotted path.
    pub(super) fn boolean(&self, path: &str) -> Option<bool> {
        settings::boolean(&self.map, path)
    }

    /// The value at a dotted path.
    pub(super) fn node(&self, path: &str) -> Option<&Node> {
        Some(&find_path(&self.map, path)?.node)
    }

    /// Whether the site has a language.
    pub(super) fn is_known(&self, language: &str) -> bool {
        self.languages.is_empty()
            || language == self.default_language
            || self.languages.iter().any(|it| it.name == language)
    }

    /// The folder that all content lies in, below the site's folder.
    pub(super) fn content(&self) -> String {
        let mut common: Option<Vec<&str>> = None;
        for mount in &self.mounts {
            let parts: Vec<&str> = mount
                .source
                .split('/')
                .filter(|part| !part.is_empty())
                .collect();
            common = Some(match common {
                None => parts,
                Some(held) => {
                    let same = held.iter().zip(&parts).take_while(|(a, b)| a == b).count();
                    held[..same].to_vec()
                }
            });
        }
        let folder = common.unwrap_or_default().join("/");
        if folder.is_empty() {
            ".".into()
        } else {
            folder
        }
    }
}

/// A configuration file, and whether its name alone tells Hugo.
fn found(files: &SiteFiles) -> Option<(String, bool)> {
    let names = |stem: &str| ENDINGS.map(|ending| format!("{stem}.{ending}"));
    for (stem, telling) in [
        ("hugo", true),
        ("config/_default/hugo", true),
        ("config/_default/config", true),
        ("config", false),
    ] {
        let names = names(stem);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(path) = files.find(&names) {
            return Some((path, telling));
        }
    }
    None
}

fn root_of(path: &str) -> String {
    let folder = folder_of(path);
    folder
        .strip_suffix("config/_default")
        .unwrap_or(folder)
        .trim_end_matches('/')
        .to_owned()
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The keys that a file of the configuration folder is the value of.
fn keys_of(stem: &str) -> Vec<String> {
    if matches!(stem, "hugo" | "config") {
        return Vec::new();
    }
    match stem.split_once('.') {
        Some((name, language)) => vec!["languages".into(), language.into(), name.into()],
        None => vec![stem.to_owned()],
    }
}

/// Puts a map over another: tables are merged, everything else is replaced. Keys are the same in any letter case.
fn merge(into: &mut Vec<Entry>, from: Vec<Entry>) {
    for entry in from {
        let held = into
            .iter_mut()
            .find(|held| held.key.eq_ignore_ascii_case(&entry.key));
        match (held, entry.node.value) {
            (Some(held), Value::Map(inner)) => match &mut held.node.value {
                Value::Map(map) => merge(map, inner),
                value => *value = Value::Map(inner),
            },
            (Some(held), value) => {
                held.node = Node {
                    line: entry.node.line,
                    value,
                }
            }
            (None, value) => into.push(Entry {
                node: Node {
                    line: entry.node.line,
                    value,
                },
                ..entry
            }),
        }
    }
}
