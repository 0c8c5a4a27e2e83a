//! Jobs: a spec with a name, which together decide start times.

use alloc::boxed::Box;
use core::ops::ControlFlow;

use crate::bounds::{NAME_BYTES, NOMINAL_MAX, NOMINAL_MIN, SEARCH_SECONDS, SEARCH_UNSCHEDULABLE};
use crate::constraint::Allowed;
use crate::cron::Cron;
use crate::decision::{Decision, Rules};
use crate::distribution::{Quantile, Spread};
use crate::error::{Error, SearchError, Snippet, ValueError};
use crate::instant::Instant;
use crate::nominal::NominalTimes;
use crate::spec::JobSpec;

/// A job: a name and a spec.
///
/// Everything about time is asked here, in two orders that each call names. *Starts* go by chosen time and are
/// schedulable; *periods* go by nominal time and may be unschedulable. `S` is where nominal times come from, `D` what
/// makes positions in the window; both are Kron's own unless said otherwise.
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
    /// What the spec's distribution over the spec's window has computed ahead.
    spread: D,
}

/// Checks a name: 1 to 1024 bytes without control characters.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let error = |kind| Err(Error::new("name", kind).at(0..name.len()));
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
        return Err(Error::new("nominal", SearchError::NominalFraction));
    }
    if !(NOMINAL_MIN..=NOMINAL_MAX).contains(&second) {
        return Err(Error::new("nominal", SearchError::NominalRange));
    }
    Ok(second)
}

impl Job {
    /// A job from its name and its text form.
    ///
    /// # Errors
    ///
    /// What is wrong with either.
    ///
    /// ```
    /// assert!(kron_core::Job::parse("", "@daily").is_err());
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Job, Error> {
        Job::new(name, JobSpec::parse(text)?)
    }
}

impl<S> Job<S> {
    /// A job from its name and its spec.
    ///
    /// # Errors
    ///
    /// [`Name`](crate::ErrorCode::Name) or [`OutOfBounds`](crate::ErrorCode::OutOfBounds), unless the name has
    /// 1 to 1024 bytes without control characters.
    pub fn new(name: &str, spec: JobSpec<S>) -> Result<Job<S>, Error> {
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

    /// The spec, for good.
    pub fn into_spec(self) -> JobSpec<S> {
        self.spec
    }

    #[cfg(feature = "rand_distr")]
    pub(crate) fn with_spread<E>(self, spread: E, algorithm: crate::Algorithm) -> Job<S, E> {
        Job { name: self.name, spec: self.spec.with_algorithm(algorithm), spread }
    }
}

impl<S, D: Spread> Job<S, D> {
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

    #[inline]
    pub(crate) fn rules(&self) -> Rules<'_, D> {
        let spec = &self.spec;
        Rules {
            name: &self.name,
            zone: spec.timezone(),
            reach: spec.window().reach(spec.algorithm()),
            distribution: spec.distribution(),
            spread: &self.spread,
            seed: spec.seed(),
            constraints: spec.constraints(),
            algorithm: spec.algorithm(),
        }
    }
}

