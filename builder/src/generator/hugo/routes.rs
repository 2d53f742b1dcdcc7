//! Addresses as Hugo makes them.
//!
//! `posts/My First Post.md` is `/posts/my-first-post`; a `slug` takes the place of the last part (of a section's for everything below
//! it), a pattern of `permalinks` that of the whole, and `url` goes before both. (Hugo's documentation: "URL management", "Permalinks".)

use artifact::route::canonical;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::cascade::{PageKind, Target};
use super::config::Config;
use crate::front_matter::Value;
use crate::front_matter::date::Date;
use crate::generator::settings;

/// A pattern of addresses, with the pages that it is for.
#[derive(Debug)]
enum Permalink {
    /// Those of a kind in a section directly below the content root.
    Section(PageKind, String, String),
    /// Those that a target names.
    Target(Target, String),
}

/// How the configuration has addresses made.
#[derive(Debug, Default)]
pub(super) struct Rules {
    keep_case: bool,
    no_accents: bool,
    /// Sections whose pages are files; `*` for all.
    ugly: Vec<String>,
    permalinks: Vec<(Option<String>, Permalink)>,
}

/// What an address is made from.
pub(super) struct Facts<'a> {
    /// The logical path, normalised.
    pub path: &'a str,
    /// The parts of the path as they are written, the page's own last.
    pub parts: &'a [String],
    pub kind: PageKind,
    pub language: &'a str,
    /// The folder of the language, `/fr`; empty for the default one.
    pub prefix: &'a str,
    pub slug: Option<&'a str>,
    pub url: Option<&'a str>,
    pub title: Option<&'a str>,
    pub date: Option<&'a Date>,
    /// Whether a folder below the first level is a section, by its logical path: it has a page of its own.
    pub is_section: &'a dyn Fn(&str) -> bool,
    /// The slug of a section, by its logical path.
    pub section_slug: &'a dyn Fn(&str) -> Option<String>,
    /// The title of a section, by its logical path.
    pub section_title: &'a dyn Fn(&str) -> Option<String>,
}

impl Rules {
    pub(super) fn new(config: &Config) -> Rules {
        let mut rules = Rules {
            keep_case: config.boolean("disablePathToLower") == Some(true),
            no_accents: config.boolean("removePathAccents") == Some(true),
            ..Rules::default()
        };
        if let Some(node) = config.node("uglyURLs") {
            match &node.value {
                Value::Map(map) => {
                    let ugly = map.iter().filter(|entry| entry.node.text() == Some("true"));
                    rules.ugly = ugly.map(|entry| entry.key.to_lowercase()).collect();
                }
                _ if node.text() == Some("true") => rules.ugly = vec!["*".into()],
                _ => {}
            }
        }
        for language in &config.languages {
            let key = format!("languages.{}.permalinks", language.name);
            if let Some(node) = config.node(&key) {
                rules.read(node, Some(&language.name));
            }
        }
        if let Some(node) = config.node("permalinks") {
            rules.read(node, None);
        }
        rules
    }

    fn read(&mut self, node: &crate::front_matter::Node, language: Option<&str>) {
        let mut add = |permalink| {
            self.permalinks
                .push((language.map(str::to_owned), permalink))
        };
        match &node.value {
            Value::List(items) => {
                for map in items.iter().map(settings::entries) {
                    if let Some(pattern) = settings::text(map, "pattern") {
                        add(Permalink::Target(Target::of(map), pattern));
                    }
                }
            }
            Value::Map(map) => {
                for entry in map {
                    let kind = match entry.key.to_lowercase().as_str() {
                        "section" => PageKind::Section,
                        // Their pages are lists.
                        "taxonomy" | "term" => continue,
                        _ => PageKind::Page,
                    };
                    match (&entry.node.value, entry.node.text()) {
                        (Value::Map(sections), _) => {
                            for section in sections {
                                if let Some(pattern) = section.node.text() {
                                    let name = section.key.to_lowercase();
                                    add(Permalink::Section(kind, name, pattern.to_owned()));
                                }
                            }
                        }
                        // The older form is for the pages of a section.
                        (_, Some(pattern)) => {
                            let name = entry.key.to_lowercase();
                            add(Permalink::Section(PageKind::Page, name, pattern.to_owned()));
                        }
                        _ => {}
                    }
                }
            }
            Value::Scalar { .. } => {}
        }
    }

