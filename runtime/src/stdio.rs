//! The stdio adapter: one JSON message on each line, answers likewise.
//!
//! Blank lines are skipped, the end of the input ends the server, and nothing else is ever written to the output: a
//! client reads every byte of it as protocol. A line that is too long is dropped as it comes in, and answered with an
//! error.
//!
//! ```text
//! <- {"jsonrpc":"2.0","id":1,"method":"ping"}
//! -> {"jsonrpc":"2.0","id":1,"result":{}}
//! ```

use std::io;
use std::time::Instant;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};

use crate::feedback::{self, FeedbackStore};
use crate::mcp::{Caller, Endpoint, Era, Note, Step, Tools};
use crate::request_log::RequestLog;

/// Serves until the input ends, or the client stops reading.
///
/// # Errors
/// When the input cannot be read.
pub async fn serve<T: Tools>(
    endpoint: &Endpoint<T>,
    store: &dyn FeedbackStore,
    mut input: impl AsyncBufRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    log: &RequestLog,
) -> io::Result<()> {
    let mut line = Vec::new();
    // One client at a time is at the other end, and an older one says who it is in its first message only.
    let mut introduced = Caller::default();
    while read_line(&mut input, &mut line, endpoint.request_bytes()).await? {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut begun = log.begin(None);
        begun.read(line.len());
        let mut response = match endpoint.handle_line(&line) {
            Step::Done(response) => response,
            Step::Store(waiting) => {
                let (now, until) = (jiff::Timestamp::now(), Instant::now() + feedback::WRITE);
                waiting.settle(endpoint, store, now, until).await
            }
        };
        introduce(&mut introduced, &mut response.note);
        begun.done(&response.note, None, response.body.len());
        if response.body.is_empty() {
            continue;
        }
        let mut answer = response.body;
        // No string in JSON holds a raw line break, so one can only be space between two values.
        for byte in &mut answer {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        answer.push(b'\n');
        let written = match output.write_all(&answer).await {
            Ok(()) => output.flush().await,
            failed => failed,
        };
        if let Err(error) = written {
            return match error.kind() {
                io::ErrorKind::BrokenPipe => Ok(()),
                _ => Err(error),
            };
        }
    }
    Ok(())
}

/// Remembers who said who it is, and says it of later messages that do not.
fn introduce(introduced: &mut Caller, note: &mut Note) {
    if note.method == "initialize" {
        introduced.clone_from(&note.caller);
    } else if note.caller.era == Some(Era::Legacy) {
        let caller = &mut note.caller;
        caller.revision = caller.revision.or(introduced.revision);
        caller.client = caller.client.take().or_else(|| introduced.client.clone());
    }
}

/// Reads the next line without its end; `false` when there is none. Of a line longer than `limit`, one byte more than
/// that is kept, which is how the endpoint sees that it is too long.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    limit: usize,
) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = input.fill_buf().await?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        let room = (limit + 1).saturating_sub(line.len());
        line.extend_from_slice(&piece[..piece.len().min(room)]);
        let used = piece.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::NoStore;
    use crate::mcp::{Policy, example::NoTools};

    fn run(input: &[u8]) -> String {
        let endpoint = Endpoint::new(NoTools::default(), Policy::local());
        let mut output = Vec::new();
        tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime")
            .block_on(serve(
                &endpoint,
                &NoStore,
                input,
                &mut output,
                &RequestLog::off(),
            ))
            .expect("memory does not fail");
        String::from_utf8(output).expect("JSON is text")
    }

    #[test]
    fn one_answer_on_each_line() {
        let input = b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n  \n\
            {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\
            {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}";
        let expected = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n";
        assert_eq!(run(input), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_an_error_and_the_next_one_is_served() {
        let mut input = vec![b'['; 64 * 1024 + 5000];
        input.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        let output = run(&input);
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].contains("\"code\":-32700"), "{}", lines[0]);
        assert_eq!(lines[1], r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    }
}
