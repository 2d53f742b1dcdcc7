//! The demo site is the product's documentation: it holds what it promises, names every key and every argument, and its example works.

use std::path::{Path, PathBuf};

use artifact::catalogue::{SiteSurface, Tool, definition};
use builder::assemble::assemble;
use builder::site::Site;

use crate::folder::TestFolder;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../site")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(folder().join(path)).expect("a page of the documentation")
}

fn demo() -> Site {
    let options = builder::Options {
        site: folder(),
        config: None,
        now: "2026-11-30".parse().expect("a date"),
        output: Vec::new(),
        url: None,
        generator: None,
    };
    builder::read_site(&options, &|_| ()).expect("the demo site is read")
}

#[test]
fn the_demo_site_has_no_problem_and_nothing_is_guessed() {
    let site = demo();
    let told: Vec<String> = site.problems.iter().map(ToString::to_string).collect();
    assert_eq!(told, Vec::<String>::new());
    assert_eq!(site.notices, Vec::<String>::new());
}

#[test]
fn the_demo_site_is_large_enough_to_show_everything() {
    let site = demo();
    let assembly = assemble(&site);
    let documents = |name: &str| {
        let collection = assembly
            .collections
            .iter()
            .find(|collection| collection.settings.name == name);
        collection.map_or(0, |collection| collection.documents)
    };
    assert!(documents("writing") >= 8 && documents("glossary") >= 20 && documents("demos") >= 4);
    let aliased = site
        .pages
        .iter()
        .filter(|page| !page.aliases.is_empty())
        .count();
    assert!(aliased >= 10, "{aliased} pages have aliases");
    for slug in ["c", "cpp", "csharp", "dotnet"] {
        assert!(site.tags.iter().any(|tag| tag.slug == slug), "{slug}");
    }
    // Everything is linked: no document stands alone.
    let cited = |number: usize| {
        assembly
            .pages
            .iter()
            .any(|page| page.cites.contains(&(number as u32)))
    };
    let alone: Vec<&str> = (0..assembly.documents as usize)
        .filter(|number| !cited(*number))
        .map(|number| assembly.pages[number].route.as_str())
        .collect();
    assert_eq!(alone, Vec::<&str>::new(), "nothing links to these");
}

#[test]
fn every_key_of_the_configuration_is_documented() {
    let page = text("docs/configuration.md");
    for key in builder::config::KEYS {
        let wanted = if key.section.is_empty() {
            format!("[{}]", key.name)
        } else {
            format!("| `{}` |", key.name)
        };
        assert!(
            page.contains(&wanted),
            "`{}` under `{}` is not in docs/configuration.md",
            key.name,
            key.section
        );
    }
}

