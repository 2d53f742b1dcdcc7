//! Feedback: the one thing a caller can write.
//!
//! A [`Submission`] is what `submit_feedback` was asked to keep, a [`FeedbackStore`] keeps it: `DynamoDbStore` on Lambda,
//! `SqliteStore` on one's own machine. This module refuses to know arguments, wording or envelopes: the tool checks what came
//! and words the answer, a store only says what became of the write.
//!
//! **One write that is itself the record.** A store puts the whole submission under the caller's key, on the condition that
//! the key is free. There is no "in progress" mark that a crash could leave behind, and no record expires. When the key is taken,
//! what stands there decides:
//!
//! | under the key | answer |
//! |---|---|
//! | nothing | [`Recorded::New`] |
//! | the same content | [`Recorded::Already`], with the time of the first write |
//! | other content | [`Recorded::Conflict`], and nothing changes |
//!
//! So a caller that lost an answer sends the same call again:
//!
//! ```
//! use runtime::feedback::{Kind, Severity, Submission};
//!
//! let first = Submission {
//!     key: uuid::Uuid::from_u128(7),
//!     message: "The page on caching\r\nhas no example.".to_owned(),
//!     kind: Kind::Missing,
//!     severity: Severity::Low,
//!     about: None,
//!     artifact: "3f9a".to_owned(),
//!     client: None,
//! };
//! // Another line end and a rebuilt site are still the same content; another severity is not.
//! let retry = Submission { message: first.message.replace("\r\n", "\n"), artifact: "77c0".to_owned(), ..first.clone() };
//! let other = Submission { severity: Severity::High, ..first.clone() };
//! assert_eq!(first.content_hash(), retry.content_hash());
//! assert_ne!(first.content_hash(), other.content_hash());
//! ```

mod none;

pub use none::NoStore;

#[cfg(feature = "lambda")]
pub mod dynamodb;
#[cfg(feature = "local")]
pub mod sqlite;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use sha2::{Digest, Sha256};

/// One message for the author of the site, checked and ready to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Names this submission; the caller made it. Its spelling is gone: upper and lower case are one key.
    pub key: uuid::Uuid,
    /// The caller's own words, as sent.
    pub message: String,
    /// What the message is about.
    pub kind: Kind,
    /// How much it matters.
    pub severity: Severity,
    /// The page it is about; without one it concerns the whole site.
    pub about: Option<About>,
    /// Identity of the artifact that was served at the time, so that the author can see what the caller saw.
    pub artifact: String,
    /// Name of the client, when it told one.
    pub client: Option<String>,
}

/// The page a message is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The canonical route of a published page, or what the caller wrote when no page answers to it.
    pub route: String,
    /// Whether the site publishes `route`.
    pub published: bool,
}

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Something that should be here and is not.
    Missing,
    /// Something here that does not work.
    Broken,
    /// Something here that is hard to follow.
    Confusing,
    /// Something here that is not true.
    Inaccurate,
    /// None of the others.
    Other,
}

impl Kind {
    /// The word callers send and stores keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Missing => "missing",
            Kind::Broken => "broken",
            Kind::Confusing => "confusing",
            Kind::Inaccurate => "inaccurate",
            Kind::Other => "other",
        }
    }
}

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// It stops people.
    High,
    /// It costs them time.
    Medium,
    /// It is good to know.
    Low,
}

impl Severity {
    /// The word callers send and stores keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::High => "high",
            Severity::Medium => "medium",
            Severity::Low => "low",
        }
    }
}

/// What became of a submission whose write the store acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// It was kept now.
    New {
        /// When, in RFC 3339 UTC.
        received_at: String,
    },
    /// The same content was kept under this key before; nothing changed.
    Already {
        /// When it was first kept, in RFC 3339 UTC.
        received_at: String,
    },
    /// Other content stands under this key; nothing changed and nothing was kept.
    Conflict,
}

/// Why a store did not acknowledge a write.
///
/// The two cases tell the caller different things, so a store picks [`StoreError::Unavailable`] only when it knows.
#[derive(Debug)]
pub enum StoreError {
    /// Nothing was saved.
    Unavailable {
        /// What the store ran into, for the log.
        reason: &'static str,
        /// The cause, for the log.
        source: Option<Cause>,
    },
    /// It may have been saved. Sending it again with the same key is safe.
    Unsure {
        /// What the store ran into, for the log.
        reason: &'static str,
        /// The cause, for the log.
        source: Option<Cause>,
    },
}

/// An error of the library that a store is built on.
pub type Cause = Box<dyn Error + Send + Sync + 'static>;

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Unavailable { reason, .. } => write!(f, "feedback was not saved: {reason}"),
            StoreError::Unsure { reason, .. } => {
                write!(f, "feedback may not have been saved: {reason}")
            }
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StoreError::Unavailable { source, .. } | StoreError::Unsure { source, .. } => source
                .as_deref()
                .map(|cause| cause as &(dyn Error + 'static)),
        }
    }
}

/// What [`FeedbackStore::record`] returns: boxed, so that the store can be chosen at run time.
pub type Recording<'a> = Pin<Box<dyn Future<Output = Result<Recorded, StoreError>> + Send + 'a>>;

/// A place that keeps submissions.
///
/// Whatever the number of simultaneous calls with one key, exactly one of them is [`Recorded::New`].
pub trait FeedbackStore: Send + Sync {
    /// Keeps a submission, received at `now`, unless its key is taken.
    ///
    /// # Errors
    /// [`StoreError`] when the store did not acknowledge the write; success is never guessed.
    fn record<'a>(&'a self, submission: &'a Submission, now: jiff::Timestamp) -> Recording<'a>;
}

