//! `kron next`: the next starts, or periods, of all jobs in order of time.

use std::collections::BTreeMap;
use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::engine::ArgValueCompleter;
use kron_core::{Decision, Error, Fleet, Instant as _, Job, PrimerLead};

use super::jobs::{no_such_job, search_failed, suspended, with_algorithm};
use super::times::{at_or_now, civil_day, instant, skipped_in, zone_of};
use crate::args::{AlgorithmArgs, JobArgs, TzArgs, count};
use crate::complete;
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor};
use crate::output::csv::{COLUMNS, SEED_COLUMNS};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ListForm;
use crate::output::list::{List, ListStyle};
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::{CivilDay, DayArg, TimeArg};

/// How many entries are listed without `-c`.
const COUNT: u64 = 10;
/// If nothing is found, the reason is printed for at most this many jobs.
const REASONS: usize = 10;

/// List the next starts
///
/// Starts are listed in order of time, those of several jobs together.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  kron next '0 1 * * * @tz(Europe/Paris) @win(after,3h)' --name db/backup --local
      the next ten starts, as clocks in Paris show them
  kron next -f jobs.kron --from 2026-03-01 --until 2026-03-08 --tz Europe/Paris -o csv
      every start of a week in Paris, for a spreadsheet
  kron next -f jobs/ --job db/backup --job db/vacuum --day tomorrow
      every start of two jobs tomorrow, in UTC
  kubectl get kronjobs -A -o yaml | kron next -f - -o ndjson
      what a cluster is about to start
  kron next -f examples/manifests/ --primers
      the starts of KronJobs, and when a Job is made to have a node ready for each
  kron next '0 20 * * * @win(after,1h) @avoid(dow=FRI)' --name ml/train --nominal
      the same by nominal time, with the Fridays that have no start

Exit codes: 0 success; 1 nothing found; 2 bad arguments or input")]
pub(crate) struct NextArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// List only the job of this name in the files; may be repeated
    #[arg(long = "job", value_name = "NAME", conflicts_with = "text")]
    #[arg(add = ArgValueCompleter::new(complete::job_names))]
    pub(crate) names: Vec<String>,

    /// List what comes after this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["from", "day"])]
    pub(crate) at: Option<TimeArg>,

    /// List what comes at this time or after it
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with = "day")]
    pub(crate) from: Option<TimeArg>,

    /// List what comes before this time
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with = "day")]
    pub(crate) until: Option<TimeArg>,

    /// List what comes on this day
    ///
    /// A day lasts from its first instant in the zone of --tz to the first instant of the next
    /// day. It has 24 hours, or fewer or more if clocks change.
    #[arg(long, value_name = "DAY", value_parser = DayArg::parse, verbatim_doc_comment)]
    pub(crate) day: Option<DayArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// How many to list; default: 10, or with --until or --day all
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) count: Option<u64>,

    /// List periods in order of nominal time instead, those without a start included
    ///
    /// The nominal time is the instant that the cron expression names. --at, --from, --until and
    /// --day then refer to it, and not to the start.
    #[arg(long, verbatim_doc_comment)]
    pub(crate) nominal: bool,

    /// Print when the primer of each start is made (`spec.primer` of a KronJob)
    ///
    /// The table has one more column, and JSON and CSV have primerTime. It is empty where a job has
    /// no primer, or where less than 30 seconds are left between the start before and this one.
    #[arg(long, conflicts_with = "nominal", verbatim_doc_comment)]
    pub(crate) primers: bool,

    /// Print the times of the table in each job's zone, with their offsets
    ///
    /// JSON and CSV stay in UTC, so that they read the same everywhere.
    #[arg(long)]
    pub(crate) local: bool,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ListForm,

    /// The columns of -o csv, separated by commas
    ///
    /// Default: name,nominalTime,windowStart,windowEnd,chosenTime,unschedulable. The others are
    /// algorithm, periodId, periodKey, seedInput (whose values have line feeds), seedHash, draws.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', hide_possible_values = true)]
    #[arg(verbatim_doc_comment)]
    #[arg(value_parser = PossibleValuesParser::new(COLUMNS))]
    pub(crate) columns: Vec<String>,

    #[command(flatten)]
    pub(crate) algorithm: AlgorithmArgs,
}

