//! Calls every tool of a server over a real connection and says what is wrong: after a deploy (`runtime smoke URL`), and of what was just built
//! (`builder serve --once`).
//!
//! That a server answers `tools/list` does not prove that its tools answer, and that it answers a client of one generation does not prove that it answers the
//! other. So each tool is called, in each [`Era`], with arguments that come from earlier answers, and each answer is compared with the form that the server
//! promised for it.
//!
//! ```text
//! legacy  list_collections    ok      412 µs
//! modern  get_post            wrong   290 µs  no post has the slug `a`
//! ```

mod client;
mod rules;
mod shape;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use artifact::catalogue::Tool;
use artifact::clean::one_line;
use serde_json::{Value, json};

use crate::mcp::Era;
pub use client::{Client, Target};

/// The key of the message that is sent: always the same, so that a store keeps one of them however often this runs.
const KEY: &str = "6f2c1f0e-6d0b-4c1c-9a53-0d1c5b7f2a10";

/// The calls in an order in which each finds its arguments in earlier answers.
const ORDER: [Tool; 9] = [
    Tool::ListCollections,
    Tool::ListPages,
    Tool::ListTags,
    Tool::SearchContent,
    Tool::GetPost,
    Tool::GetPageInfo,
    Tool::GetPageMarkdown,
    Tool::Man,
    Tool::SubmitFeedback,
];

/// How a tool, or a rule of the protocol, did.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The generation that it was asked in.
    pub era: Era,
    /// The tool's name, or what was asked.
    pub name: String,
    /// What is wrong with its answer.
    pub wrong: Option<String>,
    /// How long it took, there and back.
    pub took: Duration,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ok = if self.wrong.is_none() { "ok" } else { "wrong" };
        let name = one_line(&self.name);
        write!(f, "{name:<18} {ok:<5} {:>7} µs", self.took.as_micros())?;
        match &self.wrong {
            Some(wrong) => write!(f, "  {}", shortened(&one_line(wrong))),
            None => Ok(()),
        }
    }
}

/// What somebody knows of a site before asking.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// A word of a document's title; none where there is no document.
    pub word: Option<String>,
    /// The slug of the newest post; none where there is no post.
    pub post: Option<String>,
}

/// What is called.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What is known of the site. `None`: it is found out from the server.
    pub known: Option<Known>,
    /// Whether a message is sent where the server takes them.
    pub feedback: bool,
}

/// Opens a session of one generation and calls every tool that is listed. How the session did is told only when something is wrong with it.
pub fn call_all(target: &Target, era: Era, wanted: &Wanted) -> Vec<Answer> {
    let mut run = Run {
        client: Client::new(target, era),
        answers: Vec::new(),
        schemas: BTreeMap::new(),
        known: wanted.known.clone().unwrap_or_default(),
        seen: BTreeMap::new(),
        id: None,
    };
    let listed = run.open();
    run.answers.retain(|answer| answer.wrong.is_some());
    for tool in ORDER {
        let is_listed = listed.iter().any(|name| name == tool.name());
        if !is_listed || tool == Tool::SubmitFeedback && !wanted.feedback {
            continue;
        }
        if tool == Tool::SearchContent && wanted.known.is_none() {
            run.find_out();
        }
        run.tool(tool);
    }
    for name in listed {
        if Tool::of_name(&name).is_none() {
            run.tool_of_collection(name);
        }
    }
    run.answers
}

/// Asks for what is not there and what is not allowed, and compares how the server says so.
pub fn check_rules(target: &Target) -> Vec<Answer> {
    rules::check(target)
}

/// One generation under way.
struct Run {
    client: Client,
    answers: Vec<Answer>,
    /// The output schemas of tools, by name.
    schemas: BTreeMap<String, Value>,
    known: Known,
    seen: BTreeMap<Tool, Value>,
    /// The route of a document of the collection whose tools are being called.
    id: Option<String>,
}

