//! What puts other files into pages beside snippets: `{!file!}` of markdown-include and mdx_include, `{* file ln[2:5] *}` of
//! markdown-include-variants, and `{% include-markdown "file" %}` of the plugin of that name. All of them work in code as anywhere.

use std::ops::Range;

use super::super::super::links::{self, Outcome};
use crate::generator::SiteFiles;
use crate::page::{Log, Text};
use crate::place::folder_of;
use crate::site_map::joined;

/// How deep files may hold files.
const DEEPEST: usize = 10;

/// Which of them a site uses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Includes {
    /// `{!file!}`.
    pub braces: Option<Braces>,
    /// `{* file *}`: the folder that its paths begin in.
    pub variants: Option<String>,
    /// `{% include-markdown "file" %}` and `{% include "file" %}`.
    pub plugin: Option<Plugin>,
}

/// The settings of markdown-include or mdx_include.
#[derive(Debug, Clone, Default)]
pub(crate) struct Braces {
    /// The folder that paths begin in.
    pub base: String,
    /// How much deeper headings become.
    pub heading_offset: usize,
    /// Whether headings become as much deeper as the heading above the include is.
    pub inherits_depth: bool,
}

/// The settings of the include-markdown plugin.
#[derive(Debug, Clone)]
pub(crate) struct Plugin {
    /// The folder of the pages, that paths without `./` and `../` begin in.
    pub docs: String,
    /// What opens a directive.
    pub opening: String,
    /// What closes it.
    pub closing: String,
}

/// Puts other files into a page.
pub(crate) fn expand(
    text: &mut Text,
    source: &str,
    includes: &Includes,
    files: &SiteFiles,
    log: &mut Log,
) {
    let mut reader = Reader {
        includes,
        files,
        log,
    };
    let edits = reader.edits(&text.text, source, 0, &|at| text.line_of(at));
    text.replace(edits);
}

type Edits = Vec<(Range<usize>, String)>;

struct Reader<'a> {
    includes: &'a Includes,
    files: &'a SiteFiles,
    log: &'a mut Log,
}

