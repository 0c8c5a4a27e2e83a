//! `kron status`: the jobs of a runner, with their next starts, last outcomes and active commands.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use kron_core::Instant as _;
use kron_runner::{ExecutionRecord, JobRecord};
use serde::Serialize;

use crate::args::{SaveArgs, WatchArgs};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::StateForm;
use crate::output::frame::{Line, NOW, countdown, failure, ink};
use crate::output::json::Array;
use crate::output::plural::plural;
use crate::output::table::{Table, printable};
use crate::output::terminal::{Ink, Terminal, width};
use crate::output::time;
use crate::run::state::{StateArgs, is_active, is_running, is_suspended, job_of, open, readable, second};
use crate::run::{state_table, words};
use crate::session::{Reading, Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::watch::apart::Apart;
use crate::watch::marks::Marks;
use crate::watch::{check_terminal, watch};

/// What is wrong if nothing runs the jobs.
const NO_RUNNER: &str = "no runner is running, so no job starts";
/// How often a watch looks at processes, of which the state file says nothing.
const PROCESSES: Duration = Duration::from_secs(5);
/// How many executions of a job, the newest ones, are searched for active ones.
const EXECUTIONS: u32 = 200;

/// The arguments of `status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    state: StateArgs,

    /// The form of the answer; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<StateForm>,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    watch: WatchArgs,
}

