//! `kron explain`: every step from the cron expression to the second, in plain words.
//!
//! All values come from the core's explanation. This file only formats them.

use std::cmp::Ordering;
use std::io::Write as _;

use chrono::{DateTime, Utc};
use clap::Args;
use kron_core::constraint::Forbidden;
use kron_core::cron::ClockChange;
use kron_core::proof::{DrawStep, Explanation, Receipt};
use kron_core::{
    Decision, Error, ErrorCode, Instant as _, Job, Schedule, SeedStrategy, Unschedulable, WindowMode, Zone,
};

use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, Range, RangeArgs};
use crate::args::time::{TzArgs, civil_day, instant, zone_of};
use crate::args::{AlgorithmArgs, SaveArgs};
use crate::exit_status::ExitStatus;
use crate::input::pick::{suspended, with_algorithm};
use crate::input::{Input, NameFor};
use crate::output::clocks::{clocks_go, skipped_in};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ExplainForm;
use crate::output::json::Array;
use crate::output::page::Page;
use crate::output::plural::plural;
use crate::output::table::{Table, printable};
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::{CivilDay, NominalArg, TimeArg};

/// The most runs of allowed seconds that are listed.
const RUNS_SHOWN: usize = 6;

/// The range without options.
const RANGE: DefaultRange =
    DefaultRange { words: "from now on", begin: Begin::Now, length: Length::Endless, days_max: None };

/// The arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    jobs: JobArgs,

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
    #[arg(verbatim_doc_comment, conflicts_with_all = ["from", "until", "length", "day"])]
    nominal: Option<NominalArg>,

    #[command(flatten)]
    tz: TzArgs,

    /// Plain words, or receipts
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    output: ExplainForm,

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
            "The first start of the range is explained. If the range has an end, each of its periods is explained,\n\
             in order of nominal time; -o json then prints an array of receipts."
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
    if args.at.is_some() && args.nominal.is_some_and(|nominal| nominal != NominalArg::Previous) {
        return Err(Diagnostic::error("--at cannot be used with --nominal, unless that is `previous`").into());
    }
    let entry = Input::read(&args.jobs, NameFor::Seeds, session)?.valid(session)?.pick(&args.pick)?.one()?;
    let jobs = with_algorithm(vec![entry.into_job()], args.algorithm.algorithm)?;
    // OK because there is one job.
    let Some(job) = jobs.first() else { return Ok(ExitStatus::Failure) };
    let json = args.output == ExplainForm::Json;
    match asked(args, job, session)? {
        Asked::Periods(range) => {
            let mut nominals = nominals(job, range.from, range.to).peekable();
            if nominals.peek().is_none() {
                return Err(no_period(job, &range.words, range.from, range.to));
            }
            let mut array = Array::default();
            for (index, nominal) in nominals.enumerate() {
                if json {
                    let receipt = receipt(job, job.decide(nominal))?;
                    array.item(&mut session.out, &receipt)?;
                } else {
                    let separator = if index > 0 { "\n" } else { "" };
                    write!(session.out, "{separator}{}", page(job, nominal)?)?;
                }
            }
            if json {
                array.end(&mut session.out)?;
            }
        }
        Asked::Period(nominal) if json => {
            writeln!(session.out, "{}", receipt(job, job.decide(nominal))?.to_json())?;
        }
        Asked::Period(nominal) => session.out.write_all(page(job, nominal)?.as_bytes())?,
        Asked::StartAfter(at) if json => {
            writeln!(session.out, "{}", receipt(job, job.next_start(at))?.to_json())?;
        }
        Asked::StartAfter(at) => {
            let start = job.next_start(at).map_err(|error| refused(job, &error))?;
            session.out.write_all(page(job, start.nominal_time())?.as_bytes())?;
        }
    }
    if !json && job.spec().policy().suspend() {
        session.report(&suspended(job));
    }
    Ok(ExitStatus::Success)
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

fn schedule_of(job: &Job) -> Schedule {
    job.spec().schedule().in_zone(job.spec().timezone().clone())
}

/// The receipt of a decision.
fn receipt(job: &Job, decision: Result<Decision<'_>, Error>) -> Result<Receipt, Stop> {
    decision.map(|decision| Receipt::new(job, &decision)).map_err(|error| refused(job, &error))
}

