//! The site as the builder understands it: what every later step reads.
//!
//! A [`Site`] is the end of reading and the start of writing. Everything in it may be shown to
//! anyone: a hidden page never becomes a [`Page`], and no count, tag or link of one is left in
//! the pages that are here. Nothing in this file does anything; the rules that fill these types
//! live in `source`, `front_matter`, `page` and `check`.
//!
//! For a folder that holds one file, `notes/tea.md` with the text `# Tea\n\nHot.`, the site has one
//! page: `route` is `/notes/tea`, `title` is `Tea`, `markdown` is the text itself, and `reading.outline`
//! has the one heading with the anchor `tea`.

use std::ops::Range;

use crate::config::Settings;
use crate::generator::Kind;
use crate::leaks::HiddenDocument;
use crate::manual::OwnPage;
use crate::problem::Problems;

/// A whole site, read and checked.
#[derive(Debug, Clone)]
pub struct Site {
    /// The settings it was read with, guesses included.
    pub settings: Settings,
    /// The published pages that somebody wrote, by route.
    pub pages: Vec<Page>,
    /// The tags that published pages carry, by slug.
    pub tags: Vec<Tag>,
    /// Everything there is to tell the site's author, errors first.
    pub problems: Problems,
    /// What was decided without being asked, one sentence each.
    pub notices: Vec<String>,
    /// What the site is made with.
    pub generator: Kind,
    /// The pieces of its generator's syntax that could not be rendered, by file and line.
    pub unrendered: Vec<Unrendered>,
    /// The documents that are not published: for telling their author, and for proving that nothing of them is.
    pub hidden: Vec<HiddenDocument>,
    /// The pages of the manual that the site's author wrote, by file.
    pub manual: Vec<OwnPage>,
    /// The routes of the lists that only private collections bring forth: their archives, and the pages of tags that nothing else carries. Empty in
    /// the full view.
    pub kept_back: Vec<String>,
    /// The configuration, data and included files that were read beside the pages, below the site's folder.
    pub used: Vec<String>,
}

impl Site {
    /// Whether there are collections that only those with a token may see.
    pub fn has_private(&self) -> bool {
        let mut collections = self.settings.collections.iter();
        collections.any(|collection| collection.private)
    }
}

/// A piece of a generator's syntax that could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unrendered {
    /// The file, below the site's folder.
    pub source: String,
    /// The line, counted from 1.
    pub line: u32,
    /// What it is, in words that are the same for all of a kind.
    pub what: String,
}

/// One tag of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The tag's own part of its address, `cpp`.
    pub slug: String,
    /// The tag as it was written first, `C++`.
    pub title: String,
}

/// One published page with a source file of its own.
///
/// Generated index pages (a tag's page, a collection's archive) are not here.
#[derive(Debug, Clone)]
pub struct Page {
    /// The file it came from, below the site's folder, with `/` between folders.
    pub source: String,
    /// Its canonical route.
    pub route: String,
    /// Which of the settings' collections it belongs to.
    pub collection: Option<usize>,
    /// Never empty: the front matter's title, else the first heading, else the file's name.
    pub title: String,
    /// What the page says about itself in one or two sentences.
    pub description: Option<String>,
    /// Who wrote it; several names are joined by commas.
    pub author: Option<String>,
    /// When it was written, as written: `2024-05-01`, or a date-time with its offset.
    pub date: Option<String>,
    /// When it was last changed, as written.
    pub updated: Option<String>,
    /// Seconds since 1970 in UTC of `date`, else of `updated`. Only for putting newest first.
    pub sort_date: Option<i64>,
    /// Places in [`Site::tags`], in the order written, none twice.
    pub tags: Vec<usize>,
    /// Other names of the thing this page is about.
    pub aliases: Vec<String>,
    /// A language tag such as `en`.
    pub language: String,
    /// Its place in the site's navigation, when its generator has one.
    pub order: Option<u32>,
    /// The fields that the page's collection declares and this page has, in the order declared.
    pub fields: Vec<(String, FieldValue)>,
    /// What the site publishes as this page's markdown: line feeds only, no front matter, no comments,
    /// absolute links, and no link to a hidden page.
    pub markdown: String,
    /// What the markdown parser saw in `markdown`.
    pub reading: Reading,
    /// Routes of this site that the page links to, in order of first appearance, none twice, not its own.
    /// They may name generated index pages, and pages that do not exist.
    pub cites: Vec<String>,
}

/// The typed value of a collection's declared field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue {
    /// Text, as written.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Any finite number.
    Number(f64),
    /// Yes or no.
    Boolean(bool),
    /// A date or date-time, as written.
    Date(String),
    /// Several texts.
    List(Vec<String>),
    /// An address; of a page or file of the site, its absolute one.
    Link(String),
}

/// What the markdown parser saw in a page's published markdown, and a pure function of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The headings, from top to bottom.
    pub outline: Vec<Heading>,
    /// The plain text as pieces of the markdown, from top to bottom.
    pub spans: Vec<Span>,
    /// The plain text with entities decoded. Spans are kept apart by a space, or a line feed where a block
    /// ends, unless they are joined. This is what is indexed.
    pub text: String,
    /// Where the page may be cut, by offset. Empty when the page is short enough to be shown whole.
    pub cuts: Vec<Cut>,
}

/// One heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its plain text.
    pub text: String,
    /// Its fragment, unique on the page, without `#`.
    pub anchor: String,
    /// The offset of its first byte in the markdown.
    pub start: u32,
}

/// A piece of plain text, as it stands in the markdown. Both ends are character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
    /// Whether it continues the span before it with no break, as `b` does in `a*b*`.
    pub joined: bool,
}

/// A place where the page may be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The cut stands before the byte at this offset.
    pub offset: u32,
    /// How good a place it is.
    pub rank: CutRank,
    /// Where the opening marker of the code fence stands that has to be closed after the cut, with its
    /// indentation. Only inside a fence.
    pub fence: Option<Range<u32>>,
}

/// How good a place for a cut is, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutRank {
    /// Between two blocks of the page.
    Block,
    /// Inside a block: before a list item, a table row, a paragraph of a quotation.
    Part,
    /// Between two lines of a code block, of raw HTML, or of a long paragraph.
    Line,
}
