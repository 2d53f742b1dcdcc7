//! Snippets: `--8<-- "file.md"`, by lines and sections, one or several, in code as anywhere.

use super::Options;
use crate::generator::{Included, SiteFiles};
use crate::page::{Log, Text};
use crate::site_map::joined;

/// How deep snippets may hold snippets.
const DEEPEST: usize = 10;

struct Reader<'a> {
    bases: &'a [String],
    files: &'a SiteFiles,
    log: &'a mut Log,
    line: u32,
}

/// Puts snippets into a page, and those that stand at the end of every page.
pub(crate) fn expand(
    text: &mut Text,
    _: &str,
    options: &Options,
    files: &SiteFiles,
    log: &mut Log,
) {
    let Some(bases) = &options.snippets else {
        return;
    };
    let mut edits = Vec::new();
    let mut reader = Reader {
        bases,
        files,
        log,
        line: 1,
    };
    if text.text.contains("8<-") {
        let mut at = 0;
        let mut block: Option<usize> = None;
        for line in text.text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let content = line.trim_end_matches('\n');
            reader.line = text.line_of(start);
            let indent = &content[..content.len() - content.trim_start().len()];
            if let Some(open) = block {
                if matches!(mark(content), Some(("", ""))) {
                    block = None;
                    edits.push((open..at, String::new()));
                    // What the block gave stands before its end.
                    continue;
                }
                let name = content.trim();
                let new = match name.is_empty() || name.starts_with(';') {
                    true => String::new(),
                    false => indented(&reader.file(name, 0), indent) + "\n",
                };
                edits.push((open..at, new));
                block = Some(at);
                continue;
            }
            match mark(content) {
                Some((";", _)) => {
                    let sign = start + indent.len();
                    edits.push((sign..sign + 1, String::new()));
                }
                Some(("", "")) => {
                    edits.push((start..at, String::new()));
                    block = Some(at);
                }
                Some(("", name)) => {
                    let new = indented(&reader.file(name.trim_matches(['"', '\'']), 0), indent);
                    edits.push((start..start + content.len(), new));
                }
                _ if section(content).is_some() => edits.push((start..at, String::new())),
                _ => {}
            }
        }
    }
    for name in &options.snippet_append {
        let end = text.text.len();
        edits.push((end..end, format!("\n\n{}\n", reader.file(name, 0))));
    }
    text.replace(edits);
}

/// The semicolons before a snippet's sign, and what it names; nothing for the sign of a block.
fn mark(line: &str) -> Option<(&str, &str)> {
    let body = line.trim();
    let unescaped = body.trim_start_matches(';');
    let escape = if unescaped.len() < body.len() {
        ";"
    } else {
        ""
    };
    let rest = unescaped.trim_start_matches('-');
    if rest.len() == unescaped.len() {
        return None;
    }
    let rest = rest.strip_prefix("8<-")?.trim_start_matches('-');
    let name = rest.trim();
    let quoted = (name.starts_with('"') && name.ends_with('"')
        || name.starts_with('\'') && name.ends_with('\''))
        && name.len() > 2;
    (name.is_empty() || quoted).then_some((escape, name))
}

/// The kind and name of a section's mark: `start` or `end`.
fn section(line: &str) -> Option<(&str, &str)> {
    let rest = &line[line.find("8<-")? + 3..];
    let rest = rest
        .trim_start_matches('-')
        .trim_start()
        .strip_prefix('[')?;
    let (inside, _) = rest.split_once(']')?;
    let (kind, name) = inside.split_once(':')?;
    let kind = kind.trim();
    matches!(kind, "start" | "end").then_some((kind, name.trim()))
}

