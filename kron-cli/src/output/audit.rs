//! The audit of KronJobs as text and as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use kron_formats::audit::{AuditedPeriod, MissCause, PeriodState};
use kron_formats::snapshot::ObjectFinding;
use serde::Serialize;
use serde_json::json;

use super::forecast::words::grouped;
use super::plural::plural;
use super::table::{Table, printable};
use super::terminal::wrapped;
use super::{json, time};

/// The audit of one KronJob.
#[derive(Debug)]
pub(crate) struct JobReport<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The Unix second from which on periods were audited.
    pub(crate) from: i64,
    pub(crate) periods: Vec<AuditedPeriod<'a>>,
    pub(crate) findings: Vec<Finding>,
}

/// A period that was not started, or something wrong with an object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finding {
    pub(crate) code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    period_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<String>,
    message: String,
}

/// A period as an object of JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Period<'a> {
    period_id: String,
    /// By the present spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen_time: Option<String>,
    on_schedule: bool,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<&'a str>,
}

impl Finding {
    /// A period that was not started; `None` if nothing is wrong with it.
    pub(crate) fn of_period(period: &AuditedPeriod<'_>) -> Option<Finding> {
        Some(Finding {
            code: period.cause.unwrap_or_default().as_str(),
            period_id: Some(time::utc_of(period.nominal)),
            job: None,
            message: period.miss_message()?,
        })
    }

    /// Something wrong with an object.
    pub(crate) fn of_object(finding: ObjectFinding) -> Finding {
        let ObjectFinding { code, job, message, .. } = finding;
        Finding { code: code.as_str(), period_id: None, job, message }
    }

    /// What it is about, in a cell.
    fn subject(&self) -> String {
        match (&self.period_id, &self.job) {
            (Some(period), _) => period.clone(),
            (None, Some(job)) => printable(job),
            (None, None) => "-".to_string(),
        }
    }
}

/// How many findings in a row about the periods of a KronJob have lines of their own, even if they have the same code.
const ROW: usize = 3;
/// A narrower column has no room for a sentence, which then has lines of its own behind so many blanks.
const NARROWEST: usize = 36;
const INDENT: usize = 4;

/// A summary, and a line for each finding. Of many periods in a row with the same code, the first one has a line, and the others share
/// one. `columns`: those of the terminal, if it is one.
pub(crate) fn text(
    out: &mut dyn Write,
    reports: &[JobReport<'_>],
    until: i64,
    columns: Option<usize>,
) -> io::Result<()> {
    let from = reports.iter().map(|report| report.from).min().unwrap_or(until);
    let counts = reports.iter().flat_map(|report| counts(&report.periods)).fold(
        BTreeMap::<PeriodState, usize>::new(),
        |mut all, (state, count)| {
            *all.entry(state).or_default() += count;
            all
        },
    );
    let of_state = |(state, count): (&PeriodState, &usize)| {
        let count = grouped(*count as u64);
        match state {
            PeriodState::NotExecuted => format!("{count} not executed"),
            PeriodState::NotInForce => format!("{count} not in force"),
            PeriodState::Unknown => format!("{count} unknown, before the kept history"),
            state => format!("{count} {state}"),
        }
    };
    let states: Vec<String> = counts.iter().map(of_state).collect();
    let number: usize = reports.iter().map(|report| report.findings.len()).sum();
    let found = if number == 0 { "No findings".to_string() } else { plural(number, "finding") };
    let jobs = plural(reports.len(), "KronJob");
    let periods = plural(counts.values().sum::<usize>(), "period");
    let (from, until) = (time::utc_of(from), time::utc_of(until));
    let head = format!("{found}: {jobs}, {periods} from {from} until {until}");
    let width = columns.unwrap_or(usize::MAX);
    for line in [head, states.join(", ")].iter().filter(|line| !line.is_empty()) {
        wrapped(line, width, "").iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    if number == 0 {
        return Ok(());
    }
    let headings = ["KRONJOB", "PERIOD OR JOB", "FINDING", "WHAT IS WRONG"];
    let rows: Vec<[String; 4]> = reports.iter().flat_map(rows).collect();
    let table = rows.iter().fold(Table::new(headings), |table, [name, subject, code, _]| {
        table.fit(0, name).fit(1, subject).fit(2, code)
    });
    writeln!(out)?;
    // What is wrong has further lines in its column, or lines of its own where that is narrow.
    let begin = table.width() - headings[3].len();
    let room = width.saturating_sub(begin);
    let heading = if room < NARROWEST { "" } else { headings[3] };
    table.row(out, [headings[0], headings[1], headings[2], heading])?;
    for [name, subject, code, wrong] in &rows {
        let (first, rest) = match room < NARROWEST {
            true => (String::new(), wrapped(wrong, width.saturating_sub(INDENT), "")),
            false => {
                let mut lines = wrapped(wrong, room, "");
                (lines.remove(0), lines)
            }
        };
        table.row(out, [name, subject, code, &first])?;
        let indent = " ".repeat(if room < NARROWEST { INDENT } else { begin });
        rest.iter().try_for_each(|line| writeln!(out, "{indent}{line}"))?;
    }
    Ok(())
}

/// The rows of the findings about a KronJob.
fn rows(report: &JobReport<'_>) -> Vec<[String; 4]> {
    let row = |finding: &Finding| {
        [printable(report.name), finding.subject(), finding.code.to_string(), printable(&finding.message)]
    };
    let mut rows = Vec::new();
    let same = |a: &Finding, b: &Finding| a.code == b.code && a.period_id.is_some() && b.period_id.is_some();
    for group in report.findings.chunk_by(same) {
        match group {
            [first, .., last] if group.len() > ROW => {
                let more = group.len() - 1;
                let [name, _, code, _] = row(first);
                rows.extend([
                    row(first),
                    [name, last.subject(), code, format!("and {} more up to this one", grouped(more as u64))],
                ]);
            }
            _ => rows.extend(group.iter().map(row)),
        }
    }
    rows
}

/// One object.
pub(crate) fn json(out: &mut dyn Write, reports: &[JobReport<'_>], until: i64) -> io::Result<()> {
    let kronjobs = reports.iter().map(|report| {
        let counts: BTreeMap<&str, usize> =
            counts(&report.periods).into_iter().map(|(state, count)| (state.as_str(), count)).collect();
        let periods: Vec<Period<'_>> = report.periods.iter().map(period).collect();
        json!({
            "name": report.name,
            "from": time::utc_of(report.from),
            "counts": counts,
            "findings": report.findings,
            "periods": periods,
        })
    });
    let findings: usize = reports.iter().map(|report| report.findings.len()).sum();
    let object = json!({
        "until": time::utc_of(until), "findings": findings, "kronjobs": kronjobs.collect::<Vec<_>>(),
    });
    json::line(out, &object)
}

fn period<'a>(period: &AuditedPeriod<'a>) -> Period<'a> {
    Period {
        period_id: time::utc_of(period.nominal),
        chosen_time: period.chosen.map(time::utc_of),
        on_schedule: period.on_schedule,
        state: period.state.as_str(),
        cause: period.cause.map(MissCause::as_str),
        job: period.execution,
    }
}

/// How many periods have each state.
fn counts(periods: &[AuditedPeriod<'_>]) -> BTreeMap<PeriodState, usize> {
    periods.iter().fold(BTreeMap::new(), |mut counts, period| {
        *counts.entry(period.state).or_default() += 1;
        counts
    })
}
