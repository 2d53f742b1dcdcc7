//! From a site's folder to a [`Site`].
//!
//! Files are read and their front matter understood; then every file has its route, and links can be followed; then each page is
//! published and read; then the site is looked at as a whole. The work on single files is shared among threads, and the
//! result is the same however they are scheduled. What is wrong with the content never stops the reading: it is in
//! [`Site::problems`], and the caller decides what an error there means. A [`ReadError`] is for what could not be read at all.

mod files;
mod languages;
mod pages;
mod settle;

use std::collections::HashSet;
use std::path::PathBuf;
use std::{error, fmt};

use jiff::civil;

use crate::check;
use crate::config::Settings;
use crate::front_matter::meta;
use crate::generator::{self, Kind, SiteFiles};
use crate::leaks::HiddenDocument;
use crate::manual;
use crate::problem::{Problem, Problems};
use crate::site::{Page, Site};
use crate::site_map::State;
use crate::source;
use files::{Chosen, File};

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
    /// What the site is made with; by default what its files tell.
    pub generator: Option<Kind>,
}

/// For whom a site is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// For everybody: private collections are hidden ones.
    Public,
    /// For those with a token: private collections are like any other.
    Full,
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
        /// What was found on the way, and may be the cause: content that a generator's configuration looks for elsewhere, say.
        problems: Problems,
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
                "`{}` is not a folder\n  help: name the folder that holds the site's markdown",
                path.display()
            ),
            ReadError::Empty { path, problems } => {
                write!(
                    f,
                    "there is no markdown in `{}`\n  help: it is looked for in files that end in `.md`, `.mdx` or `.markdown`; \
                     set `content` under `[site]` when they are in another folder",
                    path.display()
                )?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, "\n{problem}"))
            }
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

/// Reads what everybody may see of a site.
///
/// # Errors
///
/// When there is no site to read, or its configuration is wrong. Problems of its content are in the site.
pub fn read_site(
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Site, ReadError> {
    read_view(options, View::Public, progress)
}

/// Reads a view of a site.
///
/// # Errors
///
/// When there is no site to read, or its configuration is wrong. Problems of its content are in the site.
pub fn read_view(
    options: &Options,
    view: View,
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
    let draft = settle::configuration(options, &mut notices, &mut problems)?;
    let mut found = source::find(root, &options.output);
    problems.extend(found.problems);
    let paths = found.markdown.iter().chain(&found.others).cloned();
    let mut site_files = SiteFiles::new(root, paths, options.now);
    let mut generator = match options.generator.or(draft.generator) {
        Some(kind) => generator::named(kind, &site_files)
            .map_err(|problem| ReadError::Config(Problems::new(vec![*problem])))?,
        None => generator::detect(&site_files),
    };
    let man = settle::manual(
        &draft,
        options,
        &found.markdown,
        generator.as_deref(),
        &mut notices,
    );
    let own: Vec<String> = found
        .markdown
        .extract_if(.., |path| manual::is_own(path, &man))
        .collect();
    let mut settings = settle::settings(
        draft,
        options,
        &found.markdown,
        &found.others,
        generator.as_deref(),
        &mut notices,
        &mut problems,
    )?;
    if view == View::Public {
        // Nothing that follows knows of private collections: what leaves out hidden ones leaves them out.
        for collection in &mut settings.collections {
            collection.hidden |= collection.private;
        }
    }
    let content = settings.site.content.clone();
    let chosen = Chosen::new(&settings);
    let (files, left_out): (Vec<String>, Vec<String>) =
        found.markdown.into_iter().partition(|path| {
            chosen.holds(path, &settings) && generator.as_ref().is_none_or(|it| it.is_content(path))
        });
    if files.is_empty() && settings.html.is_empty() {
        return Err(ReadError::Empty {
            path: match content.as_str() {
                "." => root.to_owned(),
                below => root.join(below),
            },
            problems: Problems::new(problems),
        });
    }
    let mut others = found.others;
    others.extend(left_out);
    progress(Progress::Found(files.len()));

    let mut files = files::read(root, files, &settings, options.now, progress, &mut problems);
    files::place(
        &mut files,
        &settings,
        generator.as_deref_mut(),
        &mut problems,
    );
    let (files, material): (Vec<File>, Vec<File>) = files
        .into_iter()
        .partition(|file| file.state != State::Material);
    others.extend(material.into_iter().map(|file| file.source));
    let mut files = files;
    files::take_in(
        &mut files,
        root,
        &settings,
        &mut others,
        options.now,
        &mut problems,
    );
    files::drop_empty(&mut files, &mut settings);
    let hidden = files.iter().filter(|file| file.state != State::Published);
    site_files.hide(hidden.map(|file| file.source.clone()));
    let hidden = files
        .iter()
        .filter(|file| file.state == State::Hidden)
        .map(File::hidden)
        .collect();
    settle::title(&mut settings, &files, root, &mut notices);
    files::refuse_shared_routes(&mut files, &mut problems);
    languages::guess(&mut files, &settings, &mut notices);
    let kept_back = pages::kept_back(&files, &settings);
    let made_with = pages::MadeWith {
        generator: generator.as_deref(),
        files: &site_files,
    };
    let (pages, unrendered) = pages::publish(
        &mut files,
        &settings,
        &others,
        &made_with,
        &kept_back,
        progress,
        &mut problems,
    );
    let kind = generator.as_ref().map_or(Kind::Plain, |it| it.kind());
    let routes: HashSet<&str> = pages
        .iter()
        .flatten()
        .map(|page| page.route.as_str())
        .collect();
    let own = manual::read_own(root, &own, &settings, &routes, options.now, &mut problems);
    let mut hidden: Vec<HiddenDocument> = hidden;
    hidden.extend(own.hidden);
    Ok(Site {
        generator: kind,
        unrendered,
        hidden,
        manual: own.pages,
        kept_back: kept_back.into_iter().collect(),
        used: site_files.used(),
        ..site(files, pages, settings, notices, problems)
    })
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
        generator: Kind::Plain,
        unrendered: Vec::new(),
        hidden: Vec::new(),
        manual: Vec::new(),
        kept_back: Vec::new(),
        used: Vec::new(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
