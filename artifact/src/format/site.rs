//! What the site says of itself, as the runtime needs it.
//!
//! A run of length-prefixed texts in the order of the fields below; an optional text that is absent is written as an
//! empty one, numbers as varints, a list as its length and its items.

use super::bytes::{Cursor, put_text, put_varint};
use super::error::Error;
use super::header::Section;
use crate::text::{Analyzers, Language};

/// The facts of a site. Texts borrow from the artifact when read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site<'a> {
    /// The site's title.
    pub title: &'a str,
    /// The site's absolute address with its base path, as configured.
    pub url: &'a str,
    /// One sentence about the site.
    pub description: Option<&'a str>,
    /// Who writes the site, where pages do not say.
    pub author: Option<&'a str>,
    /// The language of the site, a BCP 47 tag such as `en`.
    pub language: &'a str,
    /// The other languages that documents are in, as codes of [`crate::text::Language`]; an empty one stands for all those without a stemmer.
    pub languages: Vec<&'a str>,
    /// Whether public addresses end in a slash.
    pub trailing_slash: bool,
    /// The server's name in MCP.
    pub server_name: &'a str,
    /// The server's title in MCP.
    pub server_title: Option<&'a str>,
    /// The server's version in MCP.
    pub server_version: &'a str,
    /// What a client may tell its model about the server.
    pub instructions: Option<&'a str>,
    /// Origins, beside the site's own, whose pages may call the endpoint; `*` for all.
    pub allowed_origins: Vec<&'a str>,
    /// Host names under which the endpoint may be called, beside the loopback names.
    pub allowed_hosts: Vec<&'a str>,
    /// Whether the table of synonyms for the language is used.
    pub language_synonyms: bool,
    /// The site's own synonyms, compiled by [`crate::text::synonyms::compile`].
    pub synonyms: &'a str,
    /// Whether the site takes feedback.
    pub feedback: bool,
    /// Characters of markdown that one answer shows at most.
    pub markdown_chars: u32,
    /// Bytes that one answer has at most.
    pub answer_bytes: u32,
    /// Bytes that one request has at most.
    pub request_bytes: u32,
    /// The SHA-256 of each token that is known, as 64 hexadecimal digits.
    pub token_sha256: Vec<&'a str>,
    /// Whether every request needs a known token.
    pub token_demanded: bool,
    /// Who issues tokens, as absolute addresses.
    pub authorization_servers: Vec<&'a str>,
    /// The address of the MCP endpoint as clients are given it.
    pub endpoint: Option<&'a str>,
}

impl Site<'_> {
    /// The analyzers of the site's languages: the place of a page's language is that of its analyzer.
    pub fn analyzers(&self) -> Analyzers {
        let others = self.languages.iter().map(|code| Language::of(code));
        Analyzers::new(Language::of(self.language), others)
    }
}

/// Writes the section.
pub fn write(site: &Site) -> Vec<u8> {
    let mut out = Vec::new();
    for text in [
        site.title,
        site.url,
        site.description.unwrap_or_default(),
        site.author.unwrap_or_default(),
        site.language,
        site.server_name,
        site.server_title.unwrap_or_default(),
        site.server_version,
        site.instructions.unwrap_or_default(),
        site.synonyms,
        site.endpoint.unwrap_or_default(),
    ] {
        put_text(&mut out, text);
    }
    for list in [
        &site.allowed_origins,
        &site.allowed_hosts,
        &site.languages,
        &site.token_sha256,
        &site.authorization_servers,
    ] {
        put_varint(&mut out, list.len() as u32);
        list.iter().for_each(|item| put_text(&mut out, item));
    }
    out.push(
        u8::from(site.trailing_slash)
            | u8::from(site.feedback) << 1
            | u8::from(site.language_synonyms) << 2
            | u8::from(site.token_demanded) << 3,
    );
    for number in [site.markdown_chars, site.answer_bytes, site.request_bytes] {
        put_varint(&mut out, number);
    }
    out
}

/// Reads the section.
///
/// # Errors
/// [`Error::Damaged`].
pub fn read(bytes: &[u8]) -> Result<Site<'_>, Error> {
    read_fields(&mut Cursor::new(bytes)).ok_or(Error::Damaged(Section::Site))
}

fn read_fields<'a>(cursor: &mut Cursor<'a>) -> Option<Site<'a>> {
    let mut site = Site {
        title: cursor.text()?,
        url: cursor.text()?,
        ..Site::default()
    };
    site.description = optional(cursor.text()?);
    site.author = optional(cursor.text()?);
    site.language = cursor.text()?;
    site.server_name = cursor.text()?;
    site.server_title = optional(cursor.text()?);
    site.server_version = cursor.text()?;
    site.instructions = optional(cursor.text()?);
    site.synonyms = cursor.text()?;
    site.endpoint = optional(cursor.text()?);
    site.allowed_origins = (0..cursor.varint()?).map_while(|_| cursor.text()).collect();
    site.allowed_hosts = (0..cursor.varint()?).map_while(|_| cursor.text()).collect();
    site.languages = (0..cursor.varint()?).map_while(|_| cursor.text()).collect();
    site.token_sha256 = (0..cursor.varint()?).map_while(|_| cursor.text()).collect();
    site.authorization_servers = (0..cursor.varint()?).map_while(|_| cursor.text()).collect();
    let flags = cursor.byte()?;
    site.trailing_slash = flags & 1 != 0;
    site.feedback = flags & 2 != 0;
    site.language_synonyms = flags & 4 != 0;
    site.token_demanded = flags & 8 != 0;
    site.markdown_chars = cursor.varint()?;
    site.answer_bytes = cursor.varint()?;
    site.request_bytes = cursor.varint()?;
    cursor.rest().is_empty().then_some(site)
}

fn optional(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_come_back() {
        let site = Site {
            title: "Shelf",
            url: "https://x.dev/docs",
            language: "en",
            instructions: Some("Start with search."),
            allowed_origins: vec!["https://a.dev", "*"],
            languages: vec!["", "de"],
            feedback: true,
            language_synonyms: true,
            synonyms: "k8s\t=kubernet\n",
            markdown_chars: 24_000,
            token_sha256: vec!["00ff", "abcd"],
            token_demanded: true,
            authorization_servers: vec!["https://login.dev"],
            endpoint: Some("https://mcp.dev/mcp"),
            ..Site::default()
        };
        let bytes = write(&site);
        assert_eq!(read(&bytes).unwrap(), site);
        assert_eq!(read(&bytes[1..]), Err(Error::Damaged(Section::Site)));
    }
}
