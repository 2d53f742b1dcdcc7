//! An answer on its way to an adapter: status, headers, bytes, and the facts that belong in the log.

use std::borrow::Cow;
use std::fmt;

use super::era::{BATCHES, Era};
use super::tools::Missed;

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

    pub(super) fn document(kind: &'static str, body: &[u8], note: Note) -> Response {
        let mut response = Response {
            body: body.to_vec(),
            note,
            ..Response::empty(200)
        };
        response.set("content-type", kind);
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
}

/// What may be logged about a request: never an argument, and of the caller's text nothing but what a client calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The JSON-RPC method, `batch`, `card`, `health` and `metadata` for the documents beside the endpoint, `other` for a method that we do not have,
    /// or `-` when none was read.
    pub method: &'static str,
    /// The tool that was called, when we have it.
    pub tool: Option<String>,
    /// How it went.
    pub outcome: Outcome,
    /// What the caller said of itself.
    pub caller: Caller,
    /// How many messages a batch had.
    pub messages: usize,
    /// What a search did not find. It is the caller's text, and no log has it.
    pub missed: Option<Missed>,
}

/// What a caller said of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The generation that served the request.
    pub era: Option<Era>,
    /// The revision, when the request named one that we speak.
    pub revision: Option<&'static str>,
    /// Who the client says it is.
    pub client: Option<Client>,
}

/// Who a client says it is: one clean line each, cut when it is long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{} {version}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl Note {
    pub(crate) fn new(method: &str, outcome: Outcome) -> Note {
        const KNOWN: [&str; 12] = [
            "-",
            "batch",
            "card",
            "health",
            "initialize",
            "metadata",
            "notification",
            "page",
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
            caller: Caller::default(),
            messages: 0,
            missed: None,
        }
    }

    /// The note of a batch. Batches belong to one revision alone.
    pub(super) fn of_batch(outcome: Outcome, messages: usize) -> Note {
        Note {
            messages,
            caller: Caller {
                era: Some(Era::Legacy),
                revision: Some(BATCHES),
                client: None,
            },
            ..Note::new("batch", outcome)
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
    /// It ended without an answer: the caller hung up, or the server failed.
    Aborted,
}

impl Outcome {
    /// The word for it in the log.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Answered => "ok",
            Outcome::ToolError => "tool_error",
            Outcome::Accepted => "accepted",
            Outcome::Error(_) => "error",
            Outcome::Refused => "refused",
            Outcome::Aborted => "aborted",
        }
    }
}
