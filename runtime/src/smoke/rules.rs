//! What clients stumble over beside tools: each line is a real failure of some server.

use std::time::Instant;

use serde_json::{Value, json};

use super::client::{Client, Got, Target};
use super::{Answer, text};
use crate::mcp::Era;

/// A rule: what it is called, and what is wrong.
type Rule = (&'static str, fn(&mut Client) -> Result<(), String>);

const RULES: [Rule; 6] = [
    ("GET is refused", |client| {
        let got = client.send("GET")?;
        match (got.status, got.allow.contains("POST")) {
            (405, true) => Ok(()),
            (status, _) => Err(format!("405 with `Allow` was expected, and {status} came")),
        }
    }),
    ("browsers may ask", |client| {
        let got = client.send("OPTIONS")?;
        let allowed = got.allow.to_ascii_lowercase();
        let missing = [
            "content-type",
            "authorization",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
        ]
        .into_iter()
        .find(|name| !allowed.contains(name));
        match (got.status, missing) {
            (204, None) => Ok(()),
            (204, Some(name)) => Err(format!("a preflight does not allow the header `{name}`")),
            (status, _) => Err(format!("a preflight was answered with {status}")),
        }
    }),
    ("ping", |client| {
        let result = client.ask("ping", &json!({})).0?;
        (result == json!({}))
            .then_some(())
            .ok_or("the answer is not an empty object".to_owned())
    }),
    ("no such tool", |client| {
        let params = json!({"name": "no_such_tool_of_any_server", "arguments": {}});
        is_error(client.post("tools/call", &params).0?, 200, -32602)
    }),
    ("no such method", |client| {
        is_error(client.post("no/such/method", &json!({})).0?, 200, -32601)
    }),
    ("a bad argument", |client| {
        let params = json!({"name": "list_pages", "arguments": {"limit": "many"}});
        let result = client.ask("tools/call", &params).0?;
        match (result["isError"] == true, text(&result).is_empty()) {
            (true, false) => Ok(()),
            _ => Err("a result with `isError` and a text was expected".to_owned()),
        }
    }),
];

pub(super) fn check(target: &Target) -> Vec<Answer> {
    let mut client = Client::new(target, Era::Legacy);
    let check = |(name, rule): &Rule| {
        let start = Instant::now();
        let wrong = rule(&mut client).err();
        Answer {
            era: Era::Legacy,
            name: (*name).to_owned(),
            wrong,
            took: start.elapsed(),
        }
    };
    RULES.iter().map(check).collect()
}

fn is_error(got: Got, status: u16, code: i64) -> Result<(), String> {
    let answer: Value = serde_json::from_str(&got.body).unwrap_or_default();
    match (got.status == status, answer["error"]["code"] == code) {
        (true, true) => Ok(()),
        _ => Err(format!(
            "error {code} on {status} was expected, and {} came: {}",
            got.status, got.body
        )),
    }
}
