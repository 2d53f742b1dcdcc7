//! Front matter that a section, or the configuration, gives to the pages below it.
//!
//! `cascade` is a table, or a list of tables of which each may have a `target` (`_target` in older sites) that says by path, kind,
//! language and environment which pages it is for. A page's own value goes first, then that of the nearest section, the section
//! itself included; the configuration's comes last.

use std::collections::HashMap;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::front_matter::value::find_path;
use crate::front_matter::{Entry, Node, Value};
use crate::generator::settings;

/// What a page is to Hugo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    Home,
    Section,
    Page,
}

impl PageKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            PageKind::Home => "home",
            PageKind::Section => "section",
            PageKind::Page => "page",
        }
    }
}

/// Which pages something is for: Hugo's page matcher.
#[derive(Debug, Default)]
pub(super) struct Target {
    paths: Option<GlobSet>,
    kinds: Option<GlobSet>,
    languages: Option<GlobSet>,
    /// Whether it is for another environment than the published site's.
    never: bool,
}

impl Target {
    /// Reads the `target` of a table.
    pub(super) fn of(map: &[Entry]) -> Target {
        let target = ["target", "_target"]
            .iter()
            .find_map(|key| find_path(map, key))
            .map(|entry| settings::entries(&entry.node))
            .unwrap_or_default();
        let globs = |key: &str| {
            let texts = settings::texts(&find_path(target, key)?.node);
            (!texts.is_empty()).then(|| globs(&texts))
        };
        Target {
            paths: globs("path"),
            kinds: globs("kind"),
            languages: globs("lang").or_else(|| globs("sites.matrix.languages")),
            never: globs("environment").is_some_and(|set| !set.is_match("production")),
        }
    }

    /// Whether a page is meant. `path` is its logical path, `/` for the home page.
    pub(super) fn holds(&self, path: &str, kind: PageKind, language: &str) -> bool {
        let fits =
            |set: &Option<GlobSet>, text: &str| set.as_ref().is_none_or(|set| set.is_match(text));
        !self.never
            && fits(&self.paths, path)
            && fits(&self.kinds, kind.name())
            && fits(&self.languages, language)
    }
}

fn globs(patterns: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let mut glob = GlobBuilder::new(pattern);
        glob.literal_separator(true).case_insensitive(true);
        if let Ok(glob) = glob.build() {
            set.add(glob);
        }
    }
    set.build().unwrap_or_default()
}

#[derive(Debug)]
struct Cascade {
    target: Target,
    map: Vec<Entry>,
}

/// All cascades of a site.
#[derive(Debug, Default)]
pub(super) struct Cascades {
    site: Vec<Cascade>,
    /// By language and logical path of the section.
    sections: HashMap<(String, String), Vec<Cascade>>,
}

impl Cascades {
    /// Takes over what the configuration says.
    pub(super) fn add_site(&mut self, node: &Node) {
        self.site = read(node);
    }

    /// Takes over what a section's file says.
    pub(super) fn add(&mut self, language: &str, path: &str, map: &[Entry]) {
        if let Some(entry) = find_path(map, "cascade") {
            let key = (language.to_owned(), path.to_owned());
            self.sections.insert(key, read(&entry.node));
        }
    }

    /// The value that a page is given at a dotted key.
    pub(super) fn find<'a>(&'a self, page: &Where<'a>, key: &str) -> Option<&'a Entry> {
        self.all(page).find_map(|map| find_path(map, key))
    }

    /// Every table that is for a page, nearest first.
    pub(super) fn all<'a>(&'a self, page: &Where<'a>) -> impl Iterator<Item = &'a [Entry]> {
        let Where {
            path,
            kind,
            language,
        } = *page;
        let sections = ancestors(path).filter_map(move |folder| {
            let key = (language.to_owned(), folder.to_owned());
            self.sections.get(&key)
        });
        sections
            .chain(std::iter::once(&self.site))
            .flatten()
            .filter(move |cascade| cascade.target.holds(path, kind, language))
            .map(|cascade| cascade.map.as_slice())
    }
}

/// The page that is asked about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Where<'a> {
    pub path: &'a str,
    pub kind: PageKind,
    pub language: &'a str,
}

/// A logical path, then its folders up to `/`.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| match path.rfind('/') {
        Some(0) if path.len() > 1 => Some("/"),
        Some(at) if at > 0 => Some(&path[..at]),
        _ => None,
    })
}

fn read(node: &Node) -> Vec<Cascade> {
    let maps: Vec<&[Entry]> = match &node.value {
        Value::Map(map) => vec![map],
        Value::List(items) => items.iter().map(settings::entries).collect(),
        Value::Scalar { .. } => Vec::new(),
    };
    maps.into_iter()
        .map(|map| Cascade {
            target: Target::of(map),
            map: map.to_vec(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::split;

    #[test]
    fn nearest_section_goes_first_and_the_configuration_last() {
        let map = |text: &str| split(&format!("---\n{text}---\n"), "a.md").unwrap().map;
        let mut cascades = Cascades::default();
        let site = map(
            "cascade:\n  - _target:\n      path: '{**/__tests__,**/__tests__/**}'\n    _build: {render: never}\n  - z: site\n",
        );
        cascades.add_site(&find_path(&site, "cascade").unwrap().node);
        cascades.add("en", "/a", &map("cascade: {z: a}\n"));
        cascades.add(
            "en",
            "/a/b",
            &map("cascade: [{target: {kind: page}, z: b}]\n"),
        );
        let check = |path: &str, kind, key: &str, value: Option<&str>| {
            let page = Where {
                path,
                kind,
                language: "en",
            };
            let found = cascades
                .find(&page, key)
                .and_then(|entry| entry.node.text());
            assert_eq!(found, value, "{path} {key}");
        };
        check("/a/b/c", PageKind::Page, "z", Some("b"));
        check("/a/b", PageKind::Section, "z", Some("a"));
        check("/a", PageKind::Section, "z", Some("a"));
        check("/b", PageKind::Page, "z", Some("site"));
        check(
            "/__tests__",
            PageKind::Section,
            "_build.render",
            Some("never"),
        );
        check(
            "/x/__tests__/y/z",
            PageKind::Page,
            "_build.render",
            Some("never"),
        );
        check("/x/tests", PageKind::Page, "_build.render", None);
    }
}
