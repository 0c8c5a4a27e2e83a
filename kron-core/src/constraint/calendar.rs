//! Named calendars: lists of dates that constraints name.
//!
//! ```text
//! file    = { line }
//! line    = [ name "=" entry { "," entry } ] [ "#" comment ]        blanks around each are left out
//! name    = letter or digit { letter | digit | "-" | "_" | "." }    64 characters at most
//! entry   = date | date ".." date                                   as in the parts `date` and `dates`
//! ```
//!
//! Lines of one name add up.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::ops::RangeInclusive;
use core::{fmt, slice};

use chrono::{Datelike, NaiveDate};
use sha2::{Digest, Sha256};

use super::DayRange;
use super::parse::{date, dates};
use crate::error::list::{ErrorList, Errors};
use crate::error::{CalendarError, Error, Snippet};
use crate::limits::{CALENDAR_NAME_CHARS, CALENDAR_RANGES};
use crate::time::civil::Date;

/// A named list of dates, which the part `calendar` of a clause names. Cheap to clone.
///
/// ```
/// use chrono::NaiveDate;
/// use kron_core::Calendar;
/// let day = |day| NaiveDate::from_ymd_opt(2026, 12, day).unwrap();
/// let calendar = Calendar::new("year-end", [day(31)..=day(31), day(24)..=day(26), day(26)..=day(27)])?;
/// assert_eq!(calendar.to_string(), "year-end = 2026-12-24..2026-12-27, 2026-12-31");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Calendar(Arc<Content>);

#[derive(PartialEq, Eq, Hash)]
struct Content {
    name: Box<str>,
    /// In ascending order, with at least one day between one and the next.
    ranges: Box<[DayRange]>,
    hash: [u8; 32],
}

/// The Gregorian day number of 1970-01-01, as chrono counts.
const EPOCH: i32 = 719_163;

