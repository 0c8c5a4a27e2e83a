//! Searches for periods and starts of one job.

use core::ops::Range;

use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Decision, Shared, Unschedulable};
use crate::draw::distribution::Sampler;
use crate::error::{Error, SearchError};
use crate::job::Job;
use crate::limits::{NOMINAL_MAX, NOMINAL_MIN, SEARCH_SECONDS, SEARCH_UNSCHEDULABLE};
use crate::time::instant::Instant;
use crate::time::search_direction::SearchDirection;

impl<S: NominalTimes, D: Sampler> Job<S, D> {
    /// The period with the smallest nominal time after an instant, schedulable or not.
    ///
    /// # Errors
    ///
    /// [`NoPeriod`](crate::ErrorCode::NoPeriod) if the schedule has none up to 2099.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 0 * * MON @win(before,3h)")?;
    /// let midnight = chrono::DateTime::parse_from_rfc3339("2026-03-01T23:30:00Z").unwrap();
    /// // The start may have passed already: periods are in order of nominal time.
    /// assert_eq!(job.next_period(midnight)?.period_id(), "2026-03-02T00:00:00Z");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_period(&self, after: impl Instant) -> Result<Decision<'_>, Error> {
        let none = || Error::of("schedule", SearchError::NoPeriod { after: true });
        let nominal = self.next_nominal_timestamp(after.floor()).ok_or_else(none)?;
        Ok(self.rules().decide(nominal, &mut ()))
    }

    /// The period with the greatest nominal time at or before an instant, schedulable or not.
    ///
    /// # Errors
    ///
    /// [`NoPeriod`](crate::ErrorCode::NoPeriod) if the schedule has none from 1970 on.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 0 * * MON @win(after,3h)")?;
    /// let at = chrono::DateTime::parse_from_rfc3339("2026-03-05T12:00:00Z").unwrap();
    /// assert_eq!(job.prev_period(at)?.period_id(), "2026-03-02T00:00:00Z");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prev_period(&self, at: impl Instant) -> Result<Decision<'_>, Error> {
        let none = || Error::of("schedule", SearchError::NoPeriod { after: false });
        let nominal = self.prev_nominal_timestamp(at.floor()).ok_or_else(none)?;
        Ok(self.rules().decide(nominal, &mut ()))
    }

    /// The start with the smallest chosen time after an instant; of equal ones, that of the smallest nominal time.
    ///
    /// # Errors
    ///
    /// [`NoStartInSight`](crate::ErrorCode::NoStartInSight) if there is none within five years (1827 days),
    /// [`NoSchedulablePeriod`](crate::ErrorCode::NoSchedulablePeriod) after 100,000 unschedulable periods in a row,
    /// [`NoPeriod`](crate::ErrorCode::NoPeriod) at the end of 2099. Time before the first possible window does not count
    /// towards the five years.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Job};
    /// let at = chrono::DateTime::parse_from_rfc3339("2026-03-01T12:00:00Z").unwrap();
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)")?;
    /// assert_eq!(job.next_start(at)?.chosen_time().unwrap().to_rfc3339(), "2026-03-02T00:09:23+00:00");
    ///
    /// let never = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @only(hours=7)")?;
    /// assert_eq!(never.next_start(at).unwrap_err().code(), ErrorCode::NoStartInSight);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_start(&self, after: impl Instant) -> Result<Decision<'_>, Error> {
        Walk::after(self, after.floor()).up_to_limit().first_start()
    }

    /// The start with the greatest chosen time at or before an instant; of equal ones, that of the greatest nominal time.
    ///
    /// # Errors
    ///
    /// The errors of [`next_start`](Job::next_start), for a search back in time, which ends at the beginning of 1970.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)")?;
    /// let at = chrono::DateTime::parse_from_rfc3339("2026-03-02T12:00:00Z").unwrap();
    /// assert_eq!(job.prev_start(at)?.chosen_time().unwrap().to_rfc3339(), "2026-03-02T00:09:23+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prev_start(&self, at: impl Instant) -> Result<Decision<'_>, Error> {
        Walk::until(self, at.floor()).up_to_limit().first_start()
    }

    /// The smallest nominal time after a Unix second, without its decision; `None` outside the years of nominal times, or if the
    /// source of nominal times does not move forward.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// assert_eq!(job.next_nominal_timestamp(0), Some(3600)); // not 0 itself
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn next_nominal_timestamp(&self, after: i64) -> Option<i64> {
        let after = after.max(NOMINAL_MIN - 1);
        let (schedule, zone) = (self.spec.schedule(), self.spec.timezone());
        let nominal = match self.spec.day_rules() {
            None => schedule.next_nominal(zone, after),
            Some(days) => days.next_nominal(schedule, zone, after),
        }?;
        (nominal > after && nominal <= NOMINAL_MAX).then_some(nominal)
    }

    /// The greatest nominal time at or before a Unix second, without its decision; `None` outside the years of nominal times, or if
    /// the source of nominal times does not move back.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// assert_eq!(job.prev_nominal_timestamp(3600), Some(3600)); // the time itself
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn prev_nominal_timestamp(&self, at: i64) -> Option<i64> {
        let at = at.min(NOMINAL_MAX);
        let (schedule, zone) = (self.spec.schedule(), self.spec.timezone());
        let nominal = match self.spec.day_rules() {
            None => schedule.prev_nominal(zone, at),
            Some(days) => days.prev_nominal(schedule, zone, at),
        }?;
        (nominal <= at && nominal >= NOMINAL_MIN).then_some(nominal)
    }

    /// Whether a Unix second is a nominal time of the job. [`decide`](Job::decide) takes any second.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// assert!(job.is_on_schedule(3600) && !job.is_on_schedule(60));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn is_on_schedule(&self, second: i64) -> bool {
        self.prev_nominal_timestamp(second) == Some(second)
    }

    /// The number of nominal times from `first` to `last`, both included, in Unix seconds.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// assert_eq!(job.count_nominal_times(0, 7200), 3);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn count_nominal_times(&self, first: i64, last: i64) -> u64 {
        let (first, last) = (first.max(NOMINAL_MIN), last.min(NOMINAL_MAX));
        let (schedule, zone) = (self.spec.schedule(), self.spec.timezone());
        match self.spec.day_rules() {
            None => schedule.count_nominal(zone, first, last),
            Some(days) => days.count_nominal(schedule, zone, first, last),
        }
    }
}

