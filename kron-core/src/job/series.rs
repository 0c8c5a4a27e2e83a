//! Series of periods and starts over ranges, in both orders and both directions.

use alloc::collections::BinaryHeap;
use core::ops::ControlFlow;

use crate::cron::Cron;
use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Before, Decision};
use crate::draw::distribution::{Quantile, Spread};
use crate::error::Error;
use crate::job::Job;
use crate::job::search::{SHORT, Search};
use crate::time::civil::DAY;
use crate::time::instant::Instant;

impl<S: NominalTimes, D: Spread> Job<S, D> {
    /// The periods with nominal times in `[from, to)`, in order of nominal time.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "@hourly @win(after,10m) @avoid(hours=2)")?;
    /// let ids: Vec<String> = job.periods(0, 4 * 3600).map(|decision| decision.period_id()).collect();
    /// assert_eq!(ids.len(), 4);
    /// assert_eq!(ids[2], "1970-01-01T02:00:00Z"); // unschedulable, and listed
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn periods(&self, from: impl Instant, to: impl Instant) -> PeriodSeries<'_, S, D> {
        let next = self.next_nominal(from.ceil().saturating_sub(1));
        PeriodSeries { job: self, next, bound: to.ceil(), up: true }
    }

    /// The periods with nominal times in `[from, to)`, latest first.
    pub fn periods_back(&self, from: impl Instant, to: impl Instant) -> PeriodSeries<'_, S, D> {
        let next = self.prev_nominal(to.ceil().saturating_sub(1));
        PeriodSeries { job: self, next, bound: from.ceil(), up: false }
    }

    /// The starts with chosen times in `[from, to)`, in order of chosen time (ties: nominal time). Windows may overlap in
    /// any number of periods; the series keeps 8 bytes for each of the next ones, and at most half a megabyte.
    ///
    /// An error ends the series. The series is what repeated calls of [`next_start`](Job::next_start) find from the second
    /// before `from` on, and its errors are the same: a gap of more than five years (1827 days) ends it before `to`.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "*/20 * * * * @win(after,1h)")?;
    /// let starts = job.starts(0, 86_400).collect::<Result<Vec<_>, _>>()?;
    /// assert!(starts.is_sorted_by_key(|decision| decision.chosen_timestamp()));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn starts(&self, from: impl Instant, to: impl Instant) -> StartSeries<'_, S, D> {
        StartSeries::new(self, true, from.ceil(), to.ceil())
    }

    /// The starts with chosen times in `[from, to)`, latest first. The series is what repeated calls of
    /// [`prev_start`](Job::prev_start) find from the second before `to` on, errors included.
    pub fn starts_back(&self, from: impl Instant, to: impl Instant) -> StartSeries<'_, S, D> {
        StartSeries::new(self, false, from.ceil(), to.ceil())
    }

    /// Counts the unschedulable periods whose windows end in `[from, to)`.
    ///
    /// A search for starts passes over them: to count those before the start that [`next_start`](Job::next_start) found
    /// `after` an instant, give the second after that instant and the chosen time; for a list of starts, give its range.
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "0 * * * * @win(after,10m) @avoid(hours=2-4)")?;
    /// assert_eq!(job.unschedulable_in(0, 86_400), 3);
    /// let (after, start) = (3600 + 600, job.next_start(3600 + 600)?);
    /// assert_eq!(start.period_id(), "1970-01-01T05:00:00Z");
    /// assert_eq!(job.unschedulable_in(after + 1, start.order_timestamp()), 3);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn unschedulable_in(&self, from: impl Instant, to: impl Instant) -> u64 {
        let (from, to, rules) = (from.ceil(), to.ceil(), self.rules());
        if rules.constraints.is_empty() {
            return 0;
        }
        let first = self.next_nominal(from.saturating_sub(rules.reach.last).saturating_sub(1));
        let periods = core::iter::successors(first, |nominal| self.next_nominal(*nominal));
        let periods = periods.take_while(|nominal| nominal + rules.reach.last < to);
        periods.map(|nominal| u64::from(rules.unschedulable(nominal).is_some())).sum()
    }
}

/// Periods in order of nominal time. Made by [`Job::periods`] and [`Job::periods_back`].
#[derive(Clone, Debug)]
pub struct PeriodSeries<'a, S = Cron, D = Quantile> {
    job: &'a Job<S, D>,
    next: Option<i64>,
    bound: i64,
    up: bool,
}

impl<'a, S: NominalTimes, D: Spread> Iterator for PeriodSeries<'a, S, D> {
    type Item = Decision<'a>;

    fn next(&mut self) -> Option<Decision<'a>> {
        let nominal =
            self.next.filter(|next| if self.up { *next < self.bound } else { *next >= self.bound })?;
        self.next = if self.up { self.job.next_nominal(nominal) } else { self.job.prev_nominal(nominal - 1) };
        Some(self.job.rules().decide(nominal, &mut ()))
    }
}

/// Starts in order of chosen time. Made by [`Job::starts`] and [`Job::starts_back`].
#[derive(Clone, Debug)]
pub struct StartSeries<'a, S = Cron, D = Quantile> {
    job: &'a Job<S, D>,
    /// The next period to decide.
    next: Option<i64>,
    from: i64,
    to: i64,
    /// `None` once the series has ended.
    search: Option<Search>,
    /// Starts that may still be preceded by ones not yet decided.
    pending: BinaryHeap<Pending>,
    /// Of too many pending starts the farthest are forgotten: those after this one, until it is returned.
    kept: Option<Pending>,
    /// The starts up to this one were returned before those after it were forgotten.
    returned: Option<Pending>,
}

