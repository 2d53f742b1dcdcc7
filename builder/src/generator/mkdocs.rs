//! MkDocs: `mkdocs.yml`, markdown below `docs`, Python-Markdown with its extensions; Material's blog.
//!
//! Every markdown file below `docs_dir` is a page, in the navigation or not, but for those that `exclude_docs` names, those whose names start with a dot,
//! and a README beside an index. Files that `draft_docs` names and posts with `draft: true` are hidden. Titles are those of `nav`, of the front
//! matter, of the first heading, of the file. (MkDocs' guide, "Configuration" and "Writing your docs"; MkDocs 1.6.)

mod blog;
mod nav;
mod options;

use super::settings;
use super::{Context, Facts, Generator, Included, Kind, Placed, Placing, Seen, SiteFiles};
use crate::config::CollectionSettings;
use crate::page::syntax::liquid::{self, Dialect, Host, Value};
use crate::page::syntax::python_markdown::{self, Includes, Options};
use crate::page::{Anchors, Log, Text};
use crate::place::{below, folder_of};
use crate::problem::Problem;
use crate::site_map::joined;
use blog::Blog;
use nav::Nav;

/// The name of the collection of all pages that no blog holds.
const DOCS: &str = "docs";

#[derive(Debug)]
pub(super) struct MkDocs {
    facts: Facts,
    /// The folder of the markdown, below the site's folder; empty for the site's folder itself.
    docs: String,
    directory_urls: bool,
    nav: Nav,
    exclude: Patterns,
    drafts: Patterns,
    blogs: Vec<Blog>,
    i18n: options::Languages,
    options: Options,
    includes: Includes,
    anchors: Anchors,
    /// The variables of `extra`, when the macros plugin reads templates; else none.
    macros: Option<Value>,
    /// The pages that a file stands for, by source: READMEs beside an index are none.
    shadowed: Vec<String>,
}

impl MkDocs {
    pub(super) fn open(files: &SiteFiles) -> Option<Box<dyn Generator>> {
        let path = files.find(&["mkdocs.yml", "mkdocs.yaml"])?;
        let mut facts = Facts {
            config: path.clone(),
            ..Facts::default()
        };
        let config = options::read(files, &path, &mut facts.problems);
        let folder = folder_of(&path);
        let docs = config.text("docs_dir").unwrap_or_else(|| "docs".into());
        let docs = joined(folder, &docs).unwrap_or_else(|| "docs".into());
        let directory_urls = config.boolean("use_directory_urls").unwrap_or(true);
        facts.title = config.text("site_name");
        facts.description = config.text("site_description");
        facts.author = config.text("site_author");
        facts.url = config.text("site_url").filter(|url| url.contains("://"));
        facts.language = config
            .text("theme.language")
            .or_else(|| config.text("theme.locale"));
        facts.trailing_slash = Some(true);
        facts.content = if docs.is_empty() {
            ".".into()
        } else {
            docs.clone()
        };
        let extensions = options::Extensions::of(&config);
        let options = Options {
            snippets: extensions.snippets(folder),
            snippet_append: extensions.texts("pymdownx.snippets", "auto_append"),
            keys: extensions.has("pymdownx.keys"),
            critic: extensions.has("pymdownx.critic"),
            marks: extensions.has("pymdownx.mark"),
            inserted: extensions.has("pymdownx.caret"),
            small: extensions.has("pymdownx.tilde"),
            emoji: extensions.has("pymdownx.emoji"),
            magic: extensions.has("mkdocstrings")
                || options::plugin(&config, "mkdocstrings").is_some(),
        };
        let includes = extensions.includes(&config, folder, &docs);
        let i18n = options::Languages::of(&config);
        if facts.language.is_none() {
            facts.language.clone_from(&i18n.default);
        }
        let blogs = Blog::all(&config);
        let mut site = MkDocs {
            exclude: Patterns::of(config.text("exclude_docs").as_deref()),
            drafts: Patterns::of(config.text("draft_docs").as_deref()),
            nav: Nav::read(&config, files, &docs),
            anchors: extensions.anchors(),
            macros: (options::plugin(&config, "macros").is_some()
                || extensions.has("zensical.extensions.macros"))
            .then(|| config.node("extra").map_or(Value::Nil, Value::of)),
            shadowed: shadowed(files, &docs),
            facts,
            docs,
            directory_urls,
            blogs,
            i18n,
            options,
            includes,
        };
        site.facts.collections = site.collections();
        Some(Box::new(site))
    }

