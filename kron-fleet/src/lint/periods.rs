//! Findings about the periods ahead: windows that overlap, and periods without a start.

use alloc::format;

use kron_core::time::Rfc3339;
use kron_core::{Duration, Finding, Job, Severity};

use super::LintOptions;
use crate::DAY;
use crate::lint::code::LintCode;

/// Most gaps between periods that are examined.
const GAPS: usize = 1000;

/// A window longer than the gap to the next period. Of several gaps the shortest is named.
pub(super) fn window_longer_than_gap(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    let reach = job.spec().reach();
    let length = reach.last - reach.first;
    if length == 0 {
        return None;
    }
    let nominals = core::iter::successors(job.next_nominal_timestamp(at), |nominal| {
        job.next_nominal_timestamp(*nominal)
    });
    let nominals = nominals.take(options.periods.min(GAPS));
    let gaps = nominals.clone().zip(nominals.skip(1));
    let (first, second) = gaps
        .filter(|(first, second)| second - first <= length)
        .min_by_key(|(first, second)| second - first)?;
    let window = job.spec().window();
    let message = format!(
        "the window of {} is {} the gap of {} from {} to {}: starts may come out of order, and several periods can be \
         pending at once",
        window.duration(),
        if length == second - first { "as long as" } else { "longer than" },
        seconds(second - first),
        Rfc3339(first),
        Rfc3339(second)
    );
    let finding = Finding::new(Severity::Warning, LintCode::WindowLongerThanGap, message);
    Some(finding.with_help(format!("write `@win({},{})`", window.mode(), seconds(second - first - 1))))
}

/// A schedule without a nominal time in the years ahead.
pub(super) fn never_fires(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    let until = end(at, options);
    job.next_nominal_timestamp(at).is_none_or(|nominal| nominal > until).then(|| {
        let ahead = match options {
            LintOptions { end: Some(_), .. } => "".into(),
            LintOptions { years: 1, .. } => " in the next year,".into(),
            LintOptions { years, .. } => format!(" in the next {years} years,"),
        };
        let message = format!("the schedule has no nominal time{ahead} until {}", Rfc3339(until));
        Finding::new(Severity::Warning, LintCode::NeverFires, message)
    })
}

/// Periods that the constraints make unschedulable: all of them, or some.
pub(super) fn unschedulable(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    if job.spec().constraints().is_empty() {
        return None;
    }
    let until = end(at, options);
    let nominals = core::iter::successors(job.next_nominal_timestamp(at), |nominal| {
        job.next_nominal_timestamp(*nominal)
    });
    let (mut seen, mut bad, mut first) = (0, 0, None);
    for nominal in nominals.take_while(|nominal| *nominal <= until).take(options.periods) {
        seen += 1;
        // OK because these are nominal times.
        if let Ok(Some(why)) = job.unschedulable(nominal) {
            bad += 1;
            first = first.or(Some((nominal, why)));
        }
    }
    let (nominal, why) = first?;
    let reason = match why {
        kron_core::Unschedulable::NoAllowedSecond => "no second of its window is allowed",
        kron_core::Unschedulable::DrawsExhausted => "none of its 64 draws is allowed",
    };
    let (code, message) = if bad == seen {
        let message = format!(
            "the constraints leave none of the next {seen} periods a start: of {}, {reason}",
            Rfc3339(nominal)
        );
        (LintCode::NeverSchedulable, message)
    } else {
        let (are, first) = if bad == 1 { ("is", "") } else { ("are", "first ") };
        let message = format!(
            "{bad} of the next {seen} periods {are} unschedulable, {first}{}: {reason}",
            Rfc3339(nominal)
        );
        (LintCode::UnschedulablePeriods, message)
    };
    Some(
        Finding::new(Severity::Warning, code, message)
            .with_help("widen the window or loosen the constraints"),
    )
}

/// The last second of the look ahead.
fn end(at: i64, options: &LintOptions) -> i64 {
    options.end.unwrap_or_else(|| at.saturating_add(i64::from(options.years) * 366 * DAY))
}

/// A number of seconds that is not negative.
fn seconds(seconds: i64) -> Duration {
    // OK because a gap between nominal times is below 2^32 seconds.
    Duration::from_secs(seconds.clamp(0, u32::MAX.into()) as u32)
}
