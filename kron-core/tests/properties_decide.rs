//! Decisions against a scan of every second of the window, with constraints checked by an independent reading.

use chrono::{Datelike, Timelike};
use kron_core::constraint::Forbidden;
use kron_core::proof::Explanation;
use kron_core::{Algorithm, Clause, Constraints, Job, SeedStrategy, Unschedulable, WindowMode, Zone};
use proptest::prelude::*;

use crate::generators::*;
use crate::oracle;

/// A job, a nominal time on or off its schedule, and its window's candidates by the formulas of the specification.
#[derive(Clone, Debug)]
struct Case {
    model: JobModel,
    name: String,
    nominal: i64,
}

impl Case {
    fn job(&self) -> Job {
        Job::new(&self.name, self.model.build()).unwrap()
    }

    /// First and last candidate, from the window's exact bounds in nanoseconds.
    fn candidates(&self) -> (i64, i64) {
        let nominal = i128::from(self.nominal) * 1_000_000_000;
        let length = i128::from(self.model.nanos);
        let (start, end) = match self.model.mode {
            WindowMode::After => (nominal, nominal + length),
            WindowMode::Before => (nominal - length, nominal),
            WindowMode::Around => (nominal - length / 2, nominal + length / 2),
        };
        let second = 1_000_000_000i128;
        let up = |nanos: i128| -(-nanos).div_euclid(second);
        let down = |nanos: i128| nanos.div_euclid(second);
        let (first, last) = match self.model.algorithm {
            Algorithm::SipHashChaCha8 => (up(start), down(end)),
            Algorithm::Sha256SplitMix64 if self.model.mode == WindowMode::Around => {
                (down(start), down(down(start) * second + length))
            }
            Algorithm::Sha256SplitMix64 => (down(start), down(end)),
        };
        (i64::try_from(first).unwrap(), i64::try_from(last).unwrap())
    }

    fn allowed(&self, at: i64) -> bool {
        oracle::allowed(&self.model.only, &self.model.avoid, &oracle::tz(&self.model.zone), at)
    }

    /// Every allowed second of the window.
    fn scan(&self) -> Vec<i64> {
        let (first, last) = self.candidates();
        (first..=last).filter(|at| self.allowed(*at)).collect()
    }
}

/// Jobs with windows of up to a few hours; some constraints leave only minutes of them.
fn case() -> impl Strategy<Value = Case> {
    let narrow = proptest::option::weighted(0.6, (0.0..1.0f64, 0..4u16, any::<bool>()));
    (job_with(dense_cron(), 6 * 3600, 0..3), name(), place(), narrow, any::<bool>()).prop_map(
        |(mut model, name, (zone, nominal), narrow, few)| {
            model.zone = zone.clone();
            if few {
                (model.only, model.avoid) = (Vec::new(), Vec::new());
            }
            let mut case = Case { model, name, nominal };
            if let Some((place, width, avoid)) = narrow {
                // Some minutes of the window alone, or all but those.
                let (first, last) = case.candidates();
                let at = oracle::civil(&oracle::tz(&zone), first + ((last - first) as f64 * place) as i64);
                let minute = (at.hour() * 60 + at.minute()) as u16;
                let end = (minute + width) % 1440;
                let range = if avoid { ((end + 1) % 1440, (minute + 1439) % 1440) } else { (minute, end) };
                let clause = ClauseModel(vec![Part::Between(vec![range])]);
                if avoid { case.model.avoid.push(clause) } else { case.model.only = vec![clause] }
            }
            case
        },
    )
}

/// `floor(position * count)`, held in range.
fn pick(position: f64, count: usize) -> usize {
    ((position * count as f64).floor() as usize).min(count - 1)
}

