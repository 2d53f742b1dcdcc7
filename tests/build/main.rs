//! The builder as people run it: the real binary on real folders.

#[path = "../support/folder.rs"]
mod folder;

mod catalogue;
mod check;
mod documentation;
mod exports;
mod hidden;
mod inspect;
mod output;
mod private;
mod refused;
mod same_bytes;
mod serve;
mod sites;
mod twins;
mod wording;
