//! Findings: what `lint` reports, and the stable names of its kinds.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;
use core::ops::Range;

use crate::error::{Error, ErrorCode};
use crate::word_enum::word_enum;

word_enum! {
    /// The severity of a finding.
    Severity, "severity" {
        /// Good to know.
        #[default]
        Note = "note",
        /// Probably not meant.
        Warning = "warning",
        /// Refused.
        Error = "error",
    }
}

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
            /// assert_eq!(kron_core::LintCode::NeverFires.as_str(), "never-fires");
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $(LintCode::$code => $word),* }
            }

            /// A short description of what it finds.
            ///
            /// ```
            /// assert_eq!(kron_core::LintCode::NoDeadline.summary(), "the deadline is 0s");
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
    WindowLongerThanGap = "window-longer-than-gap", "the window is longer than the gap between two periods";
    NeverFires = "never-fires", "the schedule has no nominal time in the years ahead";
    NeverSchedulable = "never-schedulable", "the constraints allow no start in the years ahead";
    UnschedulablePeriods = "unschedulable-periods", "the constraints allow no start for some periods";
    SkippedByClockChange = "skipped-by-clock-change", "a nominal time does not exist when clocks change";
    DoubledByClockChange = "doubled-by-clock-change", "a nominal time occurs twice when clocks change";
    SameSecond = "same-second", "many jobs without a window start in one second";
    SameMinute = "same-minute", "the windows of many jobs lie in one minute";
    NarrowWindows = "narrow-windows", "the windows of many jobs lie in fewer seconds than there are jobs";
    IdenticalJobs = "identical-jobs", "two jobs have the same text and the same command";
    TzdbRulesDiffer = "tzdb-rules-differ", "the time zone database has other rules than the compiled-in one";
    TzdbOld = "tzdb-old", "the time zone database may be out of date";
    NamespaceAssumed = "namespace-assumed", "a manifest names no namespace";
    ForeignDocument = "foreign-document", "a document in a manifest is not a KronJob";
}

impl fmt::Display for LintCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The kind of a finding: of a warning or note, or of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingCode {
    /// A warning or note, which a user can allow or deny.
    Lint(LintCode),
    /// An error.
    Error(ErrorCode),
}

impl FindingCode {
    /// The stable name.
    ///
    /// ```
    /// use kron_core::{ErrorCode, FindingCode, LintCode};
    /// assert_eq!(FindingCode::Lint(LintCode::NeverFires).as_str(), "never-fires");
    /// assert_eq!(FindingCode::Error(ErrorCode::TimeZone).as_str(), "time-zone");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            FindingCode::Lint(code) => code.as_str(),
            FindingCode::Error(code) => code.as_str(),
        }
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding about a job or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// Its kind.
    pub code: FindingCode,
    /// The finding as a sentence.
    pub message: String,
    /// The bytes of the text that the finding is about, if it is about a part and the text is known.
    pub span: Option<Range<usize>>,
    /// What to do about it, if anything.
    pub help: Option<String>,
}

impl Finding {
    pub(crate) fn new(severity: Severity, code: LintCode, message: String) -> Finding {
        Finding { severity, code: FindingCode::Lint(code), message, span: None, help: None }
    }

    pub(super) fn at(mut self, span: Option<Range<usize>>) -> Finding {
        self.span = span;
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// An error as a finding.
    ///
    /// ```
    /// use kron_core::{Finding, JobSpec, Severity};
    /// let error = JobSpec::parse("61 * * * *").unwrap_err();
    /// let finding = Finding::from_error(&error);
    /// assert_eq!((finding.severity, finding.code.as_str()), (Severity::Error, "cron-out-of-range"));
    /// ```
    pub fn from_error(error: &Error) -> Finding {
        Finding {
            severity: Severity::Error,
            code: FindingCode::Error(error.code()),
            message: match error.field() {
                "" => error.reason(),
                field => format!("{field}: {}", error.reason()),
            },
            span: error.span(),
            help: error.help(),
        }
    }
}

/// Words as an enumeration: `a`, `a and b`, `a, b and c`.
pub(super) fn enumeration(words: &[impl ToString]) -> String {
    let words: alloc::vec::Vec<String> = words.iter().map(ToString::to_string).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => word.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own() {
        let mut names: alloc::vec::Vec<&str> = LintCode::ALL.iter().map(|code| code.as_str()).collect();
        names.extend(ErrorCode::ALL.iter().map(|code| code.as_str()));
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        let form = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(names.iter().all(form));
    }

    #[test]
    fn enumerations() {
        assert_eq!(enumeration(&["a"]), "a");
        assert_eq!(enumeration(&["a", "b", "c"]), "a, b and c");
    }
}