impl Reader<'_> {
    /// What is to be put where in a text of a file. `line_of` gives the line of the page to which a place belongs.
    fn edits(
        &mut self,
        text: &str,
        source: &str,
        depth: usize,
        line_of: &dyn Fn(usize) -> u32,
    ) -> Edits {
        let includes = self.includes;
        let mut edits = Edits::new();
        if let Some(plugin) = &includes.plugin {
            for (at, _) in text.match_indices(plugin.opening.as_str()) {
                let found = Directive::at(text, at, plugin);
                if let Some(directive) = found {
                    let new = self.directive(&directive, plugin, source, depth, line_of(at));
                    let start = line_start(text, at);
                    let indent = &text[start..at];
                    let indent = if indent.trim().is_empty() { indent } else { "" };
                    edits.push((at..directive.end, indented(&new, indent)));
                }
            }
        }
        if let Some(braces) = &includes.braces {
            for (at, _) in text.match_indices("{!") {
                let Some(found) = Braced::at(text, at) else {
                    continue;
                };
                if text[..at].ends_with('\\') {
                    edits.push((at - 1..at, String::new()));
                    continue;
                }
                let new = self.braced(&found, braces, depth, line_of(at));
                let above = match braces.inherits_depth {
                    true => depth_above(&text[..at]),
                    false => 0,
                };
                let by = isize::try_from(braces.heading_offset + above).unwrap_or_default();
                let new = deeper(&new, by);
                let prefix = &text[line_start(text, at)..at];
                let new = match found.is_indented {
                    true => indented(&new, prefix),
                    false => new,
                };
                edits.push((at..found.end, new));
            }
        }
        if let Some(base) = &includes.variants {
            for (at, _) in text.match_indices("{*") {
                let line = text[at..].lines().next().unwrap_or_default();
                let inside = line
                    .trim_end()
                    .strip_prefix("{*")
                    .and_then(|rest| rest.strip_suffix("*}"));
                if let Some(inside) = inside.filter(|_| line_start(text, at) == at) {
                    let new = self.variant(inside.trim(), base, line_of(at));
                    edits.push((at..at + line.trim_end().len(), new));
                }
            }
        }
        edits
    }

    /// A text with what it includes.
    fn filled(&mut self, text: String, source: &str, depth: usize, line: u32) -> String {
        if depth >= DEEPEST {
            let what = format!("`{source}` is included more than {DEEPEST} files deep");
            let help = Some("look for a file that includes itself");
            self.log.warn(line, what, help);
            return String::new();
        }
        let edits = self.edits(&text, source, depth + 1, &|_| line);
        let mut text = Text::new(text, 1);
        text.replace(edits);
        text.text
    }

    /// The text of the file that a path names, and the file's path; none, and said so, when it cannot be put in.
    fn read(&mut self, base: &str, path: &str, line: u32) -> Option<(String, String)> {
        if path.contains("://") {
            self.log.unrendered(line, "include from another site");
            return None;
        }
        let Some(found) = joined(base, path).filter(|_| !path.starts_with('/')) else {
            let what = format!("`{path}` is included and lies outside the site's folder");
            let help = Some("name the folder that holds both with `--site`");
            self.log.warn(line, what, help);
            return None;
        };
        match self.files.include(&found).text(&found, "is included") {
            Ok(text) => Some((text.trim_end_matches(['\n', '\r']).to_owned(), found)),
            Err((what, help)) => {
                self.log.warn(line, what, help);
                None
            }
        }
    }

    fn braced(&mut self, found: &Braced<'_>, braces: &Braces, depth: usize, line: u32) -> String {
        let Some((text, path)) = self.read(&braces.base, found.path, line) else {
            return String::new();
        };
        let text = match found.lines {
            Some(lines) => taken(&text, lines, '-'),
            None => text,
        };
        match found.is_plain {
            true => text,
            false => self.filled(text, &path, depth, line),
        }
    }

    fn variant(&mut self, inside: &str, base: &str, line: u32) -> String {
        let (path, settings) = inside.split_once(' ').unwrap_or((inside, ""));
        let Some((text, _)) = self.read(base, path, line) else {
            return String::new();
        };
        let lines = settings
            .split_once("ln[")
            .and_then(|(_, rest)| rest.split_once(']'));
        let text = match lines {
            Some((lines, _)) => taken(&text, lines, ':'),
            None => text,
        };
        let language = match path.rsplit_once('.') {
            Some((_, "py")) => "python",
            Some((_, ending)) if !ending.contains('/') => ending,
            _ => "",
        };
        let longest = text
            .lines()
            .map(|line| line.len() - line.trim_start().trim_start_matches('`').len())
            .max();
        let fence = "`".repeat(longest.map_or(3, |length| (length + 1).max(3)));
        format!("{fence}{language}\n{text}\n{fence}")
    }

    fn directive(
        &mut self,
        directive: &Directive<'_>,
        plugin: &Plugin,
        source: &str,
        depth: usize,
        line: u32,
    ) -> String {
        let path = directive.path.as_str();
        if path.contains(['*', '{', '[']) {
            self.log.unrendered(line, "include of several files");
            return String::new();
        }
        let base = match path.starts_with("./") || path.starts_with("../") {
            true => folder_of(source),
            false => plugin.docs.as_str(),
        };
        let Some((text, path)) = self.read(base, path, line) else {
            return String::new();
        };
        let (start, end) = (directive.text("start"), directive.text("end"));
        let text = match between(&text, start.as_deref(), end.as_deref()) {
            Some(text) => text,
            None => {
                let what = format!("`{path}` has no `{}`", start.unwrap_or_default());
                self.log.warn(line, what, None);
                return String::new();
            }
        };
        let mut text = match directive.is("recursive", true) {
            true => self.filled(text, &path, depth, line),
            false => text,
        };
        if directive.is("dedent", false) {
            text = dedented(&text);
        }
        if directive.is_markdown {
            if directive.is("rewrite-relative-urls", true) {
                text = rebased(text, folder_of(&path), folder_of(source));
            }
            let offset = directive.text("heading-offset");
            let offset = offset.and_then(|text| text.parse::<isize>().ok());
            text = deeper(&text, offset.unwrap_or_default());
        }
        text.trim_end_matches('\n').to_owned()
    }
}

