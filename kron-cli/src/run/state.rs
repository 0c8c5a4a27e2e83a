//! The state file of a runner, as the commands that read it share it.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kron_core::Job;
use kron_runner::{ExecutionRecord, JobRecord, RunnerRecord, StateFile, StoreError, StoreErrorKind};

use super::proc_fs;
use crate::input::pick::{names_of, nearest};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// Which state file is read.
#[derive(Clone, Debug, Args)]
pub(crate) struct StateArgs {
    /// The state file of `kron run`, which may be running
    #[arg(long, value_name = "FILE", default_value = "kron.db", value_hint = ValueHint::FilePath)]
    pub(crate) state: PathBuf,
}

/// Opens the state file for reading.
pub(crate) fn open(args: &StateArgs, session: &Session<'_>) -> Result<StateFile, Stop> {
    session.may_read(&args.state)?;
    if !args.state.exists() {
        let error = Diagnostic::error("there is no such state file").file(args.state.display());
        return Err(error.help("start `kron run`, or name its state file by --state").into());
    }
    readable(StateFile::open(&args.state))
}

/// What was read of a state file.
pub(crate) fn readable<T>(read: Result<T, StoreError>) -> Result<T, Stop> {
    read.map_err(|error| store_failed(error).into())
}

/// The error about a state file that cannot be used.
pub(crate) fn store_failed(error: StoreError) -> Diagnostic {
    let file = error.path.map(|path| path.display().to_string());
    Diagnostic { help: error.help, file, ..Diagnostic::error(error.message) }
}

/// The same for a runner, which can begin with a new state file in place of a damaged one.
pub(crate) fn store_refused(error: StoreError) -> Diagnostic {
    let is_damaged = error.kind == StoreErrorKind::Damaged;
    let refused = store_failed(error);
    match is_damaged {
        true => refused.help(
            "run the same command with `--new-state`: it keeps the damaged files aside and begins with a new state. \
             Nothing of the past is started then. Lost are the history, the suspensions of `kron suspend` (these jobs \
             start again), run-now requests that wait, and which commands still run",
        ),
        false => refused,
    }
}

/// The job of a record.
pub(crate) fn job_of(record: &JobRecord, session: &mut Session<'_>) -> Result<Job, Stop> {
    let spec = session.parser()?.spec(&record.text);
    spec.and_then(|spec| Job::new(&record.name, spec))
        .map_err(|error| Diagnostic::of_error(&error).job(&record.name).into())
}

/// Whether a job is suspended, by its text or on request.
pub(crate) fn is_suspended(record: &JobRecord, job: &Job) -> bool {
    record.suspend_requested || job.spec().policy().suspend()
}

/// The job of a name.
pub(crate) fn find(state: &StateFile, name: &str) -> Result<JobRecord, Stop> {
    if let Some(job) = readable(state.job(name))? {
        return Ok(job);
    }
    let jobs = readable(state.jobs())?;
    let error = Diagnostic::error(format!("there is no job `{name}` in the state file"));
    let names = jobs.iter().map(|job| job.name.as_str());
    let help = match jobs.is_empty() {
        true => "no runner has had a job yet".to_string(),
        false => nearest(name, names.clone()).unwrap_or_else(|| names_of(names)),
    };
    Err(error.help(help).into())
}

/// Whether the last runner runs.
pub(crate) fn is_running(runners: &[RunnerRecord]) -> bool {
    let last = runners.iter().max_by_key(|runner| runner.started);
    last.is_some_and(|last| last.stopped.is_none() && proc_fs::is_active(last.pid))
}

/// Whether an execution counts as active: it has not ended, and its process is there.
pub(crate) fn is_active(execution: &ExecutionRecord) -> bool {
    execution.ended.is_none() && execution.process.as_ref().is_some_and(proc_fs::is_process)
}

/// Unix milliseconds as Unix seconds.
pub(crate) fn second(millis: i64) -> i64 {
    millis.div_euclid(1000)
}
