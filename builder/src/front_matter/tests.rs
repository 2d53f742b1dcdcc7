use super::*;

fn today() -> jiff::civil::Date {
    jiff::civil::Date::new(2026, 1, 1).unwrap()
}

fn keys() -> Vec<String> {
    vec!["tags".into()]
}

fn read(text: &str) -> (Meta, Vec<String>, String) {
    let parts = split(text, "a.md").unwrap();
    let (meta, problems) = meta::meta(&parts.map, "a.md", &keys(), today());
    let told = parts
        .warnings
        .iter()
        .chain(&problems)
        .map(|p| format!("{} {}", p.line.unwrap_or(0), p.what))
        .collect();
    (meta, told, parts.body.to_owned())
}

fn refused(text: &str) -> Problem {
    *split(text, "a.md").unwrap_err()
}

fn tags(text: &str) -> Vec<String> {
    read(text).0.tags.into_iter().map(|tag| tag.text).collect()
}

fn body(text: &str) -> String {
    read(text).2
}

#[test]
fn three_languages_say_the_same() {
    for text in [
        "---\ntitle: Setup\ntags: [a]\ndraft: true\n---\n# Hi\n",
        "+++\ntitle = \"Setup\"\ntags = [\"a\"]\ndraft = true\n+++\n# Hi\n",
        "{\n\"title\": \"Setup\", \"tags\": [\"a\"],\n\"draft\": true}\n# Hi\n",
    ] {
        let (meta, told, body) = read(text);
        assert_eq!(meta.title.as_deref(), Some("Setup"), "{text}");
        assert_eq!(meta.tags[0].text, "a");
        assert!(meta.hidden.is_some());
        assert_eq!(told, [""; 0]);
        assert_eq!(body, "# Hi\n");
    }
}

#[test]
fn a_file_that_ends_at_the_closing_fence_has_an_empty_body() {
    assert_eq!(body("---\ntitle: Stub\n---"), "");
    assert_eq!(body("---\n---\n"), "");
    assert_eq!(body("+++\ntitle = \"Stub\"\n+++"), "");
    assert_eq!(body("{\"title\": \"Stub\"}"), "");
}

#[test]
fn later_rules_were_read_as_more_front_matter() {
    let text = "---\ntitle: T\n---\n\none\n\n---\n\ntwo\n\n---\n\nthree\n";
    assert_eq!(body(text), "\none\n\n---\n\ntwo\n\n---\n\nthree\n");
    let (meta, _, body) = read("---\ntitle: T\n---\nx\n\n---\ndraft: true\n---\ny\n");
    assert_eq!(meta.hidden, None);
    assert!(body.contains("draft: true"));
}

#[test]
fn a_fence_inside_a_value_cut_the_front_matter() {
    let (meta, _, body) = read("---\ntitle: \"Before --- after\"\nslug: x\n---  \nBody\n");
    assert_eq!(meta.title.as_deref(), Some("Before --- after"));
    assert_eq!(meta.slug.as_deref(), Some("x"));
    assert_eq!(body, "Body\n");
}

#[test]
fn a_rule_at_the_top_is_not_front_matter() {
    for text in [
        "---\n\none\n\n---\n\ntwo\n",
        "---\n",
        "---",
        "--- x\n",
        "----\n---\n",
        "",
        "+++",
        "---\n\nno end",
    ] {
        assert_eq!(body(text), text);
    }
}

#[test]
fn front_matter_without_an_end_is_told() {
    let problem = refused("---\ntitle: T\n\n# H\n");
    assert_eq!(
        (problem.line, problem.what.as_str()),
        (Some(1), "the front matter is never closed")
    );
    assert_eq!(
        refused("+++\ntitle = 1\n").help.unwrap(),
        "add a line `+++` where it ends"
    );
}

#[test]
fn broken_front_matter_names_its_line() {
    let problem = refused("---\ntitle: a: b\n---\n");
    assert_eq!(
        (problem.line, problem.column),
        (Some(2), Some(9)),
        "{problem}"
    );
    assert!(problem.help.unwrap().contains("needs quotes"));
    assert_eq!(refused("+++\ntitle = \n+++\n").line, Some(2));
    assert_eq!(refused("{\n\"a\": }\n").line, Some(2));
    assert_eq!(refused("{\"a\": 1} x\n").line, Some(1));
    assert!(
        refused("---\njust text\n---\n")
            .what
            .contains("text, not keys")
    );
    assert!(refused("---\n- a\n---\n").what.contains("text, not keys"));
}

#[test]
fn yaml_that_other_readers_take_is_taken_with_a_warning() {
    let (meta, told, _) =
        read("---\ntitle: T\naliases: [\n  'a',\n'b',\n]\ndescription: \"one\ntwo\"\n---\n");
    assert_eq!(meta.aliases, ["a", "b"]);
    assert_eq!(meta.description.as_deref(), Some("one two"));
    assert_eq!(told.len(), 1);
    let (meta, told, _) = read("---\naliases:\n  - %\n  - foreach\ntitle: @x\n---\n");
    assert_eq!(meta.aliases, ["%", "foreach"]);
    assert_eq!(meta.title.as_deref(), Some("@x"));
    assert!(
        told[0].starts_with("3 the front matter is not valid YAML"),
        "{told:?}"
    );
    assert!(split("---\ntitle: [\ndraft: true\n---\n", "a.md").is_err());
    assert!(split("---\ntitle: \"a\ndraft: true\n---\n", "a.md").is_err());
}

