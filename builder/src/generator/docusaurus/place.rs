//! Addresses of documents, posts and pages.

use std::collections::HashMap;

use crate::front_matter::Node;
use crate::front_matter::Value;
use crate::front_matter::value::find;

/// What a document's path and front matter say.
#[derive(Debug, PartialEq)]
pub(super) struct Doc {
    /// Its id in sidebars.
    pub id: String,
    /// The last part of the id, which is its title when it has no other.
    pub base_id: String,
    /// Its address below its version's.
    pub slug: String,
    /// Whether it stands for its folder.
    pub is_index: bool,
    /// The number in front of its file's name.
    pub number: Option<f64>,
}

/// Places a document by its path below its version's folder.
pub(super) fn doc(path: &str, id: Option<&str>, slug: Option<&str>, strips: bool) -> Doc {
    let (folder, name) = folder_and_stem(path);
    let (plain, number) = match strips {
        true => without_number(name),
        false => (name, None),
    };
    let base_id = id.unwrap_or(plain).to_owned();
    let folder = match strips {
        true => {
            let parts: Vec<&str> = folder
                .split('/')
                .map(|part| without_number(part).0)
                .collect();
            parts.join("/")
        }
        false => folder.to_owned(),
    };
    let id = match folder.as_str() {
        "" => base_id.clone(),
        folder => format!("{folder}/{base_id}"),
    };
    let is_index = slug.is_none() && is_index(path);
    let slug = match slug {
        Some(slug) if slug.starts_with('/') => slug.to_owned(),
        None if is_index => folder,
        slug => format!("/{folder}/{}", slug.unwrap_or(&base_id)),
    };
    Doc {
        id,
        base_id,
        slug,
        is_index,
        number,
    }
}

/// Whether a document stands for its folder: `index`, `readme`, or the folder's own name.
pub(super) fn is_index(path: &str) -> bool {
    let (folder, name) = folder_and_stem(path);
    let name = name.to_lowercase();
    let own = folder.rsplit('/').next().unwrap_or_default().to_lowercase();
    matches!(name.as_str(), "index" | "readme") || (!own.is_empty() && name == own)
}

fn folder_and_stem(path: &str) -> (&str, &str) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    (folder, name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

/// A name without the number that only sorts it. Dates and versions (`2021-11-foo`, `7.0-foo`) are names.
pub(super) fn without_number(name: &str) -> (&str, Option<f64>) {
    let sign = |c: char| matches!(c, '-' | '_' | '.');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &name[..name.len() - rest.len()];
    if digits.is_empty() {
        return (name, None);
    }
    if rest.starts_with(sign) && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return (name, None);
    }
    let rest = rest.trim_start();
    let suffix = rest.trim_start_matches(sign);
    if suffix.len() == rest.len() {
        return (name, None);
    }
    let suffix = suffix.trim_start();
    // What follows must begin with something of its own: `1 - - a` does not.
    if suffix.is_empty() || suffix.starts_with(sign) {
        return (name, None);
    }
    (suffix, digits.parse().ok())
}

/// What a post's file name says.
#[derive(Debug, PartialEq)]
pub(super) struct Post {
    /// `2021-01-31`.
    pub date: Option<String>,
    /// What stands behind the date.
    pub text: String,
    /// The address below the blog's.
    pub slug: String,
}

/// Reads the path of a post below its blog: `2021-01-31-tea.md`, `2021/01/31/tea.md`, `2021-01-31-tea/index.md`, or anything else.
pub(super) fn post(path: &str) -> Post {
    let stem = path
        .strip_suffix(".mdx")
        .or_else(|| path.strip_suffix(".md"));
    let stem = stem.unwrap_or(path);
    // The last date counts.
    let dated = stem.char_indices().rev().find_map(|(at, _)| {
        let (length, date) = date_at(&stem[at..])?;
        Some((&stem[..at], date, &stem[at + length..]))
    });
    let Some((folder, date, rest)) = dated else {
        let text = stem.strip_suffix("/index").unwrap_or(stem);
        return Post {
            date: None,
            text: text.to_owned(),
            slug: format!("/{text}"),
        };
    };
    let text = rest.strip_prefix(['-', '/']).unwrap_or(rest);
    let text = text.strip_suffix("/index").unwrap_or(text);
    Post {
        slug: format!("/{}/{folder}{text}", date.replace('-', "/")),
        date: Some(date.replace('/', "-")),
        text: text.to_owned(),
    }
}

/// A date such as `2021-1-31` or `2021/01/31` at the start of a text, with its length.
fn date_at(text: &str) -> Option<(usize, &str)> {
    let digits = |text: &str, most: usize| {
        text.bytes()
            .take(most)
            .take_while(u8::is_ascii_digit)
            .count()
    };
    if digits(text, 4) < 4 {
        return None;
    }
    let mut at = 4;
    for _ in 0..2 {
        if !text[at..].starts_with(['-', '/']) {
            return None;
        }
        let count = digits(&text[at + 1..], 2);
        if count == 0 {
            return None;
        }
        at += 1 + count;
    }
    Some((at, &text[..at]))
}