/// The page about the period of a nominal time.
fn page(job: &Job, nominal: DateTime<Utc>) -> Result<String, Stop> {
    let explanation = job.explain(nominal).map_err(|error| refused(job, &error))?;
    Ok(explanation_page(job, &explanation))
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

/// The page that `kron explain` prints for a decision of a job.
///
/// ```
/// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
/// let page = kron_cli::explanation_page(&job, &job.explain(0)?);
/// assert!(page.starts_with("prod/db-backup\n0 0 * * * @win(after,3h0m0s)\n\nSchedule     0 0 * * * in"));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn explanation_page(job: &Job, explanation: &Explanation<'_>) -> String {
    let mut page = Page::new(&format!("{}\n{}", printable(job.name()), printable(&job.spec().to_string())));
    schedule(&mut page, job, explanation);
    window(&mut page, job, explanation);
    constraints(&mut page, job, explanation);
    seed(&mut page, job, explanation);
    draws(&mut page, job, explanation);
    result(&mut page, job, explanation);
    clock_changes(&mut page, job, explanation);
    page.into_text()
}

/// A time in UTC and, if the zone is another, as its clocks show it.
fn both(timestamp: i64, zone: &Zone) -> String {
    let utc = time::utc_of(timestamp);
    if *zone == Zone::UTC { utc } else { format!("{utc}, {} in {zone}", time::local_of(timestamp, zone)) }
}

fn schedule(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let spec = job.spec();
    page.head("Schedule", &format!("{} in the time zone {}", spec.schedule(), spec.timezone()));
    page.head("Period", &both(explanation.decision.nominal_timestamp(), spec.timezone()));
    page.line("This is the nominal time, the instant that the schedule names.");
    if !explanation.on_schedule {
        page.line("It is not on the schedule, so no host starts the job for it.");
    }
}

fn window(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let (spec, decision) = (job.spec(), &explanation.decision);
    let window = spec.window();
    let place = match window.mode() {
        WindowMode::After => "from the nominal time on",
        WindowMode::Around => "half before, half after the nominal time",
        WindowMode::Before => "up to the nominal time",
    };
    page.head("Window", &format!("{}, {place}", window.duration()));
    page.line(&format!("first {}", both(decision.window_start_timestamp(), spec.timezone())));
    page.line(&format!("last  {}", both(decision.window_end_timestamp(), spec.timezone())));
    page.line(&match explanation.candidates {
        1 => "1 candidate: there is nothing to choose.".to_string(),
        candidates => {
            format!("{candidates} candidates, the whole seconds in it; distribution {}", spec.distribution())
        }
    });
}

fn constraints(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let constraints = job.spec().constraints();
    if constraints.is_empty() {
        return page.head("Constraints", "none: every candidate is allowed");
    }
    let clauses = constraints.to_string();
    page.head("Constraints", &clauses);
    for calendar in constraints.calendars() {
        let (name, ranges) = (calendar.name(), plural(calendar.dates().count(), "range"));
        page.line(&format!("calendar {name}: {ranges} of dates, SHA-256 {}", calendar.content_hash()));
    }
    page.line(&format!("allowed: {} of {} candidates", explanation.allowed, explanation.candidates));
    let runs = &explanation.allowed_runs;
    let show = |at| time::local_of(at, job.spec().timezone());
    for (first, last) in runs.iter().take(RUNS_SHOWN) {
        page.line(&format!("  {} to {}", show(*first), show(*last)));
    }
    if runs.len() > RUNS_SHOWN {
        page.line("  and more");
    }
}

fn seed(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let decision = &explanation.decision;
    let strategy = job.spec().seed().strategy();
    let shared = match strategy {
        SeedStrategy::Stable => "each period has its own draw",
        SeedStrategy::Daily => "all periods of a day in the job's zone share a draw",
        SeedStrategy::Weekly => "all periods of an ISO week in the job's zone share a draw",
        SeedStrategy::Fixed => "all periods share one draw",
    };
    page.head("Seed", &format!("{strategy}: {shared}; period key {}", decision.period_key()));
    // In debug form, because line feeds separate name, key and salt.
    page.line(&format!("input {}", quoted(&decision.seed_input())));
    page.line(&format!("hash  {}", decision.seed_hash()));
    page.line(&format!("by {}", decision.algorithm()));
}

/// In double quotes, with line feeds as `\n`.
fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&text.replace('\\', "\\\\").replace('"', "\\\"")))
}

