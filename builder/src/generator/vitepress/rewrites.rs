//! `rewrites`: where pages go whose files lie elsewhere.
//!
//! The patterns are those of `path-to-regexp` 6, without flags, which VitePress uses: `:name` is a part between slashes, `:rest*` any number of
//! them, `(.*)` anything. `packages/:pkg/src/:rest*` to `:pkg/:rest*` puts `packages/a/src/b/c.md` at `a/b/c.md`.

/// The rules of a site, in order; the first that holds counts.
#[derive(Debug, Default)]
pub(super) struct Rewrites {
    rules: Vec<(Vec<Token>, Vec<Token>)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Text(String),
    Part(Part),
}

/// A named or numbered part, with the sign before it that belongs to it.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    name: String,
    prefix: String,
    shape: Shape,
    /// Whether it may be left out.
    optional: bool,
    /// Whether there may be several.
    repeated: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// No slash in it.
    Segment,
    /// `.*`
    Anything,
    /// `.+`
    Something,
    /// `\d+`
    Digits,
    /// `en|fr`
    OneOf(Vec<String>),
}

impl Shape {
    fn of(pattern: &str) -> Option<Shape> {
        Some(match pattern {
            ".*" | ".*?" => Shape::Anything,
            ".+" | ".+?" => Shape::Something,
            "[^/]+" | "[^/]+?" | "[^\\/]+" | "\\w+" | "[\\w-]+" => Shape::Segment,
            "\\d+" | "[0-9]+" => Shape::Digits,
            words => {
                let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '|');
                let of_words = !words.is_empty() && words.chars().all(plain);
                of_words.then(|| Shape::OneOf(words.split('|').map(str::to_owned).collect()))?
            }
        })
    }

    fn holds(&self, text: &str) -> bool {
        match self {
            Shape::Segment => !text.is_empty() && !text.contains(['/', '#', '?']),
            Shape::Anything => true,
            Shape::Something => !text.is_empty(),
            Shape::Digits => !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()),
            Shape::OneOf(words) => words.iter().any(|word| word.eq_ignore_ascii_case(text)),
        }
    }
}

impl Rewrites {
    /// Adds a rule; false when one of its patterns is not understood.
    pub(super) fn add(&mut self, from: &str, to: &str) -> bool {
        let rule = tokens(from).zip(tokens(&format!("/{to}")));
        let known = rule.is_some();
        self.rules.extend(rule);
        known
    }

    /// Where a page goes; none when it stays.
    pub(super) fn of(&self, page: &str) -> Option<String> {
        self.rules.iter().find_map(|(from, to)| {
            let mut values = Vec::new();
            if !matches(from, page, &mut values) {
                return None;
            }
            let mut path = String::new();
            for token in to {
                match token {
                    Token::Text(text) => path.push_str(text),
                    Token::Part(part) => {
                        let value = values.iter().find(|(name, _)| *name == part.name);
                        if let Some((_, value)) = value.filter(|(_, value)| !value.is_empty()) {
                            path.push_str(&part.prefix);
                            path.push_str(value);
                        }
                    }
                }
            }
            Some(path.trim_start_matches('/').to_owned())
        })
    }
}

/// Reads a pattern; none when it holds what is not understood.
fn tokens(pattern: &str) -> Option<Vec<Token>> {
    let mut found: Vec<Token> = Vec::new();
    let mut text = String::new();
    let mut rest = pattern;
    let mut unnamed = 0;
    while let Some(c) = rest.chars().next() {
        let mut name = String::new();
        let mut after = rest;
        if let Some(behind) = rest.strip_prefix(':') {
            let end = behind
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(behind.len());
            name = behind[..end].to_owned();
            after = &behind[end..];
        }
        let mut shape = (!name.is_empty()).then_some(Shape::Segment);
        if let Some(behind) = after
            .strip_prefix('(')
            .filter(|_| c == '(' || !name.is_empty())
        {
            let end = behind.find(')')?;
            shape = Some(Shape::of(&behind[..end])?);
            after = &behind[end + 1..];
        }
        let Some(shape) = shape else {
            match c {
                '\\' => {
                    let escaped = rest.chars().nth(1)?;
                    text.push(escaped);
                    rest = &rest[1 + escaped.len_utf8()..];
                }
                // Groups and expressions of their own.
                '{' | '}' | '^' | '$' | '*' | '+' | '?' => return None,
                c => {
                    text.push(c);
                    rest = &rest[c.len_utf8()..];
                }
            }
            continue;
        };
        if name.is_empty() {
            name = unnamed.to_string();
            unnamed += 1;
        }
        let modifier = after
            .chars()
            .next()
            .filter(|c| matches!(c, '*' | '+' | '?'));
        rest = &after[modifier.map_or(0, char::len_utf8)..];
        let prefix = match text.pop() {
            Some(sign @ ('/' | '.')) => sign.to_string(),
            Some(other) => {
                text.push(other);
                String::new()
            }
            None => String::new(),
        };
        if !text.is_empty() {
            found.push(Token::Text(std::mem::take(&mut text)));
        }
        found.push(Token::Part(Part {
            name,
            prefix,
            shape,
            optional: matches!(modifier, Some('*' | '?')),
            repeated: matches!(modifier, Some('*' | '+')),
        }));
    }
    if !text.is_empty() {
        found.push(Token::Text(text));
    }
    Some(found)
}

