//! What a build did, for people and for programs.
//!
//! ```text
//! built dist/site.shelf in 0.38 s
//!   57 documents in 3 collections, 61 other pages (33 of them lists), 24 tags, 3,870 terms
//!   the artifact has 412 kB, 61 % of 673 kB of markdown
//!   118 markdown twins in dist/public
//! ```
//!
//! As JSON it is one object. `built` is there when something was built, `failure` when the site could not be read or written at all;
//! everything else is always there.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use artifact::catalogue::grouped;
use serde_json::{Value, json};

use crate::generator::Kind;
use crate::output::{Written, shown};
use crate::problem::Problems;
use crate::site::Unrendered;

/// What a build found and made.
#[derive(Debug, Clone)]
pub struct Report {
    /// The site's title.
    pub title: String,
    /// The site's address.
    pub url: String,
    /// The server's name.
    pub server: String,
    /// What was made; nothing when the content has errors.
    pub built: Option<Built>,
    /// What is wrong with the content.
    pub problems: Problems,
    /// What was decided without being asked.
    pub notices: Vec<String>,
    /// What the site is made with.
    pub generator: Kind,
    /// The pieces of its generator's syntax that could not be rendered.
    pub unrendered: Vec<Unrendered>,
    /// How long it took.
    pub seconds: f64,
}

/// What was made.
#[derive(Debug, Clone)]
pub struct Built {
    /// How many documents there are in collections.
    pub documents: usize,
    /// How many pages there are, documents and lists among them.
    pub pages: usize,
    /// How many of the pages are lists that the builder made.
    pub index_pages: usize,
    /// How many collections are published.
    pub collections: usize,
    /// How many tags there are.
    pub tags: usize,
    /// How many different terms can be searched for.
    pub terms: usize,
    /// Where the artifact is.
    pub artifact: PathBuf,
    /// How large it is.
    pub artifact_bytes: usize,
    /// How large the published markdown is that somebody wrote.
    pub markdown_bytes: usize,
    /// The folder of the markdown twins.
    pub twins: PathBuf,
    /// What those with a token may see beside it; nothing when no collection is private.
    pub private: Option<Private>,
    /// What became of the files.
    pub files: Written,
}

/// What the full view has that the public one has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Private {
    /// How many collections are private.
    pub collections: usize,
    /// How many documents they hold.
    pub documents: usize,
    /// How large the full view is, a part of the artifact.
    pub bytes: usize,
    /// Whether the settings know a token.
    pub has_tokens: bool,
}

impl Report {
    /// Notices and problems as text, a paragraph each; empty when there are none.
    pub fn told(&self, notices: bool) -> String {
        let mut out = String::new();
        for notice in self.notices.iter().filter(|_| notices) {
            let _ = writeln!(out, "note: {}", artifact::clean::one_line(notice));
        }
        for (what, places) in self.unrendered() {
            let first: Vec<String> = places
                .iter()
                .take(3)
                .map(|piece| format!("{}:{}", piece.source, piece.line))
                .collect();
            let more = if places.len() > first.len() {
                ", …"
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "note: {what} could not be rendered {}: {}{more}",
                times(places.len()),
                artifact::clean::one_line(&first.join(", "))
            );
        }
        for problem in &self.problems {
            let _ = writeln!(out, "{problem}");
        }
        out
    }

    /// What could not be rendered, by kind.
    fn unrendered(&self) -> BTreeMap<&str, Vec<&Unrendered>> {
        let mut kinds: BTreeMap<&str, Vec<&Unrendered>> = BTreeMap::new();
        for piece in &self.unrendered {
            kinds.entry(&piece.what).or_default().push(piece);
        }
        kinds
    }

    /// The report as one JSON object.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "ok": self.built.is_some(),
            "site": {"title": self.title, "url": self.url, "server": self.server},
            "seconds": rounded(self.seconds),
            "errors": self.problems.errors(),
            "warnings": self.problems.warnings(),
            "problems": self.problems.to_json(),
            "notices": self.notices,
            "generator": self.generator.name(),
            "unrendered": self.unrendered().into_iter().map(|(what, places)| json!({
                "what": what,
                "count": places.len(),
                "places": places.iter().map(|piece| json!({"file": piece.source, "line": piece.line})).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        });
        if let Some(built) = &self.built {
            object["built"] = built.to_json();
        }
        object
    }
}

/// The report of a build that could not begin, or not end.
pub fn failure(message: &str, problems: &Problems, seconds: f64) -> Value {
    json!({
        "ok": false,
        "failure": message,
        "seconds": rounded(seconds),
        "errors": problems.errors(),
        "warnings": problems.warnings(),
        "problems": problems.to_json(),
        "notices": [],
    })
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{} times", grouped(count)),
    }
}

impl Built {
    fn to_json(&self) -> Value {
        let mut object = json!({
            "artifact": path(&self.artifact),
            "artifact_bytes": self.artifact_bytes,
            "markdown_bytes": self.markdown_bytes,
            "twins": path(&self.twins),
            "documents": self.documents,
            "pages": self.pages,
            "index_pages": self.index_pages,
            "collections": self.collections,
            "tags": self.tags,
            "terms": self.terms,
            "files": {
                "written": self.files.written,
                "unchanged": self.files.unchanged,
                "removed": self.files.removed,
            },
        });
        if let Some(private) = &self.private {
            object["private"] = json!({
                "collections": private.collections,
                "documents": private.documents,
                "bytes": private.bytes,
            });
        }
        object
    }
}

