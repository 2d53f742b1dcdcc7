//! What is private is named by nothing that everybody gets: the manual, the tools, the texts of the settings.

use crate::folder::TestFolder;

/// Stands in everything that is private, and in nothing else.
const SECRET: &str = "xyzzy";

fn site(instructions: &str, manual: &str) -> TestFolder {
    let config = format!(
        "[site]\ntitle = \"S\"\nurl = \"https://s.example\"\n\n\
        [[collections]]\nname = \"notes\"\npath = \"notes\"\nroute = \"/notes/{{slug}}\"\ntools = true\n\n\
        [[collections]]\nname = \"xyzzyvault\"\ntitle = \"Xyzzy vault\"\npath = \"vault\"\nroute = \"/xyzzyvault/{{slug}}\"\n\
        access = \"private\"\ntools = true\n\n\
        [server]\nman = \"man\"\ninstructions = \"{instructions}\"\n"
    );
    TestFolder::new(&[
        ("site/shelfmark.toml", config.as_str()),
        (
            "site/notes/open.md",
            "---\ntitle: Open\n---\nThe plan of the garden.\n",
        ),
        (
            "site/vault/plan.md",
            "---\ntitle: The xyzzy plan\n---\nWords of xyzzyplan.\n",
        ),
        (
            "site/vault/draft.md",
            "---\ndraft: true\n---\nA plughdraft.\n",
        ),
        ("site/man/house.md", manual),
    ])
}

const MANUAL: &str = "---\ndescription: How this site is read.\n---\n# House\n\nlist_notes has the notes, and /notes/plan is none.\n";

fn without(what: &str, text: &str) {
    assert!(!text.to_lowercase().contains(SECRET), "{what}: {text}");
}

#[test]
fn the_catalogue_and_its_cost_name_nothing_private() {
    let folder = site("Start with the notes.", MANUAL);
    for arguments in [
        &["catalogue"][..],
        &["catalogue", "--json", "--write-tools"],
        &["catalogue", "--budget"],
        &["catalogue", "--collection", "notes"],
    ] {
        let ran = folder.builder(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.contains("list_notes"), "{}", ran.out);
        without(&arguments.join(" "), &format!("{}{}", ran.out, ran.err));
    }
    // Asking for it by name is asking for what does not exist.
    let private = folder.builder(&["catalogue", "--collection", "xyzzyvault"]);
    let absent = folder.builder(&["catalogue", "--collection", "nothing"]);
    assert_eq!(private.err.replace("xyzzyvault", "nothing"), absent.err);
    assert_eq!((private.code, private.out), (absent.code, absent.out));
}

#[test]
fn exports_and_the_page_about_the_tools_name_nothing_private() {
    let folder = site("Start with the notes.", MANUAL);
    folder.build(&[]);
    let mut files = folder.files("dist");
    files.remove("site.shelf").expect("it is written");
    assert!(
        files.keys().any(|path| path.ends_with("tool-surface.md")),
        "{:?}",
        files.keys()
    );
    for (path, bytes) in files {
        without(&path, &path);
        without(&path, &String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_manual_or_instructions_that_name_something_private_stop_the_build() {
    let named =
        |text: &str| format!("---\ndescription: How this site is read.\n---\n# House\n\n{text}\n");
    let cases = [
        (
            "Read /xyzzyvault/plan first.",
            "`/xyzzyvault/plan` is hidden in this file and stands in the manual's page `house`",
        ),
        (
            "See <https://s.example/xyzzyvault/plan>.",
            "`/xyzzyvault/plan` is hidden",
        ),
        ("All are below /xyzzyvault.", "`/xyzzyvault` is hidden"),
        ("Call list_xyzzyvault for more.", "`xyzzyvault` is hidden"),
        (
            "search_content {\"collection\":\"xyzzyvault\"}",
            "`xyzzyvault` is hidden",
        ),
        ("Read The xyzzy plan.", "`The xyzzy plan` is hidden"),
        (
            "In the Xyzzy vault there is more.",
            "`Xyzzy vault` is hidden",
        ),
    ];
    for (text, expected) in cases {
        let folder = site("Start with the notes.", &named(text));
        for command in ["build", "check"] {
            let leaks = if command == "check" {
                &["check", "--leaks"][..]
            } else {
                &["build"]
            };
            let ran = folder.builder(leaks);
            let told = format!("{}{}", ran.out, ran.err);
            assert_eq!(ran.code, 1, "{text}: {told}");
            assert!(told.contains(expected), "{text}: {told}");
        }
        assert!(
            folder
                .files(".")
                .keys()
                .all(|path| !path.ends_with("site.shelf")),
            "{text}"
        );
    }
    let folder = site("Ask for list_xyzzyvault.", MANUAL);
    let ran = folder.builder(&["build"]);
    assert!(
        ran.code == 1 && ran.err.contains("the server's instructions"),
        "{ran:?}"
    );
}

#[test]
fn the_check_for_leaks_searches_both_views() {
    let folder = site("Start with the notes.", MANUAL);
    let ran = folder.builder(&["check", "--leaks"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .contains("hidden: vault/plan.md (/xyzzyvault/plan): its collection is private"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("hidden: vault/draft.md"), "{}", ran.out);
    let places = |out: &str| -> u64 {
        let (_, after) = out.split_once("searched for in ").expect("a sum");
        after
            .split(' ')
            .next()
            .and_then(|number| number.replace(',', "").parse().ok())
            .expect("a number")
    };
    // The same site with nothing private has one view of everything.
    let config = folder
        .text("site/shelfmark.toml")
        .replace("access = \"private\"\n", "");
    folder.write("site/shelfmark.toml", config);
    let open = folder.builder(&["check", "--leaks"]);
    assert!(
        places(&ran.out) > places(&open.out),
        "{}\n{}",
        ran.out,
        open.out
    );
}
