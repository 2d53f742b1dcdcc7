//! The site's tools, as the protocol serves them.
//!
//! [`SiteTools`] joins the catalogue, the tools and the artifact: it reads the arguments, lets the tool answer, and hands a
//! message for the author on to the store. An exhaustive match makes sure that no tool of the catalogue is forgotten.

use artifact::catalogue::{
    Call, CollectionCall, Field, Operation, Tool, arguments_of, definition, nearest,
};
use artifact::clean::one_line;
use artifact::format::{Artifact, Prepared};
use artifact::route::AddressError;
use serde_json::value::RawValue;

use crate::feedback::{Recorded, StoreError, Submission};
use crate::mcp::{Called, Endpoint, Health, Identity, Policy, ToolResult, Tools};
use crate::tools::{
    Shelf, answer, collection, get_page_info, get_page_markdown, get_post, list_collections,
    list_pages, list_tags, man, search_content, submit_feedback,
};

/// The tools of one site.
#[derive(Debug)]
pub struct SiteTools {
    shelf: Shelf,
    identity: Identity,
    instructions: String,
    list: Vec<u8>,
    card: Option<Vec<u8>>,
    /// The arguments of each tool, in the order of [`Tool::ALL`].
    arguments: Vec<Vec<Field>>,
    /// The tools of collections: the name, the place among [`Shelf::with_tools`], and what it does.
    of_collections: Vec<(String, usize, Operation)>,
}

/// Why an artifact cannot be served.
#[derive(Debug)]
pub enum ServiceError {
    /// Its bytes are damaged.
    Artifact(artifact::format::Error),
    /// Its site has no address.
    Address(AddressError),
}

impl std::fmt::Display for ServiceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ServiceError::Artifact(error) => write!(f, "the artifact cannot be served: {error}"),
            ServiceError::Address(error) => write!(f, "the artifact cannot be served: {error}"),
        }
    }
}

impl std::error::Error for ServiceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServiceError::Artifact(error) => Some(error),
            ServiceError::Address(error) => Some(error),
        }
    }
}

/// The endpoint of an artifact: everybody is served its public view, and a request with a known token the full one.
///
/// # Errors
/// When a part that every call needs is damaged.
pub fn endpoint(
    artifact: Artifact<'static>,
    feedback: bool,
    policy: Policy,
) -> Result<Endpoint<SiteTools>, ServiceError> {
    let full = artifact.full().map_err(ServiceError::Artifact)?;
    let endpoint = Endpoint::new(SiteTools::new(artifact, feedback)?, policy);
    Ok(match full {
        Some(full) => endpoint.with_full(SiteTools::new(full, feedback)?),
        None => endpoint,
    })
}

impl SiteTools {
    /// Serves an artifact. `feedback` says whether there is a store for messages; without one `submit_feedback` does not exist.
    ///
    /// # Errors
    /// When a part that every call needs is damaged.
    pub fn new(artifact: Artifact<'static>, feedback: bool) -> Result<SiteTools, ServiceError> {
        let shelf = Shelf::new(artifact, feedback)?;
        let surface = shelf.surface();
        let prepared = shelf
            .artifact
            .prepared(Prepared::Tools)
            .map_err(ServiceError::Artifact)?;
        // The list with submit_feedback stands first, the one without second.
        let list = prepared
            .items()
            .nth(usize::from(!shelf.feedback))
            .unwrap_or("[]")
            .as_bytes()
            .to_vec();
        let card = prepared.items().nth(2).map(|card| card.as_bytes().to_vec());
        let of_collection = |(at, slug): (usize, &str)| {
            Operation::READ.map(|operation| (operation.tool_name(slug), at, operation))
        };
        let with_tools = shelf.with_tools.iter().map(|of| of.slug.as_str());
        Ok(SiteTools {
            of_collections: with_tools.enumerate().flat_map(of_collection).collect(),
            identity: identity(&shelf),
            instructions: instructions(&shelf),
            list,
            card,
            arguments: Tool::ALL
                .into_iter()
                .map(|tool| definition(tool, &surface).arguments)
                .collect(),
            shelf,
        })
    }

    /// The site that is served.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    fn served(&self) -> impl Iterator<Item = Tool> + use<> {
        let feedback = self.shelf.feedback;
        Tool::ALL
            .into_iter()
            .filter(move |tool| feedback || tool.is_read_only())
    }

    /// A call of a tool that is made from a collection, or of none.
    fn call_of_collection(&self, name: &str, raw: Option<&str>) -> Called {
        let own = self.of_collections.iter().find(|(own, ..)| own == name);
        let known =
            own.and_then(|(_, at, operation)| Some((self.shelf.with_tools.get(*at)?, *operation)));
        let Some((of, operation)) = known else {
            let own = self.of_collections.iter().map(|(name, ..)| name.as_str());
            let known = self.served().map(|tool| tool.name()).chain(own);
            let closest: Vec<&str> = nearest(name, known, 3);
            return Called::Unknown {
                closest: closest.into_iter().map(str::to_owned).collect(),
            };
        };
        match CollectionCall::read(operation, name, raw, &arguments_of(operation, None)) {
            Ok(Some(call)) => collection::answer(&self.shelf, of, &call),
            // Nothing that writes to a collection is served.
            Ok(None) => Called::Unknown {
                closest: Vec::new(),
            },
            Err(refusal) => answer::refused(&refusal),
        }
    }
}

