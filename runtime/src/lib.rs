//! Answers MCP calls from an artifact.

pub mod feedback;
pub mod library;
#[cfg(feature = "lambda")]
pub mod lambda;
pub mod mcp;

pub mod config;
#[cfg(feature = "local")]
pub mod http;
pub mod stdio;

#[cfg(feature = "local")]
pub mod cli;
#[cfg(feature = "local")]
pub mod local;
pub mod search;
