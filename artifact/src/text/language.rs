//! The languages whose words have stems, and the words of each that only say how something is put.

use rust_stemmers::Algorithm;

/// A language as search tells languages apart: one that has a stemmer, or [`Language::OTHER`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

/// The languages with a stemmer, by their codes. A language's number is its place here, from 1: it marks terms in the index, so a new one
/// goes to the end. Forms of words stand behind U+0014 there, so there is room for one more.
///
/// The stemmers are Snowball's (<https://snowballstem.org>).
const LANGUAGES: [(&str, Algorithm); 18] = [
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("en", Algorithm::English),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];

impl Language {
    /// Every language without a stemmer: its words are looked for as they are.
    pub const OTHER: Language = Language(0);
    /// English, in which agents ask whatever the site's language is.
    pub const ENGLISH: Language = Language(5);

    /// The language of a BCP 47 tag such as `en` or `pt-BR`.
    pub fn of(tag: &str) -> Self {
        let primary = tag
            .split(['-', '_'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        // Norwegian is written in two ways; they share a stemmer.
        let primary = match primary.as_str() {
            "nb" | "nn" => "no",
            other => other,
        };
        LANGUAGES
            .iter()
            .position(|(code, _)| *code == primary)
            .map_or(Self::OTHER, |place| Self(place as u8 + 1))
    }

    /// Its code, such as `en`; empty for [`Language::OTHER`].
    pub fn code(self) -> &'static str {
        self.entry().map_or("", |(code, _)| code)
    }

    pub(super) fn stemmer(self) -> Option<Algorithm> {
        self.entry().map(|(_, algorithm)| *algorithm)
    }

    /// The character that stands before the stems of this language in the index of a site of another one. No token holds a control
    /// character, so that a marked term is never the same as another.
    pub(super) fn mark(self) -> Option<char> {
        (self != Self::OTHER).then_some(char::from(self.0))
    }

    /// The language whose mark stands before a term.
    pub fn of_term(term: &str) -> Option<Self> {
        let mark = term.chars().next().filter(|c| c.is_control())?;
        u8::try_from(mark).ok().map(Self)
    }

    fn entry(self) -> Option<&'static (&'static str, Algorithm)> {
        LANGUAGES.get(usize::from(self.0).wrapping_sub(1))
    }

    /// Whether a word says how a question is put rather than what it is about. `folded` is in lower case and without diacritics.
    ///
    /// The lists are short on purpose: a word that can be a subject (`just`, `after`, `not`) is in none. Languages that are not named here
    /// have none.
    pub fn is_function_word(self, folded: &str) -> bool {
        if folded.len() > LONGEST_FUNCTION_WORD {
            return false;
        }
        let words: &[&str] = match self.code() {
            "de" => GERMAN,
            "en" => ENGLISH,
            "es" => SPANISH,
            "fr" => FRENCH,
            "it" => ITALIAN,
            "nl" => DUTCH,
            "pt" => PORTUGUESE,
            _ => &[],
        };
        words.binary_search(&folded).is_ok()
    }
}

