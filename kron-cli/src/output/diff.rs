//! Which starts an edit of a fleet adds, removes and moves: as JSON, and in words.

use std::io;
use std::ops::Range;

use kron_core::{Error, Job};
use kron_fleet::Fleet;
use kron_fleet::diff::{JobChange, JobPair, Peak, StartChange, StartChangeKind};
use serde::{Serialize, Serializer};

use crate::output::job_text::short_text;
use crate::output::json::Array;
use crate::output::plural::{grouped, plural};
use crate::output::table::printable;
use crate::output::time;

/// How many skipped or repeated periods of each job are listed; all are counted.
const AT_EDIT: usize = 100;

/// What `kron diff -o json` prints about two fleets and a range, in Unix seconds: which starts the edit adds, removes and moves.
///
/// # Errors
///
/// The first error of a search for starts.
pub fn diff_json(old: &Fleet, new: &Fleet, range: Range<i64>) -> Result<String, Error> {
    let peaks = [old, new].map(|fleet| fleet.peak(range.clone()));
    if let Some((_, error)) = peaks.iter().flat_map(|peak| &peak.errors).next() {
        return Err(error.clone());
    }
    let mut json = Vec::new();
    // OK because writing to memory cannot fail.
    let _ = FleetDiff { old, new, range }.write_json(usize::MAX, &peaks, &mut json);
    Ok(String::from_utf8(json).unwrap_or_default())
}

/// Two fleets, and the range of starts that are compared. The edit is at its beginning.
pub(crate) struct FleetDiff<'a> {
    pub(crate) old: &'a Fleet,
    pub(crate) new: &'a Fleet,
    pub(crate) range: Range<i64>,
}

impl<'a> FleetDiff<'a> {
    /// Calls a function for each job that the edit changes, with at most so many starts. Returns the sums over all jobs.
    pub(crate) fn jobs(
        &self,
        count: usize,
        mut each: impl FnMut(JobDiff<'a>) -> io::Result<()>,
    ) -> io::Result<Totals> {
        let mut total = Totals::default();
        for pair in self.old.pair_with(self.new) {
            let change = pair.change();
            total.jobs[change as usize] += 1;
            if change == JobChange::Unchanged {
                continue;
            }
            let job = JobDiff::of(&pair, self.range.start, self.range.end, count);
            total.add(&job);
            each(job)?;
        }
        Ok(total)
    }

    pub(crate) fn write_json(
        &self,
        count: usize,
        peaks: &[Peak; 2],
        out: &mut dyn io::Write,
    ) -> io::Result<Totals> {
        let (from, until) = (time::utc_of(self.range.start), time::utc_of(self.range.end));
        write!(out, "{{\"from\":\"{from}\",\"until\":\"{until}\",\"jobs\":")?;
        let mut jobs = Array::default();
        let total = self.jobs(count, |job| jobs.item(out, &job))?;
        jobs.end(out)?;
        let [old, new] = peaks;
        let end = End {
            peak: Peaks { old: PeakJson::of(old), new: PeakJson::of(new) },
            unchanged: total.jobs[JobChange::Unchanged as usize],
        };
        // The object is still open: the fields of another one close it.
        let end = serde_json::to_string(&end).map_err(io::Error::from)?;
        writeln!(out, ",{}", end.trim_start_matches('{'))?;
        Ok(total)
    }
}

/// The sums over all jobs.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// Jobs by [`JobChange`].
    pub(crate) jobs: [usize; JobChange::ALL.len()],
    /// Starts by [`StartChangeKind`].
    pub(crate) starts: [usize; 3],
    /// Periods skipped or repeated by the edit.
    pub(crate) at_edit: usize,
}

impl Totals {
    fn add(&mut self, job: &JobDiff<'_>) {
        for (total, count) in self.starts.iter_mut().zip([job.appear, job.vanish, job.moved]) {
            *total += count;
        }
        self.at_edit += job.edit.skipped.count + job.edit.repeated.count;
    }
}

