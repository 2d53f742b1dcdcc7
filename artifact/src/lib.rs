//! What the builder and the runtime of Shelfmark must agree on.
//!
//! A thing lives here only if two differing copies of it would give wrong answers: the bytes of the artifact
//! ([`mod@format`]), how text becomes terms ([`text`]), how a page is addressed ([`route`]), and how echoed text is cleaned
//! ([`clean`]). Nothing here opens a file, asks the time or waits.

pub mod catalogue;
pub mod clean;
pub mod format;
pub mod route;
pub mod text;