fn check_explanation(
    case: &Case,
    job: &Job,
    why: &Explanation<'_>,
    scan: &[i64],
) -> Result<(), TestCaseError> {
    let decision = why.decision;
    let (first, last) = case.candidates();
    let count = usize::try_from(last - first + 1).unwrap();
    prop_assert_eq!(why.candidates, count as u64);
    prop_assert_eq!(why.allowed, scan.len() as u64);
    prop_assert_eq!(
        why.on_schedule,
        job.spec().schedule().in_zone(case.model.zone.clone()).prev_timestamp(case.nominal)
            == Some(case.nominal)
    );
    // The runs are maximal and cover exactly the allowed seconds.
    let listed: Vec<i64> = why.allowed_runs.iter().flat_map(|(first, last)| *first..=*last).collect();
    prop_assert_eq!(&listed, scan);
    prop_assert!(why.allowed_runs.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0));

    let draws = usize::from(decision.draws());
    prop_assert_eq!(why.draws.len(), draws.min(64));
    prop_assert_eq!(why.closed_up.is_some(), draws == 65);
    for (i, draw) in why.draws.iter().enumerate() {
        prop_assert!((0.0..1.0).contains(&draw.u.unwrap()) && (0.0..=1.0).contains(&draw.quantile));
        prop_assert_eq!(draw.candidate, first + pick(draw.quantile, count) as i64);
        prop_assert_eq!(draw.forbidden.is_none(), case.allowed(draw.candidate));
        prop_assert_eq!(
            draw.forbidden.is_none(),
            i + 1 == draws && draws <= 64 && decision.chosen_timestamp().is_some()
        );
        let civil = oracle::civil(&oracle::tz(&case.model.zone), draw.candidate);
        match draw.forbidden {
            None => prop_assert_eq!(decision.chosen_timestamp(), Some(draw.candidate)),
            Some(Forbidden::NoOnlyClause) => {
                prop_assert!(!case.model.only.iter().any(|clause| oracle::clause_matches(clause, &civil)));
            }
            Some(Forbidden::AvoidClause(index)) => {
                let first = case.model.avoid.iter().position(|clause| oracle::clause_matches(clause, &civil));
                prop_assert_eq!(Some(index), first);
            }
        }
    }
    if let Some(closed_up) = why.closed_up {
        prop_assert_eq!(closed_up.chosen, scan[pick(closed_up.quantile, scan.len())]);
        prop_assert_eq!(decision.chosen_timestamp(), Some(closed_up.chosen));
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn decisions_equal_a_scan(case in case()) {
        let job = case.job();
        let decision = job.decide(case.nominal).unwrap();
        let scan = case.scan();
        prop_assert_eq!((decision.window_start_timestamp(), decision.window_end_timestamp()), case.candidates());
        prop_assert_eq!(decision.nominal_timestamp(), case.nominal);
        prop_assert_eq!(decision.name(), &*case.name);
        prop_assert_eq!(decision.algorithm(), case.model.algorithm.as_str());

        let (first, last) = case.candidates();
        let old = case.model.algorithm == Algorithm::Sha256SplitMix64;
        match (decision.chosen_timestamp(), decision.unschedulable()) {
            (Some(chosen), None) => {
                prop_assert!(first <= chosen && chosen <= last);
                prop_assert!(scan.contains(&chosen));
                prop_assert_eq!(decision.order_timestamp(), chosen);
                let draws = decision.draws();
                let most = if old { 64 } else { 65 };
                prop_assert_eq!(first == last, draws == 0);
                prop_assert!(draws <= most);
            }
            (None, Some(why)) => {
                prop_assert_eq!(decision.order_timestamp(), last);
                prop_assert_eq!(decision.draws(), if first == last { 0 } else { 64 });
                if !old || first == last {
                    prop_assert!(scan.is_empty(), "{:?}", scan);
                    prop_assert_eq!(why, Unschedulable::NoAllowedSecond);
                } else {
                    prop_assert_eq!(why, Unschedulable::DrawsExhausted);
                }
            }
            _ => prop_assert!(false, "a start and a reason why there is none"),
        }
        let why = job.explain(case.nominal).unwrap();
        prop_assert_eq!(why.decision, decision);
        check_explanation(&case, &job, &why, &scan)?;
    }

    /// The same decision after printing and parsing, from chrono's times and from Unix seconds, and at any second.
    #[test]
    fn decisions_are_reproducible(case in case(), zone in zone()) {
        let job = case.job();
        let decision = job.decide(case.nominal).unwrap();
        let again = Job::parse(&case.name, &job.spec().to_string()).unwrap();
        prop_assert_eq!(again.decide(case.nominal), Ok(decision));
        prop_assert_eq!(again.decide(oracle::civil(&oracle::tz(&zone), case.nominal)), Ok(decision));
        let half = chrono::DateTime::from_timestamp(case.nominal, 500_000_000).unwrap();
        prop_assert_eq!(again.decide(half).unwrap_err().code(), kron_core::ErrorCode::NominalTime);
        let input = format!("{}\n{}\n{}", case.name, decision.period_key(), case.model.salt);
        prop_assert_eq!(decision.seed_input(), input);
        let id = chrono::DateTime::from_timestamp(case.nominal, 0).unwrap().format("%Y-%m-%dT%H:%M:%SZ").to_string();
        prop_assert_eq!(decision.period_id(), id);
    }

    /// One more rule moves only what it forbids, up to the 64th draw.
    #[test]
    fn tightening_moves_only_what_it_forbids(case in case(), more in clause(), only in any::<bool>()) {
        let job = case.job();
        let before = job.decide(case.nominal).unwrap();
        let mut tighter = case.clone();
        // An `only` clause tightens only where it is not one more alternative.
        if only && case.model.only.is_empty() {
            tighter.model.only.push(more);
        } else {
            tighter.model.avoid.push(more);
        }
        let tight_job = tighter.job();
        let after = tight_job.decide(case.nominal).unwrap();
        prop_assert_eq!(before.seed_hash(), after.seed_hash());
        match before.chosen_timestamp() {
            None => prop_assert_eq!(after.chosen_timestamp(), None),
            Some(chosen) if tighter.allowed(chosen) && before.draws() <= 64 => {
                prop_assert_eq!(after.chosen_timestamp(), Some(chosen));
                prop_assert_eq!(after.draws(), before.draws());
            }
            Some(chosen) => {
                prop_assert!(after.draws() >= before.draws() || after.draws() == 64);
                if !tighter.allowed(chosen) {
                    prop_assert_ne!(after.chosen_timestamp(), Some(chosen));
                }
            }
        }
    }

    /// Periods share a seed if and only if they share a key, and keys are what the calendar says.
    #[test]
    fn seeds_follow_keys(case in case(), other in 0..=8 * DAY, forward in any::<bool>()) {
        let job = case.job();
        let second = if forward { case.nominal + other } else { case.nominal - other }.clamp(FIRST, LAST);
        let (one, two) = (job.decide(case.nominal).unwrap(), job.decide(second).unwrap());
        for decision in [one, two] {
            let civil = oracle::civil(&oracle::tz(&case.model.zone), decision.nominal_timestamp());
            let key = match case.model.strategy {
                SeedStrategy::Stable => decision.period_id(),
                SeedStrategy::Daily => civil.format("%Y-%m-%d").to_string(),
                SeedStrategy::Fixed => "fixed".to_string(),
                SeedStrategy::Weekly => format!("{}-W{:02}", civil.iso_week().year(), civil.iso_week().week()),
            };
            prop_assert_eq!(decision.period_key(), key);
        }
        prop_assert_eq!(one.seed_hash() == two.seed_hash(), one.period_key() == two.period_key());
        // Unconstrained periods of one key lie at the same place of their windows.
        if case.model.only.is_empty() && case.model.avoid.is_empty() && one.period_key() == two.period_key() {
            let place = |decision: kron_core::Decision<'_>| decision.chosen_timestamp().map(|chosen| chosen - decision.nominal_timestamp());
            prop_assert_eq!(place(one), place(two));
        }
    }

    /// Another name, key or salt is another seed, and no two of them run into each other.
    #[test]
    fn seeds_tell_inputs_apart(case in case(), salt in salt()) {
        let decision_of = |model: &JobModel, name: &str| {
            *Job::new(name, model.build()).unwrap().decide(case.nominal).unwrap().seed_hash().as_bytes()
        };
        let hash = decision_of(&case.model, &case.name);
        prop_assert_ne!(hash, decision_of(&case.model, &(case.name.clone() + "x")));
        let mut other = case.model.clone();
        other.salt = salt;
        prop_assert_eq!(hash == decision_of(&other, &case.name), other.salt == case.model.salt);
        // Schedule, window, distribution and constraints do not enter the seed.
        let mut wider = case.model.clone();
        wider.nanos = 7_000_000_000;
        wider.only.clear();
        wider.distribution = DistModel::Uniform;
        prop_assert_eq!(hash, decision_of(&wider, &case.name));
    }
}

