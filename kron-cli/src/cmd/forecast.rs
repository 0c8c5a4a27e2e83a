//! `kron forecast`: starts, running executions and load of all jobs over a range of time.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::Args;
use kron_core::{Duration, Zone};
use kron_fleet::HumanLength;
use kron_fleet::forecast::{
    Base, Bucket, Forecast, ForecastBy, ForecastJob, ForecastRange, PeakChange, bucket_for, clock_change_days,
};

use crate::args::base::BaseArgs;
use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, check_years};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::args::{SaveArgs, bucket, budget};
use crate::exit_status::ExitStatus;
use crate::forecasting::{Demand, GroupBy, LoadBy, count, groups, over_budget, sides, window, with_window};
use crate::input::pick::search_failed;
use crate::input::{Input, NameFor, Request, first_of};
use crate::output::diagnostic::Diagnostic;
use crate::output::forecast::html::SideJobs;
use crate::output::forecast::picture::{Picture, has_window, in_force, is_dispersed, is_one_start, peak};
use crate::output::forecast::text::{Pair, Shown, WEEK, Week};
use crate::output::forecast::words::{self, Sides};
use crate::output::forecast::{Report, Side, csv, fullest, html, json, plot, start_list, text};
use crate::output::form::ForecastForm;
use crate::output::table::printable;
use crate::output::terminal::Terminal;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::duration;

/// The seconds of a bucket without `--per`, where a picture does not choose longer ones.
const PER: u32 = 60;
/// The columns for which the bucket of a text is chosen. A wider terminal has wider bars: the result is the same everywhere.
const COLUMNS: usize = 100;
/// The minutes of a bucket in a text, at most: results of a day, a week and a month are then about the same length.
const MINUTES_MAX: usize = 15;
/// How to get the page.
const PAGE: &str = "Page: --save forecast.html";
/// How long an execution runs if nothing says it.
const DURATION: Duration = Duration::from_secs(1);
/// If searches fail, the reason is printed for at most this many jobs.
const REASONS: usize = 10;

/// At most this many warnings and notes about files stand below the picture.
const REMARKS: usize = 3;

/// The range without options.
const RANGE: DefaultRange = DefaultRange {
    words: "the day from the coming midnight on, in --tz",
    begin: Begin::Tomorrow,
    length: Length::Days(1),
    days_max: None,
};

/// The arguments of `forecast`.
#[derive(Debug, Args)]
pub(crate) struct ForecastArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// The length of a bucket, 1s to 24h in whole seconds; default: 1m, in the text that of a column of 80
    #[arg(long, value_name = "DURATION", value_parser = bucket, allow_hyphen_values = true)]
    per: Option<Duration>,

    /// See what this window makes of the jobs that have none and are not placed; nothing is changed
    #[arg(long, value_name = "DURATION", value_parser = window, allow_hyphen_values = true)]
    window: Option<Duration>,

    /// How long a job runs whose line in a job file has no field duration=; default: 1s
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true)]
    duration: Option<Duration>,

    /// What counts as load: the fields weight= of job files, or what the pods of manifests request
    #[arg(long, value_name = "LOAD", value_enum, default_value_t)]
    load: LoadBy,

    /// Also count the starts as written or declared in JSON and CSV; other forms always have them
    #[arg(long)]
    cron: bool,

    /// List the names of all jobs that start in the fullest buckets of the text
    #[arg(long = "names", id = "all-names")]
    all_names: bool,

    /// Also show the peak of each group of jobs: zone, namespace or label=KEY
    ///
    /// The namespace of a job is the part of its name before the first slash. A label is one of a manifest, or a
    /// further field KEY= in a job file.
    #[arg(long, value_name = "GROUP", value_parser = GroupBy::parse)]
    by: Option<GroupBy>,

    #[command(flatten)]
    base: BaseArgs,

    /// End with exit code 1 if more than N jobs start in one bucket
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true)]
    budget: Option<u64>,

    /// The form of the forecast; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ForecastForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for ForecastArgs {
    const HELP: Help = Help {
        about: "Show when jobs start, how many at once, and what windows change",
        example: "kron forecast jobs.kron",
        range: Some(RANGE),
        notes: Help::NO_NOTES,
        exit_codes: "0 success; 1 the peak is above the budget, or a search failed; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        self.budget.is_some()
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

/// What is counted.
struct Counted<'a> {
    args: &'a ForecastArgs,
    form: ForecastForm,
    input: &'a Input,
    jobs: &'a [ForecastJob<'a>],
    /// The jobs whose nominal times are counted: the declared ones of placed schedules, and the others.
    before: &'a [ForecastJob<'a>],
    sides: Sides,
    range: ForecastRange,
    zone: &'a Zone,
    base: Option<Base>,
    /// The length of `--window`, if a job has its window from it.
    window: Option<Duration>,
    /// The jobs at their chosen times.
    chosen: Forecast,
    /// The jobs at their nominal times, if they are shown.
    nominal: Option<Forecast>,
}

