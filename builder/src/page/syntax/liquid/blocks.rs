//! Conditions and loops.

use std::ops::Range;

use super::Dialect;
use super::expression::{self, Found, truth};
use super::parse::{Piece, Tag};
use super::render::{Frame, MOST_STEPS, Renderer, short};
use super::sink::{self, Sink};
use super::value::Value;

impl Renderer<'_> {
    pub(super) fn condition(
        &mut self,
        frame: &Frame<'_>,
        open: &Tag,
        branches: &[(Option<Tag>, Vec<Piece>)],
        close: &Range<usize>,
        out: &mut Sink,
    ) {
        let dialect = self.host.dialect();
        let markup = &frame.text[open.markup.clone()];
        let cases = matches!(open.name.as_str(), "case" | "switch");
        let subject = if cases {
            self.value(markup).0
        } else {
            Value::Nil
        };
        let mut chosen: Option<usize> = None;
        let mut is_known = true;
        for (at, (head, _)) in branches.iter().enumerate() {
            let holds = match head {
                None if cases => Some(false),
                None => {
                    let holds = truth(&self.value(markup).0, dialect);
                    if open.name == "unless" {
                        holds.map(|yes| !yes)
                    } else {
                        holds
                    }
                }
                Some(head) => {
                    let markup = &frame.text[head.markup.clone()];
                    match head.name.as_str() {
                        "when" | "case" => {
                            let wanted = markup.replace(" or ", ", ");
                            let args = expression::arguments(&wanted, self, &mut Found::default());
                            let args = args.unwrap_or_default();
                            match subject == Value::Unknown || args.has_unknown() {
                                true => None,
                                false => Some(args.values.contains(&subject)),
                            }
                        }
                        "elsif" | "elseif" | "elif" => truth(&self.value(markup).0, dialect),
                        _ => Some(true),
                    }
                }
            };
            match holds {
                Some(true) => {
                    chosen = Some(at);
                    break;
                }
                Some(false) => {}
                None => {
                    is_known = false;
                    break;
                }
            }
        }
        if !is_known {
            if frame.is_code(open.range.start) {
                return out.keep(frame.text, open.range.start..close.end);
            }
            self.unrendered(
                frame,
                open.range.start,
                format!("condition `{}`", short(markup)),
            );
            return self.unwrap(frame, open, branches, close, out);
        }
        let ends: Vec<usize> = branches
            .iter()
            .skip(1)
            .filter_map(|(head, _)| Some(head.as_ref()?.range.start))
            .chain([close.start])
            .collect();
        let start = |at: usize| {
            branches[at]
                .0
                .as_ref()
                .map_or(open.range.end, |head| head.range.end)
        };
        match chosen {
            None => out.leave_out(frame.text, open.range.start..close.end),
            Some(at) => {
                out.leave_out(frame.text, open.range.start..start(at));
                self.walk(frame, &branches[at].1, out);
                out.leave_out(frame.text, ends[at]..close.end);
            }
        }
    }

    pub(super) fn repeat(
        &mut self,
        frame: &Frame<'_>,
        open: &Tag,
        branches: &[(Option<Tag>, Vec<Piece>)],
        close: &Range<usize>,
        out: &mut Sink,
    ) {
        let whole = open.range.start..close.end;
        let markup = &frame.text[open.markup.clone()];
        let Some((names, rest)) = markup.split_once(" in ") else {
            return self.unwrap(frame, open, branches, close, out);
        };
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let (list, reversed, limit, offset) = self.loop_words(rest);
        let Some(mut items) = self.value(list).0.items() else {
            if frame.is_code(whole.start) {
                return out.keep(frame.text, whole);
            }
            self.unrendered(frame, whole.start, format!("loop `{}`", short(markup)));
            let before = self.variables.clone();
            for name in names.iter().chain(&["forloop", "loop"]) {
                self.variables.insert((*name).to_owned(), Value::Unknown);
            }
            self.quiet += 1;
            self.unwrap(
                frame,
                open,
                &branches[..1.min(branches.len())],
                &(close.clone()),
                out,
            );
            self.quiet -= 1;
            if let Some((Some(head), _)) = branches.get(1) {
                out.cut(head.range.start..close.start);
            }
            self.variables = before;
            return;
        };
        items = items.into_iter().skip(offset).take(limit).collect();
        if reversed {
            items.reverse();
        }
        let chosen = branches.get(usize::from(items.is_empty()));
        let mut text = String::new();
        if items.is_empty() {
            if let Some((Some(_), pieces)) = chosen {
                text = self.text(frame, pieces);
            }
        } else if let Some((_, pieces)) = chosen {
            let before: Vec<(String, Option<Value>)> = names
                .iter()
                .chain(&["forloop", "loop"])
                .map(|name| ((*name).to_owned(), self.variables.get(*name).cloned()))
                .collect();
            let count = items.len();
            for (at, item) in items.into_iter().enumerate() {
                if self.steps > MOST_STEPS {
                    break;
                }
                match names.as_slice() {
                    [name] => {
                        self.variables.insert((*name).to_owned(), item);
                    }
                    names => {
                        for (part, name) in names.iter().enumerate() {
                            let value = item.item(i64::try_from(part).unwrap_or(0));
                            self.variables.insert((*name).to_owned(), value);
                        }
                    }
                }
                let place = place(at, count);
                self.variables.insert("forloop".into(), place.clone());
                self.variables.insert("loop".into(), place);
                text.push_str(&self.text(frame, pieces));
            }
            for (name, value) in before {
                match value {
                    Some(value) => self.variables.insert(name, value),
                    None => self.variables.remove(&name),
                };
            }
        }
        match text.trim().is_empty() {
            true => out.leave_out(frame.text, whole),
            false => out.put(whole, sink::as_html(text)),
        }
    }

    /// What a loop walks over, and Liquid's words behind it: `reversed`, `limit:2`, `offset:1`.
    fn loop_words<'m>(&self, rest: &'m str) -> (&'m str, bool, usize, usize) {
        let (mut reversed, mut limit, mut offset) = (false, usize::MAX, 0);
        let mut list = rest.trim();
        if self.host.dialect() == Dialect::Nunjucks {
            return (list, reversed, limit, offset);
        }
        let number = |text: &str| {
            self.value(text.trim())
                .0
                .number()
                .map(|n| n.max(0.0) as usize)
        };
        let mut end = list.len();
        for word in ["reversed", "limit:", "offset:", "cols:"] {
            if let Some(at) = list.find(&format!(" {word}")) {
                end = end.min(at);
                let after = list[at + 1 + word.len()..].trim_start();
                let value = after.split_whitespace().next().unwrap_or_default();
                match word {
                    "reversed" => reversed = true,
                    "limit:" => limit = number(value).unwrap_or(usize::MAX),
                    "offset:" => offset = number(value).unwrap_or(0),
                    _ => {}
                }
            }
        }
        list = &list[..end];
        (list, reversed, limit, offset)
    }
}

/// What a loop's body knows of its place.
fn place(at: usize, count: usize) -> Value {
    let number = |number: usize| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    Value::map(vec![
        ("index".into(), number(at + 1)),
        ("index0".into(), number(at)),
        ("first".into(), Value::Boolean(at == 0)),
        ("last".into(), Value::Boolean(at + 1 == count)),
        ("length".into(), number(count)),
        ("rindex".into(), number(count - at)),
        ("revindex".into(), number(count - at)),
    ])
}
