//! The request log: each of its fields, what is never in it, and what is written when a server stops or fails.

#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/site.rs"]
mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use artifact::format::Artifact;
use fixture::{Fixture, MemoryStore};
use http::HeaderMap;
use runtime::lambda::{Event, answer_until};
use runtime::mcp::{Access, Endpoint, Policy, TokenDigest, Tools};
use runtime::request_log::{Form, RequestLog, Salt};
use runtime::{service, stdio};
use serde_json::{Value, json};

/// Stands in everything that a caller can send and that no log may have.
const CANARY: &str = "xyzzyplugh";
const SALT: &str = "a salt of the test's own";

/// What a log wrote.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
    }

    fn lines(&self) -> Vec<Value> {
        let text = self.text();
        text.lines()
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect()
    }
}

fn log(form: Form) -> (RequestLog, Written) {
    let written = Written::default();
    (RequestLog::new(form, written.clone()), written)
}

/// The line without what differs from run to run; both have to be there.
fn steady(mut line: Value) -> Value {
    let members = line.as_object_mut().expect("an object");
    let time = members.remove("timestamp").expect("a time");
    assert_eq!(time.as_str().expect("a text").len(), 24, "{time}");
    assert!(members.remove("micros").expect("a time").is_u64());
    line
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}

/// The line of one event.
fn of_event(event: Value) -> Value {
    let endpoint = Endpoint::new(Fixture::default(), Policy::deployed("https://example.com"));
    let (log, written) = log(Form::Json);
    let event: Event = serde_json::from_value(event).expect("an event");
    let until = Instant::now() + Duration::from_secs(5);
    let store = MemoryStore::default();
    let begun = log.begin(Some("8f2c-request"));
    block_on(answer_until(
        &endpoint,
        &store,
        &event,
        jiff::Timestamp::now,
        until,
        begun,
    ));
    let mut lines = written.lines();
    assert_eq!(lines.len(), 1, "one line for each request");
    steady(lines.remove(0))
}

fn event(method: &str, path: &str, headers: Value, body: &str) -> Value {
    json!({"version": "2.0", "rawPath": path, "headers": headers, "body": body,
        "requestContext": {"http": {"method": method, "path": path}}})
}

fn posted(headers: Value, body: Value) -> Value {
    event("POST", "/mcp", headers, &body.to_string())
}

fn meta() -> Value {
    json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2.1"}})
}

#[test]
fn each_field_of_a_modern_call() {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"a": 1}, "_meta": meta()}});
    let headers = json!({"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo"});
    let line = of_event(posted(headers, body.clone()));
    let answer = line["answerBytes"].as_u64().expect("a number");
    assert!(answer > 100, "{line}");
    assert_eq!(
        line,
        json!({"level": "INFO", "message": "request", "requestId": "8f2c-request", "method": "tools/call", "tool": "echo",
            "era": "modern", "protocol": "2026-07-28", "client": "claude-code", "clientVersion": "2.1", "outcome": "ok",
            "status": 200, "requestBytes": body.to_string().len(), "answerBytes": answer})
    );
}

