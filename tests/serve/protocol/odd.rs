//! Requests that no good client sends and that arrive nevertheless.

use crate::fixture::Fixture;
use crate::{PING, PONG, Row, check, error, gzip, header, row, send};
use runtime::mcp::{Endpoint, Policy};

#[test]
fn methods_of_http() {
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    for method in [
        "GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "post", "MKCOL", "",
    ] {
        let response = send(&endpoint, method, &[], PING.as_bytes());
        assert_eq!(response.status, 405, "A4 {method}");
        assert_eq!(
            header(&response, "allow"),
            Some("POST, OPTIONS"),
            "A4 {method}"
        );
        assert!(!response.body.is_empty(), "a person reads why: {method}");
    }
}

#[test]
fn content_types() {
    const ONLY_JSON: &str = "the body must be JSON: send `Content-Type: application/json`";
    let typed = |name, kind: &'static str, is_json: bool| {
        let (status, answer) = match is_json {
            true => (200, PONG.to_owned()),
            false => (415, error("", -32600, ONLY_JSON)),
        };
        row(name, &[("content-type", kind)], PING, status, answer)
    };
    check(vec![
        typed("A8 capitals", "APPLICATION/JSON", true),
        typed(
            "A8 another charset is not looked at",
            "application/json; charset=latin1",
            true,
        ),
        typed("A8 a parameter without a value", "application/json;", true),
        typed("A8 a kind of JSON", "application/vnd.api+json", true),
        typed("A8 a form", "application/x-www-form-urlencoded", false),
        typed("A8 a file upload", "multipart/form-data; boundary=x", false),
        typed("A8 JSON as text", "text/json", false),
        typed("A8 lines of JSON", "application/jsonlines", false),
        typed(
            "A8 two types in one header",
            "application/json, text/plain",
            false,
        ),
        typed("A8 a blank type", "", false),
        typed("A8 bytes", "application/octet-stream", false),
        row(
            "A8 two headers that say JSON",
            &[
                ("content-type", "application/json"),
                ("content-type", "application/json"),
            ],
            PING,
            200,
            PONG,
        ),
        row(
            "A8 two headers that differ",
            &[
                ("content-type", "application/json"),
                ("content-type", "text/plain"),
            ],
            PING,
            415,
            error("", -32600, ONLY_JSON),
        ),
    ]);
}

#[test]
fn encodings() {
    const NO_GZIP: &str = "the body is not the gzip it says it is";
    const KINDS: &str = "the body may be sent plain or with `Content-Encoding: gzip`";
    let large = "the body is too large: at most 65536 bytes are read";
    let whole = gzip(PING.as_bytes());
    let encoded = |name, encoding: &'static str, body: &[u8], status, answer: String| {
        row(
            name,
            &[("content-encoding", encoding)],
            body,
            status,
            answer,
        )
    };
    let twice = [gzip(&PING.as_bytes()[..9]), gzip(&PING.as_bytes()[9..])].concat();
    check(vec![
        encoded(
            "identity",
            "identity",
            PING.as_bytes(),
            200,
            PONG.to_owned(),
        ),
        encoded("gzip in capitals", "GZIP", &whole, 200, PONG.to_owned()),
        encoded("its old name", "x-gzip", &whole, 200, PONG.to_owned()),
        encoded(
            "two members of one stream",
            "gzip",
            &twice,
            200,
            PONG.to_owned(),
        ),
        encoded(
            "gzip that is none",
            "gzip",
            PING.as_bytes(),
            400,
            error("", -32700, NO_GZIP),
        ),
        encoded(
            "gzip that ends early",
            "gzip",
            &whole[..whole.len() - 3],
            400,
            error("", -32700, NO_GZIP),
        ),
        encoded(
            "gzip of nothing",
            "gzip",
            b"",
            400,
            error("", -32700, NO_GZIP),
        ),
        encoded(
            "gzip twice over",
            "gzip, gzip",
            &gzip(&whole),
            400,
            error("", -32700, "the body is not UTF-8"),
        ),
        encoded("deflate", "deflate", &whole, 415, error("", -32600, KINDS)),
        encoded(
            "gzip within br",
            "br, gzip",
            &whole,
            415,
            error("", -32600, KINDS),
        ),
        encoded(
            "a bomb within a bomb",
            "gzip",
            &gzip(&gzip(&vec![0; 50_000_000])),
            400,
            error("", -32700, "the body is not UTF-8"),
        ),
        encoded(
            "a bomb of many members",
            "gzip",
            &gzip(&[b' '; 4096]).repeat(17),
            413,
            error("", -32600, large),
        ),
    ]);
}