    fn collections(&self) -> Vec<CollectionSettings> {
        let mut found: Vec<CollectionSettings> = Vec::new();
        for blog in &self.blogs {
            let name = artifact::route::slugify(if blog.dir.is_empty() {
                "blog"
            } else {
                &blog.dir
            });
            found.push(CollectionSettings {
                title: crate::config::names::prettified(&name),
                path: blog.posts.clone(),
                route: format!("/{}/{{slug}}", blog.dir).replace("//", "/"),
                posts: true,
                name,
                ..CollectionSettings::default()
            });
        }
        found.push(CollectionSettings {
            name: DOCS.into(),
            title: self.facts.title.clone().unwrap_or_else(|| "Docs".into()),
            description: self.facts.description.clone(),
            path: ".".into(),
            route: "/{path}".into(),
            ..CollectionSettings::default()
        });
        found
    }

    fn inside<'s>(&self, source: &'s str) -> Option<&'s str> {
        below(source, &self.docs).filter(|inside| !inside.is_empty())
    }

    /// The route of a path below the docs, and whether it stands for its folder.
    fn route(&self, path: &str) -> (String, bool) {
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let is_index = matches!(name, "index" | "README");
        let route = match (is_index, self.directory_urls) {
            (true, _) => folder.to_owned(),
            (false, true) => stem.to_owned(),
            (false, false) => format!("{stem}.html"),
        };
        (artifact::route::canonical(&route), is_index)
    }
}

/// READMEs beside an index, which MkDocs leaves out.
fn shadowed(files: &SiteFiles, docs: &str) -> Vec<String> {
    files
        .below(docs)
        .filter(|path| {
            let folder = path
                .strip_suffix("README.md")
                .filter(|folder| folder.is_empty() || folder.ends_with('/'));
            folder.is_some_and(|folder| files.has(&format!("{folder}index.md")))
        })
        .map(str::to_owned)
        .collect()
}

/// Patterns as `.gitignore` has them; the last that matches decides.
#[derive(Debug, Clone, Default)]
struct Patterns(Vec<(globset::GlobMatcher, bool)>);

impl Patterns {
    fn of(text: Option<&str>) -> Patterns {
        let mut found = Vec::new();
        for line in text.unwrap_or_default().lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (line, hides) = match line.strip_prefix('!') {
                Some(rest) => (rest, false),
                None => (line, true),
            };
            let body = line.trim_end_matches('/');
            let rooted = body.contains('/');
            let body = body.trim_start_matches('/');
            let start = if rooted { "" } else { "**/" };
            for pattern in [format!("{start}{body}"), format!("{start}{body}/**")] {
                if line.ends_with('/') && !pattern.ends_with("/**") {
                    continue;
                }
                if let Ok(glob) = globset::GlobBuilder::new(&pattern)
                    .literal_separator(true)
                    .build()
                {
                    found.push((glob.compile_matcher(), hides));
                }
            }
        }
        Patterns(found)
    }

    /// What the last pattern that matches says; none when none does.
    fn says(&self, path: &str) -> Option<bool> {
        self.0
            .iter()
            .rev()
            .find(|(glob, _)| glob.is_match(path))
            .map(|(_, hides)| *hides)
    }
}

