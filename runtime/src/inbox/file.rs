//! The inbox in the SQLite file of a local server.

use std::ops::ControlFlow;
use std::path::Path;

use rusqlite::{Connection, Row, params};

use super::InboxError;
use super::entry::{Entry, Filter, State};
use crate::feedback::sqlite::open_file;

/// The index by time gives the order, and where to begin.
const NEWEST: &str = "
    SELECT received_at, key, kind, severity, about, about_published, message, artifact, client, resolved_at, expires
    FROM feedback
    WHERE received_at >= ?1 AND (?2 OR (resolved_at IS NULL) = ?3)
    ORDER BY received_at DESC, key DESC";

const RESOLVE: &str = "UPDATE feedback SET resolved_at = coalesce(resolved_at, ?2) WHERE key = ?1";
const REOPEN: &str = "UPDATE feedback SET resolved_at = NULL WHERE key = ?1";

/// A feedback file, opened for its owner.
#[derive(Debug)]
pub struct FileInbox {
    connection: Connection,
}

impl FileInbox {
    /// Opens a file that is there.
    ///
    /// # Errors
    /// When it is not a feedback file or cannot be opened.
    pub fn open(path: &Path) -> Result<FileInbox, InboxError> {
        let connection = open_file(path).map_err(InboxError::Open)?;
        Ok(FileInbox { connection })
    }

    pub(super) fn each(
        &self,
        filter: &Filter,
        mut take: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> rusqlite::Result<()> {
        let mut newest = self.connection.prepare(NEWEST)?;
        let since = filter.since.as_deref().unwrap_or("");
        let (all, open) = (filter.state == State::All, filter.state == State::Open);
        for entry in newest.query_map(params![since, all, open], entry)? {
            let entry = entry?;
            if filter.wants(&entry) && take(entry).is_break() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn resolve(&self, key: &str, at: Option<&str>) -> rusqlite::Result<()> {
        match at {
            Some(at) => self.connection.execute(RESOLVE, [key, at])?,
            None => self.connection.execute(REOPEN, [key])?,
        };
        Ok(())
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        received_at: row.get(0)?,
        key: row.get(1)?,
        kind: row.get(2)?,
        severity: row.get(3)?,
        about: row.get(4)?,
        about_published: row.get(5)?,
        message: row.get(6)?,
        artifact: row.get(7)?,
        client: row.get(8)?,
        resolved_at: row.get(9)?,
        expires: row.get(10)?,
    })
}
