//! The filters that need nothing but their input.
//!
//! Names of Liquid, of Jekyll and of Nunjucks; where they share a name they do the same to what pages hold. A filter that is not here is
//! the site's own code.

use super::dates;
use super::value::Value;

/// The arguments of a filter or tag.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Args {
    pub(crate) values: Vec<Value>,
    pub(crate) named: Vec<(String, Value)>,
}

impl Args {
    pub(crate) fn get(&self, at: usize) -> Option<&Value> {
        self.values.get(at)
    }

    fn text(&self, at: usize) -> String {
        self.get(at).and_then(Value::shown).unwrap_or_default()
    }

    fn number(&self, at: usize) -> Option<f64> {
        self.get(at).and_then(Value::number)
    }

    pub(crate) fn has_unknown(&self) -> bool {
        let named = self.named.iter().map(|(_, value)| value);
        self.values
            .iter()
            .chain(named)
            .any(|value| *value == Value::Unknown)
    }
}

/// The value of a filter; none when it is not known. What is not known stays so, unless the filter gives it a default.
pub(super) fn apply(name: &str, input: &Value, args: &Args) -> Option<Value> {
    if matches!(
        name,
        "safe" | "raw" | "markdownify" | "md" | "markdown" | "mark_safe"
    ) {
        return Some(input.clone());
    }
    let known = named(name)?;
    if *input == Value::Unknown || args.has_unknown() {
        return Some(Value::Unknown);
    }
    known.of(input, args)
}

/// The filters, by what they work on.
enum Filter {
    Text(fn(&str, &Args) -> String),
    Number(fn(f64, f64) -> Option<f64>),
    List(fn(Vec<Value>, &Args) -> Value),
    Any(fn(&Value, &Args) -> Value),
}

impl Filter {
    fn of(&self, input: &Value, args: &Args) -> Option<Value> {
        Some(match self {
            Filter::Text(apply) => match input.shown() {
                Some(text) => Value::text(apply(&text, args)),
                None => Value::Unknown,
            },
            Filter::Number(apply) => {
                let number = input.number().unwrap_or(0.0);
                match apply(number, args.number(0).unwrap_or(0.0)) {
                    Some(number) => Value::of_number(number),
                    None => Value::Unknown,
                }
            }
            Filter::List(apply) => match input.items() {
                Some(items) => apply(items, args),
                None => Value::Unknown,
            },
            Filter::Any(apply) => apply(input, args),
        })
    }
}

