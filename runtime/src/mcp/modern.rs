//! The revision where every request states its version and repeats its method and tool in headers.
//!
//! The headers exist so that a proxy can route without reading the body; the rule that both must agree is what keeps a
//! proxy from being told one thing and us another. Over stdio there are no headers and nothing to compare.

use std::borrow::Cow;
use std::collections::BTreeMap;

use http::HeaderMap;
use serde::de::IgnoredAny;

use super::call::{self, Served, one_line};
use super::envelope::{Meta, Params, is_object, string};
use super::era::{self, Era, MODERN};
use super::headers::{Said, agrees, said};
use super::legacy::{no_cursor, unknown_method};
use super::mirrored::is_text;
use super::prepared::Prepared;
use super::reply::{
    self, Fault, HEADER_MISMATCH, INVALID_PARAMS, MISSING_CAPABILITY, UNSUPPORTED_VERSION,
};
use super::response::{Note, Outcome, Response};
use super::tools::Tools;

/// Serves one request; `headers` are `None` over stdio.
pub(super) fn serve(
    tools: &impl Tools,
    prepared: &Prepared,
    headers: Option<&HeaderMap>,
    id: &str,
    method: &str,
    params: &Params<'_>,
    meta: &Meta<'_>,
) -> Result<Served, Fault> {
    check_version(headers, meta)?;
    if let Some(headers) = headers {
        check_routing(prepared, headers, method, params)?;
    }
    if !meta.capabilities.is_some_and(is_object) {
        return Err(Fault::new(
            400,
            INVALID_PARAMS,
            "`_meta` needs `io.modelcontextprotocol/clientCapabilities`, an object",
        ));
    }
    let body = match method {
        "server/discover" => reply::result(id, &[&prepared.discover]),
        "tools/list" => {
            no_cursor(params)?;
            reply::result(id, &[&prepared.modern_list])
        }
        "tools/call" => {
            check_capability(tools, params, meta)?;
            return call::serve(tools, prepared, Era::Modern, id, params, meta);
        }
        _ => return Err(unknown_method(404)),
    };
    let note = Note::new(method, Outcome::Answered);
    Ok(Served::Done(Response::json(200, body, note)))
}

/// The version in `_meta`, the one in the header, and ours must be the same.
fn check_version(headers: Option<&HeaderMap>, meta: &Meta<'_>) -> Result<(), Fault> {
    let header = headers.map(|headers| said(headers, "mcp-protocol-version"));
    let Some(stated) = meta.version else {
        return Err(match header {
            Some(Said::One(version)) if version != MODERN => unsupported(version),
            Some(Said::Muddle) => two_versions(),
            _ => Fault::new(
                400,
                INVALID_PARAMS,
                "`_meta` needs `io.modelcontextprotocol/protocolVersion`",
            ),
        });
    };
    let Some(stated) = string(stated) else {
        return Err(Fault::new(
            400,
            INVALID_PARAMS,
            "`io.modelcontextprotocol/protocolVersion` must be a string",
        ));
    };
    match header {
        Some(Said::Nothing) => {
            return Err(mismatch("the header `MCP-Protocol-Version` is missing"));
        }
        Some(Said::One(version)) if version != stated => {
            return Err(mismatch(
                "the header `MCP-Protocol-Version` and the version in `_meta` differ",
            ));
        }
        Some(Said::Muddle) => return Err(two_versions()),
        _ => {}
    }
    match stated == MODERN {
        true => Ok(()),
        false => Err(unsupported(&stated)),
    }
}

/// `Mcp-Method` and, for a call, `Mcp-Name` must repeat what the body says.
fn check_routing(
    prepared: &Prepared,
    headers: &HeaderMap,
    method: &str,
    params: &Params<'_>,
) -> Result<(), Fault> {
    match agrees(headers, "mcp-method", |value| is_text(value, method)) {
        Some(true) => {}
        Some(false) => {
            return Err(mismatch(
                "the header `Mcp-Method` and the body's `method` differ",
            ));
        }
        None => return Err(mismatch("the header `Mcp-Method` is missing")),
    }
    if method != "tools/call" {
        return Ok(());
    }
    // A call without a name is told so by `call`, which says more.
    let Some(name) = params.name.and_then(string) else {
        return Ok(());
    };
    match agrees(headers, "mcp-name", |value| is_text(value, &name)) {
        Some(true) => prepared
            .mirrored
            .check(headers, &name, params.arguments)
            .map_err(|header| mismatch(format!("the header `{header}` and its argument differ"))),
        Some(false) => Err(mismatch(
            "the header `Mcp-Name` and the tool's `name` differ",
        )),
        None => Err(mismatch("the header `Mcp-Name` is missing")),
    }
}

/// A tool that asks the client for something is called only by clients that said they can give it.
fn check_capability(tools: &impl Tools, params: &Params<'_>, meta: &Meta<'_>) -> Result<(), Fault> {
    let name = params.name.and_then(string);
    let Some(needed) = name.and_then(|name| tools.needs(&name)) else {
        return Ok(());
    };
    let declared: BTreeMap<String, IgnoredAny> = meta
        .capabilities
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    if declared.contains_key(needed) {
        return Ok(());
    }
    Err(Fault {
        data: Some(format!(r#"{{"requiredCapabilities":{{"{needed}":{{}}}}}}"#)),
        ..Fault::new(
            400,
            MISSING_CAPABILITY,
            format!("this tool needs a client with the capability `{needed}`"),
        )
    })
}

fn mismatch(message: impl Into<Cow<'static, str>>) -> Fault {
    Fault::new(400, HEADER_MISMATCH, message)
}

fn two_versions() -> Fault {
    mismatch("the header `MCP-Protocol-Version` does not hold one version")
}

fn unsupported(version: &str) -> Fault {
    let version = one_line(version, 64);
    let mut requested = Vec::new();
    reply::string(&mut requested, &version);
    let requested = String::from_utf8_lossy(&requested);
    let supported = era::revisions();
    Fault {
        data: Some(format!(
            r#"{{"supported":{supported},"requested":{requested}}}"#
        )),
        ..Fault::new(
            400,
            UNSUPPORTED_VERSION,
            format!("protocol version `{version}` is not served here; use {MODERN}"),
        )
    }
}
