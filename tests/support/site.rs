//! A site made for one test: files, built into an artifact, served by the real tools.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use artifact::format::Artifact;
use runtime::feedback::Submission;
use runtime::mcp::{Block, Called, ToolResult, Tools};
use runtime::service::SiteTools;
use serde_json::Value;
use serde_json::value::RawValue;

/// A built site with its tools.
pub(crate) struct TestSite {
    pub(crate) tools: SiteTools,
    schemas: BTreeMap<String, Option<jsonschema::Validator>>,
}

/// An answer, taken apart and checked against what the tool promises.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) is_error: bool,
    pub(crate) texts: Vec<String>,
    pub(crate) json: Value,
}

impl Answer {
    /// The text of an answer with one text.
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.texts.len(), 1, "{self:?}");
        &self.texts[0]
    }
}

impl TestSite {
    /// Builds a site from its files and serves it with a store for feedback.
    pub(crate) fn new(files: &[(&str, &str)]) -> TestSite {
        TestSite::with_feedback(files, true)
    }

    /// Builds a site, with or without a store.
    pub(crate) fn with_feedback(files: &[(&str, &str)], feedback: bool) -> TestSite {
        TestSite::serve(build(files).expect("the site is without errors"), feedback)
    }

    /// Builds a site, unless it has errors.
    pub(crate) fn try_new(files: &[(&str, &str)]) -> Option<TestSite> {
        build(files).map(|bytes| TestSite::serve(bytes, true))
    }

    /// Builds the site in a folder.
    pub(crate) fn of_folder(folder: &Path) -> TestSite {
        TestSite::serve(
            build_folder(folder).expect("the site is without errors"),
            true,
        )
    }

    fn serve(bytes: Vec<u8>, feedback: bool) -> TestSite {
        let bytes: &'static [u8] = bytes.leak();
        let artifact = Artifact::open(bytes).expect("the builder writes what the reader reads");
        let tools = SiteTools::new(artifact, feedback).expect("a built site is served");
        let list: Vec<Value> = serde_json::from_slice(tools.list()).expect("the list is JSON");
        let schemas = list
            .into_iter()
            .map(|mut tool| {
                let name = tool["name"].as_str().expect("a tool has a name").to_owned();
                let mut schema = tool["outputSchema"].take();
                // Published schemas are open, so that later servers may say more. Here every key has to be declared.
                close(&mut schema);
                let validator = (!schema.is_null())
                    .then(|| jsonschema::validator_for(&schema).expect("a schema"));
                (name, validator)
            })
            .collect();
        TestSite { tools, schemas }
    }

    /// What a call comes to.
    pub(crate) fn called(&self, tool: &str, arguments: &str) -> Called {
        let raw: Box<RawValue> = serde_json::from_str(arguments).expect("a test sends JSON");
        self.tools.call(tool, Some(&raw))
    }

    /// Calls a tool that answers at once.
    pub(crate) fn call(&self, tool: &str, arguments: &str) -> Answer {
        match self.called(tool, arguments) {
            Called::Found(found) | Called::Missed(found, _) => {
                let quoted = serde_json::Value::from(found.json()).to_string();
                assert_eq!(format!("\"{}\"", found.quoted()), quoted, "both forms");
                let json = found.json().to_owned();
                let result = ToolResult {
                    content: vec![Block::Text(json.clone())],
                    structured: Some(json),
                    is_error: false,
                };
                self.check(tool, result)
            }
            Called::Done(result) => self.check(tool, result),
            other => panic!("{tool} {arguments}: {other:?}"),
        }
    }

    /// Calls a tool that has to succeed, for its structured answer.
    pub(crate) fn json(&self, tool: &str, arguments: &str) -> Value {
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error, "{tool} {arguments}: {answer:?}");
        answer.json
    }

    /// Calls a tool that has to fail, for its text.
    pub(crate) fn error(&self, tool: &str, arguments: &str) -> String {
        let answer = self.call(tool, arguments);
        assert!(answer.is_error, "{tool} {arguments}: {answer:?}");
        answer.text().to_owned()
    }

    /// What a call hands to the store.
    pub(crate) fn submission(&self, arguments: &str) -> Submission {
        match self.called("submit_feedback", arguments) {
            Called::Store(submission) => submission,
            other => panic!("{arguments}: {other:?}"),
        }
    }

    /// Checks the form of an answer: one text with the same JSON, valid by the tool's schema; no structured content in an error.
    pub(crate) fn check(&self, tool: &str, result: ToolResult) -> Answer {
        let texts: Vec<String> = result
            .content
            .into_iter()
            .map(|block| match block {
                Block::Text(text) => text,
                Block::Json(json) => panic!("{tool} answered with {json}"),
            })
            .collect();
        let json = match &result.structured {
            None => Value::Null,
            Some(structured) => {
                assert_eq!(
                    texts.as_slice(),
                    std::slice::from_ref(structured),
                    "{tool}: the text is the same JSON"
                );
                serde_json::from_str(structured).expect("structured content is JSON")
            }
        };
        if result.is_error {
            assert!(json.is_null(), "{tool}: an error has no structured content");
            assert_eq!(texts.len(), 1);
        } else {
            let schema = self.schemas.get(tool).expect("the tool is listed");
            assert_eq!(
                schema.is_some(),
                result.structured.is_some(),
                "{tool}: structured content as promised"
            );
            if let Some(schema) = schema {
                let errors: Vec<String> = schema
                    .iter_errors(&json)
                    .map(|error| error.to_string())
                    .collect();
                assert!(errors.is_empty(), "{tool}: {errors:?}\n{json}");
            }
        }
        assert_no_null(&json);
        Answer {
            is_error: result.is_error,
            texts,
            json,
        }
    }
}

/// Builds files into an artifact, unless the site has errors.
pub(crate) fn build(files: &[(&str, &str)]) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    build_folder(folder.path())
}

/// The day of the build is 2026-11-30.
fn build_folder(folder: &Path) -> Option<Vec<u8>> {
    let options = builder::Options {
        site: folder.to_owned(),
        config: None,
        now: jiff::civil::date(2026, 11, 30),
        output: Vec::new(),
        url: None,
        generator: None,
    };
    let site = builder::read_site(&options, &|_| {}).ok()?;
    if site.problems.errors() > 0 {
        eprintln!("{:?}", site.problems);
        return None;
    }
    let assembly = builder::assemble::assemble(&site);
    Some(
        builder::pack::pack(&assembly, &|_| {})
            .expect("the site can be packed")
            .bytes,
    )
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.contains_key("properties")
                && members.get("type").is_some_and(|kind| kind == "object")
            {
                members.insert("additionalProperties".into(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn assert_no_null(json: &Value) {
    match json {
        Value::Object(members) => members.values().for_each(|value| {
            assert!(!value.is_null(), "an absent fact is an absent key: {json}");
            assert_no_null(value);
        }),
        Value::Array(items) => items.iter().for_each(assert_no_null),
        _ => {}
    }
}
