//! Feedback kept in a DynamoDB table: what the Lambda function uses.
//!
//! One conditional write is the whole of it: the record under its key, if the key is free, and one more on the count of the day, if
//! that is below its bound. Both are one `TransactWriteItems`, so that either both happen or none. Without a bound it is a single
//! `PutItem`. When the key is taken, the failed condition itself brings what stands there
//! (`ReturnValuesOnConditionCheckFailure: ALL_OLD`), so a retry is told from a re-used key without a second request, and the
//! function needs no other permission than `dynamodb:PutItem` and `dynamodb:UpdateItem`.
//!
//! | item | `pk` | holds | in the index `inbox` |
//! |---|---|---|---|
//! | a record | its key, `6f1d3a52-…` | the submission | by `inbox` (`open` or `resolved`) and `received_at` |
//! | the count of a day | `day#2026-11-30` | `written`, how many records | no: it has no `inbox` |
//!
//! The owner reads newest first by one query on the index, and what is open without paging through what is resolved. Two
//! partitions are few, but the table's bound on writes is a tenth of what one partition takes.
//!
//! **When the day is full** a copy of the function remembers it, and only asks whether the key is taken: a write whose condition never
//! holds costs one unit, where the transaction would cost four. So a message that was kept before is still told so.
//!
//! **Several small attempts, and an honest answer.** The SDK's own retries are off, because they hide the one thing that we have
//! to know: whether an attempt whose answer was lost came before the one that failed cleanly. An attempt ends in one of
//! three ways:
//!
//! | what happened | meaning | then |
//! |---|---|---|
//! | an answer, or a failed condition | the store has spoken | that is the outcome |
//! | throttled, another transaction on the same items, denied, no such table, connection refused | this attempt saved nothing | again, if it may help |
//! | time-out, broken connection, 5xx, an answer that cannot be read | it may have been saved | again |
//!
//! If time is up and any of them may have been saved, the answer is [`StoreError::Unsure`]; otherwise
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

mod attempt;
mod connection;
mod item;
mod settings;

pub use connection::{Roots, connections};
pub use settings::{MissingVariable, Settings};

#[cfg(feature = "inbox")]
pub(crate) use self::item::{INDEX, OPEN, RESOLVED};

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};

use self::attempt::{Attempt, Failed};
use super::bounds::Moment;
use super::{
    Bounds, FeedbackStore, Recorded, Recording, StoreError, Submission, compare, received_at,
    too_large,
};

/// The record is new, or the one that stands there has expired and waits for DynamoDB to remove it.
const FREE: &str = "attribute_not_exists(pk) OR expires <= :now";
/// Never holds: the answer tells what stands under the key, and nothing is ever written.
const ONLY_ASK: &str = "attribute_not_exists(pk) AND attribute_exists(pk)";

/// Most attempts of one write, whatever the time left.
const ATTEMPTS: u32 = 8;
/// The pause before the second attempt; each further one is twice as long, up to the longest.
const PAUSE: Duration = Duration::from_millis(40);
const LONGEST_PAUSE: Duration = Duration::from_millis(640);
/// With less time than this left no further attempt is begun.
const LEAST: Duration = Duration::from_millis(100);

/// A feedback store in one DynamoDB table, whose partition key is the string `pk`.
#[derive(Debug)]
pub struct DynamoDbStore {
    settings: Settings,
    bounds: Bounds,
    client: OnceLock<Client>,
    /// The last day that was found full, in days since 1970.
    full: AtomicI64,
}

/// One submission on its way into the table.
struct Write {
    item: HashMap<String, AttributeValue>,
    hash: String,
    received_at: String,
    moment: Moment,
}

impl DynamoDbStore {
    /// A store that connects when it is first written to.
    pub fn new(settings: Settings) -> DynamoDbStore {
        DynamoDbStore {
            settings,
            bounds: Bounds::default(),
            client: OnceLock::new(),
            full: AtomicI64::new(i64::MIN),
        }
    }

    /// The same store with other bounds.
    pub fn bounded(self, bounds: Bounds) -> DynamoDbStore {
        DynamoDbStore { bounds, ..self }
    }

