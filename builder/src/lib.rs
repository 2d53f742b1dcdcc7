//! Compiles a site's markdown into one artifact and its static exports.

pub mod config;
pub mod problem;
pub mod site;
