//! Primed schedules: the cron expressions that fire a lead before another one.
//!
//! Moving a schedule back by whole minutes moves its minutes and hours, and the times at the beginning of a day into
//! the day before. Minutes and hours are sets and move as such. `day_sets.rs` finds out whether day fields can name the
//! days that result. `blocks.rs` and `set_cover.rs` find the fewest expressions, `lead_changes.rs` the days on which a
//! change of the clocks makes the lead longer or shorter. `answer.rs` is all of it as the command prints it.

mod answer;
mod blocks;
mod day_sets;
mod lead_changes;
mod set_cover;
mod shortest;
mod value_set;

use std::collections::BTreeMap;
use std::fmt;

use kron_core::cron::CronField;
use kron_core::error::Snippet;
use kron_core::{Cron, Duration, Error, Job, JobSpec, Zone};
use kron_fleet::HumanLength;

use crate::error::PrimeError;
use crate::limits::{LEAD_MAX_MINUTES, LEAD_MIN_MINUTES};

use blocks::{Block, MinuteGroup, Times, WEEK_AT};
use day_sets::{BreakingDays, ShiftedDays, WEEK, existing_days};
use shortest::shortest;
use value_set::values;

pub use answer::{PrimeAnswer, PrimeObject};
pub use lead_changes::{LeadChange, LeadChangeKind, lead_changes};
pub use shortest::shortest_text;

const DAY_MINUTES: i64 = 1440;
/// 2000-01-01T00:00:00Z.
const YEAR_2000: i64 = 946_684_800;

/// The cron expressions that fire a lead before another one. Made by [`Prime`].
///
/// [`Display`](fmt::Display) writes one expression a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimedSchedule {
    expressions: Vec<Cron>,
    /// The text of the expressions.
    texts: Vec<String>,
    minimal: bool,
    surplus: u64,
}

impl PrimedSchedule {
    /// The expressions, by their first firing from 2000-01-01 on, then by text. A time can be in two of them if the
    /// least number of expressions requires it.
    pub fn expressions(&self) -> &[Cron] {
        &self.expressions
    }

    /// The expressions in few characters; see [`shortest_text`].
    ///
    /// ```
    /// use kron_core::{Cron, Duration};
    /// use kron_formats::prime::Prime as _;
    /// let primed = Cron::parse("0 0 1 5 *")?.prime(Duration::parse("10m")?)?;
    /// assert_eq!(primed.texts().collect::<Vec<_>>(), ["50 23 30 4 *"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// Whether no smaller number of expressions fires at the same times. If the search ended at its limit of work, this
    /// is false; even then no expression can be left out, and no two can become one.
    pub const fn is_minimal(&self) -> bool {
        self.minimal
    }

    /// The number of times in the years 1970 to 2099 at which the expressions fire although the primed schedule does
    /// not. Zero unless the expressions are a cover.
    pub const fn surplus(&self) -> u64 {
        self.surplus
    }

    /// [`surplus`](PrimedSchedule::surplus) for each of the 130 years on average.
    ///
    /// ```
    /// use kron_core::{Cron, Duration};
    /// use kron_formats::prime::Prime as _;
    /// let cover = Cron::parse("0 0 1 3 *")?.prime_cover(Duration::parse("10m")?)?;
    /// assert_eq!(cover.to_string(), "50 23 28/1 2 *\n");
    /// // 28 February of the 32 leap years.
    /// assert_eq!(cover.surplus(), 32);
    /// assert_eq!(cover.surplus_per_year(), 32.0 / 130.0);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn surplus_per_year(&self) -> f64 {
        self.surplus as f64 / 130.0
    }
}

impl fmt::Display for PrimedSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts().try_for_each(|text| writeln!(f, "{text}"))
    }
}

