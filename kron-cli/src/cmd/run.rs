//! `kron run`: runs the commands of job files at their chosen times.

use std::fs::File;
use std::net::SocketAddr;
use std::num::NonZero;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueHint};
use kron_host::{HandledStart, HostReport};
use kron_runner::{
    Opening, Runner, RunnerError, RunnerEvent, RunnerHandle, RunnerJob, SqliteStore, StoreErrorKind,
};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, oneshot};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep_until, timeout};

use crate::args::count;
use crate::args::jobs::JobArgs;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::system::system;
use crate::run::children::Children;
use crate::run::control::Control;
use crate::run::ends::{End, Ends, until};
use crate::run::handler::{CommandHandler, Surroundings};
use crate::run::jobs::{self, JobCommand};
use crate::run::left_behind::{LeftBehind, Unended};
use crate::run::leftovers::Leftovers;
use crate::run::log::Log;
use crate::run::log_line::{Event, Level, LogForm, Source};
use crate::run::log_stream::Waiting;
use crate::run::metrics::Metrics;
use crate::run::reload::{self, Files, Read};
use crate::run::service_manager::ServiceManager;
use crate::run::shell::Shell;
use crate::run::state::{store_failed, store_refused};
use crate::run::store_health::StoreHealth;
use crate::run::turns::Turns;
use crate::run::{threads, web, words};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The threads of the log, of the state file and of a start.
const OTHER_THREADS: usize = 3;
/// How long tasks have to end after the runner.
const TASKS: Duration = Duration::from_secs(1);
/// How long output is read and the log is written after the runner has ended.
const LOG: Duration = Duration::from_secs(5);
/// How long the state file may take to be closed. If it is not, the next runner does it.
const CLOSE: Duration = Duration::from_secs(5);
/// How long a shutdown may take beside its commands: a disk may not answer.
const SHUTDOWN: Duration = Duration::from_secs(120);

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
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    listen: Option<SocketAddr>,

    /// The shell, which gets each command after -c
    #[arg(long, value_name = "PROGRAM", default_value = "/bin/sh", value_hint = ValueHint::ExecutablePath)]
    shell: PathBuf,

    /// How long a shutdown waits for commands to end by themselves
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = length, allow_hyphen_values = true)]
    drain: Duration,

    /// How long a command has to end after TERM, before KILL
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = length, allow_hyphen_values = true)]
    grace: Duration,

    /// How many commands are started side by side; by default as many as there are processors
    #[arg(long, value_name = "NUMBER", value_parser = count, allow_hyphen_values = true)]
    parallel_starts: Option<u64>,

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
            "The shell runs the field command= of each job, at most once for each period. docs/guide/daemon.md describes all \
             fields and the state file.\n\n\
             Signals:\n  \
             HUP         read the files again; if they have errors, nothing changes\n  \
             TERM, INT   claim nothing more, wait for active commands, then stop them; a\n              \
             second signal kills them, and ends the runner within two seconds"
                .to_string()
        },
        exit_codes: "0 ended by a signal; 1 the state file is in use, the runner failed, or a second signal ended \
                     it before it was done; 2 bad arguments or input, or the state file is damaged or cannot be used",
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

/// The address of `--listen`.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an IP address and a port, such as 127.0.0.1:9100".to_string())
}

