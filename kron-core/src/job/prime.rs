//! Primed schedules of jobs: only a job that starts at its cron times has one.

use crate::cron::{Cron, prime::PrimedSchedule};
use crate::error::{Error, PrimeError};
use crate::job::{Job, JobSpec};
use crate::time::duration::Duration;

impl JobSpec<Cron> {
    /// The cron expressions that fire `lead` before each start, in the job's zone; see [`Cron::prime`].
    ///
    /// # Errors
    ///
    /// Those of [`Cron::prime`]; and [`PrimeNotOnTime`](crate::ErrorCode::PrimeNotOnTime) if the job has a window or
    /// constraints, because its starts are then not the times of a cron expression.
    ///
    /// ```
    /// use kron_core::{Duration, ErrorCode, JobSpec};
    /// let lead = Duration::parse("15m")?;
    /// let spec = JobSpec::parse("0 3 * * * @tz(Europe/Paris)")?;
    /// assert_eq!(spec.prime(lead)?.to_string(), "45 2 * * *\n");
    /// let spec = JobSpec::parse("0 3 * * * @win(after,1h)")?;
    /// assert_eq!(spec.prime(lead).unwrap_err().code(), ErrorCode::PrimeNotOnTime);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prime(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        self.starts_on_time()?;
        self.schedule().prime(lead)
    }

    /// As [`prime`](JobSpec::prime), with a superset where no cron expressions exist; see [`Cron::prime_cover`].
    ///
    /// # Errors
    ///
    /// [`PrimeNotOnTime`](crate::ErrorCode::PrimeNotOnTime) if the job has a window or constraints,
    /// [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for a lead that is not in whole minutes from one minute to 31 days.
    ///
    /// ```
    /// use kron_core::{Duration, JobSpec};
    /// let spec = JobSpec::parse("0 0 1 * *")?;
    /// let cover = spec.prime_cover(Duration::parse("15m")?)?;
    /// assert_eq!(cover.to_string(), "45 23 31 * *\n45 23 28/1 2 *\n45 23 30 4,6,9/2 *\n");
    /// assert_eq!(cover.surplus(), 32);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prime_cover(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        self.starts_on_time()?;
        self.schedule().prime_cover(lead)
    }

    /// An error if starts can differ from nominal times.
    fn starts_on_time(&self) -> Result<(), Error> {
        let has = if !self.window().duration().is_zero() {
            ("window", "a window")
        } else if !self.days().is_empty() {
            ("days", PrimeError::RULES_OF_DAYS)
        } else if !self.constraints().is_empty() {
            ("constraints", "constraints")
        } else {
            return Ok(());
        };
        Err(Error::of(has.0, PrimeError::NotOnTime { has: has.1 }))
    }
}

impl Job<Cron> {
    /// The cron expressions that fire `lead` before each start, in the job's zone; see [`JobSpec::prime`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::prime`].
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// let job = Job::parse("prod/report", "0 9-17 * * MON-FRI")?;
    /// assert_eq!(job.prime(Duration::parse("10m")?)?.to_string(), "50 8-16 * * 1-5\n");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prime(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        self.spec().prime(lead)
    }

    /// As [`prime`](Job::prime), with a superset where no cron expressions exist; see [`JobSpec::prime_cover`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::prime_cover`].
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// let job = Job::parse("prod/report", "0 0 1 3 *")?;
    /// assert_eq!(job.prime_cover(Duration::parse("10m")?)?.to_string(), "50 23 28/1 2 *\n");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prime_cover(&self, lead: Duration) -> Result<PrimedSchedule, Error> {
        self.spec().prime_cover(lead)
    }
}
