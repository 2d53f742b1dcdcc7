//! Reading the term dictionary: an fst as the crate `fst` writes it (its file format 3), walked in place.
//!
//! The crate's own reader trusts its bytes and panics on damaged ones, so that they would have to be compared with their checksum before the
//! first look. This one checks every address and takes what it cannot read for a node without a way on: opening a dictionary reads its last
//! 36 bytes and nothing else.
//!
//! ```text
//! file:  u64 version (3) | u64 0 | nodes | u64 terms | u64 address of the root | u32 checksum
//! ```
//!
//! A node is read from its address downwards; the address is that of its last byte, and 0 is the node that is an end and has no way on.
//! The two highest bits of the last byte say what it is:
//!
//! ```text
//! 11:  one way, to the node that ends right before this one                            input unless common | byte
//! 10:  one way                                              output | distance | sizes | input unless common | byte
//! 0f:  several ways, f says whether a term ends here
//!      output of the end | outputs | distances | inputs | table unless few | sizes | number unless in the byte | byte
//! ```
//!
//! The byte's six other bits hold the number of a common input ([`COMMON`]) or of ways, 0 for neither. *Sizes* is a byte: four bits for the bytes of
//! a distance, four for those of an output. A distance is counted down from the first byte of the node; 0 leads to the node 0. Outputs, distances
//! and inputs stand in falling order of the inputs. With more than 32 ways a table of 256 bytes gives the place of each input among them, rising.

/// Inputs that need no byte of their own, by their number less one.
const COMMON: [u8; 63] = *b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";

/// A node with more ways than this has a table.
const FEW: usize = 32;
/// Bytes behind the last node.
const FOOT: usize = 20;
/// Bytes before the first node.
const HEAD: usize = 16;

/// The terms of an index, each with a number.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    bytes: &'a [u8],
    len: usize,
    root: usize,
}

/// A place in the dictionary: what all terms have in common that start alike.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    bytes: &'a [u8],
    /// Its first byte, from which distances are counted.
    start: usize,
    ways: usize,
    /// The input of its only way, where no byte has it.
    only: u8,
    /// Where its inputs, distances and outputs start; each stands in falling order.
    inputs: usize,
    distances: usize,
    outputs: usize,
    distance_size: usize,
    output_size: usize,
    /// What is added to the numbers on the way to the term that ends here.
    end: Option<u64>,
}

/// A way on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The byte that it stands for.
    pub byte: u8,
    /// What it adds to the number of the term.
    pub adds: u64,
    to: usize,
}