impl Subcommand for StatusArgs {
    const HELP: Help = Help {
        about: "Show the jobs of `kron run`: next starts, outcomes, active ones",
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
    /// The Unix second of the next start.
    #[serde(skip)]
    next_chosen: Option<i64>,
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
    if args.watch.watch {
        return watch_jobs(args, session);
    }
    let form = args.save.form(args.output, session);
    let now = session.now().floor();
    let Seen { rows, ahead, is_running } = see(&args.state, now, session)?;
    match form {
        StateForm::Text => table(&by_next_start(&rows), session)?,
        StateForm::Json => {
            let mut array = Array::default();
            for row in &rows {
                array.item(&mut session.out, row)?;
            }
            array.end(&mut session.out)?;
        }
    }
    session.out.flush()?;
    for ahead in ahead {
        session.report(&Diagnostic::warning(ahead));
    }
    if is_running {
        return Ok(ExitStatus::Success);
    }
    let warning = Diagnostic::warning(NO_RUNNER);
    let help = format!("start it: `kron run FILE --state {}`", args.state.state.display());
    Err(Stop::with(warning.help(help), ExitStatus::Failure))
}

/// What a look at a state file shows.
#[derive(Debug)]
struct Seen {
    rows: Vec<JobStatus>,
    /// The warnings about a clock that was set back.
    ahead: Vec<String>,
    is_running: bool,
}

fn see(args: &StateArgs, now: i64, session: &mut Session<'_>) -> Result<Seen, Stop> {
    let state = open(args, session)?;
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
    let ahead = readable(state.clock_ahead(now))?.into_iter().map(words::started_ahead).collect();
    Ok(Seen { rows, ahead, is_running: is_running(&readable(state.runners())?) })
}

/// Keeps the jobs on the screen.
fn watch_jobs(args: &StatusArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    check_terminal(session)?;
    let file = args.state.state.clone();
    let paths: Vec<PathBuf> = ["", "-wal"].iter().map(|end| with_ending(&file, end)).collect();
    let mut marks = Marks::of(&paths);
    let now = session.now().floor();
    let mut seen = see(&args.state, now, session)?;
    let (apart, state) = (Apart::new(session, false)?, args.state.clone());
    let mut looked = Instant::now();
    let look = move || {
        let found = Marks::of(&paths);
        // Processes end without a change of the file.
        let is_due = found != marks || looked.elapsed() >= PROCESSES;
        is_due.then(|| {
            (marks, looked) = (found, Instant::now());
            apart.run(Reading::default(), |session| {
                let now = session.now().floor();
                see(&state, now, session).map(|seen| (seen, now))
            })
        })
    };
    let mut read_at = now;
    let mut failed = None;
    let terminal = session.terminal();
    let lines = move |read: Option<(Option<(Seen, i64)>, String)>, now: i64, size: (usize, usize)| {
        let (columns, rows) = size;
        match read {
            Some((Some(found), _)) => ((seen, read_at), failed) = (found, None),
            Some((None, report)) => failed = Some(report),
            None => {}
        }
        screen(
            &seen,
            &file,
            failed.as_deref().map(|report| (report, read_at)),
            now,
            Terminal { columns, ..terminal },
            rows,
        )
    };
    watch(look, lines, session)
}

/// A path with these letters after it.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The longest time that is left, usually, and the blanks behind it.
const LONGEST: &str = "59m 59s";
const GAP: usize = 2;

/// The lines of a screen of a terminal with so many rows. `failed`: what the last look reported, and when the one before it was.
fn screen(
    seen: &Seen,
    file: &Path,
    failed: Option<(&str, i64)>,
    now: i64,
    terminal: Terminal,
    rows: usize,
) -> Vec<Line> {
    let (jobs, file) = (plural(seen.rows.len(), "job"), printable(&file.to_string_lossy()));
    let title = format!("{jobs} of {file} at {}; Ctrl-C ends", time::utc_of(now));
    let mut lines = vec![Line::new(Ink::Bold, title)];
    if let Some((report, read_at)) = failed {
        let since = format!("The state file cannot be read; this is from {}:", time::utc_of(read_at));
        lines.push(Line::new(Ink::Bad, since));
        lines.extend(failure(report, rows / 4));
    }
    lines.extend((!seen.is_running).then(|| Line::new(Ink::Bad, NO_RUNNER)));
    lines.extend(seen.ahead.iter().map(|ahead| Line::new(Ink::Bad, ahead)));
    lines.push(Line::new(Ink::Plain, ""));
    let mut sorted = by_next_start(&seen.rows);
    sorted.truncate(rows.saturating_sub(lines.len() + 1));
    let headings =
        ["NEXT START", "JOB", "LAST START", "LAST PERIOD", "RESULT", active_heading(sorted.iter().copied())];
    let left = |row: &JobStatus| match row.next_chosen {
        // What came of it is read soon, if anything can be read.
        Some(next) if next + NOW < now => "passed".to_string(),
        Some(next) => countdown(now, next),
        None => "-".to_string(),
    };
    let left: Vec<String> = sorted.iter().map(|row| left(row)).collect();
    let room = left.iter().map(|left| width(left)).max().unwrap_or(0).max(width(LONGEST)) + GAP;
    let mut rest: Vec<[String; 6]> = sorted.iter().map(|row| cells(row)).collect();
    let columns = terminal.columns.saturating_sub(room);
    let samples = state_table::fit(headings, &mut rest, Terminal { columns, ..terminal });
    let with_left = |left: &str, [a, b, c, d, e, f]: [&str; 6]| -> [String; 7] {
        [left, a, b, c, d, e, f].map(str::to_string)
    };
    let headings = with_left("IN", headings);
    let all: Vec<[String; 7]> = left
        .iter()
        .zip(&rest)
        .map(|(left, rest)| with_left(left, rest.each_ref().map(String::as_str)))
        .collect();
    let table = Table::new(headings.each_ref().map(String::as_str)).fit(0, LONGEST);
    let table = table.fit(1, &samples[0]).fit(3, &samples[1]);
    let table = all.iter().fold(table, |table, row| {
        (0..row.len()).fold(table, |table, column| table.fit(column, &row[column]))
    });
    lines.push(Line::new(Ink::Dim, table.line(headings.each_ref().map(String::as_str))));
    for (row, cells) in sorted.iter().zip(&all) {
        let ink = row.next_chosen.map_or(Ink::Dim, |next| ink(now, next));
        lines.push(Line::new(ink, table.line(cells.each_ref().map(String::as_str))));
    }
    lines
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
        next_chosen: next.map(|(_, chosen)| chosen),
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

/// What comes first is first; jobs without a start are last.
fn by_next_start(rows: &[JobStatus]) -> Vec<&JobStatus> {
    let mut sorted: Vec<&JobStatus> = rows.iter().collect();
    sorted.sort_by_key(|row| (row.next_chosen.is_none(), row.next_chosen));
    sorted
}

fn table(rows: &[&JobStatus], session: &mut Session<'_>) -> Result<(), Stop> {
    let headings =
        ["NEXT START", "JOB", "LAST START", "LAST PERIOD", "RESULT", active_heading(rows.iter().copied())];
    state_table::print(headings, rows.iter().map(|row| cells(row)).collect(), session)
}

/// The heading of what is active; empty if nothing is.
fn active_heading<'a>(rows: impl IntoIterator<Item = &'a JobStatus>) -> &'static str {
    if rows.into_iter().all(|row| row.active.is_empty()) { "" } else { "PROCESS" }
}

