//! A client of one server and one generation.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::mcp::Era;

/// The newest legacy revision.
pub(super) const LEGACY: &str = "2025-11-25";
/// The modern revision.
pub(super) const MODERN: &str = "2026-07-28";

/// Longer than any answer takes, shorter than anyone waits.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A server.
#[derive(Debug, Clone)]
pub struct Target {
    /// The address of its endpoint.
    pub url: String,
    /// The bearer token that is sent.
    pub token: Option<String>,
}

/// What answers a request: status, headers that are looked at, and the body.
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) allow: String,
    pub(super) body: String,
}

/// A client.
#[derive(Debug)]
pub struct Client {
    target: Target,
    era: Era,
    agent: ureq::Agent,
    next: u32,
}

/// Who this client is.
pub(super) fn info() -> Value {
    json!({"name": "shelfmark-smoke", "version": env!("CARGO_PKG_VERSION")})
}

impl Client {
    /// A client of a server. It has not connected yet.
    pub fn new(target: &Target, era: Era) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .max_redirects(0)
            .proxy(None)
            .build();
        Client {
            target: target.clone(),
            era,
            agent: config.into(),
            next: 1,
        }
    }

    /// The generation that it speaks.
    pub fn era(&self) -> Era {
        self.era
    }

    /// One request: its result, or what is wrong, and how long it took.
    pub fn ask(&mut self, method: &str, params: &Value) -> (Result<Value, String>, Duration) {
        let (got, id, took) = self.post(method, params);
        let result = match got {
            Err(wrong) => Err(wrong),
            Ok(Got {
                status: 200, body, ..
            }) => match serde_json::from_str::<Value>(&body) {
                Ok(mut answer) if answer["id"] == id && answer["result"].is_object() => {
                    Ok(answer["result"].take())
                }
                _ => Err(format!("no result: {body}")),
            },
            Ok(Got { status, body, .. }) => Err(format!("status {status}: {body}")),
        };
        let result = result.and_then(|result| match self.era {
            Era::Modern if result["resultType"] != "complete" => {
                Err("the result has no `resultType`".to_owned())
            }
            _ => Ok(result),
        });
        (result, took)
    }

    /// Sends a request as its generation does: what came, the id that was given, and how long it took.
    pub(super) fn post(
        &mut self,
        method: &str,
        params: &Value,
    ) -> (Result<Got, String>, u32, Duration) {
        let id = self.next;
        self.next += 1;
        let mut params = params.clone();
        let mut request = self
            .agent
            .post(&self.target.url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(token) = &self.target.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        match self.era {
            Era::Legacy => request = request.header("mcp-protocol-version", LEGACY),
            Era::Modern => {
                request = request
                    .header("mcp-protocol-version", MODERN)
                    .header("mcp-method", method);
                if let Some(name) = params["name"].as_str() {
                    request = request.header("mcp-name", name);
                }
                params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": MODERN,
                    "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": info()});
            }
        }
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let start = Instant::now();
        let got = request.send(body.to_string()).and_then(read);
        (got.map_err(failed), id, start.elapsed())
    }

    /// Sends a request without a body.
    pub(super) fn send(&self, method: &str) -> Result<Got, String> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(&self.target.url);
        if let Some(token) = &self.target.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(());
        let request = request.map_err(|error| format!("`{}`: {error}", self.target.url))?;
        self.agent.run(request).and_then(read).map_err(failed)
    }
}

fn failed(error: ureq::Error) -> String {
    format!("the connection failed: {error}")
}

fn read(mut response: ureq::http::Response<ureq::Body>) -> Result<Got, ureq::Error> {
    let header = |name: &str| {
        let value = response.headers().get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned()
    };
    Ok(Got {
        status: response.status().as_u16(),
        allow: [header("allow"), header("access-control-allow-headers")].join(" "),
        body: response.body_mut().read_to_string()?,
    })
}
