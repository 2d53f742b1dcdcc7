//! Private collections: without a token, a site that has them answers as the same site without their files, byte for byte.
//!
//! Each pair of sites is built by the whole build. What is compared: every section of the artifact but the full view, every exported file, and
//! the answers to a list of requests that ask for what is private in every way that a tool has.

#[path = "../support/fixture.rs"]
mod fixture;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use artifact::format::Artifact;
use builder::build::{BuildOptions, build};
use fixture::MemoryStore;
use http::{HeaderMap, HeaderName, HeaderValue};
use runtime::mcp::{Access, Endpoint, Policy, Request, Response, Step, TokenDigest};
use runtime::service::{self, SiteTools};
use serde_json::{Value, json};
use tempfile::TempDir;

const TOKEN: &str = "shelfmark_differential";

/// Stands in everything that is private, and in nothing else.
const SECRET: &str = "xyzzy";

const PUBLIC_CONFIG: &str = "[site]\ntitle = \"S\"\nurl = \"https://s.example\"\n\n\
    [[collections]]\nname = \"notes\"\npath = \"notes\"\nroute = \"/notes/{slug}\"\n\n";
const PRIVATE_CONFIG: &str = "[[collections]]\nname = \"xyzzyvault\"\ntitle = \"Xyzzy vault\"\ndescription = \"Xyzzystuff within.\"\npath = \"vault\"\nroute = \"/xyzzyvault/{slug}\"\naccess = \"private\"\ntools = true\n\n";

const LONG: &str = "The tide table of the northern harbours lists high water and low water for each day of the year, with corrections for wind \
    and pressure, and it says which of the quays fall dry. Boats with a deep keel wait outside until the flood has set in again. ";

/// A page of the manual, which both views have.
const HOUSE: &str =
    "---\ndescription: How this site is meant to be read.\n---\n# House\n\nStart with the notes.\n";

/// A site's files. A public file may hold `[[private link]]`, which is a link in the site with private files and its text in the other.
struct Kind {
    name: &'static str,
    /// Whether the private collection stands before the public one in the settings.
    private_first: bool,
    public: &'static [(&'static str, &'static str)],
    private: &'static [(&'static str, &'static str)],
}

const KINDS: &[Kind] = &[
    Kind {
        name: "shared tags and tags of private pages alone",
        private_first: false,
        public: &[
            (
                "notes/open.md",
                "---\ntitle: Open\ndate: 2026-01-01\ntags: [shared, own]\n---\nplugh harbour.\n",
            ),
            (
                "notes/other.md",
                "---\ntitle: Other\ntags: [shared]\n---\nplover harbours.\n",
            ),
            (
                "about.md",
                "---\ntags: [shared]\n---\n# About\n\nWho writes.\n",
            ),
        ],
        private: &[
            (
                "vault/a.md",
                "---\ntitle: Xyzzyone\ndate: 2026-02-01\ntags: [shared, xyzzytag, Shared]\naliases: [Open]\n---\nplugh xyzzyword harbour harbour\n",
            ),
            (
                "vault/b.md",
                "---\ntitle: Xyzzytwo\ntags: [xyzzytag, own]\n---\n# Xyzzyheading\n\nharbours\n",
            ),
        ],
    },
    Kind {
        name: "links both ways, to pages, archives and tags, and one slug in both",
        private_first: true,
        public: &[
            (
                "notes/open.md",
                "---\ntitle: Open\ntags: [shared]\n---\nSee {the plan|../vault/plan.md}, {it again|/xyzzyvault/plan}, {all of them|/xyzzyvault}, \
                 {their tag|/tags/xyzzytag}, {a part|https://s.example/xyzzyvault/plan#xyzzypart} and [the other](other.md).\n",
            ),
            (
                "notes/other.md",
                "---\ntitle: Other\n---\nplover, back to [open](open.md).\n",
            ),
        ],
        private: &[
            (
                "vault/index.md",
                "---\ntitle: Xyzzyindex\n---\nAll of the xyzzyvault, and [open](../notes/open.md).\n",
            ),
            (
                "vault/plan.md",
                "---\ntitle: Xyzzyplan\ntags: [xyzzytag, shared]\n---\n## Xyzzypart\n\nSee [open](../notes/open.md) and [other](/notes/other).\n",
            ),
            (
                "vault/open.md",
                "---\ntitle: Xyzzyopen\n---\nAnother of this name.\n",
            ),
        ],
    },
    Kind {
        name: "nearly the same text in both",
        private_first: false,
        public: &[
            ("notes/tides.md", "LONG"),
            ("notes/short.md", "# Short\n\nharbour\n"),
        ],
        private: &[
            ("vault/tides.md", "LONG"),
            ("vault/tides-xyzzy.md", "LONG xyzzyend\n"),
        ],
    },
    Kind {
        name: "nothing but private documents, and a page",
        private_first: true,
        public: &[("about.md", "# About\n\nplover\n")],
        private: &[(
            "vault/a.md",
            "---\ntitle: Xyzzyone\ntags: [xyzzytag]\nlanguage: de\n---\nxyzzyword und Häfen\n",
        )],
    },
];

