//! What every tool works on: the artifact, and what follows from it once.

use std::sync::{Arc, OnceLock};

use artifact::catalogue::{CollectionSurface, Examples, SiteSurface};
use artifact::format::{Artifact, Error, PageId, Prepared};
use artifact::route::{Address, AddressError};

use super::related::Counters;
use crate::mcp::Structured;
use crate::page::Page;
use crate::search::Searcher;

/// Most bytes of one answer, whatever an artifact says. A function hands over 6 MB at most: escaping can double an answer, and a batch
/// holds 2 MiB and one answer more.
const MOST_ANSWER_BYTES: usize = 1_000_000;

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
    /// Memory for counting related pages.
    pub(super) counters: Counters,
    /// The answers of the lists for calls without a limit, in the order of [`Prepared::ALL`], each made when it is first asked for.
    pub(super) lists: [OnceLock<Result<Arc<Structured>, Error>>; Prepared::ALL.len()],
}

impl Shelf {
    /// Puts an artifact on the shelf. `feedback` says whether there is a store; the site has to want it, too.
    ///
    /// # Errors
    /// When the site's address in the artifact is none.
    pub fn new(artifact: Artifact<'static>, feedback: bool) -> Result<Shelf, AddressError> {
        let site = artifact.site();
        let address = Address::parse(site.url, site.trailing_slash)?;
        let feedback = feedback && site.feedback;
        Ok(Shelf {
            searcher: Searcher::new(&artifact),
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

    /// What the texts of the tools need to know; the examples are not here, since they are shown at build time only.
    pub fn surface(&self) -> SiteSurface {
        let site = self.artifact.site();
        let collection = |collection: &artifact::format::Collection<'_>| CollectionSurface {
            name: collection.name.to_owned(),
            title: collection.title.to_owned(),
            posts: collection.posts,
        };
        SiteSurface {
            title: site.title.to_owned(),
            description: site.description.map(str::to_owned),
            collections: self.artifact.collections().iter().map(collection).collect(),
            has_tags: self.artifact.tags().count() > 0,
            feedback: self.feedback,
            markdown_chars: site.markdown_chars as usize,
            answer_bytes: self.answer_bytes(),
            examples: Examples::default(),
        }
    }

    /// Bytes that one answer has at most.
    pub fn answer_bytes(&self) -> usize {
        (self.artifact.site().answer_bytes as usize).min(MOST_ANSWER_BYTES)
    }
}
