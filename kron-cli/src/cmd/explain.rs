//! `kron explain`: every step from the cron expression to the second, in plain words; the page is in `output/explanation.rs`.

use std::io::Write as _;

use chrono::{DateTime, Utc};
use clap::Args;
use kron_core::proof::Receipt;
use kron_core::{Decision, Error, ErrorCode, Instant as _, Job};

use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, Range, RangeArgs};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, civil_day, instant, zone_of};
use crate::args::{AlgorithmArgs, SaveArgs};
use crate::exit_status::ExitStatus;
use crate::input::pick::{suspended, with_algorithm};
use crate::input::{Input, NameFor, Request};
use crate::output::clocks::skipped_in;
use crate::output::diagnostic::Diagnostic;
use crate::output::explanation::{ResultPlace, page_for, schedule_of};
use crate::output::form::ExplainForm;
use crate::output::json::Array;
use crate::output::page::fitted;
use crate::output::strip::svg::explanation_svg;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::{CivilDay, NominalArg, TimeArg};

/// The range without options.
const RANGE: DefaultRange =
    DefaultRange { words: "from now on", begin: Begin::Now, length: Length::Endless, days_max: None };

/// The arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    #[command(flatten)]
    range: RangeArgs,

    /// Begin after this time: a start at this time is not explained
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["from", "day"])]
    at: Option<TimeArg>,

    /// Explain the period of this nominal time, whether it has a start or not
    ///
    /// A date, today, tomorrow and yesterday mean the first period of that day, and `previous` means the
    /// last period before --at, or before now.
    #[arg(long, value_name = "TIME", value_parser = NominalArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["from", "until", "length", "day"])]
    nominal: Option<NominalArg>,

    #[command(flatten)]
    tz: TzArgs,

    /// Plain words, receipts, or a picture; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ExplainForm>,

    #[command(flatten)]
    algorithm: AlgorithmArgs,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for ExplainArgs {
    const HELP: Help = Help {
        about: "Show step by step how a start was chosen",
        example: "kron explain '0 1 * * * @win(after,3h)' --name db/backup",
        range: Some(RANGE),
        notes: || {
            "The first start of the range is explained. If the range has an end, each of its periods is explained, \
             in order of nominal time; -o json then prints an array of receipts. -o svg shows one period."
                .to_string()
        },
        exit_codes: "0 success; 1 there is no such start or period; 2 bad arguments or input",
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

fn run(args: &ExplainArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    if args.at.is_some() && args.nominal.is_some_and(|nominal| nominal != NominalArg::Previous) {
        return Err(Diagnostic::error("--at cannot be used with --nominal, unless that is `previous`").into());
    }
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Seeds);
    let entry = Input::read(request, session)?.valid(session)?.pick(&args.pick)?.one()?;
    let jobs = with_algorithm(vec![entry.into_job()], args.algorithm.algorithm)?;
    // OK because there is one job.
    let Some(job) = jobs.first() else { return Ok(ExitStatus::Failure) };
    match asked(args, job, session)? {
        Asked::Periods(range) => {
            let mut nominals = nominals(job, range.from, range.to).peekable();
            if nominals.peek().is_none() {
                return Err(no_period(job, &range.words, range.from, range.to));
            }
            periods(form, job, nominals, session)?;
        }
        Asked::Period(nominal) if form == ExplainForm::Json => {
            writeln!(session.out, "{}", receipt(job, job.decide(nominal))?.to_json())?;
        }
        Asked::Period(nominal) => {
            let page = page(form, job, nominal, session)?;
            session.out.write_all(page.as_bytes())?;
        }
        Asked::StartAfter(at) if form == ExplainForm::Json => {
            writeln!(session.out, "{}", receipt(job, job.next_start(at))?.to_json())?;
        }
        Asked::StartAfter(at) => {
            let start = job.next_start(at).map_err(|error| refused(job, &error))?;
            let page = page(form, job, start.nominal_time(), session)?;
            session.out.write_all(page.as_bytes())?;
        }
    }
    if form == ExplainForm::Text && job.spec().policy().suspend() {
        session.report(&suspended(job));
    }
    Ok(ExitStatus::Success)
}

/// Explains several periods.
fn periods(
    form: ExplainForm,
    job: &Job,
    mut nominals: impl Iterator<Item = DateTime<Utc>>,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    match form {
        ExplainForm::Json => {
            let mut array = Array::default();
            for nominal in nominals {
                array.item(&mut session.out, &receipt(job, job.decide(nominal))?)?;
            }
            array.end(&mut session.out)?;
        }
        ExplainForm::Text => {
            for (index, nominal) in nominals.enumerate() {
                let separator = if index > 0 { "\n" } else { "" };
                let page = page(form, job, nominal, session)?;
                write!(session.out, "{separator}{page}")?;
            }
        }
        ExplainForm::Svg => {
            let (first, second) = (nominals.next(), nominals.next());
            if second.is_some() {
                let error = Diagnostic::error("-o svg shows one period, and the range has more");
                return Err(error.help("--nominal TIME names one period").into());
            }
            if let Some(nominal) = first {
                let picture = page(form, job, nominal, session)?;
                session.out.write_all(picture.as_bytes())?;
            }
        }
    }
    Ok(())
}

/// What is to be explained.
enum Asked {
    /// The period of a nominal time.
    Period(DateTime<Utc>),
    /// The first start after a Unix second.
    StartAfter(i64),
    /// Each period whose nominal time is in the range.
    Periods(Range),
}

/// The period that `--nominal` names, the periods of a range with an end, or the next start.
fn asked(args: &ExplainArgs, job: &Job, session: &mut Session<'_>) -> Result<Asked, Stop> {
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let nominal = match args.nominal {
        Some(NominalArg::At(time)) => instant("--nominal", time, &zone, session)?,
        Some(NominalArg::FirstOf(day)) => {
            let CivilDay { date, first, end } = civil_day("--nominal", day, &zone, session)?;
            let none = || no_period(job, &format!("on {date} in {zone}"), first, end);
            nominals(job, first, end).next().ok_or_else(none)?
        }
        Some(NominalArg::Previous) => {
            let at = match args.at {
                Some(at) => instant("--at", at, &zone, session)?,
                None => session.now(),
            };
            // `previous` excludes a period at the second itself.
            let before = at.ceil().saturating_sub(1);
            match schedule_of(job).series_back(before).next() {
                Some(nominal) => nominal,
                // The error of the core says why there is none.
                None => {
                    let none = job.prev_period(before).map(|decision| decision.nominal_time());
                    none.map_err(|error| refused(job, &error))?
                }
            }
        }
        None => {
            let range = args.range.resolve(args.at, RANGE, &zone, session)?;
            return Ok(match range.bounded {
                true => Asked::Periods(range),
                false => Asked::StartAfter(range.from.saturating_sub(1)),
            });
        }
    };
    Ok(Asked::Period(nominal))
}

/// The nominal times of a range of Unix seconds.
fn nominals(job: &Job, from: i64, to: i64) -> impl Iterator<Item = DateTime<Utc>> {
    let all = schedule_of(job).series(from.saturating_sub(1));
    all.take_while(move |nominal| nominal.timestamp() < to)
}

/// The receipt of a decision.
fn receipt(job: &Job, decision: Result<Decision<'_>, Error>) -> Result<Receipt, Stop> {
    decision.map(|decision| Receipt::new(job, &decision)).map_err(|error| refused(job, &error))
}

/// The page about the period of a nominal time, or its picture.
fn page(form: ExplainForm, job: &Job, nominal: DateTime<Utc>, session: &Session<'_>) -> Result<String, Stop> {
    let explanation = job.explain(nominal).map_err(|error| refused(job, &error))?;
    Ok(match form {
        ExplainForm::Svg => explanation_svg(job, &explanation),
        _ => {
            let terminal = session.terminal();
            let page = |place| page_for(job, &explanation, terminal, place);
            // A pipe takes lines as they are.
            let Some((_, rows)) = session.terminal_size() else { return Ok(page(ResultPlace::First)) };
            let first = fitted(&page(ResultPlace::First), terminal.columns);
            // The last line of a terminal is that of the prompt.
            let fits = first.lines().count() < rows.into();
            if fits { first } else { fitted(&page(ResultPlace::Last), terminal.columns) }
        }
    })
}

/// The error about a range without periods; `words` follow "there is no period".
fn no_period(job: &Job, words: &str, from: i64, to: i64) -> Stop {
    let error = Diagnostic::error(format!("there is no period {words}")).job(job.name());
    Stop::with(Diagnostic { help: skipped_in(job, from, to), ..error }, ExitStatus::Failure)
}

/// A search without a result has exit code 1. Any other error is one of the arguments.
fn refused(job: &Job, error: &Error) -> Stop {
    let diagnostic = Diagnostic::of_error(error);
    if error.code() == ErrorCode::NominalTime {
        return diagnostic.into();
    }
    let diagnostic = diagnostic.job(job.name());
    let diagnostic = match error.code() {
        ErrorCode::NoSchedulablePeriod => {
            diagnostic.help("--nominal TIME explains one period that has no start")
        }
        _ => diagnostic,
    };
    Stop::with(diagnostic, ExitStatus::Failure)
}
