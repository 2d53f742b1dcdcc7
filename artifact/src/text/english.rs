//! The English stemmer, "Porter2" as <https://snowballstem.org/algorithms/english/stemmer.html> describes it, for words of the letters a to z.
//!
//! It gives what Snowball's own program gives, which a test compares, and is some ten times faster: a question that is completed
//! or corrected asks for dozens of stems. Other words and other languages are left to the crate.

/// The longest word that is stemmed here.
pub(super) const LONGEST: usize = 48;

/// Words with a stem of their own, each with it.
const EXCEPTIONS: [(&[u8], &[u8]); 18] = [
    (b"skis", b"ski"),
    (b"skies", b"sky"),
    (b"dying", b"die"),
    (b"lying", b"lie"),
    (b"tying", b"tie"),
    (b"idly", b"idl"),
    (b"gently", b"gentl"),
    (b"ugly", b"ugli"),
    (b"early", b"earli"),
    (b"only", b"onli"),
    (b"singly", b"singl"),
    (b"sky", b"sky"),
    (b"news", b"news"),
    (b"howe", b"howe"),
    (b"atlas", b"atlas"),
    (b"cosmos", b"cosmos"),
    (b"bias", b"bias"),
    (b"andes", b"andes"),
];

/// Words that stay as they are once they have lost the ending of a plural.
const KEPT: [&[u8]; 8] = [
    b"inning", b"outing", b"canning", b"herring", b"earring", b"proceed", b"exceed", b"succeed",
];

/// A word while it is stemmed. A `y` that is a consonant is written as `Y`.
pub(super) struct Stem {
    bytes: [u8; LONGEST],
    length: usize,
    /// Where the regions R1 and R2 start.
    first: usize,
    second: usize,
}

