//! The canonical form of clauses and constraints.

use alloc::string::{String, ToString};
use core::fmt;

use super::calendar::Text;
use super::{Calendar, Clause, ClausePart, Constraints};
use crate::time::calendar_field::{DAY_OF_MONTH, DAY_OF_WEEK, HOUR, MONTH, write_list};

impl Clause {
    /// The parts and their canonical values, in canonical order.
    ///
    /// ```
    /// use kron_core::Clause;
    /// use kron_core::constraint::ClausePart;
    /// let clause = Clause::builder().part("dow", "SAT,SUN").build()?;
    /// assert!(clause.canonical().eq([(ClausePart::DayOfWeek, "0,6".to_string())]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn canonical(&self) -> impl Iterator<Item = (ClausePart, String)> {
        self.parts().map(|part| (part, self.value(part)))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, glue: &str) -> fmt::Result {
        write_parts(f, self.canonical(), glue)
    }

    fn value(&self, part: ClausePart) -> String {
        let mut out = String::new();
        match part {
            ClausePart::Hours => write_list(&mut out, &HOUR, self.times.hours.into(), true),
            ClausePart::DayOfWeek => write_list(&mut out, &DAY_OF_WEEK, self.days.days_of_week.into(), true),
            ClausePart::DayOfMonth => {
                write_list(&mut out, &DAY_OF_MONTH, self.days.days_of_month.into(), false)
            }
            ClausePart::Months => write_list(&mut out, &MONTH, self.days.months.into(), true),
            ClausePart::Between => write_between(&mut out, &self.times.between),
            ClausePart::Date => self.days.date.into_iter().for_each(|date| write_date(&mut out, date)),
            ClausePart::Dates => self.days.dates.into_iter().for_each(|(first, last)| {
                write_date(&mut out, first);
                out.push_str("..");
                write_date(&mut out, last);
            }),
            ClausePart::Calendar => {
                out.push_str(self.days.calendar.as_ref().map_or_else(Default::default, Calendar::name))
            }
        }
        out
    }
}

/// Writes disjoint ranges. If the first and the last meet at midnight, they are one range.
fn write_between(out: &mut String, ranges: &[(u16, u16)]) {
    let time = |minute: u16| alloc::format!("{:02}:{:02}", minute / 60, minute % 60);
    let mut list: alloc::vec::Vec<String> = alloc::vec::Vec::new();
    let wraps = ranges.len() > 1 && ranges[0].0 == 0 && ranges[ranges.len() - 1].1 == 1439;
    let plain = if wraps { &ranges[1..ranges.len() - 1] } else { ranges };
    list.extend(plain.iter().map(|(first, last)| time(*first) + "-" + &time(*last)));
    if wraps {
        list.push(time(ranges[ranges.len() - 1].0) + "-" + &time(ranges[0].1));
    }
    out.push_str(&list.join(","));
}

fn write_date(out: &mut String, day: i32) {
    out.push_str(&Text(day).to_string());
}

/// Writes the parts of a clause of constraints or of days as `name=value`, joined by `glue`.
pub(crate) fn write_parts<P: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    parts: impl Iterator<Item = (P, String)>,
    glue: &str,
) -> fmt::Result {
    parts
        .enumerate()
        .try_for_each(|(i, (name, value))| write!(f, "{}{name}={value}", if i == 0 { "" } else { glue }))
}

/// Writes the modifiers of constraints or of rules of days: each clause that must match is a modifier of its own, and all that
/// must not match share one, in which `write` writes each with its parts joined by `&`.
pub(crate) fn write_rules<C: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    (one, must): (&str, &[C]),
    (all, must_not): (&str, &[C]),
    write: fn(&C, &mut fmt::Formatter<'_>, &str) -> fmt::Result,
) -> fmt::Result {
    for (i, clause) in must.iter().enumerate() {
        write!(f, "{}@{one}({clause})", if i == 0 { "" } else { " " })?;
    }
    if must_not.is_empty() {
        return Ok(());
    }
    write!(f, "{}@{all}(", if must.is_empty() { "" } else { " " })?;
    for (i, clause) in must_not.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { ";" })?;
        write(clause, f, "&")?;
    }
    f.write_str(")")
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, ";")
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clause({self})")
    }
}

/// Each `only` clause is a separate modifier; all `avoid` clauses share one.
impl fmt::Display for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rules(f, ("only", self.only()), ("avoid", self.avoid()), Clause::write)
    }
}

impl fmt::Debug for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Constraints({self})")
    }
}
