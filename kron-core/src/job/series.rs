//! Series of periods and starts over ranges, in both orders and both directions.

use alloc::collections::BinaryHeap;
use core::ops::RangeBounds;

use crate::cron::Cron;
use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Decision, Shared};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{Quantile, Sampler};
use crate::error::Error;
use crate::job::Job;
use crate::job::search::Walk;
use crate::limits::NOMINAL_MAX;
use crate::time::civil::DAY;
use crate::time::instant::{Instant, seconds_of};
use crate::time::search_direction::SearchDirection;

impl<S: NominalTimes, D: Sampler> Job<S, D> {
    /// The periods with nominal times in a range, in order of nominal time.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m) @avoid(hours=2)")?;
    /// let ids: Vec<String> = job.periods(0..4 * 3600).map(|decision| decision.period_id()).collect();
    /// assert_eq!(ids.len(), 4);
    /// assert_eq!(ids[2], "1970-01-01T02:00:00Z"); // unschedulable, and listed
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn periods<I: Instant>(&self, range: impl RangeBounds<I>) -> PeriodSeries<'_, S, D> {
        let seconds = seconds_of(range);
        let next = self.next_nominal_timestamp(seconds.start.saturating_sub(1));
        PeriodSeries { job: self, next, bound: seconds.end, direction: SearchDirection::Forward }
    }

    /// The periods with nominal times in a range, latest first.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// let ids: Vec<String> = job.periods_back(0..7200).map(|period| period.period_id()).collect();
    /// assert_eq!(ids, ["1970-01-01T01:00:00Z", "1970-01-01T00:00:00Z"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn periods_back<I: Instant>(&self, range: impl RangeBounds<I>) -> PeriodSeries<'_, S, D> {
        let seconds = seconds_of(range);
        let next = self.prev_nominal_timestamp(seconds.end.saturating_sub(1));
        PeriodSeries { job: self, next, bound: seconds.start, direction: SearchDirection::Backward }
    }

    /// The starts with chosen times in a range, in order of chosen time (ties: nominal time). `a..b` has a start at `a`,
    /// and none at `b`; `a..` has no end, so take as many starts as you need. Windows may overlap in any number of
    /// periods: the series keeps 8 bytes for each pending start, and at most half a megabyte.
    ///
    /// A range that has an end is searched to it, and has no errors. One without an end has the results of repeated calls of
    /// [`next_start`](Job::next_start) from the second before the range on, and the same errors: a gap of more than five years
    /// (1827 days), or 100,000 unschedulable periods in a row, end it with an error.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "*/20 * * * * @win(after,1h)")?;
    /// let starts = job.starts(0..86_400).collect::<Result<Vec<_>, _>>()?;
    /// assert!(starts.is_sorted_by_key(|decision| decision.chosen_timestamp()));
    ///
    /// let next: Vec<_> = job.starts(0..).take(3).collect::<Result<_, _>>()?;
    /// assert_eq!(next, starts[..3]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[doc(alias = "upcoming")]
    #[doc(alias = "iter_from")]
    #[doc(alias = "occurrences")]
    pub fn starts<I: Instant>(&self, range: impl RangeBounds<I>) -> StartSeries<'_, S, D> {
        StartSeries::new(Walk::over(self, SearchDirection::Forward, seconds_of(range)))
    }

    /// The starts with chosen times in a range, latest first. A range that has a beginning is searched back to it. One without a
    /// beginning has the results of repeated calls of [`prev_start`](Job::prev_start) from its last second on, including errors.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "*/20 * * * * @win(after,1h)")?;
    /// let back = job.starts_back(0..86_400).collect::<Result<Vec<_>, _>>()?;
    /// let forth = job.starts(0..86_400).collect::<Result<Vec<_>, _>>()?;
    /// assert!(back.iter().rev().eq(&forth));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[doc(alias = "iter_before")]
    pub fn starts_back<I: Instant>(&self, range: impl RangeBounds<I>) -> StartSeries<'_, S, D> {
        StartSeries::new(Walk::over(self, SearchDirection::Backward, seconds_of(range)))
    }

    /// Counts the unschedulable periods whose windows end in a range.
    ///
    /// A search for starts skips them: to count those before the start that [`next_start`](Job::next_start) found
    /// `after` an instant, give the second after that instant and the chosen time; for a list of starts, give its range.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "0 * * * * @win(after,10m) @avoid(hours=2-4)")?;
    /// assert_eq!(job.unschedulable_in(0..86_400), 3);
    /// let (after, start) = (3600 + 600, job.next_start(3600 + 600)?);
    /// assert_eq!(start.period_id(), "1970-01-01T05:00:00Z");
    /// assert_eq!(job.unschedulable_in(after + 1..start.order_timestamp()), 3);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn unschedulable_in<I: Instant>(&self, range: impl RangeBounds<I>) -> u64 {
        let (seconds, rules) = (seconds_of(range), self.rules());
        let (from, to) = (seconds.start, seconds.end);
        if rules.constraints.is_empty() {
            return 0;
        }
        let (mut shared, mut count) = (Shared::default(), 0);
        let mut next = self.next_nominal_timestamp(from.saturating_sub(rules.reach.last).saturating_sub(1));
        let ends_in = |nominal: &i64| nominal + rules.reach.last < to;
        while let Some(nominal) = next.filter(ends_in) {
            next = self.next_nominal_timestamp(nominal);
            if !rules.is_unschedulable(nominal, &mut shared) {
                continue;
            }
            count += 1;
            // Draws of the first algorithm say nothing about the next period.
            if rules.algorithm == Algorithm::Sha256SplitMix64 {
                continue;
            }
            // Periods whose windows end before the next allowed second are unschedulable, too.
            let last = to.saturating_sub(1).min(NOMINAL_MAX + rules.reach.last);
            let begin = nominal + rules.reach.first;
            let allowed = shared.nearest_allowed(&rules, SearchDirection::Forward, begin, last);
            let end = allowed.map_or(last - rules.reach.last, |allowed| allowed - 1 - rules.reach.last);
            if next.is_some_and(|next| next <= end) {
                count += self.count_nominal_times(nominal + 1, end);
                next = self.next_nominal_timestamp(end);
            }
        }
        count
    }
}

