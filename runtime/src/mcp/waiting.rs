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
    /// How many messages the batch had; none when it is none.
    batch: Option<usize>,
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
            batch: None,
        }
    }

    pub(super) fn batch(parts: Vec<Part>, grant: Grant, messages: usize) -> Waiting {
        Waiting {
            parts,
            grant,
            batch: Some(messages),
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
            let mut response = call::respond(&view.prepared, *era, id, tool, &result);
            response.note.caller = pending.caller.clone();
            match self.batch {
                Some(_) => *part = Part::Done(response.body),
                None => only = Some(response),
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
        let note = Note::of_batch(Outcome::Answered, self.batch.unwrap_or_default());
        finish(Response::json(200, body, note))
    }
}
