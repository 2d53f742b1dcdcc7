//! The settings of a site: what its configuration file says, and guesses for the rest.
//!
//! A guess is told as a notice, with the key that takes its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use artifact::route::{Address, slugify};

use super::files::File;
use super::{CONFIG_FILE, Options, ReadError};
use crate::config::{self, Draft, Settings, guess, names};
use crate::generator::Generator;
use crate::html;
use crate::manual;
use crate::page::{self, Outcome};
use crate::place::{below, collection_of};
use crate::problem::{Problem, Problems, Severity};
use crate::site_map::State;
use crate::source;

/// Reads the configuration file, if there is one.
pub(super) fn configuration(
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

/// The folder that is read for pages of the manual; empty for none.
///
/// A site that says nothing is read for `man`, unless that is content: of a collection, of the site's generator, or of a site without any settings.
pub(super) fn manual(
    draft: &Draft,
    options: &Options,
    markdown: &[String],
    generator: Option<&dyn Generator>,
    notices: &mut Vec<String>,
) -> String {
    const USUAL: &str = "man";
    if let Some(said) = &draft.server.man {
        return said.clone();
    }
    let has_settings = options.config.is_some() || options.site.join(CONFIG_FILE).exists();
    let collections = draft.collections.as_deref().unwrap_or_default();
    let content = draft.content.as_deref().unwrap_or(".");
    let mut own = markdown
        .iter()
        .filter(|path| manual::is_own(path, USUAL))
        .peekable();
    let is_content = |path: &String| {
        let holds = |path| collection_of(path, collections).is_some();
        below(path, content).is_some_and(holds) || generator.is_some_and(|it| it.is_content(path))
    };
    if !has_settings || own.peek().is_none() || own.any(is_content) {
        return String::new();
    }
    notices.push(format!(
        "the folder `{USUAL}` is taken for pages of the manual; say `man` under `[server]` to choose"
    ));
    USUAL.to_owned()
}

/// The settings, with everything guessed but the title.
pub(super) fn settings(
    draft: Draft,
    options: &Options,
    markdown: &[String],
    others: &BTreeSet<String>,
    generator: Option<&dyn Generator>,
    notices: &mut Vec<String>,
    problems: &mut Vec<Problem>,
) -> Result<Settings, ReadError> {
    let facts = generator.map(|it| it.facts().clone()).unwrap_or_default();
    if let Some(generator) = generator {
        notices.push(format!(
            "`{}` says that the site is made with {}; say `generator` under `[site]` to choose",
            facts.config,
            generator.kind().title()
        ));
    }
    notices.extend(facts.notices);
    problems.extend(facts.problems);
    let mut site = draft.site;
    site.title = draft.title.or(facts.title).unwrap_or_default();
    site.description = site.description.or(facts.description);
    site.author = site.author.or(facts.author);
    let says = |key: &str| draft.said.contains(&key);
    if let Some(language) = facts.language.filter(|_| !says("site.language")) {
        site.language = language;
    }
    if let Some(slash) = facts
        .trailing_slash
        .filter(|_| !says("site.trailing_slash"))
    {
        site.trailing_slash = slash;
    }
    let mut tags = draft.tags;
    if let Some(keys) = facts.tag_keys.filter(|_| !says("tags.keys")) {
        tags.keys = keys;
    }
    if let Some(route) = facts.tag_route.filter(|_| !says("tags.route")) {
        tags.route = route;
    }
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
        None if generator.is_some() => facts.content,
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
    site.url = match (&options.url, draft.url.or(facts.url)) {
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
    let guessed_collections = draft.collections.is_none();
    let collections = match draft.collections {
        Some(mut collections) => {
            // The archive of a folder that the generator knows stands where the generator's documents do.
            for collection in collections.iter_mut().filter(|it| !it.own_route) {
                if let Some(known) = facts
                    .collections
                    .iter()
                    .find(|it| it.path == collection.path)
                {
                    collection.route.clone_from(&known.route);
                }
            }
            collections
        }
        None => {
            let inside = markdown
                .iter()
                .filter(|path| generator.is_none_or(|it| it.is_content(path)))
                .filter_map(|path| below(path, &site.content));
            let built = draft
                .html
                .iter()
                .flat_map(|html| html::chosen(html, others.iter()))
                .map(|(_, inside)| inside);
            let inside = inside.chain(built);
            let guessed = match facts.collections.is_empty() {
                true => guess::collections(inside),
                false => facts.collections,
            };
            // That what is left is a collection as well is nothing to choose.
            for collection in guessed.iter().filter(|it| it.path != ".") {
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
        guessed_collections,
        pages: draft.pages,
        html: draft.html,
        tags,
        search: draft.search,
        limits: draft.limits,
        exports: draft.exports,
        feedback: draft.feedback,
        address,
    })
}

/// Fills in the site's title and the server's name.
pub(super) fn title(
    settings: &mut Settings,
    files: &[File],
    root: &Path,
    notices: &mut Vec<String>,
) {
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