impl Run {
    /// The names of all tools.
    fn open(&mut self) -> Vec<String> {
        match self.client.era() {
            Era::Legacy => {
                let hello = json!({"protocolVersion": client::LEGACY, "capabilities": {},
                    "clientInfo": client::info()});
                self.note("initialize", hello, |result| {
                    let is_text = result["serverInfo"]["name"].is_string();
                    is_text
                        .then_some(())
                        .ok_or("the server has no name".to_owned())
                });
            }
            Era::Modern => {
                self.note("server/discover", json!({}), |result| {
                    let versions = result["supportedVersions"].as_array();
                    let is_there =
                        versions.is_some_and(|all| all.iter().any(|v| *v == client::MODERN));
                    let wrong =
                        || format!("{} is not among the supported versions", client::MODERN);
                    is_there.then_some(()).ok_or_else(wrong)
                });
            }
        }
        let listed = self.note("tools/list", json!({}), |result| {
            let is_empty = result["tools"].as_array().is_none_or(Vec::is_empty);
            (!is_empty)
                .then_some(())
                .ok_or("no tool is listed".to_owned())
        });
        let mut names = Vec::new();
        for tool in listed["tools"].as_array().into_iter().flatten() {
            let Some(name) = tool["name"].as_str() else {
                continue;
            };
            if let Some(schema) = tool.get("outputSchema") {
                self.schemas.insert(name.to_owned(), schema.clone());
            }
            names.push(name.to_owned());
        }
        names
    }

    /// Learns a word and a post from the server itself, as a person would who browses.
    fn find_out(&mut self) {
        let listed = self.seen.get(&Tool::ListCollections);
        let collections = listed.map(|result| &result["structuredContent"]["collections"]);
        let name = |collection: &Value| collection["name"].as_str().map(str::to_owned);
        let collections: Vec<String> = collections
            .and_then(Value::as_array)
            .map(|all| all.iter().filter_map(name).collect())
            .unwrap_or_default();
        for collection in collections {
            let arguments = json!({"collection": collection, "limit": 5});
            let params = json!({"name": Tool::SearchContent.name(), "arguments": arguments});
            let Ok(found) = self.client.ask("tools/call", &params).0 else {
                continue;
            };
            let rows = found["structuredContent"]["results"].as_array();
            for row in rows.into_iter().flatten() {
                if self.known.word.is_none() {
                    self.known.word = row["title"].as_str().and_then(longest_word);
                }
                let Some(slug) = row["slug"].as_str() else {
                    continue;
                };
                let params = json!({"name": Tool::GetPost.name(), "arguments": {"slug": slug}});
                let is_post = self.known.post.is_none()
                    && matches!(self.client.ask("tools/call", &params).0, Ok(post) if post["isError"] != true);
                if is_post {
                    self.known.post = Some(slug.to_owned());
                }
            }
        }
    }

    fn tool(&mut self, tool: Tool) {
        let arguments = arguments(tool, &self.seen, &self.known);
        let params = json!({"name": tool.name(), "arguments": arguments});
        // A site without posts says so; that is the right answer.
        let refuses = tool == Tool::GetPost && self.known.post.is_none();
        let has_word = self.known.word.is_some();
        let result = self.call(tool.name(), &params, |result| {
            checked(tool, result, refuses, has_word)
        });
        if tool == Tool::SubmitFeedback {
            self.again(&params, &result);
        }
        self.seen.insert(tool, result);
    }

    /// The same message under the same key is the same message.
    fn again(&mut self, params: &Value, first: &Value) {
        let Some(answer) = self
            .answers
            .last_mut()
            .filter(|answer| answer.wrong.is_none())
        else {
            return;
        };
        let facts = |result: &Value| {
            let structured = &result["structuredContent"];
            [&structured["idempotency_key"], &structured["received_at"]].map(Value::to_string)
        };
        answer.wrong = match self.client.ask("tools/call", params).0 {
            Err(wrong) => Some(format!("sent again: {wrong}")),
            Ok(again) if again["isError"] == true => Some(format!("sent again: {}", text(&again))),
            Ok(again) if facts(&again) != facts(first) => {
                Some("sent again it became another message".into())
            }
            Ok(_) => None,
        };
    }

    /// Calls a tool that a collection asked for. Its first document is known from the list that comes before.
    fn tool_of_collection(&mut self, name: String) {
        let arguments = if name.starts_with("get_") {
            json!({"id": self.id.take().unwrap_or_default()})
        } else if name.starts_with("search_") {
            json!({"query": self.known.word.as_deref().unwrap_or("anything")})
        } else {
            json!({})
        };
        let is_list = name.starts_with("list_");
        // A collection without documents has none to get.
        let nothing = name.starts_with("get_") && arguments["id"] == "";
        let params = json!({"name": name, "arguments": arguments});
        let result = self.call(&name, &params, |result| {
            match (result["isError"] == true, nothing) {
                (false, true) => Err("nothing was asked for, and something was found".into()),
                (true, false) => Err(text(result)),
                _ => Ok(()),
            }
        });
        if is_list {
            let first = &result["structuredContent"]["docs"][0];
            self.id = first["route"].as_str().map(str::to_owned);
        }
    }

