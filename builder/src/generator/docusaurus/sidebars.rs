//! The order of documents in sidebars: literal ones, and those that Docusaurus makes of the folders.

use std::collections::{HashMap, HashSet};

use super::place::without_number;
use crate::front_matter::value::find;
use crate::front_matter::{Entry, Node, Value};
use crate::generator::{SiteFiles, settings};
use crate::problem::Problem;

/// The sidebars of one version.
#[derive(Debug, Default)]
pub(super) struct Sidebar {
    /// The file that names them, below the site's folder.
    pub file: Option<String>,
    items: Vec<Item>,
    /// What `_category_` files say, by their folders below the version's.
    categories: HashMap<String, Category>,
}

#[derive(Debug, PartialEq)]
enum Item {
    Doc(String),
    /// All documents of a folder.
    Folder(String),
}

#[derive(Debug, Default)]
struct Category {
    position: Option<f64>,
    /// The document that the category itself leads to.
    link: Option<String>,
}

/// A document, as sidebars know it.
#[derive(Debug)]
pub(super) struct Doc<'a> {
    pub source: &'a str,
    /// Its path below its version's folder.
    pub path: &'a str,
    pub id: String,
    pub position: Option<f64>,
    pub is_index: bool,
    /// Whether it is a translation, which stands where its original does.
    pub translated: bool,
}

impl Sidebar {
    /// Reads the sidebars of a version. Without a file, one is made of all folders.
    pub(super) fn read(
        files: &SiteFiles,
        folder: &str,
        file: Option<String>,
        problems: &mut Vec<Problem>,
    ) -> Sidebar {
        let mut sidebar = Sidebar {
            categories: categories(files, folder, problems),
            ..Sidebar::default()
        };
        match file {
            Some(file) => {
                let config = settings::read(files, &file, problems);
                for entry in &config.literals.map {
                    gather(&entry.node, &mut sidebar.items);
                }
                sidebar.file = Some(file);
            }
            None => sidebar.items.push(Item::Folder(".".into())),
        }
        sidebar
    }

    /// No sidebars at all.
    pub(super) fn none() -> Sidebar {
        Sidebar::default()
    }

