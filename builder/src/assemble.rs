//! The pages of the artifact, in its order: what people wrote, and the lists that the builder adds.
//!
//! Documents come first, collection by collection and by route within each, so that a collection is a run of numbers; then
//! every other page by route. Where the site has no text of its own at its root, at a collection's archive, at the
//! index of tags or at a tag, a list of links stands there (`index_pages`).
//!
//! A generated list is not a citation: it has no outgoing edges in the link graph, so that `cited_by` of a document names those who chose to
//! point at it.

use std::collections::HashMap;

use artifact::clean::one_line;
use artifact::format::PageKind;
use artifact::text::Language;

use crate::index_pages;
use crate::site::{Page, Reading, Site, Tag};

/// A page with its number's worth of facts.
#[derive(Debug)]
pub struct NumberedPage<'s> {
    /// What it is.
    pub kind: PageKind,
    /// Its collection, as a place in [`Assembly::collections`], for a document.
    pub collection: Option<usize>,
    /// The language of a document, as a place in [`Assembly::languages`]; 0 for all other pages.
    pub language: u8,
    /// Its route.
    pub route: String,
    /// Its title, on one line.
    pub title: String,
    /// Its description, on one line.
    pub description: Option<String>,
    /// What stands at the route.
    pub text: Text<'s>,
    /// The numbers of the pages it cites.
    pub cites: Vec<u32>,
}

/// Where a page's text comes from.
#[derive(Debug)]
pub enum Text<'s> {
    /// A file of the site.
    Written(&'s Page),
    /// A list that the builder made.
    Generated {
        /// The list as markdown.
        markdown: String,
        /// What the markdown parser saw in it.
        reading: Reading,
    },
}

impl<'s> NumberedPage<'s> {
    /// The published markdown.
    pub fn markdown(&self) -> &str {
        match &self.text {
            Text::Written(page) => &page.markdown,
            Text::Generated { markdown, .. } => markdown,
        }
    }

    /// What the markdown parser saw.
    pub fn reading(&self) -> &Reading {
        match &self.text {
            Text::Written(page) => &page.reading,
            Text::Generated { reading, .. } => reading,
        }
    }

    /// The page as it was written, when somebody wrote it.
    pub fn written(&self) -> Option<&'s Page> {
        match &self.text {
            Text::Written(page) => Some(page),
            Text::Generated { .. } => None,
        }
    }

    /// Its tags, as places in the site's tags.
    pub fn tags(&self) -> &'s [usize] {
        self.written().map_or(&[], |page| &page.tags)
    }
}

/// A published collection and its run of documents.
#[derive(Debug)]
pub struct NumberedCollection<'s> {
    /// Its settings.
    pub settings: &'s crate::config::CollectionSettings,
    /// The number of the page that lists it.
    pub archive: u32,
    /// The number of its first document.
    pub first: u32,
    /// How many documents it holds.
    pub documents: u32,
}

/// Everything that is published, numbered.
#[derive(Debug)]
pub struct Assembly<'s> {
    /// The site.
    pub site: &'s Site,
    /// The site's language, and behind it the other languages of documents, by code.
    pub languages: Vec<Language>,
    /// Every page.
    pub pages: Vec<NumberedPage<'s>>,
    /// How many of them are documents.
    pub documents: u32,
    /// The documents, newest first, then by route.
    pub newest_first: Vec<u32>,
    /// The collections that are not hidden, in the order of the settings.
    pub collections: Vec<NumberedCollection<'s>>,
    /// The number of each tag's page.
    pub tag_pages: Vec<u32>,
}

impl<'s> Assembly<'s> {
    /// The pages of a collection, or for `None` those of no collection, lists included.
    pub fn pages_of(&self, collection: Option<usize>) -> &[NumberedPage<'s>] {
        let range = match collection.map(|place| &self.collections[place]) {
            Some(of) => of.first..of.first + of.documents,
            None => self.documents..self.pages.len() as u32,
        };
        &self.pages[range.start as usize..range.end as usize]
    }
}

