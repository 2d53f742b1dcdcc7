//! Requests that somebody made to break something: thousands of them, made at random from a seed, in process and over a socket.
//!
//! Every one has to be answered with a status of the table, with JSON that is JSON, and soon. A run says how many there were:
//!
//! ```sh
//! cargo test -p runtime --test hostile                         # as many as fit into a few seconds
//! SHELFMARK_HOSTILE=100000 cargo test -p runtime --test hostile
//! ```

#[path = "../../support/fixture.rs"]
mod fixture;
#[path = "../../support/site.rs"]
mod site;
#[path = "../../support/socket.rs"]
mod socket;

mod made;
mod schemas;
mod sizes;
mod sockets;

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use fixture::MemoryStore;
use http::{HeaderMap, HeaderName, HeaderValue};
use made::{Made, Maker};
use runtime::mcp::{Endpoint, Policy, Request, Response, Step};
use runtime::service::SiteTools;
use serde::Deserialize;
use serde_json::Value;
use site::TestSite;

/// A request that takes longer than this hangs, even on a machine that does other things.
const SOON: Duration = Duration::from_secs(5);

/// Most bytes that a single call may be answered with: both forms within the default bound, and the envelope.
const ANSWER_BYTES: usize = 262_144 + 4_096;

/// The project's own documentation, served.
fn endpoint() -> Endpoint<SiteTools> {
    let site = TestSite::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../site"));
    Endpoint::new(site.tools, Policy::local())
}

/// How many requests a part of this test makes.
fn how_many(usual: usize) -> usize {
    let asked = std::env::var("SHELFMARK_HOSTILE").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Tells the count, past the test harness, which would keep it.
fn tell(count: usize, of: &str) {
    let _ = writeln!(std::io::stderr(), "{count} {of}");
}

fn settle(endpoint: &Endpoint<SiteTools>, store: &MemoryStore, step: Step) -> Response {
    match step {
        Step::Done(response) => response,
        Step::Store(waiting) => tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime")
            .block_on(waiting.settle(
                endpoint,
                store,
                jiff::Timestamp::UNIX_EPOCH,
                Instant::now() + SOON,
            )),
    }
}

/// Answers in process; what cannot be a header is left out, as HTTP servers do.
fn answer(endpoint: &Endpoint<SiteTools>, store: &MemoryStore, made: &Made) -> Response {
    let mut headers = HeaderMap::new();
    for (name, value) in &made.headers {
        let name = HeaderName::from_bytes(name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value)) {
            headers.append(name, value);
        }
    }
    if let Some(refused) = endpoint.refuse(&made.method, &headers) {
        return refused;
    }
    let step = endpoint.handle(&Request {
        method: &made.method,
        headers: &headers,
        body: &made.body,
    });
    settle(endpoint, store, step)
}

/// What is looked at of an answer. Its id stays unread: it comes back as it was sent, and may hold what is no text.
#[derive(Deserialize)]
struct Answer {
    error: Option<Value>,
}

/// Checks what holds of every answer, whatever was asked.
fn check(made: &Made, status: u16, body: &[u8]) {
    assert!(
        matches!(status, 200 | 202 | 204 | 400 | 403 | 404 | 405 | 413 | 415),
        "{status} for {made}"
    );
    match status {
        202 | 204 => assert!(body.is_empty(), "{status} with a body for {made}"),
        405 => {}
        _ => {
            let wrong = |error| -> ! { panic!("{error} in the answer for {made}") };
            let answers: Vec<Answer> = match body.starts_with(b"[") {
                true => serde_json::from_slice(body).unwrap_or_else(|error| wrong(error)),
                false => vec![serde_json::from_slice(body).unwrap_or_else(|error| wrong(error))],
            };
            for answer in answers
                .iter()
                .filter(|_| status != 404 || body.starts_with(b"{\"jsonrpc"))
            {
                assert_known_code(made, answer);
            }
        }
    }
}

/// The codes of the protocol's table: none of the reserved ranges beside them.
fn assert_known_code(made: &Made, answer: &Answer) {
    let Some(error) = &answer.error else {
        return;
    };
    let code = error["code"].as_i64().unwrap_or_default();
    assert!(
        [-32700, -32600, -32601, -32602, -32603, -32020, -32022].contains(&code),
        "{code} for {made}"
    );
    let message = error["message"].as_str().unwrap_or_default();
    assert!(!message.is_empty(), "no message for {made}");
    assert!(
        !message.chars().any(|c| c.is_control() || is_hidden(c)),
        "{message:?} for {made}"
    );
}

/// Characters that turn text around, or that nobody sees.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[test]
fn hostile_requests_in_process_get_an_answer() {
    let (endpoint, store) = (endpoint(), MemoryStore::default());
    let mut maker = Maker::new(1);
    let count = how_many(20_000);
    for _ in 0..count {
        let made = maker.make();
        let start = Instant::now();
        let response = answer(&endpoint, &store, &made);
        assert!(start.elapsed() < SOON, "{:?} for {made}", start.elapsed());
        check(&made, response.status, &response.body);
    }
    tell(
        count,
        "hostile requests in process: no 5xx, no hang, no panic",
    );
}

#[test]
fn hostile_lines_get_an_answer() {
    let (endpoint, store) = (endpoint(), MemoryStore::default());
    let mut maker = Maker::new(2);
    let count = how_many(5_000);
    for _ in 0..count {
        let made = maker.make();
        let response = settle(&endpoint, &store, endpoint.handle_line(&made.body));
        if !response.body.is_empty() {
            check(&made, 200, &response.body);
        }
    }
    tell(count, "hostile lines of stdio: no hang, no panic");
}

#[test]
fn hostile_calls_get_an_answer_that_is_bounded() {
    let (endpoint, store) = (endpoint(), MemoryStore::default());
    let mut maker = Maker::new(3);
    let count = how_many(10_000);
    for _ in 0..count {
        let made = maker.call();
        let response = answer(&endpoint, &store, &made);
        assert_eq!(response.status, 200, "{made}");
        assert!(
            response.body.len() < ANSWER_BYTES,
            "{} bytes for {made}",
            response.body.len()
        );
        let json: Value = serde_json::from_slice(&response.body).expect("JSON");
        let result = &json["result"];
        let Some(content) = result["content"].as_array() else {
            // No name, or arguments that are no object.
            assert_eq!(json["error"]["code"], -32602, "{made}");
            continue;
        };
        assert!(!content.is_empty(), "an empty answer for {made}");
        if result["isError"] == true {
            assert!(result.get("structuredContent").is_none(), "{made}");
            let text = content[0]["text"].as_str().unwrap_or_default();
            let hidden = text
                .chars()
                .find(|c| *c != '\n' && c.is_control() || is_hidden(*c));
            assert_eq!(hidden, None, "{text:?} for {made}");
        }
    }
    tell(
        count,
        "hostile calls of tools: each a result or an error that says what to do",
    );
}