fn run(args: &ForecastArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    refuse_ignored(args, form, session)?;
    let name_for = if args.window.is_some() { NameFor::Seeds } else { NameFor::Windows };
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), name_for);
    let (input, remarks) = Input::read(request, session)?.valid_with_remarks()?;
    let input = input.pick(&args.pick)?;
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let mut asked = args.range.resolve(None, RANGE, &zone, session)?;
    if args.range.is_relative() {
        // Whoever asks for the hours from now on wants buckets as the clocks show them.
        let bucket =
            args.per.map_or_else(|| bucket_for(asked.from..asked.to, COLUMNS), |_| Duration::from_secs(PER));
        asked = asked.aligned(bucket.as_secs().min(MINUTES_MAX as i64 * 60));
    }
    let per = args.per.unwrap_or(Duration::from_secs(PER));
    let range = ForecastRange::new(asked.from..asked.to, per)?;
    check_years(&asked, session)?;
    let windowed = with_window(&input, args.window)?;
    let demand = Demand { duration: args.duration.unwrap_or(DURATION), load: args.load };
    let entries = input.entries.iter().zip(&windowed);
    let jobs = entries.map(|(entry, windowed)| demand.of(&input, entry, windowed.as_ref()));
    let jobs: Vec<ForecastJob<'_>> = jobs.collect::<Result<_, _>>()?;

    let entries = input.entries.iter().zip(&jobs);
    let before = entries.map(|(entry, job)| ForecastJob { job: entry.declared().unwrap_or(job.job), ..*job });
    let before: Vec<ForecastJob<'_>> = before.collect();

    let is_report = matches!(form, ForecastForm::Json | ForecastForm::Csv);
    let sides = sides(&input, &jobs);
    let compares = if is_report { args.cron } else { sides.is_some() };
    let base = args.base.read(&range, session)?;
    let chosen = count(&jobs, &range, ForecastBy::ChosenTime)?;
    let nominal = compares.then(|| count(&before, &range, ForecastBy::NominalTime)).transpose()?;
    // With a base, there is more to see than the start.
    let needs_pair = |nominal: &Forecast| is_report || base.is_some() || !is_one_start(nominal, &chosen);
    let nominal = nominal.filter(needs_pair);
    let counted = Counted {
        args,
        form,
        input: &input,
        jobs: &jobs,
        before: &before,
        sides: sides.unwrap_or(Sides::FORECAST),
        range,
        zone: &zone,
        base,
        window: args.window.filter(|_| windowed.iter().any(Option::is_some)),
        chosen,
        nominal,
    };
    let notes = counted.notes(remarks)?;
    let over = counted.over_budget()?;
    match form {
        ForecastForm::Json => counted.write_report(session, json::write)?,
        ForecastForm::Csv => counted.write_report(session, csv::write)?,
        ForecastForm::Text => {
            // The last line of a terminal is that of the prompt, and the notes stand apart.
            let below = session.rows_of(notes.iter().chain(&over)) + 2;
            let rows = session.terminal_size().map(|(_, rows)| usize::from(rows).saturating_sub(below));
            counted
                .write_picture(session, rows, |out, shown, _, terminal| text::write(out, shown, terminal))?;
        }
        ForecastForm::Html => counted.write_picture(session, None, |out, shown, [nominal, chosen], _| {
            html::write(out, shown, nominal, chosen)
        })?,
        ForecastForm::Svg => counted
            .write_picture(session, None, |out, shown, _, _| out.write_all(plot::svg(shown).as_bytes()))?,
        ForecastForm::Png => {
            counted.write_picture(session, None, |out, shown, _, _| plot::write_png(out, shown))?
        }
    }
    // Below the picture, which is what the reader asked for.
    if session.terminal_size().is_some() && notes.iter().chain(&over).next().is_some() {
        session.remark("");
    }
    notes.iter().for_each(|note| session.report(note));
    if let Some(error) = over {
        return Err(Stop::with(error, ExitStatus::Failure));
    }
    Ok(if counted.chosen.failed().is_empty() { ExitStatus::Success } else { ExitStatus::Failure })
}

