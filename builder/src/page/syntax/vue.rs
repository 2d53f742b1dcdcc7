//! What Vue makes of a VitePress page: `{{ expressions }}`, and the marks that show nothing.
//!
//! `{{ $frontmatter.title }}` is the value of that key, `{{ 'text' }}` the text. Any other expression would have to be run: it is left out and
//! counted, unless it stands in `v-pre`. Code shows its braces. An anchor is made of the heading as it is written, so a heading whose words change
//! gets its anchor written out. (VitePress 1.6: "Using Vue in Markdown".)

use std::ops::Range;

use crate::front_matter::value::find_path;
use crate::front_matter::{Entry, Scalar, Value};
use crate::page::code::{code_ranges, is_inside};
use crate::page::{Log, Text, with_own_line};

/// Renders a page whose front matter is `map`.
pub(crate) fn render(text: &mut Text, map: &[Entry], log: &mut Log) {
    blocks(text);
    headings(text);
    expressions(text, map, log);
    contents(text);
}

/// Takes `<script>` and `<style>` blocks out, with all that stands in them.
fn blocks(text: &mut Text) {
    if !["<script", "<style"]
        .iter()
        .any(|tag| text.text.contains(tag))
    {
        return;
    }
    let code = code_ranges(&text.text, false);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (open, close) in [("<script", "</script>"), ("<style", "</style>")] {
        for (start, _) in text.text.match_indices(open) {
            let rest = &text.text[start + open.len()..];
            let is_tag = rest.starts_with(|c: char| c == '>' || c.is_whitespace());
            let at_start = start == 0 || text.text[..start].ends_with('\n');
            if !is_tag || !at_start || is_inside(&code, start) {
                continue;
            }
            let end = rest
                .find(close)
                .map_or(text.text.len(), |at| start + open.len() + at + close.len());
            edits.push((with_own_line(&text.text, start..end), String::new()));
        }
    }
    text.replace(edits);
}

/// Writes out the anchors of headings in which something is rendered.
fn headings(text: &mut Text) {
    let mut edits = Vec::new();
    let mut code = None;
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        let level = content.bytes().take_while(|b| *b == b'#').count();
        let is_heading = (1..=6).contains(&level) && content[level..].starts_with(' ');
        let changes = content.contains("{{") || content.contains("<Badge");
        if !is_heading || !changes || content.ends_with('}') && content.contains("{#") {
            continue;
        }
        let code = code.get_or_insert_with(|| code_ranges(&text.text, false));
        if is_inside(code, start) {
            continue;
        }
        let anchors = artifact::route::Anchors::VitePress;
        let slug = artifact::route::Slugger::of(anchors).slug(&words(&content[level..]));
        edits.push((
            start + content.len()..start + content.len(),
            format!(" {{#{slug}}}"),
        ));
    }
    text.replace(edits);
}

/// The words of a heading, without tags and marks.
fn words(heading: &str) -> String {
    let mut out = String::new();
    let mut rest = heading;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let is_tag = rest[open + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match rest[open..].find('>').filter(|_| is_tag) {
            Some(close) => rest = &rest[open + close + 1..],
            None => {
                out.push('<');
                rest = &rest[open + 1..];
            }
        }
    }
    out.push_str(rest);
    out.replace(['`', '*'], "").trim().to_owned()
}

fn expressions(text: &mut Text, map: &[Entry], log: &mut Log) {
    if !text.text.contains("{{") {
        return;
    }
    let code = code_ranges(&text.text, false);
    let kept = untouched(&text.text);
    let mut edits = Vec::new();
    let mut at = 0;
    while let Some(open) = text.text[at..].find("{{").map(|open| at + open) {
        at = open + 2;
        if is_inside(&code, open) || is_inside(&kept, open) {
            continue;
        }
        let rest = &text.text[at..];
        let Some(close) = rest
            .find("}}")
            .filter(|close| !rest[..*close].contains("\n\n"))
        else {
            continue;
        };
        let expression = rest[..close].trim();
        let end = at + close + 2;
        let value = value_of(expression, map).unwrap_or_else(|| {
            log.unrendered(text.line_of(open), "expression `{{ … }}`");
            String::new()
        });
        edits.push((open..end, value));
        at = end;
    }
    text.replace(edits);
}

