//! ChaCha with 8 rounds (Bernstein, "ChaCha, a variant of Salsa20", 2008), one block at a time.
//!
//! The words are those of the crate rand_chacha, with which a test compares it: block counter and stream id of 64 bits
//! each, both 0 at first; a 64-bit word is two successive 32-bit outputs, the first one low. That crate computes four
//! blocks ahead; a decision mostly needs one word, so one block is enough.

/// The generator's state.
#[derive(Clone, Debug)]
pub struct ChaCha8 {
    key: [u32; 8],
    /// The next block.
    counter: u64,
    block: [u32; 16],
    /// Words of 32 bits taken from the block.
    taken: usize,
}

impl ChaCha8 {
    /// The seed as four little-endian words, so that it is passed in registers.
    #[inline]
    pub(crate) fn new(seed: [u64; 4]) -> ChaCha8 {
        // OK because the two halves of each word are meant.
        let half = |i: usize| (seed[i / 2] >> (32 * (i % 2))) as u32;
        let key = core::array::from_fn(half);
        ChaCha8 { key, counter: 1, block: block(&key, 0), taken: 0 }
    }

    #[inline]
    pub(crate) fn next_u32(&mut self) -> u32 {
        if self.taken == 16 {
            self.refill();
        }
        self.taken += 1;
        self.block[self.taken - 1]
    }

    #[inline]
    pub(crate) fn next_u64(&mut self) -> u64 {
        let low = self.next_u32();
        u64::from(self.next_u32()) << 32 | u64::from(low)
    }

    #[inline(never)]
    fn refill(&mut self) {
        self.block = block(&self.key, self.counter);
        self.counter = self.counter.wrapping_add(1);
        self.taken = 0;
    }
}

/// Four words with the same operations, which compilers turn into vector instructions.
type Row = [u32; 4];

#[inline]
fn add(a: Row, b: Row) -> Row {
    core::array::from_fn(|i| a[i].wrapping_add(b[i]))
}

#[inline]
fn xor_rotate(a: Row, b: Row, bits: u32) -> Row {
    core::array::from_fn(|i| (a[i] ^ b[i]).rotate_left(bits))
}

/// Moves each word of a row `places` columns to the left.
#[inline]
fn turn(row: Row, places: usize) -> Row {
    core::array::from_fn(|i| row[(i + places) % 4])
}

/// The quarter round on all four columns.
#[inline]
fn quarter_rounds([mut a, mut b, mut c, mut d]: [Row; 4]) -> [Row; 4] {
    a = add(a, b);
    d = xor_rotate(d, a, 16);
    c = add(c, d);
    b = xor_rotate(b, c, 12);
    a = add(a, b);
    d = xor_rotate(d, a, 8);
    c = add(c, d);
    b = xor_rotate(b, c, 7);
    [a, b, c, d]
}

// Always inline: the first block of a decision then stays in registers.
#[inline(always)]
fn block(key: &[u32; 8], counter: u64) -> [u32; 16] {
    let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
    let start: [Row; 4] = [
        // "expand 32-byte k" in little-endian words.
        [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574],
        [k0, k1, k2, k3],
        [k4, k5, k6, k7],
        // OK because the two halves of the counter are meant; the stream id is 0.
        [counter as u32, (counter >> 32) as u32, 0, 0],
    ];
    let mut rows = start;
    for _ in 0..4 {
        rows = quarter_rounds(rows);
        // After the rotation, the diagonals are in the columns.
        rows = quarter_rounds([rows[0], turn(rows[1], 1), turn(rows[2], 2), turn(rows[3], 3)]);
        rows = [rows[0], turn(rows[1], 3), turn(rows[2], 2), turn(rows[3], 1)];
    }
    let mut words = [0; 16];
    for (words, (row, start)) in words.chunks_exact_mut(4).zip(rows.into_iter().zip(start)) {
        words.copy_from_slice(&add(row, start));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    #[test]
    fn words_are_those_of_rand_chacha() {
        for seed in 0..64u8 {
            let seed: [u8; 32] =
                core::array::from_fn(|i| seed.wrapping_mul(151).wrapping_add((i as u8).wrapping_mul(29)));
            let words = core::array::from_fn(|i| u64::from_le_bytes(*seed[8 * i..].first_chunk().unwrap()));
            let (mut ours, mut theirs) = (ChaCha8::new(words), ChaCha8Rng::from_seed(seed));
            for _ in 0..300 {
                assert_eq!(ours.next_u64(), theirs.next_u64());
            }
            assert_eq!(ours.next_u32(), theirs.next_u32());
        }
    }
}
