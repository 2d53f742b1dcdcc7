//! Who may ask: the `Origin` and `Host` headers.
//!
//! A browser names the page that sends a request in `Origin`, and a page can name any address it likes as ours (DNS
//! rebinding), so both are looked at before anything else. Programs send no `Origin` and are let through. Tokens are another
//! module's: [`super::Access`].
//!
//! | | `Origin` absent | loopback | listed, or `*` listed | anything else |
//! |---|---|---|---|---|
//! | local | yes | yes | yes | no |
//! | deployed | yes | no | yes | no |
//!
//! Locally `Host` must be a loopback name or listed. Deployed it is not looked at: it is the front door's business.

use http::HeaderMap;

use super::access::Access;

/// Where an endpoint stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the machine of the person who asks.
    Local,
    /// On the internet, behind a front door.
    Deployed,
}

/// Which requests an endpoint takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Where the endpoint stands.
    pub place: Place,
    /// Origins beside the obvious ones, as `https://host[:port]`; `*` allows every one.
    pub allowed_origins: Vec<String>,
    /// Host names beside the loopback ones, without a port; `*` allows every one. Local only.
    pub allowed_hosts: Vec<String>,
    /// Longest request body, after decompression.
    pub request_bytes: usize,
    /// Which tokens are known.
    pub access: Access,
}

/// Longest request body unless a site says otherwise.
pub(super) const REQUEST_BYTES: usize = 64 * 1024;

impl Policy {
    /// For one's own machine: loopback origins and host names.
    pub fn local() -> Policy {
        Policy {
            place: Place::Local,
            allowed_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            request_bytes: REQUEST_BYTES,
            access: Access::default(),
        }
    }

    /// For a site whose pages live at `origin`.
    pub fn deployed(origin: &str) -> Policy {
        Policy {
            place: Place::Deployed,
            allowed_origins: vec![origin.to_owned()],
            ..Policy::local()
        }
    }

    /// Whether a request with these headers may be looked at further.
    pub(super) fn admits(&self, headers: &HeaderMap) -> Result<(), Stranger> {
        let mut origins = headers.get_all("origin").iter();
        if let Some(origin) = origins.next() {
            let known = origin.to_str().is_ok_and(|origin| self.knows(origin));
            if !known || origins.next().is_some() {
                return Err(Stranger::Origin);
            }
        }
        if self.place == Place::Local {
            let mut hosts = headers.get_all("host").iter();
            if let Some(host) = hosts.next() {
                let known = host.to_str().is_ok_and(|host| self.answers_to(host));
                if !known || hosts.next().is_some() {
                    return Err(Stranger::Host);
                }
            }
        }
        Ok(())
    }

    fn knows(&self, origin: &str) -> bool {
        let loopback = || {
            self.place == Place::Local
                && without_scheme(origin).is_some_and(|authority| is_loopback(host_of(authority)))
        };
        loopback()
            || self
                .allowed_origins
                .iter()
                .any(|allowed| allowed == "*" || same_origin(allowed, origin))
    }

    fn answers_to(&self, host: &str) -> bool {
        let name = host_of(host);
        is_loopback(name)
            || self
                .allowed_hosts
                .iter()
                .any(|allowed| allowed == "*" || host_of(allowed).eq_ignore_ascii_case(name))
    }
}

/// Which header did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stranger {
    Origin,
    Host,
}

fn without_scheme(origin: &str) -> Option<&str> {
    strip_prefix_ignoring_case(origin, "http://")
        .or_else(|| strip_prefix_ignoring_case(origin, "https://"))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

/// The name in `name`, `name:port`, `[v6]` or `[v6]:port`.
pub(super) fn host_of(authority: &str) -> &str {
    if authority.starts_with('[') {
        return authority
            .find(']')
            .map_or(authority, |end| &authority[..=end]);
    }
    match authority.split_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        // More than a port behind the colon: no name that anybody listed.
        _ => authority,
    }
}

