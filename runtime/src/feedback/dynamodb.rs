//! Feedback kept in a DynamoDB table: what the Lambda function uses.
//!
//! One conditional `PutItem`, `attribute_not_exists(pk)`, is the whole write. When the key is taken, the failed condition itself
//! brings what stands there (`ReturnValuesOnConditionCheckFailure: ALL_OLD`), so a retry is told from a re-used key
//! without a second request, and the function needs no other permission than `dynamodb:PutItem`.
//!
//! **Three small attempts, and an honest answer.** The SDK's own retries are off, because they hide the one thing that we have
//! to know: whether an attempt whose answer was lost came before the one that failed cleanly. An attempt ends in one of
//! three ways:
//!
//! | what happened | meaning | then |
//! |---|---|---|
//! | an answer, or a failed condition | the store has spoken | that is the outcome |
//! | throttled, denied, no such table, connection refused | this attempt saved nothing | again, if it may help |
//! | time-out, broken connection, 5xx, an answer that cannot be read | it may have been saved | again |
//!
//! If the last attempt failed and any of them may have been saved, the answer is [`StoreError::Unsure`]; otherwise
//! [`StoreError::Unavailable`]. Repeating is always safe: a write that did arrive is found under its key.
//!
//! The client is built at the first submission, not at the start: nearly all calls only read, and should not pay for it.
//!
//! ```no_run
//! use runtime::feedback::dynamodb::{DynamoDbStore, Settings};
//!
//! let settings = Settings::read("shelfmark-feedback", |name| std::env::var(name).ok()).expect("on Lambda");
//! let store = DynamoDbStore::new(settings);
//! ```

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::io::ErrorKind;
use std::sync::OnceLock;
use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, SharedHttpClient};
use aws_sdk_dynamodb::error::{ConnectorError, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValuesOnConditionCheckFailure};
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};

use super::{
    Cause, FeedbackStore, Recorded, Recording, StoreError, Submission, compare, log, received_at,
};

/// The certificate authorities that AWS's own endpoints chain to: Amazon Root CA 1 to 4 and Starfield Services Root G2, as
/// Amazon Trust Services publishes them. Reading five of our own takes microseconds, reading the machine's whole list 5 to 7 ms.
const AMAZON_ROOTS: &str = include_str!("amazon_roots.pem");

/// Time for one connection, and for one attempt as a whole. Three attempts and their pauses come to at most 3 × 2 s + 0.3 s, which
/// ends well inside the function's 10 s: the caller hears from us, not from a killed function.
const CONNECT: Duration = Duration::from_secs(1);
const ATTEMPT: Duration = Duration::from_secs(2);
/// Pauses before the second and the third attempt. Fixed: there is one write per call and no crowd to spread out.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];

/// Where the table is and how to reach it.
#[derive(Clone)]
pub struct Settings {
    table: String,
    region: String,
    endpoint: Option<String>,
    native_roots: bool,
    credentials: Credentials,
}

/// An environment variable that the store cannot do without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingVariable {
    /// Its name.
    pub name: &'static str,
}

impl fmt::Display for MissingVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "the environment variable `{}` is not set, and feedback cannot be stored without it",
            self.name
        )?;
        write!(
            f,
            "help: AWS Lambda sets it; elsewhere set it yourself, or leave the feedback table out"
        )
    }
}

impl Error for MissingVariable {}

