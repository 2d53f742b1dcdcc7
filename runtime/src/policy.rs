//! Who may ask, as the artifact says and as whoever runs the server adds.

use artifact::format::Site;
use artifact::route::Address;

use crate::mcp::{Access, Place, Policy, TokenDigest};

/// The policy for serving a site at `place`, with origins and host names beside those of the site's settings.
///
/// Deployed, the pages of the site itself may ask; on one's own machine loopback pages may, and the endpoint says so itself.
pub fn policy(site: &Site<'_>, place: Place, origins: &[String], hosts: &[String]) -> Policy {
    let own = match place {
        Place::Deployed => Address::parse(site.url, site.trailing_slash).ok(),
        Place::Local => None,
    };
    let own = own.as_ref().map(Address::origin);
    let join = |settings: &[&str], more: &[String]| {
        let settings = settings.iter().map(|item| (*item).to_owned());
        settings.chain(more.iter().cloned()).collect::<Vec<_>>()
    };
    let mut allowed_origins = join(&site.allowed_origins, origins);
    allowed_origins.extend(own.map(str::to_owned));
    Policy {
        place,
        allowed_origins,
        allowed_hosts: join(&site.allowed_hosts, hosts),
        request_bytes: site.request_bytes as usize,
        access: Access::default(),
    }
}

/// Which tokens are known: those of the site's settings, and more `digests` of whoever runs the server.
///
/// # Errors
/// [`BadDigest`]: one of them is no SHA-256.
pub fn access(site: &Site<'_>, digests: &[String]) -> Result<Access, BadDigest> {
    let more = digests.iter().map(String::as_str);
    let all = site.token_sha256.iter().copied().chain(more);
    let digests: Option<Vec<TokenDigest>> = all.map(TokenDigest::parse).collect();
    let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    let mut access = Access::of(digests.ok_or(BadDigest)?);
    access.demanded = site.token_demanded;
    access.authorization_servers = texts(&site.authorization_servers);
    access.resource = site.endpoint.map(str::to_owned);
    Ok(access)
}

/// What should be the SHA-256 of a token is none. It is not repeated: it may be the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadDigest;

impl std::fmt::Display for BadDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "a token is given as its SHA-256, 64 hexadecimal digits, and something else came\n  \
             help: `builder token` prints a new token with its digest",
        )
    }
}

impl std::error::Error for BadDigest {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_additions_join() {
        let site = Site {
            url: "https://x.dev/docs",
            allowed_origins: vec!["https://y.dev"],
            allowed_hosts: vec!["box.lan"],
            request_bytes: 1000,
            ..Site::default()
        };
        let more = ["https://z.dev".to_owned()];
        let deployed = policy(&site, Place::Deployed, &more, &[]);
        let expected = Policy {
            place: Place::Deployed,
            allowed_origins: ["https://y.dev", "https://z.dev", "https://x.dev"]
                .map(str::to_owned)
                .to_vec(),
            allowed_hosts: vec!["box.lan".to_owned()],
            request_bytes: 1000,
            access: Access::default(),
        };
        assert_eq!(deployed, expected);
        let local = policy(&site, Place::Local, &[], &[]);
        assert_eq!(local.allowed_origins, ["https://y.dev"]);
    }

    #[test]
    fn tokens_of_the_settings_and_of_the_environment_are_known() {
        let (one, other) = ("0a".repeat(32), "0B".repeat(32));
        let site = Site {
            token_sha256: vec![&one],
            token_demanded: true,
            ..Site::default()
        };
        let known = access(&site, std::slice::from_ref(&other)).expect("digests");
        let digests = [&one, &other].map(|text| TokenDigest::parse(text).expect("a digest"));
        let mut expected = Access::of(digests);
        expected.demanded = true;
        assert_eq!(known, expected);
        assert!(!Access::default().takes_tokens() && known.takes_tokens());
        assert_eq!(access(&site, &["s3cret".to_owned()]), Err(BadDigest));
    }
}
