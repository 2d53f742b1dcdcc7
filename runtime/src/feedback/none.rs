//! The store of a server that was told to keep nothing.

use super::{FeedbackStore, Recording, StoreError, Submission};

/// Keeps nothing and says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStore;

impl FeedbackStore for NoStore {
    fn record<'a>(
        &'a self,
        _: &'a Submission,
        _: jiff::Timestamp,
        _: std::time::Instant,
    ) -> Recording<'a> {
        Box::pin(std::future::ready(Err(StoreError::Unavailable {
            reason: "this server keeps no feedback",
            source: None,
        })))
    }
}
