//! A new bearer token and its digest.
//!
//! The token goes to whoever may read private collections, the digest into the settings or the server's environment. 32 bytes of the system's
//! randomness are more than anybody can try, so a plain SHA-256 keeps them; a password that a person made up would need another hash.

use std::fmt;

use sha2::{Digest, Sha256};

/// Says what it is wherever it turns up, and keeps a token from being taken for a digest.
const PREFIX: &str = "shelfmark_";

/// A token with its digest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Token {
    token: String,
    digest: String,
}

impl Token {
    /// A token that nobody else has.
    ///
    /// # Errors
    /// In words, when the system gives no randomness.
    pub(crate) fn new() -> Result<Token, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| format!("the system gives no random bytes: {error}"))?;
        Ok(Token::of(&bytes))
    }

    fn of(bytes: &[u8; 32]) -> Token {
        let token = format!("{PREFIX}{}", hexadecimal(bytes));
        Token {
            digest: hexadecimal(&Sha256::digest(token.as_bytes())),
            token,
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "token   {}", self.token)?;
        writeln!(f, "sha256  {}", self.digest)
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_told_with_the_digest_of_all_of_it() {
        let token = Token::of(&[7; 32]);
        assert_eq!(token.token, format!("shelfmark_{}", "07".repeat(32)));
        // printf %s shelfmark_0707… | sha256sum
        let told = token.to_string();
        assert_eq!(told.lines().count(), 2);
        assert_eq!(token.digest.len(), 64);
        assert_ne!(Token::new(), Token::new());
    }
}
