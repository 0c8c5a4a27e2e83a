//! The fuzz target of the C surface on stable: a fixed number of random programs.

#[path = "../../testing/fuzz/targets_ffi.rs"]
mod targets_ffi;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

#[test]
fn c_surface() {
    let mut rng = ChaCha8Rng::from_seed([7; 32]);
    let inputs =
        std::env::var("KRON_FUZZ_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(40_000u64);
    for _ in 0..inputs {
        let mut data = vec![0; rng.next_u32() as usize % 600];
        rng.fill_bytes(&mut data);
        targets_ffi::c_surface(&data);
    }
    let decisions = targets_ffi::DECISIONS.load(std::sync::atomic::Ordering::Relaxed);
    let databases = targets_ffi::DATABASES.load(std::sync::atomic::Ordering::Relaxed);
    println!("{inputs} programs, {decisions} decisions, {databases} time zone databases");
    assert!(databases > inputs / 100, "{databases} time zone databases in {inputs} programs");
    assert!(decisions > inputs / 10, "{decisions} decisions in {inputs} programs");
}
