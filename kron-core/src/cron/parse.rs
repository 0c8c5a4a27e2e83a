//! The parser of cron expressions.
//!
//! ```text
//! expression = blanks (macro | field blanks+ field blanks+ field blanks+ field blanks+ field) blanks
//! field      = item { "," item }
//! item       = ( "*" | "?" | value [ "-" value ] ) [ "/" digits ]     "?" in the two day fields only
//! value      = digits | name                                          names for months and days of the week only
//! blanks     = { " " | tab }
//! ```

use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

use super::dialects;
use super::hashed::HashedItem;
use super::item::{Item, read_item};
use super::{Cron, RestrictedDays};
use crate::error::{CalendarNames, CronError, DialectMeaning, Error, Follows, Snippet, in_known_units};
use crate::limits::CRON_BYTES;
use crate::time::calendar_field::{BadValue, DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MINUTE, MONTH, number};
use crate::time::duration::Duration;

static FIELDS: [&Field; 5] = [&MINUTE, &HOUR, &DAY_OF_MONTH, &MONTH, &DAY_OF_WEEK];

static MACROS: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// Parses an expression and calls `visit` with each item. Spans of errors are bytes of `text`; they have no column yet.
#[inline]
pub(crate) fn parse(text: &str, visit: &mut impl FnMut(Item)) -> Result<Cron, Error> {
    if text.len() <= CRON_BYTES
        && let Some(cron) = read(text.as_bytes(), visit).filter(|cron| !cron.never_matches())
    {
        return Ok(cron);
    }
    let (meaning, whole) = meaning_of_macro(text)?;
    let read = read(meaning.as_bytes(), &mut |item| visit(Item { span: whole.clone(), ..item }));
    // OK because the meanings of macros are expressions.
    read.ok_or_else(|| Error::of("schedule", CronError::FieldCount { found: 0, meaning: None }))
}

/// Reads five fields in one pass over the bytes; `None` for anything else.
#[inline]
fn read(bytes: &[u8], visit: &mut impl FnMut(Item)) -> Option<Cron> {
    let mut sets = [0; 5];
    let mut unrestricted = [false; 5];
    let mut at = blanks(bytes, 0);
    for (i, field) in FIELDS.into_iter().enumerate() {
        loop {
            let item = read_item(field, bytes, &mut at)?;
            sets[i] |= item.set();
            unrestricted[i] |= item.star && item.step == 1;
            visit(item);
            if bytes.get(at) != Some(&b',') {
                break;
            }
            at += 1;
        }
        let end = at;
        at = blanks(bytes, end);
        if at == end && end < bytes.len() {
            return None;
        }
    }
    (at == bytes.len()).then_some(Cron {
        // OK because minutes are cut in halves, and the other fields have at most 31 bits, months 13 and days of the week 7.
        minutes: [sets[0] as u32, (sets[0] >> 32) as u32],
        hours: sets[1] as u32,
        days_of_month: sets[2] as u32,
        months: sets[3] as u16,
        days_of_week: sets[4] as u8,
        restricted: match (unrestricted[2], unrestricted[4]) {
            (true, true) => RestrictedDays::Neither,
            (false, true) => RestrictedDays::OfMonth,
            (true, false) => RestrictedDays::OfWeek,
            (false, false) => RestrictedDays::Both,
        },
    })
}

/// The end of the blanks that begin at `at`.
#[inline]
fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// The expression of a macro.
pub(crate) fn macro_meaning(name: &str) -> Option<&'static str> {
    MACROS.iter().find(|(word, _)| *word == name).map(|(_, meaning)| *meaning)
}

