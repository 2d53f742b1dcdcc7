//! The static exports: what is published as files beside the site's own pages.
//!
//! | file below `public/` | what | module |
//! |---|---|---|
//! | `glossary/mcp.md` | a page's markdown twin, one for each page | `twin` |
//! | `llms.txt`, `writing/llms.txt` | what there is to read, for models; of the site and of each collection | `llms` |
//! | `llms-full.txt`, `writing/llms-full.txt` | the texts themselves, within a bound | `llms` |
//! | `sitemap.md` | every page with its addresses | `llms` |
//! | `tool-surface.md`, `tool-surface.html`, `tools.json` | what the tools take and answer | `surface` |
//! | `.well-known/…` | where the MCP server is, for clients and registries | `discovery` |
//!
//! All of it is a function of the [`Assembly`] and of the answers that the artifact gives, so that it can name only what is published. A page's twin is never replaced: where another
//! export would have its file name, that export is left out and told.

mod answers;
pub(crate) mod discovery;
mod llms;
mod surface;
mod twin;

use std::collections::HashSet;

use self::answers::Answers;
use crate::assemble::Assembly;

/// The folder of everything that is published as files.
pub const PUBLIC: &str = "public";

/// The files about the tools.
pub const ABOUT_TOOLS: [&str; 3] = [
    "public/tool-surface.md",
    "public/tool-surface.html",
    "public/tools.json",
];

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where, below the output folder, with `/` between folders.
    pub path: String,
    /// What.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file to publish; `path` is its address below the site's root.
    fn public(path: &str, text: String) -> File {
        File {
            path: format!("{PUBLIC}/{path}"),
            bytes: text.into_bytes(),
        }
    }
}

/// What is to be published as files.
#[derive(Debug, Default)]
pub struct Exports {
    /// The files; no two have the same path.
    pub files: Vec<File>,
    /// What was left out, a sentence each.
    pub notices: Vec<String>,
}

/// Everything that is to be published as files: the twin of every page in the order of the pages, then the others. `artifact` is what was packed of
/// the assembly.
pub fn export(assembly: &Assembly, artifact: &[u8]) -> Exports {
    let mut files = twin::twins(assembly);
    let mut notices = Vec::new();
    let settings = &assembly.site.settings.exports;
    let mut more = Vec::new();
    if settings.llms {
        more.extend(llms::files(assembly));
    }
    if settings.tools {
        match Answers::new(artifact, true) {
            Ok(answers) => more.extend(surface::files(assembly, &answers)),
            Err(error) => notices.push(format!("the page about the tools is left out: {error}")),
        }
    }
    if settings.discovery {
        more.extend(discovery::files(assembly));
    }
    // On some disks two names that differ in case are one file.
    let mut taken: HashSet<String> = files.iter().map(|file| file.path.to_lowercase()).collect();
    for file in more {
        if taken.insert(file.path.to_lowercase()) {
            files.push(file);
        } else {
            notices.push(format!(
                "`{}` is the markdown of a page, so the file that is usually written there is left out",
                file.path
            ));
        }
    }
    Exports { files, notices }
}
