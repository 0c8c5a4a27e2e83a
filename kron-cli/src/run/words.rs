//! Sentences about outcomes and executions, for the log, `kron history` and `kron why`.

use std::time::Duration;

use kron_core::{Job, Outcome};
use kron_fleet::HumanLength;
use kron_host::Cause;
use kron_runner::{ClockAhead, ExecutionResult, ExecutionStatus};

use super::log_line::length;
use crate::output::plural::plural;
use crate::output::table::printable;
use crate::output::time;

/// Why a period or a request has its outcome: `missed: ...`.
pub(crate) fn outcome(outcome: Outcome, cause: &Cause) -> String {
    let outcome = outcome.as_str();
    match cause {
        Cause::Started => outcome.to_string(),
        Cause::ActiveExecution { concurrency } => {
            format!("{outcome}: an earlier execution was active, and the policy is concurrency={concurrency}")
        }
        Cause::NoAllowedSecond { window_end } => format!(
            "{outcome}: the constraints allow no second of its window, which ended at {}",
            time::utc_of(*window_end)
        ),
        Cause::DeadlinePassed { late, deadline, claimed } => {
            let claimed =
                if *claimed { "; another runner had claimed it and may have started it" } else { "" };
            format!(
                "{outcome}: it was decided {} after its chosen time, and its deadline is {}{claimed}",
                HumanLength::of_seconds(*late),
                HumanLength::of(*deadline)
            )
        }
        Cause::CaughtUp { claimed } => {
            let claimed =
                if *claimed { "; another runner had claimed it and may have started it" } else { "" };
            format!("{outcome}: several periods were late, and only the latest of them is started{claimed}")
        }
        Cause::MaybeRemoved { .. } => {
            format!(
                "{outcome}, claim lost: the runner was killed while it started the command, which may have run"
            )
        }
        Cause::MaybeReplaced => {
            format!("{outcome}: it may have been started, and a later start may have replaced it")
        }
        Cause::MaybeRemovedBeforeEdit { .. } => format!(
            "{outcome}, claim lost: the runner was killed while it started the command, which may have run, and the \
             job was edited since"
        ),
        Cause::Suspended => format!("{outcome}: the job was suspended before the command was started"),
        Cause::Edited => {
            format!("{outcome}: the job was edited before the command was started")
        }
        Cause::TakenBack => format!("{outcome}: the request was taken back before the command was started"),
        Cause::NoTurn { waited } => {
            format!("{outcome}: it waited for {} and was not started", HumanLength::of_seconds(*waited))
        }
        Cause::Failed { failures, tried, error } => {
            let attempts = plural(*failures, "attempt");
            format!(
                "{outcome}: {attempts} to start it failed in {}: {error}",
                HumanLength::of_seconds(*tried)
            )
        }
        Cause::Refused { error } => format!("{outcome}: it cannot be started: {error}"),
        Cause::NameTaken => format!("{outcome}: another execution has its name"),
        Cause::Removed => format!(
            "{outcome}: it may have been started while the clock was ahead, and the history is not long enough to tell"
        ),
        Cause::Closed => format!("{outcome}: the runner was shutting down"),
    }
}

/// What a clock that was set back means, in Unix milliseconds.
pub(crate) fn clock_set_back(from: i64, to: i64, ahead: &[ClockAhead]) -> String {
    let at = |millis: i64| time::utc_of(millis.div_euclid(1000));
    let mut text = format!(
        "the clock was set back from {} to {}; what was missed only because it was ahead is decided again",
        at(from),
        at(to)
    );
    for ahead in ahead {
        text.push_str("; ");
        text.push_str(&started_ahead(*ahead));
    }
    text
}

/// Which starts are not made a second time.
pub(crate) fn started_ahead(ahead: ClockAhead) -> String {
    format!(
        "from {} to {}, what was started while the clock was ahead is not started again",
        time::utc_of(ahead.after.saturating_add(1)),
        time::utc_of(ahead.through)
    )
}

/// How an execution ended: `exit code 0, after 1.204s`.
pub(crate) fn end(result: &ExecutionResult, ran: Duration) -> String {
    let what = match (&result.message, result.exit_code) {
        (Some(message), Some(code)) if !message.starts_with("exit code") => {
            format!("{message}, exit code {code}")
        }
        (_, Some(code)) => format!("exit code {code}"),
        (Some(message), None) => message.clone(),
        (None, None) => result.status.to_string(),
    };
    format!("{what}, after {}", length(ran))
}

/// How an execution ended, for a column: `exit code 1`, `ended by signal 9 (KILL)`, `unknown`.
pub(crate) fn result(status: &str, exit_code: Option<i32>, message: Option<&str>) -> String {
    match (exit_code, message) {
        (Some(code), _) => format!("exit code {code}"),
        // The reasons for which a result is unknown are long.
        (None, Some(message)) if status == ExecutionStatus::Failed.as_str() => message.to_string(),
        _ => status.to_string(),
    }
}

