//! What one attempt says about the write.

use std::error::Error;

use aws_sdk_dynamodb::error::{BuildError, ConnectorError, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::put_item::{PutItemError, PutItemOutput};
use aws_sdk_dynamodb::operation::transact_write_items::{
    TransactWriteItemsError, TransactWriteItemsOutput,
};
use aws_sdk_dynamodb::types::CancellationReason;

use super::connection::NotSent;
use super::item::Standing;
use crate::feedback::{Cause, StoreError};

/// How an attempt ended.
#[derive(Debug)]
pub(super) enum Attempt {
    Saved,
    /// The key is taken.
    Taken(Standing),
    /// The key is free, but the day has had its messages.
    Full,
    Failed(Failed),
}

/// An attempt that the store did not answer, or not as hoped.
#[derive(Debug)]
pub(super) struct Failed {
    pub maybe_saved: bool,
    pub again: bool,
    pub reason: &'static str,
    pub cause: Option<Cause>,
}

impl Failed {
    fn new(maybe_saved: bool, again: bool, reason: &'static str) -> Failed {
        Failed {
            maybe_saved,
            again,
            reason,
            cause: None,
        }
    }

    fn because(self, cause: impl Into<Cause>) -> Failed {
        Failed {
            cause: Some(cause.into()),
            ..self
        }
    }

    /// The day is full, and an earlier attempt may have been what filled it.
    pub(super) fn lost_before_the_day_was_full() -> Failed {
        Failed::new(
            true,
            false,
            "DynamoDB did not answer before the day was full",
        )
    }

    /// What the caller is told, who is to know of all attempts together.
    pub(super) fn into_error(self, maybe_saved: bool) -> StoreError {
        let (reason, source) = (self.reason, self.cause);
        match maybe_saved {
            true => StoreError::Unsure { reason, source },
            false => StoreError::Unavailable { reason, source },
        }
    }
}

impl Attempt {
    /// Nothing came within the attempt's time.
    pub(super) fn late() -> Attempt {
        Attempt::Failed(Failed::new(true, true, "DynamoDB did not answer in time"))
    }

    /// The request was never made.
    pub(super) fn unbuilt(error: BuildError) -> Attempt {
        Attempt::Failed(Failed::new(false, false, "the request could not be built").because(error))
    }

    /// The record could not be put: `standing` is what its key holds.
    fn taken(
        standing: Option<
            &std::collections::HashMap<String, aws_sdk_dynamodb::types::AttributeValue>,
        >,
    ) -> Attempt {
        match standing.and_then(Standing::read) {
            Some(standing) => Attempt::Taken(standing),
            // The write was refused, so that this attempt saved nothing; but what stands there could be what an earlier one saved.
            None => Attempt::Failed(Failed::new(
                true,
                false,
                "the key is taken, but DynamoDB did not say by what",
            )),
        }
    }
}

/// Reads what became of a `PutItem`. `only_asked`: its condition never holds, so that a failure without an item means that the key is free.
pub(super) fn of_put(
    answer: Result<PutItemOutput, SdkError<PutItemError>>,
    only_asked: bool,
) -> Attempt {
    let error = match answer {
        Ok(_) => return Attempt::Saved,
        Err(error) => error,
    };
    match error.as_service_error() {
        Some(PutItemError::ConditionalCheckFailedException(failed)) => match failed.item() {
            None if only_asked => Attempt::Full,
            standing => Attempt::taken(standing),
        },
        _ => Attempt::Failed(read(error)),
    }
}

/// Reads what became of a `TransactWriteItems` of a record and the count of its day, in this order.
pub(super) fn of_transaction(
    answer: Result<TransactWriteItemsOutput, SdkError<TransactWriteItemsError>>,
) -> Attempt {
    let error = match answer {
        Ok(_) => return Attempt::Saved,
        Err(error) => error,
    };
    match error.as_service_error() {
        Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
            match cancelled_by(cancelled.cancellation_reasons()) {
                Attempt::Failed(failed) => Attempt::Failed(failed.because(error)),
                other => other,
            }
        }
        _ => Attempt::Failed(read(error)),
    }
}

