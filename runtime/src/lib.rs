//! Answers MCP calls from an artifact.
