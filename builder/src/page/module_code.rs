//! Takes the module code out of MDX: `import` and `export` statements at the start of a line.
//!
//! A statement ends with the line on which its brackets are closed. Code blocks are left alone, so an `export` in an example
//! stays. `import X from 'x'\n\n# H\n` becomes `# H\n`.

use super::code::{code_ranges, is_inside};
use super::rewrite::{Rewriter, Text};

/// Takes every import and export out of an MDX text, and gives them.
pub(super) fn remove(text: &mut Text) -> String {
    let mut module = String::new();
    if !text.text.contains("import") && !text.text.contains("export") {
        return module;
    }
    let code = code_ranges(&text.text, true);
    let source = text.text.as_str();
    let mut rewriter = Rewriter::new(text);
    let mut at = 0;
    while at < source.len() {
        let line_end = source[at..]
            .find('\n')
            .map_or(source.len(), |end| at + end + 1);
        if !is_inside(&code, at) && is_statement(&source[at..line_end]) {
            rewriter.copy_to(at);
            let end = statement_end(source, at);
            module.push_str(source[at..end].trim_end());
            module.push('\n');
            rewriter.skip_to(end);
            // The blank line behind it goes with it, unless it keeps two paragraphs apart.
            if (rewriter.out.is_empty() || rewriter.out.ends_with("\n\n"))
                && source[end..].starts_with('\n')
            {
                rewriter.skip_to(end + 1);
            }
            at = rewriter.at;
        } else {
            at = line_end;
        }
    }
    *text = rewriter.finish();
    module
}

fn is_statement(line: &str) -> bool {
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix("import") {
        let rest = rest.trim_start();
        let named = rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
            && line.starts_with("import ")
            && (rest.contains(" from ")
                || rest.contains(" from'")
                || rest.contains(" from\"")
                || rest.ends_with(" from")
                || rest.contains(", {"));
        return named || rest.starts_with(['\'', '"', '{', '*']);
    }
    let Some(rest) = line.strip_prefix("export") else {
        return false;
    };
    let rest = rest.trim_start();
    let words = [
        "default",
        "const",
        "let",
        "var",
        "function",
        "async",
        "class",
        "type",
        "interface",
        "enum",
    ];
    rest.starts_with(['{', '*'])
        || words.iter().any(|word| {
            rest.strip_prefix(word)
                .is_some_and(|r| r.is_empty() || r.starts_with([' ', '*', '{', '(', '[']))
        })
}

/// The offset behind the statement's last line.
fn statement_end(source: &str, start: usize) -> usize {
    let bytes = source.as_bytes();
    let mut depth = 0_usize;
    let mut quote: Option<u8> = None;
    let mut at = start;
    let mut last = b' ';
    while at < bytes.len() {
        let b = bytes[at];
        match quote {
            Some(sign) => match b {
                b'\\' => at += 1,
                b'\n' if sign != b'`' => quote = None,
                _ if b == sign => quote = None,
                _ => {}
            },
            None => match b {
                // An apostrophe within a word is text between tags.
                b'\'' if last.is_ascii_alphanumeric() => {}
                b'"' | b'\'' | b'`' => quote = Some(b),
                b'/' if bytes.get(at + 1) == Some(&b'/') && last != b':' => {
                    at += source[at..].find('\n').unwrap_or(source.len() - at);
                    continue;
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    at += source[at..]
                        .find("*/")
                        .map_or(source.len() - at, |end| end + 2);
                    continue;
                }
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth = depth.saturating_sub(1),
                b'\n' if depth == 0 && !goes_on(source, start, at) => return at + 1,
                _ => {}
            },
        }
        if !b.is_ascii_whitespace() {
            last = b;
        }
        at += 1;
    }
    if depth == 0 {
        return source.len();
    }
    // Brackets that never close would take the whole page along.
    source[start..]
        .find("\n\n")
        .map_or(source.len(), |end| start + end + 1)
}

/// Whether a line's end shows that the next one belongs to it.
fn goes_on(source: &str, start: usize, at: usize) -> bool {
    let line = source[start..at]
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .trim_end();
    if line.is_empty() {
        return false;
    }
    line.ends_with(['=', ',', '(', '?', ':', '+', '&', '|'])
        || line.ends_with("=>")
        || line.ends_with(" from")
        || line.ends_with("default")
}
