//! The files by which clients and registries find the MCP server without being told its address.
//!
//! | file | read by | format |
//! |---|---|---|
//! | `.well-known/ai-catalog.json` | clients that know only the site's domain | AI Catalog 1.0, as the MCP server card extension uses it |
//! | `.well-known/mcp/server-card.json` | clients, before they connect | MCP server card v1 (SEP-2127) |
//! | `.well-known/mcp/server.json` | `mcp-publisher`, which puts a server into the MCP registry | `server.json` of 2025-12-11 |
//!
//! The server has the card as well, at `ENDPOINT/server-card`, where SEP-2127 looks for it. The catalog names the card, and the card the endpoint. Without `server.url` there is no endpoint to name and none of them is written. The tools are in
//! none of them: a client asks the server.

use artifact::clean::one_line;
use runtime::mcp::REVISIONS;
use serde::Serialize;

use super::File;
use crate::assemble::Assembly;
use crate::config::names::is_registry_name;

const CARD: &str = ".well-known/mcp/server-card.json";
const CARD_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const REGISTRY_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// Characters of a description and a title in both formats.
const SHORT: usize = 100;

#[derive(Serialize)]
struct Catalog<'a> {
    #[serde(rename = "specVersion")]
    version: &'static str,
    host: Host<'a>,
    entries: [Entry<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Host<'a> {
    display_name: &'a str,
    documentation_url: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    identifier: String,
    display_name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    url: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Server<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: &'a str,
    title: &'a str,
    description: &'a str,
    version: &'a str,
    website_url: &'a str,
    remotes: [Remote<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Remote<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    url: &'a str,
    /// A registry has no place for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    supported_protocol_versions: Option<&'static [&'static str]>,
}

/// What the three files say.
struct Facts<'a> {
    url: &'a str,
    name: String,
    title: String,
    description: String,
    version: String,
    website: String,
}

impl<'a> Facts<'a> {
    /// Nothing where the settings do not name the endpoint.
    fn of(assembly: &'a Assembly) -> Option<Facts<'a>> {
        let settings = &assembly.site.settings;
        let url = settings.server.url.as_deref()?;
        let address = &settings.address;
        let name = settings
            .server
            .registry_name
            .clone()
            .unwrap_or_else(|| registry_name(host(address.origin()), &settings.server.name));
        let given = settings
            .server
            .title
            .as_deref()
            .unwrap_or(&settings.site.title);
        let about = settings
            .site
            .description
            .as_deref()
            .filter(|text| !text.trim().is_empty());
        Some(Facts {
            url,
            name,
            title: shortened(given),
            description: match about {
                Some(text) => shortened(text),
                None => shortened(&format!("Searches and reads {given}")),
            },
            version: one_line(&settings.server.version).into_owned(),
            website: address.url("/"),
        })
    }

    fn server(
        &self,
        schema: &'static str,
        versions: Option<&'static [&'static str]>,
    ) -> Server<'_> {
        Server {
            schema,
            name: &self.name,
            title: &self.title,
            description: &self.description,
            version: &self.version,
            website_url: &self.website,
            remotes: [Remote {
                kind: "streamable-http",
                url: self.url,
                supported_protocol_versions: versions,
            }],
        }
    }
}

/// The card alone, for the server itself to hand out beside its endpoint.
pub(crate) fn card(assembly: &Assembly) -> Option<String> {
    let facts = Facts::of(assembly)?;
    Some(json(&facts.server(CARD_SCHEMA, Some(&REVISIONS))))
}

/// The three files, or none.
pub(super) fn files(assembly: &Assembly) -> Vec<File> {
    let Some(facts) = Facts::of(assembly) else {
        return Vec::new();
    };
    let address = &assembly.site.settings.address;
    let host = host(address.origin());
    let own = facts.name.rsplit('/').next().unwrap_or_default();
    let catalog = Catalog {
        version: "1.0",
        host: Host {
            display_name: &facts.title,
            documentation_url: &facts.website,
        },
        entries: [Entry {
            identifier: format!("urn:air:{host}:mcp:{own}"),
            display_name: &facts.title,
            kind: "application/mcp-server-card+json",
            url: address.file_url(CARD),
        }],
    };
    vec![
        File::public(".well-known/ai-catalog.json", json(&catalog)),
        File::public(CARD, json(&facts.server(CARD_SCHEMA, Some(&REVISIONS)))),
        File::public(
            ".well-known/mcp/server.json",
            json(&facts.server(REGISTRY_SCHEMA, None)),
        ),
    ]
}

fn json(value: &impl Serialize) -> String {
    let text =
        serde_json::to_string_pretty(value).expect("the keys are texts and the values are plain");
    text + "\n"
}

/// The host of an origin, without its port.
fn host(origin: &str) -> &str {
    let authority = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    match authority.starts_with('[') {
        true => authority,
        false => authority.split(':').next().unwrap_or_default(),
    }
}

/// `org.example.docs/tides` for `docs.example.org` and `tides`. A host that is no name is `localhost`.
fn registry_name(host: &str, server: &str) -> String {
    let reversed: Vec<&str> = host.rsplit('.').collect();
    let name: String = server
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) {
                c
            } else {
                '-'
            }
        })
        .take(100)
        .collect();
    let name = if name.trim_matches('-').is_empty() {
        "site"
    } else {
        &name
    };
    let whole = format!("{}/{name}", reversed.join("."));
    match is_registry_name(&whole) {
        true => whole,
        false => format!("localhost/{name}"),
    }
}

/// One line of [`SHORT`] characters at most, cut between words.
fn shortened(text: &str) -> String {
    let text = one_line(text);
    let text = text.trim();
    if text.chars().count() <= SHORT {
        return text.to_owned();
    }
    let end = text
        .char_indices()
        .nth(SHORT - 1)
        .map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    let words = head
        .rfind(char::is_whitespace)
        .filter(|at| *at > 0)
        .map_or(head, |at| &head[..at]);
    format!("{}…", words.trim_end_matches([' ', ',', ';', ':', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_for_registries_is_the_host_in_reverse() {
        assert_eq!(
            registry_name("docs.example.org", "tides"),
            "org.example.docs/tides"
        );
        assert_eq!(
            registry_name("jane.github.io", "My docs"),
            "io.github.jane/My-docs"
        );
        assert_eq!(registry_name("[::1]", "x"), "localhost/x");
        assert_eq!(registry_name("example.org", "日本"), "org.example/site");
        assert_eq!(host("https://x.dev:8443"), "x.dev");
    }

    #[test]
    fn long_texts_are_cut_between_words_and_count_characters() {
        assert_eq!(
            shortened("Tides,\nand how to read them."),
            "Tides, and how to read them."
        );
        let long = shortened(&"wörter, ".repeat(40));
        assert!(
            long.chars().count() <= SHORT && long.ends_with("wörter…"),
            "{long}"
        );
        assert_eq!(shortened(&"x".repeat(300)).chars().count(), SHORT);
    }
}
