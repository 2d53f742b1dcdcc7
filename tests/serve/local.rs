//! The `local` binary: arguments, messages, exit codes, and both ways to serve a built site.

#[path = "../support/site.rs"]
mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// A small built site in a folder of its own.
struct Site {
    folder: TempDir,
    artifact: PathBuf,
}

fn site() -> Site {
    let bytes = support::build(&[
        (
            "shelfmark.toml",
            "collections = []\n[site]\ntitle = \"Small\"\nurl = \"https://small.dev\"\n",
        ),
        ("index.md", "# Small\n\nA small site.\n"),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let artifact = folder.path().join("site.shelf");
    std::fs::write(&artifact, bytes.expect("the site is without errors")).expect("a file");
    Site { folder, artifact }
}

fn local(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    command.args(arguments).env_clear();
    command.output().expect("the binary starts")
}

fn check(arguments: &[&str], code: i32, stderr: &str) {
    let output = local(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn help_fits_a_screen_and_shows_an_example() {
    let output = local(&["--help"]);
    let help = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(help.lines().count() <= 24, "{help}");
    assert!(help.contains("local serve --artifact"), "{help}");
}

#[test]
fn no_artifact() {
    for command in ["serve", "stdio"] {
        check(
            &[command],
            2,
            "error: no artifact given\n  help: name the file that `builder build` wrote with `--artifact FILE`\n",
        );
    }
}

#[test]
fn an_artifact_that_is_not_there() {
    let output = local(&["serve", "--artifact", "no/such.shelf"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("error: `no/such.shelf` could not be opened: "),
        "{message}"
    );
    assert!(message.contains("help: "), "{message}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_log_level_that_is_none() {
    let output = local(&["serve", "--log", "runtime=loud"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("error: cannot log `runtime=loud`: "),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(2));
}

const LIST_PAGES: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_pages"}}"#;
const FEEDBACK: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"submit_feedback","arguments":{"idempotency_key":"7f9c24e8-3b12-4fef-91e0-5f6c2a9b1d11","message":"Thanks","kind":"other","severity":"low"}}}"#;

/// Ends the server when a test ends early.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn stdio_serves_a_site_and_keeps_feedback() {
    let site = site();
    let feedback = site.folder.path().join("feedback.db");
    let mut child = Command::new(env!("CARGO_BIN_EXE_local"))
        .args(["stdio", "--artifact"])
        .arg(&site.artifact)
        .arg("--feedback")
        .arg(&feedback)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("it is piped");
    write!(input, "{LIST_PAGES}\n\n{FEEDBACK}\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends with its input");
    let answers = String::from_utf8(output.stdout).expect("JSON is text");
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 2, "{answers}");
    assert!(
        lines[0].contains(r#""url":"https://small.dev/""#),
        "{answers}"
    );
    assert!(lines[1].contains(r#""status":"recorded""#), "{answers}");
    assert!(output.status.success());
    assert!(feedback.exists());
}

#[test]
fn without_feedback_the_tool_is_not_there() {
    let site = site();
    let mut child = Command::new(env!("CARGO_BIN_EXE_local"))
        .args(["stdio", "--no-feedback", "--artifact"])
        .arg(&site.artifact)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("it is piped");
    writeln!(input, "{FEEDBACK}").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends with its input");
    let answers = String::from_utf8(output.stdout).expect("JSON is text");
    assert!(answers.contains(r#""code":-32602"#), "{answers}");
}

#[test]
fn serve_says_where_and_stops_when_told() {
    let site = site();
    let child = Command::new(env!("CARGO_BIN_EXE_local"))
        .args([
            "serve",
            "--addr",
            "127.0.0.1:0",
            "--no-feedback",
            "--artifact",
        ])
        .arg(&site.artifact)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut running = Running(child);
    let mut log = BufReader::new(running.0.stderr.take().expect("it is piped"));
    let mut line = String::new();
    log.read_line(&mut line).expect("it says something");
    let address = line
        .trim_end()
        .strip_suffix("/mcp")
        .and_then(|line| line.split("http://").nth(1))
        .expect("it says where");

    let mut stream = TcpStream::connect(address).expect("connects");
    let length = LIST_PAGES.len();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{LIST_PAGES}"
    )
    .expect("sends");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answers");
    assert!(answer.contains(r#""url":"https://small.dev/""#), "{answer}");

    let mut request = String::new();
    log.read_line(&mut request).expect("it logs the request");
    assert!(request.contains("list_pages"), "{request}");

    let told = Command::new("kill")
        .args(["-TERM", &running.0.id().to_string()])
        .status();
    if told.is_ok_and(|status| status.success()) {
        assert!(running.0.wait().expect("it ends").success());
    }
}

/// A signal that comes before anybody waits for it would end the process, and with it the counters and requests under way.
#[cfg(unix)]
#[test]
fn a_signal_to_stop_is_held_from_the_first() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let stop = runtime::local::stop_signal().expect("a handler");
        let told = Command::new("kill")
            .args(["-TERM", &std::process::id().to_string()])
            .status()
            .expect("kill is there");
        assert!(told.success());
        stop.await;
    });
}

#[test]
fn a_port_in_use() {
    let site = site();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let artifact = site.artifact.to_str().expect("temporary paths are text");
    let address = format!("127.0.0.1:{port}");
    check(
        &[
            "serve",
            "--artifact",
            artifact,
            "--addr",
            &address,
            "--no-feedback",
        ],
        2,
        &format!(
            "error: port {port} on 127.0.0.1 is in use\n  help: stop what listens there, or choose another with \
             `--addr 127.0.0.1:0` (any free port)\n"
        ),
    );
}
