//! A clock that is ahead for a while: nothing is lost by it, and nothing runs twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kron_core::{Job, Outcome};
use kron_runner::{BoxFuture, Clock, ClockAhead, RunnerEvent, SqliteStore, StateFile, StoredJob, Waited};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::world::{BEGIN, World, job};

const DAY: i64 = 86_400;

fn named(name: &str, text: &str) -> Job {
    Job::parse(name, text).unwrap()
}

/// Advances the time without setting the clock.
async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_was_ahead_stops_no_job() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let world = World::with_file(SqliteStore::open(&path).unwrap());
    let events = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let noted = events.clone();
    let runner = world.runner(vec![job("* * * * *")]).on_event(move |event| {
        if let RunnerEvent::ClockSetBack { .. } = event {
            noted.lock().unwrap().push(event.clone());
        }
    });
    let test = async {
        pass(150).await;
        // 25 hours ahead for two minutes and eight seconds.
        world.clock.set((BEGIN + 150 + DAY + 3600) * 1000);
        pass(128).await;
        world.clock.set((BEGIN + 278) * 1000);
        pass(10).await;
        // What was missed only because of that is not in the history any more: the third and the fourth minute are over.
        let missed = world.outcomes().into_values().filter(|outcome| outcome.outcome == Outcome::Missed);
        let missed: Vec<_> = missed.filter_map(|outcome| outcome.nominal).collect();
        assert_eq!(missed, [BEGIN + 180, BEGIN + 240]);
        let next = StateFile::open(&path).unwrap().job("runner/test").unwrap().unwrap().record.next;
        assert_eq!(next.map(|next| next.chosen), Some(BEGIN + 300));
        world.until(BEGIN + DAY + 2 * 3600).await;
    };
    runner.run(test).await.unwrap();
    let mut ran: Vec<i64> = world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect();
    let last = DAY / 60 + 120;
    // 3 and 4 passed while the clock showed another day. Those of that day ran then, and not again.
    assert_eq!(ran[..6], [1, 2, 1503, 1504, 5, 6]);
    ran.sort();
    let expected: Vec<i64> = (1..last).filter(|minute| !(3..=4).contains(minute)).collect();
    assert_eq!(ran, expected);
    let events = events.lock().unwrap();
    let [RunnerEvent::ClockSetBack { from, to, ahead }] = &events[..] else { panic!("{events:?}") };
    assert_eq!((*from, *to), ((BEGIN + 278 + DAY + 3600) * 1000, (BEGIN + 278) * 1000));
    let (after, through) = (BEGIN + 140 + DAY + 3600, BEGIN + 278 + DAY + 3600);
    assert_eq!(ahead[..], [ClockAhead { after, through }]);
    // They are in the history once, as executed.
    assert!(world.outcomes().values().rev().take(900).all(|outcome| outcome.outcome == Outcome::Executed));
}

#[tokio::test(start_paused = true)]
async fn what_the_history_has_dropped_is_not_started_again() {
    for restarts in [false, true] {
        let world = World::new();
        let jobs = || vec![job("* * * * *")];
        let (ahead, back) = (BEGIN + DAY, BEGIN + 300 * 60 + 30);
        let first = async {
            pass(30).await;
            world.clock.set(ahead * 1000);
            // Three times what the history keeps.
            pass(300 * 60).await;
            world.clock.set(back * 1000);
            pass(5).await;
        };
        world.runner(jobs()).run(first).await.unwrap();
        if restarts {
            pass(60).await;
        }
        world.run(jobs(), ahead + 301 * 60).await.unwrap();
        let ran = world.periods();
        let mut once = ran.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), ran.len());
        // What was never started was not lost: the minutes between, and those after.
        let expected = (back - BEGIN) / 60 + 1 + i64::from(restarts)..=DAY / 60 + 300;
        let started: Vec<i64> = once
            .iter()
            .map(|nominal| (nominal - BEGIN) / 60)
            .filter(|minute| *minute >= *expected.start())
            .collect();
        assert_eq!(started, expected.collect::<Vec<_>>(), "{restarts}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_a_crash_interrupted_while_the_clock_was_ahead_is_not_made_again() {
    let world = World::new();
    let hourly = || vec![job("0 * * * *")];
    world.run(hourly(), BEGIN + 60).await.unwrap();
    world.clock.set((BEGIN + DAY) * 1000 - 500);
    // The process dies after it has stored that it starts the period.
    let crashing = async {
        for after in 0.. {
            world.store.fail(after, crate::world::Fault::CrashAfter);
            if world.run(hourly(), BEGIN + DAY + 5).await.unwrap() {
                let claimed = |stored: &StoredJob| !stored.executions.is_empty();
                let runner =
                    kron_runner::RunnerRecord { name: "test".into(), pid: 1, started: 0, stopped: None };
                let loaded = kron_runner::Store::load(&world.store.memory, &runner).await.unwrap();
                if loaded.iter().any(claimed) {
                    break;
                }
            }
            world.clock.set((BEGIN + DAY) * 1000 - 500);
        }
    };
    crashing.await;
    assert!(world.periods().is_empty());
    world.store.heal();
    world.clock.set((BEGIN + 120) * 1000);
    world.run(hourly(), BEGIN + DAY + 3700).await.unwrap();
    let ran: Vec<i64> = world.periods().iter().map(|nominal| (nominal - BEGIN) / 3600).collect();
    assert_eq!(ran, (1..24).chain([25]).collect::<Vec<_>>());
    assert_eq!(world.outcome(BEGIN + DAY), Some(Outcome::Missed));
}

