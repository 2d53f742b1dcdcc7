//! Anchors of headings, by the rule of the site's generator.
//!
//! Most generators name headings as GitHub does: lower case, only letters, marks, decimal digits, connectors (`_`), hyphens and
//! spaces are kept, each space becomes a hyphen, and a name that is taken gets `-1`, `-2`, … Inline markup is not part of it: pass
//! the plain text of the heading. [`Anchors`] lists the others.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// How headings are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchors {
    /// As GitHub does: Docusaurus, Starlight.
    #[default]
    GitHub,
    /// As mdBook does: letters, digits, `_` and `-` are kept, white space becomes hyphens, only ASCII is lower-cased.
    MdBook,
    /// As VitePress does: accents go, each run of white space and signs is a hyphen, a digit in front gets `_`, and the second of a name is
    /// `name-1` (`@mdit-vue/shared`, `slugify`).
    VitePress,
    /// As Hugo does, from text in which dashes are already one character: as GitHub, without marks and connectors other than `_`; a heading without a kept character is `heading`.
    Hugo,
    /// As Hugo does with `autoHeadingIDType = 'github-ascii'`: accents are taken off letters, and other scripts are dropped.
    HugoAscii,
    /// As Hugo does with `autoHeadingIDType = 'blackfriday'`: every run of other characters is one hyphen, none at either end.
    Blackfriday,
    /// As Zola does: a slug in ASCII. The text that is given is that slug.
    Zola,
    /// As Zola does with `slugify.anchors = "safe"`. The text that is given is the name.
    ZolaSafe,
    /// As Zola does with `slugify.anchors = "off"`: the heading as it is.
    ZolaOff,
    /// As kramdown does with GitHub's syntax, which is Jekyll's default: GitHub's names, and a name is counted whether or not the result is taken.
    KramdownGfm,
    /// As kramdown does with its own syntax: ASCII only, from the first letter on.
    Kramdown,
    /// As Python-Markdown does, which is MkDocs' default: accents and all that is not ASCII go, and a name that is taken gets `_1`, `_2`, …
    PythonMarkdown,
    /// The same with letters of all scripts: its `slugify_unicode`.
    PythonMarkdownUnicode,
    /// As Eleventy's `IdAttributePlugin` does: ASCII letters and digits with hyphens between, and a name that is taken gets `-2`, `-3`, …
    Eleventy,
    /// As `markdown-it-anchor` does by itself: lower case, white space becomes hyphens, all else is percent-encoded.
    MarkdownItAnchor,
    /// As `pymdownx.slugs.slugify` does in lower case: letters of all scripts, and each space a hyphen.
    Pymdownx,
}

/// Gives the headings of one page their anchors, in order.
///
/// ```
/// let mut slugger = artifact::route::Slugger::new();
/// assert_eq!(slugger.slug("foo & bar"), "foo--bar");
/// assert_eq!(slugger.slug("C"), "c");
/// assert_eq!(slugger.slug("C++"), "c-1");
/// ```
#[derive(Debug, Default)]
pub struct Slugger {
    anchors: Anchors,
    taken: HashMap<String, usize>,
}

impl Slugger {
    /// A slugger for a new page.
    pub fn new() -> Self {
        Self::default()
    }

    /// A slugger for a new page of a generator.
    pub fn of(anchors: Anchors) -> Self {
        Self {
            anchors,
            ..Self::default()
        }
    }

