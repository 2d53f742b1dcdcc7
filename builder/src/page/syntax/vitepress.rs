//! VitePress's includes and snippets.
//!
//! `<!--@include: ./parts/setup.md{2,5}-->` puts a file in, or lines of it, or the region `#name` of it; front matter stays out. It works in code as
//! anywhere, as far as there is such a file. `<<< @/snippets/a.js#region{1 ts} [label]` is a code block with a file's text. `@` is the folder of the
//! pages. (VitePress 1.6: "Markdown file inclusion", "Import code snippets".)

use crate::generator::SiteFiles;
use crate::page::code::{code_ranges, is_inside};
use crate::page::{Log, Text, with_own_line};
use crate::place::folder_of;
use crate::site_map::joined;

/// Includes inside included files are followed so deep.
const DEEPEST: usize = 10;
const INCLUDE: &str = "@include:";

/// Puts included files and snippets in. `source` is the page's file, `root` the folder that `@` stands for.
pub(crate) fn expand(text: &mut Text, source: &str, root: &str, files: &SiteFiles, log: &mut Log) {
    let mut expander = Expander {
        root,
        files,
        log,
        open: vec![source.to_owned()],
    };
    if text.text.contains(INCLUDE) {
        let code = code_ranges(&text.text, false);
        let mut edits = Vec::new();
        for found in includes(&text.text) {
            let line = text.line_of(found.start);
            let in_code = is_inside(&code, found.start);
            if let Some(new) = expander.include(found.inside, source, line, in_code) {
                let range = found.start..found.end;
                let range = match new.is_empty() {
                    true => with_own_line(&text.text, range),
                    false => range,
                };
                edits.push((range, new));
            }
        }
        text.replace(edits);
    }
    if text.text.contains("<<<") {
        expander.snippets(text, source);
    }
}

struct Include<'a> {
    start: usize,
    end: usize,
    inside: &'a str,
}

/// The comments of a text that are includes.
fn includes(text: &str) -> Vec<Include<'_>> {
    let mut found = Vec::new();
    for (start, sign) in text.match_indices("<!--") {
        let rest = &text[start + sign.len()..];
        let Some(rest) = rest.trim_start().strip_prefix(INCLUDE) else {
            continue;
        };
        let Some(close) = rest
            .find("-->")
            .filter(|close| !rest[..*close].contains('\n'))
        else {
            continue;
        };
        found.push(Include {
            start,
            end: text.len() - rest.len() + close + 3,
            inside: rest[..close].trim(),
        });
    }
    found
}

struct Expander<'a> {
    root: &'a str,
    files: &'a SiteFiles,
    log: &'a mut Log,
    /// The files that are being put in, outermost first.
    open: Vec<String>,
}

