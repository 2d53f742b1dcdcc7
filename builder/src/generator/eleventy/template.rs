//! What Eleventy gives to templates: `page`, the data cascade, global data, its filters.

use super::super::settings;
use super::super::{Included, SiteFiles};
use super::{Eleventy, stem, undated};
use crate::front_matter::Entry;
use crate::page::syntax::liquid::{Args, Dialect, Host, Value};
use crate::place::folder_of;
use crate::site_map::joined;

pub(super) struct Page<'a> {
    site: &'a Eleventy,
    source: &'a str,
    data: Value,
    page: Value,
    files: Option<&'a SiteFiles>,
    pub(super) dialect: Dialect,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        site: &'a Eleventy,
        source: &'a str,
        data: &[Entry],
        url: &str,
        files: Option<&'a SiteFiles>,
    ) -> Page<'a> {
        let inside = site.inside(source);
        let stem = stem(inside);
        let name = stem.rsplit('/').next().unwrap_or_default();
        let slug = match (name, stem.rsplit('/').nth(1)) {
            ("index", folder) => undated(folder.unwrap_or_default()),
            (name, _) => name,
        };
        let file = inside.rsplit('/').next().unwrap_or(inside);
        let date = settings::text(data, "date")
            .or_else(|| (undated(file) != file).then(|| file[..10].to_owned()));
        let page = Value::map(vec![
            ("url".into(), Value::text(url)),
            ("fileSlug".into(), Value::text(slug)),
            ("filePathStem".into(), Value::text(&stem)),
            ("inputPath".into(), Value::text(format!("./{source}"))),
            ("outputFileExtension".into(), Value::text("html")),
            ("date".into(), date.map_or(Value::Unknown, Value::text)),
            ("outputPath".into(), Value::Unknown),
            ("lang".into(), Value::Unknown),
            ("rawInput".into(), Value::Unknown),
        ]);
        Page {
            site,
            source,
            data: Value::of_map(data),
            page,
            files,
            dialect: site.engine.unwrap_or(Dialect::Liquid),
        }
    }
}

impl Page<'_> {
    /// Whether code of the site may give a value to a name that no data has.
    fn may_have(&self, name: &str) -> bool {
        let alias = self.data.member("pagination").member("alias");
        let computed = self.data.member("eleventyComputed").member(name);
        self.site.by_code.iter().any(|known| known == name)
            || self.site.cascade.has_code()
            || matches!(alias, Value::Text(alias) if &*alias == name)
            || computed != Value::Nil
    }
}

impl Host for Page<'_> {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn variable(&self, name: &str) -> Value {
        match name {
            "page" => return self.page.clone(),
            // The first of the pages that `pagination` makes.
            "pagination" => {
                return Value::map(vec![
                    ("pageNumber".into(), Value::Integer(0)),
                    ("items".into(), Value::Unknown),
                    ("pages".into(), Value::Unknown),
                    ("href".into(), Value::Unknown),
                    ("hrefs".into(), Value::Unknown),
                ]);
            }
            "collections" | "eleventy" | "env" => return Value::Unknown,
            _ => {}
        }
        [&self.data, &self.site.global]
            .iter()
            .map(|from| from.member(name))
            .find(|value| *value != Value::Nil)
            .unwrap_or_else(|| match self.may_have(name) {
                true => Value::Unknown,
                false => Value::Nil,
            })
    }

    fn filter(&self, name: &str, input: &Value, _: &Args) -> Option<Value> {
        match name {
            "slugify" | "slug" => match input.shown() {
                Some(text) => {
                    let slug = artifact::route::Slugger::of(artifact::route::Anchors::Eleventy)
                        .slug(&text);
                    Some(Value::text(slug))
                }
                None => Some(Value::Unknown),
            },
            // Links are made absolute later, prefix and all.
            "url" | "htmlBaseUrl" | "locale_url" => Some(input.clone()),
            "inputPathToUrl" => Some(input.shown().map_or(Value::Unknown, |path| {
                Value::text(format!(
                    "/{}",
                    path.trim_start_matches("./").trim_start_matches('/')
                ))
            })),
            "log" => Some(Value::text("")),
            _ => None,
        }
    }

    fn include(&self, _: &str, name: &str, from: &str) -> (String, Included) {
        let Some(files) = self.files else {
            return (name.to_owned(), Included::Missing);
        };
        let folder = match name.starts_with("./") || name.starts_with("../") {
            true => folder_of(from),
            false => self.site.includes.as_str(),
        };
        let endings = ["", ".liquid", ".njk", ".html"];
        let found = endings.iter().find_map(|ending| {
            let path = joined(folder, &format!("{name}{ending}"))?;
            // What code makes is not to be had.
            (files.has(&path) && !path.ends_with("js")).then_some(path)
        });
        match found {
            Some(path) if path != self.source => {
                let included = files.include(&path);
                (path, included)
            }
            _ => (name.to_owned(), Included::Missing),
        }
    }
}