impl Generator for MkDocs {
    fn kind(&self) -> Kind {
        Kind::MkDocs
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn is_content(&self, source: &str) -> bool {
        let Some(inside) = self.inside(source) else {
            return false;
        };
        let by_default =
            inside.split('/').any(|part| part.starts_with('.')) || inside.starts_with("templates/");
        // Python-Markdown's files end in these; `.mdx` is nothing that MkDocs knows.
        let is_markdown = [".md", ".markdown"]
            .iter()
            .any(|ending| inside.to_lowercase().ends_with(ending));
        is_markdown
            && !self.exclude.says(inside).unwrap_or(by_default)
            && !self.shadowed.iter().any(|it| it == source)
    }

    fn survey(&mut self, files: &mut [Seen<'_>], problems: &mut Vec<Problem>) {
        let has = |path: &str| joined(&self.docs, path);
        let known: Vec<String> = files.iter().map(|file| file.source.to_owned()).collect();
        for (path, line) in self
            .nav
            .missing(&|path| has(path).is_some_and(|path| known.contains(&path)))
        {
            problems.push(
                Problem::warning(
                    &self.facts.config,
                    format!("`nav` names `{path}`, which is no page"),
                )
                .at(line),
            );
        }
    }

    fn place(&self, file: &mut Seen<'_>) -> Placing {
        let Some(inside) = self.inside(file.source) else {
            return Placing::Material;
        };
        let path = match self.i18n.path(inside) {
            options::Path::Shown(path) => path,
            options::Path::Other(language) => {
                return Placing::Hidden(format!(
                    "it is written in `{language}`, which the site does not build"
                ));
            }
        };
        if self.drafts.says(inside) == Some(true) {
            return Placing::Hidden("`draft_docs` names it".into());
        }
        let entry = self
            .nav
            .entry(inside)
            .or_else(|| self.nav.entry(&path.source));
        if let Some(title) = entry.and_then(|entry| entry.title.clone()) {
            file.meta.title = Some(title);
        }
        if file.meta.title.is_none() && !file.body.lines().any(|line| line.starts_with("# ")) {
            file.meta.title = python_markdown::first_heading(file.body);
        }
        // `hide` names parts of the page's frame, and these keys say nothing here.
        let blog = self
            .blogs
            .iter()
            .find(|blog| below(inside, &blog.posts).is_some());
        blog::meta(file, blog.is_some());
        if let Some(language) = path.language {
            file.meta.language = Some(language);
        }
        if let Some(blog) = blog {
            return match blog.place(file, inside, self) {
                Ok(route) => Placing::Page(Placed {
                    route,
                    is_index: false,
                    ..Placed::default()
                }),
                Err(why) => Placing::Hidden(why),
            };
        }
        file.meta.show_early();
        let (route, is_index) = self.route(&path.route);
        Placing::Page(Placed {
            route,
            is_index,
            collection: Some(DOCS.into()),
            order: entry.map(|entry| entry.order),
        })
    }

    fn is_mdx(&self, _: &str) -> bool {
        false
    }

    fn expand(&self, page: &Context<'_>, text: &mut Text, log: &mut Log) {
        python_markdown::includes(text, page.source, &self.includes, page.files, log);
        python_markdown::snippets(text, page.source, &self.options, page.files, log);
        if let Some(extra) = &self.macros
            && settings::boolean(page.map, "render_macros") != Some(false)
        {
            let host = Macros {
                extra,
                page: Value::of_map(page.map),
            };
            liquid::render(text, page.source, false, &host, log);
        }
    }

    fn render(&self, _: &Context<'_>, text: &mut Text, log: &mut Log) {
        python_markdown::render(text, &self.options, log);
    }

    fn anchors(&self) -> Anchors {
        self.anchors
    }
}

/// What the macros plugin gives to a page: its front matter, and the variables of `extra`.
struct Macros<'a> {
    extra: &'a Value,
    page: Value,
}

impl Host for Macros<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Nunjucks
    }

    fn variable(&self, name: &str) -> Value {
        [&self.page, self.extra]
            .iter()
            .map(|from| from.member(name))
            .find(|value| *value != Value::Nil)
            .unwrap_or(Value::Unknown)
    }

    fn include(&self, _: &str, name: &str, _: &str) -> (String, Included) {
        (name.to_owned(), Included::Missing)
    }
}

#[cfg(test)]
mod tests;
