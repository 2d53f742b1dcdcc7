//! Directives: `:::note[Title]` … `:::`, as Docusaurus, Starlight, VitePress and remark know them.
//!
//! ```text
//! :::tip[Hot]{icon="fire"}        > **Tip: Hot**
//! Mind the *pot*.                 >
//! :::                             > Mind the *pot*.
//! ```
//!
//! A title may also stand behind a space, as in `::: warning Mind`. A directive is closed by as many colons as opened it, or more, and its content may
//! hold others. `details` is its title in bold and its content; a code group is its code blocks with their names in bold. What is
//! not known by name keeps its content and is counted. Of directives in a line only known ones are read, such as `:kbd[Esc]`. Code is left alone.

use super::super::code::{code_ranges, is_inside};
use super::super::publish::Log;
use super::super::rewrite::Text;
use super::html::bold;
use super::inline::{code_span, linked};
use super::out::{Out, Source, lead_of};

/// Names that make a quotation.
const ASIDES: &[&str] = &[
    "note",
    "tip",
    "info",
    "warning",
    "caution",
    "danger",
    "important",
    "success",
    "error",
    "secondary",
    "hint",
    "attention",
    "seealso",
    "example",
    "question",
    "quote",
    "abstract",
    "todo",
    "bug",
    "failure",
    "aside",
    "callout",
    "warn",
    "alert",
    "check",
];
/// Names that only hold their content.
const PLAIN: &[&str] = &[
    "raw", "v-pre", "div", "tabs", "steps", "center", "left", "right", "cards", "grid",
];

/// A quotation that begins with its kind, and its title when it has one: `> **Tip: Hot**`.
pub(super) fn admonition(kind: &str, title: Option<&str>, body: &Out, line: u32) -> Out {
    let mut out = Out::new(line);
    out.words(&label(kind, title), line);
    out.block(body, "");
    out.behind("> ", "> ")
}

/// `**Tip: Hot**`, `**Tip**`. A title that says the kind already stands alone.
pub(crate) fn label(kind: &str, title: Option<&str>) -> String {
    let kind = kind.trim().to_lowercase();
    let mut letters = kind.chars();
    let kind: String = match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Note".into(),
    };
    let title = title.map(str::trim).filter(|title| !title.is_empty());
    match title {
        Some(title) if title.to_lowercase().starts_with(&kind.to_lowercase()) => bold(title),
        Some(title) => bold(&format!("{kind}: {title}")),
        None => bold(&kind),
    }
}

/// A directive that is open.
struct Open {
    colons: usize,
    name: String,
    title: Option<String>,
    lead: String,
    line: u32,
    body: Vec<(String, u32)>,
}

/// Turns every directive of a page into markdown.
pub(crate) fn render(text: &mut Text, log: &mut Log) {
    if text.text.contains(":::") {
        containers(text, log);
    }
    if text.text.contains(':') && text.text.contains(['[', '{']) {
        words(text);
    }
}

