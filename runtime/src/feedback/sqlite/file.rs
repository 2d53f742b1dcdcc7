//! The file that holds feedback: where it lies, whether it is ours, and its table in every version.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

/// Marks a file as ours (`PRAGMA application_id`): "shlf" in ASCII.
const APPLICATION: i32 = 0x7368_6c66;

/// Version of the table below (`PRAGMA user_version`). Raise it with every change, and bring older files up to date in [`prepare`].
///
/// | version | what changed |
/// |---|---|
/// | 1 | the table |
/// | 2 | `expires`, `resolved_at`, and an index by time: for the owner's inbox and the count of a day |
const SCHEMA: i32 = 2;

/// The key is the primary key, so the insert that loses the race finds the row that won.
const TABLE: &str = "
    CREATE TABLE feedback (
        key             TEXT PRIMARY KEY,   -- hyphenated, lower case
        message         TEXT NOT NULL,
        kind            TEXT NOT NULL,
        severity        TEXT NOT NULL,
        about           TEXT,               -- NULL: the site as a whole
        about_published INTEGER,
        artifact        TEXT NOT NULL,
        client          TEXT,
        received_at     TEXT NOT NULL,      -- RFC 3339, UTC, milliseconds
        content_hash    TEXT NOT NULL,
        expires         INTEGER,            -- seconds since 1970; NULL: never
        resolved_at     TEXT                -- when the owner was done with it; NULL: open
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX newest ON feedback (received_at);
    CREATE INDEX expiring ON feedback (expires) WHERE expires IS NOT NULL";

/// From version 1 to 2.
const FROM_1: &str = "
    ALTER TABLE feedback ADD COLUMN expires INTEGER;
    ALTER TABLE feedback ADD COLUMN resolved_at TEXT;
    CREATE INDEX newest ON feedback (received_at);
    CREATE INDEX expiring ON feedback (expires) WHERE expires IS NOT NULL";

/// How long a write waits for another process that is writing to the same file: a second local server, or the author's own tool.
const BUSY: Duration = Duration::from_secs(2);

/// Why a feedback file could not be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The folder of the file could not be made.
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file could not be opened for writing.
    File {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file is no SQLite database, or a damaged one.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file is a database that something else made.
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A newer version made the file.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its table.
        found: i32,
        /// The newest version that this program knows.
        known: i32,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Folder { path, source } => write!(
                f,
                "could not make the folder `{}` for feedback: {source}\nhelp: name a file in a folder that you may write to",
                path.display()
            ),
            OpenError::File { path, source } => write!(
                f,
                "could not open the feedback file `{}` for writing: {source}\nhelp: name a file in a folder that you may write to",
                path.display()
            ),
            OpenError::Damaged { path, source } => write!(
                f,
                "the feedback file `{}` is not a readable SQLite database: {source}\nhelp: move it aside and start again; a new one is made",
                path.display()
            ),
            OpenError::Foreign { path } => write!(
                f,
                "`{}` is a database of another program\nhelp: name another file for feedback",
                path.display()
            ),
            OpenError::Newer { path, found, known } => write!(
                f,
                "the feedback file `{}` has version {found}, this program knows {known}\nhelp: upgrade, or name another file",
                path.display()
            ),
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OpenError::Folder { source, .. } => Some(source),
            OpenError::File { source, .. } | OpenError::Damaged { source, .. } => Some(source),
            OpenError::Foreign { .. } | OpenError::Newer { .. } => None,
        }
    }
}

/// Opens the file at `path`, and makes it and its folder when they do not exist.
pub(crate) fn open(path: &Path) -> Result<Connection, OpenError> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        make_folder(folder).map_err(|source| OpenError::Folder {
            path: folder.to_owned(),
            source,
        })?;
    }
    let connection = Connection::open(path).map_err(|source| trouble(path, source))?;
    prepared(connection, path)
}

/// The same without a file.
pub(super) fn memory() -> Result<Connection, OpenError> {
    let path = Path::new(":memory:");
    let connection = Connection::open_in_memory().map_err(|source| trouble(path, source))?;
    prepared(connection, path)
}

fn prepared(mut connection: Connection, path: &Path) -> Result<Connection, OpenError> {
    match prepare(&mut connection) {
        Ok(State::Ready) => Ok(connection),
        Ok(State::Foreign) => Err(OpenError::Foreign {
            path: path.to_owned(),
        }),
        Ok(State::Newer { found }) => Err(OpenError::Newer {
            path: path.to_owned(),
            found,
            known: SCHEMA,
        }),
        Err(source) => Err(trouble(path, source)),
    }
}

