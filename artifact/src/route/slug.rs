//! Slugs of names and of tags.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A readable slug of any text: lower case, letters, numbers and underscores of every script, hyphens between. Never empty.
///
/// ```
/// use artifact::route::slugify;
/// assert_eq!(slugify("Don't Panic: a café!"), "dont-panic-a-café");
/// assert_eq!(slugify("日本語"), "日本語");
/// assert_eq!(slugify("?!"), "u3f-21");
/// ```
pub fn slugify(text: &str) -> String {
    let mut slug = Slug::default();
    for c in folded(text).chars() {
        slug.take(c);
    }
    slug.finish(text)
}

/// The slug of a tag. What tells two tags apart is spelled out rather than dropped: `C`, `C++` and `C#` are three tags.
///
/// ```
/// use artifact::route::tag_slug;
/// let slugs = ["C", "C++", "C#", ".NET", "node.js", "C/C++"].map(tag_slug);
/// assert_eq!(slugs, ["c", "cpp", "csharp", "dotnet", "node-js", "c-cpp"]);
/// ```
pub fn tag_slug(tag: &str) -> String {
    let text = folded(tag);
    let mut slug = Slug::default();
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        let glued = is_word(last); // `c#`, but not `#c`
        match c {
            '+' if glued && chars.peek() == Some(&'+') => {
                chars.next();
                slug.word("pp");
            }
            '+' => slug.spelled("plus"),
            '#' if glued => slug.word("sharp"),
            '.' if !glued && chars.peek().is_some_and(|next| is_word(*next)) => slug.word("dot"),
            '&' => slug.spelled("and"),
            '*' => slug.spelled("star"),
            '%' => slug.spelled("percent"),
            '@' if !glued => slug.spelled("at"),
            c => slug.take(c),
        }
        last = c;
    }
    slug.finish(tag)
}

fn folded(text: &str) -> String {
    text.nfc().flat_map(char::to_lowercase).nfc().collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c)
}

#[derive(Default)]
struct Slug {
    text: String,
    gap: bool,
}

impl Slug {
    fn take(&mut self, c: char) {
        if c.is_alphanumeric()
            || c == '_'
            || (is_combining_mark(c)
                && !matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}'))
        {
            self.word(c.encode_utf8(&mut [0; 4]));
        } else if !matches!(c, '\'' | '’' | '\u{200C}' | '\u{200D}') && !is_combining_mark(c) {
            self.gap = true;
        }
    }

    fn word(&mut self, text: &str) {
        if self.gap && !self.text.is_empty() {
            self.text.push('-');
        }
        self.gap = false;
        self.text.push_str(text);
    }

    fn spelled(&mut self, word: &str) {
        self.gap = true;
        self.word(word);
        self.gap = true;
    }

    /// Text without a letter or number is named by its code points, so that it stays distinct.
    fn finish(self, source: &str) -> String {
        if !self.text.is_empty() {
            return self.text;
        }
        let points: Vec<String> = source
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| format!("{:x}", u32::from(c)))
            .collect();
        format!("u{}", points.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_differ_in_a_sign_shared_a_slug() {
        for (tag, slug) in [
            ("C", "c"),
            ("C++", "cpp"),
            ("C++20", "cpp20"),
            ("C#", "csharp"),
            ("F#", "fsharp"),
            (".NET", "dotnet"),
            (".NET Core", "dotnet-core"),
            ("ASP.NET", "asp-net"),
            ("node.js", "node-js"),
            ("C/C++", "c-cpp"),
            ("Google+", "google-plus"),
            ("#hashtag", "hashtag"),
            ("Q&A", "q-and-a"),
            ("2024", "2024"),
            ("3.10", "3-10"),
            ("How I work", "how-i-work"),
            ("A*", "a-star"),
        ] {
            assert_eq!(tag_slug(tag), slug, "{tag}");
        }
    }

    #[test]
    fn an_ascii_slugger_emptied_other_scripts() {
        for (text, slug) in [
            ("日本語", "日本語"),
            ("café", "café"),
            ("cafe\u{301}", "café"),
            ("Привет мир", "привет-мир"),
            ("हिन्दी", "हिन्दी"),
        ] {
            assert_eq!(slugify(text), slug);
            assert_eq!(tag_slug(text), slug);
        }
    }

    #[test]
    fn a_slug_is_never_empty() {
        for text in ["", " ", "🎉", "---", "\u{FE0F}"] {
            assert!(!slugify(text).is_empty(), "{text:?}");
            assert!(!tag_slug(text).is_empty(), "{text:?}");
        }
        assert_ne!(tag_slug("🎉"), tag_slug("🎈"));
    }

    #[test]
    fn a_slug_has_no_hyphen_at_its_ends() {
        assert_eq!(slugify(" -- a --- b -- "), "a-b");
    }
}