pub(super) fn is_loopback(host: &str) -> bool {
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    if let Some(v6) = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
        return v6
            .parse::<std::net::Ipv6Addr>()
            .is_ok_and(|ip| ip.is_loopback());
    }
    host.parse::<std::net::Ipv4Addr>()
        .is_ok_and(|ip| ip.is_loopback())
}

/// Compares a listed origin, as a person wrote it, with one that a browser sent.
fn same_origin(listed: &str, sent: &str) -> bool {
    plain(listed.strip_suffix('/').unwrap_or(listed)).eq_ignore_ascii_case(plain(sent))
}

/// An origin without the port that its scheme implies.
fn plain(origin: &str) -> &str {
    let default_port = match strip_prefix_ignoring_case(origin, "https://") {
        Some(_) => ":443",
        None => ":80",
    };
    origin.strip_suffix(default_port).unwrap_or(origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn admits(policy: &Policy, pairs: &[(&'static str, &str)]) -> Result<(), Stranger> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).expect("a value"));
        }
        policy.admits(&headers)
    }

    fn local_with(origin: &str, host: &str) -> Policy {
        Policy {
            allowed_origins: vec![origin.to_owned()],
            allowed_hosts: vec![host.to_owned()],
            ..Policy::local()
        }
    }

    #[test]
    fn local_origins() {
        let policy = local_with("https://site.dev/", "box.lan");
        for origin in [
            "http://localhost",
            "http://localhost:8080",
            "HTTP://LocalHost:1",
            "https://127.0.0.1:6274",
            "http://127.8.8.8",
            "http://[::1]:3000",
            "https://site.dev",
            "https://SITE.dev:443",
        ] {
            assert_eq!(admits(&policy, &[("origin", origin)]), Ok(()), "{origin}");
        }
        for origin in [
            "",
            "null",
            "localhost",
            "http://evil.example.com",
            "http://localhost.evil.example",
            "http://localhost:8080@evil.example",
            "http://127.0.0.1.evil.example",
            "http://[::1",
            "http://[::2]",
            "http://0.0.0.0",
            "ftp://localhost",
            "http://site.dev",
            "https://site.dev:8443",
            "https://site.dev/",
            "https://site.dev.evil.example",
            "https://site.dev, https://site.dev",
            "é",
        ] {
            let got = admits(&policy, &[("origin", origin)]);
            assert_eq!(got, Err(Stranger::Origin), "{origin}");
        }
        let twice = [
            ("origin", "http://localhost"),
            ("origin", "http://localhost"),
        ];
        assert_eq!(admits(&policy, &twice), Err(Stranger::Origin));
    }

    #[test]
    fn local_hosts() {
        let policy = local_with("https://site.dev", "box.lan");
        for host in ["localhost:8787", "127.0.0.1", "[::1]:8787", "BOX.lan:80"] {
            assert_eq!(admits(&policy, &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "evil.example.com",
            "evil.example.com:8787",
            "",
            "box.lan:x",
            "::1",
        ] {
            let got = admits(&policy, &[("host", host)]);
            assert_eq!(got, Err(Stranger::Host), "{host}");
        }
        assert_eq!(admits(&policy, &[]), Ok(()), "no browser leaves out Host");
        assert_eq!(admits(&local_with("", "*"), &[("host", "any")]), Ok(()));
    }

    #[test]
    fn deployed() {
        let policy = Policy::deployed("https://site.dev");
        let cases = [
            (vec![], Ok(())),
            (vec![("origin", "https://site.dev")], Ok(())),
            (vec![("host", "id.execute-api.example")], Ok(())),
            (
                vec![("origin", "http://localhost:8080")],
                Err(Stranger::Origin),
            ),
            (vec![("origin", "https://other.dev")], Err(Stranger::Origin)),
        ];
        for (headers, expected) in cases {
            assert_eq!(admits(&policy, &headers), expected, "{headers:?}");
        }
        let open = Policy::deployed("*");
        assert_eq!(admits(&open, &[("origin", "https://other.dev")]), Ok(()));
        assert_eq!(admits(&open, &[("origin", "null")]), Ok(()));
    }
}
