//! A forecast as one JSON object.

use std::io::{self, Write};

use kron_fleet::forecast::{Bucket, ClockChangeDay, HeatMapCell, Summary};
use serde_json::{Value, json};

use super::{Report, Side, VALUES, WorstBucket};
use crate::output::time;

/// Writes it on a line.
pub(crate) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    crate::output::json::line(out, &object(report))
}

/// The object.
pub(crate) fn object(report: &Report<'_>) -> Value {
    let range = report.kron.forecast.range();
    let summary = |found: &Summary| {
        let Summary { peak, p99, mean, peak_bucket, .. } = *found;
        json!({"peak": peak, "peakAt": time::utc_of(range.bucket(peak_bucket).0), "p99": p99, "mean": mean})
    };
    let side = |side: &Side<'_>| {
        let summary = |of: fn(&Bucket) -> u64| summary(&side.forecast.summary(of));
        let worst = side.worst.iter().map(|WorstBucket { from, starts, jobs }| {
            let jobs: Vec<_> =
                jobs.iter().map(|(name, starts)| json!({"name": name, "starts": starts})).collect();
            json!({"at": time::utc_of(*from), "starts": starts, "jobs": jobs})
        });
        let all = |of: fn(&Bucket) -> u64| side.forecast.buckets().iter().map(of).collect::<Vec<_>>();
        let [starts, running, load] = VALUES.map(|(_, of)| of);
        json!({
            "total": side.forecast.total() - report.base.map_or(0, sum),
            "starts": summary(starts),
            "running": summary(running),
            "load": summary(load),
            "worst": worst.collect::<Vec<_>>(),
            "heatMap": {"peak": cells(side, |cell| u64::from(cell.peak)), "starts": cells(side, |cell| cell.starts)},
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
    if let Some((base, found)) = report.base.zip(report.summary_of_base()) {
        object["base"] = json!({"starts": summary(&found), "buckets": {"starts": base}});
    }
    if let Some(unit) = report.load_unit {
        object["loadUnit"] = json!(unit);
    }
    object["heatMapZone"] = json!(report.zone.name());
    let clock_change = |day: &ClockChangeDay| {
        json!({
            "changeTime": time::utc_of(day.change.timestamp),
            "timezone": day.zone.name(),
            "offsetBefore": time::offset(day.change.offset_before),
            "offsetAfter": time::offset(day.change.offset_after),
            "from": time::utc_of(day.from_timestamp),
            "until": time::utc_of(day.to_timestamp),
            "jobs": day.jobs,
            "starts": day.starts,
            "startsWeekBefore": day.starts_week_before,
        })
    };
    object["clockChanges"] = report.clock_changes.iter().map(clock_change).collect();
    if let Some(groups) = &report.groups {
        object["groups"] = json!(groups);
    }
    object
}

fn sum(base: &[u32]) -> u64 {
    base.iter().copied().map(u64::from).sum()
}

/// A value of each hour of a week, Monday first; `null` for hours that are not in the range.
fn cells(side: &Side<'_>, value: fn(&HeatMapCell) -> u64) -> Vec<Vec<Option<u64>>> {
    let of_day = |day: &[HeatMapCell; 24]| {
        day.iter().map(|cell| (cell.buckets > 0).then(|| value(cell))).collect::<Vec<_>>()
    };
    side.heat_map.days().iter().map(of_day).collect()
}
