//! Abbreviations: lines such as `*[HTML]: HyperText Markup Language`.
//!
//! The definition goes, and what it says is put behind the first use in the text: `HTML (HyperText Markup Language)`.

use crate::page::Text;
use crate::page::code::{code_ranges, is_inside};

/// Takes definitions out, and puts each behind its first use outside code and headings.
pub(crate) fn render(text: &mut Text) {
    if !text.text.contains("*[") {
        return;
    }
    let code = code_ranges(&text.text, false);
    let source = text.text.as_str();
    let mut edits = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if !is_inside(&code, at)
            && let Some((short, long)) = definition(line)
        {
            edits.push((at..at + line.len(), String::new()));
            found.push((short, long));
        }
        at += line.len();
    }
    if found.is_empty() {
        return;
    }
    for (short, long) in found {
        let use_of = source.match_indices(short).map(|(at, _)| at).find(|at| {
            let end = at + short.len();
            let line = source[..*at].rfind('\n').map_or(0, |at| at + 1);
            let is_word = !source[..*at].ends_with(char::is_alphanumeric)
                && !source[end..].starts_with(char::is_alphanumeric);
            let is_text = !is_inside(&code, *at)
                && !source[line..].starts_with('#')
                && definition(
                    source[line..]
                        .split_inclusive('\n')
                        .next()
                        .unwrap_or_default(),
                )
                .is_none()
                && !is_open(&source[line..*at], "](", ')')
                && !is_open(&source[line..*at], "<", '>')
                && !source[line..*at].contains("://")
                && !source[end..].starts_with([']', '-', '/', '.', '_']);
            is_word && is_text
        });
        if let Some(at) = use_of.filter(|_| !long.is_empty()) {
            let end = at + short.len();
            edits.push((end..end, format!(" ({long})")));
        }
    }
    text.replace(edits);
}

/// Whether a sign stands in a line's beginning and is not closed.
fn is_open(before: &str, sign: &str, close: char) -> bool {
    before
        .rfind(sign)
        .is_some_and(|at| !before[at..].contains(close))
}

fn definition(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_end().strip_prefix("*[")?;
    let (short, long) = rest.split_once("]:")?;
    (!short.is_empty()).then(|| (short.trim(), long.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_is_said_where_it_is_used_first() {
        let mut text = Text::new("# HTML\n\nUse `HTML`, HTML and HTML.\n\n*[HTML]: HyperText Markup Language\n*[CSS]: x\n".into(), 1);
        render(&mut text);
        assert_eq!(
            text.text,
            "# HTML\n\nUse `HTML`, HTML (HyperText Markup Language) and HTML.\n\n"
        );
    }
}
