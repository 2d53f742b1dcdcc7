//! Where a site lives, and the only place that joins absolute URLs.

use std::fmt;
use std::fmt::Write as _;

use super::canonical::{canonical, markdown_path};

/// A site's origin, base path and slash policy.
///
/// The base path is in no route; it is put in front exactly once, here. Every URL is percent-encoded exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    origin: String,
    base_path: String,
    trailing_slash: bool,
}

/// Why a text is not the address of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// It does not start with `https://` or `http://`.
    Scheme {
        /// The text that came.
        got: String,
    },
    /// The host is missing, or has characters a host cannot have.
    Host {
        /// The host that came.
        got: String,
    },
    /// There is something after the path: a query or a fragment.
    Extra {
        /// What came after the path.
        got: String,
    },
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme { got } => write!(
                f,
                "a site's address starts with `https://` or `http://`, got `{got}`"
            ),
            Self::Host { got } => write!(
                f,
                "`{got}` is not a host name; write it in ASCII, as in `example.org` or `localhost:8080`"
            ),
            Self::Extra { got } => write!(
                f,
                "a site's address ends with its path; `{got}` comes after it"
            ),
        }
    }
}

impl std::error::Error for AddressError {}

impl Address {
    /// Reads the address of a site's root, such as `https://example.org/docs`.
    ///
    /// Scheme and host are lower-cased and a default port is dropped. `trailing_slash` says whether page URLs end with a slash.
    pub fn parse(url: &str, trailing_slash: bool) -> Result<Address, AddressError> {
        let url = url.trim();
        let (scheme, rest) = split_scheme(url).ok_or_else(|| AddressError::Scheme {
            got: url.to_owned(),
        })?;
        if let Some(at) = rest.find(['?', '#']) {
            return Err(AddressError::Extra {
                got: rest[at..].to_owned(),
            });
        }
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host = host_of(scheme, host).ok_or_else(|| AddressError::Host {
            got: host.to_owned(),
        })?;
        let base = canonical(path);
        let base_path = if base == "/" { String::new() } else { base };
        Ok(Address {
            origin: format!("{scheme}://{host}"),
            base_path,
            trailing_slash,
        })
    }

    /// Scheme, host and port: `https://example.org`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The base path, decoded: empty, or such as `/docs`.
    pub fn base_path(&self) -> &str {
        &self.base_path
    }

    /// Whether page URLs end with a slash.
    pub fn trailing_slash(&self) -> bool {
        self.trailing_slash
    }

    /// The absolute URL of a route. One that ends in `.html` is a file and never gets a slash.
    ///
    /// ```
    /// use artifact::route::Address;
    /// let address = Address::parse("https://x.dev/", true).unwrap();
    /// assert_eq!(address.url("/a b"), "https://x.dev/a%20b/");
    /// assert_eq!(address.url("/a.html"), "https://x.dev/a.html");
    /// assert_eq!(address.url("/"), "https://x.dev/");
    /// ```
    pub fn url(&self, route: &str) -> String {
        let mut url = self.start(route.len() + 1);
        let path = route.trim_matches('/');
        url.push('/');
        encode(path, &mut url);
        if self.trailing_slash && !path.is_empty() && !path.ends_with(".html") {
            url.push('/');
        }
        url
    }

    /// The absolute URL of a place within a page.
    pub fn url_with_anchor(&self, route: &str, anchor: &str) -> String {
        let mut url = self.url(route);
        url.push('#');
        encode(anchor, &mut url);
        url
    }

    /// The absolute URL of a page's published markdown.
    pub fn markdown_url(&self, route: &str) -> String {
        self.file_url(&markdown_path(route))
    }

    /// The absolute URL of a published file that is no page, such as `llms.txt` or `a b/llms.txt`.
    pub fn file_url(&self, path: &str) -> String {
        let mut url = self.start(path.len() + 1);
        url.push('/');
        encode(path.trim_start_matches('/'), &mut url);
        url
    }

    /// What stands behind the origin and base path when `url` is an absolute URL of this site, with its leading slash.
    ///
    /// Query and fragment stay on. `http`, `https` and scheme-less (`//host/…`) spellings are the same site.
    pub fn path_of_url<'a>(&self, url: &'a str) -> Option<&'a str> {
        let (scheme, rest) = match split_scheme(url) {
            Some(found) => found,
            None => ("https", url.strip_prefix("//")?),
        };
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (_, own) = split_scheme(&self.origin)?;
        if host_of(scheme, host)? != own {
            return None;
        }
        let path = self.without_base(path)?;
        Some(if path.is_empty() { "/" } else { path })
    }

    /// Takes the base path off an absolute path, in whatever spelling it stands there; `None` when it is not below it.
    pub(crate) fn without_base<'a>(&self, path: &'a str) -> Option<&'a str> {
        let depth = self.base_path.matches('/').count();
        if depth == 0 {
            return Some(path);
        }
        let end = path
            .char_indices()
            .filter(|(_, c)| matches!(c, '/' | '?' | '#'))
            .map(|(at, _)| at)
            .chain([path.len()])
            .nth(depth)
            .unwrap_or(path.len());
        let (base, rest) = path.split_at(end);
        (canonical(base) == self.base_path).then_some(rest)
    }

    fn start(&self, more: usize) -> String {
        let mut url =
            String::with_capacity(self.origin.len() + self.base_path.len() + more * 3 / 2);
        url.push_str(&self.origin);
        encode(&self.base_path, &mut url);
        url
    }
}