/// The expression of a macro, and the macro's place. Any other text is not five valid fields, so the error says what is
/// wrong with it.
#[cold]
fn meaning_of_macro(text: &str) -> Result<(&'static str, Range<usize>), Error> {
    let whole = |error: CronError| Error::of("schedule", error);
    let mut words: [Range<usize>; 5] = Default::default();
    let mut found = 0;
    for word in split(text) {
        if let Some(slot) = words.get_mut(found) {
            *slot = word;
        }
        found += 1;
    }
    let trimmed = words[0].start..text.trim_end_matches([' ', '\t']).len().max(words[0].start);
    let first = &text[words[0].clone()];
    // For a long line of a crontab, the error is about its command, not about its length.
    if let Some(error) = what_follows(text, &words, found, trimmed.end) {
        return Err(error);
    }
    if text.len() > CRON_BYTES {
        return Err(whole(CronError::TooLong { bytes: text.len(), max: CRON_BYTES }).at(0..text.len()));
    }
    if let Some(zone) = zone_prefix(first) {
        let span = words[0].start..words[0].start + zone.len();
        return Err(whole(CronError::TimeZonePrefix { text: Snippet::of(first) }).at(span));
    }
    if first.starts_with('@') {
        let name = &text[trimmed.clone()];
        return match macro_meaning(name) {
            Some(meaning) => Ok((meaning, trimmed)),
            None => Err(whole(unknown_macro(name)).at(trimmed)),
        };
    }
    if first.contains('=') {
        return Err(whole(CronError::LeadingField { text: Snippet::of(first) }).at(words[0].clone()));
    }
    if found != 5 {
        let words: Vec<&str> = split(text).take(8).map(|word| &text[word]).collect();
        let meaning = dialects::meaning(&words);
        return Err(whole(CronError::FieldCount { found, meaning }).at(trimmed));
    }
    let fields = words.each_ref().map(|word| &text[word.clone()]);
    for (field, word) in FIELDS.into_iter().zip(&words) {
        let mut start = word.start;
        for text in text[word.clone()].split(',') {
            let mut end = 0;
            if read_item(field, text.as_bytes(), &mut end).is_none() || end < text.len() {
                if text == "H" || text.starts_with("H/") || text.starts_with("H(") {
                    let kind = CronError::Hash { text: Snippet::of(text), meaning: meaning_of_hash(fields) };
                    return Err(Error::of(field.path, kind).at(start..start + text.len()));
                }
                return Err(not_read(field, text, || dialects::meaning(&fields)).shifted(start));
            }
            start += text.len() + 1;
        }
    }
    Err(whole(CronError::NeverMatches).at(words[2].start..words[3].end))
}

/// The error of words that follow a valid schedule, such as the command of a crontab line. Fields of seconds or years
/// have another error.
fn what_follows(text: &str, words: &[Range<usize>; 5], found: usize, end: usize) -> Option<Error> {
    let first = &text[words[0].clone()];
    let is_macro = macro_meaning(first).is_some();
    let schedule = if is_macro { words[0].clone() } else { words[0].start..words[4].end };
    if found <= if is_macro { 1 } else { 5 } || schedule.len() > CRON_BYTES {
        return None;
    }
    let rest = text[schedule.end..end].trim_start_matches([' ', '\t']);
    let word = rest.split([' ', '\t']).next().unwrap_or(rest);
    let named = [&MONTH, &DAY_OF_WEEK].into_iter().any(|field| {
        let mut at = 0;
        field.read_value(word.as_bytes(), &mut at).is_some()
            && !word.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic)
    });
    let extra_field = !word.starts_with('#')
        && (named || word.bytes().all(|byte| byte.is_ascii_digit() || b"*?,-/#LW".contains(&byte)));
    let text_of_schedule = &text[schedule];
    if !is_macro && (extra_field || read(text_of_schedule.as_bytes(), &mut |_| {}).is_none()) {
        return None;
    }
    let call = word.split_once('(').is_some_and(|(name, _)| name.bytes().all(|b| b.is_ascii_alphabetic()));
    let what = if word.starts_with('#') {
        Follows::Comment
    } else if word.starts_with('@') || call {
        Follows::Modifier
    } else {
        Follows::Command { schedule: Snippet::of(text_of_schedule) }
    };
    let kind = CronError::Follows { text: Snippet::of(rest), what };
    Some(Error::of("schedule", kind).at(end - rest.len()..end))
}

