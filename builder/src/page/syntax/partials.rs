//! Markdown that another page imports and shows as a component.
//!
//! `import Setup from './_setup.mdx'` and `<Setup os="Linux" />` put the text of `_setup.mdx` in, with `{props.os}` as `Linux`. Links in it lead
//! where they lead from its own file. (MDX: "Using MDX", "Components"; Docusaurus: "Importing Markdown".)

use std::collections::HashMap;
use std::ops::Range;

use crate::generator::SiteFiles;
use crate::page::code::{code_ranges, is_inside};
use crate::page::links::{self, Outcome};
use crate::page::{Log, Text, comments, module_code, with_own_line};
use crate::place::folder_of;
use crate::site_map::joined;
use crate::source::markdown_ending;

/// Partials inside partials are followed so deep.
const DEEPEST: usize = 10;

/// A bundler's name for a folder: the path below the site's folder that an import such as `@site/docs/a.md` means.
type Alias<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Puts the text of imported markdown in the place of its components. `source` is the page's file.
pub(crate) fn expand(
    text: &mut Text,
    source: &str,
    alias: &Alias<'_>,
    files: &SiteFiles,
    log: &mut Log,
) {
    let mut expander = Expander {
        alias,
        files,
        log,
        open: vec![source.to_owned()],
        line: None,
    };
    expander.expand(text, source);
}

struct Expander<'a> {
    alias: &'a Alias<'a>,
    files: &'a SiteFiles,
    log: &'a mut Log,
    /// The files that are being put in, outermost first.
    open: Vec<String>,
    /// The line of the page on which the outermost partial stands.
    line: Option<u32>,
}

impl Expander<'_> {
    fn expand(&mut self, text: &mut Text, source: &str) {
        if !text.text.contains("import") || !text.text.contains('<') {
            return;
        }
        let code = code_ranges(&text.text, true);
        let imports = imports(&text.text, &code);
        if imports.is_empty() {
            return;
        }
        let mut edits = Vec::new();
        for component in components(&text.text, &code, &imports) {
            let line = self
                .line
                .unwrap_or_else(|| text.line_of(component.range.start));
            let outer = self.line.replace(line);
            let put_in = self.put_in(&component, &imports[component.name], source, line);
            self.line = outer;
            let before = &text.text[..component.range.start];
            let indent = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
            let put_in = match indent.trim().is_empty() {
                true => indented(&put_in, indent),
                false => put_in,
            };
            let range = match put_in.is_empty() {
                true => with_own_line(&text.text, component.range),
                false => component.range,
            };
            edits.push((range, put_in));
        }
        text.replace(edits);
    }

    fn put_in(
        &mut self,
        component: &Component<'_>,
        import: &str,
        source: &str,
        line: u32,
    ) -> String {
        let folder = folder_of(source);
        let path = match import.starts_with('.') {
            true => joined(folder, import),
            false => (self.alias)(import),
        };
        let Some(path) = path else {
            self.log.warn(
                line,
                format!("`{import}` is put in and lies outside the site's folder"),
                Some("name the folder that holds both with `--site`"),
            );
            return String::new();
        };
        if self.open.contains(&path) || self.open.len() > DEEPEST {
            self.log
                .warn(line, format!("`{path}` is put into itself"), None);
            return String::new();
        }
        let body = match self.files.include(&path).text(&path, "is put in") {
            Ok(body) => body,
            Err((what, help)) => {
                self.log.warn(line, what, help);
                return String::new();
            }
        };
        let mut text = Text::new(body, 1);
        self.open.push(path.clone());
        self.expand(&mut text, &path);
        self.open.pop();
        // What the partial hides is taken out by itself, so that a comment of its own that never ends takes nothing else along.
        if !comments::remove(&mut text, true).is_empty() {
            let what =
                format!("a comment in `{path}` is never closed, and all that follows is left out");
            self.log.warn(line, what, None);
        }
        module_code::remove(&mut text);
        with_properties(&mut text, &component.properties);
        let own = folder_of(&path);
        if own != folder {
            move_links(&mut text, own, folder);
        }
        text.text.trim_matches('\n').to_owned()
    }
}

/// A component that stands for a partial.
struct Component<'a> {
    name: &'a str,
    range: Range<usize>,
    properties: HashMap<&'a str, &'a str>,
}

/// The markdown files that a text imports, by the names it gives them.
fn imports<'t>(text: &'t str, code: &[Range<usize>]) -> HashMap<&'t str, String> {
    let mut found = HashMap::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if !line.starts_with("import ") || is_inside(code, start) {
            continue;
        }
        // Several may stand on one line.
        for statement in line.split(';') {
            let Some((name, from)) = statement
                .trim()
                .strip_prefix("import ")
                .and_then(|rest| rest.split_once(" from "))
            else {
                continue;
            };
            let path = from.trim().trim_matches(['\'', '"']).replace('\\', "");
            let is_name = name.trim().starts_with(|c: char| c.is_ascii_uppercase())
                && name
                    .trim()
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '$');
            if is_name && markdown_ending(&path).is_some() {
                found.insert(name.trim(), path);
            }
        }
    }
    found
}

fn components<'t>(
    text: &'t str,
    code: &[Range<usize>],
    imports: &HashMap<&'t str, String>,
) -> Vec<Component<'t>> {
    let mut found: Vec<Component<'t>> = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find('<').map(|open| from + open) {
        from = open + 1;
        let rest = &text[from..];
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .unwrap_or(rest.len());
        let Some((name, _)) = imports.get_key_value(&rest[..end]) else {
            continue;
        };
        if is_inside(code, open) {
            continue;
        }
        let Some((length, properties)) = attributes(&rest[end..]) else {
            continue;
        };
        let mut close = from + end + length;
        if !text[..close].ends_with("/>") {
            let closing = format!("</{name}>");
            let Some(at) = text[close..].find(&closing) else {
                continue;
            };
            close += at + closing.len();
        }
        found.push(Component {
            name,
            range: open..close,
            properties,
        });
        from = close;
    }
    found
}

