//! Every event in `tests/wire/lambda/`, and the whole answer that the front door gets for it.
//!
//! The events have the shapes that AWS documents for HTTP APIs, Function URLs, REST APIs and load balancers, with values of our own. The mapping is tested
//! here and not only before an emulator, because emulators differ from the service in just these details.

use std::fs;
use std::path::Path;

use runtime::feedback::{
    FeedbackStore, Kind, Recorded, Recording, Severity, StoreError, Submission, received_at,
};
use runtime::lambda::{Event, answer};
use runtime::mcp::{Block, Called, Endpoint, Identity, Policy, ToolResult, Tools};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    what: String,
    event: Value,
    answer: Value,
}

#[test]
fn every_event_gets_its_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/wire/lambda");
    let mut checked = 0;
    for entry in fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let name = path.display();
        let text = fs::read_to_string(&path).expect("readable");
        let case: Case =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let event =
            serde_json::from_value(case.event).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(answered(&event), case.answer, "{name}: {}", case.what);
        checked += 1;
    }
    assert!(
        checked >= 29,
        "only {checked} events in {}",
        folder.display()
    );
}

#[test]
fn no_part_of_an_event_is_needed() {
    // Each field of a whole event left out in turn, and set to null in turn: always an answer.
    let text = include_str!("../wire/lambda/http-api-post-base64.json");
    let case: Case = serde_json::from_str(text).expect("a case");
    let fields: Vec<String> = case
        .event
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    for field in fields {
        for replacement in [None, Some(Value::Null)] {
            let mut event = case.event.clone();
            let object = event.as_object_mut().expect("an object");
            match replacement {
                None => object.remove(&field),
                Some(null) => object.insert(field.clone(), null),
            };
            let event =
                serde_json::from_value(event).unwrap_or_else(|error| panic!("{field}: {error}"));
            assert!(answered(&event)["statusCode"].is_u64(), "{field}");
        }
    }
}

fn answered(event: &Event) -> Value {
    let endpoint = Endpoint::new(OneTool::default(), Policy::deployed("https://example.com"));
    let now = || "2026-11-30T12:20:00Z".parse().expect("a time");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let answer = runtime.block_on(answer(&endpoint, &Keeps, event, now));
    serde_json::to_value(answer).expect("JSON")
}

/// Whatever is called is a write.
#[derive(Default)]
struct OneTool(Identity);

impl Tools for OneTool {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn instructions(&self) -> Option<&str> {
        None
    }

    fn list(&self) -> &[u8] {
        b"[]"
    }

    fn call(&self, _: &str, _: Option<&RawValue>) -> Called {
        Called::Store(Submission {
            key: uuid::Uuid::from_u128(1),
            message: "words".to_owned(),
            kind: Kind::Other,
            severity: Severity::Low,
            about: None,
            artifact: "x".to_owned(),
            client: None,
        })
    }

    fn settle(&self, _: &Submission, outcome: Result<Recorded, StoreError>) -> ToolResult {
        let text = match outcome {
            Ok(Recorded::New { received_at }) => format!("new at {received_at}"),
            other => format!("{other:?}"),
        };
        ToolResult {
            content: vec![Block::Text(text)],
            ..ToolResult::default()
        }
    }
}

struct Keeps;

impl FeedbackStore for Keeps {
    fn record<'a>(
        &'a self,
        _: &'a Submission,
        now: jiff::Timestamp,
        _: std::time::Instant,
    ) -> Recording<'a> {
        Box::pin(std::future::ready(Ok(Recorded::New {
            received_at: received_at(now),
        })))
    }
}
