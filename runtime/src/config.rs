//! Every environment variable that the binaries read, named once.
//!
//! Nothing else in the crate looks at the environment, and only the edges call this module: everything below them is given
//! values. A variable that is set to nothing counts as not set.
//!
//! | variable | read by | meaning |
//! |---|---|---|
//! | `SHELFMARK_ARTIFACT` | all | path of the artifact; on Lambda by default `site.shelf` beside the function's code |
//! | `SHELFMARK_ALLOWED_ORIGINS` | both | origins of web pages that may use the server, beside the site's own; `*` for any |
//! | `SHELFMARK_ALLOWED_HOSTS` | local | host names it answers to beside the loopback ones |
//! | `SHELFMARK_TOKEN_SHA256` | both | SHA-256 digests of more tokens that open private collections, beside those of the settings |
//! | `SHELFMARK_TOKEN` | runtime | bearer token that `smoke` sends |
//! | `SHELFMARK_PRIVATE` | local | `1` answers everybody from the full view, as `--private` does |
//! | `SHELFMARK_FEEDBACK_TABLE` | lambda, runtime | DynamoDB table that keeps feedback; without it `submit_feedback` is not offered |
//! | `SHELFMARK_FEEDBACK` | local, runtime | file that keeps feedback |
//! | `SHELFMARK_FEEDBACK_PER_DAY` | both | most messages that are kept in a day (UTC), 1,000 unless set; 0 for any number |
//! | `SHELFMARK_FEEDBACK_DAYS` | both | days after which a message expires; 0, or not set, for never |
//! | `SHELFMARK_LOG` | local | what is logged: `pretty`, `json` or `off`, how much of it (`error`, `warn`, `info`, `debug`, or a filter such as `runtime=debug`), or both |
//! | `SHELFMARK_ZERO_RESULT_SALT` | both, runtime | a secret of 16 characters or more: with it the log tells searches without a result by a hash |
//! | `SHELFMARK_TLS_ROOTS` | lambda | `native` trusts the machine's certificate authorities instead of Amazon's five |
//! | `XDG_DATA_HOME`, `HOME`, `LOCALAPPDATA` | local | where the user's data folder is, and with it the default file for feedback |
//! | `LAMBDA_TASK_ROOT` | lambda | set by AWS: the folder of the function's code |
//! | `AWS_LAMBDA_RUNTIME_API` | lambda | set by AWS: where events come from; without it the program says what to run instead |
//! | `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` | lambda | set by AWS: where and as whom the function writes |
//! | `AWS_ENDPOINT_URL_DYNAMODB`, `AWS_ENDPOINT_URL` | lambda | another address of DynamoDB, such as an emulator's |
//! | `AWS_LAMBDA_LOG_LEVEL`, `AWS_LAMBDA_LOG_FORMAT` | lambda | set by AWS from the template: how much is logged, and in which form |
//!
//! Lists are separated by commas or spaces: `SHELFMARK_ALLOWED_ORIGINS="https://a.dev, https://b.dev"`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::feedback::{Bounds, NotANumber};
use crate::request_log::{Salt, SaltTooShort};

/// Path of the artifact.
pub const ARTIFACT: &str = "SHELFMARK_ARTIFACT";
/// Origins of web pages that may use the server.
pub const ALLOWED_ORIGINS: &str = "SHELFMARK_ALLOWED_ORIGINS";
/// Host names that a local server answers to.
pub const ALLOWED_HOSTS: &str = "SHELFMARK_ALLOWED_HOSTS";
/// Digests of tokens that are known.
pub const TOKEN_SHA256: &str = "SHELFMARK_TOKEN_SHA256";
/// Whether a local server shows private collections to everybody who asks it.
pub const PRIVATE: &str = "SHELFMARK_PRIVATE";
/// DynamoDB table that keeps feedback.
pub const FEEDBACK_TABLE: &str = "SHELFMARK_FEEDBACK_TABLE";
/// File that keeps feedback.
pub const FEEDBACK: &str = "SHELFMARK_FEEDBACK";
/// Most messages that are kept in a day.
pub const FEEDBACK_PER_DAY: &str = "SHELFMARK_FEEDBACK_PER_DAY";
/// Days after which a message expires.
pub const FEEDBACK_DAYS: &str = "SHELFMARK_FEEDBACK_DAYS";
/// Bearer token that a client of ours sends.
pub const TOKEN: &str = "SHELFMARK_TOKEN";
/// The secret with which searches without a result are hashed.
pub const ZERO_RESULT_SALT: &str = "SHELFMARK_ZERO_RESULT_SALT";
/// What is logged.
pub const LOG: &str = "SHELFMARK_LOG";
/// Folder of the function's code, set by AWS Lambda.
pub const LAMBDA_TASK_ROOT: &str = "LAMBDA_TASK_ROOT";

