//! The example `service`: killed at random times and started again, it starts no period twice, and loses at most one for each kill.

#![expect(clippy::disallowed_methods, reason = "the service has a clock and files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};
use std::{env, fs, thread};

use kron_core::Job;

/// 2026-03-01T00:00:00Z.
const FROM: i64 = 1_772_323_200;
/// Seconds of the service in one second of the machine.
const SPEED: i64 = 600;
const KILLS: u64 = 25;

const TEXTS: [(&str, &str); 4] = [
    ("web/ping", "* * * * * @policy(concurrency=allow,deadline=2h)"),
    ("web/report", "*/5 * * * * @win(after,20m) @policy(concurrency=allow,deadline=2h)"),
    ("db/backup", "*/10 * * * * @win(around,10m) @policy(concurrency=forbid,deadline=2h)"),
    (
        "db/check",
        "*/7 * * * * @win(after,6m) @avoid(between=00:30-00:39) @policy(concurrency=replace,deadline=2h)",
    ),
];

fn program() -> PathBuf {
    let tests = env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("examples/service");
    assert!(program.exists(), "build it: cargo build -p kron-fleet --all-features --examples");
    program
}

fn begin(folder: &Path, real: f64) -> Child {
    let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let command = Command::new(program())
        .args([folder.join("jobs.kron"), folder.join("state.json")])
        .env("DEMO_CLOCK", format!("{FROM} {real} {SPEED}"))
        .env("OUT", folder.join("out"))
        .stdout(log)
        .spawn();
    command.unwrap()
}

/// The periods of a job in the log.
fn settled<'l>(log: &'l str, name: &str) -> impl Iterator<Item = &'l str> {
    log.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' ')?.split(' ').next())
}

#[test]
fn a_service_that_is_killed_starts_no_period_twice() {
    let folder = env::temp_dir().join(format!("kron-service-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let lines = TEXTS.map(|(name, text)| {
        format!("{text} name={name} command=\"echo $KRON_JOB $KRON_PERIOD_ID >> $OUT\"\n")
    });
    fs::write(folder.join("jobs.kron"), lines.concat()).unwrap();
    let real = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64();
    for kill in 0..KILLS {
        let mut service = begin(&folder, real);
        // Times without a pattern, from 20 to 300 ms.
        thread::sleep(Duration::from_millis(20 + kill * 7919 % 281));
        service.kill().unwrap();
        service.wait().unwrap();
    }
    let passed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64() - real;
    // OK because the test takes seconds.
    let end = FROM + (passed * SPEED as f64) as i64;
    // The first job has no window. When it is two minutes further, all jobs were looked at since the end.
    let further = Job::parse("web/ping", "* * * * *").unwrap().next_start(end + 120).unwrap().period_id();
    let mut service = begin(&folder, real);
    let mut waits = 0..3000;
    while !settled(&fs::read_to_string(folder.join("log")).unwrap(), "web/ping")
        .any(|period| period >= &*further)
    {
        assert!(waits.next().is_some(), "the service has not reached {further} in a minute");
        thread::sleep(Duration::from_millis(20));
    }
    service.kill().unwrap();
    service.wait().unwrap();
    // What was started as the last is written.
    thread::sleep(Duration::from_millis(300));

    let mut started: BTreeMap<(String, String), u32> = BTreeMap::new();
    for line in fs::read_to_string(folder.join("out")).unwrap().lines() {
        let (name, period) = line.split_once(' ').unwrap();
        *started.entry((name.to_string(), period.to_string())).or_default() += 1;
    }
    let twice: Vec<_> = started.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    // Each period is settled once. A kill between the write of the state and the line of the log loses one line.
    let log = fs::read_to_string(folder.join("log")).unwrap();
    for (name, text) in TEXTS {
        let job = Job::parse(name, text).unwrap();
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        settled(&log, name).for_each(|period| *times.entry(period).or_default() += 1);
        assert!(times.values().all(|times| *times == 1), "{name}: {times:?}");
        let due: Vec<String> = job.starts(FROM + 1..end).map(|start| start.unwrap().period_id()).collect();
        let lost = due.iter().filter(|period| !times.contains_key(&***period)).count() as u64;
        assert!(due.len() > 2 && lost <= KILLS, "{name}: {lost} of {} have no outcome", due.len());
        assert!(started.keys().any(|(of, _)| of == name), "{name} never ran");
    }
    fs::remove_dir_all(folder).unwrap();
}
