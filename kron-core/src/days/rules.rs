//! Sets of clauses, and their verdict on a day.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Days;
use super::month::CalendarMonth;
use crate::constraint::{Calendar, add_clause, by_name, check_calendars, check_numbers};
use crate::error::Error;

/// Rules that choose nominal days: at least one `days` clause matches, if there are any, and no `nodays` clause does. On other days the
/// schedule has no periods. Cheap to clone.
///
/// ```
/// use kron_core::{JobSpec, constraint::FRI, days::{DayRules, Days}};
/// let last_friday = DayRules::new().days(Days::weekdays(FRI).last(1..=7)).nodays(Days::months(12)).build()?;
/// assert_eq!(last_friday.to_string(), "@days(dow=5;last=1-7) @nodays(months=12)");
/// let spec = JobSpec::builder("0 22 * * *").days(last_friday).build()?;
/// assert_eq!(spec, "0 22 * * * @days(dow=FRI;last=1-7) @nodays(months=DEC)".parse()?);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct DayRules {
    /// Most jobs have none.
    clauses: Option<Arc<Clauses>>,
}

#[derive(PartialEq, Eq, Hash)]
struct Clauses {
    /// The `days` clauses, then the `nodays` clauses.
    all: Vec<Days>,
    /// The number of `days` clauses.
    days: usize,
}

/// Why a day is chosen, or why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayMatch {
    /// There are no `days` clauses, and no `nodays` clause matches.
    EveryDay,
    /// The `days` clause of this index is the first that matches, and no `nodays` clause matches.
    DaysClause(usize),
    /// None of the `days` clauses matches, so it is not chosen.
    NoDaysClause,
    /// The `nodays` clause of this index matches, so it is not chosen.
    NodaysClause(usize),
}

impl DayMatch {
    /// Whether the day is chosen.
    ///
    /// ```
    /// use kron_core::days::DayMatch;
    /// assert!(DayMatch::DaysClause(0).is_chosen() && !DayMatch::NoDaysClause.is_chosen());
    /// ```
    pub const fn is_chosen(self) -> bool {
        matches!(self, DayMatch::EveryDay | DayMatch::DaysClause(_))
    }
}

impl DayRules {
    /// No clauses: every day is chosen.
    pub const EVERY_DAY: DayRules = DayRules { clauses: None };

    /// Begins rules; clauses follow by [`days`](DayRulesBuilder::days) and [`nodays`](DayRulesBuilder::nodays).
    ///
    /// ```
    /// use kron_core::days::{DayRules, Days};
    /// let rules = DayRules::new().days(Days::last(1)).build()?;
    /// assert_eq!(rules, "@days(last=1)".parse()?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[expect(clippy::new_ret_no_self, reason = "as `Constraints::new`: what takes rules takes the builder")]
    pub fn new() -> DayRulesBuilder {
        DayRulesBuilder::default()
    }

