//! The lengths of buckets and of columns for a picture of so many columns.

use core::ops::RangeBounds;

use kron_core::time::seconds_of;
use kron_core::{Duration, Instant};

use super::range::ForecastRange;

const DAY: i64 = 86_400;
/// The lengths of columns up to a day, in minutes, and whether a bucket is chosen to be so long. They divide a day.
const MINUTES: [(u32, bool); 15] = [
    (1, true),
    (2, true),
    (5, true),
    (10, true),
    (15, true),
    (20, false),
    (30, true),
    (60, true),
    (120, true),
    (180, false),
    (240, false),
    (360, true),
    (480, false),
    (720, false),
    (1440, false),
];

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
    let fits = |minutes: &u32| seconds.div_ceil(u64::from(*minutes) * 60) <= columns as u64;
    let mut lengths = MINUTES.iter().filter(|(_, is_bucket)| *is_bucket).map(|(minutes, _)| *minutes);
    let longest = lengths.clone().next_back().unwrap_or(1);
    Duration::from_secs(lengths.find(fits).unwrap_or(longest) * 60)
}

impl ForecastRange {
    /// How many columns a picture of at most `most` has: as long as they begin at the same times of every day, if buckets can be.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_fleet::forecast::ForecastRange;
    /// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
    /// assert_eq!([day.columns_within(80), day.columns_within(100)], [72, 96]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn columns_within(&self, most: usize) -> usize {
        let (per, buckets) = (self.per_seconds(), self.len());
        let least = buckets.div_ceil(most.max(1)) as i64 * per;
        let days = least.div_euclid(DAY) * DAY + DAY;
        let lengths = MINUTES.iter().map(|(minutes, _)| i64::from(*minutes) * 60).chain([days]);
        let length = lengths.filter(|length| length % per == 0).find(|length| *length >= least);
        // OK because a column is not longer than a range and a day.
        length.map_or(most, |length| buckets.div_ceil((length / per) as usize))
    }
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

    #[test]
    fn columns_begin_at_the_same_times_of_every_day() {
        let p = |seconds: i64, per: u32, most| {
            ForecastRange::new(0..seconds, Duration::from_secs(per)).unwrap().columns_within(most)
        };
        // 20 minutes, 3 hours, half a day, and two days.
        assert_eq!(
            [p(DAY, 60, 80), p(7 * DAY, 900, 80), p(31 * DAY, 900, 80), p(100 * DAY, 3600, 80)],
            [72, 56, 62, 50]
        );
        // A bucket of 7 seconds has no such column.
        assert_eq!([p(3600, 7, 80), p(70, 7, 80)], [80, 80]);
        for (minutes, _) in MINUTES {
            assert_eq!(DAY % (i64::from(minutes) * 60), 0);
        }
    }
}
