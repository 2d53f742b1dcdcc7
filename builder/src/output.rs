//! The only writer: puts a build's files into the output folder.
//!
//! Each file is written under a temporary name in its own folder and then renamed, so that a reader never opens half a file.
//! A file whose bytes are there already is left alone and keeps its time. A file below `public/` that an earlier build wrote and this one does
//! not is removed, and so are the folders that this leaves empty.
//!
//! `manifest.json` in the output folder names every file that builds wrote, with a hash of what was written:
//!
//! ```json
//! {"version":1,"files":{"public/about.md":"2d06800538d394c2","site.shelf":"9f0c0d1b6c4f1a55"}}
//! ```
//!
//! Only a file that is named there **and** still has the bytes of that hash is ever removed: what somebody else put there, or changed, stays.
//! While a build writes, the manifest says so and names the old files and the new ones, each with every hash that it may have, so one that is
//! interrupted leaves nothing that the next would not know; the next removes its temporary files, too. A site folder is never an output folder, nor inside one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::export::{File, PUBLIC};

/// The artifact's name in the output folder.
pub const ARTIFACT: &str = "site.shelf";
/// The name of the list of files that builds wrote.
pub const MANIFEST: &str = "manifest.json";

/// How the names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".shelfmark-", ".tmp");

/// The version of the manifest.
const VERSION: u32 = 1;

/// What became of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// How many files are new or have new bytes.
    pub written: usize,
    /// How many had these bytes already.
    pub unchanged: usize,
    /// How many files of earlier builds are gone.
    pub removed: usize,
    /// Files of earlier builds that somebody changed since: they are left, and no longer ours.
    pub left: Vec<String>,
}

/// Why the output could not be written.
#[derive(Debug)]
pub enum OutputError {
    /// The output folder is the site's folder, or holds it.
    HoldsTheSite {
        /// The output folder as it was given.
        out: PathBuf,
        /// The site's folder as it was given.
        site: PathBuf,
    },
    /// A file or folder refused.
    File {
        /// What was tried, such as `write`.
        doing: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl std::fmt::Display for OutputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OutputError::HoldsTheSite { out, site } => write!(
                f,
                "the output folder `{}` would hold the site's own folder `{}`\n  help: give another folder with `--out`, such as `dist`",
                shown(out),
                shown(site)
            ),
            OutputError::File {
                doing,
                path,
                source,
            } => {
                let help = match source.kind() {
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                        "make it writable, or give another folder with `--out`"
                    }
                    io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                        "something else has the name of a folder that is needed: move it away, or give another folder with `--out`"
                    }
                    io::ErrorKind::IsADirectory | io::ErrorKind::DirectoryNotEmpty => {
                        "a folder has the name of a file that is needed: move it away, or give another folder with `--out`"
                    }
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                        "make room, or give another folder with `--out`"
                    }
                    io::ErrorKind::InvalidFilename => "give the page a shorter route",
                    _ => "look at the folder, or give another one with `--out`",
                };
                write!(
                    f,
                    "could not {doing} `{}`: {}\n  help: {help}",
                    shown(path),
                    said(source)
                )
            }
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OutputError::HoldsTheSite { .. } => None,
            OutputError::File { source, .. } => Some(source),
        }
    }
}

/// Refuses an output folder in which a build could overwrite the site.
///
/// # Errors
/// [`OutputError::HoldsTheSite`].
pub fn check(out: &Path, site: &Path) -> Result<(), OutputError> {
    let (Some(real_out), Some(real_site)) = (resolved(out), resolved(site)) else {
        return Ok(()); // nothing that exists: reading the site or writing will tell
    };
    if real_site.starts_with(&real_out) {
        return Err(OutputError::HoldsTheSite {
            out: out.to_owned(),
            site: site.to_owned(),
        });
    }
    Ok(())
}