#[tokio::test(start_paused = true)]
async fn a_battery_that_died_starts_nothing_again() {
    let world = World::new();
    let jobs = || vec![job("0 2 * * * @policy(deadline=12h)")];
    world.run(jobs(), BEGIN + 3 * 3600).await.unwrap();
    assert_eq!(world.periods(), [BEGIN + 2 * 3600]);
    // The machine starts again, in 1970.
    world.clock.set(5_000);
    let runner = world.runner(jobs());
    let test = async {
        pass(10).await;
        world.clock.set((BEGIN + 4 * 3600) * 1000);
        pass(24 * 3600).await;
    };
    runner.run(test).await.unwrap();
    assert_eq!(world.periods(), [BEGIN + 2 * 3600, BEGIN + DAY + 2 * 3600]);
    assert_eq!(world.outcome(BEGIN + 2 * 3600), Some(Outcome::Executed));
}

/// Each runner begins after the clock was set. The second one forgets what is still to come, and the third one begins when it is over.
#[tokio::test(start_paused = true)]
async fn what_ran_while_the_clock_was_ahead_is_known_when_a_runner_begins_after_its_time() {
    for concurrency in ["forbid", "allow"] {
        let world = World::new();
        let jobs = || vec![job(&format!("* * * * * @policy(deadline=10m,concurrency={concurrency})"))];
        for (from, to) in [(630, 662), (300, 310), (665, 670)] {
            world.clock.set((BEGIN + from) * 1000);
            world.run(jobs(), BEGIN + to).await.unwrap();
        }
        let ran: Vec<i64> = world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect();
        assert_eq!(ran.iter().filter(|minute| **minute == 11).count(), 1, "{ran:?}");
        assert_eq!(world.outcome(BEGIN + 660), Some(Outcome::Executed));
    }
}

/// A job, and a clock that is ahead several times. Real time passes; the clock shows it plus an offset.
fn check_offsets(text: &str, offsets: &[(u64, i64)], restarts: bool) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let world = World::new();
        let jobs = || vec![named("runner/test", text)];
        let mut real = BEGIN;
        let mut test = async |world: &World| {
            for (seconds, offset) in offsets {
                world.clock.set((real + offset) * 1000);
                let from = real + offset;
                // No more starts than a history keeps: see the test above.
                let seconds = &if restarts { *seconds % 5000 + 1 } else { *seconds };
                if restarts {
                    world.run(jobs(), from + *seconds as i64).await.unwrap();
                } else {
                    pass(*seconds).await;
                }
                real += *seconds as i64;
            }
            // It shows the real time in the end, for longer than it was ever ahead.
            world.clock.set(real * 1000);
            let end = real + 3 * DAY;
            if restarts {
                world.run(jobs(), end).await.unwrap();
            } else {
                world.until(end).await;
            }
            (real, end)
        };
        let (real, end) = if restarts {
            test(&world).await
        } else {
            let mut found = (0, 0);
            world
                .runner(jobs())
                .run(async {
                    found = test(&world).await;
                })
                .await
                .unwrap();
            found
        };
        let ran = world.periods();
        let mut count: BTreeMap<i64, usize> = BTreeMap::new();
        ran.iter().for_each(|nominal| *count.entry(*nominal).or_default() += 1);
        let twice: Vec<_> = count.iter().filter(|(_, count)| **count > 1).collect();
        assert!(twice.is_empty(), "ran twice: {twice:?}");
        // The last time through, the runner went through all of it: nothing is lost.
        let job = named("runner/test", text);
        // A start at the second of the return can have been decided while nothing was started.
        let starts = job.starts(real + 5..end).map_while(Result::ok);
        let lost: Vec<_> = starts
            .filter(|start| !count.contains_key(&start.nominal_timestamp()))
            .map(|start| start.chosen_timestamp().map(|chosen| chosen - BEGIN))
            .collect();
        // A runner that begins while the clock is ahead does not know what was open before.
        assert!(lost.is_empty() || restarts, "lost: {lost:?}");
    });
}

