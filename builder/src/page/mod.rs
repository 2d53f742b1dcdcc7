//! From a page's own markdown to what is published of it: the only user of the markdown parser.
//!
//! Two pure passes. [`publish`](fn@publish) takes out what is not for readers (comments, module code of MDX, invisible characters) and
//! makes every link absolute. [`read`](fn@read) looks at the result and tells its headings, its plain text and where it may be cut.
//! Code stays byte for byte in both. No text makes either of them panic.
//!
//! `# Tea <!-- todo -->\n\nSee [milk](milk.md).\n` is published as `# Tea\n\nSee [milk](https://x.dev/milk).\n`, whose outline is the
//! heading `Tea` and whose text is `Tea\nSee milk.`

pub(crate) mod code;
mod comments;
mod cuts;
mod html;
mod links;
mod module_code;
mod publish;
mod read;
mod rewrite;
pub(crate) mod slugs;
pub(crate) mod syntax;

use pulldown_cmark::Options;

pub use artifact::route::Anchors;
pub(crate) use comments::comments_in;
pub(crate) use html::decoded;
pub use links::{Kind, Outcome, Reference};
pub(crate) use publish::{Log, Steps, publish_with};
pub use publish::{Published, Unrendered, publish};
pub use read::read;
pub(crate) use read::read_with;
pub(crate) use rewrite::{Text, with_own_line};

/// Takes comments out of a text that is put into a page after the page's own are gone.
pub(crate) fn without_comments(text: &mut Text) {
    comments::remove(text, false);
}

/// The markdown that we understand: GitHub's, with ids on headings.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_GFM
}

#[cfg(test)]
mod tests;
