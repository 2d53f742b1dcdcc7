//! `builder catalogue`: the tools of a site as data, for people, for other servers, and what they cost.
//!
//! Nothing is written and nothing is built. The definitions are those of [`artifact::catalogue::tools`]; with them come, when asked for, the tools that
//! would write to a collection, which this project describes and does not serve.

use std::fmt::Write as _;

use artifact::catalogue::{
    Definition, FieldSchema, Operation, Origin, SiteSurface, grouped, tools, write_tools,
};
use artifact::clean::one_line;
use serde_json::{Map, Value, json};

use crate::assemble::Assembly;
use crate::surface::surface;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Whether the tools that would write to a collection are there as well.
    pub write_tools: bool,
    /// Only the tools of this collection.
    pub collection: Option<String>,
}

/// The tools that are asked for, feedback among them when the site takes it.
///
/// # Errors
/// When there is no such collection, or it has no tools: in words.
pub fn catalogue(assembly: &Assembly, asked: &Asked) -> Result<Catalogue, String> {
    let surface = surface(assembly, true);
    if let Some(name) = &asked.collection {
        let found = surface.collections.iter().find(|it| it.name == *name);
        let with_tools: Vec<&str> = surface
            .collections
            .iter()
            .filter(|it| it.tools.is_some())
            .map(|it| it.name.as_str())
            .collect();
        let has = match with_tools.as_slice() {
            [] => "no collection has tools".to_owned(),
            names => format!("tools have {}", names.join(", ")),
        };
        match found {
            None => {
                return Err(format!(
                    "there is no collection `{}`\n  help: {has}",
                    one_line(name)
                ));
            }
            Some(collection) if collection.tools.is_none() => {
                return Err(format!(
                    "the collection `{name}` has no tools\n  help: say `tools = true` under its `[[collections]]`; {has}"
                ));
            }
            Some(_) => {}
        }
    }
    let of = |collection: &Option<String>, tool: &Definition| match (collection, &tool.origin) {
        (None, _) => true,
        (Some(wanted), Origin::Collection { collection, .. }) => wanted == collection,
        (Some(_), Origin::Site(_)) => false,
    };
    let mut all = tools(&surface);
    if asked.write_tools {
        all.extend(surface.collections.iter().flat_map(write_tools));
    }
    all.retain(|tool| of(&asked.collection, tool));
    Ok(Catalogue {
        tools: all,
        surface,
    })
}

/// The tools that were asked for.
#[derive(Debug)]
pub struct Catalogue {
    tools: Vec<Definition>,
    surface: SiteSurface,
}

impl Catalogue {
    /// The definitions as data: what MCP has of a tool, and what a dispatcher and a reader need beside it.
    pub fn to_json(&self) -> Value {
        self.tools.iter().map(|tool| self.tool(tool)).collect()
    }

    fn tool(&self, tool: &Definition) -> Value {
        let mut value = json!(tool);
        let Some(map) = value.as_object_mut() else {
            return value;
        };
        map.insert("summary".into(), tool.summary.as_str().into());
        map.insert("category".into(), tool.category.as_ref().into());
        if let Origin::Collection {
            collection,
            operation,
            ..
        } = &tool.origin
        {
            map.insert("collection".into(), collection.as_str().into());
            map.insert("operation".into(), operation.as_str().into());
            if *operation == Operation::UpdateField {
                map.insert("fieldSchemas".into(), self.field_schemas(tool).into());
            }
        }
        let example = |example: &artifact::catalogue::Example| {
            let arguments: Value = serde_json::from_str(&example.arguments).unwrap_or_default();
            json!({"what": example.what, "arguments": arguments})
        };
        map.insert(
            "examples".into(),
            tool.examples.iter().map(example).collect(),
        );
        map.insert("notes".into(), json!(tool.notes));
        let see = tool
            .see_also
            .iter()
            .map(|(name, why)| json!({"name": name, "why": why}));
        map.insert("seeAlso".into(), see.collect());
        value
    }

    /// The schema of each field that a call can change: those of the tool that creates a document, but for its slug and its text.
    fn field_schemas(&self, tool: &Definition) -> Map<String, Value> {
        let Origin::Collection { collection, .. } = &tool.origin else {
            return Map::new();
        };
        let of = self
            .surface
            .collections
            .iter()
            .find(|it| it.name == *collection);
        let written = of.map(write_tools).unwrap_or_default();
        let create = written.iter().find(|other| {
            matches!(
                other.origin,
                Origin::Collection {
                    operation: Operation::Create,
                    ..
                }
            )
        });
        let fields = create.into_iter().flat_map(|tool| &tool.arguments);
        fields
            .filter(|field| !matches!(&*field.name, "slug" | "body"))
            .map(|field| (field.name.to_string(), json!(FieldSchema(field))))
            .collect()
    }

