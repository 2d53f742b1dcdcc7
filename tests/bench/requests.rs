//! Whole requests: from the bytes of a request to the bytes of its answer, for each tool, in process.
//!
//! ```text
//! cargo bench -p runtime                                   the demo site, and made-up sites of 4,000 and 11,000 pages
//! SHELFMARK_BENCH_SITE=/path/to/site cargo bench -p runtime        a real site as well, read as the builder reads it
//! SHELFMARK_BENCH_ONLY=demo,real cargo bench -p runtime            some of these only
//! ```
//!
//! A request that is repeated finds the pages it needs unpacked. So there are `rotating` requests, 64 different ones of each kind in turn, whose pages are
//! kept as far as memory for them goes, and `first` ones, each to a server that has just started over an artifact that is in memory: none of its pages is
//! unpacked, nothing is allocated. Starting the server is not part of their time.
//!
//! The made-up sites are the same on every machine: words follow Zipf's law, pages have headings, tags and links. A real site says more about
//! search; the made-up ones make figures comparable.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main};
use runtime::mcp::{Endpoint, Policy, Request, Step};
use runtime::service::SiteTools;

struct Site {
    name: String,
    bytes: &'static [u8],
    endpoint: Endpoint<SiteTools>,
    /// A route of a document, and others.
    route: String,
    routes: Vec<String>,
    /// A rare, a middling and a common word, and more of the middling ones.
    words: [String; 3],
    middling: Vec<String>,
    slug: Option<String>,
}

/// Different requests of one kind.
const TURNS: usize = 64;

