//! Entries as people and programs want to read them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::ValueEnum;
use comfy_table::{Table, presets};
use serde::Serialize;

use super::entry::Entry;
use super::safe;

/// Columns that a line of a table has for a message and for a route.
const MESSAGE: usize = 60;
const ROUTE: usize = 32;

/// How entries are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line each, for the eye
    Table,
    /// A JSON object on a line each: everything that is kept
    Jsonl,
    /// For spreadsheets; what begins like a formula gets an apostrophe
    Csv,
    /// A section each, the message in a code block
    Markdown,
}

/// Writes entries one after the other, so that any number of them takes no more memory than one. A table is written at its end.
pub struct Writer<W: Write> {
    format: Format,
    out: Out<W>,
}

enum Out<W: Write> {
    Plain(W),
    Csv(Box<csv::Writer<W>>),
    Table(W, Table),
}

/// Begins to write.
///
/// # Errors
/// When `out` takes no more.
pub fn write<W: Write>(format: Format, out: W) -> io::Result<Writer<W>> {
    let out = match format {
        Format::Jsonl | Format::Markdown => Out::Plain(out),
        Format::Table => {
            let mut table = Table::new();
            table.load_preset(presets::NOTHING);
            table.set_header([
                "received (UTC)",
                "key",
                "kind",
                "severity",
                "about",
                "message",
            ]);
            Out::Table(out, table)
        }
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record([
                "received_at",
                "key",
                "kind",
                "severity",
                "about",
                "about_published",
                "message",
                "artifact",
                "client",
                "resolved_at",
                "expires",
            ])?;
            Out::Csv(Box::new(csv))
        }
    };
    Ok(Writer { format, out })
}

impl<W: Write> Writer<W> {
    /// Writes one entry.
    ///
    /// # Errors
    /// When the output takes no more.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        match &mut self.out {
            Out::Plain(out) if self.format == Format::Jsonl => {
                writeln!(out, "{}", safe::json(&serde_json::to_string(entry)?))
            }
            Out::Plain(out) => markdown(out, entry),
            Out::Csv(csv) => {
                let cell = |text: &Option<String>| safe::cell(text.as_deref().unwrap_or(""));
                csv.write_record([
                    safe::cell(&entry.received_at),
                    safe::cell(&entry.key),
                    safe::cell(&entry.kind),
                    safe::cell(&entry.severity),
                    cell(&entry.about),
                    entry
                        .about_published
                        .map_or(String::new(), |flag| flag.to_string()),
                    safe::cell(&entry.message),
                    safe::cell(&entry.artifact),
                    cell(&entry.client),
                    cell(&entry.resolved_at),
                    entry
                        .expires
                        .map_or(String::new(), |seconds| seconds.to_string()),
                ])?;
                Ok(())
            }
            Out::Table(_, table) => {
                let message = safe::one_line(&entry.message);
                let about = safe::one_line(entry.about.as_deref().unwrap_or("the site"));
                let unknown = match entry.about_published {
                    Some(false) => "? ",
                    _ => "",
                };
                let done = match entry.resolved_at {
                    Some(_) => "✓ ",
                    None => "",
                };
                table.add_row([
                    minute(&entry.received_at),
                    safe::beginning(&safe::one_line(&entry.key), 8)
                        .trim_end_matches('…')
                        .to_owned(),
                    safe::one_line(&entry.kind).into_owned(),
                    safe::one_line(&entry.severity).into_owned(),
                    format!("{unknown}{}", safe::beginning(&about, ROUTE)),
                    format!("{done}{}", safe::beginning(&message, MESSAGE)),
                ]);
                Ok(())
            }
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// When the output takes no more.
    pub fn end(self) -> io::Result<()> {
        match self.out {
            Out::Plain(mut out) => out.flush(),
            Out::Csv(mut csv) => csv.flush(),
            Out::Table(mut out, table) => {
                for line in table.lines() {
                    writeln!(out, "{}", line.trim())?;
                }
                out.flush()
            }
        }
    }
}

/// `2026-11-30 12:20` of a whole time.
fn minute(received_at: &str) -> String {
    let clean = safe::one_line(received_at).replace('T', " ");
    clean.chars().take(16).collect()
}