    /// The anchor of the next heading. A heading without a single kept character is called `section`, or as the generator does.
    pub fn slug(&mut self, heading_text: &str) -> String {
        let base = match self.anchors {
            Anchors::GitHub | Anchors::KramdownGfm => heading_text
                .to_lowercase()
                .chars()
                .filter(|c| is_kept(*c))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect(),
            Anchors::MdBook => heading_text
                .trim()
                .chars()
                .filter_map(|c| {
                    if c.is_alphanumeric() || matches!(c, '_' | '-') {
                        Some(c.to_ascii_lowercase())
                    } else {
                        c.is_whitespace().then_some('-')
                    }
                })
                .collect(),
            Anchors::VitePress => vitepress(heading_text),
            Anchors::Hugo => heading_text.trim().chars().filter_map(hugo_char).collect(),
            Anchors::HugoAscii => heading_text
                .trim()
                .nfd()
                .filter(char::is_ascii)
                .filter_map(hugo_char)
                .collect(),
            Anchors::Blackfriday => runs(heading_text),
            Anchors::Zola | Anchors::ZolaSafe | Anchors::ZolaOff => heading_text.to_owned(),
            Anchors::Kramdown => heading_text
                .trim_start_matches(|c: char| !c.is_ascii_alphabetic())
                .chars()
                .filter(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-'))
                .map(|c| {
                    if c == ' ' {
                        '-'
                    } else {
                        c.to_ascii_lowercase()
                    }
                })
                .collect(),
            Anchors::PythonMarkdown => python_markdown(heading_text.nfkd().filter(char::is_ascii)),
            Anchors::PythonMarkdownUnicode => python_markdown(heading_text.chars()),
            Anchors::Eleventy => sindresorhus(heading_text),
            Anchors::MarkdownItAnchor => {
                let words: Vec<&str> = heading_text.split_whitespace().collect();
                percent_encoded(&words.join("-").to_lowercase())
            }
            Anchors::Pymdownx => heading_text
                .nfc()
                .collect::<String>()
                .trim()
                .to_lowercase()
                .chars()
                .filter(|c| is_word(*c) || matches!(c, '-' | ' '))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect(),
        };
        match self.anchors {
            Anchors::Eleventy => {
                let count = self.taken.entry(base.clone()).or_insert(0);
                *count += 1;
                match *count {
                    1 => base,
                    count => format!("{base}-{count}"),
                }
            }
            Anchors::Kramdown | Anchors::KramdownGfm => self.counted(named(base)),
            Anchors::PythonMarkdown | Anchors::PythonMarkdownUnicode | Anchors::Pymdownx => {
                self.counted_on(base)
            }
            Anchors::Hugo | Anchors::HugoAscii | Anchors::Blackfriday if base.is_empty() => {
                self.counted_past_taken("heading".into())
            }
            _ => self.counted_past_taken(named(base)),
        }
    }

    /// `-1`, `-2`, … until a name is free.
    fn counted_past_taken(&mut self, base: String) -> String {
        let mut slug = base.clone();
        while self.taken.contains_key(&slug) {
            let count = self.taken.entry(base.clone()).or_insert(0);
            *count += 1;
            slug = format!("{base}-{count}");
        }
        self.taken.insert(slug.clone(), 0);
        slug
    }

    /// `-1`, `-2`, … by how often a name was given.
    fn counted(&mut self, base: String) -> String {
        match self.taken.get_mut(&base) {
            Some(count) => {
                *count += 1;
                format!("{base}-{count}")
            }
            None => {
                self.taken.insert(base.clone(), 0);
                base
            }
        }
    }

    /// `_1`, `_2`, … until a name is free; a name that ends in such a number is counted on from it.
    fn counted_on(&mut self, base: String) -> String {
        let (stem, mut count) = match base.rsplit_once('_') {
            Some((stem, digits))
                if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
            {
                (stem.to_owned(), digits.parse().unwrap_or(0_u64))
            }
            _ => (base.clone(), 0),
        };
        let mut slug = base;
        while slug.is_empty() || self.taken.contains_key(&slug) {
            count = count.saturating_add(1);
            slug = format!("{stem}_{count}");
        }
        self.taken.insert(slug.clone(), 0);
        slug
    }
}

fn named(base: String) -> String {
    if base.is_empty() {
        "section".into()
    } else {
        base
    }
}

/// What `@sindresorhus/slugify` makes of a text: `A & B's` is `a-and-bs`.
fn sindresorhus(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.to_lowercase().chars() {
        match SPELLED.iter().find(|(letter, _)| *letter == c) {
            Some((_, spelled)) => plain.push_str(spelled),
            None => plain.extend(std::iter::once(c).nfd().filter(|c| !is_combining_mark(*c))),
        }
    }
    let mut slug = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c.is_ascii_alphanumeric() {
            slug.push(c);
            continue;
        }
        // `It's` is `its`.
        let ends_word = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
        let contracted = c == '\'' && rest.starts_with(['t', 's']) && ends_word(&rest[1..]);
        if !contracted && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Letters that are spelled out rather than left without their marks.
const SPELLED: &[(char, &str)] = &[
    ('&', " and "),
    ('ß', "ss"),
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('æ', "ae"),
    ('œ', ""),
    ('ø', "o"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('а', "a"),
    ('б', "b"),
    ('в', "v"),
    ('г', "g"),
    ('д', "d"),
    ('е', "e"),
    ('ё', "yo"),
    ('ж', "zh"),
    ('з', "z"),
    ('и', "i"),
    ('й', "y"),
    ('к', "k"),
    ('л', "l"),
    ('м', "m"),
    ('н', "n"),
    ('о', "o"),
    ('п', "p"),
    ('р', "r"),
    ('с', "s"),
    ('т', "t"),
    ('у', "u"),
    ('ф', "f"),
    ('х', "kh"),
    ('ц', "ts"),
    ('ч', "ch"),
    ('ш', "sh"),
    ('щ', "sch"),
    ('ъ', ""),
    ('ы', "y"),
    ('ь', ""),
    ('э', "e"),
    ('ю', "yu"),
    ('я', "ya"),
];

/// What JavaScript's `encodeURIComponent` makes of a text.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Words in lower case; runs of spaces and hyphens become one hyphen.
fn python_markdown(text: impl Iterator<Item = char>) -> String {
    let kept: String = text
        .filter(|c| is_word(*c) || c.is_whitespace() || *c == '-')
        .collect();
    let kept = kept.trim().to_lowercase();
    let mut slug = String::with_capacity(kept.len());
    for c in kept.chars() {
        if !(c == '-' || c.is_whitespace()) {
            slug.push(c);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug
}

/// What Python takes for part of a word: letters and numbers of all scripts and `_`, but no marks.
fn is_word(c: char) -> bool {
    (c.is_alphanumeric() && !is_combining_mark(c)) || c == '_'
}

/// The signs that VitePress makes hyphens of, beside white space.
const SIGNS: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/";

fn vitepress(heading_text: &str) -> String {
    let mut slug = String::with_capacity(heading_text.len());
    for c in heading_text.nfkd() {
        if matches!(c, '\u{300}'..='\u{36F}') || c < ' ' {
            continue;
        }
        if c.is_whitespace() || SIGNS.contains(c) {
            if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        } else {
            if slug.is_empty() && c.is_ascii_digit() {
                slug.push('_');
            }
            slug.push(c);
        }
    }
    slug.trim_end_matches('-').to_lowercase()
}

/// A character as Hugo has it in an anchor, if at all.
fn hugo_char(c: char) -> Option<char> {
    match c {
        '-' | ' ' => Some('-'),
        '_' => Some('_'),
        c if c.is_alphabetic() || (c.is_numeric() && !is_other_number(c)) => {
            c.to_lowercase().next()
        }
        _ => None,
    }
}

/// Letters and digits in lower case, with one hyphen for each run of anything else between them.
fn runs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push('-');
            }
            gap = false;
            out.extend(c.to_lowercase());
        } else {
            gap = true;
        }
    }
    out
}

fn is_kept(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    }
    c.is_alphabetic()
        || is_combining_mark(c)
        || (c.is_numeric() && !is_other_number(c))
        || matches!(
            c,
            '\u{203F}' | '\u{2040}' | '\u{2054}' | '\u{FE33}' | '\u{FE34}' | '\u{FE4D}'
                ..='\u{FE4F}' | '\u{FF3F}'
        )
}

