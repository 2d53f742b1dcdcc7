//! What a file says about itself before its text begins.
//!
//! [`split`] takes a file apart: YAML between `---` lines, TOML between `+++` lines or one JSON object at the very start of the
//! file, and the markdown after it. Only the first block counts; a `---` further down is a rule, and its neighbours are text.
//! [`meta`](mod@meta) then finds the keys that Shelfmark knows. Neither looks at the markdown.
//!
//! `---\ntitle: Tea\n---\n# Hot\n` is the map `title: Tea` and the body `# Hot\n`, which begins on line 4.

pub mod date;
mod fields;
mod json;
mod lenient;
pub mod meta;
mod toml;
pub mod value;
mod yaml;

pub use fields::fields;
pub use meta::Meta;
pub use value::{Entry, Node, Scalar, Value};

use crate::problem::{Problem, Severity};

/// A file taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts<'a> {
    /// The front matter's keys; empty when the file has none.
    pub map: Vec<Entry>,
    /// The markdown behind the front matter.
    pub body: &'a str,
    /// The line on which the body begins, counted from 1.
    pub body_line: u32,
    /// What is odd about it, but not broken.
    pub warnings: Vec<Problem>,
}

/// Takes a file's text apart. `file` is its name in problems.
///
/// # Errors
///
/// When there is front matter and it cannot be read. Nothing of such a file may be published.
pub fn split<'a>(text: &'a str, file: &str) -> Result<Parts<'a>, Box<Problem>> {
    let whole = Parts {
        map: Vec::new(),
        body: text,
        body_line: 1,
        warnings: Vec::new(),
    };
    if json::is_object(text) {
        let (map, end) = json::parse(text, file)?;
        let rest = &text[end..];
        // What is left of the last line is nothing but space: `json::parse` saw to it.
        let body = rest.split_once('\n').map_or("", |(_, body)| body);
        return Ok(parts(text, map, body, file));
    }
    let first = text.lines().next().map(str::trim_end);
    // Eleventy names the language behind the fence.
    let language = first
        .and_then(|line| line.strip_prefix("---"))
        .unwrap_or_default();
    let fence = match first {
        Some("---" | "---yaml" | "---yml" | "---json" | "---toml" | "---js" | "---javascript") => {
            "---"
        }
        Some("+++") => "+++",
        _ => return Ok(whole),
    };
    let start = text.find('\n').map_or(text.len(), |at| at + 1);
    let Some((end, body)) = closing(text, start, fence) else {
        // A rule at the top of a page is no front matter, but keys below it are.
        return match text[start..].lines().next() {
            Some(line) if looks_like_a_key(line, fence) => Err(Box::new(
                Problem::error(file, "the front matter is never closed")
                    .at(1)
                    .help(format!("add a line `{fence}` where it ends")),
            )),
            _ => Ok(whole),
        };
    };
    let block = &text[start..end];
    match language {
        "json" => {
            let (map, _) = json::parse(block, file)?;
            return Ok(parts(text, map, &text[body..], file));
        }
        "js" | "javascript" => {
            let map = crate::generator::js::exported(block);
            return Ok(parts(text, map, &text[body..], file));
        }
        _ => {}
    }
    if fence == "+++" || language == "toml" {
        let map = toml::parse(block, file)?;
        return Ok(parts(text, map, &text[body..], file));
    }
    let (map, forgiven) = yaml_map(block, file)?;
    match map {
        Some(map) => {
            let mut parts = parts(text, map, &text[body..], file);
            parts.warnings.extend(forgiven);
            Ok(parts)
        }
        None if block.starts_with('\n') => Ok(whole),
        None => Err(Box::new(
            Problem::error(file, "the front matter is text, not keys with values")
                .at(2)
                .help("write `title: …`; to begin a page with a rule, use `***`"),
        )),
    }
}

/// The map of a YAML block, and what had to be forgiven to read it.
type YamlMap = (Option<Vec<Entry>>, Option<Problem>);

fn yaml_map(block: &str, file: &str) -> Result<YamlMap, Box<Problem>> {
    let problem = match yaml::parse(block, file) {
        Ok(map) => return Ok((map, None)),
        Err(problem) => problem,
    };
    match lenient::repaired(block).and_then(|text| yaml::parse(&text, file).ok()) {
        Some(map) => {
            let severity = Severity::Warning;
            let help = "it was read as it was probably meant: indent what goes on, and quote values that begin with a sign";
            Ok((
                map,
                Some(Problem {
                    severity,
                    help: Some(help.into()),
                    ..*problem
                }),
            ))
        }
        None => Err(problem),
    }
}

