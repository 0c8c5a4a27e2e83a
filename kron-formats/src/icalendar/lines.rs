//! The lines of an iCalendar file: where components begin and end, and whether the rules of its events can be followed.
//!
//! The library that reads the file closes components that have no end, and ignores parts of a rule that it does not
//! know. Here both are errors, each with its place.

use std::ops::Range;

use chrono::NaiveDate;
use kron_core::Error;
use kron_core::error::{Snippet, nearest};

use crate::error::ICalendarError;

/// Components that only a calendar contains.
const OF_CALENDARS: [&str; 5] = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"];
const CALENDAR: &str = "VCALENDAR";
const EVENT: &str = "VEVENT";

/// What the value of a part of a rule has to be.
enum Values {
    /// The library checks it.
    Any,
    /// One number from 1 to that one.
    Number(u32),
    /// Numbers from 1 to that one, with commas between them.
    Numbers(u32),
    /// The same, or negative: counted from the end.
    SignedNumbers(u32),
}

/// The parts of a rule.
const PARTS: [(&str, Values); 16] = [
    ("FREQ", Values::Any),
    ("UNTIL", Values::Any),
    ("COUNT", Values::Number(u32::MAX)),
    ("INTERVAL", Values::Number(u16::MAX as u32)),
    ("BYSECOND", Values::Any),
    ("BYMINUTE", Values::Any),
    ("BYHOUR", Values::Any),
    ("BYDAY", Values::Any),
    ("BYMONTHDAY", Values::SignedNumbers(31)),
    ("BYYEARDAY", Values::SignedNumbers(366)),
    ("BYWEEKNO", Values::SignedNumbers(53)),
    ("BYMONTH", Values::Numbers(12)),
    ("BYSETPOS", Values::SignedNumbers(366)),
    ("WKST", Values::Any),
    // Refused with all rules of other calendars.
    ("RSCALE", Values::Any),
    ("SKIP", Values::Any),
];

/// A logical line: lines of the file that begin with a blank continue the one before.
struct Line<'a> {
    text: String,
    /// The lines of the file: where each begins in `text`, its number from 1, and how it is written.
    written: Vec<(usize, usize, &'a str)>,
}

impl Line<'_> {
    /// The number of its first line in the file.
    fn number(&self) -> usize {
        self.written.first().map_or(1, |(_, number, _)| *number)
    }

    /// The name of its property, in capitals.
    fn name(&self) -> String {
        let end = self.text.find([':', ';']).unwrap_or(self.text.len());
        self.text[..end].trim().to_ascii_uppercase()
    }

    /// Where its value begins: after the first colon that is not in quotes.
    fn value_start(&self) -> usize {
        let mut quoted = false;
        let colon = self.text.bytes().position(|byte| {
            quoted ^= byte == b'"';
            byte == b':' && !quoted
        });
        colon.map_or(self.text.len(), |colon| colon + 1)
    }

    fn value(&self) -> &str {
        self.text[self.value_start()..].trim()
    }

    /// An error about these bytes of the text.
    fn error(&self, span: Range<usize>, kind: ICalendarError) -> Error {
        let error = Error::new("", kind);
        let within = |(begin, ..): &&(usize, usize, &str)| *begin <= span.start;
        let Some((begin, number, written)) = self.written.iter().rev().find(within) else { return error };
        // A line that continues another one begins with a blank that does not count.
        let blank = usize::from(*number != self.number());
        let at = |byte: usize| (byte - begin + blank).min(written.len());
        error.at(at(span.start)..at(span.end)).located(written).on_line(*number)
    }

    /// An error about the whole line.
    fn whole(&self, kind: ICalendarError) -> Error {
        self.error(0..self.text.trim_end().len(), kind)
    }
}

/// The lines, without those that are empty.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, written) in text.lines().enumerate() {
        let more = written.strip_prefix([' ', '\t']);
        if let (Some(more), Some(line)) = (more, lines.last_mut()) {
            line.written.push((line.text.len(), index + 1, written));
            line.text.push_str(more);
        } else if !written.trim().is_empty() {
            lines.push(Line { text: written.to_string(), written: [(0, index + 1, written)].into() });
        }
    }
    lines
}

