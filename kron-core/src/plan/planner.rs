//! Plans: all actions and outcomes of one evaluation of a job, in order of chosen time.
//!
//! A host that wakes up late finds several open periods. The catch-up rule keeps it from starting all of them: of the
//! open periods that are inside their deadline but more than ten seconds late, only the one with the latest chosen time
//! is considered. Those up to ten seconds late are all considered, so that a slow evaluation loses none.

use alloc::vec::Vec;

use crate::decision::period::Period;
use crate::limits::{CATCH_UP_GRACE, ENDED_LISTED, MISSED_LISTED};
use crate::plan::action::{Action, Lateness};
use crate::plan::policy::{Outcome, Policy};
use crate::time::instant::Instant;

/// One period of a plan and what to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<P> {
    /// The period, as it was given to [`plan`]; from [`Job::plan`](crate::Job::plan) its decision.
    pub period: P,
    /// What to do with it.
    pub action: Action,
}

/// All actions and outcomes of one evaluation. `P` is the type of the periods that were given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<P> {
    /// In order of chosen time (window end if unschedulable), ties by nominal time: to be carried out in this order.
    pub steps: Vec<Step<P>>,
    /// Missed periods that are not in `steps`, which lists the newest 100 past their deadline and the newest 100 that the
    /// catch-up rule drops. Unschedulable periods count here too if they are older than the newest 100,000 whose windows
    /// have ended, or, in a plan of a job, than the newest 1,000,000 open periods whose windows have ended.
    pub older_missed: u64,
    /// Unix second at which to plan again: the earliest wait of the steps or, from [`Job::plan`](crate::Job::plan), the
    /// opening of the next window. `None` if nothing is left to wait for.
    pub wake_up: Option<i64>,
}

/// Plans one evaluation of a job: what to do with its open periods, given whether an execution is active.
///
/// *Open* periods are in force, not handled, and their window has begun; they may come in any order. Within one plan,
/// `active` takes the earlier actions of the plan into account.
///
/// Periods are given as [`Period`], as [`Decision`](crate::Decision) or as a type of the host that has a period; the steps return them,
/// so a host needs no map from periods to its own data.
///
/// ```
/// use kron_core::{Job, Outcome};
/// use kron_core::plan::{Action, plan};
/// let job = Job::parse("prod/sync", "*/5 * * * * @policy(deadline=1h)")?;
/// let open = [job.decide(0)?, job.decide(300)?, job.decide(600)?];
/// let plan = plan(open, job.spec().policy(), 605, false);
/// let actions: Vec<Action> = plan.steps.iter().map(|step| step.action).collect();
/// // Two are more than ten seconds late, so only the later one catches up; the third is in time, but one is active then.
/// assert_eq!(actions, [Action::Record(Outcome::Missed), Action::Execute, Action::Record(Outcome::Skipped)]);
/// assert_eq!(plan.steps[1].period.period_id(), "1970-01-01T00:05:00Z");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn plan<P: AsRef<Period>>(
    open: impl IntoIterator<Item = P>,
    policy: &Policy,
    now: impl Instant,
    active: bool,
) -> Plan<P> {
    let mut planner = Planner::new(policy, now.floor());
    open.into_iter().for_each(|period| planner.add(period));
    planner.finish(active)
}

/// Sorts open periods one by one. Of the missed ones it keeps only those that a plan lists, so its memory is bounded.
#[derive(Debug)]
pub(crate) struct Planner<'p, P> {
    policy: &'p Policy,
    now: i64,
    /// Considered by the rules of policy.
    considered: Vec<P>,
    /// The one that catches up.
    latest: Option<P>,
    dropped: Newest<P>,
    past: Newest<P>,
    /// Unschedulable ones whose windows have ended; all whose time has come, of a suspended job.
    ended: Newest<P>,
}

/// The newest of many periods, and a count of the others.
#[derive(Debug)]
struct Newest<P> {
    kept: Vec<P>,
    most: usize,
    older: u64,
    /// The order of the oldest period that is kept, once others were dropped: older ones are only counted.
    oldest: Option<(i64, i64)>,
}

fn order(period: &impl AsRef<Period>) -> (i64, i64) {
    let period = period.as_ref();
    (period.order_timestamp(), period.nominal_timestamp())
}

impl<P: AsRef<Period>> Newest<P> {
    fn new(most: usize) -> Newest<P> {
        Newest { kept: Vec::new(), most, older: 0, oldest: None }
    }

    fn add(&mut self, period: P) {
        if self.oldest.is_some_and(|oldest| order(&period) < oldest) {
            self.older += 1;
            return;
        }
        self.kept.push(period);
        // Twice as many as are kept, so that the list is cut rarely.
        if self.kept.len() >= 2 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let older = self.kept.len().saturating_sub(self.most);
        if older > 0 {
            let (_, oldest, _) = self.kept.select_nth_unstable_by_key(older, order);
            self.oldest = Some(order(oldest));
            self.kept.drain(..older);
            self.older += older as u64;
        }
    }

