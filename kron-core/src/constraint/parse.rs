//! The parser of clause parts. Their grammar is in `docs/reference/syntax.md`.

use alloc::{boxed::Box, format, string::ToString, vec::Vec};
use core::ops::Range;

use super::{Calendar, Calendars, Clause, ClausePart, DayRange, MinuteRange};
use crate::error::{CalendarError, CalendarNames, ConstraintError, Error, Snippet, nearest};
use crate::limits::{DOM_CHARS, PART_CHARS};
use crate::time::calendar_field::{BadValue, DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MONTH};
use crate::time::civil::Date;

/// Parts that only clauses of `@days` and `@nodays` have.
pub(crate) const PARTS_OF_DAYS: [&str; 9] =
    ["last", "workday", "lastworkday", "near", "every", "from", "roll", "week", "holidays"];

/// Collects the parts of a [`Clause`]; [`build`](ClauseBuilder::build) checks them.
#[derive(Clone, Debug, Default)]
pub struct ClauseBuilder {
    clause: Clause,
    error: Option<Error>,
}

/// What reads the parts of a clause: constraints and rules of days have one grammar.
pub(crate) trait ClauseParts: Default {
    type Clause;

    /// Adds a part by its name, with the calendars that it may name.
    fn set(&mut self, name: &str, value: &str, calendars: &Calendars) -> Result<(), BadPart>;

    /// The clause.
    fn finish(self) -> Result<Self::Clause, Error>;
}

/// Whether the name or the value of a part is wrong. The span of the error is within that word.
pub(crate) enum BadPart {
    Name(Error),
    Value(Error),
}

/// Adds a part that is given alone, without a text around it and without calendars. The place of an error is in its name or in
/// its value.
pub(crate) fn set_alone(builder: &mut impl ClauseParts, name: &str, value: &str) -> Result<(), Error> {
    builder.set(name, value, Calendars::none()).map_err(|bad| match bad {
        BadPart::Name(error) => error.located(name),
        BadPart::Value(error) => error.located(value),
    })
}

impl ClauseBuilder {
    /// Adds a part by its name, a word of [`ClausePart`] such as `hours`. The name of a calendar has no dates, so that `calendar` is
    /// an error here; [`calendar`](ClauseBuilder::calendar) adds that part.
    ///
    /// ```
    /// let clause = kron_core::Clause::builder().part("hours", "22-5").part("months", "JUN-AUG").build()?;
    /// assert_eq!(clause.to_string(), "hours=22-5;months=6-8");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn part(mut self, name: &str, value: &str) -> ClauseBuilder {
        if self.error.is_none() {
            self.error = set_alone(&mut self, name, value).err();
        }
        self
    }

    /// Adds the part `calendar`: the dates of a calendar.
    ///
    /// ```
    /// use kron_core::{Calendars, Clause, ErrorCode};
    /// let calendars = Calendars::parse("holidays-fr = 2026-12-25")?;
    /// let holidays = calendars.get("holidays-fr").unwrap();
    /// assert_eq!(Clause::builder().calendar(holidays).build()?.to_string(), "calendar=holidays-fr");
    /// let error = Clause::builder().part("calendar", "holidays-fr").build().unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::CalendarUnknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn calendar(mut self, calendar: &Calendar) -> ClauseBuilder {
        if self.error.is_some() {
            return self;
        }
        if self.clause.days.calendar.replace(calendar.clone()).is_some() {
            self.error = Some(repeated(ClausePart::Calendar.as_str()));
        }
        self
    }

    /// Adds all parts of a clause.
    ///
    /// ```
    /// use kron_core::Clause;
    /// let (hours, sundays): (Clause, Clause) = ("hours=9-17".parse()?, "dow=SUN".parse()?);
    /// assert_eq!(Clause::builder().parts_of(&hours).parts_of(&sundays).build()?.to_string(), "hours=9-17;dow=0");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn parts_of(mut self, clause: &Clause) -> ClauseBuilder {
        for (part, text) in clause.canonical() {
            self = match clause.named_calendar().filter(|_| part == ClausePart::Calendar) {
                Some(calendar) => self.calendar(calendar),
                None => self.part(part.as_str(), &text),
            };
        }
        self
    }

    /// The clause.
    ///
    /// # Errors
    ///
    /// The error of the first bad part, or [`ConstraintEmpty`](crate::ErrorCode::ConstraintEmpty) if there is no part.
    ///
    /// ```
    /// use kron_core::{Clause, ErrorCode};
    /// let error = Clause::builder().part("hours", "24").part("dow", "MON").build().unwrap_err();
    /// assert_eq!(error.to_string(), "hours: `24` at column 1 is not in 0 to 23");
    /// assert_eq!(Clause::builder().build().unwrap_err().code(), ErrorCode::ConstraintEmpty);
    /// ```
    pub fn build(self) -> Result<Clause, Error> {
        match self.error {
            Some(error) => Err(error),
            None if self.clause.parts().next().is_none() => Err(Error::of("", ConstraintError::EmptyClause)),
            None => Ok(self.clause),
        }
    }

    fn read(&mut self, part: ClausePart, value: &str, calendars: &Calendars) -> Result<(), Error> {
        let clause = &mut self.clause;
        check_length(value, if part == ClausePart::DayOfMonth { DOM_CHARS } else { PART_CHARS })?;
        match part {
            // OK because a set of a field has bits up to the field's largest value only.
            ClausePart::Hours => clause.times.hours = list(&HOURS, value)? as u32,
            ClausePart::DayOfWeek => clause.days.days_of_week = list(&DAYS_OF_WEEK, value)? as u8,
            ClausePart::DayOfMonth => clause.days.days_of_month = list(&DAYS_OF_MONTH, value)? as u32,
            ClausePart::Months => clause.days.months = list(&MONTHS, value)? as u16,
            ClausePart::Between => clause.times.between = between(value)?,
            ClausePart::Date => clause.days.date = Some(date(value, 0..value.len())?),
            ClausePart::Dates => clause.days.dates = Some(dates(value)?),
            ClausePart::Calendar => clause.days.calendar = Some(calendar(value, calendars)?),
        }
        Ok(())
    }
}

