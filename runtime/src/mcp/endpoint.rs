//! The one function that every adapter calls.

use std::time::Duration;

use http::HeaderMap;
use serde_json::value::RawValue;

use super::access::{Denial, Grant, METADATA_PATH};
use super::body;
use super::call::Served;
use super::cors;
use super::envelope::{self, Message, Params};
use super::era::{self, BATCHES, Era, MODERN};
use super::headers::{Said, said};
use super::health;
use super::legacy;
use super::modern;
use super::origin::{Policy, Stranger};
use super::prepared::Prepared;
use super::reply::{Fault, INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR};
use super::response::{Caller, Note, Outcome, Response};
use super::tools::Tools;
use super::waiting::{Part, Waiting};

/// Most messages in one batch. Clients that send batches at all send a handful.
const BATCH_MESSAGES: usize = 32;

/// Once the answers of a batch come to this many bytes, the rest of it is not served: Lambda's response may hold 6 MB,
/// and escaping can more than double what is put into it.
const BATCH_ANSWER_BYTES: usize = 2 * 1024 * 1024;

/// What an adapter received.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// HTTP method.
    pub method: &'a str,
    /// Headers.
    pub headers: &'a HeaderMap,
    /// The body as it came, compressed or not.
    pub body: &'a [u8],
}

/// What a request came to.
#[derive(Debug)]
pub enum Step {
    /// The response.
    Done(Response),
    /// A write stands between here and the response: see [`Waiting::settle`].
    Store(Waiting),
}

/// A set of tools behind one address.
#[derive(Debug)]
pub struct Endpoint<T: Tools> {
    public: View<T>,
    full: Option<View<T>>,
    policy: Policy,
}

/// What one kind of caller is served: tools, and the answers that follow from them.
#[derive(Debug)]
pub(super) struct View<T: Tools> {
    pub(super) tools: T,
    pub(super) prepared: Prepared,
}

impl<T: Tools> Endpoint<T> {
    /// Prepares the answers that do not depend on a request.
    pub fn new(tools: T, policy: Policy) -> Endpoint<T> {
        Endpoint {
            public: View::new(tools, &policy),
            full: None,
            policy,
        }
    }

    /// Serves these tools to requests with a known token. Without it they are served what everybody is.
    pub fn with_full(mut self, tools: T) -> Endpoint<T> {
        self.full = Some(View::new(tools, &self.policy));
        self
    }

    pub(super) fn view(&self, grant: Grant) -> &View<T> {
        match (grant, &self.full) {
            (Grant::Full, Some(full)) => full,
            _ => &self.public,
        }
    }

    /// The tools that everybody is served.
    pub fn tools(&self) -> &T {
        &self.public.tools
    }

    /// Who may ask.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Longest body that is worth reading.
    pub fn request_bytes(&self) -> usize {
        self.policy.request_bytes
    }

    /// Answers one HTTP request to a path that [`serves`](super::serves).
    pub fn handle(&self, request: &Request<'_>) -> Step {
        let Request {
            method,
            headers,
            body,
        } = *request;
        let plain = self.check(method, headers).and_then(|(grant, encoding)| {
            let plain = body::read(encoding, body, self.policy.request_bytes)
                .map_err(|fault| Box::new(fault.into_response(None, "-")))?;
            Ok((grant, plain))
        });
        match plain {
            Ok((grant, plain)) => self.answer(&plain, Some(headers), grant),
            Err(response) => Step::Done(finish(*response)),
        }
    }

    /// Answers at once what needs no body, so that an adapter does not wait for one: preflights, refusals, and methods
    /// other than POST. `None`: read the body, then call [`handle`](Endpoint::handle), which checks the same again.
    pub fn refuse(&self, method: &str, headers: &HeaderMap) -> Option<Response> {
        let refusal = self.check(method, headers).err();
        refusal.map(|response| finish(*response))
    }

    /// The response when a body turned out longer than [`request_bytes`](Endpoint::request_bytes).
    pub fn too_large(&self) -> Response {
        finish(body::too_large(self.policy.request_bytes).into_response(None, "-"))
    }

    /// The response when a body could not be read for a reason of the adapter's, such as broken base64.
    pub fn unreadable(&self) -> Response {
        finish(Fault::new(400, PARSE_ERROR, "the body could not be read").into_response(None, "-"))
    }

    /// Answers what is asked at a path that is not [the endpoint's](super::serves): protected resource metadata (RFC 9728), where there is
    /// an authorization server, [health](super::Health), the server card, where the settings name the endpoint, and nothing else. `None`: the path is the endpoint's. `uptime` is how long the server has been there.
    pub fn elsewhere(
        &self,
        method: &str,
        path: &str,
        headers: &HeaderMap,
        uptime: Duration,
    ) -> Option<Response> {
        let Some((_, resource)) = path.split_once(METADATA_PATH) else {
            if health::is_health(path) {
                return Some(self.document(method, headers, || self.health(headers, uptime)));
            }
            let of_endpoint = path.strip_suffix("/server-card");
            let card = self.public.tools.card();
            if let (true, Some(card)) = (of_endpoint.is_some_and(super::serves), card) {
                return Some(self.document(method, headers, || self.card(headers, card)));
            }
            return (!super::serves(path)).then(|| self.not_found());
        };
        let resource = match resource {
            "" | "/" => "/mcp",
            path if super::serves(path) => path,
            _ => return Some(self.not_found()),
        };
        let Some(body) = self.policy.access.metadata(headers, resource) else {
            return Some(self.not_found());
        };
        let note = Note::new("metadata", Outcome::Answered);
        Some(self.document(method, headers, || Response::json(200, body, note)))
    }

