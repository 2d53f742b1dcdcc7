//! The function with the SDK's defaults. For measuring only: it has neither a bound nor an honest answer to a lost one.

use std::sync::Arc;
use std::time::Instant;

use artifact::route::Address;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use runtime::feedback::{FeedbackStore, Recorded, Recording, StoreError, Submission, received_at};
use runtime::mcp::{Endpoint, Policy};
use runtime::service::SiteTools;
use runtime::{config, lambda, library};

struct Table {
    client: Client,
    name: String,
}

impl FeedbackStore for Table {
    fn record<'a>(
        &'a self,
        submission: &'a Submission,
        now: jiff::Timestamp,
        _: Instant,
    ) -> Recording<'a> {
        Box::pin(async move {
            self.client
                .put_item()
                .table_name(&self.name)
                .item("pk", AttributeValue::S(submission.key.to_string()))
                .item("message", AttributeValue::S(submission.message.clone()))
                .condition_expression("attribute_not_exists(pk)")
                .send()
                .await
                .map(|_| Recorded::New {
                    received_at: received_at(now),
                })
                .map_err(|error| StoreError::Unsure {
                    reason: "the write failed",
                    source: Some(error.into()),
                })
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    lambda_http::tracing::init_default_subscriber();
    let settings = aws_config::load_defaults(aws_config::BehaviorVersion::latest()).await;
    let store = Table {
        client: Client::new(&settings),
        name: config::get(config::FEEDBACK_TABLE).unwrap_or_default(),
    };
    let artifact = library::open(&config::deployed_artifact())?;
    let site = artifact.site();
    let address = Address::parse(site.url, site.trailing_slash)?;
    let policy = Policy::deployed(address.origin());
    let tools = SiteTools::new(artifact, true)?;
    lambda::serve(Endpoint::new(tools, policy), Arc::new(store)).await
}
