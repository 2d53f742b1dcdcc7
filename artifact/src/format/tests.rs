//! The artifact as a whole: what was written comes back, and no damage is a panic.

use super::*;

/// Two documents in a collection, their archive, and a tag's page; once more as the full view.
fn small() -> Vec<u8> {
    small_with(small_with(Vec::new()))
}

fn small_with(full: Vec<u8>) -> Vec<u8> {
    let pages = ["/notes/fst", "/notes/mmap", "/notes", "/tags/files"];
    let entries = pages.iter().enumerate().map(|(number, route)| PageEntry {
        kind: if number < 2 {
            PageKind::Document
        } else {
            PageKind::Index
        },
        collection: (number < 2).then_some(0),
        language: u8::from(number == 1),
        route,
    });
    let mut postings = PostingsWriter::new(&[189, 189]);
    let posting = |document, fields| Posting {
        document,
        // Two occurrences where one is worth 60.
        impact: 97,
        fields,
    };
    postings
        .add("file", &[posting(0, Fields::BODY), posting(1, Fields::ALL)])
        .unwrap();
    postings.add("finite", &[posting(0, Fields::BODY)]).unwrap();
    postings
        .add("map", &[posting(1, Fields::TITLE.with(Fields::BODY))])
        .unwrap();
    let line = |term: &str| Line {
        kind: LineKind::Title,
        hashes: vec![hash_of(term)],
        whole: 1,
        weight: 44,
    };
    let mut packer = Packer::new(&[], 3).unwrap();
    let frames = pages.iter().map(|route| {
        let row = format!("{{\"route\":\"{route}\"}}");
        let page = PackedPage {
            row: &row,
            info: &row[..row.len() - 1],
            markdown: "# A file\n",
            ..PackedPage::default()
        };
        packer.pack(&encode_page(&page)).unwrap()
    });
    write(Contents {
        site: Site {
            title: "Notes",
            url: "https://x.dev",
            language: "en",
            languages: vec!["de"],
            feedback: true,
            ..Site::default()
        },
        pages: entries.collect(),
        documents: 2,
        newest_first: vec![1, 0],
        titles: vec!["Fst", "Mmap", "Notes", "Files"],
        collections: vec![Collection {
            name: "notes",
            title: "Notes",
            description: None,
            archive: 2,
            first: 0,
            documents: 2,
            posts: true,
        }],
        tags: vec![TagEntry {
            slug: "files",
            title: "Files",
            page: 3,
            pages: vec![0, 1],
        }],
        tags_of_pages: vec![vec![0], vec![0], vec![], vec![]],
        cites: vec![vec![1], vec![0, 2], vec![], vec![]],
        postings: postings.finish().unwrap(),
        lines: vec![vec![line("fst")], vec![line("mmap")]],
        versions: vec![(1, 0)],
        prepared: [
            vec!["{}".into()],
            vec![],
            vec!["{\"tag\":\"files\"}".into()],
            vec!["[]".into(), "[]".into()],
            vec!["".into(), "Find".into(), "Find".into()],
            vec!["0".into(), "notes".into()],
            vec!["{\"level\":1}".into(), "".into()],
        ]
        .map(PreparedItems::all),
        dictionary: Vec::new(),
        frames: frames.collect(),
        full,
    })
    .unwrap()
}

/// Reads everything there is to read, as far as the bytes allow. The point is that it ends without a panic.
fn read_everything(artifact: &Artifact) {
    let pages = artifact.pages();
    for page in 0..pages.count() + 1 {
        let _ = (
            pages.kind(page),
            pages.collection(page),
            pages.language(page),
            artifact.title(page),
        );
        if let Some(route) = pages.route(page) {
            let _ = (pages.find(&route), pages.documents_with_slug(&route));
        }
        let links = artifact.links();
        let _ = (
            links.cites(page).count(),
            links.cited_by(page).count(),
            artifact.tags().of_page(page).count(),
        );
        if let Ok(frame) = artifact.frames().get(page) {
            let _ = (
                frame.row(),
                frame.info(),
                frame.markdown(),
                frame.headings(),
            );
            let _ = (frame.spans().count(), frame.cuts().count());
        }
    }
    let _ = (pages.newest_first().count(), pages.routes().count());
    artifact
        .tags()
        .iter()
        .for_each(|tag| assert!(tag.pages().count() <= 4));
    for term in ["file", "finite", "map", "none"] {
        if let Some(list) = artifact
            .index()
            .term(term)
            .and_then(|term| artifact.index().list(term))
        {
            list.for_each(|document, _| assert!(document < pages.documents()));
            list.for_each_outside_body(|document, _| assert!(document < pages.documents()));
        }
    }
    for document in 0..pages.documents() + 1 {
        artifact
            .headings()
            .lines(document)
            .for_each(|line| assert!(line.hashes().count() <= 64));
    }
    if let Ok(Some(full)) = artifact.full() {
        read_everything(&full);
    }
    for list in Prepared::ALL {
        let _ = artifact.prepared(list).map(|list| list.items().count());
    }
}

#[test]
fn what_was_written_comes_back() {
    let bytes = small();
    let artifact = Artifact::open(&bytes).unwrap();
    check_small(&artifact);
    check_small(&artifact.full().unwrap().expect("a full view"));
}

