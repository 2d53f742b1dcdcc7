//! What a search finds, and how it ranks what people complained about. How much is found is compared with a count by hand in
//! `oracle.rs`.

use std::collections::BTreeSet;
use std::path::Path;

use artifact::format::{Artifact, Fields};
use runtime::search::{Found, Question, Searcher};

/// A site that is built and opened.
struct Shelf {
    artifact: Artifact<'static>,
    searcher: Searcher,
}

fn build(folder: &Path) -> Shelf {
    let options = builder::Options {
        site: folder.to_owned(),
        config: None,
        now: "2026-11-30".parse().unwrap(),
        output: Vec::new(),
        url: None,
        generator: None,
    };
    let site = builder::read_site(&options, &|_| ()).unwrap();
    let assembly = builder::assemble::assemble(&site);
    let bytes: &'static [u8] = Box::leak(
        builder::pack::pack(&assembly, &|_| ())
            .unwrap()
            .bytes
            .into(),
    );
    let artifact = Artifact::open(bytes).unwrap();
    Shelf {
        searcher: Searcher::new(&artifact),
        artifact,
    }
}

/// A site from the tables of its settings behind `[site]`, and its files.
fn site(settings: &str, files: &[(&str, &str)]) -> Shelf {
    let folder = tempfile::tempdir().unwrap();
    let config = format!("[site]\ntitle = \"T\"\nurl = \"https://t.example\"\n{settings}");
    std::fs::write(folder.path().join("shelfmark.toml"), config).unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    build(folder.path())
}

const POSTS: &str = "[[collections]]\nname = \"posts\"\nroute = \"/posts/{slug}\"\n";

/// A site of one collection, `posts`, from file names and texts.
fn posts(files: &[(&str, &str)]) -> Shelf {
    let names: Vec<String> = files
        .iter()
        .map(|(name, _)| format!("posts/{name}"))
        .collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .zip(files)
        .map(|(name, (_, text))| (&**name, *text))
        .collect();
    site(POSTS, &files)
}

impl Shelf {
    fn ask(
        &self,
        text: &str,
        within: Fields,
        collection: Option<usize>,
        tag: Option<&str>,
    ) -> Found {
        let question = Question {
            text: Some((text, within)),
            collection: collection.map(|place| self.artifact.collections()[place].range()),
            tag: tag.map(|slug| self.artifact.tags().find(slug).unwrap().1),
            limit: 25,
        };
        self.searcher.search(&self.artifact, &question).unwrap()
    }

    /// The slugs found, best first.
    fn slugs(&self, text: &str) -> Vec<String> {
        let found = self.ask(text, Fields::ALL, None, None);
        let route = |document| self.artifact.pages().route(document).unwrap();
        found
            .hits
            .iter()
            .map(|hit| artifact::route::slug_of(&route(hit.document)).to_owned())
            .collect()
    }
}

#[test]
fn a_question_asked_again_has_the_same_answer() {
    let shelf = build(Path::new("../site"));
    let questions = [
        "tools",
        "search",
        "how is a page found",
        "configuration file collections",
        "What is Shelfmark",
        "get page markdown",
        "pages and pages",
        "feedback",
    ];
    let ask = |searcher: &Searcher, text: &str| {
        let question = Question {
            text: Some((text, Fields::ALL)),
            collection: None,
            tag: None,
            limit: 25,
        };
        let explained = searcher.explain(&shelf.artifact, &question).unwrap();
        let documents = explained.documents.iter();
        let signals: Vec<_> = documents
            .map(|document| (document.document, document.line, document.exact))
            .collect();
        let found = searcher.search(&shelf.artifact, &question).unwrap();
        let hits = found.hits.iter().map(|hit| hit.document);
        (signals, hits.collect::<Vec<_>>(), found.matched)
    };
    // The lines of documents are laid out in memory once they have come up.
    for text in questions {
        let first = ask(&Searcher::new(&shelf.artifact), text);
        let again = [0; 3].map(|_| ask(&shelf.searcher, text));
        assert!(again.iter().all(|again| *again == first), "{text}");
    }
}

#[test]
fn an_exact_title_is_first_whatever_the_bodies_say() {
    let filler = "i2c ".repeat(60);
    let shelf = posts(&[
        (
            "bus.md",
            &format!("---\ntitle: Buses compared\n---\n## I2C\n\n{filler}\n"),
        ),
        ("i2c.md", "---\ntitle: I2C\n---\nA two-wire bus.\n"),
        (
            "other.md",
            &format!("---\ntitle: More about I2C speed\n---\n{filler}\n"),
        ),
    ]);
    assert_eq!(shelf.slugs("i2c")[0], "i2c");
}

#[test]
fn an_alias_is_before_bodies() {
    let shelf = posts(&[
        (
            "a.md",
            &format!("---\ntitle: A\n---\n{}\n", "mmap ".repeat(50)),
        ),
        (
            "b.md",
            "---\ntitle: Memory mapping\naliases: [mmap]\n---\nA file as memory.\n",
        ),
    ]);
    assert_eq!(shelf.slugs("mmap"), ["b", "a"]);
}

