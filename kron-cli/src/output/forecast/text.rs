//! A forecast as lines to read.

use std::io::{self, Write};

use kron_fleet::forecast::Summary;

use super::{Group, Report, Side, VALUES, WEEKDAYS, WorstBucket, plot};
use crate::output::plural::plural;
use crate::output::table::{Table, printable};
use crate::output::time;

/// Names of jobs that a line shows.
const NAMES: usize = 4;

/// Statistics, a chart and the buckets with the most starts.
pub(crate) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let (range, per) = (report.kron.forecast.range(), report.per());
    let (from, until) = (time::utc_of(range.from_timestamp()), time::utc_of(range.to_timestamp()));
    let (jobs, total) = (report.jobs, report.starts);
    let unit = report.load_unit.map(|unit| format!("; load in {unit}")).unwrap_or_default();
    let (jobs, total) = (plural(jobs, "job"), plural(total, "start"));
    writeln!(out, "{jobs}, {total} from {from} until {until}, in buckets of {per}{unit}\n")?;
    let table = Table::new(["", "VALUE  ", "  PEAK", "   P99", "    MEAN", "PEAK AT"]).fit(0, "cron");
    table.row(out, ["", "VALUE", "  PEAK", "   P99", "    MEAN", "PEAK AT"])?;
    let mut row = |name: &str, value: &str, found: Summary| {
        let at = time::utc_of(range.bucket(found.peak_bucket).0);
        let (peak, p99) = (format!("{:>6}", found.peak), format!("{:>6}", found.p99));
        table.row(out, [name, value, &peak, &p99, &format!("{:>8.2}", found.mean), &at])
    };
    if let Some(base) = report.summary_of_base() {
        row("base", "starts", base)?;
    }
    for (name, side) in report.sides() {
        for (value, of) in VALUES {
            row(name, value, side.forecast.summary(of))?;
        }
    }
    let peak = report.sides().map(|(_, side)| side.forecast.summary(VALUES[0].1).peak).max();
    for (name, side) in report.sides() {
        let beside = if report.base.is_some() { " and base" } else { "" };
        writeln!(
            out,
            "\nStarts per {per}, {name}{beside}\n{}",
            plot::chart(side.forecast, peak.unwrap_or(0))
        )?;
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
    for (name, side) in report.sides() {
        heat_map(out, report, name, side)?;
    }
    clock_changes(out, report)?;
    groups(out, report)
}

/// The most starts in one bucket of each hour of a week.
fn heat_map(out: &mut dyn Write, report: &Report<'_>, name: &str, side: &Side<'_>) -> io::Result<()> {
    if !report.has_week() {
        return Ok(());
    }
    let width = side.heat_map.peak().to_string().len().max(2);
    writeln!(out, "Most starts per {} by weekday and hour ({}), {name}", report.per(), report.zone)?;
    let row = |label: &str, cells: &mut dyn Iterator<Item = String>| {
        cells.fold(label.to_string(), |line, cell| format!("{line} {cell:>width$}"))
    };
    writeln!(out, "{}", row("   ", &mut (0..24).map(|hour| format!("{hour:02}"))))?;
    for (day, cells) in WEEKDAYS.iter().zip(side.heat_map.days()) {
        let line = row(
            day,
            &mut cells.iter().map(|cell| match (cell.buckets, cell.peak) {
                (0, _) => String::new(),
                (_, 0) => ".".to_string(),
                (_, peak) => peak.to_string(),
            }),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)
}

/// The days on which clocks change in the zones of the jobs.
fn clock_changes(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let Some(_) = report.clock_changes.first() else { return Ok(()) };
    let headings = ["CLOCKS CHANGE AT", "ZONE", "FROM", "TO", "  JOBS", "  STARTS", "WEEK BEFORE"];
    let table = report.clock_changes.iter().fold(Table::new(headings), |table, day| {
        table
            .fit(0, &time::utc_of(day.change.timestamp))
            .fit(1, day.zone.name())
            .fit(2, "+00:00")
            .fit(3, "+00:00")
    });
    table.row(out, headings)?;
    for day in &report.clock_changes {
        let at = time::utc_of(day.change.timestamp);
        let (before, after) = (time::offset(day.change.offset_before), time::offset(day.change.offset_after));
        let (jobs, starts) = (format!("{:>6}", day.jobs), format!("{:>8}", day.starts));
        let week_before = format!("{:>11}", day.starts_week_before);
        table.row(out, [&at, day.zone.name(), &before, &after, &jobs, &starts, &week_before])?;
    }
    writeln!(out)
}

/// The peaks of groups.
fn groups(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
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
        let name = if name.is_empty() { "(none)".into() } else { printable(name) };
        table.row(out, [&name, &jobs, &starts, &peak, &cron_peak])?;
    }
    Ok(())
}
