//! The JSON of a page as answers show it, made once at build time.
//!
//! Keys stand in the order of the tool contract; what a page does not have is absent, never null.

use artifact::clean::one_line;
use serde::Serialize;

use crate::assemble::{Assembly, NumberedPage};
use crate::site::FieldValue;

/// A page as a list or a search shows it: a document with what its collection adds, any other page without.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<&'a str>,
    route: &'a str,
    url: String,
    markdown_url: String,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'a [String],
}

/// The head of `get_page_info`.
#[derive(Serialize)]
struct Info<'a> {
    route: &'a str,
    url: String,
    markdown_url: String,
    kind: &'static str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<&'a str>,
    tags: Vec<InfoTag<'a>>,
}

#[derive(Serialize)]
struct InfoTag<'a> {
    tag: &'a str,
    title: &'a str,
}

#[derive(Serialize)]
struct CollectionRow<'a> {
    name: &'a str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    route: &'a str,
    url: String,
    documents: u32,
}

#[derive(Serialize)]
struct TagRow<'a> {
    tag: &'a str,
    title: &'a str,
    route: &'a str,
    documents: u32,
    collections: serde_json::Map<String, serde_json::Value>,
}

/// A page as lists and searches show it.
pub fn row(assembly: &Assembly, page: &NumberedPage) -> String {
    let written = page.written();
    let is_document = page.collection.is_some();
    let address = &assembly.site.settings.address;
    json(&Row {
        collection: collection_name(assembly, page),
        slug: is_document.then(|| artifact::route::slug_of(&page.route)),
        route: &page.route,
        url: address.url(&page.route),
        markdown_url: address.markdown_url(&page.route),
        title: &page.title,
        description: page.description.as_deref(),
        date: written
            .filter(|_| is_document)
            .and_then(|page| page.date.as_deref()),
        updated: written
            .filter(|_| is_document)
            .and_then(|page| page.updated.as_deref()),
        tags: is_document.then(|| {
            page.tags()
                .iter()
                .map(|tag| assembly.site.tags[*tag].slug.as_str())
                .collect()
        }),
        aliases: written
            .filter(|_| is_document)
            .map_or(&[], |page| &page.aliases),
    })
}

/// The object of `get_page_info` up to its sections, without the closing brace.
pub fn info(assembly: &Assembly, page: &NumberedPage) -> String {
    let written = page.written();
    let address = &assembly.site.settings.address;
    let tags = page.tags().iter().map(|tag| &assembly.site.tags[*tag]);
    let mut text = json(&Info {
        route: &page.route,
        url: address.url(&page.route),
        markdown_url: address.markdown_url(&page.route),
        kind: page.kind.name(),
        title: &page.title,
        description: page.description.as_deref(),
        collection: collection_name(assembly, page),
        slug: page
            .collection
            .is_some()
            .then(|| artifact::route::slug_of(&page.route)),
        date: written.and_then(|page| page.date.as_deref()),
        updated: written.and_then(|page| page.updated.as_deref()),
        tags: tags
            .map(|tag| InfoTag {
                tag: &tag.slug,
                title: &tag.title,
            })
            .collect(),
    });
    text.pop();
    text
}

/// The items of `list_collections`.
pub fn collections(assembly: &Assembly) -> impl Iterator<Item = String> {
    let row = |collection: &crate::assemble::NumberedCollection| {
        let route = &assembly.pages[collection.archive as usize].route;
        json(&CollectionRow {
            name: &collection.settings.name,
            title: &collection.settings.title,
            description: collection.settings.description.as_deref(),
            route,
            url: assembly.site.settings.address.url(route),
            documents: collection.documents,
        })
    };
    assembly.collections.iter().map(row)
}

/// The items of `list_tags`: how many documents carry each tag, in all and by collection.
pub fn tags(assembly: &Assembly) -> impl Iterator<Item = String> {
    let mut counts = vec![vec![0u32; assembly.collections.len()]; assembly.site.tags.len()];
    for page in &assembly.pages {
        let Some(collection) = page.collection else {
            continue;
        };
        page.tags()
            .iter()
            .for_each(|tag| counts[*tag][collection] += 1);
    }
    let row = move |(number, tag): (usize, &crate::site::Tag)| {
        let named = assembly
            .collections
            .iter()
            .zip(&counts[number])
            .filter(|(_, count)| **count > 0);
        json(&TagRow {
            tag: &tag.slug,
            title: &tag.title,
            route: &assembly.pages[assembly.tag_pages[number] as usize].route,
            documents: counts[number].iter().sum(),
            collections: named
                .map(|(collection, count)| (collection.settings.name.clone(), (*count).into()))
                .collect(),
        })
    };
    assembly.site.tags.iter().enumerate().map(row)
}

/// The collections with tools of their own: see [`artifact::format::Prepared::CollectionTools`].
pub fn collection_tools(assembly: &Assembly) -> Vec<String> {
    let with_tools = assembly
        .collections
        .iter()
        .enumerate()
        .filter(|(_, collection)| collection.settings.tools);
    with_tools
        .flat_map(|(place, collection)| {
            [
                place.to_string(),
                collection.settings.tool_slug().to_owned(),
            ]
        })
        .collect()
}

/// What the documents of those collections say in their declared fields: see [`artifact::format::Prepared::FrontMatter`].
pub fn front_matter(assembly: &Assembly) -> Vec<String> {
    let documents = &assembly.pages[..assembly.documents as usize];
    let in_tools = documents.iter().filter(|page| {
        page.collection
            .is_some_and(|place| assembly.collections[place].settings.tools)
    });
    in_tools
        .map(|page| match page.written().map(|page| &page.fields) {
            Some(fields) if !fields.is_empty() => {
                let values = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), plain(value)));
                json(&values.collect::<serde_json::Map<_, _>>())
            }
            _ => String::new(),
        })
        .collect()
}

/// A declared field's value as JSON. Texts keep to one line, as everything in a row does.
fn plain(value: &FieldValue) -> serde_json::Value {
    let line = |text: &String| serde_json::Value::from(one_line(text));
    match value {
        FieldValue::Text(text) | FieldValue::Date(text) | FieldValue::Link(text) => line(text),
        FieldValue::Integer(number) => (*number).into(),
        FieldValue::Number(number) => (*number).into(),
        FieldValue::Boolean(yes) => (*yes).into(),
        FieldValue::List(items) => items.iter().map(line).collect(),
    }
}

fn collection_name<'a>(assembly: &'a Assembly, page: &NumberedPage) -> Option<&'a str> {
    page.collection
        .map(|collection| assembly.collections[collection].settings.name.as_str())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value)
        .expect("strings, numbers and maps with string keys are always JSON")
}
