//! The routes that somebody may have meant.
//!
//! People and models send what they have at hand: a full URL, a file name, a path with the base path on, an encoded path, a
//! trailing slash. This turns such a text into the routes it may stand for; the caller takes the first that exists, and
//! compares by [`super::fold_case`] when none does. It looks nothing up itself.

use super::address::Address;
use super::canonical::{canonical, decoded};

/// What a text may stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Candidate routes, the most literal first. Empty for the URL of another site.
    pub routes: Vec<String>,
    /// The fragment behind `#`, decoded, when there is one.
    pub anchor: Option<String>,
}

/// Reads a route in any spelling.
///
/// ```
/// use artifact::route::{Address, as_asked};
/// let address = Address::parse("https://x.dev/docs", false).unwrap();
/// let asked = as_asked("/docs/guide/index.html#Setup", &address);
/// assert!(asked.routes.contains(&"/guide/index".to_owned()));
/// assert!(asked.routes.contains(&"/guide".to_owned()));
/// assert_eq!(asked.anchor.as_deref(), Some("Setup"));
/// ```
pub fn as_asked(text: &str, address: &Address) -> Asked {
    let text = text.trim().trim_matches(['<', '>', '`', '"']).trim();
    let own = address.path_of_url(text);
    if own.is_none() && is_absolute(text) {
        return Asked::default();
    }
    let text = own.unwrap_or(text);
    let (path, fragment) = match text.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (text, None),
    };
    let anchor = fragment
        .map(|fragment| fragment.split(":~:").next().unwrap_or_default())
        .map(decoded)
        .filter(|anchor| !anchor.is_empty());

    let mut routes = Vec::new();
    if fragment == Some("") {
        add(&mut routes, canonical(text)); // `/languages/c#`
    }
    let bare = path.split('?').next().unwrap_or_default();
    for path in [path, bare] {
        spellings(&mut routes, canonical(path));
        // A URL of ours has lost its base path already; a bare path may still carry it.
        if own.is_none() && !address.base_path().is_empty() {
            let rooted = if path.starts_with('/') {
                path.to_owned()
            } else {
                format!("/{path}")
            };
            if let Some(rest) = address.without_base(&rooted) {
                spellings(&mut routes, canonical(rest));
            }
        }
    }
    Asked {
        routes,
        anchor: anchor.map(|anchor| anchor.into_owned()),
    }
}

fn is_absolute(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        !scheme.is_empty()
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    }) || text.starts_with("//")
        && text.len() > 2
        && text[2..]
            .split('/')
            .next()
            .is_some_and(|host| host.contains('.'))
}

/// The route itself, then without a file name or ending that the web server would have added.
fn spellings(routes: &mut Vec<String>, route: String) {
    const INDEX: [&str; 7] = [
        "/index.html",
        "/index.htm",
        "/index.md",
        "/index.mdx",
        "/index.markdown",
        "/index.json",
        "/index",
    ];
    const ENDINGS: [&str; 5] = [".html", ".htm", ".mdx", ".md", ".markdown"];
    add(routes, route.clone());
    for ending in INDEX {
        if let Some(rest) = without_ending(&route, ending) {
            add(
                routes,
                if rest.is_empty() {
                    "/".to_owned()
                } else {
                    rest.to_owned()
                },
            );
        }
    }
    for ending in ENDINGS {
        if let Some(rest) = without_ending(&route, ending)
            && !rest.ends_with('/')
        {
            add(routes, rest.to_owned());
        }
    }
    // Sites of files: `/guide`, `/guide.md` and `/guide/` may all mean `/guide.html`.
    for at in 0..routes.len() {
        let route = &routes[at];
        if route != "/" && without_ending(route, ".html").is_none() {
            let file = format!("{route}.html");
            add(routes, file);
        }
    }
}

fn without_ending<'a>(route: &'a str, ending: &str) -> Option<&'a str> {
    let at = route.len().checked_sub(ending.len())?;
    let tail = route.get(at..)?;
    tail.eq_ignore_ascii_case(ending).then(|| &route[..at])
}

