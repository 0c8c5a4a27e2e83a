//! Errors of iCalendar files.

use std::fmt;

use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place, Snippet};

#[derive(Debug)]
pub(crate) enum ICalendarError {
    /// A text that is not an iCalendar object.
    NotICalendar,
    /// An iCalendar object without events.
    NoEvents,
    /// A component of an iCalendar file that has no end, or none before the line: then it began on the line `begun`.
    NotEnded { component: Snippet, begun: Option<usize> },
    /// A part of a rule that RFC 5545 does not have.
    RulePart { text: Snippet, nearest: Option<&'static str> },
    /// A number in a rule that is not in 1 to `max`, nor, if it is signed, in the same range below 0.
    RuleNumber { part: &'static str, text: Snippet, max: u32, is_signed: bool },
    /// A part of a rule, or a value of it, that RFC 5545 does not allow beside the other parts.
    RuleConflict { text: Snippet, why: &'static str, help: &'static str },
    /// A rule that ends before its event begins.
    RuleEnd { until: Snippet, first_day: String },
    /// An event that has no dates, or dates that are not supported. `event` is its summary or identifier.
    Event { event: Snippet, why: &'static str, help: &'static str },
    /// An exception with a time in an event of whole days, and its day.
    ExceptionTime { text: Snippet, day: String },
    /// More of something than an iCalendar file may have.
    TooMany { what: &'static str, max: usize },
}

impl ErrorMessage for ICalendarError {
    fn code(&self) -> ErrorCode {
        match self {
            ICalendarError::NotICalendar
            | ICalendarError::NoEvents
            | ICalendarError::NotEnded { .. }
            | ICalendarError::RulePart { .. }
            | ICalendarError::RuleNumber { .. }
            | ICalendarError::RuleConflict { .. }
            | ICalendarError::RuleEnd { .. } => ErrorCode::CalendarSyntax,
            ICalendarError::Event { .. } | ICalendarError::ExceptionTime { .. } => {
                ErrorCode::CalendarUnsupported
            }
            ICalendarError::TooMany { .. } => ErrorCode::CalendarTooLong,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ICalendarError::NotICalendar => f.write_str("the file is not in the iCalendar format"),
            ICalendarError::NoEvents => f.write_str("there is no event in the file"),
            ICalendarError::NotEnded { component, begun: Some(line) } => {
                write!(f, "{component} of line {line} has not ended")
            }
            ICalendarError::NotEnded { component, begun: None } => write!(f, "{component} does not end"),
            ICalendarError::RulePart { text, .. } => write!(f, "{text}{at} is not a part of a rule"),
            ICalendarError::RuleNumber { part, text, max, is_signed } => {
                write!(f, "{part} {text}{at} is not in 1 to {max}")?;
                if *is_signed { write!(f, ", or -{max} to -1") } else { Ok(()) }
            }
            ICalendarError::RuleConflict { text, why, .. } => write!(f, "{text}{at} {why}"),
            ICalendarError::RuleEnd { until, first_day } => {
                write!(f, "the rule ends on {until}{at}, before the first day of the event, {first_day}")
            }
            ICalendarError::Event { event, why, .. } => write!(f, "event {event} {why}"),
            ICalendarError::ExceptionTime { text, .. } => {
                write!(f, "the exception {text}{at} has a time, and the event is of whole days")
            }
            ICalendarError::TooMany { what, max } => write!(f, "a calendar has at most {max} {what}"),
        }
    }

    fn help(&self) -> String {
        match self {
            ICalendarError::NotICalendar => "it has to begin with the line `BEGIN:VCALENDAR`".to_string(),
            ICalendarError::NotEnded { component, begun } => {
                let add = format!("add the line `END:{}`", component.as_str());
                match begun {
                    Some(_) => add + " before this one",
                    None => add + ", or export the file again if it is incomplete",
                }
            }
            ICalendarError::RulePart { nearest: Some(part), .. } => format!("did you mean `{part}`?"),
            ICalendarError::RulePart { nearest: None, .. } => {
                "the parts are those of RFC 5545, such as FREQ, UNTIL, COUNT, INTERVAL, BYDAY and BYMONTH"
                    .to_string()
            }
            ICalendarError::RuleNumber { part: "COUNT", .. } => {
                "leave COUNT out for a rule without end".to_string()
            }
            ICalendarError::RuleNumber { part: "INTERVAL", .. } => {
                "write `INTERVAL=1` for each day, week, month or year".to_string()
            }
            ICalendarError::RuleEnd { .. } => {
                "write a later UNTIL, or leave out RRULE for an event that does not repeat".to_string()
            }
            ICalendarError::ExceptionTime { day, .. } => format!("write `EXDATE;VALUE=DATE:{day}`"),
            ICalendarError::Event { help, .. } | ICalendarError::RuleConflict { help, .. } => {
                (*help).to_string()
            }
            _ => String::new(),
        }
    }
}