pub(crate) fn run(args: &NextArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if !args.columns.is_empty() && args.output != ListForm::Csv {
        return Err(session.fail(&Diagnostic::error("--columns is only for -o csv"), ExitStatus::Error));
    }
    // JSON has the seed, and CSV if its columns are asked for.
    let seeds = match args.output {
        ListForm::Json | ListForm::Ndjson => true,
        ListForm::Csv => args.columns.iter().any(|column| SEED_COLUMNS.contains(&column.as_str())),
        ListForm::Table => false,
    };
    let name_for = if seeds { NameFor::Seeds } else { NameFor::Windows };
    let input = Input::read(&args.jobs, name_for, session)?.valid(session)?;
    let leads: BTreeMap<String, PrimerLead> = input
        .entries
        .iter()
        .filter_map(|entry| Some((entry.job.name().to_string(), entry.primer?)))
        .collect();
    let jobs = input.entries.into_iter().map(|entry| entry.job).collect();
    let jobs = of_names(jobs, &args.names).map_err(|error| session.fail(&error, ExitStatus::Error))?;
    let jobs = with_algorithm(jobs, args.algorithm.algorithm, session)?;
    let fleet =
        Fleet::new(jobs).map_err(|error| session.fail(&Diagnostic::of_error(&error), ExitStatus::Error))?;
    let jobs = fleet.jobs();
    let range = Range::of(args, session)?;

    let mut primers = Primers::new(jobs, &leads);
    let style = ListStyle {
        form: args.output,
        nominal: args.nominal,
        local: args.local,
        primers: args.primers,
        columns: &args.columns,
    };
    let mut list = List::begin(style, jobs, &mut session.out)?;
    let count = args.count.unwrap_or(if range.bounded { u64::MAX } else { COUNT });
    let mut left = count;
    let mut listed = vec![false; jobs.len()];
    let mut failed = vec![false; jobs.len()];
    let mut last = range.from;
    let mut series: Box<dyn Iterator<Item = (usize, Result<Decision<'_>, Error>)>> = if args.nominal {
        Box::new(fleet.periods(range.from, range.to).map(|(index, decision)| (index, Ok(decision))))
    } else {
        Box::new(fleet.starts(range.from, range.to))
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
        let note = passed_over(searched.map(|job| job.unschedulable_in(range.from, end)).sum());
        if let Some(note) = note {
            session.report(&note);
        }
    }
    for (job, _) in jobs.iter().zip(&listed).filter(|(job, listed)| **listed && job.spec().policy().suspend())
    {
        session.report(&suspended(job));
    }
    // If a search gave up before the end of the range, the list is incomplete.
    let incomplete = range.bounded && failed.contains(&true);
    if left < count && !incomplete {
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
    } else if !failed.contains(&true) {
        let what = if args.nominal { "no nominal time" } else { "no start" };
        let mut error = Diagnostic::error(format!("there is {what} {}", range.words));
        error.help = jobs.iter().find_map(|job| skipped_in(job, range.from, range.to));
        session.report(&error);
    }
    Ok(ExitStatus::Failure)
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

/// The jobs of these names, in the order of the files; without names, all jobs.
fn of_names(mut jobs: Vec<Job>, names: &[String]) -> Result<Vec<Job>, Box<Diagnostic>> {
    if names.is_empty() {
        return Ok(jobs);
    }
    if let Some(name) = names.iter().find(|name| jobs.iter().all(|job| job.name() != name.as_str())) {
        return Err(no_such_job(&jobs, name));
    }
    jobs.retain(|job| names.iter().any(|name| name == job.name()));
    Ok(jobs)
}

/// The range of a list.
struct Range {
    /// The first Unix second.
    from: i64,
    /// The Unix second after the last.
    to: i64,
    /// Whether the arguments name an end.
    bounded: bool,
    /// The range in words, to put after "no start".
    words: String,
}

impl Range {
    fn of(args: &NextArgs, session: &mut Session<'_>) -> Result<Range, Stop> {
        let zone = zone_of(&args.tz, session)?;
        if let Some(day) = args.day {
            let CivilDay { date, first: from, end: to } = civil_day(day, &zone, session)?;
            return Ok(Range { from, to, bounded: true, words: format!("on {date} in {zone}") });
        }
        // Ranges of the core include their first second; `--at` is not included.
        let (from, begin, mut words) = match args.from {
            Some(from) => {
                let from = instant("--from", from, &zone, session)?;
                (from.ceil(), from.ceil(), format!("from {} on", time::utc(from)))
            }
            None => {
                let at = at_or_now(args.at, &args.tz, session)?;
                (at.saturating_add(1), at, format!("after {}", time::utc_of(at)))
            }
        };
        let Some(until) = args.until else {
            return Ok(Range { from, to: i64::MAX, bounded: false, words });
        };
        let until = instant("--until", until, &zone, session)?;
        let to = until.ceil();
        if to <= begin {
            let message = format!("--until is not after {}, where the list begins", time::utc_of(begin));
            return Err(session.fail(&Diagnostic::error(message), ExitStatus::Error));
        }
        words += &format!(" and before {}", time::utc(until));
        Ok(Range { from, to, bounded: true, words })
    }
}

/// A note on periods that are not listed, as they have no start.
fn passed_over(count: u64) -> Option<Diagnostic> {
    let periods = match count {
        0 => return None,
        1 => "1 unschedulable period is".to_string(),
        _ => format!("{count} unschedulable periods are"),
    };
    let mut note = Diagnostic::note(format!("{periods} not listed, because the constraints allow no start"));
    note.help = Some("--nominal lists all periods".to_string());
    Some(note)
}
