//! The stable numbers of errors, and their words for people and for files that tools exchange.

/// Defines the codes, each with its number and its word.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $number:literal $word:literal,)*) => {
        /// A stable number for each kind of error. A number is never reused for another meaning. Each family has a hundred
        /// numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum ErrorCode {
            $($(#[$doc])* $code = $number,)*
        }

        impl ErrorCode {
            /// All codes, for crates that map them to other names.
            ///
            /// ```
            /// use kron_core::ErrorCode;
            /// assert!(ErrorCode::ALL.is_sorted_by_key(|code| code.number()));
            /// ```
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$code),*];

            /// The code as a word: `CronOutOfRange` is `cron-out-of-range`.
            ///
            /// ```
            /// assert_eq!(kron_core::ErrorCode::CronOutOfRange.as_str(), "cron-out-of-range");
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$code => $word),* }
            }
        }
    };
}

codes! {
    /// A cron expression is longer than 256 bytes.
    CronTooLong = 100 "cron-too-long",
    /// A cron expression that does not have five fields.
    CronFieldCount = 101 "cron-field-count",
    /// A part of a cron field follows none of the forms `*`, `n`, `a-b`, `/step`.
    CronSyntax = 102 "cron-syntax",
    /// A number or step in a cron field is out of its range.
    CronOutOfRange = 103 "cron-out-of-range",
    /// A range in a cron field runs backwards.
    CronBackwards = 104 "cron-backwards",
    /// A cron expression that no day can match.
    CronNeverMatches = 105 "cron-never-matches",
    /// Something that other schedulers have and cron does not: `@reboot`, `@every`, `TZ=`, `H`, `L`, `W`, `#`, seconds,
    /// years.
    CronUnsupported = 106 "cron-unsupported",
    /// A job text is longer than 65536 bytes.
    TextTooLong = 200 "text-too-long",
    /// A job text that breaks the grammar: brackets, quotes, stray words.
    TextSyntax = 201 "text-syntax",
    /// An unknown modifier.
    TextUnknownModifier = 202 "text-unknown-modifier",
    /// An unknown key in a modifier.
    TextUnknownKey = 203 "text-unknown-key",
    /// A modifier or key that appears twice.
    TextRepeated = 204 "text-repeated",
    /// A job file line without `name=`.
    FileMissingName = 210 "file-missing-name",
    /// Two jobs of one name.
    FileRepeatedName = 211 "file-repeated-name",
    /// A bad duration.
    Duration = 300 "duration",
    /// An unknown time zone.
    TimeZone = 301 "time-zone",
    /// A word that is not one of the allowed ones.
    Choice = 302 "choice",
    /// A bad number.
    Number = 303 "number",
    /// A parameter that the distribution does not take.
    Parameter = 304 "parameter",
    /// A value above or below its bounds.
    OutOfBounds = 305 "out-of-bounds",
    /// A bad name.
    Name = 306 "name",
    /// A spec that its algorithm cannot compute.
    AlgorithmUnsupported = 307 "algorithm-unsupported",
    /// A bad instant.
    Instant = 308 "instant",
    /// A time zone database whose data, names or version are invalid.
    TzData = 309 "tz-data",
    /// A constraint clause without parts.
    ConstraintEmpty = 400 "constraint-empty",
    /// An unknown constraint part.
    ConstraintUnknownPart = 401 "constraint-unknown-part",
    /// A part of a constraint that cannot be read.
    ConstraintSyntax = 402 "constraint-syntax",
    /// A number, time or date of a constraint that does not exist.
    ConstraintOutOfRange = 403 "constraint-out-of-range",
    /// A range of days or dates that runs backwards.
    ConstraintBackwards = 404 "constraint-backwards",
    /// More clauses or characters than allowed.
    ConstraintTooLong = 405 "constraint-too-long",
    /// A part of a clause that means nothing without another one.
    ConstraintIncomplete = 406 "constraint-incomplete",
    /// A document that is not YAML or JSON.
    ManifestSyntax = 500 "manifest-syntax",
    /// A field that a KronJob does not have.
    ManifestUnknownField = 501 "manifest-unknown-field",
    /// A field that is missing.
    ManifestMissingField = 502 "manifest-missing-field",
    /// A field of the wrong type.
    ManifestType = 503 "manifest-type",
    /// A document that is not a KronJob.
    ManifestKind = 504 "manifest-kind",
    /// A value that the core knows and the KronJob resource refuses.
    ManifestRefused = 505 "manifest-refused",
    /// Windows that can overlap in more than 100 periods.
    ManifestOverlap = 506 "manifest-overlap",
    /// A nominal time outside the years 1970 to 2099, or not at a whole second.
    NominalTime = 600 "nominal-time",
    /// No start within five years of the search's beginning.
    NoStartInSight = 601 "no-start-in-sight",
    /// 100,000 periods in a row are unschedulable.
    NoSchedulablePeriod = 602 "no-schedulable-period",
    /// No nominal time is left in the years 1970 to 2099.
    NoPeriod = 603 "no-period",
    /// A schedule for which no cron expressions fire a lead before it.
    PrimeImpossible = 700 "prime-impossible",
    /// A job with a window, constraints or rules of days, whose starts cannot be primed by cron expressions.
    PrimeNotOnTime = 701 "prime-not-on-time",
    /// A text that is no declaration of a schedule's place: a part that one place for all periods cannot keep.
    PlaceRefused = 710 "place-refused",
    /// A declaration whose window has no minute in which the schedule could stand.
    PlaceNowhere = 711 "place-nowhere",
    /// A name that none of the given calendars has.
    CalendarUnknown = 800 "calendar-unknown",
    /// A calendar file or an iCalendar file that cannot be read, or a calendar without dates.
    CalendarSyntax = 801 "calendar-syntax",
    /// An event of an iCalendar file that is not of whole days, or whose rule is not supported.
    CalendarUnsupported = 802 "calendar-unsupported",
    /// More ranges, events or dates than a calendar may have.
    CalendarTooLong = 803 "calendar-too-long",
    /// Two calendars of one name.
    CalendarRepeated = 804 "calendar-repeated",
}

impl ErrorCode {
    /// The number, the same in every language.
    ///
    /// ```
    /// assert_eq!(kron_core::ErrorCode::CronOutOfRange.number(), 103);
    /// ```
    pub const fn number(self) -> u32 {
        self as u32
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;

    #[test]
    fn words_are_the_names_in_lower_case() {
        for code in ErrorCode::ALL {
            let mut word = String::new();
            for c in format!("{code:?}").chars() {
                if c.is_ascii_uppercase() && !word.is_empty() {
                    word.push('-');
                }
                word.push(c.to_ascii_lowercase());
            }
            assert_eq!(code.as_str(), word);
        }
    }
}
