//! `kron run`: runs the commands of job files at their chosen times.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use kron_host::HostReport;
use kron_runner::{
    Opening, Runner, RunnerError, RunnerEvent, RunnerHandle, RunnerJob, SqliteStore, StoreErrorKind,
};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, oneshot};

use crate::args::jobs::JobArgs;
use crate::exit_status::ExitStatus;
use crate::input::{Input, shown};
use crate::output::diagnostic::Diagnostic;
use crate::run::children::Children;
use crate::run::control::Control;
use crate::run::fields::{self, FieldError};
use crate::run::handler::{CommandHandler, Surroundings};
use crate::run::log::{Event, Level, Log, LogForm, Source};
use crate::run::metrics::Metrics;
use crate::run::process::Shell;
use crate::run::state::{store_failed, store_refused};
use crate::run::store_health::StoreHealth;
use crate::run::user::User;
use crate::run::{web, words};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    jobs: JobArgs,

    /// The state file, which is made if it does not exist
    #[arg(long, value_name = "FILE", default_value = "kron.db", value_hint = ValueHint::FilePath)]
    state: PathBuf,

    /// Wait while another runner has the state file, instead of ending with an error
    #[arg(long)]
    wait: bool,

    /// If the state file is damaged, keep it aside and begin with a new one
    #[arg(long)]
    new_state: bool,

    /// Serve /livez, /readyz and /metrics on this address, such as 127.0.0.1:9100
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,

    /// The shell, which gets each command after -c
    #[arg(long, value_name = "PROGRAM", default_value = "/bin/sh", value_hint = ValueHint::ExecutablePath)]
    shell: PathBuf,

    /// How long a shutdown waits for commands to end by themselves
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = length)]
    drain: Duration,

    /// How long a command has to end after TERM, before KILL
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = length)]
    grace: Duration,

    /// How many commands are started side by side; further ones follow at once. By default as many as there are processors
    #[arg(long, value_name = "NUMBER")]
    parallel_starts: Option<NonZero<usize>>,

    /// The form of the log, which goes to standard output
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    output: LogForm,
}

impl Subcommand for RunArgs {
    const HELP: Help = Help {
        about: "Run the commands of job files at their chosen times",
        example: "kron run jobs.kron",
        range: None,
        notes: || {
            "The shell runs the field command= of each job, at most once for each period. docs/guide/daemon.md describes all\n\
             fields and the state file.\n\n\
             Signals:\n  \
             HUP         read the files again; if they have errors, the jobs stay as they are\n  \
             TERM, INT   start nothing more, wait for active commands, then stop them; a second signal kills them"
                .to_string()
        },
        exit_codes: "0 ended by a signal; 1 the state file is in use, or the runner failed; 2 bad arguments or\n\
                     input, or the state file is damaged or cannot be used",
    };

