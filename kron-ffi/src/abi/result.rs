//! The codes that functions return.

use kron_core::ErrorCode;

/// Results of functions: 0 is success. Numbers below 100 are results of libkron, all others are error codes of the
/// core. A number never gets another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum kron_result {
    /// Success.
    Ok = 0,
    /// Not an error: the series or the schedule has no more elements. No error handle is made.
    End = 1,
    /// Not an error: the requested value does not exist. No error handle is made.
    Absent = 2,
    /// A pointer is NULL, but must not be.
    NullPointer = 10,
    /// A string is not valid UTF-8.
    InvalidUtf8 = 11,
    /// This version of the library does not know a struct of this size.
    StructSize = 12,
    /// An integer is not a value of its enum, or contains unknown flags.
    EnumValue = 13,
    /// An array is longer than memory allows.
    Length = 14,
    /// An index is not less than the number of elements.
    Index = 15,
    /// The builder has already been used.
    AlreadyUsed = 17,
    /// A text contains a NUL character, which a C string cannot hold.
    ContainsNul = 18,
    /// A file or directory cannot be read.
    Io = 19,
    /// An array is too short for what it must hold.
    TooShort = 20,
    /// A text is not the state of a host.
    HostState = 21,
    /// A bug in libkron, which was caught; please report it. Invalid input never has this result.
    Panic = 99,
    /// A cron expression is longer than 256 bytes.
    CronTooLong = 100,
    /// A cron expression does not have five fields.
    CronFieldCount = 101,
    /// A part of a cron field has none of the forms `*`, `n`, `a-b`, `/step`.
    CronSyntax = 102,
    /// A number or step in a cron field is out of its range.
    CronOutOfRange = 103,
    /// A range in a cron field is backwards.
    CronBackwards = 104,
    /// A cron expression matches no day.
    CronNeverMatches = 105,
    /// Syntax of other schedulers: `@reboot`, `@every`, `TZ=`, `L`, `W`, `#`, seconds, years.
    CronUnsupported = 106,
    /// A job text is longer than 65536 bytes.
    TextTooLong = 200,
    /// A job text has a syntax error: brackets, quotes, or words in the wrong place.
    TextSyntax = 201,
    /// An unknown modifier.
    TextUnknownModifier = 202,
    /// An unknown key in a modifier.
    TextUnknownKey = 203,
    /// A modifier or key is given twice.
    TextRepeated = 204,
    /// A line of a job file has no `name=`.
    FileMissingName = 210,
    /// Two jobs have the same name.
    FileRepeatedName = 211,
    /// An invalid duration.
    Duration = 300,
    /// An unknown time zone.
    TimeZone = 301,
    /// A word that is not one of the allowed words.
    Choice = 302,
    /// An invalid number.
    Number = 303,
    /// A parameter that the distribution does not have.
    Parameter = 304,
    /// A value below or above its limits.
    OutOfBounds = 305,
    /// An invalid name.
    Name = 306,
    /// A spec that the algorithm does not support.
    AlgorithmUnsupported = 307,
    /// An invalid instant.
    Instant = 308,
    /// A time zone database that is damaged or invalid: its TZif data, the name of a zone, its version.
    TzData = 309,
    /// A constraint clause without parts.
    ConstraintEmpty = 400,
    /// An unknown constraint part.
    ConstraintUnknownPart = 401,
    /// A part of a constraint has a syntax error.
    ConstraintSyntax = 402,
    /// A number, time or date in a constraint does not exist.
    ConstraintOutOfRange = 403,
    /// A range of days or dates is backwards.
    ConstraintBackwards = 404,
    /// More clauses or characters than allowed.
    ConstraintTooLong = 405,
    /// A part of a clause needs another part.
    ConstraintIncomplete = 406,
    /// A document that is not YAML or JSON.
    ManifestSyntax = 500,
    /// A field that KronJobs do not have.
    ManifestUnknownField = 501,
    /// A required field is missing.
    ManifestMissingField = 502,
    /// A field has the wrong type.
    ManifestType = 503,
    /// A document that is not a KronJob.
    ManifestKind = 504,
    /// A value that other inputs allow and KronJobs do not.
    ManifestRefused = 505,
    /// Windows that can overlap in more than 100 periods.
    ManifestOverlap = 506,
    /// A nominal time outside the years 1970 to 2099, or not at a whole second.
    NominalTime = 600,
    /// No start within five years of the beginning of the search.
    NoStartInSight = 601,
    /// 100,000 periods in a row are unschedulable.
    NoSchedulablePeriod = 602,
    /// No more nominal times before the year 2100, or none since 1970.
    NoPeriod = 603,
    /// A schedule for which no cron expressions fire a lead before it.
    PrimeImpossible = 700,
    /// A job with a window or constraints, whose starts cannot be primed by cron expressions.
    PrimeNotOnTime = 701,
    /// A text that is no declaration of a schedule's place: a part that one place for all periods cannot keep.
    PlaceRefused = 710,
    /// A declaration whose window has no minute in which the schedule could stand.
    PlaceNowhere = 711,
    /// A name that no given calendar has.
    CalendarUnknown = 800,
    /// A calendar file or an iCalendar file that cannot be read, or a calendar without dates.
    CalendarSyntax = 801,
    /// An event of an iCalendar file that is not of whole days, or has a rule that is not supported.
    CalendarUnsupported = 802,
    /// More ranges, events or dates than a calendar may have.
    CalendarTooLong = 803,
    /// Two calendars of one name.
    CalendarRepeated = 804,
}