#[test]
fn each_outcome_is_told() {
    let none = json!({});
    let call = |name: &str| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name}});
    let legacy = json!({"mcp-protocol-version": "2025-06-18"});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "clientInfo": {"name": "probe"}}});
    let unknown_version = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2031-01-01", "io.modelcontextprotocol/clientCapabilities": {}}}});
    let cases = [
        (
            posted(legacy.clone(), call("echo")),
            json!({"method": "tools/call", "tool": "echo", "era": "legacy", "protocol": "2025-06-18", "outcome": "ok", "status": 200}),
        ),
        (
            posted(none.clone(), call("fail")),
            json!({"method": "tools/call", "tool": "fail", "era": "legacy", "outcome": "tool_error", "status": 200}),
        ),
        (
            posted(none.clone(), call("keep")),
            json!({"method": "tools/call", "tool": "keep", "era": "legacy", "outcome": "ok", "status": 200}),
        ),
        (
            posted(none.clone(), call("nothing-like-it")),
            json!({"method": "tools/call", "era": "legacy", "outcome": "error", "code": -32602, "status": 200}),
        ),
        (
            posted(none.clone(), hello),
            json!({"method": "initialize", "era": "legacy", "protocol": "2025-11-25", "client": "probe", "outcome": "ok", "status": 200}),
        ),
        (
            posted(
                json!({"mcp-protocol-version": "2031-01-01"}),
                unknown_version,
            ),
            json!({"method": "tools/list", "era": "modern", "outcome": "error", "code": -32022, "status": 400}),
        ),
        (
            posted(
                none.clone(),
                json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            ),
            json!({"method": "notification", "outcome": "accepted", "status": 202}),
        ),
        (
            posted(
                none.clone(),
                json!([call("echo"), call("fail"), call("keep")]),
            ),
            json!({"method": "batch", "era": "legacy", "protocol": "2025-03-26", "outcome": "ok", "status": 200, "messages": 3}),
        ),
        (
            posted(
                none.clone(),
                json!({"jsonrpc": "2.0", "id": 1, "method": "made/up"}),
            ),
            json!({"method": "other", "era": "legacy", "outcome": "error", "code": -32601, "status": 200}),
        ),
        (
            event("POST", "/mcp", none.clone(), "{"),
            json!({"method": "-", "outcome": "error", "code": -32700, "status": 400}),
        ),
        (
            event(
                "POST",
                "/mcp",
                json!({"origin": "https://evil.example"}),
                "",
            ),
            json!({"method": "-", "outcome": "error", "code": -32600, "status": 403}),
        ),
        (
            event("GET", "/mcp", none.clone(), ""),
            json!({"method": "-", "outcome": "refused", "status": 405}),
        ),
        (
            event("GET", "/nothing", none.clone(), ""),
            json!({"method": "-", "outcome": "refused", "status": 404}),
        ),
        (
            event("GET", "/health", none, ""),
            json!({"method": "health", "outcome": "ok", "status": 200}),
        ),
    ];
    for (event, expected) in cases {
        let mut line = of_event(event.clone());
        let members = line.as_object_mut().expect("an object");
        for always in [
            "level",
            "message",
            "requestId",
            "requestBytes",
            "answerBytes",
        ] {
            assert!(members.remove(always).is_some(), "{always} of {event}");
        }
        assert_eq!(line, expected, "{event}");
    }
}

#[test]
fn what_a_client_calls_itself_is_one_clean_bounded_line() {
    let mut told = meta();
    told["io.modelcontextprotocol/clientInfo"] = json!({"name": format!("a\n\"level\":\"b\u{202e}\u{e0041}{}", "é".repeat(500)), "version": "1\u{0}\r\n2"});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": told}});
    let headers = json!({"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"});
    let line = of_event(posted(headers, body));
    let client = line["client"].as_str().expect("a text");
    assert!(
        client.starts_with("a \"level\":\"bé") && client.chars().count() <= 65,
        "{client}"
    );
    assert!(
        line["clientVersion"].as_str().is_some_and(
            |version| version.starts_with('1') && !version.contains(|c: char| c.is_control())
        ),
        "{line}"
    );
    // A client that tells something else than texts is one that told nothing.
    for odd in [
        json!("x"),
        json!({"name": 1}),
        json!({"version": "1"}),
        json!({"name": ""}),
    ] {
        let mut told = meta();
        told["io.modelcontextprotocol/clientInfo"] = odd.clone();
        let body =
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": told}});
        let headers = json!({"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"});
        let line = of_event(posted(headers, body));
        assert_eq!(
            (line.get("client"), &line["outcome"]),
            (None, &json!("ok")),
            "{odd}"
        );
    }
}

/// A site whose only word is `harbour`.
fn tools() -> impl Tools {
    let bytes = support::build(&[
        (
            "shelfmark.toml",
            "[site]\ntitle = \"Small\"\nurl = \"https://small.dev\"\n[[collections]]\nname = \"notes\"\npath = \"notes\"\nroute = \"/notes/{slug}\"\ntools = true\n",
        ),
        ("notes/a.md", "# Harbour\n\nharbour\n"),
    ]);
    let bytes: &'static [u8] = bytes.expect("the site is without errors").leak();
    service::SiteTools::new(Artifact::open(bytes).expect("an artifact"), true).expect("served")
}

fn search(words: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_content",
        "arguments": {"match": {"text": words}}}})
    .to_string()
}

/// What stdio's lines are logged as.
fn over_stdio(log: &RequestLog, lines: &[String]) {
    let endpoint = Endpoint::new(tools(), Policy::local());
    let input = lines.join("\n");
    let mut output = Vec::new();
    let store = MemoryStore::default();
    block_on(stdio::serve(
        &endpoint,
        &store,
        input.as_bytes(),
        &mut output,
        log,
    ))
    .expect("memory");
}

