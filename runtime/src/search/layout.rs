//! The lines of one document, laid out so that a word is found in them at once.
//!
//! A *table* has each word of the lines once:
//!
//! ```text
//! u16 words | names, which are the title and the aliases | flags | lines | 128 bits: for each word that of its lowest seven bits
//! flags:   1: the first name is the title; 2: a line holds a word twice; 4: a line holds a word more often; 8: another part follows
//! names:   the hash of its whole words in their order
//! words:   their hashes, up to a multiple of eight: filled with a hash that is none of them
//!          | for each the least weight of a heading that holds it, a bit a line that holds it, with 2: a bit a line that holds it twice
//! lines:   the weight of each
//! with 4:  how many numbers follow | a word and a line for each time beyond the second
//! ```
//!
//! A part has 128 lines at most.
//!
//! Of the lines that hold one word of the question and no other, the lightest is the best. So a question looks at one number a word, and at those lines alone that
//! hold several of its words, or one twice.

use artifact::format::{LineKind, LineView};

/// Lines of one part of a table; a document of more has several.
const MOST_LINES: usize = 128;
/// Hashes that are compared together.
const TOGETHER: usize = 8;

/// The first of a table's names is the title.
const HAS_TITLE: u16 = 1;
/// A line holds a word twice.
const HAS_TWICE: u16 = 2;
/// A line holds a word more often than that.
const HAS_MORE: u16 = 4;
/// Another part of the table follows.
const GOES_ON: u16 = 8;

/// A line while a table is made.
pub(super) struct NewLine<H> {
    kind: LineKind,
    weight: u32,
    /// [`order_of`] its whole words.
    order: u32,
    hashes: H,
}

impl NewLine<()> {
    pub(super) fn of(line: LineView<'_>) -> NewLine<impl Iterator<Item = u16>> {
        NewLine {
            kind: line.kind,
            weight: line.weight,
            order: order_of(line.whole()),
            hashes: line.hashes(),
        }
    }
}

/// A word while a part of a table is made.
struct NewWord {
    hash: u16,
    held: Held,
}

/// Writes a table, part by part; `None` where a number does not fit.
pub(super) fn write<H: Iterator<Item = u16>>(
    lines: impl Iterator<Item = NewLine<H>>,
    out: &mut Vec<u16>,
) -> Option<()> {
    let mut lines = lines.peekable();
    loop {
        let flags = out.len() + 2;
        write_part(lines.by_ref().take(MOST_LINES), out)?;
        if lines.peek().is_none() {
            return Some(());
        }
        out[flags] |= GOES_ON;
    }
}

