use std::fs;
use std::path::Path;

use super::*;
use crate::site::FieldValue;

/// Reads a site of these files.
fn read(files: &[(&str, &str)]) -> Site {
    let folder = folder(files);
    read_site(&options(folder.path()), &|_| {}).unwrap()
}

/// A folder with these files, which is gone after the test.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// What a test asks for of a folder: nothing but its files counts.
pub(crate) fn options(root: &Path) -> Options {
    Options {
        site: root.to_owned(),
        config: None,
        now: civil::Date::new(2026, 1, 1).unwrap(),
        output: Vec::new(),
        url: None,
        generator: None,
    }
}

fn told(site: &Site) -> Vec<String> {
    site.problems
        .iter()
        .map(|p| {
            let line = p.line.map_or(String::new(), |line| format!(":{line}"));
            format!("{} {}{line} {}", p.severity.as_str(), p.file, p.what)
        })
        .collect()
}

fn routes(site: &Site) -> Vec<&str> {
    site.pages.iter().map(|page| page.route.as_str()).collect()
}

fn page<'a>(site: &'a Site, route: &str) -> &'a Page {
    site.pages
        .iter()
        .find(|page| page.route == route)
        .expect("the page is there")
}

const CONFIG: &str = "[site]\ntitle = \"X\"\nurl = \"https://x.dev\"\n[[collections]]\nname = \"notes\"\n[collections.fields]\nlevel = \"integer\"\n";

#[test]
fn a_whole_site() {
    let site = read(&[
        (CONFIG_FILE, CONFIG),
        (
            "index.md",
            "# Home\n\n[a](notes/a.md) [tag](/tags/c) [all](/tags/) [list](/notes/)\n",
        ),
        (
            "notes/a.md",
            "---\ntags: [C, C++]\ndate: 2024-05-01\nlevel: 3\n---\n# A\n\n[home](../) ![i](i.png) [b](b.md#x)\n",
        ),
        (
            "notes/b.md",
            "---\ntitle: B\ntags: c\n---\n<!-- n -->\ntext\n",
        ),
        ("notes/i.png", ""),
    ]);
    assert_eq!(told(&site), [""; 0]);
    assert_eq!(site.notices, [""; 0]);
    assert_eq!(routes(&site), ["/", "/notes/a", "/notes/b"]);
    assert_eq!(site.settings.server.name, "x");
    let tags: Vec<_> = site
        .tags
        .iter()
        .map(|t| (t.slug.as_str(), t.title.as_str()))
        .collect();
    assert_eq!(tags, [("c", "C"), ("cpp", "C++")]);
    let a = page(&site, "/notes/a");
    assert_eq!(
        (a.title.as_str(), a.collection, a.tags.as_slice()),
        ("A", Some(0), &[0, 1][..])
    );
    assert_eq!(a.fields, [("level".to_owned(), FieldValue::Integer(3))]);
    assert_eq!(a.date.as_deref(), Some("2024-05-01"));
    assert_eq!(a.sort_date, Some(1_714_521_600));
    assert_eq!(
        a.markdown,
        "# A\n\n[home](https://x.dev/) ![i](https://x.dev/notes/i.png) [b](https://x.dev/notes/b#x)\n"
    );
    assert_eq!(a.cites, ["/", "/notes/b"]);
    assert_eq!(
        page(&site, "/").cites,
        ["/notes/a", "/tags/c", "/tags", "/notes"]
    );
    assert_eq!(page(&site, "/notes/b").markdown, "text\n");
}

#[test]
fn hidden_pages_leave_nothing_behind() {
    let site = read(&[
        (
            CONFIG_FILE,
            "[site]\ntitle = \"X\"\nurl = \"https://x.dev\"\n[[collections]]\nname = \"inner\"\nhidden = true\n[[collections]]\nname = \"notes\"\n",
        ),
        (
            "a.md",
            "[x](secret.md) [y](/inner/z) [z][z] [soon](later.md)\n\n[z]: notes/unlisted.md\n",
        ),
        (
            "secret.md",
            "---\ndraft: true\ntags: [hush]\naliases: [whisper]\n---\nlaunch plan\n",
        ),
        ("later.md", "---\ndate: 2026-01-02\n---\n# Later\n"),
        ("inner/z.md", "# Z\n\n[a](../a.md)\n"),
        ("notes/unlisted.md", "---\nunlisted: true\n---\nx\n"),
        ("notes/seen.md", "seen\n"),
    ]);
    assert_eq!(routes(&site), ["/a", "/notes/seen"]);
    assert_eq!(site.tags, []);
    assert_eq!(page(&site, "/a").markdown, "x y z soon\n");
    assert_eq!(page(&site, "/a").cites, [""; 0]);
    assert_eq!(
        told(&site),
        [
            "warning a.md:1 the link leads to `inner/z.md`, which is not published",
            "warning a.md:1 the link leads to `later.md`, which is not published",
            "warning a.md:1 the link leads to `notes/unlisted.md`, which is not published",
            "warning a.md:1 the link leads to `secret.md`, which is not published",
        ]
    );
    assert!(!format!("{:?}", site.pages).contains("launch"));
}

