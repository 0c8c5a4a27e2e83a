//! The canonical form of cron expressions.

use alloc::string::String;
use core::fmt;

use super::Cron;
use crate::time::calendar_field::{
    DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MINUTE, MONTH, values, write_list,
};

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            (&MINUTE, self.minutes(), true),
            (&HOUR, self.hours.into(), true),
            (&DAY_OF_MONTH, self.days_of_month.into(), !self.day_of_month_restricted()),
            (&MONTH, self.months.into(), true),
            (&DAY_OF_WEEK, self.days_of_week.into(), !self.day_of_week_restricted()),
        ];
        for (i, (field, set, star)) in fields.into_iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " " })?;
            write_field(f, field, set, star)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cron({self})")
    }
}

/// `star` says whether a full set may be written `*`. In a restricted day field it may not, because that would change
/// the day rule.
fn write_field(f: &mut fmt::Formatter<'_>, field: &Field, set: u64, star: bool) -> fmt::Result {
    if set == field.all() && star {
        return f.write_str("*");
    }
    if let Some((low, high, step)) = progression(set) {
        // `*/s` means the same as `min-max/s`; both restrict a day field.
        return match low == field.min && u32::from(high) + step > field.max.into() {
            true => write!(f, "*/{step}"),
            false => write!(f, "{low}-{high}/{step}"),
        };
    }
    let mut list = String::new();
    write_list(&mut list, field, set, false);
    f.write_str(&list)
}

/// First, last and step of a set of three or more values in even steps of two or more.
fn progression(set: u64) -> Option<(u8, u8, u32)> {
    let low = set.trailing_zeros();
    let mut gaps = values(set).zip(values(set).skip(1)).map(|(a, b)| u32::from(b - a));
    let step = gaps.next()?;
    let even = step >= 2 && set.count_ones() >= 3 && gaps.all(|gap| gap == step);
    // OK because the set is not empty: it has at least two values.
    even.then(|| (low as u8, 63 - set.leading_zeros() as u8, step))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn canonical_forms() {
        let p = |text: &str| Cron::parse(text).unwrap().to_string();
        assert_eq!(p("0-59 0-23 1-31 1-12 0-6"), "* * 1-31 * 0-6");
        assert_eq!(p("* * */1 */1 ?"), "* * * * *");
        assert_eq!(p("0,15,30,45 * * * *"), "*/15 * * * *");
        assert_eq!(p("*/30 * * * *"), "0,30 * * * *");
        assert_eq!(p("5/15 * * * *"), "5-50/15 * * * *");
        assert_eq!(p("3,1,2,10,11 * * * *"), "1-3,10,11 * * * *");
        assert_eq!(p("0 0 */2 JAN,feb,MAR 7"), "0 0 */2 1-3 0");
        assert_eq!(p("0 0 * * 5-7"), "0 0 * * 0,5,6");
        assert_eq!(p("0 0 * * */2"), "0 0 * * */2");
        assert_eq!(p("0 0 */7 * *"), "0 0 */7 * *");
        assert_eq!(p("*/40 * * * *"), "0,40 * * * *");
        assert_eq!(p("0 */5 * * *"), "0 */5 * * *");
    }
}
