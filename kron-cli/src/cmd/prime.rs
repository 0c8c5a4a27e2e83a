//! `kron prime`: the cron expressions that fire some time before a schedule.

use std::io::Write as _;

use chrono::{DateTime, Months, Utc};
use clap::Args;
use kron_core::{Cron, Duration, ErrorCode, JobSpec, LeadChange, Modifier, Primed, Schedule, Zone};
use serde::Serialize;

use super::jobs::no_such_job;
use super::times::{at_or_now, zone_of};
use crate::args::{JobArgs, TzArgs};
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor};
use crate::output::diagnostic::Diagnostic;
use crate::output::form::PrimeForm;
use crate::output::json::Array;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::{TimeArg, duration};

/// Clock changes are searched for this many months ahead.
const MONTHS: Months = Months::new(36);

/// Print the cron expressions that fire some time before a schedule
///
/// The expressions fire at exactly the civil times of the schedule minus the lead, and no fewer expressions
/// do. Use them with the time zone of the job, to start what has to be warm when the job starts. A job with
/// a window or constraints has no such expressions.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron prime '0 9 * * MON-FRI' --lead 10m
      50 8 * * 1-5
  kron prime '*/20 0 * * MON' --lead 10m --tz Europe/Paris
      two expressions, and warnings about the days on which clocks change
  kron prime '0 0 1 3 *' --lead 10m --cover
      an expression that also fires on 28 February of leap years
  kron prime -f jobs.kron --lead 15m
      an expression and a name on each line, with a tab between them

Exit codes: 0 success; 1 there are no such expressions; 2 bad arguments or input"
)]
pub(crate) struct PrimeArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// How long before each start, in whole minutes from 1m to 744h
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) lead: Duration,

    /// Which job of the files; default: all
    #[arg(long, value_name = "NAME", conflicts_with = "text")]
    pub(crate) job: Option<String>,

    /// Where no expressions fit exactly, print those that also fire at the fewest other times
    #[arg(long)]
    pub(crate) cover: bool,

    /// Warn about changes of the clocks in the three years after this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) at: Option<TimeArg>,

    /// The time zone of the schedule in TEXT; default: UTC
    #[arg(long, value_name = "ZONE", conflicts_with = "files")]
    pub(crate) tz: Option<String>,

    /// The form of the answer
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: PrimeForm,
}

pub(crate) fn run(args: &PrimeArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let schedules = schedules(args, session)?;
    let from = at_or_now(args.at, &TzArgs { zone: None }, session)?;
    let until = DateTime::from_timestamp(from, 0).and_then(|from| from.checked_add_months(MONTHS));
    let until = until.unwrap_or(DateTime::<Utc>::MAX_UTC);
    let mut status = ExitStatus::Success;
    let mut array = Array::default();
    for (name, spec) in &schedules {
        let primed = if args.cover { spec.prime_cover(args.lead) } else { spec.prime(args.lead) };
        let primed = match primed {
            Ok(primed) => primed,
            // A wrong lead is wrong for every job.
            Err(error) if error.code() == ErrorCode::OutOfBounds => {
                return Err(session.fail(&Diagnostic::of_error(&error), ExitStatus::Error));
            }
            Err(error) => {
                let mut diagnostic = Diagnostic::of_error(&error);
                diagnostic.name.clone_from(name);
                session.report(&diagnostic);
                status = ExitStatus::Failure;
                continue;
            }
        };
        let schedule = spec.schedule().in_zone(spec.timezone().clone());
        // The lead is valid for the expressions, so it is valid for their changes.
        let changes = schedule.lead_changes(args.lead, from, until).unwrap_or_default();
        match args.output {
            PrimeForm::Text => {
                for text in primed.texts() {
                    match name {
                        Some(name) => writeln!(session.out, "{text}\t{name}")?,
                        None => writeln!(session.out, "{text}")?,
                    }
                }
            }
            PrimeForm::Json => {
                array.item(
                    &mut session.out,
                    &Answer::new(name.as_deref(), &schedule, args, &primed, &changes),
                )?;
            }
        }
        for mut warning in warnings(&primed, &changes) {
            warning.name.clone_from(name);
            session.report(&warning);
        }
    }
    if args.output == PrimeForm::Json {
        array.end(&mut session.out)?;
    }
    Ok(status)
}

