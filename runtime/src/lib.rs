//! Answers MCP calls from an artifact.

pub mod feedback;
#[cfg(feature = "lambda")]
pub mod lambda;
pub mod library;
pub mod log;
pub mod mcp;
pub mod page;
pub mod search;
pub mod service;
#[cfg(feature = "smoke")]
pub mod smoke;
pub mod tools;

pub mod config;
#[cfg(feature = "local")]
pub mod http;
pub mod policy;
pub mod request_log;
pub mod stdio;

#[cfg(feature = "local")]
pub mod cli;
#[cfg(feature = "inbox")]
pub mod inbox;
#[cfg(feature = "local")]
pub mod local;
