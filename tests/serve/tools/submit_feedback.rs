//! `submit_feedback`: what is handed to the store. What the store makes of it has tests of its own.

use runtime::feedback::{About, Kind, Recorded, Severity, StoreError};
use runtime::mcp::Tools;
use serde_json::{Value, json};

use crate::shelf;

fn arguments(change: impl Fn(&mut Value)) -> String {
    let mut arguments = json!({
        "idempotency_key": "6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90",
        "message": "There is no page about tapes.",
        "kind": "missing",
        "severity": "low",
    });
    change(&mut arguments);
    arguments.to_string()
}

#[test]
fn a_message_is_handed_to_the_store() {
    let submission = shelf().submission(&arguments(|_| {}));
    assert_eq!(
        submission.key.hyphenated().to_string(),
        "6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90"
    );
    assert_eq!(submission.message, "There is no page about tapes.");
    assert_eq!(
        (submission.kind, submission.severity, submission.about),
        (Kind::Missing, Severity::Low, None)
    );
    assert_eq!(
        submission.artifact,
        shelf().tools.shelf().artifact.identity()
    );
}

#[test]
fn two_spellings_of_one_key_or_route_are_one() {
    let one = shelf().submission(&arguments(|call| call["about"] = "/glossary/检索".into()));
    assert_eq!(
        one.about,
        Some(About {
            route: "/glossary/检索".into(),
            published: true
        })
    );
    for (key, about) in [
        (
            "6F1D3A52-8F0E-4C4B-9D57-2B8F5A1C7E90",
            "/glossary/%E6%A3%80%E7%B4%A2/",
        ),
        (
            "{6f1d3a528f0e4c4b9d572b8f5a1c7e90}",
            "https://shelf.example/docs/glossary/检索.md#x",
        ),
        (
            "urn:uuid:6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90",
            "docs/GLOSSARY/检索",
        ),
    ] {
        let same = shelf().submission(&arguments(|call| {
            call["idempotency_key"] = key.into();
            call["about"] = about.into();
        }));
        assert_eq!(
            (same.key, same.content_hash()),
            (one.key, one.content_hash()),
            "{key} {about}"
        );
    }
}

#[test]
fn a_route_that_is_not_published_is_kept_as_written() {
    let submission = shelf().submission(&arguments(|call| {
        call["about"] = " /Tapes/%41?x\nEvil ".into()
    }));
    assert_eq!(
        submission.about,
        Some(About {
            route: "/Tapes/%41?x Evil".into(),
            published: false
        })
    );
    let submission = shelf().submission(&arguments(|call| call["about"] = "/secret/plan".into()));
    assert!(!submission.about.unwrap().published);
}

#[test]
fn what_is_wrong_is_told_at_once_and_nothing_is_stored() {
    let text = shelf().error(
        "submit_feedback",
        &arguments(|call| {
            call["idempotency_key"] = "1".into();
            call["kind"] = "bug".into();
            call["severity"] = "urgent".into();
            call["message"] = " ".into();
            call["email"] = "a@b.example".into();
        }),
    );
    assert!(
        text.starts_with("Error: 5 problems with the arguments of submit_feedback:"),
        "{text}"
    );
    let text = shelf().error(
        "submit_feedback",
        &arguments(|call| call["message"] = "x".repeat(4_001).into()),
    );
    assert_eq!(
        text,
        "Error: `message` may have at most 4,000 characters, but 4,001 came. Shorten it. Nothing was saved."
    );
    shelf().submission(&arguments(|call| {
        call["message"] = "é".repeat(4_000).into()
    }));
}

#[test]
fn every_outcome_is_worded() {
    let submission = shelf().submission(&arguments(|_| {}));
    let settle = |outcome| {
        shelf().check(
            "submit_feedback",
            shelf().tools.settle(&submission, outcome),
        )
    };
    let at = || "2026-11-30T12:20:00.000Z".to_owned();
    let answer = settle(Ok(Recorded::New { received_at: at() }));
    assert_eq!(
        answer.json,
        json!({"status": "recorded", "idempotency_key": submission.key.to_string(), "received_at": at()})
    );
    assert_eq!(
        settle(Ok(Recorded::Already { received_at: at() })).json["status"],
        "already_recorded"
    );
    for outcome in [
        Ok(Recorded::Conflict),
        Err(StoreError::Unavailable {
            reason: "x",
            source: None,
        }),
        Err(StoreError::Unsure {
            reason: "x",
            source: None,
        }),
    ] {
        assert!(settle(outcome).is_error);
    }
}
