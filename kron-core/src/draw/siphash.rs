//! SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012) of one message
//! under two keys at once.
//!
//! A seed is two hashes of the same message. They do not depend on each other, so a processor computes both at the same time,
//! and each word of the message is assembled once. The message comes in parts that are never joined in memory. A test
//! compares the results with those of the crate siphasher.

/// The state of two hashes of one message.
#[derive(Clone, Debug)]
pub(crate) struct SipPair {
    states: [[u64; 4]; 2],
    /// The bytes that do not fill a word yet, the first one lowest.
    tail: u64,
    /// How many bits of the tail are filled, below 64.
    filled: u32,
    /// Bytes so far; only the lowest eight bits of it count.
    length: u64,
}

impl SipPair {
    pub(crate) const fn new(keys: [&[u8; 16]; 2]) -> SipPair {
        SipPair { states: [keyed(keys[0]), keyed(keys[1])], tail: 0, filled: 0, length: 0 }
    }

    // Always inline, as the functions below: the states then stay in registers from the first part to the last.
    #[inline(always)]
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.push(u64::from_le_bytes(*word), 8);
        }
        if !rest.is_empty() {
            self.push(little_endian(rest, bytes.last_chunk()), rest.len());
        }
    }

    /// Up to eight bytes, the first one lowest; those beyond `bytes` must be 0.
    #[inline(always)]
    pub(crate) fn push(&mut self, word: u64, bytes: usize) {
        self.length = self.length.wrapping_add(bytes as u64);
        let joined = self.tail | word << self.filled;
        let filled = self.filled + 8 * bytes as u32;
        if filled < 64 {
            (self.tail, self.filled) = (joined, filled);
        } else {
            self.compress(joined);
            // The rest: the word without its lowest `64 - self.filled` bits. In two shifts, because a single one could
            // be by 64, which overflows.
            (self.tail, self.filled) = (word >> 1 >> (63 - self.filled), filled - 64);
        }
    }

    /// The two hashes, each as two words, the first one first.
    #[inline(always)]
    pub(crate) fn finish(mut self) -> [u64; 4] {
        self.compress(self.tail | self.length << 56);
        self.states.iter_mut().for_each(|state| state[2] ^= 0xee);
        self.rounds::<4>();
        let first = self.states.map(fold);
        self.states.iter_mut().for_each(|state| state[1] ^= 0xdd);
        self.rounds::<4>();
        let second = self.states.map(fold);
        [first[0], second[0], first[1], second[1]]
    }

    #[inline(always)]
    fn compress(&mut self, word: u64) {
        self.states.iter_mut().for_each(|state| state[3] ^= word);
        self.rounds::<2>();
        self.states.iter_mut().for_each(|state| state[0] ^= word);
    }

    #[inline(always)]
    fn rounds<const N: usize>(&mut self) {
        for _ in 0..N {
            self.states = self.states.map(round);
        }
    }
}

/// The initial state of a key: SipHash's four constants, and the mark of the longer output.
const fn keyed(key: &[u8; 16]) -> [u64; 4] {
    let key = u128::from_le_bytes(*key);
    // OK because the two halves of the key are meant.
    let (k0, k1) = (key as u64, (key >> 64) as u64);
    [
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d ^ 0xee,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ]
}

#[inline]
fn round([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    a = a.wrapping_add(b);
    b = b.rotate_left(13) ^ a;
    c = c.wrapping_add(d);
    d = d.rotate_left(16) ^ c;
    a = a.rotate_left(32).wrapping_add(d);
    d = d.rotate_left(21) ^ a;
    c = c.wrapping_add(b);
    b = b.rotate_left(17) ^ c;
    [a, b, c.rotate_left(32), d]
}

fn fold(state: [u64; 4]) -> u64 {
    state[0] ^ state[1] ^ state[2] ^ state[3]
}

/// One to seven bytes as a number, the first one lowest. `last` is the last eight bytes of the slice that they end, if it
/// has that many: one load instead of several.
#[inline]
fn little_endian(bytes: &[u8], last: Option<&[u8; 8]>) -> u64 {
    let length = bytes.len();
    if let Some(last) = last {
        u64::from_le_bytes(*last) >> (64 - 8 * length)
    } else if let (Some(low), Some(high)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        // The two may overlap in equal bytes.
        u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << (8 * (length - 4))
    } else {
        bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use core::hash::Hasher;

    use super::*;
    use siphasher::sip128::{Hasher128, SipHasher24};

    #[test]
    fn hashes_are_those_of_siphasher_however_the_message_is_cut() {
        let keys = [b"kron.seed.v1.a\0\0", b"0123456789abcdef"];
        let message: alloc::vec::Vec<u8> = (0..300u32).map(|i| (i * 151 + 7) as u8).collect();
        for length in 0..message.len() {
            let message = &message[..length];
            let mut want = [0; 4];
            for (want, key) in want.chunks_exact_mut(2).zip(keys) {
                let mut hasher = SipHasher24::new_with_key(key);
                hasher.write(message);
                let hash = hasher.finish128();
                want.copy_from_slice(&[hash.h1, hash.h2]);
            }
            for cut in 0..=length.min(20) {
                let mut pair = SipPair::new(keys);
                pair.write(&message[..cut]);
                let (middle, rest) = message[cut..].split_at((length - cut) / 2);
                pair.write(middle);
                pair.write(rest);
                assert_eq!(pair.finish(), want, "{length} bytes, cut at {cut}");
            }
        }
    }
}