    /// The definitions for people: a line each, by category.
    pub fn told(&self) -> String {
        let mut out = String::new();
        let mut category = "";
        for tool in &self.tools {
            if tool.category != category {
                let space = if out.is_empty() { "" } else { "\n" };
                category = &tool.category;
                let _ = writeln!(out, "{space}{}", one_line(category));
            }
            let arguments: Vec<String> = tool
                .arguments
                .iter()
                .map(|field| match field.required {
                    true => field.name.to_string(),
                    false => format!("[{}]", field.name),
                })
                .collect();
            let call = format!("{} {}", tool.name(), arguments.join(" "));
            let _ = writeln!(
                out,
                "  {}\n      {}",
                call.trim_end(),
                one_line(&tool.summary)
            );
        }
        out
    }

    /// What a client's model is sent for each tool, in tokens, by [`tokens`].
    pub fn budget(&self) -> Vec<(String, usize)> {
        let cost = |tool: &Definition| {
            let json = serde_json::to_string(tool).unwrap_or_default();
            (tool.name().into_owned(), tokens(&json))
        };
        self.tools.iter().map(cost).collect()
    }

    /// The same by who has the tools: those that every site has, then those of each collection.
    fn shares(&self) -> Vec<(String, usize)> {
        let mut shares: Vec<(String, usize)> = Vec::new();
        for (tool, (_, tokens)) in self.tools.iter().zip(self.budget()) {
            let owner = match &tool.origin {
                Origin::Site(_) => "for the tools of every site".to_owned(),
                Origin::Collection { collection, .. } => {
                    format!("for the tools of {}", one_line(collection))
                }
            };
            match shares.iter_mut().find(|(name, _)| *name == owner) {
                Some((_, sum)) => *sum += tokens,
                None => shares.push((owner, tokens)),
            }
        }
        shares
    }

    /// The same as text: a line a tool, and the sums.
    pub fn budget_told(&self) -> String {
        let costs = self.budget();
        let all: usize = costs.iter().map(|(_, tokens)| tokens).sum();
        let shares = Some(self.shares()).filter(|shares| shares.len() > 1);
        let sums = shares.into_iter().flatten();
        let last = ("in all, estimated tokens of `tools/list`".to_owned(), all);
        let mut out = String::new();
        for (name, tokens) in costs.into_iter().chain(sums).chain([last]) {
            let _ = writeln!(out, "{:>7}  {name}", grouped(tokens));
        }
        out
    }

    /// The same as data: `{"tools": [{"name": "man", "tokens": 132}], "tokens": 132}`.
    pub fn budget_json(&self) -> Value {
        let costs = self.budget();
        let all: usize = costs.iter().map(|(_, tokens)| tokens).sum();
        let tools: Value = costs
            .into_iter()
            .map(|(name, tokens)| json!({"name": name, "tokens": tokens}))
            .collect();
        json!({"tools": tools, "tokens": all})
    }
}

/// About how many tokens a text of JSON in English is for a language model.
///
/// An estimate that needs no vocabulary: a word is one token up to eight letters and one more for every five beyond, each part of a name that `_` joins is a word of
/// its own, three digits are one token, and so are up to four signs in a row, as JSON has them between its words. For the tools of the demo site and of five real ones it is
/// within 8 % of `o200k_base`, tool by tool, and within 2 % over all; `tests/exports/check.py` compares the two.
pub fn tokens(text: &str) -> usize {
    #[derive(PartialEq, Clone, Copy)]
    enum Run {
        Letters,
        Digits,
        Signs,
        Space,
    }
    let kind = |c: char| match c {
        c if c.is_alphabetic() => Run::Letters,
        c if c.is_numeric() => Run::Digits,
        c if c.is_whitespace() => Run::Space,
        _ => Run::Signs,
    };
    let cost = |run: Run, length: usize| match run {
        Run::Letters => 1 + length.saturating_sub(8).div_ceil(5),
        Run::Digits => length.div_ceil(3),
        Run::Signs => length.div_ceil(4),
        // A single space belongs to the word behind it.
        Run::Space => length.saturating_sub(1).div_ceil(8),
    };
    let mut all = 0;
    let (mut run, mut length) = (Run::Space, 0);
    for c in text.chars() {
        let next = kind(c);
        if next != run {
            all += cost(run, length);
            (run, length) = (next, 0);
        }
        // Beyond ASCII a letter is often a token of its own, or half of one.
        length += if c.is_ascii() { 1 } else { 4 };
    }
    all + cost(run, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_of_tokens_is_about_right() {
        for (text, estimate) in [
            ("", 0),
            ("Find documents, best first.", 7),
            ("get_page_markdown", 5),
            (r#"{"type":"string"}"#, 5),
            ("262144", 2),
            ("internationalisation", 4),
        ] {
            assert_eq!(tokens(text), estimate, "{text}");
        }
    }
}
