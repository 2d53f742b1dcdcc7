//! The shapes of the answers.
//!
//! An absent fact is an absent key, so whatever a page may lack is optional here. Lists say in `notes` when they were cut.

use super::Tool;
use super::schema::{Field, Kind};
use super::surface::SiteSurface;

/// The members of a tool's structured answer; `None` for the tools that answer with a text.
pub fn output(tool: Tool, site: &SiteSurface) -> Option<Vec<Field>> {
    Some(match tool {
        Tool::ListCollections => {
            let collection = vec![
                text("name"),
                text("title"),
                maybe("description"),
                text("route"),
                text("url"),
                count("documents", ""),
            ];
            vec![list("collections", Kind::Object(collection)), notes()]
        }
        Tool::ListPages => {
            let page = vec![
                text("route"),
                text("url"),
                text("markdown_url"),
                text("title"),
                maybe("description"),
            ];
            vec![list("pages", Kind::Object(page)), notes()]
        }
        Tool::SearchContent => vec![
            count("matched", "How many documents were found in all."),
            Field {
                required: false,
                ..count("matched_all", "How many of them hold every word.")
            },
            list("results", Kind::Object(result())),
            notes(),
        ],
        Tool::GetPost => vec![Field::required("post", Kind::Object(row()), "")],
        Tool::ListTags => {
            let counts = site
                .collections
                .iter()
                .map(|collection| Field {
                    required: false,
                    ..count(&collection.name, "")
                })
                .collect();
            let tag = vec![
                text("tag"),
                text("title"),
                text("route"),
                count("documents", ""),
                Field::required("collections", Kind::Object(counts), ""),
            ];
            vec![list("tags", Kind::Object(tag)), notes()]
        }
        Tool::GetPageInfo => page_info(),
        Tool::GetPageMarkdown | Tool::Man => return None,
        Tool::SubmitFeedback => vec![
            Field::required("status", choice(&["recorded", "already_recorded"]), ""),
            text("idempotency_key"),
            Field {
                description: "When it was first recorded, in UTC.".into(),
                ..text("received_at")
            },
        ],
    })
}

/// One document in a list.
pub(super) fn row() -> Vec<Field> {
    vec![
        text("collection"),
        text("slug"),
        text("route"),
        text("url"),
        text("markdown_url"),
        text("title"),
        maybe("description"),
        maybe("date"),
        maybe("updated"),
        list("tags", TEXT),
        Field {
            required: false,
            ..list("aliases", TEXT)
        },
    ]
}

fn result() -> Vec<Field> {
    let mut fields = row();
    fields.extend([
        maybe("snippet"),
        Field::optional(
            "section",
            Kind::Object(vec![text("heading"), text("route")]),
            "The section that fits best.",
        ),
        Field {
            description: "Where the words stood.".into(),
            ..list(
                "fields",
                choice(&["title", "body", "description", "aliases", "tags"]),
            )
        },
    ]);
    fields
}

fn page_info() -> Vec<Field> {
    let link = || vec![text("route"), text("title")];
    let mut related = link();
    related.push(list("tags", TEXT));
    let section = vec![text("heading"), count("level", ""), text("route")];
    vec![
        text("route"),
        text("url"),
        text("markdown_url"),
        Field::required("kind", choice(&["document", "page", "index"]), ""),
        text("title"),
        maybe("description"),
        maybe("collection"),
        maybe("slug"),
        maybe("date"),
        maybe("updated"),
        list("tags", Kind::Object(vec![text("tag"), text("title")])),
        list("sections", Kind::Object(section)),
        count("sections_count", ""),
        list("cites", Kind::Object(link())),
        count("cites_count", ""),
        list("cited_by", Kind::Object(link())),
        count("cited_by_count", ""),
        list("related", Kind::Object(related)),
        count("related_count", ""),
        notes(),
    ]
}

/// Answers bound their texts by the size of the whole answer.
const TEXT: Kind = Kind::Text {
    max_chars: usize::MAX,
};

fn text(name: &'static str) -> Field {
    Field::required(name, TEXT, "")
}

fn maybe(name: &'static str) -> Field {
    Field::optional(name, TEXT, "")
}

pub(super) fn count(name: &str, description: &str) -> Field {
    Field::required(
        name.to_owned(),
        Kind::Integer {
            min: 0,
            max: None,
            default: None,
        },
        description,
    )
}

pub(super) fn list(name: &'static str, kind: Kind) -> Field {
    Field::required(name, Kind::List(Box::new(kind)), "")
}

pub(super) fn notes() -> Field {
    Field::optional(
        "notes",
        Kind::List(Box::new(TEXT)),
        "What to know about this answer.",
    )
}

fn choice(options: &[&str]) -> Kind {
    Kind::Choice {
        options: options.iter().map(|option| (*option).to_owned()).collect(),
        default: None,
    }
}
