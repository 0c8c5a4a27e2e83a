//! Real processes with a SQLite file, which are killed at any time.

use std::collections::BTreeMap;
use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kron_core::{Job, Outcome};
use kron_host::Cause;
use kron_runner::{
    BoxFuture, Clock, ExecutionStatus, HistoryLimits, Runner, RunnerJob, SqliteStore, Start, StateFile,
    Waited,
};

/// The variable that names the directory of a process.
const DIRECTORY: &str = "KRON_RUNNER_TEST_DIRECTORY";
/// When the clock of the test began, in Unix milliseconds.
const BEGAN: &str = "KRON_RUNNER_TEST_BEGAN";
/// How many times as fast as the clock of the machine the clock of the test is.
const FASTER: i64 = 60;
const JOBS: usize = 20;

/// A clock that all processes of the test share.
#[derive(Debug)]
struct FastClock {
    began: i64,
}

fn machine_now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

impl Clock for FastClock {
    fn now(&self) -> i64 {
        self.began + (machine_now() - self.began) * FASTER
    }

    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited> {
        Box::pin(async move {
            let Some(at) = at else { std::future::pending().await };
            while self.now() < at {
                let left = u64::try_from((at - self.now()) / FASTER).unwrap_or(0);
                tokio::time::sleep(Duration::from_millis(left + 1)).await;
            }
            Waited::Reached
        })
    }
}

fn job(index: usize) -> Job {
    let text = match index % 4 {
        0 => "* * * * * @policy(deadline=50s)",
        1 => "* * * * * @win(after,40s) @policy(deadline=10m)",
        2 => "*/2 * * * * @win(around,3m) @policy(concurrency=allow,deadline=20s)",
        _ => "* * * * * @win(before,90s) @policy(concurrency=replace,deadline=2m)",
    };
    Job::parse(&format!("kill/{index}"), text).unwrap()
}

#[test]
#[ignore = "the process that `killed_runners_double_nothing` starts"]
fn runner_process() {
    let directory = PathBuf::from(env::var_os(DIRECTORY).unwrap());
    let clock = FastClock { began: env::var(BEGAN).unwrap().parse().unwrap() };
    let store = SqliteStore::open_waiting(directory.join("kron.db")).unwrap();
    let jobs = (0..JOBS).map(|index| {
        let path = directory.join("ran");
        let handler = move |start: Start| {
            let line = format!("{} {}\n", start.job, start.nominal_time().unwrap().timestamp());
            // One write of a line is whole or absent.
            OpenOptions::new().append(true).open(&path).unwrap().write_all(line.as_bytes()).unwrap();
            async {}
        };
        RunnerJob::new(job(index), handler).with_history(HistoryLimits {
            successful: u32::MAX,
            failed: u32::MAX,
            outcomes: u32::MAX,
        })
    });
    let runner = Runner::new(store).clock(clock).jobs(jobs);
    let shutdown = async move {
        while !directory.join("end").exists() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(runner.run(shutdown)).unwrap();
}

fn start(directory: &Path, began: i64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["kills::runner_process", "--exact", "--ignored", "--nocapture"])
        .env(DIRECTORY, directory)
        .env(BEGAN, began.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "kills processes for 15 seconds; scripts/test_all.sh runs it"]
fn killed_runners_double_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    std::fs::write(directory.join("ran"), "").unwrap();
    let began = machine_now();
    let kills: u32 = 12;
    for kill in 0..kills {
        let mut child = start(directory, began);
        // Times that have nothing to do with minutes of the test's clock.
        std::thread::sleep(Duration::from_millis(300 + u64::from(kill * 7919 % 13) * 97));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // The last one runs until each job has run a few times, however long that takes.
    let mut child = start(directory, began);
    let lines = || std::fs::read_to_string(directory.join("ran")).unwrap().lines().count();
    let before = lines();
    while lines() < before + 3 * JOBS {
        assert!(child.try_wait().unwrap().is_none(), "the runner ended by itself");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::write(directory.join("end"), "").unwrap();
    assert!(child.wait().unwrap().success());
    check(directory, usize::try_from(kills).unwrap());
}

fn check(directory: &Path, kills: usize) {
    let mut ran: BTreeMap<(String, i64), usize> = BTreeMap::new();
    for line in std::fs::read_to_string(directory.join("ran")).unwrap().lines() {
        let (job, nominal) = line.split_once(' ').unwrap();
        *ran.entry((job.into(), nominal.parse().unwrap())).or_default() += 1;
    }
    assert!(ran.len() > JOBS, "{} periods ran", ran.len());
    assert!(ran.values().all(|times| *times == 1), "a period ran twice: {ran:?}");
    let file = StateFile::open(directory.join("kron.db")).unwrap();
    let runners = file.runners().unwrap();
    assert_eq!(runners.iter().filter(|runner| runner.stopped.is_some()).count(), 1);
    for index in 0..JOBS {
        let job = job(index);
        let row = file.job(job.name()).unwrap().unwrap();
        let outcomes = file.outcomes(job.name(), 0, i64::MAX).unwrap();
        let executions = file.executions(Some(job.name()), u32::MAX).unwrap();
        let mut lost = 0;
        for outcome in &outcomes {
            let nominal = outcome.nominal.unwrap();
            let times = ran.remove(&(job.name().into(), nominal)).unwrap_or(0);
            let execution =
                executions.iter().find(|execution| Some(&execution.name) == outcome.execution.as_ref());
            match (outcome.outcome, &outcome.cause) {
                (Outcome::Executed, _) => {
                    let result = execution.unwrap().result.as_ref().unwrap();
                    // One that was killed may not have come to write its line.
                    let least = usize::from(result.status != ExecutionStatus::Unknown);
                    assert!(times >= least, "{} {nominal}: {result:?}", job.name());
                }
                (Outcome::Missed, Cause::MaybeRemoved { .. }) => lost += 1,
                _ => assert_eq!(times, 0, "{} {nominal}: {outcome:?}", job.name()),
            }
        }
        assert!(lost <= kills, "{}: {lost} claims are lost", job.name());
        // Each period in force has an outcome, up to the last one.
        let last = outcomes.iter().filter_map(|outcome| outcome.chosen).max().unwrap();
        let from = row.created - 600;
        let missing: Vec<i64> = job
            .periods(from..last + 600)
            .filter(|period| (row.created + 1..last).contains(&period.order_timestamp()))
            .map(|period| period.nominal_timestamp())
            .filter(|nominal| outcomes.iter().all(|outcome| outcome.nominal != Some(*nominal)))
            .collect();
        assert!(missing.is_empty(), "{}: {missing:?} have no outcome", job.name());
    }
    assert!(ran.is_empty(), "{ran:?} ran and have no outcome");
}