    /// Answers what is asked of a document.
    fn document(
        &self,
        method: &str,
        headers: &HeaderMap,
        read: impl FnOnce() -> Response,
    ) -> Response {
        finish(match method {
            "OPTIONS" => cors::preflight(),
            _ if self.policy.admits(headers).is_err() => self.not_found(),
            "GET" | "HEAD" => read(),
            _ => {
                let mut response = Response::text(405, "This is a document: GET reads it.\n");
                response.set("allow", "GET, HEAD, OPTIONS");
                response
            }
        })
    }

    /// Where every request needs a token, what is served is nobody else's business.
    fn card(&self, headers: &HeaderMap, card: &[u8]) -> Response {
        if self.policy.access.grant(headers).is_err() {
            return self.not_found();
        }
        let note = Note::new("card", Outcome::Answered);
        let mut response = Response::document("application/mcp-server-card+json", card, note);
        response.set("cache-control", "public, max-age=3600");
        response
    }

    /// Where every request needs a token, a request without one is told no more than that the server is there.
    fn health(&self, headers: &HeaderMap, uptime: Duration) -> Response {
        let is_open = self.policy.access.grant(headers).is_ok();
        health::answer(&self.public.tools.health(), is_open, uptime)
    }

    /// The response for a path that this endpoint does not serve.
    pub fn not_found(&self) -> Response {
        let body = br#"{"error":"nothing is served at this path; the MCP endpoint is at /mcp"}"#;
        let note = Note::new("-", Outcome::Refused);
        finish(Response::json(404, body.to_vec(), note))
    }

    /// Answers one line of stdio: the same messages without headers. An empty body is not written.
    pub fn handle_line(&self, line: &[u8]) -> Step {
        if line.len() > self.policy.request_bytes {
            let message = format!(
                "the line is too long: at most {} bytes are read",
                self.policy.request_bytes
            );
            let fault = Fault::new(413, PARSE_ERROR, message);
            return Step::Done(fault.into_response(None, "-"));
        }
        self.answer(line, None, Grant::Public)
    }

    fn check(
        &self,
        method: &str,
        headers: &HeaderMap,
    ) -> Result<(Grant, body::Encoding), Box<Response>> {
        if method == "OPTIONS" {
            return Err(Box::new(cors::preflight()));
        }
        self.policy
            .admits(headers)
            .map_err(|stranger| Box::new(stranger.refusal().into_response(None, "-")))?;
        let access = &self.policy.access;
        let grant = access.grant(headers).map_err(|denial| {
            let mut response = denial.refusal().into_response(None, "-");
            response.set("www-authenticate", access.challenge(denial, headers));
            Box::new(response)
        })?;
        if method != "POST" {
            let mut response = Response::text(
                405,
                "This is an MCP endpoint: point an MCP client at this address. It answers POST only.\n",
            );
            response.set("allow", cors::METHODS);
            return Err(Box::new(response));
        }
        let encoding =
            body::check_type(headers).map_err(|fault| Box::new(fault.into_response(None, "-")))?;
        Ok((grant, encoding))
    }

    fn answer(&self, body: &[u8], headers: Option<&HeaderMap>, grant: Grant) -> Step {
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let Ok(text) = std::str::from_utf8(body) else {
            let fault = Fault::new(400, PARSE_ERROR, "the body is not UTF-8");
            return Step::Done(finish(fault.into_response(None, "-")));
        };
        let version = headers.map_or(Said::Nothing, |headers| {
            said(headers, "mcp-protocol-version")
        });
        if text.trim_start().starts_with('[') {
            return match self.batch(text, version, grant) {
                Ok(step) => step,
                Err(fault) => Step::Done(finish(fault.into_response(None, "batch"))),
            };
        }
        match self.message(text, headers, version, grant, false) {
            None => {
                let note = Note::new("notification", Outcome::Accepted);
                Step::Done(finish(Response::json(202, Vec::new(), note)))
            }
            Some(Served::Done(response)) => Step::Done(finish(response)),
            Some(Served::Store(pending)) => Step::Store(Waiting::one(pending, grant)),
        }
    }

