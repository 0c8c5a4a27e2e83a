//! Rows of the tables as values, and values as rows.

use kron_core::Outcome;
use kron_host::{Claim, Configuration, NextStart, Record, RunNow, Trigger};
use rusqlite::{Connection, Params, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Failure;
use crate::handler::{ExecutionResult, ExecutionStatus};
use crate::record::{ExecutionRecord, JobRecord, OlderMissed, OutcomeRecord, ProcessId, RunnerRecord};

pub(super) fn json(value: &impl Serialize) -> Result<String, Failure> {
    let failure = |error: serde_json::Error| Failure::Row { place: "JSON".into(), why: error.to_string() };
    serde_json::to_string(value).map_err(failure)
}

/// A column that holds JSON.
fn from_json<T: DeserializeOwned>(row: &Row<'_>, table: &str, column: &str) -> Result<T, Failure> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| odd(table, column, &text, &error.to_string()))
}

fn odd(table: &str, column: &str, text: &str, why: &str) -> Failure {
    Failure::Row { place: format!("table {table}, column {column}"), why: format!("{text:?}: {why}") }
}

fn outcome(row: &Row<'_>, table: &str, column: &str) -> Result<Option<Outcome>, Failure> {
    let word: Option<String> = row.get(column)?;
    let read =
        |word: String| Outcome::parse(&word).map_err(|error| odd(table, column, &word, &error.to_string()));
    word.map(read).transpose()
}

pub(super) fn put_job(connection: &Connection, job: &JobRecord) -> Result<(), Failure> {
    let sql = "INSERT OR REPLACE INTO jobs (name, text, created, removed, suspended, since, configuration, \
               handled_through, last_nominal, last_chosen, last_outcome, next_nominal, next_chosen, claim_nominal, \
               claim_runner, claim_time, handled, run_now, run_now_claimed, run_now_outcome, run_now_execution, \
               suspend_requested) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
               ?19, ?20, ?21, ?22)";
    let JobRecord { name, text, created, removed, suspend_requested, run_now, record } = job;
    let (configuration, claim, claimed) =
        (record.configuration.as_ref(), record.claim.as_ref(), record.run_now.as_ref());
    connection.prepare_cached(sql)?.execute(params![
        name,
        text,
        created,
        removed,
        record.suspended,
        configuration.map(|configuration| configuration.since),
        configuration.map(|configuration| &configuration.hash),
        configuration.and_then(|configuration| configuration.handled_through),
        record.last_nominal,
        record.last_chosen,
        record.last_outcome.map(Outcome::as_str),
        record.next.map(|next| next.nominal),
        record.next.map(|next| next.chosen),
        claim.map(|claim| claim.nominal),
        claim.map(|claim| &claim.holder),
        claim.map(|claim| claim.time),
        json(&record.handled)?,
        run_now,
        claimed.map(|claimed| &claimed.token),
        claimed.and_then(|claimed| claimed.outcome).map(Outcome::as_str),
        claimed.and_then(|claimed| claimed.execution.as_ref()),
        suspend_requested,
    ])?;
    Ok(())
}

/// All jobs by name, or the one of that name.
pub(super) fn jobs(connection: &Connection, name: Option<&str>) -> Result<Vec<JobRecord>, Failure> {
    let sql = "SELECT * FROM jobs WHERE ?1 IS NULL OR name = ?1 ORDER BY name";
    collect(connection, sql, [name], |row| {
        let since: Option<i64> = row.get("since")?;
        let hash: Option<String> = row.get("configuration")?;
        let handled_through = row.get("handled_through")?;
        let next: (Option<i64>, Option<i64>) = (row.get("next_nominal")?, row.get("next_chosen")?);
        let claim: (Option<i64>, Option<String>) = (row.get("claim_nominal")?, row.get("claim_runner")?);
        let claim_time: Option<i64> = row.get("claim_time")?;
        let claimed: Option<String> = row.get("run_now_claimed")?;
        let (run_now_outcome, execution) =
            (outcome(row, "jobs", "run_now_outcome")?, row.get("run_now_execution")?);
        let record = Record {
            configuration: since.zip(hash).map(|(since, hash)| Configuration {
                since,
                hash,
                handled_through,
            }),
            suspended: row.get("suspended")?,
            last_nominal: row.get("last_nominal")?,
            last_chosen: row.get("last_chosen")?,
            last_outcome: outcome(row, "jobs", "last_outcome")?,
            next: next.0.zip(next.1).map(|(nominal, chosen)| NextStart { nominal, chosen }),
            claim: claim.0.zip(claim.1).zip(claim_time).map(|((nominal, holder), time)| Claim {
                nominal,
                holder,
                time,
                retention: None,
            }),
            handled: from_json(row, "jobs", "handled")?,
            run_now: claimed.map(|token| RunNow { token, outcome: run_now_outcome, execution }),
        };
        Ok(JobRecord {
            name: row.get("name")?,
            text: row.get("text")?,
            created: row.get("created")?,
            removed: row.get("removed")?,
            suspend_requested: row.get("suspend_requested")?,
            run_now: row.get("run_now")?,
            record,
        })
    })
}

