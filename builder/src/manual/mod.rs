//! The manual, which `man` serves: a list of topics, a page for each tool, pages about the site, and pages of the site's own.
//!
//! Every page is made here, twice: as it is where readers can leave feedback, and as it is where they cannot. Whether they can is known when
//! the server starts, and what it then serves is a copy. A page of a tool is made from the tool's definition alone:
//!
//! ```text
//! NAME         list_tags - List the tags and how many documents carry each.
//! SYNOPSIS     list_tags [limit]
//! OPTIONS      one entry an argument; left out when there are none
//! DESCRIPTION  what `tools/list` says
//! NOTES, EXAMPLES, SEE ALSO
//! ```

mod own;
mod page;
mod reference;

use std::collections::BTreeMap;

use artifact::catalogue::{Definition, SiteSurface, tools};

use crate::assemble::Assembly;
use crate::surface::surface;

pub use own::OwnPage;
pub(crate) use own::{is_own, read as read_own};
pub use page::tool_page;

/// The heading under which everything stands that is no tool.
const REFERENCE_CATEGORY: &str = "Reference";

/// A page of the manual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What it is asked for by; empty for the list of topics.
    pub name: String,
    /// Its one sentence.
    pub summary: String,
    /// The heading that it stands under.
    pub category: String,
    /// The page.
    pub text: String,
}

/// The manual of a site with or without feedback: the list of topics, then every topic by name.
pub fn manual(assembly: &Assembly, feedback: bool) -> Vec<Topic> {
    let surface = surface(assembly, feedback);
    let tools = tools(&surface);
    let mut topics: Vec<Topic> = tools.iter().map(of_tool).collect();
    topics.extend(reference::topics(assembly, &surface, &tools));
    let own = assembly.site.manual.iter();
    topics.extend(own.filter_map(|page| own::topic(page, &surface)));
    topics.sort_by(|left, right| left.name.cmp(&right.name));
    let list = Topic {
        name: String::new(),
        summary: String::new(),
        category: String::new(),
        text: list(&topics, &surface),
    };
    topics.insert(0, list);
    topics
}

/// The manual as it is stored: see [`artifact::format::Prepared::Manual`].
pub(crate) fn prepared(assembly: &Assembly) -> Vec<String> {
    let mut without: BTreeMap<String, String> = manual(assembly, false)
        .into_iter()
        .map(|topic| (topic.name, topic.text))
        .collect();
    let with = manual(assembly, true);
    let topics = with.into_iter().flat_map(|topic| {
        let other = without.remove(&topic.name).unwrap_or_default();
        [topic.name, topic.text, other]
    });
    topics.collect()
}

fn of_tool(definition: &Definition) -> Topic {
    Topic {
        name: definition.name().into_owned(),
        summary: definition.summary.clone(),
        category: definition.category.clone().into_owned(),
        text: tool_page(definition),
    }
}

/// The topics by category, both in alphabetical order, a line each.
fn list(topics: &[Topic], surface: &SiteSurface) -> String {
    let mut categories: BTreeMap<&str, Vec<&Topic>> = BTreeMap::new();
    for topic in topics {
        let of = categories.entry(topic.category.as_str()).or_default();
        of.push(topic);
    }
    let title = artifact::clean::one_line(&surface.title);
    let mut text = format!(
        "The manual of {title}. man with one of these names as its topic shows the page.\n"
    );
    for (category, topics) in categories {
        text.push_str(&format!("\n{}\n", artifact::clean::one_line(category)));
        for topic in topics {
            text.push_str(&format!("    {} - {}\n", topic.name, topic.summary));
        }
    }
    text
}
