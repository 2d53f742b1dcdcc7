//! YAML front matter, by the core schema of YAML 1.2.
//!
//! The parser's events are used rather than its values, because a value would have lost how it was written. Only plain
//! scalars are anything but text, and only the words and numbers of the core schema: `NO`, `10:00`, `on` and `2024-05-01` are text.
//!
//! Aliases are copied. The copies count, and a block that grows beyond [`MOST_NODES`] values is refused.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::value::{Entry, Node, Scalar, Value};
use crate::problem::Problem;

/// More values than anyone writes above a page.
const MOST_NODES: usize = 20_000;
/// Lists and tables inside each other.
const MOST_DEPTH: usize = 64;

/// Reads a block that begins on the file's second line. `None` when it is not a map: a text or a list.
pub(super) fn parse(block: &str, file: &str) -> Result<Option<Vec<Entry>>, Box<Problem>> {
    let mut loader = Loader {
        events: Parser::new_from_str(block),
        anchors: HashMap::new(),
        nodes: 0,
        file,
    };
    loop {
        let (event, span) = match loader.next()? {
            Some(found) => found,
            None => return Ok(Some(Vec::new())),
        };
        match event {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(Some(Vec::new())),
            event => {
                let node = loader.node(event, span, 0)?;
                let map = match node.value {
                    Value::Map(map) => Some(map),
                    Value::Scalar {
                        kind: Scalar::Null, ..
                    } => Some(Vec::new()),
                    _ => None,
                };
                // Read on to the end: what stands behind the map may be broken.
                while let Some((event, _)) = loader.next()? {
                    if matches!(event, Event::StreamEnd | Event::DocumentEnd) {
                        break;
                    }
                }
                return Ok(map);
            }
        }
    }
}

struct Loader<'a> {
    events: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    file: &'a str,
}

impl<'a> Loader<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Span)>, Box<Problem>> {
        match self.events.next_event() {
            None => Ok(None),
            Some(Ok(found)) => Ok(Some(found)),
            Some(Err(error)) => Err(Box::new(self.broken(&error))),
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Box<Problem>> {
        let line = line_of(&span);
        let before = self.nodes;
        self.count(1, line)?;
        if depth > MOST_DEPTH {
            return Err(self.refuse(line, "the front matter is nested too deeply"));
        }
        let (node, anchor) = match event {
            Event::Alias(id) => {
                let Some((node, size)) = self.anchors.get(&id).cloned() else {
                    return Err(self.refuse(line, "an alias stands inside its own anchor"));
                };
                self.count(size, line)?;
                (Node { line, ..node }, 0)
            }
            Event::Scalar(text, style, anchor, tag) => {
                let text_tag = tag.as_ref().is_some_and(|tag| tag.suffix == "str");
                let kind = if style == ScalarStyle::Plain && !text_tag {
                    core_schema(&text)
                } else {
                    Scalar::Text
                };
                (Node::scalar(line, text, kind), anchor)
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        None | Some((Event::SequenceEnd, _)) => break,
                        Some((event, span)) => items.push(self.node(event, span, depth + 1)?),
                    }
                }
                (
                    Node {
                        line,
                        value: Value::List(items),
                    },
                    anchor,
                )
            }
            Event::MappingStart(anchor, _) => {
                let entries = self.entries(depth)?;
                (
                    Node {
                        line,
                        value: Value::Map(entries),
                    },
                    anchor,
                )
            }
            _ => (Node::scalar(line, "", Scalar::Null), 0),
        };
        if anchor > 0 {
            self.anchors
                .insert(anchor, (node.clone(), self.nodes - before));
        }
        Ok(node)
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<Entry>, Box<Problem>> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut merged: Vec<Entry> = Vec::new();
        loop {
            let key = match self.next()? {
                None | Some((Event::MappingEnd, _)) => break,
                Some((event, span)) => self.node(event, span, depth + 1)?,
            };
            let Some((event, span)) = self.next()? else {
                break;
            };
            let node = self.node(event, span, depth + 1)?;
            let line = key.line;
            match key_text(&key) {
                Some("<<") => merged.extend(merge(node)),
                Some(text) => entries.push(Entry {
                    key: text.to_owned(),
                    line,
                    node,
                }),
                None => {
                    let what = "a key of the front matter is not a single value";
                    return Err(self.refuse(line, what));
                }
            }
        }
        merged.retain(|m| !entries.iter().any(|e| e.key == m.key));
        let mut seen: Vec<String> = Vec::new();
        merged.retain(|m| {
            let new = !seen.contains(&m.key);
            seen.push(m.key.clone());
            new
        });
        entries.extend(merged);
        Ok(entries)
    }

    fn count(&mut self, more: usize, line: u32) -> Result<(), Box<Problem>> {
        self.nodes += more;
        if self.nodes > MOST_NODES {
            return Err(self.refuse(
                line,
                "the front matter has too many values once its aliases are followed",
            ));
        }
        Ok(())
    }

    fn refuse(&self, line: u32, what: &str) -> Box<Problem> {
        Box::new(Problem::error(self.file, what).at(line))
    }

    fn broken(&self, error: &ScanError) -> Problem {
        let mark = error.marker();
        let column = u32::try_from(mark.col() + 1).unwrap_or(u32::MAX);
        let info = error.info();
        let help = if info.contains("mapping values are not allowed") {
            "a value with `: ` in it needs quotes, as in `title: \"Tea: a start\"`"
        } else if info.contains("tab") {
            "indent with spaces"
        } else if info.contains("character that cannot start any token") || info.contains("unknown")
        {
            "a value that starts with a sign such as `@`, `%`, `*` or a backtick needs quotes"
        } else {
            "quote values that hold signs, and close every quote and bracket"
        };
        Problem::error(
            self.file,
            format!("the front matter is not valid YAML: {info}"),
        )
        .at_column(file_line(mark.line()), column)
        .help(help)
    }
}

