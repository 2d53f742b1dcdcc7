//! `builder serve --once`: serves what was just built, calls every tool once over a real connection, and says how each did.
//!
//! It is a client like any other: it opens a session, lists the tools and takes the arguments of its calls from earlier answers. Only the word to
//! search for comes from the artifact, as a person would know one of their own site. Feedback goes to a store that is gone afterwards.
//!
//! ```text
//! list_collections    ok      412 µs
//! get_post            wrong   290 µs  no post has the slug `a`
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use artifact::catalogue::Tool;
use artifact::clean::one_line;
use artifact::format::Artifact;
use artifact::route::slug_of;
use artifact::text::Query;
use runtime::local::{Feedback, ServeOptions, serve_until};
use serde_json::{Value, json};

use crate::serve::Wanted;

/// Longer than any answer takes, shorter than anyone waits.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The key of the message that is sent. The store is empty, so any will do.
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

/// How a tool did.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The tool's name.
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
            Some(wrong) => write!(f, "  {}", one_line(wrong)),
            None => Ok(()),
        }
    }
}

/// Serves, calls every tool once, and stops.
///
/// # Errors
/// When it could not be served.
pub(crate) fn once(wanted: &Wanted) -> Result<Vec<Answer>, String> {
    let store =
        Temporary::new().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let options = ServeOptions {
        address: wanted.address.unwrap_or(any),
        feedback: Feedback::File(store.0.join("feedback.sqlite")),
        private: wanted.private,
        ..ServeOptions::default()
    };
    let known = known(wanted.artifact)?;
    let artifact = wanted.artifact.to_owned();
    let (ready, address) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = std::thread::spawn(move || {
        let stopped = async {
            let _ = stopped.await; // dropped is as good as told
        };
        serve_until(&artifact, &options, stopped, move |address| {
            let _ = ready.send(address); // the caller waits for it
        })
    });
    let answers = address
        .recv()
        .ok()
        .map(|address| Client::new(address).call_all(known));
    drop(stop);
    match server.join() {
        Ok(Ok(())) => {
            answers.ok_or_else(|| "the server stopped before it could be asked".to_owned())
        }
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the server panicked".to_owned()),
    }
}

/// A folder that is gone afterwards.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> std::io::Result<Temporary> {
        let path = std::env::temp_dir().join(format!("shelfmark-once-{}", std::process::id()));
        std::fs::create_dir(&path)?;
        Ok(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // nothing depends on it
    }
}

/// What somebody knows of their own site.
struct Known {
    /// A word of a document's title; none where there is no document.
    word: Option<String>,
    /// The slug of the newest post.
    post: Option<String>,
}

fn known(path: &Path) -> Result<Known, String> {
    let artifact: Artifact<'static> =
        runtime::library::open(path).map_err(|error| error.to_string())?;
    let analyzers = artifact.site().analyzers();
    let word = artifact.pages().newest_first().find_map(|page| {
        let words = Query::read(&analyzers, artifact.title(page)).words;
        words
            .into_iter()
            .max_by_key(|word| word.written.chars().count())
    });
    let is_post = |page: &u32| {
        let mut collections = artifact.collections().iter();
        collections.any(|collection| collection.posts && collection.range().contains(page))
    };
    let post = artifact.pages().newest_first().find(is_post);
    Ok(Known {
        word: word.map(|word| word.written),
        post: post.and_then(|page| Some(slug_of(&artifact.pages().route(page)?).to_owned())),
    })
}

/// A connection to the server.
struct Client {
    url: String,
    agent: ureq::Agent,
    next: u32,
    /// The route of a document of the collection whose tools are being called.
    id: Option<String>,
}

