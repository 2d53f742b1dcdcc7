//! The conventions of site generators, behind one interface, a file each.
//!
//! A generator is told by the files that only its sites have, and read for what decides where a page stands, what is hidden and what its
//! own syntax means. It gives `Facts` about the site, a `Placing` for each file, and takes its syntax out of each page's text. Nothing of
//! a site is ever run, and no generator need be installed.
//!
//! What `shelfmark.toml` says holds before what a generator says, and that before what is guessed.

pub(crate) mod data;
mod docusaurus;
mod eleventy;
mod files;
mod hugo;
mod jekyll;
pub(crate) mod js;
mod mdbook;
mod mkdocs;
pub(crate) mod settings;
mod starlight;
mod vitepress;
mod zola;

use std::fmt;

use crate::config::CollectionSettings;
use crate::front_matter::{Entry, Meta};
use crate::page::{Anchors, Log, Text};
use crate::problem::Problem;
pub(crate) use files::{Included, SiteFiles};

/// The generators that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Hugo.
    Hugo,
    /// Zola.
    Zola,
    /// Jekyll.
    Jekyll,
    /// Astro with Starlight, and Astro's content collections.
    Starlight,
    /// Docusaurus, versions 2 and 3.
    Docusaurus,
    /// VitePress.
    VitePress,
    /// Eleventy.
    Eleventy,
    /// mdBook.
    MdBook,
    /// MkDocs, and Material for it.
    MkDocs,
    /// None of them: a folder of markdown.
    Plain,
}

impl Kind {
    /// All of them, in the order in which they are looked for: those with the most telling files first.
    pub const ALL: [Kind; 10] = [
        Kind::Docusaurus,
        Kind::VitePress,
        Kind::Starlight,
        Kind::Eleventy,
        Kind::MdBook,
        Kind::MkDocs,
        Kind::Jekyll,
        Kind::Zola,
        Kind::Hugo,
        Kind::Plain,
    ];

    /// The name by which `--generator` knows it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Hugo => "hugo",
            Kind::Zola => "zola",
            Kind::Jekyll => "jekyll",
            Kind::Starlight => "starlight",
            Kind::Docusaurus => "docusaurus",
            Kind::VitePress => "vitepress",
            Kind::Eleventy => "eleventy",
            Kind::MdBook => "mdbook",
            Kind::MkDocs => "mkdocs",
            Kind::Plain => "plain",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Hugo => "Hugo",
            Kind::Zola => "Zola",
            Kind::Jekyll => "Jekyll",
            Kind::Starlight => "Astro Starlight",
            Kind::Docusaurus => "Docusaurus",
            Kind::VitePress => "VitePress",
            Kind::Eleventy => "Eleventy",
            Kind::MdBook => "mdBook",
            Kind::MkDocs => "MkDocs",
            Kind::Plain => "plain markdown",
        }
    }

    /// The generator of a name.
    pub fn of(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Reads the site as one of this generator; none when the files that it needs are not there.
    fn open(self, files: &SiteFiles) -> Option<Box<dyn Generator>> {
        match self {
            Kind::Docusaurus => docusaurus::Docusaurus::open(files),
            Kind::VitePress => vitepress::VitePress::open(files),
            Kind::Hugo => hugo::Hugo::open(files),
            Kind::Jekyll => jekyll::Jekyll::open(files),
            Kind::Eleventy => eleventy::Eleventy::open(files),
            Kind::MdBook => mdbook::MdBook::open(files),
            Kind::Zola => zola::Zola::open(files),
            Kind::MkDocs => mkdocs::MkDocs::open(files),
            Kind::Starlight => starlight::Starlight::open(files),
            Kind::Plain => None,
        }
    }
}

/// What a generator's configuration says about the site as a whole. What it does not say is none or empty.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// The configuration file, below the site's folder.
    pub config: String,
    /// The site's title.
    pub title: Option<String>,
    /// Its absolute address, base path included.
    pub url: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Who writes it.
    pub author: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Whether addresses end with a slash.
    pub trailing_slash: Option<bool>,
    /// The folder below the site's folder that holds the markdown, `.` for the site's folder itself: what links that start with `/` and
    /// paths of collections are relative to.
    pub content: String,
    /// The collections; guessed from the folders of the content when empty. Their `route` serves for the archive only: each
    /// document's route is the generator's.
    pub collections: Vec<CollectionSettings>,
    /// The front matter keys that hold tags, when they are not the usual ones.
    pub tag_keys: Option<Vec<String>>,
    /// The pattern of a tag's route, `/tags/{tag}`.
    pub tag_route: Option<String>,
    /// What was decided that its author may want to know, one sentence each.
    pub notices: Vec<String>,
    /// What is wrong with the configuration, or could not be read of it.
    pub problems: Vec<Problem>,
}