/// The block's first line is the file's second; the parser counts lines from 1.
fn file_line(line: usize) -> u32 {
    u32::try_from(line.max(1) + 1).unwrap_or(u32::MAX)
}

fn line_of(span: &Span) -> u32 {
    file_line(span.start.line())
}

fn key_text(key: &Node) -> Option<&str> {
    match &key.value {
        Value::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

fn merge(node: Node) -> Vec<Entry> {
    match node.value {
        Value::Map(entries) => entries,
        Value::List(items) => items.into_iter().flat_map(merge).collect(),
        Value::Scalar { .. } => Vec::new(),
    }
}

/// What a plain scalar means by the core schema of YAML 1.2.
fn core_schema(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "true" | "True" | "TRUE" => return Scalar::Boolean(true),
        "false" | "False" | "FALSE" => return Scalar::Boolean(false),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits(unsigned) {
        return text.parse().map_or(Scalar::Text, Scalar::Integer);
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        let found = text
            .strip_prefix(prefix)
            .filter(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|rest| i64::from_str_radix(rest, radix).ok());
        if let Some(number) = found {
            return Scalar::Integer(number);
        }
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            exponent.strip_prefix(['+', '-']).unwrap_or(exponent),
        ),
        None => (unsigned, "0"),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let good = |text: &str| text.is_empty() || digits(text);
    if good(whole) && good(part) && !(whole.is_empty() && part.is_empty()) && digits(exponent) {
        return match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Scalar::Number(number),
            _ => Scalar::Text,
        };
    }
    Scalar::Text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_core_schema_is_anything_but_text() {
        for text in [
            "NO",
            "yes",
            "on",
            "10:00",
            "2024-05-01",
            "1_000",
            "0b1",
            "1.2.3",
            ".",
            "-",
            "e5",
            ".inf",
            "0x",
            "99999999999999999999",
            "1e999",
        ] {
            assert_eq!(core_schema(text), Scalar::Text, "{text}");
        }
        for (text, kind) in [
            ("~", Scalar::Null),
            ("True", Scalar::Boolean(true)),
            ("-12", Scalar::Integer(-12)),
            ("007", Scalar::Integer(7)),
            ("0o17", Scalar::Integer(15)),
            ("0xfF", Scalar::Integer(255)),
            ("3.10", Scalar::Number(3.1)),
            (".5", Scalar::Number(0.5)),
            ("1.", Scalar::Number(1.0)),
            ("-1e3", Scalar::Number(-1000.0)),
        ] {
            assert_eq!(core_schema(text), kind, "{text}");
        }
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut block = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..10 {
            let last = level - 1;
            let aliases = vec![format!("*a{last}"); 10].join(", ");
            block.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        let problem = parse(&block, "a.md").unwrap_err();
        assert!(problem.what.contains("too many values"), "{}", problem.what);
        assert!(parse("a: &a [*a]\n", "a.md").is_err());
    }

    #[test]
    fn aliases_and_merges_are_followed() {
        let map = parse("base: &b {x: 1, y: 2}\nhere:\n  <<: *b\n  y: 3\n", "a.md")
            .unwrap()
            .unwrap();
        let Value::Map(here) = &map[1].node.value else {
            panic!()
        };
        let told: Vec<_> = here
            .iter()
            .map(|e| (e.key.as_str(), e.node.text().unwrap()))
            .collect();
        assert_eq!(told, [("y", "3"), ("x", "1")]);
    }

    #[test]
    fn deep_nesting_is_refused() {
        for block in [
            "[".repeat(100_000),
            format!("a: {}{}", "[".repeat(200), "]".repeat(200)),
        ] {
            assert!(parse(&block, "a.md").is_err());
        }
    }
}
