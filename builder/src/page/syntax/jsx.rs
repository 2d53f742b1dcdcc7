//! What is particular to MDX: expressions, and indentation that is no code.
//!
//! Nothing is run. An expression shows something when it is a literal, a constant of the page's own module code, a value of its front matter, or
//! a picture that is imported: `{title}`, `{frontmatter.title}`, `{'{'}`, `src={logo}`. Any other is left out and counted.

use super::super::code;
use super::super::rewrite::Text;
use super::html::{Renderer, escaped, spaced};
use super::out::{Out, lead_of};
use crate::front_matter::{Entry, Node, Value};
use crate::generator::js;

/// What the expressions of a page may refer to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    /// The module code, with the front matter as constants before it.
    module: String,
    /// The names that are imported, and from where.
    imports: Vec<(String, String)>,
}

impl Values {
    /// Of a page's module code and its front matter.
    pub(crate) fn new(module: &str, front_matter: &[Entry]) -> Values {
        let mut text = String::new();
        if !front_matter.is_empty() {
            let mut object = String::new();
            js_object(front_matter, &mut object);
            for name in ["frontmatter", "frontMatter"] {
                text.push_str(&format!("const {name} = {object};\n"));
            }
        }
        text.push_str(module);
        Values {
            imports: imports(module),
            module: text,
        }
    }

    /// The text that an expression shows.
    pub(crate) fn text(&self, code: &str) -> Option<String> {
        let code = code.trim();
        if let Some(text) = plain_text(code) {
            return Some(text.to_owned());
        }
        if let Some(from) = self.imported(code) {
            return Some(from);
        }
        self.node(code)?.text().map(str::to_owned)
    }

    /// The value of an expression.
    pub(crate) fn node(&self, code: &str) -> Option<Node> {
        let code = code.trim();
        let is_looked_at = code.len() <= 20_000
            && !code.contains("=>")
            && code.starts_with(|c: char| c.is_alphanumeric() || "'\"`[{($_".contains(c));
        if !is_looked_at {
            return None;
        }
        let text = format!("export default {{ value: ({code}) }};\n{}", self.module);
        let found = js::literals(&text, "page.jsx", &|_, _| None).ok()?;
        let entry = found.map.into_iter().find(|entry| entry.key == "value")?;
        // A call would have to be run.
        let is_call =
            matches!(&entry.node.value, Value::Map(map) if map.iter().any(|it| it.key == js::CALL));
        (!is_call).then_some(entry.node)
    }

    /// The file that a picture is imported from.
    fn imported(&self, code: &str) -> Option<String> {
        let name = code
            .strip_suffix(".src")
            .or_else(|| code.strip_suffix(".default"))
            .unwrap_or(code);
        if let Some((_, from)) = self.imports.iter().find(|(own, _)| own == name) {
            return (!is_module(from)).then(|| from.clone());
        }
        let inside = ["require(", "useBaseUrl(", "withBase("]
            .iter()
            .find_map(|call| name.strip_prefix(call))?
            .strip_suffix(')')?;
        plain_text(inside.trim()).map(|from| from.trim_start_matches("@site/static").to_owned())
    }
}

/// A literal text without escapes.
fn plain_text(code: &str) -> Option<&str> {
    let quote = code
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let inside = code.get(1..)?.strip_suffix(quote)?;
    (!inside.contains(['\\', quote]) && !inside.contains("${")).then_some(inside)
}

/// Whether an import brings code or text, rather than a picture.
fn is_module(from: &str) -> bool {
    let name = from.rsplit('/').next().unwrap_or(from);
    match name.rsplit_once('.') {
        Some((_, ending)) => matches!(
            ending,
            "js" | "jsx"
                | "ts"
                | "tsx"
                | "mjs"
                | "cjs"
                | "astro"
                | "vue"
                | "svelte"
                | "md"
                | "mdx"
                | "json"
                | "css"
                | "yml"
                | "yaml"
                | "toml"
        ),
        None => true,
    }
}

fn js_object(map: &[Entry], out: &mut String) {
    out.push('{');
    for entry in map {
        out.push_str(&js_text(&entry.key));
        out.push(':');
        js_value(&entry.node, out);
        out.push(',');
    }
    out.push('}');
}

