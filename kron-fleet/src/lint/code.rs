//! The kinds of warnings and notes of `lint`, by their stable names.

use core::fmt;

use kron_core::error::FindingCode;

/// Defines the codes of warnings and notes: for each its name and a short description.
macro_rules! lint_codes {
    ($($code:ident = $word:literal, $summary:literal;)*) => {
        /// The kind of a warning or note. The names are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum LintCode {
            $(#[doc = concat!("`", $word, "`: ", $summary, ".")] $code,)*
        }

        impl LintCode {
            /// All codes, in the order in which help texts list them.
            pub const ALL: &'static [LintCode] = &[$(LintCode::$code),*];

            /// The stable name.
            ///
            /// ```
            /// assert_eq!(kron_fleet::lint::LintCode::NeverFires.as_str(), "never-fires");
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $(LintCode::$code => $word),* }
            }

            /// A short description of what it finds.
            ///
            /// ```
            /// assert_eq!(kron_fleet::lint::LintCode::NoDeadline.summary(), "the deadline is 0s");
            /// ```
            pub const fn summary(self) -> &'static str {
                match self { $(LintCode::$code => $summary),* }
            }
        }
    };
}

lint_codes! {
    StepBeyondRange = "step-beyond-range", "a step in the schedule is larger than its range";
    UnevenStep = "uneven-step", "a step does not divide its field, so one gap is shorter than the others";
    UnevenMonthEnd = "uneven-month-end", "a step of days begins again on the first day of each month";
    EveryMinute = "every-minute", "the minute field is `*` in single hours, so the job starts 60 times in each";
    EitherDayField = "either-day-field", "a day of month or a day of week matches; they need not both match";
    StepInDayField = "step-in-day-field", "a step restricts a day field, which other crons read differently";
    ShortMonthsSkipped = "short-months-skipped", "months that are too short for the day of month have no start";
    NoDeadline = "no-deadline", "the deadline is 0s";
    OnlyClausesApart = "only-clauses-apart", "@only clauses are alternatives, and look as if both were meant to hold";
    AvoidClausesApart = "avoid-clauses-apart", "@avoid clauses forbid most periods, and look as if a time had to meet both";
    OneDayFromTheEnd = "one-day-from-the-end", "`last=7` is one day, and looks as if the last seven were meant";
    WorkdayNotWeekday = "workday-not-weekday", "`workday=1-5` is the first five workdays of the month";
    RollWithoutDueDays = "roll-without-due-days", "a clause with `roll` has no due days, so it matches every workday";
    EveryOfOneWeekday = "every-of-one-weekday", "`every=2w` has the weekday of `from` only, and the schedule names others";
    NodaysClausesApart = "nodays-clauses-apart", "@nodays clauses that look as if a day had to meet both";
    RollBesideDayFields = "roll-beside-day-fields", "the day fields of the schedule judge the day that `roll` finds";
    HolidaysAsWorkdays = "holidays-as-workdays", "workdays are counted without a calendar that the rules of days name";
    CalendarEnds = "calendar-ends", "a calendar of @days or @nodays has no dates after the next year";
    UnusedDaysClause = "unused-days-clause", "the schedule has the same days without a clause of @days or @nodays";
    WindowLongerThanGap = "window-longer-than-gap", "the window is longer than the gap between two periods";
    NeverFires = "never-fires", "the schedule has no nominal time in the years ahead";
    NeverSchedulable = "never-schedulable", "the constraints allow no start in the years ahead";
    UnschedulablePeriods = "unschedulable-periods", "the constraints allow no start for some periods";
    MostlyForbidden = "mostly-forbidden", "the constraints leave a minute at most of the window";
    SkippedByClockChange = "skipped-by-clock-change", "a nominal time does not exist when clocks change";
    DoubledByClockChange = "doubled-by-clock-change", "a nominal time occurs twice when clocks change";
    SameSecond = "same-second", "many jobs without a window start in one second";
    SameMinute = "same-minute", "the windows of many jobs lie in one minute";
    NarrowWindows = "narrow-windows", "the windows of many jobs lie in fewer seconds than there are jobs";
    IdenticalJobs = "identical-jobs", "two jobs have the same text and the same command";
    TzdbRulesDiffer = "tzdb-rules-differ", "the time zone database has other rules than the compiled-in one";
    TzdbOld = "tzdb-old", "the time zone database may be out of date";
}

impl fmt::Display for LintCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<LintCode> for FindingCode {
    fn from(code: LintCode) -> FindingCode {
        FindingCode::new(code.as_str())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use kron_core::ErrorCode;

    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own() {
        let mut names: Vec<&str> = LintCode::ALL.iter().map(|code| code.as_str()).collect();
        names.extend(ErrorCode::ALL.iter().map(|code| code.as_str()));
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        let form = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(names.iter().all(form));
    }
}
