//! The command line of the `runtime` binary: what the owner of a site does with the feedback that has come, and with a deployed server.

use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::deployed::{Smoke, ZeroResults};
use super::entry::{Filter, State};
use super::show::{self, Counts, Format};
use super::{FileInbox, Inbox, InboxError, TableInbox};
use crate::config;
use crate::feedback::sqlite;
use crate::feedback::{Kind, Severity, received_at};
use crate::library;

/// Read the feedback that agents and people have left, and look after a deployed server
#[derive(Debug, Parser)]
#[command(name = "runtime", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read, export and resolve feedback
    #[command(
        subcommand,
        after_help = "Examples:\n  runtime feedback list --severity high\n  \
                      runtime feedback export --table shelfmark-FeedbackTable-1A2B3C --format csv > feedback.csv\n\n\
                      Exit status: 0 done, 1 no such message, 2 could not run."
    )]
    Feedback(Feedback),
    /// Call every tool of a live server in both generations of the protocol, and say what is wrong
    #[command(after_help = "A bearer token is taken from SHELFMARK_TOKEN.\n\n\
                      Example:\n  runtime smoke https://example.com/mcp\n\n\
                      Exit status: 0 all is well, 1 something is wrong, 2 could not run.")]
    Smoke(Smoke),
    /// Hash searches as the log tells those without a result, or count them in a log
    #[command(after_help = "The salt is taken from SHELFMARK_ZERO_RESULT_SALT.\n\n\
                      Example:\n  runtime zero-results words.txt --log server.log\n\n\
                      Exit status: 0 done, 2 could not run.")]
    ZeroResults(ZeroResults),
}

#[derive(Debug, Subcommand)]
enum Feedback {
    /// List messages, newest first
    List {
        #[command(flatten)]
        wanted: Wanted,
        /// How many at most
        #[arg(long, default_value_t = 50)]
        limit: usize,
        /// How to write them
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        #[command(flatten)]
        place: Place,
    },
    /// Show one message in full
    Show {
        /// Its key, or the beginning of it
        key: String,
        #[command(flatten)]
        place: Place,
    },
    /// Write every message, resolved ones included
    Export {
        #[command(flatten)]
        wanted: Wanted,
        /// How to write them
        #[arg(long, value_enum, default_value_t = Format::Jsonl)]
        format: Format,
        #[command(flatten)]
        place: Place,
    },
    /// Count messages by kind, severity, route and month
    Stats {
        #[command(flatten)]
        wanted: Wanted,
        /// As JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Mark messages as resolved
    Resolve {
        /// Their keys, or the beginnings of them
        #[arg(required = true)]
        keys: Vec<String>,
        /// Open them again
        #[arg(long)]
        undo: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Put into the index what a table of an earlier template holds
    Reindex {
        /// The DynamoDB table [or: SHELFMARK_FEEDBACK_TABLE]
        #[arg(long, value_name = "NAME")]
        table: Option<String>,
    },
}

/// Where feedback is read.
#[derive(Debug, Args)]
struct Place {
    /// The DynamoDB table of a deployed server [or: SHELFMARK_FEEDBACK_TABLE]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "artifact"])]
    table: Option<String>,
    /// The file of a local server [or: SHELFMARK_FEEDBACK]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The site whose file in your data folder is read [or: SHELFMARK_ARTIFACT]
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    artifact: Option<PathBuf>,
}

/// Which messages.
#[derive(Debug, Args)]
struct Wanted {
    /// Only of this kind; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<Kind>,
    /// Only of this severity; may be repeated
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    severity: Vec<Severity>,
    /// Only about this route and what lies below it
    #[arg(long)]
    route: Option<String>,
    /// Only since a day, a time, or so long ago: 2026-11-01, 7d, 12h
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only resolved ones
    #[arg(long, conflicts_with_all = ["all", "open"])]
    resolved: bool,
    /// Only open ones, as `list` does unless told otherwise
    #[arg(long, conflicts_with = "all")]
    open: bool,
    /// Open and resolved ones, as `export` and `stats` do
    #[arg(long)]
    all: bool,
}

fn kind(word: &str) -> Result<Kind, String> {
    Kind::parse(word)
        .ok_or_else(|| "use missing, broken, confusing, inaccurate or other".to_owned())
}

fn severity(word: &str) -> Result<Severity, String> {
    Severity::parse(word).ok_or_else(|| "use high, medium or low".to_owned())
}

impl Wanted {
    fn filter(&self, usual: State, now: Timestamp) -> Result<Filter, Stop> {
        let state = match (self.resolved, self.open, self.all) {
            (true, ..) => State::Resolved,
            (_, true, _) => State::Open,
            (.., true) => State::All,
            _ => usual,
        };
        Ok(Filter {
            state,
            kinds: self.kind.clone(),
            severities: self.severity.clone(),
            route: self.route.clone(),
            since: self
                .since
                .as_deref()
                .map(|when| since(when, now))
                .transpose()?,
            now: now.as_second(),
        })
    }
}

/// A day, a time, or how long ago (`7d`, `12h`, `2 weeks`, `P7D`), as a time. Days are those of UTC.
fn since(when: &str, now: Timestamp) -> Result<String, Stop> {
    let ago = || {
        let long: Span = when.parse().ok()?;
        let then = now
            .to_zoned_datetime(TimeZone::UTC)
            .checked_sub(long.abs())
            .ok()?;
        Some(then.timestamp())
    };
    let day = || format!("{when}T00:00:00Z").parse().ok();
    ago()
        .or_else(|| when.parse().ok())
        .or_else(day)
        .map(received_at)
        .ok_or_else(|| {
            Stop::CouldNotRun(format!(
                "`{when}` is no time\nhelp: use a day such as 2026-11-01, a time such as 2026-11-01T12:00:00Z, or how long ago, such as 7d, 12h or 2 weeks"
            ))
        })
}

/// Why there is nothing to show.
enum Stop {
    /// No such message.
    Absent(String),
    CouldNotRun(String),
    /// Whoever reads our output has gone.
    Unread,
}

impl From<InboxError> for Stop {
    fn from(error: InboxError) -> Stop {
        match error {
            InboxError::Unknown { .. } | InboxError::Ambiguous { .. } => {
                Stop::Absent(error.to_string())
            }
            _ => Stop::CouldNotRun(error.to_string()),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::Unread,
            _ => Stop::CouldNotRun(format!("cannot write: {error}")),
        }
    }
}

/// Reads the arguments, does it, and says how it went.
pub fn main() -> ExitCode {
    let command = match Cli::parse().command {
        Command::Feedback(command) => command,
        Command::Smoke(smoke) => {
            return match smoke.run(io::stdout().lock()) {
                Ok(true) => ExitCode::SUCCESS,
                Ok(false) => ExitCode::from(1),
                Err(error) => could_not_run(&format!("cannot write: {error}")),
            };
        }
        Command::ZeroResults(wanted) => {
            return match wanted.run(BufWriter::new(io::stdout().lock())) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => could_not_run(&message),
            };
        }
    };
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return could_not_run(&error.to_string()),
    };
    match runtime.block_on(run(command, Timestamp::now())) {
        Ok(()) | Err(Stop::Unread) => ExitCode::SUCCESS,
        Err(Stop::Absent(message)) => {
            eprintln!("error: {message}");
            ExitCode::from(1)
        }
        Err(Stop::CouldNotRun(message)) => could_not_run(&message),
    }
}

