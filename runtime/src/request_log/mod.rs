//! The request log: one line for each request, and counters of all of them.
//!
//! An adapter [begins](RequestLog::begin) a request when it comes in, and says what was answered when it goes out. That becomes one line of JSON, for
//! machines and CloudWatch, or a shorter one for a person:
//!
//! ```text
//! {"timestamp":"2026-12-01T08:30:00.123Z","level":"INFO","message":"request","method":"tools/call","tool":"search_content","era":"modern",
//!  "protocol":"2026-07-28","client":"claude-code","clientVersion":"2.1","outcome":"ok","status":200,"micros":412,"requestBytes":215,"answerBytes":3021}
//!
//! 08:30:00  tools/call search_content     ok                 412 µs     215 B in    3021 B out  2026-07-28  claude-code 2.1
//! ```
//!
//! **What a line never holds**: arguments, messages, tokens, headers, paths, addresses of callers. The one text of a caller's in it is the name and the version
//! that a client gives itself; they are cleaned, and cut when they are long. Words that a search did not find are told as a hash with the owner's [`Salt`], and only
//! when there is one.
//!
//! A request that ends without an answer has a line as well: its outcome is `aborted`. [`report_panics`] makes a panic one line.

mod counters;
mod line;
mod panics;
mod zero;

use std::fmt;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::mcp::{Note, Outcome};
use counters::Counters;
use line::Line;

pub use panics::report_panics;
pub use zero::{Salt, SaltTooShort};

/// How lines are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// Not at all, and nothing is counted.
    #[default]
    Off,
    /// As JSON.
    Json,
    /// For a person.
    Pretty,
}

/// The log of one server.
pub struct RequestLog {
    form: Form,
    began: Instant,
    salt: Option<Salt>,
    state: Mutex<State>,
}

struct State {
    counters: Counters,
    /// Kept from line to line.
    buffer: Vec<u8>,
    out: Box<dyn Write + Send>,
}

impl fmt::Debug for RequestLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestLog")
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

impl RequestLog {
    /// A log that writes nothing.
    pub fn off() -> RequestLog {
        RequestLog::new(Form::Off, std::io::sink())
    }

    /// A log that writes each line to `out` at once, in one piece.
    pub fn new(form: Form, out: impl Write + Send + 'static) -> RequestLog {
        RequestLog {
            form,
            began: Instant::now(),
            salt: None,
            state: Mutex::new(State {
                counters: Counters::default(),
                buffer: Vec::new(),
                out: Box::new(out),
            }),
        }
    }

    /// Tells what searches did not find as a hash with this salt.
    pub fn with_salt(mut self, salt: Option<Salt>) -> RequestLog {
        self.salt = salt;
        self
    }

    /// How long the server has been there.
    pub fn uptime(&self) -> Duration {
        self.began.elapsed()
    }

    /// A request came in. `id` is what its platform calls it.
    pub fn begin<'l>(&'l self, id: Option<&'l str>) -> Begun<'l> {
        panics::serving(id);
        Begun {
            log: self,
            id,
            start: Instant::now(),
            request_bytes: 0,
            is_done: false,
        }
    }

    /// Writes the counters of all requests. Called when the server stops.
    pub fn finish(&self) {
        let uptime = self.uptime();
        self.write(|counters, line| match self.form {
            Form::Off => {}
            Form::Json => counters.write_json(line, Timestamp::now(), uptime),
            Form::Pretty => counters.write_pretty(line, uptime),
        });
    }

    fn record(&self, request: &Line<'_>) {
        self.write(|counters, line| {
            counters.add(request);
            match self.form {
                Form::Off => {}
                Form::Json => request.write_json(line, Timestamp::now()),
                Form::Pretty => request.write_pretty(line, Timestamp::now()),
            }
        });
    }

    /// Writes what `make` makes. A log that cannot be written is no reason to fail a request.
    fn write(&self, make: impl FnOnce(&mut Counters, &mut Vec<u8>)) {
        let mut state = self.state();
        let State {
            counters,
            buffer,
            out,
        } = &mut *state;
        buffer.clear();
        make(counters, buffer);
        let _ = out.write_all(buffer).and_then(|()| out.flush());
    }

    /// Nothing in it can be left half done by a panic: it is numbers, and a buffer that is cleared first.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request on its way. Dropped without [`done`](Begun::done), it was aborted.
#[derive(Debug)]
pub struct Begun<'l> {
    log: &'l RequestLog,
    id: Option<&'l str>,
    start: Instant,
    request_bytes: usize,
    is_done: bool,
}

impl Begun<'_> {
    /// Its body has so many bytes.
    pub fn read(&mut self, bytes: usize) {
        self.request_bytes = bytes;
    }

    /// How long the server has been there.
    pub fn uptime(&self) -> Duration {
        self.log.uptime()
    }

    /// It was answered. `status` is none where there is no HTTP.
    pub fn done(mut self, note: &Note, status: Option<u16>, answer_bytes: usize) {
        self.write(note, status, answer_bytes);
    }

    fn write(&mut self, note: &Note, status: Option<u16>, answer_bytes: usize) {
        self.is_done = true;
        if self.log.form == Form::Off {
            return;
        }
        let salt = self.log.salt.as_ref();
        let missed = note.missed.as_ref();
        self.log.record(&Line {
            id: self.id,
            note,
            hash: salt.and_then(|salt| Some(salt.hash(missed?.text()))),
            status,
            micros: self.start.elapsed().as_micros() as u64,
            request_bytes: self.request_bytes,
            answer_bytes,
        });
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.write(&Note::new("-", Outcome::Aborted), None, 0);
        }
    }
}
