//! `submit_feedback`: a message for the author of the site.
//!
//! The tool makes a [`Submission`] of what came; the store keeps it, outside this module; [`settle`] words what became of it.
//! Success is only told when the store acknowledged the write.

use artifact::catalogue::SubmitFeedback;
use artifact::clean::one_line;
use uuid::Uuid;

use super::answer::failure as failed;
use super::lookup;
use super::shelf::Shelf;
use crate::feedback::{About, Kind, Recorded, Severity, StoreError, Submission};
use crate::mcp::{Block, Structured, ToolResult};

/// What is to be stored.
pub fn submission(shelf: &Shelf, call: SubmitFeedback) -> Submission {
    let about = call
        .about
        .map(|about| match lookup::published(shelf, &about) {
            Some(page) => About {
                route: page.route,
                published: true,
            },
            None => About {
                route: one_line(&about).into_owned(),
                published: false,
            },
        });
    Submission {
        // The reader only lets UUIDs through, and writes them in the form that this parses.
        key: Uuid::try_parse(&call.idempotency_key).unwrap_or_default(),
        message: call.message,
        // The reader only lets the words through that are in the catalogue.
        kind: Kind::parse(&call.kind).unwrap_or(Kind::Other),
        severity: Severity::parse(&call.severity).unwrap_or(Severity::Medium),
        about,
        artifact: shelf.artifact.identity(),
        client: None,
    }
}

/// Words what became of a submission.
pub fn settle(submission: &Submission, outcome: Result<Recorded, StoreError>) -> ToolResult {
    let recorded = |status: &str, received_at: &str| {
        let key = submission.key.hyphenated().to_string();
        let mut answer = Structured::default();
        answer.sign("{").name("status").text(status);
        answer.name("idempotency_key").text(&key);
        answer.name("received_at").text(received_at).sign("}");
        ToolResult {
            content: vec![Block::Text(answer.json().to_owned())],
            structured: Some(answer.json().to_owned()),
            is_error: false,
        }
    };
    match outcome {
        Ok(Recorded::New { received_at }) => recorded("recorded", &received_at),
        Ok(Recorded::Already { received_at }) => recorded("already_recorded", &received_at),
        Ok(Recorded::Conflict) => failed(
            "Nothing was saved: this idempotency_key already stands for a message with other content. To say something new, send the call \
             again with a new UUID; to repeat the first message, repeat it unchanged."
                .to_owned(),
        ),
        Ok(Recorded::Full { again_at }) => failed(format!(
            "Nothing was saved: as many messages as this site keeps in a day have come today. Send the same call again after {again_at}, \
             with the same idempotency_key."
        )),
        Err(StoreError::Unavailable { .. }) => failed(
            "Nothing was saved: messages cannot be stored at the moment. Send the same call again later, with the same idempotency_key."
                .to_owned(),
        ),
        Err(StoreError::Unsure { .. }) => failed(
            "It is not known whether the message was saved. Sending the same call again with the same idempotency_key is safe: it is kept \
             only once, and the answer then tells."
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission() -> Submission {
        Submission {
            key: Uuid::try_parse("6F1D3A52-8F0E-4C4B-9D57-2B8F5A1C7E90").unwrap(),
            message: "Hello".into(),
            kind: Kind::Other,
            severity: Severity::Low,
            about: None,
            artifact: "x".into(),
            client: None,
        }
    }

    fn text(outcome: Result<Recorded, StoreError>) -> (bool, String) {
        let result = settle(&submission(), outcome);
        let [Block::Text(text)] = result.content.as_slice() else {
            panic!("one text block")
        };
        assert_eq!(result.structured.is_some(), !result.is_error);
        (result.is_error, text.clone())
    }

    #[test]
    fn a_write_that_was_acknowledged() {
        let at = || "2026-11-30T12:20:00.000Z".to_owned();
        assert_eq!(
            text(Ok(Recorded::New { received_at: at() })),
            (
                false,
                r#"{"status":"recorded","idempotency_key":"6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90","received_at":"2026-11-30T12:20:00.000Z"}"#
                    .into()
            )
        );
        assert!(
            text(Ok(Recorded::Already { received_at: at() }))
                .1
                .starts_with(r#"{"status":"already_recorded""#)
        );
    }

    #[test]
    fn a_write_that_was_not() {
        let (is_error, conflict) = text(Ok(Recorded::Conflict));
        assert!(
            is_error && conflict.contains("Nothing was saved") && conflict.contains("new UUID"),
            "{conflict}"
        );
        let (is_error, down) = text(Err(StoreError::Unavailable {
            reason: "table missing",
            source: None,
        }));
        assert!(
            is_error && down.contains("Nothing was saved") && !down.contains("table"),
            "{down}"
        );
        let (is_error, unsure) = text(Err(StoreError::Unsure {
            reason: "time-out",
            source: None,
        }));
        assert!(
            is_error && unsure.contains("safe") && unsure.contains("same idempotency_key"),
            "{unsure}"
        );
        let (is_error, full) = text(Ok(Recorded::Full {
            again_at: "2026-12-01T00:00:00.000Z".into(),
        }));
        assert!(
            is_error && full.contains("Nothing was saved") && full.contains("2026-12-01T00"),
            "{full}"
        );
        for text in [conflict, down, unsure, full] {
            assert!(!text.starts_with("Error:"));
        }
    }

    #[test]
    fn every_word_of_the_catalogue_has_a_value() {
        for word in ["missing", "broken", "confusing", "inaccurate", "other"] {
            assert_eq!(Kind::parse(word).map(Kind::as_str), Some(word));
        }
        for word in ["high", "medium", "low"] {
            assert_eq!(Severity::parse(word).map(Severity::as_str), Some(word));
        }
    }
}
