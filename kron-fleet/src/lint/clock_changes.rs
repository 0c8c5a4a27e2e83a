//! Findings about clock changes. They hardly matter to a schedule of every hour, so they are notes there.

use alloc::format;

use kron_core::cron::{ClockChange, CronField};
use kron_core::time::Rfc3339;
use kron_core::{Finding, JobSpec, Severity};

use crate::lint::code::LintCode;

/// The next nominal time that a clock change skips.
pub(super) fn skipped(spec: &JobSpec, at: i64) -> Option<Finding> {
    let change = spec.in_zone().next_skipped(at)?;
    Some(finding(spec, &change, LintCode::SkippedByClockChange, "does not exist and yields no period"))
}

/// The next nominal time that a clock change doubles.
pub(super) fn doubled(spec: &JobSpec, at: i64) -> Option<Finding> {
    let change = spec.in_zone().next_doubled(at)?;
    Some(finding(spec, &change, LintCode::DoubledByClockChange, "occurs twice and yields two periods"))
}

fn finding(spec: &JobSpec, change: &ClockChange, code: LintCode, what: &str) -> Finding {
    let severity =
        if !spec.schedule().restricts(CronField::Hour) { Severity::Note } else { Severity::Warning };
    let message = format!(
        "{} {what} in {} when clocks change at {}",
        change.civil_text(),
        spec.timezone(),
        Rfc3339(change.timestamp)
    );
    Finding::new(severity, code, message)
}
