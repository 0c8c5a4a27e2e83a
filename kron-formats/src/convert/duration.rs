//! Durations as people write them.

use kron_core::Duration;
use kron_fleet::HumanLength;

/// A duration without units that are zero.
pub(crate) fn short(duration: Duration) -> String {
    format!("{:#}", HumanLength::of(duration))
}

/// Seconds as a duration.
pub(crate) fn short_seconds(seconds: u64) -> String {
    let text = format!("{seconds}s");
    // What is longer than a duration can be is refused later, with the reason.
    Duration::parse(&text).map_or(text, short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_short_durations() {
        for text in ["0s", "90ms", "1m30s", "30m", "3h", "1h30m", "1h5s", "10h10m10s", "20m", "100h"] {
            assert_eq!(short(Duration::parse(text).unwrap()), text);
        }
        assert_eq!(short_seconds(5400), "1h30m");
    }
}
