//! Triggers of APScheduler: the keyword arguments of a `CronTrigger`, one trigger a line.

use kron_core::Finding;
use kron_core::cron::CronField;

use super::dialect::Dialect;
use super::lines::{Line, convert};
use crate::convert::cron_field::number;
use crate::convert::days::{DayClause, both};
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::kron_times;
use crate::error::convert::{apscheduler as messages, days as day_messages, expression as expressions};

pub(in crate::convert::formats) const READER: Reader = Reader {
    evidence: Evidence::Lines,
    recognizes: is_apscheduler,
    convert: Convert::Each(|input, conversion| convert(input, conversion, line)),
};

/// The fields from the largest to the smallest, and what a field is that is left out behind the last one that is written.
const FIELDS: [(&str, &str); 8] = [
    ("year", "*"),
    ("month", "1"),
    ("day", "1"),
    ("week", "*"),
    ("day_of_week", "*"),
    ("hour", "0"),
    ("minute", "0"),
    ("second", "0"),
];
const OTHERS: [&str; 4] = ["timezone", "jitter", "start_date", "end_date"];
const POSITIONS: [&str; 5] = ["1st", "2nd", "3rd", "4th", "5th"];

/// Whether all lines are keyword arguments of a trigger, and one of them names days as only APScheduler does or has several.
fn is_apscheduler(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines().next().is_some()
        && lines().all(|line| {
            let (inner, is_call) = arguments(line);
            let is_known =
                |argument: &str| argument.split_once('=').is_some_and(|(name, _)| is_keyword(name.trim()));
            let mut all = split(inner).peekable();
            (is_call || all.clone().count() > 1) && all.peek().is_some() && all.all(is_known)
        })
}

fn is_keyword(name: &str) -> bool {
    FIELDS.iter().any(|(field, _)| *field == name) || OTHERS.contains(&name)
}

/// The arguments of a line, and whether it is a call.
fn arguments(line: &str) -> (&str, bool) {
    let call = line.strip_prefix("CronTrigger(").and_then(|rest| rest.strip_suffix(')'));
    call.map_or((line, false), |inner| (inner, true))
}

/// The arguments between commas outside of quotes. A comma at the end is allowed.
fn split(text: &str) -> impl Iterator<Item = &str> + Clone {
    let mut quote = None;
    let parts = text.split(move |c: char| match (quote, c) {
        (None, '\'' | '"') => {
            quote = Some(c);
            false
        }
        (Some(open), c) if c == open => {
            quote = None;
            false
        }
        (None, ',') => true,
        _ => false,
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// The text of a value: a number, or what stands between quotes.
fn plain(value: &str) -> Option<&str> {
    let quoted = ['\'', '"'].into_iter().find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    match quoted {
        Some(inner) => (!inner.contains(['\'', '"', '\\'])).then(|| inner.trim()),
        None => number(value).map(|_| value),
    }
}

fn line(text: &str) -> Result<Line, Finding> {
    let mut fields: [Option<&str>; 8] = [None; 8];
    let (mut timezone, mut jitter) = (None, None);
    for argument in split(arguments(text).0) {
        let (name, value) = argument.split_once('=').ok_or_else(|| messages::no_keyword(argument))?;
        let (name, value) = (name.trim(), value.trim());
        if !is_keyword(name) {
            let known = FIELDS.iter().map(|(field, _)| *field).chain(OTHERS).collect::<Vec<_>>().join(", ");
            return Err(messages::unknown_keyword(name, &known));
        }
        // As if it were left out.
        if value == "None" {
            continue;
        }
        let value = plain(value).ok_or_else(|| messages::no_keyword(argument))?;
        let place = match FIELDS.iter().position(|(field, _)| *field == name) {
            Some(index) => &mut fields[index],
            None if name == "timezone" => &mut timezone,
            None if name == "jitter" => &mut jitter,
            None => return Err(messages::limit_of_dates(name)),
        };
        if place.replace(value).is_some() {
            return Err(messages::repeated_keyword(name));
        }
    }
    let least = fields.iter().rposition(Option::is_some).ok_or_else(messages::no_time)?;
    let texts: Vec<String> = (0..)
        .zip(fields)
        .map(|(index, text)| match text {
            // Blanks around commas say nothing.
            Some(text) => text.split(',').map(str::trim).collect::<Vec<_>>().join(","),
            None if index > least => FIELDS[index].1.to_string(),
            None => "*".to_string(),
        })
        .collect();
    let [year, month, day, week, day_of_week, hour, minute, second] = &texts[..] else {
        return Err(messages::no_time());
    };
    if week != "*" {
        return Err(messages::weeks(week));
    }
    if second != "0" {
        return Err(expressions::seconds(second));
    }
    let dialect = Dialect::APSCHEDULER;
    let sets = [
        dialect.values(CronField::Minute, minute)?,
        dialect.values(CronField::Hour, hour)?,
        dialect.values(CronField::Month, month)?,
    ];
    let of_week = dialect.values(CronField::DayOfWeek, day_of_week)?;
    let days = both(&days(day)?, &[DayClause::of_week(of_week)])?;
    if days.is_empty() {
        return Err(day_messages::no_day());
    }
    let times = kron_times(sets, &days, &dialect.years(year)?, None)?;
    let jitter = match jitter {
        None => None,
        Some(text) => Some(number(text).ok_or_else(|| messages::jitter(text))?),
    };
    let window = jitter.map(u64::from).filter(|seconds| *seconds > 0);
    Ok(Line { times, timezone: timezone.map(str::to_string), window })
}

/// The days of the field `day`.
fn days(text: &str) -> Result<Vec<DayClause>, Finding> {
    let mut clauses = Vec::new();
    let mut plain = 0;
    for item in text.split(',') {
        let lower = item.to_ascii_lowercase();
        let words: Vec<&str> = lower.split(' ').filter(|word| !word.is_empty()).collect();
        let clause = match words[..] {
            ["last"] => DayClause::last(1 << 1),
            [position, name] if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                let day = Dialect::APSCHEDULER.weekdays(name, item).map_err(|_| messages::position(item))?;
                match POSITIONS.iter().position(|known| *known == position) {
                    Some(index) => DayClause::nth_of_week(day, index as u32 + 1),
                    None if position == "last" => DayClause::last_of_week(day),
                    None => return Err(messages::position(item)),
                }
            }
            _ => {
                plain |= Dialect::APSCHEDULER.item(CronField::DayOfMonth, item)?;
                continue;
            }
        };
        DayClause::add(&mut clauses, clause);
    }
    if plain != 0 {
        clauses.insert(0, DayClause::of_month(plain));
    }
    Ok(clauses)
}
