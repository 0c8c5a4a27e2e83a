//! Searches for periods and starts of one job.

use core::ops::ControlFlow;

use crate::constraint::Allowed;
use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Before, Decision, Rules, Unschedulable};
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
        self.first_start(Search::new(true, after.floor()))
    }

    /// The start with the greatest chosen time at or before an instant; of equal ones, that of the greatest nominal time.
    ///
    /// # Errors
    ///
    /// As [`next_start`](Job::next_start), backwards.
    pub fn prev_start(&self, at: impl Instant) -> Result<Decision<'_>, Error> {
        self.first_start(Search::new(false, at.floor()))
    }

    /// The first start in the direction of a search. Always inline, so that each direction is compiled by itself.
    #[inline(always)]
    fn first_start(&self, search: Search) -> Result<Decision<'_>, Error> {
        let next = search.first(self);
        let mut walk = Walk { job: self, search, next, best: None };
        match walk.go_on(SHORT, None) {
            Some(found) => found,
            None => walk.go_far(),
        }
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

/// Periods that a search decides one by one. A longer one shares between them what is known of the constraints.
pub(crate) const SHORT: u32 = 16;

/// A search for one start.
struct Walk<'a, S, D> {
    job: &'a Job<S, D>,
    search: Search,
    /// The next period to decide.
    next: Option<i64>,
    best: Option<Decision<'a>>,
}

impl<'a, S: NominalTimes, D: Spread> Walk<'a, S, D> {
    /// Decides so many periods. `None` if the search has not ended with them.
    #[inline(always)]
    fn go_on(
        &mut self,
        periods: u32,
        mut before: Option<&mut Before>,
    ) -> Option<Result<Decision<'a>, Error>> {
        let (rules, search) = (self.job.rules(), &mut self.search);
        let mut left = periods;
        while let Some(nominal) = self.next {
            let nearest = search.nearest(&rules, nominal);
            if self.best.as_ref().is_some_and(|best| !search.is_beyond(best.order_timestamp(), nearest))
                || search.is_beyond(nearest, search.limit)
            {
                break;
            }
            if left == 0 {
                return None;
            }
            left -= 1;
            let decision = match &mut before {
                None => rules.decide(nominal, &mut ()),
                Some(before) => rules.decide_next(nominal, before),
            };
            self.next = match decision.chosen_timestamp() {
                Some(chosen) => {
                    search.barren = 0;
                    if search.is_asked_for(chosen)
                        && !search.is_beyond(chosen, search.limit)
                        && self
                            .best
                            .as_ref()
                            .is_none_or(|best| search.is_beyond(best.order_timestamp(), chosen))
                    {
                        self.best = Some(decision);
                    }
                    search.following(self.job, nominal)
                }
                None => match search.skip(self.job, &decision) {
                    ControlFlow::Continue(next) => next,
                    ControlFlow::Break(_) if self.best.is_some() => break,
                    ControlFlow::Break(error) => return Some(Err(error)),
                },
            };
        }
        Some(self.best.ok_or_else(|| self.search.exhausted(self.next)))
    }

    #[inline(never)]
    fn go_far(mut self) -> Result<Decision<'a>, Error> {
        let mut before = Before::NONE;
        loop {
            if let Some(found) = self.go_on(u32::MAX, Some(&mut before)) {
                return found;
            }
        }
    }
}

/// The direction and the bounds of a search for starts, and its leaps over stretches that the constraints forbid.
///
/// Upwards it finds starts after the second that was asked about, downwards those up to it.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) up: bool,
    /// The second asked about.
    asked: i64,
    /// The last second looked at: five years from the one asked about.
    pub(crate) limit: i64,
    /// The bound of the range that is searched, beyond which nothing matters: the first second after it, or its first
    /// second for a search downwards.
    range: i64,
    /// Unschedulable periods in a row, as far as their windows end within the limit.
    pub(crate) barren: u32,
}

impl Search {
    #[inline(always)]
    pub(crate) fn new(up: bool, asked: i64) -> Search {
        let (limit, range) = match up {
            true => (asked.saturating_add(SEARCH_SECONDS), i64::MAX),
            false => (asked.saturating_sub(SEARCH_SECONDS), i64::MIN),
        };
        Search { up, asked, limit, range, barren: 0 }
    }

    /// The search for the starts in `[from, to)`.
    pub(crate) fn of_range(up: bool, from: i64, to: i64) -> Search {
        let (asked, range) = if up { (from, to) } else { (to, from) };
        Search { range, ..Search::new(up, asked.saturating_sub(1)) }
    }

