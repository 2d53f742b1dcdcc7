//! The only reader of a site's content.
//!
//! Finds the markdown below a folder and hands it out as text that every later step can rely on: UTF-8, line feeds only, no
//! byte order mark. It does not know what is in the text. Paths come sorted by their bytes, so the order of everything that
//! follows is the same on every machine.
//!
//! Left out: names that start with a dot, `node_modules`, the output folder, and links that lead in a circle. A file that cannot
//! be read is a problem with its name; the others are read all the same.
//!
//! A file with the bytes `EF BB BF 23 20 48 69 0D 0A` is read as `# Hi\n`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::problem::Problem;

/// What lies below a folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The markdown files, sorted.
    pub markdown: Vec<String>,
    /// All other files.
    pub others: BTreeSet<String>,
    /// What could not be looked into.
    pub problems: Vec<Problem>,
}

/// Lists the files below `root`, but for `output`.
pub(crate) fn find(root: &Path, output: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let output: Vec<PathBuf> = output
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let is_content = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        if entry.depth() == 0 {
            return true;
        }
        if name.starts_with('.') || name == "node_modules" {
            return false;
        }
        !entry.file_type().is_dir()
            || output.is_empty()
            || entry
                .path()
                .canonicalize()
                .map_or(true, |path| !output.contains(&path))
    };
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(is_content) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.problems.extend(problem_of(root, &error));
                continue;
            }
        };
        if !entry.file_type().is_file() {
            continue;
        }
        let Some(path) = below(root, entry.path()) else {
            let name = entry.path().strip_prefix(root).unwrap_or(entry.path());
            found.problems.push(
                Problem::error(name.to_string_lossy(), "the file's name is not UTF-8")
                    .help("rename the file"),
            );
            continue;
        };
        if markdown_ending(&path).is_some() {
            found.markdown.push(path);
        } else {
            found.others.insert(path);
        }
    }
    found.markdown.sort();
    found
}

/// The ending of a markdown file's name, with its dot; none when the file is something else.
pub(crate) fn markdown_ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = &name[name.rfind('.').filter(|at| *at > 0)?..];
    [".md", ".mdx", ".markdown"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
        .then_some(ending)
}

/// Patterns of paths, in which `*` stays within a folder and `**` does not. A pattern that is none is left out: the settings' own were told when they
/// were read.
pub(crate) fn globs<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in patterns.into_iter().filter_map(|pattern| {
        let mut glob = GlobBuilder::new(pattern.as_ref());
        glob.literal_separator(true).build().ok()
    }) {
        set.add(glob);
    }
    set.build().unwrap_or_default()
}

/// Reads one file below `root`.
pub(crate) fn read(root: &Path, path: &str) -> Result<String, Problem> {
    let bytes = fs::read(root.join(path)).map_err(|error| {
        Problem::error(path, format!("cannot read the file: {}", reason(&error)))
    })?;
    text_of(bytes, path)
}

pub(crate) fn text_of(bytes: Vec<u8>, path: &str) -> Result<String, Problem> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return Problem::error(path, "the file is UTF-16").help("save the file as UTF-8");
        }
        let line = bytes[..good].iter().filter(|b| **b == b'\n').count() + 1;
        Problem::error(path, format!("byte {good} is not UTF-8"))
            .at(u32::try_from(line).unwrap_or(u32::MAX))
            .help("save the file as UTF-8")
    })?;
    Ok(normalised(text))
}

/// Drops one byte order mark and makes every line break a line feed.
pub(crate) fn normalised(mut text: String) -> String {
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    if !text.contains('\r') {
        return text;
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The path below `root`, with `/` between folders.
fn below(root: &Path, path: &Path) -> Option<String> {
    let mut text = String::new();
    for part in path.strip_prefix(root).ok()?.components() {
        if !text.is_empty() {
            text.push('/');
        }
        text.push_str(part.as_os_str().to_str()?);
    }
    Some(text)
}

fn problem_of(root: &Path, error: &walkdir::Error) -> Option<Problem> {
    // A link that leads in a circle names nothing that is not found elsewhere.
    if error.loop_ancestor().is_some() {
        return None;
    }
    let path = error.path().unwrap_or(root);
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
    let dangling = path.is_symlink() && !path.exists();
    let why = error.io_error().map_or_else(|| "unknown".into(), reason);
    let problem = if dangling {
        Problem::warning(name, "the link leads to nothing")
    } else {
        Problem::error(name, format!("cannot be looked into: {why}"))
    };
    Some(problem)
}

/// The reason without the number that the system adds.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<String, Problem> {
        text_of(bytes.to_vec(), "a.md")
    }

    #[test]
    fn a_byte_order_mark_hid_the_front_matter() {
        assert_eq!(
            read_bytes(b"\xEF\xBB\xBF---\ntitle: x\n---\n").unwrap(),
            "---\ntitle: x\n---\n"
        );
        assert_eq!(
            read_bytes("\u{FEFF}\u{FEFF}# Hi".as_bytes()).unwrap(),
            "\u{FEFF}# Hi"
        );
    }

    #[test]
    fn every_line_break_is_a_line_feed() {
        assert_eq!(read_bytes(b"a\r\nb\rc\nd\r\n").unwrap(), "a\nb\nc\nd\n");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_told_with_their_line() {
        let problem = read_bytes(b"a\nb\xFFc").unwrap_err();
        assert_eq!(
            (problem.line, problem.what.as_str()),
            (Some(2), "byte 3 is not UTF-8")
        );
        let problem = read_bytes(b"\xFF\xFEa\0").unwrap_err();
        assert_eq!(problem.what, "the file is UTF-16");
    }

    #[test]
    fn only_content_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "b.md",
            "a/c.MDX",
            "a/d.markdown",
            "a/e.png",
            ".git/f.md",
            "node_modules/g.md",
            "out/h.md",
            ".md",
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let found = find(root, &[root.join("out")]);
        assert_eq!(found.markdown, ["a/c.MDX", "a/d.markdown", "b.md"]);
        assert!(found.others.contains("a/e.png") && found.problems.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_in_a_circle_or_nowhere() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("a")).unwrap();
        fs::write(root.join("a/b.md"), "x").unwrap();
        symlink(root, root.join("a/loop")).unwrap();
        symlink(root.join("gone.md"), root.join("a/c.md")).unwrap();
        let found = find(root, &[]);
        assert_eq!(found.markdown, ["a/b.md"]);
        assert_eq!(found.problems.len(), 1);
        assert_eq!(found.problems[0].file, "a/c.md");
    }
}
