//! Compares what would be published with what the site's generator made of the same sources.
//!
//! Both ways: every page of ours has to be in the generator's output at its address, with its title and with an id for each of its headings; every
//! page of the output has to be ours, unless it is one of those that a site has besides its content (redirects, lists of a tag, page 2 of a list,
//! `404.html`). A hidden document that the generator publishes is told, and so is an address that the output calls otherwise. A difference
//! comes with its likely cause. A sitemap instead of a folder compares addresses only.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use artifact::route::{Address, canonical, fold_case, slug_of};
use quick_xml::Reader;
use quick_xml::events::Event;
use rayon::prelude::*;
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::assemble::Assembly;
use crate::html::{self, HtmlPage};

/// What is different.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A page of ours is not in the output.
    Missing,
    /// A page of the output is not ours.
    Extra,
    /// The output has a document that we hide.
    Published,
    /// The output calls a page by another address.
    Address,
    /// The titles are not the same.
    Title,
    /// A heading of ours has no such id in the output.
    Anchor,
    /// A heading of the output is none of ours.
    Heading,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Missing,
        Kind::Extra,
        Kind::Published,
        Kind::Address,
        Kind::Title,
        Kind::Anchor,
        Kind::Heading,
    ];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Missing => "missing",
            Kind::Extra => "extra",
            Kind::Published => "published",
            Kind::Address => "address",
            Kind::Title => "title",
            Kind::Anchor => "anchor",
            Kind::Heading => "heading",
        }
    }

    fn told(self) -> &'static str {
        match self {
            Kind::Missing => "pages that the built site does not have",
            Kind::Extra => "pages that only the built site has",
            Kind::Published => "hidden documents that the built site publishes",
            Kind::Address => "addresses that the built site calls otherwise",
            Kind::Title => "titles that differ",
            Kind::Anchor => "anchors that the built site does not have",
            Kind::Heading => "headings that only the built site has",
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// What kind of difference it is.
    pub kind: Kind,
    /// The route of the page; with `#` and the anchor for a heading.
    pub route: String,
    /// The source file of our page, when there is one.
    pub source: Option<String>,
    /// What stands where, or the likely cause.
    pub why: String,
}

/// What came out of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Pages of ours that were looked for.
    pub ours: usize,
    /// Pages of the built site.
    pub theirs: usize,
    /// Pages that are in both.
    pub both: usize,
    /// Anchors that were looked for, and that are in both.
    pub anchors: (usize, usize),
    /// Pages of the built site that are no content, by what they are.
    pub passed_by: BTreeMap<&'static str, usize>,
    /// The differences, in order.
    pub differences: Vec<Difference>,
}

/// Differences of a kind that are shown as text; JSON has them all.
const SHOWN: usize = 20;

impl Comparison {
    /// The comparison for people.
    pub fn told(&self) -> String {
        let mut out = String::new();
        for kind in Kind::ALL {
            let found: Vec<&Difference> = self
                .differences
                .iter()
                .filter(|it| it.kind == kind)
                .collect();
            if found.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{}: {}", kind.told(), found.len());
            for difference in found.iter().take(SHOWN) {
                let source = difference
                    .source
                    .as_ref()
                    .map_or_else(String::new, |source| format!(" ({source})"));
                let _ = writeln!(out, "  {}{source}: {}", difference.route, difference.why);
            }
            if found.len() > SHOWN {
                let _ = writeln!(
                    out,
                    "  … and {} more; `--json` has them all",
                    found.len() - SHOWN
                );
            }
        }
        let _ = writeln!(
            out,
            "{} of our {} pages are in the built site, which has {} pages of content; {} of {} anchors are the same",
            self.both, self.ours, self.theirs, self.anchors.1, self.anchors.0
        );
        for (what, count) in &self.passed_by {
            let _ = writeln!(out, "  passed by: {count} {what}");
        }
        let _ = match self.differences.len() {
            0 => writeln!(out, "no differences"),
            count => writeln!(out, "differences: {count}"),
        };
        out
    }

    /// The comparison for programs.
    pub fn to_json(&self) -> Value {
        json!({
            "ours": self.ours,
            "theirs": self.theirs,
            "both": self.both,
            "anchors": self.anchors.0,
            "anchors_in_both": self.anchors.1,
            "passed_by": self.passed_by,
            "differences": self.differences.iter().map(|it| json!({
                "kind": it.kind.name(), "route": it.route, "source": it.source, "why": it.why,
            })).collect::<Vec<_>>(),
        })
    }
}

/// A page of the built site, by what stands in its folder.
struct Built {
    /// Its route with `.html` where the file is no index.
    route: String,
    page: HtmlPage,
}

