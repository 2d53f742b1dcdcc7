//! An answer short enough for a page: what is left out is said where it stood.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// Entries of a list that stay.
const ENTRIES: usize = 2;
/// Characters of a text that stay.
const CHARS: usize = 240;
/// Lines of a text that is no JSON that stay.
const LINES: usize = 16;

/// JSON whose members stay in the order in which they came.
enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Other(Value),
}

impl Json {
    fn shortened(self) -> Json {
        match self {
            Json::Object(members) => {
                let members = members
                    .into_iter()
                    .map(|(key, value)| (key, value.shortened()));
                Json::Object(members.collect())
            }
            Json::List(entries) => {
                let more = entries.len().saturating_sub(ENTRIES);
                let mut shown: Vec<Json> = entries
                    .into_iter()
                    .take(ENTRIES)
                    .map(Json::shortened)
                    .collect();
                if more > 0 {
                    shown.push(Json::Other(format!("… {more} more").into()));
                }
                Json::List(shown)
            }
            Json::Other(Value::String(text)) => Json::Other(cut(&text).into()),
            other => other,
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (key, value)))
            }
            Json::List(entries) => serializer.collect_seq(entries),
            Json::Other(value) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Json::Object(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = seq.next_element()? {
                    entries.push(entry);
                }
                Ok(Json::List(entries))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Other(text.into()))
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }

            fn visit_unit<E: Error>(self) -> Result<Json, E> {
                Ok(Json::Other(Value::Null))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A call as clients send it: `{"name": …, "arguments": …}` on several lines.
pub(super) fn call(name: &str, arguments: &str) -> String {
    let arguments = serde_json::from_str(arguments).unwrap_or(Json::Object(Vec::new()));
    let members = [("name", Json::Other(name.into())), ("arguments", arguments)];
    let call = Json::Object(members.map(|(key, value)| (key.to_owned(), value)).into());
    serde_json::to_string_pretty(&call).unwrap_or_default()
}

/// An answer's text: JSON on several lines with shorter lists, any other text with fewer lines.
pub(super) fn text(text: &str) -> String {
    if text.starts_with('{')
        && let Ok(value) = serde_json::from_str::<Json>(text)
    {
        return serde_json::to_string_pretty(&value.shortened()).unwrap_or_default();
    }
    let text = text.trim_end();
    let lines: Vec<&str> = text.lines().collect();
    let mut out: String = lines
        .iter()
        .take(LINES)
        .map(|line| cut(line) + "\n")
        .collect();
    if lines.len() > LINES {
        out.push_str(&format!("… {} more lines\n", lines.len() - LINES));
    }
    out.trim_end().to_owned()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_texts_are_shortened_and_say_so() {
        let long = "x".repeat(300);
        let json =
            serde_json::json!({ "n": 4, "list": [{ "a": [1, 2, 3] }, 2, 3, 4], "text": long });
        assert_eq!(
            text(r#"{"b":1,"a":null}"#),
            "{\n  \"b\": 1,\n  \"a\": null\n}"
        );
        let shown = text(&json.to_string());
        assert!(
            shown.contains("\"… 2 more\"") && shown.contains("\"… 1 more\""),
            "{shown}"
        );
        assert!(
            shown.contains(&format!("{}…", "x".repeat(CHARS)))
                && !shown.contains(&"x".repeat(CHARS + 1))
        );
        assert_eq!(text("one\ntwo\n"), "one\ntwo");
        assert!(text(&"line\n".repeat(40)).ends_with("\n… 24 more lines"));
    }
}