#[test]
fn the_complete_example_of_the_configuration_builds() {
    let page = text("docs/configuration.md");
    let example = page
        .split("```toml\n")
        .last()
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    assert!(
        example.contains("[site]") && example.contains("[[collections]]"),
        "the last example is the complete one"
    );
    let site = TestFolder::new(&[("site/shelfmark.toml", example)]);
    let content = example
        .lines()
        .find_map(|line| line.strip_prefix("content = \""))
        .and_then(|rest| rest.split('"').next());
    site.write(
        &format!("site/{}/about.md", content.unwrap_or(".")),
        "# About\n",
    );
    let ran = site.builder_with(&["--now", "2026-11-30"], &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn every_argument_of_every_tool_is_documented() {
    let surface = SiteSurface {
        collections: vec![artifact::catalogue::CollectionSurface {
            name: "a".into(),
            title: "A".into(),
            posts: true,
            ..Default::default()
        }],
        has_tags: true,
        feedback: true,
        ..SiteSurface::default()
    };
    for tool in Tool::ALL {
        let page = text(&format!("docs/tools/{}.md", tool.name().replace('_', "-")));
        for argument in definition(tool, &surface).arguments {
            let name = format!("`{}`", argument.name);
            assert!(
                page.contains(&name),
                "{name} of {} has no place on its page",
                tool.name()
            );
        }
    }
}

/// The four notes of the example, as the page shows them.
const NOTES: [(&str, &str); 4] = [
    (
        "cold-starts",
        "# Cold starts\n\nA function that was not called for a while starts anew.\n",
    ),
    (
        "mapped-files",
        "# Mapped files\n\nA mapped file is read page by page. The first start is cold, and every page takes time.\n",
    ),
    (
        "billing",
        "# Billing\n\nYou pay for the time that a function runs, by the millisecond.\n",
    ),
    ("logs", "# Logs\n\nEvery call is one line, with its time.\n"),
];

#[test]
fn the_worked_example_of_ranking_is_true() {
    let folder = TestFolder::new(&[(
        "shelfmark.toml",
        "[site]\ntitle = \"N\"\nurl = \"https://n.example\"\n[[collections]]\nname = \"notes\"\n",
    )]);
    for (name, text) in NOTES {
        folder.write(&format!("notes/{name}.md"), text);
    }
    let built = folder.builder(&["build", "--site", ".", "--out", "dist", "--quiet"]);
    assert_eq!(built.code, 0, "{}", built.err);
    let told = folder.builder(&["inspect", "dist/site.shelf", "--search", "cold start time"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let page = text("docs/ranking.md");
    let architecture = text("../ARCHITECTURE.md");
    let mut rows = 0;
    for line in told.out.lines() {
        let Some((figures, route)) = line.split_once("/notes/") else {
            continue;
        };
        let score = figures.split_whitespace().next().unwrap();
        let row = page
            .lines()
            .find(|row| row.starts_with(&format!("| {route} |")))
            .unwrap();
        assert!(
            row.contains(score),
            "{row}\nsays something else than\n{line}"
        );
        rows += 1;
        if rows == 1 {
            assert_eq!(route, "cold-starts");
            for figure in figures.split_whitespace() {
                assert!(row.contains(figure), "{row}\nlacks {figure}");
                assert!(
                    architecture.contains(figure),
                    "ARCHITECTURE.md lacks {figure}"
                );
            }
        }
    }
    assert_eq!(rows, 4, "{}", told.out);
}

/// The commands of the builder that pages show, each with its page.
fn commands() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = walkdir::WalkDir::new(folder())
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("readable").into_path())
        .chain([folder().join("../README.md")])
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| {
            let page = std::fs::read_to_string(&path).expect("text");
            (path.display().to_string(), page)
        })
        .collect();
    let mut commands = Vec::new();
    for (path, page) in &mut pages {
        for block in page.split("\n```").skip(1).step_by(2) {
            let (language, text) = block.split_once('\n').expect("a block of lines");
            if !matches!(language, "sh" | "console") {
                continue;
            }
            for line in text.lines() {
                let line = line.trim_start_matches("$ ");
                let line = line.split("  #").next().unwrap_or_default().trim();
                let own = match line.strip_prefix("cargo run -p builder") {
                    Some(rest) => Some(rest.trim_start().trim_start_matches("--").trim_start()),
                    None => line.strip_prefix("builder "),
                };
                commands.extend(own.map(|own| (path.clone(), own.to_owned())));
            }
        }
    }
    commands
}

/// The words of a command line; those in quotes are one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn every_command_of_the_builder_in_the_documentation_runs() {
    let work = TestFolder::new(&[]);
    for entry in walkdir::WalkDir::new(folder()) {
        let entry = entry.expect("readable");
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(folder()).expect("below");
            let bytes = std::fs::read(entry.path()).expect("bytes");
            work.write(&format!("site/{}", below.display()), bytes);
        }
    }
    for site in ["docs", "path/to/your/site", "notes"] {
        work.write(&format!("{site}/a.md"), "# A\n\nText.\n");
    }
    for built in ["public", "path/to/its/output"] {
        work.write(
            &format!("{built}/a/index.html"),
            "<html><head><title>A</title></head><body><main><h1>A</h1></main></body></html>",
        );
    }
    work.write(
        "public/sitemap.xml",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://shelfmark.example/about</loc></url></urlset>",
    );
    assert_eq!(work.builder(&["build", "--quiet"]).code, 0);
    let built = work.bytes("dist/site.shelf");
    let mut damaged = built.clone();
    damaged[5_000] ^= 0x55;
    work.write("damaged.shelf", damaged);
    let mut ran = 0;
    for (page, command) in commands() {
        let command = command
            .replace("~/", "")
            .replace("/tmp/damaged.shelf", "damaged.shelf");
        let words = words(&command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words.first() == Some(&"serve") && !words.contains(&"--once") {
            continue; // it would not end
        }
        // Some of the commands build another site to the same place.
        work.write("dist/site.shelf", &built);
        let done = work.builder(&words);
        let expected: &[i32] = match () {
            () if words.contains(&"damaged.shelf") => &[1],
            // The comparisons are of pages that are not there.
            () if words.contains(&"--built") || words.contains(&"--sitemap") => &[0, 1],
            () => &[0],
        };
        assert!(expected.contains(&done.code), "{page}: {command}: {done:?}");
        assert!(
            !done.err.contains("error: unexpected") && !done.err.contains("panicked"),
            "{page}: {command}: {done:?}"
        );
        ran += 1;
    }
    assert!(ran >= 30, "{ran}");
}
