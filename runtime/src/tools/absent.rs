//! Telling that something is not there: what is near, where the real ones are listed, and how to report a gap.
//!
//! These texts carry no `Error:` prefix: the call was well formed. Whatever the caller sent is cleaned before it is echoed.

use artifact::catalogue::shown;

use super::shelf::Shelf;

/// Words an answer about something that is not there.
///
/// `what` says it in a sentence without its full stop, `near` are up to three real names, `next` tells which tools list them.
pub fn absent(shelf: &Shelf, what: &str, near: &[String], next: &str) -> String {
    let mut text = format!("{what}.");
    if !near.is_empty() {
        text.push_str(" Did you mean ");
        text.push_str(&or(near));
        text.push('?');
    }
    text.push(' ');
    text.push_str(next);
    if shelf.feedback {
        text.push_str(" If it should be here, submit_feedback tells the author.");
    }
    text
}

/// `a`, `a or b`, `a, b or c`.
pub fn or(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