#[test]
fn a_full_view_holds_no_other() {
    let bytes = small_with(small());
    let artifact = Artifact::open(&bytes).unwrap();
    let damaged = Error::Damaged(Section::Full);
    assert_eq!(artifact.full().unwrap_err(), damaged);
    assert_eq!(artifact.verify().unwrap_err(), damaged);
    let bytes = small_with(Vec::new());
    assert!(Artifact::open(&bytes).unwrap().full().unwrap().is_none());
}

fn check_small(artifact: &Artifact) {
    artifact.verify().unwrap();
    assert_eq!(artifact.site().title, "Notes");
    assert_eq!(artifact.site().languages, ["de"]);
    assert_eq!(
        [0, 1, 2].map(|page| artifact.pages().language(page)),
        [0, 1, 0]
    );
    assert_eq!(
        (artifact.pages().count(), artifact.pages().documents()),
        (4, 2)
    );
    assert_eq!(artifact.pages().find("/NOTES/mmap"), Some(1));
    assert_eq!(artifact.title(1), "Mmap");
    let (_, files) = artifact.tags().find("files").unwrap();
    assert_eq!((files.title, files.page, files.count), ("Files", 3, 2));
    assert_eq!(artifact.pages().route(3).as_deref(), Some("/tags/files"));
    assert_eq!(artifact.pages().find("/Tags/files"), Some(3));
    assert_eq!(artifact.collections()[0].range(), 0..2);
    assert_eq!(artifact.links().cited_by(0).collect::<Vec<_>>(), [1]);
    assert_eq!(artifact.index().len(), 3);
    let list = |term| {
        let index = artifact.index();
        index.list(index.term(term).unwrap()).unwrap()
    };
    let mut postings = Vec::new();
    list("finite").for_each(|document, impact| postings.push((document, impact)));
    list("file").for_each(|document, impact| postings.push((document, impact)));
    assert_eq!(postings, [(0, 97), (0, 97), (1, 97)]);
    assert_eq!(
        artifact.frames().get(2).unwrap().row(),
        "{\"route\":\"/notes\"}"
    );
    assert_eq!(
        artifact
            .prepared(Prepared::Tags)
            .unwrap()
            .items()
            .collect::<Vec<_>>(),
        ["{\"tag\":\"files\"}"]
    );
    read_everything(artifact);
}

#[test]
fn the_same_contents_give_the_same_bytes() {
    assert_eq!(small(), small());
}

#[test]
fn every_cut_is_refused() {
    let bytes = small();
    for length in 0..bytes.len() {
        let error = Artifact::open(&bytes[..length]).expect_err("a cut artifact");
        assert!(
            matches!(error, Error::NotAnArtifact | Error::Length { .. }),
            "{length}: {error}"
        );
    }
}

#[test]
fn every_flipped_byte_is_found_by_verify_and_none_is_a_panic() {
    let bytes = small();
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= flip;
            if let Ok(artifact) = Artifact::open(&broken) {
                read_everything(&artifact);
                assert!(
                    artifact.verify().is_err(),
                    "byte {at} changed and nothing noticed"
                );
            }
        }
    }
}

#[test]
fn other_files_and_other_versions_are_told_apart() {
    let bytes = small();
    assert_eq!(Artifact::open(b"").unwrap_err(), Error::NotAnArtifact);
    assert_eq!(
        Artifact::open(b"# A page\n").unwrap_err(),
        Error::NotAnArtifact
    );
    let mut other = bytes.clone();
    other[8] = 9;
    assert_eq!(
        Artifact::open(&other).unwrap_err(),
        Error::Version {
            got: 9,
            expected: VERSION
        }
    );
    let mut longer = bytes.clone();
    longer.push(0);
    let (got, expected) = (longer.len() as u64, bytes.len() as u64);
    assert_eq!(
        Artifact::open(&longer).unwrap_err(),
        Error::Length { got, expected }
    );
}

#[test]
fn contents_that_do_not_fit_together_are_refused() {
    let mut postings = PostingsWriter::new(&[189, 189]);
    assert!(postings.add("b", &[]).is_err());
    let one = [Posting {
        document: 0,
        impact: 1,
        fields: Fields::BODY,
    }];
    postings.add("b", &one).unwrap();
    assert_eq!(
        postings.add("a", &one).unwrap_err(),
        Error::Contradiction("terms out of order")
    );
}

/// A kept file of every version that was ever written, so that a change of format is noticed and the old version stays named.
///
/// To keep one for a new version: `SHELFMARK_KEEP_ARTIFACT=1 cargo test -p artifact kept`.
#[test]
fn a_kept_file_of_this_version_is_read_and_older_ones_are_named() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/artifacts");
    let ours = folder.join(format!("format-{VERSION}.shelf"));
    if std::env::var_os("SHELFMARK_KEEP_ARTIFACT").is_some() && !ours.exists() {
        std::fs::write(&ours, small()).unwrap();
    }
    let mut versions = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let version = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        versions.push(version);
        match Artifact::open(&bytes) {
            Ok(artifact) if version == VERSION => check_small(&artifact),
            opened => {
                let expected = Error::Version {
                    got: version,
                    expected: VERSION,
                };
                assert_eq!(opened.unwrap_err(), expected);
            }
        }
    }
    versions.sort_unstable();
    let every: Vec<u32> = (1..=VERSION).collect();
    assert_eq!(
        versions, every,
        "a change of format keeps a file of its version"
    );
}
