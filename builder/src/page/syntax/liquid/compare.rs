//! What comparisons of values say. What is made of a value that is not known is not known either.

use super::Dialect;
use super::value::Value;

/// Whether a value counts as true. None when it is not known.
pub(super) fn truth(value: &Value, dialect: Dialect) -> Option<bool> {
    Some(match value {
        Value::Unknown => return None,
        Value::Nil | Value::Boolean(false) => false,
        Value::Integer(0) if dialect == Dialect::Nunjucks => false,
        Value::Text(text) if dialect == Dialect::Nunjucks => !text.is_empty(),
        _ => true,
    })
}

pub(super) fn range(first: &Value, last: &Value) -> Value {
    match (first.number(), last.number()) {
        (Some(from), Some(to)) if to - from < 10_000.0 => {
            Value::list((from as i64..=to as i64).map(Value::Integer).collect())
        }
        _ => Value::Unknown,
    }
}

pub(super) fn compare(sign: &str, left: &Value, right: &Value) -> Value {
    if *left == Value::Unknown || *right == Value::Unknown {
        return Value::Unknown;
    }
    let is_empty = |value: &Value| match value {
        Value::Text(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    };
    let equal = || match (left, right) {
        (Value::Text(l), Value::Text(r)) => l == r,
        (Value::Text(text), other) | (other, Value::Text(text)) if text.is_empty() => {
            is_empty(other)
        }
        (l, r) => l == r || (l.number().is_some() && l.number() == r.number()),
    };
    let order = || match (left.number(), right.number()) {
        (Some(l), Some(r)) => l.partial_cmp(&r),
        _ => Some(left.shown()?.cmp(&right.shown()?)),
    };
    Value::Boolean(match sign {
        "==" | "===" => equal(),
        "!=" | "!==" | "<>" => !equal(),
        _ if *left == Value::Nil || *right == Value::Nil => false,
        "<" => order().is_some_and(|o| o.is_lt()),
        ">" => order().is_some_and(|o| o.is_gt()),
        "<=" => order().is_some_and(|o| o.is_le()),
        _ => order().is_some_and(|o| o.is_ge()),
    })
}

pub(super) fn holds(whole: &Value, part: &Value) -> Value {
    match (whole, part) {
        (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
        (Value::Text(whole), part) => {
            Value::Boolean(part.shown().is_some_and(|part| whole.contains(&part)))
        }
        (Value::List(items), part) => Value::Boolean(items.contains(part)),
        (Value::Map(entries), part) => {
            let key = part.shown().unwrap_or_default();
            Value::Boolean(entries.iter().any(|(name, _)| *name == key))
        }
        _ => Value::Boolean(false),
    }
}