impl ClauseParts for ClauseBuilder {
    type Clause = Clause;

    fn set(&mut self, name: &str, value: &str, calendars: &Calendars) -> Result<(), BadPart> {
        let Some(part) = ClausePart::from_word(name) else {
            let text = Snippet::of(name);
            let kind = if PARTS_OF_DAYS.contains(&name) {
                ConstraintError::PartOfDays { text, part: Snippet::of(&format!("{name}={value}")) }
            } else {
                let near = nearest(name, ClausePart::WORDS.iter().copied());
                ConstraintError::UnknownPart { text, nearest: near, allowed: ClausePart::WORDS }
            };
            return Err(BadPart::Name(Error::of("", kind).at(0..name.len())));
        };
        if self.clause.has(part) {
            return Err(BadPart::Name(repeated(part.as_str()).at(0..name.len())));
        }
        self.read(part, value, calendars).map_err(|error| BadPart::Value(error.within(part.as_str())))
    }

    fn finish(self) -> Result<Clause, Error> {
        self.build()
    }
}

/// What a range means that runs backwards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backwards {
    /// It runs over the end, as `22-5` does.
    Wraps,
    /// An error: two ranges were probably meant.
    Split,
    /// An error: its ends were probably exchanged.
    Swapped,
}

/// A part that is a list of values of a calendar field.
pub(crate) struct ListPart {
    pub(crate) field: &'static Field,
    pub(crate) backwards: Backwards,
    /// A description of an item, for messages.
    pub(crate) form: &'static str,
    pub(crate) names: Option<CalendarNames>,
}

static HOURS: ListPart = ListPart {
    field: &HOUR,
    backwards: Backwards::Wraps,
    form: "an hour or a range of hours, such as `9-17` or `22-5`",
    names: None,
};
pub(crate) static DAYS_OF_WEEK: ListPart = ListPart {
    field: &DAY_OF_WEEK,
    backwards: Backwards::Wraps,
    form: "a day or a range of days of the week, such as `MON-FRI` or `6`",
    names: Some(CalendarNames::DaysOfWeek),
};
pub(crate) static DAYS_OF_MONTH: ListPart = ListPart {
    field: &DAY_OF_MONTH,
    backwards: Backwards::Split,
    form: "a day or a range of days of the month, such as `1-7`",
    names: None,
};
pub(crate) static MONTHS: ListPart = ListPart {
    field: &MONTH,
    backwards: Backwards::Wraps,
    form: "a month or a range of months, such as `JUN-AUG` or `11-2`",
    names: Some(CalendarNames::Months),
};

/// An error for a value of more characters than a part may have.
pub(crate) fn check_length(value: &str, max: usize) -> Result<(), Error> {
    let found = value.chars().count();
    if found > max {
        return Err(error(ConstraintError::TooLong { max, found }, 0..value.len()));
    }
    Ok(())
}

/// The error of a part that a clause has already.
pub(crate) fn repeated(part: &'static str) -> Error {
    Error::of(part, ConstraintError::RepeatedPart { text: Snippet::of(part) })
}

/// An error in a value. The caller adds the name of the part.
fn error(kind: ConstraintError, span: Range<usize>) -> Error {
    Error::of("", kind).at(span)
}

/// The items of a comma list with their byte ranges.
fn items(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut start = 0;
    text.split(',').map(move |item| {
        let span = start..start + item.len();
        start = span.end + 1;
        (item, span)
    })
}

