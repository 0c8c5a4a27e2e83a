//! Windows and durations.

use kron_core::{Duration, WindowMode};
use proptest::prelude::*;

use super::spelling::{Pick, digits};

pub fn mode() -> impl Strategy<Value = WindowMode> {
    proptest::sample::select(WindowMode::ALL)
}

/// Windows up to so many seconds, in nanoseconds: none, a fraction of a second, odd ones, whole hours.
pub fn window_nanos(seconds: i64) -> impl Strategy<Value = i64> {
    let most = seconds * 1_000_000_000;
    prop_oneof![
        1 => Just(0),
        1 => 0..4_000_000_000i64,
        3 => 0..=most,
        4 => (0..=seconds).prop_map(|seconds| seconds * 1_000_000_000),
        3 => (0..=seconds / 900).prop_map(|quarters| quarters * 900_000_000_000),
    ]
}

pub fn duration(nanos: i64) -> Duration {
    Duration::from_nanos(nanos).unwrap()
}

/// Any spelling of a duration.
pub fn spell_duration(nanos: i64, pick: &mut Pick) -> String {
    static UNITS: [(&str, i64); 8] = [
        ("h", 3_600_000_000_000),
        ("m", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("us", 1_000),
        ("\u{b5}s", 1_000),
        ("\u{3bc}s", 1_000),
        ("ns", 1),
    ];
    if nanos == 0 {
        return (*pick.of(&["0", "0s", "0h0ns", "00m", ".0s", "0.h"])).to_string();
    }
    let mut parts = Vec::new();
    let mut rest = nanos;
    while rest > 0 {
        let (name, unit) = pick.of(&UNITS);
        if rest < *unit && *unit > 1 {
            continue;
        }
        // Decimals are exact where the unit is a power of ten.
        if *name == "s" && pick.coin() {
            parts.push(format!("{}.{:09}s", rest / unit, rest % unit));
            rest = 0;
            continue;
        }
        parts.push(format!("{}{name}", digits(rest / unit, pick)));
        rest %= unit;
    }
    pick.shuffle(&mut parts);
    parts.concat()
}
