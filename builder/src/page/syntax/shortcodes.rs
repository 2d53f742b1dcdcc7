//! Shortcodes: Hugo's `{{< name args >}}` and `{{% name args %}}`, Zola's `{{ name(args) }}` and `{% name(args) %}`.
//!
//! A text is taken apart into a tree, and put together again by a function that says what each call reads as, given what stands inside
//! it. A call that is never closed has no inside, whatever it is called. What a shortcode means is not known here: see
//! [`conventions`](super::conventions) and the generators.
//!
//! `{{% note %}}Hot {{< cup >}}{{% /note %}}` is the call `note` with the inside `Hot ` and the call `cup`.

use std::ops::Range;

use crate::page::Text;
use crate::page::code::{code_ranges, is_inside};

/// Shortcodes inside shortcodes are followed so deep.
const DEEPEST: usize = 24;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// Text as it stands.
    Plain(Range<usize>),
    /// A shortcode that is to be shown and not followed, with what is shown.
    Shown(Range<usize>, String),
    /// A shortcode.
    Call(Call),
}

/// A shortcode with its arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Call {
    pub name: String,
    pub args: Arguments,
    /// From its first brace to the last one of its closing tag.
    pub range: Range<usize>,
    /// What stands between its tags.
    pub inside: Option<Vec<Node>>,
    /// What the call is labelled by a list of labels that stands before it.
    pub label: Option<String>,
    /// The language of what stands between its tags, when the pane around it says that this is code; empty when it names none.
    pub code: Option<String>,
    /// Whether it is a list of labels that others took over.
    pub is_spent: bool,
    /// Whether it stands in code.
    pub in_code: bool,
}

/// Arguments by place and by name, in the order written.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arguments {
    pub list: Vec<String>,
    pub named: Vec<(String, String)>,
}

impl Arguments {
    /// The argument of a name, in any letter case.
    pub(crate) fn named(&self, name: &str) -> Option<&str> {
        let found = self
            .named
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The first argument that has one of some names.
    pub(crate) fn any(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.named(name))
    }

    /// The argument of one of some names, else that at a place.
    pub(crate) fn any_or(&self, names: &[&str], place: usize) -> Option<&str> {
        self.any(names)
            .or_else(|| self.list.get(place).map(String::as_str))
    }
}

/// What a tag of a shortcode is.
#[derive(Debug, PartialEq)]
pub(super) enum Tag {
    Open {
        name: String,
        args: Arguments,
    },
    /// A call that takes no closing tag.
    Alone {
        name: String,
        args: Arguments,
    },
    Close(String),
    /// To be shown as it is.
    Shown(String),
}

/// Takes a text with Hugo's shortcodes apart.
pub(crate) fn hugo(text: &str) -> Vec<Node> {
    if !text.contains("{{<") && !text.contains("{{%") {
        return vec![Node::Plain(0..text.len())];
    }
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("{{").map(|found| at + found) {
        match hugo_tag(&text[start..]) {
            Some((tag, length)) => {
                tags.push((start..start + length, tag));
                at = start + length;
            }
            None => at = start + 2,
        }
    }
    tree(text, tags)
}

