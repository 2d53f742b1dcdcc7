//! Proves that nothing hidden stands in what was built.
//!
//! What is hidden is read once more from the sources, by other code than the one that published: the hidden documents (drafts, future, unlisted
//! and private pages, hidden collections) and the comments of published ones. Of it, what also stands in the open somewhere in the published sources
//! says nothing; the rest is secret: each route, each title and each rare word. Then everything that was built is searched for it: all terms of the
//! index, all routes and titles, the prepared lists, every page's frame decompressed, and every export.
//!
//! A draft with the words `launch plan zebra` next to published pages that speak of plans makes `launch` and `zebra` secret.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use artifact::catalogue::Operation;
use artifact::format::{self, Artifact, Prepared};
use artifact::route::canonical;
use artifact::text::{Analyzer, tokens};
use rayon::prelude::*;

use crate::CONFIG_FILE;
use crate::config::CollectionSettings;
use crate::export::{ABOUT_TOOLS, File};
use crate::page;
use crate::problem::Problem;
use crate::site::Site;
use crate::source;

/// Shorter words are everywhere.
const SHORTEST: usize = 4;
/// Leaks that are told; one is enough to stop a build.
const MOST: usize = 50;

/// Why a document of a private collection is hidden from the public view.
pub(crate) const PRIVATE: &str = "its collection is private";

/// A document that is not published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenDocument {
    /// The file, below the site's folder.
    pub source: String,
    /// The route that it would have; empty when it has none.
    pub route: String,
    /// Its title in front matter.
    pub title: Option<String>,
    /// Why it is hidden.
    pub why: String,
}

/// Something hidden that was found in what was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// What it is: a word, a title, a route.
    pub secret: String,
    /// The hidden file, or the published file with the comment.
    pub source: String,
    /// Where it was found.
    pub found: String,
}

impl Leak {
    /// The leak as a problem of its source.
    pub fn problem(&self) -> Problem {
        Problem::error(
            &self.source,
            format!(
                "`{}` is hidden in this file and stands in {}",
                self.secret, self.found
            ),
        )
        .help("nothing was written; when it is no secret, say it in the open as well or take it out of the hidden place, and else report it as a fault of the builder")
    }
}

/// What was looked for and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Searched {
    /// How many documents are hidden.
    pub documents: usize,
    /// How many published pages have comments.
    pub comments: usize,
    /// How many words, titles and routes are secret.
    pub secrets: usize,
    /// How many terms, texts and files were searched.
    pub places: usize,
    /// What was found.
    pub leaks: Vec<Leak>,
}

impl Searched {
    /// Adds what was looked for in the full view. What is hidden from both was counted already.
    pub fn add(&mut self, full: Searched) {
        self.places += full.places;
        let new = |leak: &Leak| !self.leaks.contains(leak);
        let more: Vec<Leak> = full.leaks.into_iter().filter(new).collect();
        self.leaks.extend(more);
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "hidden documents: {}, pages with comments: {}; {} secret words, titles and routes, searched for in {} terms, texts and files: {} found",
            self.documents,
            self.comments,
            self.secrets,
            self.places,
            match self.leaks.len() {
                0 => "none".to_owned(),
                count => count.to_string(),
            }
        )
    }
}

/// The words of a text: runs of letters, digits and `_`, in lower case.
fn words(text: &str, visit: &mut dyn FnMut(&str)) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut lower = String::new();
    for word in text
        .split(|c| !is_part(c))
        .filter(|word| word.len() >= SHORTEST)
    {
        if word
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        {
            visit(word);
        } else {
            lower.clear();
            lower.extend(word.chars().flat_map(char::to_lowercase));
            visit(&lower);
        }
    }
}

