//! Words that serve for each other: who asks for a picture is answered by a page that says image.
//!
//! The table for English documentation is `table.txt` beside this file; a site adds its own lines in its configuration. A line is one of
//!
//! ```text
//! k8s = kubernetes          the same thing written differently: each serves for the other
//! crash > panic, abort      who asks for the first is also served by the others, not the other way round
//! log in > login            what is asked for may be several words; what serves is always one
//! ```
//!
//! Words are compared by their stems, so one form of each is enough. A table is *compiled* into lines of `key TAB targets`, sorted by key, in which a
//! lookup is a binary search: nothing is built when a program starts. `english.tsv` is `table.txt` compiled; a test
//! compares them.

use super::{Analyzer, Language, Shape, tokens};

/// The table for English documentation, compiled.
const ENGLISH: &str = include_str!("english.tsv");

/// A bit for each key of the table, in one of 8,192 places by its [`hash`]: most of what is asked is in no table, and this says so at once.
static ENGLISH_KEYS: [u64; 128] = {
    let table = ENGLISH.as_bytes();
    let mut keys = [0; 128];
    let mut at = 0;
    while at < table.len() {
        let mut key = EMPTY;
        while table[at] != b'\t' {
            key = hash(key, table[at]);
            at += 1;
        }
        keys[key as usize / 64 % 128] |= 1 << (key % 64);
        while at < table.len() && table[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    keys
};

/// The hash of no bytes.
const EMPTY: u32 = 0x811c_9dc5;

/// The hash of bytes, one after another (FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>).
const fn hash(before: u32, byte: u8) -> u32 {
    (before ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// More words than this are not looked up together.
pub const LONGEST_KEY: usize = 3;

/// How a synonym is related to the word asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// The same thing, written differently.
    Same,
    /// Another thing that is often meant.
    Related,
}

/// The synonyms of one site.
#[derive(Clone, Copy, Debug, Default)]
pub struct Synonyms<'a> {
    tables: [&'a str; 2],
}

impl<'a> Synonyms<'a> {
    /// The table for the language, where there is one and it is `wanted`, and the site's own compiled lines.
    pub fn new(language: &str, wanted: bool, own: &'a str) -> Self {
        let is_english = Language::of(language) == Language::ENGLISH;
        let table = if is_english && wanted { ENGLISH } else { "" };
        Self {
            tables: [own, table],
        }
    }

    /// Whether some table may have the words as a key, with a space between.
    pub fn may_have<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> bool {
        let [own, table] = self.tables;
        if !own.is_empty() {
            return true;
        }
        let mut key = EMPTY;
        for (place, word) in words.into_iter().enumerate() {
            let space = if place > 0 { " " } else { "" };
            key = space.bytes().chain(word.bytes()).fold(key, hash);
        }
        !table.is_empty() && ENGLISH_KEYS[key as usize / 64 % 128] >> (key % 64) & 1 == 1
    }

    /// The terms that serve for `key`, which is a term, or several with a space between; the site's own first.
    pub fn of(&self, key: &str) -> impl Iterator<Item = (&'a str, Relation)> + use<'a> {
        let [own, table] = self.tables.map(|table| targets(table, key));
        own.split_ascii_whitespace()
            .chain(table.split_ascii_whitespace())
            .filter_map(|target| {
                let relation = match target.as_bytes().first()? {
                    b'=' => Relation::Same,
                    _ => Relation::Related,
                };
                Some((&target[1..], relation))
            })
    }
}

/// The targets behind a key in a compiled table; empty when it has none.
fn targets<'t>(table: &'t str, key: &str) -> &'t str {
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let middle = low + (high - low) / 2;
        // The byte before a line is a line feed, so cutting there is on a character boundary.
        let start = table.as_bytes()[low..middle]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(low, |at| low + at + 1);
        let line = &table[start..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let (found, targets) = line.split_once('\t').unwrap_or((line, ""));
        match found.cmp(key) {
            std::cmp::Ordering::Equal => return targets,
            std::cmp::Ordering::Less => low = (start + line.len() + 1).min(table.len()),
            std::cmp::Ordering::Greater => high = start,
        }
    }
    ""
}

/// What is wrong with a line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has neither `=` nor `>`, or nothing on one of its sides.
    Form,
    /// It has both signs.
    BothSigns,
    /// What stands on the right of `>` is not one word.
    SeveralWords(String),
    /// This has no letter or digit that a search could look for.
    NoWord(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Form => write!(f, "is neither `a = b` nor `a > b, c`"),
            Fault::BothSigns => write!(f, "has `=` and `>`: write two lines"),
            Fault::SeveralWords(words) => {
                write!(
                    f,
                    "has `{words}` on the right of `>`, where each has to be one word"
                )
            }
            Fault::NoWord(text) => {
                write!(f, "has `{text}`, which is no word that a search looks for")
            }
        }
    }
}

