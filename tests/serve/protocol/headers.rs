//! What headers may say, and how they may disagree with the body: every kind of mismatch, and what proxies make of good headers.

use crate::fixture::{LIST, SERVER};
use crate::{TAIL, VERSION, check, error, modern, row};

const LIST_METHOD: (&str, &str) = ("mcp-method", "tools/list");
const CALL_METHOD: (&str, &str) = ("mcp-method", "tools/call");

/// The answer of a tool that said `text`, to a modern client.
fn said(text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"content":[{{"type":"text","text":"{text}"}}],{TAIL}{SERVER}}}}}}}"#
    )
}

fn listed() -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":"m","result":{{"tools":{LIST},"ttlMs":300000,"cacheScope":"public",{TAIL}{SERVER}}}}}}}"#
    )
}

fn mismatch(message: &str) -> String {
    error("\"m\"", -32020, message)
}

#[test]
fn mirrored_arguments() {
    let call = |arguments: &str| {
        let params = format!(r#""name":"mirrored","arguments":{arguments}"#);
        modern("tools/call", &params)
    };
    let head = |sent: &'static str| {
        let head = [VERSION, CALL_METHOD, ("mcp-name", "mirrored")];
        [head.as_slice(), &[("mcp-param-region", sent)]].concat()
    };
    let differ = mismatch("the header `mcp-param-region` and its argument differ");
    let eu = r#"{"region":"eu"}"#;
    let quoted = r#"{\"region\":\"eu\"}"#;
    let row = |name, sent: Option<&'static str>, arguments: &str, answer: &str| {
        let head = head(sent.unwrap_or_default());
        let head = &head[..if sent.is_some() { 4 } else { 3 }];
        let status = if answer == differ { 400 } else { 200 };
        row(name, head, call(arguments), status, answer)
    };
    check(vec![
        row(
            "B17 header and argument agree",
            Some("eu"),
            eu,
            &said(quoted),
        ),
        row(
            "B17 the header in base64",
            Some("=?base64?ZXU=?="),
            eu,
            &said(quoted),
        ),
        row(
            "B17 a proxy doubled the header",
            Some("eu, eu"),
            eu,
            &said(quoted),
        ),
        row("B17 neither header nor argument", None, "{}", &said("{}")),
        row(
            "B17 null is no argument",
            None,
            r#"{"region":null}"#,
            &said(r#"{\"region\":null}"#),
        ),
        row("B17 an argument without its header", None, eu, &differ),
        row(
            "B17 a header without its argument",
            Some("eu"),
            "{}",
            &differ,
        ),
        row("B17 another value", Some("us"), eu, &differ),
        row("B17 values differ in case", Some("EU"), eu, &differ),
        row(
            "B17 base64 without its padding",
            Some("=?base64?ZXU?="),
            eu,
            &differ,
        ),
        row(
            "B17 no base64 in the sentinel",
            Some("=?base64?Z!U=?="),
            eu,
            &differ,
        ),
        row(
            "B17 half a sentinel is what it says",
            Some("=?base64?ZXU="),
            r#"{"region":"=?base64?ZXU="}"#,
            &said(r#"{\"region\":\"=?base64?ZXU=\"}"#),
        ),
    ]);
}

#[test]
fn capabilities_that_a_tool_needs() {
    let head = [VERSION, CALL_METHOD, ("mcp-name", "sample")];
    let call = modern("tools/call", r#""name":"sample""#);
    let missing = r#"{"jsonrpc":"2.0","id":"m","error":{"code":-32021,"message":"this tool needs a client with the capability `sampling`","data":{"requiredCapabilities":{"sampling":{}}}}}"#;
    check(vec![
        row(
            "B19 a capability that was not declared -> -32021",
            &head,
            &call,
            400,
            missing,
        ),
        row(
            "B19 another capability is not enough",
            &head,
            call.replace(r#"Capabilities":{}"#, r#"Capabilities":{"roots":{}}"#),
            400,
            missing,
        ),
        row(
            "B19 declared",
            &head,
            call.replace(r#"Capabilities":{}"#, r#"Capabilities":{"sampling":{}}"#),
            200,
            said("sampled"),
        ),
    ]);
}

#[test]
fn versions_that_disagree() {
    let list = modern("tools/list", "");
    let stating = |version: &str| list.replace("2026-07-28", version);
    let header = |version| [("mcp-protocol-version", version), LIST_METHOD];
    let differ = mismatch("the header `MCP-Protocol-Version` and the version in `_meta` differ");
    let no_version = error(
        "\"m\"",
        -32602,
        "`_meta` needs `io.modelcontextprotocol/protocolVersion`",
    );
    let legacy = format!(r#"{{"jsonrpc":"2.0","id":"m","result":{{"tools":{LIST}}}}}"#);
    let unknown = r#"{"jsonrpc":"2.0","id":"m","error":{"code":-32022,"message":"protocol version `2099-01-01` is not served here; use 2026-07-28","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"2099-01-01"}}}"#;
    check(vec![
        row(
            "B14 the header is modern, the body legacy",
            &header("2026-07-28"),
            stating("2025-11-25"),
            400,
            &differ,
        ),
        row(
            "B14 the header is unknown, the body modern",
            &header("2099-01-01"),
            &list,
            400,
            &differ,
        ),
        row(
            "B14 the header is modern, the body unknown",
            &header("2026-07-28"),
            stating("2099-01-01"),
            400,
            &differ,
        ),
        row(
            "B14 a blank header is none",
            &header(" "),
            &list,
            400,
            mismatch("the header `MCP-Protocol-Version` is missing"),
        ),
        row(
            "B14 versions are compared by case",
            &header("2026-07-28A"),
            stating("2026-07-28a"),
            400,
            &differ,
        ),
        row(
            "B15 unknown in both",
            &header("2099-01-01"),
            stating("2099-01-01"),
            400,
            unknown,
        ),
        row(
            "B29 two legacy versions are both served",
            &header("2025-11-25"),
            stating("2025-06-18"),
            200,
            &legacy,
        ),
        row(
            "B29 an old header and no version in the body is legacy",
            &header("2025-11-25"),
            list.replace("protocolVersion", "x"),
            200,
            &legacy,
        ),
        row(
            "B13 the header is modern and `_meta` holds no version",
            &header("2026-07-28"),
            list.replace("protocolVersion", "x"),
            400,
            &no_version,
        ),
        row(
            "B13 `_meta` is no object",
            &header("2026-07-28"),
            r#"{"jsonrpc":"2.0","id":"m","method":"tools/list","params":{"_meta":[]}}"#,
            400,
            &no_version,
        ),
        row(
            "B13 a version that is doubled in `_meta` is none",
            &header("2026-07-28"),
            list.replace(
                r#""_meta":{"#,
                r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","#,
            ),
            400,
            &no_version,
        ),
    ]);
}

#[test]
fn routing_headers() {
    let list = modern("tools/list", "");
    let echo = modern("tools/call", r#""name":"echo""#);
    let method_differs = mismatch("the header `Mcp-Method` and the body's `method` differ");
    let name_differs = mismatch("the header `Mcp-Name` and the tool's `name` differ");
    let no_name = error(
        "\"m\"",
        -32602,
        "`tools/call` needs the tool's `name`, a string",
    );
    let named = |name| [VERSION, CALL_METHOD, ("mcp-name", name)];
    check(vec![
        row(
            "B16 Mcp-Method in base64",
            &[VERSION, ("mcp-method", "=?base64?dG9vbHMvbGlzdA==?=")],
            &list,
            200,
            listed(),
        ),
        row(
            "B16 Mcp-Method in base64 of something else",
            &[VERSION, ("mcp-method", "=?base64?cGluZw==?=")],
            &list,
            400,
            &method_differs,
        ),
        row(
            "B16 Mcp-Method that a proxy doubled",
            &[VERSION, ("mcp-method", "tools/list, tools/list")],
            &list,
            200,
            listed(),
        ),
        row(
            "B16 two methods in Mcp-Method",
            &[VERSION, ("mcp-method", "tools/list, tools/call")],
            &list,
            400,
            &method_differs,
        ),
        row(
            "B16 two Mcp-Method headers that differ",
            &[VERSION, LIST_METHOD, CALL_METHOD],
            &list,
            400,
            &method_differs,
        ),
        row(
            "B16 a blank Mcp-Method",
            &[VERSION, ("mcp-method", "")],
            &list,
            400,
            &method_differs,
        ),
        row(
            "B16 a blank Mcp-Name",
            &named(""),
            &echo,
            400,
            &name_differs,
        ),
        row(
            "B16 Mcp-Name differs in case",
            &named("Echo"),
            &echo,
            400,
            &name_differs,
        ),
        row(
            "B16 Mcp-Name that a proxy doubled",
            &named("echo,echo"),
            &echo,
            200,
            said("-"),
        ),
        row(
            "B16 Mcp-Name of nothing in base64",
            &named("=?base64??="),
            &echo,
            400,
            &name_differs,
        ),
        row(
            "B16 base64 within base64 is not decoded twice",
            &named("=?base64?PT9iYXNlNjQ/WldOb2J3PT0/PQ==?="),
            &echo,
            400,
            &name_differs,
        ),
        row(
            "B16 Mcp-Name of a call without a name",
            &named("echo"),
            modern("tools/call", r#""arguments":{}"#),
            200,
            &no_name,
        ),
        row(
            "B16 a name that is no text has no header",
            &named("echo"),
            modern("tools/call", r#""name":"\ud800""#),
            200,
            &no_name,
        ),
        row(
            "B16 the headers of a legacy call are not compared",
            &[("mcp-method", "x"), ("mcp-name", "y")],
            r#"{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"echo"}}"#,
            200,
            r#"{"jsonrpc":"2.0","id":"m","result":{"content":[{"type":"text","text":"-"}]}}"#,
        ),
    ]);
}
