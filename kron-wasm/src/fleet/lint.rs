//! What is probably not intended in a fleet.

use kron_core::JobSpec;
use kron_fleet::lint::{FleetJob, LintCode, LintOptions, lint, lint_fleet};
use kron_formats::read::{Origin, ReadJob};

use crate::answers::json;
use crate::failure::Failure;
use crate::limits::{LINT_PERIODS, LINT_SECONDS};

use super::jobs::Fleet;
use super::sources::FoundObject;

/// How many periods of one job are examined: the most, and the least.
const OF_JOB: (usize, usize) = (10_000, 10);

pub(super) fn answer(fleet: &Fleet, at: i64) -> Result<String, Failure> {
    let (most, least) = OF_JOB;
    let work: usize = fleet.jobs().map(|job| work_of_period(job.spec())).sum();
    let periods = (LINT_PERIODS / work.max(1)).clamp(least, most);
    let options = LintOptions::default().with_periods(periods);
    let mut found = Vec::new();
    for read in &fleet.jobs {
        let (job, is_of_kron) = (&read.loaded.job, read.origin == Origin::Kron);
        let text = read.loaded.source.as_deref().or(read.loaded.schedule.as_deref());
        for finding in lint(job, text, at, &options) {
            // Another system starts it, whatever Kron does with late starts.
            if is_of_kron || finding.code != LintCode::NoDeadline.into() {
                let object = FoundObject::new(finding, Some(read.source), read.loaded.line);
                found.push(object.with_name(job.name()));
            }
        }
    }
    let jobs = fleet.jobs.iter();
    let jobs = jobs.map(|read| FleetJob { job: &read.loaded.job, command: command(read), allowed: &[] });
    for together in lint_fleet(jobs, at) {
        let first = together.jobs.first().map(|index| &fleet.jobs[*index]);
        let object = FoundObject::new(
            together.finding,
            first.map(|read| read.source),
            first.and_then(|read| read.loaded.line),
        );
        found.push(object);
    }
    json(&found)
}

/// The work for a period of a job: constraints are compared with the whole window.
fn work_of_period(spec: &JobSpec) -> usize {
    let reach = spec.reach();
    let parts = if spec.constraints().is_empty() { 0 } else { (reach.last - reach.first) / LINT_SECONDS };
    // OK because a window has at most 366 days.
    1 + parts as usize
}

/// The command in the line of a job file.
fn command(read: &ReadJob) -> Option<&str> {
    let found = read.loaded.fields.iter().find(|(key, _)| key == "command");
    found.map(|(_, command)| command.as_str())
}