/// A whole file of YAML that is a table: a configuration or data. An empty one is an empty table.
///
/// # Errors
/// When it is not valid, or no table.
pub(crate) fn yaml_document(text: &str, file: &str) -> Result<Vec<Entry>, Box<Problem>> {
    match yaml::parse(text, file) {
        Ok(Some(map)) => Ok(as_file(map)),
        Ok(None) => Err(Box::new(Problem::error(
            file,
            "the file is no table of keys",
        ))),
        Err(problem) => Err(of_file(problem)),
    }
}

/// A whole file of TOML.
///
/// # Errors
/// When it is not valid.
pub(crate) fn toml_map(text: &str, file: &str) -> Result<Vec<Entry>, Box<Problem>> {
    toml::parse(text, file).map(as_file).map_err(of_file)
}

/// A whole file of JSON that is an object.
///
/// # Errors
/// When it is not valid, or no object.
pub(crate) fn json_map(text: &str, file: &str) -> Result<Vec<Entry>, Box<Problem>> {
    match json::parse(text, file) {
        Ok((map, _)) => Ok(map),
        Err(mut problem) => {
            problem.what = problem.what.replace("the front matter", "the file");
            Err(problem)
        }
    }
}

/// Entries of a block that was taken for front matter, which begins on a file's second line, and is the file itself.
fn as_file(mut map: Vec<Entry>) -> Vec<Entry> {
    fn shift(node: &mut Node) {
        node.line = node.line.saturating_sub(1).max(1);
        match &mut node.value {
            Value::List(items) => items.iter_mut().for_each(shift),
            Value::Map(map) => map.iter_mut().for_each(shift_entry),
            Value::Scalar { .. } => {}
        }
    }
    fn shift_entry(entry: &mut Entry) {
        entry.line = entry.line.saturating_sub(1).max(1);
        shift(&mut entry.node);
    }
    map.iter_mut().for_each(shift_entry);
    map
}

fn of_file(mut problem: Box<Problem>) -> Box<Problem> {
    problem.line = problem.line.map(|line| line.saturating_sub(1).max(1));
    problem.what = problem.what.replace("the front matter", "the file");
    problem
}

/// The end of the block and the start of the body: the first whole line that is the fence.
fn closing(text: &str, start: usize, fence: &str) -> Option<(usize, usize)> {
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let trimmed = line.trim_end();
        // YAML's own end of a document closes it as well.
        if trimmed == fence || (fence == "---" && trimmed == "...") {
            return Some((at, at + line.len()));
        }
        at += line.len();
    }
    None
}

fn looks_like_a_key(line: &str, fence: &str) -> bool {
    let sign = if fence == "+++" { '=' } else { ':' };
    let Some((key, rest)) = line.split_once(sign) else {
        return false;
    };
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"');
    let key = key.trim_end();
    !key.is_empty()
        && key.chars().all(word)
        && (sign == '=' || rest.is_empty() || rest.starts_with(' '))
}

fn parts<'a>(text: &str, map: Vec<Entry>, body: &'a str, file: &str) -> Parts<'a> {
    let before = text.len() - body.len();
    let lines = text[..before].bytes().filter(|b| *b == b'\n').count();
    let body_line = u32::try_from(lines + 1).unwrap_or(u32::MAX);
    let (map, warnings) = without_duplicates(map, file);
    Parts {
        map,
        body,
        body_line,
        warnings,
    }
}

/// The last of two equal keys stays; both lines are told.
fn without_duplicates(map: Vec<Entry>, file: &str) -> (Vec<Entry>, Vec<Problem>) {
    let mut warnings = Vec::new();
    let mut kept: Vec<Entry> = Vec::with_capacity(map.len());
    for entry in map {
        if let Some(at) = kept.iter().position(|k| k.key == entry.key) {
            let first = kept.remove(at);
            warnings.push(
                Problem::warning(
                    file,
                    format!(
                        "`{}` is given twice: at line {} and here",
                        entry.key, first.line
                    ),
                )
                .at(entry.line)
                .help("the last one counts; delete the other"),
            );
        }
        kept.push(entry);
    }
    (kept, warnings)
}

#[cfg(test)]
mod tests;