impl Settings {
    /// Reads what Lambda puts into a function's environment.
    ///
    /// `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` are the function's role.
    /// `AWS_ENDPOINT_URL_DYNAMODB`, else `AWS_ENDPOINT_URL`, names another endpoint, such as an emulator.
    /// `SHELFMARK_TLS_ROOTS=native` trusts the machine's certificate authorities instead of Amazon's own; so do another endpoint
    /// and regions outside of the main partition by themselves.
    ///
    /// # Errors
    /// [`MissingVariable`] names what is not there.
    pub fn read(
        table: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Settings, MissingVariable> {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let need = |name: &'static str| set(name).ok_or(MissingVariable { name });
        let region = need("AWS_REGION")?;
        let endpoint = set("AWS_ENDPOINT_URL_DYNAMODB").or_else(|| set("AWS_ENDPOINT_URL"));
        let other_partition = ["cn-", "us-gov-", "us-iso", "eu-isoe-", "eusc-"]
            .iter()
            .any(|prefix| region.starts_with(prefix));
        let native = set("SHELFMARK_TLS_ROOTS").is_some_and(|value| value.trim() == "native");
        let credentials = Credentials::new(
            need("AWS_ACCESS_KEY_ID")?,
            need("AWS_SECRET_ACCESS_KEY")?,
            set("AWS_SESSION_TOKEN"),
            None,
            "the function's environment",
        );
        Ok(Settings {
            table: table.to_owned(),
            native_roots: native || other_partition || endpoint.is_some(),
            region,
            endpoint,
            credentials,
        })
    }

    fn http_client(&self) -> SharedHttpClient {
        let roots = if self.native_roots {
            TrustStore::default()
        } else {
            TrustStore::empty().with_pem_certificate(AMAZON_ROOTS.as_bytes())
        };
        let builder = aws_smithy_http_client::Builder::new();
        if self
            .endpoint
            .as_deref()
            .is_some_and(|endpoint| endpoint.starts_with("http://"))
        {
            // An emulator: no reading of certificates for a connection that has none.
            return builder.build_http();
        }
        match TlsContext::builder().with_trust_store(roots).build() {
            Ok(context) => builder
                .tls_provider(Provider::Rustls(CryptoMode::Ring))
                .tls_context(context)
                .build_https(),
            // Building a context only collects what it was given. Should that change, the SDK's own defaults still work.
            Err(_) => builder
                .tls_provider(Provider::Rustls(CryptoMode::Ring))
                .build_https(),
        }
    }

    fn client(&self) -> Client {
        let mut config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .http_client(self.http_client())
            .retry_config(RetryConfig::disabled())
            .timeout_config(
                TimeoutConfig::builder()
                    .connect_timeout(CONNECT)
                    .operation_timeout(ATTEMPT)
                    .build(),
            );
        config.set_endpoint_url(self.endpoint.clone());
        Client::from_conf(config.build())
    }
}

/// Says where, never with which credentials.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("table", &self.table)
            .field("region", &self.region)
            .field("endpoint", &self.endpoint)
            .field("native_roots", &self.native_roots)
            .finish_non_exhaustive()
    }
}

/// A feedback store in one DynamoDB table, whose partition key is the string `pk`.
#[derive(Debug)]
pub struct DynamoDbStore {
    settings: Settings,
    client: OnceLock<Client>,
}

impl DynamoDbStore {
    /// A store that connects when it is first written to.
    pub fn new(settings: Settings) -> DynamoDbStore {
        DynamoDbStore {
            settings,
            client: OnceLock::new(),
        }
    }

    async fn write(
        &self,
        submission: &Submission,
        now: jiff::Timestamp,
    ) -> Result<Recorded, StoreError> {
        let received_at = received_at(now);
        let hash = submission.content_hash();
        let item = item(submission, &received_at, &hash);
        let mut maybe_saved = false;
        let mut pauses = PAUSES.iter();
        loop {
            let failed = match self.attempt(item.clone()).await {
                Attempt::Saved => return Ok(Recorded::New { received_at }),
                Attempt::Taken {
                    standing: Some((first, theirs)),
                } => return Ok(compare(&hash, &theirs, first)),
                Attempt::Taken { standing: None } => {
                    return Err(StoreError::Unsure {
                        reason: "the key is taken, but DynamoDB did not say by what",
                        source: None,
                    });
                }
                Attempt::Failed(failed) => failed,
            };
            maybe_saved |= failed.maybe_saved;
            match pauses.next().filter(|_| failed.again) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None if maybe_saved => {
                    return Err(StoreError::Unsure {
                        reason: failed.reason,
                        source: Some(failed.cause),
                    });
                }
                None => {
                    return Err(StoreError::Unavailable {
                        reason: failed.reason,
                        source: Some(failed.cause),
                    });
                }
            }
        }
    }

    async fn attempt(&self, item: HashMap<String, AttributeValue>) -> Attempt {
        let answer = self
            .client
            .get_or_init(|| self.settings.client())
            .put_item()
            .table_name(&self.settings.table)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match answer {
            Ok(_) => Attempt::Saved,
            Err(error) => match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(failed)) => Attempt::Taken {
                    standing: failed.item().and_then(standing),
                },
                _ => Attempt::Failed(read(error)),
            },
        }
    }
}

