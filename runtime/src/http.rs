//! The local HTTP adapter: sockets to [`Endpoint`] and back.
//!
//! It decides nothing about the protocol. It finds the path, asks the endpoint whether the head alone is refused, reads
//! no more of the body than is worth reading, and tells the [request log](crate::request_log) how it went.
//! A person who opens the address in a browser gets a short page that says what to do with it.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::handler::HandlerWithoutStateExt;
use axum::serve::ListenerExt;
use http::{HeaderValue, Method, header};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::feedback::{self, FeedbackStore, NoStore};
use crate::mcp::{self, Endpoint, Note, Outcome, Response, Step, Tools};
use crate::request_log::{Begun, RequestLog};

/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long requests in flight may take once the server is told to stop.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// How much of a body that is too long is read and dropped, so that the client gets to read the refusal. Closing the
/// connection at once would reset it under a client that is still sending.
const DRAIN_BYTES: usize = 1024 * 1024;

/// Serves until `shutdown` completes, then lets the requests in flight finish.
///
/// # Errors
/// When the listener fails.
pub async fn serve<T: Tools + 'static>(
    listener: TcpListener,
    endpoint: Arc<Endpoint<T>>,
    store: Option<Arc<dyn FeedbackStore>>,
    log: Arc<RequestLog>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let server = Arc::new(Server {
        address: listener.local_addr()?,
        endpoint,
        store: store.unwrap_or_else(|| Arc::new(NoStore)),
        log,
    });
    let handler = move |request: Request| {
        let server = Arc::clone(&server);
        async move { server.respond(request).await }
    };
    // Answers are small and come one at a time: waiting to fill a packet only costs time.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "could not set TCP_NODELAY");
        }
    });
    let stopping = Arc::new(Notify::new());
    let told = Arc::clone(&stopping);
    let served =
        axum::serve(listener, handler.into_make_service()).with_graceful_shutdown(async move {
            shutdown.await;
            told.notify_one();
        });
    tokio::select! {
        result = async { served.await } => result,
        () = async { stopping.notified().await; tokio::time::sleep(SHUTDOWN_GRACE).await } => Ok(()),
    }
}

struct Server<T: Tools> {
    address: SocketAddr,
    endpoint: Arc<Endpoint<T>>,
    store: Arc<dyn FeedbackStore>,
    log: Arc<RequestLog>,
}

impl<T: Tools> Server<T> {
    async fn respond(&self, request: Request) -> http::Response<Body> {
        let mut begun = self.log.begin(None);
        let path = request.uri().path();
        if path == "/" && matches!(*request.method(), Method::GET | Method::HEAD) {
            let page = self.page();
            let note = Note::new("page", Outcome::Answered);
            begun.done(&note, Some(200), page.len());
            return html(page);
        }
        let elsewhere = self.endpoint.elsewhere(
            request.method().as_str(),
            path,
            request.headers(),
            self.log.uptime(),
        );
        let response = match elsewhere {
            Some(response) => response,
            None => self.answer(request, &mut begun).await,
        };
        begun.done(&response.note, Some(response.status), response.body.len());
        into_http(response)
    }

    async fn answer(&self, request: Request, begun: &mut Begun<'_>) -> Response {
        let (head, body) = request.into_parts();
        let method = head.method.as_str();
        if let Some(response) = self.endpoint.refuse(method, &head.headers) {
            return response;
        }
        let reading = read(body, self.endpoint.request_bytes());
        let body = match tokio::time::timeout(BODY_TIMEOUT, reading).await {
            Ok(Ok(body)) => body,
            Ok(Err(Unread::TooLarge)) => return self.endpoint.too_large(),
            Ok(Err(Unread::Broken)) | Err(_) => return self.endpoint.unreadable(),
        };
        begun.read(body.len());
        let step = self.endpoint.handle(&mcp::Request {
            method,
            headers: &head.headers,
            body: &body,
        });
        match step {
            Step::Done(response) => response,
            Step::Store(waiting) => {
                let (now, until) = (jiff::Timestamp::now(), Instant::now() + feedback::WRITE);
                waiting
                    .settle(&self.endpoint, &*self.store, now, until)
                    .await
            }
        }
    }

    fn page(&self) -> String {
        let name = self.endpoint.tools().identity();
        let name = escape(name.title.as_ref().unwrap_or(&name.name));
        let address = self.address;
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{name}</title>\n\
             <style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}}</style>\n\
             <h1>{name}</h1>\n\
             <p>This is an MCP server: it answers assistants, not browsers.</p>\n\
             <p>Give your MCP client this address:</p>\n\
             <pre>http://{address}/mcp</pre>\n</html>\n"
        )
    }
}

fn html(page: String) -> http::Response<Body> {
    let mut response = http::Response::new(Body::from(page));
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'",
        ),
    ];
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Why there is no body.
enum Unread {
    TooLarge,
    Broken,
}

/// Reads a body of at most `limit` bytes. One that came in one piece, as nearly all do, is not copied.
async fn read(body: Body, limit: usize) -> Result<Bytes, Unread> {
    let mut body = pin!(body);
    let mut whole = Bytes::new();
    let mut joined = Vec::new();
    let mut length = 0;
    while let Some(frame) = std::future::poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|_| Unread::Broken)?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length > limit + DRAIN_BYTES {
            break;
        } else if length > limit {
            joined = Vec::new();
        } else if length == data.len() {
            whole = data;
        } else {
            if joined.is_empty() {
                joined.extend_from_slice(&whole);
            }
            joined.extend_from_slice(&data);
        }
    }
    if length > limit {
        Err(Unread::TooLarge)
    } else if joined.is_empty() {
        Ok(whole)
    } else {
        Ok(joined.into())
    }
}

fn into_http(response: Response) -> http::Response<Body> {
    let mut out = http::Response::new(Body::from(response.body));
    *out.status_mut() = http::StatusCode::from_u16(response.status)
        .expect("the protocol core uses the statuses in its table");
    for (name, value) in response.headers {
        // Every value is of visible ASCII.
        if let Ok(value) = HeaderValue::from_str(&value) {
            out.headers_mut().insert(name, value);
        }
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
