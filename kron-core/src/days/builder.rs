//! Builds clauses of nominal days from parts. Values are read by the parsers of constraints, so both have one grammar.

use alloc::string::{String, ToString};
use core::fmt::Display;
use core::ops::RangeInclusive;

use super::{Days, DaysPart, Every, Roll};
use crate::constraint::sealed::Values as _;
use crate::constraint::{
    Backwards, BadPart, Calendar, Calendars, ClauseParts, DAYS_OF_MONTH, DAYS_OF_WEEK, DateValue, ListPart,
    MONTHS, MonthValue, Values, WeekdayValue, calendar, check_length, date, dates, list, repeated, set_alone,
};
use crate::error::{ConstraintError, DaysError, Error, Snippet, nearest};
use crate::limits::{DOM_CHARS, EVERY_MAX, PART_CHARS};
use crate::time::calendar_field::{DAY_OF_MONTH, Field};

/// Workdays of a month: at most 23, if five days of the week are workdays.
pub(super) static WORKDAYS: Field = Field::of_numbers("days.workday", 1, 23);

static NUMBERS_OF_DAYS: ListPart = ListPart {
    field: &DAY_OF_MONTH,
    backwards: Backwards::Swapped,
    form: "a number or a range of numbers of days counted from the end of the month, such as `1` or `1-7`",
    names: None,
};
static NUMBERS_OF_WORKDAYS: ListPart = ListPart {
    field: &WORKDAYS,
    backwards: Backwards::Swapped,
    form: "a number or a range of numbers of workdays, such as `1` or `1-3`",
    names: None,
};
static NEAR: ListPart = ListPart {
    field: &DAY_OF_MONTH,
    backwards: Backwards::Split,
    form: "a day or a range of days of the month, such as `15`",
    names: None,
};

/// Collects the parts of [`Days`]; [`build`](DaysBuilder::build) checks them.
#[derive(Clone, Debug, Default)]
pub struct DaysBuilder {
    clause: Days,
    error: Option<Error>,
}

