//! A panic as one line: where it was, and for which request.
//!
//! The message of a panic may hold a caller's text ("byte index 4 of `…`"), so only messages that stand in the program are told.

use std::cell::RefCell;
use std::panic::{PanicHookInfo, set_hook};

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
    set_hook(Box::new(move |panic| write(&line(form, panic))));
}

fn line(form: Form, panic: &PanicHookInfo<'_>) -> Vec<u8> {
    let place = panic.location().map(ToString::to_string);
    let place = place.as_deref().unwrap_or("an unknown place");
    let message = panic.payload().downcast_ref::<&'static str>();
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
