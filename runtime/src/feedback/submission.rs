//! One message for the author, and what makes two of them the same.

use sha2::{Digest, Sha256};

/// Most bytes of one submission's texts together. A message has at most 4,000 characters, of four bytes each at most, and a page's name
/// 1,000: 20,000 bytes, and room for the names of artifact and client. A DynamoDB item may have 400 KB.
pub const MOST_BYTES: usize = 24 * 1024;

/// One message for the author of the site, checked and ready to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Names this submission; the caller made it. Its spelling is gone: upper and lower case are one key.
    pub key: uuid::Uuid,
    /// The caller's own words, as sent.
    pub message: String,
    /// What the message is about.
    pub kind: Kind,
    /// How much it matters.
    pub severity: Severity,
    /// The page it is about; without one it concerns the whole site.
    pub about: Option<About>,
    /// Identity of the artifact that was served at the time, so that the author can see what the caller saw.
    pub artifact: String,
    /// Name of the client, when it told one.
    pub client: Option<String>,
}

/// The page a message is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The canonical route of a published page, or what the caller wrote when no page answers to it.
    pub route: String,
    /// Whether the site publishes `route`.
    pub published: bool,
}

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Something that should be here and is not.
    Missing,
    /// Something here that does not work.
    Broken,
    /// Something here that is hard to follow.
    Confusing,
    /// Something here that is not true.
    Inaccurate,
    /// None of the others.
    Other,
}

impl Kind {
    /// Every value.
    pub const ALL: [Kind; 5] = [
        Kind::Missing,
        Kind::Broken,
        Kind::Confusing,
        Kind::Inaccurate,
        Kind::Other,
    ];

    /// The value of a word that callers send and stores keep.
    pub fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|known| known.as_str() == word)
    }

    /// The word callers send and stores keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Missing => "missing",
            Kind::Broken => "broken",
            Kind::Confusing => "confusing",
            Kind::Inaccurate => "inaccurate",
            Kind::Other => "other",
        }
    }
}

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// It stops people.
    High,
    /// It costs them time.
    Medium,
    /// It is good to know.
    Low,
}

impl Severity {
    /// Every value.
    pub const ALL: [Severity; 3] = [Severity::High, Severity::Medium, Severity::Low];

    /// The value of a word that callers send and stores keep.
    pub fn parse(word: &str) -> Option<Severity> {
        Severity::ALL
            .into_iter()
            .find(|known| known.as_str() == word)
    }

    /// The word callers send and stores keep.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::High => "high",
            Severity::Medium => "medium",
            Severity::Low => "low",
        }
    }
}

impl Submission {
    /// SHA-256 of what makes two submissions the same, in lower-case hexadecimal.
    ///
    /// Hashed in this order: kind, severity, message, and the route of `about` if there is one. Each field is preceded by its
    /// length in bytes (u64, little endian), so that fields cannot run together (`"ab" + "c"` is not `"a" + "bc"`), and a
    /// missing `about` adds no field, while an empty one adds a zero length. In the message `\r\n` and `\r` count as `\n`: clients
    /// rewrite line ends between two attempts. The artifact, the client and whether the page is published stay out: a site
    /// may be rebuilt, and a client upgraded, between the attempts.
    pub fn content_hash(&self) -> String {
        let message = self.message.replace("\r\n", "\n").replace('\r', "\n");
        let mut hash = Sha256::new();
        let mut field = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        field(self.kind.as_str());
        field(self.severity.as_str());
        field(&message);
        if let Some(about) = &self.about {
            field(&about.route);
        }
        hash.finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Whether its texts have more bytes than a store takes. The tool bounds characters long before; this holds for whoever else writes.
    pub fn is_too_large(&self) -> bool {
        let about = self.about.as_ref().map_or(0, |about| about.route.len());
        let client = self.client.as_ref().map_or(0, String::len);
        self.message.len() + about + client + self.artifact.len() > MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission() -> Submission {
        Submission {
            key: uuid::Uuid::from_u128(1),
            message: "One\nTwo".to_owned(),
            kind: Kind::Broken,
            severity: Severity::Medium,
            about: Some(About {
                route: "/a".to_owned(),
                published: true,
            }),
            artifact: "x".to_owned(),
            client: None,
        }
    }

    #[test]
    fn the_hash_is_fixed_for_ever() {
        // Stored hashes are compared with new ones after every upgrade. If this fails, retries over an upgrade become conflicts.
        assert_eq!(
            submission().content_hash(),
            "bed66445fb434ab2f7c0b0ee1b6ce9c63bb348baadd4baef0a9dcd674f59dc6a"
        );
    }

    #[test]
    fn every_part_of_the_content_counts() {
        let one = submission();
        let hash = one.content_hash();
        let changed = [
            Submission {
                message: "One Two".to_owned(),
                ..one.clone()
            },
            Submission {
                kind: Kind::Other,
                ..one.clone()
            },
            Submission {
                severity: Severity::Low,
                ..one.clone()
            },
            Submission {
                about: None,
                ..one.clone()
            },
            Submission {
                about: Some(About {
                    route: "/b".to_owned(),
                    published: true,
                }),
                ..one.clone()
            },
        ];
        for other in changed {
            assert_ne!(other.content_hash(), hash, "{other:?}");
        }
    }

    #[test]
    fn fields_do_not_run_together() {
        let one = submission();
        let a = Submission {
            message: "ab".to_owned(),
            about: Some(About {
                route: "c".to_owned(),
                published: false,
            }),
            ..one.clone()
        };
        let b = Submission {
            message: "a".to_owned(),
            about: Some(About {
                route: "bc".to_owned(),
                published: false,
            }),
            ..one.clone()
        };
        let none = Submission {
            about: None,
            ..one.clone()
        };
        let blank = Submission {
            about: Some(About {
                route: String::new(),
                published: false,
            }),
            ..one
        };
        assert_ne!(a.content_hash(), b.content_hash());
        assert_ne!(none.content_hash(), blank.content_hash());
    }

    #[test]
    fn circumstances_do_not_count() {
        let one = submission();
        let hash = one.content_hash();
        let same = [
            Submission {
                message: "One\r\nTwo".to_owned(),
                ..one.clone()
            },
            Submission {
                message: "One\rTwo".to_owned(),
                ..one.clone()
            },
            Submission {
                artifact: "y".to_owned(),
                ..one.clone()
            },
            Submission {
                client: Some("editor".to_owned()),
                ..one.clone()
            },
            Submission {
                about: Some(About {
                    route: "/a".to_owned(),
                    published: false,
                }),
                ..one.clone()
            },
        ];
        for other in same {
            assert_eq!(other.content_hash(), hash, "{other:?}");
        }
    }

    #[test]
    fn the_longest_message_that_the_tool_lets_through_is_not_too_large() {
        let longest = Submission {
            message: "\u{1f980}".repeat(4_000),
            about: Some(About {
                route: "\u{1f980}".repeat(1_000),
                published: false,
            }),
            client: Some("\u{1f980}".repeat(101)),
            ..submission()
        };
        assert!(!longest.is_too_large());
        let larger = Submission {
            message: "x".repeat(MOST_BYTES),
            ..submission()
        };
        assert!(larger.is_too_large());
    }
}
