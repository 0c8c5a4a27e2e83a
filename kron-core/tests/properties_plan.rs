//! Plans against a model written from the rules, on invented periods and on jobs with overlapping windows.

use kron_core::plan::{Action, HostState, Plan, SlotsNeeded, plan};
use kron_core::{Concurrency, Decision, Job, Outcome, Period, Policy};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generators::*;

/// One open period, apart from the core's type, so that the model shares no code with it.
#[derive(Clone, Copy, Debug)]
struct Open {
    nominal: i64,
    window: (i64, i64),
    chosen: Option<i64>,
}

impl Open {
    fn order(&self) -> (i64, i64) {
        (self.chosen.unwrap_or(self.window.1), self.nominal)
    }

    fn to_core(self) -> Period {
        Period::new(self.nominal, self.window, self.chosen)
    }
}

/// What a plan should be: nominal times and actions in order, the count of older missed periods, when to wake.
type Want = (Vec<(i64, Action)>, u64, Option<i64>);

/// The rules one after another, without regard to speed.
fn model(open: &[Open], policy: &Policy, now: i64, active: bool) -> Want {
    let mut open = open.to_vec();
    open.sort_by_key(Open::order);
    if policy.suspend() {
        return (open.iter().map(|period| (period.nominal, Action::Nothing)).collect(), 0, None);
    }
    let late = |period: &Open| period.chosen.map(|chosen| now - chosen);
    let past = |period: &Open| {
        late(period)
            .is_some_and(|late| i128::from(late) * 1_000_000_000 > i128::from(policy.deadline().as_nanos()))
    };
    let overdue: Vec<Open> = open.iter().copied().filter(past).collect();
    let later: Vec<Open> = open
        .iter()
        .copied()
        .filter(|period| !past(period) && late(period).is_some_and(|late| late > 10))
        .collect();
    let dropped = &later[..later.len().saturating_sub(1)];

    let mut older = 0;
    let mut actions = Vec::new();
    let mut missed = Vec::new();
    for kind in [&overdue[..], dropped] {
        let cut = kind.len().saturating_sub(100);
        older += cut as u64;
        missed.extend(kind[..cut].iter().map(|period| (period.nominal, false)));
        missed.extend(kind[cut..].iter().map(|period| (period.nominal, true)));
    }
    let (mut active, mut wake) = (active, None::<i64>);
    for period in &open {
        if let Some((_, listed)) = missed.iter().find(|(nominal, _)| *nominal == period.nominal) {
            if *listed {
                actions.push((period.nominal, Action::Record(Outcome::Missed)));
            }
            continue;
        }
        let until = match period.chosen {
            None if now > period.window.1 => {
                actions.push((period.nominal, Action::Record(Outcome::Unschedulable)));
                continue;
            }
            None => Some(period.window.1 + 1),
            Some(chosen) if now < chosen => Some(chosen),
            Some(_) => None,
        };
        if let Some(until) = until {
            actions.push((period.nominal, Action::Wait { until }));
            wake = Some(wake.map_or(until, |wake| wake.min(until)));
            continue;
        }
        actions.push((
            period.nominal,
            match (active, policy.concurrency()) {
                (true, Concurrency::Forbid) => Action::Record(Outcome::Skipped),
                (true, Concurrency::Replace) => {
                    active = true;
                    Action::Replace
                }
                _ => {
                    active = true;
                    Action::Execute
                }
            },
        ));
    }
    (actions, older, wake)
}

fn got(plan: &Plan<impl AsRef<Period>>) -> Want {
    let steps =
        plan.steps.iter().map(|step| (step.period.as_ref().nominal_timestamp(), step.action)).collect();
    (steps, plan.older_missed, plan.wake_up)
}

/// Deadlines that matter at the scale of the periods below, fractions of a second included.
fn policy_near(seconds: i64) -> impl Strategy<Value = Policy> {
    let deadline = prop_oneof![
        2 => Just(0),
        3 => (0..=seconds).prop_map(|seconds| seconds * 1_000_000_000),
        2 => 0..=seconds * 1_000_000_000,
        1 => Just(i64::MAX),
    ];
    (policy(), deadline, proptest::bool::weighted(0.1)).prop_map(|(policy, deadline, suspend)| {
        policy.with_deadline(duration(deadline)).unwrap().with_suspend(suspend)
    })
}

