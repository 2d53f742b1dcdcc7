//! The values of Hugo's templates.

use super::pages::Page;
use super::render::written;
use crate::front_matter::{Entry, Node, Scalar, Value as Data};

/// A value of a template.
#[derive(Debug, Clone)]
pub(super) enum Value<'a> {
    Nothing,
    /// The shortcode itself.
    Call,
    Site,
    Hugo,
    /// Parameters of the site.
    SiteParams,
    Page(&'a Page),
    /// Parameters of a page.
    Params(&'a Page),
    Text(String),
    Data(Node),
    /// A folder of data files, below `data`.
    Folder(String),
    List(Vec<Value<'a>>),
}

impl Value<'_> {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into())
    }

    pub(super) fn truth(yes: bool) -> Self {
        Value::Text(if yes { "true".into() } else { String::new() })
    }

    /// Whether it counts as yes.
    pub(super) fn holds(&self) -> bool {
        match self {
            Value::Nothing => false,
            Value::Text(text) => !text.is_empty() && text != "false" && text != "0",
            Value::Data(node) => !node.is_blank() && node.text() != Some("false"),
            Value::List(items) => !items.is_empty(),
            _ => true,
        }
    }

    /// What is shown of it; none when that is nothing to show.
    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Value::Nothing => Some(String::new()),
            Value::Text(text) => Some(text.clone()),
            Value::Data(node) if matches!(node.value, Data::Map(_)) => None,
            Value::Data(node) => Some(written(node)),
            _ => None,
        }
    }
}

/// The value of a node of front matter or data.
pub(super) fn node<'a>(node: Option<&Node>) -> Value<'a> {
    match node {
        Some(Node {
            value: Data::Scalar { text, kind, .. },
            ..
        }) => match kind {
            Scalar::Null => Value::Nothing,
            _ => Value::text(text),
        },
        Some(node) => Value::Data(node.clone()),
        None => Value::Nothing,
    }
}

/// What `range` walks over: keys or places with values.
pub(super) fn items(value: Value<'_>) -> Option<Vec<(String, Value<'_>)>> {
    Some(match value {
        Value::Nothing => Vec::new(),
        Value::List(list) => list
            .into_iter()
            .enumerate()
            .map(|(at, item)| (at.to_string(), item))
            .collect(),
        Value::Data(held) => match held.value {
            Data::List(list) => list
                .iter()
                .enumerate()
                .map(|(at, item)| (at.to_string(), node(Some(item))))
                .collect(),
            Data::Map(mut map) => {
                map.sort_by(|a: &Entry, b: &Entry| a.key.cmp(&b.key));
                map.iter()
                    .map(|entry| (entry.key.clone(), node(Some(&entry.node))))
                    .collect()
            }
            Data::Scalar { .. } => return None,
        },
        _ => return None,
    })
}