/// Reads the tag at the start of a text, and its length.
fn hugo_tag(text: &str) -> Option<(Tag, usize)> {
    let sign = text
        .as_bytes()
        .get(2)
        .copied()
        .filter(|b| matches!(b, b'<' | b'%'))?;
    let close = if sign == b'<' { ">}}" } else { "%}}" };
    let inside = &text[3..];
    if let Some(comment) = inside.trim_start().strip_prefix("/*") {
        let shown = comment.find("*/")?;
        let rest = comment[shown + 2..].trim_start();
        let rest = rest.strip_prefix(close)?;
        let length = text.len() - rest.len();
        let text = format!("{}{}{close}", &text[..3], &comment[..shown]);
        return Some((Tag::Shown(text), length));
    }
    let mut words = Words { rest: inside };
    words.space();
    let is_close = words.take("/");
    words.space();
    let name =
        words.while_is(|c| !c.is_whitespace() && !matches!(c, '"' | '`' | '>' | '=' | '%'))?;
    let name = name.strip_suffix('/').map(str::to_owned).unwrap_or(name);
    let name_end = inside.find(&name)? + name.len();
    words.rest = &inside[name_end..];
    if name.is_empty() || !name.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let mut args = Arguments::default();
    loop {
        words.space();
        if words.take(close) {
            let length = text.len() - words.rest.len();
            let tag = match is_close {
                true => Tag::Close(name),
                false => Tag::Open { name, args },
            };
            return Some((tag, length));
        }
        if let Some(rest) = words.rest.strip_prefix('/')
            && let Some(rest) = rest.trim_start().strip_prefix(close)
        {
            return Some((Tag::Alone { name, args }, text.len() - rest.len()));
        }
        match words.argument(close)? {
            (Some(key), value) => args.named.push((key, value)),
            (None, value) => args.list.push(value),
        }
    }
}

/// Reads the words of a tag.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn while_is(&mut self, is: impl Fn(char) -> bool) -> Option<String> {
        let end = self.rest.find(|c| !is(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// A quoted or raw text, or a word. None at the end of the text.
    fn value(&mut self, close: &str) -> Option<String> {
        let first = self.rest.chars().next()?;
        if let '"' | '`' | '\'' = first {
            let body = &self.rest[1..];
            let mut escaped = false;
            for (at, c) in body.char_indices() {
                match c {
                    '\\' if first == '"' && !escaped => escaped = true,
                    c if c == first && !escaped => {
                        self.rest = &body[at + 1..];
                        let value = &body[..at];
                        return Some(match first {
                            '"' => value.replace("\\\"", "\"").replace("\\\\", "\\"),
                            _ => value.to_owned(),
                        });
                    }
                    _ => escaped = false,
                }
            }
            return None;
        }
        let end = self.rest.char_indices().find(|(at, c)| {
            c.is_whitespace()
                || self.rest[*at..].starts_with(close)
                || self.rest[*at..].starts_with(&format!("/{close}"))
        });
        let end = end.map(|(at, _)| at)?;
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word.to_owned())
    }

    fn argument(&mut self, close: &str) -> Option<(Option<String>, String)> {
        let name_end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
            .unwrap_or(self.rest.len());
        if name_end > 0
            && let Some(value) = self.rest[name_end..].strip_prefix('=')
        {
            let key = self.rest[..name_end].to_owned();
            self.rest = value;
            return Some((Some(key), self.value(close)?));
        }
        let before = self.rest.len();
        let value = self.value(close)?;
        // Nothing was taken: this is no tag.
        (self.rest.len() < before).then_some((None, value))
    }
}

/// Puts tags and the text between them into a tree.
pub(super) fn tree(text: &str, tags: Vec<(Range<usize>, Tag)>) -> Vec<Node> {
    let code = code_ranges(text, false);
    // The closing tag of each opening one: the nearest that nobody nearer has.
    let mut closed_by: Vec<Option<usize>> = vec![None; tags.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, (_, tag)) in tags.iter().enumerate() {
        match tag {
            Tag::Open { name, .. } => open.push((at, name)),
            Tag::Close(name) => {
                let found = open
                    .iter()
                    .rposition(|(_, own)| own == name || name.is_empty());
                if let Some(place) = found {
                    closed_by[open[place].0] = Some(at);
                    open.truncate(place);
                }
            }
            _ => {}
        }
    }
    let mut builder = Builder {
        tags,
        closed_by,
        code,
    };
    let count = builder.tags.len();
    let mut nodes = builder.nodes(0..text.len(), 0..count, 0);
    label(text, &mut nodes);
    nodes
}

struct Builder {
    tags: Vec<(Range<usize>, Tag)>,
    closed_by: Vec<Option<usize>>,
    code: Vec<Range<usize>>,
}

