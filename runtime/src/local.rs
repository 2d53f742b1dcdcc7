//! Serving an artifact on one's own machine: what the `local` binary and the builder's preview share.
//!
//! ```no_run
//! use runtime::local::{ServeOptions, serve};
//!
//! serve("dist/site.shelf".as_ref(), &ServeOptions::default())?;
//! # Ok::<(), runtime::local::ServeError>(())
//! ```

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::feedback::sqlite::{self, SqliteStore};
use crate::feedback::{FeedbackStore, NoStore, NotANumber};
use crate::library;
use crate::mcp::{Endpoint, Place};
use crate::policy::{BadDigest, access, policy};
use crate::request_log::{Form, RequestLog, Salt};
use crate::service::{ServiceError, SiteTools, endpoint};
use crate::{config, http, stdio};

/// Where the server listens unless told otherwise.
pub const ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8787);

/// How an artifact is served.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// Address to listen on; port 0 lets the system choose.
    pub address: SocketAddr,
    /// What becomes of feedback.
    pub feedback: Feedback,
    /// Origins of web pages that may use the server, beside loopback ones.
    pub allowed_origins: Vec<String>,
    /// Host names it answers to, beside loopback ones.
    pub allowed_hosts: Vec<String>,
    /// SHA-256 digests of tokens that open private collections, beside those of the site's settings.
    pub token_sha256: Vec<String>,
    /// Whether everything is answered from the full view, whoever asks and with no token. On a loopback address or stdio only.
    pub private: bool,
    /// How requests are logged, to standard error.
    pub log: Form,
    /// The salt with which the log tells searches that found nothing.
    pub salt: Option<Salt>,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            address: ADDRESS,
            feedback: Feedback::Default,
            allowed_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            token_sha256: Vec::new(),
            private: false,
            log: Form::Off,
            salt: None,
        }
    }
}

/// What becomes of feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Feedback {
    /// It is kept in a file of the site's own in the user's data folder. Where that cannot be, it is not kept.
    Default,
    /// It is kept in this file.
    File(PathBuf),
    /// It is not kept, and the tool is not offered.
    Off,
}

/// Serves an artifact over HTTP until the process is told to stop. Says on standard error where it listens.
///
/// # Errors
/// When the artifact cannot be served or the address cannot be listened on.
pub fn serve(artifact: &Path, options: &ServeOptions) -> Result<(), ServeError> {
    serve_until(artifact, options, stop_signal, |address| {
        eprintln!("serving {} at http://{address}/mcp", artifact.display());
    })
}

/// Serves an artifact over HTTP until what `stop` gives completes. `stop` is called in the server's runtime, before `listening` is told the address
/// at which connections are taken: who has seen the address can stop the server.
///
/// # Errors
/// When the artifact cannot be served, the address cannot be listened on, or `stop` fails.
pub fn serve_until<S: Future<Output = ()> + Send + 'static>(
    artifact: &Path,
    options: &ServeOptions,
    stop: impl FnOnce() -> io::Result<S>,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let Served {
        endpoint,
        store,
        hosts,
        log,
    } = open(artifact, options, Way::Http)?;
    let log = Arc::new(log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Io)?;
    runtime.block_on(async {
        let listener =
            TcpListener::bind(options.address)
                .await
                .map_err(|source| ServeError::Bind {
                    address: options.address,
                    source,
                })?;
        let address = listener.local_addr().map_err(ServeError::Io)?;
        let stop = stop().map_err(ServeError::Io)?;
        listening(address);
        if !address.ip().is_loopback() && hosts == 0 {
            eprintln!("only requests to a loopback name are answered; allow others with `--allow-host NAME`");
        }
        let served = http::serve(listener, Arc::new(endpoint), store, Arc::clone(&log), stop).await;
        log.finish();
        served.map_err(ServeError::Io)
    })
}

/// Serves an artifact over standard input and output until the input ends or the process is told to stop.
///
/// # Errors
/// When the artifact cannot be served or the input cannot be read.
pub fn stdio(artifact: &Path, options: &ServeOptions) -> Result<(), ServeError> {
    let Served {
        endpoint,
        store,
        log,
        ..
    } = open(artifact, options, Way::Stdio)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Io)?;
    let input = tokio::io::BufReader::new(tokio::io::stdin());
    let store = store.unwrap_or_else(|| Arc::new(NoStore));
    let served = runtime.block_on(async {
        let stop = stop_signal()?;
        tokio::select! {
            served = stdio::serve(&endpoint, &*store, input, tokio::io::stdout(), &log) => served,
            () = stop => Ok(()),
        }
    });
    log.finish();
    // The thread that reads standard input cannot be stopped; do not wait for it.
    runtime.shutdown_background();
    served.map_err(ServeError::Io)
}