/// Converts a schedule with Jenkins' `H` in the minute, or in minute and hour, to a schedule with a window. The job
/// keeps its place in the window, as a Jenkins job keeps its minute.
fn meaning_of_hash(fields: [&str; 5]) -> Option<String> {
    let [minute, hour, rest @ ..] = fields;
    let hashed = |field, text| HashedItem::parse(field, text).and_then(Result::ok);
    let whole = |item: HashedItem| (item.low, item.high) == (MINUTE.min, MINUTE.max);
    let item = hashed(&MINUTE, minute)?;
    let (minute, hour, minutes) = match (item.step, hashed(&HOUR, hour)) {
        (None, Some(HashedItem { low, high, step: None })) if whole(item) => {
            ("0".into(), format!("{low}"), u32::from(high - low) * 60 + 59)
        }
        (None, None) => (format!("{}", item.low), hour.into(), u32::from(item.high - item.low)),
        // Windows of other steps reach into the next hour.
        (Some(step), None) if whole(item) && 60 % step == 0 => {
            (format!("*/{step}"), hour.into(), u32::from(step) - 1)
        }
        _ => return None,
    };
    let schedule: String = format!("{minute} {hour} {}", rest.join(" "));
    read(schedule.as_bytes(), &mut |_| {}).filter(|cron| !cron.never_matches())?;
    let window = match (minutes / 60, minutes % 60) {
        (0, 0) => "59s".into(),
        (0, minutes) => format!("{minutes}m59s"),
        (hours, minutes) => format!("{hours}h{minutes}m59s"),
    };
    Some(format!("{schedule} @win(after,{window}) @seed(fixed)"))
}

/// The schedule that is due as often as `@every` with this duration, if equal steps of minutes, hours or days can express
/// it. Days are counted from an example of a date, a Thursday for days and a Monday for weeks.
fn meaning_of_every(duration: &str) -> Option<String> {
    const DAY: i64 = 1440;
    let lower = duration.to_ascii_lowercase();
    let of_unit = |unit, length| {
        let count = crate::time::calendar_field::number(lower.strip_suffix(unit)?)?;
        i64::from(count).checked_mul(length)
    };
    let minutes = match of_unit('d', DAY).or_else(|| of_unit('w', 7 * DAY)) {
        Some(minutes) => minutes,
        None => {
            let known = in_known_units(duration);
            let nanos = Duration::parse(known.as_deref().unwrap_or(duration)).ok()?.as_nanos();
            (nanos % 60_000_000_000 == 0).then_some(nanos / 60_000_000_000)?
        }
    };
    let (days, is_days) = (minutes / DAY, minutes % DAY == 0);
    let most = i64::from(crate::limits::EVERY_MAX);
    match minutes {
        1 => Some("* * * * *".into()),
        2..=59 if 60 % minutes == 0 => Some(format!("*/{minutes} * * * *")),
        60 => Some("0 * * * *".into()),
        120..=1439 if minutes % 60 == 0 && 1440 % minutes == 0 => Some(format!("0 */{} * * *", minutes / 60)),
        1440 => Some("0 0 * * *".into()),
        10_080 => Some("0 0 * * 0".into()),
        _ if is_days && days % 7 == 0 && (1..=most).contains(&(days / 7)) => {
            Some(format!("0 0 * * * @days(every={}w;from=2026-01-05)", days / 7))
        }
        _ if is_days && (1..=most).contains(&days) => {
            Some(format!("0 0 * * * @days(every={days}d;from=2026-01-01)"))
        }
        _ => None,
    }
}

/// Words between blanks and tabs, as byte ranges.
fn split(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut at = 0;
    core::iter::from_fn(move || {
        at += bytes[at..].iter().take_while(|byte| blank(byte)).count();
        let start = at;
        at += bytes[at..].iter().take_while(|byte| !blank(byte)).count();
        (start < at).then_some(start..at)
    })
}

/// The `TZ=` or `CRON_TZ=` at the start of an expression, in any case.
fn zone_prefix(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    (name.eq_ignore_ascii_case("TZ") || name.eq_ignore_ascii_case("CRON_TZ")).then_some(word)
}

fn unknown_macro(name: &str) -> CronError {
    let word = name.split([' ', '\t']).next().unwrap_or(name);
    if word.eq_ignore_ascii_case("@reboot") {
        CronError::Reboot
    } else if word.eq_ignore_ascii_case("@every") {
        CronError::Every { meaning: meaning_of_every(name[word.len()..].trim_matches([' ', '\t'])) }
    } else {
        CronError::Macro { text: Snippet::of(name) }
    }
}

