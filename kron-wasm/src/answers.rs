//! The answers to requests, as JSON. Decisions, explanations and receipts are the core's own.

use std::collections::BTreeMap;

use kron_core::job::Modifier;
use kron_core::proof::{Receipt, Verification, ZoneRules};
use kron_core::time::Rfc3339;
use kron_core::{Calendar, Calendars, Cron, Decision, Duration, Error, Job, JobSpec, Parser, TzDatabase};
use kron_fleet::lint::{FindingObject, LintOptions, lint};
use kron_fleet::zones::ZoneObject;
use serde::Serialize;

use crate::failure::Failure;
use crate::handles::Handles;
use crate::limits::{LISTED, OVERLAPPING};
use crate::request::{Decided, JobRequest, Series};
use crate::series::{Piece, first_piece, last_piece};

/// How many changes of a zone are listed if nothing is said: as many as the command lists.
const CHANGES: usize = 5;

/// The answer to a request.
pub(crate) fn answer(jobs: &mut Handles<Job>, request: JobRequest) -> Result<String, Failure> {
    match request {
        JobRequest::Job { name, text, timezone, calendars } => {
            let job = parsed(&name, &text, timezone.as_deref(), calendars)?;
            let (text, timezone) = (job.spec().to_string(), job.spec().timezone().name().to_string());
            json(&Parsed { job: jobs.keep(job)?, text, timezone })
        }
        JobRequest::Next { job, after } => json(&jobs.get(job)?.next_start(after.floor())?),
        JobRequest::Previous { job, at } => json(&jobs.get(job)?.prev_start(at.floor())?),
        JobRequest::Starts(series) => starts(jobs.get(series.job)?, series),
        JobRequest::Periods(series) => periods(jobs.get(series.job)?, series),
        JobRequest::Decide { job, nominal } => json(&jobs.get(job)?.decide(nominal.whole()?)?),
        JobRequest::Explain(asked) => {
            let job = jobs.get(asked.job)?;
            json(&job.explain(period(job, asked)?.nominal_timestamp())?)
        }
        JobRequest::Receipt(asked) => {
            let job = jobs.get(asked.job)?;
            json(&Receipt::new(job, &period(job, asked)?))
        }
        JobRequest::Lint { name, text, timezone, calendars, at } => {
            let job = parsed(&name, &text, timezone.as_deref(), calendars)?;
            let findings = lint(&job, Some(&text), at.floor(), &LintOptions::default());
            let object = |it| FindingObject { name: Some(&name), ..FindingObject::new(it, Some(&text)) };
            json(&findings.iter().map(object).collect::<Vec<_>>())
        }
        JobRequest::Verify { receipt, calendars } => {
            let calendars = parser(calendars)?.calendars().clone();
            json(&Verified::of(Receipt::from_json(&receipt)?.verify(&TzDatabase::COMPILED_IN, &calendars)?))
        }
        JobRequest::Cron { text } => json(&Cron::parse(&text)?.to_string()),
        JobRequest::Place { name, text } => {
            let declaration = Parser::new().declaration(&text, name.as_deref())?;
            let placed = declaration.placed()?;
            let name = declaration.job().name().to_string();
            json(&Placed {
                name,
                expression: placed.expression(),
                shift_minutes: placed.shift_minutes(),
                candidates: placed.candidates(),
            })
        }
        JobRequest::Duration { text } => {
            let duration = Duration::parse(&text)?;
            // Beyond 2^53, numbers of JavaScript are not exact.
            json(&Length { nanoseconds: duration.as_nanos().to_string(), canonical: duration.to_string() })
        }
        JobRequest::Zone { name, at, count } => {
            let (database, zone) = (TzDatabase::COMPILED_IN, TzDatabase::COMPILED_IN.zone(&name)?);
            json(&ZoneObject::new(&zone, &database, at.floor(), count.unwrap_or(CHANGES)))
        }
        JobRequest::Version {} => json(&Version {
            version: env!("CARGO_PKG_VERSION"),
            tzdb_version: TzDatabase::COMPILED_IN_VERSION,
        }),
    }
}

pub(crate) fn json(answer: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(answer).map_err(Failure::request)
}

/// A parser with calendars: names and dates.
pub(crate) fn parser(calendars: BTreeMap<String, String>) -> Result<Parser, Failure> {
    let mut all = Calendars::new();
    for (name, dates) in calendars {
        all.add(Calendar::parse(&name, &dates)?)?;
    }
    Ok(Parser::new().with_calendars(all))
}

/// What a text says. The zone is that of a text that names none.
pub(crate) fn spec(
    text: &str,
    timezone: Option<&str>,
    calendars: BTreeMap<String, String>,
) -> Result<JobSpec, Failure> {
    let (spec, modifiers) = parser(calendars)?.spec_with_modifiers(text)?;
    Ok(match timezone {
        Some(zone) if !modifiers.contains(Modifier::Timezone) => spec.to_builder().timezone(zone).build()?,
        _ => spec,
    })
}

/// A job of a text that searches can go through.
fn parsed(
    name: &str,
    text: &str,
    timezone: Option<&str>,
    calendars: BTreeMap<String, String>,
) -> Result<Job, Failure> {
    let spec = spec(text, timezone, calendars)?;
    check_overlap(&spec, OVERLAPPING)?;
    Ok(Job::new(name, spec)?)
}

