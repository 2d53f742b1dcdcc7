//! The same over real sockets, and what only a socket can do: slow and half-closed connections, floods of headers, requests in a row,
//! lengths that lie.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::fixture::MemoryStore;
use crate::made::{Made, Maker};
use crate::socket;
use crate::{SOON, check, endpoint, how_many, tell};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

/// A server of the documentation; it ends with the test's process.
fn serving() -> SocketAddr {
    socket::serve(endpoint(), MemoryStore::default(), std::future::pending()).0
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("connects");
    stream.set_read_timeout(Some(SOON)).expect("a timeout");
    stream.set_nodelay(true).expect("an option");
    stream
}

/// One response: its status and its body. `None` when the server closed the connection instead.
fn read_response(stream: &mut TcpStream, to_head: bool) -> io::Result<Option<(u16, Vec<u8>)>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(0) if head.is_empty() => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => head.push(byte[0]),
            // It was closed while we were still sending.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .unwrap_or(0);
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length = length
        .and_then(|length| length.trim().parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; if to_head { 0 } else { length }];
    stream.read_exact(&mut body)?;
    Ok(Some((status, body)))
}

fn bytes(made: &Made) -> Vec<u8> {
    let mut out = format!(
        "{} {} HTTP/1.1\r\nhost: localhost\r\n",
        made.method, made.path
    )
    .into_bytes();
    for (name, value) in &made.headers {
        out.extend_from_slice(&[name, b": ".as_slice(), value, b"\r\n"].concat());
    }
    out.extend_from_slice(format!("content-length: {}\r\n\r\n", made.body.len()).as_bytes());
    out.extend_from_slice(&made.body);
    out
}

#[test]
fn hostile_requests_over_a_socket_get_an_answer() {
    let address = serving();
    let mut maker = Maker::new(4);
    let count = how_many(4_000);
    let (mut stream, mut closed) = (connect(address), 0);
    for _ in 0..count {
        let made = maker.make();
        let start = Instant::now();
        // A kept connection that has just been closed is no answer: the request is sent once more, on a new one.
        let mut answered = None;
        for _ in 0..2 {
            let sent = stream.write_all(&bytes(&made)).is_ok();
            let read = read_response(&mut stream, made.method == "HEAD");
            let read = read.unwrap_or_else(|error| panic!("{error} for {made}"));
            if let (true, Some(response)) = (sent, read) {
                answered = Some(response);
                break;
            }
            closed += 1;
            stream = connect(address);
        }
        assert!(start.elapsed() < SOON, "{:?} for {made}", start.elapsed());
        let (status, body) = answered.unwrap_or_else(|| panic!("no answer for {made}"));
        // What is no HTTP is refused by the server's library, without a body of ours.
        let ours = !(matches!(status, 400 | 431) && body.is_empty());
        if ours && made.method != "HEAD" {
            check(&made, status, &body);
        }
        assert!(status < 500, "{status} for {made}");
    }
    tell(
        count,
        &format!("hostile requests over a socket: no 5xx, no hang; {closed} connections closed"),
    );
}

fn head(more: &str) -> String {
    format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{more}\r\n")
}

fn ping(address: SocketAddr) {
    let mut stream = connect(address);
    let request = head(&format!("content-length: {}\r\n", PING.len())) + PING;
    stream.write_all(request.as_bytes()).expect("sends");
    let answer = read_response(&mut stream, false).expect("answers");
    assert_eq!(answer, Some((200, PONG.into())), "the server still answers");
}

/// Sends whole requests and reads a response to each: their statuses.
fn answered(address: SocketAddr, requests: &[u8], count: usize) -> Vec<u16> {
    let mut stream = connect(address);
    stream.write_all(requests).expect("sends");
    let responses = (0..count).map(|_| read_response(&mut stream, false).expect("answers"));
    responses.flatten().map(|(status, _)| status).collect()
}

/// Sends what is no whole request, lets go of the writing half, and reads what comes until the server has closed the connection.
fn statuses(address: SocketAddr, request: &[u8]) -> Vec<u16> {
    let mut stream = connect(address);
    // The server may have refused and closed already.
    let _ = stream.write_all(request);
    let _ = stream.shutdown(Shutdown::Write);
    let mut statuses = Vec::new();
    while let Ok(Some((status, _))) = read_response(&mut stream, false) {
        statuses.push(status);
    }
    statuses
}

#[test]
fn a_body_that_never_comes_holds_up_nobody() {
    let address = serving();
    let mut slow = connect(address);
    slow.write_all(head("content-length: 100\r\n").as_bytes())
        .expect("sends");
    let mut trickle = connect(address);
    trickle
        .write_all(head("content-length: 100\r\n").as_bytes())
        .expect("sends");
    for byte in b"{\"js" {
        trickle.write_all(&[*byte]).expect("sends");
        ping(address);
    }
    drop((slow, trickle));
    ping(address);
}

#[test]
fn a_hundred_idle_connections_hold_up_nobody() {
    let address = serving();
    let idle: Vec<TcpStream> = (0..100).map(|_| connect(address)).collect();
    let mut half = Vec::new();
    for mut stream in idle {
        stream
            .write_all(b"POST /mcp HTTP/1.1\r\nhost: loc")
            .expect("sends");
        half.push(stream);
    }
    ping(address);
}