fn js_value(node: &Node, out: &mut String) {
    match &node.value {
        Value::Map(map) => js_object(map, out),
        Value::List(items) => {
            out.push('[');
            for item in items {
                js_value(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Scalar { .. } => out.push_str(&js_text(node.text().unwrap_or_default())),
    }
}

fn js_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The names that a module imports by default, and from where.
fn imports(module: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = module;
    while let Some(at) = rest.find("import") {
        let starts_line = rest[..at].ends_with('\n') || at == 0;
        rest = &rest[at + "import".len()..];
        if !starts_line {
            continue;
        }
        let Some((names, after)) = rest.split_once(" from ") else {
            break;
        };
        let after = after.trim_start();
        let from = after
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\''))
            .and_then(|quote| after[1..].split_once(quote));
        let name = names.trim().split([',', ' ']).next().unwrap_or_default();
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        if let Some((from, _)) = from.filter(|_| is_name && !names.contains(['\'', '"'])) {
            found.push((name.to_owned(), from.to_owned()));
        }
    }
    found
}

impl Renderer<'_> {
    /// The text that an expression of the page shows.
    pub(super) fn shown(&self, range: std::ops::Range<usize>) -> Option<String> {
        let code = self
            .source
            .text
            .get(range.start + 1..range.end.saturating_sub(1))?;
        self.values?.text(code)
    }

    pub(super) fn expression(&mut self, range: std::ops::Range<usize>, out: &mut Out) {
        let line = self.source.line_of(range.start);
        let code = self
            .source
            .text
            .get(range.start + 1..range.end.saturating_sub(1));
        let code = code.unwrap_or_default().trim();
        let is_comment = code.starts_with("/*") && code.ends_with("*/") || code.starts_with("//");
        let shows_nothing =
            code.is_empty() || is_comment || matches!(code, "children" | "props.children");
        let own_lines = self.has_own_lines(range.start, range.end);
        let lead = lead_of(self.source.text, range.start);
        match self.shown(range) {
            _ if shows_nothing => {}
            Some(text) => {
                out.words(&escaped(&spaced(&text)), line);
                return;
            }
            None => self.log.unrendered(line, "expression `{…}`"),
        }
        if own_lines {
            out.block(&Out::default(), &lead);
        }
    }
}

/// Takes indentation away that MDX does not take for code and markdown does.
pub(crate) fn flatten(text: &mut Text) {
    for _ in 0..8 {
        let edits = indented(&text.text);
        if edits.is_empty() {
            return;
        }
        text.replace(edits);
    }
}

/// The leading columns of lines that a parser of markdown takes for indented code.
fn indented(text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag as MdTag};
    let mut edits = Vec::new();
    if !text.contains("    ") && !text.contains('\t') {
        return edits;
    }
    let fences: Vec<std::ops::Range<usize>> = code::code_ranges(text, true)
        .into_iter()
        .filter(|range| {
            text[range.clone()]
                .trim_start_matches([' ', '\t', '>'])
                .starts_with(['`', '~'])
                && text[range.clone()].contains('\n')
        })
        .collect();
    let mut done = 0;
    for (event, range) in Parser::new_ext(text, super::super::options()).into_offset_iter() {
        if !matches!(
            event,
            Event::Start(MdTag::CodeBlock(CodeBlockKind::Indented))
        ) {
            continue;
        }
        let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let mut end = range.end;
        // A fence is moved as a whole.
        for fence in fences
            .iter()
            .filter(|fence| fence.start >= start && fence.start < range.end)
        {
            end = end.max(fence.end);
        }
        let mut at = start.max(done);
        for line in text.get(at..end).unwrap_or_default().split_inclusive('\n') {
            // The first line may stand behind a list's marker.
            let from = if at == start { range.start.max(at) } else { at };
            let lead = text.get(from..at + line.len()).unwrap_or_default();
            let spaces = lead.len() - lead.trim_start_matches([' ', '\t']).len();
            let from = match at == start && spaces == 0 {
                // The parser leaves the indentation out of the range of the first line.
                true => {
                    from - (text[at..from].len()
                        - text[at..from].trim_end_matches([' ', '\t']).len())
                    .min(4)
                }
                false => from,
            };
            let lead = text.get(from..at + line.len()).unwrap_or_default();
            let spaces = lead.len() - lead.trim_start_matches([' ', '\t']).len();
            let taken = spaces.min(match lead.starts_with('\t') {
                true => 1,
                false => 4,
            });
            if taken > 0 {
                edits.push((from..from + taken, String::new()));
            }
            at += line.len();
        }
        done = at;
    }
    edits
}
