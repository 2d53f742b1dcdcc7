//! What a file says with the defaults below it: front matter defaults, categories, tags, titles.

use super::super::settings::{self, Config};
use super::{said, tag};
use crate::config::names;
use crate::front_matter::meta::TagWritten;
use crate::front_matter::{Entry, Value};
use crate::page::Text;
use crate::place::below;

/// One entry of `defaults`.
#[derive(Debug, Clone)]
pub(super) struct Default {
    path: String,
    kind: Option<String>,
    values: Vec<Entry>,
}

pub(super) fn defaults(config: &Config) -> Vec<Default> {
    let items = config
        .node("defaults")
        .map(settings::items)
        .unwrap_or_default();
    items
        .iter()
        .map(|item| {
            let map = settings::entries(item);
            let values = crate::front_matter::value::find(map, "values");
            Default {
                path: settings::text(map, "scope.path")
                    .unwrap_or_default()
                    .trim_start_matches('/')
                    .to_owned(),
                kind: settings::text(map, "scope.type"),
                values: values
                    .map(|entry| settings::entries(&entry.node).to_vec())
                    .unwrap_or_default(),
            }
        })
        .collect()
}

impl Default {
    fn holds(&self, path: &str, kind: &str, collections_dir: &str) -> bool {
        // Types had names of their own before Jekyll 3.
        let named = match self.kind.as_deref() {
            Some("page") => Some("pages"),
            Some("post") => Some("posts"),
            Some("draft") => Some("drafts"),
            named => named,
        };
        if named.is_some_and(|named| named != kind) {
            return false;
        }
        let strip = |path: &str| match collections_dir {
            "" => path.to_owned(),
            dir => below(path, dir).unwrap_or(path).to_owned(),
        };
        let path = strip(path);
        let scope = strip(&self.path);
        if !scope.contains('*') {
            return path.starts_with(&scope);
        }
        globset::GlobBuilder::new(&scope)
            .literal_separator(true)
            .build()
            .is_ok_and(|glob| {
                let glob = glob.compile_matcher();
                glob.is_match(&path)
                    || path
                        .match_indices('/')
                        .any(|(at, _)| glob.is_match(&path[..at]))
            })
    }
}

/// A file's own map with the defaults that hold for it: of two, that with the longer path, then that with a type, then the later.
pub(super) fn merged(
    defaults: &[Default],
    path: &str,
    kind: &str,
    collections_dir: &str,
    own: &[Entry],
) -> Vec<Entry> {
    let mut holding: Vec<&Default> = defaults
        .iter()
        .filter(|it| it.holds(path, kind, collections_dir))
        .collect();
    holding.sort_by_key(|it| (it.path.len(), it.kind.is_some()));
    let mut map: Vec<Entry> = Vec::new();
    for entry in holding.iter().flat_map(|it| &it.values).chain(own) {
        match map.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => *known = entry.clone(),
            None => map.push(entry.clone()),
        }
    }
    map
}

/// The categories: folders above `_posts`, `categories` (words, when it is one text), `category`.
pub(super) fn categories(data: &[Entry], folder: &str, is_post: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if is_post {
        let above = folder.split('/').take_while(|part| *part != "_posts");
        found.extend(above.filter(|part| !part.is_empty()).map(str::to_owned));
    }
    if let Some(entry) = said(data, "categories") {
        match &entry.node.value {
            Value::Scalar { text, .. } => found.extend(text.split_whitespace().map(str::to_owned)),
            _ => found.extend(settings::texts(&entry.node)),
        }
    }
    if let Some(category) = settings::text(data, "category") {
        found.push(category);
    }
    let mut kept: Vec<String> = Vec::new();
    for category in found {
        if !kept.contains(&category) {
            kept.push(category);
        }
    }
    kept
}

/// Texts of `tags` and `categories` are words with spaces between; commas were looked at already.
pub(super) fn spread_tags(map: &[Entry], tags: &mut Vec<TagWritten>) {
    for key in ["tags", "categories"] {
        let Some(text) = said(map, key).and_then(|entry| entry.node.text()) else {
            continue;
        };
        let text = text.trim();
        if !text.contains(char::is_whitespace) || text.contains(',') {
            continue;
        }
        let Some(at) = tags.iter().position(|tag| tag.text == text) else {
            continue;
        };
        let line = tags[at].line;
        tags.splice(at..=at, text.split_whitespace().map(|word| tag(word, line)));
    }
    let mut seen = std::collections::HashSet::new();
    tags.retain(|tag| seen.insert(tag.text.clone()));
}

/// A title out of a slug, as Jekyll makes one: `green-tea` is `Green Tea`.
pub(super) fn titled(slug: &str) -> String {
    let words: Vec<String> = slug.split('-').map(names::capitalized).collect();
    words.join(" ")
}

/// An excerpt separator that is no comment is a sign and no text.
pub(super) fn remove_excerpt_mark(config: &Config, data: &[Entry], text: &mut Text) {
    let mark =
        settings::text(data, "excerpt_separator").or_else(|| config.text("excerpt_separator"));
    let Some(mark) = mark.filter(|mark| !mark.starts_with("<!--")) else {
        return;
    };
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.text.split_inclusive('\n') {
        if line.trim() == mark {
            edits.push((at..at + line.trim_end_matches('\n').len(), String::new()));
        }
        at += line.len();
    }
    text.replace(edits);
}
