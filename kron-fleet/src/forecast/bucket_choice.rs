//! The length of a bucket for a picture of so many columns.

use core::ops::RangeBounds;

use kron_core::time::seconds_of;
use kron_core::{Duration, Instant};

/// The lengths from which one is chosen, in minutes.
const MINUTES: [u32; 9] = [1, 2, 5, 10, 15, 30, 60, 120, 360];

/// The length of a bucket of which a range has at most `columns`: 1, 2, 5, 10, 15 or 30 minutes, or 1, 2 or 6 hours. A range that
/// is too long for this has more buckets, of 6 hours.
///
/// ```
/// use kron_fleet::forecast::bucket_for;
/// let minutes = |seconds: i64, columns| bucket_for(0..seconds, columns).as_secs() / 60;
/// assert_eq!([minutes(86_400, 80), minutes(86_400, 100), minutes(86_400, 144)], [30, 15, 10]);
/// assert_eq!([minutes(3600, 80), minutes(7 * 86_400, 80), minutes(366 * 86_400, 80)], [1, 360, 360]);
/// ```
pub fn bucket_for<I: Instant>(range: impl RangeBounds<I>, columns: usize) -> Duration {
    let range = seconds_of(range);
    // OK because an end before the beginning is no length.
    let seconds = u64::try_from(i128::from(range.end) - i128::from(range.start)).unwrap_or(0);
    let fits = |minutes: &&u32| seconds.div_ceil(u64::from(**minutes) * 60) <= columns as u64;
    let minutes = MINUTES.iter().find(fits).or(MINUTES.last()).copied().unwrap_or(1);
    Duration::from_secs(minutes * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_rounded_up_to_a_length_of_the_list() {
        let p = |seconds: i64, columns| bucket_for(5..5 + seconds, columns).as_secs();
        assert_eq!([p(1, 80), p(80 * 60, 80), p(80 * 60 + 1, 80)], [60, 60, 120]);
        // 16.8 hours in 80 columns are 12.6 minutes each.
        assert_eq!([p(60_480, 80), p(80 * 900, 80), p(80 * 900 + 1, 80)], [900, 900, 1800]);
        assert_eq!([p(0, 80), p(-7, 80), p(86_400, 0)], [60, 60, 21_600]);
        assert_eq!(bucket_for(i64::MIN..i64::MAX, 80).as_secs(), 21_600);
    }
}
