//! What mdBook puts between `{{` and `}}`, and rustdoc's hidden lines.
//!
//! `{{#include a.rs:2:4}}` and `{{#include a.rs:name}}` are files, whole, by line or by the lines between `ANCHOR: name` and
//! `ANCHOR_END: name`; `{{#rustdoc_include …}}` is the same, since the lines that it hides are for the compiler; `{{#playground a.rs}}` is the
//! file as code. They work in code as anywhere. `\{{#include …}}` is text. `{{#title …}}` names the HTML page and shows nothing.
//! (mdBook's guide, "mdBook-specific features".)

use crate::generator::SiteFiles;
use crate::page::{Log, Text};
use crate::place::folder_of;
use crate::site_map::joined;

/// Includes inside included files are followed so deep, as mdBook does.
const DEEPEST: usize = 10;

/// Puts included files in. `source` is the page's file, to whose folder paths are relative.
pub(crate) fn expand(text: &mut Text, source: &str, files: &SiteFiles, log: &mut Log) {
    if !text.text.contains("{{#") && !text.text.contains("{{ #") {
        return;
    }
    let mut edits = Vec::new();
    for directive in directives(&text.text) {
        let line = text.line_of(directive.start);
        let new = match directive.escaped {
            true => text.text[directive.start + 1..directive.end].to_owned(),
            false => replaced(&directive, source, files, line, log, 0),
        };
        edits.push((directive.start..directive.end, new));
    }
    text.replace(edits);
}

/// One `{{#name argument}}`.
struct Directive<'a> {
    /// The offset of its first brace, or of the backslash before it.
    start: usize,
    end: usize,
    name: &'a str,
    argument: &'a str,
    escaped: bool,
}

fn directives(text: &str) -> Vec<Directive<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find("{{").map(|open| at + open) {
        at = open + 2;
        let inside = text[at..].trim_start_matches([' ', '\t']);
        let Some(rest) = inside.strip_prefix('#') else {
            continue;
        };
        let Some(close) = rest
            .find("}}")
            .filter(|close| !rest[..*close].contains(['\n', '{']))
        else {
            continue;
        };
        let (name, argument) = match rest[..close].split_once(char::is_whitespace) {
            Some((name, argument)) => (name, argument.trim()),
            None => (&rest[..close], ""),
        };
        let end = text.len() - rest.len() + close + 2;
        let escaped = text[..open].ends_with('\\');
        found.push(Directive {
            start: open - usize::from(escaped),
            end,
            name,
            argument,
            escaped,
        });
        at = end;
    }
    found
}

fn replaced(
    directive: &Directive<'_>,
    source: &str,
    files: &SiteFiles,
    line: u32,
    log: &mut Log,
    depth: usize,
) -> String {
    match directive.name {
        "include" | "rustdoc_include" => {
            included(directive.argument, source, files, line, log, depth)
        }
        "playground" | "playpen" => {
            let file = directive
                .argument
                .split_whitespace()
                .next()
                .unwrap_or_default();
            let code = included(file, source, files, line, log, depth);
            format!("```rust\n{}\n```", code.trim_end())
        }
        "title" => String::new(),
        name => {
            log.unrendered(line, format!("`{{{{#{name}}}}}`"));
            String::new()
        }
    }
}

