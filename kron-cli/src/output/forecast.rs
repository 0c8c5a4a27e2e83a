//! A forecast as text, JSON and CSV.

use std::io::{self, Write};

use kron_core::{Bucket, Duration, Forecast, Summary};
use serde::Serialize;
use serde_json::json;

use super::table::{Table, printable};
use super::{csv as rows, plot, time};

/// Names of jobs that a line of the text shows.
const NAMES: usize = 4;

/// Everything that is printed.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) jobs: usize,
    /// The jobs at their chosen times.
    pub(crate) kron: Side<'a>,
    /// The jobs at their nominal times, if they were asked for.
    pub(crate) cron: Option<Side<'a>>,
    pub(crate) groups: Option<Vec<Group>>,
}

/// A forecast and its buckets with the most starts.
#[derive(Debug)]
pub(crate) struct Side<'a> {
    pub(crate) forecast: &'a Forecast,
    pub(crate) worst: Vec<WorstBucket>,
}

/// A bucket and its jobs, by name, with their numbers of starts in it.
#[derive(Debug)]
pub(crate) struct WorstBucket {
    pub(crate) from: i64,
    pub(crate) starts: u32,
    pub(crate) jobs: Vec<(String, u64)>,
}

/// Some of the jobs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) jobs: usize,
    pub(crate) starts: u64,
    pub(crate) peak: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cron_peak: Option<u64>,
}

impl Report<'_> {
    /// The sides with their names: cron first, as it is what happens without Kron.
    fn sides(&self) -> impl Iterator<Item = (&'static str, &Side<'_>)> {
        self.cron.iter().map(|side| ("cron", side)).chain([("kron", &self.kron)])
    }
}

/// The values of a bucket, with their names in the text.
type Value = (&'static str, fn(&Bucket) -> u64);
const VALUES: [Value; 3] = [
    ("starts", |bucket| u64::from(bucket.starts)),
    ("running", |bucket| u64::from(bucket.running)),
    ("load", |bucket| bucket.load),
];

/// Statistics, a chart and the buckets with the most starts.
pub(crate) fn text(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let range = report.kron.forecast.range();
    // OK because a bucket has at most an hour.
    let per = Duration::from_secs(range.per_seconds() as u32);
    let (from, until) = (time::utc_of(range.from_timestamp()), time::utc_of(range.to_timestamp()));
    let (jobs, total) = (report.jobs, report.kron.forecast.total());
    writeln!(out, "{jobs} jobs, {total} starts from {from} until {until}, in buckets of {per}\n")?;
    let table = Table::new(["", "VALUE  ", "  PEAK", "   P99", "    MEAN", "PEAK AT"]).fit(0, "cron");
    table.row(out, ["", "VALUE", "  PEAK", "   P99", "    MEAN", "PEAK AT"])?;
    for (name, side) in report.sides() {
        for (value, of) in VALUES {
            let Summary { peak, p99, mean, peak_bucket, .. } = side.forecast.summary(of);
            let at = time::utc_of(range.bucket(peak_bucket).0);
            let (peak, p99) = (format!("{peak:>6}"), format!("{p99:>6}"));
            table.row(out, [name, value, &peak, &p99, &format!("{mean:>8.2}"), &at])?;
        }
    }
    let peak = report.sides().map(|(_, side)| side.forecast.summary(VALUES[0].1).peak).max();
    for (name, side) in report.sides() {
        writeln!(out, "\nStarts per {per}, {name}\n{}", plot::chart(side.forecast, peak.unwrap_or(0)))?;
    }
    for (name, side) in report.sides() {
        writeln!(out, "Buckets with the most starts, {name}")?;
        for WorstBucket { from, starts, jobs } in &side.worst {
            let named = jobs.iter().take(NAMES).map(|(name, starts)| match starts {
                1 => printable(name),
                _ => format!("{} ({starts})", printable(name)),
            });
            let names = named.collect::<Vec<_>>().join(", ");
            let more = match jobs.len().saturating_sub(NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            writeln!(out, "{}  {starts:>6}  {names}{more}", time::utc_of(*from))?;
        }
        writeln!(out)?;
    }
    let Some(groups) = &report.groups else { return Ok(()) };
    let headings = ["GROUP", "  JOBS", "  STARTS", "  PEAK", "CRON PEAK"];
    let table = groups.iter().fold(Table::new(headings), |table, group| table.fit(0, &group.name));
    table.row(
        out,
        if report.cron.is_some() { headings } else { ["GROUP", "  JOBS", "  STARTS", "  PEAK", ""] },
    )?;
    for Group { name, jobs, starts, peak, cron_peak } in groups {
        let cron_peak = cron_peak.map(|peak| format!("{peak:>9}")).unwrap_or_default();
        let (jobs, starts, peak) = (format!("{jobs:>6}"), format!("{starts:>8}"), format!("{peak:>6}"));
        table.row(out, [&printable(name), &jobs, &starts, &peak, &cron_peak])?;
    }
    Ok(())
}

/// One object.
pub(crate) fn json(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let range = report.kron.forecast.range();
    let side = |side: &Side<'_>| {
        let summary = |of: fn(&Bucket) -> u64| {
            let Summary { peak, p99, mean, peak_bucket, .. } = side.forecast.summary(of);
            json!({"peak": peak, "peakAt": time::utc_of(range.bucket(peak_bucket).0), "p99": p99, "mean": mean})
        };
        let worst = side.worst.iter().map(|WorstBucket { from, starts, jobs }| {
            let jobs: Vec<_> =
                jobs.iter().map(|(name, starts)| json!({"name": name, "starts": starts})).collect();
            json!({"at": time::utc_of(*from), "starts": starts, "jobs": jobs})
        });
        let all = |of: fn(&Bucket) -> u64| side.forecast.buckets().iter().map(of).collect::<Vec<_>>();
        let [starts, running, load] = VALUES.map(|(_, of)| of);
        json!({
            "total": side.forecast.total(),
            "starts": summary(starts),
            "running": summary(running),
            "load": summary(load),
            "worst": worst.collect::<Vec<_>>(),
            "buckets": {"starts": all(starts), "running": all(running), "load": all(load)},
        })
    };
    let mut object = json!({
        "from": time::utc_of(range.from_timestamp()),
        "until": time::utc_of(range.to_timestamp()),
        "perSeconds": range.per_seconds(),
        "jobs": report.jobs,
    });
    for (name, found) in report.sides() {
        object[name] = side(found);
    }
    if let Some(groups) = &report.groups {
        object["groups"] = serde_json::to_value(groups)?;
    }
    super::json::line(out, &object)
}

/// A row for each bucket.
pub(crate) fn csv(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut headings = vec!["time", "starts", "running", "load"];
    if report.cron.is_some() {
        headings.extend(["cronStarts", "cronRunning", "cronLoad"]);
    }
    rows::row(out, &headings)?;
    let forecast = report.kron.forecast;
    for (index, bucket) in forecast.buckets().iter().enumerate() {
        let mut row = vec![time::utc_of(forecast.range().bucket(index).0)];
        let cron = report.cron.as_ref().map(|side| &side.forecast.buckets()[index]);
        for bucket in std::iter::once(bucket).chain(cron) {
            row.extend(VALUES.map(|(_, of)| of(bucket).to_string()));
        }
        rows::row(out, &row)?;
    }
    Ok(())
}
