//! Texts of files, and what is found in them.

use kron_core::error::FindingCode;
use kron_core::{Error, Finding, Job, JobSpec, Severity};
use kron_fleet::forecast::ForecastRange;
use kron_formats::convert::ConvertFinding;
use kron_formats::{place, read};
use serde::{Deserialize, Serialize};

use crate::answers::{check_overlap, overlapping};
use crate::failure::Failure;
use crate::limits::{BUCKETS, CONSTRAINED_DRAWS, FLEET_DRAWS, FLEET_JOBS, FLEET_OVERLAPPING};

/// The text of a file. Its path says what it can be; without one, its content does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceText {
    #[serde(default)]
    pub(crate) path: String,
    pub(crate) text: String,
    /// What the names of schedules begin with that have none but their keys: if nothing is said, the name of the file without its
    /// extension.
    names: Option<String>,
}

impl SourceText {
    /// As jobs are read from it.
    pub(super) fn to_read(&self) -> read::Source<'_> {
        self.to_read_as(&self.text)
    }

    /// As jobs are read from another text in its place.
    pub(super) fn to_read_as<'a>(&'a self, text: &'a str) -> read::Source<'a> {
        let names = self.names.as_deref().unwrap_or_else(|| self.stem());
        read::Source::new(&self.path, text).with_names(names).named()
    }

    /// As its schedules are placed. Names of schedules without an object begin with `prefix` and the path.
    pub(super) fn to_place<'a>(&'a self, names: &'a str) -> place::Source<'a> {
        place::Source::new(&self.path, &self.text).by_content().named(names)
    }

    /// The path without its extension; of a path that begins at a root or above its folder, the name of the file.
    pub(super) fn below(&self) -> &str {
        if ["/", "./", "../"].iter().any(|begin| self.path.starts_with(begin)) {
            return self.stem();
        }
        &self.path[..self.path.len() - self.file().len() + self.stem().len()]
    }

    fn file(&self) -> &str {
        self.path.rsplit_once('/').map_or(&self.path, |(_, file)| file)
    }

    /// The name of the file without its extension.
    fn stem(&self) -> &str {
        let file = self.file();
        file.rsplit_once('.').map_or(file, |(stem, _)| if stem.is_empty() { file } else { stem })
    }
}

/// Something that was found in a source.
#[derive(Debug, Serialize)]
pub(super) struct FoundObject {
    /// The word of its severity: `error`, `warning` or `note`.
    severity: &'static str,
    code: &'static str,
    /// In which source, from 0; nothing if it is about all of them.
    source: Option<usize>,
    /// The line, from 1.
    line: Option<usize>,
    /// The name of the job, where it is known.
    name: Option<String>,
    message: String,
    help: Option<String>,
}

impl FoundObject {
    pub(super) fn new(finding: Finding, source: Option<usize>, line: Option<usize>) -> FoundObject {
        FoundObject {
            severity: finding.severity.as_str(),
            code: FindingCode::as_str(finding.code),
            source,
            line,
            name: None,
            message: finding.message,
            help: finding.help,
        }
    }

    pub(super) fn of_error(error: &Error, source: usize) -> FoundObject {
        FoundObject::new(Finding::from_error(error), Some(source), error.line())
    }

    pub(super) fn of(found: ConvertFinding) -> FoundObject {
        FoundObject { name: found.job, ..FoundObject::new(found.finding, Some(found.source), found.line) }
    }

    pub(super) fn with_name(self, name: &str) -> FoundObject {
        FoundObject { name: Some(name.to_string()), ..self }
    }

    /// As an error: somebody named the source.
    pub(super) fn into_error(self) -> FoundObject {
        FoundObject { severity: Severity::Error.as_str(), ..self }
    }
}

/// What helps where a range has too much work: it can be as short as a picture needs already.
pub(super) const LESS_AT_ONCE: &str = "ask for a shorter range or for fewer jobs, or use the command `kron`";

/// Refuses more jobs than a fleet may have.
pub(super) fn check_jobs(count: usize) -> Result<(), Failure> {
    if count > FLEET_JOBS {
        let message = format!("there are {count} jobs, more than {FLEET_JOBS}");
        return Err(Failure::limit(message, "take fewer jobs at once, or use the command `kron`"));
    }
    Ok(())
}

/// Refuses a range in which the jobs have too many nominal times for one call, or that has too many buckets.
pub(super) fn check_work<'a>(
    jobs: impl Iterator<Item = &'a Job>,
    range: &ForecastRange,
) -> Result<(), Failure> {
    let buckets = (range.to_timestamp() - range.from_timestamp()) / range.per_seconds();
    if buckets > BUCKETS {
        let message = format!("the range has {buckets} buckets, more than {BUCKETS}");
        return Err(Failure::limit(message, "ask for longer buckets, or for a shorter range"));
    }
    let jobs: Vec<&Job> = jobs.collect();
    jobs.iter().try_for_each(|job| check_overlap(job.spec(), FLEET_OVERLAPPING))?;
    // Each part of a forecast decides the periods again whose windows reach into it.
    let parts = range.parts() as u64;
    let draws_of = |job: &Job| {
        let found = job.count_nominal_times(range.from_timestamp(), range.to_timestamp() - 1);
        let reaching = overlapping(job.spec()).saturating_mul(parts);
        found.saturating_add(reaching).saturating_mul(draws(job.spec()))
    };
    let all = jobs.into_iter().map(draws_of).fold(0, u64::saturating_add);
    if all > FLEET_DRAWS {
        let message = format!(
            "the range has too many starts, counting overlapping windows, and {CONSTRAINED_DRAWS} for each start with constraints: {all}, \
             more than {FLEET_DRAWS}"
        );
        return Err(Failure::limit(message, LESS_AT_ONCE));
    }
    Ok(())
}

/// How many draws a start is worth: constraints refuse some.
fn draws(spec: &JobSpec) -> u64 {
    if spec.constraints().is_empty() { 1 } else { CONSTRAINED_DRAWS }
}
