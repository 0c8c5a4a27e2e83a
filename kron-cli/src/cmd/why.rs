//! `kron why`: why the periods of a day started or did not start.

use std::io::Write as _;

use clap::Args;
use kron_core::{Decision, Instant as _, Job};
use kron_fleet::HumanLength;
use kron_host::Cause;
use kron_runner::{ExecutionRecord, JobRecord, OutcomeRecord, RunnerRecord, StateFile, cause_word};
use serde::Serialize;

use crate::args::SaveArgs;
use crate::args::range::{Begin, DefaultRange, Length, Range, RangeArgs};
use crate::args::time::{TzArgs, zone_of};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ReportForm;
use crate::output::json::Array;
use crate::output::plural::grouped;
use crate::output::terminal::wrapped;
use crate::output::time;
use crate::run::state::{StateArgs, find, is_active, is_running, job_of, open, readable, second};
use crate::run::words;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::DayArg;

/// How many periods in a row have lines of their own, even if they have the same cause.
const ROW: usize = 3;

/// The range without options.
const RANGE: DefaultRange =
    DefaultRange { words: "today in --tz", begin: Begin::Today, length: Length::Days(1), days_max: None };

/// The arguments of `why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The name of the job
    #[arg(value_name = "JOB")]
    job: String,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    #[command(flatten)]
    state: StateArgs,

    /// The form of the answer; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ReportForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for WhyArgs {
    const HELP: Help = Help {
        about: "Say why a job of `kron run` started, or did not start",
        example: "kron why db/backup --day yesterday",
        range: Some(RANGE),
        notes: Help::NO_NOTES,
        exit_codes: "0 success; 1 the job has no period in the range; 2 bad arguments, or the state file cannot \
                     be read or has no such job",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

/// A period and its state with the reason, as JSON has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    job: String,
    period: String,
    window_start: String,
    window_end: String,
    chosen_time: Option<String>,
    /// `executed`, `skipped`, `missed` or `unschedulable`; `null` if it has no outcome, or none any more.
    outcome: Option<&'static str>,
    /// The word for the cause of the outcome, or for what is known without one.
    cause: &'static str,
    text: String,
}

/// A line for each period. Of many periods in a row without outcomes for the same cause, the first one has a line, and the others
/// share one.
fn lines(answers: &[Answer]) -> Vec<String> {
    let mut lines = Vec::new();
    for group in answers.chunk_by(|a, b| a.outcome.is_none() && b.outcome.is_none() && a.cause == b.cause) {
        let line = |answer: &Answer| format!("{}: {}", answer.period, answer.text);
        match group {
            [first, .., last] if group.len() > ROW => {
                lines.push(line(first));
                let (more, last) = (group.len() - 1, &last.period);
                // Each has a time of its own.
                let rest =
                    if first.cause == "waiting" { "which are still to come" } else { "for the same reason" };
                lines.push(format!("... and {} more up to {last}, {rest}", grouped(more as u64)));
            }
            _ => lines.extend(group.iter().map(line)),
        }
    }
    lines
}

/// What the state file knows of a job.
struct Known<'a> {
    record: &'a JobRecord,
    outcomes: Vec<OutcomeRecord>,
    executions: Vec<ExecutionRecord>,
    runners: Vec<RunnerRecord>,
    older_missed: u64,
    now: i64,
}

fn run(args: &WhyArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let state = open(&args.state, session)?;
    let record = find(&state, &args.job)?;
    let job = job_of(&record, session)?;
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let range = args.range.or_day(DayArg::FromToday(0)).resolve(None, RANGE, &zone, session)?;
    let known = known(&state, &record, &range, session)?;
    let periods: Vec<Decision<'_>> = job.periods(range.from..range.to).collect();
    if periods.is_empty() {
        let error = Diagnostic::error(format!("{} has no period {}", record.name, range.words));
        let next = job.next_period(known.now).ok();
        let help = next.map(|next| format!("the next period is {}", next.period_id()));
        return Err(Stop::with(Diagnostic { help, ..error }, ExitStatus::Failure));
    }
    let answers: Vec<Answer> = periods.iter().map(|period| known.answer(&job, period)).collect();
    match form {
        ReportForm::Json => {
            let mut array = Array::default();
            for answer in &answers {
                array.item(&mut session.out, answer)?;
            }
            array.end(&mut session.out)?;
        }
        ReportForm::Text => {
            // A pipe takes lines as they are.
            let columns = session.terminal_size().map_or(usize::MAX, |(columns, _)| columns.into());
            for line in lines(&answers).iter().flat_map(|line| wrapped(line, columns, "  ")) {
                writeln!(session.out, "{line}")?;
            }
        }
    }
    Ok(ExitStatus::Success)
}

