//! What the fields of a document weigh.

use serde::{Deserialize, Serialize};

/// The weights of the impacts: what `tests/bench/learn.py` learns on this side.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// The title.
    pub title: Field,
    /// Each heading.
    pub headings: Field,
    /// The description.
    pub description: Field,
    /// The aliases.
    pub aliases: Field,
    /// The tags, by slug and by title.
    pub tags: Field,
    /// The text; headings stand in it as well.
    pub body: Field,
    /// How soon more occurrences stop counting: BM25's `k1`, over all fields together.
    pub saturation: f32,
}

/// One field.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What an occurrence counts.
    pub weight: f32,
    /// How much the field's length counts, from 0 (not at all) to 1 (an occurrence in a text twice as long counts half): BM25's `b`.
    pub length: f32,
}

impl Default for Weights {
    fn default() -> Self {
        let field = |weight, length| Field { weight, length };
        Self {
            title: field(8.0, 0.1),
            headings: field(2.2, 0.45),
            description: field(2.5, 0.3),
            aliases: field(6.0, 0.3),
            tags: field(2.0, 0.3),
            body: field(1.0, 0.7),
            saturation: 2.2,
        }
    }
}
