//! Markdown twins, byte for byte.

use crate::folder::TestFolder;

const CONFIG: &str = "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example/docs\"\nauthor = \"The crew\"\n\n\
    [[collections]]\nname = \"posts\"\npath = \"posts\"\nroute = \"/posts/{slug}\"\nposts = true\n\n\
    [[collections]]\nname = \"words\"\npath = \"words\"\nroute = \"/words/{slug}\"\n\n\
    [exports]\nllms = false\ntools = false\n";

fn post(title: &str, date: &str, tags: &str) -> String {
    format!("---\ntitle: {title}\ndate: {date}\ntags: [{tags}]\n---\n\nText of {title}.\n")
}

#[test]
fn a_twin_says_what_the_text_alone_does_not() {
    let folder = TestFolder::new(&[
        ("site/shelfmark.toml", CONFIG),
        (
            "site/words/ebb.md",
            "---\ntitle: 'Ebb: \"down\" \\ out'\ndescription: Water going.\nauthor: Ann\ntags: [Moon, C++]\n---\n\n# Ebb\n\nSee [spring](../posts/spring.md).\n",
        ),
        ("site/about.md", "# About us\n"),
    ]);
    for (name, date, tags) in [
        ("spring", "2026-01-01", "Moon, C++"),
        ("neap", "2026-02-01", "Moon"),
        ("old", "2025-01-01", "Moon"),
        ("rust", "2026-02-02", "Rust"),
        ("p4", "2025-04-01", "C++"),
        ("p5", "2025-05-01", "C++"),
        ("p6", "2025-06-01", "C++"),
    ] {
        folder.write(&format!("site/posts/{name}.md"), post(name, date, tags));
    }
    folder.build(&[]);
    // Two tags shared, then one tag from the newest on, five at most; a word is no post.
    assert_eq!(
        folder.text("dist/public/words/ebb.md"),
        "---\ntitle: \"Ebb: \\\"down\\\" \\\\ out\"\ndescription: \"Water going.\"\nurl: \"https://tides.example/docs/words/ebb\"\nauthor: \"Ann\"\n\
         relatedPosts:\n\
         \x20 - title: \"spring\"\n    url: \"https://tides.example/docs/posts/spring\"\n\
         \x20 - title: \"neap\"\n    url: \"https://tides.example/docs/posts/neap\"\n\
         \x20 - title: \"p6\"\n    url: \"https://tides.example/docs/posts/p6\"\n\
         \x20 - title: \"p5\"\n    url: \"https://tides.example/docs/posts/p5\"\n\
         \x20 - title: \"p4\"\n    url: \"https://tides.example/docs/posts/p4\"\n\
         tags:\n\
         \x20 - title: \"Moon\"\n    url: \"https://tides.example/docs/tags/moon\"\n\
         \x20 - title: \"C++\"\n    url: \"https://tides.example/docs/tags/cpp\"\n\
         ---\n\n# Ebb\n\nSee [spring](https://tides.example/docs/posts/spring).\n"
    );
    // Nothing shares its tag, and it is not related to itself.
    assert_eq!(
        folder.text("dist/public/posts/rust.md"),
        "---\ntitle: \"rust\"\nurl: \"https://tides.example/docs/posts/rust\"\nauthor: \"The crew\"\n\
         tags:\n  - title: \"Rust\"\n    url: \"https://tides.example/docs/tags/rust\"\n---\n\nText of rust.\n"
    );
    assert_eq!(
        folder.text("dist/public/about.md"),
        "---\ntitle: \"About us\"\nurl: \"https://tides.example/docs/about\"\nauthor: \"The crew\"\n---\n\n# About us\n"
    );
    assert_eq!(
        folder.text("dist/public/tags/cpp.md"),
        "---\ntitle: \"C++\"\nurl: \"https://tides.example/docs/tags/cpp\"\nauthor: \"The crew\"\n---\n\n# C++\n\n\
         - [p4](https://tides.example/docs/posts/p4)\n- [p5](https://tides.example/docs/posts/p5)\n\
         - [p6](https://tides.example/docs/posts/p6)\n- [spring](https://tides.example/docs/posts/spring)\n\
         - [Ebb: \"down\" \\\\ out](https://tides.example/docs/words/ebb): Water going.\n"
    );
    let twins: Vec<String> = folder.files("dist/public").into_keys().collect();
    assert_eq!(
        twins,
        [
            "about.md",
            "index.md",
            "posts.md",
            "posts/neap.md",
            "posts/old.md",
            "posts/p4.md",
            "posts/p5.md",
            "posts/p6.md",
            "posts/rust.md",
            "posts/spring.md",
            "tags.md",
            "tags/cpp.md",
            "tags/moon.md",
            "tags/rust.md",
            "words.md",
            "words/ebb.md",
        ]
    );
}
