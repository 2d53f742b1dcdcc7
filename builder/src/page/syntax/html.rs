//! Raw HTML as markdown: what it means stays, its tags go.
//!
//! | element | becomes |
//! |---|---|
//! | `div`, `p`, `section`, `span` and other wrappers, custom elements | their content |
//! | `a`, `img`, `iframe`, `video`, `audio` | a link or an image |
//! | `strong`, `em`, `code`, `kbd`, `del` and the like | markdown's marks, where they would be read as such |
//! | `sup`, `sub` | `²`, `₂`, or the text behind `^` or `_` |
//! | `h1` to `h6`, `blockquote`, `hr`, `ul`, `ol`, `pre` | the same in markdown; an id becomes `{#id}` |
//! | `table` | a table, cells on one line each; a list of its cells when one holds code or a table; spanned cells are empty |
//! | `details`, `dl` | the summary or the term in bold, and the content |
//! | `br` | a line break, a space in tables and headings |
//! | `script`, `style`, `svg`, `template`, what is `hidden` or not displayed | nothing |
//!
//! What only screen readers read is text like any other. Ids and anchors go, but for those of headings. A tag that is no element of HTML and
//! is never closed is what its author wrote, `<name>`, and stays. Code is left alone.

use super::super::publish::Log;
use super::super::rewrite::Text;
use super::components::Labels;
use super::jsx::Values;
use super::out::{Out, Source, lead_of};
use super::tags::{Form, Said, Tag};
use super::tree::{self, Element, Node};

/// Turns the raw HTML and the components of a page into markdown. `values` are those of an MDX page.
pub(crate) fn reduce(text: &mut Text, values: Option<&Values>, log: &mut Log) {
    let mdx = values.is_some();
    if !(text.text.contains('<') || mdx && text.text.contains('{')) {
        return;
    }
    let nodes = if mdx {
        tree::of_mdx(&text.text)
    } else {
        tree::of_markdown(&text.text)
    };
    if nodes.iter().all(|node| matches!(node, Node::Markdown(_))) {
        return;
    }
    let source = Source::new(text);
    let mut out = Out::new(source.line_of(0));
    let mut renderer = Renderer {
        source,
        values,
        log,
        markdown_inside: 0,
        tabs: Vec::new(),
    };
    renderer.render(&nodes, &mut out, false);
    let (new, lines) = out.into_parts();
    *text = Text::of_lines(new, lines);
}

pub(super) struct Renderer<'a> {
    pub(super) source: Source<'a>,
    /// What the expressions of an MDX page mean; none for plain markdown.
    pub(super) values: Option<&'a Values>,
    pub(super) log: &'a mut Log,
    /// How many elements around say that markdown stands in their HTML.
    markdown_inside: u32,
    /// The groups of tabs around.
    pub(super) tabs: Vec<Labels>,
}

/// How an element is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It shows nothing.
    Gone,
    /// A block that only holds others.
    Wrapper,
    /// Words in a line that only hold others.
    Words,
    /// Marks around words.
    Marks(&'static str),
    Code,
    Break,
    Rule,
    Link,
    Image,
    Heading(u8),
    List,
    /// An item outside a list, or a list's item.
    Item,
    Table,
    Pre,
    Details,
    Quote,
    Term,
    Media,
    Raised,
    Lowered,
    Quoted,
    Input,
    /// No element of HTML.
    Unknown,
}

