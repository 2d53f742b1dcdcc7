//! The wording rules, the schema subset and the reader, over every tool and several sites.

use serde_json::Value as Json;

use super::*;

fn collection(name: &str, title: &str, posts: bool) -> CollectionSurface {
    CollectionSurface {
        name: name.into(),
        title: title.into(),
        posts,
        ..CollectionSurface::default()
    }
}

fn site() -> SiteSurface {
    SiteSurface {
        title: "Shelf".into(),
        description: Some("On shelves.".into()),
        collections: vec![
            collection("writing", "Writing", true),
            collection("glossary", "Terms", false),
            demos(),
        ],
        has_tags: true,
        feedback: true,
        markdown_chars: 24_000,
        answer_bytes: 262_144,
        examples: Examples {
            word: Some("caching".into()),
            collection: Some("writing".into()),
            tag: Some("how-i-work".into()),
            post: Some("hello".into()),
            route: Some("/writing/hello".into()),
            anchor: Some("why".into()),
        },
    }
}

/// A collection with tools of its own, and a field of every kind.
fn demos() -> CollectionSurface {
    let text = || Kind::Text {
        max_chars: usize::MAX,
    };
    let choice = Kind::Choice {
        options: vec!["easy".into(), "hard".into()],
        default: None,
    };
    CollectionSurface {
        description: Some("Walk-throughs of real tasks.".into()),
        tools: Some(CollectionTools {
            slug: "demos".into(),
            fields: vec![
                Field::optional("level", choice, "How hard it is."),
                Field::optional("minutes", Kind::Number, "How long it takes."),
                Field::optional("done", Kind::Boolean, ""),
                Field::optional("parts", Kind::List(Box::new(text())), "Its parts."),
            ],
            id: Some("first".into()),
            word: Some("first".into()),
        }),
        ..collection("demos", "Demos", false)
    }
}

fn bare() -> SiteSurface {
    SiteSurface {
        title: "Bare".into(),
        markdown_chars: 24_000,
        answer_bytes: 262_144,
        ..SiteSurface::default()
    }
}

/// What `tools/list` answers with.
fn list(site: &SiteSurface) -> Json {
    serde_json::from_slice(&definitions(site)).unwrap()
}

fn all(site: &SiteSurface) -> Vec<Definition> {
    tools(site)
}

fn refused(tool: Tool, raw: &str) -> String {
    Call::read(tool, Some(raw), &definition(tool, &site()).arguments)
        .unwrap_err()
        .to_string()
}

fn accepted(tool: Tool, raw: &str) -> Call {
    Call::read(tool, Some(raw), &definition(tool, &site()).arguments)
        .unwrap_or_else(|refusal| panic!("{raw}: {refusal}"))
}

/// Walks every schema in a definition.
fn schemas<'a>(schema: &'a Json, path: String, visit: &mut impl FnMut(&str, &'a Json)) {
    visit(&path, schema);
    if let Some(properties) = schema["properties"].as_object() {
        for (name, inner) in properties {
            schemas(inner, format!("{path}.{name}"), visit);
        }
    }
    if !schema["items"].is_null() {
        schemas(&schema["items"], format!("{path}[]"), visit);
    }
}

#[test]
fn clients_dropped_tools_for_refs_unions_and_untyped_properties() {
    const KEYS: [&str; 10] = [
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
    for site in [site(), bare()] {
        let list: Json = list(&site);
        for tool in list.as_array().unwrap() {
            for key in ["inputSchema", "outputSchema"] {
                if tool[key].is_null() {
                    continue;
                }
                schemas(
                    &tool[key],
                    format!("{}.{key}", tool["name"]),
                    &mut |path, schema| {
                        assert!(schema["type"].is_string(), "{path} has one type");
                        for key in schema.as_object().unwrap().keys() {
                            assert!(KEYS.contains(&key.as_str()), "{path} has {key}");
                        }
                        assert!(
                            schema["enum"]
                                .as_array()
                                .is_none_or(|options| !options.is_empty()),
                            "{path} has an empty enum"
                        );
                        if let Some(closed) = schema.get("additionalProperties") {
                            assert_eq!(closed, &Json::Bool(false), "{path}");
                        }
                    },
                );
                assert_eq!(tool[key]["type"], "object");
            }
            assert!(!tool["description"].as_str().unwrap().is_empty());
        }
    }
}

#[test]
fn names_fit_every_client() {
    for tool in Tool::ALL {
        assert!(
            tool.name().len() <= 64
                && tool
                    .name()
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'_')
        );
        assert_eq!(Tool::of_name(tool.name()), Some(tool));
    }
    assert_eq!(Tool::of_name("woman"), None);
}

