//! Series of periods and starts over ranges, in both orders and both directions.

use alloc::collections::BinaryHeap;
use core::cmp::Ordering;
use core::ops::ControlFlow;

use crate::cron::Cron;
use crate::cron::nominal_times::NominalTimes;
use crate::decision::Decision;
use crate::draw::distribution::{Quantile, Spread};
use crate::error::Error;
use crate::job::Job;
use crate::job::search::Search;
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
    /// any number of periods: those pending are kept, and no more.
    ///
    /// An error ends the series; the errors are those of [`next_start`](Job::next_start).
    ///
    /// ```
    /// let job = kron_core::Job::parse("web/ping", "*/20 * * * * @win(after,1h)")?;
    /// let starts = job.starts(0, 86_400).collect::<Result<Vec<_>, _>>()?;
    /// assert!(starts.is_sorted_by_key(|decision| decision.chosen_timestamp()));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn starts(&self, from: impl Instant, to: impl Instant) -> StartSeries<'_, S, D> {
        let (from, to) = (from.ceil(), to.ceil());
        let next = self.next_nominal(from.saturating_sub(self.rules().reach.last).saturating_sub(1));
        let search = Search::upwards(from).within(to);
        StartSeries { job: self, next, from, to, up: true, search: Some(search), pending: BinaryHeap::new() }
    }

    /// The starts with chosen times in `[from, to)`, latest first.
    pub fn starts_back(&self, from: impl Instant, to: impl Instant) -> StartSeries<'_, S, D> {
        let (from, to) = (from.ceil(), to.ceil());
        let next = self.prev_nominal(to.saturating_sub(self.rules().reach.first).saturating_sub(1));
        let search = Search::downwards(to).within(from);
        StartSeries { job: self, next, from, to, up: false, search: Some(search), pending: BinaryHeap::new() }
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
    up: bool,
    /// `None` once the series has ended.
    search: Option<Search>,
    pending: BinaryHeap<Pending<'a>>,
}

/// A decided start that may still be preceded by one not yet decided.
#[derive(Clone, Debug)]
struct Pending<'a> {
    /// Chosen time and nominal time, so signed that the greatest comes next.
    order: (i64, i64),
    decision: Decision<'a>,
}

impl Pending<'_> {
    fn chosen(&self) -> i64 {
        self.decision.order_timestamp()
    }
}

impl PartialEq for Pending<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Pending<'_> {}

impl PartialOrd for Pending<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pending<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order.cmp(&other.order)
    }
}

impl<'a, S: NominalTimes, D: Spread> StartSeries<'a, S, D> {
    /// Decides periods until none that is left can come before the first one found, which is returned if it was never
    /// pending, as where windows do not overlap.
    fn fill(&mut self, search: &mut Search) -> Result<Option<Decision<'a>>, Error> {
        let rules = self.job.rules();
        while let Some(nominal) = self.next {
            // The earliest instant at which this period could start, seen in the series' direction.
            let nearest = nominal + if self.up { rules.reach.first } else { rules.reach.last };
            let range_ends = if self.up { nearest >= self.to } else { nearest < self.from };
            if range_ends || self.pending.peek().is_some_and(|first| self.settles(nearest, first.chosen())) {
                return Ok(None);
            }
            if if self.up { nearest > search.limit } else { nearest < search.limit }
                && self.pending.is_empty()
            {
                return Err(search.exhausted(self.next));
            }
            let decision = rules.decide(nominal, &mut ());
            let Some(chosen) = decision.chosen_timestamp() else {
                self.next = match search.skip(self.job, &decision) {
                    ControlFlow::Continue(next) => next,
                    ControlFlow::Break(error) => return Err(error),
                };
                continue;
            };
            search.barren = 0;
            self.next =
                if self.up { self.job.next_nominal(nominal) } else { self.job.prev_nominal(nominal - 1) };
            if !(self.from..self.to).contains(&chosen) {
                continue;
            }
            let next =
                self.next.map(|next| next + if self.up { rules.reach.first } else { rules.reach.last });
            if self.pending.is_empty() && next.is_none_or(|nearest| self.settles(nearest, chosen)) {
                return Ok(Some(decision));
            }
            let order = if self.up { (-chosen, -nominal) } else { (chosen, nominal) };
            self.pending.push(Pending { order, decision });
        }
        Ok(None)
    }

    /// Whether no period that starts at `nearest` or beyond it comes before a start.
    fn settles(&self, nearest: i64, chosen: i64) -> bool {
        // Of equal chosen times the smaller nominal time is first upwards and last downwards.
        if self.up { nearest > chosen } else { nearest <= chosen }
    }
}

impl<'a, S: NominalTimes, D: Spread> Iterator for StartSeries<'a, S, D> {
    type Item = Result<Decision<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut search = self.search.take()?;
        let decision = match self.fill(&mut search) {
            Ok(Some(decision)) => decision,
            Err(error) if self.pending.is_empty() => return Some(Err(error)),
            // What is pending comes first; a search that failed fails again at the same place.
            Ok(None) | Err(_) => self.pending.pop()?.decision,
        };
        self.search = Some(search.from(decision.order_timestamp()));
        Some(Ok(decision))
    }
}