/// Everything that is secret.
#[derive(Debug, Default)]
struct Secrets {
    /// Words, with the file that hides each.
    words: HashMap<String, String>,
    titles: BTreeMap<String, String>,
    routes: BTreeMap<String, String>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

/// Reads what is hidden and takes out what stands in the open.
fn secrets(site: &Site, root: &Path, searched: &mut Searched) -> Secrets {
    let mut secrets = Secrets::default();
    for document in &site.hidden {
        if let Ok(text) = source::read(root, &document.source) {
            secrets.hide(&text, &document.source);
        }
        if !document.route.is_empty() && document.route != "/" {
            secrets
                .routes
                .insert(document.route.clone(), document.source.clone());
        }
        if let Some(title) = &document.title {
            secrets
                .titles
                .insert(title.clone(), document.source.clone());
        }
    }
    searched.documents = site.hidden.len();
    let source = CONFIG_FILE.to_owned();
    for route in &site.kept_back {
        secrets.routes.insert(route.clone(), source.clone());
    }
    for collection in site
        .settings
        .collections
        .iter()
        .filter(|it| is_kept_back(it))
    {
        let description = collection.description.as_deref().unwrap_or_default();
        for text in [&collection.name, &collection.title, description] {
            secrets.hide(text, &source);
        }
        secrets
            .titles
            .insert(collection.title.clone(), source.clone());
    }
    let own = site.manual.par_iter().map(|page| &page.source);
    let texts: Vec<(String, String)> = site
        .pages
        .par_iter()
        .map(|page| &page.source)
        .chain(own)
        .filter_map(|path| Some((path.clone(), source::read(root, path).ok()?)))
        .collect();
    let mut open: Vec<String> = Vec::with_capacity(texts.len());
    for (name, text) in texts {
        let mdx = name.to_ascii_lowercase().ends_with(".mdx");
        let comments = page::comments_in(&text, mdx);
        if comments.is_empty() {
            open.push(text);
            continue;
        }
        searched.comments += 1;
        let mut shown = String::with_capacity(text.len());
        let mut at = 0;
        for range in comments {
            shown.push_str(&text[at..range.start]);
            shown.push(' ');
            secrets.hide(&text[range.clone()], &name);
            at = range.end;
        }
        shown.push_str(&text[at..]);
        open.push(shown);
    }
    if secrets.words.is_empty() && secrets.routes.is_empty() {
        return secrets;
    }
    // A reader sees `a\_b` as `a_b` and `caf&eacute;` decoded.
    let plain: Vec<String> = open
        .par_iter()
        .filter(|text| text.contains(['\\', '&']))
        .map(|text| page::decoded(&text.replace('\\', "")))
        .collect();
    open.extend(plain);
    // Data, configuration and included files are read to be shown.
    open.extend(
        site.used
            .iter()
            .filter_map(|path| source::read(root, path).ok()),
    );
    open.extend(site.pages.iter().map(|page| page.source.clone()));
    let told = &site.settings;
    let shown = told.collections.iter().filter(|it| !is_kept_back(it));
    let mut own = format!(
        "{:?} {:?} {:?} {:?}",
        told.site,
        told.server,
        shown.collect::<Vec<_>>(),
        told.tags
    );
    own.push_str(OWN_WORDS);
    open.push(own);
    let candidates: HashSet<&str> = secrets.words.keys().map(String::as_str).collect();
    let seen: HashSet<String> = open
        .par_iter()
        .map(|text| {
            let mut seen = HashSet::new();
            words(text, &mut |word| {
                if candidates.contains(word) && !seen.contains(word) {
                    seen.insert(word.to_owned());
                }
            });
            seen
        })
        .reduce(HashSet::new, |mut all, more| {
            all.extend(more);
            all
        });
    secrets.words.retain(|word, _| !seen.contains(word));
    let published: HashSet<&str> = site.pages.iter().map(|page| page.route.as_str()).collect();
    secrets
        .routes
        .retain(|route, _| !published.contains(route.as_str()));
    secrets.titles.retain(|title, _| title.contains(' '));
    if let Ok(all) = AhoCorasick::new(secrets.titles.keys()) {
        let told: HashSet<usize> = open
            .par_iter()
            .map(|text| {
                let found = all.find_overlapping_iter(text);
                found.map(|found| found.pattern().as_usize()).collect()
            })
            .reduce(HashSet::new, |mut all: HashSet<usize>, more| {
                all.extend(more);
                all
            });
        let mut number = 0;
        secrets.titles.retain(|_, _| {
            number += 1;
            !told.contains(&(number - 1))
        });
    }
    secrets
}

/// Whether a collection is private and left out of this view.
fn is_kept_back(collection: &CollectionSettings) -> bool {
    collection.private && collection.hidden
}

/// What is the same in both views because the settings or the manual say it, each with its name.
fn for_everybody(site: &Site) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = site
        .manual
        .iter()
        .map(|page| {
            let name = format!("the manual's page `{}`", page.name);
            (name, format!("{}\n{}", page.summary, page.markdown))
        })
        .collect();
    let told = &site.settings;
    for (name, text) in [
        ("the server's instructions", &told.server.instructions),
        ("the site's description", &told.site.description),
    ] {
        texts.extend(text.iter().map(|text| (name.to_owned(), text.clone())));
    }
    texts
}

