//! How text becomes terms: the one tokenizer of builder and runtime.
//!
//! A *token* is a piece of text with its place ([`tokens`]); a *term* is what stands in the index ([`Analyzer`]). Text is cut into
//! tokens by script and shape, each token is folded (lower case, without diacritics) and, where it is a plain word, stemmed:
//!
//! ```text
//! "Using C++ and getElementById in naïve code"
//!  tokens: Using · C++ · and · getElementById · in · naïve · code
//!  terms:  use · c++ · and · getelementbyid get element by id · in · naiv · code
//! ```
//!
//! An identifier gives itself whole and its parts when it is indexed. A query asks for the whole first and for the parts only when no
//! document holds the whole, so that a precise question keeps a precise answer. A run of Chinese, Japanese, Korean, Thai, Lao,
//! Khmer or Burmese letters, which write no spaces, gives overlapping pairs of characters.
//!
//! Stems belong to a language. Each page is read in its own; a question is read in every language that the site's documents are in, and finds
//! what any of the readings finds ([`Analyzers`]).
//!
//! Nothing is dropped for being frequent: function words are in the index, and only a query leaves them out, where it has others.
//! What is dropped: tokens of more than [`LONGEST_TERM`] bytes, which are encoded data rather than words.
//!
//! A change of any rule here raises [`VERSION`]: an index cut by one rule must not be asked by another.

mod analyzer;
mod english;
mod form;
mod language;
mod query;
mod scan;
pub mod synonyms;
mod version;

pub use analyzer::{Analyzer, Analyzers, lower, unmarked};
pub use form::{FIRST_BYTE_OF_FORMS, folded_words, form, word_of_form};
pub use language::Language;
pub use query::{Phrase, Query, Word};
pub use scan::{Shape, Token, is_unspaced, tokens};
pub use version::version_parts;

/// The version of the rules. It stands in the header of every artifact.
pub const VERSION: u32 = 2;

/// Bytes of the longest term that is indexed.
pub const LONGEST_TERM: usize = 40;
