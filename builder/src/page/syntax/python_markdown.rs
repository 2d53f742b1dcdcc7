//! What Python-Markdown and its extensions add to markdown, as MkDocs and Material for it use them.
//!
//! `!!! note "Title"` with indented text becomes a quote under a bold title, `=== "Tab"` a bold label and its text, a definition list bold terms and
//! their text. Attribute lists go, but for ids of headings. Snippets (`--8<--`) are put in. What mkdocstrings would write from
//! source code is counted, and the name it asks for stays. (Python-Markdown's extensions; PyMdown Extensions; Material's "Reference".)

mod includes;
mod inline;
mod snippets;

use crate::config::names::capitalized;
use crate::page::code::code_ranges;
use crate::page::syntax::abbreviations;
use crate::page::syntax::liquid::tidy;
use crate::page::{Log, Text};

pub(crate) use includes::{Braces, Includes, Plugin, expand as includes};
pub(crate) use snippets::expand as snippets;

/// Which extensions a site uses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// The folders that snippets are looked for in; none when there are no snippets.
    pub snippets: Option<Vec<String>>,
    /// Snippets that are put at the end of each page.
    pub snippet_append: Vec<String>,
    /// `++ctrl+c++`.
    pub keys: bool,
    /// `{--gone--}` and its like.
    pub critic: bool,
    /// `==marked==`.
    pub marks: bool,
    /// `^^inserted^^` and `^high^`.
    pub inserted: bool,
    /// `~low~`.
    pub small: bool,
    /// `:material-account:`.
    pub emoji: bool,
    /// `::: module` and links to names.
    pub magic: bool,
}

/// Turns the syntax of the extensions into markdown.
pub(crate) fn render(text: &mut Text, options: &Options, log: &mut Log) {
    blocks(text, log);
    inline::render(text, options);
    abbreviations::render(text);
    tidy(text);
}

/// The text of a first heading of level one, in either form.
pub(crate) fn first_heading(body: &str) -> Option<String> {
    let mut before = "";
    for line in body.lines().filter(|line| !line.trim().is_empty()).take(40) {
        if let Some(title) = line.strip_prefix("# ") {
            return Some(
                inline::without_attributes(title.trim().trim_end_matches('#').trim()).to_owned(),
            );
        }
        if !before.is_empty() && line.len() >= 3 && line.trim_end().bytes().all(|b| b == b'=') {
            return Some(before.trim().to_owned());
        }
        before = line;
    }
    None
}

/// A block whose text is indented below its sign.
struct Container {
    /// The columns that its text is indented by.
    indent: usize,
    /// What stands before each of its lines.
    prefix: String,
    /// Whether its lines are left out.
    is_dropped: bool,
}

/// What a line opens.
enum Sign {
    /// A quote with a title, if it has one.
    Quote(Option<String>),
    /// A label and what belongs to it.
    Label(String),
    /// `::: name`.
    Documentation(String),
    /// `:   text` below a term.
    Definition(usize),
}

