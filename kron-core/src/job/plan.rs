//! Plans of one job: its open periods are found, decided and planned.

use alloc::vec::Vec;

use crate::cron::nominal_times::NominalTimes;
use crate::decision::{Decision, Shared};
use crate::draw::distribution::Sampler;
use crate::job::Job;
use crate::limits::ENDED_DECIDED;
use crate::plan::host_state::HostState;
use crate::plan::planner::{Plan, PlanCounts, Planner, SlotsNeeded};
use crate::plan::step_list::{Slots, StepList, StepSlot};
use crate::time::instant::Instant;

impl<S: NominalTimes, D: Sampler> Job<S, D> {
    /// Plans one evaluation: finds the open periods, applies policy and catch-up rule, and says when to look again.
    ///
    /// The plan has every open period that is not past its deadline, but of those that the catch-up rule drops only the newest 100.
    /// The starts that are still
    /// to come do not depend on how long ago the configuration began. Of the periods whose windows have ended, only
    /// those are decided that the plan may list, and only the newest 1,000,000; the older ones count as missed.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::{Action, HostState};
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @policy(deadline=10m)")?;
    /// let midnight = 1_772_323_200;
    /// let chosen = job.decide(midnight)?.chosen_timestamp().unwrap();
    /// let state = HostState::new(midnight - 86_400).with_handled(Some(midnight - 86_400), vec![]);
    /// let plan = job.plan(&state, chosen + 5);
    /// assert_eq!(plan.steps[0].action, Action::Execute);
    /// assert_eq!(plan.wake_up, Some(midnight + 86_400));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn plan(&self, state: &HostState, now: impl Instant) -> Plan<Decision<'_>> {
        let (steps, counts) = self.planned(state, now.floor(), Vec::new(), Some(Shared::default()));
        Plan { steps, older_missed: counts.older_missed, wake_up: counts.wake_up }
    }

    /// [`plan`](Job::plan) into a slice of the caller: its first places get the steps, and nothing is allocated. The other places
    /// may be overwritten, too.
    ///
    /// # Errors
    ///
    /// [`SlotsNeeded`] if the places are too few. None of them has a meaning then.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::HostState;
    /// let job = Job::parse("web/ping", "*/5 * * * * @policy(deadline=10m)")?;
    /// let mut slots = [None; 4];
    /// let plan = job.plan_into(&HostState::new(0), 600, &mut slots).unwrap();
    /// let steps = job.plan(&HostState::new(0), 600).steps;
    /// assert!(slots[..plan.steps].iter().flatten().eq(&steps));
    /// assert_eq!(plan.wake_up, Some(900));
    /// let needed = job.plan_into(&HostState::new(0), 600, &mut slots[..1]).unwrap_err();
    /// assert_eq!(needed.0, 2);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn plan_into<'a, T: StepSlot<'a>>(
        &'a self,
        state: &HostState,
        now: impl Instant,
        slots: &mut [T],
    ) -> Result<PlanCounts, SlotsNeeded> {
        let available = slots.len();
        let (_, counts) = self.planned(state, now.floor(), Slots::new(slots), None);
        // Steps that do not fit are counted with the places that they need.
        if counts.steps > available { Err(SlotsNeeded(counts.steps)) } else { Ok(counts) }
    }

    fn planned<'a, L: StepList<Decision<'a>>>(
        &'a self,
        state: &HostState,
        now: i64,
        list: L,
        // Tables that make decisions faster, and are allocated.
        mut shared: Option<Shared>,
    ) -> (L, PlanCounts) {
        let (policy, rules) = (self.spec().policy(), self.rules());
        let (since, handled) = (state.since(), state.handled());
        let mut planner = Planner::new(policy, now, list);
        // A period in force ends its window after `since`, so its nominal time is not before this.
        let after_since = since.saturating_sub(rules.reach.last);
        let lowest =
            state.handled_through().map_or(after_since, |through| after_since.max(through.saturating_add(1)));
        // Its window has begun.
        let highest = now.saturating_sub(rules.reach.first);
        let mut decide = |nominal| match &mut shared {
            Some(shared) => rules.decide_next(nominal, shared),
            None => rules.decide(nominal, &mut ()),
        };
        let mut decided = 0;
        let mut next = self.prev_nominal_timestamp(highest).filter(|nominal| *nominal >= lowest);
        while let Some(nominal) = next {
            let mut before = nominal;
            if handled.binary_search(&nominal).is_err() {
                let (first, last) = (nominal + rules.reach.first, nominal + rules.reach.last);
                // Without constraints every period is schedulable.
                let only_counts = planner.only_counts(first, last)
                    && (policy.suspend() || rules.constraints.is_empty() || decided >= ENDED_DECIDED)
                    || decided >= ENDED_DECIDED && planner.is_missed(last);
                if !only_counts {
                    decided += u32::from(planner.is_late(last));
                    let decision = decide(nominal);
                    if decision.order_timestamp() > since {
                        planner.add(decision);
                    }
                } else if policy.suspend() {
                    // So do all earlier ones, which are not missed.
                    break;
                } else if first > since {
                    // All earlier ones only count, too, down to those that are dropped or missed as they are chosen.
                    let alike = if planner.is_missed(last) {
                        lowest
                    } else {
                        planner.in_time_from(rules.reach.first)
                    };
                    let from =
                        alike.max(lowest).max(since.saturating_sub(rules.reach.first).saturating_add(1));
                    planner.count_missed(self.count_unhandled(from, nominal, handled));
                    before = from;
                } else if decide(nominal).order_timestamp() > since {
                    planner.count_missed(1);
                }
            }
            next = self.prev_nominal_timestamp(before - 1).filter(|nominal| *nominal >= lowest);
        }
        let (list, mut counts) = planner.finish(state.is_active());
        if !policy.suspend() {
            let opening = self.next_nominal_timestamp(highest).map(|nominal| nominal + rules.reach.first);
            counts.wake_up = counts.wake_up.into_iter().chain(opening).min();
        }
        (list, counts)
    }

    /// The number of nominal times from `first` to `last`, both included, that are not among the handled ones.
    fn count_unhandled(&self, first: i64, last: i64, handled: &[i64]) -> u64 {
        let start = handled.partition_point(|nominal| *nominal < first);
        let end = handled.partition_point(|nominal| *nominal <= last);
        let handled = handled.get(start..end).unwrap_or_default();
        let handled = handled.iter().filter(|nominal| self.is_on_schedule(**nominal)).count();
        self.count_nominal_times(first, last).saturating_sub(handled as u64)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::plan::{Action, Outcome};
    use crate::{Cron, JobSpec, Zone};
    use core::cell::Cell;

    fn job(text: &str) -> Job {
        Job::parse("plan/test", text).unwrap()
    }

    #[test]
    fn a_host_that_was_down_starts_one() {
        let job = job("0 * * * * @win(after,10m) @policy(deadline=24h)");
        let state = HostState::new(0).with_handled(Some(0), vec![]);
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
        let nominals = |state: &HostState| -> Vec<i64> {
            job.plan(state, 4 * 3600)
                .steps
                .iter()
                .map(|step| step.period.nominal_timestamp() / 3600)
                .collect()
        };
        assert_eq!(nominals(&HostState::new(-1)), [0, 1, 2, 3, 4]);
        assert_eq!(nominals(&HostState::new(3600)), [2, 3, 4]);
        let state = HostState::new(0).with_handled(Some(3600), vec![2 * 3600, 4 * 3600]);
        assert_eq!(nominals(&state), [3]);
    }

    #[test]
    fn a_plan_of_half_a_century_is_bounded() {
        let job = job("* * * * * @policy(deadline=1h)");
        let plan = job.plan(&HostState::new(0), 50 * 365 * 86_400);
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
        let state = HostState::new(-1).with_handled(None, handled.to_vec());
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
            let spec = JobSpec::builder_for(Searches(*spec.schedule(), Cell::new(0)))
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
        let since = |days: i64| HostState::new(now - days * 86_400);
        let fresh = job.plan(&since(0), now);
        assert_eq!(fresh.older_missed, 0);
        let waits = to_come(&fresh);
        assert!(waits.len() > 263_000, "{}", waits.len());
        let chosen: Vec<i64> =
            job.periods(now - 800 * 86_400..now + 1).filter_map(|period| period.chosen_timestamp()).collect();
        let open_and_coming = job.periods(now - 366 * 86_400..now + 1);
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
                let due = chosen.iter().filter(|chosen| (state.since() + 1..=now).contains(chosen)).count();
                assert_eq!(missed + executed, due as u64, "{days}");
            }
            assert!(plan.steps.len() <= waits.len() + 100 + 100 + 12, "{days}");
        }
    }

    #[test]
    fn unschedulable_periods_of_half_a_century_are_bounded() {
        let job = job("* * * * * @win(after,2h) @avoid(hours=0-23) @policy(deadline=1h)");
        let plan = job.plan(&HostState::new(0), 50 * 365 * 86_400);
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
        let plan = job.plan(&HostState::new(start - 1), now);
        let executed: Vec<_> = plan.steps.iter().filter(|step| step.action == Action::Execute).collect();
        assert_eq!(executed.len(), 1);
    }

    #[test]
    fn a_suspended_job_waits_for_nothing() {
        let job = job("0 * * * * @policy(suspend=true)");
        let plan = job.plan(&HostState::new(0), 4 * 3600);
        assert!(plan.steps.iter().all(|step| step.action == Action::Nothing));
        assert_eq!(plan.wake_up, None);
        // The newest 100,000 are listed; none is missed.
        let job = self::job("* * * * * @policy(suspend=true)");
        let plan = job.plan(&HostState::new(0), 365 * 86_400);
        assert_eq!((plan.steps.len(), plan.older_missed, plan.wake_up), (100_001, 0, None));
        assert_eq!(plan.steps[100_000].period.nominal_timestamp(), 365 * 86_400);
    }
}
