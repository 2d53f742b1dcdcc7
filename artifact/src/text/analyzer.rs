//! From tokens to terms.

use std::borrow::Cow;

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{LONGEST_TERM, Language, Shape, Token, english};

/// Turns tokens into terms for one language.
pub struct Analyzer {
    language: Language,
    stemmer: Option<Stemmer>,
    /// What stands before each stem; `None` for the language of the site.
    mark: Option<char>,
}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyzer")
            .field("language", &self.language.code())
            .field("mark", &self.mark)
            .finish_non_exhaustive()
    }
}

/// The analyzers of a site: for its own language, and for each other language that a document of it is in.
///
/// A stem means something in its own language only: `server` is no form of the English `serve`, though a German stemmer cuts it to
/// `serv`. So the stems of the other languages are marked, and a question is read once in each language.
#[derive(Debug)]
pub struct Analyzers(Vec<Analyzer>);

impl Analyzers {
    /// The analyzers for the site's language and for others, in their order.
    pub fn new(site: Language, others: impl IntoIterator<Item = Language>) -> Self {
        let others = others.into_iter().map(|language| Analyzer {
            mark: language.mark(),
            ..Analyzer::of(language)
        });
        Self([Analyzer::of(site)].into_iter().chain(others).collect())
    }

    /// The analyzer of the language at a place: 0 is the site's, as is any place that there is not.
    #[inline]
    pub fn of(&self, place: u8) -> &Analyzer {
        self.0.get(usize::from(place)).unwrap_or(&self.0[0])
    }

    /// All of them, the site's first; never empty.
    pub fn all(&self) -> &[Analyzer] {
        &self.0
    }
}

/// A term without the mark of its language, as a person may see it.
pub fn unmarked(term: &str) -> &str {
    term.trim_start_matches(|c: char| c.is_control())
}

impl Analyzer {
    /// The analyzer of a site in a language given as a BCP 47 tag, such as `en` or `pt-BR`. Words of a language without a stemmer are not
    /// stemmed.
    pub fn new(language: &str) -> Self {
        Self::of(Language::of(language))
    }

