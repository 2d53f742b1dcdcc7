//! What shortcodes of the usual names read as, whoever wrote them.
//!
//! | names | read as |
//! |---|---|
//! | `note`, `warning`, `tip`, `alert`, `callout`, `admonition`, … | a quotation that begins with its label in bold |
//! | `tab`, `tab-content`, `code-tab-content`, … | the label in bold, then the content |
//! | `expand`, `details`, `collapse`, … | the summary in bold, then the content |
//! | `highlight`, `code` | a fence |
//! | `figure`, `img`, `image`, … | an image |
//! | `youtube`, `vimeo`, `gist`, `x`, `instagram` | a link |
//! | `icon`, `kbd`, `button`, … | their text |
//!
//! The text inside a call is kept whatever the call is called.

use super::shortcodes::Call;
use crate::page::{Log, Text};

/// Where a call stands in its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'a> {
    /// The white space before it, when nothing else stands there.
    pub lead: Option<&'a str>,
    /// Its line in the source.
    pub line: u32,
}

impl<'a> Spot<'a> {
    /// The spot of an offset in a text, and of a line of the source.
    pub(crate) fn of(text: &'a Text, offset: usize, line: u32) -> Spot<'a> {
        let before = text.text.get(..offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let lead = &before[start..];
        Spot {
            lead: lead.trim().is_empty().then_some(lead),
            line,
        }
    }
}

/// The last part of a name: `note` of `docs/note`.
pub(crate) fn own_name(call: &Call) -> String {
    call.name
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_lowercase()
}

/// A call with something inside, when its name is known.
pub(crate) fn container(call: &Call, inside: &Text, spot: Spot<'_>) -> Option<Text> {
    let name = own_name(call);
    let args = &call.args;
    if let Some(label) = admonition(&name) {
        let kind = args.any(&["type", "kind", "level", "context", "style", "icon", "color"]);
        let title = args.any(&["title", "heading", "header", "name", "summary"]);
        let first = args.list.first().map(String::as_str);
        let (label, title) = match (label, kind, first) {
            ("", Some(kind), _) => (labelled(kind).unwrap_or("Note"), title),
            ("", None, Some(kind)) => match labelled(kind) {
                Some(label) => (label, title.or(args.list.get(1).map(String::as_str))),
                None => ("Note", title.or(Some(kind))),
            },
            ("", None, None) => ("Note", title),
            (label, ..) => (label, title.or(first)),
        };
        return Some(quotation(title.unwrap_or(label), inside, spot));
    }
    if let ("new-in" | "deprecated-in" | "added-in", Some(version)) =
        (name.as_str(), args.any_or(&["version"], 0))
    {
        let what = if name.starts_with("dep") {
            "Deprecated"
        } else {
            "New"
        };
        return Some(quotation(&format!("{what} in {version}"), inside, spot));
    }
    let label = match name.as_str() {
        "tab" | "tab-item" | "tabitem" | "tab-pane" | "tab-content" | "code-tab-content"
        | "codetab" | "code-tab" => call
            .label
            .as_deref()
            .or_else(|| args.any_or(&["name", "title", "label", "header", "tabname", "text"], 0)),
        "expand" | "details" | "collapse" | "collapsible" | "spoiler" | "accordion"
        | "accordion-item" | "toggle" | "detail" | "dropdown" => {
            args.any_or(&["summary", "title", "label", "name", "header"], 0)
        }
        "card" | "step" => args.any_or(&["title", "header", "name", "label"], 0),
        "highlight" | "code" | "codeblock" | "code-block" if !call.in_code => {
            let language = args
                .any_or(&["lang", "language", "type"], 0)
                .unwrap_or_default();
            return Some(fence(language, inside, spot));
        }
        "button" | "btn" if !call.in_code && !inside.text.trim().is_empty() => {
            let to = args.any(&["href", "link", "url", "relref", "ref", "to"])?;
            return Some(Text::of_line(link(inside.text.trim(), to), spot.line));
        }
        "mermaid" | "math" | "katex" if !call.in_code && inside.text.contains('\n') => {
            let language = if name == "mermaid" { "mermaid" } else { "math" };
            return Some(fence(language, inside, spot));
        }
        "qr" | "caps" | "cite" | "caption" | "figcaption" => return Some(inside.clone()),
        _ if call.label.is_some() => call.label.as_deref(),
        _ => return None,
    };
    let code = call.code.as_deref().filter(|_| !call.in_code);
    let code = code.map(|language| fence(language, inside, spot));
    let inside = code.as_ref().unwrap_or(inside);
    Some(
        match label.map(str::trim).filter(|label| !label.is_empty()) {
            Some(label) if !call.in_code => labelled_block(label, inside, spot),
            _ => inside.clone(),
        },
    )
}

/// A call with nothing inside: by its name, or left out and counted.
pub(crate) fn alone_or_left_out(call: &Call, line: u32, source: &Text, log: &mut Log) -> String {
    if let Some(text) = alone(call) {
        return text;
    }
    log.unrendered(line, format!("shortcode `{}`", call.name));
    // In code it may be an example; left out, it would leave a hole that nobody sees.
    match call.in_code {
        true => source.text[call.range.clone()].to_owned(),
        false => String::new(),
    }
}

/// A call with nothing inside, when its name is known.
fn alone(call: &Call) -> Option<String> {
    let args = &call.args;
    let first = || args.list.first().map(String::as_str);
    Some(match own_name(call).as_str() {
        "figure" | "img" | "image" | "img-hd" | "imgproc" | "imgcap" | "picture" | "svg"
        | "screenshot" | "lightbox" => {
            let source = args.any_or(&["src", "path", "link", "url", "image", "file", "svg"], 0)?;
            let alt = args
                .any_or(&["alt", "caption", "title"], 1)
                .unwrap_or_default();
            let caption = args.any(&["caption", "title"]).filter(|text| *text != alt);
            let source = source
                .strip_prefix("static/")
                .map_or(source.to_owned(), |rest| format!("/{rest}"));
            let image = format!(
                "![{}]({})",
                alt.replace(['[', ']', '\n'], " "),
                destination(&source)
            );
            match caption {
                Some(caption) => format!("{image}\n\n*{}*", caption.trim()),
                None => image,
            }
        }
        "youtube" | "yt" => {
            let id = args.any_or(&["id", "v"], 0)?;
            let title = args.any(&["title"]).unwrap_or("YouTube video");
            link(title, &format!("https://www.youtube.com/watch?v={id}"))
        }
        "vimeo" => link(
            args.any(&["title"]).unwrap_or("Vimeo video"),
            &format!("https://vimeo.com/{}", args.any_or(&["id"], 0)?),
        ),
        "gist" => {
            let user = args.any_or(&["user"], 0)?;
            let id = args.any_or(&["id"], 1)?;
            link("Gist", &format!("https://gist.github.com/{user}/{id}"))
        }
        "x" | "tweet" | "twitter" => {
            let user = args.any(&["user"])?;
            let id = args.any(&["id"])?;
            link("Post on X", &format!("https://x.com/{user}/status/{id}"))
        }
        "instagram" => link(
            "Instagram post",
            &format!("https://www.instagram.com/p/{}/", args.any_or(&["id"], 0)?),
        ),
        "icon" | "nav-icon" | "fa" | "fas" | "fab" | "fontawesome" => {
            match args.any_or(&["name", "icon"], 0)? {
                "check" | "check-mark" | "checkmark" | "yes" => "✓".into(),
                "x" | "cross" | "remove" | "no" => "✗".into(),
                name => name.replace(['-', '_'], " "),
            }
        }
        "keybind" | "kbd" | "keys" | "key" => {
            let keys = [
                args.any(&["mac", "keys"]),
                args.any(&["other", "all", "win", "linux"]),
            ];
            let keys: Vec<&str> = keys
                .into_iter()
                .flatten()
                .chain(args.list.iter().map(String::as_str))
                .collect();
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            keys.join(" or ")
        }
        "button" | "btn" | "cta" | "linkcard" | "link-card" | "card" => {
            let text = args
                .any_or(&["text", "title", "label", "name"], 1)
                .or_else(first)?;
            match args.any(&["href", "url", "link", "relref", "ref"]) {
                Some(to) => link(text, to),
                None => text.to_owned(),
            }
        }
        "badge" | "tooltip" | "term" | "new" | "pill" => args
            .list
            .last()
            .map(String::as_str)
            .or(args.any(&["text", "content", "title", "label"]))?
            .to_owned(),
        "req" | "required" => args.any_or(&["text"], 0).unwrap_or("Required").to_owned(),
        "qr" => args.any_or(&["text"], 0)?.to_owned(),
        "optional" => "Optional".into(),
        "new-in" | "added-in" | "since" => format!("(new in {})", args.any_or(&["version"], 0)?),
        "deprecated-in" => format!("(deprecated in {})", args.any_or(&["version"], 0)?),
        "api-endpoint" | "endpoint" => {
            let address = args.any_or(&["endpoint", "path", "url"], 1)?;
            let method = args
                .any_or(&["method"], 0)
                .unwrap_or_default()
                .to_uppercase();
            match call.in_code {
                true => format!("{method} {address}").trim().to_owned(),
                false => format!("`{}`", format!("{method} {address}").trim()),
            }
        }
        // They place or style what a page shows by itself, and say nothing.
        "toc" | "br" | "hr" | "pagebreak" | "clear" | "clearfix" | "spacer" | "divider"
        | "anchor" | "comment" | "keep-url" | "page-nav" | "backtotop" | "adsense" => String::new(),
        _ => return None,
    })
}

/// The label of a name that is an admonition by itself; empty when an argument says which.
fn admonition(name: &str) -> Option<&'static str> {
    match name {
        "alert" | "admonition" | "callout" | "notice" | "aside" | "notification" | "message"
        | "hint-box" | "blockquote-alert" | "panel" | "flash" => Some(""),
        "notebox" => Some("Note"),
        name => labelled(name),
    }
}

/// The label of a kind of admonition.
fn labelled(kind: &str) -> Option<&'static str> {
    Some(match kind.to_lowercase().as_str() {
        "note" | "notes" | "primary" | "secondary" => "Note",
        "info" | "information" | "blue" => "Info",
        "tip" | "hint" | "green" => "Tip",
        "important" | "purple" => "Important",
        "warn" | "warning" | "orange" | "yellow" | "attention" => "Warning",
        "caution" => "Caution",
        "danger" | "error" | "red" | "bug" => "Danger",
        "success" | "done" | "check" => "Success",
        "example" => "Example",
        "question" | "faq" | "help" => "Question",
        "abstract" | "summary" | "tldr" => "Summary",
        _ => return None,
    })
}