#[test]
fn a_client_that_lets_go_of_its_half_keeps_nothing_open() {
    let address = serving();
    let whole = head(&format!("content-length: {}\r\n", PING.len())) + PING;
    // The server's library takes a half that is closed for a client that has gone, and may answer or not; it does not wait.
    let start = Instant::now();
    let half = statuses(address, whole.as_bytes());
    assert!(half.iter().all(|status| *status == 200), "{half:?}");
    // Fewer bytes than announced: an error of ours or none at all.
    let cut = statuses(address, &whole.as_bytes()[..whole.len() - 5]);
    assert!(cut.iter().all(|status| *status == 400), "{cut:?}");
    assert!(start.elapsed() < SOON);
    ping(address);
}

#[test]
fn floods_of_headers_are_refused() {
    let address = serving();
    let many: String = (0..5_000).map(|n| format!("x-{n}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(2_000_000));
    let long_path = format!(
        "POST /{} HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "a".repeat(200_000)
    );
    for request in [head(&many), head(&long), long_path] {
        let got = statuses(address, request.as_bytes());
        assert!(
            got.iter().all(|status| (400..500).contains(status)),
            "{got:?}"
        );
    }
    // As many as a proxy may add are fine.
    let some: String = (0..60)
        .map(|n| format!("x-{n}: {}\r\n", "y".repeat(100)))
        .collect();
    let request = head(&format!("{some}content-length: {}\r\n", PING.len())) + PING;
    assert_eq!(answered(address, request.as_bytes(), 1), [200]);
    ping(address);
}

#[test]
fn requests_in_a_row_are_answered_in_a_row() {
    let address = serving();
    let mut stream = connect(address);
    let request = |id: usize| {
        let body = PING.replace('1', &id.to_string());
        head(&format!("content-length: {}\r\n", body.len())) + &body
    };
    let all: String = (100..200).map(request).collect();
    stream.write_all(all.as_bytes()).expect("sends");
    for id in 100..200 {
        let (status, body) = read_response(&mut stream, false)
            .expect("answers")
            .expect("answers");
        let expected = PONG.replace('1', &id.to_string());
        assert_eq!(
            (status, String::from_utf8_lossy(&body)),
            (200, expected.into())
        );
    }
    // A refusal in the middle does not shift the answers after it.
    let refused = "GET /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let three = request(5) + refused + &request(6);
    assert_eq!(answered(address, three.as_bytes(), 3), [200, 405, 200]);
}

#[test]
fn lengths_that_lie_are_refused() {
    let address = serving();
    let length = PING.len();
    for (what, more, body) in [
        (
            "two lengths",
            format!("content-length: {length}\r\ncontent-length: 5\r\n"),
            PING.to_owned(),
        ),
        (
            "no number",
            "content-length: -1\r\n".to_owned(),
            String::new(),
        ),
        (
            "too large a number",
            "content-length: 99999999999999999999999\r\n".to_owned(),
            String::new(),
        ),
        (
            "a chunk that is no number",
            "transfer-encoding: chunked\r\n".to_owned(),
            "zz\r\nab\r\n0\r\n\r\n".to_owned(),
        ),
        (
            "a chunk without an end",
            "transfer-encoding: chunked\r\n".to_owned(),
            "5\r\nab".to_owned(),
        ),
        (
            "a chunk as large as memory",
            "transfer-encoding: chunked\r\n".to_owned(),
            "ffffffffffffffff\r\nab\r\n".to_owned(),
        ),
        (
            "another encoding",
            "transfer-encoding: gzip\r\n".to_owned(),
            PING.to_owned(),
        ),
    ] {
        let got = statuses(address, (head(&more) + &body).as_bytes());
        assert!(
            got.iter().all(|status| (400..500).contains(status)),
            "{what}: {got:?}"
        );
    }
    ping(address);
}

#[test]
fn what_is_no_http_is_refused() {
    let address = serving();
    for request in [
        &b"\r\n\r\n\r\n"[..],
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /mcp HTTP/9.9\r\nhost: localhost\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nhost localhost\r\n\r\n",
        b"POST /mcp\0 HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ] {
        let got = statuses(address, request);
        assert!(
            got.iter().all(|status| (400..500).contains(status)),
            "{}: {got:?}",
            request.escape_ascii()
        );
    }
    ping(address);
}

#[test]
fn a_client_that_waits_to_be_told_to_go_on_is_told() {
    let address = serving();
    let mut stream = connect(address);
    let start = Instant::now();
    let request = head(&format!(
        "expect: 100-continue\r\ncontent-length: {}\r\n",
        PING.len()
    ));
    stream.write_all(request.as_bytes()).expect("sends");
    assert_eq!(
        read_response(&mut stream, false).expect("answers"),
        Some((100, Vec::new()))
    );
    stream.write_all(PING.as_bytes()).expect("sends");
    assert_eq!(
        read_response(&mut stream, false).expect("answers"),
        Some((200, PONG.into()))
    );
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn slashes_in_a_path_are_not_counted() {
    let address = serving();
    for (path, status) in [
        ("/mcp", 200),
        ("/mcp/", 200),
        ("//mcp", 200),
        ("/mcp//", 200),
        ("/prod//mcp/", 200),
        ("/mcp/?a=b&c", 200),
        ("/MCP", 404),
        ("/mcp/tools", 404),
        ("/%6dcp", 404),
        ("/", 404),
        ("*", 404),
    ] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{PING}",
            PING.len()
        );
        assert_eq!(answered(address, request.as_bytes(), 1), [status], "{path}");
    }
}
