//! How requests of the SDK get to AWS: HTTP/1.1 over TLS, or without it to an emulator.
//!
//! The SDK's own client can do more (HTTP/2, proxies, several libraries for TLS), which would be a twentieth of the function's program and is never used: DynamoDB
//! speaks HTTP/1.1. And it does not tell what the store has to know of a request that failed: whether it was ever sent. Here everything that
//! goes wrong before a connection stands is a [`NotSent`].
//!
//! A connection is kept for the next request to the same place. One that the other side has closed in the meantime (a function sleeps between
//! its calls) gives the request back unsent, and it goes out on another. Answers are read whole: they are a few lines, or one page of a query.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use aws_sdk_dynamodb::config::http::{HttpRequest, HttpResponse};
use aws_sdk_dynamodb::config::{HttpClient, RuntimeComponents, SharedHttpClient};
use aws_sdk_dynamodb::error::ConnectorError;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use http::header::{HOST, HeaderValue};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Request, Response, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The certificate authorities that AWS's own endpoints chain to: Amazon Root CA 1 to 4 and Starfield Services Root G2, as
/// Amazon Trust Services publishes them. Reading five of our own takes microseconds, reading the machine's whole list 5 to 7 ms.
const AMAZON_ROOTS: &str = include_str!("amazon_roots.pem");

/// Whose certificates are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Roots {
    /// Amazon's own five.
    Amazon,
    /// The machine's list.
    Machine,
}

/// The request never left: nothing it asks for can have happened.
#[derive(Debug)]
pub(super) struct NotSent(pub(super) BoxError);

type BoxError = Box<dyn Error + Send + Sync>;
type Body = Full<Bytes>;

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no connection was made")
    }
}

impl Error for NotSent {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Connections for a client of the SDK. Certificates are read when the first connection needs them.
pub fn connections(roots: Roots) -> SharedHttpClient {
    SharedHttpClient::new(Connections(Arc::new(Shared {
        roots,
        tls: OnceLock::new(),
        idle: Mutex::new(Vec::new()),
    })))
}

#[derive(Clone, Debug)]
struct Connections(Arc<Shared>);

struct Shared {
    roots: Roots,
    tls: OnceLock<TlsConnector>,
    /// Connections that no request is on. At most as many as were needed at once.
    idle: Mutex<Vec<Connection>>,
}

struct Connection {
    scheme: Scheme,
    authority: Authority,
    send: SendRequest<Body>,
}

/// Connections with the times that the SDK's settings allow for a request.
#[derive(Debug)]
struct Timed {
    shared: Connections,
    connect: Option<Duration>,
    read: Option<Duration>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections")
            .field("roots", &self.roots)
            .finish_non_exhaustive()
    }
}

impl HttpClient for Connections {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Timed {
            shared: self.clone(),
            connect: settings.connect_timeout(),
            read: settings.read_timeout(),
        })
    }
}

impl HttpConnector for Timed {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (shared, connect, read) = (self.shared.clone(), self.connect, self.read);
        HttpConnectorFuture::new(async move {
            let (request, scheme, authority) = in_origin_form(request)?;
            let sent = shared.0.send(request, scheme, authority, connect);
            within(read, sent)
                .await
                .unwrap_or_else(|late| Err(ConnectorError::timeout(late)))
        })
    }
}

