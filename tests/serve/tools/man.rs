//! `man`: every page, every example on it, and what is near a page that is not there.

use std::path::Path;

use serde_json::Value;

use crate::site::TestSite;
use crate::{CONFIG, FILES, shelf};
use runtime::mcp::{Called, Tools};

/// The files of the usual site, with pages of its own for the manual and a collection with tools.
fn files() -> Vec<(&'static str, &'static str)> {
    let config: &str = CONFIG
        .replacen("posts = true", "posts = true\ntools = true", 1)
        .leak();
    let mut files: Vec<(&str, &str)> = FILES.to_vec();
    files[0].1 = config;
    files.extend([
        (
            "man/style.md",
            "---\ndescription: How shelves are written.\n---\n# Style\n\nSee [hello](/writing/hello) and [a plan](/secret/plan).\n\nOr write with submit_feedback.\n\n    list_writing {\"limit\":1}\n",
        ),
        ("man/late.md", "---\ndraft: true\n---\nquokka\n"),
    ]);
    files
}

fn page(site: &TestSite, topic: &str) -> String {
    let arguments = serde_json::json!({ "topic": topic }).to_string();
    let answer = site.call("man", &arguments);
    assert!(!answer.is_error, "{topic}: {answer:?}");
    answer.text().to_owned()
}

/// The topics that the list names.
fn topics(site: &TestSite) -> Vec<String> {
    let list = site.call("man", "{}").text().to_owned();
    let named = list.lines().filter_map(|line| line.strip_prefix("    "));
    named
        .map(|line| line.split(" - ").next().unwrap().to_owned())
        .collect()
}

/// The tools that are listed.
fn tools(site: &TestSite) -> Vec<String> {
    let list: Vec<Value> = serde_json::from_slice(site.tools.list()).unwrap();
    list.iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Runs every call that stands on a line of its own, indented, on any page: how many there were.
fn run_examples(site: &TestSite) -> usize {
    let tools = tools(site);
    let mut ran = 0;
    for topic in topics(site) {
        for line in page(site, &topic).lines() {
            let Some((tool, arguments)) = line.trim().split_once(' ') else {
                continue;
            };
            if !line.starts_with("    ") || !arguments.starts_with('{') {
                continue;
            }
            assert!(tools.iter().any(|known| known == tool), "{topic}: {line}");
            match site.called(tool, arguments) {
                Called::Store(_) => {}
                _ => assert!(!site.call(tool, arguments).is_error, "{topic}: {line}"),
            }
            ran += 1;
        }
    }
    ran
}

#[test]
fn every_tool_has_a_page_and_every_example_on_it_runs() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site");
    for site in [TestSite::new(&files()), TestSite::of_folder(&own)] {
        let topics = topics(&site);
        for tool in tools(&site) {
            assert!(topics.contains(&tool), "{tool}");
            let page = page(&site, &tool);
            let sections: Vec<&str> = page
                .lines()
                .filter(|line| !line.is_empty() && !line.starts_with(' '))
                .collect();
            let all = [
                "NAME",
                "SYNOPSIS",
                "OPTIONS",
                "DESCRIPTION",
                "NOTES",
                "EXAMPLES",
                "SEE ALSO",
            ];
            let without = page.contains(&format!("SYNOPSIS\n    {tool}\n"));
            let expected: Vec<&str> = all
                .into_iter()
                .filter(|section| !(without && *section == "OPTIONS"))
                .collect();
            assert_eq!(sections, expected, "{page}");
        }
        for topic in ["site", "search", "routes", "feedback"] {
            assert!(topics.iter().any(|known| known == topic), "{topic}");
        }
        assert!(run_examples(&site) > 25);
    }
}

