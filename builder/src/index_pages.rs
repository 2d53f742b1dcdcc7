//! The lists of links that stand where a site has no text of its own: its root, its archives, its tags.
//!
//! A site's own page at one of these routes is never replaced. Only published pages are listed, so a list cannot name what is hidden;
//! a collection or a tag of which everything is hidden keeps an empty list or does not exist.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use artifact::clean::one_line;
use artifact::format::PageKind;
use artifact::route::Address;

use crate::assemble::{NumberedPage, Text, tag_route};
use crate::page;
use crate::site::Site;

/// The lists that are missing from a site, in no particular order.
///
/// `documents` of `pages` come first; `visible` names the published collections as places in the settings.
pub fn missing<'s>(
    site: &Site,
    pages: &[NumberedPage],
    visible: &[usize],
    newest_first: &[u32],
) -> Vec<NumberedPage<'s>> {
    let taken: HashSet<&str> = pages.iter().map(|page| page.route.as_str()).collect();
    let mut lists: BTreeMap<String, List> = BTreeMap::new();
    let mut add = |route: String, list: &dyn Fn() -> List| {
        if !taken.contains(route.as_str()) {
            lists.entry(route).or_insert_with(list);
        }
    };
    for (place, index) in visible.iter().enumerate() {
        let collection = &site.settings.collections[*index];
        add(collection.archive_route(), &|| List {
            title: collection.title.clone(),
            description: collection.description.clone(),
            groups: vec![(None, in_order(pages, newest_first, place))],
        });
    }
    if !site.tags.is_empty() {
        add(tags_route(site), &|| {
            let entries = site.tags.iter().map(|tag| Entry {
                title: tag.title.clone(),
                route: tag_route(site, tag),
                description: None,
            });
            List {
                title: site.settings.tags.title.clone(),
                description: None,
                groups: vec![(None, entries.collect())],
            }
        });
    }
    let mut carriers: Vec<Vec<&NumberedPage>> = vec![Vec::new(); site.tags.len()];
    for page in pages {
        page.tags().iter().for_each(|tag| carriers[*tag].push(page));
    }
    for (tag, carriers) in site.tags.iter().zip(&carriers) {
        add(tag_route(site, tag), &|| List {
            title: tag.title.clone(),
            description: None,
            groups: vec![(None, carriers.iter().map(|page| Entry::of(page)).collect())],
        });
    }
    add("/".into(), &|| root(site, pages, visible));

    let address = &site.settings.address;
    let limit = site.settings.limits.markdown_chars;
    lists
        .into_iter()
        .map(|(route, list)| {
            let markdown = list.markdown(address);
            let reading = page::read(&markdown, limit);
            NumberedPage {
                kind: PageKind::Index,
                collection: None,
                language: 0,
                route,
                title: one_line(&list.title).into_owned(),
                description: list.description.map(|text| one_line(&text).into_owned()),
                text: Text::Generated { markdown, reading },
                cites: Vec::new(),
            }
        })
        .collect()
}

/// The documents of a collection: newest first, or as the site's navigation has them when none has a date.
fn in_order(pages: &[NumberedPage], newest_first: &[u32], place: usize) -> Vec<Entry> {
    let mut documents: Vec<&NumberedPage> = newest_first
        .iter()
        .map(|number| &pages[*number as usize])
        .filter(|page| page.collection == Some(place))
        .collect();
    let dated = |page: &&NumberedPage| page.written().is_some_and(|it| it.sort_date.is_some());
    if !documents.iter().any(dated) {
        documents.sort_by_key(|page| page.written().and_then(|it| it.order).unwrap_or(u32::MAX));
    }
    documents.into_iter().map(Entry::of).collect()
}

/// The route of the page that lists the tags: the folder of their pages.
fn tags_route(site: &Site) -> String {
    let folder = site
        .settings
        .tags
        .route
        .split("{tag}")
        .next()
        .unwrap_or_default();
    let route = artifact::route::canonical(folder);
    // A tag at `/{tag}` leaves no folder of its own for the list.
    if route == "/" { "/tags".into() } else { route }
}

fn root(site: &Site, pages: &[NumberedPage], visible: &[usize]) -> List {
    let collections = visible
        .iter()
        .map(|index| &site.settings.collections[*index])
        .map(|collection| Entry {
            title: collection.title.clone(),
            route: collection.archive_route(),
            description: collection.description.clone(),
        });
    let mut groups = vec![(
        Some("Collections"),
        collections.filter(|entry| entry.route != "/").collect(),
    )];
    let others = pages.iter().filter(|page| page.collection.is_none());
    groups.push((Some("Pages"), others.map(Entry::of).collect()));
    if !site.tags.is_empty() {
        let tags = Entry {
            title: site.settings.tags.title.clone(),
            route: tags_route(site),
            description: None,
        };
        groups.push((Some("Subjects"), vec![tags]));
    }
    List {
        title: site.settings.site.title.clone(),
        description: site.settings.site.description.clone(),
        groups,
    }
}

/// A page that is a list.
struct List {
    title: String,
    description: Option<String>,
    groups: Vec<(Option<&'static str>, Vec<Entry>)>,
}

struct Entry {
    title: String,
    route: String,
    description: Option<String>,
}

impl Entry {
    fn of(page: &NumberedPage) -> Self {
        Entry {
            title: page.title.clone(),
            route: page.route.clone(),
            description: page.description.clone(),
        }
    }
}

impl List {
    fn markdown(&self, address: &Address) -> String {
        let mut out = format!("# {}\n", inline(&self.title));
        if let Some(description) = &self.description {
            let _ = write!(out, "\n{}\n", inline(description));
        }
        for (heading, entries) in self
            .groups
            .iter()
            .filter(|(_, entries)| !entries.is_empty())
        {
            if let Some(heading) = heading {
                let _ = write!(out, "\n## {heading}\n");
            }
            out.push('\n');
            for entry in entries {
                let _ = write!(
                    out,
                    "- [{}]({})",
                    inline(&entry.title),
                    address.url(&entry.route)
                );
                if let Some(description) = &entry.description {
                    let _ = write!(out, ": {}", inline(description));
                }
                out.push('\n');
            }
        }
        out
    }
}

/// A one-line text as markdown that shows as that text: what markdown would read as its own gets a backslash.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        if matches!(
            c,
            '\\' | '[' | ']' | '`' | '*' | '_' | '<' | '>' | '#' | '&'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shows_titles_as_they_are() {
        let address = Address::parse("https://x.dev/docs", false).unwrap();
        let entry = |title: &str, description: Option<&str>| Entry {
            title: title.into(),
            route: "/a b".into(),
            description: description.map(Into::into),
        };
        let list = List {
            title: "C# & [more]".into(),
            description: Some("All\nof it".into()),
            groups: vec![
                (None, vec![entry("X](evil) <b>", Some("d"))]),
                (Some("Nothing"), vec![]),
                (Some("Pages"), vec![entry("P", None)]),
            ],
        };
        assert_eq!(
            list.markdown(&address),
            "# C\\# \\& \\[more\\]\n\nAll of it\n\n- [X\\](evil) \\<b\\>](https://x.dev/docs/a%20b): d\n\n## Pages\n\n- [P](https://x.dev/docs/a%20b)\n"
        );
    }
}
