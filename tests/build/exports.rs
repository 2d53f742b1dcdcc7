//! What is published beside the twins: `llms.txt` and its kin, and the files by which clients find the server.

use serde_json::Value;

use crate::folder::TestFolder;

const CONFIG: &str = "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example/docs\"\ndescription = \"Tides, and how to read them.\"\n\n\
    [server]\nurl = \"https://mcp.tides.example/mcp\"\n\n\
    [[collections]]\nname = \"posts\"\ntitle = \"News [old]\"\npath = \"posts\"\nroute = \"/news/{slug}\"\nposts = true\n\n\
    [[collections]]\nname = \"optional\"\ntitle = \"Optional\"\npath = \"optional\"\nroute = \"/{slug}\"\n";

fn site(config: &str) -> TestFolder {
    let folder = TestFolder::new(&[("site/shelfmark.toml", config)]);
    folder.write("site/posts/a.md", "---\ntitle: 'Array[] (new)'\ndate: 2026-01-01\ndescription: First.\n---\n\n# Array[] (new)\n\nOne.\n");
    folder.write(
        "site/posts/b.md",
        "---\ntitle: Second\ndate: 2026-02-01\n---\n\nTwo (2).\n",
    );
    folder.write(
        "site/posts/c.md",
        "---\ntitle: Planted\ndraft: true\n---\n\nplantedone\n",
    );
    folder.write("site/optional/neap.md", "# Neap ##\n\nLow.\n");
    folder.write(
        "site/optional/morte.md",
        "---\ntitle: Morte-eau\nlanguage: fr\n---\n\nBas.\n",
    );
    folder.write("site/about.md", "# About\n\n[Neap](optional/neap.md)\n");
    folder
}

#[test]
fn llms_txt_lists_what_is_published_by_collection_with_links_to_its_markdown() {
    let folder = site(CONFIG);
    folder.build(&[]);
    assert_eq!(
        folder.text("dist/public/llms.txt"),
        "# Tides\n\n> Tides, and how to read them.\n\n\
         The same content is searched and read by tools at the MCP server https://mcp.tides.example/mcp\n\n\
         Every link below leads to a page's markdown, whose front matter names the page itself.\n\n\
         ## News [old]\n\n\
         - [Second](https://tides.example/docs/news/b.md)\n\
         - [Array() (new)](https://tides.example/docs/news/a.md): First.\n\n\
         ## Optional (collection)\n\n\
         - [Neap](https://tides.example/docs/neap.md)\n\n\
         ## Other pages\n\n\
         - [About](https://tides.example/docs/about.md)\n\n\
         ## Optional (collection) (fr)\n\n\
         - [Morte-eau](https://tides.example/docs/morte.md)\n\n\
         ## Optional\n\n\
         - [All texts in one file](https://tides.example/docs/llms-full.txt): at most 2,000,000 bytes\n\
         - [All pages](https://tides.example/docs/sitemap.md): every address, lists and tags included\n"
    );
    // A collection at the site's root has its files in a folder of its own name.
    assert_eq!(
        folder.text("dist/public/optional/llms.txt"),
        "# Tides: Optional (collection)\n\n\
         Every link below leads to a page's markdown, whose front matter names the page itself.\n\n\
         ## Optional (collection)\n\n- [Neap](https://tides.example/docs/neap.md)\n\n\
         ## Optional\n\n- [Tides](https://tides.example/docs/llms.txt): the whole site\n"
    );
    assert_eq!(
        folder.text("dist/public/news/llms-full.txt"),
        "# Tides: News [old]\n\n---\n\n# Second\n\nSource: https://tides.example/docs/news/b\n\nTwo (2).\n\n\
         ---\n\n# Array[] (new)\n\nSource: https://tides.example/docs/news/a\n\nOne.\n"
    );
    let sitemap = folder.text("dist/public/sitemap.md");
    assert!(sitemap.contains("\n- [Second](https://tides.example/docs/news/b) ([markdown](https://tides.example/docs/news/b.md)), 2026-02-01\n"));
    assert!(
        sitemap.contains("[News (old)](https://tides.example/docs/news)"),
        "{sitemap}"
    );
    for file in ["llms.txt", "llms-full.txt", "sitemap.md", "news/llms.txt"] {
        let text = folder.text(&format!("dist/public/{file}"));
        assert!(!text.to_lowercase().contains("planted"), "{file}: {text}");
    }
}

#[test]
fn bounds_shorten_lists_and_leave_whole_texts_out() {
    let config = format!("{CONFIG}\n[exports]\nllms_bytes = 1_500\nllms_full_bytes = 700\n");
    let folder = site(&config);
    for number in 10..40 {
        folder.write(
            &format!("site/posts/p{number}.md"),
            format!(
                "---\ntitle: Post {number}\ndate: 2025-01-{:02}\n---\n\n{}\n",
                number - 9,
                "Water. ".repeat(20)
            ),
        );
    }
    folder.build(&[]);
    let text = folder.text("dist/public/llms.txt");
    assert!(text.len() <= 1_500, "{}", text.len());
    assert!(text.contains("- [All 32 of them](https://tides.example/docs/news/llms.txt): the list of this section\n"), "{text}");
    assert_eq!(text.matches("docs/news/").count(), 11);
    assert_eq!(
        folder
            .text("dist/public/news/llms.txt")
            .matches("docs/news/")
            .count(),
        32
    );
    let full = folder.text("dist/public/news/llms-full.txt");
    let (texts, rest) = full
        .split_once("\n# Not in this file\n")
        .expect("some have no room");
    assert!(texts.len() <= 700, "{}", texts.len());
    assert_eq!(
        texts.matches("Source: ").count() + rest.matches("\n- [").count(),
        32
    );
}

