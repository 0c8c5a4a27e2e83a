//! Edits, suspensions and removals of jobs: nothing is started for what was before.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::Outcome;
use kron_runner::{ExecutionResult, RunnerError, RunnerEvent, RunnerJob, SqliteStore, cause_word};

use crate::world::{BEGIN, Hangs, World, job};

#[tokio::test(start_paused = true)]
async fn edits_start_nothing_retroactively() {
    let world = World::new();
    let runner = world.runner(vec![job("*/10 * * * * @policy(deadline=1h)")]);
    let handle = runner.handle();
    let minutes = || world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect::<Vec<_>>();
    let edit = async |text: Option<&str>| {
        let jobs = text.map(|text| world.noted(job(text))).into_iter().collect();
        handle.reload(jobs).await.unwrap()
    };
    let test = async {
        world.until(BEGIN + 15 * 60).await;
        assert_eq!(minutes(), [10]);
        // Another schedule: minutes 5 and 13 have passed.
        let reloaded = edit(Some("5,13,17 * * * * @policy(deadline=1h)")).await;
        assert_eq!(reloaded.changed, ["runner/test"]);
        world.until(BEGIN + 18 * 60).await;
        assert_eq!(minutes(), [10, 17]);
        // Suspended over minute 20.
        edit(Some("*/10 * * * * @policy(deadline=1h,suspend=true)")).await;
        world.until(BEGIN + 25 * 60).await;
        edit(Some("*/10 * * * * @policy(deadline=1h)")).await;
        world.until(BEGIN + 31 * 60).await;
        assert_eq!(minutes(), [10, 17, 30]);
        // Not there over minute 40.
        assert_eq!(edit(None).await.removed, ["runner/test"]);
        world.until(BEGIN + 45 * 60).await;
        assert!(world.store.memory.jobs()[0].removed);
        assert_eq!(edit(Some("*/10 * * * * @policy(deadline=1h)")).await.added, ["runner/test"]);
        assert_eq!(edit(Some("*/10 * * * * @policy(deadline=1h)")).await, Default::default());
        world.until(BEGIN + 51 * 60).await;
        assert_eq!(minutes(), [10, 17, 30, 50]);
        assert!(!world.store.memory.jobs()[0].removed);
        let double = || world.noted(job("@daily"));
        let refused = handle.reload(vec![double(), double()]).await;
        assert_eq!(refused, Err(RunnerError::DuplicateName { name: "runner/test".into() }));
    };
    runner.run(test).await.unwrap();
    assert_eq!(minutes(), [10, 17, 30, 50]);
}

