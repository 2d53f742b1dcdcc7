//! One message as it is kept, and which ones are wanted.

use serde::Serialize;

use crate::feedback::{Kind, Severity};

/// One message, as its owner reads it. The members are in the order of every export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// When it came: RFC 3339, UTC, milliseconds.
    pub received_at: String,
    /// Its key, hyphenated and in lower case.
    pub key: String,
    /// What it is about, a word of [`Kind`].
    pub kind: String,
    /// How much it matters, a word of [`Severity`].
    pub severity: String,
    /// The route it is about, or what the caller wrote; `None` for the site as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Whether the site published that route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about_published: Option<bool>,
    /// The caller's own words.
    pub message: String,
    /// Which artifact was served.
    pub artifact: String,
    /// The client, when it told its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// When its owner was done with it; `None` while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<String>,
    /// When it expires, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<i64>,
}

/// Whether its owner has dealt with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    /// What is still open.
    #[default]
    Open,
    /// What is resolved.
    Resolved,
    /// Both.
    All,
}

/// Which messages are wanted. Empty lists want all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Open or resolved.
    pub state: State,
    /// Of these kinds.
    pub kinds: Vec<Kind>,
    /// Of these severities.
    pub severities: Vec<Severity>,
    /// About this route or one below it.
    pub route: Option<String>,
    /// That came at this time or later, written as in [`Entry::received_at`].
    pub since: Option<String>,
    /// Seconds since 1970: what has expired by then is not there.
    pub now: i64,
}

impl Filter {
    /// Wants every message that is there.
    pub fn everything() -> Filter {
        Filter {
            state: State::All,
            now: i64::MIN,
            ..Filter::default()
        }
    }

    /// What no index knows; state and time are for the stores.
    pub(super) fn wants(&self, entry: &Entry) -> bool {
        let of = |words: &[&str], word: &str| words.is_empty() || words.contains(&word);
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.as_str()).collect();
        let severities: Vec<&str> = self.severities.iter().map(|one| one.as_str()).collect();
        of(&kinds, &entry.kind)
            && of(&severities, &entry.severity)
            && entry.expires.is_none_or(|expires| expires > self.now)
            && self.route.as_ref().is_none_or(|route| {
                entry
                    .about
                    .as_ref()
                    .is_some_and(|about| below(about, route))
            })
    }
}

/// Whether `route` is `parent` or lies below it.
fn below(route: &str, parent: &str) -> bool {
    let rest = route.strip_prefix(parent.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn a_route_holds_what_lies_below_it() {
        for (route, parent, expected) in [
            ("/docs", "/docs", true),
            ("/docs", "/docs/", true),
            ("/docs/a", "/docs", true),
            ("/docs-old", "/docs", false),
            ("/", "/docs", false),
            ("/docs", "/", true),
        ] {
            assert_eq!(below(route, parent), expected, "{route} below {parent}");
        }
    }
}