fn draws(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    if explanation.draws.is_empty() {
        return;
    }
    if explanation.allowed == 0 {
        // All lines would be equal.
        return page.head("Draws", &format!("{} draws, all forbidden", explanation.draws.len()));
    }
    let zone = job.spec().timezone();
    let rows: Vec<[String; 5]> =
        explanation.draws.iter().enumerate().map(|(i, draw)| row(i + 1, draw, job)).collect();
    let headings = ["DRAW", "U", "POSITION", "CANDIDATE", ""];
    let mut table = Table::new(headings);
    for [_, u, position, candidate, _] in &rows {
        table = table.fit(1, u).fit(2, position).fit(3, candidate);
    }
    page.head("Draws", "u is uniform from 0 to 1; the distribution makes it a position in the window.");
    let mut text = Vec::new();
    for row in std::iter::once(headings).chain(rows.iter().map(|row| row.each_ref().map(String::as_str))) {
        // Writing to a vector cannot fail.
        let _ = table.row(&mut text, row);
    }
    String::from_utf8_lossy(&text).lines().for_each(|line| page.line(line));

    if let Some(closed) = &explanation.closed_up {
        let u = closed.u.map_or_else(String::new, |u| format!("u {u}, "));
        page.head(
            "Closed up",
            "None of 64 draws was allowed, so the allowed seconds, pushed together, take the place",
        );
        page.line("of the window, and one more draw picks one of them.");
        page.line(&format!(
            "{u}position {} among {} seconds: {}",
            closed.quantile,
            explanation.allowed,
            time::local_of(closed.chosen, zone)
        ));
    }
}

fn row(number: usize, draw: &DrawStep, job: &Job) -> [String; 5] {
    let verdict = match draw.forbidden {
        None => "allowed".to_string(),
        Some(Forbidden::NoOnlyClause) => "forbidden: no @only clause matches".to_string(),
        Some(Forbidden::AvoidClause(index)) => {
            let clause =
                job.spec().constraints().avoid().get(index).map(ToString::to_string).unwrap_or_default();
            // In @avoid the parts of one clause are joined by `&`.
            format!("forbidden by @avoid({})", clause.replace(';', "&"))
        }
    };
    let u = draw.u.map_or_else(String::new, |u| u.to_string());
    let candidate = time::local_of(draw.candidate, job.spec().timezone());
    [number.to_string(), u, draw.quantile.to_string(), candidate, verdict]
}

fn result(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let decision = &explanation.decision;
    let (nominal, first) = (decision.nominal_timestamp(), decision.window_start_timestamp());
    let Some(chosen) = decision.chosen_timestamp() else {
        let why = match decision.unschedulable() {
            Some(Unschedulable::DrawsExhausted) => {
                "none of its 64 draws is allowed, and this algorithm tries no further (drawsExhausted)"
            }
            // A decision without a chosen time has one of these two reasons.
            Some(Unschedulable::NoAllowedSecond) | None => {
                "the constraints allow no second of its window (noAllowedSecond)"
            }
        };
        return page.head("Result", &format!("does not start: {why}"));
    };
    page.head("Result", &format!("starts at {}", both(chosen, job.spec().timezone())));
    let mut sentence = format!("{} into its window", time::span(first, chosen));
    if first != nominal {
        sentence += &match chosen.cmp(&nominal) {
            Ordering::Less => format!(", {} before its nominal time", time::span(chosen, nominal)),
            Ordering::Equal => ", at its nominal time".to_string(),
            Ordering::Greater => format!(", {} after its nominal time", time::span(nominal, chosen)),
        };
    }
    page.line(&sentence);
}

fn clock_changes(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let (schedule, nominal) = (schedule_of(job), explanation.decision.nominal_timestamp());
    let sentence =
        |change: ClockChange, what: &str| format!("{} {what}: {}", change.civil_text(), clocks_go(&change));
    let skipped =
        schedule.next_skipped(nominal).map(|change| sentence(change, "does not exist and has no period"));
    let doubled =
        schedule.next_doubled(nominal).map(|change| sentence(change, "occurs twice and has two periods"));
    let mut sentences = skipped.into_iter().chain(doubled);
    if let Some(first) = sentences.next() {
        page.head("Clocks", &first);
    }
    sentences.for_each(|next| page.line(&next));
}
