//! Components that documentation sites share, and what their readers see of them.
//!
//! | component | becomes |
//! |---|---|
//! | `Tabs`, `Steps`, `CardGrid` and other wrappers | their content |
//! | `TabItem`, `Tab`, `Card`, `Step`, a named slot of tabs | its label in bold, and the content |
//! | `Aside`, `Admonition`, `Callout`, `Note`, … | a quotation that begins with its label in bold |
//! | `LinkCard`, `LinkButton`, `Button`, `Link` | a link |
//! | `Details`, `Accordion` | its title in bold, and the content |
//! | `Code`, `CodeBlock` | a code block |
//! | `Image`, `Figure`, `ThemedImage`; `Video`, `YouTube` | an image; a link |
//! | `Badge`, `Kbd`, `Since` | their text |
//! | `Icon`, `TOC` and other ornaments | nothing |
//!
//! Any other keeps what stands in it and is counted as not rendered.

use super::directives::admonition;
use super::html::{Renderer, bold};
use super::inline::{code_span, linked};
use super::out::Out;
use super::tags::{Form, Said};
use super::tree::{Element, Node};
use crate::config::names::prettified;
use crate::front_matter::value::{Entry, Node as Given, Value, find};

/// What becomes of a component.
enum Part {
    Wrapper,
    Tabs,
    Label(&'static [&'static str]),
    Aside,
    Details,
    LinkCard,
    LinkWords,
    Link,
    Code,
    Image,
    Video,
    Text(&'static [&'static str]),
    Key,
    Since,
    Listing,
    Gone,
}

fn part(name: &str) -> Option<Part> {
    Some(match name {
        "" | "Fragment" | "React.Fragment" | "Steps" | "CardGrid" | "CardGroup" | "Cards"
        | "Columns" | "Column" | "Col" | "Row" | "Grid" | "Container" | "FileTree" | "Box"
        | "Checklist" | "MultipleChoice" | "PreCheck" | "ReadMore" | "ListCard" | "SplitCard"
        | "Lede" | "ClientOnly" | "BrowserOnly" | "Frame" | "Center" | "TranslatedContent"
        | "Wrapper" | "Section" | "LinkCards" | "Suspense" | "noscript" | "Details.Content" => {
            Part::Wrapper
        }
        "Tabs" | "TabGroup" | "CodeGroup" | "CodeTabs" | "Tabs.Root" | "TabList" => Part::Tabs,
        name if name.ends_with("Tabs") => Part::Tabs,
        "TabItem" | "Tab" | "Tabs.Tab" | "Tabs.Item" | "TabPanel" | "CodeGroupItem" => {
            Part::Label(&["label", "title", "name", "header", "value"])
        }
        "Card" | "Step" | "Panel" | "ContentCard" | "Feature" => {
            Part::Label(&["title", "label", "heading"])
        }
        "Option" => Part::Wrapper,
        "Aside" | "Admonition" | "Callout" | "Alert" | "Note" | "Tip" | "Info" | "Hint"
        | "Warning" | "Warn" | "Caution" | "Danger" | "Important" | "Success" | "Error" => {
            Part::Aside
        }
        "Details" | "Accordion" | "AccordionItem" | "Collapsible" | "Collapse" | "Expandable"
        | "Spoiler" | "Dropdown" | "ToggleContent" => Part::Details,
        "LinkCard" | "DocCard" | "CardLink" => Part::LinkCard,
        "LinkButton" | "Button" | "ButtonLink" => Part::LinkWords,
        "Link" | "NavLink" | "A" | "Anchor" | "RouterLink" | "NuxtLink" | "ExternalLink" => {
            Part::Link
        }
        "Code" | "CodeBlock" | "Codeblock" | "Snippet" => Part::Code,
        "Image" | "Img" | "Picture" | "Figure" | "ThemedImage" | "ImageZoom" | "Zoom" => {
            Part::Image
        }
        "Video" | "YouTube" | "Youtube" | "YouTubeVideo" | "LiteYouTube" | "LiteYouTubeEmbed"
        | "Vimeo" | "Iframe" | "LoopingVideo" => Part::Video,
        "Badge" | "Tag" | "Label" | "Pill" | "Chip" => Part::Text(&["text", "label", "title"]),
        "Trans" | "Translate" | "Highlight" | "Mark" | "Tooltip" | "Term" | "Abbr" | "Small"
        | "Text" => Part::Text(&[]),
        "Kbd" | "Key" => Part::Key,
        "Since" => Part::Since,
        "Listing" => Part::Listing,
        "Icon" | "Head" | "TOC" | "Toc" | "TOCInline" | "TableOfContents" | "Script" | "Style"
        | "Spacer" | "Separator" | "DontEditWarning" | "Giscus" | "Comments"
        | "CompletionConfetti" => Part::Gone,
        _ => return None,
    })
}