impl Stem {
    /// The stem of a word; `None` where it has other letters than a to z, or too many.
    pub(super) fn of(word: &str) -> Option<Self> {
        let word = word.as_bytes();
        if word.len() > LONGEST || !word.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let mut stem = Self {
            bytes: [0; LONGEST],
            length: word.len(),
            first: word.len(),
            second: word.len(),
        };
        stem.bytes[..word.len()].copy_from_slice(word);
        if word.len() > 2 && !stem.is_exception() {
            stem.mark_consonants();
            stem.mark_regions();
            stem.plural();
            if !stem.is_kept() {
                stem.past();
                stem.last_y();
                stem.long_endings();
                stem.middle_endings();
                stem.short_endings();
                stem.last_letter();
            }
            stem.bytes.make_ascii_lowercase();
        }
        Some(stem)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.word()).unwrap_or_default()
    }

    #[inline]
    fn word(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Whether it stays as it is now.
    fn is_kept(&self) -> bool {
        let may_be = matches!(self.word(), [.., b'n', b'g'] | [.., b'e', b'e', b'd']);
        may_be && KEPT.contains(&self.word())
    }

    fn is_exception(&mut self) -> bool {
        if self.length > 6 || !b"sdltiugeonahcb".contains(&self.bytes[0]) {
            return false;
        }
        let mut exceptions = EXCEPTIONS.iter();
        match exceptions.find(|(word, _)| *word == self.word()) {
            Some((_, stem)) => {
                self.bytes[..stem.len()].copy_from_slice(stem);
                self.length = stem.len();
                true
            }
            None => false,
        }
    }

    /// A `y` at the start, or behind a vowel, is a consonant.
    fn mark_consonants(&mut self) {
        let mut behind_vowel = true;
        for byte in &mut self.bytes[..self.length] {
            if *byte == b'y' && behind_vowel {
                *byte = b'Y';
            }
            behind_vowel = is_vowel(*byte);
        }
    }

    /// R1 is behind the first consonant that follows a vowel, R2 the same within R1.
    fn mark_regions(&mut self) {
        let word = self.word();
        let starts: [&[u8]; 3] = [b"gener", b"commun", b"arsen"];
        let start = starts.iter().find(|start| word.starts_with(start));
        let first = match start {
            Some(start) => start.len(),
            None => region(word, 0),
        };
        let second = region(word, first);
        (self.first, self.second) = (first, second);
    }

    /// Byte by byte: endings are too short for a call.
    #[inline]
    fn ends_with(&self, ending: &[u8]) -> bool {
        let letters = self.word().iter().rev().zip(ending.iter().rev());
        ending.len() <= self.length && letters.fold(true, |all, (a, b)| all & (a == b))
    }

    /// Puts `other` in the place of the last `count` letters.
    #[inline]
    fn replace(&mut self, count: usize, other: &[u8]) {
        let start = self.length - count;
        let end = (start + other.len()).min(LONGEST);
        self.bytes[start..end].copy_from_slice(&other[..end - start]);
        self.length = end;
    }

    /// Whether a vowel stands in the first `length` letters.
    fn has_vowel(&self, length: usize) -> bool {
        self.bytes[..length].iter().any(|byte| is_vowel(*byte))
    }

    /// Whether the first `length` letters end in a short syllable.
    fn is_short(&self, length: usize) -> bool {
        match self.bytes[..length] {
            [vowel, last] => is_vowel(vowel) && !is_vowel(last),
            [.., before, vowel, last] => {
                !is_vowel(before)
                    && is_vowel(vowel)
                    && !is_vowel(last)
                    && !matches!(last, b'w' | b'x' | b'Y')
            }
            _ => false,
        }
    }

    /// Step 1a.
    fn plural(&mut self) {
        if self.ends_with(b"sses") {
            self.length -= 2;
        } else if self.ends_with(b"ies") || self.ends_with(b"ied") {
            self.length -= if self.length > 4 { 2 } else { 1 };
        } else if self.ends_with(b"s")
            && !self.ends_with(b"us")
            && !self.ends_with(b"ss")
            && self.has_vowel(self.length.saturating_sub(2))
        {
            self.length -= 1;
        }
    }

    /// Step 1b.
    fn past(&mut self) {
        for ending in [&b"eedly"[..], b"eed"] {
            if self.ends_with(ending) {
                let start = self.length - ending.len();
                if start >= self.first {
                    self.length = start + 2;
                }
                return;
            }
        }
        let endings = [&b"ingly"[..], b"edly", b"ing", b"ed"];
        let Some(ending) = endings.into_iter().find(|ending| self.ends_with(ending)) else {
            return;
        };
        let start = self.length - ending.len();
        if !self.has_vowel(start) {
            return;
        }
        self.length = start;
        match self.word() {
            [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => self.replace(0, b"e"),
            [
                ..,
                left,
                right @ (b'b' | b'd' | b'f' | b'g' | b'm' | b'n' | b'p' | b'r' | b't'),
            ] if left == right => self.length -= 1,
            _ if self.length == self.first && self.is_short(self.length) => self.replace(0, b"e"),
            _ => {}
        }
    }

    /// Step 1c.
    fn last_y(&mut self) {
        if let [_, .., before, b'y' | b'Y'] = *self.word()
            && !is_vowel(before)
        {
            self.replace(1, b"i");
        }
    }

    /// The first of the endings that the word has, with what takes its place, when it is in the region from `start` on.
    #[inline]
    fn ending<'e>(
        &self,
        start: usize,
        endings: &[(&'e [u8], &'e [u8])],
    ) -> Option<(&'e [u8], &'e [u8])> {
        let mut endings = endings.iter();
        let (ending, other) = *endings.find(|(ending, _)| self.ends_with(ending))?;
        (self.length - ending.len() >= start).then_some((ending, other))
    }

    /// What stands before the last `count` letters.
    #[inline]
    fn before(&self, count: usize) -> u8 {
        let place = self.length.checked_sub(count + 1);
        place.map_or(0, |place| self.bytes[place])
    }

    #[inline]
    fn last_but_one(&self) -> u8 {
        self.before(1)
    }

    /// Step 2.
    fn long_endings(&mut self) {
        let endings: &[(&[u8], &[u8])] = match self.last_but_one() {
            b'a' => &[(b"ational", b"ate"), (b"tional", b"tion")],
            b'c' => &[(b"enci", b"ence"), (b"anci", b"ance")],
            b'e' => &[(b"izer", b"ize")],
            b'g' => &[(b"ogi", b"og")],
            b'l' => &[
                (b"lessli", b"less"),
                (b"entli", b"ent"),
                (b"fulli", b"ful"),
                (b"ousli", b"ous"),
                (b"abli", b"able"),
                (b"alli", b"al"),
                (b"bli", b"ble"),
                (b"li", b""),
            ],
            b'o' => &[(b"ization", b"ize"), (b"ation", b"ate"), (b"ator", b"ate")],
            b's' => &[
                (b"fulness", b"ful"),
                (b"ousness", b"ous"),
                (b"iveness", b"ive"),
                (b"alism", b"al"),
            ],
            b't' => &[(b"biliti", b"ble"), (b"aliti", b"al"), (b"iviti", b"ive")],
            _ => return,
        };
        if let Some((ending, other)) = self.ending(self.first, endings) {
            let before = self.before(ending.len());
            let is_kept = match ending {
                b"ogi" => before != b'l',
                b"li" => !b"cdeghkmnrt".contains(&before),
                _ => false,
            };
            if !is_kept {
                self.replace(ending.len(), other);
            }
        }
    }

    /// Step 3.
    fn middle_endings(&mut self) {
        let endings: &[(&[u8], &[u8])] = match self.last_but_one() {
            b'a' => &[(b"ational", b"ate"), (b"tional", b"tion"), (b"ical", b"ic")],
            b's' => &[(b"ness", b"")],
            b't' => &[(b"icate", b"ic"), (b"iciti", b"ic")],
            b'u' => &[(b"ful", b"")],
            b'v' => &[(b"ative", b"")],
            b'z' => &[(b"alize", b"al")],
            _ => return,
        };
        if let Some((ending, other)) = self.ending(self.first, endings)
            && (ending != b"ative" || self.length - ending.len() >= self.second)
        {
            self.replace(ending.len(), other);
        }
    }

    /// Step 4.
    fn short_endings(&mut self) {
        let endings: &[(&[u8], &[u8])] = match self.last_but_one() {
            b'a' => &[(b"al", b"")],
            b'c' => &[(b"ance", b""), (b"ence", b"")],
            b'e' => &[(b"er", b"")],
            b'i' => &[(b"ic", b"")],
            b'l' => &[(b"able", b""), (b"ible", b"")],
            b'n' => &[
                (b"ement", b""),
                (b"ment", b""),
                (b"ent", b""),
                (b"ant", b""),
            ],
            b'o' => &[(b"ion", b"")],
            b's' => &[(b"ism", b"")],
            b't' => &[(b"ate", b""), (b"iti", b"")],
            b'u' => &[(b"ous", b"")],
            b'v' => &[(b"ive", b"")],
            b'z' => &[(b"ize", b"")],
            _ => return,
        };
        if let Some((ending, _)) = self.ending(self.second, endings)
            && (ending != b"ion" || matches!(self.before(3), b's' | b't'))
        {
            self.length -= ending.len();
        }
    }

    /// Step 5.
    fn last_letter(&mut self) {
        let Some(start) = self.length.checked_sub(1) else {
            return;
        };
        let goes = match self.bytes[start] {
            b'e' => start >= self.second || start >= self.first && !self.is_short(start),
            b'l' => start >= self.second && self.before(1) == b'l',
            _ => false,
        };
        if goes {
            self.length = start;
        }
    }
}

