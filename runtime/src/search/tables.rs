//! Titles, aliases and headings of documents, laid out in memory so that a question's words are found in them at once.
//!
//! The artifact keeps lines one behind the other, which is small, and slow to look through. A document that has come up before has a
//! table beside, in which each word of its lines stands once:
//!
//! ```text
//! u16 words | names, which are the title and the aliases | 1: the first name is the title, 2: a line holds a word twice | lines
//! names:   the hash of its whole words in their order
//! words:   their hashes, up to a multiple of eight: filled with a hash that is none of them
//!          | for each a bit a line that holds it | with 2: for each a bit a line that holds it twice
//!          | for each the least weight of a heading that holds it
//! lines:   the weight of each
//! ```
//!
//! Of the lines that hold one word of the question and no other, the lightest is the best. So a question looks at one number a word, and at those lines alone that
//! hold several of its words, or one twice. Tables are made from the second search on, since the first has no time to lose, and up to a bound.

use std::sync::RwLock;

use artifact::format::{Artifact, LineKind, LineView, PageId};

/// Lines of a document with a table; those of others are read in the artifact.
const MOST_LINES: usize = 128;
/// What all tables may take: 16 MiB.
const MOST_BYTES: usize = 16 << 20;
/// Hashes that are compared together.
const TOGETHER: usize = 8;
/// The place of a document that has not been looked at.
const UNKNOWN: u32 = 0;
/// The place of a document without a table.
const WITHOUT: u32 = 1;
/// Places of tables are counted from here.
const FIRST: u32 = 2;

/// The tables of all documents that have one.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Whether there has been a search.
    searched: bool,
    /// Where the table of each document starts.
    places: Vec<u32>,
    numbers: Vec<u16>,
}

impl Tables {
    /// The table of a document.
    #[inline]
    pub(super) fn get(&self, document: u32) -> Option<Table<'_>> {
        let place = self.places.get(document as usize)?.checked_sub(FIRST)?;
        Table::read(self.numbers.get(place as usize..)?)
    }

    /// Lays out the lines of a document.
    fn add<'a>(&mut self, document: u32, lines: impl Iterator<Item = LineView<'a>>) {
        let Some(place) = self.places.get_mut(document as usize) else {
            return;
        };
        if *place != UNKNOWN {
            return;
        }
        let start = self.numbers.len();
        *place = if start * 2 < MOST_BYTES
            && write(lines.map(NewLine::of), &mut self.numbers).is_some()
        {
            start as u32 + FIRST
        } else {
            self.numbers.truncate(start);
            WITHOUT
        };
    }
}

/// Lays out the lines of documents that a search found without a table, but for the first search.
pub(super) fn learn(tables: &RwLock<Tables>, artifact: &Artifact, documents: &[PageId]) {
    let is_new = |known: &Tables| {
        let is_unknown = |document: &PageId| known.places.get(*document as usize) == Some(&UNKNOWN);
        known.places.is_empty() || documents.iter().any(is_unknown)
    };
    if documents.is_empty() || !tables.read().is_ok_and(|known| is_new(&known)) {
        return;
    }
    let Ok(mut tables) = tables.write() else {
        return;
    };
    if !tables.searched {
        tables.searched = true;
        return;
    }
    if tables.places.is_empty() {
        tables.places = vec![UNKNOWN; artifact.pages().documents() as usize];
    }
    let headings = artifact.headings();
    for document in documents {
        tables.add(*document, headings.lines(*document));
    }
}

/// A line while a table is made.
struct NewLine<H> {
    kind: LineKind,
    weight: u32,
    /// [`order_of`] its whole words.
    order: u32,
    hashes: H,
}

impl NewLine<()> {
    fn of(line: LineView<'_>) -> NewLine<impl Iterator<Item = u16>> {
        NewLine {
            kind: line.kind,
            weight: line.weight,
            order: order_of(line.whole()),
            hashes: line.hashes(),
        }
    }
}

/// A word while a table is made.
struct NewWord {
    hash: u16,
    held: Held,
}