#[test]
fn symbols_are_told_apart() {
    let shelf = posts(&[
        (
            "cpp.md",
            "---\ntitle: Using C++\ntags: [C++]\n---\nC++ and C++ again\n",
        ),
        ("cs.md", "---\ntitle: Using C#\ntags: [C#]\n---\ntext\n"),
        (
            "net.md",
            "---\ntitle: Using .NET\n---\ntext about @decorator and --strict\n",
        ),
    ]);
    assert_eq!(shelf.slugs("c++"), ["cpp"]);
    assert_eq!(shelf.slugs("c#"), ["cs"]);
    assert_eq!(shelf.slugs(".net"), ["net"]);
    assert_eq!(shelf.slugs("@decorator"), ["net"]);
    assert_eq!(shelf.slugs("--strict"), ["net"]);
}

#[test]
fn identifiers_are_found_whole_and_by_their_parts() {
    let shelf = posts(&[
        (
            "a.md",
            "---\ntitle: A\n---\ncall `unlockWithBiometrics` or `Msg_IDT_ZOOM` and `Foo.bar`\n",
        ),
        ("b.md", "---\ntitle: B\n---\n`getUser` of the store\n"),
    ]);
    for question in [
        "unlockWithBiometrics",
        "biometrics",
        "IDT",
        "bar",
        "foo.bar",
        "zoom",
    ] {
        assert_eq!(shelf.slugs(question), ["a"], "{question}");
    }
    assert_eq!(shelf.slugs("getUser"), ["b"]);
    let found = shelf.ask("getUserBiometrics", Fields::ALL, None, None);
    assert_eq!((found.matched, found.notes.len()), (2, 1));
    assert!(found.notes[0].contains("its parts"), "{:?}", found.notes);
}

#[test]
fn scripts_without_spaces_are_searched() {
    let shelf = posts(&[
        ("ja.md", "---\ntitle: ポイントの使い方\n---\n説明です。\n"),
        ("zh.md", "---\ntitle: 认证\n---\n认证系统使用JWT令牌\n"),
        ("ko.md", "---\ntitle: K\n---\nJWT 기반 인증 흐름\n"),
        ("ru.md", "---\ntitle: R\n---\nПривет мир\n"),
    ]);
    assert_eq!(shelf.slugs("ポイント"), ["ja"]);
    assert_eq!(shelf.slugs("证系"), ["zh"]);
    assert_eq!(shelf.slugs("인증아키텍처"), ["ko"]);
    assert_eq!(shelf.slugs("мир"), ["ru"]);
    assert_eq!(shelf.slugs("jwt").len(), 2);
}

#[test]
fn words_that_occur_nowhere_are_repaired_and_told() {
    let shelf = posts(&[
        (
            "a.md",
            "---\ntitle: Receiving mail\n---\nHow to receive mail and delegate it.\n",
        ),
        ("b.md", "---\ntitle: B\n---\nnothing else\n"),
    ]);
    let typo = shelf.ask("recieve", Fields::ALL, None, None);
    assert_eq!(typo.matched, 1);
    assert_eq!(
        typo.notes,
        ["No document holds `recieve`: looked for `receive` instead."]
    );
    // Its stem is as long as it, and that of the right word is not.
    let typo = shelf.ask("delgate", Fields::ALL, None, None);
    assert_eq!(
        (typo.matched, typo.notes),
        (
            1,
            vec!["No document holds `delgate`: looked for `delegate` instead.".to_owned()]
        )
    );
    let start = shelf.ask("dele", Fields::ALL, None, None);
    assert_eq!(start.matched, 1);
    assert!(
        start.notes[0].contains("start with it, such as `delegate`"),
        "{:?}",
        start.notes
    );
    let nothing = shelf.ask("xylophone", Fields::ALL, None, None);
    assert_eq!(nothing.matched, 0);
    assert_eq!(
        nothing.notes,
        ["No document holds `xylophone` or a word near it."]
    );
    for silent in ["+ ?", "🎉 🎉", "。", "\u{200b}"] {
        let silent = shelf.ask(silent, Fields::ALL, None, None);
        assert_eq!(
            (silent.matched, silent.notes),
            (
                0,
                vec![
                    "The text has no letter, digit or operator that a search could look for."
                        .to_owned()
                ]
            )
        );
    }
    assert!(
        shelf
            .ask("receive", Fields::ALL, None, None)
            .notes
            .is_empty()
    );
}

#[test]
fn function_words_alone_still_find() {
    let shelf = posts(&[
        ("a.md", "---\ntitle: A\n---\nuse this\n"),
        ("b.md", "---\ntitle: B\n---\nother\n"),
    ]);
    assert_eq!(shelf.slugs("this"), ["a"]);
    assert_eq!(shelf.slugs("how do I use a"), ["a"]);
}

