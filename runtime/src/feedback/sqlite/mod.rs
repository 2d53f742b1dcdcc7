//! Feedback kept in a SQLite file on one's own machine: what the local server uses.
//!
//! One table, one row a submission, readable with any SQLite tool:
//!
//! ```text
//! sqlite3 ~/.local/share/shelfmark/<site>.feedback.db 'select received_at, kind, about, message from feedback order by 1'
//! ```
//!
//! It refuses a file that it did not make: opening checks the application id and the schema version before anything is
//! written, so that a mistyped path cannot add our table to somebody's else database.
//!
//! **Blocking, on purpose.** [`SqliteStore`] keeps one connection behind a mutex and writes on the calling thread. A write is one
//! transaction of three statements on a small table (under a millisecond, plus the disk's flush), and one person's machine is all that calls. A
//! thread pool would add a hop, and a way to lose a write that was acknowledged, for nothing.
//!
//! ```
//! use runtime::feedback::sqlite::SqliteStore;
//! use runtime::feedback::{FeedbackStore, Kind, Recorded, Severity, Submission};
//!
//! let store = SqliteStore::memory().expect("memory can be opened");
//! let submission = Submission {
//!     key: uuid::Uuid::from_u128(7),
//!     message: "Thanks!".to_owned(),
//!     kind: Kind::Other,
//!     severity: Severity::Low,
//!     about: None,
//!     artifact: "3f9a".to_owned(),
//!     client: Some("an editor".to_owned()),
//! };
//! let now = "2026-11-30T12:20:00Z".parse().expect("a time");
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
//! # runtime.block_on(async {
//! let until = std::time::Instant::now() + runtime::feedback::WRITE;
//! let recorded = store.record(&submission, now, until).await.expect("memory does not fill up");
//! assert_eq!(recorded, Recorded::New { received_at: "2026-11-30T12:20:00.000Z".to_owned() });
//! # });
//! ```

mod file;

#[cfg(feature = "inbox")]
pub(crate) use file::open as open_file;
pub use file::{OpenError, default_path};

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params};

use super::bounds::Moment;
use super::{
    Bounds, FeedbackStore, Recorded, Recording, StoreError, Submission, compare, received_at,
    too_large,
};

/// Before anything else of a write: what has expired is as if it had never been.
const EXPIRE: &str = "DELETE FROM feedback WHERE expires <= ?1";

const INSERT: &str = "
    INSERT INTO feedback (key, message, kind, severity, about, about_published, artifact, client, received_at, content_hash, expires)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    ON CONFLICT (key) DO NOTHING";

const STANDING: &str = "SELECT received_at, content_hash FROM feedback WHERE key = ?1";

/// Times have one width, so that those of a day lie between it and the next.
const THIS_DAY: &str = "SELECT count(*) FROM feedback WHERE received_at >= ?1 AND received_at < ?2";

/// A feedback store in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Mutex<Connection>,
    bounds: Bounds,
}

impl SqliteStore {
    /// Opens the feedback file at `path`, and makes it and its folder when they do not exist.
    ///
    /// # Errors
    /// [`OpenError`] names the path and what to do. A file that is refused is left as it was.
    pub fn open(path: &Path) -> Result<SqliteStore, OpenError> {
        file::open(path).map(SqliteStore::with)
    }

    /// A store that lives as long as the process: for tests.
    ///
    /// # Errors
    /// [`OpenError`] when there is no memory for it.
    pub fn memory() -> Result<SqliteStore, OpenError> {
        file::memory().map(SqliteStore::with)
    }

    fn with(connection: Connection) -> SqliteStore {
        SqliteStore {
            connection: Mutex::new(connection),
            bounds: Bounds::default(),
        }
    }

    /// The same store with other bounds.
    pub fn bounded(self, bounds: Bounds) -> SqliteStore {
        SqliteStore { bounds, ..self }
    }

    fn write(&self, submission: &Submission, now: jiff::Timestamp) -> Result<Recorded, StoreError> {
        if submission.is_too_large() {
            return Err(too_large());
        }
        // A panic elsewhere cannot leave half a write behind: a transaction that is not committed is rolled back.
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Immediate: another process that writes to the file is waited for here, and not between reading and writing.
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(refused)?;
        let recorded = keep(&transaction, submission, now, self.bounds).map_err(refused)?;
        if matches!(recorded, Recorded::New { .. }) {
            transaction.commit().map_err(refused)?;
        }
        Ok(recorded)
    }
}

/// One submission within a transaction, which is committed when it was new and rolled back otherwise.
fn keep(
    transaction: &Transaction<'_>,
    submission: &Submission,
    now: jiff::Timestamp,
    bounds: Bounds,
) -> rusqlite::Result<Recorded> {
    let key = submission.key.hyphenated().to_string();
    let hash = submission.content_hash();
    let received_at = received_at(now);
    let about = submission.about.as_ref();
    let moment = Moment::of(now);
    transaction
        .prepare_cached(EXPIRE)?
        .execute([moment.seconds])?;
    let inserted = transaction.prepare_cached(INSERT)?.execute(params![
        key,
        submission.message,
        submission.kind.as_str(),
        submission.severity.as_str(),
        about.map(|about| &about.route),
        about.map(|about| about.published),
        submission.artifact,
        submission.client,
        received_at,
        hash,
        moment.expiry(bounds),
    ])?;
    if inserted == 0 {
        let mut standing = transaction.prepare_cached(STANDING)?;
        let (first, theirs) = standing.query_row([&key], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        return Ok(compare(&hash, &theirs, first));
    }
    if let Some(most) = bounds.per_day {
        let mut count = transaction.prepare_cached(THIS_DAY)?;
        let with_this: u32 =
            count.query_row([moment.day(), moment.next_day()], |row| row.get(0))?;
        if with_this > most.get() {
            return Ok(Recorded::Full {
                again_at: moment.midnight(),
            });
        }
    }
    Ok(Recorded::New { received_at })
}

impl FeedbackStore for SqliteStore {
    /// Waits for other programs that write to the file at most two seconds, whatever `until` says.
    fn record<'a>(
        &'a self,
        submission: &'a Submission,
        now: jiff::Timestamp,
        _: Instant,
    ) -> Recording<'a> {
        Box::pin(std::future::ready(self.write(submission, now)))
    }
}

/// A transaction that failed was rolled back by SQLite, except that a failing disk may have kept what it could not confirm.
fn refused(cause: rusqlite::Error) -> StoreError {
    let reason = match cause.sqlite_error_code() {
        Some(ErrorCode::SystemIoFailure) => {
            return StoreError::Unsure {
                reason: "the disk failed while writing",
                source: Some(cause.into()),
            };
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is writing to the file"
        }
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "the file cannot be written to"
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => "the file is damaged",
        _ => "SQLite refused the write",
    };
    StoreError::Unavailable {
        reason,
        source: Some(cause.into()),
    }
}
