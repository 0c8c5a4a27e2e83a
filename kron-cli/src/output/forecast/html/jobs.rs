//! The jobs of the page: a list by schedule, and who starts in the fullest columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kron_core::Zone;
use kron_fleet::forecast::{ForecastBy, ForecastJob, jobs_in_buckets};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::output::forecast::chart::{Chart, ChartSide, Column};
use crate::output::forecast::words;
use crate::output::plural::plural;
use crate::output::table::printable;

/// The columns of each side that list their jobs: the fullest ones.
const LISTED: usize = 100;

/// The jobs that a side counts, and at which of their times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideJobs<'a> {
    pub(crate) jobs: &'a [ForecastJob<'a>],
    pub(crate) by: ForecastBy,
}

/// A schedule: its expression and its zone.
type Schedule<'a> = (String, &'a str);

/// All jobs that start, by their schedules. The script knows them by their numbers in this list.
#[derive(Debug)]
pub(super) struct Jobs<'a> {
    schedules: Vec<(Schedule<'a>, Vec<&'a str>)>,
    numbers: BTreeMap<(Schedule<'a>, &'a str), usize>,
}

fn schedule<'a>(job: &ForecastJob<'a>) -> Schedule<'a> {
    let spec = job.job.spec();
    (spec.schedule().to_string(), spec.timezone().name())
}

impl<'a> Jobs<'a> {
    pub(super) fn new(sides: &[SideJobs<'a>]) -> Jobs<'a> {
        let mut found: BTreeMap<Schedule<'a>, Vec<&'a str>> = BTreeMap::new();
        let all = sides.iter().flat_map(|side| side.jobs);
        for job in all.filter(|job| !job.job.spec().policy().suspend()) {
            found.entry(schedule(job)).or_default().push(job.job.name());
        }
        let mut schedules: Vec<(Schedule<'a>, Vec<&'a str>)> = found.into_iter().collect();
        for (_, names) in &mut schedules {
            names.sort_unstable();
            names.dedup();
        }
        // Stable, so equals stay in order of their expressions.
        schedules.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
        let each =
            schedules.iter().flat_map(|(schedule, names)| names.iter().map(move |name| (schedule, *name)));
        let numbers = each.enumerate().map(|(number, (schedule, name))| ((schedule.clone(), name), number));
        Jobs { numbers: numbers.collect(), schedules }
    }

    /// The list.
    pub(super) fn list(&self) -> Markup {
        html! {
            details id="jobs" {
                summary { "Jobs by schedule" }
                @for ((expression, zone), names) in &self.schedules {
                    h3 { code { (printable(expression)) } " " (zone) ", " (plural(names.len(), "job")) }
                    ul { @for name in names { li { (printable(name)) } } }
                }
            }
        }
    }

    /// What the script needs: the columns of each side, and the jobs of the fullest ones by their numbers. No name is in it.
    pub(super) fn data(&self, chart: &Chart<'_>, zone: &Zone, sides: &[SideJobs<'a>]) -> Value {
        let Some(range) = chart.sides.first().map(|side| *side.forecast.range()) else { return Value::Null };
        let (from, to) = (range.from_timestamp(), range.to_timestamp());
        let changes = zone.changes(from).take_while(|change| change.timestamp < to);
        let changes = changes.map(|change| (change.timestamp, change.offset_after));
        let offsets: Vec<(i64, i32)> = std::iter::once((from, zone.offset_at(from))).chain(changes).collect();
        let side = |(side, jobs): (&ChartSide<'_>, &SideJobs<'a>)| {
            let all = |of: &dyn Fn(usize, &Column) -> u64| -> Vec<u64> {
                side.columns.iter().enumerate().map(|(index, column)| of(index, column)).collect()
            };
            json!({
                "starts": all(&|_, column| column.starts),
                "base": if side.columns.iter().any(|column| column.base > 0) { all(&|_, column| column.base) } else { vec![] },
                // The place of the bucket in its column.
                "at": if chart.buckets > 1 {
                    all(&|index, column| (column.bucket - index * chart.buckets) as u64)
                } else { vec![] },
                "listed": self.listed(side, *jobs),
            })
        };
        json!({
            "from": from,
            "to": to,
            "per": range.per_seconds(),
            "buckets": chart.buckets,
            "base": words::BASE,
            "offsets": offsets,
            "sides": chart.sides.iter().zip(sides).map(side).collect::<Vec<_>>(),
        })
    }

    /// The jobs of the fullest columns: for the number of each, the numbers of its jobs.
    fn listed(&self, side: &ChartSide<'_>, of: SideJobs<'a>) -> BTreeMap<usize, String> {
        let starts = |column: &Column| column.starts.saturating_sub(column.base);
        let mut fullest: Vec<(usize, &Column)> =
            side.columns.iter().enumerate().filter(|(_, column)| starts(column) > 0).collect();
        fullest.sort_by_key(|(_, column)| std::cmp::Reverse(column.starts));
        fullest.truncate(LISTED);
        fullest.sort_unstable_by_key(|(index, _)| *index);
        let buckets: Vec<usize> = fullest.iter().map(|(_, column)| column.bucket).collect();
        let found = jobs_in_buckets(of.jobs, side.forecast.range(), of.by, &buckets);
        let numbered = |members: &Vec<(usize, u64)>| {
            let number = |(index, starts): &(usize, u64)| {
                let job = &of.jobs[*index];
                Some((*self.numbers.get(&(schedule(job), job.job.name()))?, *starts))
            };
            let mut numbers: Vec<(usize, u64)> = members.iter().filter_map(number).collect();
            numbers.sort_unstable();
            runs(&numbers)
        };
        fullest.iter().zip(&found).map(|((index, _), members)| (*index, numbered(members))).collect()
    }
}

/// Numbers with their starts in short: `3-7,9,12-13*2`.
fn runs(numbers: &[(usize, u64)]) -> String {
    let mut text = String::new();
    for run in numbers.chunk_by(|one, next| one.0 + 1 == next.0 && one.1 == next.1) {
        let ((first, starts), last) = (run[0], run[run.len() - 1].0);
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{first}", if text.is_empty() { "" } else { "," });
        if last > first {
            let _ = write!(text, "-{last}");
        }
        if starts > 1 {
            let _ = write!(text, "*{starts}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_short() {
        let text = runs(&[(3, 1), (4, 1), (5, 1), (7, 1), (8, 2), (9, 2), (10, 1)]);
        assert_eq!(text, "3-5,7,8-9*2,10");
        assert_eq!(runs(&[]), "");
    }
}
