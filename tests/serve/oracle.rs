//! `search_content` against a count by hand, over sites made at random.
//!
//! Nothing here shares code with the index: what a word is, which forms are one word in which language, what a question looks for and
//! where it stands is said again in the plainest way. The made-up sites hold two languages with stems and one without, several
//! collections, tags, aliases, descriptions, identifiers, names with signs, and text without spaces. Each answer is compared in
//! `matched`, `matched_all`, the documents that are in it, and the `fields` of each.

#[path = "../support/site.rs"]
mod site;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use site::TestSite;

/// A small generator of numbers that look random (Marsaglia's xorshift): the same ones on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.roll(from.len())]
    }
}

/// Forms of one word behind its stem, each line a word.
const ENGLISH: &[(&str, &[&str])] = &[
    ("walk", &["walk", "walks", "walking", "walked"]),
    ("cach", &["cache", "caches", "cached", "caching"]),
    ("artifact", &["artifact", "artifacts"]),
    ("resum", &["résumé", "resume"]),
    ("naiv", &["naïve", "naive"]),
    (
        "configur",
        &["configuration", "configurations", "configure"],
    ),
    ("retri", &["retry", "retries", "retried"]),
    ("shelf", &["shelf"]),
    ("bottl", &["bottle", "bottles"]),
    ("garden", &["garden", "gardens", "gardening"]),
    ("tool", &["tool", "tools"]),
    ("user", &["user", "users"]),
];
const GERMAN: &[(&str, &[&str])] = &[
    ("haus", &["Haus", "Häuser", "Hauses"]),
    ("katz", &["Katze", "Katzen"]),
    ("wohnung", &["Wohnung", "Wohnungen"]),
    ("strass", &["Straße", "Straßen"]),
    ("gart", &["Gärten", "Garten"]),
    ("lauf", &["laufen", "laufe"]),
    // German pages hold English words, too, and make of them what they can.
    ("cach", &["cache", "caches"]),
    ("user", &["user", "users"]),
    ("walk", &["walk", "walks"]),
    ("gard", &["garden", "gardens"]),
    ("artifact", &["artifact", "artifacts"]),
    ("bottl", &["bottle", "bottles"]),
    ("tool", &["tool", "tools"]),
];
/// A language without stems: every form is a word of its own.
const POLISH: &[(&str, &[&str])] = &[
    ("", &["koty"]),
    ("", &["kotów"]),
    ("", &["ogród"]),
    ("", &["ogrody"]),
];
/// Words of any page: without a stem whatever the language.
const SHARED: &[&str] = &[
    "css",
    "API",
    "2024",
    "v2",
    "7",
    "db",
    "C++",
    "C#",
    ".NET",
    "node.js",
    "--dry-run",
    "@scope",
    "=>",
    "#12",
    "3.5.1",
];
/// The later ones are rarer.
const IDENTIFIERS: &[&str] = &[
    "getUser",
    "tool_call",
    "userCache",
    "check_tool_call",
    "walk_shelf",
    "HTTPUser",
    "retryTool",
    "artifact_cache",
    "toolGarden",
    "bottleWalk",
    "shelf_tool",
    "callUser",
];
const UNSPACED: &[&str] = &["检索系统", "系统检索", "全文検索", "认证", "系", "인증흐름"];
const TAGS: &[&str] = &["css", "Garden tools", "Häuser", "walking", "认证"];
/// Words that only say how something is put, as far as the questions here have them.
const ENGLISH_FUNCTION_WORDS: &[&str] = &["how", "do", "I", "the", "of"];
const GERMAN_FUNCTION_WORDS: &[&str] = &["wie", "kann", "ich", "die"];

/// What a word is in the index: two tokens are the same word when they share one.
type Key = String;

/// One token of a question or of a text: what it is as a whole, in each language asked for, and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    wholes: Vec<Key>,
    parts: Vec<Vec<Key>>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Identifier,
    Named,
    Unspaced,
}

