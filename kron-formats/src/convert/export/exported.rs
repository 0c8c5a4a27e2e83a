//! What an export has made so far.

use kron_core::{Finding, Severity};

use crate::convert::finding::ConvertFinding;
use crate::error::convert::export as messages;
use crate::load::LoadedJob;

/// The result of an export.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exported {
    /// Names and contents of files: `crontab`, or two units for each job.
    pub files: Vec<(String, String)>,
    /// How many jobs are not in them; a finding of severity [`Severity::Error`] gives each reason.
    pub refused: usize,
    /// What to know about them. The source of a finding that names a job is the index of that job; a finding about all jobs names
    /// none, and its source is 0.
    pub findings: Vec<ConvertFinding>,
}

impl Exported {
    /// Reports a finding about all jobs.
    pub(super) fn report(&mut self, finding: Finding) {
        self.findings.push(ConvertFinding::new(0, finding));
    }

    /// Reports a finding about the job of an index.
    pub(super) fn report_of(&mut self, index: usize, job: &LoadedJob, finding: Finding) {
        self.refused += usize::from(finding.severity == Severity::Error);
        let name = Some(job.job.name().to_string());
        self.findings.push(ConvertFinding::new(index, finding).at(job.line).of_job(name));
    }

    /// Reports the fields of a job that no host but Kron's own reads.
    pub(super) fn report_fields(&mut self, index: usize, job: &LoadedJob) {
        let known =
            |key: &str| ["command", "cwd", "timeout", "user"].contains(&key) || key.starts_with("env.");
        for (key, _) in job.fields.iter().filter(|(key, _)| !known(key)) {
            self.report_of(index, job, messages::field(key));
        }
    }
}