    fn save(&self) -> Save<'_> {
        Save::Never
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

/// How many processors the runner may use.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Reads a length of time that may be zero.
fn length(text: &str) -> Result<Duration, String> {
    let duration = crate::time_arg::duration(text)?;
    u64::try_from(duration.as_nanos()).map(Duration::from_nanos).map_err(|_| "it is negative".to_string())
}

fn run(args: &RunArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let version = session.tz_database()?.version().unwrap_or("unknown").to_string();
    let shell = Shell::find(&args.shell, std::env::var_os("PATH").as_deref()).map_err(|why| {
        let error = Diagnostic::error(format!("--shell {}: {why}", args.shell.display()));
        error.help("name a program that takes a command line after -c, such as /bin/sh")
    })?;
    // Files are read before anything is opened, so that nothing is started if they have errors.
    let commands = read_jobs(args, session)?;
    if commands.is_empty() {
        // A file that is being written is empty for a moment, and without them all jobs in the state file would count as removed.
        let error = Diagnostic::error("the files have no jobs, so nothing is started");
        return Err(error
            .help("write a line for each job, such as `0 3 * * * name=backup command=...`")
            .into());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (log, writer) = Log::new(args.output, std::io::stdout(), std::io::stderr());
    let surroundings = Arc::new(Surroundings {
        shell,
        grace: args.grace,
        children: Children::default(),
        log: log.clone(),
        starts: Semaphore::new(args.parallel_starts.map_or_else(processors, NonZero::get)),
    });
    let metrics = Arc::new(Metrics::new(&version));
    let daemon = Daemon { args, log, surroundings, metrics };
    let status = runtime.block_on(daemon.run(commands, session));
    drop(daemon);
    // Ends tasks that still read output of processes that commands have left behind; each of them has a clone of the log.
    runtime.shutdown_timeout(Duration::from_secs(1));
    writer.finish();
    status
}

/// A job and its command.
type JobCommand = (kron_core::Job, fields::CommandFields);

/// The jobs of the files with their commands; any error ends it.
fn read_jobs(args: &RunArgs, session: &mut Session<'_>) -> Result<Vec<JobCommand>, Stop> {
    let input = Input::read_commands(&args.jobs, session)?.without_errors(session)?;
    if input.is_text() {
        let error = Diagnostic::error("a job text has no command, so there is nothing to run");
        return Err(error.help("write it with `command=...` into a job file").into());
    }
    let (mut jobs, mut errors) = (Vec::new(), Vec::new());
    let user = User::current();
    for entry in &input.entries {
        let (command, mut found) = fields::read(entry.fields(), &user);
        found.extend(command.as_ref().and_then(missing_directory));
        for error in found {
            let error = if entry.is_manifest() { in_a_manifest() } else { error };
            let found = match error.warning {
                true => Diagnostic::warning(error.message),
                false => Diagnostic::error(error.message),
            };
            let found = Diagnostic { help: error.help, ..found };
            let place = |line: &str| match &error.key {
                Some(key) => fields::place(line, key),
                None => Some(line.trim_end().len()..line.len()),
            };
            errors.push(input.locate_in_line(entry, found, place));
        }
        jobs.extend(command.map(|command| (entry.job().clone(), command)));
    }
    if errors.iter().any(Diagnostic::is_error) {
        return Err(Stop::Failed(shown(errors, ""), ExitStatus::Error));
    }
    errors.iter().for_each(|warning| session.report(warning));
    Ok(jobs)
}

/// The warning about a directory that does not exist. It may be there when the job starts.
fn missing_directory(command: &fields::CommandFields) -> Option<FieldError> {
    let directory = command.cwd.as_ref().filter(|directory| !directory.is_dir())?;
    Some(FieldError {
        key: Some("cwd".to_string()),
        message: format!("the directory of `cwd`, {}, does not exist", directory.display()),
        help: Some("make it before the job starts, or correct the path".to_string()),
        warning: true,
    })
}

/// The error about a KronJob, whose containers need a cluster.
fn in_a_manifest() -> FieldError {
    FieldError {
        key: None,
        message: "this is a KronJob, which has no command line".to_string(),
        help: Some("write a job file with `command=`, or use kron-operator in a cluster".to_string()),
        warning: false,
    }
}

/// The runner in this process.
struct Daemon<'a> {
    args: &'a RunArgs,
    log: Log,
    surroundings: Arc<Surroundings>,
    metrics: Arc<Metrics>,
}

impl Daemon<'_> {
    async fn run(&self, commands: Vec<JobCommand>, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        let mut hangup = signal(SignalKind::hangup())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let listener = match self.args.listen {
            None => None,
            Some(address) => match tokio::net::TcpListener::bind(address).await {
                Ok(listener) => Some(listener),
                Err(failed) => {
                    let error = Diagnostic::error(format!("--listen {address}: {failed}"));
                    return Err(error.help("choose an address of this machine and a free port").into());
                }
            },
        };
        // The wait for the state file ends with a signal, too.
        let store = tokio::select! {
            store = self.open() => store,
            _ = terminate.recv() => return Ok(ExitStatus::Success),
            _ = interrupt.recv() => return Ok(ExitStatus::Success),
        };
        let store = match store {
            Ok(store) => Arc::new(store),
            Err(failed) => {
                let status = match failed.kind {
                    StoreErrorKind::InUse => ExitStatus::Failure,
                    StoreErrorKind::Schema
                    | StoreErrorKind::Damaged
                    | StoreErrorKind::Moved
                    | StoreErrorKind::Io => ExitStatus::Error,
                };
                return Err(Stop::with(store_refused(failed), status));
            }
        };
        for warning in store.warnings() {
            self.log.message(Level::Warning, warning.as_str());
        }
        if let Some(kept) = store.kept_aside() {
            let text = format!("the damaged state file is kept as {}; a new state begins", kept.display());
            self.log.message(Level::Warning, text);
        }
        if std::process::id() == 1 {
            tokio::spawn(self.surroundings.children.clone().reap_orphans());
        }
        let (log, metrics) = (self.log.clone(), Arc::clone(&self.metrics));
        let health = Arc::new(StoreHealth::default());
        let seen = Arc::clone(&health);
        let runner = Runner::new(Arc::clone(&store))
            .jobs(self.jobs(commands))
            .drain(self.args.drain)
            .grace(self.args.grace)
            .on_event(move |event| {
                metrics.event(event);
                print(&log, &seen, event);
            });
        let handle = runner.handle();
        if let Some(listener) = listener {
            if let Ok(address) = listener.local_addr() {
                self.log.message(Level::Info, format!("probes and metrics are on http://{address}"));
            }
            let store = Arc::clone(&store);
            tokio::spawn(web::serve(listener, handle.clone(), store, Arc::clone(&self.metrics), health));
        }
        let control = match Control::new(&self.args.state) {
            Ok(control) => Some(tokio::spawn(control.serve(handle.clone()))),
            Err(error) => {
                let text = format!(
                    "`kron run-now`, `kron suspend` and `kron resume` do not work, because there is no socket for them: {error}"
                );
                self.log.message(Level::Warning, text);
                None
            }
        };
        let (begin_shutdown, shutdown) = oneshot::channel::<()>();
        let mut begin_shutdown = Some(begin_shutdown);
        let running = runner.run(async {
            // The sender is dropped only after the runner.
            let _ = shutdown.await;
        });
        let mut running = tokio::spawn(running);
        let ended = loop {
            tokio::select! {
                ended = &mut running => break ended,
                _ = hangup.recv() => self.reload(&handle, session).await,
                _ = terminate.recv() => stop(&mut begin_shutdown, &handle),
                _ = interrupt.recv() => stop(&mut begin_shutdown, &handle),
            }
        };
        if let Some(control) = control {
            // The socket goes before the lock of the state file: the next runner has one of the same name.
            control.abort();
            let _ = control.await;
        }
        drop(store);
        let failed = match ended {
            Ok(Ok(())) => return Ok(ExitStatus::Success),
            Ok(Err(RunnerError::Store(error))) => store_failed(error),
            Ok(Err(error)) => Diagnostic::error(error.to_string()),
            Err(error) => Diagnostic::error(format!("the runner ended early: {error}")),
        };
        Err(Stop::with(failed, ExitStatus::Failure))
    }

