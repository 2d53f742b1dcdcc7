//! Expressions of Liquid and Nunjucks: reads them and works them out.
//!
//! Both languages are read by one grammar, since what one has and the other has not is an error there: `a | f: x, y` beside `a | f(x, y)`,
//! `a contains b` beside `b in a`. What is made by code of the site is [`Value::Unknown`], and so is all that is made of it.

use super::Dialect;
pub(super) use super::compare::truth;
use super::compare::{compare, holds, range};
use super::filters::{self, Args};
use super::value::Value;

/// What expressions are worked out with.
pub(super) trait Scope {
    fn dialect(&self) -> Dialect;
    /// The value of a name.
    fn variable(&self, name: &str) -> Value;
    /// What the site's settings mean to a filter, such as its base path.
    fn filter(&self, name: &str, input: &Value, args: &Args) -> Option<Value>;
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    Number(f64),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "===", "!==", "==", "!=", "<>", "<=", ">=", "//", "**", "..", "<", ">", "|", ":", ",", ".",
    "(", ")", "[", "]", "{", "}", "+", "-", "*", "/", "%", "=", "~", "?",
];

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        if matches!(c, '"' | '\'') {
            let (value, end) = quoted(rest, c)?;
            found.push(Token::Text(value));
            rest = &rest[end..];
        } else if c.is_ascii_digit() {
            let mut end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let tail = &rest[end..];
            if tail.starts_with('.') && tail[1..].starts_with(|c: char| c.is_ascii_digit()) {
                end += 1 + tail[1..]
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(tail.len() - 1);
            }
            found.push(Token::Number(rest[..end].parse().ok()?));
            rest = &rest[end..];
        } else if c.is_alphabetic() || c == '_' {
            let end = rest
                .char_indices()
                .find(|(at, c)| {
                    let joins = *c == '-' && rest[at + 1..].starts_with(char::is_alphanumeric);
                    !(c.is_alphanumeric() || *c == '_' || joins)
                })
                .map_or(rest.len(), |(at, _)| at);
            found.push(Token::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            found.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        }
        rest = rest.trim_start();
    }
    Some(found)
}

fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((value, at + 1)),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                c if c == quote || c == '\\' => value.push(c),
                c => {
                    value.push('\\');
                    value.push(c);
                }
            },
            c => value.push(c),
        }
    }
    None
}

/// A filter that the expression asked for and that is not known, if any.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) unknown_filter: Option<String>,
}

/// The value of an expression with its filters. None when it cannot be read.
pub(super) fn value(text: &str, scope: &dyn Scope, found: &mut Found) -> Option<Value> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        scope,
        found,
    };
    let value = reader.filtered()?;
    (reader.at == tokens.len()).then_some(value)
}