impl Calendar {
    /// A calendar of ranges of dates, both ends included, in any order. Ranges that touch or overlap become one.
    ///
    /// # Errors
    ///
    /// [`Name`](crate::ErrorCode::Name) unless the name has 1 to 64 ASCII letters, digits, `-`, `_` and `.`, and begins with
    /// a letter or digit; [`CalendarSyntax`](crate::ErrorCode::CalendarSyntax) if there are no dates;
    /// [`ConstraintBackwards`](crate::ErrorCode::ConstraintBackwards) for a range that runs backwards;
    /// [`ConstraintOutOfRange`](crate::ErrorCode::ConstraintOutOfRange) for years other than 0 to 9999;
    /// [`CalendarTooLong`](crate::ErrorCode::CalendarTooLong) for more than 10,000 ranges.
    ///
    /// ```
    /// use kron_core::{Calendar, ErrorCode};
    /// let christmas = chrono::NaiveDate::from_ymd_opt(2026, 12, 25).unwrap();
    /// assert_eq!(Calendar::new("holidays-fr", [christmas..=christmas])?.name(), "holidays-fr");
    /// assert_eq!(Calendar::new("holidays fr", [christmas..=christmas]).unwrap_err().code(), ErrorCode::Name);
    /// assert_eq!(Calendar::new("none", []).unwrap_err().code(), ErrorCode::CalendarSyntax);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(
        name: &str,
        dates: impl IntoIterator<Item = RangeInclusive<NaiveDate>>,
    ) -> Result<Calendar, Error> {
        check_name(name)?;
        let mut ranges = Vec::new();
        for range in dates {
            ranges.push(day_range(&range).map_err(|error| error.within(name))?);
        }
        Calendar::of_ranges(name, ranges)
    }

    /// A calendar of dates and ranges of dates with commas between them, as after the `=` of a line of a calendar file.
    ///
    /// # Errors
    ///
    /// As [`new`](Calendar::new), and those of a date that cannot be read.
    ///
    /// ```
    /// use kron_core::Calendar;
    /// let calendar = Calendar::parse("year-end", "2026-12-31, 2026-12-24..2026-12-26")?;
    /// assert_eq!(calendar.to_string(), "year-end = 2026-12-24..2026-12-26, 2026-12-31");
    /// let error = Calendar::parse("year-end", "2026-12-32").unwrap_err();
    /// assert_eq!(error.to_string(), "year-end: there is no date `2026-12-32` at column 1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parse(name: &str, dates: &str) -> Result<Calendar, Error> {
        check_name(name)?;
        let located = |error: Error| error.within(name).located(dates);
        Calendar::of_ranges(name, ranges(dates).map_err(located)?)
    }

    /// As [`new`](Calendar::new), for a valid name and ranges that do not run backwards.
    fn of_ranges(name: &str, mut ranges: Vec<DayRange>) -> Result<Calendar, Error> {
        let error = |kind| Err(Error::of(name.to_string(), kind));
        if ranges.is_empty() {
            return error(CalendarError::NoDates);
        }
        ranges.sort_unstable();
        let mut merged: Vec<DayRange> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(open) if first <= open.1 + 1 => open.1 = open.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        if merged.len() > CALENDAR_RANGES {
            return error(CalendarError::TooManyRanges { max: CALENDAR_RANGES, found: merged.len() });
        }
        let mut hash = Sha256::new();
        for (first, last) in &merged {
            hash.update(format!("{}..{}\n", Text(*first), Text(*last)));
        }
        Ok(Calendar(Arc::new(Content {
            name: name.into(),
            ranges: merged.into(),
            hash: hash.finalize().into(),
        })))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The dates, as ranges in ascending order with at least one day between one and the next.
    ///
    /// ```
    /// let calendars = kron_core::Calendars::parse("x = 2026-12-26, 2026-12-24..2026-12-25, 2026-12-31")?;
    /// let dates: Vec<_> = calendars.get("x").unwrap().dates().collect();
    /// assert_eq!(dates.len(), 2);
    /// assert_eq!(dates[0].end().to_string(), "2026-12-26");
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn dates(&self) -> impl Iterator<Item = RangeInclusive<NaiveDate>> {
        let date = |day: i32| NaiveDate::from_num_days_from_ce_opt(day + EPOCH).unwrap_or_default();
        self.0.ranges.iter().map(move |(first, last)| date(*first)..=date(*last))
    }

    /// A hash of the dates: two calendars with the same one have the same dates, whatever their names.
    ///
    /// It is the SHA-256, in lower-case hex, over a line `YYYY-MM-DD..YYYY-MM-DD\n` for each range of
    /// [`dates`](Calendar::dates).
    ///
    /// ```
    /// let calendars = kron_core::Calendars::parse("christmas = 2026-12-25")?;
    /// // echo 2026-12-25..2026-12-25 | sha256sum
    /// let hash = "ad836ba9f16cb7654050f7b968e5992ef59b5adb5c59ba9ea596246fa3f5bc52";
    /// assert_eq!(calendars.get("christmas").unwrap().content_hash(), hash);
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn content_hash(&self) -> String {
        self.0.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether a day, counted from 1970-01-01, is one of the dates.
    pub(super) fn contains(&self, day: i64) -> bool {
        self.ranges_from(day).first().is_some_and(|(first, _)| i64::from(*first) <= day)
    }

    /// The ranges that end on a day or later.
    pub(crate) fn ranges_from(&self, day: i64) -> &[DayRange] {
        let ranges = &self.0.ranges;
        &ranges[ranges.partition_point(|(_, last)| i64::from(*last) < day)..]
    }
}

/// Dates as days since 1970-01-01.
fn day_range(dates: &RangeInclusive<NaiveDate>) -> Result<DayRange, Error> {
    let day = |date: &NaiveDate| {
        let error = || Error::of("", CalendarError::Year { text: Snippet::of(&date.to_string()) });
        (0..=9999).contains(&date.year()).then(|| date.num_days_from_ce() - EPOCH).ok_or_else(error)
    };
    let (first, last) = (day(dates.start())?, day(dates.end())?);
    if first > last {
        let (text, help) =
            (format!("{}..{}", Text(first), Text(last)), format!("{}..{}", Text(last), Text(first)));
        return Err(Error::of(
            "",
            crate::error::ConstraintError::Backwards { text: Snippet::of(&text), help },
        ));
    }
    Ok((first, last))
}

/// Checks the name of a calendar.
pub(super) fn check_name(name: &str) -> Result<(), Error> {
    let fits = name.len() <= CALENDAR_NAME_CHARS
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let error = || {
        let kind = CalendarError::Name { text: Snippet::of(name), max: CALENDAR_NAME_CHARS };
        Error::of("calendar", kind).at(0..name.len())
    };
    fits.then_some(()).ok_or_else(error)
}

/// A day since 1970-01-01 as `YYYY-MM-DD`.
pub(crate) struct Text(pub(crate) i32);

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = Date::from_day(self.0.into());
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// A line of a calendar file.
impl fmt::Display for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} =", self.name())?;
        self.0.ranges.iter().enumerate().try_for_each(|(index, (first, last))| {
            let glue = if index == 0 { " " } else { ", " };
            write!(f, "{glue}{}", Text(*first))?;
            if first == last { Ok(()) } else { write!(f, "..{}", Text(*last)) }
        })
    }
}