/// The request as a connection takes it: the path alone in its first line, and where it goes in the header `Host`, as it was signed.
fn in_origin_form(
    request: HttpRequest,
) -> Result<(Request<Body>, Scheme, Authority), ConnectorError> {
    let wrong = |error: BoxError| ConnectorError::user(NotSent(error).into());
    let request = request
        .try_into_http1x()
        .map_err(|error| wrong(error.into()))?;
    let (mut head, body) = request.into_parts();
    let body = body
        .bytes()
        .map(Bytes::copy_from_slice)
        .ok_or_else(|| wrong("a body that is a stream".into()))?;
    let uri = head.uri.into_parts();
    let (Some(scheme), Some(authority)) = (uri.scheme, uri.authority) else {
        return Err(wrong("an address without a host".into()));
    };
    let usual = authority.port_u16() == Some(usual_port(&scheme));
    let host = if usual {
        authority.host()
    } else {
        authority.as_str()
    };
    let host = HeaderValue::from_str(host).map_err(|error| wrong(error.into()))?;
    head.headers.entry(HOST).or_insert(host);
    head.uri = Uri::from(uri.path_and_query.unwrap_or(PathAndQuery::from_static("/")));
    Ok((
        Request::from_parts(head, Full::new(body)),
        scheme,
        authority,
    ))
}

fn usual_port(scheme: &Scheme) -> u16 {
    if *scheme == Scheme::HTTPS { 443 } else { 80 }
}

/// A future's output, if it is there in time.
async fn within<T>(time: Option<Duration>, future: impl Future<Output = T>) -> Result<T, BoxError> {
    match time {
        Some(time) => Ok(tokio::time::timeout(time, future).await?),
        None => Ok(future.await),
    }
}

impl Shared {
    async fn send(
        &self,
        mut request: Request<Body>,
        scheme: Scheme,
        authority: Authority,
        time: Option<Duration>,
    ) -> Result<HttpResponse, ConnectorError> {
        loop {
            let kept = self.take(&scheme, &authority);
            let is_new = kept.is_none();
            let mut connection = match kept {
                Some(kept) => kept,
                None => {
                    let made = self.connect(&scheme, &authority);
                    let send = match within(time, made).await {
                        Ok(Ok(send)) => send,
                        Ok(Err(error)) => return Err(ConnectorError::io(NotSent(error).into())),
                        Err(late) => return Err(ConnectorError::timeout(NotSent(late).into())),
                    };
                    Connection {
                        scheme: scheme.clone(),
                        authority: authority.clone(),
                        send,
                    }
                }
            };
            match connection.send.try_send_request(request).await {
                Ok(response) => {
                    let response = whole(response).await?;
                    self.keep(connection);
                    return Ok(response);
                }
                Err(mut failed) => match failed.take_message() {
                    Some(unsent) if !is_new => request = unsent,
                    Some(_) => {
                        return Err(ConnectorError::io(
                            NotSent(failed.into_error().into()).into(),
                        ));
                    }
                    None => return Err(ConnectorError::io(failed.into_error().into())),
                },
            }
        }
    }