fn containers(text: &mut Text, log: &mut Log) {
    let source = Source::new(text);
    let mut code = code_ranges(source.text, true);
    code.extend(code_ranges(source.text, false));
    code.sort_by_key(|range| range.start);
    // Ranges that overlap are one.
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for range in code {
        match ranges.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    let mut open: Vec<Open> = Vec::new();
    let mut lines: Vec<(String, u32)> = Vec::new();
    let mut at = 0;
    let mut found = false;
    // A block that was just closed is followed by a blank line of its own.
    let mut just_closed = false;
    for line in source.text.split('\n') {
        let number = source.line_of(at);
        let lead = line.len()
            - line
                .trim_start_matches([' ', '\t', '>', '-', '*', '+'])
                .len();
        let is_code = is_inside(&ranges, at + lead);
        let start = at;
        at += line.len() + 1;
        let mark = line
            .get(lead..)
            .filter(|mark| mark.starts_with(":::") && !is_code);
        let Some(mark) = mark else {
            let is_blank = line.trim_matches([' ', '\t', '>']).is_empty();
            if is_blank && just_closed && !is_code {
                continue;
            }
            just_closed &= is_blank;
            push(&mut open, &mut lines, (line.to_owned(), number));
            continue;
        };
        let colons = mark.bytes().take_while(|b| *b == b':').count();
        let rest = mark[colons..].trim();
        if rest.is_empty() {
            // The innermost that it may close, or one around it with the same count.
            let exact = open.iter().rposition(|it| it.colons == colons);
            let held = exact.or_else(|| open.iter().rposition(|it| it.colons < colons));
            match held {
                Some(held) => {
                    while open.len() > held {
                        close(&mut open, &mut lines, log);
                    }
                    found = true;
                    just_closed = true;
                }
                None => push(&mut open, &mut lines, (line.to_owned(), number)),
            }
            continue;
        }
        let Some((name, title)) = head(rest) else {
            push(&mut open, &mut lines, (line.to_owned(), number));
            continue;
        };
        found = true;
        just_closed = false;
        let marker = &line[..lead];
        if marker.contains(['-', '*', '+']) {
            // A list's item begins with it: its mark stays.
            push(&mut open, &mut lines, (marker.to_owned(), number));
        }
        open.push(Open {
            colons,
            name,
            title,
            lead: lead_of(source.text, start + lead),
            line: number,
            body: Vec::new(),
        });
    }
    while !open.is_empty() {
        close(&mut open, &mut lines, log);
    }
    if found {
        let numbers = lines.iter().map(|(_, number)| *number).collect();
        let lines: Vec<String> = lines.into_iter().map(|(line, _)| line).collect();
        *text = Text::of_lines(lines.join("\n"), numbers);
    }
}

fn push(open: &mut [Open], lines: &mut Vec<(String, u32)>, line: (String, u32)) {
    match open.last_mut() {
        Some(last) => last.body.push(line),
        None => lines.push(line),
    }
}

/// A directive's name and title; none when this is none.
fn head(rest: &str) -> Option<(String, Option<String>)> {
    // Pandoc's `::: {.note}`.
    let rest = match rest.strip_prefix("{.") {
        Some(class) => class.trim_end_matches('}'),
        None => rest,
    };
    let length = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(length);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let rest = rest.trim_end_matches(':').trim();
    let (mut title, mut after) = (None, rest);
    if let Some(inside) = rest.strip_prefix('[') {
        let end = closing(inside, '[', ']')?;
        title = Some(inside[..end].to_owned());
        after = inside[end + 1..].trim();
    }
    let attributes = after.rfind('{').filter(|_| after.ends_with('}'));
    if let Some(start) = attributes {
        if title.is_none() {
            title = attribute(&after[start + 1..after.len() - 1], "title");
        }
        after = after[..start].trim();
    }
    if title.is_none() && !after.is_empty() {
        title = Some(after.to_owned());
    }
    Some((name.to_owned(), title))
}

fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == open {
            depth += 1;
        } else if c == close {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
    }
    None
}

/// The value of an attribute of `{a="b" c=d #id}`.
fn attribute(text: &str, name: &str) -> Option<String> {
    let at = text.find(&format!("{name}="))?;
    let rest = &text[at + name.len() + 1..];
    let value = match rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => rest[1..].split(quote).next(),
        None => rest.split_whitespace().next(),
    };
    value.map(str::to_owned)
}

