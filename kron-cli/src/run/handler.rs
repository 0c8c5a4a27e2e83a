//! What runs the executions of a job: its command, as a process that can outlive the runner.

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use kron_host::Trigger;
use kron_runner::{
    BoxFuture, ExecutionRecord, ExecutionResult, ExecutionStatus, Handler, Running, Start, StartError,
    StopSignal,
};
use rustix::process::Signal;
use tokio::time::{Instant, sleep, sleep_until};

use super::children::Children;
use super::fields::CommandFields;
use super::leftovers::Leftovers;
use super::log::Log;
use super::log_line::{Event, Level, Source, length};
use super::proc_fs;
use super::process::{End, Process, Started};
use super::shell::Shell;
use super::turns::{TURN, Turns};
use super::words;
use crate::output::time;

const KILL: i32 = Signal::KILL.as_raw();

/// What all commands of a runner share.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) shell: Shell,
    /// For how long a command that has reached its timeout may take to end.
    pub(crate) grace: Duration,
    pub(crate) children: Children,
    pub(crate) leftovers: Leftovers,
    pub(crate) log: Log,
    /// How many commands are started side by side. Each start takes a thread for as long as the system needs for it.
    pub(crate) turns: Turns,
}

/// Runs the command of a job.
#[derive(Debug)]
pub(crate) struct CommandHandler {
    pub(crate) fields: CommandFields,
    pub(crate) surroundings: Arc<Surroundings>,
}

impl Handler for CommandHandler {
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        let (fields, surroundings) = (self.fields.clone(), Arc::clone(&self.surroundings));
        let timeout = fields.timeout;
        Box::pin(async move {
            let source = Source { job: start.job.clone(), period: start.period_id() };
            // The runner goes on meanwhile, and so do its probes.
            let begin = {
                let (surroundings, variables, source) =
                    (Arc::clone(&surroundings), variables(&start), source.clone());
                let stop = start.stop.clone();
                move || {
                    if stop.requested.is_cancelled() {
                        // Its turn came so late that it would be stopped at once.
                        return Err(io::Error::other("not started, because the runner ends"));
                    }
                    let Surroundings { shell, children, leftovers, log, .. } = &*surroundings;
                    Process::start(shell, &fields, &variables, &source, children, leftovers, log)
                }
            };
            let slow = || {
                let text = format!(
                    "{}: its start takes longer than {}, as on a file system that does not answer; others go on",
                    source.job,
                    length(TURN)
                );
                surroundings.log.message(Level::Warning, text);
            };
            let started = surroundings.turns.take(begin, slow).await;
            let log = &surroundings.log;
            let started = started.map_err(|error| {
                let message = error.to_string();
                log.event(&source, Event::NotStarted, message.clone());
                StartError { message, retry: may_pass(&error) }
            })?;
            let process = match started {
                Started::Running(process) => *process,
                Started::Killed(error) => {
                    let text =
                        format!("killed as soon as it was started, because it cannot be watched: {error}");
                    let event = Event::Ended { exit_code: None, signal: Some(KILL), duration_seconds: 0.0 };
                    log.event(&source, event, text.clone());
                    let result = Box::pin(std::future::ready(ExecutionResult::failed(text)));
                    return Ok(Running { process: None, result });
                }
            };
            Ok(supervised(process, source, timeout, Duration::ZERO, start.stop, surroundings))
        })
    }

    fn resume(&self, execution: &ExecutionRecord, stop: StopSignal) -> Option<Running> {
        let period = match execution.trigger {
            Trigger::Period { nominal, .. } => Some(time::utc_of(nominal)),
            Trigger::RunNow { .. } => None,
        };
        let source = Source { job: execution.job.clone(), period };
        let Surroundings { children, leftovers, log, .. } = &*self.surroundings;
        let process = Process::adopt(execution.process.as_ref()?, &source, children, leftovers, log)?;
        let pid = process.id().pid;
        let text = format!("process {pid} of an earlier runner is still active");
        self.surroundings.log.event(&source, Event::Resumed { pid }, text);
        let now = DateTime::<Utc>::from(SystemTime::now()).timestamp_millis();
        let began = execution.began.unwrap_or(execution.created);
        let age = Duration::from_millis(u64::try_from(now.saturating_sub(began)).unwrap_or(0));
        let surroundings = Arc::clone(&self.surroundings);
        Some(supervised(process, source, self.fields.timeout, age, stop, surroundings))
    }

    fn has_ended(&self, execution: &ExecutionRecord) -> bool {
        execution.process.as_ref().is_some_and(proc_fs::has_ended)
    }
}

