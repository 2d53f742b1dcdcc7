//! The tools that are made from a collection: four that read, and four that write.
//!
//! A collection of demos with the fields `level` and `minutes` has `list_demos`, `get_demos`, `count_demos` and `search_demos`. The tools that write
//! (`create_demos` and so on) are described for other servers, and served nowhere here.

use std::borrow::Cow;

use super::origin::{Operation, Origin};
use super::output::{count, list, notes, row};
use super::schema::{Field, Kind};
use super::surface::{CollectionSurface, CollectionTools};
use super::words::{LIMITS, TEXT_CHARS, grouped, joined, json};
use super::{Definition, Example, Tool};
use crate::clean::one_line;

/// How many documents an answer has when nobody says.
pub(super) const LIMIT: i64 = 20;
/// How many documents an answer has at most.
const MOST: i64 = 100;
/// Characters of a document's text in a call that writes it.
const BODY_CHARS: usize = 100_000;

/// The tools that a collection asks for, in the order of [`Operation::READ`].
pub fn collection_tools(collection: &CollectionSurface) -> Vec<Definition> {
    let made = |tools: &CollectionTools| {
        let entry = |operation| entry(operation, collection, tools);
        Operation::READ.map(entry).into_iter().collect()
    };
    collection.tools.as_ref().map(made).unwrap_or_default()
}

/// The tools that would write to a collection, in the order of [`Operation::WRITE`]: data for other servers.
pub fn write_tools(collection: &CollectionSurface) -> Vec<Definition> {
    let made = |tools: &CollectionTools| {
        let entry = |operation| write_entry(operation, collection, tools);
        Operation::WRITE.map(entry).into_iter().collect()
    };
    collection.tools.as_ref().map(made).unwrap_or_default()
}

/// The arguments of an operation that reads. `id` is a slug to show.
pub fn arguments_of(operation: Operation, id: Option<&str>) -> Vec<Field> {
    let limit = Field::optional(
        "limit",
        Kind::Integer {
            min: 1,
            max: Some(MOST),
            default: Some(LIMIT),
        },
        "How many documents to return (default 20, from 1 to 100).",
    )
    .or(LIMITS);
    match operation {
        Operation::List => vec![
            limit,
            Field::optional(
                "offset",
                Kind::Integer {
                    min: 0,
                    max: None,
                    default: Some(0),
                },
                "How many documents to leave out before the first (default 0, at least 0).",
            )
            .or(&["skip", "start", "from", "cursor", "page"]),
        ],
        Operation::Get => vec![id_field(id)],
        Operation::Search => vec![
            Field::required(
                "query",
                Kind::Text {
                    max_chars: TEXT_CHARS,
                },
                "Words or a question in plain language (1 to 1,000 characters).",
            )
            .or(&["match", "q", "text", "words", "search"]),
            limit,
        ],
        _ => Vec::new(),
    }
}

fn id_field(id: Option<&str>) -> Field {
    let such_as = id
        .map(|id| format!(", such as {}", one_line(id)))
        .unwrap_or_default();
    Field::required(
        "id",
        Kind::Text {
            max_chars: TEXT_CHARS,
        },
        format!("The document's slug{such_as}, or its route (1 to 1,000 characters)."),
    )
    .or(&["slug", "name", "route", "path", "url"])
}

/// A document of the collection in an answer: its row, and the fields that the collection declares.
fn document(tools: &CollectionTools) -> Vec<Field> {
    let mut fields = row();
    if !tools.fields.is_empty() {
        let own = Kind::Object(tools.fields.clone());
        fields.push(Field::optional("front_matter", own, ""));
    }
    fields
}

/// How a text names the collection.
fn named(collection: &CollectionSurface) -> Cow<'_, str> {
    let title = one_line(&collection.title);
    match title.is_empty() {
        true => one_line(&collection.name),
        false => title,
    }
}

