//! `get_post`.

use serde_json::json;

use crate::shelf;

#[test]
fn a_post_is_a_row() {
    assert_eq!(
        shelf().json("get_post", r#"{"slug":"hello"}"#),
        json!({"post": {
            "collection": "writing", "slug": "hello", "route": "/writing/hello",
            "url": "https://shelf.example/docs/writing/hello", "markdown_url": "https://shelf.example/docs/writing/hello.md",
            "title": "Hello shelves", "description": "A first look.", "date": "2026-01-02", "updated": "2026-03-04T05:06:07+02:00",
            "tags": ["caching", "cpp", "how-i-work"], "aliases": ["Greeting"],
        }})
    );
}

#[test]
fn a_slug_of_digits_is_text() {
    for slug in ["\"2024\"", "2024"] {
        assert_eq!(
            shelf().json("get_post", &format!(r#"{{"slug":{slug}}}"#))["post"]["title"],
            "The year"
        );
    }
}

#[test]
fn a_slug_in_other_spellings() {
    for slug in [
        "HELLO",
        " hello ",
        "/writing/hello",
        "writing/hello/",
        "https://shelf.example/docs/writing/hello",
        "hello.md",
    ] {
        assert_eq!(
            shelf().json("get_post", &format!(r#"{{"slug":"{slug}"}}"#))["post"]["slug"],
            "hello",
            "{slug}"
        );
    }
}

#[test]
fn a_document_that_is_not_a_post_tells_what_it_is() {
    let text = shelf().error("get_post", r#"{"slug":"cache"}"#);
    assert_eq!(
        text,
        "`cache` is not a post, it is a document of glossary: /glossary/cache. get_page_info and get_page_markdown take that route."
    );
}

#[test]
fn an_unknown_slug_names_the_near_ones() {
    let text = shelf().error("get_post", r#"{"slug":"helo"}"#);
    assert!(text.starts_with("No post has the slug `helo`. Did you mean hello? search_content with collection writing"), "{text}");
    assert!(
        text.ends_with("submit_feedback tells the author."),
        "{text}"
    );
}

#[test]
fn a_draft_is_not_there() {
    let text = shelf().error("get_post", r#"{"slug":"draft"}"#);
    assert!(
        text.starts_with("No post has the slug `draft`. search_content"),
        "{text}"
    );
    assert!(
        shelf()
            .error("get_post", r#"{"slug":"plan"}"#)
            .starts_with("No post has the slug `plan`.")
    );
}

#[test]
fn an_echoed_slug_cannot_forge_a_line() {
    let text = shelf().error(
        "get_post",
        "{\"slug\":\"x\\nReference: /evil\u{202E}\u{E0041}\"}",
    );
    assert!(
        text.starts_with("No post has the slug `x Reference: /evil`."),
        "{text:?}"
    );
    assert_eq!(text.lines().count(), 1);
}
