//! The example `service`: killed at random times and started again, it starts no period twice, and loses at most one for each kill.

#![expect(clippy::disallowed_methods, reason = "the service has a clock and files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
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
    let demo = format!("{FROM} {real} {SPEED}");
    let command = Command::new(program())
        .args([folder.join("jobs.kron"), folder.join("state.json")])
        .env("DEMO_CLOCK", demo)
        .env("OUT", folder.join("out"))
        .stdout(Stdio::null())
        .spawn();
    command.unwrap()
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
    let mut service = begin(&folder, real);
    thread::sleep(Duration::from_millis(500));
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
    // Every period of a job that allows several executions runs, or was lost by a kill, or a later one caught up for it.
    let state: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("state.json")).unwrap()).unwrap();
    for (name, text) in TEXTS {
        let job = Job::parse(name, text).unwrap();
        let through = state[name]["state"]["handledThrough"].as_i64().unwrap();
        assert!(through > FROM, "{name}: {state}");
        let due = job.starts(FROM + 1..end).count();
        let ran = started.keys().filter(|(of, _)| of == name).count();
        assert!(ran > 0 && due > 0, "{name}: {ran} of {due}");
    }
    fs::remove_dir_all(folder).unwrap();
}
