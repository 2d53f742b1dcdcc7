//! Reads Go templates, as far as they can be followed without running anything.
//!
//! Text, comments, trimming, pipelines, variables, `if`, `with`, `range`, `else`. What a command means is said in [`layouts`](super::layouts).

/// A piece of a template.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// What a pipeline shows.
    Value(Pipeline),
    /// `$x := …` and `$x = …`.
    Set {
        name: String,
        is_new: bool,
        what: Pipeline,
    },
    /// `if`, or `with` where the value becomes the dot.
    When {
        with: bool,
        name: Option<String>,
        what: Pipeline,
        then: Vec<Piece>,
        other: Vec<Piece>,
    },
    Range {
        names: Vec<String>,
        what: Pipeline,
        each: Vec<Piece>,
        none: Vec<Piece>,
    },
}

/// The commands of a pipeline, each its words.
pub(super) type Pipeline = Vec<Vec<String>>;

/// The pieces of a template; none when it has something that is not followed.
pub(super) fn parse(text: &str) -> Option<Vec<Piece>> {
    let mut tokens = tokens(text)?.into_iter().peekable();
    let (pieces, end) = block(&mut tokens, 0)?;
    end.is_none().then_some(pieces)
}

enum Token {
    Text(String),
    Action(String),
}

/// Text and actions; none when an action is never closed.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut trim = false;
    while let Some(at) = rest.find("{{") {
        let mut before = if trim {
            rest[..at].trim_start()
        } else {
            &rest[..at]
        };
        let inside = &rest[at + 2..];
        let comment = inside
            .trim_start_matches('-')
            .trim_start()
            .starts_with("/*");
        let end = match comment {
            true => {
                let close = inside.find("*/")?;
                close + inside[close..].find("}}")?
            }
            false => end_of_action(inside)?,
        };
        let mut action = &inside[..end];
        rest = &inside[end + 2..];
        if let Some(short) = action
            .strip_prefix('-')
            .filter(|it| it.starts_with(char::is_whitespace))
        {
            action = short;
            before = before.trim_end();
        }
        trim = false;
        if let Some(short) = action
            .strip_suffix('-')
            .filter(|it| it.ends_with(char::is_whitespace))
        {
            action = short;
            trim = true;
        }
        tokens.push(Token::Text(before.to_owned()));
        let action = action.trim();
        if !action.starts_with("/*") {
            tokens.push(Token::Action(action.to_owned()));
        }
    }
    let last = if trim { rest.trim_start() } else { rest };
    tokens.push(Token::Text(last.to_owned()));
    Some(tokens)
}

/// Where `}}` stands that is in no quotation marks.
fn end_of_action(text: &str) -> Option<usize> {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(sign) => {
                if c == sign && !escaped {
                    quote = None;
                }
                escaped = sign == '"' && c == '\\' && !escaped;
            }
            None if c == '"' || c == '`' => quote = Some(c),
            None if text[at..].starts_with("}}") => return Some(at),
            None => {}
        }
    }
    None
}

type Tokens = std::iter::Peekable<std::vec::IntoIter<Token>>;

/// Templates inside templates are followed so deep.
const DEEPEST: usize = 40;

/// Pieces up to an `end` or `else`, which is given back.
fn block(tokens: &mut Tokens, depth: usize) -> Option<(Vec<Piece>, Option<String>)> {
    if depth > DEEPEST {
        return None;
    }
    let mut pieces = Vec::new();
    while let Some(token) = tokens.next() {
        let action = match token {
            Token::Text(text) => {
                pieces.push(Piece::Text(text));
                continue;
            }
            Token::Action(action) => action,
        };
        if action == "end" || action == "else" || action.starts_with("else ") {
            return (depth > 0).then_some((pieces, Some(action)));
        }
        match action.split_once(char::is_whitespace) {
            Some((word @ ("with" | "if" | "range"), what)) => {
                pieces.push(branch(word, what, tokens, depth)?)
            }
            Some(("define" | "block" | "template" | "return", _)) => return None,
            _ if action.is_empty() || matches!(action.as_str(), "break" | "continue") => {
                return None;
            }
            _ => match assignment(&action) {
                Some((name, is_new, what)) => pieces.push(Piece::Set {
                    name,
                    is_new,
                    what: pipeline(what)?,
                }),
                None => pieces.push(Piece::Value(pipeline(&action)?)),
            },
        }
    }
    (depth == 0).then_some((pieces, None))
}

/// `$x := …` or `$x = …`.
fn assignment(text: &str) -> Option<(String, bool, &str)> {
    let (names, what) = text.strip_prefix('$')?.split_once('=')?;
    let is_new = names.ends_with(':');
    let name = names.trim_end_matches(':').trim();
    is_name(name).then(|| (name.to_owned(), is_new, what))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn branch(word: &str, what: &str, tokens: &mut Tokens, depth: usize) -> Option<Piece> {
    let (names, what) = match what
        .trim_start()
        .strip_prefix('$')
        .and_then(|rest| rest.split_once(":="))
    {
        Some((names, rest)) => (names, rest),
        None => ("", what),
    };
    let names = names
        .split(',')
        .map(|name| name.trim().trim_start_matches('$').to_owned());
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    if !names.iter().all(|name| is_name(name)) {
        return None;
    }
    let what = pipeline(what)?;
    let (then, end) = block(tokens, depth + 1)?;
    let other = match end?.as_str() {
        "end" => Vec::new(),
        "else" => {
            let (other, end) = block(tokens, depth + 1)?;
            (end.as_deref() == Some("end")).then_some(other)?
        }
        longer => {
            let (word, what) = longer
                .strip_prefix("else")?
                .trim()
                .split_once(char::is_whitespace)?;
            vec![branch(word, what, tokens, depth + 1)?]
        }
    };
    Some(match word {
        "range" => Piece::Range {
            names,
            what,
            each: then,
            none: other,
        },
        "if" | "with" => Piece::When {
            with: word == "with",
            name: names.into_iter().next(),
            what,
            then,
            other,
        },
        _ => return None,
    })
}

/// The commands of a pipeline.
pub(super) fn pipeline(text: &str) -> Option<Pipeline> {
    let mut commands = vec![Vec::new()];
    let mut word = String::new();
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for c in text.chars() {
        if let Some(sign) = quote {
            word.push(c);
            if c == sign && !escaped {
                quote = None;
            }
            escaped = sign == '"' && c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' | '`' => quote = Some(c),
            '(' if depth >= DEEPEST => return None,
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            c if depth == 0 && (c.is_whitespace() || c == '|') => {
                if !word.is_empty() {
                    commands.last_mut()?.push(std::mem::take(&mut word));
                }
                if c == '|' {
                    commands.push(Vec::new());
                }
                continue;
            }
            _ => {}
        }
        word.push(c);
    }
    if !word.is_empty() {
        commands.last_mut()?.push(word);
    }
    let is_whole =
        depth == 0 && quote.is_none() && commands.iter().all(|command| !command.is_empty());
    is_whole.then_some(commands)
}

/// A text in quotation marks.
pub(super) fn quoted(word: &str) -> Option<String> {
    let sign = word.chars().next().filter(|c| matches!(c, '"' | '`'))?;
    let inside = word.get(1..)?.strip_suffix(sign)?;
    Some(match sign {
        '"' => inside
            .replace("\\\"", "\"")
            .replace("\\n", "\n")
            .replace("\\\\", "\\"),
        _ => inside.to_owned(),
    })
}
