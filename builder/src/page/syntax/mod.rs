//! The syntax that generators add to markdown, a kind each. A generator picks those that its sites use.
//!
//! Each turns its own signs into markdown or takes them out, and leaves text and code alone.

mod abbreviations;
mod components;
pub(crate) mod conventions;
pub(crate) mod directives;
pub(crate) mod docusaurus;
pub(crate) mod goldmark;
pub(crate) mod html;
pub(crate) mod indented;
mod inline;
pub(crate) mod jsx;
pub(crate) mod kramdown;
pub(crate) mod landing;
pub(crate) mod liquid;
mod lists;
pub(crate) mod mdbook;
mod out;
pub(crate) mod partials;
pub(crate) mod python_markdown;
pub(crate) mod shortcodes;
mod tags;
mod tree;
pub(crate) mod vitepress;
pub(crate) mod vue;
pub(crate) mod zola;

#[cfg(test)]
mod tests;
