//! Tags of HTML and JSX as they stand in a text, and the expressions of MDX.
//!
//! A tag is `<name …>`, `<name … />`, `</name>`, or `<>` and `</>` of JSX, over as many lines as it takes. Values may be quoted, bare, or
//! an expression in braces. What only looks like a tag is none: `a < b`, `<https://x.dev>`, `<me@x.dev>`, `<-`.
//!
//! `<Tab label="npm" {...more} when={a > b}>` is the tag `Tab` with the text `npm` and the expression `a > b`.

use std::ops::Range;

/// The longest expression and the longest tag that are looked for: a brace that is never closed must not cost the whole page each time.
const LONGEST: usize = 1 << 16;

/// What a tag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `<a>`
    Open,
    /// `</a>`
    Close,
    /// `<a />`
    Empty,
}

/// What an attribute says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// Text, with its entities decoded.
    Text(String),
    /// The code between braces.
    Code(String),
    /// The name alone.
    Nothing,
}

/// One tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    /// Where it stands, with its angle brackets.
    pub range: Range<usize>,
    /// Its name as written; empty for a fragment.
    pub name: String,
    pub form: Form,
    /// Names as written and values, in order. `{...spread}` is left out.
    pub attributes: Vec<(String, Said)>,
}

impl Tag {
    /// What an attribute says, whatever its letter case.
    pub(crate) fn said(&self, name: &str) -> Option<&Said> {
        self.attributes
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, said)| said)
    }

    /// The text of an attribute that is not blank.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.said(name)? {
            Said::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }
}

/// The tag whose `<` stands at an offset; none when there is none.
pub(crate) fn tag_at(text: &str, at: usize) -> Option<Tag> {
    let mut reader = Reader { text, at };
    reader.take(b'<')?;
    let closing = reader.take(b'/').is_some();
    let name = reader.name();
    let mut tag = Tag {
        range: at..at,
        name: name.to_owned(),
        form: if closing { Form::Close } else { Form::Open },
        attributes: Vec::new(),
    };
    if name.is_empty() {
        reader.take(b'>')?;
        tag.range.end = reader.at;
        return Some(tag);
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$')) {
        return None;
    }
    loop {
        let before = reader.at;
        reader.spaces();
        match reader.peek()? {
            b'>' => {
                reader.at += 1;
                break;
            }
            b'/' => {
                reader.at += 1;
                reader.spaces();
                // A slash that ends nothing is passed over, as browsers do, unless it ends the name: `<a/b>`.
                if reader.take(b'>').is_some() {
                    if !closing {
                        tag.form = Form::Empty;
                    }
                    break;
                }
                if before + 1 == reader.at {
                    return None;
                }
            }
            b'{' => {
                let end = expression_end(text, reader.at)?;
                let inside = text[reader.at + 1..end - 1].trim();
                // Vue and Svelte know `{name}` for `name={name}`.
                if !inside.starts_with("...") && is_name(inside) {
                    tag.attributes
                        .push((inside.to_owned(), Said::Code(inside.to_owned())));
                }
                reader.at = end;
            }
            _ => {
                let spaced = before < reader.at || tag.attributes.last().is_some();
                let attribute = reader.attribute()?;
                if !spaced {
                    return None;
                }
                tag.attributes.push(attribute);
            }
        }
        if reader.at - at > LONGEST {
            return None;
        }
    }
    tag.range.end = reader.at;
    Some(tag)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, sign: u8) -> Option<()> {
        (self.peek()? == sign).then(|| self.at += 1)
    }

    fn spaces(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn take_while(&mut self, held: impl Fn(char) -> bool) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.find(|c| !held(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// `a`, `my-tag`, `Tabs.Item`, `xlink:href`. A colon or dot at the end is none of it.
    fn name(&mut self) -> &'a str {
        let start = self.at;
        let name = self
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '$' | '.' | ':'));
        let kept = name.trim_end_matches([':', '.']);
        self.at = start + kept.len();
        kept
    }

    fn attribute(&mut self) -> Option<(String, Said)> {
        let name = self.take_while(|c| {
            !c.is_whitespace() && !matches!(c, '"' | '\'' | '<' | '>' | '/' | '=' | '{' | '}' | '`')
        });
        if name.is_empty() {
            return None;
        }
        let name = name.to_owned();
        let end = self.at;
        self.spaces();
        if self.take(b'=').is_none() {
            self.at = end;
            return Some((name, Said::Nothing));
        }
        self.spaces();
        let said = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let rest = self.text.get(self.at..)?;
                let length = rest.find(char::from(quote))?;
                if length > LONGEST {
                    return None;
                }
                self.at += length + 1;
                Said::Text(super::super::html::decoded(&rest[..length]))
            }
            b'{' => {
                let start = self.at;
                self.at = expression_end(self.text, start)?;
                Said::Code(self.text[start + 1..self.at - 1].trim().to_owned())
            }
            _ => {
                let value = self.take_while(|c| {
                    !c.is_whitespace() && !matches!(c, '"' | '\'' | '=' | '<' | '>' | '`')
                });
                if value.is_empty() {
                    return None;
                }
                // `<a href=x/>`: the slash closes the tag.
                let kept = match value.strip_suffix('/') {
                    Some(kept) if self.peek() == Some(b'>') => {
                        self.at -= 1;
                        kept
                    }
                    _ => value,
                };
                Said::Text(super::super::html::decoded(kept))
            }
        };
        Some((name, said))
    }
}

