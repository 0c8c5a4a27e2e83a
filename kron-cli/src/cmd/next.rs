//! `kron next`: the next starts, or periods, of all jobs in order of time.

use std::collections::BTreeMap;
use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;
use kron_core::{Algorithm, Decision, Error, Job};
use kron_fleet::Fleet;
use kron_formats::kronjob::PrimerLead;

use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::args::{AlgorithmArgs, SaveArgs, WatchArgs, count};
use crate::exit_status::ExitStatus;
use crate::input::pick::{search_failed, suspended, with_algorithm};
use crate::input::{Input, NameFor, Request};
use crate::output::clocks::skipped_in;
use crate::output::coming::{Coming, ComingStart, capacity};
use crate::output::csv::{COLUMNS, SEED_COLUMNS};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ListForm;
use crate::output::frame::NOW;
use crate::output::list::{List, ListStyle};
use crate::output::time;
use crate::session::{Reading, Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::TimeArg;
use crate::watch::apart::Apart;
use crate::watch::marks::Marks;
use crate::watch::{check_terminal, watch};

/// How many entries are listed without `-c`.
const COUNT: u64 = 10;
/// How many starts a watch computes beyond those that it shows.
const KEPT: usize = 100;
/// If nothing is found, the reason is printed for at most this many jobs.
const REASONS: usize = 10;

/// The range without options.
const RANGE: DefaultRange =
    DefaultRange { words: "from now on", begin: Begin::Now, length: Length::Endless, days_max: None };

/// The arguments of `next`.
#[derive(Debug, Args)]
pub(crate) struct NextArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    #[command(flatten)]
    range: RangeArgs,

    /// Begin after this time: a start at this time is not listed
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["from", "day"])]
    at: Option<TimeArg>,

    #[command(flatten)]
    tz: TzArgs,

    /// How many to list; default: 10, or all of a range that has an end
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    count: Option<u64>,

    /// List periods instead, in order of nominal time, and also those that have no start
    ///
    /// The nominal time is the instant that the cron expression names. The range is then one of nominal times.
    #[arg(long)]
    nominal: bool,

    /// Show when the primer of each start is made (`spec.primer` of a KronJob)
    ///
    /// The list has one more column, and JSON and CSV have primerTime. It is empty where a job has no primer,
    /// or where fewer than 30 seconds are left between the previous start and this one.
    #[arg(long, conflicts_with = "nominal")]
    primers: bool,

    /// Show times in the zone of each job, with their offsets
    ///
    /// JSON and CSV stay in UTC, so that they read the same everywhere.
    #[arg(long)]
    local: bool,

    /// The form of the list; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ListForm>,

    /// The columns of -o csv, separated by commas
    ///
    /// Default: name,nominalTime,windowStart,windowEnd,chosenTime,unschedulable. The others are
    /// algorithm, periodId, periodKey, seedInput (whose values have line feeds), seedHash, draws.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(COLUMNS))]
    columns: Vec<String>,

    #[command(flatten)]
    algorithm: AlgorithmArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    watch: WatchArgs,
}

