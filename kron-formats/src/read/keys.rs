//! Jobs of the schedules that stand under keys.

use kron_core::{Finding, Job, JobSpec, Severity};

use super::source::{Options, Source};
use crate::convert::ConvertFinding;
use crate::load::LoadedJob;
use crate::place::{self, PlainSchedule, plain_schedules};
use crate::without_days::WithoutDays as _;

/// The schedules under the keys of a source.
pub(super) fn keys_of(source: &Source<'_>) -> Vec<PlainSchedule> {
    let text = place::Source::new(source.path, source.text);
    plain_schedules(&if source.is_named { text.by_content() } else { text })
}

/// The name of a schedule, which another job may have.
pub(super) fn name_of(source: &Source<'_>, schedule: &PlainSchedule) -> String {
    // A key can be any text, and a name has no control characters.
    let path = schedule.path.replace(char::is_control, "\u{fffd}");
    if source.names.is_empty() { path } else { format!("{}/{path}", source.names) }
}

/// The job of a schedule, without a window.
pub(super) fn job_of(
    index: usize,
    schedule: &PlainSchedule,
    name: &str,
    options: &Options,
) -> Result<LoadedJob, Box<ConvertFinding>> {
    let zone = schedule.timezone.as_deref().or(options.timezone.as_deref()).unwrap_or("UTC");
    let job = || {
        let zone = options.parser.tz_database().zone(zone)?;
        let spec: JobSpec = options.parser.spec(&schedule.text)?;
        Job::new(name, spec.to_builder().timezone(zone).build()?)
    };
    match job() {
        Ok(job) => Ok(LoadedJob::of_schedule(job, &schedule.text, schedule.line)),
        Err(error) => {
            let mut finding = Finding::from_error(&error.without_days());
            // The key may be one of a system with schedules of its own.
            finding.severity = Severity::Note;
            finding.message = format!("this schedule is left out: {}", finding.message);
            Err(Box::new(ConvertFinding::new(index, finding).at(schedule.line)))
        }
    }
}
