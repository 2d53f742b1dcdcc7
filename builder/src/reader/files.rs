//! Reads the files of a site, understands their front matter, and gives each its place.
//!
//! What is not to be published loses its text here.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use globset::GlobSet;
use jiff::civil;
use rayon::prelude::*;

use super::Progress;
use crate::check::{self, Claim};
use crate::config::Settings;
use crate::front_matter::meta::Hidden;
use crate::front_matter::{self, Entry, Meta, meta};
use crate::generator::{Generator, Placing, Seen};
use crate::html;
use crate::leaks::HiddenDocument;
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
            include: (!include.is_empty()).then(|| source::globs(include)),
            exclude: source::globs(&settings.pages.exclude),
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
    pub(super) order: Option<u32>,
    pub(super) state: State,
    /// Whether it is hidden because its collection is private, and for no other reason.
    pub(super) is_private: bool,
}

impl File {
    fn seen(&mut self) -> Seen<'_> {
        Seen {
            source: &self.source,
            map: &self.map,
            meta: &mut self.meta,
            body: &self.body,
        }
    }

    /// What its author is told of a file that is not published.
    pub(super) fn hidden(&self) -> HiddenDocument {
        HiddenDocument {
            source: self.source.clone(),
            route: self.route.clone(),
            title: self.meta.title.clone(),
            why: match &self.meta.hidden {
                Some(hidden) => hidden.why.clone(),
                None if self.is_private => crate::leaks::PRIVATE.into(),
                None => "its collection is hidden".into(),
            },
        }
    }

    /// Forgets the text.
    fn empty(&mut self) {
        self.body = String::new();
        self.map = Vec::new();
    }
}