#[test]
fn values_of_every_kind() {
    let ping = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let pong = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
    let long = format!("\"{}\"", "i".repeat(60_000));
    let id = |name, id: &str| -> Row {
        let no_id = "`id` must be a string or an integer";
        row(name, &[], ping(id), 400, error("", -32600, no_id))
    };
    let echo = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#
        )
    };
    let said = |text: &str| {
        let text = serde_json::Value::from(text);
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#
        )
    };
    let same = |name, arguments: &str| row(name, &[], echo(arguments), 200, said(arguments));
    let no_name = error(
        "1",
        -32602,
        "`tools/call` needs the tool's `name`, a string",
    );
    check(vec![
        row("A10 an empty string", &[], ping("\"\""), 200, pong("\"\"")),
        row("A10 a very long string", &[], ping(&long), 200, pong(&long)),
        row(
            "A10 a lone surrogate comes back as it came",
            &[],
            ping(r#""\udfff""#),
            200,
            pong(r#""\udfff""#),
        ),
        row("A10 minus zero", &[], ping("-0"), 200, pong("-0")),
        row(
            "A10 an escaped line end",
            &[],
            ping(r#""a\nb""#),
            200,
            pong(r#""a\nb""#),
        ),
        id("A10 true", "true"),
        id("A10 a list", "[1]"),
        id("A10 a whole number with a fraction", "1.0"),
        id("A10 a negative exponent", "-1e-1"),
        row(
            "A9 a leading zero is no JSON",
            &[],
            ping("01"),
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "A9 NaN is no JSON",
            &[],
            ping("NaN"),
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "A9 a comma at the end is no JSON",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "A9 single quotes are no JSON",
            &[],
            "{'jsonrpc':'2.0'}",
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "A9 UTF-16 is no UTF-8",
            &[],
            b"\xff\xfe{\0}\0",
            400,
            error("", -32700, "the body is not UTF-8"),
        ),
        row(
            "A9 an overlong encoding is no UTF-8",
            &[],
            b"{\"\xc0\xaf\":1}",
            400,
            error("", -32700, "the body is not UTF-8"),
        ),
        row(
            "A9 a surrogate in UTF-8 is no UTF-8",
            &[],
            b"{\"\xed\xa0\x80\":1}",
            400,
            error("", -32700, "the body is not UTF-8"),
        ),
        row(
            "A9 space before and after",
            &[],
            format!("\r\n\t {PING} \n"),
            200,
            PONG,
        ),
        row(
            "A9 NUL after the message",
            &[],
            format!("{PING}\0"),
            400,
            error("", -32700, "the body is not valid JSON"),
        ),
        row(
            "A9 a doubled id",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            400,
            error("", -32600, "each member of a message may be given once"),
        ),
        row(
            "A9 a doubled member that is escaped",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"ping"}"#,
            400,
            error("", -32600, "each member of a message may be given once"),
        ),
        row(
            "A9 a method and a result",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            200,
            PONG,
        ),
        row(
            "A9 the name of a member differs in case",
            &[],
            r#"{"jsonrpc":"2.0","ID":1,"method":"ping"}"#,
            202,
            "",
        ),
        row(
            "A6 a response with an id that is none",
            &[],
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
            202,
            "",
        ),
        row(
            "A7 a request to cancel what is finished",
            &[],
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"gone"}}"#,
            202,
            "",
        ),
        row(
            "A7 a notification with params that are none",
            &[],
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":7}"#,
            202,
            "",
        ),
        same(
            "huge numbers reach a tool as they came",
            r#"{"n":-1e999999,"m":123456789012345678901234567890}"#,
        ),
        same(
            "lone surrogates reach a tool as they came",
            r#"{"\ud800":"\udc00"}"#,
        ),
        same(
            "doubled arguments reach a tool as they came",
            r#"{"a":1,"a":2}"#,
        ),
        row(
            "D43 a name of one lone surrogate",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\udead"}}"#,
            200,
            &no_name,
        ),
        row(
            "D43 a name that is null",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":null}}"#,
            200,
            &no_name,
        ),
        row(
            "D43 no params",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            200,
            &no_name,
        ),
        row(
            "D43 null params",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}"#,
            200,
            &no_name,
        ),
        row(
            "D46 a cursor that is a number",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}"#,
            200,
            error(
                "1",
                -32602,
                "unknown `cursor`: all tools are listed at once, leave it out",
            ),
        ),
    ]);
}