/// What cancelled a transaction, which then changed nothing. There is a reason for each item, `None` for one that was in order.
fn cancelled_by(reasons: &[CancellationReason]) -> Attempt {
    let code = |item: usize| reasons.get(item).and_then(CancellationReason::code);
    let (record, count) = (code(0).unwrap_or("None"), code(1).unwrap_or("None"));
    let either = |wanted: &[&str]| wanted.contains(&record) || wanted.contains(&count);
    match (record, count) {
        // The record decides: when its key is taken, how full the day is does not matter.
        ("ConditionalCheckFailed", _) => Attempt::taken(reasons[0].item()),
        _ if either(&["TransactionConflict"]) => Attempt::Failed(Failed::new(
            false,
            true,
            "another write to the same items was under way",
        )),
        _ if either(&["ThrottlingError", "ProvisionedThroughputExceeded"]) => {
            Attempt::Failed(Failed::new(false, true, "DynamoDB is throttling writes"))
        }
        ("None", "ConditionalCheckFailed") => Attempt::Full,
        ("None", "None") => Attempt::Failed(Failed::new(
            false,
            true,
            "DynamoDB cancelled the write without a reason",
        )),
        _ => Attempt::Failed(Failed::new(false, false, "DynamoDB refused the write")),
    }
}

/// What an error says about the write, whichever operation it is of.
fn read<E>(error: SdkError<E>) -> Failed
where
    E: ProvideErrorMetadata + Error + Send + Sync + 'static,
{
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
        // The SDK also calls it so when the answer to a write that was done cannot be read.
        SdkError::ServiceError(_) if status.is_some_and(|status| status < 400) => {
            (true, true, "DynamoDB's answer could not be read")
        }
        SdkError::ServiceError(refusal) => match refusal.err().code() {
            Some(
                "ThrottlingException"
                | "ProvisionedThroughputExceededException"
                | "RequestLimitExceeded",
            ) => (false, true, "DynamoDB is throttling writes"),
            Some(
                "TransactionConflictException"
                | "TransactionInProgressException"
                | "ReplicatedWriteConflictException",
            ) => (false, true, "another write to the same items was under way"),
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
    Failed::new(maybe_saved, again, reason).because(error)
}

/// Whether the request never left. Only our own connections prove it; anything else, such as a reset in the middle, does not.
fn never_sent(error: Option<&ConnectorError>) -> bool {
    error
        .and_then(Error::source)
        .is_some_and(|source| source.is::<NotSent>())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io::ErrorKind;

    use aws_sdk_dynamodb::types::AttributeValue;

    use super::*;

    #[test]
    fn a_time_out_may_have_been_saved_and_a_request_that_was_never_built_was_not() {
        type Wrong = SdkError<PutItemError>;
        let late = read(Wrong::timeout_error("late"));
        assert!(late.maybe_saved && late.again, "{late:?}");
        let unbuilt = read(Wrong::construction_failure("no table name"));
        assert!(!unbuilt.maybe_saved && !unbuilt.again, "{unbuilt:?}");
        let reset = std::io::Error::from(ErrorKind::ConnectionReset);
        let reset = read(Wrong::dispatch_failure(ConnectorError::io(reset.into())));
        assert!(reset.maybe_saved && reset.again, "{reset:?}");
        let refused = NotSent(std::io::Error::from(ErrorKind::ConnectionRefused).into());
        let refused = read(Wrong::dispatch_failure(ConnectorError::io(refused.into())));
        assert!(!refused.maybe_saved && refused.again, "{refused:?}");
    }

    fn cancelled(codes: &[&str]) -> Attempt {
        let standing = HashMap::from([
            ("received_at", "2026-11-30T12:20:00.000Z"),
            ("content_hash", "ab"),
        ]);
        let standing = standing
            .into_iter()
            .map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned())))
            .collect::<HashMap<_, _>>();
        let reasons: Vec<CancellationReason> = codes
            .iter()
            .map(|&code| {
                let reason = CancellationReason::builder().code(code);
                match code {
                    "ConditionalCheckFailed" => reason.set_item(Some(standing.clone())).build(),
                    _ => reason.build(),
                }
            })
            .collect();
        cancelled_by(&reasons)
    }

    #[test]
    fn the_reasons_of_a_cancelled_transaction_are_told_apart() {
        let taken = "ConditionalCheckFailed";
        for count in ["None", "ConditionalCheckFailed", "TransactionConflict"] {
            let attempt = cancelled(&[taken, count]);
            assert!(matches!(attempt, Attempt::Taken(_)), "{count}: {attempt:?}");
        }
        assert!(matches!(cancelled(&["None", taken]), Attempt::Full));
        for (codes, expected) in [
            (&["None", "TransactionConflict"][..], true),
            (&["TransactionConflict", taken], true),
            (&["None", "ThrottlingError"], true),
            (&["ProvisionedThroughputExceeded", "None"], true),
            (&[], true),
            (&["ValidationError", "None"], false),
            (&["None", "ItemCollectionSizeLimitExceeded"], false),
        ] {
            match cancelled(codes) {
                Attempt::Failed(failed) => assert_eq!(
                    (failed.maybe_saved, failed.again),
                    (false, expected),
                    "{codes:?}"
                ),
                other => panic!("{codes:?}: {other:?}"),
            }
        }
    }
}
