//! A load run: whole requests over kept connections, as fast as they are answered.
//!
//! ```sh
//! load ADDRESS PID [--seconds 60] [--connections 16] [--tool NAME]
//! ```
//!
//! Without `--tool` it asks a site a mix of everything that reads, with routes and slugs that the site names. PID is the server's process, whose
//! memory is read at the start and at the end. A status other than 200, an answer without a result, or a result that is an error ends the run.

use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// One kept connection.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    fn new(address: &str) -> Outcome<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        Ok(Connection {
            stream,
            buffer: vec![0; 1 << 20],
        })
    }

    /// Sends a request and reads the whole response: its body.
    fn ask(&mut self, request: &[u8]) -> Outcome<&[u8]> {
        self.stream.write_all(request)?;
        let mut filled = 0;
        let mut end = None;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(filled * 2, 0);
            }
            let read = self.stream.read(&mut self.buffer[filled..])?;
            if read == 0 {
                return Err("the server closed the connection".into());
            }
            filled += read;
            if end.is_none() {
                end = body_of(&self.buffer[..filled])?;
            }
            match end {
                Some((start, Some(length))) if filled >= start + length => {
                    return Ok(&self.buffer[start..start + length]);
                }
                Some((start, None)) if self.buffer[..filled].ends_with(b"0\r\n\r\n") => {
                    return Ok(&self.buffer[start..filled]);
                }
                _ => {}
            }
        }
    }
}

/// Where the body begins and its length, `None` when it comes in chunks; nothing while the head is under way.
fn body_of(response: &[u8]) -> Outcome<Option<(usize, Option<usize>)>> {
    let Some(end) = response.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = String::from_utf8_lossy(&response[..end]).to_ascii_lowercase();
    if !head.starts_with("http/1.1 200") {
        return Err(format!("not 200: {head}").into());
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length = length.map(|length| length.trim().parse()).transpose()?;
    Ok(Some((end + 4, length)))
}

fn request(address: &str, method: &str, params: &Value) -> Vec<u8> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
         mcp-protocol-version: 2025-11-25\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn call(address: &str, tool: &str, arguments: Value) -> Vec<u8> {
    request(
        address,
        "tools/call",
        &json!({"name": tool, "arguments": arguments}),
    )
}

/// The mix: each list once, and a search, a page's facts and its text for each of some documents.
fn mix(address: &str) -> Outcome<Vec<Vec<u8>>> {
    let mut connection = Connection::new(address)?;
    let mut ask = |tool: &str, arguments: Value| -> Outcome<Value> {
        let answer: Value =
            serde_json::from_slice(connection.ask(&call(address, tool, arguments))?)?;
        Ok(answer["result"]["structuredContent"].clone())
    };
    let mut requests = vec![request(address, "tools/list", &json!({}))];
    for list in ["list_collections", "list_pages", "list_tags"] {
        requests.push(call(address, list, json!({})));
    }
    let collections = ask("list_collections", json!({}))?;
    for collection in collections["collections"].as_array().into_iter().flatten() {
        let found = ask(
            "search_content",
            json!({"collection": collection["name"], "limit": 25}),
        )?;
        for row in found["results"].as_array().into_iter().flatten() {
            let words = json!({"match": {"text": row["title"]}, "limit": 10});
            requests.push(call(address, "search_content", words));
            requests.push(call(
                address,
                "get_page_info",
                json!({"route": row["route"]}),
            ));
            requests.push(call(
                address,
                "get_page_markdown",
                json!({"route": row["route"]}),
            ));
        }
    }
    Ok(requests)
}

/// Resident memory of a process in megabytes.
fn memory(pid: &str) -> Outcome<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 = line
        .and_then(|line| line.split_whitespace().next())
        .unwrap_or("0")
        .parse()?;
    Ok(kilobytes / 1024.0)
}

/// One connection's run: the microseconds of every answer.
fn run(address: &str, requests: &[Vec<u8>], first: usize, until: Instant) -> Outcome<Vec<u32>> {
    let mut connection = Connection::new(address)?;
    let mut times = Vec::new();
    for request in requests.iter().cycle().skip(first) {
        let start = Instant::now();
        if start >= until {
            break;
        }
        let body = connection.ask(request)?;
        let failed = body
            .windows(14)
            .rev()
            .take(64)
            .any(|piece| piece == b"\"isError\":true");
        if failed
            || !body
                .windows(9)
                .take(200)
                .any(|piece| piece == b"\"result\":")
        {
            return Err(String::from_utf8_lossy(&body[..body.len().min(300)]).into());
        }
        times.push(start.elapsed().as_micros() as u32);
    }
    Ok(times)
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, pid, options @ ..] = arguments.as_slice() else {
        return Err("load ADDRESS PID [--seconds 60] [--connections 16] [--tool NAME]".into());
    };
    let option = |name: &str| options.iter().skip_while(|known| *known != name).nth(1);
    let seconds: u64 = option("--seconds").map_or(Ok(60), |n| n.parse())?;
    let connections: usize = option("--connections").map_or(Ok(16), |n| n.parse())?;
    let requests = match option("--tool") {
        Some(tool) => vec![call(address, tool, json!({}))],
        None => mix(address)?,
    };
    let before = memory(pid)?;
    let start = Instant::now();
    let until = start + Duration::from_secs(seconds);
    let outcomes: Vec<Outcome<Vec<u32>>> = std::thread::scope(|scope| {
        let requests = &requests;
        let threads: Vec<_> = (0..connections)
            .map(|n| {
                scope.spawn(move || run(address, requests, n * requests.len() / connections, until))
            })
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|outcome| outcome.unwrap_or_else(|_| Err("a connection failed".into())))
            .collect()
    });
    let took = start.elapsed().as_secs_f64();
    let mut times = Vec::new();
    for outcome in outcomes {
        times.extend(outcome?);
    }
    times.sort_unstable();
    let at = |share: f64| {
        times
            .get((times.len() as f64 * share) as usize)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{} requests of {} kinds in {took:.0} s over {connections} connections: {:.0} a second, p50 {} µs, p99 {} µs, memory {before:.1} MB at the start, {:.1} MB at the end",
        times.len(),
        requests.len(),
        times.len() as f64 / took,
        at(0.5),
        at(0.99),
        memory(pid)?
    );
    Ok(())
}
