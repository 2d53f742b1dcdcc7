//! `builder catalogue`: a site's tools as text, as data and as costs, and what it refuses.

use std::path::Path;

use serde_json::Value;

use crate::folder::{Ran, TestFolder};

const CONFIG: &str = "[site]\ntitle = \"Harbour\"\nurl = \"https://h.example\"\n\n\
    [[collections]]\nname = \"berths\"\ntitle = \"Berths\"\ntools = true\nposts = true\n\n\
    [collections.fields]\naccess = { kind = \"enum\", values = [\"public\", \"members\"] }\nboats = \"integer\"\n\n\
    [[collections]]\nname = \"log\"\n\n\
    [[collections]]\nname = \"drawer\"\ntools = true\nhidden = true\n";

fn site() -> TestFolder {
    let folder = TestFolder::new(&[("site/shelfmark.toml", CONFIG)]);
    folder.write(
        "site/berths/north.md",
        "---\ntitle: North pier\ndate: 2026-01-02\naccess: public\nboats: 2\n---\nDeep.\n",
    );
    folder.write("site/log/day.md", "---\ntitle: Day\n---\nWind.\n");
    folder.write("site/drawer/plan.md", "---\ntitle: Plan\n---\nzeppelin\n");
    folder
}

fn catalogue(folder: &TestFolder, arguments: &[&str]) -> Ran {
    folder.builder(&[&["catalogue", "--now", "2026-03-01"], arguments].concat())
}

