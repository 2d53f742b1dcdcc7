//! Reading generators' configuration files, whatever language they are written in.

use super::files::{SiteFiles, joined};
use super::js::{self, Literals};
use crate::front_matter::value::{find, find_path};
use crate::front_matter::{self, Entry, Node, Scalar, Value};
use crate::place::folder_of;
use crate::problem::Problem;

/// A configuration that was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Config {
    /// Its path below the site's folder.
    pub path: String,
    /// What it says.
    pub literals: Literals,
}

/// Reads a configuration by its ending: YAML, TOML, JSON, or the literals of JavaScript and TypeScript. One that cannot be read is
/// empty and told.
pub(crate) fn read(files: &SiteFiles, path: &str, problems: &mut Vec<Problem>) -> Config {
    let mut config = Config {
        path: path.to_owned(),
        literals: Literals::default(),
    };
    let text = match files.read(path) {
        Ok(text) => text,
        Err(problem) => {
            problems.push(problem);
            return config;
        }
    };
    let ending = path.rsplit('.').next().unwrap_or_default();
    match ending {
        "toml" | "yml" | "yaml" | "json" => {
            let map = match ending {
                "toml" => front_matter::toml_map(&text, path),
                "json" => front_matter::json_map(&text, path),
                _ => front_matter::yaml_document(&text, path),
            };
            match map {
                Ok(map) => config.literals.map = map,
                Err(problem) => problems.push(*problem),
            }
        }
        _ => {
            let import = |from: &str, specifier: &str| {
                let folder = folder_of(from);
                let base = joined(folder, specifier)?;
                let candidates = [
                    "",
                    ".ts",
                    ".js",
                    ".mjs",
                    ".mts",
                    ".json",
                    "/index.ts",
                    "/index.js",
                ];
                candidates.iter().find_map(|ending| {
                    let path = format!("{base}{ending}");
                    Some((files.read(&path).ok()?, path))
                })
            };
            match js::literals(&text, path, &import) {
                Ok(literals) => config.literals = literals,
                Err((what, line)) => problems.push(
                    Problem::warning(path, format!("cannot be read as JavaScript: {what}"))
                        .at(line)
                        .help("say in shelfmark.toml what the configuration says"),
                ),
            }
        }
    }
    config
}

impl Config {
    /// A text at a dotted path that is not blank.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        text(&self.literals.map, path)
    }

    /// Yes or no at a dotted path.
    pub(crate) fn boolean(&self, path: &str) -> Option<bool> {
        boolean(&self.literals.map, path)
    }

    /// The value at a dotted path.
    pub(crate) fn node(&self, path: &str) -> Option<&Node> {
        Some(&find_path(&self.literals.map, path)?.node)
    }

    /// Tells those of some settings that stand in the configuration and could not be read.
    pub(crate) fn tell_unread(&self, wanted: &[&str], problems: &mut Vec<Problem>) {
        for (path, line) in &self.literals.unread {
            if wanted.contains(&path.as_str()) {
                let problem = Problem::warning(
                    &self.path,
                    format!("`{path}` is made by code and could not be read"),
                )
                .help("say it in shelfmark.toml");
                problems.push(if *line > 0 {
                    problem.at(*line)
                } else {
                    problem
                });
            }
        }
    }
}

/// A text at a dotted path that is not blank.
pub(crate) fn text(map: &[Entry], path: &str) -> Option<String> {
    let text = find_path(map, path)?.node.text()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

/// The value at a dotted path.
pub(crate) fn node<'a>(map: &'a [Entry], path: &str) -> Option<&'a Node> {
    Some(&find_path(map, path)?.node)
}

/// Yes or no at a dotted path; texts that say so count.
pub(crate) fn boolean(map: &[Entry], path: &str) -> Option<bool> {
    match &find_path(map, path)?.node.value {
        Value::Scalar {
            kind: Scalar::Boolean(yes),
            ..
        } => Some(*yes),
        Value::Scalar { text, .. } => match text.trim() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A whole number at a dotted path.
pub(crate) fn integer(map: &[Entry], path: &str) -> Option<i64> {
    match &find_path(map, path)?.node.value {
        Value::Scalar {
            kind: Scalar::Integer(number),
            ..
        } => Some(*number),
        Value::Scalar { text, .. } => text.trim().parse().ok(),
        _ => None,
    }
}

/// The texts of a list, or of a single text.
pub(crate) fn texts(node: &Node) -> Vec<String> {
    match &node.value {
        Value::List(items) => items
            .iter()
            .filter_map(|item| item.text().map(str::to_owned))
            .collect(),
        Value::Scalar { .. } => node.text().map(str::to_owned).into_iter().collect(),
        Value::Map(_) => Vec::new(),
    }
}

/// The entries of a table; empty when it is none.
pub(crate) fn entries(node: &Node) -> &[Entry] {
    match &node.value {
        Value::Map(map) => map,
        _ => &[],
    }
}

/// The entries of a table at a dotted path; none when there is no table.
pub(crate) fn entries_at<'m>(map: &'m [Entry], path: &str) -> Option<&'m [Entry]> {
    match &find_path(map, path)?.node.value {
        Value::Map(map) => Some(map),
        _ => None,
    }
}

/// The items of a list; empty when it is none.
pub(crate) fn items(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(items) => items,
        _ => &[],
    }
}

/// The name and arguments of a call that [`js`] read.
pub(crate) fn call(node: &Node) -> Option<(&str, &[Node])> {
    let map = entries(node);
    Some((
        find(map, js::CALL)?.node.text()?,
        items(&find(map, js::ARGUMENTS)?.node),
    ))
}
