//! A draw: from a seed, by an algorithm's stream, through a distribution, to a position in the window.

pub(crate) mod algorithm;
mod chacha;
pub(crate) mod distribution;
pub(crate) mod seed;
pub(crate) mod siphash;
pub(crate) mod stream;
pub(crate) mod window;

pub use self::algorithm::Algorithm;
pub use self::distribution::{
    Direction, Distribution, DistributionName, DistributionParam, Mu, Quantile, Sampler,
};
pub use self::seed::{Seed, SeedHash, SeedKey, SeedStrategy};
pub use self::window::{Reach, Window, WindowMode};