#[tokio::test(start_paused = true)]
async fn a_request_suspends_a_job_until_it_is_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let world = World::with_file(SqliteStore::open(directory.path().join("kron.db")).unwrap());
    let text = "*/10 * * * * @policy(deadline=1h)";
    let minutes = || world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect::<Vec<_>>();
    let suspended = Arc::new(Mutex::new(0));
    let runner = || {
        let suspended = suspended.clone();
        world.runner(vec![job(text)]).on_event(move |event| {
            if *event == (RunnerEvent::Suspended { job: "runner/test".into() }) {
                *suspended.lock().unwrap() += 1;
            }
        })
    };
    let row = || world.store.memory.jobs().remove(0);
    let first = runner();
    let handle = first.handle();
    first
        .run(async {
            world.until(BEGIN + 15 * 60).await;
            let unknown = RunnerError::UnknownJob { name: "another".into() };
            assert_eq!(handle.suspend("another").await, Err(unknown.clone()));
            assert_eq!(handle.resume("another").await, Err(unknown));
            handle.suspend("runner/test").await.unwrap();
            assert!(row().suspend_requested && row().record.suspended);
            // A second request changes nothing.
            handle.suspend("runner/test").await.unwrap();
            assert_eq!(*suspended.lock().unwrap(), 1);
            // An edit leaves the suspension as it is, and so does the absence of the job.
            world.until(BEGIN + 25 * 60).await;
            let edited = || vec![world.noted(job("*/10 * * * * @policy(deadline=2h)"))];
            handle.reload(edited()).await.unwrap();
            handle.reload(Vec::new()).await.unwrap();
            let removed = handle.suspend("runner/test").await;
            assert_eq!(removed, Err(RunnerError::UnknownJob { name: "runner/test".into() }));
            handle.reload(edited()).await.unwrap();
            world.until(BEGIN + 35 * 60).await;
            assert_eq!(row().text, "*/10 * * * * @policy(deadline=2h0m0s)");
        })
        .await
        .unwrap();
    assert_eq!(minutes(), [10]);
    // The next runner says so, and keeps to it.
    let second = runner();
    let handle = second.handle();
    second
        .run(async {
            world.until(BEGIN + 45 * 60).await;
            assert_eq!(*suspended.lock().unwrap(), 2);
            handle.resume("runner/test").await.unwrap();
            assert!(!row().suspend_requested);
            world.until(BEGIN + 51 * 60).await;
            assert!(!row().record.suspended);
            // A text that suspends the job does so whatever is requested.
            handle.reload(vec![world.noted(job("*/10 * * * * @policy(suspend=true)"))]).await.unwrap();
            handle.resume("runner/test").await.unwrap();
            world.until(BEGIN + 65 * 60).await;
        })
        .await
        .unwrap();
    // Nothing of the past is started.
    assert_eq!(minutes(), [10, 50]);
    assert_eq!(world.outcomes().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_request_to_suspend_is_answered_once_it_is_stored() {
    let world = World::new();
    let runner = world.runner(vec![job("*/10 * * * *")]);
    let handle = runner.handle();
    let test = async {
        world.until(BEGIN + 60).await;
        *world.store.full.lock().unwrap() = true;
        let mut request = std::pin::pin!(handle.suspend("runner/test"));
        assert!(tokio::time::timeout(Duration::from_secs(30), request.as_mut()).await.is_err());
        assert!(!world.store.memory.jobs()[0].suspend_requested);
        *world.store.full.lock().unwrap() = false;
        request.await.unwrap();
        assert!(world.store.memory.jobs()[0].suspend_requested);
    };
    runner.run(test).await.unwrap();
    assert!(world.periods().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_removed_job_ends_its_execution_and_starts_no_other() {
    let mut world = World::new();
    world.takes = 20 * 60_000;
    let runner = world.runner(vec![job("*/5 * * * *")]);
    let handle = runner.handle();
    let test = async {
        world.until(BEGIN + 6 * 60).await;
        handle.reload(Vec::new()).await.unwrap();
        world.until(BEGIN + 40 * 60).await;
        let execution = &world.store.memory.executions("runner/test")[0];
        assert_eq!(execution.result, Some(ExecutionResult::succeeded()));
        assert_eq!(handle.report().await.unwrap().jobs, 0);
    };
    runner.run(test).await.unwrap();
    assert_eq!(world.periods(), [BEGIN + 300]);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_is_gone_at_the_next_start_of_the_runner_starts_nothing_retroactively_later() {
    let world = World::new();
    let text = "*/10 * * * * @policy(deadline=1h)";
    world.run(vec![job(text)], BEGIN + 11 * 60).await.unwrap();
    world.run(Vec::new(), BEGIN + 21 * 60).await.unwrap();
    assert!(world.store.memory.jobs()[0].removed);
    world.until(BEGIN + 25 * 60).await;
    world.run(vec![job(text)], BEGIN + 31 * 60).await.unwrap();
    assert_eq!(world.periods(), [BEGIN + 600, BEGIN + 1800]);
}

/// Whether a runner says that a suspension has ended, after that edit.
async fn resumed(world: &World, handle: &kron_runner::RunnerHandle, text: Option<&str>) -> bool {
    world.resumed.store(false, std::sync::atomic::Ordering::Relaxed);
    handle.reload(text.map(|text| world.noted(job(text))).into_iter().collect()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    world.resumed.load(std::sync::atomic::Ordering::Relaxed)
}

#[tokio::test(start_paused = true)]
async fn a_job_that_returns_was_not_suspended() {
    let world = World::new();
    let runner = world.runner(vec![job("*/5 * * * *")]);
    let handle = runner.handle();
    let test = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!resumed(&world, &handle, None).await);
        assert!(!resumed(&world, &handle, Some("*/5 * * * *")).await);
        assert!(!resumed(&world, &handle, None).await);
        assert!(!resumed(&world, &handle, Some("*/5 * * * * @policy(suspend=true)")).await);
        assert!(resumed(&world, &handle, Some("*/5 * * * *")).await);
        assert!(!resumed(&world, &handle, Some("*/5 * * * * @policy(deadline=1s)")).await);
    };
    runner.run(test).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_start_that_a_crash_interrupted_has_an_outcome_if_its_job_is_gone() {
    let world = World::new();
    let runner = world.runner(Vec::new()).jobs([RunnerJob::new(job("* * * * *"), Hangs)]);
    let killed = tokio::time::timeout(Duration::from_secs(65), runner.run(std::future::pending()));
    assert!(killed.await.is_err());
    // It runs with other jobs, and then with this one again.
    world.run(Vec::new(), BEGIN + 75).await.unwrap();
    let lost = || {
        let outcome = world.outcomes().remove(&(BEGIN + 60)).unwrap();
        (outcome.outcome, cause_word(&outcome.cause))
    };
    assert_eq!(lost(), (Outcome::Missed, "claimLost"));
    world.run(vec![job("* * * * * @policy(deadline=10m)")], BEGIN + 130).await.unwrap();
    assert_eq!((lost(), world.periods()), ((Outcome::Missed, "claimLost"), vec![BEGIN + 120]));
    let all = world.store.memory.outcomes("runner/test");
    assert_eq!(all.iter().filter(|outcome| outcome.nominal == Some(BEGIN + 60)).count(), 1);
}