struct Built {
    folder: TempDir,
    bytes: &'static [u8],
}

impl Built {
    fn new(kind: &Kind, with_private: bool) -> Built {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = folder.path().join("site").join(path);
            fs::create_dir_all(path.parent().expect("below")).expect("folders");
            fs::write(path, text).expect("a file");
        };
        let collections = match (with_private, kind.private_first) {
            (false, _) => PUBLIC_CONFIG.to_owned(),
            (true, false) => format!("{PUBLIC_CONFIG}{PRIVATE_CONFIG}"),
            (true, true) => PUBLIC_CONFIG.replacen("[[coll", &format!("{PRIVATE_CONFIG}[[coll"), 1),
        };
        let digest = TokenDigest::of(TOKEN);
        let config =
            format!("{collections}[server]\nman = \"man\"\ntoken_sha256 = [\"{digest}\"]\n");
        write("man/house.md", HOUSE);
        write("shelfmark.toml", &config);
        for (path, text) in kind.public {
            write(path, &filled(text, with_private));
        }
        for (path, text) in kind.private.iter().filter(|_| with_private) {
            write(path, &filled(text, true));
        }
        let options = BuildOptions {
            site: folder.path().join("site"),
            out: folder.path().join("dist"),
            config: None,
            now: jiff::civil::date(2026, 11, 30),
            url: None,
            strict: false,
            generator: None,
        };
        let report = build(&options, &|_| ()).expect("the site is read");
        assert!(
            report.built.is_some(),
            "{}: {}",
            kind.name,
            report.told(true)
        );
        let bytes = fs::read(folder.path().join("dist/site.shelf")).expect("an artifact");
        Built {
            folder,
            bytes: bytes.leak(),
        }
    }

    fn artifact(&self) -> Artifact<'static> {
        Artifact::open(self.bytes).expect("an artifact")
    }

    fn endpoint(&self) -> Endpoint<SiteTools> {
        let policy = Policy {
            access: Access::of([TokenDigest::of(TOKEN)]),
            ..Policy::local()
        };
        service::endpoint(self.artifact(), true, policy).expect("it is served")
    }

    /// The bytes of each section by its number, the full view (18) aside.
    fn sections(&self) -> BTreeMap<u32, &'static [u8]> {
        let number = |at: usize| u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("4"));
        let long =
            |at: usize| u64::from_le_bytes(self.bytes[at..at + 8].try_into().expect("8")) as usize;
        let entries = (0..number(16) as usize).map(|entry| 40 + 32 * entry);
        entries
            .map(|at| {
                (
                    number(at),
                    &self.bytes[long(at + 8)..long(at + 8) + long(at + 16)],
                )
            })
            .filter(|(number, _)| *number != 18)
            .collect()
    }

    /// Everything that is written to be published.
    fn exports(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(
            self.folder.path(),
            &self.folder.path().join("dist/public"),
            &mut found,
        );
        found
    }
}