fn blocks(text: &mut Text, log: &mut Log) {
    let signs = ["!!!", "???", "===", ":::", "///", "\n:", "[!", "[TOC]"];
    if !signs.iter().any(|sign| text.text.contains(sign)) {
        return;
    }
    let source = &text.text;
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let mut open: Vec<Container> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut at = 0;
    let mut term: Option<(usize, usize)> = None;
    for (number, line) in lines.iter().enumerate() {
        let start = at;
        at += line.len();
        let content = line.trim_end_matches('\n');
        let is_blank = content.trim().is_empty();
        let indent = match is_blank {
            // A blank line belongs to what goes on behind it.
            true => lines[number + 1..]
                .iter()
                .find(|it| !it.trim().is_empty())
                .map_or(0, |it| width(it)),
            false => width(content),
        };
        while open.last().is_some_and(|it| indent < it.indent) && (fence.is_none() || !is_blank) {
            open.pop();
            fence = None;
        }
        let inside = open.last().map_or(0, |it| it.indent);
        let skipped = skip(content, inside);
        let prefix: String = open.iter().map(|it| it.prefix.as_str()).collect();
        if open.iter().any(|it| it.is_dropped) {
            edits.push((start..at, String::new()));
            continue;
        }
        if is_blank {
            if !prefix.is_empty() || !content.is_empty() {
                edits.push((start..start + content.len(), prefix.trim_end().to_owned()));
            }
            continue;
        }
        let rest = &content[skipped..];
        let own = rest.len() - rest.trim_start().len();
        let body = &rest[own..];
        let mut new = None;
        let was_fenced = fence.is_some();
        let level = body.len() - body.trim_start_matches('#').len();
        if !was_fenced
            && level > 0
            && let Some(name) = body[level..].strip_prefix(" ::: ")
        {
            // A heading that mkdocstrings goes on from. Its id is the name.
            log.unrendered(text.line_of(start), "mkdocstrings `:::`");
            let name = name.trim();
            let heading = format!(
                "{prefix}{}{} `{name}` {{#{name}}}",
                &rest[..own],
                &body[..level]
            );
            edits.push((start..start + content.len(), heading));
            open.push(Container {
                indent: width(content) + 4,
                prefix: String::new(),
                is_dropped: true,
            });
            continue;
        }
        fence = fenced(body, fence);
        if !was_fenced && fence.is_none() {
            let after_term = term.filter(|_| body.starts_with(':'));
            match sign(body, after_term.is_some()) {
                Some(Sign::Quote(title)) => {
                    let lead = format!("{}> ", &rest[..own]);
                    let title = title.map_or(String::new(), |title| {
                        format!("{prefix}{lead}**{title}**\n{prefix}{}", lead.trim_end())
                    });
                    let block = push_before(&lines, number, &prefix);
                    // The quote's own lines may follow at once.
                    new = Some(format!("{block}{title}"));
                    if title.is_empty() {
                        edits.push((start..at, String::new()));
                        new = None;
                    }
                    let indent = width(content) + 4;
                    match body.starts_with("> ") {
                        true => {}
                        false => open.push(Container {
                            indent,
                            prefix: lead,
                            is_dropped: false,
                        }),
                    }
                    if title.is_empty() {
                        term = None;
                        continue;
                    }
                }
                Some(Sign::Label(label)) => {
                    let block = push_before(&lines, number, &prefix);
                    let gap = if lines
                        .get(number + 1)
                        .is_some_and(|it| !it.trim().is_empty())
                    {
                        "\n"
                    } else {
                        ""
                    };
                    new = Some(match label.is_empty() {
                        true => String::new(),
                        false => format!("{block}{prefix}{}**{label}**{gap}", &rest[..own]),
                    });
                    if !body.starts_with('/') {
                        let lead = rest[..own].to_owned();
                        open.push(Container {
                            indent: width(content) + 4,
                            prefix: lead,
                            is_dropped: false,
                        });
                    }
                }
                Some(Sign::Documentation(name)) => {
                    log.unrendered(text.line_of(start), "mkdocstrings `:::`");
                    new = Some(format!("{prefix}{}`{name}`", &rest[..own]));
                    open.push(Container {
                        indent: width(content) + 4,
                        prefix: String::new(),
                        is_dropped: true,
                    });
                }
                Some(Sign::Definition(lead)) => {
                    if let Some((start, end)) = after_term {
                        let bold = source[start..end].trim();
                        if !bold.starts_with("**") {
                            edits.push((start..end, format!("**{bold}**\n")));
                        }
                    }
                    new = Some(format!(
                        "{prefix}{}{}",
                        &rest[..own],
                        body[lead..].trim_start()
                    ));
                    open.push(Container {
                        indent: width(content) + 4,
                        prefix: rest[..own].to_owned(),
                        is_dropped: false,
                    });
                }
                None if body.trim_end() == "[TOC]" => new = Some(String::new()),
                None => {}
            }
        }
        match new {
            Some(new) if new.is_empty() => edits.push((start..start + content.len(), new)),
            Some(new) => edits.push((start..start + content.len(), new)),
            None if skipped > 0 || !prefix.is_empty() => {
                edits.push((start..start + skipped, prefix.clone()))
            }
            None => {}
        }
        let is_text = !was_fenced
            && fence.is_none()
            && own == 0
            && skipped == 0
            && !body.starts_with(['#', '>', '-', '*', '|', ':', '<']);
        term = is_text
            .then_some((start, start + content.len()))
            .or(term.filter(|_| body.starts_with(':')));
    }
    text.replace(edits);
}

