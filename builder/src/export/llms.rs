//! `llms.txt`, the files with full texts, and `sitemap.md`: the site's contents for readers that are models.
//!
//! The format is that of the llms.txt proposal (<https://llmstxt.org>, version 2): a title, a summary, free text without headings, then
//! sections of links. A file covers the pages below its folder and the most specific one holds, so each collection has one at
//! its archive. `Optional` names what may be skipped.
//!
//! ```text
//! llms.txt                # Tide Tables
//!                         > Tides, and how to read them.
//!                         …
//!                         ## Guides
//!                         - [Spring tides](https://tides.example/guides/spring.md): When the moon and the sun pull together.
//! guides/llms.txt         the same, of one collection
//! llms-full.txt           every text, as far as the bound allows; what has no room is listed at the end
//! guides/llms-full.txt    the texts of one collection
//! sitemap.md              every page with its address and its markdown's
//! ```
//!
//! A link's text holds no brackets and its address no parentheses, since simple readers end them there.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use artifact::catalogue::grouped;
use artifact::clean::one_line;
use artifact::text::Language;

use super::File;
use crate::assemble::{Assembly, NumberedPage};

/// What every `llms.txt` says before its links. A reader that wants something between the title and the first heading finds it.
const LINKS: &str =
    "\nEvery link below leads to a page's markdown, whose front matter names the page itself.\n";
/// How many documents of a collection stay in `llms.txt` when the rest is in the collection's own file.
const SHOWN: usize = 10;

/// All of them.
pub(super) fn files(assembly: &Assembly) -> Vec<File> {
    let settings = &assembly.site.settings.exports;
    let sections = sections(assembly);
    let mut files = vec![
        File::public("llms.txt", overview(assembly, &sections)),
        File::public("sitemap.md", sitemap(assembly)),
    ];
    // With a single section the files of the site are those of the collection.
    let several = sections.len() > 1;
    for section in sections
        .iter()
        .filter(|section| several && section.folder.is_some())
    {
        files.push(File::public(
            &section.path("llms.txt"),
            own(assembly, section),
        ));
    }
    if settings.llms_full_bytes > 0 {
        let all: Vec<&NumberedPage> = sections
            .iter()
            .flat_map(|section| section.pages.iter().copied())
            .collect();
        let site = &assembly.site.settings.site;
        let text = full(assembly, &site.title, site.description.as_deref(), &all);
        files.push(File::public("llms-full.txt", text));
        for section in sections
            .iter()
            .filter(|section| several && section.folder.is_some())
        {
            let title = format!("{}: {}", site.title, section.title);
            let text = full(assembly, &title, section.description, &section.pages);
            files.push(File::public(&section.path("llms-full.txt"), text));
        }
    }
    files
}

/// Pages that are listed under one heading.
struct Section<'a> {
    title: String,
    description: Option<&'a str>,
    /// Where the section's own files lie, without slashes at its ends; `None` when it has none.
    folder: Option<String>,
    /// In the order in which they are read.
    pages: Vec<&'a NumberedPage<'a>>,
}

impl Section<'_> {
    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder.as_deref().unwrap_or_default())
    }
}

/// The pages that somebody wrote: a section for each collection, then those of no collection, then those in other languages.
fn sections<'a>(assembly: &'a Assembly<'a>) -> Vec<Section<'a>> {
    let own = Language::of(&assembly.site.settings.site.language);
    let mut sections: Vec<Section> = Vec::new();
    let mut translated: Vec<Section> = Vec::new();
    let mut folders: Vec<String> = Vec::new();
    let places = (0..assembly.collections.len()).map(Some).chain([None]);
    for place in places {
        let collection = place.map(|place| &assembly.collections[place]);
        let mut by_language: BTreeMap<&str, Vec<&NumberedPage>> = BTreeMap::new();
        for page in assembly.pages_of(place) {
            let Some(written) = page.written() else {
                continue;
            };
            let language = match Language::of(&written.language) == own {
                true => "",
                false => written.language.as_str(),
            };
            by_language.entry(language).or_default().push(page);
        }
        let title = match collection {
            Some(collection) => one_line(&collection.settings.title).into_owned(),
            None if assembly.collections.is_empty() => "Pages".to_owned(),
            None => "Other pages".to_owned(),
        };
        // A heading named so means that its links may be skipped.
        let title = match title.eq_ignore_ascii_case("optional") {
            true => format!("{title} (collection)"),
            false => title,
        };
        for (language, mut pages) in by_language {
            let posts = collection.is_some_and(|collection| collection.settings.posts);
            in_order(&mut pages, posts);
            let folder = collection
                .filter(|_| language.is_empty())
                .and_then(|collection| {
                    let archive = collection.settings.archive_route();
                    let archive = archive.trim_matches('/');
                    let folder = match archive.is_empty() {
                        true => collection.settings.name.clone(),
                        false => archive.to_owned(),
                    };
                    let free = !folders.contains(&folder);
                    folders.push(folder.clone());
                    free.then_some(folder)
                });
            let section = Section {
                title: match language {
                    "" => title.clone(),
                    language => format!("{title} ({})", one_line(language)),
                },
                description: collection
                    .and_then(|collection| collection.settings.description.as_deref()),
                folder,
                pages,
            };
            match language {
                "" => sections.push(section),
                _ => translated.push(section),
            }
        }
    }
    sections.append(&mut translated);
    // Two headings of one name would be one section to a reader.
    for at in 1..sections.len() {
        let (before, rest) = sections.split_at_mut(at);
        let title = rest[0].title.clone();
        let mut number = 2;
        while before.iter().any(|section| section.title == rest[0].title) {
            rest[0].title = format!("{title} ({number})");
            number += 1;
        }
    }
    sections
}

