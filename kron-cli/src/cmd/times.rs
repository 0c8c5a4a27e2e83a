//! The times among the arguments, resolved in the zone of `--tz`.

use chrono::{DateTime, Utc};
use kron_core::{ClockChange, Instant as _, Job, NOMINAL_MAX, NOMINAL_MIN, Zone};

use crate::args::TzArgs;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::{CivilDay, DayArg, TimeArg};

/// The zone of `--tz`.
pub(crate) fn zone_of(args: &TzArgs, session: &mut Session<'_>) -> Result<Zone, Stop> {
    let Some(name) = &args.zone else { return Ok(Zone::UTC) };
    session.tz_database()?.zone(name).map_err(|error| {
        let mut diagnostic = Diagnostic::error(format!("--tz: {}", error.reason()));
        diagnostic.help = error.help();
        session.fail(&diagnostic, ExitStatus::Error)
    })
}

/// The instant of an option.
pub(crate) fn instant(
    option: &str,
    arg: TimeArg,
    zone: &Zone,
    session: &mut Session<'_>,
) -> Result<DateTime<Utc>, Stop> {
    let resolved = arg.resolve(zone, || session.now());
    resolved.map_err(|error| bad_time(option, *error, session))
}

/// The day of `--day`.
pub(crate) fn civil_day(arg: DayArg, zone: &Zone, session: &mut Session<'_>) -> Result<CivilDay, Stop> {
    let resolved = arg.resolve(zone, || session.now());
    resolved.map_err(|error| bad_time("--day", *error, session))
}

pub(crate) fn bad_time(option: &str, mut error: Diagnostic, session: &mut Session<'_>) -> Stop {
    error.message = format!("{option}: {}", error.message);
    session.fail(&error, ExitStatus::Error)
}

/// `--from`, or the present time, in Unix seconds. The zone is that of `--tz`.
pub(crate) fn from_or_now(
    from: Option<TimeArg>,
    zone: &Zone,
    session: &mut Session<'_>,
) -> Result<i64, Stop> {
    match from {
        Some(from) => Ok(instant("--from", from, zone, session)?.ceil()),
        None => Ok(session.now().ceil()),
    }
}

/// `--at`, or the present time, in Unix seconds.
pub(crate) fn at_or_now(at: Option<TimeArg>, tz: &TzArgs, session: &mut Session<'_>) -> Result<i64, Stop> {
    let zone = zone_of(tz, session)?;
    match at {
        Some(at) => Ok(instant("--at", at, &zone, session)?.floor()),
        None => Ok(session.now().floor()),
    }
}

/// What the clocks do: `clocks go from +01:00 to +02:00 at 2026-03-29T01:00:00Z`.
pub(crate) fn clocks_go(change: &ClockChange) -> String {
    format!(
        "clocks go from {} to {} at {}",
        time::offset(change.offset_before),
        time::offset(change.offset_after),
        time::utc(change.time())
    )
}

/// That clocks skip a nominal time of a job in a range of Unix seconds, if they do.
pub(crate) fn skipped_in(job: &Job, from: i64, to: i64) -> Option<String> {
    let zone = job.spec().timezone();
    let skipped = job.spec().schedule().in_zone(zone.clone()).next_skipped(from.saturating_sub(1));
    let change = skipped.filter(|change| change.time().timestamp() < to)?;
    Some(format!("{} does not exist in {zone}: {}", change.civil_text(), clocks_go(&change)))
}

/// Refuses a range of Unix seconds that has no nominal time, and warns of one that reaches beyond them.
pub(crate) fn check_range(from: i64, until: i64, session: &mut Session<'_>) -> Result<(), Stop> {
    const YEARS: &str = "cron times lie in the years 1970 to 2099";
    if from > NOMINAL_MAX || until <= NOMINAL_MIN {
        let mut error = Diagnostic::error(format!("no job starts in this range: {YEARS}"));
        error.help = Some("choose a range in these years".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    }
    // The first and the last day begin and end at other times in other zones.
    const DAY: i64 = 86_400;
    if from < NOMINAL_MIN - DAY || until > NOMINAL_MAX + DAY {
        session.report(&Diagnostic::warning(format!("no job starts in the rest of the range: {YEARS}")));
    }
    Ok(())
}
