//! Times of a schedule as sets of minutes, hours and days, and what they are in Kron.
//!
//! A field may be random: another program chooses one of its values by a hash or at random, once. Kron chooses a second of a
//! window instead, by a hash of the name, and keeps it: the frequency is the same, the minute is another.

use kron_core::cron::CronField;
use kron_core::{Cron, Finding};

use crate::convert::days::{DayClause, Years, in_kron};
use crate::convert::sets::{bits, bounds, highest, list};
use crate::error::convert::times as messages;
use crate::limits::UNITED_CLAUSES;

const MINUTE: u64 = 60;
const HOUR: u64 = 3600;
const DAY: u64 = 86_400;

/// The values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Values {
    /// All values whose bits are set.
    Set(u64),
    /// One value of a range; with a step, one offset below the step.
    Random { from: u32, to: u32, step: Option<u32> },
}

/// How the two day fields decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Days {
    /// A day matches both.
    Both,
    /// A day matches one of them.
    Either,
}

/// The times of one schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Times {
    pub(crate) minute: Values,
    pub(crate) hour: Values,
    pub(crate) day_of_month: Values,
    pub(crate) month: Values,
    pub(crate) day_of_week: Values,
    pub(crate) days: Days,
    /// Days from the end of the month, which a day must match, too. All values if any day does.
    pub(crate) last: u64,
    /// Further days. They have no parts of workdays, and no field is random.
    pub(crate) more: Vec<DayClause>,
    pub(crate) years: Years,
}

/// The same in Kron.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KronTimes {
    pub(crate) cron: String,
    /// The length of the window in seconds, where a field is random.
    pub(crate) window: Option<u64>,
    /// Clauses of which the day must match one, if there are any.
    pub(crate) days: Vec<String>,
    /// A clause that the start must match.
    pub(crate) only: Option<String>,
}

impl Times {
    pub(crate) fn of(fields: [Values; 5], days: Days) -> Times {
        let [minute, hour, day_of_month, month, day_of_week] = fields;
        let last = CronField::DayOfMonth.all_values();
        let more = Vec::new();
        Times { minute, hour, day_of_month, month, day_of_week, days, last, more, years: Years::ANY }
    }

    /// The times of an expression of Kron.
    pub(crate) fn of_cron(cron: &Cron) -> Times {
        let fields = CronField::ALL.map(|field| Values::Set(cron.values(field)));
        let both_restricted = cron.restricts(CronField::DayOfMonth) && cron.restricts(CronField::DayOfWeek);
        Times::of(fields, if both_restricted { Days::Either } else { Days::Both })
    }

    /// The same times in Kron.
    pub(crate) fn in_kron(&self) -> Result<KronTimes, Finding> {
        let days = [self.day_of_month, self.month, self.day_of_week];
        if days.iter().any(|field| matches!(field, Values::Random { .. })) {
            return self.random_day();
        }
        let (minutes, minute_span) = match self.minute {
            Values::Set(bits) => (bits, None),
            Values::Random { from, to, step } => {
                let (bits, span) = random(from, to, step);
                (bits, Some(span * MINUTE - 1))
            }
        };
        let (hours, span) = match self.hour {
            Values::Set(bits) => (bits, minute_span),
            Values::Random { from, to, step } => {
                if let Values::Random { from: first, to: last, step: None } = self.minute
                    && (first, last) != bounds(CronField::Minute)
                {
                    return Err(messages::random_hour_of_some_minutes());
                }
                let (bits, span) = random(from, to, step);
                (bits, Some((span - 1) * HOUR + minute_span.unwrap_or(0)))
            }
        };
        let (Values::Set(dom), Values::Set(month), Values::Set(dow)) =
            (self.day_of_month, self.month, self.day_of_week)
        else {
            return self.random_day();
        };
        kron_times([minutes, hours, month], &self.clauses(dom, dow), &self.years, span)
    }

    /// Fields that are random with a step which does not divide their range: the step, and how many values there are at least
    /// and at most.
    pub(crate) fn uneven(&self) -> Vec<(CronField, u32, u32, u32)> {
        let fields = [(CronField::Minute, self.minute), (CronField::Hour, self.hour)];
        let uneven = fields.into_iter().filter_map(|(part, field)| match field {
            Values::Random { from, to, step: Some(step) } => {
                let count = to - from + 1;
                let most = count.div_ceil(step);
                (!count.is_multiple_of(step)).then_some((part, step, most - 1, most))
            }
            _ => None,
        });
        uneven.collect()
    }

    /// The days: one of the clauses must match.
    fn clauses(&self, dom: u64, dow: u64) -> Vec<DayClause> {
        let mut clauses = match self.days {
            Days::Both => {
                vec![DayClause { days_of_week: dow, days_of_month: dom, last: self.last, workday: None }]
            }
            Days::Either => vec![DayClause::of_month(dom), DayClause::of_week(dow)],
        };
        clauses.extend_from_slice(&self.more);
        clauses
    }