impl Subcommand for NextArgs {
    const HELP: Help = Help {
        about: "List the next starts of jobs",
        example: "kron next '0 1 * * * @win(after,3h)' --name db/backup",
        range: Some(RANGE),
        notes: Help::NO_NOTES,
        exit_codes: "0 success; 1 nothing found; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &NextArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if args.watch.watch {
        return watch_starts(args, session);
    }
    let form = args.save.form(args.output, session);
    if !args.columns.is_empty() && form != ListForm::Csv {
        return Err(Diagnostic::error("--columns is only for -o csv").into());
    }
    // JSON has the seed, and CSV if its columns are asked for.
    let seeds = match form {
        ListForm::Json | ListForm::Ndjson => true,
        ListForm::Csv => args.columns.iter().any(|column| SEED_COLUMNS.contains(&column.as_str())),
        ListForm::Text => false,
    };
    let name_for = if seeds { NameFor::Seeds } else { NameFor::Windows };
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), name_for);
    let input = Input::read(request, session)?.valid(session)?.pick(&args.pick)?;
    let leads: BTreeMap<String, PrimerLead> = input
        .entries
        .iter()
        .filter_map(|entry| Some((entry.job().name().to_string(), entry.primer()?)))
        .collect();
    let jobs = with_algorithm(input.into_jobs(), args.algorithm.algorithm)?;
    let fleet = Fleet::new(jobs)?;
    let jobs = fleet.jobs();
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let range = args.range.resolve(args.at, RANGE, &zone, session)?;

    let mut primers = Primers::new(jobs, &leads);
    let style = ListStyle {
        form,
        nominal: args.nominal,
        local: args.local,
        primers: args.primers,
        columns: &args.columns,
        terminal_columns: session.terminal_size().map(|(columns, _)| columns),
    };
    let mut list = List::begin(style, jobs, &mut session.out)?;
    let count = args.count.unwrap_or(if range.bounded { u64::MAX } else { COUNT });
    let mut left = count;
    let mut listed = vec![false; jobs.len()];
    let mut failed = vec![false; jobs.len()];
    let mut last = range.from;
    let mut series: Box<dyn Iterator<Item = (usize, Result<Decision<'_>, Error>)>> = if args.nominal {
        Box::new(fleet.periods(range.from..range.to).map(|(index, decision)| (index, Ok(decision))))
    } else {
        Box::new(fleet.starts(range.from..range.to))
    };
    // Once enough is listed, the rest of a series is not computed.
    while left > 0 {
        let Some((index, item)) = series.next() else { break };
        match item {
            Ok(decision) => {
                let primer = args.primers.then(|| primers.time(index, &jobs[index], &decision)).flatten();
                list.row(&jobs[index], &decision, primer, &mut session.out)?;
                listed[index] = true;
                last = decision.order_timestamp();
                left -= 1;
            }
            // The job leaves the list; the others stay in it.
            Err(error) => {
                failed[index] = true;
                session.report(&search_failed(&jobs[index], &error));
            }
        }
    }
    list.end(&mut session.out)?;
    // A count of an endless list cuts nothing that was asked for; a count of a range does.
    if left == 0 && (range.bounded || args.count.is_none()) && series.any(|(_, item)| item.is_ok()) {
        // If the list cannot be written, the note is not needed.
        session.out.flush()?;
        let what = if args.nominal { "periods" } else { "starts" };
        session.remark(&format!("more {what} follow; use -c N"));
    }

    if !args.nominal {
        // Jobs whose search failed have another message.
        let end = if range.bounded && left > 0 { range.to } else { last };
        let searched = jobs.iter().zip(&failed).filter(|(_, failed)| !**failed).map(|(job, _)| job);
        // If the list cannot be written, the note is not needed.
        session.out.flush()?;
        let note = passed_over(searched.map(|job| job.unschedulable_in(range.from..end)).sum());
        if let Some(note) = note {
            session.report(&note);
        }
    }
    for (job, _) in jobs.iter().zip(&listed).filter(|(job, listed)| **listed && job.spec().policy().suspend())
    {
        session.report(&suspended(job));
    }
    if left < count {
        return Ok(ExitStatus::Success);
    }
    if !range.bounded {
        // The range has no end, so the error of the core says why a job has no start.
        let at = range.from.saturating_sub(1);
        for job in jobs.iter().zip(&failed).filter(|(_, failed)| !**failed).map(|(job, _)| job).take(REASONS)
        {
            let found = if args.nominal { job.next_period(at) } else { job.next_start(at) };
            if let Err(error) = found {
                session.report(&search_failed(job, &error));
            }
        }
    } else {
        let what = if args.nominal { "no nominal time" } else { "no start" };
        let error = Diagnostic::error(format!("there is {what} {}", range.words));
        let help = jobs.iter().find_map(|job| skipped_in(job, range.from, range.to));
        return Err(Stop::with(Diagnostic { help, ..error }, ExitStatus::Failure));
    }
    Ok(ExitStatus::Failure)
}

/// Reads the jobs, as a watch does again when a file changes.
#[derive(Clone)]
struct Reader {
    jobs: JobArgs,
    reading: ReadArgs,
    pick: PickArgs,
    tz: Option<String>,
    algorithm: Option<Algorithm>,
}

impl Reader {
    fn read(&self, session: &mut Session<'_>) -> Result<Fleet, Stop> {
        let request = Request::new(&self.jobs, &self.reading, self.tz.as_deref(), NameFor::Windows);
        let jobs = Input::read(request, session)?.valid(session)?.pick(&self.pick)?.into_jobs();
        Ok(Fleet::new(with_algorithm(jobs, self.algorithm)?)?)
    }
}

