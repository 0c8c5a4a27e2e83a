//! `kron prime`: the cron expressions that fire some time before a schedule.

use std::io::Write as _;

use chrono::{DateTime, Months, Utc};
use kron_core::{Cron, ErrorCode, JobSpec, LeadChange, Modifier, Primed, Schedule, Zone};
use serde::Serialize;

use super::{at_or_now, no_such_job, zone_of};
use crate::ExitStatus;
use crate::args::{PrimeArgs, PrimeForm, TzArgs};
use crate::input::Input;
use crate::output::diagnostic::Diagnostic;
use crate::output::json::Array;
use crate::output::time;
use crate::session::{Session, Stop};

/// Changes of the clocks are looked for so many months ahead.
const MONTHS: Months = Months::new(36);

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
            // The lead is wrong for every job.
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
        // The lead was good for the expressions, so it is good for their changes.
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
    let mut jobs = Input::read_valid(&args.jobs, false, session)?;
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

/// What a user of the expressions has to know.
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
    /// Whether no fewer expressions say the same.
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