    fn pattern(&self, page: &Facts<'_>) -> Option<&str> {
        let section = page
            .path
            .trim_start_matches('/')
            .split('/')
            .next()
            .unwrap_or_default();
        let fits = |permalink: &Permalink| match permalink {
            Permalink::Section(kind, name, _) => {
                *kind == page.kind && name.trim_matches('/') == section
            }
            Permalink::Target(target, _) => target.holds(page.path, page.kind, page.language),
        };
        let found = self.permalinks.iter().find(|(language, permalink)| {
            language.as_deref().is_none_or(|name| name == page.language) && fits(permalink)
        })?;
        match &found.1 {
            Permalink::Section(_, _, pattern) | Permalink::Target(_, pattern) => Some(pattern),
        }
    }

    /// The address of a page, canonical.
    pub(super) fn route(&self, page: &Facts<'_>) -> String {
        if let Some(url) = page.url.map(str::trim).filter(|url| !url.is_empty()) {
            let url = match url.contains(':') && !url.contains("://") {
                true => self.expanded(url, page),
                false => artifact::route::decoded(url).into_owned(),
            };
            let prefix = if url.starts_with('/') {
                ""
            } else {
                page.prefix
            };
            return canonical(&format!("{prefix}/{}", url.trim_start_matches('/')));
        }
        let pattern = self
            .pattern(page)
            .map(|pattern| self.expanded(pattern, page));
        let path = pattern.unwrap_or_else(|| self.natural(page));
        let path = path.trim_matches('/');
        let ugly = page.kind == PageKind::Page
            && self
                .ugly
                .iter()
                .any(|name| name == "*" || page.path[1..].split('/').next() == Some(name));
        let ending = if ugly && !path.ends_with(".html") {
            ".html"
        } else {
            ""
        };
        canonical(&format!("{}/{path}{ending}", page.prefix))
    }

    fn natural(&self, page: &Facts<'_>) -> String {
        let mut parts = self.folders(page, false);
        if page.kind == PageKind::Page {
            let own = page.slug.or(page.parts.last().map(String::as_str));
            parts.push(self.sanitized(own.unwrap_or_default()));
        }
        parts.join("/")
    }

    /// The folders of a page, each by its section's slug where it has one; a section is a folder of itself. `sections` leaves out
    /// those that are no sections.
    fn folders(&self, page: &Facts<'_>, sections: bool) -> Vec<String> {
        let mut found = Vec::new();
        each_folder(page, |at, path, part| {
            if !sections || at == 0 || (page.is_section)(path) {
                let slug = (page.section_slug)(path);
                found.push(self.sanitized(slug.as_deref().unwrap_or(part)));
            }
        });
        found
    }

    fn expanded(&self, pattern: &str, page: &Facts<'_>) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some(at) = rest.find(':') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let mut end = rest
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len());
            let name = &rest[..end];
            let slice = rest[end..]
                .strip_prefix('[')
                .and_then(|inside| inside.split_once(']'));
            let slice = slice.map(|(inside, _)| inside);
            end += slice.map_or(0, |inside| inside.len() + 2);
            match self.token(name, slice, page) {
                Some(text) => out.push_str(&text),
                None => {
                    out.push(':');
                    out.push_str(&rest[..end]);
                }
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }

    fn token(&self, name: &str, slice: Option<&str>, page: &Facts<'_>) -> Option<String> {
        let own = page.parts.last().map(String::as_str).unwrap_or_default();
        let titled = || page.title.or(Some(own)).map(|title| self.sanitized(title));
        let date = |layout: &str| {
            Some(
                page.date
                    .map_or_else(|| no_date(layout), |date| written(date, layout)),
            )
        };
        match name {
            "year" => date("2006"),
            "month" => date("01"),
            "monthname" => date("January"),
            "day" => date("02"),
            "weekday" => date("weekday"),
            "weekdayname" => date("Monday"),
            "yearday" => date("yearday"),
            "section" => Some(
                self.folders(page, true)
                    .into_iter()
                    .next()
                    .unwrap_or_default(),
            ),
            "sections" => Some(sliced(self.folders(page, true), slice).join("/")),
            "sectionslug" | "sectionslugs" => {
                let all = self.section_slugs(page);
                match name {
                    "sectionslug" => Some(all.into_iter().next().unwrap_or_default()),
                    _ => Some(sliced(all, slice).join("/")),
                }
            }
            "title" => titled(),
            "slug" => page.slug.map(|slug| self.sanitized(slug)).or_else(titled),
            "filename" | "contentbasename" => Some(self.sanitized(own)),
            "slugorfilename" | "slugorcontentbasename" => {
                Some(self.sanitized(page.slug.unwrap_or(own)))
            }
            layout
                if layout.starts_with(|c: char| c.is_ascii_digit())
                    || layout.starts_with("Jan")
                    || layout.starts_with("Mon") =>
            {
                date(layout)
            }
            _ => None,
        }
    }

