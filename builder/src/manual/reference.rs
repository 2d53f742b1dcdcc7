//! The pages about the site: what it holds, how it is searched, how its pages are addressed, how to reach its author.

use std::borrow::Cow;

use artifact::catalogue::{
    CollectionSurface, Definition, Example, Operation, SiteSurface, Tool, grouped,
};
use artifact::clean::one_line;
use artifact::format::PageKind;
use artifact::route::anchored;
use artifact::text::Language;

use super::page::{Draft, kind};
use super::{REFERENCE_CATEGORY, Topic};
use crate::assemble::{Assembly, NumberedCollection};

/// The names of these pages; no page of a site's own can have one.
pub(crate) const NAMES: [&str; 4] = ["feedback", "routes", "search", "site"];
/// Tags, pages and topics that a page names.
const NAMED: usize = 12;

/// What a page of the manual points to.
type Neighbours = Vec<(Cow<'static, str>, Cow<'static, str>)>;

/// The pages that a site has.
pub(super) fn topics(
    assembly: &Assembly,
    surface: &SiteSurface,
    tools: &[Definition],
) -> Vec<Topic> {
    let topic = |name: &str, summary: &str, text: String| Topic {
        name: name.to_owned(),
        summary: summary.to_owned(),
        category: REFERENCE_CATEGORY.to_owned(),
        text,
    };
    let mut topics = vec![
        topic("routes", ROUTES, routes(assembly, surface)),
        topic("search", SEARCH, search(assembly, surface, tools)),
        topic("site", SITE, site(assembly, surface)),
    ];
    if surface.feedback {
        topics.push(topic("feedback", FEEDBACK, feedback(tools)));
    }
    topics
}

const ROUTES: &str = "How pages are addressed.";
const SEARCH: &str = "How a search reads words and orders what it finds.";
const SITE: &str = "What this site holds.";
const FEEDBACK: &str = "How a message to the author is sent and kept.";

fn example(what: &str, arguments: String) -> Example {
    Example {
        what: what.to_owned(),
        arguments,
    }
}

