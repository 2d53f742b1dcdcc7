//! Where a file stands on the site: its collection and its route.
//!
//! The route is the file's own path, unless its collection has a pattern or its front matter names an address. `index`,
//! `_index` and `README` stand for their folder. A collection's own index file is the page of its archive and no document of it.
//!
//! `notes/tea/index.md` of a collection with the route `/drinks/{slug}` stands at `/drinks/tea`.

use artifact::route::{canonical, slug_of};

use crate::config::pattern::{self, Values};
use crate::config::{CollectionSettings, Settings};
use crate::front_matter::Meta;
use crate::problem::Problem;
use crate::source::markdown_ending;

/// Where a file stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Into the settings' collections.
    pub collection: Option<usize>,
    /// Its route.
    pub route: String,
    /// Whether the file stands for its folder.
    pub is_index: bool,
}

/// The folder of a path; empty for what stands in none.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path of a file without its ending, and whether it stands for its folder: `a/index.md` is `a` and true.
///
/// A README does so only in a folder without an index of its own.
pub(crate) fn natural_path(path: &str, has_file: &dyn Fn(&str) -> bool) -> (String, bool) {
    let stem = &path[..path.len() - markdown_ending(path).map_or(0, str::len)];
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let has_index = || {
        ["index", "_index"].iter().any(|index| {
            [".md", ".mdx", ".markdown"].iter().any(|ending| {
                let slash = if folder.is_empty() { "" } else { "/" };
                has_file(&format!("{folder}{slash}{index}{ending}"))
            })
        })
    };
    let is_index =
        matches!(name, "index" | "_index") || (name.eq_ignore_ascii_case("readme") && !has_index());
    (if is_index { folder } else { stem }.to_owned(), is_index)
}

/// The collection that holds a path below the content folder: the one with the longest folder.
pub(crate) fn collection_of(path: &str, collections: &[CollectionSettings]) -> Option<usize> {
    collections
        .iter()
        .enumerate()
        .filter(|(_, collection)| below(path, &collection.path).is_some())
        .max_by_key(|(at, collection)| (folder_length(&collection.path), usize::MAX - at))
        .map(|(at, _)| at)
}

fn folder_length(folder: &str) -> usize {
    if folder == "." { 0 } else { folder.len() }
}

/// What is left of a path below a folder.
pub(crate) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    match folder {
        "" | "." => Some(path),
        folder => {
            let rest = path.strip_prefix(folder)?;
            if rest.is_empty() {
                Some(rest)
            } else {
                rest.strip_prefix('/')
            }
        }
    }
}

/// Places a file. `path` is below the content folder, `file` is its name in problems.
pub(crate) fn place(
    path: &str,
    file: &str,
    meta: &Meta,
    settings: &Settings,
    has_file: &dyn Fn(&str) -> bool,
) -> Result<Place, Box<Problem>> {
    let (natural, is_index) = natural_path(path, has_file);
    let found = collection_of(path, &settings.collections);
    let held = found.map(|at| (at, &settings.collections[at]));
    let inside = held
        .and_then(|(_, collection)| below(&natural, &collection.path))
        .unwrap_or(&natural);
    // The collection's own page.
    let (collection, natural_route) = match held {
        Some((_, collection)) if inside.is_empty() => (None, Some(collection.archive_route())),
        Some((at, _)) => (Some(at), None),
        None if natural.is_empty() => (None, Some("/".to_owned())),
        None => (None, None),
    };
    if let Some(url) = &meta.url
        && let Some(route) = own_route(url, settings)
    {
        return Ok(Place {
            collection,
            route,
            is_index,
        });
    }
    if let Some(route) = natural_route {
        return Ok(Place {
            collection,
            route,
            is_index,
        });
    }
    if let Some(slug) = meta.slug.as_deref().filter(|slug| slug.starts_with('/')) {
        return Ok(Place {
            collection,
            route: canonical(slug),
            is_index,
        });
    }
    let own_name = inside.rsplit('/').next().unwrap_or(inside);
    let slug = meta
        .slug
        .as_deref()
        .map(|slug| slug.trim_matches('/'))
        .filter(|slug| !slug.is_empty());
    let path = match (slug, inside.rsplit_once('/')) {
        (Some(slug), Some((folder, _))) => format!("{folder}/{slug}"),
        (Some(slug), None) => slug.to_owned(),
        (None, _) => inside.to_owned(),
    };
    let values = Values {
        slug: slug.unwrap_or(own_name),
        path: &path,
        date: meta
            .date
            .as_ref()
            .and_then(|written| written.date.as_ref())
            .map(|date| date.parts()),
        tag: "",
    };
    let pattern = held.map_or(settings.pages.route.as_str(), |(_, collection)| {
        collection.route.as_str()
    });
    match pattern::fill(pattern, &values) {
        Ok(route) => Ok(Place {
            collection,
            route,
            is_index,
        }),
        Err(name) => Err(Box::new(
            Problem::error(
                file,
                format!(
                    "the route `{pattern}` needs a date for `{{{name}}}`, and the page has none"
                ),
            )
            .help("add `date: 2024-05-01` to its front matter"),
        )),
    }
}

