//! What schedules of other dialects of cron mean in Kron: a field of seconds, a field of years, and `L`, `W` and `#` in the day fields.
//!
//! Called only for a text with an error. What is offered reads: each plain field has been read as a field of cron.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::item::read_item;
use crate::error::DialectMeaning;
use crate::time::calendar_field::{self, DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MINUTE, MONTH};

/// What a day field says.
enum Days {
    Any,
    /// As cron says it.
    Field(String),
    /// As clauses, of which one must match.
    Clauses(Vec<String>),
}

/// The same schedule in Kron's text form, from the five, six or seven words of an expression.
pub(super) fn meaning(words: &[&str]) -> Option<DialectMeaning> {
    let asks = |at: usize| words.get(at) == Some(&"?");
    let (fields, second, year) = match words {
        fields if fields.len() == 5 => (fields, None, None),
        // AWS: the year is last, and one of the day fields is `?`.
        [fields @ .., year] if words.len() == 6 && (asks(2) || asks(4) || is_year(year)) => {
            (fields, None, Some(*year))
        }
        [second, fields @ ..] if words.len() == 6 => (fields, Some(*second), None),
        [second, fields @ .., year] if words.len() == 7 => (fields, Some(*second), Some(*year)),
        _ => return None,
    };
    let [minute, hour, day_of_month, month, day_of_week] = *fields else { return None };
    if second.is_some_and(|second| !matches!(second, "0" | "00")) {
        return None;
    }
    // Quartz and AWS, the two that ask for `?`, call Sunday 1.
    let sunday = u32::from(words.len() > 5 && fields.contains(&"?"));
    for (field, text) in [(&MINUTE, minute), (&HOUR, hour), (&MONTH, month)] {
        set(field, text)?;
    }
    let days = (of_month(day_of_month)?, of_week(day_of_week, sunday)?);
    let (day_of_month, day_of_week, mut clauses) = match days {
        (Days::Any, Days::Clauses(clauses)) | (Days::Clauses(clauses), Days::Any) => {
            ("*".into(), "*".into(), clauses)
        }
        (Days::Any, Days::Field(week)) => ("*".into(), week, Vec::new()),
        (Days::Field(month), Days::Any) => (month, "*".into(), Vec::new()),
        (Days::Any, Days::Any) => ("*".into(), "*".into(), Vec::new()),
        // Programs with a field of seconds do not agree on whether both must match.
        _ if words.len() > 5 => return None,
        (Days::Clauses(month), Days::Clauses(week)) => ("*".into(), "*".into(), [month, week].concat()),
        (Days::Clauses(mut clauses), Days::Field(week)) => {
            clauses.push(format!("dow={week}"));
            ("*".into(), "*".into(), clauses)
        }
        (Days::Field(month), Days::Clauses(mut clauses)) => {
            clauses.insert(0, format!("dom={month}"));
            ("*".into(), "*".into(), clauses)
        }
        (Days::Field(month), Days::Field(week)) => (month, week, Vec::new()),
    };
    if let Some(years) = year.filter(|year| *year != "*") {
        let dates = |years: &str| {
            let (first, last) = years.split_once('-').unwrap_or((years, years));
            (is_year(first) && is_year(last)).then(|| format!("dates={first}-01-01..{last}-12-31"))
        };
        let years: Vec<String> = years.split(',').map(dates).collect::<Option<_>>()?;
        clauses = match &*clauses {
            [] => years,
            clauses => {
                let joined = |clause| years.iter().map(move |years| format!("{clause};{years}"));
                clauses.iter().flat_map(joined).collect()
            }
        };
    }
    let mut text = format!("{minute} {hour} {day_of_month} {month} {day_of_week}");
    clauses.iter().for_each(|clause| text.push_str(&format!(" @days({clause})")));
    // The number behind `#` counts weeks.
    let number = fields[4].split('#').next()?.chars().find(char::is_ascii_digit).filter(|_| sunday == 1);
    let number = number.and_then(|digit| digit.to_digit(10)).filter(|number| (1..=7).contains(number));
    Some(DialectMeaning { text, weekday: number.map(|number| (number, NAMES[number as usize - 1])) })
}

