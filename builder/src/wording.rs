//! What the texts of a site's own say that they should not, in the tools and in the manual: told by `builder check`.
//!
//! The texts are what `shelfmark.toml` says about collections and fields, and the pages in the manual's folder. A model reads them like those of the builder, so
//! the same rules hold.

use std::collections::BTreeSet;

use artifact::catalogue::wording::{faults, is_one_sentence};
use artifact::catalogue::{Call, CollectionCall, Definition, Origin, tools, write_tools};

use crate::CONFIG_FILE;
use crate::assemble::Assembly;
use crate::manual::manual;
use crate::problem::Problem;
use crate::surface::surface;

/// Characters of a page's one sentence.
const SUMMARY: usize = 160;

/// What to tell the site's author: warnings.
pub(crate) fn problems(assembly: &Assembly) -> Vec<Problem> {
    let surface = surface(assembly, true);
    let topics: Vec<String> = manual(assembly, true)
        .into_iter()
        .map(|topic| topic.name)
        .collect();
    let served = tools(&surface);
    let mut all = served.clone();
    all.extend(surface.collections.iter().flat_map(write_tools));
    let mut problems: Vec<Problem> = faults(&all, &topics)
        .into_iter()
        .map(|fault| {
            Problem::warning(
                CONFIG_FILE,
                format!("the tool `{}`: {}", fault.tool, fault.what),
            )
            .help("shorten or reword the title or description that it is made from")
        })
        .collect();
    if let Some(text) = &assembly.site.settings.server.instructions {
        let unknown = unserved(text, &served, &topics).map(|name| {
            Problem::warning(
                CONFIG_FILE,
                format!("the instructions name `{name}`, which is no tool of this site"),
            )
            .help("`builder catalogue` lists the tools")
        });
        problems.extend(unknown);
    }
    for page in &assembly.site.manual {
        if !is_one_sentence(&page.summary, SUMMARY) {
            problems.push(
                Problem::warning(
                    &page.source,
                    "what the page is about is not one short sentence",
                )
                .help("write `description: One sentence with a full stop.` at its top"),
            );
        }
        let mut see_also = false;
        for line in page.markdown.lines() {
            let text = line.trim();
            if text.starts_with('#') || text.chars().all(|c| c.is_ascii_uppercase() || c == ' ') {
                let heading = text.trim_start_matches('#').trim();
                see_also =
                    heading.eq_ignore_ascii_case("see also") || (text.is_empty() && see_also);
                continue;
            }
            if let Some(what) = wrong_call(text, &served) {
                problems.push(
                    Problem::warning(&page.source, what)
                        .help("write calls as `tool {\"argument\":\"value\"}`, as `builder catalogue` lists them"),
                );
            } else {
                let unknown = unserved(text, &served, &topics).map(|name| {
                    Problem::warning(
                        &page.source,
                        format!("the page names `{name}`, which is no tool of this site"),
                    )
                    .help("`builder catalogue` lists the tools")
                });
                problems.extend(unknown.filter(|_| !see_also));
            }
            let name = text.split(" - ").next().unwrap_or_default();
            let name = name.trim_matches(['-', '*', '`', ' ']);
            if see_also && text.contains(" - ") && !topics.iter().any(|topic| topic == name) {
                problems.push(
                    Problem::warning(
                        &page.source,
                        format!("`{name}` under SEE ALSO is no page of the manual"),
                    )
                    .help("`man` without a topic lists the pages there are"),
                );
            }
        }
    }
    problems
}

/// How the names of tools begin.
const VERBS: [&str; 5] = ["count_", "get_", "list_", "search_", "submit_"];

/// The words of a text that look like names of tools and are neither that nor a topic or an argument.
fn unserved<'t>(
    text: &'t str,
    served: &[Definition],
    topics: &[String],
) -> impl Iterator<Item = &'t str> {
    let is_known = |word: &str| {
        let is_argument = |tool: &Definition| tool.arguments.iter().any(|it| it.name == word);
        topics.iter().any(|topic| topic == word) || served.iter().any(is_argument)
    };
    let words: BTreeSet<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| VERBS.iter().any(|verb| word.starts_with(verb)) && !is_known(word))
        .collect();
    words.into_iter()
}

/// What is wrong with a line that is a call.
fn wrong_call(line: &str, served: &[Definition]) -> Option<String> {
    let (name, arguments) = line.split_once(' ')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !arguments.starts_with('{') || !arguments.ends_with('}') || !name.chars().all(is_name) {
        return None;
    }
    let Some(tool) = served.iter().find(|tool| tool.name() == name) else {
        return Some(format!(
            "the example calls `{name}`, which is no tool of this site"
        ));
    };
    let (raw, fields) = (Some(arguments), &tool.arguments);
    let refusal = match &tool.origin {
        Origin::Site(tool) => Call::read(*tool, raw, fields).err(),
        Origin::Collection { operation, .. } => {
            CollectionCall::read(*operation, name, raw, fields).err()
        }
    };
    refusal.map(|refusal| format!("the example of `{name}` would be refused: {refusal}"))
}
