//! The page as markdown, with front matter as a page's twin has it.

use std::fmt::Write as _;

use super::super::twin::key;
use super::{Page, Row, Shown};

/// The page's title in both forms.
pub(super) const TITLE: &str = "Tool surface";

/// What the page is about.
pub(super) fn summary(page: &Page) -> String {
    format!(
        "The tools that the MCP server of {} offers, and what each takes and answers.",
        page.site
    )
}

pub(super) fn write(page: &Page) -> String {
    let mut out = String::from("---\n");
    key(&mut out, "title: ", TITLE);
    key(&mut out, "description: ", &summary(page));
    key(&mut out, "url: ", &page.url);
    if let Some(author) = &page.author {
        key(&mut out, "author: ", author);
    }
    let _ = write!(out, "---\n\n# {TITLE}\n\n{}\n", plain(&summary(page)));
    if let Some(endpoint) = &page.endpoint {
        let _ = write!(out, "\nThe server is at {}\n", code(endpoint));
    }
    let _ = write!(
        out,
        "\nThis page is made from the catalogue that clients are given by `tools/list`; [tools.json]({}) holds the same. Calls were made when the \
         site was built, and long answers are shortened.\n\n",
        page.json
    );
    for tool in &page.tools {
        let _ = writeln!(
            out,
            "- [{}](#{}): {}",
            plain(&tool.title),
            tool.name,
            code(&tool.name)
        );
    }
    page.tools
        .iter()
        .for_each(|tool| tool_section(&mut out, tool));
    out
}

fn tool_section(out: &mut String, tool: &Shown) {
    let _ = write!(
        out,
        "\n## {}\n\n{} ({})\n\n{}\n",
        tool.name,
        plain(&tool.title),
        tool.hints.join(", "),
        plain(&tool.description)
    );
    if tool.arguments.is_empty() {
        out.push_str("\nTakes no arguments.\n");
    } else {
        out.push_str("\n### Arguments\n\n| argument | type | | meaning |\n|---|---|---|---|\n");
        tool.arguments.iter().for_each(|row| line(out, row));
    }
    if !tool.answer.is_empty() {
        out.push_str("\n### Answer\n\n| member | type | | meaning |\n|---|---|---|---|\n");
        tool.answer.iter().for_each(|row| line(out, row));
    }
    for note in &tool.notes {
        let _ = write!(out, "\n{}\n", plain(note));
    }
    for shot in &tool.examples {
        let _ = write!(
            out,
            "\n### {}\n\n{}",
            plain(&shot.what),
            fenced(&shot.call, "json")
        );
        for answer in &shot.answers {
            let language = if answer.starts_with('{') {
                "json"
            } else {
                "text"
            };
            let _ = write!(out, "\n{}", fenced(answer, language));
        }
    }
    if !tool.see_also.is_empty() {
        out.push_str("\n### See also\n\n");
        for (name, what) in &tool.see_also {
            let _ = writeln!(out, "- [{name}](#{name}): {}", plain(what));
        }
    }
}

fn line(out: &mut String, row: &Row) {
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} |",
        code(&row.name),
        plain(&row.kind),
        if row.required { "required" } else { "optional" },
        plain(&row.description)
    );
}

/// Text that is nothing but text.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Text as code on one line.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// A block of code whose fence no line of it can close.
fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default()
}