/// `{text|target}` is a link where there is something to link to, and its text elsewhere.
fn filled(text: &str, with_private: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (link, after) = after.split_once('}').expect("closed");
        let (label, target) = link.split_once('|').expect("two parts");
        out.push_str(before);
        match with_private {
            true => out.push_str(&format!("[{label}]({target})")),
            false => out.push_str(label),
        }
        rest = after;
    }
    out.push_str(rest);
    out.replace("LONG", &LONG.repeat(12))
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path
                .strip_prefix(root)
                .expect("below")
                .to_string_lossy()
                .into_owned();
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// Asks for what is private in every way.
fn requests() -> Vec<Value> {
    let mut all = vec![
        json!({"method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
        json!({"method": "tools/list"}),
        json!({"method": "ping"}),
        call("list_xyzzyvault", json!({})),
        call("get_xyzzyvault", json!({"id": "plan"})),
        call("search_xyzzyvault", json!({"query": "xyzzyword"})),
        call("man", json!({})),
        call("man", json!({"topic": "house"})),
        call("man", json!({"topic": "list_xyzzyvault"})),
        call("man", json!({"topic": "xyzzyvault"})),
        call("man", json!({"topic": "collections"})),
    ];
    for tool in ["list_collections", "list_pages", "list_tags"] {
        all.push(call(tool, json!({})));
        all.push(call(tool, json!({"limit": 1})));
    }
    let words = [
        "xyzzy",
        "xyzzyword",
        "xyzzywrod",
        "xyzzyw",
        "Xyzzyone",
        "xyzzytag",
        "xyzzyvault",
        "Xyzzy vault",
        "xyzzyheading",
        "xyzzypart",
        "xyzzyend",
        "harbour",
        "harbours",
        "plugh",
        "plover",
        "tide table of the northern harbours",
        "open",
        "\"high water\"",
        "quays keel",
        "und",
        "Hafen",
        "shared",
        "own",
    ];
    for word in words {
        for field in ["all", "title", "body", "tags", "aliases"] {
            all.push(call(
                "search_content",
                json!({"match": {"text": word, "in": field}}),
            ));
        }
        all.push(call(
            "search_content",
            json!({"match": {"text": word}, "limit": 1}),
        ));
    }
    for tag in ["xyzzytag", "shared", "own", "xyzzy", "Shared"] {
        all.push(call("search_content", json!({"tag": tag})));
        all.push(call(
            "search_content",
            json!({"tag": tag, "match": {"text": "harbour"}}),
        ));
    }
    for collection in ["xyzzyvault", "notes", "xyzzy", "vault"] {
        all.push(call("search_content", json!({"collection": collection})));
    }
    let routes = [
        "/xyzzyvault",
        "/xyzzyvault/",
        "/xyzzyvault/a",
        "/xyzzyvault/plan",
        "/xyzzyvault/plan#xyzzypart",
        "/xyzzyvault/plan.md",
        "/XYZZYVAULT/PLAN",
        "https://s.example/xyzzyvault/plan",
        "/xyzzyvault/tides",
        "/vault/plan",
        "/xyzzyvaul/plan",
        "/tags/xyzzytag",
        "/tags/xyzzy",
        "/tags/shared",
        "/tags/own",
        "/tags",
        "/",
        "/notes",
        "/notes/open",
        "/notes/opne",
        "/notes/other",
        "/notes/tides",
        "/notes/short",
        "/about",
        "plan",
        "xyzzy",
    ];
    for route in routes {
        all.push(call("get_page_info", json!({"route": route})));
        all.push(call("get_page_markdown", json!({"route": route})));
        let key = uuid::Uuid::from_u128(all.len() as u128).to_string();
        all.push(call(
            "submit_feedback",
            json!({"idempotency_key": key, "message": "m", "kind": "other", "severity": "low", "about": route}),
        ));
    }
    for slug in [
        "plan",
        "a",
        "open",
        "tides",
        "tides-xyzzy",
        "tide",
        "opne",
        "xyzzy",
        "index",
    ] {
        all.push(call("get_post", json!({"slug": slug})));
    }
    all
}

/// The request in both eras, the older first.
fn eras(request: &Value, id: usize) -> [(Vec<(&'static str, String)>, String); 2] {
    let mut legacy = request.clone();
    legacy["jsonrpc"] = "2.0".into();
    legacy["id"] = id.into();
    let mut modern = legacy.clone();
    if request["method"] == "initialize" {
        modern = json!({"jsonrpc": "2.0", "id": id, "method": "server/discover"});
    }
    modern["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut headers = vec![
        ("mcp-protocol-version", "2026-07-28".to_owned()),
        ("mcp-method", text(&modern["method"])),
    ];
    if modern["method"] == "tools/call" {
        headers.push(("mcp-name", text(&modern["params"]["name"])));
    }
    [(vec![], legacy.to_string()), (headers, modern.to_string())]
}

fn answer(
    endpoint: &Endpoint<SiteTools>,
    store: &MemoryStore,
    headers: &[(&'static str, String)],
    token: Option<&str>,
    body: &str,
) -> Response {
    let mut map = HeaderMap::new();
    map.insert("content-type", HeaderValue::from_static("application/json"));
    if let Some(token) = token {
        map.insert(
            "authorization",
            format!("Bearer {token}").parse().expect("a value"),
        );
    }
    for (name, value) in headers {
        map.insert(
            HeaderName::from_static(name),
            value.parse().expect("a value"),
        );
    }
    let request = Request {
        method: "POST",
        headers: &map,
        body: body.as_bytes(),
    };
    match endpoint.handle(&request) {
        Step::Done(response) => response,
        Step::Store(waiting) => {
            let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
            let now = "2026-11-30T12:00:00Z".parse().expect("a time");
            tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime")
                .block_on(waiting.settle(endpoint, store, now, until))
        }
    }
}

#[test]
fn without_a_token_every_answer_is_that_of_the_site_without_private_files() {
    for kind in KINDS {
        let (with, without) = (Built::new(kind, true), Built::new(kind, false));
        assert!(
            with.artifact().full().expect("whole").is_some(),
            "{}",
            kind.name
        );
        assert!(without.artifact().full().expect("whole").is_none());
        with.artifact().verify().expect("both views are whole");
        let (ours, theirs) = (with.sections(), without.sections());
        assert_eq!(
            ours.keys().collect::<Vec<_>>(),
            theirs.keys().collect::<Vec<_>>()
        );
        for (number, bytes) in &ours {
            assert!(*bytes == theirs[number], "{}: section {number}", kind.name);
        }
        assert_eq!(with.exports(), without.exports(), "{}", kind.name);

        let (ours, theirs) = (with.endpoint(), without.endpoint());
        let (our_store, their_store) = (MemoryStore::default(), MemoryStore::default());
        for (id, request) in requests().iter().enumerate() {
            for (headers, body) in eras(request, id) {
                let expected = answer(&theirs, &their_store, &headers, None, &body);
                let got = answer(&ours, &our_store, &headers, None, &body);
                assert_eq!(got, expected, "{}: {body}", kind.name);
                // A wrong token, in the same order of calls, changes nothing.
                let expected = answer(&theirs, &their_store, &headers, Some("wrong"), &body);
                let got = answer(&ours, &our_store, &headers, Some("wrong"), &body);
                assert_eq!(got, expected, "{}: {body}", kind.name);
            }
        }
    }
}

#[test]
fn nothing_private_stands_in_the_public_view_or_beside_the_artifact() {
    for kind in KINDS {
        let built = Built::new(kind, true);
        for (name, bytes) in built.sections() {
            without(&format!("section {name}"), bytes);
        }
        let artifact = built.artifact();
        for page in 0..artifact.pages().count() {
            let frame = artifact.frames().get(page).expect("whole");
            let outline: String = frame
                .headings()
                .iter()
                .map(|it| format!("{}#{} ", it.text, it.anchor))
                .collect();
            for part in [
                artifact.title(page),
                frame.row(),
                frame.info(),
                frame.markdown(),
                &outline,
            ] {
                without(kind.name, part.as_bytes());
            }
            without(
                kind.name,
                artifact.pages().route(page).unwrap_or_default().as_bytes(),
            );
        }
        for list in artifact::format::Prepared::ALL {
            for item in artifact.prepared(list).expect("whole").items() {
                without(kind.name, item.as_bytes());
            }
        }
        for word in [
            "xyzzyword",
            "xyzzyheading",
            "xyzzytag",
            "xyzzyon",
            "xyzzyend",
        ] {
            assert!(artifact.index().term(word).is_none(), "{word}");
        }
        let mut written = BTreeMap::new();
        let dist = built.folder.path().join("dist");
        collect(&dist, &dist, &mut written);
        written.remove("site.shelf").expect("it is written");
        assert!(written.len() > 2);
        for (name, bytes) in &written {
            without(name, name.as_bytes());
            without(name, bytes);
        }
    }
}

fn without(what: &str, bytes: &[u8]) {
    let lower = bytes.to_ascii_lowercase();
    let found = lower
        .windows(SECRET.len())
        .any(|window| window == SECRET.as_bytes());
    assert!(!found, "{what}: {}", String::from_utf8_lossy(bytes));
}

#[test]
fn a_token_opens_everything() {
    let built = Built::new(&KINDS[1], true);
    let endpoint = built.endpoint();
    let ask = |request: Value| {
        let [(headers, body), _] = eras(&request, 1);
        let response = answer(
            &endpoint,
            &MemoryStore::default(),
            &headers,
            Some(TOKEN),
            &body,
        );
        let json: Value = serde_json::from_slice(&response.body).expect("JSON");
        json["result"].clone()
    };
    let found = ask(call(
        "search_content",
        json!({"match": {"text": "xyzzyplan"}}),
    ));
    assert_eq!(
        found["structuredContent"]["results"][0]["route"],
        "/xyzzyvault/plan"
    );
    let listed = ask(call("list_xyzzyvault", json!({})));
    assert_eq!(
        listed["structuredContent"]["docs"].as_array().map(Vec::len),
        Some(2)
    );
    let manual = ask(call("man", json!({"topic": "list_xyzzyvault"})));
    assert!(manual["isError"] != true, "{manual}");
    let collections = ask(call("list_collections", json!({})));
    assert_eq!(
        collections["structuredContent"]["collections"][0]["name"],
        "xyzzyvault"
    );
    let open = ask(call("get_page_info", json!({"route": "/notes/open"})));
    let cited_by = open["structuredContent"]["cited_by"].to_string();
    assert!(cited_by.contains("/xyzzyvault/plan"), "{cited_by}");
    let markdown = ask(call("get_page_markdown", json!({"route": "/notes/open"}))).to_string();
    assert!(
        markdown.contains("(https://s.example/xyzzyvault/plan"),
        "{markdown}"
    );
    assert!(
        markdown.contains("(https://s.example/tags/xyzzytag)"),
        "{markdown}"
    );
    assert!(
        ask(json!({"method": "tools/list"}))
            .to_string()
            .contains("xyzzyvault")
    );
    // What is a post stays the public collection's affair.
    let post = ask(call("get_post", json!({"slug": "open"})));
    assert_eq!(post["structuredContent"]["post"]["route"], "/notes/open");
}
