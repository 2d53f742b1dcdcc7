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
use super::tables::Tables;

/// Versions of one page that are shown where they rank; further ones go behind all other pages.
pub(super) const MOST_SHOWN: usize = 2;
/// Versions are taken for equally good when the worse has this share of the better one's score.
pub(super) const AS_GOOD: f32 = 0.8;

/// Orders the versions of each page among the candidates, best first, and moves the surplus to the end. Gives how many of those would have been
/// among the first `limit`, and adds to `unknown` what was not known of versions.
pub(super) fn settle(
    artifact: &Artifact,
    query: &Query,
    (tables, unknown): (Option<&Tables>, &mut Vec<(PageId, Known)>),
    candidates: &mut Vec<Placed>,
    limit: usize,
) -> usize {
    let count = candidates.len();
    let mut surplus = vec![false; count];
    let mut asked: Option<Asked> = None;
    let (mut shown, mut made_room) = (0, 0);
    let mut places: Vec<usize> = Vec::new();
    for place in 0..count {
        // What is behind the last that is shown changes nothing.
        if shown == limit {
            break;
        }
        if surplus[place] {
            made_room += usize::from(place < limit);
            continue;
        }
        shown += 1;
        let first = candidates[place].first;
        let same = |other: &usize| candidates[*other].first == first;
        if (0..place).any(|other| same(&other)) {
            continue;
        }
        places.clear();
        places.push(place);
        places.extend((place + 1..count).filter(same));
        if places.len() > 1 {
            let asked = asked.get_or_insert_with(|| Asked::new(query));
            put_in_order(artifact, asked, (tables, unknown), candidates, &places);
            for place in &places[MOST_SHOWN.min(places.len())..] {
                surplus[*place] = true;
            }
        }
    }
    if !surplus.contains(&true) {
        return 0;
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
fn put_in_order(
    artifact: &Artifact,
    asked: &Asked,
    (tables, unknown): (Option<&Tables>, &mut Vec<(PageId, Known)>),
    candidates: &mut [Placed],
    places: &[usize],
) {
    let best = candidates[places[0]].rank;
    let as_good = |place: &&usize| candidates[**place].rank.is_nearly(&best, AS_GOOD);
    let count = places.iter().take_while(as_good).count();
    if count < 2 {
        return;
    }
    let members: Vec<Placed> = places[..count]
        .iter()
        .map(|place| candidates[*place])
        .collect();
    // What the tables do not know is at the end of `unknown`, and is looked for there.
    for Placed { document, .. } in &members {
        if tables.is_none_or(|tables| tables.version(*document).is_none()) {
            let route = artifact.pages().route(*document).unwrap_or_default();
            unknown.push((*document, Known::of(&route)));
        }
    }
    let known = |document: PageId| {
        let in_table = tables.and_then(|tables| tables.version(document));
        in_table.or_else(|| {
            let mut new = unknown.iter().rev();
            let known = new.find(|(other, _)| *other == document)?;
            Some(&known.1)
        })
    };
    let mut members: Vec<(Placed, Option<Version>)> = members
        .into_iter()
        .map(|member| {
            (
                member,
                known(member.document).map(|known| known.version(asked)),
            )
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

/// The words of a question, as they are looked for in routes.
struct Asked<'q> {
    /// Each word and its hash; none for a word that is more than letters, digits and full stops.
    words: Vec<(&'q str, Option<u32>)>,
}

impl<'q> Asked<'q> {
    fn new(query: &'q Query) -> Self {
        let hash = |word: &str| word.chars().all(is_of_word).then(|| hash_of(word));
        let words = query.words.iter();
        let words = words.map(|word| (word.folded.as_str(), hash(&word.folded)));
        Self {
            words: words.filter(|(word, _)| !word.is_empty()).collect(),
        }
    }
}

/// How well a version fits the question, and how current it is: the greater goes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version<'k> {
    /// Words of the question that stand in the route.
    asked: usize,
    stage: Stage,
    number: &'k [u32],
}

/// What the route of a version says of it.
#[derive(Debug)]
pub(super) struct Known {
    /// The route in lower case.
    route: Box<str>,
    /// The hashes of its words.
    words: Box<[u32]>,
    stage: Stage,
    number: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Not released.
    Next,
    /// Numbered.
    Numbered,
    /// Without a number, or said to be the current one.
    Current,
}

impl Known {
    pub(super) fn of(route: &str) -> Self {
        let route = lower(route);
        let words = route.split(|c| !is_of_word(c));
        let words = words.filter(|word| !word.is_empty()).map(hash_of);
        let mut known = Self {
            words: words.collect(),
            stage: Stage::Current,
            number: Vec::new(),
            route: route.as_ref().into(),
        };
        for segment in route.split('/') {
            match segment {
                "latest" | "current" | "stable" => {
                    known.stage = Stage::Current;
                    known.number.clear();
                    break;
                }
                "next" | "nightly" | "canary" | "unreleased" | "dev" => {
                    known.stage = Stage::Next;
                    break;
                }
                _ => {
                    if let Some(number) = number_of(segment)
                        && known.number.is_empty()
                    {
                        known.stage = Stage::Numbered;
                        known.number = number;
                    }
                }
            }
        }
        known
    }

    fn version(&self, asked: &Asked) -> Version<'_> {
        let holds = |(word, hash): &&(&str, Option<u32>)| match hash {
            Some(hash) => self.words.contains(hash),
            None => stands_in(&self.route, word),
        };
        Version {
            asked: asked.words.iter().filter(holds).count(),
            stage: self.stage,
            number: &self.number,
        }
    }
}

/// A hash of a word (FNV-1a).
fn hash_of(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '.'
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
        let known: Vec<Known> = routes.iter().map(|route| Known::of(route)).collect();
        let asked = Asked::new(&query);
        let versions = routes.iter().zip(&known);
        let best = versions.max_by_key(|(_, known)| known.version(&asked));
        best.unwrap().0
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
        let routes = ["/docs/tool_call/a", "/docs/v9/tool/a"];
        assert_eq!(best("tool_call", &routes), "/docs/tool_call/a");
    }
}
