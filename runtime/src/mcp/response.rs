//! An answer on its way to an adapter: status, headers, bytes, and the facts that belong in the log.

use std::borrow::Cow;
use std::fmt;
use std::time::Instant;

/// A whole HTTP response. Over stdio only the body counts, and an empty one is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Header names, in lower case, and their values.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body; JSON without line breaks, or one sentence of plain text.
    pub body: Vec<u8>,
    /// What the log may say.
    pub note: Note,
}

impl Response {
    pub(super) fn empty(status: u16) -> Response {
        Response {
            status,
            // Room for the headers that `cors` adds, in one allocation.
            headers: Vec::with_capacity(5),
            body: Vec::new(),
            note: Note::new("-", Outcome::Accepted),
        }
    }

    pub(super) fn json(status: u16, body: Vec<u8>, note: Note) -> Response {
        let mut response = Response {
            body,
            note,
            ..Response::empty(status)
        };
        if !response.body.is_empty() {
            response.set("content-type", "application/json");
        }
        response
    }

    pub(super) fn text(status: u16, sentence: &str) -> Response {
        let mut response = Response {
            body: sentence.into(),
            note: Note::new("-", Outcome::Refused),
            ..Response::empty(status)
        };
        response.set("content-type", "text/plain; charset=utf-8");
        response
    }

    pub(super) fn set(&mut self, name: &'static str, value: impl Into<Cow<'static, str>>) {
        self.headers.push((name, value.into()));
    }

    /// Writes the one log line of a request that was answered after `since`.
    pub fn log(&self, since: Instant) {
        tracing::info!(
            method = self.note.method,
            tool = self.note.tool.as_deref(),
            status = self.status,
            outcome = %self.note.outcome,
            micros = since.elapsed().as_micros() as u64,
            "request"
        );
    }
}

/// What may be logged about a request: never an argument, never text that the caller made up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The JSON-RPC method, `batch`, `other` for one that we do not have, or `-` when none was read.
    pub method: &'static str,
    /// The tool that was called, when we have it.
    pub tool: Option<String>,
    /// How it went.
    pub outcome: Outcome,
}

impl Note {
    pub(super) fn new(method: &str, outcome: Outcome) -> Note {
        const KNOWN: [&str; 8] = [
            "-",
            "batch",
            "initialize",
            "notification",
            "ping",
            "server/discover",
            "tools/call",
            "tools/list",
        ];
        let known = KNOWN.into_iter().find(|known| *known == method);
        Note {
            method: known.unwrap_or("other"),
            tool: None,
            outcome,
        }
    }
}

/// How a request went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered.
    Answered,
    /// It was answered, and the tool says that the call failed.
    ToolError,
    /// It asked for no answer.
    Accepted,
    /// It was answered with this JSON-RPC error.
    Error(i32),
    /// It was turned away before its content was looked at.
    Refused,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Answered => f.write_str("ok"),
            Outcome::ToolError => f.write_str("tool-error"),
            Outcome::Accepted => f.write_str("accepted"),
            Outcome::Error(code) => write!(f, "error{code}"),
            Outcome::Refused => f.write_str("refused"),
        }
    }
}
