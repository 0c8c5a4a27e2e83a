//! A read-only view of the five fields of an expression, for programs that check or export it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use super::Cron;
use super::hashed::{HashedItem, HashedItemError};
use super::parse::parse;
use crate::error::Error;
use crate::time::calendar_field::{self, DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MINUTE, MONTH};

/// One of the five fields, in their order. Values of the day of the week are 0 (Sunday) to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CronField {
    /// 0 to 59.
    Minute,
    /// 0 to 23.
    Hour,
    /// 1 to 31.
    DayOfMonth,
    /// 1 to 12.
    Month,
    /// 0 (Sunday) to 6.
    DayOfWeek,
}

impl CronField {
    /// All fields, in their order.
    pub const ALL: [CronField; 5] =
        [CronField::Minute, CronField::Hour, CronField::DayOfMonth, CronField::Month, CronField::DayOfWeek];

    const fn field(self) -> &'static Field {
        match self {
            CronField::Minute => &MINUTE,
            CronField::Hour => &HOUR,
            CronField::DayOfMonth => &DAY_OF_MONTH,
            CronField::Month => &MONTH,
            CronField::DayOfWeek => &DAY_OF_WEEK,
        }
    }

    pub(super) fn of(field: &Field) -> CronField {
        // OK because every field is one of the five.
        CronField::ALL.into_iter().find(|it| it.field() == field).unwrap_or(CronField::Minute)
    }

    /// The words for the field in a sentence.
    ///
    /// ```
    /// assert_eq!(kron_core::cron::CronField::DayOfMonth.name(), "day of month");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            CronField::Minute => "minute",
            CronField::Hour => "hour",
            CronField::DayOfMonth => "day of month",
            CronField::Month => "month",
            CronField::DayOfWeek => "day of week",
        }
    }

    /// The least and the greatest value.
    ///
    /// ```
    /// assert_eq!(kron_core::cron::CronField::DayOfWeek.range(), 0..=6);
    /// ```
    pub const fn range(self) -> RangeInclusive<u8> {
        let field = self.field();
        field.min..=field.max
    }

    /// All values, with bit `n` for the value `n`.
    ///
    /// ```
    /// assert_eq!(kron_core::cron::CronField::Month.all_values(), 0b1_1111_1111_1110);
    /// ```
    pub const fn all_values(self) -> u64 {
        self.field().all()
    }

    /// Whether this is one of the two fields of days, which restrict each other.
    ///
    /// ```
    /// use kron_core::cron::CronField;
    /// assert!(CronField::DayOfWeek.is_of_days() && !CronField::Month.is_of_days());
    /// ```
    pub const fn is_of_days(self) -> bool {
        self.field().is_of_days
    }

    /// Reads an item of a schedule of Jenkins with `H`; `None` if it does not begin with `H`.
    ///
    /// # Errors
    ///
    /// What is wrong with an item that begins with `H`.
    ///
    /// ```
    /// use kron_core::cron::{CronField, HashedItemError};
    /// let item = CronField::Minute.hashed_item("H(0-29)/10").unwrap()?;
    /// assert_eq!((item.low, item.high, item.step), (0, 29, Some(10)));
    /// // All months have the days up to 28.
    /// assert_eq!(CronField::DayOfMonth.hashed_item("H").unwrap()?.high, 28);
    /// assert_eq!(CronField::Minute.hashed_item("H/90").unwrap(), Err(HashedItemError::Step { most: 60 }));
    /// assert_eq!(CronField::Minute.hashed_item("*/15"), None);
    /// # Ok::<(), HashedItemError>(())
    /// ```
    pub fn hashed_item(self, item: &str) -> Option<Result<HashedItem, HashedItemError>> {
        HashedItem::parse(self.field(), item)
    }

    /// Values as an ascending list, in which three or more consecutive values are a range. `values` has bit `n` for the value `n`.
    ///
    /// ```
    /// assert_eq!(kron_core::cron::CronField::Hour.list(1 << 20 | 0b1110), "1-3,20");
    /// ```
    pub fn list(self, values: u64) -> String {
        let mut text = String::new();
        calendar_field::write_list(&mut text, self.field(), values & self.field().all(), false);
        text
    }
}

/// One item of a field as it was written: `*/15`, `1-5`, `MON`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CronItem {
    /// The field.
    pub field: CronField,
    /// Its bytes in the text. The items of a macro have the place of the macro.
    pub span: Range<usize>,
    /// Whether it is `*` or `?`, perhaps with a step.
    pub star: bool,
    /// The first value, as it was written: Sunday may be 7.
    pub low: u8,
    /// The last value. That of `n/s` is the greatest value of the field.
    pub high: u8,
    /// The step, 1 if none was written.
    pub step: u32,
}

impl Cron {
    /// Parses an expression, and returns the items of its fields in order, for programs that check the text and not only its
    /// meaning.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Cron::parse).
    ///
    /// ```
    /// use kron_core::Cron;
    /// use kron_core::cron::CronField;
    /// let text = "*/40 9-17 * * MON,FRI";
    /// let (cron, items) = Cron::parse_items(text)?;
    /// assert_eq!(cron, Cron::parse(text)?);
    /// assert_eq!((items.len(), items[0].step, &text[items[5].span.clone()]), (6, 40, "FRI"));
    /// assert_eq!(items[5].field, CronField::DayOfWeek);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parse_items(text: &str) -> Result<(Cron, Vec<CronItem>), Error> {
        let mut items = Vec::new();
        let cron = parse(text, &mut |item| {
            let field = CronField::of(item.field);
            items.push(CronItem {
                field,
                span: item.span,
                star: item.star,
                low: item.low,
                high: item.high,
                step: item.step,
            });
        });
        cron.map(|cron| (cron, items)).map_err(|error| error.located(text))
    }

    /// The values of a field, with bit `n` for the value `n`; never empty.
    ///
    /// ```
    /// use kron_core::Cron;
    /// use kron_core::cron::CronField;
    /// let cron = Cron::parse("0 9-11 * * *")?;
    /// assert_eq!(cron.values(CronField::Hour), 0b1110_0000_0000);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn values(&self, field: CronField) -> u64 {
        match field {
            CronField::Minute => self.minutes(),
            CronField::Hour => self.hours.into(),
            CronField::DayOfMonth => self.days_of_month.into(),
            CronField::Month => self.months.into(),
            CronField::DayOfWeek => self.days_of_week.into(),
        }
    }

    /// Whether a field leaves values out; for a day field, whether it is *restricted* by the day rule: none of its items is `*`, `?`,
    /// `*/1` or `?/1`.
    ///
    /// ```
    /// use kron_core::Cron;
    /// use kron_core::cron::CronField;
    /// let cron = Cron::parse("0 0-23 1-31 * *")?;
    /// assert!(cron.restricts(CronField::Minute) && !cron.restricts(CronField::Hour));
    /// assert!(cron.restricts(CronField::DayOfMonth) && !cron.restricts(CronField::DayOfWeek));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn restricts(&self, field: CronField) -> bool {
        match field {
            CronField::DayOfMonth => self.day_of_month_restricted(),
            CronField::DayOfWeek => self.day_of_week_restricted(),
            CronField::Minute | CronField::Hour | CronField::Month => {
                self.values(field) != field.field().all()
            }
        }
    }
}
