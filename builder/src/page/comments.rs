//! Takes comments out.
//!
//! A comment is what its author takes for one, which is more than markdown says: from `<!--` to the next `-->` across blank
//! lines and whatever stands between, and to the end of the file when it is never closed. In MDX also from `{/*` to `*/}`.
//! Code is left alone, and so is `\<!--`.
//!
//! `a <!-- x --> b` becomes `a b`; a comment on lines of its own leaves one blank line.

use super::code::{code_ranges, range_at};
use super::rewrite::{Rewriter, Text};

/// Taking a comment out can bring two halves of another together. Nobody writes that by accident.
const MOST_ROUNDS: usize = 32;

/// Takes every comment out of a text. Gives the lines of those that are never closed.
pub(super) fn remove(text: &mut Text, mdx: bool) -> Vec<u32> {
    let mut unclosed = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if !may_have_comments(&text.text, mdx) || !round(text, mdx, &mut unclosed) {
            break;
        }
    }
    unclosed
}

/// Where the comments of a text stand that say something: those of markdown and MDX, and those of templates (`{{/* */}}`, `{% comment %}`,
/// `{# #}`). Ascending and apart from each other. A comment that names a heading, `{/* #id */}`, says it to everyone.
pub(crate) fn comments_in(text: &str, mdx: bool) -> Vec<std::ops::Range<usize>> {
    const TEMPLATES: [(&str, &str); 4] = [
        ("{{/*", "*/}}"),
        ("{{- /*", "*/"),
        ("{% comment %}", "{% endcomment %}"),
        ("{# ", "#}"),
    ];
    let may_have =
        may_have_comments(text, mdx) || TEMPLATES.iter().any(|(open, _)| text.contains(open));
    if !may_have {
        return Vec::new();
    }
    let mut code = code_ranges(text, mdx);
    code.extend(code_of_templates(text));
    code.sort_by_key(|range| (range.start, range.end));
    let mut found = Vec::new();
    let mut from = 0;
    loop {
        let template = TEMPLATES
            .iter()
            .filter_map(|(open, close)| {
                let start = from + text.get(from..)?.find(open)?;
                let end =
                    start + open.len() + text[start + open.len()..].find(close)? + close.len();
                Some((start, Some(Some(end))))
            })
            .min();
        let own = next_opening(text, from, mdx).map(|start| (start, closing(text, start)));
        let Some((start, closing)) = own.into_iter().chain(template).min() else {
            return found;
        };
        if let Some(range) = code.iter().find(|range| range.contains(&start)) {
            from = range.end.max(start + 1);
            continue;
        }
        match closing {
            Some(closing) if !is_escaped(text, start) => {
                let end = closing.unwrap_or(text.len());
                let inside =
                    text[start..end].trim_start_matches(['{', '/', '*', '<', '!', '-', ' ']);
                if !inside.starts_with('#') {
                    found.push(start..end);
                }
                from = end.max(start + 1);
            }
            _ => from = start + 1,
        }
    }
}

/// Where templates hold code that is shown: `{% highlight %}`, and `{% set %}` with a body. A comment of HTML in it is code.
fn code_of_templates(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for name in ["highlight", "set", "raw"] {
        let mut from = 0;
        while let Some(open) = text[from..].find("{%").map(|at| from + at) {
            from = open + 2;
            let inside = text[from..].trim_start_matches('-').trim_start();
            let Some(rest) = inside
                .strip_prefix(name)
                .filter(|rest| rest.starts_with([' ', '-', '%']))
            else {
                continue;
            };
            let has_value =
                name == "set" && rest.split("%}").next().is_some_and(|tag| tag.contains('='));
            let close = format!("end{name}");
            if let Some(end) = text[from..].find(&close).filter(|_| !has_value) {
                found.push(open..from + end);
                from += end;
            }
        }
    }
    found
}

fn may_have_comments(text: &str, mdx: bool) -> bool {
    text.contains("<!--") || (mdx && text.contains("/*"))
}