fn folded(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .map(|c| match c {
            'é' => 'e',
            'ï' => 'i',
            'ä' => 'a',
            'ö' | 'ó' => 'o',
            'ü' => 'u',
            other => other,
        })
        .collect()
}

/// The key of a plain word on a page of a language, on a site of the first of `languages`. Stems belong to their language, but for those of
/// the site's own: these are shared with the words of languages that have no stems.
fn word_key(text: &str, language: &str, site: &str) -> Key {
    let folded = folded(text);
    let is_stemmed = folded.chars().count() > 3 && folded.chars().all(char::is_alphabetic);
    if !is_stemmed || language == "pl" {
        return folded;
    }
    let words = if language == "en" { ENGLISH } else { GERMAN };
    let same = |word: &&(&str, &[&str])| word.1.iter().any(|form| self::folded(form) == folded);
    let stem = words.iter().find(same).map_or(&*folded, |word| word.0);
    if language == site {
        stem.to_owned()
    } else {
        format!("{stem} in {language}")
    }
}

/// The parts of `getUser`, `tool_call`, `HTTPUser`; of a plain word itself.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let letters: Vec<char> = text.chars().collect();
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(place + 1);
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if *letter == '_' || begins {
            parts.push(String::new());
        }
        if *letter != '_' {
            parts.last_mut().unwrap().push(*letter);
        }
    }
    parts
}

/// Reads one piece between spaces in some languages, on a site of a language.
fn read(piece: &str, languages: &[&str], site: &str) -> Token {
    let each = |text: &str| {
        let mut keys: Vec<Key> = languages
            .iter()
            .map(|language| word_key(text, language, site))
            .collect();
        let mut seen = BTreeSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        keys
    };
    let named = |parts: &[&str]| Token {
        wholes: vec![piece.to_lowercase()],
        parts: parts.iter().map(|part| each(part)).collect(),
        kind: Kind::Named,
    };
    match piece {
        "C++" | "C#" | "=>" => return named(&[]),
        ".NET" => return named(&["net"]),
        "node.js" => return named(&["node", "js"]),
        "--dry-run" => return named(&["dry", "run"]),
        "@scope" => return named(&["scope"]),
        "#12" => return named(&["12"]),
        "3.5.1" => return named(&["3", "5", "1"]),
        _ => {}
    }
    if !piece.is_ascii() && folded(piece).chars().any(|c| u32::from(c) > 0x3000) {
        let letters: Vec<char> = piece.chars().collect();
        let pairs: Vec<Vec<Key>> = match letters.as_slice() {
            [one] => vec![vec![one.to_string()]],
            more => more
                .windows(2)
                .map(|two| vec![two.iter().collect()])
                .collect(),
        };
        return Token {
            wholes: Vec::new(),
            parts: pairs,
            kind: Kind::Unspaced,
        };
    }
    let parts = parts(piece);
    if parts.len() > 1 {
        return Token {
            wholes: vec![folded(piece)],
            parts: parts.iter().map(|part| each(part)).collect(),
            kind: Kind::Identifier,
        };
    }
    Token {
        wholes: each(piece),
        parts: Vec::new(),
        kind: Kind::Word,
    }
}

const FIELDS: [&str; 5] = ["title", "description", "aliases", "tags", "body"];

/// A document as it was written, and the keys in each of its fields.
struct Document {
    route: String,
    collection: &'static str,
    tags: Vec<&'static str>,
    keys: BTreeMap<&'static str, BTreeSet<Key>>,
}