impl DaysBuilder {
    /// Adds a part by its name, one of [`DaysPart::WORDS`](DaysPart). A name alone has no dates, so that `calendar` and `holidays` are
    /// errors here; [`calendar`](DaysBuilder::calendar) and [`holidays`](DaysBuilder::holidays) add these parts.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let clause = Days::builder().part("dow", "TUE").part("every", "2w").part("from", "2026-01-06").build()?;
    /// assert_eq!(clause.to_string(), "dow=2;every=2w;from=2026-01-06");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn part(mut self, name: &str, value: &str) -> DaysBuilder {
        if self.error.is_none() {
            self.error = set_alone(&mut self, name, value).err();
        }
        self
    }

    fn typed(self, part: DaysPart, value: impl Display) -> DaysBuilder {
        self.part(part.as_str(), &value.to_string())
    }

    /// Weekdays of chrono, such as [`MON`](crate::constraint::MON); with the feature `jiff_1` also of jiff.
    ///
    /// ```
    /// use kron_core::{constraint::{FRI, MON}, days::Days};
    /// assert_eq!(Days::weekdays(MON..=FRI).build()?.to_string(), "dow=1-5");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn weekdays<W: WeekdayValue>(self, weekdays: impl Values<W>) -> DaysBuilder {
        self.typed(DaysPart::DayOfWeek, weekdays.text("-"))
    }

    /// Days of the month, 1 to 31.
    ///
    /// ```
    /// use kron_core::{constraint::MON, days::Days};
    /// assert_eq!(Days::weekdays(MON).days(1..=7).build()?.to_string(), "dow=1;dom=1-7");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn days(self, days: impl Values<u8>) -> DaysBuilder {
        self.typed(DaysPart::DayOfMonth, days.text("-"))
    }

    /// Months, 1 to 12 or chrono's. A range may pass December.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::last(1).months([3, 6, 9, 12]).build()?.to_string(), "months=3,6,9,12;last=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn months<M: MonthValue>(self, months: impl Values<M>) -> DaysBuilder {
        self.typed(DaysPart::Months, months.text("-"))
    }

    /// One date, of chrono or with the feature `jiff_1` of jiff.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let date = chrono::NaiveDate::from_ymd_opt(2026, 12, 25).unwrap();
    /// assert_eq!(Days::date(date).build()?.to_string(), "date=2026-12-25");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn date(self, date: impl DateValue) -> DaysBuilder {
        self.typed(DaysPart::Date, date.word())
    }

    /// Dates from one to another.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let date = |day| chrono::NaiveDate::from_ymd_opt(2026, 12, day).unwrap();
    /// assert_eq!(Days::dates(date(24)..=date(26)).build()?.to_string(), "dates=2026-12-24..2026-12-26");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn dates<T: DateValue>(self, dates: RangeInclusive<T>) -> DaysBuilder {
        self.typed(DaysPart::Dates, dates.text(".."))
    }

    /// Days counted from the end of the month, 1 to 31; 1 is the last day.
    ///
    /// ```
    /// use kron_core::{constraint::FRI, days::Days};
    /// assert_eq!(Days::weekdays(FRI).last(1..=7).build()?.to_string(), "dow=5;last=1-7"); // the last Friday
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn last(self, days: impl Values<u8>) -> DaysBuilder {
        self.typed(DaysPart::Last, days.text("-"))
    }

    /// Workdays counted from the start of the month, 1 to 23.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::workday(1).build()?.to_string(), "workday=1"); // the first workday
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn workday(self, workdays: impl Values<u8>) -> DaysBuilder {
        self.typed(DaysPart::Workday, workdays.text("-"))
    }

    /// Workdays counted from the end of the month, 1 to 23; 1 is the last one.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::last_workday(1).build()?.to_string(), "lastworkday=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn last_workday(self, workdays: impl Values<u8>) -> DaysBuilder {
        self.typed(DaysPart::LastWorkday, workdays.text("-"))
    }

    /// The workdays nearest to days of the month, within the month; the earlier of two.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::near(15).build()?.to_string(), "near=15");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn near(self, days: impl Values<u8>) -> DaysBuilder {
        self.typed(DaysPart::Near, days.text("-"))
    }

    /// Every so many days from a date on, 1 to 3660.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let from = chrono::NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    /// assert_eq!(Days::every_days(10, from).build()?.to_string(), "every=10d;from=2026-01-05");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn every_days(self, days: u16, from: impl DateValue) -> DaysBuilder {
        self.typed(DaysPart::Every, alloc::format!("{days}d")).typed(DaysPart::From, from.word())
    }

    /// Every so many weeks from a date on, 1 to 3660. With weekdays in the clause they choose in these weeks, from Monday to Sunday;
    /// without, it is the weekday of the date.
    ///
    /// ```
    /// use kron_core::{constraint::{MON, THU}, days::Days};
    /// let from = chrono::NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    /// let clause = Days::every_weeks(2, from).weekdays([MON, THU]).build()?;
    /// assert_eq!(clause.to_string(), "dow=1,4;every=2w;from=2026-01-05");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn every_weeks(self, weeks: u16, from: impl DateValue) -> DaysBuilder {
        self.typed(DaysPart::Every, alloc::format!("{weeks}w")).typed(DaysPart::From, from.word())
    }

    /// What takes the place of a day that the other parts choose and that is no workday.
    ///
    /// ```
    /// use kron_core::days::{Days, Roll};
    /// assert_eq!(Days::days(25).roll(Roll::Previous).build()?.to_string(), "dom=25;roll=previous");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn roll(self, roll: Roll) -> DaysBuilder {
        self.typed(DaysPart::Roll, roll)
    }

    /// The days of the week that are workdays; default Monday to Friday.
    ///
    /// ```
    /// use kron_core::{constraint::{SUN, THU}, days::Days};
    /// assert_eq!(Days::workday(1).week(SUN..=THU).build()?.to_string(), "workday=1;week=0-4");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn week<W: WeekdayValue>(self, weekdays: impl Values<W>) -> DaysBuilder {
        self.typed(DaysPart::Week, weekdays.text("-"))
    }

    /// The dates of a calendar.
    ///
    /// ```
    /// use kron_core::{Calendars, days::Days};
    /// let calendars = Calendars::parse("paydays = 2026-01-30, 2026-02-27")?;
    /// let clause = Days::builder().calendar(calendars.get("paydays").unwrap()).build()?;
    /// assert_eq!(clause.to_string(), "calendar=paydays");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn calendar(self, calendar: &Calendar) -> DaysBuilder {
        self.named(DaysPart::Calendar, calendar)
    }

    /// The calendar whose dates are no workdays.
    ///
    /// ```
    /// use kron_core::{Calendars, days::Days};
    /// let calendars = Calendars::parse("de = 2026-12-25, 2026-12-26")?;
    /// let clause = Days::workday(1).holidays(calendars.get("de").unwrap()).build()?;
    /// assert_eq!(clause.to_string(), "workday=1;holidays=de");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn holidays(self, calendar: &Calendar) -> DaysBuilder {
        self.named(DaysPart::Holidays, calendar)
    }

    fn named(mut self, part: DaysPart, calendar: &Calendar) -> DaysBuilder {
        if self.error.is_some() {
            return self;
        }
        let place =
            if part == DaysPart::Calendar { &mut self.clause.calendar } else { &mut self.clause.holidays };
        if place.replace(calendar.clone()).is_some() {
            self.error = Some(repeated(part.as_str()));
        }
        self
    }

    /// The clause.
    ///
    /// # Errors
    ///
    /// The error of the first bad part; [`ConstraintEmpty`](crate::ErrorCode::ConstraintEmpty) if there is no part;
    /// [`ConstraintIncomplete`](crate::ErrorCode::ConstraintIncomplete) for `every` without `from` or `from` without `every`, and for
    /// `week` or `holidays` without a part that asks for workdays.
    ///
    /// ```
    /// use kron_core::{ErrorCode, days::Days};
    /// let error = Days::builder().part("every", "2w").build().unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::ConstraintIncomplete);
    /// assert!(error.to_string().contains("from=2026-01-05"));
    /// ```
    pub fn build(self) -> Result<Days, Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let clause = self.clause;
        if clause.parts().next().is_none() {
            return Err(Error::of("", ConstraintError::EmptyClause));
        }
        let asks_for_workdays = [DaysPart::Workday, DaysPart::LastWorkday, DaysPart::Near, DaysPart::Roll];
        let needs: [(DaysPart, &[DaysPart], &'static str); 4] = [
            (DaysPart::Every, &[DaysPart::From], "from=2026-01-05"),
            (DaysPart::From, &[DaysPart::Every], "every=2w"),
            (DaysPart::Week, &asks_for_workdays, "workday=1"),
            (DaysPart::Holidays, &asks_for_workdays, "workday=1"),
        ];
        for (part, others, example) in needs {
            if clause.has(part) && !others.iter().any(|other| clause.has(*other)) {
                let kind = DaysError::Incomplete { part: part.as_str(), words: words(others), example };
                return Err(Error::of(part.as_str(), kind));
            }
        }
        Ok(clause)
    }

    fn read(&mut self, part: DaysPart, value: &str, calendars: &Calendars) -> Result<(), Error> {
        let clause = &mut self.clause;
        check_length(value, if part == DaysPart::DayOfMonth { DOM_CHARS } else { PART_CHARS })?;
        match part {
            // OK because a set of a field has bits up to the field's largest value only.
            DaysPart::DayOfWeek => clause.days_of_week = list(&DAYS_OF_WEEK, value)? as u8,
            DaysPart::DayOfMonth => clause.days_of_month = list(&DAYS_OF_MONTH, value)? as u32,
            DaysPart::Months => clause.months = list(&MONTHS, value)? as u16,
            DaysPart::Date => clause.date = Some(date(value, 0..value.len())?),
            DaysPart::Dates => clause.dates = Some(dates(value)?),
            DaysPart::Calendar => clause.calendar = Some(calendar(value, calendars)?),
            DaysPart::Last => clause.last = list(&NUMBERS_OF_DAYS, value)? as u32,
            DaysPart::Workday => clause.workdays = list(&NUMBERS_OF_WORKDAYS, value)? as u32,
            DaysPart::LastWorkday => clause.last_workdays = list(&NUMBERS_OF_WORKDAYS, value)? as u32,
            DaysPart::Near => clause.near = list(&NEAR, value)? as u32,
            DaysPart::Every => clause.every = Some(every(value)?),
            DaysPart::From => clause.from = Some(date(value, 0..value.len())?),
            DaysPart::Roll => {
                clause.roll = Some(Roll::from_word(value).ok_or_else(|| {
                    let near = nearest(value, Roll::WORDS.iter().copied());
                    let kind =
                        DaysError::Roll { text: Snippet::of(value), nearest: near, allowed: Roll::WORDS };
                    Error::of("", kind).at(0..value.len())
                })?);
            }
            DaysPart::Week => clause.week = list(&DAYS_OF_WEEK, value)? as u8,
            DaysPart::Holidays => clause.holidays = Some(calendar(value, calendars)?),
        }
        Ok(())
    }
}

