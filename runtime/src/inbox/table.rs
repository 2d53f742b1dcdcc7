//! The inbox in the DynamoDB table of a deployed server.
//!
//! Reading is a query on the index `inbox`, in the partition `open` or `resolved`, backwards by time, a page at a time. With both states
//! wanted it is two queries whose newest entries are merged. Items that an index does not hold (the counts of days) are never seen.

use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::ops::ControlFlow;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::types::AttributeValue;

use super::InboxError;
use super::entry::{Entry, Filter, State};
use crate::feedback::dynamodb::{INDEX, OPEN, RESOLVED, Roots, connections};

/// Items that the first page asks for: the usual list is one small answer. Later pages are as large as DynamoDB makes them, 1 MB.
const FIRST_PAGE: i32 = 100;

/// A feedback table, read as its owner.
#[derive(Debug)]
pub struct TableInbox {
    client: Client,
    table: String,
}

impl TableInbox {
    /// A table in the account and region that AWS's usual settings name: environment, profile, single sign-on, the machine's role.
    pub async fn connect(table: &str) -> TableInbox {
        let settings = aws_config::defaults(aws_config::BehaviorVersion::latest())
            .http_client(connections(Roots::Machine))
            .load()
            .await;
        TableInbox::new(Client::new(&settings), table)
    }

    /// A table behind a client.
    pub fn new(client: Client, table: &str) -> TableInbox {
        TableInbox {
            client,
            table: table.to_owned(),
        }
    }

    pub(super) async fn each(
        &self,
        filter: &Filter,
        mut take: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<(), InboxError> {
        let newest = |state| Newest::of(self, state, filter);
        let mut parts = match filter.state {
            State::Open => vec![newest(OPEN)],
            State::Resolved => vec![newest(RESOLVED)],
            State::All => vec![newest(OPEN), newest(RESOLVED)],
        };
        loop {
            for part in &mut parts {
                part.fill().await?;
            }
            let newest = parts
                .iter_mut()
                .filter(|part| !part.page.is_empty())
                .max_by(|a, b| a.newest().cmp(&b.newest()));
            let Some(entry) = newest.and_then(|part| part.page.pop_front()) else {
                return Ok(());
            };
            if filter.wants(&entry) && take(entry).is_break() {
                return Ok(());
            }
        }
    }

    pub(super) async fn resolve(&self, key: &str, at: Option<&str>) -> Result<(), InboxError> {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .key("pk", text(key))
            .condition_expression("attribute_exists(content_hash)");
        let update = match at {
            Some(at) => update
                .update_expression(
                    "SET inbox = :inbox, resolved_at = if_not_exists(resolved_at, :at)",
                )
                .expression_attribute_values(":inbox", text(RESOLVED))
                .expression_attribute_values(":at", text(at)),
            None => update
                .update_expression("SET inbox = :inbox REMOVE resolved_at")
                .expression_attribute_values(":inbox", text(OPEN)),
        };
        update
            .send()
            .await
            .map(drop)
            .map_err(|error| failed("resolving", error))
    }

    /// Puts into the index what a table of an earlier template holds without it, and gives how many records that were. This reads the whole table,
    /// which nothing else does. It changes no other attribute, leaves alone what is in the index already, and may be repeated.
    ///
    /// # Errors
    /// When the table cannot be read or written to; what was put in until then stays.
    pub async fn reindex(&self) -> Result<usize, InboxError> {
        const WITHOUT: &str = "attribute_exists(content_hash) AND attribute_not_exists(inbox)";
        let mut changed = 0;
        let mut after = None;
        loop {
            let scan = self
                .client
                .scan()
                .table_name(&self.table)
                .filter_expression(WITHOUT)
                .projection_expression("pk, resolved_at")
                .set_exclusive_start_key(after);
            let page = scan
                .send()
                .await
                .map_err(|error| failed("reading", error))?;
            for mut item in page.items.unwrap_or_default() {
                let state = match item.contains_key("resolved_at") {
                    true => RESOLVED,
                    false => OPEN,
                };
                let Some(key) = item.remove("pk") else {
                    continue;
                };
                let update = self
                    .client
                    .update_item()
                    .table_name(&self.table)
                    .key("pk", key)
                    .condition_expression(WITHOUT)
                    .update_expression("SET inbox = :inbox")
                    .expression_attribute_values(":inbox", AttributeValue::S(state.to_owned()));
                match update.send().await {
                    Ok(_) => changed += 1,
                    // Somebody else has done it since.
                    Err(SdkError::ServiceError(refused))
                        if refused.err().is_conditional_check_failed_exception() => {}
                    Err(error) => return Err(failed("indexing", error)),
                }
            }
            after = page.last_evaluated_key;
            if after.is_none() {
                return Ok(changed);
            }
        }
    }
}

fn failed<E: Error + Send + Sync + 'static>(doing: &'static str, error: SdkError<E>) -> InboxError {
    InboxError::Table {
        doing,
        source: error.into(),
    }
}

/// One partition of the index, from its newest entry on.
struct Newest<'a> {
    inbox: &'a TableInbox,
    state: &'static str,
    since: Option<&'a str>,
    page: VecDeque<Entry>,
    next: Next,
}

enum Next {
    First,
    After(HashMap<String, AttributeValue>),
    None,
}

impl<'a> Newest<'a> {
    fn of(inbox: &'a TableInbox, state: &'static str, filter: &'a Filter) -> Newest<'a> {
        Newest {
            inbox,
            state,
            since: filter.since.as_deref(),
            page: VecDeque::new(),
            next: Next::First,
        }
    }

    /// When the next entry of the page came.
    fn newest(&self) -> Option<&str> {
        self.page.front().map(|entry| entry.received_at.as_str())
    }

    /// Fetches pages until there is an entry or no page is left.
    async fn fill(&mut self) -> Result<(), InboxError> {
        while self.page.is_empty() {
            let mut query = self
                .inbox
                .client
                .query()
                .table_name(&self.inbox.table)
                .index_name(INDEX)
                .scan_index_forward(false)
                .expression_attribute_values(":inbox", AttributeValue::S(self.state.to_owned()));
            query = match self.since {
                Some(since) => query
                    .key_condition_expression("inbox = :inbox AND received_at >= :since")
                    .expression_attribute_values(":since", AttributeValue::S(since.to_owned())),
                None => query.key_condition_expression("inbox = :inbox"),
            };
            query = match &self.next {
                Next::First => query.limit(FIRST_PAGE),
                Next::After(key) => query.set_exclusive_start_key(Some(key.clone())),
                Next::None => return Ok(()),
            };
            let answer = query
                .send()
                .await
                .map_err(|error| failed("reading", error))?;
            self.next = match answer.last_evaluated_key {
                Some(key) => Next::After(key),
                None => Next::None,
            };
            self.page
                .extend(answer.items.unwrap_or_default().iter().filter_map(entry));
        }
        Ok(())
    }
}

/// `None` for an item that is none of our records.
fn entry(item: &HashMap<String, AttributeValue>) -> Option<Entry> {
    let text = |name: &str| item.get(name)?.as_s().ok().cloned();
    Some(Entry {
        received_at: text("received_at")?,
        key: text("pk")?,
        kind: text("kind")?,
        severity: text("severity")?,
        about: text("about"),
        about_published: item
            .get("about_published")
            .and_then(|flag| flag.as_bool().ok().copied()),
        message: text("message")?,
        artifact: text("artifact")?,
        client: text("client"),
        resolved_at: text("resolved_at"),
        expires: item
            .get("expires")
            .and_then(|value| value.as_n().ok()?.parse().ok()),
    })
}
