//! A folder for one test in which the real `builder` runs.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder that is gone after the test. The builder runs in it, so messages name paths as the test does.
pub(crate) struct TestFolder(TempDir);

/// What a run of the builder left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl TestFolder {
    /// A folder with files in it.
    pub(crate) fn new(files: &[(&str, &str)]) -> TestFolder {
        let folder = TestFolder(tempfile::tempdir().expect("a temporary folder"));
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    /// Writes a file and the folders that it needs.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("folders");
        fs::write(path, bytes).expect("a file");
    }

    /// The real path of a file.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// A file's bytes.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// A file's text.
    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).expect("UTF-8")
    }

    /// Every file below a folder, with its bytes.
    pub(crate) fn files(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.path(below), &self.path(below), &mut found);
        found
    }

    /// Runs the builder. `now` is always the same day, so that a test does not depend on the real one.
    pub(crate) fn builder(&self, arguments: &[&str]) -> Ran {
        self.builder_with(arguments, &[])
    }

    /// Runs the builder with variables in its environment, and no others.
    pub(crate) fn builder_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_builder"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .env_clear()
            .env("TMPDIR", self.0.path())
            .envs(variables.iter().copied());
        let output = command.output().expect("the builder starts");
        Ran {
            code: output.status.code().expect("it ended by itself"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Builds `site` into `dist`, which has to work.
    pub(crate) fn build(&self, arguments: &[&str]) -> Ran {
        let all = [&["build", "--now", "2026-03-01"], arguments].concat();
        let ran = self.builder(&all);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    }
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path.strip_prefix(root).expect("below");
            let name = name.to_string_lossy().replace('\\', "/");
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
}