/// Refuses a window that lies in more periods.
pub(crate) fn check_overlap(spec: &JobSpec, most: u64) -> Result<(), Failure> {
    let overlapping = overlapping(spec);
    if overlapping > most {
        let message = format!("a window lies in up to {overlapping} periods, more than {most}");
        return Err(Failure::limit(message, "make the window shorter"));
    }
    Ok(())
}

/// In how many periods a window can lie.
pub(crate) fn overlapping(spec: &JobSpec) -> u64 {
    let reach = spec.reach();
    spec.schedule().most_nominal_times_in((reach.last - reach.first).unsigned_abs())
}

/// A job that was parsed: its handle, and its canonical form.
#[derive(Serialize)]
struct Parsed {
    job: u32,
    text: String,
    timezone: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Placed<'a> {
    name: String,
    expression: &'a str,
    shift_minutes: i64,
    candidates: usize,
}

#[derive(Serialize)]
struct Length {
    nanoseconds: String,
    canonical: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    version: &'static str,
    tzdb_version: &'static str,
}

/// The period that is asked for.
fn period(job: &Job, asked: Decided) -> Result<Decision<'_>, Failure> {
    match (asked.nominal, asked.after) {
        (Some(nominal), None) => Ok(job.decide(nominal.whole()?)?),
        (None, Some(after)) => Ok(job.next_start(after.floor())?),
        _ => {
            Err(Failure::request("a period has a `nominal` time, or is that of the first start `after` one"))
        }
    }
}

/// The starts of a range. Without an end on the side to which it goes, they are those of repeated searches.
fn starts(job: &Job, series: Series) -> Result<String, Failure> {
    let (from, until) = (series.from.map(|it| it.ceil()), series.until.map(|it| it.ceil()));
    let (from_or, until_or) = (from.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX));
    if series.reverse {
        let piece = last_piece(job, from_or..until_or);
        let is_left = |start: &Decision<'_>| start.order_timestamp() < piece.range.start;
        match from {
            Some(_) => list(job.starts_back(piece.range.clone()), series, &piece, is_left),
            None => list(job.starts_back(..until_or), series, &piece, is_left),
        }
    } else {
        let piece = first_piece(job, from_or..until_or);
        let is_left = |start: &Decision<'_>| start.order_timestamp() >= piece.range.end;
        match until {
            Some(_) => list(job.starts(piece.range.clone()), series, &piece, is_left),
            None => list(job.starts(from_or..), series, &piece, is_left),
        }
    }
}

/// The periods of a range. Each is found without a search.
fn periods(job: &Job, series: Series) -> Result<String, Failure> {
    let from = series.from.map_or(i64::MIN, |it| it.ceil());
    let until = series.until.map_or(i64::MAX, |it| it.ceil());
    let whole = Piece { range: from..until, is_whole: true };
    match series.reverse {
        true => list(job.periods_back(from..until).map(Ok), series, &whole, |_| false),
        false => list(job.periods(from..until).map(Ok), series, &whole, |_| false),
    }
}

/// The first decisions of a series, as many as are asked for. An error after the first one ends the list: there are no more.
fn list<'a>(
    decisions: impl Iterator<Item = Result<Decision<'a>, Error>>,
    series: Series,
    piece: &Piece,
    is_left: impl Fn(&Decision<'_>) -> bool,
) -> Result<String, Failure> {
    let count = series.count.unwrap_or(usize::MAX);
    let limit = |message| Failure::limit(message, "ask for fewer, or for a shorter range");
    let too_long = || limit(format!("the range has more than {LISTED} entries"));
    let too_much = || limit(String::from("the range has too many nominal times for one call"));
    let mut found = Vec::new();
    for decision in decisions.take(count) {
        match decision {
            Ok(decision) if is_left(&decision) => return Err(too_much()),
            Ok(_) if found.len() == LISTED => return Err(too_long()),
            Ok(decision) => found.push(decision),
            Err(error) if found.is_empty() => return Err(error.into()),
            Err(_) => return json(&found),
        }
    }
    if found.len() < count && !piece.is_whole {
        return Err(too_much());
    }
    json(&found)
}

/// The result of a verification.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verified {
    agrees: bool,
    differences: Vec<Difference>,
    /// `same`, `otherRelease` or `different`.
    zone_rules: &'static str,
    /// The first instant at which the offsets differ, where it is known.
    first_difference: Option<String>,
    not_proven: Vec<&'static str>,
}

#[derive(Serialize)]
struct Difference {
    field: String,
    receipt: String,
    computed: String,
}

impl Verified {
    fn of(verification: Verification) -> Verified {
        let agrees = verification.agrees();
        let differences = verification.differences.into_iter();
        let (zone_rules, first) = match verification.zone_rules {
            ZoneRules::Same => ("same", None),
            ZoneRules::OtherRelease { .. } => ("otherRelease", None),
            ZoneRules::Different { first_difference } => ("different", first_difference),
        };
        Verified {
            agrees,
            differences: differences
                .map(|it| Difference { field: it.field, receipt: it.receipt, computed: it.computed })
                .collect(),
            zone_rules,
            first_difference: first.map(|at| Rfc3339(at.timestamp()).to_string()),
            not_proven: verification.not_proven,
        }
    }
}