/// A line feed before a block that follows a line of text at once.
fn push_before(lines: &[&str], number: usize, prefix: &str) -> String {
    match number.checked_sub(1).map(|before| lines[before].trim()) {
        Some(before)
            if !before.is_empty()
                && !before.starts_with("!!!")
                && !before.starts_with("===")
                && !before.starts_with("???") =>
        {
            format!("{}\n", prefix.trim_end())
        }
        _ => String::new(),
    }
}

/// The columns of a line's indent. A tab is four.
fn width(line: &str) -> usize {
    let mut columns = 0;
    for c in line.chars() {
        match c {
            ' ' => columns += 1,
            '\t' => columns += 4 - columns % 4,
            _ => break,
        }
    }
    columns
}

/// The bytes of so many columns of indent.
fn skip(line: &str, columns: usize) -> usize {
    let mut seen = 0;
    for (at, c) in line.char_indices() {
        if seen >= columns {
            return at;
        }
        match c {
            ' ' => seen += 1,
            '\t' => seen += 4 - seen % 4,
            _ => return at,
        }
    }
    line.len()
}

/// Follows fences: what is open behind a line.
fn fenced(body: &str, open: Option<(char, usize)>) -> Option<(char, usize)> {
    // A fence may stand behind a list's marker.
    let line = body.trim_start_matches(['-', '*', '+', ' ', '>']);
    let Some(sign) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else {
        return open;
    };
    let length = line.chars().take_while(|c| *c == sign).count();
    match open {
        Some((own, least)) => {
            let closes = sign == own && length >= least && line[length..].trim().is_empty();
            if closes { None } else { open }
        }
        None if length >= 3 && !(sign == '`' && line[length..].contains('`')) => {
            Some((sign, length))
        }
        None => None,
    }
}

fn sign(body: &str, after_term: bool) -> Option<Sign> {
    for mark in ["!!!", "???+", "???"] {
        if let Some(rest) = body.strip_prefix(mark) {
            let rest = rest.trim();
            let (kinds, title) = match rest.split_once('"') {
                Some((kinds, title)) => (kinds.trim(), Some(title.trim_end().strip_suffix('"')?)),
                None => (rest, None),
            };
            let words = kinds
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
            if !words || (kinds.is_empty() && title.is_none()) {
                return None;
            }
            let kind = kinds.split(' ').next().unwrap_or_default();
            return Some(Sign::Quote(match title {
                Some("") => None,
                Some(title) => Some(title.to_owned()),
                None => Some(capitalized(kind)),
            }));
        }
    }
    if let Some(rest) = body.strip_prefix("===") {
        let label = rest
            .trim_start_matches(['!', '+'])
            .trim()
            .strip_prefix('"')?
            .strip_suffix('"')?;
        return Some(Sign::Label(label.to_owned()));
    }
    if let Some(rest) = body.strip_prefix("> [!") {
        let (kind, title) = rest.split_once(']')?;
        let title = title.trim_start_matches(['+', '-']).trim();
        return Some(Sign::Quote(Some(if title.is_empty() {
            capitalized(kind)
        } else {
            title.to_owned()
        })));
    }
    if let Some(name) = body.strip_prefix("::: ") {
        let name = name.trim();
        return (!name.contains([' ', '{'])).then(|| Sign::Documentation(name.to_owned()));
    }
    if body.starts_with("///") {
        let rest = body.trim_start_matches('/').trim();
        let (kind, title) = rest.split_once('|').unwrap_or((rest, ""));
        let kind = kind.split([' ', '[']).next().unwrap_or_default().trim();
        let named = kind
            .chars()
            .all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_'));
        let is_caption = matches!(kind, "caption" | "html" | "define" | "");
        let title = match title.trim() {
            "" if is_caption || kind == "details" => String::new(),
            "" => capitalized(kind),
            title => title.to_owned(),
        };
        return named.then_some(Sign::Label(title));
    }
    if after_term && let Some(rest) = body.strip_prefix(':') {
        let gap = rest.len() - rest.trim_start().len();
        return ((1..=4).contains(&gap) && !rest.trim().is_empty())
            .then_some(Sign::Definition(1 + gap));
    }
    None
}

/// Ranges that no inline syntax is looked for in.
fn code_of(text: &Text) -> Vec<std::ops::Range<usize>> {
    code_ranges(&text.text, false)
}

#[cfg(test)]
mod tests;
