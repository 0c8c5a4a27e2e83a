//! Functions about jobs that several commands share.

use kron_core::{Algorithm, Error, Job};

use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// The most names that are listed if no job has the name that was asked for.
const NAMES_SHOWN: usize = 10;

/// The jobs, with another algorithm if an option names one.
pub(crate) fn with_algorithm(
    jobs: Vec<Job>,
    algorithm: Option<Algorithm>,
    session: &mut Session<'_>,
) -> Result<Vec<Job>, Stop> {
    let Some(algorithm) = algorithm else { return Ok(jobs) };
    let changed = jobs.into_iter().map(|job| {
        let spec = job.spec().to_builder().algorithm(algorithm).build();
        spec.and_then(|spec| Job::new(job.name(), spec)).map_err(|error| {
            let mut diagnostic = Diagnostic::of_error(&error);
            diagnostic.name = Some(job.name().to_string());
            // The help is left out: it is about the job's text, but an option asked for the algorithm.
            diagnostic.help = None;
            session.fail(&diagnostic, ExitStatus::Error)
        })
    });
    changed.collect()
}

/// The one job, or the one of that name.
pub(crate) fn pick(mut jobs: Vec<Job>, name: Option<&str>) -> Result<Job, Box<Diagnostic>> {
    let Some(name) = name else {
        if jobs.len() == 1 {
            return Ok(jobs.remove(0));
        }
        let mut error = Diagnostic::error(format!("there are {} jobs; --job NAME picks one", jobs.len()));
        error.help = Some(names_of(jobs.iter().map(Job::name)));
        return Err(Box::new(error));
    };
    match jobs.iter().position(|job| job.name() == name) {
        Some(index) => Ok(jobs.swap_remove(index)),
        None => Err(no_such_job(&jobs, name)),
    }
}

/// The error about a name of `--job` that no job has.
pub(crate) fn no_such_job(jobs: &[Job], name: &str) -> Box<Diagnostic> {
    let mut error = Diagnostic::error(format!("there is no job `{name}`"));
    error.help = Some(names_of(jobs.iter().map(Job::name)));
    Box::new(error)
}

/// The first names of jobs in words.
pub(crate) fn names_of<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let shown: Vec<&str> = names.by_ref().take(NAMES_SHOWN).collect();
    let more = if names.next().is_some() { ", ..." } else { "" };
    format!("the names are {}{more}", shown.join(", "))
}

/// The warning about a job whose search for starts ended in an error.
pub(crate) fn search_failed(job: &Job, error: &Error) -> Diagnostic {
    let mut warning = Diagnostic::warning(error.reason());
    warning.name = Some(job.name().to_string());
    warning.help = error.help();
    warning
}

/// A note that a job is suspended.
pub(crate) fn suspended(job: &Job) -> Diagnostic {
    Diagnostic::note(format!("{} is suspended: these are its times, but a host starts nothing", job.name()))
}
