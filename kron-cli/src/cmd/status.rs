//! `kron status`: the jobs of a runner, with their next starts, last outcomes and active commands.

use std::io::Write as _;

use clap::Args;
use kron_core::Instant as _;
use kron_runner::{ExecutionRecord, JobRecord};
use serde::Serialize;

use crate::args::SaveArgs;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::StateForm;
use crate::output::json::Array;
use crate::output::table::{Table, printable};
use crate::output::time;
use crate::run::state::{StateArgs, is_active, is_running, is_suspended, job_of, open, readable, second};
use crate::run::words;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// How many executions of a job, the newest ones, are searched for active ones.
const EXECUTIONS: u32 = 200;

/// The arguments of `status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    state: StateArgs,

    /// The form of the answer
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    output: StateForm,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for StatusArgs {
    const HELP: Help = Help {
        about: "Show the jobs of `kron run`: next starts, last outcomes, active commands",
        example: "kron status",
        range: None,
        notes: Help::NO_NOTES,
        exit_codes: "0 success; 1 no runner is running; 2 the state file cannot be read",
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

/// A job, as JSON has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JobStatus {
    name: String,
    text: String,
    suspended: bool,
    /// Whether `kron suspend` suspended it.
    suspend_requested: bool,
    /// Whether the files of the runner have it no longer.
    removed: bool,
    next_nominal_time: Option<String>,
    next_chosen_time: Option<String>,
    last_nominal_time: Option<String>,
    last_chosen_time: Option<String>,
    last_outcome: Option<&'static str>,
    /// When the newest execution began.
    last_start_time: Option<String>,
    /// Its result, if it has ended.
    last_result: Option<&'static str>,
    last_exit_code: Option<i32>,
    /// Why it failed, or why its result is unknown: `ended by signal 9 (KILL)`.
    last_message: Option<String>,
    active: Vec<Active>,
}

/// An active execution, as JSON has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Active {
    execution: String,
    began: Option<String>,
    pid: Option<u32>,
}

fn run(args: &StatusArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let state = open(&args.state, session)?;
    let now = session.now().floor();
    let mut jobs = readable(state.jobs())?;
    jobs.sort_by(|a, b| a.name.cmp(&b.name));
    let mut rows = Vec::new();
    for job in &jobs {
        let executions = readable(state.executions(Some(&job.name), EXECUTIONS))?;
        let row = status(job, &executions, now, session)?;
        // Of removed jobs, those that are active are of interest.
        if !row.removed || !row.active.is_empty() {
            rows.push(row);
        }
    }
    match args.output {
        StateForm::Text => table(&rows, session)?,
        StateForm::Json => {
            let mut array = Array::default();
            for row in &rows {
                array.item(&mut session.out, row)?;
            }
            array.end(&mut session.out)?;
        }
    }
    session.out.flush()?;
    for ahead in readable(state.clock_ahead(now))? {
        session.report(&Diagnostic::warning(words::started_ahead(ahead)));
    }
    if is_running(&readable(state.runners())?) {
        return Ok(ExitStatus::Success);
    }
    let warning = Diagnostic::warning("no runner is running, so no job starts");
    let help = format!("start it: `kron run FILE --state {}`", args.state.state.display());
    Err(Stop::with(warning.help(help), ExitStatus::Failure))
}

fn status(
    record: &JobRecord,
    executions: &[ExecutionRecord],
    now: i64,
    session: &mut Session<'_>,
) -> Result<JobStatus, Stop> {
    let job = job_of(record, session)?;
    let suspended = is_suspended(record, &job);
    // What the runner has not written yet is computed.
    let next = match record.record.next {
        _ if suspended || record.removed => None,
        Some(next) if next.chosen > now => Some((next.nominal, next.chosen)),
        _ => job
            .next_start(now)
            .ok()
            .and_then(|start| Some((start.nominal_timestamp(), start.chosen_timestamp()?))),
    };
    let last = executions.iter().max_by_key(|execution| execution.began);
    let result = last.and_then(|last| last.result.as_ref());
    let active = executions.iter().filter(|execution| is_active(execution)).map(|execution| Active {
        execution: execution.name.clone(),
        began: execution.began.map(|began| time::utc_of(second(began))),
        pid: execution.process.as_ref().map(|process| process.pid),
    });
    Ok(JobStatus {
        name: record.name.clone(),
        text: record.text.clone(),
        suspended,
        suspend_requested: record.suspend_requested,
        removed: record.removed,
        next_nominal_time: next.map(|(nominal, _)| time::utc_of(nominal)),
        next_chosen_time: next.map(|(_, chosen)| time::utc_of(chosen)),
        last_nominal_time: record.record.last_nominal.map(time::utc_of),
        last_chosen_time: record.record.last_chosen.map(time::utc_of),
        last_outcome: record.record.last_outcome.map(|outcome| outcome.as_str()),
        last_start_time: last.and_then(|last| last.began).map(|began| time::utc_of(second(began))),
        last_result: result.map(|result| result.status.as_str()),
        last_exit_code: result.and_then(|result| result.exit_code),
        last_message: result.and_then(|result| result.message.clone()),
        active: active.collect(),
    })
}

fn table(rows: &[JobStatus], session: &mut Session<'_>) -> Result<(), Stop> {
    let headings = ["NEXT START", "JOB", "LAST START", "OUTCOME", "RESULT", "ACTIVE"];
    let sample = "2026-03-01T00:19:37Z";
    let table =
        Table::new(headings).fit(0, sample).fit(2, sample).fit(3, "unschedulable").fit(4, "exit code 255");
    let result = |row: &JobStatus| match row.last_result {
        Some(status) => words::result(status, row.last_exit_code, row.last_message.as_deref()),
        None => "-".to_string(),
    };
    let table =
        rows.iter().fold(table, |table, row| table.fit(1, &printable(&row.name)).fit(4, &result(row)));
    table.row(&mut session.out, headings)?;
    for row in rows {
        let next = match &row.next_chosen_time {
            _ if row.removed => "removed",
            _ if row.suspended => "suspended",
            Some(next) => next,
            None => "none",
        };
        let active: Vec<String> = row
            .active
            .iter()
            .map(|active| active.pid.map_or_else(|| "yes".to_string(), |pid| format!("process {pid}")))
            .collect();
        let cells = [
            next,
            &printable(&row.name),
            row.last_start_time.as_deref().unwrap_or("-"),
            row.last_outcome.unwrap_or("-"),
            &result(row),
            &active.join(", "),
        ];
        table.row(&mut session.out, cells)?;
    }
    Ok(())
}