/// Writes the files of one build. `done` is told after each of them.
///
/// # Errors
/// [`OutputError::File`]: the first file, by name, that could not be written. What was written until then stays, whole.
pub fn write(out: &Path, files: &[File], done: &(dyn Fn() + Sync)) -> Result<Written, OutputError> {
    fs::create_dir_all(out).map_err(failed("create the folder", out))?;
    let manifest = out.join(MANIFEST);
    let (before, unfinished) = earlier(&manifest);
    let now: BTreeMap<&str, String> = files
        .iter()
        .map(|file| (file.path.as_str(), hash(&file.bytes)))
        .collect();
    if unfinished {
        remove_temporary(out, false)?;
        remove_temporary(&out.join(PUBLIC), true)?;
    }
    let mut union = now.clone();
    for (path, known) in &before {
        let hashes = union.entry(path).or_default();
        for hash in known.split(' ') {
            if !hashes.split(' ').any(|other| other == hash) {
                hashes.push_str(if hashes.is_empty() { "" } else { " " });
                hashes.push_str(hash);
            }
        }
    }
    // A build that changes nothing leaves the manifest alone as well.
    let settled = !unfinished && union == now && before.len() == now.len();
    if !settled {
        put(&manifest, &encoded(&union, true))?;
    }

    let mut result = Written::default();
    for (path, hash) in &before {
        if now.contains_key(path.as_str()) || !is_ours(path) {
            continue;
        }
        match remove(out, path, hash)? {
            Removed::Gone => result.removed += 1,
            Removed::Changed => result.left.push(path.clone()),
            Removed::Missing => {}
        }
    }
    let written = AtomicUsize::new(0);
    // Sorted, so that of several failures the same one is told each time.
    let mut sorted: Vec<&File> = files.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let outcomes: Vec<Result<(), OutputError>> = sorted
        .par_iter()
        .map(|file| {
            if put(&out.join(&file.path), &file.bytes)? {
                written.fetch_add(1, Ordering::Relaxed);
            }
            done();
            Ok(())
        })
        .collect();
    outcomes.into_iter().collect::<Result<(), _>>()?;
    put(&manifest, &encoded(&now, false))?;
    result.written = written.into_inner();
    result.unchanged = files.len() - result.written;
    Ok(result)
}

/// Whether an earlier build wrote into this folder.
pub fn is_output(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file() && !earlier(&folder.join(MANIFEST)).0.is_empty()
}

#[derive(Serialize, Deserialize)]
struct Manifest<K: Ord> {
    version: u32,
    /// Whether a build writes, or was interrupted while it did. A file may then have several hashes, with spaces between them.
    #[serde(default, skip_serializing_if = "is_false")]
    unfinished: bool,
    files: BTreeMap<K, String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// What earlier builds wrote, and whether the last of them came to its end; nothing when there is no manifest that we can read, so that nothing
/// is removed.
fn earlier(manifest: &Path) -> (BTreeMap<String, String>, bool) {
    let read = fs::read(manifest).ok();
    read.and_then(|bytes| serde_json::from_slice::<Manifest<String>>(&bytes).ok())
        .filter(|manifest| manifest.version == VERSION)
        .map(|manifest| (manifest.files, manifest.unfinished))
        .unwrap_or_default()
}

fn encoded(files: &BTreeMap<&str, String>, unfinished: bool) -> Vec<u8> {
    let manifest = Manifest {
        version: VERSION,
        unfinished,
        files: files.clone(),
    };
    let mut bytes = serde_json::to_vec_pretty(&manifest).expect("texts and numbers are JSON");
    bytes.push(b'\n');
    bytes
}

fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Whether a path of the manifest leads below `public/` and nowhere else. The manifest is a file that anyone can edit.
fn is_ours(path: &str) -> bool {
    let below = path
        .strip_prefix(PUBLIC)
        .and_then(|rest| rest.strip_prefix('/'));
    below.is_some_and(|rest| !rest.is_empty())
        && Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
}

enum Removed {
    Gone,
    Changed,
    Missing,
}

/// Removes a file if it still is what we wrote, and the folders that this leaves empty.
fn remove(out: &Path, path: &str, known: &str) -> Result<Removed, OutputError> {
    let file = out.join(path);
    match fs::symlink_metadata(&file) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Ok(Removed::Changed),
        Err(_) => return Ok(Removed::Missing),
    }
    let bytes = fs::read(&file).map_err(failed("read", &file))?;
    let hash = hash(&bytes);
    if known.split(' ').all(|known| known != hash) {
        return Ok(Removed::Changed);
    }
    fs::remove_file(&file).map_err(failed("remove", &file))?;
    let public = out.join(PUBLIC);
    for folder in file.ancestors().skip(1) {
        // A folder that still holds something refuses, and so do all above it.
        if !folder.starts_with(&public) || folder == public || fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(Removed::Gone)
}

/// Removes what an interrupted build had not renamed yet, in a folder and with `deep` below it.
fn remove_temporary(folder: &Path, deep: bool) -> Result<(), OutputError> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(()); // it is not there yet, or writing into it will tell
    };
    for entry in entries.flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
            if deep {
                remove_temporary(&path, true)?;
            }
        } else if name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1) {
            fs::remove_file(&path).map_err(failed("remove", &path))?;
        }
    }
    Ok(())
}

