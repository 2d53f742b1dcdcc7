//! A JSON object in the making, in the two forms in which an answer carries it.

use std::fmt::Write as _;

use super::escape::{escape, is_plain};

/// JSON, and the same as it stands within the quotes of a JSON string.
///
/// Both grow together, so that what is prepared in both forms is copied twice and never looked at again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structured {
    json: String,
    quoted: String,
}

impl Structured {
    /// Nothing yet, with room for so many bytes of JSON.
    pub fn with_capacity(bytes: usize) -> Structured {
        Structured {
            json: String::with_capacity(bytes),
            // Every eighth byte of a prepared row is a quote.
            quoted: String::with_capacity(bytes + bytes / 4),
        }
    }

    /// What is JSON already.
    pub fn of(json: &str) -> Structured {
        let mut structured = Structured::with_capacity(json.len());
        structured.raw(json);
        structured
    }

    /// The JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The JSON as it stands within the quotes of a JSON string.
    pub fn quoted(&self) -> &str {
        &self.quoted
    }

    /// Bytes that both forms have together.
    pub fn bytes(&self) -> usize {
        self.json.len() + self.quoted.len()
    }

    /// Appends what is JSON, or a part of it, already.
    pub fn raw(&mut self, json: &str) -> &mut Structured {
        self.json.push_str(json);
        escape(&mut self.quoted, json);
        self
    }

    /// Appends what is there in both forms.
    pub fn add(&mut self, other: &Structured) -> &mut Structured {
        self.json.push_str(&other.json);
        self.quoted.push_str(&other.quoted);
        self
    }

    /// Appends a member's name and its colon, behind a comma unless the object has just begun. The name needs no escape.
    pub fn name(&mut self, name: &str) -> &mut Structured {
        if !self.json.ends_with('{') {
            self.json.push(',');
            self.quoted.push(',');
        }
        self.json.push('"');
        self.json.push_str(name);
        self.json.push_str("\":");
        self.quoted.push_str("\\\"");
        self.quoted.push_str(name);
        self.quoted.push_str("\\\":");
        self
    }

    /// Appends a text as a JSON string.
    pub fn text(&mut self, text: &str) -> &mut Structured {
        self.texts(&[text])
    }

    /// Appends pieces of text as one JSON string.
    pub fn texts(&mut self, pieces: &[&str]) -> &mut Structured {
        self.json.push('"');
        self.quoted.push_str("\\\"");
        for piece in pieces {
            if is_plain(piece) {
                self.json.push_str(piece);
                self.quoted.push_str(piece);
            } else {
                let start = self.json.len();
                escape(&mut self.json, piece);
                escape(&mut self.quoted, &self.json[start..]);
            }
        }
        self.json.push('"');
        self.quoted.push_str("\\\"");
        self
    }

    /// Appends a number.
    pub fn number(&mut self, number: usize) -> &mut Structured {
        let start = self.json.len();
        // Writing to memory cannot fail.
        let _ = write!(self.json, "{number}");
        self.quoted.push_str(&self.json[start..]);
        self
    }

    /// Appends signs that need no escape, such as brackets and commas.
    pub fn sign(&mut self, signs: &str) -> &mut Structured {
        self.json.push_str(signs);
        self.quoted.push_str(signs);
        self
    }

    /// Appends the member `notes`, a list of texts, unless it is empty.
    pub fn notes(&mut self, notes: &[String]) -> &mut Structured {
        if notes.is_empty() {
            return self;
        }
        self.name("notes").sign("[");
        for (place, note) in notes.iter().enumerate() {
            if place > 0 {
                self.sign(",");
            }
            self.text(note);
        }
        self.sign("]")
    }

    /// Where both forms end, to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            json: self.json.len(),
            quoted: self.quoted.len(),
        }
    }

    /// Takes off what was appended since the mark was made.
    pub fn back_to(&mut self, mark: Mark) {
        self.json.truncate(mark.json);
        self.quoted.truncate(mark.quoted);
    }

    /// What was appended since the mark was made costs within an answer: the bytes of both forms.
    pub fn since(&self, mark: Mark) -> usize {
        self.bytes() - mark.json - mark.quoted
    }
}

/// A place in both forms.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    json: usize,
    quoted: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let mut object = Structured::default();
        object.sign("{").name("a").text("x\"\\y\n");
        object.name("b").number(20).name("c").raw(r#"[{"d":"\\"}]"#);
        let inner = object.clone();
        object.name("e").add(&inner).sign("}").notes(&[]);
        object.notes(&["n".to_owned(), "\"m\"".to_owned()]);
        let mark = object.mark();
        object.sign(",").text("too much");
        assert_eq!(object.since(mark), 11 + 13);
        object.back_to(mark);
        object.sign("}");
        let json = r#"{"a":"x\"\\y\n","b":20,"c":[{"d":"\\"}]"#;
        let json = format!(r#"{json},"e":{json}}},"notes":["n","\"m\""]}}"#);
        assert_eq!(object.json(), json);
        let text: String = serde_json::from_str(&format!("\"{}\"", object.quoted())).expect("JSON");
        assert_eq!(text, json);
    }
}
