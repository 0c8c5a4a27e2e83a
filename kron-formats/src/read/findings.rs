//! What is said about schedules of other systems.

use std::collections::BTreeMap;

use kron_core::error::FindingCode;
use kron_core::{ErrorCode, Finding, Severity};

use super::source::{Differences, Options, Origin, Source};
use crate::convert::{ConvertCode, ConvertFinding};
use crate::error::convert::cronjob::KRONJOBS_ARE_IN_UTC;
use crate::error::convert::job_line::no_time_zone;
use crate::load::LoadCode;

/// Differences of times.
const OF_TIMES: [ConvertCode; 5] = [
    ConvertCode::RandomTime,
    ConvertCode::HashedStep,
    ConvertCode::StartsTwice,
    ConvertCode::BadSchedule,
    ConvertCode::BadValue,
];
/// What a part of an object has no schedule for: a patch, or a template.
const OF_PARTS: [ConvertCode; 2] = [ConvertCode::MissingField, ConvertCode::NotRendered];

/// A finding of a conversion as one about a source that is only read, if it matters.
pub(super) fn of_reading(
    mut found: ConvertFinding,
    source: &Source<'_>,
    options: &Options,
) -> Option<ConvertFinding> {
    let code = found.finding.code;
    let is_one = |codes: &[ConvertCode]| codes.iter().any(|one| FindingCode::from(*one) == code);
    // Each kind of object is read by its own format, and none becomes a part of another text.
    if is_one(&[ConvertCode::MixedOutputs, ConvertCode::NothingToConvert]) {
        return None;
    }
    if found.finding.severity == Severity::Error {
        let is_part = !source.is_named && is_one(&OF_PARTS);
        found.finding.severity = if is_part { Severity::Note } else { Severity::Warning };
        found.finding.message = format!("this schedule is left out: {}", found.finding.message);
        return Some(found);
    }
    if is_one(&[ConvertCode::TimeZoneAssumed]) {
        found.finding.severity = Severity::Note;
        // No KronJob is made.
        if found.finding.help.as_deref() == Some(KRONJOBS_ARE_IN_UTC) {
            found.finding.help = Some("they are read in UTC, as most controller managers are".to_string());
        }
        return Some(found);
    }
    let matters = options.differences == Differences::All
        || is_one(&OF_TIMES)
        || code == ErrorCode::CronNeverMatches.into();
    matters.then_some(found)
}

/// The note about schedules of a source that name no time zone.
pub(super) fn of_unknown_zone(source: usize) -> ConvertFinding {
    let mut finding = no_time_zone();
    finding.severity = Severity::Note;
    ConvertFinding::new(source, finding)
}

/// How many schedules of other systems there are, by their formats.
pub(super) fn of_other_systems(origins: impl Iterator<Item = Origin>) -> Option<Finding> {
    let mut counts: BTreeMap<Origin, usize> = BTreeMap::new();
    let origins = origins.filter(|origin| *origin != Origin::Kron);
    origins.for_each(|origin| *counts.entry(origin).or_default() += 1);
    let schedules = match counts.values().sum() {
        0 => return None,
        1 => "1 schedule of another system is read as a job".to_string(),
        count => format!("{count} schedules of other systems are read as jobs"),
    };
    let word = |origin: &Origin| match origin {
        Origin::Schedule(format) => format.as_str(),
        Origin::Declaration => "declarations",
        Origin::Kron | Origin::Key => "keys such as `schedule`",
    };
    let formats: Vec<String> =
        counts.iter().map(|(origin, count)| format!("{} ({count})", word(origin))).collect();
    Some(Finding::new(Severity::Note, LoadCode::OtherSystem, format!("{schedules}: {}", formats.join(", "))))
}
