//! TOML front matter.

use toml::de::{DeTable, DeValue};

use super::value::{Entry, Node, Scalar, Value};
use crate::problem::Problem;

/// Reads a block that begins on the file's second line.
pub(super) fn parse(block: &str, file: &str) -> Result<Vec<Entry>, Box<Problem>> {
    let lines = Lines::new(block);
    let root = DeTable::parse(block).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = format!(
            "the front matter is not valid TOML: {}",
            error.message().trim()
        );
        let problem = Problem::error(file, what).at_column(lines.line(at), lines.column(block, at));
        let help = if error.message().contains("duplicate") {
            "delete one of the two"
        } else {
            "texts and dates are written as `title = \"Tea\"` and `date = 2024-05-01`"
        };
        Box::new(problem.help(help))
    })?;
    Ok(entries(root.into_inner(), &lines))
}

/// The parser sorts keys by name; their places give the order back.
fn entries(table: DeTable<'_>, lines: &Lines) -> Vec<Entry> {
    let mut found: Vec<_> = table.into_iter().collect();
    found.sort_by_key(|(key, _)| key.span().start);
    found
        .into_iter()
        .map(|(key, value)| Entry {
            line: lines.line(key.span().start),
            key: key.into_inner().into_owned(),
            node: node(value, lines),
        })
        .collect()
}

fn node(value: toml::Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let line = lines.line(value.span().start);
    match value.into_inner() {
        DeValue::String(text) => Node::scalar(line, text, Scalar::Text),
        DeValue::Integer(integer) => {
            let number = i64::from_str_radix(integer.as_str(), integer.radix());
            Node::scalar(
                line,
                integer.to_string(),
                number.map_or(Scalar::Text, Scalar::Integer),
            )
        }
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().filter(|n: &f64| n.is_finite());
            Node::scalar(
                line,
                float.as_str(),
                number.map_or(Scalar::Text, Scalar::Number),
            )
        }
        DeValue::Boolean(yes) => Node::scalar(line, yes.to_string(), Scalar::Boolean(yes)),
        DeValue::Datetime(date) => Node::scalar(line, date.to_string(), Scalar::Date),
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| node(item, lines)).collect();
            Node {
                line,
                value: Value::List(items),
            }
        }
        DeValue::Table(table) => Node {
            line,
            value: Value::Map(entries(table, lines)),
        },
    }
}

/// Where the block's lines begin.
struct Lines(Vec<usize>);

impl Lines {
    fn new(block: &str) -> Lines {
        let breaks = block.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Lines(
            std::iter::once(0)
                .chain(breaks.map(|(at, _)| at + 1))
                .collect(),
        )
    }

    /// The line in the file, in which the block begins on line 2.
    fn line(&self, offset: usize) -> u32 {
        let line = self.0.partition_point(|start| *start <= offset);
        u32::try_from(line + 1).unwrap_or(u32::MAX)
    }

    fn column(&self, block: &str, offset: usize) -> u32 {
        let line = self.0.partition_point(|start| *start <= offset);
        let start = self.0[line.saturating_sub(1)];
        let before = block.get(start..offset).unwrap_or_default();
        u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
    }
}
