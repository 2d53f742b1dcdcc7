//! `builder inspect` on artifacts, whole and not.

use crate::folder::{Ran, TestFolder};

fn site() -> TestFolder {
    let folder = TestFolder::new(&[
        (
            "site/shelfmark.toml",
            "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example/docs\"\n\n[[collections]]\nname = \"posts\"\npath = \"posts\"\nroute = \"/posts/{slug}\"\n",
        ),
        (
            "site/posts/neap.md",
            "---\ntitle: Neap tides\ntags: [Moon]\naliases: [neaps]\n---\n\n# Neap tides\n\nWeak. See [spring](spring.md).\n\n## When\n\nTwice.\n",
        ),
        (
            "site/posts/spring.md",
            "---\ntags: [Moon]\n---\n# Spring tides\n\nStrong tides.\n",
        ),
    ]);
    folder.build(&["--quiet"]);
    folder
}

fn inspect(folder: &TestFolder, arguments: &[&str]) -> Ran {
    folder.builder(&[&["inspect", "dist/site.shelf"], arguments].concat())
}

#[test]
fn the_overview_adds_up() {
    let folder = site();
    let ran = inspect(&folder, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for line in [
        "site         Tides\n",
        "address      https://tides.example/docs\n",
        "server       tides 1.0.0\n",
        "pages        6: 2 documents, 0 other pages, 4 lists\n",
        "tags         1\n",
        "links        1\n",
        "collection   posts: 2 documents, posts, at /posts\n",
    ] {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
    let table = ran.out.split_once("\n\n").expect("a table").1;
    let (table, text) = table.split_once("plain text").expect("the text's size");
    // Two posts: `Neap tides`, `Weak. See spring.`, `When`, `Twice.` and so on, without signs of markdown.
    assert!(
        text.trim().parse::<usize>().is_ok_and(|text| text > 20),
        "{text}"
    );
    for line in table.lines().skip(1) {
        assert_eq!(line.matches(" %").count(), 2, "{line}");
        assert!(line.chars().count() > 50, "no purpose: {line}");
    }
    let bytes = table.lines().skip(1).map(|line| {
        let number = line[18..30].trim().replace(',', "");
        number.parse::<usize>().expect("a number")
    });
    let (sections, size) = (bytes.clone().count(), folder.bytes("dist/site.shelf").len());
    let sum: usize = bytes.sum();
    // The header, and up to seven zeros before each section.
    let around = 40 + 32 * sections;
    assert!(
        (sum + around..sum + around + 8 * sections).contains(&size),
        "{sum} of {size}"
    );
}

#[test]
fn the_shares_of_sections_are_told_as_json() {
    let folder = site();
    let ran = inspect(&folder, &["--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let told: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let size = folder.bytes("dist/site.shelf").len() as f64;
    assert_eq!(told["bytes"], size as u64);
    let text = told["text_bytes"].as_f64().expect("pages have text");
    let sections = told["sections"].as_array().expect("sections");
    assert!(sections.len() > 10, "{told}");
    for section in sections {
        let bytes = section["bytes"].as_f64().expect("a number");
        for (share, of) in [("percent_of_file", size), ("percent_of_text", text)] {
            let share = section[share].as_f64().expect("a share");
            assert!((share - 100.0 * bytes / of).abs() < 0.01, "{section}");
        }
        assert!(
            section["for"].as_str().is_some_and(|text| text.len() > 10),
            "{section}"
        );
    }
}

#[test]
fn a_page_shows_what_is_held_of_it() {
    let folder = site();
    let expected = "row
  {
    \"collection\": \"posts\",
    \"slug\": \"neap\",
    \"route\": \"/posts/neap\",
    \"url\": \"https://tides.example/docs/posts/neap\",
    \"markdown_url\": \"https://tides.example/docs/posts/neap.md\",
    \"title\": \"Neap tides\",
    \"tags\": [\"moon\"],
    \"aliases\": [\"neaps\"]
  }

headings (2)
  # Neap tides #neap-tides
  ## When #when

tags (1)
  moon (2 pages)

cites (1)
  /posts/spring

markdown
  | # Neap tides
  | 
  | Weak. See [spring](https://tides.example/docs/posts/spring).
  | 
  | ## When
  | 
  | Twice.
";
    for asked in [
        "/posts/neap",
        "posts/neap.md",
        "https://tides.example/docs/posts/neap/#when",
    ] {
        let ran = inspect(&folder, &["--page", asked]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{asked}");
        let (head, rest) = ran.out.split_once("\n\n").expect("a head");
        assert!(
            head.starts_with("/posts/neap\ndocument 0\nframe "),
            "{head}"
        );
        assert_eq!(rest, expected, "{asked}");
    }
    let ran = inspect(&folder, &["--page", "/posts/neep"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.err,
        "error: `dist/site.shelf`: no page at `/posts/neep`\n  help: did you mean `/posts/neap` or `/posts`?\n"
    );
}

#[test]
fn a_term_shows_where_it_stands() {
    let folder = site();
    let ran = inspect(&folder, &["--term", "Tides"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "Tides is looked up as");
    assert!(
        lines[1].starts_with("  tide                    in 2 of 2 documents, idf "),
        "{}",
        ran.out
    );
    assert_eq!(lines[2], "    impact  document");
    // Said twice in the text as well, so before the one that says it in its title and heading alone.
    assert!(
        lines[3].ends_with("  /posts/spring  (title, body)"),
        "{}",
        ran.out
    );
    assert!(
        lines[4].ends_with("  /posts/neap  (title, body)"),
        "{}",
        ran.out
    );
    assert_eq!(lines.len(), 5);

    let ran = inspect(&folder, &["--term", "ebb"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "error: `dist/site.shelf`: no document holds `ebb`\n")
    );
}

#[test]
fn a_tool_shows_as_clients_are_told() {
    let folder = site();
    let ran = inspect(&folder, &["--tool", "get_post"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out
            .starts_with("{\n  \"name\": \"get_post\",\n  \"title\": "),
        "{}",
        ran.out
    );
    assert!(serde_json::from_str::<serde_json::Value>(&ran.out).is_ok());
    let ran = inspect(&folder, &["--tool", "get_posts"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            1,
            "error: `dist/site.shelf`: no tool is named `get_posts`\n  help: did you mean `get_post`?\n"
        )
    );
}

#[test]
fn a_whole_artifact_is_verified() {
    let folder = site();
    let size = folder.bytes("dist/site.shelf").len();
    let ran = inspect(&folder, &["--verify"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let thousands = size / 1000;
    assert_eq!(
        ran.out,
        format!(
            "ok: 16 sections, 6 pages and all {thousands},{:03} bytes are as they were written\n",
            size % 1000
        )
    );
}

#[test]
fn a_damaged_artifact_is_told_by_its_section() {
    let folder = site();
    let mut bytes = folder.bytes("dist/site.shelf");
    let size = bytes.len();
    let last = size - 1;
    bytes[last] ^= 1;
    folder.write("dist/site.shelf", &bytes);
    let again = "help: run `builder build` again";
    let damaged = format!(
        "error: `dist/site.shelf`: the artifact's section `page frames` is damaged\n  {again}\n"
    );
    let ran = inspect(&folder, &["--verify"]);
    assert_eq!(
        ran,
        Ran {
            code: 1,
            out: String::new(),
            err: damaged
        }
    );

    bytes.truncate(size / 2);
    folder.write("dist/site.shelf", &bytes);
    let cut = format!(
        "error: `dist/site.shelf`: the artifact has {} bytes, its header states {size}\n  \
         help: copy the whole file again, or run `builder build`\n",
        size / 2
    );
    assert_eq!(
        inspect(&folder, &["--verify"]),
        Ran {
            code: 1,
            out: String::new(),
            err: cut.clone()
        }
    );
    assert_eq!(
        inspect(&folder, &[]),
        Ran {
            code: 2,
            out: String::new(),
            err: cut
        }
    );
}

#[test]
fn an_artifact_of_another_version_is_told_from_a_file_that_is_none() {
    let folder = site();
    let mut bytes = folder.bytes("dist/site.shelf");
    bytes[8] = 99;
    folder.write("dist/site.shelf", &bytes);
    folder.write("note.txt", "not at all");
    let other = format!(
        "the artifact has format 99, this program reads {}\n  help: run `builder build` of the same version",
        artifact::format::VERSION
    );
    let none = "not an artifact: the file does not start with `SHLFMARK`\n  help: give the `site.shelf` that `builder build` wrote";
    for (path, message) in [("dist/site.shelf", &*other), ("note.txt", none)] {
        for arguments in [&["inspect", path][..], &["inspect", path, "--verify"]] {
            let err = format!("error: `{path}`: {message}\n");
            assert_eq!(
                folder.builder(arguments),
                Ran {
                    code: 2,
                    out: String::new(),
                    err
                }
            );
        }
    }
    let ran = folder.builder(&["inspect", "gone.shelf"]);
    let err = "error: cannot read `gone.shelf`: no such file or directory\n  help: give the path of the `site.shelf` that `builder build` wrote\n";
    assert_eq!(
        ran,
        Ran {
            code: 2,
            out: String::new(),
            err: err.into()
        }
    );
}
