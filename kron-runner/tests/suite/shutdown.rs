//! A shutdown that something tries to delay.

use std::sync::Arc;
use std::time::Duration;

use kron_core::Outcome;
use kron_host::Cause;
use kron_runner::{ExecutionResult, ExecutionStatus, Runner, RunnerHandle, RunnerJob, Start};

use crate::world::{BEGIN, FaultyStore, Hangs, World, job};

/// Ends the runner a second after the first start: with a shutdown, or at once by its handle.
async fn shut_down(world: &World, handle: Option<&RunnerHandle>) {
    world.until(BEGIN + 301).await;
    if let Some(handle) = handle {
        handle.stop_now();
        std::future::pending::<()>().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_does_not_end_is_given_up() {
    for (stop_now, seconds) in [(false, 30 + 10 + 5), (true, 5)] {
        let world = World::new();
        let text = "*/5 * * * * @policy(deadline=1h)";
        let runner = Runner::new(world.store.clone()).clock(world.clock.clone());
        let runner = runner.jobs([RunnerJob::new(job(text), Hangs)]);
        let handle = runner.handle();
        let ended = tokio::time::timeout(
            Duration::from_secs(1000),
            runner.run(shut_down(&world, stop_now.then_some(&handle))),
        )
        .await;
        ended.expect("the runner has not ended").unwrap();
        let took = world.now() - (BEGIN + 301) * 1000;
        assert!((seconds * 1000..seconds * 1000 + 500).contains(&took), "{stop_now}: {took}");
        let execution = world.store.memory.executions("runner/test").remove(0);
        assert_eq!((execution.began, execution.ended), (None, None));
        // It may still have begun after all, so the next runner does not make the start again.
        world.run(vec![job(text)], BEGIN + 599).await.unwrap();
        assert!(world.periods().is_empty());
        let outcome = &world.outcomes()[&(BEGIN + 300)];
        assert_eq!(outcome.outcome, Outcome::Missed);
        assert!(matches!(outcome.cause, Cause::MaybeRemoved { .. }), "{outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_stops_no_execution_for_a_start_that_is_not_made() {
    let mut world = World::new();
    world.takes = 310_000;
    let runner = world.runner(vec![job("*/5 * * * * @policy(concurrency=replace,deadline=1m)")]);
    let handle = runner.handle();
    // The next start comes while the first execution has time to end by itself, and something looks at the job then.
    let request = async {
        world.until(BEGIN + 605).await;
        handle.run_now("runner/test").await.unwrap();
    };
    let shutdown = world.until(BEGIN + 580);
    let (ended, ()) = tokio::join!(runner.drain(Duration::from_secs(60)).run(shutdown), request);
    ended.unwrap();
    let ran = world.ran.lock().unwrap();
    assert_eq!(ran.len(), 1);
    assert_eq!(ran[0].ended.map(|(_, stopped)| stopped), Some(false));
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_drains_then_asks_then_forces() {
    // Ends by itself within the time to drain.
    let mut world = World::new();
    world.takes = 20_000;
    world.run(vec![job("*/5 * * * *")], BEGIN + 301).await.unwrap();
    assert_eq!(world.ran.lock().unwrap()[0].ended.map(|ended| ended.1), Some(false));

    // Asked to stop after it.
    let mut world = World::new();
    world.takes = 3_600_000;
    world.run(vec![job("*/5 * * * *")], BEGIN + 301).await.unwrap();
    let ended = world.ran.lock().unwrap()[0].ended.unwrap();
    assert!(ended.1 && (30_000..32_000).contains(&(ended.0 - (BEGIN + 301) * 1000)), "{ended:?}");
    let result = world.store.memory.executions("runner/test")[0].result.clone();
    assert_eq!(result, Some(ExecutionResult::succeeded()), "it ended as it was asked to");

    // Never ends, so it is dropped; at once if it has to be.
    for (stop_now, seconds) in [(false, 30 + 10 + 5), (true, 5)] {
        let world = World::new();
        let endless = |_: Start| std::future::pending::<()>();
        let runner = world.runner(Vec::new()).job(job("*/5 * * * *"), endless);
        let handle = runner.handle();
        runner.run(shut_down(&world, stop_now.then_some(&handle))).await.unwrap();
        let took = world.now() - (BEGIN + 301) * 1000;
        assert!((seconds * 1000..seconds * 1000 + 500).contains(&took), "{stop_now}: {took}");
        let result = world.store.memory.executions("runner/test")[0].result.clone().unwrap();
        assert_eq!(result.status, ExecutionStatus::Failed);
    }
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_that_could_not_write_everything_is_an_error() {
    // Without an error, and with one that ends when the last attempt has been made, so that the end of the runner is written.
    for full in [false, true] {
        let mut world = World::new();
        world.takes = 60_000;
        let store = world.store.clone();
        let shutdown = async {
            world.until(BEGIN + 301).await;
            *store.full.lock().unwrap() = full;
        };
        let room = async {
            // The execution is stopped after a second, and four attempts take two more.
            world.until(BEGIN + 301).await;
            tokio::time::sleep(Duration::from_millis(2850)).await;
            *store.full.lock().unwrap() = false;
        };
        let runner = world.runner(vec![job("*/5 * * * *")]).drain(Duration::from_secs(1));
        let (ended, ()) = tokio::join!(runner.run(shutdown), room);
        assert_eq!(ended.is_err(), full, "{ended:?}");
        assert!(world.store.memory.runners()[0].stopped.is_some());
        let executions = world.store.memory.executions("runner/test");
        assert_eq!(executions[0].ended.is_none(), full, "{executions:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_would_be_stopped_at_once_is_not_started() {
    let world = World::new();
    let mut store = FaultyStore::default();
    store.memory = world.store.memory.clone();
    store.delay = Duration::from_secs(1);
    let store = Arc::new(store);
    let jobs = || vec![world.noted(job("*/5 * * * * @policy(deadline=1m)"))];
    let runner = || Runner::new(store.clone()).clock(world.clock.clone()).jobs(jobs());
    let first = runner();
    let handle = first.handle();
    let second_signal = async {
        // The start is being written.
        world.until(BEGIN + 300).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        handle.stop_now();
        std::future::pending().await
    };
    first.run(second_signal).await.unwrap();
    assert!(world.periods().is_empty());
    // The period is not used up.
    runner().run(world.until(BEGIN + 320)).await.unwrap();
    assert_eq!(world.periods(), [BEGIN + 300]);
    assert_eq!(world.outcome(BEGIN + 300), Some(Outcome::Executed));
}
