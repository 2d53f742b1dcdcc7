//! Feedback: the one thing a caller can write.
//!
//! A [`Submission`] is what `submit_feedback` was asked to keep, a [`FeedbackStore`] keeps it: `DynamoDbStore` on Lambda,
//! `SqliteStore` on one's own machine. This module refuses to know arguments, wording or envelopes: the tool checks what came
//! and words the answer, a store only says what became of the write.
//!
//! **One write that is itself the record.** A store puts the whole submission under the caller's key, on the condition that
//! the key is free. There is no "in progress" mark that a crash could leave behind, and no record expires unless [`Bounds`] say so. When
//! the key is taken, what stands there decides:
//!
//! | under the key | answer |
//! |---|---|
//! | nothing, or a record that has expired | [`Recorded::New`] |
//! | nothing, and the day has had its messages ([`Bounds::per_day`]) | [`Recorded::Full`], and nothing is kept |
//! | the same content | [`Recorded::Already`], with the time of the first write |
//! | other content | [`Recorded::Conflict`], and nothing changes |
//!
//! The day is counted in the transaction that keeps the record, so that a flood is kept at most `per_day` times, and a call that is sent
//! again does not count.
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

mod bounds;
mod none;
mod submission;

pub use bounds::{Bounds, NotANumber};
pub use none::NoStore;
pub use submission::{About, Kind, MOST_BYTES, Severity, Submission};

#[cfg(feature = "dynamodb")]
pub mod dynamodb;
#[cfg(feature = "local")]
pub mod sqlite;

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

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
    /// As many messages as are kept in a day have been kept today; nothing changed and nothing was kept.
    Full {
        /// When the next day begins, in RFC 3339 UTC.
        again_at: String,
    },
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

/// How long a write may take unless the caller of the store knows better: well inside the ten seconds of the function in `template.yaml`.
pub const WRITE: Duration = Duration::from_secs(6);

/// A place that keeps submissions.
///
/// Whatever the number of simultaneous calls with one key, exactly one of them is [`Recorded::New`].
pub trait FeedbackStore: Send + Sync {
    /// Keeps a submission, received at `now`, unless its key is taken. By `until` it has answered, one way or the other.
    ///
    /// # Errors
    /// [`StoreError`] when the store did not acknowledge the write; success is never guessed.
    fn record<'a>(
        &'a self,
        submission: &'a Submission,
        now: jiff::Timestamp,
        until: Instant,
    ) -> Recording<'a>;
}

/// `now` as every store keeps it: RFC 3339 in UTC with milliseconds, `2026-11-30T12:20:00.000Z`. One width, so that the
/// order of texts is the order of times.
pub fn received_at(now: jiff::Timestamp) -> String {
    format!("{now:.3}")
}

/// Puts into the log why a write was not acknowledged, causes included. The submission's own words stay out of it.
pub(crate) fn log(error: &StoreError) {
    let mut causes = String::new();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push_str(": ");
        causes.push_str(&cause.to_string());
        source = cause.source();
    }
    tracing::error!("{error}{causes}");
}

/// The answer to a submission that is larger than any that the tool lets through.
#[cfg(any(feature = "local", feature = "dynamodb"))]
fn too_large() -> StoreError {
    StoreError::Unavailable {
        reason: "the message is larger than what is kept",
        source: None,
    }
}

/// What stands under a taken key says what a write that found it there came to.
#[cfg(any(feature = "local", feature = "dynamodb"))]
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

    #[test]
    fn times_have_one_width() {
        let now: jiff::Timestamp = "2026-11-30T12:20:00Z".parse().expect("a time");
        assert_eq!(received_at(now), "2026-11-30T12:20:00.000Z");
        let now: jiff::Timestamp = "2026-11-30T12:20:00.1239Z".parse().expect("a time");
        assert_eq!(received_at(now), "2026-11-30T12:20:00.123Z");
    }
}
