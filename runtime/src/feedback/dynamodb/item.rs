//! A record as an item of the table.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use super::super::bounds::Moment;
use crate::feedback::Submission;

/// The index by which the owner reads.
#[cfg(feature = "inbox")]
pub(crate) const INDEX: &str = "inbox";
/// What the attribute `inbox`, the partition key of the index, is of a record that its owner has not dealt with.
pub(crate) const OPEN: &str = "open";
/// And of one that is resolved.
#[cfg(feature = "inbox")]
pub(crate) const RESOLVED: &str = "resolved";

/// Days that the count of a day is kept after it, for whoever wonders what came.
const KEEP_COUNTS: i64 = 30;

/// What stands under a key that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    pub received_at: String,
    pub hash: String,
    pub expires: Option<i64>,
}

impl Standing {
    /// `None` when it is none of our records.
    pub(super) fn read(item: &HashMap<String, AttributeValue>) -> Option<Standing> {
        let text = |name: &str| item.get(name)?.as_s().ok().cloned();
        let expires = item.get("expires").and_then(|value| value.as_n().ok());
        Some(Standing {
            received_at: text("received_at")?,
            hash: text("content_hash")?,
            expires: expires.and_then(|seconds| seconds.parse().ok()),
        })
    }

    /// Whether it only waits to be removed.
    pub(super) fn expired(&self, now: Moment) -> bool {
        self.expires.is_some_and(|expires| expires <= now.seconds)
    }
}

pub(super) fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

pub(super) fn number(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// The key of the item that counts the records of a day.
pub(super) fn day(moment: Moment) -> String {
    format!("day#{}", moment.day())
}

/// When that item may go.
pub(super) fn forget_day(moment: Moment) -> i64 {
    moment.seconds + KEEP_COUNTS * 24 * 60 * 60
}

/// The whole record.
pub(super) fn record(
    submission: &Submission,
    received_at: &str,
    hash: &str,
    expires: Option<i64>,
) -> HashMap<String, AttributeValue> {
    let mut item = HashMap::from([
        ("pk", text(&submission.key.hyphenated().to_string())),
        ("inbox", text(OPEN)),
        ("message", text(&submission.message)),
        ("kind", text(submission.kind.as_str())),
        ("severity", text(submission.severity.as_str())),
        ("artifact", text(&submission.artifact)),
        ("received_at", text(received_at)),
        ("content_hash", text(hash)),
    ]);
    if let Some(about) = &submission.about {
        item.insert("about", text(&about.route));
        item.insert("about_published", AttributeValue::Bool(about.published));
    }
    if let Some(client) = &submission.client {
        item.insert("client", text(client));
    }
    if let Some(expires) = expires {
        item.insert("expires", number(expires));
    }
    item.into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