impl<'a> Terms<'a> {
    /// Opens a dictionary; `None` where its ends are not those of one.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        let number = |at: usize| {
            let eight = bytes.get(at..at.checked_add(8)?)?;
            usize::try_from(u64::from_le_bytes(eight.try_into().ok()?)).ok()
        };
        let foot = bytes.len().checked_sub(FOOT)?;
        let (len, root) = (number(foot)?, number(foot + 8)?);
        // The root is the last node; there is none at all when nothing but the empty term is there.
        let whole = number(0)? == 3
            && match root {
                0 => foot == HEAD,
                root => root.checked_add(1) == Some(foot) && foot > HEAD,
            };
        whole.then_some(Self { bytes, len, root })
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a term.
    pub fn get(&self, term: &str) -> Option<u64> {
        let mut node = self.root();
        let mut number = 0u64;
        for byte in term.bytes() {
            let way = node.find(byte)?;
            number = number.wrapping_add(way.adds);
            node = self.follow(&way);
        }
        Some(number.wrapping_add(node.end?))
    }

    /// Where all terms start.
    pub fn root(&self) -> Node<'a> {
        self.node(self.root)
    }

    /// Where a way leads.
    #[inline]
    pub fn follow(&self, way: &Way) -> Node<'a> {
        self.node(way.to)
    }

    #[inline]
    fn node(&self, address: usize) -> Node<'a> {
        let none = Node {
            bytes: self.bytes,
            start: 0,
            ways: 0,
            only: 0,
            inputs: 0,
            distances: 0,
            outputs: 0,
            distance_size: 0,
            output_size: 0,
            end: None,
        };
        if address == 0 {
            let end = Some(0);
            return Node { end, ..none };
        }
        self.read(address).unwrap_or(none)
    }

    #[inline]
    fn read(&self, address: usize) -> Option<Node<'a>> {
        let bytes = self.bytes;
        let last = *bytes.get(address)?;
        let number = usize::from(last & 0x3f);
        if last & 0x80 != 0 {
            let (only, behind) = match number {
                0 => (*bytes.get(address.checked_sub(1)?)?, address - 1),
                common => (COMMON[common - 1], address),
            };
            let (distance_size, output_size, sizes) = if last & 0x40 == 0 {
                let sizes = behind.checked_sub(1)?;
                let (distance, output) = sizes_of(*bytes.get(sizes)?)?;
                (distance, output, sizes)
            } else {
                // Without a distance it leads to the node right before.
                (0, 0, behind)
            };
            let distances = sizes.checked_sub(distance_size)?;
            let outputs = distances.checked_sub(output_size)?;
            return Some(Node {
                bytes,
                start: outputs,
                ways: 1,
                only,
                inputs: 0,
                distances,
                outputs,
                distance_size,
                output_size,
                end: None,
            });
        }
        let (ways, behind) = match number {
            0 => match usize::from(*bytes.get(address.checked_sub(1)?)?) {
                // One way has a form of its own, so the 1 stands for what a byte cannot hold.
                1 => (256, address - 1),
                ways => (ways, address - 1),
            },
            ways => (ways, address),
        };
        let sizes = behind.checked_sub(1)?;
        let (distance_size, output_size) = sizes_of(*bytes.get(sizes)?)?;
        let table = if ways > FEW { 256 } else { 0 };
        let inputs = sizes.checked_sub(table + ways)?;
        let distances = inputs.checked_sub(ways * distance_size)?;
        let outputs = distances.checked_sub(ways * output_size)?;
        let ends = last & 0x40 != 0;
        let (start, end) = if ends {
            let start = outputs.checked_sub(output_size)?;
            (start, Some(unsigned(bytes, start, output_size)))
        } else {
            (outputs, None)
        };
        Some(Node {
            bytes,
            start,
            ways,
            only: 0,
            inputs,
            distances,
            outputs,
            distance_size,
            output_size,
            end,
        })
    }
}

impl<'a> Node<'a> {
    /// What is added to the number of the term that ends here, if one does.
    #[inline]
    pub fn end(&self) -> Option<u64> {
        self.end
    }

    /// The way on that stands for a byte.
    #[inline]
    pub fn find(&self, byte: u8) -> Option<Way> {
        if self.inputs == 0 {
            return (self.ways == 1 && self.only == byte)
                .then(|| self.way(0, byte))
                .flatten();
        }
        let inputs = self.bytes.get(self.inputs..self.inputs + self.ways)?;
        let falling = if self.ways > FEW {
            let place = self
                .bytes
                .get(self.inputs + self.ways + usize::from(byte))?;
            let falling = self.ways.checked_sub(usize::from(*place) + 1)?;
            (inputs[falling] == byte).then_some(falling)?
        } else {
            inputs.iter().position(|input| *input == byte)?
        };
        self.way(falling, byte)
    }

    /// The ways on, by their bytes.
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = Way> + use<'a> {
        let node = *self;
        (0..node.ways).rev().filter_map(move |falling| {
            let byte = match node.inputs {
                0 => node.only,
                inputs => *node.bytes.get(inputs + falling)?,
            };
            node.way(falling, byte)
        })
    }

    /// The way at a place in falling order.
    #[inline]
    fn way(&self, falling: usize, byte: u8) -> Option<Way> {
        let to = match self.distance_size {
            0 => self.start.checked_sub(1)?,
            size => match unsigned(self.bytes, self.distances + falling * size, size) {
                0 => 0,
                distance => self.start.checked_sub(usize::try_from(distance).ok()?)?,
            },
        };
        let adds = match self.output_size {
            0 => 0,
            size => unsigned(self.bytes, self.outputs + falling * size, size),
        };
        // Every way leads down, so that no walk comes back to where it was.
        (to == 0 || to >= HEAD).then_some(Way { byte, adds, to })
    }
}

/// The sizes of a distance and of an output; none is more than eight bytes.
#[inline]
fn sizes_of(byte: u8) -> Option<(usize, usize)> {
    let (distance, output) = (usize::from(byte >> 4), usize::from(byte & 15));
    (distance <= 8 && output <= 8).then_some((distance, output))
}

