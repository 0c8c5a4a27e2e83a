//! Which periods have their outcome, as far as the status of a KronJob tells, and what the status has to list so that it
//! goes on telling.
//!
//! A status names the last handled period and, where windows overlap, others in `status.periods`. Between them they stand
//! for all handled periods of the configuration, because the list is cut by one rule: it keeps the newest period up to
//! which every one in force is handled (the *anchor*) and everything handled after it. So whatever lies before the oldest
//! entry is handled.

use std::collections::BTreeMap;

use kron_core::{HostState, Job};

use crate::crd::{HandledPeriod, KronJobStatus, Time};

/// As many entries as a status may list.
const LISTED: usize = 100;

/// The seconds from a nominal time to the last candidate of its window: the same for every period of a job.
pub(super) fn reach(job: &Job) -> i64 {
    // Any nominal time will do; one far from the bounds of time has its whole window.
    let middle = 1_000_000_000;
    job.decide(middle).map_or(0, |decision| decision.window_end_timestamp() - middle)
}

/// The handled periods of a KronJob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Handled {
    since: i64,
    /// Every period in force with a nominal time up to this one.
    through: Option<i64>,
    /// Nominal times of further ones, ascending.
    ids: Vec<i64>,
}

/// Where a period stands in the order of starts, if it can be decided.
fn order(job: &Job, nominal: i64) -> Option<i64> {
    job.decide(nominal).ok().map(|decision| decision.order_timestamp())
}

/// Where the last handled period stood in the order of starts. Its chosen time is in the status; an unschedulable one
/// has none, so its window is asked for.
pub(super) fn last_order(job: &Job, status: &KronJobStatus) -> Option<i64> {
    let period = status.last_period_id?;
    status.last_chosen_time.map(|time| time.0).or_else(|| order(job, period.0))
}

/// The nominal times whose windows can reach past `since`, from the earliest on.
fn in_force(job: &Job, since: i64, reach: i64, before: i64) -> impl Iterator<Item = (i64, i64)> + '_ {
    job.periods(since.saturating_sub(reach), before)
        .map(|decision| (decision.nominal_timestamp(), decision.order_timestamp()))
        .filter(move |(_, order)| *order > since)
}

impl Handled {
    pub(super) fn of(job: &Job, status: &KronJobStatus, since: i64) -> Handled {
        let listed = status.periods.iter().map(|entry| entry.period_id.0);
        let mut ids: Vec<i64> = listed.chain(status.last_period_id.map(|period| period.0)).collect();
        ids.sort_unstable();
        ids.dedup();
        let last = last_order(job, status).filter(|order| *order > since);
        let oldest = match last {
            // Nothing was handled in this configuration; what was before is known by its ids alone.
            None => None,
            Some(_) if status.periods.is_empty() => status.last_period_id.map(|period| period.0),
            Some(last) => {
                let oldest = status.periods.iter().map(|entry| entry.period_id.0).min();
                // Until the first periods of a configuration are handled there is no anchor, and the list is complete.
                // Then all in force before its oldest entry are yet to come.
                oldest.filter(|oldest| {
                    let mut before = in_force(job, since, reach(job), *oldest).peekable();
                    before.peek().is_none() || before.any(|(_, order)| order <= last)
                })
            }
        };
        Handled { since, through: oldest, ids }
    }

    /// The same, and one more.
    pub(super) fn insert(&mut self, period: Time) {
        if let Err(place) = self.ids.binary_search(&period.0) {
            self.ids.insert(place, period.0);
        }
    }

    /// The same, and all up to that nominal time.
    pub(super) fn raise(&mut self, through: Option<i64>) {
        self.through = self.through.max(through);
    }

    /// Unix second up to which nothing is in force.
    pub(super) fn since(&self) -> i64 {
        self.since
    }

    pub(super) fn through(&self) -> Option<i64> {
        self.through
    }

    pub(super) fn contains(&self, period: Time) -> bool {
        self.through.is_some_and(|through| period.0 <= through) || self.ids.binary_search(&period.0).is_ok()
    }

    pub(super) fn host_state(&self) -> HostState<'_> {
        HostState { since: self.since, handled_through: self.through, handled: &self.ids, active: false }
    }

    /// The smallest nominal time in force that is not handled.
    fn first_open(&self, job: &Job, reach: i64) -> Option<i64> {
        let from = match self.through {
            Some(through) => through.saturating_add(1),
            None => self.since.saturating_sub(reach),
        };
        job.periods(from, i64::MAX)
            .find(|decision| {
                let period = Time(decision.nominal_timestamp());
                decision.order_timestamp() > self.since && !self.contains(period)
            })
            .map(|decision| decision.nominal_timestamp())
    }

    /// What the status has to list of the handled periods, given the one it names as the last.
    pub(super) fn to_list(
        &self,
        job: &Job,
        overlapping: bool,
        now: i64,
        known: &BTreeMap<Time, HandledPeriod>,
        last: Time,
    ) -> Vec<HandledPeriod> {
        let reach = reach(job);
        let open = self.first_open(job, reach).unwrap_or(i64::MAX);
        let anchor = known.keys().rev().find(|period| period.0 < open).map_or(i64::MIN, |anchor| anchor.0);
        // Its window, and the time in which it might still have started, are not over.
        let current = |period: i64| {
            let end = i128::from(period) + i128::from(reach);
            let deadline = i128::from(job.spec().policy().deadline().as_nanos());
            overlapping && (end - i128::from(now)) * 1_000_000_000 + deadline >= 0
        };
        let kept: Vec<&HandledPeriod> = known
            .values()
            .filter(|entry| entry.period_id.0 >= anchor || current(entry.period_id.0))
            .collect();
        // The last one alone stands in the status anyway.
        if let [only] = kept[..]
            && only.period_id == last
            && last.0 == anchor
            && !current(last.0)
        {
            return Vec::new();
        }
        kept.iter().skip(kept.len().saturating_sub(LISTED)).map(|entry| (*entry).clone()).collect()
    }
}

/// The handled periods that a status names, with their outcomes.
pub(super) fn known(status: &KronJobStatus) -> BTreeMap<Time, HandledPeriod> {
    let mut known: BTreeMap<Time, HandledPeriod> = BTreeMap::new();
    if let (Some(period_id), Some(outcome)) = (status.last_period_id, status.last_outcome) {
        known.insert(period_id, HandledPeriod { period_id, outcome, job_name: None });
    }
    known.extend(status.periods.iter().map(|entry| (entry.period_id, entry.clone())));
    known
}
