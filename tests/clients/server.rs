//! A server with the tools that other people's test programs ask for: the conformance suite, and clients that want `echo`.
//!
//! It reuses the shipped protocol core and adapters, and exists only to be tested: no shipped binary holds these tools.
//!
//! ```text
//! cargo run -p runtime --example client_server -- 127.0.0.1:9100     # HTTP
//! cargo run -p runtime --example client_server                       # stdio
//! ```

use std::sync::Arc;

use runtime::feedback::{NoStore, Recorded, StoreError, Submission};
use runtime::mcp::{Block, Called, Endpoint, Identity, Policy, ToolResult, Tools};
use runtime::request_log::RequestLog;
use runtime::{http, stdio};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A PNG of one pixel.
const IMAGE: &str = r#"{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="}"#;
/// A WAV file without samples.
const AUDIO: &str = r#"{"type":"audio","mimeType":"audio/wav","data":"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="}"#;
const RESOURCE: &str = r#"{"type":"resource","resource":{"uri":"test://embedded","mimeType":"text/plain","text":"An embedded resource."}}"#;

/// Definitions: name, description, input schema. The first accepts no arguments, as the header checks call it.
const TOOLS: [(&str, &str, &str); 12] = [
    ("test_simple_text", "One text block", NO_ARGUMENTS),
    ("test_image_content", "One image block", NO_ARGUMENTS),
    ("test_audio_content", "One audio block", NO_ARGUMENTS),
    ("test_embedded_resource", "One resource block", NO_ARGUMENTS),
    (
        "test_multiple_content_types",
        "One block of three kinds",
        NO_ARGUMENTS,
    ),
    ("test_error_handling", "Always fails", NO_ARGUMENTS),
    (
        "echo",
        "Says back the text",
        r#"{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}"#,
    ),
    (
        "test_missing_capability",
        "Needs a client that samples",
        NO_ARGUMENTS,
    ),
    // Both run at once and answer with one JSON object, as every tool here does: there is no stream to misuse.
    (
        "test_streaming_elicitation",
        "Answers without a stream",
        NO_ARGUMENTS,
    ),
    ("test_logging_tool", "Answers without logging", NO_ARGUMENTS),
    (
        "mirrored",
        "Has an argument that travels in a header as well",
        r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}"#,
    ),
    // Every keyword that the suite looks for, to prove that a definition reaches the client unchanged.
    (
        "json_schema_2020_12_tool",
        "A schema that uses much of JSON Schema",
        r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}"##,
    ),
];

const NO_ARGUMENTS: &str = r#"{"type":"object","additionalProperties":false}"#;

struct Fixtures {
    identity: Identity,
    list: Vec<u8>,
}

impl Fixtures {
    fn new() -> Fixtures {
        let tools = TOOLS.map(|(name, description, schema)| {
            format!(r#"{{"name":"{name}","description":"{description}","inputSchema":{schema}}}"#)
        });
        Fixtures {
            identity: Identity {
                name: "fixtures".to_owned(),
                version: "1.0.0".to_owned(),
                ..Identity::default()
            },
            list: format!("[{}]", tools.join(",")).into_bytes(),
        }
    }
}

impl Tools for Fixtures {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn instructions(&self) -> Option<&str> {
        None
    }

    fn list(&self) -> &[u8] {
        &self.list
    }

    fn needs(&self, name: &str) -> Option<&'static str> {
        (name == "test_missing_capability").then_some("sampling")
    }

    fn call(&self, name: &str, arguments: Option<&RawValue>) -> Called {
        let text = |text: &str| Block::Text(text.to_owned());
        let json = |block: &str| Block::Json(block.to_owned());
        let content = match name {
            "test_simple_text"
            | "test_missing_capability"
            | "test_streaming_elicitation"
            | "test_logging_tool"
            | "mirrored"
            | "json_schema_2020_12_tool" => vec![text("A simple text.")],
            "test_image_content" => vec![json(IMAGE)],
            "test_audio_content" => vec![json(AUDIO)],
            "test_embedded_resource" => vec![json(RESOURCE)],
            "test_multiple_content_types" => vec![text("A text."), json(IMAGE), json(RESOURCE)],
            "test_error_handling" => vec![text("Error: this tool always fails")],
            "echo" => vec![text(&said(arguments))],
            _ => return Called::Unknown { closest: vec![] },
        };
        Called::Done(ToolResult {
            content,
            structured: None,
            is_error: name == "test_error_handling",
        })
    }

    fn settle(&self, _: &Submission, _: Result<Recorded, StoreError>) -> ToolResult {
        ToolResult::default()
    }
}

fn said(arguments: Option<&RawValue>) -> String {
    #[derive(Default, Deserialize)]
    struct Echo {
        text: String,
    }
    let echo: Echo = arguments
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    echo.text
}

fn main() -> std::io::Result<()> {
    let endpoint = Endpoint::new(Fixtures::new(), Policy::local());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    match std::env::args().nth(1) {
        Some(address) => runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind(address).await?;
            eprintln!("http://{}/mcp", listener.local_addr()?);
            let stop = async {
                let _ = tokio::signal::ctrl_c().await;
            };
            let log = Arc::new(RequestLog::off());
            http::serve(listener, Arc::new(endpoint), None, log, stop).await
        }),
        None => {
            let input = tokio::io::BufReader::new(tokio::io::stdin());
            let served = runtime.block_on(stdio::serve(
                &endpoint,
                &NoStore,
                input,
                tokio::io::stdout(),
                &RequestLog::off(),
            ));
            runtime.shutdown_background();
            served
        }
    }
}
