//! The forms of an answer, and the JSON of it.
//!
//! Answers are put together from JSON that was prepared at build time, so they are written as text; [`Object`] keeps the commas.

use artifact::catalogue::Refusal;

use crate::mcp::{Block, ToolResult};

/// An answer: structured content, and one text with the same JSON.
pub fn found(json: String) -> ToolResult {
    ToolResult {
        content: vec![Block::Text(json.clone())],
        structured: Some(json),
        is_error: false,
    }
}

/// Texts without structured content: a page's markdown, and perhaps a remark of the server behind it.
pub fn texts(texts: impl IntoIterator<Item = String>) -> ToolResult {
    ToolResult {
        content: texts.into_iter().map(Block::Text).collect(),
        structured: None,
        is_error: false,
    }
}

/// The caller asked wrongly.
pub fn refused(refusal: &Refusal) -> ToolResult {
    failed(refusal.to_string())
}

/// Something that was asked for is not there, or could not be done; the text tells what to do next.
pub fn failed(text: String) -> ToolResult {
    ToolResult {
        content: vec![Block::Text(text)],
        structured: None,
        is_error: true,
    }
}

/// The artifact could not be read. Details go to the log, not to the caller.
pub fn damaged(error: &artifact::format::Error) -> ToolResult {
    tracing::error!(%error, "the artifact could not be read");
    failed("This part of the site could not be read. Other pages may still work; the site's owner has to publish it again.".to_owned())
}

/// A JSON object in the making.
#[derive(Debug)]
pub struct Object {
    json: String,
}

impl Object {
    /// An empty object.
    pub fn new() -> Object {
        Object {
            json: "{".to_owned(),
        }
    }

    /// Goes on with an object whose closing brace is missing, as prepared rows have it after [`open`].
    pub fn from_open(json: &str) -> Object {
        Object {
            json: json.to_owned(),
        }
    }

    /// Adds a member whose value is JSON already.
    pub fn raw(&mut self, name: &str, json: &str) -> &mut Object {
        self.name(name);
        self.json.push_str(json);
        self
    }

    /// Adds a text.
    pub fn text(&mut self, name: &str, text: &str) -> &mut Object {
        self.name(name);
        self.json.push_str(&quoted(text));
        self
    }

    /// Adds a number.
    pub fn number(&mut self, name: &str, number: usize) -> &mut Object {
        self.raw(name, &number.to_string())
    }

    /// Adds a list of values that are JSON already.
    pub fn list(&mut self, name: &str, items: &[String]) -> &mut Object {
        self.name(name);
        self.json.push('[');
        self.json.push_str(&items.join(","));
        self.json.push(']');
        self
    }

    /// Adds a list of texts, unless it is empty.
    pub fn notes(&mut self, notes: &[String]) -> &mut Object {
        if !notes.is_empty() {
            let notes: Vec<String> = notes.iter().map(|note| quoted(note)).collect();
            self.list("notes", &notes);
        }
        self
    }

    /// Closes the object.
    pub fn close(mut self) -> String {
        self.json.push('}');
        self.json
    }

    fn name(&mut self, name: &str) {
        if !self.json.ends_with('{') {
            self.json.push(',');
        }
        self.json.push_str(&quoted(name));
        self.json.push(':');
    }
}

impl Default for Object {
    fn default() -> Self {
        Object::new()
    }
}

/// A prepared object without its closing brace, to go on with.
pub fn open(json: &str) -> &str {
    json.strip_suffix('}').unwrap_or(json)
}

/// A text as JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_members() {
        let mut object = Object::new();
        object
            .text("a", "x\"y")
            .number("b", 2)
            .list("c", &["1".into(), "2".into()])
            .notes(&[]);
        assert_eq!(object.close(), r#"{"a":"x\"y","b":2,"c":[1,2]}"#);
        assert_eq!(Object::new().close(), "{}");
        let mut object = Object::from_open(open(r#"{"a":1}"#));
        object.notes(&["n".into()]);
        assert_eq!(object.close(), r#"{"a":1,"notes":["n"]}"#);
    }

    #[test]
    fn an_answer_stands_in_its_text_as_well() {
        let result = found("{}".into());
        assert_eq!(result.content, [Block::Text("{}".into())]);
        assert_eq!(result.structured.as_deref(), Some("{}"));
    }
}
