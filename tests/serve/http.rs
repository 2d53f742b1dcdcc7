//! The local HTTP adapter on a socket: what only a socket shows.

#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/socket.rs"]
mod socket;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use fixture::{Fixture, MemoryStore};
use runtime::mcp::{Endpoint, Policy};
use tokio::sync::oneshot;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

/// Runs `test` against a server, which is then told to stop and has to.
fn serving(test: impl FnOnce(SocketAddr)) {
    let (stop, stopped) = oneshot::channel::<()>();
    let endpoint = Endpoint::new(Fixture::default(), Policy::local());
    let (address, server) = socket::serve(endpoint, MemoryStore::default(), async {
        let _ = stopped.await;
    });
    test(address);
    stop.send(()).expect("the server is there");
    server.join().expect("the server stops");
}

/// Sends bytes and reads until the server closes the connection.
fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("connects");
    stream.write_all(request).expect("sends");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answers");
    answer
}

fn request(head: &str, body: &str) -> Vec<u8> {
    format!(
        "{head}\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[test]
fn both_spellings_of_the_path_are_served() {
    serving(|address| {
        for path in ["/mcp", "/mcp/", "/mcp?x=1"] {
            let answer = exchange(address, &request(&format!("POST {path} HTTP/1.1"), PING));
            assert!(
                answer.starts_with("HTTP/1.1 200 OK\r\n"),
                "{path}: {answer}"
            );
            assert!(answer.contains("\r\ncontent-type: application/json\r\n"));
            assert!(answer.contains("\r\naccess-control-allow-origin: *\r\n"));
            assert!(answer.ends_with(PONG));
        }
        let answer = exchange(address, &request("POST /other HTTP/1.1", PING));
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
        assert!(answer.contains("access-control-allow-origin: *"));
    });
}

#[test]
fn a_person_gets_a_page() {
    serving(|address| {
        let answer = exchange(address, &request("GET / HTTP/1.1", ""));
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("<h1>Fixture \"site\"</h1>"));
        assert!(answer.contains(&format!("http://{address}/mcp")));
    });
}

#[test]
fn get_is_refused_before_its_body_came() {
    serving(|address| {
        let head = b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 10\r\n\r\n";
        let answer = exchange(address, head);
        assert!(answer.starts_with("HTTP/1.1 405 "), "{answer}");
        assert!(answer.contains("\r\nallow: POST, OPTIONS\r\n"));
    });
}

#[test]
fn a_body_in_pieces_is_joined() {
    serving(|address| {
        let (a, b) = PING.split_at(7);
        let chunked = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n\
             {:x}\r\n{a}\r\n{:x}\r\n{b}\r\n0\r\n\r\n",
            a.len(),
            b.len()
        );
        assert!(exchange(address, chunked.as_bytes()).contains(PONG));
    });
}

#[test]
fn a_body_that_is_too_long_is_told_so() {
    serving(|address| {
        for length in [65_537, 500_000] {
            let answer = exchange(address, &request("POST /mcp HTTP/1.1", &" ".repeat(length)));
            assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        }
    });
}

#[test]
fn a_write_goes_to_the_store() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keep"}}"#;
    serving(|address| {
        let first = exchange(address, &request("POST /mcp HTTP/1.1", call));
        assert!(first.contains(r#""text":"new "#), "{first}");
        let second = exchange(address, &request("POST /mcp HTTP/1.1", call));
        assert!(second.contains(r#""text":"already""#), "{second}");
    });
}

#[test]
fn a_kept_connection_does_not_hold_up_the_end() {
    let mut kept = None;
    serving(|address| {
        let mut stream = TcpStream::connect(address).expect("connects");
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{PING}",
            PING.len()
        );
        stream.write_all(head.as_bytes()).expect("sends");
        let mut some = [0; 16];
        stream.read_exact(&mut some).expect("answers");
        kept = Some(stream);
    });
}
