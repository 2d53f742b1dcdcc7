//! Links that lead to no page.
//!
//! A single one is told where it stands. When many fail for one reason (the content folder is one too high, the base path is not
//! set, a part of the host is another site's) the reason is told once, because a thousand warnings are read by nobody.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::problem::Problem;
use crate::reader::CONFIG_FILE;

/// So many links with one reason are told once.
const MANY: usize = 20;

/// A link that leads to no page.
#[derive(Debug, Clone)]
pub(crate) struct DeadLink {
    /// The file it stands in.
    pub source: String,
    /// Its line.
    pub line: u32,
    /// The link as written.
    pub link: String,
    /// The route it would lead to.
    pub route: String,
}

/// Why many links fail at once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// The pages are there, below this route.
    Below(String),
    /// The pages are there, without this first segment.
    Without(String),
    /// There is no page below this route at all.
    Outside(String),
    /// It is always the same link, as a generator's shorthand would be.
    Same(String),
}

/// Tells dead links. `routes` are those of all published pages.
pub(crate) fn problems(links: Vec<DeadLink>, routes: &HashSet<&str>) -> Vec<Problem> {
    let tops: BTreeSet<&str> = routes
        .iter()
        .map(|route| first_segment(route))
        .filter(|top| *top != "/")
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for link in &links {
        *counts.entry(&link.link).or_default() += 1;
    }
    let common: HashSet<String> = counts
        .into_iter()
        .filter(|(_, count)| *count >= MANY)
        .map(|(link, _)| link.to_owned())
        .collect();
    let mut grouped: BTreeMap<Option<Reason>, Vec<DeadLink>> = BTreeMap::new();
    for link in links {
        grouped
            .entry(reason(&link, routes, &tops).or_else(|| {
                common
                    .contains(&link.link)
                    .then(|| Reason::Same(link.link.clone()))
            }))
            .or_default()
            .push(link);
    }
    let mut problems = Vec::new();
    for (reason, links) in grouped {
        match reason {
            Some(reason) if links.len() >= MANY => problems.push(summary(&reason, &links)),
            _ => problems.extend(links.iter().map(single)),
        }
    }
    problems
}

fn single(link: &DeadLink) -> Problem {
    let what = format!("the link `{}` leads to no page of this site", link.link);
    Problem::warning(&link.source, what).at(link.line)
}

fn summary(reason: &Reason, links: &[DeadLink]) -> Problem {
    let first = &links[0];
    let example = format!("`{}` ({}:{})", first.link, first.source, first.line);
    let count = links.len();
    let (what, help) = match reason {
        Reason::Below(top) => (
            format!(
                "{count} links, such as {example}, lead to pages that stand below `{top}` here"
            ),
            format!(
                "let `content` under `[site]` end in `{top}`, or give these pages the routes of the real site"
            ),
        ),
        Reason::Without(top) => (
            format!(
                "{count} links, such as {example}, begin with `{top}`, and the pages stand here without it"
            ),
            format!(
                "let `url` under `[site]` end in `{top}`, or give these pages the routes of the real site"
            ),
        ),
        Reason::Outside(top) => (
            format!(
                "{count} links, such as {example}, lead below `{top}`, where this site has no page"
            ),
            "nothing is wrong when another program serves what is there".to_owned(),
        ),
        Reason::Same(link) => (
            format!(
                "{count} links are `{link}`, the first in {}:{}, which leads to no page of this site",
                first.source, first.line
            ),
            "nothing is wrong when the site's generator gives it a meaning of its own".to_owned(),
        ),
    };
    Problem::warning(CONFIG_FILE, what).help(help)
}

fn reason(link: &DeadLink, routes: &HashSet<&str>, tops: &BTreeSet<&str>) -> Option<Reason> {
    if !link.link.starts_with('/') {
        return None;
    }
    let route = link.route.as_str();
    let top = first_segment(route);
    let rest = &route[top.len()..];
    if routes.contains(if rest.is_empty() { "/" } else { rest }) {
        return Some(Reason::Without(top.to_owned()));
    }
    if let Some(above) = tops
        .iter()
        .find(|above| routes.contains(format!("{above}{route}").as_str()))
    {
        return Some(Reason::Below((*above).to_owned()));
    }
    (!tops.contains(top)).then(|| Reason::Outside(top.to_owned()))
}

/// `/a` of `/a/b`.
fn first_segment(route: &str) -> &str {
    let end = route.get(1..).and_then(|rest| rest.find('/'));
    end.map_or(route, |end| &route[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(link: &str, count: usize) -> Vec<String> {
        let routes = HashSet::from(["/", "/guide/a", "/en/methods/b"]);
        let links = (0..count)
            .map(|at| DeadLink {
                source: "x.md".into(),
                line: at as u32 + 1,
                link: link.into(),
                route: link.into(),
            })
            .collect();
        problems(links, &routes)
            .into_iter()
            .map(|p| p.what)
            .collect()
    }

    #[test]
    fn one_reason_is_told_once() {
        let check = |link, what: &str| assert_eq!(told(link, 25), [what]);
        check(
            "/methods/b",
            "25 links, such as `/methods/b` (x.md:1), lead to pages that stand below `/en` here",
        );
        check(
            "/docs/guide/a",
            "25 links, such as `/docs/guide/a` (x.md:1), begin with `/docs`, and the pages stand here without it",
        );
        check(
            "g",
            "25 links are `g`, the first in x.md:1, which leads to no page of this site",
        );
        check(
            "/windows/x",
            "25 links, such as `/windows/x` (x.md:1), lead below `/windows`, where this site has no page",
        );
    }

    #[test]
    fn few_links_or_none_of_one_reason_are_told_one_by_one() {
        assert_eq!(told("/windows/x", 3).len(), 3);
        assert_eq!(told("/guide/gone", 3).len(), 3);
        assert_eq!(told("gone.md", 3).len(), 3);
    }
}
