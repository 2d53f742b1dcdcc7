//! Compiles a site's markdown into one artifact and its static exports.
//!
//! [`read_site`] turns a folder into a [`site::Site`], and tells everything that is wrong with it.

pub mod assemble;
mod check;
pub mod config;
mod dead_links;
pub mod front_matter;
mod index;
mod index_pages;
pub mod pack;
pub mod page;
mod place;
pub mod problem;
mod reader;
mod rows;
pub mod site;
mod site_map;
mod source;
mod surface;

pub use reader::{CONFIG_FILE, Options, Progress, ReadError, read_site};