fn run(args: &RunArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let database = session.tz_database()?;
    let version = database.version().unwrap_or("unknown").to_string();
    let shell = Shell::find(&args.shell, std::env::var_os("PATH").as_deref()).map_err(|why| {
        let error = Diagnostic::error(format!("--shell {}: {why}", args.shell.display()));
        error.help("name a program that takes a command line after -c, such as /bin/sh")
    })?;
    if args.state.is_dir() || args.state.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let error = Diagnostic::error("--state: this is a directory, not a file").file(args.state.display());
        return Err(error.help("name a file in it").into());
    }
    // Files are read before anything is opened, so that nothing is started if they have errors.
    let commands = jobs::read(&args.jobs, session)?;
    if commands.is_empty() {
        // A file that is being written is empty for a moment, and without them all jobs in the state file would count as removed.
        let error = Diagnostic::error("the files have no jobs, so nothing is started");
        return Err(error
            .help("write a line for each job, such as `0 3 * * * name=backup command=...`")
            .into());
    }
    threads::check(processors() + OTHER_THREADS).map_err(|failed| {
        let error = Diagnostic::error(format!("the system has too few threads for the runner: {failed}"));
        error.help(
            "raise the limit of processes: `ulimit -u`, TasksMax= of the unit, or that of the container",
        )
    })?;
    // The runner has threads of its own, so that signals are heard whatever these wait for.
    // Threads that have once been started stay. If the system has no more, what is to be done waits for one of them; without any it
    // would wait for ever.
    let workers = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(processors())
        .enable_all()
        .thread_keep_alive(Duration::MAX)
        .build()?;
    let main = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (log, writer) = Log::new(args.output, unlocked(std::io::stdout())?, unlocked(std::io::stderr())?);
    let children = Children::default();
    let surroundings = Arc::new(Surroundings {
        shell,
        grace: args.grace,
        children: children.clone(),
        leftovers: Leftovers::new(log.clone()),
        log: log.clone(),
        turns: Turns::new(args.parallel_starts.unwrap_or(processors() as u64)),
    });
    let files = Files::new(&args.jobs, session)?;
    let metrics = Arc::new(Metrics::new(&version));
    let colored = session.colored_err();
    let manager = ServiceManager::of_environment(workers.handle());
    let daemon =
        Daemon { args, workers: workers.handle(), log, colored, surroundings, metrics, manager, files };
    let patience = args.drain.saturating_add(args.grace).saturating_add(SHUTDOWN);
    let mut ends = main.block_on(async { Ends::new(patience) })?;
    let mut status = main.block_on(daemon.run(commands, &mut ends));
    let log_end = Instant::now() + LOG;
    let unread = main.block_on(writer.read(enough(&mut ends, log_end)));
    drop(daemon);
    // Ends tasks that still read output of processes that commands have left behind; each of them has a clone of the log.
    let left = ends.last().map_or(TASKS, |last| last.saturating_duration_since(Instant::now()).min(TASKS));
    workers.shutdown_timeout(left);
    let lines = main.block_on(writer.finish(enough(&mut ends, log_end)));
    let unended = if ends.at_once() { Unended::SecondSignal } else { Unended::TooLong };
    let runner = matches!(status, Ok(None)).then_some(unended);
    if runner.is_some() {
        children.kill();
    }
    LeftBehind { runner, commands: children.left(), unread, lines }.report();
    if ends.at_once() && unread + lines > 0 {
        status = Ok(None);
    }
    Ok(status?.unwrap_or(ExitStatus::Failure))
}

/// Waits until the log has had its time.
async fn enough(ends: &mut Ends, log_end: Instant) {
    let last = ends.last();
    tokio::select! {
        () = sleep_until(log_end) => {}
        () = until(last) => {}
        _ = ends.next() => {}
    }
}

/// A stream that can be written and flushed while another thread waits in a write to it.
fn unlocked(stream: impl AsFd) -> std::io::Result<Waiting<File>> {
    Ok(Waiting(stream.as_fd().try_clone_to_owned()?.into()))
}

/// The runner in this process.
struct Daemon<'a> {
    args: &'a RunArgs,
    /// What runs everything but this.
    workers: &'a Handle,
    log: Log,
    /// Whether errors have colours.
    colored: bool,
    surroundings: Arc<Surroundings>,
    metrics: Arc<Metrics>,
    manager: ServiceManager,
    files: Files,
}

