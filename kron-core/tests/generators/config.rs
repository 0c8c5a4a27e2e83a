//! How properties are tested.

use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// Every run draws the same cases, leaves no files, and shrinks a bounded time.
pub fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x6b72_6f6e),
        max_shrink_iters: 2_000,
        max_global_rejects: 100_000,
        ..Config::default()
    }
}
