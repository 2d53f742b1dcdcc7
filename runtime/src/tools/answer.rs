//! The forms of an answer.

use std::sync::Arc;

use artifact::catalogue::Refusal;

use crate::mcp::{Block, Called, Missed, Structured, ToolResult};

/// An answer: structured content, and one text with the same JSON.
pub fn found(answer: Structured) -> Called {
    Called::Found(Arc::new(answer))
}

/// The answer of a search; `is_empty` when it found nothing of what was `searched`.
pub fn found_by(answer: Structured, searched: Option<&str>, is_empty: bool) -> Called {
    match searched {
        Some(searched) if is_empty => Called::Missed(Arc::new(answer), Missed::new(searched)),
        _ => found(answer),
    }
}

/// Texts without structured content: a page's markdown, and perhaps a remark of the server behind it.
pub fn texts(texts: impl IntoIterator<Item = String>) -> Called {
    Called::Done(ToolResult {
        content: texts.into_iter().map(Block::Text).collect(),
        structured: None,
        is_error: false,
    })
}

/// The caller asked wrongly.
pub fn refused(refusal: &Refusal) -> Called {
    failed(refusal.to_string())
}

/// Something that was asked for is not there, or could not be done; the text tells what to do next.
pub fn failed(text: String) -> Called {
    Called::Done(failure(text))
}

/// The same as a result.
pub fn failure(text: String) -> ToolResult {
    ToolResult {
        content: vec![Block::Text(text)],
        structured: None,
        is_error: true,
    }
}

/// The artifact could not be read. Details go to the log, not to the caller.
pub fn damaged(error: &artifact::format::Error) -> Called {
    tracing::error!(%error, "the artifact could not be read");
    failed("This part of the site could not be read. Other pages may still work; the site's owner has to publish it again.".to_owned())
}
