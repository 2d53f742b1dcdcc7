//! From any spelling of a path to the one route.
//!
//! Decoding goes on until nothing is left to decode, so a route never holds a `%` followed by two hex digits. That makes
//! [`canonical`] idempotent: a path that some tool encoded twice still leads to its page.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::clean;

/// The route of a site-absolute path (a leading slash is added when it is missing).
///
/// A colon becomes a hyphen, or nothing before a space; what [`clean::one_line`] takes out is taken out; `..` climbs, but never
/// above the root. Any text gives a route: this never fails.
///
/// ```
/// use artifact::route::canonical;
/// assert_eq!(canonical("//a/./b/../c%20d/"), "/a/c d");
/// assert_eq!(canonical("Guide: Architecture"), "/Guide Architecture");
/// assert_eq!(canonical("/../%2e%2e"), "/");
/// ```
pub fn canonical(path: &str) -> String {
    let path = decoded(path);
    let mut segments: Vec<Cow<'_, str>> = Vec::new();
    for segment in path.split(['/', '\\']) {
        let segment = segment_of(segment);
        match segment.as_ref() {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    let mut route = String::with_capacity(path.len() + 1);
    for segment in &segments {
        route.push('/');
        route.push_str(segment);
    }
    if route.is_empty() {
        route.push('/');
    }
    route
}

/// The route that a relative path leads to from a folder: `join("/guide/start", "../api")` is `/guide/api`.
///
/// A path that starts with `/` stands for itself. Query and fragment are not looked for.
pub fn join(base_route_dir: &str, relative: &str) -> String {
    if relative.starts_with('/') {
        canonical(relative)
    } else {
        canonical(&format!("{base_route_dir}/{relative}"))
    }
}

/// Where a page's markdown twin lies below the output folder: `index.md` for the root, `a/b.md` for `/a/b`.
///
/// No two routes share a file: a page whose route is nothing but `index` segments gets one more of them.
pub fn markdown_path(route: &str) -> String {
    let path = route.trim_matches('/');
    if path.is_empty() {
        "index.md".to_owned()
    } else if path.split('/').all(|segment| segment == "index") {
        format!("{path}/index.md")
    } else {
        format!("{path}.md")
    }
}

/// The last segment of a route; empty for the root.
pub fn slug_of(route: &str) -> &str {
    route.rsplit('/').next().unwrap_or_default()
}

/// A route with an anchor behind it, in a form that [`super::as_asked`] takes apart again: `/a#b`.
///
/// A route that itself holds `#` or `?` has them encoded, since they would end the path.
pub fn anchored(route: &str, anchor: &str) -> String {
    format!("{}#{anchor}", route.replace('#', "%23").replace('?', "%3F"))
}

/// A form in which two routes are equal when they differ in letter case only.
pub fn fold_case(route: &str) -> String {
    nfc(&route.to_lowercase()).into_owned()
}

/// Percent-decodes text, again and again, in one pass. Bytes that are not UTF-8 become U+FFFD.
pub fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        out.push(byte);
        // A decoded byte may itself complete an escape: `%2541` is `%41` is `A`.
        while let [.., b'%', high, low] = out[..] {
            let (Some(high), Some(low)) = (hex(high), hex(low)) else {
                break;
            };
            out.truncate(out.len() - 3);
            out.push(high << 4 | low);
        }
    }
    match String::from_utf8(out) {
        Ok(text) => Cow::Owned(text),
        Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

fn segment_of(segment: &str) -> Cow<'_, str> {
    let plain = segment
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if plain {
        return Cow::Borrowed(segment);
    }
    // Dropping a colon can bring two spaces together, so cleaning comes after it.
    let mut text = String::with_capacity(segment.len());
    let mut chars = segment.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ':' if chars.peek().is_none_or(|next| next.is_whitespace()) => {}
            ':' => text.push('-'),
            c => text.push(c),
        }
    }
    Cow::Owned(nfc(&clean::one_line(&text)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, route: &str) {
        assert_eq!(canonical(path), route, "{path:?}");
        assert_eq!(
            canonical(route),
            route,
            "canonical is idempotent on {route:?}"
        );
    }

    #[test]
    fn slashes_and_dots() {
        for (path, route) in [
            ("", "/"),
            ("/", "/"),
            ("//", "/"),
            ("a", "/a"),
            ("/a/", "/a"),
            ("//a///b//", "/a/b"),
            ("/a/./b/../c", "/a/c"),
            ("/../../a", "/a"),
        ] {
            check(path, route);
        }
    }

    #[test]
    fn a_percent_encoded_cjk_slug_was_not_found() {
        check("/wiki/%E6%A3%80%E7%B4%A2", "/wiki/检索");
        check("/wiki/%e6%a3%80%e7%b4%a2", "/wiki/检索");
        check("/wiki/检索", "/wiki/检索");
    }

    #[test]
    fn decomposed_and_composed_are_one_route() {
        check("/cafe\u{301}", "/caf\u{e9}");
        check("/caf%C3%A9", "/caf\u{e9}");
        check("/%E1%84%92%E1%85%A1%E1%86%AB", "/한");
    }

    #[test]
    fn a_path_encoded_twice_still_leads_home() {
        check("/%25ED%2595%259C", "/한");
        check("/100%", "/100%");
        check("/100%25", "/100%");
        check("/%zz", "/%zz");
    }

    #[test]
    fn encoded_dots_and_slashes_cannot_climb() {
        check("/a/%2e%2e/%2E%2E/b", "/b");
        check("/a%2Fb", "/a/b");
        check("/a\\..\\b", "/b");
    }

    #[test]
    fn a_colon_in_a_file_name_crashed_the_build() {
        check("/Guide: Architecture", "/Guide Architecture");
        check("/std::fmt", "/std--fmt");
        check("/a\u{0}b\nc", "/a b c");
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_panic() {
        check("/a%FFb", "/a\u{FFFD}b");
    }

    #[test]
    fn twins_never_share_a_file() {
        for (route, file) in [
            ("/", "index.md"),
            ("/a/b", "a/b.md"),
            ("/index", "index/index.md"),
            ("/index/index", "index/index/index.md"),
            ("/a/index", "a/index.md"),
        ] {
            assert_eq!(markdown_path(route), file);
        }
    }

    #[test]
    fn relative_paths() {
        assert_eq!(join("/guide/start", "../api"), "/guide/api");
        assert_eq!(join("/", "a"), "/a");
        assert_eq!(join("/x", "/a"), "/a");
        assert_eq!(slug_of("/a/b"), "b");
        assert_eq!(slug_of("/"), "");
    }
}
