//! Constraints: calendar rules on chosen times, read in the job's zone.
//!
//! A clause has parts, all of which must match. If there are `only` clauses, at least one must match; no `avoid` clause
//! may match. The parser is in `parse.rs`, parts from typed values in `values.rs`, the canonical form in `print.rs`, whole days of allowed minutes in
//! `allowed.rs`, the lists of dates that clauses name in `calendar.rs`.
//!
//! To add a part: a variant of [`ClausePart`], and a field of `DayParts` or `TimeParts` below. The compiler then names the other places:
//! what is read in `parse.rs`, what is printed in `print.rs`, and what matches a day here or a minute in `allowed.rs`. Tests name the
//! rest.

mod allowed;
mod allowed_table;
mod builder;
mod calendar;
mod parse;
mod print;
mod values;

use alloc::{boxed::Box, vec::Vec};

use crate::error::{CalendarError, ConstraintError, Error, Snippet};
use crate::limits::CLAUSES;
use crate::time::civil::{DAY, Date, weekday};
use crate::time::zone::Zone;
use crate::word_enum;

pub(crate) use allowed::{Allowed, Minutes, Run, allowed_on_all};
pub(crate) use allowed_table::AllowedTable;
pub use builder::ConstraintsBuilder;
pub(crate) use builder::add_clause;
pub(crate) use calendar::Text as DateText;
pub use calendar::{Calendar, Calendars};
pub use parse::ClauseBuilder;
pub(crate) use parse::{
    Backwards, BadPart, ClauseParts, DAYS_OF_MONTH, DAYS_OF_WEEK, ListPart, MONTHS, PARTS_OF_DAYS, calendar,
    check_length, date, dates, list, repeated, set_alone,
};
pub(crate) use print::{write_parts, write_rules};
pub(crate) use values::sealed;
pub use values::{DateValue, FRI, MON, MonthValue, SAT, SUN, THU, TUE, Values, WED, WeekdayValue};

/// Minutes of the day from the first to the second, both included.
type MinuteRange = (u16, u16);
/// Days since 1970-01-01 from the first to the second, both included.
pub(crate) type DayRange = (i32, i32);

/// Calendar parts that must all match: see [`ClausePart`].
///
/// ```
/// use kron_core::Clause;
/// use kron_core::constraint::{FRI, MON};
/// let nights = Clause::hours(1..=5).weekdays(MON..=FRI).build()?;
/// assert_eq!(nights.to_string(), "hours=1-5;dow=1-5");
/// assert_eq!(nights, "hours=1-5;dow=MON-FRI".parse()?);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Clause {
    days: DayParts,
    times: TimeParts,
}

/// The parts about days. An empty set (0) means that the part is absent; present ones are never empty.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct DayParts {
    date: Option<i32>,
    dates: Option<DayRange>,
    calendar: Option<Calendar>,
    days_of_month: u32,
    months: u16,
    days_of_week: u8,
}

/// The parts about times of day. An empty set (0) or list means that the part is absent.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct TimeParts {
    between: Box<[MinuteRange]>,
    hours: u32,
}

word_enum! {
    in "kron_core::constraint";
    /// A part of a clause, in the order of the canonical form.
    pub ClausePart {
        /// Hours of the day.
        Hours = "hours",
        /// Days of the week.
        DayOfWeek = "dow",
        /// Days of the month.
        DayOfMonth = "dom",
        /// Months.
        Months = "months",
        /// Times of day.
        Between = "between",
        /// One date.
        Date = "date",
        /// Dates from one to another.
        Dates = "dates",
        /// The dates of a named calendar.
        Calendar = "calendar",
    }
}

/// A civil day as a count of days, a date and a weekday.
#[derive(Clone, Copy, Debug)]
struct CivilDay {
    day: i64,
    date: Date,
    weekday: u8,
}

impl CivilDay {
    fn new(day: i64) -> CivilDay {
        CivilDay { day, date: Date::from_day(day), weekday: weekday(day) }
    }
}