/// What is wrong with an item. Spans are bytes of the item.
fn not_read(field: &Field, text: &str, meaning: impl Fn() -> Option<DialectMeaning>) -> Error {
    let error = |kind: CronError, span: Range<usize>| Error::of(field.path, kind).at(span);
    let syntax = || error(not_an_item(field, text, &meaning), 0..text.len());
    let (base, step) = match text.split_once('/') {
        Some((base, step)) => (base, Some(step)),
        None => (text, None),
    };
    match step.map(number) {
        Some(None) => return syntax(),
        Some(Some(0)) => {
            let digits = base.len() + 1..text.len();
            return error(CronError::Step { text: Snippet::of(&text[digits.clone()]) }, digits);
        }
        None | Some(Some(_)) => {}
    }
    let (low, high) = base.split_once('-').unwrap_or((base, base));
    let mut values = [0; 2];
    for (value, (text, start)) in values.iter_mut().zip([(low, 0), (high, base.len() - high.len())]) {
        match field.value(text) {
            Ok(read) => *value = read,
            Err(BadValue::Syntax) => return syntax(),
            Err(BadValue::Range) => {
                let (min, max) = (field.min, field.max_written);
                let kind = CronError::Number { text: Snippet::of(text), min, max };
                return error(kind, start..start + text.len());
            }
        }
    }
    if values[0] > values[1] {
        let help = forwards(field, (low, high), values, step);
        return error(CronError::Backwards { text: Snippet::of(base), help }, 0..text.len());
    }
    syntax()
}

/// A range that runs backwards, written forwards in two parts; in one if it ends on Sunday, or if its steps pass over the second part.
fn forwards(field: &Field, (low, high): (&str, &str), values: [u8; 2], step: Option<&str>) -> String {
    let stride = step.and_then(number).unwrap_or(1);
    let step = step.map(|step| format!("/{step}")).unwrap_or_default();
    if *field == DAY_OF_WEEK && values[1] == 0 && values[0] < 7 {
        return format!("{low}-7{step}");
    }
    let (min, max) = (field.min, field.max);
    // A range of one value is written as that value.
    let tail = if values[0] >= max { low.into() } else { format!("{low}-{max}{step}") };
    // The steps go on over the end of the field.
    let (from, end) = (u32::from(values[0]), u32::from(max));
    let last = from + end.saturating_sub(from) / stride * stride;
    let next = last.saturating_add(stride).saturating_sub(end - u32::from(min) + 1);
    match u32::from(values[1]) {
        to if next > to => tail,
        to if next == to => format!("{tail},{high}"),
        _ => format!("{tail},{next}-{high}{step}"),
    }
}