impl Expander<'_> {
    fn path(&self, written: &str, source: &str) -> Option<String> {
        let folder = folder_of(source);
        match written.strip_prefix('@') {
            Some(path) => joined(self.root, path.trim_start_matches('/')),
            None => joined(folder, written),
        }
    }

    /// What stands for an include; none when it is code that only looks like one.
    fn include(&mut self, inside: &str, source: &str, line: u32, in_code: bool) -> Option<String> {
        let (rest, lines) = with_lines(inside);
        let (file, region) = match rest.rsplit_once('#') {
            Some((file, region)) if is_name(region) => (file, Some(region)),
            _ => (rest, None),
        };
        let file = file.trim();
        let Some(path) = self.path(file, source) else {
            let help = Some("name the folder that holds both with `--site`");
            self.tell(
                line,
                in_code,
                format!("`{file}` is included and lies outside the site's folder"),
                help,
            );
            return (!in_code).then(String::new);
        };
        if self.open.contains(&path) || self.open.len() > DEEPEST {
            self.tell(line, false, format!("`{path}` is included in itself"), None);
            return (!in_code).then(String::new);
        }
        let body = match self.files.include(&path).text(&path, "is included") {
            Ok(body) => body,
            Err((what, help)) => {
                self.tell(line, in_code, what, help);
                return (!in_code).then(String::new);
            }
        };
        // Lines are counted from the top of the file, with its front matter.
        let part = match (region, lines) {
            (None, None) => Some(body),
            _ => self.part(&path, &body, region, lines),
        };
        let Some(part) = part else {
            if let Some(region) = region {
                let what = format!("`{path}` has no region `{region}`");
                self.tell(line, in_code, what, None);
            }
            return (!in_code).then(String::new);
        };
        self.open.push(path.clone());
        let mut out = String::with_capacity(part.len());
        let mut at = 0;
        for found in includes(&part) {
            if let Some(new) = self.include(found.inside, &path, line, in_code) {
                out.push_str(&part[at..found.start]);
                out.push_str(&new);
                at = found.end;
            }
        }
        out.push_str(&part[at..]);
        self.open.pop();
        Some(out.trim_matches('\n').to_owned())
    }

    fn tell(&mut self, line: u32, in_code: bool, what: String, help: Option<&str>) {
        // In code an include of nothing is an example of one.
        if !in_code {
            self.log.warn(line, what, help);
        }
    }

    /// The region and the lines that are asked for.
    fn part(
        &self,
        path: &str,
        body: &str,
        region: Option<&str>,
        lines: Option<Lines>,
    ) -> Option<String> {
        let whole = self.files.read(path).ok()?;
        let before = whole.len().checked_sub(body.len())?;
        let front = whole.get(..before)?.matches('\n').count();
        let all: Vec<&str> = whole.split('\n').collect();
        let (mut from, mut to) = (0, all.len());
        if let Some(region) = region {
            (from, to) = region_of(&all, region).or_else(|| section_of(&all, front, region))?;
        }
        let (base, end) = (from, to);
        if let Some(lines) = lines {
            from = base + lines.from.unwrap_or(1).saturating_sub(1);
            to = lines.to.map_or(end, |to| (base + to).min(end));
        }
        let taken = all.get(from.max(front).min(to)..to)?;
        let shown = taken.iter().filter(|line| !is_mark(line));
        Some(shown.copied().collect::<Vec<&str>>().join("\n"))
    }

    fn snippets(&mut self, text: &mut Text, source: &str) {
        let code = code_ranges(&text.text, false);
        let mut edits = Vec::new();
        let mut at = 0;
        for line in text.text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let lead = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
            let Some(inside) = line[lead..].strip_prefix("<<<") else {
                continue;
            };
            if is_inside(&code, start + lead) {
                continue;
            }
            let number = text.line_of(start);
            let block = self.snippet(inside.trim(), source, number);
            let indent = &line[..lead];
            let block = block.replace('\n', &format!("\n{indent}"));
            edits.push((start + lead..start + line.trim_end().len(), block));
        }
        text.replace(edits);
    }

    fn snippet(&mut self, inside: &str, source: &str, line: u32) -> String {
        let snippet = Snippet::of(inside);
        let Some(path) = self.path(&snippet.file, source) else {
            let what = format!(
                "`{}` is shown and lies outside the site's folder",
                snippet.file
            );
            self.log.warn(
                line,
                what,
                Some("name the folder that holds both with `--site`"),
            );
            return String::new();
        };
        let text = match self.files.include(&path).text(&path, "is shown") {
            Ok(text) => text,
            Err((what, help)) => {
                self.log.warn(line, what, help);
                return String::new();
            }
        };
        let all: Vec<&str> = text.split('\n').collect();
        let shown = match &snippet.region {
            None => text.clone(),
            Some(region) => match region_of(&all, region) {
                Some((from, to)) => {
                    let lines: Vec<&str> = all[from..to]
                        .iter()
                        .filter(|line| !is_mark(line))
                        .copied()
                        .collect();
                    dedented(&lines)
                }
                None => {
                    self.log
                        .warn(line, format!("`{path}` has no region `{region}`"), None);
                    text.clone()
                }
            },
        };
        let ticks = longest_run(&shown).max(2) + 1;
        let fence = "`".repeat(ticks);
        let label = if snippet.label.is_empty() {
            String::new()
        } else {
            format!(" [{}]", snippet.label)
        };
        format!(
            "{fence}{}{label}\n{}\n{fence}",
            snippet.language,
            shown.trim_end_matches('\n')
        )
    }
}

/// `path.ext#region{1,2 lang} [label]`
#[derive(Debug, PartialEq)]
struct Snippet {
    file: String,
    region: Option<String>,
    language: String,
    label: String,
}

