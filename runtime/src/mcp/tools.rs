//! What the protocol asks of whatever serves the tools.
//!
//! Tools see a name and the raw text of the arguments; they never see an envelope, an id or a protocol version. One result
//! serves every revision: content blocks that the oldest revision knows, and structured content that is always an object.

use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::structured::Structured;
use crate::feedback::{Recorded, StoreError, Submission};

/// Who the server says it is, in `initialize`, `server/discover` and, for modern clients, on every result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Name for programs.
    pub name: String,
    /// Name for people.
    pub title: Option<String>,
    /// Version of the served site's server.
    pub version: String,
    /// One sentence on what is served.
    pub description: Option<String>,
    /// Where a person can read the site.
    pub website_url: Option<String>,
}

/// A set of tools that an [`Endpoint`](super::Endpoint) can serve.
pub trait Tools: Send + Sync {
    /// Who the server says it is. Asked once, when the endpoint is made.
    fn identity(&self) -> &Identity;

    /// What a model should know before the first call. Asked once, when the endpoint is made.
    fn instructions(&self) -> Option<&str>;

    /// The JSON array of tool definitions. Asked once, when the endpoint is made.
    fn list(&self) -> &[u8];

    /// The client capability without which a tool cannot answer, such as `sampling`. The tools of a site need none.
    fn needs(&self, _name: &str) -> Option<&'static str> {
        None
    }

    /// The server card (SEP-2127), as JSON.
    fn card(&self) -> Option<&[u8]> {
        None
    }

    /// What a health check is told.
    fn health(&self) -> Health {
        Health {
            artifact: None,
            pages: 0,
            is_sound: true,
        }
    }

    /// Runs one call. `arguments`, when given, is the text of a JSON object; the values in it have not been looked at.
    fn call(&self, name: &str, arguments: Option<&RawValue>) -> Called;

    /// Words the answer of a call that asked for a write, once the store has answered.
    fn settle(&self, submission: &Submission, outcome: Result<Recorded, StoreError>) -> ToolResult;
}

/// What a health check is told. Nothing in it may be private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Which artifact is served.
    pub artifact: Option<String>,
    /// How many pages everybody may read.
    pub pages: usize,
    /// Whether a page could be read just now.
    pub is_sound: bool,
}

/// What became of a call.
#[derive(Debug)]
pub enum Called {
    /// There is no tool of that name.
    Unknown {
        /// Names of the tools that were probably meant, best first.
        closest: Vec<String>,
    },
    /// The answer: an object as structured content, and one text with the same JSON.
    Found(Arc<Structured>),
    /// The same for a search that found nothing.
    Missed(Arc<Structured>, Missed),
    /// An answer of another form.
    Done(ToolResult),
    /// The answer depends on keeping this.
    Store(Submission),
}

/// What a search looked for and did not find. It is the caller's text, so it is never printed, and only a hash of it may leave the process.
#[derive(Clone, PartialEq, Eq)]
pub struct Missed(String);

impl Missed {
    /// These words were looked for.
    pub fn new(searched: &str) -> Missed {
        Missed(searched.to_owned())
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Missed(..)")
    }
}

/// A tool's answer, of use to every revision of the protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolResult {
    /// What is shown to the model.
    pub content: Vec<Block>,
    /// A compact JSON object holding the same answer for programs.
    pub structured: Option<String>,
    /// Whether the call failed; the text then says what to do about it.
    pub is_error: bool,
}

/// One piece of a tool's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Plain text.
    Text(String),
    /// A whole content block as JSON, for kinds of content that no tool of a site answers with.
    Json(String),
}
