//! The fullest buckets in lines: which schedules start in them, of which namespaces.

use std::collections::BTreeMap;

use kron_core::Zone;
use kron_fleet::forecast::{
    Forecast, ForecastBy, ForecastJob, NamespaceStarts, ScheduleStarts, jobs_in_buckets, schedules_in_bucket,
};
use unicode_width::UnicodeWidthStr as _;

use super::words::{self, grouped};
use crate::output::table::printable;
use crate::output::terminal::{Ink, Terminal, wrapped};

/// The most buckets that are shown, and those among which they are found.
const FULLEST: usize = 3;
const LOOKED_AT: usize = 24;
/// Schedules that a bucket shows.
const SCHEDULES: usize = 3;
/// Namespaces or jobs that a schedule shows.
const NAMES: usize = 3;
/// Further times of buckets that are like one that is shown.
const TIMES: usize = 4;

/// What stands behind the starts of schedules that are not shown.
pub(crate) const OTHERS: &str = "of other schedules";

/// A bucket.
#[derive(Clone, Debug)]
pub(crate) struct FullBucket<'a> {
    /// When it begins.
    pub(crate) at: String,
    /// All starts, with those of the base.
    pub(crate) starts: u64,
    /// The starts of the base.
    pub(crate) base: u64,
    pub(crate) schedules: Vec<ScheduleStarts<'a>>,
    /// When others begin in which the same schedules start as often.
    pub(crate) again: Vec<String>,
}

impl FullBucket<'_> {
    /// Whether the same schedules start as often.
    fn is_like(&self, other: &FullBucket<'_>) -> bool {
        let same = |(one, other): (&ScheduleStarts<'_>, &ScheduleStarts<'_>)| {
            (&one.expression, one.timezone, one.starts) == (&other.expression, other.timezone, other.starts)
        };
        (self.starts, self.base, self.schedules.len()) == (other.starts, other.base, other.schedules.len())
            && self.schedules.iter().zip(&other.schedules).all(same)
    }
}

/// A line of a schedule.
struct Row {
    starts: String,
    schedule: String,
    items: Vec<(String, u64)>,
    /// Whether an item is a namespace, and not a job.
    has_namespaces: bool,
}

/// Puts buckets together in which the same schedules start as often, and keeps those of the first `count`.
fn together<'a>(buckets: impl Iterator<Item = FullBucket<'a>>, count: usize) -> Vec<FullBucket<'a>> {
    let mut found: Vec<FullBucket<'a>> = Vec::new();
    for bucket in buckets {
        match found.iter().position(|other| other.is_like(&bucket)) {
            Some(place) => found[place].again.push(bucket.at),
            None if found.len() < count => found.push(bucket),
            None => {}
        }
    }
    found
}

/// The jobs of buckets, in the order in which the buckets are given.
pub(crate) fn members(
    jobs: &[ForecastJob<'_>],
    forecast: &Forecast,
    by: ForecastBy,
    order: Vec<usize>,
) -> Vec<(usize, Vec<(usize, u64)>)> {
    let mut places = order.clone();
    places.sort_unstable();
    let found = jobs_in_buckets(jobs, forecast.range(), by, &places);
    let mut found: BTreeMap<usize, Vec<(usize, u64)>> = places.into_iter().zip(found).collect();
    order.into_iter().map(|index| (index, found.remove(&index).unwrap_or_default())).collect()
}

/// The fullest buckets of a forecast, for people: the fullest one, and others that stand out, too. They have at least half of its starts
/// and twice the mean. Without one in which several jobs start, there is none to speak of, unless it is the only start.
pub(crate) fn of_forecast<'a>(
    jobs: &[ForecastJob<'a>],
    forecast: &Forecast,
    base: Option<&[u32]>,
    by: ForecastBy,
    zone: &Zone,
) -> Vec<FullBucket<'a>> {
    let starts = |index: &usize| u64::from(forecast.buckets()[*index].starts);
    let mut order = forecast.worst(LOOKED_AT);
    let most = order.first().map_or(0, starts);
    let stands_out = |starts: u64| {
        let (starts, buckets) = (u128::from(starts), forecast.buckets().len() as u128);
        2 * starts >= most.into() && starts * buckets >= 2 * u128::from(forecast.total())
    };
    let first = order.first().copied();
    let speaks = most > 1 || forecast.total() == 1;
    order.retain(|index| speaks && (Some(*index) == first || stands_out(starts(index))));
    let buckets = members(jobs, forecast, by, order).into_iter().map(|(index, members)| FullBucket {
        at: words::bucket_time(forecast.range().bucket(index).0, forecast.range(), zone),
        starts: starts(&index),
        base: base.and_then(|base| base.get(index)).copied().unwrap_or(0).into(),
        schedules: schedules_in_bucket(jobs, &members),
        again: Vec::new(),
    });
    together(buckets.filter(|bucket| !bucket.schedules.is_empty()), FULLEST)
}