pub(super) fn kind(name: &str) -> Kind {
    match name {
        "script" | "style" | "svg" | "template" | "head" | "link" | "meta" | "base" | "col"
        | "colgroup" | "wbr" | "track" | "source" | "param" | "area" | "map" | "slot" | "title"
        | "datalist" | "rp" => Kind::Gone,
        "div" | "p" | "section" | "article" | "aside" | "header" | "footer" | "main" | "nav"
        | "center" | "figure" | "figcaption" | "address" | "hgroup" | "body" | "html" | "form"
        | "fieldset" | "legend" | "dl" | "dd" | "noscript" | "caption" | "thead" | "tbody"
        | "tfoot" | "tr" | "td" | "th" | "search" | "dialog" | "marquee" | "optgroup" => {
            Kind::Wrapper
        }
        "span" | "font" | "small" | "big" | "u" | "ins" | "mark" | "abbr" | "acronym" | "cite"
        | "dfn" | "time" | "label" | "button" | "var" | "data" | "bdi" | "bdo" | "output"
        | "math" | "picture" | "ruby" | "rt" | "select" | "option" | "textarea" | "progress"
        | "meter" | "canvas" | "object" | "nobr" | "tt" | "summary" => Kind::Words,
        "b" | "strong" => Kind::Marks("**"),
        "i" | "em" => Kind::Marks("*"),
        "del" | "s" | "strike" => Kind::Marks("~~"),
        "code" | "kbd" | "samp" => Kind::Code,
        "br" => Kind::Break,
        "hr" => Kind::Rule,
        "a" => Kind::Link,
        "img" => Kind::Image,
        "h1" => Kind::Heading(1),
        "h2" => Kind::Heading(2),
        "h3" => Kind::Heading(3),
        "h4" => Kind::Heading(4),
        "h5" => Kind::Heading(5),
        "h6" => Kind::Heading(6),
        "ul" | "ol" | "menu" => Kind::List,
        "li" => Kind::Item,
        "table" => Kind::Table,
        "pre" => Kind::Pre,
        "details" => Kind::Details,
        "blockquote" => Kind::Quote,
        "dt" => Kind::Term,
        "iframe" | "video" | "audio" | "embed" => Kind::Media,
        "sup" => Kind::Raised,
        "sub" => Kind::Lowered,
        "q" => Kind::Quoted,
        "input" => Kind::Input,
        _ => Kind::Unknown,
    }
}

impl Kind {
    /// Whether it stands on lines of its own.
    pub(super) fn is_block(self) -> bool {
        matches!(
            self,
            Kind::Wrapper
                | Kind::Rule
                | Kind::Heading(_)
                | Kind::List
                | Kind::Item
                | Kind::Table
                | Kind::Pre
                | Kind::Details
                | Kind::Quote
                | Kind::Term
        )
    }
}