/// What users of other search engines complained of, as a site: name, front matter and text.
const COMPLAINTS: &[(&str, &str)] = &[
    ("i2c.md", "---\ntitle: I2C\n---\nA two-wire bus.\n"),
    (
        "buses.md",
        "---\ntitle: Buses compared\n---\n## I2C\n\nI2C, I2C and again i2c i2c i2c i2c. Settings of the unit.\n",
    ),
    ("setting-u.md", "---\ntitle: Setting U\n---\nWhat U does.\n"),
    (
        "users.md",
        "---\ntitle: Manage users\n---\nAdd or remove a user. Just after a search.\n",
    ),
    (
        "ruppur.md",
        "---\ntitle: Rüppurr\n---\nA quarter of Karlsruhe.\n",
    ),
    (
        "chinese.md",
        "---\ntitle: 前段简介\n---\n这里是认证系统的前段简介。系统使用JWT令牌。\n",
    ),
    (
        "japanese.md",
        "---\ntitle: 全文検索エンジン\n---\nポイントの使い方と全文検索エンジンの説明。カタカナ。\n",
    ),
    ("korean.md", "---\ntitle: 인증\n---\nJWT 기반 인증 흐름\n"),
    ("arabic.md", "---\ntitle: كتاب\n---\nهذا كِتَابٌ جديد\n"),
    ("hebrew.md", "---\ntitle: H\n---\nשלום עולם\n"),
    ("hindi.md", "---\ntitle: N\n---\nहिन्दी में खोज\n"),
    ("thai.md", "---\ntitle: T\n---\nการค้นหาภาษาไทย\n"),
    ("russian.md", "---\ntitle: R\n---\nПривет, мир! Ёлка\n"),
    (
        "idt.md",
        "---\ntitle: Messages\n---\nSends `Msg_IDT_ZOOM`, then calls `check_tool_call`.\n",
    ),
    (
        "tool.md",
        "---\ntitle: Calls\n---\nOnly `tool_call` is written here, for the tool.\n",
    ),
    (
        "foo.md",
        "---\ntitle: Modules\n---\nUse `Foo.bar`, `app:setTimeout`, `std::vec`, node.js\n",
    ),
    (
        "eth.md",
        "---\ntitle: Methods\n---\n`eth_sendRawTransaction` and `unlockWithBiometrics`\n",
    ),
    (
        "error.md",
        "---\ntitle: Failures\n---\nERROR: hello, the re-try of a cold-start failed with no such-thing.\n",
    ),
    (
        "versions.md",
        "---\ntitle: Releases\n---\nSince v2.1.0, and 3.5.1, of 2026. Target es2022, Python 3.12, C++17.\n",
    ),
    (
        "delegation.md",
        "---\ntitle: Delegation of authentication\n---\nTo delegate.\n",
    ),
    (
        "operators.md",
        "---\ntitle: Syntax\n---\n## `||>` and `=>`\n\nThen `??`, `a ?. b`, `::`, `->` and `...`.\n",
    ),
    (
        "issue.md",
        "---\ntitle: Notes\n---\nSee #1 about `@with` and M/PO-R3, also .NET and `--strict`.\n",
    ),
    ("cpp.md", "---\ntitle: Using C++\n---\nC++ templates.\n"),
    ("cs.md", "---\ntitle: Using C#\n---\nC# generics.\n"),
    (
        "cafe.md",
        "---\ntitle: Naïve café\n---\nA résumé of the crème brûlée.\n",
    ),
    (
        "wide.md",
        "---\ntitle: Ｆｕｌｌ ｗｉｄｔｈ\n---\nＡＰＩ ﾃｽﾄ\n",
    ),
    (
        "data.md",
        "---\ntitle: Data\n---\n`iVBORw0KGgoAAAANSUhEUgAAAAUA/AAFCAYAAACNbyblAAAAHElEQVQI12P4//8w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==`\n",
    ),
];

