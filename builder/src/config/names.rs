//! Names made from names: what a folder or file is called when nobody says.

/// Whether a text can name a collection in a tool call.
pub(crate) fn is_name(text: &str) -> bool {
    let good = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=48).contains(&text.len()) && text.bytes().all(good)
}

/// Whether a text can name a server in an MCP registry: a domain in reverse, `/` and a name, 3 to 200 characters.
pub(crate) fn is_registry_name(text: &str) -> bool {
    let good = |part: &str, more: &[char]| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || more.contains(&c))
    };
    text.len() <= 200
        && text
            .split_once('/')
            .is_some_and(|(domain, name)| good(domain, &['.', '-']) && good(name, &['.', '-', '_']))
}

/// The nearest text that can name a collection.
pub(crate) fn name_of(text: &str) -> String {
    let slug = artifact::route::slugify(text);
    let name: String = slug
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '-'
            }
        })
        .collect();
    let name: String = name.trim_matches('-').chars().take(48).collect();
    if name.is_empty() {
        "documents".into()
    } else {
        name
    }
}

/// A title for people from a file's or folder's name: `getting-started_now` is `Getting started now`.
///
/// Numbers and dates in front that only sort files are left off: `01-intro` is `Intro`.
pub fn prettified(name: &str) -> String {
    let rest =
        name.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '.'));
    let sorted =
        rest.len() < name.len() && name[..name.len() - rest.len()].ends_with(['-', '_', '.']);
    let name = if sorted && !rest.trim().is_empty() {
        rest
    } else {
        name
    };
    let words: Vec<&str> = name
        .split(|c: char| c == '-' || c == '_' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect();
    let text = words.join(" ");
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => name.to_owned(),
    }
}

/// A word with a large letter in front and small ones behind.
pub(crate) fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    first + &chars.as_str().to_lowercase()
}

/// The pattern that gives the documents of a folder the routes of their files.
pub(crate) fn natural_route(path: &str) -> String {
    match path.trim_matches('/') {
        "" | "." => "/{path}".into(),
        path => format!("/{}/{{path}}", path.replace(['{', '}'], "-")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_titles() {
        for (name, title) in [
            ("getting-started_now", "Getting started now"),
            ("01-intro", "Intro"),
            ("2024-05-01-launch", "Launch"),
            ("2024", "2024"),
            ("404", "404"),
            ("3d-printing", "3d printing"),
            ("éclair", "Éclair"),
            ("-", "-"),
        ] {
            assert_eq!(prettified(name), title, "{name}");
        }
    }

    #[test]
    fn folders_become_collection_names() {
        for (folder, name) in [
            ("writing", "writing"),
            ("_posts", "_posts"),
            ("My Notes", "my-notes"),
            ("日本", "documents"),
        ] {
            assert_eq!(name_of(folder), name);
            assert!(is_name(name));
        }
    }
}