    /// Calls a tool, checks its answer, and compares it with the output schema.
    fn call(
        &mut self,
        name: &str,
        params: &Value,
        check: impl FnOnce(&Value) -> Result<(), String>,
    ) -> Value {
        let schema = self.schemas.get(name).cloned();
        let result = self.note("tools/call", params.clone(), |result| {
            check(result)?;
            match schema {
                Some(schema) if result["isError"] != true => {
                    shape::fits(&schema, &result["structuredContent"])
                }
                _ => Ok(()),
            }
        });
        if let Some(answer) = self.answers.last_mut() {
            answer.name = name.to_owned();
        }
        result
    }

    /// Asks, times, checks, and notes how it went under the method's name.
    fn note(
        &mut self,
        method: &str,
        params: Value,
        check: impl FnOnce(&Value) -> Result<(), String>,
    ) -> Value {
        let (result, took) = self.client.ask(method, &params);
        let (result, wrong) = match result {
            Ok(result) => {
                let wrong = check(&result).err();
                (result, wrong)
            }
            Err(wrong) => (Value::Null, Some(wrong)),
        };
        self.answers.push(Answer {
            era: self.client.era(),
            name: method.to_owned(),
            wrong,
            took,
        });
        result
    }
}

/// Arguments for a tool, from what earlier calls answered.
fn arguments(tool: Tool, seen: &BTreeMap<Tool, Value>, known: &Known) -> Value {
    let structured = |tool: Tool| seen.get(&tool).map(|result| &result["structuredContent"]);
    let first = |tool: Tool, list: &str| {
        structured(tool)
            .map(|answer| answer[list][0].clone())
            .unwrap_or_default()
    };
    let found = first(Tool::SearchContent, "results");
    let route = match &found["route"] {
        Value::String(route) => route.clone(),
        _ => first(Tool::ListPages, "pages")["route"]
            .as_str()
            .unwrap_or("/")
            .to_owned(),
    };
    match tool {
        Tool::ListCollections | Tool::ListPages | Tool::ListTags | Tool::Man => json!({}),
        Tool::SearchContent => {
            let word = known.word.as_deref().unwrap_or("anything");
            json!({"match": {"text": word, "in": "all"}})
        }
        Tool::GetPost => json!({"slug": known.post.as_deref().unwrap_or("none")}),
        Tool::GetPageInfo | Tool::GetPageMarkdown => json!({"route": route}),
        // Always the same content, as the key asks for.
        Tool::SubmitFeedback => json!({"idempotency_key": KEY, "kind": "other", "severity": "low",
            "message": "A check of this server sent this message, and sends the same one each time it runs."}),
    }
}

/// What is wrong with a tool's answer.
fn checked(tool: Tool, result: &Value, refuses: bool, has_word: bool) -> Result<(), String> {
    let text = text(result);
    if (result["isError"] == true) != refuses {
        return Err(text);
    }
    if matches!(tool, Tool::GetPageMarkdown | Tool::Man) {
        // The text is the page's own, and a page may be nothing but its front matter.
        let is_text = result["content"][0]["text"].is_string();
        return is_text
            .then_some(())
            .ok_or_else(|| "the answer has no text".to_owned());
    }
    if refuses {
        return Ok(());
    }
    let structured = &result["structuredContent"];
    if serde_json::from_str::<Value>(&text).ok().as_ref() != Some(structured) {
        return Err("the text and the structured content differ".into());
    }
    if tool == Tool::SearchContent && has_word && structured["matched"].as_u64().unwrap_or(0) == 0 {
        return Err("a word of the site is not found".into());
    }
    Ok(())
}

fn text(result: &Value) -> String {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The word of a title that says most.
fn longest_word(title: &str) -> Option<String> {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let longest = words.max_by_key(|word| word.chars().count())?;
    (!longest.is_empty()).then(|| longest.to_owned())
}

/// The beginning of a text that may be a whole answer.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
