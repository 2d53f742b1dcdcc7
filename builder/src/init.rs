//! Writes a settings file from what was found out about a site, for its owner to read and correct.
//!
//! What the generator's configuration says is written as a comment where the file leaves it to that configuration, so that a change there
//! still counts; what had to be guessed is written as a setting, with a word on what to check.

use std::fmt::Write as _;

use crate::generator::Kind;
use crate::site::Site;

/// A settings file, and what its owner should check in it, one sentence each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub text: String,
    pub check: Vec<String>,
}

/// Drafts the settings of a site that was read without any.
pub(crate) fn draft(site: &Site) -> Draft {
    let mut text = String::new();
    let mut check = Vec::new();
    let settings = &site.settings;
    let generator = site.generator;
    let is_known = generator != Kind::Plain;
    let said = match is_known {
        true => format!(
            "{}'s own configuration says what is commented out here",
            generator.title()
        ),
        false => "what is commented out here is the default".to_owned(),
    };
    let _ = writeln!(
        text,
        "# The settings of this site for Shelfmark. Every key is described in Shelfmark's documentation, \"Configuration\";\n# {said}.\n\n[site]"
    );
    line(
        &mut text,
        !is_known,
        "title",
        &quoted(&settings.site.title),
        "",
    );
    let has_url = settings.site.url != crate::config::SiteSettings::default().url;
    line(
        &mut text,
        !(is_known && has_url),
        "url",
        &quoted(&settings.site.url),
        if has_url {
            ""
        } else {
            "put the site's real address here"
        },
    );
    if !has_url {
        check.push(
            "`url`: no configuration names the site's address, and agents are given links with it"
                .to_owned(),
        );
    }
    match &settings.site.description {
        Some(description) => line(
            &mut text,
            !is_known,
            "description",
            &quoted(description),
            "",
        ),
        None => {
            line(
                &mut text,
                false,
                "description",
                "\"What the site is about, in a sentence.\"",
                "",
            );
            check.push("`description`: agents choose between servers by it".to_owned());
        }
    }
    line(
        &mut text,
        !is_known,
        "language",
        &quoted(&settings.site.language),
        "",
    );
    line(
        &mut text,
        is_known,
        "generator",
        &quoted(generator.name()),
        "",
    );
    line(
        &mut text,
        !is_known,
        "content",
        &quoted(&settings.site.content),
        "",
    );
    line(
        &mut text,
        !is_known,
        "trailing_slash",
        if settings.site.trailing_slash {
            "true"
        } else {
            "false"
        },
        "",
    );

    text.push_str("\n# What a search ranges over, and can be narrowed to. `posts` marks the one that `get_post` reads.\n");
    for (at, collection) in settings.collections.iter().enumerate() {
        let documents = site
            .pages
            .iter()
            .filter(|page| page.collection == Some(at))
            .count();
        let _ = writeln!(text, "\n[[collections]] # {documents} documents");
        line(&mut text, true, "name", &quoted(&collection.name), "");
        line(&mut text, true, "title", &quoted(&collection.title), "");
        match &collection.description {
            Some(description) => line(&mut text, true, "description", &quoted(description), ""),
            None => line(
                &mut text,
                false,
                "description",
                "\"What its documents are, in a sentence.\"",
                "",
            ),
        }
        line(&mut text, true, "path", &quoted(&collection.path), "");
        let why = match is_known {
            true => "only where the addresses are not the generator's",
            false => "",
        };
        line(
            &mut text,
            !is_known,
            "route",
            &quoted(&collection.route),
            why,
        );
        line(
            &mut text,
            true,
            "posts",
            if collection.posts { "true" } else { "false" },
            "",
        );
    }
    if settings.collections.is_empty() {
        text.push_str("# [[collections]]\n# name = \"notes\"\n");
    }
    check.push(
        "`[[collections]]`: names and descriptions, and which one holds the posts".to_owned(),
    );

    text.push_str("\n[tags]\n");
    let keys: Vec<String> = settings.tags.keys.iter().map(|key| quoted(key)).collect();
    line(
        &mut text,
        !is_known,
        "keys",
        &format!("[{}]", keys.join(", ")),
        "the front matter keys that hold tags",
    );
    line(
        &mut text,
        !is_known,
        "route",
        &quoted(&settings.tags.route),
        "",
    );
    text.push_str(
        "\n# Pages that only the built site has, such as a reference made by a tool.\n# [[html]]\n# path = \"public\"\n# include = [\"reference/**\"]\n",
    );
    if site.problems.errors() > 0 {
        check.push(format!(
            "{} errors in the content keep it from being built; `builder check` lists them",
            site.problems.errors()
        ));
    }
    if !site.unrendered.is_empty() {
        check.push(format!(
            "{} pieces of {}'s syntax could not be rendered; `builder build` lists them by kind",
            site.unrendered.len(),
            generator.title()
        ));
    }
    if is_known {
        check.push("the addresses: build the site with its generator, then `builder check --built` with its output folder".to_owned());
    }
    Draft { text, check }
}

fn line(text: &mut String, is_set: bool, key: &str, value: &str, why: &str) {
    let sign = if is_set { "" } else { "# " };
    let why = if why.is_empty() {
        String::new()
    } else {
        format!(" # {why}")
    };
    let _ = writeln!(text, "{sign}{key} = {value}{why}");
}

/// A text as TOML writes it on one line.
fn quoted(text: &str) -> String {
    toml::Value::String(artifact::clean::one_line(text).into_owned()).to_string()
}
