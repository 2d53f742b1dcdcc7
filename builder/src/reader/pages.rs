//! Publishes and reads every page of a site, once it is known where each of them stands.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use artifact::route::slug_of;
use rayon::prelude::*;

use super::Progress;
use super::files::File;
use crate::check;
use crate::config::{Settings, names};
use crate::dead_links::{self, DeadLink};
use crate::front_matter::{Entry, fields, meta};
use crate::generator::{Context, Generator, SiteFiles};
use crate::page::{self, Kind, Log, Outcome, Reference, Steps, Text};
use crate::place;
use crate::problem::Problem;
use crate::site::{FieldValue, Page, Unrendered};
use crate::site_map::{SiteMap, State, Stop, Target};
use crate::source;

/// What the site is made with.
pub(super) struct MadeWith<'a> {
    pub(super) generator: Option<&'a dyn Generator>,
    pub(super) files: &'a SiteFiles,
}

/// The steps of the site's generator for one page.
struct PageSteps<'a> {
    generator: &'a dyn Generator,
    context: &'a Context<'a>,
}

impl Steps for PageSteps<'_> {
    fn expand(&self, text: &mut Text, log: &mut Log) {
        self.generator.expand(self.context, text, log);
    }

    fn render(&self, text: &mut Text, log: &mut Log) {
        self.generator.render(self.context, text, log);
    }

    fn finish(&self, text: &mut Text, log: &mut Log) {
        self.generator.finish(self.context, text, log);
    }

    fn front_matter(&self) -> &[Entry] {
        self.context.map
    }
}

/// The routes of the lists that stand in the full view and not in this one.
pub(super) fn kept_back(files: &[File], settings: &Settings) -> BTreeSet<String> {
    if !files.iter().any(|file| file.is_private)
        && !settings
            .collections
            .iter()
            .any(|it| it.private && it.hidden)
    {
        return BTreeSet::new();
    }
    let tags = |with_private: bool| {
        let tagged: Vec<(&str, &[meta::TagWritten])> = files
            .iter()
            .filter(|file| file.state == State::Published || with_private && file.is_private)
            .map(|file| (file.source.as_str(), file.meta.tags.as_slice()))
            .collect();
        check::tags(&tagged).0
    };
    let mut full = settings.clone();
    for collection in full.collections.iter_mut().filter(|it| it.private) {
        collection.hidden = false;
    }
    let shown = check::generated_routes(settings, &tags(false));
    let pages: HashSet<&str> = files
        .iter()
        .filter(|file| file.state == State::Published)
        .map(|file| file.route.as_str())
        .collect();
    check::generated_routes(&full, &tags(true))
        .into_iter()
        .filter(|route| !shown.contains(route) && !pages.contains(route.as_str()))
        .collect()
}

/// Publishes every file that is to be a page, in the order of the files.
pub(super) fn publish(
    files: &mut [File],
    settings: &Settings,
    others: &BTreeSet<String>,
    made_with: &MadeWith<'_>,
    kept_back: &BTreeSet<String>,
    progress: &(dyn Fn(Progress) + Sync),
    problems: &mut Vec<Problem>,
) -> (Vec<Option<Page>>, Vec<Unrendered>) {
    let stops = files
        .iter()
        .map(|file| Stop {
            source: file.source.clone(),
            route: file.route.clone(),
            is_index: file.is_index,
            state: file.state,
        })
        .collect();
    let mut map = SiteMap::new(settings, stops, others);
    if let Some(generator) = made_with.generator {
        let published = files.iter().enumerate();
        for (at, file) in published.filter(|(_, file)| file.state == State::Published) {
            for route in generator.redirects(&file.source) {
                map.redirect(route, at);
            }
        }
    }
    let around = Around {
        settings,
        map: &map,
        made_with,
        is_private: files.iter().map(|file| file.is_private).collect(),
        kept_back,
    };
    let count = AtomicUsize::new(0);
    let made: Vec<(Option<Made>, Vec<Problem>)> = files
        .par_iter_mut()
        .enumerate()
        .map(|(at, file)| {
            if file.state != State::Published {
                return (None, Vec::new());
            }
            let mut told = Vec::new();
            let made = make_page(at, file, &around, &mut told);
            progress(Progress::Published(
                count.fetch_add(1, Ordering::Relaxed) + 1,
            ));
            (Some(made), told)
        })
        .collect();

    let tagged: Vec<(&str, &[meta::TagWritten])> = files
        .iter()
        .filter(|file| file.state == State::Published)
        .map(|file| (file.source.as_str(), file.meta.tags.as_slice()))
        .collect();
    let (tags, ..) = check::tags(&tagged);
    let generated = check::generated_routes(settings, &tags);
    let mut dead = Vec::new();
    let mut unrendered = Vec::new();
    let mut pages = Vec::with_capacity(made.len());
    for (made, told) in made {
        problems.extend(told);
        pages.push(made.map(|made| {
            unrendered.extend(made.unrendered);
            dead.extend(
                made.dead
                    .into_iter()
                    .filter(|link| !generated.contains(&link.route)),
            );
            made.page
        }));
    }
    let routes: HashSet<&str> = pages
        .iter()
        .flatten()
        .map(|page| page.route.as_str())
        .collect();
    problems.extend(dead_links::problems(dead, &routes));
    (pages, unrendered)
}

