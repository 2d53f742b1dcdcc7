//! What is served: the list, unknown tools, feedback with and without a store, and the examples of every tool.

use std::path::Path;

use artifact::catalogue::{Examples, Tool, definition};
use runtime::mcp::{Called, Tools};
use serde_json::Value;

use crate::site::TestSite;
use crate::{FILES, shelf};

fn names(site: &TestSite) -> Vec<String> {
    let list: Vec<Value> = serde_json::from_slice(site.tools.list()).unwrap();
    list.iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_tools_of_every_site_are_listed() {
    assert_eq!(names(shelf()), Tool::ALL.map(Tool::name));
}

#[test]
fn without_a_store_there_is_no_feedback_anywhere() {
    let site = TestSite::with_feedback(FILES, false);
    assert_eq!(names(&site).len(), 8);
    assert!(matches!(
        site.called("submit_feedback", "{}"),
        Called::Unknown { .. }
    ));
    assert!(
        !site
            .error("get_post", r#"{"slug":"nope"}"#)
            .contains("submit_feedback")
    );
    assert!(
        !site
            .tools
            .instructions()
            .unwrap()
            .contains("submit_feedback")
    );
    assert!(!String::from_utf8_lossy(site.tools.list()).contains("submit_feedback"));
    assert!(
        shelf()
            .tools
            .instructions()
            .unwrap()
            .contains("submit_feedback")
    );
}

#[test]
fn an_unknown_tool_names_the_close_ones() {
    let Called::Unknown { closest } = shelf().called("list_page", "{}") else {
        panic!()
    };
    assert_eq!(closest[0], "list_pages");
    let Called::Unknown { closest } = shelf().called("zzz", "{}") else {
        panic!()
    };
    assert!(closest.is_empty());
}

#[test]
fn the_served_list_is_the_catalogues() {
    // Examples are the builder's choice; everything else follows from the artifact.
    let surface = shelf().tools.shelf().surface();
    let list: Vec<Value> = serde_json::from_slice(shelf().tools.list()).unwrap();
    for (tool, listed) in Tool::ALL.into_iter().zip(&list) {
        assert_eq!(
            listed["description"],
            definition(tool, &surface).description,
            "{}",
            tool.name()
        );
    }
    let search = list[2]["inputSchema"]["properties"]["collection"]["enum"].clone();
    assert_eq!(search, serde_json::json!(["writing", "glossary"]));
    assert!(!String::from_utf8_lossy(shelf().tools.list()).contains("\"secret\""));
}

#[test]
fn every_example_runs() {
    let surface = artifact::catalogue::SiteSurface {
        examples: Examples {
            word: Some("shelves".into()),
            collection: Some("writing".into()),
            tag: Some("caching".into()),
            post: Some("hello".into()),
            route: Some("/writing/hello".into()),
            anchor: Some("why".into()),
        },
        ..shelf().tools.shelf().surface()
    };
    for tool in Tool::ALL {
        for example in definition(tool, &surface).examples {
            match shelf().called(tool.name(), &example.arguments) {
                Called::Found(_) | Called::Missed(..) | Called::Done(_) => assert!(
                    !shelf().call(tool.name(), &example.arguments).is_error,
                    "{}",
                    example.arguments
                ),
                Called::Store(submission) => assert!(submission.about.unwrap().published),
                Called::Unknown { .. } => panic!("{} is not served", tool.name()),
            }
        }
    }
}

#[test]
fn all_answers_of_our_own_site_are_as_promised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site");
    let site = TestSite::of_folder(&folder);
    for tool in ["list_collections", "list_pages", "list_tags"] {
        site.json(tool, "{}");
    }
    let pages = site.json("list_pages", "{}");
    let found = site.json(
        "search_content",
        r#"{"match":{"text":"search words markdown"},"limit":25}"#,
    );
    let routes = pages["pages"]
        .as_array()
        .unwrap()
        .iter()
        .chain(found["results"].as_array().unwrap());
    for route in routes.map(|page| page["route"].as_str().unwrap()) {
        let arguments = serde_json::json!({ "route": route }).to_string();
        let info = site.json("get_page_info", &arguments);
        assert!(!site.call("get_page_markdown", &arguments).is_error);
        for section in info["sections"].as_array().unwrap() {
            let arguments = serde_json::json!({ "route": section["route"] }).to_string();
            let answer = site.call("get_page_markdown", &arguments);
            assert!(!answer.is_error, "{arguments}: {answer:?}");
        }
    }
}
