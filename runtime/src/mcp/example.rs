//! The smallest thing that can be served, for examples in the documentation.

use serde_json::value::RawValue;

use super::tools::{Called, Identity, ToolResult, Tools};
use crate::feedback::{Recorded, StoreError, Submission};

/// A server without tools.
#[derive(Debug, Default)]
pub struct NoTools(Identity);

impl Tools for NoTools {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn instructions(&self) -> Option<&str> {
        None
    }

    fn list(&self) -> &[u8] {
        b"[]"
    }

    fn call(&self, _: &str, _: Option<&RawValue>) -> Called {
        Called::Unknown { closest: vec![] }
    }

    fn settle(&self, _: &Submission, _: Result<Recorded, StoreError>) -> ToolResult {
        ToolResult::default()
    }
}