impl Renderer<'_> {
    pub(super) fn mdx(&self) -> bool {
        self.values.is_some()
    }

    pub(super) fn line(&self, element: &Element) -> u32 {
        self.source.line_of(element.tag.range.start)
    }

    pub(super) fn lead(&self, element: &Element) -> String {
        lead_of(self.source.text, element.lead_at)
    }

    /// The kind of an element, by the rules of its page: a component is no element of HTML.
    pub(super) fn kind(&self, element: &Element) -> Kind {
        let tag = &element.tag;
        let lower = element.name();
        let is_html =
            tag.name == lower || (!self.mdx() && tag.name == tag.name.to_ascii_uppercase());
        match is_html {
            // A slot of Vue and the content of an `<is-land>` are shown.
            true if lower == "template" && shows(tag) => Kind::Wrapper,
            true => kind(&lower),
            false => Kind::Unknown,
        }
    }

    /// Renders nodes in order. With `one_line`, nothing begins a new line.
    pub(super) fn render(&mut self, nodes: &[Node], out: &mut Out, one_line: bool) {
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Markdown(range) => self.markdown(range.clone(), out, one_line),
                Node::Literal(range) if self.markdown_inside > 0 => {
                    self.markdown(range.clone(), out, one_line);
                }
                Node::Literal(range) => {
                    let text = self.source.text.get(range.clone()).unwrap_or_default();
                    let line = self.source.line_of(range.start);
                    let words = spaced(text);
                    if !words.trim().is_empty() || !words.is_empty() && !out.is_blank() {
                        out.words(&escaped(&words), line);
                    }
                }
                Node::Expression(range) => self.expression(range.clone(), out),
                Node::Nothing => {}
                Node::Element(element)
                    if !one_line && !element.one_line && self.kind(element) == Kind::Break =>
                {
                    self.line_break(element, nodes.get(at + 1), out);
                }
                Node::Element(element) => self.element(element, out, one_line),
            }
        }
    }

    fn markdown(&mut self, range: std::ops::Range<usize>, out: &mut Out, one_line: bool) {
        if one_line {
            let text = self.source.text.get(range.clone()).unwrap_or_default();
            out.words(&on_one_line(text), self.source.line_of(range.start));
        } else {
            out.raw(&self.source, range);
        }
    }

    pub(super) fn element(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let one_line = one_line || element.one_line;
        let kind = self.kind(element);
        let tag = &element.tag;
        if kind == Kind::Unknown && !(tag.name.contains('-') && element.closed) {
            self.unknown(element, out, one_line);
            return;
        }
        if !element.closed {
            // A part of the page that has no end ends nothing.
            if kind.is_block() && !one_line {
                out.block(&Out::default(), &self.lead(element));
            } else {
                self.gone(element, out, one_line);
            }
            return;
        }
        if is_hidden(tag) {
            self.gone(element, out, one_line);
            return;
        }
        let inside = element
            .children
            .iter()
            .any(|it| matches!(it, Node::Literal(_)))
            && tag
                .said("markdown")
                .is_some_and(|said| *said != Said::Text("0".into()));
        self.markdown_inside += u32::from(inside);
        self.known(element, kind, out, one_line);
        self.markdown_inside -= u32::from(inside);
    }

    fn known(&mut self, element: &Element, kind: Kind, out: &mut Out, one_line: bool) {
        match kind {
            Kind::Gone => self.gone(element, out, one_line),
            Kind::Wrapper
            | Kind::Item
            | Kind::List
            | Kind::Table
            | Kind::Details
            | Kind::Pre
            | Kind::Quote
                if one_line =>
            {
                self.flat(element, out);
            }
            Kind::Unknown | Kind::Words if !self.is_on_own_lines(element) => {
                self.render(&element.children, out, one_line);
            }
            Kind::Wrapper | Kind::Words | Kind::Unknown => self.wrapper(element, out, one_line),
            Kind::Marks(mark) => self.marks(element, mark, out, one_line),
            Kind::Code => self.code(element, out, one_line),
            Kind::Break => out.words(" ", self.line(element)),
            Kind::Rule if one_line => out.words(" ", self.line(element)),
            Kind::Rule => self.text_block(element, "---", out),
            Kind::Link => self.link(element, out, one_line),
            Kind::Image => self.image(element, out),
            Kind::Heading(level) => self.heading(element, level, out, one_line),
            Kind::List => self.list(element, out),
            Kind::Item => {
                let item = self.body(element).behind("- ", "  ");
                out.block(&item, &self.lead(element));
            }
            Kind::Table => self.table(element, out),
            Kind::Pre => self.pre(element, out),
            Kind::Details => self.details(element, None, out),
            Kind::Quote => {
                let body = self.body(element);
                if !body.is_blank() {
                    out.block(&body.behind("> ", "> "), &self.lead(element));
                }
            }
            Kind::Term => {
                let text = self.inline(&element.children);
                self.text_block(element, &bold(&text), out);
            }
            Kind::Media => self.media(element, out, one_line),
            Kind::Raised => self.shifted(element, true, out),
            Kind::Lowered => self.shifted(element, false, out),
            Kind::Quoted => {
                let text = self.inline(&element.children);
                out.words(&format!("“{text}”"), self.line(element));
            }
            Kind::Input => {
                let is_box = element.tag.text("type") == Some("checkbox");
                if is_box {
                    let is_set = element.tag.said("checked").is_some();
                    out.words(if is_set { "[x] " } else { "[ ] " }, self.line(element));
                }
            }
        }
    }

    /// Leaves an element out, with the line that it has to itself.
    pub(super) fn gone(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        if !one_line && self.is_on_own_lines(element) {
            out.block(&Out::default(), &self.lead(element));
        }
    }

    /// Content alone, set apart by spaces.
    pub(super) fn flat(&mut self, element: &Element, out: &mut Out) {
        let line = self.line(element);
        out.words(" ", line);
        self.render(&element.children, out, true);
        let rest = self.source.text.get(element.end..).unwrap_or_default();
        if !rest.starts_with([' ', '\n']) {
            out.words(" ", line);
        }
    }

    /// Content alone, on lines of its own.
    pub(super) fn wrapper(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        if one_line {
            self.flat(element, out);
        } else {
            let body = self.body(element);
            out.block(&body, &self.lead(element));
        }
    }

    /// The content of an element without what leads its lines.
    pub(super) fn body(&mut self, element: &Element) -> Out {
        self.body_of(element, &element.children)
    }

    /// Some of the content of an element without what leads its lines.
    pub(super) fn body_of(&mut self, element: &Element, nodes: &[Node]) -> Out {
        let mut inner = Out::new(self.source.line_of(element.tag.range.end));
        self.render(nodes, &mut inner, false);
        inner.body(&self.lead(element), self.mdx())
    }

    /// A block of one text.
    pub(super) fn text_block(&mut self, element: &Element, text: &str, out: &mut Out) {
        let mut block = Out::new(self.line(element));
        block.words(text, self.line(element));
        out.block(&block, &self.lead(element));
    }

    /// Whether nothing else stands on the lines on which an element begins and ends.
    pub(super) fn is_on_own_lines(&self, element: &Element) -> bool {
        self.has_own_lines(element.tag.range.start, element.end)
    }

    /// Whether nothing else stands on the lines of two offsets.
    pub(super) fn has_own_lines(&self, start: usize, end: usize) -> bool {
        let text = self.source.text;
        let lead = lead_of(text, start);
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(end..).unwrap_or_default();
        let after = rest.split('\n').next().unwrap_or_default();
        lead.len() == start - line && after.trim().is_empty()
    }

    /// `next` is what stands behind the break.
    fn line_break(&mut self, element: &Element, next: Option<&Node>, out: &mut Out) {
        let rest = self.source.text.get(element.end..).unwrap_or_default();
        let ends_line = rest.trim_start_matches([' ', '\t']).starts_with('\n');
        let keeps_line = match next {
            Some(Node::Markdown(_)) => ends_line,
            Some(Node::Literal(_)) => ends_line && self.markdown_inside > 0,
            _ => false,
        };
        if keeps_line {
            out.end_line();
        } else {
            out.line_break(&self.lead(element), self.line(element));
        }
    }
}

