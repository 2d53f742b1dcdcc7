//! What every tool works on: the artifact, and what follows from it once.

use std::sync::{Arc, OnceLock};

use artifact::catalogue::{CollectionSurface, CollectionTools, Examples, SiteSurface};
use artifact::format::{Artifact, Error, PageId, Prepared, Section};
use artifact::route::Address;

use crate::service::ServiceError;

use super::related::Counters;
use crate::mcp::Structured;
use crate::page::Page;
use crate::search::Searcher;

/// Most bytes of one answer, whatever an artifact says. A function hands over 6 MB at most: escaping can double an answer, and a batch
/// holds 2 MiB and one answer more.
const MOST_ANSWER_BYTES: usize = 1_000_000;

/// Prepared items that are kept once they were unpacked.
type Kept = OnceLock<Result<Vec<Box<str>>, Error>>;

/// A site that is being served.
#[derive(Debug)]
pub struct Shelf {
    /// Its artifact.
    pub artifact: Artifact<'static>,
    /// Where it lives.
    pub address: Address,
    /// Finds documents in it.
    pub searcher: Searcher,
    /// Whether callers can leave feedback.
    pub feedback: bool,
    /// The collections with tools of their own.
    pub with_tools: Vec<WithTools>,
    /// What the documents of those collections say in their declared fields.
    front_matter: Kept,
    /// The manual.
    manual: Kept,
    /// Memory for counting related pages.
    pub(super) counters: Counters,
    /// The answers of the lists for calls without a limit, in the order of [`Prepared::ALL`], each made when it is first asked for.
    pub(super) lists: [OnceLock<Result<Arc<Structured>, Error>>; Prepared::ALL.len()],
}

/// A collection with tools of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithTools {
    /// Its place among the collections.
    pub place: usize,
    /// Its part of the tools' names.
    pub slug: String,
    /// Its first document.
    first: PageId,
    /// Where that stands in [`Prepared::FrontMatter`].
    at: usize,
}

impl WithTools {
    /// What a document of the collection says in its declared fields, as a JSON object; empty when it says nothing.
    ///
    /// # Errors
    /// [`Error::Damaged`] when it cannot be read.
    pub fn front_matter<'s>(&self, shelf: &'s Shelf, page: PageId) -> Result<&'s str, Error> {
        let all = shelf.kept(&shelf.front_matter, Prepared::FrontMatter)?;
        let at = (page as usize)
            .checked_sub(self.first as usize)
            .and_then(|of_collection| self.at.checked_add(of_collection));
        let own = at.and_then(|at| all.get(at));
        own.map(|own| &**own)
            .ok_or(Error::Damaged(Section::Prepared))
    }
}

impl Shelf {
    /// Puts an artifact on the shelf. `feedback` says whether there is a store; the site has to want it, too.
    ///
    /// # Errors
    /// When a part that every call needs is damaged.
    pub fn new(artifact: Artifact<'static>, feedback: bool) -> Result<Shelf, ServiceError> {
        let site = artifact.site();
        let address =
            Address::parse(site.url, site.trailing_slash).map_err(ServiceError::Address)?;
        let feedback = feedback && site.feedback;
        Ok(Shelf {
            searcher: Searcher::new(&artifact),
            with_tools: with_tools(&artifact).map_err(ServiceError::Artifact)?,
            front_matter: Kept::default(),
            manual: Kept::default(),
            artifact,
            address,
            feedback,
            counters: Counters::default(),
            lists: Default::default(),
        })
    }

    /// A page, unpacked: kept from the call before, or read now.
    ///
    /// # Errors
    /// [`Error::Damaged`] when it cannot be read.
    pub fn page(&self, page: PageId) -> Result<Arc<Page>, Error> {
        self.searcher.page(&self.artifact, page)
    }

    /// What the texts of the tools need to know; the examples and the declared fields are not here, since they are shown at build time only.
    pub fn surface(&self) -> SiteSurface {
        let site = self.artifact.site();
        let tools_of = |place: usize| {
            let with_tools = self.with_tools.iter();
            let own = with_tools.clone().find(|of| of.place == place)?;
            Some(CollectionTools {
                slug: own.slug.clone(),
                ..CollectionTools::default()
            })
        };
        let collection =
            |(place, collection): (usize, &artifact::format::Collection<'_>)| CollectionSurface {
                name: collection.name.to_owned(),
                title: collection.title.to_owned(),
                description: collection.description.map(str::to_owned),
                posts: collection.posts,
                tools: tools_of(place),
            };
        let collections = self.artifact.collections().iter().enumerate();
        SiteSurface {
            title: site.title.to_owned(),
            description: site.description.map(str::to_owned),
            collections: collections.map(collection).collect(),
            has_tags: self.artifact.tags().count() > 0,
            feedback: self.feedback,
            markdown_chars: site.markdown_chars as usize,
            answer_bytes: self.answer_bytes(),
            examples: Examples::default(),
        }
    }

    /// The items of [`Prepared::Manual`].
    pub(super) fn manual(&self) -> Result<&[Box<str>], Error> {
        self.kept(&self.manual, Prepared::Manual)
    }

    /// Items, unpacked by the first who asks for them.
    fn kept<'s>(&'s self, kept: &'s Kept, which: Prepared) -> Result<&'s [Box<str>], Error> {
        let read = || {
            let prepared = self.artifact.prepared(which)?;
            Ok(prepared.items().map(Box::from).collect())
        };
        match kept.get_or_init(read) {
            Ok(items) => Ok(items),
            Err(error) => Err(error.clone()),
        }
    }

    /// Bytes that one answer has at most.
    pub fn answer_bytes(&self) -> usize {
        (self.artifact.site().answer_bytes as usize).min(MOST_ANSWER_BYTES)
    }
}

fn with_tools(artifact: &Artifact<'static>) -> Result<Vec<WithTools>, Error> {
    let prepared = artifact.prepared(Prepared::CollectionTools)?;
    let mut items = prepared.items();
    let (mut found, mut at) = (Vec::new(), 0);
    while let (Some(place), Some(slug)) = (items.next(), items.next()) {
        let place = place.parse().ok();
        let of = place.and_then(|place: usize| Some((place, artifact.collections().get(place)?)));
        let (place, collection) = of.ok_or(Error::Damaged(Section::Prepared))?;
        found.push(WithTools {
            place,
            slug: slug.to_owned(),
            first: collection.first,
            at,
        });
        at += collection.documents as usize;
    }
    Ok(found)
}
