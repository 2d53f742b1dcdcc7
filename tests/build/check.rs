//! `builder check` and `builder init`: what they compare and write, and what they say.

use serde_json::Value;

use crate::folder::TestFolder;

fn html(title: &str, body: &str) -> String {
    format!(
        "<html><head><title>{title} | Tides</title></head><body><nav><h2 id=menu>Menu</h2></nav><main><h1>{title}</h1>{body}</main></body></html>"
    )
}

#[test]
fn a_built_site_is_compared_both_ways() {
    let folder = TestFolder::new(&[
        (
            "site/shelfmark.toml",
            "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example\"\n",
        ),
        ("site/a.md", "# A\n\n## Ebb\n\n## Flow\n"),
        ("site/Moon.md", "# Moon\n"),
        ("site/gone.md", "# Gone\n"),
        ("site/other.md", "# Other title\n"),
        ("site/draft.md", "---\ndraft: true\n---\n# Draft\n"),
    ]);
    folder.write(
        "public/a/index.html",
        html(
            "A",
            "<h2 id=ebb>Ebb</h2><h2 id=the-flow>Flow</h2><h2 id=new>New</h2>",
        ),
    );
    folder.write("public/moon/index.html", html("Moon", ""));
    folder.write("public/other.html", html("Another", ""));
    folder.write("public/draft/index.html", html("Draft", ""));
    folder.write("public/made/index.html", html("Made", ""));
    folder.write(
        "public/old/index.html",
        "<meta http-equiv=refresh content='0; url=/a/'>",
    );
    folder.write("public/404.html", html("Nothing", ""));
    folder.write("public/index.html", html("Tides", ""));
    let ran = folder.builder(&[
        "check",
        "--now",
        "2026-03-01",
        "--built",
        "public",
        "--json",
        "--quiet",
    ]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let told: Vec<String> = report["built"]["differences"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            format!(
                "{} {}: {}",
                it["kind"].as_str().unwrap(),
                it["route"].as_str().unwrap(),
                it["why"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "missing /Moon: it is `/moon` there: the letter case differs",
            "missing /gone: nothing there has such an address; the generator may leave the file out",
            "extra /made: no source file leads to it; `[[html]]` in shelfmark.toml takes it in from the built site",
            "extra /moon: we have a page at `/Moon`",
            "published /draft: `draft.md` is hidden here",
            "title /other: `Another` there, `Other title` here",
            "anchor /a#flow: the heading `Flow` is `#the-flow` there",
            "heading /a#new: `New` is no heading here",
        ]
    );
    assert_eq!(report["built"]["passed_by"]["redirects"], 1);
    assert!(!folder.path("dist").exists(), "nothing is written");
}

#[test]
fn a_sitemap_is_compared_by_its_addresses() {
    let folder = TestFolder::new(&[
        (
            "site/shelfmark.toml",
            "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example\"\ntrailing_slash = true\n",
        ),
        ("site/a.md", "# A\n"),
        ("site/b.md", "# B\n"),
    ]);
    folder.write(
        "sitemap.xml",
        "<urlset><url><loc>https://tides.example/</loc></url><url><loc>https://tides.example/a/</loc></url><url><loc>https://tides.example/b/</loc></url></urlset>",
    );
    let ran = folder.builder(&["check", "--sitemap", "sitemap.xml", "--quiet"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    assert!(ran.out.ends_with("no differences\n"), "{}", ran.out);
    folder.write("site/c.md", "# C\n");
    let ran = folder.builder(&["check", "--sitemap", "sitemap.xml", "--quiet"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out
            .contains("  /c (c.md): nothing there has such an address"),
        "{}",
        ran.out
    );
}

#[test]
fn what_is_hidden_is_listed_and_searched_for() {
    let folder = TestFolder::new(&[
        ("site/a.md", "# A\n\n<!-- giraffe -->\n"),
        ("site/b.md", "---\ndraft: true\n---\nzebra\n"),
    ]);
    let ran = folder.builder(&["check", "--leaks", "--quiet", "--now", "2026-03-01"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.contains("hidden: b.md (/b): `draft: true`\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("hidden documents: 1, pages with comments: 1; "),
        "{}",
        ran.out
    );
    assert!(ran.out.ends_with(": none found\n"), "{}", ran.out);
}

#[test]
fn a_folder_without_html_is_told() {
    let folder = TestFolder::new(&[("site/a.md", "# A\n"), ("empty/x.txt", "")]);
    let ran = folder.builder(&["check", "--built", "empty", "--quiet"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: there is no HTML in `empty`; name the folder that the generator wrote, such as `public`, `_site`, `build` or `dist`\n"
        )
    );
}

#[test]
fn the_settings_that_are_written_are_those_that_were_found_out() {
    let folder = TestFolder::new(&[
        ("site/README.md", "# The Tides\n"),
        ("site/notes/a.md", "# A\n"),
        ("site/notes/b.md", "# B\n"),
        ("site/about.md", "# About\n"),
    ]);
    let before = folder.build(&["--json", "--quiet"]);
    let ran = folder.builder(&["init"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .starts_with("wrote `site/shelfmark.toml`: plain markdown, 4 pages in 2 collections\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("  check `url`: "), "{}", ran.out);
    let after = folder.build(&["--json", "--quiet"]);
    let routes = |ran: &str| {
        let report: Value = serde_json::from_str(ran).expect("JSON");
        (
            report["site"].clone(),
            report["built"]["documents"].clone(),
            report["built"]["pages"].clone(),
        )
    };
    assert_eq!(routes(&before.out).0, routes(&after.out).0);
    assert_eq!(routes(&before.out).2, routes(&after.out).2);
    let ran = folder.builder(&["init"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            1,
            "error: `site/shelfmark.toml` is there already\n  help: move it away to have it written anew\n"
        )
    );
}

#[test]
fn written_settings_leave_a_generators_archives_where_they_were() {
    let page = |title: &str| format!("---\ntitle: {title}\n---\nText of {title}.\n");
    let folder = TestFolder::new(&[(
        "site/astro.config.mjs",
        "import starlight from '@astrojs/starlight';\nexport default { site: 'https://k.example', integrations: [starlight({ title: 'K' })] };\n",
    )]);
    for path in [
        "guides/a",
        "guides/b",
        "reference/c",
        "reference/d",
        "index",
    ] {
        folder.write(&format!("site/src/content/docs/{path}.md"), page(path));
    }
    folder.build(&["--quiet"]);
    let before = folder.files("dist/public");
    assert!(before.contains_key("guides.md"), "{:?}", before.keys());
    assert_eq!(folder.builder(&["init", "--quiet"]).code, 0);
    folder.build(&["--quiet"]);
    assert_eq!(folder.files("dist/public"), before);
}
