//! Zola's shortcodes: `{{ name(args) }}` and `{% name(args) %}…{% end %}`.
//!
//! They work in code as anywhere; `{{/* name() */}}` and `{%/* name() */%}` show them. (Zola's documentation, "Shortcodes".)

use std::ops::Range;

use super::shortcodes::{Arguments, Node, Tag, tree};

/// Takes a text with Zola's shortcodes apart.
pub(crate) fn parse(text: &str) -> Vec<Node> {
    if !text.contains("{{") && !text.contains("{%") {
        return vec![Node::Plain(0..text.len())];
    }
    let mut tags: Vec<(Range<usize>, Tag)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|found| at + found) {
        match tag(&text[start..]) {
            Some((tag, length)) => {
                tags.push((start..start + length, tag));
                at = start + length;
            }
            None => at = start + 1,
        }
    }
    tree(text, tags)
}

/// Reads the tag at the start of a text, and its length.
fn tag(text: &str) -> Option<(Tag, usize)> {
    let close = match text.get(..2)? {
        "{{" => "}}",
        "{%" => "%}",
        _ => return None,
    };
    let inside = &text[2..];
    if let Some(comment) = inside.strip_prefix("/*") {
        let end = comment.find("*/")?;
        let rest = comment[end + 2..].strip_prefix(close)?;
        let shown = format!("{}{}{close}", &text[..2], &comment[..end]);
        return Some((Tag::Shown(shown), text.len() - rest.len()));
    }
    let rest = inside.trim_start_matches('-').trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, rest) = rest.split_at(end);
    let rest = rest.trim_start();
    let closing = |rest: &str| {
        let rest = rest.trim_start();
        rest.strip_prefix(close)
            .or_else(|| rest.strip_prefix('-')?.strip_prefix(close))
            .map(|rest| text.len() - rest.len())
    };
    if name == "end" && close == "%}" {
        return Some((Tag::Close(String::new()), closing(rest)?));
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (args, rest) = arguments(rest.strip_prefix('(')?)?;
    let length = closing(rest)?;
    let name = name.to_owned();
    Some(match close {
        "%}" => (Tag::Open { name, args }, length),
        _ => (Tag::Alone { name, args }, length),
    })
}

/// The arguments up to the closing parenthesis, and what follows it.
fn arguments(text: &str) -> Option<(Arguments, &str)> {
    let mut args = Arguments::default();
    let mut rest = text.trim_start();
    loop {
        if let Some(rest) = rest.strip_prefix(')') {
            return Some((args, rest));
        }
        let (key, after) = rest.split_once('=')?;
        let key = key.trim();
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let (value, after) = value(after.trim_start())?;
        args.named.push((key.to_owned(), value));
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
}

/// A text in quotes, a list, or a word.
fn value(text: &str) -> Option<(String, &str)> {
    let first = text.chars().next()?;
    match first {
        '"' | '\'' | '`' => {
            let (value, rest) = text[1..].split_once(first)?;
            Some((value.to_owned(), rest))
        }
        '[' => {
            let mut items = Vec::new();
            let mut rest = text[1..].trim_start();
            loop {
                if let Some(rest) = rest.strip_prefix(']') {
                    return Some((items.join(", "), rest));
                }
                // A list holds no lists.
                if rest.starts_with('[') {
                    return None;
                }
                let (item, after) = value(rest)?;
                items.push(item);
                rest = after.trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
            }
        }
        _ => {
            let end = text.find([',', ')', ']', ' ', '\n'])?;
            (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Text;
    use crate::page::syntax::shortcodes::{Call, render};

    #[test]
    fn calls_are_read() {
        for (text, expected) in [
            ("a {{ b() }} c", "a b() c"),
            (
                "{{b(x=\"1, 2\", y='z', n=3, l=[1, \"two\"])}}",
                "b(x=1, 2|y=z|n=3|l=1, two)",
            ),
            (
                "{% q(by=\"V\") %}\nx {{ b() }}\n{% end %}",
                "q(by=V)<\nx b()\n>",
            ),
            (
                "{{/* b(x=1) */}} {%/* q() */%}x{%/* end */%}",
                "{{ b(x=1) }} {% q() %}x{% end %}",
            ),
            (
                "{{ page.title }} {% if x %} {{ b( }} {{ b(1) }}",
                "{{ page.title }} {% if x %} {{ b( }} {{ b(1) }}",
            ),
            ("{% end %}", ""),
        ] {
            let source = Text::new(text.to_owned(), 1);
            let mut read = |call: &Call, inside: Option<Text>, line| {
                let args = call
                    .args
                    .named
                    .iter()
                    .map(|(key, value)| format!("{key}={value}"));
                let args: Vec<String> = args.collect();
                let inside = inside.map_or(String::new(), |inside| format!("<{}>", inside.text));
                Text::of_line(format!("{}({}){inside}", call.name, args.join("|")), line)
            };
            assert_eq!(
                render(&source, &parse(text), &mut read).text,
                expected,
                "{text}"
            );
        }
    }
}