impl Submission {
    /// SHA-256 of what makes two submissions the same, in lower-case hexadecimal.
    ///
    /// Hashed in this order: kind, severity, message, and the route of `about` if there is one. Each field is preceded by its
    /// length in bytes (u64, little endian), so that fields cannot run together (`"ab" + "c"` is not `"a" + "bc"`), and a
    /// missing `about` adds no field, while an empty one adds a zero length. In the message `\r\n` and `\r` count as `\n`: clients
    /// rewrite line ends between two attempts. The artifact, the client and whether the page is published stay out: a site
    /// may be rebuilt, and a client upgraded, between the attempts.
    pub fn content_hash(&self) -> String {
        let message = self.message.replace("\r\n", "\n").replace('\r', "\n");
        let mut hash = Sha256::new();
        let mut field = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        field(self.kind.as_str());
        field(self.severity.as_str());
        field(&message);
        if let Some(about) = &self.about {
            field(&about.route);
        }
        hash.finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// `now` as every store keeps it: RFC 3339 in UTC with milliseconds, `2026-11-30T12:20:00.000Z`. One width, so that the
/// order of texts is the order of times.
pub fn received_at(now: jiff::Timestamp) -> String {
    format!("{now:.3}")
}

/// Puts into the log why a write was not acknowledged, causes included. The submission's own words stay out of it.
#[cfg(any(feature = "local", feature = "lambda"))]
fn log(error: &StoreError) {
    let mut causes = String::new();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push_str(": ");
        causes.push_str(&cause.to_string());
        source = cause.source();
    }
    tracing::error!("{error}{causes}");
}

/// What stands under a taken key says what a write that found it there came to.
#[cfg(any(feature = "local", feature = "lambda"))]
fn compare(ours: &str, theirs: &str, first_received_at: String) -> Recorded {
    if ours == theirs {
        Recorded::Already {
            received_at: first_received_at,
        }
    } else {
        Recorded::Conflict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission() -> Submission {
        Submission {
            key: uuid::Uuid::from_u128(1),
            message: "One\nTwo".to_owned(),
            kind: Kind::Broken,
            severity: Severity::Medium,
            about: Some(About {
                route: "/a".to_owned(),
                published: true,
            }),
            artifact: "x".to_owned(),
            client: None,
        }
    }

    #[test]
    fn the_hash_is_fixed_for_ever() {
        // Stored hashes are compared with new ones after every upgrade. If this fails, retries over an upgrade become conflicts.
        assert_eq!(
            submission().content_hash(),
            "bed66445fb434ab2f7c0b0ee1b6ce9c63bb348baadd4baef0a9dcd674f59dc6a"
        );
    }

    #[test]
    fn every_part_of_the_content_counts() {
        let one = submission();
        let hash = one.content_hash();
        let changed = [
            Submission {
                message: "One Two".to_owned(),
                ..one.clone()
            },
            Submission {
                kind: Kind::Other,
                ..one.clone()
            },
            Submission {
                severity: Severity::Low,
                ..one.clone()
            },
            Submission {
                about: None,
                ..one.clone()
            },
            Submission {
                about: Some(About {
                    route: "/b".to_owned(),
                    published: true,
                }),
                ..one.clone()
            },
        ];
        for other in changed {
            assert_ne!(other.content_hash(), hash, "{other:?}");
        }
    }

    #[test]
    fn fields_do_not_run_together() {
        let one = submission();
        let a = Submission {
            message: "ab".to_owned(),
            about: Some(About {
                route: "c".to_owned(),
                published: false,
            }),
            ..one.clone()
        };
        let b = Submission {
            message: "a".to_owned(),
            about: Some(About {
                route: "bc".to_owned(),
                published: false,
            }),
            ..one.clone()
        };
        let none = Submission {
            about: None,
            ..one.clone()
        };
        let blank = Submission {
            about: Some(About {
                route: String::new(),
                published: false,
            }),
            ..one
        };
        assert_ne!(a.content_hash(), b.content_hash());
        assert_ne!(none.content_hash(), blank.content_hash());
    }

    #[test]
    fn circumstances_do_not_count() {
        let one = submission();
        let hash = one.content_hash();
        let same = [
            Submission {
                message: "One\r\nTwo".to_owned(),
                ..one.clone()
            },
            Submission {
                message: "One\rTwo".to_owned(),
                ..one.clone()
            },
            Submission {
                artifact: "y".to_owned(),
                ..one.clone()
            },
            Submission {
                client: Some("editor".to_owned()),
                ..one.clone()
            },
            Submission {
                about: Some(About {
                    route: "/a".to_owned(),
                    published: false,
                }),
                ..one.clone()
            },
        ];
        for other in same {
            assert_eq!(other.content_hash(), hash, "{other:?}");
        }
    }

    #[test]
    fn times_have_one_width() {
        let now: jiff::Timestamp = "2026-11-30T12:20:00Z".parse().expect("a time");
        assert_eq!(received_at(now), "2026-11-30T12:20:00.000Z");
        let now: jiff::Timestamp = "2026-11-30T12:20:00.1239Z".parse().expect("a time");
        assert_eq!(received_at(now), "2026-11-30T12:20:00.123Z");
    }
}