/// Reads files by their paths below the site's folder, which are sorted. They have no place yet.
pub(super) fn read(
    root: &Path,
    paths: Vec<String>,
    settings: &Settings,
    now: civil::Date,
    progress: &(dyn Fn(Progress) + Sync),
    problems: &mut Vec<Problem>,
) -> Vec<File> {
    let count = AtomicUsize::new(0);
    let read: Vec<(File, Vec<Problem>)> = paths
        .par_iter()
        .map(|path| {
            let mut told = Vec::new();
            let file = read_file(root, path, settings, now, &mut told);
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

/// Gives every file its place, by the site's generator when it has one. What is not to be published loses its text here.
pub(super) fn place(
    files: &mut [File],
    settings: &Settings,
    mut generator: Option<&mut (dyn Generator + 'static)>,
    problems: &mut Vec<Problem>,
) {
    let content = &settings.site.content;
    let paths: Vec<String> = files.iter().map(|file| file.source.clone()).collect();
    let all: HashSet<&str> = paths
        .iter()
        .filter_map(|path| below(path, content))
        .collect();
    let has_file = |path: &str| all.contains(path);
    if let Some(generator) = generator.as_deref_mut() {
        let mut seen: Vec<Seen<'_>> = files
            .iter_mut()
            .filter(|file| file.state != State::Broken)
            .map(File::seen)
            .collect();
        generator.survey(&mut seen, problems);
    }
    let generator = generator.as_deref();
    let told: Vec<Vec<Problem>> = files
        .par_iter_mut()
        .map(|file| {
            let mut told = Vec::new();
            let placing = match generator {
                Some(generator) if file.state != State::Broken => {
                    Some(generator.place(&mut file.seen()))
                }
                _ => None,
            };
            place_file(file, placing, settings, &has_file, &mut told);
            if file.state == State::Hidden
                && let Some(route) = generator.and_then(|it| it.hidden_route(&file.source))
            {
                file.route = route;
            }
            told
        })
        .collect();
    problems.extend(told.into_iter().flatten());
}

fn place_file(
    file: &mut File,
    placing: Option<Placing>,
    settings: &Settings,
    has_file: &dyn Fn(&str) -> bool,
    told: &mut Vec<Problem>,
) {
    let inside = below(&file.source, &settings.site.content)
        .unwrap_or(&file.source)
        .to_owned();
    if file.state != State::Broken {
        file.state = match &file.meta.hidden {
            Some(_) => State::Hidden,
            None => State::Published,
        };
    }
    let placed = match placing {
        Some(Placing::Material) => {
            file.state = State::Material;
            file.empty();
            return;
        }
        Some(Placing::Hidden(why)) => {
            file.state = State::Hidden;
            file.meta.hidden.get_or_insert(Hidden::of(why));
            None
        }
        Some(Placing::Page(placed)) => Some(placed),
        None => None,
    };
    let by_name = placed
        .as_ref()
        .and_then(|placed| placed.collection.as_deref());
    let collection = by_name
        .and_then(|name| settings.collections.iter().position(|c| c.name == name))
        .or_else(|| place::collection_of(&inside, &settings.collections));
    let own_route = collection.is_some_and(|at| settings.collections[at].own_route);
    match placed {
        Some(placed) if !own_route => {
            let is_archive = collection
                .is_some_and(|at| settings.collections[at].archive_route() == placed.route);
            file.route = placed.route;
            file.is_index = placed.is_index;
            file.order = placed.order;
            // A section's own page is a document as well when it says something.
            let has_text = !file.body.trim().is_empty();
            file.collection = collection.filter(|_| !is_archive || has_text);
        }
        _ => {
            if let (Some((pattern, line)), State::Published) = (&file.meta.url_pattern, file.state)
            {
                told.push(
                    Problem::warning(
                        &file.source,
                        format!("`{pattern}` is a pattern and is not followed"),
                    )
                    .at(*line)
                    .help("give collections a `route` in shelfmark.toml"),
                );
            }
            match place::place(&inside, &file.source, &file.meta, settings, has_file) {
                Ok(place) => {
                    file.route = place.route;
                    file.collection = place.collection;
                    file.is_index = place.is_index;
                    if settings.guessed_collections && !file.body.trim().is_empty() {
                        file.collection = collection;
                    }
                }
                Err(problem) => {
                    // A hidden page may well have no date yet.
                    if file.state == State::Published {
                        told.push(*problem);
                        file.state = State::Broken;
                    }
                    (_, file.is_index) = place::natural_path(&inside, has_file);
                }
            }
        }
    }
    let hidden = collection.is_some_and(|at| settings.collections[at].hidden);
    if hidden && file.state == State::Published {
        file.state = State::Hidden;
        file.is_private = collection.is_some_and(|at| settings.collections[at].private);
    }
    if file.state != State::Published {
        file.empty();
    }
}

/// Adds the pages that are taken in as built HTML. Files stay sorted.
pub(super) fn take_in(
    files: &mut Vec<File>,
    root: &Path,
    settings: &Settings,
    others: &mut BTreeSet<String>,
    now: civil::Date,
    problems: &mut Vec<Problem>,
) {
    if settings.html.is_empty() {
        return;
    }
    let taken: HashSet<&str> = files
        .iter()
        .filter(|file| matches!(file.state, State::Published | State::Hidden))
        .map(|file| file.route.as_str())
        .collect();
    let paths: Vec<String> = others.iter().cloned().collect();
    let pages = html::take_in(root, &settings.html, &paths, &taken, now, problems);
    for page in pages {
        others.remove(&page.source);
        let collection = place::collection_of(&page.path, &settings.collections);
        let is_kept = collection.is_some_and(|at| settings.collections[at].hidden);
        let is_hidden = page.meta.hidden.is_some() || is_kept;
        let is_private = is_kept
            && page.meta.hidden.is_none()
            && collection.is_some_and(|at| settings.collections[at].private);
        let is_archive =
            collection.is_some_and(|at| settings.collections[at].archive_route() == page.route);
        let mut file = File {
            source: page.source,
            meta: page.meta,
            map: Vec::new(),
            body: page.body,
            body_line: 1,
            route: page.route,
            collection: collection.filter(|_| !is_archive || settings.guessed_collections),
            is_index: page.is_index,
            order: None,
            state: if is_hidden {
                State::Hidden
            } else {
                State::Published
            },
            is_private,
        };
        if is_hidden {
            file.empty();
        }
        files.push(file);
    }
    files.sort_by(|a, b| a.source.cmp(&b.source));
}

/// Takes back the guessed collections in which nothing is published: the name of a folder that is kept back is nobody's to know.
pub(super) fn drop_empty(files: &mut [File], settings: &mut Settings) {
    if !settings.guessed_collections || settings.collections.len() < 2 {
        return;
    }
    let mut is_used = vec![false; settings.collections.len()];
    for file in files.iter().filter(|file| file.state == State::Published) {
        if let Some(at) = file.collection {
            is_used[at] = true;
        }
    }
    if !is_used.contains(&true) {
        is_used[0] = true;
    }
    let mut places = Vec::with_capacity(is_used.len());
    let mut kept = 0;
    for used in &is_used {
        places.push(used.then_some(kept));
        kept += usize::from(*used);
    }
    let posts = settings.collections.iter().position(|it| it.posts);
    let mut used = is_used.iter();
    settings
        .collections
        .retain(|_| used.next().copied().unwrap_or(true));
    if posts.is_some_and(|at| !is_used[at]) {
        settings.collections[0].posts = true;
    }
    for file in files {
        file.collection = file.collection.and_then(|at| places[at]);
    }
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
        order: None,
        state: State::Broken,
        is_private: false,
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
