//! The results that never change, made into bytes once.
//!
//! `tools/list` is asked by every client at every start and is by far the longest answer of the protocol itself; with
//! this a request for it costs one copy. Everything here is a function of the tools, not of the request.

use super::era;
use super::mirrored::Mirrored;
use super::reply::string;
use super::tools::{Identity, Tools};

/// How long a client may keep `server/discover` and `tools/list`: five minutes. Both change only when the site is
/// deployed again, and a description that is five minutes old still calls the right tool.
const TTL_MS: &str = "300000";

/// Results of methods, or the parts that every result has.
#[derive(Debug)]
pub(super) struct Prepared {
    /// Follows the version in the result of `initialize`.
    pub(super) initialize_tail: Vec<u8>,
    /// Result of `server/discover`.
    pub(super) discover: Vec<u8>,
    /// Result of `tools/list` before [`MODERN`].
    pub(super) legacy_list: Vec<u8>,
    /// Result of `tools/list`.
    pub(super) modern_list: Vec<u8>,
    /// The last members of every modern result, from the comma on, without the closing brace.
    pub(super) modern_tail: Vec<u8>,
    /// Arguments that are repeated in headers.
    pub(super) mirrored: Mirrored,
}

impl Prepared {
    /// `takes_tokens` says whether what is listed may depend on who asks, so that no cache keeps it for others.
    pub(super) fn new(tools: &impl Tools, takes_tokens: bool) -> Prepared {
        let server = implementation(tools.identity());
        let instructions = tools.instructions().map(|text| {
            let mut member = br#","instructions":"#.to_vec();
            string(&mut member, text);
            member
        });
        let instructions = instructions.as_deref().unwrap_or_default();

        let modern_tail = [
            br#","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":"#,
            server.as_slice(),
            b"}",
        ]
        .concat();
        let scope = match takes_tokens {
            true => "private",
            false => "public",
        };
        let cached = format!(r#","ttlMs":{TTL_MS},"cacheScope":"{scope}""#).into_bytes();
        let versions = era::revisions();
        let capabilities = br#""capabilities":{"tools":{}}"#.as_slice();

        Prepared {
            initialize_tail: [
                b",",
                capabilities,
                br#","serverInfo":"#,
                &server,
                instructions,
                b"}",
            ]
            .concat(),
            discover: [
                br#"{"supportedVersions":"#,
                versions.as_bytes(),
                b",",
                capabilities,
                instructions,
                &cached,
                &modern_tail,
                b"}",
            ]
            .concat(),
            legacy_list: [br#"{"tools":"#, tools.list(), b"}"].concat(),
            modern_list: [br#"{"tools":"#, tools.list(), &cached, &modern_tail, b"}"].concat(),
            modern_tail,
            mirrored: Mirrored::new(tools.list()),
        }
    }
}

/// The protocol's `Implementation` object; absent facts are absent members.
fn implementation(identity: &Identity) -> Vec<u8> {
    let members = [
        ("name", Some(&identity.name)),
        ("title", identity.title.as_ref()),
        ("version", Some(&identity.version)),
        ("description", identity.description.as_ref()),
        ("websiteUrl", identity.website_url.as_ref()),
    ];
    let mut out = b"{".to_vec();
    for (name, value) in members {
        let Some(value) = value else { continue };
        if out.len() > 1 {
            out.push(b',');
        }
        string(&mut out, name);
        out.push(b':');
        string(&mut out, value);
    }
    out.push(b'}');
    out
}