    /// Serves one message; `None` when it wants no answer.
    fn message(
        &self,
        text: &str,
        headers: Option<&HeaderMap>,
        version: Said<'_>,
        grant: Grant,
        in_batch: bool,
    ) -> Option<Served> {
        let (id, method, params) = match envelope::read(text) {
            Ok(Message::Notification | Message::Response) => return None,
            Ok(Message::Request { id, method, params }) => (id, method, params),
            Err(unreadable) => {
                let response = unreadable.fault.into_response(unreadable.id, "-");
                return Some(Served::Done(response));
            }
        };
        let View { tools, prepared } = self.view(grant);
        let mut caller = Caller::default();
        let served = Params::read(params)
            .map_err(|fault| Fault {
                status: if version == Said::One(MODERN) {
                    400
                } else {
                    200
                },
                ..fault
            })
            .and_then(|params| {
                let meta = params.meta();
                let stated = meta.version.map(envelope::string);
                let stated = stated.as_ref().map(|version| version.as_deref());
                let era = era::choose(version, stated, &method);
                caller = Caller {
                    era: Some(era),
                    revision: match (era, version) {
                        (Era::Legacy, _) if method == "initialize" => {
                            let asked = params.protocol_version.and_then(envelope::string);
                            asked.map(|asked| era::negotiate(&asked))
                        }
                        (Era::Legacy, Said::One(version)) => era::spoken(version),
                        _ => stated.flatten().and_then(era::spoken),
                    },
                    client: meta.client().or_else(|| params.client()),
                };
                if in_batch && (era == Era::Modern || method == "initialize") {
                    return Err(Fault::new(
                        400,
                        INVALID_REQUEST,
                        "send this request on its own",
                    ));
                }
                match era {
                    Era::Legacy => legacy::serve(tools, prepared, id, &method, &params, &meta),
                    Era::Modern => {
                        modern::serve(tools, prepared, headers, id, &method, &params, &meta)
                    }
                }
            });
        let mut served =
            served.unwrap_or_else(|fault| Served::Done(fault.into_response(Some(id), &method)));
        match &mut served {
            Served::Done(response) => response.note.caller = caller,
            Served::Store(pending) => pending.caller = caller,
        }
        Some(served)
    }

    /// Serves a batch. Its requests run in turn; calls that write wait until the others are done.
    fn batch(&self, text: &str, version: Said<'_>, grant: Grant) -> Result<Step, Fault> {
        let invalid = |message: String| Err(Fault::new(400, INVALID_REQUEST, message));
        if !matches!(version, Said::Nothing | Said::One(BATCHES)) {
            return invalid(format!(
                "batches belong to protocol version {BATCHES} alone: send each message on its own"
            ));
        }
        let messages: Vec<&RawValue> = serde_json::from_str(text)
            .map_err(|_| Fault::new(400, PARSE_ERROR, "the body is not valid JSON"))?;
        if messages.is_empty() {
            return invalid("a batch needs at least one message".to_owned());
        }
        if messages.len() > BATCH_MESSAGES {
            return invalid(format!(
                "a batch may hold at most {BATCH_MESSAGES} messages"
            ));
        }
        let count = messages.len();
        let mut parts = Vec::with_capacity(count);
        let mut bytes = 0;
        for message in messages {
            if bytes > BATCH_ANSWER_BYTES {
                parts.extend(postpone(message.get()));
                continue;
            }
            match self.message(message.get(), None, version, grant, true) {
                None => {}
                Some(Served::Done(response)) => {
                    bytes += response.body.len();
                    parts.push(Part::Done(response.body));
                }
                Some(Served::Store(pending)) => parts.push(Part::Pending(Box::new(pending))),
            }
        }
        if parts.is_empty() {
            let note = Note::of_batch(Outcome::Accepted, count);
            return Ok(Step::Done(finish(Response::json(202, Vec::new(), note))));
        }
        let waiting = Waiting::batch(parts, grant, count);
        Ok(match waiting.is_ready() {
            true => Step::Done(waiting.assemble()),
            false => Step::Store(waiting),
        })
    }
}

/// The answer to a request of a batch whose other answers are already long enough.
fn postpone(text: &str) -> Option<Part> {
    let Ok(Message::Request { id, .. }) = envelope::read(text) else {
        return None;
    };
    let fault = Fault::new(
        200,
        INTERNAL_ERROR,
        "the answers of this batch are too long together: send this request again on its own",
    );
    Some(Part::Done(fault.bytes(Some(id))))
}

/// The last thing that happens to every response.
pub(super) fn finish(mut response: Response) -> Response {
    cors::allow(&mut response);
    response
}

impl<T: Tools> View<T> {
    fn new(tools: T, policy: &Policy) -> View<T> {
        View {
            prepared: Prepared::new(&tools, policy.access.takes_tokens()),
            tools,
        }
    }
}

impl Denial {
    fn refusal(self) -> Fault {
        let message = match self {
            Denial::Missing => {
                "this server answers to a bearer token only: send one in the header `Authorization`"
            }
            Denial::Wrong => "the bearer token in the header `Authorization` is not known here",
        };
        Fault::new(401, INVALID_REQUEST, message)
    }
}

impl Stranger {
    fn refusal(self) -> Fault {
        let message = match self {
            Stranger::Origin => "pages of this origin may not use this server",
            Stranger::Host => "this server does not answer to this host name",
        };
        Fault::new(403, INVALID_REQUEST, message)
    }
}