fn entry(
    operation: Operation,
    collection: &CollectionSurface,
    tools: &CollectionTools,
) -> Definition {
    let of = |operation: Operation| operation.tool_name(&tools.slug);
    let (list_tool, get_tool, search_tool) = (
        of(Operation::List),
        of(Operation::Get),
        of(Operation::Search),
    );
    let name = named(collection);
    let facts = match fields_named(&tools.fields) {
        None => String::new(),
        Some(fields) => format!(" front_matter has {fields}."),
    };
    let see = |operation: Operation, why: &'static str| (of(operation).into(), why.into());
    let see_tool = |tool: Tool, why: &'static str| (tool.name().into(), why.into());
    let example = |what: &str, arguments: String| Example {
        what: what.to_owned(),
        arguments,
    };
    let documents = || list("docs", Kind::Object(document(tools)));
    let id = tools.id.as_deref();
    let (title, summary, description, output, examples, notes, see_also) = match operation {
        Operation::List => (
            format!("List {name}"),
            format!("List the documents of {name}, newest first."),
            format!(
                "Goes through {name}{about} from the newest document to the oldest, some at a time: call again with nextOffset while there is one.\
                 {facts} To find some by words, use {search_tool}.",
                about = about(collection),
            ),
            vec![
                documents(),
                Field::optional(
                    "nextOffset",
                    Kind::Integer { min: 0, max: None, default: None },
                    "Only when there are more.",
                ),
                notes(),
            ],
            vec![
                example("The newest three", r#"{"limit":3}"#.into()),
                example("The first part of all", "{}".into()),
            ],
            vec!["Documents without a date come last, by route.".into()],
            vec![
                see(Operation::Get, "has one document"),
                see(Operation::Search, "finds documents by words"),
                see(Operation::Count, "tells how many there are"),
                see_tool(Tool::GetPageMarkdown, "reads a document"),
            ],
        ),
        Operation::Get => (
            format!("Get one of {name}"),
            format!("Look up one document of {name} by its slug."),
            format!(
                "Looks up one known document of {name}: title, dates, tags and addresses.{facts} It does not have the text, which \
                 get_page_markdown reads by route. When the slug is not known, use {search_tool} or {list_tool}."
            ),
            vec![Field::required("doc", Kind::Object(document(tools)), "")],
            id.map(|id| example("One document", format!(r#"{{"id":{}}}"#, json(id))))
                .into_iter()
                .collect(),
            vec!["A slug that several documents share is refused with their routes; the route is then the id.".into()],
            vec![
                see(Operation::List, "has the slugs"),
                see(Operation::Search, "finds documents by words"),
                see_tool(Tool::GetPageMarkdown, "reads the document"),
            ],
        ),
        Operation::Count => (
            format!("Count {name}"),
            format!("Count the documents of {name}."),
            format!(
                "Tells how many documents {name} holds and nothing else. {list_tool} has the documents; list_collections counts all collections \
                 at once."
            ),
            vec![count("count", "")],
            vec![example("How many there are", "{}".into())],
            vec!["Only what is published counts.".into()],
            vec![
                see(Operation::List, "lists the documents"),
                see_tool(Tool::ListCollections, "counts every collection"),
            ],
        ),
        _ => (
            format!("Search {name}"),
            format!("Find documents of {name}, best first."),
            format!(
                "Finds documents of {name} by words.{facts} The words are read as in search_content, which looks in all collections at once and \
                 shows where the words stand. For a known slug use {get_tool}."
            ),
            vec![documents(), notes()],
            tools
                .word
                .iter()
                .map(|word| example("A word", format!(r#"{{"query":{}}}"#, json(word))))
                .collect(),
            vec!["Signs such as + # - : are part of the words, and words in quotes belong together. A misspelt word is corrected, and notes say so.".into()],
            vec![
                see_tool(Tool::SearchContent, "searches all collections"),
                see(Operation::List, "goes through all documents"),
                see_tool(Tool::GetPageMarkdown, "reads a document"),
            ],
        ),
    };
    Definition {
        origin: origin(operation, collection, tools),
        title: title.into(),
        summary,
        description,
        category: category(collection),
        arguments: arguments_of(operation, id),
        output: Some(output),
        examples,
        notes,
        see_also,
    }
}

/// `: Posts about shelves,`: what the collection says about itself, within a sentence.
fn about(collection: &CollectionSurface) -> String {
    let description = collection.description.as_deref().map(one_line);
    match description
        .as_deref()
        .map(|text| text.trim_end_matches('.'))
    {
        Some(text) if !text.is_empty() => format!(" ({text})"),
        _ => String::new(),
    }
}

/// `level, minutes and stage`; none when there are none.
fn fields_named(fields: &[Field]) -> Option<String> {
    let names = fields
        .iter()
        .map(|field| one_line(&field.name).into_owned());
    (!fields.is_empty()).then(|| joined(names.collect()))
}

fn origin(operation: Operation, collection: &CollectionSurface, tools: &CollectionTools) -> Origin {
    Origin::Collection {
        collection: collection.name.clone(),
        operation,
        slug: tools.slug.clone(),
    }
}

fn category(collection: &CollectionSurface) -> Cow<'static, str> {
    format!("Collection {}", named(collection)).into()
}

fn write_entry(
    operation: Operation,
    collection: &CollectionSurface,
    tools: &CollectionTools,
) -> Definition {
    let of = |operation: Operation| operation.tool_name(&tools.slug);
    let name = named(collection);
    let text = |name: &'static str, max_chars: usize, description: String| {
        Field::required(name, Kind::Text { max_chars }, description)
    };
    let body = |name| {
        let bound = grouped(BODY_CHARS);
        text(
            name,
            BODY_CHARS,
            format!("Its text as markdown (1 to {bound} characters)."),
        )
    };
    let see = |operation: Operation, why: &'static str| (of(operation).into(), why.into());
    let (title, summary, description, arguments, see_also) = match operation {
        Operation::Create => (
            format!("Create one of {name}"),
            format!("Create a document in {name}, as a draft."),
            format!(
                "Writes a new document into {name}{} and keeps it back from readers until {} is called. To change one that exists, use {}.",
                about(collection),
                of(Operation::Publish),
                of(Operation::UpdateField)
            ),
            create_arguments(tools, body("body")),
            vec![
                see(Operation::Publish, "shows it to readers"),
                see(Operation::UpdateField, "changes a field afterwards"),
            ],
        ),
        Operation::UpdateField => {
            let fields = own_fields(tools);
            let options = fields.iter().map(|field| field.name.to_string()).collect();
            (
                format!("Change a field in {name}"),
                format!("Change one field of a document of {name}."),
                format!(
                    "Replaces what a document of {name} says in its front matter under one name, and leaves its text alone; {} adds text.",
                    of(Operation::AddSection)
                ),
                vec![
                    id_field(tools.id.as_deref()),
                    Field::required(
                        "field",
                        Kind::Choice { options, default: None },
                        "Which field to change.",
                    ),
                    text(
                        "value",
                        TEXT_CHARS,
                        "The new value (1 to 1,000 characters): a text as it is, a number or true and false as in JSON, a list as a JSON array.".into(),
                    ),
                ],
                vec![
                    see(Operation::Get, "shows the values there are"),
                    see(Operation::AddSection, "adds text"),
                ],
            )
        }
        Operation::AddSection => (
            format!("Add a section in {name}"),
            format!("Add a section at the end of a document of {name}."),
            format!(
                "Appends a heading with text to a document of {name}; nothing that is there is changed. For a whole new document, use {}.",
                of(Operation::Create)
            ),
            vec![
                id_field(tools.id.as_deref()),
                text(
                    "heading",
                    TEXT_CHARS,
                    "The section's heading on one line (1 to 1,000 characters).".into(),
                ),
                body("text"),
            ],
            vec![
                see(Operation::UpdateField, "changes a field"),
                see(Operation::Create, "begins a new document"),
            ],
        ),
        _ => (
            format!("Publish one of {name}"),
            format!("Show a document of {name} to readers."),
            format!(
                "Makes a draft of {name} public; one that is public already stays so. Drafts are made with {}.",
                of(Operation::Create)
            ),
            vec![id_field(tools.id.as_deref())],
            vec![see(Operation::Create, "makes a draft")],
        ),
    };
    Definition {
        origin: origin(operation, collection, tools),
        title: title.into(),
        summary,
        description,
        category: category(collection),
        arguments,
        output: None,
        examples: Vec::new(),
        notes: Vec::new(),
        see_also,
    }
}

/// What a call can say about a document beside its slug and its text: what every document has, and what the collection declares.
fn own_fields(tools: &CollectionTools) -> Vec<Field> {
    let text = |name: &'static str, description: &str| {
        Field::optional(
            name,
            Kind::Text {
                max_chars: TEXT_CHARS,
            },
            description,
        )
    };
    let tags = Kind::List(Box::new(Kind::Text {
        max_chars: TEXT_CHARS,
    }));
    let usual = [
        Field {
            required: true,
            ..text("title", "The document's title (1 to 1,000 characters).")
        },
        text(
            "description",
            "One sentence about the document (default none, at most 1,000 characters).",
        ),
        text(
            "date",
            "Its date as YYYY-MM-DD (default none, at most 1,000 characters).",
        ),
        Field::optional("tags", tags, "Its tags (default none)."),
    ];
    let declared = |name: &str| tools.fields.iter().any(|field| field.name == name);
    let usual = usual.into_iter().filter(|field| !declared(&field.name));
    let own = tools.fields.iter().map(|field| Field {
        description: with_default(&field.description),
        ..field.clone()
    });
    usual.chain(own).collect()
}

/// A field that may be left out says what then holds.
fn with_default(description: &str) -> String {
    match description {
        "" => "(default none)".to_owned(),
        text => format!("{} (default none).", text.trim_end_matches('.')),
    }
}

fn create_arguments(tools: &CollectionTools, body: Field) -> Vec<Field> {
    let slug = Field::required(
        "slug",
        Kind::Text {
            max_chars: TEXT_CHARS,
        },
        "The last segment of its route (1 to 1,000 characters).",
    );
    let mut arguments = vec![slug];
    let taken = |field: &Field| matches!(&*field.name, "slug" | "body");
    arguments.extend(own_fields(tools).into_iter().filter(|field| !taken(field)));
    arguments.push(body);
    arguments
}