#[test]
fn a_search_without_a_result_is_told_by_its_hash_and_only_with_a_salt() {
    let of_collection = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
        {"name": "search_notes", "arguments": {"query": CANARY}}})
    .to_string();
    let lines = [
        search(CANARY),
        search("harbour"),
        search(&format!("  {}?", CANARY.to_uppercase())),
        of_collection,
    ];
    let told = |log: RequestLog, written: Written| {
        over_stdio(&log, &lines);
        log.finish();
        let text = written.text();
        assert!(!text.to_lowercase().contains(CANARY), "{text}");
        let mut all = written.lines();
        let counters = all.pop().expect("counters");
        let of = |line: &Value| {
            (
                line.get("zeroResults").cloned(),
                line.get("zeroResultHash").cloned(),
            )
        };
        (all.iter().map(of).collect::<Vec<_>>(), counters)
    };
    let (without, written) = log(Form::Json);
    let (found, counters) = told(without, written);
    let zero = (Some(json!(true)), None);
    assert_eq!(found, [zero.clone(), (None, None), zero.clone(), zero]);
    assert_eq!(
        (&counters["zeroResults"], counters.get("zeroResultHashes")),
        (&json!(3), None)
    );

    let salt = Salt::new(SALT).expect("long enough");
    let hash = salt.hash(CANARY);
    let (with, written) = log(Form::Json);
    let (found, counters) = told(with.with_salt(Some(salt)), written);
    let zero = (Some(json!(true)), Some(json!(hash)));
    assert_eq!(found, [zero.clone(), (None, None), zero.clone(), zero]);
    assert_eq!(counters["zeroResultHashes"], json!({hash: 3}));
}

#[test]
fn over_stdio_the_client_is_the_one_that_introduced_itself() {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "clientInfo": {"name": "desk", "version": "3"}}});
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let (log, written) = log(Form::Json);
    over_stdio(&log, &[hello.to_string(), ping.to_string()]);
    let line = steady(written.lines().remove(1));
    assert_eq!(
        line,
        json!({"level": "INFO", "message": "request", "method": "ping", "era": "legacy", "protocol": "2025-06-18", "client": "desk",
            "clientVersion": "3", "outcome": "ok", "requestBytes": ping.to_string().len(), "answerBytes": 36})
    );
}

#[test]
fn counters_add_up_requests_by_what_they_were() {
    let (log, written) = log(Form::Json);
    over_stdio(
        &log,
        &[
            search("harbour"),
            search("harbour"),
            search("nothing"),
            "{".to_owned(),
        ],
    );
    let lines = written.lines();
    let sum = |member: &str| {
        lines
            .iter()
            .map(|line| line[member].as_u64().expect("a number"))
            .sum::<u64>()
    };
    log.finish();
    let mut counters = written.lines().pop().expect("counters");
    assert_eq!(counters["message"], "counters");
    assert!(counters["uptimeSeconds"].is_u64());
    assert_eq!(counters["requests"], 4);
    assert_eq!(counters["requestBytes"], sum("requestBytes"));
    assert_eq!(counters["answerBytes"], sum("answerBytes"));
    assert_eq!(counters["zeroResults"], 1);
    let row = counters["by"][0].take();
    assert_eq!(
        [
            &row["method"],
            &row["tool"],
            &row["era"],
            &row["outcome"],
            &row["requests"]
        ],
        [
            &json!("tools/call"),
            &json!("search_content"),
            &json!("legacy"),
            &json!("ok"),
            &json!(3)
        ]
    );
    let times = ["p50Micros", "p99Micros", "maxMicros"]
        .map(|member| row[member].as_u64().expect("a number"));
    assert!(times.is_sorted(), "{row}");
    assert_eq!(counters["by"][1]["code"], -32700);
}

