//! Walks over the pieces of a template and shows what can be shown.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::code::{self, fence};
use super::expression::{self, Found, Scope};
use super::filters::Args;
use super::parse::{self, Piece, Tag};
use super::sink::{self, Sink};
use super::value::Value;
use super::{Dialect, Host};
use crate::generator::Included;
use crate::page::code::{code_ranges, is_inside};
use crate::page::{Log, Text};

/// How deep includes may include.
const DEEPEST: usize = 12;
/// How many pieces one page may take, loops and includes counted: a page that takes more is not read to its end.
pub(super) const MOST_STEPS: usize = 200_000;
/// The characters of an output that are told.
const TOLD: usize = 60;

pub(super) fn page(
    text: &Text,
    source: &str,
    mdx: bool,
    host: &dyn Host,
    log: &mut Log,
) -> Vec<(Range<usize>, String)> {
    let pieces = parse::parse(&text.text, host.dialect());
    let frame = Frame {
        text: &text.text,
        page: Some((text, code_ranges(&text.text, mdx))),
        source,
        line: 1,
        is_code: false,
    };
    let mut renderer = Renderer::new(host, Some(log));
    let mut out = Sink::Edits(Vec::new());
    renderer.walk(&frame, &pieces, &mut out);
    match out {
        Sink::Edits(edits) => edits,
        Sink::Text(_) => Vec::new(),
    }
}

pub(super) fn line(template: &str, host: &dyn Host) -> Option<String> {
    let pieces = parse::parse(template, host.dialect());
    let frame = Frame {
        text: template,
        page: None,
        source: "",
        line: 1,
        is_code: false,
    };
    let mut renderer = Renderer::new(host, None);
    let mut out = Sink::Text(String::new());
    renderer.walk(&frame, &pieces, &mut out);
    match out {
        Sink::Text(text) if !renderer.is_incomplete => Some(text),
        _ => None,
    }
}

/// The text that pieces are ranges of.
pub(super) struct Frame<'a> {
    pub(super) text: &'a str,
    /// The page, and where its code stands; none in an include.
    page: Option<(&'a Text, Vec<Range<usize>>)>,
    /// The file of the text.
    source: &'a str,
    /// The page's line that an include stands on.
    line: u32,
    /// Whether all of it is code.
    is_code: bool,
}

impl Frame<'_> {
    fn line_of(&self, at: usize) -> u32 {
        self.page
            .as_ref()
            .map_or(self.line, |(text, _)| text.line_of(at))
    }

    pub(super) fn is_code(&self, at: usize) -> bool {
        self.is_code
            || self
                .page
                .as_ref()
                .is_some_and(|(_, code)| is_inside(code, at))
    }
}

pub(super) struct Renderer<'a> {
    pub(super) host: &'a dyn Host,
    log: Option<&'a mut Log>,
    pub(super) variables: HashMap<String, Value>,
    depth: usize,
    pub(super) steps: usize,
    /// Whether what cannot be shown has been told already.
    pub(super) quiet: usize,
    is_incomplete: bool,
    /// What was told, so that a loop or include tells it once for each line of the page.
    told: HashSet<(u32, String)>,
}

impl Scope for Renderer<'_> {
    fn dialect(&self) -> Dialect {
        self.host.dialect()
    }

    fn variable(&self, name: &str) -> Value {
        match self.variables.get(name) {
            Some(value) => value.clone(),
            None => self.host.variable(name),
        }
    }

    fn filter(&self, name: &str, input: &Value, args: &Args) -> Option<Value> {
        if name == "highlight" && !args.values.is_empty() {
            let language = args.values[0].shown()?;
            let code = input.shown()?;
            return Some(Value::Block(fence(code::language(&language), &code).into()));
        }
        self.host.filter(name, input, args)
    }
}