impl Daemon<'_> {
    /// Returns when the runner has ended; `None` if it has not, and the process has to end all the same. Errors are those before
    /// the runner begins.
    async fn run(&self, commands: Vec<JobCommand>, ends: &mut Ends) -> Result<Option<ExitStatus>, Stop> {
        let mut hangup = signal(SignalKind::hangup())?;
        let listener = match self.args.listen {
            None => None,
            Some(address) => Some(self.listen(address).await?),
        };
        self.manager.opening();
        // The wait for the state file ends with a signal, too.
        let store = tokio::select! {
            store = self.open() => store,
            _ = ends.next() => return Ok(Some(ExitStatus::Success)),
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
            self.workers.spawn(self.surroundings.children.clone().reap_orphans());
        }
        let (log, metrics) = (self.log.clone(), Arc::clone(&self.metrics));
        let health = Arc::new(StoreHealth::default());
        let (seen, manager) = (Arc::clone(&health), self.manager.clone());
        manager.jobs(commands.len());
        let ready = words::ready(
            &commands.iter().map(|(job, _)| job).collect::<Vec<_>>(),
            chrono::Utc::now().timestamp(),
        );
        let runner = Runner::new(Arc::clone(&store))
            .jobs(runner_jobs(&self.surroundings, commands))
            .drain(self.args.drain)
            .grace(self.args.grace)
            .on_event(move |event| {
                metrics.event(event);
                print(&log, &seen, event, &ready);
                match event {
                    RunnerEvent::Ready => manager.ready(),
                    RunnerEvent::StoreFailed { error, .. } => manager.store(Some(error.to_string())),
                    RunnerEvent::StoreWorks => manager.store(None),
                    _ => {}
                }
            });
        let handle = runner.handle();
        let asked = handle.clone();
        self.workers.spawn(self.manager.clone().watch(move || {
            let asked = asked.clone();
            async move { asked.report().await.is_ok() }
        }));
        if let Some(listener) = listener {
            if let Ok(address) = listener.local_addr() {
                self.log.message(Level::Info, format!("probes and metrics are on http://{address}"));
            }
            let store = Arc::clone(&store);
            self.workers.spawn(web::serve(
                listener,
                handle.clone(),
                store,
                Arc::clone(&self.metrics),
                health,
            ));
        }
        let control = self.control(&handle);
        let reloads = self.reloads(&handle);
        let (begin_shutdown, shutdown) = oneshot::channel::<()>();
        let mut begin_shutdown = Some(begin_shutdown);
        let running = runner.run(async {
            // The sender is dropped only after the runner.
            let _ = shutdown.await;
        });
        let mut running = self.workers.spawn(running);
        let ended = loop {
            let last = until(ends.last());
            tokio::select! {
                biased;
                ended = &mut running => break ended,
                () = last => return Ok(None),
                _ = hangup.recv() => reloads.notify_one(),
                end = ends.next() => match (end, begin_shutdown.take()) {
                    (End::Shutdown, Some(begin)) => {
                        self.manager.stopping();
                        let _ = begin.send(());
                    }
                    _ => handle.stop_now(),
                },
            }
        };
        // A task of its own, so that this thread never waits for the disk.
        let mut closing = self.workers.spawn(close(control, self.manager.clone(), store));
        ends.wait_for(async { drop(timeout(CLOSE, &mut closing).await) }).await;
        // Without a state file that works it has not begun.
        let status = if self.metrics.ready() { ExitStatus::Failure } else { ExitStatus::Error };
        let failed = match ended {
            Ok(Ok(())) => return Ok(Some(ExitStatus::Success)),
            Ok(Err(RunnerError::Store(error))) => store_failed(error),
            Ok(Err(error)) => Diagnostic::error(error.to_string()),
            Err(error) => Diagnostic::error(format!("the runner ended early: {error}")),
        };
        // By now the log may have no reader, and the session would wait for it.
        self.log.report(failed.render(self.colored, None));
        Ok(Some(status))
    }

    async fn listen(&self, address: SocketAddr) -> Result<TcpListener, Stop> {
        let bound = self.workers.spawn(TcpListener::bind(address)).await;
        bound.unwrap_or_else(|ended| Err(ended.into())).map_err(|failed| {
            let error = Diagnostic::error(format!("--listen {address}: {}", system(&failed)));
            error.help("choose an address of this machine and a free port").into()
        })
    }

    /// Begins to answer requests of other commands.
    fn control(&self, handle: &RunnerHandle) -> Option<JoinHandle<()>> {
        let _workers = self.workers.enter();
        match Control::new(&self.args.state) {
            Ok(control) => Some(self.workers.spawn(control.serve(handle.clone()))),
            Err(error) => {
                let text = format!(
                    "`kron run-now`, `kron suspend` and `kron resume` do not work, because there is no socket for them: {}",
                    system(&error)
                );
                self.log.message(Level::Warning, text);
                None
            }
        }
    }

    /// Begins to wait for requests to read the files again.
    fn reloads(&self, handle: &RunnerHandle) -> Arc<Notify> {
        let requests = Arc::new(Notify::new());
        let files = self.files.clone();
        let read = move |reading| files.read(reading);
        let (handle, surroundings) = (handle.clone(), Arc::clone(&self.surroundings));
        let (log, manager) = (self.log.clone(), self.manager.clone());
        let take = {
            let manager = manager.clone();
            move |read| take(read, handle.clone(), Arc::clone(&surroundings), manager.clone())
        };
        self.workers.spawn(reload::serve(Arc::clone(&requests), log, manager, reload::LIMIT, read, take));
        requests
    }

    async fn open(&self) -> Result<SqliteStore, kron_runner::StoreError> {
        let opening = Opening { wait: self.args.wait, replace_damaged: self.args.new_state };
        let path = self.args.state.clone();
        let opened = self.workers.spawn_blocking(move || SqliteStore::open_with(path, opening));
        match opened.await {
            Ok(opened) => opened,
            Err(error) => Err(kron_runner::StoreError::new(StoreErrorKind::Io, error.to_string())),
        }
    }
}

