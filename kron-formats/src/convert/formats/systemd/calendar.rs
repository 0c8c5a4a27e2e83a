//! Calendar events: `Mon..Fri *-*-1..7 03:00:00 Europe/Paris`.

use kron_core::cron::CronField;
use kron_core::{Finding, Parser};

use crate::convert::times::{Days, Times, Values, around, bits, bounds};
use crate::error::convert::{systemd as messages, times as wrong};

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/// A calendar event in five fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Calendar {
    pub(crate) times: Times,
    pub(crate) timezone: Option<String>,
}

/// Reads the value of `OnCalendar=`.
pub(crate) fn calendar(text: &str, parser: &Parser) -> Result<Calendar, Finding> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut timezone = None;
    if let [_, .., last] = &mut words[..]
        && last.eq_ignore_ascii_case("utc")
    {
        *last = "UTC";
    }
    if let [_, .., last] = words[..]
        && parser.spec(&format!("@daily @tz(\"{}\")", last.replace(['"', '\\'], "?"))).is_ok()
    {
        timezone = Some(last.to_string());
        words.pop();
    }
    let expanded: Vec<&str>;
    let words = match words[..] {
        [word] => match shorthand(word) {
            Some(text) => {
                expanded = text.split(' ').collect();
                &expanded[..]
            }
            None => &words[..],
        },
        _ => &words[..],
    };
    let mut words = words.iter().copied().peekable();
    let mut weekdays = CronField::DayOfWeek.all_values();
    if let Some(word) = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())) {
        weekdays = days(word)?;
    }
    let (mut dom, mut month) = (CronField::DayOfMonth.all_values(), CronField::Month.all_values());
    if let Some(word) = words.next_if(|word| !word.contains(':')) {
        (month, dom) = date(word)?;
    }
    let (mut hour, mut minute) = (1, 1);
    if let Some(word) = words.next() {
        (hour, minute) = time(word)?;
    }
    if let Some(word) = words.next() {
        return Err(messages::calendar_syntax(word));
    }
    let fields = [minute, hour, dom, month, weekdays].map(Values::Set);
    Ok(Calendar { times: Times::of(fields, Days::Both), timezone })
}

fn shorthand(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "minutely" => "*-*-* *:*:00",
        "hourly" => "*-*-* *:00:00",
        "daily" => "*-*-* 00:00:00",
        "weekly" => "Mon *-*-* 00:00:00",
        "monthly" => "*-*-01 00:00:00",
        "quarterly" => "*-01,04,07,10-01 00:00:00",
        "semiannually" => "*-01,07-01 00:00:00",
        "yearly" | "annually" => "*-01-01 00:00:00",
        _ => return None,
    })
}

/// Names of weekdays, whole or three letters, with ranges that may go from Sunday on.
fn days(text: &str) -> Result<u64, Finding> {
    let day = |name: &str| {
        let name = name.to_ascii_lowercase();
        let day = DAYS.iter().position(|day| *day == name || day[..3] == name);
        day.map(|day| day as u32).ok_or_else(|| messages::weekday(text))
    };
    let short = |day: u32| {
        let name = &DAYS[day as usize % 7][..3];
        name[..1].to_ascii_uppercase() + &name[1..]
    };
    let mut all = 0;
    for item in text.trim_end_matches(',').split(',') {
        let range = item.split_once("..").or_else(|| item.split_once('-'));
        let (from, to) = match range {
            Some((from, to)) => (day(from)?, day(to)?),
            None => (day(item)?, day(item)?),
        };
        // systemd counts from Monday, so a range may end on Sunday, and only there goes on to 7.
        let (first, last) = ((from + 6) % 7, (to + 6) % 7);
        if first > last {
            let days = (first..=last + 7).map(|day| short((day + 1) % 7)).collect::<Vec<_>>().join(",");
            return Err(messages::weekday_range(item, &days));
        }
        (first..=last).for_each(|day| all |= 1 << ((day + 1) % 7));
    }
    Ok(all)
}

/// Month and day; the year must be any.
fn date(text: &str) -> Result<(u64, u64), Finding> {
    if text.contains('~') {
        return Err(messages::last_days(text));
    }
    let parts: Vec<&str> = text.split('-').collect();
    let (month, day) = match parts[..] {
        [month, day] => (month, day),
        ["*", month, day] => (month, day),
        [_, _, _] => return Err(messages::years(text)),
        _ => return Err(messages::date(text)),
    };
    Ok((values(month, CronField::Month)?, values(day, CronField::DayOfMonth)?))
}

/// Hour and minute; the second must be 0.
fn time(text: &str) -> Result<(u64, u64), Finding> {
    let parts: Vec<&str> = text.split(':').collect();
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, "0"),
        [hour, minute, second] => (hour, minute, second),
        _ => return Err(messages::time(text)),
    };
    if second.is_empty() || second.len() > 2 || second.bytes().any(|byte| byte != b'0') {
        return Err(messages::seconds(second));
    }
    Ok((values(hour, CronField::Hour)?, values(minute, CronField::Minute)?))
}

/// A list of values, ranges and repetitions.
fn values(text: &str, field: CronField) -> Result<u64, Finding> {
    let (low, high) = bounds(field);
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u32>().ok()).flatten()
    };
    let value = |digits: &str| {
        number(digits)
            .filter(|value| (low..=high).contains(value))
            .ok_or_else(|| messages::value(field, text))
    };
    // systemd knows `*` neither in lists nor with a repetition.
    if text == "*" {
        return Ok(field.all_values());
    }
    let mut all = 0;
    for item in text.split(',') {
        let (range, step) = match item.split_once('/') {
            None => (item, None),
            Some((range, step)) => {
                let step = number(step).filter(|step| *step > 0);
                (range, Some(step.ok_or_else(|| wrong::wrong_step(field, item, high - low + 1))?))
            }
        };
        if let ("*", Some(step)) = (range, step) {
            return Err(messages::repeated_star(field, text, step));
        }
        let (from, to) = match range.split_once("..") {
            Some((from, to)) => (value(from)?, value(to)?),
            None if step.is_some() => (value(range)?, high),
            None => (value(range)?, value(range)?),
        };
        if from > to {
            let instead = around(field, from, to, step.unwrap_or(1)).replace('-', "..");
            return Err(wrong::backwards(field, item, &instead));
        }
        all |= bits(from, to, step.unwrap_or(1));
    }
    Ok(all)
}