fn add(routes: &mut Vec<String>, route: String) {
    if !routes.contains(&route) {
        routes.push(route);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(site: &str, text: &str, route: &str) {
        let address = Address::parse(site, false).unwrap();
        let asked = as_asked(text, &address);
        assert!(
            asked.routes.iter().any(|found| found == route),
            "{text:?} on {site}: {asked:?} has no {route}"
        );
    }

    #[test]
    fn every_spelling_leads_to_the_route() {
        for text in [
            "/guide/检索",
            "/guide/检索/",
            "guide/检索",
            "  /guide/检索 ",
            "/guide/检索/index.html",
            "/guide/检索.html",
            "/guide/检索.md",
            "/guide/检索.HTML",
            "/guide/检索/index.md",
            "/guide/%E6%A3%80%E7%B4%A2",
            "/guide/%e6%a3%80%e7%b4%a2.md",
            "/docs/guide/检索",
            "docs/guide/检索/",
            "/docs/guide/检索?utm=1",
            "https://x.dev/docs/guide/%E6%A3%80%E7%B4%A2/?a=b#c",
            "http://X.dev/docs/guide/检索.html",
            "//x.dev/docs/guide/检索",
            "<https://x.dev/docs/guide/检索>",
            "`/guide/检索`",
            "/guide//检索",
            "/guide/./检索",
            "/guide/检索#anchor",
            "/guide/检索#",
        ] {
            leads("https://x.dev/docs", text, "/guide/检索");
        }
    }

    #[test]
    fn every_address_we_publish_leads_back() {
        for site in [
            "https://x.dev",
            "https://x.dev/docs",
            "http://localhost:8080/a/b",
        ] {
            for slash in [false, true] {
                let address = Address::parse(site, slash).unwrap();
                for route in [
                    "/",
                    "/a",
                    "/a/b",
                    "/docs",
                    "/docs/docs",
                    "/index",
                    "/index/index",
                    "/a/index",
                    "/c#",
                    "/what?",
                    "/한글",
                    "/100%",
                ] {
                    for text in [
                        address.url(route),
                        address.markdown_url(route),
                        address.url_with_anchor(route, "x"),
                    ] {
                        let asked = as_asked(&text, &address);
                        assert!(
                            asked.routes.iter().any(|found| found == route),
                            "{text}: {asked:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_root_in_many_spellings() {
        for text in [
            "/",
            "",
            "index.html",
            "/index.md",
            "/docs",
            "/docs/",
            "https://x.dev/docs",
            "https://x.dev/docs/",
            "/docs/index.html",
            "/#top",
            "?x=1",
        ] {
            leads("https://x.dev/docs", text, "/");
        }
    }

    #[test]
    fn the_literal_reading_comes_first() {
        let address = Address::parse("https://x.dev/docs", false).unwrap();
        assert_eq!(
            as_asked("/docs/a", &address).routes,
            ["/docs/a", "/docs/a.html", "/a", "/a.html"]
        );
        assert_eq!(
            as_asked("https://x.dev/docs/docs/a", &address).routes,
            ["/docs/a", "/docs/a.html"]
        );
        assert_eq!(as_asked("/c#", &address).routes[0], "/c#");
    }

    #[test]
    fn a_page_that_is_a_file_is_found_without_its_ending() {
        for text in ["/ch01", "/ch01.html", "/ch01.md", "/ch01/", "/ch01.html.md"] {
            leads("https://x.dev", text, "/ch01.html");
        }
    }

    #[test]
    fn another_sites_page_is_not_ours() {
        let address = Address::parse("https://x.dev", false).unwrap();
        for text in [
            "https://y.dev/a",
            "//y.dev/a",
            "ftp://x.dev/a",
            "file:///etc/passwd",
        ] {
            assert_eq!(as_asked(text, &address), Asked::default(), "{text}");
        }
    }

    #[test]
    fn anchors_are_decoded() {
        let address = Address::parse("https://x.dev", false).unwrap();
        for (text, anchor) in [
            ("/a#b", Some("b")),
            ("/a#%E6%A3%80", Some("检")),
            ("/a", None),
            ("/a#", None),
            ("/a#b:~:text=c", Some("b")),
            ("/a?x#y", Some("y")),
        ] {
            assert_eq!(as_asked(text, &address).anchor.as_deref(), anchor, "{text}");
        }
    }
}