    async fn open(&self) -> Result<SqliteStore, kron_runner::StoreError> {
        let opening = Opening { wait: self.args.wait, replace_damaged: self.args.new_state };
        let path = self.args.state.clone();
        let opened = tokio::task::spawn_blocking(move || SqliteStore::open_with(path, opening));
        match opened.await {
            Ok(opened) => opened,
            Err(error) => Err(kron_runner::StoreError::new(StoreErrorKind::Io, error.to_string())),
        }
    }

    fn jobs(&self, commands: Vec<JobCommand>) -> Vec<RunnerJob> {
        let job = |(job, fields)| {
            let surroundings = Arc::clone(&self.surroundings);
            RunnerJob::new(job, CommandHandler { fields, surroundings })
        };
        commands.into_iter().map(job).collect()
    }

    /// Reads the files again, and takes all jobs or none of them.
    async fn reload(&self, handle: &RunnerHandle, session: &mut Session<'_>) {
        let commands = match read_jobs(self.args, session) {
            Ok(commands) => commands,
            Err(stop) => {
                session.report_stop(stop);
                self.log.message(Level::Error, "the files have errors; the jobs stay as they are");
                return;
            }
        };
        // A file that is being written is empty for a moment.
        if commands.is_empty() {
            let text = "the files have no jobs; the jobs stay as they are. To end, stop the runner";
            self.log.message(Level::Error, text);
            return;
        }
        match handle.reload(self.jobs(commands)).await {
            Ok(reloaded) => {
                let (added, changed, removed) =
                    (reloaded.added.len(), reloaded.changed.len(), reloaded.removed.len());
                let text =
                    format!("the files were read again: {added} added, {changed} changed, {removed} removed");
                self.log.message(Level::Info, text);
            }
            Err(error) => self.log.message(Level::Error, format!("{error}; the jobs stay as they are")),
        }
    }
}

