//! Errors of calendars.

use alloc::string::{String, ToString};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CalendarError {
    /// A name that no given calendar has.
    Unknown {
        text: Snippet,
        nearest: Option<String>,
    },
    /// A word that cannot be a name.
    Name {
        text: Snippet,
        max: usize,
    },
    /// Two calendars of one name.
    Repeated {
        text: Snippet,
    },
    /// A line of a calendar file without a name and dates.
    Line {
        text: Snippet,
    },
    NoDates,
    TooManyRanges {
        max: usize,
        found: usize,
    },
    /// A date that cannot be written with four digits of the year.
    Year {
        text: Snippet,
    },
    /// A calendar that has other dates in another job, in a certificate.
    #[cfg(feature = "manifest")]
    Different {
        text: Snippet,
    },
    /// A text that is not an iCalendar object.
    #[cfg(feature = "icalendar")]
    NotICalendar,
    /// An iCalendar object without events.
    #[cfg(feature = "icalendar")]
    NoEvents,
    /// A component of an iCalendar file that has no end, or none before the line: then it began on the line `begun`.
    #[cfg(feature = "icalendar")]
    NotEnded {
        component: Snippet,
        begun: Option<usize>,
    },
    /// A part of a rule that RFC 5545 does not have.
    #[cfg(feature = "icalendar")]
    RulePart {
        text: Snippet,
        nearest: Option<&'static str>,
    },
    /// A number in a rule that is not in 1 to `max`, nor, if it is signed, in the same range below 0.
    #[cfg(feature = "icalendar")]
    RuleNumber {
        part: &'static str,
        text: Snippet,
        max: u32,
        is_signed: bool,
    },
    /// A part of a rule, or a value of it, that RFC 5545 does not allow beside the other parts.
    #[cfg(feature = "icalendar")]
    RuleConflict {
        text: Snippet,
        why: &'static str,
        help: &'static str,
    },
    /// A rule that ends before its event begins.
    #[cfg(feature = "icalendar")]
    RuleEnd {
        until: Snippet,
        first_day: String,
    },
    /// An event that has no dates, or dates that are not supported. `event` is its summary or identifier.
    #[cfg(feature = "icalendar")]
    Event {
        event: Snippet,
        why: &'static str,
        help: &'static str,
    },
    /// A rule of an event that the library refuses, with its reason.
    #[cfg(feature = "icalendar")]
    Rule {
        event: Snippet,
        why: Snippet,
    },
    /// More of something than an iCalendar file may have.
    #[cfg(feature = "icalendar")]
    TooMany {
        what: &'static str,
        max: usize,
    },
}