impl From<ErrorCode> for kron_result {
    fn from(code: ErrorCode) -> kron_result {
        match code {
            ErrorCode::CronTooLong => kron_result::CronTooLong,
            ErrorCode::CronFieldCount => kron_result::CronFieldCount,
            ErrorCode::CronSyntax => kron_result::CronSyntax,
            ErrorCode::CronOutOfRange => kron_result::CronOutOfRange,
            ErrorCode::CronBackwards => kron_result::CronBackwards,
            ErrorCode::CronNeverMatches => kron_result::CronNeverMatches,
            ErrorCode::CronUnsupported => kron_result::CronUnsupported,
            ErrorCode::TextTooLong => kron_result::TextTooLong,
            ErrorCode::TextSyntax => kron_result::TextSyntax,
            ErrorCode::TextUnknownModifier => kron_result::TextUnknownModifier,
            ErrorCode::TextUnknownKey => kron_result::TextUnknownKey,
            ErrorCode::TextRepeated => kron_result::TextRepeated,
            ErrorCode::FileMissingName => kron_result::FileMissingName,
            ErrorCode::FileRepeatedName => kron_result::FileRepeatedName,
            ErrorCode::Duration => kron_result::Duration,
            ErrorCode::TimeZone => kron_result::TimeZone,
            ErrorCode::Choice => kron_result::Choice,
            ErrorCode::Number => kron_result::Number,
            ErrorCode::Parameter => kron_result::Parameter,
            ErrorCode::OutOfBounds => kron_result::OutOfBounds,
            ErrorCode::Name => kron_result::Name,
            ErrorCode::AlgorithmUnsupported => kron_result::AlgorithmUnsupported,
            ErrorCode::Instant => kron_result::Instant,
            ErrorCode::TzData => kron_result::TzData,
            ErrorCode::ConstraintEmpty => kron_result::ConstraintEmpty,
            ErrorCode::ConstraintUnknownPart => kron_result::ConstraintUnknownPart,
            ErrorCode::ConstraintSyntax => kron_result::ConstraintSyntax,
            ErrorCode::ConstraintOutOfRange => kron_result::ConstraintOutOfRange,
            ErrorCode::ConstraintBackwards => kron_result::ConstraintBackwards,
            ErrorCode::ConstraintTooLong => kron_result::ConstraintTooLong,
            ErrorCode::ConstraintIncomplete => kron_result::ConstraintIncomplete,
            ErrorCode::ManifestSyntax => kron_result::ManifestSyntax,
            ErrorCode::ManifestUnknownField => kron_result::ManifestUnknownField,
            ErrorCode::ManifestMissingField => kron_result::ManifestMissingField,
            ErrorCode::ManifestType => kron_result::ManifestType,
            ErrorCode::ManifestKind => kron_result::ManifestKind,
            ErrorCode::ManifestRefused => kron_result::ManifestRefused,
            ErrorCode::ManifestOverlap => kron_result::ManifestOverlap,
            ErrorCode::NominalTime => kron_result::NominalTime,
            ErrorCode::NoStartInSight => kron_result::NoStartInSight,
            ErrorCode::NoSchedulablePeriod => kron_result::NoSchedulablePeriod,
            ErrorCode::NoPeriod => kron_result::NoPeriod,
            ErrorCode::PrimeImpossible => kron_result::PrimeImpossible,
            ErrorCode::PrimeNotOnTime => kron_result::PrimeNotOnTime,
            ErrorCode::PlaceRefused => kron_result::PlaceRefused,
            ErrorCode::PlaceNowhere => kron_result::PlaceNowhere,
            ErrorCode::CalendarUnknown => kron_result::CalendarUnknown,
            ErrorCode::CalendarSyntax => kron_result::CalendarSyntax,
            ErrorCode::CalendarUnsupported => kron_result::CalendarUnsupported,
            ErrorCode::CalendarTooLong => kron_result::CalendarTooLong,
            ErrorCode::CalendarRepeated => kron_result::CalendarRepeated,
            // If the core gets a new code, the test below fails, so that no release has a code without a name here.
            _ => kron_result::Panic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_core_has_its_number_and_no_other() {
        for code in ErrorCode::ALL {
            assert_eq!(kron_result::from(*code) as u32, code.number(), "{code:?}");
        }
        // Conversely, each name here from 100 on is a code of the core.
        let source = include_str!("result.rs");
        let body = source.split("pub enum kron_result {").nth(1).unwrap().split("\n}\n").next().unwrap();
        let numbers: Vec<u32> = body
            .lines()
            .filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = ")?.1.parse().ok())
            .collect();
        assert!(numbers.len() > 50 && numbers.is_sorted());
        let of_core: Vec<u32> = numbers.into_iter().filter(|number| *number >= 100).collect();
        assert_eq!(of_core, ErrorCode::ALL.iter().map(|code| code.number()).collect::<Vec<_>>());
    }
}
