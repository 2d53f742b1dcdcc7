//! The log of the deployed function: a line for each event, as JSON or as text.
//!
//! What the usual subscriber can do beside this (filters by module, colours, layers) is a hundredth of the program that a cold start reads.
//!
//! ```text
//! {"level":"ERROR","message":"the artifact could not be read","requestId":"6f1d3a52-…","error":"section pages"}
//! ERROR the artifact could not be read requestId=6f1d3a52-… error=section pages
//! ```
//!
//! The fields of the spans that an event happens in follow its message, the outermost first: of those that `lambda_runtime` opens for each
//! call, `requestId` is the one to search for. Lambda puts the time beside every line.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The form of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One JSON object.
    Json,
    /// `LEVEL message name=value …`
    Text,
}

/// Writes every event of a level that is wanted to standard output.
#[derive(Debug)]
pub struct Lines {
    form: Form,
    most: LevelFilter,
    spans: Mutex<Spans>,
}

/// The spans that are open, and which of them are entered.
#[derive(Debug, Default)]
struct Spans {
    open: Vec<Option<Span>>,
    entered: Vec<u64>,
}

#[derive(Debug)]
struct Span {
    fields: String,
    holders: usize,
}

impl Lines {
    /// Lines of this form for events up to this level.
    pub fn new(form: Form, most: LevelFilter) -> Lines {
        Lines {
            form,
            most,
            spans: Mutex::default(),
        }
    }

    /// Makes this the log of the whole program, unless there is one.
    pub fn start(self) {
        tracing::subscriber::set_global_default(self).ok();
    }

    /// The line of an event, with its end.
    fn line(&self, event: &Event<'_>) -> String {
        let mut own = Fields::new(self.form);
        event.record(&mut own);
        let level = event.metadata().level();
        let message = own.message.unwrap_or_default();
        let mut line = match self.form {
            Form::Json => {
                format!(
                    r#"{{"level":"{level}","message":{}"#,
                    serde_json::Value::from(message)
                )
            }
            Form::Text => format!("{level} {}", message.replace('\n', "\\n")),
        };
        line.push_str(&self.with_spans(|spans| spans.fields()));
        line.push_str(&own.written);
        line.push_str(match self.form {
            Form::Json => "}\n",
            Form::Text => "\n",
        });
        line
    }

    fn with_spans<T>(&self, with: impl FnOnce(&mut Spans) -> T) -> T {
        with(&mut self.spans.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Spans {
    fn get(&mut self, id: u64) -> Option<&mut Span> {
        self.open.get_mut(place(id)?)?.as_mut()
    }

    /// The fields of the spans that are entered, the outermost first.
    fn fields(&self) -> String {
        let entered = self.entered.iter().filter_map(|id| place(*id));
        let spans = entered.filter_map(|place| self.open.get(place)?.as_ref());
        spans.map(|span| span.fields.as_str()).collect()
    }

    fn add(&mut self, span: Span) -> u64 {
        let free = self.open.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| {
            self.open.push(None);
            self.open.len() - 1
        });
        self.open[place] = Some(span);
        place as u64 + 1
    }

    /// One holder less. Whether it was the last.
    fn leave(&mut self, id: u64) -> bool {
        let Some(span) = self.get(id) else {
            return false;
        };
        span.holders = span.holders.saturating_sub(1);
        let last = span.holders == 0;
        if last {
            self.open[id as usize - 1] = None;
        }
        last
    }
}

/// Where the span of a number is: numbers are places, counted from one.
fn place(id: u64) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1)
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.most
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.most)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new(self.form);
        span.record(&mut fields);
        let fields = fields.written;
        Id::from_u64(self.with_spans(|spans| spans.add(Span { fields, holders: 1 })))
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut fields = Fields::new(self.form);
        values.record(&mut fields);
        self.with_spans(|spans| {
            if let Some(span) = spans.get(span.into_u64()) {
                span.fields.push_str(&fields.written);
            }
        });
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        // A log that cannot be written has nowhere to say so.
        std::io::stdout()
            .write_all(self.line(event).as_bytes())
            .ok();
    }

    fn enter(&self, span: &Id) {
        self.with_spans(|spans| spans.entered.push(span.into_u64()));
    }

    fn exit(&self, span: &Id) {
        self.with_spans(|spans| {
            let last = spans.entered.iter().rposition(|id| *id == span.into_u64());
            if let Some(last) = last {
                spans.entered.remove(last);
            }
        });
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.with_spans(|spans| {
            if let Some(span) = spans.get(id.into_u64()) {
                span.holders += 1;
            }
        });
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        self.with_spans(|spans| spans.leave(id.into_u64()))
    }
}

