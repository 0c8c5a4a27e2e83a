//! Plans: all actions and outcomes of one evaluation of a job, in order of chosen time.
//!
//! A host that wakes up late meets several periods at once. The catch-up rule keeps it from starting them all: of the
//! open periods that are inside their deadline but more than ten seconds late, only the one with the latest chosen time
//! is considered. Those up to ten seconds late are all considered, so that a slow evaluation loses none.

use alloc::vec::Vec;

use crate::cron::nominal_times::NominalTimes;
use crate::decision::Decision;
use crate::draw::distribution::Spread;
use crate::host::evaluate::{Action, Lateness};
use crate::job::Job;
use crate::job::policy::{Outcome, Policy};
use crate::limits::{CATCH_UP_GRACE, MISSED_LISTED, OPEN_DECIDED};
use crate::time::instant::Instant;

/// One period of a plan and what to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The period.
    pub decision: Decision<'a>,
    /// What to do with it.
    pub action: Action,
}

/// All actions and outcomes of one evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Plan<'a> {
    /// In order of chosen time (window end if unschedulable), ties by nominal time: to be carried out in this order.
    pub steps: Vec<Step<'a>>,
    /// Missed periods older than the 100 newest of their kind (past the deadline, or dropped by the catch-up rule), which
    /// stand in `steps` one by one; and, in a plan of a job, open periods older than its newest 100,000.
    pub older_missed: u64,
    /// Unix second at which to plan anew: the earliest wait of the steps or, from [`Job::plan`](crate::Job::plan), the
    /// opening of the next window. `None` if nothing is left to wait for.
    pub wake_up: Option<i64>,
}

/// Plans one evaluation of a job: what to do with its open periods, given whether an execution is active.
///
/// *Open* periods are in force, not handled, and their window has begun; they may come in any order. Within the pass
/// `active` follows from the plan's own earlier actions.
///
/// ```
/// use kron_core::{Action, Job, Outcome, plan};
/// let job = Job::parse("prod/sync", "*/5 * * * * @policy(deadline=1h)")?;
/// let open = [job.decide(0)?, job.decide(300)?, job.decide(600)?];
/// let plan = plan(open, job.spec().policy(), 605, false);
/// let actions: Vec<Action> = plan.steps.iter().map(|step| step.action).collect();
/// // Two are more than ten seconds late, so only the later one catches up; the third is in time, but one is active then.
/// assert_eq!(actions, [Action::Record(Outcome::Missed), Action::Execute, Action::Record(Outcome::Skipped)]);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn plan<'a>(
    open: impl IntoIterator<Item = Decision<'a>>,
    policy: &Policy,
    now: impl Instant,
    active: bool,
) -> Plan<'a> {
    let mut planner = Planner::new(policy, now.floor());
    open.into_iter().for_each(|decision| planner.add(decision));
    planner.finish(active)
}

/// Sorts open periods as they come and keeps of the missed ones only those that a plan names, so that its memory is
/// bounded however many there are.
#[derive(Debug)]
pub(crate) struct Planner<'a, 'p> {
    policy: &'p Policy,
    now: i64,
    /// Considered by the rules of policy.
    considered: Vec<Decision<'a>>,
    /// The one that catches up.
    latest: Option<Decision<'a>>,
    dropped: Newest<'a>,
    past: Newest<'a>,
}

/// The newest of many decisions, and a count of the others.
#[derive(Debug, Default)]
struct Newest<'a> {
    kept: Vec<Decision<'a>>,
    older: u64,
}

fn order(decision: &Decision<'_>) -> (i64, i64) {
    (decision.order_timestamp(), decision.nominal_timestamp())
}

impl<'a> Newest<'a> {
    fn add(&mut self, decision: Decision<'a>) {
        self.kept.push(decision);
        // Twice the room, so that sorting is rare.
        if self.kept.len() >= 2 * MISSED_LISTED {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.kept.sort_unstable_by_key(order);
        let older = self.kept.len().saturating_sub(MISSED_LISTED);
        self.kept.drain(..older);
        self.older += older as u64;
    }
}

impl<'a, 'p> Planner<'a, 'p> {
    pub(crate) fn new(policy: &'p Policy, now: i64) -> Planner<'a, 'p> {
        let (considered, latest) = (Vec::new(), None);
        Planner { policy, now, considered, latest, dropped: Newest::default(), past: Newest::default() }
    }

    pub(crate) fn add(&mut self, decision: Decision<'a>) {
        let Some(chosen) = decision.chosen_timestamp().filter(|_| !self.policy.suspend()) else {
            return self.considered.push(decision);
        };
        match self.policy.lateness(chosen, self.now) {
            Lateness::Past => self.past.add(decision),
            Lateness::Due(late) if late > CATCH_UP_GRACE => {
                let (earlier, later) = match self.latest.take() {
                    Some(latest) if order(&latest) > order(&decision) => (Some(decision), latest),
                    latest => (latest, decision),
                };
                self.latest = Some(later);
                if let Some(earlier) = earlier {
                    self.dropped.add(earlier);
                }
            }
            _ => self.considered.push(decision),
        }
    }

