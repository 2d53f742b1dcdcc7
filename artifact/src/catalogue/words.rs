//! Words and arguments that the entries of the catalogue have in common.

use std::borrow::Cow;

use super::schema::{Field, Kind};
use super::surface::SiteSurface;
use super::{Example, Tool};
use crate::clean::one_line;

/// Characters of a search text, a slug, a tag or a route: far more than real ones have.
pub(super) const TEXT_CHARS: usize = 1_000;
/// Collections that a description names before it says "and more".
pub(super) const NAMED: usize = 12;

/// The headings of the catalogue.
pub(super) const FIND: &str = "Find";
pub(super) const READ: &str = "Read";
pub(super) const WRITE: &str = "Write to the author";

/// The tools of a site as neighbours, each with what it is for.
pub(super) fn neighbours(
    tools: impl IntoIterator<Item = (Tool, &'static str)>,
) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
    tools
        .into_iter()
        .map(|(tool, why)| (tool.name().into(), why.into()))
        .collect()
}

pub(super) const LIMITS: &[&str] = &["max", "count", "n", "size", "max_results", "top_k"];

pub(super) fn limit(description: &str) -> Field {
    Field::optional(
        "limit",
        Kind::Integer {
            min: 1,
            max: None,
            default: None,
        },
        description,
    )
    .or(LIMITS)
}

pub(super) fn route(site: &SiteSurface, more: &str) -> Field {
    let page = site.examples.route.as_deref().filter(|route| *route != "/");
    let such_as = page
        .map(|route| format!(", such as {}", one_line(route)))
        .unwrap_or_default();
    Field::required(
        "route",
        Kind::Text { max_chars: TEXT_CHARS },
        format!("The page's path from the site's root{such_as}, or its full URL (1 to 1,000 characters). / is the front page.{more}"),
    )
    .or(&["path", "url", "uri", "page", "slug", "address"])
}

pub(super) fn example(what: &str, arguments: &str) -> Example {
    Example {
        what: what.to_owned(),
        arguments: arguments.to_owned(),
    }
}

pub(super) fn title(site: &SiteSurface) -> String {
    let title = one_line(&site.title);
    if title.is_empty() {
        "this site".to_owned()
    } else {
        title.into_owned()
    }
}

/// `writing (Posts), glossary and demos`: names, with a title where it says more than the name.
pub(super) fn collection_names(site: &SiteSurface) -> String {
    let names: Vec<String> = site
        .collections
        .iter()
        .take(NAMED)
        .map(|collection| {
            let (name, title) = (one_line(&collection.name), one_line(&collection.title));
            if title.is_empty() || title.to_lowercase() == name.to_lowercase() {
                name.into_owned()
            } else {
                format!("{name} ({title})")
            }
        })
        .collect();
    if site.collections.len() > NAMED {
        return format!(
            "{} and {} more collections",
            names.join(", "),
            site.collections.len() - NAMED
        );
    }
    joined(names)
}

/// `a, b and c`; nothing for nothing.
pub(super) fn joined(mut names: Vec<String>) -> String {
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

pub(super) fn json(text: &str) -> String {
    serde_json::Value::from(one_line(text).as_ref()).to_string()
}

/// A number with commas between its thousands: `24000` as `24,000`.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub(super) fn size(bytes: usize) -> String {
    if bytes >= 1024 {
        format!("{} KiB", bytes / 1024)
    } else {
        format!("{bytes} bytes")
    }
}