impl Tools for SiteTools {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn instructions(&self) -> Option<&str> {
        Some(&self.instructions)
    }

    fn list(&self) -> &[u8] {
        &self.list
    }

    fn card(&self) -> Option<&[u8]> {
        self.card.as_deref()
    }

    fn health(&self) -> Health {
        let pages = self.shelf.artifact.pages().count();
        Health {
            artifact: Some(self.shelf.artifact.identity()),
            pages: pages as usize,
            is_sound: pages == 0 || self.shelf.page(0).is_ok(),
        }
    }

    fn call(&self, name: &str, arguments: Option<&RawValue>) -> Called {
        let raw = arguments.map(RawValue::get);
        let Some(tool) = self.served().find(|tool| tool.name() == name) else {
            return self.call_of_collection(name, raw);
        };
        let call = match Call::read(tool, raw, &self.arguments[tool as usize]) {
            Ok(call) => call,
            Err(refusal) => return answer::refused(&refusal),
        };
        let shelf = &self.shelf;
        match call {
            Call::ListCollections(limit) => list_collections::answer(shelf, limit),
            Call::ListPages(limit) => list_pages::answer(shelf, limit),
            Call::SearchContent(call) => search_content::answer(shelf, &call),
            Call::GetPost { slug } => get_post::answer(shelf, &slug),
            Call::ListTags(limit) => list_tags::answer(shelf, limit),
            Call::GetPageInfo { route } => get_page_info::answer(shelf, &route),
            Call::GetPageMarkdown { route } => get_page_markdown::answer(shelf, &route),
            Call::Man { topic } => man::answer(shelf, topic.as_deref()),
            Call::SubmitFeedback(call) => Called::Store(submit_feedback::submission(shelf, call)),
        }
    }

    fn settle(&self, submission: &Submission, outcome: Result<Recorded, StoreError>) -> ToolResult {
        submit_feedback::settle(submission, outcome)
    }
}

/// Where a model learns more.
const MANUAL: &str = "man explains every tool and what this site holds.";

/// A text without the sentences that name a tool.
fn without_sentences(text: &str, tool: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut sentence = String::new();
    let mut ended = false;
    for c in text.chars() {
        if ended && c.is_whitespace() {
            if !sentence.contains(tool) {
                kept.push_str(&sentence);
                kept.push(c);
            }
            sentence.clear();
            ended = false;
            continue;
        }
        ended = matches!(c, '.' | '!' | '?');
        sentence.push(c);
    }
    if !sentence.contains(tool) {
        kept.push_str(&sentence);
    }
    kept.trim_end().to_owned()
}

fn identity(shelf: &Shelf) -> Identity {
    let site = shelf.artifact.site();
    let cleaned = |text: &str| one_line(text).into_owned();
    Identity {
        name: cleaned(site.server_name),
        title: site
            .server_title
            .or(Some(site.title))
            .map(cleaned)
            .filter(|title| !title.is_empty()),
        version: cleaned(site.server_version),
        description: site.description.map(cleaned),
        website_url: Some(shelf.address.url("/")),
    }
}

/// The site's own instructions, else a short way in. They do not repeat what the tools' descriptions say, and point to the manual, which does.
fn instructions(shelf: &Shelf) -> String {
    let site = shelf.artifact.site();
    if let Some(own) = site.instructions {
        let mut own = match shelf.feedback {
            true => own.to_owned(),
            false => without_sentences(own, Tool::SubmitFeedback.name()),
        };
        let names_it = |word: &str| word == Tool::Man.name();
        if !own
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(names_it)
        {
            own = format!("{} {MANUAL}", own.trim_end());
        }
        return own.trim_start().to_owned();
    }
    let mut text = format!("The published content of {}", one_line(site.title));
    if let Some(description) = site.description {
        text.push_str(&format!(
            ": {}",
            one_line(description).trim_end_matches('.')
        ));
    }
    text.push_str(". Everything is reached through tools; there are no resources or prompts. ");
    text.push_str(match shelf.artifact.collections().is_empty() {
        true => "Start with list_pages, then read with get_page_markdown.",
        false => "Start with search_content, or with list_pages for pages about the site itself, then read with get_page_markdown.",
    });
    text.push(' ');
    text.push_str(MANUAL);
    if shelf.feedback {
        text.push_str(" When something is missing or wrong, submit_feedback tells the author.");
    }
    text
}
