//! One compressed frame a page: everything of the page that no look-up needs before the page is chosen.
//!
//! A frame is zstd with a content size, a checksum and one dictionary trained on the site's own pages, so that a page of a
//! few kilobytes is as small as in a large block and is read alone. Decompressed, it holds:
//!
//! ```text
//! text row | text info | varint headings | headings | varint spans | spans | varint cuts | cuts | markdown (to the end)
//! heading:  u8 level | varint start, less that of the heading before | text heading | text anchor
//! span:     varint (start - end of the span before) << 1 | joined | varint length
//! cut:      varint (offset - offset before) << 2 | rank (0 block, 1 part, 2 line, 3 line in a fence)
//!           | rank 3: varint start of the fence's marker | varint its length
//! ```
//!
//! *row* is the page's JSON object as a list shows it, *info* the start of its JSON object in `get_page_info`, without the
//! closing brace. Both are spliced into answers as they are.

use std::ops::Range;
use std::sync::Mutex;

use super::bytes::{Cursor, offset, put_text, put_varint};
use super::error::Error;
use super::header::Section;
use super::offsets::{self, Offsets};

/// No page is larger than this when decompressed: a length beyond it is damage, not a page.
pub const LARGEST_PAGE: usize = 1 << 28;

/// A heading of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading<'a> {
    /// 1 to 6.
    pub level: u8,
    /// Byte offset in the markdown of the heading's first byte.
    pub start: u32,
    /// Its plain text.
    pub text: &'a str,
    /// Its anchor, without `#`.
    pub anchor: &'a str,
}

/// A piece of plain text within the markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Byte offset in the markdown.
    pub start: u32,
    /// Byte offset behind its last byte.
    pub end: u32,
    /// Whether it goes on where the span before it ended, with no space between.
    pub joined: bool,
}

/// How good a place is to cut a page at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutRank {
    /// The end of a line of code, or of a very long table or HTML block.
    Line,
    /// The end of a list item, a table row, a paragraph within a quote.
    Part,
    /// The end of a block.
    Block,
}

/// A place at which a long page may be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Byte offset in the markdown: what stands before it is shown.
    pub offset: u32,
    /// How good the place is.
    pub rank: CutRank,
    /// The marker that opened the code block around the place, with its indentation: it must be closed after a cut.
    pub fence: Option<Range<u32>>,
}

/// A page as it is packed.
#[derive(Clone, Debug, Default)]
pub struct Page<'s> {
    /// The JSON object that lists show.
    pub row: &'s str,
    /// The JSON object of `get_page_info`, up to its sections and without the closing brace.
    pub info: &'s str,
    /// The page's headings, in order.
    pub headings: Vec<Heading<'s>>,
    /// The page's plain text, in order.
    pub spans: Vec<Span>,
    /// Where the page may be cut, ascending.
    pub cuts: Vec<Cut>,
    /// The published markdown.
    pub markdown: &'s str,
}

/// Lays a page down, uncompressed.
pub fn encode(page: &Page) -> Vec<u8> {
    let mut out =
        Vec::with_capacity(page.markdown.len() + page.row.len() * 2 + page.spans.len() * 3 + 64);
    put_text(&mut out, page.row);
    put_text(&mut out, page.info);
    put_varint(&mut out, page.headings.len() as u32);
    let mut previous = 0;
    for heading in &page.headings {
        out.push(heading.level);
        put_varint(&mut out, heading.start - previous);
        previous = heading.start;
        put_text(&mut out, heading.text);
        put_text(&mut out, heading.anchor);
    }
    put_varint(&mut out, page.spans.len() as u32);
    let mut previous = 0;
    for span in &page.spans {
        put_varint(
            &mut out,
            (span.start - previous) << 1 | u32::from(span.joined),
        );
        put_varint(&mut out, span.end - span.start);
        previous = span.end;
    }
    put_varint(&mut out, page.cuts.len() as u32);
    let mut previous = 0;
    for cut in &page.cuts {
        let rank = match (cut.rank, &cut.fence) {
            (_, Some(_)) => 3,
            (CutRank::Block, _) => 0,
            (CutRank::Part, _) => 1,
            (CutRank::Line, _) => 2,
        };
        put_varint(&mut out, (cut.offset - previous) << 2 | rank);
        previous = cut.offset;
        if let Some(fence) = &cut.fence {
            put_varint(&mut out, fence.start);
            put_varint(&mut out, fence.end - fence.start);
        }
    }
    out.extend_from_slice(page.markdown.as_bytes());
    out
}

