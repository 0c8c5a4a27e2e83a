//! The shifts of a schedule that keep its days, its order and one expression of five fields.

use alloc::string::String;
use alloc::vec::Vec;

use super::declaration::check;
use super::expression::Fields;
use crate::constraint::{Constraints, Minutes, allowed_on_all};
use crate::cron::Cron;
use crate::error::{Error, PlaceError, Snippet, Taken};
use crate::job::JobSpec;
use crate::time::civil::DAY_MINUTES;

/// The shifts among which a place is chosen, in ascending order, and how expressions are written.
///
/// A shift of `m` whole minutes is a candidate if it lies in the window; is shorter than the smallest distance between two times of day
/// of the schedule, so that each run stays before its next nominal time; keeps every time in its civil day, or all three day fields are
/// `*` or `?`; leaves a set of hours times a set of minutes; and if no civil time of it violates the constraints on any day of the
/// schedule from 1970 to 2099.
#[derive(Clone, Debug)]
pub struct Candidates {
    shifts: Vec<i16>,
    /// Whole minutes of the window.
    window: u32,
    taken: Taken,
    fields: Fields,
}

impl Candidates {
    /// The candidates of a spec whose schedule is written as `expression`.
    ///
    /// # Errors
    ///
    /// [`PlaceRefused`](crate::ErrorCode::PlaceRefused) for what one place cannot keep, and for an expression that is not the spec's
    /// schedule.
    ///
    /// ```
    /// use kron_core::{JobSpec, place::Candidates};
    /// let spec = JobSpec::parse("0 9,17 * * MON-FRI @win(around,1h) @avoid(between=09:00-09:10)")?;
    /// let candidates = Candidates::new(&spec, "0 9,17 * * MON-FRI")?;
    /// assert_eq!(candidates.shifts().len(), 61 - 11);
    /// assert_eq!(candidates.expression(-30), "30 8,16 * * MON-FRI");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(spec: &JobSpec, expression: &str) -> Result<Candidates, Error> {
        check(spec)?;
        let cron = *spec.schedule();
        if Cron::parse(expression).ok() != Some(cron) {
            let kind = PlaceError::OtherSchedule {
                text: Snippet::of(expression),
                schedule: alloc::format!("{cron}"),
            };
            return Err(Error::of("schedule", kind));
        }
        // OK because an expression that is no macro has five fields.
        let fields = Fields::new(expression, cron);
        let times: Vec<i64> = fields.times().collect();
        let gap = smallest_gap(&times);
        let allowed = (!spec.constraints().is_empty()).then(|| allowed_minutes(spec.constraints(), &cron));
        let reach = spec.reach();
        let (first, last) = (
            reach.first.div_euclid(60) + i64::from(reach.first.rem_euclid(60) > 0),
            reach.last.div_euclid(60),
        );
        let mut taken = Taken::default();
        let mut shifts = Vec::new();
        // Shifts beyond a day are beyond every gap.
        for shift in first.max(-DAY_MINUTES)..=last.min(DAY_MINUTES) {
            let shifted = |time: &i64| time + shift;
            let in_day = |time: i64| (0..DAY_MINUTES).contains(&time);
            if shift.abs() >= gap {
                taken.gap += 1;
            } else if !fields.any_day() && !times.iter().map(shifted).all(in_day) {
                taken.day += 1;
            } else if fields.shifted(shift).is_none() {
                taken.product += 1;
            } else if allowed.as_ref().is_some_and(|allowed| {
                // OK because a minute of the day is not negative.
                !times.iter().all(|time| allowed.has(shifted(time).rem_euclid(DAY_MINUTES) as usize))
            }) {
                taken.constraints += 1;
            } else {
                // OK because shifts are within a day.
                shifts.push(shift as i16);
            }
        }
        // OK because windows have at most 366 days.
        let window = (last - first + 1) as u32;
        taken.gap += window - taken.gap - taken.day - taken.product - taken.constraints - shifts.len() as u32;
        Ok(Candidates { shifts, window, taken, fields })
    }

    /// The shifts in minutes, ascending.
    pub fn shifts(&self) -> &[i16] {
        &self.shifts
    }

    /// How many whole minutes the window has.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("0 9 * * * @win(around,90s) name=a", None)?;
    /// assert_eq!(declaration.candidates()?.window_minutes(), 1); // the nominal minute alone
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn window_minutes(&self) -> u32 {
        self.window
    }

    /// How many minutes of the window are no candidates, by the rule that takes them.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("*/15 * * * * @win(after,1h) name=a", None)?;
    /// assert_eq!(declaration.candidates()?.taken().gap, 46); // from 15 minutes on
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn taken(&self) -> Taken {
        self.taken
    }

    /// The expression with a shift. A shift after which the times are no pairs of hours and minutes gives the declared expression.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("*/20 8-17 * * 1-5 @win(after,15m) name=a", None)?;
    /// assert_eq!(declaration.candidates()?.expression(7), "7-47/20 8-17 * * 1-5");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn expression(&self, shift: i64) -> String {
        self.fields.expression(shift)
    }

    /// The error of a window without a candidate.
    pub(super) fn nowhere(&self) -> Error {
        Error::of("window", PlaceError::Nowhere { window: self.window, taken: self.taken })
    }
}