/// A signal to end: the first one begins the shutdown, the second one kills.
fn stop(begin_shutdown: &mut Option<oneshot::Sender<()>>, handle: &RunnerHandle) {
    match begin_shutdown.take() {
        Some(begin) => {
            let _ = begin.send(());
        }
        None => handle.stop_now(),
    }
}

/// Writes what happened to the log. Starts and ends of commands are written where they happen.
fn print(log: &Log, health: &StoreHealth, event: &RunnerEvent) {
    match event {
        RunnerEvent::Ready => log.message(Level::Info, "ready"),
        RunnerEvent::Started(_) | RunnerEvent::Resumed(_) | RunnerEvent::Ended(_) => {}
        RunnerEvent::Reported { job, report } => reported(log, job, report),
        RunnerEvent::StoreFailed { error, .. } => {
            let error = error.to_string();
            if health.failed(&error, Instant::now()) {
                log.message(Level::Error, format!("{error}; nothing is started until it can be written"));
            }
        }
        RunnerEvent::StoreWorks => {
            health.works();
            log.message(Level::Info, "the state file can be written again");
        }
        RunnerEvent::Suspended { job } => {
            log.message(Level::Info, format!("{job}: suspended, until `kron resume {job}`"));
        }
        RunnerEvent::ClockSet => {
            log.message(Level::Warning, "the clock was set; all times are looked at again")
        }
        RunnerEvent::ClockSetBack { from, to, ahead } => {
            log.message(Level::Warning, words::clock_set_back(*from, *to, ahead));
        }
        RunnerEvent::Draining { active: 0 } => log.message(Level::Info, "shutting down"),
        RunnerEvent::Draining { active } => {
            log.message(Level::Info, format!("shutting down; active commands: {active}"));
        }
    }
}

fn reported(log: &Log, job: &str, report: &HostReport) {
    let source = |period| Source { job: job.to_string(), period };
    match report {
        // Written where it was started.
        HostReport::PeriodHandled { outcome: kron_core::Outcome::Executed, .. }
        | HostReport::RunNowHandled { outcome: kron_core::Outcome::Executed, .. }
        | HostReport::ExecutionFound
        // A runner of this machine does not say it: it has the state file to itself.
        | HostReport::ClaimedByAnother { .. } => {}
        HostReport::PeriodHandled { nominal, outcome, cause, .. } => {
            let period = crate::output::time::utc_of(*nominal);
            let text = format!("the period {period} is {}", words::outcome(*outcome, cause));
            log.event(&source(Some(period)), Event::Outcome { outcome: outcome.as_str() }, text);
        }
        HostReport::RunNowHandled { outcome, cause, .. } => {
            let text = format!("run now is {}", words::outcome(*outcome, cause));
            log.event(&source(None), Event::Outcome { outcome: outcome.as_str() }, text);
        }
        HostReport::OlderMissed(count) => {
            log.message(Level::Warning, format!("{job}: {count} older periods are missed"));
        }
        HostReport::ConfigurationChanged { .. } => {
            log.message(Level::Info, format!("{job}: new schedule, for chosen times from now on"));
        }
        HostReport::Resumed { .. } => log.message(Level::Info, format!("{job}: not suspended any more")),
    }
}