fn markdown(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    writeln!(
        out,
        "## {} {}, {}\n",
        minute(&entry.received_at),
        safe::one_line(&entry.kind),
        safe::one_line(&entry.severity)
    )?;
    for (name, value) in facts(entry) {
        writeln!(out, "- {name}: {}", code(&value))?;
    }
    writeln!(out, "\n{}", safe::fence(&entry.message))
}

/// A text of one line as code, which markdown reads nothing into.
fn code(text: &str) -> String {
    match text.contains('`') {
        true => format!("`` {text} ``").replace("```", "` ` `"),
        false => format!("`{text}`"),
    }
}

/// What is kept beside the message, each on one line.
fn facts(entry: &Entry) -> Vec<(&'static str, String)> {
    let mut facts = vec![("key", entry.key.clone())];
    if let Some(about) = &entry.about {
        let published = match entry.about_published {
            Some(false) => " (not a page of the site)",
            _ => "",
        };
        facts.push(("about", format!("{about}{published}")));
    }
    facts.push(("artifact", entry.artifact.clone()));
    facts.extend(entry.client.clone().map(|client| ("client", client)));
    facts.extend(entry.resolved_at.clone().map(|at| ("resolved", at)));
    for (_, value) in &mut facts {
        *value = safe::one_line(value).into_owned();
    }
    facts
}

/// Writes one entry in full, for the eye.
///
/// # Errors
/// When `out` takes no more.
pub fn whole(mut out: impl Write, entry: &Entry) -> io::Result<()> {
    let mut facts = facts(entry);
    facts.insert(
        0,
        ("received", safe::one_line(&entry.received_at).into_owned()),
    );
    facts.insert(2, ("kind", safe::one_line(&entry.kind).into_owned()));
    facts.insert(
        3,
        ("severity", safe::one_line(&entry.severity).into_owned()),
    );
    for (name, value) in facts {
        writeln!(out, "{name:<9} {value}")?;
    }
    writeln!(out, "\n{}", safe::lines(&entry.message))?;
    out.flush()
}

/// How many messages there are of each sort.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub total: u64,
    /// Those that are open.
    pub open: u64,
    /// By kind.
    pub kinds: BTreeMap<String, u64>,
    /// By severity.
    pub severities: BTreeMap<String, u64>,
    /// By the route they are about; those about the site as a whole are under `the site`.
    pub routes: BTreeMap<String, u64>,
    /// By month, as `2026-11`.
    pub months: BTreeMap<String, u64>,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, entry: &Entry) {
        let mut count = |counts: fn(&mut Counts) -> &mut BTreeMap<String, u64>, word: &str| {
            *counts(self)
                .entry(safe::one_line(word).into_owned())
                .or_default() += 1;
        };
        count(|counts| &mut counts.kinds, &entry.kind);
        count(|counts| &mut counts.severities, &entry.severity);
        count(
            |counts| &mut counts.routes,
            entry.about.as_deref().unwrap_or("the site"),
        );
        let month: String = entry.received_at.chars().take(7).collect();
        count(|counts| &mut counts.months, &month);
        self.total += 1;
        self.open += u64::from(entry.resolved_at.is_none());
    }

    /// Writes them for the eye, the ten most frequent routes only.
    ///
    /// # Errors
    /// When `out` takes no more.
    pub fn show(&self, mut out: impl Write) -> io::Result<()> {
        let ending = if self.total == 1 { "" } else { "s" };
        writeln!(out, "{} message{ending}, {} open", self.total, self.open)?;
        for (title, counts, most) in [
            ("kind", &self.kinds, usize::MAX),
            ("severity", &self.severities, usize::MAX),
            ("about", &self.routes, 10),
        ] {
            let mut sorted: Vec<_> = counts.iter().collect();
            sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            self.part(&mut out, title, sorted.into_iter().take(most))?;
        }
        self.part(&mut out, "month", self.months.iter().rev().take(12))?;
        out.flush()
    }

    fn part<'a>(
        &self,
        out: &mut impl Write,
        title: &str,
        counts: impl Iterator<Item = (&'a String, &'a u64)>,
    ) -> io::Result<()> {
        writeln!(out, "\n{title}")?;
        for (word, count) in counts {
            writeln!(out, "{count:>7}  {}", safe::beginning(word, MESSAGE))?;
        }
        Ok(())
    }
}