impl ErrorMessage for CalendarError {
    fn code(&self) -> ErrorCode {
        match self {
            CalendarError::Unknown { .. } => ErrorCode::CalendarUnknown,
            CalendarError::Name { .. } => ErrorCode::Name,
            CalendarError::Repeated { .. } => ErrorCode::CalendarRepeated,
            CalendarError::Line { .. } | CalendarError::NoDates => ErrorCode::CalendarSyntax,
            CalendarError::TooManyRanges { .. } => ErrorCode::CalendarTooLong,
            CalendarError::Year { .. } => ErrorCode::ConstraintOutOfRange,
            #[cfg(feature = "manifest")]
            CalendarError::Different { .. } => ErrorCode::CalendarRepeated,
            #[cfg(feature = "icalendar")]
            CalendarError::NotICalendar
            | CalendarError::NoEvents
            | CalendarError::NotEnded { .. }
            | CalendarError::RulePart { .. }
            | CalendarError::RuleNumber { .. }
            | CalendarError::RuleConflict { .. }
            | CalendarError::RuleEnd { .. } => ErrorCode::CalendarSyntax,
            #[cfg(feature = "icalendar")]
            CalendarError::Event { .. } | CalendarError::Rule { .. } => ErrorCode::CalendarUnsupported,
            #[cfg(feature = "icalendar")]
            CalendarError::TooMany { .. } => ErrorCode::CalendarTooLong,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            CalendarError::Unknown { text, .. } => write!(f, "there is no calendar {text}{at}"),
            CalendarError::Name { text, max } => write!(
                f,
                "{text}{at} is not a name of a calendar, 1 to {max} ASCII letters, digits, `-`, `_` and `.` that begin with a \
                 letter or digit"
            ),
            CalendarError::Repeated { text } => write!(f, "there are two calendars {text}"),
            CalendarError::Line { text } => write!(f, "{text}{at} is not `name = dates`"),
            CalendarError::NoDates => f.write_str("the calendar has no dates"),
            CalendarError::TooManyRanges { max, found } => {
                write!(f, "a calendar has at most {max} ranges of dates, but this one has {found}")
            }
            CalendarError::Year { text } => write!(f, "{text} is not in the years 0 to 9999"),
            #[cfg(feature = "manifest")]
            CalendarError::Different { text } => {
                write!(f, "the calendar {text} has other dates in another job, so no certificate can name it")
            }
            #[cfg(feature = "icalendar")]
            CalendarError::NotICalendar => f.write_str("the file is not in the iCalendar format"),
            #[cfg(feature = "icalendar")]
            CalendarError::NoEvents => f.write_str("there is no event in the file"),
            #[cfg(feature = "icalendar")]
            CalendarError::NotEnded { component, begun: Some(line) } => {
                write!(f, "{component} of line {line} has not ended")
            }
            #[cfg(feature = "icalendar")]
            CalendarError::NotEnded { component, begun: None } => write!(f, "{component} does not end"),
            #[cfg(feature = "icalendar")]
            CalendarError::RulePart { text, .. } => write!(f, "{text}{at} is not a part of a rule"),
            #[cfg(feature = "icalendar")]
            CalendarError::RuleNumber { part, text, max, is_signed } => {
                write!(f, "{part} {text}{at} is not in 1 to {max}")?;
                if *is_signed { write!(f, ", or -{max} to -1") } else { Ok(()) }
            }
            #[cfg(feature = "icalendar")]
            CalendarError::RuleConflict { text, why, .. } => write!(f, "{text}{at} {why}"),
            #[cfg(feature = "icalendar")]
            CalendarError::RuleEnd { until, first_day } => {
                write!(f, "the rule ends on {until}{at}, before the first day of the event, {first_day}")
            }
            #[cfg(feature = "icalendar")]
            CalendarError::Event { event, why, .. } => write!(f, "event {event} {why}"),
            #[cfg(feature = "icalendar")]
            CalendarError::Rule { event, why } => {
                write!(f, "the rule of event {event} cannot be followed: {}", why.as_str())
            }
            #[cfg(feature = "icalendar")]
            CalendarError::TooMany { what, max } => write!(f, "a calendar has at most {max} {what}"),
        }
    }

    fn help(&self) -> String {
        match self {
            CalendarError::Unknown { nearest: Some(name), .. } => alloc::format!("did you mean `{name}`?"),
            CalendarError::Unknown { nearest: None, .. } => {
                "give its dates, with `--calendar FILE` to the command or `calendars=` in Python".to_string()
            }
            CalendarError::Repeated { .. } => "rename one of them".to_string(),
            #[cfg(feature = "manifest")]
            CalendarError::Different { .. } => "give the calendars different names".to_string(),
            CalendarError::Line { .. } => "write `holidays = 2026-12-25, 2026-12-31..2027-01-01`".to_string(),
            #[cfg(feature = "icalendar")]
            CalendarError::NotICalendar => "it has to begin with the line `BEGIN:VCALENDAR`".to_string(),
            #[cfg(feature = "icalendar")]
            CalendarError::NotEnded { component, begun } => {
                let add = alloc::format!("add the line `END:{}`", component.as_str());
                match begun {
                    Some(_) => add + " before this one",
                    None => add + ", or export the file again if it is incomplete",
                }
            }
            #[cfg(feature = "icalendar")]
            CalendarError::RulePart { nearest: Some(part), .. } => alloc::format!("did you mean `{part}`?"),
            #[cfg(feature = "icalendar")]
            CalendarError::RulePart { nearest: None, .. } => {
                "the parts are those of RFC 5545, such as FREQ, UNTIL, COUNT, INTERVAL, BYDAY and BYMONTH"
                    .to_string()
            }
            #[cfg(feature = "icalendar")]
            CalendarError::RuleNumber { part: "COUNT", .. } => {
                "leave COUNT out for a rule without end".to_string()
            }
            #[cfg(feature = "icalendar")]
            CalendarError::RuleNumber { part: "INTERVAL", .. } => {
                "write `INTERVAL=1` for each day, week, month or year".to_string()
            }
            #[cfg(feature = "icalendar")]
            CalendarError::RuleEnd { .. } => {
                "write a later UNTIL, or leave out RRULE for an event that does not repeat".to_string()
            }
            #[cfg(feature = "icalendar")]
            CalendarError::Event { help, .. } | CalendarError::RuleConflict { help, .. } => {
                (*help).to_string()
            }
            _ => String::new(),
        }
    }
}
