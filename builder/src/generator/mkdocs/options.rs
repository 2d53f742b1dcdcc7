//! What `mkdocs.yml` says of extensions, plugins and languages.

use super::super::SiteFiles;
use super::super::settings::{self, Config};
use crate::front_matter::value::find;
use crate::front_matter::{Entry, Node, Value};
use crate::page::Anchors;
use crate::page::syntax::python_markdown::{Braces, Includes, Plugin};
use crate::place::folder_of;
use crate::problem::Problem;
use crate::site_map::joined;

/// How many configurations may stand on each other.
const DEEPEST: usize = 8;

/// Reads a configuration with those that it inherits from.
pub(super) fn read(files: &SiteFiles, path: &str, problems: &mut Vec<Problem>) -> Config {
    let mut config = settings::read(files, path, problems);
    let mut from = path.to_owned();
    let mut parent = config.text("INHERIT");
    for _ in 0..DEEPEST {
        let Some(name) = parent.take() else { break };
        let folder = folder_of(&from);
        let Some(path) = joined(folder, &name).filter(|path| files.has(path)) else {
            problems.push(Problem::warning(
                &from,
                format!("`INHERIT: {name}` names no file of the site"),
            ));
            break;
        };
        let below = settings::read(files, &path, problems);
        parent = below.text("INHERIT");
        config.literals.map = merged(below.literals.map, &config.literals.map);
        from = path;
    }
    config
}

/// Two tables of which the second goes before; tables in them are merged as well.
fn merged(below: Vec<Entry>, above: &[Entry]) -> Vec<Entry> {
    let mut map = below;
    for entry in above {
        match map.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => match (&mut known.node.value, &entry.node.value) {
                (Value::Map(inner), Value::Map(more)) => {
                    *inner = merged(std::mem::take(inner), more)
                }
                _ => *known = entry.clone(),
            },
            None => map.push(entry.clone()),
        }
    }
    map
}

/// A plugin's own settings; `Some(None)` when it is on and has none. The theme's name before it does not count.
pub(super) fn plugin<'c>(config: &'c Config, name: &str) -> Option<Option<&'c Node>> {
    listed(config.node("plugins")?, name)
}

/// All settings of a plugin that may be listed more than once.
pub(super) fn plugins<'c>(config: &'c Config, name: &str) -> Vec<Option<&'c Node>> {
    match config.node("plugins") {
        Some(node) => settings::items(node)
            .iter()
            .filter_map(|item| listed_item(item, name))
            .collect(),
        None => Vec::new(),
    }
}

fn listed<'c>(node: &'c Node, name: &str) -> Option<Option<&'c Node>> {
    match &node.value {
        Value::List(items) => items.iter().find_map(|item| listed_item(item, name)),
        Value::Map(_) => listed_item(node, name),
        Value::Scalar { .. } => None,
    }
}

fn listed_item<'c>(item: &'c Node, name: &str) -> Option<Option<&'c Node>> {
    let same = |written: &str| written == name || written.rsplit('/').next() == Some(name);
    match &item.value {
        Value::Map(map) => {
            let entry = map.iter().find(|entry| same(&entry.key))?;
            let on = settings::boolean(settings::entries(&entry.node), "enabled") != Some(false);
            on.then_some(Some(&entry.node))
        }
        _ => same(item.text()?).then_some(None),
    }
}

/// `markdown_extensions`.
pub(super) struct Extensions<'c>(Option<&'c Node>);