/// Looks in a text for what names something private without doubt: a route, a title of several words, a collection's name in quotes or in the name of
/// a tool. That the text is published does not make these public.
fn names_in(site: &Site, text: &str, tell: &mut dyn FnMut(&str, &str)) {
    let private: Vec<_> = site
        .settings
        .collections
        .iter()
        .filter(|it| is_kept_back(it))
        .collect();
    if private.is_empty() {
        return;
    }
    let base = site.settings.address.url("/");
    let base = base.trim_end_matches('/');
    let of_private = site
        .hidden
        .iter()
        .filter(|document| document.why == PRIVATE);
    for document in of_private {
        let title = document
            .title
            .as_deref()
            .filter(|title| title.contains(' '));
        if let Some(title) = title.filter(|title| text.contains(title)) {
            tell(title, &document.source);
        }
        if document.route.len() > 1 && names_route(text, base, &document.route) {
            tell(&document.route, &document.source);
        }
    }
    for route in site
        .kept_back
        .iter()
        .filter(|route| names_route(text, base, route))
    {
        tell(route, CONFIG_FILE);
    }
    for collection in private {
        let name = collection.name.as_str();
        let tools = Operation::READ.map(|it| it.tool_name(collection.tool_slug()));
        let is_named = |quote: &char| text.contains(&format!("{quote}{name}{quote}"));
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let mut words = text.split(|c| !is_of_word(c));
        let is_called = collection.tools && words.any(|word| tools.iter().any(|it| it == word));
        if is_called || ['"', '`'].iter().any(is_named) {
            tell(name, CONFIG_FILE);
        }
        if collection.title.contains(' ') && text.contains(&collection.title) {
            tell(&collection.title, CONFIG_FILE);
        }
    }
}

/// Whether a text has a route, as it is or at the end of an address.
fn names_route(text: &str, base: &str, route: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '%' | '~');
    text.match_indices(route).any(|(at, _)| {
        let before = &text[..at];
        let is_alone = before.ends_with(base) || !before.chars().next_back().is_some_and(is_part);
        let after = text[at + route.len()..]
            .trim_start_matches('/')
            .chars()
            .next();
        is_alone && !after.is_some_and(is_part)
    })
}

/// Words that the builder itself puts into pages and other exports. A test compares them with the exports of a site.
const OWN_WORDS: &str = " note info caution warning danger important details tags untitled pages video audio frame \
    relatedposts title author updated description filename index collections subjects \
    same content searched read tools server every link below leads page markdown whose front matter names itself optional texts file most bytes \
    address lists included them list this section whole site source other collection searches reads llms full sitemap \
    schema name version host entries identifier type specversion displayname documentationurl websiteurl remotes supportedprotocolversions \
    application json static modelcontextprotocol schemas well known card http https streamable ";

