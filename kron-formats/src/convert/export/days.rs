//! Rules of days as dates of calendars of systemd.

use kron_core::cron::CronField;
use kron_core::days::{DayRules, Days, DaysPart};
use kron_core::{Cron, Finding};

use crate::convert::days::Years;
use crate::convert::sets::{bits, highest, list};
use crate::error::convert::export as messages;
use crate::limits::EXPORTED_CALENDARS;

const ALL_MONTHS: u64 = CronField::Month.all_values();
const ALL_DAYS: u64 = CronField::DayOfMonth.all_values();
const ALL_WEEKDAYS: u64 = CronField::DayOfWeek.all_values();
/// How many days from the end of a month systemd has.
const LAST_DAYS: u32 = 28;
const WEEK: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// The weekdays and the date of one line `OnCalendar=`: days that match all parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dates {
    years: Option<(u32, u32)>,
    months: u64,
    days: u64,
    /// Days from the end of the month, 1 is the last one. All values if any day matches.
    last: u64,
    weekdays: u64,
}

impl Dates {
    const ALL: Dates =
        Dates { years: None, months: ALL_MONTHS, days: ALL_DAYS, last: ALL_DAYS, weekdays: ALL_WEEKDAYS };

    /// The days of an expression and of rules: a timer elapses once where several lines match.
    pub(super) fn of(cron: &Cron, rules: &DayRules) -> Result<Vec<Dates>, Finding> {
        let [days, months, weekdays] =
            [CronField::DayOfMonth, CronField::Month, CronField::DayOfWeek].map(|field| cron.values(field));
        let both = Dates { months, days, weekdays, ..Dates::ALL };
        let mut dates = if cron.restricts(CronField::DayOfMonth) && cron.restricts(CronField::DayOfWeek) {
            vec![Dates { weekdays: ALL_WEEKDAYS, ..both.clone() }, Dates { days: ALL_DAYS, ..both }]
        } else {
            vec![both]
        };
        if !rules.days().is_empty() {
            let chosen = rules.days().iter().map(Dates::of_clause).collect::<Result<Vec<_>, _>>()?;
            dates = Dates::in_both(&dates, &chosen)?;
        }
        for clause in rules.nodays() {
            dates = Dates::in_both(&dates, &Dates::without_clause(clause)?)?;
        }
        let dates: Vec<Dates> = dates.iter().flat_map(Dates::without_lists_of_last_days).collect();
        match dates.len() {
            0 => Err(messages::no_day()),
            count if count > EXPORTED_CALENDARS => Err(messages::too_many_calendars(EXPORTED_CALENDARS)),
            _ => Ok(dates),
        }
    }

    /// The days of a clause.
    fn of_clause(clause: &Days) -> Result<Dates, Finding> {
        let mut dates = Dates::ALL;
        for (part, value) in clause.canonical() {
            let refused = || messages::days(&format!("{part}={value}"), &clause.to_string());
            let of_part = Dates::of_part(part, &value).ok_or_else(refused)?;
            dates = dates.and(&of_part)?.unwrap_or(Dates { days: 0, ..Dates::ALL });
        }
        Ok(dates)
    }

    /// The days that do not match one part or another.
    fn without_clause(clause: &Days) -> Result<Vec<Dates>, Finding> {
        let without = |(part, value): (DaysPart, String)| {
            let refused = || messages::days(&format!("{part}={value}"), &format!("@nodays({clause})"));
            let of_part = Dates::of_part(part, &value).ok_or_else(refused)?;
            let Dates { months, days, weekdays, .. } = of_part;
            match part {
                DaysPart::Months => Ok(Dates { months: ALL_MONTHS & !months, ..Dates::ALL }),
                DaysPart::DayOfMonth => Ok(Dates { days: ALL_DAYS & !days, ..Dates::ALL }),
                DaysPart::DayOfWeek => Ok(Dates { weekdays: ALL_WEEKDAYS & !weekdays, ..Dates::ALL }),
                _ => Err(refused()),
            }
        };
        clause.canonical().map(without).collect()
    }

