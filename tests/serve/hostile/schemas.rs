//! Every definition that is served, of ordinary and of odd sites, against what strict clients accept.

use std::collections::BTreeSet;
use std::path::Path;

use runtime::mcp::Tools;
use serde_json::Value;

use crate::is_hidden;
use crate::site::TestSite;

/// What a schema may say. Clients are known to drop tools for `$ref`, `$defs`, `$schema`, unions, lists of types, `format` and `pattern`.
const KEYWORDS: [&str; 10] = [
    "type",
    "properties",
    "required",
    "enum",
    "description",
    "items",
    "minimum",
    "maximum",
    "default",
    "additionalProperties",
];
const TYPES: [&str; 6] = ["object", "array", "string", "integer", "number", "boolean"];

/// Sites whose own words reach the definitions: titles, names of collections, tags and slugs that nobody would choose.
const ODD: [&[(&str, &str)]; 4] = [
    // Nothing at all but a front page.
    &[
        (
            "shelfmark.toml",
            "collections = []\n[site]\ntitle = \"Bare\"\nurl = \"https://bare.example\"\n",
        ),
        ("index.md", "# Bare\n"),
    ],
    // Words with controls, bidirectional marks, tags and line ends in them.
    &[
        (
            "shelfmark.toml",
            "[site]\ntitle = \"Odd\\n\\u202Esite\\u2066 \\U000E0041\\u0007\"\nurl = \"https://odd.example\"\ndescription = \"Ignore\\nall \\u200Bothers\"\n[[collections]]\nname = \"api-v2_reference\"\ntitle = \"A\\u202EB\\nC\\U000E0020\"\ndescription = \"One\\r\\n# two\\u0000\\u2029\"\npath = \"x\"\nroute = \"/x/{slug}\"\nposts = true\n",
        ),
        ("index.md", "# Odd\n"),
        (
            "x/2024.md",
            "---\ntitle: \"Hi\\u202E\\U000E0049\\U000E0067 \\x07\"\ndescription: \"a\\u2028b\"\ntags: [\"\\u202Etag\", \"12345\", \"c++\"]\n---\n\n## A\u{202e}nchor\u{200b}\n\nText.\n",
        ),
    ],
    // Very long words.
    &[
        (
            "shelfmark.toml",
            "[site]\ntitle = \"L\"\nurl = \"https://long.example/a/b/c\"\n[[collections]]\nname = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\npath = \"x\"\nroute = \"/x/{slug}\"\nposts = true\n",
        ),
        ("index.md", "# L\n"),
        (
            "x/y.md",
            "---\ntitle: Y\ntags: [tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt]\n---\n\nText.\n",
        ),
    ],
    // Another script throughout.
    &[
        (
            "shelfmark.toml",
            "[site]\ntitle = \"文档\"\nurl = \"https://zh.example\"\nlanguage = \"zh\"\n[[collections]]\nname = \"wendang\"\ntitle = \"文档集\"\npath = \"x\"\nroute = \"/文档/{slug}\"\n",
        ),
        ("index.md", "# 文档\n"),
        (
            "x/页面.md",
            "---\ntitle: 页面\ntags: [标签]\n---\n\n## 标题\n\n正文。\n",
        ),
    ],
];

/// Every definition of every site, with and without a store for feedback.
fn definitions() -> Vec<Value> {
    let documentation = TestSite::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../site"));
    let mut sites = vec![documentation];
    for files in ODD {
        sites.push(TestSite::new(files));
        sites.push(TestSite::with_feedback(files, false));
    }
    sites
        .iter()
        .flat_map(|site| serde_json::from_slice::<Vec<Value>>(site.tools.list()).expect("a list"))
        .collect()
}

#[test]
fn schemas_use_only_what_every_client_reads() {
    for tool in definitions() {
        let name = tool["name"].as_str().unwrap_or_default();
        for kind in ["inputSchema", "outputSchema"] {
            match &tool[kind] {
                Value::Null => assert!(
                    matches!(name, "get_page_markdown" | "man") && kind == "outputSchema",
                    "{name} has no {kind}"
                ),
                schema => {
                    assert_eq!(schema["type"], "object", "{name}.{kind}");
                    walk(&format!("{name}.{kind}"), schema);
                }
            }
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        let known = [
            "name",
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
        ];
        for key in tool.as_object().expect("an object").keys() {
            assert!(known.contains(&key.as_str()), "{name} has {key}");
        }
    }
}

fn walk(at: &str, schema: &Value) {
    let members = schema
        .as_object()
        .unwrap_or_else(|| panic!("{at} is no schema"));
    for key in members.keys() {
        assert!(KEYWORDS.contains(&key.as_str()), "{at} has `{key}`");
    }
    let kind = schema["type"]
        .as_str()
        .unwrap_or_else(|| panic!("{at} has no type of its own"));
    assert!(TYPES.contains(&kind), "{at} is of type {kind}");
    let choices = schema
        .get("enum")
        .map(|list| list.as_array().expect("a list"));
    assert!(
        choices.is_none_or(|list| !list.is_empty() && list.iter().all(Value::is_string)),
        "{at}"
    );
    if let Some(properties) = schema.get("properties") {
        let properties = properties.as_object().expect("an object");
        for required in schema["required"].as_array().into_iter().flatten() {
            let required = required.as_str().expect("a name");
            assert!(
                properties.contains_key(required),
                "{at} requires `{required}`, which it does not have"
            );
        }
        for (name, inner) in properties {
            // Hosts hold argument names to the pattern of tool names.
            assert!(fits(name), "{at}.{name}");
            walk(&format!("{at}.{name}"), inner);
        }
    }
    if let Some(items) = schema.get("items") {
        walk(&format!("{at}[]"), items);
    }
}

/// What the strictest host takes for a name: `^[a-zA-Z0-9_-]{1,64}$`.
fn fits(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[test]
fn names_fit_every_client() {
    for files in ODD {
        let site = TestSite::new(files);
        let list: Vec<Value> = serde_json::from_slice(site.tools.list()).expect("a list");
        let names: Vec<&str> = list
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(names.len(), list.len());
        for name in &names {
            assert!(fits(name), "{name}");
        }
        assert_eq!(
            names.iter().collect::<BTreeSet<_>>().len(),
            names.len(),
            "unique: {names:?}"
        );
    }
}

#[test]
fn no_word_of_a_site_hides_anything_in_a_definition() {
    for tool in definitions() {
        strings(&tool, &mut |text| {
            let hidden = text
                .chars()
                .find(|c| c.is_control() && *c != '\n' || is_hidden(*c));
            assert_eq!(hidden, None, "{text:?} of {}", tool["name"]);
        });
    }
    for files in ODD {
        let site = TestSite::new(files);
        let identity = format!("{:?}", site.tools.identity());
        let told = format!(
            "{} {identity}",
            site.tools.instructions().unwrap_or_default()
        );
        assert_eq!(told.chars().find(|c| is_hidden(*c)), None, "{told:?}");
    }
}

fn strings(json: &Value, visit: &mut impl FnMut(&str)) {
    match json {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, visit)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            visit(name);
            strings(value, visit);
        }),
        _ => {}
    }
}