/// The end by a signal: `ended by signal 9 (KILL)`.
pub(crate) fn signal(number: i32) -> String {
    let name = match number {
        1 => " (HUP)",
        2 => " (INT)",
        3 => " (QUIT)",
        6 => " (ABRT)",
        9 => " (KILL)",
        11 => " (SEGV)",
        13 => " (PIPE)",
        15 => " (TERM)",
        _ => "",
    };
    format!("ended by signal {number}{name}")
}

/// How many jobs there are, and what starts next: `ready: 2 jobs, next web/ping at 2026-03-01T00:05:43Z`.
pub(crate) fn ready(jobs: &[&Job], now: i64) -> String {
    let in_force = jobs.iter().filter(|job| !job.spec().policy().suspend());
    let next =
        in_force.filter_map(|job| Some((job.next_start(now).ok()?.chosen_timestamp()?, job.name()))).min();
    let jobs = plural(jobs.len(), "job");
    match next {
        Some((at, name)) => format!("ready: {jobs}, next {} at {}", printable(name), time::utc_of(at)),
        None => format!("ready: {jobs}; nothing starts"),
    }
}

#[cfg(test)]
mod tests {
    use kron_core::{Concurrency, Duration as KronDuration};

    use super::*;

    #[test]
    fn a_clock_that_was_set_back_is_explained() {
        let ahead = ClockAhead { after: 89_999, through: 90_008 };
        assert_eq!(
            clock_set_back(90_008_400, 8_400, &[ahead]),
            "the clock was set back from 1970-01-02T01:00:08Z to 1970-01-01T00:00:08Z; what was missed only because it was \
             ahead is decided again; from 1970-01-02T01:00:00Z to 1970-01-02T01:00:08Z, what was started while the clock \
             was ahead is not started again"
        );
    }

    #[test]
    fn every_cause_has_a_sentence() {
        let error = || "no shell".to_string();
        let deadline = KronDuration::from_secs(60);
        for (cause, part) in [
            (Cause::ActiveExecution { concurrency: Concurrency::Forbid }, "concurrency=forbid"),
            (Cause::NoAllowedSecond { window_end: 0 }, "1970-01-01T00:00:00Z"),
            (Cause::DeadlinePassed { late: 3600, deadline, claimed: false }, "1h after its chosen time"),
            (Cause::DeadlinePassed { late: 61, deadline, claimed: true }, "its deadline is 1m; another"),
            (Cause::CaughtUp { claimed: false }, "only the latest"),
            (Cause::CaughtUp { claimed: true }, "may have started it"),
            (Cause::MaybeRemoved { retention: 0 }, "claim lost"),
            (Cause::MaybeReplaced, "replaced"),
            (Cause::MaybeRemovedBeforeEdit { retention: 0 }, "edited"),
            (Cause::Suspended, "suspended"),
            (Cause::Edited, "edited before"),
            (Cause::TakenBack, "taken back"),
            (Cause::NoTurn { waited: 5 }, "5s"),
            (
                Cause::Failed { failures: 1, tried: 0, error: error() },
                "1 attempt to start it failed in 0s: no shell",
            ),
            (Cause::Failed { failures: 3, tried: 9, error: error() }, "3 attempts"),
            (Cause::Refused { error: error() }, "cannot be started: no shell"),
            (Cause::NameTaken, "name"),
            (Cause::Removed, "while the clock was ahead"),
            (Cause::Closed, "shutting down"),
        ] {
            let text = outcome(Outcome::Missed, &cause);
            assert!(text.starts_with("missed") && text.contains(part), "{text}");
        }
        assert_eq!(outcome(Outcome::Executed, &Cause::Started), "executed");
    }

    #[test]
    fn what_starts_next() {
        let jobs = ["0 3 * * * @win(after,1h)", "0 4 * * *", "* * * * * @policy(suspend=true)"];
        let jobs: Vec<Job> = jobs.iter().map(|text| Job::parse("db/backup", text).unwrap()).collect();
        let all: Vec<&Job> = jobs.iter().collect();
        let next = time::utc_of(jobs[0].next_start(0).unwrap().chosen_timestamp().unwrap());
        assert_eq!(ready(&all, 0), format!("ready: 3 jobs, next db/backup at {next}"));
        assert_eq!(ready(&all[2..], 0), "ready: 1 job; nothing starts");
    }

    #[test]
    fn ends_of_executions() {
        let second = Duration::from_secs(1);
        assert_eq!(end(&ExecutionResult::exited(0), second), "exit code 0, after 1s");
        assert_eq!(end(&ExecutionResult::exited(3), second), "exit code 3, after 1s");
        assert_eq!(end(&ExecutionResult::failed(signal(9)), second), "ended by signal 9 (KILL), after 1s");
        let mut stopped = ExecutionResult::exited(143);
        stopped.message = Some("stopped after its timeout of 1s".to_string());
        assert_eq!(end(&stopped, second), "stopped after its timeout of 1s, exit code 143, after 1s");
        assert_eq!(result("failed", Some(3), None), "exit code 3");
        assert_eq!(result("failed", None, Some(&signal(9))), "ended by signal 9 (KILL)");
        assert_eq!(result("failed", None, None), "failed");
        assert_eq!(result("unknown", None, Some("the runner ended before it did")), "unknown");
        assert_eq!(signal(40), "ended by signal 40");
    }
}
