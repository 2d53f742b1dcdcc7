//! Compiles a site's markdown into one artifact and its static exports.
//!
//! [`read_site`] turns a folder into a [`site::Site`], and tells everything that is wrong with it. [`assemble::assemble`] numbers its
//! pages and adds the lists; [`pack::pack`] makes the artifact's bytes of them, [`export::export`] the markdown twins; [`output::write`]
//! writes both. Only the first and the last touch the file system: between them everything is a function. [`build::build`] is all of them
//! in a row, and [`cli::main`] the command around it.

pub mod cli;
#[cfg(feature = "serve")]
mod once;
mod progress;
#[cfg(feature = "serve")]
mod serve;

pub mod build;
pub mod catalogue;
mod init;
mod inspect;
pub mod report;
mod token;

pub mod built;
mod check;
mod check_site;
pub mod config;
mod dead_links;
pub mod front_matter;
pub mod generator;
mod html;
pub mod page;
mod place;
pub mod problem;
mod reader;
pub mod site;
mod site_map;
mod source;

pub mod assemble;
pub mod index;
mod index_pages;
pub mod manual;
pub mod pack;
mod rows;
pub mod surface;
mod wording;

pub mod export;
pub mod leaks;
pub mod output;

pub use reader::{CONFIG_FILE, Options, Progress, ReadError, View, read_site, read_view};