/// Compares with a folder of built HTML.
///
/// # Errors
/// When the folder cannot be read, or holds no HTML; in words.
pub fn with_folder(assembly: &Assembly, folder: &Path) -> Result<Comparison, String> {
    let mut files: Vec<String> = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry =
            entry.map_err(|error| format!("`{}` cannot be read: {error}", folder.display()))?;
        let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let name = name.to_string_lossy().replace('\\', "/");
        if entry.file_type().is_file() && name.to_ascii_lowercase().ends_with(".html") {
            files.push(name);
        }
    }
    if files.is_empty() {
        return Err(format!(
            "there is no HTML in `{}`; name the folder that the generator wrote, such as `public`, `_site`, `build` or `dist`",
            folder.display()
        ));
    }
    let built: Vec<Built> = files
        .par_iter()
        .filter_map(|file| {
            let bytes = fs::read(folder.join(file)).ok()?;
            let path = match file.strip_suffix("index.html") {
                Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
                _ => file,
            };
            Some(Built {
                route: canonical(path),
                page: html::read(&String::from_utf8_lossy(&bytes), None),
            })
        })
        .collect();
    Ok(compare(assembly, built))
}

/// The spellings of a route by which built sites may have it.
fn spellings(route: &str) -> [String; 2] {
    match route.strip_suffix(".html") {
        Some(bare) => [route.to_owned(), bare.to_owned()],
        None => [
            route.to_owned(),
            format!("{}.html", if route == "/" { "/index" } else { route }),
        ],
    }
}

fn compare(assembly: &Assembly, built: Vec<Built>) -> Comparison {
    let address = &assembly.site.settings.address;
    let mut out = Comparison::default();
    let by_route: HashMap<&str, usize> = built
        .iter()
        .enumerate()
        .map(|(at, page)| (page.route.as_str(), at))
        .collect();
    let by_slug = slugs(built.iter().map(|page| page.route.as_str()));
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for page in &assembly.pages {
        let found = spellings(&page.route)
            .iter()
            .find_map(|route| by_route.get(route.as_str()).copied());
        used.extend(found);
        let Some(written) = page.written() else {
            continue;
        };
        out.ours += 1;
        let mut differs = |kind, route: String, why: String| {
            out.differences.push(Difference {
                kind,
                route,
                source: Some(written.source.clone()),
                why,
            });
        };
        let Some(at) = found else {
            differs(
                Kind::Missing,
                page.route.clone(),
                near(&page.route, &by_route, &by_slug),
            );
            continue;
        };
        let theirs = &built[at].page;
        if let Some(to) = &theirs.redirect {
            differs(
                Kind::Missing,
                page.route.clone(),
                format!("the built site sends readers on to `{to}`"),
            );
            continue;
        }
        out.both += 1;
        let url = address.url(&page.route);
        if let Some(canonical) = &theirs.canonical
            && address.path_of_url(canonical).is_some()
            && *canonical != url
        {
            let cause = match canonical.trim_end_matches('/') == url.trim_end_matches('/') {
                true => "; `trailing_slash` under `[site]` decides",
                false => "",
            };
            differs(
                Kind::Address,
                page.route.clone(),
                format!("`{canonical}` there, `{url}` here{cause}"),
            );
        }
        if !same_title(&page.title, theirs) {
            let there = theirs.heading.as_ref().unwrap_or(&theirs.title);
            differs(
                Kind::Title,
                page.route.clone(),
                format!("`{there}` there, `{}` here", page.title),
            );
        }
        let mut anchors: BTreeSet<&str> = BTreeSet::new();
        let (mut looked, mut same) = (0, 0);
        for heading in &page.reading().outline {
            anchors.insert(&heading.anchor);
            looked += 1;
            if theirs.ids.contains(&heading.anchor) {
                same += 1;
                continue;
            }
            // A page's own title often has no id.
            if heading.level == 1 {
                looked -= 1;
                continue;
            }
            let named = theirs
                .headings
                .iter()
                .find(|(_, text)| plain(text) == plain(&heading.text));
            let why = match named {
                Some((id, _)) => format!("the heading `{}` is `#{id}` there", heading.text),
                None => format!("there is no heading `{}` there", heading.text),
            };
            differs(
                Kind::Anchor,
                format!("{}#{}", page.route, heading.anchor),
                why,
            );
        }
        for (id, text) in &theirs.headings {
            let ours = page
                .reading()
                .outline
                .iter()
                .any(|own| plain(&own.text) == plain(text));
            if !anchors.contains(id.as_str()) && !ours && plain(text) != plain(&page.title) {
                differs(
                    Kind::Heading,
                    format!("{}#{id}", page.route),
                    format!("`{text}` is no heading here"),
                );
            }
        }
        out.anchors.0 += looked;
        out.anchors.1 += same;
    }
    let hidden = hidden(assembly);
    for (at, page) in built.iter().enumerate() {
        if page.page.redirect.is_some() {
            *out.passed_by.entry("redirects").or_default() += 1;
            continue;
        }
        if used.contains(&at) {
            out.theirs += 1;
            continue;
        }
        if let Some(what) = no_content(&page.route) {
            *out.passed_by.entry(what).or_default() += 1;
            continue;
        }
        out.theirs += 1;
        let bare = page.route.strip_suffix(".html").unwrap_or(&page.route);
        let (kind, why) = match hidden.get(page.route.as_str()).or_else(|| hidden.get(bare)) {
            Some(source) => (Kind::Published, format!("`{source}` is hidden here")),
            None => (Kind::Extra, extra(bare, assembly)),
        };
        out.differences.push(Difference {
            kind,
            route: page.route.clone(),
            source: None,
            why,
        });
    }
    out.differences.sort();
    out
}