/// The set of a list of values.
pub(crate) fn list(part: &ListPart, text: &str) -> Result<u64, Error> {
    let field = part.field;
    let mut set = 0;
    for (item, span) in items(text) {
        let value = |text: &str| {
            field.value(text).map_err(|bad| {
                let kind = match bad {
                    BadValue::Range => ConstraintError::Number {
                        text: Snippet::of(text),
                        min: field.min,
                        max: field.max_written,
                    },
                    BadValue::Syntax => {
                        ConstraintError::Item { text: Snippet::of(item), form: part.form, names: part.names }
                    }
                };
                error(kind, span.clone())
            })
        };
        set |= match item.split_once('-') {
            None => {
                let value = value(item)?;
                field.span(value, value)
            }
            Some((low_text, high_text)) => {
                let (low, high) = (value(low_text)?, value(high_text)?);
                if low <= high {
                    field.span(low, high)
                } else if part.backwards == Backwards::Wraps {
                    field.span(low, field.max_written) | field.span(field.min, high)
                } else {
                    // A range of one value is written as that value.
                    let (min, max) = (field.min, field.max);
                    let tail = if low == max { low_text.into() } else { format!("{low_text}-{max}") };
                    let head = if high == min { high_text.into() } else { format!("{min}-{high_text}") };
                    let help = match part.backwards {
                        Backwards::Swapped => format!("{high_text}-{low_text}"),
                        Backwards::Wraps | Backwards::Split => format!("{tail},{head}"),
                    };
                    return Err(error(ConstraintError::Backwards { text: Snippet::of(item), help }, span));
                }
            }
        };
    }
    Ok(set)
}

