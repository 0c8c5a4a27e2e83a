//! A forecast as a page of HTML, one file that needs no network.
//!
//! Everything can be read without the script, which shows the starts and the jobs of any column.

mod chart;
mod jobs;

use std::io::{self, Write};

use kron_fleet::forecast::{Bucket, Forecast, HeatMap, HeatMapCell, Summary};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use self::jobs::Jobs;
pub(crate) use self::jobs::SideJobs;
use super::chart::{Chart, ChartSide};
use super::fullest::{self, FullBucket};
use super::text::{self, Shown, Week};
use super::words::{self, grouped};
use super::{VALUES, WEEKDAYS};
use crate::output::drawing::Paint;
use crate::output::table::printable;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The most times of full buckets that are the same.
const AGAIN: usize = 4;
const CALL: &str = r#"showForecast(document.querySelector("main"), JSON.parse(document.getElementById("data").textContent));"#;

/// Writes the page. `before` and `after` are the jobs of each side.
pub(crate) fn write(
    out: &mut dyn Write,
    shown: &Shown<'_>,
    before: SideJobs<'_>,
    after: SideJobs<'_>,
) -> io::Result<()> {
    let Content { main, data } = Content::new(shown, before, after);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Nothing is fetched, whatever a name contains.
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
                title { (shown.picture.headline().sentence()) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (main) }
                @if let Some(data) = data {
                    script type="application/json" id="data" { (PreEscaped(data.to_string())) }
                    script { (PreEscaped(SCRIPT)) (PreEscaped(CALL)) }
                }
            }
        }
    };
    out.write_all(page.into_string().as_bytes())
}

/// What the page says.
pub(crate) struct Content {
    /// All that can be read without the script.
    pub(crate) main: Markup,
    /// What the script needs, if there is a picture.
    pub(crate) data: Option<Value>,
}

impl Content {
    /// `before` and `after` are the jobs of each side.
    pub(crate) fn new(shown: &Shown<'_>, before: SideJobs<'_>, after: SideJobs<'_>) -> Content {
        let chart = Chart::new(&shown.picture);
        let sides = if shown.picture.before.is_some() { vec![before, after] } else { vec![after] };
        let jobs = Jobs::new(&sides);
        let sentence = shown.picture.headline().sentence();
        // A short remark in brackets is not broken.
        let (head, remark) = sentence.split_at(sentence.rfind(" (").map_or(sentence.len(), |at| at + 1));
        // Nor is an option, which a browser would break after its hyphens.
        let (head, option) = head.split_at(head.find("--").unwrap_or(head.len()));
        let main = html! {
            h1 { (head) @if !option.is_empty() { span.unbroken { (option) } " " } span.unbroken { (remark) } }
            p.dim { (shown.picture.amount()) }
            @for line in text::demand(shown) { p { (line) } }
            @if chart.scale > 0 {
                (chart::figures(&chart, shown))
                (chart::readout(&chart))
                (fullest_buckets(shown))
                @if let Some(after) = &shown.fullest_after { p { b { "Fullest " (shown.picture.sides.after) ": " } (after) } }
                (starts(shown))
                @if let Some(week) = &shown.week { (heat_maps(&chart, week)) }
            }
            (more(shown, &chart, &jobs))
        };
        let data = (chart.scale > 0).then(|| jobs.data(&chart, shown.picture.zone, &sides));
        Content { main, data }
    }
}

/// The class of a side.
const fn class(side: &ChartSide<'_>) -> &'static str {
    match side.paint {
        Paint::Before => "before",
        _ => "after",
    }
}

/// The starts, where they are few.
fn starts(shown: &Shown<'_>) -> Markup {
    let more = shown.picture.starts.1.saturating_sub(shown.starts.len() as u64);
    html! {
        @if !shown.starts.is_empty() {
            h2 { "Starts" }
            table { @for start in &shown.starts { tr { td { (start.at) } td { (start.job) } } } }
            @if more > 0 { p.dim { (grouped(more)) " more" } }
        }
    }
}

/// The fullest times, with the schedules and namespaces that start in them.
fn fullest_buckets(shown: &Shown<'_>) -> Markup {
    let zone = shown.picture.zone.name();
    let per = words::bucket(shown.picture.after.range().per_seconds());
    let bucket = |bucket: &FullBucket<'_>| {
        let (rows, others) = fullest::in_short(bucket, zone);
        html! {
            h3 {
                b { (bucket.at) ": " (words::starts_of(bucket.starts, shown.picture.base.is_some())) }
                @if !bucket.again.is_empty() { span.dim { (again(&bucket.again)) } }
            }
            table {
                @for (starts, schedule, names) in rows {
                    tr { td.number { (starts) " ×" } td { code { (schedule) } } td { (names) } }
                }
                @if let Some(starts) = others {
                    tr { td.number { (starts) } td colspan="2" { (fullest::OTHERS) } }
                }
                @if bucket.base > 0 {
                    tr { td.number { (grouped(bucket.base)) " ×" } td colspan="2" { (words::BASE) } }
                }
            }
        }
    };
    html! {
        @if !shown.fullest.is_empty() {
            h2 {
                @if shown.fullest.len() == 1 { "What starts in the fullest " (per) }
                @else { "What starts at the fullest times" }
                @if let Some(side) = shown.fullest_side { ", " (side) }
            }
            @for found in &shown.fullest { (bucket(found)) }
        }
    }
}

