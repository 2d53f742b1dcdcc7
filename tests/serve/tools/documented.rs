//! The calls that the documentation shows: each is made, and what the page shows of its answer is in the real one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use runtime::mcp::{Called, Endpoint, Policy, Step};
use serde_json::Value;

use crate::site::TestSite;

/// A block of code on a page.
struct Block {
    page: String,
    line: usize,
    language: String,
    text: String,
}

/// Calls that a page shows because they are answered with an error, by a part of their arguments, and what that answer says.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "demos/follow-a-subject.md",
        r#""tag":"deploy"}"#,
        "Did you mean deployment",
    ),
    (
        "demos/read-a-long-page.md",
        "/docs/configuration#limit\"",
        "limits",
    ),
    (
        "demos/report-a-missing-page.md",
        "not-a-uuid",
        "Error: 3 problems",
    ),
    (
        "docs/tools/get-post.md",
        r#""slug":"artifact""#,
        "/glossary/artifact",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every page of the documentation and the README, by its path below `site`.
fn pages() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("site")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "md") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    let mut pages: Vec<(String, String)> = found
        .iter()
        .map(|path| {
            let name = path.strip_prefix(root().join("site")).expect("below");
            (
                name.to_string_lossy().replace('\\', "/"),
                fs::read_to_string(path).expect("text"),
            )
        })
        .collect();
    pages.push((
        "README.md".into(),
        fs::read_to_string(root().join("README.md")).expect("text"),
    ));
    pages
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                blocks.push(Block {
                    page: page.into(),
                    line: at + 1,
                    language: language.trim().into(),
                    text: String::new(),
                });
            }
        } else if let Some(block) = blocks.last_mut().filter(|_| is_open) {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    blocks
}

/// The tool and the arguments, when the block is a call.
fn call_of(block: &Block) -> Option<(String, String)> {
    if block.language != "json" {
        return None;
    }
    let value: Value = serde_json::from_str(&block.text)
        .unwrap_or_else(|error| panic!("{}:{}: {error}", block.page, block.line));
    let members = value.as_object()?;
    let arguments = members.get("arguments").filter(|_| members.len() == 2)?;
    Some((
        members.get("name")?.as_str()?.to_owned(),
        arguments.to_string(),
    ))
}

/// Whether all that is shown is there: lists may be shortened, keys left out, and an entry of a list stand alone.
fn is_part(shown: &Value, real: &Value) -> bool {
    let same = match (shown, real) {
        (Value::Object(shown), Value::Object(real)) => shown.iter().all(|(key, value)| {
            key == "received_at" || real.get(key).is_some_and(|other| is_here(value, other))
        }),
        _ => is_here(shown, real),
    };
    let inside = || match real {
        Value::Object(members) => members.values().any(|value| is_part(shown, value)),
        Value::Array(items) => items.iter().any(|item| is_part(shown, item)),
        _ => false,
    };
    same || inside()
}

fn is_here(shown: &Value, real: &Value) -> bool {
    match (shown, real) {
        (Value::Object(shown), Value::Object(real)) => shown
            .iter()
            .all(|(key, value)| real.get(key).is_some_and(|other| is_here(value, other))),
        (Value::Array(shown), Value::Array(real)) => shown
            .iter()
            .all(|item| real.iter().any(|other| is_here(item, other))),
        _ => shown == real,
    }
}

/// The sites that pages speak of beside this one.
fn others() -> BTreeMap<&'static str, TestSite> {
    let section = |heading: &str| {
        format!(
            "\n## {heading}\n\n{}\n",
            "A sentence that takes some room here. ".repeat(400)
        )
    };
    let reference = format!(
        "# Reference\n{}{}{}{}",
        section("Commands"),
        section("Exit codes"),
        section("Environment"),
        section("History")
    );
    let manual = [
        (
            "shelfmark.toml",
            "[site]\ntitle = \"Manual\"\nurl = \"https://m.example\"\n",
        ),
        ("manual/reference.md", &*reference),
    ];
    let page =
        fs::read_to_string(root().join("site/demos/give-your-notes-a-server.md")).expect("text");
    let block = |language: &str| {
        let all = blocks("notes", &page);
        let of = all.into_iter().find(|block| block.language == language);
        of.expect("the page has one").text
    };
    let starter = block("yaml") + "\nFeed the starter for five days.\n";
    let settings = block("toml");
    let notes = [
        ("shelfmark.toml", &*settings),
        ("recipes/bread.md", "# Bread\n\nNeeds a starter.\n"),
        ("recipes/rye-starter.md", &*starter),
        ("reading.md", "# Reading\n"),
    ];
    BTreeMap::from([
        ("/manual/reference", TestSite::new(&manual)),
        ("how long does the starter need", TestSite::new(&notes)),
    ])
}

