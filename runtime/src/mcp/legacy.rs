//! The revisions that begin with `initialize`. There are no sessions, so nothing has to come first.

use super::call::{self, Served};
use super::envelope::{Meta, Params, string};
use super::era::{self, Era};
use super::prepared::Prepared;
use super::reply::{self, Fault, INVALID_PARAMS, METHOD_NOT_FOUND};
use super::response::{Note, Outcome, Response};
use super::tools::Tools;

/// Serves one request. An unknown method stays on status 200: these clients read a 404 as "wrong address".
pub(super) fn serve(
    tools: &impl Tools,
    prepared: &Prepared,
    id: &str,
    method: &str,
    params: &Params<'_>,
    meta: &Meta<'_>,
) -> Result<Served, Fault> {
    let body = match method {
        "initialize" => {
            let asked = params
                .protocol_version
                .and_then(string)
                .ok_or_else(|| invalid("`initialize` needs a `protocolVersion`, a string"))?;
            let version = era::negotiate(&asked).as_bytes();
            let pieces: [&[u8]; 4] = [
                br#"{"protocolVersion":""#,
                version,
                b"\"",
                &prepared.initialize_tail,
            ];
            reply::result(id, &pieces)
        }
        "ping" => reply::result(id, &[b"{}"]),
        "tools/list" => {
            no_cursor(params)?;
            reply::result(id, &[&prepared.legacy_list])
        }
        "tools/call" => return call::serve(tools, prepared, Era::Legacy, id, params, meta),
        // Asked by a client that states a legacy version; the answer tells it the modern one.
        "server/discover" => reply::result(id, &[&prepared.discover]),
        _ => return Err(unknown_method(200)),
    };
    let note = Note::new(method, Outcome::Answered);
    Ok(Served::Done(Response::json(200, body, note)))
}

/// All tools are listed at once, so no cursor of ours exists.
pub(super) fn no_cursor(params: &Params<'_>) -> Result<(), Fault> {
    match params.cursor {
        None => Ok(()),
        Some(_) => Err(invalid(
            "unknown `cursor`: all tools are listed at once, leave it out",
        )),
    }
}

/// The refusal of a method that we do not have.
pub(super) fn unknown_method(status: u16) -> Fault {
    Fault::new(
        status,
        METHOD_NOT_FOUND,
        "no such method: this server offers tools only, through `tools/list` and `tools/call`",
    )
}

fn invalid(message: &'static str) -> Fault {
    Fault::new(200, INVALID_PARAMS, message)
}
