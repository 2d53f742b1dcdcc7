//! Where every link of the site leads.
//!
//! A link is looked up as its author meant it: first as a file, from the file it stands in; then as an address, from the page's
//! own address. What it leads to is a page of the site, a hidden page, another file, or nothing. Every answer is an absolute URL.
//!
//! In `guide/start.md`, `../api.md#x` is the file `api.md`; with its page at `/reference` that is `https://x.dev/reference#x`.

use std::collections::{BTreeSet, HashMap};

use artifact::route::{Address, as_asked, canonical, decoded, fold_case, join};

use crate::config::Settings;
use crate::place::{below, folder_of};
use crate::source::markdown_ending;

/// One markdown file of the site.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    /// The file, below the site's folder.
    pub source: String,
    /// Its route.
    pub route: String,
    /// Whether it stands for its folder.
    pub is_index: bool,
    /// Whether it is published.
    pub state: State,
}

/// Whether a file is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It is.
    Published,
    /// Its author keeps it back.
    Hidden,
    /// It could not be read; that has been told.
    Broken,
    /// It is no page: other pages are made of it.
    Material,
}

/// What a link leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// Nothing of ours: leave it alone.
    Elsewhere,
    /// A page of the site. `url` is none when the link is right as it stands.
    Page { route: String, url: Option<String> },
    /// Another file of the site.
    File { url: String },
    /// A page that is not published: its place in the map.
    Hidden(usize),
    /// An address of the site that no file stands for.
    Missing { route: String, url: String },
}

/// All files of a site and their routes.
pub(crate) struct SiteMap<'a> {
    settings: &'a Settings,
    /// The address of files, which never end in a slash.
    files: Address,
    stops: Vec<Stop>,
    by_source: HashMap<String, usize>,
    /// By the file's path without its ending, and by the folder of an index.
    by_stem: HashMap<String, usize>,
    by_route: HashMap<String, usize>,
    /// By the route without its letter case; none where two routes differ in nothing else.
    by_folded_route: HashMap<String, Option<usize>>,
    others: &'a BTreeSet<String>,
}