#[inline]
fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Where the region starts behind the first consonant that follows a vowel, from `start` on; the end where there is none.
fn region(word: &[u8], start: usize) -> usize {
    let mut bytes = start..word.len();
    if !bytes.any(|place| is_vowel(word[place])) {
        return word.len();
    }
    let consonant = bytes.find(|place| !is_vowel(word[*place]));
    consonant.map_or(word.len(), |place| place + 1)
}

#[cfg(test)]
mod tests {
    use rust_stemmers::{Algorithm, Stemmer};

    use super::*;

    fn is_same(stemmer: &Stemmer, word: &str) {
        let stem = Stem::of(word).unwrap();
        assert_eq!(stem.as_str(), stemmer.stem(word), "{word}");
    }

    #[test]
    fn stems_are_those_of_snowball() {
        let stemmer = Stemmer::create(Algorithm::English);
        let words = include_str!("synonyms/table.txt").split(|c: char| !c.is_ascii_lowercase());
        let endings = [
            "",
            "s",
            "'s",
            "es",
            "ed",
            "ing",
            "ings",
            "ly",
            "edly",
            "ingly",
            "eed",
            "eedly",
            "y",
            "ied",
            "ies",
            "ational",
            "tional",
            "enci",
            "anci",
            "abli",
            "entli",
            "izer",
            "ization",
            "ation",
            "ator",
            "alism",
            "aliti",
            "alli",
            "fulness",
            "ousli",
            "ousness",
            "iveness",
            "iviti",
            "biliti",
            "bli",
            "ogi",
            "logi",
            "fulli",
            "lessli",
            "li",
            "alize",
            "icate",
            "iciti",
            "ical",
            "ful",
            "ness",
            "ative",
            "al",
            "ance",
            "ence",
            "er",
            "ic",
            "able",
            "ible",
            "ant",
            "ement",
            "ment",
            "ent",
            "ism",
            "ate",
            "iti",
            "ous",
            "ive",
            "ize",
            "ion",
            "sion",
            "tion",
            "e",
            "l",
            "ll",
            "us",
            "ss",
            "sses",
            "ability",
            "ousnesses",
        ];
        for word in words.filter(|word| !word.is_empty()) {
            for ending in endings {
                let word: String = word.chars().chain(ending.chars()).collect();
                let word: String = word.chars().filter(char::is_ascii_lowercase).collect();
                if word.len() <= LONGEST {
                    is_same(&stemmer, &word);
                }
            }
        }
        for (word, _) in EXCEPTIONS {
            is_same(&stemmer, std::str::from_utf8(word).unwrap());
        }
        for word in KEPT {
            let word = std::str::from_utf8(word).unwrap();
            is_same(&stemmer, word);
            is_same(&stemmer, &format!("{word}s"));
        }
        for start in ["gener", "commun", "arsen", "yy", "y", "sy", "ayay"] {
            for ending in endings {
                let word = format!("{start}{}", ending.trim_start_matches('\''));
                is_same(&stemmer, &word);
            }
        }
    }

    #[test]
    fn stems_of_words_that_are_none_are_those_of_snowball() {
        let stemmer = Stemmer::create(Algorithm::English);
        // Letters that endings and rules are made of.
        let letters = b"aeiouylstngdbzcvmrfpwxk";
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize
        };
        for _ in 0..200_000 {
            let length = 1 + next() % 9;
            let word: String = (0..length)
                .map(|_| char::from(letters[next() % letters.len()]))
                .collect();
            is_same(&stemmer, &word);
        }
    }

    #[test]
    fn other_letters_are_left_to_others() {
        assert!(Stem::of("straße").is_none() && Stem::of("Case").is_none());
        assert!(Stem::of(&"a".repeat(LONGEST + 1)).is_none());
        assert_eq!(Stem::of("").unwrap().as_str(), "");
    }
}
