//! What an owner asks of a deployed server beside its inbox: whether every tool answers, and what searches did not find.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::config;
use crate::mcp::Era;
use crate::request_log::Salt;
use crate::smoke::{Answer, Target, Wanted, call_all, check_rules};

/// `runtime smoke`.
#[derive(Debug, Args)]
pub(super) struct Smoke {
    /// The address of the endpoint, such as `https://example.com/mcp`
    url: String,
    /// Send no feedback. Otherwise one message is sent, the same one each time, so that one is kept
    #[arg(long)]
    no_feedback: bool,
}

/// `runtime zero-results`.
#[derive(Debug, Args)]
pub(super) struct ZeroResults {
    /// A file with a search on each line, such as names and words that readers may look for; `-` reads standard input
    searches: PathBuf,
    /// A log of the server, or an export of one: count how often each of them found nothing
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl Smoke {
    /// Calls every tool in both generations and prints a line for each. Whether all is well.
    pub(super) fn run(&self, mut out: impl Write) -> io::Result<bool> {
        let target = Target {
            url: self.url.clone(),
            token: config::get(config::TOKEN),
        };
        let wanted = Wanted {
            known: None,
            feedback: !self.no_feedback,
        };
        let (mut asked, mut wrong) = (0, 0);
        let mut tell = |answers: Vec<Answer>| {
            for answer in answers {
                asked += 1;
                wrong += usize::from(answer.wrong.is_some());
                writeln!(out, "{}  {answer}", answer.era.name())?;
            }
            out.flush()
        };
        for era in [Era::Legacy, Era::Modern] {
            tell(call_all(&target, era, &wanted))?;
        }
        tell(check_rules(&target))?;
        writeln!(out, "{} of {asked} are as they should be", asked - wrong)?;
        Ok(wrong == 0)
    }
}

impl ZeroResults {
    /// Prints the hash of each search, or how often it stands in a log.
    ///
    /// # Errors
    /// In words, when a file cannot be read or there is no salt.
    pub(super) fn run(&self, out: impl Write) -> Result<(), String> {
        let salt = config::zero_result_salt().map_err(|error| error.to_string())?;
        let salt = salt.ok_or_else(|| {
            format!(
                "no salt given\n  help: set `{}` to the one of the server",
                config::ZERO_RESULT_SALT
            )
        })?;
        let searches = read(&self.searches)?;
        let searches: BTreeSet<&str> = searches.lines().map(str::trim).collect();
        let searches = searches.into_iter().filter(|search| !search.is_empty());
        let log = self.log.as_deref().map(read).transpose()?;
        let written = match &log {
            None => hashes(out, &salt, searches),
            Some(log) => compared(out, &salt, searches, log),
        };
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("cannot write: {error}"))
            }
            _ => Ok(()),
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    let read = match path.to_str() {
        Some("-") => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map(|_| text)
        }
        _ => std::fs::read_to_string(path),
    };
    read.map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
}

fn hashes<'s>(
    mut out: impl Write,
    salt: &Salt,
    searches: impl Iterator<Item = &'s str>,
) -> io::Result<()> {
    for search in searches {
        writeln!(out, "{}\t{search}", salt.hash(search))?;
    }
    out.flush()
}

fn compared<'s>(
    mut out: impl Write,
    salt: &Salt,
    searches: impl Iterator<Item = &'s str>,
    log: &str,
) -> io::Result<()> {
    let mut logged = logged(log);
    let all: u64 = logged.values().sum();
    let mut found: Vec<(u64, &str)> = searches
        .filter_map(|search| Some((logged.remove(&salt.hash(search))?, search)))
        .collect();
    found.sort_by_key(|(times, _)| std::cmp::Reverse(*times));
    for (times, search) in &found {
        writeln!(out, "{times}\t{search}")?;
    }
    let unknown: u64 = logged.values().sum();
    writeln!(
        out,
        "{unknown} of {all} searches without a result are none of these, {} different ones",
        logged.len()
    )?;
    out.flush()
}

/// How often each hash stands in the lines of requests. A line may have something of another program before its JSON.
fn logged(log: &str) -> BTreeMap<String, u64> {
    let mut hashes = BTreeMap::new();
    for line in log.lines() {
        let json = line.find('{').map_or("", |start| &line[start..]);
        let Ok(line) = serde_json::from_str::<Value>(json) else {
            continue;
        };
        if let Some(hash) = line["zeroResultHash"].as_str() {
            *hashes.entry(hash.to_owned()).or_default() += 1;
        }
    }
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_in_a_log_and_the_rest_is_a_number() {
        let salt = Salt::new("a salt of the test's own").expect("long enough");
        let line = |search: &str| {
            format!(
                r#"{{"message":"request","zeroResultHash":"{}"}}"#,
                salt.hash(search)
            )
        };
        let log = [
            line("docker"),
            format!("2026-12-01T08:30:00Z abc {}", line("Docker?")),
            line("compose docker"),
            line("never thought of"),
            r#"{"message":"request","outcome":"ok"}"#.to_owned(),
            "no json {".to_owned(),
        ]
        .join("\n");
        let mut out = Vec::new();
        compared(
            &mut out,
            &salt,
            ["Docker compose", "docker", "podman"].into_iter(),
            &log,
        )
        .expect("memory");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "2\tdocker\n1\tDocker compose\n1 of 4 searches without a result are none of these, 1 different ones\n"
        );
    }
}