/// The fullest bucket of a forecast by chosen times in words, if several jobs start in it: `04:15, 30 starts: a/b, c/d 2, 27 more`.
pub(crate) fn one_in_words(jobs: &[ForecastJob<'_>], forecast: &Forecast, zone: &Zone) -> Option<String> {
    let index = forecast.worst(1).first().copied()?;
    let starts = u64::from(forecast.buckets()[index].starts);
    let found = members(jobs, forecast, ForecastBy::ChosenTime, vec![index]);
    let mut items: Vec<(String, u64)> = found
        .iter()
        .flat_map(|(_, members)| members)
        .map(|(job, starts)| (printable(jobs[*job].job.name()), *starts))
        .collect();
    items.sort_by_key(|(_, starts)| std::cmp::Reverse(*starts));
    let at = words::bucket_time(forecast.range().bucket(index).0, forecast.range(), zone);
    (starts > 1).then(|| format!("{at}, {}: {}", words::starts(starts), named(&items)))
}

/// A bucket in a line: `Sun 8 00:00, 10 starts: 2 x 0 0 * * *, 8 of other schedules`.
pub(crate) fn in_a_line(bucket: &FullBucket<'_>) -> String {
    let first = bucket.schedules.first();
    let of_first = first.map_or(0, |found| found.starts);
    let schedule = first.map_or(String::new(), |found| {
        format!(": {} x {}", grouped(found.starts), printable(&found.expression))
    });
    let starts = words::starts_of(bucket.starts, bucket.base > 0);
    let others = bucket.starts.saturating_sub(bucket.base).saturating_sub(of_first);
    let others = if others > 0 { format!(", {} {OTHERS}", grouped(others)) } else { String::new() };
    format!("{}, {starts}{schedule}{others}", bucket.at)
}

/// The lines, and whether they leave out names of jobs. With `names`, they have all of them.
pub(crate) fn lines(
    buckets: &[FullBucket<'_>],
    zone: &str,
    names: bool,
    terminal: &Terminal,
) -> (Vec<String>, bool) {
    let (mut lines, mut hides) = (Vec::new(), false);
    let all: Vec<(&FullBucket<'_>, Vec<Row>)> =
        buckets.iter().map(|bucket| (bucket, rows(bucket, zone, names))).collect();
    let widest =
        |width: fn(&Row) -> usize| all.iter().flat_map(|(_, rows)| rows).map(width).max().unwrap_or(0);
    let at_width = buckets.iter().map(|bucket| bucket.at.width()).max().unwrap_or(0);
    let total_width = buckets.iter().map(|bucket| grouped(bucket.starts).len()).max().unwrap_or(0);
    let (starts_width, schedule_width) = (widest(|row| row.starts.len()), widest(|row| row.schedule.width()));
    // A long schedule leaves room for a name.
    let schedule_width = schedule_width.min(terminal.columns / 3);
    for (bucket, rows) in all {
        let total = grouped(bucket.starts);
        let mut head = format!("{:<at_width$}  {total:>total_width$}", bucket.at);
        let indent = head.width() + 2;
        for Row { starts, schedule, items, has_namespaces } in &rows {
            let pad = " ".repeat(schedule_width.saturating_sub(schedule.width()));
            let line = format!("{starts:>starts_width$} x {schedule}{pad}");
            let left = terminal.columns.saturating_sub(indent + line.width() + 2);
            let jobs =
                if names { items.iter().map(item).collect::<Vec<_>>().join(", ") } else { String::new() };
            let (shown, all_shown) = match names {
                true if jobs.width() <= left => (jobs.clone(), true),
                true => (String::new(), true),
                false => listed(items, left),
            };
            hides |= !all_shown || *has_namespaces;
            lines.push(
                format!("{}  {line}  {shown}", terminal.paint(Ink::Bold, &head)).trim_end().to_string(),
            );
            head = " ".repeat(indent - 2);
            if names && shown.is_empty() {
                let begin = " ".repeat((indent + 2).min(terminal.columns / 2));
                let jobs = wrapped(&jobs, terminal.columns - begin.len(), "");
                lines.extend(jobs.iter().map(|jobs| format!("{begin}{jobs}")));
            }
        }
        let begin = " ".repeat(indent);
        if let Some(starts) = others(bucket, rows.len()) {
            hides = true;
            lines.push(format!("{begin}{starts:>starts_width$} {OTHERS}"));
        }
        if bucket.base > 0 {
            lines.push(format!("{begin}{:>starts_width$} of the base", grouped(bucket.base)));
        }
        if !bucket.again.is_empty() {
            let again = again(&bucket.again, terminal.columns.saturating_sub(indent));
            lines.push(format!("{begin}{}", terminal.paint(Ink::Dim, &again)));
        }
    }
    (lines, hides)
}

/// A line of a page: the starts, the schedule, and its namespaces or jobs.
pub(crate) type ShortLine = (String, String, String);

/// The lines of a bucket for a page, and the starts of the schedules that are left out.
pub(crate) fn in_short(bucket: &FullBucket<'_>, zone: &str) -> (Vec<ShortLine>, Option<String>) {
    let rows = rows(bucket, zone, false);
    let others = others(bucket, rows.len());
    let line = |row: Row| (row.starts, row.schedule, listed(&row.items, usize::MAX).0);
    (rows.into_iter().map(line).collect(), others)
}

/// The starts of the schedules behind those that are shown, if there are any.
fn others(bucket: &FullBucket<'_>, shown: usize) -> Option<String> {
    let rest = bucket.schedules.get(shown..).filter(|rest| !rest.is_empty())?;
    Some(grouped(rest.iter().map(|found| found.starts).sum()))
}

/// The names of jobs with their starts, as many as a sentence can have: `a/b, c 2, 7 more`.
pub(crate) fn named(jobs: &[(String, u64)]) -> String {
    listed(jobs, usize::MAX).0
}

/// The times of like buckets, as many as there is room for.
fn again(times: &[String], columns: usize) -> String {
    let text = |shown: usize| {
        let more = if times.len() > shown { ", ..." } else { "" };
        format!("the same at {}{more}", times[..shown].join(", "))
    };
    let fits = |shown: &usize| text(*shown).width() <= columns;
    text((1..=times.len().min(TIMES)).rev().find(fits).unwrap_or(1))
}

/// The lines of the schedules that are shown.
fn rows(bucket: &FullBucket<'_>, zone: &str, names: bool) -> Vec<Row> {
    // A line that says "1 more" has no less room than the one.
    let shown = if names || bucket.schedules.len() == SCHEDULES + 1 { usize::MAX } else { SCHEDULES };
    // One namespace alone says nothing.
    let names = names || has_one_namespace(bucket);
    let row = |found: &ScheduleStarts<'_>| {
        let zone = if found.timezone == zone { String::new() } else { format!(" {}", found.timezone) };
        Row {
            starts: grouped(found.starts),
            schedule: printable(&format!("{}{zone}", found.expression)),
            items: items(found, names),
            has_namespaces: !names && found.namespaces.iter().any(is_one_item),
        }
    };
    bucket.schedules.iter().take(shown).map(row).collect()
}

fn has_one_namespace(bucket: &FullBucket<'_>) -> bool {
    let namespaces = bucket.schedules.iter().flat_map(|found| &found.namespaces).map(|found| found.namespace);
    let mut named = namespaces.filter(|namespace| !namespace.is_empty());
    let first = named.next();
    named.all(|namespace| Some(namespace) == first)
}

/// What is listed of a schedule: its namespaces, and the jobs that are alone in one or have none.
fn items(found: &ScheduleStarts<'_>, names: bool) -> Vec<(String, u64)> {
    let of_namespace = |found: &NamespaceStarts<'_>| {
        if is_one_item(found) && !names {
            vec![(printable(found.namespace), found.starts)]
        } else {
            found.jobs.iter().map(|(name, starts)| (printable(name), *starts)).collect()
        }
    };
    let mut items: Vec<(String, u64)> = found.namespaces.iter().flat_map(of_namespace).collect();
    // Stable, so equals stay in order.
    items.sort_by_key(|(_, starts)| std::cmp::Reverse(*starts));
    items
}

/// Whether the jobs of a namespace are listed as one.
fn is_one_item(found: &NamespaceStarts<'_>) -> bool {
    !found.namespace.is_empty() && found.jobs.len() > 1
}

fn item((name, starts): &(String, u64)) -> String {
    if *starts == 1 { name.clone() } else { format!("{name} {}", grouped(*starts)) }
}

/// As many items as there is room for, and whether these are all of them.
fn listed(items: &[(String, u64)], columns: usize) -> (String, bool) {
    let more = |shown: usize| items.len() - shown;
    for shown in (1..=items.len().min(NAMES)).rev() {
        let mut parts: Vec<String> = items.iter().take(shown).map(item).collect();
        if more(shown) > 0 {
            parts.push(format!("{} more", more(shown)));
        }
        let text = parts.join(", ");
        if text.width() <= columns || shown == 1 {
            return (text, more(shown) == 0);
        }
    }
    (String::new(), items.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_listed_as_there_is_room_for() {
        let items: Vec<(String, u64)> = [("billing", 20), ("mail", 7), ("one/job", 1), ("last", 1)]
            .map(|(name, n)| (name.into(), n))
            .into();
        let p = |columns| listed(&items, columns);
        assert_eq!(p(80), ("billing 20, mail 7, one/job, 1 more".to_string(), false));
        assert_eq!(p(30), ("billing 20, mail 7, 2 more".to_string(), false));
        assert_eq!(p(3), ("billing 20, 3 more".to_string(), false));
        assert_eq!(listed(&items[2..3], 80), ("one/job".to_string(), true));
        assert_eq!(listed(&[], 80), (String::new(), true));
        let times = ["Mon 2 00:00", "Tue 3 00:00", "Wed 4 00:00"].map(String::from);
        assert_eq!(again(&times, 80), "the same at Mon 2 00:00, Tue 3 00:00, Wed 4 00:00");
        assert_eq!(again(&times, 42), "the same at Mon 2 00:00, Tue 3 00:00, ...");
        assert_eq!(again(&times, 3), "the same at Mon 2 00:00, ...");
    }
}
