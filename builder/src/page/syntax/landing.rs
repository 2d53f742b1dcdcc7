//! Landing pages of VitePress, whose text stands in their front matter.
//!
//! `hero: {name: Tea, text: Hot}` and `features: [{title: Fast}]` are `# Tea`, `Hot` and `- **Fast**`. (VitePress 1.6: "Home page".)

use crate::front_matter::value::find;
use crate::front_matter::{Entry, Value};
use crate::generator::settings::{self, entries, items};

/// The text of a landing page, which stands in its front matter.
pub(crate) fn home(map: &[Entry]) -> String {
    let mut out = String::new();
    let mut push = |block: String| {
        if !block.trim().is_empty() {
            out.push_str(block.trim_end());
            out.push_str("\n\n");
        }
    };
    let hero = find(map, "hero")
        .map(|entry| entries(&entry.node))
        .unwrap_or_default();
    let text = |key: &str| settings::text(hero, key).unwrap_or_default();
    if !text("name").is_empty() {
        push(format!("# {}", text("name")));
    }
    for key in ["text", "tagline"] {
        push(text(key));
    }
    let link = |map: &[Entry], words: &str| {
        let link = settings::text(map, "link")?;
        let words = settings::text(map, words).unwrap_or_else(|| "Learn more".into());
        Some(format!("[{words}]({link})"))
    };
    let actions = find(hero, "actions")
        .map(|entry| items(&entry.node))
        .unwrap_or_default();
    let links: Vec<String> = actions
        .iter()
        .filter_map(|action| Some(format!("- {}", link(entries(action), "text")?)))
        .collect();
    push(links.join("\n"));
    let features = find(map, "features").map(|entry| &entry.node);
    let mut listed = Vec::new();
    for feature in features.map(items).unwrap_or_default() {
        let Value::Map(feature) = &feature.value else {
            continue;
        };
        let title = settings::text(feature, "title").map(|title| format!("**{title}**"));
        let details = settings::text(feature, "details");
        let more = settings::text(feature, "linkText").and_then(|_| link(feature, "linkText"));
        let words: Vec<String> = [details, more].into_iter().flatten().collect();
        let line = match (title, words.join(" ")) {
            (Some(title), words) if words.is_empty() => title,
            (Some(title), words) => format!("{title}: {words}"),
            (None, words) => words,
        };
        if !line.is_empty() {
            listed.push(format!("- {}", line.replace('\n', " ")));
        }
    }
    push(listed.join("\n"));
    out
}