#[test]
fn every_tool_carries_its_four_hints_and_a_read_tool_its_answer() {
    let list: Json = list(&site());
    assert_eq!(list.as_array().unwrap().len(), 9 + 4);
    for tool in list.as_array().unwrap() {
        let hints = &tool["annotations"];
        assert_eq!(
            hints["readOnlyHint"],
            Json::Bool(tool["name"] != "submit_feedback"),
            "{tool}"
        );
        assert_eq!(hints["destructiveHint"], Json::Bool(false));
        assert_eq!(hints["idempotentHint"], Json::Bool(true));
        assert_eq!(hints["openWorldHint"], Json::Bool(false));
        assert_eq!(
            tool["outputSchema"].is_null(),
            ["get_page_markdown", "man"].contains(&tool["name"].as_str().unwrap()),
            "{tool}"
        );
    }
}

#[test]
fn the_same_site_gives_the_same_bytes() {
    assert_eq!(definitions(&site()), definitions(&site()));
}

#[test]
fn feedback_without_a_store_is_not_listed() {
    let site = SiteSurface {
        feedback: false,
        ..site()
    };
    let list = String::from_utf8(definitions(&site)).unwrap();
    assert!(!list.contains("submit_feedback"));
    for definition in all(&site) {
        let prose = format!("{definition:?}");
        assert!(!prose.contains("submit_feedback"), "{prose}");
    }
}

#[test]
fn the_wording_of_every_tool_is_as_the_rules_have_it() {
    let silent = SiteSurface {
        feedback: false,
        ..site()
    };
    for site in [site(), silent, bare()] {
        assert_eq!(wording::faults(&all(&site), &[]), []);
        for definition in all(&site) {
            assert!(!definition.see_also.is_empty() && !definition.description.is_empty());
        }
        for collection in &site.collections {
            let mut tools = all(&site);
            tools.extend(write_tools(collection));
            assert_eq!(wording::faults(&tools, &[]), []);
        }
    }
}

#[test]
fn a_text_that_breaks_a_rule_is_told() {
    let mut tool = definition(Tool::ListPages, &site());
    tool.summary = "Lists pages. And more.".into();
    tool.description = "Says how many pages to return, by default all.".into();
    tool.arguments[0].description = "How many pages to return.".into();
    tool.see_also.push(("nothing".into(), "is there".into()));
    let told: Vec<String> = wording::faults(
        &[tool, definition(Tool::GetPageMarkdown, &site())],
        &["list_collections".into()],
    )
    .into_iter()
    .filter(|fault| fault.tool == "list_pages")
    .map(|fault| fault.what)
    .collect();
    assert_eq!(
        told,
        [
            "the summary is not one short sentence: Lists pages. And more.",
            "the description repeats `limit`: how many pages to return",
            "`limit` does not state its default: How many pages to return.",
            "`limit` does not state `1`: How many pages to return.",
            "`nothing` is no neighbour to see",
        ]
    );
}

#[test]
fn a_refusal_says_what_to_do_and_that_nothing_was_saved() {
    for definition in all(&site()) {
        let Origin::Site(tool) = definition.origin else {
            continue;
        };
        for raw in ["[]", r#"{"zzz":1}"#, r#"{"limit":0}"#, "{}"] {
            let Err(refusal) = Call::read(tool, Some(raw), &definition.arguments) else {
                continue;
            };
            let text = refusal.to_string();
            assert!(text.starts_with("Error: "), "{text}");
            let next = ["Send ", "Known here: ", "for example ", "did you mean "];
            assert!(next.iter().any(|next| text.contains(next)), "{text}");
            assert_eq!(
                text.contains("Nothing was saved."),
                !tool.is_read_only(),
                "{text}"
            );
        }
    }
}

