//! What the tool texts may name: the site's collections, and examples that exist.

use artifact::catalogue::{CollectionSurface, Examples, SiteSurface, definitions};
use artifact::text::{Analyzers, Language, Query};

use crate::assemble::{Assembly, NumberedPage};

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
                posts: collection.settings.posts,
            })
            .collect(),
        has_tags: !assembly.site.tags.is_empty(),
        feedback: feedback && settings.feedback.enabled,
        markdown_chars: settings.limits.markdown_chars,
        answer_bytes: settings.limits.answer_bytes,
        examples: examples(assembly),
    }
}

/// The tool definitions as they are stored: the array with `submit_feedback`, then the one without.
pub fn prepared(assembly: &Assembly) -> Vec<String> {
    let array = |feedback| {
        let bytes = definitions(&surface(assembly, feedback));
        String::from_utf8(bytes).expect("JSON is UTF-8")
    };
    vec![array(true), array(false)]
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
    let language = Language::of(&assembly.site.settings.site.language);
    let analyzers = Analyzers::new(language, []);
    let words = page.map(|page| Query::read(&analyzers, &page.title).words);
    Examples {
        // The longest word of a title is likely what it is about.
        word: words
            .and_then(|words| {
                words
                    .into_iter()
                    .rev()
                    .max_by_key(|word| word.written.chars().count())
            })
            .map(|word| word.written.to_lowercase()),
        tag: tag.map(|(number, _)| assembly.site.tags[number].slug.clone()),
        post: post.map(|page| artifact::route::slug_of(&page.route).to_owned()),
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