fn write_part<H: Iterator<Item = u16>>(
    lines: impl Iterator<Item = NewLine<H>>,
    out: &mut Vec<u16>,
) -> Option<()> {
    let mut words: Vec<NewWord> = Vec::new();
    let (mut names, mut weights, mut more) = (Vec::new(), Vec::new(), Vec::new());
    let mut flags = 0;
    for line in lines {
        let number = weights.len() as u16;
        let bit = 1u128 << number;
        match line.kind {
            LineKind::Title => {
                flags |= HAS_TITLE;
                names.push(line.order);
            }
            LineKind::Alias => names.push(line.order),
            LineKind::Heading => {}
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
                more.extend([hash, number]);
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
    flags |= if has_twice { HAS_TWICE } else { 0 };
    flags |= if more.is_empty() { 0 } else { HAS_MORE };
    let count = |count: usize| u16::try_from(count).ok();
    out.extend([
        count(words.len())?,
        count(names.len())?,
        flags,
        count(weights.len())?,
    ]);
    let bits = words.iter().fold(0, |bits, word| bits | bit_of(word.hash));
    out.extend((0..8).map(|place| (bits >> (16 * place)) as u16));
    let halves = |number: u32| [number as u16, (number >> 16) as u16];
    out.extend(names.iter().flat_map(|order| halves(*order)));
    let free = (0..=u16::MAX).find(|free| words.iter().all(|word| word.hash != *free))?;
    out.extend(words.iter().map(|word| word.hash));
    let filled = words.len().next_multiple_of(TOGETHER) - words.len();
    out.extend(std::iter::repeat_n(free, filled));
    for NewWord { held, .. } in &words {
        out.extend(halves(held.least));
        let masks = if has_twice { 2 } else { 1 };
        for mask in &[held.lines, held.twice][..masks] {
            let parts = 0..mask_length(weights.len());
            out.extend(parts.map(|part| (mask >> (16 * part)) as u16));
        }
    }
    out.extend(weights.iter().flat_map(|weight| halves(*weight)));
    if !more.is_empty() {
        out.push(count(more.len())?);
        out.append(&mut more);
    }
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

/// A word in a part of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// A bit for each line that holds it.
    pub(super) lines: u128,
    /// A bit for each line that holds it twice, or more often.
    pub(super) twice: u128,
    /// The least weight of a heading that holds it; `u32::MAX` when none does.
    pub(super) least: u32,
}

/// A part of the table of one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'t> {
    /// The bits of its words, by [`bit_of`]: most words that it does not hold have none of them.
    pub(super) bits: u128,
    flags: u16,
    /// The hash of the words of each name, low half first.
    names: &'t [u16],
    hashes: &'t [u16],
    mask_length: usize,
    /// For each word the least weight and the masks.
    words: &'t [u16],
    weights: &'t [u16],
    /// What is behind the weights.
    behind: &'t [u16],
}

/// The start of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'t> {
    words: u16,
    /// What is behind.
    numbers: &'t [u16],
}

impl<'t> Start<'t> {
    #[inline]
    pub(super) fn of(numbers: &'t [u16]) -> Option<Self> {
        let (words, numbers) = numbers.split_first()?;
        Some(Self {
            words: *words,
            numbers,
        })
    }

    /// The table.
    #[inline]
    pub(super) fn table(self) -> Option<Table<'t>> {
        Table::read(self.words, self.numbers)
    }
}

/// The bit that a word has among the bits of a table.
#[inline]
pub(super) fn bit_of(hash: u16) -> u128 {
    1 << (hash % 128)
}

impl<'t> Table<'t> {
    #[inline]
    fn read(words: u16, numbers: &'t [u16]) -> Option<Self> {
        let ([names, flags, lines], numbers) = numbers.split_first_chunk()?;
        let (bits, numbers) = numbers.split_first_chunk::<8>()?;
        let (words, lines) = (usize::from(words), usize::from(*lines));
        let mask_length = mask_length(lines);
        let (names, numbers) = numbers.split_at_checked(2 * usize::from(*names))?;
        let (hashes, numbers) = numbers.split_at_checked(words.next_multiple_of(TOGETHER))?;
        let (words, numbers) = numbers.split_at_checked(words * size_of(mask_length, *flags))?;
        let (weights, behind) = numbers.split_at_checked(2 * lines)?;
        let bits = bits.iter().rev();
        Some(Self {
            bits: bits.fold(0, |bits, sixteen| bits << 16 | u128::from(*sixteen)),
            flags: *flags,
            names,
            hashes,
            mask_length,
            words,
            weights,
            behind,
        })
    }

    /// The next part of the document's table.
    #[inline]
    pub(super) fn next(&self) -> Option<Self> {
        if self.flags & GOES_ON == 0 {
            return None;
        }
        let more = self.more().map_or(0, |more| more.len() + 1);
        Start::of(self.behind.get(more..)?)?.table()
    }