/// Whether tokens are a whole text; the values of the parts are added. Shorter values are tried first, as the expressions do that are not greedy.
fn matches(tokens: &[Token], text: &str, values: &mut Vec<(String, String)>) -> bool {
    let Some((first, rest)) = tokens.split_first() else {
        return text.is_empty() || text == "/";
    };
    match first {
        Token::Text(own) => match text.get(..own.len()) {
            Some(start) if start.eq_ignore_ascii_case(own) => {
                matches(rest, &text[own.len()..], values)
            }
            _ => false,
        },
        Token::Part(part) => {
            let length = values.len();
            if let Some(behind) = text.strip_prefix(part.prefix.as_str()) {
                let greedy =
                    matches!(part.shape, Shape::Anything | Shape::Something) || part.repeated;
                let ends: Vec<usize> = (0..=behind.len())
                    .filter(|at| behind.is_char_boundary(*at))
                    .collect();
                let mut try_end = |end: usize| {
                    let value = &behind[..end];
                    let holds = match part.repeated && part.shape == Shape::Segment {
                        true => value.split('/').all(|piece| part.shape.holds(piece)),
                        false => part.shape.holds(value),
                    };
                    if !holds {
                        return false;
                    }
                    values.push((part.name.clone(), value.to_owned()));
                    let whole = matches(rest, &behind[end..], values);
                    if !whole {
                        values.truncate(length);
                    }
                    whole
                };
                let found = match greedy {
                    true => ends.iter().rev().any(|end| try_end(*end)),
                    false => ends.iter().any(|end| try_end(*end)),
                };
                if found {
                    return true;
                }
            }
            part.optional && matches(rest, text, values)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: &str, to: &str, pages: &[(&str, Option<&str>)]) {
        let mut rewrites = Rewrites::default();
        assert!(rewrites.add(from, to), "{from}");
        for (page, wanted) in pages {
            assert_eq!(rewrites.of(page).as_deref(), *wanted, "{from}: {page}");
        }
    }

    #[test]
    fn files_and_routes_were_mixed_by_rewrites() {
        check(
            "en/:rest*",
            ":rest*",
            &[
                ("en/guide.md", Some("guide.md")),
                ("en/a/b.md", Some("a/b.md")),
                ("EN/x.md", Some("x.md")),
                ("enx/guide.md", None),
                ("fr/guide.md", None),
            ],
        );
    }

    #[test]
    fn patterns_are_read_as_vitepress_does() {
        check(
            "packages/:pkg/src/:rest*",
            ":pkg/:rest*",
            &[
                ("packages/a/src/b/c.md", Some("a/b/c.md")),
                ("packages/a/b/src/c.md", None),
            ],
        );
        check(
            "packages/:pkg/src/(.*)",
            ":pkg/index.md",
            &[("packages/a/src/x.md", Some("a/index.md"))],
        );
        check(
            "source/:page",
            "destination/:page",
            &[
                ("source/a.md", Some("destination/a.md")),
                ("source/a/b.md", None),
            ],
        );
        check(
            "a/b.md",
            "c.md",
            &[("a/b.md", Some("c.md")), ("a/bxmd", None)],
        );
        check(
            ":lang(en|fr)/:rest+",
            "docs/:lang/:rest+",
            &[("fr/a/b.md", Some("docs/fr/a/b.md")), ("de/a.md", None)],
        );
        check("docs-(.*)", "(.*)", &[("docs-a/b.md", Some("a/b.md"))]);
    }

    #[test]
    fn patterns_that_are_not_understood_are_told() {
        assert!(!Rewrites::default().add("^a/(.*)", "b"));
        assert!(!Rewrites::default().add("a{/b}?", "b"));
        assert!(!Rewrites::default().add("a/:b([a-z]{2})", "b"));
    }
}
