//! Makes hostile requests: good ones, damaged in one to four ways. The same seed makes the same requests.

use std::fmt;
use std::io::Write;

use serde_json::{Map, Value, json};

/// One request.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.method, self.path)?;
        for (name, value) in &self.headers {
            writeln!(f, "{}: {}", name.escape_ascii(), value.escape_ascii())?;
        }
        let shown = &self.body[..self.body.len().min(600)];
        write!(f, "\n{}", shown.escape_ascii())
    }
}

/// Values that some program once read wrongly.
const NASTY: [&str; 28] = [
    "null",
    "true",
    "-0",
    "1.5",
    "1e999",
    "-1e999999999",
    "123456789012345678901234567890",
    "18446744073709551616",
    "0.1e-99999",
    "\"\"",
    "\" \"",
    "\"\\ud800\"",
    "\"\\udfff\\ud800\"",
    "\"\\u0000\"",
    "\"\\u202etxt\\u2066\"",
    "\"\\udb40\\udc41\"",
    "\"\u{feff}\"",
    "\"../../etc/passwd\"",
    "\"/%2e%2e/%00\"",
    "\"/a#b#c?d\"",
    "\"https://evil.example/mcp\"",
    "\"' OR 1=1 --\"",
    "\"\\r\\nX: y\"",
    "[]",
    "{}",
    "[[[[[[]]]]]]",
    "{\"a\":{\"a\":{\"a\":{}}}}",
    "\"2099-01-01\"",
];

const TOOLS: [&str; 9] = [
    "list_collections",
    "list_pages",
    "search_content",
    "get_post",
    "list_tags",
    "get_page_info",
    "get_page_markdown",
    "submit_feedback",
    "no_such_tool",
];

const ARGUMENTS: [&str; 11] = [
    "limit",
    "match",
    "collection",
    "slug",
    "route",
    "tag",
    "idempotency_key",
    "message",
    "kind",
    "severity",
    "about",
];

const HEADER_NAMES: [&str; 12] = [
    "content-type",
    "content-encoding",
    "accept",
    "origin",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
    "mcp-param-x",
    "authorization",
    "last-event-id",
    "x-forwarded-for",
];

const HEADER_VALUES: [&str; 22] = [
    "",
    " ",
    ",",
    ",,,",
    "application/json",
    "application/json, text/plain",
    "gzip",
    "gzip, gzip",
    "null",
    "http://evil.example",
    "http://localhost",
    "2026-07-28",
    "2025-11-25",
    "2025-03-26",
    "2026-07-28, 2025-11-25",
    "1999-01-01",
    "tools/call",
    "get_post",
    "=?base64?Z2V0X3Bvc3Q=?=",
    "=?base64?!!?=",
    "=?base64?",
    "Bearer \u{e9}",
];

const METHODS: [&str; 9] = [
    "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "post", "M-SEARCH",
];

/// The maker.
pub(crate) struct Maker(u64);

