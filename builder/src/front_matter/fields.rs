//! The fields that a collection declares.
//!
//! A value of the wrong kind is an error: the collection's documents promise the kind to whoever asks. A field that a document does not
//! have is no error.

use super::date;
use super::value::{Entry, Node, Scalar, Value, find_path};
use crate::config::{FieldKind, FieldSettings};
use crate::problem::Problem;
use crate::site::FieldValue;

/// Reads the fields that a collection declares. A value of the wrong kind is an error.
pub fn fields(
    map: &[Entry],
    file: &str,
    declared: &[FieldSettings],
) -> (Vec<(String, FieldValue)>, Vec<Problem>) {
    let mut values = Vec::new();
    let mut problems = Vec::new();
    for field in declared {
        let Some(entry) = find_path(map, &field.name).filter(|entry| !entry.node.is_null()) else {
            continue;
        };
        let line = entry.node.line;
        match field_value(&entry.node, field.kind) {
            None => problems.push(
                Problem::error(
                    file,
                    format!(
                        "`{}` is declared as {}; got {}",
                        field.name,
                        field.kind.as_str(),
                        entry.node.kind()
                    ),
                )
                .at(line)
                .help("correct the value, or the field's `kind` in shelfmark.toml"),
            ),
            Some(value) => match odd_value(&value, &field.values) {
                Some(odd) => problems.push(
                    Problem::error(file, format!("`{}` cannot be `{odd}`", field.name))
                        .at(line)
                        .help(format!("use one of {}", field.values.join(", "))),
                ),
                None => values.push((field.name.clone(), value)),
            },
        }
    }
    (values, problems)
}

fn field_value(node: &Node, kind: FieldKind) -> Option<FieldValue> {
    if kind == FieldKind::List {
        let items = match &node.value {
            Value::List(items) => items
                .iter()
                .map(|item| item.text().map(str::to_owned))
                .collect(),
            _ => node.text().map(|text| vec![text.to_owned()]),
        };
        return items.map(FieldValue::List);
    }
    let text = node.text()?;
    let Value::Scalar { kind: scalar, .. } = node.value else {
        return None;
    };
    Some(match (kind, scalar) {
        (FieldKind::Text | FieldKind::Enum, _) => FieldValue::Text(text.to_owned()),
        (FieldKind::Link, Scalar::Text) if is_address(text) => {
            FieldValue::Link(text.trim().to_owned())
        }
        (FieldKind::Integer, Scalar::Integer(number)) => FieldValue::Integer(number),
        (FieldKind::Number, Scalar::Integer(_)) => FieldValue::Number(text.parse().ok()?),
        (FieldKind::Number, Scalar::Number(number)) => FieldValue::Number(number),
        (FieldKind::Boolean, Scalar::Boolean(yes)) => FieldValue::Boolean(yes),
        (FieldKind::Date, Scalar::Date | Scalar::Text) => FieldValue::Date(date::parse(text)?.text),
        _ => return None,
    })
}

/// Whether a text can be an address: of another site, or a path.
fn is_address(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && (text.contains(['/', '.', '#']) || text.starts_with("mailto:"))
}

fn odd_value(value: &FieldValue, allowed: &[String]) -> Option<String> {
    if allowed.is_empty() {
        return None;
    }
    let odd = |text: &String| !allowed.contains(text);
    match value {
        FieldValue::Text(text) | FieldValue::Date(text) | FieldValue::Link(text) => {
            Some(text).filter(|t| odd(t)).cloned()
        }
        FieldValue::List(items) => items.iter().find(|t| odd(t)).cloned(),
        FieldValue::Integer(number) => Some(number.to_string()).filter(odd),
        FieldValue::Number(number) => Some(number.to_string()).filter(odd),
        FieldValue::Boolean(yes) => Some(yes.to_string()).filter(odd),
    }
}