/// Searches what was built for everything that is hidden. `exports` are the files that are to be published, the artifact not among them.
///
/// # Errors
/// [`format::Error`] when the artifact cannot be read.
pub fn search(
    site: &Site,
    root: &Path,
    bytes: &[u8],
    exports: &[File],
) -> Result<Searched, format::Error> {
    let mut searched = Searched::default();
    let secrets = secrets(site, root, &mut searched);
    searched.secrets = secrets.words.len() + secrets.titles.len() + secrets.routes.len();
    if searched.secrets == 0 {
        return Ok(searched);
    }
    let artifact = Artifact::open(bytes)?;
    let mut found: BTreeSet<(String, String, String)> = BTreeSet::new();
    let mut tell = |secret: &str, source: &str, place: String| {
        found.insert((source.to_owned(), secret.to_owned(), place));
    };

    // The index: the terms that a secret word would have given and no open word gives.
    searched.places += artifact.index().len();
    for (term, word) in secret_terms(site, &artifact, &secrets) {
        tell(
            &word,
            &secrets.words[&word],
            format!("the index, as the term `{term}`"),
        );
    }
    // Routes.
    for route in artifact.pages().routes() {
        searched.places += 1;
        if let Some(source) = secrets.routes.get(&route) {
            tell(&route, source, "the table of routes".into());
        }
    }
    // Lists.
    for list in [
        Prepared::Collections,
        Prepared::Pages,
        Prepared::Tags,
        Prepared::FrontMatter,
    ] {
        for item in artifact.prepared(list)?.items() {
            searched.places += 1;
            secrets.search(item, site, &mut |secret, source| {
                tell(secret, source, format!("the prepared list {list:?}"));
            });
        }
    }
    // The manual's pages of the site's own. All others say the builder's words and what was searched already.
    for page in &site.manual {
        searched.places += 1;
        secrets.search(&page.markdown, site, &mut |secret, source| {
            tell(secret, source, format!("the manual's page `{}`", page.name));
        });
    }
    // Texts that everybody gets and that their author may have written with the private pages in mind.
    for (name, text) in for_everybody(site) {
        searched.places += 1;
        names_in(site, &text, &mut |secret, source| {
            tell(secret, source, name.clone());
        });
    }
    // Frames and titles.
    let pages: Vec<Vec<(String, String, String)>> = (0..artifact.pages().count())
        .into_par_iter()
        .map(|page| {
            let mut found = Vec::new();
            let route = artifact.pages().route(page).unwrap_or_default();
            let frame = artifact.frames().get(page)?;
            for (what, text) in [
                ("title", artifact.title(page)),
                ("row", frame.row()),
                ("facts", frame.info()),
                ("markdown", frame.markdown()),
            ] {
                secrets.search(text, site, &mut |secret, source| {
                    found.push((
                        source.to_owned(),
                        secret.to_owned(),
                        format!("the {what} of `{route}`"),
                    ));
                });
            }
            Ok(found)
        })
        .collect::<Result<_, format::Error>>()?;
    searched.places += pages.len() * 4;
    found.extend(pages.into_iter().flatten());
    // Exports.
    searched.places += exports.len();
    let files: Vec<Vec<(String, String, String)>> = exports
        .par_iter()
        .map(|file| {
            let mut found = Vec::new();
            let text = String::from_utf8_lossy(&file.bytes);
            let mut tell = |secret: &str, source: &str| {
                found.push((
                    source.to_owned(),
                    secret.to_owned(),
                    format!("`{}`", file.path),
                ));
            };
            // Of the catalogue's own words any may be a word of a draft. All else in these files was answered from the artifact.
            if !ABOUT_TOOLS.contains(&file.path.as_str()) {
                secrets.search_words(&text, &mut tell);
            }
            secrets.search_names(&text, site, &mut tell);
            found
        })
        .collect();
    found.extend(files.into_iter().flatten());
    searched.leaks = found
        .into_iter()
        .take(MOST)
        .map(|(source, secret, found)| Leak {
            secret,
            source,
            found,
        })
        .collect();
    Ok(searched)
}