impl ClauseParts for DaysBuilder {
    type Clause = Days;

    fn set(&mut self, name: &str, value: &str, calendars: &Calendars) -> Result<(), BadPart> {
        let Some(part) = DaysPart::from_word(name) else {
            let text = Snippet::of(name);
            let kind: Error = match name {
                "hours" | "between" => Error::of(
                    "",
                    DaysError::TimeOfDay { text, part: Snippet::of(&alloc::format!("{name}={value}")) },
                ),
                _ => {
                    let near = nearest(name, DaysPart::WORDS.iter().copied());
                    Error::of(
                        "",
                        ConstraintError::UnknownPart { text, nearest: near, allowed: DaysPart::WORDS },
                    )
                }
            };
            return Err(BadPart::Name(kind.at(0..name.len())));
        };
        if self.clause.has(part) {
            return Err(BadPart::Name(repeated(part.as_str()).at(0..name.len())));
        }
        self.read(part, value, calendars).map_err(|error| BadPart::Value(error.within(part.as_str())))
    }

    fn finish(self) -> Result<Days, Error> {
        self.build()
    }
}

/// The words of parts, for a message.
fn words(parts: &[DaysPart]) -> String {
    let words: alloc::vec::Vec<String> = parts.iter().map(|part| alloc::format!("`{part}`")).collect();
    words.join(", ")
}

