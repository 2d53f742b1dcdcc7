//! What is hidden is in no byte of what is published.

use artifact::format::Artifact;
use artifact::text::{Analyzers, Language, Query};

use crate::folder::TestFolder;

/// Stands in everything that is hidden, and in nothing else.
const SECRET: &str = "xyzzy";

fn site() -> TestFolder {
    let config = "[site]\ntitle = \"S\"\nurl = \"https://s.example\"\n\n\
        [[collections]]\nname = \"posts\"\npath = \"posts\"\nroute = \"/posts/{slug}\"\n\n\
        [[collections]]\nname = \"xyzzycollection\"\ntitle = \"Xyzzy things\"\npath = \"vault\"\nroute = \"/xyzzyvault/{slug}\"\nhidden = true\n";
    let hidden = |key: &str| {
        format!(
            "---\ntitle: Xyzzy title\ndescription: xyzzydescription\nauthor: Xyzzyauthor\n{key}\ntags: [xyzzytag, shared]\naliases: [xyzzyalias]\n---\n\
             # Xyzzyheading\n\nxyzzybody, and a [link](open.md).\n"
        )
    };
    let folder = TestFolder::new(&[
        ("site/shelfmark.toml", config),
        (
            "site/posts/open.md",
            "---\ntitle: Open\ndate: 2026-01-01\ntags: [shared]\n---\n# Open\n\nplugh <!-- xyzzycomment --> here.\n\n\
             See [one](xyzzy-draft.md), [two](xyzzy-future.md), [three](../vault/xyzzy-kept.md) and [four](xyzzy-private.md#xyzzyheading).\n\n\
             <!--\nxyzzylines\n-->\n",
        ),
        (
            "site/vault/xyzzy-kept.md",
            "---\ntags: [xyzzytag]\n---\n# Xyzzykept\n\nxyzzyvaulted\n",
        ),
        (
            "site/about.mdx",
            "{/* xyzzyexpression */}\n# About\n\nplugh\n",
        ),
    ]);
    for (name, key) in [
        ("draft", "draft: true"),
        ("future", "date: 2026-03-02"),
        ("private", "private: true"),
        ("unlisted", "unlisted: true"),
    ] {
        folder.write(&format!("site/posts/xyzzy-{name}.md"), hidden(key));
    }
    folder
}

#[test]
fn nothing_hidden_reaches_the_artifact_or_an_export() {
    let folder = site();
    folder.build(&[]);
    for (path, bytes) in folder.files("dist") {
        assert_without(&path, path.as_bytes());
        assert_without(&path, &bytes);
    }

    let bytes = folder.bytes("dist/site.shelf");
    let artifact = Artifact::open(&bytes).expect("an artifact");
    let mut read = 0;
    for page in 0..artifact.pages().count() {
        let frame = artifact.frames().get(page).expect("whole");
        let route = artifact.pages().route(page).expect("a route");
        let outline: String = frame
            .headings()
            .iter()
            .map(|h| format!("{}#{}\n", h.text, h.anchor))
            .collect();
        for part in [
            route.as_str(),
            frame.row(),
            frame.info(),
            frame.markdown(),
            &outline,
            artifact.title(page),
        ] {
            assert_without(&route, part.as_bytes());
        }
        read += 1;
    }
    // The post, the page, the root, the archive, the index of tags, and the one tag that something published carries.
    assert_eq!(read, 6);
    assert_eq!(
        artifact
            .tags()
            .iter()
            .map(|tag| (tag.slug, tag.count))
            .collect::<Vec<_>>(),
        [("shared", 1)]
    );
    assert_eq!(
        artifact
            .collections()
            .iter()
            .map(|c| (c.name, c.documents))
            .collect::<Vec<_>>(),
        [("posts", 1)]
    );
    assert_eq!(
        (0..read)
            .map(|page| artifact.links().cites(page).count())
            .sum::<usize>(),
        0
    );

    let analyzer = Analyzers::new(Language::ENGLISH, []);
    let holds = |word: &str| {
        let query = Query::read(&analyzer, word);
        let terms = query
            .words
            .iter()
            .flat_map(|word| word.wholes.iter().chain(word.parts.iter().flatten()));
        terms
            .into_iter()
            .any(|term| artifact.index().term(term).is_some())
    };
    assert!(holds("plugh"), "the check itself finds words");
    for word in [
        "xyzzy",
        "xyzzybody",
        "xyzzyheading",
        "xyzzydescription",
        "xyzzytag",
        "xyzzyalias",
        "xyzzycomment",
        "xyzzylines",
        "xyzzyvaulted",
        "xyzzykept",
        "xyzzyexpression",
    ] {
        assert!(!holds(word), "{word}");
    }
}

#[test]
fn the_day_decides_what_is_in_the_future() {
    let folder = site();
    folder.build(&[]);
    assert!(!folder.path("dist/public/posts/xyzzy-future.md").exists());
    let ran = folder.builder(&["--now", "2026-03-02"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(folder.path("dist/public/posts/xyzzy-future.md").exists());
    // And what was published once is gone when it is no longer.
    folder.build(&[]);
    assert!(!folder.path("dist/public/posts/xyzzy-future.md").exists());
}

fn assert_without(what: &str, bytes: &[u8]) {
    let lower = bytes.to_ascii_lowercase();
    let at = lower
        .windows(SECRET.len())
        .position(|window| window == SECRET.as_bytes());
    assert_eq!(at, None, "{what}: {}", String::from_utf8_lossy(bytes));
}