#[test]
fn examples_name_a_post_that_its_slug_alone_leads_to() {
    let mut files = files();
    files.extend([
        (
            "writing/a/news.md",
            "---\ntitle: One\ndate: 2026-09-01\n---\nOne.\n",
        ),
        (
            "writing/b/news.md",
            "---\ntitle: Two\ndate: 2026-09-02\n---\nTwo.\n",
        ),
    ]);
    files[0].1 = files[0]
        .1
        .replacen("/writing/{slug}", "/writing/{path}", 1)
        .leak();
    let site = TestSite::new(&files);
    assert!(
        site.error("get_post", r#"{"slug":"news"}"#)
            .contains("/writing/a/news")
    );
    let page = page(&site, "get_post");
    assert!(
        page.contains("get_post {\"slug\":\"second\"}") && !page.contains("news"),
        "{page}"
    );
    assert!(run_examples(&site) > 25);
    // Where no slug is one post's alone, nothing is shown that would be refused.
    let twins: Vec<(&str, &str)> = files
        .into_iter()
        .filter(|(path, _)| !path.starts_with("writing/") || path.ends_with("news.md"))
        .collect();
    let site = TestSite::new(&twins);
    let page = self::page(&site, "get_post");
    assert!(
        !page.contains("EXAMPLES") && !page.contains("such as"),
        "{page}"
    );
    run_examples(&site);
}

#[test]
fn see_also_leads_to_pages_that_are_there() {
    for site in [
        TestSite::new(&files()),
        TestSite::with_feedback(&files(), false),
    ] {
        let topics = topics(&site);
        for topic in &topics {
            let page = page(&site, topic);
            let others = page.split("SEE ALSO\n").nth(1).unwrap_or_default();
            for line in others.lines() {
                let other = line.trim().split(" - ").next().unwrap();
                assert!(
                    topics.iter().any(|known| known == other),
                    "{topic}: {other}"
                );
                assert_ne!(other, topic);
            }
        }
    }
}

#[test]
fn a_page_has_the_form_of_a_manual_page() {
    assert_eq!(
        page(shelf(), "list_tags"),
        "NAME\n    list_tags - List the tags and how many documents carry each.\n\n\
         SYNOPSIS\n    list_tags [limit]\n\n\
         OPTIONS\n    limit (integer, optional)\n        How many tags to return (default all, at least 1). They come by slug, not by use.\n\n\
         DESCRIPTION\n    Lists the subjects of Shelf: each tag with its slug, title and page, and how many documents carry it, in all and in each \
         collection. Subjects cut across collections. A slug from here narrows search_content.\n\n\
         NOTES\n    documents is the number across the whole site; there is no need to add up the collections.\n\n\
         EXAMPLES\n    All of them:\n        list_tags {}\n\n\
         SEE ALSO\n    search_content - finds the documents that carry a tag\n"
    );
}

#[test]
fn the_list_of_topics_is_by_category_and_name() {
    let list = TestSite::new(&files()).call("man", "{}").text().to_owned();
    let categories: Vec<&str> = list
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .collect();
    let mut sorted = categories.clone();
    sorted.sort_unstable();
    assert_eq!(categories, sorted);
    assert!(
        list.contains("    style - How shelves are written.\n"),
        "{list}"
    );
    assert!(
        list.contains("Collection Writing\n    count_writing - "),
        "{list}"
    );
    assert!(!list.contains("late"), "{list}");
}

#[test]
fn a_topic_in_another_spelling_is_found_and_near_ones_are_named() {
    let expected = page(shelf(), "search_content");
    for topic in [
        "Search_Content",
        "search-content",
        " search_content(1) ",
        "`search_content`",
    ] {
        assert_eq!(page(shelf(), topic), expected);
    }
    let text = shelf().error("man", r#"{"topic":"serch_content"}"#);
    assert_eq!(
        text,
        "The manual has no page `serch_content`. Did you mean search_content? man without a topic lists all pages. If it should be here, \
         submit_feedback tells the author."
    );
    assert!(
        !shelf()
            .error("man", r#"{"topic":"zzz"}"#)
            .contains("Did you mean")
    );
}

#[test]
fn without_a_store_no_page_names_feedback() {
    let site = TestSite::with_feedback(&files(), false);
    for topic in topics(&site) {
        let page = page(&site, &topic);
        assert!(!page.contains("feedback"), "{topic}: {page}");
    }
    assert!(!site.call("man", "{}").text().contains("feedback"));
    for topic in ["feedback", "submit_feedback"] {
        let text = site.error("man", &format!(r#"{{"topic":"{topic}"}}"#));
        assert!(text.starts_with("The manual has no page"), "{text}");
    }
    assert!(
        page(&site, "style")
            .contains("[hello](https://shelf.example/docs/writing/hello) and a plan.")
    );
    assert!(page(&TestSite::new(&files()), "style").contains("submit_feedback"));
}

#[test]
fn the_manual_tells_nothing_of_what_is_hidden() {
    let site = TestSite::new(&files());
    let mut all = site.call("man", "{}").text().to_owned();
    for topic in topics(&site) {
        all.push_str(&page(&site, &topic));
    }
    for secret in ["/secret", "Plan", "zeppelin", "quokka", "Unheard", "Draft"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[test]
fn the_instructions_point_to_the_manual() {
    let own = |text: &str, feedback| {
        let config = CONFIG.replacen(
            "[site]",
            &format!("[server]\ninstructions = \"{text}\"\n[site]"),
            1,
        );
        let mut files: Vec<(&str, &str)> = FILES.to_vec();
        files[0].1 = &config;
        let site = TestSite::with_feedback(&files, feedback);
        site.tools.instructions().unwrap().to_owned()
    };
    assert!(
        shelf()
            .tools
            .instructions()
            .unwrap()
            .contains("man explains")
    );
    assert_eq!(
        own("Search first. Ask man.", true),
        "Search first. Ask man."
    );
    assert_eq!(
        own(
            "Search first. Use submit_feedback when stuck. Good luck!",
            false
        ),
        "Search first. Good luck! man explains every tool and what this site holds."
    );
}