/// Reads times of day into disjoint ranges in ascending order; a range across midnight becomes two.
fn between(text: &str) -> Result<Box<[MinuteRange]>, Error> {
    let mut ranges: Vec<MinuteRange> = Vec::new();
    for (item, span) in items(text) {
        let (first, last) = match item.split_once('-').map(|(first, last)| (time(first), time(last))) {
            Some((Some(first), Some(last))) => (first, last),
            _ => {
                let form = "a range of times of day, such as `09:00-17:30`";
                return Err(error(
                    ConstraintError::Item { text: Snippet::of(item), form, names: None },
                    span,
                ));
            }
        };
        for (minute, text) in [(first, &item[..5]), (last, &item[6..])] {
            if minute.is_none() {
                return Err(error(ConstraintError::Time { text: Snippet::of(text) }, span));
            }
        }
        match (first, last) {
            (Some(first), Some(last)) if first <= last => ranges.push((first, last)),
            (Some(first), Some(last)) => ranges.extend([(first, 1439), (0, last)]),
            _ => {}
        }
    }
    ranges.sort_unstable();
    let mut merged: Vec<MinuteRange> = Vec::new();
    for (first, last) in ranges {
        match merged.last_mut() {
            Some(open) if first <= open.1 + 1 => open.1 = open.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    Ok(merged.into())
}

/// `HH:MM` as a minute of the day: `None` unless it has that form, `Some(None)` if there is no such time.
fn time(text: &str) -> Option<Option<u16>> {
    let &[a, b, b':', c, d] = text.as_bytes() else { return None };
    let digits = [a, b, c, d];
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let [a, b, c, d] = digits.map(|digit| u16::from(digit - b'0'));
    let (hour, minute) = (a * 10 + b, c * 10 + d);
    Some((hour < 24 && minute < 60).then_some(hour * 60 + minute))
}

/// `YYYY-MM-DD` as a count of days.
pub(crate) fn date(text: &str, span: Range<usize>) -> Result<i32, Error> {
    let bytes = text.as_bytes();
    let number = |range: Range<usize>| {
        bytes[range].iter().fold(0, |number, digit| number * 10 + i32::from(digit - b'0'))
    };
    let well_formed = bytes.len() == 10
        && bytes
            .iter()
            .enumerate()
            .all(|(i, byte)| if i == 4 || i == 7 { *byte == b'-' } else { byte.is_ascii_digit() });
    if !well_formed {
        let form = "a date such as `2026-12-24`";
        return Err(error(ConstraintError::Item { text: Snippet::of(text), form, names: None }, span));
    }
    // OK because two digits fit eight bits.
    let date = Date::checked(number(0..4), number(5..7) as u8, number(8..10) as u8);
    match date {
        // OK because the years 0 to 9999 have fewer than 2^31 days.
        Some(date) => Ok(date.to_day() as i32),
        None => Err(error(ConstraintError::Date { text: Snippet::of(text) }, span)),
    }
}

/// `YYYY-MM-DD..YYYY-MM-DD`, both included.
pub(crate) fn dates(text: &str) -> Result<DayRange, Error> {
    let Some((first_text, last_text)) = text.split_once("..") else {
        let form = "a range of dates such as `2026-12-20..2027-01-06`";
        return Err(error(
            ConstraintError::Item { text: Snippet::of(text), form, names: None },
            0..text.len(),
        ));
    };
    let first = date(first_text, 0..first_text.len())?;
    let last = date(last_text, first_text.len() + 2..text.len())?;
    if first > last {
        let help = format!("{last_text}..{first_text}");
        return Err(error(ConstraintError::Backwards { text: Snippet::of(text), help }, 0..text.len()));
    }
    Ok((first, last))
}

/// The calendar of a name.
pub(crate) fn calendar(name: &str, calendars: &Calendars) -> Result<Calendar, Error> {
    calendars.get(name).cloned().ok_or_else(|| {
        let near = nearest(name, calendars.iter().map(Calendar::name)).map(ToString::to_string);
        let kind = CalendarError::Unknown { text: Snippet::of(name), nearest: near };
        Error::of("", kind).at(0..name.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_parts_print_canonically() {
        let p = |name: &str, value: &str| Clause::builder().part(name, value).build().unwrap().to_string();
        assert_eq!(p("hours", "22-5"), "hours=22-5");
        assert_eq!(p("hours", "1-2"), "hours=1,2");
        assert_eq!(p("hours", "007,3,5-4"), "hours=0-23");
        assert_eq!(p("dow", "FRI-MON"), "dow=5-1");
        assert_eq!(p("dow", "5-7"), "dow=5-0");
        assert_eq!(p("dow", "7-2"), "dow=0-2");
        assert_eq!(p("dow", "6-7"), "dow=0,6");
        assert_eq!(p("months", "nov-FEB,6"), "months=6,11-2");
        assert_eq!(p("dom", "31,1-7"), "dom=1-7,31");
        assert_eq!(p("between", "22:00-06:00"), "between=22:00-06:00");
        assert_eq!(p("between", "09:00-10:00,10:01-11:00,08:00-08:00"), "between=08:00-08:00,09:00-11:00");
        assert_eq!(p("between", "12:01-12:00"), "between=00:00-23:59");
        assert_eq!(p("date", "0000-02-29"), "date=0000-02-29");
        assert_eq!(p("dates", "2026-12-20..2027-01-06"), "dates=2026-12-20..2027-01-06");
    }

    /// The help repeats the part, as much of it as a line holds.
    #[test]
    fn the_message_about_a_part_of_days_is_short() {
        for value in ["last=".repeat(10_000), "\u{7}`\n".repeat(10_000)] {
            let message = Clause::builder().part("last", &value).build().unwrap_err().to_string();
            assert!(message.len() < 1000 && !message.contains(char::is_control), "{} bytes", message.len());
        }
    }

    #[test]
    fn err_parts() {
        let p =
            |name: &str, value: &str| Clause::builder().part(name, value).build().unwrap_err().to_string();
        assert_eq!(p("hours", "24"), "hours: `24` at column 1 is not in 0 to 23");
        assert_eq!(
            p("hours", "1,*"),
            "hours: `*` at column 3 is not an hour or a range of hours, such as `9-17` or `22-5`"
        );
        assert_eq!(p("dom", "7-1"), "dom: range `7-1` at column 1 runs backwards; write `7-31,1`");
        assert_eq!(
            p("between", "9:00-10:00").split(" is not").next(),
            Some("between: `9:00-10:00` at column 1")
        );
        assert_eq!(
            p("between", "09:00-24:00"),
            "between: `24:00` at column 1 is not a time from 00:00 to 23:59"
        );
        assert_eq!(p("date", "2026-02-29"), "date: there is no date `2026-02-29` at column 1");
        assert_eq!(p("date", "2026-2-9"), "date: `2026-2-9` at column 1 is not a date such as `2026-12-24`");
        assert_eq!(
            p("dates", "2026-02-02..2026-02-01"),
            "dates: range `2026-02-02..2026-02-01` at column 1 runs backwards; write `2026-02-01..2026-02-02`"
        );
        assert_eq!(
            p("hour", "1"),
            "unknown part `hour` at column 1; the parts are `hours`, `dow`, `dom`, `months`, `between`, `date`, `dates` or `calendar`; \
             did you mean `hours`?"
        );
        assert_eq!(
            p("dom", &"1,".repeat(60)),
            "dom: the part has at most 96 characters, but this one has 120"
        );
        for blank in [" 1", "1 ", "1 -2", "", ",", "1,", "1-2-3", "-1", "MONDAY", "１"] {
            assert!(Clause::builder().part("dow", blank).build().is_err(), "{blank}");
        }
        assert!(Clause::builder().build().unwrap_err().to_string().contains("at least one part"));
    }
}