impl<S: NominalTimes, D: Spread> Job<S, D> {
    /// The period with the smallest nominal time after an instant, schedulable or not.
    ///
    /// # Errors
    ///
    /// [`NoPeriod`](crate::ErrorCode::NoPeriod) if the schedule has none up to 2099.
    pub fn next_period(&self, after: impl Instant) -> Result<Decision<'_>, Error> {
        let none = || Error::new("schedule", SearchError::NoPeriod { after: true });
        let nominal = self.next_nominal(after.floor()).ok_or_else(none)?;
        Ok(self.rules().decide(nominal, &mut ()))
    }

    /// The period with the greatest nominal time at or before an instant, schedulable or not.
    ///
    /// # Errors
    ///
    /// [`NoPeriod`](crate::ErrorCode::NoPeriod) if the schedule has none from 1970 on.
    pub fn prev_period(&self, at: impl Instant) -> Result<Decision<'_>, Error> {
        let none = || Error::new("schedule", SearchError::NoPeriod { after: false });
        let nominal = self.prev_nominal(at.floor()).ok_or_else(none)?;
        Ok(self.rules().decide(nominal, &mut ()))
    }

    /// The start with the smallest chosen time after an instant; of equal ones, that of the smallest nominal time.
    ///
    /// # Errors
    ///
    /// [`NoStartInSight`](crate::ErrorCode::NoStartInSight) if there is none within five years (1827 days),
    /// [`NoSchedulablePeriod`](crate::ErrorCode::NoSchedulablePeriod) after 100,000 unschedulable periods in a row,
    /// [`NoPeriod`](crate::ErrorCode::NoPeriod) at the end of 2099.
    pub fn next_start(&self, after: impl Instant) -> Result<Decision<'_>, Error> {
        let after = after.floor();
        let rules = self.rules();
        let mut search = Search::upwards(after);
        let mut best: Option<Decision<'_>> = None;
        // No earlier window reaches past `after`.
        let mut next = self.next_nominal(after.saturating_sub(rules.reach.last));
        while let Some(nominal) = next {
            let window_start = nominal + rules.reach.first;
            if best.as_ref().is_some_and(|best| window_start > best.order_timestamp())
                || window_start > search.limit
            {
                break;
            }
            let decision = rules.decide(nominal, &mut ());
            next = match decision.chosen_timestamp() {
                Some(chosen) => {
                    search.barren = 0;
                    if chosen > after
                        && chosen <= search.limit
                        && best.as_ref().is_none_or(|best| chosen < best.order_timestamp())
                    {
                        best = Some(decision);
                    }
                    self.next_nominal(nominal)
                }
                None => match search.skip(self, &decision) {
                    ControlFlow::Continue(next) => next,
                    ControlFlow::Break(_) if best.is_some() => break,
                    ControlFlow::Break(error) => return Err(error),
                },
            };
        }
        best.ok_or_else(|| search.exhausted(next))
    }

    /// The start with the greatest chosen time at or before an instant; of equal ones, that of the greatest nominal time.
    ///
    /// # Errors
    ///
    /// As [`next_start`](Job::next_start), backwards.
    pub fn prev_start(&self, at: impl Instant) -> Result<Decision<'_>, Error> {
        let at = at.floor();
        let rules = self.rules();
        let mut search = Search::downwards(at);
        let mut best: Option<Decision<'_>> = None;
        // No later window begins at or before `at`.
        let mut prev = self.prev_nominal(at.saturating_sub(rules.reach.first));
        while let Some(nominal) = prev {
            let window_end = nominal + rules.reach.last;
            if best.as_ref().is_some_and(|best| window_end <= best.order_timestamp())
                || window_end < search.limit
            {
                break;
            }
            let decision = rules.decide(nominal, &mut ());
            prev = match decision.chosen_timestamp() {
                Some(chosen) => {
                    search.barren = 0;
                    if chosen <= at
                        && chosen >= search.limit
                        && best.as_ref().is_none_or(|best| chosen > best.order_timestamp())
                    {
                        best = Some(decision);
                    }
                    self.prev_nominal(nominal - 1)
                }
                None => match search.skip(self, &decision) {
                    ControlFlow::Continue(prev) => prev,
                    ControlFlow::Break(_) if best.is_some() => break,
                    ControlFlow::Break(error) => return Err(error),
                },
            };
        }
        best.ok_or_else(|| search.exhausted(prev))
    }

    /// The source's next nominal time, held to the years there are and to moving on.
    #[inline]
    pub(crate) fn next_nominal(&self, after: i64) -> Option<i64> {
        let after = after.max(NOMINAL_MIN - 1);
        let nominal = self.spec.schedule().next_nominal(self.spec.timezone(), after)?;
        (nominal > after && nominal <= NOMINAL_MAX).then_some(nominal)
    }

    /// The source's last nominal time, held to the years there are and to moving on.
    #[inline]
    pub(crate) fn prev_nominal(&self, at: i64) -> Option<i64> {
        let at = at.min(NOMINAL_MAX);
        let nominal = self.spec.schedule().prev_nominal(self.spec.timezone(), at)?;
        (nominal <= at && nominal >= NOMINAL_MIN).then_some(nominal)
    }
}