/// Invented periods: minutes apart, chosen anywhere in windows of some minutes, close to `now` = 0.
fn periods(most: usize, span: i64) -> impl Strategy<Value = Vec<Open>> {
    let period = (-span..600i64, 0..900i64, 0.0..=1.0f64, proptest::bool::weighted(0.15));
    vec(period, 0..most).prop_map(|list| {
        let mut seen = std::collections::BTreeSet::new();
        list.into_iter()
            .filter(|(nominal, ..)| seen.insert(*nominal))
            .map(|(nominal, length, place, none)| {
                let chosen = (!none).then(|| nominal + (length as f64 * place) as i64);
                Open { nominal, window: (nominal, nominal + length), chosen }
            })
            .collect()
    })
}

fn check(open: &[Open], policy: &Policy, now: i64, active: bool) -> Result<(), TestCaseError> {
    let found = plan(open.iter().map(|period| period.to_core()), policy, now, active);
    prop_assert_eq!(got(&found), model(open, policy, now, active));
    // Whatever the order in which the host lists them.
    let backwards = plan(open.iter().rev().map(|period| period.to_core()), policy, now, active);
    prop_assert_eq!(backwards, found);
    Ok(())
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn plans_equal_the_model(open in periods(12, 1500), policy in policy_near(1200), now in -300..300i64, active in any::<bool>()) {
        check(&open, &policy, now, active)?;
    }

    /// Within ten seconds and around them, where the catch-up rule divides.
    #[test]
    fn plans_around_ten_seconds_equal_the_model(late in vec(0..25i64, 1..6), policy in policy_near(30), active in any::<bool>()) {
        let mut late = late;
        late.sort_unstable();
        let open: Vec<Open> = late.iter().enumerate().map(|(i, late)| Open {
            nominal: -1000 + i as i64,
            window: (-1000, 1000),
            chosen: Some(-late),
        }).collect();
        check(&open, &policy, 0, active)?;
    }

    /// One period by itself: a plan is its evaluation.
    #[test]
    fn a_plan_of_one_is_its_evaluation(open in periods(2, 300), policy in policy_near(300), now in -300..300i64, active in any::<bool>()) {
        for period in &open {
            let action = policy.evaluate(period.to_core(), now, false, active);
            prop_assert_eq!(plan([period.to_core()], &policy, now, active).steps[0].action, action);
            prop_assert_eq!(policy.evaluate(period.to_core(), now, true, active), Action::Nothing);
            let want = model(&[*period], &policy, now, active);
            prop_assert_eq!(want.0[0].1, action);
            // Fractions of a second change nothing: `now` is rounded down.
            let fraction = chrono::DateTime::from_timestamp(now, 999_999_999).unwrap();
            prop_assert_eq!(policy.evaluate(period.to_core(), fraction, false, active), action);
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    /// Hundreds of periods: the newest hundred of each kind are named.
    #[test]
    fn long_plans_equal_the_model(open in periods(700, 40_000), policy in policy_near(60_000), active in any::<bool>()) {
        check(&open, &policy, 0, active)?;
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// A job's own plan: what is open follows from configuration, handled periods and `now`; windows overlap.
    #[test]
    fn plans_of_jobs_equal_the_model(
        model_of_job in job_with(dense_cron(), 3 * 3600, 0..2),
        name in name(),
        (zone, now) in place(),
        policy in policy_near(7200),
        back in 0..6 * 3600i64,
        (through, handled, active) in (proptest::option::of(-7200..3600i64), vec(0..400usize, 0..20), any::<bool>()),
    ) {
        let mut model_of_job = model_of_job;
        (model_of_job.zone, model_of_job.policy) = (zone, policy);
        let job = Job::new(&name, model_of_job.build()).unwrap();
        let reach = model_of_job.nanos / 1_000_000_000 + 2;
        let since = now - back;
        let nearby: Vec<Decision<'_>> = job.periods(since - reach..now + reach + DAY).collect();
        let mut handled: Vec<i64> = handled.iter().filter_map(|i| nearby.get(*i)).map(Decision::nominal_timestamp).collect();
        handled.sort_unstable();
        handled.dedup();
        let handled_through = through.map(|through| now + through);
        let open: Vec<Open> = nearby
            .iter()
            .filter(|decision| {
                let nominal = decision.nominal_timestamp();
                decision.order_timestamp() > since
                    && !handled.contains(&nominal)
                    && handled_through.is_none_or(|through| nominal > through)
                    && decision.window_start_timestamp() <= now
            })
            .map(|decision| Open {
                nominal: decision.nominal_timestamp(),
                window: (decision.window_start_timestamp(), decision.window_end_timestamp()),
                chosen: decision.chosen_timestamp(),
            })
            .collect();
        let (steps, older, mut wake) = model(&open, job.spec().policy(), now, active);
        if !job.spec().policy().suspend() {
            // The next window opens.
            let mut next = job.next_period(now - reach).ok();
            while let Some(decision) = next {
                if decision.window_start_timestamp() > now {
                    wake = Some(wake.map_or(decision.window_start_timestamp(), |wake| wake.min(decision.window_start_timestamp())));
                    break;
                }
                next = job.next_period(decision.nominal_timestamp()).ok();
            }
        }
        let mut state = HostState::new(since).with_handled(handled_through, handled);
        state.set_active(active);
        let plan = job.plan(&state, now);
        prop_assert_eq!(got(&plan), (steps, older, wake), "{}", job.spec());
        check_previous_open(&plan)?;
        // The same in a slice, and how long it has to be.
        let mut lengths = vec![plan.steps.len() + 3, plan.steps.len(), plan.steps.len().saturating_sub(1), 0];
        while let Some(length) = lengths.pop() {
            let mut slots = vec![None; length];
            match job.plan_into(&state, now, &mut slots) {
                Err(SlotsNeeded(needed)) => {
                    prop_assert!(length < plan.steps.len() || plan.older_missed > 0, "{} of {}", length, plan.steps.len());
                    prop_assert!((length + 1..=plan.steps.len() + 75).contains(&needed), "{} at {}", needed, length);
                    if length < plan.steps.len() && !lengths.is_empty() {
                        lengths.push(needed);
                    }
                }
                Ok(found) => {
                    let counts = (found.steps, found.older_missed, found.wake_up);
                    prop_assert_eq!(counts, (plan.steps.len(), plan.older_missed, plan.wake_up));
                    let steps: Vec<_> = slots[..found.steps].iter().map(|slot| slot.unwrap()).collect();
                    prop_assert_eq!(&steps, &plan.steps);
                }
            }
        }
    }
}

/// Each step names the step before it in nominal order.
fn check_previous_open(plan: &Plan<Decision<'_>>) -> Result<(), TestCaseError> {
    let mut steps: Vec<_> =
        plan.steps.iter().map(|step| (step.period.nominal_timestamp(), step.previous_open)).collect();
    steps.sort_unstable();
    let mut before = None;
    for (nominal, previous_open) in steps {
        prop_assert_eq!(previous_open, before);
        before = Some(nominal);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(100))]

    /// A host that is given another text, also with a clock that was set back, opens no handled period again.
    #[test]
    fn a_new_configuration_repeats_nothing(
        models in (job_with(dense_cron(), 2 * 3600, 0..1), job_with(dense_cron(), 2 * 3600, 0..1)),
        name in name(),
        (zone, from) in place(),
        policy in policy_near(3600),
        (later, back, then) in (1..7200i64, -3600..3600i64, 0..7200i64),
    ) {
        let (mut old, mut new) = models;
        (old.zone, old.policy) = (zone.clone(), policy.with_suspend(false));
        (new.zone, new.policy) = (zone, policy.with_suspend(false));
        let (old, new) = (Job::new(&name, old.build()).unwrap(), Job::new(&name, new.build()).unwrap());
        let mut state = HostState::new(from);
        let plan = old.plan(&state, from + later);
        plan.steps.iter().for_each(|step| state.record(step));
        let handled: Vec<i64> = plan.steps.iter().filter(|step| step.action.outcome().is_some()).map(|step| step.period.nominal_timestamp()).collect();
        let since = from + later + back;
        state.reconfigure(since);
        for step in new.plan(&state, since + then).steps {
            prop_assert!(!handled.contains(&step.period.nominal_timestamp()), "{:?}", step);
            prop_assert!(step.period.order_timestamp() > since);
        }
    }

    /// A host that plans at random times, records some steps in random order, and is ended and restored in between: its state says
    /// what one says that keeps every handled period for ever, and stays small.
    #[test]
    fn a_recorded_state_knows_all_that_is_handled(
        model_of_job in job_with(dense_cron(), 2 * 3600, 0..2),
        name in name(),
        (zone, from) in place(),
        policy in policy_near(3600),
        rounds in vec((1..900i64, vec(any::<proptest::sample::Index>(), 0..12), any::<bool>()), 1..12),
    ) {
        let mut model_of_job = model_of_job;
        (model_of_job.zone, model_of_job.policy) = (zone, policy.with_suspend(false));
        let job = Job::new(&name, model_of_job.build()).unwrap();
        let mut state = HostState::new(from);
        let (mut all, mut now) = (std::collections::BTreeSet::new(), from);
        for (later, chosen, ended) in rounds {
            now += later;
            let plan = job.plan(&state, now);
            let mut complete = HostState::new(from).with_handled(None, all.iter().copied().collect());
            complete.set_active(state.is_active());
            prop_assert_eq!(&plan, &job.plan(&complete, now), "{}", job.spec());
            let mut steps = plan.steps.clone();
            for index in chosen {
                if steps.is_empty() {
                    break;
                }
                let step = steps.swap_remove(index.index(steps.len()));
                state.record(&step);
                let nominal = step.period.nominal_timestamp();
                let settled = step.action.outcome().is_some();
                prop_assert_eq!(state.is_handled(nominal), settled);
                if settled {
                    prop_assert!(all.insert(nominal), "handled twice");
                }
            }
            for step in &plan.steps {
                let nominal = step.period.nominal_timestamp();
                prop_assert_eq!(state.is_handled(nominal), all.contains(&nominal));
            }
            if ended {
                state.set_active(false);
            }
            let json = serde_json::to_string(&state).unwrap();
            prop_assert_eq!(&serde_json::from_str::<HostState>(&json).unwrap(), &state);
        }
        prop_assert!(state.handled().iter().all(|nominal| Some(*nominal) > state.handled_through()));
    }
}

proptest! {
    #![proptest_config(config(60))]

    /// How long ago the configuration began changes nothing about the periods that are still to start.
    #[test]
    fn plans_hold_all_that_is_to_come(
        model_of_job in job_with(dense_cron(), 2 * DAY, 0..2),
        name in name(),
        (zone, now) in place(),
        policy in policy_near(DAY),
        days in 0..40i64,
    ) {
        let mut model_of_job = model_of_job;
        (model_of_job.zone, model_of_job.policy) = (zone, policy);
        let job = Job::new(&name, model_of_job.build()).unwrap();
        let to_come = |since| -> Vec<i64> {
            let plan = job.plan(&HostState::new(since), now);
            let coming = plan.steps.iter().filter(|step| step.period.order_timestamp() > now);
            coming.map(|step| step.period.nominal_timestamp()).collect()
        };
        prop_assert_eq!(to_come(now), to_come(now - days * DAY), "{}", job.spec());
    }
}

/// A host that plans at each wake-up, never late, handles every period exactly once and starts each at its chosen second.
#[test]
fn a_host_that_follows_its_plans() {
    let job = Job::parse(
        "plan/host",
        "*/7 * * * * @win(around,40m) @avoid(between=03:00-03:59) @policy(concurrency=allow)",
    )
    .unwrap();
    let (since, end) = (0, 2 * DAY);
    let mut now = since;
    let mut state = HostState::new(since);
    let mut outcomes = std::collections::BTreeMap::new();
    while now < end {
        let plan = job.plan(&state, now);
        for step in &plan.steps {
            state.record(step);
            if let Some(outcome) = step.action.outcome() {
                let nominal = step.period.nominal_timestamp();
                assert!(outcomes.insert(nominal, outcome).is_none(), "handled twice");
                let due = step.period.chosen_timestamp().unwrap_or(step.period.window_end_timestamp() + 1);
                assert_eq!(now, due, "{:?}", step.period);
            }
        }
        // As many windows as overlap, at most.
        assert!(state.handled().len() <= 6, "{state:?}");
        let next = plan.wake_up.unwrap();
        assert!(next > now);
        now = next;
    }
    let in_force: Vec<Decision<'_>> = job
        .periods(-DAY..end)
        .filter(|d| d.order_timestamp() > since && d.order_timestamp() < end - 1)
        .collect();
    for decision in &in_force {
        let want =
            if decision.chosen_timestamp().is_some() { Outcome::Executed } else { Outcome::Unschedulable };
        assert_eq!(outcomes.get(&decision.nominal_timestamp()), Some(&want), "{decision:?}");
    }
    assert!(in_force.len() > 300 && in_force.iter().any(|decision| decision.chosen_timestamp().is_none()));
}

/// A host gets its own values back, also where several of them have the same times.
#[test]
fn steps_give_back_what_was_given() {
    #[derive(Debug)]
    struct Given(usize, Period);
    impl AsRef<Period> for Given {
        fn as_ref(&self) -> &Period {
            &self.1
        }
    }
    let period = Period::new(0, (0, 60), Some(30));
    let policy = Policy::default().with_concurrency(Concurrency::Allow);
    for now in [0, 30, 35] {
        let given = (0..50).map(|index| Given(index, period));
        let found = plan(given, &policy.with_deadline(duration(60_000_000_000)).unwrap(), now, false);
        let indices: Vec<usize> = found.steps.iter().map(|step| step.period.0).collect();
        assert_eq!(indices, (0..50).collect::<Vec<_>>(), "{now}");
    }
}