/// The times at which the same happens, as many as the text has.
fn again(times: &[String]) -> String {
    let more = if times.len() > AGAIN { ", ..." } else { "" };
    format!("the same at {}{more}", times[..times.len().min(AGAIN)].join(", "))
}

/// The heat maps of a week: days by hours, or hours by days where there is no room.
fn heat_maps(chart: &Chart<'_>, week: &Week) -> Markup {
    let maps: Vec<&HeatMap> = week.before.iter().chain([&week.after]).collect();
    let most = maps.iter().map(|map| u64::from(map.peak())).max().unwrap_or(0).max(1);
    let cell = |cell: &HeatMapCell| {
        let share = 100 * u64::from(cell.peak) / most;
        html! {
            @if cell.buckets == 0 { div role="cell" {} }
            @else if cell.peak == 0 { div role="cell" { "0" } }
            @else { div role="cell" style=(format!("--s:{share}%")) { (grouped(cell.peak.into())) } }
        }
    };
    html! {
        h2 { (week.caption()) }
        @for (map, side) in maps.iter().zip(&chart.sides) {
            p.name.(class(side)) { (side.name) }
            div.heat.(class(side)) role="table" aria-label=(format!("{}, {}", week.caption(), side.name)) {
                div role="row" {
                    div role="cell" {}
                    @for hour in 0..24 { div role="columnheader" { (format!("{hour:02}")) } }
                }
                @for (day, hours) in WEEKDAYS.iter().zip(map.days()) {
                    div role="row" {
                        div role="rowheader" { (day) }
                        @for hour in hours { (cell(hour)) }
                    }
                }
            }
        }
    }
}

/// Everything else, folded.
fn more(shown: &Shown<'_>, chart: &Chart<'_>, jobs: &Jobs<'_>) -> Markup {
    let clocks = text::clock_changes(&shown.clock_changes, usize::MAX);
    html! {
        @if chart.scale > 0 { (numbers(shown, chart)) }
        @if let Some(groups) = &shown.groups {
            details {
                summary { "Groups" }
                table {
                    thead { tr {
                        th scope="col" { "Group" } th.number scope="col" { "Jobs" } th.number scope="col" { "Starts" }
                        @for side in &chart.sides {
                            th.number scope="col" { "Fullest " (words::bucket(chart.per())) ", " (side.name) }
                        }
                    } }
                    tbody {
                        @for group in groups {
                            tr {
                                th scope="row" {
                                    @if group.name.is_empty() { "(none)" } @else { (printable(&group.name)) }
                                }
                                td.number { (grouped(group.jobs as u64)) } td.number { (grouped(group.starts)) }
                                @if let Some(peak) = group.cron_peak { td.number { (grouped(peak)) } }
                                td.number { (grouped(group.peak)) }
                            }
                        }
                    }
                }
            }
        }
        @if !clocks.is_empty() {
            details { summary { "Clock changes" } @for line in clocks { p { (line) } } }
        }
        (jobs.list())
    }
}

/// Statistics of all buckets.
fn numbers(shown: &Shown<'_>, chart: &Chart<'_>) -> Markup {
    let one = &one(&words::bucket(chart.per()));
    let is_shown = |value: &str| match value {
        "running" => shown.running.is_some(),
        "load" => shown.load.is_some(),
        _ => true,
    };
    let unit = shown.load.map_or("", |(_, unit)| unit);
    let rows = VALUES.iter().filter(|(value, _)| is_shown(value)).flat_map(|(value, of)| {
        let name = match *value {
            "running" => format!("Most running at once in one {one}"),
            "load" if unit.is_empty() => format!("Greatest load in one {one}"),
            "load" => format!("Greatest load in one {one}, {unit}"),
            _ => format!("Most {} in one {one}", chart.what()),
        };
        let summary = |side: &ChartSide<'_>| side.forecast.summary(of as &dyn Fn(&Bucket) -> u64);
        let cells = |text: &dyn Fn(&Forecast, &Summary) -> String| -> Vec<String> {
            chart.sides.iter().map(|side| text(side.forecast, &summary(side))).collect()
        };
        let at = |of: &Forecast, found: &Summary| {
            words::bucket_time(of.range().bucket(found.peak_bucket).0, of.range(), shown.picture.zone)
        };
        [
            (name, cells(&|_, found| grouped(found.peak))),
            ("first at".to_string(), cells(&at)),
            (format!("not more in 99 of 100 {one}s"), cells(&|_, found| grouped(found.p99))),
            (format!("mean of all {one}s"), cells(&|_, found| format!("{:.2}", found.mean))),
        ]
    });
    html! {
        details {
            summary { "Peaks and means" }
            table {
                thead { tr { td {} @for side in &chart.sides { th.number scope="col" { (side.name) } } } }
                tbody {
                    @for (name, values) in rows {
                        tr { th scope="row" { (name) } @for value in values { td.number { (value) } } }
                    }
                }
            }
        }
    }
}

/// A bucket of a length, to put behind "one": `minute`, or `bucket`, as the picture says how long it is.
fn one(per: &str) -> String {
    if per.contains(' ') { "bucket".to_string() } else { per.to_string() }
}
