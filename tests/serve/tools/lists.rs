//! `list_collections`, `list_pages`, `list_tags`.

use serde_json::json;

use crate::site::TestSite;
use crate::{CONFIG, FILES, shelf, values};

#[test]
fn collections_come_in_the_sites_order_without_the_hidden_one() {
    assert_eq!(
        shelf().json("list_collections", "{}"),
        json!({"collections": [
            {"name": "writing", "title": "Writing", "description": "Posts.", "route": "/writing", "url": "https://shelf.example/docs/writing", "documents": 3},
            {"name": "glossary", "title": "Terms", "route": "/glossary", "url": "https://shelf.example/docs/glossary", "documents": 3},
        ]})
    );
}

#[test]
fn pages_are_those_without_a_collection_by_route() {
    let pages = shelf().json("list_pages", "{}");
    assert_eq!(
        values(&pages["pages"], "route"),
        [
            "/",
            "/about",
            "/glossary",
            "/tags",
            "/tags/2024",
            "/tags/c",
            "/tags/caching",
            "/tags/cpp",
            "/tags/how-i-work",
            "/writing"
        ]
    );
    assert_eq!(
        pages["pages"][1],
        json!({"route": "/about", "url": "https://shelf.example/docs/about", "markdown_url": "https://shelf.example/docs/about.md", "title": "About", "description": "Who writes."})
    );
}

#[test]
fn tags_count_documents_in_all_and_by_collection() {
    let tags = shelf().json("list_tags", "{}");
    assert_eq!(
        values(&tags["tags"], "tag"),
        ["2024", "c", "caching", "cpp", "how-i-work"]
    );
    assert_eq!(
        tags["tags"][2],
        json!({"tag": "caching", "title": "Caching", "route": "/tags/caching", "documents": 3, "collections": {"writing": 2, "glossary": 1}})
    );
    assert_eq!(tags["tags"][3]["title"], "C++");
    // The page about is no document.
    assert_eq!(tags["tags"][4]["documents"], 1);
}

#[test]
fn a_limit_takes_the_first() {
    for (tool, key) in [
        ("list_collections", "collections"),
        ("list_pages", "pages"),
        ("list_tags", "tags"),
    ] {
        let all = shelf().json(tool, "{}");
        let one = shelf().json(tool, r#"{"limit":"1"}"#);
        assert_eq!(one, json!({key: [all[key][0]]}));
        assert_eq!(shelf().json(tool, r#"{"limit":1000000}"#), all);
        assert_eq!(shelf().json(tool, r#"{"limit":null}"#), all);
        for limit in ["0", "-1", "1.5", "\"x\""] {
            assert!(
                shelf()
                    .error(tool, &format!(r#"{{"limit":{limit}}}"#))
                    .starts_with("Error: `limit` ")
            );
        }
    }
}

#[test]
fn a_list_of_many_pages_outgrew_the_model() {
    let mut files: Vec<(String, String)> = vec![(
        "shelfmark.toml".into(),
        "collections = []\n[site]\ntitle = \"Many\"\nurl = \"https://m.example\"\n[limits]\nanswer_bytes = 20000\n"
            .into(),
    )];
    for n in 0..300 {
        files.push((
            format!("page-{n:03}.md"),
            format!("---\ntitle: \"Page \\\"{n}\\\"\"\n---\nText {n}.\n"),
        ));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let site = TestSite::new(&files);
    let answer = site.call("list_pages", "{}");
    let sent = answer.text().len() + serde_json::Value::from(answer.text()).to_string().len();
    assert!(sent < 20_000, "{sent}");
    let shown = answer.json["pages"].as_array().unwrap().len();
    assert!(shown > 30, "{shown}");
    assert_eq!(
        answer.json["notes"][0],
        format!("The list is cut to keep the answer small: it shows {shown} of 301.")
    );
}

#[test]
fn a_site_without_collections_or_tags_answers_empty_lists() {
    let site = TestSite::new(&[
        (
            "shelfmark.toml",
            "collections = []\n[site]\ntitle = \"Bare\"\nurl = \"https://b.example\"\n",
        ),
        ("one.md", "# One\n\nText.\n"),
    ]);
    assert_eq!(
        site.json("list_collections", "{}"),
        json!({"collections": []})
    );
    assert_eq!(site.json("list_tags", "{}"), json!({"tags": []}));
    assert_eq!(
        values(&site.json("list_pages", "{}")["pages"], "route"),
        ["/", "/one"]
    );
}

#[test]
fn the_same_site_gives_the_same_bytes() {
    let again = TestSite::new(FILES);
    for (tool, arguments) in [
        ("list_pages", "{}"),
        ("list_tags", "{}"),
        ("search_content", r#"{"tag":"caching"}"#),
    ] {
        assert_eq!(
            again.call(tool, arguments).texts,
            shelf().call(tool, arguments).texts
        );
    }
    assert!(CONFIG.contains("hidden = true"));
}
