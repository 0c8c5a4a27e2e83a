//! Jobs whose schedules have a declaration of `kron place`.

use std::collections::BTreeMap;
use std::path::Path;

use kron_core::place::Declaration;
use kron_core::{Error, Finding, Job, Seed, SeedStrategy, Severity};

use super::source::{Options, Origin, Source};
use super::{Read, ReadJob};
use crate::convert::ConvertFinding;
use crate::convert::job_line::Names;
use crate::error::place as messages;
use crate::load::LoadedJob;
use crate::place::{self, DeclaredSchedule, declared, words};
use crate::without_days::WithoutDays as _;

/// Which declarations of a source are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// Those of schedules that are read as jobs.
    Jobs,
    /// The others, such as that of a patch of an object. A patch of a job that is read is no second job.
    NoJobs,
}

/// What is read beside declarations.
pub(super) struct Known {
    names: Names,
    /// The places of jobs that are none of Kron, by their sources and lines.
    places: BTreeMap<(usize, usize), usize>,
}

impl Known {
    pub(super) fn new(jobs: &[ReadJob]) -> Known {
        let mut known = Known { names: Names::default(), places: BTreeMap::new() };
        for (place, job) in jobs.iter().enumerate() {
            known.names.take(job.loaded.job.name());
            if let Some(line) = job.loaded.line.filter(|_| job.origin != Origin::Kron) {
                known.places.entry((job.source, line)).or_insert(place);
            }
        }
        known
    }
}

/// Names the jobs of a source as their declarations do, and with [`Options::declared`] makes them the declared ones.
pub(super) fn declare(
    index: usize,
    source: &Source<'_>,
    beside: Beside,
    options: &Options,
    known: &mut Known,
    out: &mut Read,
) {
    let mut text = place::Source::new(source.path, source.text);
    (text.by_content, text.host) = (source.is_named, source.host);
    let place_options = place::Options {
        namespace: options.namespace.clone(),
        parser: options.parser.clone(),
        ..place::Options::default()
    };
    for schedule in declared(&text, &place_options) {
        let schedule = on_host_of_file(schedule, source);
        let position = known.places.get(&(index, schedule.line)).copied();
        if position.is_some() != (beside == Beside::Jobs) {
            continue;
        }
        let is_patch = |declaration: &Declaration| known.names.has(declaration.job().name());
        if position.is_none() && schedule.declaration.as_ref().is_ok_and(is_patch) {
            continue;
        }
        let plain = position.map(|position| &out.jobs[position].loaded);
        match job_of(&schedule, plain, options, &mut known.names) {
            Ok((job, declared)) => {
                let loaded =
                    LoadedJob { declared, ..LoadedJob::of_schedule(job, &schedule.text, schedule.line) };
                match position {
                    Some(position) => {
                        let was = &mut out.jobs[position].loaded;
                        *was = LoadedJob {
                            job: loaded.job,
                            declared: loaded.declared,
                            source: None,
                            schedule: loaded.schedule,
                            ..was.clone()
                        };
                    }
                    None => {
                        known.places.insert((index, schedule.line), out.jobs.len());
                        out.jobs.push(ReadJob { loaded, source: index, origin: Origin::Declaration });
                    }
                }
            }
            Err(mut found) => {
                // What is wrong with a declaration matters where it is asked for. The schedule stays as it stands.
                if options.declared {
                    found.severity = Severity::Warning;
                    out.findings.push(ConvertFinding::new(index, *found).at(schedule.line));
                }
            }
        }
    }
}

/// A schedule as that of the host after which its file is called, `web-1.cron`, if it has the place that this host gives it.
fn on_host_of_file(schedule: DeclaredSchedule, source: &Source<'_>) -> DeclaredSchedule {
    let host = || Path::new(source.path).file_name()?.to_str()?.strip_suffix(".cron");
    let on_host = || {
        let declaration = schedule.declaration.as_ref().ok()?;
        let name = declaration.job().name();
        let named = declaration
            .clone()
            .with_name(&name.contains("{host}").then_some(name)?.replace("{host}", host()?));
        let placed = named.as_ref().ok()?.placed().ok()?;
        words(&schedule.text).eq(words(placed.expression())).then_some(named.ok()?)
    };
    match on_host() {
        Some(declaration) => DeclaredSchedule { declaration: Ok(declaration), ..schedule },
        None => schedule,
    }
}

/// The job of a schedule, and the declared one where that is another.
fn job_of(
    schedule: &DeclaredSchedule,
    plain: Option<&LoadedJob>,
    options: &Options,
    names: &mut Names,
) -> Result<(Job, Option<Job>), Box<Finding>> {
    let declaration = schedule.declaration.as_ref().map_err(|finding| Box::new(finding.clone()))?;
    let knows_host = !declaration.job().name().contains("{host}");
    // Nominal times are the same on all hosts. Declared starts and names are not.
    if !knows_host && (options.declared || plain.is_none()) {
        return Err(Box::new(messages::host_unknown(declaration.job().name())));
    }
    let mut made = || {
        let zone = match (plain, &schedule.timezone, &options.timezone) {
            (Some(plain), ..) => plain.job.spec().timezone().clone(),
            (None, Some(zone), _) => zone.clone(),
            (None, None, name) => options.parser.tz_database().zone(name.as_deref().unwrap_or("UTC"))?,
        };
        let declared = declaration.job().spec();
        // A declaration has one place for all days, whether or not it says so.
        let seed = Seed::new(SeedStrategy::Fixed, declared.seed().salt())?;
        let spec = declared.to_builder().seed(seed).timezone(zone.clone());
        let spec = match plain {
            Some(plain) => spec.policy(*plain.job.spec().policy()).build()?,
            None => spec.build()?,
        };
        let stands = match (options.declared, plain) {
            (true, _) => None,
            (false, Some(plain)) => Some(plain.job.spec().clone()),
            (false, None) => Some(options.parser.spec(&schedule.text)?.to_builder().timezone(zone).build()?),
        };
        let declared = match plain {
            Some(plain) if !knows_host => plain.job.name(),
            _ => declaration.job().name(),
        };
        if let Some(plain) = plain {
            names.release(plain.job.name());
        }
        // Declared starts depend on the name, and plain ones do not.
        let name = match options.declared {
            true => declared.to_string(),
            false => names.numbered(declared.to_string()),
        };
        names.take(&name);
        let declared = Job::new(&name, spec)?;
        match stands {
            None => Ok((declared, None)),
            Some(stands) => Ok((Job::new(&name, stands)?, Some(declared))),
        }
    };
    made().map_err(|error: Error| Box::new(Finding::from_error(&error.without_days())))
}
