//! One build, from a folder to a folder: the steps of the crate in their order.
//!
//! Nothing is written when the content has errors: what an earlier build wrote stays as it is. The caller gives the day and
//! measures the time; nothing here looks at a clock.

use std::fmt;
use std::path::PathBuf;

use artifact::format;
use jiff::civil;

use crate::assemble::{Assembly, assemble};
use crate::export::{File, export};
use crate::generator::Kind;
use crate::leaks::{self, Leak};
use crate::output::{self, OutputError};
use crate::problem::{Problem, Problems};
use crate::report::{Built, Private, Report};
use crate::site::Site;
use crate::{Options, Progress, ReadError, View, pack, read_view};

/// The output folder unless another is named.
pub const DEFAULT_OUT: &str = "dist";

/// What is asked of a build.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// The site's folder.
    pub site: PathBuf,
    /// The output folder.
    pub out: PathBuf,
    /// The configuration file, when it is not `shelfmark.toml` in the site's folder.
    pub config: Option<PathBuf>,
    /// The day of the build, in UTC: what is dated later is not published.
    pub now: civil::Date,
    /// An address that takes the place of the configured one.
    pub url: Option<String>,
    /// Whether warnings are errors.
    pub strict: bool,
    /// What the site is made with; by default what its files tell.
    pub generator: Option<Kind>,
}

/// A step of a build that a progress bar can show.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// A step of reading.
    Reading(Progress),
    /// All pages are known.
    Assembled {
        /// How many of them are documents.
        documents: usize,
        /// How many there are.
        pages: usize,
    },
    /// A step of packing.
    Packing(pack::Step),
    /// A file more is written.
    Written,
}

/// Why there was no build.
#[derive(Debug)]
pub enum BuildError {
    /// The site could not be read at all.
    Read(ReadError),
    /// The artifact has no room for the site.
    Format(format::Error),
    /// The output could not be written.
    Output(OutputError),
}

impl BuildError {
    /// Whether the site's author can put it right by changing the site.
    pub fn is_about_the_content(&self) -> bool {
        match self {
            BuildError::Read(ReadError::Empty { .. } | ReadError::Config(_)) => true,
            BuildError::Read(ReadError::NoFolder { .. } | ReadError::Unreadable { .. }) => false,
            BuildError::Format(_) | BuildError::Output(_) => false,
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Read(error) => error.fmt(f),
            BuildError::Format(error) => error.fmt(f),
            BuildError::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Read(error) => error.source(),
            BuildError::Format(error) => error.source(),
            BuildError::Output(error) => error.source(),
        }
    }
}