/// The fields of an event or span, written as they stand in a line; the message apart.
struct Fields {
    form: Form,
    message: Option<String>,
    written: String,
}

impl Fields {
    fn new(form: Form) -> Fields {
        Fields {
            form,
            message: None,
            written: String::new(),
        }
    }

    /// `plain`: a number or a truth, which JSON has as it is.
    fn add(&mut self, field: &Field, value: String, plain: bool) {
        match (field.name(), self.form) {
            ("message", _) => self.message = Some(value),
            (name, Form::Json) if plain => _ = write!(self.written, r#","{name}":{value}"#),
            (name, Form::Json) => {
                _ = write!(
                    self.written,
                    r#","{name}":{}"#,
                    serde_json::Value::from(value)
                );
            }
            (name, Form::Text) => {
                _ = write!(self.written, " {name}={}", value.replace('\n', "\\n"));
            }
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format!("{value:?}"), false);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value.to_owned(), false);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.to_string(), true);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.to_string(), true);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.to_string(), true);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Keeps the lines instead of writing them.
    struct Kept(Lines, Arc<Mutex<String>>);

    impl Subscriber for Kept {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            self.0.enabled(metadata)
        }
        fn new_span(&self, span: &Attributes<'_>) -> Id {
            self.0.new_span(span)
        }
        fn record(&self, span: &Id, values: &Record<'_>) {
            self.0.record(span, values);
        }
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            self.1.lock().expect("a lock").push_str(&self.0.line(event));
        }
        fn enter(&self, span: &Id) {
            self.0.enter(span);
        }
        fn exit(&self, span: &Id) {
            self.0.exit(span);
        }
        fn clone_span(&self, id: &Id) -> Id {
            self.0.clone_span(id)
        }
        fn try_close(&self, id: Id) -> bool {
            self.0.try_close(id)
        }
    }

    fn check(form: Form, expected: &str) {
        let lines = Arc::new(Mutex::new(String::new()));
        let log = Kept(Lines::new(form, LevelFilter::INFO), Arc::clone(&lines));
        tracing::subscriber::with_default(log, || {
            let call = tracing::info_span!("call", requestId = "a-1", more = tracing::field::Empty);
            call.in_scope(|| tracing::info!(status = 200u16, tool = "man", ok = true, "request"));
            call.record("more", -1);
            let again = call.clone();
            drop(call);
            again.in_scope(|| tracing::error!(error = %"one\n\"two\"", "it failed"));
            drop(again);
            tracing::warn!(none = None::<&str>, "outside");
            tracing::debug!("not wanted");
        });
        assert_eq!(lines.lock().expect("a lock").as_str(), expected);
    }

    #[test]
    fn json_lines_have_the_fields_of_their_spans() {
        check(
            Form::Json,
            r#"{"level":"INFO","message":"request","requestId":"a-1","status":200,"tool":"man","ok":true}
{"level":"ERROR","message":"it failed","requestId":"a-1","more":-1,"error":"one\n\"two\""}
{"level":"WARN","message":"outside"}
"#,
        );
    }

    #[test]
    fn lines_of_text_are_single_lines() {
        check(
            Form::Text,
            r#"INFO request requestId=a-1 status=200 tool=man ok=true
ERROR it failed requestId=a-1 more=-1 error=one\n"two"
WARN outside
"#,
        );
    }

    #[test]
    fn the_place_of_a_closed_span_is_used_again() {
        let lines = Lines::new(Form::Json, LevelFilter::INFO);
        let span = || Span {
            fields: String::new(),
            holders: 1,
        };
        let ids = lines.with_spans(|spans| {
            let first = spans.add(span());
            let second = spans.add(span());
            assert!(spans.leave(first) && !spans.leave(first));
            [first, second, spans.add(span())]
        });
        assert_eq!(ids, [1, 2, 1]);
    }
}
