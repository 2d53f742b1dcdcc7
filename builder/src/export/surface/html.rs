//! The page as one HTML file: no script, nothing loaded from elsewhere, light and dark, from the phone up.

use std::fmt::Write as _;

use super::markdown::{TITLE, summary};
use super::{Page, Row, Shown};

const STYLE: &str = include_str!("style.css");

pub(super) fn write(page: &Page) -> String {
    let mut out = String::with_capacity(64 * 1024);
    let about = escaped(&summary(page));
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{TITLE} · {}</title>\n<meta name=\"description\" content=\"{about}\">\n<link rel=\"canonical\" href=\"{}\">\n\
         <link rel=\"alternate\" type=\"text/markdown\" href=\"{}\">\n",
        escaped(&page.site),
        escaped(&page.url),
        escaped(&page.markdown)
    );
    if let Some(llms) = &page.llms {
        let _ = writeln!(out, "<link rel=\"describedby\" href=\"{}\">", escaped(llms));
    }
    let _ = write!(
        out,
        "<style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#tools\">To the tools</a>\n<div class=\"page\">\n<header>\n\
         <h1>{TITLE}</h1>\n<p>{about}</p>\n"
    );
    if let Some(endpoint) = &page.endpoint {
        let _ = writeln!(
            out,
            "<p>The server is at <code>{}</code></p>",
            escaped(endpoint)
        );
    }
    let _ = write!(
        out,
        "<p class=\"soft\">Made from the catalogue that clients are given by <code>tools/list</code>. The calls were made when the site was built; long \
         answers are shortened. The same as <a href=\"{}\">markdown</a> and as <a href=\"{}\">JSON</a>.</p>\n</header>\n<div class=\"columns\">\n",
        escaped(&page.markdown),
        escaped(&page.json)
    );
    navigation(&mut out, page);
    out.push_str("<main id=\"tools\">\n");
    page.tools.iter().for_each(|tool| section(&mut out, tool));
    let _ = write!(
        out,
        "</main>\n</div>\n<footer><a href=\"{}\">{}</a></footer>\n</div>\n</body>\n</html>\n",
        escaped(&page.home),
        escaped(&page.site)
    );
    out
}

fn navigation(out: &mut String, page: &Page) {
    out.push_str("<nav aria-label=\"Tools\">\n");
    let mut categories: Vec<&str> = Vec::new();
    for tool in &page.tools {
        if !categories.contains(&tool.category.as_str()) {
            categories.push(&tool.category);
        }
    }
    for category in categories {
        let _ = write!(out, "<h2>{}</h2>\n<ul>\n", escaped(category));
        for tool in page.tools.iter().filter(|tool| tool.category == category) {
            let name = escaped(&tool.name);
            let _ = writeln!(out, "<li><a href=\"#{name}\">{name}</a></li>");
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</nav>\n");
}

fn section(out: &mut String, tool: &Shown) {
    let name = escaped(&tool.name);
    let _ = write!(
        out,
        "<section class=\"tool\" id=\"{name}\" aria-labelledby=\"{name}-name\">\n<h2 id=\"{name}-name\"><a href=\"#{name}\">{name}</a></h2>\n\
         <p class=\"soft\">{}</p>\n<ul class=\"hints\">",
        escaped(&tool.title)
    );
    for (place, hint) in tool.hints.iter().enumerate() {
        let class = match (place, tool.writes) {
            (0, true) => " class=\"write\"",
            (0, false) => " class=\"read\"",
            _ => "",
        };
        let _ = write!(out, "<li{class}>{hint}</li>");
    }
    let _ = write!(out, "</ul>\n<p>{}</p>\n", escaped(&tool.description));
    if tool.arguments.is_empty() {
        out.push_str("<p class=\"soft\">Takes no arguments.</p>\n");
    } else {
        out.push_str("<h3>Arguments</h3>\n");
        rows(out, &tool.arguments);
    }
    if !tool.answer.is_empty() {
        let _ = write!(
            out,
            "<details>\n<summary>Answer: {} members</summary>\n",
            tool.answer.len()
        );
        rows(out, &tool.answer);
        out.push_str("</details>\n");
    }
    for note in &tool.notes {
        let _ = writeln!(out, "<p>{}</p>", escaped(note));
    }
    for shot in &tool.examples {
        let what = escaped(&shot.what);
        let _ = writeln!(out, "<h3>Example: {what}</h3>");
        code(out, "Call", &what, &shot.call);
        for answer in &shot.answers {
            code(out, "Answer", &what, answer);
        }
    }
    if !tool.see_also.is_empty() {
        out.push_str("<h3>See also</h3>\n<ul>\n");
        for (other, what) in &tool.see_also {
            let other = escaped(other);
            let _ = writeln!(
                out,
                "<li><a href=\"#{other}\"><code>{other}</code></a> {}</li>",
                escaped(what)
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

fn rows(out: &mut String, rows: &[Row]) {
    out.push_str("<dl>\n");
    for row in rows {
        let _ = write!(
            out,
            "<dt><code>{}</code> <span class=\"soft\">{}, {}</span></dt>\n<dd>{}</dd>\n",
            escaped(&row.name),
            escaped(&row.kind),
            if row.required { "required" } else { "optional" },
            escaped(&row.description)
        );
    }
    out.push_str("</dl>\n");
}

/// A block that scrolls, so that the keyboard has to reach it.
fn code(out: &mut String, which: &str, what: &str, text: &str) {
    let _ = writeln!(
        out,
        "<p class=\"which\">{which}</p>\n<pre tabindex=\"0\" role=\"group\" aria-label=\"{which}: {what}\"><code>{}</code></pre>",
        escaped(text)
    );
}

/// Text as HTML, in elements and attributes alike.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_of_a_site_cannot_become_markup() {
        assert_eq!(escaped("<b a='x\">&"), "&lt;b a=&#39;x&quot;&gt;&amp;");
    }
}
