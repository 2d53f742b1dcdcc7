//! A page as a tree of elements, with the markdown between them left whole.
//!
//! In markdown the parser says where raw HTML stands; text between the tags of an HTML block is no markdown. In MDX tags and expressions stand
//! anywhere but in code, and text between them is markdown. Tags that are never closed hold nothing; what stands behind them stands beside them.
//!
//! `a <b>c *d*</b>` is the text `a ` and the element `b` that holds the text `c *d*`.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag as MdTag, TagEnd};

use super::super::code::{code_ranges, range_at};
use super::tags::{Form, Tag, expression_end, tag_at};

/// A piece of a page. Ranges are of the page's text.
#[derive(Debug)]
pub(crate) enum Node {
    /// Markdown.
    Markdown(Range<usize>),
    /// Text of an HTML block, which holds no markdown.
    Literal(Range<usize>),
    /// `{…}` of MDX, with its braces.
    Expression(Range<usize>),
    /// What shows nothing: a doctype, the lead of a quotation's next line.
    Nothing,
    /// An element.
    Element(Element),
}

/// An element and what stands in it.
#[derive(Debug)]
pub(crate) struct Element {
    pub tag: Tag,
    pub children: Vec<Node>,
    /// The offset behind the element.
    pub end: usize,
    /// Whether its end is known. One that is not has no children.
    pub closed: bool,
    /// Whether everything in it has to stay on one line: it stands in a table's cell or in a heading.
    pub one_line: bool,
    /// An offset in the line whose lead it has: indentation within an HTML block means nothing.
    pub lead_at: usize,
}

impl Element {
    /// Its name in lower case.
    pub(crate) fn name(&self) -> String {
        self.tag.name.to_ascii_lowercase()
    }

    /// The range between its tags.
    pub(crate) fn inside(&self, text: &str) -> Range<usize> {
        let start = self.tag.range.end;
        let close = text
            .get(start..self.end)
            .and_then(|inside| inside.rfind("</"))
            .unwrap_or(0);
        start..start + close
    }
}

/// Elements that hold nothing in HTML.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements whose content is not markup.
const RAW_TEXT: &[&str] = &["script", "style", "textarea"];
/// Elements whose end may be left out.
const IMPLIED: &[&str] = &[
    "li", "dt", "dd", "p", "td", "th", "tr", "thead", "tbody", "tfoot", "option",
];

enum Piece {
    Tag {
        tag: Tag,
        one_line: bool,
        lead_at: usize,
    },
    Node(Node),
}

impl Piece {
    fn tag(tag: Tag, one_line: bool) -> Piece {
        Piece::Tag {
            lead_at: tag.range.start,
            tag,
            one_line,
        }
    }
}

/// The tree of a markdown page.
pub(crate) fn of_markdown(text: &str) -> Vec<Node> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut one_line = 0_u32;
    let mut block: Option<Joined> = None;
    let mut code: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(text, super::super::options()).into_offset_iter() {
        match event {
            Event::Start(MdTag::TableCell | MdTag::Heading { .. }) => one_line += 1,
            Event::End(TagEnd::TableCell | TagEnd::Heading(_)) => {
                one_line = one_line.saturating_sub(1);
            }
            Event::Code(_) | Event::Start(MdTag::CodeBlock(_)) => code.push(range),
            Event::Start(MdTag::HtmlBlock) => block = Some(Joined::default()),
            Event::Html(_) => {
                if let Some(block) = &mut block {
                    block.push(text, range);
                }
            }
            Event::End(TagEnd::HtmlBlock) => {
                if let Some(block) = block.take().filter(|block| block.start() >= at) {
                    markdown(at..block.start(), &mut pieces);
                    at = block.end();
                    block.read(&mut pieces);
                }
            }
            Event::InlineHtml(_) if range.start >= at => {
                markdown(at..range.start, &mut pieces);
                at = range.end;
                match tag_at(text, range.start) {
                    Some(tag) if tag.range.end == range.end => {
                        pieces.push(Piece::tag(tag, one_line > 0));
                    }
                    _ => pieces.push(Piece::Node(foreign(text, range))),
                }
            }
            _ => {}
        }
    }
    markdown(at..text.len(), &mut pieces);
    if VUE.iter().any(|sign| text.contains(sign)) {
        code.sort_by_key(|range| range.start);
        pieces = pieces
            .into_iter()
            .flat_map(|piece| match piece {
                Piece::Node(Node::Markdown(range)) => of_vue(text, range, &code),
                piece => vec![piece],
            })
            .collect();
    }
    built(pieces)
}

