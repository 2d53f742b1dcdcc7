//! Looking inside an artifact: what `builder inspect` prints.
//!
//! A function from bytes and a question to text. What comes from the site is put on one line and cleaned of whatever could steer a
//! terminal; nothing is decoded that was not asked for.
//!
//! ```text
//! $ builder inspect dist/site.shelf --term mapping
//! mapping is looked up as
//!   map         9 of 57 documents, idf 118
//!      impact  document
//!         201  /glossary/mmap            title, aliases, body
//! ```

mod sections;

use std::fmt::{self, Write as _};

use artifact::catalogue::{grouped, nearest};
use artifact::clean::one_line;
use artifact::format::{Artifact, Error, Fields, Frame, PageId, PageKind, Prepared, VERSION, idf};
use artifact::route::{Address, as_asked};
use artifact::text::{Language, Query, unmarked};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::report::counted;

use sections::Sections;

/// Documents, pages or links that one answer lists at most.
const MOST: usize = 20;
/// Lines of a page's markdown that are shown.
const LINES: usize = 12;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Question<'q> {
    /// What the artifact is and what is in it.
    Overview,
    /// The sections and their shares, as JSON.
    Json,
    /// What is held of a page.
    Page(&'q str),
    /// How a word is looked up and where it occurs.
    Term(&'q str),
    /// How a search reads a text and what ranks the best documents.
    #[cfg(feature = "serve")]
    Search(&'q str),
    /// How clients are told about a tool.
    Tool(&'q str),
    /// Whether every byte is as it was written.
    Verify,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The bytes are no artifact for this program.
    Unreadable(Error),
    /// The bytes were an artifact.
    Damaged(Error),
    /// The artifact does not hold what was asked for.
    NotThere(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unreadable(error) | Problem::Damaged(error) => error.fmt(f),
            Problem::NotThere(text) => f.write_str(text),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        match error {
            Error::NotAnArtifact | Error::Version { .. } | Error::Tokenizer { .. } => {
                Problem::Unreadable(error)
            }
            _ => Problem::Damaged(error),
        }
    }
}

/// Answers a question about an artifact: about its public view, or the one with `private` collections.
pub(crate) fn inspect(bytes: &[u8], private: bool, question: &Question) -> Result<String, Problem> {
    let mut artifact = Artifact::open(bytes)?;
    if private {
        artifact = artifact.full()?.ok_or_else(|| {
            Problem::NotThere("nothing in this artifact is private: it has one view".into())
        })?;
    }
    match question {
        Question::Overview => overview(&artifact, bytes.len()),
        Question::Json => {
            let sections = Sections::of(&artifact, bytes.len())?;
            Ok(format!("{:#}\n", sections.json()))
        }
        Question::Page(route) => page(&artifact, route),
        Question::Term(word) => term(&artifact, word),
        #[cfg(feature = "serve")]
        Question::Search(text) => search(&artifact, text),
        Question::Tool(name) => tool(&artifact, name),
        Question::Verify => {
            artifact.verify()?;
            Ok(format!(
                "ok: {}, {} and all {} are as they were written\n",
                counted(artifact.sections().count(), "section"),
                counted(artifact.pages().count() as usize, "page"),
                counted(bytes.len(), "byte"),
            ))
        }
    }
}

fn overview(artifact: &Artifact, length: usize) -> Result<String, Problem> {
    let site = artifact.site();
    let mut out = String::new();
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:<13}{}", one_line(value));
    };
    row("identity", &artifact.identity());
    row(
        "format",
        &format!("{VERSION}, tokenizer {}", artifact::text::VERSION),
    );
    row("size", &counted(length, "byte"));
    row("site", site.title);
    if let Some(description) = site.description {
        row("description", description);
    }
    row("address", site.url);
    let languages = [site.language]
        .into_iter()
        .chain((site.languages.iter()).map(|code| if code.is_empty() { "others" } else { code }));
    row("language", &languages.collect::<Vec<_>>().join(", "));
    row(
        "server",
        &format!("{} {}", site.server_name, site.server_version),
    );
    row(
        "feedback",
        if site.feedback { "taken" } else { "not taken" },
    );
    if let Some(full) = artifact.full()? {
        let more = full
            .pages()
            .count()
            .saturating_sub(artifact.pages().count());
        row(
            "private",
            &format!(
                "{} more in the full view: --private",
                counted(more as usize, "page")
            ),
        );
    }
    if site.token_demanded || !site.token_sha256.is_empty() {
        let known = counted(site.token_sha256.len(), "token");
        row(
            "tokens",
            &match site.token_demanded {
                true => format!("{known} known, one demanded for everything"),
                false => format!("{known} known"),
            },
        );
    }
    let limits = [
        (site.markdown_chars, "character of a page"),
        (site.answer_bytes, "byte an answer"),
        (site.request_bytes, "byte a request"),
    ];
    let limits = limits.map(|(number, what)| plural(number as usize, what));
    row("limits", &limits.join(", "));
    let kinds = |wanted| {
        let pages = 0..artifact.pages().count();
        pages
            .filter(|page| artifact.pages().kind(*page) == Some(wanted))
            .count()
    };
    row(
        "pages",
        &format!(
            "{}: {}, {}, {}",
            grouped(artifact.pages().count() as usize),
            counted(kinds(PageKind::Document), "document"),
            counted(kinds(PageKind::Page), "other page"),
            counted(kinds(PageKind::Index), "list"),
        ),
    );
    row("terms", &grouped(artifact.index().len()));
    row("tags", &grouped(artifact.tags().count() as usize));
    let links: usize = (0..artifact.pages().count())
        .map(|page| artifact.links().cites(page).count())
        .sum();
    row("links", &grouped(links));
    for collection in artifact.collections() {
        let route = artifact.pages().route(collection.archive);
        row(
            "collection",
            &format!(
                "{}: {}{} at {}",
                collection.name,
                counted(collection.documents as usize, "document"),
                if collection.posts { ", posts," } else { "" },
                route.unwrap_or_default()
            ),
        );
    }
    let sections = Sections::of(artifact, length)?;
    let _ = write!(out, "\n{}", sections.table());
    Ok(out)
}

/// `1 byte an answer`, `2 bytes an answer`.
fn plural(number: usize, what: &str) -> String {
    let (noun, rest) = what.split_once(' ').unwrap_or((what, ""));
    format!("{} {rest}", counted(number, noun))
}

fn page(artifact: &Artifact, asked: &str) -> Result<String, Problem> {
    let site = artifact.site();
    let address = Address::parse(site.url, site.trailing_slash)
        .map_err(|_| Problem::Damaged(Error::Damaged(artifact::format::Section::Site)))?;
    let pages = artifact.pages();
    let found = as_asked(asked, &address)
        .routes
        .iter()
        .find_map(|route| pages.find(route));
    let Some(page) = found else {
        let routes: Vec<String> = pages.routes().collect();
        let near = nearest(asked, routes.iter().map(String::as_str), 3);
        return Err(not_there(
            &format!("no page at `{}`", one_line(asked)),
            &near,
        ));
    };
    let frame = artifact.frames().get(page)?;
    let mut out = String::new();
    let route = pages.route(page).unwrap_or_default();
    let kind = pages.kind(page).map_or("?", PageKind::name);
    let _ = writeln!(out, "{}\n{kind} {page}", one_line(&route));
    let _ = writeln!(
        out,
        "frame {} packed, {} of markdown\n\nrow",
        counted(
            artifact.frames().packed(page).map_or(0, <[u8]>::len),
            "byte"
        ),
        counted(frame.markdown().len(), "byte"),
    );
    for line in pretty(frame.row()).lines() {
        let _ = writeln!(out, "  {line}");
    }
    headings(&mut out, &frame);
    let tags = artifact.tags().of_page(page);
    let tags: Vec<String> = tags
        .filter_map(|tag| artifact.tags().get(tag))
        .map(|tag| format!("{} ({})", tag.slug, counted(tag.count as usize, "page")))
        .collect();
    list(&mut out, "tags", &tags);
    let routes = |pages: &mut dyn Iterator<Item = PageId>| -> Vec<String> {
        pages
            .filter_map(|page| artifact.pages().route(page))
            .collect()
    };
    list(
        &mut out,
        "cites",
        &routes(&mut artifact.links().cites(page)),
    );
    list(
        &mut out,
        "cited by",
        &routes(&mut artifact.links().cited_by(page)),
    );
    let _ = writeln!(out, "\nmarkdown");
    let mut lines = frame.markdown().lines();
    for line in lines.by_ref().take(LINES) {
        let text = line.trim_start();
        let _ = writeln!(
            out,
            "  | {}{}",
            " ".repeat(line.len() - text.len()),
            one_line(text)
        );
    }
    let more = lines.count();
    if more > 0 {
        let _ = writeln!(out, "  … {}", counted(more, "more line"));
    }
    Ok(out)
}

fn headings(out: &mut String, frame: &Frame) {
    let headings: Vec<String> = frame
        .headings()
        .iter()
        .map(|heading| {
            let level = usize::from(heading.level).clamp(1, 6);
            format!("{} {} #{}", "#".repeat(level), heading.text, heading.anchor)
        })
        .collect();
    list(out, "headings", &headings);
}

/// A named list, cut when it is long, left out when it is empty.
fn list(out: &mut String, name: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{name} ({})", grouped(items.len()));
    for item in items.iter().take(MOST) {
        let _ = writeln!(out, "  {}", one_line(item));
    }
    if items.len() > MOST {
        let _ = writeln!(out, "  … {} more", grouped(items.len() - MOST));
    }
}

fn term(artifact: &Artifact, asked: &str) -> Result<String, Problem> {
    let query = Query::read(&artifact.site().analyzers(), asked);
    let mut terms: Vec<&String> = Vec::new();
    for word in &query.words {
        for term in word.wholes.iter().chain(word.parts.iter().flatten()) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    let asked = one_line(asked);
    if terms.is_empty() {
        return Err(not_there(
            &format!("`{asked}` holds no word that could be looked up"),
            &[],
        ));
    }
    let mut out = format!("{asked} is looked up as\n");
    let mut found = false;
    for term in terms {
        let shown = match Language::of_term(term) {
            Some(language) => format!("{} ({})", one_line(unmarked(term)), language.code()),
            None => one_line(term).into_owned(),
        };
        let list = artifact
            .index()
            .term(term)
            .and_then(|term| artifact.index().list(term));
        let Some(list) = list else {
            let _ = writeln!(out, "  {shown:<24}in no document");
            continue;
        };
        found = true;
        let documents = artifact.index().documents();
        let _ = writeln!(
            out,
            "  {shown:<24}in {} of {}, idf {}",
            grouped(list.len() as usize),
            counted(documents as usize, "document"),
            idf(documents, list.len()),
        );
        let mut postings: Vec<(u8, u32)> = Vec::new();
        list.for_each(|document, impact| postings.push((impact, document)));
        postings.sort_by_key(|(impact, document)| (std::cmp::Reverse(*impact), *document));
        let more = postings.len().saturating_sub(MOST);
        postings.truncate(MOST);
        let mut fields: Vec<(u32, Fields)> = Vec::new();
        list.for_each_outside_body(|document, fields_there| fields.push((document, fields_there)));
        let _ = writeln!(out, "    impact  document");
        for (impact, document) in postings {
            let at = fields.binary_search_by_key(&document, |(document, _)| *document);
            let fields = at.map_or(Fields::BODY, |at| fields[at].1);
            let route = artifact.pages().route(document).unwrap_or_default();
            let _ = writeln!(
                out,
                "    {impact:>6}  {}  ({})",
                one_line(&route),
                names(fields)
            );
        }
        if more > 0 {
            let _ = writeln!(out, "            … {} more", grouped(more));
        }
    }
    if found {
        Ok(out)
    } else {
        Err(not_there(&format!("no document holds `{asked}`"), &[]))
    }
}

/// How a search reads a text and what ranks its best documents.
#[cfg(feature = "serve")]
fn search(artifact: &Artifact, text: &str) -> Result<String, Problem> {
    use runtime::search::{ExplainedTerm, Question, Searcher};
    let question = Question {
        text: Some((text, Fields::ALL)),
        collection: None,
        tag: None,
        limit: 10,
    };
    let told = Searcher::new(artifact).explain(artifact, &question)?;
    let documents = artifact.index().documents() as usize;
    let mut out = String::new();
    for word in &told.words {
        let mut line = |first: &str, term: &ExplainedTerm, remark: &str| {
            let _ = writeln!(
                out,
                "{first:<20}{:<24}in {} of {}, weight {}{remark}",
                one_line(unmarked(&term.term)),
                grouped(term.documents as usize),
                counted(documents, "document"),
                term.weight,
            );
        };
        let written = one_line(&word.written).into_owned();
        for (place, term) in word.terms.iter().enumerate() {
            line(if place == 0 { &written } else { "" }, term, "");
        }
        for term in &word.related {
            line("", term, ", related");
        }
        if word.terms.is_empty() {
            let _ = writeln!(out, "{written:<20}in no document");
        }
    }
    if !told.left_out.is_empty() {
        let _ = writeln!(
            out,
            "left out            {}",
            one_line(&told.left_out.join(" "))
        );
    }
    if told.documents.is_empty() {
        return Err(not_there(
            &format!("no document is found by `{}`", one_line(text)),
            &[],
        ));
    }
    let _ = writeln!(
        out,
        "\n{} found; the best of them:\n{:>10} {:>10}  line  exact  document",
        counted(told.matched as usize, "document"),
        "score",
        "words"
    );
    for document in told.documents {
        let exact = match document.exact {
            0 => "",
            1 => "alias",
            _ => "title",
        };
        let route = artifact
            .pages()
            .route(document.document)
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "{:>10} {:>10}  {:.2}  {exact:<5}  {}",
            grouped(document.score as usize),
            grouped(document.words as usize),
            document.line,
            one_line(&route),
        );
    }
    Ok(out)
}

fn names(fields: Fields) -> String {
    let all = [
        (Fields::TITLE, "title"),
        (Fields::DESCRIPTION, "description"),
        (Fields::ALIASES, "aliases"),
        (Fields::TAGS, "tags"),
        (Fields::BODY, "body"),
    ];
    let named: Vec<&str> = all
        .into_iter()
        .filter(|(field, _)| fields.meets(*field))
        .map(|(_, name)| name)
        .collect();
    named.join(", ")
}

fn tool(artifact: &Artifact, asked: &str) -> Result<String, Problem> {
    let damaged = || Problem::Damaged(Error::Damaged(artifact::format::Section::Prepared));
    let prepared = artifact.prepared(Prepared::Tools)?;
    // The first list is the one with every tool.
    let all = prepared.items().next().ok_or_else(damaged)?;
    let tools: Vec<&RawValue> = serde_json::from_str(all).map_err(|_| damaged())?;
    let mut named = Vec::with_capacity(tools.len());
    for tool in tools {
        let fields: Value = serde_json::from_str(tool.get()).map_err(|_| damaged())?;
        let name = fields["name"].as_str().unwrap_or_default().to_owned();
        named.push((name, tool.get()));
    }
    if let Some((_, definition)) = named.iter().find(|(name, _)| name == asked) {
        return Ok(pretty(definition));
    }
    let names = named.iter().map(|(name, _)| name.as_str());
    let near = nearest(asked, names.clone(), 3);
    let what = format!("no tool is named `{}`", one_line(asked));
    if near.is_empty() {
        let names: Vec<&str> = names.collect();
        let names = one_line(&names.join(", ")).into_owned();
        return Err(Problem::NotThere(format!(
            "{what}\n  help: there are {names}"
        )));
    }
    Err(not_there(&what, &near))
}

/// Compact JSON on lines of its own, its keys in their order, a list of plain values on one line.
fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
    let mut plain_list = false;
    for (at, c) in json.char_indices() {
        if in_text {
            out.push(c);
            in_text = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        let rest = &json[at + 1..];
        let line = |depth: usize| format!("\n{}", "  ".repeat(depth));
        match c {
            '[' if is_plain(rest) => {
                plain_list = true;
                out.push(c);
            }
            '{' | '[' if rest.starts_with(['}', ']']) => out.push(c),
            '{' | '[' => {
                depth += 1;
                out.push(c);
                out.push_str(&line(depth));
            }
            ']' if plain_list => {
                plain_list = false;
                out.push(c);
            }
            '}' | ']' if out.ends_with(['{', '[']) => out.push(c),
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                out.push_str(&line(depth));
                out.push(c);
            }
            ',' if plain_list => out.push_str(", "),
            ',' => {
                out.push(c);
                out.push_str(&line(depth));
            }
            ':' => out.push_str(": "),
            '"' => {
                in_text = true;
                out.push(c);
            }
            c => out.push(c),
        }
    }
    let mut clean = String::with_capacity(out.len());
    for line in out.lines() {
        let text = line.trim_start();
        let indent = " ".repeat(line.len() - text.len());
        let _ = writeln!(clean, "{indent}{}", one_line(text));
    }
    clean
}

