//! Material's blog: posts with a date, whose addresses are made of it.

use super::super::Seen;
use super::super::settings::{self, Config};
use super::{MkDocs, options};
use crate::front_matter::meta::Written;
use crate::front_matter::value::find_path;
use crate::front_matter::{Value, date};
use crate::place::below;

/// One blog of the site.
#[derive(Debug)]
pub(super) struct Blog {
    /// Its folder below the docs; empty when the blog is the site.
    pub(super) dir: String,
    /// The folder of its posts.
    pub(super) posts: String,
    url_format: String,
    date_format: String,
    most_categories: usize,
    drafts: bool,
    future_is_draft: bool,
}

impl Blog {
    pub(super) fn all(config: &Config) -> Vec<Blog> {
        options::plugins(config, "blog")
            .into_iter()
            .map(|own| {
                let own = own.map(settings::entries).unwrap_or_default();
                let text = |key: &str, default: &str| {
                    settings::text(own, key).unwrap_or_else(|| default.to_owned())
                };
                let dir = text("blog_dir", "blog");
                let dir = dir
                    .trim_start_matches("./")
                    .trim_matches('/')
                    .trim_matches('.')
                    .to_owned();
                let posts = text("post_dir", "{blog}/posts").replace("{blog}", &dir);
                Blog {
                    posts: posts.trim_matches('/').to_owned(),
                    dir,
                    url_format: text("post_url_format", "{date}/{slug}"),
                    date_format: text("post_url_date_format", "yyyy/MM/dd"),
                    most_categories: settings::integer(own, "post_url_max_categories")
                        .and_then(|n| usize::try_from(n).ok())
                        .unwrap_or(1),
                    drafts: settings::boolean(own, "draft").unwrap_or(false),
                    future_is_draft: settings::boolean(own, "draft_if_future_date")
                        .unwrap_or(false),
                }
            })
            .collect()
    }

    /// The route of a post, or why it has none.
    pub(super) fn place(
        &self,
        file: &mut Seen<'_>,
        inside: &str,
        site: &MkDocs,
    ) -> Result<String, String> {
        if let Some(hidden) = &file.meta.hidden {
            let early = hidden.is_early;
            let says = settings::boolean(file.map, "draft");
            let shown = match early {
                true => !self.future_is_draft || says == Some(false),
                false => self.drafts,
            };
            if !shown {
                return Err(hidden.why.clone());
            }
            file.meta.hidden = None;
        }
        let created = file
            .meta
            .date
            .as_ref()
            .and_then(|written| written.date.as_ref());
        let Some(created) = created else {
            return Err("a post of the blog has a `date`, and it has none".into());
        };
        let (year, month, day) = created.parts();
        let dated = self
            .date_format
            .replace("yyyy", year)
            .replace("MM", month)
            .replace("dd", day)
            .replace("yy", &year[2..])
            .replace('M', month.trim_start_matches('0'))
            .replace('d', day.trim_start_matches('0'));
        let name = below(inside, &self.posts).unwrap_or(inside);
        let name = name.rsplit('/').next().unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let title = match &file.meta.title {
            Some(title) => title.clone(),
            None => crate::page::syntax::python_markdown::first_heading(file.body)
                .unwrap_or_else(|| stem.replace(['-', '_'], " ")),
        };
        let slug = file.meta.slug.clone().unwrap_or_else(|| slug(&title));
        let categories = find_path(file.map, "categories")
            .map(|entry| settings::texts(&entry.node))
            .unwrap_or_default();
        let categories: Vec<String> = categories
            .iter()
            .take(self.most_categories)
            .map(|it| self::slug(it))
            .collect();
        let path = self
            .url_format
            .replace("{categories}", &categories.join("/"))
            .replace("{date}", &dated)
            .replace("{file}", stem)
            .replace("{slug}", &slug);
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .collect();
        Ok(site
            .route(&format!("{}/{}.md", self.dir, parts.join("/")))
            .0)
    }
}

fn slug(text: &str) -> String {
    artifact::route::Slugger::of(artifact::route::Anchors::Pymdownx).slug(text)
}

/// Reads the keys that MkDocs and Material have in their own way: a table of dates, `hide` as a list, what other pages have no rule for.
pub(super) fn meta(file: &mut Seen<'_>, is_post: bool) {
    if let Some(entry) = find_path(file.map, "date")
        && let Value::Map(map) = &entry.node.value
    {
        let written = |key: &str| {
            let node = &find_path(map, key)?.node;
            let text = node.text()?;
            Some(Written {
                text: date::parse(text).map_or(text.to_owned(), |date| date.text),
                date: date::parse(text),
                line: node.line,
            })
        };
        file.meta.date = written("created");
        file.meta.updated = written("updated");
    }
    if is_post && file.meta.tags.is_empty() {
        let categories = find_path(file.map, "categories");
        for item in categories
            .map(|entry| settings::items(&entry.node))
            .unwrap_or_default()
        {
            if let Some(text) = item.text() {
                file.meta.tags.push(crate::front_matter::meta::TagWritten {
                    text: text.to_owned(),
                    line: item.line,
                });
            }
        }
    }
}