/// A page's frame, decompressed. Its parts borrow from it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Row, info and markdown, one behind the other.
    text: String,
    row: usize,
    info: usize,
    /// Headings, spans and cuts as they are packed.
    marks: Vec<u8>,
    spans: usize,
    cuts: usize,
}

impl Frame {
    /// Finds the parts of a decompressed frame, and checks that each can be read.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let (row, info) = (cursor.text()?, cursor.text()?);
        let start = cursor.position();
        read_headings(&mut cursor)?;
        let spans = cursor.position() - start;
        for _ in 0..cursor.varint()? {
            cursor.varint()?;
            cursor.varint()?;
        }
        let cuts = cursor.position() - start;
        for _ in 0..cursor.varint()? {
            if cursor.varint()? & 3 == 3 {
                cursor.varint()?;
                cursor.varint()?;
            }
        }
        let marks = bytes.get(start..cursor.position())?;
        let markdown = std::str::from_utf8(cursor.rest()).ok()?;
        Some(Self {
            text: [row, info, markdown].concat(),
            row: row.len(),
            info: row.len() + info.len(),
            marks: marks.to_vec(),
            spans,
            cuts,
        })
    }

    /// How many bytes of memory it takes.
    pub fn size(&self) -> usize {
        self.text.len() + self.marks.len() + size_of::<Self>()
    }

    fn from(&self, at: usize) -> Cursor<'_> {
        Cursor::new(self.marks.get(at..).unwrap_or_default())
    }

    /// The JSON object that lists show.
    pub fn row(&self) -> &str {
        &self.text[..self.row]
    }

    /// The JSON object of `get_page_info`, up to its sections and without the closing brace.
    pub fn info(&self) -> &str {
        &self.text[self.row..self.info]
    }

    /// The published markdown.
    pub fn markdown(&self) -> &str {
        &self.text[self.info..]
    }

    /// The page's headings, in order.
    pub fn headings(&self) -> Vec<Heading<'_>> {
        read_headings(&mut self.from(0)).unwrap_or_default()
    }

    /// The pieces of plain text, in order, each within the markdown and on whole characters.
    pub fn spans(&self) -> impl Iterator<Item = Span> + '_ {
        let mut cursor = self.from(self.spans);
        let count = cursor.varint().unwrap_or(0);
        let mut at = 0u32;
        let markdown = self.markdown();
        (0..count).map_while(move |_| {
            let head = cursor.varint()?;
            let start = at.checked_add(head >> 1)?;
            let end = start.checked_add(cursor.varint()?)?;
            at = end;
            markdown.get(start as usize..end as usize)?;
            Some(Span {
                start,
                end,
                joined: head & 1 != 0,
            })
        })
    }

    /// The places at which the page may be cut, ascending; none where it is short enough not to need one.
    pub fn cuts(&self) -> impl Iterator<Item = Cut> + '_ {
        let mut cursor = self.from(self.cuts);
        let count = cursor.varint().unwrap_or(0);
        let mut offset = 0u32;
        let markdown = self.markdown();
        (0..count).map_while(move |_| {
            let head = cursor.varint()?;
            offset = offset.checked_add(head >> 2)?;
            markdown.get(offset as usize..)?;
            let fence = if head & 3 == 3 {
                let start = cursor.varint()?;
                let end = start.checked_add(cursor.varint()?)?;
                markdown.get(start as usize..end as usize)?;
                Some(start..end)
            } else {
                None
            };
            let rank = match head & 3 {
                0 => CutRank::Block,
                1 => CutRank::Part,
                _ => CutRank::Line,
            };
            Some(Cut {
                offset,
                rank,
                fence,
            })
        })
    }
}

fn read_headings<'a>(cursor: &mut Cursor<'a>) -> Option<Vec<Heading<'a>>> {
    let count = cursor.varint()?;
    let mut headings = Vec::with_capacity(count.min(256) as usize);
    let mut start = 0u32;
    for _ in 0..count {
        let level = cursor.byte()?;
        start = start.checked_add(cursor.varint()?)?;
        headings.push(Heading {
            level,
            start,
            text: cursor.text()?,
            anchor: cursor.text()?,
        });
    }
    Some(headings)
}