impl Client {
    fn new(address: SocketAddr) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .proxy(None)
            .build();
        Client {
            url: format!("http://{address}/mcp"),
            agent: config.into(),
            next: 1,
            id: None,
        }
    }

    fn call_all(mut self, known: Known) -> Vec<Answer> {
        let mut answers = Vec::new();
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "builder", "version": env!("CARGO_PKG_VERSION")}});
        self.note(&mut answers, "initialize", hello, |result| {
            result["serverInfo"]["name"]
                .as_str()
                .map(drop)
                .ok_or("the server has no name".to_owned())
        });
        let listed = self.note(&mut answers, "tools/list", json!({}), |result| {
            let tools = result["tools"].as_array().map_or(0, Vec::len);
            if tools > 0 {
                Ok(())
            } else {
                Err("no tool is listed".to_owned())
            }
        });
        let listed: Vec<String> = listed["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect();
        // The session itself is not a tool: it is told only when something is wrong with it.
        answers.retain(|answer| answer.wrong.is_some());

        let mut seen: BTreeMap<Tool, Value> = BTreeMap::new();
        for tool in ORDER
            .into_iter()
            .filter(|tool| listed.iter().any(|name| name == tool.name()))
        {
            let result = self.tool(&mut answers, tool, arguments(tool, &seen, &known), &known);
            seen.insert(tool, result);
        }
        for name in listed
            .into_iter()
            .filter(|name| Tool::of_name(name).is_none())
        {
            self.tool_of_collection(&mut answers, name, &known);
        }
        answers
    }

    /// Calls a tool that a collection asked for. Its first document is known from the list that comes before.
    fn tool_of_collection(&mut self, answers: &mut Vec<Answer>, name: String, known: &Known) {
        let arguments = if name.starts_with("get_") {
            json!({"id": self.id.take().unwrap_or_default()})
        } else if name.starts_with("search_") {
            json!({"query": known.word.as_deref().unwrap_or("anything")})
        } else {
            json!({})
        };
        let is_list = name.starts_with("list_");
        // A collection without documents has none to get.
        let nothing = name.starts_with("get_") && arguments["id"] == "";
        let params = json!({"name": name, "arguments": arguments});
        let result = self.note(answers, "tools/call", params, |result| {
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
        if let Some(answer) = answers.last_mut() {
            answer.name = name;
        }
    }

    fn tool(
        &mut self,
        answers: &mut Vec<Answer>,
        tool: Tool,
        arguments: Value,
        known: &Known,
    ) -> Value {
        let params = json!({"name": tool.name(), "arguments": arguments});
        // A site without posts says so; that is the right answer.
        let refuses = tool == Tool::GetPost && known.post.is_none();
        let result = self.note(answers, "tools/call", params.clone(), |result| {
            checked(tool, result, refuses, known)
        });
        let Some(answer) = answers.last_mut() else {
            return result;
        };
        answer.name = tool.name().to_owned();
        if tool == Tool::SubmitFeedback && answer.wrong.is_none() {
            // The same message under the same key is the same message.
            let (again, _) = self.ask("tools/call", &params);
            let facts = |result: &Value| {
                let structured = &result["structuredContent"];
                [&structured["idempotency_key"], &structured["received_at"]].map(Value::to_string)
            };
            answer.wrong = match again {
                Err(wrong) => Some(format!("sent again: {wrong}")),
                Ok(again) if again["isError"] == true => {
                    Some(format!("sent again: {}", text(&again)))
                }
                Ok(again) if facts(&again) != facts(&result) => {
                    Some("sent again it became another message".into())
                }
                Ok(_) => None,
            };
        }
        result
    }

    /// Asks, times, checks, and notes how it went under the method's name.
    fn note(
        &mut self,
        answers: &mut Vec<Answer>,
        method: &str,
        params: Value,
        check: impl FnOnce(&Value) -> Result<(), String>,
    ) -> Value {
        let (result, took) = self.ask(method, &params);
        let (result, wrong) = match result {
            Ok(result) => {
                let wrong = check(&result).err();
                (result, wrong)
            }
            Err(wrong) => (Value::Null, Some(wrong)),
        };
        answers.push(Answer {
            name: method.to_owned(),
            wrong,
            took,
        });
        result
    }

    /// One request: its result, or what is wrong, and how long it took.
    fn ask(&mut self, method: &str, params: &Value) -> (Result<Value, String>, Duration) {
        let body = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
            .to_string();
        let id = self.next;
        self.next += 1;
        let start = Instant::now();
        let sent = self
            .agent
            .post(&self.url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .send(&body);
        let read = sent.and_then(|mut response| {
            let text = response.body_mut().read_to_string()?;
            Ok((response.status().as_u16(), text))
        });
        let took = start.elapsed();
        let result = match read {
            Err(error) => Err(format!("the connection failed: {error}")),
            Ok((200, text)) => match serde_json::from_str::<Value>(&text) {
                Ok(mut answer) if answer["id"] == id && answer["result"].is_object() => {
                    Ok(answer["result"].take())
                }
                _ => Err(format!("no result: {text}")),
            },
            Ok((status, text)) => Err(format!("status {status}: {text}")),
        };
        (result, took)
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
        Tool::SearchContent => match &known.word {
            Some(word) => json!({"match": {"text": word, "in": "all"}}),
            None => json!({"match": {"text": "anything", "in": "all"}}),
        },
        Tool::GetPost => json!({"slug": known.post.as_deref().unwrap_or("none")}),
        Tool::GetPageInfo | Tool::GetPageMarkdown => json!({"route": route}),
        Tool::SubmitFeedback => {
            json!({"idempotency_key": KEY, "message": "`builder serve --once` was here.",
            "kind": "other", "severity": "low", "about": route})
        }
    }
}

/// What is wrong with a tool's answer.
fn checked(tool: Tool, result: &Value, refuses: bool, known: &Known) -> Result<(), String> {
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
    if tool == Tool::SearchContent
        && known.word.is_some()
        && structured["matched"].as_u64().unwrap_or(0) == 0
    {
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