/// In the order of the site's navigation where it has one; posts newest first; all others by route, the shortest way down first.
fn in_order(pages: &mut [&NumberedPage], posts: bool) {
    pages.sort_by_cached_key(|page| {
        let written = page.written();
        let order = written.and_then(|page| page.order).unwrap_or(u32::MAX);
        let date = written.and_then(|page| page.sort_date).filter(|_| posts);
        (order, Reverse(date), page.route.clone())
    });
}

/// `llms.txt` of the site.
fn overview(assembly: &Assembly, sections: &[Section]) -> String {
    let settings = &assembly.site.settings;
    let (site, address) = (&settings.site, &settings.address);
    let mut head = title_and_summary(&site.title, site.description.as_deref());
    if let Some(url) = &settings.server.url {
        let _ = write!(
            head,
            "\nThe same content is searched and read by tools at the MCP server {}\n",
            one_line(url)
        );
    }
    head.push_str(LINKS);
    let mut optional = String::from("\n## Optional\n\n");
    let listed = |out: &mut String, path: &str, title: &str, note: &str| {
        let _ = writeln!(out, "- [{title}]({}): {note}", address.file_url(path));
    };
    if settings.exports.llms_full_bytes > 0 {
        let most = grouped(settings.exports.llms_full_bytes);
        listed(
            &mut optional,
            "llms-full.txt",
            "All texts in one file",
            &format!("at most {most} bytes"),
        );
    }
    listed(
        &mut optional,
        "sitemap.md",
        "All pages",
        "every address, lists and tags included",
    );

    let whole: Vec<String> = sections
        .iter()
        .map(|section| list(assembly, &section.pages))
        .collect();
    let mut shown: Vec<String> = whole.clone();
    let fixed = head.len() + optional.len();
    // The largest section is the first that is cut, until the rest fits.
    let mut order: Vec<usize> = (0..sections.len())
        .filter(|at| {
            sections[*at].folder.is_some()
                && sections[*at].pages.len() > SHOWN
                && sections.len() > 1
        })
        .collect();
    order.sort_by_key(|at| Reverse(whole[*at].len()));
    for at in order {
        if fixed + shown.iter().map(String::len).sum::<usize>() <= settings.exports.llms_bytes {
            break;
        }
        let section = &sections[at];
        let mut text = list(assembly, &section.pages[..SHOWN]);
        let _ = writeln!(
            text,
            "- [All {} of them]({}): the list of this section",
            grouped(section.pages.len()),
            address.file_url(&section.path("llms.txt"))
        );
        shown[at] = text;
    }
    let mut out = head;
    for (section, links) in sections.iter().zip(&shown) {
        let _ = write!(out, "\n## {}\n\n{links}", heading(&section.title));
    }
    out + &optional
}

/// `llms.txt` of one collection.
fn own(assembly: &Assembly, section: &Section) -> String {
    let site = &assembly.site.settings.site;
    let mut out = title_and_summary(
        &format!("{}: {}", site.title, section.title),
        section.description,
    );
    let _ = write!(
        out,
        "{LINKS}\n## {}\n\n{}",
        heading(&section.title),
        list(assembly, &section.pages)
    );
    let _ = write!(
        out,
        "\n## Optional\n\n- [{}]({}): the whole site\n",
        text(&site.title),
        assembly.site.settings.address.file_url("llms.txt")
    );
    out
}