/// The effect of an edit on one job, as an object of JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobDiff<'a> {
    #[serde(serialize_with = "word")]
    change: JobChange,
    old_name: Option<&'a str>,
    new_name: Option<&'a str>,
    old_text: Option<String>,
    new_text: Option<String>,
    appear: usize,
    vanish: usize,
    #[serde(rename = "move")]
    moved: usize,
    starts: Vec<Change>,
    edit: Edit,
}

/// The effect at the time of the edit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Edit {
    /// The last start of the old job before the edit.
    last_start: Option<String>,
    /// The next start of either job from the edit on.
    old_next_start: Option<String>,
    new_next_start: Option<String>,
    skipped: Periods,
    repeated: Periods,
}

/// Periods that are counted, and the first of them.
#[derive(Debug, Default, Serialize)]
struct Periods {
    count: usize,
    periods: Vec<Change>,
}

/// A period whose start differs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Change {
    #[serde(serialize_with = "start_word")]
    change: StartChangeKind,
    period_id: String,
    old_start: Option<String>,
    new_start: Option<String>,
}

impl Change {
    pub(crate) fn of(change: &StartChange) -> Change {
        Change {
            change: change.kind(),
            period_id: time::utc_of(change.nominal),
            old_start: change.old.map(time::utc_of),
            new_start: change.new.map(time::utc_of),
        }
    }

    /// `moves     2026-03-01T00:19:37Z -> 2026-03-01T00:20:00Z`.
    pub(crate) fn words(&self) -> String {
        format!("{:<9} {}", self.change.as_str(), self.times())
    }

    /// `2026-03-01T00:19:37Z -> 2026-03-01T00:20:00Z`, or the one of them that there is.
    fn times(&self) -> String {
        let times: Vec<&str> = self.old_start.iter().chain(&self.new_start).map(String::as_str).collect();
        times.join(" -> ")
    }
}

impl<'a> JobDiff<'a> {
    fn of(pair: &JobPair<'a>, from: i64, until: i64, count: usize) -> JobDiff<'a> {
        let text = |job: Option<&Job>| job.map(|job| job.spec().to_string());
        let mut diff = JobDiff {
            change: pair.change(),
            old_name: pair.old.map(Job::name),
            new_name: pair.new.map(Job::name),
            old_text: text(pair.old),
            new_text: text(pair.new),
            appear: 0,
            vanish: 0,
            moved: 0,
            starts: Vec::new(),
            // From the first second of the range on, starts are those of the new job.
            edit: Edit::of(pair, from.saturating_sub(1)),
        };
        // Errors are reported with the starts of all jobs.
        for change in pair.start_changes(from..until).flatten() {
            match change.kind() {
                StartChangeKind::Appears => diff.appear += 1,
                StartChangeKind::Vanishes => diff.vanish += 1,
                StartChangeKind::Moves => diff.moved += 1,
            }
            if diff.starts.len() < count {
                diff.starts.push(Change::of(&change));
            }
        }
        diff
    }

    pub(crate) fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let names = [self.old_name, self.new_name].map(|name| name.map(printable));
        let name = match names {
            [Some(old), Some(new)] if old != new => format!("{old} -> {new}"),
            [old, new] => new.or(old).unwrap_or_default(),
        };
        writeln!(out, "\n{} {name}", self.change.as_str())?;
        match (&self.old_text, &self.new_text) {
            (Some(old), Some(new)) if old == new => {
                writeln!(out, "    text  {}", printable(&short_text(new)))?
            }
            (old, new) => {
                for (which, text) in [("old", old), ("new", new)] {
                    if let Some(text) = text {
                        writeln!(out, "    {which}   {}", printable(&short_text(text)))?;
                    }
                }
            }
        }
        let Edit { last_start, old_next_start, new_next_start, skipped, repeated } = &self.edit;
        for (what, periods) in [("skipped", skipped), ("repeated", repeated)] {
            if let Some(first) = periods.periods.first() {
                writeln!(
                    out,
                    "    {what} by the edit: {}, the first is {} ({})",
                    plural(periods.count, "period"),
                    first.period_id,
                    first.times()
                )?;
            }
        }
        let counts = [self.appear, self.vanish, self.moved];
        writeln!(out, "    {}", starts_words(&counts))?;
        for change in &self.starts {
            writeln!(out, "        {}", change.words())?;
        }
        if let Some(more @ 1..) = counts.iter().sum::<usize>().checked_sub(self.starts.len())
            && !self.starts.is_empty()
        {
            writeln!(out, "        and {} more; use -c N", grouped(more as u64))?;
        }
        if old_next_start != new_next_start {
            let show = |time: &Option<String>| time.clone().unwrap_or_else(|| "none".to_string());
            writeln!(out, "    last start {}", show(last_start))?;
            writeln!(out, "    next start {} -> {}", show(old_next_start), show(new_next_start))?;
        }
        Ok(())
    }
}