#[test]
fn a_site_is_not_taught_what_it_lacks() {
    let site = bare();
    let search = definition(Tool::SearchContent, &site);
    assert_eq!(
        search
            .arguments
            .iter()
            .map(|field| &*field.name)
            .collect::<Vec<_>>(),
        ["match", "limit"]
    );
    for definition in all(&site) {
        for example in &definition.examples {
            assert!(
                !example.arguments.contains("collection") && !example.arguments.contains("tag"),
                "{example:?}"
            );
        }
    }
    assert!(
        !search.description.contains(" tag"),
        "{}",
        search.description
    );
}

#[test]
fn the_real_collections_are_named() {
    let search = definition(Tool::SearchContent, &site());
    assert!(
        search
            .description
            .contains("writing, glossary (Terms) and demos"),
        "{}",
        search.description
    );
    let list: Json = list(&site());
    assert_eq!(
        list[2]["inputSchema"]["properties"]["collection"]["enum"],
        serde_json::json!(["writing", "glossary", "demos"])
    );
    assert!(
        definition(Tool::GetPost, &site())
            .description
            .contains("documents of writing.")
    );
}

#[test]
fn every_example_is_a_call_that_reads() {
    for site in [site(), bare()] {
        for definition in all(&site) {
            for example in &definition.examples {
                let (raw, arguments) = (Some(&*example.arguments), &definition.arguments);
                let read = match &definition.origin {
                    Origin::Site(tool) => Call::read(*tool, raw, arguments).map(drop),
                    Origin::Collection { operation, .. } => {
                        CollectionCall::read(*operation, "", raw, arguments).map(drop)
                    }
                };
                read.unwrap_or_else(|refusal| panic!("{}: {refusal}", example.arguments));
            }
        }
    }
}

#[test]
fn a_title_with_line_breaks_or_hidden_text_is_cleaned_in_descriptions() {
    let site = SiteSurface {
        title: "Shelf\nIgnore this\u{202E}\u{E0041}".into(),
        collections: vec![collection("docs", "Docs\u{200B}\nnow", true)],
        ..site()
    };
    let list = String::from_utf8(definitions(&site)).unwrap();
    assert!(
        list.contains("Shelf Ignore this") && list.contains("docs (Docs now)"),
        "{list}"
    );
    assert!(!list.contains(['\u{202E}', '\u{E0041}', '\u{200B}']) && !list.contains("\\n"));
}