const TEXTS: [&str; 5] = [
    "*/7 * * * *",
    "*/7 * * * * @policy(deadline=1h)",
    "0 * * * * @win(after,50m) @policy(concurrency=allow)",
    "0 */3 * * * @win(around,5h) @policy(deadline=30m)",
    "30 2 * * * @win(after,6h)",
];

/// The same with edits at the times at which the clock is set. Only what was started is of interest.
fn check_edits(edits: &[(usize, u64, i64)]) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let world = World::new();
        let runner = world.runner(vec![named("runner/test", TEXTS[0])]);
        let handle = runner.handle();
        let test = async {
            let mut real = BEGIN;
            for (text, seconds, offset) in edits {
                world.clock.set((real + offset) * 1000);
                pass(seconds / 2).await;
                handle.reload(vec![world.noted(named("runner/test", TEXTS[*text]))]).await.unwrap();
                pass(seconds - seconds / 2).await;
                real += seconds.cast_signed();
            }
            world.clock.set(real * 1000);
            world.until(real + 3 * DAY).await;
        };
        runner.run(test).await.unwrap();
        let mut ran = world.periods();
        let all = ran.len();
        ran.sort();
        ran.dedup();
        assert_eq!(ran.len(), all, "a period ran twice");
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_nothing_runs_twice(
        text in prop::sample::select(&TEXTS[..]),
        offsets in prop::collection::vec((1_u64..20_000, prop_oneof![Just(0_i64), 1_i64..200_000, 1_i64..300]), 1..7),
        restarts: bool,
    ) {
        check_offsets(text, &offsets, restarts);
    }

    #[test]
    fn edits_while_the_clock_is_set_repeat_nothing(
        edits in prop::collection::vec(
            (0..TEXTS.len(), 1_u64..10_000, prop_oneof![Just(0_i64), 1_i64..100_000, 1_i64..300]),
            1..8,
        ),
    ) {
        check_edits(&edits);
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_is_followed_at_once() {
    let world = World::new();
    let runner = world.runner(vec![job("0 * * * * @policy(deadline=5m)")]);
    let clock = world.clock.clone();
    let test = async {
        // Forwards into the next hour: the start is four minutes late, and in time.
        tokio::time::sleep(Duration::from_secs(60)).await;
        clock.set((BEGIN + 3600 + 240) * 1000);
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(world.periods(), [BEGIN + 3600]);
        // Back: the same period is not started again.
        clock.set((BEGIN + 3000) * 1000);
        tokio::time::sleep(Duration::from_secs(900)).await;
        assert_eq!(world.periods(), [BEGIN + 3600]);
        clock.set((BEGIN + 7199) * 1000);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(world.periods(), [BEGIN + 3600, BEGIN + 7200]);
    };
    runner.run(test).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_ran_while_the_clock_was_ahead_is_not_run_again_after_a_restart() {
    let world = World::new();
    // A day ahead.
    world.clock.set((BEGIN + 86_400) * 1000);
    let hour = |hours: i64| BEGIN + hours * 3600;
    world.run(vec![job("0 * * * *")], hour(26) + 60).await.unwrap();
    assert_eq!(world.periods(), [hour(25), hour(26)]);
    world.clock.set(hour(1) * 1000 + 1000);
    world.run(vec![job("0 * * * *")], hour(28) + 60).await.unwrap();
    let mut expected = vec![hour(25), hour(26)];
    expected.extend((2..25).map(hour));
    expected.extend([hour(27), hour(28)]);
    assert_eq!(world.periods(), expected);
}

/// A clock that does not wake waiting tasks when it is set.
#[derive(Debug)]
struct SilentClock(Arc<kron_runner::SimulatedClock>);

impl Clock for SilentClock {
    fn now(&self) -> i64 {
        self.0.now()
    }

    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited> {
        Box::pin(async move {
            while at.is_none_or(|at| self.now() < at) {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            Waited::Reached
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_goes_back_unnoticed_starts_no_period_again() {
    let mut world = World::new();
    // The end of an execution makes the runner look at the job after the clock went back.
    world.takes = 5_000;
    let runner = world.runner(vec![job("* * * * *")]).clock(SilentClock(world.clock.clone()));
    let test = async {
        for _ in 0..20 {
            // Each time ten minutes forwards, and seven back while an execution is active.
            tokio::time::sleep(Duration::from_secs(600)).await;
            let minute = (world.now() / 60_000 + 1) * 60_000;
            tokio::time::sleep(Duration::from_millis(u64::try_from(minute - world.now()).unwrap() + 1000))
                .await;
            world.clock.set(world.now() - 420_000);
        }
    };
    runner.run(test).await.unwrap();
    let ran = world.periods();
    let once: std::collections::BTreeSet<i64> = ran.iter().copied().collect();
    assert!(ran.len() > 40, "{}", ran.len());
    assert_eq!(ran.len(), once.len(), "{ran:?}");
}