static NAMES: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.starts_with(['1', '2']) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The values of a field of cron.
fn set(field: &'static Field, text: &str) -> Option<u64> {
    text.split(',').try_fold(0, |set, item| {
        let mut end = 0;
        let read = read_item(field, item.as_bytes(), &mut end)?;
        (end == item.len()).then(|| set | read.set())
    })
}

fn of_month(text: &str) -> Option<Days> {
    if matches!(text, "*" | "?") {
        return Some(Days::Any);
    }
    if set(&DAY_OF_MONTH, text).is_some() && !text.contains('/') {
        return Some(Days::Field(text.to_string()));
    }
    let (mut plain, mut clauses) = (0, Vec::new());
    for item in text.split(',') {
        match extension_of_month(item) {
            Some(clause) => clauses.push(clause),
            None => plain |= set(&DAY_OF_MONTH, item)?,
        }
    }
    let plain = list(&DAY_OF_MONTH, plain);
    if clauses.is_empty() {
        return Some(Days::Field(plain));
    }
    if !plain.is_empty() {
        clauses.insert(0, format!("dom={plain}"));
    }
    Some(Days::Clauses(clauses))
}

fn of_week(text: &str, sunday: u32) -> Option<Days> {
    if matches!(text, "*" | "?") {
        return Some(Days::Any);
    }
    let (mut plain, mut clauses) = (Vec::new(), Vec::new());
    for item in text.split(',') {
        match extension_of_week(item, sunday) {
            Some(clause) => clauses.push(clause),
            None => {
                let (first, last) = item.split_once('-').unwrap_or((item, item));
                let (first, last) = (weekday(first, sunday)?, weekday(last, sunday)?);
                plain.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
            }
        }
    }
    let plain = plain.join(",");
    if clauses.is_empty() {
        return set(&DAY_OF_WEEK, &plain).map(|_| Days::Field(plain));
    }
    if !plain.is_empty() {
        clauses.insert(0, format!("dow={plain}"));
    }
    Some(Days::Clauses(clauses))
}

fn list(field: &Field, set: u64) -> String {
    let mut out = String::new();
    calendar_field::write_list(&mut out, field, set, false);
    out
}

/// The three letters of a weekday that is written as a number or in three letters.
fn weekday(text: &str, sunday: u32) -> Option<&'static str> {
    const LETTERS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
    if let Some(letters) = LETTERS.iter().find(|letters| letters.eq_ignore_ascii_case(text)) {
        return Some(letters);
    }
    let number = calendar_field::number(text).filter(|number| (sunday..=7).contains(number))?;
    LETTERS.get((number - sunday) as usize % 7).copied()
}

/// `L`, `L-3`, `LW` and `15W` as parts of a clause.
pub(crate) fn extension_of_month(item: &str) -> Option<String> {
    let item = item.to_ascii_uppercase();
    if let Some(rest) = item.strip_prefix('L') {
        return match (rest, rest.strip_prefix('-')) {
            ("", _) => Some("last=1".to_string()),
            ("W", _) => Some("lastworkday=1".to_string()),
            // The last day but three.
            (_, Some(before)) => {
                let before = calendar_field::number(before).filter(|before| *before <= 30)?;
                Some(format!("last={}", before + 1))
            }
            _ => None,
        };
    }
    let day = calendar_field::number(item.strip_suffix('W')?).filter(|day| (1..=31).contains(day))?;
    Some(format!("near={day}"))
}