#[test]
fn nothing_that_a_caller_sends_is_in_the_log() {
    let access = Access::of([TokenDigest::of(&format!("token-{CANARY}"))]);
    let policy = Policy {
        access,
        ..Policy::deployed("https://example.com")
    };
    let endpoint = Endpoint::new(tools(), policy);
    let salt = Salt::new(SALT).expect("long enough");
    let tokens = [
        format!("Bearer token-{CANARY}"),
        format!("Bearer other-{CANARY}"),
        format!("Basic {CANARY}"),
    ];
    let key = "7f9c24e8-3b12-4fef-91e0-5f6c2a9b1d11";
    let bodies = [
        search(CANARY),
        json!({"jsonrpc": "2.0", "id": CANARY, "method": CANARY, "params": {CANARY: CANARY}}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": CANARY}}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_page_markdown", "arguments": {"route": CANARY}}}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_content", "arguments": {CANARY: 1}}}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "submit_feedback", "arguments": {"idempotency_key": key,
            "message": CANARY, "kind": "other", "severity": "low", "about": format!("/{CANARY}")}}}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": CANARY, "capabilities": {CANARY: {}}}}).to_string(),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{CANARY}"),
        CANARY.to_owned(),
    ];
    for form in [Form::Json, Form::Pretty] {
        let (log, written) = log(form);
        let log = log.with_salt(Some(salt.clone()));
        let mut requests = 0;
        for token in &tokens {
            for body in &bodies {
                for path in ["/mcp", &format!("/{CANARY}"), &format!("/{CANARY}/mcp")] {
                    let headers = json!({"authorization": token, "user-agent": CANARY, "x-forwarded-for": CANARY, "cookie": CANARY,
                        "mcp-session-id": CANARY, "mcp-name": CANARY, CANARY: CANARY, "referer": CANARY});
                    let event = event("POST", path, headers, body);
                    let event: Event = serde_json::from_value(event).expect("an event");
                    let until = Instant::now() + Duration::from_secs(5);
                    let store = MemoryStore::default();
                    block_on(answer_until(
                        &endpoint,
                        &store,
                        &event,
                        jiff::Timestamp::now,
                        until,
                        log.begin(None),
                    ));
                    requests += 1;
                }
            }
        }
        log.finish();
        let text = written.text().to_lowercase();
        assert!(!text.contains(CANARY), "{text}");
        assert!(text.lines().count() > requests);
        assert!(!text.contains(key) && !text.contains(&SALT.to_lowercase()));
    }
}

#[test]
fn a_request_that_is_given_up_has_a_line() {
    let (log, written) = log(Form::Json);
    drop(log.begin(None));
    let line = steady(written.lines().remove(0));
    assert_eq!(
        line,
        json!({"level": "INFO", "message": "request", "method": "-", "outcome": "aborted", "requestBytes": 0, "answerBytes": 0})
    );
}

#[test]
fn health_tells_what_everybody_may_know() {
    let uptime = Duration::from_secs(75);
    let headers = HeaderMap::new();
    let endpoint = Endpoint::new(tools(), Policy::local());
    let artifact = endpoint.tools().health().artifact.expect("an artifact");
    for path in ["/health", "/health/", "/prod/health"] {
        let response = endpoint
            .elsewhere("GET", path, &headers, uptime)
            .expect("a document");
        let body: Value = serde_json::from_slice(&response.body).expect("JSON");
        let version = env!("CARGO_PKG_VERSION");
        let pages = body["pages"].as_u64().expect("a number");
        assert!(pages > 0);
        assert_eq!(
            (response.status, body),
            (
                200,
                json!({"status": "ok", "version": version, "artifact": artifact, "pages": pages, "uptimeSeconds": 75})
            )
        );
        assert!(
            response
                .headers
                .iter()
                .any(|(name, value)| *name == "cache-control" && value == "no-store")
        );
    }
    let post = endpoint
        .elsewhere("POST", "/health", &headers, uptime)
        .expect("a refusal");
    assert_eq!(post.status, 405);
    // Where everything needs a token, all that others learn is that the server is there.
    let mut access = Access::of([TokenDigest::of("a-token")]);
    access.demanded = true;
    let policy = Policy {
        access,
        ..Policy::local()
    };
    let closed = Endpoint::new(tools(), policy);
    let told = |headers: &HeaderMap| -> Value {
        let response = closed
            .elsewhere("GET", "/health", headers, uptime)
            .expect("a document");
        assert_eq!(response.status, 200);
        serde_json::from_slice(&response.body).expect("JSON")
    };
    let few = json!({"status": "ok", "uptimeSeconds": 75});
    assert_eq!(told(&headers), few);
    let mut with_token = HeaderMap::new();
    with_token.insert("authorization", "Bearer a-token".parse().expect("a value"));
    assert_eq!(told(&with_token)["artifact"], artifact);
}

