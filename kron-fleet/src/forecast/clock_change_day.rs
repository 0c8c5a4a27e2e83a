//! The days of a forecast on which clocks change.

use alloc::vec::Vec;

use kron_core::time::OffsetChange;
use kron_core::{Job, Zone};

use super::{ForecastBy, ForecastJob, each_start};
use crate::DAY;
use crate::forecast::range::ForecastRange;

/// A civil day in a zone on which the clocks change, and what the jobs of the zone do on it. Made by
/// [`clock_change_days`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClockChangeDay {
    /// The zone.
    pub zone: Zone,
    /// The change.
    pub change: OffsetChange,
    /// The first Unix second of the day.
    pub from_timestamp: i64,
    /// The Unix second after its last.
    pub to_timestamp: i64,
    /// The number of jobs in the zone, without suspended ones.
    pub jobs: usize,
    /// How many times they start on the day.
    pub starts: u64,
    /// How many times they start on the day seven days before.
    pub starts_week_before: u64,
    /// The nominal times of the day.
    pub nominal_times: u64,
    /// The nominal times that the day would have if the clocks did not change. Where the two differ, the change is the cause.
    pub nominal_times_without_change: u64,
}

/// The days on which the clocks of the jobs' zones change within a range, in order of the changes, then by the names of
/// the zones. The starts of the whole day are counted, even if the range contains only a part of it.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, clock_change_days};
/// let job = Job::parse("web/report", "0 * * * * @tz(Europe/Paris)")?;
/// // March 2026: the clocks go forward on Sunday, 29 March, at 02:00.
/// let march = ForecastRange::new(1_772_323_200..1_775_001_600, Duration::from_secs(3600))?;
/// let days = clock_change_days(&[ForecastJob::new(&job)], &march, ForecastBy::NominalTime);
/// assert_eq!((days.len(), days[0].starts, days[0].starts_week_before), (1, 23, 24));
/// assert_eq!((days[0].nominal_times, days[0].nominal_times_without_change), (23, 24));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn clock_change_days(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    by: ForecastBy,
) -> Vec<ClockChangeDay> {
    let running = |job: &&ForecastJob<'_>| !job.job.spec().policy().suspend();
    let mut jobs: Vec<&ForecastJob<'_>> = jobs.iter().filter(running).collect();
    jobs.sort_by(|a, b| a.job.spec().timezone().name().cmp(b.job.spec().timezone().name()));
    let mut days = Vec::new();
    for of_zone in jobs.chunk_by(|a, b| a.job.spec().timezone() == b.job.spec().timezone()) {
        let zone = of_zone[0].job.spec().timezone();
        let starts = |from: i64, to: i64| {
            let mut starts = 0;
            for job in of_zone {
                // A failed search has found all starts that can be counted.
                let _ = each_start(job.job, from, to, by, |_| starts += 1);
            }
            starts
        };
        let changes = zone.changes(range.from_timestamp().saturating_sub(1));
        for change in changes.take_while(|change| change.timestamp < range.to_timestamp()) {
            let (before, after) = (i64::from(change.offset_before), i64::from(change.offset_after));
            // The civil times that are skipped or doubled begin at the lesser of the two.
            let day = (change.timestamp + before.min(after)).div_euclid(DAY) * DAY;
            let (from, to) = ((day - before).min(change.timestamp), day + DAY - after);
            let nominal =
                |job: &ForecastJob<'_>, from: i64, to: i64| job.job.count_nominal_times(from, to - 1);
            let without_change = |job: &&ForecastJob<'_>| match on_even_clocks(job.job) {
                Some(even) => even.count_nominal_times(day, day + DAY - 1),
                None => nominal(job, from, to),
            };
            days.push(ClockChangeDay {
                zone: zone.clone(),
                change,
                from_timestamp: from,
                to_timestamp: to,
                jobs: of_zone.len(),
                starts: starts(from, to),
                starts_week_before: starts(from - 7 * DAY, from - 6 * DAY),
                nominal_times: of_zone.iter().map(|job| nominal(job, from, to)).sum(),
                nominal_times_without_change: of_zone.iter().map(without_change).sum(),
            });
        }
    }
    // Stable, so zones stay in order of their names.
    days.sort_by_key(|day| day.change.timestamp);
    days
}

/// A job whose clocks never change: its nominal times are civil times, counted as those of UTC. `None` if only its own zone fits it.
fn on_even_clocks(job: &Job) -> Option<Job> {
    let spec = job.spec().to_builder().timezone(Zone::UTC).build().ok()?;
    Job::new(job.name(), spec).ok()
}