/// Numbers the pages of a site and adds its lists.
pub fn assemble(site: &Site) -> Assembly<'_> {
    let visible: Vec<usize> = (0..site.settings.collections.len())
        .filter(|index| !site.settings.collections[*index].hidden)
        .collect();
    let place_of = |page: &Page| {
        let collection = page.collection?;
        visible.iter().position(|index| *index == collection)
    };
    let mut written: Vec<(Option<usize>, &Page)> = site
        .pages
        .iter()
        .map(|page| (place_of(page), page))
        .collect();
    written.sort_by(|(a, left), (b, right)| {
        let order = |place: &Option<usize>| place.unwrap_or(usize::MAX);
        order(a)
            .cmp(&order(b))
            .then_with(|| left.route.cmp(&right.route))
    });
    let documents = written.iter().filter(|(place, _)| place.is_some()).count();

    let languages = languages(site, written[..documents].iter().map(|(_, page)| *page));
    let place_of = |language: &str| {
        let language = Language::of(language);
        let place = languages.iter().position(|other| *other == language);
        place.unwrap_or_default() as u8
    };

    let mut pages: Vec<NumberedPage> = written
        .into_iter()
        .map(|(collection, page)| NumberedPage {
            kind: if collection.is_some() {
                PageKind::Document
            } else {
                PageKind::Page
            },
            collection,
            language: collection.map_or(0, |_| place_of(&page.language)),
            route: page.route.clone(),
            title: one_line(&page.title).into_owned(),
            description: page
                .description
                .as_deref()
                .map(|text| one_line(text).into_owned()),
            text: Text::Written(page),
            cites: Vec::new(),
        })
        .collect();
    let newest_first = newest_first(&pages[..documents]);
    let lists = index_pages::missing(site, &pages, &visible, &newest_first);
    pages.extend(lists);
    pages[documents..].sort_by(|left, right| left.route.cmp(&right.route));

    let numbers: HashMap<String, u32> = pages
        .iter()
        .enumerate()
        .map(|(number, page)| (page.route.clone(), number as u32))
        .collect();
    for (number, page) in pages.iter_mut().enumerate() {
        let Some(written) = page.written() else {
            continue;
        };
        let mut cites: Vec<u32> = Vec::with_capacity(written.cites.len());
        for route in &written.cites {
            if let Some(cited) = numbers.get(route)
                && *cited as usize != number
                && !cites.contains(cited)
            {
                cites.push(*cited);
            }
        }
        page.cites = cites;
    }
    let number_of = |route: &str| numbers.get(route).copied().unwrap_or_default();
    let collections = visible
        .iter()
        .enumerate()
        .map(|(place, index)| {
            let settings = &site.settings.collections[*index];
            let holds = |page: &NumberedPage| page.collection == Some(place);
            NumberedCollection {
                settings,
                archive: number_of(&settings.archive_route()),
                first: pages.iter().position(holds).unwrap_or_default() as u32,
                documents: pages.iter().filter(|page| holds(page)).count() as u32,
            }
        })
        .collect();
    let tag_pages = site
        .tags
        .iter()
        .map(|tag| number_of(&tag_route(site, tag)))
        .collect();
    Assembly {
        site,
        languages,
        documents: documents as u32,
        newest_first,
        collections,
        tag_pages,
        pages,
    }
}

/// The site's language, then the others that its documents are in.
fn languages<'s>(site: &Site, documents: impl Iterator<Item = &'s Page>) -> Vec<Language> {
    let own = Language::of(&site.settings.site.language);
    let mut others: Vec<Language> = documents.map(|page| Language::of(&page.language)).collect();
    others.sort_by_key(|language| language.code());
    others.dedup();
    others.retain(|language| *language != own);
    others.insert(0, own);
    others
}

/// The route of a tag's page.
pub fn tag_route(site: &Site, tag: &Tag) -> String {
    artifact::route::canonical(&site.settings.tags.route.replace("{tag}", &tag.slug))
}

/// Documents in falling order of date, those without a date last, then by route.
fn newest_first(documents: &[NumberedPage]) -> Vec<u32> {
    let date = |number: &u32| {
        documents[*number as usize]
            .written()
            .and_then(|page| page.sort_date)
    };
    let mut order: Vec<u32> = (0..documents.len() as u32).collect();
    order.sort_by(|left, right| {
        date(right).cmp(&date(left)).then_with(|| {
            documents[*left as usize]
                .route
                .cmp(&documents[*right as usize].route)
        })
    });
    order
}