impl<D: Sampler> Job<Cron, D> {
    /// Calls `found` with each chosen time in a range, in any order, all in Unix seconds. It finds the starts of
    /// [`starts`](Job::starts) and has its errors, and takes less time: in a range that has an end it decides each period once.
    ///
    /// # Errors
    ///
    /// Those of [`starts`](Job::starts).
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "*/20 * * * * @win(after,1h)")?;
    /// let mut starts = 0;
    /// job.each_start(0..86_400, |_| starts += 1)?;
    /// assert_eq!(starts, job.starts(0..86_400).count());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn each_start<I: Instant>(
        &self,
        range: impl RangeBounds<I>,
        mut found: impl FnMut(i64),
    ) -> Result<(), Error> {
        let (seconds, rules) = (seconds_of(range), self.rules());
        let (from, to) = (seconds.start, seconds.end);
        if to == i64::MAX {
            return self
                .starts(from..)
                .try_for_each(|start| start.map(|start| found(start.order_timestamp())));
        }
        if !rules.constraints.is_empty() {
            let mut walk = Walk::over(self, SearchDirection::Forward, seconds);
            while let Some(start) = walk.next_before(None)? {
                found(start.order_timestamp());
            }
            return Ok(());
        }
        let schedule = self.spec().in_zone();
        let mut nominals = schedule.series(from.saturating_sub(rules.reach.last).saturating_sub(1));
        let mut chosen = rules.chosen_freely();
        while let Some(nominal) = nominals.next_timestamp().filter(|nominal| nominal + rules.reach.first < to)
        {
            let start = chosen(nominal);
            if (from..to).contains(&start) {
                found(start);
            }
        }
        Ok(())
    }
}