impl fmt::Debug for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Calendar({self})")
    }
}

/// Calendars by name, in which the part `calendar` of a clause is looked up; see
/// [`Parser::with_calendars`](crate::Parser::with_calendars).
///
/// ```
/// use kron_core::{Calendars, Parser};
/// let calendars = Calendars::parse("# France\nholidays-fr = 2026-12-25, 2027-01-01\n")?;
/// let parser = Parser::new().with_calendars(calendars);
/// let job = parser.job("db/backup", "@daily @win(after,3h) @avoid(calendar=holidays-fr)")?;
/// // 2026-12-24T12:00:00Z: there is no start on the 25th.
/// assert_eq!(job.next_start(1_798_113_600)?.period_id(), "2026-12-26T00:00:00Z");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Calendars {
    /// In order of their names.
    list: Vec<Calendar>,
}

static NONE: Calendars = Calendars::new();

impl Calendars {
    /// No calendars.
    ///
    /// ```
    /// assert!(kron_core::Calendars::new().is_empty());
    /// ```
    pub const fn new() -> Calendars {
        Calendars { list: Vec::new() }
    }

    /// No calendars, to be borrowed.
    pub(crate) fn none() -> &'static Calendars {
        &NONE
    }

    /// Reads a calendar file. A line has a name, `=`, and dates or ranges of dates with commas between them; lines of one
    /// name add up. `#` begins a comment.
    ///
    /// # Errors
    ///
    /// The [`Errors`] of the bad lines and calendars, each with its line. Of more than 1,000, the first 1,000 are kept, and a
    /// last one without a line says how many more there are.
    ///
    /// ```
    /// use kron_core::Calendars;
    /// let calendars = Calendars::parse("\
    /// ## School holidays
    /// school = 2026-10-17..2026-11-01, 2026-12-19..2027-01-03   # zone A
    /// school = 2027-02-06..2027-02-21
    /// ")?;
    /// assert_eq!(calendars.get("school").unwrap().dates().count(), 3);
    /// let error = Calendars::parse("school = 2026-02-30").unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: school: there is no date `2026-02-30` at column 10");
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn parse(text: &str) -> Result<Calendars, Errors> {
        let mut errors = ErrorList::default();
        let mut found: BTreeMap<&str, (usize, Vec<DayRange>)> = BTreeMap::new();
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in body.lines().enumerate() {
            match parse_line(line) {
                Ok(None) => {}
                Ok(Some((name, ranges))) => {
                    found.entry(name).or_insert_with(|| (index + 1, Vec::new())).1.extend(ranges);
                }
                Err(error) => errors.push(error.located(line).on_line(index + 1)),
            }
        }
        let mut list = Vec::new();
        let mut unfit = Vec::new();
        for (name, (line, ranges)) in found {
            match Calendar::of_ranges(name, ranges) {
                Ok(calendar) => list.push(calendar),
                Err(error) => unfit.push(error.on_line(line)),
            }
        }
        errors.merge_by_line(unfit);
        Errors::new(errors.finish("line")).map_or(Ok(Calendars { list }), Err)
    }

    /// Adds a calendar.
    ///
    /// # Errors
    ///
    /// [`CalendarRepeated`](crate::ErrorCode::CalendarRepeated) if there is one of that name.
    ///
    /// ```
    /// use kron_core::{Calendars, ErrorCode};
    /// let mut calendars = Calendars::parse("a = 2026-12-25")?;
    /// let other = Calendars::parse("a = 2026-12-24\nb = 2026-12-24")?;
    /// calendars.add(other.get("b").unwrap().clone())?;
    /// let error = calendars.add(other.get("a").unwrap().clone()).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::CalendarRepeated);
    /// assert_eq!(calendars.iter().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, calendar: Calendar) -> Result<(), Error> {
        match self.place(calendar.name()) {
            Ok(_) => {
                let text = Snippet::of(calendar.name());
                Err(Error::of("calendar", CalendarError::Repeated { text }))
            }
            Err(place) => {
                self.list.insert(place, calendar);
                Ok(())
            }
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.list.binary_search_by(|calendar| calendar.name().cmp(name))
    }

    /// The calendar of a name.
    ///
    /// ```
    /// let calendars = kron_core::Calendars::parse("a = 2026-12-25")?;
    /// assert!(calendars.get("a").is_some() && calendars.get("b").is_none());
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn get(&self, name: &str) -> Option<&Calendar> {
        self.place(name).ok().map(|index| &self.list[index])
    }

    /// All calendars, in order of their names.
    ///
    /// ```
    /// let calendars = kron_core::Calendars::parse("b = 2026-12-25\na = 2026-12-25")?;
    /// assert!(calendars.iter().map(|calendar| calendar.name()).eq(["a", "b"]));
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn iter(&self) -> slice::Iter<'_, Calendar> {
        self.list.iter()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<'a> IntoIterator for &'a Calendars {
    type Item = &'a Calendar;
    type IntoIter = slice::Iter<'a, Calendar>;

    fn into_iter(self) -> slice::Iter<'a, Calendar> {
        self.iter()
    }
}