#[test]
fn one_broken_page_does_not_stop_the_others() {
    let site = read(&[
        (CONFIG_FILE, CONFIG),
        ("bad.md", "---\ntitle: a: b\n---\nsecret\n"),
        ("worse.md", "---\ntitle: [\n---\n"),
        ("notes/a.md", "---\nlevel: high\n---\n[bad](../bad.md)\n"),
        ("dup/a.md", "---\nurl: /x\n---\n"),
        ("dup/b.md", "---\nslug: /x\n---\n"),
        (
            "links.md",
            "\n[1](gone.md)\n[2](gone.md)\n<a href=\"/nope\">3</a>\n",
        ),
    ]);
    let told = told(&site);
    assert_eq!(told.len(), 6, "{told:#?}");
    assert!(told[0].starts_with("error bad.md:2 the front matter is not valid YAML"));
    assert_eq!(
        told[1],
        "error dup/b.md `dup/a.md` and this file both stand at `/x`"
    );
    assert_eq!(
        told[2],
        "error notes/a.md:2 `level` is declared as integer; got text"
    );
    assert!(told[3].starts_with("error worse.md:"));
    assert_eq!(
        told[4],
        "warning links.md:2 the link `gone.md` leads to no page of this site"
    );
    assert_eq!(
        told[5],
        "warning links.md:4 the link `/nope` leads to no page of this site"
    );
    assert_eq!(routes(&site), ["/links", "/notes/a", "/x"]);
    assert_eq!(page(&site, "/notes/a").markdown, "bad\n");
}

#[test]
fn a_folder_without_settings_is_guessed() {
    let site = read(&[
        ("README.md", "# The *Tea* Site\n"),
        ("blog/_index.md", "# Blog\n"),
        ("blog/a.md", "# A\n"),
        ("blog/b.md", "no heading\n"),
        ("one/x.md", "---\ntitle: \"  \"\n---\n"),
    ]);
    assert_eq!(site.settings.site.title, "The Tea Site");
    let names: Vec<&str> = site
        .settings
        .collections
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["blog", "pages"]);
    assert!(site.settings.collections[0].posts);
    assert_eq!(
        routes(&site),
        ["/", "/blog", "/blog/a", "/blog/b", "/one/x"]
    );
    // Every page with a text is searched.
    let collections: Vec<_> = site.pages.iter().map(|page| page.collection).collect();
    assert_eq!(collections, [Some(1), Some(0), Some(0), Some(0), Some(1)]);
    assert_eq!(page(&site, "/blog/b").title, "B");
    assert_eq!(page(&site, "/one/x").title, "X");
    assert_eq!(site.notices.len(), 4, "{:?}", site.notices);
}

#[test]
fn line_breaks_and_byte_order_marks_change_nothing() {
    let files = [
        (
            "a/x.md",
            "---\ntitle: E\ntags: [t]\n---\n# H\n\n```\ncode\n```\n<!-- c\n\nd -->\n[y](y.md)\n",
        ),
        ("a/y.md", "+++\ntitle = \"Y\"\n+++\ny\n"),
    ];
    let changed: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (*path, format!("\u{FEFF}{}", text.replace('\n', "\r\n"))))
        .collect();
    let changed: Vec<(&str, &str)> = changed
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let (one, other) = (read(&files), read(&changed));
    assert_eq!(format!("{:?}", one.pages), format!("{:?}", other.pages));
    assert_eq!(one.problems, other.problems);
}

#[test]
fn patterns_choose_the_files() {
    let site = read(&[
        (
            CONFIG_FILE,
            "[site]\ntitle = \"X\"\nurl = \"https://x.dev\"\ncontent = \"docs\"\n[pages]\ninclude = [\"*.md\"]\nexclude = [\"**/_*\", \"notes/old/**\"]\n[[collections]]\nname = \"notes\"\n",
        ),
        ("docs/a.md", "a\n"),
        ("docs/_b.md", "b\n"),
        ("docs/deep/c.md", "c\n"),
        ("docs/notes/d.md", "d\n"),
        ("docs/notes/old/e.md", "e\n"),
        ("other.md", "o\n"),
    ]);
    assert_eq!(routes(&site), ["/a", "/notes/d"]);
    assert_eq!(told(&site), [""; 0]);
}

