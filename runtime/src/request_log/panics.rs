//! A panic as one line: where it was, and for which request.
//!
//! The message of a panic may hold a caller's text ("byte index 4 of `…`"), so only messages that stand in the program are told.

use std::any::Any;
use std::cell::RefCell;
use std::panic::set_hook;

use jiff::Timestamp;

use super::Form;
use super::line::{close, open, text};

thread_local! {
    /// The request that this thread serves, where its platform names requests.
    static SERVING: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(super) fn serving(id: Option<&str>) {
    let Some(id) = id else { return };
    SERVING.with_borrow_mut(|serving| {
        serving.clear();
        serving.push_str(id);
    });
}

/// From now on a panic is one line, given to `write`, in place of Rust's own message.
pub fn report_panics(form: Form, write: impl Fn(&[u8]) + Send + Sync + 'static) {
    set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        write(&line(form, place.as_deref(), panic.payload()));
    }));
}

/// The line of a panic at `place` with `payload`, of which a text is told that stands in the program, and no other.
fn line(form: Form, place: Option<&str>, payload: &dyn Any) -> Vec<u8> {
    let place = place.unwrap_or("an unknown place");
    let message = payload.downcast_ref::<&'static str>();
    if form != Form::Json {
        let message = message.map_or(String::new(), |message| format!(": {message}"));
        return format!("error: the server panicked at {place}{message}\n").into_bytes();
    }
    let mut out = Vec::new();
    open(&mut out, Timestamp::now(), "ERROR", "panic");
    SERVING.with(|serving| {
        if let Ok(id) = serving.try_borrow()
            && !id.is_empty()
        {
            text(&mut out, "requestId", &id);
        }
    });
    text(&mut out, "location", place);
    if let Some(message) = message {
        text(&mut out, "error", message);
    }
    close(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(place: Option<&str>, payload: &dyn Any) -> serde_json::Value {
        let line = line(Form::Json, place, payload);
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        serde_json::from_slice(&line).expect("JSON")
    }

    #[test]
    fn a_panic_tells_where_it_was_and_for_which_request() {
        serving(Some("8476a536-e9f4-11e8-9739-2dfe598c3fcd"));
        let told = json(Some("runtime/src/lib.rs:3:5"), &"an index out of order");
        assert_eq!(told["level"], "ERROR");
        assert_eq!(told["message"], "panic");
        assert_eq!(told["requestId"], "8476a536-e9f4-11e8-9739-2dfe598c3fcd");
        assert_eq!(told["location"], "runtime/src/lib.rs:3:5");
        assert_eq!(told["error"], "an index out of order");
        let told = json(None, &0);
        assert_eq!(told["location"], "an unknown place");
    }

    #[test]
    fn a_panic_told_what_a_caller_had_said() {
        let said = format!("byte index 4 of `{}`", "canary");
        for form in [Form::Json, Form::Pretty] {
            let line = String::from_utf8(line(form, Some("a.rs:1:1"), &said)).expect("a text");
            assert!(!line.contains("canary"), "{line}");
            assert!(line.contains("a.rs:1:1"), "{line}");
        }
        let line = line(Form::Pretty, Some("a.rs:1:1"), &"of the program");
        assert_eq!(
            line,
            b"error: the server panicked at a.rs:1:1: of the program\n"
        );
    }
}
