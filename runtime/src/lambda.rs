//! The AWS Lambda adapter: events to [`Endpoint`] and back.
//!
//! An HTTP API (payload format 2.0) and a Function URL send the same event; those of a REST API and a load balancer are near enough to be read by the same few
//! fields. Everything about the protocol is the endpoint's; this module only finds the method, the path, the headers and the
//! body, decodes the body once when the event says that it is base64, and tells the [request log](crate::request_log) how it went, with the name that
//! AWS gives the request.
//!
//! **Of `lambda_http` this takes the runtime and not the conversion of events.** The conversion panics on a body that is not the base64 it
//! claims to be, and on a path that is no URI. We build with `panic = "abort"`, so each of those would end the process, and the next caller
//! would pay a cold start. The fields that we need are few, and reading them cannot fail.
//!
//! ```
//! use runtime::feedback::NoStore;
//! use runtime::lambda::{Event, answer};
//! use runtime::mcp::{Endpoint, Policy, example::NoTools};
//!
//! let endpoint = Endpoint::new(NoTools::default(), Policy::deployed("https://example.com"));
//! let event: Event = serde_json::from_str(
//!     r#"{
//!         "version": "2.0",
//!         "rawPath": "/mcp",
//!         "headers": { "Content-Type": "application/json" },
//!         "requestContext": { "http": { "method": "POST" } },
//!         "body": "eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsIm1ldGhvZCI6InBpbmcifQ==",
//!         "isBase64Encoded": true
//!     }"#,
//! )
//! .expect("an event");
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
//! # runtime.block_on(async {
//! let answer = answer(&endpoint, &NoStore, &event, jiff::Timestamp::now).await;
//! assert_eq!(answer.status_code, 200);
//! assert_eq!(answer.body, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
//! # });
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use lambda_http::lambda_runtime::{LambdaEvent, service_fn};
use serde::{Deserialize, Serialize};

use crate::feedback::{self, FeedbackStore};
use crate::mcp::{self, Endpoint, Response, Step, Tools};
use crate::request_log::{Begun, RequestLog};

/// Time that is left for sending an answer when a write has failed at the last moment.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What we read of an event. Every part may be missing: a warm-up or a hand-made test event is answered like any request that
/// is not for us.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Event {
    raw_path: Option<String>,
    request_context: Option<RequestContext>,
    headers: Option<BTreeMap<String, Option<String>>>,
    // A REST API repeats the headers here, each with all its values; a load balancer may send these alone.
    multi_value_headers: Option<BTreeMap<String, Option<Vec<Option<String>>>>>,
    body: Option<String>,
    is_base64_encoded: Option<bool>,
    // A REST API's names (payload format 1.0).
    path: Option<String>,
    http_method: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct RequestContext {
    http: Option<Http>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Http {
    method: Option<String>,
    path: Option<String>,
}

/// What the front door turns into an HTTP response. Our bodies are JSON or one sentence of text, so none is base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// HTTP status.
    pub status_code: u16,
    /// Header names, in lower case, and their values.
    pub headers: BTreeMap<&'static str, Cow<'static, str>>,
    /// The same for a load balancer that sent its headers in lists: it reads no others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multi_value_headers: Option<BTreeMap<&'static str, [Cow<'static, str>; 1]>>,
    /// The body.
    pub body: String,
    /// Whether `body` is base64.
    pub is_base64_encoded: bool,
}

/// Serves events until the environment is shut down.
///
/// # Errors
/// When the Lambda runtime API cannot be reached.
pub async fn serve<T: Tools + 'static>(
    endpoint: Endpoint<T>,
    store: Arc<dyn FeedbackStore>,
    log: RequestLog,
) -> Result<(), lambda_http::Error> {
    let (endpoint, log) = (Arc::new(endpoint), Arc::new(log));
    lambda_http::lambda_runtime::run(service_fn(move |event: LambdaEvent<Event>| {
        let (endpoint, store, log) = (Arc::clone(&endpoint), Arc::clone(&store), Arc::clone(&log));
        async move {
            let LambdaEvent { payload, context } = event;
            let begun = log.begin(Some(&context.request_id));
            let until = until(context.deadline(), SystemTime::now(), Instant::now());
            let answer =
                answer_until(&endpoint, &*store, &payload, Timestamp::now, until, begun).await;
            Ok::<_, lambda_http::Error>(answer)
        }
    }))
    .await
}

/// Answers one event. `now` is asked only when something is written.
pub async fn answer<T: Tools>(
    endpoint: &Endpoint<T>,
    store: &dyn FeedbackStore,
    event: &Event,
    now: impl FnOnce() -> Timestamp,
) -> Answer {
    answer_until(
        endpoint,
        store,
        event,
        now,
        Instant::now() + feedback::WRITE,
        RequestLog::off().begin(None),
    )
    .await
}

/// When a write has to be answered: half a second before the function's time is up, so that the caller hears from us and not from a
/// killed function, and never later than a write may take.
fn until(deadline: SystemTime, now: SystemTime, instant: Instant) -> Instant {
    let left = deadline.duration_since(now).unwrap_or_default();
    instant + left.saturating_sub(LAST_WORDS).min(feedback::WRITE)
}

