//! A draw: from a seed, by an algorithm's stream, through a distribution, to a position in the window.

pub(crate) mod algorithm;
mod chacha;
pub(crate) mod distribution;
pub(crate) mod seed;
pub(crate) mod siphash;
pub(crate) mod stream;
pub(crate) mod window;
