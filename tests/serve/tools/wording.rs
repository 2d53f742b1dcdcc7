//! The wording rules over every text that is served beside the tools' own: refusals, what is not there, what became of a message, notes, instructions.

use std::collections::BTreeSet;

use runtime::feedback::{Recorded, StoreError};
use runtime::mcp::{Block, Called, Tools};
use serde_json::Value;

use crate::site::TestSite;
use crate::{CONFIG, FILES};

fn site(feedback: bool) -> TestSite {
    let config = CONFIG
        .replacen("posts = true", "posts = true\ntools = true", 1)
        .replace("/writing/{slug}", "/writing/{path}");
    let mut files: Vec<(&str, &str)> = FILES.to_vec();
    files[0].1 = &config;
    files.extend([
        ("writing/a/news.md", "# One\n\nNews.\n"),
        ("writing/b/news.md", "# Two\n\nNews.\n"),
    ]);
    TestSite::with_feedback(&files, feedback)
}

/// The names of the tools, and of what they take.
fn known(site: &TestSite) -> (BTreeSet<String>, BTreeSet<String>) {
    let list: Vec<Value> = serde_json::from_slice(site.tools.list()).unwrap();
    let (mut tools, mut all) = (BTreeSet::new(), BTreeSet::new());
    for tool in &list {
        let name = tool["name"].as_str().unwrap().to_owned();
        tools.insert(name.clone());
        all.insert(name);
        let members = tool["inputSchema"]["properties"].as_object();
        all.extend(members.into_iter().flatten().map(|(name, _)| name.clone()));
    }
    (tools, all)
}

/// What every text keeps to: whole sentences, and no name that looks like a tool's and is none.
fn check(site: &TestSite, text: &str) {
    let end = text.trim_end().chars().last().unwrap_or_default();
    let is_list = text.lines().count() > 1;
    assert!(
        is_list || matches!(end, '.' | '?' | '}'),
        "no sentence: {text}"
    );
    assert!(
        !text.contains("  ") && !text.contains("``") && !text.contains(" ."),
        "{text}"
    );
    let (_, all) = known(site);
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let looks = ["get_", "list_", "search_", "count_", "submit_"]
            .iter()
            .any(|verb| word.starts_with(verb));
        assert!(!looks || all.contains(word), "{word} is no tool: {text}");
    }
}