fn see(tools: &[(&'static str, &'static str)]) -> Neighbours {
    tools
        .iter()
        .map(|(name, why)| ((*name).into(), (*why).into()))
        .collect()
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn site(assembly: &Assembly, surface: &SiteSurface) -> String {
    let mut page = Draft::new("site", SITE);
    page.section("DESCRIPTION");
    let settings = &assembly.site.settings;
    let mut about = one_line(&surface.title).into_owned();
    if let Some(description) = &surface.description {
        about.push_str(&format!(
            ": {}",
            one_line(description).trim_end_matches('.')
        ));
    }
    page.line(1, &format!("{about}."));
    let language = Language::of(&settings.site.language);
    let others: Vec<&str> = assembly.languages[1..]
        .iter()
        .map(|language| language.code())
        .filter(|code| !code.is_empty())
        .collect();
    let mut languages = match language.code() {
        "" => settings.site.language.as_str(),
        code => code,
    }
    .to_owned();
    if !others.is_empty() {
        languages.push_str(&format!(" and {}", others.join(", ")));
    }
    let documents = assembly.documents as usize;
    page.line(
        1,
        &format!(
            "It stands at {}, is written in {languages}, and has {} pages: {} documents in {} collections, and {} other pages.",
            settings.address.url("/"),
            grouped(assembly.pages.len()),
            grouped(documents),
            assembly.collections.len(),
            grouped(assembly.pages.len() - documents)
        ),
    );
    if !assembly.collections.is_empty() {
        page.section("COLLECTIONS");
        let both = assembly.collections.iter().zip(&surface.collections);
        both.for_each(|(numbered, collection)| describe(&mut page, assembly, numbered, collection));
    }
    tags(&mut page, assembly);
    let own: Vec<&str> = assembly.pages[documents..]
        .iter()
        .filter(|page| page.kind == PageKind::Page)
        .map(|page| page.route.as_str())
        .collect();
    if !own.is_empty() {
        page.section("OTHER PAGES");
        let named = &own[..own.len().min(NAMED)];
        let more = match own.len() - named.len() {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        page.line(
            1,
            &format!("{}{more}; list_pages has all.", named.join(", ")),
        );
    }
    let calls = [
        ("list_collections", example("The collections", "{}".into())),
        (
            "list_pages",
            example("The pages that no collection holds", "{}".into()),
        ),
    ];
    page.examples(calls.iter().map(|(tool, example)| (*tool, example)));
    page.see_also(&see(&[
        ("search", "how to find documents by words"),
        ("routes", "how pages are addressed"),
        ("list_tags", "lists the subjects"),
    ]));
    page.end()
}

fn describe(
    page: &mut Draft,
    assembly: &Assembly,
    numbered: &NumberedCollection,
    collection: &CollectionSurface,
) {
    let mut line = collection.name.clone();
    if collection.title != collection.name {
        line.push_str(&format!(" ({})", one_line(&collection.title)));
    }
    let archive = &assembly.pages[numbered.archive as usize].route;
    line.push_str(&format!(
        ", {} documents{}, listed at {archive}",
        grouped(numbered.documents as usize),
        if collection.posts {
            " that are posts"
        } else {
            ""
        }
    ));
    if let Some(description) = &collection.description {
        line.push_str(&format!(
            ". {}",
            one_line(description).trim_end_matches('.')
        ));
    }
    page.line(1, &format!("{line}."));
    let range = numbered.first as usize..(numbered.first + numbered.documents) as usize;
    let mut dates: Vec<&str> = assembly.pages[range]
        .iter()
        .filter_map(|page| page.written()?.date.as_deref())
        .collect();
    dates.sort_unstable();
    if let (Some(first), Some(last)) = (dates.first(), dates.last()) {
        page.line(2, &format!("Dates from {first} to {last}."));
    }
    let Some(tools) = &collection.tools else {
        return;
    };
    for field in &tools.fields {
        let meaning = match &*field.description {
            "" => String::new(),
            text => format!(": {text}"),
        };
        page.line(
            2,
            &format!(
                "front_matter.{} ({}){meaning}",
                field.name,
                kind(&field.kind)
            ),
        );
    }
    let names = Operation::READ.map(|operation| operation.tool_name(&tools.slug));
    page.line(2, &format!("Tools of its own: {}.", names.join(", ")));
}

fn tags(page: &mut Draft, assembly: &Assembly) {
    if assembly.site.tags.is_empty() {
        return;
    }
    let mut counts: Vec<(usize, &str)> = assembly
        .site
        .tags
        .iter()
        .map(|tag| (0, tag.slug.as_str()))
        .collect();
    for page in &assembly.pages[..assembly.documents as usize] {
        page.tags().iter().for_each(|tag| counts[*tag].0 += 1);
    }
    // The sort is stable: among equals the first by slug stays first.
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let named: Vec<String> = counts
        .iter()
        .take(NAMED)
        .filter(|(count, _)| *count > 0)
        .map(|(count, slug)| format!("{slug} ({count})"))
        .collect();
    page.section("TAGS");
    page.line(
        1,
        &format!(
            "{} in all, most used first: {}{} list_tags has all.",
            grouped(counts.len()),
            named.join(", "),
            if counts.len() > NAMED {
                " and more;"
            } else {
                ";"
            }
        ),
    );
}

fn search(assembly: &Assembly, surface: &SiteSurface, tools: &[Definition]) -> String {
    let mut page = Draft::new("search", SEARCH);
    if surface.collections.is_empty() {
        page.section("DESCRIPTION");
        page.line(
            1,
            "This site keeps no documents in collections, so a search finds nothing. list_pages has every page.",
        );
        page.see_also(&see(&[("list_pages", "lists the pages")]));
        return page.end();
    }
    let parts = |text: &[&str]| {
        text.iter()
            .map(|part| (*part).to_owned())
            .collect::<Vec<_>>()
    };
    page.paragraphs(
        "WORDS",
        &parts(&[
            "A document is found when it holds at least one word of the text. Words are compared by their stems and without accents or letter case: \
             \"caching\" finds \"cached\". Words such as \"how\", \"the\" and \"in\" count only when nothing else is left.",
            "There is no query syntax. C++, .NET, --flag, foo_bar and title:x are words like any other; OR and - mean nothing.",
            "Words in quotes are words that prefer to stand together. Documents in which they do come first; the others are still found.",
            "A word that no document holds is corrected by a letter or two, completed, or taken apart (fooBar as foo and bar). notes says so.",
        ]),
    );
    let settings = &assembly.site.settings.search;
    if settings.language_synonyms && assembly.languages[0].code() == "en"
        || !settings.synonyms.is_empty()
    {
        page.line(0, "");
        page.line(
            1,
            "Documents that use another word for the same thing rank a little higher when they are found anyway.",
        );
    }
    page.paragraphs(
        "ORDER",
        &parts(&[
            "Documents that hold more of the words, and rarer ones, come first; a title or heading that says what was asked counts most. A title that is \
             exactly the text comes first of all.",
            "Without match, documents come by date, newest first, then by route.",
        ]),
    );
    page.section("FIELDS");
    page.line(
        1,
        "match.in looks in one part only: title, body, description, aliases (other names of the thing), tags. In an answer, fields tells where the \
         words stood, and section is the heading that fits best, with a route that get_page_markdown reads alone.",
    );
    let of_search = tools
        .iter()
        .find(|tool| tool.name() == Tool::SearchContent.name());
    let examples = of_search
        .map(|tool| tool.examples.as_slice())
        .unwrap_or_default();
    page.examples(
        examples
            .iter()
            .map(|example| (Tool::SearchContent.name(), example)),
    );
    let mut others = see(&[
        ("search_content", "searches documents"),
        ("list_pages", "lists the pages that a search does not cover"),
    ]);
    let of_collections = surface.collections.iter().filter_map(|collection| {
        let tools = collection.tools.as_ref()?;
        let name = Operation::Search.tool_name(&tools.slug);
        let why = format!("searches {} alone", one_line(&collection.title));
        Some((name.into(), why.into()))
    });
    others.extend(of_collections);
    page.see_also(&others);
    page.end()
}

fn routes(assembly: &Assembly, surface: &SiteSurface) -> String {
    let mut page = Draft::new("routes", ROUTES);
    let address = &assembly.site.settings.address;
    let route = surface.examples.route.as_deref().unwrap_or("/");
    page.section("DESCRIPTION");
    page.line(
        1,
        "A route is the path of a page from the site's root; / is the front page. url is the same as an absolute address, and markdown_url is where the \
         page is published as markdown.",
    );
    page.line(1, &format!("route         {route}"));
    page.line(1, &format!("url           {}", address.url(route)));
    page.line(1, &format!("markdown_url  {}", address.markdown_url(route)));
    page.section("SPELLINGS");
    page.line(
        1,
        "One page answers to every spelling of its route: with or without a slash at its end, index.html, .html or .md; percent-encoded or not; in any letter \
         case when that is not ambiguous; as the full URL; with a query string. A page that is not there is answered with near ones.",
    );
    page.section("SECTIONS");
    page.line(
        1,
        "A route with #anchor behind it is one section for get_page_markdown: the heading and everything under it. get_page_info lists the sections of a page.",
    );
    let mut calls = vec![
        (
            "get_page_info",
            example(
                "The facts and sections of a page",
                format!(r#"{{"route":{}}}"#, json(route)),
            ),
        ),
        (
            "get_page_markdown",
            example(
                "The same page by its address",
                format!(r#"{{"route":{}}}"#, json(&address.url(route))),
            ),
        ),
    ];
    if let Some(anchor) = &surface.examples.anchor {
        let section = anchored(route, anchor);
        calls.push((
            "get_page_markdown",
            example("One section", format!(r#"{{"route":{}}}"#, json(&section))),
        ));
    }
    page.examples(calls.iter().map(|(tool, example)| (*tool, example)));
    page.see_also(&see(&[
        ("get_page_info", "has a page's sections and links"),
        ("get_page_markdown", "reads a page or a section"),
        ("site", "what there is to address"),
    ]));
    page.end()
}

fn feedback(tools: &[Definition]) -> String {
    let mut page = Draft::new("feedback", FEEDBACK);
    page.section("DESCRIPTION");
    page.line(
        1,
        "submit_feedback is the one tool that writes. It keeps a message for the author of the site, who reads it later; no reply comes back.",
    );
    page.section("KEYS");
    page.line(
        1,
        "idempotency_key is a UUID that names one message. A call whose answer was lost can be sent again unchanged: the message is kept once, and the answer \
         is already_recorded with the time of the first. Another message under the same key is refused and nothing is saved; take a new UUID.",
    );
    page.section("ANSWERS");
    page.line(1, "recorded - the message is kept.");
    page.line(1, "already_recorded - it was kept before.");
    page.line(
        1,
        "Anything else is an error that says whether something was saved and what to do next.",
    );
    let own = tools
        .iter()
        .find(|tool| tool.name() == Tool::SubmitFeedback.name());
    let examples = own.map(|tool| tool.examples.as_slice()).unwrap_or_default();
    page.examples(
        examples
            .iter()
            .map(|example| (Tool::SubmitFeedback.name(), example)),
    );
    page.see_also(&see(&[
        ("submit_feedback", "sends a message"),
        ("search_content", "makes sure that something is missing"),
    ]));
    page.end()
}