/// A component that has begun and not ended.
struct Open<'l, 'a> {
    name: String,
    begin: &'l Line<'a>,
    /// The date of its first `DTSTART`, as it is written.
    first_day: Option<&'l str>,
    /// Whether that is a date alone.
    is_whole_day: bool,
    /// Its exceptions.
    exceptions: Vec<&'l Line<'a>>,
    /// Its rules.
    rules: Vec<&'l Line<'a>>,
}

/// Checks the lines of a file. Gives the number of the first line of each event, in order.
pub(super) fn check(text: &str) -> Result<Vec<usize>, Error> {
    let lines = lines(text);
    let (mut open, mut events): (Vec<Open<'_, '_>>, Vec<usize>) = (Vec::new(), Vec::new());
    for line in &lines {
        let (property, name) = (line.name(), line.value().to_ascii_uppercase());
        let is_end = property == "END";
        let not_ended = |open: &Open<'_, '_>| {
            let begun = open.begin.number();
            line.whole(ICalendarError::NotEnded { component: Snippet::of(&open.name), begun: Some(begun) })
        };
        match (property.as_str(), open.last_mut()) {
            ("BEGIN", last) => {
                let of_calendars = OF_CALENDARS.contains(&&*name);
                match last {
                    None if name != CALENDAR => return Err(line.whole(ICalendarError::NotICalendar)),
                    Some(last) if name == CALENDAR || of_calendars && last.name != CALENDAR => {
                        return Err(not_ended(last));
                    }
                    _ => {}
                }
                if name == EVENT {
                    events.push(line.number());
                }
                open.push(Open {
                    name,
                    begin: line,
                    first_day: None,
                    is_whole_day: false,
                    exceptions: Vec::new(),
                    rules: Vec::new(),
                });
            }
            (_, None) => return Err(line.whole(ICalendarError::NotICalendar)),
            (_, Some(last)) if is_end && last.name == name => {
                if name == EVENT {
                    check_rules(last)?;
                    check_exceptions(last)?;
                }
                open.pop();
            }
            (_, Some(last)) if is_end => return Err(not_ended(last)),
            ("DTSTART", Some(last)) if last.first_day.is_none() => {
                last.first_day = date(line.value());
                last.is_whole_day = line.value().len() == 8;
            }
            ("EXDATE", Some(last)) => last.exceptions.push(line),
            ("RRULE", Some(last)) => last.rules.push(line),
            _ => {}
        }
    }
    match open.last() {
        Some(open) => {
            let component = Snippet::of(&open.name);
            Err(open.begin.whole(ICalendarError::NotEnded { component, begun: None }))
        }
        None if lines.is_empty() => Err(Error::new("", ICalendarError::NotICalendar)),
        None => Ok(events),
    }
}