    fn of(language: Language) -> Self {
        Self {
            language,
            stemmer: language.stemmer().map(Stemmer::create),
            mark: None,
        }
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What stands before each stem of this language in the index; empty for the site's own.
    pub fn mark(&self) -> Option<char> {
        self.mark
    }

    /// The terms that a token gives when it is indexed: itself, and the parts of an identifier.
    pub fn index_terms(&self, token: &Token, mut emit: impl FnMut(&str)) {
        if token.shape == Shape::Run {
            return pairs(token.text, emit);
        }
        self.whole(token, &mut emit);
        self.parts(token, &mut emit);
    }

    /// The term of the token as a whole; none for a run of an unspaced script, or for a token that is too long.
    pub fn whole(&self, token: &Token, mut emit: impl FnMut(&str)) {
        match token.shape {
            Shape::Run => {}
            Shape::Symbol | Shape::Operator | Shape::Compound => {
                let folded = fold(token.text);
                if folded.len() <= LONGEST_TERM {
                    emit(&folded);
                }
            }
            Shape::Word => self.word(token.text, &mut emit),
        }
    }

    /// The terms of a token's parts: of `getElementById` and `a_b`, the pairs of a run, the version in `v3.5.1`. A compound's other parts are tokens
    /// of their own.
    pub fn parts(&self, token: &Token, mut emit: impl FnMut(&str)) {
        match token.shape {
            Shape::Run => pairs(token.text, emit),
            Shape::Word => identifier_parts(token.text, |part| self.word(part, &mut emit)),
            Shape::Compound => version(token.text).into_iter().for_each(emit),
            Shape::Symbol | Shape::Operator => {}
        }
    }

    /// The stems of words that may go on from `start`, which is folded, by a usual ending: only those that are shorter than it. The others start
    /// with it themselves. A stem may come more than once.
    pub fn stems_of_start(&self, start: &str, mut emit: impl FnMut(&str)) {
        let mut word = start.to_owned();
        for ending in self.language.endings_of_starts() {
            for cut in 0..ending.len() {
                let (has, lacks) = ending.split_at(cut);
                if start.ends_with(has) {
                    word.push_str(lacks);
                    self.word(&word, &mut |stem: &str| {
                        if !unmarked(stem).starts_with(start) {
                            emit(stem);
                        }
                    });
                    word.truncate(start.len());
                }
            }
        }
    }

    /// The stems of words of which `word`, which is folded, differs by a slip in a usual ending: `configuraton` gives that of `configuration`. In
    /// the stems themselves such a slip is several letters away. A stem may come more than once.
    pub fn stems_of_slips(&self, word: &str, mut emit: impl FnMut(&str)) {
        if !word.is_ascii() {
            return;
        }
        for ending in self.language.endings() {
            // One letter more, as many, or one less; at least three before them.
            for length in ending.len().saturating_sub(1).max(2)..=ending.len() + 1 {
                let Some(start) = word.len().checked_sub(length).filter(|start| *start >= 3) else {
                    continue;
                };
                let slip = &word[start..];
                if is_one_edit(slip.as_bytes(), ending.as_bytes()) {
                    self.word(&format!("{}{ending}", &word[..start]), &mut emit);
                }
            }
        }
    }

    /// Folds and stems a word.
    fn word(&self, text: &str, emit: &mut impl FnMut(&str)) {
        let folded = fold(text);
        if folded.is_empty() || folded.len() > LONGEST_TERM {
            return;
        }
        let Some(stemmer) = &self.stemmer else {
            return emit(&folded);
        };
        if !is_stemmed(text, &folded) {
            return emit(&folded);
        }
        let mut emit = |stem: &str| match self.mark {
            None => emit(stem),
            Some(mark) => emit(&format!("{mark}{stem}")),
        };
        let is_english = self.language == Language::ENGLISH;
        match is_english.then(|| english::Stem::of(&folded)).flatten() {
            Some(stem) => emit(stem.as_str()),
            None => emit(&stemmer.stem(&folded)),
        }
    }
}

/// `3.5.1` of `v3.5.1`.
fn version(text: &str) -> Option<&str> {
    let version = text.strip_prefix(['v', 'V'])?;
    (version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= LONGEST_TERM)
        .then_some(version)
}

/// Whether a word is of the kind that has a stem: letters only, no capitals inside, at least four characters.
///
/// Short words are kept as they are: `tas` is not a plural of `ta`.
pub(super) fn is_stemmed(text: &str, folded: &str) -> bool {
    if text.is_ascii() {
        let mut inner = text.bytes().skip(1);
        return folded.len() > 3
            && folded.bytes().all(|byte| byte.is_ascii_alphabetic())
            && (!inner.any(|byte| byte.is_ascii_uppercase())
                || !text.bytes().any(|byte| byte.is_ascii_lowercase()));
    }
    folded.chars().nth(3).is_some()
        && folded.chars().all(char::is_alphabetic)
        && (!text.chars().skip(1).any(char::is_uppercase) || !text.chars().any(char::is_lowercase))
}

/// Whether two words differ by one letter added, left out, changed, or swapped with its neighbour.
fn is_one_edit(left: &[u8], right: &[u8]) -> bool {
    let same = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    match (&left[same..], &right[same..]) {
        ([_, left @ ..], [_, right @ ..]) if left == right => true,
        ([first, second, left @ ..], [one, two, right @ ..])
            if (first, second) == (two, one) && left == right =>
        {
            true
        }
        ([_, left @ ..], right) | (right, [_, left @ ..]) if left == right => true,
        _ => false,
    }
}

/// Lower case, no diacritics, no apostrophes. Letters that only look like a base with a mark, such as `ø`, stay. The vowel points of Arabic and
/// Hebrew are diacritics too, and so is what makes an Arabic word longer; the vowel signs of Indic scripts are letters.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        let is_folded = |byte: u8| !byte.is_ascii_uppercase() && byte != b'\'';
        if text.bytes().all(is_folded) {
            return Cow::Borrowed(text);
        }
        let mut folded = text.to_ascii_lowercase();
        folded.retain(|c| c != '\'');
        return Cow::Owned(folded);
    }
    let folded = text
        .nfkd()
        .filter(|c| !is_diacritic(*c) && !matches!(c, '\'' | '\u{2019}'));
    folded.collect::<String>().to_lowercase().nfkc().collect()
}

/// Lower case and composed, with all its marks: two spellings that are the same to a reader are the same here.
pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfc().collect::<String>().to_lowercase()
}

fn is_diacritic(c: char) -> bool {
    matches!(u32::from(c),
        0x300..=0x36f                                            // Latin, Greek, Cyrillic
        | 0x591..=0x5bd | 0x5bf | 0x5c1..=0x5c2 | 0x5c4..=0x5c5 | 0x5c7  // Hebrew
        | 0x610..=0x61a | 0x640 | 0x64b..=0x65f | 0x670 | 0x6d6..=0x6dc) // Arabic
}