    async fn write(
        &self,
        submission: &Submission,
        now: jiff::Timestamp,
        until: Instant,
    ) -> Result<Recorded, StoreError> {
        if submission.is_too_large() {
            return Err(too_large());
        }
        if until.saturating_duration_since(Instant::now()) < LEAST {
            return Err(StoreError::Unavailable {
                reason: "no time was left for it",
                source: None,
            });
        }
        let moment = Moment::of(now);
        let received_at = received_at(now);
        let hash = submission.content_hash();
        let write = Write {
            item: item::record(submission, &received_at, &hash, moment.expiry(self.bounds)),
            hash,
            received_at,
            moment,
        };
        let mut maybe_saved = false;
        let mut number = 0;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let time = left.min(self.settings.attempt());
            let attempt = tokio::time::timeout(time, self.attempt(&write));
            let failed = match attempt.await.unwrap_or_else(|_| Attempt::late()) {
                Attempt::Saved => {
                    return Ok(Recorded::New {
                        received_at: write.received_at,
                    });
                }
                Attempt::Taken(standing) => {
                    return Ok(compare(&write.hash, &standing.hash, standing.received_at));
                }
                Attempt::Full if !maybe_saved => {
                    return Ok(Recorded::Full {
                        again_at: moment.midnight(),
                    });
                }
                // An attempt of ours is still on its way, or went where no answer comes from.
                Attempt::Full => Failed::lost_before_the_day_was_full(),
                Attempt::Failed(failed) => failed,
            };
            maybe_saved |= failed.maybe_saved;
            number += 1;
            let pause = pause(submission.key, number);
            let left = until.saturating_duration_since(Instant::now());
            if !failed.again || number == ATTEMPTS || left < pause + LEAST {
                return Err(failed.into_error(maybe_saved));
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn attempt(&self, write: &Write) -> Attempt {
        let today = write.moment.days();
        let Some(most) = self.bounds.per_day else {
            return self.put(write, FREE).await;
        };
        if self.full.load(Ordering::Relaxed) != today {
            match self.put_and_count(write, most.get()).await {
                Attempt::Full => self.full.store(today, Ordering::Relaxed),
                other => return other,
            }
        }
        // Of two conditions that fail DynamoDB need not report both, and a message that was kept before is not refused.
        match self.put(write, ONLY_ASK).await {
            Attempt::Taken(standing) if standing.expired(write.moment) => Attempt::Full,
            other => other,
        }
    }

    /// The record alone.
    async fn put(&self, write: &Write, condition: &str) -> Attempt {
        let mut put = self
            .client()
            .put_item()
            .table_name(self.settings.table())
            .set_item(Some(write.item.clone()))
            .condition_expression(condition)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        if condition == FREE {
            put = put.expression_attribute_values(":now", item::number(write.moment.seconds));
        }
        attempt::of_put(put.send().await, condition == ONLY_ASK)
    }

    /// The record, and one more on the count of its day.
    async fn put_and_count(&self, write: &Write, most: u32) -> Attempt {
        let put = Put::builder()
            .table_name(self.settings.table())
            .set_item(Some(write.item.clone()))
            .condition_expression(FREE)
            .expression_attribute_values(":now", item::number(write.moment.seconds))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build();
        let count = Update::builder()
            .table_name(self.settings.table())
            .key("pk", item::text(&item::day(write.moment)))
            .update_expression("SET expires = :expires ADD written :one")
            .condition_expression("attribute_not_exists(written) OR written < :most")
            .expression_attribute_values(":expires", item::number(item::forget_day(write.moment)))
            .expression_attribute_values(":one", item::number(1))
            .expression_attribute_values(":most", item::number(most.into()))
            .build();
        let (put, count) = match (put, count) {
            (Ok(put), Ok(count)) => (put, count),
            (Err(error), _) | (_, Err(error)) => return Attempt::unbuilt(error),
        };
        let answer = self
            .client()
            .transact_write_items()
            .transact_items(TransactWriteItem::builder().put(put).build())
            .transact_items(TransactWriteItem::builder().update(count).build())
            .send()
            .await;
        attempt::of_transaction(answer)
    }

    fn client(&self) -> &Client {
        self.client.get_or_init(|| self.settings.client())
    }
}

impl FeedbackStore for DynamoDbStore {
    fn record<'a>(
        &'a self,
        submission: &'a Submission,
        now: jiff::Timestamp,
        until: Instant,
    ) -> Recording<'a> {
        Box::pin(async move { self.write(submission, now, until).await })
    }
}

/// The pause before attempt `number` + 1: between half and the whole of a span that doubles. The part of it comes from the key,
/// so that calls that got in each other's way come back at different times, and no source of randomness is needed.
fn pause(key: uuid::Uuid, number: u32) -> Duration {
    let span = LONGEST_PAUSE.min(PAUSE * 2u32.saturating_pow(number.saturating_sub(1)));
    let bits = key.as_u128().rotate_right(number * 16) as u16;
    span / 2 + span / 2 * u32::from(bits) / u32::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_differ_from_key_to_key() {
        let (least, most) = (uuid::Uuid::from_u128(0), uuid::Uuid::from_u128(u128::MAX));
        let of = |key| {
            (1..ATTEMPTS)
                .map(|number| pause(key, number).as_millis())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(least), [20, 40, 80, 160, 320, 320, 320]);
        assert_eq!(of(most), [40, 80, 160, 320, 640, 640, 640]);
    }

    #[test]
    fn a_write_ends_inside_the_functions_time() {
        // The last attempt is cut off at `until`, which the caller of the store sets.
        assert!(
            crate::feedback::WRITE < Duration::from_secs(8),
            "of the 10 s in template.yaml"
        );
    }
}
