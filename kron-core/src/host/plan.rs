//! Plans: all actions and outcomes of one evaluation of a job, in order of chosen time.
//!
//! A host that wakes up late finds several open periods. The catch-up rule keeps it from starting all of them: of the
//! open periods that are inside their deadline but more than ten seconds late, only the one with the latest chosen time
//! is considered. Those up to ten seconds late are all considered, so that a slow evaluation loses none.

use alloc::vec::Vec;

use crate::cron::nominal_times::NominalTimes;
use crate::decision::period::Period;
use crate::decision::{Decision, Shared};
use crate::draw::distribution::Spread;
use crate::host::evaluate::{Action, Lateness};
use crate::job::Job;
use crate::job::policy::{Outcome, Policy};
use crate::limits::{CATCH_UP_GRACE, ENDED_DECIDED, ENDED_LISTED, MISSED_LISTED};
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
/// Periods are given as [`Period`], as [`Decision`] or as a type of the host that has a period; the steps return them,
/// so a host needs no map from periods to its own data.
///
/// ```
/// use kron_core::{Action, Job, Outcome, plan};
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
    fn only_counts(&self, first: i64, last: i64) -> bool {
        if self.policy.suspend() {
            return self.ended.only_counts(last);
        }
        match self.is_missed(last) {
            true => self.past.only_counts(last),
            false => !self.is_missed(first) && self.is_late(last) && self.dropped.only_counts(last),
        }
    }

    /// Whether a chosen time is past its deadline.
    fn is_missed(&self, chosen: i64) -> bool {
        !self.policy.suspend() && self.policy.lateness(chosen, self.now) == Lateness::Past
    }

    /// The first nominal time whose window begins inside the deadline, for windows that begin `reach` seconds after it.
    fn in_time_from(&self, reach: i64) -> i64 {
        self.now.saturating_sub(self.policy.deadline().as_secs()).saturating_sub(reach)
    }

    /// Counts periods that are missed and not listed.
    fn count_missed(&mut self, periods: u64) {
        self.past.older += periods;
    }

    fn is_late(&self, chosen: i64) -> bool {
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

impl<S: NominalTimes, D: Spread> Job<S, D> {
    /// Plans one evaluation: finds the open periods, applies policy and catch-up rule, and says when to look again.
    ///
    /// The plan has every open period that is not past its deadline, but of those that the catch-up rule drops only the newest 100.
    /// The starts that are still
    /// to come do not depend on how long ago the configuration began. Of the periods whose windows have ended, only
    /// those are decided that the plan may list, and only the newest 1,000,000; the older ones count as missed.
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
    pub fn plan(&self, state: &HostState<'_>, now: impl Instant) -> Plan<Decision<'_>> {
        let now = now.floor();
        let (policy, rules) = (self.spec().policy(), self.rules());
        let mut planner = Planner::new(policy, now);
        // A period in force ends its window after `since`, so its nominal time is not before this.
        let after_since = state.since.saturating_sub(rules.reach.last);
        let lowest =
            state.handled_through.map_or(after_since, |through| after_since.max(through.saturating_add(1)));
        // Its window has begun.
        let highest = now.saturating_sub(rules.reach.first);
        let mut shared = Shared::default();
        let mut decided = 0;
        let mut next = self.prev_nominal(highest).filter(|nominal| *nominal >= lowest);
        while let Some(nominal) = next {
            let mut before = nominal;
            if state.handled.binary_search(&nominal).is_err() {
                let (first, last) = (nominal + rules.reach.first, nominal + rules.reach.last);
                // Without constraints every period is schedulable.
                let only_counts = planner.only_counts(first, last)
                    && (policy.suspend() || rules.constraints.is_empty() || decided >= ENDED_DECIDED)
                    || decided >= ENDED_DECIDED && planner.is_missed(last);
                if !only_counts {
                    decided += u32::from(planner.is_late(last));
                    let decision = rules.decide_next(nominal, &mut shared);
                    if decision.order_timestamp() > state.since {
                        planner.add(decision);
                    }
                } else if policy.suspend() {
                    // So do all earlier ones, which are not missed.
                    break;
                } else if first > state.since {
                    // All earlier ones only count, too, down to those that are dropped or missed as they are chosen.
                    let alike = if planner.is_missed(last) {
                        lowest
                    } else {
                        planner.in_time_from(rules.reach.first)
                    };
                    let from = alike
                        .max(lowest)
                        .max(state.since.saturating_sub(rules.reach.first).saturating_add(1));
                    planner.count_missed(self.count_unhandled(from, nominal, state.handled));
                    before = from;
                } else if rules.decide_next(nominal, &mut shared).order_timestamp() > state.since {
                    planner.count_missed(1);
                }
            }
            next = self.prev_nominal(before - 1).filter(|nominal| *nominal >= lowest);
        }
        let mut plan = planner.finish(state.active);
        if !policy.suspend() {
            let opening = self.next_nominal(highest).map(|nominal| nominal + rules.reach.first);
            plan.wake_up = plan.wake_up.into_iter().chain(opening).min();
        }
        plan
    }

    /// The number of nominal times from `first` to `last`, both included, that are not among the handled ones.
    fn count_unhandled(&self, first: i64, last: i64, handled: &[i64]) -> u64 {
        let start = handled.partition_point(|nominal| *nominal < first);
        let end = handled.partition_point(|nominal| *nominal <= last);
        // A slice that is not sorted may have no such range.
        let mut handled = handled.get(start..end).unwrap_or_default().to_vec();
        handled.dedup();
        handled.retain(|nominal| self.prev_nominal(*nominal) == Some(*nominal));
        self.count_nominal(first, last).saturating_sub(handled.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cron, JobSpec, Zone};
    use core::cell::Cell;

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
            .map(|step| step.period.nominal_timestamp())
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
                .map(|step| step.period.nominal_timestamp() / 3600)
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

    /// Cron expressions that count the searches for nominal times.
    struct Searches(Cron, Cell<u32>);

    impl NominalTimes for Searches {
        fn next_nominal(&self, zone: &Zone, after: i64) -> Option<i64> {
            self.1.set(self.1.get() + 1);
            self.0.next_nominal(zone, after)
        }

        fn prev_nominal(&self, zone: &Zone, at: i64) -> Option<i64> {
            self.1.set(self.1.get() + 1);
            self.0.prev_nominal(zone, at)
        }

        fn count_nominal(&self, zone: &Zone, first: i64, last: i64) -> u64 {
            self.0.count_nominal(zone, first, last)
        }
    }

    #[test]
    fn periods_that_only_count_are_not_searched_for() {
        let now = 50 * 365 * 86_400;
        let handled = [-60, 60, 60, 90, 7 * 60, 600_000];
        let state = HostState { since: -1, handled: &handled, ..HostState::default() };
        let all = now as u64 / 60 + 1;
        // The search finds those that are decided: twice as many as are listed, those of a deadline of an hour or of a
        // window, and a million under constraints.
        for (text, searches) in [
            ("@policy(deadline=1h)", 500),
            ("@policy(deadline=400000h)", 500),
            ("@policy(deadline=400000h) @win(after,2h)", 1000),
            ("@policy(deadline=300000h) @win(after,2h)", 1500),
            ("@policy(deadline=1h) @win(after,2h) @only(hours=8-17)", 1_000_500),
        ] {
            let spec = job(&alloc::format!("* * * * * {text}")).spec().clone();
            let spec = JobSpec::builder(Searches(*spec.schedule(), Cell::new(0)))
                .window(spec.window())
                .policy(*spec.policy())
                .constraints(spec.constraints().clone());
            let job = Job::new("plan/test", spec.build().unwrap()).unwrap();
            let plan = job.plan(&state, now);
            // 60 and 7 * 60 and 600,000 are handled; -60 and 90 are no nominal times.
            assert_eq!(plan.older_missed + plan.steps.len() as u64, all - 3, "{text}");
            let made = job.spec().schedule().1.get();
            assert!(made <= searches, "{text}: {made}");
        }
    }

    /// The steps that are not about the past, as nominal times.
    fn to_come(plan: &Plan<Decision<'_>>) -> Vec<(i64, Action)> {
        let past = |action| matches!(action, Action::Record(Outcome::Missed));
        let steps = plan.steps.iter().filter(|step| !past(step.action));
        steps.map(|step| (step.period.nominal_timestamp(), step.action)).collect()
    }

    #[test]
    fn older_open_periods_hide_none_that_is_still_to_start() {
        let job = job("* * * * * @win(after,8784h) @policy(deadline=1h,concurrency=allow)");
        let now = 1_772_323_200;
        let since = |days: i64| HostState { since: now - days * 86_400, ..HostState::default() };
        let fresh = job.plan(&since(0), now);
        assert_eq!(fresh.older_missed, 0);
        let waits = to_come(&fresh);
        assert!(waits.len() > 263_000, "{}", waits.len());
        let chosen: Vec<i64> =
            job.periods(now - 800 * 86_400, now + 1).filter_map(|period| period.chosen_timestamp()).collect();
        let open_and_coming = job.periods(now - 366 * 86_400, now + 1);
        let coming = open_and_coming.filter(|period| period.chosen_timestamp() > Some(now)).count();
        assert_eq!(waits.len(), coming);
        for days in [60, 366, 20_000] {
            let state = since(days);
            let plan = job.plan(&state, now);
            // Starts of the last hour are executed now, or missed.
            let coming: Vec<_> = to_come(&plan)
                .into_iter()
                .filter(|(_, action)| matches!(action, Action::Wait { .. }))
                .collect();
            assert!(coming == waits, "{days}");
            let executed = plan.steps.iter().filter(|step| step.action == Action::Execute).count() as u64;
            let missed = plan.steps.len() as u64 - executed - waits.len() as u64 + plan.older_missed;
            if days <= 366 {
                let due = chosen.iter().filter(|chosen| (state.since + 1..=now).contains(chosen)).count();
                assert_eq!(missed + executed, due as u64, "{days}");
            }
            assert!(plan.steps.len() <= waits.len() + 100 + 100 + 12, "{days}");
        }
    }

    #[test]
    fn unschedulable_periods_of_half_a_century_are_bounded() {
        let job = job("* * * * * @win(after,2h) @avoid(hours=0-23) @policy(deadline=1h)");
        let plan = job.plan(&HostState::default(), 50 * 365 * 86_400);
        let unschedulable =
            plan.steps.iter().filter(|step| step.action == Action::Record(Outcome::Unschedulable)).count();
        assert_eq!(unschedulable, 100_000);
        // Those of the last two hours wait for their windows to end.
        assert_eq!(plan.steps.len(), 100_000 + 121);
        assert_eq!(plan.older_missed + plan.steps.len() as u64, 50 * 365 * 1440 + 1);
    }

    #[test]
    fn a_start_inside_its_deadline_is_found_behind_a_million_unschedulable_periods() {
        let job = job("* * * * * @only(date=2020-02-03;between=07:00-07:00) @policy(deadline=80000h)");
        let (start, now) = (1_580_713_200, 1_767_225_600);
        let plan = job.plan(&HostState { since: start - 1, ..HostState::default() }, now);
        let executed: Vec<_> = plan.steps.iter().filter(|step| step.action == Action::Execute).collect();
        assert_eq!(executed.len(), 1);
    }

    #[test]
    fn a_suspended_job_waits_for_nothing() {
        let job = job("0 * * * * @policy(suspend=true)");
        let plan = job.plan(&HostState::default(), 4 * 3600);
        assert!(plan.steps.iter().all(|step| step.action == Action::Nothing));
        assert_eq!(plan.wake_up, None);
        // The newest 100,000 are listed; none is missed.
        let job = self::job("* * * * * @policy(suspend=true)");
        let plan = job.plan(&HostState::default(), 365 * 86_400);
        assert_eq!((plan.steps.len(), plan.older_missed, plan.wake_up), (100_001, 0, None));
        assert_eq!(plan.steps[100_000].period.nominal_timestamp(), 365 * 86_400);
    }
}
