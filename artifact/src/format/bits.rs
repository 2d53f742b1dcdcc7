//! Streams of bits: the lowest bit of the first byte comes first.
//!
//! Three codes are written. *Plain*: so many bits, lowest first. *Unary*: as many zeros as the number says, then a one; a run of
//! unary numbers is a row of bits whose ones are found a word at a time ([`Ones`]). *Gamma* (Elias, 1975): how many bits the number
//! plus one has behind its highest, in unary, then those bits: `0` is `1`, `1` is `01 0`, `4` is `001 10`.
//!
//! Reading past the end gives zeros, or the end of an iterator; nothing panics.

/// Bits that can be read at once from any position.
const AT_ONCE: u32 = 57;

/// Writes bits to the end of a vector.
#[derive(Debug)]
pub struct BitWriter<'o> {
    out: &'o mut Vec<u8>,
    word: u64,
    used: u32,
}

impl<'o> BitWriter<'o> {
    /// Starts at the next byte of `out`.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        Self {
            out,
            word: 0,
            used: 0,
        }
    }

    /// The lowest `width` bits of `value`, at most 56.
    pub fn plain(&mut self, value: u64, width: u32) {
        debug_assert!(width < AT_ONCE);
        self.word |= (value & ((1 << width) - 1)) << self.used;
        self.used += width;
        while self.used >= 8 {
            self.out.push(self.word as u8);
            self.word >>= 8;
            self.used -= 8;
        }
    }

    /// `zeros` zeros and a one.
    pub fn unary(&mut self, mut zeros: u32) {
        while zeros >= 32 {
            self.plain(0, 32);
            zeros -= 32;
        }
        self.plain(1 << zeros, zeros + 1);
    }

    /// A number in the gamma code.
    pub fn gamma(&mut self, value: u32) {
        let value = u64::from(value) + 1;
        let width = value.ilog2();
        self.unary(width);
        self.plain(value, width);
    }

    /// Fills the last byte with zeros.
    pub fn finish(self) {
        if self.used > 0 {
            self.out.push(self.word as u8);
        }
    }
}

/// How many bits a number takes in the gamma code.
pub fn gamma_bits(value: u32) -> u64 {
    u64::from((u64::from(value) + 1).ilog2()) * 2 + 1
}

/// The 57 bits at least that start at bit `at`; zeros behind the end.
#[inline]
pub fn window(bytes: &[u8], at: usize) -> u64 {
    load(bytes, at / 8) >> (at % 8)
}

/// The eight bytes that start at byte `at`; zeros behind the end.
#[inline]
fn load(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => load_end(bytes, at),
    }
}

#[cold]
fn load_end(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    let rest = bytes.get(at..).unwrap_or_default();
    eight[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(eight)
}

/// A position among bits that only moves forward.
#[derive(Clone, Debug)]
pub struct BitCursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitCursor<'a> {
    /// Starts at byte `start` of `bytes`.
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        Self {
            bytes,
            at: start.saturating_mul(8),
        }
    }

    /// The bit that is read next.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next `width` bits, at most 56.
    #[inline]
    pub fn plain(&mut self, width: u32) -> u64 {
        let bits = window(self.bytes, self.at) & ((1 << width) - 1);
        self.at += width as usize;
        bits
    }

    /// The next unary number; `None` where it does not end within 57 bits, as no number does that is read one by one.
    #[inline]
    pub fn unary(&mut self) -> Option<u32> {
        let zeros = window(self.bytes, self.at).trailing_zeros();
        self.at += zeros as usize + 1;
        (zeros < AT_ONCE).then_some(zeros)
    }

    /// The next number in the gamma code.
    #[inline]
    pub fn gamma(&mut self) -> Option<u32> {
        let width = self.unary().filter(|width| *width <= 32)?;
        u32::try_from((1 << width | self.plain(width)) - 1).ok()
    }
}

/// The positions of the ones from a bit on, ascending.
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    bytes: &'a [u8],
    /// The ones not yet given among the eight bytes at `byte`.
    word: u64,
    byte: usize,
}

