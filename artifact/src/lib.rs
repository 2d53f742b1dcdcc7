//! What the builder and the runtime of Shelfmark must agree on.