impl FeedbackStore for DynamoDbStore {
    fn record<'a>(&'a self, submission: &'a Submission, now: jiff::Timestamp) -> Recording<'a> {
        Box::pin(async move { self.write(submission, now).await.inspect_err(log) })
    }
}

enum Attempt {
    Saved,
    /// `standing`: when it was received, and its content hash.
    Taken {
        standing: Option<(String, String)>,
    },
    Failed(Failed),
}

#[derive(Debug)]
struct Failed {
    maybe_saved: bool,
    again: bool,
    reason: &'static str,
    cause: Cause,
}

fn item(submission: &Submission, received_at: &str, hash: &str) -> HashMap<String, AttributeValue> {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let mut item = HashMap::from([
        (
            "pk".to_owned(),
            AttributeValue::S(submission.key.hyphenated().to_string()),
        ),
        ("message".to_owned(), text(&submission.message)),
        ("kind".to_owned(), text(submission.kind.as_str())),
        ("severity".to_owned(), text(submission.severity.as_str())),
        ("artifact".to_owned(), text(&submission.artifact)),
        ("received_at".to_owned(), text(received_at)),
        ("content_hash".to_owned(), text(hash)),
    ]);
    if let Some(about) = &submission.about {
        item.insert("about".to_owned(), text(&about.route));
        item.insert(
            "about_published".to_owned(),
            AttributeValue::Bool(about.published),
        );
    }
    if let Some(client) = &submission.client {
        item.insert("client".to_owned(), text(client));
    }
    item
}

fn standing(item: &HashMap<String, AttributeValue>) -> Option<(String, String)> {
    let text = |name: &str| item.get(name)?.as_s().ok().cloned();
    Some((text("received_at")?, text("content_hash")?))
}

/// What a failed attempt says about the write.
fn read(error: SdkError<PutItemError>) -> Failed {
    let status = error
        .raw_response()
        .map(|response| response.status().as_u16());
    let (maybe_saved, again, reason) = match &error {
        SdkError::ConstructionFailure(_) => (false, false, "the request could not be built"),
        SdkError::TimeoutError(_) => (true, true, "DynamoDB did not answer in time"),
        SdkError::DispatchFailure(failure) if never_sent(failure.as_connector_error()) => {
            (false, true, "DynamoDB could not be reached")
        }
        SdkError::DispatchFailure(_) => (true, true, "the connection to DynamoDB broke"),
        SdkError::ServiceError(_) if status.is_none_or(|status| status >= 500) => {
            (true, true, "DynamoDB failed")
        }
        SdkError::ServiceError(refusal) => match refusal.err().code() {
            Some(
                "ThrottlingException"
                | "ProvisionedThroughputExceededException"
                | "RequestLimitExceeded",
            ) => (false, true, "DynamoDB is throttling writes"),
            Some("TransactionConflictException" | "ReplicatedWriteConflictException") => {
                (false, true, "another write to the same key was under way")
            }
            Some("ResourceNotFoundException") => {
                (false, false, "the feedback table does not exist")
            }
            Some("AccessDeniedException") => (
                false,
                false,
                "the function may not write to the feedback table",
            ),
            _ => (false, false, "DynamoDB refused the write"),
        },
        // An answer came but could not be read. Only a plain refusal proves that nothing was saved.
        _ if status.is_some_and(|status| (400..500).contains(&status)) => {
            (false, false, "DynamoDB refused the write")
        }
        _ => (true, true, "DynamoDB's answer could not be read"),
    };
    Failed {
        maybe_saved,
        again,
        reason,
        cause: error.into(),
    }
}

