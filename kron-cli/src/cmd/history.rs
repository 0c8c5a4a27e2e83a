//! `kron history`: what became of periods and requests, newest first.

use std::collections::BTreeMap;

use clap::Args;
use kron_host::Trigger;
use kron_runner::{ExecutionRecord, OutcomeRecord, cause_word};
use serde::Serialize;

use crate::args::{SaveArgs, count};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::StateForm;
use crate::output::json::Array;
use crate::output::table::printable;
use crate::output::time;
use crate::run::log_line::length;
use crate::run::state::{StateArgs, find, is_active, open, readable, second};
use crate::run::{state_table, words};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// How many are listed without `-c`.
const COUNT: u64 = 20;

/// The arguments of `history`.
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Only the job of this name
    #[arg(value_name = "JOB")]
    job: Option<String>,

    #[command(flatten)]
    state: StateArgs,

    /// How many to list; default: 20
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    count: Option<u64>,

    /// The form of the list; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<StateForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for HistoryArgs {
    const HELP: Help = Help {
        about: "List what became of the periods of `kron run`, newest first",
        example: "kron history db/backup",
        range: None,
        notes: Help::NO_NOTES,
        exit_codes: "0 success; 1 there is no history; 2 the state file cannot be read, or has no such job",
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

/// A period or a request to run now, as JSON has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    job: String,
    /// The period id; `null` for run now.
    period: Option<String>,
    chosen_time: Option<String>,
    /// `null` while it is being started.
    outcome: Option<&'static str>,
    cause: Option<&'static str>,
    execution: Option<String>,
    began: Option<String>,
    ended: Option<String>,
    duration_seconds: Option<f64>,
    result: Option<&'static str>,
    exit_code: Option<i32>,
    message: Option<String>,
    pid: Option<u32>,
    /// Unix milliseconds by which entries are ordered.
    #[serde(skip)]
    at: i64,
    #[serde(skip)]
    active: bool,
}

fn run(args: &HistoryArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let state = open(&args.state, session)?;
    let names = match &args.job {
        Some(name) => vec![find(&state, name)?.name],
        None => readable(state.jobs())?.into_iter().map(|job| job.name).collect(),
    };
    let limit = usize::try_from(args.count.unwrap_or(COUNT)).unwrap_or(usize::MAX);
    let mut entries = Vec::new();
    for name in &names {
        let outcomes = readable(state.outcomes(name, i64::MIN, i64::MAX))?;
        let executions = readable(state.executions(Some(name), u32::MAX))?;
        entries.extend(merged(outcomes, executions));
    }
    entries.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.job.cmp(&b.job)));
    entries.truncate(limit);
    match form {
        StateForm::Json => {
            let mut array = Array::default();
            for entry in &entries {
                array.item(&mut session.out, entry)?;
            }
            array.end(&mut session.out)?;
        }
        StateForm::Text if entries.is_empty() => {}
        StateForm::Text => table(&entries, session)?,
    }
    match entries.is_empty() {
        true => Err(Stop::with(Diagnostic::error("there is no history yet"), ExitStatus::Failure)),
        false => Ok(ExitStatus::Success),
    }
}

/// The outcomes of a job with their executions, and the executions that have no outcome yet, or none any more.
fn merged(outcomes: Vec<OutcomeRecord>, executions: Vec<ExecutionRecord>) -> Vec<Entry> {
    let mut by_name: BTreeMap<String, ExecutionRecord> =
        executions.into_iter().map(|execution| (execution.name.clone(), execution)).collect();
    let mut entries: Vec<Entry> = outcomes
        .into_iter()
        .map(|outcome| {
            let execution = outcome.execution.as_ref().and_then(|name| by_name.remove(name));
            let mut entry = entry(outcome.job, outcome.nominal, outcome.chosen, execution);
            entry.outcome = Some(outcome.outcome.as_str());
            entry.cause = Some(cause_word(&outcome.cause));
            entry.execution = outcome.execution;
            entry.at = if entry.at == 0 { outcome.recorded } else { entry.at };
            entry
        })
        .collect();
    entries.extend(by_name.into_values().map(|execution| {
        let (nominal, chosen) = match execution.trigger {
            Trigger::Period { nominal, chosen } => (Some(nominal), Some(chosen)),
            Trigger::RunNow { .. } => (None, None),
        };
        entry(execution.job.clone(), nominal, chosen, Some(execution))
    }));
    entries
}

fn entry(
    job: String,
    nominal: Option<i64>,
    chosen: Option<i64>,
    execution: Option<ExecutionRecord>,
) -> Entry {
    let active = execution.as_ref().is_some_and(is_active);
    let (began, ended) = (
        execution.as_ref().and_then(|execution| execution.began),
        execution.as_ref().and_then(|execution| execution.ended),
    );
    let at = execution.as_ref().map_or(0, |execution| execution.created);
    let pid = execution.as_ref().and_then(|execution| Some(execution.process.as_ref()?.pid));
    let name = execution.as_ref().map(|execution| execution.name.clone());
    let result = execution.and_then(|execution| execution.result);
    Entry {
        job,
        period: nominal.map(time::utc_of),
        chosen_time: chosen.map(time::utc_of),
        outcome: None,
        cause: None,
        execution: name,
        began: began.map(|began| time::utc_of(second(began))),
        ended: ended.map(|ended| time::utc_of(second(ended))),
        duration_seconds: began
            .zip(ended)
            .map(|(began, ended)| ended.saturating_sub(began).max(0) as f64 / 1000.0),
        result: result.as_ref().map(|result| result.status.as_str()),
        exit_code: result.as_ref().and_then(|result| result.exit_code),
        message: result.and_then(|result| result.message),
        pid,
        at,
        active,
    }
}

fn table(entries: &[Entry], session: &mut Session<'_>) -> Result<(), Stop> {
    let headings = ["PERIOD", "JOB", "START", "OUTCOME", "RESULT", "DURATION"];
    let outcome = |entry: &Entry| match (entry.outcome, entry.cause) {
        (Some("executed"), _) => "executed".to_string(),
        (Some(outcome), Some(cause)) => format!("{outcome} ({cause})"),
        _ => "starting".to_string(),
    };
    let result = |entry: &Entry| match entry.result {
        _ if entry.active => "active".to_string(),
        Some(status) => words::result(status, entry.exit_code, entry.message.as_deref()),
        None => "-".to_string(),
    };
    let duration = |entry: &Entry| match entry.duration_seconds {
        Some(seconds) => length(std::time::Duration::from_secs_f64(seconds)),
        None => "-".to_string(),
    };
    let cells = |entry: &Entry| {
        [
            entry.period.clone().unwrap_or_else(|| "run now".to_string()),
            printable(&entry.job),
            entry.began.clone().unwrap_or_else(|| "-".to_string()),
            outcome(entry),
            result(entry),
            duration(entry),
        ]
    };
    state_table::print(headings, entries.iter().map(cells).collect(), session)
}