/// What has primed schedules: a cron expression, and a job that starts at its cron times.
pub trait Prime {
    /// The expressions that fire `lead` before each start: their civil times are those of the schedule moved back, no more
    /// and no fewer, in the years 1970 to 2099. They are read in the job's zone.
    ///
    /// The lead is in whole minutes, from one minute to 31 days. The answer has the least number of expressions, unless
    /// [`PrimedSchedule::is_minimal`] says otherwise.
    ///
    /// # Errors
    ///
    /// [`PrimeImpossible`](kron_core::ErrorCode::PrimeImpossible) where no set of expressions exists, with the dates that show
    /// it: ten minutes before 1 March it is 28 or 29 February. [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) for any other
    /// lead. [`PrimeNotOnTime`](kron_core::ErrorCode::PrimeNotOnTime) if the job has a window or constraints, because its starts
    /// are then not the times of a cron expression.
    ///
    /// ```
    /// use kron_core::{Cron, Duration, ErrorCode, Job, JobSpec};
    /// use kron_formats::prime::Prime as _;
    /// let lead = Duration::parse("10m")?;
    /// assert_eq!(Cron::parse("0 9-17 * * MON-FRI")?.prime(lead)?.to_string(), "50 8-16 * * 1-5\n");
    /// assert_eq!(Cron::parse("*/20 0 * * MON")?.prime(lead)?.to_string(), "50 23 * * 0\n10,30 0 * * 1\n");
    /// let job = Job::parse("prod/report", "0 9-17 * * MON-FRI @tz(Europe/Paris)")?;
    /// assert_eq!(job.prime(lead)?.to_string(), "50 8-16 * * 1-5\n");
    ///
    /// let error = Cron::parse("0 0 1 3 *")?.prime(lead).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::PrimeImpossible);
    /// let error = JobSpec::parse("0 3 * * * @win(after,1h)")?.prime(lead).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::PrimeNotOnTime);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn prime(&self, lead: Duration) -> Result<PrimedSchedule, Error>;

    /// As [`prime`](Prime::prime), but where no set of expressions exists, the smallest set that is found of those that fire
    /// at all primed times; [`PrimedSchedule::surplus`] counts the other times at which they fire.
    ///
    /// # Errors
    ///
    /// Those of [`prime`](Prime::prime) but `PrimeImpossible`.
    ///
    /// ```
    /// use kron_core::{Cron, Duration, JobSpec};
    /// use kron_formats::prime::Prime as _;
    /// let cover = Cron::parse("0 0 * 3 *")?.prime_cover(Duration::parse("10m")?)?;
    /// assert_eq!(cover.to_string(), "50 23 28/1 2 *\n50 23 1-30 3 *\n");
    /// let cover = JobSpec::parse("0 0 1 * *")?.prime_cover(Duration::parse("15m")?)?;
    /// assert_eq!(cover.to_string(), "45 23 31 * *\n45 23 28/1 2 *\n45 23 30 4,6,9/2 *\n");
    /// assert_eq!(cover.surplus(), 32);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn prime_cover(&self, lead: Duration) -> Result<PrimedSchedule, Error>;
}

impl Prime for Cron {
    fn prime(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        let shifted = Shifted::new(self, lead)?;
        let days = |i: usize| shifted.days[i].exact().ok_or_else(|| impossible(self, lead, &shifted.days[i]));
        let days = [days(0)?, days(1)?];
        Ok(shifted.primed(days))
    }

    fn prime_cover(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        let shifted = Shifted::new(self, lead)?;
        let days = [0, 1].map(|i| shifted.days[i].exact().unwrap_or_else(|| shifted.days[i].cover()));
        let surplus = [0, 1].map(|i| {
            let times = |group: &MinuteGroup| group.minutes.count_ones() * group.hours[i].count_ones();
            u64::from(shifted.groups.iter().map(times).sum::<u32>()) * shifted.days[i].surplus(&days[i])
        });
        let surplus = surplus.iter().sum();
        Ok(PrimedSchedule { surplus, ..shifted.primed(days) })
    }
}

impl Prime for JobSpec<Cron> {
    fn prime(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        on_time(self)?.prime(lead)
    }

    fn prime_cover(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        on_time(self)?.prime_cover(lead)
    }
}