/// Writes a file unless it has these bytes already; says whether it had to.
fn put(path: &Path, bytes: &[u8]) -> Result<bool, OutputError> {
    if has(path, bytes) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed("create the folder", folder))?;
    let temporary = folder.join(temporary_name());
    let written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&temporary)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&temporary, path));
    if let Err(source) = written {
        let _ = fs::remove_file(&temporary); // it may never have been there
        return Err(failed("write", path)(source));
    }
    Ok(true)
}

fn has(path: &Path, bytes: &[u8]) -> bool {
    let same_length = fs::symlink_metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64);
    same_length && fs::read(path).is_ok_and(|there| there == bytes)
}

/// A short name, so that a long file name does not become too long; no other thread or process has it.
fn temporary_name() -> OsString {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!(
        "{}{}-{number}{}",
        TEMPORARY.0,
        std::process::id(),
        TEMPORARY.1
    )
    .into()
}

/// The real path of a folder, links followed; of one that is not there yet, by the part that is.
fn resolved(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let (real, missing) = whole
        .ancestors()
        .find_map(|there| Some((there.canonicalize().ok()?, whole.strip_prefix(there).ok()?)))?;
    let mut found = real;
    for part in missing.components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    Some(found)
}

/// A path as a message shows it: one that could write to the terminal cannot.
pub(crate) fn shown(path: &Path) -> String {
    artifact::clean::one_line(&path.to_string_lossy()).into_owned()
}