/// The schedules to prime: that of TEXT, without a name, or those of the files.
fn schedules(args: &PrimeArgs, session: &mut Session<'_>) -> Result<Vec<(Option<String>, JobSpec)>, Stop> {
    let mut jobs = Input::read_valid(&args.jobs, NameFor::None, session)?;
    if let Some(name) = &args.job {
        if !jobs.iter().any(|job| job.name() == name) {
            return Err(session.fail(&no_such_job(&jobs, name), ExitStatus::Error));
        }
        jobs.retain(|job| job.name() == name);
    }
    let zone = zone_of(&TzArgs { zone: args.tz.clone() }, session)?;
    let named = args.jobs.text.is_none();
    let mut schedules = Vec::new();
    for job in jobs {
        let name = named.then(|| job.name().to_string());
        let mut spec = job.into_spec();
        // Files say the zone of each job; clap refuses `--tz` there.
        if let (Some(_), Some(text)) = (&args.tz, &args.jobs.text) {
            let written = session.parser()?.spec_with_modifiers(text);
            let names_zone = written.is_ok_and(|(_, modifiers)| modifiers.contains(Modifier::Timezone));
            if names_zone && *spec.timezone() != zone {
                let message = format!("--tz is {zone}, and the text says {}", spec.timezone());
                let help = Some("leave out `--tz`, or `@tz` in the text".to_string());
                let diagnostic = Diagnostic { help, ..Diagnostic::error(message) };
                return Err(session.fail(&diagnostic, ExitStatus::Error));
            }
            let built = spec.to_builder().timezone(zone.clone()).build();
            spec = built.map_err(|error| session.fail(&Diagnostic::of_error(&error), ExitStatus::Error))?;
        }
        schedules.push((name, spec));
    }
    Ok(schedules)
}

/// The warnings for users of the expressions.
fn warnings(primed: &Primed, changes: &[LeadChange]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    if primed.surplus() > 0 {
        let surplus = primed.surplus_per_year();
        warnings.push(Diagnostic::warning(format!(
            "the expressions also fire at {} other times a year on average",
            if surplus < 10.0 { format!("{surplus:.2}") } else { format!("{surplus:.0}") }
        )));
    }
    if !primed.is_minimal() {
        let message = "the search for fewer expressions ended at its limit; there may be a shorter answer";
        warnings.push(Diagnostic::warning(message));
    }
    warnings.extend(changes.iter().map(|change| Diagnostic::warning(change.to_string())));
    warnings
}

/// The JSON object of a schedule.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    schedule: Cron,
    timezone: &'a Zone,
    lead: String,
    expressions: Vec<&'a str>,
    /// Whether no smaller number of expressions fires at the same times.
    minimal: bool,
    /// Times in 1970 to 2099 that only a cover has, for each year.
    surplus_per_year: f64,
    clock_changes: Vec<Change>,
}

/// A change of the clocks that changes a lead.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    /// When the clocks change.
    time: String,
    kind: &'static str,
    /// Civil times, without an offset.
    start: String,
    primed: String,
    /// From the primed firing to the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_seconds: Option<i64>,
}

impl<'a> Answer<'a> {
    fn new(
        name: Option<&'a str>,
        schedule: &'a Schedule,
        args: &PrimeArgs,
        primed: &'a Primed,
        changes: &[LeadChange],
    ) -> Answer<'a> {
        Answer {
            name,
            schedule: schedule.cron(),
            timezone: schedule.zone(),
            lead: args.lead.to_string(),
            expressions: primed.texts().collect(),
            minimal: primed.is_minimal(),
            surplus_per_year: primed.surplus_per_year(),
            clock_changes: changes.iter().map(Change::new).collect(),
        }
    }
}

impl Change {
    fn new(change: &LeadChange) -> Change {
        Change {
            time: time::utc(change.time()),
            kind: change.kind.as_str(),
            start: change.start_text(),
            primed: change.primed_text(),
            lead_seconds: change.kind.seconds(),
        }
    }
}