fn named(name: &str) -> Option<Filter> {
    Some(match name {
        "upcase" | "upper" => Filter::Text(|text, _| text.to_uppercase()),
        "downcase" | "lower" => Filter::Text(|text, _| text.to_lowercase()),
        "capitalize" => Filter::Text(|text, _| capitalized(text)),
        "title" => Filter::Text(|text, _| {
            text.split(' ')
                .map(capitalized)
                .collect::<Vec<String>>()
                .join(" ")
        }),
        "strip" | "trim" => Filter::Text(|text, _| text.trim().to_owned()),
        "lstrip" => Filter::Text(|text, _| text.trim_start().to_owned()),
        "rstrip" => Filter::Text(|text, _| text.trim_end().to_owned()),
        "append" => Filter::Text(|text, args| format!("{text}{}", args.text(0))),
        "prepend" => Filter::Text(|text, args| format!("{}{text}", args.text(0))),
        "replace" => Filter::Text(|text, args| text.replace(&args.text(0), &args.text(1))),
        "replace_first" => {
            Filter::Text(|text, args| text.replacen(&args.text(0), &args.text(1), 1))
        }
        "remove" => Filter::Text(|text, args| text.replace(&args.text(0), "")),
        "remove_first" => Filter::Text(|text, args| text.replacen(&args.text(0), "", 1)),
        "truncate" => Filter::Text(truncated),
        "truncatewords" => Filter::Text(truncated_words),
        "escape" | "e" | "xml_escape" | "escape_once" => Filter::Text(|text, _| escaped(text)),
        "strip_html" | "striptags" => Filter::Text(|text, _| without_tags(text)),
        "strip_newlines" => Filter::Text(|text, _| text.replace('\n', "")),
        "newline_to_br" | "nl2br" => Filter::Text(|text, _| text.replace('\n', "<br>\n")),
        "normalize_whitespace" => {
            Filter::Text(|text, _| text.split_whitespace().collect::<Vec<&str>>().join(" "))
        }
        "url_encode" | "urlencode" | "cgi_escape" | "uri_escape" => {
            Filter::Text(|text, _| encoded(text))
        }
        "url_decode" => Filter::Text(|text, _| artifact::route::decoded(text).into_owned()),
        "slugify" | "slug" => Filter::Text(|text, _| slug(text)),
        "number_of_words" | "wordcount" => Filter::Any(|input, _| {
            let text = input.shown().unwrap_or_default();
            Value::of_number(text.split_whitespace().count() as f64)
        }),
        "smartify" | "indent" => Filter::Text(|text, _| text.to_owned()),
        "date" => Filter::Text(|text, args| dates::formatted(text, &args.text(0))),
        "date_to_string" => Filter::Text(|text, _| dates::formatted(text, "%d %b %Y")),
        "date_to_long_string" => Filter::Text(|text, _| dates::formatted(text, "%d %B %Y")),
        "date_to_xmlschema" => {
            Filter::Text(|text, _| dates::formatted(text, "%Y-%m-%dT%H:%M:%S+00:00"))
        }
        "plus" => Filter::Number(|a, b| Some(a + b)),
        "minus" => Filter::Number(|a, b| Some(a - b)),
        "times" => Filter::Number(|a, b| Some(a * b)),
        "divided_by" => Filter::Number(|a, b| {
            let whole = a.fract() == 0.0 && b.fract() == 0.0;
            (b != 0.0).then(|| if whole { (a / b).floor() } else { a / b })
        }),
        "modulo" => Filter::Number(|a, b| (b != 0.0).then(|| a.rem_euclid(b))),
        "abs" => Filter::Number(|a, _| Some(a.abs())),
        "ceil" => Filter::Number(|a, _| Some(a.ceil())),
        "floor" => Filter::Number(|a, _| Some(a.floor())),
        "round" => Filter::Number(|a, b| {
            let by = 10f64.powf(b);
            Some((a * by).round() / by)
        }),
        "int" => Filter::Number(|a, _| Some(a.trunc())),
        "size" | "length" => Filter::Any(|input, _| match input {
            Value::Map(entries) => Value::of_number(entries.len() as f64),
            other => other.member("size"),
        }),
        "first" => Filter::Any(|input, _| {
            input
                .items()
                .map_or(Value::Unknown, |i| i.first().cloned().unwrap_or(Value::Nil))
        }),
        "last" => Filter::Any(|input, _| {
            input
                .items()
                .map_or(Value::Unknown, |i| i.last().cloned().unwrap_or(Value::Nil))
        }),
        "default" => Filter::Any(|input, args| {
            let empty = match input {
                Value::Nil | Value::Boolean(false) => true,
                Value::Text(text) => text.is_empty(),
                Value::List(items) => items.is_empty(),
                _ => false,
            };
            if empty {
                args.get(0).cloned().unwrap_or(Value::Nil)
            } else {
                input.clone()
            }
        }),
        "jsonify" | "json" | "dump" | "inspect" => {
            Filter::Any(|input, _| json(input).map_or(Value::Unknown, Value::text))
        }
        "split" => Filter::Any(|input, args| {
            let (text, by) = (input.shown().unwrap_or_default(), args.text(0));
            let parts: Vec<Value> = match by.is_empty() {
                true => text.chars().map(|c| Value::text(c.to_string())).collect(),
                false => text.split(by.as_str()).map(Value::text).collect(),
            };
            Value::list(parts)
        }),
        "join" => Filter::List(|items, args| {
            let by = args
                .get(0)
                .and_then(Value::shown)
                .unwrap_or_else(|| " ".into());
            let parts: Option<Vec<String>> = items.iter().map(Value::shown).collect();
            parts.map_or(Value::Unknown, |parts| Value::text(parts.join(&by)))
        }),
        "array_to_sentence_string" => Filter::List(|items, _| {
            let parts: Option<Vec<String>> = items.iter().map(Value::shown).collect();
            match parts.as_deref() {
                None => Value::Unknown,
                Some([]) => Value::text(""),
                Some([one]) => Value::text(one),
                Some([one, two]) => Value::text(format!("{one} and {two}")),
                Some([first @ .., last]) => {
                    Value::text(format!("{}, and {last}", first.join(", ")))
                }
            }
        }),
        "reverse" => Filter::List(|mut items, _| {
            items.reverse();
            Value::list(items)
        }),
        "sort" | "sort_natural" => Filter::List(sorted),
        "uniq" | "unique" => Filter::List(|items, _| {
            let mut kept: Vec<Value> = Vec::new();
            for item in items {
                if !kept.contains(&item) {
                    kept.push(item);
                }
            }
            Value::list(kept)
        }),
        "compact" => Filter::List(|mut items, _| {
            items.retain(|item| *item != Value::Nil);
            Value::list(items)
        }),
        "concat" => Filter::List(|mut items, args| {
            items.extend(args.get(0).and_then(Value::items).unwrap_or_default());
            Value::list(items)
        }),
        "push" => Filter::List(|mut items, args| {
            items.extend(args.get(0).cloned());
            Value::list(items)
        }),
        "map" => Filter::List(|items, args| {
            let name = args.text(0);
            Value::list(items.iter().map(|item| item.member(&name)).collect())
        }),
        "where" => Filter::List(|mut items, args| {
            let name = args.text(0);
            items.retain(|item| match (item.member(&name), args.get(1)) {
                (Value::List(values), Some(wanted)) => values.contains(wanted),
                (value, Some(wanted)) => value == *wanted,
                (value, None) => !matches!(value, Value::Nil | Value::Boolean(false)),
            });
            Value::list(items)
        }),
        "slice" => Filter::Any(sliced),
        _ => return None,
    })
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first
            .to_uppercase()
            .chain(chars.flat_map(char::to_lowercase))
            .collect(),
        None => String::new(),
    }
}