impl<'c> Extensions<'c> {
    pub(super) fn of(config: &'c Config) -> Extensions<'c> {
        Extensions(config.node("markdown_extensions"))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn get(&self, name: &str) -> Option<Option<&'c Node>> {
        listed(self.0?, name)
    }

    /// The texts of a list, or of one text, in an extension's settings.
    pub(super) fn texts(&self, name: &str, key: &str) -> Vec<String> {
        let own = self.get(name).flatten();
        let entry = own.and_then(|own| find(settings::entries(own), key));
        entry
            .map(|entry| settings::texts(&entry.node))
            .unwrap_or_default()
    }

    /// The folders that snippets are looked for in; none when snippets are off.
    pub(super) fn snippets(&self, folder: &str) -> Option<Vec<String>> {
        self.get("pymdownx.snippets")?;
        let mut bases = self.texts("pymdownx.snippets", "base_path");
        if bases.is_empty() {
            bases.push(".".into());
        }
        Some(
            bases
                .iter()
                .filter_map(|base| joined(folder, base.trim_start_matches("!relative").trim()))
                .collect(),
        )
    }

    /// What puts other files into pages beside snippets. `folder` is that of the configuration, `docs` that of the pages.
    pub(super) fn includes(&self, config: &Config, folder: &str, docs: &str) -> Includes {
        let one = |name: &str, key: &str| self.texts(name, key).into_iter().next();
        let braces = [
            "mdx_include",
            "markdown_include.include",
            "markdown_include",
        ]
        .into_iter()
        .find(|name| self.has(name))
        .map(|name| Braces {
            base: one(name, "base_path")
                .and_then(|base| joined(folder, &base))
                .unwrap_or_else(|| folder.to_owned()),
            heading_offset: one(name, "headingOffset")
                .and_then(|text| text.parse().ok())
                .unwrap_or_default(),
            inherits_depth: one(name, "inheritHeadingDepth").as_deref() == Some("true"),
        });
        let plugin = plugin(config, "include-markdown").map(|own| {
            let own = own.map(settings::entries).unwrap_or_default();
            let sign = |key: &str, usual: &str| {
                settings::text(own, key)
                    .filter(|sign| !sign.is_empty())
                    .unwrap_or_else(|| usual.to_owned())
            };
            Plugin {
                docs: docs.to_owned(),
                opening: sign("opening_tag", "{%"),
                closing: sign("closing_tag", "%}"),
            }
        });
        Includes {
            braces,
            variants: self
                .has("markdown_include_variants")
                .then(|| folder.to_owned()),
            plugin,
        }
    }

    /// How `toc` names headings.
    pub(super) fn anchors(&self) -> Anchors {
        let Some(own) = self
            .get("toc")
            .or_else(|| self.get("markdown.extensions.toc"))
            .flatten()
        else {
            return Anchors::PythonMarkdown;
        };
        let Some(entry) = find(settings::entries(own), "slugify") else {
            return Anchors::PythonMarkdown;
        };
        let text = match &entry.node.value {
            Value::Map(map) => map
                .iter()
                .map(|entry| entry.key.as_str())
                .collect::<String>(),
            _ => entry.node.text().unwrap_or_default().to_owned(),
        };
        // What is called stands in a tag, which YAML's reader leaves out of the value: any own function is taken for the usual one.
        match text.contains("slugify_unicode") {
            true => Anchors::PythonMarkdownUnicode,
            false => Anchors::Pymdownx,
        }
    }
}

/// The languages of the i18n plugin.
#[derive(Debug, Default)]
pub(super) struct Languages {
    /// The one whose pages have no folder of their own.
    pub(super) default: Option<String>,
    built: Vec<String>,
    all: Vec<String>,
    by_folder: bool,
}

/// Where a file of one of several languages stands.
pub(super) enum Path {
    Shown(Shown),
    /// In a language that is not built.
    Other(String),
}

pub(super) struct Shown {
    /// The path that makes its route.
    pub(super) route: String,
    /// The path by which the navigation names it.
    pub(super) source: String,
    pub(super) language: Option<String>,
}

impl Languages {
    pub(super) fn of(config: &Config) -> Languages {
        let Some(Some(own)) = plugin(config, "i18n") else {
            return Languages::default();
        };
        let own = settings::entries(own);
        let mut found = Languages {
            by_folder: settings::text(own, "docs_structure").as_deref() == Some("folder"),
            ..Languages::default()
        };
        let list = find(own, "languages")
            .map(|entry| settings::items(&entry.node))
            .unwrap_or_default();
        for item in list {
            let map = settings::entries(item);
            let Some(locale) = settings::text(map, "locale") else {
                continue;
            };
            if settings::boolean(map, "default") == Some(true) {
                found.default = Some(locale.clone());
            }
            if settings::boolean(map, "build") != Some(false) {
                found.built.push(locale.clone());
            }
            found.all.push(locale);
        }
        found
    }

    /// The path of a file without its language, which becomes a folder unless it is the default one.
    pub(super) fn path(&self, inside: &str) -> Path {
        let plain = || Shown {
            route: inside.to_owned(),
            source: inside.to_owned(),
            language: None,
        };
        if self.all.is_empty() {
            return Path::Shown(plain());
        }
        let split = match self.by_folder {
            true => inside
                .split_once('/')
                .map(|(locale, rest)| (locale, rest.to_owned())),
            false => {
                let (stem, ending) = inside.rsplit_once('.').unwrap_or((inside, ""));
                stem.rsplit_once('.')
                    .map(|(stem, locale)| (locale, format!("{stem}.{ending}")))
            }
        };
        let Some((locale, rest)) =
            split.filter(|(locale, _)| self.all.iter().any(|it| it == locale))
        else {
            return Path::Shown(plain());
        };
        if !self.built.iter().any(|it| it == locale) {
            return Path::Other(locale.to_owned());
        }
        let is_default = self.default.as_deref() == Some(locale);
        Path::Shown(Shown {
            route: if is_default {
                rest.clone()
            } else {
                format!("{locale}/{rest}")
            },
            source: rest,
            language: Some(locale.to_owned()),
        })
    }
}
