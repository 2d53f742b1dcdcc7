//! How a page is addressed.
//!
//! A *route* names a page on its site: it starts with `/`, has no base path, is percent-decoded, in Unicode form NFC, without a
//! trailing slash (but for the root, `/`), without empty, `.` or `..` segments, and safe to print on one line. Builder and runtime
//! both go through [`canonical`], so a page that was built can be asked for. Absolute addresses are only ever made by [`Address`].
//!
//! ```
//! use artifact::route::{Address, as_asked, canonical};
//! let address = Address::parse("https://example.org/docs/", false).unwrap();
//! assert_eq!(canonical("/wiki/%E6%A3%80%E7%B4%A2/"), "/wiki/检索");
//! assert_eq!(address.url("/wiki/检索"), "https://example.org/docs/wiki/%E6%A3%80%E7%B4%A2");
//! assert!(as_asked("https://example.org/docs/wiki/%e6%a3%80%e7%b4%a2.html?x=1", &address).routes.contains(&"/wiki/检索".to_owned()));
//! ```

mod address;
mod anchor;
mod asked;
mod canonical;
mod slug;

pub use address::{Address, AddressError};
pub use anchor::{Anchors, Slugger};
pub use asked::{Asked, as_asked};
pub use canonical::{anchored, canonical, decoded, fold_case, join, markdown_path, slug_of};
pub use slug::{slugify, tag_slug};