/// How attributes of Vue begin. Markdown takes their tags for text, and the generators that know Vue do not.
const VUE: &[&str] = &[" #", " @", "\n#", "\n@", " [", "<template"];

/// The tags of Vue in a stretch of markdown.
fn of_vue(text: &str, range: Range<usize>, code: &[Range<usize>]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut at, mut from) = (range.start, range.start);
    while let Some(found) = text.get(from..range.end).and_then(|rest| rest.find('<')) {
        let start = from + found;
        from = start + 1;
        if let Some(code) = range_at(code, start) {
            from = code.end.max(from);
            continue;
        }
        let tag = tag_at(text, start).filter(|tag| {
            let is_vue = |(name, _): &(String, _)| name.starts_with(['#', '@', '[', '(']);
            tag.range.end <= range.end && tag.attributes.iter().any(is_vue)
        });
        if let Some(tag) = tag.filter(|_| !text[..start].ends_with('\\')) {
            markdown(at..start, &mut pieces);
            at = tag.range.end;
            from = at;
            pieces.push(Piece::tag(tag, in_one_line(text, start)));
        }
    }
    markdown(at..range.end, &mut pieces);
    pieces
}

/// A comment, doctype or processing instruction shows nothing; anything else is what it is.
fn foreign(text: &str, range: Range<usize>) -> Node {
    match text[range.clone()].starts_with("<!") || text[range.clone()].starts_with("<?") {
        true => Node::Nothing,
        false => Node::Markdown(range),
    }
}

fn markdown(range: Range<usize>, pieces: &mut Vec<Piece>) {
    if !range.is_empty() {
        pieces.push(Piece::Node(Node::Markdown(range)));
    }
}

/// The lines of an HTML block without what leads them in a quotation or list.
#[derive(Default)]
struct Joined {
    text: String,
    /// Where each stretch begins, here and in the page.
    starts: Vec<(usize, usize)>,
    end: usize,
}

impl Joined {
    fn push(&mut self, text: &str, range: Range<usize>) {
        if self.starts.is_empty() || range.start != self.end {
            self.starts.push((self.text.len(), range.start));
        }
        self.text.push_str(&text[range.clone()]);
        self.end = range.end;
    }

    fn start(&self) -> usize {
        self.starts.first().map_or(usize::MAX, |(_, page)| *page)
    }

    fn end(&self) -> usize {
        self.end
    }

    /// The offset in the page of a byte of the block.
    fn in_page(&self, at: usize) -> usize {
        let held = self.starts.partition_point(|(own, _)| *own <= at);
        match held.checked_sub(1).and_then(|held| self.starts.get(held)) {
            Some((own, page)) => page + (at - own),
            None => at,
        }
    }

    fn literal(&self, range: Range<usize>, pieces: &mut Vec<Piece>) {
        let mut from = range.start;
        while from < range.end {
            let next = self.starts.partition_point(|(own, _)| *own <= from);
            let end = self
                .starts
                .get(next)
                .map_or(range.end, |(own, _)| (*own).min(range.end));
            let start = self.in_page(from);
            pieces.push(Piece::Node(Node::Literal(start..start + (end - from))));
            from = end;
        }
    }

    fn read(&self, pieces: &mut Vec<Piece>) {
        let text = self.text.as_str();
        let mut at = 0;
        let mut from = 0;
        while let Some(open) = text.get(from..).and_then(|rest| rest.find('<')) {
            let open = from + open;
            let rest = &text[open..];
            let skipped = if rest.starts_with("<!--") {
                rest.find("-->").map(|end| end + 3)
            } else if rest.starts_with("<!") || rest.starts_with("<?") {
                rest.find('>').map(|end| end + 1)
            } else {
                None
            };
            if let Some(length) = skipped {
                self.literal(at..open, pieces);
                from = open + length;
                at = from;
                continue;
            }
            let Some(mut tag) = tag_at(text, open) else {
                from = open + 1;
                continue;
            };
            self.literal(at..open, pieces);
            at = tag.range.end;
            from = at;
            let name = tag.name.to_ascii_lowercase();
            tag.range = self.in_page(open)..self.in_page(at - 1) + 1;
            let raw = tag.form == Form::Open && RAW_TEXT.contains(&name.as_str());
            pieces.push(Piece::Tag {
                tag,
                one_line: false,
                lead_at: self.start(),
            });
            if raw {
                let lower = text[at..].to_ascii_lowercase();
                let close = lower.find(&format!("</{name}")).unwrap_or(lower.len());
                self.literal(at..at + close, pieces);
                at += close;
                from = at;
            }
        }
        self.literal(at..text.len(), pieces);
    }
}

