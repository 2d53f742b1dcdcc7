//! Tools that exist for tests only, and a store in memory.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::sync::Mutex;

use runtime::feedback::{
    FeedbackStore, Kind, Recorded, Recording, Severity, StoreError, Submission, received_at,
};
use runtime::mcp::{Block, Called, Identity, ToolResult, Tools};
use serde_json::value::RawValue;

/// The definitions, as `tools/list` gives them.
pub(crate) const LIST: &str = r#"[{"name":"echo","inputSchema":{"type":"object"}},{"name":"mirrored","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]"#;

/// What the server says about itself in every modern result.
pub(crate) const SERVER: &str =
    r#"{"name":"fixture","title":"Fixture \"site\"","version":"1.2.3"}"#;

/// A server with one tool for each kind of outcome.
pub(crate) struct Fixture(Identity);

impl Default for Fixture {
    fn default() -> Fixture {
        Fixture(Identity {
            name: "fixture".to_owned(),
            title: Some("Fixture \"site\"".to_owned()),
            version: "1.2.3".to_owned(),
            ..Identity::default()
        })
    }
}

impl Fixture {
    /// One that calls itself something else.
    pub(crate) fn titled(title: &str) -> Fixture {
        let mut fixture = Fixture::default();
        fixture.0.title = Some(title.to_owned());
        fixture
    }
}

impl Tools for Fixture {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn instructions(&self) -> Option<&str> {
        Some("Only tools.\n")
    }

    fn list(&self) -> &[u8] {
        LIST.as_bytes()
    }

    fn needs(&self, name: &str) -> Option<&'static str> {
        (name == "sample").then_some("sampling")
    }

    fn call(&self, name: &str, arguments: Option<&RawValue>) -> Called {
        let raw = arguments.map_or("-", RawValue::get);
        let text = |text: &str| ToolResult {
            content: vec![Block::Text(text.to_owned())],
            ..ToolResult::default()
        };
        match name {
            // Says back what it was given, byte for byte.
            "echo" | "mirrored" => Called::Done(text(raw)),
            "sample" => Called::Done(text("sampled")),
            "structured" => Called::Done(ToolResult {
                structured: Some(r#"{"n":1}"#.to_owned()),
                ..text(r#"{"n":1}"#)
            }),
            "image" => Called::Done(ToolResult {
                content: vec![
                    Block::Text("one".to_owned()),
                    Block::Json(r#"{"type":"image","data":"","mimeType":"image/png"}"#.to_owned()),
                ],
                ..ToolResult::default()
            }),
            "fail" => Called::Done(ToolResult {
                is_error: true,
                ..text("Error: no")
            }),
            "long" => Called::Done(text(&"x".repeat(1_100_000))),
            "überraschung" => Called::Done(text("!")),
            // Keeps its arguments; the key is their length.
            "keep" => Called::Store(Submission {
                key: uuid::Uuid::from_u128(raw.len() as u128),
                message: raw.to_owned(),
                kind: Kind::Other,
                severity: Severity::Low,
                about: None,
                artifact: "fixture".to_owned(),
                client: None,
            }),
            _ => Called::Unknown {
                closest: ["echo", "image", "fail"]
                    .into_iter()
                    .filter(|known| known.starts_with(&name[..name.len().min(1)]))
                    .map(str::to_owned)
                    .collect(),
            },
        }
    }

    fn settle(&self, submission: &Submission, outcome: Result<Recorded, StoreError>) -> ToolResult {
        let client = submission.client.as_deref().unwrap_or("-");
        let (text, is_error) = match outcome {
            Ok(Recorded::New { received_at }) => (format!("new {received_at} {client}"), false),
            Ok(Recorded::Already { .. }) => ("already".to_owned(), false),
            Ok(Recorded::Conflict) => ("conflict".to_owned(), true),
            Ok(Recorded::Full { again_at }) => (format!("full until {again_at}"), true),
            Err(error) => (error.to_string(), true),
        };
        ToolResult {
            content: vec![Block::Text(text)],
            structured: None,
            is_error,
        }
    }
}

/// A store that forgets when it is dropped.
#[derive(Default)]
pub(crate) struct MemoryStore(Mutex<BTreeMap<uuid::Uuid, (String, String)>>);

impl FeedbackStore for MemoryStore {
    fn record<'a>(
        &'a self,
        submission: &'a Submission,
        now: jiff::Timestamp,
        _: std::time::Instant,
    ) -> Recording<'a> {
        let mut kept = self.0.lock().expect("no test panics while it holds this");
        let hash = submission.content_hash();
        let recorded = match kept.get(&submission.key) {
            Some((known, first)) if *known == hash => Recorded::Already {
                received_at: first.clone(),
            },
            Some(_) => Recorded::Conflict,
            None => {
                let received_at = received_at(now);
                kept.insert(submission.key, (hash, received_at.clone()));
                Recorded::New { received_at }
            }
        };
        Box::pin(std::future::ready(Ok(recorded)))
    }
}