/// Refuses options that the form of the output does not have.
fn refuse_ignored(args: &ForecastArgs, form: ForecastForm, session: &Session<'_>) -> Result<(), Stop> {
    if form == ForecastForm::Png && session.terminal_size().is_some() {
        let error = Diagnostic::error("-o png: a terminal does not show a PNG");
        return Err(error
            .help("add `--save forecast.png`, or leave out `-o png` to see a picture here")
            .into());
    }
    let has_groups = matches!(form, ForecastForm::Text | ForecastForm::Json | ForecastForm::Html);
    if args.by.is_some() && !has_groups {
        let error = Diagnostic::error("--by: this form of the forecast has no groups");
        return Err(error.help("use `-o text`, `-o json` or `-o html`").into());
    }
    if args.all_names && form != ForecastForm::Text {
        let error = Diagnostic::error("--names: only the text of a forecast lists names on demand");
        return Err(error.help("leave it out: `-o json` and `-o html` have the names").into());
    }
    Ok(())
}

/// Writes a form for programs.
type WriteReport = fn(&mut dyn Write, &Report<'_>) -> io::Result<()>;
/// Writes a form for people: what it shows, and the jobs of its two sides.
type WritePicture = fn(&mut dyn Write, &Shown<'_>, [SideJobs<'_>; 2], &Terminal) -> io::Result<()>;