/// Trains a dictionary of at most `size` bytes on encoded pages; empty when there is too little to learn from.
///
/// Without a dictionary frames are larger and work the same.
pub fn train(samples: &[&[u8]], size: usize) -> Vec<u8> {
    zstd::dict::from_samples(samples, size).unwrap_or_default()
}

/// Compresses pages, all with one dictionary. One packer serves one thread.
pub struct Packer<'d> {
    compressor: zstd::bulk::Compressor<'d>,
}

impl Packer<'_> {
    /// Starts a packer. `level` is zstd's, 1 to 22.
    ///
    /// # Errors
    /// [`Error::Compression`].
    pub fn new(dictionary: &[u8], level: i32) -> Result<Self, Error> {
        let mut compressor = zstd::bulk::Compressor::with_dictionary(level, dictionary)
            .map_err(|_| Error::Compression)?;
        compressor
            .include_checksum(true)
            .map_err(|_| Error::Compression)?;
        compressor
            .include_contentsize(true)
            .map_err(|_| Error::Compression)?;
        compressor
            .include_dictid(false)
            .map_err(|_| Error::Compression)?;
        Ok(Self { compressor })
    }

    /// Compresses one encoded page.
    ///
    /// # Errors
    /// [`Error::TooLarge`] past [`LARGEST_PAGE`], [`Error::Compression`].
    pub fn pack(&mut self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        if encoded.len() > LARGEST_PAGE {
            return Err(Error::TooLarge {
                what: "bytes of one page",
                got: encoded.len(),
                most: LARGEST_PAGE,
            });
        }
        self.compressor
            .compress(encoded)
            .map_err(|_| Error::Compression)
    }
}

/// Writes [`Section::FrameTable`] and [`Section::Frames`] from the compressed frames. When all are empty, so are the sections.
///
/// # Errors
/// [`Error::TooLarge`] past 4 GiB.
pub fn write(frames: &[Vec<u8>]) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let mut offsets = vec![0];
    let mut blob = Vec::with_capacity(frames.iter().map(Vec::len).sum());
    for frame in frames {
        blob.extend_from_slice(frame);
        offsets.push(offset(&blob, "bytes of pages")?);
    }
    if blob.is_empty() {
        return Ok((Vec::new(), blob));
    }
    Ok((offsets::write(&offsets, &[]), blob))
}

/// The frames, read in place and decompressed one at a time.
pub struct Frames<'a> {
    dictionary: &'a [u8],
    pages: u32,
    /// None where there are no frames.
    offsets: Option<Offsets<'a>>,
    blob: &'a [u8],
    idle: Mutex<Vec<Unpacker>>,
}

/// What a page is unpacked with, kept from page to page.
struct Unpacker {
    /// It knows the dictionary: loading that costs as much as reading a hundred pages.
    decompressor: zstd::bulk::Decompressor<'static>,
    bytes: Vec<u8>,
}

impl std::fmt::Debug for Frames<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frames")
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}

impl<'a> Frames<'a> {
    /// Opens the three sections over `pages` pages.
    pub fn open(dictionary: &'a [u8], table: &'a [u8], blob: &'a [u8], pages: u32) -> Option<Self> {
        let mut offsets = None;
        if !table.is_empty() || !blob.is_empty() {
            let (found, rest) = Offsets::open(table, (pages as usize).checked_add(1)?)?;
            let whole = rest.is_empty() && found.get(pages as usize)? == blob.len();
            offsets = Some(whole.then_some(found)?);
        }
        Some(Self {
            dictionary,
            pages,
            offsets,
            blob,
            idle: Mutex::new(Vec::new()),
        })
    }

