//! What the builder and the runtime of Shelfmark must agree on.

pub mod clean;
pub mod route;