#[test]
fn every_call_in_the_documentation_is_answered_as_it_says() {
    let own = TestSite::of_folder(&root().join("site"));
    let others = others();
    let (mut calls, mut answers, mut refused) = (0, 0, 0);
    for (page, text) in pages() {
        // The text and the structured content that came last.
        let mut last: Option<(String, Value)> = None;
        for block in blocks(&page, &text) {
            let at = format!("{page}:{}", block.line);
            let Some((tool, arguments)) = call_of(&block) else {
                let shown = serde_json::from_str::<Value>(&block.text).ok();
                // Elsewhere JSON is a setting of some program.
                let is_setting = |value: &Value| {
                    value.get("mcpServers").is_some()
                        || !(page.starts_with("docs/tools") || page.starts_with("demos"))
                };
                match (&last, shown) {
                    (Some((_, real)), Some(shown)) if block.language == "json" => {
                        assert!(is_part(&shown, real), "{at} is no part of\n{real:#}");
                        answers += 1;
                    }
                    // A page is shown as it begins.
                    (Some((text, real)), None) if block.language == "text" && real.is_null() => {
                        assert!(text.starts_with(block.text.trim_end()), "{at}: {text}");
                        answers += 1;
                    }
                    (None, Some(shown)) if block.language == "json" => {
                        assert!(is_setting(&shown), "{at} answers no call");
                    }
                    _ => {}
                }
                continue;
            };
            calls += 1;
            let elsewhere = others.iter().find(|(part, _)| arguments.contains(**part));
            let site = elsewhere.map_or(&own, |(_, site)| site);
            if let Some((_, _, says)) = REFUSED
                .iter()
                .find(|(on, part, _)| *on == page && arguments.contains(part))
            {
                let told = site.error(&tool, &arguments);
                assert!(told.contains(says), "{at}: {told}");
                refused += 1;
                last = None;
                continue;
            }
            last = Some(match site.called(&tool, &arguments) {
                Called::Store(submission) => {
                    let key = submission.key.to_string();
                    (
                        String::new(),
                        serde_json::json!({"status": "recorded", "idempotency_key": key}),
                    )
                }
                Called::Unknown { .. } => panic!("{at}: there is no tool `{tool}`"),
                _ => {
                    let answer = site.call(&tool, &arguments);
                    assert!(!answer.is_error, "{at}: {}", answer.text());
                    (answer.texts[0].clone(), answer.json)
                }
            });
        }
    }
    assert_eq!(refused, REFUSED.len());
    assert!(
        calls >= 30 && answers >= 10,
        "{calls} calls, {answers} answers"
    );
}

#[test]
fn a_page_that_is_longer_than_an_answer_names_the_sections_that_are_left() {
    let others = others();
    let site = &others["/manual/reference"];
    let answer = site.call("get_page_markdown", r#"{"route":"/manual/reference"}"#);
    assert_eq!(answer.texts.len(), 2);
    let page = fs::read_to_string(root().join("site/demos/read-a-long-page.md")).expect("text");
    for line in answer.texts[1]
        .lines()
        .filter(|line| line.contains("/manual/reference#"))
    {
        let route = line.rsplit(": ").next().expect("a route");
        assert!(page.contains(&format!("- `{route}`")), "{line}");
    }
}

#[test]
fn every_request_in_the_documentation_is_answered() {
    let own = TestSite::of_folder(&root().join("site"));
    let endpoint = Endpoint::new(own.tools, Policy::local());
    let mut sent = 0;
    for (page, text) in pages() {
        for block in blocks(&page, &text) {
            let Some((_, body)) = block.text.split_once("-d '") else {
                continue;
            };
            let body = body.split('\'').next().expect("a body").replace('\n', " ");
            let at = format!("{page}:{}", block.line);
            let Step::Done(response) = endpoint.handle_line(body.as_bytes()) else {
                panic!("{at}: {body}")
            };
            let answer: Value = serde_json::from_slice(&response.body).expect("JSON");
            assert!(answer["result"].is_object(), "{at}: {answer}");
            assert!(answer["result"]["isError"] != true, "{at}: {answer}");
            // What stands below a call on a console is its answer, as far as it is shown.
            for line in block
                .text
                .lines()
                .filter(|line| line.starts_with("   \"") || line.starts_with(" \"matched"))
            {
                let line = line.trim().trim_end_matches(',').replace(": ", ":");
                let text = answer["result"]["structuredContent"].to_string();
                assert!(text.contains(&line), "{at}: {line} is no part of\n{text}");
            }
            sent += 1;
        }
    }
    assert!(sent >= 3, "{sent}");
}