/// Builds a site. A site with errors gives a report without [`Report::built`].
///
/// # Errors
/// [`BuildError`]: there is nothing to report on.
pub fn build(
    options: &BuildOptions,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Report, BuildError> {
    output::check(&options.out, &options.site).map_err(BuildError::Output)?;
    let site = read(options, View::Public, progress)?;
    let full = match site.has_private() {
        true => Some(read(options, View::Full, progress)?),
        false => None,
    };
    let mut report = Report {
        title: site.settings.site.title.clone(),
        url: site.settings.address.url("/"),
        server: site.settings.server.name.clone(),
        built: None,
        problems: match &full {
            Some(full) => site.problems.clone().and(&full.problems),
            None => site.problems.clone(),
        },
        notices: site.notices.clone(),
        generator: site.generator,
        unrendered: site.unrendered.clone(),
        seconds: 0.0,
    };
    if report.problems.errors() > 0 {
        return Ok(report);
    }
    let assembly = assemble(&site);
    progress(Step::Assembled {
        documents: assembly.documents as usize,
        pages: assembly.pages.len(),
    });
    let mut packed =
        packed(&site, &assembly, full.as_ref(), options, progress).map_err(BuildError::Format)?;
    let mut built = facts(&assembly, &packed.public, options);
    built.private = packed.private;
    let exports = export(&assembly, &packed.public.bytes);
    report.notices.extend(exports.notices);
    let mut files = exports.files;
    packed.leaks.extend(
        leaks::search(&site, &options.site, &packed.public.bytes, &files)
            .map_err(BuildError::Format)?
            .leaks,
    );
    if !packed.leaks.is_empty() {
        let mut problems: Vec<Problem> = report.problems.iter().cloned().collect();
        problems.extend(packed.leaks.iter().map(Leak::problem));
        report.problems = Problems::new(problems);
        return Ok(report);
    }
    files.push(File {
        path: output::ARTIFACT.to_owned(),
        bytes: packed.public.bytes,
    });
    built.files = output::write(&options.out, &files, &|| progress(Step::Written))
        .map_err(BuildError::Output)?;
    for path in &built.files.left {
        report.notices.push(format!(
            "`{path}` is of an earlier build and was changed since, so it was left; delete it if nobody needs it"
        ));
    }
    report.built = Some(built);
    Ok(report)
}

/// Both views of a site, packed.
struct Packed {
    /// The public view, with the full one in it.
    public: pack::Artifact,
    /// What the full view has beside it.
    private: Option<Private>,
    /// What is hidden from both and stands in the full view.
    leaks: Vec<Leak>,
}

/// Packs the full view, when there is one, and the public view around it.
fn packed(
    site: &Site,
    assembly: &Assembly,
    full: Option<&Site>,
    options: &BuildOptions,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Packed, format::Error> {
    let step = |step| progress(Step::Packing(step));
    let Some(full) = full else {
        return Ok(Packed {
            public: pack::pack(assembly, &step)?,
            private: None,
            leaks: Vec::new(),
        });
    };
    let everything = assemble(full);
    let bytes = pack::pack(&everything, &step)?.bytes;
    let leaks = leaks::search(full, &options.site, &bytes, &[])?.leaks;
    let private = Private {
        collections: everything.collections.len() - assembly.collections.len(),
        documents: everything.documents as usize - assembly.documents as usize,
        bytes: bytes.len(),
        has_tokens: !site.settings.server.token_sha256.is_empty(),
    };
    Ok(Packed {
        public: pack::pack_with(assembly, bytes, &step)?,
        private: Some(private),
        leaks,
    })
}

/// Reads a view of the site as a build does.
///
/// # Errors
/// [`BuildError::Read`].
pub(crate) fn read(
    options: &BuildOptions,
    view: View,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Site, BuildError> {
    let mut outputs = vec![options.out.clone()];
    // What a build with other options left in the usual place is no content either.
    let usual = options.site.join(DEFAULT_OUT);
    if output::is_output(&usual) {
        outputs.push(usual);
    }
    let reading = Options {
        site: options.site.clone(),
        config: options.config.clone(),
        now: options.now,
        output: outputs,
        url: options.url.clone(),
        generator: options.generator,
    };
    let mut site = read_view(&reading, view, &|step| progress(Step::Reading(step)))
        .map_err(BuildError::Read)?;
    if options.strict {
        site.problems = std::mem::take(&mut site.problems).strict();
    }
    Ok(site)
}

fn facts(assembly: &Assembly, packed: &pack::Artifact, options: &BuildOptions) -> Built {
    let written = assembly.pages.iter().filter_map(|page| page.written());
    Built {
        documents: assembly.documents as usize,
        pages: assembly.pages.len(),
        index_pages: assembly
            .pages
            .iter()
            .filter(|page| page.written().is_none())
            .count(),
        collections: assembly.collections.len(),
        tags: assembly.site.tags.len(),
        terms: packed.terms,
        artifact: options.out.join(output::ARTIFACT),
        artifact_bytes: packed.bytes.len(),
        markdown_bytes: written.map(|page| page.markdown.len()).sum(),
        private: None,
        twins: options.out.join(crate::export::PUBLIC),
        files: output::Written::default(),
    }
}
