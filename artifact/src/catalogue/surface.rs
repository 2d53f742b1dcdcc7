//! What the texts of the tools need to know of a site.

use super::schema::Field;

/// The facts of a site that shape its tools: what it has, and real names to show in examples.
///
/// Names are taken as they come and cleaned where they are printed. What a site lacks is not taught: without tags no tool has
/// a `tag` argument, without collections none has `collection`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteSurface {
    /// The site's title.
    pub title: String,
    /// One sentence about the site.
    pub description: Option<String>,
    /// The visible collections, in the site's order.
    pub collections: Vec<CollectionSurface>,
    /// Whether any page has a tag.
    pub has_tags: bool,
    /// Whether `submit_feedback` is served.
    pub feedback: bool,
    /// Characters of markdown that one answer shows.
    pub markdown_chars: usize,
    /// Bytes that one answer may have.
    pub answer_bytes: usize,
    /// Real names to show.
    pub examples: Examples,
}

/// A collection, as the tools name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionSurface {
    /// Its name in calls.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// What its documents are.
    pub description: Option<String>,
    /// Whether `get_post` looks in it.
    pub posts: bool,
    /// The tools of its own, when it asks for them.
    pub tools: Option<CollectionTools>,
}

/// What the tools made from a collection need to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionTools {
    /// Its part of the tools' names.
    pub slug: String,
    /// The fields that its documents declare, with their kinds.
    pub fields: Vec<Field>,
    /// The slug of one of its documents.
    pub id: Option<String>,
    /// A word of that document's title.
    pub word: Option<String>,
}

/// Things that exist on the site. An example is only shown when what it needs is here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// A word that a document's title holds.
    pub word: Option<String>,
    /// The name of the collection that holds the document.
    pub collection: Option<String>,
    /// The slug of a tag that a document carries.
    pub tag: Option<String>,
    /// The slug of a post.
    pub post: Option<String>,
    /// The route of a document, or of another page when there is none.
    pub route: Option<String>,
    /// An anchor on the page at `route`.
    pub anchor: Option<String>,
}

impl SiteSurface {
    /// The collections that hold posts.
    pub fn posts(&self) -> impl Iterator<Item = &CollectionSurface> {
        self.collections
            .iter()
            .filter(|collection| collection.posts)
    }
}