    /// A kept connection to this place. Those that were closed are forgotten.
    fn take(&self, scheme: &Scheme, authority: &Authority) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|kept| !kept.send.is_closed());
        let place = |kept: &Connection| kept.scheme == *scheme && kept.authority == *authority;
        let last = idle.iter().rposition(place)?;
        Some(idle.swap_remove(last))
    }

    fn keep(&self, connection: Connection) {
        if !connection.send.is_closed() {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(connection);
        }
    }

    async fn connect(
        &self,
        scheme: &Scheme,
        authority: &Authority,
    ) -> Result<SendRequest<Body>, BoxError> {
        let host = authority.host();
        // An address of version 6 stands in brackets.
        let host = host.strip_prefix('[').unwrap_or(host);
        let host = host.strip_suffix(']').unwrap_or(host);
        let port = authority.port_u16().unwrap_or(usual_port(scheme));
        let stream = TcpStream::connect((host, port)).await?;
        stream.set_nodelay(true)?;
        if *scheme != Scheme::HTTPS {
            return start(stream).await;
        }
        let name = ServerName::try_from(host.to_owned())?;
        start(self.tls()?.connect(name, stream).await?).await
    }

    fn tls(&self) -> Result<&TlsConnector, BoxError> {
        if let Some(tls) = self.tls.get() {
            return Ok(tls);
        }
        let mut roots = RootCertStore::empty();
        match self.roots {
            Roots::Amazon => {
                for root in CertificateDer::pem_slice_iter(AMAZON_ROOTS.as_bytes()) {
                    roots.add(root?)?;
                }
            }
            Roots::Machine => {
                // A list of a hundred may hold one that cannot be read.
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(self.tls.get_or_init(|| Arc::new(config).into()))
    }
}

/// Begins HTTP on a stream. What moves its bytes is a task of its own, and ends with the connection.
async fn start(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
) -> Result<SendRequest<Body>, BoxError> {
    let (send, moving) = handshake(TokioIo::new(stream)).await?;
    // How a connection ends is told to the request that is on it.
    tokio::spawn(async move { moving.await.ok() });
    Ok(send)
}

async fn whole(response: Response<Incoming>) -> Result<HttpResponse, ConnectorError> {
    let (head, body) = response.into_parts();
    let body = body
        .collect()
        .await
        .map_err(|error| ConnectorError::io(error.into()))?;
    HttpResponse::try_from(Response::from_parts(head, body.to_bytes().into()))
        .map_err(|error| ConnectorError::other(error.into(), None))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

    fn shared(roots: Roots) -> Shared {
        Shared {
            roots,
            tls: OnceLock::new(),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Sends a request to an address, and gives what came of it.
    async fn post(shared: &Shared, to: &str) -> Result<String, ConnectorError> {
        let mut request = HttpRequest::new("{}".into());
        request.set_method("POST").expect("a method");
        request.set_uri(to.to_owned()).expect("an address");
        let (request, scheme, authority) = in_origin_form(request)?;
        let time = Some(Duration::from_secs(5));
        let answer = shared.send(request, scheme, authority, time).await?;
        let body = answer.body().bytes().expect("it was read");
        Ok(String::from_utf8_lossy(body).into_owned())
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(test);
    }

    #[test]
    fn the_five_roots_can_be_read() {
        let five = CertificateDer::pem_slice_iter(AMAZON_ROOTS.as_bytes()).count();
        assert_eq!(five, 5);
        shared(Roots::Amazon).tls().expect("all of them");
    }

    #[test]
    fn a_connection_is_used_again_and_one_that_was_closed_meanwhile_is_replaced() {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let server = tokio::spawn(async move {
                // Two requests on the first connection, which is closed then, and one on a second.
                let mut heads = Vec::new();
                for requests in [2, 1] {
                    let (mut stream, _) = listener.accept().await.expect("a connection");
                    for _ in 0..requests {
                        let mut head = [0; 1024];
                        let length = stream.read(&mut head).await.expect("a request");
                        heads.push(String::from_utf8_lossy(&head[..length]).into_owned());
                        stream.write_all(ANSWER).await.expect("answered");
                    }
                }
                heads
            });
            let shared = shared(Roots::Machine);
            for _ in 0..3 {
                let answer = post(&shared, &format!("http://{address}/")).await;
                assert_eq!(answer.expect("an answer"), "{}");
            }
            for head in server.await.expect("no panic") {
                assert!(head.starts_with("POST / HTTP/1.1\r\n"), "{head}");
                assert!(head.contains(&format!("host: {address}\r\n")), "{head}");
            }
        });
    }

    #[test]
    fn what_fails_before_a_connection_stands_was_not_sent_and_what_fails_after_it_may_have_been() {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            // Neither TLS nor an answer.
            tokio::spawn(async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    drop(stream.read(&mut [0; 1024]).await);
                }
            });
            let shared = shared(Roots::Amazon);
            for (to, not_sent) in [
                (format!("http://{address}/"), false),
                (format!("https://{address}/"), true),
                ("http://127.0.0.1:1/".to_owned(), true),
                ("http://nobody.invalid/".to_owned(), true),
                ("/nowhere".to_owned(), true),
            ] {
                let error = post(&shared, &to).await.expect_err(&to);
                let source = error.source().expect("a cause");
                assert_eq!(source.is::<NotSent>(), not_sent, "{to}: {error:?}");
            }
        });
    }
}