/// The generator reaches every kind of decision; otherwise the properties above would say less than they seem to.
#[test]
fn every_kind_of_decision_is_met() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::new(config(1));
    let strategy = case();
    let mut met = std::collections::BTreeMap::new();
    for _ in 0..500 {
        let case = strategy.new_tree(&mut runner).unwrap().current();
        let job = case.job();
        let decision = job.decide(case.nominal).unwrap();
        let kind = match (decision.draws(), decision.unschedulable()) {
            (0, None) => "one second",
            (0, Some(_)) => "one second, forbidden",
            (1, None) => "first draw",
            (2..=64, None) => "later draw",
            (_, None) => "closed up",
            (_, Some(Unschedulable::NoAllowedSecond)) => "nothing allowed",
            (_, Some(Unschedulable::DrawsExhausted)) => "draws exhausted",
        };
        *met.entry(kind).or_insert(0) += 1;
    }
    assert_eq!(met.len(), 7, "{met:?}");
    assert!(met.values().all(|count| *count >= 5), "{met:?}");
}

/// With one second nothing is drawn: it is that second or none.
#[test]
fn windows_of_one_second() {
    for window in ["after,0s", "after,999ms", "before,1ns", "around,1999ms"] {
        let job = Job::parse("a/b", &format!("0 12 * * * @win({window})")).unwrap();
        let noon = 43_200;
        assert_eq!(job.decide(noon).unwrap().chosen_timestamp(), Some(noon), "{window}");
        assert_eq!(job.decide(noon).unwrap().draws(), 0);
        let job = Job::parse("a/b", &format!("0 12 * * * @win({window}) @avoid(hours=12)")).unwrap();
        let decision = job.decide(noon).unwrap();
        assert_eq!((decision.chosen_timestamp(), decision.draws()), (None, 0), "{window}");
        assert_eq!(decision.unschedulable(), Some(Unschedulable::NoAllowedSecond));
    }
}