impl Document {
    fn has(&self, key: &Key, within: &[&str]) -> Vec<&'static str> {
        let fields = FIELDS.into_iter().filter(|field| within.contains(field));
        fields
            .filter(|field| self.keys[field].contains(key))
            .collect()
    }

    /// The fields in which any of the keys stands.
    fn has_any(&self, keys: &[Key], within: &[&str]) -> BTreeSet<&'static str> {
        keys.iter().flat_map(|key| self.has(key, within)).collect()
    }

    /// The fields in which all parts stand, or where they stand at all when they do so only together; `None` when one is missing.
    fn has_all(&self, parts: &[Vec<Key>], within: &[&str]) -> Option<BTreeSet<&'static str>> {
        let fields: Vec<BTreeSet<&str>> = parts
            .iter()
            .map(|part| self.has_any(part, within))
            .collect();
        if fields.iter().any(BTreeSet::is_empty) || fields.is_empty() {
            return None;
        }
        let common = fields
            .iter()
            .skip(1)
            .fold(fields[0].clone(), |all, fields| &all & fields);
        Some(if common.is_empty() {
            fields.into_iter().flatten().collect()
        } else {
            common
        })
    }
}

/// Every key of a text as it is indexed.
fn keys(text: &str, language: &str, site: &str) -> BTreeSet<Key> {
    let tokens = text
        .split_whitespace()
        .map(|piece| read(piece, &[language], site));
    tokens
        .flat_map(|token| {
            token
                .wholes
                .into_iter()
                .chain(token.parts.into_iter().flatten())
        })
        .collect()
}

/// The words of published markdown: marks, targets of links and fences are not among them.
fn words_of(markdown: &str) -> String {
    let lines = markdown.lines().filter(|line| !line.starts_with("```"));
    let mut words = String::new();
    for piece in lines.flat_map(str::split_whitespace) {
        let piece = match piece.strip_prefix('[') {
            Some(link) => link.split("](").next().unwrap(),
            None => piece,
        };
        let piece = piece
            .trim_matches(['*', '`'])
            .trim_end_matches(['.', ',', ';']);
        if !matches!(piece, "##" | "###" | "-" | ">" | "|" | "") {
            words.push_str(piece);
            words.push(' ');
        }
    }
    words
}

struct Library {
    site: TestSite,
    documents: Vec<Document>,
    languages: Vec<&'static str>,
}

impl Library {
    /// A site made at random, in a language.
    fn new(dice: &mut Dice, language: &'static str) -> Self {
        let config = format!(
            "[site]\ntitle = \"T\"\nurl = \"https://t.example\"\nlanguage = \"{language}\"\n\
             [[collections]]\nname = \"posts\"\n[[collections]]\nname = \"terms\"\n\
             [[collections]]\nname = \"secret\"\nhidden = true\n"
        );
        let mut files: Vec<(String, String)> = vec![("shelfmark.toml".into(), config)];
        let mut documents = Vec::new();
        for number in 0..90 {
            let collection = if dice.roll(3) == 0 { "terms" } else { "posts" };
            let lang = ["en", "en", "en", "de", "de", "pl"][dice.roll(6)];
            let path = format!("{collection}/d{number}");
            let title = words(dice, lang, 1, 3).join(" ");
            let description = words(dice, lang, 0, 3).join(" ");
            let aliases: Vec<String> = (0..dice.roll(3))
                .map(|_| words(dice, lang, 1, 2).join(" "))
                .collect();
            let mut tags: Vec<&'static str> = Vec::new();
            for _ in 0..dice.roll(3) {
                let tag = dice.pick(TAGS);
                if !tags.contains(&tag) {
                    tags.push(tag);
                }
            }
            let front = json!({"title": title, "description": description, "aliases": aliases, "tags": tags,
                               "lang": lang, "author": "artifact Katze", "unknown": "shelf"});
            let hidden = number % 15 == 14;
            let draft = if hidden { "draft: true\n" } else { "" };
            let front: String = front
                .as_object()
                .unwrap()
                .iter()
                .map(|(key, value)| format!("{key}: {value}\n"))
                .collect();
            files.push((
                format!("{path}.md"),
                format!("---\n{front}{draft}---\n{}", body(dice, lang)),
            ));
            if !hidden {
                let mut keys_of: BTreeMap<&'static str, BTreeSet<Key>> = BTreeMap::new();
                keys_of.insert("title", keys(&title, lang, language));
                keys_of.insert("description", keys(&description, lang, language));
                keys_of.insert("aliases", keys(&aliases.join(" "), lang, language));
                let slugs = tags.iter().map(|tag| slug(tag).replace('-', " "));
                let tag_text: Vec<String> = tags
                    .iter()
                    .map(|tag| (*tag).to_owned())
                    .chain(slugs)
                    .collect();
                keys_of.insert("tags", keys(&tag_text.join(" "), lang, language));
                documents.push((
                    lang,
                    Document {
                        route: format!("/{path}"),
                        collection,
                        tags,
                        keys: keys_of,
                    },
                ));
            }
        }
        files.push((
            "secret/x.md".into(),
            "---\ntitle: shelf\n---\nshelf getUser\n".into(),
        ));
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (&**path, &**text))
            .collect();
        let site = TestSite::new(&files);
        // The body is read as it is published.
        let documents: Vec<Document> = documents
            .into_iter()
            .map(|(lang, mut document)| {
                let page = site.call(
                    "get_page_markdown",
                    &json!({"route": document.route}).to_string(),
                );
                document
                    .keys
                    .insert("body", keys(&words_of(page.text()), lang, language));
                document
            })
            .collect();
        let mut languages = vec![language];
        languages.extend(
            ["de", "en", "pl"]
                .into_iter()
                .filter(|other| *other != language),
        );
        Self {
            site,
            documents,
            languages,
        }
    }
}

