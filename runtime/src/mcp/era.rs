//! The protocol's revisions, and which of its two generations a request belongs to.

use super::headers::Said;

/// The revision without sessions and without `initialize`.
pub(super) const MODERN: &str = "2026-07-28";

/// The revisions that begin with `initialize`, newest first.
pub(super) const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// Every revision that is spoken, newest first.
pub const REVISIONS: [&str; 4] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2]];

/// [`REVISIONS`] as a JSON array.
pub(super) fn revisions() -> String {
    format!(r#"["{}"]"#, REVISIONS.join(r#"",""#))
}

/// The one legacy revision with batches.
pub(super) const BATCHES: &str = LEGACY[2];

/// Older than anything we claim, but a client that asks for it takes no other answer, and the difference is in its HTTP
/// transport, not in the messages.
const ECHOED: &str = "2024-11-05";

/// The two generations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// The revisions that begin with `initialize`.
    Legacy,
    /// The one in which every request states its version.
    Modern,
}

impl Era {
    /// The word for it in the log.
    pub fn name(self) -> &'static str {
        match self {
            Era::Legacy => "legacy",
            Era::Modern => "modern",
        }
    }
}

/// A revision that we speak, as the constant that names it.
pub(super) fn spoken(version: &str) -> Option<&'static str> {
    let mut all = REVISIONS.into_iter().chain([ECHOED]);
    all.find(|known| *known == version)
}

/// Whether a revision is a legacy one that we serve when asked.
pub(super) fn is_legacy(version: &str) -> bool {
    version == ECHOED || LEGACY.contains(&version)
}

/// The revision that `initialize` answers with: the one asked for if we speak it, else the newest that has `initialize`.
pub(super) fn negotiate(asked: &str) -> &'static str {
    LEGACY
        .into_iter()
        .chain([ECHOED])
        .find(|known| *known == asked)
        .unwrap_or(LEGACY[0])
}

/// Chooses the generation.
///
/// `stated` is the version in `_meta`, `Some(None)` when that is not a string. A version that nobody knows goes to the
/// modern side, because only that side has words for it.
pub(super) fn choose(header: Said<'_>, stated: Option<Option<&str>>, method: &str) -> Era {
    let header_is_legacy = match header {
        Said::Nothing => true,
        Said::One(version) => is_legacy(version),
        Said::Muddle => false,
    };
    let legacy = match stated {
        Some(Some(version)) => is_legacy(version) && header_is_legacy,
        Some(None) => false,
        None => {
            // A newer client's header must not keep it from negotiating.
            method == "initialize" || header_is_legacy && method != "server/discover"
        }
    };
    if legacy { Era::Legacy } else { Era::Modern }
}