#[test]
fn what_is_not_there_is_told_with_the_next_step() {
    for feedback in [true, false] {
        let site = site(feedback);
        let (tools, _) = known(&site);
        for (tool, arguments) in [
            ("get_post", r#"{"slug":"helo"}"#),
            ("get_post", r#"{"slug":"zzz"}"#),
            ("get_post", r#"{"slug":"cache"}"#),
            ("get_post", r#"{"slug":"news"}"#),
            ("get_page_info", r#"{"route":"/writing/helo"}"#),
            ("get_page_info", r#"{"route":"https://other.example/x"}"#),
            ("get_page_info", r#"{"route":"/secret/plan"}"#),
            ("get_page_markdown", r#"{"route":"/zzz"}"#),
            ("get_page_markdown", r#"{"route":"/writing/hello#wy"}"#),
            ("get_page_markdown", r#"{"route":"/writing/second#why"}"#),
            ("search_content", r#"{"tag":"cachin"}"#),
            ("man", r#"{"topic":"getpost"}"#),
            ("get_writing", r#"{"id":"helo"}"#),
            ("get_writing", r#"{"id":"cache"}"#),
            ("get_writing", r#"{"id":"news"}"#),
        ] {
            let text = site.error(tool, arguments);
            check(&site, &text);
            assert!(!text.starts_with("Error:"), "{text}");
            let words: BTreeSet<&str> = text
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .collect();
            let next = tools.iter().any(|tool| words.contains(tool.as_str()));
            let routes = text.contains("/writing/") || text.contains("ask for the route alone");
            assert!(next || routes, "no next step: {text}");
            let near = text
                .split("Did you mean ")
                .nth(1)
                .map(|rest| rest.split('?').next().unwrap());
            assert!(
                near.is_none_or(|near| near.split(", ").count() <= 3),
                "{text}"
            );
        }
    }
}

#[test]
fn what_is_refused_is_told_with_what_would_do() {
    let site = site(true);
    let (tools, _) = known(&site);
    for tool in &tools {
        for arguments in [
            r#"{"zzz":1}"#,
            "[1]",
            r#"{"limit":"ten","offset":-1,"slug":[],"route":{},"topic":[],"match":3,"id":[],"query":{}}"#,
        ] {
            let text = site.error(tool, arguments);
            check(&site, &text);
            assert!(text.starts_with("Error: "), "{tool}: {text}");
            let next = [
                "Send ",
                "Known here: ",
                "for example ",
                "did you mean ",
                "None is taken here",
            ];
            assert!(
                next.iter().any(|next| text.contains(next)),
                "{tool}: {text}"
            );
            assert_eq!(
                text.contains("Nothing was saved."),
                tool == "submit_feedback",
                "{tool}: {text}"
            );
        }
    }
    assert_eq!(
        site.error("count_writing", r#"{"tag":"x"}"#),
        "Error: there is no argument `tag`. None is taken here. Send {}."
    );
}

#[test]
fn what_became_of_a_message_is_told_with_whether_it_was_saved() {
    let site = site(true);
    let message = r#"{"idempotency_key":"6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90","message":"Hello","kind":"other","severity":"low"}"#;
    let submission = site.submission(message);
    for (outcome, saved) in [
        (Ok(Recorded::Conflict), "Nothing was saved"),
        (
            Ok(Recorded::Full {
                again_at: "2026-12-01T00:00:00Z".into(),
            }),
            "Nothing was saved",
        ),
        (
            Err(StoreError::Unavailable {
                reason: "a secret",
                source: None,
            }),
            "Nothing was saved",
        ),
        (
            Err(StoreError::Unsure {
                reason: "a secret",
                source: None,
            }),
            "not known whether the message was saved",
        ),
    ] {
        let result = site.tools.settle(&submission, outcome);
        let [Block::Text(text)] = result.content.as_slice() else {
            panic!("{result:?}")
        };
        check(&site, text);
        assert!(result.is_error && text.contains(saved), "{text}");
        assert!(text.to_lowercase().contains("send"), "no next step: {text}");
        assert!(
            text.contains("idempotency_key") || text.contains("UUID"),
            "{text}"
        );
        assert!(
            !text.contains("secret") && !text.starts_with("Error:"),
            "{text}"
        );
    }
}

#[test]
fn notes_are_sentences() {
    let site = site(true);
    let mut seen = BTreeSet::new();
    for text in [
        "shelvse",
        "cach",
        "helloShelves",
        "the",
        "???",
        "zzzzzz caching",
        "\"cachin\" text",
        "\"text caching\"",
    ] {
        let arguments = serde_json::json!({"match": {"text": text}}).to_string();
        let answer = site.json("search_content", &arguments);
        for note in answer["notes"].as_array().into_iter().flatten() {
            let note = note.as_str().unwrap();
            check(&site, note);
            assert!(note.ends_with('.') && note.lines().count() == 1, "{note}");
            seen.insert(note.to_owned());
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
    let found = site.json("search_writing", r#"{"query":"caching news","limit":1}"#);
    check(&site, found["notes"][0].as_str().unwrap());
}

#[test]
fn instructions_and_unknown_tools_name_what_is_there() {
    for feedback in [true, false] {
        let site = site(feedback);
        let text = site.tools.instructions().unwrap();
        check(&site, text);
        let (tools, _) = known(&site);
        for tool in ["search_content", "get_page_markdown", "man"] {
            assert!(tools.contains(tool) && text.contains(tool), "{text}");
        }
        let Called::Unknown { closest } = site.called("search", "{}") else {
            panic!("there is no such tool")
        };
        assert!(
            !closest.is_empty() && closest.iter().all(|name| tools.contains(name)),
            "{closest:?}"
        );
    }
}