fn slug(tag: &str) -> String {
    tag.to_lowercase().replace(' ', "-")
}

/// Words for a page of a language.
fn words(dice: &mut Dice, language: &str, least: usize, most: usize) -> Vec<&'static str> {
    let own = match language {
        "en" => ENGLISH,
        "de" => GERMAN,
        _ => POLISH,
    };
    (0..least + dice.roll(most - least + 1))
        .map(|_| match dice.roll(12) {
            0..=6 => {
                let forms = dice_word(dice, own);
                dice.pick(forms)
            }
            7 | 8 => dice.pick(SHARED),
            9 => IDENTIFIERS[dice.roll(12).min(dice.roll(12))],
            10 => dice.pick(UNSPACED),
            _ => dice.pick(&["how", "do", "die"]),
        })
        .collect()
}

/// Some words are frequent and some are rare.
fn dice_word(dice: &mut Dice, own: &'static [(&str, &[&'static str])]) -> &'static [&'static str] {
    let place = dice.roll(own.len()).min(dice.roll(own.len()));
    own[place].1
}

/// A page's text: headings, paragraphs, emphasis, links, lists, quotations, tables, code, and what is not published.
fn body(dice: &mut Dice, language: &str) -> String {
    let mut text = String::new();
    for _ in 0..1 + dice.roll(4) {
        let line = words(dice, language, 1, 5).join(" ");
        let other = words(dice, language, 1, 2).join(" ");
        let word = words(dice, language, 1, 1)[0];
        text.push_str(&match dice.roll(8) {
            0 => format!("## {line}\n\n{other}\n\n"),
            1 => format!("- {line}\n- {other}\n\n"),
            2 => format!("> {line}\n\n"),
            3 => format!("```\n{line}\n```\n\n"),
            4 => format!("{line} *css* [Katzenklo](/posts/getUser) {other}.\n\n"),
            5 => format!("{line}\n{other}\n\n<!-- {line} hidden shelf -->\n\n"),
            6 => format!("`{word}` {other},\n\n"),
            _ => format!("{line}\n\n"),
        });
    }
    text
}

/// A question and what is expected of it, word by word.
struct Question {
    text: String,
    words: Vec<(Token, bool)>,
}

