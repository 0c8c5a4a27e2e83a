//! What a runner does when nothing fails: every policy, edits, run now and shutdowns.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::Outcome;
use kron_host::{Cause, Trigger};
use kron_runner::{
    BoxFuture, Clock, ExecutionRecord, ExecutionResult, ExecutionStatus, Handler, HistoryLimits, ProcessId,
    RunnerError, RunnerEvent, RunnerJob, Running, Start, StartError, StopSignal, cause_word,
};

use crate::world::{BEGIN, World, job, nominals};

#[tokio::test(start_paused = true)]
async fn each_start_is_made_once_at_its_chosen_second() {
    for text in [
        "*/5 * * * *",
        "*/5 * * * * @win(after,12m) @policy(concurrency=allow)",
        "*/5 * * * * @win(around,8m)",
        "*/3 * * * * @win(before,7m) @policy(concurrency=replace)",
        "*/5 * * * * @only(between=00:00-00:40) @win(after,6m)",
    ] {
        let (world, job, end) = (World::new(), job(text), BEGIN + 2 * 3600);
        assert!(!world.run(vec![job.clone()], end).await.unwrap());
        assert_eq!(world.periods(), nominals(&job, end), "{text}");
        for ran in world.ran.lock().unwrap().iter() {
            let Trigger::Period { chosen, .. } = ran.trigger else { panic!("{ran:?}") };
            assert!((0..50).contains(&(ran.at - chosen * 1000)), "{text}: {ran:?}");
        }
        let outcomes = world.outcomes();
        let executed = outcomes.values().filter(|outcome| outcome.outcome == Outcome::Executed).count();
        assert_eq!(executed, world.periods().len(), "{text}");
        let executions = world.store.memory.executions("runner/test");
        let limit = HistoryLimits::default().successful as usize;
        assert_eq!(executions.len(), world.periods().len().min(limit), "{text}");
        let ended = |execution: &ExecutionRecord| {
            execution.result == Some(ExecutionResult::succeeded()) && execution.ended.is_some()
        };
        assert!(executions.iter().all(ended), "{text}");
        let runners = world.store.memory.runners();
        assert_eq!(runners.len(), 1);
        assert!(runners[0].stopped.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn an_active_execution_is_left_alone_joined_or_replaced() {
    // Each execution takes seven minutes, so the next one is due before it ends.
    let run = async |concurrency: &str| {
        let mut world = World::new();
        world.takes = 7 * 60_000;
        let job = job(&format!("*/5 * * * * @policy(concurrency={concurrency})"));
        world.run(vec![job], BEGIN + 21 * 60).await.unwrap();
        world
    };
    let minutes =
        |world: &World| world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect::<Vec<_>>();
    let forbid = run("forbid").await;
    assert_eq!(minutes(&forbid), [5, 15]);
    let skipped = &forbid.outcomes()[&(BEGIN + 600)];
    assert_eq!((skipped.outcome, cause_word(&skipped.cause)), (Outcome::Skipped, "activeExecution"));

    let allow = run("allow").await;
    assert_eq!(minutes(&allow), [5, 10, 15, 20]);
    let replace = run("replace").await;
    assert_eq!(minutes(&replace), [5, 10, 15, 20]);
    let ran = replace.ran.lock().unwrap();
    for (earlier, later) in ran.iter().zip(&ran[1..]) {
        // The one that is replaced has ended before the next one begins.
        let (ended, stopped) = earlier.ended.unwrap();
        assert!(stopped && ended <= later.at && later.at - ended < 50, "{earlier:?} {later:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_missed_while_no_runner_ran_follows_deadline_and_catch_up() {
    for (deadline, caught_up) in [("0s", None), ("4m", None), ("12m", Some(25)), ("1h", Some(25))] {
        let world = World::new();
        let job = job(&format!("*/5 * * * * @policy(deadline={deadline})"));
        world.run(vec![job.clone()], BEGIN + 11 * 60).await.unwrap();
        // Not there for the starts of minutes 15, 20 and 25.
        world.until(BEGIN + 29 * 60 + 30).await;
        world.run(vec![job], BEGIN + 31 * 60).await.unwrap();
        let mut expected = vec![5, 10];
        expected.extend(caught_up);
        expected.push(30);
        let ran: Vec<i64> = world.periods().iter().map(|nominal| (nominal - BEGIN) / 60).collect();
        assert_eq!(ran, expected, "{deadline}");
        for minute in [15, 20, 25] {
            let outcome = if caught_up == Some(minute) { Outcome::Executed } else { Outcome::Missed };
            assert_eq!(world.outcome(BEGIN + minute * 60), Some(outcome), "{deadline} {minute}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_claim_of_an_ended_runner_delays_no_start() {
    let world = World::new();
    let jobs = || vec![job("* * * * * @policy(deadline=50s)")];
    // It is killed after it has claimed the next start.
    let killed =
        tokio::time::timeout(Duration::from_secs(30), world.runner(jobs()).run(std::future::pending()));
    assert!(killed.await.is_err());
    // The next one cannot replace the claim before the start is due.
    *world.store.full.lock().unwrap() = true;
    world.until(BEGIN + 50).await;
    let test = async {
        world.until(BEGIN + 62).await;
        *world.store.full.lock().unwrap() = false;
        world.until(BEGIN + 80).await;
    };
    world.runner(jobs()).run(test).await.unwrap();
    let ran = world.ran.lock().unwrap();
    let at: Vec<i64> = ran.iter().map(|ran| ran.at / 1000 - BEGIN).collect();
    // As soon as the store was written again, which is tried after 8 seconds at the latest.
    assert!(matches!(at[..], [62..=66]), "{at:?}");
}

#[tokio::test(start_paused = true)]
async fn a_long_absence_is_counted() {
    let world = World::new();
    world.run(vec![job("* * * * *")], BEGIN + 90).await.unwrap();
    world.until(BEGIN + 600 * 60 + 30).await;
    world.run(vec![job("* * * * *")], BEGIN + 602 * 60 + 30).await.unwrap();
    let counted: u64 = world.store.memory.older_missed("runner/test").iter().map(|older| older.count).sum();
    let missed = world.outcomes().values().filter(|outcome| outcome.outcome == Outcome::Missed).count();
    assert_eq!((counted, missed), (499, 100));
    assert_eq!(world.periods().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn run_now_makes_one_execution_for_each_request() {
    let mut world = World::new();
    world.takes = 60_000;
    let runner = world.runner(vec![job("0 0 1 1 *")]);
    let handle = runner.handle();
    let test = async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        let first = handle.run_now("runner/test").await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        // The first one is active, and the policy is `forbid`.
        let second = handle.run_now("runner/test").await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        tokio::time::sleep(Duration::from_secs(100)).await;
        let third = handle.run_now("runner/test").await.unwrap();
        tokio::time::sleep(Duration::from_secs(100)).await;
        let outcomes = world.store.memory.outcomes("runner/test");
        let outcomes: Vec<_> =
            outcomes.into_iter().map(|outcome| (outcome.token.unwrap(), outcome.outcome)).collect();
        let expected = [(first, Outcome::Executed), (second, Outcome::Skipped), (third, Outcome::Executed)];
        assert_eq!(outcomes, expected);
        let unknown = handle.run_now("runner/other").await;
        assert_eq!(unknown, Err(RunnerError::UnknownJob { name: "runner/other".into() }));
        let report = handle.report().await.unwrap();
        assert_eq!((report.executed, report.skipped, report.jobs, report.active), (2, 1, 1, 0));
    };
    runner.run(test).await.unwrap();
    assert_eq!(world.ran.lock().unwrap().len(), 2);
    assert_eq!(handle.report().await, Err(RunnerError::Ended));
}

#[tokio::test(start_paused = true)]
async fn a_request_to_run_a_suspended_job_waits_and_survives_a_restart() {
    let world = World::new();
    let runner = world.runner(vec![job("0 0 1 1 * @policy(suspend=true)")]);
    let handle = runner.handle();
    let token = async {
        let token = handle.run_now("runner/test").await.unwrap();
        let again = handle.run_now("runner/test").await;
        assert_eq!(again, Err(RunnerError::RunNowPending { job: "runner/test".into(), token }));
    };
    runner.run(token).await.unwrap();
    assert!(world.ran.lock().unwrap().is_empty());
    world.run(vec![job("0 0 1 1 *")], BEGIN + 600).await.unwrap();
    assert_eq!(world.ran.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn results_and_panics_are_stored() {
    let world = World::new();
    let runner = world.runner(Vec::new()).job(job("*/5 * * * *"), |start: Start| async move {
        match start.nominal_time().unwrap().timestamp() - BEGIN {
            300 => ExecutionResult::exited(3),
            600 => Err::<(), &str>("no disk").into(),
            900 => panic!("a panic"),
            _ => ().into(),
        }
    });
    runner.run(world.until(BEGIN + 21 * 60)).await.unwrap();
    let results: Vec<(ExecutionStatus, Option<i32>, Option<String>)> = world
        .store
        .memory
        .executions("runner/test")
        .into_iter()
        .map(|execution| execution.result.unwrap())
        .map(|result| (result.status, result.exit_code, result.message))
        .collect();
    let failed = |code, message: &str| (ExecutionStatus::Failed, code, Some(message.to_string()));
    let succeeded = (ExecutionStatus::Succeeded, None, None);
    let expected = [
        failed(Some(3), "exit code 3"),
        failed(None, "no disk"),
        failed(None, "the handler panicked"),
        succeeded,
    ];
    assert_eq!(results, expected);
}

#[tokio::test(start_paused = true)]
async fn history_is_cut_to_its_limits() {
    let world = World::new();
    let limits = HistoryLimits { successful: 2, failed: 0, outcomes: 4 };
    let handler = |start: Start| async move {
        match start.nominal_time().unwrap().timestamp() % 600 {
            0 => Err("even"),
            _ => Ok(()),
        }
    };
    let jobs = [RunnerJob::new(job("*/5 * * * *"), handler).with_history(limits)];
    world.runner(Vec::new()).jobs(jobs).run(world.until(BEGIN + 3601)).await.unwrap();
    let executions = world.store.memory.executions("runner/test");
    let kept: Vec<Trigger> = executions.into_iter().map(|execution| execution.trigger).collect();
    let period = |minute: i64| {
        let nominal = BEGIN + minute * 60;
        Trigger::Period { nominal, chosen: nominal }
    };
    assert_eq!(kept, [period(45), period(55)]);
    let kept: Vec<i64> = world.outcomes().into_keys().map(|nominal| (nominal - BEGIN) / 60).collect();
    assert_eq!(kept, [45, 50, 55, 60]);
}

/// Starts what may fail to start, and finds again what goes on without the runner.
struct Processes {
    /// The errors of the next attempts.
    errors: std::sync::Mutex<Vec<StartError>>,
    /// Until when processes run, by pid, in tokio time.
    until: BTreeMap<u32, tokio::time::Instant>,
}

impl Processes {
    fn running(&self, pid: u32) -> BoxFuture<'static, ExecutionResult> {
        let until = self.until[&pid];
        Box::pin(async move {
            tokio::time::sleep_until(until).await;
            ExecutionResult::unknown("its exit code was not seen")
        })
    }
}

impl Handler for Processes {
    fn start(&self, _: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        let answer = match self.errors.lock().unwrap().pop() {
            Some(error) => Err(error),
            None => {
                let process =
                    Some(ProcessId { pid: 7, start_time: 99, boot_id: "boot".into(), output: None });
                Ok(Running { process, result: self.running(7) })
            }
        };
        Box::pin(std::future::ready(answer))
    }

    fn resume(&self, execution: &ExecutionRecord, _: StopSignal) -> Option<Running> {
        let process = execution.process.clone().filter(|process| process.start_time == 99)?;
        let alive = self.until[&process.pid] > tokio::time::Instant::now();
        alive.then(|| Running { result: self.running(process.pid), process: Some(process) })
    }
}

#[tokio::test(start_paused = true)]
async fn an_execution_that_outlives_the_runner_is_active_after_a_restart() {
    let world = World::new();
    let until = tokio::time::Instant::now() + Duration::from_secs(12 * 60);
    let handler = Arc::new(Processes { errors: Default::default(), until: BTreeMap::from([(7, until)]) });
    let runner = |minutes: i64| {
        let jobs = [RunnerJob::shared(job("*/5 * * * *"), handler.clone())];
        (world.runner(Vec::new()).jobs(jobs), world.until(BEGIN + minutes * 60))
    };
    // The first runner is killed in minute 7.
    let (first, seven) = runner(7);
    tokio::select! {
        _ = first.run(std::future::pending()) => unreachable!(),
        () = seven => {}
    }
    let (second, sixteen) = runner(16);
    second.run(sixteen).await.unwrap();
    let outcomes: Vec<_> = world.outcomes().into_values().map(|outcome| outcome.outcome).collect();
    assert_eq!(outcomes, [Outcome::Executed, Outcome::Skipped, Outcome::Executed]);
    let executions = world.store.memory.executions("runner/test");
    let result = executions[0].result.clone().unwrap();
    assert_eq!(result.status, ExecutionStatus::Unknown);
    let ended = executions[0].ended.unwrap() - BEGIN * 1000;
    assert!((720_000..721_000).contains(&ended), "{ended}");
}

/// Its executions end after a minute, and the runner hears of it ten minutes later.
struct Unheard {
    began: std::sync::Mutex<Option<tokio::time::Instant>>,
    stopped: Arc<std::sync::atomic::AtomicBool>,
}

impl Handler for Unheard {
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        *self.began.lock().unwrap() = Some(tokio::time::Instant::now());
        let stopped = self.stopped.clone();
        let result: BoxFuture<'static, ExecutionResult> = Box::pin(async move {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(660)) => {}
                () = start.stop.requested.cancelled() => stopped.store(true, std::sync::atomic::Ordering::Relaxed),
            }
            ExecutionResult::succeeded()
        });
        Box::pin(std::future::ready(Ok(Running { process: None, result })))
    }

    fn has_ended(&self, _: &ExecutionRecord) -> bool {
        self.began.lock().unwrap().is_some_and(|began| began.elapsed() >= Duration::from_secs(60))
    }
}

#[tokio::test(start_paused = true)]
async fn an_execution_whose_end_is_still_to_be_heard_of_is_not_active() {
    for concurrency in ["forbid", "replace"] {
        let world = World::new();
        let stopped = Arc::<std::sync::atomic::AtomicBool>::default();
        let handler = Unheard { began: Default::default(), stopped: stopped.clone() };
        let job = job(&format!("*/5 * * * * @policy(concurrency={concurrency})"));
        let test = async {
            world.until(BEGIN + 610).await;
            let outcomes: Vec<_> = world.outcomes().into_values().map(|outcome| outcome.outcome).collect();
            assert_eq!(outcomes, [Outcome::Executed, Outcome::Executed], "{concurrency}");
            assert!(!stopped.load(std::sync::atomic::Ordering::Relaxed), "{concurrency}");
        };
        world.runner(Vec::new()).job(job, handler).run(test).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_fails_is_tried_again_if_that_can_help() {
    for (retry, outcome, word) in [(true, Outcome::Executed, "started"), (false, Outcome::Missed, "refused")]
    {
        let world = World::new();
        let error = StartError { message: "no such shell".into(), retry };
        let now = tokio::time::Instant::now();
        let handler = Processes { errors: vec![error].into(), until: BTreeMap::from([(7, now)]) };
        world
            .runner(Vec::new())
            .job(job("*/5 * * * *"), handler)
            .run(world.until(BEGIN + 320))
            .await
            .unwrap();
        let found = &world.outcomes()[&(BEGIN + 300)];
        assert_eq!((found.outcome, cause_word(&found.cause)), (outcome, word));
        if !retry {
            assert_eq!(found.cause, Cause::Refused { error: "no such shell".into() });
            assert!(world.store.memory.executions("runner/test").is_empty());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_runner_can_be_spawned_and_handlers_can_be_dropped_with_it() {
    let world = World::new();
    let runner = world.runner(vec![job("*/5 * * * *")]);
    let running = tokio::spawn(runner.run(std::future::pending()));
    world.until(BEGIN + 301).await;
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    world.until(BEGIN + 700).await;
    assert_eq!(world.periods(), [BEGIN + 300]);
}

#[tokio::test(start_paused = true)]
async fn a_runner_is_ready_once_the_store_has_its_jobs() {
    let world = World::new();
    let ready = Arc::new(Mutex::new(Vec::new()));
    let run = async |count: usize, disk_is_full: bool| {
        let named = |number: usize| kron_core::Job::parse(&format!("runner/{number}"), "* * * * *").unwrap();
        let (memory, clock, ready) = (world.store.memory.clone(), world.clock.clone(), ready.clone());
        let began = world.now();
        let runner = world.runner((0..count).map(named).collect()).on_event(move |event| {
            if *event == RunnerEvent::Ready {
                ready.lock().unwrap().push((memory.jobs().len(), (clock.now() - began) / 1000));
            }
        });
        *world.store.full.lock().unwrap() = disk_is_full;
        let test = async {
            world.until(began / 1000 + 20).await;
            *world.store.full.lock().unwrap() = false;
            world.until(began / 1000 + 40).await;
        };
        runner.run(test).await.unwrap();
    };
    // More jobs than one write has; none that the store does not have; one more, which cannot be written at first.
    run(300, false).await;
    run(300, false).await;
    run(301, true).await;
    let ready = ready.lock().unwrap();
    assert_eq!(ready[..2], [(300, 0), (300, 0)]);
    assert!(matches!(ready[2..], [(301, 20..=31)]), "{ready:?}");
}