impl Clause {
    /// Begins a clause without a part. [`hours`](Clause::hours), [`weekdays`](Clause::weekdays) and the like begin one with a part.
    ///
    /// ```
    /// use kron_core::Clause;
    /// let evenings = Clause::builder().part("between", "18:00-21:59").part("dow", "MON-FRI").build()?;
    /// assert_eq!(evenings, "dow=MON-FRI;between=18:00-21:59".parse()?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn builder() -> ClauseBuilder {
        ClauseBuilder::default()
    }

    /// The parts that this clause has, in the order of the canonical form.
    ///
    /// ```
    /// use kron_core::Clause;
    /// use kron_core::constraint::ClausePart;
    /// let clause = Clause::builder().part("date", "2026-12-24").build()?;
    /// assert!(clause.parts().eq([ClausePart::Date]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = ClausePart> {
        ClausePart::ALL.iter().copied().filter(|part| self.has(*part))
    }

    /// The calendar of the part `calendar`, if the clause has one.
    ///
    /// ```
    /// use kron_core::{Calendars, Clause};
    /// let calendars = Calendars::parse("holidays-fr = 2026-12-25")?;
    /// let holidays = calendars.get("holidays-fr").unwrap();
    /// let clause = Clause::calendar(holidays).hours(9..=17).build()?;
    /// assert_eq!(clause.named_calendar(), Some(holidays));
    /// assert_eq!(clause.to_string(), "hours=9-17;calendar=holidays-fr");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn named_calendar(&self) -> Option<&Calendar> {
        self.days.calendar.as_ref()
    }

    fn has(&self, part: ClausePart) -> bool {
        match part {
            ClausePart::Hours => self.times.hours != 0,
            ClausePart::DayOfWeek => self.days.days_of_week != 0,
            ClausePart::DayOfMonth => self.days.days_of_month != 0,
            ClausePart::Months => self.days.months != 0,
            ClausePart::Between => !self.times.between.is_empty(),
            ClausePart::Date => self.days.date.is_some(),
            ClausePart::Dates => self.days.dates.is_some(),
            ClausePart::Calendar => self.days.calendar.is_some(),
        }
    }

    /// Whether the parts about days match.
    fn matches_day(&self, at: &CivilDay) -> bool {
        // Every field by name, so that the compiler reports a new part here, as in the function below.
        let DayParts { date, dates, calendar, days_of_month, months, days_of_week } = &self.days;
        (*days_of_week == 0 || days_of_week >> at.weekday & 1 == 1)
            && (*days_of_month == 0 || days_of_month >> at.date.day & 1 == 1)
            && (*months == 0 || months >> at.date.month & 1 == 1)
            && date.is_none_or(|date| i64::from(date) == at.day)
            && dates.is_none_or(|(first, last)| (i64::from(first)..=i64::from(last)).contains(&at.day))
            && calendar.as_ref().is_none_or(|calendar| calendar.contains(at.day))
    }

    /// Whether the parts about times of day match.
    fn matches_minute(&self, minute: u16) -> bool {
        let TimeParts { hours, between } = &self.times;
        (*hours == 0 || hours >> (minute / 60) & 1 == 1)
            && (between.is_empty() || between.iter().any(|(first, last)| (*first..=*last).contains(&minute)))
    }

    fn matches(&self, day: &CivilDay, minute: u16) -> bool {
        self.matches_day(day) && self.matches_minute(minute)
    }
}

/// Calendar rules on chosen times: at least one `only` clause matches, if there are any, and no `avoid` clause does.
///
/// ```
/// use kron_core::{Clause, Constraints, constraint::SUN};
/// let constraints = Constraints::new().only(Clause::hours(9..=17)).avoid(Clause::weekdays(SUN)).build()?;
/// assert_eq!(constraints.to_string(), "@only(hours=9-17) @avoid(dow=0)");
/// assert!(Constraints::default().is_empty());
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Constraints {
    /// One pointer wide: most jobs have none.
    clauses: Option<Box<Clauses>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Clauses {
    /// The `only` clauses, then the `avoid` clauses.
    all: Box<[Clause]>,
    /// The number of `only` clauses.
    only: usize,
}

/// Calendars in order of their names, each name once.
pub(crate) fn by_name<'a>(calendars: impl Iterator<Item = &'a Calendar>) -> Vec<&'a Calendar> {
    let mut found: Vec<&Calendar> = calendars.collect();
    found.sort_unstable_by_key(|calendar| calendar.name());
    found.dedup_by_key(|calendar| calendar.name());
    found
}

