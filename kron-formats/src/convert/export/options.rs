//! How jobs are exported.

use kron_core::{Zone, word_enum};

use super::target::Target;

word_enum! {
    in "kron_formats::convert";
    /// The cron that a crontab is for.
    #[non_exhaustive]
    pub CronProgram {
        /// Any cron: it reads all lines in the time zone of its machine.
        Any = "any",
        /// cronie, which reads the lines below a `CRON_TZ` in that time zone.
        Cronie = "cronie",
    }
}

/// What jobs are exported to, and for which machine.
///
/// ```
/// use kron_formats::convert::{CronProgram, ExportOptions, Target};
/// let options = ExportOptions { cron: CronProgram::Cronie, ..ExportOptions::new(Target::Crontab) };
/// assert_eq!(options.timezone.name(), "UTC");
/// ```
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// What the jobs are exported to.
    pub target: Target,
    /// The cron that reads a crontab.
    pub cron: CronProgram,
    /// The time zone of the machine on which the crontab is read.
    pub timezone: Zone,
    /// The present time, in Unix seconds: times of jobs in other time zones are those of the offsets at this time.
    pub now: i64,
}

impl ExportOptions {
    /// For any cron, on a machine in UTC, at the Unix epoch.
    ///
    /// ```
    /// use kron_formats::convert::{CronProgram, ExportOptions, Target};
    /// assert_eq!(ExportOptions::new(Target::Crontab).cron, CronProgram::Any);
    /// ```
    #[must_use]
    pub fn new(target: Target) -> ExportOptions {
        ExportOptions { target, cron: CronProgram::Any, timezone: Zone::UTC, now: 0 }
    }
}