enum Expected {
    First(&'static str),
    Found(&'static str),
    Only(&'static str),
    Nothing,
}

#[test]
fn what_people_complained_of_is_found() {
    use Expected::{First, Found, Nothing, Only};
    let shelf = posts(COMPLAINTS);
    // The number is that of the complaint; 0 is a neighbour of one.
    for (number, question, expected) in [
        (1, "i2c", First("i2c")),
        (1, "Manage users", First("users")),
        (2, "setting u", First("setting-u")),
        (3, "manage user", First("users")),
        (3, "manage a user", First("users")),
        (4, "rupper", Found("ruppur")),
        (4, "Rüppurr", First("ruppur")),
        (5, "段简", Only("chinese")),
        (6, "検索", Only("japanese")),
        (6, "検索エンジン", Only("japanese")),
        (6, "全文検索エンジン", First("japanese")),
        (7, "IDT", Only("idt")),
        (7, "Msg_IDT_ZOOM", Only("idt")),
        (7, "tool_call", First("tool")),
        (7, "tool_call", Found("idt")),
        (7, "check_tool", Found("idt")),
        (8, "bar", Only("foo")),
        (8, "Foo.bar", Only("foo")),
        (8, "setTimeout", Only("foo")),
        (8, "app:setTimeout", First("foo")),
        (8, "std::vec", First("foo")),
        (9, "RawTransaction", Only("eth")),
        (9, "sendRawTransaction", First("eth")),
        (9, "biometric", Only("eth")),
        (10, "ERROR: hello", First("error")),
        (10, "re-try", First("error")),
        (10, "cold-start", First("error")),
        (10, "-thing", First("error")),
        (11, "2026", Only("versions")),
        (11, "3.5.1", Only("versions")),
        (11, "3.5", Only("versions")),
        (11, "v2.1.0", Only("versions")),
        (11, "2.1.0", Only("versions")),
        (11, "es2022", Only("versions")),
        (11, "python 3.12", First("versions")),
        (12, "just", Only("users")),
        (12, "after", Only("users")),
        (12, "search", Only("users")),
        (12, "this", Nothing),
        (15, "#1", Only("issue")),
        (15, "@with", Only("issue")),
        (15, "M/PO-R3", First("issue")),
        (16, "resume", Only("cafe")),
        (16, "naive cafe", First("cafe")),
        (16, "crème", Only("cafe")),
        (16, "令牌", Only("chinese")),
        (16, "елка", Only("russian")),
        (17, "认证系统", First("chinese")),
        (17, "カタカナ", Only("japanese")),
        (17, "ポイント", Only("japanese")),
        (17, "인증아키텍처", Found("korean")),
        (21, "delegaiton", Found("delegation")),
        (22, "mesages", Found("idt")),
        (22, "modules", First("foo")),
        (23, "||>", Only("operators")),
        (23, "=>", Only("operators")),
        (23, "??", Only("operators")),
        (23, "?.", Only("operators")),
        (23, "::", Only("operators")),
        (23, "...", Only("operators")),
        (23, "the -> operator", First("operators")),
        (23, "C++", First("cpp")),
        (23, "C++ templates", First("cpp")),
        (23, "c++17", Found("versions")),
        (23, "c#", Only("cs")),
        (0, ".NET", Only("issue")),
        (0, "--strict", Only("issue")),
        (0, "node.js", Only("foo")),
        (0, "كتاب", Only("arabic")),
        (0, "שָׁלוֹם", Only("hebrew")),
        (0, "खोज", Only("hindi")),
        (0, "ภาษา", Only("thai")),
        (0, "мир", Only("russian")),
        (0, "full width", First("wide")),
        (0, "api", Only("wide")),
        (0, "テスト", Only("wide")),
        (20, "AAAANSUhEUgAAAAUA", Nothing),
    ] {
        let slugs = shelf.slugs(question);
        let right = match expected {
            First(slug) => slugs.first().is_some_and(|first| first == slug),
            Found(slug) => slugs.iter().any(|found| found == slug),
            Only(slug) => slugs == [slug],
            Nothing => slugs.is_empty(),
        };
        let notes = shelf.ask(question, Fields::ALL, None, None).notes;
        assert!(right, "{number}: `{question}` found {slugs:?}, {notes:?}");
    }
}

#[test]
fn a_title_is_found_by_the_start_of_any_of_its_words() {
    let titles = [
        ("en", "Delegation of authentication"),
        ("en", "Running configurations happily"),
        ("en", "Relational organizations and universities"),
        ("en", "Queries, deliveries, knives and skies"),
        ("en", "Generalization without caching"),
        ("en", "Dying gently"),
        ("de", "Wohnungen und Möglichkeiten"),
        ("fr", "Continuations naturellement créatives"),
        ("es", "Instalaciones rápidamente"),
        ("ja", "全文検索エンジン"),
    ];
    let files: Vec<(String, String)> = titles
        .iter()
        .enumerate()
        .map(|(n, (lang, title))| {
            (
                format!("t{n}.md"),
                format!("---\ntitle: \"{title}\"\nlang: {lang}\n---\n.\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let shelf = posts(&files);
    for (n, (_, title)) in titles.iter().enumerate() {
        for word in title.split([' ', ',']) {
            let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).skip(2);
            for end in ends {
                let slugs = shelf.slugs(&word[..end]);
                assert!(
                    slugs.contains(&format!("t{n}")),
                    "`{}` found {slugs:?}",
                    &word[..end]
                );
            }
        }
    }
}

#[test]
fn quoted_words_that_stand_together_go_first() {
    let apart = |n: u32| {
        let text = "cold weather and a slow start ".repeat(20 + n as usize % 7);
        (
            format!("apart{n}.md"),
            format!("---\ntitle: Cold, or a start\n---\n{text}\n"),
        )
    };
    let mut files: Vec<(String, String)> = (0..60).map(apart).collect();
    let filler = "Words about nothing in particular. ".repeat(60);
    let near = format!(
        "---\ntitle: Near\n---\n{filler}\n\n## Start\n\nNot cold.\n\n## Waking up\n\n{filler} A *cold\nstart* takes time. {filler}\n"
    );
    files.push(("near.md".into(), near));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let shelf = posts(&files);
    assert!(
        !shelf.slugs("cold start").contains(&"near".into()),
        "by its words alone it is far behind"
    );
    for question in [
        "\"cold start\"",
        "“Cold start”",
        "how is a «cold start» made",
    ] {
        let found = shelf.ask(question, Fields::ALL, None, None);
        assert_eq!(shelf.slugs(question)[0], "near", "{question}");
        assert_eq!(found.matched, 61, "{question}");
        let hit = &found.hits[0];
        assert_eq!(
            hit.section,
            Some(("Waking up".into(), "waking-up".into())),
            "{question}"
        );
        let snippet = hit.snippet.as_deref().unwrap();
        assert!(snippet.contains("A cold start takes"), "{snippet}");
    }
    let found = shelf.ask("\"cold start\"", Fields::ALL, None, None);
    assert_eq!(
        found.notes,
        ["`cold start` stands word by word in 1 document, which comes first."]
    );
    let found = shelf.ask("\"weather start\"", Fields::ALL, None, None);
    assert_eq!(
        found.notes,
        [
            "`weather start` stands word by word in no document searched: its words were looked for one by one."
        ]
    );
    assert_eq!(found.matched, 61);
}

#[test]
fn a_phrase_stands_in_the_fields_asked_for() {
    let shelf = posts(&[
        (
            "title.md",
            "---\ntitle: Cold start\n---\nA start when cold.\n",
        ),
        (
            "body.md",
            "---\ntitle: A start\ndescription: Cold or warm\n---\nOne cold start.\n",
        ),
        (
            "description.md",
            "---\ntitle: D\ndescription: The cold start\n---\nA start when cold.\n",
        ),
        (
            "alias.md",
            "---\ntitle: A\naliases: [cold starts]\n---\nA start when cold.\n",
        ),
        (
            "tag.md",
            "---\ntitle: T\ntags: [Cold start]\n---\nA start when cold.\n",
        ),
        // Neither a heading and its text nor two cells are one phrase.
        (
            "apart.md",
            "---\ntitle: N\n---\n## Cold\nstart\n\n- cold\n- start\n\n| a | b |\n|---|---|\n| cold | start |\n",
        ),
    ]);
    let holders = |within: Fields| {
        let found = shelf.ask("\"cold start\"", within, None, None);
        let count = found.notes[0]
            .split(" in ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap_or(0);
        let mut slugs: Vec<String> = found.hits[..count]
            .iter()
            .map(|hit| {
                artifact::route::slug_of(&shelf.artifact.pages().route(hit.document).unwrap())
                    .to_owned()
            })
            .collect();
        slugs.sort();
        slugs.join(" ")
    };
    assert_eq!(holders(Fields::TITLE), "title");
    assert_eq!(holders(Fields::BODY), "body");
    assert_eq!(holders(Fields::DESCRIPTION), "description");
    assert_eq!(holders(Fields::ALIASES), "alias");
    assert_eq!(holders(Fields::TAGS), "tag");
    assert_eq!(holders(Fields::ALL), "alias body description tag title");
}

#[test]
fn a_phrase_is_looked_for_in_a_bounded_number_of_documents() {
    let mut files: Vec<(String, String)> = (0..299)
        .map(|n| {
            (
                format!("a{n}.md"),
                "---\ntitle: Cold, or a start\n---\ncold and start\n".to_owned(),
            )
        })
        .collect();
    files.push((
        "near.md".into(),
        "---\ntitle: Near\n---\na cold start\n".into(),
    ));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let found = posts(&files).ask("\"cold start\"", Fields::ALL, None, None);
    assert_eq!(
        found.notes,
        [
            "`cold start` stands word by word in none of the 256 best of 300 documents that were read for it: its words were looked for one by one."
        ]
    );
}

#[test]
fn one_quoted_word_is_meant_as_it_is() {
    let shelf = posts(&[
        (
            "cache.md",
            "---\ntitle: Cache\n---\ncache, caches, cached\n",
        ),
        ("caching.md", "---\ntitle: Other\n---\nabout caching\n"),
    ]);
    assert_eq!(shelf.slugs("caching"), ["cache", "caching"]);
    assert_eq!(shelf.slugs("\"caching\""), ["caching", "cache"]);
    let notes = |question: &str| shelf.ask(question, Fields::ALL, None, None).notes;
    assert_eq!(
        notes("\"caching\""),
        ["`caching` stands as it is written in 1 document, which comes first."]
    );
    assert_eq!(
        notes("\"cachings\""),
        [
            "`cachings` stands as it is written in no document searched: its other forms were looked for."
        ]
    );
    let found = shelf.ask("\"cahe\"", Fields::ALL, None, None);
    assert_eq!(found.matched, 0);
    assert_eq!(
        found.notes,
        ["No document holds `cahe`; a word in quotation marks is looked for as it is."]
    );
}

/// Each question and the section that it names, on one page.
fn check_sections(text: &str, cases: &[(&str, Option<&str>)]) {
    let shelf = posts(&[("a.md", text)]);
    for (question, heading) in cases {
        let found = shelf.ask(question, Fields::ALL, None, None);
        let section = found.hits[0].section.as_ref();
        let named = section.map(|(text, _)| text.as_str());
        assert_eq!(named, *heading, "{question}");
    }
}

#[test]
fn half_of_the_words_in_a_heading_hid_the_section_with_all_of_them() {
    let filler = "Plain words about nothing in particular. ".repeat(10);
    check_sections(
        &format!(
            "---\ntitle: Stables\n---\n# Stables\n\n{filler}\n\n## Zebra pens\n\n{filler}\n\n## Other\n\nZebra foals need oats twice.\n\n{filler}"
        ),
        &[
            ("zebra oats", Some("Other")),
            ("zebra pens", Some("Zebra pens")),
            ("zebra", Some("Zebra pens")),
        ],
    );
}

#[test]
fn a_passage_over_a_heading_hid_the_section_that_holds_all_words() {
    let filler = "Plain words about nothing in particular. ".repeat(10);
    check_sections(
        &format!(
            "---\ntitle: Stables\n---\n# Stables\n\n## Water\n\nPlain hay costs extra coins today.\n\n## Zebra pens\n\n{filler}\n\nHay costs extra coins.\n"
        ),
        &[
            ("zebra hay costs extra", Some("Zebra pens")),
            ("hay costs extra today", Some("Water")),
        ],
    );
}

#[test]
fn a_snippet_shows_the_words_under_their_heading() {
    let filler = "Plain words about nothing in particular. ".repeat(40);
    let text = format!(
        "---\ntitle: Long page\n---\n# Long page\n\n{filler}\n\n## Zebra’s care\n\n{filler}\n\n## Other\n\nFeed the zebra *twice* a day ’ with oats.\n\n{filler}"
    );
    let shelf = posts(&[("a.md", &text)]);
    let found = shelf.ask("zebra oats", Fields::ALL, None, None);
    let hit = &found.hits[0];
    let snippet = hit.snippet.as_deref().unwrap();
    assert!(
        snippet.contains("Feed the zebra twice a day ’ with oats."),
        "{snippet}"
    );
    assert!(
        snippet.chars().count() <= 240 && snippet.starts_with("… ") && snippet.ends_with(" …"),
        "{snippet}"
    );
    let found = shelf.ask("zebra care", Fields::ALL, None, None);
    assert_eq!(
        found.hits[0].section,
        Some(("Zebra’s care".into(), "zebras-care".into()))
    );
    let found = shelf.ask("oats", Fields::ALL, None, None);
    assert_eq!(
        found.hits[0].section,
        Some(("Other".into(), "other".into()))
    );
}

#[test]
fn without_words_the_newest_come_first() {
    let shelf = posts(&[
        (
            "old.md",
            "---\ntitle: Old\ndate: 2024-01-02\ntags: [x]\n---\na\n",
        ),
        (
            "new.md",
            "---\ntitle: New\ndate: 2026-01-02\ntags: [x]\n---\na\n",
        ),
        ("none.md", "---\ntitle: None\ntags: [x]\n---\na\n"),
        ("untagged.md", "---\ntitle: U\ndate: 2026-02-02\n---\na\n"),
    ]);
    let question = Question {
        text: None,
        collection: None,
        tag: shelf.artifact.tags().find("x").map(|found| found.1),
        limit: 2,
    };
    let found = shelf.searcher.search(&shelf.artifact, &question).unwrap();
    let routes: Vec<_> = found
        .hits
        .iter()
        .map(|hit| shelf.artifact.pages().route(hit.document).unwrap())
        .collect();
    assert_eq!(
        (found.matched, routes),
        (3, vec!["/posts/new".to_owned(), "/posts/old".to_owned()])
    );
}

#[test]
fn unrelated_questions_have_unrelated_answers() {
    let boilerplate = "Subscribe to our newsletter and read the guide.";
    let page = |title: &str, word: &str| {
        format!("---\ntitle: {title}\n---\n{boilerplate}\n\nAll about {word}.\n")
    };
    let shelf = posts(&[
        ("a.md", &page("Alpha", "apples")),
        ("b.md", &page("Beta", "bananas")),
        ("c.md", &page("Gamma", "cherries")),
        ("d.md", &page("Delta", "dates")),
    ]);
    let firsts: BTreeSet<String> = [
        "apples guide",
        "bananas guide",
        "cherries guide",
        "dates guide",
    ]
    .map(|question| shelf.slugs(question)[0].clone())
    .into();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn the_form_that_was_asked_for_goes_first() {
    let page = |title: &str, text: &str| {
        format!(
            "---\ntitle: {title}\n---\n{text} {}\n",
            "and more words ".repeat(9)
        )
    };
    let shelf = posts(&[
        (
            "plain.md",
            &page("One", "A resume, which is naive, uber all."),
        ),
        (
            "marked.md",
            &page("Two", "A résumé, which is naïve, über all."),
        ),
        (
            "both.md",
            &page("Three", "A résumé or resume, naïve or naive, über or uber."),
        ),
        (
            "other.md",
            &page("Four", "Nothing of all that, but a façade."),
        ),
    ]);
    for (plain, marked) in [("resume", "résumé"), ("naive", "naïve"), ("uber", "Über")] {
        // Everyone is found whatever is asked for, and so is every other form of the word.
        for question in [plain, marked] {
            let found = shelf.ask(question, Fields::ALL, None, None);
            assert_eq!((found.matched, found.notes.len()), (3, 0), "{question}");
        }
        let place = |question: &str, slug: &str| {
            let slugs = shelf.slugs(question);
            slugs.iter().position(|other| other == slug).unwrap()
        };
        assert!(place(plain, "plain") < place(plain, "marked"), "{plain}");
        assert!(place(marked, "marked") < place(marked, "plain"), "{marked}");
    }
    assert_eq!(shelf.slugs("resumes").len(), 3);
    assert_eq!(shelf.slugs("facade"), ["other"]);
    // Only words that are written in several ways take room.
    let has_form = |shelf: &Shelf, word: &str| {
        let form = artifact::text::form(word, |_| true).unwrap();
        shelf.artifact.index().terms().get(&form).is_some()
    };
    for word in ["resume", "résumé", "uber", "über"] {
        assert!(has_form(&shelf, word), "{word}");
    }
    for word in ["façade", "facade", "words"] {
        assert!(!has_form(&shelf, word), "{word}");
    }
}

#[test]
fn a_page_is_read_in_its_own_language() {
    let english = "---\ntitle: Serving\n---\nA server serves posts to posters.\n";
    let german = "---\ntitle: Das Haus am See\nlang: de-AT\n---\n## Der Server\n\nEin Haus mit Katzen, erreichbar über CSS.\n";
    let polish = "---\ntitle: Koty\nlang: pl\n---\nKoty i cache.\n";
    let shelf = posts(&[("en.md", english), ("de.md", german), ("pl.md", polish)]);
    for (question, expected) in [
        ("Häuser", &["de"][..]),
        ("Haus", &["de"]),
        ("Katze", &["de"]),
        // A German stemmer would make `serv` of `server`, an English one of `serving`.
        ("servers", &["de", "en"]),
        ("serving", &["en"]),
        ("posting", &["en"]),
        // Polish has no stemmer: its words are found as they are.
        ("koty", &["pl"]),
        ("kotów", &[]),
        ("cache", &["pl"]),
        ("css", &["de"]),
    ] {
        let mut slugs = shelf.slugs(question);
        slugs.sort();
        assert_eq!(slugs, expected, "{question}");
    }
    // A word that two languages read is one word.
    let found = shelf.ask("servers posts", Fields::ALL, None, None);
    assert_eq!((found.matched, found.matched_all), (2, Some(1)));
    let found = shelf.ask("häuser css", Fields::ALL, None, None);
    assert_eq!((found.matched, found.matched_all), (1, Some(1)));
    assert!(found.notes.is_empty(), "{:?}", found.notes);
    // The snippet and the section are found by the language of the page.
    let found = shelf.ask("Häuser", Fields::BODY, None, None);
    let hit = &found.hits[0];
    assert_eq!(
        hit.section,
        Some(("Der Server".into(), "der-server".into()))
    );
    assert!(hit.snippet.as_deref().unwrap().contains("Ein Haus"));
    // An exact title is first in any language.
    assert_eq!(shelf.slugs("das Haus am See")[0], "de");
    // Near words are found in every language, and shown as people write them.
    let found = shelf.ask("Katzn", Fields::ALL, None, None);
    assert_eq!(
        found.notes,
        ["No document holds `Katzn`: looked for `katzen` instead."]
    );
}

#[test]
fn a_collection_has_a_language() {
    let settings =
        "[[collections]]\nname = \"de\"\nlanguage = \"de\"\n[[collections]]\nname = \"en\"\n";
    let text = "---\ntitle: Eins\n---\nHäuser\n";
    let other = "---\ntitle: Zwei\nlang: en\n---\nHäuser\n";
    let shelf = site(
        settings,
        &[("de/a.md", text), ("de/b.md", other), ("en/c.md", text)],
    );
    assert_eq!(shelf.slugs("Haus"), ["a"]);
    assert_eq!(shelf.slugs("Häuser").len(), 3);
}

#[test]
fn words_that_mean_the_same_rank_what_is_found_and_find_what_is_not_said() {
    let shelf = posts(&[
        ("a.md", "# Overlay\n\nPuts one image over another.\n"),
        (
            "b.md",
            "# Frames\n\nA picture in the text, over and over.\n",
        ),
        ("c.md", "# Wash\n\nOver the counter, all day.\n"),
        (
            "d.md",
            "# Toolbar\n\nMake it yours: customize every button.\n",
        ),
    ]);
    // Two documents hold a word of the question; the one that says `image` is no third match, but goes before the one that only says `over`.
    let found = shelf.ask("picture over", Fields::ALL, None, None);
    assert_eq!((found.matched, found.matched_all), (3, Some(1)));
    assert_eq!(shelf.slugs("picture over"), ["b", "a", "c"]);
    assert_eq!(found.notes, Vec::<String>::new());
    // One word that some document holds is asked for alone.
    assert_eq!(shelf.slugs("picture"), ["b"]);
    // A word that no document holds is replaced by what means the same, and that is told.
    let found = shelf.ask("photograph", Fields::ALL, None, None);
    assert_eq!(shelf.slugs("photograph"), ["a", "b"]);
    assert_eq!(
        found.notes,
        [
            "No document holds `photograph`: looked for `picture`, `image`, which mean much the same."
        ]
    );
    assert_eq!(shelf.slugs("customise"), ["d"]);
    assert_eq!(shelf.slugs("tool bar"), ["d"]);
}

#[test]
fn a_site_has_synonyms_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let config = |search: &str| {
        format!(
            "[site]\ntitle = \"T\"\nurl = \"https://t.example\"\n[search]\n{search}\n[[collections]]\nname = \"posts\"\npath = \"posts\"\n"
        )
    };
    std::fs::create_dir(folder.path().join("posts")).unwrap();
    std::fs::write(
        folder.path().join("posts/a.md"),
        "# Recorder\n\nAn image.\n",
    )
    .unwrap();
    let ask = |search: &str, text: &str| {
        std::fs::write(folder.path().join("shelfmark.toml"), config(search)).unwrap();
        build(folder.path())
            .ask(text, Fields::ALL, None, None)
            .matched
    };
    let own = "synonyms = [\"orrery > recorder\", \"black box = recorder\"]";
    assert_eq!(ask("", "orrery"), 0);
    assert_eq!(ask(own, "orrery"), 1);
    assert_eq!(ask(own, "black box"), 1);
    assert_eq!(ask(own, "photo"), 1);
    assert_eq!(ask("language_synonyms = false", "photo"), 0);
}

#[test]
fn versions_of_one_page_do_not_fill_the_answer() {
    let text = |version: &str| {
        format!(
            "---\ntitle: Write data {version}\n---\n\nWrite points with the client. Every point has a measurement, tags, fields and a timestamp. \
             Batches of a few thousand points are written fastest. Version {version} of the server answers with 204 when all of them are stored.\n"
        )
    };
    let mut files: Vec<(String, String)> = ["1.0", "1.1", "2.0", "2.10", "2.9", "3.0"]
        .map(|version| (format!("guide/v{version}/write.md"), text(version)))
        .into();
    for (name, text) in [
        ("lists", "How to write many points at once, in lists."),
        ("times", "Points have times; write them in seconds."),
    ] {
        let page = format!("---\ntitle: About {name}\n---\n\n{text}\n");
        files.push((format!("guide/v2.10/{name}.md"), page));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let shelf = site("[[collections]]\nname = \"guide\"\n", &files);
    let routes = |text: &str, limit: usize| {
        let question = Question {
            text: Some((text, Fields::ALL)),
            collection: None,
            tag: None,
            limit,
        };
        let found = shelf.searcher.search(&shelf.artifact, &question).unwrap();
        let route = |hit: &runtime::search::Hit| shelf.artifact.pages().route(hit.document);
        let routes: Vec<String> = found.hits.iter().filter_map(route).collect();
        (routes, found.matched, found.notes)
    };
    let (first, matched, notes) = routes("write points", 4);
    assert_eq!(
        first,
        [
            "/guide/v3.0/write",
            "/guide/v2.10/write",
            "/guide/v2.10/times",
            "/guide/v2.10/lists"
        ]
    );
    assert_eq!(matched, 8);
    assert_eq!(
        notes,
        [
            "2 documents that are nearly the same as ones shown (other versions of them) stand behind the other results: name the version in the text to prefer it."
        ]
    );
    // The version that the question names goes first, and nothing is lost.
    let (asked, ..) = routes("write points v1.1", 4);
    assert_eq!(asked[0], "/guide/v1.1/write");
    let (all, _, notes) = routes("write points", 25);
    assert_eq!((all.len(), notes), (8, vec![]));
}
