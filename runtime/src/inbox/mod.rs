//! The owner's inbox: what feedback has come, read from where the server keeps it.
//!
//! No tool of the server reads feedback back; this is for who owns the site, at a command line. An [`Inbox`] is the SQLite file of a local
//! server or the DynamoDB table of a deployed one. Both give [`Entry`]s newest first, through one [`Filter`]; the table is read by
//! queries on its index, a page at a time, and never by a scan.
//!
//! | module | what it does |
//! |---|---|
//! | `entry` | one message as it is kept, and which ones are wanted |
//! | `file`, `table` | reading and resolving in SQLite and in DynamoDB |
//! | `safe` | text that came from a stranger, made harmless for terminals, spreadsheets and markdown |
//! | `show` | entries as table, JSON lines, CSV and markdown; counts |
//! | `cli` | the command line |

pub mod cli;
mod deployed;
mod entry;
mod file;
mod safe;
mod show;
mod table;

pub use entry::{Entry, Filter, State};
pub use file::FileInbox;
pub use show::{Counts, Format, write};
pub use table::TableInbox;

use std::fmt;
use std::ops::ControlFlow;

/// Where feedback is read.
#[derive(Debug)]
pub enum Inbox {
    /// The file of a local server.
    File(FileInbox),
    /// The table of a deployed one.
    Table(TableInbox),
}

/// Why the inbox could not be read or changed.
#[derive(Debug)]
pub enum InboxError {
    /// No message has a key that begins like this.
    Unknown {
        /// What was asked for.
        key: String,
    },
    /// Several messages do.
    Ambiguous {
        /// What was asked for.
        key: String,
    },
    /// SQLite could not read the file.
    File(rusqlite::Error),
    /// The file cannot be opened.
    Open(crate::feedback::sqlite::OpenError),
    /// DynamoDB did not answer as hoped.
    Table {
        /// What was asked of it.
        doing: &'static str,
        /// What it said.
        source: crate::feedback::Cause,
    },
}

impl fmt::Display for InboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InboxError::Unknown { key } => write!(
                f,
                "no message has a key that begins with `{key}`\nhelp: `runtime feedback list --all` shows the keys"
            ),
            InboxError::Ambiguous { key } => write!(
                f,
                "several messages have a key that begins with `{key}`\nhelp: give more of it"
            ),
            InboxError::File(source) => write!(f, "the feedback file cannot be read: {source}"),
            InboxError::Open(source) => source.fmt(f),
            InboxError::Table { doing, source } => {
                write!(f, "DynamoDB: {doing} failed")?;
                let mut source: Option<&dyn std::error::Error> = Some(&**source);
                while let Some(cause) = source {
                    write!(f, ": {cause}")?;
                    source = cause.source();
                }
                write!(
                    f,
                    "\nhelp: check the table's name, the region and whose credentials are used; reading needs `dynamodb:Query` on the table's index, \
                     resolving `dynamodb:UpdateItem` on the table, `reindex` `dynamodb:Scan` as well"
                )
            }
        }
    }
}

impl std::error::Error for InboxError {}

impl Inbox {
    /// Gives every entry that `filter` wants to `take`, newest first, until it breaks.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn each(
        &self,
        filter: &Filter,
        take: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<(), InboxError> {
        match self {
            Inbox::File(file) => file.each(filter, take).map_err(InboxError::File),
            Inbox::Table(table) => table.each(filter, take).await,
        }
    }

    /// The newest entries that `filter` wants, `limit` at most, and whether there are more.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn newest(
        &self,
        filter: &Filter,
        limit: usize,
    ) -> Result<(Vec<Entry>, bool), InboxError> {
        let (mut entries, mut more) = (Vec::new(), false);
        self.each(filter, |entry| {
            more = entries.len() == limit;
            if more {
                return ControlFlow::Break(());
            }
            entries.push(entry);
            ControlFlow::Continue(())
        })
        .await?;
        Ok((entries, more))
    }

    /// The entry whose key begins with `key`, in any spelling.
    ///
    /// # Errors
    /// When there is none, or more than one, or the store cannot be read.
    pub async fn find(&self, key: &str) -> Result<Entry, InboxError> {
        let wanted: String = key
            .to_ascii_lowercase()
            .chars()
            .filter(char::is_ascii_hexdigit)
            .collect();
        let mut found = Vec::new();
        if !wanted.is_empty() {
            self.each(&Filter::everything(), |entry| {
                if entry.key.replace('-', "").starts_with(&wanted) {
                    found.push(entry);
                }
                match found.len() {
                    0 => ControlFlow::Continue(()),
                    // A whole key is there once.
                    1 if wanted.len() < 32 => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            })
            .await?;
        }
        let key = key.to_owned();
        match (found.pop(), found.is_empty()) {
            (Some(entry), true) => Ok(entry),
            (None, _) => Err(InboxError::Unknown { key }),
            (Some(_), false) => Err(InboxError::Ambiguous { key }),
        }
    }

    /// Marks an entry as resolved at a time, or as open again. One that is resolved keeps its first time.
    ///
    /// # Errors
    /// When the store cannot be written to.
    pub async fn resolve(&self, entry: &Entry, at: Option<&str>) -> Result<(), InboxError> {
        match self {
            Inbox::File(file) => file.resolve(&entry.key, at).map_err(InboxError::File),
            Inbox::Table(table) => table.resolve(&entry.key, at).await,
        }
    }
}
