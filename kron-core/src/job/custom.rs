//! Custom distributions from the crate rand_distr: for Rust programs only, and not frozen.

use core::convert::Infallible;

use rand_core::TryRng;
use rand_distr::Distribution;

use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{Draw, Quantile, Sampler, sealed::Sample};
use crate::draw::stream::Stream;
use crate::job::Job;

/// Any `rand_distr::Distribution<f64>` over [0, 1] as positions in the window. Made by [`Job::with_distribution`].
#[derive(Clone, Copy, Debug)]
pub struct Custom<E>(E);

impl<E: Distribution<f64>> Sampler for Custom<E> {}

impl<E: Distribution<f64>> Sample for Custom<E> {
    const CUSTOM: bool = true;

    fn sample(&self, _: &crate::Distribution, stream: &mut Stream) -> Draw {
        Draw { u: None, position: self.0.sample(&mut Words(stream)) }
    }

    fn quantile(&self) -> Option<&Quantile> {
        None
    }
}

/// A stream as a generator of the crate rand. Its words are those of rand_chacha's `ChaCha8Rng`.
struct Words<'a>(&'a mut Stream);

impl TryRng for Words<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(4) {
            chunk.copy_from_slice(&self.0.next_u32().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl<S, D> Job<S, D> {
    /// The same job with its starts spread by any `rand_distr::Distribution<f64>` over [0, 1], in place of its spec's.
    ///
    /// Seed, stream, constraints and the closed-up choice are those of `siphash-chacha8/1`, but decisions name the
    /// algorithm `custom`: a sampler takes any number of words from the stream, and a new version of its crate may take
    /// other words. Samples below 0 count as 0, those from 1 on as the last second.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/cache", "@hourly @win(after,30m)")?;
    /// let job = job.with_distribution(rand_distr::Beta::new(2.0, 5.0).unwrap());
    /// assert_eq!(job.next_start(0)?.algorithm(), "custom");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn with_distribution<E: Distribution<f64>>(self, distribution: E) -> Job<S, Custom<E>> {
        self.with_spread(Custom(distribution), Algorithm::SipHashChaCha8)
    }
}
