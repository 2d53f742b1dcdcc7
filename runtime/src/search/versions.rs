//! Versions of one page: which of them is shown first, and that they do not fill the answer.
//!
//! Documents that are nearly the same (the builder says which, see [`artifact::format::Versions`]) have nearly the same score, and what
//! tells them apart is their route. Within a group, the version goes first whose route holds more words of the question; then the current one
//! before numbered ones, a higher number before a lower, and one that is not released yet last. The group keeps its places in the
//! order; only [`MOST_SHOWN`] of it stay there, and the others make room for other pages.

use std::borrow::Cow;

use artifact::format::{Artifact, PageId};
use artifact::text::{Query, version_parts};

use super::rank::Placed;

/// Versions of one page that are shown where they rank; further ones go behind all other pages.
pub(super) const MOST_SHOWN: usize = 2;
/// Versions are taken for equally good when the worse has this share of the better one's score.
pub(super) const AS_GOOD: f32 = 0.8;

/// Orders the versions of each page among the candidates, best first, and moves the surplus to the end. Gives how many of those would have been
/// among the first `limit`.
pub(super) fn settle(
    artifact: &Artifact,
    query: &Query,
    candidates: &mut Vec<Placed>,
    limit: usize,
) -> usize {
    let firsts: Vec<PageId> = candidates.iter().map(|placed| placed.first).collect();
    let mut surplus = vec![false; candidates.len()];
    let (mut shown, mut made_room) = (0, 0);
    for (place, first) in firsts.iter().enumerate() {
        // What is behind the last that is shown changes nothing.
        if shown == limit {
            break;
        }
        if surplus[place] {
            made_room += usize::from(place < limit);
            continue;
        }
        shown += 1;
        if firsts[..place].contains(first) {
            continue;
        }
        let others = (place + 1..firsts.len()).filter(|other| firsts[*other] == *first);
        let places: Vec<usize> = [place].into_iter().chain(others).collect();
        if places.len() > 1 {
            put_in_order(artifact, query, candidates, &places);
            for place in &places[MOST_SHOWN.min(places.len())..] {
                surplus[*place] = true;
            }
        }
    }
    let part = |is_surplus: bool| {
        let of_it = candidates.iter().zip(&surplus);
        of_it.filter(move |(_, surplus)| **surplus == is_surplus)
    };
    // Where there are few other pages, some of the surplus is shown after all.
    let back = limit.saturating_sub(part(false).count());
    let ordered = part(false)
        .chain(part(true))
        .map(|(candidate, _)| *candidate);
    *candidates = ordered.collect();
    made_room.saturating_sub(back)
}

/// Orders the versions of one page, which stand at these places: those that are as good as the best by [`Version`], the others as they were.
fn put_in_order(artifact: &Artifact, query: &Query, candidates: &mut [Placed], places: &[usize]) {
    let best = candidates[places[0]].rank;
    let as_good = |place: &&usize| candidates[**place].rank.is_nearly(&best, AS_GOOD);
    let mut members: Vec<(Placed, Version)> = places
        .iter()
        .take_while(as_good)
        .map(|place| {
            let candidate = candidates[*place];
            let route = artifact
                .pages()
                .route(candidate.document)
                .unwrap_or_default();
            (candidate, Version::of(&route, query))
        })
        .collect();
    // A stable sort, so that equals stay in their order.
    members.sort_by(|(_, left), (_, right)| right.cmp(left));
    for (place, (candidate, _)) in places.iter().zip(members) {
        candidates[*place] = candidate;
    }
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
        let route = lower(route);
        let words = query.words.iter();
        let asked = words.filter(|word| stands_in(&route, &word.folded)).count();
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

/// A text in lower case, as it is where it has no capitals.
fn lower(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .any(|b| !b.is_ascii() || b.is_ascii_uppercase())
    {
        text.to_lowercase().into()
    } else {
        text.into()
    }
}

/// Whether a word stands in a route between other signs than letters, digits and full stops.
fn stands_in(route: &str, word: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '.';
    !word.is_empty()
        && route.match_indices(word).any(|(start, _)| {
            let before = route[..start].chars().next_back();
            let behind = route[start + word.len()..].chars().next();
            ![before, behind].into_iter().flatten().any(is_of_word)
        })
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