fn included(
    argument: &str,
    source: &str,
    files: &SiteFiles,
    line: u32,
    log: &mut Log,
    depth: usize,
) -> String {
    let (file, part) = argument.split_once(':').unwrap_or((argument, ""));
    let folder = folder_of(source);
    let Some(path) = joined(folder, file) else {
        log.warn(
            line,
            format!("`{file}` is included and lies outside the site's folder"),
            Some("name the folder that holds both with `--site`"),
        );
        return String::new();
    };
    let text = match files.include(&path).text(&path, "is included") {
        Ok(text) => text,
        Err((what, help)) => {
            log.warn(line, what, help);
            return String::new();
        }
    };
    let part = match taken(&text, part) {
        Some(part) => part,
        None => {
            log.warn(
                line,
                format!("`{path}` has no lines between `ANCHOR: {part}` and `ANCHOR_END: {part}`"),
                Some("nothing is put in its place"),
            );
            return String::new();
        }
    };
    if depth + 1 >= DEEPEST {
        log.warn(
            line,
            format!("`{path}` is included more than {DEEPEST} files deep"),
            Some("look for a file that includes itself"),
        );
        return part;
    }
    let mut out = String::with_capacity(part.len());
    let mut at = 0;
    for inner in directives(&part) {
        out.push_str(&part[at..inner.start]);
        match inner.escaped {
            true => out.push_str(&part[inner.start + 1..inner.end]),
            false => out.push_str(&replaced(&inner, &path, files, line, log, depth + 1)),
        }
        at = inner.end;
    }
    out.push_str(&part[at..]);
    out
}

/// The lines that are asked for: `3`, `3:`, `:5`, `3:5`, the name of an anchor, or all of them. None when there is no such anchor.
fn taken(text: &str, part: &str) -> Option<String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (from, to) = match part.split_once(':') {
        _ if part.is_empty() => (Some(1), None),
        None => match number(part) {
            Some(line) => (Some(line), Some(line)),
            None => return anchored(text, part.trim()),
        },
        Some((from, to)) => {
            let open = |text: &str| text.trim().is_empty();
            match (number(from), number(to)) {
                (Some(from), Some(to)) => (Some(from), Some(to)),
                (Some(from), None) if open(to) => (Some(from), None),
                (None, Some(to)) if open(from) => (Some(1), Some(to)),
                (None, None) if open(from) && open(to) => (Some(1), None),
                // A name may be followed by parts that mean nothing yet.
                _ => return anchored(text, from.trim()),
            }
        }
    };
    let from = from.unwrap_or(1).max(1);
    let lines = text.lines().skip(from - 1);
    let lines: Vec<&str> = match to {
        Some(to) => lines.take((to + 1).saturating_sub(from)).collect(),
        None => lines.collect(),
    };
    Some(without_marks(lines.into_iter()))
}

/// The lines between two marks. A mark that is set again while it is open is a line that means nothing.
fn anchored(text: &str, name: &str) -> Option<String> {
    let mut lines = Vec::new();
    let mut open = false;
    let mut closed = false;
    for line in text.lines() {
        if mark(line, "ANCHOR_END:") == Some(name) {
            closed |= open;
            open = false;
        } else if mark(line, "ANCHOR:") == Some(name) {
            open = true;
        } else if open {
            lines.push(line);
        }
    }
    (open || closed).then(|| without_marks(lines.into_iter()))
}

/// The name that stands behind a mark in a line.
fn mark<'a>(line: &'a str, sign: &str) -> Option<&'a str> {
    let rest = line[line.find(sign)? + sign.len()..].trim_start();
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
        .unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

fn without_marks<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines
        .filter(|line| mark(line, "ANCHOR:").is_none() && mark(line, "ANCHOR_END:").is_none())
        .collect::<Vec<&str>>()
        .join("\n")
}

/// Leaves out of Rust examples the lines that mdBook and rustdoc hide: those that start with `# `. A line `##` shows `#`.
pub(crate) fn shown_lines(text: &mut Text) {
    let mut edits = Vec::new();
    let source = &text.text;
    let mut rust: Option<(char, usize)> = None;
    let mut other: Option<(char, usize)> = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim_start().trim_end();
        let sign = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = sign.map_or(0, |sign| trimmed.chars().take_while(|c| *c == sign).count());
        if let Some((open, count)) = rust.or(other) {
            if sign == Some(open) && length >= count && trimmed.len() == length {
                (rust, other) = (None, None);
            } else if rust.is_some() {
                let body = line.trim_start_matches([' ', '\t', '>']);
                let lead = line.len() - body.len();
                let code = body.trim_end();
                if code == "#" || code.starts_with("# ") {
                    edits.push((start..at, String::new()));
                } else if code.starts_with("##") {
                    edits.push((start + lead..start + lead + 1, String::new()));
                }
            }
        } else if let Some(sign) = sign
            && length >= 3
        {
            let info = trimmed[length..].trim();
            let mut words = info.split([',', ' ', '{', '}']);
            match words.next() {
                Some("rust" | "rs") => rust = Some((sign, length)),
                _ => other = Some((sign, length)),
            }
        }
    }
    text.replace(edits);
}

