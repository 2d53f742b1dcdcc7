//! The Model Context Protocol, and nothing below or above it: bytes of a request in, bytes of an answer out.
//!
//! [`Endpoint`] is one synchronous function over what an adapter received (method, headers, body). It reads no socket, no
//! clock and no environment, keeps nothing between two requests, and knows tools only through [`Tools`], so that Lambda,
//! the local HTTP server, stdio and the tests all share it. Only a feedback write leaves that path: the function then
//! returns a [`Waiting`] that the adapter awaits.
//!
//! Two generations of the protocol share the one address, told apart on each request: the *legacy* revisions, which begin
//! with `initialize` (2025-03-26 with its batches, 2025-06-18, 2025-11-25), and the *modern* one (2026-07-28), where every
//! request states its version and `server/discover` takes the place of `initialize`.
//!
//! ```text
//! path -> cors (OPTIONS) -> origin -> method -> body -> envelope -> era -> legacy | modern -> reply
//! 404                       403       405      415 413  400                                    200 202 400 404
//! ```
//!
//! It refuses streams, sessions and every capability but tools.
//!
//! ```
//! use http::{HeaderMap, HeaderValue};
//! use runtime::mcp::{Endpoint, Policy, Request, Step, example::NoTools};
//!
//! let endpoint = Endpoint::new(NoTools::default(), Policy::local());
//! let mut headers = HeaderMap::new();
//! headers.insert("content-type", HeaderValue::from_static("application/json"));
//! let step = endpoint.handle(&Request {
//!     method: "POST",
//!     headers: &headers,
//!     body: br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#,
//! });
//! let Step::Done(response) = step else { unreachable!("a ping writes nothing") };
//! assert_eq!(response.status, 200);
//! assert_eq!(response.body, br#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
//! ```

mod access;
mod body;
mod call;
mod cors;
mod endpoint;
mod envelope;
mod era;
mod escape;
pub mod example;
mod headers;
mod health;
mod legacy;
mod mirrored;
mod modern;
mod origin;
mod path;
mod prepared;
mod reply;
mod response;
mod structured;
mod tools;
mod waiting;

pub use access::{Access, TokenDigest};
pub use endpoint::{Endpoint, Request, Step};
pub use era::{Era, REVISIONS};
pub(crate) use escape::escape;
pub use origin::{Place, Policy};
pub use path::serves;
pub use response::{Caller, Client, Note, Outcome, Response};
pub use structured::{Mark, Structured};
pub use tools::{Block, Called, Health, Identity, Missed, ToolResult, Tools};
pub use waiting::Waiting;