impl Language {
    /// Usual endings of its words, folded: what a word that is not written to its end may lack. Languages that are not named here have none.
    pub(super) fn endings(self) -> &'static [&'static str] {
        match self.code() {
            "de" => &[
                "e", "en", "end", "ende", "er", "ern", "es", "heit", "heiten", "ig", "ige", "igen",
                "isch", "ische", "keit", "keiten", "lich", "liche", "lichen", "s", "ung", "ungen",
            ],
            "en" => &[
                "able", "ables", "ability", "al", "ally", "ance", "ances", "ancy", "ant", "ants",
                "ate", "ated", "ates", "ating", "ation", "ations", "ational", "ator", "ators", "e",
                "ed", "ence", "ences", "ency", "ent", "ently", "er", "ers", "es", "ful", "fully",
                "fulness", "ible", "ibility", "ic", "ical", "ically", "ied", "ies", "ing", "ingly",
                "ings", "ion", "ions", "ism", "ity", "ities", "ive", "ively", "iveness", "ivity",
                "ization", "izations", "ize", "ized", "izer", "izes", "izing", "less", "ly",
                "ment", "ments", "ness", "or", "ors", "ous", "ously", "ousness", "s", "tional",
                "y", "ying",
            ],
            "es" => &[
                "able", "ables", "acion", "aciones", "ada", "adas", "ado", "ador", "adora",
                "adores", "ados", "amiento", "ancia", "ando", "ar", "encia", "er", "es", "ibles",
                "ica", "ico", "icos", "ida", "idad", "idades", "ido", "idos", "iendo", "imiento",
                "ir", "ista", "istas", "iva", "ivo", "mente", "os", "osa", "oso",
            ],
            "fr" => &[
                "able", "ables", "aient", "ait", "ance", "ances", "ant", "ants", "ateur", "ateurs",
                "ation", "ations", "ee", "ees", "ement", "ements", "ence", "ences", "ent", "er",
                "erez", "es", "eur", "eurs", "euse", "eux", "ez", "ible", "if", "ifs", "ions",
                "ique", "iques", "isme", "iste", "istes", "ite", "ites", "ive", "ives", "ment",
                "s",
            ],
            "it" => &[
                "abile", "abili", "amenti", "amento", "ando", "anza", "are", "ata", "ate", "ati",
                "ato", "atore", "atori", "azione", "azioni", "endo", "enza", "ere", "ibile", "ica",
                "iche", "ici", "ico", "imento", "ire", "ismo", "ista", "ita", "ito", "iva", "ivo",
                "mente", "osa", "oso", "uto",
            ],
            "nl" => &[
                "baar", "de", "den", "e", "en", "end", "ende", "er", "ers", "heden", "heid", "ig",
                "ige", "ing", "ingen", "lijk", "lijke", "s", "te", "ten",
            ],
            "pt" => &[
                "acao", "acoes", "ada", "adas", "ado", "ador", "adora", "adores", "ados", "ancia",
                "ando", "ar", "avel", "aveis", "encia", "endo", "er", "es", "ica", "ico", "idade",
                "idades", "ido", "indo", "ir", "ismo", "ista", "iva", "ivel", "iveis", "ivo",
                "mente", "mento", "mentos", "os", "osa", "oso",
            ],
            _ => &[],
        }
    }
}

impl Language {
    /// Those of the endings that are needed to find every stem that is shorter than the start of a word: the stem of `-ations` is that of
    /// `-ation`.
    pub(super) fn endings_of_starts(self) -> &'static [&'static str] {
        match self.code() {
            "en" => &[
                "ability", "ally", "ant", "ation", "ed", "ent", "ful", "ibility", "ies", "ing",
                "ingly", "ion", "ism", "ity", "ive", "ize", "ly", "ness", "or", "ous", "s",
                "tional",
            ],
            _ => self.endings(),
        }
    }
}

/// Bytes of the longest function word.
const LONGEST_FUNCTION_WORD: usize = 8;

const ENGLISH: &[&str] = &[
    "a", "am", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did",
    "do", "does", "for", "from", "get", "had", "has", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "me", "my", "of", "on", "one", "or", "our", "s", "should", "so", "some", "t",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you",
    "your",
];

const GERMAN: &[&str] = &[
    "als", "am", "an", "auch", "auf", "aus", "bei", "bin", "bis", "da", "damit", "das", "dass",
    "dem", "den", "der", "des", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses",
    "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "fur", "gibt",
    "haben", "hat", "ich", "ihr", "im", "in", "ins", "ist", "kann", "konnen", "man", "mein",
    "meine", "meinem", "meinen", "meiner", "mir", "mit", "muss", "oder", "sein", "sich", "sie",
    "sind", "so", "soll", "um", "und", "uns", "unser", "unsere", "vom", "von", "wann", "war",
    "warum", "was", "welche", "welchem", "welchen", "welcher", "welches", "wenn", "wer", "werden",
    "wie", "wir", "wird", "wo", "wurde", "zu", "zum", "zur",
];

const FRENCH: &[&str] = &[
    "a", "ai", "au", "aux", "avec", "c", "ce", "ces", "cet", "cette", "comment", "d", "dans", "de",
    "des", "dois", "doit", "du", "elle", "en", "est", "et", "faire", "fait", "faut", "il", "ils",
    "j", "je", "l", "la", "le", "les", "leur", "m", "ma", "mes", "mon", "n", "ne", "nos", "notre",
    "nous", "on", "ou", "par", "peut", "peux", "plus", "pour", "pourquoi", "puis", "qu", "quand",
    "que", "quel", "quelle", "quelles", "quels", "qui", "quoi", "s", "sa", "se", "ses", "si",
    "son", "sont", "sur", "t", "ta", "tes", "ton", "tu", "un", "une", "vos", "votre", "vous", "y",
];