/// The hidden documents: the source of each by its route.
fn hidden<'a>(assembly: &'a Assembly) -> HashMap<&'a str, &'a str> {
    let documents = assembly.site.hidden.iter();
    documents
        .map(|it| (it.route.as_str(), it.source.as_str()))
        .collect()
}

/// Pages that sites have besides their content, by their route.
pub(crate) fn no_content(route: &str) -> Option<&'static str> {
    let bare = route.strip_suffix(".html").unwrap_or(route);
    let segments: Vec<&str> = bare.split('/').skip(1).collect();
    match segments.as_slice() {
        [.., "404"] => Some("error pages"),
        [.., "page", number] if number.bytes().all(|b| b.is_ascii_digit()) => {
            Some("further pages of lists")
        }
        [.., "print"] => Some("pages for printing"),
        [.., "toc"] => Some("tables of contents"),
        [.., "search"] => Some("search pages"),
        [
            ..,
            "tags" | "categories" | "archive" | "authors" | "taxonomies",
        ]
        | [
            ..,
            "tags" | "categories" | "tag" | "category" | "authors",
            _,
        ] => Some("lists of a tag, category or author"),
        _ => None,
    }
}

fn extra(route: &str, assembly: &Assembly) -> String {
    let slug = slug_of(route);
    let like = assembly.pages.iter().find(|page| {
        page.written().is_some()
            && (fold_case(&page.route) == fold_case(route)
                || (!slug.is_empty() && slug_of(&page.route) == slug))
    });
    match like {
        Some(page) => format!("we have a page at `{}`", page.route),
        None => "no source file leads to it; `[[html]]` in shelfmark.toml takes it in from the built site".into(),
    }
}

fn slugs<'r>(routes: impl Iterator<Item = &'r str>) -> HashMap<&'r str, Vec<&'r str>> {
    let mut slugs: HashMap<&str, Vec<&str>> = HashMap::new();
    for route in routes {
        let slug = slug_of(route);
        slugs
            .entry(slug.strip_suffix(".html").unwrap_or(slug))
            .or_default()
            .push(route);
    }
    slugs
}

fn near(
    route: &str,
    by_route: &HashMap<&str, usize>,
    by_slug: &HashMap<&str, Vec<&str>>,
) -> String {
    let folded = fold_case(route);
    if let Some(other) = by_route.keys().find(|other| fold_case(other) == folded) {
        return format!("it is `{other}` there: the letter case differs");
    }
    let slug = slug_of(route);
    match by_slug
        .get(slug.strip_suffix(".html").unwrap_or(slug))
        .map(Vec::as_slice)
    {
        Some([only]) => format!("it may be `{only}` there"),
        Some(several) if !slug.is_empty() => format!(
            "{} pages there end like it, `{}` among them",
            several.len(),
            several[0]
        ),
        _ => "nothing there has such an address; the generator may leave the file out".into(),
    }
}

/// Letters and digits alone: generators dress quotes, dashes and spaces.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn same_title(title: &str, theirs: &HtmlPage) -> bool {
    let title = plain(title);
    theirs
        .heading
        .as_ref()
        .is_some_and(|heading| plain(heading) == title)
        || plain(&theirs.title).contains(&title)
}

