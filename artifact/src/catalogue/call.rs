//! A call whose arguments were understood: what tools see.

use super::Tool;
use super::arguments::{Values, read};
use super::origin::Operation;
use super::refusal::{Problem, Refusal};
use super::schema::Field;

/// A call with typed arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// `list_collections`
    ListCollections(Limit),
    /// `list_pages`
    ListPages(Limit),
    /// `search_content`
    SearchContent(SearchContent),
    /// `get_post`
    GetPost {
        /// The slug, as asked.
        slug: String,
    },
    /// `list_tags`
    ListTags(Limit),
    /// `get_page_info`
    GetPageInfo {
        /// The route, as asked.
        route: String,
    },
    /// `get_page_markdown`
    GetPageMarkdown {
        /// The route, as asked, perhaps with an anchor.
        route: String,
    },
    /// `man`
    Man {
        /// The topic, as asked.
        topic: Option<String>,
    },
    /// `submit_feedback`
    SubmitFeedback(SubmitFeedback),
}

/// A call of a tool that is made from a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionCall {
    /// `list_…`
    List {
        /// How many documents, 1 to 100.
        limit: usize,
        /// How many to leave out before them.
        offset: usize,
    },
    /// `get_…`
    Get {
        /// The document's slug, as asked.
        id: String,
    },
    /// `count_…`
    Count,
    /// `search_…`
    Search {
        /// The words, as asked.
        query: String,
        /// How many documents, 1 to 100.
        limit: usize,
    },
}

/// How many items a list may have; at least 1 when given.
pub type Limit = Option<usize>;

/// The arguments of `search_content`; at least one of the first three is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchContent {
    /// The words.
    pub matching: Option<Match>,
    /// The name of a collection of this site.
    pub collection: Option<String>,
    /// A tag, as asked.
    pub tag: Option<String>,
    /// How many results, 1 to 25.
    pub limit: usize,
}

/// What to look for, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The words, as asked.
    pub text: String,
    /// The part of the documents.
    pub within: MatchIn,
}

/// A part of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchIn {
    /// The title.
    Title,
    /// The text.
    Body,
    /// The description.
    Description,
    /// Its other names.
    Aliases,
    /// Its tags.
    Tags,
    /// Any of them.
    #[default]
    All,
}

/// The arguments of `submit_feedback`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmitFeedback {
    /// The key, as asked: not yet known to be a UUID.
    pub idempotency_key: String,
    /// The message.
    pub message: String,
    /// One of the words of `kind`.
    pub kind: String,
    /// One of the words of `severity`.
    pub severity: String,
    /// The route it is about, as asked.
    pub about: Option<String>,
}

impl Call {
    /// Reads the raw arguments of a call. `arguments` is the table in the tool's definition.
    ///
    /// # Errors
    /// Every problem of the call.
    pub fn read(tool: Tool, raw: Option<&str>, arguments: &[Field]) -> Result<Call, Refusal> {
        let refusal = |problems| Refusal {
            tool: tool.name().to_owned(),
            writes: !tool.is_read_only(),
            problems,
        };
        let mut values = read(raw, arguments).map_err(refusal)?;
        if tool == Tool::SearchContent {
            some_question(&values, arguments).map_err(|problem| refusal(vec![problem]))?;
        }
        Ok(match tool {
            Tool::ListCollections => Call::ListCollections(limit(&mut values)),
            Tool::ListPages => Call::ListPages(limit(&mut values)),
            Tool::SearchContent => Call::SearchContent(SearchContent {
                matching: values.object("match").map(|mut values| Match {
                    text: required(&mut values, "text"),
                    within: values
                        .text("in")
                        .map(|word| MatchIn::of_word(&word))
                        .unwrap_or_default(),
                }),
                collection: values.text("collection"),
                tag: values.text("tag"),
                limit: limit(&mut values).unwrap_or(10),
            }),
            Tool::GetPost => Call::GetPost {
                slug: required(&mut values, "slug"),
            },
            Tool::ListTags => Call::ListTags(limit(&mut values)),
            Tool::GetPageInfo => Call::GetPageInfo {
                route: required(&mut values, "route"),
            },
            Tool::GetPageMarkdown => Call::GetPageMarkdown {
                route: required(&mut values, "route"),
            },
            Tool::Man => Call::Man {
                topic: values.text("topic"),
            },
            Tool::SubmitFeedback => Call::SubmitFeedback(SubmitFeedback {
                idempotency_key: required(&mut values, "idempotency_key"),
                message: required(&mut values, "message"),
                kind: required(&mut values, "kind"),
                severity: required(&mut values, "severity"),
                about: values.text("about"),
            }),
        })
    }
}

impl CollectionCall {
    /// Reads the raw arguments of a call. `name` is the tool's, `arguments` the table of the operation; `None` where the operation is never served.
    ///
    /// # Errors
    /// Every problem of the call.
    pub fn read(
        operation: Operation,
        name: &str,
        raw: Option<&str>,
        arguments: &[Field],
    ) -> Result<Option<CollectionCall>, Refusal> {
        let mut values = read(raw, arguments).map_err(|problems| Refusal {
            tool: name.to_owned(),
            writes: !operation.is_read_only(),
            problems,
        })?;
        let mut number = |name| {
            values
                .integer(name)
                .map(|number| usize::try_from(number).unwrap_or(usize::MAX))
        };
        let limit = number("limit").unwrap_or(super::generated::LIMIT as usize);
        let offset = number("offset").unwrap_or(0);
        Ok(Some(match operation {
            Operation::List => CollectionCall::List { limit, offset },
            Operation::Get => CollectionCall::Get {
                id: required(&mut values, "id"),
            },
            Operation::Count => CollectionCall::Count,
            Operation::Search => CollectionCall::Search {
                query: required(&mut values, "query"),
                limit,
            },
            _ => return Ok(None),
        }))
    }
}

/// A search needs something to look for.
fn some_question(values: &Values, arguments: &[Field]) -> Result<(), Problem> {
    let names: Vec<String> = arguments
        .iter()
        .map(|field| field.name.to_string())
        .filter(|name| matches!(&**name, "match" | "collection" | "tag"))
        .collect();
    match names.iter().any(|name| values.has(name)) {
        true => Ok(()),
        false => Err(Problem::NoneOf {
            names,
            example: r#"{"match": {"text": "caching"}}"#.into(),
        }),
    }
}

impl MatchIn {
    fn of_word(word: &str) -> MatchIn {
        match word {
            "title" => MatchIn::Title,
            "body" => MatchIn::Body,
            "description" => MatchIn::Description,
            "aliases" => MatchIn::Aliases,
            "tags" => MatchIn::Tags,
            _ => MatchIn::All,
        }
    }
}

fn limit(values: &mut Values) -> Limit {
    values
        .integer("limit")
        .map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// A required argument: the reader has refused every call without it.
fn required(values: &mut Values, name: &str) -> String {
    values.text(name).unwrap_or_default()
}
