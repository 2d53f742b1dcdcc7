//! Zola's shortcodes: the site's own templates as far as they are plain, then the usual names.
//!
//! A template may hold text, `{{ body }}`, `{{ name }}` with filters that change nothing for a reader, and `if`, `elif`, `else` about whether an
//! argument is given. One with anything else is not rendered.

use std::collections::HashMap;

use crate::generator::{Context, SiteFiles};
use crate::page::syntax::conventions::{self, Spot};
use crate::page::syntax::shortcodes::{self, Call};
use crate::page::syntax::zola;
use crate::page::{Log, Text};
use crate::site_map::joined;

/// The templates of a site's shortcodes by name; none where one is more than plain.
#[derive(Debug, Default)]
pub(super) struct Templates {
    by_name: HashMap<String, Option<Vec<Piece>>>,
}

#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Value(String),
    /// A condition, then, else.
    When(String, Vec<Piece>, Vec<Piece>),
}

impl Templates {
    pub(super) fn open(files: &SiteFiles, root: &str, theme: Option<&str>) -> Templates {
        let mut templates = Templates::default();
        let folders = [
            Some("templates/shortcodes".to_owned()),
            theme.map(|theme| format!("themes/{theme}/templates/shortcodes")),
        ];
        for folder in folders.into_iter().flatten() {
            let Some(folder) = joined(root, &folder) else {
                continue;
            };
            for path in files.below(&folder) {
                let inside = crate::place::below(path, &folder).unwrap_or_default();
                if let Some((name, "html" | "md")) = inside.rsplit_once('.')
                    && let Ok(text) = files.read(path)
                {
                    templates
                        .by_name
                        .entry(name.to_owned())
                        .or_insert_with(|| pieces(&text));
                }
            }
        }
        templates
    }

    /// Renders all shortcodes of a page.
    pub(super) fn render(&self, _: &Context<'_>, text: &mut Text, log: &mut Log) {
        if !text.text.contains("{{") && !text.text.contains("{%") {
            return;
        }
        let source = text.clone();
        let nodes = zola::parse(&source.text);
        let mut read = |call: &Call, inside: Option<Text>, line: u32| {
            let spot = Spot::of(&source, call.range.start, line);
            self.call(call, inside, spot, &source, log)
        };
        *text = shortcodes::render(&source, &nodes, &mut read);
    }

    fn call(
        &self,
        call: &Call,
        inside: Option<Text>,
        spot: Spot<'_>,
        source: &Text,
        log: &mut Log,
    ) -> Text {
        let shows = |text: String| Text::of_line(text, spot.line);
        if let Some(inside) = &inside
            && let Some(text) = conventions::container(call, inside, spot)
        {
            return text;
        }
        let template = self.by_name.get(&call.name);
        if let Some(Some(pieces)) = template {
            let mut out = String::new();
            let body = inside.as_ref().map(|inside| inside.text.as_str());
            if show(pieces, call, body, &mut out).is_some() {
                let out = out.trim();
                return shows(if out.contains('\n') {
                    format!("\n{out}\n")
                } else {
                    out.to_owned()
                });
            }
        }
        if let Some(inside) = inside {
            log.unrendered(spot.line, format!("shortcode `{}`", call.name));
            return inside;
        }
        shows(conventions::alone_or_left_out(call, spot.line, source, log))
    }
}

fn show(pieces: &[Piece], call: &Call, body: Option<&str>, out: &mut String) -> Option<()> {
    let value = |name: &str| match name {
        "body" => body,
        name => call.args.named(name),
    };
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Value(name) => {
                let text = value(name)?;
                // Lines of markdown inside HTML stand apart from it.
                match name == "body" && text.trim().contains('\n') {
                    true => out.push_str(&format!("\n\n{}\n\n", text.trim_matches('\n'))),
                    false => out.push_str(text.trim_matches('\n')),
                }
            }
            Piece::When(name, then, other) => {
                let holds = value(name).is_some_and(|text| !text.is_empty() && text != "false");
                show(if holds { then } else { other }, call, body, out)?;
            }
        }
    }
    Some(())
}

/// The pieces of a template that is plain.
fn pieces(text: &str) -> Option<Vec<Piece>> {
    // Conditions in conditions are followed one by one, and nobody writes so many.
    if text.matches("{%").count() > 200 {
        return None;
    }
    let mut rest = text;
    let (pieces, end) = block(&mut rest)?;
    end.is_empty().then_some(pieces)
}

/// Pieces up to `endif`, `else` or `elif`, which is given back; the text behind stays in `rest`.
fn block(rest: &mut &str) -> Option<(Vec<Piece>, String)> {
    let mut pieces = Vec::new();
    while let Some(at) = rest.find('{') {
        let sign = rest.get(at..at + 2).unwrap_or_default();
        let close = match sign {
            "{{" => "}}",
            "{%" => "%}",
            "{#" => "#}",
            _ => {
                pieces.push(Piece::Text(rest[..at + 1].to_owned()));
                *rest = &rest[at + 1..];
                continue;
            }
        };
        pieces.push(Piece::Text(rest[..at].to_owned()));
        let (inside, after) = rest[at + 2..].split_once(close)?;
        *rest = after;
        let inside = inside.trim_matches('-').trim();
        match (sign, inside.split_once(char::is_whitespace)) {
            ("{#", _) => {}
            ("{{", _) => {
                let mut parts = inside.split('|').map(str::trim);
                let name = parts.next()?;
                let plain = |filter: &str| {
                    matches!(
                        filter,
                        "safe" | "markdown" | "trim" | "escape" | "linebreaksbr"
                    ) || filter.starts_with("markdown(")
                };
                if !is_name(name) || !parts.all(plain) {
                    return None;
                }
                pieces.push(Piece::Value(name.to_owned()));
            }
            (_, Some(("if", name))) => pieces.push(when(name, rest)?),
            _ if inside == "endif" || inside == "else" || inside.starts_with("elif ") => {
                return Some((pieces, inside.to_owned()));
            }
            _ => return None,
        }
    }
    pieces.push(Piece::Text((*rest).to_owned()));
    *rest = "";
    Some((pieces, String::new()))
}

fn when(name: &str, rest: &mut &str) -> Option<Piece> {
    let name = name.trim();
    if !is_name(name) {
        return None;
    }
    let (then, end) = block(rest)?;
    let other = match end.strip_prefix("elif ") {
        Some(name) => vec![when(name, rest)?],
        None if end == "else" => {
            let (other, end) = block(rest)?;
            (end == "endif").then_some(other)?
        }
        None => (end == "endif").then(Vec::new)?,
    };
    Some(Piece::When(name.to_owned(), then, other))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
