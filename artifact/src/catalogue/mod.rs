//! The tools: their names, texts, arguments, answers and examples, once.
//!
//! Everything that shows a tool reads this table: the list that clients fetch, the reader of arguments, the manual, the
//! published page. A [`Definition`] depends on the site ([`SiteSurface`]): it names the real collections, and does not teach
//! what the site lacks. What a tool *does* is not here.
//!
//! ```
//! use artifact::catalogue::{SiteSurface, Tool, definition, definitions};
//! let site = SiteSurface { title: "Shelf".into(), ..SiteSurface::default() };
//! let tool = definition(Tool::GetPageInfo, &site);
//! assert_eq!((tool.name().as_ref(), &*tool.arguments[0].name), ("get_page_info", "route"));
//! // Without a store for it, feedback is not offered at all.
//! assert!(!String::from_utf8(definitions(&site)).unwrap().contains("submit_feedback"));
//! ```

mod arguments;
mod call;
mod entries;
mod generated;
mod nearest;
mod origin;
mod output;
mod refusal;
mod schema;
mod surface;
pub mod wording;
mod words;

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

pub use arguments::{Value, Values, read};
pub use call::{Call, CollectionCall, Limit, Match, MatchIn, SearchContent, SubmitFeedback};
pub use generated::{arguments_of, collection_tools, write_tools};
pub use nearest::{likeness, nearest};
pub use origin::{Hints, Operation, Origin};
pub use refusal::{Problem, Refusal, shown};
pub use schema::{Field, FieldSchema, Kind, ObjectSchema};
pub use surface::{CollectionSurface, CollectionTools, Examples, SiteSurface};
pub use words::grouped;

/// A tool that every site has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// `list_collections`
    ListCollections,
    /// `list_pages`
    ListPages,
    /// `search_content`
    SearchContent,
    /// `get_post`
    GetPost,
    /// `list_tags`
    ListTags,
    /// `get_page_info`
    GetPageInfo,
    /// `get_page_markdown`
    GetPageMarkdown,
    /// `man`
    Man,
    /// `submit_feedback`
    SubmitFeedback,
}

impl Tool {
    /// Every tool, in the order in which clients see them.
    pub const ALL: [Tool; 9] = [
        Tool::ListCollections,
        Tool::ListPages,
        Tool::SearchContent,
        Tool::GetPost,
        Tool::ListTags,
        Tool::GetPageInfo,
        Tool::GetPageMarkdown,
        Tool::Man,
        Tool::SubmitFeedback,
    ];

    /// The name in calls.
    pub fn name(self) -> &'static str {
        match self {
            Tool::ListCollections => "list_collections",
            Tool::ListPages => "list_pages",
            Tool::SearchContent => "search_content",
            Tool::GetPost => "get_post",
            Tool::ListTags => "list_tags",
            Tool::GetPageInfo => "get_page_info",
            Tool::GetPageMarkdown => "get_page_markdown",
            Tool::Man => "man",
            Tool::SubmitFeedback => "submit_feedback",
        }
    }

    /// The tool of a name.
    pub fn of_name(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether the tool only reads.
    pub fn is_read_only(self) -> bool {
        self != Tool::SubmitFeedback
    }

    /// Whether a site serves the tool.
    pub fn is_served(self, site: &SiteSurface) -> bool {
        self != Tool::SubmitFeedback || site.feedback
    }
}

/// All that is told about one tool on one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Which tool.
    pub origin: Origin,
    /// The name for people.
    pub title: Cow<'static, str>,
    /// One short sentence, for the catalogue.
    pub summary: String,
    /// What it is for, for the model that chooses a tool.
    pub description: String,
    /// The heading it stands under in the catalogue.
    pub category: Cow<'static, str>,
    /// What it takes.
    pub arguments: Vec<Field>,
    /// The members of its structured answer, when it has one.
    pub output: Option<Vec<Field>>,
    /// Calls that work on this site.
    pub examples: Vec<Example>,
    /// What is worth knowing beyond the description, a paragraph each.
    pub notes: Vec<String>,
    /// The names of neighbours, and what each is for.
    pub see_also: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

impl Definition {
    /// The name in calls.
    pub fn name(&self) -> Cow<'static, str> {
        match &self.origin {
            Origin::Site(tool) => tool.name().into(),
            Origin::Collection {
                operation, slug, ..
            } => operation.tool_name(slug).into(),
        }
    }

    /// The schema of its arguments.
    pub fn input_schema(&self) -> ObjectSchema<'_> {
        ObjectSchema {
            fields: &self.arguments,
            closed: true,
        }
    }

    /// The schema of its structured answer, when it has one.
    pub fn output_schema(&self) -> Option<ObjectSchema<'_>> {
        self.output.as_deref().map(|fields| ObjectSchema {
            fields,
            closed: false,
        })
    }
}

/// A call that works on this site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it does.
    pub what: String,
    /// Its arguments, a compact JSON object.
    pub arguments: String,
}

/// Everything that a site serves, in the order in which clients see it: its own tools, then those of its collections.
///
/// This is what `tools/list`, the manual and every published description of the tools are made from.
pub fn tools(site: &SiteSurface) -> Vec<Definition> {
    let own = Tool::ALL.into_iter().filter(|tool| tool.is_served(site));
    let own = own.map(|tool| definition(tool, site));
    let of_collections = site.collections.iter().flat_map(collection_tools);
    own.chain(of_collections).collect()
}

/// What is told about one of the tools that every site has.
pub fn definition(tool: Tool, site: &SiteSurface) -> Definition {
    let mut definition = entries::entry(tool, site);
    definition
        .see_also
        .retain(|(name, _)| Tool::of_name(name).is_none_or(|other| other.is_served(site)));
    definition
}

/// The definitions of the tools that the site serves, as the JSON array that `tools/list` answers with.
///
/// The same site gives the same bytes. Prepare it twice, with and without [`SiteSurface::feedback`]: whether a store is
/// there is only known when the server starts.
pub fn definitions(site: &SiteSurface) -> Vec<u8> {
    serde_json::to_vec(&tools(site)).expect("the keys are texts and the values are plain")
}

impl Serialize for Definition {
    /// The form that MCP gives a tool.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name())?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("description", &self.description)?;
        map.serialize_entry("inputSchema", &self.input_schema())?;
        if let Some(schema) = self.output_schema() {
            map.serialize_entry("outputSchema", &schema)?;
        }
        map.serialize_entry("annotations", &self.origin.hints())?;
        map.end()
    }
}

#[cfg(test)]
mod tests;