impl Question {
    fn new(dice: &mut Dice, languages: &[&str]) -> Self {
        let mut pieces: Vec<&str> = Vec::new();
        for _ in 0..1 + dice.roll(4) {
            let language = ["en", "en", "de", "pl"][dice.roll(4)];
            pieces.extend(words(dice, language, 1, 1));
        }
        pieces.retain(|piece| !matches!(*piece, "how" | "do" | "die"));
        if pieces.is_empty() {
            pieces.push("shelf");
        }
        let (opening, function_words): (&str, &[&str]) = match dice.roll(4) {
            0 => ("how do I", ENGLISH_FUNCTION_WORDS),
            1 => ("wie kann ich die", GERMAN_FUNCTION_WORDS),
            _ => ("", &[]),
        };
        // Quotation marks never change what is found, but that one word in them is not replaced by others.
        let quoted = dice.roll(4) == 0;
        let alone = quoted && pieces.len() == 1;
        let asked = if quoted {
            format!("\"{}\"", pieces.join(" "))
        } else {
            pieces.join(" ")
        };
        let opening_words = opening
            .split_whitespace()
            .filter(|word| !function_words.contains(word));
        let mut words: Vec<(Token, bool)> = Vec::new();
        for piece in opening_words.chain(pieces.iter().copied()) {
            let token = read(piece, languages, languages[0]);
            let same = |other: &&mut (Token, bool)| {
                let shared = token.wholes.iter().any(|key| other.0.wholes.contains(key));
                other.0.parts == token.parts && (shared || other.0.wholes == token.wholes)
            };
            match words.iter_mut().find(same) {
                Some(known) => known.0.wholes.extend(token.wholes),
                None => words.push((token, alone)),
            }
        }
        Self {
            text: format!("{opening} {asked}").trim().to_owned(),
            words,
        }
    }
}

/// How many documents an identifier stands in below which its parts are asked for as well.
const FEW: usize = 8;

/// What a question's word stands for on the whole site, whatever is filtered later.
enum Meaning {
    /// Any of the keys.
    Any(Vec<Key>),
    /// All of the parts.
    All(Vec<Vec<Key>>),
    /// Any of the keys, or all of the parts.
    Either(Vec<Key>, Vec<Vec<Key>>),
}

impl Library {
    /// What a word stands for; `None` when other words would be looked for in its place.
    fn meaning(&self, (token, quoted): &(Token, bool)) -> Option<Meaning> {
        let count = |holds: &dyn Fn(&Document) -> bool| {
            self.documents
                .iter()
                .filter(|document| holds(document))
                .count()
        };
        let any = |keys: &[Key]| count(&|document| !document.has_any(keys, &FIELDS).is_empty());
        let all = count(&|document| document.has_all(&token.parts, &FIELDS).is_some());
        let flat: Vec<Key> = token.parts.iter().flatten().cloned().collect();
        if token.kind == Kind::Unspaced {
            return Some(if all > 0 {
                Meaning::All(token.parts.clone())
            } else {
                Meaning::Any(flat)
            });
        }
        let whole = any(&token.wholes);
        if whole > 0 {
            let keys = token.wholes.clone();
            let widened = token.kind == Kind::Identifier && !quoted && whole < FEW && all > whole;
            return Some(if widened {
                Meaning::Either(keys, token.parts.clone())
            } else {
                Meaning::Any(keys)
            });
        }
        if *quoted {
            return Some(Meaning::Any(Vec::new()));
        }
        (any(&flat) > 0).then_some(Meaning::Any(flat))
    }