/// Overlapping pairs of the characters of a run; a single character alone.
fn pairs(text: &str, mut emit: impl FnMut(&str)) {
    let folded: String = text.nfkc().collect();
    // A mark goes with the character it stands on.
    let starts: Vec<usize> = folded
        .char_indices()
        .filter(|(at, c)| *at == 0 || !is_combining_mark(*c))
        .map(|(at, _)| at)
        .collect();
    if starts.len() < 2 {
        if !folded.is_empty() && folded.len() <= LONGEST_TERM {
            emit(&folded);
        }
        return;
    }
    for (index, start) in starts[..starts.len() - 1].iter().enumerate() {
        let end = starts.get(index + 2).copied().unwrap_or(folded.len());
        if end - start <= LONGEST_TERM {
            emit(&folded[*start..end]);
        }
    }
}

/// The parts of `camelCase`, `HTTPServer`, `snake_case` and `utf8Text`; none for a word that has just one.
fn identifier_parts(text: &str, mut emit: impl FnMut(&str)) {
    if text.len() > 4 * LONGEST_TERM {
        return;
    }
    // What is cut is cut at a low line or before a capital.
    let may_cut = |byte: u8| byte == b'_' || byte.is_ascii_uppercase() || !byte.is_ascii();
    if !text.bytes().skip(1).any(may_cut) && !text.starts_with('_') {
        return;
    }
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let cut = |index: usize| {
        let (before, here) = (chars[index - 1].1, chars[index].1);
        let next_is_lower = chars.get(index + 1).is_some_and(|(_, c)| c.is_lowercase());
        before == '_'
            || here == '_'
            || (here.is_uppercase() && (before.is_lowercase() || before.is_numeric()))
            || (here.is_uppercase() && before.is_uppercase() && next_is_lower)
    };
    let mut start = 0;
    let mut cuts = 0;
    for index in 1..chars.len() {
        if cut(index) {
            let part = text[start..chars[index].0].trim_matches('_');
            if part.chars().nth(1).is_some() {
                emit(part);
            }
            start = chars[index].0;
            cuts += 1;
        }
    }
    let part = text[start..].trim_matches('_');
    if cuts > 0 && part.chars().nth(1).is_some() {
        emit(part);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    fn terms(language: &str, text: &str) -> Vec<String> {
        let analyzer = Analyzer::new(language);
        let mut out = Vec::new();
        tokens(text, |token| {
            analyzer.index_terms(&token, |term| out.push(term.to_owned()))
        });
        out
    }

    #[test]
    fn words_are_folded_and_stemmed() {
        assert_eq!(
            terms("en", "Running Caches naïve café"),
            ["run", "cach", "naiv", "cafe"]
        );
        assert_eq!(terms("", "Running"), ["running"]);
        assert_eq!(terms("de", "Häuser"), ["haus"]);
        assert_eq!(terms("en", "ЁЛКА"), ["елка"]);
    }

    #[test]
    fn stems_of_another_language_are_marked_and_other_terms_are_not() {
        let analyzers = Analyzers::new(Language::ENGLISH, [Language::of("de")]);
        let read = |place: u8, text: &str| {
            let mut out = Vec::new();
            tokens(text, |token| {
                let analyzer = analyzers.of(place);
                analyzer.index_terms(&token, |term| out.push(unmarked(term).to_owned()));
                analyzer.index_terms(&token, |term| out.push(term.to_owned()));
            });
            out
        };
        assert_eq!(read(0, "Häuser"), ["hauser", "hauser"]);
        assert_eq!(read(1, "Häuser"), ["haus", "\u{3}haus"]);
        assert_eq!(read(1, "CSS"), ["css", "css"]);
        assert_eq!(read(1, "C++"), ["c++", "c++"]);
        assert_eq!(read(7, "caches"), ["cach", "cach"]);
    }

    #[test]
    fn the_start_of_a_word_gives_the_stem_of_the_word() {
        let holds = |language: &str, start: &str, stem: &str| {
            let mut found = false;
            Analyzer::new(language).stems_of_start(start, |other| found |= other == stem);
            found
        };
        for (word, from) in [
            ("delegation", 6),
            ("relational", 6),
            ("running", 4),
            ("organizations", 6),
            ("skies", 3),
        ] {
            let stem = &terms("en", word)[0];
            for end in from..word.len() {
                assert!(holds("en", &word[..end], stem), "{}", &word[..end]);
            }
        }
        assert!(holds("de", "wohnun", "wohnung") || !holds("de", "wohnun", "wohn"));
        assert!(holds("fr", "continuatio", "continu"));
        assert!(!holds("", "delegat", "deleg"));
    }

    #[test]
    fn a_slip_in_an_ending_gives_the_stem_of_the_word() {
        let analyzer = Analyzer::new("en");
        for (slip, stem) in [
            ("configuraton", "configur"),
            ("configuraiton", "configur"),
            ("deploymnet", "deploy"),
            ("generaly", "general"),
            ("runnnig", "run"),
        ] {
            let mut stems = Vec::new();
            analyzer.stems_of_slips(slip, |stem| stems.push(stem.to_owned()));
            assert!(stems.contains(&stem.to_owned()), "{slip}: {stems:?}");
        }
    }

    #[test]
    fn fewer_endings_give_every_stem_that_all_of_them_give() {
        let analyzer = Analyzer::new("en");
        let stems = |start: &str| {
            let mut stems = std::collections::BTreeSet::new();
            analyzer.stems_of_start(start, |stem| {
                stems.insert(stem.to_owned());
            });
            stems
        };
        let of_all = |start: &str| {
            let mut stems = std::collections::BTreeSet::new();
            for ending in Language::ENGLISH.endings() {
                for (cut, _) in ending.char_indices() {
                    let (has, lacks) = ending.split_at(cut);
                    if start.ends_with(has) {
                        analyzer.word(&format!("{start}{lacks}"), &mut |stem: &str| {
                            if !stem.starts_with(start) {
                                stems.insert(stem.to_owned());
                            }
                        });
                    }
                }
            }
            stems
        };
        let words = include_str!("synonyms/table.txt").split(|c: char| !c.is_ascii_lowercase());
        for word in words.filter(|word| word.len() > 2) {
            for end in 3..=word.len() {
                assert_eq!(stems(&word[..end]), of_all(&word[..end]), "{word} {end}");
            }
        }
    }

    #[test]
    fn one_edit_is_told_from_none_and_two() {
        let edit = |left: &str, right: &str| is_one_edit(left.as_bytes(), right.as_bytes());
        for (left, right) in [
            ("aton", "ation"),
            ("atino", "ation"),
            ("axion", "ation"),
            ("ationn", "ation"),
            ("", "a"),
        ] {
            assert!(edit(left, right) && edit(right, left), "{left}");
        }
        for (left, right) in [
            ("ation", "ation"),
            ("", ""),
            ("atn", "ation"),
            ("tiona", "ation"),
            ("taino", "ation"),
        ] {
            assert!(!edit(left, right) && !edit(right, left), "{left}");
        }
    }

    #[test]
    fn a_short_word_is_not_stemmed() {
        assert_eq!(terms("en", "tas its was"), ["tas", "its", "was"]);
    }

    #[test]
    fn identifiers_give_themselves_and_their_parts() {
        assert_eq!(
            terms("en", "getElementById"),
            ["getelementbyid", "get", "element", "by", "id"]
        );
        assert_eq!(
            terms("en", "unlockWithBiometrics"),
            ["unlockwithbiometrics", "unlock", "with", "biometr"]
        );
        assert_eq!(
            terms("en", "Msg_IDT_ZOOM"),
            ["msg_idt_zoom", "msg", "idt", "zoom"]
        );
        assert_eq!(terms("en", "HTTPServer"), ["httpserver", "http", "server"]);
        assert_eq!(terms("en", "getUser"), ["getuser", "get", "user"]);
    }

    #[test]
    fn symbols_stay_apart() {
        assert_eq!(
            terms("en", "C C++ C# F# .NET"),
            ["c", "c++", "c#", "f#", ".net", "net"]
        );
        assert_eq!(
            terms("en", "Node.js --strict"),
            ["node.js", "node", "js", "--strict", "strict"]
        );
    }

    #[test]
    fn unspaced_scripts_give_pairs() {
        assert_eq!(terms("en", "ポイント"), ["ポイ", "イン", "ント"]);
        assert_eq!(terms("en", "检"), ["检"]);
        assert_eq!(terms("en", "检索JWT"), ["检索", "jwt"]);
        assert_eq!(terms("en", "인증 흐름"), ["인증", "흐름"]);
    }

    #[test]
    fn scripts_of_many_kinds_are_folded() {
        assert_eq!(terms("", "ＡＰＩ ｶﾞｲﾄﾞ"), ["api", "ガイ", "イド"]);
        assert_eq!(terms("", "مُحَمَّد كتــاب أحمد"), ["محمد", "كتاب", "احمد"]);
        assert_eq!(terms("", "שָׁלוֹם"), ["שלום"]);
        assert_eq!(terms("", "हिन्दी"), ["हिन्दी"]);
        assert_eq!(terms("", "ไทย"), ["ไท", "ทย"]);
        assert_eq!(terms("", "Ελλάδα"), ["ελλαδα"]);
    }

    #[test]
    fn a_version_is_found_with_and_without_its_letter() {
        assert_eq!(terms("en", "v2.1.0"), ["v2.1.0", "2.1.0", "v2", "1", "0"]);
        assert_eq!(terms("en", "es2022 3.5"), ["es2022", "3.5", "3", "5"]);
    }

    #[test]
    fn encoded_data_is_not_a_word() {
        assert_eq!(terms("en", &"QUJD".repeat(30)), Vec::<String>::new());
    }
}