#[test]
fn translations_below_a_code_have_its_language() {
    let site = read(&[
        ("index.md", "# Tea\n"),
        ("guide/cup.md", "# A cup\n"),
        ("guide/pot.md", "# A pot\n"),
        ("fr/index.md", "# Thé\n"),
        ("fr/guide/cup.md", "# Une tasse\n"),
        ("fr/guide/pot.md", "---\nlang: en\n---\n# Not translated\n"),
        ("pt-br/guide/pot.md", "# Um bule\n"),
        ("pt-br/guide/jarro.md", "# Um jarro\n"),
        // No translations: nothing else stands at these addresses.
        ("is/a-kettle.md", "# What is a kettle\n"),
        ("to/do.md", "# To do\n"),
    ]);
    let language = |route: &str| page(&site, route).language.clone();
    for (route, wanted) in [
        ("/", "en"),
        ("/guide/cup", "en"),
        ("/fr", "fr"),
        ("/fr/guide/cup", "fr"),
        ("/fr/guide/pot", "en"),
        ("/pt-br/guide/pot", "pt-br"),
        ("/pt-br/guide/jarro", "pt-br"),
        ("/is/a-kettle", "en"),
        ("/to/do", "en"),
    ] {
        assert_eq!(language(route), wanted, "{route}");
    }
    assert!(site.notices.iter().any(|notice| {
        notice.starts_with("2 pages below `/fr` are taken to be in the language `fr`")
    }));
}

#[test]
fn what_cannot_be_read_at_all_is_one_clear_message() {
    let folder = tempfile::tempdir().unwrap();
    let error = |options: &Options| read_site(options, &|_| {}).unwrap_err().to_string();
    let empty = error(&options(folder.path()));
    assert!(empty.starts_with("there is no markdown in"), "{empty}");
    assert!(error(&options(&folder.path().join("gone"))).contains("is not a folder"));
    fs::write(
        folder.path().join(CONFIG_FILE),
        "[site]\ntitel = 1\n[sever]\n",
    )
    .unwrap();
    let config = error(&options(folder.path()));
    assert_eq!(config.matches("error: ").count(), 2, "{config}");
    let gone = Options {
        config: Some(folder.path().join("x.toml")),
        ..options(folder.path())
    };
    assert!(error(&gone).contains("cannot read the configuration file"));
}

#[test]
fn files_that_are_no_text_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.md"), b"ok\n\xFF\n").unwrap();
    fs::write(folder.path().join("b.md"), "b").unwrap();
    let site = read_site(&options(folder.path()), &|_| {}).unwrap();
    assert_eq!(told(&site), ["error a.md:2 byte 3 is not UTF-8"]);
    assert_eq!(routes(&site), ["/b"]);
}

#[test]
fn a_site_without_markdown_is_taken_in_as_html() {
    let page = |title: &str, more: &str| {
        format!(
            "<html><head><title>{title} | S</title>{more}</head><body><nav>N</nav><main><h1>{title}</h1><p>See <a href='../b/'>b</a>.</p></main></body></html>"
        )
    };
    let (a, b, c) = (
        page("A", "<meta name=description content='About a'>"),
        page("B", ""),
        page("C", "<meta name=robots content=noindex>"),
    );
    let redirect = "<meta http-equiv=refresh content='0; url=/b/'>";
    let site = read(&[
        (
            "shelfmark.toml",
            "[site]\ntrailing_slash = true\n[[html]]\npath = \"public\"\nexclude = [\"x/**\"]\n",
        ),
        ("public/a/index.html", &a),
        ("public/b/index.html", &b),
        ("public/b/about.html", &b),
        ("public/c/index.html", &c),
        ("public/old/index.html", redirect),
        ("public/404.html", &b),
        ("public/x/y.html", &b),
    ]);
    assert_eq!(routes(&site), ["/a", "/b", "/b/about.html"]);
    let found = super::tests::page(&site, "/a");
    assert_eq!(
        found.markdown,
        "# A\n\nSee [b](http://localhost:8787/b/).\n"
    );
    assert_eq!(found.description.as_deref(), Some("About a"));
    assert!(site.pages.iter().all(|page| page.collection.is_some()));
    assert_eq!(site.hidden.len(), 1);
}
