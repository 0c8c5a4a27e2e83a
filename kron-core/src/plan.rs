//! Plans: all actions and outcomes of one evaluation of a job, in order of chosen time.
//!
//! A host that wakes up late meets several periods at once. The catch-up rule keeps it from starting them all: of the
//! open periods that are inside their deadline but more than ten seconds late, only the one with the latest chosen time
//! is considered. Those up to ten seconds late are all considered, so that a slow evaluation loses none.

use alloc::vec::Vec;

use crate::bounds::{CATCH_UP_GRACE, MISSED_LISTED};
use crate::decision::Decision;
use crate::instant::Instant;
use crate::policy::{Action, Lateness, Outcome, Policy};

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
    /// stand in `steps` one by one.
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
                Action::Wait { until } => wake_up = Some(wake_up.map_or(until, |earlier: i64| earlier.min(until))),
                _ => {}
            }
        }
        Plan { steps, older_missed: self.past.older + self.dropped.older, wake_up }
    }
}