#[test]
fn whole_numbers_come_in_many_spellings() {
    for raw in ["3", "3.0", "\"3\"", "\"3.0\"", "\" 3 \"", "3e0"] {
        assert_eq!(
            accepted(Tool::ListPages, &format!(r#"{{"limit":{raw}}}"#)),
            Call::ListPages(Some(3)),
            "{raw}"
        );
    }
    for raw in ["null", "\"\"", "\"  \""] {
        assert_eq!(
            accepted(Tool::ListPages, &format!(r#"{{"limit":{raw}}}"#)),
            Call::ListPages(None),
            "{raw}"
        );
    }
    assert_eq!(
        Call::read(
            Tool::ListPages,
            None,
            &definition(Tool::ListPages, &site()).arguments
        ),
        Ok(Call::ListPages(None))
    );
    assert_eq!(
        accepted(Tool::ListPages, r#"{"limit":99999999999999999999}"#),
        Call::ListPages(Some(i64::MAX as usize))
    );
    for raw in [
        "3.5",
        "\"3.5\"",
        "\"ten\"",
        "0",
        "-1",
        "true",
        "[3]",
        "{}",
        "\"1e1\"",
        "\"0x3\"",
        "1e999",
        "-99999999999999999999",
    ] {
        let text = refused(Tool::ListPages, &format!(r#"{{"limit":{raw}}}"#));
        assert!(
            text.starts_with("Error: `limit` has to be a whole number of at least 1, but "),
            "{text}"
        );
    }
}

#[test]
fn a_limit_out_of_bounds_is_refused_not_reduced() {
    assert_eq!(
        refused(Tool::SearchContent, r#"{"tag":"a","limit":26}"#),
        "Error: `limit` has to be a whole number from 1 to 25, but 26 came. Send a number in those bounds, or leave it out for 10."
    );
    assert!(refused(Tool::SearchContent, r#"{"tag":"a","limit":0}"#).contains("from 1 to 25"));
}

#[test]
fn an_object_came_as_a_string() {
    let expected = accepted(
        Tool::SearchContent,
        r#"{"match":{"text":"cache","in":"all"},"limit":5}"#,
    );
    assert_eq!(
        accepted(
            Tool::SearchContent,
            r#"{"match":"{\"text\":\"cache\",\"in\":\"all\"}","limit":"5"}"#
        ),
        expected
    );
    assert_eq!(
        accepted(
            Tool::SearchContent,
            r#"{"match":" { \"text\": \"cache\" } ","limit":5.0}"#
        ),
        expected
    );
    let text = refused(Tool::SearchContent, r#"{"match":"cache"}"#);
    assert!(
        text.contains("`match` has to be an object with text and in, but \"cache\" came"),
        "{text}"
    );
    assert!(refused(Tool::SearchContent, r#"{"match":["cache"]}"#).starts_with("Error: `match`"));
    assert!(
        refused(Tool::SearchContent, r#"{"match":"{\"text\":"}"#).starts_with("Error: `match`")
    );
}

#[test]
fn a_slug_of_digits_was_turned_into_a_number() {
    for (raw, slug) in [
        ("\"2024\"", "2024"),
        ("2024", "2024"),
        ("3.10", "3.10"),
        ("\"10.0\"", "10.0"),
        ("\" a \"", "a"),
        ("\"null\"", "null"),
        ("\"{}\"", "{}"),
    ] {
        assert_eq!(
            accepted(Tool::GetPost, &format!(r#"{{"slug":{raw}}}"#)),
            Call::GetPost { slug: slug.into() }
        );
    }
    for raw in ["true", "[]", "{}"] {
        assert!(
            refused(Tool::GetPost, &format!(r#"{{"slug":{raw}}}"#))
                .starts_with("Error: `slug` has to be text"),
            "{raw}"
        );
    }
    let Call::SearchContent(search) = accepted(Tool::SearchContent, r#"{"tag":2024}"#) else {
        panic!()
    };
    assert_eq!(search.tag.as_deref(), Some("2024"));
}

#[test]
fn search_needs_something_to_look_for() {
    for raw in [
        "{}",
        r#"{"limit":5}"#,
        r#"{"match":null,"tag":" ","collection":""}"#,
    ] {
        let text = refused(Tool::SearchContent, raw);
        assert!(
            text.starts_with("Error: at least one of match, collection, tag has to be given"),
            "{text}"
        );
    }
    assert!(
        refused(Tool::SearchContent, r#"{"match":{}}"#)
            .starts_with("Error: `match.text` is required")
    );
    assert!(
        refused(Tool::SearchContent, r#"{"match":{"text":" "}}"#)
            .starts_with("Error: `match.text` is required")
    );
}

#[test]
fn a_wrong_word_is_refused_with_the_right_ones() {
    let text = refused(Tool::SearchContent, r#"{"collection":"writings"}"#);
    assert_eq!(
        text,
        "Error: `collection` has to be one of writing, glossary, demos, but \"writings\" came. Did you mean writing?"
    );
    assert!(
        refused(
            Tool::SearchContent,
            r#"{"match":{"text":"a","in":"titel"}}"#
        )
        .contains("Did you mean title?")
    );
}

#[test]
fn an_unknown_argument_names_the_closest() {
    assert_eq!(
        refused(Tool::GetPost, r#"{"slug":"a","slugg":"a"}"#),
        "Error: there is no argument `slugg`; did you mean `slug`? Known here: slug."
    );
    assert!(refused(Tool::SearchContent, r#"{"query":"a"}"#).contains("did you mean `match`?"));
    assert!(refused(Tool::GetPageInfo, r#"{"path":"/a"}"#).contains("did you mean `route`?"));
    assert!(
        refused(
            Tool::SearchContent,
            r#"{"match":{"text":"a","field":"title"}}"#
        )
        .contains("`match.field`; did you mean `match.in`?")
    );
    assert!(
        refused(Tool::ListTags, r#"{"zzz":1}"#).contains("no argument `zzz`. Known here: limit.")
    );
}

#[test]
fn all_problems_are_told_at_once() {
    let text = refused(
        Tool::SearchContent,
        r#"{"match":{"text":"","in":"heading"},"collection":"x","limit":"ten","offset":2}"#,
    );
    assert!(
        text.starts_with("Error: 5 problems with the arguments of search_content:\n- `match.text`"),
        "{text}"
    );
    let text = refused(Tool::SubmitFeedback, "{}");
    assert!(text.starts_with("Error: 4 problems"), "{text}");
}

#[test]
fn error_texts_bypassed_the_cleaning() {
    let text = refused(
        Tool::ListPages,
        "{\"limit\":\"1\u{202E}\u{E0041}0\",\"a\\nError: b\u{200B}\":1}",
    );
    assert!(
        !text.contains(['\u{202E}', '\u{E0041}', '\u{200B}']),
        "{text:?}"
    );
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn a_long_value_is_not_echoed_whole() {
    let text = refused(
        Tool::ListPages,
        &format!(r#"{{"limit":"{}"}}"#, "x".repeat(100_000)),
    );
    assert!(text.len() < 300, "{}", text.len());
    let text = refused(
        Tool::GetPost,
        &format!(r#"{{"slug":"{}"}}"#, "é".repeat(1_001)),
    );
    assert!(
        text.contains("at most 1,000 characters, but 1,001 came"),
        "{text}"
    );
}

#[test]
fn arguments_that_are_no_object_are_refused() {
    for raw in ["[]", "3", "\"x\"", "{", ""] {
        assert!(
            refused(Tool::ListTags, raw).starts_with("Error: arguments have to be a JSON object"),
            "{raw}"
        );
    }
}

#[test]
fn one_key_in_many_spellings() {
    let send = |key: &str| {
        let raw = format!(
            r#"{{"idempotency_key":"{key}","message":"x","kind":"other","severity":"low"}}"#
        );
        Call::read(
            Tool::SubmitFeedback,
            Some(&raw),
            &definition(Tool::SubmitFeedback, &site()).arguments,
        )
    };
    let one = send("6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90").unwrap();
    for key in [
        "6F1D3A52-8F0E-4C4B-9D57-2B8F5A1C7E90",
        "6f1d3a528f0e4c4b9d572b8f5a1c7e90",
        "{6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90}",
        "urn:uuid:6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90",
        "URN:UUID:6F1D3A52-8f0e-4c4b-9d57-2b8f5a1c7e90",
        " 6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90 ",
    ] {
        assert_eq!(send(key).unwrap(), one, "{key}");
    }
    for key in [
        "1",
        "feedback-1",
        "6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e9",
        "6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e9g",
    ] {
        let text = send(key).unwrap_err().to_string();
        assert!(
            text.starts_with("Error: `idempotency_key` has to be a UUID, "),
            "{text}"
        );
    }
}

#[test]
fn a_message_of_100_kb_is_refused() {
    let raw = format!(
        r#"{{"idempotency_key":"6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90","message":"{}","kind":"other","severity":"low"}}"#,
        "x".repeat(100_000)
    );
    assert_eq!(
        refused(Tool::SubmitFeedback, &raw),
        "Error: `message` may have at most 4,000 characters, but 100,000 came. Shorten it. Nothing was saved."
    );
}

#[test]
fn the_list_stays_small() {
    let mut site = site();
    let with = definitions(&site).len();
    site.collections
        .iter_mut()
        .for_each(|collection| collection.tools = None);
    let bytes = definitions(&site).len();
    assert!(bytes < 14_000, "{bytes} bytes are sent to every model");
    assert!(with - bytes < 5_600, "{} bytes a collection", with - bytes);
}
