//! What cannot be built: each with its whole message and its exit code.

use crate::folder::{Ran, TestFolder};

const CONFIG: (&str, &str) = (
    "site/shelfmark.toml",
    "[site]\ntitle = \"S\"\nurl = \"https://s.example\"\n",
);

/// Builds, expects this to be all that is said, and that nothing was written.
#[track_caller]
fn check(folder: &TestFolder, arguments: &[&str], code: i32, err: &str) {
    let ran = folder.builder(arguments);
    assert_eq!(
        ran,
        Ran {
            code,
            out: String::new(),
            err: err.to_owned()
        }
    );
    assert!(!folder.path("dist").exists());
}

#[test]
fn an_empty_folder() {
    let folder = TestFolder::new(&[]);
    std::fs::create_dir(folder.path("site")).expect("a folder");
    check(
        &folder,
        &[],
        1,
        "error: there is no markdown in `site`\n  help: it is looked for in files that end in `.md`, `.mdx` or `.markdown`; \
         set `content` under `[site]` when they are in another folder\n",
    );
}

#[test]
fn a_generators_content_outside_the_folder() {
    let config =
        "module.exports = { presets: [['classic', { docs: { path: '../docs' }, blog: false }]] };";
    let folder = TestFolder::new(&[
        ("site/website/docusaurus.config.js", config),
        ("site/docs/a.md", "# A\n"),
    ]);
    check(
        &folder,
        &["--site", "site/website"],
        1,
        "error: there is no markdown in `site/website`\n  help: it is looked for in files that end in `.md`, `.mdx` or `.markdown`; \
         set `content` under `[site]` when they are in another folder\n\
         warning: the content in `../docs` lies outside the site's folder\n  --> --site\n  help: name the folder that holds both with `--site`\n",
    );
}

#[test]
fn a_folder_that_is_not_there() {
    check(
        &TestFolder::new(&[]),
        &["--site", "sight"],
        2,
        "error: `sight` is not a folder\n  help: name the folder that holds the site's markdown\n",
    );
}

#[test]
fn a_file_that_is_not_utf_8() {
    let folder = TestFolder::new(&[CONFIG, ("site/good.md", "# Good\n")]);
    folder.write("site/bad.md", b"# Bad\n\ncaf\xE9\n");
    check(
        &folder,
        &[],
        1,
        "error: byte 10 is not UTF-8\n  --> bad.md:3\n  help: save the file as UTF-8\nnothing was built: 1 error, 0 warnings\n",
    );
}

#[test]
fn one_broken_front_matter_among_good_files() {
    let folder = TestFolder::new(&[
        CONFIG,
        ("site/a.md", "---\ntitle: A\n---\n# A\n"),
        ("site/broken.md", "---\ntitle: [A\n---\n# B\n"),
        ("site/c.md", "# C\n"),
    ]);
    check(
        &folder,
        &[],
        1,
        "error: the front matter is not valid YAML: while parsing a flow sequence, expected ',' or ']'\n  --> broken.md:3:1\n  \
         help: quote values that hold signs, and close every quote and bracket\nnothing was built: 1 error, 0 warnings\n",
    );
}

#[test]
fn every_problem_of_a_site_at_once() {
    let folder = TestFolder::new(&[
        CONFIG,
        ("site/a.md", "---\ndate: yesterday\n---\n# A\n"),
        ("site/b.md", "---\ntitle: B\n"),
    ]);
    folder.write("site/c.md", b"\xFF");
    let ran = folder.builder(&[]);
    let files: Vec<&str> = ran
        .err
        .lines()
        .filter_map(|line| line.strip_prefix("  --> "))
        .collect();
    assert_eq!(files, ["b.md:1", "c.md:1", "a.md:2"], "{}", ran.err);
    assert_eq!(ran.code, 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TestFolder::new(&[
        CONFIG,
        ("site/a.md", "# A\n"),
        ("site/closed.md", "# Closed\n"),
    ]);
    let closed = folder.path("site/closed.md");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).expect("closed");
    if std::fs::read(&closed).is_ok() {
        return; // the super-user reads everything
    }
    check(
        &folder,
        &[],
        1,
        "error: cannot read the file: permission denied\n  --> closed.md\nnothing was built: 1 error, 0 warnings\n",
    );
}

#[test]
fn a_link_that_leads_to_nothing_is_no_page() {
    #[cfg(unix)]
    {
        let folder = TestFolder::new(&[CONFIG, ("site/a.md", "# A\n")]);
        std::os::unix::fs::symlink("nowhere.md", folder.path("site/b.md")).expect("a link");
        let ran = folder.build(&[]);
        assert!(ran.err.contains("  --> b.md\n"), "{}", ran.err);
    }
}

