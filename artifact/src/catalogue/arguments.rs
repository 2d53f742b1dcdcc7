//! Reading the arguments of a call.
//!
//! Models send sloppy JSON. Where the meaning is certain it is read: a whole number may come as `10`, `10.0` or `"10"`, an
//! object as a text that holds one, a text as a bare number (`2024` for the tag of that name, digit for digit). Texts are trimmed;
//! for an optional argument, `null` and a blank text mean that it is absent. A text that was asked for is never read as anything
//! but text. All else is refused, with every problem of the call at once. The same table writes the schema and drives this.
//!
//! ```
//! use artifact::catalogue::{SiteSurface, Tool, definition, read};
//! let arguments = definition(Tool::ListPages, &SiteSurface::default()).arguments;
//! assert!(read(Some(r#"{"limit": "10.0"}"#), &arguments).is_ok());
//! let problems = read(Some(r#"{"limit": 0, "offset": 5}"#), &arguments).unwrap_err();
//! assert_eq!(problems.len(), 2);
//! ```

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::nearest::nearest;
use super::refusal::{Problem, advice, allowed, shown};
use super::schema::{Field, Kind};

/// A value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number within its bounds.
    Integer(i64),
    /// Text or one of some words: trimmed, not blank.
    Text(String),
    /// The members of an object.
    Object(Values),
}

/// The arguments that were given, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(Vec<(String, Value)>);

impl Values {
    /// Takes a number out.
    pub fn integer(&mut self, name: &str) -> Option<i64> {
        match self.take(name)? {
            Value::Integer(number) => Some(number),
            Value::Text(_) | Value::Object(_) => None,
        }
    }

    /// Takes a text out.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Value::Text(text) => Some(text),
            Value::Integer(_) | Value::Object(_) => None,
        }
    }

    /// Takes an object out.
    pub fn object(&mut self, name: &str) -> Option<Values> {
        match self.take(name)? {
            Value::Object(values) => Some(values),
            Value::Integer(_) | Value::Text(_) => None,
        }
    }

    /// Whether an argument was given.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(at).1)
    }
}

/// Reads the raw arguments of a call by a tool's table of arguments. No arguments at all are an empty object.
///
/// # Errors
/// Every problem of the call.
pub fn read(raw: Option<&str>, arguments: &[Field]) -> Result<Values, Vec<Problem>> {
    let mut problems = Vec::new();
    let raw = raw
        .map(str::trim)
        .filter(|raw| *raw != "null")
        .unwrap_or("{}");
    let values = match members(raw) {
        Some(members) => read_members("", &members, arguments, &mut problems),
        None => {
            problems.push(Problem::NotAnObject { got: shown(raw) });
            Values::default()
        }
    };
    if problems.is_empty() {
        Ok(values)
    } else {
        Err(problems)
    }
}

/// An object that is a text, or an object that is one.
fn members(raw: &str) -> Option<Members<'_>> {
    serde_json::from_str(raw).ok()
}

fn read_members(
    path: &str,
    members: &Members<'_>,
    fields: &[Field],
    problems: &mut Vec<Problem>,
) -> Values {
    let mut values = Values::default();
    for field in fields {
        // Of a key that stands twice the last counts, as in most JSON readers.
        let raw = members
            .0
            .iter()
            .rev()
            .find(|(name, _)| *name == field.name)
            .map(|(_, raw)| raw.get());
        let name = format!("{path}{}", field.name);
        match raw.filter(|raw| *raw != "null") {
            None => missing(name, field, problems),
            Some(raw) => match read_value(&name, raw, field, problems) {
                Read::Value(value) => values.0.push((field.name.to_string(), value)),
                Read::Blank => missing(name, field, problems),
                Read::Refused => {}
            },
        }
    }
    let mut unknown: Vec<&str> = Vec::new();
    for (name, _) in &members.0 {
        if !fields.iter().any(|field| field.name == **name) && !unknown.contains(&&**name) {
            unknown.push(name);
            problems.push(Problem::Unknown {
                name: format!("{path}{}", shown(name)),
                closest: closest(name, fields).map(|closest| format!("{path}{closest}")),
                known: fields
                    .iter()
                    .map(|field| format!("{path}{}", field.name))
                    .collect(),
            });
        }
    }
    values
}

fn closest<'a>(name: &str, fields: &'a [Field]) -> Option<&'a str> {
    let folded = name.to_lowercase();
    let called = fields
        .iter()
        .find(|field| field.name == *folded || field.synonyms.contains(&&*folded));
    called
        .map(|field| &*field.name)
        .or_else(|| nearest(name, fields.iter().map(|field| &*field.name), 1).pop())
}