    /// The days of a part; `None` if no calendar of systemd has them.
    fn of_part(part: DaysPart, value: &str) -> Option<Dates> {
        match part {
            DaysPart::DayOfWeek => Some(Dates { weekdays: set(CronField::DayOfWeek, value)?, ..Dates::ALL }),
            DaysPart::DayOfMonth => Some(Dates { days: set(CronField::DayOfMonth, value)?, ..Dates::ALL }),
            DaysPart::Months => Some(Dates { months: set(CronField::Month, value)?, ..Dates::ALL }),
            DaysPart::Last => {
                let last = set(CronField::DayOfMonth, value)?;
                (last >> (LAST_DAYS + 1) == 0).then_some(Dates { last, ..Dates::ALL })
            }
            DaysPart::Date => {
                let (year, month, day) = date(value)?;
                if !(Years::RANGE.0..=Years::RANGE.1).contains(&year) {
                    return None;
                }
                Some(Dates { years: Some((year, year)), months: 1 << month, days: 1 << day, ..Dates::ALL })
            }
            DaysPart::Dates => {
                let (first, last) = value.split_once("..")?;
                let ((from, 1, 1), (to, 12, 31)) = (date(first)?, date(last)?) else { return None };
                // Beyond these years, there are no starts.
                let years = (from.max(Years::RANGE.0), to.min(Years::RANGE.1));
                Some(Dates { years: Some(years), ..Dates::ALL })
            }
            DaysPart::Calendar
            | DaysPart::Workday
            | DaysPart::LastWorkday
            | DaysPart::Near
            | DaysPart::Every
            | DaysPart::From
            | DaysPart::Roll
            | DaysPart::Week
            | DaysPart::Holidays => None,
        }
    }

    /// The days of one of the first and of one of the second.
    fn in_both(first: &[Dates], second: &[Dates]) -> Result<Vec<Dates>, Finding> {
        let mut dates: Vec<Dates> = Vec::new();
        for (one, other) in first.iter().flat_map(|one| second.iter().map(move |other| (one, other))) {
            match one.and(other)? {
                Some(both) if !dates.contains(&both) => dates.push(both),
                _ => {}
            }
            // So that the work stays bounded.
            if dates.len() > EXPORTED_CALENDARS {
                return Err(messages::too_many_calendars(EXPORTED_CALENDARS));
            }
        }
        Ok(dates)
    }

    /// The days of both; `None` if there are none.
    fn and(&self, other: &Dates) -> Result<Option<Dates>, Finding> {
        let years = match (self.years, other.years) {
            (Some(one), Some(other)) => Some((one.0.max(other.0), one.1.min(other.1))),
            (one, other) => one.or(other),
        };
        let both = Dates {
            years,
            months: self.months & other.months,
            days: self.days & other.days,
            last: self.last & other.last,
            weekdays: self.weekdays & other.weekdays,
        };
        let is_empty = [both.months, both.days, both.last, both.weekdays].contains(&0)
            || years.is_some_and(|(first, last)| first > last);
        if !is_empty && both.days != ALL_DAYS && both.last != ALL_DAYS {
            return Err(messages::both_ends());
        }
        Ok((!is_empty).then_some(both))
    }

    /// The same days without lists after `~`: systemd refuses some of them, such as `~1,28`.
    fn without_lists_of_last_days(&self) -> Vec<Dates> {
        let mut rest = self.last;
        let mut dates = Vec::new();
        while rest != 0 {
            let first = rest.trailing_zeros();
            let run = bits(first, first + (rest >> first).trailing_ones() - 1, 1);
            dates.push(Dates { last: run, ..self.clone() });
            rest &= !run;
        }
        dates
    }

    /// What stands before the time.
    pub(super) fn text(&self) -> String {
        let week =
            (1..=7).map(|day| day % 7).filter(|day| self.weekdays >> day & 1 == 1).map(|day| WEEK[day]);
        let week = match self.weekdays {
            ALL_WEEKDAYS => String::new(),
            _ => week.collect::<Vec<_>>().join(",") + " ",
        };
        let years = match self.years {
            None => "*".to_string(),
            Some((first, last)) if first == last => format!("{first:04}"),
            Some((first, last)) => format!("{first:04}..{last:04}"),
        };
        let day = match self.last {
            ALL_DAYS => format!("-{}", values(CronField::DayOfMonth, self.days)),
            last if last.is_power_of_two() => format!("~{}", last.trailing_zeros()),
            last => format!("~{}..{}", last.trailing_zeros(), highest(last)),
        };
        format!("{week}{years}-{}{day}", values(CronField::Month, self.months))
    }
}

/// The values of a set as systemd writes lists.
pub(super) fn values(field: CronField, set: u64) -> String {
    list(field, set).replace('-', "..")
}

/// The values of a canonical list, in which a range can go on at the lowest value.
fn set(field: CronField, text: &str) -> Option<u64> {
    let range = field.range();
    let (low, high) = (u32::from(*range.start()), u32::from(*range.end()));
    text.split(',').try_fold(0, |set, item| {
        let (from, to) = item.split_once('-').unwrap_or((item, item));
        let (from, to) = (from.parse().ok()?, to.parse().ok()?);
        let values = if from <= to { bits(from, to, 1) } else { bits(from, high, 1) | bits(low, to, 1) };
        Some(set | values)
    })
}

/// Year, month and day.
fn date(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.splitn(3, '-').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}