/// Keeps the coming starts on the screen.
fn watch_starts(args: &NextArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let has_range = args.at.is_some() || args.range.is_given();
    if has_range || args.nominal || args.primers || !args.columns.is_empty() {
        let error = Diagnostic::error("--watch shows the starts from now on, and no other list");
        return Err(error
            .help("leave out --at, --from, --until, --for, --day, --nominal, --primers and --columns")
            .into());
    }
    check_terminal(session)?;
    let paths = args.jobs.paths_to_watch(session)?;
    let reader = Reader {
        jobs: args.jobs.clone(),
        reading: args.reading.clone(),
        pick: args.pick.clone(),
        tz: args.tz.zone.clone(),
        algorithm: args.algorithm.algorithm,
    };
    // Before the first read, so that no change after it is missed.
    let mut marks = Marks::of(&paths);
    let mut fleet = reader.read(session)?;
    let apart = Apart::new(session, false)?;
    let look = move || {
        let found = Marks::of(&paths);
        (found != marks).then(|| {
            marks = found;
            apart.run(Reading::default(), |session| reader.read(session))
        })
    };
    let (local, count) = (args.local, args.count.and_then(|count| usize::try_from(count).ok()));
    let mut coming = Coming {
        jobs: fleet.jobs().len(),
        starts: Vec::new(),
        read_at: session.now().timestamp(),
        failure: None,
    };
    // Whether the fleet has starts after those that are known.
    let mut has_more = true;
    let lines = move |read: Option<(Option<Fleet>, String)>, now: i64, (_, rows): (usize, usize)| {
        match read {
            Some((Some(read), _)) => {
                (fleet, has_more) = (read, true);
                coming = Coming { jobs: fleet.jobs().len(), starts: Vec::new(), read_at: now, failure: None };
            }
            Some((None, report)) => coming.failure = Some(report),
            None => {}
        }
        let wanted = capacity(rows).min(count.unwrap_or(usize::MAX));
        if has_more && coming.upcoming(now).count() < wanted {
            (coming.starts, has_more) = starts(&fleet, now, wanted + KEPT, local);
        }
        coming.lines(now, rows, wanted)
    };
    watch(look, lines, session)
}

/// The first starts of a fleet that have not passed, and whether it has more.
fn starts(fleet: &Fleet, now: i64, count: usize, local: bool) -> (Vec<ComingStart>, bool) {
    let mut found = Vec::new();
    for (index, item) in fleet.starts(now + 1 - NOW..) {
        // A job without another start leaves the list.
        let Ok(decision) = item else { continue };
        if found.len() == count {
            return (found, true);
        }
        let job = &fleet.jobs()[index];
        let show = |at| if local { time::local(at, job.spec().timezone()) } else { time::utc(at) };
        found.push(ComingStart {
            // A start has a chosen time.
            chosen: decision.order_timestamp(),
            name: job.name().to_string(),
            start: decision.chosen_time().map(show).unwrap_or_default(),
            nominal: show(decision.nominal_time()),
            is_suspended: job.spec().policy().suspend(),
        });
    }
    (found, false)
}

/// When the primers of starts are made, which are listed in order of time.
struct Primers {
    /// One for each job.
    leads: Vec<Option<PrimerLead>>,
    /// The chosen time of the last start that was listed, of each job.
    last: Vec<Option<i64>>,
}

impl Primers {
    fn new(jobs: &[Job], leads: &BTreeMap<String, PrimerLead>) -> Primers {
        let leads = jobs.iter().map(|job| leads.get(job.name()).copied()).collect();
        Primers { leads, last: vec![None; jobs.len()] }
    }

    /// The Unix second at which the primer of a start is made, if one is made.
    fn time(&mut self, index: usize, job: &Job, start: &Decision<'_>) -> Option<i64> {
        let (lead, chosen) = (self.leads[index]?, start.chosen_timestamp()?);
        // Before the first that is listed there are others.
        let before = self.last[index].replace(chosen).or_else(|| {
            let before = job.prev_start(chosen.saturating_sub(1)).ok()?;
            before.chosen_timestamp()
        });
        lead.time(chosen, before)
    }
}

/// A note on periods that are not listed, as they have no start.
fn passed_over(count: u64) -> Option<Diagnostic> {
    let periods = match count {
        0 => return None,
        1 => "1 unschedulable period is".to_string(),
        _ => format!("{count} unschedulable periods are"),
    };
    let note = Diagnostic::note(format!("{periods} not listed, because the constraints allow no start"));
    Some(note.help("--nominal lists all periods"))
}
