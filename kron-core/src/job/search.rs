//! Searches for periods and starts of one job.

use core::ops::ControlFlow;

use crate::constraint::Allowed;
use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Decision, Rules};
use crate::draw::distribution::Spread;
use crate::error::{Error, SearchError};
use crate::job::Job;
use crate::limits::{NOMINAL_MAX, NOMINAL_MIN, SEARCH_SECONDS, SEARCH_UNSCHEDULABLE};
use crate::time::civil::DAY;
use crate::time::instant::Instant;

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
        let (mut last, mut length) = (decision.window_end_timestamp(), DAY);
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
