//! Values that a site keeps in `data/` for the pages below a path.
//!
//! A data file may describe parts of the site, each with the `content_path` that its pages lie below. A shortcode without
//! arguments that is called like one of the fields (`latest-patch` is `latest_patch`, `product-name` the `name` of an entry of
//! `data/products.yml`) shows the field of the entry that a page belongs to. Where an entry has several versions, `name__v2` and
//! `latest_patches: {v2: …}` are the values of one of them.

use crate::front_matter::value::find;
use crate::front_matter::{Entry, Value};
use crate::generator::{SiteFiles, settings};
use crate::place::below;
use crate::problem::Problem;

/// The entries of all data files that belong to a path.
#[derive(Debug, Default)]
pub(super) struct Data {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    /// The data file's name in the singular, `product`.
    thing: String,
    key: String,
    /// Paths, each with the version that it is of.
    paths: Vec<(String, String)>,
    map: Vec<Entry>,
}

impl Data {
    pub(super) fn open(files: &SiteFiles, folder: &str, problems: &mut Vec<Problem>) -> Data {
        let mut data = Data::default();
        let paths: Vec<String> = files.below(folder).map(str::to_owned).collect();
        for path in paths {
            let ending = path.rsplit('.').next().unwrap_or_default();
            let is_data = matches!(ending, "yml" | "yaml" | "toml" | "json");
            if !is_data
                || !files
                    .read(&path)
                    .is_ok_and(|text| text.contains("content_path"))
            {
                continue;
            }
            let name = path.rsplit('/').next().unwrap_or_default();
            let name = name.split('.').next().unwrap_or_default();
            let map = settings::read(files, &path, problems).literals.map;
            for entry in map {
                let Value::Map(fields) = entry.node.value else {
                    continue;
                };
                let paths = paths_of(&fields);
                if !paths.is_empty() {
                    data.parts.push(Part {
                        thing: name.trim_end_matches('s').to_owned(),
                        key: entry.key,
                        paths,
                        map: fields,
                    });
                }
            }
        }
        data
    }

    /// The entry that a page belongs to: that with the longest path.
    pub(super) fn entry(&self, page: &str) -> Option<Belongs<'_>> {
        let page = page.trim_matches('/');
        let all = self
            .parts
            .iter()
            .flat_map(|part| part.paths.iter().map(move |path| (part, path)));
        let (part, (path, version)) = all
            .filter(|(_, (path, _))| below(page, path).is_some())
            .max_by_key(|(_, (path, _))| path.len())?;
        // The part of the path behind it may be one of the entry's versions.
        let next = below(page, path).and_then(|rest| rest.split('/').next());
        let version = find(&part.map, "versions")
            .map(|entry| settings::texts(&entry.node))
            .unwrap_or_default()
            .into_iter()
            .find(|version| Some(version.as_str()) == next)
            .unwrap_or_else(|| version.clone());
        Some(Belongs {
            part,
            path,
            version,
        })
    }
}

fn paths_of(fields: &[Entry]) -> Vec<(String, String)> {
    let Some(entry) = find(fields, "content_path") else {
        return Vec::new();
    };
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let clean = |path: &str| path.trim_matches('/').to_owned();
    match &entry.node.value {
        Value::Map(map) => map
            .iter()
            .filter_map(|entry| Some((clean(entry.node.text()?), entry.key.clone())))
            .collect(),
        _ => {
            let texts = settings::texts(&entry.node);
            let texts = texts
                .iter()
                .map(|path| clean(path))
                .filter(|path| !path.is_empty());
            texts.map(|path| (path.clone(), last(&path))).collect()
        }
    }
}

/// An entry, as it is for one page.
#[derive(Debug, Clone)]
pub(super) struct Belongs<'a> {
    part: &'a Part,
    path: &'a str,
    version: String,
}

impl<'a> Belongs<'a> {
    /// The path that the entry is for.
    pub(super) fn path(&self) -> &'a str {
        self.path
    }

    /// Names by which conditions tell the entry.
    pub(super) fn names(&self) -> [&str; 2] {
        [&self.part.key, &self.version]
    }

    /// A field of the entry, for the page's version.
    pub(super) fn field(&self, name: &str) -> Option<&'a str> {
        let map = &self.part.map;
        let text = |name: &str| find(map, name).and_then(|entry| entry.node.text());
        let by_version = |name: &str| {
            let entry = find(map, name)?;
            find(settings::entries(&entry.node), &self.version)?
                .node
                .text()
        };
        text(&format!("{name}__{}", self.version))
            .or_else(|| by_version(name))
            .or_else(|| by_version(&format!("{name}s")))
            .or_else(|| by_version(&format!("{name}es")))
            .or_else(|| text(name))
    }

    /// What a shortcode of a name shows, if it is called like a field.
    pub(super) fn value(&self, shortcode: &str) -> Option<&str> {
        let name = shortcode.rsplit('/').next()?.replace('-', "_");
        if let Some(text) = self.field(&name) {
            return Some(text);
        }
        let rest = name.strip_prefix(&self.part.thing)?.strip_prefix('_')?;
        match rest {
            "key" => Some(&self.version),
            rest => self.field(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::split;

    #[test]
    fn a_shortcode_is_called_like_a_field() {
        let map = split(
            "---\na:\n  name: Tea\n  content_path: tea/green\n  latest_patch: 1.2\nc:\n  content_path: cup\n  versions: [v3]\n  latest_patches: {v3: 3.1}\nb:\n  name: Pot\n  name__v2: Pot 2\n  content_path:\n    v1: pot/v1\n    v2: pot/v2\n  latest_patches: {v1: 1.9, v2: 2.4}\n---\n",
            "a.md",
        )
        .unwrap()
        .map;
        let parts = map.into_iter().map(|entry| {
            let fields = settings::entries(&entry.node).to_vec();
            Part {
                thing: "product".into(),
                key: entry.key,
                paths: paths_of(&fields),
                map: fields,
            }
        });
        let data = Data {
            parts: parts.collect(),
        };
        let check = |page: &str, name: &str, value: Option<&str>| {
            let entry = data.entry(page);
            let found = entry.as_ref().and_then(|entry| entry.value(name));
            assert_eq!(found, value, "{page} {name}");
        };
        check("/tea/green/x", "product-name", Some("Tea"));
        check("/tea/green", "latest-patch", Some("1.2"));
        check("/pot/v2/a/b", "product-name", Some("Pot 2"));
        check("/pot/v1/a", "product-name", Some("Pot"));
        check("/pot/v1/a", "latest-patch", Some("1.9"));
        check("/pot/v1/a", "latest-thing", None);
        check("/cup/v3/a", "latest-patch", Some("3.1"));
        check("/other", "product-name", None);
    }
}
