use super::*;

fn problems(text: &str) -> Vec<String> {
    let (_, problems) = read(text, "shelfmark.toml");
    crate::problem::Problems::new(problems)
        .iter()
        .map(|p| {
            let help = p.help.as_ref().map_or(String::new(), |h| format!(" | {h}"));
            format!("{}:{} {}{help}", p.line.unwrap(), p.column.unwrap(), p.what)
        })
        .collect()
}

#[test]
fn a_whole_file() {
    let text = r#"
[site]
title = "Tea"
url = "https://tea.example/docs/"
trailing_slash = true

[[collections]]
name = "writing"
route = "/writing/{slug}"

[[collections]]
name = "glossary"
path = "terms"
title = "Words"
[collections.fields]
level = { kind = "integer", description = "How hard" }
also = "list"

[limits]
markdown_chars = 1_000
"#;
    let (draft, problems) = read(text, "shelfmark.toml");
    assert_eq!(problems, []);
    let collections = draft.collections.unwrap();
    assert_eq!(draft.title.as_deref(), Some("Tea"));
    assert!(draft.site.trailing_slash);
    assert_eq!(draft.limits.markdown_chars, 1_000);
    assert!(collections[0].posts && !collections[1].posts);
    assert_eq!(collections[0].title, "Writing");
    assert_eq!(collections[0].archive_route(), "/writing");
    assert_eq!(collections[1].route, "/terms/{path}");
    let fields: Vec<_> = collections[1]
        .fields
        .iter()
        .map(|f| (f.name.as_str(), f.kind))
        .collect();
    assert_eq!(
        fields,
        [("level", FieldKind::Integer), ("also", FieldKind::List)]
    );
}

#[test]
fn every_problem_is_told_at_once() {
    let text = r#"
[site]
titel = "Tea"
url = "tea.example"
trailing_slash = "yes"
[sever]
[limits]
answer_bytes = 1
[pages]
exclude = ["a[", 3]
route = "/x"
[[collections]]
name = "my posts"
[[collections]]
title = "x"
[collections.fields]
a = "txt"
"#;
    assert_eq!(
        problems(text),
        [
            "3:1 `titel` is no key of `[site]` | did you mean `title`?",
            "4:7 a site's address starts with `https://` or `http://`, got `tea.example` | \
             write the site's whole address, as in `url = \"https://example.org/docs\"`",
            "5:18 `trailing_slash` is `true` or `false`; got string",
            "6:2 `sever` is no key of the configuration file | did you mean `server`?",
            "8:16 `answer_bytes` is 1, and has to be from 4096 to 1000000",
            "10:12 `a[` is no pattern: unclosed character class; missing ']'",
            "10:18 `exclude` is a list of texts; got integer",
            "11:9 `/x` gives every page the same route: it has no `{path}` or `{slug}` | \
             a route is text that starts with `/`, with the place holders `{path}`, `{slug}`",
            "13:8 `my posts` cannot name a collection | use letters, digits, `-` and `_`, \
             such as `name = \"my-posts\"`, and put the words in `title`",
            "14:1 a collection has no name | add `name = \"writing\"`",
            "17:5 `txt` is no kind of field | use one of `text`, `integer`, `number`, \
             `boolean`, `date`, `list`, `enum`, `link`",
        ]
    );
}

#[test]
fn two_collections_of_one_name_or_folder() {
    let text = "[[collections]]\nname = \"a\"\n[[collections]]\nname = \"a\"\n\
                [[collections]]\nname = \"b\"\npath = \"a\"\n";
    assert_eq!(
        problems(text),
        [
            "3:1 two collections are called `a`: here and at line 1",
            "5:1 the collections `a` (line 1) and `b` have the same folder, `a`",
        ]
    );
}

#[test]
fn broken_toml_is_told_with_its_line() {
    let found = problems("[site]\ntitle = \n");
    assert!(found[0].starts_with("2:"), "{found:?}");
    assert!(found[0].contains("not valid TOML"), "{found:?}");
}