/// Writes a table; `None` for a document whose lines are too many, or hold a word three times.
fn write<H: Iterator<Item = u16>>(
    lines: impl Iterator<Item = NewLine<H>>,
    out: &mut Vec<u16>,
) -> Option<()> {
    let mut words: Vec<NewWord> = Vec::new();
    let (mut names, mut weights) = (Vec::new(), Vec::new());
    let mut has_title = false;
    for line in lines {
        let bit = 1u128.checked_shl(weights.len() as u32)?;
        has_title |= line.kind == LineKind::Title;
        if line.kind != LineKind::Heading {
            names.push(line.order);
        }
        for hash in line.hashes {
            let place = words.iter().position(|other| other.hash == hash);
            let place = place.unwrap_or_else(|| {
                let held = Held {
                    lines: 0,
                    twice: 0,
                    least: u32::MAX,
                };
                words.push(NewWord { hash, held });
                words.len() - 1
            });
            let held = &mut words[place].held;
            if held.twice & bit != 0 {
                return None;
            }
            held.twice |= held.lines & bit;
            held.lines |= bit;
            if line.kind == LineKind::Heading {
                held.least = line.weight.min(held.least);
            }
        }
        weights.push(line.weight);
    }
    let has_twice = words.iter().any(|word| word.held.twice != 0);
    let count = |count: usize| u16::try_from(count).ok();
    out.extend([
        count(words.len())?,
        count(names.len())?,
        u16::from(has_title) | u16::from(has_twice) << 1,
        count(weights.len())?,
    ]);
    let mut put = |number: u32| out.extend([number as u16, (number >> 16) as u16]);
    names.iter().for_each(|order| put(*order));
    let free = (0..=u16::MAX).find(|free| words.iter().all(|word| word.hash != *free))?;
    out.extend(words.iter().map(|word| word.hash));
    let filled = words.len().next_multiple_of(TOGETHER) - words.len();
    out.extend(std::iter::repeat_n(free, filled));
    let parts = 0..mask_length(weights.len());
    let mut put_mask =
        |mask: u128| out.extend(parts.clone().map(|part| (mask >> (16 * part)) as u16));
    words.iter().for_each(|word| put_mask(word.held.lines));
    if has_twice {
        words.iter().for_each(|word| put_mask(word.held.twice));
    }
    let mut put = |number: u32| out.extend([number as u16, (number >> 16) as u16]);
    words.iter().for_each(|word| put(word.held.least));
    weights.iter().for_each(|weight| put(*weight));
    Some(())
}

/// One number for words in their order: different for nearly all.
pub(super) fn order_of(words: impl Iterator<Item = u16>) -> u32 {
    words.fold(0, |order: u32, word| {
        (order.rotate_left(5) ^ u32::from(word)).wrapping_mul(0x9e37_79b1)
    })
}

fn mask_length(lines: usize) -> usize {
    lines.min(MOST_LINES).div_ceil(16)
}

/// A word in a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// A bit for each line that holds it.
    pub(super) lines: u128,
    /// A bit for each line that holds it twice.
    pub(super) twice: u128,
    /// The least weight of a heading that holds it; `u32::MAX` when none does.
    pub(super) least: u32,
}

/// The table of one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'t> {
    has_title: bool,
    /// The hash of the words of each name, low half first.
    names: &'t [u16],
    hashes: &'t [u16],
    mask_length: usize,
    masks: &'t [u16],
    /// Empty when no line holds a word twice.
    twice: &'t [u16],
    least: &'t [u16],
    weights: &'t [u16],
}

impl<'t> Table<'t> {
    fn read(numbers: &'t [u16]) -> Option<Self> {
        let ([words, names, flags, lines], numbers) = numbers.split_first_chunk()?;
        let (words, lines) = (usize::from(*words), usize::from(*lines));
        let mask_length = mask_length(lines);
        let (names, numbers) = numbers.split_at_checked(2 * usize::from(*names))?;
        let (hashes, numbers) = numbers.split_at_checked(words.next_multiple_of(TOGETHER))?;
        let (masks, numbers) = numbers.split_at_checked(words * mask_length)?;
        let twice = if flags & 2 != 0 { masks.len() } else { 0 };
        let (twice, numbers) = numbers.split_at_checked(twice)?;
        let (least, numbers) = numbers.split_at_checked(2 * words)?;
        Some(Self {
            has_title: flags & 1 != 0,
            names,
            hashes,
            mask_length,
            masks,
            twice,
            least,
            weights: numbers.get(..2 * lines)?,
        })
    }

