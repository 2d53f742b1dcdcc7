//! What a health check is told: that the server is there, what it serves, and whether it can read it.
//!
//! ```text
//! GET /health
//! {"status":"ok","version":"0.1.0","artifact":"5c1f0d9a33e2b671","pages":100,"uptimeSeconds":86}
//! ```
//!
//! The status is 503 when no page can be read. That all tools answer is another question, which `runtime smoke` asks.

use std::time::Duration;

use super::response::{Note, Outcome, Response};
use super::tools::Health;

/// Whether a path is that of the health check: its last segment is `health`, for API Gateway puts the stage in front.
pub(super) fn is_health(path: &str) -> bool {
    path.starts_with('/') && path.trim_end_matches('/').rsplit('/').next() == Some("health")
}

/// The answer. `is_open` says whether whoever asks may know what is served.
pub(super) fn answer(health: &Health, is_open: bool, uptime: Duration) -> Response {
    let (http, status) = match health.is_sound {
        true => (200, "ok"),
        false => (503, "damaged"),
    };
    let mut body = format!(r#"{{"status":"{status}""#);
    if is_open {
        body.push_str(concat!(
            r#","version":""#,
            env!("CARGO_PKG_VERSION"),
            r#"""#
        ));
        if let Some(artifact) = &health.artifact {
            // Hexadecimal digits.
            body.push_str(&format!(r#","artifact":"{artifact}""#));
        }
        body.push_str(&format!(r#","pages":{}"#, health.pages));
    }
    body.push_str(&format!(r#","uptimeSeconds":{}}}"#, uptime.as_secs()));
    let mut response = Response::json(http, body.into(), Note::new("health", Outcome::Answered));
    response.set("cache-control", "no-store");
    response
}