/// What a page needs to know of the others.
struct Around<'a> {
    settings: &'a Settings,
    map: &'a SiteMap<'a>,
    made_with: &'a MadeWith<'a>,
    /// Of each file, whether it is hidden because its collection is private.
    is_private: Vec<bool>,
    /// Routes of lists that stand in the full view alone.
    kept_back: &'a BTreeSet<String>,
}

struct Made {
    page: Page,
    dead: Vec<DeadLink>,
    unrendered: Vec<Unrendered>,
}

fn make_page(at: usize, file: &mut File, around: &Around<'_>, told: &mut Vec<Problem>) -> Made {
    let Around {
        settings,
        map,
        made_with,
        is_private,
        kept_back,
    } = around;
    let mut cites: Vec<String> = Vec::new();
    let mut dead: Vec<DeadLink> = Vec::new();
    let route = file.route.clone();
    let source = file.source.clone();
    let mdx = match made_with.generator {
        Some(generator) => generator.is_mdx(&source),
        None => source::markdown_ending(&source)
            .is_some_and(|ending| ending.eq_ignore_ascii_case(".mdx")),
    };
    let context = Context {
        source: &source,
        map: &file.map,
        route: &route,
        files: made_with.files,
    };
    let mut hidden: HashSet<usize> = HashSet::new();
    let mut resolve = |reference: &Reference<'_>| -> Outcome {
        let meant = made_with
            .generator
            .and_then(|generator| generator.link(&context, reference.target));
        let mut cite = |to: &str| {
            let counts = matches!(reference.kind, Kind::Link | Kind::Html) && to != route;
            if counts && !cites.iter().any(|known| known == to) {
                cites.push(to.to_owned());
            }
        };
        match map.target(at, meant.as_deref().unwrap_or(reference.target)) {
            Target::Elsewhere => meant.map_or(Outcome::Keep, Outcome::Replace),
            Target::Page { route, url } => {
                cite(&route);
                url.or(meant).map_or(Outcome::Keep, Outcome::Replace)
            }
            Target::File { url } => Outcome::Replace(url),
            // What it leads to is there for others.
            Target::Missing { route, .. } if kept_back.contains(&route) => Outcome::Unlink,
            Target::Missing { route, url } => {
                cite(&route);
                let known = dead.iter().any(|link| link.route == route);
                if !known && reference.kind != Kind::Image && reference.kind != Kind::Definition {
                    dead.push(DeadLink {
                        source: source.clone(),
                        line: reference.line,
                        link: reference.target.to_owned(),
                        route,
                    });
                }
                Outcome::Replace(url)
            }
            Target::Hidden(to) => {
                let stop = map.stop(to);
                let is_use = reference.kind != Kind::Definition;
                // That a link works with a token alone is no slip.
                let is_slip = stop.state == State::Hidden && !is_private[to];
                if is_slip && is_use && hidden.insert(to) {
                    told.push(
                        Problem::warning(
                            &source,
                            format!(
                                "the link leads to `{}`, which is not published",
                                stop.source
                            ),
                        )
                        .at(reference.line)
                        .help("the link is left out and its text stays"),
                    );
                }
                Outcome::Unlink
            }
        }
    };
    let body = std::mem::take(&mut file.body);
    let published = match made_with.generator {
        Some(generator) => {
            let steps = PageSteps {
                generator,
                context: &context,
            };
            page::publish_with(body, file.body_line, mdx, &steps, &mut resolve)
        }
        None => page::publish(body, file.body_line, mdx, &mut resolve),
    };
    for (line, what, help) in published.told {
        told.push(Problem {
            help,
            ..Problem::warning(&source, what).at(line)
        });
    }
    let unrendered = published
        .unrendered
        .into_iter()
        .map(|piece| Unrendered {
            source: source.clone(),
            line: piece.line,
            what: piece.what,
        })
        .collect();
    for line in published.unclosed_comments {
        told.push(
            Problem::warning(
                &source,
                "a comment is never closed, and all that follows is left out",
            )
            .at(line)
            .help("close it with `-->`"),
        );
    }
    let anchors = made_with
        .generator
        .map_or(page::Anchors::GitHub, |generator| generator.anchors());
    let reading = page::read_with(&published.markdown, settings.limits.markdown_chars, anchors);
    let collection = file.collection.map(|at| &settings.collections[at]);
    let declared = collection.map_or(&[][..], |collection| collection.fields.as_slice());
    let language = collection.and_then(|collection| collection.language.as_ref());
    let (mut fields, problems) = fields(&std::mem::take(&mut file.map), &source, declared);
    told.extend(problems);
    fields.retain_mut(|(name, value)| match value {
        FieldValue::Link(target) => match linked(map, at, target, settings) {
            Some(address) => {
                *target = address;
                true
            }
            None => {
                let what = format!("`{name}` leads to `{target}`, which is not published");
                told.push(Problem::warning(&source, what).help("the field is left out"));
                false
            }
        },
        _ => true,
    });
    let meta = &mut file.meta;
    let title = meta
        .title
        .take()
        .or_else(|| reading.outline.first().map(|heading| heading.text.clone()))
        .unwrap_or_else(|| file_title(&source, &route, &settings.site.title));
    let seconds =
        |written: &Option<meta::Written>| written.as_ref()?.date.as_ref().map(|date| date.seconds);
    let page = Page {
        route,
        collection: file.collection,
        title,
        description: meta.description.take(),
        author: meta.author.take().or_else(|| settings.site.author.clone()),
        sort_date: seconds(&meta.date).or_else(|| seconds(&meta.updated)),
        date: meta.date.take().map(|written| written.text),
        updated: meta.updated.take().map(|written| written.text),
        tags: Vec::new(),
        aliases: std::mem::take(&mut meta.aliases),
        language: meta
            .language
            .take()
            .unwrap_or_else(|| language.unwrap_or(&settings.site.language).clone()),
        fields,
        order: file.order,
        markdown: published.markdown,
        reading,
        cites,
        source,
    };
    Made {
        page,
        dead,
        unrendered,
    }
}

/// The absolute address of what a declared link leads to; none when that is not published.
fn linked(map: &SiteMap<'_>, at: usize, target: &str, settings: &Settings) -> Option<String> {
    match map.target(at, target) {
        Target::Elsewhere => Some(target.to_owned()),
        Target::Page { route, url } => Some(url.unwrap_or_else(|| settings.address.url(&route))),
        Target::File { url } => Some(url),
        Target::Missing { .. } | Target::Hidden(_) => None,
    }
}

/// A title from the file's name, or from its folder's when the name says nothing.
fn file_title(source: &str, route: &str, site_title: &str) -> String {
    let (name, is_index) = place::natural_path(source, &|_| false);
    let name = if is_index {
        slug_of(route)
    } else {
        slug_of(&name)
    };
    let title = artifact::clean::one_line(&names::prettified(name)).into_owned();
    match (title.is_empty(), site_title.is_empty()) {
        (false, _) => title,
        (true, false) => site_title.to_owned(),
        (true, true) => "Untitled".into(),
    }
}