/// `FRIL`, `5L`, `MON#1` and `1#1` as parts of a clause. Sunday has this number.
pub(crate) fn extension_of_week(item: &str, sunday: u32) -> Option<String> {
    let item = item.to_ascii_uppercase();
    if let Some(day) = item.strip_suffix("#L") {
        return Some(format!("dow={};last=1-7", weekday(day, sunday)?));
    }
    if let Some((day, number)) = item.split_once('#') {
        let number = calendar_field::number(number).filter(|number| (1..=5).contains(number))?;
        let (first, last) = (number * 7 - 6, (number * 7).min(31));
        return Some(format!("dow={};dom={first}-{last}", weekday(day, sunday)?));
    }
    Some(format!("dow={};last=1-7", weekday(item.strip_suffix('L')?, sunday)?))
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use crate::{Cron, JobSpec};

    #[track_caller]
    fn help(text: &str) -> String {
        Cron::parse(text).unwrap_err().help().unwrap_or_default()
    }

    /// The text that a help offers, which reads.
    #[track_caller]
    fn offered(text: &str) -> String {
        let help = help(text);
        let offered = help.split('`').nth(1).unwrap_or_else(|| panic!("{text}: {help}"));
        JobSpec::parse(offered).unwrap();
        offered.into()
    }

    #[test]
    fn letters_of_other_dialects_lead_to_clauses() {
        for (text, want) in [
            ("0 0 L * *", "0 0 * * * @days(last=1)"),
            ("0 0 L-3 6 ?", "0 0 * 6 * @days(last=4)"),
            ("0 0 LW * *", "0 0 * * * @days(lastworkday=1)"),
            ("0 0 15W,l * *", "0 0 * * * @days(near=15) @days(last=1)"),
            ("0 0 1,15,L * *", "0 0 * * * @days(dom=1,15) @days(last=1)"),
            ("0 0 */10,L * *", "0 0 * * * @days(dom=1,11,21,31) @days(last=1)"),
            ("0 0 * * MON#5", "0 0 * * * @days(dow=MON;dom=29-31)"),
            ("0 0 * * 5L", "0 0 * * * @days(dow=FRI;last=1-7)"),
            ("0 0 * * friL,1#2", "0 0 * * * @days(dow=FRI;last=1-7) @days(dow=MON;dom=8-14)"),
            ("0 0 L * MON", "0 0 * * * @days(last=1) @days(dow=MON)"),
            ("0 0 13 * FRIL", "0 0 * * * @days(dom=13) @days(dow=FRI;last=1-7)"),
            ("0 0 * * MON,TUE#1", "0 0 * * * @days(dow=MON) @days(dow=TUE;dom=1-7)"),
        ] {
            assert_eq!(offered(text), want, "{text}");
        }
        for text in ["0 0 L-31 * *", "0 0 32W * *", "0 0 * * MON#6", "0 0 * * 8L", "0 0 L-2W * *"] {
            assert!(!help(text).contains("@days"), "{text}");
        }
    }

    #[test]
    fn seconds_and_years_lead_to_five_fields() {
        for (text, want) in [
            ("0 0 9 ? * MON-FRI", "0 9 * * MON-FRI"),
            ("0 30 2 * * *", "30 2 * * *"),
            ("0 0 12 ? * 2 *", "0 12 * * MON"),
            ("0 12 ? * 2-6 *", "0 12 * * MON-FRI"),
            ("0 0 12 ? * 6L", "0 12 * * * @days(dow=FRI;last=1-7)"),
            ("0 0 12 L * ?", "0 12 * * * @days(last=1)"),
            ("0 0 12 1/5 * ?", "0 12 1,6,11,16,21,26,31 * *"),
            ("15 10 ? * 6L 2026-2028", "15 10 * * * @days(dow=FRI;last=1-7;dates=2026-01-01..2028-12-31)"),
            (
                "0 0 9 L * ? 2026,2028-2029",
                "0 9 * * * @days(last=1;dates=2026-01-01..2026-12-31) @days(last=1;dates=2028-01-01..2029-12-31)",
            ),
            ("0 3 * * * 2026", "0 3 * * * @days(dates=2026-01-01..2026-12-31)"),
            ("0 0 9 * * 1", "0 9 * * MON"),
        ] {
            assert_eq!(offered(text), want, "{text}");
        }
        assert_eq!(
            help("0 12 ? * 2 *"),
            "seconds and years are not cron; write `0 12 * * MON` (2 is Monday in AWS and Quartz)"
        );
        assert_eq!(
            help("0 9 ? * MON#1 *"),
            "seconds and years are not cron; write `0 9 * * * @days(dow=MON;dom=1-7)`"
        );
        // Other seconds, both day fields, and steps of years.
        for text in ["30 0 9 * * *", "0 0 9 13 * FRI", "0 3 * * * 2026/2", "* * * * * *"] {
            assert_eq!(help(text), "seconds and years are not cron; leave them out", "{text}");
        }
    }
}