/// The value of an expression that can be read.
fn value_of(expression: &str, map: &[Entry]) -> Option<String> {
    for quote in ['\'', '"', '`'] {
        let inside = expression
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        if let Some(inside) = inside {
            return (!inside.contains([quote, '\\', '$'])).then(|| inside.to_owned());
        }
    }
    let path = expression
        .strip_prefix("$frontmatter.")
        .or_else(|| expression.strip_prefix("frontmatter."))
        .or_else(|| expression.strip_prefix("$page.frontmatter."))?;
    let plain = path
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
    if !plain {
        return None;
    }
    match find_path(map, path).map(|entry| &entry.node.value) {
        None => Some(String::new()),
        Some(Value::Scalar { text, kind }) => match kind {
            Scalar::Null => Some(String::new()),
            _ => Some(text.clone()),
        },
        Some(_) => None,
    }
}

/// What stands in `::: v-pre` and in elements with `v-pre`: its braces are text.
fn untouched(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains("v-pre") {
        return found;
    }
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let sign = line.trim();
        let is_sign = sign.starts_with(":::");
        let name = sign.trim_start_matches(':').trim();
        match open {
            None if is_sign && name == "v-pre" => open = Some(at),
            Some(start) if is_sign && name.is_empty() => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    for (sign, _) in text.match_indices(" v-pre") {
        let Some(start) = text[..sign]
            .rfind('<')
            .filter(|start| !text[*start..sign].contains('>'))
        else {
            continue;
        };
        let name: String = text[start + 1..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '-')
            .collect();
        let close = format!("</{name}>");
        if let Some(end) = text[sign..].find(&close).filter(|_| !name.is_empty()) {
            found.push(start..sign + end);
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// Takes out `[[toc]]`, which lists the page's headings.
fn contents(text: &mut Text) {
    if !text.text.to_ascii_lowercase().contains("[[toc]]") {
        return;
    }
    let code = code_ranges(&text.text, false);
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        if line.trim().eq_ignore_ascii_case("[[toc]]") && !is_inside(&code, at) {
            edits.push((
                with_own_line(&text.text, at..at + line.trim_end().len()),
                String::new(),
            ));
        }
        at += line.len();
    }
    text.replace(edits);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(body: &str) -> (String, usize) {
        let map =
            crate::front_matter::json_map(r#"{"title": "Tea", "deep": {"n": 3}}"#, "a.md").unwrap();
        let mut text = Text::new(body.to_owned(), 1);
        let mut log = Log::default();
        render(&mut text, &map, &mut log);
        (text.text, log.unrendered_count())
    }

    #[test]
    fn values_of_front_matter_are_shown() {
        let (text, count) = rendered(
            "# {{ $frontmatter.title }}\n\n{{ $frontmatter.deep.n }}{{ 'x' }} `{{ a }}` {{ b() }}\n\n```\n{{ c }}\n```\n\n::: v-pre\n{{ d }}\n:::\n\n<span v-pre>{{ e }}</span>\n",
        );
        assert_eq!(
            text,
            "# Tea {#frontmatter-title}\n\n3x `{{ a }}` \n\n```\n{{ c }}\n```\n\n::: v-pre\n{{ d }}\n:::\n\n<span v-pre>{{ e }}</span>\n"
        );
        assert_eq!(count, 1);
    }

    #[test]
    fn scripts_and_contents_show_nothing() {
        let (text, _) = rendered(
            "<script setup>\nimport a from 'b'\n\nconst c = 1\n</script>\n\n[[toc]]\n\n`<script>`\n\n<style>\na {}\n</style>\n",
        );
        assert_eq!(text.trim(), "`<script>`");
    }

    #[test]
    fn an_anchor_is_made_of_the_heading_as_written() {
        let (text, _) = rendered("## A `b` <Badge type=\"tip\" text=\"new\" />\n\n## C {#d}\n");
        assert_eq!(
            text,
            "## A `b` <Badge type=\"tip\" text=\"new\" /> {#a-b}\n\n## C {#d}\n"
        );
    }
}
