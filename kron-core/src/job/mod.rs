//! Jobs: a spec with a name, which together decide start times.

mod batch;
pub(crate) mod chooser;
mod current;
#[cfg(feature = "rand_distr")]
pub(crate) mod custom;
mod instead;
pub(crate) mod lookup;
pub(crate) mod modifier;
mod plan;
pub(crate) mod search;
pub(crate) mod series;
pub(crate) mod spec;
#[cfg(feature = "serde")]
pub(crate) mod spec_fields;

pub use self::chooser::Chooser;
#[cfg(feature = "rand_distr")]
pub use self::custom::Custom;
pub use self::modifier::{Modifier, Modifiers};
pub use self::series::{PeriodSeries, StartSeries};
pub use self::spec::{JobSpec, JobSpecBuilder};

use alloc::boxed::Box;

use crate::cron::Cron;
use crate::decision::{Decision, Rules, Unschedulable};
use crate::draw::distribution::{Quantile, Sampler};
use crate::error::{Error, SearchError, Snippet, ValueError};
use crate::limits::{NAME_BYTES, NOMINAL_MAX, NOMINAL_MIN};
use crate::time::instant::Instant;

/// A job: a name and a spec.
///
/// A job answers every question about time, in one of two orders. *Starts* are in order of chosen time and schedulable;
/// *periods* are in order of nominal time and may be unschedulable. `S` is the source of nominal times, `D` the
/// distribution of positions in the window; both are Kron's own by default.
///
/// ```
/// use kron_core::Job;
/// let job = Job::parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h) @only(hours=1-2)")?;
/// let at = chrono::DateTime::parse_from_rfc3339("2026-03-01T00:00:00Z").unwrap();
/// let start = job.next_start(at)?;
/// let period = job.next_period(at)?;
/// assert!(start.chosen_time().unwrap() > at && period.nominal_time() > at);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job<S = Cron, D = Quantile> {
    name: Box<str>,
    spec: JobSpec<S>,
    /// The precomputed quantile function of the spec's distribution over its window.
    spread: D,
}

/// Jobs of one name and one spec decide the same; what is precomputed follows from the spec.
impl<S: PartialEq, D> PartialEq for Job<S, D> {
    fn eq(&self, other: &Job<S, D>) -> bool {
        self.name == other.name && self.spec == other.spec
    }
}

impl<S: Eq, D> Eq for Job<S, D> {}

/// Checks a name: 1 to 1024 bytes without control characters.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let error = |kind| Err(Error::of("name", kind).at(0..name.len()));
    if name.is_empty() {
        return error(ValueError::NameEmpty);
    }
    if name.len() > NAME_BYTES {
        let (what, found) = ("a name", name.len());
        return error(ValueError::TooLong { what, max: NAME_BYTES, unit: "bytes", found });
    }
    if name.chars().any(char::is_control) {
        return error(ValueError::NameControl { text: Snippet::of(name) });
    }
    Ok(())
}

/// Checks a nominal time: a whole second of the years 1970 to 2099.
pub(crate) fn check_nominal(nominal: impl Instant) -> Result<i64, Error> {
    let second = nominal.floor();
    if second != nominal.ceil() {
        return Err(Error::of("nominal", SearchError::NominalFraction));
    }
    if !(NOMINAL_MIN..=NOMINAL_MAX).contains(&second) {
        return Err(Error::of("nominal", SearchError::NominalRange));
    }
    Ok(second)
}

impl<S> Job<S> {
    /// A job from its name and its spec.
    ///
    /// # Errors
    ///
    /// [`Name`](crate::ErrorCode::Name) or [`OutOfBounds`](crate::ErrorCode::OutOfBounds), unless the name has
    /// 1 to 1024 bytes without control characters.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Job, JobSpec};
    /// let spec = JobSpec::parse("@daily @win(after,3h)")?;
    /// assert_eq!(Job::new("prod/db-backup", spec.clone())?.name(), "prod/db-backup");
    /// assert_eq!(Job::new("prod\n", spec).unwrap_err().code(), ErrorCode::Name);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[doc(alias = "named")]
    pub fn new(name: impl AsRef<str>, spec: JobSpec<S>) -> Result<Job<S>, Error> {
        let name = name.as_ref();
        check_name(name)?;
        let spread = spec.distribution().quantile(spec.window());
        Ok(Job { name: name.into(), spec, spread })
    }
}

impl<S, D> Job<S, D> {
    /// The stable name of the job; in a cluster `namespace/name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The spec.
    pub const fn spec(&self) -> &JobSpec<S> {
        &self.spec
    }

    /// Returns the spec and drops the name.
    pub fn into_spec(self) -> JobSpec<S> {
        self.spec
    }

    #[cfg(feature = "rand_distr")]
    pub(crate) fn with_spread<E>(self, spread: E, algorithm: crate::Algorithm) -> Job<S, E> {
        Job { name: self.name, spec: self.spec.with_algorithm(algorithm), spread }
    }
}

impl<S, D: Sampler> Job<S, D> {
    /// Decides the period of a nominal time: any whole second of the years 1970 to 2099, on the schedule or not.
    ///
    /// # Errors
    ///
    /// [`NominalTime`](crate::ErrorCode::NominalTime) for any other instant.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily")?;
    /// assert_eq!(job.decide(86_400)?.chosen_timestamp(), Some(86_400));
    /// assert!(job.decide(-1).is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn decide(&self, nominal: impl Instant) -> Result<Decision<'_>, Error> {
        Ok(self.rules().decide(check_nominal(nominal)?, &mut ()))
    }

    /// Whether the period of a nominal time is unschedulable, and why, without more draws than that needs.
    ///
    /// # Errors
    ///
    /// Those of [`decide`](Job::decide).
    ///
    /// ```
    /// use kron_core::{Job, Unschedulable};
    /// let job = Job::parse("web/ping", "@hourly @win(after,10m) @avoid(hours=1)")?;
    /// assert_eq!(job.unschedulable(0)?, None);
    /// assert_eq!(job.unschedulable(3600)?, Some(Unschedulable::NoAllowedSecond));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn unschedulable(&self, nominal: impl Instant) -> Result<Option<Unschedulable>, Error> {
        Ok(self.rules().unschedulable(check_nominal(nominal)?))
    }

    #[inline]
    pub(crate) fn rules(&self) -> Rules<'_, D> {
        let spec = &self.spec;
        Rules {
            name: &self.name,
            zone: spec.timezone(),
            reach: spec.reach(),
            distribution: spec.distribution(),
            spread: &self.spread,
            seed: spec.seed(),
            constraints: spec.constraints(),
            algorithm: spec.algorithm(),
        }
    }
}

impl Job {
    /// Where in the window, from 0 to 1, a uniform number leads.
    #[inline]
    pub(crate) fn position(&self, u: f64) -> f64 {
        self.spread.at(self.spec.distribution(), u)
    }
}
