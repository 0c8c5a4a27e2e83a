//! Findings about the periods ahead: windows that overlap, and periods without a start.

use alloc::format;
use alloc::string::{String, ToString};

use kron_core::constraint::ClausePart;
use kron_core::time::Rfc3339;
use kron_core::{Clause, Constraints, Duration, Finding, Job, Severity, Unschedulable, Window};

use super::LintOptions;
use crate::lint::code::LintCode;
use crate::{DAY, HumanLength};

/// Most gaps between periods that are examined.
const GAPS: usize = 1000;
/// Most windows that are examined for allowed seconds, and how many seconds are few.
const WINDOWS: usize = 100;
const FEW_SECONDS: u64 = 60;

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
        HumanLength::of(window.duration()),
        if length == second - first { "as long as" } else { "longer than" },
        HumanLength::of_seconds(second - first),
        Rfc3339(first),
        Rfc3339(second)
    );
    let finding = Finding::new(Severity::Warning, LintCode::WindowLongerThanGap, message);
    let shorter = Window::new(window.mode(), seconds(second - first - 1));
    let shorter = shorter.and_then(|shorter| Ok((shorter, job.spec().to_builder().window(shorter).build()?)));
    Some(match shorter.and_then(|(shorter, spec)| Ok((shorter, Job::new(job.name(), spec)?))) {
        Ok((shorter, shortened)) if has_start(&shortened, at, options) => {
            let (mode, duration) = (shorter.mode(), HumanLength::of(shorter.duration()));
            finding.with_help(format!("write `@win({mode},{duration:#})`"))
        }
        _ => finding.with_help("let the schedule match less often: a shorter window would have no start"),
    })
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

/// Whether a job has a start ahead. What lint advises must leave one.
pub(super) fn has_start(job: &Job, at: i64, options: &LintOptions) -> bool {
    let nominals = core::iter::successors(job.next_nominal_timestamp(at), |nominal| {
        job.next_nominal_timestamp(*nominal)
    });
    let until = end(at, options);
    let mut nominals = nominals.take_while(|nominal| *nominal <= until).take(options.periods);
    nominals.any(|nominal| matches!(job.unschedulable(nominal), Ok(None)))
}

/// The periods ahead of a job, and those of them that are unschedulable.
struct Ahead {
    seen: usize,
    bad: usize,
    first: Option<(i64, Unschedulable)>,
}

impl Ahead {
    fn new(job: &Job, at: i64, options: &LintOptions) -> Ahead {
        let until = end(at, options);
        let nominals = core::iter::successors(job.next_nominal_timestamp(at), |nominal| {
            job.next_nominal_timestamp(*nominal)
        });
        let mut ahead = Ahead { seen: 0, bad: 0, first: None };
        for nominal in nominals.take_while(|nominal| *nominal <= until).take(options.periods) {
            ahead.seen += 1;
            // OK because these are nominal times.
            if let Ok(Some(why)) = job.unschedulable(nominal) {
                ahead.bad += 1;
                ahead.first = ahead.first.or(Some((nominal, why)));
            }
        }
        ahead
    }
}

/// Two `avoid` clauses, one of times of day and one of days, which together forbid most periods, and would forbid less than half as
/// many if a time had to meet both.
fn avoid_clauses_apart(job: &Job, at: i64, options: &LintOptions, ahead: &Ahead) -> Option<Finding> {
    if ahead.bad * 2 <= ahead.seen {
        return None;
    }
    let constraints = job.spec().constraints();
    let is_of_day = |part| matches!(part, ClausePart::Hours | ClausePart::Between);
    let of_times = constraints.avoid().iter().find(|clause| clause.parts().all(is_of_day))?;
    let of_days = constraints.avoid().iter().find(|clause| !clause.parts().any(is_of_day))?;
    let others = constraints.avoid().iter().filter(|clause| *clause != of_times && *clause != of_days);
    let mut builder = Constraints::new();
    for only in constraints.only() {
        builder = builder.only(only.clone());
    }
    for other in others {
        builder = builder.avoid(other.clone());
    }
    let builder = builder.avoid(Clause::builder().parts_of(of_times).parts_of(of_days));
    let constraints = builder.build().ok()?;
    let written = constraints.to_string();
    let written =
        written.rsplit_once("@avoid").map_or_else(String::new, |(_, avoid)| format!("@avoid{avoid}"));
    let spec = job.spec().to_builder().constraints(constraints).build().ok()?;
    let other = Ahead::new(&Job::new(job.name(), spec).ok()?, at, options);
    if other.bad * 2 >= ahead.bad {
        return None;
    }
    let message = format!(
        "`{of_times}` and `{of_days}` each forbid a time by themselves, so {} of the next {} periods are unschedulable",
        ahead.bad, ahead.seen
    );
    let finding = Finding::new(Severity::Warning, LintCode::AvoidClausesApart, message);
    Some(finding.with_help(format!("to forbid only times that meet both, write `{written}`")))
}

