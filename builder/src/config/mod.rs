//! What a site may decide about itself, and how it says so.
//!
//! `settings` holds the types with their defaults, `keys` documents every key of `shelfmark.toml`, `read` reads that file and
//! tells everything that is wrong with it, `guess` fills in what it does not say, and `pattern` makes routes. A site without
//! any configuration is read with guesses alone, and each guess is told.

pub mod guess;
pub mod keys;
pub mod names;
pub mod pattern;
mod read;
pub mod settings;

pub use keys::{KEYS, Key};
pub(crate) use read::{Draft, read};
pub use settings::{
    CollectionSettings, ExportSettings, FeedbackSettings, FieldKind, FieldSettings, HtmlSettings,
    Limits, PageSettings, SearchSettings, ServerSettings, Settings, SiteSettings, TagSettings,
};