/// The eight digits of the date with which a value begins.
fn date(value: &str) -> Option<&str> {
    value.get(..8).filter(|date| date.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether eight digits are a day of the calendar.
fn is_day(date: &str) -> bool {
    let number = |range: Range<usize>| date.get(range).and_then(|digits| digits.parse::<u32>().ok());
    let (year, month, day) = (number(0..4), number(4..6), number(6..8));
    let year = year.and_then(|year| i32::try_from(year).ok());
    year.zip(month)
        .zip(day)
        .is_some_and(|((year, month), day)| NaiveDate::from_ymd_opt(year, month, day).is_some())
}

/// Refuses an exception with a time in an event of whole days: it would be none of its days.
fn check_exceptions(event: &Open<'_, '_>) -> Result<(), Error> {
    for line in event.exceptions.iter().filter(|_| event.is_whole_day) {
        let mut at = line.value_start();
        for text in line.text[at..].split(',') {
            let blanks = text.len() - text.trim_start().len();
            let written = text.trim();
            if let Some(day) = date(written).filter(|day| day.len() < written.len()) {
                let kind = ICalendarError::ExceptionTime { text: Snippet::of(written), day: day.to_string() };
                return Err(line.error(at + blanks..at + blanks + written.len(), kind));
            }
            at += text.len() + 1;
        }
    }
    Ok(())
}

fn check_rules(event: &Open<'_, '_>) -> Result<(), Error> {
    for line in &event.rules {
        let mut start = line.value_start();
        for part in line.text[start..].split(';') {
            check_part(line, start, part, event.first_day)?;
            start += part.len() + 1;
        }
        check_together(line, line.value_start())?;
    }
    Ok(())
}

/// A part of a rule: its name in capitals, its value, and where both begin in the line.
struct Part<'l> {
    name: String,
    at: usize,
    value: &'l str,
    value_at: usize,
}

/// Parts that FREQ decides about, the values of FREQ that they need, and the help.
const FREQUENCIES: [(&str, &[&str], &str); 3] = [
    ("BYWEEKNO", &["YEARLY"], "use `FREQ=YEARLY`"),
    ("BYYEARDAY", &["YEARLY"], "use `FREQ=YEARLY`"),
    ("BYMONTHDAY", &["DAILY", "MONTHLY", "YEARLY"], "use `FREQ=MONTHLY`"),
];

/// Refuses parts that RFC 5545 does not allow together (section 3.3.10). The library takes no notice of most of them.
fn check_together(line: &Line<'_>, start: usize) -> Result<(), Error> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut at = start;
    for text in line.text[start..].split(';') {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let part = Part {
            name: name.trim().to_ascii_uppercase(),
            at,
            value: value.trim_end(),
            value_at: at + text.len() - value.len(),
        };
        at += text.len() + 1;
        if !part.name.is_empty() {
            parts.push(part);
        }
    }
    let conflict = |part: &Part<'_>, why, help| {
        let kind = ICalendarError::RuleConflict { text: Snippet::of(&part.name), why, help };
        Err(line.error(part.at..part.at + part.name.len(), kind))
    };
    let named = |name: &str| parts.iter().find(|part| part.name == name);
    for (index, part) in parts.iter().enumerate() {
        if parts[..index].iter().any(|before| before.name == part.name) {
            return conflict(part, "is in the rule twice", "keep one of them");
        }
    }
    if let (Some(until), Some(count)) = (named("UNTIL"), named("COUNT")) {
        let last = if until.at > count.at { until } else { count };
        return conflict(last, "is in a rule that has both COUNT and UNTIL", "keep one of them");
    }
    let frequency = named("FREQ").map_or_else(String::new, |part| part.value.trim().to_ascii_uppercase());
    for (name, frequencies, help) in FREQUENCIES {
        if let Some(part) = named(name).filter(|_| !frequencies.contains(&&*frequency)) {
            return conflict(part, "cannot be in a rule with this FREQ", help);
        }
    }
    let is_by = |part: &&Part<'_>| part.name.starts_with("BY") && part.name != "BYSETPOS";
    if let (Some(part), None) = (named("BYSETPOS"), parts.iter().find(is_by)) {
        return conflict(part, "is in a rule without another BY part", "add BYDAY or another BY part");
    }
    let Some(days) = named("BYDAY") else { return Ok(()) };
    let max = if frequency == "YEARLY" && named("BYMONTH").is_none() { 53 } else { 5 };
    let is_counted = frequency == "MONTHLY" || frequency == "YEARLY" && named("BYWEEKNO").is_none();
    let mut at = days.value_at;
    for day in days.value.split(',') {
        let digits = day.trim().trim_start_matches(['-', '+']);
        let digits = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
        let span = at..at + day.trim_end().len();
        at += day.len() + 1;
        if digits.is_empty() {
            continue;
        }
        let text = Snippet::of(day.trim());
        if !is_counted {
            let why = "has a number, which only monthly and yearly rules without BYWEEKNO have";
            let help = "leave out the number, or use `FREQ=MONTHLY` or `FREQ=YEARLY`";
            return Err(line.error(span, ICalendarError::RuleConflict { text, why, help }));
        }
        if digits.parse::<u32>().ok().is_none_or(|number| !(1..=max).contains(&number)) {
            let kind = ICalendarError::RuleNumber { part: "the number of BYDAY", text, max, is_signed: true };
            return Err(line.error(span, kind));
        }
    }
    Ok(())
}

