//! Who may see which view of a site: bearer tokens.
//!
//! A site may have private collections. What is served then is two views, made apart from each other at build time: the public one,
//! which holds nothing private, and the full one. A request with a known token is answered from the full view and every other from the
//! public view, so that nothing in a tool can forget to ask. A wrong token counts as none: the answer does not tell that there is anything to see.
//!
//! A server may also demand a token for everything. Then a request without a known one is refused with 401 by its head alone.
//!
//! A token is known by its SHA-256. What came is hashed and compared with every digest in constant time, whatever came before, so that time tells nothing.
//!
//! ```text
//! Authorization: Bearer 3Jx…   known     full view
//! Authorization: Bearer oops   unknown   public view, or 401 error="invalid_token" where a token is demanded
//! (nothing)                              public view, or 401 where a token is demanded
//! ```

use std::fmt;

use http::HeaderMap;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// Longest token that is looked at, in bytes. Ours have 43; those of authorization servers may be a page long.
const TOKEN_BYTES: usize = 4096;

/// Which tokens are known, and what is done without one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    digests: Vec<TokenDigest>,
    /// Whether every request needs a known token.
    pub demanded: bool,
    /// Issuers of tokens, as absolute addresses, for protected resource metadata (RFC 9728). Empty: there is no such document.
    pub authorization_servers: Vec<String>,
    /// The endpoint's own address as clients know it. `None`: it is taken from the `Host` of the request.
    pub resource: Option<String>,
}

/// The SHA-256 of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// Reads 64 hexadecimal digits of any case.
    ///
    /// ```
    /// use runtime::mcp::TokenDigest;
    ///
    /// assert!(TokenDigest::parse(&"0a".repeat(32)).is_some());
    /// assert!(TokenDigest::parse("0a").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<TokenDigest> {
        let text = text.as_bytes();
        let mut digest = [0; 32];
        if text.len() != 2 * digest.len() {
            return None;
        }
        for (byte, pair) in digest.iter_mut().zip(text.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            *byte = (high << 4 | low) as u8;
        }
        Some(TokenDigest(digest))
    }

    /// The digest of a token.
    pub fn of(token: &str) -> TokenDigest {
        TokenDigest(Sha256::digest(token.as_bytes()).into())
    }
}

impl fmt::Display for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a request may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grant {
    /// What everybody may see.
    Public,
    /// Everything.
    Full,
}

/// Why a request gets nothing where a token is demanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denial {
    /// It named no token.
    Missing,
    /// It named one that is not known, or none that can be read.
    Wrong,
}

impl Access {
    /// The tokens with these digests are known.
    pub fn of(digests: impl IntoIterator<Item = TokenDigest>) -> Access {
        Access {
            digests: digests.into_iter().collect(),
            ..Access::default()
        }
    }

    /// Whether an answer may depend on a token. It follows from the settings alone, not from whether there is anything private.
    pub fn takes_tokens(&self) -> bool {
        self.demanded || !self.digests.is_empty()
    }

    /// What a request with these headers may see.
    pub(super) fn grant(&self, headers: &HeaderMap) -> Result<Grant, Denial> {
        let credential = Credential::read(headers);
        let token = match credential {
            Credential::Token(token) => token,
            Credential::None | Credential::Unreadable => "",
        };
        // Hashed and compared in any case.
        let is_known = self.knows(token) & Choice::from(u8::from(!token.is_empty()));
        match (bool::from(is_known), self.demanded) {
            (true, _) => Ok(Grant::Full),
            (false, false) => Ok(Grant::Public),
            (false, true) => Err(match credential {
                Credential::None => Denial::Missing,
                _ => Denial::Wrong,
            }),
        }
    }

    fn knows(&self, token: &str) -> Choice {
        let TokenDigest(came) = TokenDigest::of(token);
        let known = self.digests.iter().map(|digest| digest.0.ct_eq(&came));
        known.fold(Choice::from(0), |any, one| any | one)
    }