    /// The search for what follows a start.
    #[inline]
    pub(crate) fn from(self, at: i64) -> Search {
        let asked = if self.up { at } else { at.saturating_sub(1) };
        Search { barren: self.barren, range: self.range, ..Search::new(self.up, asked) }
    }

    /// Whether the first of two seconds comes after the second one in the direction of the search.
    #[inline(always)]
    pub(crate) fn is_beyond(&self, one: i64, other: i64) -> bool {
        if self.up { one > other } else { one < other }
    }

    #[inline(always)]
    fn is_asked_for(&self, chosen: i64) -> bool {
        if self.up { chosen > self.asked } else { chosen <= self.asked }
    }

    /// The first second of a period's window in the direction of the search.
    #[inline(always)]
    pub(crate) fn nearest<D>(&self, rules: &Rules<'_, D>, nominal: i64) -> i64 {
        nominal + if self.up { rules.reach.first } else { rules.reach.last }
    }

    /// The last second of a period's window in the direction of the search.
    #[inline(always)]
    fn farthest<D>(&self, rules: &Rules<'_, D>, nominal: i64) -> i64 {
        nominal + if self.up { rules.reach.last } else { rules.reach.first }
    }

    /// The first nominal time whose window reaches into what is asked for.
    #[inline(always)]
    pub(crate) fn first<S: NominalTimes, D: Spread>(&self, job: &Job<S, D>) -> Option<i64> {
        let reach = job.rules().reach;
        match self.up {
            true => job.next_nominal(self.asked.saturating_sub(reach.last)),
            false => job.prev_nominal(self.asked.saturating_sub(reach.first)),
        }
    }

    /// The first nominal time whose window holds a second or lies beyond it.
    pub(crate) fn first_from<S: NominalTimes, D: Spread>(&self, job: &Job<S, D>, second: i64) -> Option<i64> {
        Search::new(self.up, if self.up { second.saturating_sub(1) } else { second }).first(job)
    }

    /// The nominal time after one, in the direction of the search.
    #[inline(always)]
    pub(crate) fn following<S: NominalTimes, D: Spread>(&self, job: &Job<S, D>, nominal: i64) -> Option<i64> {
        if self.up { job.next_nominal(nominal) } else { job.prev_nominal(nominal - 1) }
    }

    /// The next nominal time after an unschedulable period. Periods whose windows lie wholly in a stretch without any
    /// allowed second are counted but not decided: they are unschedulable too.
    pub(crate) fn skip<S: NominalTimes, D: Spread>(
        &mut self,
        job: &Job<S, D>,
        decision: &Decision<'_>,
    ) -> ControlFlow<Error, Option<i64>> {
        let rules = job.rules();
        // A window whose draws were exhausted says nothing about the next one.
        let drawn = decision.unschedulable() == Some(Unschedulable::DrawsExhausted);
        let beyond = if drawn { None } else { self.next_allowed(&rules, decision) };
        let mut nominal = decision.nominal_timestamp();
        let mut barren = self.barren;
        loop {
            barren += u32::from(!self.is_beyond(self.farthest(&rules, nominal), self.limit));
            if barren >= SEARCH_UNSCHEDULABLE {
                // The search stays as it was, so that it fails again in the same way.
                let kind = SearchError::Unschedulable { periods: barren, last: nominal };
                return ControlFlow::Break(Error::new("constraints", kind));
            }
            let Some(next) = self.following(job, nominal) else {
                self.barren = barren;
                return ControlFlow::Continue(None);
            };
            nominal = next;
            let (nearest, farthest) = (self.nearest(&rules, nominal), self.farthest(&rules, nominal));
            let meets_allowed = drawn || beyond.is_some_and(|allowed| !self.is_beyond(allowed, farthest));
            let leaves = self.is_beyond(nearest, self.limit) || self.leaves_range(nearest);
            if meets_allowed || leaves {
                self.barren = barren;
                return ControlFlow::Continue(Some(nominal));
            }
        }
    }

    /// Whether a window that begins there, seen in the direction of the search, lies beyond the range.
    #[inline(always)]
    pub(crate) fn leaves_range(&self, nearest: i64) -> bool {
        if self.up { nearest >= self.range } else { nearest < self.range }
    }

    /// The nearest allowed second from a window on that has none, within the limit.
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