fn title_and_summary(title: &str, summary: Option<&str>) -> String {
    let mut out = format!("# {}\n", heading(title));
    if let Some(summary) = summary {
        let _ = write!(out, "\n> {}\n", one_line(summary));
    }
    out
}

/// A link a page, to its markdown.
fn list(assembly: &Assembly, pages: &[&NumberedPage]) -> String {
    let address = &assembly.site.settings.address;
    let mut out = String::new();
    for page in pages {
        let _ = write!(
            out,
            "- [{}]({})",
            text(&page.title),
            address.markdown_url(&page.route)
        );
        if let Some(description) = page.description.as_deref().filter(|text| !text.is_empty()) {
            let _ = write!(out, ": {description}");
        }
        out.push('\n');
    }
    out
}

/// The texts of pages one after the other, as many whole ones as the bound allows, and links to the others.
fn full(
    assembly: &Assembly,
    title: &str,
    summary: Option<&str>,
    pages: &[&NumberedPage],
) -> String {
    let address = &assembly.site.settings.address;
    let most = assembly.site.settings.exports.llms_full_bytes;
    let mut out = title_and_summary(title, summary);
    let mut left: Vec<&NumberedPage> = Vec::new();
    for page in pages {
        let markdown = page.markdown().trim();
        // The title and the address of a page and the lines around them.
        let around = page.title.len() + address.url(&page.route).len() + 32;
        if out.len() + around + markdown.len() > most {
            left.push(page);
            continue;
        }
        let body = without_title(page, markdown);
        let _ = write!(
            out,
            "\n---\n\n# {}\n\nSource: {}\n",
            heading(&page.title),
            address.url(&page.route)
        );
        if !body.is_empty() {
            let _ = write!(out, "\n{body}\n");
        }
    }
    if !left.is_empty() {
        let _ = write!(
            out,
            "\n---\n\n# Not in this file\n\n{}",
            list(assembly, &left)
        );
    }
    out
}

/// A text without its first heading when that says the title over again.
fn without_title<'a>(page: &NumberedPage, markdown: &'a str) -> &'a str {
    let Some(first) = page.reading().outline.first() else {
        return markdown;
    };
    let starts_with_it =
        first.level == 1 && page.markdown()[..first.start as usize].trim().is_empty();
    let (line, rest) = markdown.split_once('\n').unwrap_or((markdown, ""));
    match starts_with_it && line.starts_with("# ") && one_line(&first.text) == page.title.as_str() {
        true => rest.trim_start_matches('\n'),
        false => markdown,
    }
}

/// Every page with its addresses, lists and tags included.
fn sitemap(assembly: &Assembly) -> String {
    let address = &assembly.site.settings.address;
    let mut out = format!(
        "# {}: all pages\n",
        heading(&assembly.site.settings.site.title)
    );
    let places = (0..assembly.collections.len()).map(Some).chain([None]);
    for place in places {
        let pages = assembly.pages_of(place);
        if pages.is_empty() {
            continue;
        }
        let title = match place {
            Some(place) => heading(&assembly.collections[place].settings.title),
            None => "Pages and lists".to_owned(),
        };
        let _ = write!(out, "\n## {title}\n\n");
        for page in pages {
            let _ = write!(
                out,
                "- [{}]({}) ([markdown]({}))",
                text(&page.title),
                address.url(&page.route),
                address.markdown_url(&page.route)
            );
            let written = page.written();
            if let Some(date) =
                written.and_then(|page| page.updated.as_ref().or(page.date.as_ref()))
            {
                let _ = write!(out, ", {}", one_line(date));
            }
            out.push('\n');
        }
    }
    out
}

/// A title as a heading: one line that does not end in a heading's closing signs.
fn heading(title: &str) -> String {
    let title = one_line(title);
    let title = title.trim().trim_end_matches('#').trim_end();
    match title.is_empty() {
        true => "Untitled".to_owned(),
        false => title.to_owned(),
    }
}

/// A title as the text of a link: brackets would end it for simple readers.
fn text(title: &str) -> String {
    let title = one_line(title)
        .replace('[', "(")
        .replace(']', ")")
        .replace('\\', "/");
    match title.trim().is_empty() {
        true => "Untitled".to_owned(),
        false => title.trim().to_owned(),
    }
}