/// The tree of an MDX page, whose module code and comments are gone.
pub(crate) fn of_mdx(text: &str) -> Vec<Node> {
    let code = code_ranges(text, true);
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(['<', '{'])) {
        let start = from + found;
        if let Some(range) = range_at(&code, start) {
            from = range.end.max(start + 1);
            continue;
        }
        let slashes = text[..start]
            .bytes()
            .rev()
            .take_while(|b| *b == b'\\')
            .count();
        if slashes % 2 == 1 {
            from = start + 1;
            continue;
        }
        if text[start..].starts_with('{') {
            match expression_end(text, start) {
                // `## Title {#id}` is no expression, nor are the attributes of a directive.
                Some(end) if !text[start..].starts_with("{#") && !is_directive(text, start) => {
                    markdown(at..start, &mut pieces);
                    pieces.push(Piece::Node(Node::Expression(start..end)));
                    at = end;
                    from = end;
                }
                _ => from = start + 1,
            }
            continue;
        }
        match tag_at(text, start) {
            Some(tag) => {
                markdown(at..start, &mut pieces);
                at = tag.range.end;
                from = at;
                let name = tag.name.to_ascii_lowercase();
                let raw = tag.form == Form::Open && matches!(name.as_str(), "script" | "style");
                pieces.push(Piece::tag(tag, in_one_line(text, start)));
                if raw && let Some(close) = text[at..].find(&format!("</{name}")) {
                    pieces.push(Piece::Node(Node::Literal(at..at + close)));
                    at += close;
                    from = at;
                }
            }
            None => from = start + 1,
        }
    }
    markdown(at..text.len(), &mut pieces);
    built(pieces)
}

/// Whether the line of an offset begins with the colons of a directive.
fn is_directive(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    text[start..at]
        .trim_start_matches([' ', '\t', '>', '-', '*'])
        .starts_with("::")
}

/// Whether the line of an offset is a heading or a row of a table.
fn in_one_line(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let line = text[start..at].trim_start_matches([' ', '\t', '>']);
    let heading = line.trim_start_matches('#');
    line.starts_with('|') || (heading.len() < line.len() && heading.starts_with(' '))
}

/// Whether an element of a name may hold one of another when the first's end is left out.
pub(super) fn ends(open: &str, next: &str) -> bool {
    match open {
        "li" => next == "li",
        "dt" | "dd" => matches!(next, "dt" | "dd"),
        "option" => matches!(next, "option" | "optgroup"),
        "td" | "th" => matches!(next, "td" | "th" | "tr" | "tbody" | "thead" | "tfoot"),
        "tr" => matches!(next, "tr" | "tbody" | "thead" | "tfoot"),
        "thead" | "tbody" | "tfoot" => matches!(next, "tbody" | "thead" | "tfoot"),
        "p" => {
            matches!(
                next,
                "p" | "div"
                    | "ul"
                    | "ol"
                    | "table"
                    | "pre"
                    | "blockquote"
                    | "section"
                    | "dl"
                    | "hr"
                    | "h1"
                    | "h2"
                    | "h3"
                    | "h4"
                    | "h5"
                    | "h6"
                    | "details"
                    | "figure"
                    | "form"
            )
        }
        // No link holds a link: the first was an anchor.
        "a" => next == "a",
        _ => false,
    }
}

fn built(pieces: Vec<Piece>) -> Vec<Node> {
    let mut tree = Tree::default();
    for piece in pieces {
        match piece {
            Piece::Node(node) => tree.top().push(node),
            Piece::Tag {
                tag,
                one_line,
                lead_at,
            } => tree.see(tag, one_line, lead_at),
        }
    }
    let end = tree.at;
    while !tree.open.is_empty() {
        tree.leave(end);
    }
    tree.nodes
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    open: Vec<Element>,
    at: usize,
}

impl Tree {
    fn top(&mut self) -> &mut Vec<Node> {
        match self.open.last_mut() {
            Some(element) => &mut element.children,
            None => &mut self.nodes,
        }
    }

