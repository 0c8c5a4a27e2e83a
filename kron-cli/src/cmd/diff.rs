//! `kron diff`: which starts an edit of job files adds, removes or moves.

use std::convert::Infallible;
use std::io::{self, Write as _};

use clap::Args;
use kron_core::Job;
use kron_fleet::Fleet;
use kron_fleet::diff::{JobChange, JobPair, Peak, StartChange, StartChangeKind};
use serde::{Serialize, Serializer};

use crate::args::SaveArgs;
use crate::args::jobs::JobArgs;
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, check_years};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::exit_status::ExitStatus;
use crate::input::pick::search_failed;
use crate::input::{Input, NameFor, Request};
use crate::output::forecast::words;
use crate::output::form::ReportForm;
use crate::output::job_text::short_text;
use crate::output::json::Array;
use crate::output::plural::{grouped, plural};
use crate::output::progress::Progress;
use crate::output::table::printable;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// How many starts of each job are listed as text without `-c`.
const COUNT: usize = 5;
/// How many skipped or repeated periods of each job are listed; all are counted.
const AT_EDIT: usize = 100;

/// The range without options.
const RANGE: DefaultRange = DefaultRange {
    words: "30 days from now",
    begin: Begin::Now,
    length: Length::Days(30),
    days_max: Some(366),
};

/// The arguments of `diff`.
#[derive(Debug, Args)]
#[command(
    override_usage = "kron diff [OPTIONS] <OLD> <NEW>",
    mut_arg("jobs", |jobs| jobs.value_names(["OLD", "NEW"]))
)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// List at most this many starts of each job; default: 5, with -o json all
    #[arg(short, long, value_name = "N")]
    count: Option<usize>,

    /// The form of the answer; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ReportForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for DiffArgs {
    const HELP: Help = Help {
        about: "Show which starts an edit of jobs adds, removes and moves",
        example: "git show HEAD:jobs.kron | kron diff - jobs.kron",
        range: Some(RANGE),
        notes: || {
            "OLD and NEW are the jobs before and after the edit, which is made at the beginning of the range."
                .to_string()
        },
        exit_codes: "0 the same starts; 1 starts differ; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &DiffArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Windows);
    let [old, new] = Input::read_pair(request, session)?;
    let [old, new] = [fleet(old, session)?, fleet(new, session)?];
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let range = args.range.resolve(None, RANGE, &zone, session)?;
    check_years(&range, session)?;
    let (from, until) = (range.from, range.to);
    let count = args.count.unwrap_or(if form == ReportForm::Json { usize::MAX } else { COUNT });

    // Before anything is printed, because a terminal shows the progress.
    let peaks = peaks([&old, &new], from, until);
    let mut jobs = Array::default();
    if form == ReportForm::Json {
        let (from, until) = (time::utc_of(from), time::utc_of(until));
        write!(session.out, "{{\"from\":\"{from}\",\"until\":\"{until}\",\"jobs\":")?;
    }
    let mut total = Totals::default();
    // The totals are known after the jobs.
    let mut of_jobs = Vec::new();
    for pair in old.pair_with(&new) {
        let change = pair.change();
        total.jobs[change as usize] += 1;
        if change == JobChange::Unchanged {
            continue;
        }
        let job = JobDiff::of(&pair, from, until, count);
        total.add(&job);
        match form {
            ReportForm::Json => jobs.item(&mut session.out, &job)?,
            ReportForm::Text => job.write(&mut of_jobs)?,
        }
    }
    match form {
        ReportForm::Json => {
            jobs.end(&mut session.out)?;
            let [old, new] = &peaks;
            let end = End {
                peak: Peaks { old: PeakJson::of(old), new: PeakJson::of(new) },
                unchanged: total.jobs[JobChange::Unchanged as usize],
            };
            // The object is still open: the fields of another one close it.
            let end = serde_json::to_string(&end).map_err(io::Error::from)?;
            writeln!(session.out, ",{}", end.trim_start_matches('{'))?;
        }
        ReportForm::Text => {
            let [old, new] = &peaks;
            let mut totals = Vec::new();
            let changes = match total.starts {
                [0, 0, 0] => "The same starts".to_string(),
                starts => starts_words(&starts),
            };
            // The second of the call says nothing.
            let minute = |at: i64| at - at.rem_euclid(60);
            let range = words::range(minute(from), minute(until), &zone);
            writeln!(totals, "{changes}, {range}, {}", zone.name())?;
            writeln!(totals, "starts  {} -> {}", grouped(old.starts), grouped(new.starts))?;
            writeln!(totals, "peak    {} -> {}", peak_words(old), peak_words(new))?;
            writeln!(totals, "jobs    {}", jobs_words(&total.jobs))?;
            if total.at_edit > 0 {
                writeln!(totals, "edit    {} skipped or repeated", plural(total.at_edit, "period"))?;
            }
            // They stand where a person looks: first, or last on a screen that does not show the beginning.
            let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
            let rows = session.terminal_size().map(|(_, rows)| usize::from(rows));
            let parts = match rows.is_some_and(|rows| lines(&totals) + lines(&of_jobs) >= rows) {
                false => [totals, of_jobs],
                true => [of_jobs.trim_ascii_start().to_vec(), [b"\n", &*totals].concat()],
            };
            session.out.write_all(&parts.concat())?;
        }
    }
    let mut failed = false;
    for (fleet, peak) in [&old, &new].into_iter().zip(&peaks) {
        for (index, error) in &peak.errors {
            session.report(&search_failed(&fleet.jobs()[*index], error));
            failed = true;
        }
    }
    let same = !failed && total.starts == [0; 3] && total.at_edit == 0;
    Ok(if same { ExitStatus::Success } else { ExitStatus::Failure })
}

