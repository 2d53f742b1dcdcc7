//! The data cascade: global data, data files of folders and of pages, navigation.

use std::collections::HashMap;

use super::super::SiteFiles;
use super::super::data as data_files;
use super::super::settings::{self, Config};
use crate::front_matter::value::find;
use crate::front_matter::{Entry, Value as FrontValue};
use crate::page::syntax::liquid::Value;
use crate::place::below;
use crate::problem::Problem;
use crate::site_map::joined;

/// The endings of data files, the weakest first.
const ENDINGS: &[&str] = &[
    ".json",
    ".11tydata.json",
    ".11tydata.mjs",
    ".11tydata.cjs",
    ".11tydata.js",
];

/// What data files of folders and pages say, by the path that they stand beside.
#[derive(Debug, Default)]
pub(super) struct Cascade {
    /// `blog` of `blog/blog.json`, `blog/tea` of `blog/tea.json`; the input folder is itself.
    files: HashMap<String, Vec<Entry>>,
    input: String,
    /// Whether a data file holds code that could not be read.
    code: bool,
}

impl Cascade {
    pub(super) fn has_code(&self) -> bool {
        self.code
    }

    pub(super) fn read(files: &SiteFiles, input: &str, problems: &mut Vec<Problem>) -> Cascade {
        let mut found = Cascade {
            input: input.to_owned(),
            ..Cascade::default()
        };
        for ending in ENDINGS {
            for path in files.below(input).filter(|path| path.ends_with(ending)) {
                let stem = &path[..path.len() - ending.len()];
                let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
                let folder_name = folder.rsplit('/').next().unwrap_or(folder);
                let is_folder = name == folder_name && !name.is_empty();
                let is_page = files.has(&format!("{stem}.md"));
                if !(is_folder || is_page) {
                    continue;
                }
                let config: Config = settings::read(files, path, problems);
                found.code |= !config.literals.unread.is_empty()
                    || (config.literals.map.is_empty() && ending.ends_with("js"));
                let key = if is_folder { folder } else { stem };
                let held = found.files.entry(key.to_owned()).or_default();
                let below = std::mem::take(held);
                *held = merged(below, &config.literals.map);
            }
        }
        found
    }

    /// A page's front matter above what its folders and its own data file say.
    pub(super) fn merged(&self, source: &str, own: &[Entry]) -> Vec<Entry> {
        let mut map: Vec<Entry> = Vec::new();
        let stem = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
        let inside = below(source, &self.input).unwrap_or(source);
        let mut folder = self.input.clone();
        let mut keys = vec![folder.clone()];
        if let Some((folders, _)) = inside.rsplit_once('/') {
            for part in folders.split('/') {
                folder = joined(&folder, part).unwrap_or_default();
                keys.push(folder.clone());
            }
        }
        keys.push(stem.to_owned());
        for key in keys {
            if let Some(more) = self.files.get(&key) {
                map = merged(map, more);
            }
        }
        merged(map, own)
    }
}

/// Two maps of which the second goes before; maps in them are merged, lists put together.
fn merged(below: Vec<Entry>, above: &[Entry]) -> Vec<Entry> {
    let mut map = below;
    for entry in above {
        match map.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => match (&mut known.node.value, &entry.node.value) {
                (FrontValue::Map(inner), FrontValue::Map(more)) => {
                    *inner = merged(std::mem::take(inner), more)
                }
                (FrontValue::List(inner), FrontValue::List(more)) => {
                    inner.extend(more.iter().cloned())
                }
                _ => *known = entry.clone(),
            },
            None => map.push(entry.clone()),
        }
    }
    map
}

/// Data for all pages, and `pkg`.
pub(super) fn global(files: &SiteFiles, folder: &str, root: &str) -> Value {
    let Value::Map(found) = data_files::folder(files, folder) else {
        return Value::Nil;
    };
    let mut map = found.to_vec();
    if let Some(path) = joined(root, "package.json").filter(|path| files.has(path)) {
        let package = files.read(&path).map_or(Value::Unknown, |text| {
            data_files::parsed(&text, "json", &path)
        });
        map.push(("pkg".into(), package));
    }
    Value::map(map)
}

/// A page's place in the navigation as it says it.
#[derive(Debug, Clone)]
pub(super) struct Entered {
    source: String,
    key: Option<String>,
    parent: Option<String>,
    order: f64,
}

pub(super) fn navigation(source: &str, data: &[Entry]) -> Entered {
    let own = find(data, "eleventyNavigation")
        .map(|entry| settings::entries(&entry.node))
        .unwrap_or_default();
    Entered {
        source: source.to_owned(),
        key: settings::text(own, "key"),
        parent: settings::text(own, "parent"),
        order: settings::text(own, "order")
            .and_then(|text| text.parse().ok())
            .unwrap_or(0.0),
    }
}

/// The places of all pages that have a key: parents before their children, children by their order.
pub(super) fn orders(entries: &[Entered]) -> HashMap<String, u32> {
    let known = |name: &str| {
        entries
            .iter()
            .any(|entry| entry.key.as_deref() == Some(name))
    };
    let mut children: HashMap<Option<&str>, Vec<&Entered>> = HashMap::new();
    for entry in entries.iter().filter(|entry| entry.key.is_some()) {
        let parent = entry.parent.as_deref().filter(|name| known(name));
        children.entry(parent).or_default().push(entry);
    }
    for list in children.values_mut() {
        list.sort_by(|a, b| {
            a.order
                .total_cmp(&b.order)
                .then_with(|| a.source.cmp(&b.source))
        });
    }
    let mut found = HashMap::new();
    let mut open: Vec<&Entered> = children
        .get(&None)
        .into_iter()
        .flatten()
        .rev()
        .copied()
        .collect();
    while let Some(entry) = open.pop() {
        let order = u32::try_from(found.len()).unwrap_or(u32::MAX);
        if found.insert(entry.source.clone(), order).is_some() {
            continue;
        }
        open.extend(
            children
                .get(&entry.key.as_deref())
                .into_iter()
                .flatten()
                .rev(),
        );
    }
    found
}