/// Several values with commas or spaces between them, and those that have names: the arguments of a tag.
pub(super) fn arguments(text: &str, scope: &dyn Scope, found: &mut Found) -> Option<Args> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        scope,
        found,
    };
    let mut args = Args::default();
    while reader.at < tokens.len() {
        if reader.takes(",") {
            continue;
        }
        reader.argument(&mut args)?;
    }
    Some(args)
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    scope: &'a dyn Scope,
    found: &'a mut Found,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    fn nunjucks(&self) -> bool {
        self.scope.dialect() == Dialect::Nunjucks
    }

    fn filtered(&mut self) -> Option<Value> {
        let mut value = self.either()?;
        while self.takes("|") {
            value = self.filter(value)?;
        }
        if self.nunjucks() && self.takes_word("if") {
            let condition = self.either()?;
            let other = match self.takes_word("else") {
                true => self.filtered()?,
                false => Value::Nil,
            };
            return Some(match truth(&condition, self.scope.dialect()) {
                Some(true) => value,
                Some(false) => other,
                None => Value::Unknown,
            });
        }
        Some(value)
    }

    fn filter(&mut self, input: Value) -> Option<Value> {
        let Some(Token::Name(name)) = self.peek() else {
            return None;
        };
        let mut name = name.clone();
        self.at += 1;
        while self.takes(".") {
            let Some(Token::Name(part)) = self.peek() else {
                return None;
            };
            name = format!("{name}.{part}");
            self.at += 1;
        }
        let mut args = Args::default();
        if self.takes("(") {
            while !self.takes(")") {
                if !self.takes(",") {
                    self.argument(&mut args)?;
                }
            }
        } else if self.takes(":") {
            loop {
                self.argument(&mut args)?;
                if !self.takes(",") {
                    break;
                }
            }
        }
        if let Some(value) = self.scope.filter(&name, &input, &args) {
            return Some(value);
        }
        match filters::apply(&name, &input, &args) {
            Some(value) => Some(value),
            None => {
                self.found.unknown_filter.get_or_insert(name);
                Some(Value::Unknown)
            }
        }
    }

    fn argument(&mut self, args: &mut Args) -> Option<()> {
        if let (Some(Token::Name(name)), Some(Token::Sign(sign))) =
            (self.peek(), self.tokens.get(self.at + 1))
            && matches!(*sign, ":" | "=")
        {
            let name = name.clone();
            self.at += 2;
            let value = self.compared()?;
            args.named.push((name, value));
            return Some(());
        }
        let value = self.argument_value()?;
        args.values.push(value);
        Some(())
    }

    fn argument_value(&mut self) -> Option<Value> {
        if self.nunjucks() {
            self.filtered()
        } else {
            self.compared()
        }
    }

    /// `a or b`. Liquid reads `and` and `or` from the right, Nunjucks `and` before `or`.
    fn either(&mut self) -> Option<Value> {
        if !self.nunjucks() {
            let left = self.compared()?;
            for (word, ends) in [("and", false), ("or", true)] {
                if self.takes_word(word) {
                    let right = self.either()?;
                    let truth = |v: &Value| truth(v, Dialect::Liquid);
                    return Some(match (truth(&left), truth(&right)) {
                        (Some(l), _) if l == ends => Value::Boolean(ends),
                        (_, Some(r)) if r == ends => Value::Boolean(ends),
                        (Some(_), Some(_)) => Value::Boolean(!ends),
                        _ => Value::Unknown,
                    });
                }
            }
            return Some(left);
        }
        let mut left = self.both()?;
        while self.takes_word("or") {
            let right = self.both()?;
            left = match truth(&left, Dialect::Nunjucks) {
                Some(true) => left,
                Some(false) => right,
                None => Value::Unknown,
            };
        }
        Some(left)
    }

    fn both(&mut self) -> Option<Value> {
        let mut left = self.negated()?;
        while self.takes_word("and") {
            let right = self.negated()?;
            left = match (
                truth(&left, Dialect::Nunjucks),
                truth(&right, Dialect::Nunjucks),
            ) {
                (Some(false), _) => left,
                (_, Some(false)) => Value::Boolean(false),
                (Some(true), _) => right,
                (None, _) => Value::Unknown,
            };
        }
        Some(left)
    }

    fn negated(&mut self) -> Option<Value> {
        if self.takes_word("not") {
            let value = self.negated()?;
            return Some(
                truth(&value, Dialect::Nunjucks).map_or(Value::Unknown, |yes| Value::Boolean(!yes)),
            );
        }
        self.compared()
    }

    fn compared(&mut self) -> Option<Value> {
        let left = self.sum()?;
        for sign in ["===", "!==", "==", "!=", "<>", "<=", ">=", "<", ">"] {
            if self.takes(sign) {
                let right = self.sum()?;
                return Some(compare(sign, &left, &right));
            }
        }
        if self.takes_word("contains") {
            let right = self.sum()?;
            return Some(holds(&left, &right));
        }
        if self.nunjucks() && self.takes_word("in") {
            let right = self.sum()?;
            return Some(holds(&right, &left));
        }
        if self.nunjucks() && self.takes_word("is") {
            let negated = self.takes_word("not");
            let Some(Token::Name(name)) = self.peek().cloned() else {
                return None;
            };
            self.at += 1;
            let yes = match (name.as_str(), &left) {
                (_, Value::Unknown) => return Some(Value::Unknown),
                ("defined", value) => *value != Value::Nil,
                ("undefined" | "null" | "none", value) => *value == Value::Nil,
                _ => return Some(Value::Unknown),
            };
            return Some(Value::Boolean(yes != negated));
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Value> {
        let mut left = self.product()?;
        if !self.nunjucks() {
            return Some(left);
        }
        loop {
            let sign = match self.peek() {
                Some(Token::Sign(sign @ ("+" | "-" | "~"))) => *sign,
                _ => return Some(left),
            };
            self.at += 1;
            let right = self.product()?;
            let texts = matches!(left, Value::Text(_)) || matches!(right, Value::Text(_));
            left = match (sign, &left, &right) {
                (_, Value::Unknown, _) | (_, _, Value::Unknown) => Value::Unknown,
                ("+" | "~", l, r) if texts || sign == "~" => match (l.shown(), r.shown()) {
                    (Some(l), Some(r)) => Value::text(l + &r),
                    _ => Value::Unknown,
                },
                (_, l, r) => match (l.number(), r.number()) {
                    (Some(l), Some(r)) if sign == "+" => Value::of_number(l + r),
                    (Some(l), Some(r)) => Value::of_number(l - r),
                    _ => Value::Unknown,
                },
            };
        }
    }

    fn product(&mut self) -> Option<Value> {
        let mut left = self.primary()?;
        if !self.nunjucks() {
            return Some(left);
        }
        loop {
            let sign = match self.peek() {
                Some(Token::Sign(sign @ ("*" | "/" | "%" | "//"))) => *sign,
                _ => return Some(left),
            };
            self.at += 1;
            let right = self.primary()?;
            left = match (left.number(), right.number()) {
                (Some(l), Some(r)) if sign == "*" => Value::of_number(l * r),
                (Some(l), Some(r)) if r != 0.0 => Value::of_number(match sign {
                    "/" => l / r,
                    "%" => l % r,
                    _ => (l / r).floor(),
                }),
                _ => Value::Unknown,
            };
        }
    }

    fn primary(&mut self) -> Option<Value> {
        let token = self.peek()?.clone();
        self.at += 1;
        let value = match token {
            Token::Text(text) => Value::text(text),
            Token::Number(number) => Value::of_number(number),
            Token::Sign("-") => {
                let number = self.primary()?.number()?;
                Value::of_number(-number)
            }
            Token::Sign("(") => {
                let first = self.filtered()?;
                if self.takes("..") {
                    let last = self.primary()?;
                    if !self.takes(")") {
                        return None;
                    }
                    return Some(range(&first, &last));
                }
                if !self.takes(")") {
                    return None;
                }
                first
            }
            Token::Sign("[") => {
                let mut items = Vec::new();
                while !self.takes("]") {
                    if !self.takes(",") {
                        items.push(self.filtered()?);
                    }
                }
                Value::list(items)
            }
            Token::Sign("{") => {
                let mut entries = Vec::new();
                while !self.takes("}") {
                    if self.takes(",") {
                        continue;
                    }
                    let key = match self.peek()?.clone() {
                        Token::Name(key) | Token::Text(key) => key,
                        _ => return None,
                    };
                    self.at += 1;
                    if !self.takes(":") {
                        return None;
                    }
                    entries.push((key, self.filtered()?));
                }
                Value::map(entries)
            }
            Token::Name(name) => match name.as_str() {
                "true" => Value::Boolean(true),
                "false" => Value::Boolean(false),
                "nil" | "null" | "none" | "undefined" => Value::Nil,
                "empty" | "blank" if !self.nunjucks() => Value::text(""),
                name => self.scope.variable(name),
            },
            Token::Sign(_) => return None,
        };
        self.members(value)
    }

    fn members(&mut self, mut value: Value) -> Option<Value> {
        loop {
            if self.takes(".") {
                let name = match self.peek()? {
                    Token::Name(name) => name.clone(),
                    Token::Number(number) => number.to_string(),
                    _ => return None,
                };
                self.at += 1;
                value = value.member(&name);
            } else if self.takes("[") {
                let key = self.filtered()?;
                if !self.takes("]") {
                    return None;
                }
                value = match key {
                    Value::Unknown => Value::Unknown,
                    Value::Integer(at) => value.item(at),
                    key => value.member(&key.shown()?),
                };
            } else if self.nunjucks() && self.takes("(") {
                // A function of the site.
                while !self.takes(")") {
                    if !self.takes(",") {
                        self.argument(&mut Args::default())?;
                    }
                }
                value = Value::Unknown;
            } else {
                return Some(value);
            }
        }
    }
}
