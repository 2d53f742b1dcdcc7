//! YAML that is not quite YAML, and that the usual generators read all the same.
//!
//! Two slips are common enough to be forgiven: lines within brackets or quotes that are not indented, and values that begin with a
//! sign that YAML keeps for itself. The page is read as it was meant, and its author is told.
//!
//! `tags: [\n'a',\n]` is read as `tags: [\n  'a',\n  ]`, and `- %` as `- '%'`.

/// The block as it was probably meant; none when there is nothing to forgive. Every line stays on its line.
pub(super) fn repaired(block: &str) -> Option<String> {
    let mut out = String::with_capacity(block.len() + 64);
    let mut scan = Scan::default();
    for line in block.split_inclusive('\n') {
        if scan.is_open() && !line.starts_with([' ', '\t']) && !line.trim().is_empty() {
            out.push_str("  ");
        }
        match (scan.is_open(), quoted_value(line)) {
            (false, Some(quoted)) => out.push_str(&quoted),
            _ => {
                scan.read(line);
                out.push_str(line);
            }
        }
    }
    (out != block).then_some(out)
}

/// The line with its value in quotes, when the value begins with a sign that it may not begin with.
fn quoted_value(line: &str) -> Option<String> {
    let text = line.trim_end();
    let item = text
        .trim_start()
        .strip_prefix("- ")
        .map(|value| text.len() - value.len());
    let at = item.or_else(|| text.find(": ").map(|at| at + 2))?;
    let at = at + (text[at..].len() - text[at..].trim_start().len());
    let value = &text[at..];
    if !value.starts_with(['%', '@', '`']) || value.contains('\'') {
        return None;
    }
    Some(format!("{}'{value}'{}", &line[..at], &line[text.len()..]))
}

/// How many brackets are open, and whether a quote is.
#[derive(Default)]
struct Scan {
    depth: usize,
    quote: Option<char>,
}

impl Scan {
    fn is_open(&self) -> bool {
        self.depth > 0 || self.quote.is_some()
    }

    fn read(&mut self, line: &str) {
        // The last sign that is no space: what begins a value.
        let mut last = if self.depth > 0 { ',' } else { '\n' };
        let mut escaped = false;
        for c in line.chars() {
            match self.quote {
                Some('"') if escaped => escaped = false,
                Some('"') if c == '\\' => escaped = true,
                Some(quote) if c == quote => self.quote = None,
                Some(_) => {}
                None => match c {
                    '#' if last == '\n' => return,
                    '"' | '\'' if matches!(last, ':' | ',' | '[' | '{' | '-' | '\n') => {
                        self.quote = Some(c)
                    }
                    '[' | '{' if self.depth > 0 || matches!(last, ':' | '-') => self.depth += 1,
                    ']' | '}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                },
            }
            if !c.is_whitespace() {
                last = c;
            }
        }
    }
}
