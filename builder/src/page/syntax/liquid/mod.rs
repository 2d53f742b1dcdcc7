//! Liquid and Nunjucks: templates inside markdown, worked out as far as their values are known.
//!
//! Generators run templates before markdown, in code as anywhere, so that is done here. What settings, front matter and data files
//! say is put in; conditions and loops over it are followed; includes are rendered. What only the site's own code can tell (a
//! plugin's filter, a shortcode) is left out and counted, and the text inside its block stays. Inside code it stays as it was written.
//! Nothing is run, and no template makes a build fail.
//!
//! With `version: 2` in front matter, `Tea {{ page.version }}{% if page.old %} (old){% endif %}` becomes `Tea 2`.

mod blocks;
mod code;
mod compare;
mod dates;
mod expression;
mod filters;
mod parse;
mod render;
mod sink;
mod value;

pub(crate) use dates::MONTHS;
pub(crate) use filters::Args;
pub(crate) use sink::tidy;
pub(crate) use value::Value;

use crate::generator::Included;
use crate::page::{Log, Text};

/// Which of the two languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Liquid,
    Nunjucks,
}

/// What a generator gives to its templates.
pub(crate) trait Host {
    fn dialect(&self) -> Dialect;

    /// The value of a global name: [`Value::Nil`] when there is none, [`Value::Unknown`] when code may give it one.
    fn variable(&self, name: &str) -> Value;

    /// A filter that means the generator's settings, such as `relative_url`.
    fn filter(&self, name: &str, input: &Value, args: &Args) -> Option<Value> {
        let _ = (name, input, args);
        None
    }

    /// A tag of the generator that stands alone: the markdown in its place.
    fn tag(&self, name: &str, markup: &str) -> Option<String> {
        let _ = (name, markup);
        None
    }

    /// The file that a name means in an include, and its text. `from` is the file it stands in; `tag` is the including tag.
    fn include(&self, tag: &str, name: &str, from: &str) -> (String, Included);

    /// Whether an include names its file without quotes and gives its arguments as `include.name`.
    fn bare_includes(&self) -> bool {
        false
    }
}

/// Works out the template in a page. `source` is its file.
pub(crate) fn render(text: &mut Text, source: &str, mdx: bool, host: &dyn Host, log: &mut Log) {
    let signs = ["{{", "{%", "{#"];
    if !signs.iter().any(|sign| text.text.contains(sign)) {
        return;
    }
    let edits = render::page(text, source, mdx, host, log);
    text.replace(edits);
    sink::tidy(text);
}

/// Works out a template of one line, such as a pattern of an address. None when a value of it is not known.
pub(crate) fn line(template: &str, host: &dyn Host) -> Option<String> {
    render::line(template, host)
}

#[cfg(test)]
mod tests;
