//! Bearer tokens over the protocol core: who gets which view, and what is said to those who get none.

#[path = "../support/fixture.rs"]
mod fixture;

use std::time::Duration;

use fixture::Fixture;
use http::{HeaderMap, HeaderName, HeaderValue};
use runtime::mcp::{Access, Endpoint, Place, Policy, Request, Response, Step, TokenDigest};

const TOKEN: &str = "shelfmark_00ff";
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

fn access() -> Access {
    Access::of([TokenDigest::of(TOKEN)])
}

fn demanding() -> Access {
    let mut access = access();
    access.demanded = true;
    access
}

/// The full view is told apart by its title.
fn endpoint(access: Access) -> Endpoint<Fixture> {
    let policy = Policy {
        place: Place::Deployed,
        access,
        ..Policy::deployed("https://example.com")
    };
    Endpoint::new(Fixture::default(), policy).with_full(Fixture::titled("Full"))
}

fn headers(more: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let usual = [
        ("content-type", "application/json"),
        ("host", "mcp.example.com"),
    ];
    for (name, value) in usual.iter().chain(more) {
        let value = HeaderValue::from_str(value).expect("a value");
        headers.append(HeaderName::from_static(name), value);
    }
    headers
}

fn post(endpoint: &Endpoint<Fixture>, more: &[(&'static str, &str)], body: &str) -> Response {
    let headers = headers(more);
    let request = Request {
        method: "POST",
        headers: &headers,
        body: body.as_bytes(),
    };
    match endpoint.handle(&request) {
        Step::Done(response) => response,
        Step::Store(_) => panic!("nothing is written"),
    }
}

fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    let found = response.headers.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| &**value)
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

fn title(response: &Response) -> String {
    let json: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
    let title = &json["result"]["serverInfo"]["title"];
    title.as_str().unwrap_or("-").to_owned()
}

#[test]
fn a_known_token_gets_the_full_view_and_any_other_answer_is_the_public_one() {
    let endpoint = endpoint(access());
    let known = format!("Bearer {TOKEN}");
    assert_eq!(
        title(&post(&endpoint, &[("authorization", &known)], INITIALIZE)),
        "Full"
    );
    let public = post(&endpoint, &[], INITIALIZE);
    assert_eq!(title(&public), "Fixture \"site\"");
    for wrong in ["Bearer x", "bearer", "Basic abc", "Bearer a b"] {
        let response = post(&endpoint, &[("authorization", wrong)], INITIALIZE);
        assert_eq!(response, public, "{wrong}");
    }
    let twice = [
        ("authorization", known.as_str()),
        ("authorization", known.as_str()),
    ];
    assert_eq!(post(&endpoint, &twice, INITIALIZE), public);
}

#[test]
fn lists_are_cached_for_all_only_where_no_token_counts() {
    let modern = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    for (access, scope) in [
        (Access::default(), "public"),
        (access(), "private"),
        (demanding(), "private"),
    ] {
        let endpoint = endpoint(access);
        for method in ["tools/list", "server/discover"] {
            let bearer = format!("Bearer {TOKEN}");
            let headers = [
                ("mcp-protocol-version", "2026-07-28"),
                ("mcp-method", method),
                ("authorization", bearer.as_str()),
            ];
            let response = post(&endpoint, &headers, &modern.replace("METHOD", method));
            let json: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
            assert_eq!(json["result"]["cacheScope"], scope, "{method}");
        }
    }
}

#[test]
fn a_demanded_token_is_asked_for_by_the_head_alone() {
    let endpoint = endpoint(demanding());
    let cases = [
        (None, r#"Bearer realm="mcp""#),
        (Some("Basic abc"), r#"Bearer realm="mcp""#),
        (
            Some("Bearer x"),
            r#"Bearer realm="mcp", error="invalid_token", error_description="the token is not known""#,
        ),
    ];
    for (sent, challenge) in cases {
        let sent: Vec<(&'static str, &str)> =
            sent.iter().map(|value| ("authorization", *value)).collect();
        for method in ["POST", "GET", "DELETE"] {
            let response = endpoint
                .refuse(method, &headers(&sent))
                .expect("refused early");
            assert_eq!(response.status, 401, "{method}");
            assert_eq!(header(&response, "www-authenticate"), Some(challenge));
            assert_eq!(header(&response, "access-control-allow-origin"), Some("*"));
            let exposed = header(&response, "access-control-expose-headers");
            assert_eq!(exposed, Some("WWW-Authenticate"));
        }
        // What is wrong with the body is not said.
        assert_eq!(post(&endpoint, &sent, "{").status, 401);
    }
    let known = format!("bearer  {TOKEN}");
    assert_eq!(
        title(&post(&endpoint, &[("authorization", &known)], INITIALIZE)),
        "Full"
    );
    assert_eq!(
        endpoint
            .refuse("OPTIONS", &headers(&[]))
            .expect("a preflight")
            .status,
        204
    );
    let stranger = headers(&[("origin", "https://evil.example")]);
    assert_eq!(
        endpoint.refuse("POST", &stranger).expect("refused").status,
        403
    );
}

#[test]
fn resource_metadata_is_there_with_an_authorization_server_and_only_then() {
    const ROOT: &str = "/.well-known/oauth-protected-resource";
    const MCP: &str = "/.well-known/oauth-protected-resource/mcp";
    let without = endpoint(demanding());
    let none = headers(&[]);
    for path in [ROOT, MCP, "/"] {
        assert_eq!(
            without
                .elsewhere("GET", path, &none, Duration::ZERO)
                .expect("not ours")
                .status,
            404
        );
    }
    assert_eq!(
        without.elsewhere("GET", "/mcp", &none, Duration::ZERO),
        None
    );

    let mut access = demanding();
    access.authorization_servers = vec!["https://login.example.com".to_owned()];
    let derived = endpoint(access.clone());
    let expected = r#"{"authorization_servers":["https://login.example.com"],"bearer_methods_supported":["header"],"resource":"https://mcp.example.com/mcp"}"#;
    for path in [ROOT, MCP] {
        let response = derived
            .elsewhere("GET", path, &none, Duration::ZERO)
            .expect("a document");
        assert_eq!(
            (response.status, header(&response, "content-type")),
            (200, Some("application/json"))
        );
        assert_eq!(String::from_utf8_lossy(&response.body), expected);
        assert_eq!(header(&response, "access-control-allow-origin"), Some("*"));
        assert_eq!(
            derived
                .elsewhere("OPTIONS", path, &none, Duration::ZERO)
                .expect("a preflight")
                .status,
            204
        );
        let response = derived
            .elsewhere("POST", path, &none, Duration::ZERO)
            .expect("a refusal");
        assert_eq!(
            (response.status, header(&response, "allow")),
            (405, Some("GET, HEAD, OPTIONS"))
        );
    }
    assert_eq!(
        derived
            .elsewhere("GET", &format!("{ROOT}/other"), &none, Duration::ZERO)
            .expect("nothing")
            .status,
        404
    );
    let refused = derived.refuse("POST", &none).expect("refused");
    let challenge =
        format!(r#"Bearer realm="mcp", resource_metadata="https://mcp.example.com{MCP}""#);
    assert_eq!(
        header(&refused, "www-authenticate"),
        Some(challenge.as_str())
    );

    access.resource = Some("https://front.example.com/mcp".to_owned());
    let configured = endpoint(access);
    let response = configured
        .elsewhere("GET", MCP, &none, Duration::ZERO)
        .expect("a document");
    assert!(
        String::from_utf8_lossy(&response.body)
            .contains(r#""resource":"https://front.example.com/mcp""#)
    );
}

#[test]
fn batches_and_lines_are_answered_from_the_view_of_the_request() {
    let endpoint = endpoint(access());
    let known = format!("Bearer {TOKEN}");
    let batch = format!("[{LIST}]");
    let full = post(&endpoint, &[("authorization", &known)], &batch);
    assert_eq!(full.status, 200);
    let Step::Done(line) = endpoint.handle_line(INITIALIZE.as_bytes()) else {
        panic!("nothing is written");
    };
    assert_eq!(title(&line), "Fixture \"site\"");
}
