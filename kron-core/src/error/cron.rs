//! Errors of cron expressions.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::calendar_names::CalendarNames;
use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet, nearest};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CronError {
    TooLong {
        bytes: usize,
        max: usize,
    },
    /// Such as `name=`, which belongs behind the schedule.
    LeadingField {
        text: Snippet,
    },
    /// Another number of fields, and what six or seven of them mean.
    FieldCount {
        found: usize,
        meaning: Option<DialectMeaning>,
    },
    TimeZonePrefix {
        text: Snippet,
    },
    Reboot,
    /// `@every`, and a step of the same frequency, if there is one.
    Every {
        meaning: Option<String>,
    },
    Macro {
        text: Snippet,
    },
    Item {
        text: Snippet,
        star: &'static str,
        names: Option<CalendarNames>,
    },
    /// A letter or a sign of another dialect, and the same schedule in Kron's text form, if it has one.
    Extension {
        text: Snippet,
        what: &'static str,
        meaning: Option<DialectMeaning>,
    },
    /// `H`, as in Jenkins, and the same schedule in Kron's text form, if it has one.
    Hash {
        text: Snippet,
        meaning: Option<String>,
    },
    Follows {
        text: Snippet,
        what: Follows,
    },
    Number {
        text: Snippet,
        min: u8,
        max: u8,
    },
    Step {
        text: Snippet,
    },
    Backwards {
        text: Snippet,
        help: String,
    },
    NeverMatches,
}

/// A schedule of another dialect of cron in Kron's text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DialectMeaning {
    pub(crate) text: String,
    /// A number in the day of week that other dialects read otherwise than cron, and the weekday that it is there.
    pub(crate) weekday: Option<(u32, &'static str)>,
}

impl fmt::Display for DialectMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "write `{}`", self.text)?;
        match self.weekday {
            Some((number, name)) => write!(f, " ({number} is {name} in AWS and Quartz)"),
            None => Ok(()),
        }
    }
}

/// What follows a valid schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Command { schedule: Snippet },
    Comment,
    Modifier,
}

/// All macros, for messages.
const MACROS: [&str; 7] = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// What people write as macros, and what they mean.
const OTHER_MACROS: [(&str, &str); 3] = [
    ("@weekdays", "0 0 * * 1-5"),
    ("@fortnightly", "0 0 * * * @days(every=2w;from=2026-01-05)"),
    ("@quarterly", "0 0 1 1,4,7,10 *"),
];

impl ErrorMessage for CronError {
    fn code(&self) -> ErrorCode {
        match self {
            CronError::TooLong { .. } => ErrorCode::CronTooLong,
            CronError::FieldCount { found: 6 | 7, .. } => ErrorCode::CronUnsupported,
            CronError::FieldCount { .. } | CronError::LeadingField { .. } | CronError::Follows { .. } => {
                ErrorCode::CronFieldCount
            }
            CronError::TimeZonePrefix { .. }
            | CronError::Reboot
            | CronError::Every { .. }
            | CronError::Hash { .. }
            | CronError::Extension { .. } => ErrorCode::CronUnsupported,
            CronError::Macro { .. } | CronError::Item { .. } => ErrorCode::CronSyntax,
            CronError::Number { .. } | CronError::Step { .. } => ErrorCode::CronOutOfRange,
            CronError::Backwards { .. } => ErrorCode::CronBackwards,
            CronError::NeverMatches => ErrorCode::CronNeverMatches,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            CronError::TooLong { bytes, max } => {
                write!(f, "a cron expression has at most {max} bytes, but this one has {bytes}")
            }
            CronError::LeadingField { text } => write!(f, "{text}{at} is not a field of a cron expression"),
            CronError::FieldCount { found, .. } => {
                write!(
                    f,
                    "a cron expression has five fields (minute, hour, day of month, month, day of week), but found "
                )?;
                match found {
                    0 => write!(f, "none"),
                    _ => write!(f, "{found}"),
                }
            }
            CronError::TimeZonePrefix { text } => {
                write!(f, "{text}{at}: a time zone is not part of a cron expression")
            }
            CronError::Reboot => write!(f, "`@reboot`{at} names no time"),
            CronError::Every { .. } => write!(f, "`@every`{at} is not a calendar schedule"),
            CronError::Macro { text } => write!(
                f,
                "{text}{at} is none of `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` and `@hourly`"
            ),
            CronError::Item { text, .. } if text.as_str().is_empty() => {
                write!(f, "an item of the list{at} is empty")
            }
            CronError::Item { text, star, names } => {
                let names = match names {
                    None => "",
                    Some(CalendarNames::DaysOfWeek) => " (days may be SUN to SAT)",
                    Some(CalendarNames::Months) => " (months may be JAN to DEC)",
                };
                write!(f, "{text}{at} is none of {star}, `n` and `a-b`, each with an optional `/step`{names}")
            }
            CronError::Extension { text, what, .. } => write!(f, "{text}{at} ({what}) is not cron"),
            CronError::Hash { text, .. } => write!(f, "{text}{at} (a value chosen by hash) is not cron"),
            CronError::Follows { text, .. } => write!(f, "{text}{at} follows the schedule"),
            CronError::Number { text, min, max } => write!(f, "{text}{at} is not in {min} to {max}"),
            CronError::Step { text } => write!(f, "step {text}{at} is not a number from 1 on"),
            CronError::Backwards { text, .. } => write!(f, "range {text}{at} runs backwards"),
            CronError::NeverMatches => {
                write!(f, "no month in the expression has such a day, so it never matches")
            }
        }
    }

