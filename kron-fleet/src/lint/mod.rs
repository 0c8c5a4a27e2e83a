//! Lint: parts of valid jobs that were probably not intended. Each subject has a file, each finding a function.

mod clock_changes;
mod code;
mod constraints;
mod days;
mod every;
mod fleet;
mod months;
#[cfg(feature = "json")]
mod object;
mod periods;
mod policy;
mod schedule;
mod tzdb;
mod words;
mod workdays;

use alloc::vec::Vec;

use kron_core::{Finding, Instant, Job};

pub use self::code::LintCode;
pub use self::fleet::{FleetFinding, FleetJob, lint_fleet};
#[cfg(feature = "json")]
pub use self::object::FindingObject;
pub use self::tzdb::lint_tzdb;

/// How far [`lint`] looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LintOptions {
    years: u32,
    /// The last second, if it is not years that say how far.
    end: Option<i64>,
    periods: usize,
    /// Whether `@days` and `@nodays` can be added where the job stands.
    has_days: bool,
}

impl Default for LintOptions {
    fn default() -> LintOptions {
        LintOptions { years: 5, end: None, periods: 10_000, has_days: true }
    }
}

impl LintOptions {
    /// Looks ahead this many years of 366 days; at least one. The default is 5.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::lint::{LintOptions, lint};
    /// let job = Job::parse("prod/leap-day", "0 0 29 2 * @policy(deadline=1h)")?;
    /// let never = |years| {
    ///     let findings = lint(&job, None, 1_772_323_200, &LintOptions::default().with_years(years));
    ///     findings.iter().any(|finding| finding.code.as_str() == "never-fires")
    /// };
    /// assert!(never(1)); // the next 29 February is in 2028
    /// assert!(!never(5));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn with_years(mut self, years: u32) -> LintOptions {
        self.years = if years == 0 { 1 } else { years };
        self
    }

    /// Looks ahead up to this Unix second, instead of a number of years.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::lint::{LintOptions, lint};
    /// let job = Job::parse("prod/summer", "0 0 1 6 * @policy(deadline=1h)")?;
    /// let options = LintOptions::default().with_end(1_774_915_200);
    /// let findings = lint(&job, None, 1_772_323_200, &options);
    /// assert_eq!(findings[0].message, "the schedule has no nominal time until 2026-03-31T00:00:00Z");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn with_end(mut self, end: i64) -> LintOptions {
        self.end = Some(end);
        self
    }

    /// Examines at most this many periods of a job, the first ones; at least two. The default is 10,000. The time that
    /// [`lint`] takes for a job with constraints is in proportion to it.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::lint::{LintOptions, lint};
    /// let job = Job::parse("a", "@hourly @policy(deadline=1m) @avoid(hours=0)")?;
    /// let findings = lint(&job, None, 0, &LintOptions::default().with_periods(48));
    /// assert!(findings[0].message.starts_with("2 of the next 48 periods (5 %) are unschedulable"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn with_periods(mut self, periods: usize) -> LintOptions {
        self.periods = if periods < 2 { 2 } else { periods };
        self
    }

    /// For a job that stands where `@days` and `@nodays` cannot be written: a KronJob, or a schedule of another system. The help
    /// then says what takes their place.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::lint::{LintOptions, lint};
    /// let job = Job::parse("a", "0 0 13 * FRI @policy(deadline=1m)")?;
    /// let findings = lint(&job, None, 0, &LintOptions::default().without_days());
    /// assert!(findings[0].help.as_deref().unwrap().starts_with("check one of them in the command"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn without_days(mut self) -> LintOptions {
        self.has_days = false;
        self
    }
}

/// Finds probable mistakes in a valid job: schedules that do not mean what they seem to mean, windows and constraints
/// that do not fit the schedule, and effects of the next clock changes. The most severe findings come first.
///
/// `text` is the job's text form or its schedule alone, as it was written; without it, findings about single steps of the
/// schedule are left out. `at` is where the look ahead begins.
///
/// ```
/// use kron_core::Job;
/// use kron_fleet::lint::{LintOptions, lint};
/// let text = "0 * * * * @win(after,2h)";
/// let findings = lint(&Job::parse("web/report", text)?, Some(text), 0, &LintOptions::default());
/// assert_eq!(findings[0].code.as_str(), "window-longer-than-gap");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn lint(job: &Job, text: Option<&str>, at: impl Instant, options: &LintOptions) -> Vec<Finding> {
    let (at, spec) = (at.floor(), job.spec());
    let mut findings = Vec::new();
    if let Some(subject) = schedule::Subject::new(job, text, at, options) {
        findings.extend(schedule::steps_beyond_range(&subject));
        findings.extend(schedule::uneven_steps(&subject));
        findings.extend(schedule::every_minute(&subject));
        findings.extend(schedule::either_day_field(&subject));
        findings.extend(schedule::short_months_skipped(&subject));
    }
    findings.extend(policy::no_deadline(spec));
    findings.extend(constraints::only_clauses_apart(job, at, options));
    findings.extend(days::misread_parts(job, at, options));
    findings.extend(every::weekdays_that_never_come(job, at, options));
    findings.extend(months::short_months_of_clauses(job, at, options));
    findings.extend(workdays::months_of_few_workdays(job, at, options));
    findings.extend(days::nth_weekday_apart(job));
    findings.extend(days::workdays_without_holidays(job, at, options));
    findings.extend(days::calendars_that_end(job, at));
    findings.extend(periods::window_longer_than_gap(job, at, options));
    match periods::never_fires(job, at, options) {
        Some(finding) => findings.push(finding),
        None => {
            findings.extend(days::clauses_that_change_nothing(job, at, options));
            findings.extend(periods::unschedulable(job, at, options));
            findings.extend(periods::mostly_forbidden(job, at, options));
        }
    }
    findings.extend(clock_changes::skipped(spec, at));
    findings.extend(clock_changes::doubled(spec, at));
    findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity));
    findings
}

#[cfg(test)]
mod tests;
