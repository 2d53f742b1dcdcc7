//! The site's files as generators may read them: configuration, includes, data.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jiff::civil;

use crate::front_matter::{self, meta};
use crate::problem::Problem;
use crate::source;

/// The files below the site's folder.
#[derive(Debug)]
pub(crate) struct SiteFiles {
    root: PathBuf,
    /// All files that were found, sorted.
    paths: BTreeSet<String>,
    /// Files whose text may reach nobody.
    hidden: HashSet<String>,
    /// Files that were read, by whatever a page asked for.
    used: Mutex<BTreeSet<String>>,
    now: civil::Date,
}

/// What is to stand in the place of an include.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Included {
    /// The file's text, without front matter when it is markdown.
    Text(String),
    /// The file is not published, and so is nothing of it.
    Hidden,
    /// There is no such file.
    Missing,
    /// The file cannot be read: why.
    Unreadable(String),
}

impl Included {
    /// The text, or what is wrong and what to do about it. `how` says what was to be done with the file: `is included`.
    pub(crate) fn text(
        self,
        path: &str,
        how: &str,
    ) -> Result<String, (String, Option<&'static str>)> {
        Err(match self {
            Included::Text(text) => return Ok(text),
            Included::Hidden => (
                format!("`{path}` {how} and is not published"),
                Some("it is left out"),
            ),
            Included::Missing => (format!("`{path}` {how} and is not there"), None),
            Included::Unreadable(why) => {
                (format!("`{path}` {how} and cannot be read: {why}"), None)
            }
        })
    }
}

impl SiteFiles {
    /// The files that were found below a folder.
    pub(crate) fn new(
        root: &Path,
        paths: impl Iterator<Item = String>,
        now: civil::Date,
    ) -> SiteFiles {
        SiteFiles {
            root: root.to_owned(),
            paths: paths.collect(),
            hidden: HashSet::new(),
            used: Mutex::default(),
            now,
        }
    }

    /// The day of the build.
    pub(crate) fn now(&self) -> civil::Date {
        self.now
    }

    /// Whether there is a file. Files in folders that start with a dot are found as well.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains(path) || (is_below(path) && self.root.join(path).is_file())
    }

    /// The paths that were found, sorted: all but those in folders that start with a dot.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    /// The paths below a folder, sorted.
    pub(crate) fn below<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'s str> {
        self.paths()
            .filter(move |path| crate::place::below(path, folder).is_some())
    }

    /// The first of some file names in the site's folder or in a folder directly below it; a shorter path comes first.
    pub(crate) fn find(&self, names: &[&str]) -> Option<String> {
        let own = names.iter().find(|name| self.has(name));
        if let Some(name) = own {
            return Some((*name).to_owned());
        }
        let folders: BTreeSet<&str> = self
            .paths()
            .filter_map(|path| path.split_once('/'))
            .map(|(folder, _)| folder)
            .collect();
        folders.iter().find_map(|folder| {
            names
                .iter()
                .map(|name| format!("{folder}/{name}"))
                .find(|path| self.has(path))
        })
    }

    /// The text of a configuration or data file.
    ///
    /// # Errors
    /// When it cannot be read, or is not UTF-8.
    pub(crate) fn read(&self, path: &str) -> Result<String, Problem> {
        if !is_below(path) {
            return Err(Problem::error(
                path,
                "the file is not below the site's folder",
            ));
        }
        self.uses(path);
        source::read(&self.root, path)
    }

    fn uses(&self, path: &str) {
        if let Ok(mut used) = self.used.lock()
            && !used.contains(path)
        {
            used.insert(path.to_owned());
        }
    }

    /// The files that were read, sorted.
    pub(crate) fn used(&self) -> Vec<String> {
        self.used
            .lock()
            .map_or_else(|_| Vec::new(), |used| used.iter().cloned().collect())
    }

    /// The text of a file that a page includes. `path` is below the site's folder.
    pub(crate) fn include(&self, path: &str) -> Included {
        if self.hidden.contains(path) {
            return Included::Hidden;
        }
        if !is_below(path) || !self.has(path) {
            return Included::Missing;
        }
        let mut text = match source::read(&self.root, path) {
            Ok(text) => text,
            Err(problem) => return Included::Unreadable(problem.what),
        };
        if source::markdown_ending(path).is_none() {
            self.uses(path);
            return Included::Text(text);
        }
        match front_matter::split(&text, path) {
            Ok(parts) => {
                let (meta, _) = meta::meta(&parts.map, path, &[], self.now);
                if meta.hidden.is_some() {
                    return Included::Hidden;
                }
                let start = text.len() - parts.body.len();
                text.drain(..start);
                self.uses(path);
                Included::Text(text)
            }
            Err(problem) => Included::Unreadable(problem.what),
        }
    }

    /// Keeps files back from every include.
    pub(crate) fn hide(&mut self, paths: impl Iterator<Item = String>) {
        self.hidden.extend(paths);
    }
}

/// Whether a path stays below the folder it is joined to.
fn is_below(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('/')
        && !path.contains('\\')
        && path.split('/').all(|part| part != "..")
}

/// A path from a folder, with `.` and `..` followed; none when it climbs out.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    crate::site_map::joined(folder, path)
}