/// A quotation that begins with a label.
pub(crate) fn quotation(label: &str, inside: &Text, spot: Spot<'_>) -> Text {
    let Some(lead) = spot.lead else {
        let mut out = Text::of_line(format!("**{}:** ", label.trim()), spot.line);
        out.append(inside);
        return out;
    };
    let mut out = Text::of_line(format!("> **{}**\n{lead}>", label.trim()), spot.line);
    for (line, at) in shown_lines(inside) {
        let line = line
            .strip_prefix(lead)
            .unwrap_or(line.trim_start())
            .trim_end();
        let space = if line.is_empty() { "" } else { " " };
        out.append(&Text::of_line("\n", at));
        out.append(&Text::of_line(format!("{lead}>{space}{line}"), at));
    }
    out.append(&Text::of_line("\n", spot.line));
    out
}

/// The lines without the blank ones at both ends.
fn shown_lines(text: &Text) -> Vec<(&str, u32)> {
    let lines: Vec<(&str, u32)> = text.each_line().collect();
    let is_shown = |(line, _): &(&str, u32)| !line.trim().is_empty();
    let first = lines.iter().position(is_shown).unwrap_or(0);
    let end = lines.iter().rposition(is_shown).map_or(first, |at| at + 1);
    lines[first..end].to_vec()
}

