//! From source markdown to published markdown.
//!
//! In this order: invisible characters (they could hide the signs that the next steps look for), includes, comments, module code of MDX,
//! the syntax of the site's generator, raw HTML and components, directives, links. Where links lead is not known here; the caller says it, link by link, and how the
//! generator's syntax reads is said by [`Steps`].

use artifact::clean;

use super::code::{code_ranges, is_inside};
use super::links::{self, Outcome, Reference};
use super::rewrite::Text;
use super::syntax::jsx::Values;
use super::{comments, module_code, syntax};
use crate::front_matter::Entry;

/// What is published of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published {
    /// The markdown: either empty, or without blank lines around it and with one line feed at its end.
    pub markdown: String,
    /// The source lines of comments that are never closed; everything behind such a comment is left out.
    pub unclosed_comments: Vec<u32>,
    /// What is odd about the page's syntax: the line, what is wrong, what to do.
    pub told: Vec<(u32, String, Option<String>)>,
    /// What could not be rendered.
    pub unrendered: Vec<Unrendered>,
}

/// A piece of a generator's syntax that could not be rendered. Text inside it stays; the rest of it is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unrendered {
    /// Its line in the source file.
    pub line: u32,
    /// What it is, in words that are the same for all of a kind: ``shortcode `chart` ``.
    pub what: String,
}

/// What the steps of a generator tell about a page.
#[derive(Debug, Default)]
pub(crate) struct Log {
    told: Vec<(u32, String, Option<String>)>,
    unrendered: Vec<Unrendered>,
}

impl Log {
    /// Something is wrong with the page: a warning.
    pub(crate) fn warn(&mut self, line: u32, what: impl Into<String>, help: Option<&str>) {
        self.told.push((line, what.into(), help.map(str::to_owned)));
    }

    /// How many pieces of syntax could not be rendered.
    #[cfg(test)]
    pub(crate) fn unrendered_count(&self) -> usize {
        self.unrendered.len()
    }

    /// The lines and names of what could not be rendered.
    #[cfg(test)]
    pub(crate) fn into_unrendered(self) -> Vec<(u32, String)> {
        self.unrendered
            .into_iter()
            .map(|piece| (piece.line, piece.what))
            .collect()
    }

    /// A piece of syntax could not be rendered. `what` is the same for all of a kind.
    pub(crate) fn unrendered(&mut self, line: u32, what: impl Into<String>) {
        self.unrendered.push(Unrendered {
            line,
            what: what.into(),
        });
    }
}

#[cfg(test)]
impl Log {
    /// The kinds of what could not be rendered, in order.
    pub(crate) fn unrendered_kinds(&self) -> Vec<String> {
        self.unrendered.iter().map(|it| it.what.clone()).collect()
    }
}

/// What a generator does to a page's text.
pub(crate) trait Steps {
    /// Puts other files' text in, before comments are taken out.
    fn expand(&self, text: &mut Text, log: &mut Log);
    /// Turns its syntax into markdown, after comments and module code are gone.
    fn render(&self, text: &mut Text, log: &mut Log);
    /// Turns what is left of its syntax into markdown, after components and raw HTML are reduced.
    fn finish(&self, text: &mut Text, log: &mut Log);
    /// The page's front matter, to which its expressions may refer.
    fn front_matter(&self) -> &[Entry];
}

/// A page of plain markdown.
impl Steps for () {
    fn expand(&self, _: &mut Text, _: &mut Log) {}
    fn render(&self, _: &mut Text, _: &mut Log) {}
    fn finish(&self, _: &mut Text, _: &mut Log) {}
    fn front_matter(&self) -> &[Entry] {
        &[]
    }
}

/// Publishes a page's markdown, whose first line is `first_line` of its file. `resolve` is asked about every link once, in order.
pub fn publish(
    body: String,
    first_line: u32,
    mdx: bool,
    resolve: &mut dyn FnMut(&Reference<'_>) -> Outcome,
) -> Published {
    publish_with(body, first_line, mdx, &(), resolve)
}

/// The same, with the steps of a generator.
pub(crate) fn publish_with(
    body: String,
    first_line: u32,
    mdx: bool,
    steps: &dyn Steps,
    resolve: &mut dyn FnMut(&Reference<'_>) -> Outcome,
) -> Published {
    let mut text = Text::new(cleaned(body, mdx), first_line);
    let mut log = Log::default();
    steps.expand(&mut text, &mut log);
    let unclosed_comments = comments::remove(&mut text, mdx);
    let module = mdx.then(|| module_code::remove(&mut text));
    steps.render(&mut text, &mut log);
    let values = module.map(|module| Values::new(&module, steps.front_matter()));
    syntax::html::reduce(&mut text, values.as_ref(), &mut log);
    if mdx {
        syntax::jsx::flatten(&mut text);
    }
    steps.finish(&mut text, &mut log);
    links::rewrite(&mut text, resolve);
    Published {
        markdown: trimmed(text.text),
        unclosed_comments,
        told: log.told,
        unrendered: log.unrendered,
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
