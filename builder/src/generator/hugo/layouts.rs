//! The site's own shortcodes, as far as their templates can be followed.
//!
//! Arguments, the text inside, parameters, other pages, data files, `with`, `if`, `range`, variables, and the functions that read
//! well without a browser. A template with anything else is not rendered; nothing of it is guessed. One that colours the text inside
//! as code makes a fence.

use std::collections::HashMap;

use super::render::Renderer;
use super::scope::Scope;
use super::template::{self, Piece};
use super::values::Value;
use crate::generator::SiteFiles;
use crate::page::Log;
use crate::page::syntax::shortcodes::Call;
use crate::site_map::joined;

/// The templates of a site's shortcodes by name.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    by_name: HashMap<String, Layout>,
}

/// One template.
#[derive(Debug)]
pub(super) struct Layout {
    pieces: Option<Vec<Piece>>,
    /// Whether it shows its inner text as code.
    pub is_code: bool,
}

impl Layouts {
    pub(super) fn open(files: &SiteFiles, root: &str, themes: &[String]) -> Layouts {
        let mut layouts = Layouts::default();
        let mut roots = vec![root.to_owned()];
        roots.extend(
            themes
                .iter()
                .filter_map(|theme| joined(root, &format!("themes/{theme}"))),
        );
        for root in roots {
            for folder in ["layouts/_shortcodes", "layouts/shortcodes"] {
                let Some(folder) = joined(&root, folder) else {
                    continue;
                };
                for path in files.below(&folder) {
                    let inside = crate::place::below(path, &folder).unwrap_or_default();
                    let Some((name, "html" | "md")) = inside.rsplit_once('.') else {
                        continue;
                    };
                    let name = name.strip_suffix(".html").unwrap_or(name).to_owned();
                    if let Ok(text) = files.read(path) {
                        layouts
                            .by_name
                            .entry(name)
                            .or_insert_with(|| Layout::of(&text));
                    }
                }
            }
        }
        layouts
    }

    pub(super) fn get(&self, name: &str) -> Option<&Layout> {
        self.by_name.get(name)
    }
}

impl Layout {
    fn of(text: &str) -> Layout {
        let lower = text.to_lowercase();
        let colours = lower.contains("transform.highlight") || lower.contains("highlight ");
        Layout {
            pieces: template::parse(text),
            is_code: text.contains(".Inner") && colours,
        }
    }

    /// The language of a fence.
    pub(super) fn language(&self, call: &Call, inside: &str) -> String {
        if let Some(language) = call.args.any(&["lang", "language"]) {
            return language.to_owned();
        }
        let first = inside
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default();
        let is_key = |line: &str, sign: char| {
            line.split_once(sign).is_some_and(|(key, _)| {
                !key.is_empty()
                    && key
                        .trim()
                        .chars()
                        .all(|c| c.is_alphanumeric() || "_-.\"' ".contains(c))
            })
        };
        match first {
            first if first.starts_with('[') || is_key(first, '=') => "toml".into(),
            first if first.starts_with('{') => "json".into(),
            first if is_key(first, ':') => "yaml".into(),
            _ => call.args.list.first().cloned().unwrap_or_default(),
        }
    }

    /// What a call reads as; none when the template cannot be followed.
    pub(super) fn render(
        &self,
        at: &Renderer<'_>,
        call: &Call,
        inside: Option<&str>,
        line: u32,
        log: &mut Log,
    ) -> Option<String> {
        let mut scope = Scope {
            at,
            call,
            inside,
            line,
            log,
            names: Vec::new(),
            steps: 0,
        };
        let mut out = String::new();
        scope.show(self.pieces.as_ref()?, &Value::Call, &mut out)?;
        let out = at.inline(&out, line, log);
        // A template of one line stands in a line.
        let out = out.trim();
        Some(if out.contains('\n') {
            format!("\n{out}\n")
        } else {
            out.to_owned()
        })
    }
}