/// Reads one line: pairs of a key and the term that serves for it.
///
/// # Errors
/// The [`Fault`] of the line.
pub fn read(line: &str, analyzer: &Analyzer) -> Result<Vec<(String, String, Relation)>, Fault> {
    let (sign, relation) = match (line.contains('='), line.contains('>')) {
        (true, true) => return Err(Fault::BothSigns),
        (true, false) => ('=', Relation::Same),
        (false, true) => ('>', Relation::Related),
        (false, false) => return Err(Fault::Form),
    };
    let mut sides = line.split(sign);
    let mut pairs = Vec::new();
    if relation == Relation::Same {
        let sides: Vec<Vec<String>> = sides
            .map(|side| terms(side, analyzer))
            .collect::<Result<_, _>>()?;
        if sides.len() < 2 {
            return Err(Fault::Form);
        }
        for key in &sides {
            for target in sides.iter().filter(|target| *target != key) {
                // Several words are found by none of their lists alone, so they are only asked for.
                if let [target] = target.as_slice() {
                    pairs.push((key.join(" "), target.clone(), relation));
                }
            }
        }
    } else {
        let (Some(key), Some(targets), None) = (sides.next(), sides.next(), sides.next()) else {
            return Err(Fault::Form);
        };
        let key = terms(key, analyzer)?.join(" ");
        for target in targets.split(',') {
            match terms(target, analyzer)?.as_slice() {
                [target] if *target != key => pairs.push((key.clone(), target.clone(), relation)),
                [_] => {}
                _ => return Err(Fault::SeveralWords(target.trim().to_owned())),
            }
        }
    }
    Ok(pairs)
}

/// The terms of a side of a line, whole words only.
fn terms(side: &str, analyzer: &Analyzer) -> Result<Vec<String>, Fault> {
    let side = side.trim();
    if side.is_empty() {
        return Err(Fault::Form);
    }
    let mut terms = Vec::new();
    let mut inside = 0;
    tokens(side, |token| {
        if token.start >= inside {
            analyzer.whole(&token, |term| terms.push(term.to_owned()));
        }
        // The parts of `.net` follow it.
        if token.shape == Shape::Compound {
            inside = token.start + token.text.len();
        }
    });
    if terms.is_empty() || terms.len() > LONGEST_KEY {
        return Err(Fault::NoWord(side.to_owned()));
    }
    Ok(terms)
}

/// Puts pairs together into the compiled form: by key, each target once, the closest relation first.
pub fn compile(pairs: impl IntoIterator<Item = (String, String, Relation)>) -> String {
    let mut lines: std::collections::BTreeMap<String, Vec<(Relation, String)>> =
        std::collections::BTreeMap::new();
    for (key, target, relation) in pairs {
        let targets = lines.entry(key).or_default();
        match targets.iter_mut().find(|(_, known)| *known == target) {
            Some((known, _)) => *known = relation.min(*known),
            None => targets.push((relation, target)),
        }
    }
    let mut table = String::new();
    for (key, mut targets) in lines {
        targets.sort_by_key(|(relation, _)| *relation);
        table.push_str(&key);
        for (place, (relation, target)) in targets.iter().enumerate() {
            table.push(if place == 0 { '\t' } else { ' ' });
            table.push(if *relation == Relation::Same {
                '='
            } else {
                '~'
            });
            table.push_str(target);
        }
        table.push('\n');
    }
    table
}

