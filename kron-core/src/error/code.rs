//! The stable numbers of errors.

/// A stable number for each kind of error. A number is never reused for another meaning. Each family has a hundred
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u32)]
pub enum ErrorCode {
    /// A cron expression is longer than 256 bytes.
    CronTooLong = 100,
    /// A cron expression that does not have five fields.
    CronFieldCount = 101,
    /// A part of a cron field follows none of the forms `*`, `n`, `a-b`, `/step`.
    CronSyntax = 102,
    /// A number or step in a cron field is out of its range.
    CronOutOfRange = 103,
    /// A range in a cron field runs backwards.
    CronBackwards = 104,
    /// A cron expression that no day can match.
    CronNeverMatches = 105,
    /// Something that other schedulers have and cron does not: `@reboot`, `@every`, `TZ=`, `H`, `L`, `W`, `#`, seconds,
    /// years.
    CronUnsupported = 106,
    /// A job text is longer than 65536 bytes.
    TextTooLong = 200,
    /// A job text that breaks the grammar: brackets, quotes, stray words.
    TextSyntax = 201,
    /// An unknown modifier.
    TextUnknownModifier = 202,
    /// An unknown key in a modifier.
    TextUnknownKey = 203,
    /// A modifier or key that appears twice.
    TextRepeated = 204,
    /// A job file line without `name=`.
    FileMissingName = 210,
    /// Two jobs of one name.
    FileRepeatedName = 211,
    /// A bad duration.
    Duration = 300,
    /// An unknown time zone.
    TimeZone = 301,
    /// A word that is not one of the allowed ones.
    Choice = 302,
    /// A bad number.
    Number = 303,
    /// A parameter that the distribution does not take.
    Parameter = 304,
    /// A value above or below its bounds.
    OutOfBounds = 305,
    /// A bad name.
    Name = 306,
    /// A spec that its algorithm cannot compute.
    AlgorithmUnsupported = 307,
    /// A bad instant.
    Instant = 308,
    /// A time zone database whose data, names or version are invalid.
    TzData = 309,
    /// A constraint clause without parts.
    ConstraintEmpty = 400,
    /// An unknown constraint part.
    ConstraintUnknownPart = 401,
    /// A part of a constraint that cannot be read.
    ConstraintSyntax = 402,
    /// A number, time or date of a constraint that does not exist.
    ConstraintOutOfRange = 403,
    /// A range of days or dates that runs backwards.
    ConstraintBackwards = 404,
    /// More clauses or characters than allowed.
    ConstraintTooLong = 405,
    /// A part of a clause that means nothing without another one.
    ConstraintIncomplete = 406,
    /// A document that is not YAML or JSON.
    ManifestSyntax = 500,
    /// A field that a KronJob does not have.
    ManifestUnknownField = 501,
    /// A field that is missing.
    ManifestMissingField = 502,
    /// A field of the wrong type.
    ManifestType = 503,
    /// A document that is not a KronJob.
    ManifestKind = 504,
    /// A value that the core knows and the KronJob resource refuses.
    ManifestRefused = 505,
    /// Windows that can overlap in more than 100 periods.
    ManifestOverlap = 506,
    /// A nominal time outside the years 1970 to 2099, or not at a whole second.
    NominalTime = 600,
    /// No start within five years of the search's beginning.
    NoStartInSight = 601,
    /// 100,000 periods in a row are unschedulable.
    NoSchedulablePeriod = 602,
    /// No nominal time is left in the years 1970 to 2099.
    NoPeriod = 603,
    /// A schedule for which no cron expressions fire a lead before it.
    PrimeImpossible = 700,
    /// A job with a window, constraints or rules of days, whose starts cannot be primed by cron expressions.
    PrimeNotOnTime = 701,
    /// A text that is no declaration of a schedule's place: a part that one place for all periods cannot keep.
    PlaceRefused = 710,
    /// A declaration whose window has no minute in which the schedule could stand.
    PlaceNowhere = 711,
    /// A name that none of the given calendars has.
    CalendarUnknown = 800,
    /// A calendar file or an iCalendar file that cannot be read, or a calendar without dates.
    CalendarSyntax = 801,
    /// An event of an iCalendar file that is not of whole days, or whose rule is not supported.
    CalendarUnsupported = 802,
    /// More ranges, events or dates than a calendar may have.
    CalendarTooLong = 803,
    /// Two calendars of one name.
    CalendarRepeated = 804,
}

/// The list of all codes. It does not compile if one is missing.
macro_rules! all_codes {
    ($($code:ident)*) => {
        const ALL_CODES: &[ErrorCode] = &[$(ErrorCode::$code),*];
        const _: fn(ErrorCode) = |code| match code { $(ErrorCode::$code => (),)* };
    };
}

all_codes! {
    CronTooLong CronFieldCount CronSyntax CronOutOfRange CronBackwards CronNeverMatches CronUnsupported
    TextTooLong TextSyntax TextUnknownModifier TextUnknownKey TextRepeated FileMissingName FileRepeatedName
    Duration TimeZone Choice Number Parameter OutOfBounds Name AlgorithmUnsupported Instant TzData
    ConstraintEmpty ConstraintUnknownPart ConstraintSyntax ConstraintOutOfRange ConstraintBackwards
    ConstraintTooLong ConstraintIncomplete ManifestSyntax ManifestUnknownField ManifestMissingField ManifestType ManifestKind
    ManifestRefused ManifestOverlap NominalTime NoStartInSight NoSchedulablePeriod NoPeriod
    PrimeImpossible PrimeNotOnTime PlaceRefused PlaceNowhere CalendarUnknown CalendarSyntax CalendarUnsupported CalendarTooLong
    CalendarRepeated
}

impl ErrorCode {
    /// All codes, for crates that map them to other names.
    ///
    /// ```
    /// use kron_core::ErrorCode;
    /// assert!(ErrorCode::ALL.is_sorted_by_key(|code| code.number()));
    /// ```
    pub const ALL: &'static [ErrorCode] = ALL_CODES;

    /// The number, the same in every language.
    ///
    /// ```
    /// assert_eq!(kron_core::ErrorCode::CronOutOfRange.number(), 103);
    /// ```
    pub const fn number(self) -> u32 {
        self as u32
    }
}
