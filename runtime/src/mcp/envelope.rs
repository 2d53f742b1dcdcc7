//! Reading one JSON-RPC message, without looking at more of it than is needed.
//!
//! Values stay raw text ([`RawValue`]) until somebody wants one. That keeps ids byte for byte, and makes hostile input
//! dull: skipping a value needs no stack, however deep it is nested, and a number that is never read cannot overflow.
//! Doubled keys are refused where they could mean two things: in the envelope and in `params`.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::call::one_line;
use super::reply::{Fault, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR};
use super::response::Client;

/// What one message is.
#[derive(Debug)]
pub(super) enum Message<'a> {
    /// It wants an answer.
    Request {
        /// A string or an integer, as written.
        id: &'a str,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// It wants none, and gets none whatever is in it.
    Notification,
    /// It answers a question that we never asked.
    Response,
}

/// A message that cannot be served, with its id if that could be read.
#[derive(Debug)]
pub(super) struct Unreadable<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) fault: Fault,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Tells `null` from nothing, which `Option` alone does not.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Reads one message.
pub(super) fn read(text: &str) -> Result<Message<'_>, Unreadable<'_>> {
    let invalid = |id, message: &'static str| Unreadable {
        id,
        fault: Fault::new(400, INVALID_REQUEST, message),
    };
    // Serde would also read a struct from an array of its fields.
    if !text.trim_start().starts_with('{') {
        return Err(match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => invalid(None, "a message is a JSON object"),
            Err(_) => no_json(),
        });
    }
    let envelope: Envelope<'_> =
        serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => invalid(None, "each member of a message may be given once"),
            _ => no_json(),
        })?;

    let id = envelope.id.map(RawValue::get);
    let good_id = id.filter(|id| is_id(id));
    let version = envelope.jsonrpc.and_then(string);
    if version.as_deref() != Some("2.0") {
        return Err(invalid(good_id, "`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = envelope.method else {
        return if envelope.result.is_some() || envelope.error.is_some() {
            Ok(Message::Response)
        } else {
            Err(invalid(good_id, "a message needs a `method`"))
        };
    };
    let Some(method) = string(method) else {
        return Err(invalid(good_id, "`method` must be a string"));
    };
    match (id, good_id) {
        (None, _) => Ok(Message::Notification),
        (Some(_), None) => Err(invalid(None, "`id` must be a string or an integer")),
        (Some(_), Some(id)) => Ok(Message::Request {
            id,
            method,
            params: envelope.params,
        }),
    }
}

fn no_json() -> Unreadable<'static> {
    Unreadable {
        id: None,
        fault: Fault::new(400, PARSE_ERROR, "the body is not valid JSON"),
    }
}

/// A string or an integer; `raw` is known to be valid JSON.
fn is_id(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    raw.starts_with('"') || digits.bytes().all(|b| b.is_ascii_digit())
}

/// The string that a value holds, if it is one. Lone surrogates are no text.
pub(super) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    // Borrowing works unless there are escapes in it.
    match serde_json::from_str::<&str>(raw.get()) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => serde_json::from_str(raw.get()).ok().map(Cow::Owned),
    }
}

/// Whether a value is an object; `raw` carries no leading space.
pub(super) fn is_object(raw: &RawValue) -> bool {
    raw.get().starts_with('{')
}

/// The members of `params` that any method of ours looks at.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Params<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) cursor: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "protocolVersion")]
    pub(super) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "clientInfo")]
    client: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    /// Reads `params`; a member that is null counts as absent.
    pub(super) fn read(raw: Option<&'a RawValue>) -> Result<Params<'a>, Fault> {
        let bad = |message| Err(Fault::new(200, INVALID_PARAMS, message));
        match raw {
            None => Ok(Params::default()),
            Some(raw) if raw.get() == "null" => Ok(Params::default()),
            Some(raw) if is_object(raw) => match serde_json::from_str(raw.get()) {
                Ok(params) => Ok(params),
                Err(_) => bad("each member of `params` may be given once"),
            },
            Some(_) => bad("`params` must be an object"),
        }
    }

    /// Who the client of an `initialize` says it is.
    pub(super) fn client(&self) -> Option<Client> {
        self.client.and_then(client)
    }

    /// Reads `_meta`; one that is no object says nothing.
    pub(super) fn meta(&self) -> Meta<'a> {
        self.meta
            .filter(|raw| is_object(raw))
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default()
    }
}

/// What a modern request states about itself.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(super) capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<&'a RawValue>,
}

impl Meta<'_> {
    /// Who the client says it is, when it told.
    pub(super) fn client(&self) -> Option<Client> {
        self.client.and_then(client)
    }
}

/// Reads an `Implementation` of which no member may be trusted to be there.
fn client(raw: &RawValue) -> Option<Client> {
    #[derive(Deserialize)]
    struct Told<'a> {
        #[serde(borrow)]
        name: Cow<'a, str>,
        #[serde(borrow)]
        version: Option<Cow<'a, str>>,
    }
    if !is_object(raw) {
        return None;
    }
    let told: Told<'_> = serde_json::from_str(raw.get()).ok()?;
    let clean = |text: &str, limit| Some(one_line(text, limit)).filter(|text| !text.is_empty());
    Some(Client {
        name: clean(&told.name, 64)?,
        version: told.version.and_then(|version| clean(&version, 32)),
    })
}