impl<'a> Ones<'a> {
    /// Starts at bit `at` of `bytes`.
    #[inline]
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            word: load(bytes, at / 8) >> (at % 8) << (at % 8),
            byte: at / 8,
        }
    }

    /// Passes over `count` ones and gives the position behind the last of them; `None` where there are not as many.
    pub fn pass(mut self, mut count: u32) -> Option<usize> {
        while self.word.count_ones() < count {
            count -= self.word.count_ones();
            self.byte += 8;
            if self.byte >= self.bytes.len() {
                return None;
            }
            self.word = load(self.bytes, self.byte);
        }
        for _ in 1..count {
            self.word &= self.word - 1;
        }
        Some(self.byte * 8 + self.word.trailing_zeros() as usize + 1)
    }
}

impl Ones<'_> {
    /// Calls `visit` with each position until it answers false.
    #[inline]
    pub fn walk(mut self, mut visit: impl FnMut(usize) -> bool) {
        loop {
            while self.word != 0 {
                let bit = self.word.trailing_zeros() as usize;
                self.word &= self.word - 1;
                if !visit(self.byte * 8 + bit) {
                    return;
                }
            }
            self.byte += 8;
            if self.byte >= self.bytes.len() {
                return;
            }
            self.word = load(self.bytes, self.byte);
        }
    }
}

/// Unary numbers, one after the other.
#[derive(Clone, Debug)]
pub struct Unary<'a> {
    ones: Ones<'a>,
    at: usize,
}

impl<'a> Unary<'a> {
    /// Starts at bit `at` of `bytes`.
    #[inline]
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            ones: Ones::new(bytes, at),
            at,
        }
    }

    /// The next number; a large one behind the last.
    #[inline]
    pub fn next(&mut self) -> usize {
        let ones = &mut self.ones;
        while ones.word == 0 {
            ones.byte += 8;
            if ones.byte >= ones.bytes.len() {
                return u32::MAX as usize;
            }
            ones.word = load(ones.bytes, ones.byte);
        }
        let one = ones.byte * 8 + ones.word.trailing_zeros() as usize;
        ones.word &= ones.word - 1;
        let number = one - self.at;
        self.at = one + 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_comes_back() {
        let numbers = [0, 1, 2, 3, 4, 7, 8, 31, 32, 33, 56];
        let mut out = vec![0xff];
        let mut bits = BitWriter::new(&mut out);
        for number in numbers {
            bits.plain(u64::from(number), 7);
            bits.unary(number);
            bits.gamma(number * 70_000);
        }
        bits.gamma(u32::MAX);
        bits.finish();
        let mut cursor = BitCursor::new(&out, 1);
        for number in numbers {
            assert_eq!(cursor.plain(7), u64::from(number));
            assert_eq!(cursor.unary(), Some(number));
            let start = cursor.position();
            assert_eq!(cursor.gamma(), Some(number * 70_000));
            assert_eq!(
                (cursor.position() - start) as u64,
                gamma_bits(number * 70_000)
            );
        }
        assert_eq!(cursor.gamma(), Some(u32::MAX));
        assert_eq!(cursor.unary(), None);
        assert_eq!(cursor.plain(56), 0);
    }

    #[test]
    fn ones_are_found_from_any_bit_to_the_end() {
        let bytes: Vec<u8> = (0..29u8)
            .map(|n| n.wrapping_mul(37) & if n % 5 == 0 { 0 } else { 0x91 })
            .collect();
        let all: Vec<usize> = (0..bytes.len() * 8)
            .filter(|bit| bytes[bit / 8] >> (bit % 8) & 1 == 1)
            .collect();
        for start in 0..bytes.len() * 8 + 9 {
            let expected: Vec<usize> = all.iter().copied().filter(|bit| *bit >= start).collect();
            let ones = Ones::new(&bytes, start);
            let mut found = Vec::new();
            ones.clone().walk(|one| {
                found.push(one);
                true
            });
            assert_eq!(found, expected);
            for (place, one) in expected.iter().enumerate() {
                assert_eq!(ones.clone().pass(place as u32 + 1), Some(one + 1));
            }
            assert_eq!(ones.pass(expected.len() as u32 + 1), None);
        }
    }
}
