//! Rows of the tables as values, and values as rows.

use kron_core::Outcome;
use kron_host::{Claim, Configuration, NextStart, Record, RunNow, Trigger};
use rusqlite::{Connection, Params, Row, ToSql, params_from_iter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::failure::Failure;
use super::schema::LOST;
use crate::record::{
    ClockAhead, ExecutionRecord, JobRecord, OlderMissed, OutcomeRecord, OutputPipes, ProcessId, RunnerRecord,
    cause_word,
};
use crate::result::{ExecutionResult, ExecutionStatus};

fn json(value: &impl Serialize) -> Result<String, Failure> {
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

/// A column with its value.
type Column<'a> = (&'a str, &'a dyn ToSql);

/// Writes a row. `verb` is `INSERT` with what to do about a row that is there.
fn write(connection: &Connection, verb: &str, table: &str, columns: &[Column<'_>]) -> Result<(), Failure> {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let places = vec!["?"; columns.len()].join(", ");
    let sql = format!("{verb} INTO {table} ({}) VALUES ({places})", names.join(", "));
    let values = columns.iter().map(|(_, value)| *value);
    connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
    Ok(())
}

/// Writes the row that has these `keys`. One that is there gets the other columns, which costs less than its replacement: its place in
/// the table and in the indexes of its keys stays.
fn put(
    connection: &Connection,
    table: &str,
    keys: &[Column<'_>],
    others: &[Column<'_>],
) -> Result<(), Failure> {
    let list = |columns: &[Column<'_>], sign, between| {
        let terms: Vec<String> = columns.iter().map(|(name, _)| format!("{name} {sign} ?")).collect();
        terms.join(between)
    };
    let sql = format!("UPDATE {table} SET {} WHERE {}", list(others, "=", ", "), list(keys, "IS", " AND "));
    let values = others.iter().chain(keys).map(|(_, value)| *value);
    if connection.prepare_cached(&sql)?.execute(params_from_iter(values))? == 0 {
        write(connection, "INSERT OR REPLACE", table, &[keys, others].concat())?;
    }
    Ok(())
}

// Records are taken apart by name, so that the compiler asks for the column of a new field.

pub(super) fn put_job(connection: &Connection, job: &JobRecord) -> Result<(), Failure> {
    let JobRecord { name, text, created, removed, suspend_requested, run_now, record } = job;
    let Record {
        configuration,
        suspended,
        last_nominal,
        last_chosen,
        last_outcome,
        next,
        claim,
        handled,
        run_now: claimed,
    } = record;
    let (since, hash, handled_through) = match configuration {
        Some(Configuration { since, hash, handled_through }) => (Some(since), Some(hash), *handled_through),
        None => (None, None, None),
    };
    let (next_nominal, next_chosen) = next.map(|NextStart { nominal, chosen }| (nominal, chosen)).unzip();
    let (claim_nominal, claim_runner, claim_time) = match claim {
        // Retention is what one process knows.
        Some(Claim { nominal, holder, time, retention: _ }) => (Some(nominal), Some(holder), Some(time)),
        None => (None, None, None),
    };
    let (claimed, claimed_outcome, claimed_execution) = match claimed {
        Some(RunNow { token, outcome, execution }) => (Some(token), *outcome, execution.as_ref()),
        None => (None, None, None),
    };
    put(
        connection,
        "jobs",
        &[("name", name)],
        &[
            ("text", text),
            ("created", created),
            ("removed", removed),
            ("suspended", suspended),
            ("suspend_requested", suspend_requested),
            ("since", &since),
            ("configuration", &hash),
            ("handled_through", &handled_through),
            ("last_nominal", last_nominal),
            ("last_chosen", last_chosen),
            ("last_outcome", &last_outcome.map(Outcome::as_str)),
            ("next_nominal", &next_nominal),
            ("next_chosen", &next_chosen),
            ("claim_nominal", &claim_nominal),
            ("claim_runner", &claim_runner),
            ("claim_time", &claim_time),
            ("handled", &json(handled)?),
            ("run_now", run_now),
            ("run_now_claimed", &claimed),
            ("run_now_outcome", &claimed_outcome.map(Outcome::as_str)),
            ("run_now_execution", &claimed_execution),
        ],
    )
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
    let ExecutionRecord { job, name, trigger, runner, created, began, process, ended, result } = execution;
    let (nominal, chosen, token) = match trigger {
        Trigger::Period { nominal, chosen } => (Some(nominal), Some(chosen), None),
        Trigger::RunNow { token } => (None, None, Some(token)),
    };
    // The bits of the numbers count, not their signs.
    let (pid, process_start, boot_id, output) = match process {
        Some(ProcessId { pid, start_time, boot_id, output }) => {
            (Some(pid), Some(start_time.cast_signed()), Some(boot_id), *output)
        }
        None => (None, None, None, None),
    };
    let pipes = output.map(|OutputPipes { device, stdout, stderr }| {
        [device.cast_signed(), stdout.cast_signed(), stderr.cast_signed()]
    });
    let (status, exit_code, message) = match result {
        Some(ExecutionResult { status, exit_code, message }) => {
            (Some(status.as_str()), *exit_code, message.as_ref())
        }
        None => (None, None, None),
    };
    put(
        connection,
        "executions",
        &[
            ("job", job),
            ("name", name),
            ("nominal", &nominal),
            ("chosen", &chosen),
            ("token", &token),
            ("created", created),
        ],
        &[
            ("runner", runner),
            ("began", began),
            ("ended", ended),
            ("status", &status),
            ("exit_code", &exit_code),
            ("message", &message),
            ("pid", &pid),
            ("process_start", &process_start),
            ("boot_id", &boot_id),
            ("pipe_device", &pipes.map(|[device, _, _]| device)),
            ("stdout_pipe", &pipes.map(|[_, stdout, _]| stdout)),
            ("stderr_pipe", &pipes.map(|[_, _, stderr]| stderr)),
        ],
    )
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
        let pipes: (Option<i64>, Option<i64>, Option<i64>) =
            (row.get("pipe_device")?, row.get("stdout_pipe")?, row.get("stderr_pipe")?);
        let output = pipes.0.zip(pipes.1).zip(pipes.2).map(|((device, stdout), stderr)| OutputPipes {
            device: device.cast_unsigned(),
            stdout: stdout.cast_unsigned(),
            stderr: stderr.cast_unsigned(),
        });
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
                output,
            }),
            ended: row.get("ended")?,
            result: status.transpose()?.map(|status| ExecutionResult { status, exit_code, message }),
        })
    })
}