/// Whether a list, of which `rest` is what follows its bracket, holds nothing but plain values.
fn is_plain(rest: &str) -> bool {
    let (mut in_text, mut escaped) = (false, false);
    for c in rest.chars() {
        match c {
            '"' if !escaped => in_text = !in_text,
            '{' | '[' if !in_text => return false,
            ']' if !in_text => return true,
            _ => {}
        }
        escaped = in_text && !escaped && c == '\\';
    }
    false
}

/// What is not there, and what is near.
fn not_there(what: &str, near: &[&str]) -> Problem {
    let near: Vec<String> = near
        .iter()
        .map(|name| format!("`{}`", one_line(name)))
        .collect();
    Problem::NotThere(match near.as_slice() {
        [] => what.to_owned(),
        near => format!("{what}\n  help: did you mean {}?", near.join(" or ")),
    })
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn json_keeps_its_order_and_cannot_steer_a_terminal() {
        let json = "{\"b\":1,\"a\":{\"x\":[\"[y\",\"\\\\\\\"{z\"],\"e\":{},\"l\":[]},\"c\":[{\"t\":\"\u{9B}2J\u{202E}\"}]}";
        assert_eq!(
            pretty(json),
            "{\n  \"b\": 1,\n  \"a\": {\n    \"x\": [\"[y\", \"\\\\\\\"{z\"],\n    \"e\": {},\n    \"l\": []\n  },\n  \
             \"c\": [\n    {\n      \"t\": \" 2J\"\n    }\n  ]\n}\n"
        );
    }
}