/// The smallest distance between two times of day, round the day; a day, if there is one time.
pub(super) fn smallest_gap(times: &[i64]) -> i64 {
    let round =
        times.first().zip(times.last()).map_or(DAY_MINUTES, |(first, last)| first + DAY_MINUTES - last);
    times.windows(2).map(|pair| pair[1] - pair[0]).fold(round, i64::min)
}

/// The minutes of the day that constraints allow on every day that a schedule matches, in the years 1970 to 2099.
fn allowed_minutes(constraints: &Constraints, cron: &Cron) -> Minutes {
    // 1970-01-01 and 2100-01-01.
    allowed_on_all(constraints, (0..47_482).filter(|day| cron.matches_day(*day)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parser;
    use crate::cron::CronField;
    use alloc::format;
    use alloc::vec;

    fn candidates(text: &str) -> Candidates {
        Parser::new().declaration(text, Some("a")).unwrap().candidates().unwrap()
    }

    fn ends(text: &str) -> (i16, i16, usize) {
        let found = candidates(text);
        (found.shifts[0], *found.shifts.last().unwrap(), found.shifts.len())
    }

    #[test]
    fn each_rule_takes_minutes() {
        assert_eq!(ends("0 0 * * * @win(after,2h)"), (0, 120, 121));
        // The next run, a quarter of an hour later.
        assert_eq!(ends("*/15 * * * * @win(around,3h)"), (-14, 14, 29));
        // The end of the day, as the days are restricted; with `?` and `*` alone it may be passed.
        assert_eq!(ends("0 23 * * MON @win(after,2h)"), (0, 59, 60));
        assert_eq!(ends("0 23 * * ? @win(after,2h)"), (0, 120, 121));
        assert_eq!(ends("0 23 */1 * * @win(after,2h)"), (0, 59, 60));
        assert_eq!(ends("0 0 1 * * @win(before,2h)"), (0, 0, 1));
        // Pairs of hours and minutes alone: 3:00 and 3:45 fit in until 3:14 and 3:59.
        assert_eq!(ends("0,45 3 * * * @win(after,1h)"), (0, 14, 15));
        // Both in the next hour again, but the run at 3:45 would be reached.
        assert_eq!(
            candidates("0,45 3 * * * @win(after,1h)").taken(),
            Taken { gap: 16, day: 0, product: 30, constraints: 0 }
        );
        assert_eq!(ends("0 9 * * * @win(after,1h) @avoid(between=09:00-09:29)"), (30, 60, 31));
        // On Mondays alone, which are days of the schedule.
        assert_eq!(ends("0 9 * * * @win(after,1h) @avoid(between=09:00-09:29&dow=MON)"), (30, 60, 31));
        assert_eq!(ends("0 9 * * TUE @win(after,1h) @avoid(between=09:00-09:29&dow=MON)"), (0, 60, 61));
        // A date in 2099 is a day of the schedule, too.
        assert_eq!(ends("0 9 * * * @win(after,1h) @avoid(date=2099-12-31&hours=9)"), (60, 60, 1));
        assert_eq!(ends("0 9 * * * @win(after,1h) @avoid(date=2100-01-01&hours=9)"), (0, 60, 61));
        // Parts of minutes are no place.
        assert_eq!(ends("0 9 * * * @win(around,150s)"), (-1, 1, 3));
        assert_eq!(ends("0 9 * * * @win(after,8784h)"), (0, 1439, 1440));
        let none = Parser::new().declaration("0 9 * * * @win(after,1h) @only(hours=3)", Some("a")).unwrap();
        assert!(format!("{}", none.placed().unwrap_err()).contains("the constraints forbid"));
    }

    /// The rules again, by sets of civil minutes on days of the calendar, each asked on its own.
    #[test]
    fn candidates_are_those_of_a_second_method() {
        let schedules = [
            "0 0 * * *",
            "30 23 * * *",
            "*/20 * * * *",
            "0 8-18/2 * * MON-FRI",
            "15 0,12 1 * *",
            "0,45 3 * * *",
            "5,10 7,8 * * ?",
            "10 22 13 * FRI",
            "0 * * * *",
            "1-3 4 * 2 *",
        ];
        let windows = ["after,90m", "before,2h", "around,25h", "around,11m"];
        let rules = [
            "",
            " @avoid(hours=0-2)",
            " @only(between=00:00-12:30,22:00-23:59)",
            " @avoid(dow=SUN&hours=8) @avoid(dom=13&between=22:20-22:40)",
        ];
        for (i, schedule) in schedules.iter().enumerate() {
            for (j, window) in windows.iter().enumerate() {
                for rule in rules.iter().skip((i + j) % 2).step_by(2) {
                    let text = format!("{schedule} @win({window}){rule}");
                    let spec = crate::JobSpec::parse(&text).unwrap();
                    let cron = *spec.schedule();
                    let mut times = vec![];
                    for minute in 0..DAY_MINUTES {
                        let has = |field: CronField, value: i64| cron.values(field) >> value & 1 == 1;
                        if has(CronField::Hour, minute / 60) && has(CronField::Minute, minute % 60) {
                            times.push(minute);
                        }
                    }
                    let round = schedule.ends_with("* * *") || schedule.ends_with("* * ?");
                    let days: Vec<i64> = (20_000..20_400).filter(|day| cron.matches_day(*day)).collect();
                    let free = |day: i64, minute: i64| {
                        let second = day * 86_400 + minute * 60;
                        spec.constraints().forbids(&crate::Zone::UTC, second).is_none()
                    };
                    let want: Vec<i16> = (-1500..=1500i64)
                        .filter(|shift| {
                            let seconds = shift * 60;
                            let inside = spec.reach().first <= seconds && seconds <= spec.reach().last;
                            let moved: Vec<i64> = times.iter().map(|time| time + shift).collect();
                            let gap = times.iter().all(|time| {
                                times.iter().all(|other| {
                                    let apart = (time - other).rem_euclid(DAY_MINUTES);
                                    (time == other || apart > shift.abs()) && shift.abs() < DAY_MINUTES
                                })
                            });
                            let inside_day = moved.iter().all(|time| (0..DAY_MINUTES).contains(time));
                            let moved: Vec<i64> =
                                moved.iter().map(|time| time.rem_euclid(DAY_MINUTES)).collect();
                            let pairs = moved
                                .iter()
                                .all(|a| moved.iter().all(|b| moved.contains(&(a / 60 * 60 + b % 60))));
                            inside
                                && gap
                                && (round || inside_day)
                                && pairs
                                && moved.iter().all(|time| days.iter().all(|day| free(*day, *time)))
                        })
                        .map(|shift| shift as i16)
                        .collect();
                    let found = Candidates::new(&spec, schedule).unwrap();
                    assert_eq!(found.shifts(), want, "{text}");
                    let Taken { gap, day, product, constraints } = found.taken();
                    assert_eq!(
                        gap + day + product + constraints + want.len() as u32,
                        found.window_minutes(),
                        "{text}"
                    );
                    for shift in want {
                        let placed = Cron::parse(&found.expression(shift.into())).unwrap();
                        let of_placed = Fields::new(&found.expression(shift.into()), placed);
                        let mut moved: Vec<i64> = times
                            .iter()
                            .map(|time| (time + i64::from(shift)).rem_euclid(DAY_MINUTES))
                            .collect();
                        moved.sort_unstable();
                        assert_eq!(of_placed.times().collect::<Vec<_>>(), moved, "{text} {shift}");
                    }
                }
            }
        }
    }
}
