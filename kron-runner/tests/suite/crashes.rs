//! Crashes and failures of the store, at every write.

use std::collections::BTreeMap;

use kron_core::{Job, Outcome};
use kron_host::{Cause, Handled, HostReport};
use kron_runner::SqliteStore;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample;

use crate::world::{BEGIN, Fault, World, job};

/// The expected outcomes of the periods of a job with `concurrency=allow`, by [`Job::plan`] alone, if a runner runs in
/// some intervals. Each interval is from a second to a second, in order.
fn expected(job: &Job, there: &[(i64, i64)]) -> BTreeMap<i64, Outcome> {
    let mut handled = Handled::new(BEGIN);
    let mut outcomes = BTreeMap::new();
    for (from, until) in there {
        let mut now = *from;
        while now <= *until {
            let plan = job.plan(&handled.host_state(), now);
            for step in &plan.steps {
                if let Some(outcome) = step.action.outcome() {
                    outcomes.insert(step.period.nominal_timestamp(), outcome);
                    handled.insert(step.period.nominal_timestamp());
                }
            }
            handled.advance(job);
            now += 1;
        }
    }
    outcomes
}

#[tokio::test(start_paused = true)]
async fn a_crash_at_any_write_doubles_and_loses_nothing() {
    for text in [
        "*/2 * * * * @policy(concurrency=allow)",
        "*/2 * * * * @win(after,90s) @policy(deadline=45s)",
        "*/2 * * * * @win(around,5m) @policy(deadline=10m,concurrency=replace)",
    ] {
        let job = job(text);
        for fault in [Fault::CrashBefore, Fault::CrashAfter] {
            // How long no runner is there after the crash, in seconds.
            for absent in [0, 30, 250] {
                // Before the first write the store does not have the job.
                for write in 1.. {
                    // Every tenth crash with a file, which must have the same contents afterwards.
                    let directory = tempfile::tempdir().unwrap();
                    let path = directory.path().join("kron.db");
                    let world = match write % 10 {
                        3 => World::with_file(SqliteStore::open(path).unwrap()),
                        _ => World::new(),
                    };
                    let end = BEGIN + 20 * 60;
                    world.store.fail(write, fault);
                    if !world.run(vec![job.clone()], end).await.unwrap() {
                        assert!(write > 20, "{text}: only {write} writes");
                        break;
                    }
                    let crashed = world.now();
                    tokio::time::sleep(std::time::Duration::from_secs(absent)).await;
                    let back = world.now();
                    let end = end.max(back / 1000 + 300);
                    assert!(!world.run(vec![job.clone()], end).await.unwrap());
                    check(
                        &world,
                        &job,
                        (crashed, back, end * 1000),
                        &format!("{text} {fault:?} {write} {absent}"),
                    );
                }
            }
        }
    }
}

fn check(world: &World, job: &Job, (crashed, back, end): (i64, i64, i64), what: &str) {
    let mut times: BTreeMap<i64, usize> = BTreeMap::new();
    world.periods().into_iter().for_each(|nominal| *times.entry(nominal).or_default() += 1);
    assert!(times.values().all(|times| *times == 1), "{what}: {times:?}");
    let outcomes = world.outcomes();
    let second = |millis: i64| millis.div_euclid(1000);
    // What was being started in the second of the crash counts as started, or is decided after it.
    let expected_with = |until| expected(job, &[(BEGIN, until), (second(back), second(end) - 1)]);
    let (expected, otherwise) = (expected_with(second(crashed)), expected_with(second(crashed) - 1));
    let mut lost = 0;
    // In its last second a runner may or may not decide.
    let decided = outcomes.iter().filter(|(_, outcome)| outcome.chosen.is_none_or(|at| at * 1000 < end));
    for (nominal, outcome) in decided {
        match (outcome.outcome, &outcome.cause) {
            // It was being started when the runner crashed.
            (Outcome::Missed, Cause::MaybeRemoved { .. }) => lost += 1,
            (found, cause) => {
                let either = [expected.get(nominal), otherwise.get(nominal)];
                assert!(either.contains(&Some(&found)), "{what}: {nominal} {cause:?}, not {either:?}");
                let ran = times.contains_key(nominal);
                assert_eq!(ran, found == Outcome::Executed, "{what}: {nominal} {cause:?}");
            }
        }
    }
    assert!(lost <= 1, "{what}: {lost} claims are lost");
    let missing: Vec<_> = expected.keys().filter(|nominal| !outcomes.contains_key(nominal)).collect();
    assert!(missing.is_empty(), "{what}: {missing:?} have no outcome");
}