fn json(folder: &TestFolder, arguments: &[&str]) -> Value {
    let ran = catalogue(folder, arguments);
    assert_eq!((ran.code, &*ran.err), (0, ""), "{ran:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

fn names(list: &Value) -> Vec<&str> {
    let tools = list.as_array().expect("a list").iter();
    tools
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

#[test]
fn a_catalogue_for_people_has_two_lines_a_tool_by_category() {
    let ran = catalogue(&site(), &["--collection", "berths"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_eq!(
        ran.out,
        "Collection Berths\n  list_berths [limit] [offset]\n      List the documents of Berths, newest first.\n\
         \x20 get_berths id\n      Look up one document of Berths by its slug.\n\
         \x20 count_berths\n      Count the documents of Berths.\n\
         \x20 search_berths query [limit]\n      Find documents of Berths, best first.\n"
    );
    let all = catalogue(&site(), &[]).out;
    for line in [
        "Find\n",
        "Read\n",
        "Write to the author\n",
        "  search_content [match] [collection] [limit]\n",
        "  count_berths\n",
    ] {
        assert!(all.contains(line), "{line}\n{all}");
    }
    assert!(!all.contains("drawer") && !all.contains("_log"), "{all}");
}

#[test]
fn a_catalogue_as_data_has_all_that_a_dispatcher_needs() {
    let folder = site();
    let list = json(&folder, &["--json"]);
    assert_eq!(names(&list).len(), 9 + 4);
    for tool in list.as_array().expect("a list") {
        for key in [
            "name",
            "title",
            "description",
            "inputSchema",
            "annotations",
            "summary",
            "category",
            "examples",
            "notes",
            "seeAlso",
        ] {
            assert!(!tool[key].is_null(), "{key} of {tool}");
        }
    }
    let of = |operation: &str| {
        let all = json(
            &folder,
            &["--json", "--write-tools", "--collection", "berths"],
        );
        let mut tools = all.as_array().expect("a list").clone();
        assert!(tools.iter().all(|tool| tool["collection"] == "berths"));
        assert_eq!(
            names(&all),
            [
                "list_berths",
                "get_berths",
                "count_berths",
                "search_berths",
                "create_berths",
                "update_berths_field",
                "add_berths_section",
                "publish_berths"
            ]
        );
        tools.retain(|tool| tool["operation"] == operation);
        assert_eq!(tools.len(), 1, "{operation}");
        tools.remove(0)
    };
    assert_eq!(
        of("list")["inputSchema"]["properties"]["limit"]["maximum"],
        100
    );
    let create = of("create");
    assert_eq!(create["annotations"]["readOnlyHint"], false);
    assert_eq!(
        create["inputSchema"]["required"],
        serde_json::json!(["slug", "title", "body"])
    );
    assert_eq!(
        create["inputSchema"]["properties"]["access"]["enum"],
        serde_json::json!(["public", "members"])
    );
    let update = of("update_field");
    assert_eq!(update["fieldSchemas"]["boats"]["type"], "integer");
    assert_eq!(
        update["inputSchema"]["properties"]["field"]["enum"],
        serde_json::json!(["title", "description", "date", "tags", "access", "boats"])
    );
    assert_eq!(
        of("add_section")["inputSchema"]["required"],
        serde_json::json!(["id", "heading", "text"])
    );
    assert_eq!(
        of("publish")["inputSchema"]["required"],
        serde_json::json!(["id"])
    );
}

#[test]
fn what_the_tools_cost_is_told_by_tool_and_by_owner() {
    let folder = site();
    let costs = json(&folder, &["--budget", "--json"]);
    let tools = costs["tools"].as_array().expect("a list");
    assert_eq!(tools.len(), 9 + 4);
    let sum = |from: usize, to: usize| -> u64 {
        let tokens = tools[from..to].iter().map(|tool| tool["tokens"].as_u64());
        tokens.map(|tokens| tokens.expect("a number")).sum()
    };
    assert_eq!(costs["tokens"], sum(0, 13));
    let told = catalogue(&folder, &["--budget"]).out;
    let lines: Vec<(String, &str)> = told
        .lines()
        .filter_map(|line| line.trim().split_once("  "))
        .map(|(tokens, what)| (tokens.replace(',', ""), what))
        .collect();
    assert_eq!(lines.len(), 13 + 3, "{told}");
    for ((tokens, what), (expected, name)) in lines[13..].iter().zip([
        (sum(0, 9), "for the tools of every site"),
        (sum(9, 13), "for the tools of berths"),
        (sum(0, 13), "in all, estimated tokens of `tools/list`"),
    ]) {
        assert_eq!((tokens, *what), (&expected.to_string(), name));
    }
    // One owner needs no sum of its own.
    let own = catalogue(&folder, &["--budget", "--collection", "berths"]).out;
    assert_eq!(own.lines().count(), 4 + 1, "{own}");
}

#[test]
fn the_tools_of_every_site_cost_less_than_3500_tokens() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site");
    let folder = TestFolder::new(&[]);
    let costs = json(
        &folder,
        &["--budget", "--json", "--site", &demo.to_string_lossy()],
    );
    let own = &costs["tools"].as_array().expect("a list")[..9];
    let tokens: u64 = own.iter().filter_map(|tool| tool["tokens"].as_u64()).sum();
    assert!((2_000..3_500).contains(&tokens), "{tokens}: {own:?}");
}

#[test]
fn a_catalogue_that_cannot_be_made_says_why() {
    let folder = site();
    for (arguments, code, says) in [
        (
            &["--collection", "nets"][..],
            1,
            "error: there is no collection `nets`\n  help: tools have berths\n",
        ),
        (
            &["--collection", "log"],
            1,
            "error: the collection `log` has no tools\n  help: say `tools = true` under its `[[collections]]`; tools have berths\n",
        ),
        // What is hidden is not told from what is not there.
        (
            &["--collection", "drawer"],
            1,
            "error: there is no collection `drawer`\n  help: tools have berths\n",
        ),
        (
            &["--collection", "a\n\u{202e}b"],
            1,
            "error: there is no collection `a b`\n  help: tools have berths\n",
        ),
        (&["--site", "nowhere"], 2, "`nowhere`"),
        (&["--budget", "--write-tools"], 2, "cannot be used with"),
        (&["--collection"], 2, "a value is required"),
        (&["--jsno"], 2, "unexpected argument"),
    ] {
        let ran = catalogue(&folder, arguments);
        assert_eq!((ran.code, &*ran.out), (code, ""), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(says), "{arguments:?}: {}", ran.err);
    }
    // A site that would not build has no catalogue either.
    folder.write(
        "site/berths/south.md",
        "---\ntitle: South pier\nboats: many\n---\nShallow.\n",
    );
    let ran = catalogue(&folder, &["--json"]);
    assert_eq!((ran.code, &*ran.out), (1, ""), "{ran:?}");
    assert!(
        ran.err.contains("berths/south.md:3") && ran.err.contains("boats"),
        "{}",
        ran.err
    );
    assert!(!folder.path("dist").exists(), "nothing is written");
}