fn not_an_item(field: &Field, text: &str, meaning: impl Fn() -> Option<DialectMeaning>) -> CronError {
    let day_field = field.is_of_days;
    let snippet = Snippet::of(text);
    if day_field {
        let upper = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if text.contains('#') {
            return CronError::Extension {
                text: snippet,
                what: "the n-th weekday of a month",
                meaning: meaning(),
            };
        }
        if upper.eq_ignore_ascii_case("L") || text.len() < 6 && text.to_ascii_uppercase().starts_with("L-") {
            return CronError::Extension { text: snippet, what: "the last", meaning: meaning() };
        }
        if upper.eq_ignore_ascii_case("W") || text.eq_ignore_ascii_case("LW") {
            return CronError::Extension { text: snippet, what: "the nearest weekday", meaning: meaning() };
        }
        if *field == DAY_OF_WEEK && text.len() == 4 && text.ends_with(['L', 'l']) && text.is_ascii() {
            return CronError::Extension { text: snippet, what: "the last", meaning: meaning() };
        }
    }
    let names = if *field == MONTH {
        Some(CalendarNames::Months)
    } else if *field == DAY_OF_WEEK {
        Some(CalendarNames::DaysOfWeek)
    } else {
        None
    };
    CronError::Item { text: snippet, star: if day_field { "`*`, `?`" } else { "`*`" }, names }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;
    use crate::error::ErrorCode;
    use crate::time::calendar_field::range;

    #[test]
    fn fields_become_masks() {
        let p = |text: &str| Cron::parse(text).unwrap();
        let all = p("* * * * *");
        assert_eq!(
            (all.minutes(), all.hours, all.days_of_month),
            (range(0, 59), range(0, 23) as u32, range(1, 31) as u32)
        );
        assert_eq!((all.months, all.days_of_week), (range(1, 12) as u16, range(0, 6) as u8));
        assert!(!all.day_of_month_restricted() && !all.day_of_week_restricted());
        assert_eq!(p("5/15 * * * *").minutes(), 1 << 5 | 1 << 20 | 1 << 35 | 1 << 50);
        assert_eq!(p("1,2-5,*/30,7/30 * * * *").minutes(), 0b11_1111 | 1 << 30 | 1 << 7 | 1 << 37);
        assert_eq!(p("0 0 * * 5-7").days_of_week, 0b110_0001);
        assert_eq!(p("0 0 * * 5/1").days_of_week, 0b110_0000);
        assert_eq!(p("0 0 * * 7/2").days_of_week, 1);
        assert_eq!(p("0 0 * feb-OCT/4 *").months, 1 << 2 | 1 << 6 | 1 << 10);
        assert_eq!(p(" \t0 0 * * 7\t "), p("0 0 * * SUN"));
        assert_eq!(p("0 0 */99999999999999999999 * *").days_of_month, 2);
    }

    #[test]
    fn day_fields_are_restricted_unless_starred() {
        let p = |text: &str| {
            let cron = Cron::parse(text).unwrap();
            (cron.day_of_month_restricted(), cron.day_of_week_restricted())
        };
        assert_eq!(p("0 0 * * ?"), (false, false));
        assert_eq!(p("0 0 */1 * ?/1"), (false, false));
        assert_eq!(p("0 0 */2 * ?/2"), (true, true));
        assert_eq!(p("0 0 1,* * 1,?"), (false, false));
        assert_eq!(p("0 0 1-31 * 0-6"), (true, true));
        assert_eq!(p("0 0 1-31/1 * 0/1"), (true, true));
    }

    #[test]
    fn macros_expand() {
        for (name, meaning) in MACROS {
            assert_eq!(Cron::parse(name), Cron::parse(meaning));
        }
    }

    #[track_caller]
    fn refuse(text: &str, code: ErrorCode, message: &str) {
        let error = Cron::parse(text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.code(), code);
    }

    #[test]
    fn err_shape() {
        let five =
            "a cron expression has five fields (minute, hour, day of month, month, day of week), but found";
        let write = "write for example `0 3 * * *`";
        let count = ErrorCode::CronFieldCount;
        refuse("", count, &format!("schedule: {five} none; {write}"));
        refuse(" \t", count, &format!("schedule: {five} none; {write}"));
        refuse("* * * *", count, &format!("schedule: {five} 4; {write}"));
        refuse("* * * *\u{a0}*", count, &format!("schedule: {five} 4; {write}"));
        let unsupported = ErrorCode::CronUnsupported;
        let not_cron = "seconds and years are not cron";
        refuse("30 0 3 * * *", unsupported, &format!("schedule: {five} 6; {not_cron}; leave them out"));
        refuse("0 * * * * *", unsupported, &format!("schedule: {five} 6; {not_cron}; write `* * * * *`"));
        refuse(
            "0 0 * * * * 2026",
            unsupported,
            &format!("schedule: {five} 7; {not_cron}; write `0 * * * * @days(dates=2026-01-01..2026-12-31)`"),
        );
        refuse(
            "name=a 0 3 * * *",
            count,
            "schedule: `name=a` at column 1 is not a field of a cron expression; begin with the schedule; fields such as \
             `name=` follow it",
        );
        refuse(&"* ".repeat(100), count, &format!("schedule: {five} 100; {write}"));
        refuse(
            &",".repeat(257),
            ErrorCode::CronTooLong,
            "schedule: a cron expression has at most 256 bytes, but this one has 257",
        );
    }

    #[test]
    fn err_other_dialects() {
        let code = ErrorCode::CronUnsupported;
        refuse(
            "CRON_TZ=UTC 0 0 * * *",
            code,
            "schedule: `CRON_TZ=UTC` at column 1: a time zone is not part of a cron expression; use the time zone setting: \
             `@tz(UTC)`, or `timezone` in a manifest",
        );
        refuse(
            "@reboot",
            code,
            "schedule: `@reboot` at column 1 names no time; write five fields or a macro such as `@daily`",
        );
        refuse(
            " @every 90s",
            code,
            "schedule: `@every` at column 2 is not a calendar schedule; write a step, such as `*/15 * * * *` for every 15 minutes",
        );
        for (every, meaning, gap) in [
            ("@every 5m", "*/5 * * * *", 300),
            ("@EVERY  1m ", "* * * * *", 60),
            ("@every 1h", "0 * * * *", 3_600),
            ("@every 6h0m", "0 */6 * * *", 21_600),
            ("@every 24h", "0 0 * * *", 86_400),
            ("@every 168h", "0 0 * * 0", 604_800),
            ("@every 1d", "0 0 * * *", 86_400),
            ("@every 48h", "0 0 * * * @days(every=2d;from=2026-01-01)", 2 * 86_400),
            ("@every 2 weeks", "0 0 * * * @days(every=2w;from=2026-01-05)", 14 * 86_400),
            ("@every 2w", "0 0 * * * @days(every=2w;from=2026-01-05)", 14 * 86_400),
            ("@every 3660d", "0 0 * * * @days(every=3660d;from=2026-01-01)", 3660 * 86_400),
        ] {
            assert_eq!(Cron::parse(every).unwrap_err().help().unwrap(), format!("write `{meaning}`"));
            let spec = crate::JobSpec::parse(meaning).unwrap();
            let job = crate::Job::new("a", spec).unwrap();
            let nominals =
                core::iter::successors(job.next_nominal_timestamp(0), |at| job.next_nominal_timestamp(*at));
            let times: Vec<i64> = nominals.take(7).collect();
            assert!(times.windows(2).all(|pair| pair[1] - pair[0] == gap), "{every}");
        }
        for every in [
            "@every 7m",
            "@every 45m",
            "@every 5h",
            "@every 90m",
            "@every 0",
            "@every",
            "@every x",
            "@every 0d",
        ] {
            assert!(Cron::parse(every).unwrap_err().help().unwrap().starts_with("write a step"), "{every}");
        }
        refuse(
            "@Daily",
            ErrorCode::CronSyntax,
            "schedule: `@Daily` at column 1 is none of `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` \
             and `@hourly`; did you mean `@daily`?",
        );
        for (text, message) in [
            (
                "0 0 L * *",
                "dayOfMonth: `L` at column 5 (the last) is not cron; write `0 0 * * * @days(last=1)`",
            ),
            (
                "0 0 15W * *",
                "dayOfMonth: `15W` at column 5 (the nearest weekday) is not cron; write `0 0 * * * @days(near=15)`",
            ),
            (
                "0 0 * * FRI#2",
                "dayOfWeek: `FRI#2` at column 9 (the n-th weekday of a month) is not cron; \
                 write `0 0 * * * @days(dow=FRI;dom=8-14)`",
            ),
            (
                "0 0 * * 5L",
                "dayOfWeek: `5L` at column 9 (the last) is not cron; write `0 0 * * * @days(dow=FRI;last=1-7)`",
            ),
        ] {
            refuse(text, code, &format!("schedule.{message}"));
        }
    }

    #[test]
    fn err_crontab_lines() {
        let code = ErrorCode::CronFieldCount;
        let help = |schedule| {
            format!(
                "a job has no command; write `command=` in a job file: `{schedule} name=team/job command=\"...\"`"
            )
        };
        refuse(
            "0 3 * * * root /usr/bin/backup",
            code,
            &format!(
                "schedule: `root /usr/bin/backup` at column 11 follows the schedule; {}",
                help("0 3 * * *")
            ),
        );
        refuse(
            "@daily /usr/bin/backup",
            code,
            &format!("schedule: `/usr/bin/backup` at column 8 follows the schedule; {}", help("@daily")),
        );
        let long = format!("0 3 * * * /usr/bin/backup {}", "x".repeat(300));
        assert!(Cron::parse(&long).unwrap_err().help().unwrap().contains("command="));
        refuse(
            "0 3 * * * # nightly",
            code,
            "schedule: `# nightly` at column 11 follows the schedule; leave the comment out",
        );
        refuse(
            "0 3 * * * @win(after,3h)",
            code,
            "schedule: `@win(after,3h)` at column 11 follows the schedule; a cron expression has no modifiers; in a \
             manifest, use the fields `timezone`, `window`, `distribution`, `seed`, `policy` and `constraints`",
        );
        refuse(
            "@dialy",
            ErrorCode::CronSyntax,
            "schedule: `@dialy` at column 1 is none of `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` \
             and `@hourly`; did you mean `@daily`?",
        );
    }

    #[test]
    fn err_hash_of_jenkins() {
        let p = |text: &str| {
            let error = Cron::parse(text).unwrap_err();
            assert_eq!(error.code(), ErrorCode::CronUnsupported, "{text}");
            let help = error.help().unwrap();
            let written = help.split('`').nth(1).unwrap().to_string();
            crate::JobSpec::parse(&written).unwrap();
            (error.reason(), written)
        };
        let h = |text: &str| p(text).1;
        assert_eq!(h("H 3 * * *"), "0 3 * * * @win(after,59m59s) @seed(fixed)");
        assert_eq!(h("H 3,15 * * MON-FRI"), "0 3,15 * * MON-FRI @win(after,59m59s) @seed(fixed)");
        assert_eq!(h("H * * * *"), "0 * * * * @win(after,59m59s) @seed(fixed)");
        assert_eq!(h("H H * * *"), "0 0 * * * @win(after,23h59m59s) @seed(fixed)");
        assert_eq!(h("H H(0-7) * * *"), "0 0 * * * @win(after,7h59m59s) @seed(fixed)");
        assert_eq!(h("H H(22-23) 1 * *"), "0 22 1 * * @win(after,1h59m59s) @seed(fixed)");
        assert_eq!(h("H/15 * * * *"), "*/15 * * * * @win(after,14m59s) @seed(fixed)");
        // Jenkins chooses a single value for these, too.
        assert_eq!(h("H/1 * * * *"), "0 * * * * @win(after,59m59s) @seed(fixed)");
        assert_eq!(h("H/60 3 * * *"), "0 3 * * * @win(after,59m59s) @seed(fixed)");
        assert_eq!(h("H(0-29) 3 * * *"), "0 3 * * * @win(after,29m59s) @seed(fixed)");
        assert_eq!(h("H(5-5) 3 * * *"), "5 3 * * * @win(after,59s) @seed(fixed)");
        for other in [
            "0 H * * *",
            "0 0 H * *",
            "H H H * *",
            "H,30 3 * * *",
            "H/7 * * * *",
            "H/0 * * * *",
            "H/61 * * * *",
            "H(9-5) 3 * * *",
            "H(0-60) 3 * * *",
            "H(0-29)/10 * * * *",
            "H() * * * *",
            "H(0-29 * * * *",
            "H 25 * * *",
            "H H(0-24) * * *",
            "H/99999999999 * * * *",
            "H 0 30 2 *",
        ] {
            assert_eq!(h(other), "0 3 * * * @win(after,59m59s) @seed(fixed)", "{other}");
        }
        refuse(
            "0 3 H * *",
            ErrorCode::CronUnsupported,
            "schedule.dayOfMonth: `H` at column 5 (a value chosen by hash) is not cron; write for example \
             `0 3 * * * @win(after,59m59s) @seed(fixed)` instead of `H 3 * * *`",
        );
        refuse(
            " H(0-29) 3 * * *",
            ErrorCode::CronUnsupported,
            "schedule.minute: `H(0-29)` at column 2 (a value chosen by hash) is not cron; write \
             `0 3 * * * @win(after,29m59s) @seed(fixed)`",
        );
    }

    #[test]
    fn backward_ranges_are_helped_in_one_step() {
        let p = |text: &str| {
            let help = Cron::parse(text).unwrap_err().help().unwrap();
            let written = help.split('`').nth(1).unwrap().to_string();
            let mut fields: alloc::vec::Vec<&str> = text.split(' ').collect();
            let index = fields.iter().position(|field| field.contains('-')).unwrap();
            fields[index] = &written;
            Cron::parse(&fields.join(" ")).unwrap();
            written
        };
        assert_eq!(p("59-0 * * * *"), "59,0");
        assert_eq!(p("59-3/2 * * * *"), "59,1-3/2");
        assert_eq!(p("30-0/5 * * * *"), "30-59/5,0");
        assert_eq!(p("0 0 31-1 * *"), "31,1");
        assert_eq!(p("0 0 * * SAT-FRI"), "SAT,0-FRI");
        assert_eq!(p("0 0 * * 7-0"), "7");
        assert_eq!(p("0 0 * * 7-MON"), "7,MON");
    }

    #[test]
    fn err_items() {
        let item = "is none of `*`, `n` and `a-b`, each with an optional `/step`";
        let syntax = ErrorCode::CronSyntax;
        refuse("a * * * *", syntax, &format!("schedule.minute: `a` at column 1 {item}"));
        let empty = "is empty; write one comma between two items, and none at the ends";
        for (text, column) in [("1,,2 * * * *", 3), (", * * * *", 1), ("1,2, * * * *", 5)] {
            refuse(text, syntax, &format!("schedule.minute: an item of the list at column {column} {empty}"));
        }
        refuse("? * * * *", syntax, &format!("schedule.minute: `?` at column 1 {item}"));
        refuse("+1 * * * *", syntax, &format!("schedule.minute: `+1` at column 1 {item}"));
        refuse("１ * * * *", syntax, &format!("schedule.minute: `１` at column 1 {item}"));
        refuse("1/ * * * *", syntax, &format!("schedule.minute: `1/` at column 1 {item}"));
        refuse("1/2/3 * * * *", syntax, &format!("schedule.minute: `1/2/3` at column 1 {item}"));
        refuse(
            "0 0 * JANUARY *",
            syntax,
            &format!("schedule.month: `JANUARY` at column 7 {item} (months may be JAN to DEC); write `JAN`"),
        );
        let range = ErrorCode::CronOutOfRange;
        refuse("0 24 * * *", range, "schedule.hour: `24` at column 3 is not in 0 to 23");
        refuse("0 0 0 * *", range, "schedule.dayOfMonth: `0` at column 5 is not in 1 to 31");
        refuse("0 0 * * 1-8", range, "schedule.dayOfWeek: `8` at column 11 is not in 0 to 7");
        refuse(
            "*/0 * * * *",
            range,
            "schedule.minute: step `0` at column 3 is not a number from 1 on; write for example `*/15`",
        );
        let back = ErrorCode::CronBackwards;
        refuse(
            "30-10 * * * *",
            back,
            "schedule.minute: range `30-10` at column 1 runs backwards; write `30-59,0-10`",
        );
        refuse(
            "0 0 * NOV-FEB *",
            back,
            "schedule.month: range `NOV-FEB` at column 7 runs backwards; write `NOV-12,1-FEB`",
        );
        refuse(
            "0 0 * * FRI-SUN/2",
            back,
            "schedule.dayOfWeek: range `FRI-SUN` at column 9 runs backwards; write `FRI-7/2`",
        );
        refuse(
            "50-10/7 * * * *",
            back,
            "schedule.minute: range `50-10` at column 1 runs backwards; write `50-59/7,4-10/7`",
        );
        refuse(
            "0 20-4/3 * * *",
            back,
            "schedule.hour: range `20-4` at column 3 runs backwards; write `20-23/3,2-4/3`",
        );
        refuse(
            "45-5/7 * * * *",
            back,
            "schedule.minute: range `45-5` at column 1 runs backwards; write `45-59/7`",
        );
        refuse(
            "0 0 * 11-2/3 *",
            back,
            "schedule.month: range `11-2` at column 7 runs backwards; write `11-12/3,2`",
        );
        refuse(
            "0 0 * * FRI-MON",
            back,
            "schedule.dayOfWeek: range `FRI-MON` at column 9 runs backwards; write `FRI-6,0-MON`",
        );
    }

    #[test]
    fn err_never() {
        let never =
            |text| assert_eq!(Cron::parse(text).unwrap_err().code(), ErrorCode::CronNeverMatches, "{text}");
        never("0 0 30 2 *");
        never("0 0 31 2,4,6,9,11 *");
        never("0 0 30,31 2 ?");
        for fine in ["0 0 29 2 *", "0 0 30 2 1", "0 0 31 1,2 *", "0 0 30 4 *"] {
            Cron::parse(fine).unwrap();
        }
    }
}
