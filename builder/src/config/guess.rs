//! Decides what nobody said, and says so.
//!
//! Without a `[[collections]]` table, every folder directly below the content folder that holds at least two documents is
//! a collection, its documents stand where their files stand, and the first is the one with the posts: a folder that is
//! called like a blog when there is one, else the first by name. Everything else is the collection `pages`, so that a search finds it.
//! Everything here only looks at the names of files.

use std::collections::BTreeMap;

use super::names::{name_of, natural_route, prettified};
use super::settings::CollectionSettings;

/// Folder names that mean posts.
const POSTS: &[&str] = &[
    "blog", "posts", "_posts", "post", "writing", "articles", "news", "journal",
];

/// Folders that content usually stands in, and files of a repository that are not content.
const CONTENT: &[&str] = &["content", "src/content", "docs", "src"];
const META: &[&str] = &[
    "readme",
    "changelog",
    "contributing",
    "license",
    "code_of_conduct",
    "security",
];

/// The content folder of a site, from the paths of its markdown files.
///
/// It is the site's folder itself, unless that holds nothing but the usual files of a repository and one of the usual
/// content folders holds markdown.
pub(crate) fn content_folder(paths: &[String]) -> String {
    let own_page = |path: &&String| {
        let stem = path.split('.').next().unwrap_or_default().to_lowercase();
        !path.contains('/') && !META.contains(&stem.as_str())
    };
    if paths.iter().find(own_page).is_some() {
        return ".".into();
    }
    let holds = |folder: &&&str| {
        paths.iter().any(|path| {
            path.strip_prefix(**folder)
                .is_some_and(|rest| rest.starts_with('/'))
        })
    };
    CONTENT
        .iter()
        .find(holds)
        .map_or(".".into(), |folder| (*folder).to_owned())
}

/// The collections of a content folder, from the paths of its markdown files below it.
pub(crate) fn collections<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<CollectionSettings> {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = 0;
    for path in paths {
        all += 1;
        if let Some((folder, rest)) = path.split_once('/') {
            let own_index = !rest.contains('/') && is_index(rest);
            *folders.entry(folder).or_default() += usize::from(!own_index);
        }
    }
    let mut found: Vec<CollectionSettings> = Vec::new();
    for (folder, _) in folders.into_iter().filter(|(_, documents)| *documents >= 2) {
        found.push(CollectionSettings {
            name: free_name(&found, folder),
            title: prettified(folder),
            path: folder.to_owned(),
            route: natural_route(folder),
            ..CollectionSettings::default()
        });
    }
    let posts = POSTS
        .iter()
        .find_map(|name| found.iter().position(|c| c.path.eq_ignore_ascii_case(name)))
        .unwrap_or(0);
    if let Some(collection) = found.get_mut(posts) {
        collection.posts = true;
    }
    if all > 0 {
        let posts = found.is_empty();
        let name = free_name(&found, REST);
        found.push(CollectionSettings {
            title: prettified(&name),
            name,
            path: ".".into(),
            route: natural_route("."),
            posts,
            ..CollectionSettings::default()
        });
    }
    found
}

/// The collection of what no other collection holds.
const REST: &str = "pages";

/// The name of a folder, or with a number when a collection has it.
fn free_name(found: &[CollectionSettings], folder: &str) -> String {
    let own = name_of(folder);
    let mut name = own.clone();
    let mut count = 2;
    while found.iter().any(|c| c.name == name) {
        name = format!("{own}-{count}");
        count += 1;
    }
    name
}

/// Whether a file's name says that it is its folder's own page.
pub(crate) fn is_index(file_name: &str) -> bool {
    let stem = file_name
        .rsplit_once('.')
        .map_or(file_name, |(stem, _)| stem);
    matches!(stem, "index" | "_index")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_two_documents_is_a_collection() {
        let paths = [
            "about.md",
            "blog/_index.md",
            "blog/a.md",
            "blog/b.md",
            "art/a/b.md",
            "art/c.md",
            "one/_index.md",
            "one/x.md",
        ];
        let found = collections(paths.into_iter());
        let told: Vec<_> = found
            .iter()
            .map(|c| (c.name.as_str(), c.title.as_str(), c.route.as_str(), c.posts))
            .collect();
        assert_eq!(
            told,
            [
                ("art", "Art", "/art/{path}", false),
                ("blog", "Blog", "/blog/{path}", true),
                ("pages", "Pages", "/{path}", false)
            ]
        );
    }

    #[test]
    fn the_content_folder_is_where_the_pages_are() {
        let check = |paths: &[&str], folder: &str| {
            let paths: Vec<String> = paths.iter().map(|p| (*p).to_owned()).collect();
            assert_eq!(content_folder(&paths), folder, "{paths:?}");
        };
        check(&["a.md", "docs/b.md"], ".");
        check(&["README.md", "docs/b.md"], "docs");
        check(&["README.md", "docs/b.md", "content/c.md"], "content");
        check(&["README.md", "notes/b.md"], ".");
        check(&["src/content/a.md"], "src/content");
    }
}