impl<S, D: Sampler> Job<S, D> {
    /// The first second of the first possible window, and the last one of the last.
    #[inline(always)]
    fn bounds_of_starts(&self) -> (i64, i64) {
        let reach = self.rules().reach;
        (NOMINAL_MIN + reach.first, NOMINAL_MAX + reach.last)
    }
}

/// A walk over the periods of a job in one direction, for their starts.
///
/// It decides one period after another, in order of nominal time, and skips stretches that the constraints forbid. Both
/// directions use the same code: of two instants, the one that the walk comes to later is *beyond* the other.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a, S, D> {
    job: &'a Job<S, D>,
    pub(crate) direction: SearchDirection,
    /// The next period to decide.
    pub(crate) next: Option<i64>,
    /// The first and the last second in which a start is looked for.
    origin: i64,
    end: i64,
    /// The last second in which the next start may lie: five years from the instant that was asked about, or the end of a range.
    limit: i64,
    /// Whether a range has an end: then neither a gap nor unschedulable periods end the walk before it.
    has_end: bool,
    /// How far the nearest and the farthest second of a window lie from its nominal time.
    reach: (i64, i64),
    /// Unschedulable periods in a row whose windows end within the limit.
    barren: u32,
    shared: Shared,
}

impl<'a, S: NominalTimes, D: Sampler> Walk<'a, S, D> {
    /// A walk for the starts after an instant.
    #[inline(always)]
    pub(crate) fn after(job: &'a Job<S, D>, asked: i64) -> Walk<'a, S, D> {
        // No start lies before the first window, so time before it does not count.
        let asked = asked.max(job.bounds_of_starts().0 - 1);
        Walk::new(job, SearchDirection::Forward, asked, asked.saturating_add(1))
    }

    /// A walk for the starts up to an instant, latest first.
    #[inline(always)]
    pub(crate) fn until(job: &'a Job<S, D>, asked: i64) -> Walk<'a, S, D> {
        // No start lies after the last window, so time after it does not count.
        let asked = asked.min(job.bounds_of_starts().1);
        Walk::new(job, SearchDirection::Backward, asked, asked)
    }

    #[inline(always)]
    fn new(job: &'a Job<S, D>, direction: SearchDirection, asked: i64, origin: i64) -> Walk<'a, S, D> {
        let reach = job.rules().reach;
        let mut walk = Walk {
            job,
            direction,
            next: None,
            origin,
            end: direction.advance(origin, i64::MAX),
            limit: direction.advance(asked, SEARCH_SECONDS),
            has_end: false,
            reach: direction.ends(reach.first, reach.last),
            barren: 0,
            shared: Shared::default(),
        };
        walk.next = walk.first_from(origin);
        walk
    }

    /// The same walk, for no start beyond the limit.
    #[inline(always)]
    fn up_to_limit(self) -> Walk<'a, S, D> {
        Walk { end: self.limit, ..self }
    }

    /// A walk for the starts of a range. It goes on to the end of the range; in one without an end it has the limits of a search.
    pub(crate) fn over(
        job: &'a Job<S, D>,
        direction: SearchDirection,
        seconds: Range<i64>,
    ) -> Walk<'a, S, D> {
        let Range { start, end } = seconds;
        let (walk, last) = match direction {
            SearchDirection::Forward => {
                (Walk::after(job, start.saturating_sub(1)), (end != i64::MAX).then(|| end.saturating_sub(1)))
            }
            SearchDirection::Backward => {
                (Walk::until(job, end.saturating_sub(1)), (start != i64::MIN).then_some(start))
            }
        };
        match last {
            None => walk,
            Some(last) => {
                let (first_window, last_window) = job.bounds_of_starts();
                Walk { end: last, limit: last.clamp(first_window, last_window), has_end: true, ..walk }
            }
        }
    }

    /// The first start. Always inline, so that each direction is compiled separately.
    #[inline(always)]
    fn first_start(&mut self) -> Result<Decision<'a>, Error> {
        let mut best: Option<Decision<'a>> = None;
        loop {
            let order = best.as_ref().map(Decision::order_timestamp);
            match self.next_before(order) {
                Ok(Some(start)) => {
                    if order.is_none_or(|order| self.direction.is_beyond(order, start.order_timestamp())) {
                        best = Some(start);
                    }
                }
                Ok(None) => return best.ok_or_else(|| self.nothing_found()),
                Err(error) => return best.ok_or(error),
            }
        }
    }