fn indented(text: &str, indent: &str) -> String {
    if indent.is_empty() {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!("{indent}{line}")
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

impl Reader<'_> {
    /// The text of a snippet, with those in it.
    fn file(&mut self, name: &str, depth: usize) -> String {
        if name.contains("://") {
            self.log.unrendered(self.line, "snippet from another site");
            return String::new();
        }
        let (path, part) = parts(name);
        let found = self
            .bases
            .iter()
            .filter_map(|base| joined(base, path))
            .find(|path| self.files.has(path));
        let Some(path) = found else {
            self.log.warn(
                self.line,
                format!("the snippet `{path}` is not there"),
                None,
            );
            return String::new();
        };
        if path.ends_with(".svg") {
            self.log.unrendered(self.line, "snippet of a picture");
            return String::new();
        }
        let text = match self.files.include(&path) {
            Included::Text(text) if depth < DEEPEST => text,
            Included::Text(_) => {
                self.log.warn(
                    self.line,
                    format!("`{path}` is put in more than {DEEPEST} files deep"),
                    Some("look for a file that holds itself"),
                );
                return String::new();
            }
            Included::Hidden => {
                self.log.warn(
                    self.line,
                    format!("`{path}` is put in and is not published"),
                    Some("it is left out"),
                );
                return String::new();
            }
            Included::Missing => return String::new(),
            Included::Unreadable(why) => {
                self.log.warn(
                    self.line,
                    format!("the snippet `{path}` cannot be read: {why}"),
                    None,
                );
                return String::new();
            }
        };
        let lines = match taken(&text, part) {
            Some(lines) => lines,
            None => {
                self.log
                    .warn(self.line, format!("`{path}` has no section `{part}`"), None);
                return String::new();
            }
        };
        let mut out: Vec<String> = Vec::new();
        let mut block = false;
        for line in lines {
            let indent = &line[..line.len() - line.trim_start().len()];
            match mark(line) {
                Some(("", "")) => block = !block,
                _ if block && (line.trim().is_empty() || line.trim().starts_with(';')) => {}
                _ if block => out.push(indented(&self.file(line.trim(), depth + 1), indent)),
                Some(("", name)) => out.push(indented(
                    &self.file(name.trim_matches(['"', '\'']), depth + 1),
                    indent,
                )),
                Some(_) => out.push(line.replacen(';', "", 1)),
                None if section(line).is_some() => {}
                None => out.push(line.to_owned()),
            }
        }
        while out.last().is_some_and(|line| line.is_empty()) {
            out.pop();
        }
        out.join("\n")
    }
}

/// The path of a snippet's name, and the lines or section behind it.
fn parts(name: &str) -> (&str, &str) {
    let Some((path, part)) = name.split_once(':') else {
        return (name, "");
    };
    let numbers = part
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ':' | ',' | '-'));
    let section = part.starts_with(|c: char| c.is_ascii_alphabetic())
        && part
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if numbers || section {
        (path, part)
    } else {
        (name, "")
    }
}

/// The lines that are asked for: `2`, `2:4`, `:3,7:`, a section's name, or all. None when there is no such section.
fn taken<'t>(text: &'t str, part: &str) -> Option<Vec<&'t str>> {
    let lines: Vec<&str> = text.split('\n').collect();
    if part.is_empty() {
        return Some(lines);
    }
    if part.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let mut found = Vec::new();
        let mut open = false;
        let mut seen = false;
        for line in lines {
            match section(line) {
                Some(("start", name)) if name == part => (open, seen) = (true, true),
                Some(("end", name)) if name == part && open => break,
                _ if open => found.push(line),
                _ => {}
            }
        }
        return seen.then_some(found);
    }
    let count = i64::try_from(lines.len()).unwrap_or(i64::MAX);
    let mut found = Vec::new();
    for range in part.split(',') {
        let (from, to) = match range.split_once(':') {
            Some((from, to)) => (from, to),
            // A single number is one line, but the first alone goes on to the end.
            None if part.contains(',') => (range, range),
            None => (range, ""),
        };
        let number = |text: &str, otherwise: i64| match text.parse::<i64>() {
            Ok(number) if number < 0 => count + 1 + number,
            Ok(number) => number,
            Err(_) => otherwise,
        };
        let (from, to) = (number(from, 1).max(1), number(to, count).min(count));
        for at in from..=to {
            if let Some(line) = usize::try_from(at - 1).ok().and_then(|at| lines.get(at)) {
                found.push(*line);
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_sections_are_taken() {
        let text = "a\n# --8<-- [start:x]\nb\nc\n# --8<-- [end:x]\nd";
        let check = |part: &str, lines: Option<&str>| {
            assert_eq!(
                taken(text, part).map(|lines| lines.join("|")).as_deref(),
                lines,
                "{part}"
            );
        };
        check("x", Some("b|c"));
        check("y", None);
        check("3:4", Some("b|c"));
        check("6", Some("d"));
        check(":1", Some("a"));
        check("1:1,6:6", Some("a|d"));
        check("-1:", Some("d"));
        assert_eq!(parts("a/b.md:3:4"), ("a/b.md", "3:4"));
        assert_eq!(parts("a/b.md:tea"), ("a/b.md", "tea"));
        assert_eq!(parts("a/b.md"), ("a/b.md", ""));
    }

    #[test]
    fn an_escaped_snippet_was_put_in() {
        assert_eq!(mark(";--8<-- \"a.md\""), Some((";", "\"a.md\"")));
        assert_eq!(mark("  -8<- 'a.md'"), Some(("", "'a.md'")));
        assert_eq!(mark("--8<--"), Some(("", "")));
        assert_eq!(mark("a --8<-- \"a.md\""), None);
        assert_eq!(mark("--8<-- a.md"), None);
    }
}