/// An error for a list of more clauses than it may have, which names its field.
pub(crate) fn check_numbers(lists: [(&'static str, usize); 2]) -> Result<(), Error> {
    match lists.into_iter().find(|(_, number)| *number > CLAUSES) {
        Some((field, _)) => Err(Error::of(field, ConstraintError::TooManyClauses { max: CLAUSES })),
        None => Ok(()),
    }
}

/// An error if two of some calendars have one name and different dates.
pub(crate) fn check_calendars(field: &'static str, calendars: &[&Calendar]) -> Result<(), Error> {
    for (index, calendar) in calendars.iter().enumerate() {
        let mut others = calendars[..index].iter();
        if others.any(|other| other.name() == calendar.name() && other != calendar) {
            let text = Snippet::of(calendar.name());
            return Err(Error::of(field, CalendarError::Repeated { text }));
        }
    }
    Ok(())
}

/// Which rule forbids a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// None of the `only` clauses matches it.
    NoOnlyClause,
    /// The `avoid` clause of this index matches it.
    AvoidClause(usize),
}

impl Constraints {
    /// Begins constraints; clauses follow by [`only`](ConstraintsBuilder::only) and [`avoid`](ConstraintsBuilder::avoid).
    /// `Constraints::default()` has no clauses.
    ///
    /// ```
    /// use kron_core::{Clause, Constraints};
    /// use kron_core::constraint::{FRI, MON};
    /// let constraints = Constraints::new().avoid(Clause::hours(9..=17).weekdays(MON..=FRI)).build()?;
    /// assert_eq!(constraints, "@avoid(hours=9-17&dow=MON-FRI)".parse()?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[expect(
        clippy::new_ret_no_self,
        reason = "`new` is what people type, and what takes constraints takes the builder"
    )]
    pub fn new() -> ConstraintsBuilder {
        ConstraintsBuilder::default()
    }

    /// Constraints with these clauses, in this order.
    ///
    /// # Errors
    ///
    /// [`ConstraintTooLong`](crate::ErrorCode::ConstraintTooLong) for more than 128 clauses of a kind;
    /// [`CalendarRepeated`](crate::ErrorCode::CalendarRepeated) if two clauses have different calendars of one name.
    ///
    /// ```
    /// use kron_core::{Clause, Constraints, JobSpec};
    /// let holiday = Clause::builder().part("date", "2026-12-25").build()?;
    /// let constraints = Constraints::from_clauses(vec![], vec![holiday])?;
    /// assert_eq!(JobSpec::parse("@daily @avoid(date=2026-12-25)")?.constraints(), &constraints);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn from_clauses(only: Vec<Clause>, avoid: Vec<Clause>) -> Result<Constraints, Error> {
        check_numbers([("constraints.only", only.len()), ("constraints.avoid", avoid.len())])?;
        let named: Vec<&Calendar> = only.iter().chain(&avoid).filter_map(Clause::named_calendar).collect();
        check_calendars("constraints", &named)?;
        let count = only.len();
        let all: Box<[Clause]> = only.into_iter().chain(avoid).collect();
        Ok(Constraints { clauses: (!all.is_empty()).then(|| Box::new(Clauses { all, only: count })) })
    }

    /// The clauses of which at least one must match.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @only(hours=1-5) @only(dow=SUN) @avoid(dom=1)")?;
    /// let only: Vec<String> = spec.constraints().only().iter().map(ToString::to_string).collect();
    /// assert_eq!(only, ["hours=1-5", "dow=0"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn only(&self) -> &[Clause] {
        self.clauses.as_ref().map_or(&[], |clauses| &clauses.all[..clauses.only])
    }

    /// The clauses that must not match.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @avoid(dow=SAT,SUN;months=DEC&dom=24-26)")?;
    /// let avoid: Vec<String> = spec.constraints().avoid().iter().map(ToString::to_string).collect();
    /// assert_eq!(avoid, ["dow=0,6", "dom=24-26;months=12"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn avoid(&self) -> &[Clause] {
        self.clauses.as_ref().map_or(&[], |clauses| &clauses.all[clauses.only..])
    }

    /// The calendars that the clauses name, each once, in order of their names. [`JobSpec::calendars`](crate::JobSpec::calendars) has
    /// those of all clauses of a job.
    ///
    /// ```
    /// use kron_core::{Calendars, Parser};
    /// let parser = Parser::new().with_calendars(Calendars::parse("b = 2026-12-25\na = 2026-12-24")?);
    /// let spec = parser.spec("@daily @only(calendar=b;hours=1) @avoid(calendar=b&hours=2;calendar=a)")?;
    /// assert!(spec.constraints().calendars().iter().map(|calendar| calendar.name()).eq(["a", "b"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calendars(&self) -> Vec<&Calendar> {
        by_name(self.only().iter().chain(self.avoid()).filter_map(Clause::named_calendar))
    }

    /// Whether there are no clauses, so that every time is allowed.
    pub const fn is_empty(&self) -> bool {
        self.clauses.is_none()
    }

    /// Calls `visit` with the first and the last second of each run of allowed seconds from `first` to `last`, both included, in
    /// order and in Unix seconds, until it returns false.
    ///
    /// ```
    /// use kron_core::{Constraints, Zone};
    /// let constraints: Constraints = "@only(hours=1) @only(hours=3)".parse()?;
    /// let mut runs = Vec::new();
    /// constraints.each_allowed_run(&Zone::UTC, 0, 86_399, |first, last| {
    ///     runs.push((first, last));
    ///     true
    /// });
    /// assert_eq!(runs, [(3600, 7199), (10_800, 14_399)]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn each_allowed_run(
        &self,
        zone: &Zone,
        first: i64,
        last: i64,
        mut visit: impl FnMut(i64, i64) -> bool,
    ) {
        Allowed { constraints: self, zone, first, last }.each_run(|run| visit(run.first, run.last));
    }

    /// The rule that forbids a Unix second in a zone, or `None` if it is allowed.
    #[inline]
    pub(crate) fn forbids(&self, zone: &Zone, timestamp: i64) -> Option<Forbidden> {
        let Clauses { all, only } = &**self.clauses.as_ref()?;
        let (only, avoid) = all.split_at(*only);
        let civil = timestamp + i64::from(zone.offset_at(timestamp));
        let day = CivilDay::new(civil.div_euclid(DAY));
        // OK because a remainder of a day is below 1440 minutes.
        let minute = (civil.rem_euclid(DAY) / 60) as u16;
        if !only.is_empty() && !only.iter().any(|clause| clause.matches(&day, minute)) {
            return Some(Forbidden::NoOnlyClause);
        }
        avoid.iter().position(|clause| clause.matches(&day, minute)).map(Forbidden::AvoidClause)
    }
}
