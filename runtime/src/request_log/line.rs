//! The line of one request.

use std::io::Write;

use jiff::Timestamp;

use crate::feedback::received_at;
use crate::mcp::{Client, Note, Outcome, escape};

/// What a line says.
#[derive(Debug)]
pub(super) struct Line<'l> {
    pub(super) id: Option<&'l str>,
    pub(super) note: &'l Note,
    /// The hash of what a search did not find.
    pub(super) hash: Option<String>,
    pub(super) status: Option<u16>,
    pub(super) micros: u64,
    pub(super) request_bytes: usize,
    pub(super) answer_bytes: usize,
}

/// The beginning of every line of JSON: what CloudWatch asks of a line, and what kind of line it is.
pub(super) fn open(out: &mut Vec<u8>, now: Timestamp, level: &str, message: &str) {
    out.extend_from_slice(b"{");
    text(out, "timestamp", &received_at(now));
    text(out, "level", level);
    text(out, "message", message);
}

/// The end of every line of JSON.
pub(super) fn close(out: &mut Vec<u8>) {
    out.extend_from_slice(b"}\n");
}

/// Begins a member.
pub(super) fn name(out: &mut Vec<u8>, name: &str) {
    if !out.ends_with(b"{") {
        out.push(b',');
    }
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

/// A member that is a text.
pub(super) fn text(out: &mut Vec<u8>, member: &str, value: &str) {
    name(out, member);
    out.push(b'"');
    escape(out, value);
    out.push(b'"');
}

/// A member that is a number.
pub(super) fn number(out: &mut Vec<u8>, member: &str, value: impl Into<i128>) {
    name(out, member);
    // Writing to memory cannot fail.
    let _ = write!(out, "{}", value.into());
}

fn texts(out: &mut Vec<u8>, members: &[(&str, Option<&str>)]) {
    for (member, value) in members {
        if let Some(value) = value {
            text(out, member, value);
        }
    }
}

impl Line<'_> {
    fn client(&self) -> Option<&Client> {
        self.note.caller.client.as_ref()
    }

    pub(super) fn write_json(&self, out: &mut Vec<u8>, now: Timestamp) {
        let note = self.note;
        open(out, now, "INFO", "request");
        texts(
            out,
            &[
                ("requestId", self.id),
                ("method", Some(note.method)),
                ("tool", note.tool.as_deref()),
                ("era", note.caller.era.map(|era| era.name())),
                ("protocol", note.caller.revision),
                ("client", self.client().map(|client| &*client.name)),
                (
                    "clientVersion",
                    self.client().and_then(|client| client.version.as_deref()),
                ),
                ("outcome", Some(note.outcome.word())),
            ],
        );
        if let Outcome::Error(code) = note.outcome {
            number(out, "code", code);
        }
        if let Some(status) = self.status {
            number(out, "status", status);
        }
        number(out, "micros", self.micros);
        number(out, "requestBytes", self.request_bytes as u64);
        number(out, "answerBytes", self.answer_bytes as u64);
        if note.messages > 0 {
            number(out, "messages", note.messages as u64);
        }
        if note.missed.is_some() {
            name(out, "zeroResults");
            out.extend_from_slice(b"true");
        }
        texts(out, &[("zeroResultHash", self.hash.as_deref())]);
        close(out);
    }

    pub(super) fn write_pretty(&self, out: &mut Vec<u8>, now: Timestamp) {
        let note = self.note;
        let time = received_at(now);
        let time = time.get(11..19).unwrap_or_default();
        let what = match &note.tool {
            Some(tool) => format!("{} {tool}", note.method),
            None => note.method.to_owned(),
        };
        let outcome = match (note.outcome, self.status) {
            (Outcome::Error(code), Some(status)) => format!("error {code} ({status})"),
            (Outcome::Error(code), None) => format!("error {code}"),
            (Outcome::Refused, Some(status)) => format!("refused ({status})"),
            (outcome, _) => outcome.word().to_owned(),
        };
        // Writing to memory cannot fail.
        let _ = write!(
            out,
            "{time}  {what:<30} {outcome:<18} {:>7} µs {:>7} B in {:>8} B out",
            self.micros, self.request_bytes, self.answer_bytes
        );
        if let Some(revision) = note.caller.revision {
            let _ = write!(out, "  {revision}");
        }
        if let Some(client) = self.client() {
            let _ = write!(out, "  {client}");
        }
        if note.missed.is_some() {
            out.extend_from_slice(b"  nothing found");
        }
        if let Some(hash) = &self.hash {
            let _ = write!(out, " ({hash})");
        }
        out.push(b'\n');
    }
}
