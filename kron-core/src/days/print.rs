//! The canonical form of clauses of nominal days.

use alloc::string::{String, ToString};
use core::fmt;

use super::builder::WORKDAYS;
use super::{DayRules, Days, DaysPart, Every};
use crate::constraint::{Calendar, DateText, write_parts, write_rules};
use crate::time::calendar_field::{DAY_OF_MONTH, DAY_OF_WEEK, MONTH, write_list};

impl Days {
    /// The parts and their canonical values, in canonical order.
    ///
    /// ```
    /// use kron_core::days::{Days, DaysPart};
    /// let clause: Days = "roll=next;dom=25,24".parse()?;
    /// let parts: Vec<_> = clause.canonical().collect();
    /// assert_eq!(parts, [(DaysPart::DayOfMonth, "24,25".to_string()), (DaysPart::Roll, "next".to_string())]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn canonical(&self) -> impl Iterator<Item = (DaysPart, String)> {
        self.parts().map(|part| (part, self.value(part)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, glue: &str) -> fmt::Result {
        write_parts(f, self.canonical(), glue)
    }

    fn value(&self, part: DaysPart) -> String {
        let mut out = String::new();
        let date = |date: Option<i32>| date.map_or_else(String::new, |day| DateText(day).to_string());
        let name = |calendar: &Option<Calendar>| calendar.as_ref().map_or("", Calendar::name).to_string();
        match part {
            DaysPart::DayOfWeek => write_list(&mut out, &DAY_OF_WEEK, self.days_of_week.into(), true),
            DaysPart::DayOfMonth => write_list(&mut out, &DAY_OF_MONTH, self.days_of_month.into(), false),
            DaysPart::Months => write_list(&mut out, &MONTH, self.months.into(), true),
            DaysPart::Date => out = date(self.date),
            DaysPart::Dates => {
                if let Some((first, last)) = self.dates {
                    out = alloc::format!("{}..{}", DateText(first), DateText(last));
                }
            }
            DaysPart::Calendar => out = name(&self.calendar),
            DaysPart::Last => write_list(&mut out, &DAY_OF_MONTH, self.last.into(), false),
            DaysPart::Workday => write_list(&mut out, &WORKDAYS, self.workdays.into(), false),
            DaysPart::LastWorkday => write_list(&mut out, &WORKDAYS, self.last_workdays.into(), false),
            DaysPart::Near => write_list(&mut out, &DAY_OF_MONTH, self.near.into(), false),
            DaysPart::Every => {
                out = match self.every {
                    Some(Every::Days(count)) => alloc::format!("{count}d"),
                    Some(Every::Weeks(count)) => alloc::format!("{count}w"),
                    None => String::new(),
                }
            }
            DaysPart::From => out = date(self.from),
            DaysPart::Roll => out = self.roll.map_or("", |roll| roll.as_str()).to_string(),
            DaysPart::Week => write_list(&mut out, &DAY_OF_WEEK, self.week.into(), true),
            DaysPart::Holidays => out = name(&self.holidays),
        }
        out
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, ";")
    }
}

impl fmt::Debug for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Days({self})")
    }
}

/// Each `days` clause is a separate modifier; all `nodays` clauses share one.
impl fmt::Display for DayRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rules(f, ("days", self.days()), ("nodays", self.nodays()), Days::write)
    }
}

impl fmt::Debug for DayRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DayRules({self})")
    }
}
