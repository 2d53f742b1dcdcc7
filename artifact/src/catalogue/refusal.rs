//! What is wrong with the arguments of a call, and how to put it right.

use std::fmt;

use super::schema::{Field, Kind};
use super::words::grouped;
use crate::clean::one_line;

/// Characters of an echoed value.
const SHOWN: usize = 60;
/// Words of a choice that are listed.
const LISTED: usize = 20;

/// All that is wrong with one call. Its text starts with `Error: ` and is one block for the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The tool that was called.
    pub tool: String,
    /// Whether the tool would have saved something: then the text says that nothing was.
    pub writes: bool,
    /// Every problem, in the order of the tool's arguments.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The arguments are not an object.
    NotAnObject {
        /// What came.
        got: String,
    },
    /// A required argument is not there, or blank.
    Missing {
        /// The path of the argument, such as `match.text`.
        name: String,
        /// What it may be.
        allowed: String,
        /// What it means.
        description: String,
    },
    /// The value is not of the kind, or out of bounds.
    Wrong {
        /// The path of the argument.
        name: String,
        /// What it may be.
        allowed: String,
        /// What came.
        got: String,
        /// What to do next.
        advice: String,
    },
    /// The text is too long.
    TooLong {
        /// The path of the argument.
        name: String,
        /// The greatest number of characters.
        max: usize,
        /// How many came.
        got: usize,
    },
    /// There is no such argument.
    Unknown {
        /// What came.
        name: String,
        /// The argument that was probably meant.
        closest: Option<String>,
        /// The arguments there are.
        known: Vec<String>,
    },
    /// None of several arguments is there, and one has to be.
    NoneOf {
        /// The arguments.
        names: Vec<String>,
        /// A call that would do.
        example: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NotAnObject { got } => {
                write!(
                    f,
                    "arguments have to be a JSON object, but {got} came. Send an object, such as {{}}."
                )
            }
            Problem::Missing {
                name,
                allowed,
                description,
            } => {
                write!(f, "`{name}` is required and was not given. Send {allowed}")?;
                if description.is_empty() {
                    f.write_str(".")
                } else {
                    write!(f, ": {description}")
                }
            }
            Problem::Wrong {
                name,
                allowed,
                got,
                advice,
            } => write!(f, "`{name}` has to be {allowed}, but {got} came. {advice}"),
            Problem::TooLong { name, max, got } => {
                write!(
                    f,
                    "`{name}` may have at most {} characters, but {} came. Shorten it.",
                    grouped(*max),
                    grouped(*got)
                )
            }
            Problem::Unknown {
                name,
                closest,
                known,
            } => {
                write!(f, "there is no argument `{name}`")?;
                if let Some(closest) = closest {
                    write!(f, "; did you mean `{closest}`?")?;
                }
                let separator = if closest.is_some() { " " } else { ". " };
                match known.as_slice() {
                    [] => write!(f, "{separator}None is taken here. Send {{}}."),
                    known => write!(f, "{separator}Known here: {}.", known.join(", ")),
                }
            }
            Problem::NoneOf { names, example } => match names.as_slice() {
                [one] => write!(f, "`{one}` has to be given, for example {example}"),
                names => write!(
                    f,
                    "at least one of {} has to be given, for example {example}",
                    names.join(", ")
                ),
            },
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [problem] => write!(f, "Error: {problem}")?,
            problems => {
                write!(
                    f,
                    "Error: {} problems with the arguments of {}:",
                    problems.len(),
                    self.tool
                )?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, "\n- {problem}"))?;
            }
        }
        match (self.writes, self.problems.len()) {
            (false, _) => Ok(()),
            (true, 1) => f.write_str(" Nothing was saved."),
            (true, _) => f.write_str("\nNothing was saved."),
        }
    }
}

impl std::error::Error for Refusal {}

/// A value as an error text echoes it: on one line, cleaned, and cut when it is long.
pub fn shown(text: &str) -> String {
    // A value of a megabyte need not be cleaned to show its start.
    let start: String = text.chars().take(SHOWN * 4).collect();
    let line = one_line(&start);
    if line.chars().count() <= SHOWN && start.len() == text.len() {
        return line.into_owned();
    }
    let mut cut: String = line.chars().take(SHOWN).collect();
    cut.push('…');
    cut
}

/// What a value of a kind may be, in words.
pub(super) fn allowed(kind: &Kind) -> String {
    match kind {
        Kind::Integer {
            min,
            max: Some(max),
            ..
        } => format!("a whole number from {min} to {max}"),
        Kind::Integer { min, max: None, .. } => format!("a whole number of at least {min}"),
        Kind::Number => "a number".into(),
        Kind::Boolean => "true or false".into(),
        Kind::Text { .. } => "text".into(),
        Kind::Uuid => {
            "a UUID, such as 6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90 but newly generated".into()
        }
        Kind::Choice { options, .. } if options.len() <= LISTED => {
            let options: Vec<_> = options.iter().map(|option| one_line(option)).collect();
            format!("one of {}", options.join(", "))
        }
        Kind::Choice { options, .. } => format!("one of {} known names", options.len()),
        Kind::Object(fields) => {
            let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
            format!("an object with {}", names.join(" and "))
        }
        Kind::List(_) => "a list".into(),
    }
}

/// What to do about a value of the wrong kind.
pub(super) fn advice(field: &Field) -> String {
    let send = match &field.kind {
        Kind::Object(_) => r#"Send it as an object, such as {"text": "…"}"#,
        Kind::Choice { .. } => "Send one of those words",
        Kind::Integer { .. } => "Send a number in those bounds",
        Kind::Uuid => "Generate a UUID and send that",
        Kind::Number => "Send a number",
        Kind::Boolean => "Send true or false",
        Kind::Text { .. } | Kind::List(_) => "Send it in quotes",
    };
    match (&field.kind, field.required) {
        (_, true) => format!("{send}."),
        (
            Kind::Integer {
                default: Some(default),
                ..
            },
            false,
        ) => format!("{send}, or leave it out for {default}."),
        (_, false) => format!("{send}, or leave it out."),
    }
}