/// Periods in order of nominal time. Made by [`Job::periods`] and [`Job::periods_back`].
#[derive(Clone, Debug)]
pub struct PeriodSeries<'a, S = Cron, D = Quantile> {
    job: &'a Job<S, D>,
    next: Option<i64>,
    bound: i64,
    direction: SearchDirection,
}

impl<'a, S: NominalTimes, D: Sampler> Iterator for PeriodSeries<'a, S, D> {
    type Item = Decision<'a>;

    fn next(&mut self) -> Option<Decision<'a>> {
        let nominal = self.next?;
        self.next = match self.direction {
            SearchDirection::Forward if nominal < self.bound => self.job.next_nominal_timestamp(nominal),
            SearchDirection::Backward if nominal >= self.bound => {
                self.job.prev_nominal_timestamp(nominal - 1)
            }
            _ => return None,
        };
        Some(self.job.rules().decide(nominal, &mut ()))
    }
}

/// Starts in order of chosen time. Made by [`Job::starts`] and [`Job::starts_back`].
#[derive(Clone, Debug)]
pub struct StartSeries<'a, S = Cron, D = Quantile> {
    walk: Walk<'a, S, D>,
    ended: bool,
    /// Starts that a start not yet decided may still precede.
    pending: BinaryHeap<Pending>,
    /// How many of them are kept when there are twice as many.
    pending_kept: usize,
    /// If too many starts are pending, those after this one are dropped until it is returned.
    kept: Option<Pending>,
    /// The starts up to this one were returned before those after it were forgotten.
    returned: Option<Pending>,
}

/// Pending starts that a series keeps. At twice as many the farthest are forgotten, to be decided again: windows overlap in more
/// than half a million periods at most.
const PENDING: usize = 32_768;

/// A start, in the order of a series: the greatest comes next. Chosen and nominal time in 32 bits each, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pending(u64);

impl Pending {
    /// Added to chosen times to make them positive: windows reach back from 1970 by 366 days. The sums are below 2^32.
    const SHIFT: i64 = 400 * DAY;

    #[inline(always)]
    fn new(direction: SearchDirection, chosen: i64, nominal: i64) -> Pending {
        // OK because of the years that nominal times have and of the longest window.
        Pending(((chosen + Pending::SHIFT) as u64) << 32 | nominal as u64).reversed(direction)
    }

    /// Chosen and nominal time.
    #[inline(always)]
    fn times(self, direction: SearchDirection) -> (i64, i64) {
        let Pending(number) = self.reversed(direction);
        ((number >> 32) as i64 - Pending::SHIFT, (number & u64::from(u32::MAX)) as i64)
    }

    /// The number in sort order: forwards, the earliest start is the greatest.
    #[inline(always)]
    fn reversed(self, direction: SearchDirection) -> Pending {
        Pending(!(self.0 ^ direction as i64 as u64))
    }
}

impl<'a, S: NominalTimes, D: Sampler> StartSeries<'a, S, D> {
    fn new(walk: Walk<'a, S, D>) -> StartSeries<'a, S, D> {
        StartSeries {
            walk,
            ended: false,
            pending: BinaryHeap::new(),
            pending_kept: PENDING,
            kept: None,
            returned: None,
        }
    }

    /// The same series, which keeps up to twice `kept` pending starts in memory, 8 bytes each, instead of 65,536. Each time they
    /// run out, the periods of a window length are decided again, so more memory makes a series faster whose windows overlap in
    /// more periods.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "* * * * * @win(after,24h)")?;
    /// assert!(job.starts(0..86_400).with_pending(1 << 18).eq(job.starts(0..86_400)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_pending(self, kept: usize) -> StartSeries<'a, S, D> {
        StartSeries { pending_kept: kept.max(1), ..self }
    }

