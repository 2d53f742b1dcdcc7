//! What `builder check` tells about a site's own texts for tools and manual.

use crate::folder::TestFolder;

const CONFIG: &str = "[site]\ntitle = \"Harbour\"\nurl = \"https://h.example\"\n\n\
    [server]\ninstructions = \"Ask list_berths first, then get_berth. Nothing else; search_content is slow.\"\n\n\
    [[collections]]\nname = \"berths\"\ntitle = \"Berths\"\ntools = true\n";

/// The warnings of a check, as `file: what`.
fn told(files: &[(&str, &str)]) -> Vec<String> {
    let folder = TestFolder::new(files);
    folder.write(
        "site/berths/north.md",
        "---\ntitle: North pier\n---\nDeep.\n",
    );
    let ran = folder.builder(&["check", "--now", "2026-03-01", "--json", "--quiet"]);
    let report: serde_json::Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let problems = report["problems"].as_array().expect("a list");
    problems
        .iter()
        .map(|it| {
            assert!(it["help"].is_string(), "what to do about {it}");
            let file = it["file"].as_str().expect("a file");
            format!("{file}: {}", it["what"].as_str().expect("a text"))
        })
        .collect()
}

#[test]
fn texts_that_mislead_a_model_are_told() {
    let told = told(&[
        ("site/shelfmark.toml", CONFIG),
        (
            "site/man/mooring.md",
            "---\ndescription: How to moor. And where.\n---\n\nUse count_boats, or ask search for limit.\n\n## EXAMPLES\n\n    list_berths {\"limit\":1}\n    \
             list_berths {\"limit\":0}\n    list_boats {}\n\n## SEE ALSO\n\n    site - what there is\n    tides - when to come\n",
        ),
    ]);
    let mut expected = [
        "shelfmark.toml: the instructions name `get_berth`, which is no tool of this site",
        "man/mooring.md: what the page is about is not one short sentence",
        "man/mooring.md: the page names `count_boats`, which is no tool of this site",
        "man/mooring.md: the example of `list_berths` would be refused: Error: `limit` has to be a whole number from 1 to 100, but 0 came. Send a number in \
         those bounds, or leave it out for 20.",
        "man/mooring.md: the example calls `list_boats`, which is no tool of this site",
        "man/mooring.md: `tides` under SEE ALSO is no page of the manual",
    ];
    // Problems without a line come by file and text.
    expected.sort_unstable();
    assert_eq!(told, expected, "{told:#?}");
}

#[test]
fn a_title_that_makes_texts_too_long_is_told() {
    let title = "The berths of the harbour between the two piers and the lighthouse";
    let told = told(&[(
        "site/shelfmark.toml",
        &CONFIG
            .replace("\"Berths\"", &format!("\"{title}\""))
            .replace(", then get_berth. Nothing else; search_content is slow", ""),
    )]);
    let all: Vec<&String> = told
        .iter()
        .filter(|it| it.contains("the summary is not one short sentence"))
        .collect();
    assert!(!all.is_empty() && all.len() == told.len(), "{told:#?}");
}

#[test]
fn good_texts_are_not_told() {
    let told = told(&[
        (
            "site/shelfmark.toml",
            &CONFIG.replace("get_berth.", "get_berths."),
        ),
        (
            "site/man/mooring.md",
            "---\ndescription: How to moor.\n---\n\n`list_berths` has the berths; see get_page_info.\n\n## SEE ALSO\n\n- `site` - what there is\n",
        ),
    ]);
    assert_eq!(told, Vec::<String>::new());
}