fn truncated(text: &str, args: &Args) -> String {
    let length = args.number(0).unwrap_or(50.0) as usize;
    let end = args
        .get(1)
        .and_then(Value::shown)
        .unwrap_or_else(|| "...".into());
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let kept: String = text
        .chars()
        .take(length.saturating_sub(end.chars().count()))
        .collect();
    kept + &end
}

fn truncated_words(text: &str, args: &Args) -> String {
    let count = args.number(0).unwrap_or(15.0) as usize;
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.get(..count) {
        Some(kept) if words.len() > count => kept.join(" ") + "...",
        _ => text.to_owned(),
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

fn without_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        match rest[open..].find('>') {
            Some(close) => rest = &rest[open + close + 1..],
            None => {
                rest = &rest[open..];
                break;
            }
        }
    }
    out + rest
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b':' => {
                out.push(byte as char)
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Letters and digits in lower case, with hyphens between.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

fn sorted(mut items: Vec<Value>, args: &Args) -> Value {
    let key = args.get(0).and_then(|value| match value {
        Value::Text(name) => Some(name.to_string()),
        _ => None,
    });
    let of = |item: &Value| match &key {
        Some(name) => item.member(name),
        None => item.clone(),
    };
    items.sort_by(|a, b| {
        let (a, b) = (of(a), of(b));
        match (a.number(), b.number()) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => a.shown().cmp(&b.shown()),
        }
    });
    Value::list(items)
}

fn sliced(input: &Value, args: &Args) -> Value {
    let from = args.number(0).unwrap_or(0.0) as i64;
    let count = args.number(1).unwrap_or(1.0).max(0.0) as usize;
    let start = |length: usize| match usize::try_from(from) {
        Ok(from) => from,
        Err(_) => length.saturating_sub(usize::try_from(-from).unwrap_or(usize::MAX)),
    };
    match input {
        Value::List(items) => Value::list(
            items
                .iter()
                .skip(start(items.len()))
                .take(count)
                .cloned()
                .collect(),
        ),
        other => {
            let text = other.shown().unwrap_or_default();
            Value::text(
                text.chars()
                    .skip(start(text.chars().count()))
                    .take(count)
                    .collect::<String>(),
            )
        }
    }
}

fn json(value: &Value) -> Option<String> {
    Some(match value {
        Value::Unknown => return None,
        Value::Nil => "null".into(),
        Value::Text(text) | Value::Block(text) => serde_json::to_string(&**text).ok()?,
        Value::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(json).collect();
            format!("[{}]", items?.join(","))
        }
        Value::Map(entries) => {
            let mut parts = Vec::new();
            for (key, value) in entries.iter() {
                parts.push(format!(
                    "{}:{}",
                    serde_json::to_string(key).ok()?,
                    json(value)?
                ));
            }
            format!("{{{}}}", parts.join(","))
        }
        other => other.shown()?,
    })
}