    /// Makes a start pending.
    #[inline(never)]
    fn keep(&mut self, decision: &Decision<'_>) {
        let times = (decision.order_timestamp(), decision.nominal_timestamp());
        let start = Pending::new(self.walk.direction, times.0, times.1);
        let is_returned = self.returned.is_some_and(|returned| start >= returned);
        if is_returned || self.kept.is_some_and(|kept| start < kept) {
            return;
        }
        self.pending.push(start);
        if self.pending.len() >= 2 * self.pending_kept {
            self.forget();
        }
    }

    /// The next of the starts that are pending. Without any the series ends, with an error if the walk failed.
    #[inline(never)]
    fn pending_or(&mut self, error: Option<Error>) -> Option<Result<Decision<'a>, Error>> {
        // Pending starts come first; a walk that failed fails again at the same place.
        let Some(start) = self.pending.pop() else {
            self.ended = true;
            return error.map(Err);
        };
        let (chosen, nominal) = start.times(self.walk.direction);
        if self.walk.is_beyond_limit(chosen) {
            self.ended = true;
            return Some(Err(self.walk.nothing_found()));
        }
        self.walk.found(chosen);
        Some(Ok(self.walk.decide_again(nominal)))
    }

    /// Forgets the farthest pending starts.
    fn forget(&mut self) {
        let mut starts = core::mem::take(&mut self.pending).into_vec();
        let (_, last, _) = starts.select_nth_unstable_by(self.pending_kept - 1, |a, b| b.cmp(a));
        self.kept = Some(*last);
        starts.truncate(self.pending_kept);
        self.pending = starts.into();
    }

    /// Goes back to the first period whose start may have been forgotten.
    #[inline(never)]
    fn recall(&mut self, kept: Pending) {
        self.returned = Some(kept);
        self.walk.return_to(kept.times(self.walk.direction).0);
    }
}

