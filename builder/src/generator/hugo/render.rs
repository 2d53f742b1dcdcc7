//! What Hugo's shortcodes read as: those that Hugo brings, the site's own, and those of the usual names.

use super::Hugo;
use super::cascade::PageKind;
use super::pages::{Fate, Page};
use crate::front_matter::{Node, Value};
use crate::generator::{Context, Included, settings};
use crate::page::syntax::conventions::{self, Spot, link, own_name};
use crate::page::syntax::shortcodes::{self, Call};
use crate::page::{Log, Text};
use crate::place::folder_of;
use crate::site_map::joined;

/// Files that include files are followed so deep.
const DEEPEST: usize = 8;

/// The rendering of one page.
pub(super) struct Renderer<'a> {
    pub hugo: &'a Hugo,
    pub page: &'a Page,
    /// None where other files cannot be read.
    pub context: Option<&'a Context<'a>>,
    pub depth: usize,
}

impl Renderer<'_> {
    /// Renders all shortcodes of a text.
    pub(super) fn render(&self, text: &mut Text, log: &mut Log) {
        if !text.text.contains("{{<") && !text.text.contains("{{%") {
            return;
        }
        let nodes = shortcodes::hugo(&text.text);
        let source = text.clone();
        let mut read = |call: &Call, inside: Option<Text>, line: u32| {
            let spot = Spot::of(&source, call.range.start, line);
            let args = &call.args;
            let mut values = args
                .list
                .iter()
                .chain(args.named.iter().map(|(_, value)| value));
            if !values.any(|value| value.contains("{{")) {
                return self.call(call, inside, spot, &source, log);
            }
            let mut call = call.clone();
            let args = call.args.list.iter_mut();
            for value in args.chain(call.args.named.iter_mut().map(|(_, value)| value)) {
                *value = self.inline(value, line, log);
            }
            self.call(&call, inside, spot, &source, log)
        };
        *text = shortcodes::render(&source, &nodes, &mut read);
    }

    /// Renders the shortcodes of a text that stands in one line.
    pub(super) fn inline(&self, text: &str, line: u32, log: &mut Log) -> String {
        if self.depth > DEEPEST || (!text.contains("{{<") && !text.contains("{{%")) {
            return text.to_owned();
        }
        let deeper = Renderer {
            depth: self.depth + 1,
            ..*self
        };
        let mut text = Text::of_line(text, line);
        deeper.render(&mut text, log);
        text.text
    }

    fn call(
        &self,
        call: &Call,
        inside: Option<Text>,
        spot: Spot<'_>,
        source: &Text,
        log: &mut Log,
    ) -> Text {
        let name = own_name(call);
        let shows = |text: String| Text::of_line(text, spot.line);
        if let Some(text) = self.built_in(&name, call, spot, log) {
            return text;
        }
        if let ("show-in" | "hide-in", Some(inside)) = (name.as_str(), &inside) {
            let named = self.is_named(call.args.list.first().map_or("", String::as_str));
            return match named == (name == "show-in") {
                true => inside.clone(),
                false => shows(String::new()),
            };
        }
        if let Some(inside) = &inside
            && let Some(text) = conventions::container(call, inside, spot)
        {
            return text;
        }
        if let Some(layout) = self.hugo.layouts.get(&call.name) {
            if layout.is_code
                && !call.in_code
                && let Some(inside) = &inside
            {
                return conventions::fence(&layout.language(call, &inside.text), inside, spot);
            }
            let shown = inside.as_ref().map(|inside| inside.text.as_str());
            if let Some(text) = layout.render(self, call, shown, spot.line, log) {
                return shows(text);
            }
        }
        if let Some(text) = self.of_data(&name, call) {
            return shows(text);
        }
        if let Some(inside) = inside {
            if !is_wrapper(&name) {
                log.unrendered(spot.line, format!("shortcode `{}`", call.name));
            }
            return inside;
        }
        if matches!(
            name.as_str(),
            "children" | "section-children" | "list-children" | "subpages"
        ) {
            return shows(self.children(spot));
        }
        if let Some(text) = self.included(&name, call, spot, log) {
            return text;
        }
        shows(conventions::alone_or_left_out(call, spot.line, source, log))
    }

    /// The shortcodes that Hugo brings and that need the site.
    fn built_in(&self, name: &str, call: &Call, spot: Spot<'_>, log: &mut Log) -> Option<Text> {
        let args = &call.args;
        let shows = |text: String| Some(Text::of_line(text, spot.line));
        match name {
            "ref" | "relref" => {
                let to = args.any_or(&["path"], 0)?;
                match self.hugo.reference(self.page, to) {
                    Some(found) => shows(found),
                    None => {
                        let what = format!("`{}` names `{to}`, which is no page", call.name);
                        log.warn(
                            spot.line,
                            what,
                            Some("name a content file, from the content folder or from this file"),
                        );
                        shows(to.to_owned())
                    }
                }
            }
            "param" => {
                let key = args.any_or(&["key"], 0)?;
                let node = self.param(key)?;
                shows(written(node))
            }
            _ => None,
        }
    }

    /// A parameter of the page, or else of the site.
    pub(super) fn param(&self, key: &str) -> Option<&Node> {
        let own = |key: &str| self.hugo.finder.value(self.page, key);
        let entry = own(&format!("params.{key}")).or_else(|| own(key));
        entry
            .map(|entry| &entry.node)
            .or_else(|| self.hugo.finder.config.node(&format!("params.{key}")))
    }

    /// Whether a list of names, with commas between them, has one of the part of the site that the page belongs to.
    fn is_named(&self, list: &str) -> bool {
        let page = self.page.path.trim_matches('/');
        let entry = self.hugo.data.entry(page);
        list.split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .any(|name| {
                page.split('/').any(|part| part == name)
                    || entry
                        .as_ref()
                        .is_some_and(|entry| entry.names().contains(&name))
                    || ["product", "version"].iter().any(|key| {
                        let value = self.hugo.finder.value(self.page, key);
                        value.and_then(|entry| entry.node.text()) == Some(name)
                    })
            })
    }

    /// The field of a data file that a shortcode is called like.
    fn of_data(&self, name: &str, call: &Call) -> Option<String> {
        let entry = self.hugo.data.entry(&self.page.path)?;
        let args = &call.args;
        let mut text = match (name, args.list.first().map(String::as_str)) {
            (name, Some("short")) => entry.field("altname").or_else(|| entry.value(name))?,
            ("host", _) => entry.field("placeholder_host")?,
            ("host-url", _) => {
                let host = entry.field("placeholder_host")?;
                return Some(format!(
                    "{}://{host}",
                    entry.field("scheme").unwrap_or("https")
                ));
            }
            ("current-version", _) => entry.value(name).or_else(|| entry.field("latest"))?,
            (name, _) => entry.value(name)?,
        }
        .to_owned();
        if let Some(omit) = args.named("omit") {
            text = text.replacen(omit, "", 1);
        }
        Some(text)
    }

    /// Links to a part `version` of the site lead to the part that the page belongs to: pages of several versions share their text.
    pub(super) fn follow_version(&self, text: &mut Text) {
        if !text.text.contains("/version/") {
            return;
        }
        let Some(entry) = self.hugo.data.entry(&self.page.path) else {
            return;
        };
        let mut own = format!("/{}/", entry.path());
        if let Some(next) = self
            .page
            .path
            .strip_prefix(&own)
            .and_then(|rest| rest.split('/').next())
            && entry.names().contains(&next)
        {
            own = format!("{own}{next}/");
        }
        let mut edits = Vec::new();
        for (at, found) in text.text.match_indices("/version/") {
            let before = &text.text[..at];
            let start = before
                .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
                .filter(|start| before[*start..].starts_with('/'));
            let Some(start) = start else {
                continue;
            };
            let is_link = ["(", "]: ", "=\"", "='"]
                .iter()
                .any(|sign| before[..start].ends_with(sign));
            if is_link {
                edits.push((start..at + found.len(), own.clone()));
            }
        }
        text.replace(edits);
    }

    /// The pages of the page's section, as a list of links.
    fn children(&self, spot: Spot<'_>) -> String {
        let lead = spot.lead.unwrap_or_default();
        let lines: Vec<String> = self
            .hugo
            .children(self.page)
            .map(|page| {
                let title = page.link_title.as_deref().or(page.title.as_deref());
                let title = title.unwrap_or_else(|| page.parts.last().map_or("", String::as_str));
                let title = self.inline(title, spot.line, &mut Log::default());
                let about = page
                    .description
                    .as_deref()
                    .map(|text| self.inline(text, spot.line, &mut Log::default()));
                let about = about.map_or(String::new(), |text| {
                    format!(": {}", text.replace('\n', " "))
                });
                format!("- {}{about}", link(&title, &format!("/{}", page.source)))
            })
            .collect();
        lines.join(&format!("\n{lead}"))
    }

    /// Another file's text, for shortcodes that are called like an include.
    fn included(&self, name: &str, call: &Call, spot: Spot<'_>, log: &mut Log) -> Option<Text> {
        let is_include = [
            "include",
            "shared-text",
            "readfile",
            "import",
            "snippet",
            "transclude",
            "embed-md",
            "reuse",
        ]
        .iter()
        .any(|word| name.contains(word));
        let path = call
            .args
            .any_or(&["file", "path", "src", "name", "page"], 0)?;
        if !is_include || self.depth > DEEPEST {
            return None;
        }
        self.include(path, call.in_code, spot, log)
    }

    /// Another file's text: a content file's by its logical path, any other's by its path.
    pub(super) fn include(
        &self,
        path: &str,
        in_code: bool,
        spot: Spot<'_>,
        log: &mut Log,
    ) -> Option<Text> {
        let files = self.context?.files;
        let page = self.hugo.find_page(self.page, path);
        let found = page.map(|page| page.source.clone()).or_else(|| {
            let path = path.trim_start_matches('/');
            let root = &self.hugo.finder.config.root;
            let content = &self.hugo.facts.content;
            let own = folder_of(&self.page.source);
            let shared = format!("{content}/shared/text");
            let folders = [
                own,
                root,
                content,
                "assets",
                "static",
                "data",
                "layouts",
                shared.as_str(),
            ];
            folders
                .iter()
                .filter_map(|folder| joined(folder, path))
                .find(|path| files.has(path))
        })?;
        if page.is_some_and(|page| matches!(page.fate, Fate::Hidden(_) | Fate::Withheld(_))) {
            log.warn(
                spot.line,
                format!("the page includes `{found}`, which is not published"),
                Some("it is left out"),
            );
            return Some(Text::of_line("", spot.line));
        }
        let text = match files.include(&found) {
            Included::Text(text) => text,
            Included::Hidden => {
                log.warn(
                    spot.line,
                    format!("the page includes `{found}`, which is not published"),
                    Some("it is left out"),
                );
                return Some(Text::of_line("", spot.line));
            }
            Included::Missing | Included::Unreadable(_) => return None,
        };
        let mut text = Text::of_line(text.trim(), spot.line);
        crate::page::without_comments(&mut text);
        let deeper = Renderer {
            depth: self.depth + 1,
            ..*self
        };
        deeper.render(&mut text, log);
        let ending = found.rsplit('.').next().unwrap_or_default();
        let is_code = !in_code && !matches!(ending, "md" | "markdown" | "html" | "txt");
        Some(match (is_code, spot.lead) {
            (true, _) => conventions::fence(ending, &text, spot),
            (false, Some(lead)) if !lead.is_empty() => {
                let indented = text.text.replace('\n', &format!("\n{lead}"));
                Text::of_line(indented, spot.line)
            }
            _ => text,
        })
    }
}