/// Whether a `template` is a slot of Vue or the content of an `<is-land>`.
fn shows(tag: &Tag) -> bool {
    tag.attributes
        .iter()
        .any(|(name, _)| name.starts_with('#') || name.starts_with("v-") || name == "data-island")
}

/// Whether an element says that it is not shown.
fn is_hidden(tag: &Tag) -> bool {
    if tag.form == Form::Close {
        return false;
    }
    let hidden = match tag.said("hidden") {
        Some(Said::Code(code)) => code == "true",
        Some(Said::Text(text)) => text != "false" && text != "until-found",
        Some(Said::Nothing) => true,
        None => false,
    };
    let style = match tag.said("style") {
        Some(Said::Text(text) | Said::Code(text)) => text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '`'))
            .collect::<String>()
            .to_ascii_lowercase(),
        _ => String::new(),
    };
    hidden || style.contains("display:none") || style.contains("visibility:hidden")
}

/// Text with every run of white space as one space.
pub(super) fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Markdown with its lines joined.
pub(super) fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            let kept = out.trim_end_matches([' ', '\\']).len();
            out.truncate(kept);
            out.push(' ');
            out.push_str(line.trim_start_matches([' ', '\t', '>']));
        } else {
            out.push_str(line);
        }
    }
    out
}

/// Text in which nothing is taken for markdown. Entities stay.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1).copied();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let escape = match c {
            '\\' => after.is_some_and(|c| c.is_ascii_punctuation()),
            '`' => true,
            '*' => !(is_space(before) && is_space(after)),
            '_' => !(is_word(before) && is_word(after) || is_space(before) && is_space(after)),
            '~' => after == Some('~') || before == Some('~'),
            ']' => matches!(after, Some('(' | '[' | ':')),
            '<' => after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
            '#' | '+' | '-' | '>' | '=' => {
                before.is_none() && (is_space(after) || after == Some(c))
            }
            _ => false,
        };
        if escape {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Words in bold, if there are any and they are not bold already.
pub(super) fn bold(text: &str) -> String {
    let text = text.trim();
    match text.is_empty() || text.starts_with("**") && text.ends_with("**") {
        true => text.to_owned(),
        false => format!("**{}**", text.replace("**", "")),
    }
}
