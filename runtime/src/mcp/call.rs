//! `tools/call`, the same in every revision but for the last members of the result.

use super::envelope::{Meta, Params, is_object, string};
use super::era::Era;
use super::prepared::Prepared;
use super::reply::{self, Fault, INVALID_PARAMS};
use super::response::{Caller, Note, Outcome, Response};
use super::structured::Structured;
use super::tools::{Block, Called, ToolResult, Tools};
use crate::feedback::Submission;

/// What a request came to.
#[derive(Debug)]
pub(super) enum Served {
    /// The answer.
    Done(Response),
    /// A write stands between here and the answer.
    Store(Pending),
}

/// A call that waits for the store.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) id: String,
    pub(super) era: Era,
    pub(super) tool: String,
    pub(super) caller: Caller,
    pub(super) submission: Submission,
}

/// Runs a call.
pub(super) fn serve(
    tools: &impl Tools,
    prepared: &Prepared,
    era: Era,
    id: &str,
    params: &Params<'_>,
    meta: &Meta<'_>,
) -> Result<Served, Fault> {
    let bad = |message| Fault::new(200, INVALID_PARAMS, message);
    let name = params
        .name
        .and_then(string)
        .ok_or_else(|| bad("`tools/call` needs the tool's `name`, a string"))?;
    if params.arguments.is_some_and(|raw| !is_object(raw)) {
        return Err(bad("`arguments` must be an object"));
    }
    match tools.call(&name, params.arguments) {
        Called::Unknown { closest } => Err(unknown(&name, &closest)),
        Called::Found(found) => Ok(Served::Done(Response::json(
            200,
            found_bytes(prepared, era, id, &found),
            note(&name, Outcome::Answered),
        ))),
        Called::Missed(found, missed) => {
            let note = Note {
                missed: Some(missed),
                ..note(&name, Outcome::Answered)
            };
            let bytes = found_bytes(prepared, era, id, &found);
            Ok(Served::Done(Response::json(200, bytes, note)))
        }
        Called::Done(result) => Ok(Served::Done(respond(prepared, era, id, &name, &result))),
        Called::Store(mut submission) => {
            if submission.client.is_none() {
                let client = meta.client().map(|client| client.to_string());
                submission.client = client.map(|client| one_line(&client, 80));
            }
            Ok(Served::Store(Pending {
                id: id.to_owned(),
                era,
                tool: name.into_owned(),
                caller: Caller::default(),
                submission,
            }))
        }
    }
}

/// The response that carries a tool's answer.
pub(super) fn respond(
    prepared: &Prepared,
    era: Era,
    id: &str,
    tool: &str,
    result: &ToolResult,
) -> Response {
    let outcome = match result.is_error {
        true => Outcome::ToolError,
        false => Outcome::Answered,
    };
    Response::json(200, bytes(prepared, era, id, result), note(tool, outcome))
}

fn note(tool: &str, outcome: Outcome) -> Note {
    Note {
        tool: Some(tool.to_owned()),
        ..Note::new("tools/call", outcome)
    }
}

/// The answer whose text is its structured content: both were made together and are copied.
fn found_bytes(prepared: &Prepared, era: Era, id: &str, found: &Structured) -> Vec<u8> {
    let mut out = Vec::with_capacity(found.bytes() + prepared.modern_tail.len() + id.len() + 128);
    reply::open(&mut out, id);
    out.extend_from_slice(br#"{"content":[{"type":"text","text":""#);
    out.extend_from_slice(found.quoted().as_bytes());
    out.extend_from_slice(br#""}],"structuredContent":"#);
    out.extend_from_slice(found.json().as_bytes());
    if era == Era::Modern {
        out.extend_from_slice(&prepared.modern_tail);
    }
    out.extend_from_slice(b"}}");
    out
}

fn bytes(prepared: &Prepared, era: Era, id: &str, result: &ToolResult) -> Vec<u8> {
    let texts = result.content.iter().map(|block| match block {
        // Quotes in JSON text are escaped, so an answer that repeats its structured content grows by about an eighth.
        Block::Text(text) => text.len() + text.len() / 8 + 32,
        Block::Json(json) => json.len() + 1,
    });
    let structured = result.structured.as_ref().map_or(0, String::len);
    let length = texts.sum::<usize>() + structured + prepared.modern_tail.len() + id.len() + 128;

    let mut out = Vec::with_capacity(length);
    reply::open(&mut out, id);
    out.extend_from_slice(br#"{"content":["#);
    for (n, block) in result.content.iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        match block {
            Block::Text(text) => {
                out.extend_from_slice(br#"{"type":"text","text":"#);
                reply::string(&mut out, text);
                out.push(b'}');
            }
            Block::Json(json) => out.extend_from_slice(json.as_bytes()),
        }
    }
    out.push(b']');
    if let Some(structured) = &result.structured {
        out.extend_from_slice(br#","structuredContent":"#);
        out.extend_from_slice(structured.as_bytes());
    }
    if result.is_error {
        out.extend_from_slice(br#","isError":true"#);
    }
    if era == Era::Modern {
        out.extend_from_slice(&prepared.modern_tail);
    }
    out.extend_from_slice(b"}}");
    out
}

fn unknown(name: &str, closest: &[String]) -> Fault {
    let name = one_line(name, 64);
    let message = match closest {
        [] => format!("Unknown tool: `{name}`; `tools/list` names the ones there are"),
        [last] => {
            format!("Unknown tool: `{name}`; did you mean `{last}`?")
        }
        [best @ .., last] => {
            let best = best.join("`, `");
            format!("Unknown tool: `{name}`; did you mean `{best}` or `{last}`?")
        }
    };
    Fault::new(200, INVALID_PARAMS, message)
}

/// A caller's text as it may stand in a message: clean, on one line, no longer than `limit` characters.
pub(super) fn one_line(text: &str, limit: usize) -> String {
    // Cleaning only shortens, and nobody needs to see what comes after four times the limit.
    let end = text.char_indices().nth(limit * 4);
    let head = end.map_or(text, |(end, _)| &text[..end]);
    let clean = artifact::clean::one_line(head);
    match clean.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean.into_owned(),
    }
}
