//! Opening the artifact: the one place that maps a file into memory.

use std::fs::File;
use std::path::{Path, PathBuf};

use artifact::format::{Artifact, Error};

/// Why an artifact could not be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The file could not be read.
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file was read and is not an artifact for this program.
    Artifact {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: Error,
    },
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File { path, source } => write!(
                f,
                "`{}` could not be opened: {source}\n  help: build it with `builder build`, or give its path with `--artifact`",
                path.display()
            ),
            Self::Artifact { path, source } => write!(f, "`{}`: {source}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Artifact { source, .. } => Some(source),
        }
    }
}

/// Maps an artifact and opens it. The mapping lives as long as the process: a server opens one artifact and keeps it.
///
/// # Errors
/// [`OpenError`]: the file is not there, cannot be read, or is not an artifact of this version.
pub fn open(path: &Path) -> Result<Artifact<'static>, OpenError> {
    let file = |source| OpenError::File {
        path: path.to_owned(),
        source,
    };
    let opened = File::open(path).map_err(file)?;
    let metadata = opened.metadata().map_err(file)?;
    if metadata.is_dir() {
        return Err(file(std::io::Error::new(
            std::io::ErrorKind::IsADirectory,
            "it is a folder",
        )));
    }
    let bytes: &'static [u8] = if metadata.len() == 0 {
        &[]
    } else {
        map(&opened).map_err(file)?
    };
    Artifact::open(bytes).map_err(|source| OpenError::Artifact {
        path: path.to_owned(),
        source,
    })
}

#[expect(unsafe_code, reason = "the one mapping of the artifact")]
fn map(file: &File) -> std::io::Result<&'static [u8]> {
    // SAFETY: whoever deploys the artifact promises that the file does not change while it is served: the builder writes a new
    // file and renames it into place, and a Lambda function's files are read-only. The mapping is never unmapped.
    let map = unsafe { memmap2::Mmap::map(file)? };
    Ok(Box::leak(Box::new(map)))
}
