//! Who may ask, as the artifact says and as whoever runs the server adds.

use artifact::format::Site;
use artifact::route::Address;

use crate::mcp::{Place, Policy};

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
    }
}

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
        };
        assert_eq!(deployed, expected);
        let local = policy(&site, Place::Local, &[], &[]);
        assert_eq!(local.allowed_origins, ["https://y.dev"]);
    }
}