/// Where the feedback of a site is kept unless the author names a file: `shelfmark/<site>.feedback.db` below the user's data folder.
///
/// That folder is `$XDG_DATA_HOME`, else `~/.local/share`; on macOS `~/Library/Application Support`; on Windows `%LOCALAPPDATA%`.
/// `variable` reads an environment variable. `None` when the environment names no home. Twenty lines of our own rather
/// than a crate: one application, one folder.
pub fn default_path(site: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let data = if cfg!(windows) {
        folder("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        folder("HOME")?.join("Library").join("Application Support")
    } else {
        // The XDG specification asks to ignore a relative path.
        folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local").join("share")))?
    };
    let safe = |letter: char| {
        if letter.is_alphanumeric() || "-_.".contains(letter) {
            letter
        } else {
            '-'
        }
    };
    let name: String = site.trim_start_matches('.').chars().map(safe).collect();
    let name = if name.is_empty() { "site" } else { &name };
    Some(data.join("shelfmark").join(format!("{name}.feedback.db")))
}

/// Makes a folder that only its owner may read, where the system knows such a thing: feedback is other people's words.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

enum State {
    Ready,
    Foreign,
    Newer { found: i32 },
}

/// Sets the connection up, and makes the table in an empty file.
fn prepare(connection: &mut Connection) -> rusqlite::Result<State> {
    connection.busy_timeout(BUSY)?;
    // Immediate: of two servers that start on one new file, the second waits and then finds the table.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let pragma =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, version) {
        (0, 0) if tables == 0 => {
            transaction.execute_batch(TABLE)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", SCHEMA)?;
        }
        (APPLICATION, SCHEMA) => {}
        (APPLICATION, 1) => {
            transaction.execute_batch(FROM_1)?;
            transaction.pragma_update(None, "user_version", SCHEMA)?;
        }
        (APPLICATION, found) if found > SCHEMA => return Ok(State::Newer { found }),
        _ => return Ok(State::Foreign),
    }
    transaction.commit()?;
    // WAL: the author can read while the server writes. FULL: an acknowledged write outlives a power cut (WAL's usual NORMAL does not
    // promise that). A memory database answers "memory" to the first, which is fine.
    use_write_ahead_log(connection)?;
    connection.pragma_update(None, "synchronous", "full")?;
    Ok(State::Ready)
}

/// Turns the write-ahead log on. That needs the file for a moment alone, and SQLite's own waiting does not cover it: several servers that
/// started together on one new file were told that it is locked.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let end = Instant::now() + BUSY;
    loop {
        let done = connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()));
        let busy = matches!(&done, Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy));
        if !busy || Instant::now() > end {
            return done;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn trouble(path: &Path, source: rusqlite::Error) -> OpenError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            OpenError::Damaged { path, source }
        }
        _ => OpenError::File { path, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::sqlite::SqliteStore;

    #[test]
    fn a_text_file_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        let text =
            "not a database, but longer than the hundred bytes that the header of one takes. "
                .repeat(4);
        std::fs::write(&path, &text).expect("written");
        let error = SqliteStore::open(&path).expect_err("a text file");
        assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("notes.txt"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), text);
    }

    #[test]
    fn a_database_of_another_program_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("places.sqlite");
        Connection::open(&path)
            .and_then(|other| other.execute_batch("CREATE TABLE places (a)"))
            .expect("made");
        let before = std::fs::read(&path).expect("read");
        let error = SqliteStore::open(&path).expect_err("another program's");
        assert!(matches!(error, OpenError::Foreign { .. }), "{error}");
        assert_eq!(std::fs::read(&path).expect("read"), before);
    }

    #[test]
    fn a_file_of_a_newer_version_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.db");
        drop(SqliteStore::open(&path).expect("opened"));
        Connection::open(&path)
            .and_then(|db| db.pragma_update(None, "user_version", 9))
            .expect("changed");
        let error = SqliteStore::open(&path).expect_err("newer");
        assert!(
            matches!(
                error,
                OpenError::Newer {
                    found: 9,
                    known: SCHEMA,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let error = SqliteStore::open(&file.join("below").join("x.db")).expect_err("below a file");
        assert!(matches!(error, OpenError::Folder { .. }), "{error}");
        assert!(error.to_string().contains("below"), "{error}");
        let error = SqliteStore::open(folder.path()).expect_err("a folder");
        assert!(matches!(error, OpenError::File { .. }), "{error}");
    }

    #[test]
    fn a_file_outlives_its_store() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep").join("er").join("x.db");
        drop(SqliteStore::open(&path).expect("made"));
        drop(SqliteStore::open(&path).expect("opened again"));
        assert!(path.is_file());
    }

    #[test]
    fn a_site_name_is_one_file_name() {
        let home = if cfg!(windows) {
            "C:\\Users\\me"
        } else {
            "/home/me"
        };
        let variable = |name: &str| {
            ["HOME", "LOCALAPPDATA"]
                .contains(&name)
                .then(|| OsString::from(home))
        };
        for (site, file) in [
            ("docs", "docs.feedback.db"),
            ("../../etc/passwd", "-..-etc-passwd.feedback.db"),
            ("a b:c", "a-b-c.feedback.db"),
            ("", "site.feedback.db"),
            ("été", "été.feedback.db"),
        ] {
            let path = default_path(site, variable).expect("a home");
            assert!(path.starts_with(home), "{}", path.display());
            assert_eq!(path.file_name().and_then(|name| name.to_str()), Some(file));
        }
        assert_eq!(default_path("docs", |_| None), None);
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_data_folder_follows_xdg() {
        let with = |data: &'static str| {
            move |name: &str| match name {
                "XDG_DATA_HOME" => Some(OsString::from(data)),
                "HOME" => Some(OsString::from("/home/me")),
                _ => None,
            }
        };
        assert_eq!(
            default_path("a", with("/data")),
            Some(PathBuf::from("/data/shelfmark/a.feedback.db"))
        );
        assert_eq!(
            default_path("a", with("data")),
            Some(PathBuf::from(
                "/home/me/.local/share/shelfmark/a.feedback.db"
            ))
        );
    }
}
