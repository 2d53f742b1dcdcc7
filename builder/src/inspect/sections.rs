//! What each section of an artifact is for, and its share of the file and of the site's plain text.
//!
//! ```text
//! section                  bytes  of file  of text
//! terms                   18,312    11.2 %     4.1 %  every word, to look it up
//! ```

use std::fmt::Write as _;

use artifact::catalogue::grouped;
use artifact::format::{Artifact, Error, PageKind, Section, VERSION};
use serde_json::{Value, json};

/// What a section is for, in a few words.
fn purpose(section: Section) -> &'static str {
    match section {
        Section::Site => "what the site says of itself, its limits and synonyms",
        Section::Terms => "search: every word, to look it up",
        Section::Postings => "search: which documents hold a word, and how well",
        Section::Headings => {
            "search: words of titles and headings, for the second look at the best"
        }
        Section::Versions => "search: documents that are nearly the same as another",
        Section::Pages => "kind, collection, language and order of dates of each page",
        Section::Routes => "addresses, and finding a page by one",
        Section::Titles => "titles, for links and lists",
        Section::Slugs => "finding a document by the last part of its address",
        Section::Collections => "which documents belong together",
        Section::Tags => "which pages have a tag, and which tags a page has",
        Section::Links => "which pages a page cites, and which cite it",
        Section::Prepared => "lists, tools and the manual as they are sent, compressed",
        Section::Dictionary => "what page frames have in common, so that they are small",
        Section::FrameTable => "where each page's frame starts",
        Section::Frames => "facts, outline and markdown of each page, compressed",
        Section::Full => "the same site with its private pages, an artifact of its own",
    }
}

/// A section and its bytes.
struct Row {
    section: Section,
    bytes: usize,
}

/// The sections of an artifact that is `length` bytes long.
pub(super) struct Sections {
    rows: Vec<Row>,
    length: usize,
    /// Bytes of the plain text of all pages but lists; none in an index without pages.
    text: Option<usize>,
}

impl Sections {
    /// Reads every page, for how much plain text there is.
    ///
    /// # Errors
    /// [`Error::Damaged`] when a page cannot be read.
    pub(super) fn of(artifact: &Artifact, length: usize) -> Result<Self, Error> {
        let rows = artifact
            .sections()
            .map(|(section, bytes)| Row { section, bytes });
        let mut text = None;
        if artifact.has_pages() {
            let mut all = 0;
            for page in 0..artifact.pages().count() {
                if artifact.pages().kind(page) != Some(PageKind::Index) {
                    let frame = artifact.frames().get(page)?;
                    let spans = frame.spans();
                    all += spans
                        .map(|span| span.end.saturating_sub(span.start) as usize)
                        .sum::<usize>();
                }
            }
            text = Some(all);
        }
        Ok(Self {
            rows: rows.collect(),
            length,
            text,
        })
    }

    /// The table, with its heading; shares are of the whole file, and of the plain text.
    pub(super) fn table(&self) -> String {
        let mut out = String::new();
        let of_text = |bytes| match self.text {
            Some(text) => format!("{:>7.1} %", percent(bytes, text)),
            None => format!("{:>9}", "–"),
        };
        let _ = writeln!(
            out,
            "{:<18}{:>12}{:>9}{:>9}  for",
            "section", "bytes", "of file", "of text"
        );
        for Row { section, bytes } in &self.rows {
            let _ = writeln!(
                out,
                "{:<18}{:>12}{:>7.1} %{}  {}",
                section.name(),
                grouped(*bytes),
                percent(*bytes, self.length),
                of_text(*bytes),
                purpose(*section)
            );
        }
        if let Some(text) = self.text {
            let _ = writeln!(out, "{:<18}{:>12}", "plain text", grouped(text));
        }
        out
    }

    /// The same as JSON. Shares are in percent.
    pub(super) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|Row { section, bytes }| {
            json!({
                "name": section.name(),
                "bytes": bytes,
                "percent_of_file": rounded(percent(*bytes, self.length)),
                "percent_of_text": self.text.map(|text| rounded(percent(*bytes, text))),
                "for": purpose(*section),
            })
        });
        json!({
            "format": VERSION,
            "tokenizer": artifact::text::VERSION,
            "bytes": self.length,
            "text_bytes": self.text,
            "sections": rows.collect::<Vec<_>>(),
        })
    }
}

fn percent(bytes: usize, of: usize) -> f64 {
    100.0 * bytes as f64 / of.max(1) as f64
}

/// Two places behind the point.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
