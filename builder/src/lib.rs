//! Compiles a site's markdown into one artifact and its static exports.

pub mod config;
pub mod front_matter;
pub mod problem;
pub mod site;
mod source;