impl<'a> Renderer<'a> {
    fn new(host: &'a dyn Host, log: Option<&'a mut Log>) -> Renderer<'a> {
        Renderer {
            host,
            log,
            variables: HashMap::new(),
            depth: 0,
            steps: 0,
            quiet: 0,
            is_incomplete: false,
            told: HashSet::new(),
        }
    }

    pub(super) fn unrendered(&mut self, frame: &Frame<'_>, at: usize, what: String) {
        self.is_incomplete = true;
        if self.quiet == 0
            && let Some(log) = &mut self.log
        {
            let line = frame.line_of(at);
            if self.told.insert((line, what.clone())) {
                log.unrendered(line, what);
            }
        }
    }

    pub(super) fn walk(&mut self, frame: &Frame<'_>, pieces: &[Piece], out: &mut Sink) {
        for piece in pieces {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                self.is_incomplete = true;
                return;
            }
            match piece {
                Piece::Text(range) => out.keep(frame.text, range.clone()),
                Piece::Nothing(range) if frame.text[range.clone()].trim().is_empty() => {
                    out.cut(range.clone())
                }
                Piece::Nothing(range) => out.leave_out(frame.text, range.clone()),
                Piece::Raw { range, inner } => {
                    out.cut(range.start..inner.start);
                    out.keep(frame.text, inner.clone());
                    out.cut(inner.end..range.end);
                }
                Piece::Output { range, markup } => self.output(frame, range, markup, out),
                Piece::Tag(tag) => self.tag(frame, tag, out),
                Piece::Block {
                    open,
                    branches,
                    close,
                } => self.block(frame, open, branches, close, out),
            }
        }
    }

    /// Renders pieces as a text of their own.
    pub(super) fn text(&mut self, frame: &Frame<'_>, pieces: &[Piece]) -> String {
        let mut out = Sink::Text(String::new());
        self.walk(frame, pieces, &mut out);
        match out {
            Sink::Text(text) => text,
            Sink::Edits(_) => String::new(),
        }
    }

    pub(super) fn value(&self, markup: &str) -> (Value, Found) {
        let mut found = Found::default();
        let value = expression::value(markup, self, &mut found).unwrap_or(Value::Unknown);
        (value, found)
    }

    fn output(
        &mut self,
        frame: &Frame<'_>,
        range: &Range<usize>,
        markup: &Range<usize>,
        out: &mut Sink,
    ) {
        let markup = &frame.text[markup.clone()];
        let (value, found) = self.value(markup);
        let is_code = frame.is_code(range.start);
        if let Value::Block(block) = &value
            && !is_code
        {
            let block = code::set_apart(frame.text, range, block);
            return out.put(range.clone(), block);
        }
        match value.shown() {
            Some(text) => out.put(range.clone(), text),
            None if is_code => out.keep(frame.text, range.clone()),
            None => {
                let what = match found.unknown_filter {
                    Some(name) => format!("filter `{name}`"),
                    None => format!("`{{{{ {} }}}}`", short(markup)),
                };
                let in_loop = self.quiet > 0;
                self.unrendered(frame, range.start, what);
                self.leave_out_output(frame, range, in_loop, out);
            }
        }
    }

    /// Leaves out an output whose value is not known, and what makes no sense without it: the link around an address, the line of a loop's body.
    fn leave_out_output(
        &self,
        frame: &Frame<'_>,
        range: &Range<usize>,
        in_loop: bool,
        out: &mut Sink,
    ) {
        let text = frame.text;
        if in_loop && frame.page.is_some() {
            let (start, end) = (
                sink::line_start(text, range.start),
                sink::line_end(text, range.end),
            );
            return out.cut(start..(end + 1).min(text.len()));
        }
        let line = sink::line_start(text, range.start);
        if text[..range.start].ends_with("](")
            && text[range.end..].starts_with(')')
            && let Some(open) = text[line..range.start - 2].rfind('[').map(|at| line + at)
        {
            let is_image = text[..open].ends_with('!');
            if is_image {
                return out.cut(open - 1..range.end + 1);
            }
            out.cut(open..open + 1);
            return out.cut(range.start - 2..range.end + 1);
        }
        out.leave_out(text, range.clone());
    }

    fn tag(&mut self, frame: &Frame<'_>, tag: &Tag, out: &mut Sink) {
        let markup = &frame.text[tag.markup.clone()];
        let name = tag.name.as_str();
        match name {
            "assign" | "set" => {
                if let Some((names, value)) = markup.split_once('=') {
                    let (value, _) = self.value(value.trim());
                    for name in names.split(',') {
                        self.variables.insert(name.trim().to_owned(), value.clone());
                    }
                }
                return out.leave_out(frame.text, tag.range.clone());
            }
            "include" | "include_relative" | "render" => return self.include(frame, tag, out),
            "break" | "continue" | "cycle" | "increment" | "decrement" | "layout" => {
                return out.leave_out(frame.text, tag.range.clone());
            }
            _ => {}
        }
        let resolved = self.interpolated(markup);
        if let Some(text) = self.host.tag(name, &resolved) {
            return match text.is_empty() {
                true => out.leave_out(frame.text, tag.range.clone()),
                false => out.put(tag.range.clone(), text),
            };
        }
        if frame.is_code(tag.range.start) {
            return out.keep(frame.text, tag.range.clone());
        }
        self.unrendered(frame, tag.range.start, format!("tag `{name}`"));
        out.leave_out(frame.text, tag.range.clone());
    }

    /// A tag's words with the outputs among them worked out.
    fn interpolated(&mut self, markup: &str) -> String {
        if !markup.contains("{{") {
            return markup.to_owned();
        }
        line(
            markup,
            &With {
                host: self.host,
                variables: &self.variables,
            },
        )
        .unwrap_or_default()
    }

    fn include(&mut self, frame: &Frame<'_>, tag: &Tag, out: &mut Sink) {
        let markup = self.interpolated(&frame.text[tag.markup.clone()]);
        let bare = self.host.bare_includes() && !markup.starts_with(['"', '\'']);
        let (name, rest) = match bare {
            true => markup
                .split_once(char::is_whitespace)
                .unwrap_or((&markup, "")),
            false => ("", markup.as_str()),
        };
        let mut found = Found::default();
        let rest = rest.trim().trim_end_matches("ignore missing").trim_end();
        let args = expression::arguments(rest, self, &mut found).unwrap_or_default();
        let name = match bare {
            true => name.to_owned(),
            false => args.get(0).and_then(Value::shown).unwrap_or_default(),
        };
        let line = frame.line_of(tag.range.start);
        let (path, included) = self.host.include(&tag.name, &name, frame.source);
        let text = match included {
            Included::Text(text) if self.depth < DEEPEST => text,
            Included::Hidden => {
                if let Some(log) = &mut self.log {
                    log.warn(
                        line,
                        format!("`{path}` is included and is not published"),
                        Some("it is left out"),
                    );
                }
                return out.leave_out(frame.text, tag.range.clone());
            }
            _ if frame.is_code(tag.range.start) => return out.keep(frame.text, tag.range.clone()),
            _ => {
                let shown = if name.is_empty() {
                    short(&markup)
                } else {
                    name
                };
                self.unrendered(frame, tag.range.start, format!("{} `{shown}`", tag.name));
                if stands_alone(frame.text, &tag.range) {
                    return out.put(tag.range.clone(), "\n\n".into());
                }
                return out.leave_out(frame.text, tag.range.clone());
            }
        };
        let pieces = parse::parse(&text, self.host.dialect());
        let inner = Frame {
            text: &text,
            page: None,
            source: &path,
            line,
            is_code: frame.is_code(tag.range.start),
        };
        let before = self.variables.clone();
        match bare {
            true => {
                self.variables
                    .insert("include".into(), Value::map(args.named));
            }
            false => self.variables.extend(args.named),
        }
        self.depth += 1;
        let rendered = self.text(&inner, &pieces);
        self.depth -= 1;
        // What Jekyll's includes assign stays, all else goes.
        match before.get("include") {
            Some(value) if bare => self.variables.insert("include".into(), value.clone()),
            None if bare => self.variables.remove("include"),
            _ => {
                self.variables = before;
                None
            }
        };
        let rendered = sink::as_html(rendered);
        if stands_alone(frame.text, &tag.range) {
            // Its hyphens take the lines around it away; what it gives is a block of its own all the same.
            return out.put(tag.range.clone(), format!("\n\n{}\n\n", rendered.trim()));
        }
        match rendered.trim().is_empty() {
            true => out.leave_out(frame.text, tag.range.clone()),
            false => {
                let after = &frame.text[tag.range.end..];
                let gap = &after[..after.len() - after.trim_start().len()];
                let hyphen = frame.text[tag.range.clone()].ends_with("-%}");
                let shown = rendered.trim_end_matches('\n');
                // A file ends with a line feed that is not meant for the line it is put into, unless a hyphen takes that line's own away.
                let end = match gap.matches('\n').count() {
                    0 => "",
                    _ if !hyphen => "",
                    1 => "\n",
                    _ => "\n\n",
                };
                out.put(tag.range.clone(), format!("{shown}{end}"));
            }
        }
    }

    fn block(
        &mut self,
        frame: &Frame<'_>,
        open: &Tag,
        branches: &[(Option<Tag>, Vec<Piece>)],
        close: &Range<usize>,
        out: &mut Sink,
    ) {
        let whole = open.range.start..close.end;
        let body = branches
            .first()
            .map_or(&[][..], |(_, pieces)| pieces.as_slice());
        let markup = &frame.text[open.markup.clone()];
        match open.name.as_str() {
            "if" | "unless" | "ifAsync" | "case" | "switch" => {
                self.condition(frame, open, branches, close, out);
            }
            "for" | "asyncEach" | "asyncAll" | "tablerow" => {
                self.repeat(frame, open, branches, close, out)
            }
            "capture" | "set" | "setAsync" => {
                let text = self.text(frame, body);
                let name = markup.split([',', ' ']).next().unwrap_or_default();
                self.variables
                    .insert(name.trim_matches(['"', '\'']).to_owned(), Value::text(text));
                out.leave_out(frame.text, whole);
            }
            "highlight" => {
                let inner = Frame {
                    is_code: true,
                    page: None,
                    line: frame.line_of(whole.start),
                    ..*frame
                };
                let text = self.text(&inner, body);
                let block =
                    code::set_apart(frame.text, &whole, &fence(code::language(markup), &text));
                out.put(whole, block);
            }
            "macro" => out.leave_out(frame.text, whole),
            "block" | "spaceless" => self.unwrap(frame, open, branches, close, out),
            name => {
                if frame.is_code(whole.start) {
                    return out.keep(frame.text, whole);
                }
                self.unrendered(frame, whole.start, format!("block `{name}`"));
                self.unwrap(frame, open, branches, close, out);
            }
        }
    }

    /// Takes the tags of a block away and leaves what is inside.
    pub(super) fn unwrap(
        &mut self,
        frame: &Frame<'_>,
        open: &Tag,
        branches: &[(Option<Tag>, Vec<Piece>)],
        close: &Range<usize>,
        out: &mut Sink,
    ) {
        out.leave_out(frame.text, open.range.clone());
        for (head, pieces) in branches {
            if let Some(head) = head {
                out.leave_out(frame.text, head.range.clone());
            }
            self.walk(frame, pieces, out);
        }
        out.leave_out(frame.text, close.clone());
    }
}

/// Whether a tag with hyphens has its line to itself.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let hyphens = text[range.clone()].starts_with("{%-") || text[range.clone()].ends_with("-%}");
    let line = sink::line_start(text, range.start)..sink::line_end(text, range.end);
    hyphens && text[line].trim().len() == range.len()
}

pub(super) fn short(markup: &str) -> String {
    let line = markup.split_whitespace().collect::<Vec<&str>>().join(" ");
    match line.char_indices().nth(TOLD) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// A host with variables before its own.
struct With<'a> {
    host: &'a dyn Host,
    variables: &'a HashMap<String, Value>,
}

impl Host for With<'_> {
    fn dialect(&self) -> Dialect {
        self.host.dialect()
    }

    fn variable(&self, name: &str) -> Value {
        self.variables
            .get(name)
            .cloned()
            .unwrap_or_else(|| self.host.variable(name))
    }

    fn filter(&self, name: &str, input: &Value, args: &Args) -> Option<Value> {
        self.host.filter(name, input, args)
    }

    fn include(&self, _: &str, name: &str, _: &str) -> (String, Included) {
        (name.to_owned(), Included::Missing)
    }
}
