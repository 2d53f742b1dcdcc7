//! The tools over real artifacts: each test builds the site it needs, and every answer is checked against what its tool promises.

#[path = "../../support/site.rs"]
mod site;

mod collection;
mod documented;
mod get_page_info;
mod get_page_markdown;
mod get_post;
mod lists;
mod man;
mod search_content;
mod served;
mod submit_feedback;
mod wording;

use std::sync::OnceLock;

use site::TestSite;

pub(crate) const CONFIG: &str = r#"
[site]
title = "Shelf"
url = "https://shelf.example/docs"
description = "Notes on shelves."

[[collections]]
name = "writing"
title = "Writing"
description = "Posts."
path = "writing"
route = "/writing/{slug}"
posts = true

[[collections]]
name = "glossary"
title = "Terms"
path = "glossary"
route = "/glossary/{slug}"

[[collections]]
name = "secret"
title = "Secret"
path = "secret"
route = "/secret/{slug}"
hidden = true
"#;

pub(crate) const FILES: &[(&str, &str)] = &[
    ("shelfmark.toml", CONFIG),
    (
        "writing/hello.md",
        "---\ntitle: Hello shelves\ndescription: A first look.\ndate: 2026-01-02\nupdated: 2026-03-04T05:06:07+02:00\ntags: [Caching, C++, How I work]\naliases: [Greeting]\n---\n\
         # Hello shelves\n\nSee the [cache](/glossary/cache) and [C](/glossary/c#history).\n\n## Why\n\nBecause biometric locks.\n\n### Deeper\n\nMore.\n\n## C\n\nOne.\n\n## C++\n\nTwo.\n",
    ),
    (
        "writing/second.md",
        "---\ntitle: Second post\ndate: 2026-02-03\ntags: [Caching]\n---\nAnother text about caching.\n",
    ),
    (
        "writing/2024.md",
        "---\ntitle: The year\ndate: 2024-12-31\ntags: [2024]\n---\nA year of digits.\n",
    ),
    (
        "writing/draft.md",
        "---\ntitle: Draft\ndate: 2026-02-03\ndraft: true\ntags: [Unheard]\n---\nxylophone\n",
    ),
    (
        "glossary/cache.md",
        "---\ntitle: Cache\ntags: [Caching, C++]\n---\nA place to keep things. Back to [hello](/writing/hello).\n",
    ),
    (
        "glossary/c.md",
        "---\ntitle: C\ntags: [C]\n---\n## History\n\nAn old language.\n",
    ),
    ("glossary/检索.md", "---\ntitle: 检索\n---\n查找文档。\n"),
    (
        "secret/plan.md",
        "---\ntitle: Plan\ntags: [Caching]\n---\nzeppelin\n",
    ),
    (
        "about.md",
        "---\ntitle: About\ndescription: Who writes.\ntags: [How I work]\n---\nAbout us, see [hello](writing/hello.md).\n",
    ),
];

/// The site that most tests ask.
pub(crate) fn shelf() -> &'static TestSite {
    static SHELF: OnceLock<TestSite> = OnceLock::new();
    SHELF.get_or_init(|| TestSite::new(FILES))
}

/// The values of one key in a list of objects.
pub(crate) fn values<'a>(list: &'a serde_json::Value, key: &str) -> Vec<&'a str> {
    let items = list
        .as_array()
        .unwrap_or_else(|| panic!("{list} is no list"));
    items
        .iter()
        .map(|item| {
            item[key]
                .as_str()
                .unwrap_or_else(|| panic!("{item} has no {key}"))
        })
        .collect()
}