impl fmt::Debug for Calendars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

/// The name and the dates of a line, unless it is blank or a comment.
fn parse_line(line: &str) -> Result<Option<(&str, Vec<DayRange>)>, Error> {
    let text = line.split('#').next().unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    let Some((name, entries)) = text.split_once('=') else {
        let at = text.len() - text.trim_start().len();
        let found = text.trim();
        let kind = CalendarError::Line { text: Snippet::of(found) };
        return Err(Error::of("calendar", kind).at(at..at + found.len()));
    };
    let name_at = name.len() - name.trim_start().len();
    let at = name.len() + 1;
    let name = name.trim();
    check_name(name).map_err(|error| error.shifted(name_at))?;
    let ranges = ranges(entries).map_err(|error| error.within(name).shifted(at))?;
    Ok(Some((name, ranges)))
}

/// Dates and ranges of dates with commas between them.
fn ranges(text: &str) -> Result<Vec<DayRange>, Error> {
    if text.trim().is_empty() {
        return Err(Error::of("", CalendarError::NoDates));
    }
    let (mut ranges, mut at) = (Vec::new(), 0);
    for entry in text.split(',') {
        let start = at + entry.len() - entry.trim_start().len();
        at += entry.len() + 1;
        let entry = entry.trim();
        let range = if entry.contains("..") {
            dates(entry)
        } else {
            date(entry, 0..entry.len()).map(|day| (day, day))
        };
        ranges.push(range.map_err(|error| error.shifted(start))?);
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        Calendars::parse(text).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn dates_of_one_calendar() {
        let parse = |text| Calendar::parse("x", text).map_err(|error| error.to_string());
        assert_eq!(
            parse(" 2026-12-26,2026-12-24..2026-12-25 ").unwrap().to_string(),
            "x = 2026-12-24..2026-12-26"
        );
        assert_eq!(parse(" ").unwrap_err(), "x: the calendar has no dates");
        let error = parse("2026-12-26, 2026-13-01").unwrap_err();
        assert_eq!(error, "x: there is no date `2026-13-01` at column 13");
        // A line of a file has other characters with a meaning; a calendar has only dates.
        assert!(parse("2026-12-26 # Christmas").is_err() && parse("2026-12-26\ny = 2026-12-27").is_err());
        assert!(Calendar::parse("a b", "2026-12-26").is_err());
    }

    #[test]
    fn ok_files() {
        let text =
            "\u{feff}# comment\n\n a.b_c-1=2026-12-25,2026-12-26 # both\r\nz = 0000-02-29..9999-12-31\n";
        let calendars = Calendars::parse(text).unwrap();
        assert_eq!(
            calendars.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["a.b_c-1 = 2026-12-25..2026-12-26", "z = 0000-02-29..9999-12-31"]
        );
        // What a calendar prints is a line that reads as the same calendar.
        let printed: String = calendars.iter().map(|calendar| format!("{calendar}\n")).collect();
        assert_eq!(Calendars::parse(&printed), Ok(calendars));
        assert_eq!(Calendars::parse("# nothing"), Ok(Calendars::new()));
    }

    #[test]
    fn err_lines() {
        assert_eq!(
            errors("a = 2026-12-25\nfoo\n  b c = 2026-01-01\nd = \ne = 2026-01-01,\nf = 1.1.2026 # x\n"),
            [
                "line 2: calendar: `foo` at column 1 is not `name = dates`; write `holidays = 2026-12-25, 2026-12-31..2027-01-01`",
                "line 3: calendar: `b c` at column 3 is not a name of a calendar, 1 to 64 ASCII letters, digits, `-`, `_` and \
                 `.` that begin with a letter or digit",
                "line 4: d: the calendar has no dates",
                "line 5: e: `` at column 16 is not a date such as `2026-12-24`",
                "line 6: f: `1.1.2026` at column 5 is not a date such as `2026-12-24`",
            ]
        );
        assert_eq!(
            errors("a = 2026-12-25, 2026-12-26..2026-12-24"),
            [
                "line 1: a: range `2026-12-26..2026-12-24` at column 17 runs backwards; write `2026-12-24..2026-12-26`"
            ]
        );
        assert_eq!(errors("x\n".repeat(1200).as_str())[1000], "and 200 more lines with errors");
    }

    #[test]
    fn at_most_ten_thousand_ranges() {
        // Every second day, in lines of one name.
        let line = |day: i32| format!("a = {}\n", Text(2 * day));
        let most: String = (0..10_000).map(line).collect();
        let calendars = Calendars::parse(&most).unwrap();
        assert_eq!(calendars.get("a").unwrap().dates().count(), 10_000);
        assert_eq!(
            errors(&(most.clone() + &line(10_000))),
            ["line 1: a: a calendar has at most 10000 ranges of dates, but this one has 10001"]
        );
        // With the day between them, three ranges become one.
        assert!(Calendars::parse(&format!("{most}{}a = {}", line(10_000), Text(1))).is_ok());
    }

    #[test]
    fn contains_what_a_scan_contains() {
        let calendars =
            Calendars::parse("a = 2026-01-03, 2026-01-05..2026-01-07, 2026-02-01, 1969-12-30..1970-01-02");
        let calendars = calendars.unwrap();
        let calendar = calendars.get("a").unwrap();
        for day in -10..21_000 {
            let date = NaiveDate::from_num_days_from_ce_opt(day + EPOCH).unwrap();
            assert_eq!(
                calendar.contains(day.into()),
                calendar.dates().any(|range| range.contains(&date)),
                "{date}"
            );
        }
    }

    #[test]
    fn err_dates_of_other_years() {
        let date = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
        for (range, text) in [
            (date(10_000)..=date(10_001), "a: `+10000-01-01` is not in the years 0 to 9999"),
            (date(-1)..=date(1), "a: `-0001-01-01` is not in the years 0 to 9999"),
            (
                date(2027)..=date(2026),
                "a: range `2027-01-01..2026-01-01` runs backwards; write `2026-01-01..2027-01-01`",
            ),
        ] {
            assert_eq!(Calendar::new("a", [range]).unwrap_err().to_string(), text);
        }
    }
}
