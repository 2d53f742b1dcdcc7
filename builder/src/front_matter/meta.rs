//! The front matter keys that Shelfmark knows.
//!
//! Keys are known in any letter case and by the names that the usual generators give them. What a key cannot mean is told
//! with its line and the page goes on without it, but for the keys that hide: whatever stands at `draft` and is not a clear
//! no hides the page, because the other mistake cannot be taken back.
//!
//! | meaning | keys |
//! |---|---|
//! | title | `title` |
//! | description | `description`, `summary` |
//! | date | `date`, `published` when it is a date |
//! | updated | `updated`, `lastmod`, `last_modified`, `last_modified_at`, `last_update` |
//! | tags | the settings' keys, and `taxonomies.tags` |
//! | other names | `aliases`; addresses among them are left out |
//! | route | `url`, `permalink`, `slug` |
//! | hidden | `draft`, `private`, `unlisted`, `hidden`, `published: false`, `publishDate`, `expiryDate` |
//! | language | `lang`, `language` |
//! | author | `author`, `authors` |

use artifact::clean::one_line;
use jiff::civil;

use super::date::{self, Date};
use super::value::{Entry, Node, Scalar, Value, find, find_path};
use crate::problem::Problem;

/// What a page says about itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meta {
    /// The title, if there is one that is not blank.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The author's or authors' names.
    pub author: Option<String>,
    /// The date as it will be shown, and what it was understood as.
    pub date: Option<Written>,
    /// When the page was last changed.
    pub updated: Option<Written>,
    /// The tags, in the order written.
    pub tags: Vec<TagWritten>,
    /// Other names of the page's subject.
    pub aliases: Vec<String>,
    /// The last part of the route, or the whole of it when it starts with `/`.
    pub slug: Option<String>,
    /// The whole route.
    pub url: Option<String>,
    /// A route with holes in it, such as `/:year/{{ slug }}/`, for the generator that knows how to fill them: as written, with its line.
    pub url_pattern: Option<(String, u32)>,
    /// The language.
    pub language: Option<String>,
    /// Why the page is not published.
    pub hidden: Option<Hidden>,
}

/// A date as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text to show.
    pub text: String,
    /// What it means; none when it is not understood.
    pub date: Option<Date>,
    /// Its line.
    pub line: u32,
}

/// A tag as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagWritten {
    /// The tag.
    pub text: String,
    /// Its line.
    pub line: u32,
}

/// Why a page is not published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// The key and value that say so, or a reason in words.
    pub why: String,
    /// Whether the page is only too early: its date is in the future. Some generators can be told to publish such pages.
    pub is_early: bool,
}

impl Hidden {
    /// Hidden for a reason that is not its date.
    pub fn of(why: impl Into<String>) -> Hidden {
        Hidden {
            why: why.into(),
            is_early: false,
        }
    }
}

impl Meta {
    /// Publishes a page that is only too early, for generators that publish what is dated in the future.
    pub(crate) fn show_early(&mut self) {
        self.hidden = self.hidden.take().filter(|hidden| !hidden.is_early);
    }
}

/// Keys that hide a page when they are true.
const HIDING: &[&str] = &["draft", "private", "unlisted", "hidden"];
const UPDATED: &[&str] = &[
    "updated",
    "lastmod",
    "last_modified",
    "last_modified_at",
    "last_update",
];
const PUBLISH: &[&str] = &["publishDate", "publish_date"];
const EXPIRY: &[&str] = &["expiryDate", "expiry_date"];

/// Reads the keys of one file. `tag_keys` are the settings' keys for tags, `now` is the day of the build.
pub fn meta(
    map: &[Entry],
    file: &str,
    tag_keys: &[String],
    now: civil::Date,
) -> (Meta, Vec<Problem>) {
    let mut reader = Reader {
        map,
        file,
        problems: Vec::new(),
    };
    let mut meta = Meta {
        title: reader.line("title"),
        description: reader
            .line("description")
            .or_else(|| reader.line("summary")),
        author: reader.author(),
        date: reader.date(&["date"]).or_else(|| published_date(map)),
        updated: reader.date(UPDATED),
        tags: reader.tags(tag_keys),
        aliases: reader.aliases(),
        slug: reader.line("slug"),
        url: None,
        url_pattern: None,
        language: reader.line("lang").or_else(|| reader.line("language")),
        hidden: None,
    };
    reader.address(&mut meta);
    reader.hiding(&mut meta, now);
    (meta, reader.problems)
}