#[test]
fn the_server_card_stands_beside_the_endpoint() {
    let site = |url: &str| {
        let config = format!(
            "collections = []\n[site]\ntitle = \"Small\"\nurl = \"https://small.dev\"\n[server]\n{url}"
        );
        let bytes = support::build(&[("shelfmark.toml", &config), ("index.md", "# Small\n")]);
        let bytes: &'static [u8] = bytes.expect("the site is without errors").leak();
        let artifact = Artifact::open(bytes).expect("an artifact");
        Endpoint::new(
            service::SiteTools::new(artifact, true).expect("served"),
            Policy::local(),
        )
    };
    let ask = |endpoint: &Endpoint<service::SiteTools>, method: &str, path: &str| {
        endpoint
            .elsewhere(method, path, &HeaderMap::new(), Duration::ZERO)
            .expect("an answer")
    };
    let named = site("url = \"https://mcp.small.dev/mcp\"");
    for path in ["/mcp/server-card", "/prod/mcp/server-card"] {
        let card = ask(&named, "GET", path);
        let kind = card
            .headers
            .iter()
            .find(|(name, _)| *name == "content-type")
            .expect("a type");
        assert_eq!(
            (card.status, &*kind.1),
            (200, "application/mcp-server-card+json")
        );
        let card: Value = serde_json::from_slice(&card.body).expect("JSON");
        assert_eq!(card["name"], "dev.small/small");
        assert_eq!(card["remotes"][0]["url"], "https://mcp.small.dev/mcp");
    }
    assert_eq!(ask(&named, "OPTIONS", "/mcp/server-card").status, 204);
    assert_eq!(ask(&named, "POST", "/mcp/server-card").status, 405);
    for path in ["/server-card", "/other/server-card"] {
        assert_eq!(ask(&named, "GET", path).status, 404, "{path}");
    }
    assert_eq!(ask(&site(""), "GET", "/mcp/server-card").status, 404);
}

/// Ends the server when a test ends early.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn local(folder: &std::path::Path, arguments: &[&str]) -> Child {
    let bytes = support::build(&[
        (
            "shelfmark.toml",
            "collections = []\n[site]\ntitle = \"Small\"\nurl = \"https://small.dev\"\n",
        ),
        ("index.md", "# Small\n"),
    ]);
    let artifact = folder.join("site.shelf");
    std::fs::write(&artifact, bytes.expect("the site is without errors")).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_local"))
        .args(arguments)
        .args(["--no-feedback", "--artifact"])
        .arg(artifact)
        .env_remove("SHELFMARK_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

fn terminate(child: &Child) {
    let id = child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &id]).status();
    assert!(told.expect("a system with `kill`").success());
}

#[test]
fn a_server_writes_lines_to_standard_error_and_its_counters_when_told_to_stop() {
    for (form, is_json) in [
        ("json", true),
        ("pretty", false),
        ("json,warn", true),
        ("off", false),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let child = local(
            folder.path(),
            &["serve", "--addr", "127.0.0.1:0", "--log", form],
        );
        let mut running = Running(child);
        let mut errors = BufReader::new(running.0.stderr.take().expect("it is piped"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("it says where");
        let address = line
            .trim_end()
            .trim_end_matches("/mcp")
            .rsplit('/')
            .next()
            .expect("an address")
            .to_owned();
        let mut stream = TcpStream::connect(&address).expect("connects");
        write!(
            stream,
            "GET /health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        )
        .expect("sends");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answers");
        assert!(answer.contains(r#""status":"ok""#), "{answer}");
        terminate(&running.0);
        assert!(running.0.wait().expect("it ends").success());
        let mut rest = String::new();
        errors.read_to_string(&mut rest).expect("text");
        let lines: Vec<&str> = rest.lines().collect();
        match (form, is_json) {
            ("off" | "json,warn", _) => assert_eq!(rest, ""),
            (_, true) => {
                let lines: Vec<Value> = lines
                    .iter()
                    .map(|line| serde_json::from_str(line).expect("JSON"))
                    .collect();
                assert_eq!(lines.len(), 2, "{rest}");
                assert_eq!(
                    (&lines[0]["method"], &lines[0]["status"]),
                    (&json!("health"), &json!(200))
                );
                assert_eq!(
                    (&lines[1]["message"], &lines[1]["requests"]),
                    (&json!("counters"), &json!(1))
                );
            }
            (_, false) => {
                assert!(
                    lines[0].contains("health") && lines[0].contains("µs"),
                    "{rest}"
                );
                assert!(
                    lines[1].starts_with("1 requests in ") && lines.len() == 4,
                    "{rest}"
                );
            }
        }
    }
}

#[test]
fn over_stdio_counters_come_at_the_end_of_the_input_and_only_when_asked_for() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    for (arguments, expected) in [(&["stdio", "--log", "json"][..], 2), (&["stdio"], 0)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = local(folder.path(), arguments);
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(ping.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends with its input");
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines: Vec<Value> = told
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(lines.len(), expected, "{told}");
        if let [line, counters] = &lines[..] {
            assert_eq!(
                (&line["method"], line.get("status")),
                (&json!("ping"), None)
            );
            assert_eq!(counters["message"], "counters");
        }
    }
}