/// `Nd` or `Nw`, N from 1 to 3660.
fn every(text: &str) -> Result<Every, Error> {
    let error = || Error::of("", DaysError::Every { text: Snippet::of(text) }).at(0..text.len());
    let (number, every): (_, fn(u16) -> Every) = match (text.strip_suffix('d'), text.strip_suffix('w')) {
        (Some(number), _) => (number, Every::Days),
        (_, Some(number)) => (number, Every::Weeks),
        _ => return Err(error()),
    };
    // A sign is none of the grammar, and Rust reads one.
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let count = number.parse().ok().filter(|count| digits && (1..=EVERY_MAX).contains(count));
    count.map(every).ok_or_else(error)
}

// Clauses begun with a part. `DaysBuilder` has the same methods, so further parts follow.
macro_rules! begin {
    ($($(#[$doc:meta])* $name:ident $(<$kind:ident: $bound:path>)? ($($arg:ident: $type:ty),*);)*) => {
        impl Days {
            $($(#[$doc])*
            pub fn $name $(<$kind: $bound>)? ($($arg: $type),*) -> DaysBuilder {
                Days::builder().$name($($arg),*)
            })*
        }
    };
}

begin! {
    /// Begins a clause with [weekdays](DaysBuilder::weekdays).
    ///
    /// ```
    /// use kron_core::{constraint::MON, days::Days};
    /// assert_eq!(Days::weekdays(MON).build()?.to_string(), "dow=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    weekdays<W: WeekdayValue>(weekdays: impl Values<W>);
    /// Begins a clause with [days of the month](DaysBuilder::days).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::days([1, 15]).build()?.to_string(), "dom=1,15");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    days(days: impl Values<u8>);
    /// Begins a clause with [months](DaysBuilder::months).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::months(12).build()?.to_string(), "months=12");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    months<M: MonthValue>(months: impl Values<M>);
    /// Begins a clause with [one date](DaysBuilder::date).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let date = chrono::NaiveDate::from_ymd_opt(2026, 12, 25).unwrap();
    /// assert_eq!(Days::date(date).build()?.to_string(), "date=2026-12-25");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    date(date: impl DateValue);
    /// Begins a clause with [dates](DaysBuilder::dates).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let date = |day| chrono::NaiveDate::from_ymd_opt(2026, 12, day).unwrap();
    /// assert_eq!(Days::dates(date(24)..=date(26)).build()?.to_string(), "dates=2026-12-24..2026-12-26");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    dates<T: DateValue>(dates: RangeInclusive<T>);
    /// Begins a clause with [days counted from the end of the month](DaysBuilder::last).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::last(1).build()?.to_string(), "last=1"); // the last day
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    last(days: impl Values<u8>);
    /// Begins a clause with [workdays from the start of the month](DaysBuilder::workday).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::workday(1).build()?.to_string(), "workday=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    workday(workdays: impl Values<u8>);
    /// Begins a clause with [workdays from the end of the month](DaysBuilder::last_workday).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::last_workday(1).build()?.to_string(), "lastworkday=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    last_workday(workdays: impl Values<u8>);
    /// Begins a clause with [the workdays nearest to days of the month](DaysBuilder::near).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// assert_eq!(Days::near([1, 15]).build()?.to_string(), "near=1,15");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    near(days: impl Values<u8>);
    /// Begins a clause with [every so many days](DaysBuilder::every_days).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let from = chrono::NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    /// assert_eq!(Days::every_days(3, from).build()?.to_string(), "every=3d;from=2026-01-05");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    every_days(days: u16, from: impl DateValue);
    /// Begins a clause with [every so many weeks](DaysBuilder::every_weeks).
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let from = chrono::NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    /// assert_eq!(Days::every_weeks(2, from).build()?.to_string(), "every=2w;from=2026-01-05");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    every_weeks(weeks: u16, from: impl DateValue);
}
