//! Versions of one page: which of them is shown first, and that they do not fill the answer.
//!
//! Documents that are nearly the same (the builder says which, see [`artifact::format::Versions`]) have nearly the same score, and what
//! tells them apart is their route. Within a group, the version goes first whose route holds more words of the question; then the current one
//! before numbered ones, a higher number before a lower, and one that is not released yet last. The group keeps its places in the
//! order; only [`MOST_SHOWN`] of it stay there, and the others make room for other pages.

use std::collections::HashMap;

use artifact::format::{Artifact, PageId};
use artifact::text::{Query, version_parts};

use super::rank::Rank;

/// Versions of one page that are shown where they rank; further ones go behind all other pages.
const MOST_SHOWN: usize = 2;
/// Versions are taken for equally good when the worse has this share of the better one's score.
const AS_GOOD: f32 = 0.8;

/// Orders the versions of each page among the candidates, best first, and moves the surplus to the end. Gives how many of those would have been
/// among the first `limit`.
pub(super) fn settle(
    artifact: &Artifact,
    query: &Query,
    candidates: &mut Vec<(Rank, PageId)>,
    limit: usize,
) -> usize {
    let versions = artifact.versions();
    if versions.is_empty() {
        return 0;
    }
    let mut groups: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, (_, document)) in candidates.iter().enumerate() {
        let first = versions.first(*document);
        groups.entry(first).or_default().push(place);
    }
    let mut surplus: Vec<usize> = Vec::new();
    for places in groups.values().filter(|places| places.len() > 1) {
        let mut members: Vec<((Rank, PageId), Version)> = places
            .iter()
            .map(|place| {
                let candidate = candidates[*place];
                let route = artifact.pages().route(candidate.1).unwrap_or_default();
                (candidate, Version::of(&route, query))
            })
            .collect();
        let best = members[0].0.0;
        // A stable sort: what is not as good stays behind, in its order.
        let equals = members
            .iter()
            .take_while(|((rank, _), _)| rank.is_nearly(&best, AS_GOOD))
            .count();
        members[..equals].sort_by(|(_, left), (_, right)| right.cmp(left));
        for (place, (candidate, _)) in places.iter().zip(members) {
            candidates[*place] = candidate;
        }
        surplus.extend(places.iter().skip(MOST_SHOWN));
    }
    surplus.sort_unstable();
    let moved: Vec<(Rank, PageId)> = surplus.iter().map(|place| candidates[*place]).collect();
    let mut place = 0;
    candidates.retain(|_| {
        place += 1;
        surplus.binary_search(&(place - 1)).is_err()
    });
    // Where there are few other pages, some of the surplus is shown after all.
    let shown = limit.saturating_sub(candidates.len());
    candidates.extend(moved);
    let ranked_high = surplus.iter().filter(|place| **place < limit).count();
    ranked_high.saturating_sub(shown)
}

/// What a note says of versions that made room.
pub(super) fn note(versions: usize) -> Option<String> {
    let pages = match versions {
        0 => return None,
        1 => "1 document that is nearly the same as one shown (another version of it) stands"
            .to_owned(),
        more => format!(
            "{more} documents that are nearly the same as ones shown (other versions of them) stand"
        ),
    };
    Some(format!(
        "{pages} behind the other results: name the version in the text to prefer it."
    ))
}

/// How well a version fits the question, and how current it is: the greater goes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    /// Words of the question that stand in the route.
    asked: usize,
    stage: Stage,
    number: Vec<u32>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Not released.
    Next,
    /// Numbered.
    Numbered,
    /// Without a number, or said to be the current one.
    Current,
}

impl Version {
    fn of(route: &str, query: &Query) -> Self {
        let route = route.to_lowercase();
        let parts = || route.split(|c: char| !c.is_alphanumeric() && c != '.');
        let asked = query
            .words
            .iter()
            .filter(|word| parts().any(|part| part == word.folded))
            .count();
        let mut version = Self {
            asked,
            stage: Stage::Current,
            number: Vec::new(),
        };
        for segment in route.split('/') {
            match segment {
                "latest" | "current" | "stable" => {
                    version.stage = Stage::Current;
                    version.number.clear();
                    break;
                }
                "next" | "nightly" | "canary" | "unreleased" | "dev" => {
                    version.stage = Stage::Next;
                    break;
                }
                _ => {
                    if let Some(number) = number_of(segment)
                        && version.number.is_empty()
                    {
                        version.stage = Stage::Numbered;
                        version.number = number;
                    }
                }
            }
        }
        version
    }
}

/// The numbers of a segment that is a version: `v2`, `2.7`, `version-1.0`, `2.x`.
fn number_of(segment: &str) -> Option<Vec<u32>> {
    let parts = version_parts(segment.strip_prefix("version-").unwrap_or(segment))?;
    let number = |part: &str| match part {
        "x" => Some(u32::MAX),
        digits => digits.parse().ok(),
    };
    parts.into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use artifact::text::{Analyzers, Language};

    use super::*;

    fn best<'r>(text: &str, routes: &[&'r str]) -> &'r str {
        let query = Query::read(&Analyzers::new(Language::of("en"), []), text);
        routes
            .iter()
            .max_by_key(|route| Version::of(route, &query))
            .unwrap()
    }

    #[test]
    fn the_version_asked_for_goes_before_the_current_one() {
        let routes = ["/docs/v1/write", "/docs/v2/write", "/docs/next/write"];
        assert_eq!(best("write data", &routes), "/docs/v2/write");
        assert_eq!(best("write data v1", &routes), "/docs/v1/write");
        assert_eq!(best("write next", &routes), "/docs/next/write");
        let routes = ["/docs/1.10/a", "/docs/1.9/a"];
        assert_eq!(best("a", &routes), "/docs/1.10/a");
        let routes = ["/docs/a", "/docs/version-3.0/a", "/docs/next/a"];
        assert_eq!(best("thing", &routes), "/docs/a");
        let routes = ["/docs/2.x/a", "/docs/2.7/a", "/docs/latest/a"];
        assert_eq!(best("thing", &routes), "/docs/latest/a");
        assert_eq!(best("thing", &routes[..2]), "/docs/2.x/a");
    }
}