/// `{!file!}`.
struct Braced<'t> {
    path: &'t str,
    /// `1-3,7`, or `1-3 7`.
    lines: Option<&'t str>,
    /// Whether what stands before it is put before each line.
    is_indented: bool,
    /// Whether what the file includes is left as it is.
    is_plain: bool,
    end: usize,
}

impl<'t> Braced<'t> {
    fn at(text: &'t str, at: usize) -> Option<Braced<'t>> {
        let line = text[at..].lines().next()?;
        let close = line
            .match_indices('!')
            .map(|(at, _)| at)
            .find(|at| *at > 1 && line[at + 1..].starts_with(['}', 'l']))?;
        let (inside, rest) = (&line[2..close], &line[close + 1..]);
        let (lines, length) = match rest.strip_prefix("lines=") {
            Some(rest) => {
                let length = rest.find('}')?;
                (Some(&rest[..length]), "lines=".len() + length)
            }
            None => (None, 0),
        };
        if !rest[length..].starts_with('}') {
            return None;
        }
        let is_plain = inside.starts_with('-');
        let inside = inside.strip_prefix(['+', '-']).unwrap_or(inside);
        let is_indented = inside.starts_with('>');
        let inside = inside.strip_prefix('>').unwrap_or(inside).trim();
        let (inside, _) = inside.split_once('|').unwrap_or((inside, ""));
        let (path, ln) = match inside.split_once("[ln:") {
            Some((path, rest)) => (path, Some(rest.trim_end().strip_suffix(']')?)),
            None => (inside, None),
        };
        let path = path.trim();
        (!path.is_empty()).then_some(Braced {
            path,
            lines: ln.or(lines),
            is_indented,
            is_plain,
            end: at + close + 1 + length + 1,
        })
    }
}

/// `{% include-markdown "file" start="a" %}`.
struct Directive<'t> {
    is_markdown: bool,
    path: String,
    arguments: &'t str,
    end: usize,
}

impl<'t> Directive<'t> {
    fn at(text: &'t str, at: usize, plugin: &Plugin) -> Option<Directive<'t>> {
        let inside = &text[at + plugin.opening.len()..];
        let body = inside.trim_start();
        let (is_markdown, rest) = match body.strip_prefix("include-markdown") {
            Some(rest) => (true, rest),
            None => (false, body.strip_prefix("include")?),
        };
        let quoted = rest.trim_start();
        if quoted.len() == rest.len() {
            return None;
        }
        let (path, rest) = string(quoted)?;
        let length = rest.find(plugin.closing.as_str())?;
        Some(Directive {
            is_markdown,
            path,
            arguments: &rest[..length],
            end: text.len() - rest.len() + length + plugin.closing.len(),
        })
    }

    /// The value of an argument.
    fn text(&self, name: &str) -> Option<String> {
        let mut from = 0;
        while let Some(at) = self.arguments[from..].find(name) {
            let start = from + at;
            from = start + name.len();
            let before = self.arguments[..start].chars().next_back();
            let is_whole = before.is_none_or(char::is_whitespace);
            if let Some(value) = self.arguments[from..]
                .strip_prefix('=')
                .filter(|_| is_whole)
            {
                return Some(match string(value) {
                    Some((text, _)) => text,
                    None => value
                        .split_whitespace()
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                });
            }
        }
        None
    }

    fn is(&self, name: &str, otherwise: bool) -> bool {
        self.text(name).map_or(otherwise, |text| text == "true")
    }
}

/// A text in quotes, and what stands behind it.
fn string(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                other if other == quote || other == '\\' => out.push(other),
                other => out.extend(['\\', other]),
            },
            c if c == quote => return Some((out, &text[at + 1..])),
            c => out.push(c),
        }
    }
    None
}

