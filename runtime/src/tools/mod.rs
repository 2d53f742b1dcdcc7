//! What each tool answers: typed arguments in, an answer out.
//!
//! A tool sees the artifact and a [`Call`](artifact::catalogue::Call) that was understood. It knows no envelope, no HTTP and no
//! clock, and it changes nothing: `submit_feedback` only says what is to be stored. An answer is one of four:
//!
//! | answer | form |
//! |---|---|
//! | here it is | structured content, and the same JSON as text; `get_page_markdown` and `man` answer with a text instead |
//! | you asked wrongly | an error whose text starts with `Error: ` and tells how to ask ([`artifact::catalogue::Refusal`]) |
//! | it is not there | an error that names what is near, and the tool that lists what there is ([`absent`]) |
//! | we failed | an error without details; the log has them |
//!
//! ```
//! use runtime::tools::cut::{Limits, cut};
//! // A page of two blocks that is too long for the bound is shown up to the end of the first.
//! let shown = cut("One.\n\nTwo and more.\n", 0..20, &[], &Limits { chars: 200, bytes: 1_000 });
//! assert_eq!(shown.text, "One.\n\nTwo and more.\n");
//! assert!(!shown.is_cut());
//! ```

pub mod absent;
pub mod answer;
pub mod bounded;
pub mod collection;
pub mod cut;
pub mod get_page_info;
pub mod get_page_markdown;
pub mod get_post;
pub mod list_collections;
pub mod list_pages;
pub mod list_tags;
pub mod lookup;
pub mod man;
pub mod related;
pub mod search_content;
pub mod shelf;
pub mod submit_feedback;

pub use shelf::Shelf;