/// Closes what the runner had open.
async fn close(control: Option<JoinHandle<()>>, manager: ServiceManager, store: Arc<SqliteStore>) {
    if let Some(mut control) = control {
        // The socket goes before the lock of the state file: the next runner has one of the same name.
        control.abort();
        let _ = timeout(TASKS, &mut control).await;
    }
    manager.finish(TASKS).await;
    let _ = spawn_blocking(move || drop(store)).await;
}

fn runner_jobs(surroundings: &Arc<Surroundings>, commands: Vec<JobCommand>) -> Vec<RunnerJob> {
    let job = |(job, fields)| {
        let surroundings = Arc::clone(surroundings);
        RunnerJob::new(job, CommandHandler { fields, surroundings })
    };
    commands.into_iter().map(job).collect()
}

/// Takes all jobs that were read again, or none of them.
async fn take(read: Read, handle: RunnerHandle, surroundings: Arc<Surroundings>, manager: ServiceManager) {
    let log = &surroundings.log;
    log.report(read.report);
    let Some(commands) = read.jobs else {
        log.message(Level::Error, "the files have errors; the jobs stay as they are");
        return;
    };
    // A file that is being written is empty for a moment.
    if commands.is_empty() {
        let text = "the files have no jobs; the jobs stay as they are. To end, stop the runner";
        log.message(Level::Error, text);
        return;
    }
    let jobs = commands.len();
    match handle.reload(runner_jobs(&surroundings, commands)).await {
        Ok(reloaded) => {
            manager.jobs(jobs);
            let (added, changed, removed) =
                (reloaded.added.len(), reloaded.changed.len(), reloaded.removed.len());
            let text =
                format!("the files were read again: {added} added, {changed} changed, {removed} removed");
            log.message(Level::Info, text);
        }
        Err(error) => log.message(Level::Error, format!("{error}; the jobs stay as they are")),
    }
}

/// Writes what happened to the log. Starts and ends of commands are written where they happen.
fn print(log: &Log, health: &StoreHealth, event: &RunnerEvent, ready: &str) {
    match event {
        RunnerEvent::Ready => log.message(Level::Info, ready),
        RunnerEvent::Started(_) | RunnerEvent::Resumed(_) | RunnerEvent::Ended(_) => {}
        RunnerEvent::Reported { job, report } => reported(log, job, report),
        RunnerEvent::StoreFailed { error, .. } => {
            let error = error.to_string();
            if health.failed(&error, Instant::now().into_std()) {
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
        HostReport::Handled(HandledStart { outcome: kron_core::Outcome::Executed, .. })
        | HostReport::ExecutionFound
        // A runner of this machine does not say it: it has the state file to itself.
        | HostReport::ClaimedByAnother { .. } => {}
        HostReport::Handled(handled) => {
            let HandledStart { outcome, cause, .. } = handled;
            let period = handled.nominal().map(crate::output::time::utc_of);
            let what = period.as_ref().map_or("run now".into(), |period| format!("the period {period}"));
            let text = format!("{what} is {}", words::outcome(*outcome, cause));
            log.event(&source(period), Event::Outcome { outcome: outcome.as_str() }, text);
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
