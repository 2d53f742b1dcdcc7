//! From a site's folder to a [`Site`].
//!
//! Files are read and their front matter understood; then every file has its route, and links can be followed; then each page is
//! published and read; then the site is looked at as a whole. The work on single files is shared among threads, and the
//! result is the same however they are scheduled. What is wrong with the content never stops the reading: it is in
//! [`Site::problems`], and the caller decides what an error there means. A [`ReadError`] is for what could not be read at all.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{error, fmt, fs};

use artifact::route::{Address, slug_of, slugify};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use jiff::civil;
use rayon::prelude::*;

use crate::check::{self, Claim};
use crate::config::{self, Draft, Settings, guess, names};
use crate::dead_links::{self, DeadLink};
use crate::front_matter::{self, Entry, Meta, meta};
use crate::page::{self, Kind, Outcome, Reference};
use crate::place::{self, below};
use crate::problem::{Problem, Problems, Severity};
use crate::site::{Page, Site};
use crate::site_map::{SiteMap, State, Stop, Target};
use crate::source;

/// The configuration file that is looked for in the site's folder.
pub const CONFIG_FILE: &str = "shelfmark.toml";

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// The site's folder.
    pub site: PathBuf,
    /// The configuration file; by default `shelfmark.toml` in the site's folder, if it is there.
    pub config: Option<PathBuf>,
    /// The day of the build, in UTC: what is dated later is not published.
    pub now: civil::Date,
    /// Folders that hold what is built, and no content.
    pub output: Vec<PathBuf>,
    /// An address that takes the place of the settings' own.
    pub url: Option<String>,
}

/// How far the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many markdown files were found.
    Found(usize),
    /// So many files are read.
    Read(usize),
    /// So many pages are published.
    Published(usize),
}

