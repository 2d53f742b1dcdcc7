//! Docusaurus's own ways to give a heading its id, and a site's own admonitions.
//!
//! `## Tea {/* #tea */}`, `## Tea <!-- #tea -->` and `## Tea \{#tea}` are `## Tea {#tea}`.
//! (Docusaurus 3.10: `mdx-loader`, "headings".)

use crate::config::names::prettified;
use crate::page::Text;
use crate::page::code::{code_ranges, is_inside};

/// Writes the ids of headings in the one way that all markdown knows. They are comments, so this comes before comments are taken out.
pub(crate) fn heading_ids(text: &mut Text, mdx: bool) {
    if !text.text.contains('#') {
        return;
    }
    let mut edits = Vec::new();
    let mut at = 0;
    let mut code = None;
    for line in text.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        if !content.starts_with('#') {
            continue;
        }
        let Some((from, id)) = id_of(content) else {
            continue;
        };
        let code = code.get_or_insert_with(|| code_ranges(&text.text, mdx));
        if !is_inside(code, start) && !is_inside(code, start + from) {
            edits.push((start + from..start + content.len(), format!("{{#{id}}}")));
        }
    }
    text.replace(edits);
}

/// Where the id at the end of a heading begins, and the id.
fn id_of(heading: &str) -> Option<(usize, &str)> {
    for (open, close) in [("{/*", "*/}"), ("<!--", "-->"), ("\\{", "}")] {
        let Some(inside) = heading.strip_suffix(close) else {
            continue;
        };
        let at = inside.rfind(open)?;
        let id = inside[at + open.len()..].split_whitespace().next()?;
        let id = id.strip_prefix('#')?;
        return (!id.is_empty() && !id.contains(['{', '}'])).then_some((at, id));
    }
    None
}

/// Writes admonitions of a site's own keywords as notes that are called so: `:::steep[Long]` is `:::note[Steep: Long]`.
pub(crate) fn admonitions(text: &mut Text, keywords: &[String], mdx: bool) {
    if keywords.is_empty() || !text.text.contains(":::") {
        return;
    }
    let code = code_ranges(&text.text, mdx);
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let lead = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
        let rest = line[lead..].trim_start_matches(':');
        let colons = line.len() - lead - rest.len();
        let name_end = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')))
            .unwrap_or(rest.len());
        let name = &rest[..name_end];
        if colons < 3 || !keywords.iter().any(|it| it == name) || is_inside(&code, start + lead) {
            continue;
        }
        let title = rest[name_end..].trim();
        let title = match title.strip_prefix('[').and_then(|it| it.split_once(']')) {
            Some((title, _)) => title,
            None => title.split('{').next().unwrap_or_default().trim(),
        };
        let called = prettified(name);
        let title = match title {
            "" => called,
            title => format!("{called}: {title}"),
        };
        let from = start + lead + colons;
        edits.push((
            from..start + line.trim_end().len(),
            format!("note[{title}]"),
        ));
    }
    text.replace(edits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admonitions_of_a_sites_own_are_notes() {
        let keywords = ["steep".to_owned()];
        let mut text = Text::new(
            ":::steep\na\n:::\n\n::::steep[Long]{.x}\nb\n::::\n\n:::tip\nc\n:::\n\n```\n:::steep\n```\n".into(),
            1,
        );
        admonitions(&mut text, &keywords, true);
        assert_eq!(
            text.text,
            ":::note[Steep]\na\n:::\n\n::::note[Steep: Long]\nb\n::::\n\n:::tip\nc\n:::\n\n```\n:::steep\n```\n"
        );
    }

    #[test]
    fn ids_of_headings_are_written_in_one_way() {
        let mut text = Text::new(
            "# A {/* #a-1 */}\n## B <!-- #b -->\n### C \\{#c}\n## D {#d}\n## E {/* note */}\n```\n# F {/* #f */}\n```\n".into(),
            1,
        );
        heading_ids(&mut text, true);
        assert_eq!(
            text.text,
            "# A {#a-1}\n## B {#b}\n### C {#c}\n## D {#d}\n## E {/* note */}\n```\n# F {/* #f */}\n```\n"
        );
    }
}