/// A process that has run for some time already, and what ends it: itself, the runner, or its timeout.
fn supervised(
    mut process: Process,
    source: Source,
    timeout: Option<Duration>,
    age: Duration,
    stop: StopSignal,
    surroundings: Arc<Surroundings>,
) -> Running {
    let id = process.id().clone();
    let began = Instant::now();
    let result = Box::pin(async move {
        // A timeout too far in the future has no effect.
        let limit = timeout.and_then(|timeout| began.checked_add(timeout.saturating_sub(age)));
        let timed_out = async {
            match limit {
                Some(limit) => sleep_until(limit).await,
                None => std::future::pending().await,
            }
        };
        let mut timeout_passed = false;
        let end = tokio::select! {
            end = process.ended() => end,
            () = stop.requested.cancelled() => process.stop(stop.forced.cancelled()).await,
            () = timed_out => {
                timeout_passed = true;
                let grace = surroundings.grace;
                let force = async {
                    tokio::select! {
                        () = sleep(grace) => {}
                        () = stop.forced.cancelled() => {}
                    }
                };
                process.stop(force).await
            }
        };
        let mut result = result(end.as_ref().copied());
        if let Some(timeout) = timeout.filter(|_| timeout_passed) {
            result.status = ExecutionStatus::Failed;
            result.message = Some(format!("stopped after its timeout of {}", length(timeout)));
        }
        let ran = began.elapsed() + age;
        let text = words::end(&result, ran);
        let event = Event::Ended {
            exit_code: result.exit_code,
            signal: match end {
                Ok(End::Signalled(signal)) => Some(signal),
                _ => None,
            },
            duration_seconds: ran.as_secs_f64(),
        };
        surroundings.log.event(&source, event, text);
        result
    });
    Running { process: Some(id), result }
}

fn result(end: Result<End, &io::Error>) -> ExecutionResult {
    match end {
        Ok(End::Exited(code)) => ExecutionResult::exited(code),
        Ok(End::Signalled(signal)) => ExecutionResult::failed(words::signal(signal)),
        Ok(End::Unknown) => ExecutionResult::unknown("the runner that started it ended before it did"),
        Err(error) => ExecutionResult::unknown(format!("the system does not say how it ended: {error}")),
    }
}

/// What a command finds in its environment.
fn variables(start: &Start) -> Vec<(&'static str, String)> {
    let mut variables = vec![("KRON_JOB", start.job.clone())];
    variables.extend(start.period_id().map(|id| ("KRON_PERIOD_ID", id)));
    variables.extend(start.nominal_time().map(|at| ("KRON_NOMINAL_TIME", time::utc(at))));
    variables.extend(start.chosen_time().map(|at| ("KRON_CHOSEN_TIME", time::utc(at))));
    variables
}

/// Whether another attempt may succeed: the system had no memory, processes or files left.
fn may_pass(error: &io::Error) -> bool {
    use io::ErrorKind::{ArgumentListTooLong, InvalidInput, NotADirectory, NotFound, PermissionDenied};
    !matches!(error.kind(), ArgumentListTooLong | InvalidInput | NotADirectory | NotFound | PermissionDenied)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::mpsc;

    use super::*;
    use crate::run::log_line::LogForm;

    #[tokio::test]
    async fn a_start_that_still_waits_at_the_end_is_not_made() {
        let (log, _writer) = Log::new(LogForm::Text, io::sink(), io::sink());
        let turns = Turns::new(1);
        let surroundings = Arc::new(Surroundings {
            shell: Shell { program: PathBuf::from("/bin/sh") },
            grace: Duration::ZERO,
            children: Children::default(),
            leftovers: Leftovers::new(log.clone()),
            log,
            turns: turns.clone(),
        });
        let command = "true".to_string();
        let fields = CommandFields { command, cwd: None, env: Vec::new(), timeout: None };
        let handler = CommandHandler { fields, surroundings };
        let start = || Start {
            job: "a".to_string(),
            execution: "run-now-1".to_string(),
            trigger: Trigger::RunNow { token: "1".to_string() },
            decision: None,
            stop: StopSignal::default(),
        };
        // Another start has the only turn.
        let (end, ended) = mpsc::channel::<()>();
        let other = tokio::spawn(async move { turns.take(move || _ = ended.recv(), || ()).await });
        tokio::task::yield_now().await;
        let (waiting, stopped) = (start(), start());
        stopped.stop.requested.cancel();
        let starts = (handler.start(waiting), handler.start(stopped));
        drop(end);
        let (waiting, stopped) = tokio::join!(starts.0, starts.1);
        other.await.unwrap();
        assert!(waiting.unwrap().process.is_some());
        // Nothing ran, so the next runner may start it.
        assert!(stopped.unwrap_err().retry);
    }
}