/// Why an artifact is not served.
#[derive(Debug)]
pub enum ServeError {
    /// The artifact cannot be opened.
    Artifact(library::OpenError),
    /// The artifact is damaged where every call needs it.
    Service(ServiceError),
    /// The file that was named for feedback cannot be used.
    Feedback(sqlite::OpenError),
    /// A bound on feedback is no number.
    Bounds(NotANumber),
    /// What should be the digest of a token is none.
    Token(BadDigest),
    /// Private collections would be shown without a token on an address that others reach.
    Exposed(SocketAddr),
    /// The address cannot be listened on.
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The system failed in another way.
    Io(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Artifact(error) => error.fmt(f),
            ServeError::Service(error) => error.fmt(f),
            ServeError::Feedback(error) => error.fmt(f),
            ServeError::Bounds(error) => error.fmt(f),
            ServeError::Token(error) => error.fmt(f),
            ServeError::Exposed(address) => write!(
                f,
                "`--private` shows private collections without a token, and others reach `{address}`\n  help: listen on \
                 127.0.0.1, or leave out `--private` and send a bearer token"
            ),
            ServeError::Bind { address, source } if source.kind() == io::ErrorKind::AddrInUse => {
                write!(
                    f,
                    "port {} on {} is in use\n  help: stop what listens there, or choose another with `--addr {}:0` \
                     (any free port)",
                    address.port(),
                    address.ip(),
                    bracketed(address),
                )
            }
            ServeError::Bind { address, source } => write!(
                f,
                "cannot listen on `{address}`: {source}\n  help: `--addr 127.0.0.1:8787` listens on this machine alone"
            ),
            ServeError::Io(source) => write!(f, "the server failed: {source}"),
        }
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ServeError::Artifact(error) => error.source(),
            ServeError::Service(error) => error.source(),
            ServeError::Feedback(error) => error.source(),
            ServeError::Bounds(error) => error.source(),
            ServeError::Token(_) | ServeError::Exposed(_) => None,
            ServeError::Bind { source, .. } | ServeError::Io(source) => Some(source),
        }
    }
}

fn bracketed(address: &SocketAddr) -> String {
    match address {
        SocketAddr::V4(v4) => v4.ip().to_string(),
        SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
    }
}

/// From the call on, a signal to stop (interrupt; on Unix terminate too) does not end the process: it completes what this gives, even when it comes
/// before that is first polled.
///
/// # Errors
/// When the system takes no handler.
///
/// # Panics
/// Outside of a tokio runtime.
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(windows)]
    {
        let mut interrupt = tokio::signal::windows::ctrl_c()?;
        Ok(async move {
            interrupt.recv().await;
        })
    }
}

/// What is served.
struct Served {
    endpoint: Endpoint<SiteTools>,
    store: Option<Arc<dyn FeedbackStore>>,
    /// How many host names beside the loopback ones are allowed.
    hosts: usize,
    log: RequestLog,
}

/// How requests come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Http,
    Stdio,
}

/// Makes the endpoint, and the store when the site takes feedback and there is a place for it.
fn open(path: &Path, options: &ServeOptions, way: Way) -> Result<Served, ServeError> {
    let mut artifact = library::open(path).map_err(ServeError::Artifact)?;
    if options.private {
        let address = options.address;
        if way == Way::Http && !address.ip().is_loopback() {
            return Err(ServeError::Exposed(address));
        }
        let damaged = |error| ServeError::Service(ServiceError::Artifact(error));
        if let Some(full) = artifact.full().map_err(damaged)? {
            artifact = full;
        }
    }
    let site = artifact.site();
    let mut policy = policy(
        site,
        Place::Local,
        &options.allowed_origins,
        &options.allowed_hosts,
    );
    // Over stdio there are no headers, and whoever started the program may read the artifact anyway.
    if !options.private {
        policy.access = access(site, &options.token_sha256).map_err(ServeError::Token)?;
    }
    let store = match &options.feedback {
        _ if !site.feedback => None,
        Feedback::Off => None,
        Feedback::File(file) => Some(SqliteStore::open(file).map_err(ServeError::Feedback)?),
        Feedback::Default => match sqlite::default_path(site.server_name, config::raw) {
            None => None,
            Some(file) => SqliteStore::open(&file)
                .inspect_err(|error| tracing::warn!("feedback is not kept: {error}"))
                .ok(),
        },
    };
    let bounds = config::feedback_bounds().map_err(ServeError::Bounds)?;
    let store = store.map(|store| Arc::new(store.bounded(bounds)) as Arc<dyn FeedbackStore>);
    Ok(Served {
        hosts: policy.allowed_hosts.len(),
        endpoint: endpoint(artifact, store.is_some(), policy).map_err(ServeError::Service)?,
        store,
        log: RequestLog::new(options.log, io::stderr()).with_salt(options.salt.clone()),
    })
}