/// The busiest minutes. Their count shows its progress on a terminal.
fn peaks(fleets: [&Fleet; 2], from: i64, until: i64) -> [Peak; 2] {
    let all = fleets.iter().map(|fleet| fleet.jobs().len()).sum();
    let (progress, mut done) = (Progress::new("the jobs"), 0);
    fleets.map(|fleet| {
        let Ok(peak) = fleet.peak_with(from..until, || {
            progress.show(done, all);
            done += 1;
            Ok::<(), Infallible>(())
        });
        peak
    })
}

/// The jobs of OLD or NEW, which may have none.
fn fleet(input: Input, session: &mut Session<'_>) -> Result<Fleet, Stop> {
    Ok(Fleet::new(input.without_errors(session)?.into_jobs())?)
}

/// The sums over all jobs.
#[derive(Debug, Default)]
struct Totals {
    /// Jobs by [`JobChange`].
    jobs: [usize; JobChange::ALL.len()],
    /// Starts by [`StartChangeKind`].
    starts: [usize; 3],
    /// Periods skipped or repeated by the edit.
    at_edit: usize,
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
struct JobDiff<'a> {
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
pub(super) struct Change {
    #[serde(serialize_with = "start_word")]
    change: StartChangeKind,
    period_id: String,
    old_start: Option<String>,
    new_start: Option<String>,
}

impl Change {
    pub(super) fn of(change: &StartChange) -> Change {
        Change {
            change: change.kind(),
            period_id: time::utc_of(change.nominal),
            old_start: change.old.map(time::utc_of),
            new_start: change.new.map(time::utc_of),
        }
    }

    /// `moves     2026-03-01T00:19:37Z -> 2026-03-01T00:20:00Z`.
    pub(super) fn words(&self) -> String {
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

    fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
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

fn peak_words(peak: &Peak) -> String {
    match peak.minute {
        Some(minute) => format!("{} a minute ({})", peak.per_minute, time::utc_of(minute)),
        None => "no starts".to_string(),
    }
}

/// `1 start appears, 2 move`, or `the same starts`.
fn starts_words(counts: &[usize; 3]) -> String {
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
fn jobs_words(counts: &[usize; JobChange::ALL.len()]) -> String {
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