/// The values of tabs that name their items elsewhere: value and label, or labels in order.
#[derive(Debug, Default)]
pub(super) struct Labels {
    named: Vec<(String, String)>,
    ordered: Vec<String>,
    next: usize,
    /// Whether slots are items.
    slots: bool,
}

impl Renderer<'_> {
    /// An element that is none of HTML.
    pub(super) fn unknown(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let name = element.tag.name.as_str();
        let is_component = name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_uppercase())
            || name.contains('.');
        let known = match is_component {
            true => part(name),
            false => None,
        };
        if !element.closed {
            let is_ours = known.is_some()
                || (element.tag.form == Form::Close && (is_component || self.mdx()));
            if !is_ours {
                // `Vec<T>`, `<name>`: text that looks like a tag.
                let text = self
                    .source
                    .text
                    .get(element.tag.range.clone())
                    .unwrap_or_default();
                out.words(text, self.line(element));
            }
            return;
        }
        let line = self.line(element);
        match known {
            Some(part) => self.component(element, part, out, one_line),
            None if !is_component && !self.mdx() => {
                if element.tag.form == Form::Empty {
                    let text = self
                        .source
                        .text
                        .get(element.tag.range.clone())
                        .unwrap_or_default();
                    out.words(text, line);
                } else {
                    self.plainly(element, out, one_line);
                }
            }
            None => {
                if !name.contains('-') {
                    self.log.unrendered(line, format!("component `<{name}>`"));
                }
                // Vue and others write components of HTML's elements with a capital.
                let titled = self.label(element, &["title", "label"]).is_some();
                if titled && self.address(element).is_some() {
                    self.link_card(element, out, one_line);
                } else if titled && !one_line && self.is_on_own_lines(element) {
                    self.labelled(element, &["title", "label"], out, one_line);
                } else {
                    self.plainly(element, out, one_line);
                }
            }
        }
    }

    /// What stands in an element, as a block when it is one.
    fn plainly(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        if element.children.is_empty() {
            self.gone(element, out, one_line);
        } else if !one_line && (self.is_on_own_lines(element) || self.has_blocks(&element.children))
        {
            self.wrapper(element, out, one_line);
        } else {
            self.render(&element.children, out, one_line);
        }
    }

    fn component(&mut self, element: &Element, part: Part, out: &mut Out, one_line: bool) {
        let line = self.line(element);
        match part {
            Part::Gone => self.gone(element, out, one_line),
            Part::Wrapper => {
                let slot = self.value(element, "slot").filter(|slot| slot != "default");
                let in_tabs = self.tabs.last().is_some_and(|tabs| tabs.slots);
                match slot.filter(|_| in_tabs && !one_line) {
                    Some(slot) => self.under_label(element, &slot_label(&slot), out),
                    None => self.plainly(element, out, one_line),
                }
            }
            Part::Tabs => {
                let labels = self.labels(element);
                self.tabs.push(labels);
                self.wrapper(element, out, one_line);
                self.tabs.pop();
            }
            Part::Label(names) => self.labelled(element, names, out, one_line),
            Part::Aside if one_line => self.flat(element, out),
            Part::Aside => {
                let kind = match element.tag.name.as_str() {
                    "Aside" | "Admonition" | "Callout" | "Alert" => self
                        .label(element, &["type", "kind", "variant", "intent", "status"])
                        .unwrap_or_else(|| "note".into()),
                    name => name.to_owned(),
                };
                let title = self.label(element, &["title", "heading", "label"]);
                let body = self.body(element);
                let quote = admonition(&kind, title.as_deref(), &body, line);
                out.block(&quote, &self.lead(element));
            }
            Part::Details if one_line => self.flat(element, out),
            Part::Details => {
                let title = self.label(
                    element,
                    &["summary", "title", "label", "header", "question"],
                );
                self.details(element, title, out);
            }
            Part::LinkCard => self.link_card(element, out, one_line),
            Part::LinkWords | Part::Link => {
                let text = self.label(element, &["text", "label", "title"]);
                match (self.address(element), text) {
                    (Some(address), Some(text)) if element.children.is_empty() => {
                        out.words(&linked(&text, &address), line);
                    }
                    _ => self.link(element, out, one_line),
                }
            }
            Part::Code => self.code_component(element, out, one_line),
            Part::Image => self.picture(element, out, one_line),
            Part::Video => self.video(element, out, one_line),
            Part::Text(names) => match self
                .label(element, names)
                .filter(|_| element.children.is_empty())
            {
                Some(text) => out.words(&text, line),
                None => self.plainly(element, out, one_line),
            },
            Part::Key => self.code(element, out, one_line),
            Part::Since => {
                let package = self.value(element, "pkg").unwrap_or_else(|| "astro".into());
                if let Some(version) = self.value(element, "v") {
                    let text = format!(
                        "**Added in:** {}",
                        code_span(&format!("{package}@{version}"))
                    );
                    out.words(&text, line);
                }
            }
            Part::Listing => self.listing(element, out, one_line),
        }
    }

    /// The first of some attributes that says something.
    fn label(&self, element: &Element, names: &[&str]) -> Option<String> {
        names
            .iter()
            .filter_map(|name| self.value(element, name))
            .map(|text| super::html::spaced(text.trim()))
            .find(|text| !text.is_empty())
    }

    fn labels(&self, element: &Element) -> Labels {
        let mut labels = Labels {
            slots: element.tag.name != "Tabs" || !element.children.iter().any(is_item),
            ..Labels::default()
        };
        for name in ["values", "items", "tabs"] {
            let Some(Said::Code(code)) = element.tag.said(name) else {
                continue;
            };
            let Some(Given {
                value: Value::List(items),
                ..
            }) = self.values.and_then(|it| it.node(code))
            else {
                continue;
            };
            for item in &items {
                match &item.value {
                    Value::Map(map) => {
                        let text =
                            |map: &[Entry], key| Some(find(map, key)?.node.text()?.to_owned());
                        if let (Some(value), Some(label)) = (text(map, "value"), text(map, "label"))
                        {
                            labels.named.push((value, label));
                        }
                    }
                    _ => labels.ordered.extend(item.text().map(str::to_owned)),
                }
            }
        }
        labels
    }

    fn labelled(&mut self, element: &Element, names: &[&str], out: &mut Out, one_line: bool) {
        let mut label = self.label(element, names);
        if names.contains(&"value") {
            let value = self.value(element, "value");
            let said = ["label", "title"]
                .iter()
                .any(|name| element.tag.said(name).is_some());
            if let Some(tabs) = self.tabs.last_mut() {
                let named = tabs
                    .named
                    .iter()
                    .find(|(own, _)| Some(own) == value.as_ref());
                match named {
                    Some((_, name)) if !said => label = Some(name.clone()),
                    _ if label.is_none() => {
                        label = tabs.ordered.get(tabs.next).cloned();
                        tabs.next += 1;
                    }
                    _ => {}
                }
            }
        }
        if one_line {
            if let Some(label) = label {
                out.words(&bold(&label), self.line(element));
            }
            self.flat(element, out);
            return;
        }
        let label = label.unwrap_or_default();
        let label = match self.address(element) {
            Some(address) if !label.is_empty() => linked(&label, &address),
            _ => label,
        };
        self.under_label(element, &label, out);
    }

    fn under_label(&mut self, element: &Element, label: &str, out: &mut Out) {
        if !label.trim().is_empty() {
            self.text_block(element, &bold(label), out);
        }
        let body = self.body(element);
        out.block(&body, &self.lead(element));
    }

    fn link_card(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let title = self.label(element, &["title", "label", "text", "heading"]);
        let (Some(title), Some(address)) = (title, self.address(element)) else {
            self.plainly(element, out, one_line);
            return;
        };
        let mut text = linked(&title, &address);
        if let Some(description) = self.label(element, &["description", "subtitle"]) {
            text.push_str(": ");
            text.push_str(&description);
        }
        if one_line {
            out.words(&text, self.line(element));
            self.flat(element, out);
            return;
        }
        self.text_block(element, &text, out);
        let body = self.body(element);
        out.block(&body, &self.lead(element));
    }

    fn code_component(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let own = self.value(element, "code");
        let is_fenced = |text: &str| text.contains("```") || text.contains("~~~");
        let inside = element.inside(self.source.text);
        let holds_fence = self.source.text.get(inside).is_some_and(is_fenced);
        if own.is_none() && (holds_fence || one_line || element.children.is_empty()) {
            if element.children.is_empty() {
                self.log.unrendered(
                    self.line(element),
                    format!("component `<{}>`", element.tag.name),
                );
            }
            self.plainly(element, out, one_line);
            return;
        }
        let is_short =
            !element.tag.name.contains("Block") && own.is_none() && !self.is_on_own_lines(element);
        if is_short {
            self.code(element, out, one_line);
            return;
        }
        let text = own.unwrap_or_else(|| self.plain(&element.children));
        let language = self
            .label(element, &["lang", "language"])
            .unwrap_or_default();
        if let Some(title) = self.label(element, &["title", "filename"]) {
            self.text_block(element, &bold(&title), out);
        }
        self.fence(element, text.trim_matches('\n').trim_end(), &language, out);
    }

    fn picture(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let caption = self.label(element, &["caption"]);
        let mut shown = true;
        if element.tag.said("src").is_some() {
            self.image(element, out);
        } else if let Some(Said::Code(code)) = element.tag.said("sources") {
            let address = ["light", "dark"]
                .iter()
                .find_map(|name| self.values?.text(&format!("({code}).{name}")));
            let alt = self.value(element, "alt").unwrap_or_default();
            match address {
                Some(address) => {
                    out.words(&format!("!{}", linked(&alt, &address)), self.line(element))
                }
                None => out.words(&alt, self.line(element)),
            }
        } else {
            shown = false;
        }
        if let Some(caption) = caption.filter(|_| !one_line) {
            self.text_block(element, &caption, out);
        }
        if !shown || !element.children.is_empty() {
            self.plainly(element, out, one_line);
        }
    }

    fn video(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        let id = self.label(
            element,
            &["id", "videoId", "youTubeId", "youtubeId", "video-id"],
        );
        let address = match id {
            Some(id) if id.contains("://") => Some(id),
            Some(id) if element.tag.name.to_ascii_lowercase().contains("youtube") => {
                Some(format!("https://www.youtube.com/watch?v={id}"))
            }
            _ => None,
        };
        match address {
            Some(address) => {
                let title = self.label(element, &["title", "label", "alt"]);
                let link = linked(title.as_deref().unwrap_or(&address), &address);
                match !one_line && self.is_on_own_lines(element) {
                    true => self.text_block(element, &link, out),
                    false => out.words(&link, self.line(element)),
                }
            }
            None => self.media(element, out, one_line),
        }
    }

    /// A numbered example of a book: the file's name, the code, its number and what it shows.
    fn listing(&mut self, element: &Element, out: &mut Out, one_line: bool) {
        if let Some(name) = self.value(element, "file-name") {
            self.text_block(element, &format!("Filename: {name}"), out);
        }
        self.wrapper(element, out, one_line);
        let number = self.value(element, "number");
        let caption = self.value(element, "caption");
        let text = match (number, caption) {
            (Some(number), Some(caption)) => format!("Listing {number}: {caption}"),
            (Some(number), None) => format!("Listing {number}"),
            (None, Some(caption)) => caption,
            (None, None) => return,
        };
        self.text_block(element, &text, out);
    }
}

fn is_item(node: &Node) -> bool {
    matches!(node, Node::Element(element) if element.tag.name.starts_with("Tab"))
}

/// How a slot is called: package managers by their own names.
fn slot_label(slot: &str) -> String {
    match slot {
        "npm" | "pnpm" | "yarn" | "bun" | "deno" => slot.to_owned(),
        slot => prettified(slot),
    }
}