/// The route that an address in front matter names, when it is one of this site.
fn own_route(url: &str, settings: &Settings) -> Option<String> {
    let path = if url.contains("://") {
        settings.address.path_of_url(url)?
    } else {
        url
    };
    let route = canonical(path.split(['?', '#']).next().unwrap_or(path));
    // `/about/index.html` is the page of its folder.
    if matches!(slug_of(&route), "index.html" | "index.htm") {
        return Some(canonical(&route[..route.rfind('/').unwrap_or(0)]));
    }
    Some(route)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{
        ExportSettings, FeedbackSettings, Limits, PageSettings, ServerSettings, SiteSettings,
        TagSettings,
    };
    use crate::front_matter::{date, meta::Written};

    fn settings(collections: &[(&str, &str)]) -> Settings {
        Settings {
            site: SiteSettings::default(),
            server: ServerSettings::default(),
            collections: collections
                .iter()
                .map(|(path, route)| CollectionSettings {
                    name: (*path).into(),
                    path: (*path).into(),
                    route: (*route).into(),
                    ..CollectionSettings::default()
                })
                .collect(),
            guessed_collections: false,
            html: Vec::new(),
            pages: PageSettings::default(),
            tags: TagSettings::default(),
            search: crate::config::SearchSettings::default(),
            limits: Limits::default(),
            feedback: FeedbackSettings::default(),
            exports: ExportSettings::default(),
            address: artifact::route::Address::parse("https://x.dev/docs", false).unwrap(),
        }
    }

    fn placed(path: &str, meta: &Meta) -> (Option<usize>, String) {
        let settings = settings(&[
            ("blog", "/writing/{year}/{slug}"),
            ("blog/notes", "/n/{path}"),
            ("wiki", "/wiki/{path}"),
        ]);
        let place = place(path, path, meta, &settings, &|file| file == "both/index.md").unwrap();
        (place.collection, place.route)
    }

    fn dated() -> Meta {
        let date = date::parse("2024-05-01").unwrap();
        Meta {
            date: Some(Written {
                text: date.text.clone(),
                date: Some(date),
                line: 1,
            }),
            ..Meta::default()
        }
    }

    #[test]
    fn files_stand_where_they_lie() {
        let check = |path, collection, route: &str| {
            assert_eq!(
                placed(path, &dated()),
                (collection, route.to_owned()),
                "{path}"
            );
        };
        check("a/b.md", None, "/a/b");
        check("a/index.md", None, "/a");
        check("a/_index.mdx", None, "/a");
        check("README.md", None, "/");
        check("both/README.md", None, "/both/README");
        check("index.md", None, "/");
        check("blog/tea.md", Some(0), "/writing/2024/tea");
        check("blog/tea/index.md", Some(0), "/writing/2024/tea");
        check("blog/_index.md", None, "/writing");
        check("blog/notes/x/y.md", Some(1), "/n/x/y");
        check("blog/notes/index.md", None, "/n");
        check("bloggers.md", None, "/bloggers");
        check("wiki/a.b.md", Some(2), "/wiki/a.b");
    }

    #[test]
    fn a_colon_or_control_in_a_file_name_crashed_the_build() {
        assert_eq!(
            placed("Guide: Architecture.md", &dated()).1,
            "/Guide Architecture"
        );
        assert_eq!(placed("a\u{1}b.md", &dated()).1, "/a b");
        assert_eq!(placed("検索.md", &dated()).1, "/検索");
    }

    #[test]
    fn front_matter_names_the_route() {
        let with = |slug: Option<&str>, url: Option<&str>| Meta {
            slug: slug.map(str::to_owned),
            url: url.map(str::to_owned),
            ..dated()
        };
        let route = |path, meta: &Meta| placed(path, meta).1;
        assert_eq!(route("a/b.md", &with(Some("c"), None)), "/a/c");
        assert_eq!(
            route("a/b.md", &with(Some("/learn/core/"), None)),
            "/learn/core"
        );
        assert_eq!(
            route("blog/b.md", &with(Some("한글"), None)),
            "/writing/2024/한글"
        );
        assert_eq!(route("a/b.md", &with(Some("c"), Some("/x/y/"))), "/x/y");
        assert_eq!(route("a/b.md", &with(None, Some("/x/index.html"))), "/x");
        assert_eq!(
            route("a/b.md", &with(None, Some("https://x.dev/docs/z"))),
            "/z"
        );
        assert_eq!(
            route("a/b.md", &with(None, Some("https://y.dev/z"))),
            "/a/b"
        );
    }

    #[test]
    fn a_dated_route_needs_a_date() {
        let settings = settings(&[("blog", "/{year}/{slug}")]);
        let problem = place(
            "blog/a.md",
            "blog/a.md",
            &Meta::default(),
            &settings,
            &|_| false,
        )
        .unwrap_err();
        assert_eq!(
            problem.what,
            "the route `/{year}/{slug}` needs a date for `{year}`, and the page has none"
        );
    }
}