/// All that stands between the marks, one piece behind the other. None when the first mark does not stand there.
fn between(text: &str, start: Option<&str>, end: Option<&str>) -> Option<String> {
    let Some(start) = start else {
        let piece = end.and_then(|end| text.split_once(end));
        return Some(piece.map_or(text, |(piece, _)| piece).to_owned());
    };
    let (_, mut rest) = text.split_once(start)?;
    let mut out = String::new();
    loop {
        match end.and_then(|end| rest.split_once(end)) {
            Some((piece, more)) => {
                out.push_str(piece);
                match more.split_once(start) {
                    Some((_, more)) => rest = more,
                    None => return Some(out),
                }
            }
            None => {
                out.push_str(rest);
                return Some(out);
            }
        }
    }
}

/// The lines that are asked for: `1-3,7-` or `1-3 7`, counted from 1, with the sign that stands between the first and the last.
fn taken(text: &str, lines: &str, sign: char) -> String {
    let all: Vec<&str> = text.split('\n').collect();
    let mut out: Vec<&str> = Vec::new();
    for range in lines.split([',', ' ']).filter(|range| !range.is_empty()) {
        let (from, to) = match range.split_once(sign) {
            Some((from, to)) => (from, to),
            None => (range, range),
        };
        // A column behind a point is not looked at.
        let number = |text: &str, otherwise: usize| {
            let row = text.split('.').next().unwrap_or_default();
            row.parse::<usize>().unwrap_or(otherwise)
        };
        let (from, to) = (number(from, 1).max(1), number(to, all.len()).min(all.len()));
        out.extend(all.get(from - 1..to).unwrap_or_default());
    }
    out.join("\n")
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// A text whose lines behind the first have something before them.
fn indented(text: &str, prefix: &str) -> String {
    match prefix.is_empty() {
        true => text.to_owned(),
        false => text
            .split('\n')
            .collect::<Vec<_>>()
            .join(&format!("\n{prefix}")),
    }
}

/// A text without the white space that all its lines begin with.
fn dedented(text: &str) -> String {
    let lines = || text.split('\n');
    let width = lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or_default();
    let kept = lines().map(|line| line.get(width..).unwrap_or_default());
    kept.collect::<Vec<_>>().join("\n")
}

/// The level of the last heading of a text.
fn depth_above(text: &str) -> usize {
    let signs = |line: &str| line.len() - line.trim_start_matches('#').len();
    let headings = text.lines().rev().filter(|line| line.starts_with('#'));
    headings.map(signs).next().unwrap_or_default()
}

/// A text with its headings so much deeper, or less deep.
fn deeper(text: &str, by: isize) -> String {
    if by == 0 {
        return text.to_owned();
    }
    let mut fence: Option<&str> = None;
    let lines = text.split('\n').map(|line| {
        let body = line.trim_start();
        let sign = ["```", "~~~"]
            .into_iter()
            .find(|sign| body.starts_with(sign));
        match (fence, sign) {
            (None, Some(_)) => fence = sign,
            (Some(open), Some(sign)) if open == sign => fence = None,
            _ => {}
        }
        let level = line.len() - line.trim_start_matches('#').len();
        if fence.is_some() || !(1..=6).contains(&level) || !line[level..].starts_with([' ', '\t']) {
            return line.to_owned();
        }
        let new = level.saturating_add_signed(by).clamp(1, 6);
        format!("{}{}", "#".repeat(new), &line[level..])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text whose relative links lead from another folder to where they led.
fn rebased(text: String, from: &str, to: &str) -> String {
    if from == to {
        return text;
    }
    let mut text = Text::new(text, 1);
    links::rewrite(&mut text, &mut |reference| {
        let target = reference.target;
        let end = target.find(['?', '#']).unwrap_or(target.len());
        let (path, tail) = target.split_at(end);
        let is_elsewhere = path.is_empty()
            || path.starts_with('/')
            || path
                .split('/')
                .next()
                .is_some_and(|first| first.contains(':'));
        match joined(from, path).filter(|_| !is_elsewhere) {
            Some(path) => Outcome::Replace(relative(&path, to) + tail),
            None => Outcome::Keep,
        }
    });
    text.text
}

/// The way from a folder to a file.
fn relative(path: &str, folder: &str) -> String {
    let there: Vec<&str> = path.split('/').collect();
    let here: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let same = there.iter().zip(&here).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", here.len() - same);
    up.chain(there[same..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_name_a_file_and_lines() {
        let check = |text: &str, path: &str, lines: Option<&str>, end: usize| {
            let found = Braced::at(text, 0).expect(text);
            assert_eq!(
                (found.path, found.lines, found.end),
                (path, lines, end),
                "{text}"
            );
        };
        check("{!a/b.py!} x", "a/b.py", None, 10);
        check("{!> ../a.py[ln:1-3,7]!}", "../a.py", Some("1-3,7"), 23);
        check("{!a.md!lines=1 3-5}", "a.md", Some("1 3-5"), 19);
        check("{! a.md | utf-8 !}", "a.md", None, 18);
        assert!(Braced::at("{!a\n!}", 0).is_none());
        assert!(Braced::at("{!!}", 0).is_none());
        assert!(Braced::at("{!a!b}", 0).is_none());
    }

    #[test]
    fn lines_are_counted_from_one() {
        let check = |lines: &str, sign: char, wanted: &str| {
            assert_eq!(taken("a\nb\nc\nd", lines, sign), wanted, "{lines}");
        };
        check("2-3", '-', "b\nc");
        check("1,4", '-', "a\nd");
        check("1 3-9", '-', "a\nc\nd");
        check("3-", '-', "c\nd");
        check("2:3,4", ':', "b\nc\nd");
        check("7-9", '-', "");
        check("3-2", '-', "");
        check("0", '-', "");
    }

    #[test]
    fn directives_have_arguments() {
        let plugin = Plugin {
            docs: "docs".into(),
            opening: "{%".into(),
            closing: "%}".into(),
        };
        let text = "{% include-markdown \"a \\\" b.md\" start='<!-- s -->'\n  heading-offset=1 %}.";
        let found = Directive::at(text, 0, &plugin).expect("a directive");
        assert_eq!(found.path, "a \" b.md");
        assert_eq!(found.text("start").as_deref(), Some("<!-- s -->"));
        assert_eq!(found.text("heading-offset").as_deref(), Some("1"));
        assert_eq!(found.text("end"), None);
        assert_eq!(&text[found.end..], ".");
        assert!(found.is_markdown);
        for other in [
            "{% include a.md %}",
            "{% if x %}",
            "{% include \"a.md\"",
            "{% includes \"a\" %}",
        ] {
            assert!(Directive::at(other, 0, &plugin).is_none(), "{other}");
        }
    }

    #[test]
    fn pieces_between_marks() {
        let check = |start: Option<&str>, end: Option<&str>, wanted: Option<&str>| {
            assert_eq!(between("aSbEcSdE", start, end).as_deref(), wanted);
        };
        check(None, None, Some("aSbEcSdE"));
        check(Some("S"), Some("E"), Some("bd"));
        check(Some("S"), None, Some("bEcSdE"));
        check(None, Some("E"), Some("aSb"));
        check(Some("X"), Some("E"), None);
    }

    #[test]
    fn links_lead_where_they_led() {
        let check = |text: &str, wanted: &str| {
            assert_eq!(rebased(text.to_owned(), "", "docs/guide"), wanted);
        };
        check("[a](docs/a.md#x)", "[a](../a.md#x)");
        check("![a](logo.png)", "![a](../../logo.png)");
        check("[a](docs/guide/b.md)", "[a](b.md)");
        for kept in [
            "[a](#x)",
            "[a](/x)",
            "[a](https://x.dev/a)",
            "[a](mailto:a@x.dev)",
            "`[a](b.md)`",
        ] {
            check(kept, kept);
        }
    }

    #[test]
    fn headings_become_deeper_outside_of_code() {
        assert_eq!(
            deeper("# a\n```\n# b\n```\n###### c\n#d", 1),
            "## a\n```\n# b\n```\n###### c\n#d"
        );
        assert_eq!(deeper("## a", -1), "# a");
        assert_eq!(depth_above("# a\n## b\ntext\n"), 2);
        assert_eq!(dedented("  a\n\n    b"), "a\n\n  b");
    }
}
