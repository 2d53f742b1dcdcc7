//! The tools that a collection asks for.

use serde_json::json;

use crate::site::{TestSite, build};
use crate::values;

const CONFIG: &str = r#"
[site]
title = "Harbour"
url = "https://h.example"

[[collections]]
name = "berths"
title = "Berths"
description = "Places to moor."
tools = true

[collections.fields]
depth = { kind = "number", description = "Metres at low water." }
boats = "integer"
lit = "boolean"
since = "date"
access = { kind = "enum", values = ["public", "members"] }
names = "list"
chart = "link"
note = "text"

[[collections]]
name = "log"
tools = true
tool_name = "entries"

[[collections]]
name = "drawer"
tools = true
hidden = true
"#;

fn files() -> Vec<(String, String)> {
    let mut files = vec![
        ("shelfmark.toml".to_owned(), CONFIG.to_owned()),
        (
            "berths/north.md".into(),
            "---\ntitle: North pier\ndate: 2026-01-02\ntags: [Deep]\ndepth: 4.5\nboats: 12\nlit: true\nsince: 1999-5-1\naccess: members\n\
             names: [Old pier, Pier]\nchart: south.md\nnote: \"a\\nb\"\n---\nDeep water.\n"
                .into(),
        ),
        (
            "berths/south.md".into(),
            "---\ntitle: South pier\ndate: 2026-03-04\ndepth: 2\nchart: /drawer/plan\n---\nShallow water.\n".into(),
        ),
        ("berths/a/twin.md".into(), "---\ntitle: Twin\n---\nOne.\n".into()),
        ("berths/b/twin.md".into(), "---\ntitle: Twin\n---\nTwo.\n".into()),
        ("drawer/plan.md".into(), "---\ntitle: Plan\n---\nzeppelin\n".into()),
    ];
    for day in 1..=25 {
        files.push((
            format!("log/day-{day:02}.md"),
            format!("---\ntitle: Day {day}\ndate: 2026-05-{day:02}\n---\nWind and water.\n"),
        ));
    }
    files
}

fn site_of(files: &[(String, String)]) -> TestSite {
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    TestSite::new(&files)
}

fn site() -> TestSite {
    site_of(&files())
}

