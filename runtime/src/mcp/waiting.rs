//! Requests that wait for the feedback store: the one part of the protocol that is asynchronous.

use std::time::Instant;

use super::access::Grant;
use super::call::{self, Pending};
use super::endpoint::{Endpoint, finish};
use super::response::{Note, Outcome, Response};
use super::tools::Tools;
use crate::feedback::{self, FeedbackStore};

/// A response that is complete but for what the store says.
///
/// A batch may hold several writes. They are made one after the other, in the order of the batch, so that two with one
/// key come out the same way every time.
#[derive(Debug)]
pub struct Waiting {
    parts: Vec<Part>,
    /// What the request may see.
    grant: Grant,
    in_batch: bool,
}

/// One answer of a batch, or the only one.
#[derive(Debug)]
pub(super) enum Part {
    Done(Vec<u8>),
    Pending(Box<Pending>),
}

impl Waiting {
    pub(super) fn one(pending: Pending, grant: Grant) -> Waiting {
        Waiting {
            parts: vec![Part::Pending(Box::new(pending))],
            grant,
            in_batch: false,
        }
    }

    pub(super) fn batch(parts: Vec<Part>, grant: Grant) -> Waiting {
        Waiting {
            parts,
            grant,
            in_batch: true,
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Done(_)))
    }

    /// Makes the writes and completes the response. `now` is when the request came in, `until` when all writes together must have
    /// been answered.
    pub async fn settle<T: Tools>(
        mut self,
        endpoint: &Endpoint<T>,
        store: &dyn FeedbackStore,
        now: jiff::Timestamp,
        until: Instant,
    ) -> Response {
        let view = endpoint.view(self.grant);
        let mut only = None;
        for part in &mut self.parts {
            let Part::Pending(pending) = part else {
                continue;
            };
            let outcome = store.record(&pending.submission, now, until).await;
            if let Err(error) = &outcome {
                // The caller is told what to do; the cause is for whoever runs the server.
                feedback::log(error);
            }
            let result = view.tools.settle(&pending.submission, outcome);
            let Pending { id, era, tool, .. } = &**pending;
            let response = call::respond(&view.prepared, *era, id, tool, &result);
            match self.in_batch {
                true => *part = Part::Done(response.body),
                false => only = Some(response),
            }
        }
        match only {
            Some(response) => finish(response),
            None => self.assemble(),
        }
    }

    /// Joins the answers of a batch.
    pub(super) fn assemble(self) -> Response {
        let mut body = vec![b'['];
        for part in self.parts {
            let Part::Done(answer) = part else { continue };
            if body.len() > 1 {
                body.push(b',');
            }
            body.extend_from_slice(&answer);
        }
        body.push(b']');
        finish(Response::json(
            200,
            body,
            Note::new("batch", Outcome::Answered),
        ))
    }
}