/// Names that only arrange what stands inside them.
fn is_wrapper(name: &str) -> bool {
    [
        "wrapper", "tabs", "tabpane", "columns", "column", "row", "flex", "grid", "cards", "steps",
        "content", "div", "section", "block",
    ]
    .iter()
    .any(|word| name.contains(word))
        || matches!(
            name,
            "expand-group"
                | "accordion-group"
                | "center"
                | "left"
                | "right"
                | "small"
                | "truncate"
                | "md"
                | "markdown"
                | "rawhtml"
                | "html"
                | "lead"
                | "blockquote"
                | "filetree"
                | "keep"
        )
}

/// A value as a page shows it.
pub(super) fn written(node: &Node) -> String {
    match &node.value {
        Value::List(_) => settings::texts(node).join(", "),
        Value::Scalar { .. } => node.text().unwrap_or_default().to_owned(),
        Value::Map(_) => String::new(),
    }
}

impl Hugo {
    /// The page that a path names for another page, as `ref` and `GetPage` look it up: from the content root, from the page's
    /// folder, then by a name that only one page has.
    pub(super) fn find_page(&self, from: &Page, path: &str) -> Option<&Page> {
        let path = path.trim();
        let stem = &path[..path.len() - crate::source::markdown_ending(path).map_or(0, str::len)];
        let stem = stem
            .strip_suffix("/_index")
            .or(stem.strip_suffix("/index"))
            .unwrap_or(stem)
            .trim_end_matches('/');
        let normal = super::routes::normalised(stem);
        let get = |path: &str| {
            let path = format!("/{}", path.trim_matches('/'));
            let own = self.by_path.get(&(from.language.clone(), path.clone()));
            let other = || {
                self.by_path
                    .get(&(self.finder.config.default_language.clone(), path))
            };
            own.or_else(other).and_then(|at| self.pages.get(*at))
        };
        if normal.starts_with('/') {
            return get(&normal);
        }
        let folder = match from.kind {
            PageKind::Page if !from.source.ends_with("/index.md") => folder_of(&from.path),
            _ => from.path.as_str(),
        };
        let near = joined(folder, &normal).and_then(|path| get(&path));
        near.or_else(|| get(&normal)).or_else(|| {
            let name = normal.rsplit('/').next()?;
            let at = (*self
                .by_name
                .get(&(from.language.clone(), name.to_owned()))?)?;
            self.pages
                .get(at)
                .filter(|page| page.path.ends_with(normal.trim_start_matches("./")))
        })
    }

    /// The address that `ref` gives, as a link that the site's map follows.
    fn reference(&self, from: &Page, to: &str) -> Option<String> {
        let (path, fragment) = to.split_at(to.find('#').unwrap_or(to.len()));
        if path.is_empty() {
            return Some(fragment.to_owned());
        }
        let page = self.find_page(from, path)?;
        Some(conventions::destination(&format!(
            "/{}{fragment}",
            page.source
        )))
    }

    /// The published pages directly below a section, in their order.
    pub(super) fn children<'a>(&'a self, of: &'a Page) -> impl Iterator<Item = &'a Page> {
        let at = self.children.get(&(of.language.clone(), of.path.clone()));
        at.into_iter()
            .flatten()
            .filter_map(|at| self.pages.get(*at))
    }
}