    /// A word, when one of the lines holds it.
    #[inline]
    pub(super) fn find(&self, hash: u16) -> Option<Held> {
        // Eight at a time, without a branch: hashes differ, so that one at most adds its place.
        let mut found = [0u16; TOGETHER];
        let mut places: [u16; TOGETHER] = std::array::from_fn(|place| place as u16 + 1);
        for eight in self.hashes.as_chunks::<TOGETHER>().0 {
            for place in 0..TOGETHER {
                found[place] |= if eight[place] == hash {
                    places[place]
                } else {
                    0
                };
                places[place] += TOGETHER as u16;
            }
        }
        let found = found.iter().fold(0, |all, place| all | place);
        let place = usize::from(found).checked_sub(1)?;
        let range = place * self.mask_length..(place + 1) * self.mask_length;
        let mask = |masks: &[u16]| {
            let parts = masks.iter().rev();
            parts.fold(0, |mask, part| mask << 16 | u128::from(*part))
        };
        Some(Held {
            lines: mask(self.masks.get(range.clone())?),
            twice: self.twice.get(range).map_or(0, mask),
            least: number_at(self.least, place)?,
        })
    }

    /// A bit for each line that is a name.
    pub(super) fn names(&self) -> u128 {
        (1u128.checked_shl(self.names.len() as u32 / 2)).map_or(u128::MAX, |bit| bit - 1)
    }

    /// What a line is.
    pub(super) fn kind(&self, line: u32) -> LineKind {
        match line {
            0 if self.has_title => LineKind::Title,
            _ if self.names() >> line & 1 == 1 => LineKind::Alias,
            _ => LineKind::Heading,
        }
    }

    /// The weight of a line.
    pub(super) fn weight(&self, line: u32) -> u32 {
        number_at(self.weights, line as usize).unwrap_or_default()
    }

    /// Whether the words of a name may be those of which this is [`order_of`].
    pub(super) fn may_be_named(&self, order: u32) -> bool {
        let mut names = self.names.as_chunks::<2>().0.iter();
        names.any(|[low, high]| u32::from(*high) << 16 | u32::from(*low) == order)
    }
}

fn number_at(numbers: &[u16], place: usize) -> Option<u32> {
    let [low, high] = numbers.get(2 * place..)?.first_chunk()?;
    Some(u32::from(*high) << 16 | u32::from(*low))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of lines: what each is, its words and its weight.
    fn table(lines: &[(LineKind, &[u16], u32)]) -> Option<Vec<u16>> {
        let lines = lines.iter().map(|(kind, hashes, weight)| NewLine {
            kind: *kind,
            weight: *weight,
            order: order_of(hashes.iter().copied()),
            hashes: hashes.iter().copied(),
        });
        let mut numbers = Vec::new();
        write(lines, &mut numbers).map(|()| numbers)
    }

    #[test]
    fn a_table_says_which_lines_hold_a_word_and_the_lightest_heading() {
        use LineKind::{Alias, Heading, Title};
        let many: Vec<u16> = (100..119).collect();
        let numbers = table(&[
            (Title, &[1, 2], 8),
            (Alias, &[0, 2], 8),
            (Heading, &[2, 3, 2], 12),
            (Heading, &many, 15),
            (Heading, &[2], 4),
        ])
        .unwrap();
        let table = Table::read(&numbers).unwrap();
        let found = |hash| {
            table
                .find(hash)
                .map(|held| (held.lines, held.twice, held.least))
        };
        assert_eq!(found(1), Some((0b00001, 0, u32::MAX)));
        assert_eq!(found(2), Some((0b10111, 0b00100, 4)));
        assert_eq!(found(0), Some((0b00010, 0, u32::MAX)));
        assert_eq!(found(118), Some((0b01000, 0, 15)));
        // Zero, one, two and three are taken, so that what fills up is four.
        assert_eq!((found(4), found(119)), (None, None));
        assert_eq!(table.names(), 0b11);
        let kinds: Vec<_> = (0..5)
            .map(|line| (table.kind(line), table.weight(line)))
            .collect();
        let expected = [
            (Title, 8),
            (Alias, 8),
            (Heading, 12),
            (Heading, 15),
            (Heading, 4),
        ];
        assert_eq!(kinds, expected);
        assert!(table.may_be_named(order_of([0, 2].into_iter())));
        assert!(!table.may_be_named(order_of([2, 1].into_iter())));
    }

    #[test]
    fn a_document_of_very_many_lines_has_no_table() {
        let heading: (_, &[u16], _) = (LineKind::Heading, &[1], 4);
        let numbers = table(&vec![heading; 128]).unwrap();
        let held = Table::read(&numbers).unwrap().find(1).unwrap();
        assert_eq!(held.lines, u128::MAX);
        assert!(table(&vec![heading; 129]).is_none());
        assert!(table(&[(LineKind::Heading, &[1, 1, 1], 4)]).is_none());
    }
}
