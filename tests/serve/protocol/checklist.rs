//! That every requirement of the specification has a test, and those that had none.
//!
//! The requirements are numbered as in the rows' names: A is HTTP in every revision, B is 2026-07-28, C the revisions before it, D is
//! tools, E is stdio.

use crate::fixture::{Fixture, LIST, SERVER};
use crate::{PING, PONG, TAIL, VERSION, check, error, modern, row, send, settle};
use runtime::mcp::{Endpoint, Policy};
use serde_json::Value;

/// Where rows are: their names begin with the requirement.
const ROWS: [&str; 4] = [
    include_str!("../protocol.rs"),
    include_str!("checklist.rs"),
    include_str!("headers.rs"),
    include_str!("odd.rs"),
];

/// Requirements that are proved by a test of another kind: the text it is in, and its name.
const ELSEWHERE: [(&str, &str, &str); 7] = [
    // One address, in each of its spellings.
    (
        "A1",
        include_str!("../http.rs"),
        "both_spellings_of_the_path_are_served",
    ),
    // The local server listens on this machine alone.
    (
        "A3",
        include_str!("../../../runtime/src/local.rs"),
        "Ipv4Addr::LOCALHOST), 8787",
    ),
    // No other code of the reserved ranges, whatever is asked.
    (
        "B20",
        include_str!("../hostile/main.rs"),
        "assert_known_code",
    ),
    (
        "D40",
        include_str!("../hostile/schemas.rs"),
        "names_fit_every_client",
    ),
    (
        "D41",
        include_str!("../hostile/schemas.rs"),
        "schemas_use_only_what_every_client_reads",
    ),
    // Every argument of every tool is checked before it is used, and every answer is bounded.
    (
        "D45",
        include_str!("../hostile/main.rs"),
        "hostile_calls_get_an_answer_that_is_bounded",
    ),
    (
        "D47",
        include_str!("../../../artifact/src/catalogue/tests.rs"),
        "every_tool_carries_its_four_hints_and_a_read_tool_its_answer",
    ),
];

#[test]
fn every_requirement_has_a_test() {
    let groups = [
        ('A', 1..=11),
        ('B', 12..=30),
        ('C', 31..=39),
        ('D', 40..=47),
        ('E', 48..=49),
    ];
    let mut untested = Vec::new();
    for (group, numbers) in groups {
        for number in numbers {
            let line = format!("{group}{number}");
            let in_rows = || {
                let names = [
                    format!("\"{line} "),
                    format!("\"B22 B23 {line} "),
                    format!("\"B22 {line} "),
                ];
                ROWS.iter()
                    .any(|text| names.iter().any(|name| text.contains(name.as_str())))
            };
            let elsewhere = ELSEWHERE.iter().find(|(known, ..)| *known == line);
            if !elsewhere.map_or_else(in_rows, |(_, text, name)| text.contains(name)) {
                untested.push(line);
            }
        }
    }
    assert!(untested.is_empty(), "without a test: {untested:?}");
}

#[test]
fn answers_are_whole() {
    let list = modern("tools/list", "");
    let head = [VERSION, ("mcp-method", "tools/list")];
    let listed = format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"tools":{LIST},"ttlMs":300000,"cacheScope":"public",{TAIL}{SERVER}}}}}}}"#
    );
    let stating = |members: &str| list.replace(r#""_meta":{"#, &format!(r#""_meta":{{{members},"#));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    check(vec![
        row(
            "A5 a request is answered with one JSON object",
            &[],
            PING,
            200,
            PONG,
        ),
        row(
            "B25 what a client can do changes no list",
            &head,
            list.replace(
                r#"Capabilities":{}"#,
                r#"Capabilities":{"sampling":{},"roots":{}}"#,
            ),
            200,
            &listed,
        ),
        row(
            "B27 a log level changes nothing: nothing is logged to clients",
            &head,
            stating(r#""io.modelcontextprotocol/logLevel":"debug""#),
            200,
            &listed,
        ),
        row(
            "B28 a progress token changes nothing",
            &head,
            stating(r#""progressToken":"t""#),
            200,
            &listed,
        ),
        row(
            "B28 completion is unknown",
            &[VERSION, ("mcp-method", "completion/complete")],
            modern("completion/complete", ""),
            404,
            error(
                "\"m\"",
                -32601,
                "no such method: this server offers tools only, through `tools/list` and `tools/call`",
            ),
        ),
        row(
            "C37 a legacy result has none of the modern members",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}"#,
            200,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"-"}]}}"#,
        ),
        row(
            "C39 cancelling what is finished is ignored",
            &[],
            cancel,
            202,
            "",
        ),
    ]);
    // "E49 cancelling" over stdio: nothing is written.
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let response = settle(&endpoint, endpoint.handle_line(cancel.as_bytes()));
    assert!(response.body.is_empty());
}

#[test]
fn errors_carry_an_integer_and_a_sentence() {
    // "A11 code and message": every kind of error that the core can answer with.
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let call = modern("tools/call", r#""name":"sample""#);
    const CALL_HEAD: [(&str, &str); 3] = [
        VERSION,
        ("mcp-method", "tools/call"),
        ("mcp-name", "sample"),
    ];
    type Head = &'static [(&'static str, &'static str)];
    let cases: [(Head, &str, i64); 8] = [
        (&[], "{", -32700),
        (&[], "[]", -32600),
        (&[], r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, -32601),
        (
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            -32602,
        ),
        (&[VERSION], &call, -32020),
        (&CALL_HEAD, &call, -32021),
        (
            &[("mcp-protocol-version", "2")],
            r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#,
            -32022,
        ),
        (&[("origin", "null")], PING, -32600),
    ];
    for (headers, body, code) in cases {
        let response = send(&endpoint, "POST", headers, body.as_bytes());
        let answer: Value = serde_json::from_slice(&response.body).expect("JSON");
        assert_eq!(answer["error"]["code"].as_i64(), Some(code), "{body}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(
            message.len() > 15 && !message.contains('\n'),
            "{body}: {message}"
        );
    }
}
