//! Checks a site without writing anything: its problems, its difference from what the generator built, and what is hidden.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::View;
use crate::assemble::assemble;
use crate::build::{self, BuildError, BuildOptions, Step};
use crate::built::{self, Comparison};
use crate::export::export;
use crate::leaks::{self, HiddenDocument, Searched};
use crate::pack;
use crate::problem::{Problem, Problems};
use crate::wording;

/// What is to be checked beside the site's own problems.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// A folder of built HTML to compare with.
    pub built: Option<PathBuf>,
    /// A sitemap to compare with.
    pub sitemap: Option<PathBuf>,
    /// Whether to list what is hidden and search for it.
    pub leaks: bool,
}

/// Why nothing was checked.
#[derive(Debug)]
pub(crate) enum CheckError {
    /// The site could not be read.
    Build(BuildError),
    /// The built site could not be read: in words.
    Built(String),
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Checked {
    problems: Problems,
    notices: Vec<String>,
    comparison: Option<Comparison>,
    searched: Option<(Vec<HiddenDocument>, Searched)>,
}

/// Reads the site and does what is asked.
///
/// # Errors
/// [`CheckError`]: there is nothing to report on.
pub(crate) fn check(
    options: &BuildOptions,
    asked: &Asked,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Checked, CheckError> {
    let site = build::read(options, View::Public, progress).map_err(CheckError::Build)?;
    let assembly = assemble(&site);
    let comparison = match (&asked.built, &asked.sitemap) {
        (Some(folder), _) => Some(built::with_folder(&assembly, folder)),
        (None, Some(file)) => Some(built::with_sitemap(&assembly, file)),
        (None, None) => None,
    };
    let comparison = comparison.transpose().map_err(CheckError::Built)?;
    let format = |error| CheckError::Build(BuildError::Format(error));
    let searched = match asked.leaks {
        false => None,
        true => {
            let packed =
                pack::pack(&assembly, &|step| progress(Step::Packing(step))).map_err(format)?;
            let exports = export(&assembly, &packed.bytes).files;
            let mut searched =
                leaks::search(&site, &options.site, &packed.bytes, &exports).map_err(format)?;
            if site.has_private() {
                let full = build::read(options, View::Full, progress).map_err(CheckError::Build)?;
                let bytes = pack::pack(&assemble(&full), &|_| ()).map_err(format)?.bytes;
                searched.add(leaks::search(&full, &options.site, &bytes, &[]).map_err(format)?);
            }
            Some((site.hidden.clone(), searched))
        }
    };
    let mut problems: Vec<Problem> = site.problems.iter().cloned().collect();
    problems.extend(wording::problems(&assembly));
    let problems = match options.strict {
        true => Problems::new(problems).strict(),
        false => Problems::new(problems),
    };
    Ok(Checked {
        problems,
        notices: site.notices.clone(),
        comparison,
        searched,
    })
}

impl Checked {
    /// Whether there is nothing to put right. Warnings alone are none.
    pub(crate) fn is_fine(&self) -> bool {
        self.problems.errors() == 0
            && self
                .comparison
                .as_ref()
                .is_none_or(|it| it.differences.is_empty())
            && self
                .searched
                .as_ref()
                .is_none_or(|(_, it)| it.leaks.is_empty())
    }

    /// The site's problems, and notices when they are wanted.
    pub(crate) fn problems_told(&self, notices: bool) -> String {
        let mut out = String::new();
        for notice in self.notices.iter().filter(|_| notices) {
            let _ = writeln!(out, "note: {}", artifact::clean::one_line(notice));
        }
        for problem in &self.problems {
            let _ = writeln!(out, "{problem}");
        }
        out
    }

    /// What was found, for people.
    pub(crate) fn told(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{} errors, {} warnings",
            self.problems.errors(),
            self.problems.warnings()
        );
        if let Some(comparison) = &self.comparison {
            out.push_str(&comparison.told());
        }
        if let Some((hidden, searched)) = &self.searched {
            for document in hidden {
                let at = match document.route.as_str() {
                    "" => String::new(),
                    route => format!(" ({route})"),
                };
                let _ = writeln!(out, "hidden: {}{at}: {}", document.source, document.why);
            }
            for leak in &searched.leaks {
                let _ = writeln!(out, "{}", leak.problem());
            }
            let _ = writeln!(out, "{searched}");
        }
        out
    }

    /// What was found, for programs.
    pub(crate) fn to_json(&self) -> Value {
        let mut object = json!({
            "ok": self.is_fine(),
            "errors": self.problems.errors(),
            "warnings": self.problems.warnings(),
            "problems": self.problems.to_json(),
            "notices": self.notices,
        });
        if let Some(comparison) = &self.comparison {
            object["built"] = comparison.to_json();
        }
        if let Some((hidden, searched)) = &self.searched {
            object["hidden"] = json!({
                "documents": hidden.iter().map(|it| json!({
                    "source": it.source, "route": it.route, "why": it.why,
                })).collect::<Vec<_>>(),
                "pages_with_comments": searched.comments,
                "secrets": searched.secrets,
                "places": searched.places,
                "leaks": searched.leaks.iter().map(|it| json!({
                    "secret": it.secret, "source": it.source, "found": it.found,
                })).collect::<Vec<_>>(),
            });
        }
        object
    }
}