impl Secrets {
    /// Takes every word of a text for secret. A word that several files hide is of the first.
    fn hide(&mut self, text: &str, source: &str) {
        words(text, &mut |word| {
            if !self.words.contains_key(word) {
                self.words.insert(word.to_owned(), source.to_owned());
            }
        });
    }

    fn search(&self, text: &str, site: &Site, tell: &mut dyn FnMut(&str, &str)) {
        self.search_words(text, tell);
        self.search_names(text, site, tell);
    }

    fn search_words(&self, text: &str, tell: &mut dyn FnMut(&str, &str)) {
        words(text, &mut |word| {
            if let Some(source) = self.words.get(word) {
                tell(word, source);
            }
        });
    }

    /// Looks for titles and routes.
    fn search_names(&self, text: &str, site: &Site, tell: &mut dyn FnMut(&str, &str)) {
        for found in self
            .phrases()
            .iter()
            .flat_map(|all| all.find_overlapping_iter(text))
        {
            if let Some((title, source)) = self.titles.iter().nth(found.pattern().as_usize()) {
                tell(title, source);
            }
        }
        if self.routes.is_empty() {
            return;
        }
        // Every address of the site's own in the text, up to what cannot be part of one.
        let base = site.settings.address.url("/");
        let base = base.trim_end_matches('/');
        for (at, _) in text.match_indices(base) {
            let rest = &text[at + base.len()..];
            let is_part =
                |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | '%' | '~');
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let route = canonical(&rest[..end]);
            if let Some(source) = self.routes.get(&route) {
                tell(&format!("{base}{}", &rest[..end]), source);
            }
        }
    }

    /// All titles at once; none when there are more than an automaton has room for.
    fn phrases(&self) -> Option<&AhoCorasick> {
        let made = || AhoCorasick::new(self.titles.keys()).ok();
        self.automaton.get_or_init(made).as_ref()
    }
}

/// The terms of the index that come from secret words alone, each with its word.
fn secret_terms(site: &Site, artifact: &Artifact, secrets: &Secrets) -> Vec<(String, String)> {
    let analyzers = artifact.site().analyzers();
    let terms_of = |word: &str, visit: &mut dyn FnMut(&str)| {
        for analyzer in analyzers.all() {
            terms(analyzer, word, visit);
        }
    };
    let mut suspects: BTreeMap<String, String> = BTreeMap::new();
    for word in secrets.words.keys() {
        terms_of(word, &mut |term| {
            if artifact.index().terms().get(term).is_some() {
                suspects
                    .entry(term.to_owned())
                    .or_insert_with(|| word.clone());
            }
        });
    }
    if suspects.is_empty() {
        return Vec::new();
    }
    // An open word may have the same stem: `plans` is open, `planned` is not.
    for page in &site.pages {
        let texts = [
            page.markdown.as_str(),
            page.reading.text.as_str(),
            page.title.as_str(),
            page.description.as_deref().unwrap_or_default(),
            page.route.as_str(),
        ];
        let tags = page.tags.iter().map(|tag| site.tags[*tag].title.as_str());
        let aliases = page.aliases.iter().map(String::as_str);
        for text in texts.into_iter().chain(tags).chain(aliases) {
            terms_of(text, &mut |term| {
                suspects.remove(term);
            });
            if suspects.is_empty() {
                return Vec::new();
            }
        }
    }
    suspects.into_iter().collect()
}