    /// Asks, counts and compares. Gives how many documents were expected.
    fn check(
        &self,
        question: &Question,
        meanings: &[Meaning],
        within: &str,
        collection: Option<&str>,
        tag: Option<&str>,
    ) -> usize {
        let fields: Vec<&str> = match within {
            "all" => FIELDS.to_vec(),
            one => vec![one],
        };
        let mut expected: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut every = 0;
        for document in &self.documents {
            let passes = collection.is_none_or(|collection| document.collection == collection)
                && tag.is_none_or(|tag| document.tags.iter().any(|other| slug(other) == tag));
            if !passes {
                continue;
            }
            let stands: Vec<BTreeSet<&str>> = meanings
                .iter()
                .map(|meaning| match meaning {
                    Meaning::Any(keys) => document.has_any(keys, &fields),
                    Meaning::All(parts) => document.has_all(parts, &fields).unwrap_or_default(),
                    Meaning::Either(keys, parts) => {
                        let whole = document.has_any(keys, &fields);
                        let apart = || document.has_all(parts, &fields).unwrap_or_default();
                        if whole.is_empty() { apart() } else { whole }
                    }
                })
                .collect();
            if stands.iter().any(|fields| !fields.is_empty()) {
                every += usize::from(stands.iter().all(|fields| !fields.is_empty()));
                expected.insert(&document.route, stands.into_iter().flatten().collect());
            }
        }
        let mut arguments = json!({"match": {"text": question.text, "in": within}, "limit": 25});
        if let Some(collection) = collection {
            arguments["collection"] = collection.into();
        }
        if let Some(tag) = tag {
            arguments["tag"] = tag.into();
        }
        let answer = self.site.json("search_content", &arguments.to_string());
        let results = answer["results"].as_array().unwrap();
        let mut routes = BTreeSet::new();
        for result in results {
            let route = result["route"].as_str().unwrap();
            assert!(routes.insert(route), "{route} twice: {arguments}");
            let wanted = expected.get(route);
            let wanted = wanted.unwrap_or_else(|| panic!("{result} is found: {arguments}"));
            let fields: BTreeSet<&str> = result["fields"]
                .as_array()
                .unwrap()
                .iter()
                .map(|field| field.as_str().unwrap())
                .collect();
            assert_eq!(&fields, wanted, "{route}: {arguments}");
        }
        assert_eq!(answer["matched"], expected.len(), "{arguments}");
        let told = (meanings.len() > 1).then_some(every);
        assert_eq!(
            answer.get("matched_all").and_then(Value::as_u64),
            told.map(|every| every as u64),
            "{arguments}"
        );
        assert_eq!(results.len(), expected.len().min(25), "{arguments}");
        expected.len()
    }
}

#[test]
fn what_is_found_is_what_a_count_by_hand_gives() {
    for (seed, language) in [(0x5eed_1234_5678_9abc, "en"), (0xdead_beef_cafe_f00d, "de")] {
        let mut dice = Dice(seed);
        let library = Library::new(&mut dice, language);
        let (mut asked, mut some, mut whole, mut many, mut skipped) = (0, 0, 0, 0, 0);
        for _ in 0..300 {
            let question = Question::new(&mut dice, &library.languages);
            let meanings: Option<Vec<Meaning>> = question
                .words
                .iter()
                .map(|word| library.meaning(word))
                .collect();
            let Some(meanings) = meanings else {
                skipped += 1;
                continue;
            };
            for within in FIELDS.into_iter().chain(["all"]) {
                let collection = [None, Some("posts"), Some("terms")][dice.roll(3)];
                let tag = (dice.roll(3) == 0).then(|| slug(dice.pick(TAGS)));
                for (collection, tag) in [(None, None), (collection, tag.as_deref())] {
                    let found = library.check(&question, &meanings, within, collection, tag);
                    asked += 1;
                    some += usize::from(found > 0);
                    whole += usize::from((1..=25).contains(&found));
                    many += usize::from(found > 25);
                }
            }
        }
        // The dice made questions of every kind.
        assert!(
            asked > 3000 && some > 1500 && whole > 1000 && many > 100 && skipped < 30,
            "{asked} asked, {some} found something, {whole} all of it, {many} more than is shown, {skipped} skipped"
        );
    }
}