/// Periods that the constraints make unschedulable: all of them, or some.
pub(super) fn unschedulable(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    if job.spec().constraints().is_empty() {
        return None;
    }
    let ahead = Ahead::new(job, at, options);
    if let Some(finding) = avoid_clauses_apart(job, at, options, &ahead) {
        return Some(finding);
    }
    let Ahead { seen, bad, first } = ahead;
    let (nominal, why) = first?;
    let reason = match why {
        kron_core::Unschedulable::NoAllowedSecond => "no second of its window is allowed",
        kron_core::Unschedulable::DrawsExhausted => "none of its 64 draws is allowed",
    };
    let (severity, code, message) = if bad == seen {
        let message = format!(
            "the constraints leave none of the next {seen} periods a start: of {}, {reason}",
            Rfc3339(nominal)
        );
        (Severity::Warning, LintCode::NeverSchedulable, message)
    } else {
        let (are, first) = if bad == 1 { ("is", "") } else { ("are", "first ") };
        let message = format!(
            "{bad} of the next {seen} periods ({} %) {are} unschedulable, {first}{}: {reason}",
            (100 * bad).div_ceil(seen),
            Rfc3339(nominal)
        );
        // Periods outside business hours, for example, are meant to be left out.
        (Severity::Note, LintCode::UnschedulablePeriods, message)
    };
    Some(
        Finding::new(severity, code, message)
            .with_help("if they are meant to start, widen the window or loosen the constraints"),
    )
}

/// Windows of which the constraints leave next to nothing, so that jobs like this one start together. Periods without a start have a
/// finding of their own.
pub(super) fn mostly_forbidden(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    if job.spec().constraints().is_empty() {
        return None;
    }
    let until = end(at, options);
    let nominals = core::iter::successors(job.next_nominal_timestamp(at), |nominal| {
        job.next_nominal_timestamp(*nominal)
    });
    let nominals = nominals.take_while(|nominal| *nominal <= until).take(options.periods.min(WINDOWS));
    let (mut open, mut few, mut first) = (0, 0, None);
    // OK because these are nominal times.
    for explanation in nominals.filter_map(|nominal| job.explain(nominal).ok()) {
        let (allowed, candidates) = (explanation.allowed, explanation.candidates);
        open += usize::from(allowed > 0);
        if (1..=FEW_SECONDS).contains(&allowed) && allowed.saturating_mul(20) < candidates {
            few += 1;
            first = first.or(Some((explanation.decision.nominal_timestamp(), allowed, candidates)));
        }
    }
    let (nominal, allowed, candidates) = first.filter(|_| few * 2 > open)?;
    let seconds = if allowed == 1 { "second" } else { "seconds" };
    let message = format!(
        "the constraints allow {allowed} {seconds} of the {candidates} of the window of {}, so jobs like this one start together",
        Rfc3339(nominal)
    );
    let finding = Finding::new(Severity::Warning, LintCode::MostlyForbidden, message);
    Some(finding.with_help("widen the window or loosen the constraints"))
}

/// The last second of the look ahead.
pub(super) fn end(at: i64, options: &LintOptions) -> i64 {
    options.end.unwrap_or_else(|| at.saturating_add(i64::from(options.years) * 366 * DAY))
}

/// A number of seconds that is not negative.
fn seconds(seconds: i64) -> Duration {
    // OK because a gap between nominal times is below 2^32 seconds.
    Duration::from_secs(seconds.clamp(0, u32::MAX.into()) as u32)
}
