//! The AWS Lambda function: the artifact beside it, answered through [`runtime::lambda`].

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use artifact::route::Address;
use runtime::config;
use runtime::feedback::dynamodb::{DynamoDbStore, Settings};
use runtime::feedback::{FeedbackStore, NoStore};
use runtime::log::{Form, Lines};
use runtime::mcp::Policy;
use runtime::policy::access;
use runtime::request_log::{self, RequestLog, report_panics};
use runtime::service::endpoint;
use runtime::{lambda, library};
use tracing::level_filters::LevelFilter;

fn main() -> ExitCode {
    if config::get(config::AWS_LAMBDA_RUNTIME_API).is_none() {
        eprintln!("this program runs on AWS Lambda\nhelp: on your own machine run `local serve`");
        return ExitCode::from(2);
    }
    start_log();
    report_panics(request_log::Form::Json, |line| {
        let _ = std::io::stdout().write_all(line); // there is nowhere else to tell it
    });
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Logs to standard output as Lambda's settings say.
fn start_log() {
    let level = config::get(config::AWS_LAMBDA_LOG_LEVEL).and_then(|level| level.parse().ok());
    let form = match config::get(config::AWS_LAMBDA_LOG_FORMAT) {
        Some(format) if format.eq_ignore_ascii_case("json") => Form::Json,
        _ => Form::Text,
    };
    Lines::new(form, level.unwrap_or(LevelFilter::INFO)).start();
}

fn run() -> Result<(), lambda_http::Error> {
    let artifact = library::open(&config::deployed_artifact())?;
    let site = artifact.site();
    let address = Address::parse(site.url, site.trailing_slash)?;
    let mut policy = Policy::deployed(address.origin());
    policy
        .allowed_origins
        .extend(site.allowed_origins.iter().map(|&origin| origin.to_owned()));
    policy
        .allowed_origins
        .extend(config::list(config::ALLOWED_ORIGINS));
    policy.request_bytes = site.request_bytes as usize;
    policy.access = access(site, &config::list(config::TOKEN_SHA256))?;

    let store: Option<Arc<dyn FeedbackStore>> = match config::get(config::FEEDBACK_TABLE) {
        Some(table) => {
            let store = DynamoDbStore::new(Settings::read(&table, config::get)?);
            Some(Arc::new(store.bounded(config::feedback_bounds()?)))
        }
        None => None,
    };
    let endpoint = endpoint(artifact, store.is_some(), policy)?;
    let salt = config::zero_result_salt()?;
    let form = match tracing::enabled!(tracing::Level::INFO) {
        true => request_log::Form::Json,
        false => request_log::Form::Off,
    };
    // One event at a time is all that a copy of the function is given, so one thread is all that it needs.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(lambda::serve(
        endpoint,
        store.unwrap_or_else(|| Arc::new(NoStore)),
        RequestLog::new(form, std::io::stdout()).with_salt(salt),
    ))
}