fn known<'a>(
    state: &StateFile,
    record: &'a JobRecord,
    range: &Range,
    session: &mut Session<'_>,
) -> Result<Known<'a>, Stop> {
    let older = readable(state.older_missed(&record.name))?;
    Ok(Known {
        record,
        outcomes: readable(state.outcomes(&record.name, range.from, range.to))?,
        executions: readable(state.executions(Some(&record.name), u32::MAX))?,
        runners: readable(state.runners())?,
        older_missed: older.iter().map(|older| older.count).sum(),
        now: session.now().floor(),
    })
}

impl Known<'_> {
    fn answer(&self, job: &Job, period: &Decision<'_>) -> Answer {
        let nominal = period.nominal_timestamp();
        let outcome = self.outcomes.iter().find(|outcome| outcome.nominal == Some(nominal));
        let (cause, text) = match outcome {
            Some(outcome) => (cause_word(&outcome.cause), self.of_outcome(outcome)),
            None => self.without_outcome(job, period),
        };
        Answer {
            job: job.name().to_string(),
            period: period.period_id(),
            window_start: time::utc(period.window_start()),
            window_end: time::utc(period.window_end()),
            chosen_time: period.chosen_time().map(time::utc),
            outcome: outcome.map(|outcome| outcome.outcome.as_str()),
            cause,
            text,
        }
    }

    /// A period that has its outcome.
    fn of_outcome(&self, outcome: &OutcomeRecord) -> String {
        let name = outcome.execution.as_ref();
        let execution = self.executions.iter().find(|execution| Some(&execution.name) == name);
        let mut text = words::outcome(outcome.outcome, &outcome.cause);
        match (&outcome.cause, execution) {
            (Cause::Started, Some(execution)) => text = executed(execution),
            (Cause::DeadlinePassed { .. } | Cause::CaughtUp { .. }, _) => text += &self.downtime(outcome),
            _ => {}
        }
        text
    }

    /// Whether a runner was running at the chosen time of a period that was late.
    fn downtime(&self, outcome: &OutcomeRecord) -> String {
        let Some(chosen) = outcome.chosen else { return String::new() };
        // The runner that gave it the outcome began after the chosen time, so another one had to start it.
        let late = self
            .runners
            .iter()
            .filter(|runner| second(runner.started) > chosen && runner.started <= outcome.recorded);
        let Some(next) = late.min_by_key(|runner| runner.started) else { return String::new() };
        let last = self
            .runners
            .iter()
            .filter(|runner| second(runner.started) <= chosen)
            .max_by_key(|runner| runner.started);
        let at = time::utc_of(chosen);
        let before = match last.map(|last| last.stopped) {
            None => format!("at its chosen time, {at}, no runner had begun yet"),
            Some(Some(stopped)) if second(stopped) <= chosen => format!(
                "at its chosen time, {at}, no runner was running: the last one had stopped at {}",
                time::utc_of(second(stopped))
            ),
            Some(Some(_)) => format!("at its chosen time, {at}, the runner was shutting down"),
            Some(None) => {
                format!("its chosen time was {at}, and the last runner was killed before it had decided")
            }
        };
        format!("; {before}; the next one began at {}", time::utc_of(second(next.started)))
    }

    /// A period without an outcome: it is still to come, or it never gets one.
    fn without_outcome(&self, job: &Job, period: &Decision<'_>) -> (&'static str, String) {
        let at = period.order_timestamp();
        let start = self.executions.iter().find(|execution| execution.name == period.period_id());
        let configuration = self.record.record.configuration.as_ref();
        let since = configuration.map_or(self.record.created, |configuration| configuration.since);
        let through = configuration.and_then(|configuration| configuration.handled_through);
        let running = is_running(&self.runners);
        if let Some(start) = start {
            return match start.began {
                Some(_) => ("started", executed(start)),
                None => ("starting", "the runner is about to start the command".to_string()),
            };
        }
        if at <= since {
            let created = self.record.created;
            let text = match at <= created {
                true => format!("the job was added at {}", time::utc_of(created)),
                false => format!("the job was changed or resumed later, at {}", time::utc_of(since)),
            };
            return ("notInForce", format!("not started: {text}"));
        }
        if self.record.removed {
            return ("removed", "not started: the files of the runner have the job no longer".to_string());
        }
        if through.is_some_and(|through| period.nominal_timestamp() <= through) {
            let text = match self.older_missed {
                0 => "handled; the history goes back no further".to_string(),
                count => format!(
                    "handled; the history goes back no further, or it is one of {count} older missed periods"
                ),
            };
            return ("noHistory", text);
        }
        if self.record.suspend_requested {
            let text = format!("not started: the job is suspended, until `kron resume {}`", self.record.name);
            return ("suspended", text);
        }
        if job.spec().policy().suspend() {
            return (
                "suspended",
                "not started: the job is suspended by its line in the job file".to_string(),
            );
        }
        let runner = if running { "" } else { "; no runner is running, so start `kron run`" };
        let Some(chosen) = period.chosen_time() else {
            let end = time::utc(period.window_end());
            let text = format!(
                "the constraints allow no second of its window, so it becomes unschedulable after {end}{runner}"
            );
            return ("waiting", text);
        };
        let chosen = time::utc(chosen);
        if self.now < at {
            let window = if job.spec().window().duration().is_zero() {
                String::new()
            } else if self.now < period.window_start_timestamp() {
                format!("its window begins at {}, and ", time::utc(period.window_start()))
            } else {
                "its window is open, and ".to_string()
            };
            return ("waiting", format!("{window}it starts at {chosen}{runner}"));
        }
        match running {
            true => ("due", format!("its chosen time was {chosen}, and the runner is about to decide it")),
            false => {
                let deadline = HumanLength::of(job.spec().policy().deadline());
                let text = format!(
                    "not started: no runner is running; its chosen time was {chosen}, and its deadline is {deadline}"
                );
                ("noRunner", text)
            }
        }
    }
}