    /// Pairs of a word and a line, one for each time that the line holds the word beyond the second.
    fn more(&self) -> Option<&'t [u16]> {
        if self.flags & HAS_MORE == 0 {
            return None;
        }
        let (length, pairs) = self.behind.split_first()?;
        pairs.get(..usize::from(*length))
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
        let size = size_of(self.mask_length, self.flags);
        let ([low, high], masks) = self.words.get(place * size..)?.split_first_chunk()?;
        let (lines, masks) = masks.split_at_checked(self.mask_length)?;
        let mask = |masks: &[u16]| match masks {
            [only] => u128::from(*only),
            masks => {
                let parts = masks.iter().rev();
                parts.fold(0, |mask, part| mask << 16 | u128::from(*part))
            }
        };
        let twice = if self.flags & HAS_TWICE == 0 {
            0
        } else {
            masks.get(..self.mask_length).map_or(0, mask)
        };
        Some(Held {
            lines: mask(lines),
            twice,
            least: u32::from(*high) << 16 | u32::from(*low),
        })
    }

    /// A bit for each line that is a name.
    #[inline]
    pub(super) fn names(&self) -> u128 {
        (1u128.checked_shl(self.names.len() as u32 / 2)).map_or(u128::MAX, |bit| bit - 1)
    }

    /// What a line is.
    pub(super) fn kind(&self, line: u32) -> LineKind {
        match line {
            0 if self.flags & HAS_TITLE != 0 => LineKind::Title,
            _ if self.names() >> line & 1 == 1 => LineKind::Alias,
            _ => LineKind::Heading,
        }
    }

    /// The weight of a line.
    pub(super) fn weight(&self, line: u32) -> u32 {
        let place = 2 * line as usize;
        let halves = self.weights.get(place..).and_then(<[u16]>::first_chunk);
        halves.map_or(0, |[low, high]| u32::from(*high) << 16 | u32::from(*low))
    }

    /// How often a line holds a word.
    #[inline]
    pub(super) fn times(&self, line: u32, hash: u16, held: &Held) -> u32 {
        if held.twice >> line & 1 == 0 {
            return 1;
        }
        let pairs = self.more().unwrap_or_default().as_chunks::<2>().0;
        let more = |pair: &&[u16; 2]| **pair == [hash, line as u16];
        2 + pairs.iter().filter(more).count() as u32
    }

    /// Whether the words of a name may be those of which this is [`order_of`].
    #[inline]
    pub(super) fn may_be_named(&self, order: u32) -> bool {
        let mut names = self.names.as_chunks::<2>().0.iter();
        names.any(|[low, high]| u32::from(*high) << 16 | u32::from(*low) == order)
    }
}

/// The length of what is written of a word.
#[inline]
fn size_of(mask_length: usize, flags: u16) -> usize {
    let masks = if flags & HAS_TWICE == 0 { 1 } else { 2 };
    2 + masks * mask_length
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

    fn read(numbers: &[u16]) -> Option<Table<'_>> {
        Start::of(numbers)?.table()
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
        let table = read(&numbers).unwrap();
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
        let bits = [0, 1, 2, 3].into_iter().chain(100..119);
        assert_eq!(table.bits, bits.fold(0, |bits, hash| bits | bit_of(hash)));
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
    fn a_document_of_very_many_lines_has_a_table_of_several_parts() {
        let heading: (_, &[u16], _) = (LineKind::Heading, &[1, 1, 1], 4);
        let mut lines = vec![heading; 128];
        let numbers = table(&lines).unwrap();
        let whole = read(&numbers).unwrap();
        assert_eq!(whole.find(1).unwrap().lines, u128::MAX);
        assert!(whole.next().is_none());
        lines.extend([(LineKind::Heading, &[2, 1, 2][..], 5); 2]);
        let numbers = table(&lines).unwrap();
        let second = read(&numbers).unwrap().next().unwrap();
        let held = second.find(2).unwrap();
        assert_eq!((held.lines, held.twice, held.least), (0b11, 0b11, 5));
        assert!(second.next().is_none());
    }

    #[test]
    fn a_table_says_how_often_a_line_holds_a_word() {
        let numbers = table(&[
            (LineKind::Title, &[1, 2], 8),
            (LineKind::Heading, &[2, 2, 1, 2, 2], 12),
            (LineKind::Heading, &[1, 1], 4),
        ]);
        let numbers = numbers.unwrap();
        let table = read(&numbers).unwrap();
        let times = |line, hash| table.times(line, hash, &table.find(hash).unwrap());
        assert_eq!(
            [times(0, 2), times(1, 2), times(1, 1), times(2, 1)],
            [1, 4, 1, 2]
        );
    }
}
