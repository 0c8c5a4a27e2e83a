//! Errors of time zones: unknown names, and time zone databases that cannot be read.

use alloc::string::{String, ToString};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Alternatives, Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ZoneError {
    /// A name that the database does not have.
    Unknown { text: Snippet, help: ZoneHelp },
    /// TZif data that cannot be read, why, and what to do.
    Data { why: Snippet, help: &'static str },
    /// A name that is not an IANA name.
    Name { text: Snippet },
    /// A name that is given twice.
    Repeated { text: Snippet },
    /// A version that is not a word.
    Version { text: Snippet },
    /// `UTC` with another offset than 0.
    Utc,
    /// More zones than a database may have.
    TooMany { max: usize },
}

/// A suggestion for an unknown zone name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ZoneHelp {
    /// The correct name of the same zone.
    Name(String),
    /// An offset from UTC, and the zone that always has it, if there is one.
    Offset { hours_east: Option<i8> },
    /// An offset that may be ahead of UTC or behind it, and has a zone on both sides.
    OffsetWithoutSign { hours: i8 },
    /// An abbreviation, and the zones that use it most.
    Abbreviation { zones: &'static [&'static str] },
    /// No suggestion.
    General,
}

impl fmt::Display for ZoneHelp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ZoneHelp::Name(name) => write!(f, "did you mean `{name}`?"),
            ZoneHelp::Offset { hours_east: Some(hours) } => {
                // POSIX counts hours west of Greenwich, and these names do so too.
                let (sign, side) = if *hours > 0 { ('-', "ahead of") } else { ('+', "behind") };
                let count = hours.unsigned_abs();
                let plural = if count == 1 { "" } else { "s" };
                write!(
                    f,
                    "`Etc/GMT{sign}{count}` is always {count} hour{plural} {side} UTC; a place such as `Europe/Paris` \
                     also changes its clocks"
                )
            }
            ZoneHelp::OffsetWithoutSign { hours } => {
                let plural = if *hours == 1 { "" } else { "s" };
                write!(
                    f,
                    "write `Etc/GMT-{hours}` for {hours} hour{plural} ahead of UTC, or `Etc/GMT+{hours}` for {hours} \
                     hour{plural} behind it"
                )
            }
            ZoneHelp::Offset { hours_east: None } => {
                f.write_str("an offset is not a zone; use the name of a place such as `Asia/Kolkata`")
            }
            ZoneHelp::Abbreviation { zones: [zone] } => {
                write!(f, "abbreviations are not zone names; write `{zone}`")
            }
            ZoneHelp::Abbreviation { zones } => {
                write!(f, "the abbreviation is ambiguous; write a zone, such as {}", Alternatives(zones))
            }
            ZoneHelp::General => f.write_str("use an IANA name such as `Europe/Paris`"),
        }
    }
}

impl ErrorMessage for ZoneError {
    fn code(&self) -> ErrorCode {
        match self {
            ZoneError::Unknown { .. } => ErrorCode::TimeZone,
            ZoneError::Data { .. }
            | ZoneError::Name { .. }
            | ZoneError::Repeated { .. }
            | ZoneError::Version { .. }
            | ZoneError::Utc
            | ZoneError::TooMany { .. } => ErrorCode::TzData,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ZoneError::Unknown { text, .. } => write!(f, "unknown time zone {text}{at}"),
            ZoneError::Data { why, .. } => f.write_str(why.as_str()),
            ZoneError::Name { text } => {
                write!(
                    f,
                    "{text} is not an IANA zone name: parts of ASCII letters, digits and `_+-.`, joined by `/`"
                )
            }
            ZoneError::Repeated { text } => write!(f, "zone {text} is given twice"),
            ZoneError::Version { text } => {
                write!(f, "{text} is not a version: 1 to 64 ASCII characters without blanks, such as `2026f`")
            }
            ZoneError::Utc => f.write_str("`UTC` is not at offset 0 at all times"),
            ZoneError::TooMany { max } => write!(f, "a time zone database has at most {max} zones"),
        }
    }

    fn help(&self) -> String {
        match self {
            ZoneError::Unknown { help, .. } => help.to_string(),
            ZoneError::Data { help, .. } => help.to_string(),
            _ => String::new(),
        }
    }
}