impl Counted<'_> {
    fn base_of(&self, range: &ForecastRange) -> Result<Option<Vec<u32>>, Stop> {
        let base = self.base.as_ref();
        base.map(|base| self.args.base.starts_of(base, range, self.zone)).transpose()
    }

    /// A forecast in buckets that are so many times as long, with its base.
    fn longer(&self, found: &Forecast, times: usize) -> Result<Forecast, Stop> {
        let longer = found.in_longer_buckets(times)?;
        let base = self.base_of(longer.range())?;
        Ok(longer.beside(base.as_deref().unwrap_or_default()))
    }

    fn is_report(&self) -> bool {
        matches!(self.form, ForecastForm::Json | ForecastForm::Csv)
    }

    /// What is said beside the answer: `remarks` about the files, and what the forecast found.
    fn notes(&self, remarks: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Stop> {
        let Counted { args, input, jobs, .. } = *self;
        let mut notes = if self.is_report() { remarks } else { first_of(remarks, REMARKS) };
        if args.window.is_some() && self.window.is_none() {
            notes.push(Diagnostic::note("every job has a window or is placed, so --window changes nothing"));
        }
        let unknown = input.entries.iter().filter(|entry| args.load.of_requests(entry).is_none()).count();
        if args.load != LoadBy::Weight && unknown > 0 {
            let resource = if args.load == LoadBy::Cpu { "CPU" } else { "memory" };
            notes.push(Diagnostic::note(match unknown {
                1 => format!("1 job has no {resource} request and counts as 0"),
                _ => format!("{unknown} jobs have no {resource} request and count as 0"),
            }));
        }
        let suspended = jobs.iter().filter(|job| job.job.spec().policy().suspend()).count();
        if suspended > 0 {
            let jobs = if suspended == 1 { "1 job is".to_string() } else { format!("{suspended} jobs are") };
            notes.push(Diagnostic::note(format!("{jobs} suspended and not counted")));
        }
        let failed = self.chosen.failed().iter().take(REASONS);
        notes.extend(failed.map(|(index, found)| search_failed(jobs[*index].job, found)));
        // Programs read the exit code.
        if let Some(budget) = args.budget.filter(|_| !self.is_report()) {
            let (starts, _) = self.fullest()?;
            if starts <= budget {
                let (starts, per) = (words::starts(starts), words::bucket(self.range.per_seconds()));
                let note = format!("{starts} in the fullest {per}; the budget is {}", words::grouped(budget));
                notes.push(Diagnostic::note(note));
            }
        }
        Ok(notes)
    }

    /// The starts of the fullest bucket, with its base, and which one it is.
    fn fullest(&self) -> Result<(u64, usize), Stop> {
        let most = self.longer(&self.chosen, 1)?.summary(|bucket| u64::from(bucket.starts));
        Ok((most.peak, most.peak_bucket))
    }

    /// The error about the budget, if the fullest bucket is above it.
    fn over_budget(&self) -> Result<Option<Diagnostic>, Stop> {
        let (starts, bucket) = self.fullest()?;
        let budget = self.args.budget.filter(|budget| starts > *budget);
        Ok(budget.map(|budget| {
            let error = over_budget(self.jobs, &self.range, bucket, starts, budget);
            error.help(match has_window(self.jobs) {
                true => "give these jobs longer windows, or other nominal times",
                false => "give these jobs windows, or other nominal times; try `--window 1h`",
            })
        }))
    }

    /// Writes a form for programs.
    fn write_report(&self, session: &mut Session<'_>, write: WriteReport) -> Result<(), Stop> {
        let Counted { args, jobs, range, zone, .. } = *self;
        let (chosen, base) = (self.longer(&self.chosen, 1)?, self.base_of(&range)?);
        let nominal = self.nominal.as_ref().map(|nominal| self.longer(nominal, 1)).transpose()?;
        let before = args.cron.then_some(self.before);
        let grouped = args.by.as_ref().map(|by| groups(self.input, before, jobs, by, &range));
        let report = Report {
            jobs: jobs.len(),
            base: base.as_deref(),
            kron: Side::new(jobs, &chosen, ForecastBy::ChosenTime, zone),
            cron: nominal
                .as_ref()
                .map(|nominal| Side::new(self.before, nominal, ForecastBy::NominalTime, zone)),
            groups: grouped.transpose()?,
            load_unit: args.load.unit(),
            zone,
            clock_changes: clock_change_days(jobs, &range, ForecastBy::ChosenTime),
        };
        Ok(write(&mut session.out, &report)?)
    }

    /// Writes a form for people. Without `--per`, the bucket of a text is a column, or a quarter of an hour if that is shorter.
    /// `rows` are the lines of a screen for it.
    fn write_picture(
        &self,
        session: &mut Session<'_>,
        rows: Option<usize>,
        write: WritePicture,
    ) -> Result<(), Stop> {
        let Counted { args, jobs, range, zone, .. } = *self;
        let terminal = session.terminal();
        let column = bucket_for(range.from_timestamp()..range.to_timestamp(), COLUMNS);
        let is_week = range.to_timestamp() - range.from_timestamp() >= WEEK;
        // OK because a column is some minutes.
        let column = (column.as_secs() / i64::from(PER)) as usize;
        let times = match (args.per, self.form) {
            // Its minute says more than a column, and a budget is for a minute.
            (None, ForecastForm::Text) if self.chosen.total() == 1 || args.budget.is_some() => 1,
            (None, ForecastForm::Text) => column.min(MINUTES_MAX),
            _ => 1,
        };
        let times = if self.shows_in_minutes_alone(times)? { 1 } else { times };
        let after = self.longer(&self.chosen, times)?;
        let before = self.nominal.as_ref().map(|nominal| self.longer(nominal, times)).transpose()?;
        let base = self.base_of(after.range())?;
        // The herd, if windows disperse it; else what remains.
        let (by, of, fuller) = match &before {
            Some(before) if is_dispersed(before, &after) => (ForecastBy::NominalTime, self.before, before),
            _ => (ForecastBy::ChosenTime, jobs, &after),
        };
        let pair = |value: fn(&Bucket) -> u64| -> Option<Pair> {
            let peak = |found: &Forecast| found.summary(value).peak;
            let pair = (self.nominal.as_ref().map(peak), peak(&self.chosen));
            // Zeros alone say nothing.
            (pair.0.unwrap_or(0).max(pair.1) > 0).then_some(pair)
        };
        let says = |field: &str| self.input.entries.iter().any(|entry| entry.field(field).is_some());
        let shows_running = args.duration.is_some() || says("duration");
        let shows_load = args.load != LoadBy::Weight || says("weight");
        let window = self.window.map(|window| HumanLength::of(window).to_string());
        let by_group = args.by.as_ref();
        let compared = before.as_ref().map(|_| self.before);
        let grouped = by_group.map(|by| groups(self.input, compared, jobs, by, after.range()));
        let is_herd = before.is_none() && in_force(jobs) > 1 && peak(&after) > 1;
        // One start alone is listed with its second.
        let fullest = match self.chosen.total() {
            1 if base.is_none() => Vec::new(),
            _ => fullest::of_forecast(of, fuller, base.as_deref(), by, zone),
        };
        let (of_minutes, of_buckets) = (
            (self.nominal.as_ref().map(peak), peak(&self.chosen)),
            (before.as_ref().map(peak), peak(&after)),
        );
        let minute = (times > 1 && of_minutes != of_buckets && base.is_none()).then_some(of_minutes);
        let is_dispersed = by == ForecastBy::NominalTime;
        let fullest_after = if is_dispersed { fullest::one_in_words(jobs, &after, zone) } else { None };
        let starts = match fullest.is_empty() && base.is_none() {
            true => start_list::of_forecast(jobs, &self.chosen, zone),
            false => Vec::new(),
        };
        let shown = Shown {
            picture: Picture {
                sides: self.sides,
                before: before.as_ref(),
                after: &after,
                base: base.as_deref(),
                starts: (self.nominal.as_ref().map(Forecast::total), self.chosen.total()),
                jobs: in_force(jobs),
                window: window.as_deref(),
                zone,
            },
            running: pair(|bucket| u64::from(bucket.running)).filter(|_| shows_running),
            load: pair(|bucket| bucket.load)
                .filter(|_| shows_load)
                .map(|pair| (pair, args.load.unit().unwrap_or_default())),
            fullest,
            minute,
            fullest_after,
            starts,
            fullest_side: before.as_ref().map(|_| self.sides.of(by)),
            names: args.all_names,
            // The weekdays and hours of one job are in its schedule.
            week: (is_week && in_force(jobs) > 1).then(|| Week::new(before.as_ref(), &after, zone)).flatten(),
            clock_changes: clock_change_days(jobs, &range, ForecastBy::ChosenTime),
            groups: grouped.transpose()?,
            next: if is_herd {
                Some("Spread over 1h: --window 1h".to_string())
            } else {
                self.how_to_spread()
            },
            page: PAGE,
            // Who asks for all names wants to read them.
            rows: rows.filter(|_| !args.all_names),
        };
        let nominal = SideJobs { jobs: self.before, by: ForecastBy::NominalTime };
        let chosen = SideJobs { jobs, by: ForecastBy::ChosenTime };
        Ok(write(&mut session.out, &shown, [nominal, chosen], &terminal)?)
    }

    /// How to give the jobs the window of `--window`.
    fn how_to_spread(&self) -> Option<String> {
        let window = HumanLength::of(self.window?);
        let is_foreign = self.input.entries.iter().all(|entry| entry.is_of_other_system());
        Some(match is_foreign {
            true => {
                let files: BTreeSet<&str> =
                    self.input.entries.iter().filter_map(|entry| self.input.file_of(entry)).collect();
                let file = files.first().filter(|_| files.len() == 1).copied().unwrap_or("FILES");
                format!(
                    "Spread them: kron place --adopt --window {window:#} --prefix NAME -i {}",
                    printable(file)
                )
            }
            false => format!("Spread them: write @win(after,{window:#})"),
        })
    }

    /// Whether buckets of so many minutes hide what windows or places do: they lower the fullest minute only, or halve it only. Windows
    /// that are no longer than a bucket leave its starts in it.
    fn shows_in_minutes_alone(&self, times: usize) -> Result<bool, Stop> {
        let Some(nominal) = self.nominal.as_ref().filter(|_| times > 1) else { return Ok(false) };
        let change = |times| -> Result<(bool, bool), Stop> {
            let (before, after) =
                (peak(&self.longer(nominal, times)?), peak(&self.longer(&self.chosen, times)?));
            let is_fewer = matches!(PeakChange::of(before, after), PeakChange::Fewer(_));
            Ok((is_fewer, before >= after.saturating_mul(2)))
        };
        let (of_minute, of_bucket) = (change(1)?, change(times)?);
        Ok(of_minute.0 && !of_bucket.0 || of_minute.1 && !of_bucket.1)
    }
}