/// Whether the connection was never made, so that nothing can have been written. The system's own words prove it; anything else,
/// such as a reset in the middle, does not.
fn never_sent(error: Option<&ConnectorError>) -> bool {
    let mut source = error.and_then(Error::source);
    while let Some(error) = source {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            return matches!(
                io.kind(),
                ErrorKind::ConnectionRefused
                    | ErrorKind::HostUnreachable
                    | ErrorKind::NetworkUnreachable
            );
        }
        source = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::{Kind, Severity};

    fn settings(more: &[(&str, &str)]) -> Result<Settings, MissingVariable> {
        let variable = |name: &str| {
            let set = more.iter().find(|(set, _)| *set == name);
            set.map(|(_, value)| (*value).to_owned())
        };
        Settings::read("feedback", variable)
    }

    const ROLE: [(&str, &str); 4] = [
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"),
        ("AWS_SECRET_ACCESS_KEY", "not to be printed"),
        ("AWS_SESSION_TOKEN", "not to be printed either"),
    ];

    #[test]
    fn a_missing_variable_is_named() {
        for missing in 0..3 {
            let mut rest = ROLE.to_vec();
            let (name, _) = rest.remove(missing);
            let error = settings(&rest).expect_err("one is missing");
            assert_eq!(error.name, name);
            rest.push((name, " "));
            assert_eq!(settings(&rest).expect_err("a blank one is none").name, name);
        }
        settings(&ROLE[..3]).expect("only temporary credentials have a session token");
    }

    #[test]
    fn secrets_are_not_printed() {
        let printed = format!("{:?}", settings(&ROLE).expect("complete"));
        assert!(
            printed.contains("eu-west-1") && !printed.contains("not to be printed"),
            "{printed}"
        );
        assert!(!printed.contains("AKIDEXAMPLE"), "{printed}");
    }

    #[test]
    fn the_machines_own_roots_are_used_where_amazons_do_not_reach() {
        let native = |more: &[(&'static str, &'static str)]| {
            // What is added stands first, because the first of two with one name counts.
            settings(&[more, &ROLE].concat())
                .expect("complete")
                .native_roots
        };
        assert!(!native(&[]));
        assert!(!native(&[("AWS_REGION", "us-east-1")]));
        assert!(native(&[("AWS_REGION", "cn-north-1")]));
        assert!(native(&[("SHELFMARK_TLS_ROOTS", "native")]));
        assert!(native(&[(
            "AWS_ENDPOINT_URL",
            "https://dynamodb.example.com"
        )]));
    }

    #[test]
    fn the_five_roots_can_be_read_and_a_connection_be_tried() {
        assert_eq!(
            AMAZON_ROOTS.matches("-----BEGIN CERTIFICATE-----").count(),
            5
        );
        let submission = Submission {
            key: uuid::Uuid::from_u128(1),
            message: "words".to_owned(),
            kind: Kind::Other,
            severity: Severity::Low,
            about: None,
            artifact: "x".to_owned(),
            client: None,
        };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let settings = Settings {
            endpoint: Some(format!("https://{address}")),
            native_roots: false,
            ..settings(&ROLE).expect("complete")
        };
        let store = DynamoDbStore::new(settings);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        // The client reads its roots before it connects; it panics on one that it cannot read.
        let outcome = runtime.block_on(store.record(&submission, jiff::Timestamp::UNIX_EPOCH));
        assert!(
            matches!(outcome, Err(StoreError::Unavailable { .. })),
            "{outcome:?}"
        );
    }

    #[test]
    fn a_time_out_may_have_been_saved_and_a_request_that_was_never_built_was_not() {
        let late = read(SdkError::timeout_error("late"));
        assert!(late.maybe_saved && late.again, "{late:?}");
        let unbuilt = read(SdkError::construction_failure("no table name"));
        assert!(!unbuilt.maybe_saved && !unbuilt.again, "{unbuilt:?}");
        let reset = std::io::Error::from(ErrorKind::ConnectionReset);
        let reset = read(SdkError::dispatch_failure(ConnectorError::io(reset.into())));
        assert!(reset.maybe_saved && reset.again, "{reset:?}");
        let refused = std::io::Error::from(ErrorKind::ConnectionRefused);
        let refused = read(SdkError::dispatch_failure(ConnectorError::io(
            refused.into(),
        )));
        assert!(!refused.maybe_saved && refused.again, "{refused:?}");
    }

    #[test]
    fn all_attempts_end_inside_the_functions_time() {
        let longest = ATTEMPT * 3 + PAUSES.iter().sum::<Duration>();
        assert!(
            longest < Duration::from_secs(8),
            "{longest:?} of the 10 s in template.yaml"
        );
    }
}