/// The cells of a job: its next start, its name, its last start, what became of its last period, the result of the last start, and the
/// processes that are active.
fn cells(row: &JobStatus) -> [String; 6] {
    let next = match &row.next_chosen_time {
        _ if row.removed => "removed",
        _ if row.suspended => "suspended",
        Some(next) => next,
        None => "none",
    };
    let result = match row.last_result {
        None if !row.active.is_empty() => "running".to_string(),
        Some(status) => words::result(status, row.last_exit_code, row.last_message.as_deref()),
        None => "-".to_string(),
    };
    let active: Vec<String> = row
        .active
        .iter()
        .map(|active| active.pid.map_or_else(|| "unknown".to_string(), |pid| pid.to_string()))
        .collect();
    [
        next.to_string(),
        printable(&row.name),
        row.last_start_time.as_deref().unwrap_or("-").to_string(),
        row.last_outcome.unwrap_or("-").to_string(),
        result,
        active.join(", "),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-01T00:00:00Z.
    const MARCH: i64 = 1_772_323_200;

    fn row(name: &str, next: Option<i64>) -> JobStatus {
        JobStatus {
            name: name.to_string(),
            text: "@daily".to_string(),
            suspended: next.is_none(),
            next_chosen: next,
            suspend_requested: false,
            removed: false,
            next_nominal_time: None,
            next_chosen_time: next.map(time::utc_of),
            last_nominal_time: None,
            last_chosen_time: None,
            last_outcome: Some("executed"),
            last_start_time: Some(time::utc_of(MARCH - 86_400)),
            last_result: Some("failed"),
            last_exit_code: Some(3),
            last_message: None,
            active: vec![Active { execution: "x".to_string(), began: None, pid: Some(41) }],
        }
    }

    #[test]
    fn a_screen_counts_down() {
        let rows =
            vec![row("a/later", Some(MARCH + 3720)), row("b/off", None), row("c/soon", Some(MARCH + 12))];
        let seen = Seen { rows, ahead: Vec::new(), is_running: true };
        let p = |seen: &Seen, failed, now, rows| {
            let terminal = Terminal { columns: 92, ..Terminal::ANY };
            let lines = screen(seen, Path::new("kron.db"), failed, now, terminal, rows);
            lines.into_iter().map(|line| line.text + "\n").collect::<String>()
        };
        assert_eq!(
            p(&seen, None, MARCH, 24),
            "\
3 jobs of kron.db at 2026-03-01T00:00:00Z; Ctrl-C ends

IN       NEXT START        JOB      LAST START        LAST PERIOD  RESULT       PROCESS
12s      01 Mar 00:00:12Z  c/soon   28 Feb 00:00:00Z  executed     exit code 3  41
1h 02m   01 Mar 01:02:00Z  a/later  28 Feb 00:00:00Z  executed     exit code 3  41
-        suspended         b/off    28 Feb 00:00:00Z  executed     exit code 3  41
"
        );
        // A narrower screen shows the same, in fewer letters.
        for (columns, result) in [(80, "exit\u{2026}de 3"), (88, "exit code 3")] {
            let terminal = Terminal { columns, ..Terminal::ANY };
            let lines = screen(&seen, Path::new("kron.db"), None, MARCH, terminal, 24);
            for line in &lines[3..] {
                assert!(width(&line.text) <= columns, "{}", line.text);
                assert!(line.text.ends_with(&format!("executed     {result}  41")), "{}", line.text);
            }
        }
        assert_eq!(p(&seen, None, MARCH, 4).lines().count(), 4);
        assert!(p(&seen, None, MARCH + 17, 24).contains("\nnow      01 Mar 00:00:12Z"));
        assert!(p(&seen, None, MARCH + 18, 24).contains("\npassed   01 Mar 00:00:12Z"));
        let seen = Seen { is_running: false, ahead: vec!["the clock".to_string()], ..seen };
        let text = p(&seen, Some(("error: it is damaged\n", MARCH)), MARCH + 9, 24);
        let head = "\
3 jobs of kron.db at 2026-03-01T00:00:09Z; Ctrl-C ends
The state file cannot be read; this is from 2026-03-01T00:00:00Z:
error: it is damaged
no runner is running, so no job starts
the clock

IN ";
        assert!(text.starts_with(head), "{text}");
    }
}
