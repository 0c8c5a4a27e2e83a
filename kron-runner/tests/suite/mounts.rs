//! State files on mounts of their own: a small or read-only file system, and a file at two paths. Each test is a process that `unshare` of
//! util-linux starts, where the system allows that.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::Job;
use kron_runner::{
    Runner, RunnerEvent, RunnerJob, SimulatedClock, SqliteStore, Start, StateFile, StoreErrorKind,
};

use crate::world::BEGIN;

/// The variable that names the directory of a process.
const DIRECTORY: &str = "KRON_RUNNER_TEST_DIRECTORY";

/// Runs an ignored test of this file in a mount namespace, after a command of the shell that mounts something in `$DIR`.
fn run_in_mounts(test: &str, mount: &str) {
    let directory = tempfile::tempdir().unwrap();
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script]).arg(std::env::current_exe().unwrap());
        command.env("DIR", directory.path()).env(DIRECTORY, directory.path());
        command
    };
    let possible = unshare("mount -t tmpfs none \"$DIR\"").output();
    if !possible.is_ok_and(|output| output.status.success()) {
        println!("skipped: no mounts here");
        return;
    }
    let script = format!("set -e; {mount}; exec \"$0\" mounts::{test} --exact --ignored --nocapture");
    let output = unshare(&script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Not if there is no test of that name.
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

fn directory() -> PathBuf {
    std::env::var_os(DIRECTORY).unwrap().into()
}

#[test]
fn a_file_at_two_paths_has_one_runner() {
    let mount = "mkdir \"$DIR/a\" \"$DIR/b\"; touch \"$DIR/a/kron.db\" \"$DIR/b/kron.db\"; \
                 mount --bind \"$DIR/a/kron.db\" \"$DIR/b/kron.db\"";
    run_in_mounts("two_paths", mount);
}

/// The ignored test that waits for the end of its input with the file.
fn other_process(path: &Path) -> std::process::Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["mounts::holder", "--exact", "--ignored", "--nocapture"]).env(DIRECTORY, path);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap()
}

#[test]
#[ignore = "the process that `two_paths` starts"]
fn holder() {
    let _store = SqliteStore::open(directory()).unwrap();
    println!("locked");
    _ = std::io::stdin().read_line(&mut String::new());
}

#[test]
#[ignore = "the process that `a_file_at_two_paths_has_one_runner` starts"]
fn two_paths() {
    let [first, second] = ["a/kron.db", "b/kron.db"].map(|path| directory().join(path));
    // In one process.
    let store = SqliteStore::open(&first).unwrap();
    assert!(store.warnings().is_empty());
    let error = SqliteStore::open(&second).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::InUse, "{error}");
    drop(store);
    // In two.
    let mut holder = other_process(&first);
    let output = std::io::BufReader::new(holder.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(output).map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("locked")));
    let error = SqliteStore::open(&second).unwrap_err();
    let expected = format!("process {} has this state file", holder.id());
    assert_eq!(
        (error.kind, error.path, error.message),
        (StoreErrorKind::InUse, Some(second.clone()), expected)
    );
    let waiting =
        std::thread::spawn(move || SqliteStore::open_waiting(second).map(|store| store.warnings().to_vec()));
    drop(holder.stdin.take());
    holder.wait().unwrap();
    let warnings = waiting.join().unwrap().unwrap();
    assert!(warnings[0].contains("the state file is mounted without its folder"), "{warnings:?}");
}

#[test]
fn a_small_file_system_is_enough() {
    run_in_mounts("small", "mount -t tmpfs -o size=1m none \"$DIR\"");
}

#[test]
fn a_read_only_mount_is_refused() {
    let mount = "mount -t tmpfs none \"$DIR\"; mkdir \"$DIR/empty\"; touch \"$DIR/kron.db\" \"$DIR/kron.db.lock\"; \
                 mount -o remount,ro \"$DIR\"";
    run_in_mounts("read_only", mount);
}

#[test]
#[ignore = "the process that `a_read_only_mount_is_refused` starts"]
fn read_only() {
    for path in ["kron.db", "empty/kron.db"] {
        let path = directory().join(path);
        let error = SqliteStore::open(&path).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Io, "{error}");
        let expected = format!("{}.lock: Read-only file system", path.display());
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert!(error.to_string().contains("mount it so that it can be written"), "{error}");
    }
}

/// Runs 20 jobs for so many minutes, with something that happens once they run, and gives the errors of the store and the number of
/// starts.
async fn run(
    path: &Path,
    clock: &Arc<SimulatedClock>,
    minutes: u64,
    then: impl FnOnce() + Send,
) -> (Vec<String>, usize) {
    let (errors, ran) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(0)));
    let jobs = (0..20).map(|number| {
        let job = Job::parse(&format!("small/{number}"), "* * * * * @win(after,30s) @policy(deadline=1h)");
        let ran = ran.clone();
        RunnerJob::new(job.unwrap(), move |_: Start| {
            *ran.lock().unwrap() += 1;
            async {}
        })
    });
    let (seen, store) = (errors.clone(), SqliteStore::open(path).unwrap());
    let runner = Runner::new(store).clock(clock.clone()).jobs(jobs).on_event(move |event| {
        if let RunnerEvent::StoreFailed { error, .. } = event {
            seen.lock().unwrap().push(error.to_string());
        }
    });
    // One that cannot write its end says so, and has ended.
    let test = async {
        tokio::time::sleep(Duration::from_secs(30)).await;
        then();
        tokio::time::sleep(Duration::from_secs(minutes * 60 - 30)).await;
    };
    _ = runner.run(test).await;
    let errors = std::mem::take(&mut *errors.lock().unwrap());
    (errors, *ran.lock().unwrap())
}

#[test]
#[ignore = "the process that `a_small_file_system_is_enough` starts"]
fn small() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let path = directory().join("kron.db");
        let clock = Arc::new(SimulatedClock::new(BEGIN * 1000));
        let (errors, before) = run(&path, &clock, 20, || {}).await;
        assert!(errors.is_empty() && before > 370, "{before} {errors:?}");
        // Something else takes all that is left.
        let fill = directory().join("fill");
        let full = || {
            let mut file = std::fs::File::create(&fill).unwrap();
            while std::io::Write::write_all(&mut file, &[7; 4096]).is_ok() {}
        };
        let (errors, during) = run(&path, &clock, 30, full).await;
        assert!(!errors.is_empty() && during < 580, "{during} {errors:?}");
        assert!(errors.iter().all(|error| error.ends_with("; free some space on the disk")), "{errors:?}");
        std::fs::remove_file(&fill).unwrap();
        // What waited for room is made up for, as far as the deadline allows that.
        let (errors, after) = run(&path, &clock, 10, || {}).await;
        assert!(errors.is_empty() && after > 180, "{after} {errors:?}");
        assert!(StateFile::open(&path).unwrap().executions(None, 1000).unwrap().len() > 500);
    });
}
