//! The protocol core against what the specification requires, row by row, without IO.
//!
//! The letter and number at the start of a row's name point at a requirement: A is HTTP in every revision, B is
//! 2026-07-28, C the revisions before it, D is tools, E is stdio. D has answers in every revision.

#[path = "protocol/checklist.rs"]
mod checklist;
#[path = "../support/fixture.rs"]
mod fixture;
#[path = "protocol/headers.rs"]
mod headers;
#[path = "protocol/odd.rs"]
mod odd;

use std::io::Write;

use fixture::{Fixture, LIST, MemoryStore, SERVER};
use http::{HeaderMap, HeaderName, HeaderValue};
use runtime::mcp::{Endpoint, Outcome, Policy, Request, Response, Step};

/// One exchange over HTTP.
struct Row {
    name: &'static str,
    method: &'static str,
    headers: Vec<(&'static str, &'static str)>,
    body: Vec<u8>,
    status: u16,
    answer: String,
}

fn row(
    name: &'static str,
    headers: &[(&'static str, &'static str)],
    body: impl AsRef<[u8]>,
    status: u16,
    answer: impl Into<String>,
) -> Row {
    let mut headers = headers.to_vec();
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        headers.push(("content-type", "application/json"));
    }
    Row {
        name,
        method: "POST",
        headers,
        body: body.as_ref().to_vec(),
        status,
        answer: answer.into(),
    }
}

