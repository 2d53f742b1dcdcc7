//! Pages as tools and searches need them: unpacked, and with what is worth doing once.
//!
//! Unpacking a page and finding the words in its text takes some twenty microseconds, and a search shows ten pages, so pages stay unpacked from call
//! to call, shared by all threads: at most [`MOST_KEPT`] bytes of them, those least asked for going first.
//!
//! A [`Page`] has its frame and its row in both forms of an answer at once. Its `Text` is made when a search first shows the page or looks for
//! quoted words in it.

pub(crate) mod kept;
pub(crate) mod text;

use std::sync::{Arc, OnceLock};

use artifact::format::{Artifact, Error, Frame, PageId};

use crate::mcp::Structured;
use kept::{Kept, Weigh};
use text::Text;

/// Bytes of unpacked pages that are kept: those of some 1,000 pages of usual length.
pub const MOST_KEPT: usize = 16 << 20;

/// A page, unpacked.
#[derive(Debug)]
pub struct Page {
    frame: Frame,
    open_row: Structured,
    text: OnceLock<Text>,
}

impl Page {
    fn new(frame: Frame) -> Self {
        Self {
            open_row: Structured::of(frame.row().strip_suffix('}').unwrap_or(frame.row())),
            frame,
            text: OnceLock::new(),
        }
    }

    /// What the artifact has of it.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The object that lists show, without its closing brace: more members may follow.
    pub fn open_row(&self) -> &Structured {
        &self.open_row
    }
}

impl Weigh for Page {
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.frame.size()
            + self.open_row.bytes()
            + self.text.get().map_or(0, Text::bytes)
    }
}

/// The pages that are kept.
#[derive(Debug)]
pub(crate) struct Pages(Kept<Page>);

impl Pages {
    /// None yet. At most `bytes` are kept.
    pub(crate) fn new(bytes: usize) -> Self {
        Self(Kept::new(bytes))
    }

    /// A page, unpacked now unless it was before.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn get(&self, artifact: &Artifact, page: PageId) -> Result<Arc<Page>, Error> {
        match self.0.get(page) {
            Some(known) => Ok(known),
            None => Ok(self.0.keep(page, Page::new(artifact.frames().get(page)?))),
        }
    }

    /// A page's text, read now unless it was before. `page` is what [`Pages::get`] gave for that number.
    pub(crate) fn text<'p>(&self, artifact: &Artifact, number: PageId, page: &'p Page) -> &'p Text {
        let mut is_new = false;
        let text = page.text.get_or_init(|| {
            is_new = true;
            Text::of(&page.frame, artifact.title(number))
        });
        if is_new {
            self.0.weigh(number);
        }
        text
    }
}