fn missing(name: String, field: &Field, problems: &mut Vec<Problem>) {
    if field.required {
        problems.push(Problem::Missing {
            name,
            allowed: allowed(&field.kind),
            description: field.description.clone(),
        });
    }
}

enum Read {
    Value(Value),
    Blank,
    Refused,
}

fn read_value(name: &str, raw: &str, field: &Field, problems: &mut Vec<Problem>) -> Read {
    let text = if raw.starts_with('"') {
        serde_json::from_str::<String>(raw).ok()
    } else {
        None
    };
    let text = text.as_deref().map(str::trim);
    if text == Some("") {
        return Read::Blank;
    }
    let number = raw
        .starts_with(|c: char| c == '-' || c.is_ascii_digit())
        .then_some(raw);
    let wrong = |advice: String| Problem::Wrong {
        name: name.to_owned(),
        allowed: allowed(&field.kind),
        got: shown(raw),
        advice,
    };
    match &field.kind {
        Kind::Integer { min, max, .. } => {
            let read = number
                .and_then(whole)
                .or_else(|| text.and_then(whole_in_text));
            match read.filter(|n| n >= min && max.is_none_or(|max| *n <= max)) {
                Some(n) => Read::Value(Value::Integer(n)),
                None => refuse(problems, wrong(advice(field))),
            }
        }
        Kind::Text { max_chars } => match text.or(number) {
            None => refuse(problems, wrong(advice(field))),
            Some(text) => match text.chars().count() {
                got if got > *max_chars => refuse(
                    problems,
                    Problem::TooLong {
                        name: name.to_owned(),
                        max: *max_chars,
                        got,
                    },
                ),
                _ => Read::Value(Value::Text(text.to_owned())),
            },
        },
        Kind::Uuid => match text.and_then(uuid) {
            Some(uuid) => Read::Value(Value::Text(uuid)),
            None => refuse(problems, wrong(advice(field))),
        },
        Kind::Choice { options, .. } => match text.or(number) {
            Some(text) if options.iter().any(|option| option == text) => {
                Read::Value(Value::Text(text.to_owned()))
            }
            text => {
                let near = text
                    .map(|text| nearest(text, options.iter().map(String::as_str), 3))
                    .unwrap_or_default();
                let advice = if near.is_empty() {
                    advice(field)
                } else {
                    format!("Did you mean {}?", shown(&near.join(", ")))
                };
                refuse(problems, wrong(advice))
            }
        },
        Kind::Object(fields) => {
            let inner = if raw.starts_with('{') {
                members(raw)
            } else {
                text.filter(|text| text.starts_with('{')).and_then(members)
            };
            match inner {
                Some(inner) => {
                    let before = problems.len();
                    let values = read_members(&format!("{name}."), &inner, fields, problems);
                    if problems.len() == before {
                        Read::Value(Value::Object(values))
                    } else {
                        Read::Refused
                    }
                }
                None => refuse(problems, wrong(advice(field))),
            }
        }
        // No tool that is served takes these.
        Kind::Number | Kind::Boolean | Kind::List(_) => refuse(problems, wrong(advice(field))),
    }
}

fn refuse(problems: &mut Vec<Problem>, problem: Problem) -> Read {
    problems.push(problem);
    Read::Refused
}

/// The whole number that a JSON number is. Numbers beyond `i64` count as its ends: they are beyond every bound as well.
fn whole(raw: &str) -> Option<i64> {
    if let Ok(number) = raw.parse() {
        return Some(number);
    }
    let number: f64 = raw
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && number.fract() == 0.0)?;
    // `as` saturates, which is what is wanted.
    Some(number as i64)
}

/// `"10"` and `"10.0"` are numbers; `"1e1"`, `"0x0a"` and `"ten"` are not certain enough.
fn whole_in_text(text: &str) -> Option<i64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    if digits(integer) && digits(fraction) {
        whole(text.strip_prefix('+').unwrap_or(text))
    } else {
        None
    }
}

/// A UUID with or without hyphens, braces or `urn:uuid:`, in any letter case, as lower case with hyphens.
fn uuid(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let text = text.strip_prefix("urn:uuid:").unwrap_or(&text);
    let text = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'))
        .unwrap_or(text);
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    let good = digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    good.then(|| {
        [
            &digits[..8],
            &digits[8..12],
            &digits[12..16],
            &digits[16..20],
            &digits[20..],
        ]
        .join("-")
    })
}

/// The members of a JSON object as they stand in the text.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, raw)) = map.next_entry::<String, &'de RawValue>()? {
                    members.push((name, raw));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}
