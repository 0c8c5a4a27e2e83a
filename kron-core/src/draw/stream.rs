//! Streams: the endless supply of 64-bit words that a seed gives, and the uniform numbers made of them.

use crate::draw::algorithm::Algorithm;
use crate::draw::chacha::ChaCha8;
use crate::draw::seed::SeedHash;

/// The stream of one period.
#[derive(Clone, Debug)]
pub enum Stream {
    /// ChaCha with 8 rounds, stream 0.
    ChaCha8(ChaCha8),
    /// SplitMix64 (Steele, Lea and Flood, 2014), from the first eight bytes of the seed, big-endian.
    SplitMix64(u64),
}

impl Stream {
    #[inline]
    pub(crate) fn new(algorithm: Algorithm, seed: &SeedHash) -> Stream {
        match algorithm {
            Algorithm::SipHashChaCha8 => Stream::ChaCha8(ChaCha8::new(seed.words().map(u64::from_le_bytes))),
            Algorithm::Sha256SplitMix64 => Stream::SplitMix64(u64::from_be_bytes(seed.words()[0])),
        }
    }

    /// The next 32-bit word, for samplers that ask for one.
    #[cfg(feature = "rand_distr")]
    pub(crate) fn next_u32(&mut self) -> u32 {
        match self {
            Stream::ChaCha8(generator) => generator.next_u32(),
            // OK because the upper half of a word is meant.
            Stream::SplitMix64(_) => (self.next_u64() >> 32) as u32,
        }
    }

    #[inline]
    pub(crate) fn next_u64(&mut self) -> u64 {
        match self {
            Stream::ChaCha8(generator) => generator.next_u64(),
            Stream::SplitMix64(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut word = *state;
                word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                word ^ word >> 31
            }
        }
    }

    /// The next uniform number in [0, 1): the upper 53 bits of a word, each value a multiple of 2^-53.
    #[inline]
    pub(crate) fn uniform(&mut self) -> f64 {
        const ULP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * ULP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_is_the_published_generator() {
        // The first outputs for seed 1234567, as published with the xoshiro generators' reference code.
        let mut stream = Stream::SplitMix64(1_234_567);
        let words = [6_457_827_717_110_365_317u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(words.map(|_| stream.next_u64()), words);
    }

    #[test]
    fn uniform_stays_below_one() {
        assert_eq!((u64::MAX >> 11) as f64 / (1u64 << 53) as f64, 1.0 - f64::EPSILON / 2.0);
    }
}
