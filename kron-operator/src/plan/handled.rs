//! The handled periods of a KronJob, as its status and this process know them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kron_core::{Handled, Job};

use super::View;
use super::memory::{Change, Memory};
use crate::crd::{Configuration, HandledPeriod, KronJobStatus, Time};

/// As many entries as a status may list.
const LISTED: usize = 100;
/// How many seconds the clocks of two machines may differ: what is later than that is not believed.
const CLOCK_DIFFERENCE: i64 = 60;

/// Where a period is in the order of starts, if it can be decided.
pub(super) fn order(job: &Job, nominal: i64) -> Option<i64> {
    job.decide(nominal).ok().map(|decision| decision.order_timestamp())
}

/// Where the last handled period was in the order of starts. Its chosen time is in the status; an unschedulable one
/// has none, so its window is asked for.
pub(super) fn last_order(job: &Job, status: &KronJobStatus) -> Option<i64> {
    let period = status.last_period_id?;
    status.last_chosen_time.map(|time| time.0).or_else(|| order(job, period.0))
}

/// The seconds from a nominal time to the first and to the last candidate of its window: the same for all periods.
pub(super) fn reach(job: &Job) -> (i64, i64) {
    // Any nominal time will do; one far from the bounds of time has its whole window.
    let middle = 1_000_000_000;
    job.decide(middle).map_or((0, 0), |decision| {
        (decision.window_start_timestamp() - middle, decision.window_end_timestamp() - middle)
    })
}

/// The status, without what can only come from a clock that was ahead or from somebody else: times that are still to come.
/// Nothing but the clock and the schedule decides what happens next.
pub(super) fn believable<'s>(job: &Job, status: &'s KronJobStatus, now: i64) -> Cow<'s, KronJobStatus> {
    let limit = now.saturating_add(CLOCK_DIFFERENCE);
    let too_late = |time: Option<Time>| time.is_some_and(|time| time.0 > limit);
    let limit_through = limit.saturating_sub(reach(job).0);
    let entry_too_late = |entry: &HandledPeriod| {
        let chosen = entry.chosen_time.or_else(|| order(job, entry.period_id.0).map(Time));
        too_late(chosen)
    };
    let configuration = status.configuration.as_ref();
    let since = configuration.is_some_and(|configuration| configuration.since.0 > limit);
    let through = configuration
        .and_then(|configuration| configuration.handled_through)
        .is_some_and(|t| t.0 > limit_through);
    let last = too_late(status.last_chosen_time);
    if !since && !through && !last && !status.periods.iter().any(entry_too_late) {
        return Cow::Borrowed(status);
    }
    let mut status = status.clone();
    if let Some(configuration) = &mut status.configuration {
        configuration.since = if since { Time(now) } else { configuration.since };
        configuration.handled_through = if through { Some(Time(now)) } else { configuration.handled_through };
    }
    if last {
        status.last_chosen_time = Some(Time(now));
        let nominal = status.last_period_id.filter(|period| period.0 <= limit_through);
        (status.last_period_id, status.last_nominal_time) = (nominal, nominal);
    }
    status.periods.retain(|entry| !entry_too_late(entry));
    Cow::Owned(status)
}

/// The configuration as it is to be written, but for its watermark.
pub(super) fn configuration(view: View<'_>, memory: &Memory) -> Configuration {
    let hash = &view.spec.configuration;
    let first = || Configuration { since: view.kronjob.created, hash: hash.clone(), handled_through: None };
    let written = view.status.configuration.clone().unwrap_or_else(first);
    match &memory.change {
        None => written,
        Some(Change { since, hash }) => Configuration {
            since: *since,
            hash: hash.clone(),
            handled_through: written.handled_through.map(|through| through.min(*since)),
        },
    }
}

/// What is handled by what is written.
pub(super) fn written(view: View<'_>, memory: &Memory) -> Handled {
    let configuration = configuration(view, memory);
    let through = configuration.handled_through.map(|through| through.0);
    let mut handled = Handled::new(configuration.since.0).with_through(through);
    let listed = view.status.periods.iter().map(|entry| entry.period_id);
    listed.chain(view.status.last_period_id).for_each(|period| handled.insert(period.0));
    handled
}

/// The same, and what this process has settled since.
pub(super) fn handled(view: View<'_>, memory: &Memory) -> Handled {
    let mut handled = written(view, memory);
    memory.settled.iter().for_each(|settled| handled.insert(settled.period.0));
    handled.raise(memory.counted);
    handled.advance(&view.spec.job);
    handled
}

/// The handled periods that a status names, with their outcomes.
pub(super) fn known(status: &KronJobStatus) -> BTreeMap<Time, HandledPeriod> {
    let mut known: BTreeMap<Time, HandledPeriod> = BTreeMap::new();
    if let (Some(period_id), Some(outcome)) = (status.last_period_id, status.last_outcome) {
        let chosen_time = status.last_chosen_time;
        known.insert(period_id, HandledPeriod { period_id, outcome, chosen_time, job_name: None });
    }
    known.extend(status.periods.iter().map(|entry| (entry.period_id, entry.clone())));
    known
}

/// Enters the watermark and the entries beyond it into a status.
pub(super) fn enter(
    mut handled: Handled,
    known: &BTreeMap<Time, HandledPeriod>,
    now: i64,
    status: &mut KronJobStatus,
) {
    let listed = |handled: &Handled| {
        let through = handled.through();
        let beyond = move |period: i64| period > now || through.is_none_or(|through| period > through);
        known.values().filter(move |entry| beyond(entry.period_id.0)).cloned().collect::<Vec<_>>()
    };
    let mut periods = listed(&handled);
    if periods.len() > LISTED {
        // Windows that overlap in so many periods are refused. Whatever came before, no handled period is opened again.
        handled.raise(Some(periods[periods.len() - LISTED - 1].period_id.0));
        periods.drain(..periods.len() - LISTED);
    }
    status.periods = periods;
    if let Some(configuration) = &mut status.configuration {
        configuration.handled_through = handled.through().map(Time);
    }
}