/// The little-endian number of `size` bytes, eight at most. Behind a node there are always more than eight bytes.
#[inline]
fn unsigned(bytes: &[u8], at: usize, size: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(eight) if size > 0 => u64::from_le_bytes(*eight) & (u64::MAX >> (64 - 8 * size)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use fst::MapBuilder;

    use super::*;

    /// Terms of many shapes: common and rare bytes, a node with more ways than fit its byte, one with every byte, long numbers.
    fn terms() -> Vec<(String, u64)> {
        let mut terms: Vec<String> = (0..2_000u32)
            .map(|n| format!("w{:x}{}", n.wrapping_mul(2_654_435_761), n % 7))
            .collect();
        terms.extend(
            ["", "a", "ab", "abc", "naïve", "说明", "c++", "--flag", "é"].map(String::from),
        );
        terms.extend((1..128u8).map(|byte| format!("x{}y", char::from(byte))));
        terms.extend((0..70).map(|n| format!("{}z", char::from(b'!' + n))));
        terms.sort();
        terms.dedup();
        let number = |(place, term): (usize, String)| {
            let number = match place % 3 {
                0 => 0,
                1 => place as u64,
                _ => u64::MAX / (place as u64 + 1),
            };
            (term, number)
        };
        terms.into_iter().enumerate().map(number).collect()
    }

    fn write(terms: &[(String, u64)]) -> Vec<u8> {
        let mut writer = MapBuilder::memory();
        for (term, number) in terms {
            writer.insert(term, *number).unwrap();
        }
        writer.into_inner().unwrap()
    }

    /// Every term below a node, with its number.
    fn walk(
        dictionary: &Terms,
        node: Node,
        number: u64,
        term: &mut Vec<u8>,
        found: &mut Vec<(Vec<u8>, u64)>,
    ) {
        if let Some(end) = node.end() {
            found.push((term.clone(), number.wrapping_add(end)));
        }
        for way in node.ways() {
            assert_eq!(node.find(way.byte), Some(way));
            term.push(way.byte);
            let next = dictionary.follow(&way);
            walk(dictionary, next, number.wrapping_add(way.adds), term, found);
            term.pop();
        }
    }

    #[test]
    fn every_term_is_found_with_its_number_and_no_other() {
        let terms = terms();
        let bytes = write(&terms);
        let dictionary = Terms::open(&bytes).unwrap();
        assert_eq!(dictionary.len(), terms.len());
        for (term, number) in &terms {
            assert_eq!(dictionary.get(term), Some(*number), "{term}");
            for other in [format!("{term}\u{1}"), format!("w{term}")] {
                let expected = terms.iter().find(|(term, _)| *term == other);
                assert_eq!(dictionary.get(&other), expected.map(|(_, number)| *number));
            }
        }
    }

    #[test]
    fn a_walk_gives_the_terms_in_their_order() {
        let terms = terms();
        let bytes = write(&terms);
        let dictionary = Terms::open(&bytes).unwrap();
        let mut found = Vec::new();
        walk(
            &dictionary,
            dictionary.root(),
            0,
            &mut Vec::new(),
            &mut found,
        );
        let expected: Vec<_> = terms
            .into_iter()
            .map(|(term, number)| (term.into_bytes(), number))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_dictionary_without_terms_is_one() {
        let bytes = write(&[]);
        let dictionary = Terms::open(&bytes).unwrap();
        assert!(dictionary.is_empty() && dictionary.root().ways().next().is_none());
        assert_eq!(dictionary.get("a"), None);
    }

    #[test]
    fn damage_is_never_a_panic() {
        let terms: Vec<_> = terms().into_iter().step_by(40).collect();
        let bytes = write(&terms);
        for at in 0..bytes.len() {
            for flip in [1, 0x40, 0x80, 0xff] {
                let mut broken = bytes.clone();
                broken[at] ^= flip;
                let Some(dictionary) = Terms::open(&broken) else {
                    continue;
                };
                for (term, _) in &terms {
                    let _ = dictionary.get(term);
                }
                let root = dictionary.root();
                for way in root.ways() {
                    let next = dictionary.follow(&way);
                    assert!(
                        next.ways().count() <= 256
                            && next.find(b'e').is_none_or(|way| way.byte == b'e')
                    );
                }
            }
        }
        for length in 0..bytes.len() {
            assert!(Terms::open(&bytes[..length]).is_none());
        }
    }
}