/// When an execution began and how it ended.
fn executed(execution: &ExecutionRecord) -> String {
    let began = execution.began.unwrap_or(execution.created);
    let mut text = format!("executed at {}", time::utc_of(second(began)));
    match (&execution.result, execution.ended) {
        (Some(result), Some(ended)) => {
            let ran = u64::try_from(ended.saturating_sub(began)).unwrap_or(0);
            text += &format!(": {}", words::end(result, std::time::Duration::from_millis(ran)));
        }
        _ if is_active(execution) => {
            let process = execution.process.as_ref().map_or(0, |process| process.pid);
            text += &format!("; process {process} is active");
        }
        _ => text += "; how it ended is not known yet",
    }
    text
}

#[cfg(test)]
mod tests {
    use kron_core::{Concurrency, Duration, Outcome};
    use kron_host::{Configuration, Record, Trigger};
    use kron_runner::{ExecutionResult, ProcessId};

    use super::*;

    /// 2026-03-01T00:00:00Z.
    const MIDNIGHT: i64 = 1_772_323_200;
    const DAY: i64 = 86_400;
    /// Chosen at 00:19:37.
    const TEXT: &str = "@daily @win(after,3h) @seed(stable,salt=backup)";
    const CHOSEN: i64 = MIDNIGHT + 19 * 60 + 37;

    fn job(text: &str) -> Job {
        Job::parse("prod/db-backup", text).unwrap()
    }

    /// A job that the runner has had for a month.
    fn record() -> JobRecord {
        let configuration =
            Configuration { since: MIDNIGHT - 30 * DAY, hash: String::new(), handled_through: None };
        JobRecord {
            name: "prod/db-backup".to_string(),
            text: TEXT.to_string(),
            created: MIDNIGHT - 30 * DAY,
            removed: false,
            suspend_requested: false,
            run_now: None,
            record: Record { configuration: Some(configuration), ..Record::default() },
        }
    }

    fn runner(pid: u32, started: i64, stopped: Option<i64>) -> RunnerRecord {
        let millis = |second: i64| 1000 * second;
        RunnerRecord {
            name: started.to_string(),
            pid,
            started: millis(started),
            stopped: stopped.map(millis),
        }
    }

    /// A process that runs: this one.
    fn running() -> Vec<RunnerRecord> {
        vec![runner(std::process::id(), MIDNIGHT - 10 * DAY, None)]
    }

