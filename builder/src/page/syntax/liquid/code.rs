//! Code that a template makes: `{% highlight %}` and the filter of the same name become fences.

/// A fence that is longer than any in its code.
pub(super) fn fence(language: &str, code: &str) -> String {
    let longest = code
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let sign = "`".repeat(longest.max(2) + 1);
    let code = code.trim_end();
    let blank = code.len() - code.trim_start().len();
    let code = &code[code[..blank].rfind('\n').map_or(0, |at| at + 1)..];
    format!("{sign}{language}\n{code}\n{sign}")
}

/// The fence as a block of its own in the place of a range: with blank lines around it.
pub(super) fn set_apart(source: &str, range: &std::ops::Range<usize>, block: &str) -> String {
    let before = &source[..range.start];
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let after = &source[range.end..];
    let indent = line.trim().is_empty() && !line.is_empty() && line.len() < 4;
    let mut out = String::with_capacity(block.len() + 4);
    // What stands before and after may be left out as well; blank lines that are too many go at the end.
    if !before.is_empty() {
        out.push_str("\n\n");
        if indent {
            out.push_str(line);
        }
    }
    for (at, text) in block.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
            if indent && !text.is_empty() {
                out.push_str(line);
            }
        }
        out.push_str(text);
    }
    if !after.is_empty() {
        out.push_str("\n\n");
    }
    out
}

/// The language of code: the first word, without options.
pub(super) fn language(markup: &str) -> &str {
    markup
        .split(|c: char| c.is_whitespace() || c == ',')
        .next()
        .unwrap_or_default()
        .trim_matches(['"', '\''])
}
