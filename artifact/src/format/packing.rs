//! Blocks of 128 numbers of so many bits each, laid out so that four of them are unpacked by one instruction.
//!
//! The numbers stand in four lanes: number `4 i + l` is the `i`-th of lane `l`. A lane is a stream of bits, the lowest bit of each number first, cut into
//! words of 32 bits; the words of the lanes take turns. 128 numbers of `k` bits are `4 k` words, little-endian, `16 k` bytes (Lemire and
//! Boytsov, "Decoding billions of integers per second through vectorization", 2015).
//!
//! With `k` of 3, lane 0 has the numbers 0, 4, 8 and so on; its first word has them in the bits 0 to 2, 3 to 5, 6 to 8, and the two lower bits of number 40 in its last two,
//! whose third bit is the first of the lane's second word.
//!
//! The loops are plain arithmetic on arrays of four, which a compiler makes into the instructions that every processor of the target has. Asking the processor what else
//! it has would cost more than a whole search, once: on a virtual machine each such question is answered by the host.

/// Numbers in a block.
pub const BLOCK: usize = 128;
/// Bytes that a block of one bit a number fills.
pub const BYTES_PER_BIT: usize = BLOCK / 8;

/// Numbers of all lanes at one place.
type Four = [u32; 4];

/// Appends the lowest `bits` bits of each number; 32 at most.
pub fn pack(numbers: &[u32; BLOCK], bits: u32, out: &mut Vec<u8>) {
    let mut words = [[0u64; 4]; 33];
    let (fours, _) = numbers.as_chunks::<4>();
    for (place, four) in fours.iter().enumerate() {
        let at = place * bits as usize;
        for (lane, number) in four.iter().enumerate() {
            let number = u64::from(*number) & ((1 << bits) - 1);
            let both = number << (at % 32);
            words[at / 32][lane] |= both & u64::from(u32::MAX);
            words[at / 32 + 1][lane] |= both >> 32;
        }
    }
    for word in words[..bits as usize].as_flattened() {
        out.extend_from_slice(&(*word as u32).to_le_bytes());
    }
}

/// The numbers of a block of `bits` bits each. Where that is more than 32 or there are fewer than 16 `bits` bytes, which only damage
/// brings about, they are zeros.
#[inline]
pub fn unpack(bytes: &[u8], bits: u8, numbers: &mut [u32; BLOCK]) {
    macro_rules! widths {
        ($($width:literal)*) => {
            match bits {
                $($width => unpack_width::<$width>(bytes, numbers),)*
                _ => numbers.fill(0),
            }
        };
    }
    widths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

fn unpack_width<const BITS: usize>(bytes: &[u8], numbers: &mut [u32; BLOCK]) {
    let Some(words) = bytes.as_chunks::<16>().0.get(..BITS) else {
        numbers.fill(0);
        return;
    };
    let word = |place: usize| -> Four {
        let (words, _) = words[place].as_chunks::<4>();
        [0, 1, 2, 3].map(|lane| u32::from_le_bytes(words[lane]))
    };
    let (fours, _) = numbers.as_chunks_mut::<4>();
    for (place, four) in fours.iter_mut().enumerate() {
        let (first, shift) = (place * BITS / 32, place * BITS % 32);
        *four = word(first).map(|word| word >> shift);
        if shift + BITS > 32 {
            let second = word(first + 1);
            for (number, word) in four.iter_mut().zip(second) {
                *number |= word << (32 - shift);
            }
        }
        *four = four.map(|number| number & (u32::MAX >> (32 - BITS)));
    }
}

#[cfg(test)]
mod tests {
    use bitpacking::{BitPacker, BitPacker4x};

    use super::*;

    #[test]
    fn blocks_are_those_of_the_crate_that_wrote_the_first_artifacts() {
        let mut state = 7u32;
        for bits in 0..=32u8 {
            let numbers: [u32; BLOCK] = std::array::from_fn(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state ^ state >> 16
            });
            let kept = numbers.map(|number| (u64::from(number) & ((1 << bits) - 1)) as u32);
            let mut expected = vec![0; BYTES_PER_BIT * usize::from(bits)];
            BitPacker4x::new().compress(&kept, &mut expected, bits);
            let mut bytes = Vec::new();
            pack(&numbers, bits.into(), &mut bytes);
            assert_eq!(bytes, expected, "{bits} bits");
            let mut back = [1; BLOCK];
            unpack(&bytes, bits, &mut back);
            assert_eq!(back, kept, "{bits} bits");
        }
    }

    #[test]
    fn bytes_that_are_missing_are_zeros() {
        for (bytes, bits) in [(vec![255; 31], 2), (Vec::new(), 32), (vec![255; 600], 33)] {
            let mut numbers = [1; BLOCK];
            unpack(&bytes, bits, &mut numbers);
            assert_eq!(numbers, [0; BLOCK], "{bits} bits");
        }
    }
}
