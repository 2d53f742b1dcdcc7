//! Looking for hashes in lines, many lines in a row: what ranking spends most of its time on.

/// Hashes that lines are searched for: a bit for each, in one of 1,024 places.
#[derive(Clone, Debug, Default)]
pub struct Hashes([u64; 16]);

impl Hashes {
    /// The bits of these hashes.
    pub fn new(hashes: impl IntoIterator<Item = u16>) -> Self {
        let mut bits = [0; 16];
        for hash in hashes {
            bits[usize::from(hash / 64 % 16)] |= 1 << (hash % 64);
        }
        Self(bits)
    }

    /// Whether a hash may be one of them; one in a few hundred is not.
    #[inline]
    pub fn may_have(&self, hash: u16) -> bool {
        self.bit(hash) & 1 == 1
    }

    /// The lowest bit says whether a hash may be one of them.
    #[inline]
    fn bit(&self, hash: u16) -> u64 {
        self.0[usize::from(hash / 64 % 16)] >> (hash % 64)
    }

    /// Whether one of the hashes of a line may be one of them. Four are read at once, with what may stand behind the line: lines are short,
    /// and a loop over as many hashes as there are is left at another turn every time.
    #[inline]
    pub(super) fn may_have_any(&self, line: &PlainLine) -> bool {
        let (pairs, _) = line.hashes().as_chunks::<2>();
        let any = |pairs: &[[u8; 2]]| {
            let bits = pairs.iter().map(|two| self.bit(u16::from_le_bytes(*two)));
            bits.fold(0, |any, bit| any | bit) & 1 == 1
        };
        let Some(four) = line.bytes.first_chunk() else {
            return any(pairs);
        };
        let four = u64::from_le_bytes(*four);
        let bit = |place: usize| {
            let hash = (four >> (16 * place)) as u16;
            self.bit(hash) & u64::from(place < pairs.len())
        };
        (bit(0) | bit(1) | bit(2) | bit(3)) & 1 == 1 || pairs.len() > 4 && any(&pairs[4..])
    }
}

/// A line whose head is one byte and which has no parts.
pub(super) struct PlainLine<'a> {
    /// Its weight, as it is written.
    pub(super) weight: u8,
    /// Its hashes, and what stands behind them.
    bytes: &'a [u8],
    /// Bytes of its hashes.
    pub(super) length: usize,
}

impl<'a> PlainLine<'a> {
    /// Reads such a line at the start of `bytes`.
    #[inline]
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let [head, weight, bytes @ ..] = bytes else {
            return None;
        };
        let length = usize::from(head >> 2) * 2;
        (head & 0x83 == 0 && length <= bytes.len()).then_some(Self {
            weight: *weight,
            bytes,
            length,
        })
    }

    #[inline]
    pub(super) fn hashes(&self) -> &'a [u8] {
        &self.bytes[..self.length]
    }

    #[inline]
    pub(super) fn behind(&self) -> &'a [u8] {
        &self.bytes[self.length..]
    }
}
