//! JSON front matter: one object at the very start of the file.
//!
//! JSON keeps no lines once it is parsed, so this walks the text itself: the grammar is small, and the standard parser is
//! only asked to read single strings.

use super::value::{Entry, Node, Scalar, Value};
use crate::problem::Problem;

const MOST_DEPTH: usize = 64;

/// Whether a file begins with a JSON object, rather than with a shortcode or a template's tag.
pub(super) fn is_object(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('{') else {
        return false;
    };
    let inside = rest.trim_start();
    // `{}` alone on its line is an empty object; `{"a"` begins a longer one.
    (inside.starts_with('"') && inside[1..].contains("\":") | inside[1..].contains("\" :"))
        || text.lines().next().map(str::trim_end) == Some("{}")
        || (inside.starts_with('}') && text.lines().next().map(str::trim_end) == Some("{"))
}

/// Reads the object; also gives the offset behind it.
pub(super) fn parse(text: &str, file: &str) -> Result<(Vec<Entry>, usize), Box<Problem>> {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        line_start: 0,
    };
    let told = |reader: &Reader<'_>, what: String| {
        let column = text
            .get(reader.line_start..reader.at)
            .map_or(0, |t| t.chars().count());
        Box::new(
            Problem::error(file, format!("the front matter is not valid JSON: {what}"))
                .at_column(reader.line, u32::try_from(column + 1).unwrap_or(u32::MAX))
                .help("it is one object, `{ \"title\": \"Tea\" }`, and ends on a line of its own"),
        )
    };
    let node = reader.value(0).map_err(|what| told(&reader, what))?;
    let rest = text[reader.at..].split('\n').next().unwrap_or_default();
    if !rest.trim().is_empty() {
        return Err(told(&reader, format!("`{}` comes after it", rest.trim())));
    }
    match node.value {
        Value::Map(map) => Ok((map, reader.at)),
        _ => Err(told(&reader, "it is no object".into())),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        while let Some(b) = self
            .text
            .as_bytes()
            .get(self.at)
            .filter(|b| b.is_ascii_whitespace())
        {
            self.at += 1;
            if *b == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn take(&mut self, sign: char) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take(sign) {
            return Ok(());
        }
        let got = self
            .rest()
            .chars()
            .next()
            .map_or("the end of the file".into(), |c| format!("`{c}`"));
        Err(format!("expected `{sign}`, got {got}"))
    }

    fn value(&mut self, depth: usize) -> Result<Node, String> {
        if depth > MOST_DEPTH {
            return Err("it is nested too deeply".into());
        }
        self.space();
        let line = self.line;
        if self.take('{') {
            let mut entries = Vec::new();
            while !self.take('}') {
                if !entries.is_empty() {
                    self.expect(',')?;
                }
                self.space();
                let line = self.line;
                let key = self.string()?;
                self.expect(':')?;
                entries.push(Entry {
                    key,
                    line,
                    node: self.value(depth + 1)?,
                });
            }
            return Ok(Node {
                line,
                value: Value::Map(entries),
            });
        }
        if self.take('[') {
            let mut items = Vec::new();
            while !self.take(']') {
                if !items.is_empty() {
                    self.expect(',')?;
                }
                items.push(self.value(depth + 1)?);
            }
            return Ok(Node {
                line,
                value: Value::List(items),
            });
        }
        if self.rest().starts_with('"') {
            return Ok(Node::scalar(line, self.string()?, Scalar::Text));
        }
        let end = self
            .rest()
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'));
        let word = &self.rest()[..end.unwrap_or(self.rest().len())];
        let kind = match word {
            "null" => Scalar::Null,
            "true" => Scalar::Boolean(true),
            "false" => Scalar::Boolean(false),
            _ => number(word).ok_or_else(|| format!("expected a value, got `{word}`"))?,
        };
        self.at += word.len();
        Ok(Node::scalar(line, word, kind))
    }

    fn string(&mut self) -> Result<String, String> {
        self.space();
        if !self.rest().starts_with('"') {
            self.expect('"')?;
        }
        let mut escaped = false;
        let end = self.rest().char_indices().skip(1).find(|(_, c)| {
            let closes = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            closes || *c == '\n'
        });
        match end {
            Some((end, '"')) => {
                let text = serde_json::from_str(&self.rest()[..=end])
                    .map_err(|error| format!("a text cannot be read: {error}"))?;
                self.at += end + 1;
                Ok(text)
            }
            _ => Err("a text has no closing quote".into()),
        }
    }
}

fn number(word: &str) -> Option<Scalar> {
    if !word.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(word).ok()?;
    value
        .as_i64()
        .map(Scalar::Integer)
        .or(value.as_f64().map(Scalar::Number))
}