/// One walk over the text; whether anything was taken out.
fn round(text: &mut Text, mdx: bool, unclosed: &mut Vec<u32>) -> bool {
    let code = code_ranges(&text.text, mdx);
    let source = text.text.as_str();
    let mut rewriter = Rewriter::new(text);
    let mut from = 0;
    let mut found = false;
    while let Some(start) = next_opening(source, from, mdx) {
        if let Some(range) = range_at(&code, start) {
            from = range.end.max(start + 1);
            continue;
        }
        if is_escaped(source, start) {
            from = start + 1;
            continue;
        }
        let Some(closing) = closing(source, start) else {
            // `{` that opens no comment.
            from = start + 1;
            continue;
        };
        let end = closing.unwrap_or_else(|| {
            unclosed.push(text.line_of(start));
            source.len()
        });
        let shows_a_value =
            source[start..].starts_with('{') && closing.is_some() && !source[..end].ends_with('}');
        take_out(&mut rewriter, source, start, end, shows_a_value);
        found = true;
        from = rewriter.at.max(end);
        // A comment that swallowed half a code block has moved what is code: look again from there.
        if range_at(&code, end).is_some_and(|range| range.start < end) {
            break;
        }
    }
    if found {
        *text = rewriter.finish();
    }
    found
}

fn next_opening(source: &str, from: usize, mdx: bool) -> Option<usize> {
    let rest = source.get(from..)?;
    let html = rest.find("<!--");
    let jsx = if mdx { rest.find('{') } else { None };
    let first = match (html, jsx) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b)?,
    };
    Some(from + first)
}

fn is_escaped(source: &str, at: usize) -> bool {
    let slashes = source[..at]
        .bytes()
        .rev()
        .take_while(|b| *b == b'\\')
        .count();
    slashes % 2 == 1
}

/// The end of the comment that begins here; `Some(None)` when it has none, `None` when this is no comment.
fn closing(source: &str, start: usize) -> Option<Option<usize>> {
    let rest = &source[start..];
    if let Some(inside) = rest.strip_prefix("<!--") {
        if inside.starts_with('>') {
            return Some(Some(start + 5));
        }
        if inside.starts_with("->") {
            return Some(Some(start + 6));
        }
        return Some(inside.find("-->").map(|at| start + 4 + at + 3));
    }
    let mut inside = rest.strip_prefix('{')?.trim_start();
    if !inside.starts_with("/*") {
        return None;
    }
    // `{/* a */ /* b */}` is one comment to its reader.
    while let Some(comment) = inside.strip_prefix("/*") {
        let Some(end) = comment.find("*/") else {
            return Some(None);
        };
        inside = comment[end + 2..].trim_start();
    }
    // `{/* note */ value}` shows a value: only the note goes.
    let after = source.len() - inside.len();
    Some(Some(if inside.starts_with('}') {
        after + 1
    } else {
        after
    }))
}

/// Leaves a comment out, with the lines it had to itself.
fn take_out(
    rewriter: &mut Rewriter<'_>,
    source: &str,
    start: usize,
    end: usize,
    shows_a_value: bool,
) {
    let line_start = source[..start]
        .rfind('\n')
        .map_or(0, |at| at + 1)
        .max(rewriter.at);
    let line_end = source[end..].find('\n').map_or(source.len(), |at| end + at);
    let before = &source[line_start..start];
    let after = &source[end..line_end];
    let alone = before.trim().is_empty()
        && (rewriter.out.is_empty() || rewriter.out.ends_with('\n') || line_start > rewriter.at);
    if shows_a_value {
        rewriter.copy_to(start);
        rewriter.skip_to(end);
        rewriter.push("{");
    } else if alone && after.trim().is_empty() {
        rewriter.copy_to(line_start);
        rewriter.skip_to(line_end);
        // One blank line stays, so that what stood apart still stands apart.
        while is_blank_end(&rewriter.out) && source[rewriter.at..].starts_with('\n') {
            rewriter.skip_to(rewriter.at + 1);
            let rest = &source[rewriter.at..];
            let next = rest.split('\n').next().unwrap_or_default();
            if next.trim().is_empty() && rest.len() > next.len() {
                rewriter.skip_to(rewriter.at + next.len());
            } else {
                break;
            }
        }
    } else if alone {
        rewriter.copy_to(start);
        rewriter.skip_to(line_end - after.trim_start().len());
    } else {
        rewriter.copy_to(start);
        rewriter.skip_to(end);
        if after.trim().is_empty() {
            rewriter.trim_spaces();
        } else if rewriter.out.ends_with(' ') && after.starts_with(' ') {
            rewriter.skip_to(end + 1);
        }
    }
}

fn is_blank_end(out: &str) -> bool {
    out.is_empty() || out == "\n" || out.ends_with("\n\n")
}
