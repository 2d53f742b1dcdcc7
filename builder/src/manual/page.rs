//! The page of one tool, and the form that all generated pages have.

use std::borrow::Cow;

use artifact::catalogue::{Definition, Example, Field, Kind};
use artifact::clean::one_line;

/// A page in the making: sections with lines below them, indented by four spaces a level.
#[derive(Debug, Default)]
pub(super) struct Draft(String);

impl Draft {
    /// Begins a page with its name and its one sentence.
    pub(super) fn new(name: &str, summary: &str) -> Draft {
        let mut draft = Draft::default();
        draft.section("NAME");
        draft.line(1, &format!("{name} - {summary}"));
        draft
    }

    /// Begins a section.
    pub(super) fn section(&mut self, heading: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(heading);
        self.0.push('\n');
    }

    /// Adds a line, whatever stood in it.
    pub(super) fn line(&mut self, level: usize, text: &str) {
        self.0.push_str(&"    ".repeat(level));
        self.0.push_str(&one_line(text));
        self.0.push('\n');
    }

    /// Adds a section of paragraphs, unless there are none.
    pub(super) fn paragraphs(&mut self, heading: &str, paragraphs: &[String]) {
        if paragraphs.is_empty() {
            return;
        }
        self.section(heading);
        for (at, paragraph) in paragraphs.iter().enumerate() {
            if at > 0 {
                self.0.push('\n');
            }
            self.line(1, paragraph);
        }
    }

    /// Adds calls that work on this site, each with what it does, unless there are none.
    pub(super) fn examples<'e>(
        &mut self,
        examples: impl IntoIterator<Item = (&'e str, &'e Example)>,
    ) {
        let mut is_first = true;
        for (tool, example) in examples {
            if std::mem::take(&mut is_first) {
                self.section("EXAMPLES");
            }
            self.line(1, &format!("{}:", example.what));
            self.line(2, &format!("{tool} {}", example.arguments));
        }
    }

    /// Adds what to read next, unless there is nothing.
    pub(super) fn see_also(&mut self, others: &[(Cow<'static, str>, Cow<'static, str>)]) {
        if others.is_empty() {
            return;
        }
        self.section("SEE ALSO");
        for (name, why) in others {
            self.line(1, &format!("{name} - {why}"));
        }
    }

    /// The page.
    pub(super) fn end(self) -> String {
        self.0
    }
}

/// The page of a tool, made from its definition.
pub fn tool_page(definition: &Definition) -> String {
    let name = definition.name();
    let mut page = Draft::new(&name, &definition.summary);
    page.section("SYNOPSIS");
    let mut synopsis = name.clone().into_owned();
    let (required, optional): (Vec<&Field>, Vec<&Field>) = definition
        .arguments
        .iter()
        .partition(|field| field.required);
    for field in required {
        synopsis.push_str(&format!(" {}", field.name));
    }
    for field in optional {
        synopsis.push_str(&format!(" [{}]", field.name));
    }
    page.line(1, &synopsis);
    if !definition.arguments.is_empty() {
        page.section("OPTIONS");
        options(&mut page, "", &definition.arguments);
    }
    page.section("DESCRIPTION");
    page.line(1, &definition.description);
    page.paragraphs("NOTES", &definition.notes);
    page.examples(definition.examples.iter().map(|example| (&*name, example)));
    page.see_also(&definition.see_also);
    page.end()
}

fn options(page: &mut Draft, path: &str, fields: &[Field]) {
    for field in fields {
        let name = format!("{path}{}", field.name);
        let need = match field.required {
            true => "required",
            false => "optional",
        };
        page.line(1, &format!("{name} ({}, {need})", kind(&field.kind)));
        page.line(2, &field.description);
        if let Kind::Object(inner) = &field.kind {
            options(page, &format!("{name}."), inner);
        }
    }
}

/// The kind of a value as a page names it.
pub(super) fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Integer { .. } => "integer".into(),
        Kind::Number => "number".into(),
        Kind::Boolean => "boolean".into(),
        Kind::Text { .. } => "string".into(),
        Kind::Uuid => "string, a UUID".into(),
        // With commas, `optional` behind them would read like one more.
        Kind::Choice { options, .. } => format!("one of {}", options.join(" | ")),
        Kind::Object(_) => "object".into(),
        Kind::List(_) => "list".into(),
    }
}
