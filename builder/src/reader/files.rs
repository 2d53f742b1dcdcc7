//! Reads the files of a site, understands their front matter, and gives each its place.
//!
//! What is not to be published loses its text here.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use jiff::civil;
use rayon::prelude::*;

use super::Progress;
use crate::check::{self, Claim};
use crate::config::Settings;
use crate::front_matter::{self, Entry, Meta, meta};
use crate::place::{self, below};
use crate::problem::Problem;
use crate::site_map::State;
use crate::source;

/// Which files are read at all.
pub(super) struct Chosen {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Chosen {
    pub(super) fn new(settings: &Settings) -> Chosen {
        let include = &settings.pages.include;
        Chosen {
            include: (!include.is_empty()).then(|| globs(include)),
            exclude: globs(&settings.pages.exclude),
        }
    }

    pub(super) fn holds(&self, path: &str, settings: &Settings) -> bool {
        let Some(path) = below(path, &settings.site.content) else {
            return false;
        };
        let in_collection = || place::collection_of(path, &settings.collections).is_some();
        !self.exclude.is_match(path)
            && (self.include.as_ref().is_none_or(|set| set.is_match(path)) || in_collection())
    }
}

/// A pattern that is wrong was told when the configuration was read.
fn globs(patterns: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in patterns
        .iter()
        .filter_map(|p| GlobBuilder::new(p).literal_separator(true).build().ok())
    {
        set.add(glob);
    }
    set.build().unwrap_or_default()
}

/// A file on its way to being a page.
pub(super) struct File {
    pub(super) source: String,
    pub(super) meta: Meta,
    pub(super) map: Vec<Entry>,
    pub(super) body: String,
    pub(super) body_line: u32,
    pub(super) route: String,
    pub(super) collection: Option<usize>,
    pub(super) is_index: bool,
    pub(super) state: State,
}

/// Reads files by their paths below the site's folder, which are sorted.
pub(super) fn read(
    root: &Path,
    paths: Vec<String>,
    settings: &Settings,
    now: civil::Date,
    progress: &(dyn Fn(Progress) + Sync),
    problems: &mut Vec<Problem>,
) -> Vec<File> {
    let all: HashSet<&str> = paths
        .iter()
        .filter_map(|path| below(path, &settings.site.content))
        .collect();
    let has_file = |path: &str| all.contains(path);
    let count = AtomicUsize::new(0);
    let read: Vec<(File, Vec<Problem>)> = paths
        .par_iter()
        .map(|path| {
            let mut told = Vec::new();
            let mut file = read_file(root, path, settings, now, &mut told);
            let inside = below(path, &settings.site.content).unwrap_or(path);
            match place::place(inside, path, &file.meta, settings, &has_file) {
                Ok(place) => {
                    file.route = place.route;
                    file.collection = place.collection;
                    file.is_index = place.is_index;
                }
                Err(problem) => {
                    // A hidden page may well have no date yet.
                    if file.state == State::Published {
                        told.push(*problem);
                        file.state = State::Broken;
                    }
                    (_, file.is_index) = place::natural_path(inside, &has_file);
                }
            }
            let hidden = place::collection_of(inside, &settings.collections)
                .is_some_and(|at| settings.collections[at].hidden);
            if hidden && file.state == State::Published {
                file.state = State::Hidden;
            }
            if file.state != State::Published {
                file.body = String::new();
                file.map = Vec::new();
            }
            progress(Progress::Read(count.fetch_add(1, Ordering::Relaxed) + 1));
            (file, told)
        })
        .collect();
    let mut files = Vec::with_capacity(read.len());
    for (file, told) in read {
        files.push(file);
        problems.extend(told);
    }
    files
}

fn read_file(
    root: &Path,
    path: &str,
    settings: &Settings,
    now: civil::Date,
    told: &mut Vec<Problem>,
) -> File {
    let mut file = File {
        source: path.to_owned(),
        meta: Meta::default(),
        map: Vec::new(),
        body: String::new(),
        body_line: 1,
        route: String::new(),
        collection: None,
        is_index: false,
        state: State::Broken,
    };
    let mut text = match source::read(root, path) {
        Ok(text) => text,
        Err(problem) => {
            told.push(problem);
            return file;
        }
    };
    let start = match front_matter::split(&text, path) {
        Ok(parts) => {
            told.extend(parts.warnings);
            file.map = parts.map;
            file.body_line = parts.body_line;
            text.len() - parts.body.len()
        }
        Err(problem) => {
            told.push(*problem);
            return file;
        }
    };
    text.drain(..start);
    file.body = text;
    let (meta, problems) = meta::meta(&file.map, path, &settings.tags.keys, now);
    told.extend(problems);
    file.state = if meta.hidden.is_some() {
        State::Hidden
    } else {
        State::Published
    };
    file.meta = meta;
    file
}

/// The second of two files for one route is told, and is not published.
pub(super) fn refuse_shared_routes(files: &mut [File], problems: &mut Vec<Problem>) {
    let published: Vec<usize> = (0..files.len())
        .filter(|at| files[*at].state == State::Published)
        .collect();
    let claims: Vec<Claim<'_>> = published
        .iter()
        .map(|at| Claim {
            source: &files[*at].source,
            route: &files[*at].route,
        })
        .collect();
    let (refused, told) = check::routes(&claims);
    problems.extend(told);
    for at in refused {
        files[published[at]].state = State::Broken;
    }
}