#[test]
fn two_sources_for_one_route() {
    let folder = TestFolder::new(&[
        CONFIG,
        ("site/tea.md", "# Tea\n"),
        ("site/tea/index.md", "# Tea\n"),
    ]);
    check(
        &folder,
        &[],
        1,
        "error: `tea.md` and this file both stand at `/tea`\n  --> tea/index.md\n  \
         help: give one of them another `slug` or `url`, or rename it\nnothing was built: 1 error, 0 warnings\n",
    );
}

#[test]
fn a_setting_that_does_not_exist() {
    let folder = TestFolder::new(&[
        (
            "site/shelfmark.toml",
            "[site]\ntitle = \"S\"\n\n[server]\nallowed_origin = []\n",
        ),
        ("site/a.md", "# A\n"),
    ]);
    check(
        &folder,
        &[],
        1,
        "error: `allowed_origin` is no key of `[server]`\n  --> shelfmark.toml:5:1\n  help: did you mean `allowed_origins`?\n",
    );
}

#[test]
fn a_settings_file_that_is_not_there() {
    check(
        &TestFolder::new(&[CONFIG, ("site/a.md", "# A\n")]),
        &["--config", "none.toml"],
        2,
        "error: cannot read the configuration file `none.toml`: no such file or directory\n  \
         help: name a file that is there with `--config`\n",
    );
}

#[test]
fn an_output_folder_that_holds_the_site() {
    let folder = TestFolder::new(&[CONFIG, ("site/a.md", "# A\n")]);
    for out in ["site", ".", "dist/../site"] {
        check(
            &folder,
            &["--out", out],
            2,
            &format!(
                "error: the output folder `{out}` would hold the site's own folder `site`\n  \
                 help: give another folder with `--out`, such as `dist`\n"
            ),
        );
    }
}

#[test]
fn an_output_folder_that_is_a_file() {
    let folder = TestFolder::new(&[CONFIG, ("site/a.md", "# A\n"), ("taken", "")]);
    check(
        &folder,
        &["--out", "taken"],
        2,
        "error: could not create the folder `taken`: file exists\n  help: something else has the name of a folder that is needed: \
         move it away, or give another folder with `--out`\n",
    );
}

#[test]
fn an_option_that_is_none() {
    let folder = TestFolder::new(&[CONFIG, ("site/a.md", "# A\n")]);
    for arguments in [
        &["--sit", "x"][..],
        &["--now", "tomorrow"],
        &["--url", "ftp://x"],
        &["bild"],
    ] {
        let ran = folder.builder(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
    }
}

#[test]
fn a_generator_whose_configuration_is_not_there() {
    let folder = TestFolder::new(&[("site/a.md", "# A\n")]);
    check(
        &folder,
        &["--generator", "mdbook"],
        1,
        "error: this is no site of mdBook: its configuration is not there\n  --> --generator\n  help: name the folder that holds it with `--site`, or leave `--generator` out\n",
    );
}

#[test]
fn a_generator_that_is_not_known() {
    let folder = TestFolder::new(&[
        ("site/a.md", "# A\n"),
        ("site/shelfmark.toml", "[site]\ngenerator = \"docusarus\"\n"),
    ]);
    check(
        &folder,
        &[],
        1,
        "error: `docusarus` is no generator that is known\n  --> shelfmark.toml:2:13\n  help: did you mean `docusaurus`?\n",
    );
}

#[test]
fn a_configuration_that_is_broken() {
    let folder = TestFolder::new(&[
        ("site/book.toml", "[book]\ntitle = Tides\n"),
        ("site/src/SUMMARY.md", "[A](a.md)\n"),
        ("site/src/a.md", "# A\n"),
    ]);
    let ran = folder.builder(&["--quiet"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: the file is not valid TOML: "),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("\n  --> book.toml:2:"), "{}", ran.err);
}

#[test]
fn built_html_that_is_named_wrongly() {
    let folder = TestFolder::new(&[
        ("site/a.md", "# A\n"),
        ("site/shelfmark.toml", "[[html]]\nmain = \"div > p\"\n"),
    ]);
    check(
        &folder,
        &[],
        1,
        "error: `[[html]]` names no folder\n  --> shelfmark.toml:1:1\n  help: add `path = \"public\"`\n\
         error: `div > p` names no element\n  --> shelfmark.toml:2:8\n  help: write `main`, `#content`, `.post` or `div.post`\n",
    );
}
