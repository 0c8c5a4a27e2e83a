//! The jobs of files.

use std::collections::BTreeMap;

use kron_formats::read::{Options, Origin, Read, ReadJob, Source, read};
use serde::{Deserialize, Serialize};

use crate::answers::{json, parser};
use crate::failure::Failure;
use crate::handles::Handles;

use super::jobs::Fleet;
use super::sources::{FoundObject, SourceText, check_jobs};

/// Reads the jobs of files, and keeps them until their handle is freed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRequest {
    #[serde(default)]
    sources: Vec<SourceText>,
    /// Further jobs, after those of the sources. They have the number of a source that would follow.
    #[serde(default)]
    jobs: Vec<NamedJob>,
    /// The zone of schedules of other systems that name none.
    timezone: Option<String>,
    /// The namespace of manifests that name none.
    namespace: Option<String>,
    /// Whether placed schedules are read as their declarations say, with windows.
    #[serde(default)]
    declared: bool,
    #[serde(default)]
    calendars: BTreeMap<String, String>,
}

/// A job by its name and its text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedJob {
    name: String,
    text: String,
}

#[derive(Serialize)]
struct ReadAnswer<'a> {
    fleet: u32,
    jobs: Vec<JobObject<'a>>,
    findings: Vec<FoundObject>,
}

/// A job and where it stands.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JobObject<'a> {
    name: &'a str,
    /// Its text in canonical form.
    text: String,
    schedule: String,
    timezone: &'a str,
    /// The seconds of its window.
    window_seconds: i64,
    /// In which source, from 0.
    source: usize,
    line: Option<usize>,
    /// `kron`, the format of another system, `key` or `declaration`.
    origin: &'static str,
    is_placed: bool,
    suspended: bool,
}

impl<'a> JobObject<'a> {
    fn new(read: &'a ReadJob) -> JobObject<'a> {
        let (job, spec) = (&read.loaded.job, read.loaded.job.spec());
        JobObject {
            name: job.name(),
            text: spec.to_string(),
            schedule: spec.schedule().to_string(),
            timezone: spec.timezone().name(),
            window_seconds: spec.window().duration().as_secs(),
            source: read.source,
            line: read.loaded.line,
            origin: match read.origin {
                Origin::Kron => "kron",
                Origin::Schedule(format) => format.as_str(),
                Origin::Key => "key",
                _ => "declaration",
            },
            is_placed: read.loaded.declared.is_some(),
            suspended: spec.policy().suspend(),
        }
    }
}

pub(super) fn answer(fleets: &mut Handles<Fleet>, asked: ReadRequest) -> Result<String, Failure> {
    let options = Options {
        timezone: asked.timezone,
        namespace: asked.namespace,
        declared: asked.declared,
        parser: parser(asked.calendars)?,
        ..Options::default()
    };
    check_jobs(asked.jobs.len())?;
    let mut lines = String::new();
    for NamedJob { name, text } in &asked.jobs {
        lines.push_str(&options.parser.job(name, text)?.to_line());
        lines.push('\n');
    }
    let mut sources: Vec<_> = asked.sources.iter().map(SourceText::to_read).collect();
    if !lines.is_empty() {
        sources.push(Source::new("jobs.kron", &lines));
    }
    let Read { jobs, errors, unread, findings: found, notes, .. } = read(&sources, &options);
    check_jobs(jobs.len())?;
    let mut findings: Vec<FoundObject> =
        errors.iter().map(|(source, error)| FoundObject::of_error(error, *source)).collect();
    findings.extend(unread.into_iter().map(|found| FoundObject::of(found).into_error()));
    findings.extend(found.into_iter().map(FoundObject::of));
    findings.extend(notes.into_iter().map(|finding| FoundObject::new(finding, None, None)));
    let fleet = fleets.keep(Fleet { jobs })?;
    let jobs = fleets.get(fleet)?.jobs.iter().map(JobObject::new).collect();
    json(&ReadAnswer { fleet, jobs, findings })
}