/// A label in bold, and what it is of.
pub(crate) fn labelled_block(label: &str, inside: &Text, spot: Spot<'_>) -> Text {
    let label = label.trim().trim_matches('*').replace('\n', " ");
    let Some(lead) = spot.lead else {
        let mut out = Text::of_line(format!("**{label}:** "), spot.line);
        out.append(inside);
        return out;
    };
    let mut out = Text::of_line(format!("\n{lead}**{label}**\n"), spot.line);
    let starts_line = inside
        .text
        .trim_start_matches([' ', '\t'])
        .starts_with('\n');
    if !starts_line {
        out.append(&Text::of_line(format!("\n{lead}"), spot.line));
    }
    out.append(inside);
    out
}

/// A fence that holds a text.
pub(crate) fn fence(language: &str, inside: &Text, spot: Spot<'_>) -> Text {
    let lead = spot.lead.unwrap_or_default();
    let ticks = "`".repeat(longest_run(&inside.text).max(2) + 1);
    let language: String = language
        .chars()
        .take_while(|c| !c.is_whitespace() && !matches!(c, '`' | ',' | '{'))
        .collect();
    let open = if spot.lead.is_some() { "" } else { "\n\n" };
    let mut out = Text::of_line(format!("{open}{ticks}{language}"), spot.line);
    for (line, at) in shown_lines(inside) {
        out.append(&Text::of_line("\n", at));
        out.append(&Text::of_line(
            if line.starts_with(lead) {
                line.to_owned()
            } else {
                format!("{lead}{line}")
            },
            at,
        ));
    }
    out.append(&Text::of_line(format!("\n{lead}{ticks}\n"), spot.line));
    out
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// A link of markdown.
pub(crate) fn link(text: &str, to: &str) -> String {
    format!(
        "[{}]({})",
        text.trim().replace(['[', ']'], ""),
        destination(to)
    )
}

/// A destination that may stand between parentheses.
pub(crate) fn destination(to: &str) -> String {
    let to = to.trim();
    match to.contains([' ', '(', ')', '<', '>']) {
        true => to
            .replace(' ', "%20")
            .replace('(', "%28")
            .replace(')', "%29")
            .replace('<', "%3C")
            .replace('>', "%3E"),
        false => to.to_owned(),
    }
}
