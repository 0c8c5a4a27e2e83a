//! Messages about the lines of job files, whatever they were made from.

use kron_core::{ErrorCode, Finding, Severity};

use super::{ConvertCode, note, shown, warning};

/// A variable that `kron run` sets. `prefix` is how the names of those begin.
pub(crate) fn reserved_variable(name: &str, prefix: &str) -> Finding {
    let message =
        format!("`{}` is left out: `kron run` sets the variables that begin with `{prefix}`", shown(name));
    warning(ConvertCode::LeftOut, message).with_help("choose another name")
}

pub(crate) fn window_longer_than_gap(window: &str) -> Finding {
    let message = format!(
        "a window of {window} is as long as a gap of its schedule or longer, so starts can change their order"
    );
    warning(ConvertCode::OverlappingWindow, message).with_help("give it a shorter window")
}

pub(crate) fn no_time_zone() -> Finding {
    let message = "times are read in UTC, because the source names no time zone";
    warning(ConvertCode::TimeZoneAssumed, message).with_help("add `--tz ZONE` with the time zone of its host")
}

/// What people write for a job that is switched off.
pub(crate) fn never(cron: &str) -> Finding {
    let message = format!("`{}` matches no date, so the job never starts, and is left out", shown(cron));
    Finding::new(Severity::Warning, ErrorCode::CronNeverMatches, message)
}

/// The time zone of the machine on which the schedules are read.
pub(crate) fn time_zone_of_host(zone: &str) -> Finding {
    let message = format!("times are read in `{}`, the time zone of this machine", shown(zone));
    note(ConvertCode::TimeZoneAssumed, message)
        .with_help("add `--tz ZONE` if the schedules are from another machine")
}

pub(crate) fn random_times(count: usize) -> Finding {
    let jobs = match count {
        1 => "1 job has a random time".to_string(),
        _ => format!("{count} jobs have random times"),
    };
    let message = format!(
        "{jobs}, which became a window with `@seed(fixed)`: the frequency is the same, the minute is another"
    );
    note(ConvertCode::RandomTime, message)
}