fn split_scheme(url: &str) -> Option<(&'static str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    ["https", "http"]
        .into_iter()
        .find(|known| scheme.eq_ignore_ascii_case(known))
        .map(|known| (known, rest))
}

fn host_of(scheme: &str, host: &str) -> Option<String> {
    let host = host.to_ascii_lowercase();
    let default = if scheme == "https" { ":443" } else { ":80" };
    let host = host.strip_suffix(default).unwrap_or(&host);
    let good =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b':' | b'[' | b']');
    (host.bytes().any(|b| b.is_ascii_alphanumeric()) && host.bytes().all(good))
        .then(|| host.to_owned())
}

/// Percent-encodes decoded text for a path or fragment. Parentheses and quotes are encoded too: the URL stands in markdown.
fn encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'/' | b'-'
                    | b'.'
                    | b'_'
                    | b'~'
                    | b'!'
                    | b'$'
                    | b'&'
                    | b'*'
                    | b'+'
                    | b','
                    | b';'
                    | b'='
                    | b':'
                    | b'@'
            );
        if plain {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        Address::parse(url, false).unwrap()
    }

    #[test]
    fn a_site_with_a_slash_doubled_it() {
        for site in ["https://x.dev", "https://x.dev/", "HTTPS://X.dev:443//"] {
            assert_eq!(address(site).url("/a"), "https://x.dev/a", "{site}");
            assert_eq!(address(site).url("/"), "https://x.dev/", "{site}");
        }
    }

    #[test]
    fn the_base_path_comes_exactly_once() {
        for site in [
            "https://x.dev/some/sub",
            "https://x.dev/some/sub/",
            "https://x.dev//some//sub/",
        ] {
            let address = address(site);
            assert_eq!(address.base_path(), "/some/sub");
            assert_eq!(address.url("/"), "https://x.dev/some/sub/");
            assert_eq!(address.url("/a"), "https://x.dev/some/sub/a");
            assert_eq!(address.markdown_url("/"), "https://x.dev/some/sub/index.md");
            assert_eq!(
                address.markdown_url("/a/b"),
                "https://x.dev/some/sub/a/b.md"
            );
        }
    }

    #[test]
    fn the_slash_policy_was_ignored() {
        let address = Address::parse("https://x.dev/docs", true).unwrap();
        assert_eq!(address.url("/a"), "https://x.dev/docs/a/");
        assert_eq!(address.url("/"), "https://x.dev/docs/");
        assert_eq!(
            address.url_with_anchor("/a", "b"),
            "https://x.dev/docs/a/#b"
        );
        assert_eq!(address.markdown_url("/a"), "https://x.dev/docs/a.md");
    }

    #[test]
    fn urls_are_encoded_once_and_lead_back() {
        let routes = [
            "/",
            "/a",
            "/한글",
            "/100%",
            "/a b/c?d#e",
            "/f(x)",
            "/'q'",
            "/c++",
            "/.net/c#",
            "/é/検索",
        ];
        for site in ["https://x.dev", "https://x.dev/docs", "https://x.dev/文/"] {
            for slash in [false, true] {
                let address = Address::parse(site, slash).unwrap();
                for route in routes {
                    let url = address.url(route);
                    assert!(
                        url.is_ascii() && !url["https://".len()..].contains("//"),
                        "{url}"
                    );
                    assert!(!url.contains("%25") || route.contains('%'), "{url}");
                    assert_eq!(
                        canonical(address.path_of_url(&url).unwrap()),
                        route,
                        "{url}"
                    );
                }
            }
        }
    }

    #[test]
    fn only_our_own_urls_have_a_path() {
        let address = address("https://x.dev/docs");
        for (url, path) in [
            ("https://x.dev/docs/a?b#c", Some("/a?b#c")),
            ("http://X.DEV:80/docs/a", Some("/a")),
            ("//x.dev/docs", Some("/")),
            ("https://x.dev/docs#top", Some("#top")),
            ("https://x.dev/d%6Fcs/a", Some("/a")),
            ("https://x.dev/docsy/a", None),
            ("https://x.dev/", None),
            ("https://y.dev/docs/a", None),
            ("/docs/a", None),
            ("mailto:a@x.dev", None),
        ] {
            assert_eq!(address.path_of_url(url), path, "{url}");
        }
    }

    #[test]
    fn refused_addresses() {
        assert!(matches!(
            Address::parse("x.dev", false),
            Err(AddressError::Scheme { .. })
        ));
        assert!(matches!(
            Address::parse("ftp://x.dev", false),
            Err(AddressError::Scheme { .. })
        ));
        assert!(matches!(
            Address::parse("https:///a", false),
            Err(AddressError::Host { .. })
        ));
        assert!(matches!(
            Address::parse("https://user@x.dev", false),
            Err(AddressError::Host { .. })
        ));
        assert!(matches!(
            Address::parse("https://x.dev/?a", false),
            Err(AddressError::Extra { .. })
        ));
        assert!(matches!(
            Address::parse("https://x.dev#a", false),
            Err(AddressError::Extra { .. })
        ));
    }
}