    /// The value of `WWW-Authenticate` for a refused request. Nothing of the request but its host is in it.
    pub(super) fn challenge(&self, denial: Denial, headers: &HeaderMap) -> String {
        let mut value = r#"Bearer realm="mcp""#.to_owned();
        if denial == Denial::Wrong {
            value
                .push_str(r#", error="invalid_token", error_description="the token is not known""#);
        }
        if let (false, Some(resource)) = (
            self.authorization_servers.is_empty(),
            self.resource(headers, "/mcp"),
        ) {
            value.push_str(&format!(
                r#", resource_metadata="{}""#,
                metadata_url(&resource)
            ));
        }
        value
    }

    /// The protected resource metadata (RFC 9728) of the endpoint at `path`, where there are authorization servers.
    pub(super) fn metadata(&self, headers: &HeaderMap, path: &str) -> Option<Vec<u8>> {
        if self.authorization_servers.is_empty() {
            return None;
        }
        let metadata = serde_json::json!({
            "resource": self.resource(headers, path)?,
            "authorization_servers": self.authorization_servers,
            "bearer_methods_supported": ["header"],
        });
        Some(metadata.to_string().into_bytes())
    }

    /// The endpoint's address: the configured one, else the host that was asked and `path`.
    fn resource(&self, headers: &HeaderMap, path: &str) -> Option<String> {
        if let Some(resource) = &self.resource {
            return Some(resource.clone());
        }
        let host = headers.get("host")?.to_str().ok()?;
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        if host.is_empty() || !host.bytes().all(is_host) {
            return None;
        }
        let scheme = match super::origin::is_loopback(super::origin::host_of(host)) {
            true => "http",
            false => "https",
        };
        Some(format!("{scheme}://{host}{path}"))
    }
}

/// Where RFC 9728 puts the metadata of a resource: its path stands behind the well-known one.
fn metadata_url(resource: &str) -> String {
    let after_scheme = resource.find("://").map_or(0, |at| at + 3);
    let end = resource[after_scheme..]
        .find('/')
        .map_or(resource.len(), |at| after_scheme + at);
    format!("{}{METADATA_PATH}{}", &resource[..end], &resource[end..])
}

/// The path of protected resource metadata.
pub(super) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

/// What `Authorization` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Credential<'a> {
    /// Nothing, or something of another scheme.
    None,
    /// A token of the form that RFC 6750 has.
    Token(&'a str),
    /// Several headers, or something after `Bearer` that is no token.
    Unreadable,
}

impl<'a> Credential<'a> {
    /// The scheme is of any case, and any number of spaces may follow it. A token is one run of `b64token`, so a comma
    /// that joins two headers makes it none.
    fn read(headers: &'a HeaderMap) -> Credential<'a> {
        let mut values = headers.get_all("authorization").iter();
        let Some(value) = values.next() else {
            return Credential::None;
        };
        let (Ok(value), None) = (value.to_str(), values.next()) else {
            return Credential::Unreadable;
        };
        let value = value.trim_matches([' ', '\t']);
        let (scheme, token) = value.split_once([' ', '\t']).unwrap_or((value, ""));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Credential::None;
        }
        let token = token.trim_start_matches([' ', '\t']);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        match (1..=TOKEN_BYTES).contains(&token.len()) && token.bytes().all(is_part) {
            true => Credential::Token(token),
            false => Credential::Unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("authorization", http::HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_known_token_opens_and_anything_else_does_not() {
        let digest = TokenDigest::of("s3cret-Token_1");
        let open = Access::of([TokenDigest::of("other"), digest]);
        let demanding = Access {
            demanded: true,
            ..open.clone()
        };
        let cases: &[(&[&'static str], Result<Grant, Denial>)] = &[
            (&["Bearer s3cret-Token_1"], Ok(Grant::Full)),
            (&["bearer s3cret-Token_1"], Ok(Grant::Full)),
            (&["  BEARER \t  s3cret-Token_1 "], Ok(Grant::Full)),
            (&["Bearer other"], Ok(Grant::Full)),
            (&[], Err(Denial::Missing)),
            (&[""], Err(Denial::Missing)),
            (&["Basic s3cret-Token_1"], Err(Denial::Missing)),
            (&["s3cret-Token_1"], Err(Denial::Missing)),
            (&["Bearer"], Err(Denial::Wrong)),
            (&["Bearer "], Err(Denial::Wrong)),
            (&["Bearers3cret-Token_1"], Err(Denial::Missing)),
            (&["Bearer s3cret-Token_1 x"], Err(Denial::Wrong)),
            (&["Bearer s3cret-token_1"], Err(Denial::Wrong)),
            (
                &["Bearer s3cret-Token_1,Bearer s3cret-Token_1"],
                Err(Denial::Wrong),
            ),
            (
                &["Bearer s3cret-Token_1", "Bearer s3cret-Token_1"],
                Err(Denial::Wrong),
            ),
            (&["Bearer s3cret-Token_1", ""], Err(Denial::Wrong)),
        ];
        for (values, expected) in cases {
            let headers = headers(values);
            assert_eq!(demanding.grant(&headers), *expected, "{values:?}");
            let public = expected.or(Ok(Grant::Public));
            assert_eq!(open.grant(&headers), public, "{values:?}");
        }
        // Without digests nothing is known, the digest of nothing least of all.
        let none = Access::of([TokenDigest::of("")]);
        assert_eq!(none.grant(&headers(&["Bearer "])), Ok(Grant::Public));
        assert_eq!(none.grant(&headers(&[])), Ok(Grant::Public));
    }

    #[test]
    fn a_token_of_odd_length_or_bytes_is_none() {
        let long = format!("Bearer {}", "a".repeat(TOKEN_BYTES + 1));
        let mut map = HeaderMap::new();
        map.insert("authorization", long.parse().expect("a value"));
        assert_eq!(Credential::read(&map), Credential::Unreadable);
        let bytes = http::HeaderValue::from_bytes(b"Bearer \xff").expect("a value");
        map.insert("authorization", bytes);
        assert_eq!(Credential::read(&map), Credential::Unreadable);
    }

    #[test]
    fn digests_are_written_as_they_are_read() {
        let text = TokenDigest::of("abc").to_string();
        let sha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(text, sha);
        assert_eq!(
            TokenDigest::parse(&sha.to_uppercase()),
            TokenDigest::parse(sha)
        );
        for wrong in [
            "",
            "ba",
            &sha[1..],
            &sha.replace('b', "g"),
            "é".repeat(32).as_str(),
        ] {
            assert_eq!(TokenDigest::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn metadata_stands_where_rfc_9728_puts_it() {
        let cases = [
            (
                "https://x.dev/mcp",
                "https://x.dev/.well-known/oauth-protected-resource/mcp",
            ),
            (
                "https://x.dev",
                "https://x.dev/.well-known/oauth-protected-resource",
            ),
        ];
        for (resource, expected) in cases {
            assert_eq!(metadata_url(resource), expected);
        }
    }

    #[test]
    fn a_host_that_is_no_host_is_not_repeated() {
        let access = Access {
            authorization_servers: vec!["https://login.example".to_owned()],
            ..Access::default()
        };
        let mut map = HeaderMap::new();
        map.insert("host", http::HeaderValue::from_static("x\", evil=\"y"));
        assert_eq!(
            access.challenge(Denial::Missing, &map),
            r#"Bearer realm="mcp""#
        );
        assert_eq!(access.metadata(&map, "/mcp"), None);
        map.insert("host", http::HeaderValue::from_static("x.dev"));
        assert_eq!(
            access.challenge(Denial::Missing, &map),
            r#"Bearer realm="mcp", resource_metadata="https://x.dev/.well-known/oauth-protected-resource/mcp""#
        );
    }
}