fn check(rows: Vec<Row>) {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let mut wrong = String::new();
    for row in rows {
        let response = send(&endpoint, row.method, &row.headers, &row.body);
        let answer = String::from_utf8_lossy(&response.body);
        if (response.status, &*answer) != (row.status, &row.answer) {
            wrong += &format!(
                "{}\n  expected {} {}\n  got      {} {}\n",
                row.name, row.status, row.answer, response.status, answer
            );
        }
        let json = header(&response, "content-type") == Some("application/json");
        if json && serde_json::from_slice::<serde::de::IgnoredAny>(&response.body).is_err() {
            wrong += &format!("{}\n  the answer is no JSON\n", row.name);
        }
        if header(&response, "access-control-allow-origin") != Some("*") {
            wrong += &format!("{}\n  no CORS headers\n", row.name);
        }
        if header(&response, "mcp-session-id").is_some() {
            wrong += &format!("{}\n  a session id\n", row.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn send(
    endpoint: &Endpoint<Fixture>,
    method: &str,
    headers: &[(&'static str, &'static str)],
    body: &[u8],
) -> Response {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(
            HeaderName::from_static(name),
            HeaderValue::from_bytes(value.as_bytes()).expect("a header value"),
        );
    }
    let early = endpoint.refuse(method, &map);
    let step = endpoint.handle(&Request {
        method,
        headers: &map,
        body,
    });
    let response = settle(endpoint, step);
    if let Some(early) = early {
        assert_eq!(early, response, "refused early and late alike");
    }
    response
}

fn settle(endpoint: &Endpoint<Fixture>, step: Step) -> Response {
    match step {
        Step::Done(response) => response,
        Step::Store(waiting) => {
            let now = "2026-11-30T12:00:00Z".parse().expect("a time");
            let until = std::time::Instant::now() + runtime::feedback::WRITE;
            tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime")
                .block_on(waiting.settle(endpoint, &MemoryStore::default(), now, until))
        }
    }
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    let found = response.headers.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| &**value)
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

fn error(id: &str, code: i32, message: &str) -> String {
    let id = match id {
        "" => String::new(),
        id => format!(r#""id":{id},"#),
    };
    format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":{code},"message":"{message}"}}}}"#)
}

#[test]
fn http_heads() {
    const POST_ONLY: &str =
        "This is an MCP endpoint: point an MCP client at this address. It answers POST only.\n";
    const STRANGE: &str = "pages of this origin may not use this server";
    let with = |method, row: Row| Row { method, ..row };
    check(vec![
        row("A2 no Origin is let through", &[], PING, 200, PONG),
        row(
            "A2 a loopback Origin is let through",
            &[("origin", "http://127.0.0.1:6274")],
            PING,
            200,
            PONG,
        ),
        row(
            "A2 another Origin -> 403",
            &[("origin", "http://evil.example.com")],
            PING,
            403,
            error("", -32600, STRANGE),
        ),
        row(
            "A2 another Host -> 403",
            &[
                ("host", "evil.example.com:8787"),
                ("origin", "http://localhost"),
            ],
            PING,
            403,
            error("", -32600, "this server does not answer to this host name"),
        ),
        with(
            "GET",
            row(
                "A2 Origin comes before the method",
                &[("origin", "null")],
                "",
                403,
                error("", -32600, STRANGE),
            ),
        ),
        with(
            "GET",
            row(
                "A4 GET -> 405 at once",
                &[("accept", "text/event-stream")],
                "",
                405,
                POST_ONLY,
            ),
        ),
        with(
            "DELETE",
            row(
                "A4 DELETE -> 405",
                &[("mcp-session-id", "x")],
                "",
                405,
                POST_ONLY,
            ),
        ),
        with("HEAD", row("A4 HEAD -> 405", &[], "", 405, POST_ONLY)),
        with(
            "PUT",
            row(
                "A4 PUT -> 405",
                &[("content-type", "text/plain")],
                PING,
                405,
                POST_ONLY,
            ),
        ),
        row(
            "A4 a session id and Last-Event-ID are ignored",
            &[("mcp-session-id", "stale"), ("last-event-id", "7")],
            PING,
            200,
            PONG,
        ),
        with(
            "OPTIONS",
            row(
                "preflight -> 204 whoever asks",
                &[("origin", "http://evil.example.com")],
                "",
                204,
                "",
            ),
        ),
        row(
            "A8 Accept */* is fine",
            &[("accept", "*/*")],
            PING,
            200,
            PONG,
        ),
        row(
            "A8 Accept of events alone is fine",
            &[("accept", "text/event-stream")],
            PING,
            200,
            PONG,
        ),
        row(
            "A8 Accept of something else is fine",
            &[("accept", "text/html")],
            PING,
            200,
            PONG,
        ),
        row(
            "A8 parameters of the media type are fine",
            &[("content-type", "application/json; charset=utf-8")],
            PING,
            200,
            PONG,
        ),
        row(
            "A8 another media type -> 415",
            &[("content-type", "text/plain")],
            PING,
            415,
            error(
                "",
                -32600,
                "the body must be JSON: send `Content-Type: application/json`",
            ),
        ),
        row(
            "A8 an encoding that we do not read -> 415",
            &[("content-encoding", "br")],
            PING,
            415,
            error(
                "",
                -32600,
                "the body may be sent plain or with `Content-Encoding: gzip`",
            ),
        ),
        row(
            "a body over the bound -> 413",
            &[],
            vec![b' '; 65_537],
            413,
            error(
                "",
                -32600,
                "the body is too large: at most 65536 bytes are read",
            ),
        ),
        row(
            "a gzip body is read",
            &[("content-encoding", "gzip")],
            gzip(PING.as_bytes()),
            200,
            PONG,
        ),
        row(
            "a gzip bomb -> 413",
            &[("content-encoding", "gzip")],
            gzip(&vec![b' '; 10_000_000]),
            413,
            error(
                "",
                -32600,
                "the body is too large: at most 65536 bytes are read",
            ),
        ),
    ]);
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn a_missing_content_type_is_json() {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    assert_eq!(send(&endpoint, "POST", &[], PING.as_bytes()).status, 200);
}

#[test]
fn a_preflight_allows_what_clients_send() {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let response = send(&endpoint, "OPTIONS", &[], b"");
    let allowed = header(&response, "access-control-allow-headers").unwrap_or_default();
    for wanted in [
        "Content-Type",
        "Accept",
        "Authorization",
        "MCP-Protocol-Version",
        "Mcp-Session-Id",
        "Mcp-Method",
        "Mcp-Name",
        "Last-Event-ID",
    ] {
        assert!(allowed.split(", ").any(|name| name == wanted), "{wanted}");
    }
    let methods = header(&response, "access-control-allow-methods");
    assert_eq!(methods, Some("POST, OPTIONS"));
    let get = send(&endpoint, "GET", &[], b"");
    assert_eq!(header(&get, "allow"), Some("POST, OPTIONS"));
}

#[test]
fn envelopes() {
    const NO_JSON: &str = "the body is not valid JSON";
    const ONE: &str = "a message is a JSON object";
    const ID: &str = "`id` must be a string or an integer";
    let ping = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let pong = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
    check(vec![
        row(
            "A6 a notification -> 202",
            &[],
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            202,
            "",
        ),
        row(
            "A6 a response -> 202",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            202,
            "",
        ),
        row(
            "A6 an error response -> 202",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"error":{}}"#,
            202,
            "",
        ),
        row(
            "A7 an unknown notification -> 202",
            &[],
            r#"{"jsonrpc":"2.0","method":"x"}"#,
            202,
            "",
        ),
        row(
            "A7 a notification needs none of the modern headers",
            &[("mcp-protocol-version", "2026-07-28")],
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            202,
            "",
        ),
        row(
            "A7 a call without an id is not run",
            &[],
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"keep"}}"#,
            202,
            "",
        ),
        row(
            "A9 no JSON -> parse error",
            &[],
            "{",
            400,
            error("", -32700, NO_JSON),
        ),
        row(
            "A9 nothing -> parse error",
            &[],
            "",
            400,
            error("", -32700, NO_JSON),
        ),
        row(
            "A9 more than one message -> parse error",
            &[],
            format!("{PING}{PING}"),
            400,
            error("", -32700, NO_JSON),
        ),
        row(
            "A9 a raw line break in a string -> parse error",
            &[],
            ping("\"\n\""),
            400,
            error("", -32700, NO_JSON),
        ),
        row(
            "A9 invalid UTF-8 -> parse error",
            &[],
            b"{\"\xff\":1}",
            400,
            error("", -32700, "the body is not UTF-8"),
        ),
        row(
            "A9 a string is no message",
            &[],
            "\"ping\"",
            400,
            error("", -32600, ONE),
        ),
        row(
            "A9 null is no message",
            &[],
            "null",
            400,
            error("", -32600, ONE),
        ),
        row(
            "A9 jsonrpc is missing",
            &[],
            r#"{"id":1,"method":"ping"}"#,
            400,
            error("1", -32600, "`jsonrpc` must be \\\"2.0\\\""),
        ),
        row(
            "A9 jsonrpc is another version",
            &[],
            r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#,
            400,
            error("1", -32600, "`jsonrpc` must be \\\"2.0\\\""),
        ),
        row(
            "A9 no method",
            &[],
            r#"{"jsonrpc":"2.0","id":1}"#,
            400,
            error("1", -32600, "a message needs a `method`"),
        ),
        row(
            "A9 the method is no string",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            400,
            error("1", -32600, "`method` must be a string"),
        ),
        row(
            "A9 a lone surrogate is no method",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#,
            400,
            error("1", -32600, "`method` must be a string"),
        ),
        row(
            "A9 a doubled member",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#,
            400,
            error("", -32600, "each member of a message may be given once"),
        ),
        row(
            "A9 a byte order mark is skipped",
            &[],
            format!("\u{feff}{PING}"),
            200,
            PONG,
        ),
        row(
            "A10 a string id",
            &[],
            ping(r#""aé\u0061\"""#),
            200,
            pong(r#""aé\u0061\"""#),
        ),
        row("A10 a negative id", &[], ping("-7"), 200, pong("-7")),
        row("A10 zero", &[], ping("0"), 200, pong("0")),
        row(
            "A10 an id that no integer type holds",
            &[],
            ping("123456789012345678901234567890"),
            200,
            pong("123456789012345678901234567890"),
        ),
        row(
            "A10 null is no id",
            &[],
            ping("null"),
            400,
            error("", -32600, ID),
        ),
        row(
            "A10 a fraction is no id",
            &[],
            ping("1.5"),
            400,
            error("", -32600, ID),
        ),
        row(
            "A10 an exponent is no id",
            &[],
            ping("1e3"),
            400,
            error("", -32600, ID),
        ),
        row(
            "A10 an object is no id",
            &[],
            ping("{}"),
            400,
            error("", -32600, ID),
        ),
        row(
            "A10 a huge exponent is no id",
            &[],
            ping("1e999999999"),
            400,
            error("", -32600, ID),
        ),
        row(
            "escapes in member names and methods are read",
            &[],
            r#"{"json\u0072pc":"2.0","id":1,"method":"p\u0069ng"}"#,
            200,
            PONG,
        ),
        row(
            "unknown members are ignored",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":[1e999,"\ud800"]}"#,
            200,
            PONG,
        ),
        row(
            "null params are no params",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#,
            200,
            PONG,
        ),
        row(
            "params by position are refused",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            200,
            error("1", -32602, "`params` must be an object"),
        ),
        row(
            "a doubled member of params is refused",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"fail"}}"#,
            200,
            error("1", -32602, "each member of `params` may be given once"),
        ),
    ]);
}

#[test]
fn deep_nesting_neither_panics_nor_costs_stack() {
    let deep = "[".repeat(30_000) + &"]".repeat(30_000);
    let open = "[".repeat(30_000);
    check(vec![
        row(
            "in an ignored member",
            &[],
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","x":{deep}}}"#),
            200,
            PONG,
        ),
        row(
            "unclosed",
            &[],
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","x":{open}"#),
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "as params",
            &[],
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{deep}}}"#),
            200,
            error("1", -32602, "`params` must be an object"),
        ),
        row(
            "as a batch",
            &[],
            &deep,
            200,
            format!("[{}]", error("", -32600, "a message is a JSON object")),
        ),
        row(
            "as an unclosed batch",
            &[],
            open,
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
    ]);
}

/// A modern request with the headers that fit it.
fn modern(method: &str, params: &str) -> String {
    let comma = if params.is_empty() { "" } else { "," };
    format!(
        r#"{{"jsonrpc":"2.0","id":"m","method":"{method}","params":{{{params}{comma}"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
const TAIL: &str = r#""resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":"#;

#[test]
fn modern_requests() {
    let list = modern("tools/list", "");
    let listed = format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"tools":{LIST},"ttlMs":300000,"cacheScope":"public",{TAIL}{SERVER}}}}}}}"#
    );
    let discover = modern("server/discover", "");
    let discovered = format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"capabilities":{{"tools":{{}}}},"instructions":"Only tools.\n","ttlMs":300000,"cacheScope":"public",{TAIL}{SERVER}}}}}}}"#
    );
    let echo = modern("tools/call", r#""name":"echo","arguments":{"a":1}"#);
    let echoed = format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"content":[{{"type":"text","text":"{{\"a\":1}}"}}],{TAIL}{SERVER}}}}}}}"#
    );
    let list_head = [VERSION, ("mcp-method", "tools/list")];
    let call_head = [VERSION, ("mcp-method", "tools/call")];
    let echo_head = [VERSION, ("mcp-method", "tools/call"), ("mcp-name", "echo")];
    let unsupported = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":"m","error":{{"code":-32022,"message":"protocol version `{version}` is not served here; use 2026-07-28","data":{{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"{version}"}}}}}}"#
        )
    };
    let no_capabilities = "`_meta` needs `io.modelcontextprotocol/clientCapabilities`, an object";
    let differ = "the header `MCP-Protocol-Version` and the version in `_meta` differ";
    let method_differs = "the header `Mcp-Method` and the body's `method` differ";
    let name_differs = "the header `Mcp-Name` and the tool's `name` differ";
    let no_method =
        "no such method: this server offers tools only, through `tools/list` and `tools/call`";
    let surprise = modern("tools/call", r#""name":"\u00fcberraschung""#);
    let surprised = format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"content":[{{"type":"text","text":"!"}}],{TAIL}{SERVER}}}}}}}"#
    );
    check(vec![
        row(
            "B12 a call with nothing before it",
            &echo_head,
            &echo,
            200,
            &echoed,
        ),
        row(
            "B13 no version in _meta -> -32602",
            &list_head,
            r#"{"jsonrpc":"2.0","id":"m","method":"tools/list","params":{}}"#,
            400,
            error(
                "\"m\"",
                -32602,
                "`_meta` needs `io.modelcontextprotocol/protocolVersion`",
            ),
        ),
        row(
            "B13 a version that is no string -> -32602",
            &list_head,
            list.replace(r#""2026-07-28""#, "1"),
            400,
            error(
                "\"m\"",
                -32602,
                "`io.modelcontextprotocol/protocolVersion` must be a string",
            ),
        ),
        row(
            "B13 no capabilities -> -32602",
            &list_head,
            list.replace("clientCapabilities", "x"),
            400,
            error("\"m\"", -32602, no_capabilities),
        ),
        row(
            "B13 capabilities that are no object -> -32602",
            &list_head,
            list.replace(r#"clientCapabilities":{}"#, r#"clientCapabilities":[]"#),
            400,
            error("\"m\"", -32602, no_capabilities),
        ),
        row(
            "B14 no version header -> -32020",
            &list_head[1..],
            &list,
            400,
            error(
                "\"m\"",
                -32020,
                "the header `MCP-Protocol-Version` is missing",
            ),
        ),
        row(
            "B14 a version header that differs -> -32020",
            &[("mcp-protocol-version", "2025-11-25"), list_head[1]],
            &list,
            400,
            error("\"m\"", -32020, differ),
        ),
        row(
            "B14 a doubled version header that agrees is fine",
            &[VERSION, VERSION, list_head[1]],
            &list,
            200,
            &listed,
        ),
        row(
            "B14 joined version headers that agree are fine",
            &[
                ("mcp-protocol-version", "2026-07-28, 2026-07-28"),
                list_head[1],
            ],
            &list,
            200,
            &listed,
        ),
        row(
            "B14 joined version headers that disagree -> -32020",
            &[
                ("mcp-protocol-version", "2026-07-28, 2025-11-25"),
                list_head[1],
            ],
            &list,
            400,
            error(
                "\"m\"",
                -32020,
                "the header `MCP-Protocol-Version` does not hold one version",
            ),
        ),
        row(
            "B15 a version that nobody knows -> -32022",
            &[("mcp-protocol-version", "2099-01-01"), list_head[1]],
            list.replace("2026-07-28", "2099-01-01"),
            400,
            unsupported("2099-01-01"),
        ),
        row(
            "B15 a version that nobody knows, in the header alone -> -32022",
            &[("mcp-protocol-version", "bad"), list_head[1]],
            r#"{"jsonrpc":"2.0","id":"m","method":"tools/list"}"#,
            400,
            unsupported("bad"),
        ),
        row(
            "B16 no Mcp-Method -> -32020",
            &[VERSION],
            &list,
            400,
            error("\"m\"", -32020, "the header `Mcp-Method` is missing"),
        ),
        row(
            "B16 Mcp-Method differs -> -32020",
            &[VERSION, ("mcp-method", "tools/call")],
            &list,
            400,
            error("\"m\"", -32020, method_differs),
        ),
        row(
            "B16 Mcp-Method differs in case -> -32020",
            &[VERSION, ("mcp-method", "Tools/List")],
            &list,
            400,
            error("\"m\"", -32020, method_differs),
        ),
        row(
            "B16 space around a value is trimmed",
            &[VERSION, ("mcp-method", "  tools/list ")],
            &list,
            200,
            &listed,
        ),
        row(
            "B16 no Mcp-Name on a call -> -32020",
            &call_head,
            &echo,
            400,
            error("\"m\"", -32020, "the header `Mcp-Name` is missing"),
        ),
        row(
            "B16 Mcp-Name differs -> -32020",
            &[VERSION, call_head[1], ("mcp-name", "fail")],
            &echo,
            400,
            error("\"m\"", -32020, name_differs),
        ),
        row(
            "B16 Mcp-Name in base64",
            &[VERSION, call_head[1], ("mcp-name", "=?base64?ZWNobw==?=")],
            &echo,
            200,
            &echoed,
        ),
        row(
            "B16 Mcp-Name in base64 for what headers cannot hold",
            &[
                VERSION,
                call_head[1],
                ("mcp-name", "=?base64?w7xiZXJyYXNjaHVuZw==?="),
            ],
            &surprise,
            200,
            &surprised,
        ),
        row(
            "B16 Mcp-Name in broken base64 -> -32020",
            &[VERSION, call_head[1], ("mcp-name", "=?base64?ZWNobw?=")],
            &echo,
            400,
            error("\"m\"", -32020, name_differs),
        ),
        row(
            "B16 Mcp-Name with characters that headers cannot hold -> -32020",
            &[VERSION, call_head[1], ("mcp-name", "überraschung")],
            &surprise,
            400,
            error("\"m\"", -32020, name_differs),
        ),
        row(
            "B16 Mcp-Name is not wanted elsewhere",
            &list_head,
            &list,
            200,
            &listed,
        ),
        row(
            "B18 an unknown method -> 404",
            &[VERSION, ("mcp-method", "x/y")],
            modern("x/y", ""),
            404,
            error("\"m\"", -32601, no_method),
        ),
        row(
            "B18 initialize is unknown",
            &[VERSION, ("mcp-method", "initialize")],
            modern("initialize", ""),
            404,
            error("\"m\"", -32601, no_method),
        ),
        row(
            "B18 ping is unknown",
            &[VERSION, ("mcp-method", "ping")],
            modern("ping", ""),
            404,
            error("\"m\"", -32601, no_method),
        ),
        row(
            "B28 subscriptions are unknown",
            &[VERSION, ("mcp-method", "subscriptions/listen")],
            modern("subscriptions/listen", ""),
            404,
            error("\"m\"", -32601, no_method),
        ),
        row(
            "B21 server/discover",
            &[VERSION, ("mcp-method", "server/discover")],
            &discover,
            200,
            &discovered,
        ),
        row("B22 B23 B24 tools/list", &list_head, &list, 200, &listed),
        row(
            "B26 an unknown tool -> -32602 on 200",
            &[VERSION, call_head[1], ("mcp-name", "ecko")],
            modern("tools/call", r#""name":"ecko""#),
            200,
            error(
                "\"m\"",
                -32602,
                "Unknown tool: `ecko`; did you mean `echo`?",
            ),
        ),
        row(
            "B26 a cursor -> -32602 on 200",
            &list_head,
            modern("tools/list", r#""cursor":"""#),
            200,
            error(
                "\"m\"",
                -32602,
                "unknown `cursor`: all tools are listed at once, leave it out",
            ),
        ),
        row(
            "B29 a listed legacy version in _meta is served as that version",
            &[],
            list.replace("2026-07-28", "2025-11-25"),
            200,
            format!(r#"{{"jsonrpc":"2.0","id":"m","result":{{"tools":{LIST}}}}}"#),
        ),
        row(
            "B30 unknown params are ignored",
            &echo_head,
            echo.replace(
                r#""name""#,
                r#""inputResponses":[],"requestState":"s","name""#,
            ),
            200,
            &echoed,
        ),
        row(
            "params that cannot be read",
            &list_head,
            r#"{"jsonrpc":"2.0","id":"m","method":"tools/list","params":7}"#,
            400,
            error("\"m\"", -32602, "`params` must be an object"),
        ),
    ]);
}

#[test]
fn legacy_requests() {
    let initialize = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":{version},"capabilities":{{}},"clientInfo":{{"name":"t","version":"1"}}}}}}"#
        )
    };
    let initialized = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{SERVER},"instructions":"Only tools.\n"}}}}"#
        )
    };
    let no_version = "`initialize` needs a `protocolVersion`, a string";
    let no_method =
        "no such method: this server offers tools only, through `tools/list` and `tools/call`";
    let list =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":1}}}"#;
    let listed = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":{LIST}}}}}"#);
    let ask = |method: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
    let unsupported = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"protocol version `1999-01-01` is not served here; use 2026-07-28","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"1999-01-01"}}}"#;
    check(vec![
        row(
            "C31 2025-11-25 is echoed",
            &[],
            initialize(r#""2025-11-25""#),
            200,
            initialized("2025-11-25"),
        ),
        row(
            "C31 2025-06-18 is echoed",
            &[],
            initialize(r#""2025-06-18""#),
            200,
            initialized("2025-06-18"),
        ),
        row(
            "C31 2025-03-26 is echoed",
            &[],
            initialize(r#""2025-03-26""#),
            200,
            initialized("2025-03-26"),
        ),
        row(
            "C31 2024-11-05 is echoed",
            &[],
            initialize(r#""2024-11-05""#),
            200,
            initialized("2024-11-05"),
        ),
        row(
            "C31 2026-07-28 -> the newest with initialize",
            &[],
            initialize(r#""2026-07-28""#),
            200,
            initialized("2025-11-25"),
        ),
        row(
            "C31 anything else -> the newest with initialize",
            &[],
            initialize(r#""1999-01-01""#),
            200,
            initialized("2025-11-25"),
        ),
        row(
            "C31 no version -> -32602",
            &[],
            initialize("null"),
            200,
            error("0", -32602, no_version),
        ),
        row(
            "C31 no params -> -32602",
            &[],
            ask("initialize"),
            200,
            error("1", -32602, no_version),
        ),
        row(
            "C31 a version that is no string -> -32602",
            &[],
            initialize("1"),
            200,
            error("0", -32602, no_version),
        ),
        row(
            "C34 an unknown header does not refuse initialize",
            &[("mcp-protocol-version", "2026-12-01")],
            initialize(r#""2026-12-01""#),
            200,
            initialized("2025-11-25"),
        ),
        row(
            "C34 the modern header does not refuse initialize",
            &[VERSION],
            initialize(r#""2025-06-18""#),
            200,
            initialized("2025-06-18"),
        ),
        row(
            "C32 tools/list with nothing before it",
            &[],
            list,
            200,
            &listed,
        ),
        row("C33 ping", &[], PING, 200, PONG),
        row(
            "C34 a legacy header",
            &[("mcp-protocol-version", "2025-06-18")],
            list,
            200,
            &listed,
        ),
        row(
            "C34 a doubled legacy header",
            &[("mcp-protocol-version", "2025-06-18, 2025-06-18")],
            list,
            200,
            &listed,
        ),
        row(
            "C34 the header of 2024-11-05",
            &[("mcp-protocol-version", "2024-11-05")],
            list,
            200,
            &listed,
        ),
        row(
            "C34 an unknown header -> 400",
            &[("mcp-protocol-version", "1999-01-01")],
            list,
            400,
            unsupported,
        ),
        row(
            "C36 an unknown method -> -32601 on 200",
            &[],
            ask("x"),
            200,
            error("1", -32601, no_method),
        ),
        row(
            "C38 logging is not offered",
            &[],
            ask("logging/setLevel"),
            200,
            error("1", -32601, no_method),
        ),
        row(
            "C38 completion is not offered",
            &[],
            ask("completion/complete"),
            200,
            error("1", -32601, no_method),
        ),
        row(
            "C38 resources are not offered",
            &[],
            ask("resources/list"),
            200,
            error("1", -32601, no_method),
        ),
        row(
            "C38 prompts are not offered",
            &[],
            ask("prompts/list"),
            200,
            error("1", -32601, no_method),
        ),
    ]);
}

fn call(params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{params}}}}}"#)
}

fn text(text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

#[test]
fn calls() {
    check(vec![
        row(
            "no arguments",
            &[],
            call(r#""name":"echo""#),
            200,
            text("-"),
        ),
        row(
            "null arguments are none",
            &[],
            call(r#""name":"echo","arguments":null"#),
            200,
            text("-"),
        ),
        row(
            "arguments arrive as they were sent",
            &[],
            call(r#""name":"echo","arguments":{"n":1.0,"n":1e400}"#),
            200,
            text(r#"{\"n\":1.0,\"n\":1e400}"#),
        ),
        row(
            "D42 structured content and its text",
            &[],
            call(r#""name":"structured""#),
            200,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":1}}}"#,
        ),
        row(
            "several blocks",
            &[],
            call(r#""name":"image""#),
            200,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"one"},{"type":"image","data":"","mimeType":"image/png"}]}}"#,
        ),
        row(
            "D44 a failure is a result",
            &[],
            call(r#""name":"fail""#),
            200,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Error: no"}],"isError":true}}"#,
        ),
        row(
            "D43 an unknown tool, with the closest names",
            &[],
            call(r#""name":"img""#),
            200,
            error("1", -32602, "Unknown tool: `img`; did you mean `image`?"),
        ),
        row(
            "D43 an unknown tool, with nothing close",
            &[],
            call(r#""name":"zzz""#),
            200,
            error(
                "1",
                -32602,
                "Unknown tool: `zzz`; `tools/list` names the ones there are",
            ),
        ),
        row(
            "D43 an unknown tool's name is cleaned",
            &[],
            call(r#""name":"z\n\u202ez\udb40\udc41""#),
            200,
            error(
                "1",
                -32602,
                "Unknown tool: `z z`; `tools/list` names the ones there are",
            ),
        ),
        row(
            "D43 no name",
            &[],
            call(r#""arguments":{}"#),
            200,
            error(
                "1",
                -32602,
                "`tools/call` needs the tool's `name`, a string",
            ),
        ),
        row(
            "D43 a name that is no string",
            &[],
            call(r#""name":["echo"]"#),
            200,
            error(
                "1",
                -32602,
                "`tools/call` needs the tool's `name`, a string",
            ),
        ),
        row(
            "D43 arguments that are no object",
            &[],
            call(r#""name":"echo","arguments":[1]"#),
            200,
            error("1", -32602, "`arguments` must be an object"),
        ),
        row(
            "a write, once it is kept",
            &[],
            call(r#""name":"keep""#),
            200,
            text("new 2026-11-30T12:00:00.000Z -"),
        ),
        row(
            "a write that says who asked",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keep","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"ed\nitor","version":"9"}}}}"#,
            200,
            text("new 2026-11-30T12:00:00.000Z ed itor 9"),
        ),
    ]);
}

#[test]
fn batches() {
    let keep = |id: u32, text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"keep","arguments":{text}}}}}"#
        )
    };
    let done = |id: u32, text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let alone = "send this request on its own";
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let long = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"long"}}"#;
    let ended = "batches belong to protocol version 2025-03-26 alone: send each message on its own";
    let long_answer = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"{}"}}]}}}}"#,
        "x".repeat(1_100_000)
    );
    check(vec![
        row(
            "C35 requests are answered in order",
            &[],
            format!("[{PING},{note},{}]", PING.replace('1', "2")),
            200,
            format!("[{PONG},{}]", PONG.replace('1', "2")),
        ),
        row(
            "C35 with the version's header",
            &[("mcp-protocol-version", "2025-03-26")],
            format!(" [{PING}]"),
            200,
            format!("[{PONG}]"),
        ),
        row(
            "C35 notifications alone -> 202",
            &[],
            format!("[{note},{note}]"),
            202,
            "",
        ),
        row(
            "C35 initialize may not be in a batch",
            &[],
            r#"[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}]"#,
            200,
            format!("[{}]", error("1", -32600, alone)),
        ),
        row(
            "a modern request may not be in a batch",
            &[],
            format!("[{}]", modern("tools/list", "")),
            200,
            format!("[{}]", error("\"m\"", -32600, alone)),
        ),
        row(
            "C35 nothing in it",
            &[],
            "[]",
            400,
            error("", -32600, "a batch needs at least one message"),
        ),
        row(
            "C35 no messages in it",
            &[],
            r#"[1,{"id":7}]"#,
            200,
            format!(
                "[{},{}]",
                error("", -32600, "a message is a JSON object"),
                error("7", -32600, "`jsonrpc` must be \\\"2.0\\\"")
            ),
        ),
        row(
            "C35 32 messages",
            &[],
            format!("[{}]", vec![note; 32].join(",")),
            202,
            "",
        ),
        row(
            "C35 33 messages",
            &[],
            format!("[{}]", vec![note; 33].join(",")),
            400,
            error("", -32600, "a batch may hold at most 32 messages"),
        ),
        row(
            "C35 no JSON",
            &[],
            format!("[{PING}"),
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "C35 no longer in 2025-06-18",
            &[("mcp-protocol-version", "2025-06-18")],
            format!("[{PING}]"),
            400,
            error("", -32600, ended),
        ),
        row(
            "C35 nor in 2026-07-28",
            &[VERSION],
            format!("[{PING}]"),
            400,
            error("", -32600, ended),
        ),
        row(
            "several writes are made one after the other, in order",
            &[],
            format!(
                r#"[{},{PING},{},{},{}]"#,
                keep(1, r#"{"a":1}"#),
                keep(2, r#"{"a":1}"#),
                keep(3, r#"{"a":2}"#),
                keep(4, "{}")
            ),
            200,
            format!(
                r#"[{},{PONG},{},{},{}]"#,
                done(1, "new 2026-11-30T12:00:00.000Z -"),
                done(2, "already"),
                r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"conflict"}],"isError":true}}"#,
                done(4, "new 2026-11-30T12:00:00.000Z -"),
            ),
        ),
        row(
            "answers that are too long together are cut short",
            &[],
            format!("[{long},{long},{note},{PING}]"),
            200,
            format!(
                "[{long_answer},{long_answer},{}]",
                error(
                    "1",
                    -32603,
                    "the answers of this batch are too long together: send this request again on its own"
                )
            ),
        ),
    ]);
}

