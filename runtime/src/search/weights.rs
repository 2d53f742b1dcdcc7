//! The weights of ranking, by name, in one place.

use serde::{Deserialize, Serialize};

/// What each signal of ranking weighs: what `tests/bench/learn.py` learns on this side. The weights of fields are in the artifact.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// The power of the share of words that a document holds, by which its score is multiplied.
    pub coverage_power: f32,
    /// What a title or heading adds that consists of just the words asked for, as a share of the score.
    pub line: f32,
    /// The power of the share of the question's weight that a line covers.
    pub line_power: f32,
    /// The part of a line's share that it has for covering the words, whatever else stands in it.
    pub line_coverage: f32,
    /// How much a heading counts, compared with the title.
    pub heading: f32,
    /// How much an alias counts, compared with the title.
    pub alias: f32,
    /// How much a word counts that stands with just the accents that were asked for, where a site writes it in several ways.
    pub as_written: f32,
    /// How much a near spelling counts that stands for a word that occurs nowhere.
    pub corrected: f32,
    /// How much a longer word counts that stands for a word that occurs nowhere.
    pub completed: f32,
    /// How much a part of a name counts that occurs nowhere whole.
    pub part: f32,
    /// How much the British spelling counts for the American one, and the other way round.
    pub spelling: f32,
    /// How much two words written as one count.
    pub joined: f32,
    /// How much one word written as two counts.
    pub split: f32,
    /// How much another name of the same thing counts.
    pub same: f32,
    /// How much another thing counts that is often meant.
    pub related: f32,
    /// What a related word weighs at most, as a share of what the word asked for weighs.
    pub related_most: f32,
    /// How much of a word a document holds that only holds a related one, in quarters.
    pub related_quarters: u8,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            coverage_power: 0.5,
            line: 1.3,
            line_power: 1.5,
            line_coverage: 0.4,
            heading: 1.0,
            alias: 1.0,
            as_written: 1.1,
            corrected: 0.78,
            completed: 0.78,
            part: 0.75,
            spelling: 1.0,
            joined: 0.8,
            split: 0.8,
            same: 1.0,
            related: 1.0,
            related_most: 0.7,
            related_quarters: 1,
        }
    }
}
