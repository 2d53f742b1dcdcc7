//! `builder serve`: the runtime's local server over what was just built.
//!
//! Nothing is answered here. A line is logged for each request. The address is told when connections are taken, with the line that makes a client use it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use runtime::local::{ADDRESS, Feedback, ServeOptions, serve_until, stop_signal};

use crate::cli::tell;

/// What to serve, and where.
#[derive(Debug)]
pub(crate) struct Wanted<'w> {
    /// The artifact.
    pub artifact: &'w Path,
    /// The server's name, as a client lists it.
    pub name: &'w str,
    /// The address that was asked for.
    pub address: Option<SocketAddr>,
    /// Where feedback was asked to be kept.
    pub feedback: Option<PathBuf>,
    /// Whether private collections are shown without a token.
    pub private: bool,
    /// Whether only problems are told.
    pub quiet: bool,
}

/// Serves until the process is told to stop.
///
/// # Errors
/// What went wrong, with what to do about it.
pub(crate) fn serve(wanted: &Wanted) -> Result<(), String> {
    let log = runtime::cli::start_log(None, if wanted.quiet { "warn" } else { "info" })?;
    let salt = runtime::config::zero_result_salt().map_err(|error| error.to_string())?;
    let options = ServeOptions {
        address: wanted.address.unwrap_or(ADDRESS),
        feedback: wanted
            .feedback
            .clone()
            .map_or(Feedback::Default, Feedback::File),
        token_sha256: runtime::config::list(runtime::config::TOKEN_SHA256),
        private: wanted.private,
        log,
        salt,
        ..ServeOptions::default()
    };
    let listening = |address: SocketAddr| {
        if !wanted.quiet {
            tell(&greeting(wanted.name, address));
        }
    };
    serve_until(wanted.artifact, &options, stop_signal, listening)
        .map_err(|error| error.to_string())
}

/// What a person who started the server wants to know next.
fn greeting(name: &str, address: SocketAddr) -> String {
    // A client on this machine reaches a server that listens everywhere by its loopback address.
    let reached = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
        other => other.to_string(),
    };
    format!(
        "serving MCP at http://{reached}/mcp; stop with Ctrl-C\n  for Claude Code:  claude mcp add --transport http {name} http://{reached}/mcp\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_to_paste_has_an_address_that_can_be_reached() {
        let line = |address: &str| greeting("tides", address.parse().expect("an address"));
        assert_eq!(
            line("127.0.0.1:8787"),
            "serving MCP at http://127.0.0.1:8787/mcp; stop with Ctrl-C\n  for Claude Code:  \
             claude mcp add --transport http tides http://127.0.0.1:8787/mcp\n"
        );
        assert!(line("0.0.0.0:9").ends_with("http tides http://127.0.0.1:9/mcp\n"));
        assert!(line("[::]:9").ends_with("http tides http://[::1]:9/mcp\n"));
    }
}
