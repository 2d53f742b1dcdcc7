//! Answers MCP calls from an artifact.

pub mod feedback;
pub mod mcp;