#[test]
fn declared_fields_are_typed() {
    let doc = site().json("get_berths", r#"{"id":"north"}"#);
    assert_eq!(
        doc["doc"],
        json!({
            "collection": "berths", "slug": "north", "route": "/berths/north", "url": "https://h.example/berths/north",
            "markdown_url": "https://h.example/berths/north.md", "title": "North pier", "date": "2026-01-02", "tags": ["deep"],
            "front_matter": {
                "depth": 4.5, "boats": 12, "lit": true, "since": "1999-05-01", "access": "members",
                "names": ["Old pier", "Pier"], "chart": "https://h.example/berths/south", "note": "a b"
            }
        })
    );
}

#[test]
fn a_link_to_a_hidden_page_is_left_out() {
    let doc = site().json("get_berths", r#"{"id":"south"}"#);
    assert_eq!(doc["doc"]["front_matter"], json!({"depth": 2.0}));
}

#[test]
fn a_list_is_newest_first_and_goes_on_at_its_offset() {
    let site = site();
    let mut seen = Vec::new();
    let mut offset = Some(0);
    while let Some(from) = offset {
        let part = site.json(
            "list_entries",
            &format!(r#"{{"limit":10,"offset":{from}}}"#),
        );
        seen.extend(
            values(&part["docs"], "title")
                .into_iter()
                .map(str::to_owned),
        );
        offset = part["nextOffset"].as_u64();
        assert_eq!(offset.is_some(), seen.len() < 25, "{part}");
    }
    let expected: Vec<String> = (1..=25).rev().map(|day| format!("Day {day}")).collect();
    assert_eq!(seen, expected);
    let usual = site.json("list_entries", "{}");
    assert_eq!(
        (
            usual["docs"].as_array().unwrap().len(),
            &usual["nextOffset"]
        ),
        (20, &json!(20))
    );
    assert_eq!(
        site.json("list_entries", r#"{"offset":25}"#),
        json!({"docs": []})
    );
    assert_eq!(site.json("count_entries", "{}"), json!({"count": 25}));
    for arguments in [
        r#"{"limit":0}"#,
        r#"{"limit":101}"#,
        r#"{"offset":-1}"#,
        r#"{"page":2}"#,
    ] {
        assert!(
            site.error("list_entries", arguments).starts_with("Error: "),
            "{arguments}"
        );
    }
}

#[test]
fn a_list_that_is_too_large_is_cut_and_goes_on_where_it_was_cut() {
    let mut files = files();
    files[0].1.push_str("[limits]\nanswer_bytes = 8192\n");
    let site = site_of(&files);
    let first = site.json("list_entries", "{}");
    let shown = first["docs"].as_array().unwrap().len();
    assert!((2..20).contains(&shown), "{shown}");
    assert_eq!(first["nextOffset"], shown);
    assert!(
        first["notes"][0]
            .as_str()
            .unwrap()
            .starts_with("The list is cut")
    );
    let next = site.json("list_entries", &format!(r#"{{"offset":{shown}}}"#));
    assert_eq!(next["docs"][0]["title"], format!("Day {}", 25 - shown));
}

#[test]
fn a_document_is_found_by_slug_and_route_and_what_is_not_there_is_told() {
    let site = site();
    let route = site.json("get_berths", r#"{"id":"/berths/a/twin"}"#);
    assert_eq!(route["doc"]["title"], "Twin");
    let text = site.error("get_berths", r#"{"id":"twin"}"#);
    assert!(text.contains("/berths/a/twin or /berths/b/twin"), "{text}");
    let text = site.error("get_berths", r#"{"id":"nort"}"#);
    assert!(
        text.starts_with("berths has no document `nort`. Did you mean north")
            && text.contains("list_berths lists"),
        "{text}"
    );
    let text = site.error("get_berths", r#"{"id":"day-01"}"#);
    assert!(
        text.starts_with("`day-01` is not in berths, it is at /log/day-01."),
        "{text}"
    );
    assert!(
        !site
            .error("get_berths", r#"{"id":"plan"}"#)
            .contains("drawer")
    );
}

#[test]
fn a_search_stays_in_its_collection() {
    let site = site();
    let found = site.json("search_berths", r#"{"query":"water"}"#);
    assert_eq!(found["docs"].as_array().unwrap().len(), 2);
    assert_eq!(
        site.json("search_entries", r#"{"query":"water","limit":100}"#)["docs"]
            .as_array()
            .unwrap()
            .len(),
        25
    );
    let none = site.json("search_berths", r#"{"query":"zeppelin"}"#);
    assert_eq!(none["docs"], json!([]));
    assert!(
        site.error("search_berths", "{}")
            .starts_with("Error: `query` is required")
    );
}

#[test]
fn what_is_hidden_makes_no_tool() {
    let site = site();
    let list = String::from_utf8_lossy(runtime::mcp::Tools::list(&site.tools)).into_owned();
    assert!(
        !list.contains("drawer") && list.contains("\"search_entries\"") && !list.contains("_log\"")
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_no_site() {
    for (from, to) in [
        ("depth: 4.5", "depth: deep"),
        ("lit: true", "lit: maybe"),
        ("access: members", "access: nobody"),
        ("chart: south.md", "chart: the south pier"),
        ("since: 1999-5-1", "since: long ago"),
    ] {
        let mut files = files();
        files[1].1 = files[1].1.replace(from, to);
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        assert!(build(&files).is_none(), "{to}");
    }
}

#[test]
fn two_tools_of_one_name_are_no_site() {
    for (from, to) in [
        ("tool_name = \"entries\"", "tool_name = \"Berths\""),
        ("tool_name = \"entries\"", "tool_name = \"pages\""),
    ] {
        let mut files = files();
        files[0].1 = files[0].1.replace(from, to);
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let options = builder::Options {
            site: folder.path().to_owned(),
            config: None,
            now: jiff::civil::date(2026, 11, 30),
            output: Vec::new(),
            url: None,
            generator: None,
        };
        let told = builder::read_site(&options, &|_| {})
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("`log`") && told.contains("`tool_name"),
            "{told}"
        );
    }
}