#[tokio::test(start_paused = true)]
async fn a_write_that_fails_is_made_again() {
    let job = job("*/2 * * * * @policy(deadline=10s)");
    for fault in [Fault::Refused, Fault::AnswerLost] {
        for write in 0..40 {
            let (world, end) = (World::new(), BEGIN + 20 * 60);
            world.store.fail(write, fault);
            assert!(!world.run(vec![job.clone()], end).await.unwrap());
            assert!(!world.store.is_armed() || write > 20, "{write}");
            // One failure is made good within the deadline.
            let expected: Vec<i64> = (1..10).map(|two| BEGIN + two * 120).collect();
            assert_eq!(world.periods(), expected, "{fault:?} {write}");
            let outcomes = world.outcomes();
            assert_eq!(outcomes.len(), expected.len(), "{fault:?} {write}");
            assert!(outcomes.values().all(|outcome| outcome.outcome == Outcome::Executed));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_starts_nothing_and_ends_nothing() {
    let world = World::new();
    let runner = world.runner(vec![job("*/2 * * * * @policy(deadline=30s)")]);
    let handle = runner.handle();
    let full = |full: bool| *world.store.full.lock().unwrap() = full;
    let test = async {
        world.until(BEGIN + 200).await;
        full(true);
        // Nothing but the claim of minute 4, which was written with the outcome of minute 2, is there.
        world.until(BEGIN + 500).await;
        assert_eq!(world.periods(), [BEGIN + 120]);
        let report = handle.report().await.unwrap();
        assert!(!report.store_works && report.store_errors > 3, "{report:?}");
        full(false);
        world.until(BEGIN + 730).await;
        // Minute 4 was given up after its deadline. Minute 6 was in time, and only its claim could not be written.
        let minutes: Vec<i64> = world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect();
        assert_eq!(minutes, [2, 6, 8, 10, 12]);
        assert!(handle.report().await.unwrap().store_works);
    };
    runner.run(test).await.unwrap();
    let causes: Vec<Cause> = world.outcomes().into_values().map(|outcome| outcome.cause).collect();
    assert!(matches!(&causes[1], Cause::Failed { error, .. } if error == "disk full"), "{causes:?}");
    assert_eq!(causes.iter().filter(|cause| **cause == Cause::Started).count(), 5, "{causes:?}");

    // A runner whose store stays full ends nevertheless, and says so.
    let world = World::new();
    *world.store.full.lock().unwrap() = true;
    let ended = world.run(vec![job("*/2 * * * *")], BEGIN + 300).await;
    assert_eq!(ended.unwrap_err().to_string(), "disk full");
}

/// The claims of an ended runner stay in the store while it cannot be written. That is no other runner.
#[tokio::test(start_paused = true)]
async fn claims_of_an_ended_runner_are_no_other_runner() {
    let world = World::new();
    let text = || job("*/2 * * * * @win(after,30s) @policy(deadline=1h)");
    world.run(vec![text()], BEGIN + 60).await.unwrap();
    assert!(world.store.memory.jobs()[0].record.claim.is_some());
    let reports = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = reports.clone();
    let runner = world.runner(vec![text()]).on_event(move |event| {
        if let kron_runner::RunnerEvent::Reported { report, .. } = event {
            seen.lock().unwrap().push(report.clone());
        }
    });
    *world.store.full.lock().unwrap() = true;
    let test = async {
        world.until(BEGIN + 180).await;
        assert!(world.periods().is_empty());
        *world.store.full.lock().unwrap() = false;
        world.until(BEGIN + 300).await;
        assert_eq!(world.periods(), [BEGIN + 120, BEGIN + 240]);
    };
    runner.run(test).await.unwrap();
    let reports = reports.lock().unwrap();
    let other = |report: &&HostReport| matches!(report, HostReport::ClaimedByAnother { .. });
    assert_eq!(reports.iter().filter(other).count(), 0, "{reports:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Runners that end at any time, some of them killed: what each period gets is what the policy gives it for the times at
    /// which a runner was there.
    #[test]
    fn outcomes_are_those_of_the_policy(
        text in sample::select(&[
            "*/2 * * * * @policy(concurrency=allow)",
            "*/3 * * * * @win(after,100s) @policy(deadline=45s,concurrency=allow)",
            "*/5 * * * * @win(around,9m) @policy(deadline=10m,concurrency=allow)",
            "*/5 * * * * @win(before,7m) @policy(deadline=3m,concurrency=replace)",
            "*/2 * * * * @win(after,1m) @only(between=00:00-00:30) @policy(deadline=5m,concurrency=allow)",
        ][..]),
        runners in vec((5_000..900_000_i64, 0..400_000_u64, any::<bool>()), 1..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (world, job, mut there) = (World::new(), job(text), Vec::new());
            for (present, absent, killed) in runners {
                let from = world.now();
                // In the middle of a second, so that it is clear which starts are made.
                let until = (from + present).div_euclid(1000) * 1000 + 500;
                let ends = async {
                    let left = u64::try_from(until - world.now()).unwrap();
                    tokio::time::sleep(std::time::Duration::from_millis(left)).await;
                };
                let runner = world.runner(vec![job.clone()]);
                if killed {
                    tokio::select! {
                        _ = runner.run(std::future::pending()) => unreachable!(),
                        () = ends => {}
                    }
                } else {
                    runner.run(ends).await.unwrap();
                }
                there.push((from.div_euclid(1000), until.div_euclid(1000)));
                tokio::time::sleep(std::time::Duration::from_millis(absent)).await;
            }
            let found: BTreeMap<i64, Outcome> =
                world.outcomes().into_iter().map(|(nominal, found)| (nominal, found.outcome)).collect();
            assert_eq!(found, expected(&job, &there));
            let mut ran = world.periods();
            ran.sort_unstable();
            let executed: Vec<i64> = found
                .into_iter()
                .filter(|(_, outcome)| *outcome == Outcome::Executed)
                .map(|(nominal, _)| nominal)
                .collect();
            assert_eq!(ran, executed);
        });
    }
}

/// The store has a record of each execution that may have begun. A request without one is executed, also where an execution could
/// have been replaced.
#[tokio::test(start_paused = true)]
async fn a_request_whose_claim_was_not_spent_is_executed() {
    for fault in [Fault::CrashBefore, Fault::CrashAfter] {
        let mut executed = 0;
        for write in 1..8 {
            let (world, job) = (World::new(), job("@yearly @policy(concurrency=replace)"));
            world.store.fail(write, fault);
            let runner = world.runner(vec![job.clone()]);
            let handle = runner.handle();
            let asked = tokio::spawn(async move { handle.run_now("runner/test").await.is_ok() });
            world.run_this(runner, BEGIN + 60).await.unwrap();
            let stored = asked.await.unwrap();
            world.store.heal();
            world.run(vec![job], BEGIN + 120).await.unwrap();
            let outcomes = world.store.memory.outcomes("runner/test");
            assert!(
                outcomes.len() <= 1 && (!stored || outcomes.len() == 1),
                "{fault:?} {write}: {outcomes:?}"
            );
            let ran = world.ran.lock().unwrap().len();
            for outcome in outcomes {
                match (outcome.outcome, &outcome.cause) {
                    (Outcome::Executed, _) => {
                        assert_eq!(ran, 1, "{fault:?} {write}");
                        executed += 1;
                    }
                    (_, Cause::MaybeRemoved { .. }) => {}
                    other => panic!("{fault:?} {write}: {other:?}"),
                }
            }
        }
        assert!(executed > 3, "{fault:?}: {executed}");
    }
}