fn could_not_run(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

async fn run(command: Feedback, now: Timestamp) -> Result<(), Stop> {
    let out = BufWriter::new(io::stdout().lock());
    match command {
        Feedback::List {
            wanted,
            limit,
            format,
            place,
        } => {
            let filter = wanted.filter(State::Open, now)?;
            let inbox = place.open().await?;
            let (entries, more) = inbox.newest(&filter, limit).await?;
            if entries.is_empty() {
                eprintln!("no such messages");
                return Ok(());
            }
            let mut writer = show::write(format, out)?;
            for entry in &entries {
                writer.entry(entry)?;
            }
            writer.end()?;
            if more {
                eprintln!("there are more: raise `--limit`, or `export`");
            }
        }
        Feedback::Show { key, place } => {
            let entry = place.open().await?.find(&key).await?;
            show::whole(out, &entry)?;
        }
        Feedback::Export {
            wanted,
            format,
            place,
        } => {
            let filter = wanted.filter(State::All, now)?;
            let inbox = place.open().await?;
            let mut writer = show::write(format, out)?;
            let mut written = Ok(());
            inbox
                .each(&filter, |entry| match writer.entry(&entry) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        written = Err(error);
                        ControlFlow::Break(())
                    }
                })
                .await?;
            written?;
            writer.end()?;
        }
        Feedback::Stats {
            wanted,
            json,
            place,
        } => {
            let filter = wanted.filter(State::All, now)?;
            let mut counts = Counts::default();
            let add = |entry| {
                counts.add(&entry);
                ControlFlow::Continue(())
            };
            place.open().await?.each(&filter, add).await?;
            match json {
                true => println!(
                    "{}",
                    super::safe::json(&serde_json::to_string(&counts).map_err(io::Error::from)?)
                ),
                false => counts.show(out)?,
            }
        }
        Feedback::Resolve { keys, undo, place } => {
            let inbox = place.open().await?;
            let at = received_at(now);
            // All of them are found before the first is changed.
            let mut entries = Vec::new();
            for key in &keys {
                entries.push(inbox.find(key).await?);
            }
            for entry in &entries {
                inbox.resolve(entry, (!undo).then_some(at.as_str())).await?;
                eprintln!(
                    "{} {}",
                    if undo { "opened again:" } else { "resolved:" },
                    entry.key
                );
            }
        }
        Feedback::Reindex { table } => {
            let table = table.or_else(|| config::get(config::FEEDBACK_TABLE));
            let table = table.ok_or_else(|| {
                Stop::CouldNotRun(
                    "no table is named\nhelp: `--table NAME`; the file of a local server needs no index"
                        .to_owned(),
                )
            })?;
            match TableInbox::connect(&table).await.reindex().await? {
                0 => println!("every message is in the index"),
                1 => println!("1 message was put into the index"),
                many => println!("{many} messages were put into the index"),
            }
        }
    }
    Ok(())
}