impl Builder {
    fn nodes(&mut self, span: Range<usize>, tags: Range<usize>, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut from = span.start;
        let mut at = tags.start;
        while at < tags.end {
            let (range, tag) = &mut self.tags[at];
            let range = range.clone();
            if range.start > from {
                nodes.push(Node::Plain(from..range.start));
            }
            from = range.end;
            let in_code = is_inside(&self.code, range.start);
            match tag {
                Tag::Shown(shown) => nodes.push(Node::Shown(range, std::mem::take(shown))),
                // It closes nothing.
                Tag::Close(_) => {}
                Tag::Open { name, args } | Tag::Alone { name, args } => {
                    let mut call = Call {
                        name: std::mem::take(name),
                        args: std::mem::take(args),
                        range: range.clone(),
                        in_code,
                        ..Call::default()
                    };
                    if let Some(close) = self.closed_by[at] {
                        let end = self.tags[close].0.clone();
                        let inside = range.end..end.start;
                        call.inside = Some(match depth < DEEPEST {
                            true => self.nodes(inside, at + 1..close, depth + 1),
                            false => vec![Node::Plain(inside)],
                        });
                        call.range.end = end.end;
                        from = end.end;
                        at = close;
                    }
                    nodes.push(Node::Call(call));
                }
            }
            at += 1;
        }
        if span.end > from {
            nodes.push(Node::Plain(from..span.end));
        }
        nodes
    }
}

/// Gives the labels of a list, `[npm](#)` line by line in `tabs`, to the contents that follow it.
fn label(text: &str, nodes: &mut [Node]) {
    let mut labels: std::collections::VecDeque<String> = Default::default();
    let mut list = None;
    for at in 0..nodes.len() {
        let Node::Call(call) = &mut nodes[at] else {
            continue;
        };
        if let Some(inside) = &mut call.inside {
            label(text, inside);
        }
        if call.name == "tabpane" {
            mark_code(call);
        }
        let name = call.name.rsplit('/').next().unwrap_or_default();
        let names_tabs = name == "tabs" || name.ends_with("-tabs");
        let is_content = name.ends_with("-content");
        if names_tabs && let Some([Node::Plain(range)]) = call.inside.as_deref() {
            labels = link_texts(&text[range.clone()]).into();
            list = (!labels.is_empty()).then_some(at);
        } else if is_content && let Some(own) = labels.pop_front() {
            call.label = Some(own);
            if let Some(list) = list
                && let Node::Call(list) = &mut nodes[list]
            {
                list.is_spent = true;
            }
        }
    }
}

/// Marks the tabs of a pane that hold code: all but those that say `text=true`, or whose pane does. (Docsy's documentation, "Tabbed panes".)
fn mark_code(pane: &mut Call) {
    let is = |args: &Arguments, name: &str| args.named(name) == Some("true");
    if is(&pane.args, "text") {
        return;
    }
    let language = pane.args.named("lang").unwrap_or_default().to_owned();
    let by_header = is(&pane.args, "langEqualsHeader");
    for node in pane.inside.iter_mut().flatten() {
        if let Node::Call(tab) = node
            && tab.name == "tab"
            && tab.inside.is_some()
            && !is(&tab.args, "text")
        {
            let header = tab.args.named("header").filter(|_| by_header);
            let own = tab.args.named("lang").or(header).unwrap_or(&language);
            tab.code = Some(own.to_owned());
        }
    }
}

/// The texts of `[text](#…)`, when nothing else stands there.
fn link_texts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.trim_start_matches("- ");
        match line
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("](#"))
        {
            Some((label, _)) => found.push(label.to_owned()),
            None => return Vec::new(),
        }
    }
    found
}

/// Puts a text together again. `read` says what a call reads as, with what its inside reads as and its line in the source.
pub(crate) fn render(
    text: &Text,
    nodes: &[Node],
    read: &mut dyn FnMut(&Call, Option<Text>, u32) -> Text,
) -> Text {
    let breaks = text.text.match_indices('\n').map(|(at, _)| at).collect();
    Pieces { text, breaks }.render(nodes, read)
}

