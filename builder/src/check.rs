//! Rules for the site as a whole.
//!
//! One page alone can be right and still not fit the others: two files for one route, two tags for one slug, a link to a page that
//! is not there. Each is told where it stands. Nothing is put right here.

use std::collections::{BTreeMap, HashMap, HashSet};

use artifact::route::{canonical, tag_slug};

use crate::config::Settings;
use crate::config::pattern::{self, Values};
use crate::front_matter::meta::TagWritten;
use crate::problem::Problem;
use crate::site::Tag;

/// A file that will be a page, as far as these rules care.
#[derive(Debug, Clone)]
pub(crate) struct Claim<'a> {
    /// The file.
    pub source: &'a str,
    /// The route it wants.
    pub route: &'a str,
}

/// Finds the files that want a route that an earlier file has. `claims` are sorted by source.
pub(crate) fn routes(claims: &[Claim<'_>]) -> (HashSet<usize>, Vec<Problem>) {
    let mut held: HashMap<&str, &str> = HashMap::new();
    let mut refused = HashSet::new();
    let mut problems = Vec::new();
    for (at, claim) in claims.iter().enumerate() {
        match held.get(claim.route) {
            None => {
                held.insert(claim.route, claim.source);
            }
            Some(first) => {
                refused.insert(at);
                problems.push(
                    Problem::error(
                        claim.source,
                        format!("`{first}` and this file both stand at `{}`", claim.route),
                    )
                    .help("give one of them another `slug` or `url`, or rename it"),
                );
            }
        }
    }
    (refused, problems)
}

/// The site's tags, and for every page the places of its tags in them. `pages` are sorted by source.
pub(crate) fn tags(pages: &[(&str, &[TagWritten])]) -> (Vec<Tag>, Vec<Vec<usize>>, Vec<Problem>) {
    /// A tag by its first spelling.
    struct Seen<'a> {
        title: &'a str,
        file: &'a str,
        line: u32,
        slug: String,
    }
    let mut seen: Vec<Seen<'_>> = Vec::new();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    let mut by_slug: BTreeMap<String, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut carried: Vec<Vec<usize>> = Vec::with_capacity(pages.len());
    for (file, tags) in pages {
        let mut own = Vec::with_capacity(tags.len());
        for tag in *tags {
            let at = *by_key.entry(key(&tag.text)).or_insert_with(|| {
                seen.push(Seen { title: &tag.text, file, line: tag.line, slug: tag_slug(&tag.text) });
                let new = seen.len() - 1;
                let slug = &seen[new].slug;
                match by_slug.get(slug) {
                    None => {
                        by_slug.insert(slug.clone(), new);
                        new
                    }
                    Some(first) => {
                        let other = &seen[*first];
                        problems.push(
                            Problem::error(
                                *file,
                                format!(
                                    "the tags `{}` and `{}` ({}:{}) would share the address `{slug}`",
                                    tag.text, other.title, other.file, other.line
                                ),
                            )
                            .at(tag.line)
                            .help("spell one of them with other letters or numbers, or write both the same"),
                        );
                        *first
                    }
                }
            });
            if !own.contains(&at) {
                own.push(at);
            }
        }
        carried.push(own);
    }
    // Pages point into the tags by slug.
    let order: HashMap<usize, usize> = by_slug
        .values()
        .enumerate()
        .map(|(place, at)| (*at, place))
        .collect();
    let tags = by_slug
        .into_iter()
        .map(|(slug, at)| Tag {
            slug,
            title: seen[at].title.to_owned(),
        })
        .collect();
    for own in &mut carried {
        for at in own.iter_mut() {
            *at = order[at];
        }
    }
    (tags, carried, problems)
}

/// Spellings with the same key are one tag: letter case, spaces, hyphens and underscores do not tell tags apart.
fn key(tag: &str) -> String {
    let words: Vec<String> = tag
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    // A tag of nothing but hyphens is its own key.
    if words.is_empty() {
        tag.to_owned()
    } else {
        words.join(" ")
    }
}

/// The routes of the pages that are made without a file: the root, archives, and the tags' pages.
pub(crate) fn generated_routes(settings: &Settings, tags: &[Tag]) -> HashSet<String> {
    let mut routes = HashSet::from(["/".to_owned()]);
    routes.extend(
        settings
            .collections
            .iter()
            .filter(|c| !c.hidden)
            .map(|c| c.archive_route()),
    );
    let pattern = &settings.tags.route;
    let all = pattern.split('{').next().unwrap_or_default();
    routes.insert(canonical(&all[..all.rfind('/').unwrap_or(0)]));
    for tag in tags {
        routes.extend(pattern::fill(
            pattern,
            &Values {
                tag: &tag.slug,
                ..Values::default()
            },
        ));
    }
    routes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagged(pages: &[(&'static str, &[&str])]) -> (Vec<String>, Vec<Vec<usize>>, Vec<String>) {
        let written: Vec<(&str, Vec<TagWritten>)> = pages
            .iter()
            .map(|(file, tags)| {
                (
                    *file,
                    tags.iter()
                        .map(|t| TagWritten {
                            text: (*t).into(),
                            line: 2,
                        })
                        .collect(),
                )
            })
            .collect();
        let pages: Vec<(&str, &[TagWritten])> =
            written.iter().map(|(f, t)| (*f, t.as_slice())).collect();
        let (tags, carried, problems) = tags(&pages);
        let told = tags
            .iter()
            .map(|t| format!("{}={}", t.slug, t.title))
            .collect();
        (
            told,
            carried,
            problems.iter().map(|p| p.what.clone()).collect(),
        )
    }

    #[test]
    fn tags_that_differ_in_a_sign_were_one() {
        let (tags, carried, problems) = tagged(&[
            ("a.md", &["C", "C++", "C#", ".NET", "node.js"]),
            ("b.md", &["c#", "c"]),
        ]);
        assert_eq!(
            tags,
            [
                "c=C",
                "cpp=C++",
                "csharp=C#",
                "dotnet=.NET",
                "node-js=node.js"
            ]
        );
        assert_eq!(carried, [vec![0, 1, 2, 3, 4], vec![2, 0]]);
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn one_tag_in_several_spellings_takes_the_first() {
        let (tags, carried, problems) = tagged(&[
            ("a.md", &["How I work", "how-i-work"]),
            ("b.md", &["how  i WORK"]),
        ]);
        assert_eq!(tags, ["how-i-work=How I work"]);
        assert_eq!(carried, [vec![0], vec![0]]);
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn two_tags_of_one_slug_are_told() {
        let (_, _, problems) = tagged(&[("a.md", &["C/C++"]), ("b.md", &["c cpp"])]);
        assert_eq!(
            problems,
            ["the tags `c cpp` and `C/C++` (a.md:2) would share the address `c-cpp`"]
        );
    }

    #[test]
    fn two_files_of_one_route_are_told() {
        let claim = |source, route| Claim { source, route };
        let (refused, problems) = routes(&[
            claim("a.md", "/x"),
            claim("b.md", "/x"),
            claim("c.md", "/y"),
        ]);
        assert_eq!(refused, HashSet::from([1]));
        assert_eq!(
            problems[0].to_string(),
            "error: `a.md` and this file both stand at `/x`\n  --> b.md\n  help: give one of them another `slug` or `url`, or rename it"
        );
    }
}
