//! The expressions of placed schedules. Every cron reads them alike: a changed field has no `n/s`, no `*/s` and no 7.

use alloc::format;
use alloc::string::{String, ToString};

use crate::cron::{Cron, CronField, macro_meaning};
use crate::time::calendar_field::values;
use crate::time::civil::DAY_MINUTES;

/// The five fields of a declared expression as they are written, and their times of day.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    /// Joined by one blank.
    text: String,
    /// As it was written.
    declared: String,
    minutes: u64,
    hours: u64,
}

impl Fields {
    pub(super) fn new(expression: &str, cron: Cron) -> Fields {
        let mut text = String::new();
        let expanded = macro_meaning(expression.trim_matches([' ', '\t'])).unwrap_or(expression);
        for field in expanded.split([' ', '\t']).filter(|field| !field.is_empty()) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(field);
        }
        Fields {
            text,
            declared: expression.to_string(),
            minutes: cron.values(CronField::Minute),
            hours: cron.values(CronField::Hour),
        }
    }

    /// The times of day in minutes, ascending.
    pub(super) fn times(&self) -> impl Iterator<Item = i64> {
        let minutes = self.minutes;
        values(self.hours)
            .flat_map(move |hour| values(minutes).map(move |minute| i64::from(hour) * 60 + i64::from(minute)))
    }

    /// Whether all three day fields are `*` or `?`, so that a time may leave its day.
    pub(super) fn any_day(&self) -> bool {
        self.text.split(' ').skip(2).all(|field| matches!(field, "*" | "?"))
    }

    /// Whether the hour field is `*`.
    pub(super) fn any_hour(&self) -> bool {
        self.text.split(' ').nth(1) == Some("*")
    }

    /// The sets of minutes and hours with a shift, if the shifted times are all pairs of the two.
    pub(super) fn shifted(&self, shift: i64) -> Option<(u64, u64)> {
        let (mut minutes, mut hours, mut count) = (0u64, 0u64, 0);
        for time in self.times() {
            let time = (time + shift).rem_euclid(DAY_MINUTES);
            minutes |= 1 << (time % 60);
            hours |= 1 << (time / 60);
            count += 1;
        }
        (minutes.count_ones() * hours.count_ones() == count).then_some((minutes, hours))
    }

    /// The expression with a shift.
    pub(super) fn expression(&self, shift: i64) -> String {
        let Some((minutes, hours)) = self.shifted(shift).filter(|_| shift != 0) else {
            return self.declared.clone();
        };
        let mut fields = self.text.splitn(3, ' ');
        let (minute, hour) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let minute = field(minute, self.minutes, minutes);
        let hour = field(hour, self.hours, hours);
        format!("{minute} {hour} {}", fields.next().unwrap_or_default())
    }
}

/// A field with another set of values.
fn field(declared: &str, old: u64, new: u64) -> String {
    if old == new {
        return declared.to_string();
    }
    let (first, last) = (new.trailing_zeros(), 63 - new.leading_zeros());
    if first == last {
        return first.to_string();
    }
    let step = values(new & (new - 1)).next().map_or(1, |second| u32::from(second) - first);
    let even = values(new).zip(values(new).skip(1)).all(|(a, b)| u32::from(b - a) == step);
    if !even || !declared.contains(['-', '/']) {
        return values(new).map(|value| value.to_string()).collect::<alloc::vec::Vec<_>>().join(",");
    }
    if step == 1 { format!("{first}-{last}") } else { format!("{first}-{last}/{step}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_every_cron_reads_them() {
        let p = |text: &str, shift| Fields::new(text, Cron::parse(text).unwrap()).expression(shift);
        assert_eq!(p("0  0 * *\t*", 0), "0  0 * *\t*");
        assert_eq!(p("0  0 * *\t?", 97), "37 1 * * ?");
        assert_eq!(p("*/15 * * * *", 7), "7-52/15 * * * *");
        assert_eq!(p("0/30 9-17 1 * mon", 7), "7-37/30 9-17 1 * mon");
        assert_eq!(p("0 9-17 * * 1-5", 61), "1 10-18 * * 1-5");
        assert_eq!(p("0,30 9,10,11 * * *", 7), "7,37 9,10,11 * * *");
        assert_eq!(p("0 1,2,3 * * *", 60), "0 2,3,4 * * *");
        assert_eq!(p("0 1-3 * * *", -120), "0 0,1,23 * * *");
        assert_eq!(p("30 */6 * * *", 45), "15 1-19/6 * * *");
        // 0:00, 0:45 and so on, 10 minutes later, are no pairs of hours and minutes.
        assert_eq!(p("0,45 3 * * *", 20), "0,45 3 * * *");
    }
}
