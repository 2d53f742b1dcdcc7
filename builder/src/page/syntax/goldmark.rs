//! What Goldmark, Hugo's markdown, has beside CommonMark: attributes.
//!
//! A line `{.class #id key="value"}` gives attributes to the block before it, and shows nothing. A heading keeps its `{#id}`, by which it is
//! addressed; its classes go. Definition lists read well as they are.

use crate::page::Text;
use crate::page::code::{code_ranges, is_inside};

/// Takes attributes out.
pub(crate) fn render(text: &mut Text) {
    if !text.text.contains(['{']) {
        return;
    }
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_end();
        if !body.ends_with('}') {
            continue;
        }
        let Some(open) = body.rfind('{') else {
            continue;
        };
        let inside = &body[open + 1..body.len() - 1];
        let before = &body[..open];
        if !is_attributes(inside) {
            continue;
        }
        if before.trim_start_matches(['>', ' ', '\t']).is_empty() {
            edits.push((start + open..start + body.len(), String::new()));
        } else if before.trim_start_matches(['>', ' ', '\t']).starts_with('#')
            && before.ends_with(' ')
        {
            let id = inside.split_whitespace().find(|word| word.starts_with('#'));
            let new = id.map_or_else(String::new, |id| format!("{{{id}}}"));
            edits.push((start + open..start + body.len(), new));
        }
    }
    outside_code(text, edits);
}

/// Makes those edits that touch no code.
fn outside_code(text: &mut Text, mut edits: Vec<(std::ops::Range<usize>, String)>) {
    if edits.is_empty() {
        return;
    }
    let code = code_ranges(&text.text, false);
    edits.retain(|(range, _)| !is_inside(&code, range.start));
    text.replace(edits);
}

/// Takes the blank lines out that stand beside other blank lines, as calls leave them behind.
pub(crate) fn tidy(text: &mut Text) {
    let mut edits = Vec::new();
    let mut at = 0;
    let mut blank = false;
    for line in text.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let is_blank = line.trim().is_empty() && line.ends_with('\n');
        if is_blank && blank {
            edits.push((start..at, String::new()));
        }
        blank = is_blank;
    }
    outside_code(text, edits);
}

fn is_attributes(inside: &str) -> bool {
    let mut words = inside.split_whitespace().peekable();
    words.peek().is_some() && {
        let first = words.next().unwrap_or_default();
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))
        };
        match first.strip_prefix(['.', '#']) {
            Some(name) => is_name(name.split(['.', '#']).next().unwrap_or_default()),
            None => first
                .split_once('=')
                .is_some_and(|(name, value)| is_name(name) && !value.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_show_nothing_and_ids_stay() {
        let check = |text: &str, expected: &str| {
            let mut text = Text::new(text.to_owned(), 1);
            render(&mut text);
            assert_eq!(text.text, expected);
        };
        check("- a\n{.list}\n\nb\n", "- a\n\n\nb\n");
        check("## A {#x .y}\n\n## B {.z}\n", "## A {#x}\n\n## B \n");
        check("> a\n> {#q style=\"x\"}\n", "> a\n> \n");
        check(
            "`{.x}`\n\n```\n{.x}\n```\n\n{name}\n{ a }\n",
            "`{.x}`\n\n```\n{.x}\n```\n\n{name}\n{ a }\n",
        );
    }
}
