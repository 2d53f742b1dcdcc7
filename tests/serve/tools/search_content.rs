//! `search_content`: the answer. Ranking has tests of its own.

use serde_json::json;

use crate::{shelf, values};

#[test]
fn a_result_is_a_row_with_where_the_words_stood() {
    let found = shelf().json("search_content", r#"{"match":{"text":"biometric"}}"#);
    assert_eq!(found["matched"], 1);
    let result = &found["results"][0];
    assert_eq!(result["route"], "/writing/hello");
    assert_eq!(result["fields"], json!(["body"]));
    assert_eq!(
        result["section"],
        json!({"heading": "Why", "route": "/writing/hello#why"})
    );
    assert!(
        result["snippet"].as_str().unwrap().contains("biometric"),
        "{result}"
    );
    assert_eq!(result["tags"], json!(["caching", "cpp", "how-i-work"]));
}

#[test]
fn without_words_the_newest_come_first() {
    let found = shelf().json("search_content", r#"{"collection":"writing"}"#);
    assert_eq!(
        values(&found["results"], "slug"),
        ["second", "hello", "2024"]
    );
    assert_eq!(
        (&found["matched"], &found["results"][0]["fields"]),
        (&json!(3), &json!([]))
    );
    assert!(found.get("matched_all").is_none());
    let found = shelf().json("search_content", r#"{"tag":"caching","limit":2}"#);
    assert_eq!(
        (&found["matched"], values(&found["results"], "slug")),
        (&json!(3), vec!["second", "hello"])
    );
    let found = shelf().json(
        "search_content",
        r#"{"tag":"caching","collection":"glossary"}"#,
    );
    assert_eq!(values(&found["results"], "slug"), ["cache"]);
}

#[test]
fn c_and_cpp_are_two_tags() {
    let found = |tag: &str| {
        values(
            &shelf().json("search_content", &json!({ "tag": tag }).to_string())["results"],
            "slug",
        )
        .join(",")
    };
    assert_eq!(found("c"), "c");
    assert_eq!(found("cpp"), "hello,cache");
    for spelling in ["C++", "CPP", "c++"] {
        assert_eq!(found(spelling), "hello,cache", "{spelling}");
    }
    assert_eq!(found("How I work"), "hello");
}

#[test]
fn a_tag_of_digits_came_as_a_number() {
    for tag in ["2024", "\"2024\""] {
        let found = shelf().json("search_content", &format!(r#"{{"tag":{tag}}}"#));
        assert_eq!(values(&found["results"], "slug"), ["2024"]);
    }
}

#[test]
fn an_unknown_tag_names_the_near_ones() {
    let text = shelf().error("search_content", r#"{"tag":"cachin"}"#);
    assert!(
        text.starts_with(
            "There is no tag `cachin`. Did you mean caching? list_tags has the real ones."
        ),
        "{text}"
    );
    assert!(
        shelf()
            .error("search_content", r#"{"tag":"unheard"}"#)
            .starts_with("There is no tag `unheard`.")
    );
}

#[test]
fn a_hidden_collection_is_not_a_collection() {
    let text = shelf().error("search_content", r#"{"collection":"secret"}"#);
    assert!(
        text.starts_with(
            "Error: `collection` has to be one of writing, glossary, but \"secret\" came."
        ),
        "{text}"
    );
}

#[test]
fn nothing_found_is_an_answer() {
    for word in ["zeppelin", "xylophone", "qqqqqqqq"] {
        let found = shelf().json(
            "search_content",
            &json!({"match": {"text": word, "in": "body"}}).to_string(),
        );
        assert_eq!(
            (&found["matched"], &found["results"]),
            (&json!(0), &json!([])),
            "{word}"
        );
    }
}

#[test]
fn words_are_not_a_query_grammar() {
    for text in [
        "C++",
        "a OR b",
        "title:x",
        "-flag",
        "\"",
        "\"\"",
        "*",
        "(",
        "a AND (b",
        "\\",
        "'; drop table",
        "%",
        "\u{202E}x",
    ] {
        shelf().json(
            "search_content",
            &json!({"match": {"text": text}}).to_string(),
        );
    }
}