    /// Decides periods up to the next one whose start lies in the range of the walk. `None` if no remaining period can
    /// come before `first`, the first start found so far, or if all lie beyond the end.
    ///
    /// A walk that fails does not change, so it fails again in the same way.
    #[inline(always)]
    pub(crate) fn next_before(&mut self, first: Option<i64>) -> Result<Option<Decision<'a>>, Error> {
        let rules = self.job.rules();
        while let Some(nominal) = self.next {
            let (nearest, _) = self.window(nominal);
            let is_final = first.is_some_and(|first| !self.direction.is_beyond(first, nearest));
            if is_final || self.direction.is_beyond(nearest, self.end) {
                break;
            }
            if self.direction.is_beyond(nearest, self.limit) {
                return Err(self.nothing_found());
            }
            let decision = rules.decide_next(nominal, &mut self.shared);
            match decision.chosen_timestamp() {
                Some(chosen) => {
                    self.barren = 0;
                    self.next = self.following(nominal);
                    if !self.direction.is_beyond(self.origin, chosen)
                        && !self.direction.is_beyond(chosen, self.end)
                    {
                        return Ok(Some(decision));
                    }
                }
                None => self.skip(&decision)?,
            }
        }
        Ok(None)
    }

    /// Whether no remaining period can start before a second.
    #[inline(always)]
    pub(crate) fn precedes_rest(&self, chosen: i64) -> bool {
        self.next.is_none_or(|next| !self.direction.is_beyond(chosen, self.window(next).0))
    }

    /// Moves the limit: from now on it counts from a start that was found.
    #[inline(always)]
    pub(crate) fn found(&mut self, start: i64) {
        if self.has_end {
            return;
        }
        let asked = match self.direction {
            SearchDirection::Forward => start,
            SearchDirection::Backward => start.saturating_sub(1),
        };
        self.limit = self.direction.advance(asked, SEARCH_SECONDS);
    }

    /// Whether a start lies too far from the instant that was asked about.
    #[inline(always)]
    pub(crate) fn is_beyond_limit(&self, start: i64) -> bool {
        self.direction.is_beyond(start, self.limit)
    }

    /// Goes back to the first period that can start at a second.
    pub(crate) fn return_to(&mut self, second: i64) {
        self.next = self.first_from(second);
        self.barren = 0;
    }

    /// The decision of a period that the walk has decided before.
    #[inline]
    pub(crate) fn decide_again(&mut self, nominal: i64) -> Decision<'a> {
        self.job.rules().decide_next(nominal, &mut self.shared)
    }

    /// The first nominal time whose window holds a second or lies beyond it.
    #[inline(always)]
    fn first_from(&self, second: i64) -> Option<i64> {
        let nominal = second.saturating_sub(self.reach.1);
        match self.direction {
            SearchDirection::Forward => self.job.next_nominal_timestamp(nominal.saturating_sub(1)),
            SearchDirection::Backward => self.job.prev_nominal_timestamp(nominal),
        }
    }

    /// The nominal time after one.
    #[inline(always)]
    fn following(&self, nominal: i64) -> Option<i64> {
        match self.direction {
            SearchDirection::Forward => self.job.next_nominal_timestamp(nominal),
            SearchDirection::Backward => self.job.prev_nominal_timestamp(nominal - 1),
        }
    }

    /// The nearest and the farthest second of a period's window.
    #[inline(always)]
    fn window(&self, nominal: i64) -> (i64, i64) {
        (nominal + self.reach.0, nominal + self.reach.1)
    }

    /// Continues after an unschedulable period. Periods whose windows lie wholly in a stretch without any allowed second are
    /// counted but not decided: they are unschedulable too.
    fn skip(&mut self, decision: &Decision<'_>) -> Result<(), Error> {
        let (mut nominal, rules) = (decision.nominal_timestamp(), self.job.rules());
        // A window whose draws were exhausted says nothing about the next one.
        let drawn = decision.unschedulable() == Some(Unschedulable::DrawsExhausted);
        let (nearest, _) = self.window(nominal);
        let allowed = match drawn {
            true => None,
            false => self.shared.nearest_allowed(&rules, self.direction, nearest, self.limit),
        };
        if self.has_end {
            self.next = match (drawn, allowed) {
                (true, _) => self.following(nominal),
                (false, None) => None,
                // A later period than this one, whose window has no allowed second.
                (false, Some(allowed)) => self
                    .first_from(allowed)
                    .filter(|next| self.direction.is_beyond(*next, nominal))
                    .or_else(|| self.following(nominal)),
            };
            return Ok(());
        }
        let mut barren = self.barren;
        loop {
            barren += u32::from(!self.direction.is_beyond(self.window(nominal).1, self.limit));
            if barren >= SEARCH_UNSCHEDULABLE {
                let kind = SearchError::Unschedulable { periods: barren, last: nominal };
                return Err(Error::of("constraints", kind));
            }
            let Some(next) = self.following(nominal) else {
                (self.next, self.barren) = (None, barren);
                return Ok(());
            };
            nominal = next;
            let (nearest, farthest) = self.window(nominal);
            let meets_allowed = allowed.is_some_and(|allowed| !self.direction.is_beyond(allowed, farthest));
            let leaves = [self.limit, self.end].iter().any(|end| self.direction.is_beyond(nearest, *end));
            if drawn || meets_allowed || leaves {
                (self.next, self.barren) = (Some(nominal), barren);
                return Ok(());
            }
        }
    }

    /// The error of a walk that ended before its next period, or at the end of the schedule.
    #[cold]
    pub(crate) fn nothing_found(&self) -> Error {
        let forward = self.direction == SearchDirection::Forward;
        let kind = match self.next {
            None => SearchError::NoPeriod { after: forward },
            Some(next) => SearchError::Horizon { up: forward, until: self.limit, barren: self.barren, next },
        };
        Error::of(if self.barren > 0 { "constraints" } else { "schedule" }, kind)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    /// 2026-03-01T00:00:00Z.
    const NOW: i64 = 1_772_323_200;

    /// Every sixteenth minute of a day, in as many clauses as this needs.
    fn minutes(day: &str) -> String {
        let clock = |at: u32| format!("{:02}:{:02}", at / 60, at % 60);
        let all: Vec<String> = (0..1440).step_by(16).map(|at| format!("{0}-{0}", clock(at))).collect();
        all.chunks(10).map(|some| format!(" @only({day}between={})", some.join(","))).collect()
    }

    /// The work of the costliest known texts, with windows of two months, in both directions. Periods share tables: few
    /// are decided alone, the days of a window are computed a few times in all, and few of a period's 64 draws need
    /// their quantile.
    #[test]
    fn the_work_of_a_search_is_bounded() {
        let sharp =
            "* * * * * @win(before,1464h) @dist(exponential,lambda=1e300) @only(dow=MON;between=00:00-00:00)";
        let around = "* * * * * @tz(Africa/Casablanca) @win(around,1464h) @dist(skewLate,shape=40.3)";
        let after = "* * * * * @win(after,1464h) @dist(normal)";
        let first = "* * * * * @win(before,1464h) @dist(skewEarly,shape=3.7) @alg(sha256-splitmix64/1)";
        for text in [
            String::from(sharp),
            format!("{around}{}", minutes("dow=MON;")),
            // Few periods start before the other day, a window later.
            format!("{after}{}{}", minutes("date=2026-02-28;"), minutes("date=2026-04-29;")),
            format!("{first} @only(dow=MON;between=00:00-00:03)"),
            String::from("* * * * * @win(after,1464h) @avoid(hours=0-23)"),
        ] {
            let job = Job::parse("costly/text", &text).unwrap();
            for mut walk in [Walk::after(&job, NOW).up_to_limit(), Walk::until(&job, NOW).up_to_limit()] {
                let found = walk.first_start();
                let work = walk.shared.work;
                let overlapping = 61 * 1440;
                assert!(found.is_ok() || work.by_table < 100, "{text}: {found:?}");
                assert!(work.alone < 100, "{text}: {work:?}");
                assert!(work.by_table < 2 * overlapping + 20_000, "{text}: {work:?}");
                assert!(work.days < 5 * 3 * 61, "{text}: {work:?}");
                assert!(work.forbidden < 40_000 + 8 * work.by_table, "{text}: {work:?}");
            }
        }
    }
}
