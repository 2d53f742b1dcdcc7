//! How large an answer can get: Lambda hands over no response of more than 6,291,556 bytes, and the caller then gets an error after the
//! function has answered.

use runtime::feedback::NoStore;
use runtime::lambda::{Event, answer};
use runtime::mcp::{Endpoint, Policy};
use serde_json::{Value, json};

use crate::site::TestSite;

/// What Lambda hands over at most, with the envelope that is put around the body.
const LAMBDA_BYTES: usize = 6_291_556;

/// A site of many pages and of long ones, of characters that grow when they are escaped, with as large an answer as settings allow.
fn large() -> TestSite {
    let settings = "[site]\ntitle = \"Large\"\nurl = \"https://large.example\"\n[limits]\nanswer_bytes = 1000000\n[[collections]]\nname = \"notes\"\npath = \"notes\"\nroute = \"/notes/{slug}\"\nposts = true\n";
    let mut files = vec![
        ("shelfmark.toml".to_owned(), settings.to_owned()),
        ("index.md".to_owned(), "# Large\n".to_owned()),
    ];
    let quotes = "He said \"\\\\\\\\\" and \"\\\\\".\n\n".repeat(80);
    for n in 0..1_500 {
        let title = format!("Note \\\"{n}\\\" {}", "\\\"long\\\" ".repeat(12));
        let head = format!(
            "---\ntitle: \"{title}\"\ndescription: \"{}\"\ntags: [tag-{n}]\n---\n\n",
            "\\\"word\\\" ".repeat(30)
        );
        let body = if n < 20 {
            quotes.repeat(40)
        } else {
            "Words.\n".to_owned()
        };
        files.push((format!("notes/note-{n}.md"), head + &body));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    TestSite::new(&files)
}

/// Bytes of what the function hands to Lambda.
fn handed_over(endpoint: &Endpoint<runtime::service::SiteTools>, body: &Value) -> usize {
    let event: Event = serde_json::from_value(json!({
        "version": "2.0",
        "rawPath": "/mcp",
        "headers": {"content-type": "application/json"},
        "requestContext": {"http": {"method": "POST"}},
        "body": body.to_string(),
    }))
    .expect("an event");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let answer = runtime.block_on(answer(endpoint, &NoStore, &event, jiff::Timestamp::now));
    assert_eq!(answer.status_code, 200);
    serde_json::to_vec(&answer).expect("JSON").len()
}

#[test]
fn a_response_over_6_mb_failed_after_the_handler_succeeded() {
    let endpoint = Endpoint::new(large().tools, Policy::deployed("https://large.example"));
    let calls = [
        ("list_collections", json!({"limit": 1_000_000_000})),
        ("list_pages", json!({"limit": 1_000_000_000})),
        ("list_pages", json!({})),
        ("list_tags", json!({"limit": 1_000_000_000})),
        (
            "search_content",
            json!({"collection": "notes", "limit": 25}),
        ),
        (
            "search_content",
            json!({"match": {"text": "word words note said"}, "limit": 25}),
        ),
        ("get_post", json!({"slug": "note-1"})),
        ("get_page_info", json!({"route": "/notes/note-1"})),
        ("get_page_markdown", json!({"route": "/notes/note-1"})),
    ];
    let mut most = 0;
    for (name, arguments) in calls {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        let alone = handed_over(&endpoint, &call);
        let batch = handed_over(&endpoint, &Value::from(vec![call; 32]));
        for (how, bytes) in [("alone", alone), ("32 times in a batch", batch)] {
            assert!(
                bytes < LAMBDA_BYTES,
                "{name} {arguments} {how}: {bytes} bytes"
            );
            most = most.max(bytes);
        }
    }
    crate::tell(most, "bytes in the largest answer of a function");
}