    fn known(record: &JobRecord, now: i64) -> Known<'_> {
        let (outcomes, executions) = (Vec::new(), Vec::new());
        Known { record, outcomes, executions, runners: running(), older_missed: 0, now }
    }

    fn answer(known: &Known<'_>, text: &str) -> Answer {
        let job = job(text);
        known.answer(&job, &job.decide(MIDNIGHT).unwrap())
    }

    fn outcome(outcome: Outcome, cause: Cause, recorded: i64) -> OutcomeRecord {
        OutcomeRecord {
            job: "prod/db-backup".to_string(),
            nominal: Some(MIDNIGHT),
            chosen: Some(CHOSEN),
            token: None,
            outcome,
            cause,
            execution: (outcome == Outcome::Executed).then(|| "2026-03-01T00:00:00Z".to_string()),
            recorded: 1000 * recorded,
        }
    }

    fn late() -> OutcomeRecord {
        let cause = Cause::DeadlinePassed { late: 3600, deadline: Duration::from_secs(60), claimed: false };
        outcome(Outcome::Missed, cause, CHOSEN + 3600)
    }

    #[test]
    fn a_period_that_is_still_to_come() {
        let record = record();
        let at = |now: i64| {
            let answer = answer(&known(&record, now), TEXT);
            (answer.cause, answer.text)
        };
        assert_eq!(
            at(MIDNIGHT - 1),
            (
                "waiting",
                "its window begins at 2026-03-01T00:00:00Z, and it starts at 2026-03-01T00:19:37Z"
                    .to_string()
            )
        );
        assert_eq!(
            at(MIDNIGHT),
            ("waiting", "its window is open, and it starts at 2026-03-01T00:19:37Z".to_string())
        );
        let minute = answer(&known(&record, MIDNIGHT - 1), "@daily");
        assert_eq!(minute.text, "it starts at 2026-03-01T00:00:00Z");
        assert_eq!(at(CHOSEN).0, "due");
        let mut down = known(&record, MIDNIGHT);
        down.runners = vec![runner(u32::MAX, MIDNIGHT - DAY, None)];
        assert!(answer(&down, TEXT).text.ends_with("; no runner is running, so start `kron run`"));
        down.now = CHOSEN + 60;
        let down = answer(&down, TEXT);
        assert_eq!((down.cause, down.outcome), ("noRunner", None));
        assert!(down.text.contains("its chosen time was 2026-03-01T00:19:37Z, and its deadline is 0s"));
        let never = answer(&known(&record, MIDNIGHT), "@daily @win(after,3h) @only(hours=9)");
        assert_eq!((never.cause, never.chosen_time), ("waiting", None));
        assert!(never.text.contains("unschedulable after 2026-03-01T03:00:00Z"), "{}", never.text);
    }

    #[test]
    fn periods_with_the_same_cause_share_a_line() {
        let of = |outcome, cause, period: u32| Answer {
            job: String::new(),
            period: period.to_string(),
            window_start: String::new(),
            window_end: String::new(),
            chosen_time: None,
            outcome,
            cause,
            text: cause.to_string(),
        };
        let mut answers: Vec<Answer> = (0..10).map(|period| of(None, "notInForce", period)).collect();
        answers.extend((10..15).map(|period| of(Some("missed"), "caughtUp", period)));
        answers.extend((15..18).map(|period| of(None, "noHistory", period)));
        answers.extend((18..30).map(|period| of(None, "waiting", period)));
        let want = [
            "0: notInForce",
            "... and 9 more up to 9, for the same reason",
            "10: caughtUp",
            "11: caughtUp",
            "12: caughtUp",
            "13: caughtUp",
            "14: caughtUp",
            "15: noHistory",
            "16: noHistory",
            "17: noHistory",
            "18: waiting",
            "... and 11 more up to 29, which are still to come",
        ];
        assert_eq!(lines(&answers), want);
    }

    #[test]
    fn a_period_that_never_gets_an_outcome() {
        let mut record = record();
        let suspended = answer(&known(&record, CHOSEN), "@daily @policy(suspend=true)");
        assert_eq!(
            (suspended.cause, suspended.text.as_str()),
            ("suspended", "not started: the job is suspended by its line in the job file")
        );
        record.suspend_requested = true;
        let suspended = answer(&known(&record, CHOSEN), TEXT);
        assert_eq!(
            (suspended.cause, suspended.text.as_str()),
            ("suspended", "not started: the job is suspended, until `kron resume prod/db-backup`")
        );
        record.suspend_requested = false;
        record.removed = true;
        assert_eq!(answer(&known(&record, CHOSEN), TEXT).cause, "removed");
        record.removed = false;
        record.record.configuration.as_mut().unwrap().since = CHOSEN;
        let before = answer(&known(&record, CHOSEN), TEXT);
        assert_eq!(
            (before.cause, before.text.as_str()),
            ("notInForce", "not started: the job was changed or resumed later, at 2026-03-01T00:19:37Z")
        );
        let created = std::mem::replace(&mut record.created, CHOSEN);
        let before = answer(&known(&record, CHOSEN), TEXT);
        assert_eq!(before.text, "not started: the job was added at 2026-03-01T00:19:37Z");
        record.created = created;
        let configuration = record.record.configuration.as_mut().unwrap();
        (configuration.since, configuration.handled_through) = (0, Some(MIDNIGHT));
        let mut forgotten = known(&record, CHOSEN + 30 * DAY);
        assert_eq!(answer(&forgotten, TEXT).text, "handled; the history goes back no further");
        forgotten.older_missed = 7;
        assert!(answer(&forgotten, TEXT).text.ends_with("or it is one of 7 older missed periods"));
    }

    #[test]
    fn a_period_that_was_missed_while_no_runner_was_there() {
        let record = record();
        let with = |runners: Vec<RunnerRecord>| {
            let mut known = known(&record, CHOSEN + DAY);
            (known.outcomes, known.runners) = (vec![late()], runners);
            let answer = answer(&known, TEXT);
            assert_eq!((answer.outcome, answer.cause), (Some("missed"), "deadlinePassed"));
            answer.text
        };
        let missed = "missed: it was decided 1h after its chosen time, and its deadline is 1m";
        // One runner all the time: it was slow, or the machine was suspended.
        assert_eq!(with(vec![runner(1, MIDNIGHT - DAY, None)]), missed);
        let next = runner(2, CHOSEN + 3599, None);
        let began = "; the next one began at 2026-03-01T01:19:36Z";
        let chosen = "2026-03-01T00:19:37Z";
        let before = |runner: Option<RunnerRecord>| {
            let text = with(runner.into_iter().chain([next.clone()]).collect());
            text.strip_prefix(missed).and_then(|text| text.strip_suffix(began)).unwrap_or(&text).to_string()
        };
        assert_eq!(before(None), format!("; at its chosen time, {chosen}, no runner had begun yet"));
        assert_eq!(
            before(Some(runner(1, MIDNIGHT - DAY, Some(MIDNIGHT)))),
            format!(
                "; at its chosen time, {chosen}, no runner was running: the last one had stopped at 2026-03-01T00:00:00Z"
            )
        );
        assert_eq!(
            before(Some(runner(1, MIDNIGHT - DAY, Some(CHOSEN + 5)))),
            format!("; at its chosen time, {chosen}, the runner was shutting down")
        );
        assert_eq!(
            before(Some(runner(1, MIDNIGHT - DAY, None))),
            format!("; its chosen time was {chosen}, and the last runner was killed before it had decided")
        );
    }

    #[test]
    fn a_period_that_was_started_or_skipped() {
        let record = record();
        let mut known = known(&record, CHOSEN + 60);
        known.outcomes = vec![outcome(
            Outcome::Skipped,
            Cause::ActiveExecution { concurrency: Concurrency::Forbid },
            CHOSEN,
        )];
        let skipped = answer(&known, TEXT);
        assert_eq!((skipped.outcome, skipped.cause), (Some("skipped"), "activeExecution"));
        assert!(skipped.text.starts_with("skipped: an earlier execution was active"), "{}", skipped.text);

        let began = 1000 * CHOSEN + 20;
        let mut execution = ExecutionRecord {
            job: "prod/db-backup".to_string(),
            name: "2026-03-01T00:00:00Z".to_string(),
            trigger: Trigger::Period { nominal: MIDNIGHT, chosen: CHOSEN },
            runner: String::new(),
            created: began - 10,
            began: Some(began),
            process: None,
            ended: Some(began + 1500),
            result: Some(ExecutionResult::exited(3)),
        };
        known.executions = vec![execution.clone()];
        known.outcomes = vec![outcome(Outcome::Executed, Cause::Started, CHOSEN)];
        let text = "executed at 2026-03-01T00:19:37Z: exit code 3, after 1.500s";
        assert_eq!(answer(&known, TEXT).text, text);
        (execution.ended, execution.result) = (None, None);
        execution.process =
            Some(ProcessId { pid: u32::MAX, start_time: 0, boot_id: String::new(), output: None });
        known.executions = vec![execution.clone()];
        assert_eq!(
            answer(&known, TEXT).text,
            "executed at 2026-03-01T00:19:37Z; how it ended is not known yet"
        );
        // Between claim and start, without an outcome.
        execution.began = None;
        (known.executions, known.outcomes) = (vec![execution], Vec::new());
        assert_eq!(answer(&known, TEXT).cause, "starting");
    }
}
