//! Whole small sites of each generator: `tests/sites/NAME/input`, and what comes out in `tests/sites/NAME/expected`.
//!
//! `expected/public` is every markdown twin, byte for byte; `expected/report.json` is what `--json` says, without what differs from machine to
//! machine. Every word that starts with `planted` stands in a hidden place of its site, and must be nowhere in what is built. To write the
//! expected files anew: `SHELFMARK_WRITE_EXPECTED=1 cargo test -p builder --test build sites`, and then read every difference.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use artifact::format::{Artifact, Prepared};
use serde_json::Value;

use crate::folder::TestFolder;

/// No word of a hidden place starts otherwise, and no other word starts so.
const PLANTED: &str = "planted";

fn sites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/sites")
}

fn read_all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).expect("below").to_string_lossy();
                found.insert(name.replace('\\', "/"), fs::read(&path).expect("a file"));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// Every text of an artifact: terms, routes, titles, lists, frames.
fn texts_of(bytes: &'static [u8]) -> Vec<String> {
    let artifact = Artifact::open(bytes).expect("an artifact");
    let mut texts: Vec<String> = artifact.pages().routes().collect();
    for page in 0..artifact.pages().count() {
        let frame = artifact.frames().get(page).expect("a page");
        texts.push(artifact.title(page).to_owned());
        texts.extend([frame.row(), frame.info(), frame.markdown()].map(str::to_owned));
    }
    for list in Prepared::ALL {
        let list = artifact.prepared(list).expect("a list");
        texts.extend(list.items().map(str::to_owned));
    }
    // Terms, by walking every way of the dictionary.
    let terms = artifact.index().terms();
    let mut ways = vec![(terms.root(), Vec::new())];
    while let Some((node, path)) = ways.pop() {
        if node.end().is_some() {
            texts.push(String::from_utf8_lossy(&path).into_owned());
        }
        for way in node.ways() {
            let mut longer = path.clone();
            longer.push(way.byte);
            ways.push((terms.follow(&way), longer));
        }
    }
    texts
}

fn check(site: &str) {
    let folder = TestFolder::new(&[]);
    let (input, expected) = (
        sites().join(site).join("input"),
        sites().join(site).join("expected"),
    );
    let mut planted = 0;
    for (path, bytes) in read_all(&input) {
        planted += String::from_utf8_lossy(&bytes).matches(PLANTED).count();
        folder.write(&format!("site/{path}"), bytes);
    }
    assert!(planted > 0, "{site} hides nothing");
    let ran = folder.builder(&["build", "--now", "2026-03-01", "--json", "--quiet"]);
    let mut report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(ran.code, 0, "{report:#}");
    let built = report["built"].as_object_mut().expect("built");
    for key in ["artifact_bytes", "terms", "files"] {
        built.remove(key);
    }
    report.as_object_mut().expect("an object").remove("seconds");
    let mut found: BTreeMap<String, Vec<u8>> = folder
        .files("dist/public")
        .into_iter()
        .map(|(path, bytes)| (format!("public/{path}"), bytes))
        .collect();
    found.insert("report.json".into(), format!("{report:#}\n").into_bytes());

    for (path, bytes) in &found {
        // The report names hidden files to their author, and nobody else reads it.
        if path != "report.json" {
            let text = String::from_utf8_lossy(bytes);
            assert!(
                !text.to_lowercase().contains(PLANTED),
                "{site}: {path} shows what is hidden:\n{text}"
            );
        }
    }
    let bytes: &'static [u8] = Box::leak(folder.bytes("dist/site.shelf").into_boxed_slice());
    for text in texts_of(bytes) {
        let at = text.to_lowercase().find("plante");
        assert_eq!(
            at, None,
            "{site}: the artifact holds what is hidden: {text}"
        );
    }

    // These repeat what is in the twins and in `llms.txt`, or hardly depend on the site; `exports.rs` tests them.
    let repeats = |path: &str| {
        path.ends_with("llms-full.txt")
            || (path.ends_with("/llms.txt") && path != "public/llms.txt")
            || path.starts_with("public/tool")
    };
    found.retain(|path, _| !repeats(path));

    if std::env::var_os("SHELFMARK_WRITE_EXPECTED").is_some() {
        let _ = fs::remove_dir_all(&expected);
        for (path, bytes) in &found {
            let path = expected.join(path);
            fs::create_dir_all(path.parent().expect("below")).expect("folders");
            fs::write(path, bytes).expect("a file");
        }
        return;
    }
    let wanted = read_all(&expected);
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&wanted), "{site}");
    for (path, bytes) in &wanted {
        let (found, wanted) = (
            String::from_utf8_lossy(&found[path]),
            String::from_utf8_lossy(bytes),
        );
        assert_eq!(found, wanted, "{site}: {path}");
    }
}

/// A test for each site, and one that sees that none is without.
macro_rules! sites {
    ($($test:ident: $site:literal),* $(,)?) => {
        $(#[test] fn $test() { check($site); })*

        #[test]
        fn every_site_has_a_test() {
            let mut known = vec![$($site.to_owned()),*];
            known.sort();
            let mut there: Vec<String> = fs::read_dir(sites())
                .expect("tests/sites")
                .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
                .filter(|name| sites().join(name).join("input").is_dir())
                .collect();
            there.sort();
            assert_eq!(there, known);
        }
    };
}

sites! {
    a_starlight_site: "starlight",
    a_book: "mdbook",
    a_site_of_jekyll: "jekyll",
    data_and_templates_of_eleventy: "eleventy",
    docs_and_a_blog_of_mkdocs: "mkdocs",
    docs_blogs_and_versions: "docusaurus",
    rewrites_and_includes: "vitepress",
    sections_and_shortcodes: "hugo",
    slugs_and_sections: "zola",
}
