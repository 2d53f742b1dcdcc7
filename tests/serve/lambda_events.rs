//! Every event in `tests/wire/lambda/`, and the whole answer that the front door gets for it.
//!
//! The events have the shapes that AWS documents for HTTP APIs, Function URLs, REST APIs and load balancers, with values of our own. The mapping is tested
//! here and not only before an emulator, because emulators differ from the service in just these details.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::HeaderMap;
use lambda_http::RequestExt;
use lambda_http::aws_lambda_events::alb::AlbTargetGroupRequest;
use lambda_http::aws_lambda_events::apigw::ApiGatewayProxyRequest;
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

/// What a request is, by whoever reads the event.
#[derive(Debug, PartialEq)]
struct Read {
    method: String,
    path: String,
    headers: BTreeMap<String, Vec<String>>,
    body: Vec<u8>,
}

fn texts(headers: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::<_, Vec<String>>::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        all.entry(name.to_string()).or_default().push(value);
    }
    all
}

/// The headers of a REST API or a load balancer: those with lists of values, and of the others those that have none.
fn joined(headers: &HeaderMap, lists: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let mut all = texts(headers);
    all.extend(texts(lists));
    all
}

fn plain(body: Option<String>, is_base64: bool) -> Option<Vec<u8>> {
    let body = body.unwrap_or_default();
    match is_base64 {
        true => BASE64_STANDARD.decode(body).ok(),
        false => Some(body.into_bytes()),
    }
}

/// What `lambda_http` and the types that it stands on read. `None` when they cannot.
fn theirs(event: &Value) -> Option<Read> {
    let context = &event["requestContext"];
    if !context["elb"].is_null() {
        let event: AlbTargetGroupRequest = serde_json::from_value(event.clone()).ok()?;
        return Some(Read {
            method: event.http_method.to_string(),
            path: event.path?,
            headers: joined(&event.headers, &event.multi_value_headers),
            body: plain(event.body, event.is_base64_encoded)?,
        });
    }
    if context["http"].is_null() {
        let event: ApiGatewayProxyRequest = serde_json::from_value(event.clone()).ok()?;
        return Some(Read {
            method: event.http_method.to_string(),
            path: event.path?,
            headers: joined(&event.headers, &event.multi_value_headers),
            body: plain(event.body, event.is_base64_encoded)?,
        });
    }
    // Its conversion panics where it cannot go on, which is why the function does not use it.
    let text = event.to_string();
    let request = std::panic::catch_unwind(|| lambda_http::request::from_str(&text).ok());
    let request = request.ok()??;
    Some(Read {
        method: request.method().to_string(),
        path: request.raw_http_path().to_owned(),
        headers: texts(request.headers()),
        body: request.body().to_vec(),
    })
}

#[test]
fn lambda_http_reads_the_same_request_in_each_event() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/wire/lambda");
    let (mut compared, mut unread) = (0, Vec::new());
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("readable");
        let case: Case = serde_json::from_str(&text).expect("a case");
        let Some(theirs) = theirs(&case.event) else {
            unread.push(name);
            continue;
        };
        let event: Event = serde_json::from_value(case.event).expect("an event");
        let ours = Read {
            method: event.method().to_owned(),
            path: event.path().to_owned(),
            headers: texts(&event.headers()),
            body: event.body().expect("read by the others too").into_owned(),
        };
        assert_eq!(ours, theirs, "{name}");
        compared += 1;
    }
    assert_eq!(unread, UNREAD);
    assert!(compared >= 20, "{compared}");
}

/// Events that `lambda_http` cannot read, or panics at, and that are answered here.
const UNREAD: [&str; 6] = [
    "broken-base64-stranger",
    "broken-base64",
    "not-http",
    "null-fields",
    "odd-headers",
    "rest-api-null-lists",
];

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
