//! Elements on lines of their own that have parts: lists, tables, preformatted text, details.

use super::html::{Kind, Renderer, bold};
use super::out::Out;
use super::tree::{Element, Node};

/// A row of a table: the line it begins on and its cells.
struct Row<'e> {
    line: u32,
    cells: Vec<Cell<'e>>,
    in_head: bool,
}

/// A cell, and over how many columns it reaches.
struct Cell<'e> {
    element: &'e Element,
    is_head: bool,
    span: usize,
}

/// More columns than anybody reads.
const MOST_COLUMNS: usize = 64;

impl Renderer<'_> {
    pub(super) fn list(&mut self, element: &Element, out: &mut Out) {
        let ordered = element.name() == "ol";
        let start = self
            .value(element, "start")
            .and_then(|start| start.trim().parse::<u32>().ok());
        let mut number = start.unwrap_or(1);
        let mut items = Vec::new();
        let mut other: Vec<&Node> = Vec::new();
        for node in &element.children {
            match node {
                Node::Element(item) if self.kind(item) == Kind::Item && item.closed => {
                    let body = self.body(item);
                    if body.is_blank() {
                        continue;
                    }
                    let mark = match ordered {
                        true => format!("{number}. "),
                        false => "- ".to_owned(),
                    };
                    number = number.saturating_add(1);
                    items.push(body.behind(&mark, &" ".repeat(mark.len())));
                }
                Node::Markdown(range) | Node::Literal(range)
                    if self
                        .source
                        .text
                        .get(range.clone())
                        .is_some_and(|text| text.trim().is_empty()) => {}
                Node::Nothing => {}
                node => other.push(node),
            }
        }
        // Something else than items: its content as it comes.
        if !other.is_empty() {
            self.wrapper(element, out, false);
            return;
        }
        let loose = items.iter().any(|item| item.text.contains("\n\n"));
        let mut list = Out::new(self.line(element));
        for item in &items {
            match loose {
                true => list.block(item, ""),
                false => list.lines(item),
            }
        }
        out.block(&list, &self.lead(element));
    }

    fn rows<'e>(&self, nodes: &'e [Node], in_head: bool, rows: &mut Vec<Row<'e>>) {
        for node in nodes {
            let Node::Element(element) = node else {
                continue;
            };
            match element.name().as_str() {
                "tr" => {
                    let mut cells = Vec::new();
                    self.cells(&element.children, &mut cells);
                    rows.push(Row {
                        line: self.line(element),
                        cells,
                        in_head,
                    });
                }
                "thead" => self.rows(&element.children, true, rows),
                "table" => {}
                _ => self.rows(&element.children, in_head, rows),
            }
        }
    }

    fn cells<'e>(&self, nodes: &'e [Node], cells: &mut Vec<Cell<'e>>) {
        for node in nodes {
            let Node::Element(element) = node else {
                continue;
            };
            let name = element.name();
            match name.as_str() {
                "td" | "th" => {
                    let span = self
                        .value(element, "colspan")
                        .and_then(|span| span.trim().parse().ok());
                    cells.push(Cell {
                        element,
                        is_head: name == "th",
                        span: span.unwrap_or(1).clamp(1, MOST_COLUMNS),
                    });
                }
                _ => self.cells(&element.children, cells),
            }
        }
    }

    pub(super) fn table(&mut self, element: &Element, out: &mut Out) {
        let mut rows = Vec::new();
        self.rows(&element.children, false, &mut rows);
        rows.retain(|row| !row.cells.is_empty());
        let columns = rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.span).sum::<usize>())
            .max()
            .unwrap_or(0)
            .min(MOST_COLUMNS);
        if columns == 0 {
            self.wrapper(element, out, false);
            return;
        }
        for node in &element.children {
            if let Node::Element(caption) = node
                && caption.name() == "caption"
            {
                let text = self.inline(&caption.children);
                self.text_block(element, &bold(&text), out);
            }
        }
        let has_head = rows.first().is_some_and(|row| {
            row.in_head || (rows.len() > 1 && row.cells.iter().all(|cell| cell.is_head))
        });
        let is_layout = !has_head && (columns == 1 || rows.len() == 1);
        let is_deep = rows
            .iter()
            .flat_map(|row| &row.cells)
            .any(|cell| self.is_deep(&cell.element.children));
        let lead = self.lead(element);
        if is_layout {
            for cell in rows.iter().flat_map(|row| &row.cells) {
                let body = self.body(cell.element);
                out.block(&body, &lead);
            }
        } else if is_deep {
            self.cell_by_cell(&rows, has_head, &lead, out);
        } else {
            let table = self.grid(&rows, columns, has_head);
            out.block(&table, &lead);
        }
    }

    /// Whether a cell holds what no cell of markdown can: code blocks, tables.
    fn is_deep(&self, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| match node {
            Node::Markdown(range) => {
                let text = self.source.text.get(range.clone()).unwrap_or_default();
                text.contains("```") || text.contains("~~~")
            }
            Node::Element(element) => {
                matches!(self.kind(element), Kind::Pre | Kind::Table)
                    || self.is_deep(&element.children)
            }
            _ => false,
        })
    }

    fn grid(&mut self, rows: &[Row<'_>], columns: usize, has_head: bool) -> Out {
        let mut table = Out::new(rows.first().map_or(1, |row| row.line));
        let mut push = |text: String, line: u32| {
            let mut row = Out::new(line);
            row.words(&text, line);
            table.lines(&row);
        };
        let rule = format!("|{}", " --- |".repeat(columns));
        if !has_head {
            let line = rows.first().map_or(1, |row| row.line);
            push(format!("|{}", "  |".repeat(columns)), line);
            push(rule.clone(), line);
        }
        for (at, row) in rows.iter().enumerate() {
            let mut text = String::from("|");
            let mut count = 0;
            for cell in &row.cells {
                if count >= columns {
                    break;
                }
                let inside = self.inline(&cell.element.children);
                let inside = match cell.is_head && !(has_head && at == 0) {
                    true => bold(&inside),
                    false => inside,
                };
                text.push(' ');
                text.push_str(&in_cell(&inside));
                text.push_str(" |");
                count += 1;
                for _ in 1..cell.span.min(columns + 1 - count) {
                    text.push_str("  |");
                    count += 1;
                }
            }
            text.push_str(&"  |".repeat(columns.saturating_sub(count)));
            push(text, row.line);
            if has_head && at == 0 {
                push(rule.clone(), row.line);
            }
        }
        table
    }

    /// A table that is too rich for markdown's: each cell behind the name of its column.
    fn cell_by_cell(&mut self, rows: &[Row<'_>], has_head: bool, lead: &str, out: &mut Out) {
        let heads: Vec<String> = match rows.first().filter(|_| has_head) {
            Some(head) => head
                .cells
                .iter()
                .map(|cell| self.inline(&cell.element.children))
                .collect(),
            None => Vec::new(),
        };
        for row in rows.iter().skip(usize::from(has_head)) {
            for (at, cell) in row.cells.iter().enumerate() {
                if let Some(head) = heads.get(at).filter(|head| !head.is_empty()) {
                    let mut label = Out::new(row.line);
                    label.words(&bold(head), row.line);
                    out.block(&label, lead);
                }
                let body = self.body(cell.element);
                out.block(&body, lead);
            }
        }
    }

    pub(super) fn pre(&mut self, element: &Element, out: &mut Out) {
        let code = element.children.iter().find_map(|node| match node {
            Node::Element(code) if code.name() == "code" => Some(code),
            _ => None,
        });
        let language = [Some(element), code]
            .into_iter()
            .flatten()
            .find_map(|it| self.language(it))
            .unwrap_or_default();
        // Text around `<code>` is layout.
        let text = match code {
            Some(code) => self.plain(&code.children),
            None => self.plain(&element.children),
        };
        let text = text.strip_prefix('\n').unwrap_or(&text).trim_end();
        self.fence(element, text, &language, out);
    }

    /// Text as a code block.
    pub(super) fn fence(&mut self, element: &Element, text: &str, language: &str, out: &mut Out) {
        if text.trim().is_empty() {
            return;
        }
        let line = self.line(element);
        let longest = text
            .lines()
            .map(|line| line.trim_start().bytes().take_while(|b| *b == b'`').count())
            .max()
            .unwrap_or(0);
        let marks = "`".repeat(longest.max(2) + 1);
        let mut block = Out::new(line);
        for line_text in [format!("{marks}{language}").as_str()]
            .into_iter()
            .chain(text.split('\n'))
            .chain([marks.as_str()])
        {
            block.line(line_text.trim_end_matches('\r'), line);
        }
        out.block(&block, &self.lead(element));
    }

    fn language(&self, element: &Element) -> Option<String> {
        let named = ["lang", "language", "data-lang", "data-language"]
            .iter()
            .find_map(|name| self.value(element, name));
        let named = named.or_else(|| {
            let classes = self
                .value(element, "class")
                .or_else(|| self.value(element, "className"))?;
            classes.split_whitespace().find_map(|class| {
                ["language-", "lang-"]
                    .iter()
                    .find_map(|start| class.strip_prefix(start))
                    .map(str::to_owned)
            })
        })?;
        let name = named.trim();
        (!name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '`'))
            .then(|| name.to_owned())
    }

    /// A summary in bold, and the content. `title` is the summary when no element is.
    pub(super) fn details(&mut self, element: &Element, title: Option<String>, out: &mut Out) {
        let is_summary =
            |node: &Node| matches!(node, Node::Element(it) if it.name() == "summary" && it.closed);
        let held = element.children.iter().position(is_summary);
        let title = match held.and_then(|at| element.children.get(at)) {
            Some(Node::Element(summary)) => Some(self.inline(&summary.children)),
            _ => title,
        };
        if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
            self.text_block(element, &bold(&title), out);
        }
        let lead = self.lead(element);
        match held {
            Some(at) => {
                let (before, after) = element.children.split_at(at);
                for part in [before, &after[1..]] {
                    let body = self.body_of(element, part);
                    out.block(&body, &lead);
                }
            }
            None => {
                let body = self.body(element);
                out.block(&body, &lead);
            }
        }
    }
}

/// Text as it may stand in a cell.
fn in_cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut escaped = false;
    for c in text.chars() {
        if c == '|' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}