#[test]
fn shortcodes_and_templates_are_no_json() {
    for text in [
        "{{< x >}}\n",
        "{% raw %}\n",
        "{/* c */}\n",
        "{#id}\n",
        "{ \"x\" }\n",
    ] {
        assert_eq!(body(text), text);
    }
}

#[test]
fn tags_that_are_numbers_and_words_keep_their_text() {
    assert_eq!(tags("---\ntags:\n  - 2024\n---\n"), ["2024"]);
    assert_eq!(
        tags("---\ntags: [1, yes, 3.10, NO, true, 0x1F]\n---\n"),
        ["1", "yes", "3.10", "NO", "true", "0x1F"]
    );
    assert_eq!(
        tags("+++\ntags = [1, 3.10, true]\n+++\n"),
        ["1", "3.10", "true"]
    );
    assert_eq!(tags("{\"tags\": [1, 3.10]}"), ["1", "3.10"]);
}

#[test]
fn tags_may_be_a_list_a_line_or_nothing() {
    assert_eq!(tags("---\ntags: a, b\n---\n"), ["a", "b"]);
    assert_eq!(tags("---\ntags: hello,world\n---\n"), ["hello", "world"]);
    assert_eq!(tags("---\ntags: 2024\n---\n"), ["2024"]);
    assert_eq!(tags("---\ntags:\n---\n"), [""; 0]);
    assert_eq!(tags("---\ntags: [a, ~, \"\", ' ']\n---\n"), ["a"]);
    assert_eq!(
        tags("+++\n[taxonomies]\ntags = [\"a b\", \"c\"]\n+++\n"),
        ["a b", "c"]
    );
    let (meta, told, _) = read("---\ntags: [{a: 1}, b]\n---\n");
    assert_eq!(meta.tags.len(), 1);
    assert_eq!(told, ["2 a tag is text; got a table"]);
}

#[test]
fn a_key_given_twice_names_both_lines_and_the_last_counts() {
    let (meta, told, _) = read("---\ntags: [a]\ndraft: false\ntags: [b]\n---\n");
    assert_eq!(meta.tags[0].text, "b");
    assert_eq!(told, ["4 `tags` is given twice: at line 2 and here"]);
    let problem = refused("+++\na = 1\na = 2\n+++\n");
    assert_eq!(problem.line, Some(3), "{problem}");
}

#[test]
fn keys_that_are_not_text_are_written_out_in_order() {
    let parts = split("---\nparams:\n  true: x\n  1: y\n---\n", "a.md").unwrap();
    let Value::Map(params) = &parts.map[0].node.value else {
        panic!()
    };
    let keys: Vec<_> = params.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["true", "1"]);
}

#[test]
fn a_plain_date_was_moved_into_another_day() {
    let date = |text: &str| read(text).0.date.unwrap().text;
    assert_eq!(date("---\ndate: 2021-04-01\n---\n"), "2021-04-01");
    assert_eq!(
        date("---\ndate: 2024-01-01 00:00:00 -05\n---\n"),
        "2024-01-01T00:00:00-05:00"
    );
    assert_eq!(date("+++\ndate = 2021-04-01\n+++\n"), "2021-04-01");
    assert_eq!(
        date("+++\ndate = 2021-04-01T10:00:00+02:00\n+++\n"),
        "2021-04-01T10:00:00+02:00"
    );
    let (meta, _, _) = read("---\ndate: 2019-08-31T12:00:00-06:00\nlast_update: 2020-04-04\n---\n");
    assert_eq!(meta.date.unwrap().text, "2019-08-31T12:00:00-06:00");
    assert_eq!(meta.updated.unwrap().text, "2020-04-04");
}

#[test]
fn a_date_that_is_not_understood_stays_as_text() {
    let (meta, told, _) = read("---\ndate: next spring\n---\n");
    assert_eq!(meta.date.unwrap().text, "next spring");
    assert_eq!(
        told,
        ["2 `date: next spring` is no date that is understood"]
    );
}

#[test]
fn a_blank_title_is_no_title() {
    let (meta, told, _) = read("---\ntitle:\ndescription: \"  \"\n---\n# Real title\n");
    assert_eq!((meta.title, meta.description), (None, None));
    assert_eq!(told, [""; 0]);
}

#[test]
fn keys_are_known_in_any_case() {
    let (meta, _, _) = read("---\nTitle: T\nDraft: true\n---\n");
    assert_eq!(meta.title.as_deref(), Some("T"));
    assert!(meta.hidden.is_some());
}

