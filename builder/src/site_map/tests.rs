use super::*;
use crate::config::{
    CollectionSettings, ExportSettings, FeedbackSettings, Limits, PageSettings, ServerSettings,
    SiteSettings, TagSettings,
};

fn settings(url: &str, slash: bool) -> Settings {
    Settings {
        site: SiteSettings {
            url: url.into(),
            trailing_slash: slash,
            content: "content".into(),
            ..SiteSettings::default()
        },
        server: ServerSettings::default(),
        collections: vec![CollectionSettings {
            path: "posts".into(),
            route: "/writing/{slug}".into(),
            ..CollectionSettings::default()
        }],
        guessed_collections: false,
        html: Vec::new(),
        pages: PageSettings::default(),
        tags: TagSettings::default(),
        search: crate::config::SearchSettings::default(),
        limits: Limits::default(),
        feedback: FeedbackSettings::default(),
        exports: ExportSettings::default(),
        address: Address::parse(url, slash).unwrap(),
    }
}

const FILES: &[(&str, &str)] = &[
    ("content/_index.md", "/"),
    ("content/guide/index.md", "/guide"),
    ("content/guide/start.md", "/guide/start"),
    ("content/guide/한.md", "/guide/한"),
    ("content/posts/a.md", "/writing/a"),
    ("content/posts/b/index.md", "/writing/b"),
    ("content/posts/draft.md", "/writing/draft"),
];

fn told_on(url: &str, slash: bool, from: &str, link: &str) -> String {
    let settings = settings(url, slash);
    let others: BTreeSet<String> = [
        "content/guide/i.png",
        "content/posts/p.png",
        "content/posts/b/q.png",
    ]
    .map(str::to_owned)
    .into();
    let stops = FILES
        .iter()
        .map(|(source, route)| Stop {
            source: (*source).into(),
            route: (*route).into(),
            is_index: source.contains("index"),
            state: if source.contains("draft") {
                State::Hidden
            } else {
                State::Published
            },
        })
        .collect();
    let map = SiteMap::new(&settings, stops, &others);
    let from = FILES
        .iter()
        .position(|(source, _)| *source == format!("content/{from}"))
        .unwrap();
    match map.target(from, link) {
        Target::Elsewhere => "elsewhere".into(),
        Target::Page { url: Some(url), .. } => url,
        Target::Page { route, url: None } => format!("page {route}"),
        Target::File { url } => format!("file {url}"),
        Target::Hidden(at) => format!("hidden {}", map.stop(at).route),
        Target::Missing { route, .. } => format!("missing {route}"),
    }
}

fn check(from: &str, link: &str, expected: &str) {
    assert_eq!(
        told_on("https://x.dev", false, from, link),
        expected,
        "{from} {link}"
    );
}

#[test]
fn links_are_files_first() {
    check(
        "guide/start.md",
        "../posts/a.md#x",
        "https://x.dev/writing/a#x",
    );
    check(
        "guide/start.md",
        "../posts/b/index.md",
        "https://x.dev/writing/b",
    );
    check("guide/start.md", "../posts/b/", "https://x.dev/writing/b");
    check("guide/start.md", "index.md", "https://x.dev/guide");
    check("guide/start.md", "./", "https://x.dev/guide");
    check(
        "guide/start.md",
        "../posts/a.html",
        "https://x.dev/writing/a",
    );
    check(
        "guide/start.md",
        "../posts/a.mdx",
        "https://x.dev/writing/a",
    );
    check(
        "guide/start.md",
        "%ED%95%9C.md",
        "https://x.dev/guide/%ED%95%9C",
    );
    check("posts/a.md", "/posts/b/index.md", "https://x.dev/writing/b");
    check(
        "posts/a.md",
        "/content/posts/b/index.md",
        "https://x.dev/writing/b",
    );
    check(
        "posts/a.md",
        "@/guide/start.md#y",
        "https://x.dev/guide/start#y",
    );
    check("posts/a.md", "#z", "https://x.dev/writing/a#z");
}

#[test]
fn links_are_addresses_next() {
    check(
        "guide/start.md",
        "/writing/a/?q=1#x",
        "https://x.dev/writing/a?q=1#x",
    );
    check("guide/start.md", "../writing/a", "https://x.dev/writing/a");
    check("guide/index.md", "start", "https://x.dev/guide/start");
    check("_index.md", "guide/start.html", "https://x.dev/guide/start");
    check("_index.md", "/", "https://x.dev/");
    check("posts/a.md", "https://x.dev/guide/", "page /guide");
    check(
        "posts/a.md",
        "/Guide/START#x",
        "https://x.dev/guide/start#x",
    );
    assert_eq!(
        told_on("https://x.dev", true, "guide/start.md", "../"),
        "https://x.dev/guide/"
    );
    assert_eq!(
        told_on("https://x.dev", true, "guide/start.md", "../../writing/a"),
        "https://x.dev/writing/a/"
    );
}

#[test]
fn hidden_pages_are_known_in_every_spelling() {
    for link in [
        "draft.md",
        "draft",
        "/writing/draft/",
        "../posts/draft.md#x",
        "https://x.dev/writing/draft",
        "/Writing/Draft",
        "http://x.dev/writing/draft.html?x",
        "@/posts/draft.md",
    ] {
        check("posts/a.md", link, "hidden /writing/draft");
    }
}

#[test]
fn other_files_move_with_their_page() {
    check("guide/start.md", "i.png", "file https://x.dev/guide/i.png");
    check("posts/a.md", "./p.png", "file https://x.dev/writing/p.png");
    check(
        "posts/b/index.md",
        "q.png",
        "file https://x.dev/writing/b/q.png",
    );
    check(
        "posts/b/index.md",
        "../p.png",
        "file https://x.dev/writing/p.png",
    );
    check(
        "posts/a.md",
        "/img/x y.png",
        "file https://x.dev/img/x%20y.png",
    );
    assert_eq!(
        told_on("https://x.dev/docs", true, "posts/a.md", "/img/x.png"),
        "file https://x.dev/docs/img/x.png"
    );
    assert_eq!(
        told_on("https://x.dev/docs", true, "posts/a.md", "/docs/img/x.png"),
        "file https://x.dev/docs/img/x.png"
    );
}

#[test]
fn the_base_path_comes_once() {
    let told = |link| told_on("https://x.dev/docs", false, "posts/a.md", link);
    assert_eq!(told("/docs/guide"), "https://x.dev/docs/guide");
    assert_eq!(told("/guide"), "https://x.dev/docs/guide");
    assert_eq!(told("/pricing"), "file https://x.dev/pricing");
    assert_eq!(told("/docs/pricing"), "missing /pricing");
}

#[test]
fn what_is_not_ours_is_left_alone() {
    for link in [
        "https://y.dev/a",
        "mailto:a@b.c",
        "//y.dev/x",
        "{{ url }}",
        "~/x",
        "",
        "tel:1",
        "https://x.dev/other",
    ] {
        check("posts/a.md", link, "elsewhere");
    }
}

#[test]
fn links_to_nothing() {
    check("guide/start.md", "gone.md", "missing /guide/gone");
    check("guide/start.md", "../gone/", "missing /gone");
    check("guide/start.md", "/gone.html", "missing /gone");
    check("guide/start.md", "@/gone.md", "missing /gone");
    check(
        "guide/start.md",
        "../../std/x.html",
        "file https://x.dev/std/x.html",
    );
    check(
        "guide/start.md",
        "../../../gone.md",
        "file https://x.dev/gone.md",
    );
}