/// The Rust book's listings: `<Listing number="1-1" file-name="src/main.rs" caption="Hello">`, which its preprocessor turns into a figure, become the
/// file's name above and the caption below.
pub(crate) fn listings(text: &mut Text) {
    const CLOSE: &str = "</Listing>";
    let mut edits = Vec::new();
    let source = &text.text;
    let mut captions: Vec<String> = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        let kept = start..start + line.trim_end_matches('\n').len();
        if let Some(attributes) = trimmed
            .strip_prefix("<Listing")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            let value = |name: &str| {
                let rest = &attributes[attributes.find(&format!(" {name}=\""))? + name.len() + 3..];
                Some(rest[..rest.find('"')?].to_owned())
            };
            let number = value("number").map(|number| format!("Listing {number}"));
            let caption: Vec<String> = number.into_iter().chain(value("caption")).collect();
            captions.push(caption.join(": "));
            let name =
                value("file-name").map_or_else(String::new, |name| format!("Filename: {name}"));
            edits.push((kept, name));
        } else if trimmed == CLOSE
            && let Some(caption) = captions.pop()
        {
            edits.push((kept, caption));
        }
    }
    text.replace(edits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_anchors_are_taken() {
        let text = "a\n// ANCHOR: x\nb\n// ANCHOR: y\nc\n// ANCHOR_END: y\n// ANCHOR_END: x\nd\n";
        let check =
            |part, lines: Option<&str>| assert_eq!(taken(text, part).as_deref(), lines, "{part}");
        check("", Some("a\nb\nc\nd"));
        check("1", Some("a"));
        check("3:", Some("b\nc\nd"));
        check(":3", Some("a\nb"));
        check("5:8", Some("c\nd"));
        check("x", Some("b\nc"));
        check("y", Some("c"));
        check("z", None);
    }

    #[test]
    fn a_short_name_was_read_as_lines() {
        let text = "# ANCHOR: abc\nb\n# ANCHOR_END: abc\n# ANCHOR: 1a\nc\n# ANCHOR_END: 1a\n";
        assert_eq!(taken(text, "abc").as_deref(), Some("b"));
        assert_eq!(taken(text, "1a").as_deref(), Some("c"));
    }

    #[test]
    fn a_second_mark_of_one_name_closed_the_block() {
        let text = "/* ANCHOR: all */\ncode\n/* ANCHOR: all */\nmore\n";
        assert_eq!(taken(text, "all").as_deref(), Some("code\nmore"));
    }

    #[test]
    fn hidden_lines_of_rust_are_left_out() {
        let mut text = Text::new("```rust,ignore\n# fn main() {\n#[derive(A)]\n## x\nlet a;\n# }\n#\n```\n\n```sh\n# b\n```\n".into(), 1);
        shown_lines(&mut text);
        assert_eq!(
            text.text,
            "```rust,ignore\n#[derive(A)]\n# x\nlet a;\n```\n\n```sh\n# b\n```\n"
        );
    }

    #[test]
    fn a_listing_keeps_its_name_and_caption() {
        let mut text = Text::new("<Listing number=\"1-1\" file-name=\"src/main.rs\" caption=\"Hello `x`\">\n\n```rust\na\n```\n\n</Listing>\n".into(), 1);
        listings(&mut text);
        assert_eq!(
            text.text,
            "Filename: src/main.rs\n\n```rust\na\n```\n\nListing 1-1: Hello `x`\n"
        );
    }
}