    /// Names the sources of documents in their order; one may be named more than once.
    pub(super) fn walk<'d>(&self, docs: &[Doc<'d>], strips: bool, named: &mut dyn FnMut(&'d str)) {
        for item in &self.items {
            match item {
                Item::Doc(id) => docs
                    .iter()
                    .filter(|doc| is(doc, id))
                    .for_each(|doc| named(doc.source)),
                Item::Folder(folder) => {
                    let folder = folder.trim_matches('/');
                    let folder = if folder == "." { "" } else { folder };
                    for translated in [false, true] {
                        let inside: Vec<&Doc<'d>> = docs
                            .iter()
                            .filter(|doc| doc.translated == translated)
                            .filter(|doc| crate::place::below(doc.path, folder).is_some())
                            .collect();
                        self.folder(folder, &inside, strips, named);
                    }
                }
            }
        }
    }

    /// The ids that no document has.
    pub(super) fn unknown<'s>(&'s self, docs: &[Doc<'_>]) -> Vec<&'s str> {
        let mut seen = HashSet::new();
        let ids = self.items.iter().filter_map(|item| match item {
            Item::Doc(id) => Some(id.as_str()),
            Item::Folder(_) => None,
        });
        ids.filter(|id| !docs.iter().any(|doc| is(doc, id)) && seen.insert(*id))
            .collect()
    }

    /// The documents of a folder: by position, then by name; a folder stands among them by its own position.
    fn folder<'d>(
        &self,
        folder: &str,
        docs: &[&Doc<'d>],
        strips: bool,
        named: &mut dyn FnMut(&'d str),
    ) {
        let mut own: Vec<(Option<f64>, &str, Vec<&Doc<'d>>, bool)> = Vec::new();
        for doc in docs {
            let Some(rest) = crate::place::below(doc.path, folder) else {
                continue;
            };
            match rest.split_once('/') {
                None => own.push((doc.position, rest, vec![doc], false)),
                Some((name, _)) => match own.iter_mut().find(|it| it.3 && it.1 == name) {
                    Some(known) => known.2.push(doc),
                    None => own.push((None, name, vec![doc], true)),
                },
            }
        }
        let path = |name: &str| match folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        for (position, name, docs, _) in own.iter_mut().filter(|it| it.3) {
            let path = path(name);
            let category = self.categories.get(&path);
            let number = if strips { without_number(name).1 } else { None };
            *position = category
                .and_then(|category| category.position)
                .or_else(|| self.linked(&path, docs)?.position)
                .or(number);
        }
        let key = |position: Option<f64>| position.unwrap_or(f64::INFINITY);
        own.sort_by(|a, b| key(a.0).total_cmp(&key(b.0)).then_with(|| a.1.cmp(b.1)));
        for (_, name, docs, is_folder) in own {
            if !is_folder {
                docs.iter().for_each(|doc| named(doc.source));
                continue;
            }
            let path = path(name);
            if let Some(doc) = self.linked(&path, &docs) {
                named(doc.source);
            }
            self.folder(&path, &docs, strips, named);
        }
    }

    /// The document that a folder's category leads to.
    fn linked<'a, 'd>(&self, folder: &str, docs: &[&'a Doc<'d>]) -> Option<&'a Doc<'d>> {
        let link = self
            .categories
            .get(folder)
            .and_then(|it| it.link.as_deref());
        let own = |doc: &&&'a Doc<'d>| {
            let inside = crate::place::below(doc.path, folder).is_some_and(|p| !p.contains('/'));
            inside
                && match link {
                    Some(id) => is(doc, id) || doc.id.rsplit('/').next() == Some(id),
                    None => doc.is_index,
                }
        };
        docs.iter().find(own).copied()
    }
}

/// Whether a document has an id; versioned sidebars of Docusaurus 2 put the version in front of it.
fn is(doc: &Doc<'_>, id: &str) -> bool {
    let plain = id
        .strip_prefix("version-")
        .and_then(|rest| rest.split_once('/'))
        .map(|(_, id)| id);
    doc.id == id || plain == Some(doc.id.as_str())
}

/// The documents of a sidebar item, in order.
fn gather(node: &Node, items: &mut Vec<Item>) {
    match &node.value {
        Value::Scalar { .. } => items.extend(node.text().map(|id| Item::Doc(id.to_owned()))),
        Value::List(list) => list.iter().for_each(|item| gather(item, items)),
        Value::Map(map) => gather_table(map, items),
    }
}

fn gather_table(map: &[Entry], items: &mut Vec<Item>) {
    let text = |key: &str| settings::text(map, key);
    match text("type").as_deref() {
        Some("doc" | "ref") => items.extend(text("id").map(Item::Doc)),
        Some("autogenerated") => items.extend(text("dirName").map(Item::Folder)),
        Some("category") => {
            if settings::text(map, "link.type").as_deref() == Some("doc") {
                items.extend(settings::text(map, "link.id").map(Item::Doc));
            }
            if let Some(entry) = find(map, "items") {
                gather(&entry.node, items);
            }
        }
        Some(_) => {}
        // `{'Guides': ['a', 'b']}`.
        None => map.iter().for_each(|entry| gather(&entry.node, items)),
    }
}

fn categories(
    files: &SiteFiles,
    folder: &str,
    problems: &mut Vec<Problem>,
) -> HashMap<String, Category> {
    let mut found = HashMap::new();
    let paths: Vec<&str> = files.below(folder).collect();
    for path in paths {
        let (at, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !matches!(
            name,
            "_category_.json" | "_category_.yml" | "_category_.yaml"
        ) {
            continue;
        }
        let config = settings::read(files, path, problems);
        let is_doc = config.text("link.type").as_deref() == Some("doc");
        let category = Category {
            position: config.text("position").and_then(|text| text.parse().ok()),
            link: config.text("link.id").filter(|_| is_doc),
        };
        let inside = crate::place::below(at, folder).unwrap_or(at);
        found.insert(inside.to_owned(), category);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc<'a>(path: &'a str, position: Option<f64>) -> Doc<'a> {
        let found = super::super::place::doc(path, None, None, true);
        Doc {
            source: path,
            path,
            id: found.id,
            position: position.or(found.number),
            is_index: found.is_index,
            translated: false,
        }
    }

    fn order<'d>(sidebar: &Sidebar, docs: &[Doc<'d>]) -> Vec<&'d str> {
        let mut found = Vec::new();
        sidebar.walk(docs, true, &mut |source| {
            if !found.contains(&source) {
                found.push(source);
            }
        });
        found
    }

    #[test]
    fn folders_are_sorted_by_position_then_by_name() {
        let mut sidebar = Sidebar {
            items: vec![Item::Folder(".".into())],
            ..Sidebar::default()
        };
        let category = Category {
            position: Some(1.5),
            link: None,
        };
        sidebar.categories.insert("late".into(), category);
        let docs = [
            doc("zeta.md", None),
            doc("alpha.md", None),
            doc("intro.md", Some(1.0)),
            doc("late/b.md", None),
            doc("late/index.md", None),
            doc("02-more/a.md", None),
        ];
        assert_eq!(
            order(&sidebar, &docs),
            [
                "intro.md",
                "late/index.md",
                "late/b.md",
                "02-more/a.md",
                "alpha.md",
                "zeta.md"
            ]
        );
    }

    #[test]
    fn items_of_every_kind_are_read() {
        let map = crate::front_matter::json_map(
            r#"{"docs": ["a", {"Guides": ["b", {"type": "doc", "id": "c/d"}]}, {"type": "category", "label": "x", "link": {"type": "doc", "id": "e"},
               "items": [{"type": "link", "label": "y", "href": "/z"}, {"type": "autogenerated", "dirName": "f"}]}]}"#,
            "sidebars.json",
        )
        .unwrap();
        let mut items = Vec::new();
        map.iter().for_each(|entry| gather(&entry.node, &mut items));
        let doc = |id: &str| Item::Doc(id.into());
        assert_eq!(
            items,
            [
                doc("a"),
                doc("b"),
                doc("c/d"),
                doc("e"),
                Item::Folder("f".into())
            ]
        );
        let sidebar = Sidebar {
            items,
            ..Sidebar::default()
        };
        let docs = [
            super::tests::doc("a.md", None),
            super::tests::doc("f/g.md", None),
        ];
        assert_eq!(sidebar.unknown(&docs), ["b", "c/d", "e"]);
        assert_eq!(order(&sidebar, &docs), ["a.md", "f/g.md"]);
    }
}