/// The offset behind the `}` that closes the `{` at an offset. Strings, templates and comments of JavaScript are passed over.
pub(crate) fn expression_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = bytes.len().min(at.saturating_add(LONGEST));
    // What is open: a brace, or a template in which braces open again.
    let mut open: Vec<u8> = Vec::new();
    let mut quote: Option<u8> = None;
    let mut last = b' ';
    let mut at = at;
    while at < end {
        let b = bytes[at];
        let next = bytes.get(at + 1).copied();
        if open.last() == Some(&b'`') && quote.is_none() {
            match b {
                b'\\' => at += 1,
                b'`' => {
                    open.pop();
                }
                b'$' if next == Some(b'{') => {
                    open.push(b'{');
                    at += 1;
                }
                _ => {}
            }
        } else if let Some(sign) = quote {
            match b {
                b'\\' => at += 1,
                // A quote ends with its line: it was an apostrophe.
                b'\n' => quote = None,
                _ if b == sign => quote = None,
                _ => {}
            }
        } else {
            match b {
                b'\'' if last.is_ascii_alphanumeric() => {}
                b'"' | b'\'' => quote = Some(b),
                b'`' => open.push(b),
                b'/' if next == Some(b'*') => {
                    at += text.get(at..)?.find("*/")? + 1;
                }
                b'/' if next == Some(b'/') && last != b':' => {
                    at += text.get(at..)?.find('\n')?;
                }
                b'{' => open.push(b),
                b'}' => {
                    open.pop();
                    if open.is_empty() {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        if !b.is_ascii_whitespace() {
            last = b;
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let told = tag_at(text, 0).map(|tag| {
            let form = match tag.form {
                Form::Open => "",
                Form::Close => "/",
                Form::Empty => "!",
            };
            let said = |said: &Said| match said {
                Said::Text(text) => format!("={text}"),
                Said::Code(code) => format!("={{{code}}}"),
                Said::Nothing => String::new(),
            };
            let attributes: Vec<String> = tag
                .attributes
                .iter()
                .map(|(name, value)| format!(" {name}{}", said(value)))
                .collect();
            format!(
                "{form}{}{} {}",
                tag.name,
                attributes.concat(),
                tag.range.end
            )
        });
        assert_eq!(told.as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn tags() {
        check("<a>", "a 3");
        check("</a >x", "/a 5");
        check("<br/>", "!br 5");
        check("<br />", "!br 6");
        check("<>", " 2");
        check("</>", "/ 3");
        check(
            "<Tabs.Item\n  label='a > b'\n/>",
            "!Tabs.Item label=a > b 29",
        );
        check("<a href=x/>", "!a href=x 11");
        check("<a href=/x/y>", "a href=/x/y 13");
        check("<T {...a} b={c > {d: '}'}} e>", "T b={c > {d: '}'}} e 29");
        check("<A b=\"x &amp; y\">", "A b=x & y 17");
        check("<A code={`a ${`}`} }`}>", "A code={`a ${`}`} }`} 23");
        check(
            "<input @click=\"a\" :b='c' #d disabled>",
            "input @click=a :b=c #d disabled 37",
        );
        check("<b\n>", "b 4");
    }

    #[test]
    fn what_only_looks_like_a_tag_is_none() {
        for text in [
            "< b",
            "<3",
            "<-",
            "<",
            "</",
            "<a",
            "<https://x.dev>",
            "<me@x.dev>",
            "<a/b>",
            "<a \"b\">",
            "<a b={c>",
            "<a b=\"c>",
            "<=>",
            "<<a>>",
            "<!-- x -->",
            "<a b=>",
            "<я>",
        ] {
            check(text, "none");
        }
    }

    #[test]
    fn any_text_is_looked_at_without_a_panic() {
        let seeds = [
            "<я a='ю' {...ж} b={`${'}'}`}>",
            "<a\u{0}b=\u{202E}/>\\{я}",
            "{'я\n`${{}`/* ж */ // }\n}",
        ];
        for seed in seeds {
            for (at, _) in seed.char_indices() {
                for text in [&seed[..at], &seed[at..]] {
                    for (at, _) in text.char_indices() {
                        if let Some(tag) = tag_at(text, at) {
                            assert!(text.get(tag.range).is_some());
                        }
                        if text[at..].starts_with('{')
                            && let Some(end) = expression_end(text, at)
                        {
                            assert!(text.get(at..end).is_some());
                        }
                    }
                }
            }
        }
    }
}
