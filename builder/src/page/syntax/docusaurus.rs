//! Docusaurus's own ways to give a heading its id.
//!
//! `## Tea {/* #tea */}`, `## Tea <!-- #tea -->` and `## Tea \{#tea}` are `## Tea {#tea}`.
//! (Docusaurus 3.10: `mdx-loader`, "headings".)

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

#[cfg(test)]
mod tests {
    use super::*;

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