/// The bounds of a search for starts, and its leaps over stretches that the constraints forbid.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    up: bool,
    /// The last second looked at.
    pub(crate) limit: i64,
    /// The bound of the range that is searched, beyond which nothing matters: the first second after it, or its first
    /// second for a search downwards.
    range: i64,
    /// Unschedulable periods in a row.
    pub(crate) barren: u32,
}

impl Search {
    pub(crate) fn upwards(from: i64) -> Search {
        Search { up: true, limit: from.saturating_add(SEARCH_SECONDS), range: i64::MAX, barren: 0 }
    }

    pub(crate) fn downwards(from: i64) -> Search {
        Search { up: false, limit: from.saturating_sub(SEARCH_SECONDS), range: i64::MIN, barren: 0 }
    }

    /// The same search, up to the bound of a range.
    pub(crate) fn within(self, range: i64) -> Search {
        Search { range, ..self }
    }

    /// The search for what follows a start.
    pub(crate) fn from(self, at: i64) -> Search {
        let fresh = if self.up { Search::upwards(at) } else { Search::downwards(at) };
        Search { barren: self.barren, ..fresh.within(self.range) }
    }

    /// The next nominal time after an unschedulable period. Periods whose windows lie wholly in a stretch without any
    /// allowed second are counted but not decided: they are unschedulable too.
    pub(crate) fn skip<S: NominalTimes, D: Spread>(
        &mut self,
        job: &Job<S, D>,
        decision: &Decision<'_>,
    ) -> ControlFlow<Error, Option<i64>> {
        let rules = job.rules();
        let beyond = self.next_allowed(&rules, decision);
        let mut nominal = decision.nominal_timestamp();
        loop {
            self.barren += 1;
            if self.barren >= SEARCH_UNSCHEDULABLE {
                let kind = SearchError::Unschedulable { periods: self.barren, last: nominal };
                return ControlFlow::Break(Error::new("constraints", kind));
            }
            let next = if self.up { job.next_nominal(nominal) } else { job.prev_nominal(nominal - 1) };
            let Some(next) = next else { return ControlFlow::Continue(None) };
            nominal = next;
            let (first, last) = (nominal + rules.reach.first, nominal + rules.reach.last);
            let meets_allowed =
                beyond.is_some_and(|allowed| if self.up { last >= allowed } else { first <= allowed });
            let leaves = if self.up {
                first > self.limit || first >= self.range
            } else {
                last < self.limit || last < self.range
            };
            if meets_allowed || leaves {
                return ControlFlow::Continue(Some(nominal));
            }
        }
    }

    /// The nearest allowed second from a window on, within the limit. The window itself holds one only if its draws were
    /// exhausted.
    fn next_allowed<D>(&self, rules: &Rules<'_, D>, decision: &Decision<'_>) -> Option<i64> {
        let allowed = |first, last| Allowed { constraints: rules.constraints, zone: rules.zone, first, last };
        if self.up {
            return allowed(decision.window_start_timestamp(), self.limit).nth(0);
        }
        // Backwards by ever longer stretches, so that a near answer costs little.
        let (mut last, mut length) = (decision.window_end_timestamp(), crate::civil::DAY);
        while last >= self.limit {
            let first = self.limit.max(last - length);
            let stretch = allowed(first, last);
            if let Some(index) = stretch.count().checked_sub(1) {
                return stretch.nth(index);
            }
            (last, length) = (first - 1, length * 2);
        }
        None
    }

    /// The error of a search that ended before a nominal time, or at the end of the schedule.
    pub(crate) fn exhausted(&self, stopped_at: Option<i64>) -> Error {
        let kind = match stopped_at {
            None => SearchError::NoPeriod { after: self.up },
            Some(_) => SearchError::Horizon { up: self.up, until: self.limit, barren: self.barren },
        };
        Error::new(if self.barren > 0 { "constraints" } else { "schedule" }, kind)
    }
}