impl Maker {
    pub(crate) fn new(seed: u64) -> Maker {
        Maker(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end` (xorshift64*).
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        number as usize % end.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// A good request, damaged.
    pub(crate) fn make(&mut self) -> Made {
        let mut made = self.good();
        for _ in 0..=self.below(4) {
            self.damage(&mut made);
        }
        made
    }

    /// A whole call of a tool whose arguments are anything.
    pub(crate) fn call(&mut self) -> Made {
        let tool = self.of(&TOOLS[..8]);
        let members: Vec<String> = (0..self.below(5))
            .map(|_| format!("{}:{}", Value::from(self.of(&ARGUMENTS)), self.value()))
            .collect();
        let arguments = members.join(",");
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{{arguments}}}}}}}"#
        );
        Made {
            body: body.into_bytes(),
            ..post(&[])
        }
    }

    /// The text of a value.
    fn value(&mut self) -> String {
        match self.below(8) {
            0 => Value::from("a\u{301}\u{202e} ".repeat(self.below(3_000))).to_string(),
            1 => format!("{}1{}", "[".repeat(500), "]".repeat(500)),
            2 => json!({"text": self.of(&["search", "\"a", "\"\" \"b c\"", "*", "çà", "\u{0}"]), "in": self.of(&["title", "all", "x"])}).to_string(),
            3 => Value::from(self.of(&["/docs/search", "/", "/writing/", "search", "docs", "/docs/search#", "//", "/%ff"])).to_string(),
            4 => self.below(60).to_string(),
            _ => self.of(&NASTY).to_owned(),
        }
    }

    /// A request that is served.
    fn good(&mut self) -> Made {
        let tool = self.of(&TOOLS);
        let arguments = match tool {
            "search_content" => json!({"match": {"text": "search words", "in": "all"}, "limit": 3}),
            "get_post" => json!({"slug": "errors-a-model-can-act-on"}),
            "get_page_info" | "get_page_markdown" => json!({"route": "/docs/search"}),
            "submit_feedback" => {
                json!({"idempotency_key": "0b7e9a44-5c1d-4e0a-9a3b-2f6f0c1d2e3f", "message": "m", "kind": "other", "severity": "low"})
            }
            _ => json!({}),
        };
        let call = json!({"name": tool, "arguments": arguments});
        let version = self.of(&["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05"]);
        let (method, params) = match self.below(6) {
            0 => (
                "initialize",
                json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "h", "version": "1"}}),
            ),
            1 => ("tools/list", json!({})),
            2 => ("server/discover", json!({})),
            3 => ("ping", json!({})),
            _ => ("tools/call", call),
        };
        let message =
            json!({"jsonrpc": "2.0", "id": self.below(9), "method": method, "params": params});
        match self.below(4) {
            0 => self.modern(message, method, tool),
            1 => {
                let list = vec![message; self.below(4)];
                Made {
                    body: Value::from(list).to_string().into_bytes(),
                    ..post(&[])
                }
            }
            2 => Made {
                body: message.to_string().into_bytes(),
                ..post(&[("mcp-protocol-version", version)])
            },
            _ => Made {
                body: message.to_string().into_bytes(),
                ..post(&[])
            },
        }
    }

    fn modern(&mut self, mut message: Value, method: &str, tool: &str) -> Made {
        message["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "h", "version": "1"},
        });
        let head = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
            ("mcp-name", tool),
        ];
        Made {
            body: message.to_string().into_bytes(),
            ..post(&head)
        }
    }

    fn damage(&mut self, made: &mut Made) {
        match self.below(12) {
            0 => self.damage_bytes(&mut made.body),
            1 => {
                let end = self.below(made.body.len() + 1);
                made.body.truncate(end);
            }
            2..=5 => self.damage_json(&mut made.body),
            6 => self.damage_text(&mut made.body),
            7..=9 => self.damage_headers(made),
            10 => self.compress(made),
            _ if self.one_in(3) => made.method = self.of(&METHODS).to_owned(),
            _ => {
                made.path = self
                    .of(&[
                        "/mcp/",
                        "//mcp",
                        "/mcp//",
                        "/prod/mcp",
                        "/mcp?x=%00",
                        "/mcp/../mcp",
                        "/%6dcp",
                    ])
                    .to_owned()
            }
        }
    }

    fn damage_bytes(&mut self, body: &mut Vec<u8>) {
        for _ in 0..=self.below(3) {
            let at = self.below(body.len() + 1);
            let byte = self.below(256) as u8;
            match self.below(3) {
                0 => body.insert(at, byte),
                1 if at < body.len() => body[at] = byte,
                _ if at < body.len() => drop(body.remove(at)),
                _ => {}
            }
        }
    }

    /// Puts something odd at a place of the JSON, if it is JSON still.
    fn damage_json(&mut self, body: &mut Vec<u8>) {
        let Ok(mut json) = serde_json::from_slice::<Value>(body) else {
            return;
        };
        // Not every value can be held by `Value`: a mark stands for it and is replaced in the text.
        let mark = "@@HOSTILE@@";
        self.mark(&mut json, mark);
        let value = self.value();
        let text = json.to_string().replacen(&format!("\"{mark}\""), &value, 1);
        *body = text.into_bytes();
    }

    fn mark(&mut self, json: &mut Value, mark: &str) {
        if self.one_in(5) {
            *json = mark.into();
            return;
        }
        match json {
            Value::Object(members) if !members.is_empty() => self.mark_member(members, mark),
            Value::Array(items) if !items.is_empty() => {
                let at = self.below(items.len());
                self.mark(&mut items[at], mark);
            }
            other => *other = mark.into(),
        }
    }

    fn mark_member(&mut self, members: &mut Map<String, Value>, mark: &str) {
        let at = self.below(members.len());
        let Some(name) = members.keys().nth(at).cloned() else {
            return;
        };
        match self.below(6) {
            0 => drop(members.remove(&name)),
            1 => {
                let value = members.remove(&name).unwrap_or_default();
                members.insert(name.to_uppercase(), value);
            }
            2 => drop(members.insert(self.of(&ARGUMENTS).to_owned(), mark.into())),
            _ => self.mark(&mut members[&name], mark),
        }
    }

    /// Doubles a member, or repeats a piece, without asking whether it is JSON still.
    fn damage_text(&mut self, body: &mut Vec<u8>) {
        let start = self.below(body.len() + 1);
        let end = start + self.below(body.len() - start + 1);
        let piece = body[start..end].to_vec();
        let times = [1, 2, 50][self.below(3)];
        let room = 100_000_usize.saturating_sub(body.len());
        let times = times.min(room / piece.len().max(1));
        let repeated = piece.repeat(times);
        body.splice(start..start, repeated);
    }

    fn damage_headers(&mut self, made: &mut Made) {
        let value = match self.one_in(12) {
            true => vec![b'a' + self.below(26) as u8; self.below(9_000)],
            false => self.of(&HEADER_VALUES).as_bytes().to_vec(),
        };
        let at = self.below(made.headers.len());
        match self.below(5) {
            0 => drop(made.headers.remove(at)),
            1 => made.headers[at].1 = value,
            2 => {
                let again = made.headers[at].clone();
                made.headers.push(again);
            }
            3 => {
                let joined = &mut made.headers[at].1;
                joined.extend_from_slice(b", ");
                joined.extend_from_slice(&value);
            }
            _ => made.headers.push((self.of(&HEADER_NAMES).into(), value)),
        }
        if made.headers.is_empty() {
            made.headers.push((b"x".to_vec(), Vec::new()));
        }
    }

    fn compress(&mut self, made: &mut Made) {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let plain = match self.one_in(8) {
            true => vec![b'['; 300_000],
            false => std::mem::take(&mut made.body),
        };
        encoder.write_all(&plain).expect("memory");
        made.body = encoder.finish().expect("memory");
        made.headers
            .push((b"content-encoding".to_vec(), b"gzip".to_vec()));
        if self.one_in(3) {
            self.damage_bytes(&mut made.body);
        }
    }
}

fn post(headers: &[(&str, &str)]) -> Made {
    let mut all = vec![(b"content-type".to_vec(), b"application/json".to_vec())];
    all.extend(
        headers
            .iter()
            .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())),
    );
    Made {
        method: "POST".to_owned(),
        path: "/mcp".to_owned(),
        headers: all,
        body: Vec::new(),
    }
}
