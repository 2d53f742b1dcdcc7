//! From source markdown to published markdown.
//!
//! In this order: invisible characters (they could hide the signs that the next steps look for), comments, module code of MDX,
//! links. Where links lead is not known here; the caller says it, link by link.

use artifact::clean;

use super::code::{code_ranges, is_inside};
use super::links::{self, Outcome, Reference};
use super::rewrite::Text;
use super::{comments, module_code};

/// What is published of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published {
    /// The markdown: either empty, or without blank lines around it and with one line feed at its end.
    pub markdown: String,
    /// The source lines of comments that are never closed; everything behind such a comment is left out.
    pub unclosed_comments: Vec<u32>,
}

/// Publishes a page's markdown, whose first line is `first_line` of its file. `resolve` is asked about every link once, in order.
pub fn publish(
    body: String,
    first_line: u32,
    mdx: bool,
    resolve: &mut dyn FnMut(&Reference<'_>) -> Outcome,
) -> Published {
    let mut text = Text::new(cleaned(body, mdx), first_line);
    let unclosed_comments = comments::remove(&mut text, mdx);
    if mdx {
        module_code::remove(&mut text);
    }
    links::rewrite(&mut text, resolve);
    Published {
        markdown: trimmed(text.text),
        unclosed_comments,
    }
}

fn cleaned(body: String, mdx: bool) -> String {
    if body.is_ascii() {
        return body;
    }
    let code = std::cell::OnceCell::new();
    let is_code = |at| is_inside(code.get_or_init(|| code_ranges(&body, mdx)), at);
    match clean::markdown(&body, is_code) {
        std::borrow::Cow::Owned(text) => text,
        std::borrow::Cow::Borrowed(_) => body,
    }
}

/// Without blank lines at the start, and with one line feed at the end.
fn trimmed(mut text: String) -> String {
    let kept = text.trim_end().len();
    text.truncate(kept);
    if text.is_empty() {
        return text;
    }
    text.push('\n');
    let blank = text.len() - text.trim_start().len();
    let start = text[..blank].rfind('\n').map_or(0, |at| at + 1);
    if start > 0 {
        text.drain(..start);
    }
    text.shrink_to_fit();
    text
}