/// Compares addresses with a sitemap.
///
/// # Errors
/// When it cannot be read or is no sitemap; in words.
pub fn with_sitemap(assembly: &Assembly, file: &Path) -> Result<Comparison, String> {
    let text = fs::read_to_string(file).map_err(|error| {
        format!(
            "`{}` cannot be read: {}",
            file.display(),
            crate::output::said(&error)
        )
    })?;
    let urls =
        locations(&text).map_err(|why| format!("`{}` is no sitemap: {why}", file.display()))?;
    if urls.is_empty() {
        return Err(format!(
            "`{}` names no address in a `<loc>`",
            file.display()
        ));
    }
    let address = &assembly.site.settings.address;
    let mut out = Comparison {
        theirs: urls.len(),
        ..Comparison::default()
    };
    let known: HashMap<String, &String> = urls
        .iter()
        .map(|url| (route_of(url, address), url))
        .collect();
    let ours: HashMap<String, String> = assembly
        .pages
        .iter()
        .flat_map(|page| spellings(&page.route).map(|route| (route, page.route.clone())))
        .collect();
    let by_route: HashMap<&str, usize> = known.keys().map(|route| (route.as_str(), 0)).collect();
    let by_slug = slugs(known.keys().map(String::as_str));
    for page in &assembly.pages {
        let Some(written) = page.written() else {
            continue;
        };
        out.ours += 1;
        let found = spellings(&page.route)
            .iter()
            .find_map(|route| known.get(route).copied());
        let (kind, why) = match found {
            None => (Kind::Missing, near(&page.route, &by_route, &by_slug)),
            Some(url) => {
                out.both += 1;
                let own = address.url(&page.route);
                if *url == own || address.path_of_url(url).is_none() {
                    continue;
                }
                (Kind::Address, format!("`{url}` there, `{own}` here"))
            }
        };
        out.differences.push(Difference {
            kind,
            route: page.route.clone(),
            source: Some(written.source.clone()),
            why,
        });
    }
    let hidden = hidden(assembly);
    for route in known.keys().filter(|route| !ours.contains_key(*route)) {
        if let Some(what) = no_content(route) {
            *out.passed_by.entry(what).or_default() += 1;
            continue;
        }
        let (kind, why) = match hidden.get(route.as_str()) {
            Some(source) => (Kind::Published, format!("`{source}` is hidden here")),
            None => (
                Kind::Extra,
                extra(route.strip_suffix(".html").unwrap_or(route), assembly),
            ),
        };
        out.differences.push(Difference {
            kind,
            route: route.clone(),
            source: None,
            why,
        });
    }
    out.differences.sort();
    Ok(out)
}

/// The route of a sitemap's address. A sitemap of another host, such as a preview's, is compared by its paths.
fn route_of(url: &str, address: &Address) -> String {
    let path = address.path_of_url(url).unwrap_or_else(|| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        rest.find('/').map_or("/", |at| &rest[at..])
    });
    let route = canonical(path.split(['?', '#']).next().unwrap_or_default());
    match route.strip_suffix("/index.html") {
        Some(folder) => canonical(folder),
        None => route,
    }
}

fn locations(text: &str) -> Result<Vec<String>, String> {
    let mut reader = Reader::from_str(text);
    let mut urls: Vec<String> = Vec::new();
    let (mut open, mut goes_on) = (false, false);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if tag.local_name().as_ref() == "sitemapindex" => {
                return Err("it is an index of sitemaps; name one of those that it lists".into());
            }
            Ok(Event::Start(tag)) => open = tag.local_name().as_ref() == "loc",
            Ok(Event::End(_)) => open = false,
            Ok(Event::Text(text)) if open => {
                let text = text.trim();
                match urls.last_mut() {
                    // Behind an `&amp;` the address goes on.
                    Some(last) if goes_on => last.push_str(text),
                    _ => urls.push(text.to_owned()),
                }
                goes_on = false;
            }
            // `&amp;` in an address.
            Ok(Event::GeneralRef(name)) if open => {
                if let (Some(last), "amp") = (urls.last_mut(), &*name) {
                    last.push('&');
                    goes_on = true;
                }
            }
            Ok(Event::Eof) => return Ok(urls),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_a_sitemap() {
        let text = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc> https://x.dev/a/?b=1&amp;c=2 </loc><lastmod>2024</lastmod></url></urlset>";
        assert_eq!(locations(text).unwrap(), ["https://x.dev/a/?b=1&c=2"]);
        assert!(locations("<sitemapindex><sitemap><loc>x</loc></sitemap></sitemapindex>").is_err());
        let address = Address::parse("https://x.dev/docs", true).unwrap();
        assert_eq!(route_of("https://x.dev/docs/a/index.html", &address), "/a");
        assert_eq!(route_of("https://preview.dev/b/", &address), "/b");
    }

    #[test]
    fn what_is_no_content_is_known_by_its_route() {
        assert_eq!(no_content("/404.html"), Some("error pages"));
        assert_eq!(no_content("/blog/page/2"), Some("further pages of lists"));
        assert_eq!(
            no_content("/tags/tea"),
            Some("lists of a tag, category or author")
        );
        assert_eq!(no_content("/tea/tags/x/y"), None);
    }
}