/// What the system says, without its number.
pub(crate) fn said(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

fn failed<'p>(doing: &'static str, path: &'p Path) -> impl Fn(io::Error) -> OutputError + 'p {
    move |source| OutputError::File {
        doing,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File {
            path: path.into(),
            bytes: text.into(),
        }
    }

    fn build(out: &Path, files: &[File]) -> Written {
        write(out, files, &|| ()).expect("written")
    }

    /// Every file below a folder but the manifest, with its text.
    fn files(out: &Path) -> Vec<(String, String)> {
        let walk = walkdir::WalkDir::new(out).sort_by_file_name();
        walk.into_iter()
            .map(|entry| entry.expect("readable"))
            .filter(|entry| entry.file_type().is_file() && entry.file_name() != MANIFEST)
            .map(|entry| {
                let below = entry.path().strip_prefix(out).expect("below");
                let text = fs::read_to_string(entry.path()).expect("text");
                (below.to_string_lossy().replace('\\', "/"), text)
            })
            .collect()
    }

    #[test]
    fn what_changed_is_written_what_is_gone_is_removed_and_the_rest_is_left() {
        let out = tempfile::tempdir().unwrap();
        let out = out.path();
        let first = [
            file("site.shelf", "1"),
            file("public/a.md", "a"),
            file("public/b/c.md", "c"),
            file("public/b/d.md", "d"),
        ];
        let counts = |written: &Written| (written.written, written.unchanged, written.removed);
        assert_eq!(counts(&build(out, &first)), (4, 0, 0));
        fs::write(out.join("public/mine.md"), "mine").unwrap();
        fs::write(out.join("public/b/d.md"), "edited").unwrap();
        let second = [file("site.shelf", "2"), file("public/a.md", "a")];
        let written = build(out, &second);
        assert_eq!(counts(&written), (1, 1, 1));
        assert_eq!(written.left, ["public/b/d.md"]);
        let there = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        assert_eq!(
            files(out),
            [
                there("public/a.md", "a"),
                there("public/b/d.md", "edited"),
                there("public/mine.md", "mine"),
                there("site.shelf", "2"),
            ]
        );
    }

    #[test]
    fn a_build_that_was_interrupted_leaves_nothing_for_long() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path();
        build(
            out,
            &[file("public/a.md", "old"), file("public/b.md", "old")],
        );
        // The next build was ended after its first file, in the middle of the second.
        let files_of = |text: &str| [file("public/a.md", text), file("public/b.md", text)];
        let stopped = std::panic::catch_unwind(|| {
            write(out, &files_of("new"), &|| panic!("ended")).map(|_| ())
        });
        assert!(stopped.is_err());
        fs::write(out.join("public/b.md"), "old").unwrap();
        fs::create_dir_all(out.join("public/c")).unwrap();
        for name in [".shelfmark-1-2.tmp", "public/c/.shelfmark-1-3.tmp"] {
            fs::write(out.join(name), "ha").unwrap();
        }
        let (known, unfinished) = earlier(&out.join(MANIFEST));
        let both = format!("{} {}", hash(b"new"), hash(b"old"));
        assert!(unfinished && known["public/b.md"] == both, "{known:?}");
        // The one after it has neither, whichever bytes are there.
        let written = build(out, &[file("public/d.md", "d")]);
        assert_eq!((written.removed, written.left), (2, Vec::new()));
        assert_eq!(files(out), [("public/d.md".to_owned(), "d".to_owned())]);
        assert!(!earlier(&out.join(MANIFEST)).1);
    }

    #[test]
    fn a_page_may_become_a_folder_and_a_folder_a_page() {
        let out = tempfile::tempdir().unwrap();
        for path in ["public/a.md", "public/a.md/b.md", "public/a.md"] {
            build(out.path(), &[file(path, "x")]);
            assert_eq!(files(out.path()), [(path.to_owned(), "x".to_owned())]);
        }
    }

    #[test]
    fn a_manifest_cannot_lead_out_of_the_public_folder() {
        let out = tempfile::tempdir().unwrap();
        let out = out.path();
        fs::create_dir_all(out.join("o/public")).unwrap();
        fs::write(out.join("precious"), "p").unwrap();
        let hash = hash(b"p");
        let paths = [
            "public/../../precious",
            "../precious",
            "/etc/x",
            "public/",
            "public",
        ];
        let listed: Vec<String> = paths
            .iter()
            .map(|path| format!("\"{path}\":\"{hash}\""))
            .collect();
        let manifest = format!("{{\"version\":1,\"files\":{{{}}}}}", listed.join(","));
        fs::write(out.join("o/manifest.json"), manifest).unwrap();
        assert_eq!(build(&out.join("o"), &[]).removed, 0);
        assert!(out.join("precious").exists() && out.join("o/public").exists());
    }

    #[test]
    fn an_output_folder_never_holds_the_site() {
        let root = tempfile::tempdir().unwrap();
        let site = root.path().join("site");
        fs::create_dir(&site).unwrap();
        let refused = |out: &Path| check(out, &site).is_err();
        assert!(refused(&site) && refused(root.path()) && refused(&site.join("x/..")));
        assert!(refused(&root.path().join("new/../site")));
        assert!(!refused(&site.join("dist")) && !refused(&root.path().join("dist")));
        assert!(!refused(&root.path().join("sit")));
    }

    #[test]
    fn a_name_that_is_taken_is_told() {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join("public"), "").unwrap();
        let error = write(out.path(), &[file("public/a.md", "a")], &|| ()).unwrap_err();
        let path = out.path().join("public");
        assert_eq!(
            error.to_string(),
            format!(
                "could not create the folder `{}`: file exists\n  help: something else has the name of a folder that is needed: \
                 move it away, or give another folder with `--out`",
                path.display()
            )
        );
    }
}
