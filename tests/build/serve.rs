//! `builder serve`, as far as it can be seen without stopping a server.
#![cfg(feature = "serve")]

use std::net::TcpListener;

use crate::folder::TestFolder;

const CONFIG: &str = "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example\"\n\n\
    [[collections]]\nname = \"posts\"\npath = \"posts\"\nroute = \"/posts/{slug}\"\n";
const TOOLS: [&str; 9] = [
    "list_collections",
    "list_pages",
    "list_tags",
    "search_content",
    "get_post",
    "get_page_info",
    "get_page_markdown",
    "man",
    "submit_feedback",
];

#[track_caller]
fn every_tool_is_fine(folder: &TestFolder, arguments: &[&str], tools: &[&str]) {
    let ran = folder.builder(&[&["serve", "--once"], arguments].concat());
    let told: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(told.len(), tools.len(), "{ran:?}");
    for (line, tool) in told.iter().zip(tools) {
        let [name, "ok", micros, "µs"] = line[..] else {
            panic!("{ran:?}")
        };
        assert_eq!(name, *tool);
        assert!(micros.parse::<u64>().is_ok(), "{line:?}");
    }
    assert_eq!(ran.code, 0);
    // The store of that run is gone.
    let left: Vec<String> = folder
        .files(".")
        .into_keys()
        .filter(|path| path.contains("feedback"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn every_tool_answers_once() {
    let folder = TestFolder::new(&[
        ("site/shelfmark.toml", CONFIG),
        (
            "site/posts/neap.md",
            "---\ndate: 2026-01-01\ntags: [Moon]\n---\n# Neap tides\n\nWeak.\n",
        ),
    ]);
    every_tool_is_fine(&folder, &[], &TOOLS);
    every_tool_is_fine(&folder, &["--addr", "127.0.0.1:0", "--quiet"], &TOOLS);
}

#[test]
fn a_site_without_documents_tags_or_feedback_is_fine_too() {
    let folder = TestFolder::new(&[
        (
            "site/shelfmark.toml",
            "[site]\ntitle = \"T\"\nurl = \"https://t.example\"\n\n[feedback]\nenabled = false\n",
        ),
        ("site/a.md", "# A\n"),
    ]);
    every_tool_is_fine(&folder, &[], &TOOLS[..8]);
}

#[test]
fn a_port_in_use_is_one_clear_message() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let port = address.rsplit(':').next().expect("a port");
    let folder = TestFolder::new(&[("site/shelfmark.toml", CONFIG), ("site/a.md", "# A\n")]);
    for once in [&["--once"][..], &[]] {
        let ran = folder.builder(&[&["serve", "--quiet", "--addr", &address], once].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert_eq!(
            ran.err,
            format!(
                "error: port {port} on 127.0.0.1 is in use\n  help: stop what listens there, or choose another with \
                 `--addr 127.0.0.1:0` (any free port)\n"
            )
        );
    }
}

#[test]
fn a_site_with_errors_is_not_served() {
    let folder = TestFolder::new(&[
        ("site/shelfmark.toml", CONFIG),
        ("site/a.md", "---\ntitle: [\n---\n"),
    ]);
    let ran = folder.builder(&["serve", "--addr", "127.0.0.1:0"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .ends_with("nothing was built: 1 error, 0 warnings\n"),
        "{}",
        ran.err
    );
}
