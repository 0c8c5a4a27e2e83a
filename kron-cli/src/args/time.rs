//! Times among the arguments, resolved in the zone of `--tz`.

use chrono::{DateTime, Utc};
use clap::Args;
use kron_core::{Instant as _, Zone};

use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};
use crate::time_arg::{CivilDay, DayArg, TimeArg};

/// The argument that decides how other arguments with times are read.
#[derive(Debug, Args)]
pub(crate) struct TzArgs {
    /// Read TIME and DAY in this time zone; default: UTC
    ///
    /// Schedules of other systems that name no time zone are read in it, too. Without it, crontabs and timers are read in the time zone of this machine, and the others in UTC.
    ///
    /// A TIME is RFC 3339, such as 2026-03-01T00:00:00Z, or one of these:
    ///
    /// - 2026-03-01: the first instant of a day in this zone
    /// - 2026-03-01T09:30 or 2026-03-01T09:30:15: a time in this zone
    /// - now, today, tomorrow, yesterday: the present, or the first instant of a day
    /// - +24h, -90m, +7d: a distance from now
    ///
    /// A DAY is a date, today, tomorrow or yesterday. A LENGTH is for example 90m, 24h, 7d or 2w, where d is 24 hours.
    #[arg(long = "tz", value_name = "ZONE", verbatim_doc_comment)]
    pub(crate) zone: Option<String>,
}

/// The zone of `--tz`.
pub(crate) fn zone_of(name: Option<&str>, session: &mut Session<'_>) -> Result<Zone, Stop> {
    let Some(name) = name else { return Ok(Zone::UTC) };
    session.tz_database()?.zone(name).map_err(|error| {
        let found = Diagnostic::error(format!("--tz: {}", error.reason()));
        Diagnostic { help: error.help(), ..found }.into()
    })
}

/// The instant of an option.
pub(crate) fn instant(
    option: &str,
    arg: TimeArg,
    zone: &Zone,
    session: &mut Session<'_>,
) -> Result<DateTime<Utc>, Stop> {
    Ok(arg.resolve(zone, || session.now()).map_err(|error| error.of_option(option))?)
}

/// The day of an option.
pub(crate) fn civil_day(
    option: &str,
    arg: DayArg,
    zone: &Zone,
    session: &mut Session<'_>,
) -> Result<CivilDay, Stop> {
    Ok(arg.resolve(zone, || session.now()).map_err(|error| error.of_option(option))?)
}

/// `--at`, or the present time, in Unix seconds.
pub(crate) fn at_or_now(at: Option<TimeArg>, tz: &TzArgs, session: &mut Session<'_>) -> Result<i64, Stop> {
    let zone = zone_of(tz.zone.as_deref(), session)?;
    match at {
        Some(at) => Ok(instant("--at", at, &zone, session)?.floor()),
        None => Ok(session.now().floor()),
    }
}