/// A text that is put together again.
struct Pieces<'a> {
    text: &'a Text,
    /// Where its line feeds stand.
    breaks: Vec<usize>,
}

impl Pieces<'_> {
    /// The line of an offset, counted from 0.
    fn line(&self, offset: usize) -> usize {
        self.breaks.partition_point(|at| *at < offset)
    }

    fn render(
        &self,
        nodes: &[Node],
        read: &mut dyn FnMut(&Call, Option<Text>, u32) -> Text,
    ) -> Text {
        let mut out = Text::of_line("", self.text.source_line(0));
        for node in nodes {
            match node {
                Node::Plain(range) => {
                    out.append(&self.text.part(range.clone(), self.line(range.start)));
                }
                Node::Shown(range, shown) => {
                    let line = self.text.source_line(self.line(range.start));
                    out.append(&Text::of_line(shown.as_str(), line));
                }
                Node::Call(call) => {
                    let inside = call.inside.as_ref().map(|nodes| self.render(nodes, read));
                    let line = self.text.source_line(self.line(call.range.start));
                    let new = match call.is_spent {
                        true => Text::of_line("", line),
                        false => read(call, inside, line),
                    };
                    out.append(&new);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let source = Text::new(text.to_owned(), 1);
        let nodes = hugo(text);
        let mut read = |call: &Call, inside: Option<Text>, line| {
            let args: Vec<String> = call
                .args
                .list
                .iter()
                .cloned()
                .chain(
                    call.args
                        .named
                        .iter()
                        .map(|(key, value)| format!("{key}={value}")),
                )
                .collect();
            let inside = inside.map_or(String::new(), |inside| format!("<{}>", inside.text));
            Text::of_line(format!("{}({}){inside}", call.name, args.join("|")), line)
        };
        render(&source, &nodes, &mut read).text
    }

    #[test]
    fn calls_are_read() {
        for (text, expected) in [
            ("a {{< b >}} c", "a b() c"),
            ("{{<b>}}{{%c%}}", "b()c()"),
            (r#"{{< b "x y" `z"` w >}}"#, r#"b(x y|z"|w)"#),
            (
                r#"{{< b k="x \"y\"" l=3 m=`n` >}}"#,
                r#"b(k=x "y"|l=3|m=n)"#,
            ),
            ("{{< b\n  k=\"x\ny\"\n>}}", "b(k=x\ny)"),
            ("{{% b %}}x{{% /b %}}{{%b%}}x{{%/b%}}", "b()<x>b()<x>"),
            ("{{< b >}}x{{< c >}}y{{< /b >}}", "b()<xc()y>"),
            ("{{< b >}}{{< b >}}x{{< /b >}}{{</ b >}}", "b()<b()<x>>"),
            ("{{< b />}}x{{< b 1 />}}", "b()xb(1)"),
            ("{{< a/b-c >}}", "a/b-c()"),
            (
                "{{</* b \"x\" */>}} {{%/* c */%}}",
                "{{< b \"x\" >}} {{% c %}}",
            ),
            ("{{< b \"{{< c >}}/d\" >}}", "b({{< c >}}/d)"),
            (
                "{{< b href=\"https://x.dev/>}}\" >}}",
                "b(href=https://x.dev/>}})",
            ),
            ("x {{< /b >}} y", "x  y"),
            ("{{< b", "{{< b"),
            ("{{ .Title }} {{% \n", "{{ .Title }} {{% \n"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn labels_of_a_list_go_to_the_contents() {
        let text = "{{% tabs %}}\n[npm](#)\n[yarn](#)\n{{% /tabs %}}\n{{% tab-content %}}a{{% /tab-content %}}{{% tab-content %}}b{{% /tab-content %}}";
        let mut labels = Vec::new();
        for node in hugo(text) {
            if let Node::Call(call) = node {
                labels.push((call.label, call.is_spent));
            }
        }
        assert_eq!(
            labels,
            [
                (None, true),
                (Some("npm".into()), false),
                (Some("yarn".into()), false)
            ]
        );
    }
}