impl Prime for Job<Cron> {
    fn prime(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        self.spec().prime(lead)
    }

    fn prime_cover(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        self.spec().prime_cover(lead)
    }
}

/// The schedule of a job, unless its starts can differ from the nominal times.
fn on_time(spec: &JobSpec<Cron>) -> Result<Cron, Error> {
    let (field, has) = if !spec.window().duration().is_zero() {
        ("window", "a window")
    } else if !spec.days().is_empty() {
        ("days", PrimeError::RULES_OF_DAYS)
    } else if !spec.constraints().is_empty() {
        ("constraints", "constraints")
    } else {
        return Ok(*spec.schedule());
    };
    Err(Error::new(field, PrimeError::NotOnTime { has }))
}

/// A schedule moved back by a lead.
struct Shifted {
    groups: Vec<MinuteGroup>,
    /// The days of the times that stay in the day, and of those that move into the day before, each with the days of the
    /// lead. Empty where there are no such times.
    days: [ShiftedDays; 2],
}

/// Minutes of a lead, from one to 31 days.
fn lead_minutes(lead: Duration) -> Result<i64, Error> {
    const MINUTE: i64 = 60_000_000_000;
    let minutes = lead.as_nanos() / MINUTE;
    let in_bounds = (LEAD_MIN_MINUTES..=LEAD_MAX_MINUTES).contains(&minutes);
    if lead.as_nanos() % MINUTE != 0 || !in_bounds {
        return Err(Error::new("lead", PrimeError::Lead { lead: lead.to_string() }));
    }
    Ok(minutes)
}

impl Shifted {
    fn new(cron: &Cron, lead: Duration) -> Result<Shifted, Error> {
        let lead = lead_minutes(lead)?;
        let (lead_days, rest) = (lead / DAY_MINUTES, lead % DAY_MINUTES);
        let (lead_hours, lead_minutes) = ((rest / 60) as u32, (rest % 60) as u32);
        // Minutes from `lead_minutes` on stay in their hour, earlier ones move into the hour before.
        let from = u64::MAX << lead_minutes;
        let minutes = cron.values(CronField::Minute);
        let staying = (minutes & from) >> lead_minutes;
        let moving = (minutes & !from) << ((60 - lead_minutes) % 60);
        let hours_back = |hours: u32| {
            let from = u64::MAX << hours;
            let cron_hours = cron.values(CronField::Hour);
            // OK because hours have 24 bits, and those that move into the day before are below `hours`.
            [((cron_hours & from) >> hours) as u32, ((cron_hours & !from) << (24 - hours)) as u32]
        };
        let groups: Vec<MinuteGroup> = [(staying, lead_hours), (moving, lead_hours + 1)]
            .into_iter()
            .filter(|(minutes, _)| *minutes != 0)
            .map(|(minutes, hours)| MinuteGroup { minutes, hours: hours_back(hours) })
            .collect();
        // OK because a lead has at most 31 days.
        let shift = lead_days as u8;
        let days = [0, 1].map(|i| match groups.iter().all(|group| group.hours[usize::from(i)] == 0) {
            true => ShiftedDays::none(),
            false => ShiftedDays::new(cron, shift + i),
        });
        Ok(Shifted { groups, days })
    }

    /// The fewest expressions for these times on those days.
    fn primed(self, days: [day_sets::DaySet; 2]) -> PrimedSchedule {
        let times = Times { groups: self.groups, days };
        let found = times.blocks();
        let mut texts = FieldTexts::default();
        // A time in two blocks may be removed from either; the shorter answer is taken.
        let expressions = [false, true].map(|last_first| {
            let mut blocks = found.blocks.clone();
            let count = blocks.len();
            times.without_repetition(
                &mut blocks,
                (0..count).map(|i| if last_first { count - 1 - i } else { i }),
            );
            let mut expressions: Vec<(i64, String, Cron)> = blocks
                .iter()
                .map(|block| {
                    let text = block.to_text(&mut texts);
                    let Ok(cron) = Cron::parse(&text) else { unreachable!("`{text}` is an expression") };
                    let first = cron.in_zone(Zone::UTC).next_timestamp(YEAR_2000 - 1);
                    (first.unwrap_or(i64::MAX), text, cron)
                })
                .collect();
            expressions.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
            expressions
        });
        let length = |list: &[(i64, String, Cron)]| list.iter().map(|(_, text, _)| text.len()).sum::<usize>();
        let [first, second] = expressions;
        let expressions = if length(&second) < length(&first) { second } else { first };
        let (texts, expressions) = expressions.into_iter().map(|(_, text, cron)| (text, cron)).unzip();
        PrimedSchedule { expressions, texts, minimal: found.is_least, surplus: 0 }
    }
}