impl Snippet {
    fn of(inside: &str) -> Snippet {
        let mut rest = inside.trim();
        let mut label = None;
        if let Some((before, text)) = rest.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
            label = Some(text.to_owned());
            rest = before.trim_end();
        }
        let mut language = None;
        if let Some((before, options)) = rest.strip_suffix('}').and_then(|it| it.rsplit_once('{')) {
            let lines = |word: &&str| {
                word.bytes()
                    .all(|b| b.is_ascii_digit() || matches!(b, b',' | b'-'))
            };
            language = options
                .split_whitespace()
                .find(|word| !lines(word))
                .map(str::to_owned);
            rest = before.trim_end();
        }
        let (file, region) = match rest.rsplit_once('#') {
            Some((file, region)) if is_name(region) => (file, Some(region.to_owned())),
            _ => (rest, None),
        };
        let name = file.rsplit('/').next().unwrap_or(file);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        Snippet {
            file: file.to_owned(),
            region,
            language: language.unwrap_or_else(|| ending.to_owned()),
            label: label.unwrap_or_else(|| name.to_owned()),
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Lines {
    from: Option<usize>,
    to: Option<usize>,
}

/// Takes `{1,5}` off the end: what stands before it, and the lines.
fn with_lines(text: &str) -> (&str, Option<Lines>) {
    let found = text.strip_suffix('}').and_then(|rest| {
        let (before, inside) = rest.rsplit_once('{')?;
        let (from, to) = inside.split_once(',')?;
        let number = |text: &str| match text {
            "" => Some(None),
            digits => digits.parse().ok().map(Some),
        };
        let lines = Lines {
            from: number(from)?,
            to: number(to)?,
        };
        Some((before.trim_end(), Some(lines)))
    });
    found.unwrap_or((text, None))
}

/// The name behind a mark of a region: whether the mark ends it, and the name. (VitePress 1.6: `findRegion`.)
fn mark(line: &str) -> Option<(bool, &str)> {
    let line = line.trim();
    let inside = if let Some(rest) = line.strip_prefix("//") {
        rest.trim_start().trim_start_matches('#')
    } else if let Some(rest) = line.strip_prefix("/*") {
        rest.trim_start().strip_prefix('#')?.strip_suffix("*/")?
    } else if let Some(rest) = line.strip_prefix("<!--") {
        rest.trim_start()
            .trim_start_matches('#')
            .strip_suffix("-->")?
    } else if let Some(rest) = line.strip_prefix("#pragma") {
        rest
    } else {
        line.strip_prefix("::#")
            .or_else(|| line.strip_prefix('#'))?
    };
    let inside = inside.trim();
    let (ends, rest) = [
        "endregion ",
        "EndRegion ",
        "Endregion ",
        "End Region ",
        "end region ",
    ]
    .iter()
    .find_map(|word| Some((true, inside.strip_prefix(word)?)))
    .or_else(|| {
        ["region ", "Region "]
            .iter()
            .find_map(|word| Some((false, inside.strip_prefix(word)?)))
    })?;
    let name = rest.trim();
    (!name.is_empty() && !name.contains(' ')).then_some((ends, name))
}

fn is_mark(line: &str) -> bool {
    mark(line).is_some()
}

/// The lines between the marks of a region.
fn region_of(lines: &[&str], name: &str) -> Option<(usize, usize)> {
    let start = lines
        .iter()
        .position(|line| mark(line) == Some((false, name)))?;
    let length = lines[start..]
        .iter()
        .position(|line| mark(line) == Some((true, name)))?;
    Some((start + 1, start + length))
}

/// The lines of the section whose heading has an anchor, up to the next heading of its level.
fn section_of(lines: &[&str], front: usize, anchor: &str) -> Option<(usize, usize)> {
    let level = |line: &str| {
        let level = line.bytes().take_while(|b| *b == b'#').count();
        (level > 0 && line[level..].starts_with(' ')).then_some(level)
    };
    let mut fenced = false;
    let mut open = None;
    for (at, line) in lines.iter().enumerate().skip(front) {
        fenced ^= line.trim_start().starts_with("```");
        let Some(own) = level(line).filter(|_| !fenced) else {
            continue;
        };
        match open {
            Some((start, outer)) if own <= outer => return Some((start, at)),
            Some(_) => {}
            None => {
                let named = line.contains(&format!("{{#{anchor}}}"));
                let slug = artifact::route::Slugger::of(artifact::route::Anchors::VitePress)
                    .slug(&line[own..]);
                if named || slug == anchor {
                    open = Some((at, own));
                }
            }
        }
    }
    open.map(|(start, _)| (start, lines.len()))
}

fn dedented(lines: &[&str]) -> String {
    let indent = |line: &&&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let least = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| indent(&line))
        .min()
        .unwrap_or(0);
    let cut: Vec<&str> = lines
        .iter()
        .map(|line| line.get(least..).unwrap_or(""))
        .collect();
    cut.join("\n")
}

/// The longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_are_read() {
        let check = |text, file: &str, region: Option<&str>, language: &str, label: &str| {
            let wanted = Snippet {
                file: file.into(),
                region: region.map(str::to_owned),
                language: language.into(),
                label: label.into(),
            };
            assert_eq!(Snippet::of(text), wanted, "{text}");
        };
        check("@/a/b.js", "@/a/b.js", None, "js", "b.js");
        check(
            "./b.js#part{1,4-6 ts}",
            "./b.js",
            Some("part"),
            "ts",
            "b.js",
        );
        check("../b.cs{c#} [Title]", "../b.cs", None, "c#", "Title");
        check("@/b{2}", "@/b", None, "", "b");
    }

    #[test]
    fn regions_and_sections_are_found() {
        let lines: Vec<&str> = "a\n// #region x\nb\n// #endregion x\n<!-- #region y -->\nc\n<!-- #endregion y -->\n# region z\nd\n# endregion z".split('\n').collect();
        assert_eq!(region_of(&lines, "x"), Some((2, 3)));
        assert_eq!(region_of(&lines, "y"), Some((5, 6)));
        assert_eq!(region_of(&lines, "z"), Some((8, 9)));
        assert_eq!(region_of(&lines, "w"), None);
        let lines: Vec<&str> = "# A\n## B c\ntext\n### D\n## E".split('\n').collect();
        assert_eq!(section_of(&lines, 0, "b-c"), Some((1, 4)));
    }

    #[test]
    fn lines_are_taken_off() {
        let lines = |from, to| Some(Lines { from, to });
        assert_eq!(
            with_lines("./a.md{1,5}"),
            ("./a.md", lines(Some(1), Some(5)))
        );
        assert_eq!(with_lines("./a.md{,5}"), ("./a.md", lines(None, Some(5))));
        assert_eq!(with_lines("./a.md"), ("./a.md", None));
        assert_eq!(with_lines("./{a}.md"), ("./{a}.md", None));
    }
}