impl<'a> SiteMap<'a> {
    /// Makes the map. `stops` are sorted by source.
    pub(crate) fn new(
        settings: &'a Settings,
        stops: Vec<Stop>,
        others: &'a BTreeSet<String>,
    ) -> SiteMap<'a> {
        let mut map = SiteMap {
            settings,
            files: Address::parse(&settings.site.url, false)
                .unwrap_or_else(|_| settings.address.clone()),
            by_source: HashMap::with_capacity(stops.len()),
            by_stem: HashMap::with_capacity(stops.len()),
            by_route: HashMap::with_capacity(stops.len()),
            by_folded_route: HashMap::with_capacity(stops.len()),
            stops,
            others,
        };
        for (at, stop) in map.stops.iter().enumerate() {
            map.by_source.insert(stop.source.clone(), at);
            let stem = without_ending(&stop.source);
            map.by_stem.entry(stem.to_owned()).or_insert(at);
            // A published page stands before a hidden one at the same address.
            let free = map
                .by_route
                .get(&stop.route)
                .is_none_or(|held| map.stops[*held].state != State::Published);
            if free && (stop.state == State::Published || !map.by_route.contains_key(&stop.route)) {
                map.by_route.insert(stop.route.clone(), at);
            }
        }
        for (route, at) in &map.by_route {
            map.by_folded_route
                .entry(fold_case(route))
                .and_modify(|held| *held = None)
                .or_insert(Some(*at));
        }
        for (at, stop) in map.stops.iter().enumerate() {
            if stop.is_index {
                let folder = folder_of(&stop.source);
                map.by_stem.entry(folder.to_owned()).or_insert(at);
            }
        }
        map
    }

    /// Lets another address lead to a file, when no file has it.
    pub(crate) fn redirect(&mut self, route: String, to: usize) {
        self.by_route.entry(route).or_insert(to);
    }

    /// A file of the map.
    pub(crate) fn stop(&self, at: usize) -> &Stop {
        &self.stops[at]
    }

    /// What a link in the file `from` leads to.
    pub(crate) fn target(&self, from: usize, link: &str) -> Target {
        let link = link.trim();
        if let Some(path) = self.settings.address.path_of_url(link) {
            return self.own_url(path);
        }
        // Templates and a bundler's own paths are not ours to read.
        let foreign = ["//", "~", "{", "@site/", "@theme/", "@docs/"]
            .iter()
            .any(|start| link.starts_with(start));
        if link.is_empty()
            || foreign
            || has_scheme(link)
            || link.contains("{{")
            || link.contains("{%")
        {
            return Target::Elsewhere;
        }
        let (path, tail) = link.split_at(link.find(['?', '#']).unwrap_or(link.len()));
        let path = decoded(path).replace('\\', "/");
        if path.is_empty() {
            return self.page(from, tail);
        }
        if let Some(path) = path.strip_prefix("@/") {
            return self.content_path(path, tail);
        }
        match path.strip_prefix('/') {
            Some(_) => self.absolute(&path, tail),
            None => self.relative(from, &path, tail),
        }
    }

    fn own_url(&self, path: &str) -> Target {
        match self.asked(path) {
            Some(at) if self.stops[at].state == State::Published => Target::Page {
                route: self.stops[at].route.clone(),
                url: None,
            },
            Some(at) => Target::Hidden(at),
            None => Target::Elsewhere,
        }
    }

    /// Zola's `@/blog/tea.md`.
    fn content_path(&self, path: &str, tail: &str) -> Target {
        match self.file(&self.in_content(path)) {
            Some(at) => self.page(at, tail),
            // A section that is not rendered may be redirected.
            None => {
                let stem = without_ending(path);
                let stem = stem.strip_suffix("_index").unwrap_or(stem);
                let route = canonical(stem);
                match self.at_route(&route) {
                    Some(at) => self.page(at, tail),
                    None => self.missing(&route, tail),
                }
            }
        }
    }

    fn absolute(&self, path: &str, tail: &str) -> Target {
        let below_root = path.trim_start_matches('/');
        let file = || {
            [self.in_content(below_root), below_root.to_owned()]
                .iter()
                .find_map(|path| self.file(path))
        };
        let found = if markdown_ending(path).is_some() {
            file().or_else(|| self.asked(path))
        } else {
            self.asked(path).or_else(file)
        };
        if let Some(at) = found {
            return self.page(at, tail);
        }
        let own = self
            .settings
            .address
            .path_of_url(&format!("{}{path}", self.settings.address.origin()))
            .map(str::to_owned);
        if is_file(path) {
            let own = own.unwrap_or_else(|| path.to_owned());
            return Target::File {
                url: with_tail(self.files.url(&canonical(&own)), tail),
            };
        }
        match own {
            Some(own) => self.missing(&canonical(without_html(&own)), tail),
            None => Target::File {
                url: format!(
                    "{}{}",
                    self.settings.address.origin(),
                    safe(&format!("{path}{tail}"))
                ),
            },
        }
    }

    fn relative(&self, from: usize, path: &str, tail: &str) -> Target {
        let stop = &self.stops[from];
        let folder = folder_of(&stop.source);
        let as_file = joined(folder, path);
        let file = || as_file.as_deref().and_then(|path| self.file(path));
        let own_folder = if stop.is_index || self.settings.site.trailing_slash {
            stop.route.as_str()
        } else {
            parent(&stop.route)
        };
        let address = || {
            [own_folder, parent(&stop.route), stop.route.as_str()]
                .iter()
                .find_map(|folder| self.at_route(&join(folder, without_html(path))))
        };
        let found = if markdown_ending(path).is_some() {
            file().or_else(address)
        } else {
            address().or_else(file)
        };
        if let Some(at) = found {
            return self.page(at, tail);
        }
        if let Some(file) = as_file
            .as_deref()
            .filter(|path| self.others.contains(*path))
        {
            return Target::File {
                url: with_tail(self.files.url(&self.route_of_file(from, file, path)), tail),
            };
        }
        if is_file(path) {
            return Target::File {
                url: with_tail(self.files.url(&join(own_folder, path)), tail),
            };
        }
        // Above our base path is somebody else's ground.
        if joined(own_folder, path).is_none() {
            return self.beside(&format!("{own_folder}/{path}"), tail);
        }
        self.missing(&join(own_folder, without_html(without_ending(path))), tail)
    }

    /// The address of a file that lies beside a page: it moves with the page, or with its collection.
    fn route_of_file(&self, from: usize, file: &str, link: &str) -> String {
        let stop = &self.stops[from];
        if stop.is_index && !link.contains("..") {
            return join(&stop.route, link);
        }
        let in_content = below(file, &self.settings.site.content).unwrap_or(file);
        let collections = &self.settings.collections;
        match crate::place::collection_of(in_content, collections) {
            Some(at) => {
                let rest = below(in_content, &collections[at].path).unwrap_or(in_content);
                join(&collections[at].archive_route(), rest)
            }
            None => canonical(in_content),
        }
    }

    /// An address on our host that is not below our base path.
    fn beside(&self, path: &str, tail: &str) -> Target {
        let path = canonical(&format!("{}/{path}", self.settings.address.base_path()));
        Target::File {
            url: format!(
                "{}{}",
                self.settings.address.origin(),
                safe(&format!("{path}{tail}"))
            ),
        }
    }

    fn page(&self, at: usize, tail: &str) -> Target {
        let stop = &self.stops[at];
        if stop.state != State::Published {
            return Target::Hidden(at);
        }
        Target::Page {
            url: Some(self.url(&stop.route, tail)),
            route: stop.route.clone(),
        }
    }

    fn missing(&self, route: &str, tail: &str) -> Target {
        Target::Missing {
            route: route.to_owned(),
            url: self.url(route, tail),
        }
    }

    fn url(&self, route: &str, tail: &str) -> String {
        with_tail(self.settings.address.url(route), tail)
    }

    /// The file at a path below the site's folder, in the spellings that links use.
    fn file(&self, path: &str) -> Option<usize> {
        let path = path.trim_end_matches('/');
        if let Some(at) = self.by_source.get(path) {
            return Some(*at);
        }
        // A link to one kind of markdown may mean another, but `a.md` is never `a.md.md`.
        if markdown_ending(path).is_some() {
            return self.by_stem.get(without_ending(path)).copied();
        }
        self.by_stem
            .get(path)
            .or_else(|| self.by_stem.get(without_html(path)))
            .copied()
    }

    fn asked(&self, path: &str) -> Option<usize> {
        let path = path.split(['?', '#']).next().unwrap_or(path);
        as_asked(path, &self.settings.address)
            .routes
            .iter()
            .find_map(|route| self.at_route(route))
    }

    /// The page at a route; generators that write addresses in lower case let authors do so in links.
    fn at_route(&self, route: &str) -> Option<usize> {
        let exact = self.by_route.get(route).copied();
        exact.or_else(|| self.by_folded_route.get(&fold_case(route)).copied()?)
    }

    fn in_content(&self, path: &str) -> String {
        match self.settings.site.content.as_str() {
            "." | "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }
}

fn has_scheme(link: &str) -> bool {
    let Some((scheme, _)) = link.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// Whether a path names a file that is no page: it ends like one.
fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let ending = ending.to_lowercase();
    !stem.is_empty()
        && (1..=10).contains(&ending.len())
        && ending.bytes().all(|b| b.is_ascii_alphanumeric())
        && ending.bytes().any(|b| b.is_ascii_alphabetic())
        && !matches!(ending.as_str(), "html" | "htm" | "md" | "mdx" | "markdown")
}

fn without_ending(path: &str) -> &str {
    &path[..path.len() - markdown_ending(path).map_or(0, str::len)]
}

fn without_html(path: &str) -> &str {
    let path = path
        .strip_suffix(".html")
        .or_else(|| path.strip_suffix(".htm"))
        .unwrap_or(path);
    match path.strip_suffix("index") {
        Some(folder) if folder.ends_with('/') => folder,
        _ => path,
    }
}

fn parent(route: &str) -> &str {
    match route.rfind('/') {
        None | Some(0) => "/",
        Some(at) => &route[..at],
    }
}

/// A path from a folder; none when it climbs out of the site.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn with_tail(mut url: String, tail: &str) -> String {
    url.push_str(&safe(tail));
    url
}

/// Encodes what no URL may hold and leaves what is encoded alone.
fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_graphic()
            && !matches!(
                c,
                '"' | '\'' | '<' | '>' | '(' | ')' | '\\' | '^' | '`' | '{' | '|' | '}'
            )
        {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests;
