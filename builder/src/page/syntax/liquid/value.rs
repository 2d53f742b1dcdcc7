//! What a template's variables hold.

use std::sync::Arc;

use crate::front_matter;
use crate::front_matter::{Entry, Node, Scalar};

/// One value. Lists and maps are shared, since data files are handed to every page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Nobody can tell without running the site's code.
    Unknown,
    /// It is known that there is nothing.
    Nil,
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(Arc<str>),
    /// Text that already is a fenced block of its own.
    Block(Arc<str>),
    List(Arc<Vec<Value>>),
    Map(Arc<Vec<(String, Value)>>),
}

impl Value {
    pub(crate) fn text(text: impl AsRef<str>) -> Value {
        Value::Text(Arc::from(text.as_ref()))
    }

    pub(crate) fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(items))
    }

    pub(crate) fn map(entries: Vec<(String, Value)>) -> Value {
        Value::Map(Arc::new(entries))
    }

    /// What front matter or a data file says.
    pub(crate) fn of(node: &Node) -> Value {
        match &node.value {
            front_matter::Value::List(items) => Value::list(items.iter().map(Value::of).collect()),
            front_matter::Value::Map(entries) => Value::of_map(entries),
            front_matter::Value::Scalar { text, kind } => match kind {
                Scalar::Null => Value::Nil,
                Scalar::Boolean(yes) => Value::Boolean(*yes),
                Scalar::Integer(number) => Value::Integer(*number),
                // The text keeps a version from becoming a number.
                Scalar::Number(_) | Scalar::Date | Scalar::Text => Value::text(text),
            },
        }
    }

    pub(crate) fn of_map(entries: &[Entry]) -> Value {
        let of = |entry: &Entry| (entry.key.clone(), Value::of(&entry.node));
        Value::map(entries.iter().map(of).collect())
    }

    /// The member of a map, or the item, size, first or last of a list or text.
    pub(crate) fn member(&self, name: &str) -> Value {
        match self {
            Value::Unknown => Value::Unknown,
            Value::Map(entries) => match entries.iter().rev().find(|(key, _)| key == name) {
                Some((_, value)) => value.clone(),
                None if name == "size" => count(entries.len()),
                None => Value::Nil,
            },
            Value::List(items) => match name {
                "size" | "length" => count(items.len()),
                "first" => items.first().cloned().unwrap_or(Value::Nil),
                "last" => items.last().cloned().unwrap_or(Value::Nil),
                name => self.item(name.parse().unwrap_or(i64::MAX)),
            },
            Value::Text(text) if matches!(name, "size" | "length") => count(text.chars().count()),
            _ => Value::Nil,
        }
    }

    /// The item at a place, counted from the end when negative.
    pub(crate) fn item(&self, at: i64) -> Value {
        match self {
            Value::Unknown => Value::Unknown,
            Value::List(items) => {
                let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
                let at = if at < 0 {
                    at.saturating_add(length)
                } else {
                    at
                };
                let found = usize::try_from(at).ok().and_then(|at| items.get(at));
                found.cloned().unwrap_or(Value::Nil)
            }
            _ => Value::Nil,
        }
    }

    /// What a loop walks over; none when that is not known.
    pub(crate) fn items(&self) -> Option<Vec<Value>> {
        match self {
            Value::Unknown => None,
            Value::List(items) => Some(items.to_vec()),
            Value::Map(entries) => Some(
                entries
                    .iter()
                    .map(|(key, value)| Value::list(vec![Value::text(key), value.clone()]))
                    .collect(),
            ),
            Value::Nil | Value::Boolean(_) => Some(Vec::new()),
            other => Some(vec![other.clone()]),
        }
    }

    /// The text that an output shows; none when it is not known or no text.
    pub(crate) fn shown(&self) -> Option<String> {
        Some(match self {
            Value::Unknown | Value::Map(_) => return None,
            Value::Nil => String::new(),
            Value::Boolean(yes) => yes.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) | Value::Block(text) => text.to_string(),
            Value::List(items) => {
                let parts: Option<Vec<String>> = items.iter().map(Value::shown).collect();
                parts?.concat()
            }
        })
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Value::Integer(number) => Some(*number as f64),
            Value::Number(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// A number, whole when it is.
    pub(crate) fn of_number(number: f64) -> Value {
        if number.fract() == 0.0 && number.abs() < 9e15 {
            Value::Integer(number as i64)
        } else {
            Value::Number(number)
        }
    }
}

fn count(length: usize) -> Value {
    Value::Integer(i64::try_from(length).unwrap_or(i64::MAX))
}