impl<'a, S: NominalTimes, D: Sampler> Iterator for StartSeries<'a, S, D> {
    type Item = Result<Decision<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if self.pending.is_empty()
            && let Some(kept) = self.kept.take()
        {
            self.recall(kept);
        }
        // Decides periods until none that is left can come before the first start found.
        let error = loop {
            let first = self.pending.peek().map(|first| first.times(self.walk.direction).0);
            match self.walk.next_before(first) {
                // It is returned without ever being pending, as when windows do not overlap.
                Ok(Some(decision))
                    if first.is_none()
                        && self.kept.is_none()
                        && self.returned.is_none()
                        && self.walk.precedes_rest(decision.order_timestamp())
                        && !self.walk.is_beyond_limit(decision.order_timestamp()) =>
                {
                    self.walk.found(decision.order_timestamp());
                    return Some(Ok(decision));
                }
                Ok(Some(decision)) => self.keep(&decision),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        self.pending_or(error)
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    /// 2026-03-01T00:00:00Z.
    const FROM: i64 = 1_772_323_200;

    const TEXTS: [&str; 12] = [
        "@hourly @win(after,50m)",
        "*/7 * * * * @tz(Europe/Paris) @win(around,3h)",
        "*/20 1-3 * * * @tz(Australia/Lord_Howe) @win(before,90m) @dist(normal)",
        "0 * * * * @win(after,3h) @seed(daily,salt=x)",
        "0 * * * * @tz(Asia/Tokyo) @win(around,3h) @seed(weekly)",
        "*/30 * * * * @win(after,26h) @seed(fixed)",
        "*/30 * * * * @win(after,2h) @dist(skewLate,shape=3) @alg(sha256-splitmix64/1)",
        "*/30 * * * * @win(after,2h) @seed(daily) @alg(sha256-splitmix64/1)",
        "*/5 * * * * @win(after,48h) @only(hours=3;dow=MON-FRI)",
        "0 0 1 1 * @win(after,8784h)",
        "* * * * *",
        "* * * * * @win(after,1h) @only(date=2026-02-01)",
    ];

    /// The starts of a range in any order are those in order, and so is the error.
    #[test]
    fn each_start_is_one_of_the_series() {
        let mut all = 0;
        for text in TEXTS {
            let job = Job::parse(&format!("series/{}", text.len()), text).unwrap();
            for (from, to) in [
                (FROM, FROM + 9 * DAY),
                (FROM + 1801, FROM + 1803),
                (FROM, FROM),
                (FROM, FROM - DAY),
                (0, 3 * DAY),
                (FROM, FROM + 100 * DAY),
                (FROM + 20_000 * DAY, FROM + 27_000 * DAY),
            ] {
                let dense = to - from > 300 * DAY && !text.starts_with("0 0 1 1");
                let to = if dense { from + 20 * DAY } else { to };
                let mut found = Vec::new();
                job.each_start(from..to, |start| found.push(start)).unwrap();
                found.sort_unstable();
                let want: Vec<i64> =
                    job.starts(from..to).map(|start| start.unwrap().order_timestamp()).collect();
                assert_eq!(found, want, "{text} {from}");
                all += found.len();
            }
        }
        assert!(all > 10_000, "{all} starts");
        // Without an end, the errors are those of the series too.
        let job =
            Job::parse("series/gap", "0 0 * * * @only(date=2026-05-01) @only(date=2036-05-01)").unwrap();
        let mut found = 0;
        let error = job.each_start(FROM.., |_| found += 1).unwrap_err();
        assert_eq!((found, error), (1, job.starts(FROM..).nth(1).unwrap().unwrap_err()));
    }

    /// The count passes over what no second allows, and has the result of a look at each period.
    #[test]
    fn unschedulable_periods_are_counted() {
        for text in [
            "*/7 * * * * @win(after,1h) @avoid(hours=2-4)",
            "*/5 * * * * @win(before,48h) @only(hours=3;dow=MON-FRI)",
            "0 * * * * @win(around,3h) @tz(Europe/Paris) @avoid(dow=SUN;hours=2)",
            "*/30 * * * * @win(after,10m) @only(date=2026-03-07) @only(date=2026-04-01)",
            "*/30 * * * * @days(dow=MON) @only(hours=9)",
            "*/30 * * * * @win(after,2h) @only(hours=4) @alg(sha256-splitmix64/1)",
            "* * * * * @avoid(hours=0-23)",
        ] {
            let job = Job::parse("series/unschedulable", text).unwrap();
            let reach = job.spec().reach();
            for (from, to) in
                [(FROM, FROM + 40 * DAY), (FROM + 601, FROM + 3 * DAY + 7), (FROM, FROM), (-DAY, DAY)]
            {
                let periods = job.periods(from - 60 * DAY..to + 60 * DAY);
                let ends = periods.filter(|period| {
                    (from..to).contains(&(period.nominal_timestamp() + reach.last))
                        && period.unschedulable().is_some()
                });
                assert_eq!(job.unschedulable_in(from..to), ends.count() as u64, "{text} {from}");
            }
        }
        let never = Job::parse("series/never", "* * * * * @win(after,1h) @avoid(hours=0-23)").unwrap();
        assert_eq!(never.unschedulable_in(0..i64::MAX), never.count_nominal_times(0, i64::MAX));
    }

    /// However many starts are kept, the series is the same.
    #[test]
    fn what_is_kept_does_not_change_a_series() {
        let times = |start: Result<Decision<'_>, Error>| start.map(|start| start.nominal_timestamp());
        for text in TEXTS {
            let job = Job::parse("series/kept", text).unwrap();
            let whole: Vec<_> = job.starts(FROM..FROM + 2 * DAY).map(times).collect();
            for kept in [1, 7, 100, 1 << 20] {
                let series = job.starts(FROM..FROM + 2 * DAY).with_pending(kept);
                assert!(series.map(times).eq(whole.iter().cloned()), "{text} {kept}");
            }
        }
    }
}
