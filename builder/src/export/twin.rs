//! Each page's markdown twin, to be published beside the site's own page.
//!
//! A twin is the page's published markdown behind YAML front matter that says what the text alone does not. It is a function of the
//! [`Assembly`], so it can name only what is published. What a page does not have is an absent key.
//!
//! ```text
//! public/glossary/mcp.md      ---
//!                             title: "MCP"
//!                             url: "https://x.dev/glossary/mcp"
//!                             relatedPosts:
//!                               - title: "Two eras, one endpoint"
//!                                 url: "https://x.dev/writing/two-eras"
//!                             tags:
//!                               - title: "Protocol"
//!                                 url: "https://x.dev/tags/protocol"
//!                             ---
//!                             # MCP …
//! ```

use std::cmp::Reverse;
use std::fmt::Write as _;

use artifact::route::markdown_path;
use rayon::prelude::*;

use super::File;
use crate::assemble::{Assembly, NumberedPage};

/// Related posts that a twin names at most.
const MOST_RELATED: usize = 5;

/// The twin of every page, lists included, in the order of the pages.
pub(super) fn twins(assembly: &Assembly) -> Vec<File> {
    let posts = Posts::of(assembly);
    let counts = || vec![0u16; posts.pages.len()];
    let twins = assembly.pages.par_iter().enumerate();
    twins
        .map_init(counts, |counts, (number, page)| {
            let related = posts.related(assembly, number, counts);
            File::public(&markdown_path(&page.route), twin(assembly, page, &related))
        })
        .collect()
}

/// The posts of a site and who carries which tag.
struct Posts {
    /// Numbers of the posts, newest first. A post's place here is its rank.
    pages: Vec<u32>,
    /// The ranks of the posts that carry each tag.
    carriers: Vec<Vec<u32>>,
}

impl Posts {
    fn of(assembly: &Assembly) -> Posts {
        let is_post = |number: &u32| {
            let collection = assembly.pages[*number as usize].collection;
            collection.is_some_and(|place| assembly.collections[place].settings.posts)
        };
        let pages: Vec<u32> = assembly
            .newest_first
            .iter()
            .copied()
            .filter(is_post)
            .collect();
        let mut carriers = vec![Vec::new(); assembly.site.tags.len()];
        for (rank, number) in pages.iter().enumerate() {
            for tag in assembly.pages[*number as usize].tags() {
                carriers[*tag].push(rank as u32);
            }
        }
        Posts { pages, carriers }
    }

    /// The posts that share most tags with a page, then the newest. `counts` has a zero for each post, and has again after.
    fn related(&self, assembly: &Assembly, number: usize, counts: &mut [u16]) -> Vec<usize> {
        let mut sharing: Vec<u32> = Vec::new();
        for tag in assembly.pages[number].tags() {
            for rank in &self.carriers[*tag] {
                let count = &mut counts[*rank as usize];
                if *count == 0 {
                    sharing.push(*rank);
                }
                *count = count.saturating_add(1);
            }
        }
        let mut found: Vec<(Reverse<u16>, u32)> = sharing
            .iter()
            .filter(|rank| self.pages[**rank as usize] as usize != number)
            .map(|rank| (Reverse(counts[*rank as usize]), *rank))
            .collect();
        sharing.iter().for_each(|rank| counts[*rank as usize] = 0);
        if found.len() > MOST_RELATED {
            found.select_nth_unstable(MOST_RELATED);
            found.truncate(MOST_RELATED);
        }
        found.sort_unstable();
        let page = |(_, rank): (_, u32)| self.pages[rank as usize] as usize;
        found.into_iter().map(page).collect()
    }
}

/// A page's markdown with its front matter.
fn twin(assembly: &Assembly, page: &NumberedPage, related: &[usize]) -> String {
    let site = assembly.site;
    let address = &site.settings.address;
    let own = page.written().and_then(|page| page.author.as_deref());
    let author = own.or(site.settings.site.author.as_deref());
    let markdown = page.markdown();
    let mut out = String::with_capacity(markdown.len() + 512);
    out.push_str("---\n");
    key(&mut out, "title: ", &page.title);
    if let Some(description) = &page.description {
        key(&mut out, "description: ", description);
    }
    key(&mut out, "url: ", &address.url(&page.route));
    if let Some(author) = author {
        key(&mut out, "author: ", author);
    }
    let mut list = |name: &str, entries: &mut dyn Iterator<Item = (&str, &str)>| {
        for (place, (title, route)) in entries.enumerate() {
            if place == 0 {
                let _ = writeln!(out, "{name}:");
            }
            key(&mut out, "  - title: ", title);
            key(&mut out, "    url: ", &address.url(route));
        }
    };
    let related = related.iter().map(|number| &assembly.pages[*number]);
    list(
        "relatedPosts",
        &mut related.map(|post| (post.title.as_str(), post.route.as_str())),
    );
    let tags = page.tags().iter().map(|tag| {
        let page = assembly.tag_pages[*tag] as usize;
        (
            site.tags[*tag].title.as_str(),
            assembly.pages[page].route.as_str(),
        )
    });
    list("tags", &mut { tags });
    out.push_str("---\n\n");
    out.push_str(markdown.trim_start_matches('\n'));
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

pub(super) fn key(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    quoted(out, value);
    out.push('\n');
}

/// Writes text as a double-quoted scalar of YAML. Whatever a reader could take for a line break or could not see is escaped.
fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            // C0, DEL and C1: 0x9F at most, so two digits are enough.
            c if c.is_control() => {
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::{Scalar, Value, split};

    #[test]
    fn every_text_comes_back_from_its_quotes() {
        let texts = [
            "plain",
            "",
            "a: b # c",
            "\"q\" and \\ and 'x'",
            "tab\tline\nreturn\r",
            "nul\0del\u{7F}nel\u{85}",
            "\u{2028}\u{2029}\u{FEFF}\u{FFFE}",
            "C:\\new, 👩\u{200D}💻 и 日本",
            "--- ... *a &b !c %d @e `f",
        ];
        for text in texts {
            let mut yaml = String::from("---\ntitle: ");
            quoted(&mut yaml, text);
            yaml.push_str("\n---\n");
            let parts = split(&yaml, "a.md").expect("our own front matter");
            let [entry] = &parts.map[..] else {
                panic!("one key: {yaml}")
            };
            let expected = Value::Scalar {
                text: text.to_owned(),
                kind: Scalar::Text,
            };
            assert_eq!(entry.node.value, expected, "{yaml}");
        }
    }
}
