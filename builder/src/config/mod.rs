//! What a site may decide about itself, and how it says so.
//!
//! `settings` holds the types, every key with its default.

pub mod settings;

pub use settings::{
    CollectionSettings, FeedbackSettings, FieldKind, FieldSettings, Limits, PageSettings,
    ServerSettings, Settings, SiteSettings, TagSettings,
};