const SPANISH: &[&str] = &[
    "a", "al", "como", "con", "cual", "cuales", "cuando", "de", "debo", "del", "desde", "donde",
    "e", "el", "ella", "en", "entre", "es", "esta", "estan", "estas", "este", "esto", "estos",
    "ha", "hace", "hacer", "hay", "la", "las", "le", "lo", "los", "me", "mi", "mis", "nos", "o",
    "para", "por", "porque", "puede", "puedo", "que", "quien", "se", "ser", "si", "son", "su",
    "sus", "te", "tengo", "tu", "tus", "u", "un", "una", "unas", "unos", "y", "yo",
];

const ITALIAN: &[&str] = &[
    "a", "ad", "agli", "ai", "al", "alla", "alle", "allo", "c", "che", "chi", "ci", "come", "con",
    "cosa", "cui", "d", "da", "dagli", "dai", "dal", "dalla", "dalle", "de", "degli", "dei", "del",
    "della", "delle", "dello", "devo", "di", "dove", "e", "ed", "fare", "gli", "ha", "ho", "i",
    "il", "in", "io", "l", "la", "le", "lo", "ma", "mi", "mia", "mie", "mio", "ne", "nei", "nel",
    "nella", "nelle", "o", "per", "perche", "posso", "puo", "qual", "quale", "quali", "quando",
    "questa", "queste", "questi", "questo", "se", "si", "sono", "su", "sui", "sul", "sulla", "suo",
    "ti", "tra", "tu", "tuo", "un", "una", "uno", "vi",
];

const DUTCH: &[&str] = &[
    "aan", "als", "bij", "daar", "dan", "dat", "de", "deze", "die", "dit", "door", "een", "en",
    "er", "geen", "had", "heb", "hebben", "heeft", "het", "hij", "hoe", "hun", "ik", "in", "is",
    "je", "jij", "jouw", "kan", "kun", "kunnen", "maar", "me", "met", "mij", "mijn", "moet", "na",
    "naar", "of", "om", "onze", "op", "over", "s", "t", "te", "tot", "u", "uit", "uw", "van",
    "voor", "waar", "waarom", "wanneer", "was", "wat", "we", "welk", "welke", "wie", "wij",
    "wordt", "ze", "zich", "zij", "zijn", "zo",
];

const PORTUGUESE: &[&str] = &[
    "a", "ao", "aos", "as", "com", "como", "da", "das", "de", "deve", "devo", "do", "dos", "e",
    "ela", "ele", "em", "entre", "essa", "esse", "esta", "estas", "este", "estes", "estou", "eu",
    "faco", "fazer", "ha", "isso", "isto", "la", "lhe", "mas", "me", "meu", "meus", "minha",
    "minhas", "na", "nas", "no", "nos", "num", "numa", "o", "onde", "os", "ou", "para", "pela",
    "pelas", "pelo", "pelos", "pode", "por", "porque", "posso", "quais", "qual", "quando", "que",
    "quem", "sao", "se", "ser", "seu", "seus", "sua", "suas", "tem", "tenho", "um", "uma", "uns",
    "voce", "voces",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_the_first_part_of_its_tag() {
        assert_eq!(Language::of("pt-BR").code(), "pt");
        assert_eq!(Language::of("EN_us"), Language::ENGLISH);
        assert_eq!(Language::of("nn"), Language::of("nb"));
        for other in ["pl", "ja", "", "english"] {
            assert_eq!(Language::of(other), Language::OTHER);
        }
        for (code, _) in LANGUAGES {
            assert_eq!(Language::of(code).code(), code);
        }
    }

    #[test]
    fn marks_are_control_characters() {
        let marks = LANGUAGES.map(|(code, _)| Language::of(code).mark().unwrap());
        assert!(marks.iter().all(|mark| mark.is_control()));
        assert_eq!(Language::OTHER.mark(), None);
        assert_eq!(Language::of_term("\u{3}haus"), Some(Language::of("de")));
        assert_eq!(Language::of_term("haus"), None);
    }

    #[test]
    fn the_lists_of_function_words_are_sorted_and_folded() {
        for words in [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH, PORTUGUESE] {
            assert!(words.is_sorted_by(|left, right| left < right), "{words:?}");
            let folded = |word: &&str| *word == super::super::analyzer::fold(word);
            assert!(words.iter().all(folded), "{words:?}");
            let longest = words.iter().map(|word| word.len()).max();
            assert!(longest <= Some(LONGEST_FUNCTION_WORD), "{longest:?}");
        }
        assert!(Language::ENGLISH.is_function_word("your"));
        assert!(!Language::ENGLISH.is_function_word("just"));
        assert!(Language::of("de").is_function_word("wie"));
        assert!(!Language::OTHER.is_function_word("the"));
    }
}