/// The same for a request that has begun, with a write answered by `until`.
pub async fn answer_until<T: Tools>(
    endpoint: &Endpoint<T>,
    store: &dyn FeedbackStore,
    event: &Event,
    now: impl FnOnce() -> Timestamp,
    until: Instant,
    mut begun: Begun<'_>,
) -> Answer {
    let response = match step(endpoint, event, &mut begun) {
        Step::Done(response) => response,
        Step::Store(waiting) => waiting.settle(endpoint, store, now(), until).await,
    };
    begun.done(&response.note, Some(response.status), response.body.len());
    Answer {
        multi_value_headers: event.has_lists_alone().then(|| {
            response
                .headers
                .iter()
                .map(|(name, value)| (*name, [value.clone()]))
                .collect()
        }),
        ..Answer::from(response)
    }
}

fn step<T: Tools>(endpoint: &Endpoint<T>, event: &Event, begun: &mut Begun<'_>) -> Step {
    let (method, headers) = (event.method(), event.headers());
    if let Some(response) = endpoint.elsewhere(method, event.path(), &headers, begun.uptime()) {
        return Step::Done(response);
    }
    match event.body() {
        Ok(body) => {
            begun.read(body.len());
            endpoint.handle(&mcp::Request {
                method,
                headers: &headers,
                body: &body,
            })
        }
        // What the head alone decides comes first: a stranger is told 403, not what is wrong with the body.
        Err(_) => Step::Done(
            endpoint
                .refuse(method, &headers)
                .unwrap_or_else(|| endpoint.unreadable()),
        ),
    }
}

impl Event {
    fn http(&self) -> Option<&Http> {
        self.request_context.as_ref()?.http.as_ref()
    }

    /// The path, as the front door gives it: some put the stage in front. Empty when there is none.
    pub fn path(&self) -> &str {
        let in_context = || self.http()?.path.as_deref();
        self.raw_path
            .as_deref()
            .or_else(in_context)
            .or(self.path.as_deref())
            .unwrap_or("")
    }

    /// The HTTP method. Empty when there is none: it is not HTTP, and the endpoint answers that it takes POST.
    pub fn method(&self) -> &str {
        self.http()
            .and_then(|http| http.method.as_deref())
            .or(self.http_method.as_deref())
            .unwrap_or("")
    }

    /// The headers, whatever the case of their names. What cannot be a header is left out, as HTTP servers do.
    pub fn headers(&self) -> HeaderMap {
        let mut map = HeaderMap::new();
        let lists = self.multi_value_headers.iter().flatten();
        let lists = lists
            .flat_map(|(name, values)| values.iter().flatten().map(move |value| (name, value)));
        let single = self.headers.iter().flatten();
        // Where a header came twice, the other map has one of its values only.
        let single = single.filter(|(name, _)| !self.is_listed(name));
        for (name, value) in lists.chain(single) {
            let Some(value) = value else { continue };
            if let (Ok(name), Ok(value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_str(value),
            ) {
                map.append(name, value);
            }
        }
        map
    }

    /// Whether a header is among those with lists of values.
    fn is_listed(&self, name: &str) -> bool {
        let mut lists = self.multi_value_headers.iter().flatten();
        lists.any(|(listed, values)| values.is_some() && listed.eq_ignore_ascii_case(name))
    }

    /// Whether it came from a load balancer that sends and wants lists of values.
    fn has_lists_alone(&self) -> bool {
        self.multi_value_headers.is_some() && self.headers.is_none()
    }

    /// The body, decoded.
    ///
    /// # Errors
    /// When it is said to be base64 and is not.
    pub fn body(&self) -> Result<Cow<'_, [u8]>, base64::DecodeError> {
        let body = self.body.as_deref().unwrap_or("");
        match self.is_base64_encoded {
            Some(true) => BASE64_STANDARD.decode(body).map(Cow::Owned),
            _ => Ok(Cow::Borrowed(body.as_bytes())),
        }
    }
}

impl From<Response> for Answer {
    fn from(response: Response) -> Answer {
        let (body, is_base64_encoded) = match String::from_utf8(response.body) {
            Ok(text) => (text, false),
            Err(bytes) => (BASE64_STANDARD.encode(bytes.as_bytes()), true),
        };
        Answer {
            status_code: response.status,
            headers: response.headers.into_iter().collect(),
            multi_value_headers: None,
            body,
            is_base64_encoded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_answered_before_the_functions_time_is_up() {
        let (now, instant) = (SystemTime::UNIX_EPOCH, Instant::now());
        for (milliseconds, expected) in [(10_000, 6_000), (3_000, 2_500), (400, 0), (0, 0)] {
            let deadline = now + Duration::from_millis(milliseconds);
            let time = until(deadline, now, instant) - instant;
            assert_eq!(time.as_millis(), expected, "{milliseconds} ms");
        }
        assert_eq!(until(now, now + Duration::from_secs(1), instant), instant);
    }
}
