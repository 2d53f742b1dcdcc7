//! Where the table is, who asks, and how the connection is made.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::{Client, Config};

use super::connection::{Roots, connections};

/// Time for one connection, and for one attempt as a whole: three that time out fit into [`crate::feedback::WRITE`].
const CONNECT: Duration = Duration::from_secs(1);
const ATTEMPT: Duration = Duration::from_millis(1900);

/// Where the table is and how to reach it.
#[derive(Clone)]
pub struct Settings {
    table: String,
    region: String,
    endpoint: Option<String>,
    roots: Roots,
    credentials: Credentials,
    attempt: Duration,
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
            roots: if native || other_partition || endpoint.is_some() {
                Roots::Machine
            } else {
                Roots::Amazon
            },
            region,
            endpoint,
            credentials,
            attempt: ATTEMPT,
        })
    }

    /// The same with another time for one attempt: for tests that wait for it to pass.
    pub fn with_attempt(self, attempt: Duration) -> Settings {
        Settings { attempt, ..self }
    }

    /// The table's name.
    pub(super) fn table(&self) -> &str {
        &self.table
    }

    /// How long one attempt may take.
    pub(super) fn attempt(&self) -> Duration {
        self.attempt
    }

    pub(super) fn client(&self) -> Client {
        let mut config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(self.region.clone()))
            .credentials_provider(self.credentials.clone())
            .http_client(connections(self.roots))
            .retry_config(RetryConfig::disabled())
            .timeout_config(TimeoutConfig::builder().connect_timeout(CONNECT).build());
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
            .field("roots", &self.roots)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::dynamodb::DynamoDbStore;
    use crate::feedback::{FeedbackStore, Kind, Severity, StoreError, Submission, WRITE};

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
            settings(&[more, &ROLE].concat()).expect("complete").roots == Roots::Machine
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
    fn nobody_at_the_endpoint_is_told_as_unavailable() {
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
            roots: Roots::Amazon,
            ..settings(&ROLE).expect("complete")
        };
        let store = DynamoDbStore::new(settings);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let outcome = runtime.block_on(store.record(
            &submission,
            jiff::Timestamp::UNIX_EPOCH,
            std::time::Instant::now() + WRITE,
        ));
        assert!(
            matches!(outcome, Err(StoreError::Unavailable { .. })),
            "{outcome:?}"
        );
    }
}
