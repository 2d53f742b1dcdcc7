//! `get_page_info`.

use serde_json::{Value, json};

use crate::site::TestSite;
use crate::{shelf, values};

fn info(route: &str) -> Value {
    shelf().json("get_page_info", &json!({ "route": route }).to_string())
}

#[test]
fn a_document_with_all_it_has() {
    assert_eq!(
        info("/writing/hello"),
        json!({
            "route": "/writing/hello", "url": "https://shelf.example/docs/writing/hello",
            "markdown_url": "https://shelf.example/docs/writing/hello.md", "kind": "document",
            "title": "Hello shelves", "description": "A first look.", "collection": "writing", "slug": "hello",
            "date": "2026-01-02", "updated": "2026-03-04T05:06:07+02:00",
            "tags": [{"tag": "caching", "title": "Caching"}, {"tag": "cpp", "title": "C++"}, {"tag": "how-i-work", "title": "How I work"}],
            "sections": [
                {"heading": "Hello shelves", "level": 1, "route": "/writing/hello#hello-shelves"},
                {"heading": "Why", "level": 2, "route": "/writing/hello#why"},
                {"heading": "Deeper", "level": 3, "route": "/writing/hello#deeper"},
                {"heading": "C", "level": 2, "route": "/writing/hello#c"},
                {"heading": "C++", "level": 2, "route": "/writing/hello#c-1"},
            ],
            "sections_count": 5,
            "cites": [{"route": "/glossary/cache", "title": "Cache"}, {"route": "/glossary/c", "title": "C"}],
            "cites_count": 2,
            "cited_by": [{"route": "/glossary/cache", "title": "Cache"}, {"route": "/about", "title": "About"}],
            "cited_by_count": 2,
            "related": [
                {"route": "/glossary/cache", "title": "Cache", "tags": ["caching", "cpp"]},
                {"route": "/writing/second", "title": "Second post", "tags": ["caching"]},
                {"route": "/about", "title": "About", "tags": ["how-i-work"]},
            ],
            "related_count": 3,
        })
    );
}

#[test]
fn kinds() {
    assert_eq!(info("/about")["kind"], "page");
    assert_eq!(info("/")["kind"], "index");
    assert_eq!(info("/tags/cpp")["kind"], "index");
    assert_eq!(info("/writing")["kind"], "index");
}

#[test]
fn every_spelling_of_a_route_is_one_page() {
    for route in [
        "/glossary/检索",
        "glossary/检索/",
        "/glossary/%E6%A3%80%E7%B4%A2",
        "/glossary/%e6%a3%80%e7%b4%a2.md",
        "/docs/glossary/检索",
        "/docs/glossary/%E6%A3%80%E7%B4%A2/index.html",
        "https://shelf.example/docs/glossary/%E6%A3%80%E7%B4%A2?utm=1#x",
        "/GLOSSARY/检索.html",
        "/glossary/%25E6%25A3%2580%25E7%25B4%25A2",
    ] {
        assert_eq!(info(route)["title"], "检索", "{route}");
    }
    assert_eq!(
        info("/glossary/检索")["url"],
        "https://shelf.example/docs/glossary/%E6%A3%80%E7%B4%A2"
    );
    for route in [
        "/",
        "/docs",
        "/docs/",
        "index.html",
        "https://shelf.example/docs",
    ] {
        assert_eq!(info(route)["route"], "/", "{route}");
    }
}

#[test]
fn every_route_that_an_answer_names_can_be_asked() {
    for route in values(&shelf().json("list_pages", "{}")["pages"], "route") {
        let page = info(route);
        assert_eq!(page["route"], route);
        for address in [&page["url"], &page["markdown_url"]] {
            assert_eq!(info(address.as_str().unwrap())["route"], route);
        }
        for list in ["cites", "cited_by", "related"] {
            for linked in values(&page[list], "route") {
                assert_eq!(info(linked)["route"], linked);
            }
        }
    }
}

#[test]
fn an_unknown_route_names_the_near_ones() {
    let text = shelf().error("get_page_info", r#"{"route":"/writing/helo"}"#);
    assert!(
        text.starts_with("No page answers to `/writing/helo`. Did you mean /writing/hello"),
        "{text}"
    );
    assert!(
        text.contains("list_pages") && text.contains("submit_feedback") && !text.contains("Error"),
        "{text}"
    );
    let text = shelf().error("get_page_info", r#"{"route":"/cache"}"#);
    assert!(text.contains("Did you mean /glossary/cache?"), "{text}");
    let text = shelf().error(
        "get_page_info",
        r#"{"route":"https://other.example/about"}"#,
    );
    assert!(text.starts_with("`https://other.example/about` is not an address of this site, which is at https://shelf.example/docs/."), "{text}");
}

#[test]
fn hidden_pages_are_not_even_near() {
    for route in ["/secret/plan", "/writing/draft", "/secret", "/tags/unheard"] {
        let text = shelf().error("get_page_info", &json!({ "route": route }).to_string());
        assert!(
            !text.contains("Did you mean /secret") && !text.contains("mean /writing/draft"),
            "{text}"
        );
    }
}

#[test]
fn long_lists_keep_fifty_and_the_true_count() {
    let mut files: Vec<(String, String)> = vec![(
        "shelfmark.toml".into(),
        "[site]\ntitle = \"Many\"\nurl = \"https://m.example\"\n[[collections]]\nname = \"notes\"\ntitle = \"Notes\"\npath = \"notes\"\nroute = \"/notes/{slug}\"\n".into(),
    )];
    for n in 0..60 {
        files.push((
            format!("notes/n{n:02}.md"),
            format!("---\ntitle: N{n}\ntags: [all]\n---\n[hub](/notes/hub)\n"),
        ));
    }
    let links: String = (0..60)
        .map(|n| format!("## H{n}\n\n[n](/notes/n{n:02})\n\n"))
        .collect();
    files.push((
        "notes/hub.md".into(),
        format!("---\ntitle: Hub\ntags: [all]\n---\n{links}"),
    ));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let hub = TestSite::new(&files).json("get_page_info", r#"{"route":"/notes/hub"}"#);
    for list in ["sections", "cites", "cited_by", "related"] {
        assert_eq!(hub[list].as_array().unwrap().len(), 50, "{list}");
    }
    for count in ["sections_count", "cites_count", "related_count"] {
        assert_eq!(hub[count], 60, "{count}");
    }
}