    /// Rules with these clauses, in this order.
    ///
    /// # Errors
    ///
    /// [`ConstraintTooLong`](crate::ErrorCode::ConstraintTooLong) for more than 128 clauses of a kind;
    /// [`CalendarRepeated`](crate::ErrorCode::CalendarRepeated) if clauses have different calendars of one name.
    ///
    /// ```
    /// use kron_core::days::DayRules;
    /// let rules = DayRules::from_clauses(vec!["workday=1".parse()?], vec!["months=8".parse()?])?;
    /// assert_eq!(rules.to_string(), "@days(workday=1) @nodays(months=8)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn from_clauses(days: Vec<Days>, nodays: Vec<Days>) -> Result<DayRules, Error> {
        check_numbers([("days", days.len()), ("nodays", nodays.len())])?;
        let count = days.len();
        let mut all = days;
        all.extend(nodays);
        check_calendars("days", &all.iter().flat_map(Days::calendars).collect::<Vec<_>>())?;
        Ok(DayRules { clauses: (!all.is_empty()).then(|| Arc::new(Clauses { all, days: count })) })
    }

    /// The clauses of which at least one must match, if there are any.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @days(last=1) @days(dow=MON;dom=1-7)")?;
    /// let days: Vec<String> = spec.days().days().iter().map(ToString::to_string).collect();
    /// assert_eq!(days, ["last=1", "dow=1;dom=1-7"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn days(&self) -> &[Days] {
        self.clauses.as_ref().map_or(&[], |clauses| &clauses.all[..clauses.days])
    }

    /// The clauses that must not match.
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @nodays(months=8;date=2026-12-25)")?;
    /// assert_eq!(spec.days().nodays().len(), 2);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn nodays(&self) -> &[Days] {
        self.clauses.as_ref().map_or(&[], |clauses| &clauses.all[clauses.days..])
    }

    /// Whether there are no clauses, so that every day is chosen.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.clauses.is_none()
    }

    /// The calendars that the clauses name, each once, in order of their names.
    ///
    /// ```
    /// use kron_core::{Calendars, Parser};
    /// let parser = Parser::new().with_calendars(Calendars::parse("de = 2026-12-25")?);
    /// let spec = parser.spec("@daily @days(workday=1;holidays=de) @nodays(calendar=de)")?;
    /// assert_eq!(spec.days().calendars().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calendars(&self) -> Vec<&Calendar> {
        by_name(self.days().iter().chain(self.nodays()).flat_map(Days::calendars))
    }

    /// The verdict on the civil date of a civil second, counted from 1970-01-01T00:00 on a clock without zone.
    ///
    /// ```
    /// use kron_core::days::{DayMatch, DayRules};
    /// let rules: DayRules = "@days(dow=THU) @days(dow=FRI) @nodays(dom=2)".parse()?;
    /// assert_eq!(rules.judge(0), DayMatch::DaysClause(0)); // 1 January 1970, a Thursday
    /// assert_eq!(rules.judge(86_400), DayMatch::NodaysClause(0));
    /// assert_eq!(rules.judge(2 * 86_400), DayMatch::NoDaysClause);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn judge(&self, civil: i64) -> DayMatch {
        // Beyond the years 0 to 9999, which dates of clauses have, the days of 400 years stand for those of all others.
        const CYCLE: i64 = 146_097;
        let day = civil.div_euclid(crate::time::civil::DAY);
        let day = if day.abs() > 21 * CYCLE { day.rem_euclid(CYCLE) } else { day };
        let month = CalendarMonth::of(day);
        let has = |clause: &Days| clause.of_month(month) >> (day - month.start) & 1 == 1;
        if let Some(index) = self.nodays().iter().position(has) {
            return DayMatch::NodaysClause(index);
        }
        match self.days() {
            [] => DayMatch::EveryDay,
            days => days.iter().position(has).map_or(DayMatch::NoDaysClause, DayMatch::DaysClause),
        }
    }

    /// The days of a month that the rules choose, bits 1 to 31.
    pub(crate) fn of_month(&self, month: CalendarMonth) -> u32 {
        let union = |clauses: &[Days]| {
            let mut days = 0;
            for clause in clauses {
                days |= clause.of_month(month);
                if days == month.all() {
                    break;
                }
            }
            days
        };
        let chosen = if self.days().is_empty() { month.all() } else { union(self.days()) };
        if chosen == 0 { 0 } else { chosen & !union(self.nodays()) }
    }
}

/// Collects clauses of [`DayRules`]; [`build`](DayRulesBuilder::build) checks them.
/// [`JobSpecBuilder::days`](crate::job::JobSpecBuilder::days) takes the builder.
#[derive(Clone, Debug, Default)]
pub struct DayRulesBuilder {
    days: Vec<Days>,
    nodays: Vec<Days>,
    error: Option<Error>,
}

impl DayRulesBuilder {
    /// Adds a clause of which at least one must match: [`Days`], their builder, or the text of a clause.
    ///
    /// ```
    /// use kron_core::days::{DayRules, Days};
    /// let rules = DayRules::new().days(Days::last(1)).days("dom=15;roll=previous").build()?;
    /// assert_eq!(rules.to_string(), "@days(last=1) @days(dom=15;roll=previous)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn days<C>(mut self, clause: C) -> DayRulesBuilder
    where
        C: TryInto<Days>,
        Error: From<C::Error>,
    {
        add_clause(&mut self.days, &mut self.error, clause);
        self
    }

    /// Adds a clause that must not match: [`Days`], their builder, or the text of a clause.
    ///
    /// ```
    /// use kron_core::days::{DayRules, Days};
    /// let rules = DayRules::new().nodays(Days::months(8)).build()?;
    /// assert_eq!(rules.to_string(), "@nodays(months=8)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn nodays<C>(mut self, clause: C) -> DayRulesBuilder
    where
        C: TryInto<Days>,
        Error: From<C::Error>,
    {
        add_clause(&mut self.nodays, &mut self.error, clause);
        self
    }

    /// The rules.
    ///
    /// # Errors
    ///
    /// That of the first bad clause, or those of [`DayRules::from_clauses`].
    ///
    /// ```
    /// use kron_core::days::{DayRules, Days};
    /// let error = DayRules::new().days(Days::last(32)).build().unwrap_err();
    /// assert_eq!(error.to_string(), "last: `32` at column 1 is not in 1 to 31");
    /// ```
    pub fn build(self) -> Result<DayRules, Error> {
        match self.error {
            Some(error) => Err(error),
            None => DayRules::from_clauses(self.days, self.nodays),
        }
    }
}
