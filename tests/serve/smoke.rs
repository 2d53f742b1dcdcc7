//! `runtime smoke`: what it says of a server that is well, and of servers with one thing wrong each.

#[path = "../support/fixture.rs"]
mod fixture;
#[path = "../support/socket.rs"]
mod socket;
#[path = "../support/site.rs"]
mod support;

use std::process::{Command, Output};

use artifact::format::Artifact;
use fixture::MemoryStore;
use runtime::feedback::{Recorded, StoreError, Submission};
use runtime::mcp::{
    Access, Block, Called, Endpoint, Identity, Policy, TokenDigest, ToolResult, Tools,
};
use runtime::service::SiteTools;
use serde_json::value::RawValue;

const TOKEN: &str = "shelfmark_smoke";

fn tools() -> SiteTools {
    let bytes = support::build(&[
        (
            "shelfmark.toml",
            "[site]\ntitle = \"Small\"\nurl = \"https://small.dev\"\n[[collections]]\nname = \"notes\"\npath = \"notes\"\nroute = \"/notes/{slug}\"\nposts = true\ntools = true\n",
        ),
        (
            "notes/a.md",
            "---\ntitle: The harbour\ndate: 2026-01-01\ntags: [sea]\n---\nIt is deep.\n",
        ),
        ("about.md", "# About\n"),
    ]);
    let bytes: &'static [u8] = bytes.expect("the site is without errors").leak();
    SiteTools::new(Artifact::open(bytes).expect("an artifact"), true).expect("served")
}

/// A wrong answer.
type Wrong = fn() -> Called;

/// A site of which one tool answers as `wrong` says.
struct Broken {
    tools: SiteTools,
    tool: &'static str,
    wrong: Wrong,
}

impl Tools for Broken {
    fn identity(&self) -> &Identity {
        self.tools.identity()
    }

    fn instructions(&self) -> Option<&str> {
        self.tools.instructions()
    }

    fn list(&self) -> &[u8] {
        self.tools.list()
    }

    fn call(&self, name: &str, arguments: Option<&RawValue>) -> Called {
        match name == self.tool {
            true => (self.wrong)(),
            false => self.tools.call(name, arguments),
        }
    }

    fn settle(&self, submission: &Submission, outcome: Result<Recorded, StoreError>) -> ToolResult {
        self.tools.settle(submission, outcome)
    }
}

/// What `runtime smoke` says of an endpoint.
fn smoke<T: Tools + 'static>(endpoint: Endpoint<T>, arguments: &[&str], token: &str) -> Output {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let (address, server) = socket::serve(endpoint, MemoryStore::default(), stopped);
    let output = Command::new(env!("CARGO_BIN_EXE_runtime"))
        .arg("smoke")
        .arg(format!("http://{address}/mcp"))
        .args(arguments)
        .env("SHELFMARK_TOKEN", token)
        .output()
        .expect("the binary starts");
    drop(stop);
    server.join().expect("the server ends");
    output
}

fn lines(output: &Output) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    text.lines().map(words).collect()
}

#[test]
fn every_tool_of_a_server_that_is_well_answers_in_both_generations() {
    let output = smoke(Endpoint::new(tools(), Policy::local()), &[], "");
    let lines = lines(&output);
    assert_eq!(output.status.code(), Some(0), "{lines:?}");
    let of_tools = [
        "list_collections",
        "list_pages",
        "list_tags",
        "search_content",
        "get_post",
        "get_page_info",
        "get_page_markdown",
        "man",
        "submit_feedback",
        "list_notes",
        "get_notes",
        "count_notes",
        "search_notes",
    ];
    for (era, lines) in ["legacy", "modern"]
        .into_iter()
        .zip(lines.chunks(of_tools.len()))
    {
        for (line, tool) in lines.iter().zip(of_tools) {
            assert_eq!(line[..3], [era, tool, "ok"], "{line:?}");
        }
    }
    assert_eq!(lines.last().expect("a sum")[..3], ["32", "of", "32"]);
    let output = smoke(
        Endpoint::new(tools(), Policy::local()),
        &["--no-feedback"],
        "",
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains("submit_feedback"));
}

#[test]
fn a_server_that_demands_a_token_is_asked_with_it() {
    let endpoint = || {
        let mut access = Access::of([TokenDigest::of(TOKEN)]);
        access.demanded = true;
        Endpoint::new(
            tools(),
            Policy {
                access,
                ..Policy::local()
            },
        )
    };
    assert_eq!(smoke(endpoint(), &[], TOKEN).status.code(), Some(0));
    let refused = smoke(endpoint(), &[], "other");
    assert_eq!(refused.status.code(), Some(1));
    let told = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(
        told.contains("wrong") && told.contains("status 401") && !told.contains("other"),
        "{told}"
    );
}

#[test]
fn what_is_wrong_is_told_with_the_tool_and_the_place() {
    let failed: Wrong = || {
        Called::Done(ToolResult {
            content: vec![Block::Text("Error: the disk is gone".to_owned())],
            structured: None,
            is_error: true,
        })
    };
    let cases: [(&str, Wrong, &str); 4] = [
        ("list_tags", failed, "Error: the disk is gone"),
        (
            "list_pages",
            || of(r#"{"pages":[{"route":7}]}"#, true),
            "an item of `pages` of the answer",
        ),
        (
            "list_collections",
            || of(r#"{"wrong":[]}"#, true),
            "the answer has no `collections`",
        ),
        (
            "get_page_info",
            || of(r#"{"route":"/"}"#, false),
            "the text and the structured content differ",
        ),
    ];
    for (tool, wrong, expected) in cases {
        let endpoint = Endpoint::new(
            Broken {
                tools: tools(),
                tool,
                wrong,
            },
            Policy::local(),
        );
        let output = smoke(endpoint, &[], "");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        let of_tool: Vec<&str> = told.lines().filter(|line| line.contains(tool)).collect();
        assert!(
            of_tool.len() == 2
                && of_tool
                    .iter()
                    .all(|line| line.contains("wrong") && line.contains(expected)),
            "{told}"
        );
    }
}

fn of(json: &str, same_text: bool) -> Called {
    Called::Done(ToolResult {
        content: vec![Block::Text(if same_text { json } else { "{}" }.to_owned())],
        structured: Some(json.to_owned()),
        is_error: false,
    })
}

#[test]
fn where_nothing_listens_is_told_and_is_no_success() {
    let output = Command::new(env!("CARGO_BIN_EXE_runtime"))
        .args(["smoke", "http://127.0.0.1:1/mcp"])
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("the connection failed"));
}
