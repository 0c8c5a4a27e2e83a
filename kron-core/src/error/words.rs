//! The words of error codes, for people and for files that tools exchange.

use super::code::ErrorCode;

impl ErrorCode {
    /// The code as a word: `CronOutOfRange` is `cron-out-of-range`.
    ///
    /// ```
    /// assert_eq!(kron_core::ErrorCode::CronOutOfRange.as_str(), "cron-out-of-range");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorCode::CronTooLong => "cron-too-long",
            ErrorCode::CronFieldCount => "cron-field-count",
            ErrorCode::CronSyntax => "cron-syntax",
            ErrorCode::CronOutOfRange => "cron-out-of-range",
            ErrorCode::CronBackwards => "cron-backwards",
            ErrorCode::CronNeverMatches => "cron-never-matches",
            ErrorCode::CronUnsupported => "cron-unsupported",
            ErrorCode::TextTooLong => "text-too-long",
            ErrorCode::TextSyntax => "text-syntax",
            ErrorCode::TextUnknownModifier => "text-unknown-modifier",
            ErrorCode::TextUnknownKey => "text-unknown-key",
            ErrorCode::TextRepeated => "text-repeated",
            ErrorCode::FileMissingName => "file-missing-name",
            ErrorCode::FileRepeatedName => "file-repeated-name",
            ErrorCode::Duration => "duration",
            ErrorCode::TimeZone => "time-zone",
            ErrorCode::Choice => "choice",
            ErrorCode::Number => "number",
            ErrorCode::Parameter => "parameter",
            ErrorCode::OutOfBounds => "out-of-bounds",
            ErrorCode::Name => "name",
            ErrorCode::AlgorithmUnsupported => "algorithm-unsupported",
            ErrorCode::Instant => "instant",
            ErrorCode::TzData => "tz-data",
            ErrorCode::ConstraintEmpty => "constraint-empty",
            ErrorCode::ConstraintUnknownPart => "constraint-unknown-part",
            ErrorCode::ConstraintSyntax => "constraint-syntax",
            ErrorCode::ConstraintOutOfRange => "constraint-out-of-range",
            ErrorCode::ConstraintBackwards => "constraint-backwards",
            ErrorCode::ConstraintTooLong => "constraint-too-long",
            ErrorCode::ConstraintIncomplete => "constraint-incomplete",
            ErrorCode::ManifestSyntax => "manifest-syntax",
            ErrorCode::ManifestUnknownField => "manifest-unknown-field",
            ErrorCode::ManifestMissingField => "manifest-missing-field",
            ErrorCode::ManifestType => "manifest-type",
            ErrorCode::ManifestKind => "manifest-kind",
            ErrorCode::ManifestRefused => "manifest-refused",
            ErrorCode::ManifestOverlap => "manifest-overlap",
            ErrorCode::NominalTime => "nominal-time",
            ErrorCode::NoStartInSight => "no-start-in-sight",
            ErrorCode::NoSchedulablePeriod => "no-schedulable-period",
            ErrorCode::NoPeriod => "no-period",
            ErrorCode::PrimeImpossible => "prime-impossible",
            ErrorCode::PrimeNotOnTime => "prime-not-on-time",
            ErrorCode::PlaceRefused => "place-refused",
            ErrorCode::PlaceNowhere => "place-nowhere",
            ErrorCode::CalendarUnknown => "calendar-unknown",
            ErrorCode::CalendarSyntax => "calendar-syntax",
            ErrorCode::CalendarUnsupported => "calendar-unsupported",
            ErrorCode::CalendarTooLong => "calendar-too-long",
            ErrorCode::CalendarRepeated => "calendar-repeated",
        }
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
