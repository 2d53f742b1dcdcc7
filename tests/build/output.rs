//! What a build leaves in the output folder, and what it says about it.

use serde_json::Value;

use crate::folder::TestFolder;

const CONFIG: &str = "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example\"\n\n[exports]\nllms = false\ntools = false\n";

#[test]
fn a_build_is_told_to_people_and_to_programs() {
    let folder = TestFolder::new(&[
        ("site/shelfmark.toml", CONFIG),
        ("site/a.md", "# A\n\n[gone](gone.md)\n"),
    ]);
    let ran = folder.build(&["--json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON alone on standard output");
    assert_eq!(report["ok"], true);
    assert_eq!(report["site"]["server"], "tides");
    assert_eq!(report["built"]["artifact"], "dist/site.shelf");
    assert_eq!(
        report["built"]["artifact_bytes"],
        folder.bytes("dist/site.shelf").len()
    );
    let counts = [
        "documents",
        "pages",
        "index_pages",
        "tags",
        "collections",
        "terms",
    ];
    assert_eq!(
        counts.map(|key| report["built"][key].as_u64()),
        [1, 2, 1, 0, 1, 2].map(Some)
    );
    assert_eq!(report["built"]["files"]["written"], 3);
    assert_eq!(
        (&report["errors"], &report["warnings"]),
        (&0.into(), &1.into())
    );
    assert_eq!(report["problems"][0]["file"], "a.md");
    assert_eq!(report["problems"][0]["line"], 3);

    let told = ran
        .err
        .split_once("built dist/site.shelf in ")
        .expect("what was built")
        .1;
    let told = told.split_once('\n').expect("more lines").1;
    assert!(
        told.starts_with(
            "  1 document in 1 collection, 1 other page (1 of them lists), 0 tags, 2 terms\n  the artifact has "
        ),
        "{told}"
    );
    assert!(
        told.ends_with(" of markdown\n  2 markdown twins in dist/public\n  1 warning\n"),
        "{told}"
    );

    let ran = folder.build(&["--json", "--quiet"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["built"]["files"]["unchanged"], 3);
    assert!(
        ran.err.starts_with("warning: ") && !ran.err.contains("built"),
        "{}",
        ran.err
    );
}

#[test]
fn a_warning_is_an_error_when_asked_and_leaves_everything_as_it_was() {
    let folder = TestFolder::new(&[("site/shelfmark.toml", CONFIG), ("site/a.md", "# A\n")]);
    folder.build(&["--strict"]);
    let before = folder.files("dist");
    folder.write("site/a.md", "# A\n\n[gone](gone.md)\n");
    let ran = folder.builder(&["build", "--strict"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    assert!(
        ran.err
            .ends_with("nothing was built: 1 error, 0 warnings\n"),
        "{}",
        ran.err
    );
    assert!(folder.files("dist") == before);
}

#[test]
fn unchanged_files_keep_their_time_and_those_of_pages_that_are_gone_go() {
    let folder = TestFolder::new(&[
        ("site/shelfmark.toml", CONFIG),
        ("site/a.md", "# A\n"),
        ("site/deep/down/b.md", "# B\n"),
    ]);
    folder.build(&[]);
    folder.write("dist/public/mine.md", "not ours");
    let time = |path: &str| {
        std::fs::metadata(folder.path(path))
            .and_then(|data| data.modified())
            .expect("a time")
    };
    let before = ["dist/public/a.md", "dist/site.shelf", "dist/manifest.json"].map(time);
    let ran = folder.build(&[]);
    assert!(ran.err.contains("built "), "{}", ran.err);
    assert_eq!(
        ["dist/public/a.md", "dist/site.shelf", "dist/manifest.json"].map(time),
        before
    );

    std::fs::remove_file(folder.path("site/deep/down/b.md")).expect("removed");
    let ran = folder.build(&[]);
    assert!(
        ran.err.contains("; 1 file of earlier builds removed\n"),
        "{}",
        ran.err
    );
    assert_eq!(time("dist/public/a.md"), before[0]);
    let twins: Vec<String> = folder.files("dist/public").into_keys().collect();
    assert_eq!(twins, ["a.md", "index.md", "mine.md"]);
    assert!(!folder.path("dist/public/deep").exists());
}

#[test]
fn a_site_folder_that_holds_its_output_does_not_read_it() {
    let folder = TestFolder::new(&[("shelfmark.toml", CONFIG), ("a.md", "# A\n")]);
    folder.build(&[]);
    let first = folder.files("dist");
    folder.build(&[]);
    assert!(folder.files("dist") == first);
    // Neither what was built into the usual folder before another was named.
    folder.build(&["--out", "other"]);
    assert!(folder.files("other") == first);
}