/// Builds a site and opens it as the server does.
fn open(name: &str, folder: &Path) -> Site {
    let options = builder::Options {
        site: folder.to_owned(),
        config: None,
        now: "2026-11-30".parse().expect("a date"),
        output: Vec::new(),
        url: None,
        generator: None,
    };
    let site = builder::read_site(&options, &|_| ()).expect("the site can be read");
    let assembly = builder::assemble::assemble(&site);
    let packed = builder::pack::pack(&assembly, &|_| ()).expect("the site can be packed");
    let markdown: usize = assembly
        .pages
        .iter()
        .map(|page| page.markdown().len())
        .sum();
    println!(
        "{name}: {} pages, {} documents, {} terms, {} bytes of markdown, artifact {} bytes ({:.1} %)",
        assembly.pages.len(),
        assembly.documents,
        packed.terms,
        markdown,
        packed.bytes.len(),
        packed.bytes.len() as f64 * 100.0 / markdown as f64
    );
    let middle = &assembly.pages[assembly.documents as usize / 2];
    let route = middle.route.clone();
    let posts = assembly.pages.iter().find(|page| {
        page.collection
            .is_some_and(|place| assembly.collections[place].settings.posts)
    });
    let slug = posts.map(|page| artifact::route::slug_of(&page.route).to_owned());
    // A rare, a middling and a common word of the site's own text.
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for page in assembly.pages.iter().take(500) {
        let words = page
            .reading()
            .text
            .split(|c: char| !c.is_ascii_alphabetic());
        words
            .filter(|word| word.len() > 4)
            .for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let mut ordered: Vec<(&str, usize)> = counts.into_iter().collect();
    ordered.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let word = |share: usize| {
        ordered
            .get(ordered.len() / share)
            .map_or("site", |(word, _)| word)
            .to_owned()
    };
    let words = [
        word(2),
        word(20),
        ordered.get(3).map_or("site", |(word, _)| word).to_owned(),
    ];
    let between = |from: usize, to: usize| {
        let some = &ordered[ordered.len() / from..ordered.len() / to];
        let every = (some.len() / TURNS).max(1);
        some.iter()
            .step_by(every)
            .map(|(word, _)| (*word).to_owned())
    };
    let documents = assembly.documents as usize;
    let every = (documents / TURNS).max(1);
    let routes = assembly.pages[..documents].iter().step_by(every);
    let bytes: &'static [u8] = Box::leak(packed.bytes.into_boxed_slice());
    Site {
        name: name.to_owned(),
        bytes,
        endpoint: serve(bytes),
        route,
        routes: routes.map(|page| page.route.clone()).collect(),
        words,
        middling: between(100, 4).collect(),
        slug,
    }
}

/// Starts a server, as a program does.
fn serve(bytes: &'static [u8]) -> Endpoint<SiteTools> {
    let artifact = artifact::format::Artifact::open(bytes).expect("what was packed opens");
    let tools = SiteTools::new(artifact, false).expect("what was packed can be served");
    Endpoint::new(tools, Policy::local())
}

/// A made-up site. A linear congruential generator (Knuth's MMIX constants) stands in for chance.
fn made_up(folder: &Path, pages: usize) {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    const SYLLABLES: [&str; 16] = [
        "ka", "lo", "mi", "ten", "ru", "sa", "vor", "de", "pli", "gan", "tor", "e", "shi", "bu",
        "nar", "ox",
    ];
    let word = |rank: usize| {
        let mut rank = rank + 17;
        let mut word = String::new();
        while rank > 0 {
            word.push_str(SYLLABLES[rank % 16]);
            rank /= 16;
        }
        word
    };
    // Ranks fall off as 1/rank: a uniform number over a range that is itself drawn doubles each time.
    let draw = |next: &mut dyn FnMut(usize) -> usize| {
        let scale = next(15);
        word(next(2 << scale))
    };
    fs::write(
        folder.join("shelfmark.toml"),
        "[site]\ntitle = \"Made up\"\nurl = \"https://made-up.example\"\n\n[[collections]]\nname = \"posts\"\npath = \"posts\"\nroute = \"/posts/{path}\"\n",
    )
    .expect("a file can be written");
    for page in 0..pages {
        let file = folder.join(format!("posts/s{}/p{page}.md", page % 97));
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
        let mut text = format!(
            "---\ntitle: {} {}\ntags: [t{}, t{}]\n---\n",
            draw(&mut next),
            draw(&mut next),
            next(40),
            next(40)
        );
        for _ in 0..1 + next(8) {
            let _ = write!(text, "\n## {} {}\n\n", draw(&mut next), draw(&mut next));
            for at in 0..40 + next(160) {
                text.push_str(&draw(&mut next));
                text.push(if at % 12 == 11 { '\n' } else { ' ' });
            }
            let _ = write!(
                text,
                "\nSee [other](../s{}/p{}.md).\n",
                next(97),
                next(pages)
            );
        }
        fs::write(file, text).expect("a file can be written");
    }
}

fn requests(criterion: &mut Criterion) {
    let only = std::env::var("SHELFMARK_BENCH_ONLY").ok();
    let is_wanted = |name: &str| {
        let only = only.as_ref();
        only.is_none_or(|only| only.split(',').any(|wanted| wanted == name))
    };
    let mut sites = Vec::new();
    if is_wanted("demo") {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site");
        sites.push(open("demo", &demo));
    }
    for (name, pages) in [("made-up-4k", 4_000), ("made-up-11k", 11_000)] {
        if is_wanted(name) {
            let folder = tempfile::tempdir().expect("a temporary folder");
            made_up(folder.path(), pages);
            sites.push(open(name, folder.path()));
        }
    }
    if let Some(folder) = std::env::var_os("SHELFMARK_BENCH_SITE").map(PathBuf::from) {
        sites.push(open("real", &folder));
    }
    for site in &sites {
        let [rare, middling, common] = &site.words;
        let mut calls = vec![
            ("list_collections", "{}".to_owned()),
            ("list_pages", "{}".to_owned()),
            ("list_tags", "{}".to_owned()),
            ("get_page_info", format!("{{\"route\":{:?}}}", site.route)),
            (
                "get_page_markdown",
                format!("{{\"route\":{:?}}}", site.route),
            ),
            (
                "search_content",
                format!("{{\"match\":{{\"text\":\"{middling} {rare}\",\"in\":\"all\"}}}}"),
            ),
            (
                "search_content",
                format!("{{\"match\":{{\"text\":\"{common} {middling}\",\"in\":\"all\"}}}}"),
            ),
            (
                "search_content",
                format!("{{\"match\":{{\"text\":\"{common}\",\"in\":\"title\"}}}}"),
            ),
        ];
        if let Some(slug) = &site.slug {
            calls.push(("get_post", format!("{{\"slug\":{slug:?}}}")));
        }
        let mut group = criterion.benchmark_group(&site.name);
        group.bench_function("tools/list", |bench| {
            let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
            bench.iter(|| answer(&site.endpoint, body));
        });
        for (number, (tool, arguments)) in calls.iter().enumerate() {
            let body = request(tool, arguments);
            let name = if *tool == "search_content" {
                format!("{number} {tool} {arguments}")
            } else {
                format!("{number} {tool}")
            };
            answered(&site.endpoint, &body);
            group.bench_function(name, |bench| bench.iter(|| answer(&site.endpoint, &body)));
        }
        let words = |turn: usize| &site.middling[turn % site.middling.len()];
        let search = |turn: usize| {
            let (first, second) = (words(turn), words(turn * 7 + 3));
            format!("{{\"match\":{{\"text\":\"{first} {second}\"}}}}")
        };
        let route =
            |turn: usize| format!("{{\"route\":{:?}}}", site.routes[turn % site.routes.len()]);
        let requests = |tool: &str, arguments: &dyn Fn(usize) -> String| -> Vec<String> {
            let requests = (0..TURNS).map(|turn| request(tool, &arguments(turn)));
            requests.collect()
        };
        turns(
            &mut group,
            site,
            "search_content",
            &requests("search_content", &search),
        );
        turns(
            &mut group,
            site,
            "get_page_info",
            &requests("get_page_info", &route),
        );
        turns(
            &mut group,
            site,
            "get_page_markdown",
            &requests("get_page_markdown", &route),
        );
        group.finish();
    }
}

/// Different requests in turn: to a server that has answered all of them before, and each to a server that has just started.
fn turns(
    group: &mut BenchmarkGroup<criterion::measurement::WallTime>,
    site: &Site,
    tool: &str,
    requests: &[String],
) {
    requests
        .iter()
        .for_each(|body| answered(&site.endpoint, body));
    let mut turn = 0;
    let mut next = || {
        turn += 1;
        &requests[turn % requests.len()]
    };
    group.bench_function(format!("rotating {tool}"), |bench| {
        bench.iter(|| answer(&site.endpoint, next()));
    });
    group.bench_function(format!("first {tool}"), |bench| {
        bench.iter_batched(
            || (serve(site.bytes), next()),
            |(endpoint, body)| (answer(&endpoint, body), endpoint),
            BatchSize::PerIteration,
        );
    });
}

fn request(tool: &str, arguments: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{arguments}}}}}"
    )
}

/// Makes sure that a request succeeds.
fn answered(endpoint: &Endpoint<SiteTools>, body: &str) {
    let answered = String::from_utf8_lossy(&answer(endpoint, body)).into_owned();
    assert!(!answered.contains("\"isError\":true"), "{body}: {answered}");
}

/// One request through the very function that serves HTTP and Lambda.
fn answer(endpoint: &Endpoint<SiteTools>, body: &str) -> Vec<u8> {
    let mut headers = http::HeaderMap::new();
    headers.insert(
        "content-type",
        http::HeaderValue::from_static("application/json"),
    );
    headers.insert("host", http::HeaderValue::from_static("127.0.0.1:8787"));
    match endpoint.handle(&Request {
        method: "POST",
        headers: &headers,
        body: body.as_bytes(),
    }) {
        Step::Done(response) => response.body,
        Step::Store(_) => Vec::new(),
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(50).warm_up_time(std::time::Duration::from_millis(500));
    targets = requests
}
criterion_main!(benches);
