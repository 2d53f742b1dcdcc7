//! The page about the tools: what each is for, takes and answers, with calls that were made and what came back.
//!
//! ```text
//! tool-surface.md     for models and for whoever renders markdown
//! tool-surface.html   for people; one file, no script, nothing loaded from elsewhere
//! tools.json          the tools as `tools/list` gives them
//! ```
//!
//! Everything comes from the catalogue that clients are given, and the answers from the code that will serve them.

mod abridged;
mod html;
mod markdown;

use artifact::catalogue::{Definition, Field, Kind, SiteSurface, definitions, grouped, tools};
use artifact::clean::one_line;

use super::File;
use super::answers::Answers;
use crate::assemble::Assembly;
use crate::surface;

/// The page's route, and what its files are called.
const ROUTE: &str = "/tool-surface";

/// The three files.
pub(super) fn files(assembly: &Assembly, answers: &Answers) -> Vec<File> {
    let surface = surface::surface(assembly, true);
    let page = page(assembly, &surface, answers);
    let tools = String::from_utf8(definitions(&surface)).expect("JSON is UTF-8");
    vec![
        File::public("tool-surface.md", markdown::write(&page)),
        File::public("tool-surface.html", html::write(&page)),
        File::public("tools.json", format!("{{\"tools\":{tools}}}\n")),
    ]
}

/// All that the page says, in no form yet.
struct Page {
    site: String,
    url: String,
    author: Option<String>,
    /// The front page of the site.
    home: String,
    /// The endpoint, when it is known.
    endpoint: Option<String>,
    /// Addresses of this page's markdown, of `tools.json` and of `llms.txt` when that is written.
    markdown: String,
    json: String,
    llms: Option<String>,
    tools: Vec<Shown>,
}

/// One tool.
struct Shown {
    name: String,
    title: String,
    category: String,
    description: String,
    /// The hints in words.
    hints: [&'static str; 4],
    writes: bool,
    arguments: Vec<Row>,
    /// Empty when it answers with text.
    answer: Vec<Row>,
    notes: Vec<String>,
    examples: Vec<Shot>,
    see_also: Vec<(String, String)>,
}

/// One argument or one member of an answer.
struct Row {
    /// With the names of what it stands in: `match.text`, `results[].route`.
    name: String,
    kind: String,
    required: bool,
    description: String,
}

/// A call and its answer.
struct Shot {
    what: String,
    call: String,
    /// Shortened, with what is left out said.
    answers: Vec<String>,
}

fn page(assembly: &Assembly, surface: &SiteSurface, answers: &Answers) -> Page {
    let settings = &assembly.site.settings;
    let address = &settings.address;
    let title = one_line(&settings.site.title).into_owned();
    let tools = tools(surface);
    let titles: Vec<String> = tools.iter().map(|tool| tool.name().into_owned()).collect();
    Page {
        site: if title.is_empty() {
            "this site".into()
        } else {
            title
        },
        url: address.url(ROUTE),
        author: settings.site.author.clone(),
        home: address.url("/"),
        endpoint: settings.server.url.clone(),
        markdown: address.file_url("tool-surface.md"),
        json: address.file_url("tools.json"),
        llms: settings.exports.llms.then(|| address.file_url("llms.txt")),
        tools: tools
            .iter()
            .map(|tool| shown(tool, answers, &titles))
            .collect(),
    }
}

fn shown(tool: &Definition, answers: &Answers, known: &[String]) -> Shown {
    let hints = tool.origin.hints();
    let name = tool.name().into_owned();
    let examples = tool.examples.iter().filter_map(|example| {
        let texts = answers.texts(&name, &example.arguments)?;
        Some(Shot {
            what: one_line(&example.what).into_owned(),
            call: abridged::call(&name, &example.arguments),
            answers: texts.iter().map(|text| abridged::text(text)).collect(),
        })
    });
    Shown {
        title: tool.title.to_string(),
        category: tool.category.to_string(),
        description: tool.description.clone(),
        hints: [
            if hints.read_only {
                "read-only"
            } else {
                "writes"
            },
            if hints.destructive {
                "destructive"
            } else {
                "non-destructive"
            },
            if hints.idempotent {
                "idempotent"
            } else {
                "not idempotent"
            },
            "closed world",
        ],
        writes: !hints.read_only,
        arguments: rows(&tool.arguments),
        answer: rows(tool.output.as_deref().unwrap_or_default()),
        notes: tool.notes.clone(),
        examples: examples.collect(),
        see_also: tool
            .see_also
            .iter()
            .filter(|(name, _)| known.iter().any(|known| known == name))
            .map(|(name, what)| (name.to_string(), what.to_string()))
            .collect(),
        name,
    }
}

fn rows(fields: &[Field]) -> Vec<Row> {
    let mut rows = Vec::new();
    add(fields, "", &mut rows);
    rows
}

fn add(fields: &[Field], within: &str, rows: &mut Vec<Row>) {
    for field in fields {
        let name = match within {
            "" => field.name.to_string(),
            within => format!("{within}.{}", field.name),
        };
        rows.push(Row {
            kind: kind(&field.kind),
            required: field.required,
            description: one_line(&field.description).into_owned(),
            name: name.clone(),
        });
        match &field.kind {
            Kind::Object(fields) => add(fields, &name, rows),
            Kind::List(kind) => {
                if let Kind::Object(fields) = &**kind {
                    add(fields, &format!("{name}[]"), rows);
                }
            }
            _ => {}
        }
    }
}

/// A kind with its bounds: `integer, 1 to 25, default 10`.
fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Integer { min, max, default } => {
            let mut text = "integer".to_owned();
            match (*min, max) {
                (i64::MIN, None) => {}
                (min, None) => text.push_str(&format!(", at least {min}")),
                (min, Some(max)) => text.push_str(&format!(", {min} to {max}")),
            }
            if let Some(default) = default {
                text.push_str(&format!(", default {default}"));
            }
            text
        }
        // Answers have no bounds; no caller writes as much as this either.
        Kind::Text { max_chars } if *max_chars < 1_000_000 => {
            format!("string, at most {} characters", grouped(*max_chars))
        }
        Kind::Uuid => "string, a UUID".to_owned(),
        Kind::Choice { options, default } => {
            let mut text = options.join(" | ");
            if let Some(default) = default {
                text.push_str(&format!(", default {default}"));
            }
            text
        }
        Kind::List(of) => format!("list of {}", self::kind(of)),
        other => other.type_name().to_owned(),
    }
}