/// The attributes of a tag behind its name, up to its end: their length with it, and those that are texts.
fn attributes(rest: &str) -> Option<(usize, HashMap<&str, &str>)> {
    let bytes = rest.as_bytes();
    let mut found = HashMap::new();
    let mut at = 0;
    loop {
        at += rest[at..].len() - rest[at..].trim_start().len();
        match bytes.get(at)? {
            b'>' => return Some((at + 1, found)),
            b'/' if bytes.get(at + 1) == Some(&b'>') => return Some((at + 2, found)),
            b'{' => at = braces_end(rest, at)?,
            _ => {
                let name_end = at
                    + rest[at..]
                        .find(|c: char| c == '=' || c == '>' || c == '/' || c.is_whitespace())?;
                if name_end == at {
                    return None;
                }
                let name = &rest[at..name_end];
                at = name_end;
                if bytes.get(at) != Some(&b'=') {
                    continue;
                }
                at += 1;
                let value = match bytes.get(at)? {
                    quote @ (b'"' | b'\'') => {
                        let length = rest[at + 1..].find(char::from(*quote))?;
                        let value = &rest[at + 1..at + 1 + length];
                        at += length + 2;
                        Some(value)
                    }
                    b'{' => {
                        let end = braces_end(rest, at)?;
                        let value = rest[at + 1..end - 1].trim();
                        at = end;
                        let quoted = ['"', '\'', '`'].iter().find_map(|quote| {
                            let inside = value.strip_prefix(*quote)?.strip_suffix(*quote)?;
                            (!inside.contains([*quote, '\\', '$'])).then_some(inside)
                        });
                        let number = value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
                        quoted.or((number && !value.is_empty()).then_some(value))
                    }
                    _ => return None,
                };
                if let Some(value) = value {
                    found.insert(name, value);
                }
            }
        }
    }
}

/// The offset behind the brace that closes the one at `at`.
fn braces_end(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (offset, c) in text[at..].char_indices() {
        match (quote, c) {
            (Some(sign), c) if c == sign => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + offset + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Writes the properties that a partial was given where it shows them. One that it was not given shows nothing.
fn with_properties(text: &mut Text, properties: &HashMap<&str, &str>) {
    if !text.text.contains("{props.") {
        return;
    }
    let code = code_ranges(&text.text, true);
    let edits = text
        .text
        .match_indices("{props.")
        .filter(|(at, _)| !is_inside(&code, *at))
        .filter_map(|(at, sign)| {
            let inside = &text.text[at + sign.len()..];
            let length = inside.find('}')?;
            let value = properties.get(&inside[..length])?;
            Some((at..at + sign.len() + length + 1, (*value).to_owned()))
        })
        .collect();
    text.replace(edits);
}

/// Rewrites links that are relative to one folder so that they are relative to another.
fn move_links(text: &mut Text, from: &str, to: &str) {
    links::rewrite(text, &mut |reference| {
        let target = reference.target;
        let (path, tail) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
        let is_relative = !path.is_empty()
            && !path.starts_with(['/', '@', '~', '{'])
            && !path.split('/').next().unwrap_or_default().contains(':');
        match joined(from, path).filter(|_| is_relative) {
            Some(path) => Outcome::Replace(format!("{}{tail}", relative(to, &path))),
            None => Outcome::Keep,
        }
    });
}

/// The path from a folder to a file.
pub(crate) fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut parts = vec![".."; from.len() - shared];
    parts.extend(&to[shared..]);
    match parts.first() {
        Some(&"..") => parts.join("/"),
        _ => format!("./{}", parts.join("/")),
    }
}

/// A text whose further lines stand as deep as its first.
fn indented(text: &str, indent: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
            if !line.is_empty() {
                out.push_str(indent);
            }
        }
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_components_are_found() {
        let text = "import A from './_a.mdx'; import B from \"@site/\\_b.md\";\nimport C from 'c.js'\n\n<A os=\"Linux\" n={3} {...rest} />\n\n`<A />`\n<B>x</B> <AB/> <C/>\n";
        let code = code_ranges(text, true);
        let imports = imports(text, &code);
        let mut names: Vec<(&str, &str)> = imports.iter().map(|(a, b)| (*a, b.as_str())).collect();
        names.sort();
        assert_eq!(names, [("A", "./_a.mdx"), ("B", "@site/_b.md")]);
        let found: Vec<&str> = components(text, &code, &imports)
            .into_iter()
            .map(|it| &text[it.range])
            .collect();
        assert_eq!(found, ["<A os=\"Linux\" n={3} {...rest} />", "<B>x</B>"]);
    }

    #[test]
    fn properties_are_written_in() {
        let (_, properties) = attributes(" os='Linux' n={`x`} f={g()} />").unwrap();
        let mut text = Text::new("on {props.os}: {props.n} {props.f} `{props.os}`".into(), 1);
        with_properties(&mut text, &properties);
        assert_eq!(text.text, "on Linux: x {props.f} `{props.os}`");
    }

    #[test]
    fn links_of_a_partial_lead_from_its_own_file() {
        let mut text = Text::new(
            "[a](./a.md#x) [b](/b) ![c](../img/c.png) [d](https://d.dev)".into(),
            1,
        );
        move_links(&mut text, "docs/shared", "docs/guide/deep");
        assert_eq!(
            text.text,
            "[a](../../shared/a.md#x) [b](/b) ![c](../../img/c.png) [d](https://d.dev)"
        );
    }
}