#[test]
fn hidden_pages() {
    for line in [
        "draft: true",
        "draft: \"true\"",
        "draft: yes",
        "draft: 1",
        "DRAFT: True",
        "draft: maybe",
        "draft: [x]",
        "published: false",
        "published: \"no\"",
        "private: true",
        "unlisted: true",
        "hidden: true",
        "date: 2026-01-02",
        "publishDate: 2026-01-02",
        "publish_date: 2099-01-01",
        "expiryDate: 2026-01-01",
        "permalink: false",
        "draft: true\nDraft: false",
    ] {
        assert!(
            read(&format!("---\n{line}\n---\n")).0.hidden.is_some(),
            "{line}"
        );
    }
    for line in [
        "draft: false",
        "draft:",
        "draft: \"false\"",
        "draft: 0",
        "published: true",
        "published: 2024-01-01",
        "published:",
        "unlisted: no",
        "date: 2026-01-01",
        "date: soon",
        "expiryDate: 2026-01-02",
        "params: {draft: true}",
    ] {
        assert_eq!(
            read(&format!("---\n{line}\n---\n")).0.hidden,
            None,
            "{line}"
        );
    }
}

#[test]
fn other_names_are_not_addresses() {
    let (meta, _, _) = read(
        "---\naliases: [MCP, /old/page/, ../x, old/, 'a/b', .NET, https://x.dev/y, MCP]\n---\n",
    );
    assert_eq!(meta.aliases, ["MCP", "a/b", ".NET"]);
    assert_eq!(
        read("---\naliases: one, name\n---\n").0.aliases,
        ["one, name"]
    );
}

#[test]
fn authors_in_all_their_forms() {
    for text in [
        "author: A B",
        "authors: [A B]",
        "authors:\n  - name: A B\n",
        "author: {name: A B, url: x}",
    ] {
        assert_eq!(
            read(&format!("---\n{text}\n---\n")).0.author.as_deref(),
            Some("A B"),
            "{text}"
        );
    }
    assert_eq!(
        read("---\nauthors: [A, B]\n---\n").0.author.as_deref(),
        Some("A, B")
    );
}

#[test]
fn a_title_with_a_line_break_or_hidden_signs_is_one_line() {
    let (meta, _, _) = read("---\ntitle: \"X\\nReference: /evil\\U000E0041\"\n---\n");
    assert_eq!(meta.title.as_deref(), Some("X Reference: /evil"));
}

#[test]
fn declared_fields_are_typed() {
    use crate::config::{FieldKind, FieldSettings};
    use crate::site::FieldValue;
    let declare = |name: &str, kind, values: &[&str]| FieldSettings {
        name: name.into(),
        kind,
        description: None,
        values: values.iter().map(|v| (*v).to_owned()).collect(),
    };
    let declared = [
        declare("n", FieldKind::Integer, &[]),
        declare("v", FieldKind::Text, &[]),
        declare("l", FieldKind::List, &[]),
        declare("d", FieldKind::Date, &[]),
        declare("b", FieldKind::Boolean, &[]),
        declare("s", FieldKind::Text, &["x", "y"]),
        declare("absent", FieldKind::Number, &[]),
    ];
    let parts = split(
        "---\nn: 3\nv: 3.10\nl: [1, a]\nd: 2024-1-2\nb: \"yes\"\ns: z\n---\n",
        "a.md",
    )
    .unwrap();
    let (values, problems) = fields(&parts.map, "a.md", &declared);
    assert_eq!(
        values,
        [
            ("n".into(), FieldValue::Integer(3)),
            ("v".into(), FieldValue::Text("3.10".into())),
            ("l".into(), FieldValue::List(vec!["1".into(), "a".into()])),
            ("d".into(), FieldValue::Date("2024-01-02".into())),
        ]
    );
    let told: Vec<_> = problems
        .iter()
        .map(|p| format!("{} {}", p.line.unwrap(), p.what))
        .collect();
    assert_eq!(
        told,
        [
            "6 `b` is declared as boolean; got text",
            "7 `s` cannot be `z`"
        ]
    );
}

#[test]
fn any_text_is_taken_apart_without_a_panic() {
    let seeds = [
        "---\ntitle: \"Я\"\ntags: [a, *x, &y z]\n? a\n: b\n---\nbody",
        "+++\ntitle = '''я\n'''\nd = 2024-01-01T00:00:00Z\n[a.b]\nc = [1,\n2]\n+++\nbody",
        "{\n\"я\": [1, -2.5e3, {\"x\": \"\\u0041\\n\"}], \"t\": null\n}\nbody",
        "---\na: |\n  x\n  y\nb: >-\n  z\nc: !!str 1\n%TAG\n---\n",
    ];
    for seed in seeds {
        for (at, _) in seed.char_indices() {
            for text in [
                seed[..at].to_owned(),
                seed[at..].to_owned(),
                format!("{}{}", &seed[..at], "\n---\n"),
                format!("---\n{}", &seed[at..]),
            ] {
                if let Ok(parts) = split(&text, "a.md") {
                    let _ = meta::meta(&parts.map, "a.md", &keys(), today());
                }
            }
        }
    }
}
