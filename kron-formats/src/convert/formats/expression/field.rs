//! Fields of expressions: lists of values, ranges and steps.

use std::collections::BTreeSet;

use kron_core::Finding;
use kron_core::cron::CronField;

use super::dialect::{Dialect, Weekdays};
use crate::convert::cron_field::number;
use crate::convert::days::Years;
use crate::error::convert::{expression as messages, times as wrong};

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl Dialect {
    /// The values of a field without `L`, `W` and `#`, with Sunday as 0.
    pub(super) fn values(&self, field: CronField, text: &str) -> Result<u64, Finding> {
        text.split(',').try_fold(0, |set, item| Ok(set | self.item(field, item)?))
    }

    /// The values of an item.
    pub(super) fn item(&self, field: CronField, item: &str) -> Result<u64, Finding> {
        let scale = self.scale(field);
        let (range, step) = match item.split_once('/') {
            None => (item, None),
            Some((range, step)) => {
                let step = number(step).filter(|step| *step > 0);
                let most = scale.high - scale.low + 1;
                (range, Some(step.ok_or_else(|| wrong::wrong_step(field, item, most))?))
            }
        };
        if step.is_some() && !self.steps_of_names && range.contains(|c: char| c.is_ascii_alphabetic()) {
            return Err(messages::step_of_names(field, item));
        }
        let (from, mut to) = match range.split_once('-') {
            _ if range == "*" => (scale.low, scale.high),
            Some((from, to)) => (self.value(field, from, item)?, self.value(field, to, item)?),
            None => {
                let value = self.value(field, range, item)?;
                match step {
                    // Spring goes on to the last number that it reads, which is another Sunday.
                    Some(_) if self.open_step => (value, scale.high),
                    Some(step) => return Err(messages::open_step(field, item, range, scale.high, step)),
                    None => (value, value),
                }
            }
        };
        let is_weekday = field == CronField::DayOfWeek;
        // At the beginning of a range, this Sunday is 0.
        let from = if is_weekday && self.weekdays == Weekdays::FromMonday1 && from == 7 && to < 7 {
            0
        } else {
            from
        };
        if to < from {
            let wrapped = self.weekdays == Weekdays::FromSunday0 && is_weekday && to == 0;
            if !self.wraps && !wrapped {
                return Err(messages::backwards(field, item));
            }
            to += scale.high - scale.low + 1;
        }
        let step = step.unwrap_or(1) as usize;
        Ok((from..=to).step_by(step).fold(0, |set, value| set | 1 << self.bit(field, value)))
    }

    /// A number or a name, as the program counts.
    fn value(&self, field: CronField, text: &str, item: &str) -> Result<u32, Finding> {
        let scale = self.scale(field);
        let read = number(text).filter(|value| (scale.least..=scale.most).contains(value));
        let named = |names: &[&str]| names.iter().position(|name| self.is_name(name, text));
        let value = match field {
            CronField::Month => read.or_else(|| named(&MONTHS).map(|index| index as u32 + 1)),
            CronField::DayOfWeek => {
                read.or_else(|| named(&DAYS).map(|index| self.weekdays.number(index as u32)))
            }
            CronField::Minute | CronField::Hour | CronField::DayOfMonth => read,
        };
        value.ok_or_else(|| match field {
            CronField::DayOfWeek => messages::weekday(item, self.weekdays.range()),
            _ => wrong::wrong(field, item),
        })
    }

    /// Whether a text is the short form of a name, or where they are read the whole name.
    fn is_name(&self, name: &str, text: &str) -> bool {
        // OK because names are ASCII.
        name[..name.len().min(3)].eq_ignore_ascii_case(text)
            || self.long_names && name.eq_ignore_ascii_case(text)
    }

    /// The bit of a value, which may be beyond the highest one.
    fn bit(&self, field: CronField, value: u32) -> u32 {
        let scale = self.scale(field);
        match field {
            CronField::DayOfWeek => self.weekdays.day(value),
            _ if value > scale.high => value - (scale.high - scale.low + 1),
            _ => value,
        }
    }

    /// The days of the week of a value or a range, which has no step.
    pub(super) fn weekdays(&self, text: &str, item: &str) -> Result<u64, Finding> {
        if matches!(text, "" | "*") || text.contains('/') || text.contains('-') && !self.ranges_of_nth {
            return Err(messages::weekday(item, self.weekdays.range()));
        }
        self.item(CronField::DayOfWeek, text)
    }

    /// The years of a list of values, ranges and steps.
    pub(super) fn years(&self, text: &str) -> Result<Years, Finding> {
        if text == "*" {
            return Ok(Years::ANY);
        }
        let (first, last) = Years::RANGE;
        let wrong = || messages::year(text);
        let value = |text: &str| number(text).filter(|year| (1..=9999).contains(year)).ok_or_else(wrong);
        let mut all = BTreeSet::new();
        for item in text.split(',') {
            let (range, step) = match item.split_once('/') {
                None => (item, None),
                Some((range, step)) => {
                    (range, Some(number(step).filter(|step| (1..=9999).contains(step)).ok_or_else(wrong)?))
                }
            };
            let (from, to) = match range.split_once('-') {
                _ if range == "*" => {
                    (self.first_year.ok_or_else(|| messages::step_of_any_year(text, first, last))?, last)
                }
                Some((from, to)) => (value(from)?, value(to)?),
                None if step.is_some() => (value(range)?, last),
                None => (value(range)?, value(range)?),
            };
            if to < from {
                return Err(wrong());
            }
            let step = step.unwrap_or(1);
            // The steps count from the first year of the range, which may be before all years of Kron.
            let start = if from < first { from + (first - from).div_ceil(step) * step } else { from };
            all.extend((start..=to.min(last)).step_by(step as usize));
        }
        if all.is_empty() { Err(messages::no_year(text, Years::RANGE)) } else { Ok(Years::of(all)) }
    }
}