/// Numbers that are no decimal digits: superscripts, fractions, circled ones. GitHub drops them.
fn is_other_number(c: char) -> bool {
    matches!(c,
        '\u{B2}' | '\u{B3}' | '\u{B9}' | '\u{BC}'..='\u{BE}' | '\u{2070}'..='\u{2079}' | '\u{2080}'..='\u{2089}' | '\u{2150}'..='\u{215F}'
        | '\u{2189}' | '\u{2460}'..='\u{249B}' | '\u{24EA}'..='\u{24FF}' | '\u{2776}'..='\u{2793}' | '\u{3192}'..='\u{3195}'
        | '\u{3220}'..='\u{3229}' | '\u{3248}'..='\u{324F}' | '\u{3251}'..='\u{325F}' | '\u{3280}'..='\u{3289}' | '\u{32B1}'..='\u{32BF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headings: &[&str], anchors: &[&str]) {
        let mut slugger = Slugger::new();
        let found: Vec<String> = headings
            .iter()
            .map(|heading| slugger.slug(heading))
            .collect();
        assert_eq!(found, anchors);
    }

    #[test]
    fn a_second_heading_of_one_name_was_flagged() {
        check(
            &["Heading", "Heading", "Heading"],
            &["heading", "heading-1", "heading-2"],
        );
    }

    #[test]
    fn counting_avoids_a_name_that_is_taken() {
        check(
            &["foo", "foo 1", "foo", "foo"],
            &["foo", "foo-1", "foo-2", "foo-3"],
        );
        check(&["foo", "foo", "foo 1"], &["foo", "foo-1", "foo-1-1"]);
    }

    #[test]
    fn kramdown_counts_names_and_not_results() {
        let check = |anchors: Anchors, headings: &[&str], expected: &[&str]| {
            let mut slugger = Slugger::of(anchors);
            let found: Vec<String> = headings.iter().map(|it| slugger.slug(it)).collect();
            assert_eq!(found, expected);
        };
        check(
            Anchors::KramdownGfm,
            &["Foo & Bar", "foo", "foo", "Größe", "1. Tea"],
            &["foo--bar", "foo", "foo-1", "größe", "1-tea"],
        );
        check(
            Anchors::Kramdown,
            &["1. Tea & Milk", "Tea  Milk", "日本", "日本"],
            &["tea--milk", "tea--milk-1", "section", "section-1"],
        );
    }

    #[test]
    fn plugins_of_eleventy_name_headings_in_two_ways() {
        let check = |anchors: Anchors, headings: &[&str], expected: &[&str]| {
            let mut slugger = Slugger::of(anchors);
            let found: Vec<String> = headings.iter().map(|it| slugger.slug(it)).collect();
            assert_eq!(found, expected);
        };
        check(
            Anchors::Eleventy,
            &["A & B", "What's new?", "Größe", "a and b", "C++", "C"],
            &["a-and-b", "whats-new", "groesse", "a-and-b-2", "c", "c-2"],
        );
        check(
            Anchors::MarkdownItAnchor,
            &["A & B", "What's new?", "A & B"],
            &["a-%26-b", "what's-new%3F", "a-%26-b-1"],
        );
    }

    #[test]
    fn python_markdown_counts_with_an_underscore() {
        let check = |anchors: Anchors, headings: &[&str], expected: &[&str]| {
            let mut slugger = Slugger::of(anchors);
            let found: Vec<String> = headings.iter().map(|it| slugger.slug(it)).collect();
            assert_eq!(found, expected);
        };
        check(
            Anchors::PythonMarkdown,
            &[
                "Foo & Bar",
                "foo",
                "foo",
                "foo",
                "Größe",
                "日本",
                "日本",
                "a_1",
                "a_1",
                "my_fn - x",
            ],
            &[
                "foo-bar", "foo", "foo_1", "foo_2", "groe", "_1", "_2", "a_1", "a_2", "my_fn-x",
            ],
        );
        check(
            Anchors::PythonMarkdownUnicode,
            &["Größe  & x", "日本"],
            &["größe-x", "日本"],
        );
        check(
            Anchors::Pymdownx,
            &["Größe & x", "C++", "C"],
            &["größe--x", "c", "c_1"],
        );
    }

    #[test]
    fn underscores_stay_and_signs_go() {
        check(
            &["my_function reference", "foo & bar", "What's new?"],
            &["my_function-reference", "foo--bar", "whats-new"],
        );
    }

    #[test]
    fn c_and_cpp_were_one_anchor() {
        check(&["C", "C++", "C#"], &["c", "c-1", "c-2"]);
    }

    #[test]
    fn other_scripts_stay() {
        check(
            &["Привет, мир", "検索の使い方", "Größe x²"],
            &["привет-мир", "検索の使い方", "größe-x"],
        );
    }

    #[test]
    fn hugo_names_headings_in_three_ways() {
        let headings = ["Héllo `x_y` & Größe", "???", "a  b – c", "a  b – c", "?"];
        let check = |anchors, expected: &[&str]| {
            let mut slugger = Slugger::of(anchors);
            let found: Vec<String> = headings.iter().map(|text| slugger.slug(text)).collect();
            assert_eq!(found, expected, "{anchors:?}");
        };
        check(
            Anchors::Hugo,
            &[
                "héllo-x_y--größe",
                "heading",
                "a--b--c",
                "a--b--c-1",
                "heading-1",
            ],
        );
        check(
            Anchors::HugoAscii,
            &[
                "hello-x_y--groe",
                "heading",
                "a--b--c",
                "a--b--c-1",
                "heading-1",
            ],
        );
        check(
            Anchors::Blackfriday,
            &[
                "héllo-x-y-größe",
                "heading",
                "a-b-c",
                "a-b-c-1",
                "heading-1",
            ],
        );
    }

    #[test]
    fn a_heading_of_signs_has_an_anchor() {
        check(&["🎉", "?"], &["section", "section-1"]);
    }

    #[test]
    fn vitepress_makes_hyphens_of_signs_and_keeps_no_accents() {
        let mut slugger = Slugger::of(Anchors::VitePress);
        let mut check = |heading: &str, anchor: &str| {
            assert_eq!(slugger.slug(heading), anchor, "{heading}");
        };
        check("Foo & Bar_baz", "foo-bar-baz");
        check("foo bar baz", "foo-bar-baz-1");
        check("Foo, bar: baz!", "foo-bar-baz-2");
        check("2. Größe", "_2-große");
        check("Crème “brûlée”", "creme-brulee");
        check("検索の使い方", "検索の使い方");
        check("--config <file>", "config-file");
    }
}