    /// Whether a period only counts whose window ends at `last`, and whose nominal time is before that of all so far.
    fn only_counts(&self, last: i64) -> bool {
        self.oldest.is_some_and(|(chosen, _)| last <= chosen)
    }
}

impl<'p, P: AsRef<Period>> Planner<'p, P> {
    pub(crate) fn new(policy: &'p Policy, now: i64) -> Planner<'p, P> {
        let missed = || Newest::new(MISSED_LISTED);
        Planner {
            policy,
            now,
            considered: Vec::new(),
            latest: None,
            dropped: missed(),
            past: missed(),
            ended: Newest::new(ENDED_LISTED),
        }
    }

    pub(crate) fn add(&mut self, period: P) {
        let times = *period.as_ref();
        let Some(chosen) = times.chosen_timestamp().filter(|_| !self.policy.suspend()) else {
            return match times.order_timestamp() < self.now {
                true => self.ended.add(period),
                false => self.considered.push(period),
            };
        };
        match self.policy.lateness(chosen, self.now) {
            Lateness::Past => self.past.add(period),
            Lateness::Due(late) if late > CATCH_UP_GRACE => {
                let (earlier, later) = match self.latest.take() {
                    Some(latest) if order(&latest) > order(&period) => (Some(period), latest),
                    latest => (latest, period),
                };
                self.latest = Some(later);
                if let Some(earlier) = earlier {
                    self.dropped.add(earlier);
                }
            }
            _ => self.considered.push(period),
        }
    }

    /// Whether a period only counts as missed if it is schedulable, wherever in its window it was chosen. Its nominal time
    /// is before that of all so far.
    pub(crate) fn only_counts(&self, first: i64, last: i64) -> bool {
        if self.policy.suspend() {
            return self.ended.only_counts(last);
        }
        match self.is_missed(last) {
            true => self.past.only_counts(last),
            false => !self.is_missed(first) && self.is_late(last) && self.dropped.only_counts(last),
        }
    }

    /// Whether a chosen time is past its deadline.
    pub(crate) fn is_missed(&self, chosen: i64) -> bool {
        !self.policy.suspend() && self.policy.lateness(chosen, self.now) == Lateness::Past
    }

    /// The first nominal time whose window begins inside the deadline, for windows that begin `reach` seconds after it.
    pub(crate) fn in_time_from(&self, reach: i64) -> i64 {
        self.now.saturating_sub(self.policy.deadline().as_secs()).saturating_sub(reach)
    }

    /// Counts periods that are missed and not listed.
    pub(crate) fn count_missed(&mut self, periods: u64) {
        self.past.older += periods;
    }

    pub(crate) fn is_late(&self, chosen: i64) -> bool {
        chosen < self.now.saturating_sub(CATCH_UP_GRACE)
    }

    pub(crate) fn finish(mut self, mut active: bool) -> Plan<P> {
        self.past.cut();
        self.dropped.cut();
        self.ended.cut();
        // Those of a suspended job are neither missed nor handled.
        let ended_older = if self.policy.suspend() { 0 } else { self.ended.older };
        let missed = self.past.kept.into_iter().chain(self.dropped.kept);
        let missed = missed.map(|period| Step { period, action: Action::Record(Outcome::Missed) });
        // The actions for these depend on `active`, so they are decided later, in order.
        let considered = self.considered.into_iter().chain(self.latest).chain(self.ended.kept);
        let considered = considered.map(|period| Step { period, action: Action::Nothing });
        let mut steps: Vec<Step<P>> = missed.chain(considered).collect();
        steps.sort_by_key(|step| order(&step.period));
        let mut wake_up = None;
        for step in steps.iter_mut().filter(|step| step.action == Action::Nothing) {
            step.action = self.policy.evaluate(&step.period, self.now, false, active);
            match step.action {
                Action::Execute | Action::Replace => active = true,
                Action::Wait { until } => {
                    wake_up = Some(wake_up.map_or(until, |earlier: i64| earlier.min(until)))
                }
                Action::Nothing | Action::Record(_) => {}
            }
        }
        Plan { steps, older_missed: self.past.older + self.dropped.older + ended_older, wake_up }
    }
}

/// What a host remembers of a job between evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct HostState<'h> {
    /// Unix second at which the job's configuration began: periods chosen up to then (whose windows ended up to then, if
    /// unschedulable) are not in force.
    pub since: i64,
    /// Periods with nominal times up to this Unix second are handled, all of them; `None` if that cannot be said.
    pub handled_through: Option<i64>,
    /// Nominal times of further handled periods, in Unix seconds, ascending.
    pub handled: &'h [i64],
    /// Whether an execution of the job is active.
    pub active: bool,
}