/// Address that events are fetched from, set by AWS Lambda.
pub const AWS_LAMBDA_RUNTIME_API: &str = "AWS_LAMBDA_RUNTIME_API";

/// How much is logged, set by AWS Lambda from the template.
pub const AWS_LAMBDA_LOG_LEVEL: &str = "AWS_LAMBDA_LOG_LEVEL";
/// How log lines are written, `JSON` or `Text`, set by AWS Lambda from the template.
pub const AWS_LAMBDA_LOG_FORMAT: &str = "AWS_LAMBDA_LOG_FORMAT";
/// Name of the artifact that a deployed function finds beside its code.
pub const DEPLOYED_ARTIFACT: &str = "site.shelf";

/// The value of a variable that is set to something.
pub fn get(variable: &str) -> Option<String> {
    std::env::var(variable)
        .ok()
        .map(|value| value.trim().to_owned())
        .filter(|value| !value.is_empty())
}

/// The value of a variable that may be no text, such as a path.
pub fn raw(variable: &str) -> Option<OsString> {
    std::env::var_os(variable)
}

/// The items of a variable that holds a list.
pub fn list(variable: &str) -> Vec<String> {
    get(variable).as_deref().map(items).unwrap_or_default()
}

/// How much feedback is kept, and how long.
///
/// # Errors
/// When a bound is no number.
pub fn feedback_bounds() -> Result<Bounds, NotANumber> {
    Bounds::read(
        get(FEEDBACK_PER_DAY).as_deref(),
        get(FEEDBACK_DAYS).as_deref(),
    )
}

/// The secret with which searches without a result are hashed, when there is one.
///
/// # Errors
/// When it could be guessed.
pub fn zero_result_salt() -> Result<Option<Salt>, SaltTooShort> {
    get(ZERO_RESULT_SALT)
        .map(|salt| Salt::new(&salt))
        .transpose()
}

/// Where a deployed function finds its artifact.
pub fn deployed_artifact() -> PathBuf {
    match get(ARTIFACT) {
        Some(path) => path.into(),
        None => PathBuf::from(get(LAMBDA_TASK_ROOT).unwrap_or_else(|| ".".to_owned()))
            .join(DEPLOYED_ARTIFACT),
    }
}

/// Whether a variable that is a switch is on.
///
/// # Errors
/// In words, when it is neither on nor off.
pub fn switch(variable: &str) -> Result<bool, String> {
    match get(variable).as_deref() {
        None | Some("0" | "false" | "no" | "off") => Ok(false),
        Some("1" | "true" | "yes" | "on") => Ok(true),
        Some(_) => Err(format!("`{variable}` is neither `1` nor `0`")),
    }
}

fn items(list: &str) -> Vec<String> {
    list.split([',', ' ', '\n'])
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn lists_are_forgiving() {
        let cases: [(&str, &[&str]); 4] = [
            ("", &[]),
            (" , ,", &[]),
            ("*", &["*"]),
            (
                "https://a.dev, https://b.dev https://c.dev",
                &["https://a.dev", "https://b.dev", "https://c.dev"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(items(text), expected, "{text}");
        }
    }
}
