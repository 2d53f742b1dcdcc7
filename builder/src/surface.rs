//! What the tool texts may name: the site's collections, and examples that exist.

use std::collections::HashMap;

use artifact::catalogue::{
    CollectionSurface, CollectionTools, Examples, Field, Kind, SiteSurface, definitions,
};
use artifact::route::slug_of;
use artifact::text::{Analyzers, Language, Query};

use crate::assemble::{Assembly, NumberedCollection, NumberedPage};
use crate::config::{FieldKind, FieldSettings};
use crate::export::discovery;

/// The surface of a site. Its examples are taken from its newest post, else its newest document, else its first page.
pub fn surface(assembly: &Assembly, feedback: bool) -> SiteSurface {
    let settings = &assembly.site.settings;
    SiteSurface {
        title: settings.site.title.clone(),
        description: settings.site.description.clone(),
        collections: assembly
            .collections
            .iter()
            .map(|collection| CollectionSurface {
                name: collection.settings.name.clone(),
                title: collection.settings.title.clone(),
                description: collection.settings.description.clone(),
                posts: collection.settings.posts,
                tools: (collection.settings.tools).then(|| tools_of(assembly, collection)),
            })
            .collect(),
        has_tags: !assembly.site.tags.is_empty(),
        feedback: feedback && settings.feedback.enabled,
        markdown_chars: settings.limits.markdown_chars,
        answer_bytes: settings.limits.answer_bytes,
        examples: examples(assembly),
    }
}

/// The tool definitions as they are stored: the array with `submit_feedback`, then the one without, then the server card, if there is one.
pub fn prepared(assembly: &Assembly) -> Vec<String> {
    let array = |feedback| {
        let bytes = definitions(&surface(assembly, feedback));
        String::from_utf8(bytes).expect("JSON is UTF-8")
    };
    let card = discovery::card(assembly);
    [array(true), array(false)]
        .into_iter()
        .chain(card)
        .collect()
}

/// What the tools of a collection need to know. Their examples are about its newest document.
fn tools_of(assembly: &Assembly, collection: &NumberedCollection) -> CollectionTools {
    let mut newest = assembly.newest_first.iter();
    let range = collection.first..collection.first + collection.documents;
    let document = newest
        .find(|number| range.contains(number))
        .map(|number| &assembly.pages[*number as usize]);
    CollectionTools {
        slug: collection.settings.tool_slug().to_owned(),
        fields: collection.settings.fields.iter().map(field).collect(),
        id: document.map(|page| id_of(assembly, page)),
        word: document.and_then(|page| word_of(assembly, page)),
    }
}

/// What names a document to the tools of its collection: its slug, or its route when it shares the slug.
fn id_of(assembly: &Assembly, page: &NumberedPage) -> String {
    let slug = slug_of(&page.route);
    let same = assembly.pages[..assembly.documents as usize]
        .iter()
        .filter(|other| other.collection == page.collection && slug_of(&other.route) == slug);
    match same.count() {
        1 => slug.to_owned(),
        _ => page.route.clone(),
    }
}

/// A declared field as it stands in an answer. A document need not have it.
fn field(settings: &FieldSettings) -> Field {
    let text = || Kind::Text {
        max_chars: usize::MAX,
    };
    let one = || match settings.values.is_empty() {
        true => text(),
        false => Kind::Choice {
            options: settings.values.clone(),
            default: None,
        },
    };
    let kind = match settings.kind {
        FieldKind::Text | FieldKind::Enum => one(),
        FieldKind::Link | FieldKind::Date => text(),
        FieldKind::Integer => Kind::Integer {
            min: i64::MIN,
            max: None,
            default: None,
        },
        FieldKind::Number => Kind::Number,
        FieldKind::Boolean => Kind::Boolean,
        FieldKind::List => Kind::List(Box::new(one())),
    };
    let description = settings.description.clone().unwrap_or_default();
    Field::optional(settings.name.clone(), kind, description)
}

/// The longest word of a title, which is likely what it is about.
fn word_of(assembly: &Assembly, page: &NumberedPage) -> Option<String> {
    let language = Language::of(&assembly.site.settings.site.language);
    let words = Query::read(&Analyzers::new(language, []), &page.title).words;
    words
        .into_iter()
        .rev()
        .max_by_key(|word| word.written.chars().count())
        .map(|word| word.written.to_lowercase())
}

fn examples(assembly: &Assembly) -> Examples {
    let is_post = |page: &&NumberedPage| {
        page.collection
            .is_some_and(|place| assembly.collections[place].settings.posts)
    };
    let newest = || {
        assembly
            .newest_first
            .iter()
            .map(|number| &assembly.pages[*number as usize])
    };
    let post = newest().find(is_post);
    // The newest that its slug alone leads to.
    let mut slugs: HashMap<&str, usize> = HashMap::new();
    for post in newest().filter(is_post) {
        *slugs.entry(slug_of(&post.route)).or_default() += 1;
    }
    let by_slug = newest()
        .filter(is_post)
        .map(|post| slug_of(&post.route))
        .find(|slug| slugs.get(slug) == Some(&1));
    let page = post
        .or_else(|| newest().next())
        .or_else(|| assembly.pages.first());
    let mut carriers = vec![0u32; assembly.site.tags.len()];
    for page in &assembly.pages[..assembly.documents as usize] {
        page.tags().iter().for_each(|tag| carriers[*tag] += 1);
    }
    // The first of the most used tags: `max_by_key` alone would give the last.
    let tag = carriers
        .iter()
        .enumerate()
        .rev()
        .max_by_key(|(_, count)| **count)
        .filter(|(_, count)| **count > 0);
    Examples {
        word: page.and_then(|page| word_of(assembly, page)),
        collection: page
            .and_then(|page| page.collection)
            .map(|place| assembly.collections[place].settings.name.clone()),
        tag: tag.map(|(number, _)| assembly.site.tags[number].slug.clone()),
        post: by_slug.map(str::to_owned),
        route: page.map(|page| page.route.clone()),
        anchor: page
            .and_then(|page| {
                page.reading()
                    .outline
                    .iter()
                    .find(|heading| heading.level > 1)
            })
            .map(|heading| heading.anchor.clone()),
    }
}
