//! The command line of the `local` binary.

use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::config;
use crate::local::{self, ADDRESS, Feedback, ServeOptions};
use crate::request_log::{Form, report_panics};

/// Serve a site's artifact to MCP clients on this machine
#[derive(Debug, Parser)]
#[command(
    name = "local",
    version,
    after_help = "Example:\n  local serve --artifact dist/site.shelf\n  \
                  claude mcp add --transport http my-site http://127.0.0.1:8787/mcp\n\n\
                  Exit status: 0 done, 2 could not run."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer over HTTP until interrupted
    Serve {
        /// Address to listen on; port 0 takes any free one
        #[arg(long, value_name = "HOST:PORT", default_value_t = ADDRESS, value_parser = address)]
        addr: SocketAddr,
        /// Also answer web pages of this origin, `https://host[:port]`; `*` for any
        #[arg(long, value_name = "ORIGIN")]
        allow_origin: Vec<String>,
        /// Also answer to this host name; `*` for any
        #[arg(long, value_name = "HOST")]
        allow_host: Vec<String>,
        /// Also know the token with this SHA-256 [or: SHELFMARK_TOKEN_SHA256]
        #[arg(long, value_name = "DIGEST")]
        token_sha256: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Answer over standard input and output until the input ends
    Stdio {
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Args)]
struct Common {
    /// The file that `builder build` wrote [or: SHELFMARK_ARTIFACT]
    #[arg(long, value_name = "FILE")]
    artifact: Option<PathBuf>,
    /// Where feedback is kept [default: in your data folder]
    #[arg(long, value_name = "FILE")]
    feedback: Option<PathBuf>,
    /// Keep no feedback and do not offer the tool
    #[arg(long, conflicts_with = "feedback")]
    no_feedback: bool,
    /// Show private collections without a token [or: SHELFMARK_PRIVATE=1]
    #[arg(long)]
    private: bool,
    /// pretty, json or off; error, warn, info, debug; or both: json,warn [or: SHELFMARK_LOG; default: info, for stdio warn]
    #[arg(long, value_name = "FORM")]
    log: Option<String>,
}

/// Reads the arguments, serves, and says how it went.
pub fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<(), String> {
    let (common, default_log) = match &cli.command {
        Command::Serve { common, .. } => (common, "info"),
        Command::Stdio { common } => (common, "warn"),
    };
    let log = start_log(common.log.clone(), default_log)?;
    let salt = config::zero_result_salt().map_err(|error| error.to_string())?;
    let artifact = common
        .artifact
        .clone()
        .or_else(|| config::get(config::ARTIFACT).map(PathBuf::from))
        .ok_or("no artifact given\n  help: name the file that `builder build` wrote with `--artifact FILE`")?;
    let feedback = match (&common.feedback, config::get(config::FEEDBACK)) {
        _ if common.no_feedback => Feedback::Off,
        (Some(file), _) => Feedback::File(file.clone()),
        (None, Some(file)) => Feedback::File(file.into()),
        (None, None) => Feedback::Default,
    };
    let private = common.private || config::switch(config::PRIVATE)?;
    let served = match cli.command {
        Command::Serve {
            addr,
            mut allow_origin,
            mut allow_host,
            mut token_sha256,
            ..
        } => {
            token_sha256.extend(config::list(config::TOKEN_SHA256));
            allow_origin.extend(config::list(config::ALLOWED_ORIGINS));
            allow_host.extend(config::list(config::ALLOWED_HOSTS));
            let options = ServeOptions {
                address: addr,
                feedback,
                allowed_origins: allow_origin,
                allowed_hosts: allow_host,
                token_sha256,
                private,
                log,
                salt,
            };
            local::serve(&artifact, &options)
        }
        Command::Stdio { .. } => {
            let options = ServeOptions {
                feedback,
                private,
                log,
                salt,
                ..ServeOptions::default()
            };
            local::stdio(&artifact, &options)
        }
    };
    served.map_err(|error| error.to_string())
}

/// An address whose host may be a name.
fn address(text: &str) -> Result<SocketAddr, String> {
    let addresses = text.to_socket_addrs().map_err(|error| error.to_string());
    addresses?
        .next()
        .ok_or_else(|| "the name has no address".to_owned())
}

/// Logs to standard error: over stdio, standard output belongs to the protocol. What is `wanted` comes first, then the environment. Gives how
/// requests are logged.
///
/// # Errors
/// When no such form or level exists.
pub fn start_log(wanted: Option<String>, default: &str) -> Result<Form, String> {
    let wanted = wanted
        .or_else(|| config::get(config::LOG))
        .unwrap_or_default();
    let (form, level) = form_and_level(&wanted);
    // Whoever chooses a form wants to see requests.
    let level = match level.as_str() {
        "" if form.is_some() => "info",
        "" => default,
        level => level,
    };
    let form = form.unwrap_or(Form::Pretty);
    let filter = EnvFilter::try_new(level).map_err(|error| {
        format!(
            "cannot log `{wanted}`: {error}\n  help: use pretty, json or off, and error, warn, info, debug or trace"
        )
    })?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false);
    match form {
        Form::Json => log.json().flatten_event(true).init(),
        Form::Off | Form::Pretty => log.init(),
    }
    report_panics(form, |line| {
        let _ = std::io::stderr().write_all(line); // there is nowhere else to tell it
    });
    Ok(match tracing::enabled!(tracing::Level::INFO) {
        true => form,
        false => Form::Off,
    })
}

/// What `--log` says: a form, how much, or both behind a comma. `off` is both: nothing is logged, and least of all requests.
fn form_and_level(wanted: &str) -> (Option<Form>, String) {
    let mut form = None;
    let mut levels = Vec::new();
    for item in wanted.split(',').map(str::trim) {
        match item {
            "pretty" => form = Some(Form::Pretty),
            "json" => form = Some(Form::Json),
            "" => {}
            level => levels.push(level),
        }
    }
    (form, levels.join(","))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{Form, form_and_level};

    #[test]
    fn a_form_and_how_much() {
        let cases = [
            ("", None, ""),
            ("json", Some(Form::Json), ""),
            ("warn", None, "warn"),
            ("pretty, debug", Some(Form::Pretty), "debug"),
            ("off", None, "off"),
            (
                "json,runtime=debug,info",
                Some(Form::Json),
                "runtime=debug,info",
            ),
        ];
        for (wanted, form, level) in cases {
            assert_eq!(form_and_level(wanted), (form, level.to_owned()), "{wanted}");
        }
    }

    #[test]
    fn the_command_line_is_consistent_and_fits_a_screen() {
        let mut command = super::Cli::command();
        command.clone().debug_assert();
        for name in ["serve", "stdio"] {
            let help = command
                .find_subcommand_mut(name)
                .expect("the subcommand")
                .render_help()
                .to_string();
            assert!(help.lines().count() <= 24, "{help}");
        }
    }
}
