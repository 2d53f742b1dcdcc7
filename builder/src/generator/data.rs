//! Data files as values for templates: YAML, JSON, TOML, CSV, TSV and the literals of JavaScript, by the names of their files and folders.

use super::files::SiteFiles;
use super::js;
use crate::front_matter::{self, Node};
use crate::page::syntax::liquid::Value;

/// Data files that are larger than this are not for templates of pages.
const LARGEST: usize = 4 << 20;

/// All data files below a folder: `nav.yml` is `nav`, `a/b.json` is `a.b`. Files that only code can read are [`Value::Unknown`].
pub(crate) fn folder(files: &SiteFiles, folder: &str) -> Value {
    let mut root = Branch::default();
    for path in files.below(folder) {
        let inside = crate::place::below(path, folder).unwrap_or(path);
        let Some((stem, ending)) = inside.rsplit_once('.') else {
            continue;
        };
        let value = match files.read(path) {
            Ok(text) if text.len() <= LARGEST => parsed(&text, ending, path),
            _ => Value::Unknown,
        };
        let mut branch = &mut root;
        let (folders, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            branch = branch.inner(part);
        }
        branch.values.push((name.to_owned(), value));
    }
    root.value()
}

#[derive(Default)]
struct Branch {
    values: Vec<(String, Value)>,
    folders: Vec<(String, Branch)>,
}

impl Branch {
    fn inner(&mut self, name: &str) -> &mut Branch {
        let at = match self.folders.iter().position(|(known, _)| known == name) {
            Some(at) => at,
            None => {
                self.folders.push((name.to_owned(), Branch::default()));
                self.folders.len() - 1
            }
        };
        &mut self.folders[at].1
    }

    fn value(self) -> Value {
        let folders = self
            .folders
            .into_iter()
            .map(|(name, branch)| (name, branch.value()));
        Value::map(folders.chain(self.values).collect())
    }
}

/// The value of one file. Code and what cannot be read is unknown.
pub(crate) fn parsed(text: &str, ending: &str, path: &str) -> Value {
    match ending {
        "json" => serde_json::from_str(text).map_or(Value::Unknown, |value| of_json(&value)),
        "yml" | "yaml" => yaml(text, path),
        "toml" => {
            front_matter::toml_map(text, path).map_or(Value::Unknown, |map| Value::of_map(&map))
        }
        "csv" => table(text, ','),
        "tsv" => table(text, '\t'),
        "js" | "cjs" | "mjs" | "ts" => code(text, path),
        _ => Value::Unknown,
    }
}

/// The literals that a file of code exports. What has to run for its value is unknown, and so is a file that exports no table of literals.
fn code(text: &str, path: &str) -> Value {
    let Ok(found) = js::literals(text, path, &|_, _| None) else {
        return Value::Unknown;
    };
    // What is spread into a table may bring any key.
    if found.map.is_empty() || found.unread.iter().any(|(path, _)| path.contains('…')) {
        return Value::Unknown;
    }
    let unread = found.unread.iter();
    let unread = unread.map(|(path, _)| (top(path).to_owned(), Value::Unknown));
    let read = found.map.iter();
    let read = read.map(|entry| (entry.key.clone(), of_code(&entry.node)));
    // A key that holds something unread is unknown as a whole: the last one of a name counts.
    Value::map(read.chain(unread).collect())
}

fn top(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

fn of_code(node: &Node) -> Value {
    match &node.value {
        front_matter::Value::List(items) => Value::list(items.iter().map(of_code).collect()),
        front_matter::Value::Map(entries) if entries.iter().any(|entry| entry.key == js::CALL) => {
            Value::Unknown
        }
        front_matter::Value::Map(entries) => Value::map(
            entries
                .iter()
                .map(|entry| (entry.key.clone(), of_code(&entry.node)))
                .collect(),
        ),
        front_matter::Value::Scalar { .. } => Value::of(node),
    }
}

/// A file of YAML may be a list or a text as well: it is read below a key of its own.
fn yaml(text: &str, path: &str) -> Value {
    let mut nested = String::with_capacity(text.len() + text.len() / 8);
    nested.push_str("data:\n");
    for line in text.lines() {
        if line.trim_end() == "---" || line.starts_with('%') {
            continue;
        }
        nested.push_str("  ");
        nested.push_str(line);
        nested.push('\n');
    }
    match front_matter::yaml_document(&nested, path) {
        Ok(map) => map
            .first()
            .map_or(Value::Nil, |entry| Value::of(&entry.node)),
        Err(_) => Value::Unknown,
    }
}

fn of_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(yes) => Value::Boolean(*yes),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Value::Integer(number),
            (None, Some(number)) => Value::Number(number),
            (None, None) => Value::Unknown,
        },
        serde_json::Value::String(text) => Value::text(text),
        serde_json::Value::Array(items) => Value::list(items.iter().map(of_json).collect()),
        serde_json::Value::Object(entries) => Value::map(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), of_json(value)))
                .collect(),
        ),
    }
}

/// Rows of cells; the first row names them.
fn table(text: &str, by: char) -> Value {
    let mut rows = rows(text, by).into_iter();
    let Some(names) = rows.next() else {
        return Value::list(Vec::new());
    };
    Value::list(
        rows.map(|cells| {
            let cells = cells.into_iter().map(Value::text);
            Value::map(names.iter().cloned().zip(cells).collect())
        })
        .collect(),
    )
}

fn rows(text: &str, by: char) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            c if c == by && !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_tables_are_read() {
        let list = parsed(
            "---\n# names\n- name: a\n  n: 1\n- name: b\n",
            "yml",
            "x.yml",
        );
        assert_eq!(list.item(1).member("name"), Value::text("b"));
        let rows = parsed("name,text\na,\"b, \"\"c\"\"\"\n", "csv", "x.csv");
        assert_eq!(rows.item(0).member("text"), Value::text("b, \"c\""));
        assert_eq!(
            parsed("[1, {\"a\": null}]", "json", "x.json").item(0),
            Value::Integer(1)
        );
        assert_eq!(parsed("module.exports = 1", "js", "x.js"), Value::Unknown);
        assert_eq!(parsed("a: [", "yml", "x.yml"), Value::Unknown);
    }

    #[test]
    fn literals_of_code_are_read_and_the_rest_is_unknown() {
        let text = "const name = 'Tea';\nexport default {\n  title: `${name} time`,\n  author: { name, mail: process.env.MAIL },\n  year: new Date().getFullYear(),\n  \
                    hash: digest('a'),\n  tags: ['a', 2],\n};\n";
        let found = parsed(text, "js", "_data/metadata.js");
        assert_eq!(found.member("title"), Value::text("Tea time"));
        assert_eq!(found.member("tags").item(1), Value::Integer(2));
        for unknown in ["author", "year", "hash"] {
            assert_eq!(found.member(unknown), Value::Unknown, "{unknown}");
        }
        assert_eq!(found.member("other"), Value::Nil);
        let found = parsed("module.exports = { title: 'T' }", "cjs", "x.cjs");
        assert_eq!(found.member("title"), Value::text("T"));
        for unknown in [
            "module.exports = () => fetch('x')",
            "export default [1, 2]",
            "export default { ...more, title: 'T' }",
            "export default {",
            "",
        ] {
            assert_eq!(parsed(unknown, "js", "x.js"), Value::Unknown, "{unknown}");
        }
    }
}