/// Pending starts that are kept. At twice as many the farthest are forgotten, to be decided again: windows overlap in more
/// than half a million periods at most.
const PENDING: usize = 32_768;

/// A start, in the order of a series: the greatest comes next. Chosen and nominal time in 32 bits each, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pending(u64);

impl Pending {
    /// What makes chosen times positive: windows reach back from 1970 by 366 days. All are below 2^32 then.
    const SHIFT: i64 = 400 * DAY;

    #[inline(always)]
    fn new(up: bool, chosen: i64, nominal: i64) -> Pending {
        // OK because of the years that nominal times have and of the longest window.
        let number = ((chosen + Pending::SHIFT) as u64) << 32 | nominal as u64;
        Pending(if up { !number } else { number })
    }

    #[inline(always)]
    fn times(self, up: bool) -> (i64, i64) {
        let number = if up { !self.0 } else { self.0 };
        ((number >> 32) as i64 - Pending::SHIFT, (number & u64::from(u32::MAX)) as i64)
    }
}

/// How a search of a series ended.
enum Filled<'a> {
    /// With the next start, which was never pending.
    Start(Decision<'a>),
    /// What is pending comes next.
    Pending,
    /// Not yet.
    More,
}

impl<'a, S: NominalTimes, D: Spread> StartSeries<'a, S, D> {
    fn new(job: &'a Job<S, D>, up: bool, from: i64, to: i64) -> StartSeries<'a, S, D> {
        let search = Search::of_range(up, from, to);
        let next = search.first(job);
        let (pending, kept, returned) = (BinaryHeap::new(), None, None);
        StartSeries { job, next, from, to, search: Some(search), pending, kept, returned }
    }

    /// Decides up to so many periods, until none that is left can come before the first one found, which is returned if it
    /// was never pending, as where windows do not overlap.
    #[inline(always)]
    fn fill(
        &mut self,
        search: &mut Search,
        periods: u32,
        mut before: Option<&mut Before>,
    ) -> Result<Filled<'a>, Error> {
        let rules = self.job.rules();
        let up = search.up;
        let mut left = periods;
        while let Some(nominal) = self.next {
            // The earliest instant at which this period could start, seen in the series' direction.
            let nearest = search.nearest(&rules, nominal);
            let settles = |chosen| !search.is_beyond(chosen, nearest);
            if search.leaves_range(nearest)
                || self.pending.peek().is_some_and(|first| settles(first.times(up).0))
            {
                return Ok(Filled::Pending);
            }
            if search.is_beyond(nearest, search.limit) && self.pending.is_empty() {
                return Err(search.exhausted(self.next));
            }
            if left == 0 {
                return Ok(Filled::More);
            }
            left -= 1;
            let decision = match &mut before {
                None => rules.decide(nominal, &mut ()),
                Some(before) => rules.decide_next(nominal, before),
            };
            let Some(chosen) = decision.chosen_timestamp() else {
                self.next = match search.skip(self.job, &decision) {
                    ControlFlow::Continue(next) => next,
                    ControlFlow::Break(error) => return Err(error),
                };
                continue;
            };
            search.barren = 0;
            self.next = search.following(self.job, nominal);
            if !(self.from..self.to).contains(&chosen) {
                continue;
            }
            let start = Pending::new(up, chosen, nominal);
            if self.returned.is_some_and(|returned| start >= returned)
                || self.kept.is_some_and(|kept| start < kept)
            {
                continue;
            }
            let nearest = self.next.map(|next| search.nearest(&rules, next));
            if self.pending.is_empty()
                && self.kept.is_none()
                && nearest.is_none_or(|nearest| !search.is_beyond(chosen, nearest))
            {
                return Ok(Filled::Start(decision));
            }
            self.pending.push(start);
            if self.pending.len() >= 2 * PENDING {
                self.forget();
            }
        }
        Ok(Filled::Pending)
    }

    #[inline(never)]
    fn fill_far(&mut self, search: &mut Search) -> Result<Filled<'a>, Error> {
        let mut before = Before::NONE;
        self.fill(search, u32::MAX, Some(&mut before))
    }

    /// Forgets the farthest pending starts.
    fn forget(&mut self) {
        let mut starts = core::mem::take(&mut self.pending).into_vec();
        let (_, last, _) = starts.select_nth_unstable_by(PENDING - 1, |a, b| b.cmp(a));
        self.kept = Some(*last);
        starts.truncate(PENDING);
        self.pending = starts.into();
    }

    /// Goes back to the first period whose start may have been forgotten.
    #[inline(never)]
    fn recall(&mut self, kept: Pending, search: &mut Search) {
        self.returned = Some(kept);
        self.next = search.first_from(self.job, kept.times(search.up).0);
        search.barren = 0;
    }
}

impl<'a, S: NominalTimes, D: Spread> Iterator for StartSeries<'a, S, D> {
    type Item = Result<Decision<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut search = self.search.take()?;
        if self.pending.is_empty()
            && let Some(kept) = self.kept.take()
        {
            self.recall(kept, &mut search);
        }
        let filled = match self.fill(&mut search, SHORT, None) {
            Ok(Filled::More) => self.fill_far(&mut search),
            filled => filled,
        };
        let decision = match filled {
            Ok(Filled::Start(decision)) => decision,
            Err(error) if self.pending.is_empty() => return Some(Err(error)),
            // What is pending comes first; a search that failed fails again at the same place.
            _ => {
                let (_, nominal) = self.pending.pop()?.times(search.up);
                self.job.rules().decide(nominal, &mut ())
            }
        };
        if search.is_beyond(decision.order_timestamp(), search.limit) {
            return Some(Err(search.exhausted(self.next)));
        }
        self.search = Some(search.from(decision.order_timestamp()));
        Some(Ok(decision))
    }
}
