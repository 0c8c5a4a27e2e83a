//! Where nominal times come from: Kron's own cron search, or another crate's schedule.

use crate::cron::Cron;
use crate::time::zone::Zone;

/// A source of nominal times, in Unix seconds.
///
/// Kron's [`Cron`] implements it, and so do `cron::Schedule` (feature `cron_0_17`) and `croner::Cron` (feature
/// `croner_4`), so that users of those crates can put Kron's windows on the schedules they already have:
///
/// ```
/// use kron_core::{Job, JobSpec, Zone};
/// use kron_core::cron::NominalTimes;
///
/// /// Every full moon, roughly.
/// struct FullMoons;
///
/// impl NominalTimes for FullMoons {
///     fn next_nominal(&self, _: &Zone, after: i64) -> Option<i64> {
///         Some((after / 2_551_443 + 1) * 2_551_443)
///     }
///     fn prev_nominal(&self, _: &Zone, at: i64) -> Option<i64> {
///         Some(at / 2_551_443 * 2_551_443)
///     }
/// }
///
/// let job = Job::new("tides/report", JobSpec::builder_for(FullMoons).build()?)?;
/// assert_eq!(job.next_start(1)?.chosen_timestamp(), Some(2_551_443));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub trait NominalTimes {
    /// The smallest nominal time after a Unix second.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// use kron_core::cron::NominalTimes;
    /// let daily = Cron::parse("@daily")?;
    /// assert_eq!(daily.next_nominal(&Zone::UTC, 0), Some(86_400)); // not 0 itself
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn next_nominal(&self, zone: &Zone, after: i64) -> Option<i64>;

    /// The greatest nominal time at or before a Unix second.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// use kron_core::cron::NominalTimes;
    /// let daily = Cron::parse("@daily")?;
    /// assert_eq!(daily.prev_nominal(&Zone::UTC, 86_400), Some(86_400)); // the time itself
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn prev_nominal(&self, zone: &Zone, at: i64) -> Option<i64>;

    /// The number of nominal times from `first` to `last`, both included. By default they are found one after another; a
    /// source that can count without finding each makes plans of long ranges faster.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// use kron_core::cron::NominalTimes;
    /// let daily = Cron::parse("@daily")?;
    /// assert_eq!(daily.count_nominal(&Zone::UTC, 0, 10 * 86_400), 11);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn count_nominal(&self, zone: &Zone, first: i64, last: i64) -> u64 {
        let mut count = 0;
        let mut after = first.saturating_sub(1);
        // If a source goes back in time, the count ends.
        while let Some(found) =
            self.next_nominal(zone, after).filter(|found| *found > after && *found <= last)
        {
            count += 1;
            after = found;
        }
        count
    }
}

impl NominalTimes for Cron {
    #[inline]
    fn next_nominal(&self, zone: &Zone, after: i64) -> Option<i64> {
        self.next_timestamp(zone.offsets(), after)
    }

    #[inline]
    fn prev_nominal(&self, zone: &Zone, at: i64) -> Option<i64> {
        self.prev_timestamp(zone.offsets(), at)
    }

    fn count_nominal(&self, zone: &Zone, first: i64, last: i64) -> u64 {
        self.count_timestamps(zone.offsets(), first, last)
    }
}

/// The crate iterates in civil time, which differs from the order of instants where clocks go back. So each span of
/// constant offset is searched separately: within a span, both orders are the same.
#[cfg(feature = "cron_0_17")]
impl NominalTimes for cron::Schedule {
    fn next_nominal(&self, zone: &Zone, after: i64) -> Option<i64> {
        let data = zone.offsets();
        let mut from = after;
        (data.span_index(after.checked_add(1)?)..data.spans.len()).find_map(|index| {
            let found = self.after(&fixed(data.spans[index].offset, from)?).next()?.timestamp();
            from = data.span_end(index).saturating_sub(1);
            (found <= from).then_some(found)
        })
    }

    fn prev_nominal(&self, zone: &Zone, at: i64) -> Option<i64> {
        let data = zone.offsets();
        // Its reverse iterator is exclusive, and schedules have whole seconds.
        let mut before = at.checked_add(1)?;
        (0..=data.span_index(at)).rev().find_map(|index| {
            let found = self.after(&fixed(data.spans[index].offset, before)?).next_back()?.timestamp();
            before = data.spans[index].start;
            (found >= before).then_some(found)
        })
    }
}

#[cfg(feature = "cron_0_17")]
fn fixed(offset: i32, timestamp: i64) -> Option<chrono::DateTime<chrono::FixedOffset>> {
    let offset = chrono::FixedOffset::east_opt(offset)?;
    Some(chrono::DateTime::from_timestamp(timestamp, 0)?.with_timezone(&offset))
}

#[cfg(feature = "croner_4")]
fn local(zone: &Zone, timestamp: i64) -> Option<chrono::DateTime<Zone>> {
    Some(chrono::DateTime::from_timestamp(timestamp, 0)?.with_timezone(zone))
}

#[cfg(feature = "croner_4")]
impl NominalTimes for croner::Cron {
    fn next_nominal(&self, zone: &Zone, after: i64) -> Option<i64> {
        self.find_next_occurrence(&local(zone, after)?, false).ok().map(|time| time.timestamp())
    }

    fn prev_nominal(&self, zone: &Zone, at: i64) -> Option<i64> {
        self.find_previous_occurrence(&local(zone, at)?, true).ok().map(|time| time.timestamp())
    }
}