/// Adds an outcome, unless its token or its period has one that stays.
pub(super) fn add_outcome(connection: &Connection, added: &OutcomeRecord) -> Result<(), Failure> {
    let OutcomeRecord { job, nominal, chosen, token, outcome, cause, execution, recorded } = added;
    // The clock can have been ahead when the first one was recorded.
    let sql = format!(
        "DELETE FROM outcomes WHERE job = ?1 AND nominal = ?2 AND outcome <> ?3 AND (?4 = ?3 OR NOT {LOST})"
    );
    let executed = Outcome::Executed.as_str();
    connection.prepare_cached(&sql)?.execute((job, nominal, executed, outcome.as_str()))?;
    write(
        connection,
        "INSERT OR IGNORE",
        "outcomes",
        &[
            ("job", job),
            ("nominal", nominal),
            ("chosen", chosen),
            ("token", token),
            ("outcome", &outcome.as_str()),
            ("cause", &cause_word(cause)),
            ("cause_details", &json(cause)?),
            ("execution", execution),
            ("recorded", recorded),
        ],
    )
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

pub(super) fn add_older_missed(connection: &Connection, added: &OlderMissed) -> Result<(), Failure> {
    let OlderMissed { job, count, recorded } = added;
    // More periods than this number can count never are.
    let count = i64::try_from(*count).unwrap_or(i64::MAX);
    write(connection, "INSERT", "older_missed", &[("job", job), ("count", &count), ("recorded", recorded)])
}

pub(super) fn older_missed(connection: &Connection, job: &str) -> Result<Vec<OlderMissed>, Failure> {
    let sql = "SELECT * FROM older_missed WHERE job = ?1 ORDER BY id";
    collect(connection, sql, [job], |row| {
        let count: i64 = row.get("count")?;
        Ok(OlderMissed { job: row.get("job")?, count: count.unsigned_abs(), recorded: row.get("recorded")? })
    })
}

pub(super) fn add_clock_ahead(connection: &Connection, added: ClockAhead) -> Result<(), Failure> {
    let ClockAhead { after, through } = added;
    write(connection, "INSERT OR IGNORE", "clock_ahead", &[("after", &after), ("through", &through)])
}

pub(super) fn clock_ahead(connection: &Connection, now: i64) -> Result<Vec<ClockAhead>, Failure> {
    let sql = "SELECT * FROM clock_ahead WHERE through > ?1 ORDER BY after, through";
    collect(connection, sql, [now], |row| {
        Ok(ClockAhead { after: row.get("after")?, through: row.get("through")? })
    })
}

pub(super) fn add_runner(connection: &Connection, added: &RunnerRecord) -> Result<(), Failure> {
    let RunnerRecord { name, pid, started, stopped } = added;
    write(
        connection,
        "INSERT",
        "runners",
        &[("name", name), ("pid", pid), ("started", started), ("stopped", stopped)],
    )
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

#[cfg(test)]
mod tests {
    use kron_host::{Cause, HandledPeriod};

    use super::*;
    use crate::store::sqlite::schema;

    /// Records without a field that is empty; where fields exclude each other, there is a record for each.
    struct Full {
        job: JobRecord,
        executions: [ExecutionRecord; 2],
        outcomes: [OutcomeRecord; 2],
        older_missed: OlderMissed,
        ahead: ClockAhead,
        runner: RunnerRecord,
    }

    fn full() -> Full {
        let record = Record {
            configuration: Some(Configuration { since: 1, hash: "hash".into(), handled_through: Some(2) }),
            suspended: true,
            last_nominal: Some(3),
            last_chosen: Some(4),
            last_outcome: Some(Outcome::Skipped),
            next: Some(NextStart { nominal: 5, chosen: 6 }),
            claim: Some(Claim { nominal: 7, holder: "runner".into(), time: 8, retention: None }),
            handled: vec![HandledPeriod {
                nominal: 9,
                chosen: Some(10),
                outcome: Outcome::Executed,
                execution: Some("period".into()),
            }],
            run_now: Some(RunNow {
                token: "t-0".into(),
                outcome: Some(Outcome::Missed),
                execution: Some("run-now-t-0".into()),
            }),
        };
        let job = JobRecord {
            name: "a/b".into(),
            text: "@daily".into(),
            created: 11,
            removed: true,
            suspend_requested: false,
            run_now: Some("t-1".into()),
            record,
        };
        let execution = |name: &str, created: i64, trigger: Trigger| ExecutionRecord {
            job: job.name.clone(),
            name: name.into(),
            trigger,
            runner: "runner".into(),
            created,
            began: Some(13),
            process: Some(ProcessId {
                pid: 14,
                start_time: u64::MAX,
                boot_id: "boot".into(),
                output: Some(OutputPipes { device: 28, stdout: u64::MAX, stderr: 29 }),
            }),
            ended: Some(15),
            result: Some(ExecutionResult {
                status: ExecutionStatus::Unknown,
                exit_code: Some(16),
                message: Some("message".into()),
            }),
        };
        let outcome = |nominal: Option<i64>, token: Option<&str>| OutcomeRecord {
            job: job.name.clone(),
            nominal,
            chosen: nominal,
            token: token.map(Into::into),
            outcome: Outcome::Executed,
            cause: Cause::Started,
            execution: Some("execution".into()),
            recorded: 17,
        };
        Full {
            executions: [
                execution("period", 12, Trigger::Period { nominal: 18, chosen: 19 }),
                execution("run-now-t-1", 13, Trigger::RunNow { token: "t-1".into() }),
            ],
            outcomes: [outcome(Some(20), None), outcome(None, Some("t-1"))],
            older_missed: OlderMissed { job: job.name.clone(), count: 21, recorded: 22 },
            ahead: ClockAhead { after: 26, through: 27 },
            runner: RunnerRecord { name: "runner".into(), pid: 23, started: 24, stopped: Some(25) },
            job,
        }
    }

    #[test]
    fn each_column_is_written_and_read() {
        let directory = tempfile::tempdir().unwrap();
        let connection = {
            let path = directory.path().join("kron.db");
            schema::open(&path, &path, |_| Ok(())).unwrap()
        };
        let full = full();
        let all = || -> Result<(), Failure> {
            put_job(&connection, &full.job)?;
            full.executions.iter().try_for_each(|execution| put_execution(&connection, execution))?;
            full.outcomes.iter().try_for_each(|outcome| add_outcome(&connection, outcome))?;
            add_older_missed(&connection, &full.older_missed)?;
            add_clock_ahead(&connection, full.ahead)?;
            add_runner(&connection, &full.runner)?;
            assert_eq!(jobs(&connection, None)?, std::slice::from_ref(&full.job));
            assert_eq!(executions(&connection, "ORDER BY created", [])?, full.executions);
            assert_eq!(outcomes(&connection, "ORDER BY id", [])?, full.outcomes);
            assert_eq!(older_missed(&connection, "a/b")?, std::slice::from_ref(&full.older_missed));
            assert_eq!(clock_ahead(&connection, 0)?, [full.ahead]);
            assert_eq!(runners(&connection)?, std::slice::from_ref(&full.runner));
            // A column that is not written is NULL.
            let columns = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'";
            let columns: Vec<(String, String)> =
                collect(&connection, columns, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            assert!(columns.len() > 40);
            for (table, column) in columns {
                let sql = format!("SELECT count({column}) FROM {table}");
                let filled: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
                assert!(filled > 0, "{table}.{column} is not written");
            }
            Ok(())
        };
        all().map_err(|failure| failure.at("kron.db".as_ref())).unwrap();
    }
}