/// A content file on its way to a place.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    /// The file, below the site's folder.
    pub source: &'a str,
    /// Its front matter as written.
    pub map: &'a [Entry],
    /// What the usual keys mean; a generator that reads one in its own way puts it right here.
    pub meta: &'a mut Meta,
    /// The text below the front matter.
    pub body: &'a str,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Placing {
    /// A page of its own.
    Page(Placed),
    /// Its author or the generator's rules keep it back: why.
    Hidden(String),
    /// It is no page: other pages are made of it, or the generator passes it by.
    Material,
}

/// Where a page stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Placed {
    /// Its canonical route, without the base path. One that ends in `.html` is an address that does.
    pub route: String,
    /// Whether the file stands for its folder.
    pub is_index: bool,
    /// The name of its collection; by its folder when none.
    pub collection: Option<String>,
    /// Its place in the site's navigation, when it has one.
    pub order: Option<u32>,
}

/// What a page's syntax is rendered with.
pub(crate) struct Context<'a> {
    /// The file, below the site's folder.
    pub source: &'a str,
    /// Its front matter.
    pub map: &'a [Entry],
    /// Its route.
    pub route: &'a str,
    /// The site's other files. Those that are hidden are not given out.
    pub files: &'a SiteFiles,
}

/// One generator's conventions, with the configuration of one site.
pub(crate) trait Generator: fmt::Debug + Send + Sync {
    /// Which generator this is.
    fn kind(&self) -> Kind;

    /// What its configuration says.
    fn facts(&self) -> &Facts;

    /// Whether a markdown file below the site's folder is content.
    fn is_content(&self, source: &str) -> bool;

    /// Looks at all content files before any is placed, in the order of their names: for what one file says about others.
    fn survey(&mut self, files: &mut [Seen<'_>], problems: &mut Vec<Problem>) {
        let _ = (files, problems);
    }

    /// Where a file stands. `meta.hidden` is looked at afterwards, so that a generator may hide or show.
    fn place(&self, file: &mut Seen<'_>) -> Placing;

    /// The route that a file would have if it were published, when it is not the path of the file. Links to it are known by it.
    fn hidden_route(&self, source: &str) -> Option<String> {
        let _ = source;
        None
    }

    /// Other addresses that lead to a published file, as routes: those that the site redirects.
    fn redirects(&self, source: &str) -> Vec<String> {
        let _ = source;
        Vec::new()
    }

    /// Whether a file is read as MDX.
    fn is_mdx(&self, source: &str) -> bool {
        source.to_ascii_lowercase().ends_with(".mdx")
    }

    /// Puts other files' text into a page, before comments are taken out.
    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let _ = (page, text, log);
    }

    /// Turns the generator's own syntax into markdown, after comments and module code are gone and before links are followed.
    fn render(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let _ = (page, text, log);
    }

    /// The link by which the target of one in a page is looked up, when it is another than what is written: an address from the site's
    /// root, a path from the page's file, or a whole URL. `target` is as written, with its query and fragment.
    fn link(&self, page: &Context<'_>, target: &str) -> Option<String> {
        let _ = (page, target);
        None
    }

    /// Turns into markdown what is to be looked at when components and raw HTML are reduced: directives, `:::note`.
    fn finish(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        let _ = (page, text, log);
    }

    /// How it names headings.
    fn anchors(&self) -> Anchors {
        Anchors::GitHub
    }
}

/// Finds out which generator a site is made with. None for a plain folder of markdown.
pub(crate) fn detect(files: &SiteFiles) -> Option<Box<dyn Generator>> {
    Kind::ALL.into_iter().find_map(|kind| kind.open(files))
}

/// Reads a site as one of the generator that its owner names.
///
/// # Errors
/// When the files that the generator needs are not there.
pub(crate) fn named(
    kind: Kind,
    files: &SiteFiles,
) -> Result<Option<Box<dyn Generator>>, Box<Problem>> {
    if kind == Kind::Plain {
        return Ok(None);
    }
    match kind.open(files) {
        Some(generator) => Ok(Some(generator)),
        None => Err(Box::new(
            Problem::error(
                "--generator",
                format!(
                    "this is no site of {}: its configuration is not there",
                    kind.title()
                ),
            )
            .help("name the folder that holds it with `--site`, or leave `--generator` out"),
        )),
    }
}
