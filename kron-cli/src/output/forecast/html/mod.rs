//! A forecast as a page of HTML that needs no network.
//!
//! Everything can be read without the script. The script lets a reader choose any bucket and lists its jobs.

use std::io::{self, Write};

use kron_fleet::forecast::{ForecastBy, ForecastJob, HeatMapCell, Summary, jobs_in_buckets};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::{Report, Side, VALUES, WEEKDAYS, plot};
use crate::output::time;

/// The most buckets of a page, so that its size is bounded.
pub(crate) const BUCKETS: usize = 100_000;
/// If the range has at most this many starts, each bucket lists its jobs.
const ALL_STARTS: u64 = 100_000;
/// With more starts, only this many buckets list their jobs: those with the most starts.
const WORST: usize = 50;
/// The most jobs that the page lists for a bucket.
const JOBS: usize = 500;
/// Columns of a chart.
const COLUMNS: usize = 480;
/// The height of a chart, in units of its drawing.
const HEIGHT: u64 = 160;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page.
pub(crate) fn write(out: &mut dyn Write, report: &Report<'_>, jobs: &[ForecastJob<'_>]) -> io::Result<()> {
    let range = report.kron.forecast.range();
    let (from, until) = (time::utc_of(range.from_timestamp()), time::utc_of(range.to_timestamp()));
    let peak = report.sides().map(|(_, side)| side.forecast.summary(VALUES[0].1).peak).max().unwrap_or(0);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Nothing is fetched, whatever a name contains.
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { "Kron forecast, " (from) " to " (until) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { "Forecast of " (report.jobs) " jobs" }
                    p { (report.kron.forecast.total()) " starts from " (from) " until " (until)
                        ", in buckets of " (report.per()) "." }
                    (summaries(report))
                    @for (name, side) in report.sides() {
                        (chart(report, name, side, peak))
                    }
                    (browser(report))
                    @for (name, side) in report.sides() {
                        (worst(name, side))
                    }
                    @for (name, side) in report.sides() {
                        (heat_map(report, name, side, peak))
                    }
                    (clock_changes(report))
                    (groups(report))
                }
                script type="application/json" id="data" { (PreEscaped(escaped(&data(report, jobs)))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    out.write_all(page.into_string().as_bytes())
}

/// The name of a side.
fn title(name: &str) -> &'static str {
    if name == "cron" { "Cron: at the nominal time" } else { "Kron: spread over the windows" }
}

fn summaries(report: &Report<'_>) -> Markup {
    html! {
        table {
            caption { "Values of a bucket" }
            thead { tr {
                th scope="col" { "Forecast" } th scope="col" { "Value" } th scope="col" { "Peak" }
                th scope="col" { "99 % are not above" } th scope="col" { "Mean" } th scope="col" { "Peak at" }
            } }
            tbody {
                @for (name, side) in report.sides() {
                    @for (value, of) in VALUES {
                        @let Summary { peak, p99, mean, peak_bucket, .. } = side.forecast.summary(of);
                        tr {
                            th scope="row" { (name) } td { (value) } td.number { (peak) } td.number { (p99) }
                            td.number { (format!("{mean:.2}")) }
                            td { (time::utc_of(side.forecast.range().bucket(peak_bucket).0)) }
                        }
                    }
                }
            }
        }
    }
}

/// The starts over time. A reader without the picture has the same numbers in the list of buckets and in the heat map.
fn chart(report: &Report<'_>, name: &str, side: &Side<'_>, peak: u64) -> Markup {
    let columns = plot::columns(side.forecast, COLUMNS);
    let most = side.forecast.summary(VALUES[0].1);
    let at = time::utc_of(side.forecast.range().bucket(most.peak_bucket).0);
    let bar = |(place, (_, starts)): (usize, &(i64, u64))| {
        let height = (starts * HEIGHT).div_ceil(peak.max(1));
        format!("M{place} {HEIGHT}v-{height}h1v{height}z")
    };
    let bars: String = columns.iter().enumerate().filter(|(_, column)| column.1 > 0).map(bar).collect();
    let label = format!("Starts per {}, {name}: at most {} at {at}", report.per(), most.peak);
    html! {
        figure class=(name) data-side=(name) {
            figcaption { (title(name)) ", starts per " (report.per()) ", axis from 0 to " (peak) }
            svg role="img" aria-label=(label) viewBox=(format!("0 0 {} {HEIGHT}", columns.len()))
                preserveAspectRatio="none" {
                path.bars d=(bars) {}
                line.marker x1="0" x2="0" y1="0" y2=(HEIGHT) {}
            }
        }
    }
}

/// The part of the page that lists the jobs of a bucket.
fn browser(report: &Report<'_>) -> Markup {
    let last = report.kron.forecast.range().len() - 1;
    html! {
        section aria-labelledby="browser" hidden id="buckets" {
            h2 id="browser" { "The jobs of a bucket" }
            p { "Click in a chart, or choose a bucket with the arrow keys, Page Up and Page Down." }
            label for="bucket" { "Bucket" }
            input type="range" id="bucket" min="0" max=(last) value="0" step="1";
            div aria-live="polite" {
                p.time id="time" {}
                div.sides {
                    @for (name, _) in report.sides() {
                        section class=(name) data-list=(name) aria-label=(title(name)) {
                            h3 { (title(name)) }
                            p.count {}
                            ul {}
                        }
                    }
                }
            }
        }
    }
}

fn worst(name: &str, side: &Side<'_>) -> Markup {
    html! {
        section class=(name) {
            h2 { "Buckets with the most starts, " (name) }
            @if side.worst.is_empty() { p { "No job starts in the range." } }
            @for bucket in &side.worst {
                details {
                    summary { (time::utc_of(bucket.from)) ": " (bucket.starts) " starts" }
                    ul {
                        @for (job, starts) in bucket.jobs.iter().take(JOBS) {
                            li { (job) @if *starts > 1 { " (" (starts) ")" } }
                        }
                        @if bucket.jobs.len() > JOBS { li { (bucket.jobs.len() - JOBS) " more jobs" } }
                    }
                }
            }
        }
    }
}

fn heat_map(report: &Report<'_>, name: &str, side: &Side<'_>, peak: u64) -> Markup {
    let cell = |cell: &HeatMapCell| {
        let share = 100 * u64::from(cell.peak) / peak.max(1);
        html! {
            @if cell.buckets == 0 { td {} }
            @else { td style=(format!("--share: {share}%")) { (cell.peak) } }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(format!("Heat map, {name}")) {
            table class=(format!("heat {name}")) {
                caption { "Most starts per " (report.per()) " by weekday and hour (" (report.zone.name()) "), " (name) }
                thead { tr { td {} @for hour in 0..24 { th scope="col" { (format!("{hour:02}")) } } } }
                tbody {
                    @for (day, hours) in WEEKDAYS.iter().zip(side.heat_map.days()) {
                        tr { th scope="row" { (day) } @for hour in hours { (cell(hour)) } }
                    }
                }
            }
        }
    }
}

fn clock_changes(report: &Report<'_>) -> Markup {
    html! {
        @if !report.clock_changes.is_empty() {
            table {
                caption { "Days on which clocks change" }
                thead { tr {
                    th scope="col" { "Clocks change at" } th scope="col" { "Zone" } th scope="col" { "From" }
                    th scope="col" { "To" } th scope="col" { "Jobs" } th scope="col" { "Starts" }
                    th scope="col" { "Starts a week before" }
                } }
                tbody {
                    @for day in &report.clock_changes {
                        tr {
                            td { (time::utc_of(day.change.timestamp)) } td { (day.zone.name()) }
                            td { (time::offset(day.change.offset_before)) }
                            td { (time::offset(day.change.offset_after)) }
                            td.number { (day.jobs) } td.number { (day.starts) }
                            td.number { (day.starts_week_before) }
                        }
                    }
                }
            }
        }
    }
}

fn groups(report: &Report<'_>) -> Markup {
    html! {
        @if let Some(groups) = &report.groups {
            table {
                caption { "Groups" }
                thead { tr {
                    th scope="col" { "Group" } th scope="col" { "Jobs" } th scope="col" { "Starts" }
                    th scope="col" { "Peak" }
                    @if report.cron.is_some() { th scope="col" { "Cron peak" } }
                } }
                tbody {
                    @for group in groups {
                        tr {
                            th scope="row" { @if group.name.is_empty() { "(none)" } @else { (group.name) } } td.number { (group.jobs) } td.number { (group.starts) }
                            td.number { (group.peak) }
                            @if let Some(peak) = group.cron_peak { td.number { (peak) } }
                        }
                    }
                }
            }
        }
    }
}

/// The data of the script: the buckets of each side, and the jobs in them.
fn data(report: &Report<'_>, jobs: &[ForecastJob<'_>]) -> Value {
    let range = report.kron.forecast.range();
    let side = |(name, side): (&str, &Side<'_>)| {
        let by = if name == "cron" { ForecastBy::NominalTime } else { ForecastBy::ChosenTime };
        let mut listed: Vec<usize> = if side.forecast.total() <= ALL_STARTS {
            (0..range.len()).filter(|index| side.forecast.buckets()[*index].starts > 0).collect()
        } else {
            side.forecast.worst(WORST)
        };
        listed.sort_unstable();
        let found = jobs_in_buckets(jobs, range, by, &listed);
        let listed = listed.iter().zip(found).map(|(index, members)| {
            let shown: Vec<_> = members.iter().take(JOBS).collect();
            (index.to_string(), json!({"jobs": shown, "more": members.len() - shown.len()}))
        });
        let starts: Vec<u32> = side.forecast.buckets().iter().map(|bucket| bucket.starts).collect();
        (name.to_string(), json!({"starts": starts, "listed": serde_json::Map::from_iter(listed)}))
    };
    let names: Vec<&str> = jobs.iter().map(|job| job.job.name()).collect();
    json!({
        "from": range.from_timestamp(),
        "until": range.to_timestamp(),
        "per": range.per_seconds(),
        "names": names,
        "sides": serde_json::Map::from_iter(report.sides().map(side)),
    })
}

/// JSON whose strings cannot end an element of HTML.
fn escaped(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
