//! What can be wrong with an artifact.

use std::fmt;

use super::Section;

/// Why bytes are not an artifact that this version can read, or could not be written as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file does not start with the eight bytes of an artifact.
    NotAnArtifact,
    /// The file was written in another version of the format.
    Version {
        /// The version that the file states.
        got: u32,
        /// The version that this code reads.
        expected: u32,
    },
    /// The file's words were cut by another version of the tokenizer.
    Tokenizer {
        /// The version that the file states.
        got: u32,
        /// The version that this code uses.
        expected: u32,
    },
    /// The file is shorter or longer than its header says.
    Length {
        /// Bytes there are.
        got: u64,
        /// Bytes that the header states.
        expected: u64,
    },
    /// The header or its table of sections is damaged.
    Header,
    /// A section that must be there is not.
    Missing(Section),
    /// A section's bytes do not agree with its checksum or with its own layout.
    Damaged(Section),
    /// More of something than the format has room for.
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        got: usize,
        /// How much fits.
        most: usize,
    },
    /// Something that the writer was given contradicts itself.
    Contradiction(&'static str),
    /// The compressor refused a page.
    Compression,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnArtifact => f.write_str(
                "not an artifact: the file does not start with `SHLFMARK`\n  help: give the `site.shelf` that `builder build` wrote",
            ),
            Self::Version { got, expected } => write!(
                f,
                "the artifact has format {got}, this program reads {expected}\n  help: run `builder build` of the same version"
            ),
            Self::Tokenizer { got, expected } => write!(
                f,
                "the artifact's words were cut by tokenizer {got}, this program uses {expected}\n  help: run `builder build` of the same version"
            ),
            Self::Length { got, expected } => write!(
                f,
                "the artifact has {got} bytes, its header states {expected}\n  help: copy the whole file again, or run `builder build`"
            ),
            Self::Header => f.write_str("the artifact's header is damaged\n  help: run `builder build` again"),
            Self::Missing(section) => {
                write!(f, "the artifact has no section `{section}`\n  help: run `builder build` again")
            }
            Self::Damaged(section) => {
                write!(f, "the artifact's section `{section}` is damaged\n  help: run `builder build` again")
            }
            Self::TooLarge { what, got, most } => {
                write!(f, "too many {what}: {got}, where the format holds {most}")
            }
            Self::Contradiction(what) => write!(f, "the artifact cannot be written: {what}"),
            Self::Compression => f.write_str("a page could not be compressed"),
        }
    }
}

impl std::error::Error for Error {}