/// The address of a file in `src/pages`, and whether it stands for its folder.
pub(super) fn page(path: &str, slug: Option<&str>) -> (String, bool) {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    match slug {
        Some(slug) => (slug.to_owned(), false),
        None if name.eq_ignore_ascii_case("index") => (folder.to_owned(), true),
        None => (stem.to_owned(), false),
    }
}

/// The names of a post's authors; a key stands for a name of the authors' file.
pub(super) fn author_names(node: &Node, known: &HashMap<String, String>) -> Vec<String> {
    match &node.value {
        Value::List(items) => items
            .iter()
            .flat_map(|item| author_names(item, known))
            .collect(),
        Value::Map(map) => {
            let text = |key| Some(find(map, key)?.node.text()?.trim().to_owned());
            let by_key = || known.get(text("key")?.as_str()).cloned();
            text("name").or_else(by_key).into_iter().collect()
        }
        Value::Scalar { .. } => node
            .text()
            .map(|key| {
                known
                    .get(key.trim())
                    .cloned()
                    .unwrap_or(key.trim().to_owned())
            })
            .filter(|name| !name.is_empty())
            .into_iter()
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_prefixes_are_stripped_as_docusaurus_does() {
        for (name, plain, number) in [
            ("01-intro", "intro", Some(1.0)),
            ("003 - my doc", "my doc", Some(3.0)),
            ("1.foo", "foo", Some(1.0)),
            ("03--1.6.X", "1.6.X", Some(3.0)),
            ("2021-01-01-x", "2021-01-01-x", None),
            ("2021-11-foo", "2021-11-foo", None),
            ("7.0-foo", "7.0-foo", None),
            ("7", "7", None),
            ("12-", "12-", None),
            ("0.74-thing", "0.74-thing", None),
            ("abc-1", "abc-1", None),
            ("5 apples", "5 apples", None),
        ] {
            assert_eq!(without_number(name), (plain, number), "{name}");
        }
    }

    fn slug(path: &str, id: Option<&str>, slug: Option<&str>) -> String {
        artifact::route::canonical(&doc(path, id, slug, true).slug)
    }

    #[test]
    fn a_compound_prefix_was_stripped_wrongly() {
        assert_eq!(slug("03--1.6.X/01-intro.md", None, None), "/1.6.X/intro");
        assert_eq!(
            doc("03--1.6.X/01-intro.md", None, None, true).id,
            "1.6.X/intro"
        );
        assert_eq!(doc("01-a/02-b.md", None, None, false).slug, "/01-a/02-b");
    }

    #[test]
    fn slugs_and_files_named_as_their_folder_were_ignored() {
        assert_eq!(slug("governance/governance.md", None, None), "/governance");
        assert_eq!(slug("Governance/governance.md", None, None), "/Governance");
        assert_eq!(
            slug("learn/overview.md", None, Some("/learn/core/")),
            "/learn/core"
        );
        assert_eq!(slug("learn/overview.md", None, Some("core")), "/learn/core");
        assert_eq!(slug("learn/overview.md", None, Some("../core")), "/core");
        assert_eq!(slug("learn/overview.md", Some("o"), None), "/learn/o");
        assert_eq!(slug("learn/README.md", None, None), "/learn");
        assert_eq!(slug("learn/index.mdx", Some("home"), None), "/learn");
        assert_eq!(slug("index.md", None, None), "/");
        assert_eq!(slug("a/index.md", None, Some("b")), "/a/b");
        assert!(!doc("a/index.md", None, Some("b"), true).is_index);
    }

    #[test]
    fn a_post_lost_its_year() {
        for (path, date, slug) in [
            (
                "2025-10-13-release.md",
                Some("2025-10-13"),
                "/2025/10/13/release",
            ),
            ("2021/01/01-x.md", Some("2021-01-01"), "/2021/01/01/x"),
            (
                "2021/01/31/x/index.mdx",
                Some("2021-01-31"),
                "/2021/01/31/x",
            ),
            ("2021-1-3-x.md", Some("2021-1-3"), "/2021/1/3/x"),
            (
                "old/2021-01-03-x/index.md",
                Some("2021-01-03"),
                "/2021/01/03/old/x",
            ),
            (
                "2023-06-21-0.72-metro.mdx",
                Some("2023-06-21"),
                "/2023/06/21/0.72-metro",
            ),
            ("2021-01-03.md", Some("2021-01-03"), "/2021/01/03/"),
            ("welcome/index.md", None, "/welcome"),
            ("welcome.md", None, "/welcome"),
        ] {
            let found = post(path);
            assert_eq!(
                (found.date.as_deref(), found.slug.as_str()),
                (date, slug),
                "{path}"
            );
        }
    }

    #[test]
    fn pages_stand_where_their_files_lie() {
        assert_eq!(page("index.mdx", None), (String::new(), true));
        assert_eq!(page("a/index.md", None), ("a".into(), true));
        assert_eq!(page("a/b.md", None), ("a/b".into(), false));
        assert_eq!(page("a/b.md", Some("/c")), ("/c".into(), false));
    }
}