/// Renders the innermost directive that is open into the one around it.
fn close(open: &mut Vec<Open>, lines: &mut Vec<(String, u32)>, log: &mut Log) {
    let Some(own) = open.pop() else {
        return;
    };
    let name = own.name.to_ascii_lowercase();
    let mut body = Out::new(own.line);
    // A blank line first, so that every line has its lead taken off.
    body.line("", own.line);
    for (line, number) in &own.body {
        body.line(line, *number);
    }
    let body = body.body(&own.lead, false);
    let mut block = Out::new(own.line);
    let title = own.title.as_deref();
    match name.as_str() {
        "code-group" => block.block(&named_fences(&body), ""),
        "details" => {
            block.words(&bold(title.unwrap_or("Details")), own.line);
            block.block(&body, "");
        }
        name if ASIDES.contains(&name) => block = admonition(name, title, &body, own.line),
        name => {
            if !PLAIN.contains(&name) {
                log.unrendered(own.line, format!("directive `{name}`"));
            }
            block.words(&bold(title.unwrap_or_default()), own.line);
            block.block(&body, "");
        }
    }
    let target = match open.last_mut() {
        Some(outer) => &mut outer.body,
        None => lines,
    };
    let mut around = Out::new(own.line);
    around.block(&block, &own.lead);
    let (text, numbers) = around.into_parts();
    if text.trim().is_empty() {
        return;
    }
    // What stands before and behind it must not run into it.
    let is_marker = |line: &str| {
        !line.trim().is_empty()
            && line
                .trim_matches(['-', '*', '+', ' ', '\t', '>'])
                .is_empty()
    };
    let blank = own.lead.trim_end().to_owned();
    let mut new: Vec<(String, u32)> = text.split('\n').map(str::to_owned).zip(numbers).collect();
    match target.last_mut() {
        Some((last, _)) if is_marker(last) && !last.trim_matches(['>', ' ', '\t']).is_empty() => {
            if let Some((first, _)) = new.first() {
                *last = format!("{last}{}", first.trim_start_matches([' ', '\t', '>']));
                if first.trim_start().starts_with('>') && !own.lead.contains('>') {
                    *last = format!(
                        "{}{}",
                        &last[..last
                            .trim_end_matches(first.trim_start_matches([' ', '\t', '>']))
                            .len()],
                        first.trim_start()
                    );
                }
            }
            new.remove(0);
        }
        Some((last, _)) if !last.trim_matches(['>', ' ', '\t']).is_empty() => {
            target.push((blank.clone(), own.line))
        }
        _ => {}
    }
    let end = new.last().map_or(own.line, |(_, number)| *number);
    target.extend(new);
    target.push((blank, end));
}

/// The code blocks of a group, each with its name before it: ` ```js [config.js] `.
fn named_fences(body: &Out) -> Out {
    let (text, numbers) = body.clone().into_parts();
    let lines: Vec<(String, u32)> = text.split('\n').map(str::to_owned).zip(numbers).collect();
    let inside = super::out::fence_marks(&lines);
    let mut out = Out::new(lines.first().map_or(1, |(_, number)| *number));
    for ((line, number), inside) in lines.iter().zip(inside) {
        let is_open = !inside && line.trim_start().starts_with(['`', '~']);
        let name = line
            .split_once('[')
            .filter(|_| is_open)
            .and_then(|(_, rest)| rest.rsplit_once(']'))
            .map(|(name, _)| name.trim())
            .filter(|name| !name.is_empty());
        if let Some(name) = name {
            out.line(&bold(name), *number);
            out.line("", *number);
        }
        out.line(line, *number);
    }
    out
}