fn terms(analyzer: &Analyzer, text: &str, visit: &mut dyn FnMut(&str)) {
    tokens(text, |token| analyzer.index_terms(&token, &mut *visit));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::assemble;
    use crate::export::export;
    use crate::reader::tests;
    use crate::{pack, read_site};

    fn site(files: &[(&str, &str)]) -> (tempfile::TempDir, Site) {
        let folder = tests::folder(files);
        let site = read_site(&tests::options(folder.path()), &|_| ()).unwrap();
        (folder, site)
    }

    const FILES: [(&str, &str); 3] = [
        (
            "a.md",
            "# Open plans\n\nA plan. <!-- giraffe -->\n\n`<!-- kept -->`\n",
        ),
        (
            "b.md",
            "---\ndraft: true\ntitle: Secret Launch\n---\nplanned zebra, open\n",
        ),
        ("c.md", "---\ndate: 2030-01-01\n---\nfuture quokka\n"),
    ];

    fn searched(folder: &Path, site: &Site, change: impl Fn(&mut Site)) -> Searched {
        let mut built = site.clone();
        change(&mut built);
        let assembly = assemble(&built);
        let bytes = pack::pack(&assembly, &|_| ()).unwrap().bytes;
        search(&built, folder, &bytes, &export(&assembly, &bytes).files).unwrap()
    }

    #[test]
    fn nothing_hidden_is_found_in_a_site_that_is_in_order() {
        let (folder, site) = site(&FILES);
        let found = searched(folder.path(), &site, |_| ());
        assert_eq!((found.documents, found.comments), (2, 1));
        assert!(found.secrets >= 6 && found.places > 10, "{found}");
        assert_eq!(found.leaks, []);
    }

    #[test]
    fn a_word_a_title_and_a_route_that_leaked_are_found() {
        let (folder, site) = site(&FILES);
        let leaked = |text: &'static str| {
            let found = searched(folder.path(), &site, |site| {
                site.pages[0].markdown.push_str(text);
                site.pages[0].reading = page::read(&site.pages[0].markdown, 1000);
            });
            let told: Vec<String> = found.leaks.into_iter().map(|leak| leak.secret).collect();
            told
        };
        assert!(leaked("zebra").contains(&"zebra".to_owned()));
        assert!(leaked("giraffe").contains(&"giraffe".to_owned()));
        assert!(leaked("Secret Launch").contains(&"Secret Launch".to_owned()));
        assert!(
            leaked("[x](http://localhost:8787/b)").contains(&"http://localhost:8787/b".to_owned())
        );
        // In the page itself, in its twin, and among the full texts.
        assert_eq!(
            leaked("http://localhost:8787/beta plans planned"),
            ["planned", "planned", "planned"]
        );
    }

    #[test]
    fn every_word_that_is_ours_is_no_secret() {
        let config = "[site]\ntitle = \"Open\"\ndescription = \"Open\"\nurl = \"https://open.example\"\n[server]\nurl = \"https://open.example/mcp\"\n\
            [exports]\nllms_bytes = 1_000\nllms_full_bytes = 600\n";
        let mut files = vec![("shelfmark.toml".to_owned(), config.to_owned())];
        for number in 10..60 {
            let text = format!("---\ntitle: Open {number}\ntags: [open]\n---\n\nopen open\n");
            files.push((format!("one/{number}.md"), text.clone()));
            files.push((format!("two/{number}.md"), text));
        }
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let (_folder, site) = site(&files);
        let assembly = assemble(&site);
        let bytes = pack::pack(&assembly, &|_| ()).unwrap().bytes;
        let mut ours = HashSet::new();
        words(OWN_WORDS, &mut |word| {
            ours.insert(word.to_owned());
        });
        let mut missing = BTreeSet::new();
        for file in export(&assembly, &bytes).files {
            if ABOUT_TOOLS.contains(&file.path.as_str()) {
                continue;
            }
            words(&String::from_utf8_lossy(&file.bytes), &mut |word| {
                let of_the_site = ["open", "example", "localhost", "2026", "2025"].contains(&word)
                    || word.bytes().all(|b| b.is_ascii_digit());
                if !of_the_site && !ours.contains(word) {
                    missing.insert(word.to_owned());
                }
            });
        }
        assert_eq!(missing, BTreeSet::new());
    }
}
