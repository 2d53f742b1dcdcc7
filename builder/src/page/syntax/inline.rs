//! Elements within a line: marks, code, links, images, media, raised and lowered text.

use super::super::html::decoded;
use super::super::links::in_markdown;
use super::html::{Kind, Renderer, bold, on_one_line, spaced};
use super::out::Out;
use super::tags::Said;
use super::tree::{Element, Node};

/// The longest address that is kept: one with a picture in it says nothing.
const LONGEST_ADDRESS: usize = 2_000;

impl Renderer<'_> {
    /// Nodes as markdown on one line.
    pub(super) fn inline(&mut self, nodes: &[Node]) -> String {
        let mut out = Out::new(1);
        self.render(nodes, &mut out, true);
        let (text, _) = out.into_parts();
        on_one_line(text.trim()).trim().to_owned()
    }

    /// The text of nodes, without markup and with entities decoded.
    pub(super) fn plain(&mut self, nodes: &[Node]) -> String {
        let mut text = String::new();
        for node in nodes {
            match node {
                Node::Markdown(range) => {
                    let own = self.source.text.get(range.clone()).unwrap_or_default();
                    text.push_str(&decoded(&unescaped(own)));
                }
                Node::Literal(range) => {
                    text.push_str(&decoded(
                        self.source.text.get(range.clone()).unwrap_or_default(),
                    ));
                }
                Node::Expression(range) => {
                    text.push_str(&self.shown(range.clone()).unwrap_or_default());
                }
                Node::Nothing => {}
                Node::Element(element) => match self.kind(element) {
                    Kind::Gone => {}
                    Kind::Break => text.push('\n'),
                    Kind::Unknown if !element.closed => {
                        text.push_str(
                            self.source
                                .text
                                .get(element.tag.range.clone())
                                .unwrap_or_default(),
                        );
                    }
                    _ => text.push_str(&self.plain(&element.children)),
                },
            }
        }
        text
    }

    /// Whether something in there stands on lines of its own.
    pub(super) fn has_blocks(&self, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Markdown(range) => {
                let text = self.source.text.get(range.clone()).unwrap_or_default();
                text.split('\n').skip(1).any(|line| {
                    let line = line.trim_start();
                    line.starts_with("```") || line.starts_with("~~~")
                }) || text.trim().contains("\n\n")
            }
            Node::Element(element) => {
                self.kind(element).is_block() || self.has_blocks(&element.children)
            }
            _ => false,
        })
    }

    pub(super) fn marks(&mut self, element: &Element, mark: &str, out: &mut Out, one_line: bool) {
        if self.has_blocks(&element.children) && !one_line {
            self.wrapper(element, out, one_line);
            return;
        }
        let mut inner = Out::new(1);
        self.render(&element.children, &mut inner, true);
        let (text, _) = inner.into_parts();
        let core = text.trim();
        let line = self.line(element);
        if core.is_empty() {
            out.words(&text, line);
            return;
        }
        // Spaces stand outside the marks. The inner text lost those at its start.
        if self.begins_with_space(element) {
            out.words(" ", line);
        }
        let before = out.text.chars().next_back();
        let after = self
            .source
            .text
            .get(element.end..)
            .and_then(|rest| rest.chars().next());
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_sign =
            |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric() && !c.is_whitespace());
        let sign = &mark[..1];
        let is_taken = core.starts_with(sign)
            || core.ends_with(sign)
            || before.is_some_and(|c| mark.contains(c))
            || is_word(before) && is_sign(core.chars().next())
            || is_word(after) && is_sign(core.chars().next_back());
        match is_taken {
            true => out.words(core, line),
            false => out.words(&format!("{mark}{core}{mark}"), line),
        }
        if text.ends_with([' ', '\n']) {
            out.words(" ", line);
        }
    }

    fn begins_with_space(&self, element: &Element) -> bool {
        let inside = self.source.text.get(element.tag.range.end..);
        inside.is_some_and(|text| text.starts_with([' ', '\t', '\n']))
    }

    pub(super) fn code(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let line = self.line(element);
        let holds_link = |nodes: &[Node]| nodes.iter().any(|node| self.holds_link(node));
        if holds_link(&element.children) {
            // A link in code is a link with code in it, when it is all of it.
            if let [Node::Element(link)] = element.children.as_slice()
                && self.kind(link) == Kind::Link
                && !holds_link(&link.children)
                && let Some(address) = self.address(link)
            {
                let code = code_span(&self.plain(&link.children));
                out.words(&linked(&code, &address), line);
                return;
            }
            self.render(&element.children, out, one_line);
            return;
        }
        let text = self.plain(&element.children);
        out.words(&code_span(&text), line);
    }

    fn holds_link(&self, node: &Node) -> bool {
        let Node::Element(element) = node else {
            return false;
        };
        let link = self.kind(element) == Kind::Link && self.address(element).is_some();
        link || element.children.iter().any(|node| self.holds_link(node))
    }

    /// Where an element leads.
    pub(super) fn address(&self, element: &Element) -> Option<String> {
        let address = ["href", "to", "src", "data"]
            .iter()
            .find_map(|name| self.value(element, name))?;
        let address = address.trim().to_owned();
        let is_script = address.to_ascii_lowercase().starts_with("javascript:");
        (!address.is_empty() && !is_script && address.len() <= LONGEST_ADDRESS).then_some(address)
    }

    pub(super) fn link(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let line = self.line(element);
        let address = self.address(element);
        let nested = element.children.iter().any(|node| self.holds_link(node));
        let Some(address) = address.filter(|_| !nested) else {
            let blank = element.children.is_empty();
            match blank {
                true => self.gone(element, out, one_line),
                false if self.is_on_own_lines(element) => self.wrapper(element, out, one_line),
                false => self.render(&element.children, out, one_line),
            }
            return;
        };
        let inside = element.inside(self.source.text);
        let text = self.source.text.get(inside).unwrap_or_default();
        if !one_line && (text.contains("```") || text.contains("~~~")) {
            self.wrapper(element, out, one_line);
            self.text_block(element, &linked(&address, &address), out);
            return;
        }
        let is_block =
            !one_line && self.has_blocks(&element.children) && self.is_on_own_lines(element);
        let text = self.inline(&element.children);
        if text.is_empty() {
            self.gone(element, out, one_line);
            return;
        }
        let text = linked(&text, &address);
        if is_block {
            self.text_block(element, &text, out);
            return;
        }
        if self.begins_with_space(element) {
            out.words(" ", line);
        }
        out.words(&text, line);
        let inside = element.inside(self.source.text);
        if self
            .source
            .text
            .get(inside)
            .is_some_and(|text| text.ends_with([' ', '\n']))
        {
            out.words(" ", line);
        }
    }

    pub(super) fn image(&mut self, element: &Element, out: &mut Out) {
        let alt = self.value(element, "alt").map(|alt| spaced(alt.trim()));
        let alt = alt.unwrap_or_default().replace(['[', ']'], "");
        let source = self.value(element, "src").filter(|source| {
            let source = source.trim();
            !source.is_empty() && !source.starts_with("data:") && source.len() <= LONGEST_ADDRESS
        });
        let text = match source {
            Some(source) => format!("![{alt}]({})", in_markdown(source.trim())),
            None => alt,
        };
        out.words(&text, self.line(element));
    }

    pub(super) fn heading(&mut self, element: &Element, level: u8, out: &mut Out, one_line: bool) {
        let text = self.inline(&element.children);
        let text = text.trim();
        if text.is_empty() {
            self.gone(element, out, one_line);
        } else if one_line {
            let line = self.line(element);
            out.words(" ", line);
            out.words(&bold(text), line);
            out.words(" ", line);
        } else {
            let marks = "#".repeat(usize::from(level));
            let id = self
                .value(element, "id")
                .filter(|id| !id.contains(char::is_whitespace) && !text.contains("{#"))
                .map_or(String::new(), |id| format!(" {{#{id}}}"));
            self.text_block(element, &format!("{marks} {text}{id}"), out);
        }
    }

    pub(super) fn media(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let mut address = self.address(element);
        if address.is_none() {
            address = element.children.iter().find_map(|node| match node {
                Node::Element(child) if child.name() == "source" => self.address(child),
                _ => None,
            });
        }
        let Some(address) = address else {
            self.render(&element.children, out, one_line);
            return;
        };
        let title = ["title", "aria-label", "alt"]
            .iter()
            .find_map(|name| self.value(element, name))
            .map(|title| spaced(title.trim()))
            .filter(|title| !title.is_empty());
        let text = title.as_deref().unwrap_or(&address);
        let link = linked(text, &address);
        match !one_line && self.is_on_own_lines(element) {
            true => self.text_block(element, &link, out),
            false => out.words(&link, self.line(element)),
        }
    }

    /// `<sup>` and `<sub>`: figures have signs of their own, other short text stands behind `^` or `_`.
    pub(super) fn shifted(&mut self, element: &Element, up: bool, out: &mut Out) {
        let text = self.inline(&element.children);
        let line = self.line(element);
        let digits: Option<String> = text.chars().map(|c| figure(c, up)).collect();
        let follows = out
            .text
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '`'));
        let is_word = !text.is_empty()
            && text.chars().count() <= 12
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '+' | '-'));
        let text = match digits {
            Some(digits) => digits,
            None if follows && is_word => format!("{}{text}", if up { '^' } else { '_' }),
            None => text,
        };
        out.words(&text, line);
    }

    /// The text of an attribute, its expression evaluated.
    pub(super) fn value(&self, element: &Element, name: &str) -> Option<String> {
        match element.tag.said(name)? {
            Said::Text(text) => Some(text.clone()),
            Said::Code(code) => self.values?.text(code),
            Said::Nothing => None,
        }
    }
}

fn figure(c: char, up: bool) -> Option<char> {
    let at = "0123456789+-".chars().position(|own| own == c)?;
    let signs = if up {
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
    } else {
        "₀₁₂₃₄₅₆₇₈₉₊₋"
    };
    signs.chars().nth(at)
}

/// A link of markdown.
pub(super) fn linked(text: &str, address: &str) -> String {
    // Brackets that close nothing would end the text.
    let mut depth = 0_i32;
    let even = text.chars().all(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth >= 0
    });
    let text = match even && depth == 0 {
        true => text.to_owned(),
        false => text.replace('[', "\\[").replace(']', "\\]"),
    };
    format!("[{text}]({})", in_markdown(address))
}

/// Text as a code span.
pub(super) fn code_span(text: &str) -> String {
    let text = spaced(text.trim());
    if text.is_empty() {
        return text;
    }
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let ticks = "`".repeat(if longest == 0 { 1 } else { longest + 1 });
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Markdown's text without the backslashes of its escapes.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.push(c);
        } else if let Some(next) = chars.next() {
            out.push(next);
        }
    }
    out
}