/// A closed-up choice reaches the first and the last allowed second, also across a change of offset.
#[test]
fn the_closed_up_choice_reaches_both_ends() {
    let clause = Clause::builder().part("between", "02:00-02:00").build().unwrap();
    let constraints = Constraints::from_clauses(vec![clause], Vec::new()).unwrap();
    // 2026-10-25 in Paris: 02:00 comes twice, an hour apart.
    let nominal = 1_792_879_200 - 6 * 3600;
    let mut chosen = std::collections::BTreeSet::new();
    for i in 0..4000 {
        let job = Job::parse(&format!("job/{i}"), "@hourly @tz(Europe/Paris) @win(after,24h)").unwrap();
        let spec = job.spec().to_builder().constraints(constraints.clone()).build().unwrap();
        let job = Job::new(job.name(), spec).unwrap();
        let decision = job.decide(nominal).unwrap();
        if decision.draws() == 65 {
            chosen.insert(decision.chosen_timestamp().unwrap());
        }
    }
    let zone = Zone::parse("Europe/Paris").unwrap();
    let want: Vec<i64> = (nominal..=nominal + DAY)
        .filter(|at| {
            let civil = oracle::civil(&oracle::tz(&zone), *at);
            (civil.hour(), civil.minute()) == (2, 0)
        })
        .collect();
    assert_eq!(want.len(), 120);
    assert!(
        chosen.iter().eq(&want),
        "every allowed second of both minutes was chosen by some job, and no other"
    );
}