impl Place {
    async fn open(self) -> Result<Inbox, Stop> {
        let named = self.file.is_some() || self.artifact.is_some();
        let table = self
            .table
            .or_else(|| config::get(config::FEEDBACK_TABLE).filter(|_| !named));
        if let Some(table) = table {
            return Ok(Inbox::Table(TableInbox::connect(&table).await));
        }
        let path = match (self.file, self.artifact) {
            (Some(file), _) => file,
            (None, Some(artifact)) => default_file(&artifact)?,
            (None, None) => match (config::get(config::FEEDBACK), config::get(config::ARTIFACT)) {
                (Some(file), _) => file.into(),
                (None, Some(artifact)) => default_file(artifact.as_ref())?,
                (None, None) => only_file()?,
            },
        };
        if !path.is_file() {
            return Err(Stop::CouldNotRun(format!(
                "there is no feedback file `{}`\nhelp: a server makes it when it is started; name another with `--file`",
                path.display()
            )));
        }
        Ok(Inbox::File(FileInbox::open(&path)?))
    }
}

/// The file in the user's data folder where a local server keeps the feedback of a site.
fn default_file(artifact: &std::path::Path) -> Result<PathBuf, Stop> {
    let artifact = library::open(artifact).map_err(|error| Stop::CouldNotRun(error.to_string()))?;
    sqlite::default_path(artifact.site().server_name, config::raw).ok_or_else(no_home)
}

/// The feedback file in the user's data folder, when there is one only.
fn only_file() -> Result<PathBuf, Stop> {
    let folder = sqlite::default_path("any", config::raw).ok_or_else(no_home)?;
    let folder = folder.parent().unwrap_or(&folder);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".feedback.db"))
        .collect();
    files.sort();
    match files.len() {
        1 => Ok(files.remove(0)),
        0 => Err(Stop::CouldNotRun(format!(
            "there is no feedback in `{}`\nhelp: name a file with `--file`, or a DynamoDB table with `--table`",
            folder.display()
        ))),
        _ => {
            let names: Vec<String> = files
                .iter()
                .map(|file| format!("  {}", file.display()))
                .collect();
            Err(Stop::CouldNotRun(format!(
                "there is feedback of several sites:\n{}\nhelp: name one with `--file`",
                names.join("\n")
            )))
        }
    }
}

fn no_home() -> Stop {
    Stop::CouldNotRun(
        "the environment names no home folder\nhelp: name a file with `--file`".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_fits_a_screen() {
        let mut command = Cli::command();
        command.clone().debug_assert();
        command.build();
        let feedback = command
            .find_subcommand_mut("feedback")
            .expect("the subcommand");
        let help = feedback.render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        for name in ["list", "show", "export", "stats", "resolve", "reindex"] {
            let part = feedback.find_subcommand_mut(name).expect("the subcommand");
            let help = part.render_help().to_string();
            assert!(help.lines().count() <= 24, "{help}");
        }
    }

    #[test]
    fn times_are_read_in_the_ways_people_write_them() {
        let now: Timestamp = "2026-11-30T12:20:00Z".parse().expect("a time");
        let read = |when| since(when, now).ok();
        for (when, expected) in [
            ("7d", Some("2026-11-23T12:20:00.000Z")),
            ("2026-11-01", Some("2026-11-01T00:00:00.000Z")),
            (
                "2026-11-01T10:00:00+02:00",
                Some("2026-11-01T08:00:00.000Z"),
            ),
            ("12h", Some("2026-11-30T00:20:00.000Z")),
            ("90m", Some("2026-11-30T10:50:00.000Z")),
            ("2 weeks", Some("2026-11-16T12:20:00.000Z")),
            ("1 month", Some("2026-10-30T12:20:00.000Z")),
            ("7 days ago", Some("2026-11-23T12:20:00.000Z")),
            ("P7D", Some("2026-11-23T12:20:00.000Z")),
            ("yesterday", None),
            ("", None),
            ("7", None),
            ("d", None),
            ("99999999d", None),
        ] {
            assert_eq!(read(when).as_deref(), expected, "{when}");
        }
    }
}