    fn see(&mut self, tag: Tag, one_line: bool, lead_at: usize) {
        let name = tag.name.to_ascii_lowercase();
        let (start, end) = (tag.range.start, tag.range.end);
        self.at = end;
        // In JSX, `Link` is no `link`.
        let is_html = tag.name == name;
        let is_leaf = tag.form == Form::Empty || (is_html && VOID.contains(&name.as_str()));
        match tag.form {
            Form::Close if !is_leaf => {
                let held = self
                    .open
                    .iter()
                    .rposition(|element| element.tag.name.eq_ignore_ascii_case(&tag.name));
                if let Some(held) = held {
                    while self.open.len() > held + 1 {
                        self.leave(start);
                    }
                    if let Some(mut element) = self.open.pop() {
                        element.end = end;
                        element.closed = true;
                        self.top().push(Node::Element(element));
                    }
                    return;
                }
                let element = leaf(tag, false, one_line, lead_at);
                self.top().push(Node::Element(element));
            }
            _ => {
                while let Some(last) = self.open.last() {
                    let open = last.name();
                    if !ends(&open, &name) {
                        break;
                    }
                    self.leave(start);
                }
                if is_leaf {
                    let element = leaf(tag, true, one_line, lead_at);
                    self.top().push(Node::Element(element));
                } else {
                    self.open.push(leaf(tag, false, one_line, lead_at));
                }
            }
        }
    }

    /// Leaves an element that has no end of its own.
    fn leave(&mut self, at: usize) {
        let Some(mut element) = self.open.pop() else {
            return;
        };
        if IMPLIED.contains(&element.name().as_str()) {
            element.end = at.max(element.tag.range.end);
            element.closed = true;
            self.top().push(Node::Element(element));
            return;
        }
        let children = std::mem::take(&mut element.children);
        let top = self.top();
        top.push(Node::Element(element));
        top.extend(children);
    }
}

fn leaf(tag: Tag, closed: bool, one_line: bool, lead_at: usize) -> Element {
    Element {
        lead_at,
        end: tag.range.end,
        tag,
        children: Vec::new(),
        closed,
        one_line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, nodes: &[Node]) -> String {
        let one = |node: &Node| match node {
            Node::Markdown(range) => format!("{:?}", &text[range.clone()]),
            Node::Literal(range) => format!("L{:?}", &text[range.clone()]),
            Node::Expression(range) => format!("E{:?}", &text[range.clone()]),
            Node::Nothing => "-".into(),
            Node::Element(element) => format!(
                "{}{}({})",
                if element.closed { "" } else { "?" },
                element.tag.name,
                told(text, &element.children)
            ),
        };
        nodes.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn md(text: &str, expected: &str) {
        assert_eq!(told(text, &of_markdown(text)), expected, "{text:?}");
    }

    #[track_caller]
    fn mdx(text: &str, expected: &str) {
        assert_eq!(told(text, &of_mdx(text)), expected, "{text:?}");
    }

    #[test]
    fn markdown_stays_whole_between_tags() {
        md("a <b>c *d*</b> `<i>`", r#""a " b("c *d*") " `<i>`""#);
        md(
            "<div>\n*a*\n\n*b*\n\n</div>\n",
            r#"div(L"\n*a*\n" "\n*b*\n\n") L"\n""#,
        );
        md(
            "a < b <https://x.dev> Vec<T>",
            r#""a < b <https://x.dev> Vec" ?T()"#,
        );
        md(
            "    <a>\n\n```\n<b>\n```\n",
            r#""    <a>\n\n```\n<b>\n```\n""#,
        );
        md("> <p\n> id=x>a\n> b\n", r#""> " p(L"a\n" L"b\n")"#);
        md(
            "<script>\nif (a<b>c) {}\n\n</script>\n",
            r#"script(L"\nif (a<b>c) {}\n\n") L"\n""#,
        );
    }

    #[test]
    fn ends_that_are_left_out() {
        md("<ul><li>a<li>b</ul>", r#"ul(li(L"a") li(L"b"))"#);
        md(
            "<div><a name=x>y <a href=z>w</a></div>",
            r#"div(?a() L"y " a(L"w"))"#,
        );
        md(
            "x <a name=x>y <a href=z>w</a> </i>",
            r#""x " ?a() "y " a("w") " " ?i()"#,
        );
        md(
            "<table><tr><td>a<td>b<tr><td>c</table>",
            r#"table(tr(td(L"a") td(L"b")) tr(td(L"c")))"#,
        );
    }

    #[test]
    fn tags_of_mdx_stand_anywhere_but_in_code() {
        mdx(
            "<A>\n    <B c={d}>\n      ```js\n      <E>\n      ```\n    </B>\n</A>\n",
            r#"A("\n    " B("\n      ```js\n      <E>\n      ```\n    ") "\n") "\n""#,
        );
        mdx(
            "{a} \\{b} `{c}` \\<d> {e",
            r#"E"{a}" " \\{b} `{c}` \\<d> {e""#,
        );
        mdx("# T {#id}\n<></>", r##""# T {#id}\n" ()"##);
        mdx("a < b, c<3, Vec<T>", r#""a < b, c<3, Vec" ?T()"#);
    }
}
