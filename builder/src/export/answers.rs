//! What the server will answer from an artifact: the very code that serves it, over the bytes that were just packed.

use artifact::format::Artifact;
use runtime::feedback::Recorded;
use runtime::mcp::{Block, Called, ToolResult, Tools as _};
use runtime::service::SiteTools;
use serde_json::value::RawValue;

/// When an example's message was received. Any day would do; a fixed one gives the same bytes every day.
const RECEIVED: &str = "2026-01-01T12:00:00.000Z";

/// A server's tools, without a connection.
pub(crate) struct Answers(SiteTools);

impl Answers {
    /// The tools over an artifact. The bytes are kept until the process ends, as a server keeps its artifact.
    ///
    /// # Errors
    /// When it cannot be served, in words.
    pub(crate) fn new(bytes: &[u8], feedback: bool) -> Result<Answers, String> {
        let kept: &'static [u8] = bytes.to_vec().leak();
        let artifact = Artifact::open(kept).map_err(|error| error.to_string())?;
        let tools = SiteTools::new(artifact, feedback).map_err(|error| error.to_string())?;
        Ok(Answers(tools))
    }

    /// The texts that a call is answered with; a message is not kept anywhere. `None` when there is no such tool or the call is refused.
    pub(crate) fn texts(&self, tool: &str, arguments: &str) -> Option<Vec<String>> {
        let raw: &RawValue = serde_json::from_str(arguments).ok()?;
        let result = match self.0.call(tool, Some(raw)) {
            Called::Unknown { .. } => return None,
            Called::Found(found) | Called::Missed(found, _) => {
                return Some(vec![found.json().to_owned()]);
            }
            Called::Done(result) => result,
            Called::Store(submission) => {
                let received_at = RECEIVED.to_owned();
                self.0
                    .settle(&submission, Ok(Recorded::New { received_at }))
            }
        };
        let ToolResult {
            content, is_error, ..
        } = result;
        let text = |block| match block {
            Block::Text(text) | Block::Json(text) => text,
        };
        (!is_error).then(|| content.into_iter().map(text).collect())
    }
}