    /// The compressed bytes of a page's frame.
    pub fn packed(&self, page: u32) -> Option<&'a [u8]> {
        self.blob.get(self.offsets.as_ref()?.range(page as usize)?)
    }

    /// Decompresses a page. Cost: 2 to 5 µs for a page of usual length.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the frame does not agree with its checksum or its layout.
    pub fn get(&self, page: u32) -> Result<Frame, Error> {
        let damaged = Error::Damaged(Section::Frames);
        let packed = self
            .packed(page)
            .ok_or(Error::Damaged(Section::FrameTable))?;
        let size = zstd::zstd_safe::get_frame_content_size(packed)
            .ok()
            .flatten()
            .ok_or(damaged.clone())?;
        let size = usize::try_from(size)
            .ok()
            .filter(|size| *size <= LARGEST_PAGE)
            .ok_or(damaged.clone())?;
        let waiting = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut unpacker = match waiting {
            Some(unpacker) => unpacker,
            None => Unpacker {
                decompressor: zstd::bulk::Decompressor::with_dictionary(self.dictionary)
                    .map_err(|_| Error::Damaged(Section::Dictionary))?,
                bytes: Vec::new(),
            },
        };
        let frame = unpacker.unpack(packed, size);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(unpacker);
        }
        frame.ok_or(damaged)
    }
}

impl Unpacker {
    /// Memory that is kept between two pages; a page that needs more gives it back.
    const MOST_KEPT: usize = 1 << 20;

    fn unpack(&mut self, packed: &[u8], size: usize) -> Option<Frame> {
        self.bytes.clear();
        self.bytes.reserve(size);
        let unpacked = self
            .decompressor
            .decompress_to_buffer(packed, &mut self.bytes);
        let whole = unpacked.is_ok_and(|unpacked| unpacked == size);
        let frame = whole.then(|| Frame::decode(&self.bytes)).flatten();
        if size > Self::MOST_KEPT {
            self.bytes = Vec::new();
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(markdown: &str) -> Page<'_> {
        Page {
            row: "{\"route\":\"/a\"}",
            info: "{\"route\":\"/a\"",
            headings: vec![Heading {
                level: 1,
                start: 0,
                text: "Title",
                anchor: "title",
            }],
            spans: vec![
                Span {
                    start: 2,
                    end: 7,
                    joined: false,
                },
                Span {
                    start: 8,
                    end: 13,
                    joined: true,
                },
            ],
            cuts: vec![
                Cut {
                    offset: 8,
                    rank: CutRank::Block,
                    fence: None,
                },
                Cut {
                    offset: 10,
                    rank: CutRank::Line,
                    fence: Some(2..5),
                },
            ],
            markdown,
        }
    }

    #[test]
    fn a_page_comes_back_whole() {
        let markdown = "# Title\nhello world";
        let encoded = encode(&page(markdown));
        let packed = Packer::new(&[], 9).unwrap().pack(&encoded).unwrap();
        let (table, blob) = write(&[packed]).unwrap();
        let frames = Frames::open(&[], &table, &blob, 1).unwrap();
        for _ in 0..2 {
            let frame = frames.get(0).unwrap();
            let expected = page(markdown);
            assert_eq!(
                (frame.row(), frame.info(), frame.markdown()),
                (expected.row, expected.info, markdown)
            );
            assert_eq!(frame.headings(), expected.headings);
            assert_eq!(frame.spans().collect::<Vec<_>>(), expected.spans);
            assert_eq!(frame.cuts().collect::<Vec<_>>(), expected.cuts);
        }
        assert!(frames.get(1).is_err());
    }

    #[test]
    fn every_flipped_byte_of_a_frame_is_noticed() {
        let packed = Packer::new(&[], 9)
            .unwrap()
            .pack(&encode(&page("# Title\nhello world")))
            .unwrap();
        for at in 0..packed.len() {
            let mut broken = packed.clone();
            broken[at] ^= 0x55;
            let (table, blob) = write(&[broken]).unwrap();
            assert!(
                Frames::open(&[], &table, &blob, 1).unwrap().get(0).is_err(),
                "byte {at}"
            );
        }
    }

    #[test]
    fn any_bytes_decode_to_a_frame_or_to_nothing() {
        let encoded = encode(&page("# Title\nhello wörld"));
        for at in 0..encoded.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut broken = encoded.clone();
                broken[at] ^= flip;
                if let Some(frame) = Frame::decode(&broken) {
                    drop((
                        frame.headings(),
                        frame.spans().count(),
                        frame.cuts().count(),
                        frame.markdown(),
                    ));
                }
            }
            drop(Frame::decode(&encoded[..at]));
        }
    }
}