/// Why a site could not be read at all.
#[derive(Debug)]
pub enum ReadError {
    /// The site's folder is not there, or is no folder.
    NoFolder {
        /// The path that was given.
        path: PathBuf,
    },
    /// There is no markdown in it.
    Empty {
        /// The folder that was looked into.
        path: PathBuf,
    },
    /// The configuration file cannot be read.
    Unreadable {
        /// The configuration file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The configuration file says things that cannot be.
    Config(Problems),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NoFolder { path } => write!(
                f,
                "`{}` is not a folder\nhelp: name the folder that holds the site's markdown",
                path.display()
            ),
            ReadError::Empty { path } => write!(
                f,
                "there is no markdown in `{}`\nhelp: it is looked for in files that end in `.md`, `.mdx` or `.markdown`; \
                 set `content` under `[site]` when they are in another folder",
                path.display()
            ),
            ReadError::Unreadable { path, .. } => {
                write!(f, "cannot read the configuration file `{}`", path.display())
            }
            ReadError::Config(problems) => {
                for (at, problem) in problems.iter().enumerate() {
                    write!(f, "{}{problem}", if at > 0 { "\n" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl error::Error for ReadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            ReadError::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Reads a whole site.
///
/// # Errors
///
/// When there is no site to read, or its configuration is wrong. Problems of its content are in the site.
pub fn read_site(
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Site, ReadError> {
    let root = options.site.as_path();
    if !root.is_dir() {
        return Err(ReadError::NoFolder {
            path: root.to_owned(),
        });
    }
    let mut notices = Vec::new();
    let mut problems = Vec::new();
    let draft = configuration(options, &mut notices, &mut problems)?;
    let found = source::find(root, &options.output);
    problems.extend(found.problems);
    let settings = settings(draft, options, &found.markdown, &mut notices)?;
    let content = settings.site.content.clone();
    let chosen = Chosen::new(&settings);
    let (files, left_out): (Vec<String>, Vec<String>) = found
        .markdown
        .into_iter()
        .partition(|path| chosen.holds(path, &settings));
    if files.is_empty() {
        return Err(ReadError::Empty {
            path: root.join(&content),
        });
    }
    let mut others = found.others;
    others.extend(left_out);
    progress(Progress::Found(files.len()));

    let mut files = read_files(root, files, &settings, options.now, progress, &mut problems);
    let mut settings = settings;
    title(&mut settings, &files, root, &mut notices);
    refuse_shared_routes(&mut files, &mut problems);
    let pages = publish(&mut files, &settings, &others, progress, &mut problems);
    Ok(site(files, pages, settings, notices, problems))
}

/// Reads the configuration file, if there is one.
fn configuration(
    options: &Options,
    notices: &mut Vec<String>,
    problems: &mut Vec<Problem>,
) -> Result<Draft, ReadError> {
    let path = match &options.config {
        Some(path) => path.clone(),
        None => {
            let path = options.site.join(CONFIG_FILE);
            if !path.exists() {
                notices.push(format!(
                    "there is no {CONFIG_FILE}; the settings are guessed from the files"
                ));
                return Ok(Draft::default());
            }
            path
        }
    };
    let name = path
        .strip_prefix(&options.site)
        .unwrap_or(&path)
        .to_string_lossy()
        .into_owned();
    let bytes = fs::read(&path).map_err(|source| ReadError::Unreadable {
        path: path.clone(),
        source,
    })?;
    let text = source::text_of(bytes, &name)
        .map_err(|problem| ReadError::Config(Problems::new(vec![problem])))?;
    let (draft, found) = config::read(&text, &name);
    if found.iter().any(|p| p.severity == Severity::Error) {
        return Err(ReadError::Config(Problems::new(found)));
    }
    problems.extend(found);
    Ok(draft)
}

/// The settings, with everything guessed but the title.
fn settings(
    draft: Draft,
    options: &Options,
    markdown: &[String],
    notices: &mut Vec<String>,
) -> Result<Settings, ReadError> {
    let mut site = draft.site;
    site.title = draft.title.unwrap_or_default();
    site.content = match draft.content {
        Some(content) => {
            let content = content
                .trim_matches('/')
                .trim_start_matches("./")
                .trim_end_matches("/.");
            if content.is_empty() {
                ".".to_owned()
            } else {
                content.to_owned()
            }
        }
        None => {
            let guessed = guess::content_folder(markdown);
            if guessed != "." {
                notices.push(format!(
                    "the content is read from `{guessed}`; say `content` under `[site]` to choose"
                ));
            }
            guessed
        }
    };
    site.url = match (&options.url, draft.url) {
        (Some(url), _) => url.clone(),
        (None, Some(url)) => url,
        (None, None) => {
            notices.push(format!(
                "the site's address is taken for `{}`; say `url` under `[site]`",
                site.url
            ));
            site.url
        }
    };
    let address = Address::parse(&site.url, site.trailing_slash).map_err(|error| {
        ReadError::Config(Problems::new(vec![Problem::error(
            "--url",
            error.to_string(),
        )]))
    })?;
    let collections = match draft.collections {
        Some(collections) => collections,
        None => {
            let inside = markdown
                .iter()
                .filter_map(|path| below(path, &site.content));
            let guessed = guess::collections(inside);
            for collection in &guessed {
                notices.push(format!(
                    "the folder `{}` is taken for a collection{}; say `[[collections]]` to choose",
                    collection.path,
                    if collection.posts { " of posts" } else { "" }
                ));
            }
            guessed
        }
    };
    Ok(Settings {
        site,
        server: draft.server,
        collections,
        pages: draft.pages,
        tags: draft.tags,
        limits: draft.limits,
        feedback: draft.feedback,
        address,
    })
}

/// Fills in the site's title and the server's name.
fn title(settings: &mut Settings, files: &[File], root: &Path, notices: &mut Vec<String>) {
    if settings.site.title.is_empty() {
        let own = files
            .iter()
            .find(|file| file.route == "/" && file.state == State::Published);
        let guessed = own
            .and_then(|file| {
                file.meta
                    .title
                    .clone()
                    .or_else(|| first_heading(&file.body))
            })
            .or_else(|| folder_title(&root.canonicalize().ok()?));
        settings.site.title = guessed.unwrap_or_else(|| "Site".into());
        notices.push(format!(
            "the site is called `{}`; say `title` under `[site]` to choose",
            settings.site.title
        ));
    }
    if settings.server.name.is_empty() {
        settings.server.name = slugify(&settings.site.title);
    }
}

/// The name of the nearest folder that is called after something.
fn folder_title(path: &Path) -> Option<String> {
    const GENERAL: &[&str] = &[
        "content", "docs", "doc", "src", "site", "website", "www", "pages", "public",
    ];
    let names = path
        .ancestors()
        .filter_map(|folder| folder.file_name())
        .map(|name| name.to_string_lossy());
    let own = names
        .clone()
        .find(|name| !GENERAL.contains(&name.to_lowercase().as_str()));
    own.or_else(|| names.into_iter().next())
        .map(|name| names::prettified(&name))
}

fn first_heading(body: &str) -> Option<String> {
    let published = page::publish(body.to_owned(), 1, false, &mut |_| Outcome::Keep);
    page::read(&published.markdown, usize::MAX)
        .outline
        .into_iter()
        .next()
        .map(|heading| heading.text)
}

/// Which files are read at all.
struct Chosen {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Chosen {
    fn new(settings: &Settings) -> Chosen {
        let include = &settings.pages.include;
        Chosen {
            include: (!include.is_empty()).then(|| globs(include)),
            exclude: globs(&settings.pages.exclude),
        }
    }

    fn holds(&self, path: &str, settings: &Settings) -> bool {
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
struct File {
    source: String,
    meta: Meta,
    map: Vec<Entry>,
    body: String,
    body_line: u32,
    route: String,
    collection: Option<usize>,
    is_index: bool,
    state: State,
}

fn read_files(
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

fn refuse_shared_routes(files: &mut [File], problems: &mut Vec<Problem>) {
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

/// Publishes every file that is to be a page, in the order of the files.
fn publish(
    files: &mut [File],
    settings: &Settings,
    others: &BTreeSet<String>,
    progress: &(dyn Fn(Progress) + Sync),
    problems: &mut Vec<Problem>,
) -> Vec<Option<Page>> {
    let stops = files
        .iter()
        .map(|file| Stop {
            source: file.source.clone(),
            route: file.route.clone(),
            is_index: file.is_index,
            state: file.state,
        })
        .collect();
    let map = SiteMap::new(settings, stops, others);
    let count = AtomicUsize::new(0);
    let made: Vec<(Option<Made>, Vec<Problem>)> = files
        .par_iter_mut()
        .enumerate()
        .map(|(at, file)| {
            if file.state != State::Published {
                return (None, Vec::new());
            }
            let mut told = Vec::new();
            let made = make_page(at, file, settings, &map, &mut told);
            progress(Progress::Published(
                count.fetch_add(1, Ordering::Relaxed) + 1,
            ));
            (Some(made), told)
        })
        .collect();

    let tagged: Vec<(&str, &[meta::TagWritten])> = files
        .iter()
        .filter(|file| file.state == State::Published)
        .map(|file| (file.source.as_str(), file.meta.tags.as_slice()))
        .collect();
    let (tags, ..) = check::tags(&tagged);
    let generated = check::generated_routes(settings, &tags);
    let mut dead = Vec::new();
    let mut pages = Vec::with_capacity(made.len());
    for (made, told) in made {
        problems.extend(told);
        pages.push(made.map(|made| {
            dead.extend(
                made.dead
                    .into_iter()
                    .filter(|link| !generated.contains(&link.route)),
            );
            made.page
        }));
    }
    let routes: HashSet<&str> = pages
        .iter()
        .flatten()
        .map(|page| page.route.as_str())
        .collect();
    problems.extend(dead_links::problems(dead, &routes));
    pages
}

struct Made {
    page: Page,
    dead: Vec<DeadLink>,
}

fn make_page(
    at: usize,
    file: &mut File,
    settings: &Settings,
    map: &SiteMap<'_>,
    told: &mut Vec<Problem>,
) -> Made {
    let mut cites: Vec<String> = Vec::new();
    let mut dead: Vec<DeadLink> = Vec::new();
    let route = file.route.clone();
    let source = file.source.clone();
    let mdx =
        source::markdown_ending(&source).is_some_and(|ending| ending.eq_ignore_ascii_case(".mdx"));
    let mut hidden: HashSet<usize> = HashSet::new();
    let mut resolve = |reference: &Reference<'_>| -> Outcome {
        let mut cite = |to: &str| {
            let counts = matches!(reference.kind, Kind::Link | Kind::Html) && to != route;
            if counts && !cites.iter().any(|known| known == to) {
                cites.push(to.to_owned());
            }
        };
        match map.target(at, reference.target) {
            Target::Elsewhere => Outcome::Keep,
            Target::Page { route, url } => {
                cite(&route);
                url.map_or(Outcome::Keep, Outcome::Replace)
            }
            Target::File { url } => Outcome::Replace(url),
            Target::Missing { route, url } => {
                cite(&route);
                let known = dead.iter().any(|link| link.route == route);
                if !known && reference.kind != Kind::Image && reference.kind != Kind::Definition {
                    dead.push(DeadLink {
                        source: source.clone(),
                        line: reference.line,
                        link: reference.target.to_owned(),
                        route,
                    });
                }
                Outcome::Replace(url)
            }
            Target::Hidden(to) => {
                let stop = map.stop(to);
                let is_use = reference.kind != Kind::Definition;
                if stop.state == State::Hidden && is_use && hidden.insert(to) {
                    told.push(
                        Problem::warning(
                            &source,
                            format!(
                                "the link leads to `{}`, which is not published",
                                stop.source
                            ),
                        )
                        .at(reference.line)
                        .help("the link is left out and its text stays"),
                    );
                }
                Outcome::Unlink
            }
        }
    };
    let published = page::publish(
        std::mem::take(&mut file.body),
        file.body_line,
        mdx,
        &mut resolve,
    );
    for line in published.unclosed_comments {
        told.push(
            Problem::warning(
                &source,
                "a comment is never closed, and all that follows is left out",
            )
            .at(line)
            .help("close it with `-->`"),
        );
    }
    let reading = page::read(&published.markdown, settings.limits.markdown_chars);
    let declared = file
        .collection
        .map_or(&[][..], |at| settings.collections[at].fields.as_slice());
    let (fields, problems) = meta::fields(&std::mem::take(&mut file.map), &source, declared);
    told.extend(problems);
    let meta = &mut file.meta;
    let title = meta
        .title
        .take()
        .or_else(|| reading.outline.first().map(|heading| heading.text.clone()))
        .unwrap_or_else(|| file_title(&source, &route, &settings.site.title));
    let seconds =
        |written: &Option<meta::Written>| written.as_ref()?.date.as_ref().map(|date| date.seconds);
    let page = Page {
        route,
        collection: file.collection,
        title,
        description: meta.description.take(),
        author: meta.author.take().or_else(|| settings.site.author.clone()),
        sort_date: seconds(&meta.date).or_else(|| seconds(&meta.updated)),
        date: meta.date.take().map(|written| written.text),
        updated: meta.updated.take().map(|written| written.text),
        tags: Vec::new(),
        aliases: std::mem::take(&mut meta.aliases),
        language: meta
            .language
            .take()
            .unwrap_or_else(|| settings.site.language.clone()),
        fields,
        markdown: published.markdown,
        reading,
        cites,
        source,
    };
    Made { page, dead }
}

/// A title from the file's name, or from its folder's when the name says nothing.
fn file_title(source: &str, route: &str, site_title: &str) -> String {
    let (name, is_index) = place::natural_path(source, &|_| false);
    let name = if is_index {
        slug_of(route)
    } else {
        slug_of(&name)
    };
    let title = artifact::clean::one_line(&names::prettified(name)).into_owned();
    match (title.is_empty(), site_title.is_empty()) {
        (false, _) => title,
        (true, false) => site_title.to_owned(),
        (true, true) => "Untitled".into(),
    }
}

fn site(
    files: Vec<File>,
    pages: Vec<Option<Page>>,
    settings: Settings,
    notices: Vec<String>,
    mut problems: Vec<Problem>,
) -> Site {
    let tagged: Vec<(&str, &[meta::TagWritten])> = files
        .iter()
        .zip(&pages)
        .filter(|(_, page)| page.is_some())
        .map(|(file, _)| (file.source.as_str(), file.meta.tags.as_slice()))
        .collect();
    let (tags, carried, told) = check::tags(&tagged);
    problems.extend(told);
    let mut pages: Vec<Page> = pages
        .into_iter()
        .flatten()
        .zip(carried)
        .map(|(page, tags)| Page { tags, ..page })
        .collect();
    pages.sort_by(|a, b| a.route.cmp(&b.route));
    Site {
        settings,
        pages,
        tags,
        problems: Problems::new(problems),
        notices,
    }
}

#[cfg(test)]
mod tests;
