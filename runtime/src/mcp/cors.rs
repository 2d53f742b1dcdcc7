//! What browsers need to see. Every response passes through here, errors included, and no other place sets these headers.
//!
//! The origin has been checked by the time an answer exists, and there are no cookies to protect (a token
//! is no cookie: a page has to have it), so one constant `*` says all: a refused page may read that it was refused.

use super::response::Response;

/// Request headers that a client of any revision may send.
const ALLOW_HEADERS: &str = "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID";

/// Methods the endpoint answers with anything but a refusal.
pub(super) const METHODS: &str = "POST, OPTIONS";

/// Puts the headers on a finished response.
pub(super) fn allow(response: &mut Response) {
    response.set("access-control-allow-origin", "*");
    if response.status == 401 {
        // A client in a browser reads there how to get a token.
        response.set("access-control-expose-headers", "WWW-Authenticate");
    }
}

/// The answer to a preflight: nothing is checked, since it grants nothing by itself.
pub(super) fn preflight() -> Response {
    let mut response = Response::empty(204);
    response.set("access-control-allow-methods", METHODS);
    response.set("access-control-allow-headers", ALLOW_HEADERS);
    // A day; browsers cap it at what they like.
    response.set("access-control-max-age", "86400");
    response.set("allow", METHODS);
    response
}
