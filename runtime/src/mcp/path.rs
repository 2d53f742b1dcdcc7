//! Which paths the endpoint answers, the same on every adapter.

/// Whether `path` is the endpoint's: its last segment that is not empty is `mcp`.
///
/// A trailing slash is served, never redirected, because clients lose their headers or their POST on the way. Leading
/// segments are let through, because API Gateway puts the stage in front.
///
/// ```
/// use runtime::mcp::serves;
///
/// assert!(serves("/mcp") && serves("/mcp/") && serves("/prod/mcp"));
/// assert!(!serves("/") && !serves("/mcp/tools") && !serves("/mcpx") && !serves(""));
/// ```
pub fn serves(path: &str) -> bool {
    path.starts_with('/') && path.trim_end_matches('/').rsplit('/').next() == Some("mcp")
}
