//! What a template shows: pieces, names, words and fields, for one call of a shortcode.

use super::functions;
use super::pages::{Fate, Page};
use super::render::Renderer;
use super::template::{self, Piece, Pipeline};
use super::values::{Value, items, node};
use crate::front_matter::value::find;
use crate::front_matter::{Node, Value as Data};
use crate::generator::settings;
use crate::page::Log;
use crate::page::syntax::conventions::Spot;
use crate::page::syntax::shortcodes::Call;
use crate::site_map::joined;

/// Where a template is at.
pub(super) struct Scope<'a, 's> {
    pub at: &'s Renderer<'a>,
    pub call: &'s Call,
    pub inside: Option<&'s str>,
    pub line: u32,
    pub log: &'s mut Log,
    pub names: Vec<(String, Value<'a>)>,
    /// How much was shown: no template takes for ever.
    pub steps: usize,
}

const MOST_STEPS: usize = 20_000;

impl<'a> Scope<'a, '_> {
    pub(super) fn show(
        &mut self,
        pieces: &[Piece],
        dot: &Value<'a>,
        out: &mut String,
    ) -> Option<()> {
        let names = self.names.len();
        for piece in pieces {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(what) => out.push_str(&self.value(what, dot)?.shown()?),
                Piece::Set { name, is_new, what } => {
                    let value = self.value(what, dot)?;
                    let held = self.names.iter_mut().rev().find(|(held, _)| held == name);
                    match held.filter(|_| !is_new) {
                        Some(held) => held.1 = value,
                        None => self.names.push((name.clone(), value)),
                    }
                }
                Piece::When {
                    with,
                    name,
                    what,
                    then,
                    other,
                } => {
                    let value = self.value(what, dot)?;
                    let before = self.names.len();
                    if let Some(name) = name {
                        self.names.push((name.clone(), value.clone()));
                    }
                    match (value.holds(), with) {
                        (true, true) => self.show(then, &value, out)?,
                        (true, false) => self.show(then, dot, out)?,
                        (false, _) => self.show(other, dot, out)?,
                    }
                    self.names.truncate(before);
                }
                Piece::Range {
                    names,
                    what,
                    each,
                    none,
                } => {
                    let items = items(self.value(what, dot)?)?;
                    if items.is_empty() {
                        self.show(none, dot, out)?;
                    }
                    for (key, item) in items {
                        let before = self.names.len();
                        let (own, place) = match names.as_slice() {
                            [] => (None, None),
                            [item] => (Some(item), None),
                            [place, item, ..] => (Some(item), Some(place)),
                        };
                        self.names
                            .extend(place.map(|name| (name.clone(), Value::Text(key))));
                        self.names
                            .extend(own.map(|name| (name.clone(), item.clone())));
                        self.show(each, &item, out)?;
                        self.names.truncate(before);
                    }
                }
            }
        }
        self.names.truncate(names);
        Some(())
    }

    pub(super) fn value(&mut self, what: &Pipeline, dot: &Value<'a>) -> Option<Value<'a>> {
        let mut piped: Option<Value<'a>> = None;
        for command in what {
            let (name, words) = command.split_first()?;
            let mut args = Vec::with_capacity(words.len() + 1);
            for word in words {
                args.push(self.word(word, dot)?);
            }
            args.extend(piped.take());
            piped = Some(match functions::call(self, name, &args, dot) {
                Some(value) => value,
                None if args.is_empty() => self.word(name, dot)?,
                None => return None,
            });
        }
        piped
    }

    /// A word: a text, a number, a name with its fields, or a pipeline in parentheses.
    pub(super) fn word(&mut self, word: &str, dot: &Value<'a>) -> Option<Value<'a>> {
        if let Some(inside) = word.strip_prefix('(') {
            let (inside, fields) = inside.rsplit_once(')')?;
            let value = self.value(&template::pipeline(inside)?, dot)?;
            return self.fields(value, fields);
        }
        if let Some(text) = template::quoted(word) {
            return Some(Value::Text(text));
        }
        if word.parse::<f64>().is_ok() {
            return Some(Value::text(word));
        }
        match word {
            "." => return Some(dot.clone()),
            "true" => return Some(Value::truth(true)),
            "false" | "nil" => return Some(Value::Nothing),
            _ => {}
        }
        let (start, fields) = match word.strip_prefix('$') {
            Some(rest) => {
                let end = rest.find('.').unwrap_or(rest.len());
                let (name, fields) = rest.split_at(end);
                let value = match name {
                    "" => Value::Call,
                    name => self
                        .names
                        .iter()
                        .rev()
                        .find(|(held, _)| held == name)?
                        .1
                        .clone(),
                };
                (value, fields)
            }
            None if word.starts_with('.') => (dot.clone(), word),
            None => {
                let end = word.find('.').unwrap_or(word.len());
                let value = match &word[..end] {
                    "site" => Value::Site,
                    "hugo" => Value::Hugo,
                    _ => return None,
                };
                (value, &word[end..])
            }
        };
        self.fields(start, fields)
    }

    fn fields(&mut self, mut value: Value<'a>, fields: &str) -> Option<Value<'a>> {
        for field in fields.split('.').filter(|field| !field.is_empty()) {
            value = self.field(value, field)?;
        }
        Some(value)
    }

    /// A field of a value; none when it is not known.
    pub(super) fn field(&mut self, value: Value<'a>, name: &str) -> Option<Value<'a>> {
        let hugo = self.at.hugo;
        Some(match value {
            Value::Nothing => Value::Nothing,
            Value::Call => match name {
                "Inner" | "InnerDeindent" => {
                    let inside = self.inside.unwrap_or_default();
                    // Lines of markdown inside HTML stand apart from it.
                    match inside.trim().contains('\n') {
                        true => Value::Text(format!("\n\n{}\n\n", inside.trim_matches('\n'))),
                        false => Value::text(inside),
                    }
                }
                "Page" => Value::Page(self.at.page),
                "Site" => Value::Site,
                "Name" => Value::text(&self.call.name),
                "Position" => Value::Nothing,
                "IsNamedParams" => Value::truth(!self.call.args.named.is_empty()),
                "Params" => Value::List(self.call.args.list.iter().map(Value::text).collect()),
                _ => return None,
            },
            Value::Hugo => match name {
                "Data" => Value::Folder(String::new()),
                "Environment" => Value::text("production"),
                "IsProduction" => Value::truth(true),
                "IsServer" | "IsDevelopment" => Value::Nothing,
                _ => return None,
            },
            Value::Site => match name {
                "Data" => Value::Folder(String::new()),
                "Params" => Value::SiteParams,
                "Title" => Value::text(hugo.facts.title.clone().unwrap_or_default()),
                "BaseURL" => Value::text(hugo.facts.url.clone().unwrap_or_default()),
                "Home" => self.page(hugo.find_page(self.at.page, "/")),
                _ => return None,
            },
            Value::SiteParams => node(hugo.finder.config.node(&format!("params.{name}"))),
            Value::Params(page) => {
                let value = |key: &str| hugo.finder.value(page, key);
                node(
                    value(&format!("params.{name}"))
                        .or_else(|| value(name))
                        .map(|entry| &entry.node),
                )
            }
            Value::Page(page) => return self.page_field(page, name),
            Value::Data(held) => {
                let map = settings::entries(&held);
                node(find(map, name).map(|entry| &entry.node))
            }
            Value::Folder(path) => self.data(&format!("{path}/{name}")),
            Value::Text(_) | Value::List(_) => return None,
        })
    }

    fn page_field(&mut self, page: &'a Page, name: &str) -> Option<Value<'a>> {
        let own = page.parts.last().map(String::as_str).unwrap_or_default();
        Some(match name {
            "Title" => Value::text(page.title.as_deref().unwrap_or(own)),
            "LinkTitle" => Value::text(
                page.link_title
                    .as_deref()
                    .or(page.title.as_deref())
                    .unwrap_or(own),
            ),
            "Description" => Value::text(page.description.as_deref().unwrap_or_default()),
            "RelPermalink" | "Permalink" => Value::Text(format!("/{}", page.source)),
            "Path" => Value::text(&page.path),
            "Params" => Value::Params(page),
            "Site" => Value::Site,
            "Page" => Value::Page(page),
            "Kind" => Value::text(page.kind.name()),
            "Section" => Value::text(page.path[1..].split('/').next().unwrap_or_default()),
            "Lang" => Value::text(&page.language),
            "Weight" => Value::text(page.weight.to_string()),
            "Pages" | "RegularPages" | "Sections" => {
                let is_section = |page: &&Page| page.kind != super::cascade::PageKind::Page;
                let pages = self.at.hugo.children(page).filter(|page| match name {
                    "Pages" => true,
                    "Sections" => is_section(page),
                    _ => !is_section(page),
                });
                Value::List(pages.map(Value::Page).collect())
            }
            "RenderShortcodes" | "RawContent" | "Content" | "Plain" => {
                if page.source == self.at.page.source
                    || matches!(page.fate, Fate::Hidden(_) | Fate::Withheld(_))
                {
                    return None;
                }
                let spot = Spot {
                    lead: Some(""),
                    line: self.line,
                };
                let text = self
                    .at
                    .include(&format!("{}.md", page.path), true, spot, self.log)?;
                Value::Text(text.text)
            }
            _ => return None,
        })
    }

    /// A page, unless it is kept back.
    pub(super) fn page(&self, page: Option<&'a Page>) -> Value<'a> {
        match page {
            Some(page) if !matches!(page.fate, Fate::Hidden(_) | Fate::Withheld(_)) => {
                Value::Page(page)
            }
            _ => Value::Nothing,
        }
    }

    /// What stands below a path of `data/`.
    fn data(&self, path: &str) -> Value<'a> {
        let Some(context) = self.at.context else {
            return Value::Nothing;
        };
        let files = context.files;
        let Some(base) = joined(&self.at.hugo.finder.config.root, &format!("data/{path}")) else {
            return Value::Nothing;
        };
        for ending in ["yaml", "yml", "toml", "json"] {
            let file = format!("{base}.{ending}");
            if files.has(&file) {
                let map = settings::read(files, &file, &mut Vec::new()).literals.map;
                return Value::Data(Node {
                    line: 1,
                    value: Data::Map(map),
                });
            }
        }
        match files.below(&base).next() {
            Some(_) => Value::Folder(path.to_owned()),
            None => Value::Nothing,
        }
    }
}
