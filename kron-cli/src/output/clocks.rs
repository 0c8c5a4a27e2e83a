//! What changes of the clocks do, in words.

use kron_core::Job;
use kron_core::cron::ClockChange;

use super::time;

/// What the clocks do: `clocks go from +01:00 to +02:00 at 2026-03-29T01:00:00Z`.
pub(crate) fn clocks_go(change: &ClockChange) -> String {
    format!(
        "clocks go from {} to {} at {}",
        time::offset(change.offset_before),
        time::offset(change.offset_after),
        time::utc(change.time())
    )
}

/// That clocks skip a nominal time of a job in a range of Unix seconds, if they do.
pub(crate) fn skipped_in(job: &Job, from: i64, to: i64) -> Option<String> {
    let zone = job.spec().timezone();
    let skipped = job.spec().in_zone().next_skipped(from.saturating_sub(1));
    let change = skipped.filter(|change| change.time().timestamp() < to)?;
    Some(format!("{} does not exist in {zone}: {}", change.civil_text(), clocks_go(&change)))
}
