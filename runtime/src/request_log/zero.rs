//! Searches that found nothing, told so that only the owner can know what was asked.
//!
//! What callers ask is theirs, so the log does not have it. But an owner may want to know whether "many ask for X and the site has no X". With a salt, which
//! only the owner has, each such search is told by a hash; who has the salt hashes words of their own and compares (`runtime zero-results`), and who has only
//! the log learns nothing but how often the same was asked.
//!
//! What is hashed is the same for searches that are the same to a reader: words in lower case, each once, in alphabetical order, without signs.
//!
//! ```
//! use runtime::request_log::Salt;
//!
//! let salt = Salt::new("a long and secret text").expect("long enough");
//! assert_eq!(salt.hash("Docker  compose?"), salt.hash("compose docker"));
//! assert_ne!(salt.hash("docker"), salt.hash("docker compose"));
//! ```

use std::collections::BTreeSet;
use std::fmt;

use artifact::text::{Shape, lower, tokens};
use sha2::{Digest, Sha256};

/// Characters that a salt has at least: with fewer it could be guessed.
const SHORTEST: usize = 16;

/// Bytes of a hash that are told. Two in a million different searches share one by chance.
const TOLD: usize = 8;

/// What is hashed with every search. Whoever has it can find out what was asked, by guessing.
#[derive(Clone)]
pub struct Salt(String);

/// A salt that could be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaltTooShort;

impl fmt::Display for SaltTooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the salt for searches without a result is shorter than {SHORTEST} characters\n  help: `builder token` prints a text that nobody guesses"
        )
    }
}

impl std::error::Error for SaltTooShort {}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(..)")
    }
}

impl Salt {
    /// A salt of some length.
    ///
    /// # Errors
    /// [`SaltTooShort`].
    pub fn new(text: &str) -> Result<Salt, SaltTooShort> {
        match text.chars().count() >= SHORTEST {
            true => Ok(Salt(text.to_owned())),
            false => Err(SaltTooShort),
        }
    }

    /// The hash of what was searched for: 16 hexadecimal digits.
    pub fn hash(&self, searched: &str) -> String {
        let digest = Sha256::new()
            .chain_update(self.0.as_bytes())
            // Stands in no text of words, so that salt and words cannot be cut in another place.
            .chain_update([0])
            .chain_update(normalised(searched).as_bytes())
            .finalize();
        digest
            .iter()
            .take(TOLD)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The words of a search, each once, in order.
fn normalised(searched: &str) -> String {
    let mut words = BTreeSet::new();
    tokens(searched, |token| {
        if token.shape != Shape::Compound {
            words.insert(lower(token.text));
        }
    });
    words.into_iter().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_are_the_same_to_a_reader_have_one_hash() {
        for (searched, expected) in [
            ("Rust  async", "async rust"),
            ("async, RUST rust!", "async rust"),
            ("\"C++\" in docs/x", "c++ docs in x"),
            ("Éclair", "éclair"),
            ("E\u{301}clair", "éclair"),
            ("", ""),
            // An operator is searched for, signs of a sentence are not.
            ("what does => do", "=> do does what"),
            (", ()", ""),
        ] {
            assert_eq!(normalised(searched), expected, "{searched}");
        }
    }

    #[test]
    fn the_salt_decides_and_is_not_printed() {
        let salts = ["an older salt of ours", "a newer salt of ours"].map(Salt::new);
        let [Ok(one), Ok(other)] = salts else {
            panic!("long enough")
        };
        assert_ne!(one.hash("rust"), other.hash("rust"));
        assert_eq!(one.hash("rust").len(), 16);
        assert_eq!(format!("{one:?}"), "Salt(..)");
        assert!(Salt::new("short").is_err());
    }
}
