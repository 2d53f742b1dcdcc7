//! The rules for the texts of tools, as a function: what a test holds every tool to, a site's author can be told as well.
//!
//! * A summary is one short sentence.
//! * A description does not repeat what an argument's own text says: both are sent in the same list.
//! * An argument's text states its default and its bounds, since a model cannot look them up.
//! * What stands under SEE ALSO is there.

use std::collections::BTreeSet;

use super::Definition;
use super::schema::{Field, Kind};
use super::words::grouped;

/// Characters of a summary.
const SUMMARY: usize = 72;
/// Words in a row that two texts may not have in common.
const COMMON: usize = 5;

/// A text that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The tool.
    pub tool: String,
    /// What is wrong.
    pub what: String,
}

/// What is wrong with the texts of tools. `known` are the names that SEE ALSO may have beside the tools' own.
pub fn faults(tools: &[Definition], known: &[String]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let names: BTreeSet<String> = tools
        .iter()
        .map(|tool| tool.name().into_owned())
        .chain(known.iter().cloned())
        .collect();
    for tool in tools {
        let mut tell = |what: String| {
            faults.push(Fault {
                tool: tool.name().into_owned(),
                what,
            });
        };
        if !is_one_sentence(&tool.summary, SUMMARY) {
            tell(format!(
                "the summary is not one short sentence: {}",
                tool.summary
            ));
        }
        let mut arguments = Vec::new();
        flat("", &tool.arguments, &mut arguments);
        let own = runs(&tool.description);
        for (name, field) in arguments {
            if let Some(common) = own.intersection(&runs(&field.description)).next() {
                tell(format!("the description repeats `{name}`: {common}"));
            }
            for missing in unsaid(field) {
                tell(format!(
                    "`{name}` does not state {missing}: {}",
                    field.description
                ));
            }
        }
        for (other, why) in &tool.see_also {
            if !names.contains(&**other) || *other == tool.name() || why.is_empty() {
                tell(format!("`{other}` is no neighbour to see"));
            }
        }
    }
    faults
}

/// Whether a text is one sentence of at most so many characters: it ends in a full stop, and no other sentence begins in it.
pub fn is_one_sentence(text: &str, most: usize) -> bool {
    let inner = text.strip_suffix('.');
    inner.is_some_and(|inner| {
        !inner.is_empty() && [". ", "! ", "? "].iter().all(|end| !inner.contains(end))
    }) && text.chars().count() <= most
}

/// Every argument with its path, the members of objects included.
fn flat<'f>(path: &str, fields: &'f [Field], out: &mut Vec<(String, &'f Field)>) {
    for field in fields {
        let name = format!("{path}{}", field.name);
        if let Kind::Object(inner) = &field.kind {
            flat(&format!("{name}."), inner, out);
        }
        out.push((name, field));
    }
}

/// What an argument's text should state and does not.
fn unsaid(field: &Field) -> Vec<String> {
    let text = &field.description;
    let mut missing = Vec::new();
    if text.is_empty() {
        missing.push("what it means".to_owned());
    }
    if !field.required && !text.contains("default") {
        missing.push("its default".to_owned());
    }
    let mut say = |said: String| {
        if !text.contains(&said) {
            missing.push(format!("`{said}`"));
        }
    };
    match &field.kind {
        Kind::Integer { min, max, default } => {
            let min = Some(*min).filter(|min| *min > i64::MIN);
            for bound in [min, *max, *default].into_iter().flatten() {
                say(bound.to_string());
            }
        }
        Kind::Choice {
            default: Some(default),
            ..
        } => say((*default).to_owned()),
        Kind::Text { max_chars } if *max_chars < usize::MAX => say(grouped(*max_chars)),
        _ => {}
    }
    missing
}

/// The runs of words of a text.
fn runs(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(COMMON).map(|run| run.join(" ")).collect()
}