impl Edit {
    /// `at` is the last second before the edit.
    fn of(pair: &JobPair<'_>, at: i64) -> Edit {
        // A suspended job starts nothing.
        let [old, new] = [pair.old, pair.new].map(|job| job.filter(|job| !job.spec().policy().suspend()));
        let next = |job: Option<&Job>| {
            let start = job.and_then(|job| job.next_start(at).ok());
            start.map(|start| time::utc_of(start.order_timestamp()))
        };
        let last = old.and_then(|job| job.prev_start(at).ok());
        let mut edit = Edit {
            last_start: last.map(|start| time::utc_of(start.order_timestamp())),
            old_next_start: next(old),
            new_next_start: next(new),
            skipped: Periods::default(),
            repeated: Periods::default(),
        };
        for change in pair.at_edit(at) {
            let was_started = change.old.is_some_and(|old| old <= at);
            let periods = if was_started { &mut edit.repeated } else { &mut edit.skipped };
            periods.count += 1;
            if periods.periods.len() < AT_EDIT {
                periods.periods.push(Change::of(&change));
            }
        }
        edit
    }
}

/// The fields after the jobs in JSON.
#[derive(Serialize)]
struct End {
    peak: Peaks,
    unchanged: usize,
}

#[derive(Serialize)]
struct Peaks {
    old: PeakJson,
    new: PeakJson,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PeakJson {
    starts: u64,
    starts_per_minute: u64,
    /// The first such minute.
    minute: Option<String>,
}

impl PeakJson {
    fn of(peak: &Peak) -> PeakJson {
        PeakJson {
            starts: peak.starts,
            starts_per_minute: peak.per_minute,
            minute: peak.minute.map(time::utc_of),
        }
    }
}

pub(crate) fn peak_words(peak: &Peak) -> String {
    match peak.minute {
        Some(minute) => format!("{} a minute ({})", peak.per_minute, time::utc_of(minute)),
        None => "no starts".to_string(),
    }
}

/// `1 start appears, 2 move`, or `the same starts`.
pub(crate) fn starts_words(counts: &[usize; 3]) -> String {
    const VERBS: [[&str; 2]; 3] = [["appear", "appears"], ["vanish", "vanishes"], ["move", "moves"]];
    let counted = counts.iter().zip(VERBS).filter(|(count, _)| **count > 0);
    let words = counted.enumerate().map(|(index, (count, verbs))| {
        let noun = match (index, count) {
            (0, 1) => " start",
            (0, _) => " starts",
            _ => "",
        };
        format!("{}{noun} {}", grouped(*count as u64), verbs[usize::from(*count == 1)])
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "the same starts".to_string() } else { words.join(", ") }
}

/// `1 unchanged, 2 added`.
pub(crate) fn jobs_words(counts: &[usize; JobChange::ALL.len()]) -> String {
    let words = JobChange::ALL.iter().zip(counts).filter(|(_, count)| **count > 0);
    let words: Vec<String> =
        words.map(|(change, count)| format!("{} {}", grouped(*count as u64), change.as_str())).collect();
    if words.is_empty() { "none".to_string() } else { words.join(", ") }
}

fn word<S: Serializer>(change: &JobChange, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(change.as_str())
}

fn start_word<S: Serializer>(change: &StartChangeKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(change.as_str())
}