    /// One day of several, at any minute of its hours.
    fn random_day(&self) -> Result<KronTimes, Finding> {
        let whole = Values::Random { from: 0, to: 59, step: None };
        if self.minute != whole {
            return Err(messages::random_day_of_some_minutes());
        }
        let (first_hour, last_hour) = match self.hour {
            Values::Random { from, to, step: None } => (from, to),
            Values::Set(bits) if bits.count_ones() == 1 => (highest(bits), highest(bits)),
            _ => return Err(messages::random_day_of_several_hours()),
        };
        let hours = u64::from(last_hour - first_hour + 1) * HOUR - 1;
        let only = match (first_hour, last_hour) {
            (0, 23) => None,
            (first, last) if first == last => Some(format!("hours={first}")),
            (first, last) => Some(format!("hours={first}-{last}")),
        };
        let (all_dom, all_month, all_dow) = (
            CronField::DayOfMonth.all_values(),
            CronField::Month.all_values(),
            CronField::DayOfWeek.all_values(),
        );
        let (dom, month, dow, days) = match (self.day_of_month, self.month, self.day_of_week) {
            (Values::Set(dom), Values::Set(month), Values::Random { from, to, step: None })
                if dom == all_dom && month == all_month =>
            {
                (dom, month, 1 << from, u64::from(to - from))
            }
            (Values::Random { from, to, step: None }, Values::Set(month), Values::Set(dow))
                if dow == all_dow =>
            {
                (1 << from, month, dow, u64::from(to - from))
            }
            (
                Values::Random { from, to, step: None },
                Values::Random { from: first, to: last, step: None },
                Values::Set(dow),
            ) if dow == all_dow => {
                // In the years without 29 February; in the others the window ends a day earlier.
                let start = |month: u32| (1..month).map(length_of_month).sum::<u64>();
                (1 << from, 1 << first, dow, start(last) + u64::from(to) - start(first) - u64::from(from))
            }
            _ => return Err(messages::random_days_apart()),
        };
        let cron = cron([1, 1 << first_hour, dom, month, dow]);
        Ok(KronTimes { cron, window: Some(days * DAY + hours), days: Vec::new(), only })
    }
}

/// The first values of a random field and how many values follow each. If the step does not divide the range, the offsets
/// are those with which there is one more value.
fn random(from: u32, to: u32, step: Option<u32>) -> (u64, u64) {
    let count = to - from + 1;
    match step {
        None => (1 << from, u64::from(count)),
        Some(step) => {
            let span = if count.is_multiple_of(step) { step } else { count % step };
            (bits(from, to + 1 - span, step), u64::from(span))
        }
    }
}

fn length_of_month(month: u32) -> u64 {
    match month {
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Minutes, hours and months, on the days of one of the clauses, with a window of `window` seconds.
pub(crate) fn kron_times(
    [minutes, hours, months]: [u64; 3],
    clauses: &[DayClause],
    years: &Years,
    window: Option<u64>,
) -> Result<KronTimes, Finding> {
    let days = in_kron(clauses, years)?;
    let cron = cron([minutes, hours, days.days_of_month, months, days.days_of_week]);
    Ok(KronTimes { cron, window, days: days.clauses, only: None })
}

/// A cron expression of sets, in Kron's canonical form.
fn cron(sets: [u64; 5]) -> String {
    let fields: Vec<String> =
        CronField::ALL.into_iter().zip(sets).map(|(field, set)| list(field, set)).collect();
    let text = fields.join(" ");
    // What is too long or never matches is refused later, with the reason.
    Cron::parse(&text).map_or(text, |cron| cron.to_string())
}

impl Times {
    /// The times of two schedules as one, if one expression and its clauses of days can say them. No field is random.
    pub(crate) fn union(&self, other: &Times) -> Option<Times> {
        let set = |field| if let Values::Set(bits) = field { Some(bits) } else { None };
        let times = |times: &Times| Some([set(times.minute)?, set(times.hour)?, set(times.month)?]);
        let (one, two) = (times(self)?, times(other)?);
        let within = |one: [u64; 3], two: [u64; 3]| one.iter().zip(two).all(|(one, two)| one & !two == 0);
        if self.years != other.years || !within(one, two) && !within(two, one) {
            return None;
        }
        let days = |times: &Times| Some(times.clauses(set(times.day_of_month)?, set(times.day_of_week)?));
        let (mut days, other_days) = (days(self)?, days(other)?);
        let contain = |all: &[DayClause], some: &[DayClause]| {
            some.iter().all(|clause| all.iter().any(|other| other.contains(clause)))
        };
        if within(two, one) && contain(&days, &other_days) {
            return Some(self.clone());
        }
        if within(one, two) && contain(&other_days, &days) {
            return Some(other.clone());
        }
        if one != two || days.len() + other_days.len() > UNITED_CLAUSES {
            return None;
        }
        other_days.into_iter().for_each(|clause| DayClause::add(&mut days, clause));
        let more = days.split_off(1);
        let first = days.pop()?;
        Some(Times {
            day_of_month: Values::Set(first.days_of_month),
            day_of_week: Values::Set(first.days_of_week),
            days: Days::Both,
            last: first.last,
            more,
            ..self.clone()
        })
    }
}

/// Whether two schedules can have a time in common.
pub(crate) fn overlap(one: &Times, other: &Times) -> bool {
    let values = |values: Values| match values {
        Values::Set(bits) => bits,
        Values::Random { from, to, .. } => bits(from, to, 1),
    };
    let common = |one: Values, other: Values| values(one) & values(other) != 0;
    // A random day can be day 7, which is Sunday, day 0.
    let week = |field: Values| (values(field) | values(field) >> 7) & CronField::DayOfWeek.all_values();
    let clauses = |times: &Times| times.clauses(values(times.day_of_month), week(times.day_of_week));
    let (one_days, other_days) = (clauses(one), clauses(other));
    common(one.minute, other.minute)
        && common(one.hour, other.hour)
        && common(one.month, other.month)
        && one.years.overlap(&other.years)
        && one_days.iter().any(|day| other_days.iter().any(|other| day.overlaps(other)))
}