    fn help(&self) -> String {
        match self {
            CronError::LeadingField { .. } => "begin with the schedule; fields such as `name=` follow it".to_string(),
            CronError::FieldCount { found: 6 | 7, meaning: None } => {
                "seconds and years are not cron; leave them out".to_string()
            }
            CronError::FieldCount { meaning: Some(meaning), .. } => {
                format!("seconds and years are not cron; {meaning}")
            }
            CronError::Extension { meaning: Some(meaning), .. } => meaning.to_string(),
            CronError::FieldCount { .. } => "write for example `0 3 * * *`".to_string(),
            CronError::TimeZonePrefix { text } => {
                let zone = text.as_str().split_once('=').map_or("", |(_, zone)| zone);
                let zone = if zone.is_empty() { "UTC" } else { zone };
                format!("use the time zone setting: `@tz({zone})`, or `timezone` in a manifest")
            }
            CronError::Reboot => "write five fields or a macro such as `@daily`".to_string(),
            CronError::Every { meaning: Some(meaning) } => format!("write `{meaning}`"),
            CronError::Every { meaning: None } => {
                "write a step, such as `*/15 * * * *` for every 15 minutes".to_string()
            }
            CronError::Macro { text } => {
                let meant = OTHER_MACROS.iter().find(|(word, _)| text.as_str().eq_ignore_ascii_case(word));
                match (meant, nearest(text.as_str(), MACROS)) {
                    (Some((_, meaning)), _) => format!("write `{meaning}`"),
                    (None, Some(word)) => format!("did you mean `{word}`?"),
                    (None, None) => "write five fields or one of these macros".to_string(),
                }
            }
            CronError::Hash { meaning: Some(meaning), .. } => format!("write `{meaning}`"),
            CronError::Hash { meaning: None, .. } => {
                "write for example `0 3 * * * @win(after,59m59s) @seed(fixed)` instead of `H 3 * * *`".to_string()
            }
            CronError::Follows { what: Follows::Command { schedule }, .. } => format!(
                "a job has no command; write `command=` in a job file: `{} name=team/job command=\"...\"`",
                schedule.as_str()
            ),
            CronError::Follows { what: Follows::Comment, .. } => "leave the comment out".to_string(),
            CronError::Follows { what: Follows::Modifier, .. } => {
                "a cron expression has no modifiers; in a manifest, use the fields `timezone`, `window`, `distribution`, \
                 `seed`, `policy` and `constraints`"
                    .to_string()
            }
            CronError::Backwards { help, .. } => format!("write `{help}`"),
            CronError::Step { .. } => "write for example `*/15`".to_string(),
            CronError::Item { text, .. } if text.as_str().is_empty() => {
                "write one comma between two items, and none at the ends".to_string()
            }
            CronError::Item { text, names: Some(names), .. } => {
                names.help(text.as_str(), false).unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}