/// Checks a part of a rule, which begins at that byte of its line.
fn check_part(line: &Line<'_>, start: usize, part: &str, first_day: Option<&str>) -> Result<(), Error> {
    // Some programs write a semicolon at the end.
    if part.trim().is_empty() {
        return Ok(());
    }
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let upper = name.trim().to_ascii_uppercase();
    let Some((name, values)) = PARTS.iter().find(|(known, _)| *known == upper) else {
        let nearest = nearest(&upper, PARTS.iter().map(|(name, _)| *name));
        let kind = ICalendarError::RulePart { text: Snippet::of(name.trim()), nearest };
        return Err(line.error(start..start + name.trim_end().len(), kind));
    };
    let mut at = start + part.len() - value.len();
    let (max, is_signed) = match values {
        Values::Any => {
            if *name == "UNTIL"
                && let (Some(until), Some(first_day)) = (date(value.trim()), first_day)
                && is_day(until)
                && until < first_day
            {
                let kind = ICalendarError::RuleEnd { until: Snippet::of(until), first_day: first_day.into() };
                return Err(line.error(at..at + value.trim_end().len(), kind));
            }
            return Ok(());
        }
        Values::Number(max) | Values::Numbers(max) => (*max, false),
        Values::SignedNumbers(max) => (*max, true),
    };
    let several = !matches!(values, Values::Number(_));
    for text in value.split(|c| c == ',' && several) {
        let digits = text.trim();
        let digits = if is_signed { digits.strip_prefix(['-', '+']).unwrap_or(digits) } else { digits };
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u32>().ok());
        if number.flatten().is_none_or(|number| !(1..=max).contains(&number)) {
            let kind =
                ICalendarError::RuleNumber { part: name, text: Snippet::of(text.trim()), max, is_signed };
            return Err(line.error(at..at + text.trim_end().len(), kind));
        }
        at += text.len() + 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;

    fn refused(text: &str) -> String {
        check(text).unwrap_err().to_string()
    }

    /// An event with a rule on line 4.
    fn rule(rule: &str) -> String {
        let text = format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nRRULE:{rule}\nEND:VEVENT\nEND:VCALENDAR\n"
        );
        check(&text).map_or_else(|error| error.to_string(), |events| format!("{events:?}"))
    }

    #[test]
    fn ok_lines() {
        let text = "\u{feff}\r\nbegin:vcalendar\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\nRRULE:FREQ=YEARLY;X=1\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n\
                    BEGIN:VEVENT\r\nBEGIN:VALARM\r\nRRULE:X=1\r\nEND:VALARM\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nEND:VE\r\n VENT\r\nEND:VCALENDAR\r\n\
                    \r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR";
        assert_eq!(check(text).unwrap(), [8, 13]);
        for ok in [
            "FREQ=YEARLY;COUNT=3;INTERVAL=65535",
            "freq=yearly;bymonth=1,12;",
            "FREQ=YEARLY;BYMONTHDAY=-31,+1,31;BYYEARDAY=-366;BYWEEKNO=53;BYSETPOS=-1;BYDAY=MO;WKST=SU",
            "FREQ=YEARLY;UNTIL=20261225",
            "FREQ=YEARLY;UNTIL=20261225T000000Z",
        ] {
            assert_eq!(rule(ok), "[2]", "{ok}");
        }
    }

    #[test]
    fn err_components() {
        assert_eq!(
            refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nEND:VCALENDAR\n"),
            "line 4: `VEVENT` of line 2 has not ended; add the line `END:VEVENT` before this one"
        );
        assert_eq!(
            refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR"),
            "line 3: `VEVENT` of line 2 has not ended; add the line `END:VEVENT` before this one"
        );
        assert_eq!(
            refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nBEGIN:VCALENDAR\nEND:VCALENDAR"),
            "line 4: `VCALENDAR` of line 1 has not ended; add the line `END:VCALENDAR` before this one"
        );
        assert_eq!(
            refused("BEGIN:VCALENDAR\n\nBEGIN:VEVENT\nDTSTART:20261225"),
            "line 3: `VEVENT` does not end; add the line `END:VEVENT`, or export the file again if it is incomplete"
        );
        assert!(
            refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT")
                .starts_with("line 1: `VCALENDAR` does not end")
        );
        let other =
            "the file is not in the iCalendar format; it has to begin with the line `BEGIN:VCALENDAR`";
        for (text, line) in [
            ("", ""),
            ("a = 2026-12-25", "line 1: "),
            ("BEGIN:VEVENT\nEND:VEVENT", "line 1: "),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR", "line 3: "),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR\nx", "line 3: "),
        ] {
            assert_eq!(refused(text), format!("{line}{other}"), "{text}");
        }
    }

    #[test]
    fn err_rules() {
        assert_eq!(
            rule("FREQ=DAILY;COUNT=0"),
            "line 4: COUNT `0` at column 24 is not in 1 to 4294967295; leave COUNT out for a rule without end"
        );
        assert_eq!(
            rule("INTERVAL=0;FREQ=DAILY"),
            "line 4: INTERVAL `0` at column 16 is not in 1 to 65535; write `INTERVAL=1` for each day, week, month or year"
        );
        assert_eq!(
            rule("FREQ=YEARLY;BYMONTHS=1"),
            "line 4: `BYMONTHS` at column 19 is not a part of a rule; did you mean `BYMONTH`?"
        );
        assert_eq!(
            rule("FREQ=YEARLY;X-EASTER=1"),
            "line 4: `X-EASTER` at column 19 is not a part of a rule; the parts are those of RFC 5545, such as FREQ, UNTIL, COUNT, \
             INTERVAL, BYDAY and BYMONTH"
        );
        assert_eq!(
            rule("FREQ=YEARLY;UNTIL=20251224T000000Z"),
            "line 4: the rule ends on `20251224` at column 25, before the first day of the event, 20261225; write a later UNTIL, or leave \
             out RRULE for an event that does not repeat"
        );
        let column = |text: &str| {
            let error = rule(text);
            let (_, rest) = error.split_once("column ").unwrap();
            rest.split_once(" is not in ").unwrap().1.split(';').next().unwrap().to_string()
        };
        for (bad, range) in [
            ("FREQ=DAILY;COUNT=", "1 to 4294967295"),
            ("FREQ=DAILY;COUNT=-1", "1 to 4294967295"),
            ("FREQ=DAILY;COUNT=1,2", "1 to 4294967295"),
            ("FREQ=DAILY;INTERVAL=65536", "1 to 65535"),
            ("FREQ=MONTHLY;BYMONTHDAY=1,300", "1 to 31, or -31 to -1"),
            ("FREQ=YEARLY;BYMONTH=13", "1 to 12"),
            ("FREQ=YEARLY;BYMONTH=-1", "1 to 12"),
            ("FREQ=YEARLY;BYWEEKNO=0", "1 to 53, or -53 to -1"),
            ("FREQ=YEARLY;BYSETPOS=--1", "1 to 366, or -366 to -1"),
        ] {
            assert_eq!(column(bad), range, "{bad}");
        }
    }

    #[test]
    fn an_exception_with_a_time_has_its_place() {
        let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nEXDATE:20261226,20261227T000000\nEND:VEVENT\nEND:VCALENDAR";
        let error = check(text).unwrap_err();
        assert_eq!((error.line(), error.span()), (Some(4), Some(16..31)));
        assert_eq!(
            error.to_string(),
            "line 4: the exception `20261227T000000` at column 17 has a time, and the event is of whole days; write \
             `EXDATE;VALUE=DATE:20261227`"
        );
        assert!(check(&text.replace("T000000", "")).is_ok());
        assert!(check(&text.replace(";VALUE=DATE:20261225", ":20261225T000000")).is_ok());
    }

    #[test]
    fn a_place_in_a_line_that_is_continued() {
        let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nRRULE;X=\":;\":FREQ=YEARLY;\n\tCOUNT=1;INTER\n VAL=0\nEND:VEVENT\nEND:VCALENDAR";
        let error = check(text).unwrap_err();
        assert_eq!((error.line(), error.span()), (Some(6), Some(5..6)));
        let text = text.replace("VAL=0", "VALS=1");
        let error = check(&text).unwrap_err();
        // It begins on the line before.
        assert_eq!((error.line(), error.span()), (Some(5), Some(9..14)));
    }
}
