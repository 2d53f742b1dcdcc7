//! JSON-RPC answers as bytes. The only place that writes an envelope.
//!
//! An id is copied byte for byte from the request (`1` stays `1`, `"\u0061"` stays as it is), and left out of an error
//! whose request had none that could be read.

use std::borrow::Cow;

use super::escape::escape;
use super::response::{Note, Outcome, Response};

pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;
pub(super) const INTERNAL_ERROR: i32 = -32603;
pub(super) const HEADER_MISMATCH: i32 = -32020;
pub(super) const MISSING_CAPABILITY: i32 = -32021;
pub(super) const UNSUPPORTED_VERSION: i32 = -32022;

/// Why a message was not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// HTTP status, when it travels alone over HTTP.
    pub(super) status: u16,
    /// JSON-RPC error code.
    pub(super) code: i32,
    /// What is wrong and what to send instead. One line, nothing of the caller's in it that was not cleaned.
    pub(super) message: Cow<'static, str>,
    /// The `data` member, as JSON.
    pub(super) data: Option<String>,
}

impl Fault {
    pub(super) fn new(status: u16, code: i32, message: impl Into<Cow<'static, str>>) -> Fault {
        Fault {
            status,
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The response to a message of which no more than this is known.
    pub(super) fn into_response(self, id: Option<&str>, method: &str) -> Response {
        let note = Note::new(method, Outcome::Error(self.code));
        Response::json(self.status, self.bytes(id), note)
    }

    /// The JSON-RPC error object.
    pub(super) fn bytes(&self, id: Option<&str>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.message.len() + 128);
        out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
        if let Some(id) = id {
            out.extend_from_slice(br#""id":"#);
            out.extend_from_slice(id.as_bytes());
            out.push(b',');
        }
        out.extend_from_slice(br#""error":{"code":"#);
        out.extend_from_slice(self.code.to_string().as_bytes());
        out.extend_from_slice(br#","message":"#);
        string(&mut out, &self.message);
        if let Some(data) = &self.data {
            out.extend_from_slice(br#","data":"#);
            out.extend_from_slice(data.as_bytes());
        }
        out.extend_from_slice(b"}}");
        out
    }
}

/// A JSON-RPC result whose `result` member is these pieces in a row.
pub(super) fn result(id: &str, pieces: &[&[u8]]) -> Vec<u8> {
    let length = pieces.iter().map(|piece| piece.len()).sum::<usize>();
    // 36 bytes of envelope, rounded up.
    let mut out = Vec::with_capacity(length + id.len() + 40);
    open(&mut out, id);
    for piece in pieces {
        out.extend_from_slice(piece);
    }
    out.push(b'}');
    out
}

/// Everything of a result's envelope that stands before the `result` member's value.
pub(super) fn open(out: &mut Vec<u8>, id: &str) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(br#","result":"#);
}

/// Appends a JSON string.
pub(super) fn string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escape(out, text);
    out.push(b'"');
}
