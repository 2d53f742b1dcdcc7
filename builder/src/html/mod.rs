//! Built pages: what a page of HTML says about itself, and its content as markdown.
//!
//! Parsed by `html5ever` and turned into markdown by `htmd`, which follows turndown's rules and is kept up with it. Here it is only decided which
//! part of a page is its content.

mod take_in;

use std::collections::HashSet;
use std::rc::Rc;

use artifact::clean::one_line;
use htmd::options::{BrStyle, BulletListMarker, HeadingStyle, Options};
use htmd::{HtmlToMarkdown, Node};
use markup5ever_rcdom::NodeData;

pub(crate) use take_in::{chosen, take_in};

/// A page of HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HtmlPage {
    /// The text of `<title>`.
    pub title: String,
    /// The text of the first `<h1>` of the content, else of the page.
    pub heading: Option<String>,
    /// `<meta name=description>`.
    pub description: Option<String>,
    /// `lang` of `<html>`.
    pub language: Option<String>,
    /// `<link rel=canonical>`.
    pub canonical: Option<String>,
    /// When it was published, as `<meta property=article:published_time>` or the first `<time datetime>` of the content says.
    pub published: Option<String>,
    /// Whether search engines are told to leave it out.
    pub noindex: bool,
    /// Where it sends its readers at once.
    pub redirect: Option<String>,
    /// Every `id`, and every `name` of an `<a>`.
    pub ids: HashSet<String>,
    /// The headings of the content that have an id: the id and the text.
    pub headings: Vec<(String, String)>,
}

/// Where the content of a page stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selector {
    name: Option<String>,
    id: Option<String>,
    class: Option<String>,
}

impl Selector {
    /// `main`, `#content`, `.post`, or a name with one of the others behind it: `div.post`. None for anything else.
    pub(crate) fn read(text: &str) -> Option<Selector> {
        let text = text.trim();
        let at = text.find(['#', '.']).unwrap_or(text.len());
        let (name, rest) = text.split_at(at);
        let is_word = |word: &str| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))
        };
        let (id, class) = match rest.split_at_checked(1) {
            Some(("#", id)) if is_word(id) => (Some(id.to_owned()), None),
            Some((".", class)) if is_word(class) => (None, Some(class.to_owned())),
            None | Some(("", _)) => (None, None),
            _ => return None,
        };
        let named = (!name.is_empty()).then(|| name.to_ascii_lowercase());
        if named.as_deref().is_some_and(|name| !is_word(name))
            || (named.is_none() && rest.is_empty())
        {
            return None;
        }
        Some(Selector {
            name: named,
            id,
            class,
        })
    }

    fn meets(&self, node: &Node) -> bool {
        let Some(name) = name_of(node) else {
            return false;
        };
        self.name.as_deref().is_none_or(|wanted| wanted == name)
            && self
                .id
                .as_deref()
                .is_none_or(|id| attribute(node, "id").as_deref() == Some(id))
            && self.class.as_deref().is_none_or(|class| {
                attribute(node, "class")
                    .is_some_and(|classes| classes.split_whitespace().any(|own| own == class))
            })
    }
}

/// Elements that say nothing of a page's own.
const AROUND: [&str; 11] = [
    "script", "style", "noscript", "template", "svg", "nav", "header", "footer", "aside", "form",
    "button",
];

/// Reads a page. `main` says where its content is, if it is known; else it is the first `<main>`, `<article>`, element with `role=main`, or the body.
pub(crate) fn read(html: &str, main: Option<&Selector>) -> HtmlPage {
    let Ok(document) = HtmlToMarkdown::new().html_to_tree(html) else {
        return HtmlPage::default();
    };
    let mut page = HtmlPage::default();
    let content = content_of(&document, main);
    walk(&document, &mut |node| facts(node, &mut page));
    walk(&content, &mut |node| {
        let Some(name) = name_of(node) else {
            return true;
        };
        if let [b'h', level @ b'1'..=b'6'] = name.as_bytes() {
            let text = heading_text(node);
            if *level == b'1' && page.heading.is_none() && !text.is_empty() {
                page.heading = Some(text.clone());
            }
            // The id may stand on the heading, on the wrapper, or on a link in front of the words.
            let mut id = attribute(node, "id");
            walk(node, &mut |inner| {
                id = id.take().or_else(|| attribute(inner, "id"));
                true
            });
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                page.headings.push((id, text));
            }
        }
        if name == "time" && page.published.is_none() {
            page.published = attribute(node, "datetime");
        }
        !matches!(name, "nav" | "footer" | "aside")
    });
    if page.heading.is_none() {
        walk(&document, &mut |node| {
            if name_of(node) == Some("h1") && page.heading.is_none() {
                page.heading = Some(heading_text(node)).filter(|text| !text.is_empty());
            }
            true
        });
    }
    page
}

/// The content of a page as markdown.
pub(crate) fn markdown(html: &str, main: Option<&Selector>) -> String {
    let options = Options {
        heading_style: HeadingStyle::Atx,
        br_style: BrStyle::Backslash,
        bullet_list_marker: BulletListMarker::Dash,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        ..Options::default()
    };
    let converter = HtmlToMarkdown::builder()
        .options(options)
        .skip_tags(AROUND.to_vec())
        .build();
    match converter.html_to_tree(html) {
        Ok(document) => converter.tree_to_markdown(&content_of(&document, main)),
        Err(_) => String::new(),
    }
}