/// Other spellings of an English word, given folded: British for American and the other way round.
pub fn spellings(word: &str, mut visit: impl FnMut(&str)) {
    const ENDINGS: &[(&str, &str)] = &[
        ("isation", "ization"),
        ("isations", "izations"),
        ("ise", "ize"),
        ("ises", "izes"),
        ("ised", "ized"),
        ("iser", "izer"),
        ("isers", "izers"),
        ("ising", "izing"),
        ("yse", "yze"),
        ("ysed", "yzed"),
        ("yser", "yzer"),
        ("ysing", "yzing"),
        ("our", "or"),
        ("ours", "ors"),
        ("oured", "ored"),
        ("ouring", "oring"),
        ("ourful", "orful"),
        ("tre", "ter"),
        ("tred", "tered"),
        ("ogue", "og"),
        ("ogues", "ogs"),
        ("ence", "ense"),
        ("ences", "enses"),
        ("elled", "eled"),
        ("elling", "eling"),
        ("grey", "gray"),
        ("greyscale", "grayscale"),
        ("programme", "program"),
        ("programmes", "programs"),
    ];
    if !word.is_ascii() {
        return;
    }
    for (british, american) in ENDINGS {
        for (from, to) in [(british, american), (american, british)] {
            let Some(start) = word.strip_suffix(from) else {
                continue;
            };
            // `rise` is no other spelling of `rize`, but nobody is harmed: no page holds that.
            if start.len() >= 2 || word == *from {
                visit(&format!("{start}{to}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("table.txt");

    fn compiled() -> String {
        let english = Analyzer::new("en");
        let pairs = TABLE
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .flat_map(|(number, line)| match read(line, &english) {
                Ok(pairs) => pairs,
                Err(fault) => panic!("table.txt, line {}: `{line}` {fault}", number + 1),
            });
        compile(pairs)
    }

    #[test]
    fn the_compiled_table_is_the_table() {
        if std::env::var_os("SHELFMARK_WRITE_TABLE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/synonyms/english.tsv");
            std::fs::write(path, compiled()).unwrap();
        } else {
            assert!(
                compiled() == ENGLISH,
                "english.tsv is not table.txt compiled: SHELFMARK_WRITE_TABLE=1 cargo test -p artifact the_compiled_table"
            );
        }
    }

    #[test]
    fn every_key_of_the_table_is_found() {
        let table = compiled();
        for line in table.lines() {
            let (key, expected) = line.split_once('\t').unwrap();
            assert_eq!(targets(&table, key), expected, "{key}");
        }
        for key in ["", "zzz", "a", "kubernet x"] {
            assert_eq!(targets(&table, key), "", "{key}");
        }
        let synonyms = Synonyms::new("en", true, "");
        let mut others = 0;
        for line in table.lines() {
            let (key, _) = line.split_once('\t').unwrap();
            assert!(synonyms.may_have(key.split(' ')), "{key}");
            others += usize::from(synonyms.may_have([key, "other"]));
        }
        assert!(others * 5 < table.lines().count(), "{others}");
        assert!(!Synonyms::new("de", true, "").may_have(["config"]));
        assert_eq!(targets("", "a"), "");
    }

    #[test]
    fn an_equation_serves_both_ways_and_an_arrow_one() {
        let english = Analyzer::new("en");
        let own: Vec<_> = [
            "k8s = kubernetes",
            "ship > deploying, release",
            "log in = login",
        ]
        .iter()
        .flat_map(|line| read(line, &english).unwrap())
        .collect();
        let own = compile(own);
        let synonyms = Synonyms::new("de", true, &own);
        let of = |key| synonyms.of(key).collect::<Vec<_>>();
        assert_eq!(of("k8s"), [("kubernet", Relation::Same)]);
        assert_eq!(of("kubernet"), [("k8s", Relation::Same)]);
        assert_eq!(
            of("ship"),
            [("deploy", Relation::Related), ("releas", Relation::Related)]
        );
        assert_eq!(of("deploy"), []);
        assert_eq!(of("log in"), [("login", Relation::Same)]);
        assert_eq!(of("login"), []);
    }

    #[test]
    fn a_site_adds_to_the_table_or_goes_without_it() {
        let own = "pictur\t=foto\n";
        let of = |wanted| {
            Synonyms::new("en-GB", wanted, own)
                .of("pictur")
                .map(|(term, _)| term)
                .collect::<Vec<_>>()
        };
        assert_eq!(of(false), ["foto"]);
        assert!(of(true).starts_with(&["foto"]) && of(true).contains(&"imag"));
    }

    #[test]
    fn a_faulty_line_says_what_is_wrong() {
        let english = Analyzer::new("en");
        let fault = |line| read(line, &english).unwrap_err();
        assert_eq!(fault("a b c"), Fault::Form);
        assert_eq!(fault("a ="), Fault::Form);
        assert_eq!(fault("a > b > c"), Fault::Form);
        assert_eq!(fault("a = b > c"), Fault::BothSigns);
        assert_eq!(fault("a > b c"), Fault::SeveralWords("b c".into()));
        assert_eq!(fault("a > &"), Fault::NoWord("&".into()));
    }

    #[test]
    fn british_and_american_spellings_meet() {
        let of = |word| {
            let mut found = Vec::new();
            spellings(word, |other| found.push(other.to_owned()));
            found
        };
        assert!(of("customise").contains(&"customize".to_owned()));
        assert!(of("internationalization").contains(&"internationalisation".to_owned()));
        assert!(of("colour").contains(&"color".to_owned()));
        assert!(of("centre").contains(&"center".to_owned()));
        assert_eq!(of("file"), Vec::<String>::new());
    }
}