#[test]
fn stdio() {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let list = modern("tools/list", "");
    let rows = [
        ("E48 ping", PING.to_owned(), PONG.to_owned()),
        ("E48 a notification is not answered", r#"{"jsonrpc":"2.0","method":"x"}"#.to_owned(), String::new()),
        ("E48 a batch", format!("[{PING}]"), format!("[{PONG}]")),
        ("E48 no JSON", "{".to_owned(), error("", -32700, "the body is not valid JSON")),
        (
            "E48 a modern request needs no headers",
            modern("tools/call", r#""name":"echo""#),
            format!(
                r#"{{"jsonrpc":"2.0","id":"m","result":{{"content":[{{"type":"text","text":"-"}}],{TAIL}{SERVER}}}}}}}"#
            ),
        ),
        (
            "E48 but a version that we speak",
            list.replace("2026-07-28", "2099-01-01"),
            r#"{"jsonrpc":"2.0","id":"m","error":{"code":-32022,"message":"protocol version `2099-01-01` is not served here; use 2026-07-28","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"2099-01-01"}}}"#.to_owned(),
        ),
        (
            "a line over the bound",
            " ".repeat(65_537),
            error("", -32700, "the line is too long: at most 65536 bytes are read"),
        ),
    ];
    for (name, line, expected) in rows {
        let response = settle(&endpoint, endpoint.handle_line(line.as_bytes()));
        assert_eq!(String::from_utf8_lossy(&response.body), expected, "{name}");
    }
    let probe = endpoint.handle_line(modern("server/discover", "").as_bytes());
    let answer = settle(&endpoint, probe).body;
    assert!(answer.starts_with(br#"{"jsonrpc":"2.0","id":"m","result":{"supportedVersions":["#));
}

#[test]
fn notes_name_only_what_we_have() {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let note = |body: &str| {
        let note = settle(&endpoint, endpoint.handle_line(body.as_bytes())).note;
        (note.method, note.tool, note.outcome)
    };
    let echo = Some("echo".to_owned());
    assert_eq!(
        note(&call(r#""name":"echo""#)),
        ("tools/call", echo, Outcome::Answered)
    );
    assert_eq!(
        note(&call(r#""name":"secret""#)),
        ("tools/call", None, Outcome::Error(-32602))
    );
    let secret = r#"{"jsonrpc":"2.0","id":1,"method":"secret"}"#;
    assert_eq!(note(secret), ("other", None, Outcome::Error(-32601)));
    let fail = Some("fail".to_owned());
    assert_eq!(
        note(&call(r#""name":"fail""#)),
        ("tools/call", fail, Outcome::ToolError)
    );
}

#[test]
fn damaged_requests_never_panic() {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let whole = modern(
        "tools/call",
        r#""name":"echo","arguments":{"a":[1,"\u00e9",null]}"#,
    );
    let headers = [VERSION, ("mcp-method", "tools/call"), ("mcp-name", "echo")];
    for at in 0..whole.len() {
        send(&endpoint, "POST", &headers, &whole.as_bytes()[..at]);
        for flip in [0x01, 0x20, 0x80] {
            let mut damaged = whole.clone().into_bytes();
            damaged[at] ^= flip;
            let response = send(&endpoint, "POST", &headers, &damaged);
            assert!(matches!(response.status, 200 | 202 | 400 | 404), "{at}");
        }
    }
}