/// Directives in a line: `:kbd[Esc]`, `::youtube[Talk]{id=x}`.
fn words(text: &mut Text) {
    let source = text.text.as_str();
    let code = code_ranges(source, false);
    let mut edits = Vec::new();
    let mut at = 0;
    while let Some(found) = source[at..].find(':') {
        let start = at + found;
        let colons = source[start..].bytes().take_while(|b| *b == b':').count();
        at = start + colons;
        let before = source[..start].chars().next_back();
        if colons > 2
            || is_inside(&code, start)
            || before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '\\' | '`'))
        {
            continue;
        }
        let rest = &source[at..];
        let length = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let name = &rest[..length];
        if !matches!(
            name,
            "kbd" | "badge" | "mark" | "abbr" | "term" | "icon" | "youtube" | "video"
        ) {
            continue;
        }
        let mut after = &rest[length..];
        let inside = after
            .strip_prefix('[')
            .and_then(|inside| Some(&inside[..closing(inside, '[', ']')?]));
        if let Some(inside) = inside {
            after = &after[inside.len() + 2..];
        }
        let attributes = after
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'))
            .map(|(attributes, _)| attributes)
            .filter(|attributes| !attributes.contains('\n'));
        if let Some(attributes) = attributes {
            after = &after[attributes.len() + 2..];
        }
        if inside.is_none() && attributes.is_none() {
            continue;
        }
        let end = source.len() - after.len();
        let id = attributes.and_then(|text| {
            attribute(text, "id").or_else(|| {
                text.split_whitespace()
                    .find_map(|it| it.strip_prefix('#'))
                    .map(str::to_owned)
            })
        });
        let shown = inside.unwrap_or_default();
        let new = match (name, id) {
            ("kbd", _) => code_span(shown),
            ("icon", _) => String::new(),
            ("youtube" | "video", Some(id)) => {
                let url = match id.contains("://") {
                    true => id,
                    false => format!("https://www.youtube.com/watch?v={id}"),
                };
                linked(if shown.is_empty() { &url } else { shown }, &url)
            }
            _ => shown.to_owned(),
        };
        edits.push((start..end, new));
        at = end;
    }
    text.replace(edits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut page = Text::new(text.into(), 1);
        render(&mut page, &mut Log::default());
        assert_eq!(page.text.trim_matches('\n'), expected, "{text:?}");
    }

    #[test]
    fn asides_become_quotations() {
        check(":::note\na\n\n- b\n:::\n", "> **Note**\n>\n> a\n>\n> - b");
        check(
            "x\n:::tip[*Hot* [a]]{icon=\"b\"}\na\n:::\ny\n",
            "x\n\n> **Tip: *Hot* [a]**\n>\n> a\n\ny",
        );
        check("::: warning Mind\na\n:::\n", "> **Warning: Mind**\n>\n> a");
        check(
            ":::info{title=\"T t\"}\na\n:::\n",
            "> **Info: T t**\n>\n> a",
        );
        check(":::note\na\n", "> **Note**\n>\n> a");
        check(":::caution[Caution!]\na\n:::", "> **Caution!**\n>\n> a");
    }

    #[test]
    fn directives_hold_directives() {
        check(
            "::::tip\na\n:::note\nb\n:::\nc\n::::\nd\n",
            "> **Tip**\n>\n> a\n>\n> > **Note**\n> >\n> > b\n>\n> c\n\nd",
        );
        check(
            ":::details A {open}\n:::tip\nb\n:::\n:::\n",
            "**A**\n\n> **Tip**\n>\n> b",
        );
    }

    #[test]
    fn directives_stand_in_lists() {
        check(
            "1. a\n\n   :::note\n   b\n   ```\n   c\n     d\n   ```\n   :::\n2. e\n",
            "1. a\n\n   > **Note**\n   >\n   > b\n   > ```\n   > c\n   >   d\n   > ```\n\n2. e",
        );
    }

    #[test]
    fn code_groups_keep_their_code() {
        check(
            "::: code-group\n```js [a.js]\n::: x\n```\n```sh\nb\n```\n:::\n",
            "**a.js**\n\n```js [a.js]\n::: x\n```\n```sh\nb\n```",
        );
        check(
            "```\n:::note\n```\n\n    :::tip\n",
            "```\n:::note\n```\n\n    :::tip",
        );
    }

    #[test]
    fn unknown_ones_keep_their_content() {
        let mut page = Text::new(":::chart\n[a](b)\n:::\n:::\n".into(), 3);
        let mut log = Log::default();
        render(&mut page, &mut log);
        assert_eq!(page.text.trim(), "[a](b)\n\n:::");
        assert_eq!(log.into_unrendered(), [(3, "directive `chart`".to_owned())]);
    }

    #[test]
    fn words_of_a_line() {
        check(
            "Press :kbd[Esc], at 10:30[x] :smile: :nope[x]",
            "Press `Esc`, at 10:30[x] :smile: :nope[x]",
        );
        check(
            "::youtube[Talk]{id=abc}",
            "[Talk](https://www.youtube.com/watch?v=abc)",
        );
    }
}