pub(super) fn put_execution(connection: &Connection, execution: &ExecutionRecord) -> Result<(), Failure> {
    let sql = "INSERT OR REPLACE INTO executions (job, name, nominal, chosen, token, runner, created, began, ended, \
               status, exit_code, message, pid, process_start, boot_id) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
    let (nominal, chosen, token) = match &execution.trigger {
        Trigger::Period { nominal, chosen } => (Some(nominal), Some(chosen), None),
        Trigger::RunNow { token } => (None, None, Some(token)),
    };
    let (process, result) = (execution.process.as_ref(), execution.result.as_ref());
    // The bits of the number count, not its sign.
    let start = process.map(|process| process.start_time.cast_signed());
    connection.prepare_cached(sql)?.execute(params![
        execution.job,
        execution.name,
        nominal,
        chosen,
        token,
        execution.runner,
        execution.created,
        execution.began,
        execution.ended,
        result.map(|result| result.status.as_str()),
        result.and_then(|result| result.exit_code),
        result.and_then(|result| result.message.as_ref()),
        process.map(|process| process.pid),
        start,
        process.map(|process| &process.boot_id),
    ])?;
    Ok(())
}

/// The executions that the end of a statement selects.
pub(super) fn executions(
    connection: &Connection,
    rest: &str,
    params: impl Params,
) -> Result<Vec<ExecutionRecord>, Failure> {
    collect(connection, &format!("SELECT * FROM executions {rest}"), params, |row| {
        let table = "executions";
        let period: (Option<i64>, Option<i64>) = (row.get("nominal")?, row.get("chosen")?);
        let trigger = match (period, row.get::<_, Option<String>>("token")?) {
            ((Some(nominal), Some(chosen)), _) => Trigger::Period { nominal, chosen },
            (_, Some(token)) => Trigger::RunNow { token },
            _ => return Err(odd(table, "nominal", "NULL", "the execution has neither a period nor a token")),
        };
        let status: Option<String> = row.get("status")?;
        let status = status.map(|word| {
            ExecutionStatus::from_word(&word)
                .ok_or_else(|| odd(table, "status", &word, "there is no such status"))
        });
        let (exit_code, message) = (row.get("exit_code")?, row.get("message")?);
        let process: (Option<u32>, Option<i64>) = (row.get("pid")?, row.get("process_start")?);
        let boot_id: Option<String> = row.get("boot_id")?;
        Ok(ExecutionRecord {
            job: row.get("job")?,
            name: row.get("name")?,
            trigger,
            runner: row.get("runner")?,
            created: row.get("created")?,
            began: row.get("began")?,
            process: process.0.zip(process.1).zip(boot_id).map(|((pid, start), boot_id)| ProcessId {
                pid,
                start_time: start.cast_unsigned(),
                boot_id,
            }),
            ended: row.get("ended")?,
            result: status.transpose()?.map(|status| ExecutionResult { status, exit_code, message }),
        })
    })
}

/// The outcomes that the end of a statement selects.
pub(super) fn outcomes(
    connection: &Connection,
    rest: &str,
    params: impl Params,
) -> Result<Vec<OutcomeRecord>, Failure> {
    collect(connection, &format!("SELECT * FROM outcomes {rest}"), params, |row| {
        let missing = || odd("outcomes", "outcome", "NULL", "there is no outcome");
        Ok(OutcomeRecord {
            job: row.get("job")?,
            nominal: row.get("nominal")?,
            chosen: row.get("chosen")?,
            token: row.get("token")?,
            outcome: outcome(row, "outcomes", "outcome")?.ok_or_else(missing)?,
            cause: from_json(row, "outcomes", "cause_details")?,
            execution: row.get("execution")?,
            recorded: row.get("recorded")?,
        })
    })
}

pub(super) fn older_missed(connection: &Connection, job: &str) -> Result<Vec<OlderMissed>, Failure> {
    let sql = "SELECT * FROM older_missed WHERE job = ?1 ORDER BY id";
    collect(connection, sql, [job], |row| {
        let count: i64 = row.get("count")?;
        Ok(OlderMissed { job: row.get("job")?, count: count.unsigned_abs(), recorded: row.get("recorded")? })
    })
}

pub(super) fn runners(connection: &Connection) -> Result<Vec<RunnerRecord>, Failure> {
    collect(connection, "SELECT * FROM runners ORDER BY rowid", [], |row| {
        let (name, pid) = (row.get("name")?, row.get("pid")?);
        Ok(RunnerRecord { name, pid, started: row.get("started")?, stopped: row.get("stopped")? })
    })
}

/// All rows of a statement.
fn collect<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(params)?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}