/// Some generators date a page with `published: 2024-05-01`.
fn published_date(map: &[Entry]) -> Option<Written> {
    let entry = find(map, "published")?;
    let date = date::parse(entry.node.text()?)?;
    Some(Written {
        text: date.text.clone(),
        date: Some(date),
        line: entry.line,
    })
}

struct Reader<'a> {
    map: &'a [Entry],
    file: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn warn(&mut self, line: u32, what: String) -> &mut Problem {
        self.problems
            .push(Problem::warning(self.file, what).at(line));
        self.problems.last_mut().expect("one was pushed just now")
    }

    /// A text on one line; blank is absent.
    fn line(&mut self, key: &str) -> Option<String> {
        let entry = find(self.map, key)?;
        if entry.node.is_blank() {
            return None;
        }
        let Some(text) = entry.node.text() else {
            let (line, kind) = (entry.line, entry.node.kind());
            self.warn(line, format!("`{key}` is text; got {kind}"));
            return None;
        };
        Some(one_line(text).into_owned()).filter(|text| !text.is_empty())
    }

    fn author(&mut self) -> Option<String> {
        let entry = find(self.map, "author").or_else(|| find(self.map, "authors"))?;
        let mut names = Vec::new();
        author_names(&entry.node, &mut names);
        let names = names.join(", ");
        Some(one_line(&names).into_owned()).filter(|names| !names.is_empty())
    }

    fn date(&mut self, keys: &[&str]) -> Option<Written> {
        let map = self.map;
        for key in keys {
            let Some(entry) = find(map, key) else {
                continue;
            };
            // Docusaurus writes a table: `last_update: {date: …}`.
            let node = match &entry.node.value {
                Value::Map(inner) => match find(inner, "date") {
                    Some(entry) => &entry.node,
                    None => continue,
                },
                _ => &entry.node,
            };
            let Some(text) = node.text().map(str::trim).filter(|text| !text.is_empty()) else {
                continue;
            };
            let date = date::parse(text);
            // `lastmod: false` switches it off.
            if date.is_none()
                && matches!(
                    node.value,
                    Value::Scalar {
                        kind: Scalar::Boolean(_),
                        ..
                    }
                )
            {
                continue;
            }
            let text = match &date {
                Some(date) => date.text.clone(),
                None => {
                    let help = "write `2024-05-01`, or `2024-05-01T10:00:00+02:00` with a time";
                    let problem = self.warn(
                        node.line,
                        format!("`{key}: {text}` is no date that is understood"),
                    );
                    *problem = problem.clone().help(help);
                    one_line(text).into_owned()
                }
            };
            return Some(Written {
                text,
                date,
                line: node.line,
            });
        }
        None
    }

    fn tags(&mut self, keys: &[String]) -> Vec<TagWritten> {
        let map = self.map;
        let mut tags: Vec<TagWritten> = Vec::new();
        let zola = keys
            .iter()
            .any(|key| key == "tags")
            .then_some("taxonomies.tags");
        for key in keys.iter().map(String::as_str).chain(zola) {
            let Some(entry) = find_path(map, key) else {
                continue;
            };
            match &entry.node.value {
                Value::List(items) => {
                    for item in items {
                        // Docusaurus writes a table as well: `{label: Hot water, permalink: /hot}`.
                        let label = match &item.value {
                            Value::Map(table) => find(table, "label").map(|entry| &entry.node),
                            _ => None,
                        };
                        if let Some(text) = label.unwrap_or(item).text() {
                            push_tag(&mut tags, text, item.line);
                        } else if !item.is_null() {
                            self.warn(item.line, format!("a tag is text; got {}", item.kind()));
                        }
                    }
                }
                Value::Scalar { .. } => {
                    for text in entry.node.text().unwrap_or_default().split(',') {
                        push_tag(&mut tags, text, entry.node.line);
                    }
                }
                Value::Map(_) => {
                    self.warn(
                        entry.line,
                        format!("`{key}` is a list of tags; got a table"),
                    );
                }
            }
        }
        tags
    }

    fn aliases(&mut self) -> Vec<String> {
        let Some(entry) = find(self.map, "aliases") else {
            return Vec::new();
        };
        let items: Vec<&Node> = match &entry.node.value {
            Value::List(items) => items.iter().collect(),
            _ => vec![&entry.node],
        };
        let mut names: Vec<String> = Vec::new();
        for text in items.into_iter().filter_map(Node::text) {
            let name = one_line(text).into_owned();
            if !name.is_empty() && !is_address(&name) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn address(&mut self, meta: &mut Meta) {
        let map = self.map;
        for key in ["url", "permalink"] {
            let Some(entry) = find(map, key) else {
                continue;
            };
            if let Value::Scalar {
                kind: Scalar::Boolean(false),
                ..
            } = entry.node.value
            {
                meta.hidden = Some(Hidden::of(format!("`{key}: false`")));
                continue;
            }
            let Some(text) = entry
                .node
                .text()
                .map(str::trim)
                .filter(|text| !text.is_empty())
            else {
                continue;
            };
            let template = text.contains("{{")
                || text.contains("{%")
                || text.split('/').any(|part| part.starts_with(':'));
            if template {
                meta.url_pattern = Some((format!("{key}: {text}"), entry.line));
            } else if meta.url.is_none()
                && (key == "permalink" || text.starts_with('/') || text.contains("://"))
            {
                meta.url = Some(text.to_owned());
            }
        }
    }

    fn hiding(&mut self, meta: &mut Meta, now: civil::Date) {
        let map = self.map;
        // Every entry is looked at, in whatever case: `Draft: true` beside `draft: false` hides.
        for entry in map {
            let key = entry.key.trim().to_lowercase();
            let says = truth(&entry.node);
            let shown = entry.node.text().unwrap_or(entry.node.kind());
            if HIDING.contains(&key.as_str()) {
                if says.is_none() {
                    let what = format!(
                        "`{key}: {shown}` is neither true nor false; the page is not published"
                    );
                    self.warn(entry.line, what);
                }
                if says != Some(false) {
                    meta.hidden
                        .get_or_insert(Hidden::of(format!("`{key}: {shown}`")));
                }
            }
            if key == "published" && says == Some(false) && !entry.node.is_null() {
                meta.hidden
                    .get_or_insert(Hidden::of(format!("`{key}: {shown}`")));
            }
        }
        let publish = self.date(PUBLISH);
        let expiry = self.date(EXPIRY);
        let after = |written: &Option<Written>| {
            written
                .as_ref()
                .and_then(|w| w.date.as_ref())
                .map(|date| date.is_after(now))
        };
        for (name, written) in [("date", &meta.date), ("publishDate", &publish)] {
            if let (Some(true), Some(written)) = (after(written), written) {
                let why = format!("`{name}: {}` is in the future", written.text);
                meta.hidden.get_or_insert(Hidden {
                    why,
                    is_early: true,
                });
            }
        }
        if let (Some(false), Some(written)) = (after(&expiry), &expiry) {
            let why = format!("`expiryDate: {}` has passed", written.text);
            meta.hidden.get_or_insert(Hidden::of(why));
        }
    }
}

/// Yes, no, or neither. Nothing is a no.
fn truth(node: &Node) -> Option<bool> {
    match &node.value {
        Value::Scalar {
            kind: Scalar::Null, ..
        } => Some(false),
        Value::Scalar {
            kind: Scalar::Boolean(yes),
            ..
        } => Some(*yes),
        Value::Scalar { text, .. } => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" | "y" | "1" => Some(true),
            "false" | "no" | "off" | "n" | "0" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn push_tag(tags: &mut Vec<TagWritten>, text: &str, line: u32) {
    let text = one_line(text).into_owned();
    if !text.is_empty() {
        tags.push(TagWritten { text, line });
    }
}

/// An alias that redirects an old address here, rather than naming the subject.
fn is_address(alias: &str) -> bool {
    alias.starts_with(['/', '.']) && alias.contains('/')
        || alias.contains("://")
        || alias.ends_with('/')
        || alias.ends_with(".html")
}

fn author_names<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
    match &node.value {
        Value::Scalar { .. } => {
            names.extend(node.text().map(str::trim).filter(|name| !name.is_empty()))
        }
        Value::List(items) => items.iter().for_each(|item| author_names(item, names)),
        Value::Map(map) => {
            if let Some(entry) = find(map, "name").or_else(|| find(map, "title")) {
                author_names(&entry.node, names);
            }
        }
    }
}
