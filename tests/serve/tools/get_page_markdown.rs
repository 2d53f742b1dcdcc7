//! `get_page_markdown`.

use serde_json::json;

use crate::shelf;
use crate::site::TestSite;

fn read(site: &TestSite, route: &str) -> Vec<String> {
    let answer = site.call("get_page_markdown", &json!({ "route": route }).to_string());
    assert!(!answer.is_error, "{answer:?}");
    answer.texts
}

#[test]
fn a_page_is_one_text_without_front_matter() {
    let texts = read(shelf(), "/writing/second");
    assert_eq!(texts.len(), 1);
    assert!(
        texts[0].contains("Another text about caching.") && !texts[0].contains("date:"),
        "{texts:?}"
    );
}

#[test]
fn an_anchor_reads_one_section() {
    assert_eq!(
        read(shelf(), "/writing/hello#why"),
        ["## Why\n\nBecause biometric locks.\n\n### Deeper\n\nMore.\n\n"]
    );
    assert_eq!(
        read(shelf(), "/writing/hello#deeper"),
        ["### Deeper\n\nMore.\n\n"]
    );
    assert_eq!(
        read(shelf(), "https://shelf.example/docs/writing/hello/#Why"),
        read(shelf(), "/writing/hello#why")
    );
    assert_eq!(read(shelf(), "/writing/hello#c-1"), ["## C++\n\nTwo.\n"]);
}

#[test]
fn an_unknown_anchor_names_the_anchors() {
    let text = shelf().error("get_page_markdown", r#"{"route":"/writing/hello#wy"}"#);
    assert!(text.starts_with("The page /writing/hello has no section `#wy`. Did you mean #why? It has #hello-shelves, #why, #deeper, #c, #c-1."), "{text}");
    let text = shelf().error("get_page_markdown", r#"{"route":"/writing/second#why"}"#);
    assert!(text.contains("It has no sections at all"), "{text}");
}

#[test]
fn an_index_page_is_a_list_of_links() {
    let texts = read(shelf(), "/tags/caching");
    assert!(
        texts[0].contains("](https://shelf.example/docs/writing/hello)"),
        "{texts:?}"
    );
    assert!(read(shelf(), "/")[0].contains("https://shelf.example/docs/about"));
}

/// A page of sections of prose, with code in between, far longer than an answer.
fn long(fence: &str) -> TestSite {
    let mut page = String::from("---\ntitle: Long\n---\n# Long\n\n");
    for n in 0..40 {
        page.push_str(&format!("## Part {n}\n\n"));
        for _ in 0..6 {
            page.push_str("A line of prose with an apostrophe’s curl and 検索 in it, to be counted in characters.\n\n");
        }
        page.push_str(&format!("{fence}python\n"));
        for line in 0..8 {
            page.push_str(&format!("print({n}, {line})\n"));
        }
        page.push_str(&format!("{fence}\n\n"));
    }
    TestSite::new(&[
        (
            "shelfmark.toml",
            "[site]\ntitle = \"L\"\nurl = \"https://l.example\"\n",
        ),
        ("long.md", &page),
    ])
}

#[test]
fn a_long_page_is_cut_and_can_be_read_on() {
    for fence in ["```", "~~~", "````"] {
        let site = long(fence);
        let texts = read(&site, "/long");
        assert_eq!(texts.len(), 2);
        let shown = texts[0].chars().count();
        assert!((12_000..=24_001).contains(&shown), "{shown}");
        assert_eq!(
            texts[0]
                .lines()
                .filter(|line| line.starts_with(fence))
                .count()
                % 2,
            0,
            "balanced fences"
        );
        assert!(
            texts[1].starts_with("Cut here: ") && texts[1].contains("https://l.example/long.md"),
            "{}",
            texts[1]
        );
        // Every heading is either shown, or named with a route that reads it.
        for n in 0..40 {
            let heading = format!("## Part {n}\n");
            let route = format!("/long#part-{n}");
            assert!(
                texts[0].contains(&heading) || texts[1].lines().any(|line| line.ends_with(&route)),
                "{heading}"
            );
            assert!(read(&site, &route)[0].starts_with(&heading));
        }
    }
}

#[test]
fn a_cut_at_every_length_keeps_fences_and_characters_whole() {
    let page = "---\ntitle: T\n---\nA script:\n\n```bash\n#!/bin/bash\necho ‘hello’\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~~~\nx\n~~~\ny\n~~~~\n\nEnd.\n";
    for chars in 1..160 {
        let config = format!(
            "[site]\ntitle = \"L\"\nurl = \"https://l.example\"\n[limits]\nmarkdown_chars = {chars}\n"
        );
        let Some(site) = TestSite::try_new(&[("shelfmark.toml", &config), ("t.md", page)]) else {
            continue;
        };
        let texts = read(&site, "/t");
        let open = |marker: &str| {
            texts[0]
                .lines()
                .filter(|line| {
                    line.trim_start() == marker || line.trim_start().starts_with("```bash")
                })
                .count()
        };
        if texts.len() == 2 {
            assert_eq!(open("```") % 2, 0, "{chars}: {:?}", texts[0]);
            assert_eq!(
                texts[0].lines().filter(|line| *line == "~~~~").count() % 2,
                0,
                "{chars}: {:?}",
                texts[0]
            );
        }
    }
}

#[test]
fn a_route_that_is_not_there() {
    assert!(
        shelf()
            .error("get_page_markdown", r#"{"route":"/nowhere"}"#)
            .starts_with("No page answers to `/nowhere`.")
    );
    assert!(
        shelf()
            .error("get_page_markdown", "{}")
            .starts_with("Error: `route` is required")
    );
}