#[test]
fn clients_and_registries_find_the_endpoint() {
    let folder = site(CONFIG);
    folder.build(&[]);
    let json = |path: &str| -> Value {
        serde_json::from_str(&folder.text(&format!("dist/public/.well-known/{path}")))
            .expect("JSON")
    };
    let catalog = json("ai-catalog.json");
    let entry = &catalog["entries"][0];
    assert_eq!(entry["type"], "application/mcp-server-card+json");
    assert_eq!(entry["identifier"], "urn:air:tides.example:mcp:tides");
    assert_eq!(
        entry["url"],
        "https://tides.example/docs/.well-known/mcp/server-card.json"
    );
    let card = json("mcp/server-card.json");
    assert_eq!(card["name"], "example.tides/tides");
    assert_eq!(card["remotes"][0]["url"], "https://mcp.tides.example/mcp");
    assert_eq!(
        card["remotes"][0]["supportedProtocolVersions"][0],
        "2026-07-28"
    );
    assert_eq!(
        json("mcp/server.json")["remotes"][0]["type"],
        "streamable-http"
    );
    // Without an endpoint there is nothing to find, and what is switched off is removed.
    let quiet = CONFIG.replace("url = \"https://mcp.tides.example/mcp\"", "")
        + "\n[exports]\nllms = false\n";
    folder.write("site/shelfmark.toml", quiet);
    folder.build(&[]);
    for gone in ["llms.txt", "sitemap.md", "news/llms.txt", ".well-known"] {
        assert!(
            !folder.path(&format!("dist/public/{gone}")).exists(),
            "{gone}"
        );
    }
}

#[test]
fn a_page_keeps_its_file() {
    let folder = site(CONFIG);
    folder.write("site/sitemap.md", "# Our sitemap\n");
    let ran = folder.build(&[]);
    assert!(
        folder
            .text("dist/public/sitemap.md")
            .contains("# Our sitemap")
    );
    let told = format!("{}{}", ran.out, ran.err);
    assert!(
        told.contains("`public/sitemap.md` is the markdown of a page"),
        "{told}"
    );
}

#[test]
fn the_page_about_the_tools_shows_calls_with_their_answers() {
    let folder = site(CONFIG);
    folder.build(&[]);
    let tools: Value = serde_json::from_str(&folder.text("dist/public/tools.json")).expect("JSON");
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    let markdown = folder.text("dist/public/tool-surface.md");
    let html = folder.text("dist/public/tool-surface.html");
    for name in &names {
        assert!(markdown.contains(&format!("\n## {name}\n")), "{name}");
        assert!(
            html.contains(&format!("<section class=\"tool\" id=\"{name}\"")),
            "{name}"
        );
    }
    // Answers of this site, the message's included.
    for answered in [
        "\"route\": \"/news/b\"",
        "\"status\": \"recorded\"",
        "\"documents\": 2",
    ] {
        assert!(markdown.contains(answered), "{answered}");
        let quoted = answered.replace('"', "&quot;");
        assert!(html.contains(&quoted), "{quoted}");
    }
    assert!(!html.contains("<script") && !html.contains("http-equiv") && !html.contains("@import"));
    for text in [&markdown, &html] {
        assert!(!text.to_lowercase().contains("planted"));
    }
    // What a site calls itself is text, in a cell as in an element.
    let config = CONFIG.replace("title = \"Tides\"", "title = \"<b>T|i`des\"");
    folder.write("site/shelfmark.toml", config);
    folder.build(&[]);
    assert!(
        folder
            .text("dist/public/tool-surface.html")
            .contains("&lt;b&gt;T|i`des")
    );
    assert!(
        !folder
            .text("dist/public/tool-surface.html")
            .contains("<b>T")
    );
}

#[test]
fn the_manifest_names_every_file_with_its_hash() {
    let folder = site(CONFIG);
    folder.build(&[]);
    let manifest = |folder: &TestFolder| -> Value {
        serde_json::from_str(&folder.text("dist/manifest.json")).expect("JSON")
    };
    let first = manifest(&folder);
    let named: Vec<&String> = first["files"].as_object().expect("files").keys().collect();
    let mut written: Vec<String> = folder.files("dist").into_keys().collect();
    written.retain(|path| path != "manifest.json");
    assert_eq!(named, written.iter().collect::<Vec<_>>());
    assert!(first["unfinished"].is_null(), "{first}");
    for path in [
        "public/llms.txt",
        "public/llms-full.txt",
        "public/news/llms-full.txt",
        "public/sitemap.md",
        "public/tools.json",
        "public/tool-surface.html",
        "public/.well-known/mcp/server.json",
        "public/news/a.md",
    ] {
        assert!(written.iter().any(|other| other == path), "{path}");
        assert_eq!(first["files"][path].as_str().map(str::len), Some(16));
    }
    // A hash changes with the bytes, and with them alone.
    folder.write("site/about.md", "# About\n\nAnother text.\n");
    folder.build(&[]);
    let second = manifest(&folder);
    let same = |path: &str| first["files"][path] == second["files"][path];
    assert!(!same("public/about.md") && same("public/news/a.md"));
}