impl fmt::Display for Report {
    /// The summary; problems and notices are told by [`Report::told`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(built) = &self.built else {
            return write!(
                f,
                "nothing was built: {}, {}",
                counted(self.problems.errors(), "error"),
                counted(self.problems.warnings(), "warning")
            );
        };
        writeln!(
            f,
            "built {} in {:.2} s",
            shown(&built.artifact),
            self.seconds
        )?;
        write!(f, "  {}", counted(built.documents, "document"))?;
        if built.collections > 0 {
            write!(f, " in {}", counted(built.collections, "collection"))?;
        }
        writeln!(
            f,
            ", {} ({} of them lists), {}, {}",
            counted(built.pages - built.documents, "other page"),
            built.index_pages,
            counted(built.tags, "tag"),
            counted(built.terms, "term")
        )?;
        let (artifact, markdown) = (built.artifact_bytes, built.markdown_bytes);
        write!(f, "  the artifact has {}, ", size(artifact))?;
        // On a handful of pages the tools' own texts outweigh the site's, and a share says nothing.
        if artifact < markdown {
            write!(f, "{:.0} % of ", 100.0 * artifact as f64 / markdown as f64)?;
        } else {
            write!(f, "for ")?;
        }
        writeln!(f, "{} of markdown", size(markdown))?;
        write!(
            f,
            "  {} in {}",
            counted(built.pages, "markdown twin"),
            shown(&built.twins)
        )?;
        if built.files.removed > 0 {
            write!(
                f,
                "; {} of earlier builds removed",
                counted(built.files.removed, "file")
            )?;
        }
        if let Some(private) = &built.private {
            write!(
                f,
                "\n  private: {} in {} and a second view of {} within the artifact; publish the twins, not the artifact",
                counted(private.documents, "document"),
                counted(private.collections, "collection"),
                size(private.bytes)
            )?;
            if !private.has_tokens {
                write!(
                    f,
                    "\n  the settings know no token: give the server one in SHELFMARK_TOKEN_SHA256, or nobody sees what is private"
                )?;
            }
        }
        let warnings = self.problems.warnings();
        if warnings > 0 {
            write!(f, "\n  {}", counted(warnings, "warning"))?;
        }
        Ok(())
    }
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// `1 page`, `2 pages`, `1,234 pages`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", grouped(number))
}

/// Bytes in the unit that reads best, thousands of 1,000.
pub(crate) fn size(bytes: usize) -> String {
    let amount = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..10_000 => format!("{:.1} kB", amount / 1e3),
        10_000..1_000_000 => format!("{:.0} kB", amount / 1e3),
        _ => format!("{:.1} MB", amount / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;

    fn report() -> Report {
        Report {
            title: "T".into(),
            url: "https://x.dev/".into(),
            server: "t".into(),
            built: Some(Built {
                documents: 1,
                pages: 1234,
                index_pages: 3,
                collections: 1,
                tags: 0,
                terms: 3870,
                artifact: "dist/site.shelf".into(),
                artifact_bytes: 4120,
                markdown_bytes: 10_000,
                twins: "dist/public".into(),
                private: None,
                files: Written {
                    written: 2,
                    unchanged: 1233,
                    removed: 1,
                    left: Vec::new(),
                },
            }),
            problems: Problems::new(vec![Problem::warning("a.md", "w").at(3).help("h")]),
            notices: vec!["n".into()],
            generator: Kind::Plain,
            unrendered: Vec::new(),
            seconds: 0.38,
        }
    }

    #[test]
    fn people_read_the_whole_of_it() {
        let mut report = report();
        assert_eq!(
            format!("{}{report}", report.told(true)),
            "note: n\nwarning: w\n  --> a.md:3\n  help: h\nbuilt dist/site.shelf in 0.38 s\n  \
             1 document in 1 collection, 1,233 other pages (3 of them lists), 0 tags, 3,870 terms\n  \
             the artifact has 4.1 kB, 41 % of 10 kB of markdown\n  \
             1,234 markdown twins in dist/public; 1 file of earlier builds removed\n  1 warning"
        );
        report.problems = report.problems.strict();
        report.built = None;
        assert_eq!(report.told(false), "error: w\n  --> a.md:3\n  help: h\n");
        assert_eq!(report.to_string(), "nothing was built: 1 error, 0 warnings");
    }

    #[test]
    fn programs_read_one_object() {
        let mut report = report();
        let expected = json!({
            "ok": true,
            "site": {"title": "T", "url": "https://x.dev/", "server": "t"},
            "built": {
                "artifact": "dist/site.shelf", "artifact_bytes": 4120, "markdown_bytes": 10_000,
                "twins": "dist/public", "documents": 1, "pages": 1234, "index_pages": 3,
                "collections": 1, "tags": 0, "terms": 3870,
                "files": {"written": 2, "unchanged": 1233, "removed": 1},
            },
            "seconds": 0.38, "errors": 0, "warnings": 1,
            "problems": [{"severity": "warning", "file": "a.md", "line": 3, "what": "w", "help": "h"}],
            "notices": ["n"], "generator": "plain", "unrendered": [],
        });
        assert_eq!(report.to_json(), expected);
        report.built = None;
        let object = report.to_json();
        assert_eq!((&object["ok"], object.get("built")), (&json!(false), None));
    }
}
