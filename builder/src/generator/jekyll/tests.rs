use super::*;

#[test]
fn addresses_become_routes() {
    assert_eq!(route("/a/index.html"), "/a");
    assert_eq!(route("/a/b.html"), "/a/b.html");
    assert_eq!(route("/caf%C3%A9/"), "/café");
    assert_eq!(route("/"), "/");
}

#[test]
fn words_of_tags_are_tags() {
    let map = crate::front_matter::split(
        "---\ntags: green tea\ncategories: [big news]\n---\n",
        "a.md",
    )
    .unwrap()
    .map;
    let keys: Vec<String> = TAG_KEYS.iter().map(|key| (*key).to_owned()).collect();
    let mut tags = meta::meta(&map, "a.md", &keys, civil::date(2026, 3, 1))
        .0
        .tags;
    data::spread_tags(&map, &mut tags);
    let texts: Vec<&str> = tags.iter().map(|tag| tag.text.as_str()).collect();
    assert_eq!(texts, ["green", "tea", "big news"]);
    assert_eq!(
        data::categories(&map, "es/_posts/x", true),
        ["es", "big news"]
    );
    assert_eq!(data::titled("jekyll-1-0-NEW"), "Jekyll 1 0 New");
}

/// What becomes of one file of a site with a configuration, on 2026-03-01.
fn placed(config: &str, path: &str, text: &str) -> Placing {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("_config.yml", config);
    write(path, text);
    let now = civil::date(2026, 3, 1);
    let paths = ["_config.yml", path].map(str::to_owned).into_iter();
    let files = SiteFiles::new(folder.path(), paths, now);
    let jekyll = Jekyll::open(&files).unwrap();
    let parts = crate::front_matter::split(text, path).unwrap();
    let (mut meta, _) = meta::meta(&parts.map, path, &[], now);
    jekyll.place(&mut Seen {
        source: path,
        map: &parts.map,
        meta: &mut meta,
        body: parts.body,
    })
}

#[test]
fn posts_dated_in_the_future_were_published() {
    let route = |placing: Placing| match placing {
        Placing::Page(placed) => placed.route,
        other => format!("{other:?}"),
    };
    let post = "_posts/2099-01-01-launch.md";
    let hidden = placed("title: x\n", post, "---\n---\nlaunch plan\n");
    assert_eq!(hidden, Placing::Hidden("its date is in the future".into()));
    let shown = placed("future: true\n", post, "---\n---\nlaunch plan\n");
    assert_eq!(route(shown), "/2099/01/01/launch.html");
    // A page has no date of its own in Jekyll.
    let page = placed("title: x\n", "a.md", "---\ndate: 2099-01-01\n---\na\n");
    assert_eq!(route(page), "/a.html");
    let withheld = placed("future: true\n", "a.md", "---\npublished: false\n---\na\n");
    assert!(matches!(withheld, Placing::Hidden(_)));
}

#[test]
fn defaults_stand_below_front_matter() {
    let config = "permalink: pretty\ndefaults:\n- scope: {path: docs}\n  values: {permalink: \"/d/:basename/\", published: false}\n- scope: {path: docs/open}\n  values: {published: true}\n";
    let hidden = placed(config, "docs/a.md", "---\n---\na\n");
    assert!(matches!(hidden, Placing::Hidden(_)), "{hidden:?}");
    let Placing::Page(shown) = placed(config, "docs/open/b.md", "---\n---\nb\n") else {
        panic!()
    };
    assert_eq!(shown.route, "/d/b");
}