fn content_of(document: &Rc<Node>, main: Option<&Selector>) -> Rc<Node> {
    let own = |meets: &dyn Fn(&Node) -> bool| first(document, meets);
    main.and_then(|selector| own(&|node| selector.meets(node)))
        .or_else(|| own(&|node| name_of(node) == Some("main")))
        .or_else(|| own(&|node| attribute(node, "role").as_deref() == Some("main")))
        .or_else(|| own(&|node| name_of(node) == Some("article")))
        .or_else(|| own(&|node| name_of(node) == Some("body")))
        .unwrap_or_else(|| document.clone())
}

fn first(node: &Rc<Node>, meets: &dyn Fn(&Node) -> bool) -> Option<Rc<Node>> {
    let mut waiting = vec![node.clone()];
    while let Some(node) = waiting.pop() {
        if meets(&node) {
            return Some(node);
        }
        waiting.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

/// Visits a node and all below it in the order of the text; not what is below a node for which `visit` says no.
fn walk(node: &Rc<Node>, visit: &mut dyn FnMut(&Rc<Node>) -> bool) {
    let mut waiting = vec![node.clone()];
    while let Some(node) = waiting.pop() {
        if visit(&node) {
            waiting.extend(node.children.borrow().iter().rev().cloned());
        }
    }
}

fn name_of(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|attr| &*attr.name.local == wanted)?;
    Some(found.value.to_string())
}

/// The text of a node on one line.
fn text_of(node: &Rc<Node>) -> String {
    let mut text = String::new();
    walk(node, &mut |node| {
        if let NodeData::Text { contents } = &node.data {
            text.push_str(&contents.borrow());
        }
        !matches!(name_of(node), Some("script" | "style" | "svg" | "button"))
    });
    one_line(&text).into_owned()
}

/// The text of a heading without the link to itself that many themes put in.
fn heading_text(node: &Rc<Node>) -> String {
    let mut text = String::new();
    walk(node, &mut |node| {
        if let NodeData::Text { contents } = &node.data {
            text.push_str(&contents.borrow());
        }
        let is_own_link = name_of(node) == Some("a")
            && attribute(node, "href").is_some_and(|href| href.starts_with('#'))
            && text_of(node).chars().count() <= 1;
        !is_own_link
            && attribute(node, "aria-hidden").as_deref() != Some("true")
            && !matches!(name_of(node), Some("script" | "style" | "svg" | "button"))
    });
    let text = text.replace('\u{200B}', "");
    one_line(text.trim_end_matches(['#', '¶', '§', ' '])).into_owned()
}

fn facts(node: &Rc<Node>, page: &mut HtmlPage) -> bool {
    let Some(name) = name_of(node) else {
        return true;
    };
    page.ids.extend(attribute(node, "id"));
    match name {
        "html" => page.language = attribute(node, "lang"),
        "title" if page.title.is_empty() => page.title = text_of(node),
        "a" => page.ids.extend(attribute(node, "name")),
        "link" if attribute(node, "rel").as_deref() == Some("canonical") => {
            page.canonical = attribute(node, "href");
        }
        "meta" => {
            let key = attribute(node, "name")
                .or_else(|| attribute(node, "property"))
                .or_else(|| attribute(node, "http-equiv"))
                .unwrap_or_default()
                .to_ascii_lowercase();
            let content = attribute(node, "content").unwrap_or_default();
            match key.as_str() {
                "description" if !content.trim().is_empty() => {
                    page.description = Some(one_line(&content).into_owned());
                }
                "article:published_time" => page.published = Some(content),
                "robots" => page.noindex |= content.to_ascii_lowercase().contains("noindex"),
                "refresh" => {
                    let lower = content.to_ascii_lowercase();
                    if let Some(at) = lower.find("url=") {
                        let url = content[at + 4..].trim_matches(['\'', '"', ' ']);
                        page.redirect = Some(url.to_owned());
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!doctype html><html lang=de><head><title>Tee &amp; Co | Laden</title><meta name=description content='Alles'>\
        <link rel=canonical href='https://x.dev/tee/'><meta name=robots content='noindex, follow'></head><body><header><h1>Laden</h1></header>\
        <nav><h2 id=menu>Menu</h2></nav><main><h1 id=tee>Tee<a class=anchor href='#tee'>#</a></h1><p>Heiß und <b>gut</b>.</p>\
        <h2><a id=milch></a>Milch</h2><pre><code class='language-sh'>brew tea\n</code></pre><script>x()</script></main><footer>F</footer></body></html>";

    #[test]
    fn a_page_says_what_it_is() {
        let page = read(PAGE, None);
        assert_eq!(page.title, "Tee & Co | Laden");
        assert_eq!(page.heading.as_deref(), Some("Tee"));
        assert_eq!(page.language.as_deref(), Some("de"));
        assert!(page.noindex && page.ids.contains("menu"));
        let headings: Vec<(&str, &str)> = page
            .headings
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(headings, [("tee", "Tee"), ("milch", "Milch")]);
        let redirect = read("<meta http-equiv=refresh content='0; url=/neu/'>", None);
        assert_eq!(redirect.redirect.as_deref(), Some("/neu/"));
    }

    #[test]
    fn the_content_is_markdown() {
        let found = markdown(PAGE, None);
        assert!(found.starts_with("# Tee"), "{found}");
        assert!(
            found.contains("Heiß und **gut**.") && found.contains("```sh\nbrew tea\n```"),
            "{found}"
        );
        assert!(!found.contains("Menu") && !found.contains("x()"), "{found}");
        let footer = Selector::read("footer").unwrap();
        assert_eq!(Selector::read("div.post > p"), None);
        assert_eq!(read(PAGE, Some(&footer)).headings, []);
    }
}