    fn section_slugs(&self, page: &Facts<'_>) -> Vec<String> {
        let mut found = Vec::new();
        each_folder(page, |at, path, part| {
            if at == 0 || (page.is_section)(path) {
                let name = (page.section_slug)(path).or_else(|| (page.section_title)(path));
                found.push(self.sanitized(name.as_deref().unwrap_or(part)));
            }
        });
        found
    }

    /// A part of an address: white space becomes one hyphen, and only what Hugo lets stand in a path is kept.
    pub(super) fn sanitized(&self, text: &str) -> String {
        let text: String = match self.no_accents {
            true => text
                .nfd()
                .filter(|c| !is_combining_mark(*c))
                .nfc()
                .collect(),
            false => text.to_owned(),
        };
        let mut out = String::with_capacity(text.len());
        let mut gap = false;
        for c in text.chars() {
            let kept = c.is_alphanumeric() || is_combining_mark(c) || "./\\_#+~-@%".contains(c);
            if kept {
                if gap && c != '-' && !out.ends_with('-') {
                    out.push('-');
                }
                gap = false;
                out.push(c);
            } else if c.is_whitespace() && !out.is_empty() {
                gap = true;
            }
        }
        if self.keep_case {
            out
        } else {
            out.to_lowercase()
        }
    }
}

/// Calls with the place, the logical path and the name of every folder that a page lies in.
fn each_folder(page: &Facts<'_>, mut call: impl FnMut(usize, &str, &str)) {
    let own = usize::from(page.kind == PageKind::Page);
    let folders = page.parts.len().saturating_sub(own);
    let mut path = String::new();
    for (at, part) in page.parts[..folders].iter().enumerate() {
        path.push('/');
        path.push_str(&normalised(part));
        call(at, &path, part);
    }
}

/// A part of a logical path.
pub(super) fn normalised(part: &str) -> String {
    part.to_lowercase().replace(' ', "-")
}

fn sliced(all: Vec<String>, slice: Option<&str>) -> Vec<String> {
    let Some(slice) = slice else {
        return all;
    };
    let place = |text: &str, none: usize| match text.trim() {
        "" => Some(none),
        "last" => Some(all.len().saturating_sub(1)),
        text => text.parse().ok(),
    };
    let (from, to) = match slice.split_once(':') {
        Some((from, to)) => (place(from, 0), place(to, all.len())),
        None => {
            let at = place(slice, 0);
            (at, at.map(|at| at + 1))
        }
    };
    let (Some(from), Some(to)) = (from, to) else {
        return all;
    };
    let to = to.min(all.len());
    all.get(from.min(to)..to).unwrap_or_default().to_vec()
}

/// A page without a date has that of Go's year 1.
fn no_date(layout: &str) -> String {
    match layout {
        "2006" => "1".into(),
        "01" | "02" | "06" => "01".into(),
        "January" => "january".into(),
        "Monday" => "monday".into(),
        _ => "1".into(),
    }
}

fn written(date: &Date, layout: &str) -> String {
    let (year, month, day) = date.parts();
    let number = |text: &str| text.parse::<i16>().unwrap_or(1);
    let small = |text: &str| i8::try_from(number(text)).unwrap_or(1);
    let civil = jiff::civil::Date::new(number(year), small(month), small(day)).ok();
    let format =
        |pattern: &str| civil.map_or_else(String::new, |date| date.strftime(pattern).to_string());
    match layout {
        "2006" => year.to_owned(),
        "06" => year.get(2..).unwrap_or(year).to_owned(),
        "01" => month.to_owned(),
        "1" => number(month).to_string(),
        "02" => day.to_owned(),
        "2" => number(day).to_string(),
        "January" => format("%B").to_lowercase(),
        "Jan" => format("%b").to_lowercase(),
        "Monday" => format("%A").to_lowercase(),
        "Mon" => format("%a").to_lowercase(),
        "weekday" => format("%w"),
        "yearday" => civil.map_or_else(String::new, |date| date.day_of_year().to_string()),
        "15" | "03" | "04" | "05" => "00".into(),
        _ => String::new(),
    }
}
