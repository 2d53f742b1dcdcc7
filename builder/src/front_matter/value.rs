//! The values of front matter, whatever language it is written in.
//!
//! A scalar keeps the text it was written with beside what that text means, so a tag `3.10` can stay `3.10` and a version
//! never becomes a float on its way through. Everything knows its line in the source file.

/// A value and where it stands in the source file.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The line, counted from 1.
    pub line: u32,
    /// What is there.
    pub value: Value,
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A single value: its text as written, and what kind of thing it is.
    Scalar {
        /// The text as written, without quotes.
        text: String,
        /// What it means.
        kind: Scalar,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in the order written.
    Map(Vec<Entry>),
}

/// What a scalar means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A date, in a language that has dates.
    Date,
    /// Text.
    Text,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key; keys that are not text are written out as text.
    pub key: String,
    /// The line of the key, counted from 1.
    pub line: u32,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// A scalar.
    pub(crate) fn scalar(line: u32, text: impl Into<String>, kind: Scalar) -> Node {
        Node {
            line,
            value: Value::Scalar {
                text: text.into(),
                kind,
            },
        }
    }

    /// The text of a scalar that is not null.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar {
                kind: Scalar::Null, ..
            } => None,
            Value::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(
            &self.value,
            Value::Scalar {
                kind: Scalar::Null,
                ..
            }
        )
    }

    /// Whether nothing is there: null, or text of nothing but space.
    pub fn is_blank(&self) -> bool {
        match &self.value {
            Value::Scalar { text, kind } => *kind == Scalar::Null || text.trim().is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Map(entries) => entries.is_empty(),
        }
    }

    /// What the value is, in words.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "a list",
            Value::Map(_) => "a table",
            Value::Scalar { kind, .. } => match kind {
                Scalar::Null => "nothing",
                Scalar::Boolean(_) => "true or false",
                Scalar::Integer(_) => "a whole number",
                Scalar::Number(_) => "a number",
                Scalar::Date => "a date",
                Scalar::Text => "text",
            },
        }
    }
}

/// The last entry with this key, in exactly this case when there is one, else in any case.
pub(crate) fn find<'a>(map: &'a [Entry], key: &str) -> Option<&'a Entry> {
    map.iter()
        .rev()
        .find(|entry| entry.key == key)
        .or_else(|| map.iter().rev().find(|entry| same_key(&entry.key, key)))
}

/// The last entry at a key or, when no such key is there, at a path of keys such as `taxonomies.tags`.
pub(crate) fn find_path<'a>(map: &'a [Entry], path: &str) -> Option<&'a Entry> {
    if let Some(entry) = find(map, path) {
        return Some(entry);
    }
    let (first, rest) = path.split_once('.')?;
    match &find(map, first)?.node.value {
        Value::Map(entries) => find_path(entries, rest),
        _ => None,
    }
}

fn same_key(written: &str, key: &str) -> bool {
    written.trim().to_lowercase() == key.to_lowercase()
}