    pub(crate) fn finish(mut self, mut active: bool) -> Plan<'a> {
        self.past.cut();
        self.dropped.cut();
        let missed = self.past.kept.into_iter().chain(self.dropped.kept);
        let missed = missed.map(|decision| Step { decision, action: Action::Record(Outcome::Missed) });
        // What the rules say of these is not known before their turn: it depends on `active`.
        let considered = self.considered.into_iter().chain(self.latest);
        let considered = considered.map(|decision| Step { decision, action: Action::Nothing });
        let mut steps: Vec<Step<'a>> = missed.chain(considered).collect();
        steps.sort_unstable_by_key(|step| order(&step.decision));
        let mut wake_up = None;
        for step in steps.iter_mut().filter(|step| step.action == Action::Nothing) {
            step.action = self.policy.evaluate(&step.decision, self.now, false, active);
            match step.action {
                Action::Execute | Action::Replace => active = true,
                Action::Wait { until } => {
                    wake_up = Some(wake_up.map_or(until, |earlier: i64| earlier.min(until)))
                }
                _ => {}
            }
        }
        Plan { steps, older_missed: self.past.older + self.dropped.older, wake_up }
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

impl<S: NominalTimes, D: Spread> Job<S, D> {
    /// Plans one evaluation: finds the open periods, applies policy and catch-up rule, and says when to look again.
    ///
    /// Of more than 100,000 open periods only the newest are decided; the older ones count as missed.
    ///
    /// ```
    /// use kron_core::{Action, HostState, Job};
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @policy(deadline=10m)")?;
    /// let midnight = 1_772_323_200;
    /// let chosen = job.decide(midnight)?.chosen_timestamp().unwrap();
    /// let state = HostState { since: midnight - 86_400, handled_through: Some(midnight - 86_400), ..HostState::default() };
    /// let plan = job.plan(&state, chosen + 5);
    /// assert_eq!(plan.steps[0].action, Action::Execute);
    /// assert_eq!(plan.wake_up, Some(midnight + 86_400));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn plan(&self, state: &HostState<'_>, now: impl Instant) -> Plan<'_> {
        let now = now.floor();
        let (policy, rules) = (self.spec().policy(), self.rules());
        let mut planner = Planner::new(policy, now);
        // A period in force ends its window after `since`, so its nominal time is not before this.
        let after_since = state.since.saturating_sub(rules.reach.last);
        let lowest =
            state.handled_through.map_or(after_since, |through| after_since.max(through.saturating_add(1)));
        // Its window has begun.
        let highest = now.saturating_sub(rules.reach.first);
        let (mut decided, mut older) = (0, 0);
        let mut next = self.prev_nominal(highest).filter(|nominal| *nominal >= lowest);
        while let Some(nominal) = next {
            let open = state.handled.binary_search(&nominal).is_err();
            if open && decided >= OPEN_DECIDED && nominal + rules.reach.first > state.since {
                // In force, whenever it was chosen.
                older += 1;
            } else if open {
                let decision = rules.decide(nominal, &mut ());
                if decision.order_timestamp() > state.since {
                    planner.add(decision);
                    decided += 1;
                }
            }
            next = self.prev_nominal(nominal - 1).filter(|nominal| *nominal >= lowest);
        }
        let mut plan = planner.finish(state.active);
        plan.older_missed += older;
        if !policy.suspend() {
            let opening = self.next_nominal(highest).map(|nominal| nominal + rules.reach.first);
            plan.wake_up = plan.wake_up.into_iter().chain(opening).min();
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(text: &str) -> Job {
        Job::parse("plan/test", text).unwrap()
    }

    #[test]
    fn a_host_that_was_down_starts_one() {
        let job = job("0 * * * * @win(after,10m) @policy(deadline=24h)");
        let state = HostState { since: 0, handled_through: Some(0), ..HostState::default() };
        let plan = job.plan(&state, 10 * 3600 + 1200);
        let executed: Vec<i64> = plan
            .steps
            .iter()
            .filter(|step| step.action == Action::Execute)
            .map(|step| step.decision.nominal_timestamp())
            .collect();
        assert_eq!(executed, [10 * 3600]);
        assert_eq!(plan.steps.len(), 10);
        assert_eq!(plan.wake_up, Some(11 * 3600));
    }

    #[test]
    fn what_is_handled_or_not_in_force_is_not_open() {
        let job = job("0 * * * * @policy(deadline=24h)");
        let nominals = |state: &HostState<'_>| -> Vec<i64> {
            job.plan(state, 4 * 3600)
                .steps
                .iter()
                .map(|step| step.decision.nominal_timestamp() / 3600)
                .collect()
        };
        assert_eq!(nominals(&HostState { since: -1, ..HostState::default() }), [0, 1, 2, 3, 4]);
        assert_eq!(nominals(&HostState { since: 3600, ..HostState::default() }), [2, 3, 4]);
        let handled = [2 * 3600, 4 * 3600];
        let state = HostState { since: 0, handled_through: Some(3600), handled: &handled, active: false };
        assert_eq!(nominals(&state), [3]);
    }

    #[test]
    fn a_plan_of_half_a_century_is_bounded() {
        let job = job("* * * * * @policy(deadline=1h)");
        let plan = job.plan(&HostState::default(), 50 * 365 * 86_400);
        let missed = plan.steps.iter().filter(|step| step.action == Action::Record(Outcome::Missed)).count();
        // 100 past their deadline, and 59 of the last hour that the newest catches up for.
        assert_eq!(missed, 100 + 59);
        assert_eq!(plan.older_missed + plan.steps.len() as u64, 50 * 365 * 1440);
    }

    #[test]
    fn a_suspended_job_waits_for_nothing() {
        let job = job("0 * * * * @policy(suspend=true)");
        let plan = job.plan(&HostState::default(), 4 * 3600);
        assert!(plan.steps.iter().all(|step| step.action == Action::Nothing));
        assert_eq!(plan.wake_up, None);
    }
}
