//! Where a tool comes from: every site has it, or it is made from a collection.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Tool;

/// What makes a tool be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Every site has it.
    Site(Tool),
    /// A collection asks for it.
    Collection {
        /// The collection's name.
        collection: String,
        /// What it does there.
        operation: Operation,
        /// The collection's own part of the tool's name.
        slug: String,
    },
}

impl From<Tool> for Origin {
    fn from(tool: Tool) -> Origin {
        Origin::Site(tool)
    }
}

/// What a tool does in a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `list_…`
    List,
    /// `get_…`
    Get,
    /// `count_…`
    Count,
    /// `search_…`
    Search,
    /// `create_…`, for other servers.
    Create,
    /// `update_…_field`, for other servers.
    UpdateField,
    /// `add_…_section`, for other servers.
    AddSection,
    /// `publish_…`, for other servers.
    Publish,
}

impl Operation {
    /// The operations that read, which are served.
    pub const READ: [Operation; 4] = [Self::List, Self::Get, Self::Count, Self::Search];
    /// The operations that write. They are described and never served.
    pub const WRITE: [Operation; 4] = [
        Self::Create,
        Self::UpdateField,
        Self::AddSection,
        Self::Publish,
    ];

    /// Its word in data.
    pub fn as_str(self) -> &'static str {
        match self {
            Operation::List => "list",
            Operation::Get => "get",
            Operation::Count => "count",
            Operation::Search => "search",
            Operation::Create => "create",
            Operation::UpdateField => "update_field",
            Operation::AddSection => "add_section",
            Operation::Publish => "publish",
        }
    }

    /// The name of the tool that does it in a collection.
    pub fn tool_name(self, slug: &str) -> String {
        match self {
            Operation::UpdateField => format!("update_{slug}_field"),
            Operation::AddSection => format!("add_{slug}_section"),
            _ => format!("{}_{slug}", self.as_str()),
        }
    }

    /// Whether it only reads.
    pub fn is_read_only(self) -> bool {
        Operation::READ.contains(&self)
    }
}

/// The four hints that a tool gives its callers. No tool reaches beyond the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may take something away.
    pub destructive: bool,
    /// The same call twice is the same as once.
    pub idempotent: bool,
}

impl Origin {
    /// The hints of its tool.
    pub fn hints(&self) -> Hints {
        let hints = |read_only, destructive, idempotent| Hints {
            read_only,
            destructive,
            idempotent,
        };
        match self {
            Origin::Site(tool) => hints(tool.is_read_only(), false, true),
            Origin::Collection { operation, .. } => match operation {
                Operation::Create | Operation::AddSection => hints(false, false, false),
                Operation::UpdateField => hints(false, true, true),
                Operation::Publish => hints(false, false, true),
                _ => hints(true, false, true),
            },
        }
    }
}

impl Serialize for Hints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("readOnlyHint", &self.read_only)?;
        map.serialize_entry("destructiveHint", &self.destructive)?;
        map.serialize_entry("idempotentHint", &self.idempotent)?;
        map.serialize_entry("openWorldHint", &false)?;
        map.end()
    }
}
