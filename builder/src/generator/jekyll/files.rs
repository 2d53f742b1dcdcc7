//! Which files Jekyll reads, and as what: pages, posts, drafts, documents.

use super::super::SiteFiles;
use super::super::settings::{self, Config};
use super::{Jekyll, Role, permalink};
use crate::place::below;
use crate::site_map::joined;

/// What Jekyll leaves out when `exclude` says nothing, and also when it does.
const EXCLUDED: &[&str] = &[
    ".sass-cache",
    ".jekyll-cache",
    "gemfiles",
    "Gemfile",
    "Gemfile.lock",
    "node_modules",
    "vendor/bundle/",
    "vendor/cache/",
    "vendor/gems/",
    "vendor/ruby/",
];
/// Files that `jekyll-optional-front-matter` takes for no pages.
const NO_PAGES: &[&str] = &[
    "readme",
    "license",
    "contributing",
    "code_of_conduct",
    "copying",
    "security",
    "support",
    "issue_template",
    "pull_request_template",
];

impl Jekyll {
    /// Finds out what each markdown file is.
    pub(super) fn roles(&mut self, files: &SiteFiles) {
        let optional = has_plugin(
            &self.config,
            files,
            &self.root,
            "jekyll-optional-front-matter",
        );
        let mut html = Vec::new();
        for path in files.below(&self.root) {
            let inside = below(path, &self.root).unwrap_or(path);
            let is_markdown = crate::source::markdown_ending(path).is_some();
            let is_html = inside.ends_with(".html") || inside.ends_with(".htm");
            if !(is_markdown || is_html) || self.is_excluded(inside) {
                continue;
            }
            let has_header = || {
                files.read(path).is_ok_and(|text| {
                    text.lines()
                        .next()
                        .is_some_and(|line| line.trim_end() == "---")
                })
            };
            let Some(role) = self.role(inside, optional, &has_header) else {
                continue;
            };
            if is_markdown {
                self.roles.insert(path.to_owned(), role);
            } else if role == Role::Page && has_header() {
                html.push(path);
            }
        }
        if let Some(first) = html.first() {
            let (count, verb) = match html.len() {
                1 => ("1 page is".to_owned(), "is"),
                count => (format!("{count} pages are"), "are"),
            };
            self.facts.notices.push(format!(
                "{count} written in HTML (`{first}`) and {verb} not read; take what they say from the built site with `[[html]]`"
            ));
        }
    }

    fn role(&self, inside: &str, optional: bool, has_header: &dyn Fn() -> bool) -> Option<Role> {
        let parts: Vec<&str> = inside.split('/').collect();
        let (name, folders) = parts.split_last()?;
        if let Some(at) = folders
            .iter()
            .position(|part| matches!(*part, "_posts" | "_drafts"))
        {
            let container = self.collections_dir();
            let before = &folders[..at];
            let is_read = container.is_empty()
                || before.join("/") == container
                || before.iter().all(|part| !is_special(part));
            if before.iter().any(|part| is_special(part)) && before.join("/") != container
                || !is_read
            {
                return None;
            }
            let stem = name.rsplit_once('.').map_or(*name, |(stem, _)| stem);
            return Some(match folders[at] {
                "_drafts" => Role::Draft,
                _ if permalink::dated(stem).is_some() => Role::Document(0),
                _ => Role::Undated,
            });
        }
        for (at, collection) in self.collections.iter().enumerate().skip(1) {
            let Some(rest) = below(inside, &collection.folder).filter(|rest| !rest.is_empty())
            else {
                continue;
            };
            let shown = collection.output && !rest.split('/').any(is_special) && has_header();
            return shown.then_some(Role::Document(at));
        }
        let included = self.list("include");
        let special = parts.iter().enumerate().any(|(at, part)| {
            is_special(part)
                && !included
                    .iter()
                    .any(|it| it.trim_matches('/') == parts[..=at].join("/") || it == part)
        });
        if special {
            return None;
        }
        let stem = name
            .rsplit_once('.')
            .map_or(*name, |(stem, _)| stem)
            .to_lowercase();
        let by_plugin = optional && !NO_PAGES.contains(&stem.as_str());
        (has_header() || by_plugin).then_some(Role::Page)
    }

    fn list(&self, key: &str) -> Vec<String> {
        self.config
            .node(key)
            .map(settings::texts)
            .unwrap_or_default()
    }

    pub(super) fn collections_dir(&self) -> String {
        self.config
            .text("collections_dir")
            .unwrap_or_default()
            .trim_matches('/')
            .to_owned()
    }

    /// Whether `exclude` holds a path below the source: by its beginning or by a pattern, as Jekyll looks.
    fn is_excluded(&self, inside: &str) -> bool {
        let included = self.list("include");
        let excluded = self.list("exclude");
        let patterns = excluded
            .iter()
            .map(String::as_str)
            .chain(EXCLUDED.iter().copied());
        let matches = |pattern: &str| {
            let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
            !pattern.is_empty()
                && (inside.starts_with(pattern)
                    || globset::Glob::new(pattern).is_ok_and(|glob| {
                        let glob = glob.compile_matcher();
                        glob.is_match(inside)
                            || inside
                                .match_indices('/')
                                .any(|(at, _)| glob.is_match(&inside[..at]))
                    }))
        };
        patterns
            .filter(|pattern| !included.iter().any(|it| it == pattern))
            .any(matches)
    }
}

fn is_special(part: &str) -> bool {
    part.starts_with(['_', '.', '#', '~']) || part.ends_with('~')
}

fn has_plugin(config: &Config, files: &SiteFiles, root: &str, name: &str) -> bool {
    let listed = ["plugins", "gems"].iter().any(|key| {
        let names = config.node(key).map(settings::texts).unwrap_or_default();
        names.iter().any(|it| it == name)
    });
    // GitHub Pages has it on by itself.
    let gemfile = joined(root, "Gemfile").filter(|path| files.has(path));
    listed
        || gemfile
            .and_then(|path| files.read(&path).ok())
            .is_some_and(|text| {
                text.lines().any(|line| {
                    line.trim_start().starts_with("gem") && line.contains("github-pages")
                })
            })
}