/// The error of days that no day fields name.
#[cold]
fn impossible(cron: &Cron, lead: Duration, days: &ShiftedDays) -> Error {
    let Some(BreakingDays { needed, same_day_of_month, same_day_of_week }) = days.breaking_days() else {
        unreachable!("days that day fields can name are not refused")
    };
    let (schedule, lead) = (Snippet::of(&cron.to_string()), HumanLength::of(lead).to_string());
    Error::new(
        "schedule",
        PrimeError::Impossible { schedule, lead, needed, same_day_of_month, same_day_of_week },
    )
}

/// The shortest texts of fields, each found once.
#[derive(Default)]
struct FieldTexts(BTreeMap<(CronField, u64, u64), String>);

impl FieldTexts {
    /// The shortest list that has the values of `must` and none beyond `may`.
    fn text(&mut self, field: CronField, must: u64, may: u64) -> &str {
        self.0.entry((field, must, may)).or_insert_with(|| shortest(field, must, may, true))
    }
}

impl Block {
    /// The expression of a block. Days that never come, such as 31 April, may be in it or not: the shortest text decides.
    fn to_text(self, texts: &mut FieldTexts) -> String {
        // OK because days of the month are the lower half, and days of the week the bits above.
        let (days_of_month, days_of_week) = (self.days as u32, (self.days >> WEEK_AT) as u8);
        let existing = |months: u64| {
            values(months).map(|month| existing_days(usize::from(month) - 1)).fold(0, |all, days| all | days)
        };
        let months = u64::from(self.months) << 1;
        let (minutes, hours) = (self.minutes, u64::from(self.hours));
        let mut text = String::from(texts.text(CronField::Minute, minutes, minutes));
        text.push(' ');
        text.push_str(texts.text(CronField::Hour, hours, hours));
        let days = if days_of_week == WEEK || existing(months) & !days_of_month == 0 {
            format!(" * {} *", texts.text(CronField::Month, months, months))
        } else if days_of_week != 0 {
            let of_week =
                String::from(texts.text(CronField::DayOfWeek, days_of_week.into(), days_of_week.into()));
            days_and_months(days_of_month, months, months, &of_week, texts)
        } else {
            // Months that have none of the days may be named as well.
            let absent = |month: &usize| existing_days(*month) & days_of_month == 0;
            let free: u64 = (0..12).filter(absent).map(|month| 2 << month).sum();
            days_and_months(days_of_month, months, months | free, "*", texts)
        };
        text.push_str(&days);
        text
    }
}

/// The last three fields. The months have all of `months` and none beyond `may`, and days of the month that no such month
/// has may be named.
fn days_and_months(days: u32, months: u64, may: u64, of_week: &str, texts: &mut FieldTexts) -> String {
    let existing =
        values(may).map(|month| existing_days(usize::from(month) - 1)).fold(0, |all, days| all | days);
    let needed = u64::from(days & existing);
    let days_may = needed | CronField::DayOfMonth.all_values() & !u64::from(existing);
    let mut text = String::from(" ");
    text.push_str(if needed == 0 { "*" } else { texts.text(CronField::DayOfMonth, needed, days_may) });
    text.push(' ');
    text.push_str(texts.text(CronField::Month, months, may));
    text.push(' ');
    text.push_str(of_week);
    text
}

#[cfg(test)]
mod tests;
