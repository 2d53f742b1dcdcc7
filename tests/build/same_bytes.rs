//! The same site gives the same bytes: in any folder, on any number of cores, whatever order its files were written in.

use crate::folder::TestFolder;

const CONFIG: &str = "[site]\ntitle = \"Tides\"\nurl = \"https://tides.example/docs\"\n\n\
    [[collections]]\nname = \"posts\"\npath = \"posts\"\nroute = \"/posts/{slug}\"\n";

/// Enough documents for several runs of the index and several tasks of the packer.
fn files() -> Vec<(String, String)> {
    let subjects = [
        "moon",
        "harbour",
        "Grüße",
        "日本の海",
        "C++",
        "snake_case",
        "a-b",
    ];
    let post = |number: usize| {
        let (one, two) = (subjects[number % 7], subjects[number / 7 % 7]);
        let text = format!(
            "---\ntitle: {one} and {two} {number}\ndate: 2025-{:02}-{:02}\ntags: [\"{one}\", \"{two}\"]\n---\n# {one}\n\n\
             The {two} of day {number}. See [another](p{}.md).\n\n## {two}\n\nWord{number} and {one}.\n",
            number % 12 + 1,
            number % 28 + 1,
            (number * 31 + 7) % 300,
        );
        (format!("site/posts/p{number}.md"), text)
    };
    let mut files: Vec<(String, String)> = (0..300).map(post).collect();
    files.push(("site/about.md".into(), "# About\n\nTides.\n".into()));
    files.push(("site/shelfmark.toml".into(), CONFIG.into()));
    files
}

#[test]
fn two_folders_and_any_number_of_cores_give_the_same_bytes() {
    let files = files();
    let here = TestFolder::new(&[]);
    files.iter().for_each(|(path, text)| here.write(path, text));
    let there = TestFolder::new(&[]);
    files
        .iter()
        .rev()
        .for_each(|(path, text)| there.write(path, text));

    let arguments = ["--now", "2026-03-01"];
    let ran = here.builder_with(&arguments, &[("RAYON_NUM_THREADS", "1")]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let expected = here.files("dist");
    assert!(
        expected.len() >= 300 + 1 + 7 + 3 + 2 + 5,
        "pages, tags, lists, the artifact, the manifest and the other exports: {}",
        expected.len()
    );
    for threads in ["2", "5"] {
        let ran = there.builder_with(&arguments, &[("RAYON_NUM_THREADS", threads)]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(there.files("dist") == expected, "{threads} threads");
        std::fs::remove_dir_all(there.path("dist")).expect("removed");
    }
}
